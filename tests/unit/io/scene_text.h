/* Scenes from text, and numbers that were read from it. */
#ifndef IO_SCENE_TEXT_H
#define IO_SCENE_TEXT_H

#include "scree_io/scene_file.h"
#include "support/test.h"

#include <math.h>

/* The scene of a text that stands for the file `name`; reading it must give all memory back. */
static inline scree_scene* parse_scene(const char* name, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scree_status status = scree_scene_parse(&env, name, text, strlen(text), 0, NULL, &scene);
    require(status == SCREE_OK, "%s", host.text);
    scree_scene_destroy(scene);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(scree_scene_parse(NULL, name, text, strlen(text), 0, NULL, &scene), SCREE_OK);
    return scene;
}

static inline void near_all(const double* value, const double* expected, int n, const char* what)
{
    for (int k = 0; k < n; ++k) {
        require(fabs(value[k] - expected[k]) <= 1e-14 * (1.0 + fabs(expected[k])),
                "%s: number %d is %.17g, not %.17g", what, k, value[k], expected[k]);
    }
}

static inline void near(double value, double expected, const char* what)
{
    near_all(&value, &expected, 1, what);
}

#endif
