/* The proximal iteration of Walker and Leine: (20) with (21) and (22), and under the extended law
 * (69) and (70) in the place of (22), with D as large as fits inside C:
 *
 *     p_N <- max(p_N - r y_N, 0),   -p_k <- prox_D(-alpha p_k + r y_k) / alpha.
 *
 * For D = C this is `channels`. The paper has no rule for r and proves no convergence. Without one
 * of the caller's all are 1 over the largest eigenvalue of W, in scaled variables, and SHARE of
 * that where a contact has directions of its own: of 400 problems with three contacts 255 are
 * solved with all of it, 386 with half of it and 400 with a quarter. */
#include "laws/proximal.h"

#include "solvers/channels.h"
#include "solvers/solver.h"

#include <string.h>

#define SHARE 0.25

/* Contacts next to each other mostly have the same sets, and finding what fits takes long. Returns
 * whether any has directions of its own. */
static int fill_fits(const scri_run* run, double* fit)
{
    const scree_problem* problem = run->problem;
    int is_directed = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        double* own = fit + 2 * (size_t)c;
        int same = c > 0 && problem->rows[c] == problem->rows[c - 1] &&
                   (!terms.set || !memcmp(terms.set, terms.set - 4, 4 * sizeof *terms.set));
        if (same) {
            memcpy(own, own - 2, 2 * sizeof *own);
        } else {
            is_directed |= scri_proximal_fit(terms, own);
        }
    }
    return is_directed;
}

static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    const char* why = scri_channels_unfit(env, problem, def, facts);
    for (int32_t c = 0; !why && c < problem->n_contacts; ++c) {
        if (!scri_proximal_is_known(scri_terms_of(problem, c, problem->coef))) {
            why = "a contact has directions under a set with a moment";
        }
    }
    return why;
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_projection s = scri_projection_create(run, bump);
    s.fit = scri_bump_take(bump, 2 * (size_t)run->problem->n_contacts, sizeof *s.fit);
    if (!bump->memory) return;
    int is_directed = fill_fits(run, s.fit);
    scri_channels_size(run, &s, is_directed ? SHARE : 1.0);
    scri_projection_iterate(run, &s, scri_channels_advance);
}

const scri_solver scri_solver_proximal = {
    "proximal",
    "fixed point of proximal points of C or D, with the scaling alpha of Walker & Leine",
    SCRI_CHANNELS_FITS,
    unfit,
    solve,
};
