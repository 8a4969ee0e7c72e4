/* Which frames of a recording a page shows, and the ranges in which it rounds their numbers. */
#ifndef SCRI_PAGE_PLAN_H
#define SCRI_PAGE_PLAN_H

#include "base/arena.h"
#include "io/page_range.h"

/* Limits of a page. Frames are left out evenly until both hold; the first and the last always stay.
 * Contacts are kept when the bytes of poses and contacts together stay within the limit. */
enum { SCRI_PAGE_FRAMES = 600, SCRI_PAGE_BYTES = 20000000 };

/* Bytes of a body in a frame, and of a contact. */
enum { SCRI_PAGE_POSE = 12, SCRI_PAGE_CONTACT = 12 };

/* The number that stands for what never moves, in the 16 bits that a contact has for a body. */
enum { SCRI_PAGE_NO_BODY = 65535 };

typedef struct scri_page_frame {
    int64_t index; /* in the recording */
    double time;   /* s */
    int32_t bodies, moving, contacts;
    double force;                          /* the largest, N */
    double kinetic, residual, penetration; /* as in scree_frame */
} scri_page_frame;

typedef struct scri_page_plan {
    scree_recording_info info;
    int32_t* moving_before; /* [n_bodies + 1] bodies before it that are not static */
    int32_t n_moving;
    int64_t n_frames;
    scri_page_frame* frames;
    scri_page_range range; /* of the centres of moving bodies and of contacts */
    double speed_max;      /* m/s, of dynamic bodies */
    double spin_max;       /* rad/s, the same */
    double force_scale;    /* N, shown at full width */
    bool has_contacts;
} scri_page_plan;

/* Reads through the recording, which must have a frame, once. `limit` is SCRI_PAGE_BYTES but in
 * tests. Memory is taken from the arena. */
scree_status scri_page_plan_make(scri_arena* arena, scree_recording* recording, int64_t limit,
                                 scri_page_plan* out);

/* Whether a body of the recording can move. */
static inline bool scri_page_moves(const scri_page_plan* plan, int32_t body)
{
    return plan->info.kind[body] != SCREE_BODY_STATIC;
}

#endif
