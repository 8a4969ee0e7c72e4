/* Recordings: HDF5 files with the frames of a world. docs/recordings.md describes the schema.
 *
 *     scree_recorder_def def = scree_default_recorder_def();
 *     status = scree_recorder_create(&env, "run.h5", world, &def, &recorder);
 *     status = scree_recorder_step(recorder, NULL);              the first frame
 *     while (...) {
 *         status = scree_world_step(world, &report);
 *         status = scree_recorder_step(recorder, &report);       a frame where one is due
 *     }
 *     status = scree_recorder_close(recorder, 1);                the last state, and the end
 *
 * A file is consistent after every frame: a killed run leaves a file that opens, with all frames
 * written so far, and for a simulation of a scene file scree_recorder_resume() goes on from its
 * last checkpoint bit for bit. As for problem files, no two calls may run at the same time where
 * HDF5 is not thread-safe.
 */
#ifndef SCREE_IO_RECORDING_H
#define SCREE_IO_RECORDING_H

#include "scree_io/scene_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct scree_recorder scree_recorder;

/* Writes the name of a body into text[size], as snprintf does. */
typedef int scree_name_body(void* user, scree_body_id body, char* text, size_t size);

/* The same of a joint. */
typedef int scree_name_joint(void* user, scree_joint_id joint, char* text, size_t size);

typedef struct scree_recorder_def {
    uint32_t struct_size; /* written by scree_default_recorder_def() */
    const char* title;    /* may be NULL */
    double interval;      /* s between frames; default 0.02 */
    int64_t n_bodies;     /* that the world will ever have: a guess, which sizes blocks of the file;
                             0: those that it has */
    scree_name_body* name;        /* NULL: "body-INDEX" */
    scree_name_joint* name_joint; /* NULL: "joint-INDEX" */
    void* name_user;
    const scree_scene_source* source; /* the scene file, stored for scree_recorder_resume(); NULL:
                                         none, and the recording cannot be resumed */
    int force;                        /* replaces any file; see scree_recorder_create() */
} scree_recorder_def;

SCREE_API void scree_recorder_def_init(scree_recorder_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_recorder_def, scree_default_recorder_def, scree_recorder_def_init)

/* What the scene of a simulation says: title, interval, names, the file. Borrows from both. */
SCREE_API void scree_simulation_fill_recorder_def(scree_simulation* simulation,
                                                  scree_recorder_def* def);
static inline scree_recorder_def scree_simulation_recorder_def(scree_simulation* simulation)
{
    scree_recorder_def made;
    made.struct_size = (uint32_t)sizeof made;
    scree_simulation_fill_recorder_def(simulation, &made);
    return made;
}

/* Begins a recording of a world, which must outlive the recorder. A complete recording of that name
 * is replaced. Any other file is not, without def->force: SCREE_ERROR_FILE for a file that is no
 * recording, and for a recording that was interrupted. One that another process is writing is never
 * replaced. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_create(const scree_env* env, const char* path,
                                                            const scree_world* world,
                                                            const scree_recorder_def* def,
                                                            scree_recorder** out);

/* Opens a recording of a simulation that ended early. *scene and *simulation are made from what it
 * holds and stand where its last checkpoint was; frames that the file has already are not written
 * again. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_resume(const scree_env* env, const char* path,
                                                            int32_t workers, scree_scene** scene,
                                                            scree_simulation** simulation,
                                                            scree_recorder** out);

/* To be called after every step with its report, and once before the first with NULL: writes a
 * frame where one is due. Frame k is due at the first step that reaches k intervals, counted in
 * steps from where the recording began; one at most for each step. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_step(scree_recorder* recorder,
                                                          const scree_step_report* report);

/* Appends the state as it stands, due or not, with the contacts of the last step, and flushes it.
 */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_frame(scree_recorder* recorder);

/* Replaces the older of two checkpoints. The simulation is that of the recorder's world. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_checkpoint(scree_recorder* recorder,
                                                                const scree_simulation* simulation);

/* Frames so far, those before a resume included. */
SCREE_API int64_t scree_recorder_n_frames(const scree_recorder* recorder);

/* A frame of the last state, if there is none yet; a recording that is resumed gives it up when it
 * goes on. To be called when the run has ended; scree_recorder_close() does it too. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_last_frame(scree_recorder* recorder);

/* Ends the recording. `complete`: the run has come to its end; 0: it was interrupted. The recorder
 * is released whatever the status. */
SCREE_API SCREE_MUST_USE scree_status scree_recorder_close(scree_recorder* recorder, int complete);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct scree_recording scree_recording;

SCREE_API SCREE_MUST_USE scree_status scree_recording_open(const scree_env* env, const char* path,
                                                           scree_recording** out);
SCREE_API void scree_recording_close(scree_recording* recording); /* NULL is allowed */

/* A joint of a recording; fields as in scree_joint_def. */
typedef struct scree_recorded_joint {
    const char* name;
    scree_joint_kind kind;
    int32_t body[2]; /* of the recording; -1: the world */
    int32_t slot;    /* index in the world */
    uint32_t generation;
    double position[2][3], rotation[2][4];
    double limits[SCREE_FREEDOMS_MAX][2]; /* of each freedom when the joint was made */
} scree_recorded_joint;

/* Borrowed from the recording. Bodies and shapes are all that ever existed, in the order in which
 * frames met them: a body that took the slot of another one is a body of its own. Frame k knows the
 * first n_bodies of them; those that were gone by then have NaN for a state. */
typedef struct scree_recording_info {
    uint32_t struct_size;
    int32_t schema;    /* version of the layout */
    const char* scene; /* path or name; "" without a scene file */
    const char* title;
    const char* text; /* the scene file; "" without one */
    int32_t n_settings;
    const char* const* settings;
    int closed;   /* the recorder was closed: no kill, no full disk, and it is not being written */
    int complete; /* and the run had come to its end */
    double step;  /* s */
    double interval; /* s */
    int64_t n_frames;
    double begin, end; /* times of the first and last frame, s */
    int32_t n_bodies;
    const char* const* name;    /* [n_bodies] */
    const int32_t* slot;        /* [n_bodies] index in the world */
    const uint32_t* generation; /* [n_bodies] that goes with it */
    const uint8_t* kind;        /* [n_bodies] a scree_body_kind */
    const double* mass;         /* [n_bodies] kg */
    int32_t n_shapes;
    const scree_shape* shapes; /* [n_shapes] in the frames of their bodies */
    const int32_t* shape_body; /* [n_shapes] rising */
    int32_t n_joints;
    const scree_recorded_joint* joints; /* [n_joints] all that ever existed, as bodies */
    int32_t n_hulls;
    const scree_hull* const*
        hulls; /* [n_hulls] that shapes name; they live as the recording does */
    int32_t n_meshes;
    const scree_mesh* const* meshes; /* [n_meshes] that shapes name, the same; NULL: none does */
} scree_recording_info;
SCREE_API void scree_recording_fill_info(const scree_recording* recording,
                                         scree_recording_info* info);
SCREE_DEFINE_VIEW(scree_recording_info, scree_recording_get_info, scree_recording_fill_info,
                  scree_recording)

/* One frame; arrays are borrowed until the next read. Contacts are those of the step that led to
 * the frame: forces are impulses over the step, on the first body of the pair. */
typedef struct scree_frame {
    uint32_t struct_size;
    double time; /* s */
    int64_t step;
    int32_t n_bodies;
    const double* position;         /* [3 n_bodies] m */
    const double* rotation;         /* [4 n_bodies] w x y z */
    const double* velocity;         /* [3 n_bodies] m/s */
    const double* angular_velocity; /* [3 n_bodies] rad/s */
    int32_t n_contacts;
    const int32_t* pair;            /* [2 n_contacts] bodies of the recording */
    const float* point;             /* [3 n_contacts] m */
    const float* normal;            /* [3 n_contacts] from the second body to the first */
    const float* force;             /* [3 n_contacts] N */
    const float* moment;            /* [3 n_contacts] N m, of rolling and spinning resistance */
    const float* gap;               /* [n_contacts] m, negative for overlap */
    const uint8_t* mode;            /* [n_contacts] a scree_friction_mode; NULL in files of a schema
                                       before 6 */
    int32_t n_joints;               /* arrays have NaN for those that are gone */
    const double* joint_coordinate; /* [3 n_joints] m or rad, of each freedom */
    const double* joint_rate;       /* [3 n_joints] */
    const double* joint_effort;     /* [3 n_joints] N or N m, as in scree_joint_state */
    const double* joint_force;      /* [3 n_joints] N, the same */
    const double* joint_torque;     /* [3 n_joints] N m, the same */
    double kinetic, potential;      /* J */
    double residual_max;            /* worst of all steps that the recorder was told of */
    double penetration_max;         /* m, the same */
} scree_frame;
SCREE_API SCREE_MUST_USE scree_status scree_recording_fill_frame(scree_recording* recording,
                                                                 int64_t index, scree_frame* out);
static inline SCREE_MUST_USE scree_status scree_recording_read(scree_recording* recording,
                                                               int64_t index, scree_frame* out)
{
    if (out) out->struct_size = (uint32_t)sizeof *out;
    return scree_recording_fill_frame(recording, index, out);
}

/* Whether a body of the recording is there in a frame: neither yet to come nor gone. */
SCREE_API int scree_frame_holds(const scree_frame* frame, int32_t body);

/* A number that two recordings share if and only if all their frames are equal to the last bit. */
SCREE_API SCREE_MUST_USE scree_status scree_recording_hash(scree_recording* recording,
                                                           uint64_t* out);

/* ---- export ---------------------------------------------------------------------------------- */

/* What is written of a recording. */
typedef struct scree_export_def {
    uint32_t struct_size;       /* written by scree_default_export_def() */
    int64_t first, end, stride; /* frames first, first + stride, ... below end; default: all */
    int shapes;                 /* VTK: the surfaces of all shapes too */
} scree_export_def;

static inline scree_export_def scree_default_export_def(void)
{
    scree_export_def made;
    made.struct_size = (uint32_t)sizeof made;
    made.first = 0;
    made.end = INT64_MAX;
    made.stride = 1;
    made.shapes = 0;
    return made;
}

/* Files PREFIX_000000.vtp, ... (bodies as points), PREFIX_contacts_000000.vtp, ..., where there are
 * joints PREFIX_joints_000000.vtp, ..., with `shapes` PREFIX_shapes_000000.vtp, ..., and the series
 * PREFIX.pvd, PREFIX_contacts.pvd, PREFIX_joints.pvd, PREFIX_shapes.pvd, for ParaView. `def` may be
 * NULL: all frames. */
SCREE_API SCREE_MUST_USE scree_status scree_export_vtk(const scree_env* env,
                                                       scree_recording* recording,
                                                       const char* prefix,
                                                       const scree_export_def* def);

/* PREFIX_bodies.csv, PREFIX_contacts.csv, PREFIX_frames.csv and, where there are joints,
 * PREFIX_joints.csv, one header line with units each. */
SCREE_API SCREE_MUST_USE scree_status scree_export_csv(const scree_env* env,
                                                       scree_recording* recording,
                                                       const char* prefix,
                                                       const scree_export_def* def);

/* One self-contained HTML page that plays the recording. */
SCREE_API SCREE_MUST_USE scree_status scree_export_page(const scree_env* env,
                                                        scree_recording* recording,
                                                        const char* path);

#ifdef __cplusplus
}
#endif

#endif
