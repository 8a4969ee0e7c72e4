/* The kinds that a few numbers say: discs, ellipses, rectangles, superellipses, runners, wedges. */
#include "base/env.h"
#include "sets/kind.h"

#define LEAST_S 0.01
#define LARGEST_S 1e4

/* ---- what most of them share ---- */

/* Lengths, all of them with the scale. */
static scree_status fill_lengths(const scree_env* env, const scree_set_def* def, double scale,
                                 scree_set* set)
{
    (void)env;
    set->value.a = def->a * scale;
    set->value.b = def->b * scale;
    set->value.s = def->s * scale;
    return SCREE_OK;
}

static scree_status check_axes(const scree_env* env, const char* name, scri_set set)
{
    scree_status status = scri_set_check_size(env, name, "a", set.v->a);
    return status ? status : scri_set_check_size(env, name, "b", set.v->b);
}

static scree_status derive_convex(const scree_env* env, scree_set* set)
{
    (void)env;
    set->value.is_convex = 1;
    return SCREE_OK;
}

static int is_convex(scri_set set)
{
    return set.v->is_convex == 1;
}

/* ---- discs and ellipses ---- */

static scree_status disc_fill(const scree_env* env, const scree_set_def* def, double scale,
                              scree_set* set)
{
    (void)env;
    set->value.a = set->value.b = def->a * scale;
    return SCREE_OK;
}

static scree_status disc_check(const scree_env* env, scri_set set)
{
    scree_status status = scri_set_check_size(env, "disc", "a", set.v->a);
    if (status || set.v->b == set.v->a) return status;
    return scri_fail(env, SCREE_ERROR_INPUT, "disc: b is %g and not a, %g", set.v->b, set.v->a);
}

static scree_status ellipse_check(const scree_env* env, scri_set set)
{
    return check_axes(env, "ellipse", set);
}

const scri_set_kind scri_set_disc = {
    .name = "disc",
    .fill = disc_fill,
    .check = disc_check,
    .derive = derive_convex,
    .is_derived = is_convex,
};

const scri_set_kind scri_set_ellipse = {
    .name = "ellipse",
    .fill = fill_lengths,
    .check = ellipse_check,
    .derive = derive_convex,
    .is_derived = is_convex,
};

/* ---- rectangles and runners ---- */

static scree_status rectangle_check(const scree_env* env, scri_set set)
{
    return check_axes(env, "rectangle", set);
}

static scree_status runner_check(const scree_env* env, scri_set set)
{
    scree_status status = check_axes(env, "runner", set);
    return status ? status : scri_set_check_size(env, "runner", "s", set.v->s);
}

const scri_set_kind scri_set_rectangle = {
    .name = "rectangle",
    .fill = fill_lengths,
    .check = rectangle_check,
    .derive = derive_convex,
    .is_derived = is_convex,
};

const scri_set_kind scri_set_runner = {
    .name = "runner",
    .fill = fill_lengths,
    .check = runner_check,
    .derive = derive_convex,
    .is_derived = is_convex,
};

/* ---- superellipses ---- */

static scree_status superellipse_fill(const scree_env* env, const scree_set_def* def, double scale,
                                      scree_set* set)
{
    (void)env;
    set->value.a = def->a * scale;
    set->value.b = def->b * scale;
    set->value.s = def->s;
    return SCREE_OK;
}

static scree_status superellipse_check(const scree_env* env, scri_set set)
{
    scree_status status = check_axes(env, "superellipse", set);
    if (status || (set.v->s >= LEAST_S && set.v->s <= LARGEST_S)) return status;
    return scri_fail(env, SCREE_ERROR_INPUT, "superellipse: s is %g, not within %g .. %g", set.v->s,
                     LEAST_S, LARGEST_S);
}

static scree_status superellipse_derive(const scree_env* env, scree_set* set)
{
    (void)env;
    set->value.is_convex = set->value.s >= 1.0;
    return SCREE_OK;
}

/* With s = 2 it would be an ellipse. */
static int superellipse_is_derived(scri_set set)
{
    return set.v->is_convex == (set.v->s >= 1.0) && set.v->s != 2.0;
}

const scri_set_kind scri_set_superellipse = {
    .name = "superellipse",
    .fill = superellipse_fill,
    .check = superellipse_check,
    .derive = superellipse_derive,
    .is_derived = superellipse_is_derived,
};

/* ---- wedges: a, b, s hold A, b and w of asperity_kernel.h ---- */

/* A D^(5/2) times the bend where x^2 = c and y^2 = 1 - c: a polynomial of degree 2 in c. */
static double bend_polynomial(double b, double w, double c)
{
    double d = 1.0 - (1.0 - b) * c, n = 1.0 - (1.0 - w) * c;
    double first = 2.0 * (w + 1.0) * d - 4.0 * (1.0 - (1.0 - w * b) * c);
    return first * d + n * (3.0 * (1.0 - (1.0 - b * b) * c) - (b + 1.0) * d);
}

/* Whether the polynomial is nowhere negative for c in 0 .. 1. */
static int wedges_are_convex(double b, double w)
{
    double p0 = bend_polynomial(b, w, 0.0), p1 = bend_polynomial(b, w, 1.0);
    double middle = bend_polynomial(b, w, 0.5);
    double second = 2.0 * (p0 + p1 - 2.0 * middle), first = p1 - p0 - second;
    double c = -first / (2.0 * second);
    if (second > 0.0 && c > 0.0 && c < 1.0 && !(bend_polynomial(b, w, c) >= 0.0)) return 0;
    return p0 >= 0.0 && p1 >= 0.0;
}

static scree_status asperity_fill(const scree_env* env, const scree_set_def* def, double scale,
                                  scree_set* set)
{
    double mu = def->a, beta = def->s;
    if (!(beta >= 0.0 && beta < 0.5 * SCREE_PI)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "asperity: the inclination s is %g rad, not within 0 .. pi/2", beta);
    }
    scree_status status = scri_set_check_size(env, "asperity", "a", mu * scale);
    if (status) return status;
    double c = cos(beta), s = sin(beta), w = (c - mu * s) * (c + mu * s);
    if (!(w > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "asperity: the friction a is %g, but wedges of %g rad jam from %g on", mu,
                         beta, c / s);
    }
    set->value.a = scale * mu / c;
    set->value.b = c * c;
    set->value.s = w;
    return SCREE_OK;
}

/* A sqrt(b) is the friction itself, with its scale; the radius across the ridges is A sqrt(b) / w.
 */
static scree_status asperity_check(const scree_env* env, scri_set set)
{
    double a = set.v->a, b = set.v->b, w = set.v->s;
    if (!(b > 0.0 && b <= 1.0 && w > 0.0 && w <= b)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "asperity: b is %g and w is %g, not 0 < w <= b <= 1", b, w);
    }
    scree_status status = scri_set_check_size(env, "asperity", "a", a * sqrt(b));
    if (status) return status;
    return scri_set_check_size(env, "asperity", "the largest radius", a * sqrt(b) / w);
}

static scree_status asperity_derive(const scree_env* env, scree_set* set)
{
    (void)env;
    set->value.is_convex = wedges_are_convex(set->value.b, set->value.s);
    return SCREE_OK;
}

static int asperity_is_derived(scri_set set)
{
    return set.v->is_convex == wedges_are_convex(set.v->b, set.v->s);
}

const scri_set_kind scri_set_asperity = {
    .name = "asperity",
    .fill = asperity_fill,
    .check = asperity_check,
    .derive = asperity_derive,
    .is_derived = asperity_is_derived,
};
