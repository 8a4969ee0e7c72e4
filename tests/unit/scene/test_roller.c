/* A cylinder in the world on a viscous foundation, against the study of the same cylinder. */
#include "scree_io/scene_file.h"
#include "scree_study/foundation.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROLLER = 1 };

static const double degree = SCREE_DEGREE;

/* ---- the scene ---- */

typedef struct roll {
    scree_scene* scene;
    scree_simulation* simulation;
} roll;

static scree_status parse(const scree_env* env, int32_t n, const char* const* settings,
                          scree_scene** out)
{
    for (int k = 0; k < scree_builtin_scene_count(); ++k) {
        scree_builtin_scene scene = scree_builtin_scene_get(k);
        if (strcmp(scene.name, "roller") != 0) continue;
        return scree_scene_parse(env, "roller", scene.text, scene.text_size, n, settings, out);
    }
    fail_msg("no scene roller");
    return SCREE_ERROR_INPUT;
}

static roll begin(int32_t n, const char* const* settings)
{
    roll r = {NULL, NULL};
    assert_int_equal(parse(NULL, n, settings, &r.scene), SCREE_OK);
    assert_int_equal(scree_simulation_create(NULL, r.scene, &r.simulation), SCREE_OK);
    return r;
}

/* With a slope (degrees), a speed at the start and a step, and two more settings. */
static roll begin_at(double alpha, double v0, double step, const char* first, const char* second)
{
    char text[3][40];
    const char* settings[5] = {text[0], text[1], text[2], first, second};
    snprintf(text[0], sizeof text[0], "alpha=%.17g", alpha);
    snprintf(text[1], sizeof text[1], "v0=%.17g", v0);
    snprintf(text[2], sizeof text[2], "step=%.17g", step);
    return begin(3 + (first != NULL) + (second != NULL), settings);
}

static void step_on(roll r)
{
    scree_step_report report;
    assert_int_equal(scree_simulation_step(r.simulation, &report), SCREE_OK);
    assert_int_equal(report.solve.outcome, SCREE_OUTCOME_CONVERGED);
}

static void step_to(roll r, double time)
{
    while (scree_simulation_view(r.simulation).time < time - 1e-9) step_on(r);
}

static double speed_of(roll r)
{
    return scree_simulation_view(r.simulation).velocity[3 * ROLLER];
}

static void release(roll r)
{
    scree_simulation_destroy(r.simulation);
    scree_scene_destroy(r.scene);
}

/* It has rolled without slip and stayed on the plane. */
static void end(roll r)
{
    scree_world_view view = scree_simulation_view(r.simulation);
    const double *v = view.velocity + 3 * ROLLER, *w = view.angular_velocity + 3 * ROLLER;
    require(fabs(v[0] - 0.7 * w[1]) <= 1e-9, "slips with %g m/s", v[0] - 0.7 * w[1]);
    require(fabs(v[1]) + fabs(v[2]) + fabs(w[0]) + fabs(w[2]) <= 1e-9, "leaves its course");
    require_near(view.position[3 * ROLLER + 2], 0.7, 1e-9, "height");
    release(r);
}

/* ---- stationary speeds ---- */

/* The lowest (which = 0) or the highest stable speed on a slope. */
static double stable_speed(double alpha, int which, int expected)
{
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    double speed[SCREE_FOUNDATION_MOST] = {0.0};
    int32_t n, n_stable = 0;
    def.slope = alpha * degree;
    assert_int_equal(scree_foundation_stationary(NULL, &def, rest, &n), SCREE_OK);
    for (int32_t i = 0; i < n; ++i) {
        if (rest[i].stable) speed[n_stable++] = rest[i].speed;
    }
    assert_int_equal(n_stable, expected);
    return which ? speed[n_stable - 1] : speed[0];
}

static void settles_at_the_speeds_of_the_study(void** state)
{
    (void)state;
    static const struct {
        double alpha, v0;
        int which, of; /* stable speeds */
        double time;
    } cases[] = {
        {2.0, 0.4, 0, 2, 300.0},  {2.0, 3.2, 0, 2, 600.0},    /* low, both sides */
        {2.0, 3.6, 1, 2, 1200.0}, {2.0, 15.0, 1, 2, 600.0},   /* high, both sides */
        {1.7, 0.1, 0, 1, 300.0},  {1.7, 9.0, 0, 1, 600.0},    /* below the folds */
        {2.3, 0.5, 0, 1, 900.0},  {2.3, 18.0, 0, 1, 600.0},   /* above them */
        {2.14, 0.4, 0, 2, 600.0}, {1.85, 12.0, 1, 2, 1200.0}, /* near each fold */
    };
    for (int i = 0; i < test_few(sizeof cases / sizeof *cases, 1); i += test_size(3, 1)) {
        double expected = stable_speed(cases[i].alpha, cases[i].which, cases[i].of);
        roll r = begin_at(cases[i].alpha, cases[i].v0, 0.1, NULL, NULL);
        step_to(r, cases[i].time);
        double v = speed_of(r), off = v / expected - 1.0;
        print_message("%g degrees from %g m/s: %.6f, study %.6f m/s, off by %.2g\n", cases[i].alpha,
                      cases[i].v0, v, expected, off);
        require(fabs(off) <= 0.01, "%g degrees from %g m/s: %g m/s, study %g", cases[i].alpha,
                cases[i].v0, v, expected);
        end(r);
    }
}

/* The speed that keeps itself does not depend on the step. */
static void stationary_speed_is_exact(void** state)
{
    (void)state;
    static const double steps[] = {0.1, 0.01, 0.001};
    for (int which = 0; which < 2; ++which) {
        double expected = stable_speed(2.0, which, 2);
        for (int k = 0; k < 3; ++k) {
            roll r = begin_at(2.0, expected, steps[k], NULL, NULL);
            for (int i = 0; i < 500; ++i) step_on(r);
            require_near(speed_of(r), expected, 1e-9 * expected, "stationary speed");
            end(r);
        }
    }
}

/* ---- motion ---- */

/* dv/dt = F / (M + I/R^2) from v0 for a time, by Runge-Kutta. */
static double study_speed(double alpha, double drag, double v0, double time)
{
    enum { STEPS = 2000 };
    scree_foundation_def def = scree_default_foundation_def();
    double h = time / STEPS, v = v0, unused;
    def.slope = alpha * degree;
    def.drag_square = drag;
    for (int i = 0; i < STEPS; ++i) {
        static const double at[4] = {0.0, 0.5, 0.5, 1.0};
        static const double share[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
        double rate = 0.0, sum = 0.0, force;
        for (int k = 0; k < 4; ++k) {
            double u = v + at[k] * h * rate;
            assert_int_equal(scree_foundation_drive(NULL, &def, u, &force, &unused), SCREE_OK);
            rate = force / (def.mass * (1.0 + def.inertia));
            sum += share[k] * rate;
        }
        v += h * sum;
    }
    return v;
}

/* On the way, too; the error is of first order in the step. */
static void follows_the_equation_of_motion(void** state)
{
    (void)state;
    static const struct {
        double alpha, v0;
        const char* drag;
        double B;
    } cases[] = {{2.0, 3.0, NULL, 0.2}, {2.3, 0.5, NULL, 0.2}, {0.0, 2.0, "drag=0", 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double error[2], exact = study_speed(cases[i].alpha, cases[i].B, cases[i].v0, 8.0);
        for (int k = 0; k < 2; ++k) {
            roll r = begin_at(cases[i].alpha, cases[i].v0, k ? 0.01 : 0.02, cases[i].drag, NULL);
            step_to(r, 8.0);
            error[k] = speed_of(r) - exact;
            end(r);
        }
        print_message("%g degrees from %g m/s: %.6f m/s after 8 s, off by %.2g and %.2g\n",
                      cases[i].alpha, cases[i].v0, exact, error[0], error[1]);
        require(fabs(error[0]) <= 0.02 * exact, "off by %g", error[0]);
        require(fabs(error[0] / error[1] - 2.0) <= 0.1, "not of first order: %g, %g", error[0],
                error[1]);
    }
}

/* On every branch it rolls with one per cent more friction than the study says that it needs, and
 * slips with one per cent less. */
static void friction_needed_is_that_of_the_study(void** state)
{
    (void)state;
    static const double slopes[] = {1.7, 2.0, 2.3};
    int n_branches = 0;
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; ++i) {
        scree_foundation_def def = scree_default_foundation_def();
        scree_foundation_well well[SCREE_FOUNDATION_MOST];
        int32_t n;
        def.slope = slopes[i] * degree;
        assert_int_equal(scree_foundation_wells(NULL, &def, well, &n), SCREE_OK);
        for (int32_t k = 0; k < n; ++k, ++n_branches) {
            for (int less = 0; less < 2; ++less) {
                char mu[40];
                snprintf(mu, sizeof mu, "mu=%.17g", well[k].friction * (less ? 0.99 : 1.01));
                roll r = begin_at(slopes[i], well[k].speed, 0.01, mu, NULL);
                for (int s = 0; s < 100; ++s) step_on(r);
                scree_world_view view = scree_simulation_view(r.simulation);
                double slip =
                    view.velocity[3 * ROLLER] - 0.7 * view.angular_velocity[3 * ROLLER + 1];
                require(less ? slip > 1e-4 : fabs(slip) < 1e-9, "%g degrees, %g m/s, %s: slips %g",
                        slopes[i], well[k].speed, mu, slip);
                release(r);
            }
        }
    }
    assert_int_equal(n_branches, 5);
}

/* Without mu_r the resistance vanishes with the speed: it comes to rest as the law says, without
 * turning round, in infinite time, and rolls off on any slope. */
static void law_alone_holds_nothing(void** state)
{
    (void)state;
    roll r = begin_at(0.0, 1.0, 0.05, "drag=0", NULL);
    double last = speed_of(r);
    for (int k = 1; k <= 40; ++k) {
        step_to(r, 0.5 * k);
        double v = speed_of(r);
        require(v > 0.0 && v < last, "%g m/s after %g", v, last);
        last = v;
    }
    require(last <= 1e-3, "%g m/s after 20 s", last);
    end(r);
    r = begin_at(0.05, 0.0, 0.01, NULL, NULL);
    step_to(r, 0.01);
    require_near(speed_of(r), 9.81 * sin(0.05 * degree) * 0.01 / 1.5, 1e-12, "first step");
    end(r);
}

/* With it, at rest the moment is any up to mu_r N, and above it the cylinder begins to roll. */
static void mu_r_holds_it_at_rest(void** state)
{
    (void)state;
    static const char floor[] = "materials.ground.mu_r=0.007"; /* 0.5730 degrees */
    roll r = begin_at(0.57, 0.0, 0.01, floor, NULL);
    step_to(r, 1.0);
    require(fabs(speed_of(r)) <= 1e-12, "it moves with %g m/s", speed_of(r));
    end(r);
    r = begin_at(0.58, 0.0, 0.01, floor, NULL);
    step_to(r, 1.0);
    require(speed_of(r) >= 1e-4, "it is held: %g m/s", speed_of(r));
    end(r);
    r = begin_at(0.0, 1.0, 0.01, floor, NULL); /* rest in finite time */
    step_to(r, 20.0);
    require(fabs(speed_of(r)) <= 1e-12, "it moves with %g m/s", speed_of(r));
    end(r);
}

/* ---- the coefficient ---- */

static double normal_force(scree_world_view view, double step)
{
    double sum = 0.0;
    for (int32_t c = 0; c < view.n_contacts; ++c) sum += view.impulse[view.problem->first_row[c]];
    return sum / step;
}

/* The load is more than the weight. */
static const char pressed[] = "forces.roller.force=[0, 0, -500]";

/* That of the speed at the beginning of the step and of the last step's force; before, of the
 * weight. All is per length. */
static void coefficient_is_that_of_the_study(void** state)
{
    (void)state;
    const double step = 0.01, length = 2.5;
    roll r = begin_at(2.0, 6.0, step, "length=2.5", pressed);
    const double weight = 192.08 * 9.81 * cos(2.0 * degree);
    double load = weight;
    for (int i = 0; i < 50; ++i) {
        scree_foundation_def def = scree_default_foundation_def();
        scree_world_view view = scree_simulation_view(r.simulation);
        double speed = 0.7 * view.angular_velocity[3 * ROLLER + 1], expected;
        assert_int_equal(scree_foundation_rolling(NULL, &def, load, speed, &expected), SCREE_OK);
        step_on(r);
        view = scree_simulation_view(r.simulation);
        assert_int_equal(view.n_contacts, 2);
        for (size_t c = 0; c < 2; ++c) {
            require_near(view.problem->coef[3 * c + 1], expected, 1e-12, "mu_r");
        }
        load = normal_force(view, step) / length;
    }
    require_near(load, weight + 500.0 / length, 1e-6, "load");
    end(r);
}

static void goes_on_bit_for_bit(void** state)
{
    (void)state;
    roll a = begin_at(2.0, 6.0, 0.01, pressed, NULL), b = begin_at(2.0, 6.0, 0.01, pressed, NULL);
    scree_simulation* c = NULL;
    for (int i = 0; i < 137; ++i) step_on(a);
    size_t size = scree_simulation_state_size(a.simulation);
    void* saved = malloc(size);
    assert_non_null(saved);
    scree_simulation_save(a.simulation, saved);
    b.scene->world.workers = 2;
    assert_int_equal(scree_simulation_create(NULL, b.scene, &c), SCREE_OK);
    scree_simulation_destroy(b.simulation);
    b.simulation = c;
    assert_int_equal(scree_simulation_load(c, saved, size), SCREE_OK);
    free(saved);
    for (int i = 0; i < 200; ++i) {
        step_on(a);
        step_on(b);
        double u = speed_of(a), v = speed_of(b);
        assert_memory_equal(&u, &v, sizeof u);
    }
    end(a);
    end(b);
}

/* ---- which ground, which shapes ---- */

static const scree_ground springs = {1e7, 5e5, 100.0}, softer = {1e6, 0.8e5, 100.0};

/* A shape that rolls along x with 2 m/s on a floor, or stands and spins, after one step: its mu_r.
 */
static double rolling_of(scree_material roller, scree_material floor, const scree_material* pair,
                         scree_shape_kind kind, int stands)
{
    scree_world* world = world_new(world_def(1e-3, 1e-10), floor);
    scree_shape shape = scree_default_shape();
    int32_t number;
    assert_int_equal(scree_world_add_material(world, &roller, &number), SCREE_OK);
    if (pair) assert_int_equal(scree_world_set_pair(world, number, 0, pair), SCREE_OK);
    add_floor(world, 0.0);
    shape.kind = kind;
    shape.material = number;
    shape.half_size[0] = 0.7;
    shape.half_size[1] = kind == SCREE_SHAPE_SPHERE ? 0.0 : 0.5;
    scree_body_def def = body_of(&shape, 100.0);
    if (!stands) set3(def.rotation + 1, sqrt(0.5), 0.0, 0.0);
    if (!stands) def.rotation[0] = sqrt(0.5);
    set3(def.position, 0.0, 0.0, stands ? 0.5 : 0.7);
    set3(def.velocity, stands ? 0.0 : 2.0, 0.0, 0.0);
    set3(def.angular_velocity, 0.0, stands ? 0.0 : 2.0 / 0.7, stands ? 2.0 / 0.7 : 0.0);
    add_body(world, &def, &shape);
    step_world(world);
    scree_world_view view = scree_world_get_view(world);
    assert_true(view.n_contacts > 0);
    double mu_r = view.problem->coef[1];
    scree_world_destroy(world);
    return mu_r;
}

static double expected_rolling(scree_ground ground)
{
    scree_foundation_def def = scree_default_foundation_def();
    double out, load = 100.0 * SCREE_PI * 0.49 * 9.81;
    def.stiffness = ground.stiffness;
    def.damping = ground.damping;
    def.ground_mass = ground.mass;
    assert_int_equal(scree_foundation_rolling(NULL, &def, load, 2.0, &out), SCREE_OK);
    return out;
}

static void ground_belongs_to_the_half_space(void** state)
{
    (void)state;
    const scree_shape_kind cylinder = SCREE_SHAPE_CYLINDER;
    scree_set* disc = NULL;
    scree_set_def unit = {.kind = SCREE_SET_DISC, .a = 1.0, .scale = 1.0};
    assert_int_equal(scree_set_create(NULL, &unit, &disc), SCREE_OK);
    scree_material rigid = {.mu = 0.5}, rough = {.mu = 0.5, .mu_r = 1e-3};
    scree_material on = {.mu = 0.5, .ground = springs}, soft = {.mu = 0.5, .ground = softer};
    scree_material set = {.mu = 0.5, .mu_r = 2e-3, .rolling = disc};
    double hard_ground = expected_rolling(springs), soft_ground = expected_rolling(softer);
    require_near(rolling_of(rigid, on, NULL, cylinder, 0), hard_ground, 1e-12, "rigid roller");
    require_near(rolling_of(soft, on, NULL, cylinder, 0), hard_ground, 1e-12, "soft roller");
    require_near(rolling_of(set, on, NULL, cylinder, 0), hard_ground, 1e-12, "roller with a set");
    require_near(rolling_of(on, rough, NULL, cylinder, 0), 1e-3, 1e-15, "rigid floor");
    require_near(rolling_of(rigid, on, &rough, cylinder, 0), hard_ground, 1e-12, "pair without");
    require_near(rolling_of(rigid, on, &soft, cylinder, 0), soft_ground, 1e-12, "pair with one");
    require_near(rolling_of(rigid, on, &set, cylinder, 0), 2e-3, 1e-15, "pair with a set");
    require_near(rolling_of(rough, on, NULL, cylinder, 1), 1e-3, 1e-15, "cylinder that stands");
    require_near(rolling_of(rough, on, NULL, SCREE_SHAPE_SPHERE, 0), 1e-3, 1e-15, "sphere");
    require_near(rolling_of(rough, on, NULL, SCREE_SHAPE_CAPSULE, 0), 1e-3, 1e-15, "capsule");
    scree_set_destroy(disc);
}

/* Bodies that the model does not cover are let through, but not in silence. */
static void warns_of_other_bodies(void** state)
{
    (void)state;
    static const struct {
        const char *setting, *warning;
    } cases[] = {
        {"alpha=0", ""},
        {"bodies.roller.shape={type: sphere, radius: 0.7}", "a sphere rolls on a viscous found"},
        {"bodies.roller.shape={type: capsule, radius: 0.7, length: 1}", "a capsule rolls on a vi"},
        {"mass=50000", "'roller' sinks into its viscous foundation: at rest the contact would "
                       "reach 0.372 m to either side"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char* settings[] = {cases[i].setting, "forces=[]", "v0=0"};
        test_host host;
        scree_env env = test_env(&host);
        roll r = {NULL, NULL};
        assert_int_equal(parse(NULL, 3, settings, &r.scene), SCREE_OK);
        assert_int_equal(scree_simulation_create(&env, r.scene, &r.simulation), SCREE_OK);
        require(strstr(host.text, cases[i].warning) && !host.n_logged == !*cases[i].warning,
                "%s: '%s'", cases[i].setting, host.text);
        release(r);
        assert_int_equal(host.n_held, 0);
    }
}

/* It lands, bounces and rolls on: an impact is a large load, but passes. */
static void lands_and_rolls_on(void** state)
{
    (void)state;
    static const char* const settings[] = {"v0=2", "step=1e-3", "bodies.roller.position.2=0.9",
                                           "materials.ground.restitution=0.5"};
    roll r = begin(4, settings);
    step_to(r, 3.0);
    double v = speed_of(r);
    require(v > 1.0 && v < 2.2, "it goes on with %g m/s", v);
    print_message("2 m/s before and %g m/s 3 s after a fall of 0.2 m\n", v);
    release(r);
}

/* ---- what is refused ---- */

static void refuses_what_the_model_does_not_cover(void** state)
{
    (void)state;
    static const struct {
        scree_ground ground;
        scree_law law;
        const char* naming;
    } cases[] = {
        {{0.0, 5e5, 100.0}, SCREE_LAW_EXACT, "k = 0 kg/m^2/s^2"},
        {{1e7, -1.0, 100.0}, SCREE_LAW_EXACT, "gamma = -1 kg/m^2/s"},
        {{1e7, 5e5, -1.0}, SCREE_LAW_EXACT, "m = -1 kg/m^2"},
        {{(double)NAN, 5e5, 1.0}, SCREE_LAW_EXACT, "k = nan"},
        {{1e7, 5e5, 6250.0}, SCREE_LAW_EXACT, "below gamma^2 / (4 k) = 6250"},
        {{1e7, 5e5, 100.0}, SCREE_LAW_COUPLED, "coupled has no viscous foundation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        test_host host;
        scree_world_def def = scree_default_world_def();
        scree_world* world = NULL;
        int32_t unused;
        scree_env env = test_env(&host);
        def.law = cases[i].law;
        scree_material material = {.mu = 0.5, .ground = cases[i].ground};
        assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
        assert_int_equal(scree_world_add_material(world, &material, &unused), SCREE_ERROR_INPUT);
        require(strstr(host.text, cases[i].naming) != NULL, "%s: %s", cases[i].naming, host.text);
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
    }
}

/* ---- noise ---- */

/* The speed of the cylinder in the scene against the stationary density of the study, once in two
 * relaxation times: Kolmogorov and Smirnov's distance is that of so many independent samples. The
 * noise is so strong that the density is far from Gaussian. */
static void noise_gives_the_density_of_the_study(void** state)
{
    (void)state;
    const double step = 0.1, pause = 14.0;
    int n = test_cases(60, 2000);
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_density density;
    def.slope = 1.7 * degree;
    def.noise = 800.0;
    assert_int_equal(scree_foundation_density_create(NULL, &def, &density), SCREE_OK);
    roll r = begin_at(1.7, 0.67, step, "noise=800", "seed=1");
    double *share = calloc((size_t)n, sizeof *share), distance = 0.0, mean = 0.0;
    assert_non_null(share);
    step_to(r, 5.0 * pause);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < (int)lround(pause / step); ++k) step_on(r);
        double v = speed_of(r), x = (v - density.begin) / density.width;
        require(x > 0.0 && x < density.n, "%g m/s", v);
        share[i] = density.cumulative[(int32_t)x];
        mean += v / n;
    }
    for (int i = 0; i < n; ++i) { /* no need to sort so few */
        int below = 0;
        for (int k = 0; k < n; ++k) below += share[k] < share[i];
        distance = fmax(distance, fabs((below + 0.5) / n - share[i]));
    }
    double limit = 1.63 / sqrt(n); /* exceeded once in a hundred seeds */
    double error = sqrt(density.variance / n);
    print_message("distance %.4f of %.4f; mean %.4f +- %.4f, exact %.4f, without noise 0.6710\n",
                  distance, limit, mean, error, density.mean);
    require(distance < limit, "distance %g", distance);
    require(fabs(mean - density.mean) < 3.0 * error, "mean %g, exact %g", mean, density.mean);
    free(share);
    scree_foundation_density_release(&density);
    end(r);
}

/* Impulses of a free body: white, along the axes asked for, of the intensity asked for whatever the
 * step. */
static void noise_has_its_intensity(void** state)
{
    enum { N = 4000 };
    (void)state;
    static const char text[] = "world: {gravity: [0, 0, 0], step: %s}\n"
                               "bodies: [{name: ball, mass: 2, shape: {type: sphere, radius: 1}}]\n"
                               "forces: [{body: ball, noise: [9, 0, 4], end: 3000}]\n"
                               "stop: {time: 5000}\noutput: {interval: 1}\n";
    static const char* const steps[] = {"0.125", "0.5"};
    for (int k = 0; k < 2; ++k) {
        char scene[400];
        roll r;
        double step = strtod(steps[k], NULL), sum[3] = {0.0}, square[3] = {0.0}, next = 0.0,
               last[3];
        snprintf(scene, sizeof scene, text, steps[k]);
        assert_int_equal(scree_scene_parse(NULL, "ball", scene, strlen(scene), 0, NULL, &r.scene),
                         SCREE_OK);
        assert_int_equal(scree_simulation_create(NULL, r.scene, &r.simulation), SCREE_OK);
        double before[3] = {0.0}, cross = 0.0;
        for (int i = 0; i < N; ++i) {
            step_on(r);
            const double* v = scree_simulation_view(r.simulation).velocity;
            double z[3];
            for (int j = 0; j < 3; ++j) {
                z[j] = 2.0 * (v[j] - before[j]) / sqrt((j == 2 ? 4.0 : 9.0) * step);
                before[j] = v[j];
                sum[j] += z[j] / sqrt(N);
                square[j] += z[j] * z[j] / N;
            }
            cross += z[0] * z[2] / sqrt(N);
            if (i > 0) next += z[0] * last[0] / sqrt(N);
            memcpy(last, z, sizeof last);
        }
        require(square[1] == 0.0, "noise across: %g", square[1]);
        for (int j = 0; j < 3; j += 2) {
            require(fabs(sum[j]) < 3.0, "mean %g standard errors", sum[j]);
            require(fabs(square[j] - 1.0) < 3.0 * sqrt(2.0 / N), "intensity %g", square[j]);
        }
        require(fabs(cross) < 3.0 && fabs(next) < 3.0, "correlation %g, %g", cross, next);
        release(r);
    }
}

/* The same seed is the same path, a resumed one included; another is another. */
static void noise_is_a_function_of_the_seed(void** state)
{
    (void)state;
    double speed[3];
    for (int i = 0; i < 3; ++i) {
        roll r = begin_at(2.0, 1.0, 0.1, "noise=50", i == 2 ? "seed=2" : NULL);
        step_to(r, 2.0);
        speed[i] = speed_of(r);
        end(r);
    }
    require(speed[0] == speed[1] && speed[0] != speed[2], "%g %g %g", speed[0], speed[1], speed[2]);
    require(fabs(speed[0] - 1.0) > 1e-6, "no noise: %g", speed[0]);
}

static void scenes_refuse_it_too(void** state)
{
    (void)state;
#define ROLLING "materials.ground.rolling="
    static const struct {
        const char *setting, *naming;
    } cases[] = {
        {"m=6250", "m = 6250 kg/m^2 must be below gamma^2 / (4 k) = 6250"},
        {"k=0", "k = 0 must be positive"},
        {"gamma=-1", "gamma = -1 must be positive"},
        {"m=-1", "m = -1 must not be negative"},
        {ROLLING "{viscous_foundation: {k: 1e7}}", "needs 'gamma'"},
        {ROLLING "{viscous_foundation: {k: 1e7, gamma: 1, mass: 1}}", "mass"},
        {ROLLING "{viscous_foundation: 3}", "viscous_foundation"},
        {ROLLING "{viscous_foundation: {k: 1e7, gamma: 5e5}, disc: 1}", "stands alone"},
        {"materials.ground.rolling_direction={disc: 1}", "takes the place of sets"},
        {"world.law=coupled", "coupled has no viscous foundation"},
        {"forces.roller.drag=-1", "drag = -1 must not be negative"},
        {"noise=-1", "noise: an intensity must not be negative: -1"},
        {"seed=-1", "seed"},
    };
#undef ROLLING
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        assert_int_equal(parse(&env, 1, &cases[i].setting, &scene), SCREE_ERROR_INPUT);
        print_message("%s\n", host.text);
        require(strstr(host.text, cases[i].naming) != NULL, "%s: %s", cases[i].naming, host.text);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settles_at_the_speeds_of_the_study),
        cmocka_unit_test(stationary_speed_is_exact),
        cmocka_unit_test(follows_the_equation_of_motion),
        cmocka_unit_test(law_alone_holds_nothing),
        cmocka_unit_test(friction_needed_is_that_of_the_study),
        cmocka_unit_test(mu_r_holds_it_at_rest),
        cmocka_unit_test(coefficient_is_that_of_the_study),
        cmocka_unit_test(goes_on_bit_for_bit),
        cmocka_unit_test(ground_belongs_to_the_half_space),
        cmocka_unit_test(warns_of_other_bodies),
        cmocka_unit_test(lands_and_rolls_on),
        cmocka_unit_test(noise_gives_the_density_of_the_study),
        cmocka_unit_test(noise_has_its_intensity),
        cmocka_unit_test(noise_is_a_function_of_the_seed),
        cmocka_unit_test(refuses_what_the_model_does_not_cover),
        cmocka_unit_test(scenes_refuse_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
