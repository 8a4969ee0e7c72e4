/* Limits of a solve, by a clock that tells how often it was looked at. */
#include "solvers/budget.h"
#include "support/solving.h"

static scri_budget budget_of(const scree_env* env, int64_t max_iter, double max_time)
{
    scree_solver_def def = solver_def("auto", 0.0, max_iter);
    def.max_time = max_time;
    return scri_budget_create(env, &def, 1000); /* contacts: a look at every iteration */
}

static void iterations_are_counted(void** state)
{
    (void)state;
    test_clock clock = {.step = 0.0};
    scree_env env = test_clock_env(&clock);
    scri_budget b = budget_of(&env, 10, 1.0);
    scri_budget_begin(&b, 3);
    for (int i = 0; i < 3; ++i) {
        assert_false(scri_budget_is_spent(&b));
        assert_int_equal(scri_budget_tick(&b, 1.0), 0);
    }
    assert_true(scri_budget_is_spent(&b));
    assert_int_equal(scri_budget_left(&b), 7);
    scri_budget_begin(&b, 100); /* more than all together may make */
    assert_int_equal(b.limit, 10);
    for (int i = 0; i < 7; ++i) assert_int_equal(scri_budget_tick(&b, 1.0), 0);
    assert_true(scri_budget_is_spent(&b));
    assert_int_equal(scri_budget_left(&b), 0);
}

/* Steps of 1 s and a limit of 10 s: the one that would end at 11 is not begun. */
static void time_ends_it(void** state)
{
    (void)state;
    test_clock clock = {.step = 1.0};
    scree_env env = test_clock_env(&clock);
    scri_budget b = budget_of(&env, 1000, 10.0);
    scri_budget_begin(&b, 1000);
    int made = 1;
    while (!scri_budget_tick(&b, 1.0)) ++made;
    assert_int_equal(made, 10);
    assert_int_equal(b.why, SCREE_OUTCOME_TIME_LIMIT);
    assert_true(scri_budget_time(&b) == 11.0); /* one look more */

    clock.step = 3.0;
    b = budget_of(&env, 1000, 10.0);
    scri_budget_begin(&b, 1000);
    for (made = 1; !scri_budget_tick(&b, 1.0);) ++made;
    assert_int_equal(made, 3); /* 9 s: another 3 would be 12 */

    b = budget_of(&env, 1000, 0.0);
    assert_true(scri_budget_look(&b, 1.0) && b.why == SCREE_OUTCOME_TIME_LIMIT);
}

/* Two contacts: once in 129 iterations, until one is slow. */
static void quick_iterations_do_without_the_clock(void** state)
{
    (void)state;
    test_clock clock = {.step = 1e-5};
    scree_env env = test_clock_env(&clock);
    scree_solver_def def = solver_def("auto", 0.0, 100000);
    scri_budget b = scri_budget_create(&env, &def, 2);
    scri_budget_begin(&b, 100000);
    for (int i = 0; i < 1290; ++i) scri_budget_tick(&b, 1.0);
    assert_int_equal(lround(clock.now / 1e-5), 1 + 10);
    clock.step = 0.01;
    for (int i = 0; i < 129; ++i) scri_budget_tick(&b, 1.0);
    double before = clock.now;
    for (int i = 0; i < 5; ++i) scri_budget_tick(&b, 1.0);
    assert_int_equal(lround((clock.now - before) / 0.01), 5);
}

typedef struct listener {
    int calls, stop_at;
    double residual;
} listener;

static int listen(void* user, int64_t iterations, double residual)
{
    listener* l = user;
    (void)iterations;
    l->residual = residual;
    return ++l->calls == l->stop_at;
}

/* Ten times a second; who asked to stop is not asked again. */
static void progress_is_told(void** state)
{
    (void)state;
    test_clock clock = {.step = 0.03};
    scree_env env = test_clock_env(&clock);
    listener l = {.stop_at = 3};
    scri_budget b = budget_of(&env, 1000, 1e30);
    b.progress = listen;
    b.progress_user = &l;
    scri_budget_begin(&b, 1000);
    int made = 1;
    while (!scri_budget_tick(&b, 0.5)) ++made;
    assert_int_equal(l.calls, 3);
    assert_int_equal(made, 9); /* after 0.06, 0.18 and 0.30 s */
    assert_true(l.residual == 0.5);
    assert_int_equal(b.why, SCREE_OUTCOME_INTERRUPTED);
    assert_true(scri_budget_look(&b, 0.25) && l.calls == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_are_counted),
        cmocka_unit_test(time_ends_it),
        cmocka_unit_test(quick_iterations_do_without_the_clock),
        cmocka_unit_test(progress_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
