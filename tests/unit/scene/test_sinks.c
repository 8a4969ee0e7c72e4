/* Probes and sinks: bodies that fall pass planes when they should, end where they should, and leave
 * the budget of energy closed; a simulation that is loaded goes on as if nothing had been. */
#include "scree/scene.h"
#include "support/test.h"

#include <math.h>

static const double g = 10.0, step = 1e-3;

typedef struct fountain {
    scree_shape ball;
    scree_material material;
    scree_scene_body thrown[2];
    scree_generator rain;
    scree_sink sinks[2];
    scree_probe probes[3];
    scree_scene_measure measures[6];
    scree_scene scene;
    scree_simulation* simulation;
} fountain;

static scree_scene_body ball_at(fountain* f, double x, double z, double up)
{
    scree_scene_body b = {.def = scree_default_body_def(), .n_shapes = 1, .shapes = &f->ball};
    b.def.position[0] = x;
    b.def.position[2] = z;
    b.def.velocity[2] = up;
    b.def.mass = 3.0;
    for (int k = 0; k < 3; ++k) b.def.inertia[k] = 0.01;
    return b;
}

/* Two balls: one is thrown up through the plane z = 1 and falls back through it, one falls beside.
 * What is below z = -1 ends, and so does what leaves a large box. Rain falls from z = 0.5. */
static void describe(fountain* f, int64_t count)
{
    *f = (fountain){.ball = scree_default_shape(), .material = {.mu = 0.0}};
    f->ball.half_size[0] = 0.05;
    f->thrown[0] = ball_at(f, 0.0, 0.0, 6.0);
    f->thrown[1] = ball_at(f, 3.0, 2.0, 0.0);
    f->rain = (scree_generator){.kind = SCREE_GENERATOR_RAIN,
                                .model = ball_at(f, 0.0, 0.0, 0.0),
                                .count = count,
                                .rate = 20.0,
                                .low = {-2.0, 5.0, 0.5},
                                .high = {2.0, 9.0, 0.5},
                                .seed = 3};
    f->sinks[0] = (scree_sink){"pit", {-9.0, -9.0, -9.0}, {9.0, 9.0, -1.0}, 0};
    f->sinks[1] = (scree_sink){"domain", {-9.0, -9.0, -SCREE_INFINITY}, {9.0, 9.0, 9.0}, 1};
    f->probes[0] = (scree_probe){"plane", {0.0, 0.0, 1.0}, {0.0, 0.0, 2.0}, 0.0};
    f->probes[1] = (scree_probe){"disc", {0.0, 0.0, 1.0}, {0.0, 0.0, -1.0}, 1.0};
    f->probes[2] = (scree_probe){"floor", {0.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, 0.0};
    static const scree_scene_measure asked[] = {
        {.name = "up", .kind = SCREE_MEASURE_PASSED, .of = 0, .which = 0},
        {.name = "down", .kind = SCREE_MEASURE_PASSED_MASS, .of = 0, .which = 1},
        {.name = "taken", .kind = SCREE_MEASURE_TAKEN, .of = 0},
        {.name = "mass", .kind = SCREE_MEASURE_TAKEN_MASS, .of = 0},
        {.name = "all", .kind = SCREE_MEASURE_MEAN_POSITION, .of = 0, .which = 2},
        {.name = "half", .kind = SCREE_MEASURE_REACH, .of = 0, .level = 0.5},
    };
    memcpy(f->measures, asked, sizeof asked);
    f->scene = scree_default_scene();
    f->scene.world.gravity[2] = -g;
    f->scene.world.step = step;
    f->scene.n_materials = 1;
    f->scene.materials = &f->material;
    f->scene.n_bodies = 2;
    f->scene.bodies = f->thrown;
    f->scene.n_generators = 1;
    f->scene.generators = &f->rain;
    f->scene.n_sinks = 2;
    f->scene.sinks = f->sinks;
    f->scene.n_probes = 3;
    f->scene.probes = f->probes;
    f->scene.n_measures = 6;
    f->scene.measures = f->measures;
}

static void start(fountain* f, int64_t count)
{
    describe(f, count);
    assert_int_equal(scree_simulation_create(NULL, &f->scene, &f->simulation), SCREE_OK);
}

static void advance(const fountain* f, int n)
{
    scree_step_report report;
    for (int k = 0; k < n; ++k) {
        assert_int_equal(scree_simulation_step(f->simulation, &report), SCREE_OK);
    }
}

/* Times of z = 6 t - 5 t^2 = 1 and of 2 - 5 t^2 = 1. */
static void planes_are_passed_in_time(void** state)
{
    (void)state;
    fountain f;
    double up = (6.0 - sqrt(16.0)) / 10.0, down = (6.0 + sqrt(16.0)) / 10.0, beside = sqrt(0.2);
    start(&f, 1);
    int n_seen = 0, n;
    for (int k = 0; k < 1300; ++k) {
        advance(&f, 1);
        const scree_passage* p = scree_simulation_passages(f.simulation, &n);
        for (int i = 0; i < n; ++i) {
            if (p[i].probe != 0) continue;
            ++n_seen;
            double time = p[i].body == 1 ? beside : p[i].direction > 0 ? up : down;
            require(fabs(p[i].time - time) <= g * step * step, "at %g s, not %g s", p[i].time,
                    time);
            require(fabs(p[i].speed - (p[i].body == 1 ? sqrt(20.0) : 4.0)) <= g * step, "%g m/s",
                    p[i].speed);
            require(p[i].mass == 3.0, "%g kg", p[i].mass);
        }
    }
    assert_int_equal(n_seen, 3);
    scree_probe_tally plane = scree_simulation_probe(f.simulation, 0);
    scree_probe_tally disc = scree_simulation_probe(f.simulation, 1);
    assert_int_equal(plane.bodies[0], 1);
    assert_int_equal(plane.bodies[1], 2);
    require(plane.mass[1] == 6.0 && plane.mass[0] == 3.0, "%g kg", plane.mass[1]);
    require(fabs(plane.first - up) <= 1e-5 && fabs(plane.last - down) <= 1e-5, "first and last");
    require(fabs(plane.speed[1] - 4.0 - sqrt(20.0)) <= 2.0 * g * step, "%g m/s", plane.speed[1]);
    assert_int_equal(disc.bodies[0], 1); /* the other one passes beside it */
    assert_int_equal(disc.bodies[1], 1);
    require(scree_simulation_measure(f.simulation, 0) == 1.0, "measure of bodies");
    require(scree_simulation_measure(f.simulation, 1) == 6.0, "measure of mass");
    assert_int_equal(scree_simulation_probe(f.simulation, 3).bodies[0], 0);
    scree_simulation_destroy(f.simulation);
}

static void balanced(const fountain* f)
{
    scree_totals t = scree_simulation_totals(f->simulation);
    double left = t.energy_begin + t.energy_added - t.energy_removed + t.contact_work -
                  (t.kinetic + t.potential);
    require(fabs(left) <= 1e-9 * (t.energy_begin + t.energy_added), "%g J are missing", left);
}

static int count_bodies(const fountain* f)
{
    scree_world_view view = scree_simulation_view(f->simulation);
    int n = 0;
    for (int32_t i = 0; i < view.n_bodies; ++i) n += view.kind[i] != SCREE_BODY_NONE;
    return n;
}

static void what_falls_into_a_sink_is_counted(void** state)
{
    (void)state;
    fountain f;
    enum { N = 20 };
    start(&f, N);
    for (int k = 0; k < 20; ++k) {
        advance(&f, 150);
        scree_sink_tally pit = scree_simulation_sink(f.simulation, 0);
        scree_probe_tally floor = scree_simulation_probe(f.simulation, 2);
        int64_t awaited = scree_simulation_awaited(f.simulation);
        assert_int_equal(count_bodies(&f) + pit.bodies + awaited, N + 2);
        assert_true(pit.bodies <= floor.bodies[0]);
        require(pit.mass == 3.0 * (double)pit.bodies, "%g kg", pit.mass);
        balanced(&f);
    }
    assert_int_equal(scree_simulation_sink(f.simulation, 0).bodies, N + 2);
    assert_int_equal(scree_simulation_sink(f.simulation, 1).bodies, 0);
    assert_int_equal(scree_simulation_sink(f.simulation, 2).bodies, 0);
    require(scree_simulation_view(f.simulation).n_bodies < 16, "slots are not used again");
    require(scree_simulation_totals(f.simulation).kinetic == 0.0, "something still falls");
    assert_true(isnan(scree_simulation_measure(f.simulation, 4))); /* nothing is left */
    assert_true(isnan(scree_simulation_measure(f.simulation, 5)));
    scree_simulation_destroy(f.simulation);
}

/* Against sorting and summing here. */
static void all_bodies_of_a_generator_are_measured(void** state)
{
    (void)state;
    fountain f;
    start(&f, 9);
    advance(&f, 420);
    scree_world_view view = scree_simulation_view(f.simulation);
    double radius[16], z = 0.0;
    int n = 0;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        char name[32];
        scree_simulation_body_name(f.simulation, i, name, sizeof name);
        if (strncmp(name, "generator", 9) != 0) continue;
        z += view.position[3 * i + 2];
        radius[n++] = hypot(view.position[3 * i], view.position[3 * i + 1]);
    }
    assert_int_equal(n, 9);
    require(fabs(scree_simulation_measure(f.simulation, 4) - z / n) <= 1e-12, "mean height");
    double median = scree_simulation_measure(f.simulation, 5);
    int below = 0, at = 0;
    for (int k = 0; k < n; ++k) {
        below += radius[k] < median;
        at += radius[k] == median;
    }
    assert_int_equal(below, 4); /* five of nine lie within it */
    assert_int_equal(at, 1);
    scree_simulation_destroy(f.simulation);
}

static void a_loaded_simulation_goes_on(void** state)
{
    (void)state;
    fountain whole, second;
    start(&whole, 12);
    advance(&whole, 900);
    size_t size = scree_simulation_state_size(whole.simulation);
    unsigned char *kept = malloc(size), *end[2];
    assert_non_null(kept);
    scree_simulation_save(whole.simulation, kept);
    assert_true(scree_simulation_sink(whole.simulation, 0).bodies > 2);
    start(&second, 12);
    assert_int_equal(scree_simulation_load(second.simulation, kept, size), SCREE_OK);
    advance(&whole, 400);
    advance(&second, 400);
    size_t last = scree_simulation_state_size(whole.simulation);
    assert_int_equal(scree_simulation_state_size(second.simulation), last);
    for (int k = 0; k < 2; ++k) {
        end[k] = malloc(last);
        assert_non_null(end[k]);
        scree_simulation* s = k ? second.simulation : whole.simulation;
        scree_simulation_save(s, end[k]);
        scree_totals t = scree_simulation_totals(s);
        balanced(k ? &second : &whole);
        assert_true(t.steps == 1300);
    }
    scree_world_view a = scree_simulation_view(whole.simulation);
    scree_world_view b = scree_simulation_view(second.simulation);
    assert_int_equal(a.n_bodies, b.n_bodies);
    assert_memory_equal(a.position, b.position, 24 * (size_t)a.n_bodies);
    assert_memory_equal(a.generation, b.generation, 4 * (size_t)a.n_bodies);
    scree_sink_tally x = scree_simulation_sink(whole.simulation, 0);
    scree_sink_tally y = scree_simulation_sink(second.simulation, 0);
    assert_true(x.bodies == y.bodies && x.mass == y.mass);
    scree_simulation_destroy(second.simulation);
    start(&second, 11); /* another scene */
    assert_int_equal(scree_simulation_load(second.simulation, end[0], last), SCREE_ERROR_INPUT);
    scree_simulation_destroy(second.simulation);
    free(end[0]);
    free(end[1]);
    free(kept);
    scree_simulation_destroy(whole.simulation);
}

static void what_cannot_be_is_refused(void** state)
{
    (void)state;
    for (int k = 0; k < 7; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        fountain f;
        describe(&f, 1);
        if (k == 0) f.sinks[1].low[2] = 10.0;
        if (k == 1) f.sinks[0].high[0] = NAN;
        if (k == 2) f.probes[2].normal[2] = 0.0;
        if (k == 3) f.probes[0].radius = -1.0;
        if (k == 4) f.probes[0].position[1] = NAN;
        if (k == 5) f.measures[0].of = 3;
        if (k == 6) f.measures[5].level = 1.5;
        assert_int_equal(scree_simulation_create(&env, &f.scene, &f.simulation), SCREE_ERROR_INPUT);
        assert_int_equal(host.n_logged, 1);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_passed_in_time),
        cmocka_unit_test(what_falls_into_a_sink_is_counted),
        cmocka_unit_test(all_bodies_of_a_generator_are_measured),
        cmocka_unit_test(a_loaded_simulation_goes_on),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
