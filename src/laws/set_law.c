/* The laws of friction with measured or designed sets: exact and convex with a convex C, extended
 * with a star-shaped C and a convex D. See docs/anisotropic.md. */
#include "laws/friction_law.h"
#include "laws/reaction.h"
#include "laws/set_contact.h"

#include <string.h>

static void project(scri_terms t, double* p)
{
    double z[SCRI_MAX_WIDTH];
    memcpy(z, p, (size_t)scri_layout_of(t.rows).width * sizeof *z);
    scri_set_cone_project(t, z, p, NULL);
}

/* NOLINTBEGIN(readability-non-const-parameter): the table of laws fixes the type */
static scree_one_contact_way solve_exact(scri_terms t, const double* w, const double* q, double* p,
                                         double* lambda, double tolerance)
{
    (void)lambda;
    if (q[0] >= 0.0) {
        scri_fill(scri_layout_of(t.rows).width, p, 0.0);
        return SCREE_ONE_CONTACT_NEWTON;
    }
    scri_set_contact c = {t, scri_reaction_exact, scri_law_no_shift, w, q, tolerance};
    return scri_set_contact_solve(&c, p);
}

static scree_one_contact_way solve_convex(scri_terms t, const double* w, const double* q, double* p,
                                          double* lambda, double tolerance)
{
    (void)lambda;
    if (q[0] >= scri_set_cone_shift(t, q)) { /* q lies in the dual cone */
        scri_fill(scri_layout_of(t.rows).width, p, 0.0);
        return SCREE_ONE_CONTACT_NEWTON;
    }
    scri_set_contact c = {t, scri_reaction_convex, scri_set_cone_shift, w, q, tolerance};
    return scri_set_contact_solve(&c, p);
}

/* NOLINTEND(readability-non-const-parameter) */

const scri_law scri_law_exact_sets = {
    .name = "exact",
    .coef = SCRI_FRICTION_COEF,
    .rows = SCRI_ALL_ROWS,
    .traits = SCRI_LAW_FRICTION_TRAITS | SCREE_LAW_IS_INCLUSION | SCRI_LAW_JUDGED_BY_REACTION,
    .project = project,
    .shift = scri_set_cone_shift,
    .recede = scri_law_recede_normal,
    .scale = scri_friction_scale,
    .solve = solve_exact,
    .react = scri_reaction_exact,
};
const scri_law scri_law_convex_sets = {
    .name = "convex",
    .coef = SCRI_FRICTION_COEF,
    .rows = SCRI_ALL_ROWS,
    .traits = SCRI_LAW_FRICTION_TRAITS | SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED |
              SCRI_LAW_JUDGED_BY_REACTION,
    .project = project,
    .shift = scri_law_no_shift,
    .recede = project,
    .scale = scri_friction_scale,
    .solve = solve_convex,
    .react = scri_reaction_convex,
};
const scri_law scri_law_extended = {
    .name = "extended",
    .coef = SCRI_FRICTION_COEF,
    .rows = SCRI_ALL_ROWS,
    .traits =
        SCRI_LAW_FRICTION_TRAITS | SCREE_LAW_MAY_HAVE_DIRECTIONS | SCRI_LAW_JUDGED_BY_REACTION,
    .with_discs = &scri_law_exact,
    .project = scri_set_cone_clip,
    .shift = scri_law_no_shift,
    .recede = scri_law_recede_normal,
    .scale = scri_friction_scale,
    .solve = solve_exact,
    .react = scri_reaction_exact,
};
