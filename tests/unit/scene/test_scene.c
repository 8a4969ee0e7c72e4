/* Scenes that a program fills: the world made from them, their faults, and steering it. */
#include "scree/scene.h"
#include "support/test.h"

#include <math.h>

/* A floor, a kinematic plate, a ball, and a generator of small balls. */
typedef struct filled {
    scree_material material;
    scree_shape shapes[4];
    scree_scene_body bodies[3];
    scree_generator generator;
    scree_drive drives[2];
    scree_scene scene;
} filled;

static void make_ball(double radius, scree_shape* shape, scree_scene_body* body)
{
    scree_mass mass;
    *shape = scree_default_shape();
    shape->half_size[0] = radius;
    body->def = scree_default_body_def();
    assert_int_equal(scree_shape_mass(NULL, 1, shape, 1000.0, &mass), SCREE_OK);
    body->def.mass = mass.mass;
    memcpy(body->def.inertia, mass.inertia, sizeof mass.inertia);
    body->n_shapes = 1;
    body->shapes = shape;
}

static void fill(filled* f)
{
    *f = (filled){.material = {.mu = 0.5}, .scene = scree_default_scene()};
    for (int k = 0; k < 3; ++k) f->bodies[k].name = (const char*[]){"floor", "plate", NULL}[k];
    make_ball(0.1, &f->shapes[2], &f->bodies[2]);
    make_ball(0.05, &f->shapes[3], &f->generator.model);
    for (int k = 0; k < 2; ++k) {
        f->shapes[k] = scree_default_shape();
        f->bodies[k].def = scree_default_body_def();
        f->bodies[k].n_shapes = 1;
        f->bodies[k].shapes = &f->shapes[k];
    }
    f->shapes[0].kind = SCREE_SHAPE_HALF_SPACE;
    f->bodies[0].def.kind = SCREE_BODY_STATIC;
    f->shapes[1].kind = SCREE_SHAPE_BOX;
    for (int j = 0; j < 3; ++j) f->shapes[1].half_size[j] = 0.1;
    f->bodies[1].def.kind = SCREE_BODY_KINEMATIC;
    f->bodies[1].def.position[0] = -3.0;
    f->bodies[2].def.position[2] = 0.1;
    f->generator.kind = SCREE_GENERATOR_GRID;
    f->generator.low[0] = 1.0;
    f->generator.low[2] = 0.05;
    for (int j = 0; j < 3; ++j) {
        f->generator.grid[j] = 2;
        f->generator.spacing[j] = 0.2;
    }
    f->drives[0] = (scree_drive){.body = 1, .linear = {0.5, 0.0, 0.0}, .end = HUGE_VAL};
    f->drives[1] = (scree_drive){.body = 2, .is_force = 1, .linear = {1.0, 0.0, 0.0}, .end = 0.1};
    f->scene.duration = 0.2;
    f->scene.n_materials = 1;
    f->scene.materials = &f->material;
    f->scene.n_bodies = 3;
    f->scene.bodies = f->bodies;
    f->scene.n_generators = 1;
    f->scene.generators = &f->generator;
    f->scene.n_drives = 2;
    f->scene.drives = f->drives;
}

static void a_scene_filled_in_c_becomes_a_world(void** state)
{
    (void)state;
    filled f;
    fill(&f);
    test_host host;
    scree_env env = test_env(&host);
    scree_world* world = NULL;
    assert_int_equal(scree_scene_count_bodies(&f.scene), 11);
    scree_status status = scree_scene_build(&env, &f.scene, &world);
    require(status == SCREE_OK, "%s", host.text);
    scree_world_view view = scree_world_get_view(world);
    assert_int_equal(view.n_bodies, 11);
    assert_true(view.position[3 * 10] == 1.2 && view.position[3 * 10 + 2] == 0.25);
    scree_world_destroy(world);
    assert_int_equal(host.n_held, 0);
}

/* The drive moves the plate, the force the ball, and they have names. */
static void a_scene_filled_in_c_runs(void** state)
{
    (void)state;
    filled f;
    fill(&f);
    test_host host;
    scree_env env = test_env(&host);
    scree_simulation* s = NULL;
    scree_step_report report;
    assert_int_equal(scree_simulation_create(&env, &f.scene, &s), SCREE_OK);
    while (!scree_simulation_done(s)) assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
    scree_world_view view = scree_simulation_view(s);
    require(fabs(view.time - 0.2) < 1e-9, "time %g", view.time);
    require(fabs(view.position[3] + 2.9) < 1e-9, "plate at %g", view.position[3]);
    require(view.velocity[6] > 0.01, "ball %g", view.velocity[6]);
    char name[32];
    const char* expected[] = {"floor", "plate", "body-2", "generator-0-0"};
    for (int k = 0; k < 4; ++k) {
        scree_simulation_body_name(s, k, name, sizeof name);
        assert_string_equal(name, expected[k]);
    }
    scree_simulation_destroy(s);
    assert_int_equal(host.n_held, 0);
}

/* Velocities given and bodies added through the simulation's world. */
static void the_world_of_a_simulation_can_be_steered(void** state)
{
    (void)state;
    filled f;
    fill(&f);
    f.scene.rest_speed = 1e-3;
    f.scene.rest_time = 0.05;
    scree_simulation* s = NULL;
    scree_step_report report;
    scree_body_id ball = {3, 0}, added;
    assert_int_equal(scree_simulation_create(NULL, &f.scene, &s), SCREE_OK);
    scree_world* world = scree_simulation_world(s);
    assert_int_equal(scree_world_set_velocity(world, ball, (const double[]){0.0, 1.0, 0.0},
                                              (const double[]){0.0, 0.0, 0.0}),
                     SCREE_OK);
    f.bodies[2].def.position[0] = -1.0;
    f.bodies[2].def.velocity[1] = 0.5;
    assert_int_equal(scree_world_add_body(world, &f.bodies[2].def, 1, f.bodies[2].shapes, &added),
                     SCREE_OK);
    while (!scree_simulation_done(s)) assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
    scree_world_view view = scree_world_get_view(world);
    require(view.position[7] > 0.1, "steered ball at %g", view.position[7]);
    require(view.position[3 * 11 + 1] > 0.05, "added ball at %g", view.position[3 * 11 + 1]);
    char name[32];
    scree_simulation_body_name(s, 11, name, sizeof name);
    assert_string_equal(name, "body-11");
    scree_simulation_body_name(s, 12, name, sizeof name);
    assert_string_equal(name, "no body");
    scree_simulation_destroy(s);
}

/* Bodies of the scene that somebody removes are missed by nobody, and what takes their place is
 * another body; a state with such bodies says so when it is loaded. */
static void bodies_of_a_simulation_can_be_removed(void** state)
{
    (void)state;
    filled f;
    fill(&f);
    test_host host;
    scree_env env = test_env(&host);
    scree_simulation *s = NULL, *other = NULL;
    scree_step_report report;
    scree_body_id added;
    assert_int_equal(scree_simulation_create(&env, &f.scene, &s), SCREE_OK);
    scree_world* world = scree_simulation_world(s);
    assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
    for (int slot = 1; slot <= 2; ++slot) { /* the driven one, and the one that a force moves */
        scree_body_id body = {slot + 1, 0};
        assert_int_equal(scree_world_remove_body(world, body), SCREE_OK);
    }
    char name[32];
    scree_simulation_body_name(s, 1, name, sizeof name);
    assert_string_equal(name, "no body");
    assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
    f.bodies[2].def.position[1] = 2.0;
    for (int k = 0; k < 2; ++k) {
        f.bodies[2].def.position[1] += 1.0;
        assert_int_equal(
            scree_world_add_body(world, &f.bodies[2].def, 1, f.bodies[2].shapes, &added), SCREE_OK);
    }
    assert_int_equal(added.index1, 3);
    while (!scree_simulation_done(s)) assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
    scree_world_view view = scree_simulation_view(s);
    require(fabs(view.velocity[6]) < 1e-6, "the force moves a stranger: %g", view.velocity[6]);
    scree_simulation_body_name(s, 2, name, sizeof name);
    assert_string_equal(name, "body-2");
    scree_simulation_body_name(s, 3, name, sizeof name);
    assert_string_equal(name, "generator-0-0");
    size_t size = scree_simulation_state_size(s);
    void* saved = test_take(size, 1);
    scree_simulation_save(s, saved);
    assert_int_equal(scree_simulation_create(&env, &f.scene, &other), SCREE_OK);
    assert_int_equal(scree_simulation_load(other, saved, size), SCREE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(host.text, "added or removed from outside"));
    free(saved);
    scree_simulation_destroy(other);
    scree_simulation_destroy(s);
    assert_int_equal(host.n_held, 0);
}

static void refuse(const filled* f, scree_status expected, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_world* world = NULL;
    assert_int_equal(scree_scene_build(&env, &f->scene, &world), expected);
    assert_null(world);
    require(strstr(host.text, text) != NULL, "'%s' says nothing of '%s'", host.text, text);
    host.text[0] = '\0';
    scree_simulation* simulation = NULL;
    assert_int_equal(scree_simulation_create(&env, &f->scene, &simulation), expected);
    assert_null(simulation);
    require(strstr(host.text, text) != NULL, "'%s' says nothing of '%s'", host.text, text);
    assert_int_equal(host.n_held, 0);
}

static void faults_are_named(void** state)
{
    (void)state;
    filled f;
    fill(&f);
    f.scene.cookie = 1;
    refuse(&f, SCREE_ERROR_ARGUMENT, "scree_default_scene");
    fill(&f);
    f.scene.bodies = NULL;
    refuse(&f, SCREE_ERROR_ARGUMENT, "bodies");
    fill(&f);
    f.scene.drives = NULL;
    refuse(&f, SCREE_ERROR_ARGUMENT, "drives");
    fill(&f);
    f.bodies[1].n_shapes = 0;
    refuse(&f, SCREE_ERROR_INPUT, "body 1");
    fill(&f);
    f.generator.grid[1] = 0;
    refuse(&f, SCREE_ERROR_INPUT, "generator 0");
    fill(&f);
    for (int j = 0; j < 3; ++j) f.generator.grid[j] = INT32_MAX;
    refuse(&f, SCREE_ERROR_INPUT, "too many");
    fill(&f);
    f.generator.size_spread = (double)NAN;
    refuse(&f, SCREE_ERROR_INPUT, "size_spread");
    fill(&f);
    f.generator.kind = SCREE_GENERATOR_RAIN;
    f.generator.count = 3;
    refuse(&f, SCREE_ERROR_INPUT, "rate");
    fill(&f);
    f.drives[0].body = 3;
    refuse(&f, SCREE_ERROR_INPUT, "no body 3");
    fill(&f);
    f.drives[0].body = 2;
    refuse(&f, SCREE_ERROR_INPUT, "not kinematic");
    fill(&f);
    f.drives[1].body = 1;
    refuse(&f, SCREE_ERROR_INPUT, "'plate' is not dynamic");
    fill(&f);
    f.scene.duration = HUGE_VAL;
    refuse(&f, SCREE_ERROR_INPUT, "never stops");
    fill(&f);
    f.scene.interval = (double)NAN;
    refuse(&f, SCREE_ERROR_INPUT, "interval");
    fill(&f);
    f.shapes[2].material = 1;
    refuse(&f, SCREE_ERROR_INPUT, "material");
    assert_int_equal(scree_scene_build(NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_filled_in_c_becomes_a_world),
        cmocka_unit_test(a_scene_filled_in_c_runs),
        cmocka_unit_test(the_world_of_a_simulation_can_be_steered),
        cmocka_unit_test(bodies_of_a_simulation_can_be_removed),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
