/* Joints in recordings: what a file says of them is what the world said, to the last bit; joints
 * that break are gone; files from before joints are read. */
#include "io/page.h"
#include "io/recording_layout.h"
#include "math/vec.h"
#include "unit/io/recording_runs.h"

#include <hdf5.h>

/* An arm on a motor with limits, a sledge, and a string that is too weak for its weight. */
static const char machine[] =
    "world: {step: 1e-3}\n"
    "bodies:\n"
    "  - {name: arm, position: [0.2, 0, 0], mass: 1, inertia: [0.01, 0.02, 0.02],\n"
    "     shape: {type: box, size: [0.4, 0.05, 0.05], collides: 0}}\n"
    "  - {name: sledge, position: [0, 1, 0], mass: 2, velocity: [0.5, 0, 0],\n"
    "     shape: {type: box, size: [0.1, 0.1, 0.1], collides: 0}}\n"
    "  - {name: weight, position: [0, 2, 0], mass: 3, shape: {type: sphere, radius: 0.1}}\n"
    "joints:\n"
    "  - {name: shoulder, type: hinge, body: arm, position: [0, 0, 0], axis: [0, 1, 0],\n"
    "     freedom: {lower: -1, upper: 0.5, motor: velocity, target: 1, max_effort: 50}}\n"
    "  - {name: rail, type: slider, body: sledge, position: [0, 1, 0], axis: [1, 0, 0],\n"
    "     freedom: {upper: 0.02}}\n"
    "  - {name: string, type: rope, body: weight, points: [[0, 2, 0], [0, 2, 1]],\n"
    "     break_force: 20}\n"
    "stop: {time: 0.06}\n"
    "output: {interval: 0.005}\n";

enum { SHOULDER, RAIL, STRING, N_JOINTS, MOST = 64 };

static void begin_machine(run* r)
{
    r->env = test_env(&r->host);
    check(
        scree_scene_parse(&r->env, "machine.yaml", machine, sizeof machine - 1, 0, NULL, &r->scene),
        "scene", &r->host);
    check(scree_simulation_create(&r->env, r->scene, &r->simulation), "simulation", &r->host);
}

/* What the world says of its joints as number k; returns the next number. */
static int keep(const scree_world* world, scree_joint_state states[MOST][N_JOINTS], int k)
{
    require(k < MOST, "too many frames");
    for (int j = 0; j < N_JOINTS; ++j) {
        scree_joint_id id = scree_world_joint_at(world, j);
        states[k][j] = (scree_joint_state){.n_freedoms = -1};
        if (!scree_world_joint_is_valid(world, id)) continue;
        assert_int_equal(scree_world_get_joint(world, id, &states[k][j]), SCREE_OK);
    }
    return k + 1;
}

/* Records the machine and keeps what its world said at every frame; returns how many. */
static int record_machine(const char* path, scree_joint_state states[MOST][N_JOINTS])
{
    run r;
    scree_recorder* recorder = NULL;
    begin_machine(&r);
    check(begin_recorder(&r.env, path, r.simulation, &recorder), "create", &r.host);
    const scree_world* world = scree_simulation_world(r.simulation);
    check(scree_recorder_step(recorder, NULL), "frame", &r.host);
    int n = keep(world, states, 0);
    while (!scree_simulation_done(r.simulation)) {
        scree_step_report report;
        check(scree_simulation_step(r.simulation, &report), "step", &r.host);
        check(scree_recorder_step(recorder, &report), "frame", &r.host);
        if (scree_recorder_n_frames(recorder) > n) n = keep(world, states, n);
    }
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    end_run(&r);
    return n;
}

static void check_joint(const scree_frame* f, int j, const scree_joint_state* state)
{
    size_t at = 3 * (size_t)j, bytes = 3 * sizeof(double);
    if (state->n_freedoms < 0) {
        for (size_t k = at; k < at + 3; ++k) {
            require(isnan(f->joint_coordinate[k]) && isnan(f->joint_force[k]), "joint %d is there",
                    j);
        }
        return;
    }
    assert_memory_equal(f->joint_coordinate + at, state->coordinate, bytes);
    assert_memory_equal(f->joint_rate + at, state->rate, bytes);
    assert_memory_equal(f->joint_effort + at, state->effort, bytes);
    assert_memory_equal(f->joint_force + at, state->force, bytes);
    assert_memory_equal(f->joint_torque + at, state->torque, bytes);
}

static void files_say_what_worlds_say(void** state)
{
    (void)state;
    static scree_joint_state states[MOST][N_JOINTS];
    int n = record_machine("joints.h5", states);
    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("joints.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    assert_int_equal(info.n_joints, N_JOINTS);
    assert_int_equal(info.n_frames, n);
    assert_string_equal(info.joints[SHOULDER].name, "shoulder");
    assert_int_equal(info.joints[SHOULDER].kind, SCREE_JOINT_HINGE);
    assert_int_equal(info.joints[SHOULDER].body[0], 0);
    assert_int_equal(info.joints[SHOULDER].body[1], -1);
    require(info.joints[SHOULDER].limits[0][0] == -1.0, "lower limit");
    require(info.joints[SHOULDER].limits[0][1] == 0.5, "upper limit");
    require(info.joints[RAIL].limits[0][0] == -SCREE_INFINITY, "no limit");
    require(info.joints[SHOULDER].position[0][0] == -0.2, "from the centre of mass");
    for (int k = 0; k < n; ++k) {
        scree_frame frame;
        check(scree_recording_read(recording, k, &frame), "read", &host);
        assert_int_equal(frame.n_joints, N_JOINTS);
        for (int j = 0; j < N_JOINTS; ++j) check_joint(&frame, j, &states[k][j]);
    }
    require(states[0][STRING].n_freedoms >= 0 && states[n - 1][STRING].n_freedoms < 0,
            "the string should have broken");
    scree_recording_close(recording);
    assert_int_equal(host.n_held, 0);
    remove("joints.h5");
}

/* Steps to `until`, or to the end of the scene where that is not positive. */
static void record_part(const char* path, double until, bool again)
{
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    if (again) {
        r.env = test_env(&r.host);
        check(scree_recorder_resume(&r.env, path, 1, &r.scene, &r.simulation, &recorder), "resume",
              &r.host);
    } else {
        begin_machine(&r);
        check(begin_recorder(&r.env, path, r.simulation, &recorder), "create", &r.host);
    }
    if (until > 0.0) scree_simulation_set_end(r.simulation, until);
    check(record(recorder, r.simulation), "record", &r.host);
    if (until > 0.0) check(scree_recorder_checkpoint(recorder, r.simulation), "save", &r.host);
    check(scree_recorder_close(recorder, until <= 0.0), "close", &r.host);
    end_run(&r);
}

/* Broken off before the string breaks, and after. */
static void recordings_go_on(void** state)
{
    (void)state;
    scree_recording_info info;
    record_part("joints-whole.h5", 0.0, false);
    uint64_t hash = hash_of("joints-whole.h5", &info);
    static const double until[] = {0.001, 0.022, 0.051};
    for (int k = 0; k < 3; ++k) {
        record_part("joints-part.h5", until[k], false);
        record_part("joints-part.h5", 0.0, true);
        require(hash_of("joints-part.h5", &info) == hash, "resumed at %g s: another recording",
                until[k]);
    }
    remove("joints-whole.h5");
    remove("joints-part.h5");
}

/* Overwrites the first number of a column. */
static void spoil(const char* path, const char* column, hid_t type, const void* value)
{
    hsize_t from[2] = {0, 0}, one[2] = {1, 1};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t id = H5Dopen2(file, column, H5P_DEFAULT), space = H5Dget_space(id);
    hid_t memory = H5Screate_simple(1, one, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, one, NULL);
    assert_true(H5Dwrite(id, type, memory, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(id);
    H5Fclose(file);
}

static void damage_is_found(void** state)
{
    (void)state;
    static const int32_t far = 100, four = 4, kind = 200;
    static const double nan = (double)NAN, two = 2.0;
    const struct {
        const char* column;
        hid_t type;
        const void* value;
        const char* part;
    } cases[] = {{"/joints/bodies", H5T_NATIVE_INT32, &far, "/joints: row 0"},
                 {"/joints/kind", H5T_NATIVE_INT32, &kind, "/joints: row 0"},
                 {"/joints/limits", H5T_NATIVE_DOUBLE, &two, "/joints: row 0"},
                 {"/joints/rotation", H5T_NATIVE_DOUBLE, &nan, "/joints: row 0"},
                 {"/frames/n_joints", H5T_NATIVE_INT32, &four, "/frames: row 1"},
                 {"/frames/joint_offset", H5T_NATIVE_INT32, &four, "/frames: row 0"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        record_part("joints-spoilt.h5", 0.0, false);
        spoil("joints-spoilt.h5", cases[k].column, cases[k].type, cases[k].value);
        test_host host;
        scree_env env = test_env(&host);
        scree_recording* recording = NULL;
        assert_int_equal(scree_recording_open(&env, "joints-spoilt.h5", &recording),
                         SCREE_ERROR_FORMAT);
        require(strstr(host.text, cases[k].part), "%s: \"%s\"", cases[k].column, host.text);
        assert_int_equal(host.n_held, 0);
    }
    remove("joints-spoilt.h5");
}

/* As schema 4 wrote it: bodies alone. */
static void files_from_before_are_read(void** state)
{
    (void)state;
    static const int32_t before = 4;
    record_part("joints-old.h5", 0.0, false);
    spoil("joints-old.h5", "/scene/schema", H5T_NATIVE_INT32, &before);
    hid_t file = H5Fopen("joints-old.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    static const char* const later[] = {"/joints", "/joints_state", "/frames/n_joints",
                                        "/frames/joint_offset"};
    for (int k = 0; k < 4; ++k) assert_true(H5Ldelete(file, later[k], H5P_DEFAULT) >= 0);
    H5Fclose(file);
    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("joints-old.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    assert_int_equal(info.n_joints, 0);
    assert_int_equal(info.n_bodies, 3);
    scree_frame frame;
    check(scree_recording_read(recording, info.n_frames - 1, &frame), "read", &host);
    assert_int_equal(frame.n_joints, 0);
    check(scree_export_page(&env, recording, "joints-old.html"), "page", &host);
    scree_recording_close(recording);
    remove("joints-old.h5");
    remove("joints-old.html");
}

static double get_float(const uint8_t* p)
{
    float value;
    memcpy(&value, p, sizeof value);
    return (double)value;
}

/* A joint of two bodies that are turned, by hand: the point of A is the centre plus the turned arm,
 * and a force along x of B's frame, which both turns bring to y, points along y. */
static void records_of_pages_stand_in_the_world(void** state)
{
    (void)state;
    static const double h = 0.70710678118654752; /* a quarter turn about z, both times */
    static const double position[6] = {1.0, 2.0, 3.0, -1.0, 0.0, 0.0};
    static const double rotation[8] = {0.70710678118654752, 0, 0, 0.70710678118654752, 1, 0, 0, 0};
    static const double force[3] = {5.0, 0.0, 0.0}, torque[3] = {0.0, 0.0, -2.0};
    const scree_recorded_joint joint = {.name = "",
                                        .body = {0, 1},
                                        .position = {{0.5, 0, 0}, {0, 0.25, 0}},
                                        .rotation = {{1, 0, 0, 0}, {h, 0, 0, h}}};
    const scri_page_plan plan = {.info = {.n_bodies = 2, .n_joints = 1, .joints = &joint}};
    const scree_frame frame = {.n_bodies = 2,
                               .position = position,
                               .rotation = rotation,
                               .n_joints = 1,
                               .joint_force = force,
                               .joint_torque = torque};
    static const double expected[20] = {1.0,  2.5,  3.0, 0.70710678, 0, 0,   0.70710678,
                                        -1.0, 0.25, 0.0, 0.70710678, 0, 0,   0.70710678,
                                        0,    5.0,  0,   0,          0, -2.0};
    uint8_t record[SCRI_PAGE_JOINT];
    scri_page_joint(&plan, &frame, 0, record);
    for (int k = 0; k < 20; ++k) {
        double value = get_float(record + 4 * k);
        require(fabs(value - expected[k]) < 1e-6, "number %d is %g, not %g", k, value, expected[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_say_what_worlds_say),
        cmocka_unit_test(recordings_go_on),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(files_from_before_are_read),
        cmocka_unit_test(records_of_pages_stand_in_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
