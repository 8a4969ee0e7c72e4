/* Sliding and spinning under one set in the course of time: a puck whose motion is known, worlds
 * and problems that carry such sets, and what is refused. */
#include "scree/system.h"
#include "support/friction_sets.h"
#include "support/solving.h"
#include "support/worlds.h"

static scree_set* joined(double a, double b, double power)
{
    scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = a, .b = b, .spin_power = power};
    return make_set_of(&def);
}

/* ---- a puck on one point: x, y, height, turn ---- */

static const double mass = 2.0, gravity = 9.81, mu = 0.3, mu_s = 0.02;

static void write_mass(void* user, double t, const double* q, double* m)
{
    (void)user, (void)t, (void)q;
    m[0] = m[5] = m[10] = mass;
    m[15] = mass * mu_s * mu_s / (mu * mu); /* so that the motion stays on a ray */
}

static void write_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user, (void)t, (void)q, (void)u;
    h[2] = -mass * gravity;
}

static void write_gap(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    g[0] = q[2];
}

static void write_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t, (void)q, (void)chi;
    w[2] = w[4 + 0] = w[8 + 1] = w[12 + 3] = 1.0; /* N, T1, T2, S */
}

/* With a ball of a set and that inertia both velocities fall in the ratio that they have:
 * v' = -mu^2 g / sqrt(mu^2 + (mu_s r)^2), r = omega / v. Sliding ends with spinning, and later than
 * without it. */
static void a_puck_slides_as_long_as_it_spins(void** state)
{
    (void)state;
    scree_set* ball = joined(1.0, 1.0, 2.0);
    for (int k = 0; k < 4; ++k) {
        const uint8_t rows = SCREE_ROWS_NTTS;
        const double coef[3] = {mu, 0.0, mu_s}, u[4] = {0.6, 0.8, 0.0, 20.0 * k};
        const scree_set* sets[4] = {ball, NULL, NULL, NULL};
        scree_system_def def = scree_default_system_def();
        def.model = (scree_system_model){.mass = write_mass,
                                         .force = write_force,
                                         .gap = write_gap,
                                         .directions = write_directions};
        def.n = 4;
        def.n_contacts = 1;
        def.rows = &rows;
        def.coef = coef;
        def.set = sets;
        scree_system* system = NULL;
        assert_int_equal(scree_system_create(NULL, &def, 0.0, NULL, u, &system), SCREE_OK);
        double ratio = u[3], slow = mu * mu * gravity / hypot(mu, mu_s * ratio), end = 1.0 / slow;
        scree_system_report report;
        scree_system_view view = scree_system_get_view(system);
        double stopped = 0.0;
        while (view.time < 1.1 * end) {
            assert_int_equal(scree_system_step(system, &report), SCREE_OK);
            assert_int_equal(report.solve.outcome, SCREE_OUTCOME_CONVERGED);
            require(report.residual <= 1e-10, "residual %g", report.residual);
            view = scree_system_get_view(system);
            double v = fmax(1.0 - slow * view.time, 0.0);
            require(fabs(view.u[0] - 0.6 * v) <= 1e-9 && fabs(view.u[3] - ratio * v) <= 1e-7,
                    "at %g s: %.12g and %.12g", view.time, view.u[0] / 0.6, view.u[3]);
            if (view.u[0] > 0.0) stopped = view.time;
        }
        require(fabs(stopped - end) <= 2e-3, "stops at %g s, not %g", stopped, end);
        require(fabs(view.q[0] - 0.3 / slow) <= 1e-3, "at %g m, not %g", view.q[0], 0.3 / slow);
        scree_system_destroy(system);
    }
    scree_set_destroy(ball);
}

/* ---- worlds ---- */

static double fall(double spin, const scree_set* a, const scree_set* b, double power)
{
    scree_world_def def = world_def(1e-3, 1e-8);
    double slope = atan(0.2);
    def.gravity[0] = 9.81 * sin(slope), def.gravity[2] = -9.81 * cos(slope);
    scree_world* world =
        world_new(def, (scree_material){.mu = 0.5, .mu_r = 0.05, .mu_s = 0.01, .sliding = a});
    int32_t other = 0;
    scree_material ball = {.mu = 0.5, .mu_r = 0.05, .mu_s = 0.01, .sliding = b};
    assert_int_equal(scree_world_add_material(world, &ball, &other), SCREE_OK);
    scree_shape sphere = sphere_of(0.1);
    scree_body_def body = body_of(&sphere, 1000.0);
    sphere.material = other;
    body.position[2] = 0.1;
    body.angular_velocity[2] = spin;
    add_floor(world, 0.0);
    int32_t index = add_body(world, &body, &sphere);
    for (int i = 0; i < 200; ++i) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    double moved = view.position[3 * index];
    if (power > 0.0) {
        const scree_problem* problem = view.problem;
        assert_true(problem->n_contacts == 1 && problem->set);
        require(problem->sets.value[problem->set[0]].spin_power == power, "power %g",
                problem->sets.value[problem->set[0]].spin_power);
    }
    scree_world_destroy(world);
    return moved;
}

/* On a slope that is less steep than mu a sphere that cannot roll stays. While it spins it slides
 * down where one set holds both, and stays where each channel has its own. */
static void a_sphere_that_spins_creeps_down(void** state)
{
    (void)state;
    scree_set *ball = joined(1.0, 1.0, 2.0), *disc = joined(1.0, 1.0, 0.0);
    scree_set* blunt = joined(1.0, 1.0, 4.0);
    double rests = fall(0.0, ball, NULL, 2.0), alone = fall(100.0, disc, NULL, 0.0);
    double creeps = fall(100.0, ball, NULL, 2.0), mixed = fall(100.0, ball, disc, 2.0);
    require(rests == 0.0, "without spin it moves by %g m", rests);
    require(fabs(alone) <= 1e-9, "with channels of their own it moves by %g m", alone);
    require(creeps > 1e-3, "it should creep: %g m", creeps);
    require(fabs(mixed / creeps - 1.0) <= 1e-6, "two surfaces: %g m, not %g", mixed, creeps);
    double both = fall(100.0, blunt, blunt, 4.0), one = fall(100.0, blunt, NULL, 4.0);
    require(fabs(both / one - 1.0) <= 1e-6 && fabs(one / creeps - 1.0) > 0.1,
            "another power: %g and %g m, not %g", both, one, creeps);
    fall(100.0, blunt, ball, 2.0);
    scree_set_destroy(ball);
    scree_set_destroy(disc);
    scree_set_destroy(blunt);
}

/* ---- problems ---- */

static void every_method_finds_the_same(void** state)
{
    (void)state;
    scri_random random = test_seed("piles with a set of three", 307);
    scree_set* set[2] = {joined(1.0, 0.5, 2.0), joined(0.8, 0.8, 3.0)};
    int n = test_cases(3, 30), n_hard = 0;
    for (int i = 0; i < n; ++i) {
        sphere_pile pile = {.nx = 2,
                            .ny = 2,
                            .nz = 1,
                            .jitter = 0.02,
                            .noise = 0.5,
                            .rows = i % 2 ? SCREE_ROWS_NTTS : SCREE_ROWS_NTTRRS,
                            .law = i % 3 == 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT,
                            .coef = {0.4, 0.1, 0.05}};
        sample s = sample_pile(&pile, &random);
        const scree_set** sets = sample_take(&s, 4 * (size_t)s.view.n_contacts, sizeof *sets);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) sets[4 * c] = set[draw_below(&random, 2)];
        sample_add_sets(&s, sets);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        double *first = NULL, *y = zeros_of(&s.view);
        int is_hard = 0;
        for (int m = 0; m < scree_solver_count(); ++m) {
            int slow = !strcmp(scree_solver_get(m).name, "admm");
            scree_solver_def def = solver_def(scree_solver_get(m).name, slow ? 1e-6 : 1e-8, 20000);
            if (scree_solver_unfit(sparse_env(), &s.view, &def)) continue;
            double* p = zeros_of(&s.view);
            scree_report report = solved(&s.view, &def, p);
            int may_stall = strcmp(def.solver, "auto") != 0; /* it goes on where others stall */
            int stalled = may_stall && report.outcome == SCREE_OUTCOME_STALLED;
            require(stalled || report.outcome == SCREE_OUTCOME_CONVERGED, "pile %d, %s: %s at %g",
                    i, def.solver, scree_outcome_text((int)report.outcome), report.residual);
            is_hard |= stalled;
            assert_int_equal(scree_problem_velocity(NULL, &s.view, p, y), SCREE_OK);
            for (int32_t r = 0; first && !stalled && r < scree_problem_n_rows(&s.view); ++r) {
                require(fabs(y[r] - first[r]) <= 1e-3, "pile %d, %s: y[%d] is %g, not %g", i,
                        def.solver, (int)r, y[r], first[r]);
            }
            if (!first && !stalled) first = y, y = zeros_of(&s.view);
            free(p);
        }
        n_hard += is_hard;
        free(first), free(y);
        sample_end(&s);
    }
    require(n_hard <= n / 10, "methods stall on %d of %d piles", n_hard, n);
    scree_set_destroy(set[0]), scree_set_destroy(set[1]);
}

static void faults_are_named(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    for (int i = 0; i < 4; ++i) {
        static const double bad[] = {-1.0, 1.0, 0.1, 1e3};
        scree_set_def def = {.kind = SCREE_SET_DISC, .a = 1.0, .spin_power = bad[i]};
        scree_set* set = NULL;
        assert_int_equal(scree_set_create(&env, &def, &set), SCREE_ERROR_INPUT);
        require(strstr(host.text, "spin_power") != NULL, "said '%s'", host.text);
    }
    scree_set *ball = joined(1.0, 1.0, 2.0), *disc = joined(1.0, 1.0, 0.0), *star;
    scree_set_def def = {.kind = SCREE_SET_DISC, .a = 1.0, .spin_power = 0.5};
    assert_int_equal(scree_set_create(NULL, &def, &star), SCREE_OK);
    assert_false(scree_set_is_convex(star));
    assert_true(scree_set_is_convex(ball));
    scree_world_def world_of = world_def(1e-3, 1e-6);
    scree_world* world = NULL;
    assert_int_equal(scree_world_create(&env, &world_of, &world), SCREE_OK);
    static const char* const says[] = {"both have a spin power", "needs a set of directions",
                                       "rolling: has no spin power"};
    for (int i = 0; i < 3; ++i) {
        scree_material m = {.mu = 1.0, .mu_s = 0.1, .mu_r = 0.1};
        int32_t number;
        if (i == 0) m.sliding = ball, m.direction = disc;
        if (i == 1) m.sliding = star;
        if (i == 2) m.rolling = ball;
        assert_int_equal(scree_world_add_material(world, &m, &number), SCREE_ERROR_INPUT);
        require(strstr(host.text, says[i]) != NULL, "said '%s'", host.text);
    }
    scree_world_destroy(world);
    scree_set_destroy(ball), scree_set_destroy(disc), scree_set_destroy(star);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puck_slides_as_long_as_it_spins),
        cmocka_unit_test(a_sphere_that_spins_creeps_down),
        cmocka_unit_test(every_method_finds_the_same),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
