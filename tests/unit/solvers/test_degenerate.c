/* Problems that are degenerate, impossible or far from any usual size, before every solver: each
 * ends in time, with finite impulses and an outcome that the certificate confirms; none calls
 * solved what has no solution. */
#include "scree_study/packing.h"
#include "support/fits.h"

typedef enum prospect {
    UNCERTAIN,  /* some solvers find the solution, if there is one */
    SOLVABLE,   /* auto must find it */
    IMPOSSIBLE, /* no solver may say that it has */
} prospect;

/* ---- judging ---- */

typedef enum guess { ZERO, ONES, HUGE_ONES, NOT_FINITE, N_GUESSES } guess;

static void fill_guess(guess kind, int32_t n, double* p)
{
    static const double value[N_GUESSES] = {0.0, 1.0, 1e12, 1e200};
    for (int32_t i = 0; i < n; ++i) p[i] = value[kind];
    if (kind == NOT_FINITE) p[0] = (double)NAN;
}

static void run_solver(const scree_env* env, const char* what, const scree_problem* problem,
                       const scree_solver_def* def, guess kind, prospect expected)
{
    double* p = zeros_of(problem);
    fill_guess(kind, scree_problem_n_rows(problem), p);
    scree_report report = solved_in(env, problem, def, p);
    int converged = report.outcome == SCREE_OUTCOME_CONVERGED;
    const char* text = scree_outcome_text((int)report.outcome);
    require(expected != IMPOSSIBLE || !converged, "%s: %s says \"%s\" at %.3g for %g, guess %d",
            what, def->solver, text, report.residual, def->tol, (int)kind);
    require(expected != SOLVABLE || converged || strcmp(def->solver, "auto") != 0 || kind != ZERO,
            "%s: auto says \"%s\" at %.3g for %g", what, text, report.residual, def->tol);
    free(p);
}

/* Where nothing is asked but an end, no more work than this: looks at the clock. */
enum { LOOKS = 30 };

static void run_all(const char* what, const scree_problem* problem, prospect expected)
{
    assert_int_equal(scree_problem_validate(NULL, problem), SCREE_OK);
    for (int k = 0; k < scree_solver_count(); ++k) {
        for (int j = 0; j < 2 * N_GUESSES; ++j) {
            scree_solver_def def = solver_def(scree_solver_get(k).name, j % 2 ? 1e-8 : 1e-3, 1000);
            if (!fits(problem, &def)) continue;
            def.measure = j % 3 == 2 ? SCREE_MEASURE_SICONOS : SCREE_MEASURE_SCREE;
            test_clock clock = {.step = 1.0};
            scree_env env = test_clock_env(&clock);
            if (k > 0 || expected != SOLVABLE) def.max_time = LOOKS; /* auto is the first */
            run_solver(&env, what, problem, &def, (guess)(j / 2), expected);
        }
    }
}

/* In the bodies form and assembled. */
static void run_forms(const char* what, sample* s, prospect expected)
{
    scree_problem_store assembled;
    run_all(what, &s->view, expected);
    assert_int_equal(scree_problem_reduce(NULL, &s->view, &assembled), SCREE_OK);
    run_all(what, &assembled.problem, expected);
    scree_problem_store_release(&assembled);
    sample_end(s);
}

/* ---- problems ---- */

static void set_frame(double* frame, double up)
{
    static const double axes[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    for (int i = 0; i < 9; ++i) frame[i] = axes[i] * (i < 6 ? up : 1.0);
}

/* Contacts of body 0, a ball of mass and radius 1, with the ground below; all at the same point,
 * with normal velocity q_n and some sliding. */
static sample ball(int32_t n, int rows, double mu, double q_n)
{
    enum { MOST = 400 };
    int kinds[MOST], laws[MOST];
    for (int32_t c = 0; c < n; ++c) kinds[c] = rows, laws[c] = SCREE_LAW_EXACT;
    sample s = sample_begin(n, kinds, laws);
    sample_add_bodies(&s, 2);
    for (int b = 0; b < 2; ++b) {
        s.inv_mass[b] = 1.0;
        for (int i = 0; i < 3; ++i) s.inv_inertia[6 * b + i] = 2.5;
    }
    for (int32_t c = 0; c < n; ++c) {
        s.pair[2 * c + 1] = -1;
        set_frame(s.frame + 9 * c, 1.0);
        s.arm[6 * c + 2] = -1.0;
        s.coef[3 * c] = mu;
        s.coef[3 * c + 1] = s.coef[3 * c + 2] = 0.1;
        s.q[s.row[c]] = q_n;
        if (s.row[c + 1] - s.row[c] > 1) s.q[s.row[c] + 1] = 0.3;
    }
    return s;
}

static void contact_without_mobility(void** state)
{
    (void)state;
    for (int approach = 0; approach < 2; ++approach) {
        sample s = ball(2, SCREE_ROWS_NTT, 0.3, -1.0);
        s.pair[2] = 1; /* contact 1: an immovable body */
        s.inv_mass[1] = 0.0;
        for (int i = 0; i < 3; ++i) s.inv_inertia[6 + i] = 0.0;
        s.q[3] = approach ? -1.0 : 1.0;
        run_forms("immovable body", &s, approach ? IMPOSSIBLE : UNCERTAIN);
        s = ball(2, SCREE_ROWS_NTTRRS, 0.3, -1.0);
        s.pair[3] = s.pair[2] = 0; /* contact 1: a body and itself */
        s.arm[6 + 5] = s.arm[6 + 2];
        s.q[6] = approach ? -1.0 : 1.0;
        run_forms("body against itself", &s, approach ? IMPOSSIBLE : UNCERTAIN);
    }
}

/* Walls that approach on both sides of a ball: impulses grow for ever, and with them all measures
 * that are relative to them become small. */
static void closing_walls(void** state)
{
    (void)state;
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
        sample s = ball(2, SCREE_ROWS_NTT, 0.3, -1.0);
        set_frame(s.frame + 9, -1.0);
        s.arm[6 + 2] = 1.0;
        s.law[0] = s.law[1] = (uint8_t)law;
        run_forms("closing walls", &s, IMPOSSIBLE);
    }
    sample s = ball(2, SCREE_ROWS_N, 0.0, -1.0); /* a joint that is asked for two velocities */
    s.law[0] = s.law[1] = SCREE_LAW_BILATERAL;
    s.q[1] = 1.0;
    run_forms("contradicting joints", &s, IMPOSSIBLE);
}

static void many_duplicates(void** state)
{
    (void)state;
    sample s = ball(test_size(15, 300), SCREE_ROWS_NTT, 0.3, -1.0);
    run_forms("duplicates", &s, SOLVABLE);
    s = ball(test_size(10, 200), SCREE_ROWS_NTTRRS, 0.3, -1.0);
    run_forms("duplicates that roll", &s, SOLVABLE);
}

/* A body on the ball, which is `ratio` times as heavy. Impulses are as much larger than the free
 * velocities, so that a relative residual says little: but they must not do less than half. */
static void mass_ratios(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double ratio = k ? 1e9 : 1e-9;
        sample s = ball(2, SCREE_ROWS_NTT, 0.3, -1.0);
        s.inv_mass[1] /= ratio;
        for (int i = 0; i < 3; ++i) s.inv_inertia[6 + i] /= ratio;
        s.pair[2] = 1, s.pair[3] = 0;
        s.arm[6 + 5] = 1.0;
        s.q[1] = s.q[3] = s.q[4] = 0.0;
        double* p = zeros_of(&s.view);
        scree_solver_def def = solver_def("auto", 1e-12, 100000);
        scree_report report = solved(&s.view, &def, p);
        require(report.outcome == SCREE_OUTCOME_CONVERGED, "ratio %g: %s at %g", ratio,
                scree_outcome_text((int)report.outcome), report.residual);
        require(fabs(p[0] / (1.0 + ratio) - 1.0) <= 1e-2, "ratio %g: impulse %g", ratio, p[0]);
        free(p);
        run_forms("mass ratio", &s, UNCERTAIN);
    }
}

static void extreme_coefficients(void** state)
{
    (void)state;
    static const double coef[][3] = {{0.0, 0.0, 0.0},  {1e3, 0.1, 0.1}, {0.3, 0.0, 1e6},
                                     {0.3, 1e6, 0.0},  {1e3, 1e6, 1e6}, {0.0, 1e6, 1e6},
                                     {1e-9, 1.0, 1.0}, {1e9, 1e-9, 0.0}};
    for (size_t i = 0; i < sizeof coef / sizeof coef[0]; ++i) {
        sample s = ball(3, SCREE_ROWS_NTTRRS, 0.3, -1.0);
        for (int k = 0; k < 9; ++k) s.coef[k] = coef[i][k % 3];
        s.arm[6] = 0.5, s.arm[12] = -0.5;
        s.q[10] = -0.2;
        run_forms("coefficients", &s, UNCERTAIN);
    }
}

static void extreme_velocities(void** state)
{
    (void)state;
    static const double size[] = {0.0, 1e-300, 1e-160, 1e150};
    for (size_t i = 0; i < sizeof size / sizeof size[0]; ++i) {
        sample s = ball(1, SCREE_ROWS_NTTRR, 0.3, -1.0);
        for (int k = 0; k < 5; ++k) s.q[k] *= size[i];
        run_forms("velocities", &s, i == 0 ? SOLVABLE : UNCERTAIN);
    }
    sample s = ball(1, SCREE_ROWS_NTT, 0.3, -1e-160);
    double* p = zeros_of(&s.view);
    scree_certificate certificate;
    assert_int_equal(scree_certify(NULL, &s.view, p, &certificate), SCREE_OK);
    s.q[1] = 0.0;
    assert_int_equal(scree_certify(NULL, &s.view, p, &certificate), SCREE_OK);
    require(fabs(certificate.residual - 1.0) <= 1e-12, "residual %g", certificate.residual);
    free(p);
    sample_end(&s);
}

static void points_and_mixed_widths(void** state)
{
    (void)state;
    sample s = ball(3, SCREE_ROWS_NTTRRS, 0.3, -1.0);
    for (int i = 0; i < 3; ++i) s.inv_inertia[i] = 0.0;
    run_forms("point", &s, UNCERTAIN);
    static const int rows[] = {SCREE_ROWS_N, SCREE_ROWS_NTTRRS, SCREE_ROWS_NTT, SCREE_ROWS_NTTS};
    static const int law[] = {SCREE_LAW_HALF_LINE, SCREE_LAW_EXACT, SCREE_LAW_CONVEX,
                              SCREE_LAW_COUPLED};
    sample from = ball(4, SCREE_ROWS_NTT, 0.3, -1.0);
    s = sample_begin(4, rows, law);
    s.view.form = SCREE_FORM_BODIES;
    s.view.bodies = from.view.bodies;
    for (int c = 0; c < 4; ++c) s.q[s.row[c]] = -1.0, s.coef[3 * c] = 0.3;
    run_forms("mixed widths", &s, UNCERTAIN);
    sample_end(&from);
}

/* Two contacts with a full matrix that no bodies have. */
static void matrices_of_no_bodies(void** state)
{
    (void)state;
    static const char* const names[] = {"not symmetric", "negative", "normal row negative", "skew"};
    for (int kind = 0; kind < 4; ++kind) {
        sample s = ball(2, SCREE_ROWS_NTT, 0.3, -1.0);
        scree_problem_store w;
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &w), SCREE_OK);
        double value[36];
        for (int i = 0; i < 36; ++i) {
            double old = w.problem.w.value[i], tilt = i % 2 ? 0.4 : -0.3;
            value[i] = kind == 0 ? old + tilt : kind == 1 ? -old : kind == 2 ? old : tilt;
        }
        if (kind == 2) value[0] = -1.0;
        scree_problem problem = w.problem;
        problem.w.value = value;
        run_all(names[kind], &problem, UNCERTAIN);
        scree_problem_store_release(&w);
        sample_end(&s);
    }
}

/* Looks at the clock take 1 s, then 3 s each: a solver stops at the limit, or before a step that
 * would lead well beyond it, and makes no more iterations than looks allow. Then the last check,
 * auto's account of its stage and the report take a look each. */
static void time_limit_is_kept(void** state)
{
    (void)state;
    scree_packing_def packing = scree_default_packing_def();
    scree_problem_store store;
    packing.contacts = test_size(600, 4000);
    packing.noise = 0.3;
    assert_int_equal(scree_packing_create(NULL, &packing, &store), SCREE_OK);
    for (int k = 0; k < scree_solver_count(); ++k) {
        for (int step = 1; step <= 3; step += 2) {
            const double limit = 20.0;
            test_clock clock = {.step = (double)step};
            scree_env env = test_clock_env(&clock);
            scree_solver_def def = solver_def(scree_solver_get(k).name, 1e-14, 100000);
            if (!fits(&store.problem, &def)) continue;
            def.max_time = limit;
            double* p = zeros_of(&store.problem);
            scree_report report = solved_in(&env, &store.problem, &def, p);
            free(p);
            require(report.outcome == SCREE_OUTCOME_TIME_LIMIT, "%s: %s after %g s", def.solver,
                    scree_outcome_text((int)report.outcome), report.time_s);
            require(report.time_s >= 0.8 * limit &&
                        report.time_s <= 1.05 * limit + 3.0 * (double)step,
                    "%s: stopped after %g s of %g", def.solver, report.time_s, limit);
            require((double)report.iterations <= limit / (double)step, "%s: %d iterations",
                    def.solver, (int)report.iterations);
        }
    }
    scree_problem_store_release(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_without_mobility), cmocka_unit_test(closing_walls),
        cmocka_unit_test(many_duplicates),          cmocka_unit_test(mass_ratios),
        cmocka_unit_test(extreme_coefficients),     cmocka_unit_test(extreme_velocities),
        cmocka_unit_test(points_and_mixed_widths),  cmocka_unit_test(matrices_of_no_bodies),
        cmocka_unit_test(time_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
