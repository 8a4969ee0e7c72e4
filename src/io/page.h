/* A recording as one HTML page, from within: which frames it shows, the ranges in which it rounds
 * their numbers, and the records that viewer/recording.js and shaders.js read. */
#ifndef SCRI_PAGE_H
#define SCRI_PAGE_H

#include "base/arena.h"
#include "scree_io/recording.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- the range: page_plan.c ---- */

/* The part of space that a page shows: its places are rounded to 1/65535 of it.
 *
 * What falls off the edge of the world falls for as long as the recording lasts, and would make the
 * range so large that nothing is left of the rest. Where the scene has bodies that are driven or
 * fixed, and none of them is a half-space, bodies are therefore lost from sight when they are
 * farther from home than home is wide; home is the box of those bodies and of all places where
 * bodies were released.
 */
typedef struct scri_page_range {
    bool endless;                     /* nothing gets lost */
    double home_low[3], home_high[3]; /* so far */
    int32_t n_released;               /* bodies that home knows */
    double low[3], high[3];           /* of the places that are not lost; low > high: none */
} scri_page_range;

void scri_page_range_begin(const scree_recording_info* info, scri_page_range* out);

/* Takes in a frame; frames come in the order of time. `moves` as in the plan. */
void scri_page_range_add(const scree_recording_info* info, const bool* moves,
                         const scree_frame* frame, scri_page_range* range);

/* Whether a place is out of sight as far as the frames taken in tell; so is one without numbers. */
bool scri_page_range_lost(const scri_page_range* range, const double x[3]);

/* ---- the plan: page_plan.c ---- */

/* Limits of a page. Frames are left out evenly until both hold; the first and the last always stay.
 * Contacts are kept when the bytes of poses and contacts together stay within the limit, and joints
 * when theirs do so too. */
enum { SCRI_PAGE_FRAMES = 600, SCRI_PAGE_BYTES = 20000000 };

/* Bytes of a body in a frame, and of a contact. */
enum { SCRI_PAGE_POSE = 12, SCRI_PAGE_CONTACT = 16 };

/* Bytes of a joint in a frame, all of them floats: point and quaternion of frame A and of frame B,
 * force and torque on A at the point of B, in the axes of the world. */
enum { SCRI_PAGE_JOINT = 4 * 20 };

/* The number that stands for what never moves, in the 16 bits that a contact has for a body. */
enum { SCRI_PAGE_NO_BODY = 65535 };

typedef struct scri_page_frame {
    int64_t index; /* in the recording */
    double time;   /* s */
    int32_t bodies, moving, contacts, joints;
    double force;                          /* the largest of contacts, N */
    double reaction, torque;               /* the largest of joints, N and N m */
    double kinetic, residual, penetration; /* as in scree_frame */
} scri_page_frame;

typedef struct scri_page_plan {
    scree_recording_info info;
    bool* moves;            /* [n_bodies] it has a pose in every frame */
    int32_t* moving_before; /* [n_bodies + 1] bodies before it that move */
    int32_t n_moving;
    int64_t n_frames;
    scri_page_frame* frames;
    scri_page_range range; /* of the centres of moving bodies and of contacts */
    double speed_max;      /* m/s, of dynamic bodies */
    double spin_max;       /* rad/s, the same */
    double force_scale;    /* N, shown at full width */
    double reaction_scale; /* N, of joints, shown at full length */
    double torque_scale;   /* N m, the same */
    bool has_contacts, has_joints;
    bool has_modes; /* the recording tells what contacts do */
    int32_t n_rounded;
    int32_t*
        rounded; /* [n_rounded] rounded shapes of different forms, which follow those of hulls */
} scri_page_plan;

/* Reads through the recording, which must have a frame, once. `limit` is SCRI_PAGE_BYTES but in
 * tests. Memory is taken from the arena. */
scree_status scri_page_plan_make(scri_arena* arena, scree_recording* recording, int64_t limit,
                                 scri_page_plan* out);

/* ---- records: page_record.c. Numbers are little-endian. ---- */

/* Bytes of a shape: kinds, body, material, three sizes, three coordinates, a quaternion. */
enum { SCRI_PAGE_SHAPE = 4 * 13 };

/* In place of a rotation, which never has these bits: the body is out of range. */
#define SCRI_PAGE_HIDDEN UINT32_MAX

/* Place, 16 bits per coordinate, as parts of the plan's range. Roots of speed and angular speed as
 * parts of the largest ones, 8 bits each. Rotation: the three smaller components, 10 bits each from
 * the lowest, then the number of the largest, which a change of sign has made positive. */
void scri_page_pose(const scri_page_plan* plan, const scree_frame* frame, int32_t body,
                    uint8_t out[SCRI_PAGE_POSE]);

/* Two bodies among the moving ones, the first of them dynamic, the second SCRI_PAGE_NO_BODY where
 * it is not; place as above; 16 bits each. The mode, SCREE_MODE_NONE where the recording has none,
 * in 4 bits; root of the force as a part of the plan's scale in 12. The share of friction in the
 * force and its direction on the first body, unfolded from an octahedron: share, a, b and 0, 8 bits
 * each. False, and nothing written, where neither body is dynamic. */
bool scri_page_contact(const scri_page_plan* plan, const scree_frame* frame, int32_t contact,
                       uint8_t out[SCRI_PAGE_CONTACT]);

/* NaN for a joint that is gone. */
void scri_page_joint(const scri_page_plan* plan, const scree_frame* frame, int32_t joint,
                     uint8_t out[SCRI_PAGE_JOINT]);

/* The farthest that a shape reaches from its own middle. */
double scri_page_reach(const scree_shape* shape);

/* Writes n_rounded and rounded. */
scree_status scri_page_find_rounded(scri_arena* arena, scri_page_plan* plan);

/* The form of a rounded shape, of which it has the size of its rounding. */
scree_shape scri_page_form(const scree_shape* shape);

/* Shapes of static bodies stand in the world's frame and have the body -1; `frame` is one that
 * holds all bodies. */
void scri_page_shape(const scri_page_plan* plan, const scree_frame* frame, int32_t shape,
                     uint8_t out[SCRI_PAGE_SHAPE]);

/* ---- text: page.c ---- */

/* A JSON string, or null. '<' and '&' are written as escapes, so that no text can end the element
 * or begin a comment in it. */
void scri_page_string(FILE* file, const char* text);

/* A JSON number; null for what is not finite. */
void scri_page_number(FILE* file, double value);

/* Bytes on their way into a file as base64. */
typedef struct scri_page_bytes {
    FILE* file;
    size_t count;
    uint8_t waiting[3 * 1024];
} scri_page_bytes;

void scri_page_bytes_begin(scri_page_bytes* bytes, FILE* file);
void scri_page_bytes_put(scri_page_bytes* bytes, const uint8_t* data, size_t size);
void scri_page_bytes_end(scri_page_bytes* bytes);

#endif
