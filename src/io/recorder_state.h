/* A recorder from within. */
#ifndef SCRI_RECORDER_STATE_H
#define SCRI_RECORDER_STATE_H

#include "io/recorder_disk.h"
#include "io/recording_layout.h"
#include "scree_io/recording.h"

/* Of a checkpoint; as five integers in the file. */
typedef struct scri_saved_head {
    int64_t sequence; /* of two valid checkpoints the higher one counts; 0: none */
    int64_t size;     /* bytes */
    int64_t n_frames; /* asked for until then */
    int64_t reserved; /* 0 */
    uint64_t check;   /* scri_saved_check() */
} scri_saved_head;

struct scree_recorder {
    scree_env env;
    char* path;
    scri_disk disk;
    hid_t driver; /* handle of the disk's driver */
    scri_hdf5 h;
    scri_columns columns;
    int failed;         /* nothing is written any more */
    int64_t n_frames;   /* asked for */
    int64_t n_on_file;  /* complete in the file */
    int64_t n_states;   /* rows of those */
    int64_t n_contacts; /* the same */
    int32_t n_bodies;   /* of the last of them */
    int32_t n_shapes;   /* the same */
    int64_t n_saved;    /* checkpoints: sequence of the last */
    void* scratch;      /* [scratch_size] */
    size_t scratch_size;
};

/* Checks the bytes of a checkpoint and its head, apart from the field `check`. */
uint64_t scri_saved_check(const scri_saved_head* head, const void* bytes);

/* The bytes of the last valid checkpoint, to be given back with scri_release(); NULL if there is
 * none, and then *out is zero. */
void* scri_recording_read_checkpoint(scree_recording* recording, scri_saved_head* out);

/* Writes a complete recording without frames to `path`. */
scree_status scri_recorder_write_start(const scree_env* env, const char* path,
                                       const scree_simulation* simulation);

/* Opens a recording to append to. Counters stand at zero. */
scree_status scri_recorder_open(const scree_env* env, const char* path, scree_recorder** out);

/* At least `size` bytes that stay until the next call; NULL when memory is short. */
void* scri_recorder_scratch(scree_recorder* recorder, size_t size);

/* Hands everything to the file system, and says whether all of it got there. */
scree_status scri_recorder_flush(scree_recorder* recorder);

/* Says in the file whether the recording has come to its end. */
scree_status scri_recorder_mark_closed(scree_recorder* recorder, int32_t closed);

/* Releases a recorder and leaves the file as it is. NULL is allowed. */
void scri_recorder_abandon(scree_recorder* recorder);

/* Ends a call that wrote: after a failure the recorder writes nothing more. */
scree_status scri_recorder_end_call(scree_recorder* recorder, scree_status status);

#endif
