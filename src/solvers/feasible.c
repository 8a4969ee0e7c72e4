#include "solvers/feasible.h"

#include "laws/law.h"

#include <math.h>

/* Whether the impulse of row i of a contact may grow without limit, and in a solution does no
 * negative work: normal rows, and those of joints and limits. */
static int is_counted(const scree_problem* problem, int32_t c, int i, double p)
{
    const double* bound = problem->coef + 3 * (size_t)c;
    if (problem->law[c] == SCREE_LAW_INTERVAL) return isinf(bound[p > 0.0]) != 0;
    return i == 0 || !scri_law_get(problem->law[c])->has_friction;
}

int scri_press_in_vain(const scree_problem* problem, const double* p, const double* y)
{
    double free = 0.0, left = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->row[c];
        for (int i = 0; i < problem->row[c + 1] - row; ++i) {
            if (!is_counted(problem, c, i, p[row + i])) continue;
            free += p[row + i] * problem->q[row + i];
            left += p[row + i] * y[row + i];
        }
    }
    return free < 0.0 && left <= 0.5 * free;
}

int scri_immovable_approach(const scri_operator* op, const double* y, double tol)
{
    const scree_problem* problem = op->problem;
    double largest = 0.0, worst = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->row[c];
        double q = problem->q[row], diagonal[SCRI_MAX_WIDTH];
        if (!scri_law_get(problem->law[c])->has_friction) continue;
        largest = fmax(largest, fabs(q));
        if (!(q < 0.0) || y[row] != q || !(-q > worst)) continue;
        scri_operator_diagonal(op, c, diagonal);
        if (diagonal[0] == 0.0) worst = -q;
    }
    return worst > tol * largest;
}
