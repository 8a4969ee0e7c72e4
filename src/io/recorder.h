/* A recorder from within. */
#ifndef SCRI_RECORDER_H
#define SCRI_RECORDER_H

#include "io/recorder_disk.h"
#include "io/recording_layout.h"
#include "scree_io/recording.h"
#include "world/table.h"

/* Of a checkpoint; as five integers in the file. */
typedef struct scri_saved_head {
    int64_t sequence; /* of two valid checkpoints the higher one counts; 0: none */
    int64_t size;     /* bytes */
    int64_t n_frames; /* asked for until then */
    int64_t reserved; /* 0 */
    uint64_t check;   /* scri_saved_check() */
} scri_saved_head;

/* The bodies or joints of the file, by row. */
#define SCRI_ROW_FIELDS(X)                                    \
    X(int32_t, slot, 1) /* of the world that it has or had */ \
    X(uint32_t, generation, 1)
SCRI_TABLE(scri_rows_table, SCRI_ROW_FIELDS)

/* The slots of the world. */
#define SCRI_SLOT_FIELDS(X) X(int32_t, row, 1) /* of what is in it; -1: none */
SCRI_TABLE(scri_slots_table, SCRI_SLOT_FIELDS)

/* The hulls of the file. */
#define SCRI_FORM_FIELDS(X)       \
    X(const scree_hull*, hull, 1) \
    X(int32_t, corner, 1) /* its first row of "/hulls/corner" */
SCRI_TABLE(scri_forms_table, SCRI_FORM_FIELDS)

/* The meshes of the file, by row of "/meshes". */
#define SCRI_GROUND_FIELDS(X) X(const scree_mesh*, mesh, 1)
SCRI_TABLE(scri_grounds_table, SCRI_GROUND_FIELDS)

struct scree_recorder {
    scree_env env;
    char* path;
    const scree_world* world;
    scree_recorder_def def; /* its title and source are not used any more */
    scri_disk disk;
    hid_t driver; /* handle of the disk's driver */
    scri_hdf5 h;
    scri_columns columns;
    int failed;         /* nothing is written any more */
    int64_t first_step; /* of the world, when the recording began */
    int64_t last_step;  /* of the last frame that was asked for; -1: none */
    int64_t n_frames;   /* asked for */
    int64_t n_on_file;  /* complete in the file, but for the extra one */
    int has_extra;      /* one more is there, to be replaced by the next */
    int64_t n_states;   /* rows of those n_on_file */
    int64_t n_contacts; /* the same */
    int32_t n_shapes;   /* the same */
    int64_t n_motions;  /* the same: of joints */
    int32_t n_corners;  /* of hulls, in the file */
    int32_t first_mesh; /* row of grounds.mesh[0]: those before are of an earlier run */
    int64_t n_numbers;  /* of meshes, in the file */
    int64_t n_mesh_corners;
    int64_t n_zones; /* of meshes */
    int64_t n_saved; /* checkpoints: sequence of the last */
    scri_rows_table rows;
    scri_slots_table slots;
    scri_rows_table joint_rows; /* the same of joints */
    scri_slots_table joint_slots;
    scri_forms_table forms;
    scri_grounds_table grounds;
    double residual_max, penetration_max;
    void* scratch; /* [scratch_size] */
    size_t scratch_size;
};

/* ---- recorder.c ---- */

/* A recorder without a file; NULL, after saying so, when memory is short. */
scree_recorder* scri_recorder_make(const scree_env* env, const char* path);

/* Opens the recording on the recorder's disk to append to. Counters are left alone. */
scree_status scri_recorder_open(scree_recorder* recorder);

/* Releases a recorder and leaves the file as it is. NULL is allowed. */
void scri_recorder_abandon(scree_recorder* recorder);

/* Around what writes: a recorder that has failed writes nothing more. */
scree_status scri_recorder_begin_call(scree_recorder* recorder);
scree_status scri_recorder_end_call(scree_recorder* recorder, scree_status status);

/* At least `size` bytes that stay until the next call; NULL when memory is short. */
void* scri_recorder_scratch(scree_recorder* recorder, size_t size);

/* Hands everything to the file system, and says whether all of it got there. */
scree_status scri_recorder_flush(scree_recorder* recorder);

/* Writes one of the integers of /scene, and flushes it. */
scree_status scri_recorder_mark(scree_recorder* recorder, const char* path, int32_t value);

/* ---- recorder_frame.c ---- */

/* Appends the state of the world, or checks that the file has it already. */
scree_status scri_recorder_append(scree_recorder* recorder);

/* Gives the frame up that stands behind the regular ones, if there is one. */
scree_status scri_recorder_drop_extra(scree_recorder* recorder);

/* Writes rows of a column, those that do not exist yet included. */
scree_status scri_recorder_write(scree_recorder* recorder, scri_column column, int64_t first,
                                 int64_t n, const void* value);

/* Gives what is in a slot a row if the file has none of it. There must be room in both tables. */
void scri_recorder_assign(scri_rows_table* rows, scri_slots_table* slots, int32_t slot,
                          uint32_t generation);

/* ---- recorder_joints.c ---- */

/* Joints that are new, and where all of them are, their bodies having rows by now. */
scree_status scri_recorder_write_joints(scree_recorder* recorder);

/* ---- recorder_resume.c ---- */

/* Checks the bytes of a checkpoint and its head, apart from the field `check`. */
uint64_t scri_saved_check(const scri_saved_head* head, const void* bytes);

/* The bytes of the last valid checkpoint, to be given back with scri_release(); NULL if there is
 * none, and then *out is zero. */
void* scri_recording_read_checkpoint(scree_recording* recording, scri_saved_head* out);

#endif
