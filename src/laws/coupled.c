/* One ellipsoid over all channels, associated: the elliptic cone of MuJoCo, for comparison.
 * In the variables l_k / mu_k the ellipsoid is a ball, so one contact is a convex friction problem
 * with a single channel and coefficient 1. */
#include "cones/ellipsoid_kernel.h"
#include "laws/friction_law.h"

static void project(scri_terms t, double* p)
{
    scri_ellipsoid_project(scri_layout_of(t.rows), t.coef, p);
}

/* stretch[width]: 1 for N, mu_k for the rows of channel k. */
static void stretch_of(scri_layout layout, const double* coef, double* stretch)
{
    stretch[0] = 1.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < layout.dim[k]; ++i) stretch[layout.first[k] + i] = coef[k];
    }
}

static scree_one_contact_way solve(scri_terms t, const double* w, const double* q, double* p,
                                   double* lambda, double tolerance)
{
    static const double unit[SCRI_CHANNELS] = {1.0, 0.0, 0.0};
    double stretch[SCRI_MAX_WIDTH], ball_q[SCRI_MAX_WIDTH];
    double ball_w[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
    int width = scri_layout_of(t.rows).width;
    stretch_of(scri_layout_of(t.rows), t.coef, stretch);
    for (int i = 0; i < width; ++i) {
        ball_q[i] = stretch[i] * q[i];
        for (int j = 0; j < width; ++j) {
            ball_w[i * width + j] = stretch[i] * w[i * width + j] * stretch[j];
        }
    }
    scri_layout ball = {width, {1, width, width}, {width - 1, 0, 0}};
    scri_slip_contact c = {0, ball, 1, tolerance, unit, ball_w, ball_q};
    double tangent = sqrt(scri_dot(width - 1, ball_q + 1, ball_q + 1));
    if (q[0] >= tangent) {
        scri_fill(width, p, 0.0);
        return SCREE_ONE_CONTACT_NEWTON;
    }
    scri_slip s = {.n = p[0], .lambda = {lambda[0], 0.0, 0.0}};
    if (!(p[0] > 0.0)) { /* projection of -q on the cone |z| <= n */
        p[0] = tangent <= -q[0] ? -q[0] : 0.5 * (tangent - q[0]);
        for (int i = 1; i < width; ++i) {
            p[i] = -ball_q[i] * (tangent <= -q[0] ? 1.0 : p[0] / tangent);
        }
        s = scri_friction_guess(&c, p);
    }
    scree_one_contact_way how = scri_friction_solve(&c, &s, p);
    for (int i = 1; i < width; ++i) p[i] *= stretch[i];
    lambda[0] = s.lambda[0];
    return how;
}

const scri_law scri_law_coupled = {
    .name = "coupled",
    .coef = SCRI_FRICTION_COEF,
    .rows = SCRI_ALL_ROWS,
    .traits = SCREE_LAW_HAS_NORMAL | SCREE_LAW_HAS_FRICTION | SCREE_LAW_IS_INCLUSION |
              SCREE_LAW_IS_ASSOCIATED | SCREE_LAW_IS_CONE,
    .project = project,
    .shift = scri_law_no_shift,
    .recede = project,
    .scale = scri_friction_scale,
    .solve = solve,
    .reactions = scri_reaction_set_coupled,
};
