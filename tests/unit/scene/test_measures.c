/* Measures of bodies: what they say of a fall that is known in closed form, that they go on after
 * loading, and what is refused. */
#include "scree/scene.h"
#include "support/test.h"

#include <math.h>

enum { BALL, FLOOR, N_BODIES };

static const double g = 10.0, start = 2.0, radius = 0.5, step = 1e-3;

typedef struct fall {
    scree_shape ball, floor;
    scree_scene_body bodies[N_BODIES];
    scree_material material;
    scree_scene_measure measures[9];
    scree_scene scene;
    scree_simulation* simulation;
} fall;

/* A ball that falls 1.5 m on a floor and stays there: it lands at sqrt(0.3) s. */
static void describe(fall* f)
{
    static const scree_scene_measure asked[] = {
        {.name = "now", .kind = SCREE_MEASURE_POSITION, .which = 2},
        {.name = "least", .kind = SCREE_MEASURE_VELOCITY, .which = 2, .over = SCREE_OVER_LEAST},
        {.name = "most",
         .kind = SCREE_MEASURE_POSITION,
         .which = 2,
         .over = SCREE_OVER_MOST,
         .begin = 0.2,
         .end = 0.3},
        {.name = "mean",
         .kind = SCREE_MEASURE_VELOCITY,
         .which = 2,
         .over = SCREE_OVER_MEAN,
         .begin = 0.101,
         .end = 0.3},
        {.name = "reached",
         .kind = SCREE_MEASURE_POSITION,
         .which = 2,
         .over = SCREE_OVER_REACHED,
         .level = 1.0},
        {.name = "never",
         .kind = SCREE_MEASURE_POSITION,
         .which = 2,
         .over = SCREE_OVER_REACHED,
         .level = 3.0},
        {.name = "weight",
         .kind = SCREE_MEASURE_CONTACT_FORCE,
         .which = 2,
         .over = SCREE_OVER_MEAN,
         .begin = 0.6,
         .of = FLOOR},
        {.name = "axis", .kind = SCREE_MEASURE_AXIS, .which = 0},
        {.name = "then", .kind = SCREE_MEASURE_VELOCITY, .which = 2, .end = 0.3},
    };
    *f = (fall){.ball = scree_default_shape(), .floor = scree_default_shape()};
    f->ball.half_size[0] = radius;
    f->floor.kind = SCREE_SHAPE_HALF_SPACE;
    f->material = (scree_material){.mu = 0.0};
    f->bodies[BALL] = (scree_scene_body){
        .name = "ball", .def = scree_default_body_def(), .n_shapes = 1, .shapes = &f->ball};
    f->bodies[BALL].def.position[2] = start;
    f->bodies[BALL].def.mass = 2.0;
    for (int k = 0; k < 3; ++k) f->bodies[BALL].def.inertia[k] = 0.2;
    f->bodies[BALL].def.rotation[0] = f->bodies[BALL].def.rotation[2] = sqrt(0.5); /* z to x */
    f->bodies[FLOOR] = (scree_scene_body){
        .name = "floor", .def = scree_default_body_def(), .n_shapes = 1, .shapes = &f->floor};
    f->bodies[FLOOR].def.kind = SCREE_BODY_STATIC;
    memcpy(f->measures, asked, sizeof asked);
    f->scene = scree_default_scene();
    f->scene.world.gravity[2] = -g;
    f->scene.world.step = step;
    f->scene.n_materials = 1;
    f->scene.materials = &f->material;
    f->scene.n_bodies = N_BODIES;
    f->scene.bodies = f->bodies;
    f->scene.n_measures = 9;
    f->scene.measures = f->measures;
    f->scene.duration = 0.8;
}

static void advance(scree_simulation* s, int steps)
{
    scree_step_report report;
    for (int k = 0; k < steps; ++k) assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
}

static void close_to(const fall* f, int measure, double expected, double bound)
{
    double value = scree_simulation_measure(f->simulation, measure);
    require(fabs(value - expected) <= bound, "%s is %.12g, not %.12g", f->measures[measure].name,
            value, expected);
}

/* Smooth motion is exact here: positions at the ends of steps lie on the parabola. */
static void judge(const fall* f)
{
    close_to(f, 0, radius, 1e-6); /* what the impact left of overlap */
    close_to(f, 1, -sqrt(2.0 * g * (start - radius)), 2.0 * g * step);
    close_to(f, 2, start - 0.5 * g * 0.04, 1e-12);
    close_to(f, 3, -g * (0.101 + 0.3) / 2.0, 1e-12);
    close_to(f, 4, sqrt(2.0 * (start - 1.0) / g), g * step * step);
    assert_true(isnan(scree_simulation_measure(f->simulation, 5)));
    close_to(f, 6, -2.0 * g, 1e-9);
    close_to(f, 7, 1.0, 1e-12);
    close_to(f, 8, -g * 0.3, 1e-12);
    assert_true(isnan(scree_simulation_measure(f->simulation, 9)));
    assert_true(isnan(scree_simulation_measure(f->simulation, -1)));
}

static void a_fall_is_measured(void** state)
{
    (void)state;
    fall f;
    describe(&f);
    assert_int_equal(scree_simulation_create(NULL, &f.scene, &f.simulation), SCREE_OK);
    assert_true(isnan(scree_simulation_measure(f.simulation, 1)));
    assert_true(isnan(scree_simulation_measure(f.simulation, 3)));
    advance(f.simulation, 800);
    judge(&f);
    scree_simulation_destroy(f.simulation);
}

static void measures_go_on_after_loading(void** state)
{
    (void)state;
    fall f;
    describe(&f);
    assert_int_equal(scree_simulation_create(NULL, &f.scene, &f.simulation), SCREE_OK);
    advance(f.simulation, 250);
    size_t size = scree_simulation_state_size(f.simulation);
    void* kept = malloc(size);
    assert_non_null(kept);
    scree_simulation_save(f.simulation, kept);
    scree_simulation_destroy(f.simulation);
    assert_int_equal(scree_simulation_create(NULL, &f.scene, &f.simulation), SCREE_OK);
    assert_int_equal(scree_simulation_load(f.simulation, kept, size), SCREE_OK);
    free(kept);
    advance(f.simulation, 550);
    judge(&f);
    scree_simulation_destroy(f.simulation);
}

static void what_cannot_be_measured_is_refused(void** state)
{
    (void)state;
    static const scree_scene_measure bad[] = {
        {.kind = SCREE_MEASURE_POSITION, .of = 2},
        {.kind = SCREE_MEASURE_POSITION, .of = -1},
        {.kind = SCREE_MEASURE_POSITION, .which = 3},
        {.kind = SCREE_MEASURE_COORDINATE},
        {.kind = SCREE_MEASURE_KIND_COUNT},
        {.kind = SCREE_MEASURE_POSITION, .over = SCREE_OVER_COUNT},
        {.kind = SCREE_MEASURE_POSITION, .begin = 2.0, .end = 1.0},
        {.kind = SCREE_MEASURE_POSITION, .begin = NAN},
        {.kind = SCREE_MEASURE_POSITION, .over = SCREE_OVER_REACHED, .level = NAN},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        fall f;
        describe(&f);
        f.measures[3] = bad[k];
        assert_int_equal(scree_simulation_create(&env, &f.scene, &f.simulation), SCREE_ERROR_INPUT);
        assert_int_equal(host.n_logged, 1);
        require(strstr(host.text, "measure 3 of the scene"), "%s", host.text);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_is_measured),
        cmocka_unit_test(measures_go_on_after_loading),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
