/* One row with a bounded impulse: -y in the normal cone of [lo, hi]. Dry friction or a motor in a
 * joint has both ends finite; a limit or a row of an LCP is the half line [0, infinity). */
#include "laws/reaction.h"

#include <math.h>

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x; /* NaN stays NaN */
}

static const char* interval_fault(const double* coef)
{
    int holds = coef[0] <= coef[1] && coef[0] < SCREE_INFINITY && coef[1] > -SCREE_INFINITY;
    return holds ? NULL : "interval bounds must satisfy lo <= hi";
}

static void interval_project(scri_terms t, double* p)
{
    p[0] = clamp(p[0], t.coef[0], t.coef[1]);
}

/* Only towards an end that is not bounded. */
static void interval_recede(scri_terms t, double* d)
{
    if (d[0] > 0.0 && !isinf(t.coef[1])) d[0] = 0.0;
    if (d[0] < 0.0 && !isinf(t.coef[0])) d[0] = 0.0;
}

static void half_line_project(scri_terms t, double* p)
{
    (void)t;
    p[0] = clamp(p[0], 0.0, SCREE_INFINITY);
}

static void scale(scri_terms t, const double* s, double* out)
{
    out[0] = t.coef[0] * s[0];
    out[1] = t.coef[1] * s[0];
    out[2] = 0.0;
}

static scree_one_contact_way solve_row(double lo, double hi, double w, double q, double* p)
{
    if (w > 0.0) {
        p[0] = clamp(-q / w, lo, hi);
    } else if (q == 0.0) {
        p[0] = clamp(p[0], lo, hi);
    } else { /* the impulse has no effect: its bound against the motion, if there is one */
        double bound = q > 0.0 ? lo : hi;
        if (isinf(bound)) return SCREE_ONE_CONTACT_NONE;
        p[0] = bound;
    }
    return SCREE_ONE_CONTACT_NEWTON;
}

/* NOLINTBEGIN(readability-non-const-parameter): the table of laws fixes the type */
static scree_one_contact_way solve_interval(scri_terms t, const double* w, const double* q,
                                            double* p, double* lambda, double tolerance)
{
    (void)lambda, (void)tolerance;
    return solve_row(t.coef[0], t.coef[1], w[0], q[0], p);
}

static scree_one_contact_way solve_half_line(scri_terms t, const double* w, const double* q,
                                             double* p, double* lambda, double tolerance)
{
    (void)t, (void)lambda, (void)tolerance;
    return solve_row(0.0, SCREE_INFINITY, w[0], q[0], p);
}

/* NOLINTEND(readability-non-const-parameter) */

#define ONE_ROW (1u << SCREE_ROWS_N)

const scri_law scri_law_interval = {
    .name = "interval",
    .coef = {"lo", "hi"},
    .rows = ONE_ROW,
    .traits = SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED,
    .impulses = 3u,
    .fault = interval_fault,
    .project = interval_project,
    .shift = scri_law_no_shift,
    .recede = interval_recede,
    .scale = scale,
    .solve = solve_interval,
    .react = scri_reaction_interval,
    .reactions = scri_reaction_set_interval,
};
const scri_law scri_law_half_line = {
    .name = "half-line",
    .rows = ONE_ROW,
    .traits =
        SCREE_LAW_HAS_NORMAL | SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED | SCREE_LAW_IS_CONE,
    .project = half_line_project,
    .shift = scri_law_no_shift,
    .recede = half_line_project,
    .scale = scale,
    .solve = solve_half_line,
    .react = scri_reaction_half_line,
    .reactions = scri_reaction_set_half_line,
};
