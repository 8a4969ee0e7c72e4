/* The law of the test: the convex law with cohesion. Impulses lie in K - c e_N, so that contacts
 * may pull with up to c, and hold mu c with no load at all; -y in the normal cone. In the variables
 * p + c e_N it is the convex law. */
#include "laws/friction_law.h"
#include "laws/reaction.h"

/* The coefficients of the cone: without c, whose place is that of spinning. */
typedef struct cone {
    scri_terms terms;
    double coef[3];
} cone;

static void open_cone(scri_terms t, cone* out)
{
    *out = (cone){.terms = t, .coef = {t.coef[0], t.coef[1], 0.0}};
    out->terms.coef = out->coef;
}

static void project(scri_terms t, double* p)
{
    cone k;
    open_cone(t, &k);
    p[0] += t.coef[2];
    scri_law_convex.project(k.terms, p);
    p[0] -= t.coef[2];
}

static void recede(scri_terms t, double* d)
{
    cone k;
    open_cone(t, &k);
    scri_law_convex.project(k.terms, d);
}

static void scale(scri_terms t, const double* s, double* out)
{
    scri_friction_scale(t, s, out);
    out[2] = t.coef[2] * s[0];
}

static scree_one_contact_way solve(scri_terms t, const double* w, const double* q, double* p,
                                   double* lambda, double tolerance)
{
    cone k;
    double moved[SCRI_MAX_WIDTH];
    int width = scri_layout_of(t.rows).width;
    open_cone(t, &k);
    for (int i = 0; i < width; ++i) moved[i] = q[i] - w[i * width] * t.coef[2];
    p[0] += t.coef[2];
    scree_one_contact_way how = scri_law_convex.solve(k.terms, w, moved, p, lambda, tolerance);
    p[0] -= t.coef[2];
    return how;
}

static void react(scri_terms t, const double* z, double blur, double* p, double* d)
{
    cone k;
    double moved[SCRI_MAX_WIDTH];
    open_cone(t, &k);
    for (int i = 0; i < scri_layout_of(t.rows).width; ++i) moved[i] = z[i];
    moved[0] += t.coef[2];
    scri_reaction_convex(k.terms, moved, blur, p, d);
    p[0] -= t.coef[2];
}

const scri_law scri_law_cohesive = {
    .name = "cohesive",
    .coef = {"mu", "mu_r", "c"},
    .rows = 1u << SCREE_ROWS_N | 1u << SCREE_ROWS_NTT | 1u << SCREE_ROWS_NTTRR,
    .traits = SCREE_LAW_HAS_FRICTION | SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED,
    .impulses = 4u,
    .project = project,
    .shift = scri_law_no_shift,
    .recede = recede,
    .scale = scale,
    .solve = solve,
    .react = react,
};
