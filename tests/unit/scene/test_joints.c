/* Joints of scenes: the world that they make, what drives them, and what is refused. */
#include "scree/scene.h"
#include "support/test.h"

#include <math.h>
#include <stdbool.h>

/* A rod of length 1 on a hinge at the origin, hanging along -z, which turns about y. */
typedef struct pendulum {
    scree_scene scene;
    scree_scene_body body;
    scree_scene_joint joint;
    scree_joint_drive drive[2];
} pendulum;

static void make(pendulum* p)
{
    *p = (pendulum){.scene = scree_default_scene()};
    p->body = (scree_scene_body){.name = "rod", .def = scree_default_body_def()};
    p->body.def.mass = 2.0;
    p->body.def.position[2] = -0.5;
    for (int k = 0; k < 3; ++k) p->body.def.inertia[k] = k < 2 ? 2.0 / 12.0 : 1e-3;
    p->joint = (scree_scene_joint){.name = "pin", .body = {0, -1}};
    p->joint.def = scree_default_joint_def();
    p->joint.def.kind = SCREE_JOINT_HINGE;
    p->joint.def.position[0][2] = 0.5;
    for (int k = 0; k < 2; ++k) { /* x of the frames along y */
        p->joint.def.rotation[k][0] = p->joint.def.rotation[k][3] = sqrt(0.5);
    }
    p->scene.n_bodies = p->scene.n_joints = 1;
    p->scene.bodies = &p->body;
    p->scene.joints = &p->joint;
    p->scene.joint_drives = p->drive;
    for (int k = 0; k < 2; ++k) p->drive[k].end = INFINITY;
}

static scree_simulation* begin(const pendulum* p)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_simulation* s = NULL;
    scree_status status = scree_simulation_create(&env, &p->scene, &s);
    require(status == SCREE_OK, "%s", host.text);
    scree_simulation_destroy(s);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(scree_simulation_create(NULL, &p->scene, &s), SCREE_OK);
    return s;
}

static void step(scree_simulation* s, int n)
{
    scree_step_report report;
    for (int k = 0; k < n; ++k) assert_int_equal(scree_simulation_step(s, &report), SCREE_OK);
}

static scree_joint_state joint_of(scree_simulation* s)
{
    scree_joint_state state;
    scree_world* world = scree_simulation_world(s);
    assert_int_equal(scree_world_get_joint(world, scree_world_joint_at(world, 0), &state), 0);
    return state;
}

static void has_a_name(void** state)
{
    (void)state;
    pendulum p;
    make(&p);
    char text[32];
    scree_simulation* s = begin(&p);
    scree_simulation_joint_name(s, 0, text, sizeof text);
    assert_string_equal(text, "pin");
    scree_simulation_joint_name(s, 3, text, sizeof text);
    assert_string_equal(text, "joint-3");
    scree_simulation_destroy(s);
}

/* The rate of a velocity motor is the cosine of the middle of the step, drives added up. */
static void rates_follow_cosines(void** state)
{
    (void)state;
    pendulum p;
    make(&p);
    p.joint.def.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    p.joint.def.freedom[0].target = 0.25;
    p.scene.n_joint_drives = 2;
    p.drive[0].value = 2.0;
    p.drive[0].frequency = 3.0;
    p.drive[0].phase = 0.5;
    p.drive[1].value = 1.0;
    p.drive[1].begin = 0.05;
    p.drive[1].end = 0.08;
    scree_simulation* s = begin(&p);
    for (int k = 0; k < 100; ++k) {
        step(s, 1);
        double t = (k + 0.5) * 1e-3, expected = 0.25 + 2.0 * cos(2.0 * SCREE_PI * 3.0 * t + 0.5);
        if (t >= 0.05 && t < 0.08) expected += 1.0;
        require(fabs(joint_of(s).rate[0] - expected) <= 1e-9, "rate %.12g, not %.12g at %g s",
                joint_of(s).rate[0], expected, t);
    }
    scree_simulation_destroy(s);
}

/* The coordinate of a position motor is that of its table, but for a step about its corners. */
static void positions_follow_tables(void** state)
{
    (void)state;
    static const double table[] = {0.01, 0.0, 0.05, 0.1, 0.06, -0.02};
    pendulum p;
    make(&p);
    p.joint.def.freedom[0].motor = SCREE_MOTOR_POSITION;
    p.scene.n_joint_drives = 1;
    p.drive[0].begin = 0.002;
    p.drive[0].n_table = 3;
    p.drive[0].table = table;
    scree_simulation* s = begin(&p);
    for (int k = 0; k < 80; ++k) {
        step(s, 1);
        double t = (k + 1) * 1e-3 - 0.002;
        double expected = t < 0.01   ? 0.0
                          : t < 0.05 ? 0.1 * (t - 0.01) / 0.04
                          : t < 0.06 ? 0.1 - 0.12 * (t - 0.05) / 0.01
                                     : -0.02;
        bool corner = fabs(t - 0.01) < 2e-3 || fabs(t - 0.05) < 2e-3 || fabs(t - 0.06) < 2e-3;
        require(fabs(joint_of(s).coordinate[0] - expected) <= (corner ? 0.02 : 1e-6),
                "%.12g, not %.12g at %g s", joint_of(s).coordinate[0], expected, t);
    }
    scree_simulation_destroy(s);
}

/* A simulation that was saved goes on bit for bit. */
static void goes_on(void** state)
{
    (void)state;
    pendulum p;
    make(&p);
    p.joint.def.freedom[0].motor = SCREE_MOTOR_EFFORT;
    p.joint.def.freedom[0].friction = 0.1;
    p.scene.n_joint_drives = 1;
    p.drive[0].value = 3.0;
    p.drive[0].frequency = 2.0;
    scree_simulation *a = begin(&p), *b = begin(&p);
    step(a, 137);
    size_t size = scree_simulation_state_size(a);
    void* saved = malloc(size);
    assert_non_null(saved);
    scree_simulation_save(a, saved);
    assert_int_equal(scree_simulation_load(b, saved, size), SCREE_OK);
    free(saved);
    step(a, 200);
    step(b, 200);
    scree_world_view va = scree_simulation_view(a), vb = scree_simulation_view(b);
    assert_memory_equal(va.position, vb.position, 3 * sizeof(double));
    assert_memory_equal(va.rotation, vb.rotation, 4 * sizeof(double));
    assert_memory_equal(va.angular_velocity, vb.angular_velocity, 3 * sizeof(double));
    scree_joint_state ja = joint_of(a), jb = joint_of(b);
    assert_memory_equal(ja.effort, jb.effort, sizeof ja.effort);
    scree_simulation_destroy(a);
    scree_simulation_destroy(b);
}

static void expect_fault(const pendulum* p, const char* message)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_simulation* s = NULL;
    assert_int_equal(scree_simulation_create(&env, &p->scene, &s), SCREE_ERROR_INPUT);
    assert_null(s);
    assert_int_equal(host.n_held, 0);
    require(strcmp(host.text, message) == 0, "said:     %s\nexpected: %s", host.text, message);
}

static void faults(void** state)
{
    (void)state;
    pendulum p;
    make(&p);
    p.joint.body[1] = 0;
    expect_fault(&p, "joint 'pin' of the scene: it joins a body to itself");
    p.joint.body[0] = -1;
    p.joint.body[1] = -1;
    expect_fault(&p, "joint 'pin' of the scene: it joins the world to itself");
    p.joint.body[0] = 7;
    expect_fault(&p, "joint 'pin' of the scene: there is no such body");
    make(&p);
    p.scene.n_joint_drives = 1;
    expect_fault(&p, "joint drive 0 of the scene: its freedom has no motor");
    p.drive[0].freedom = 1;
    expect_fault(&p, "joint drive 0 of the scene: its joint has no such freedom");
    p.drive[0].joint = 1;
    expect_fault(&p, "joint drive 0 of the scene: there is no such joint");
}

/* Two rods of length 1 whose far ends are to meet, held 3 apart: a loop that cannot close. */
static void loops_must_close(void** state)
{
    (void)state;
    pendulum p;
    make(&p);
    scree_scene_body bodies[2] = {p.body, p.body};
    scree_shape sphere = scree_default_shape();
    scree_material material = {0};
    for (int k = 0; k < 2; ++k) {
        bodies[k].name = k ? "b" : "a";
        bodies[k].def.position[0] = 3.0 * k;
        bodies[k].n_shapes = 1;
        bodies[k].shapes = &sphere;
    }
    sphere.half_size[0] = 0.5;
    p.scene.n_materials = 1;
    p.scene.materials = &material;
    scree_scene_joint joints[2] = {p.joint, p.joint};
    joints[1] = (scree_scene_joint){.name = "loop", .body = {0, 1}, .def = p.joint.def};
    joints[1].def.position[0][2] = joints[1].def.position[1][2] = -0.5;
    p.scene.bodies = bodies;
    p.scene.joints = joints;
    p.scene.n_bodies = p.scene.n_joints = 2;
    expect_fault(&p, "joint 'loop' does not close: its two ends are 3 m and 0 rad apart at the "
                     "start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_name),
        cmocka_unit_test(rates_follow_cosines),
        cmocka_unit_test(positions_follow_tables),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(faults),
        cmocka_unit_test(loops_must_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
