/* Planar sets: creation, and the way from the caller's axes and sizes to the kinds' own. */
#include "sets/set.h"

#include "base/env.h"
#include "sets/kind.h"

#include <float.h>
#include <string.h>

/* A point farther away than this, in units of the set, is brought here along its ray. */
#define FARTHEST 1e250

enum { MOST_POINTS = 10000000 };

static const scri_set_kind* const kinds[SCREE_SET_KIND_COUNT] = {
    [SCREE_SET_DISC] = &scri_set_disc,           [SCREE_SET_ELLIPSE] = &scri_set_ellipse,
    [SCREE_SET_RECTANGLE] = &scri_set_rectangle, [SCREE_SET_SUPERELLIPSE] = &scri_set_superellipse,
    [SCREE_SET_RUNNER] = &scri_set_runner,       [SCREE_SET_POLYGON] = &scri_set_polygon,
    [SCREE_SET_ASPERITY] = &scri_set_asperity,   [SCREE_SET_POLAR] = &scri_set_polar,
};

const scri_set_kind* scri_set_kind_of(const scree_set* set)
{
    return kinds[set->kind];
}

const char* scree_set_kind_name(int kind)
{
    return kind >= 0 && kind < SCREE_SET_KIND_COUNT ? kinds[kind]->name : NULL;
}

/* ---- creation ---- */

scree_status scri_set_check_size(const scree_env* env, const char* kind, const char* name,
                                 double size)
{
    if (size >= SCRI_SET_SMALLEST && size <= SCRI_SET_LARGEST) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "%s: %s (with its scale) is %g, not within %g .. %g",
                     kind, name, size, SCRI_SET_SMALLEST, SCRI_SET_LARGEST);
}

/* Memory for a set and n doubles after it; the set is empty but for its memory. */
static scree_set* take(const scree_env* env, size_t n)
{
    scree_set* set = scri_alloc(env, sizeof *set + n * sizeof *set->table);
    if (!set) return NULL;
    memset(set, 0, sizeof *set);
    if (env) set->env = *env;
    set->memory = set;
    set->table = n ? (double*)(set + 1) : NULL;
    return set;
}

static scree_status check_def(const scree_env* env, const scree_set_def* def)
{
    const char* name = scree_set_kind_name((int)def->kind);
    if (!name) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: there is no kind %d", (int)def->kind);
    }
    if (!isfinite(def->angle)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: angle is %g", name, def->angle);
    }
    if (!(def->scale >= 0.0 && def->scale <= SCRI_SET_LARGEST)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: scale is %g, not within 0 .. %g", name,
                         def->scale, SCRI_SET_LARGEST);
    }
    if (kinds[def->kind]->table_width == 0) return SCREE_OK;
    if (def->n < 3 || def->n > MOST_POINTS) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: n is %d, but it takes 3 .. %d points", name,
                         (int)def->n, (int)MOST_POINTS);
    }
    if (!def->points) return scri_fail(env, SCREE_ERROR_ARGUMENT, "%s: points is NULL", name);
    for (int32_t i = 0; i < 2 * def->n; ++i) {
        if (!isfinite(def->points[i])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "%s: point %d is (%g, %g)", name, (int)(i / 2),
                             def->points[i - i % 2], def->points[i - i % 2 + 1]);
        }
    }
    return SCREE_OK;
}

scree_status scree_set_create(const scree_env* env, const scree_set_def* def, scree_set** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: out is NULL");
    *out = NULL;
    if (!def) return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: def is NULL");
    scree_status status = check_def(env, def);
    if (status) return status;
    const scri_set_kind* kind = kinds[def->kind];
    size_t n = kind->table_width > 0 ? (size_t)def->n * (size_t)kind->table_width : 0;
    scree_set* set = take(env, n);
    if (!set) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", kind->name);
    set->kind = def->kind;
    set->turn[0] = cos(def->angle);
    set->turn[1] = sin(def->angle);
    set->n = kind->table_width > 0 ? def->n : 0;
    status = kind->init(env, def, def->scale > 0.0 ? def->scale : 1.0, set);
    if (status) {
        scree_set_destroy(set);
        return status;
    }
    *out = set;
    return SCREE_OK;
}

void scree_set_destroy(scree_set* set)
{
    if (!set || !set->memory) return;
    scree_env env = set->env;
    scri_release(&env, set->memory);
}

scree_status scri_set_clone(const scree_env* env, const scree_set* set, scree_set** out)
{
    size_t n = (size_t)set->n * (size_t)kinds[set->kind]->table_width;
    scree_set* copy = take(env, n);
    *out = copy;
    if (!copy) return scri_fail(env, SCREE_ERROR_MEMORY, "set: out of memory");
    scree_env own = copy->env;
    double* table = copy->table;
    *copy = *set;
    copy->env = own;
    copy->memory = copy;
    copy->table = table;
    if (n) memcpy(table, set->table, n * sizeof *table);
    return SCREE_OK;
}

/* ---- turning ---- */

static void turn_in(const scree_set* set, const double x[2], double out[2])
{
    double c = set->turn[0], s = set->turn[1];
    out[0] = c * x[0] + s * x[1];
    out[1] = c * x[1] - s * x[0];
}

static void turn_out(const scree_set* set, const double x[2], double out[2])
{
    double c = set->turn[0], s = set->turn[1], first = c * x[0] - s * x[1];
    out[1] = s * x[0] + c * x[1];
    out[0] = first;
}

static void fill(int n, double* x, double value)
{
    for (int i = 0; x && i < n; ++i) x[i] = value;
}

/* Splits x into its length and its direction in the set's axes. 0 when x is 0 or not finite: then
 * every value asked for is 0 or NaN, and `value` says which. */
static int split(const scree_set* set, const double x[2], double* length, double u[2],
                 double* value)
{
    *length = scri_length2(x);
    *value = isfinite(*length) ? 0.0 : SCREE_NAN;
    if (!(*length > 0.0 && *length <= DBL_MAX)) return 0;
    double scaled[2] = {x[0] / *length, x[1] / *length};
    turn_in(set, scaled, u);
    return 1;
}

/* ---- gauge, normal, support ---- */

double scri_set_gauge(const scree_set* set, const double x[2], double gradient[2],
                      double hessian[3])
{
    double length, u[2], own[2], bend, value;
    if (!split(set, x, &length, u, &value)) {
        fill(2, gradient, value);
        fill(3, hessian, value);
        return value;
    }
    double k = length * kinds[set->kind]->gauge(set, u, own, &bend);
    if (gradient) turn_out(set, own, gradient);
    if (hessian) {
        double across[2] = {-u[1], u[0]}, by = bend / length;
        turn_out(set, across, across);
        hessian[0] = by * across[0] * across[0];
        hessian[1] = by * across[0] * across[1];
        hessian[2] = by * across[1] * across[1];
    }
    return k;
}

double scree_set_gauge(const scree_set* set, const double x[2])
{
    return scri_set_gauge(set, x, NULL, NULL);
}

double scree_set_radius(const scree_set* set, double theta)
{
    double u[2] = {cos(theta), sin(theta)};
    return 1.0 / scri_set_gauge(set, u, NULL, NULL);
}

void scree_set_normal(const scree_set* set, const double x[2], double normal[2])
{
    scri_set_gauge(set, x, normal, NULL);
    double length = scri_length2(normal);
    for (int i = 0; length > 0.0 && i < 2; ++i) normal[i] /= length;
}

int scree_set_is_convex(const scree_set* set)
{
    return set->is_convex;
}

double scri_set_support(const scree_set* set, const double v[2], double point[2], double* radius)
{
    double length, u[2], own[2], bent, value;
    if (!split(set, v, &length, u, &value) || !set->is_convex) {
        if (!set->is_convex) value = SCREE_NAN;
        fill(2, point, value);
        fill(1, radius, value);
        return value;
    }
    double h = length * kinds[set->kind]->support(set, u, own, &bent);
    if (point) turn_out(set, own, point);
    if (radius) *radius = bent;
    return h;
}

double scree_set_support(const scree_set* set, const double v[2], double point[2])
{
    return scri_set_support(set, v, point, NULL);
}

/* ---- projection ---- */

static int is_inside(const scree_set* set, const double z[2])
{
    if (set->kind <= SCREE_SET_ELLIPSE) {
        double x = set->b * z[0], y = set->a * z[1], r = set->a * set->b;
        return x * x + y * y <= r * r;
    }
    double length = scri_length2(z), u[2], gradient[2], bend;
    if (!(length > 0.0)) return 1;
    for (int i = 0; i < 2; ++i) u[i] = z[i] / length;
    return length * kinds[set->kind]->gauge(set, u, gradient, &bend) <= 1.0;
}

/* P is homogeneous in (size, z), so size dP/dsize = P - dP/dz z; and dP/dz takes from a motion of z
 * its part along the boundary, shortened by rho / (rho + distance). */
static void differentiate(const scree_set* set, const double z[2], const double p[2],
                          const scri_edge* edge, double d[6])
{
    double rest[2] = {z[0] - p[0], z[1] - p[1]};
    double distance = fmax(scri_dot2(rest, edge->normal), 0.0);
    double keep = distance > 0.0 ? 1.0 / (1.0 + edge->curvature * distance) : 1.0;
    double tangent[2] = {-edge->normal[1], edge->normal[0]}, along = keep * scri_dot2(tangent, p);
    double by_size[2] = {p[0] - along * tangent[0], p[1] - along * tangent[1]};
    turn_out(set, tangent, tangent);
    turn_out(set, by_size, d + 4);
    d[0] = keep * tangent[0] * tangent[0];
    d[1] = d[2] = keep * tangent[0] * tangent[1];
    d[3] = keep * tangent[1] * tangent[1];
}

/* z in units of the set's axes and size. */
static void bring(const scree_set* set, double size, const double z[2], double own[2])
{
    double by = 1.0 / size, scaled[2] = {by * z[0], by * z[1]};
    double most = fmax(fabs(scaled[0]), fabs(scaled[1]));
    if (!(most <= FARTHEST)) {
        double largest = fmax(fabs(z[0]), fabs(z[1]));
        for (int i = 0; i < 2; ++i) scaled[i] = FARTHEST * (z[i] / largest);
    }
    turn_in(set, scaled, own);
}

static void project_to_nothing(const scree_set* set, const double z[2], double out[2], double d[6])
{
    fill(2, out, 0.0);
    if (!d) return;
    fill(4, d, 0.0);
    scri_set_support(set, z, d + 4, NULL);
}

void scri_set_project(const scree_set* set, double size, const double z[2], double out[2],
                      double d[6])
{
    if (!set->is_convex || !isfinite(size) || !isfinite(z[0]) || !isfinite(z[1])) {
        fill(2, out, SCREE_NAN);
        fill(6, d, SCREE_NAN);
        return;
    }
    if (!(size > 0.0)) {
        project_to_nothing(set, z, out, d);
        return;
    }
    double own[2];
    bring(set, size, z, own);
    if (is_inside(set, own)) {
        out[0] = z[0];
        out[1] = z[1];
        fill(6, d, 0.0);
        if (d) d[0] = d[3] = 1.0;
        return;
    }
    double point[2];
    scri_edge edge;
    kinds[set->kind]->project(set, own, point, d ? &edge : NULL);
    turn_out(set, point, out);
    out[0] *= size;
    out[1] *= size;
    if (d) differentiate(set, own, point, &edge, d);
}

void scree_set_project(const scree_set* set, double size, const double z[2], double out[2])
{
    scri_set_project(set, size, z, out, NULL);
}

/* ---- ellipses ---- */

int scri_set_as_ellipse(const scree_set* set, double q[3])
{
    if (!scri_set_is_ellipse(set)) return 0;
    double c = set->turn[0], s = set->turn[1];
    double x = 1.0 / (set->a * set->a), y = 1.0 / (set->b * set->b);
    q[0] = c * c * x + s * s * y;
    q[1] = c * s * (x - y);
    q[2] = s * s * x + c * c * y;
    return 1;
}

/* One Jacobi rotation, by at most 45 degrees, takes q to its axes. */
scree_set scri_set_from_quadratic(const double q[3])
{
    double tangent = 0.0;
    if (q[1] != 0.0) {
        double ratio = (q[0] - q[2]) / (2.0 * q[1]);
        tangent = copysign(1.0, ratio) / (fabs(ratio) + hypot(1.0, ratio));
    }
    double c = 1.0 / sqrt(1.0 + tangent * tangent);
    return (scree_set){
        .kind = SCREE_SET_ELLIPSE,
        .is_convex = 1,
        .a = 1.0 / sqrt(q[0] + tangent * q[1]),
        .b = 1.0 / sqrt(q[2] - tangent * q[1]),
        .turn = {c, tangent * c},
    };
}
