/* One channel that sticks or slips under two sets, judged by what the header promises: the force on
 * the boundary of size * C, the velocity along a normal of D at the point in its direction. */
#include "laws/planar_slip.h"
#include "support/friction_sets.h"

static double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1];
}

static double length_of(const double* a)
{
    return hypot(a[0], a[1]);
}

/* y = b - a f */
static void velocity(const scri_planar* at, const double f[2], double y[2])
{
    for (int i = 0; i < 2; ++i) y[i] = at->b[i] - dot(at->a + 2 * i, f);
}

/* How far a force is from the boundary of size * C, relative; how much farther than the point of D
 * in its direction D reaches along y, relative; and where D is smooth the sine between y and the
 * normal, of the length of b. */
static double slip_error(const scri_planar* at, const double f[2], int smooth)
{
    double y[2], normal[2], on = fabs(scri_set_gauge(at->c, f, NULL, NULL) / at->size - 1.0);
    double gauge = scri_set_gauge(at->d, f, normal, NULL), z[2] = {f[0] / gauge, f[1] / gauge};
    velocity(at, f, y);
    double size = length_of(at->b) + length_of(y);
    double behind = (scri_set_support(at->d, y, NULL, NULL) - dot(y, z)) / (size * length_of(z));
    double sine = fabs(normal[0] * y[1] - normal[1] * y[0]) / (size * length_of(normal));
    if (!(behind >= -1e-12)) return behind;
    return fmax(on, fmax(behind, smooth ? sine : 0.0));
}

/* A mobility that is far from the identity and a little off symmetry. */
static void draw_mobility(scri_random* random, double a[4])
{
    double angle = draw_between(random, 0.0, 3.2), c = cos(angle), s = sin(angle);
    double u = draw_power(random, -1.0, 1.0), v = draw_power(random, -1.0, 1.0);
    double skew = 0.3 * fmin(u, v) * draw_between(random, -1.0, 1.0);
    a[0] = c * c * u + s * s * v;
    a[3] = s * s * u + c * c * v;
    a[1] = c * s * (u - v) + skew;
    a[2] = c * s * (u - v) - skew;
}

/* A channel with a slip made by hand: `force` answers it. `rate` is |y|. */
static scri_planar made(scri_set c, scri_set d, const double a[4], double size, double theta,
                        double rate, double force[2])
{
    scri_planar at = {c, d, size, {a[0], a[1], a[2], a[3]}, {0.0, 0.0}, NULL};
    double u[2] = {cos(theta), sin(theta)}, normal[2];
    double gauge = scri_set_gauge(c, u, NULL, NULL);
    for (int i = 0; i < 2; ++i) force[i] = size * u[i] / gauge;
    scri_set_gauge(d, u, normal, NULL);
    for (int i = 0; i < 2; ++i) {
        at.b[i] = rate * normal[i] / length_of(normal) + dot(a + 2 * i, force);
    }
    return at;
}

/* From beside an answer Newton's method finds it, whatever the mobility. */
static void slips_are_found_from_near(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_random random = test_seed("near slips", 391);
    int found = 0, same = 0, n_cases = 3000;
    for (int n = 0; n < n_cases; ++n) {
        scri_set c = scri_set_of(stock.set[draw_below(&random, STOCK_SMOOTH)]);
        scri_set d = scri_set_of(stock.set[draw_below(&random, STOCK_SMOOTH)]);
        double a[4], force[2], f[2], size = draw_power(&random, -3.0, 3.0);
        draw_mobility(&random, a);
        double theta = draw_between(&random, 0.0, 6.28), rate = size * draw_power(&random, -2., 3.);
        scri_planar at = made(c, d, a, size, theta, rate, force);
        double turned = 1e-3 * draw_sign(&random);
        double near[2] = {force[0] - turned * force[1], force[1] + turned * force[0]};
        at.near = near;
        if (!scri_planar_slip_near(&at, f)) continue;
        double error = slip_error(&at, f, 1);
        require(error <= 1e-12, "case %d: error %g", n, error);
        require(dot(f, near) > 0.8 * length_of(f) * length_of(near), "case %d: far away", n);
        found += 1;
        same += hypot(f[0] - force[0], f[1] - force[1]) <= 1e-8 * length_of(force);
    }
    print_message("%d of %d found, %d the same\n", found, n_cases, same);
    require(found >= 0.97 * n_cases && same >= 0.97 * n_cases, "%d found, %d the same", found,
            same);
    double f[2], none[2] = {0.0, 0.0};
    scri_planar at = {
        scri_set_of(stock.set[0]), scri_set_of(stock.set[1]), 1.0, {1, 0, 0, 1}, {5.0, 5.0}, NULL};
    assert_false(scri_planar_slip_near(&at, f)); /* near what? */
    at.near = none;
    assert_false(scri_planar_slip_near(&at, f));
    stock_close(&stock);
}

/* Where no force within size * C holds the channel, it slips, from whatever guess: corners,
 * straight sides and sets with bays. */
static void channels_that_cannot_stick_slip(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_random random = test_seed("slips", 392);
    int kept = 0;
    for (int n = 0; n < 4000; ++n) {
        int second = draw_below(&random, STOCK_CONVEX);
        scri_set c = scri_set_of(stock.set[draw_below(&random, STOCK_SETS)]);
        scri_set d = n % 3 ? scri_set_of(stock.set[second]) : c;
        if (n % 3 == 0 && !c.v->is_convex) continue;
        double a[4], f[2], size = draw_power(&random, -3.0, 3.0), near[2];
        draw_mobility(&random, a);
        scri_planar at = {c, d, size, {a[0], a[1], a[2], a[3]}, {0.0, 0.0}, NULL};
        for (int i = 0; i < 2; ++i) {
            near[i] = draw_between(&random, -1.0, 1.0);
            at.b[i] = size * draw_sign(&random) * draw_power(&random, -0.5, 1.5);
        }
        if (n % 5) at.near = near;
        double det = a[0] * a[3] - a[1] * a[2];
        double stick[2] = {(a[3] * at.b[0] - a[1] * at.b[1]) / det,
                           (a[0] * at.b[1] - a[2] * at.b[0]) / det};
        if (!(scri_set_gauge(c, stick, NULL, NULL) > 1.001 * size)) continue;
        scri_planar_slip(&at, f);
        double error = slip_error(&at, f, n % 3 && second < STOCK_SMOOTH);
        require(error <= 2e-9, "case %d: sets %d, %d: error %g", n, (int)c.v->kind, (int)d.v->kind,
                error);
        ++kept;
    }
    require(kept > 2000, "only %d cases", kept);
    stock_close(&stock);
}

/* Two ways to slip, left and right of where y points into C: the guess decides. */
static void the_guess_decides_between_answers(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_set star = scri_set_of(stock.set[11]), disc = scri_set_of(stock.set[0]);
    for (int side = 0; side < 2; ++side) { /* the star has a bay between its tips at 0 and 90 deg */
        double f[2], near[2] = {side ? 0.3 : 1.0, side ? 1.0 : 0.3};
        scri_planar at = {star, disc, 1.0, {0.01, 0.0, 0.0, 0.01}, {1.0, 1.0}, near};
        scri_planar_slip(&at, f);
        require(slip_error(&at, f, 1) <= 1e-12, "error %g", slip_error(&at, f, 1));
    }
    /* where nothing slips, the force is still one that the contact may carry */
    scri_planar at = {disc, disc, 1.0, {1.0, 0.0, 0.0, 1.0}, {0.3, 0.0}, NULL};
    double f[2];
    scri_planar_slip(&at, f);
    require(fabs(f[0] - 0.7) <= 1e-14 && fabs(f[1]) <= 1e-14, "force (%g, %g)", f[0], f[1]);
    stock_close(&stock);
}

/* ---- a = 1 ---- */

typedef struct reaction {
    scri_set c, d;
    double size, g[2];
    const double* near;
} reaction;

static double react(const reaction* r, double f[2], double* derivative)
{
    return scri_planar_react(r->c, r->d, r->size, r->g, r->near, f, derivative);
}

/* The derivative against central differences, where it is moderate. */
static void require_derivative(const reaction* r, const char* what, int n)
{
    double f[2], d[6];
    react(r, f, d);
    for (int i = 0; i < 6; ++i) {
        if (!(fabs(d[i]) <= 20.0)) return; /* two answers are about to meet */
    }
    for (int j = 0; j < 3; ++j) {
        reaction up = *r, down = *r;
        double h = 1e-6 * r->size, above[2], below[2];
        double *x = j < 2 ? &up.g[j] : &up.size, *y = j < 2 ? &down.g[j] : &down.size;
        *x += h;
        *y -= h;
        react(&up, above, NULL);
        react(&down, below, NULL);
        for (int i = 0; i < 2; ++i) {
            double slope = (above[i] - below[i]) / (2.0 * h), own = j < 2 ? d[2 * i + j] : d[4 + i];
            require(fabs(own - slope) <= 2e-5 * (1.0 + fabs(slope)),
                    "%s, case %d: df[%d] by %d is %.9g, not %.9g", what, n, i, j, own, slope);
        }
    }
}

static void reactions_stick_inside_and_slip_outside(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_random random = test_seed("reactions", 393);
    int slipped = 0;
    for (int n = 0; n < 3000; ++n) {
        int first = draw_below(&random, STOCK_SMOOTH), second = draw_below(&random, STOCK_SMOOTH);
        reaction r = {
            scri_set_of(stock.set[first]), scri_set_of(stock.set[second]), 0.0, {0, 0}, NULL};
        double theta = draw_between(&random, 0.0, 6.28), f[2], guess[2], d[6];
        r.size = draw_power(&random, -2.0, 2.0);
        for (int i = 0; i < 2; ++i) guess[i] = r.size * draw_between(&random, -0.2, 0.2);
        if (n % 2) r.near = guess; /* within half of C: leaves no choice */
        if (n % 4 == 3) r.d = r.c;
        double u[2] = {cos(theta), sin(theta)}, gauge = scri_set_gauge(r.c, u, NULL, NULL);
        double beyond = draw_power(&random, -2.0, 1.0);
        for (int i = 0; i < 2; ++i) r.g[i] = r.size * u[i] / gauge * beyond;
        double outside = react(&r, f, d);
        if (beyond < 1.0) {
            assert_true(outside == 0.0 && f[0] == r.g[0] && f[1] == r.g[1]);
            assert_true(d[0] == 1.0 && d[1] == 0.0 && d[2] == 0.0 && d[3] == 1.0);
            assert_true(d[4] == 0.0 && d[5] == 0.0);
            continue;
        }
        scri_planar at = {r.c, r.d, r.size, {1.0, 0.0, 0.0, 1.0}, {r.g[0], r.g[1]}, NULL};
        require(fabs(outside - (beyond - 1.0) / beyond) <= 1e-12, "case %d: %g at %g", n, outside,
                beyond);
        require(slip_error(&at, f, 1) <= 1e-10, "case %d: error %g", n, slip_error(&at, f, 1));
        /* a superellipse with s < 2 bends without limit on its axes */
        if (beyond > 1.01 && first < 3 && second < 3) require_derivative(&r, "outside", n);
        ++slipped;
    }
    require(slipped > 500, "%d slip", slipped);
    stock_close(&stock);
}

/* Where the velocity of the extended law points into C, a force inside may stick or slip. */
static void near_a_slip_a_force_inside_slips(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scri_random random = test_seed("slips inside", 394);
    const double identity[4] = {1.0, 0.0, 0.0, 1.0};
    int slipped = 0, shared = 0;
    for (int n = 0; n < 4000; ++n) {
        int first = 1 + draw_below(&random, 3), second = 1 + draw_below(&random, 2);
        scri_set c = scri_set_of(stock.set[first]), d = scri_set_of(stock.set[second]);
        double force[2], f[2], size = draw_power(&random, -2.0, 2.0);
        double theta = draw_between(&random, 0.0, 6.28), rate = size * draw_power(&random, -3., 0.);
        scri_planar at = made(c, d, identity, size, theta, rate, force);
        reaction r = {c, d, size, {at.b[0], at.b[1]}, force};
        if (scri_set_gauge(c, r.g, NULL, NULL) > 0.999 * size) continue;
        double outside = react(&r, f, NULL);
        if (first == second) { /* the same set: nothing to choose */
            shared += outside == 0.0;
            continue;
        }
        require(outside > 0.1 && outside <= 1.0, "case %d: %g", n, outside);
        require(hypot(f[0] - force[0], f[1] - force[1]) <= 1e-9 * size, "case %d: elsewhere", n);
        r.near = r.g; /* and from where it sticks it goes on sticking */
        require(react(&r, f, NULL) == 0.0 && f[0] == r.g[0] && f[1] == r.g[1], "case %d", n);
        r.near = NULL;
        assert_true(react(&r, f, NULL) == 0.0);
        r.near = force;
        if (first < 3 && rate > 0.03 * size) require_derivative(&r, "inside", n);
        ++slipped;
    }
    require(slipped > 100 && shared == 0, "%d slip", slipped); /* y of one set looks out of it */
    stock_close(&stock);
}

/* Without a normal force there is no friction, but the way it will go is known. */
static void size_zero_and_nan(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    for (int k = 0; k < STOCK_SMOOTH * STOCK_SMOOTH; ++k) {
        scri_set c = scri_set_of(stock.set[k % STOCK_SMOOTH]);
        scri_set d = scri_set_of(stock.set[k / STOCK_SMOOTH]);
        double f[2] = {7.0, 7.0}, part[6], z[2];
        reaction r = {c, d, 0.0, {2.0, -1.0}, NULL};
        assert_true(react(&r, f, part) == 1.0 && f[0] == 0.0 && f[1] == 0.0);
        for (int i = 0; i < 4; ++i) assert_true(part[i] == 0.0);
        scri_set_support(d, r.g, z, NULL);
        double gauge = scri_set_gauge(c, z, NULL, NULL);
        require(hypot(part[4] - z[0] / gauge, part[5] - z[1] / gauge) <= 1e-12, "sets %d", k);
        reaction still = {c, d, 0.0, {0.0, 0.0}, NULL};
        f[0] = f[1] = 7.0;
        assert_true(react(&still, f, part) == 0.0 && f[0] == 0.0 && f[1] == 0.0);
        for (int i = 0; i < 6; ++i) assert_true(part[i] == 0.0);
        reaction lost = {c, d, 0.0, {(double)NAN, 0.0}, NULL};
        react(&lost, f, NULL);
        assert_true(isnan(f[0]) && isnan(f[1]));
    }
    stock_close(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_found_from_near),
        cmocka_unit_test(channels_that_cannot_stick_slip),
        cmocka_unit_test(the_guess_decides_between_answers),
        cmocka_unit_test(reactions_stick_inside_and_slip_outside),
        cmocka_unit_test(near_a_slip_a_force_inside_slips),
        cmocka_unit_test(size_zero_and_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
