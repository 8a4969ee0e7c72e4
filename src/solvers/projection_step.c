#include "solvers/projection_step.h"

#include "cones/norm_kernel.h"

#include <math.h>

enum { SHRINKS = 60 };

#define RATIO_MAX 0.9
#define RATIO_MIN 0.3

const char* scri_projection_unfit(const scree_env* env, const scree_problem* problem,
                                  const scree_solver_def* def, const scri_facts* facts)
{
    (void)env;
    (void)def;
    (void)facts;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_is(scri_law_of(problem, c), SCREE_LAW_IS_INCLUSION)) {
            return "the law of a contact has no cone";
        }
    }
    return NULL;
}

scri_projection scri_projection_create(const scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->at.n_rows;
    scri_projection s = {.rho = run->def->rho > 0.0 ? run->def->rho : 1.0};
    s.x = scri_bump_take(bump, n, sizeof(double));
    s.f = scri_bump_take(bump, n, sizeof(double));
    s.trial = scri_bump_take(bump, n, sizeof(double));
    s.f_trial = scri_bump_take(bump, n, sizeof(double));
    s.impulse = scri_bump_take(bump, n, sizeof(double));
    return s;
}

void scri_projection_velocity(scri_run* run, scri_projection* s, const double* x, double* y)
{
    const double* scale = run->scaling.scale;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        s->impulse[i] = x[i] / (run->scaling.unit * scale[i]);
    }
    scri_operator_apply(&run->op, s->impulse, y);
    for (int32_t i = 0; i < run->at.n_rows; ++i) y[i] /= scale[i];
}

void scri_projection_evaluate(scri_run* run, scri_projection* s, const double* x, double* f)
{
    const scree_problem* problem = run->problem;
    scri_projection_velocity(run, s, x, f);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        f[row] += scri_law_of(problem, c)->shift(terms, f + row);
    }
}

void scri_projection_project(const scri_run* run, const scri_projection* s, const double* f,
                             double* out)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        for (int32_t i = row; i < problem->first_row[c + 1]; ++i) out[i] = s->x[i] - s->rho * f[i];
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        scri_law_of(problem, c)->project(terms, out + row);
    }
}

void scri_projection_begin(scri_run* run, scri_projection* s)
{
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        s->x[i] = run->at.p[i] * (run->scaling.unit * run->scaling.scale[i]);
    }
    scri_projection_evaluate(run, s, s->x, s->f);
}

void scri_projection_store(scri_run* run, const double* x)
{
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        run->at.p[i] = x[i] / (run->scaling.unit * run->scaling.scale[i]);
    }
}

void scri_projection_iterate(scri_run* run, scri_projection* s, scri_projection_advance* advance)
{
    enum { CHECK_INTERVAL = 20 };
    scri_projection_begin(run, s);
    for (;;) {
        advance(run, s);
        int stop = scri_run_tick(run);
        if (!stop && run->budget.iterations % CHECK_INTERVAL &&
            run->budget.iterations < run->budget.limit) {
            continue;
        }
        scri_projection_store(run, s->x);
        if (scri_run_check(run) || stop) return;
    }
}

/* |a - b|^2 */
static double distance_squared(const double* a, const double* b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* |W x| for |x| = 1 as x turns towards the eigenvector of the largest: W has no negative ones. */
double scri_projection_largest(scri_run* run, scri_projection* s)
{
    enum { ITERATIONS = 40 };
    int32_t n = run->at.n_rows;
    double largest = 1.0, *x = s->trial, *wx = s->f_trial, *free = s->f;
    for (int32_t i = 0; i < n; ++i) x[i] = 0.0;
    scri_projection_velocity(run, s, x, free);
    for (int32_t i = 0; i < n; ++i) x[i] = i % 3 == 0 ? 1.0 : -0.5;
    for (int k = 0; k < ITERATIONS; ++k) {
        double length = scri_norm(n, x), size = scri_norm(n, free);
        if (!(size > 0.0)) size = 1.0;
        for (int32_t i = 0; i < n; ++i) x[i] *= size / length;
        scri_projection_velocity(run, s, x, wx);
        for (int32_t i = 0; i < n; ++i) x[i] = (wx[i] - free[i]) / size;
        largest = scri_norm(n, x);
        if (!(largest > 0.0)) return 1.0;
    }
    return largest;
}

void scri_projection_trial(scri_run* run, scri_projection* s)
{
    double ratio = 0.0;
    if (run->def->rho > 0.0) {
        scri_projection_project(run, s, s->f, s->trial);
        scri_projection_evaluate(run, s, s->trial, s->f_trial);
        return;
    }
    for (int i = 0; i < SHRINKS; ++i) {
        scri_projection_project(run, s, s->f, s->trial);
        scri_projection_evaluate(run, s, s->trial, s->f_trial);
        double moved = distance_squared(s->x, s->trial, run->at.n_rows);
        double changed = distance_squared(s->f, s->f_trial, run->at.n_rows);
        ratio = moved > 0.0 ? s->rho * sqrt(changed / moved) : 0.0;
        if (ratio <= RATIO_MAX) break;
        s->rho *= 2.0 / 3.0 * fmin(1.0, 1.0 / ratio);
    }
    if (ratio < RATIO_MIN && ratio > 0.0) s->rho *= 1.5;
}
