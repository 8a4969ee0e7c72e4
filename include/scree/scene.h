/* Scenes and simulations.
 *
 *     status = scree_scene_read(&env, "pile.yaml", 0, NULL, &scene);
 *     status = scree_simulation_create(&env, scene, 1, &simulation);
 *     while (!scree_simulation_done(simulation)) {
 *         status = scree_simulation_step(simulation, &report);
 *     }
 *
 * A scene says what is to be simulated: world, materials, bodies, generators of many bodies,
 * drives, forces, when to stop and what to record. A simulation is a world made from it, and what
 * happens to that world in the course of time. docs/scenes.md describes the file.
 */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scenes ---------------------------------------------------------------------------------- */

typedef struct scree_scene scree_scene;

/* Reads a scene (YAML). Every setting is "key=value": the name of one of the scene's parameters, or
 * the path of a value such as world.step or materials.grain.mu. A fault is logged as
 * "FILE:LINE:COLUMN: what"; a fault in a setting as "KEY=VALUE: what". */
SCREE_API SCREE_MUST_USE scree_status scree_scene_read(const scree_env* env, const char* path,
                                                       int32_t n_settings,
                                                       const char* const* settings,
                                                       scree_scene** out);

/* The same from memory. `path` stands for the text in messages; files that the scene names are
 * sought beside it. */
SCREE_API SCREE_MUST_USE scree_status scree_scene_parse(const scree_env* env, const char* path,
                                                        const char* text, size_t size,
                                                        int32_t n_settings,
                                                        const char* const* settings,
                                                        scree_scene** out);
SCREE_API void scree_scene_destroy(scree_scene* scene); /* NULL is allowed */

/* A number that settings can change. */
typedef struct scree_parameter {
    const char* name;
    double value;
    const char* text; /* the value where it is a text (a file name), else NULL */
    const char* meaning;
} scree_parameter;

typedef struct scree_scene_info {
    const char* path;
    const char* title;
    const char* text; /* the file as it was read, for a recording */
    size_t text_size;
    int32_t n_settings;
    const char* const* settings; /* as they were given */
    int32_t n_parameters;
    const scree_parameter* parameters;
    double step;     /* s */
    double duration; /* s; infinite when only rest stops the scene */
    double interval; /* s between frames of a recording */
} scree_scene_info;

/* Borrowed from the scene. */
SCREE_API scree_scene_info scree_scene_get_info(const scree_scene* scene);

/* Scenes that the library carries. */
typedef struct scree_builtin_scene {
    const char* name;
    const char* text;
    size_t text_size;
} scree_builtin_scene;
SCREE_API int scree_builtin_scene_count(void);
SCREE_API scree_builtin_scene scree_builtin_scene_get(int index);

/* A scene with every key and its default, for people to read; static text. */
SCREE_API const char* scree_scene_defaults(void);

/* ---- simulations ----------------------------------------------------------------------------- */

typedef struct scree_simulation scree_simulation;

/* Makes the world of a scene, which must outlive it. Bodies that overlap at the start by more than
 * a hundredth of the smaller one are an error. */
SCREE_API SCREE_MUST_USE scree_status scree_simulation_create(const scree_env* env,
                                                              const scree_scene* scene,
                                                              int32_t workers,
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

/* Ends at another time (s) than the scene says. */
SCREE_API void scree_simulation_set_end(scree_simulation* simulation, double time);
SCREE_API double scree_simulation_end(const scree_simulation* simulation);

SCREE_API const scree_scene* scree_simulation_scene(const scree_simulation* simulation);
SCREE_API scree_world_view scree_simulation_view(const scree_simulation* simulation);

/* Writes the name of a body, "floor" or "grain-17", into text[size]; returns its length, which may
 * be more than fits (as snprintf does). */
SCREE_API int scree_simulation_body_name(const scree_simulation* simulation, int32_t body,
                                         char* text, size_t size);

/* Sums and extremes over all steps so far. Energies in J, times in s. */
typedef struct scree_totals {
    int64_t steps;
    int64_t not_converged; /* steps whose impulses miss the tolerance */
    int64_t no_solution;   /* steps in which contacts contradicted each other and gave way */
    int64_t sweeps;
    int64_t contact_updates; /* one-contact problems solved */
    int64_t fail_safe;
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
    double force_work;         /* of the scene's forces, gravity excluded */
    double contact_work;       /* of all contacts, moving walls included */
    double overlap_work;       /* part of it: what took overlap out */
    double dissipation[3];     /* part of it: sliding, rolling, spinning */
    double kinetic, potential; /* now */
    double time_contacts, time_solve, time_certify, time_move; /* wall clock */
} scree_totals;
SCREE_API scree_totals scree_simulation_totals(const scree_simulation* simulation);

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
 * machine. Loading needs a simulation fresh from the same scene; it then goes on bit for bit. */
SCREE_API size_t scree_simulation_state_size(const scree_simulation* simulation);
SCREE_API void scree_simulation_save(const scree_simulation* simulation, void* state);
SCREE_API SCREE_MUST_USE scree_status scree_simulation_load(scree_simulation* simulation,
                                                            const void* state, size_t size);

#ifdef __cplusplus
}
#endif

#endif
