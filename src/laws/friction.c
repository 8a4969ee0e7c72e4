/* Dry friction with independent sliding, rolling and spinning channels: the exact law of Coulomb
 * type and its convex relaxation. They share the cone and differ by the De Saxce term. */
#include "laws/fail_safe.h"
#include "laws/friction_law.h"
#include "laws/polish.h"
#include "laws/reaction.h"

#include <string.h>

/* Kernels fold to straight code when the rows are a constant. */
#define FOR_ROWS(rows, STATEMENT)     \
    switch (rows) {                   \
    case SCREE_ROWS_N:                \
        STATEMENT(SCREE_ROWS_N);      \
        break;                        \
    case SCREE_ROWS_NT:               \
        STATEMENT(SCREE_ROWS_NT);     \
        break;                        \
    case SCREE_ROWS_NTT:              \
        STATEMENT(SCREE_ROWS_NTT);    \
        break;                        \
    case SCREE_ROWS_NTTS:             \
        STATEMENT(SCREE_ROWS_NTTS);   \
        break;                        \
    case SCREE_ROWS_NTTRR:            \
        STATEMENT(SCREE_ROWS_NTTRR);  \
        break;                        \
    case SCREE_ROWS_NTTRRS:           \
        STATEMENT(SCREE_ROWS_NTTRRS); \
        break;                        \
    case SCREE_ROWS_NTR:              \
        STATEMENT(SCREE_ROWS_NTR);    \
        break;                        \
    default:                          \
        break;                        \
    }

static void project(scri_terms t, double* p)
{
#define PROJECT(r) scri_friction_project(scri_layout_of(r), t.coef, p)
    FOR_ROWS(t.rows, PROJECT)
#undef PROJECT
}

static double exact_shift(scri_terms t, const double* y)
{
#define SHIFT(r) return scri_friction_shift(scri_layout_of(r), t.coef, y)
    FOR_ROWS(t.rows, SHIFT)
#undef SHIFT
    return 0.0;
}

void scri_friction_scale(scri_terms t, const double* s, double* out)
{
    scri_layout layout = scri_layout_of(t.rows);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        out[k] = layout.dim[k] ? t.coef[k] * s[layout.first[k]] / s[0] : 0.0;
    }
}

/* Newton with layout and law known to the compiler: several times faster than the general code. */
#define SPECIAL_NEWTON(r, law_is_convex)                                   \
    {                                                                      \
        scri_slip_contact special = *c;                                    \
        special.layout = scri_layout_of(r);                                \
        special.convex = law_is_convex;                                    \
        return scri_slip_newton(scri_layout_of(r).width - 1, &special, s); \
    }
#define NEWTON(law_is_convex)                               \
    switch (c->rows) {                                      \
    case SCREE_ROWS_NT:                                     \
        SPECIAL_NEWTON(SCREE_ROWS_NT, law_is_convex)        \
    case SCREE_ROWS_NTT:                                    \
        SPECIAL_NEWTON(SCREE_ROWS_NTT, law_is_convex)       \
    case SCREE_ROWS_NTTRR:                                  \
        SPECIAL_NEWTON(SCREE_ROWS_NTTRR, law_is_convex)     \
    case SCREE_ROWS_NTTRRS:                                 \
        SPECIAL_NEWTON(SCREE_ROWS_NTTRRS, law_is_convex)    \
    default:                                                \
        return scri_slip_newton(c->layout.width - 1, c, s); \
    }

static int newton_exact(const scri_slip_contact* c, scri_slip* s)
{
    NEWTON(0)
}

static int newton_convex(const scri_slip_contact* c, scri_slip* s){NEWTON(1)}

scree_one_contact_way scri_friction_solve(const scri_slip_contact* c, scri_slip* s, double* p)
{
    scree_one_contact_way how = SCREE_ONE_CONTACT_NEWTON;
    double sum = 0.0; /* bisection would look for a root among NaN for long */
    for (int i = 0; i < c->layout.width; ++i) sum += c->q[i];
    if (!(c->w[0] > 0.0) || !isfinite(sum)) return SCREE_ONE_CONTACT_NONE;
    if (!(c->convex ? newton_convex(c, s) : newton_exact(c, s))) {
        how = SCREE_ONE_CONTACT_FAIL_SAFE;
        if (!scri_fail_safe(c, s)) return SCREE_ONE_CONTACT_NONE;
    }
    if (c->tolerance <= SCRI_NEWTON_TOLERANCE) scri_polish(c, s);
    scri_slip_impulse(c->layout.width - 1, c, s, p);
    return how;
}

/* Draws each channel of p onto the disc that p[0] > 0 allows. */
static void clip(const scri_slip_contact* c, double* p)
{
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = scri_slip_length(c, p + 1, k), radius = c->mu[k] * p[0];
        if (length <= radius) continue;
        for (int i = 0; i < c->layout.dim[k]; ++i) p[c->layout.first[k] + i] *= radius / length;
    }
}

static scree_one_contact_way solve_exact(scri_terms t, const double* w, const double* q, double* p,
                                         double* lambda, double tolerance)
{
    scri_slip_contact c = {t.rows, scri_layout_of(t.rows), 0, tolerance, t.coef, w, q};
    if (q[0] >= 0.0) {
        scri_fill(c.layout.width, p, 0.0);
        return SCREE_ONE_CONTACT_NEWTON;
    }
    scri_slip s = {.n = p[0]};
    memcpy(s.lambda, lambda, sizeof s.lambda);
    if (!(p[0] > 0.0)) { /* as if w were the identity but for the normal column */
        for (int i = 0; i < c.layout.width; ++i) p[i] = -q[i];
        for (int i = 1; i < c.layout.width; ++i) p[i] += w[i * c.layout.width] * q[0];
        clip(&c, p);
        s = scri_friction_guess(&c, p);
    }
    scree_one_contact_way how = scri_friction_solve(&c, &s, p);
    memcpy(lambda, s.lambda, sizeof s.lambda);
    return how;
}

scri_slip scri_friction_guess(const scri_slip_contact* c, const double* p)
{
    scri_slip s = {.n = p[0]};
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        const double* l = p + c->layout.first[k];
        double work = 0.0;
        for (int i = 0; i < c->layout.dim[k]; ++i) {
            int row = c->layout.first[k] + i;
            double velocity = scri_dot(c->layout.width, c->w + row * c->layout.width, p);
            work -= (velocity + c->q[row]) * l[i];
        }
        double square = scri_dot(c->layout.dim[k], l, l);
        s.lambda[k] = work > 0.0 && square > 0.0 ? work / square : 0.0;
    }
    return s;
}

static scree_one_contact_way solve_convex(scri_terms t, const double* w, const double* q, double* p,
                                          double* lambda, double tolerance)
{
    scri_slip_contact c = {t.rows, scri_layout_of(t.rows), 1, tolerance, t.coef, w, q};
    if (q[0] >= scri_friction_shift(c.layout, t.coef, q)) { /* q lies in the dual cone */
        scri_fill(c.layout.width, p, 0.0);
        return SCREE_ONE_CONTACT_NEWTON;
    }
    scri_slip s = {.n = p[0]};
    memcpy(s.lambda, lambda, sizeof s.lambda);
    if (!(p[0] > 0.0)) { /* w is near the identity, so the projection of -q is close */
        for (int i = 0; i < c.layout.width; ++i) p[i] = -q[i];
        scri_friction_project(c.layout, t.coef, p);
        s = scri_friction_guess(&c, p);
    }
    scree_one_contact_way how = scri_friction_solve(&c, &s, p);
    memcpy(lambda, s.lambda, sizeof s.lambda);
    return how;
}

const scri_law scri_law_exact = {
    .name = "exact",
    .coef = SCRI_FRICTION_COEF,
    .rows = SCRI_ALL_ROWS,
    .traits = SCRI_LAW_FRICTION_TRAITS | SCREE_LAW_IS_INCLUSION,
    .with_sets = &scri_law_exact_sets,
    .relaxed = &scri_law_convex,
    .extended = &scri_law_extended,
    .project = project,
    .shift = exact_shift,
    .recede = scri_law_recede_normal,
    .scale = scri_friction_scale,
    .solve = solve_exact,
    .react = scri_reaction_exact,
    .reactions = scri_reaction_set_exact,
};
const scri_law scri_law_convex = {
    .name = "convex",
    .coef = SCRI_FRICTION_COEF,
    .rows = SCRI_ALL_ROWS,
    .traits = SCRI_LAW_FRICTION_TRAITS | SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED,
    .with_sets = &scri_law_convex_sets,
    .project = project,
    .shift = scri_law_no_shift,
    .recede = project,
    .scale = scri_friction_scale,
    .solve = solve_convex,
    .react = scri_reaction_convex,
    .reactions = scri_reaction_set_convex,
};
