/* Friction with sets: sliding forces, one contact under random loads, the laws that are limits of
 * others, and what they dissipate. */
#include "laws/law.h"
#include "support/friction_sets.h"

#define DEGREE FRICTION_DEGREE

static const scri_law* const exact = &scri_law_exact_sets;
static const scri_law* const convex = &scri_law_convex_sets;
static const scri_law* const extended = &scri_law_extended;

/* ---- sliding forces -------------------------------------------------------------------------- */

static void check_rows(const char* name, const scri_law* law, scree_set* c, scree_set* d)
{
    FILE* file = test_open_oracle("slide.csv");
    char line[256];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        const char* text = line[0] == '"' ? line + 1 : line;
        double v[4], force[2];
        if (strncmp(text, name, strlen(name)) != 0) continue;
        text += strlen(name);
        if (*text == '"') ++text;
        assert_int_equal(sscanf(text, ",%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3]), 4);
        double phi = v[0] * DEGREE;
        slide(law, c, d, phi, force);
        double size = hypot(v[1], v[2]), error = hypot(force[0] - v[1], force[1] - v[2]);
        require(error <= 1e-9 * size, "%s at %g: (%.12g, %.12g)", name, v[0], force[0], force[1]);
        double rate = force[0] * cos(phi) + force[1] * sin(phi);
        require(fabs(rate - v[3]) <= 1e-9 * v[3], "%s at %g: rate %.12g", name, v[0], rate);
        ++rows;
    }
    fclose(file);
    require(rows > 0, "no row of %s", name);
    scree_set_destroy(c);
    if (d != c) scree_set_destroy(d);
}

static void sliding_forces_are_those_of_the_table(void** state)
{
    (void)state;
    scree_set_kind disc = SCREE_SET_DISC, ellipse = SCREE_SET_ELLIPSE,
                   super = SCREE_SET_SUPERELLIPSE;
    check_rows("iso(mu=1)", exact, make_set(disc, 1.0, 0.0, 0.0, 0.0), NULL);
    check_rows("assoc ellipse(3,1)", exact, make_set(ellipse, 3.0, 1.0, 0.0, 0.0), NULL);
    check_rows("collinear ellipse(3,1)", extended, make_set(ellipse, 3.0, 1.0, 0.0, 0.0),
               make_set(disc, 1.0, 0.0, 0.0, 0.0));
    check_rows("assoc superell Table1", exact, make_set(super, 4.99, 4.25, 2.94, 0.0), NULL);
    check_rows("collinear superell Table1", extended, make_set(super, 4.99, 4.25, 2.94, 0.0),
               make_set(disc, 1.0, 0.0, 0.0, 0.0));
    check_rows("extended Table1", extended, make_set(super, 4.99, 4.25, 2.94, 0.0),
               make_set(super, 1.84, 1.19, 2.51, 0.0));
    check_rows("ellipse(30,10)rot30 + D 3/1", extended, make_set(ellipse, 30.0, 10.0, 0.0, 30.0),
               make_set(ellipse, 3.0, 1.0, 0.0, 0.0));
    check_rows("asperity mu1.2 beta36", extended,
               make_set(SCREE_SET_ASPERITY, 1.2, 0, 36 * DEGREE, 0),
               make_set(ellipse, 1.0, cos(36.0 * DEGREE), 0.0, 0.0));
    check_rows("assoc stadium", exact, make_set(SCREE_SET_RUNNER, 0.5, 1.0, 2.0, 0.0), NULL);
}

/* ---- one contact ----------------------------------------------------------------------------- */

/* A random contact with random sets on sliding and, half of the time, on rolling. */
static set_contact draw_contact(scri_random* random, set_stock* stock, const scri_law* law)
{
    set_contact at = {.size = 0.0};
    int kinds = law == extended ? STOCK_SETS : STOCK_CONVEX;
    one_contact_draw(random, ONE_CONTACT_ORDINARY, draw_spatial_rows(random), &at.c);
    for (int k = 0; k < 4; k += 2) {
        if (k == 2 && draw_chance(random, 50.0)) continue;
        at.set[k] = stock->set[draw_below(random, kinds)];
        if (law == extended) at.set[k + 1] = stock->set[draw_below(random, STOCK_CONVEX)];
    }
    return at;
}

/* The exact law dissipates what its support functions say, the convex law nothing while it lifts
 * off, the extended law support_D(y) / gauge_C(z), z the point of D that y is normal to. */
static void check_dissipation(const scri_law* law, const set_contact* at, int i)
{
    double shift = friction_shift((int)at->c.rows, at->c.coef, at->set, at->y), power = 0.0;
    double square = at->size * at->size;
    row_shape f = shape_of((int)at->c.rows);
    for (int k = 0; k < f.width; ++k) power += at->p[k] * at->y[k];
    if (law == convex) {
        require(fabs(power) <= 1e-10 * square, "contact %d: power %g of %g", i, power, square);
        if (at->p[0] > 0.0) {
            double gap = at->s[0] * at->p[0] / at->size * (at->y[0] - shift) / at->s[0];
            require(fabs(gap) <= 1e-10 * at->size, "contact %d: lifts off at %g", i, gap);
        }
        return;
    }
    if (law == exact) {
        require(fabs(power + shift * at->p[0]) <= 1e-10 * square, "contact %d: %g for %g", i, power,
                shift * at->p[0]);
    }
    for (int k = 0; k < CHANNELS; ++k) {
        if (!f.dim[k]) continue;
        const double *p = at->p + f.first[k], *y = at->y + f.first[k];
        double s = at->s[f.first[k]], work = 0.0, speed = 0.0;
        for (int j = 0; j < f.dim[k]; ++j) work += p[j] * y[j], speed += y[j] * y[j] / (s * s);
        require(work <= 1e-10 * square, "contact %d: channel %d gains %g", i, k, work);
        int slides = sqrt(speed) > 1e-6 * at->size && at->p[0] * at->s[0] > 1e-6 * at->size &&
                     at->c.coef[k] * s > 1e-3 * at->s[0];
        require(!slides || work < 0.0, "contact %d: channel %d does not dissipate", i, k);
    }
}

/* p . y = - coef p_N support_D(y) / gauge_C(z). */
static void check_rate(const set_contact* at, int smooth, int i)
{
    const scree_set *c = at->set[0], *d = at->set[1];
    double z[2], speed = hypot(at->y[1], at->y[2]) / at->s[1];
    if (!smooth || !(speed > 1e-6 * at->size) || !(at->p[0] > 0.0)) return;
    double support = scree_set_support(d, at->y + 1, z);
    double rate = at->c.coef[0] * at->p[0] * support / scree_set_gauge(c, z);
    double work = at->p[1] * at->y[1] + at->p[2] * at->y[2];
    require(fabs(work + rate) <= 1e-9 * at->size * at->size, "contact %d: %.12g, not %.12g", i,
            -work, rate);
}

static void one_contact_obeys_the_law(void** state)
{
    (void)state;
    const int count = test_cases(600, 6000);
    scri_random random = test_seed("one contact with sets", 5101);
    set_stock stock;
    int fail_safe = 0;
    double worst = 0.0;
    stock_open(&stock);
    for (int i = 0; i < count; ++i) {
        const scri_law* law = i % 4 == 0 ? exact : i % 4 == 1 ? convex : extended;
        double error, power;
        set_contact at = draw_contact(&random, &stock, law);
        scree_one_contact_way how = solve_contact(law, &at);
        require(how != SCREE_ONE_CONTACT_NONE, "contact %d: not solved", i);
        fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
        if (law == convex) {
            error = convex_error((int)at.c.rows, at.c.coef, at.set, at.s, at.p, at.y, &power);
            error = fmax(error, fabs(power) / at.size) / at.size;
        } else {
            error = contact_error(&stock, &at);
        }
        require(error <= 1e-8, "contact %d, %s: error %g", i, law->name, error);
        worst = fmax(worst, error);
        check_dissipation(law, &at, i);
        if (law == extended) check_rate(&at, stock_index(&stock, at.set[1]) < STOCK_SMOOTH, i);
    }
    print_message("%d of %d by the fail-safe, worst error %.2g\n", fail_safe, count, worst);
    stock_close(&stock);
}

/* ---- laws that are limits of others ---------------------------------------------------------- */

/* Solves `b` by another law and requires the impulses of `a`, solved. Contacts whose normal row
 * stands alone have one solution and start from nothing; others may have several, and start from
 * the answer. */
static void require_same(const char* what, const set_contact* a, const scri_law* law, set_contact b,
                         double bound, int i)
{
    int coupled = a->c.w[1] != 0.0 && bound > 0.0;
    for (int k = 0; k < MAX_WIDTH; ++k) b.p[k] = coupled ? a->p[k] : 0.0;
    assert_int_not_equal(solve_contact(law, &b), SCREE_ONE_CONTACT_NONE);
    double distance = set_contact_distance(a, b.p);
    require(distance <= bound, "%s, contact %d: they differ by %g", what, i, distance);
}

static void with_sets(set_contact* at, const scree_set* c, const scree_set* d)
{
    for (int k = 0; k < 4; k += 2) at->set[k] = c, at->set[k + 1] = d;
}

/* An ordinary contact in two cases of three with a normal row of its own. */
static set_contact draw_plain(scri_random* random)
{
    set_contact at = {.size = 0.0};
    one_contact_draw(random, ONE_CONTACT_ORDINARY, draw_spatial_rows(random), &at.c);
    if (draw_chance(random, 67.0)) decouple(&at.c);
    return at;
}

/* With D = C, in whatever size, the extended law is the exact one. */
static void extended_law_with_one_set_is_exact(void** state)
{
    (void)state;
    scri_random random = test_seed("D = C", 5102);
    set_stock stock;
    scree_set* larger[STOCK_CONVEX];
    stock_open(&stock);
    for (int k = 0; k < STOCK_CONVEX; ++k) {
        scree_set_def def = stock.def[k];
        def.scale = draw_power(&random, -2.0, 2.0);
        larger[k] = make_set_of(&def);
    }
    for (int i = 0; i < test_cases(200, 2000); ++i) {
        int k = draw_below(&random, STOCK_CONVEX);
        set_contact a = draw_plain(&random);
        with_sets(&a, stock.set[k], NULL);
        set_contact b = a;
        assert_int_not_equal(solve_contact(exact, &a), SCREE_ONE_CONTACT_NONE);
        require_same("D is none", &a, extended, b, 0.0, i);
        with_sets(&b, stock.set[k], stock.set[k]);
        require_same("D = C", &a, extended, b, 0.0, i);
        with_sets(&b, stock.set[k], larger[k]);
        require_same("D larger", &a, extended, b, k < STOCK_SMOOTH ? 1e-11 : 1e-9, i);
    }
    for (int k = 0; k < STOCK_CONVEX; ++k) scree_set_destroy(larger[k]);
    stock_close(&stock);
}

/* Discs, by whatever name, are the isotropic law. */
static void discs_are_the_isotropic_law(void** state)
{
    (void)state;
    static const scree_set_def defs[] = {
        {.kind = SCREE_SET_DISC, .a = 1.0},
        {.kind = SCREE_SET_DISC, .a = 0.01, .scale = 100.0, .angle = 0.5},
        {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 1.0, .angle = 0.3},
        {.kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 1.0, .s = 2.0, .angle = 0.4},
        {.kind = SCREE_SET_RUNNER, .a = 1.0, .b = 1.0, .s = 1e-15},
        {.kind = SCREE_SET_ASPERITY, .a = 1.0, .s = 0.0},
    };
    enum { N = sizeof defs / sizeof defs[0] };
    scri_random random = test_seed("discs", 5103);
    scree_set* set[N];
    scree_set* small = make_set(SCREE_SET_DISC, 0.01, 0.0, 0.0, 0.0);
    for (int k = 0; k < N; ++k) set[k] = make_set_of(&defs[k]);
    for (int i = 0; i < test_cases(200, 2000); ++i) {
        int k = i % N;
        set_contact a = draw_plain(&random), b = a;
        scree_one_contact_way how =
            scree_one_contact_solve(a.c.rows, SCREE_LAW_EXACT, a.c.coef, a.c.w, a.c.q, a.p);
        assert_int_not_equal(how, SCREE_ONE_CONTACT_NONE);
        set_contact_respond(&a);
        with_sets(&b, set[k], NULL);
        require_same("exact", &a, exact, b, 1e-12, i);
        with_sets(&b, set[k], small);
        require_same("collinear", &a, extended, b, 1e-11, i);
        with_sets(&b, NULL, set[k]);
        require_same("D without C", &a, extended, b, 1e-11, i);
        memset(a.p, 0, sizeof a.p);
        scree_one_contact_solve(a.c.rows, SCREE_LAW_CONVEX, a.c.coef, a.c.w, a.c.q, a.p);
        set_contact_respond(&a);
        with_sets(&b, set[k], NULL);
        require_same("convex", &a, convex, b, 1e-11, i);
    }
    for (int k = 0; k < N; ++k) scree_set_destroy(set[k]);
    scree_set_destroy(small);
}

/* D a disc: the force is opposite to the velocity, and as long as C is in its direction. */
static void disc_of_directions_is_the_collinear_law(void** state)
{
    (void)state;
    scri_random random = test_seed("collinear", 5104);
    set_stock stock;
    int slides = 0;
    stock_open(&stock);
    for (int i = 0; i < test_cases(200, 2000); ++i) {
        scree_set* disc = make_set(SCREE_SET_DISC, draw_power(&random, -3.0, 3.0), 0.0, 0.0, 0.0);
        const scree_set* c = stock.set[draw_below(&random, STOCK_SETS)];
        set_contact at = draw_plain(&random);
        with_sets(&at, c, disc);
        assert_int_not_equal(solve_contact(extended, &at), SCREE_ONE_CONTACT_NONE);
        scree_set_destroy(disc);
        double force = hypot(at.p[1], at.p[2]), speed = hypot(at.y[1], at.y[2]);
        double s = at.s[1];
        if (!(force * s > 1e-3 * at.size) || !(speed / s > 1e-3 * at.size)) continue;
        ++slides;
        double cross = at.p[1] * at.y[2] - at.p[2] * at.y[1];
        double dot = at.p[1] * at.y[1] + at.p[2] * at.y[2];
        require(dot < 0.0 && fabs(cross) <= 1e-10 * force * speed, "contact %d: sine %g", i,
                cross / (force * speed));
        double length = at.c.coef[0] * at.p[0] * scree_set_radius(c, atan2(at.y[2], at.y[1]));
        require(fabs(force - length) <= 1e-9 * force, "contact %d: %.12g, not %.12g", i, force,
                length);
    }
    require(slides >= test_cases(40, 500), "only %d contacts slide", slides);
    stock_close(&stock);
}

/* Eq. (35): a rectangle holds the two directions apart, where w does. */
static void rectangle_is_two_laws_of_one_direction(void** state)
{
    (void)state;
    scri_random random = test_seed("rectangle", 5105);
    for (int i = 0; i < test_cases(200, 1000); ++i) {
        double mu[2] = {draw_power(&random, -1.0, 0.5), draw_power(&random, -1.0, 0.5)};
        scree_set* c = make_set(SCREE_SET_RECTANGLE, mu[0], mu[1], 0.0, 0.0);
        set_contact at = {.c = {.rows = SCREE_ROWS_NTT, .coef = {1.0, 0.0, 0.0}}, .set = {c}};
        for (int k = 0; k < 3; ++k) {
            at.c.w[4 * k] = draw_power(&random, -3.0, 3.0);
            at.c.q[k] = draw_sign(&random) * draw_power(&random, -2.0, 2.0) * sqrt(at.c.w[4 * k]);
        }
        at.c.q[0] = -fabs(at.c.q[0]);
        assert_int_not_equal(solve_contact(exact, &at), SCREE_ONE_CONTACT_NONE);
        double n = -at.c.q[0] / at.c.w[0];
        for (int k = 0; k < 2; ++k) {
            double hold = -at.c.q[k + 1] / at.c.w[4 * k + 4], most = mu[k] * n;
            double want = hold > most ? most : hold < -most ? -most : hold;
            double rounding = 1e-14 * at.s[1] * at.size / at.c.w[4 * k + 4]; /* of the velocity */
            require(fabs(at.p[k + 1] - want) <= 1e-13 * fabs(want) + rounding,
                    "contact %d: %.17g, not %.17g", i, at.p[k + 1], want);
        }
        scree_set_destroy(c);
    }
}

/* Eq. (54): for superellipses with the same roundness s and axes, T^s y lies in the normal cone of
 * C at the force, T the ratio of the axes of D and C; s = 2 holds ellipses and, D round, (44). */
static void superellipses_obey_their_own_law(void** state)
{
    (void)state;
    scri_random random = test_seed("T^s", 5106);
    int slides = 0;
    for (int i = 0; i < test_cases(200, 1000); ++i) {
        double s = i % 2 ? 2.0 : draw_between(&random, 1.6, 5.0), c[2], d[2];
        scree_set_kind kind = i % 4 == 1 ? SCREE_SET_ELLIPSE : SCREE_SET_SUPERELLIPSE;
        for (int k = 0; k < 2; ++k) c[k] = draw_power(&random, -0.7, 0.7), d[k] = c[k];
        d[0] *= draw_power(&random, -0.5, 0.5);
        if (i % 3 == 0) d[0] = d[1];
        scree_set *force = make_set(kind, c[0], c[1], s, 0.0),
                  *way = make_set(kind, d[0], d[1], s, 0.0);
        set_contact at = draw_plain(&random);
        with_sets(&at, force, way);
        assert_int_not_equal(solve_contact(extended, &at), SCREE_ONE_CONTACT_NONE);
        double f[2] = {-at.p[1], -at.p[2]}, normal[2];
        double y[2] = {at.y[1] * pow(d[0] / c[0], s), at.y[2] * pow(d[1] / c[1], s)};
        scree_set_normal(force, f, normal);
        if (at.p[0] > 0.0 && hypot(at.y[1], at.y[2]) / at.s[1] > 1e-2 * at.size &&
            at.c.coef[0] > 0.0) {
            double length = hypot(y[0], y[1]), cross = normal[0] * y[1] - normal[1] * y[0];
            require(fabs(cross) <= 1e-8 * length, "contact %d, s = %g: sine %g", i, s,
                    cross / length);
            require(normal[0] * y[0] + normal[1] * y[1] > 0.0, "contact %d: wrong way", i);
            ++slides;
        }
        scree_set_destroy(force);
        scree_set_destroy(way);
    }
    require(slides >= test_cases(40, 200), "only %d contacts slide", slides);
}

/* ---- symmetry -------------------------------------------------------------------------------- */

static void rotate(double angle, int width, const double* x, double* out)
{
    memcpy(out, x, (size_t)width * sizeof *x);
    for (int first = 1; first + 1 < width && first <= 3; first += 2) {
        out[first] = cos(angle) * x[first] - sin(angle) * x[first + 1];
        out[first + 1] = sin(angle) * x[first] + cos(angle) * x[first + 1];
    }
}

/* The same contact seen from turned axes. */
static void rotate_contact(double angle, const one_contact_problem* c, one_contact_problem* out)
{
    int width = shape_of((int)c->rows).width;
    double half[36], column[MAX_WIDTH], turned[MAX_WIDTH];
    *out = *c;
    rotate(angle, width, c->q, out->q);
    for (int pass = 0; pass < 2; ++pass) { /* columns; then, transposed, rows */
        const double* from = pass ? half : c->w;
        double* to = pass ? out->w : half;
        for (int j = 0; j < width; ++j) {
            for (int i = 0; i < width; ++i) column[i] = from[i * width + j];
            rotate(angle, width, column, turned);
            for (int i = 0; i < width; ++i) to[j * width + i] = turned[i];
        }
    }
}

/* Turning contact and sets together turns the answer. */
static void answers_turn_with_the_axes(void** state)
{
    (void)state;
    scri_random random = test_seed("turned", 5107);
    set_stock stock;
    stock_open(&stock);
    for (int i = 0; i < test_cases(150, 1500); ++i) {
        int k = draw_below(&random, STOCK_SETS), m = draw_below(&random, STOCK_CONVEX);
        double angle = draw_between(&random, -4.0, 4.0), turned[MAX_WIDTH];
        set_contact a = draw_plain(&random), b = a;
        scree_set_def def[2] = {stock.def[k], stock.def[m]};
        scree_set* set[2];
        if (a.c.rows == SCREE_ROWS_NTTS) continue; /* its fourth row is no R1 */
        for (int j = 0; j < 2; ++j) def[j].angle += angle, set[j] = make_set_of(&def[j]);
        with_sets(&a, stock.set[k], stock.set[m]);
        with_sets(&b, set[0], set[1]);
        rotate_contact(angle, &a.c, &b.c);
        assert_int_not_equal(solve_contact(extended, &a), SCREE_ONE_CONTACT_NONE);
        rotate(angle, shape_of((int)a.c.rows).width, a.p, b.p);
        memcpy(turned, b.p, sizeof turned);
        assert_int_not_equal(solve_contact(extended, &b), SCREE_ONE_CONTACT_NONE);
        double distance = set_contact_distance(&b, turned);
        require(distance <= 1e-9, "contact %d, sets %d %d: differs by %g", i, k, m, distance);
        for (int j = 0; j < 2; ++j) scree_set_destroy(set[j]);
    }
    stock_close(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_forces_are_those_of_the_table),
        cmocka_unit_test(one_contact_obeys_the_law),
        cmocka_unit_test(extended_law_with_one_set_is_exact),
        cmocka_unit_test(discs_are_the_isotropic_law),
        cmocka_unit_test(disc_of_directions_is_the_collinear_law),
        cmocka_unit_test(rectangle_is_two_laws_of_one_direction),
        cmocka_unit_test(superellipses_obey_their_own_law),
        cmocka_unit_test(answers_turn_with_the_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
