/* The interior-point method: its cone arithmetic against extended precision, its steps on
 * hyperstatic piles, and what it does where it cannot go on. */
#include "scree_study/packing.h"
#include "solvers/interior_cone_kernel.h"
#include "support/solving.h"

/* ---- the cone ---- */

/* A point inside, its distance from the boundary down to 1e-9 of its size. */
static scri_lorentz draw_inside(scri_random* random, int dim)
{
    double size = draw_power(random, -3.0, 3.0), gap = draw_power(random, -9.0, 0.0);
    double angle = draw_between(random, 0.0, 2.0 * SCREE_PI);
    double x = dim == 2 ? cos(angle) : draw_sign(random), y = dim == 2 ? sin(angle) : 0.0;
    return (scri_lorentz){size, {size * (1.0 - gap) * x, size * (1.0 - gap) * y}};
}

static double distance(const scri_lorentz* a, const scri_lorentz* b)
{
    double head = fabs(a->head - b->head);
    return fmax(head, fmax(fabs(a->tail[0] - b->tail[0]), fabs(a->tail[1] - b->tail[1])));
}

static double size_of(const scri_lorentz* a)
{
    return fabs(a->head) + fabs(a->tail[0]) + fabs(a->tail[1]);
}

static real inner(const scri_lorentz* a, const scri_lorentz* b)
{
    return (real)a->head * (real)b->head + (real)a->tail[0] * (real)b->tail[0] +
           (real)a->tail[1] * (real)b->tail[1];
}

static void a_scaling_maps_both_points_to_one(void** state)
{
    (void)state;
    scri_random random = test_seed("scaling", 120);
    for (int n = 0; n < test_cases(3000, 100000); ++n) {
        int dim = 1 + n % 2;
        scri_lorentz z = draw_inside(&random, dim), s = draw_inside(&random, dim);
        real product = inner(&z, &s);
        double size = z.head * s.head;
        require(real_abs((real)scri_lorentz_inner(&z, &s) - product) <= 1e-15 * (real)size,
                "case %d: inner product %.17g, not %.17g", n, scri_lorentz_inner(&z, &s),
                (double)product);
        scri_lorentz_scaling w = scri_lorentz_scale(&z, &s, 0.0);
        scri_lorentz from_z = scri_lorentz_apply(&w, 1.0, &z);
        scri_lorentz from_s = scri_lorentz_apply(&w, -1.0, &s);
        double stretch = w.eta * w.head * z.head + w.head * s.head / w.eta;
        require(distance(&from_z, &w.lambda) <= 1e-7 * w.lambda.head + 1e-15 * stretch &&
                    distance(&from_s, &w.lambda) <= 1e-7 * w.lambda.head + 1e-15 * stretch,
                "case %d: images differ by %g and %g of %g", n, distance(&from_z, &w.lambda),
                distance(&from_s, &w.lambda), w.lambda.head);
        require(real_abs(inner(&w.lambda, &w.lambda) - product) <= 1e-6 * product,
                "case %d: |lambda|^2 is not the product", n);
        scri_lorentz a = draw_inside(&random, dim), x = scri_lorentz_divide(&w, &a);
        scri_lorentz back = scri_lorentz_product(&w.lambda, &x);
        double condition = w.lambda.head * w.lambda.head / w.determinant;
        require(distance(&back, &a) <= 1e-12 * condition * condition * size_of(&a),
                "case %d: quotient off by %g", n, distance(&back, &a));
    }
}

static void steps_end_on_the_boundary(void** state)
{
    (void)state;
    scri_random random = test_seed("reach", 121);
    int ended = 0;
    for (int n = 0; n < test_cases(3000, 100000); ++n) {
        scri_lorentz x = draw_inside(&random, 2), d = draw_inside(&random, 2);
        scri_lorentz_scaling w = scri_lorentz_scale(&x, &x, 0.0);
        d.head *= draw_between(&random, -1.5, 1.5);
        double t = scri_lorentz_reach(&x, w.z_determinant, &d, 1e3);
        real tail = real_hypot((real)x.tail[0] + (real)t * (real)d.tail[0],
                               (real)x.tail[1] + (real)t * (real)d.tail[1]);
        real gap = (real)x.head + (real)t * (real)d.head - tail;
        real size = (real)x.head + (real)t * (real)size_of(&d);
        require(gap >= -1e-6 * size, "case %d: outside by %.3g of %.3g", n, (double)gap,
                (double)size);
        require(t == 1e3 || real_abs(gap) <= 1e-6 * size, "case %d: stops %.3g early", n,
                (double)gap);
        ended += t < 1e3;
    }
    require(ended > 500, "only %d steps met the boundary", ended);
}

static void starts_are_central(void** state)
{
    (void)state;
    scri_random random = test_seed("start", 122);
    for (int n = 0; n < test_cases(1000, 20000); ++n) {
        double head = draw_power(&random, -2.0, 2.0), tau = draw_power(&random, -4.0, 4.0);
        double d[2] = {draw_between(&random, -1.0, 1.0), n % 2 * draw_between(&random, -1.0, 1.0)};
        if (n % 10 == 0) d[0] = d[1] = 0.0;
        scri_lorentz z, s, centre = {tau, {0.0, 0.0}};
        scri_lorentz_start(head, d, tau, &z, &s);
        scri_lorentz product = scri_lorentz_product(&z, &s);
        double size = tau + z.head * s.head;
        require(z.head == head && distance(&product, &centre) <= 1e-9 * size,
                "case %d: product off by %g of %g", n, distance(&product, &centre), size);
        for (int i = 0; i < 2; ++i) {
            require(fabs(s.tail[i] - z.tail[i] - d[i]) <= 1e-15, "case %d: wrong difference", n);
        }
    }
}

static void pushes_bring_eigenvalues_between(void** state)
{
    (void)state;
    scri_random random = test_seed("push", 123);
    for (int n = 0; n < 1000; ++n) {
        scri_lorentz a = {draw_between(&random, -20.0, 20.0), {draw_between(&random, -20.0, 20.0)}};
        a.tail[1] = n % 2 * draw_between(&random, -20.0, 20.0);
        double length = hypot(a.tail[0], a.tail[1]);
        scri_lorentz push = scri_lorentz_push(&a, 0.1, 10.0);
        double tail[2] = {a.tail[0] + push.tail[0], a.tail[1] + push.tail[1]};
        double along = (tail[0] * a.tail[0] + tail[1] * a.tail[1]) / length;
        double more = a.head + push.head + along, less = a.head + push.head - along;
        double want_more = fmax(fmin(fmax(a.head + length, 0.1), 10.0), a.head + length - 10.0);
        double want_less = fmax(fmin(fmax(a.head - length, 0.1), 10.0), a.head - length - 10.0);
        require(fabs(more - want_more) <= 1e-12 && fabs(less - want_less) <= 1e-12,
                "case %d: %g and %g, not %g and %g", n, more, less, want_more, want_less);
    }
}

/* ---- piles ---- */

static scree_packing_def packing(scree_packing_kind kind, int32_t contacts, scree_rows rows)
{
    scree_packing_def def = scree_default_packing_def();
    def.kind = kind;
    def.contacts = contacts;
    def.rows = rows;
    return def;
}

/* Solves and wants the residual within so many factorisations. */
static void expect_steps(const scree_packing_def* packing, double tol, int64_t steps)
{
    scree_problem_store store;
    assert_int_equal(scree_packing_create(NULL, packing, &store), SCREE_OK);
    scree_solver_def def = solver_def("interior", tol, 1000);
    double* p = zeros_of(&store.problem);
    scree_report report = solved(&store.problem, &def, p);
    print_message("%s, %d contacts, %s, %d rows, noise %g: %lld steps to %.1e\n",
                  scree_packing_name((int)packing->kind), (int)store.problem.n_contacts,
                  scree_law_name((int)packing->law), (int)packing->rows, packing->noise,
                  (long long)report.iterations, report.residual);
    require(report.outcome == SCREE_OUTCOME_CONVERGED && report.iterations <= steps,
            "%s at %.2g after %lld of %lld steps", scree_outcome_text((int)report.outcome),
            report.residual, (long long)report.iterations, (long long)steps);
    free(p);
    scree_problem_store_release(&store);
}

static void hyperstatic_piles_take_a_dozen_steps(void** state)
{
    (void)state;
    const int small = !test_all();
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_CONVEX; ++law) {
        for (int rows = SCREE_ROWS_NTTRR; rows <= SCREE_ROWS_NTTRRS; ++rows) {
            scree_packing_def def =
                packing(SCREE_PACKING_PYRAMID, small ? 60 : 400, (scree_rows)rows);
            def.law = (scree_law)law;
            expect_steps(&def, 1e-10, 16);
            def.kind = SCREE_PACKING_LATTICE;
            expect_steps(&def, 1e-10, 12);
            def.kind = SCREE_PACKING_RANDOM;
            expect_steps(&def, 1e-8, 25);
            def.noise = 0.3;
            expect_steps(&def, 1e-8, 25);
        }
    }
}

/* Contacts of all rows and both laws in one problem, some channels without friction. */
static void contacts_of_all_kinds_mix(void** state)
{
    (void)state;
    static const int kinds[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                SCREE_ROWS_NTTRRS};
    enum { N = 40 };
    scri_random random = test_seed("mixture", 124);
    int solved_ones = 0;
    for (int n = 0; n < test_cases(8, 60); ++n) {
        int rows[N], law[N];
        for (int c = 0; c < N; ++c) {
            rows[c] = kinds[draw_below(&random, 5)];
            law[c] = draw_below(&random, 2);
        }
        sample s = sample_begin(N, rows, law);
        draw_bodies(&s, &random, 12);
        if (n % 2) sample_add_compliance(&s, &random, 0.1);
        for (int c = 0; c < 3 * N; ++c) {
            s.coef[c] = draw_chance(&random, 25.0) ? 0.0 : draw_power(&random, -2.0, 0.5);
        }
        for (int c = 0; c < N; ++c) {
            int32_t* pair = s.pair + 2 * c;
            if (pair[0] == pair[1]) pair[1] = -1;
            int fixed = pair[0] <= 0 && pair[1] <= 0; /* no impulse could change its velocity */
            for (int32_t i = s.row[c]; i < s.row[c + 1]; ++i) {
                s.q[i] = fixed ? 0.0 : draw_between(&random, -1.0, 1.0);
            }
            if (fixed && n % 2) s.q[s.row[c]] = 0.5;
        }
        scree_solver_def def = solver_def("interior", 1e-8, 200);
        double* p = zeros_of(&s.view);
        scree_report report = solved(&s.view, &def, p);
        solved_ones += report.outcome == SCREE_OUTCOME_CONVERGED;
        for (int c = 0; c < N; ++c) {
            int fixed = s.pair[2 * c] <= 0 && s.pair[2 * c + 1] <= 0;
            require(n % 2 || !fixed || p[s.row[c]] == 0.0, "contact %d: nothing can move, but %g",
                    c, p[s.row[c]]);
            if (rows[c] == SCREE_ROWS_N || s.coef[3 * c] > 0.0) continue;
            require(p[s.row[c] + 1] == 0.0, "contact %d slides against friction that is not there",
                    c);
        }
        free(p);
        sample_end(&s);
    }
    print_message("%d solved\n", solved_ones);
    require(solved_ones >= test_cases(6, 50), "only %d are solved", solved_ones);
}

/* Planar contacts have discs of one dimension; they exist in the assembled form alone. */
static void planar_contacts_are_solved(void** state)
{
    (void)state;
    scri_random random = test_seed("planar", 125);
    for (int n = 0; n < test_cases(20, 200); ++n) {
        int rows[2] = {SCREE_ROWS_NTR, SCREE_ROWS_NT}, law[2] = {n % 2, n / 2 % 2};
        sample s = sample_begin(2, rows, law);
        double h[5][5], w[5][5];
        for (int i = 0; i < 25; ++i) h[i / 5][i % 5] = draw_between(&random, -1.0, 1.0);
        for (int i = 0; i < 25; ++i) {
            w[i / 5][i % 5] = i / 5 == i % 5 ? 0.1 : 0.0;
            for (int k = 0; k < 5; ++k) w[i / 5][i % 5] += h[i / 5][k] * h[i % 5][k];
        }
        int32_t start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
        int64_t offset[] = {0, 9, 15, 21, 25};
        double value[25];
        for (int c = 0, at = 0; c < 4; ++c) {
            for (int i = c < 2 ? 0 : 3; i < (c < 2 ? 3 : 5); ++i) {
                for (int j = c % 2 ? 3 : 0; j < (c % 2 ? 5 : 3); ++j) value[at++] = w[i][j];
            }
        }
        s.view.w = (scree_bsr){start, column, offset, value};
        for (int i = 0; i < 5; ++i) s.q[i] = draw_between(&random, -1.0, 1.0);
        for (int i = 0; i < 6; ++i) s.coef[i] = draw_power(&random, -1.0, 0.0);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        scree_solver_def def = solver_def("interior", 1e-8, 100);
        double p[5] = {0.0};
        scree_report report = solved(&s.view, &def, p);
        require(report.outcome == SCREE_OUTCOME_CONVERGED, "case %d: %s at %.2g", n,
                scree_outcome_text((int)report.outcome), report.residual);
        sample_end(&s);
    }
}

/* ---- where it ends ---- */

static void it_ends_when_rounding_does(void** state)
{
    (void)state;
    scree_packing_def made = packing(SCREE_PACKING_PYRAMID, 60, SCREE_ROWS_NTTRRS);
    for (int noisy = 0; noisy < 2; ++noisy) {
        made.noise = noisy ? 0.3 : 0.0;
        scree_problem_store store;
        assert_int_equal(scree_packing_create(NULL, &made, &store), SCREE_OK);
        scree_solver_def def = solver_def("interior", 0.0, 1000);
        double* p = zeros_of(&store.problem);
        scree_report report = solved(&store.problem, &def, p);
        require(report.outcome == SCREE_OUTCOME_STALLED && report.iterations <= 150,
                "%s after %lld steps", scree_outcome_text((int)report.outcome),
                (long long)report.iterations);
        require(noisy || report.residual <= 1e-11, "residual %.2g", report.residual);
        free(p);
        scree_problem_store_release(&store);
    }
}

static void memory_that_runs_out_is_no_disaster(void** state)
{
    (void)state;
    scree_packing_def made = packing(SCREE_PACKING_PYRAMID, 60, SCREE_ROWS_NTTRR);
    scree_problem_store store;
    assert_int_equal(scree_packing_create(NULL, &made, &store), SCREE_OK);
    for (long fail_at = 0, done = 0; !done; ++fail_at) {
        test_host host;
        scree_env env = test_env(&host);
        host.fail_at = fail_at;
        scree_solver_def def = solver_def("interior", 1e-8, 1000);
        double* p = zeros_of(&store.problem);
        scree_report report = solved_in(&env, &store.problem, &def, p);
        done = host.n_asked <= fail_at;
        require(report.outcome == (done ? SCREE_OUTCOME_CONVERGED : SCREE_OUTCOME_STALLED),
                "without allocation %ld: %s", fail_at, scree_outcome_text((int)report.outcome));
        require(host.n_held == 0, "%ld blocks are lost", host.n_held);
        require(fail_at < 100, "never enough memory");
        free(p);
    }
    scree_problem_store_release(&store);
}

/* Under `auto` on an assembled problem: at the fold of its path the method ends rather than go on
 * damped, and sweeps from there, though its residual is not the best, get further than as many
 * sweeps from zero. */
static void sweeps_go_on_from_where_it_ends(void** state)
{
    (void)state;
    scree_packing_def made = packing(SCREE_PACKING_PYRAMID, 112, SCREE_ROWS_NTTRRS);
    made.noise = 0.3, made.seed = 12;
    scree_problem_store bodies, store;
    assert_int_equal(scree_packing_create(NULL, &made, &bodies), SCREE_OK);
    assert_int_equal(scree_problem_reduce(NULL, &bodies.problem, &store), SCREE_OK);
    double *p = zeros_of(&store.problem), *q = zeros_of(&store.problem);
    double* r = zeros_of(&store.problem);
    scree_stage stages[SCREE_STAGES_MAX];
    scree_solver_def def = solver_def("auto", 1e-8, 100000);
    def.stages = stages;
    def.stages_room = SCREE_STAGES_MAX;
    scree_report report = solved(&store.problem, &def, p);
    require(report.outcome == SCREE_OUTCOME_CONVERGED, "residual %.2g", report.residual);
    int at = 0;
    while (at < report.n_stages && strcmp(stages[at].solver, "interior") != 0) ++at;
    require(at > 0 && at + 1 < report.n_stages, "interior is stage %d of %d", at, report.n_stages);
    const scree_stage *before = &stages[at], *after = before + 1;
    require(!strcmp(after->solver, "nsgs-aa"), "%s after interior", after->solver);
    def = solver_def("interior", 1e-8, 1000);
    scree_report alone = solved(&store.problem, &def, q);
    require(alone.iterations > before->iterations, "%lld steps, alone %lld",
            (long long)before->iterations, (long long)alone.iterations);
    def = solver_def("nsgs-aa", 1e-8, stages[0].iterations + after->iterations);
    scree_report sweeps = solved(&store.problem, &def, r);
    print_message("sweeps to %.1e, interior and sweeps to %.1e\n", sweeps.residual,
                  after->residual);
    require(after->residual <= fmin(0.1 * before->residual, 0.5 * sweeps.residual),
            "from %.2g to %.2g, sweeps alone to %.2g", before->residual, after->residual,
            sweeps.residual);
    free(p), free(q), free(r);
    scree_problem_store_release(&store);
    scree_problem_store_release(&bodies);
}

/* Masses up to 1e9 apart, friction from none to 1e3, contacts by the dozen between the same two
 * bodies, impossible free velocities: whatever comes out agrees with its certificate. */
static void extremes_end_truthfully(void** state)
{
    (void)state;
    scri_random random = test_seed("extremes", 126);
    int converged = 0, count = test_cases(12, 150);
    for (int n = 0; n < count; ++n) {
        enum { N = 30 };
        int rows[N], law[N];
        for (int c = 0; c < N; ++c) rows[c] = SCREE_ROWS_NTTRRS, law[c] = n % 2;
        sample s = sample_begin(N, rows, law);
        draw_bodies(&s, &random, 6);
        for (int32_t b = 1; b < 6; ++b) {
            double factor = draw_power(&random, -4.5, 4.5);
            s.inv_mass[b] *= factor;
            for (int k = 0; k < 6; ++k) s.inv_inertia[6 * b + k] *= factor;
        }
        for (int c = 0; c < N; ++c) {
            if (c >= 12 && n % 3 == 0) { /* copies of one contact */
                memcpy(s.pair + 2 * c, s.pair, 2 * sizeof *s.pair);
                memcpy(s.frame + 9 * c, s.frame, 9 * sizeof *s.frame);
                memcpy(s.arm + 6 * c, s.arm, 6 * sizeof *s.arm);
            }
            for (int k = 0; k < 3; ++k) s.coef[3 * c + k] = draw_power(&random, -3.0, 3.0);
            for (int i = 0; i < 6; ++i) s.q[6 * c + i] = draw_between(&random, -1.0, 1.0);
        }
        scree_solver_def def = solver_def("interior", 1e-6, 200);
        double* p = zeros_of(&s.view);
        scree_report report = solved(&s.view, &def, p);
        require(report.residual <= 2.0, "case %d: residual %g", n, report.residual);
        converged += report.outcome == SCREE_OUTCOME_CONVERGED;
        free(p);
        sample_end(&s);
    }
    print_message("%d of %d converged\n", converged, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scaling_maps_both_points_to_one),
        cmocka_unit_test(steps_end_on_the_boundary),
        cmocka_unit_test(starts_are_central),
        cmocka_unit_test(pushes_bring_eigenvalues_between),
        cmocka_unit_test(hyperstatic_piles_take_a_dozen_steps),
        cmocka_unit_test(contacts_of_all_kinds_mix),
        cmocka_unit_test(planar_contacts_are_solved),
        cmocka_unit_test(it_ends_when_rounding_does),
        cmocka_unit_test(sweeps_go_on_from_where_it_ends),
        cmocka_unit_test(memory_that_runs_out_is_no_disaster),
        cmocka_unit_test(extremes_end_truthfully),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
