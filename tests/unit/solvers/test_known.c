/* What is known of a problem saves work and nothing else: the same impulses, the same report. */
#include "base/team.h"
#include "problem/bodies_kernel.h"
#include "solvers/known.h"
#include "solvers/nsgs_wide.h"
#include "solvers/solve.h"
#include "support/bits.h"
#include "support/solving.h"

enum { WORKERS = 3 };

/* A problem with what is known of it, and room for solves. */
typedef struct case_of {
    const scree_problem* problem;
    scri_team* team;
    scri_known known;
    void* room;
} case_of;

static case_of get_to_know(const scree_problem* problem, scri_team* team, double speed)
{
    case_of k = {.problem = problem, .team = team};
    scri_facts facts = scri_facts_find(problem, team);
    scri_bump count = {NULL, 0}, bump = {NULL, 0};
    scri_known_create(problem, &facts, team, &count);
    scri_nsgs_wide_share(problem, &facts, &count);
    bump.memory = k.room = malloc(count.used);
    k.known = scri_known_create(problem, &facts, team, &bump);
    k.known.wide = scri_nsgs_wide_share(problem, &facts, &bump);
    assert_int_equal(bump.used, count.used);
    scri_known_find(&k.known, NULL, speed);
    return k;
}

/* Says stop when it is asked for the last time that it has patience for. */
static int go_on(void* user, int64_t iterations, double residual)
{
    int* left = user;
    (void)iterations;
    (void)residual;
    return (*left)-- == 0;
}

/* Solves with what is known, or, where `k` lends nothing but the problem, without. */
static scree_report solve(case_of* k, int knowing, scree_solver_def def, int patience, double* p)
{
    test_clock clock = {0.0, 0.2}; /* asked at every look */
    scree_env env = test_clock_env(&clock);
    void* work = malloc(scri_solve_work_size(&env, k->problem, &def, k->team) + 1);
    scree_report report;
    def.progress = go_on;
    def.progress_user = &patience;
    scree_status status = knowing ? scri_solve_known(&env, &k->known, &def, work, p, &report)
                                  : scri_solve(&env, k->problem, &def, k->team, work, p, &report);
    assert_int_equal(status, SCREE_OK);
    free(work);
    return report;
}

static size_t bytes_of(const scree_problem* problem)
{
    return (size_t)scree_problem_n_rows(problem) * sizeof(double);
}

/* What is said to be known of p is what somebody else finds who knows nothing. */
static int check_judgement(case_of* k, const double* p)
{
    if (!k->known.is_judged) return 0;
    assert_true(scri_known_is_judged(&k->known, p));
    case_of fresh = get_to_know(k->problem, k->team, k->known.scaling.speed);
    scri_known_judge(&fresh.known, p);
    size_t bytes = bytes_of(k->problem), n = (size_t)k->problem->n_contacts;
    assert_memory_equal(fresh.known.y, k->known.y, bytes);
    assert_memory_equal(fresh.known.best, k->known.best, bytes);
    assert_memory_equal(fresh.known.size, k->known.size, n * sizeof *k->known.size);
    assert_memory_equal(fresh.known.op.velocity, k->known.op.velocity, /* solves begin with it */
                        SCRI_BODY_STRIDE * (size_t)k->problem->bodies.n_bodies * sizeof(double));
    assert_true(fresh.known.map.local == k->known.map.local);
    assert_true(fresh.known.map.absolute == k->known.map.absolute);
    assert_true(fresh.known.map.approach == k->known.map.approach);
    free(fresh.room);
    return 1;
}

/* Solves from p with and without knowing; returns whether the end was known, too. */
static int compare(case_of* k, const scree_solver_def* def, int patience, double* p)
{
    size_t bytes = bytes_of(k->problem);
    double* other = zeros_of(k->problem);
    memcpy(other, p, bytes);
    scree_report report = solve(k, 1, *def, patience, p);
    scree_report plain = solve(k, 0, *def, patience, other);
    require(memcmp(p, other, bytes) == 0, "%s: other impulses", def->solver);
    require(report.residual == plain.residual && report.iterations == plain.iterations &&
                report.outcome == plain.outcome && report.updates == plain.updates &&
                report.solver == plain.solver,
            "%s: %s, %g after %lld, otherwise %s, %g after %lld", def->solver,
            scree_outcome_text((int)report.outcome), report.residual, (long long)report.iterations,
            scree_outcome_text((int)plain.outcome), plain.residual, (long long)plain.iterations);
    free(other);
    return check_judgement(k, p);
}

static const char* const methods[] = {"auto",      "nsgs",        "nsgs-aa",      "nsgs-bodies",
                                      "nsgs-wide", "newton-prox", "nsgs-wide-aa", "apgd",
                                      "nsgs-wide", "nsgs-wide-aa"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Whether a method would find its packs laid out. */
static int finds_packs(const case_of* k, const char* method)
{
    return k->known.wide && k->known.wide->is_laid_out && strncmp(method, "nsgs-wide", 9) == 0;
}

/* One solve after the other, each from where the last has ended, some from elsewhere. */
static int solve_in_turn(case_of* k, scree_measure measure, scri_random* random, int* with_packs)
{
    double* p = zeros_of(k->problem);
    int32_t n_rows = scree_problem_n_rows(k->problem);
    int known = 0;
    for (int turn = 0; turn < 12; ++turn) {
        const char* method = methods[scri_random_below(random, METHODS)];
        scree_solver_def def =
            solver_def(method, turn % 3 == 2 ? 1e-4 : 1e-2, draw_chance(random, 60.0) ? 1 : 60);
        def.measure = measure;
        def.speed = turn % 5 == 4 ? 0.1 : 0.02;
        def.min_iter = turn % 2 ? 3 : 0;
        if (scree_solver_unfit(sparse_env(), k->problem, &def)) continue;
        if (turn % 4 == 1) scri_known_judge(&k->known, p);
        if (turn % 4 == 3) p[scri_random_below(random, (uint32_t)n_rows)] += 1e-9;
        *with_packs += finds_packs(k, method);
        known += compare(k, &def, turn % 6 == 5 ? 3 : 1 << 20, p);
    }
    free(p);
    return known;
}

static void knowing_changes_no_bit(void** state)
{
    (void)state;
    static const int all_rows[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTRRS};
    scri_random random = test_seed("known", 71);
    int known = 0, with_packs = 0;
    for (int i = 0; i < 18; ++i) {
        scri_team* team = NULL;
        sphere_pile pile =
            pyramid_of(6, 4, i % 2 ? SCREE_LAW_EXACT : SCREE_LAW_CONVEX, all_rows[i % 3], 0.4);
        sample s = i % 6 == 5 ? draw_body_problem(&random, 30, 12) : sample_pile(&pile, &random);
        if (i % 4 == 2) draw_inertia(&random, s.inv_inertia[0], s.inv_inertia); /* guests */
        if (i % 3 != 0) assert_int_equal(scri_team_create(NULL, WORKERS, &team), SCREE_OK);
        if (team) scri_team_spread(team, WORKERS);
        case_of k = get_to_know(&s.view, team, 0.02);
        known += solve_in_turn(&k, i % 4 == 3 ? SCREE_MEASURE_SCREE : SCREE_MEASURE_LOCAL, &random,
                               &with_packs);
        scri_team_destroy(team);
        free(k.room);
        sample_end(&s);
    }
    require(known > 60, "only %d ends were known", known);
    require(with_packs > 12, "only %d solves had packs", with_packs);
}

/* A sphere that two walls press from either side: what has given way is not the problem that is
 * known. */
static void what_gives_way_is_not_known(void** state)
{
    (void)state;
    scri_random random = test_seed("known walls", 72);
    sphere_pile pile = pyramid_of(2, 1, SCREE_LAW_EXACT, SCREE_ROWS_NTT, 0.3);
    sample s = sample_pile(&pile, &random);
    for (int i = 0; i < 2; ++i) s.pair[2 + i] = s.pair[i];
    for (int i = 0; i < 9; ++i) s.frame[9 + i] = i / 3 == 1 ? s.frame[i] : -s.frame[i];
    for (int i = 0; i < 6; ++i) s.arm[6 + i] = s.arm[i];
    s.q[s.row[0]] = s.q[s.row[1]] = -1.0;
    case_of k = get_to_know(&s.view, NULL, 0.02);
    double* p = zeros_of(&s.view);
    for (int turn = 0; turn < 9; ++turn) {
        scree_solver_def def =
            solver_def(turn < 3 ? "nsgs" : "nsgs-wide", 1e-3, turn < 6 ? 1000 : 1);
        def.measure = SCREE_MEASURE_LOCAL;
        def.speed = 0.02;
        scri_known_judge(&k.known, p);
        assert_false(compare(&k, &def, 1 << 20, p));
        double* again = zeros_of(&s.view);
        assert_int_equal(solve(&k, 1, def, 1 << 20, again).outcome, SCREE_OUTCOME_INFEASIBLE);
        free(again);
    }
    free(p);
    free(k.room);
    sample_end(&s);
}

/* A judgement is of these impulses, of this problem, and of no others. */
static void a_judgement_is_of_one_guess(void** state)
{
    (void)state;
    scri_random random = test_seed("one guess", 73);
    sphere_pile pile = pyramid_of(3, 2, SCREE_LAW_EXACT, SCREE_ROWS_NTT, 0.3);
    sample s = sample_pile(&pile, &random);
    int32_t n_rows = scree_problem_n_rows(&s.view);
    case_of k = get_to_know(&s.view, NULL, 0.0);
    double *p = zeros_of(&s.view), *q = zeros_of(&s.view);
    assert_false(scri_known_is_judged(&k.known, p));
    scri_known_judge(&k.known, p);
    assert_true(scri_known_is_judged(&k.known, p));
    for (int32_t i = 0; i < n_rows; ++i) {
        p[i] = -0.0;
        assert_false(scri_known_is_judged(&k.known, p));
        p[i] = SCREE_NAN;
        assert_false(scri_known_is_judged(&k.known, p));
        p[i] = 0.0;
    }
    for (int32_t i = 0; i < n_rows; ++i) q[i] = 2.0 * s.q[i];
    scree_problem other = s.view;
    other.q = q;
    scri_known relaxed = scri_known_relaxed(&k.known, &other, 0.0);
    assert_false(scri_known_is_judged(&k.known, p));
    assert_true(relaxed.scaling.speed == 2.0 * k.known.scaling.speed);
    scri_known_judge(&relaxed, p);
    for (int32_t i = 0; i < n_rows; ++i) assert_true(relaxed.y[i] == q[i]);
    assert_false(scri_known_is_judged(&k.known, p));
    free(p);
    free(q);
    free(k.room);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knowing_changes_no_bit),
        cmocka_unit_test(what_gives_way_is_not_known),
        cmocka_unit_test(a_judgement_is_of_one_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
