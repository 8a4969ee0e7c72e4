/* What auto makes of its methods: stages, limits, all sizes and forms. */
#include "scree_study/packing.h"
#include "solvers/nsgs_wide.h"
#include "solvers/solve.h"
#include "support/packings.h"

static scree_stage stages[SCREE_STAGES_MAX]; /* of the last solve with auto_def() */

static scree_solver_def auto_def(double tol, int64_t max_iter)
{
    scree_solver_def def = solver_def("auto", tol, max_iter);
    def.stages = stages;
    def.stages_room = SCREE_STAGES_MAX;
    return def;
}

static void require_stages(const scree_report* report)
{
    int64_t sum = 0;
    double last = SCREE_INFINITY;
    require(report->n_stages >= 1 && report->n_stages <= SCREE_STAGES_MAX, "%d stages",
            report->n_stages);
    for (int i = 0; i < report->n_stages; ++i) {
        const scree_stage* stage = &stages[i];
        require(stage->residual <= last, "stage %d: %.3g after %.3g", i, stage->residual, last);
        require(stage->iterations >= 0 && stage->time_s >= 0.0, "stage %d: %lld in %g s", i,
                (long long)stage->iterations, stage->time_s);
        last = stage->residual;
        sum += stage->iterations;
    }
    require(sum == report->iterations, "%lld iterations in stages, %lld in all", (long long)sum,
            (long long)report->iterations);
    require(last == report->residual, "the last stage ends at %.17g, not %.17g", last,
            report->residual);
    int named = 0;
    for (int i = 0; i < report->n_stages; ++i) {
        named += strcmp(stages[i].solver, report->solver) == 0;
    }
    require(named > 0, "%s is not among the stages", report->solver);
}

static void print_stages(const char* what, const scree_report* report)
{
    print_message("%s:", what);
    for (int i = 0; i < report->n_stages; ++i) {
        const scree_stage* stage = &stages[i];
        print_message(" %s %lld to %.1g;", stage->solver, (long long)stage->iterations,
                      stage->residual);
    }
    print_message("\n");
}

/* A packing on which sweeps take long. */
static scree_problem_store hard_packing(void)
{
    scree_packing_def def =
        packing(SCREE_PACKING_PYRAMID, 400, SCREE_ROWS_NTT, SCREE_LAW_EXACT, 0.3);
    return packed(&def);
}

static void auto_tells_its_stages(void** state)
{
    (void)state;
    int64_t cold = 0;
    for (int n = 0; n < 6; ++n) {
        int law = n % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        scree_packing_def def =
            packing(n / 2, test_size(100, 400), SCREE_ROWS_NTTRRS, law, n == 2 ? 0.0 : 0.3);
        scree_problem_store store = packed(&def);
        double* p = zeros_of(&store.problem);
        scree_solver_def solver = auto_def(n % 3 ? 1e-8 : 1e-4, 20000);
        scree_report report = solved(&store.problem, &solver, p);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        print_stages(scree_packing_name(n / 2), &report);
        require_stages(&report);
        cold += report.iterations;
        free(p);
        scree_problem_store_release(&store);
    }
    require(cold > 0, "nothing was done");
}

static void auto_goes_beyond_its_first_stage(void** state)
{
    (void)state;
    scri_random random = test_seed("warm", 159);
    scree_problem_store store = hard_packing();
    int32_t n_rows = scree_problem_n_rows(&store.problem);
    double *p = zeros_of(&store.problem), *again = zeros_of(&store.problem);
    scree_solver_def def = auto_def(1e-8, 100000);
    scree_report cold = solved(&store.problem, &def, p);
    assert_int_equal(cold.outcome, SCREE_OUTCOME_CONVERGED);
    print_stages("cold", &cold);
    require_stages(&cold);
    def.stages_room = 1; /* no more is written, but all are counted */
    stages[1].solver = NULL;
    scree_report twin = solved(&store.problem, &def, again);
    assert_null(stages[1].solver);
    def.stages_room = SCREE_STAGES_MAX;
    require(cold.n_stages >= 2, "%d stages", cold.n_stages);
    assert_memory_equal(p, again, (size_t)n_rows * sizeof *p);
    require(cold.iterations == twin.iterations && cold.n_stages == twin.n_stages &&
                strcmp(cold.solver, twin.solver) == 0,
            "the same call took another way");
    double size = largest(p, n_rows);
    for (int32_t i = 0; i < n_rows; ++i) p[i] += 1e-6 * size * draw_between(&random, -1.0, 1.0);
    scree_report warm = solved(&store.problem, &def, p);
    assert_int_equal(warm.outcome, SCREE_OUTCOME_CONVERGED);
    print_stages("warm", &warm);
    require_stages(&warm);
    require(warm.iterations < cold.iterations, "%lld iterations warm, %lld cold",
            (long long)warm.iterations, (long long)cold.iterations);
    scree_report done = solved(&store.problem, &def, p);
    require(done.outcome == SCREE_OUTCOME_CONVERGED && done.iterations == 0,
            "%lld iterations from a solution", (long long)done.iterations);
    free(p);
    free(again);
    scree_problem_store_release(&store);
}

/* Where bodies are not round and contacts are many, sweeps are accelerated from the first; few are
 * left to Newton methods where plain ones take long. */
static void auto_accelerates_many_that_are_not_round(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        int many = k > 0;
        scree_packing_def def =
            packing(SCREE_PACKING_PYRAMID, many ? 1200 : 600, SCREE_ROWS_NTT, SCREE_LAW_EXACT, 0.3);
        scree_problem_store store = packed(&def);
        scree_problem problem = store.problem;
        size_t n = 6 * (size_t)problem.bodies.n_bodies;
        double *p = zeros_of(&problem), *inverse = malloc(n * sizeof *inverse);
        memcpy(inverse, problem.bodies.inv_inertia, n * sizeof *inverse);
        for (size_t i = 0; i < n; i += 6) inverse[i] *= 1.1; /* longer along x */
        problem.bodies.inv_inertia = inverse;
        require(many == (problem.n_contacts >= 1000), "%d contacts", problem.n_contacts);
        scree_solver_def solver = auto_def(1e-3, k < 2 ? 20000 : 500); /* too few for Newton */
        scree_report report = solved(&problem, &solver, p);
        print_stages(many ? "many" : "few", &report);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        assert_string_equal(stages[0].solver, many ? "nsgs-aa" : "nsgs-bodies");
        require_stages(&report);
        free(p);
        free(inverse);
        scree_problem_store_release(&store);
    }
}

/* A step of a heap in motion, with impulses to begin with. What single precision reaches by itself
 * is left to it for thousands of sweeps; close to its end it hands over soon. */
static void auto_sweeps_a_heap_in_motion(void** state)
{
    (void)state;
    static const double tols[] = {1e-3, 1e-4, 9e-5};
    scree_packing_def made =
        packing(SCREE_PACKING_RANDOM, 600, SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, 1.0);
    made.mu = 0.6;
    made.mu_r_share = made.mu_s_share = 0.01;
    made.seed = 12;
    scree_problem_store store = packed(&made);
    int32_t n_rows = scree_problem_n_rows(&store.problem);
    for (int k = 0; k < 3; ++k) {
        double* p = zeros_of(&store.problem);
        for (int32_t i = 0; i < n_rows; ++i) p[i] = 1e-9;
        scree_solver_def def = auto_def(tols[k], 20000);
        def.measure = SCREE_MEASURE_LOCAL;
        scree_report report = solved(&store.problem, &def, p);
        print_stages("in motion", &report);
        require_stages(&report);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        assert_string_equal(stages[0].solver, "nsgs-wide-aa");
        require(k != 1 || (report.n_stages == 1 && report.iterations > 1000),
                "%lld sweeps in %d stages", (long long)report.iterations, report.n_stages);
        require(k != 2 || (stages[0].iterations == 1000 && report.n_stages > 1),
                "%lld sweeps in single precision", (long long)stages[0].iterations);
        free(p);
    }
    scree_problem_store_release(&store);
}

static void auto_keeps_to_the_limit(void** state)
{
    (void)state;
    scree_problem_store store = hard_packing();
    static const int64_t limits[] = {1, 7, 29, 31, 50, 150, 201, 230};
    for (size_t n = 0; n < sizeof limits / sizeof limits[0]; ++n) {
        double* p = zeros_of(&store.problem);
        scree_solver_def def = auto_def(1e-12, limits[n]);
        scree_report report = solved(&store.problem, &def, p);
        print_stages("limited", &report);
        require_stages(&report);
        require(report.iterations <= limits[n], "%lld iterations", (long long)report.iterations);
        require(limits[n] > 150 || (report.outcome == SCREE_OUTCOME_ITERATION_LIMIT &&
                                    report.iterations == limits[n]),
                "%s after %lld", scree_outcome_text((int)report.outcome),
                (long long)report.iterations);
        free(p);
    }
    scree_problem_store_release(&store);
}

/* A tolerance that is never met lets every stage of a small pile come to its end. */
static void auto_shares_the_limit_among_stages(void** state)
{
    (void)state;
    scree_packing_def made =
        packing(SCREE_PACKING_PYRAMID, 20, SCREE_ROWS_NTT, SCREE_LAW_EXACT, 0.3);
    scree_problem_store store = packed(&made);
    for (int64_t limit = 31; limit < 2000; limit = limit * 5 / 4) {
        double* p = zeros_of(&store.problem);
        scree_solver_def def = auto_def(0.0, limit);
        scree_report report = solved(&store.problem, &def, p);
        if (limit < 40) print_stages("shared", &report);
        require_stages(&report);
        require(report.n_stages >= 2, "%d stages", report.n_stages);
        free(p);
    }
    scree_problem_store_release(&store);
}

/* Few contacts and many, with bodies and in contact space. */
static void* count_and_refuse(void* user, size_t size)
{
    (void)size;
    ++*(int*)user;
    return NULL;
}

static void* count_and_take(void* user, size_t size)
{
    ++*(int*)user;
    return malloc(size);
}

static void give_back(void* user, void* memory)
{
    (void)user;
    free(memory);
}

/* As a time step does, which knows that no body has too many contacts for packs. */
static scree_report solve_uncrowded(const scree_env* env, const scree_problem* problem,
                                    const scree_solver_def* def, double* p)
{
    scri_facts facts = scri_facts_find(problem, NULL);
    scri_bump bump = {NULL, 0};
    scri_known known;
    scree_report report;
    void* memory = NULL;
    facts.n_crowded = 0;
    for (int counting = 1; counting >= 0; --counting) {
        bump = (scri_bump){memory, 0};
        known = scri_known_create(problem, &facts, NULL, &bump);
        known.wide = scri_nsgs_wide_share(problem, &facts, &bump);
        if (counting) memory = test_take(bump.used, 1);
    }
    scri_known_find(&known, NULL, 0.0);
    void* work = test_take(scri_solve_known_size(env, &known, def), 1);
    assert_int_equal(scri_solve_known(env, &known, def, work, p, &report), SCREE_OK);
    free(work);
    free(memory);
    return report;
}

/* Of a large problem, methods that take more than the first ask for their memory when their turn
 * comes; where there is none, they are passed over. */
static void auto_asks_late_for_much(void** state)
{
    (void)state;
    test_needs_sparse();
    scree_packing_def made =
        packing(SCREE_PACKING_RANDOM, 1200, SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, 1.0);
    made.mu = 0.6;
    made.mu_r_share = made.mu_s_share = 0.01;
    scree_problem_store store = packed(&made);
    require(store.problem.n_contacts > 1000, "%d contacts", (int)store.problem.n_contacts);
    scree_solver_def def = auto_def(2e-5, 1500);
    def.measure = SCREE_MEASURE_LOCAL;
    for (int has_memory = 0; has_memory < 2; ++has_memory) {
        int asked = 0, n_late = 0;
        scree_env env = {.alloc = has_memory ? count_and_take : count_and_refuse,
                         .release = give_back,
                         .user = &asked,
                         .sparse = test_sparse()};
        double* p = zeros_of(&store.problem);
        scree_report report = solve_uncrowded(&env, &store.problem, &def, p);
        print_stages(has_memory ? "with memory" : "without", &report);
        require_stages(&report);
        for (int i = 0; i < report.n_stages; ++i) n_late += !strcmp(stages[i].solver, "nsgs-aa");
        assert_true(asked > 0);
        assert_int_equal(n_late > 0, has_memory);
        free(p);
    }
    scree_problem_store_release(&store);
}

static void auto_takes_all_sizes_and_forms(void** state)
{
    (void)state;
    scri_random random = test_seed("forms", 160);
    for (int n = 0; n < test_cases(5, 40); ++n) {
        sample s = draw_body_problem(&random, 1 + draw_below(&random, 30), 12);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) s.law[c] = (uint8_t)draw_below(&random, 2);
        draw_motion(&s, &random);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        for (int form = 0; form < 2; ++form) {
            double* p = zeros_of(&s.view);
            scree_solver_def def = auto_def(1e-8, 20000);
            scree_report report = solved(form ? &reduced.problem : &s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED, "case %d, form %d: %s at %.2g", n,
                    form, scree_outcome_text((int)report.outcome), report.residual);
            if (report.iterations > 0) require_stages(&report);
            free(p);
        }
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_tells_its_stages),
        cmocka_unit_test(auto_goes_beyond_its_first_stage),
        cmocka_unit_test(auto_accelerates_many_that_are_not_round),
        cmocka_unit_test(auto_sweeps_a_heap_in_motion),
        cmocka_unit_test(auto_keeps_to_the_limit),
        cmocka_unit_test(auto_shares_the_limit_among_stages),
        cmocka_unit_test(auto_asks_late_for_much),
        cmocka_unit_test(auto_takes_all_sizes_and_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
