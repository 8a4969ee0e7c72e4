/* Scenes and simulations.
 *
 *     scree_scene scene = scree_default_scene();
 *     scene.n_bodies = 2;
 *     scene.bodies = bodies;
 *     ...
 *     status = scree_simulation_create(&env, &scene, &simulation);
 *     while (!scree_simulation_done(simulation)) {
 *         status = scree_simulation_step(simulation, &report);
 *     }
 *
 * A scene says what is to be simulated: world, materials, bodies, generators of many bodies,
 * joints, drives, forces, probes and sinks, when to stop. It is a plain struct with arrays that
 * whoever fills it owns: a C program, a binding, or scree_scene_read() of scree_io/scene_file.h
 * from a file, whose result may be changed like any other before a world is made of it.
 * docs/scenes.md describes the file.
 *
 * scree_scene_build() makes a world of a scene as it is at the beginning. A simulation is such a
 * world together with what the scene does to it in the course of time.
 */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "scree/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scenes ---------------------------------------------------------------------------------- */

/* A body, or the model of many. */
typedef struct scree_scene_body {
    const char* name;   /* NULL: "body-K" or "generator-K" by its place in the array */
    scree_body_def def; /* mass and inertia as scree_shape_mass() gives them */
    int32_t n_shapes;
    scree_shape* shapes; /* [n_shapes] from the centre of mass; materials by their place in
                            scree_scene.materials */
    int32_t line;        /* of the file it was read from, for messages; 0: it was not */
} scree_scene_body;

typedef enum scree_generator_kind {
    SCREE_GENERATOR_GRID, /* at the beginning, in rows and columns */
    SCREE_GENERATOR_LIST, /* at the beginning, at given places */
    SCREE_GENERATOR_RAIN, /* in the course of time, where there is room */
    SCREE_GENERATOR_KIND_COUNT
} scree_generator_kind;

/* What a list may say of each of its bodies; where an array is NULL the model speaks. */
typedef struct scree_listed {
    const double* scale;            /* [count] size over that of the model, mass with the cube */
    const double* mass;             /* [count] kg; the model's distribution scaled to it */
    const double* velocity;         /* [3 count] */
    const double* angular_velocity; /* [3 count] */
    const double* rotation;         /* [4 count] */
    const int32_t* material;        /* [count] in scree_scene.materials; -1: the model's */
    const char* const* name;        /* [count] instead of "NAME-K"; NULL: that */
} scree_listed;

/* How sizes differ, as factors of the model's; mass goes with the cube. */
typedef enum scree_size_kind {
    SCREE_SIZE_SPREAD,     /* 1 - s to 1 + s evenly, s = size_spread */
    SCREE_SIZE_UNIFORM,    /* size[0] to size[1] evenly */
    SCREE_SIZE_LOG_NORMAL, /* median size[0], deviation of the logarithm size[1], up to three of
                              them */
    SCREE_SIZE_SIEVE,      /* by a curve of mass that passes sieves */
    SCREE_SIZE_KIND_COUNT
} scree_size_kind;

/* Where the bodies of a grid stand. `spacing` is the distance of neighbours along x, that of y and
 * z but for the factors of the packing. */
typedef enum scree_grid_kind {
    SCREE_GRID_CUBIC,
    SCREE_GRID_HEXAGONAL,    /* close-packed layers ABAB along z: factors sqrt(3)/2, sqrt(2/3) */
    SCREE_GRID_FACE_CENTRED, /* close-packed layers ABCABC, the same factors */
    SCREE_GRID_COUNT
} scree_grid_kind;

/* Copies of a model body, named "NAME-0", "NAME-1", ... */
typedef struct scree_generator {
    scree_generator_kind kind;
    scree_scene_body model; /* its position is not used */
    int32_t n_others;       /* further models, of which one is drawn for each body */
    scree_scene_body* others;
    const double* weight; /* [1 + n_others] by which model and others are drawn; NULL: all alike */
    int is_turned;        /* each body is turned at random, all orientations alike */
    double size_spread;   /* sizes are scaled by 1 - s to 1 + s, evenly, mass with the cube */
    scree_size_kind size_kind;
    double size[2];
    int32_t n_sieve;
    const double* sieve; /* [2 n_sieve] size, a factor, and share of mass that passes: both grow,
                            the latter from 0 to 1, and straight in between */
    uint64_t seed;       /* of jitter, size and rain */
    int64_t count;       /* list, rain: bodies in all */
    int32_t grid[3];     /* grid: bodies along x, y, z */
    scree_grid_kind packing;
    double spacing[3];      /* grid, m */
    double jitter;          /* grid: each coordinate moves by -jitter to +jitter, m */
    double low[3], high[3]; /* m; grid: low is the first place; rain: the box it starts from */
    double rate;            /* rain, bodies per second */
    double begin;           /* rain, s */
    const double* place;    /* list: [3 count] m */
    scree_listed listed;    /* list: what else is said of each body */
} scree_generator;

/* While begin <= t < end the velocity of a kinematic body, or a force on a dynamic one, is the
 * given one times cos(2 pi frequency (t - begin) + phase), or times what a table says; outside it
 * is zero. Of a way it is the place itself that follows: at the end of every step the body has gone
 * by the way times what the cosine or the table has grown by since `begin`, to rounding, and from
 * `end` on it stays. Several of one body add up; turns about different axes by their rates. */
typedef struct scree_drive {
    int32_t body; /* in scree_scene.bodies */
    int is_force; /* N and N m, else m/s and rad/s */
    int is_way;   /* m and rad instead of m/s and rad/s */
    double linear[3], angular[3];
    double drag[2];    /* force: -(drag[0] + drag[1] |v|) v is added to it; kg/s, kg/m */
    double noise[3];   /* force: intensity of a random force along each axis, N^2 s */
    uint64_t seed;     /* of the latter */
    double begin, end; /* s */
    double frequency;  /* Hz */
    double phase;      /* rad */
    int32_t n_table;
    const double* table; /* [2 n_table] times from `begin`, growing, and what takes the place of the
                            cosine then: straight in between, constant outside */
} scree_drive;

/* A joint of two bodies of the scene, or of one and the world. */
typedef struct scree_scene_joint {
    const char* name;    /* NULL: "joint-K" by its place in the array */
    int32_t body[2];     /* A and B, in scree_scene.bodies; -1: the world, for one of them */
    scree_joint_def def; /* its bodies are not used; a carrier is {1 + its place in the scene, 0} */
} scree_scene_joint;

/* What drives a freedom of a joint that has a motor: its target is that of the joint's definition
 * plus what its drives say, several of one freedom added up: `value` times the cosine of a
 * scree_drive, or a table. Efforts and rates are those of the middle of a step, positions those of
 * the middle of the next one, by which they are reached. */
typedef struct scree_joint_drive {
    int32_t joint;   /* in scree_scene.joints */
    int32_t freedom; /* from 0 */
    double value;    /* m or rad, their rates, or N or N m */
    double begin, end;
    double frequency, phase; /* as those of a scree_drive */
    int32_t n_table;
    const double* table; /* [2 n_table] times from `begin`, growing, and what takes the place of
                            `value` times the cosine then: straight in between, constant outside */
} scree_joint_drive;

/* Where bodies end: dynamic ones whose centre of mass lies in a box, or outside of it, at the end
 * of a step are taken out of the world and counted. */
typedef struct scree_sink {
    const char* name;       /* for people */
    double low[3], high[3]; /* m; may be infinite */
    int is_outside;
} scree_sink;

/* A plane, or a disc in it, that counts dynamic bodies whose centre of mass passes. */
typedef struct scree_probe {
    const char* name;
    double position[3], normal[3]; /* m; forward is along the normal, whatever its length */
    double radius;                 /* of the disc about the position, m; 0: all of the plane */
} scree_probe;

/* A number that tells how a joint, a body or something else fares. */
typedef enum scree_measure_kind {
    SCREE_MEASURE_COORDINATE, /* of a joint: m or rad */
    SCREE_MEASURE_RATE,
    SCREE_MEASURE_EFFORT,   /* N or N m */
    SCREE_MEASURE_FORCE,    /* N, along axis `which` of frame B */
    SCREE_MEASURE_TORQUE,   /* N m */
    SCREE_MEASURE_POSITION, /* of a body, along axis `which` of the world: m, of its centre of mass
                             */
    SCREE_MEASURE_VELOCITY, /* m/s */
    SCREE_MEASURE_ANGULAR_VELOCITY, /* rad/s */
    SCREE_MEASURE_AXIS,             /* component of the body's own z axis */
    SCREE_MEASURE_CONTACT_FORCE,    /* N, of all contacts on it */
    SCREE_MEASURE_CONTACT_TORQUE,   /* N m, the same about its centre of mass */
    SCREE_MEASURE_PASSED,        /* of a probe: bodies so far, forward (which = 0), backward (1) */
    SCREE_MEASURE_PASSED_MASS,   /* kg */
    SCREE_MEASURE_TAKEN,         /* of a sink: bodies so far */
    SCREE_MEASURE_TAKEN_MASS,    /* kg */
    SCREE_MEASURE_MEAN_POSITION, /* of a generator's bodies: their centre of mass, m, by axis */
    SCREE_MEASURE_REACH,   /* radius about the z axis within which the share `level` of them lies, m
                            */
    SCREE_MEASURE_EDGE,    /* radius about the z axis beyond which those there are, spheres side by
                              side, would close `level` rings and no more, m */
    SCREE_MEASURE_PACKING, /* share of the box from `low` to `high` that they fill, spheres; what
                              they overlap counts twice */
    SCREE_MEASURE_KIND_COUNT
} scree_measure_kind;

/* What of its course is told; steps count by the time at their end, from `begin` to `end`. */
typedef enum scree_measure_over {
    SCREE_OVER_LAST,    /* that of the last of these steps; of now where begin and end are 0 */
    SCREE_OVER_LEAST,   /* the least of all steps */
    SCREE_OVER_MOST,    /* the largest */
    SCREE_OVER_MEAN,    /* the mean */
    SCREE_OVER_REACHED, /* the time (s) at which it first got to `level`, from either side */
    SCREE_OVER_COUNT
} scree_measure_over;

typedef struct scree_scene_measure {
    const char* name;
    int32_t joint; /* in scree_scene.joints */
    scree_measure_kind kind;
    int32_t which; /* freedom, or axis */
    int32_t of;    /* in scree_scene.bodies, .probes, .sinks or .generators, as the kind wants */
    scree_measure_over over;
    double begin, end;      /* s; an end of 0: never */
    double level;           /* to be reached; of _REACH a share, 0 to 1; of _EDGE rings */
    double low[3], high[3]; /* m, of SCREE_MEASURE_PACKING */
} scree_scene_measure;

/* What two materials do to each other, as scree_world_set_pair() takes it. */
typedef struct scree_scene_pair {
    int32_t a, b; /* in scree_scene.materials */
    scree_material material;
} scree_scene_pair;

typedef struct scree_scene {
    uint32_t cookie;   /* written by scree_default_scene(), checked on use */
    const char* title; /* may be NULL */
    scree_world_def world;
    int32_t n_materials;
    scree_material* materials;
    const char** material_name; /* [n_materials] or NULL; for people */
    int32_t n_pairs;
    scree_scene_pair* pairs;
    int32_t n_bodies;
    scree_scene_body* bodies;
    int32_t n_generators;
    scree_generator* generators;
    int32_t n_drives;
    scree_drive* drives;
    int32_t n_joints;
    scree_scene_joint* joints;
    int32_t n_joint_drives;
    scree_joint_drive* joint_drives;
    int32_t n_measures;
    scree_scene_measure* measures; /* what a run tells at its end */
    int32_t n_sinks;
    scree_sink* sinks;
    int32_t n_probes;
    scree_probe* probes;
    double duration;   /* s; infinite when only rest ends the simulation */
    double rest_speed; /* m/s, and rad/s times the body's size; at rest not above it */
    double rest_time;  /* s of rest that end the simulation; infinite: rest does not end it */
    double interval;   /* s between the frames of a recording */
    const struct scree_scene_source* source; /* the file it was read from (scree_io/scene_file.h);
                                                NULL: it was not */
} scree_scene;

/* Says with which headers a scene was made: its size, and those of what its arrays hold. */
#define SCREE_SCENE_COOKIE                                                                   \
    ((uint32_t)sizeof(scree_scene) * 31u + (uint32_t)sizeof(scree_material) * 37u +          \
     (uint32_t)sizeof(scree_scene_pair) * 41u + (uint32_t)sizeof(scree_scene_body) * 43u +   \
     (uint32_t)sizeof(scree_generator) * 47u + (uint32_t)sizeof(scree_drive) * 53u +         \
     (uint32_t)sizeof(scree_scene_joint) * 59u + (uint32_t)sizeof(scree_joint_drive) * 61u + \
     (uint32_t)sizeof(scree_scene_measure) * 67u + (uint32_t)sizeof(scree_sink) * 71u +      \
     (uint32_t)sizeof(scree_probe) * 73u)

/* The default world without materials and bodies, 10 s long, a frame every 0.02 s. Nothing but a
 * cookie of 0 is written when `cookie` is not that of the running library, which then refuses the
 * scene. */
SCREE_API void scree_scene_init(scree_scene* scene, uint32_t cookie);
static inline scree_scene scree_default_scene(void)
{
    scree_scene made;
    scree_scene_init(&made, SCREE_SCENE_COOKIE);
    return made;
}

/* Bodies that the scene will ever have. */
SCREE_API int64_t scree_scene_count_bodies(const scree_scene* scene);

/* A world with the scene's materials, pairs and bodies, then the bodies of its grids and lists,
 * then its joints, all in the order of their arrays. Rain does not fall in it, nothing is driven,
 * and no force acts but gravity and scree_world_def.force: this is what a simulation adds.
 * SCREE_ERROR_INPUT, with a line that names the part of the scene, for what cannot be. */
SCREE_API SCREE_MUST_USE scree_status scree_scene_build(const scree_env* env,
                                                        const scree_scene* scene,
                                                        scree_world** out);

/* ---- simulations ----------------------------------------------------------------------------- */

typedef struct scree_simulation scree_simulation;

/* Makes the world of a scene, which must outlive the simulation unchanged. Bodies that overlap at
 * the start by more than a hundredth of the smaller one are an error, and so are joints whose two
 * ends are farther apart: a loop that does not close. */
SCREE_API SCREE_MUST_USE scree_status scree_simulation_create(const scree_env* env,
                                                              const scree_scene* scene,
                                                              scree_simulation** out);
SCREE_API void scree_simulation_destroy(scree_simulation* simulation); /* NULL is allowed */

/* Releases due bodies, drives kinematic ones, makes one step of the world. */
SCREE_API SCREE_MUST_USE scree_status scree_simulation_step(scree_simulation* simulation,
                                                            scree_step_report* report);

typedef enum scree_done {
    SCREE_RUNNING,
    SCREE_DONE_TIME, /* the scene's time is over */
    SCREE_DONE_REST  /* all bodies have been at rest for as long as the scene asks */
} scree_done;
SCREE_API scree_done scree_simulation_done(const scree_simulation* simulation);

/* Bodies of rain that have not been released yet. */
SCREE_API int64_t scree_simulation_awaited(const scree_simulation* simulation);

/* Ends at another time (s) than the scene says. */
SCREE_API void scree_simulation_set_end(scree_simulation* simulation, double time);
SCREE_API double scree_simulation_end(const scree_simulation* simulation);

SCREE_API const scree_scene* scree_simulation_scene(const scree_simulation* simulation);

/* Its world, to look at and to steer: push and move bodies, add and remove them. Time passes by
 * scree_simulation_step() alone. What is done to the world from outside is not in the energy budget
 * of scree_totals. */
SCREE_API scree_world* scree_simulation_world(scree_simulation* simulation);
SCREE_API void scree_simulation_fill_view(const scree_simulation* simulation,
                                          scree_world_view* view);
SCREE_DEFINE_VIEW(scree_world_view, scree_simulation_view, scree_simulation_fill_view,
                  scree_simulation)

/* Writes the name of the body with this index, "floor" or "grain-17", into text[size]; returns its
 * length, which may be more than fits (as snprintf does). Bodies that do not come from the scene
 * are called "body-INDEX". */
SCREE_API int scree_simulation_body_name(const scree_simulation* simulation, int32_t body,
                                         char* text, size_t size);

/* The same of a joint: "elbow", or "joint-INDEX" where it does not come from the scene. */
SCREE_API int scree_simulation_joint_name(const scree_simulation* simulation, int32_t joint,
                                          char* text, size_t size);

/* The value of one of the scene's measures; NaN where its joint or body is gone, or nothing has
 * been measured yet. */
SCREE_API double scree_simulation_measure(const scree_simulation* simulation, int32_t measure);

/* What a sink has taken. */
typedef struct scree_sink_tally {
    int64_t bodies;
    double mass; /* kg */
} scree_sink_tally;
SCREE_API scree_sink_tally scree_simulation_sink(const scree_simulation* simulation, int32_t sink);

/* What has passed a probe, forward and backward. */
typedef struct scree_probe_tally {
    int64_t bodies[2];
    double mass[2];     /* kg */
    double speed[2];    /* m/s, the sum of all speeds: their mean times `bodies` */
    double first, last; /* s, when the first and the last one passed; NaN: none */
} scree_probe_tally;
SCREE_API scree_probe_tally scree_simulation_probe(const scree_simulation* simulation,
                                                   int32_t probe);

/* A body that passed a probe in the last step. */
typedef struct scree_passage {
    int32_t probe, body; /* in scree_scene.probes; the body's index */
    int direction;       /* 1 forward, -1 backward */
    double time;         /* s, straight between the places before and after the step */
    double mass, speed;  /* kg, m/s */
} scree_passage;
SCREE_API const scree_passage* scree_simulation_passages(const scree_simulation* simulation,
                                                         int32_t* n);

/* Sums and extremes over all steps so far. Energies in J, times in s. */
typedef struct scree_totals {
    uint32_t struct_size;
    int64_t steps;
    int64_t not_converged; /* steps whose impulses miss the tolerance */
    int64_t no_solution;   /* steps in which contacts contradicted each other and gave way */
    int64_t sweeps;
    int64_t contact_updates; /* one-contact problems solved */
    int64_t fail_safe;       /* of those, where Newton's method gave way to bisection */
    int32_t contacts_max;
    double residual_max;      /* local measure */
    double residual_max_time; /* when */
    double penetration_max;   /* m */
    double penetration_max_time;
    double
        approach_max; /* m/s, what contacts had left of it: times the step, the overlap it makes */
    double approach_max_time;
    double overlap_share_max; /* overlap over the radius of the smaller shape */
    double overlap_share_max_time;
    int64_t stops;             /* of bodies that met another on their way through a step */
    double energy_begin;       /* kinetic and potential */
    double energy_added;       /* brought in by released bodies */
    double energy_removed;     /* taken away with those that ended in sinks */
    double force_work;         /* of the scene's forces, gravity excluded */
    double contact_work;       /* of all contacts, moving walls included */
    double overlap_work;       /* part of it: what took overlap out */
    double dissipation[3];     /* part of it: sliding, rolling, spinning */
    double kinetic, potential; /* now */
    double time_contacts, time_solve, time_certify, time_move; /* wall clock */
    double joint_gap_max; /* m, the worst error of the constraints of joints at the end of a step */
    double joint_gap_max_time;
    double joint_turn_max; /* rad, the same of turns */
    double joint_turn_max_time;
    int64_t joints_broken;
} scree_totals;
SCREE_API void scree_simulation_fill_totals(const scree_simulation* simulation,
                                            scree_totals* totals);
SCREE_DEFINE_VIEW(scree_totals, scree_simulation_totals, scree_simulation_fill_totals,
                  scree_simulation)

/* Two bodies whose approach nothing can stop: a gate driven into a wall, a block between jaws that
 * close. They are also logged as a warning, once. */
typedef struct scree_conflict {
    int32_t body[2];
    double time;     /* s, when it first came up */
    double approach; /* m/s, the fastest */
    int64_t steps;   /* in which it came up */
    int64_t last;    /* the last of them */
} scree_conflict;

/* Those of all steps since the simulation was created or loaded, the first SCREE_CONFLICTS_MAX. */
enum { SCREE_CONFLICTS_MAX = 64 };
SCREE_API const scree_conflict* scree_simulation_conflicts(const scree_simulation* simulation,
                                                           int32_t* n);

/* Everything that determines what comes next, as bytes for a checkpoint on the same kind of
 * machine. Loading needs a simulation fresh from the same scene; it then goes on bit for bit.
 * SCREE_ERROR_UNSUPPORTED where bodies had been added or removed from outside. */
SCREE_API size_t scree_simulation_state_size(const scree_simulation* simulation);
SCREE_API void scree_simulation_save(const scree_simulation* simulation, void* state);
SCREE_API SCREE_MUST_USE scree_status scree_simulation_load(scree_simulation* simulation,
                                                            const void* state, size_t size);

#ifdef __cplusplus
}
#endif

#endif
