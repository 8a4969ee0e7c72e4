/* What a tribometer would measure on a surface whose sets are known. */
#include "base/env.h"
#include "base/random.h"
#include "math/small_kernel.h"
#include "study/identify.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* [n] of each, as long as the measurement lives. */
typedef struct columns {
    double *angle, *radial, *tangential, *normal;
} columns;

static scree_status check(const scree_env* env, const scree_tribometer_def* def)
{
    if (!def->sliding || !def->direction) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "tribometer: both sets are needed");
    }
    if (!scree_set_is_convex(def->direction)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "tribometer: the direction set is not convex");
    }
    if (!(def->normal_force > 0.0 && isfinite(def->normal_force)) ||
        !(def->noise >= 0.0 && isfinite(def->noise))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "tribometer: normal_force = %g must be positive and noise = %g not "
                         "negative",
                         def->normal_force, def->noise);
    }
    if (def->samples < 1 || def->turns < 1) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "tribometer: samples = %d and turns = %d must be positive",
                         (int)def->samples, (int)def->turns);
    }
    return SCREE_OK;
}

/* Two independent numbers from the normal distribution (Box and Muller). */
static void draw_pair(scri_random* random, double out[2])
{
    double size = sqrt(-2.0 * log(1.0 - scri_random_uniform(random)));
    double angle = 2.0 * SCREE_PI * scri_random_uniform(random);
    out[0] = size * cos(angle);
    out[1] = size * sin(angle);
}

/* What the sensor shows of radial, tangential and normal force; false for a singular matrix. */
static bool add_crosstalk(const double* matrix, double force[3])
{
    double copy[9];
    if (!matrix) return true;
    memcpy(copy, matrix, sizeof copy);
    return scri_gauss_solve(3, 3, copy, force);
}

static bool measure(const scree_tribometer_def* def, double phi, scri_random* random,
                    double force[3])
{
    double gamma[2] = {cos(phi), sin(phi)}, z[2], noise[4];
    scree_set_support(def->direction, gamma, z);
    double size = def->normal_force / scree_set_gauge(def->sliding, z);
    force[0] = size * (gamma[0] * z[1] - gamma[1] * z[0]);
    force[1] = size * (gamma[0] * z[0] + gamma[1] * z[1]);
    force[2] = def->normal_force;
    bool good = add_crosstalk(def->crosstalk, force);
    draw_pair(random, noise);
    draw_pair(random, noise + 2);
    for (int k = 0; k < 3; ++k) force[k] += def->noise * noise[k];
    return good;
}

static scree_status fill(const scree_env* env, const scree_tribometer_def* def, int64_t n,
                         columns* c)
{
    scri_random random = {.key = def->seed};
    for (int64_t i = 0; i < n; ++i) {
        double force[3];
        c->angle[i] = 2.0 * SCREE_PI * (double)i / def->samples;
        if (!measure(def, c->angle[i], &random, force)) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "tribometer: the crosstalk matrix is singular");
        }
        c->radial[i] = force[0];
        c->tangential[i] = force[1];
        c->normal[i] = force[2];
    }
    return SCREE_OK;
}

scree_status scree_measurement_simulate(const scree_env* env, const scree_tribometer_def* def,
                                        scree_measurement* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_measurement){0};
    scree_status status = check(env, def);
    if (status) return status;
    int64_t n = (int64_t)def->samples * def->turns;
    scri_arena* arena = scri_arena_create(env);
    double* memory = arena ? scri_arena_take(arena, 4 * (size_t)n, sizeof *memory) : NULL;
    if (!memory) {
        scri_arena_destroy(arena);
        return SCREE_ERROR_MEMORY;
    }
    columns c = {memory, memory + n, memory + 2 * n, memory + 3 * n};
    status = fill(env, def, n, &c);
    if (status) {
        scri_arena_destroy(arena);
        return status;
    }
    *out = (scree_measurement){.n = n,
                               .angle = c.angle,
                               .radial = c.radial,
                               .tangential = c.tangential,
                               .normal = c.normal,
                               .memory = arena};
    return SCREE_OK;
}

void scree_measurement_release(scree_measurement* measurement)
{
    if (!measurement) return;
    scri_arena_destroy(measurement->memory);
    *measurement = (scree_measurement){0};
}
