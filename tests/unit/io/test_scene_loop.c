/* Items that stand for many, measures and results: what is read, and what is refused. */
#include "scene_text.h"
#include "scree_io/scene_file.h"
#include "support/test.h"

#include <math.h>

#define SPHERE "shape: {type: sphere, radius: 1}"
#define GRID \
    "generators: [{type: grid, count: [1, 1, 1], spacing: 1, body: {name: b, " SPHERE "}}]\n"

static void items_stand_for_many(void** state)
{
    (void)state;
    scree_scene* s =
        parse_scene("many.yaml", "parameters: {n: 3, d: 10}\n"
                                 "bodies:\n"
                                 "  - {name: first, " SPHERE "}\n"
                                 "  - {for: {i: n, k: n - i}, name: ball, position: [d*i, d*k, 5], "
                                 "mass: 1 + i, " SPHERE "}\n"
                                 "  - {for: {i: 2}, position: [0, 0, d*i + 20], " SPHERE "}\n"
                                 "  - {for: {i: 0}, name: none, " SPHERE "}\n"
                                 "forces: [{body: ball-5, force: [0, 0, n]}]\n");
    static const double place[][3] = {{0, 0, 5},   {0, 10, 5}, {0, 20, 5}, {10, 0, 5},
                                      {10, 10, 5}, {20, 0, 5}, {0, 0, 20}, {0, 0, 30}};
    assert_int_equal(s->n_bodies, 9);
    for (int k = 0; k < 8; ++k) {
        const scree_scene_body* b = &s->bodies[k + 1];
        char name[16];
        snprintf(name, sizeof name, k < 6 ? "ball-%d" : "body-%d", k < 6 ? k : k + 1);
        assert_string_equal(b->name, name);
        near_all(b->def.position, place[k], 3, name);
        if (k < 6) near(b->def.mass, 1.0 + place[k][0] / 10.0, name);
    }
    assert_int_equal(s->drives[0].body, 6);
    assert_int_equal(s->source->n_parameters, 2); /* indices are no parameters of the scene */
    scree_scene_destroy(s);
}

static void shapes_stand_for_many(void** state)
{
    (void)state;
    scree_scene* s = parse_scene(
        "ring.yaml",
        "bodies:\n"
        "  - for: {row: 2}\n"
        "    kind: static\n"
        "    shapes:\n"
        "      - {type: sphere, radius: 1}\n"
        "      - {for: {k: 4}, type: box, size: [1, 1, 1 + row], position: [3*k, row, 0]}\n"
        "  - {kind: static, shape: {for: {k: 2}, type: sphere, radius: 1 + k}}\n"
        "generators: [{type: grid, count: [1, 1, 1], spacing: 1, body: {shapes: [{for: "
        "{k: 3}, type: sphere, radius: 1, position: [k, 0, 0]}]}}]\n");
    assert_int_equal(s->n_bodies, 3);
    for (int row = 0; row < 2; ++row) {
        assert_int_equal(s->bodies[row].n_shapes, 5);
        const scree_shape* last = &s->bodies[row].shapes[4];
        near(last->position[0], 9.0, "place");
        near(last->position[1], row, "place");
        near(last->half_size[2], 0.5 * (1 + row), "size");
    }
    assert_int_equal(s->bodies[2].n_shapes, 2);
    near(s->bodies[2].shapes[1].half_size[0], 2.0, "radius");
    assert_int_equal(s->generators[0].model.n_shapes, 3);
    scree_scene_destroy(s);
}

static void results_follow_from_measures(void** state)
{
    (void)state;
    scree_scene* s =
        parse_scene("fall.yaml", "parameters: {g: 8}\n"
                                 "world: {gravity: [0, 0, -g], step: 1e-2}\n"
                                 "bodies: [{name: ball, " SPHERE "}]\n"
                                 "measures:\n"
                                 "  z: {body: ball, position: 2}\n"
                                 "  v: {body: ball, velocity: 2, over: least, end: 0.25}\n"
                                 "  late: {body: ball, position: 2, reaches: -100}\n"
                                 "results:\n"
                                 "  way: {value: -z, expected: g/8, meaning: m}\n"
                                 "  ratio: way/v^2\n"
                                 "  pace: {value: 1/late}\n"
                                 "stop: {time: 0.5}\n");
    scree_simulation* simulation;
    scree_step_report report;
    double value[3];
    assert_int_equal(s->source->n_results, 3);
    near(s->source->results[0].expected, 1.0, "expected");
    assert_string_equal(s->source->results[0].meaning, "m");
    assert_true(isnan(s->source->results[1].expected));
    assert_int_equal(scree_simulation_create(NULL, s, &simulation), SCREE_OK);
    while (!scree_simulation_done(simulation)) {
        assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
    }
    assert_int_equal(scree_scene_results(NULL, s, simulation, value), SCREE_OK);
    require(fabs(value[0] - 1.0) <= 1e-12 && fabs(value[1] - 0.25) <= 1e-12, "%g, %g", value[0],
            value[1]);
    assert_true(isnan(value[2]));
    test_host host;
    scree_env env = test_env(&host);
    host.fail_at = 0;
    assert_int_equal(scree_scene_results(&env, s, simulation, value), SCREE_ERROR_MEMORY);
    assert_int_equal(scree_scene_results(&env, s, NULL, value), SCREE_ERROR_ARGUMENT);
    scree_simulation_destroy(simulation);
    scree_scene_destroy(s);
}

static void probes_and_sinks_are_read(void** state)
{
    (void)state;
    scree_scene* s = parse_scene(
        "p.yaml", "bodies: [{name: a, " SPHERE "}]\n"
                  "generators: [{type: grid, count: [1, 1, 1], spacing: 1, origin: [0, 0, 9], "
                  "body: {name: b, " SPHERE "}}]\n"
                  "probes:\n"
                  "  - {name: p, position: [1, 2, 3]}\n"
                  "  - {name: q, position: [0, 0, 0], normal: [1, 0, 0], radius: 4}\n"
                  "sinks: [{name: s, box: {from: [0, 0, -9], to: [1, 1, -8]}}]\n"
                  "domain: {from: [-20, -20, -20], to: [20, 20, 20]}\n"
                  "measures:\n"
                  "  m1: {probe: q, mass: backward}\n"
                  "  m2: {sink: domain, count: taken}\n"
                  "  m3: {generator: b, radius: 0.5}\n"
                  "  m4: {generator: b, edge: 0.25}\n"
                  "  m5: {generator: b, packing: {from: [1, 2, 3], to: [4, 5, 6]}}\n");
    static const double up[] = {0.0, 0.0, 1.0}, place[] = {1.0, 2.0, 3.0};
    assert_int_equal(s->n_probes, 2);
    assert_int_equal(s->n_sinks, 2);
    near_all(s->probes[0].normal, up, 3, "normal");
    near_all(s->probes[0].position, place, 3, "position");
    near(s->probes[0].radius, 0.0, "radius");
    near(s->probes[1].radius, 4.0, "radius");
    assert_int_equal(s->sinks[0].is_outside, 0);
    assert_int_equal(s->sinks[1].is_outside, 1);
    near(s->sinks[1].high[2], 20.0, "domain");
    assert_int_equal(s->measures[0].kind, SCREE_MEASURE_PASSED_MASS);
    assert_int_equal(s->measures[0].of, 1);
    assert_int_equal(s->measures[0].which, 1);
    assert_int_equal(s->measures[1].kind, SCREE_MEASURE_TAKEN);
    assert_int_equal(s->measures[1].of, 1);
    assert_int_equal(s->measures[2].kind, SCREE_MEASURE_REACH);
    near(s->measures[2].level, 0.5, "share");
    static const double corner[] = {4.0, 5.0, 6.0};
    assert_int_equal(s->measures[3].kind, SCREE_MEASURE_EDGE);
    near(s->measures[3].level, 0.25, "share");
    assert_int_equal(s->measures[4].kind, SCREE_MEASURE_PACKING);
    near_all(s->measures[4].low, place, 3, "box");
    near_all(s->measures[4].high, corner, 3, "box");
    scree_scene_destroy(s);
}

static void faults_are_named(void** state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } table[] = {
        {"bodies: [{for: 3, " SPHERE "}]\n",
         "s.yaml:1:16: for: a map of 1 to 4 names and counts is expected, {k: 10}"},
        {"bodies: [{for: {}, " SPHERE "}]\n",
         "s.yaml:1:16: for: a map of 1 to 4 names and counts is expected, {k: 10}"},
        {"parameters: {k: 1}\nbodies: [{for: {k: 2}, " SPHERE "}]\n",
         "s.yaml:2:17: for: 'k' is a parameter already"},
        {"bodies: [{for: {sin: 2}, " SPHERE "}]\n",
         "s.yaml:1:17: 'sin' has a meaning in expressions already"},
        {"bodies: [{for: {k: 1.5}, " SPHERE "}]\n", "s.yaml:1:20: k = 1.5 must be a whole number"},
        {"bodies: [{for: {k: -1}, " SPHERE "}]\n", "s.yaml:1:20: k = -1 must be from 0 to 1000000"},
        {"bodies: [{for: {k: 1e5, j: 1e5}, " SPHERE "}]\n",
         "s.yaml:1:16: for: more than 1000000 copies"},
        {"bodies: [{for: {k: j}, " SPHERE "}]\n",
         "s.yaml:1:20: k: unknown name 'j'; known are pi, deg"},
        {"bodies: [{" SPHERE ", position: [k, 0, 0]}]\n",
         "s.yaml:1:56: position: unknown name 'k'; known are pi, deg"},
        {"bodies: [{kind: static, shape: {for: {k: 0}, type: sphere, radius: 1}}]\n",
         "s.yaml:1:32: the body has no shape"},
        {"generators: [{type: grid, count: [1, 1, 1], spacing: 1, body: {for: {k: 2}, " SPHERE
         "}}]\n",
         "s.yaml:1:69: for: the generator says how many bodies there are"},
        {"bodies: [{name: a, " SPHERE "}]\nmeasures: {m: {body: b, position: 0}}\n",
         "s.yaml:2:22: no body is called 'b'; there are a"},
        {"bodies: [{name: a, " SPHERE "}]\nmeasures: {m: {body: a}}\n",
         "s.yaml:2:15: a measure of a body needs one of position, velocity, angular_velocity, "
         "axis, "
         "force, torque"},
        {"bodies: [{name: a, " SPHERE "}]\nmeasures: {m: {body: a, axis: 0, force: 1}}\n",
         "s.yaml:2:41: a measure has one quantity"},
        {"bodies: [{name: a, " SPHERE "}]\nmeasures: {m: {body: a, axis: 3}}\n",
         "s.yaml:2:31: axis = 3 must be from 0 to 2"},
        {"bodies: [{name: a, " SPHERE "}]\nmeasures: {m: {body: a, axis: 0, over: man}}\n",
         "s.yaml:2:40: unknown over 'man'; did you mean 'mean'?"},
        {"bodies: [{name: a, " SPHERE "}]\nmeasures: {m: {body: a, axis: 0, begin: 2, end: 1}}\n",
         "s.yaml:2:49: end = 1 s is before begin = 2 s"},
        {"bodies: [{name: a, " SPHERE
         "}]\nmeasures: {m: {body: a, axis: 0, over: mean, reaches: 1}}\n",
         "s.yaml:2:55: a measure has either 'over' or 'reaches'"},
        {"bodies: [{" SPHERE "}]\nprobes: [{name: p}]\n", "s.yaml:2:10: a probe needs 'position'"},
        {"bodies: [{" SPHERE "}]\nprobes: [{name: p, position: [0, 0, 0], normal: [0, 0, 0]}]\n",
         "s.yaml:2:49: normal has no direction"},
        {"bodies: [{" SPHERE "}]\nsinks: [{name: p}]\n", "s.yaml:2:9: a sink needs 'box'"},
        {"bodies: [{" SPHERE "}]\ndomain: {from: [1, 0, 0], to: [0, 1, 1]}\n",
         "s.yaml:2:9: domain: from = 1 lies beyond to = 0"},
        {"bodies: [{" SPHERE "}]\nmeasures: {m: {probe: p, count: forward}}\n",
         "s.yaml:2:23: no probe is called 'p'; there is none"},
        {"bodies: [{" SPHERE
         "}]\nprobes: [{name: p, position: [0, 0, 0]}]\nmeasures: {m: {probe: p, "
         "count: foward}}\n",
         "s.yaml:3:33: unknown count 'foward'; did you mean 'forward'?"},
        {GRID "measures: {m: {generator: b, edge: -2}}\n",
         "s.yaml:2:36: edge = -2 must not be negative"},
        {GRID "measures: {m: {generator: b, edge: 1, reaches: 2}}\n",
         "s.yaml:2:48: reaches: not of a radius or an edge"},
        {GRID "measures: {m: {generator: b, packing: {from: [0, 0, 0]}}}\n",
         "s.yaml:2:39: packing needs 'to'"},
        {GRID "measures: {m: {generator: b}}\n",
         "s.yaml:2:15: a measure of a generator needs one of position, radius, edge, packing"},
        {"bodies: [{" SPHERE "}]\nresults: {r: m + 1}\n",
         "s.yaml:2:14: r: unknown name 'm'; known are pi, deg"},
        {"bodies: [{" SPHERE "}]\nresults: {r: {value: 1/0}}\n",
         "s.yaml:2:23: r: division by zero"},
        {"parameters: {r: 1}\nbodies: [{" SPHERE "}]\nresults: {r: 1}\n",
         "s.yaml:3:11: 'r' is the name of a parameter or measure already"},
        {"bodies: [{" SPHERE "}]\nresults: [1]\n",
         "s.yaml:2:10: results: a map of names and results is expected"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        assert_int_equal(scree_scene_parse(&env, "s.yaml", table[k].text, strlen(table[k].text), 0,
                                           NULL, &scene),
                         SCREE_ERROR_INPUT);
        assert_string_equal(host.text, table[k].line);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stand_for_many),
        cmocka_unit_test(shapes_stand_for_many),
        cmocka_unit_test(results_follow_from_measures),
        cmocka_unit_test(probes_and_sinks_are_read),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
