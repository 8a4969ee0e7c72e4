#include "solvers/iterate.h"
#include "support/test.h"

#include <math.h>

enum { N = 5 };

static void the_best_is_kept_and_returned(void** state)
{
    (void)state;
    double p[N] = {1.0, -2.0, 3.0, 0.0, 5.0}, best[N], y[N];
    scri_iterate at = scri_iterate_create(N, NULL, p, best, y);
    assert_true(isnan(at.residual) && at.p == p && at.n_rows == N);

    scri_iterate_keep(&at, 0.25, "one");
    assert_true(at.residual == 0.25);
    assert_string_equal(at.by, "one");
    for (int i = 0; i < N; ++i) p[i] = 9.0;
    assert_true(at.best[1] == -2.0 && at.best[4] == 5.0);

    scri_iterate_return(&at);
    assert_true(p[0] == 1.0 && p[1] == -2.0 && p[2] == 3.0 && p[3] == 0.0 && p[4] == 5.0);

    scri_iterate_clear(&at);
    for (int i = 0; i < N; ++i) assert_true(p[i] == 0.0);
    assert_true(at.best[2] == 3.0); /* the best stays */

    scri_iterate_forget(&at);
    assert_true(isnan(at.residual));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_is_kept_and_returned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
