/* What Walker and Leine prove of their laws, or show not to hold: monotonicity, and the fixed
 * points of their iteration. */
#include "support/friction_sets.h"

#define DEGREE FRICTION_DEGREE

static const scri_law* const exact = &scri_law_exact_sets;
static const scri_law* const extended = &scri_law_extended;

/* ---- monotonicity ---------------------------------------------------------------------------- */

/* A contact with the normal impulse 1 and a random load sideways. */
static set_contact draw_pressed(scri_random* random, const scree_set* c, const scree_set* d)
{
    set_contact at = {.c = {.rows = SCREE_ROWS_NTT, .coef = {1.0, 0.0, 0.0}}, .set = {c, d}};
    double angle = draw_between(random, 0.0, 7.0), a = draw_power(random, -1.0, 1.0), b = a;
    b *= draw_power(random, -1.0, 1.0);
    at.c.w[0] = 1.0;
    at.c.w[4] = a * cos(angle) * cos(angle) + b * sin(angle) * sin(angle);
    at.c.w[8] = a * sin(angle) * sin(angle) + b * cos(angle) * cos(angle);
    at.c.w[5] = at.c.w[7] = (a - b) * cos(angle) * sin(angle);
    at.c.q[0] = -1.0;
    for (int k = 1; k < 3; ++k) at.c.q[k] = draw_between(random, -3.0, 3.0) * a;
    return at;
}

/* (f - g) . (y - v) of two states. */
static double product(const set_contact* a, const set_contact* b)
{
    double sum = 0.0;
    for (int k = 1; k < 3; ++k) sum -= (a->p[k] - b->p[k]) * (a->y[k] - b->y[k]);
    return sum;
}

static void associated_law_is_monotone(void** state)
{
    (void)state;
    scri_random random = test_seed("monotone", 5108);
    set_stock stock;
    int not_monotone = 0;
    stock_open(&stock);
    for (int i = 0; i < test_cases(400, 4000); ++i) {
        const scree_set* c = stock.set[draw_below(&random, STOCK_CONVEX)];
        set_contact a = draw_pressed(&random, c, NULL), b = draw_pressed(&random, c, NULL);
        assert_int_not_equal(solve_contact(exact, &a), SCREE_ONE_CONTACT_NONE);
        assert_int_not_equal(solve_contact(exact, &b), SCREE_ONE_CONTACT_NONE);
        require(product(&a, &b) >= -1e-11 * a.size * b.size, "pair %d: %g", i, product(&a, &b));
        a.set[1] = b.set[1] = stock.set[draw_below(&random, STOCK_SMOOTH)];
        solve_contact(extended, &a);
        solve_contact(extended, &b);
        not_monotone += product(&a, &b) < -1e-6;
    }
    require(not_monotone > 0, "every pair of the extended law is monotone");
    stock_close(&stock);
}

/* The belt of section 4.2, force set turned by 30 degrees: sliding from 44.105835 to 75.894165
 * degrees is unstable because there the force turns back when the velocity turns on. */
static void belt_is_not_monotone_where_it_is_unstable(void** state)
{
    (void)state;
    scree_set* c = make_set(SCREE_SET_ELLIPSE, 30.0, 10.0, 0.0, 30.0);
    scree_set* d = make_set(SCREE_SET_ELLIPSE, 3.0, 1.0, 0.0, 0.0);
    static const double end[2] = {44.105835, 75.894165};
    for (int degrees = 0; degrees < 360; ++degrees) {
        double phi = degrees * DEGREE, step = 1e-4, f[2], g[2];
        slide(extended, c, d, phi - step, f);
        slide(extended, c, d, phi + step, g);
        double across = (g[0] - f[0]) * -sin(phi) + (g[1] - f[1]) * cos(phi);
        int unstable = degrees % 180 > end[0] && degrees % 180 < end[1];
        require(unstable ? across < 0.0 : across > 0.0, "at %d degrees: %g", degrees, across);
    }
    for (int i = 0; i < 2; ++i) {
        double phi = end[i] * DEGREE, step = 1e-4, f[2], g[2];
        slide(extended, c, d, phi - step, f);
        slide(extended, c, d, phi + step, g);
        double across = (g[0] - f[0]) * -sin(phi) + (g[1] - f[1]) * cos(phi);
        require(fabs(across) <= 1e-5 * hypot(g[0] - f[0], g[1] - f[1]), "end %d: %g", i, across);
    }
    scree_set_destroy(c);
    scree_set_destroy(d);
}

/* ---- the iteration of the paper -------------------------------------------------------------- */

/* P <- -prox_D(-alpha P + r y) / alpha with D inside C, eqs (69) and (70). */
static void iterate(set_contact* at, double k, double r)
{
    const scree_set *c = at->set[0], *d = at->set[1] ? at->set[1] : c;
    double f[2] = {-at->p[1], -at->p[2]}, z[2], back[2];
    double alpha = 1.0 / (scree_set_gauge(d, f) / k - scree_set_gauge(c, f) + 1.0);
    for (int i = 0; i < 2; ++i) z[i] = alpha * f[i] + r * at->y[i + 1];
    scree_set_project(d, k, z, back);
    for (int i = 0; i < 2; ++i) at->p[i + 1] = -back[i] / alpha;
    set_contact_respond(at);
}

static void iteration_of_the_paper_ends_at_our_answer(void** state)
{
    (void)state;
    enum { STEPS = 3000 };
    const int count = test_cases(120, 1200);
    scri_random random = test_seed("prox iteration", 5109);
    set_stock stock;
    int returned = 0, associated = 0, associated_returned = 0;
    stock_open(&stock);
    for (int i = 0; i < count; ++i) {
        const scree_set *d = stock.set[draw_below(&random, STOCK_CONVEX)], *c = d;
        if (i % 4) c = stock.set[draw_below(&random, STOCK_SETS)];
        set_contact at = draw_pressed(&random, c, d);
        assert_int_not_equal(solve_contact(extended, &at), SCREE_ONE_CONTACT_NONE);
        double k = stock_fit(&stock, d, c), r = 0.4 / (at.c.w[4] + at.c.w[8]);
        set_contact one = at;
        iterate(&one, k, r);
        double moved = set_contact_distance(&at, one.p);
        require(moved <= 1e-9, "contact %d: the iteration leaves it by %g", i, moved);
        for (int j = 1; j < 3; ++j) one.p[j] += 1e-3 * draw_between(&random, -1.0, 1.0);
        set_contact_respond(&one);
        for (int step = 0; step < STEPS; ++step) iterate(&one, k, r);
        int comes_back = set_contact_distance(&at, one.p) <= 1e-6;
        returned += comes_back;
        associated += c == d;
        associated_returned += c == d && comes_back;
    }
    print_message("prox iteration: %d of %d come back\n", returned, count);
    require(associated_returned == associated, "associated: %d of %d come back",
            associated_returned, associated);
    require(returned * 100 >= 95 * count, "%d of %d come back", returned, count);
    stock_close(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(associated_law_is_monotone),
        cmocka_unit_test(belt_is_not_monotone_where_it_is_unstable),
        cmocka_unit_test(iteration_of_the_paper_ends_at_our_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
