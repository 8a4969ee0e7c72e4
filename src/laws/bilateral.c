/* Joints: y = 0, any impulse. */
#include "laws/friction_law.h"
#include "laws/reaction.h"
#include "math/least_norm.h"

#include <string.h>

/* Below this times the largest pivot a direction counts as one in which impulses move nothing, as
 * in a joint of a body with itself: they stay as they are there. */
#define RANK_TOLERANCE 1e-14

/* NOLINTNEXTLINE(readability-non-const-parameter): the table of laws fixes the type */
static void project(scri_terms t, double* p)
{
    (void)t, (void)p;
}

static void scale(scri_terms t, const double* s, double* out)
{
    (void)t, (void)s;
    scri_fill(SCRI_CHANNELS, out, 0.0);
}

/* NOLINTBEGIN(readability-non-const-parameter): the table of laws fixes the type */
static scree_one_contact_way solve(scri_terms t, const double* w, const double* q, double* p,
                                   double* lambda, double tolerance)
{
    (void)lambda, (void)tolerance;
    int width = scri_layout_of(t.rows).width;
    double a[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH], rest[SCRI_MAX_WIDTH], work[3 * SCRI_MAX_WIDTH];
    memcpy(a, w, (size_t)(width * width) * sizeof *w);
    for (int i = 0; i < width; ++i) rest[i] = q[i] + scri_dot(width, w + (size_t)(i * width), p);
    scri_least_norm(width, a, rest, RANK_TOLERANCE, work);
    for (int i = 0; i < width; ++i) p[i] -= rest[i];
    return SCREE_ONE_CONTACT_NEWTON;
}

/* NOLINTEND(readability-non-const-parameter) */

const scri_law scri_law_bilateral = {
    .name = "bilateral",
    .rows = SCRI_ALL_ROWS,
    .traits = SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED | SCREE_LAW_IS_CONE,
    .project = project,
    .shift = scri_law_no_shift,
    .recede = project,
    .scale = scale,
    .solve = solve,
    .react = scri_reaction_bilateral,
    .reactions = scri_reaction_set_bilateral,
};
