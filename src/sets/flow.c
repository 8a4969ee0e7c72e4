/* Sets of directions that a model of friction brings with it.
 *
 * Wedges (Walker and Leine, eqs. (45) to (52)): springs that slide over parallel wedges do so along
 * the normals of an ellipse with the ratio p2/p1 = cos(beta), which is not their force reservoir.
 *
 * Any flow rule: a force for every direction of sliding. With theta the angle of the force and phi
 * that of sliding, sliding is normal to D where eq. (71) holds,
 *
 *     d(ln r_D) = tan(theta - phi) d(theta),
 *
 * integrated around the circle by Simpson's rule. It closes only if the integral is 0 once around.
 */
#include "base/env.h"
#include "sets/kind.h"

#include <math.h>

enum { POINTS = 720 };

/* By so much, relative, the ends of D may miss each other: of numbers that are written down. */
#define OPEN 1e-6

int scri_set_has_flow(const scree_set* set)
{
    return set->value.kind == SCREE_SET_ASPERITY;
}

scree_status scree_set_flow(const scree_env* env, const scree_set* set, scree_set** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: out is NULL");
    *out = NULL;
    if (!set) return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: set is NULL");
    if (!scri_set_has_flow(set)) return SCREE_OK;
    const scree_set_value* v = &set->value; /* b is cos(beta)^2 */
    scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = sqrt(v->b)};
    def.angle = atan2(v->turn[1], v->turn[0]);
    if (v->spin_power > 0.0) def.spin_power = fmax(v->spin_power, 1.1); /* it must be convex */
    scree_status status = scree_set_create(env, &def, out);
    if (status) return status;
    double fit = scree_set_fit(*out, set);
    (*out)->value.a *= fit;
    (*out)->value.b *= fit;
    return SCREE_OK;
}

/* ---- a flow rule ---- */

typedef struct sample {
    double theta, length; /* of the force */
    double grow;          /* d(ln r_D) / d(phi) */
} sample;

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* 0 where the force does not resist, does not turn on with the sliding, or is not a number. */
static int take_sample(scree_flow_rule* rule, void* user, double phi, sample* out)
{
    const double h = 1e-4, u[2] = {cos(phi), sin(phi)};
    double at[5][2], by_phi[2];
    for (int k = -2; k <= 2; ++k) rule(user, phi + k * h, at[k + 2]);
    for (int j = 0; j < 2; ++j) {
        by_phi[j] = (8.0 * (at[3][j] - at[1][j]) - (at[4][j] - at[0][j])) / (12.0 * h);
    }
    const double* force = at[2];
    double square = force[0] * force[0] + force[1] * force[1];
    double along = force[0] * u[0] + force[1] * u[1], across = cross(u, force);
    double turn = cross(force, by_phi) / square; /* d(theta) / d(phi) */
    *out = (sample){atan2(force[1], force[0]), sqrt(square), across / along * turn};
    return along > 0.0 && turn > 0.0 && isfinite(square + turn);
}

static scree_status refuse(const scree_env* env, double phi)
{
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "flow rule: at %g degrees the force does not resist the sliding, or does not "
                     "turn on with it",
                     phi * 180.0 / SCREE_PI);
}

/* Angles over one turn, rising, from wherever they begin. */
static void unwind(double* points)
{
    for (int i = 1; i < POINTS; ++i) {
        while (points[2 * i] < points[2 * i - 2]) points[2 * i] += 2.0 * SCREE_PI;
    }
}

/* The curves of C and D as nodes of splines. */
static scree_status trace(const scree_env* env, scree_flow_rule* rule, void* user, double* force,
                          double* direction)
{
    const double step = 2.0 * SCREE_PI / POINTS;
    sample here, middle, next;
    double sum = 0.0;
    if (!take_sample(rule, user, 0.0, &here)) return refuse(env, 0.0);
    for (int i = 0; i < POINTS; ++i) {
        double phi = step * i;
        if (!take_sample(rule, user, phi + 0.5 * step, &middle) ||
            !take_sample(rule, user, phi + step, &next)) {
            return refuse(env, phi);
        }
        force[2 * i] = direction[2 * i] = here.theta;
        force[2 * i + 1] = here.length;
        direction[2 * i + 1] = exp(sum);
        sum += step / 6.0 * (here.grow + 4.0 * middle.grow + next.grow);
        here = next;
    }
    unwind(force);
    unwind(direction);
    if (fabs(sum) <= OPEN) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "flow rule: no set has these directions: its curve does not close, it ends at "
                     "%g times the radius of its beginning",
                     exp(sum));
}

scree_status scree_set_create_from_flow(const scree_env* env, scree_flow_rule* rule, void* user,
                                        scree_set** force, scree_set** direction)
{
    if (!rule || !force || !direction) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "flow rule: an argument is NULL");
    }
    *force = *direction = NULL;
    double* points = scri_alloc(env, 4 * (size_t)POINTS * sizeof *points);
    if (!points) return scri_fail(env, SCREE_ERROR_MEMORY, "flow rule: out of memory");
    scree_set_def def = {.kind = SCREE_SET_POLAR, .n = POINTS, .points = points};
    scree_status status = trace(env, rule, user, points, points + (size_t)2 * POINTS);
    if (!status) status = scree_set_create(env, &def, force);
    def.points = points + (size_t)2 * POINTS;
    if (!status) status = scree_set_create(env, &def, direction);
    if (!status && !scree_set_is_convex(*direction)) {
        status =
            scri_fail(env, SCREE_ERROR_INPUT, "flow rule: its set of directions is not convex");
    }
    scri_release(env, points);
    if (!status) return SCREE_OK;
    scree_set_destroy(*force);
    scree_set_destroy(*direction);
    *force = *direction = NULL;
    return status;
}

/* ---- tensors ---- */

static void tensor_rule(void* user, double phi, double force[2])
{
    const scree_tensor_law* law = user;
    double c = cos(phi - law->angle), s = sin(phi - law->angle), own[2];
    double cube[4] = {c * c * c, c * c * s, c * s * s, s * s * s};
    for (int i = 0; i < 2; ++i) {
        own[i] = law->second[i][0] * c + law->second[i][1] * s;
        for (int k = 0; k < 4; ++k) own[i] += law->fourth[i][k] * cube[k];
    }
    double turn[2] = {cos(law->angle), sin(law->angle)};
    force[0] = turn[0] * own[0] - turn[1] * own[1];
    force[1] = turn[1] * own[0] + turn[0] * own[1];
}

/* A symmetric tensor of second order alone, positive definite: of its eigenvalues the semi-axes of
 * C, of their roots those of D. */
static int find_axes(const scree_tensor_law* law, double axes[2], double* angle)
{
    double a = law->second[0][0], b = law->second[0][1], d = law->second[1][1], more = 0.0;
    for (int i = 0; i < 8; ++i) more += fabs(law->fourth[i / 4][i % 4]);
    if (more != 0.0 || b != law->second[1][0]) return 0;
    double middle = 0.5 * (a + d), half = sqrt(0.25 * (a - d) * (a - d) + b * b);
    axes[0] = middle + half;
    axes[1] = (a * d - b * b) / axes[0];
    *angle = law->angle + 0.5 * atan2(2.0 * b, a - d);
    return axes[0] > 0.0 && axes[1] > 0.0;
}

scree_status scree_set_create_tensor(const scree_env* env, const scree_tensor_law* law,
                                     scree_set** force, scree_set** direction)
{
    if (!law || !force || !direction) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "tensor: an argument is NULL");
    }
    double axes[2], angle;
    scree_tensor_law copy = *law;
    *force = *direction = NULL;
    if (!find_axes(law, axes, &angle)) {
        return scree_set_create_from_flow(env, tensor_rule, &copy, force, direction);
    }
    scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = axes[0], .b = axes[1], .angle = angle};
    scree_status status = scree_set_create(env, &def, force);
    def.a = sqrt(axes[0]);
    def.b = sqrt(axes[1]);
    if (!status) status = scree_set_create(env, &def, direction);
    if (!status) return SCREE_OK;
    scree_set_destroy(*force);
    *force = NULL;
    return status;
}
