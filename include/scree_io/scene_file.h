/* Scenes from YAML, URDF and MJCF: files, settings, parameters, the scenes that the library
 * carries.
 *
 *     status = scree_scene_read(&env, "pile.yaml", 0, NULL, &scene);
 *     scene->world.workers = 4;
 *     status = scree_simulation_create(&env, scene, &simulation);
 *
 * docs/scenes.md describes the file, docs/models.md what of a model is understood.
 */
#ifndef SCREE_IO_SCENE_FILE_H
#define SCREE_IO_SCENE_FILE_H

#include "scree/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a scene, or a model in URDF or MJCF, known by its content. Every setting is "key=value":
 * the name of one of the scene's parameters, or the path of a value such as world.step or
 * materials.grain.mu. A fault is logged as "FILE:LINE:COLUMN: what"; a fault in a setting as
 * "KEY=VALUE: what". */
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

/* Writes a scene that was read as YAML, with its settings in it: what is read from that is the same
 * scene, bit for bit. Files that it names keep their names, and are sought beside the new one. */
SCREE_API SCREE_MUST_USE scree_status scree_scene_write(const scree_env* env, const char* path,
                                                        const scree_scene* scene);

/* For scenes that were read, with all that they hold; NULL is allowed. */
SCREE_API void scree_scene_destroy(scree_scene* scene);

/* A number or text that settings can change. */
typedef struct scree_parameter {
    const char* name;
    double value;
    const char* text; /* the value where it is a text (a file name), else NULL */
    const char* meaning;
} scree_parameter;

/* What a run is to show: an expression of parameters, measures and the results before it. */
typedef struct scree_result {
    const char* name;
    const char* expression;
    const char* meaning; /* with its unit; may be empty */
    double expected;     /* what theory or experiment says; NaN: nothing */
} scree_result;

/* Where a scene comes from. */
typedef struct scree_scene_source {
    const char* path;
    const char* text; /* the file as it was read, for a recording */
    size_t text_size;
    int32_t n_settings;
    const char* const* settings; /* as they were given */
    int32_t n_parameters;
    const scree_parameter* parameters;
    int32_t n_results;
    const scree_result* results;
} scree_scene_source;

/* value[n_results] of the results of a scene that was read, by what its simulation has measured;
 * NaN where they have no finite value yet. */
SCREE_API SCREE_MUST_USE scree_status scree_scene_results(const scree_env* env,
                                                          const scree_scene* scene,
                                                          const scree_simulation* simulation,
                                                          double* value);

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

#ifdef __cplusplus
}
#endif

#endif
