/* Sweeps end soon after they have arrived: with an eighth less of them a long solve is seldom
 * there. Both run the same way as far as they go; the residual does not fall in every sweep. */
#include "scree_study/packing.h"
#include "support/packings.h"

static scree_report swept(const scree_problem* problem, int64_t most)
{
    scree_solver_def def = solver_def("nsgs-wide-aa", 1e-4, most);
    def.measure = SCREE_MEASURE_LOCAL;
    double* p = zeros_of(problem);
    scree_report report = solved(problem, &def, p);
    free(p);
    return report;
}

static void sweeps_end_when_they_arrive(void** state)
{
    (void)state;
    enum { SEEDS = 10 };
    int n_long = 0, n_late = 0;
    for (int i = 0; i < SEEDS; ++i) {
        scree_packing_def made =
            packing(SCREE_PACKING_RANDOM, 600, SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, 1.0);
        made.mu = 0.6;
        made.mu_r_share = made.mu_s_share = 0.02;
        made.seed = (uint64_t)i + 1;
        scree_problem_store store = packed(&made);
        scree_report whole = swept(&store.problem, 3000);
        int64_t less = whole.iterations - whole.iterations / 8 - 1;
        print_message("seed %d: %lld sweeps to %.2g\n", i + 1, (long long)whole.iterations,
                      whole.residual);
        if (whole.outcome == SCREE_OUTCOME_CONVERGED && whole.iterations > 200) {
            scree_report early = swept(&store.problem, less);
            ++n_long;
            n_late += early.outcome == SCREE_OUTCOME_CONVERGED;
        }
        scree_problem_store_release(&store);
    }
    require(n_long >= 4 && 4 * n_late <= n_long, "%d of %d long solves ended late", n_late, n_long);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_end_when_they_arrive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
