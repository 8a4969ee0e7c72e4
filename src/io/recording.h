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
    void* bodies;   /* room for the states of the bodies of any frame */
    void* contacts; /* [contacts_size] grows with the largest frame that was read */
    size_t contacts_size;
};

/* The same as scree_recording_open() for bytes in memory. */
scree_status scri_recording_open_image(const scree_env* env, const char* name, const void* bytes,
                                       size_t size, scree_recording** out);

/* 64 bits that depend on all bytes and their order; `seed` goes in first. */
uint64_t scri_recording_mix(uint64_t seed, const void* bytes, size_t size);

/* The frames that `def` means (NULL: all), with `end` among them; faults of the arguments. */
scree_status scri_export_frames(const scree_env* env, scree_recording* recording,
                                const char* prefix, const scree_export_def* def,
                                scree_export_def* out);

#endif
