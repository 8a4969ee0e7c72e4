/* Separate projections for each channel, with a step length for each: remark 2 of Acary & Bourrier,
 * the method of Le Saux, Leine and Glocker on the quasi-variational inequality (22):
 *
 *     r_N <- max(r_N - rho_N u_N, 0),   r_k <- P_{mu_k r_N C_k}(r_k - rho_k u_k).
 *
 * No rule sizes the rhos. Without one of the caller's all are 1 over the largest eigenvalue of W,
 * in scaled variables, where the diagonal of W is 1 in every channel. */
#include "solvers/channels.h"

#include "laws/proximal.h"
#include "solvers/solver.h"

const char* scri_channels_unfit(const scree_env* env, const scree_problem* problem,
                                const scree_solver_def* def, const scri_facts* facts)
{
    (void)env;
    (void)def;
    (void)facts;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* law = scri_law_of(problem, c);
        int channels =
            scri_law_is(law, SCREE_LAW_HAS_CHANNELS) && !scri_law_is(law, SCREE_LAW_IS_ASSOCIATED);
        if (!law->react || (scri_law_is(law, SCREE_LAW_HAS_FRICTION) && !channels)) {
            return "the law of a contact is the convex or the coupled one";
        }
    }
    return NULL;
}

void scri_channels_size(scri_run* run, scri_projection* s, double share)
{
    const scree_solver_def* def = run->def;
    double* rho = s->by_channel;
    const double own[SCRI_CHANNELS] = {def->rho_slide, def->rho_roll, def->rho_spin};
    rho[0] = def->rho > 0.0 ? def->rho : share / scri_projection_largest(run, s);
    for (int k = 0; k < SCRI_CHANNELS; ++k) rho[1 + k] = own[k] > 0.0 ? own[k] : rho[0];
}

void scri_channels_advance(scri_run* run, scri_projection* s)
{
    const scree_problem* problem = run->problem;
    const double* rho = s->by_channel;
    scri_projection_velocity(run, s, s->x, s->f);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* law = scri_law_of(problem, c);
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        scri_layout layout = scri_layout_of(terms.rows);
        double z[SCRI_MAX_WIDTH], *x = s->x + problem->first_row[c],
                                  *y = s->f + problem->first_row[c];
        for (int i = 0; i < layout.width; ++i) z[i] = x[i] - rho[0] * y[i];
        int own = scri_law_is(law, SCREE_LAW_HAS_FRICTION) ? SCRI_CHANNELS : 0;
        for (int k = 0; k < own; ++k) {
            for (int i = layout.first[k]; i < layout.first[k] + layout.dim[k]; ++i) {
                z[i] = x[i] - rho[1 + k] * y[i];
            }
        }
        terms.near = x;
        double* next = s->trial + problem->first_row[c];
        if (s->fit) {
            scri_proximal_step(law, terms, s->fit + 2 * (size_t)c, z, next);
        } else {
            law->react(terms, z, 0.0, next, NULL);
        }
    }
    double* swap = s->x;
    s->x = s->trial, s->trial = swap;
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_projection s = scri_projection_create(run, bump);
    if (!bump->memory) return;
    scri_channels_size(run, &s, 1.0);
    scri_projection_iterate(run, &s, scri_channels_advance);
}

const scri_solver scri_solver_channels = {
    "channels",
    "fixed point with a projection and a rho for each channel",
    SCRI_CHANNELS_FITS,
    scri_channels_unfit,
    solve,
};
