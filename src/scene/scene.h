/* A scene in memory: src/io fills it from a file, src/scene makes simulations of it. */
#ifndef SCRI_SCENE_H
#define SCRI_SCENE_H

#include "base/arena.h"
#include "scree/scene.h"

/* A body, or the model of many. Mass and inertia are complete, shapes count from the centre of
 * mass, materials are indices of scree_scene.materials. */
typedef struct scri_scene_body {
    const char* name;
    scree_body_def def;
    int32_t first_shape, n_shapes; /* in scree_scene.shapes */
    int line, column;              /* of the file, for messages */
} scri_scene_body;

typedef enum scri_generator_kind {
    SCRI_GENERATOR_GRID, /* at the beginning */
    SCRI_GENERATOR_LIST, /* at the beginning, positions from a CSV file */
    SCRI_GENERATOR_RAIN  /* in the course of time */
} scri_generator_kind;

/* Copies of a model body, named "NAME-0", "NAME-1", ... */
typedef struct scri_generator {
    scri_generator_kind kind;
    scri_scene_body model;
    double
        size_spread; /* sizes are scaled by 1 - s to 1 + s, evenly, mass with the cube; 0 to < 1 */
    uint64_t seed;   /* of jitter, size and rain */
    int64_t count;   /* bodies in all */
    int32_t grid[3]; /* grid: count = product */
    double spacing[3];      /* grid, m */
    double jitter;          /* grid: each coordinate moves by -jitter to +jitter, m */
    double low[3], high[3]; /* grid: low is the first place; rain: the box it starts from */
    double rate;            /* rain, bodies per second */
    double begin;           /* rain, s */
    const double* place;    /* list: [3 count] m */
} scri_generator;

/* While begin <= t < end the velocity of a kinematic body, or a force on a dynamic one, is the
 * given one times cos(2 pi frequency (t - begin) + phase); outside it is zero. */
typedef struct scri_drive {
    int32_t body; /* in scree_scene.bodies */
    int is_force; /* N and N m, else m/s and rad/s */
    double linear[3], angular[3];
    double drag[2];    /* force: -(drag[0] + drag[1] |v|) v is added to it; kg/s, kg/m */
    double begin, end; /* s */
    double frequency;  /* Hz */
    double phase;      /* rad */
} scri_drive;

typedef struct scri_scene_pair {
    int32_t a, b;
    scree_material material;
} scri_scene_pair;

struct scree_scene {
    scri_arena* arena; /* owns everything below and the scene itself */
    scree_scene_info info;
    scree_world_def world; /* workers, force and env are not used */
    int32_t n_materials;
    const char** material_name;
    scree_material* materials;
    int32_t n_pairs;
    scri_scene_pair* pairs;
    int32_t n_shapes;
    scree_shape* shapes;
    int32_t n_bodies;
    scri_scene_body* bodies;
    int32_t n_generators;
    scri_generator* generators;
    int32_t n_drives;
    scri_drive* drives;
    double rest_speed; /* m/s, and rad/s times the body's size; at rest not above it */
    double rest_time;  /* s of rest that end the simulation; infinite: rest does not end it */
};

#endif
