/* The bipotential of Acary & Bourrier, Prop. 4.2: b(-y, p) + y . p is never negative, is what (45)
 * says where p and y are admissible, and zero exactly at solutions. */
#include "support/one_contact_problems.h"
#include "support/problems.h"

/* One contact y = w p + q as a problem. */
static scree_contact_certificate certify(const one_contact_problem* c, scree_law law,
                                         const double* p)
{
    const int rows[1] = {(int)c->rows}, laws[1] = {(int)law};
    sample s = sample_begin(1, rows, laws);
    int width = shape_of(rows[0]).width;
    const int32_t start[] = {0, 1}, column[] = {0};
    const int64_t offset[] = {0, (int64_t)width * width};
    scree_contact_certificate out;
    memset(&out, 0xff, sizeof out);
    memcpy(s.coef, c->coef, sizeof c->coef);
    memcpy(s.q, c->q, (size_t)width * sizeof *s.q);
    s.view.w = (scree_bsr){start, column, offset, c->w};
    assert_int_equal(scree_certify_contacts(NULL, &s.view, p, SCREE_MODE_TOL, &out), SCREE_OK);
    sample_end(&s);
    return out;
}

static void velocity_of(const one_contact_problem* c, const double* p, real* y)
{
    int width = shape_of((int)c->rows).width;
    for (int i = 0; i < width; ++i) {
        y[i] = (real)c->q[i];
        for (int j = 0; j < width; ++j) y[i] += (real)c->w[i * width + j] * (real)p[j];
    }
}

/* |p| max(|y|, |q|) in scaled variables, of which rounding is a part, and how many times that the
 * shift may be. */
static double energy_of(const one_contact_problem* c, const double* p, const real* y)
{
    row_shape s = shape_of((int)c->rows);
    real press = 0, move = 0, steep = 1;
    for (int i = 0; i < s.width; ++i) {
        real w = (real)c->w[i * s.width + i];
        press += (real)p[i] * (real)p[i] * w;
        move += (y[i] * y[i] + (real)c->q[i] * (real)c->q[i]) / w;
    }
    for (int k = 0; k < 3; ++k) {
        int row = s.first[k];
        if (s.dim[k])
            steep += (real)c->coef[k] * real_sqrt((real)c->w[row * s.width + row] / (real)c->w[0]);
    }
    return (double)(steep * real_sqrt(press) * real_sqrt(move));
}

/* A contact with w = 1: raw and scaled variables are the same. p in K and, with `admissible`, y
 * with u_N >= 0 (convex: y in K*). */
static void draw_pair(scri_random* random, int admissible, scree_law law, one_contact_problem* c,
                      double* p)
{
    row_shape s;
    double y[6];
    *c = (one_contact_problem){.rows = (scree_rows)(1 + draw_below(random, 7))};
    s = shape_of((int)c->rows);
    for (int k = 0; k < 3; ++k) c->coef[k] = one_contact_draw_coefficient(random);
    for (int i = 0; i < s.width; ++i) {
        c->w[i * s.width + i] = 1.0;
        p[i] = draw_sign(random) * draw_power(random, -2.0, 2.0);
        y[i] = draw_sign(random) * draw_power(random, -2.0, 2.0);
    }
    if (admissible) {
        real wide[6];
        reference_widen(s.width, p, wide);
        reference_project(s, c->coef, wide);
        for (int i = 0; i < s.width; ++i) p[i] = (double)wide[i];
        p[0] = fabs(p[0]) * (1.0 + 1e-14);
        y[0] = draw_chance(random, 30.0) ? 0.0 : fabs(y[0]);
        reference_widen(s.width, y, wide);
        if (law == SCREE_LAW_CONVEX)
            y[0] += (double)reference_shift(s, c->coef, wide) * (1.0 + 1e-14);
    }
    for (int i = 0; i < s.width; ++i) c->q[i] = y[i] - p[i];
}

/* (45): (mu |u_T| + mu_r |w_R| + mu_s |w_S|) r_N + y . p; for the associated law y . p. */
static void equals_the_formula_where_admissible(void** state)
{
    (void)state;
    scri_random random = test_seed("formula", 45);
    int cases = test_cases(20000, 400000);
    for (int k = 0; k < cases; ++k) {
        scree_law law = k % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        one_contact_problem c;
        double p[6];
        real y[6], expected = 0;
        draw_pair(&random, 1, law, &c, p);
        row_shape s = shape_of((int)c.rows);
        velocity_of(&c, p, y);
        for (int i = 0; i < s.width; ++i) expected += (real)p[i] * y[i];
        if (law == SCREE_LAW_EXACT) expected += (real)p[0] * reference_shift(s, c.coef, y);
        double found = certify(&c, law, p).bipotential, size = energy_of(&c, p, y);
        require(found >= 0.0, "case %d: %.17g is negative", k, found);
        require(fabs(found - (double)expected) <= 1e-13 * size, "case %d, law %s: %.17g, not %.17g",
                k, scree_law_name((int)law), found, (double)expected);
    }
}

/* For admissible pairs the square of the natural map is not above the bipotential: with r = p -
 * P_K(p - yhat), |r|^2 <= yhat . r <= yhat . p. So the bipotential is zero at solutions alone. */
static void bounds_the_natural_map(void** state)
{
    (void)state;
    scri_random random = test_seed("bound", 5400);
    int cases = test_cases(20000, 400000);
    for (int k = 0; k < cases; ++k) {
        scree_law law = k % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        one_contact_problem c;
        double p[6];
        real y[6], image[6], square = 0;
        draw_pair(&random, 1, law, &c, p);
        row_shape s = shape_of((int)c.rows);
        velocity_of(&c, p, y);
        for (int i = 0; i < s.width; ++i) image[i] = (real)p[i] - y[i];
        if (law == SCREE_LAW_EXACT) image[0] -= reference_shift(s, c.coef, y);
        reference_project(s, c.coef, image);
        for (int i = 0; i < s.width; ++i)
            square += ((real)p[i] - image[i]) * ((real)p[i] - image[i]);
        double found = certify(&c, law, p).bipotential;
        require((double)square <= found + 1e-13 * energy_of(&c, p, y) + 1e-60,
                "case %d: the map is %.3g, the bipotential %.3g", k, (double)square, found);
    }
}

static void is_never_negative(void** state)
{
    (void)state;
    scri_random random = test_seed("sign", 49);
    int cases = test_cases(20000, 400000);
    for (int k = 0; k < cases; ++k) {
        scree_law law = (scree_law)(k % SCREE_LAW_WORLD_COUNT);
        one_contact_problem c;
        double p[6];
        draw_pair(&random, 0, law, &c, p);
        scree_contact_certificate found = certify(&c, law, p);
        require(found.bipotential >= 0.0, "case %d: %.17g", k, found.bipotential);
        require(found.cone_violation >= 0.0 && found.normal_violation >= 0.0, "case %d", k);
        real y[6] = {0};
        velocity_of(&c, p, y);
        row_shape s = shape_of((int)c.rows);
        real margin = law == SCREE_LAW_EXACT ? y[0] : y[0] - reference_shift(s, c.coef, y);
        double slack = 1e-13 * (double)(reference_norm(s.width, y) + reference_shift(s, c.coef, y));
        if (law == SCREE_LAW_COUPLED || real_abs(margin) <= (real)slack) continue;
        require(margin > 0 ? found.dual_violation <= slack : found.dual_violation > 0.0,
                "case %d: margin %.3g, yet %.3g outside of the dual cone", k, (double)margin,
                found.dual_violation);
    }
}

static void is_zero_at_solutions_and_nowhere_near(void** state)
{
    (void)state;
    scri_random random = test_seed("solutions", 33);
    int cases = test_cases(5000, 200000);
    for (int k = 0; k < cases; ++k) {
        scree_law law = (scree_law)(k % SCREE_LAW_WORLD_COUNT);
        one_contact_problem c;
        double p[6] = {0.0};
        real y[6];
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)(1 + draw_below(&random, 7)),
                         &c);
        if (scree_one_contact_solve(c.rows, law, c.coef, c.w, c.q, p) == SCREE_ONE_CONTACT_NONE) {
            continue;
        }
        velocity_of(&c, p, y);
        scree_contact_certificate at = certify(&c, law, p);
        double size = energy_of(&c, p, y);
        require(at.bipotential <= 1e-10 * size, "case %d, law %s: %.3g of %.3g", k,
                scree_law_name((int)law), at.bipotential, size);
        if (!(p[0] > 0.0)) continue;
        for (int i = 0; i < shape_of((int)c.rows).width; ++i) p[i] *= 1.5; /* stays in K */
        at = certify(&c, law, p);
        require(at.residual > 1e-9, "case %d is solved twice", k);
        require(at.bipotential > 0.0 || at.dual_violation > 0.0 || at.cone_violation > 0.0,
                "case %d, law %s: no solution, yet nothing is wrong", k, scree_law_name((int)law));
    }
}

/* The residuals of contacts are the local measure, and its largest is that of the certificate. */
static void contacts_make_the_certificate(void** state)
{
    (void)state;
    scri_random random = test_seed("contacts", 11);
    sphere_pile pile = {.nx = 3,
                        .ny = 3,
                        .nz = 2,
                        .rows = SCREE_ROWS_NTTRRS,
                        .coef = {0.4, 0.1, 0.1},
                        .noise = 0.5};
    sample s = sample_pile(&pile, &random);
    int32_t n = s.view.n_contacts, n_rows = scree_problem_n_rows(&s.view);
    double* p = sample_take(&s, (size_t)n_rows, sizeof *p);
    scree_contact_certificate* of = sample_take(&s, (size_t)n, sizeof *of);
    for (int32_t i = 0; i < n_rows; ++i) p[i] = draw_between(&random, -1e-4, 1e-3);
    scree_certificate all;
    double local = 0.0, normal = 0.0, cone = 0.0;
    assert_int_equal(scree_certify(NULL, &s.view, p, &all), SCREE_OK);
    assert_int_equal(scree_certify_contacts(NULL, &s.view, p, 1e-6, of), SCREE_OK);
    for (int32_t c = 0; c < n; ++c) {
        local = fmax(local, of[c].residual);
        normal = fmax(normal, of[c].normal_violation);
        cone = fmax(cone, of[c].cone_violation);
    }
    require(fabs(local - all.local) <= 1e-14 * local, "local %.17g, not %.17g", local, all.local);
    require(fabs(normal - all.normal_violation) <= 1e-14 * normal, "normal %.17g, not %.17g",
            normal, all.normal_violation);
    require(fabs(cone - all.cone_violation) <= 1e-12 * cone, "cone %.17g, not %.17g", cone,
            all.cone_violation);
    p[0] = (double)NAN;
    assert_int_equal(scree_certify_contacts(NULL, &s.view, p, 1e-6, of), SCREE_OK);
    assert_true(isnan(of[0].residual) && isnan(of[0].bipotential) && isnan(of[0].cone_violation));
    assert_int_equal(of[0].mode, SCREE_MODE_NONE);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_formula_where_admissible),
        cmocka_unit_test(bounds_the_natural_map),
        cmocka_unit_test(is_never_negative),
        cmocka_unit_test(is_zero_at_solutions_and_nowhere_near),
        cmocka_unit_test(contacts_make_the_certificate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
