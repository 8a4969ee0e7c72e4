/* A built-in scene on show: read with settings, simulated, looked at. */
#ifndef SCENE_SHOW_H
#define SCENE_SHOW_H

#include "scree_io/scene_file.h"
#include "support/test.h"

#include <math.h>

typedef struct show {
    scree_scene* scene;
    scree_simulation* simulation;
} show;

static inline show begin_with(const scree_env* env, const char* name, int32_t n,
                              const char* const* settings)
{
    show s = {NULL, NULL};
    for (int k = 0; k < scree_builtin_scene_count(); ++k) {
        scree_builtin_scene scene = scree_builtin_scene_get(k);
        if (strcmp(scene.name, name) != 0) continue;
        assert_int_equal(
            scree_scene_parse(NULL, name, scene.text, scene.text_size, n, settings, &s.scene),
            SCREE_OK);
    }
    require(s.scene != NULL, "no scene %s", name);
    assert_int_equal(scree_simulation_create(env, s.scene, &s.simulation), SCREE_OK);
    return s;
}

static inline show begin(const char* name, int32_t n, const char* const* settings)
{
    return begin_with(NULL, name, n, settings);
}

static inline void step_to(show s, double time)
{
    scree_step_report report;
    while (scree_simulation_view(s.simulation).time < time - 1e-9) {
        assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
    }
}

static inline const double* at(show s, int32_t body)
{
    return scree_simulation_view(s.simulation).position + 3 * (size_t)body;
}

/* The value of one of the scene's results; none is missing. */
static inline double result_of(show s, const char* name)
{
    const scree_scene_source* from = s.scene->source;
    double value[16];
    assert_true(from->n_results <= 16);
    assert_int_equal(scree_scene_results(NULL, s.scene, s.simulation, value), SCREE_OK);
    for (int32_t k = 0; k < from->n_results; ++k) {
        if (strcmp(from->results[k].name, name) == 0) return value[k];
    }
    fail_msg("there is no result %s", name);
    return (double)NAN;
}

/* What the scene says that it should be. */
static inline double expected_of(show s, const char* name)
{
    const scree_scene_source* from = s.scene->source;
    for (int32_t k = 0; k < from->n_results; ++k) {
        if (strcmp(from->results[k].name, name) == 0) return from->results[k].expected;
    }
    fail_msg("there is no result %s", name);
    return (double)NAN;
}

static inline void leave(show s)
{
    scree_totals totals = scree_simulation_totals(s.simulation);
    assert_int_equal(totals.not_converged, 0);
    scree_simulation_destroy(s.simulation);
    scree_scene_destroy(s.scene);
}

#endif
