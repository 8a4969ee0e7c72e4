/* Kinematic bodies that follow a path, and forces, by formula and by table: in files and in C. */
#include "scene_text.h"
#include "scree_io/scene_file.h"

#include <math.h>

/* A kinematic plate with its frame away from where its shape is, and a ball that only forces move.
 */
#define BODIES                                                                                 \
    "world: {gravity: [0, 0, 0], step: 1e-3}\nstop: {time: 0.2}\nparameters: {size: 0.3}\n"    \
    "materials: {m: {}}\nbodies:\n"                                                            \
    "  - {name: plate, kind: kinematic, position: [1, 2, 3], shape: {type: box, size: [1, 1, " \
    "0.1], position: [0.5, 0, 0]}}\n"                                                          \
    "  - {name: ball, position: [9, 9, 9], mass: 2, shape: {type: sphere, radius: 0.1}}\n"
enum { PLATE, BALL };

typedef struct run {
    scree_scene* scene;
    scree_simulation* simulation;
} run;

static run begin(const char* text)
{
    run r = {parse_scene("s.yaml", text), NULL};
    assert_int_equal(scree_simulation_create(NULL, r.scene, &r.simulation), SCREE_OK);
    return r;
}

static scree_world_view step(run r)
{
    scree_step_report report;
    assert_int_equal(scree_simulation_step(r.simulation, &report), SCREE_OK);
    return scree_simulation_view(r.simulation);
}

static void end(run r)
{
    scree_simulation_destroy(r.simulation);
    scree_scene_destroy(r.scene);
}

/* By how much a body has turned about z, from 0 to 2 pi. */
static double angle_of(const scree_world_view* v, int body)
{
    const double* q = v->rotation + 4 * body;
    double angle = 2.0 * atan2(q[3], q[0]);
    return angle < 0.0 ? angle + 2.0 * SCREE_PI : angle;
}

/* At the end of every step the body is where the drives say, whatever begins and ends within one.
 */
static void bodies_follow_paths(void** state)
{
    (void)state;
    run r = begin(
        BODIES "drives:\n"
               "  - {body: plate, way: [2, 0, 0], formula: size*sin(2*pi*5*t)}\n"
               "  - {body: plate, way: [0, 1, 0.5], table: [[0.01, 1], [0.05, 1.5], [0.06, -1]], "
               "begin: 0.0304, end: 0.0857}\n"
               "  - {body: plate, turn: [0, 0, 2], formula: t^2, begin: 0.0212, end: 0.1503}\n"
               "  - {body: plate, way: [0, 0, 0.1], frequency: 3, begin: 0.1}\n");
    double start[3] = {0.0};
    for (int k = 0; k < 200; ++k) {
        scree_world_view v = scree_simulation_view(r.simulation);
        if (k == 0) memcpy(start, v.position, sizeof start);
        v = step(r);
        double t = (k + 1) * 1e-3, from = fmax(fmin(t, 0.0857) - 0.0304, 0.0);
        double row = from <= 0.01   ? 1.0
                     : from <= 0.05 ? 1.0 + 0.5 * (from - 0.01) / 0.04
                     : from <= 0.06 ? 1.5 - 2.5 * (from - 0.05) / 0.01
                                    : -1.0;
        double swing = t > 0.1 ? cos(2.0 * SCREE_PI * 3.0 * (t - 0.1)) - 1.0 : 0.0;
        double turned = fmax(fmin(t, 0.1503) - 0.0212, 0.0);
        const double place[3] = {0.6 * sin(2.0 * SCREE_PI * 5.0 * t), row - 1.0,
                                 0.5 * (row - 1.0) + 0.1 * swing};
        for (int j = 0; j < 3; ++j) {
            require(fabs(v.position[j] - start[j] - place[j]) <= 1e-12,
                    "at %g s coordinate %d is %.15g, not %.15g", t, j, v.position[j] - start[j],
                    place[j]);
        }
        double angle = angle_of(&v, PLATE);
        require(fabs(angle - 2.0 * turned * turned) <= 1e-12, "at %g s it is turned by %.15g", t,
                angle);
    }
    end(r);
}

/* Rates and forces are those of the middle of a step. */
static void rates_and_forces_follow(void** state)
{
    (void)state;
    run r = begin(BODIES "drives:\n"
                         "  - {body: plate, velocity: [1, 0, 0], angular_velocity: [0, 0, 4], "
                         "formula: 1 + t}\n"
                         "forces:\n"
                         "  - {body: ball, force: [3, 0, 0], table: [[0, 0], [0.1, 2]]}\n"
                         "  - {body: ball, force: [0, 0, 1], formula: exp(-10*t), begin: 0.05}\n");
    double speed[2] = {0.0, 0.0};
    for (int k = 0; k < 200; ++k) {
        double middle = (k + 0.5) * 1e-3;
        scree_world_view v = step(r);
        require(fabs(v.velocity[0] - 1.0 - middle) <= 1e-12, "velocity %.15g", v.velocity[0]);
        require(fabs(v.angular_velocity[2] - 4.0 * (1.0 + middle)) <= 1e-12, "turning");
        speed[0] += 1e-3 * 3.0 * fmin(20.0 * middle, 2.0) / 2.0;
        if (middle > 0.05) speed[1] += 1e-3 * exp(-10.0 * (middle - 0.05)) / 2.0;
        require(fabs(v.velocity[3 * BALL] - speed[0]) <= 1e-12, "first force: %.15g, not %.15g",
                v.velocity[3 * BALL], speed[0]);
        require(fabs(v.velocity[3 * BALL + 2] - speed[1]) <= 1e-12,
                "second force: %.15g, not %.15g", v.velocity[3 * BALL + 2], speed[1]);
    }
    end(r);
}

/* A block on a plate that is led to and fro takes part as long as friction holds it: the plate's
 * acceleration is at most 0.3 (2 pi)^2 0.02 = 0.24 m/s^2, and mu g = 0.98. Its velocity follows
 * from step to step, so that it is behind by half a step's way, and nowhere at the end. */
static void what_lies_on_it_takes_part(void** state)
{
    (void)state;
    run r = begin("world: {step: 2e-3, tol: 1e-6}\nmaterials: {m: {mu: 0.1}}\nstop: {time: 1}\n"
                  "bodies:\n"
                  "  - {name: plate, kind: kinematic, shape: {type: box, size: [2, 2, 0.1]}}\n"
                  "  - {name: block, position: [0, 0, 0.1], shape: {type: box, size: [0.1, 0.1, "
                  "0.1]}}\n"
                  "drives: [{body: plate, way: [0.02, 0, 0], formula: 0.3*(1 - cos(2*pi*t))}]\n");
    double behind = 0.0;
    for (int k = 0; k < 500; ++k) {
        scree_world_view v = step(r);
        double speed = 0.3 * 0.02 * 2.0 * SCREE_PI * sin(2.0 * SCREE_PI * (2e-3 * k + 1e-3));
        behind = v.position[0] - v.position[3];
        require(fabs(behind - 1e-3 * speed) <= 1e-9, "step %d: it is behind by %g", k, behind);
    }
    require(fabs(behind) <= 3e-7, "it has slipped by %g", behind);
    end(r);
}

/* The same struct from C, and what is refused there. */
static void faults_in_c(void** state)
{
    (void)state;
    static const double backwards[] = {1.0, 0.0, 0.5, 1.0};
    run r = {parse_scene("s.yaml", BODIES "drives: [{body: plate, way: [1, 0, 0], formula: t}]\n"),
             NULL};
    test_host host;
    scree_env env = test_env(&host);
    scree_drive* d = &r.scene->drives[0];
    const scree_drive good = *d;
    d->n_table = 2;
    d->table = backwards;
    assert_int_equal(scree_simulation_create(&env, r.scene, &r.simulation), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "drive 0 of the scene: the times of its table must grow");
    *d = good;
    d->n_table = -1;
    assert_int_equal(scree_simulation_create(&env, r.scene, &r.simulation), SCREE_ERROR_INPUT);
    *d = good;
    d->body = BALL;
    d->is_force = 1;
    assert_int_equal(scree_simulation_create(&env, r.scene, &r.simulation), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "drive 0 of the scene: a force has no way");
    scree_scene_destroy(r.scene);
}

static void faults(void** state)
{
    (void)state;
    static const char* const table[][2] = {
        {"{body: plate, way: [1, 0, 0], velocity: [1, 0, 0]}",
         "9:52: a drive has either 'way' or 'velocity'"},
        {"{body: plate, turn: [1, 0, 0], angular_velocity: [1, 0, 0]}",
         "9:61: a drive has either 'turn' or 'angular_velocity'"},
        {"{body: plate, formula: t}",
         "9:12: a drive needs 'way', 'turn', 'velocity' or 'angular_velocity', which its formula "
         "multiplies"},
        {"{body: plate, way: [1, 0, 0], formula: t, table: [[0, 0]]}",
         "9:51: a drive has either 'table' or 'formula'"},
        {"{body: plate, way: [1, 0, 0], formula: t, frequency: 1}",
         "9:65: a drive has either 'formula' or 'frequency'"},
        {"{body: plate, way: [1, 0, 0], table: [[0, 0]], phase: 1}",
         "9:66: a drive has either 'table' or 'phase'"},
        {"{body: plate, way: [1, 0, 0], table: []}", "9:49: table: a list of pairs is expected"},
        {"{body: plate, way: [1, 0, 0], table: [[0, 0], [0, 1]]}",
         "9:58: table: the time 0 s is not after 0 s"},
        {"{body: plate, way: [1, 0, 0], formula: 1/(t - 0.1)}", NULL},
        {"{body: plate, way: [1, 0, 0], formula: s}",
         "9:51: formula: unknown name 's'; known are size, t, pi, deg"},
        {"{body: ball, way: [1, 0, 0]}", "9:19: 'ball' is not kinematic, and cannot be driven"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        char text[2048], message[512];
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        snprintf(text, sizeof text, "%sdrives:\n         - %s\n", BODIES, table[k][0]);
        scree_status status =
            scree_scene_parse(&env, "s.yaml", text, strlen(text), 0, NULL, &scene);
        assert_int_equal(host.n_held, 0);
        require(status == SCREE_ERROR_INPUT && !scene, "%s is read", table[k][0]);
        if (!table[k][1]) continue;
        snprintf(message, sizeof message, "s.yaml:%s", table[k][1]);
        require(strcmp(host.text, message) == 0, "said:     %s\nexpected: %s", host.text, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_follow_paths),
        cmocka_unit_test(rates_and_forces_follow),
        cmocka_unit_test(what_lies_on_it_takes_part),
        cmocka_unit_test(faults_in_c),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
