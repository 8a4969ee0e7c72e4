/* scree_solve() as a user meets it: problems with known answers, limits, progress, misuse. */
#include "support/fits.h"

#define NOT_A_NUMBER ((double)NAN)

static const sphere_pile tower = {.nx = 1,
                                  .ny = 1,
                                  .nz = 4,
                                  .jitter = 0.1,
                                  .noise = 0.3,
                                  .rows = SCREE_ROWS_NTTRRS,
                                  .coef = {0.5, 0.1, 0.05}};
static const sphere_pile pyramid = {.nx = 3,
                                    .ny = 3,
                                    .nz = 3,
                                    .pyramid = 1,
                                    .jitter = 0.01,
                                    .noise = 0.3,
                                    .rows = SCREE_ROWS_NTT,
                                    .coef = {0.5, 0.1, 0.05}};

static sample build(const sphere_pile* pile)
{
    scri_random random = {.key = 91};
    return sample_pile(pile, &random);
}

/* ---- known answers ---- */

typedef struct known {
    double p[24], y[24]; /* NaN: not unique */
} known;

/* Solves with every method and compares. */
static void expect(const sample* s, const known* k, const char* what)
{
    int32_t n = s->row[s->view.n_contacts];
    double size_p = 0.0, size_y = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        if (k->p[i] == k->p[i]) size_p = fmax(size_p, fabs(k->p[i]));
        size_y = fmax(size_y, fabs(s->q[i]));
    }
    for (int m = 0; m < scree_solver_count(); ++m) {
        scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-13, 100000);
        if (!fits(&s->view, &def)) continue;
        if (!strcmp(def.solver, "channels") || !strcmp(def.solver, "proximal")) {
            continue; /* slow: no rule sizes their rhos */
        }
        double p[24] = {0.0}, y[24];
        scree_report report = solved(&s->view, &def, p);
        require(report.residual <= 1e-11, "%s, %s: residual %.2g", what, def.solver,
                report.residual);
        assert_int_equal(scree_problem_velocity(NULL, &s->view, p, y), SCREE_OK);
        for (int32_t i = 0; i < n; ++i) {
            require(isnan(k->p[i]) || fabs(p[i] - k->p[i]) <= 1e-9 * size_p,
                    "%s, %s: p[%d] is %.12g, not %.12g", what, def.solver, (int)i, p[i], k->p[i]);
            require(isnan(k->y[i]) || fabs(y[i] - k->y[i]) <= 1e-9 * size_y,
                    "%s, %s: y[%d] is %.12g, not %.12g", what, def.solver, (int)i, y[i], k->y[i]);
        }
    }
}

/* One sphere (m = 2, R = 0.25) on the ground with linear and angular free velocity. */
static sample sphere_on_plane(int rows, int law, double vx, double vz, double wy)
{
    const double m = 2.0, radius = 0.25;
    sample s = sample_begin(1, &rows, &law);
    sample_add_bodies(&s, 1);
    s.inv_mass[0] = 1.0 / m;
    for (int k = 0; k < 3; ++k) s.inv_inertia[k] = 2.5 / (m * radius * radius);
    s.pair[1] = -1;
    s.frame[2] = s.frame[3] = s.frame[7] = 1.0; /* n = z, t1 = x, t2 = y */
    s.arm[2] = -radius;
    s.q[0] = vz;
    s.q[1] = vx - radius * wy;
    if (s.row[1] > 4) s.q[4] = wy;
    return s;
}

static void sphere_pressed_on_a_plane(void** state)
{
    (void)state;
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
        sample s = sphere_on_plane(SCREE_ROWS_NTTRRS, law, 0.0, -0.1, 0.0);
        s.coef[0] = 0.5, s.coef[1] = 0.01, s.coef[2] = 0.01;
        expect(&s, &(known){.p = {0.2}}, "pressed sphere");
        s.q[0] = 0.1; /* it leaves */
        expect(&s, &(known){.y = {0.1}}, "leaving sphere");
        sample_end(&s);
    }
}

/* Slides with r_T = mu m v while mu m v cannot stop the slip; sticks with r_T = (2/7) m u. */
static void sphere_slides_or_sticks(void** state)
{
    (void)state;
    sample s = sphere_on_plane(SCREE_ROWS_NTT, SCREE_LAW_EXACT, 0.5, -0.1, 0.0);
    s.coef[0] = 0.25;
    expect(&s, &(known){.p = {0.2, -0.05}, .y = {0.0, 0.5 - 3.5 * 0.025}}, "sliding sphere");
    s.coef[0] = 2.0;
    expect(&s, &(known){.p = {0.2, -2.0 / 7.0}}, "sticking sphere");
    sample_end(&s);
}

/* Rolling without slip against rolling friction: the speed falls by (5/7) (mu_r / R) v. */
static void sphere_rolls_to_rest(void** state)
{
    (void)state;
    const double radius = 0.25, v = 0.1, speed = 1.0, mu_r = 0.01, m = 2.0;
    sample s = sphere_on_plane(SCREE_ROWS_NTTRR, SCREE_LAW_EXACT, speed, -v, speed / radius);
    s.coef[0] = 0.5, s.coef[1] = mu_r;
    double loss = 5.0 / 7.0 * mu_r / radius * v;
    expect(&s,
           &(known){.p = {m * v, -m * loss, 0.0, 0.0, -mu_r * m * v},
                    .y = {0.0, 0.0, 0.0, 0.0, (speed - loss) / radius}},
           "rolling sphere");
    sample_end(&s);
    /* half as fast as the loss: it comes to rest within the step */
    s = sphere_on_plane(SCREE_ROWS_NTTRR, SCREE_LAW_EXACT, 0.5 * loss, -v, 0.5 * loss / radius);
    s.coef[0] = 0.5, s.coef[1] = mu_r;
    expect(&s, &(known){.p = {m * v, -0.5 * m * loss, 0.0, 0.0, -0.5 * mu_r * m * v}},
           "stopping sphere");
    sample_end(&s);
}

/* A spinning sphere is braked by mu_s m v / J. */
static void sphere_spins_down(void** state)
{
    (void)state;
    const double m = 2.0, radius = 0.25, v = 0.1, mu_s = 0.02, spin = 3.0;
    sample s = sphere_on_plane(SCREE_ROWS_NTTS, SCREE_LAW_EXACT, 0.0, -v, 0.0);
    s.coef[0] = 0.5, s.coef[2] = mu_s;
    s.q[3] = spin;
    double braked = spin - mu_s * m * v * 2.5 / (m * radius * radius);
    expect(&s, &(known){.p = {m * v, 0.0, 0.0, -mu_s * m * v}, .y = {0.0, 0.0, 0.0, braked}},
           "spinning sphere");
    sample_end(&s);
}

/* A flat block (m = 3, 2 x 2 x 0.1) on four corners, on a slope. The impulses of the corners are
 * not unique, but the motion is: no rotation, and along the slope as for a point mass. */
static sample block_on_slope(int law, double mu, double slope)
{
    const int rows[4] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT, SCREE_ROWS_NTT, SCREE_ROWS_NTT};
    const int laws[4] = {law, law, law, law};
    const double m = 3.0, drop = 0.01;
    sample s = sample_begin(4, rows, laws);
    sample_add_bodies(&s, 1);
    s.inv_mass[0] = 1.0 / m;
    s.inv_inertia[0] = s.inv_inertia[1] = 12.0 / (m * (4.0 + 0.01));
    s.inv_inertia[2] = 12.0 / (m * 8.0);
    for (int c = 0; c < 4; ++c) {
        s.pair[2 * c + 1] = -1;
        s.frame[9 * c + 2] = s.frame[9 * c + 3] = s.frame[9 * c + 7] = 1.0;
        s.arm[6 * c] = c % 2 ? 1.0 : -1.0;
        s.arm[6 * c + 1] = c / 2 ? 1.0 : -1.0;
        s.arm[6 * c + 2] = -0.05;
        s.coef[3 * c] = mu;
        s.q[3 * c] = -drop * cos(slope);
        s.q[3 * c + 1] = drop * sin(slope);
    }
    return s;
}

static void expect_block(int law, double mu, double slope, double lift, double slip)
{
    sample s = block_on_slope(law, mu, slope);
    known k;
    for (int i = 0; i < 12; ++i) {
        k.p[i] = NOT_A_NUMBER;
        k.y[i] = i % 3 == 0 ? lift : i % 3 == 1 ? slip : 0.0;
    }
    expect(&s, &k, "block");
    sample_end(&s);
}

static void block_on_a_slope(void** state)
{
    (void)state;
    const double slope = 0.5, drop = 0.01, mu = 0.3;
    expect_block(SCREE_LAW_EXACT, 0.6, slope, 0.0, 0.0); /* tan 0.5 = 0.546 */
    expect_block(SCREE_LAW_CONVEX, 0.6, slope, 0.0, 0.0);
    double slip = drop * (sin(slope) - mu * cos(slope));
    expect_block(SCREE_LAW_EXACT, mu, slope, 0.0, slip);
    slip /= 1.0 + mu * mu; /* convex: lifts off with mu times the slip, pressed harder by as much */
    expect_block(SCREE_LAW_CONVEX, mu, slope, mu * slip, slip);
    expect_block(SCREE_LAW_EXACT, 0.0, slope, 0.0, drop * sin(slope));
}

/* Two spheres one on the other: the lower contact carries both. */
static void chain_of_two_spheres(void** state)
{
    (void)state;
    sphere_pile pile = {.nx = 1, .ny = 1, .nz = 2, .rows = SCREE_ROWS_NTT, .coef = {0.5, 0.0, 0.0}};
    for (int ground = 0; ground < 2; ++ground) {
        pile.ground_is_body = ground;
        sample s = build(&pile);
        double lower = PILE_DROP / s.inv_mass[0], upper = PILE_DROP / s.inv_mass[1];
        assert_int_equal(s.view.n_contacts, 2);
        expect(&s, &(known){.p = {lower + upper, 0.0, 0.0, upper}}, "chain");
        sample_end(&s);
    }
}

/* A joint between a mass and the ground, a motor row with a bounded impulse, a limit row. */
static void rows_without_a_cone(void** state)
{
    (void)state;
    const int rows[3] = {SCREE_ROWS_NTT, SCREE_ROWS_N, SCREE_ROWS_N};
    const int law[3] = {SCREE_LAW_BILATERAL, SCREE_LAW_INTERVAL, SCREE_LAW_HALF_LINE};
    static const int32_t start[] = {0, 1, 2, 3}, column[] = {0, 1, 2};
    static const int64_t offset[] = {0, 9, 10, 11};
    static const double value[] = {2, 0, 0, 0, 4, 1, 0, 1, 4, 5, 8};
    sample s = sample_begin(3, rows, law);
    s.view.w = (scree_bsr){start, column, offset, value};
    const double q[] = {6, -4, -1, 10, -2};
    memcpy(s.q, q, sizeof q);
    s.coef[3] = -1.0, s.coef[4] = 1.0;
    expect(&s, &(known){.p = {-3.0, 1.0, 0.0, -1.0, 0.25}, .y = {0, 0, 0, 5.0, 0.0}}, "rows");
    sample_end(&s);
}

/* An immovable body that approaches the ground cannot be stopped: the sweeps say so and leave its
 * impulse alone; the contact beside it is solved. */
static void a_contact_without_solution(void** state)
{
    (void)state;
    static const char* const names[] = {"nsgs", "nsgs-bodies"};
    const int rows[2] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT}, law[2] = {0, 0};
    for (int m = 0; m < 2; ++m) {
        sample s = sample_begin(2, rows, law);
        sample_add_bodies(&s, 2);
        s.inv_mass[1] = 2.0;
        for (int c = 0; c < 2; ++c) {
            s.frame[9 * c + 2] = s.frame[9 * c + 3] = s.frame[9 * c + 7] = 1.0;
            s.pair[2 * c] = c, s.pair[2 * c + 1] = -1;
            s.q[3 * c] = -1.0;
        }
        double p[6] = {0.0};
        scree_solver_def def = solver_def(names[m], 1e-6, 1000);
        scree_report report = solved(&s.view, &def, p);
        assert_int_equal(report.outcome, SCREE_OUTCOME_INFEASIBLE);
        for (int i = 0; i < 6; ++i) {
            require(p[i] == (i == 3 ? 0.5 : 0.0), "%s: p[%d] is %g", names[m], i, p[i]);
        }
        scree_certificate certificate;
        assert_int_equal(scree_certify(NULL, &s.view, p, &certificate), SCREE_OK);
        assert_true(certificate.normal_violation == 1.0 && certificate.worst_contact == 0);
        sample_end(&s);
    }
}

/* ---- limits ---- */

static void iterations_are_limited(void** state)
{
    (void)state;
    static const int64_t limits[] = {0, 1, 2, 7, 50, 333};
    sample s = build(&pyramid);
    for (int m = 0; m < scree_solver_count(); ++m) {
        double last = (double)INFINITY;
        for (int i = 0; i < 6; ++i) {
            scree_solver_def def = solver_def(scree_solver_get(m).name, 0.0, limits[i]);
            if (!fits(&s.view, &def)) continue;
            double* p = zeros_of(&s.view);
            scree_report report = solved(&s.view, &def, p);
            int finished = report.outcome == SCREE_OUTCOME_STALLED && report.residual < 1e-9;
            if (finished) { /* a Newton method that cannot get any closer */
                free(p);
                break;
            }
            require(report.outcome == SCREE_OUTCOME_ITERATION_LIMIT, "%s: %s", def.solver,
                    scree_outcome_text((int)report.outcome));
            require(report.iterations == limits[i], "%s: %lld iterations of %lld", def.solver,
                    (long long)report.iterations, (long long)limits[i]);
            require(i < 3 || report.residual < last, "%s: no progress after %lld", def.solver,
                    (long long)limits[i]);
            last = report.residual;
            free(p);
        }
    }
    sample_end(&s);
}

static void time_is_limited(void** state)
{
    (void)state;
    sphere_pile pile = pyramid;
    pile.nx = pile.ny = pile.nz = 4;
    sample s = build(&pile);
    for (int m = 0; m < scree_solver_count(); ++m) {
        scree_solver_def def = solver_def(scree_solver_get(m).name, 0.0, INT64_MAX);
        if (!fits(&s.view, &def)) continue;
        double* p = zeros_of(&s.view);
        test_clock clock = {.step = 1e-3};
        scree_env env = test_clock_env(&clock);
        def.max_time = 0.0;
        scree_report report = solved_in(&env, &s.view, &def, p);
        require(report.outcome == SCREE_OUTCOME_TIME_LIMIT && report.iterations == 0,
                "%s: %s, %lld", def.solver, scree_outcome_text((int)report.outcome),
                (long long)report.iterations);
        def.max_time = 0.05;
        report = solved_in(&env, &s.view, &def, p);
        require(report.outcome == SCREE_OUTCOME_TIME_LIMIT ||
                    report.outcome == SCREE_OUTCOME_STALLED,
                "%s: %s", def.solver, scree_outcome_text((int)report.outcome));
        require(report.time_s <= 0.06, "%s: took %g s", def.solver, report.time_s);
        require(report.outcome != SCREE_OUTCOME_TIME_LIMIT || report.time_s >= 0.04,
                "%s: stopped after %g s", def.solver, report.time_s);
        free(p);
    }
    sample_end(&s);
}

/* An unattainable tolerance ends by itself. */
static void methods_notice_that_they_stall(void** state)
{
    (void)state;
    sample s = build(&tower);
    for (int m = 0; m < scree_solver_count(); ++m) {
        scree_solver_def def = solver_def(scree_solver_get(m).name, 0.0, 10000000);
        if (!fits(&s.view, &def)) continue;
        double* p = zeros_of(&s.view);
        scree_report report = solved(&s.view, &def, p);
        require(report.outcome == SCREE_OUTCOME_STALLED || report.residual == 0.0, "%s: %s",
                def.solver, scree_outcome_text((int)report.outcome));
        require(report.residual <= 1e-10, "%s: stalls at %.2g", def.solver, report.residual);
        free(p);
    }
    sample_end(&s);
}

/* ---- progress ---- */

typedef struct watcher {
    int calls, stop_at;
    int64_t last;
    double residual;
} watcher;

static int watch(void* user, int64_t iterations, double residual)
{
    watcher* w = user;
    if (w->calls > 0) {
        require(iterations >= w->last, "the count went back to %lld", (long long)iterations);
        require(residual <= w->residual, "the best residual grew to %g", residual);
    }
    w->last = iterations;
    w->residual = residual;
    return ++w->calls >= w->stop_at;
}

typedef struct history {
    int checks;
    scree_check last;
} history;

static void write_history(void* user, const scree_check* check)
{
    history* h = user;
    require(check->best <= check->residual, "best %g of %g", check->best, check->residual);
    if (h->checks++ > 0) {
        require(check->iterations >= h->last.iterations, "the count went back");
        require(check->best <= h->last.best, "the best grew to %g", check->best);
        require(check->time_s >= h->last.time_s, "the time went back to %g s", check->time_s);
    }
    h->last = *check;
}

/* Every evaluation of the residual is told; the last one is what the report says. */
static void histories_end_as_the_report_does(void** state)
{
    (void)state;
    sphere_pile pile = pyramid;
    pile.nx = pile.ny = pile.nz = 3;
    sample s = build(&pile);
    for (int m = 0; m < scree_solver_count(); ++m) {
        history h = {.checks = 0};
        scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-6, 100000);
        if (!fits(&s.view, &def)) continue;
        double* p = zeros_of(&s.view);
        def.watch = write_history;
        def.watch_user = &h;
        scree_report report = solved(&s.view, &def, p);
        require(h.checks > 1, "%s: told %d times", def.solver, h.checks);
        require(h.last.best == report.residual, "%s: %g at the end, %g reported", def.solver,
                h.last.best, report.residual);
        assert_int_equal(h.last.iterations, report.iterations);
        assert_string_equal(h.last.solver, report.solver);
        free(p);
    }
    sample_end(&s);
}

static void progress_is_told_and_may_interrupt(void** state)
{
    (void)state;
    sphere_pile pile = pyramid;
    pile.nx = pile.ny = pile.nz = 4;
    sample s = build(&pile);
    for (int m = 0; m < scree_solver_count(); ++m) {
        for (int stop_at = 1; stop_at <= 2; ++stop_at) {
            watcher w = {.stop_at = stop_at};
            test_clock clock = {.step = 0.2}; /* s: a call is due at every look */
            scree_env env = test_clock_env(&clock);
            scree_solver_def def = solver_def(scree_solver_get(m).name, 0.0, 10000000);
            if (!fits(&s.view, &def)) continue;
            double* p = zeros_of(&s.view);
            def.progress = watch;
            def.progress_user = &w;
            scree_report report = solved_in(&env, &s.view, &def, p);
            require(w.calls >= 1, "%s: never called", def.solver);
            if (report.outcome == SCREE_OUTCOME_STALLED) { /* before the second call was due */
                require(w.calls < stop_at, "%s: not interrupted", def.solver);
            } else {
                require(report.outcome == SCREE_OUTCOME_INTERRUPTED && w.calls == stop_at,
                        "%s: %s after %d calls of %d", def.solver,
                        scree_outcome_text((int)report.outcome), w.calls, stop_at);
                require(report.residual <= w.residual, "%s: %g was told, %g returned", def.solver,
                        w.residual, report.residual);
            }
            free(p);
        }
    }
    sample_end(&s);
}

/* ---- first guesses ---- */

static void a_solution_as_first_guess_is_kept(void** state)
{
    (void)state;
    sample s = build(&tower);
    int32_t n = s.row[s.view.n_contacts];
    for (int m = 0; m < scree_solver_count(); ++m) {
        scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-9, 100000);
        if (!fits(&s.view, &def)) continue;
        double *p = zeros_of(&s.view), *kept = zeros_of(&s.view);
        scree_report report = solved(&s.view, &def, p);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        assert_true(report.iterations > 0);
        memcpy(kept, p, (size_t)n * sizeof *p);
        report = solved(&s.view, &def, p);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        require(report.iterations == 0, "%s: %lld iterations", def.solver,
                (long long)report.iterations);
        assert_memory_equal(p, kept, (size_t)n * sizeof *p);
        def.min_iter = 5; /* unless more is asked for and there is anything to gain */
        report = solved(&s.view, &def, p);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        require(report.iterations >= 5 || report.residual <= 1e-12, "%s: %lld iterations",
                def.solver, (long long)report.iterations);
        free(p);
        free(kept);
    }
    sample_end(&s);
}

/* From anywhere: large, outside every cone, in channels that have no friction. */
static void first_guesses_may_be_bad(void** state)
{
    (void)state;
    scri_random random = test_seed("bad first guesses", 92);
    static const double coefs[][3] = {
        {0.5, 0.1, 0.05}, {0.5, 0.0, 0.0}, {0.5, 0.1, 0.0}, {0.5, 0.0, 0.05}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 20; ++i) {
        sphere_pile pile = tower;
        memcpy(pile.coef, coefs[i % 5], sizeof pile.coef);
        pile.ground_is_body = i / 5 % 2;
        sample s = sample_pile(&pile, &random);
        for (int m = 0; m < scree_solver_count(); ++m) {
            scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-7, 100000);
            if (!fits(&s.view, &def)) continue;
            double *p = zeros_of(&s.view), size = draw_power(&random, -4.0, 4.0);
            for (int32_t k = 0; k < s.row[s.view.n_contacts]; ++k) {
                p[k] = size * draw_between(&random, -1.0, 1.0);
            }
            scree_report report = solved(&s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED,
                    "case %d, %s, coefficients %g %g %g: %s at %.2g", i, def.solver, pile.coef[0],
                    pile.coef[1], pile.coef[2], scree_outcome_text((int)report.outcome),
                    report.residual);
            free(p);
        }
        sample_end(&s);
    }
}

static void a_first_guess_that_is_no_number_never_converges(void** state)
{
    (void)state;
    sphere_pile pile = tower;
    pile.rows = SCREE_ROWS_N;
    sample s = build(&pile);
    for (int m = 0; m < scree_solver_count(); ++m) {
        for (int32_t slot = 0; slot < 4; ++slot) {
            double p[4] = {0.0};
            p[slot] = NOT_A_NUMBER;
            scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-6, 100);
            if (!fits(&s.view, &def)) continue;
            scree_report report = solved(&s.view, &def, p); /* which holds it to its certificate */
            require(report.outcome != SCREE_OUTCOME_CONVERGED || report.residual <= 1e-6, "%s",
                    def.solver);
        }
    }
    sample_end(&s);
}

/* ---- order and repetition ---- */

static void solve_sweep(const scree_problem* problem, scree_sweep sweep, uint64_t seed, int64_t n,
                        double* p)
{
    scree_solver_def def = solver_def("nsgs", n ? 0.0 : 1e-8, n ? n : 100000);
    def.sweep = sweep;
    def.seed = seed;
    scree_report report = solved(problem, &def, p);
    require(n || report.outcome == SCREE_OUTCOME_CONVERGED, "sweep %d: %s at %.2g", (int)sweep,
            scree_outcome_text((int)report.outcome), report.residual);
}

static void sweeps_in_every_order_converge(void** state)
{
    (void)state;
    sample s = build(&pyramid);
    size_t bytes = (size_t)s.row[s.view.n_contacts] * sizeof(double);
    double* p[5];
    for (int i = 0; i < 5; ++i) p[i] = zeros_of(&s.view);
    solve_sweep(&s.view, SCREE_SWEEP_FORWARD, 0, 0, p[0]);
    solve_sweep(&s.view, SCREE_SWEEP_SYMMETRIC, 0, 0, p[1]);
    solve_sweep(&s.view, SCREE_SWEEP_SHUFFLED, 1, 0, p[2]);
    solve_sweep(&s.view, SCREE_SWEEP_SHUFFLED, 1, 0, p[3]);
    solve_sweep(&s.view, SCREE_SWEEP_SHUFFLED, 2, 0, p[4]);
    assert_memory_equal(p[2], p[3], bytes);
    assert_memory_not_equal(p[0], p[1], bytes);
    assert_memory_not_equal(p[0], p[2], bytes);
    assert_memory_not_equal(p[2], p[4], bytes);
    /* the seed of a forward sweep is not looked at */
    memset(p[3], 0, bytes);
    solve_sweep(&s.view, SCREE_SWEEP_FORWARD, 77, 0, p[3]);
    assert_memory_equal(p[0], p[3], bytes);
    for (int i = 0; i < 5; ++i) free(p[i]);
    sample_end(&s);
}

static void methods_repeat_themselves_to_the_bit(void** state)
{
    (void)state;
    sample s = build(&pyramid);
    size_t bytes = (size_t)s.row[s.view.n_contacts] * sizeof(double);
    for (int m = 0; m < scree_solver_count(); ++m) {
        scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-4, 20000);
        if (!fits(&s.view, &def)) continue;
        double *first = zeros_of(&s.view), *second = zeros_of(&s.view);
        scree_report a = solved(&s.view, &def, first), b = solved(&s.view, &def, second);
        assert_memory_equal(first, second, bytes);
        assert_int_equal(a.iterations, b.iterations);
        assert_int_equal(a.fail_safe, b.fail_safe);
        free(first);
        free(second);
    }
    sample_end(&s);
}

/* ---- measures ---- */

static void the_measure_asked_for_counts(void** state)
{
    (void)state;
    sample s = build(&pyramid);
    for (int m = 0; m < scree_solver_count(); ++m) {
        for (int measure = 0; measure < SCREE_MEASURE_COUNT;
             measure += test_few(1, SCREE_MEASURE_COUNT - 1)) {
            scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-4, 100000);
            if (!fits(&s.view, &def)) continue;
            double* p = zeros_of(&s.view);
            def.measure = (scree_measure)measure;
            scree_report report = solved(&s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s, measure %d: %s at %.2g",
                    def.solver, measure, scree_outcome_text((int)report.outcome), report.residual);
            free(p);
        }
    }
    sample_end(&s);
}

/* ---- misuse ---- */

typedef void spoil(scree_solver_def* def);

static void no_cookie(scree_solver_def* def)
{
    def->cookie = 0;
}

static void unknown_name(scree_solver_def* def)
{
    def->solver = "newton";
}

static void empty_name(scree_solver_def* def)
{
    def->solver = "";
}

static void prefix_of_a_name(scree_solver_def* def)
{
    def->solver = "nsg";
}

static void no_name(scree_solver_def* def)
{
    def->solver = NULL;
}

static void negative_tolerance(scree_solver_def* def)
{
    def->tol = -1e-300;
}

static void nan_tolerance(scree_solver_def* def)
{
    def->tol = NOT_A_NUMBER;
}

static void infinite_tolerance(scree_solver_def* def)
{
    def->tol = HUGE_VAL;
}

static void negative_iterations(scree_solver_def* def)
{
    def->max_iter = -1;
}

static void negative_time(scree_solver_def* def)
{
    def->max_time = -1.0;
}

static void nan_time(scree_solver_def* def)
{
    def->max_time = NOT_A_NUMBER;
}

static void measure_beyond(scree_solver_def* def)
{
    def->measure = SCREE_MEASURE_COUNT;
}

static void negative_measure(scree_solver_def* def)
{
    def->measure = (scree_measure)-1;
}

static void sweep_beyond(scree_solver_def* def)
{
    def->sweep = SCREE_SWEEP_COUNT;
}

static void negative_sweep(scree_solver_def* def)
{
    def->sweep = (scree_sweep)-1;
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    static spoil* const spoils[] = {
        no_cookie,      unknown_name,     empty_name,   prefix_of_a_name,   no_name,
        nan_tolerance,  negative_time,    nan_time,     negative_tolerance, negative_iterations,
        measure_beyond, negative_measure, sweep_beyond, negative_sweep,     infinite_tolerance};
    sample s = build(&tower);
    scree_solver_def def = scree_default_solver_def();
    size_t size = scree_solve_work_size(NULL, &s.view, &def);
    void* work = test_take(size, 1);
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; ++i) {
        double* p = zeros_of(&s.view);
        p[0] = 7.0;
        scree_report report = {.iterations = 77};
        def = scree_default_solver_def();
        spoils[i](&def);
        scree_status status = scree_solve(NULL, &s.view, &def, work, p, &report);
        require(status == SCREE_ERROR_ARGUMENT, "spoilt def %zu: status %d", i, (int)status);
        assert_true(p[0] == 7.0 && report.iterations == 77);
        free(p);
    }
    def = scree_default_solver_def();
    def.solver = "newton";
    assert_int_equal(scree_solve_work_size(NULL, &s.view, &def), 0);
    def.solver = NULL;
    assert_int_equal(scree_solve_work_size(NULL, &s.view, &def), 0);

    def = scree_default_solver_def();
    double* p = zeros_of(&s.view);
    scree_report report;
    assert_int_equal(scree_solve(NULL, NULL, &def, work, p, &report), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve(NULL, &s.view, NULL, work, p, &report), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve(NULL, &s.view, &def, NULL, p, &report), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve(NULL, &s.view, &def, work, NULL, &report), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve(NULL, &s.view, &def, work, p, NULL), SCREE_ERROR_ARGUMENT);
    free(p);
    free(work);
    sample_end(&s);
}

static void a_factored_problem_must_be_reduced_first(void** state)
{
    (void)state;
    const int rows[2] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT}, law[2] = {0, 0};
    scri_random random = {.key = 93};
    sample s = sample_begin(2, rows, law);
    draw_factors(&s, &random, 8, 4);
    scree_solver_def def = scree_default_solver_def();
    double p[6] = {0.0}, work[8];
    scree_report report;
    assert_int_equal(scree_solve_work_size(NULL, &s.view, &def), 0);
    assert_int_equal(scree_solve(NULL, &s.view, &def, work, p, &report), SCREE_ERROR_UNSUPPORTED);
    sample_end(&s);
}

static void the_table_is_complete(void** state)
{
    (void)state;
    int n = scree_solver_count();
    assert_true(n >= 4);
    assert_string_equal(scree_default_solver_def().solver, scree_solver_get(0).name);
    for (int i = 0; i < n; ++i) {
        scree_solver_info info = scree_solver_get(i);
        assert_true(info.name && *info.name && info.summary && *info.summary);
        assert_true(info.fits && *info.fits);
        assert_null(strchr(info.summary, '\n'));
        assert_null(strchr(info.fits, '\n'));
        for (int j = 0; j < i; ++j) assert_string_not_equal(info.name, scree_solver_get(j).name);
    }
    assert_null(scree_solver_get(-1).name);
    assert_null(scree_solver_get(n).name);
    for (int i = 0; i < SCREE_OUTCOME_COUNT; ++i) {
        assert_true(strlen(scree_outcome_text(i)) > 3);
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(scree_outcome_text(i), scree_outcome_text(j));
        }
    }
    assert_non_null(scree_outcome_text(-1));
    assert_non_null(scree_outcome_text(SCREE_OUTCOME_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_pressed_on_a_plane),
        cmocka_unit_test(sphere_slides_or_sticks),
        cmocka_unit_test(sphere_rolls_to_rest),
        cmocka_unit_test(sphere_spins_down),
        cmocka_unit_test(block_on_a_slope),
        cmocka_unit_test(chain_of_two_spheres),
        cmocka_unit_test(rows_without_a_cone),
        cmocka_unit_test(a_contact_without_solution),
        cmocka_unit_test(iterations_are_limited),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(methods_notice_that_they_stall),
        cmocka_unit_test(progress_is_told_and_may_interrupt),
        cmocka_unit_test(histories_end_as_the_report_does),
        cmocka_unit_test(a_solution_as_first_guess_is_kept),
        cmocka_unit_test(first_guesses_may_be_bad),
        cmocka_unit_test(a_first_guess_that_is_no_number_never_converges),
        cmocka_unit_test(sweeps_in_every_order_converge),
        cmocka_unit_test(methods_repeat_themselves_to_the_bit),
        cmocka_unit_test(the_measure_asked_for_counts),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(a_factored_problem_must_be_reduced_first),
        cmocka_unit_test(the_table_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
