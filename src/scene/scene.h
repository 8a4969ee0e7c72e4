/* Scenes from within: their check, the world that they begin with, the bodies of generators. */
#ifndef SCRI_SCENE_H
#define SCRI_SCENE_H

#include "base/compiler.h"
#include "scree/scene.h"

/* What is wrong with a scene. */
scree_status scri_scene_check(const scree_env* env, const scree_scene* scene);

/* scree_scene_build() of a scene that was checked, with another definition of the world. */
scree_status scri_scene_build(const scree_env* env, const scree_scene* scene,
                              const scree_world_def* def, scree_world** out);

/* joints.c: what is wrong with a scene's joints and their drives, and those of a world. */
scree_status scri_scene_check_joints(const scree_env* env, const scree_scene* scene);
scree_status scri_scene_add_joints(scree_world* world, const scree_scene* scene);

/* measures.c: what is wrong with a scene's measures. */
scree_status scri_scene_check_measures(const scree_env* env, const scree_scene* scene);

/* sinks.c, probes.c: what is wrong with them. */
scree_status scri_scene_check_sinks(const scree_env* env, const scree_scene* scene);
scree_status scri_scene_check_probes(const scree_env* env, const scree_scene* scene);

/* Freedoms that a joint may say something about. */
SCRI_SISTERS int32_t scri_joint_n_freedoms(scree_joint_kind kind);

/* ---- course.c ---- */

/* What drives of bodies and of joints have in common: the fields of both, of the same meaning. */
typedef struct scri_course {
    double begin, end, frequency, phase;
    int32_t n_table;
    const double* table;
} scri_course;

/* The cosine or the table at a time; zero outside of begin and end. */
double scri_course_at(const scri_course* course, double time);

/* By how much it changes from one time to another; nothing outside of begin and end. */
double scri_course_between(const scri_course* course, double from, double to);

/* Whether a table has times that grow and numbers that are finite; so has one without lines. */
int scri_course_is_table(int32_t n, const double* table);

/* ---- generator.c ---- */

/* What is wrong with a generator, or NULL. */
const char* scri_generator_fault(const scree_generator* generator, int32_t n_materials);

/* Bodies that a generator makes in all. */
SCRI_SISTERS int64_t scri_generator_count(const scree_generator* generator);

/* Model k of a generator, 0 to n_others. */
const scree_scene_body* scri_generator_model(const scree_generator* generator, int32_t k);

/* Where body `number` of a grid or list stands. */
void scri_generator_place(const scree_generator* generator, int64_t number, double position[3]);

/* Body `number` of a generator, at `position`; returns the number of its shapes. */
int32_t scri_generator_make(const scree_generator* generator, int64_t number,
                            const double position[3], scree_body_def* def, scree_shape* shapes);

/* Radius of a sphere about body `number` that holds its shapes; bounds of those of all bodies. */
double scri_generator_reach(const scree_generator* generator, int64_t number);
double scri_generator_least_reach(const scree_generator* generator);
double scri_generator_most_reach(const scree_generator* generator);

/* Writes the name of body `number` of the scene (source -1) or of a generator, as snprintf does. */
int scri_scene_name(const scree_scene* scene, int32_t source, int64_t number, char* text,
                    size_t size);

/* The same in quotes, with the line of the file where there is one: "'ball' (line 7)". */
int scri_scene_label(const scree_scene* scene, int32_t source, int64_t number, char* text,
                     size_t size);

/* tubes.c: whether bodies of the scene would meet of which no contacts are known. */
scree_status scri_scene_check_tubes(const scree_env* env, const scree_scene* scene);

/* The most shapes that a generator's model has; at least 1. */
int32_t scri_scene_most_shapes(const scree_scene* scene);

/* Radius of a sphere about a body's centre that holds its shapes; half-spaces do not count. */
SCRI_SISTERS double scri_shapes_reach(int32_t n, const scree_shape* shapes);

#endif
