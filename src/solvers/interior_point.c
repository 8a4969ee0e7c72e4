#include "solvers/interior_point.h"

#include <math.h>

#define COLD_SIZE 10.0 /* impulses at a cold start over the largest free velocity */
#define ROUNDING 1e-15 /* products so small, over the square of the free velocity, are noise */

void scri_interior_point_lay_out(const scri_run* run, scri_interior_point* m, scri_bump* bump)
{
    size_t n_rows = (size_t)run->at.n_rows, n = (size_t)run->problem->n_contacts;
    m->idle = scri_bump_take(bump, n, sizeof *m->idle);
    m->at = scri_interior_create(run->problem, run->scaling.coef, m->idle, bump);
    m->q = scri_bump_take(bump, n_rows, sizeof(double));
    m->residual = scri_bump_take(bump, n_rows, sizeof(double));
}

/* Always cold: begun near the boundary, at the impulses of a similar problem, the methods need more
 * steps, not fewer. */
int scri_interior_point_start(scri_run* run, scri_interior_point* m)
{
    double size = 0.0, diagonal[SCRI_MAX_WIDTH];
    m->system = scri_run_newton(run);
    if (!m->system) return 0;
    scri_newton_system_free_velocity(m->system, m->q);
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) {
        scri_operator_diagonal(&run->op, c, diagonal);
        m->idle[c] = !(diagonal[0] > 0.0);
    }
    for (int32_t i = 0; i < run->at.n_rows; ++i) size = fmax(size, fabs(m->q[i]));
    m->least = ROUNDING * size * size;
    scri_interior_start(&m->at, m->q, COLD_SIZE * COLD_SIZE * size * size);
    return 1;
}

void scri_interior_point_look(const scri_run* run, scri_interior_point* m)
{
    scri_newton_system_multiply(m->system, m->at.p, m->residual);
    m->worst = 0.0;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        m->residual[i] += m->q[i] - m->at.y[i];
        m->worst = fmax(m->worst, fabs(m->residual[i]));
    }
    scri_interior_scale(&m->at);
}

void scri_interior_point_step(scri_interior_point* m, double target)
{
    scri_interior_aim(&m->at, target);
    scri_newton_system_solve(m->system, m->at.c, m->residual, 0, m->at.dp, m->at.dy);
    scri_interior_recover(&m->at);
}

const char* scri_interior_point_unfit(const scree_env* env, const scree_problem* problem,
                                      const scree_solver_def* def, const scri_facts* facts)
{
    (void)def;
    (void)facts;
    if (!scri_interior_fits(problem)) return "a contact has another law, or sets";
    return scri_newton_system_unfit(env, problem);
}
