#include "solvers/feasible.h"

#include "laws/law.h"

#include <math.h>

/* Work below this share of the largest impulse times the largest free velocity, in scaled
 * variables, may be rounding. */
#define LEAST_WORK 1e-3

/* Work against free velocities and against those that remain, over rows whose impulses may grow
 * without limit: pushing ones, and those of either sign. */
typedef struct work {
    double push_free, push_left, hold_free, hold_left;
} work;

static void add_row(const scree_problem* problem, int32_t c, int i, double p, double y, work* sum)
{
    const scri_law* law = scri_law_of(problem, c);
    const double* bound = problem->coef + 3 * (size_t)c;
    double q = problem->q[problem->row[c] + i];
    int is_interval = problem->law[c] == SCREE_LAW_INTERVAL;
    if (problem->law[c] == SCREE_LAW_BILATERAL || (is_interval && isinf(bound[p > 0.0]))) {
        sum->hold_free += p * q;
        sum->hold_left += p * y;
    } else if (!is_interval && (i == 0 || !law->has_friction)) {
        sum->push_free += p * q;
        sum->push_left += p * y;
    }
}

int scri_press_in_vain(const scree_problem* problem, const scri_scaling* scaling, const double* p,
                       const double* y)
{
    work sum = {0.0, 0.0, 0.0, 0.0};
    double largest_p = 0.0, largest_q = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->row[c];
        for (int i = 0; row + i < problem->row[c + 1]; ++i) {
            largest_p = fmax(largest_p, fabs(p[row + i]) * scaling->scale[row + i]);
            largest_q = fmax(largest_q, fabs(problem->q[row + i]) / scaling->scale[row + i]);
            add_row(problem, c, i, p[row + i], y[row + i], &sum);
        }
    }
    double least = LEAST_WORK * largest_p * largest_q;
    return (-sum.push_free > least && sum.push_left <= 0.5 * sum.push_free) ||
           (fabs(sum.hold_free) > least && fabs(sum.hold_left) >= 0.5 * fabs(sum.hold_free));
}

int scri_immovable_approach(const scri_operator* op, const double* y, double tol)
{
    const scree_problem* problem = op->problem;
    double largest = 0.0, worst = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->row[c];
        double q = problem->q[row], diagonal[SCRI_MAX_WIDTH];
        if (!scri_law_of(problem, c)->has_friction) continue;
        largest = fmax(largest, fabs(q));
        if (!(q < 0.0) || y[row] != q || !(-q > worst)) continue;
        scri_operator_diagonal(op, c, diagonal);
        if (diagonal[0] == 0.0) worst = -q;
    }
    return worst > tol * largest;
}
