/* What the answers alone do not show: that Newton's method finds nearly all of them, that the
 * fail-safe finds them by itself, and that slip rates are handed on for the next call. */
#include "laws/equilibrate.h"
#include "laws/fail_safe.h"
#include "laws/law.h"
#include "support/one_contact_judge.h"

enum { COUNT = 400 };

/* A contact in equilibrated variables, as the solvers have it. */
static one_contact_problem draw_scaled(scri_random* random, const scri_law* law, scree_rows rows)
{
    one_contact_problem c, scaled;
    int width = shape_of((int)rows).width;
    double diagonal[6], s[6];
    one_contact_draw(random, ONE_CONTACT_ORDINARY, rows, &c);
    for (int i = 0; i < width; ++i) diagonal[i] = c.w[i * width + i];
    scri_equilibrate((int)rows, law, diagonal, 1.0, s);
    scaled = c;
    law->scale((scri_terms){(int)rows, c.coef, NULL, NULL, NULL}, s, scaled.coef);
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) scaled.w[i * width + j] /= s[i] * s[j];
        scaled.q[i] /= s[i];
    }
    return scaled;
}

/* For each law with cones and all its rows. */
static void for_all(const char* name, uint64_t seed, int last_law,
                    void (*check)(scri_random* random, scree_law law, scree_rows rows))
{
    scri_random random = test_seed(name, seed);
    for (int law = SCREE_LAW_EXACT; law <= last_law; ++law) {
        for (int rows = SCREE_ROWS_NT; rows < SCREE_ROWS_END; ++rows) {
            check(&random, (scree_law)law, (scree_rows)rows);
        }
    }
}

static void check_newton(scri_random* random, scree_law law, scree_rows rows)
{
    int fail_safe = 0;
    for (int n = 0; n < COUNT; ++n) {
        one_contact_problem c;
        double p[6] = {0.0};
        one_contact_draw(random, ONE_CONTACT_ORDINARY, rows, &c);
        scree_one_contact_way how = scree_one_contact_solve(rows, law, c.coef, c.w, c.q, p);
        require(how != SCREE_ONE_CONTACT_NONE, "%s %s: case %d has no answer",
                scree_law_name((int)law), row_names[rows], n);
        fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
    }
    print_message("%s %s: %d of %d by the fail-safe\n", scree_law_name((int)law), row_names[rows],
                  fail_safe, COUNT);
    int lone = (rows == SCREE_ROWS_NT || rows == SCREE_ROWS_NTT) && law != SCREE_LAW_COUPLED;
    int percent = lone ? 0 : law == SCREE_LAW_EXACT ? 5 : law == SCREE_LAW_CONVEX ? 18 : 5;
    require(100 * fail_safe <= percent * COUNT, "%d of %d", fail_safe, COUNT);
}

static void newton_needs_no_help(void** state)
{
    (void)state;
    for_all("Newton", 61, SCREE_LAW_COUPLED, check_newton);
}

static void check_fail_safe(scri_random* random, scree_law law, scree_rows rows)
{
    int tried = 0;
    real worst = 0;
    for (int n = 0; n < COUNT / 4; ++n) {
        one_contact_problem c = draw_scaled(random, scri_law_get((int)law), rows);
        int width = shape_of((int)rows).width;
        scri_slip_contact contact = {(int)rows,
                                     scri_layout_of((int)rows),
                                     law == SCREE_LAW_CONVEX,
                                     SCRI_ALONE_TOLERANCE,
                                     c.coef,
                                     c.w,
                                     c.q};
        scri_slip s;
        double p[6];
        if (!(c.q[0] < 0.0)) continue; /* exact: takes off; convex: may */
        ++tried;
        require(scri_fail_safe(&contact, &s), "case %d has no answer", n);
        scri_slip_impulse(width - 1, &contact, &s, p);
        real residual = reference_residual((int)rows, (int)law, c.coef, c.w, c.q, p);
        require(residual <= real_max((real)1e-12, (real)rounding_floor(&c, p)),
                "%s %s, case %d: residual %.3g", scree_law_name((int)law), row_names[rows], n,
                (double)residual);
        if (residual > worst) worst = residual;
    }
    print_message("%s %s: %d tried, worst residual %.2g\n", scree_law_name((int)law),
                  row_names[rows], tried, (double)worst);
    require(tried > COUNT / 20, "only %d tried", tried);
}

static void the_fail_safe_needs_no_newton(void** state)
{
    (void)state;
    for_all("fail-safe", 62, SCREE_LAW_CONVEX, check_fail_safe);
}

/* lambda_k = -y_k . p_k / |p_k|^2 where a channel slips and 0 where it sticks; under the coupled
 * law one rate for all, in variables divided by the coefficients. */
static void check_rates(scri_random* random, scree_law law, scree_rows rows)
{
    const scri_law* entry = scri_law_get((int)law);
    row_shape f = shape_of((int)rows);
    int slips = 0;
    for (int n = 0; n < COUNT / 4; ++n) {
        one_contact_problem c = draw_scaled(random, entry, rows);
        double p[6] = {0.0}, lambda[3] = {0.0, 0.0, 0.0}, work[3] = {0.0}, square[3] = {0.0};
        scri_terms terms = {(int)rows, c.coef, NULL, NULL, NULL};
        entry->solve(terms, c.w, c.q, p, lambda, SCRI_ALONE_TOLERANCE);
        if (!(p[0] > 0.0)) continue;
        for (int k = 0; k < CHANNELS; ++k) {
            int to = law == SCREE_LAW_COUPLED ? 0 : k;
            if (!(c.coef[k] > 0.0)) continue;
            for (int i = f.first[k]; i < f.first[k] + f.dim[k]; ++i) {
                double y = c.q[i];
                for (int j = 0; j < f.width; ++j) y += c.w[i * f.width + j] * p[j];
                work[to] -= y * p[i];
                square[to] += p[i] * p[i] / (law == SCREE_LAW_COUPLED ? c.coef[k] * c.coef[k] : 1);
            }
        }
        for (int k = 0; k < CHANNELS; ++k) {
            double expected = square[k] > 0.0 ? work[k] / square[k] : 0.0;
            require(fabs(lambda[k] - expected) <= 1e-9 * (1.0 + fabs(expected)),
                    "%s %s, case %d, channel %d: rate %.12g, not %.12g", scree_law_name((int)law),
                    row_names[rows], n, k, lambda[k], expected);
            slips += lambda[k] > 1e-6;
        }
    }
    require(slips > 10, "%s %s: only %d slip", scree_law_name((int)law), row_names[rows], slips);
}

static void slip_rates_are_handed_on(void** state)
{
    (void)state;
    for_all("slip rates", 63, SCREE_LAW_COUPLED, check_rates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_needs_no_help),
        cmocka_unit_test(the_fail_safe_needs_no_newton),
        cmocka_unit_test(slip_rates_are_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
