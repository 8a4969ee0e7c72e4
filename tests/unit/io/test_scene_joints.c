/* Joints of scene files: what is read from them, and one clear message for each fault. */
#include "scene_text.h"
#include "scree_io/scene_file.h"

#include <math.h>

static scree_scene* parse(const char* text)
{
    return parse_scene("s.yaml", text);
}

/* The first column of a rotation: where x goes. */
static void first_axis(const double q[4], double x[3])
{
    x[0] = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]);
    x[1] = 2.0 * (q[1] * q[2] + q[0] * q[3]);
    x[2] = 2.0 * (q[1] * q[3] - q[0] * q[2]);
}

#define TWO                                                                          \
    "bodies:\n"                                                                      \
    "  - {name: a, position: [1, 0, 0], rotation: {axis: [0, 0, 1], degrees: 90},\n" \
    "     shape: {type: box, size: [1, 1, 1], position: [0.5, 0, 0]}}\n"             \
    "  - {name: b, position: [0, 2, 0], shape: {type: sphere, radius: 0.5}}\n"

/* ---- what is read ---------------------------------------------------------------------------- */

/* A place in the world becomes one from each centre of mass, in the bodies' axes. */
static void places(void** state)
{
    (void)state;
    scree_scene* s = parse(TWO "joints: [{type: hinge, bodies: [a, b], position: [1, 2, 3], axis: "
                               "[0, 0, 4]}]\n");
    const scree_scene_joint* joint = &s->joints[0];
    /* The centre of a is at (1, 0.5, 0); (0, 1.5, 3) from it is (1.5, 0, 3) in its axes. */
    const double at[2][3] = {{1.5, 0.0, 3.0}, {1.0, 0.0, 3.0}}, up[3] = {0.0, 0.0, 1.0};
    assert_string_equal(joint->name, "joint-0");
    assert_int_equal(joint->body[0], 0);
    assert_int_equal(joint->body[1], 1);
    for (int k = 0; k < 2; ++k) {
        double x[3];
        first_axis(joint->def.rotation[k], x);
        near_all(joint->def.position[k], at[k], 3, "place");
        near_all(x, up, 3, "axis");
    }
    scree_scene_destroy(s);
}

/* Frames of bodies count from their origins in the file, from their centres in the definition. */
static void frames(void** state)
{
    (void)state;
    scree_scene* s = parse(
        TWO
        "joints: [{name: j, type: universal, bodies: [world, a], frames: [{position: [1, 2, 3], "
        "axis: [0, 1, 0], second_axis: [1, 1, 0]}, {rotation: [0, 1, 0, 0]}]}]\n");
    const scree_joint_def* def = &s->joints[0].def;
    const double at[2][3] = {{1.0, 2.0, 3.0}, {-0.5, 0.0, 0.0}};
    const double turn[4] = {0.0, 1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    double x[3];
    assert_int_equal(s->joints[0].body[0], -1);
    assert_int_equal(s->joints[0].body[1], 0);
    for (int k = 0; k < 2; ++k) near_all(def->position[k], at[k], 3, "place");
    near_all(def->rotation[1], turn, 4, "rotation");
    first_axis(def->rotation[0], x);
    near_all(x, y, 3, "axis");
    /* x to y, y to x: z to -z, a turn by pi about (1, 1, 0). */
    const double swapped[4] = {0.0, sqrt(0.5), sqrt(0.5), 0.0};
    near_all(def->rotation[0], swapped, 4, "rotation from axes");
    scree_scene_destroy(s);
}

static void all_values(void** state)
{
    (void)state;
    scree_scene* s = parse(
        "parameters: {k: 7}\n" TWO "joints:\n"
        "  - {name: j, type: planar, body: a, position: [0, 0, 0], compliance: [1, 2], damping: "
        "[3, "
        "4],\n     collide: true, break_force: 5, break_torque: 6, freedoms: [{lower: -1, upper: "
        "2,\n     stiffness: k, damping: 8, rest: 9, friction: 10, friction_arm: 11, motor: "
        "velocity, target: 12,\n     max_effort: 13, time: 14, backlash: 15, armature: 16}, "
        "{friction: 17}]}\n"
        "  - {type: rope, bodies: [a, b], points: [[0, 0, 0], [3, 4, 0]]}\n"
        "  - {type: distance, bodies: [a, b], points: [[0, 0, 0], [3, 4, 0]], length: 2}\n"
        "  - {type: screw, bodies: [a, b], position: [0, 0, 0], ratio: -0.5}\n"
        "drives:\n"
        "  - {joint: j, target: 3, frequency: 2, phase: 1, begin: 0.5, end: 4}\n"
        "  - {joint: j, freedom: 0, table: [[0, 1], [2, 5]]}\n");
    const scree_joint_def* def = &s->joints[0].def;
    const scree_freedom* f = &def->freedom[0];
    const double values[] = {f->lower,
                             f->upper,
                             f->stiffness,
                             f->damping,
                             f->rest,
                             f->friction,
                             f->friction_arm,
                             f->target,
                             f->max_effort,
                             f->time,
                             f->backlash,
                             f->armature,
                             def->freedom[1].friction,
                             def->compliance[0],
                             def->compliance[1],
                             def->damping[0],
                             def->damping[1],
                             def->break_force,
                             def->break_torque};
    const double expected[] = {-1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 1, 2, 3, 4, 5, 6};
    near_all(values, expected, 19, "values");
    assert_int_equal(f->motor, SCREE_MOTOR_VELOCITY);
    assert_int_equal(def->collide, 1);
    near(s->joints[1].def.length, 5.0, "length of a rope");
    near(s->joints[2].def.length, 2.0, "length of a distance");
    near(s->joints[3].def.ratio, -0.5, "ratio");
    assert_int_equal(s->n_joint_drives, 2);
    const scree_joint_drive* d = s->joint_drives;
    const double drive[] = {d->value, d->frequency, d->phase, d->begin, d->end, d[1].table[3]};
    const double wanted[] = {3, 2, 1, 0.5, 4, 5};
    near_all(drive, wanted, 6, "drives");
    scree_scene_destroy(s);
}

/* Mass properties alone make a body that only joints hold. */
static void body_without_shape(void** state)
{
    (void)state;
    scree_scene* s =
        parse("bodies: [{name: p, position: [1, 0, 0], mass: 2, inertia: [1, 1, 1], "
              "centre: [0.5, 0, 0]}]\n"
              "joints: [{type: ball, body: p, frames: [{}, {position: [1, 0, 0]}]}]\n");
    near(s->bodies[0].def.position[0], 1.5, "centre");
    near(s->joints[0].def.position[0][0], -0.5, "frame");
    assert_int_equal(s->bodies[0].n_shapes, 0);
    scree_scene_destroy(s);
}

/* A bead on a wire that is nearly an upright circle of radius 0.5 about the place of its frame,
 * which is turned, on a holder that stands away from the origin: from the top, pushed at 0.1 m/s,
 * it comes down at sqrt(4 g r + v^2), and goes round. The open wire is its first half. */
static void a_bead_on_a_curve(void** state)
{
    (void)state;
    enum { POINTS = 48, STEPS = 2500 };
    for (int closed = 0; closed < 2; ++closed) {
        char text[8192] =
            "world: {step: 1e-3}\nmaterials: {m: {}}\nstop: {time: 9}\nbodies:\n"
            "  - {name: holder, kind: static, position: [1, 2, 3], rotation: {axis: [0, "
            "0, 1], degrees: 90}, shape: {type: sphere, radius: 0.1, collides: 0}}\n"
            "  - {name: bead, position: [1, 2, 3.5], velocity: [0, 0.1, 0], mass: 0.3, "
            "inertia: [1e-4, 1e-4, 1e-4]}\n"
            "joints:\n  - {name: wire, type: curve, bodies: [bead, holder], frames: "
            "[{}, {}], closed: ";
        strcat(text, closed ? "yes, points: [" : "no, points: [");
        for (int k = 0; k < POINTS; ++k) {
            double a = closed ? 2.0 * SCREE_PI * k / POINTS : SCREE_PI * k / (POINTS - 1);
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s[%.17g, 0, %.17g]", k ? ", " : "",
                     0.5 * sin(a), 0.5 * cos(a));
        }
        strcat(text, "]}\n");
        scree_scene* s = parse(text);
        assert_int_equal(s->joints[0].def.n_curve, POINTS);
        assert_int_equal(s->joints[0].def.closed, closed);
        scree_simulation* simulation = NULL;
        assert_int_equal(scree_simulation_create(NULL, s, &simulation), SCREE_OK);
        double fastest = 0.0;
        for (int k = 0; k < STEPS; ++k) {
            scree_step_report report;
            assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
            const double* x = scree_simulation_view(simulation).position + 3;
            require(fabs(x[0] - 1.0) <= 1e-9, "it leaves its plane: %.12g", x[0]);
            require(fabs(hypot(x[1] - 2.0, x[2] - 3.0) - 0.5) <= 1e-3, "it leaves the circle");
            fastest = fmax(fastest, sqrt(2.0 * report.kinetic / 0.3));
        }
        const scree_world* world = scree_simulation_world(simulation);
        scree_joint_state wire;
        assert_int_equal(scree_world_get_joint(world, scree_world_joint_at(world, 0), &wire),
                         SCREE_OK);
        require(fabs(fastest - sqrt(4.0 * 9.81 * 0.5 + 0.01)) <= 2e-3, "%g m/s", fastest);
        if (closed) require(wire.coordinate[0] > SCREE_PI, "its way is %g m", wire.coordinate[0]);
        if (!closed)
            require(fabs(wire.coordinate[0] - 0.5 * SCREE_PI) <= 1e-5, "it ends at %g m",
                    wire.coordinate[0]);
        scree_simulation_destroy(simulation);
        scree_scene_destroy(s);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void expect_fault(const char* path, const char* text, const char* message)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scree_status status = scree_scene_parse(&env, path, text, strlen(text), 0, NULL, &scene);
    require(status != SCREE_OK, "no fault in:\n%s\nexpected: %s", text, message);
    assert_null(scene);
    assert_int_equal(host.n_held, 0);
    require(host.n_logged == 1, "%d messages, the last: %s", host.n_logged, host.text);
    require(strcmp(host.text, message) == 0, "said:     %s\nexpected: %s\nfor:\n%.800s", host.text,
            message, text);
}

static void faults(void** state)
{
    (void)state;
    static const char* const table[][2] = {
        {"{type: hing, body: a}", "5:17: unknown type 'hing'; did you mean 'hinge'?"},
        {"{body: a}", "5:10: a joint needs 'type'"},
        {"{type: hinge, position: [0, 0, 0]}", "5:10: a joint needs 'bodies' with two names, or "
                                               "'body' for one that is joined to the world"},
        {"{type: hinge, bodies: [a, a], position: [0, 0, 0]}",
         "5:32: a joint joins two bodies, not 'a' to itself"},
        {"{type: hinge, bodies: [world, world], position: [0, 0, 0]}",
         "5:32: a joint joins two bodies, not 'world' to itself"},
        {"{type: hinge, body: c, position: [0, 0, 0]}",
         "5:30: no body is called 'c'; there are a, b"},
        {"{type: hinge, body: a}", "5:10: a hinge needs 'position'"},
        {"{type: hinge, body: a, position: [0, 0, 0], axis: [0, 0, 0]}",
         "5:60: axis has no direction"},
        {"{type: hinge, body: a, position: [0, 0, 0], second_axis: [2, 0, 0]}",
         "5:67: second_axis is parallel to the axis"},
        {"{type: hinge, body: a, position: [0, 0, 0], frames: [{}, {}]}",
         "5:43: a joint has either 'frames' or 'position'"},
        {"{type: hinge, body: a, position: [0, 0, 0], lenght: 1}",
         "5:54: unknown key 'lenght'; a hinge has name, type, body, bodies, position, axis, "
         "second_axis, frames, freedom, freedoms, compliance, damping, collide, break_force, "
         "break_torque"},
        {"{type: hinge, body: a, position: [0, 0, 0], freedom: {lower: 2, upper: 1}}",
         "5:71: lower = 2 must not be above upper = 1"},
        {"{type: hinge, body: a, position: [0, 0, 0], freedom: {target: 1}}",
         "5:72: target: the freedom has no motor"},
        {"{type: hinge, body: a, position: [0, 0, 0], freedom: {motor: speed}}",
         "5:71: unknown motor 'speed'; known are none, effort, velocity, position"},
        {"{type: fixed, body: a, position: [0, 0, 0], freedom: {}}",
         "5:63: a fixed joint has no freedom"},
        {"{type: planar, body: a, position: [0, 0, 0], freedom: {}}",
         "5:64: a planar joint has three freedoms: write a list 'freedoms'"},
        {"{type: rope, body: a, points: [[0, 0, 0], [0, 0, 0]]}",
         "5:10: a rope needs two points that are apart, or a length"},
        {"{type: gear, bodies: [a, b], position: [0, 0, 0]}", "5:10: a gear needs 'ratio'"},
        {"{type: gear, bodies: [a, b], position: [0, 0, 0], ratio: 2, carrier: b}",
         "5:79: carrier: 'b' is one of the two bodies that it carries"},
        {"{type: rack, bodies: [a, b], position: [0, 0, 0], ratio: 2, carrier: c}",
         "5:79: no body is called 'c'; there are a, b"},
        {"{type: curve, body: a, position: [0, 0, 0], points: [[0, 0, 0]]}",
         "5:62: points: a curve has three or more, not 1"},
        {"{type: curve, body: a, position: [0, 0, 0]}", "5:10: a curve needs 'points'"},
        {"{type: curve, body: a, points: [[0, 0, 0], [1, 0, 0], [2, 1, 0]]}",
         "5:10: a curve needs 'position'"},
        {"{type: curve, body: a, position: [0, 0, 0], points: [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}",
         "5:10: a curve joint: its curve must have three points or more, finite and distinct"},
        {"{type: curve, body: a, position: [0, 0, 0], points: [[0, 0, 0], [1, 0], [1, 0, 0]]}",
         "5:74: points: a list of 3 numbers is expected"},
        {"{type: curve, body: a, position: [0, 0, 0], points: [[0, 0, 0], [1, 0, 0], [2, 1, 0]], "
         "closed: perhaps}",
         "5:105: unknown closed 'perhaps'; known are no, yes, false, true"},
        {"{name: j, type: ball, body: a, position: [0, 0, 0]}, {name: j, type: ball, body: b, "
         "position: [0, 0, 0]}",
         "5:70: the name 'j' was already given in line 5"},
        {"{type: ball, body: a, position: [0, 0, 0], compliance: [-1, 0]}",
         "5:66: compliance = -1 must not be negative"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        char text[2048], message[512];
        snprintf(text, sizeof text, "%sjoints: [%s]\n", TWO, table[k][0]);
        snprintf(message, sizeof message, "s.yaml:%s", table[k][1]);
        expect_fault("s.yaml", text, message);
    }
}

/* ---- formulas -------------------------------------------------------------------------------- */

#define MOVED(drive)                                                                               \
    TWO "joints: [{name: j, type: hinge, body: a, position: [0, 0, 0], freedom: {motor: "          \
        "position}},\n  {name: k, type: slider, body: b, position: [0, 2, 0], freedom: {motor: "   \
        "velocity}}]\nparameters: {size: 0.3, rate: 3}\nworld: {gravity: [0, 0, 0], step: 1e-3}\n" \
        "stop: {time: 0.2}\ndrives: [" drive "]\n"

static void run_moved(const char* text, double out[2])
{
    scree_scene* s = parse(text);
    scree_simulation* simulation = NULL;
    scree_step_report report;
    assert_int_equal(scree_simulation_create(NULL, s, &simulation), SCREE_OK);
    while (!scree_simulation_done(simulation)) {
        assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
    }
    const scree_world* world = scree_simulation_world(simulation);
    for (int k = 0; k < 2; ++k) {
        scree_joint_state state;
        assert_int_equal(scree_world_get_joint(world, scree_world_joint_at(world, k), &state),
                         SCREE_OK);
        out[k] = state.coordinate[0];
    }
    scree_simulation_destroy(simulation);
    scree_scene_destroy(s);
}

/* A formula is asked for where a cosine is, and says the same. */
static void formulas_of_time(void** state)
{
    (void)state;
    double a[2], b[2];
    run_moved(MOVED("{joint: j, formula: size*sin(2*pi*rate*t)}, {joint: k, formula: cos(2*pi*t + "
                    "1), begin: 0.0503}"),
              a);
    run_moved(
        MOVED("{joint: j, target: size, frequency: rate, phase: -pi/2}, {joint: k, target: 1, "
              "frequency: 1, phase: 1, begin: 0.0503}"),
        b);
    for (int k = 0; k < 2; ++k) {
        require(fabs(b[k]) > 1e-3 && fabs(a[k] - b[k]) < 1e-12, "joint %d: %.17g and %.17g", k,
                a[k], b[k]);
    }
}

static void formulas_are_sampled(void** state)
{
    (void)state;
    scree_scene* s = parse(MOVED("{joint: j, formula: t^2}"));
    const scree_joint_drive* d = &s->joint_drives[0];
    require(d->n_table >= 202 && d->n_table < 206, "%d samples", (int)d->n_table);
    for (int32_t k = 0; k < d->n_table; ++k) {
        double time = k == 0 ? 0.0 : (k - 0.5) * 1e-3;
        require(fabs(d->table[2 * k] - time) < 1e-15, "time %.17g", d->table[2 * k]);
        require(fabs(d->table[2 * k + 1] - time * time) < 1e-15, "value");
    }
    scree_scene_destroy(s);
    expect_fault("s.yaml",
                 "parameters: {t: 1}\n" TWO
                 "joints: [{name: j, type: hinge, body: a, position: [0, 0, 0], freedom: "
                 "{motor: velocity}}]\ndrives: [{joint: j, formula: t}]\n",
                 "s.yaml:7:30: formula: t is the time and cannot be a parameter");
    expect_fault("s.yaml",
                 TWO "joints: [{name: j, type: hinge, body: a, position: [0, 0, 0], "
                     "freedom: {motor: velocity}}]\nstop: {rest: {}}\n"
                     "drives: [{joint: j, formula: t}]\n",
                 "s.yaml:7:30: formula: needs an end, its own or that of 'stop'");
}

static void faults_of_drives(void** state)
{
    (void)state;
#define HINGE                                                                             \
    TWO "joints: [{name: j, type: hinge, body: a, position: [0, 0, 0], freedom: {motor: " \
        "velocity}}, "                                                                    \
        "{name: k, type: ball, body: b, position: [0, 0, 0]}]\n"
    static const char* const table[][2] = {
        {"{joint: i, target: 1}", "6:18: no joint is called 'i'; there are j, k"},
        {"{joint: k, target: 1}", "6:18: 'k' has no motor, and cannot be driven"},
        {"{joint: j}", "6:10: a drive of a joint has one of 'target', 'table' and 'formula'"},
        {"{joint: j, target: 1, formula: t}",
         "6:10: a drive of a joint has one of 'target', 'table' and 'formula'"},
        {"{joint: j, formula: 1/t}", "6:31: formula: division by zero"},
        {"{joint: j, formula: 2*u}", "6:32: formula: unknown name 'u'; known are t, pi, deg"},
        {"{joint: j, freedom: 1, target: 1}", "6:30: freedom = 1 must be from 0 to 0"},
        {"{joint: j, table: [[1, 0], [1, 2]]}", "6:37: table: the time 1 s is not after 1 s"},
        {"{joint: j, target: 1, begin: 2, end: 1}",
         "6:47: end = 1 s must be later than begin = 2 s"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        char text[2048], message[512];
        snprintf(text, sizeof text, "%sdrives: [%s]\n", HINGE, table[k][0]);
        snprintf(message, sizeof message, "s.yaml:%s", table[k][1]);
        expect_fault("s.yaml", text, message);
    }
}

/* ---- faults of models ------------------------------------------------------------------------ */

#define LINK(name)                                                               \
    "<link name='" name                                                          \
    "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>" \
    "</link>"
#define JOINT(name, parent, child)                                                                 \
    "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/" \
    ">"
#define GEOM "<geom size='1'/>"

static void faults_of_models(void** state)
{
    (void)state;
    static const char* const table[][2] = {
        {"<a/>", "1:1: <a> is neither <robot> (URDF) nor <mujoco> (MJCF)"},
        {"<robot>", "1:8: not XML: no element found"},
        {"<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>",
         "1:13: a document type, and entities, are not allowed"},
        {"<robot/>", "1:1: there is no <link>"},
        {"<robot>" LINK("a") LINK("b") "</robot>",
         "1:102: several roots: no joint has 'a' or 'b' as its child"},
        {"<robot>\n" LINK("a") "\n" LINK("b") "\n" JOINT("j", "a", "b") "</joint>\n" JOINT(
             "k", "b", "a") "</joint></robot>",
         "1:1: the links form a cycle: there is no root"},
        {"<robot>\n" LINK("r") "\n" LINK("a") "\n" LINK("b") "\n" JOINT(
             "j", "a", "b") "</joint>\n" JOINT("k", "b", "a") "</joint></robot>",
         "3:1: link 'a' is part of a cycle"},
        {"<robot>" LINK("a") "\n" JOINT("j", "a", "a") "</joint></robot>",
         "2:1: joint 'j' joins link 'a' to itself"},
        {"<robot>" LINK("a") LINK("b") LINK("c") "\n" JOINT("j", "a", "b") "</joint>\n" JOINT(
             "k", "c", "b") "</joint></robot>",
         "3:1: link 'b' is the child of two joints, 'j' and 'k'"},
        {"<robot>" LINK("a") LINK("b") "\n" JOINT("j", "a", "b") "\n<axis xyz='0 0 0'/></joint>"
                                                                 "</robot>",
         "3:1: axis of joint 'j' has no direction"},
        {"<robot>" LINK("a") LINK("b") "<joint name='j' type='revolute'><parent link='a'/><child "
                                       "link='b'/>\n<limit lower='1' upper='0'/></joint></robot>",
         "2:1: joint 'j': lower = 1 is above upper = 0"},
        {"<robot>" LINK("a") LINK("b") "\n<joint name='j' type='bent'><parent link='a'/><child "
                                       "link='b'/></joint></robot>",
         "2:1: joint 'j' is of unknown type 'bent'; known are revolute, continuous, prismatic, "
         "fixed, floating, planar"},
        {"<robot>" LINK("a") "\n<link name='b'/>" JOINT("j", "a", "b") "</joint></robot>",
         "2:1: 'b' moves and has no mass"},
        {"<robot>" LINK("r") LINK("a") LINK("b") LINK("c") LINK("d")
             JOINT("i", "r", "a") "</joint>" JOINT("j", "r", "b") "</joint>" JOINT(
                 "k", "a", "c") "</joint>\n" JOINT("l", "b",
                                                   "d") "\n<mimic joint='k'/></joint></robot>",
         "3:1: a joint can follow another where both turn or slide, and both hang on one link, or "
         "one on what the other moves"},
        {"<mujoco/>", "1:1: <mujoco> needs <worldbody>"},
        {"<mujoco><include file='x'/></mujoco>",
         "1:9: <include> is not understood: put what the file holds in its place"},
        {"<mujoco><worldbody>\n<body><freejoint/><geom size='x'/></body></worldbody></mujoco>",
         "2:19: size: 'x' is not a finite number"},
        {"<mujoco><worldbody>\n<body><joint range='1 0'/>" GEOM "</body></worldbody></mujoco>",
         "2:7: range: 1 is above 0"},
        {"<mujoco><worldbody>\n<body><joint axis='0 0 0'/>" GEOM "</body></worldbody></mujoco>",
         "2:7: axis has no direction"},
        {"<mujoco><worldbody>\n<body><joint/><joint/>" GEOM "</body></worldbody></mujoco>",
         "2:7: the joints of 'body-1' are not understood together: one, a slide and a hinge along "
         "it, two crossing hinges, or two slides and a hinge across them"},
        {"<mujoco><worldbody>\n<body><freejoint/><geom type='plane' size='1 1 1'/></body>"
         "</worldbody></mujoco>",
         "2:19: a plane cannot move; 'body-1' does"},
        {"<mujoco><worldbody><body name='a'>\n<freejoint/>" GEOM "</body></worldbody><equality>\n"
         "<weld body1='a' body2='a'/></equality></mujoco>",
         "3:1: <weld> joins 'a' to itself"},
        {"<mujoco><worldbody/><keyframe>\n<key qpos='1 2'/></keyframe></mujoco>",
         "2:1: the model has 0 positions and 0 velocities; qpos has 2, qvel 0"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        char message[512];
        snprintf(message, sizeof message, "m.xml:%s", table[k][1]);
        expect_fault("m.xml", table[k][0], message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(frames),
        cmocka_unit_test(all_values),
        cmocka_unit_test(body_without_shape),
        cmocka_unit_test(a_bead_on_a_curve),
        cmocka_unit_test(faults),
        cmocka_unit_test(formulas_of_time),
        cmocka_unit_test(formulas_are_sampled),
        cmocka_unit_test(faults_of_drives),
        cmocka_unit_test(faults_of_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
