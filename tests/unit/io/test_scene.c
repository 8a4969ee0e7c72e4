/* Scenes that are right: what is read from them, what settings change, what the defaults are, and
 * what happens when memory is short. */
#include "io/file_util.h"
#include "io/scene_reader.h"
#include "support/test.h"

#include <math.h>

static scree_scene* parse(const char* text, int32_t n_settings, const char* const* settings)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scree_status status =
        scree_scene_parse(&env, "s.yaml", text, strlen(text), n_settings, settings, &scene);
    require(status == SCREE_OK && scene, "%s", host.text);
    assert_int_equal(host.n_logged, 0);
    /* The environment lives in this call: bring the scene to one that stays. */
    scree_scene_destroy(scene);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(
        scree_scene_parse(NULL, "s.yaml", text, strlen(text), n_settings, settings, &scene),
        SCREE_OK);
    return scene;
}

static void near(double value, double expected, const char* what)
{
    require(fabs(value - expected) <= 1e-14 * (1.0 + fabs(expected)), "%s = %.17g, not %.17g", what,
            value, expected);
}

static void near_all(const double* value, const double* expected, int n, const char* what)
{
    for (int k = 0; k < n; ++k) near(value[k], expected[k], what);
}

/* ---- a file with every part ------------------------------------------------------------------ */

static const char every_part_path[] = SCREE_FIXTURES "/scenes/every_part.yaml";

static scree_scene* read_every_part(void)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scree_status status = scree_scene_read(&env, every_part_path, 0, NULL, &scene);
    require(status == SCREE_OK, "%s", host.text);
    scree_scene_destroy(scene);
    assert_int_equal(scree_scene_read(NULL, every_part_path, 0, NULL, &scene), SCREE_OK);
    return scene;
}

static void world_and_materials(void** state)
{
    (void)state;
    scree_scene* s = read_every_part();
    const scree_scene_source info = *s->source;
    assert_string_equal(info.path, every_part_path);
    assert_string_equal(s->title, "Every part");
    assert_int_equal(info.text_size, strlen(info.text));
    assert_non_null(strstr(info.text, "title: Every part\n"));
    near(s->world.step, 2e-3, "step");
    near(s->duration, 4.0, "duration");
    near(s->interval, 0.125, "interval");
    near(s->rest_speed, 0.01, "rest speed");
    near(s->rest_time, 0.25, "rest time");
    assert_int_equal(info.n_parameters, 4);
    assert_string_equal(info.parameters[1].name, "mu_r");
    assert_string_equal(info.parameters[1].meaning, "rolling friction, m");
    near(info.parameters[1].value, 0.003, "mu_r");
    assert_null(info.parameters[1].text);
    assert_string_equal(info.parameters[2].text, "places.csv");
    assert_string_equal(info.parameters[3].meaning, "");

    assert_int_equal(s->world.law, SCREE_LAW_CONVEX);
    assert_int_equal(s->world.scheme, SCREE_SCHEME_IMPULSE);
    assert_int_equal(s->world.solver.max_iter, 500);
    assert_string_equal(s->world.solver.solver, "nsgs-aa");
    near(s->world.theta, 0.75, "theta");
    near(s->world.solver.tol, 1e-6, "tol");
    near(s->world.margin, 0.01, "margin");
    near(s->world.overlap, 1e-4, "overlap");
    assert_int_equal(s->world.joints, SCREE_JOINTS_TREES);

    assert_int_equal(s->n_materials, 3);
    assert_string_equal(s->material_name[2], "copy");
    assert_memory_equal(&s->materials[0], &s->materials[2], sizeof s->materials[0]);
    near_all(&s->materials[0].mu, (const double[]){0.3, 0.003, 0.001, 0.5}, 4, "grain");
    assert_int_equal(s->n_pairs, 1);
    assert_int_equal(s->pairs[0].a, 1);
    assert_int_equal(s->pairs[0].b, 0);
    /* mu is given; the rest as in world.h: the larger mu_r and mu_s, the smaller restitution. */
    near_all(&s->pairs[0].material.mu, (const double[]){0.25, 0.004, 0.001, 0.0}, 4, "pair");
    scree_scene_destroy(s);
}

static void bodies(void** state)
{
    (void)state;
    scree_scene* s = read_every_part();
    assert_int_equal(s->n_bodies, 6);
    static const char* const names[] = {"floor", "dumbbell", "brick", "wheel", "plate", "tray"};
    for (int k = 0; k < 6; ++k) assert_string_equal(s->bodies[k].name, names[k]);

    /* Two equal spheres at x = 1 and 2, turned by 90 degrees about z: centre at 1.5 along y. */
    const scree_scene_body* b = &s->bodies[1];
    const scree_shape* shape = b->shapes;
    double ball = 2000.0 * 4.0 / 3.0 * SCREE_PI * 1e-3, own = 0.4 * ball * 0.01;
    assert_int_equal(b->n_shapes, 2);
    near_all(b->def.position, (const double[]){1.0, 3.5, 3.0}, 3, "centre");
    near_all(b->def.velocity, (const double[]){0.1, 0.2, 0.3}, 3, "velocity");
    near_all(b->def.angular_velocity, (const double[]){1.0, 2.0, 3.0}, 3, "angular velocity");
    near_all(b->def.rotation, (const double[]){sqrt(0.5), 0.0, 0.0, sqrt(0.5)}, 4, "rotation");
    near_all(shape[0].position, (const double[]){-0.5, 0.0, 0.0}, 3, "first sphere");
    near_all(shape[1].position, (const double[]){0.5, 0.0, 0.0}, 3, "second sphere");
    assert_int_equal(shape[1].material, 1);
    near(b->def.mass, 2.0 * ball, "mass");
    near_all(b->def.inertia,
             (const double[]){2.0 * own, 2.0 * (own + 0.25 * ball), 2.0 * (own + 0.25 * ball), 0.0,
                              0.0, 0.0},
             6, "inertia");

    b = &s->bodies[2];
    shape = b->shapes;
    near(b->def.mass, 3.0, "given mass");
    near_all(b->def.inertia, (const double[]){0.0325, 0.025, 0.0125, 0.0, 0.0, 0.0}, 6, "scaled");
    near_all(b->def.rotation, (const double[]){sqrt(0.5), 0.0, sqrt(0.5), 0.0}, 4, "quaternion");
    near_all(shape->half_size, (const double[]){0.05, 0.1, 0.15}, 3, "half lengths");
    assert_int_equal(shape->category, 2);
    assert_int_equal(shape->collides, 5);

    b = &s->bodies[3];
    shape = b->shapes;
    near_all(b->def.inertia, (const double[]){0.3, 0.25, 0.1, 0.01, 0.02, 0.03}, 6,
             "given inertia");
    near_all(shape->half_size, (const double[]){0.3, 0.25, 0.0}, 3, "cylinder");

    /* A kinematic body keeps its frame. */
    b = &s->bodies[4];
    shape = b->shapes;
    assert_int_equal(b->def.kind, SCREE_BODY_KINEMATIC);
    near_all(b->def.position, (const double[]){0.0, 0.0, -5.0}, 3, "plate");
    near_all(shape[0].position, (const double[]){1.0, 0.0, 0.0}, 3, "capsule");
    near_all(shape[0].half_size, (const double[]){0.3, 0.25, 0.0}, 3, "capsule");
    assert_int_equal(shape[1].kind, SCREE_SHAPE_HALF_SPACE);
    scree_scene_destroy(s);
}

static void generators_and_drives(void** state)
{
    (void)state;
    scree_scene* s = read_every_part();
    assert_int_equal(s->n_generators, 3);
    const scree_generator* g = &s->generators[0];
    assert_int_equal(g->kind, SCREE_GENERATOR_GRID);
    assert_int_equal(g->count, 24);
    assert_int_equal(g->grid[1], 3);
    assert_int_equal(g->seed, 7);
    near_all(g->spacing, (const double[]){0.5, 0.5, 0.5}, 3, "spacing");
    near_all(g->low, (const double[]){1.0, 2.0, 3.0}, 3, "origin");
    near(g->jitter, 0.01, "jitter");
    near(g->size_spread, 0.1, "spread");
    assert_string_equal(g->model.name, "cell");

    g = &s->generators[1];
    assert_int_equal(g->kind, SCREE_GENERATOR_RAIN);
    assert_int_equal(g->count, 9);
    near(g->rate, 3.0, "rate");
    near(g->begin, 0.5, "begin");
    near_all(g->low, (const double[]){-1.0, -2.0, 3.0}, 3, "from");
    near_all(g->high, (const double[]){1.0, 2.0, 3.0}, 3, "to");
    near(g->model.def.mass, 500.0 * 4.0 / 3.0 * SCREE_PI * 1e-3, "mass of a drop");

    g = &s->generators[2];
    static const double places[] = {0.0, 0.0, 0.5, 1.5, -0.2, 0.5, -1.0, 2.0, 0.5};
    assert_int_equal(g->kind, SCREE_GENERATOR_LIST);
    assert_int_equal(g->count, 3);
    near_all(g->place, places, 9, "places");
    near_all(g->model.def.position, (const double[]){0.0, 0.0, 0.0}, 3, "model");
    near_all(g->model.shapes[0].position, (const double[]){0.0, 0.0, 0.0}, 3, "shape");

    assert_int_equal(s->n_drives, 2);
    const scree_drive* d = &s->drives[0];
    assert_int_equal(d->body, 4);
    assert_int_equal(d->is_force, 0);
    near_all(d->linear, (const double[]){0.0, 0.0, 0.1}, 3, "drive");
    near(d->begin, 1.0, "begin");
    near(d->end, 2.0, "end");
    near(d->frequency, 5.0, "frequency");
    near(d->phase, SCREE_PI / 2.0, "phase");
    d = &s->drives[1];
    assert_int_equal(d->body, 2);
    assert_int_equal(d->is_force, 1);
    near_all(d->linear, (const double[]){1.0, 2.0, 3.0}, 3, "force");
    near_all(d->angular, (const double[]){4.0, 5.0, 6.0}, 3, "torque");
    assert_true(isinf(d->end));
    scree_scene_destroy(s);
}

/* The outward normal of a half-space: its +z turned. */
static void normal_of(const scree_shape* shape, double n[3])
{
    const double* q = shape->rotation;
    n[0] = 2.0 * (q[1] * q[3] + q[0] * q[2]);
    n[1] = 2.0 * (q[2] * q[3] - q[0] * q[1]);
    n[2] = 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
}

static void half_spaces(void** state)
{
    (void)state;
    scree_scene* s = read_every_part();
    const scree_scene_body* tray = &s->bodies[5];
    static const double walls[][6] = {
        {9, 0, 0, -1, 0, 0}, {0, -8, 0, 0, 1, 0}, {0, 8, 0, 0, -1, 0}, {0, 0, -7, 0, 0, 1}};
    assert_int_equal(tray->n_shapes, 4);
    assert_int_equal(tray->def.kind, SCREE_BODY_STATIC);
    for (int k = 0; k < 4; ++k) {
        const scree_shape* shape = &tray->shapes[k];
        double n[3];
        normal_of(shape, n);
        assert_int_equal(shape->kind, SCREE_SHAPE_HALF_SPACE);
        assert_int_equal(shape->material, 2);
        near_all(shape->position, walls[k], 3, "place of a wall");
        near_all(n, walls[k] + 3, 3, "normal of a wall");
    }
    scree_scene_destroy(s);

    scri_random random = test_seed("half_spaces", 5);
    for (int trial = 0; trial < 200; ++trial) {
        double n[3], length = 0.0, found[3];
        for (int k = 0; k < 3; ++k) {
            /* now and then along an axis */
            n[k] = trial % 7 == k ? 0.0 : 2.0 * scri_random_uniform(&random) - 1.0;
            if (trial < 6) n[k] = trial % 3 == k ? (trial < 3 ? 1.0 : -1.0) : 0.0;
            length += n[k] * n[k];
        }
        char text[400];
        snprintf(
            text, sizeof text,
            "bodies: [{kind: static, shape: {type: half-space, normal: [%.17g, %.17g, %.17g]}}]",
            n[0], n[1], n[2]);
        scree_scene* scene = parse(text, 0, NULL);
        normal_of(scene->bodies[0].shapes, found);
        for (int k = 0; k < 3; ++k) near(found[k], n[k] / sqrt(length), "normal");
        scree_scene_destroy(scene);
    }
}

/* ---- settings -------------------------------------------------------------------------------- */

static const char settable[] = "parameters:\n"
                               "  a: 1\n"
                               "  b: {value: 2*a, meaning: twice a}\n"
                               "  file: 'x'\n"
                               "title: $file\n"
                               "world:\n"
                               "materials: {grain: {mu: a}}\n"
                               "bodies:\n"
                               "  - {name: ball, shape: {type: sphere, radius: b}}\n"
                               "  - {name: floor, kind: static, shape: {type: half-space}}\n"
                               "generators:\n"
                               "  - {type: grid, count: [1, 2, 3], spacing: 9, body: {name: cell, "
                               "shape: {type: sphere, radius: "
                               "1}}}\n";

static void settings(void** state)
{
    (void)state;
    static const char* const given[] = {"a=0.5",
                                        "file=columns of mine",
                                        "world.theta=1",
                                        "world.gravity=[0, 0, -a]",
                                        "world.gravity.1=b",
                                        "materials.grain.mu_r=a/10",
                                        "bodies.ball.velocity=[1, 2, 3]",
                                        "bodies.1.name=ground",
                                        "generators.cell.spacing=[7, 8, 9]",
                                        "generators.0.count.2=5",
                                        "stop.rest.for=3",
                                        "output.interval=0.5",
                                        "drives=[]",
                                        "output.interval=0.25"};
    enum { N = sizeof given / sizeof given[0] };
    scree_scene* s = parse(settable, N, given);
    const scree_scene_source info = *s->source;
    assert_int_equal(info.n_settings, N);
    for (int k = 0; k < N; ++k) assert_string_equal(info.settings[k], given[k]);
    assert_string_equal(info.text, settable);
    assert_string_equal(s->title, "columns of mine");
    near(info.parameters[0].value, 0.5, "a");
    near(info.parameters[1].value, 1.0, "b");
    assert_string_equal(info.parameters[1].meaning, "twice a");
    near(s->world.theta, 1.0, "theta");
    near_all(s->world.gravity, (const double[]){0.0, 1.0, -0.5}, 3, "gravity");
    near(s->materials[0].mu, 0.5, "mu");
    near(s->materials[0].mu_r, 0.05, "mu_r");
    near(s->bodies[0].shapes[0].half_size[0], 1.0, "radius");
    near_all(s->bodies[0].def.velocity, (const double[]){1.0, 2.0, 3.0}, 3, "velocity");
    assert_string_equal(s->bodies[1].name, "ground");
    near_all(s->generators[0].spacing, (const double[]){7.0, 8.0, 9.0}, 3, "spacing");
    assert_int_equal(s->generators[0].count, 10);
    near(s->rest_time, 3.0, "rest time");
    assert_true(isinf(s->duration)); /* rest alone stops it */
    near(s->interval, 0.25, "the later setting of one key");
    scree_scene_destroy(s);

    /* A parameter wins over a key of the same name, and is changed in its long form too. */
    static const char* const second[] = {"b=7", "title=0.1"};
    s = parse("parameters: {title: 0.2, b: {value: 1, meaning: x}}\n"
              "bodies: [{shape: {type: sphere, radius: title*b}}]\n",
              2, second);
    near(s->bodies[0].shapes[0].half_size[0], 0.7, "radius");
    assert_string_equal(s->title, "s.yaml");
    scree_scene_destroy(s);
}

/* Which values of parameters are texts. */
static void texts(void** state)
{
    (void)state;
    static const struct {
        const char* value;
        bool is_text;
    } table[] = {
        {"stones.csv", true},  {"a/b-c.d", true}, {"./x.y2", true}, {"'3'", true},
        {"\"\"", true},        {"3", false},      {"a", false},     {"a+1.e2", false},
        {"a*2.", false},       {"1.e2", false},   {"a/3.5", false}, {"-a", false},
        {"max(a, .5)", false},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        char text[200];
        snprintf(text, sizeof text,
                 "parameters:\n  a: 1\n  b: %s\n"
                 "bodies: [{shape: {type: sphere, radius: 1}}]\n",
                 table[k].value);
        scree_scene* s = parse(text, 0, NULL);
        const char* found = s->source->parameters[1].text;
        require((found != NULL) == table[k].is_text, "%s", table[k].value);
        scree_scene_destroy(s);
    }
}

/* An alias is copied: a setting changes one place only. */
static void aliases(void** state)
{
    (void)state;
    static const char* const given[] = {"bodies.b.shape.radius=3"};
    scree_scene* s = parse("bodies:\n"
                           "  - {name: a, shape: &s {type: sphere, radius: 1}}\n"
                           "  - {name: b, shape: *s}\n"
                           "  - {name: c, shape: *s}\n",
                           1, given);
    near(s->bodies[0].shapes[0].half_size[0], 1.0, "a");
    near(s->bodies[1].shapes[0].half_size[0], 3.0, "b");
    near(s->bodies[2].shapes[0].half_size[0], 1.0, "c");
    scree_scene_destroy(s);
}

/* ---- defaults -------------------------------------------------------------------------------- */

#define BALL "bodies: [{shape: {type: sphere, radius: 1}}]\n"

static void plain_defaults(void** state)
{
    (void)state;
    scree_scene* s = parse(BALL, 0, NULL);
    scree_world_def world = scree_default_world_def();
    scree_body_def body = scree_default_body_def();
    assert_memory_equal(&s->world, &world, sizeof world);
    assert_string_equal(s->bodies[0].name, "body-0");
    assert_int_equal(s->bodies[0].def.kind, body.kind);
    near_all(s->bodies[0].def.rotation, body.rotation, 4, "rotation");
    near(s->bodies[0].def.mass, 1000.0 * 4.0 / 3.0 * SCREE_PI, "mass");
    assert_int_equal(s->n_materials, 1);
    assert_string_equal(s->material_name[0], "default");
    near_all(&s->materials[0].mu, (const double[]){0.0, 0.0, 0.0, 0.0}, 4, "material");
    near(s->duration, 10.0, "duration");
    near(s->interval, 0.02, "interval");
    assert_string_equal(s->title, "s.yaml");
    assert_true(isinf(s->rest_time));
    scree_scene_destroy(s);

    static const char* const rest[] = {"stop.rest={}"};
    s = parse(BALL, 1, rest);
    near(s->rest_time, 0.5, "rest time");
    near(s->rest_speed, 0.0, "rest speed");
    assert_true(isinf(s->duration));
    scree_scene_destroy(s);
}

static void same_body(const scree_scene_body* a, const scree_scene_body* b)
{
    assert_memory_equal(&a->def, &b->def, sizeof a->def);
    assert_int_equal(a->n_shapes, b->n_shapes);
    for (int32_t k = 0; k < a->n_shapes; ++k) {
        assert_memory_equal(&a->shapes[k], &b->shapes[k], sizeof a->shapes[k]);
    }
}

/* What the printed defaults give, and the same scene without the keys that have a default. */
static void printed_defaults(void** state)
{
    (void)state;
    scree_scene* s = parse(scree_scene_defaults(), 0, NULL);
    scree_scene* t = parse(
        "parameters: {mu: 0.3}\n"
        "materials: {grain: , steel: {mu: mu}}\n"
        "pairs: [{materials: [grain, steel]}]\n"
        "bodies:\n"
        "  - {shape: {type: box, size: [0.2, 0.1, 0.1], material: grain}}\n"
        "generators:\n"
        "  - {type: grid, count: [2, 2, 2], spacing: 0.15, body: {shape: {type: sphere, radius: "
        "0.05,"
        " material: grain}}}\n"
        "  - {type: rain, count: 10, rate: 5, box: {from: [-0.1, -0.1, 1], to: [0.1, 0.1, 1]},"
        " body: {shape: {type: sphere, radius: 0.05, material: grain}}}\n"
        "containers:\n"
        "  - {name: walls, inside: {from: [-2, -2, -1], to: [2, 2, 3]}, material: steel}\n"
        "drives: []\n"
        "forces: [{body: body-0}]\n",
        0, NULL);
    scree_world_def world = scree_default_world_def();
    assert_memory_equal(&s->world, &world, sizeof world);
    assert_memory_equal(&t->world, &world, sizeof world);
    assert_memory_equal(s->materials, t->materials, 2 * sizeof *s->materials);
    assert_memory_equal(s->pairs, t->pairs, sizeof *s->pairs);
    same_body(&s->bodies[0], &t->bodies[0]);
    same_body(&s->bodies[s->n_bodies - 1], &t->bodies[1]);
    assert_int_equal(s->n_generators, 2);
    for (int k = 0; k < 2; ++k) {
        scree_generator g = s->generators[k], h = t->generators[k];
        same_body(&g.model, &h.model);
        near_all(g.spacing, h.spacing, 3, "spacing");
        near_all(g.low, h.low, 3, "low");
        near_all(g.high, h.high, 3, "high");
        near(g.jitter, h.jitter, "jitter");
        near(g.size_spread, h.size_spread, "size_spread");
        near(g.begin, h.begin, "begin");
        assert_int_equal(g.seed, h.seed);
    }
    scree_drive force = t->drives[0], *printed = &s->drives[1];
    assert_memory_equal(&printed->linear, &force.linear,
                        sizeof force - offsetof(scree_drive, linear));
    assert_memory_equal(&s->drives[0].linear, &force.linear,
                        sizeof force - offsetof(scree_drive, linear));
    near(s->duration, t->duration, "duration");
    near(s->interval, t->interval, "interval");
    assert_true(isinf(s->rest_time) && isinf(t->rest_time));
    scree_scene_destroy(s);
    scree_scene_destroy(t);
}

/* ---- built-in scenes ------------------------------------------------------------------------- */

static scree_status no_file(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    static const char text[] = "0,0,1\n";
    assert_string_equal(path, "columns_1000.csv");
    *size = sizeof text - 1;
    *bytes = env->alloc ? env->alloc(env->user, *size) : malloc(*size);
    if (!*bytes) return SCREE_ERROR_MEMORY;
    memcpy(*bytes, text, *size);
    return SCREE_OK;
}

static void builtin_scenes(void** state)
{
    (void)state;
    assert_true(scree_builtin_scene_count() >= 10);
    for (int k = 0; k < scree_builtin_scene_count(); ++k) {
        scree_builtin_scene b = scree_builtin_scene_get(k);
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        scri_scene_text from = {.path = b.name, .text = b.text, .size = b.text_size};
        scree_status status = scri_scene_parse(&env, no_file, &from, &scene);
        require(status == SCREE_OK, "%s", host.text);
        const scree_scene_source info = *scene->source;
        assert_true(b.text[0] == '#');
        assert_true(info.n_parameters > 0);
        assert_string_not_equal(scene->title, b.name);
        for (int j = 0; j < info.n_parameters; ++j) {
            require(info.parameters[j].meaning[0], "%s: %s has no meaning", b.name,
                    info.parameters[j].name);
        }
        scree_scene_destroy(scene);
        assert_int_equal(host.n_held, 0);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static void missing_file(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    assert_int_equal(scree_scene_read(&env, "no-such-scene.yaml", 0, NULL, &scene),
                     SCREE_ERROR_FILE);
    assert_null(scene);
    assert_int_equal(host.n_logged, 1);
    assert_string_equal(host.text, "no-such-scene.yaml: cannot open: No such file or directory");
    assert_int_equal(scree_scene_read(&env, NULL, 0, NULL, &scene), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_scene_parse(&env, "s", NULL, 0, 0, NULL, &scene), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_scene_parse(&env, "s", "", 0, 1, NULL, &scene), SCREE_ERROR_ARGUMENT);
    scree_scene_destroy(NULL);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Lets the k-th allocation fail, k = 0, 1, 2, ..., until the scene is read. */
static void short_memory(void** state)
{
    (void)state;
    static const char* const given[] = {"mu=0.5", "world.theta=1", "bodies.floor.name=ground"};
    for (long k = 0; k < 10000; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        host.fail_at = k;
        scree_scene* scene = NULL;
        scree_status status = scree_scene_read(&env, every_part_path, 3, given, &scene);
        if (!status) {
            scree_scene_destroy(scene);
            assert_int_equal(host.n_held, 0);
            assert_true(k > 3);
            return;
        }
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_null(scene);
        assert_int_equal(host.n_logged, 1);
        assert_int_equal(host.n_held, 0);
    }
    fail_msg("never succeeded");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_and_materials),
        cmocka_unit_test(bodies),
        cmocka_unit_test(generators_and_drives),
        cmocka_unit_test(half_spaces),
        cmocka_unit_test(settings),
        cmocka_unit_test(texts),
        cmocka_unit_test(aliases),
        cmocka_unit_test(plain_defaults),
        cmocka_unit_test(printed_defaults),
        cmocka_unit_test(builtin_scenes),
        cmocka_unit_test(missing_file),
        cmocka_unit_test(short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
