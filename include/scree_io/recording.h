/* Recordings: HDF5 files with the frames of a simulation. docs/recordings.md describes the schema.
 *
 * A file is consistent after every frame: a killed run leaves a file that opens, with all frames
 * written so far, and scree_recorder_resume() goes on from its last checkpoint bit for bit.
 * As for problem files, no two calls may run at the same time where HDF5 is not thread-safe.
 */
#ifndef SCREE_IO_RECORDING_H
#define SCREE_IO_RECORDING_H

#include "scree_io/scene_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct scree_recorder scree_recorder;

/* Begins a recording; a file of that name is replaced. Frames and checkpoints are the caller's to
 * ask for. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_create(const scree_env* env, const char* path,
                                                            const scree_simulation* simulation,
                                                            scree_recorder** out);

/* Opens a recording that ended early. *scene and *simulation are made from what it holds and stand
 * where its last checkpoint was; frames that the file has already are not written again. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_resume(const scree_env* env, const char* path,
                                                            int32_t workers, scree_scene** scene,
                                                            scree_simulation** simulation,
                                                            scree_recorder** out);

/* Appends the state as it stands, with the contacts of the last step, and flushes it. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_frame(scree_recorder* recorder,
                                                           const scree_simulation* simulation);

/* Replaces the older of two checkpoints. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_checkpoint(scree_recorder* recorder,
                                                                const scree_simulation* simulation);

/* Frames asked for so far, those before a resume included: the next one is number n. */
SCREE_API int64_t scree_recorder_n_frames(const scree_recorder* recorder);

/* Ends the recording; the recorder is released whatever the status. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_close(scree_recorder* recorder);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct scree_recording scree_recording;

SCREE_API SCREE_MUST_USE scree_status scree_recording_open(const scree_env* env, const char* path,
                                                           scree_recording** out);
SCREE_API void scree_recording_close(scree_recording* recording); /* NULL is allowed */

/* Borrowed from the recording. Bodies and shapes are all that ever existed, in the order of their
 * indices; frame k holds the first n_bodies of them. */
typedef struct scree_recording_info {
    int32_t schema;    /* version of the layout */
    const char* scene; /* path or name */
    const char* title;
    const char* text; /* the scene file */
    int32_t n_settings;
    const char* const* settings;
    int closed;      /* the run ended by itself, not by a kill or a full disk */
    double step;     /* s */
    double interval; /* s */
    int64_t n_frames;
    double begin, end; /* times of the first and last frame, s */
    int32_t n_bodies;
    const char* const* name; /* [n_bodies] */
    const uint8_t* kind;     /* [n_bodies] a scree_body_kind */
    const double* mass;      /* [n_bodies] kg */
    int32_t n_shapes;
    const scree_shape* shapes; /* [n_shapes] in the frames of their bodies */
    const int32_t* shape_body; /* [n_shapes] rising */
} scree_recording_info;
SCREE_API scree_recording_info scree_recording_get_info(const scree_recording* recording);

/* One frame; arrays are borrowed until the next read. Contacts are those of the step that led to
 * the frame: forces are impulses over the step, on the first body of the pair. */
typedef struct scree_frame {
    double time; /* s */
    int64_t step;
    int32_t n_bodies;
    const double* position;         /* [3 n_bodies] m */
    const double* rotation;         /* [4 n_bodies] w x y z */
    const double* velocity;         /* [3 n_bodies] m/s */
    const double* angular_velocity; /* [3 n_bodies] rad/s */
    int32_t n_contacts;
    const int32_t* pair;       /* [2 n_contacts] bodies */
    const float* point;        /* [3 n_contacts] m */
    const float* normal;       /* [3 n_contacts] from the second body to the first */
    const float* force;        /* [3 n_contacts] N */
    const float* moment;       /* [3 n_contacts] N m, of rolling and spinning resistance */
    const float* gap;          /* [n_contacts] m, negative for overlap */
    double kinetic, potential; /* J */
    double residual_max;       /* worst of all steps so far */
    double penetration_max;    /* m, the same */
} scree_frame;
SCREE_API SCREE_MUST_USE scree_status scree_recording_read(scree_recording* recording,
                                                           int64_t index, scree_frame* out);

/* A number that two recordings share if and only if all their frames are equal to the last bit. */
SCREE_API SCREE_MUST_USE scree_status scree_recording_hash(scree_recording* recording,
                                                           uint64_t* out);

/* ---- export ---------------------------------------------------------------------------------- */

/* Files PREFIX_000000.vtp, ... (bodies as points), PREFIX_contacts_000000.vtp, ... and the series
 * PREFIX.pvd, PREFIX_contacts.pvd, for ParaView. Every `stride`-th frame. */
SCREE_API SCREE_MUST_USE scree_status scree_export_vtk(const scree_env* env,
                                                       scree_recording* recording,
                                                       const char* prefix, int64_t stride);

/* PREFIX_bodies.csv, PREFIX_contacts.csv and PREFIX_frames.csv, one header line with units each. */
SCREE_API SCREE_MUST_USE scree_status scree_export_csv(const scree_env* env,
                                                       scree_recording* recording,
                                                       const char* prefix, int64_t stride);

/* One self-contained HTML page that plays the recording. */
SCREE_API SCREE_MUST_USE scree_status scree_export_page(const scree_env* env,
                                                        scree_recording* recording,
                                                        const char* path);

#ifdef __cplusplus
}
#endif

#endif
