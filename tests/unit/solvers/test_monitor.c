/* When a method is content, stalled or hopeless, on residuals told by hand. */
#include "solvers/monitor.h"
#include "support/solving.h"

static scri_monitor monitor_of(double tol, int64_t min_iter)
{
    scree_solver_def def = solver_def("auto", tol, 1000000);
    def.min_iter = min_iter;
    return scri_monitor_create(&def);
}

static void small_is_what_was_asked_for(void** state)
{
    (void)state;
    scri_monitor m = monitor_of(1e-6, 3);
    assert_false(scri_monitor_is_small(&m, 1.1e-6, 100));
    assert_true(scri_monitor_is_small(&m, 1e-6, 3));
    assert_false(scri_monitor_is_small(&m, 1e-7, 2));
    assert_true(scri_monitor_is_small(&m, 1e-12, 0)); /* to rounding: nothing is left to do */
    assert_false(scri_monitor_is_small(&m, (double)NAN, 100));
    m = monitor_of(0.0, 0);
    assert_true(scri_monitor_is_small(&m, 0.0, 0));
    assert_false(scri_monitor_is_small(&m, 1e-300, 0));
}

/* The iteration at which residuals first * ratio^k, one after each, count as stalled; `most` when
 * they do not. */
static int64_t stalls_after(scri_monitor* m, double first, double ratio, int64_t most)
{
    double residual = first;
    for (int64_t k = 1; k < most; ++k, residual *= ratio) {
        scri_monitor_take(m, residual);
        if (scri_monitor_has_stalled(m, k)) return k;
    }
    return most;
}

static void patience_ends(void** state)
{
    (void)state;
    scri_monitor m = monitor_of(1e-8, 0);
    scri_monitor_begin(&m, 0, 100, 0);
    assert_int_equal(stalls_after(&m, 1.0, 1.0, 1000), 102); /* marked at 1, 100 more are allowed */
    scri_monitor_begin(&m, 0, 100, 0);
    assert_int_equal(stalls_after(&m, 1.0, 0.99, 1000), 1000); /* a tenth in eleven */
    scri_monitor_begin(&m, 0, 100, 0);
    assert_int_equal(stalls_after(&m, 1.0, 1.0 - 1e-4, 5000), 102);
    /* who took long to come so far may take as long again */
    scri_monitor_begin(&m, 0, 100, 0);
    assert_int_equal(stalls_after(&m, 1.0, 0.9, 301), 301);
    double low = m.own;
    int64_t k = 301;
    for (; k < 2000; ++k) {
        scri_monitor_take(&m, low);
        if (scri_monitor_has_stalled(&m, k)) break;
    }
    assert_true(k >= 598 && k <= 602);
}

/* The rate 0.99 foresees 460 iterations for each factor of 100. */
static void hope_ends(void** state)
{
    (void)state;
    const double ratio = 0.99;
    for (int hopeful = 0; hopeful < 2; ++hopeful) {
        scri_monitor m = monitor_of(1e-8, 0);
        scri_monitor_take(&m, 1.0); /* the first guess */
        scri_monitor_begin(&m, 0, 100000, hopeful ? 2000 : 1000);
        int64_t stalled = stalls_after(&m, 1.0, ratio, 1500);
        /* the first forecast is made over 48 .. 96 */
        assert_int_equal(stalled, hopeful ? 1500 : 96);
    }
    scri_monitor m = monitor_of(1e-8, 0);
    scri_monitor_begin(&m, 0, 100000, 0);
    assert_int_equal(stalls_after(&m, 1.0, ratio, 1500), 1500); /* none is asked for */
}

/* A residual that is no number is progress to nobody. */
static void no_number_is_no_progress(void** state)
{
    (void)state;
    scri_monitor m = monitor_of(1e-8, 0);
    scri_monitor_begin(&m, 0, 10, 0);
    assert_int_equal(stalls_after(&m, (double)NAN, 1.0, 100), 11);
    assert_true(isinf(m.own) && isnan(m.residual));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_is_what_was_asked_for),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(hope_ends),
        cmocka_unit_test(no_number_is_no_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
