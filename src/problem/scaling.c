#include "problem/scaling.h"

#include "laws/equilibrate.h"
#include "math/power_of_two.h"

#include <math.h>

scri_scaling scri_scaling_create(const scree_problem* problem, scri_bump* bump)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_scaling scaling = {.unit = 1.0};
    scaling.scale = scri_bump_take(bump, n_rows, sizeof(double));
    scaling.coef = scri_bump_take(bump, 3 * (size_t)problem->n_contacts, sizeof(double));
    return scaling;
}

static void scale_contact(const scree_problem* problem, int32_t c, const double* diagonal,
                          scri_scaling* scaling)
{
    const scri_law* law = scri_law_of(problem, c);
    double *s = scaling->scale + problem->row[c], press[SCRI_MAX_WIDTH];
    scri_equilibrate(problem->rows[c], law, diagonal, scaling->unit, s);
    for (int i = 0; i < problem->row[c + 1] - problem->row[c]; ++i) press[i] = scaling->unit * s[i];
    law->scale(scri_terms_of(problem, c, problem->coef), press, scaling->coef + 3 * (size_t)c);
}

/* Rolling and spinning are left out: their velocities have another unit. */
static double least_speed(const scree_problem* problem)
{
    double most = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->row[c + 1] - problem->row[c];
        for (int i = 0; i < width && i < 3; ++i) {
            most = fmax(most, fabs(problem->q[problem->row[c] + i]));
        }
    }
    return SCRI_LEAST_SPEED * most;
}

void scri_scaling_compute(const scri_operator* op, scri_scaling* scaling)
{
    const scree_problem* problem = op->problem;
    double diagonal[SCRI_MAX_WIDTH], most = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_operator_diagonal(op, c, diagonal);
        most = fmax(most, diagonal[0]);
    }
    scaling->unit = scri_power_of_two(most);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_operator_diagonal(op, c, diagonal);
        scale_contact(problem, c, diagonal, scaling);
    }
    scaling->speed = least_speed(problem);
}

void scri_scaling_from_diagonal(const scree_problem* problem, const double* diagonal,
                                scri_scaling* scaling)
{
    double most = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) most = fmax(most, diagonal[problem->row[c]]);
    scaling->unit = scri_power_of_two(most);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scale_contact(problem, c, diagonal + problem->row[c], scaling);
    }
    scaling->speed = least_speed(problem);
}
