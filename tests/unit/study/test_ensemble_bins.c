/* Densities in bins: nothing is counted twice or left out, whatever the number of bins. */
#include "scree_study/foundation.h"
#include "support/test.h"

#include <math.h>

enum { CELLS = 37 };

/* A density of our own: empty cells at both ends, weights 1, 2, ... between them. */
typedef struct made {
    scree_foundation_density density;
    scree_ensemble ensemble;
    double cumulative[CELLS + 1];
    int64_t histogram[CELLS];
} made;

static void make(made* m, int first, int last)
{
    *m = (made){.density = {.n = CELLS, .begin = 2.0, .width = 0.25}};
    double total = 0.0, below = 0.0;
    for (int i = first; i < last; ++i) total += i - first + 1;
    for (int i = 0; i < CELLS; ++i) {
        double weight = i >= first && i < last ? i - first + 1 : 0.0;
        m->cumulative[i] = below / total;
        below += weight;
        m->histogram[i] = i % 5;
        m->ensemble.n_samples += m->histogram[i];
    }
    m->cumulative[CELLS] = 1.0;
    m->density.cumulative = m->cumulative;
    m->ensemble.histogram = m->histogram;
}

static void check(made* m, int first, int last, int most)
{
    double v[CELLS], exact[CELLS], counted[CELLS], sum = 0.0, samples = 0.0;
    int n = scree_ensemble_bins(&m->density, &m->ensemble, most, v, exact, counted);
    require(n >= 1 && n <= most, "%d bins of at most %d", n, most);
    int cells = (last - first + most - 1) / most;
    double width = 0.25 * cells;
    for (int k = 0; k < n; ++k) {
        require(fabs(v[k] - (2.0 + 0.25 * first + width * (k + 0.5))) <= 1e-12, "middle %g", v[k]);
        double part = 0.0;
        for (int i = first + k * cells; i < first + (k + 1) * cells && i < CELLS; ++i) {
            part += (double)m->histogram[i];
        }
        samples = (double)m->ensemble.n_samples;
        require(fabs(counted[k] * width * samples - part) <= 1e-9, "bin %d of %d: %g samples", k, n,
                counted[k] * width * samples);
        sum += exact[k] * width;
    }
    require(fabs(sum - 1.0) <= 1e-12, "%d bins: probability %.17g", n, sum);
    require(n * cells >= last - first, "%d bins of %d cells", n, cells);
}

static void test_bins(void** state)
{
    (void)state;
    static const int ends[][2] = {{0, CELLS}, {5, 30}, {0, 1}, {36, CELLS}, {20, CELLS}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k) {
        for (int most = 1; most <= CELLS; ++most) {
            made m;
            make(&m, ends[k][0], ends[k][1]);
            check(&m, ends[k][0], ends[k][1], most);
        }
    }
}

/* What is rarer than one in two million on either side is left out. */
static void test_rare_ends(void** state)
{
    (void)state;
    made m;
    double v[CELLS], exact[CELLS], counted[CELLS];
    make(&m, 10, 20);
    for (int i = 0; i < CELLS; ++i) {
        double bulk = m.cumulative[i];
        m.cumulative[i] = 4e-7 * i / CELLS + (1.0 - 4e-7) * bulk;
    }
    int n = scree_ensemble_bins(&m.density, &m.ensemble, CELLS, v, exact, counted);
    require(n == 10 && fabs(v[0] - (2.0 + 0.25 * 10.5)) <= 1e-12, "%d bins from %g", n, v[0]);
}

static void test_no_samples(void** state)
{
    (void)state;
    made m;
    double v[CELLS], exact[CELLS], counted[CELLS];
    make(&m, 5, 30);
    m.ensemble.n_samples = 0;
    int n = scree_ensemble_bins(&m.density, &m.ensemble, 5, v, exact, counted);
    assert_int_equal(n, 5);
    for (int k = 0; k < n; ++k) assert_true(isnan(counted[k]) && exact[k] > 0.0);
    assert_int_equal(scree_ensemble_bins(&m.density, &m.ensemble, 0, v, exact, counted), 0);
    assert_int_equal(scree_ensemble_bins(NULL, &m.ensemble, 5, v, exact, counted), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_rare_ends),
        cmocka_unit_test(test_no_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
