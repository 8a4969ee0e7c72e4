/* The local measure: what a light body below a heavy one feels counts, what a contact of no
 * importance does not, and nothing depends on units. */
#include "support/solving.h"

/* A tower of two on the ground: contact 0 below body 0, contact 1 between it and body 1, both
 * falling by `drop` in the step. */
static sample tower(double light, double heavy, double drop)
{
    const int rows[2] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT}, law[2] = {0, 0};
    sample s = sample_begin(2, rows, law);
    sample_add_bodies(&s, 2);
    s.inv_mass[0] = 1.0 / light, s.inv_mass[1] = 1.0 / heavy;
    for (int c = 0; c < 2; ++c) {
        s.frame[9 * c + 2] = s.frame[9 * c + 3] = s.frame[9 * c + 7] = 1.0;
        s.pair[2 * c] = c, s.pair[2 * c + 1] = c - 1;
        s.coef[3 * c] = 0.5;
    }
    s.q[0] = -drop;
    return s;
}

static scree_certificate judged(const sample* s, const double* p)
{
    scree_certificate certificate;
    assert_int_equal(scree_certify(NULL, &s->view, p, &certificate), SCREE_OK);
    return certificate;
}

/* The light body pushed upwards by a hundredth of its weight: 1e-8 of the impulses, 1e-2 of what it
 * does. */
static void a_light_body_counts(void** state)
{
    (void)state;
    const double drop = 0.01, light = 1.0, heavy = 1e6;
    sample s = tower(light, heavy, drop);
    double exact[6] = {(light + heavy) * drop, 0, 0, heavy * drop, 0, 0};
    scree_certificate c = judged(&s, exact);
    require(c.local <= 1e-9, "solved: %g", c.local);
    double pushed[6] = {exact[0] + 0.01 * light * drop, 0, 0, exact[3], 0, 0};
    c = judged(&s, pushed);
    require(c.residual <= 1e-4 && fabs(c.local - 0.01) <= 1e-3, "pushed: %g, local %g", c.residual,
            c.local);
    sample_end(&s);
}

/* Lengths, masses and times in other units: the same number. */
static void units_do_not_matter(void** state)
{
    (void)state;
    double first = 0.0;
    for (int k = -3; k <= 3; ++k) {
        double mass = pow(10.0, 3 * k), speed = pow(10.0, -2 * k);
        sample s = tower(2.0 * mass, 50.0 * mass, 0.01 * speed);
        double p[6] = {0.5 * mass * speed, 0, 0, 0.45 * mass * speed, 0.01 * mass * speed, 0};
        scree_certificate c = judged(&s, p);
        if (k == -3) first = c.local;
        require(fabs(c.local - first) <= 1e-12 * first && first > 0.0, "%g, before %g", c.local,
                first);
        sample_end(&s);
    }
}

/* Nor where squares leave the range of numbers. What is large is what the impulses change in the
 * light body, not what is left of it. */
static void sizes_of_numbers_do_not_matter(void** state)
{
    (void)state;
    static const int powers[] = {0, 360, -360};
    double first = 0.0;
    for (int k = 0; k < 3; ++k) {
        double speed = ldexp(0.01, powers[k]), light = 1.0, heavy = 1e6;
        sample s = tower(light, heavy, speed);
        double p[6] = {(1.01 * light + heavy) * speed, 0, 0, heavy * speed, 0, 0};
        scree_certificate c = judged(&s, p);
        if (k == 0) first = c.local;
        require(fabs(c.local - first) <= 1e-9 * first && first > 0.0, "2^%d: %g, before %g",
                powers[k], c.local, first);
        sample_end(&s);
    }
}

/* All methods stop by it when asked to, at a ratio of masses of a million. */
static void solvers_stop_by_it(void** state)
{
    (void)state;
    for (double ratio = 1.0; ratio <= 1e8; ratio *= 100.0) {
        sample s = tower(1.0, ratio, 0.01);
        double p[6] = {0.0};
        scree_solver_def def = solver_def("auto", 1e-6, 100000);
        def.measure = SCREE_MEASURE_LOCAL;
        scree_report report = solved(&s.view, &def, p);
        require(report.outcome == SCREE_OUTCOME_CONVERGED, "ratio %g: %s at %g", ratio,
                scree_outcome_text((int)report.outcome), report.residual);
        require(fabs(p[3] - 0.01 * ratio) <= 1e-6 * 0.01 * ratio, "ratio %g: %g", ratio, p[3]);
        sample_end(&s);
    }
}

/* A NaN among the impulses is one in the measure. */
static void no_number_is_no_solution(void** state)
{
    (void)state;
    sample s = tower(1.0, 1.0, 0.01);
    double p[6] = {0.02, 0, 0, (double)NAN, 0, 0};
    assert_true(isnan(judged(&s, p).local));
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_body_counts),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(sizes_of_numbers_do_not_matter),
        cmocka_unit_test(solvers_stop_by_it),
        cmocka_unit_test(no_number_is_no_solution),
    };
    return cmocka_run_group_tests_name("local", tests, NULL, NULL);
}
