/* One contact with sets by its fail-safe alone: a reaction map that never agrees leaves Newton's
 * method without success, so that bisection on the normal impulse has to find the answer. */
#include "laws/one_contact_kernel.h"
#include "laws/set_contact.h"
#include "support/friction_sets.h"

/* One off, whatever the impulse. */
static void never_agrees(scri_terms t, const double* z, double blur, double* p, double* d)
{
    int width = scri_layout_of(t.rows).width;
    (void)z, (void)blur;
    for (int i = 0; i < width; ++i) p[i] = t.near[i] - 1.0;
    if (d) memset(d, 0, (size_t)(width * width) * sizeof *d);
}

/* Solves from at->p, in the variables as they are. */
static scree_one_contact_way solve_safely(const scri_law* law, set_contact* at)
{
    scri_set_contact c = {terms_with((int)at->c.rows, at->c.coef, at->set),
                          never_agrees,
                          law == &scri_law_convex_sets ? scri_set_cone_shift : scri_law_no_shift,
                          at->c.w,
                          at->c.q,
                          SCRI_ALONE_TOLERANCE};
    scree_one_contact_way how = scri_set_contact_solve(&c, at->p);
    set_contact_respond(at);
    return how;
}

/* W near the identity, a little off symmetry, of a contact that presses. */
static set_contact draw_contact(scri_random* random, set_stock* stock, int kinds)
{
    set_contact at = {.size = 0.0};
    at.c.rows = draw_spatial_rows(random);
    int width = shape_of((int)at.c.rows).width;
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
            double across = (i == 0 || j == 0 ? 0.1 : 0.2) * draw_between(random, -1.0, 1.0);
            at.c.w[i * width + j] = i == j ? 1.0 : across;
        }
        at.c.q[i] = draw_sign(random) * draw_power(random, -1.0, 0.5);
    }
    at.c.q[0] = -fabs(at.c.q[0]);
    for (int k = 0; k < 3; ++k) at.c.coef[k] = draw_power(random, -1.0, 0.0);
    at.set[0] = stock->set[draw_below(random, kinds)];
    if (draw_chance(random, 50.0)) at.set[2] = stock->set[draw_below(random, kinds)];
    return at;
}

static void bisection_alone_solves_the_exact_law(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_random random = test_seed("fail-safe, exact", 397);
    double worst = 0.0;
    for (int n = 0; n < test_size(150, 5000); ++n) {
        set_contact at = draw_contact(&random, &stock, STOCK_CONVEX);
        if (n % 3 == 0) at.c.coef[n / 3 % 3] = 0.0;
        if (n % 2) at.p[0] = 1.0, at.p[1] = 0.01; /* a guess */
        assert_int_equal(solve_safely(&scri_law_exact_sets, &at), SCREE_ONE_CONTACT_FAIL_SAFE);
        double error = contact_error(&stock, &at);
        require(error <= 1e-11, "case %d: error %g", n, error);
        worst = fmax(worst, error);
    }
    print_message("worst error %.2g\n", worst);
    stock_close(&stock);
}

/* p in K, y in its dual and no power, to what the root of y_N - shift(y) is known. */
static void bisection_alone_solves_the_convex_law(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_random random = test_seed("fail-safe, convex", 398);
    int kept = 0;
    for (int n = 0; n < test_size(150, 5000); ++n) {
        set_contact at = draw_contact(&random, &stock, STOCK_CONVEX);
        double power;
        if (at.c.q[0] >= friction_shift((int)at.c.rows, at.c.coef, at.set, at.c.q)) continue;
        assert_int_equal(solve_safely(&scri_law_convex_sets, &at), SCREE_ONE_CONTACT_FAIL_SAFE);
        double error = convex_error((int)at.c.rows, at.c.coef, at.set, at.s, at.p, at.y, &power);
        require(error <= 1e-10 * at.size, "case %d: error %g of %g", n, error, at.size);
        require(fabs(power) <= 1e-10 * at.size * at.size, "case %d: power %g", n, power);
        ++kept;
    }
    require(kept >= 100, "only %d cases", kept);
    stock_close(&stock);
}

/* Rows that no impulse moves: any force does where nothing moves them, the limit where something
 * does. */
static void rows_that_cannot_move(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    for (int k = 0; k < STOCK_CONVEX; ++k) {
        for (int moved = -1; moved <= 1; ++moved) {
            set_contact at = {.c = {.rows = SCREE_ROWS_NTTS, .coef = {0.6, 0.0, 0.3}},
                              .set = {stock.set[k]}};
            for (int i = 0; i < 3; ++i) at.c.w[5 * i] = 1.0;
            at.c.q[0] = -1.0;
            at.c.q[1] = 0.2;
            at.c.q[3] = moved;
            at.p[0] = 0.5, at.p[3] = 0.05;
            assert_int_equal(solve_safely(&scri_law_exact_sets, &at), SCREE_ONE_CONTACT_FAIL_SAFE);
            double spin = moved ? -0.3 * moved : 0.05;
            require(fabs(at.p[0] - 1.0) <= 1e-14, "set %d: normal %.17g", k, at.p[0]);
            require(fabs(at.p[3] - spin) <= 1e-14, "set %d, %d: spin %g", k, moved, at.p[3]);
            at.p[1] = at.p[2] = 0.0;
            at.c.w[5] = at.c.w[10] = 0.0; /* nor sideways, where nothing moves either */
            at.c.q[1] = 0.0;
            assert_int_equal(solve_safely(&scri_law_exact_sets, &at), SCREE_ONE_CONTACT_FAIL_SAFE);
            require(fabs(at.p[0] - 1.0) <= 1e-14 && at.p[1] == 0.0 && at.p[2] == 0.0,
                    "set %d: (%g, %g, %g)", k, at.p[0], at.p[1], at.p[2]);
        }
    }
    stock_close(&stock);
}

/* What has no answer, and numbers that are none. */
static void contacts_without_an_answer(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    for (int row = 0; row < 3; ++row) {
        for (int kind = 0; kind < 2; ++kind) {
            set_contact at = {.c = {.rows = SCREE_ROWS_NTT, .coef = {0.6}}, .set = {stock.set[1]}};
            for (int i = 0; i < 3; ++i) at.c.w[4 * i] = 1.0;
            at.c.q[0] = -1.0;
            at.c.q[row] = kind ? (double)NAN : -(double)INFINITY;
            assert_int_equal(solve_contact(&scri_law_exact_sets, &at), SCREE_ONE_CONTACT_NONE);
            assert_int_equal(solve_safely(&scri_law_exact_sets, &at), SCREE_ONE_CONTACT_NONE);
        }
    }
    /* friction drives it in as fast as the normal impulse keeps it out: nothing stops it */
    set_contact lost = {.c = {.rows = SCREE_ROWS_NTT, .coef = {2.0}}, .set = {stock.set[0]}};
    for (int i = 0; i < 3; ++i) lost.c.w[4 * i] = 1.0;
    lost.c.w[1] = 1.0; /* p_T = -1.4 p_N, whatever p_N is */
    lost.c.w[4] = 0.0;
    lost.c.q[0] = -1.0;
    lost.c.q[1] = 2.0;
    set_contact held = lost;
    assert_int_equal(solve_safely(&scri_law_exact_sets, &lost), SCREE_ONE_CONTACT_NONE);
    held.c.w[1] = 0.5; /* y_N = p_N - 0.7 p_N - 1 */
    assert_int_equal(solve_safely(&scri_law_exact_sets, &held), SCREE_ONE_CONTACT_FAIL_SAFE);
    require(fabs(held.p[0] - 10.0 / 3.0) <= 1e-13, "normal %.17g", held.p[0]);
    require(fabs(held.p[1] + 14.0 / 3.0) <= 1e-13, "sideways %.17g", held.p[1]);
    stock_close(&stock);
}

/* Under the extended law the normal velocity may jump over 0 where one way to slip ends, and the
 * answer is neither of the two sides: these few of 150000 contacts need a search between them, the
 * last one a search all around. */
static void answers_on_neither_side_of_a_jump(void** state)
{
    (void)state;
    static const uint64_t keys[] = {14381, 51257, 60940, 94541, 44645};
    set_stock stock;
    stock_open(&stock);
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; ++n) {
        scri_random random = {.key = keys[n]};
        set_contact at = {.c = {.rows = SCREE_ROWS_NTT, .coef = {1.0}}};
        for (int i = 0; i < 3; ++i) at.c.w[4 * i] = 1.0;
        for (int i = 1; i < 3; ++i) at.c.w[i] = draw_between(&random, -1.5, 1.5);
        at.c.q[0] = -1.0;
        for (int i = 1; i < 3; ++i) at.c.q[i] = draw_between(&random, -2.0, 2.0);
        at.set[0] = stock.set[draw_below(&random, STOCK_SETS)];
        at.set[1] = stock.set[draw_below(&random, STOCK_SMOOTH)];
        assert_int_not_equal(solve_contact(&scri_law_extended, &at), SCREE_ONE_CONTACT_NONE);
        double error = contact_error(&stock, &at);
        require(error <= 1e-13, "contact %d: error %g", (int)keys[n], error);
    }
    stock_close(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bisection_alone_solves_the_exact_law),
        cmocka_unit_test(bisection_alone_solves_the_convex_law),
        cmocka_unit_test(rows_that_cannot_move),
        cmocka_unit_test(contacts_without_an_answer),
        cmocka_unit_test(answers_on_neither_side_of_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
