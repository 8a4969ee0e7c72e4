/* An open recording from within. */
#ifndef SCRI_RECORDING_H
#define SCRI_RECORDING_H

#include "io/recording_layout.h"
#include "scree_io/recording.h"

/* Rows of /frames, all of them read and checked when the file is opened. */
typedef struct scri_frame_rows {
    double* time;
    int64_t* step;
    int32_t* n_bodies;
    int64_t* body_offset;
    int32_t* n_contacts;
    int64_t* contact_offset;
    int32_t* n_shapes;
    int32_t* n_joints; /* with 0 for all of a schema without joints, and so the next */
    int64_t* joint_offset;
    double *kinetic, *potential, *residual_max, *penetration_max;
} scri_frame_rows;

struct scree_recording {
    scree_env env;
    scri_arena* arena; /* the recording itself and what `info` refers to */
    scri_hdf5 h;
    scri_columns columns;
    scree_recording_info info;
    int32_t extra; /* the frame that a recorder wrote when it was closed; -1: none */
    scri_frame_rows frames;
    const int32_t* joint_slot; /* [n_joints] */
    const uint32_t* joint_generation;
    double* motions; /* room for the states of the joints of any frame */
    void* bodies;    /* room for the states of the bodies of any frame */
    void* contacts;  /* [contacts_size] grows with the largest frame that was read */
    size_t contacts_size;
};

/* Rows of a column that must be there, in the recording's own memory; NULL after a failure, which
 * goes to *status. Does nothing when *status is one already. */
void* scri_recording_rows(scree_recording* recording, scri_column column, int64_t n,
                          scree_status* status);

/* recording_joints.c: the joints of the file, and what they do in a frame. */
scree_status scri_recording_read_joints(scree_recording* recording);
scree_status scri_recording_read_motions(scree_recording* recording, int64_t frame,
                                         scree_frame* out);

/* 64 bits that depend on all bytes and their order; `seed` goes in first. */
uint64_t scri_recording_mix(uint64_t seed, const void* bytes, size_t size);

/* The frames that `def` means (NULL: all), with `end` among them; faults of the arguments. */
scree_status scri_export_frames(const scree_env* env, scree_recording* recording,
                                const char* prefix, const scree_export_def* def,
                                scree_export_def* out);

#endif
