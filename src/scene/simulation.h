/* A simulation: a world, where its bodies come from, and the sums over its steps. */
#ifndef SCRI_SIMULATION_H
#define SCRI_SIMULATION_H

#include "base/compiler.h"
#include "scene/scene.h"
#include "step/step.h"
#include "world/table.h"

/* Sources besides generators: a body of the scene, one that somebody else added to the world, and
 * that of a slot without a body. */
#define SCRI_OF_SCENE (-1)
#define SCRI_STRANGER (-2)
#define SCRI_NOBODY (-3)

/* Where a body comes from. */
#define SCRI_ORIGIN_FIELDS(X)                                           \
    X(int32_t, source, 1)      /* a generator, or one of those above */ \
    X(int32_t, number, 1)      /* among the bodies of its source */     \
    X(uint32_t, generation, 1) /* of the body whose origin this is */   \
    X(double, radius, 1)       /* of a sphere about it that holds its shapes; 0: half-space */
SCRI_TABLE(scri_origins_table, SCRI_ORIGIN_FIELDS)

/* How bodies came and went, in this order: from a generator (source and number), or out of a slot
 * (source SCRI_NOBODY, number the slot). Doing it again gives the same slots and generations. */
#define SCRI_EVENT_FIELDS(X) \
    X(int32_t, source, 1)    \
    X(int32_t, number, 1)
SCRI_TABLE(scri_event_table, SCRI_EVENT_FIELDS)

/* What has been seen of a measure. */
typedef struct scri_tally {
    double before; /* its value at the end of the step before */
    double value;  /* the least, the largest, the sum, or the time so far; NaN: nothing yet */
    int64_t n;     /* steps in it */
} scri_tally;

struct scree_simulation {
    scree_env env;
    const scree_scene* scene;
    scree_world* world;
    scri_origins_table origins; /* of all slots of the world */
    int64_t* released;          /* [n_generators] bodies made so far */
    int32_t* near;              /* [capacity_near] bodies that a release might hit */
    int64_t n_near, capacity_near;
    scri_tally* tallies;       /* [n_measures] */
    scree_sink_tally* sinks;   /* [n_sinks] */
    scree_probe_tally* probes; /* [n_probes] */
    double* heights;           /* [n_probes * capacity_heights] of bodies over planes; NaN: new */
    scree_passage* passages;   /* [n_probes * capacity_heights] of the last step */
    int32_t n_passages, capacity_heights;
    scri_event_table events;
    scree_shape* scaled;   /* [most shapes of a model] */
    double end;            /* s */
    int64_t rest_steps;    /* last steps at rest, in a row */
    int64_t overlap_steps; /* last steps with more overlap than a scene may begin with, in a row */
    int has_warned;        /* of that */
    int is_steered;        /* bodies were added or removed from outside */
    scree_totals totals;
    int32_t n_conflicts;
    scree_conflict conflicts[SCREE_CONFLICTS_MAX];
};

/* ---- origins.c ---- */

/* Notes where the bodies of the world come from that the scene begins with. */
scree_status scri_simulation_note_start(scree_simulation* simulation);

/* Makes body `number` of generator `source` at `position`, and says which index it has. */
scree_status scri_simulation_make(scree_simulation* simulation, int32_t source, int64_t number,
                                  const double position[3], int32_t* index);

/* Takes notice of bodies that others have added to the world or removed since. */
scree_status scri_simulation_note_strangers(scree_simulation* simulation);

/* Whether what is in a slot, perhaps nothing, has been noted. */
int scri_simulation_knows(const scree_simulation* simulation, const scree_world_view* view,
                          int32_t slot);

/* Takes a body out of the world, and remembers that. */
scree_status scri_simulation_remove(scree_simulation* simulation, int32_t slot);

/* ---- sinks.c ---- */

/* Takes out bodies that lie in sinks. */
scree_status scri_simulation_drain(scree_simulation* simulation);

/* ---- probes.c ---- */

/* Notes on which side of the probes bodies are, before a step; counts those that have changed it,
 * after it. */
scree_status scri_simulation_watch(scree_simulation* simulation);
void scri_simulation_count(scree_simulation* simulation);

/* ---- rain.c ---- */

/* Releases the bodies that are due, where there is room for them. */
scree_status scri_simulation_rain(scree_simulation* simulation);

/* ---- drive.c ---- */

/* Velocities of driven bodies for the step that begins now. */
scree_status scri_simulation_drive(scree_simulation* simulation);

/* The scene's forces, for scree_world_def.force; `user` is the simulation. */
void scri_simulation_force(void* user, const scree_world_view* view, double* force, double* torque);

/* ---- joints.c ---- */

/* Targets of driven freedoms for the step that begins now. */
scree_status scri_simulation_drive_joints(scree_simulation* simulation);

/* SCREE_ERROR_INPUT when the ends of a joint are far apart: a loop that does not close. */
scree_status scri_simulation_check_joints(const scree_simulation* simulation);

/* ---- measures.c ---- */

/* Begins to measure, at the start of a simulation. */
void scri_simulation_begin_measures(scree_simulation* simulation);

/* Takes the step just made into account. */
void scri_simulation_take_measures(scree_simulation* simulation);

/* ---- grains.c ---- */

/* What is measured of the bodies of a generator, now. */
double scri_grains_value(const scree_simulation* simulation, const scree_scene_measure* measure);

/* What is wrong with such a measure; NULL: nothing. */
const char* scri_grains_fault(const scree_scene* scene, const scree_scene_measure* measure);

/* ---- conflicts.c ---- */

/* Contacts that give way by less than this share of the worst are not named. */
#define SCRI_CONFLICT_SHARE 1e-3

/* Remembers which bodies gave way in the step just made; warns of those that had not before. */
void scri_simulation_note_conflicts(scree_simulation* simulation, const scree_step_report* report);

/* ---- overlap.c ---- */

/* SCREE_ERROR_INPUT when two bodies lie inside each other or the step is far too large; warnings
 * for pairs of shapes that cannot collide. */
scree_status scri_simulation_check_start(scree_simulation* simulation);

/* Notes the worst overlap of all steps; warns, once, when it is more than a scene may begin with
 * and lasts. */
void scri_simulation_judge_overlap(scree_simulation* simulation, const scree_step_report* report);

#endif
