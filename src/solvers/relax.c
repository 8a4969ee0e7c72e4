#include "solvers/relax.h"

#include <math.h>
#include <string.h>

scri_relax scri_relax_create(const scree_problem* problem, scri_bump* bump)
{
    size_t n = (size_t)problem->n_contacts, entries = 0;
    for (size_t c = 0; c < n; ++c) {
        size_t width = (size_t)(problem->first_row[c + 1] - problem->first_row[c]);
        entries += width * width;
    }
    scri_relax relax;
    relax.offset = scri_bump_take(bump, n + 1, sizeof *relax.offset);
    relax.block = scri_bump_take(bump, entries, sizeof *relax.block);
    relax.lambda = scri_bump_take(bump, 3 * n, sizeof *relax.lambda);
    return relax;
}

void scri_relax_begin(const scri_run* run, scri_relax* relax)
{
    const scree_problem* problem = run->problem;
    relax->offset[0] = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        relax->offset[c + 1] = relax->offset[c] + width * width;
    }
}

void scri_relax_fill(const scri_run* run, scri_relax* relax, int32_t c)
{
    const scree_problem* problem = run->problem;
    int width = problem->first_row[c + 1] - problem->first_row[c];
    double* block = relax->block + relax->offset[c];
    const double* s = run->scaling.scale + problem->first_row[c];
    scri_operator_block(&run->op, c, block);
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) block[i * width + j] /= run->scaling.unit * (s[i] * s[j]);
    }
    memset(relax->lambda + 3 * (size_t)c, 0, 3 * sizeof *relax->lambda);
}

double scri_relax_bound(int width, const double* w)
{
    double most = 0.0;
    for (int i = 0; i < width; ++i) {
        double sum = 0.0;
        for (int j = 0; j < width; ++j) sum += fabs(w[i * width + j]);
        most = fmax(most, sum);
    }
    return most;
}

scree_one_contact_way scri_relax_project(const scri_law* law, scri_terms terms, double rho,
                                         const double* w, const double* q, double* p,
                                         double tolerance)
{
    enum { MOST = 1000 };
    int width = scri_layout_of(terms.rows).width;
    double next[SCRI_MAX_WIDTH], bound = scri_relax_bound(width, w);
    if (!(bound > 0.0)) return SCREE_ONE_CONTACT_NONE;
    if (!(rho > 0.0)) rho = 1.0 / bound;
    for (int k = 0; k < MOST; ++k) {
        double change = 0.0, size = 0.0;
        for (int i = 0; i < width; ++i) {
            next[i] = q[i];
            for (int j = 0; j < width; ++j) next[i] += w[i * width + j] * p[j];
        }
        next[0] += law->shift(terms, next);
        for (int i = 0; i < width; ++i) next[i] = p[i] - rho * next[i];
        law->project(terms, next);
        for (int i = 0; i < width; ++i) {
            change += (next[i] - p[i]) * (next[i] - p[i]);
            size += next[i] * next[i];
            p[i] = next[i];
        }
        if (!(change > tolerance * tolerance * size)) break;
    }
    return SCREE_ONE_CONTACT_NEWTON;
}

void scri_relax_contact(scri_run* run, const scri_relax* relax, int32_t c, double tolerance,
                        scri_sweep_size* size)
{
    const scree_problem* problem = run->problem;
    int32_t row = problem->first_row[c];
    int width = problem->first_row[c + 1] - row;
    double* p = run->at.p + row;
    const double *s = run->scaling.scale + row, unit = run->scaling.unit;
    const double* block = relax->block + relax->offset[c];
    double y[SCRI_MAX_WIDTH], q[SCRI_MAX_WIDTH] = {0.0};
    double old[SCRI_MAX_WIDTH], next[SCRI_MAX_WIDTH] = {0.0};
    scri_operator_velocity(&run->op, run->at.p, c, y);
    for (int i = 0; i < width; ++i) next[i] = old[i] = p[i] * (unit * s[i]);
    for (int i = 0; i < width; ++i) {
        q[i] = y[i] / s[i];
        for (int j = 0; j < width; ++j) q[i] -= block[i * width + j] * old[j];
    }
    const scri_law* law = scri_law_of(problem, c);
    double* lambda = relax->lambda + 3 * (size_t)c;
    scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
    scree_one_contact_way how =
        run->def->local == SCREE_LOCAL_PROJECTION
            ? scri_relax_project(law, terms, run->def->rho, block, q, next, tolerance)
            : law->solve(terms, block, q, next, lambda, tolerance);
    if (how == SCREE_ONE_CONTACT_FAIL_SAFE) size->fail_safe++;
    if (how == SCREE_ONE_CONTACT_NONE) return;
    double change[SCRI_MAX_WIDTH], square = 0.0;
    for (int i = 0; i < width; ++i) {
        double step = next[i] - old[i], impulse = next[i] / (unit * s[i]);
        square += step * step;
        size->impulse += next[i] * next[i];
        change[i] = impulse - p[i];
        p[i] = impulse;
    }
    size->change += square;
    size->most = fmax(size->most, square / run->size[c]);
    scri_operator_change(&run->op, c, change);
}
