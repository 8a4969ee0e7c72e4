/* Recordings: what is written is read, and no kill, full disk or damage takes more than the frame
 * that was being written. */
#define _POSIX_C_SOURCE 200809L /* fork, nanosleep, setrlimit */

#include "base/random.h"
#include "io/recorder.h"
#include "io/recording.h"
#include "scree_io/recording.h"
#include "support/test.h"

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS_PER_FRAME = 5, FRAMES_PER_CHECKPOINT = 4 };

/* Eight spheres over a plane and a box, and a few more in the course of time. */
static const char scene_text[] = "title: Drops\n"
                                 "parameters: {radius: 0.05, time: 0.15}\n"
                                 "materials: {grain: {mu: 0.4, mu_r: 0.002, mu_s: 0.001}}\n"
                                 "bodies:\n"
                                 "  - {name: floor, kind: static, shape: {type: half-space}}\n"
                                 "  - name: block\n"
                                 "    position: [0.5, 0, 0.1]\n"
                                 "    shape: {type: box, size: [0.2, 0.2, 0.2]}\n"
                                 "generators:\n"
                                 "  - type: grid\n"
                                 "    count: [2, 2, 2]\n"
                                 "    spacing: 2.1*radius\n"
                                 "    origin: [0, 0, 1.02*radius]\n"
                                 "    jitter: 0.04*radius\n"
                                 "    body: {name: grain, shape: {type: sphere, radius: radius}}\n"
                                 "  - type: rain\n"
                                 "    count: 6\n"
                                 "    rate: 60\n"
                                 "    box: {from: [-1, -1, 0.06], to: [-0.2, 1, 0.07]}\n"
                                 "    body: {name: drop, shape: {type: sphere, radius: radius}}\n"
                                 "stop: {time: time}\n"
                                 "output: {interval: 0.005}\n";

/* ---- support ---- */

static void check(scree_status status, const char* what, const test_host* host)
{
    if (status) fail_msg("%s: %s: %s", what, scree_status_text(status), host ? host->text : "");
}

typedef struct run {
    test_host host;
    scree_env env;
    scree_scene* scene;
    scree_simulation* simulation;
} run;

static void begin_run(run* r, const char* setting, int workers)
{
    r->env = test_env(&r->host);
    check(scree_scene_parse(&r->env, "drops.yaml", scene_text, sizeof scene_text - 1,
                            setting ? 1 : 0, &setting, &r->scene),
          "scene", &r->host);
    r->scene->world.workers = workers;
    check(scree_simulation_create(&r->env, r->scene, &r->simulation), "simulation", &r->host);
}

static void end_run(run* r)
{
    scree_simulation_destroy(r->simulation);
    scree_scene_destroy(r->scene);
    assert_int_equal(r->host.n_held, 0);
}

/* Over whatever an earlier part of a test has left there. */
static scree_status begin_recorder(const scree_env* env, const char* path,
                                   scree_simulation* simulation, scree_recorder** out)
{
    scree_recorder_def def = scree_simulation_recorder_def(simulation);
    def.force = 1;
    return scree_recorder_create(env, path, scree_simulation_world(simulation), &def, out);
}

/* Runs to the end as the program does: a frame every few steps, a checkpoint every few frames.
 * Returns the first failure. */
static scree_status record(scree_recorder* recorder, scree_simulation* simulation)
{
    scree_status status = SCREE_OK;
    if (scree_recorder_n_frames(recorder) == 0) status = scree_recorder_step(recorder, NULL);
    while (!status && !scree_simulation_done(simulation)) {
        scree_step_report report;
        int64_t before = scree_recorder_n_frames(recorder);
        status = scree_simulation_step(simulation, &report);
        if (!status) status = scree_recorder_step(recorder, &report);
        int64_t n = scree_recorder_n_frames(recorder);
        if (!status && n > before && n % FRAMES_PER_CHECKPOINT == 0) {
            status = scree_recorder_checkpoint(recorder, simulation);
        }
    }
    return status;
}

static void record_whole(const char* path, const char* setting, int workers)
{
    run r;
    scree_recorder* recorder = NULL;
    begin_run(&r, setting, workers);
    check(begin_recorder(&r.env, path, r.simulation, &recorder), "create", &r.host);
    check(record(recorder, r.simulation), "record", &r.host);
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    end_run(&r);
}

static scree_recording* open_recording(const char* path, test_host* host, scree_env* env)
{
    scree_recording* recording = NULL;
    *env = test_env(host);
    check(scree_recording_open(env, path, &recording), path, host);
    return recording;
}

static uint64_t hash_of(const char* path, scree_recording_info* info)
{
    test_host host;
    scree_env env;
    uint64_t hash = 0;
    scree_recording* recording = open_recording(path, &host, &env);
    check(scree_recording_hash(recording, &hash), "hash", &host);
    *info = scree_recording_get_info(recording);
    scree_recording_close(recording);
    assert_int_equal(host.n_held, 0);
    return hash;
}

static bool same_frame(const scree_frame* a, const scree_frame* b)
{
    size_t n = (size_t)a->n_bodies, m = (size_t)a->n_contacts;
    return memcmp(&a->time, &b->time, sizeof a->time) == 0 && a->step == b->step &&
           a->n_bodies == b->n_bodies && a->n_contacts == b->n_contacts &&
           memcmp(a->position, b->position, 3 * n * sizeof(double)) == 0 &&
           memcmp(a->rotation, b->rotation, 4 * n * sizeof(double)) == 0 &&
           memcmp(a->velocity, b->velocity, 3 * n * sizeof(double)) == 0 &&
           memcmp(a->angular_velocity, b->angular_velocity, 3 * n * sizeof(double)) == 0 &&
           (m == 0 || (memcmp(a->pair, b->pair, 2 * m * sizeof(int32_t)) == 0 &&
                       memcmp(a->force, b->force, 3 * m * sizeof(float)) == 0 &&
                       memcmp(a->moment, b->moment, 3 * m * sizeof(float)) == 0)) &&
           memcmp(&a->kinetic, &b->kinetic, sizeof a->kinetic) == 0;
}

/* The frames of `path` are the first ones of `whole`; returns how many. */
static int64_t check_prefix(const char* path, const char* whole)
{
    test_host hosts[2];
    scree_env envs[2];
    scree_recording* part = open_recording(path, &hosts[0], &envs[0]);
    scree_recording* all = open_recording(whole, &hosts[1], &envs[1]);
    int64_t n = scree_recording_get_info(part).n_frames;
    require(n <= scree_recording_get_info(all).n_frames, "more frames than there can be");
    for (int64_t k = 0; k < n; ++k) {
        scree_frame a, b;
        check(scree_recording_read(part, k, &a), "read part", &hosts[0]);
        check(scree_recording_read(all, k, &b), "read all", &hosts[1]);
        require(same_frame(&a, &b), "frame %d differs", (int)k);
    }
    scree_recording_close(all);
    scree_recording_close(part);
    return n;
}

static void resume_to_end(const char* path, const char* whole)
{
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    scree_recording_info info, whole_info;
    r.env = test_env(&r.host);
    check(scree_recorder_resume(&r.env, path, 1, &r.scene, &r.simulation, &recorder), "resume",
          &r.host);
    check(record(recorder, r.simulation), "record on", &r.host);
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    end_run(&r);
    require(hash_of(path, &info) == hash_of(whole, &whole_info), "another hash after a resume");
    assert_int_equal(info.n_frames, whole_info.n_frames);
    assert_true(info.closed);
}

/* ---- what is written is read ---- */

static void check_info(const scree_recording_info* info, const run* r, const scree_world_view* view)
{
    char name[SCRI_RECORDING_NAME];
    assert_int_equal(info->schema, SCRI_RECORDING_SCHEMA);
    assert_string_equal(info->scene, "drops.yaml");
    assert_string_equal(info->title, "Drops");
    assert_string_equal(info->text, scene_text);
    assert_int_equal(info->n_settings, 1);
    assert_string_equal(info->settings[0], "radius=0.04");
    assert_true(info->closed);
    require(info->step == 1e-3 && info->interval == 0.005, "step or interval");
    assert_int_equal(info->n_bodies, view->n_bodies);
    assert_int_equal(info->n_shapes, view->n_shapes);
    for (int32_t k = 0; k < info->n_bodies; ++k) {
        scree_simulation_body_name(r->simulation, k, name, sizeof name);
        assert_string_equal(info->name[k], name);
        assert_int_equal(info->kind[k], view->kind[k]);
        assert_memory_equal(&info->mass[k], &view->mass[k], sizeof(double));
    }
    for (size_t k = 0; k < (size_t)info->n_shapes; ++k) {
        assert_int_equal(info->shapes[k].kind, view->shape_kind[k]);
        assert_int_equal(info->shape_body[k], view->shape_body[k]);
        assert_int_equal(info->shapes[k].material, view->shape_material[k]);
        assert_memory_equal(info->shapes[k].half_size, view->shape_half_size + 3 * k,
                            3 * sizeof(double));
        assert_memory_equal(info->shapes[k].position, view->shape_offset + 3 * k,
                            3 * sizeof(double));
        assert_memory_equal(info->shapes[k].rotation, view->shape_turn + 4 * k, 4 * sizeof(double));
    }
}

/* Forces against the impulses, seen from the contact frames. */
static void check_contacts(const scree_frame* frame, const scree_world_view* view, double step)
{
    assert_int_equal(frame->n_contacts, view->n_contacts);
    for (size_t c = 0; c < (size_t)frame->n_contacts; ++c) {
        const double* axes = view->problem->bodies.frame + 9 * c;
        const double* p = view->impulse + view->problem->row[c];
        assert_int_equal(view->problem->rows[c], SCREE_ROWS_NTTRRS);
        const double moment[3] = {p[5], p[3], p[4]}; /* about n, t1, t2 */
        for (size_t i = 0; i < 3; ++i) {
            double force = 0.0, turn = 0.0;
            for (size_t k = 0; k < 3; ++k) {
                force += (double)frame->force[3 * c + k] * axes[3 * i + k] * step;
                turn += (double)frame->moment[3 * c + k] * axes[3 * i + k] * step;
            }
            double size = fabs(p[0]) + 1e-12;
            require(fabs(force - p[i]) <= 1e-6 * size, "force %g, not %g", force, p[i]);
            require(fabs(turn - moment[i]) <= 1e-6 * size, "moment %g, not %g", turn, moment[i]);
            require(frame->point[3 * c + i] == (float)view->point[3 * c + i], "point");
            require(frame->normal[3 * c + i] == (float)axes[i], "normal");
        }
        require(frame->gap[c] == (float)view->gap[c], "gap");
        assert_int_equal(frame->pair[2 * c], view->problem->bodies.pair[2 * c]);
        assert_int_equal(frame->pair[2 * c + 1], view->problem->bodies.pair[2 * c + 1]);
    }
}

static void check_frame(const scree_frame* frame, const run* r)
{
    scree_world_view view = scree_simulation_view(r->simulation);
    scree_totals totals = scree_simulation_totals(r->simulation);
    size_t n = (size_t)view.n_bodies * sizeof(double);
    assert_memory_equal(&frame->time, &view.time, sizeof(double));
    assert_int_equal(frame->step, view.steps);
    assert_int_equal(frame->n_bodies, view.n_bodies);
    assert_memory_equal(frame->position, view.position, 3 * n);
    assert_memory_equal(frame->rotation, view.rotation, 4 * n);
    assert_memory_equal(frame->velocity, view.velocity, 3 * n);
    assert_memory_equal(frame->angular_velocity, view.angular_velocity, 3 * n);
    assert_memory_equal(&frame->kinetic, &totals.kinetic, sizeof(double));
    assert_memory_equal(&frame->potential, &totals.potential, sizeof(double));
    assert_memory_equal(&frame->residual_max, &totals.residual_max, sizeof(double));
    assert_memory_equal(&frame->penetration_max, &totals.penetration_max, sizeof(double));
    if (view.problem) check_contacts(frame, &view, 1e-3);
}

/* The simulation is run again beside the recording, and every value compared. */
static void test_round_trip(void** state)
{
    (void)state;
    run r;
    test_host host;
    scree_env env;
    int64_t n_contacts = 0;
    record_whole("round_trip.h5", "radius=0.04", 1);
    scree_recording* recording = open_recording("round_trip.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    begin_run(&r, "radius=0.04", 1);
    assert_int_equal(info.n_frames, 31);
    for (int64_t k = 0; k < info.n_frames; ++k) {
        scree_frame frame;
        scree_step_report report;
        for (int i = 0; i < STEPS_PER_FRAME && k > 0; ++i) {
            check(scree_simulation_step(r.simulation, &report), "step", &r.host);
        }
        check(scree_recording_read(recording, k, &frame), "read", &host);
        check_frame(&frame, &r);
        n_contacts += frame.n_contacts;
    }
    require(n_contacts > 100, "a test without contacts");
    scree_world_view view = scree_simulation_view(r.simulation);
    require(view.n_bodies == 16, "%d bodies", view.n_bodies);
    check_info(&info, &r, &view);
    require(info.begin == 0.0 && info.end == view.time, "times");
    scree_frame frame;
    assert_int_equal(scree_recording_read(recording, info.n_frames, &frame), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_recording_read(recording, -1, &frame), SCREE_ERROR_ARGUMENT);
    scree_recording_close(recording);
    end_run(&r);
    remove("round_trip.h5");
}

static void test_same_hash_for_any_workers(void** state)
{
    (void)state;
    scree_recording_info info;
    record_whole("one.h5", NULL, 1);
    record_whole("two.h5", NULL, 2);
    record_whole("other.h5", "radius=0.0499999999999", 1);
    assert_true(hash_of("one.h5", &info) == hash_of("two.h5", &info));
    assert_true(hash_of("one.h5", &info) != hash_of("other.h5", &info));
    remove("one.h5");
    remove("two.h5");
    remove("other.h5");
}

/* A file is complete after every frame, also for somebody who opens it meanwhile. */
static void test_read_while_writing(void** state)
{
    (void)state;
    run r, second = {.scene = NULL};
    scree_recorder *recorder = NULL, *other = NULL;
    scree_recording_info info;
    record_whole("live.h5", "radius=0.03", 1); /* to be replaced */
    begin_run(&r, NULL, 1);
    check(begin_recorder(&r.env, "live.h5", r.simulation, &recorder), "create", &r.host);
    for (int64_t k = 0; k < 5; ++k) {
        hash_of("live.h5", &info);
        assert_int_equal(info.n_frames, k);
        assert_false(info.closed);
        check(scree_recorder_frame(recorder), "frame", &r.host);
        assert_int_equal(scree_recorder_n_frames(recorder), k + 1);
    }
    second.env = test_env(&second.host);
    assert_int_equal(
        scree_recorder_resume(&second.env, "live.h5", 1, &second.scene, &second.simulation, &other),
        SCREE_ERROR_FILE);
    assert_non_null(strstr(second.host.text, "another process is writing it"));
    assert_null(second.scene);
    assert_null(other);
    assert_int_equal(second.host.n_held, 0);
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    hash_of("live.h5", &info);
    assert_true(info.closed);
    end_run(&r);
    remove("live.h5");
}

/* ---- files beside the recording ---- */

static char* read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    require(file, "%s is not there", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char* bytes = test_take(*size + 1, 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static int count_lines(const char* path, const char* head)
{
    size_t size = 0;
    char* bytes = read_file(path, &size);
    int n = 0, columns = 1;
    require(strncmp(bytes, head, strlen(head)) == 0, "%s begins with %.60s", path, bytes);
    for (const char* at = bytes; *at && *at != '\n'; ++at) columns += *at == ',';
    for (char* line = strtok(bytes, "\n"); line; line = strtok(NULL, "\n")) {
        int found = 1;
        for (const char* at = line; *at; ++at) found += *at == ',';
        require(found == columns, "%s: %d columns of %d in %s", path, found, columns, line);
        ++n;
    }
    free(bytes);
    remove(path);
    return n;
}

/* ---- any world, and its last state ---- */

static int name_ball(void* user, scree_body_id body, char* text, size_t size)
{
    return snprintf(text, size, "%s %d", (const char*)user, (int)body.index1);
}

static scree_world* make_balls(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    check(scree_world_create(&def, &world), "world", NULL);
    const scree_material material = {.mu = 0.3};
    int32_t index;
    check(scree_world_add_material(world, &material, &index), "material", NULL);
    return world;
}

static scree_body_id add_ball(scree_world* world, double x)
{
    scree_shape shape = scree_default_shape();
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    shape.half_size[0] = 0.1;
    def.mass = 1.0;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 0.004;
    def.position[0] = x;
    check(scree_world_add_body(world, &def, 1, &shape, &id), "body", NULL);
    return id;
}

static void make_steps(scree_world* world, scree_recorder* recorder, int n)
{
    for (int k = 0; k < n; ++k) {
        scree_step_report report;
        check(scree_world_step(world, &report), "step", NULL);
        check(scree_recorder_step(recorder, &report), "recorder step", NULL);
    }
}

/* Without a scene: frames come when they are due, names from the program, and the last state is
 * there though none was due. */
static void test_embedded_world(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_world* world = make_balls();
    scree_recorder* recorder = NULL;
    add_ball(world, 0.0);
    scree_recorder_def def = scree_default_recorder_def();
    def.title = "Balls";
    def.interval = 0.0025; /* two and a half steps */
    def.name = name_ball;
    char kind[] = "ball";
    def.name_user = kind;
    check(scree_recorder_create(&env, "world.h5", world, &def, &recorder), "create", &host);
    check(scree_recorder_step(recorder, NULL), "first", &host);
    make_steps(world, recorder, 6);
    add_ball(world, 1.0);
    make_steps(world, recorder, 3);
    check(scree_recorder_close(recorder, 1), "close", &host);
    scree_world_view view = scree_world_get_view(world);
    scree_recording* recording = open_recording("world.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    static const int64_t steps[] = {0, 3, 5, 8, 9};
    assert_int_equal(info.n_frames, 5);
    for (int k = 0; k < 5; ++k) {
        scree_frame f;
        check(scree_recording_read(recording, k, &f), "read", &host);
        assert_int_equal(f.step, steps[k]);
        assert_int_equal(f.n_bodies, k < 3 ? 1 : 2);
        if (k == 4) assert_memory_equal(f.position, view.position, 6 * sizeof(double));
    }
    assert_string_equal(info.title, "Balls");
    assert_string_equal(info.scene, "");
    assert_string_equal(info.name[1], "ball 2");
    assert_true(info.complete);
    scree_recording_close(recording);
    scree_world_destroy(world);
    run r = {.scene = NULL};
    assert_int_equal(scree_recorder_resume(&env, "world.h5", 1, &r.scene, &r.simulation, &recorder),
                     SCREE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(host.text, "no scene file"));
    assert_int_equal(host.n_held, 0);
    remove("world.h5");
}

/* Bodies that come and go: a slot that is used again is another body, and what is gone is NaN. */
static void test_bodies_that_go(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_world* world = make_balls();
    scree_recorder* recorder = NULL;
    scree_recorder_def def = scree_default_recorder_def();
    def.interval = 1e-3;
    scree_body_id never = add_ball(world, 9.0), first = add_ball(world, 0.0);
    check(scree_world_remove_body(world, never), "removal", &host);
    add_ball(world, 1.0); /* in the slot of the one that no frame ever met */
    scree_body_id last = add_ball(world, 0.19);
    check(scree_recorder_create(&env, "go.h5", world, &def, &recorder), "create", &host);
    check(scree_recorder_step(recorder, NULL), "first", &host);
    make_steps(world, recorder, 1);
    check(scree_world_remove_body(world, first), "removal", &host);
    make_steps(world, recorder, 1);
    add_ball(world, 0.37);
    make_steps(world, recorder, 1);
    check(scree_world_remove_body(world, last), "removal", &host);
    make_steps(world, recorder, 1);
    check(scree_recorder_close(recorder, 1), "close", &host);
    scree_recording* recording = open_recording("go.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    static const int32_t slot[] = {0, 1, 2, 1};
    static const uint32_t generation[] = {1, 0, 0, 1};
    static const uint8_t there[5][4] = {
        {1, 1, 1, 0}, {1, 1, 1, 0}, {1, 0, 1, 0}, {1, 0, 1, 1}, {1, 0, 0, 1}};
    assert_int_equal(info.n_frames, 5);
    assert_int_equal(info.n_bodies, 4);
    assert_int_equal(info.n_shapes, 4);
    assert_memory_equal(info.slot, slot, sizeof slot);
    assert_memory_equal(info.generation, generation, sizeof generation);
    int n_there = 0;
    for (int k = 0; k < 5; ++k) {
        scree_frame f;
        check(scree_recording_read(recording, k, &f), "read", &host);
        assert_int_equal(f.n_bodies, k < 3 ? 3 : 4);
        for (int b = 0; b < 4; ++b) {
            assert_int_equal(scree_frame_holds(&f, b), there[k][b]);
            n_there += there[k][b];
            if (b < f.n_bodies) assert_int_equal(isnan(f.velocity[3 * b]), !there[k][b]);
        }
        require(fabs(f.position[0] - 1.0) < 1e-9, "ball 0 at %g", f.position[0]);
        if (k >= 3) require(fabs(f.position[9] - 0.37) < 0.01, "ball 3 at %g", f.position[9]);
        for (int c = 0; c < f.n_contacts; ++c) {
            assert_true(there[k][f.pair[2 * c]] && there[k][f.pair[2 * c + 1]]);
        }
        if (k == 3) { /* the two that overlap by a centimetre: slots 1 and 2, rows 2 and 3 */
            assert_int_equal(f.n_contacts, 1);
            assert_int_equal(f.pair[0] + f.pair[1], 5);
        }
    }
    assert_false(scree_frame_holds(&(scree_frame){.n_bodies = 0}, 0));
    check(scree_export_csv(&env, recording, "go", 1), "csv", &host);
    assert_int_equal(count_lines("go_bodies.csv", "frame,time [s],body,name,"), 1 + n_there);
    check(scree_export_vtk(&env, recording, "go", 1), "vtk", &host);
    size_t size = 0;
    char* bytes = read_file("go_000004.vtp", &size);
    assert_non_null(strstr(bytes, "NumberOfPoints=\"2\""));
    free(bytes);
    check(scree_export_page(&env, recording, "go.html"), "page", &host);
    scree_recording_close(recording);
    scree_world_destroy(world);
    assert_int_equal(host.n_held, 0);
    for (int k = 0; k < 5; ++k) {
        char name[32];
        snprintf(name, sizeof name, "go_%06d.vtp", k);
        remove(name);
        snprintf(name, sizeof name, "go_contacts_%06d.vtp", k);
        remove(name);
    }
    static const char* const left[] = {"go.h5",           "go.html",       "go.pvd",
                                       "go_contacts.pvd", "go_frames.csv", "go_contacts.csv"};
    for (size_t k = 0; k < sizeof left / sizeof left[0]; ++k) remove(left[k]);
}

static void test_bad_definitions(void** state)
{
    (void)state;
    scree_world* world = make_balls();
    scree_recorder* recorder = NULL;
    scree_recorder_def def = scree_default_recorder_def();
    assert_int_equal(scree_recorder_create(NULL, NULL, world, &def, &recorder),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_recorder_create(NULL, "x.h5", NULL, &def, &recorder),
                     SCREE_ERROR_ARGUMENT);
    def.interval = (double)NAN;
    assert_int_equal(scree_recorder_create(NULL, "x.h5", world, &def, &recorder),
                     SCREE_ERROR_ARGUMENT);
    def = scree_default_recorder_def();
    def.cookie = 0;
    assert_int_equal(scree_recorder_create(NULL, "x.h5", world, &def, &recorder),
                     SCREE_ERROR_ARGUMENT);
    assert_int_not_equal(access("x.h5", F_OK), 0);
    scree_world_destroy(world);
}

/* Runs to `until`, off the frames' grid, with the last state recorded. */
static void record_until(const char* path, double until, bool again)
{
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    if (again) {
        r.env = test_env(&r.host);
        check(scree_recorder_resume(&r.env, path, 1, &r.scene, &r.simulation, &recorder), "resume",
              &r.host);
    } else {
        begin_run(&r, NULL, 1);
        check(begin_recorder(&r.env, path, r.simulation, &recorder), "create", &r.host);
    }
    scree_simulation_set_end(r.simulation, until);
    check(record(recorder, r.simulation), "record", &r.host);
    check(scree_recorder_checkpoint(recorder, r.simulation), "checkpoint", &r.host);
    check(scree_recorder_last_frame(recorder), "last", &r.host);
    check(scree_recorder_close(recorder, 0), "close", &r.host);
    end_run(&r);
}

static void check_end(const char* path, int64_t n_frames, double end)
{
    scree_recording_info info;
    hash_of(path, &info);
    assert_int_equal(info.n_frames, n_frames);
    require(fabs(info.end - end) < 1e-12, "the last frame is at %g s, not %g s", info.end, end);
    require(info.closed && !info.complete, "closed %d, complete %d", info.closed, info.complete);
}

/* Frames stand at multiples of 5 ms and at the end; the one at the end is gone when the recording
 * has gone on, and what comes out is what a run in one go gives. */
static void test_last_state(void** state)
{
    (void)state;
    record_whole("whole.h5", NULL, 1);
    record_until("last.h5", 0.012, false);
    check_end("last.h5", 4, 0.012);
    record_until("last.h5", 0.012, true); /* nothing new */
    check_end("last.h5", 4, 0.012);
    record_until("last.h5", 0.013, true); /* no regular frame in between */
    check_end("last.h5", 4, 0.013);
    record_until("last.h5", 0.023, true);
    check_end("last.h5", 6, 0.023);
    record_until("last.h5", 0.025, true); /* a regular one in its place */
    check_end("last.h5", 6, 0.025);
    resume_to_end("last.h5", "whole.h5");
    remove("last.h5");
    remove("whole.h5");
}

/* ---- files that must not be replaced ---- */

static void refuse_to_replace(const char* path, const char* part)
{
    run r;
    scree_recorder* recorder = NULL;
    begin_run(&r, NULL, 1);
    scree_recorder_def def = scree_simulation_recorder_def(r.simulation);
    assert_int_equal(
        scree_recorder_create(&r.env, path, scree_simulation_world(r.simulation), &def, &recorder),
        SCREE_ERROR_FILE);
    require(strstr(r.host.text, part), "\"%s\" instead of \"%s\"", r.host.text, part);
    assert_null(recorder);
    end_run(&r);
}

static void test_files_that_stay(void** state)
{
    (void)state;
    char text[32] = "";
    FILE* file = fopen("thesis.txt", "w");
    assert_non_null(file);
    fputs("years of work", file);
    fclose(file);
    refuse_to_replace("thesis.txt", "thesis.txt: is there and is not a recording");
    file = fopen("thesis.txt", "r");
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "years of work");
    record_until("thesis.txt", 0.012, false); /* by force */
    refuse_to_replace("thesis.txt", "holds 4 frames of a run that was interrupted");
    check_end("thesis.txt", 4, 0.012);
    fclose(fopen("empty.h5", "w")); /* nothing to lose */
    run r;
    scree_recorder* recorder = NULL;
    begin_run(&r, NULL, 1);
    scree_recorder_def def = scree_simulation_recorder_def(r.simulation);
    check(scree_recorder_create(&r.env, "empty.h5", scree_simulation_world(r.simulation), &def,
                                &recorder),
          "create", &r.host);
    check(scree_recorder_frame(recorder), "frame", &r.host);
    refuse_to_replace("empty.h5", "empty.h5: another process is writing it");
    scree_recorder* other = NULL;
    assert_int_equal(begin_recorder(&r.env, "empty.h5", r.simulation, &other), SCREE_ERROR_FILE);
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    check(begin_recorder(&r.env, "empty.h5", r.simulation, &recorder), "complete", &r.host);
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    end_run(&r);
    remove("empty.h5");
    remove("thesis.txt");
}

/* Of many processes that begin the same recording at the same time one goes on, and all others are
 * told; the file is that of the one. */
static void test_many_beginners(void** state)
{
    (void)state;
    enum { N = 6 };
    pid_t child[N];
    int n_winners = 0;
    remove("race.h5");
    fflush(NULL);
    for (int k = 0; k < N; ++k) {
        child[k] = fork();
        if (child[k] != 0) continue;
        run r;
        scree_recorder* recorder = NULL;
        begin_run(&r, NULL, 1);
        scree_status status = begin_recorder(NULL, "race.h5", r.simulation, &recorder);
        if (status) _exit(1);
        struct timespec pause = {0, 300000000}; /* the others come meanwhile */
        nanosleep(&pause, NULL);
        status = record(recorder, r.simulation);
        if (!status) status = scree_recorder_close(recorder, 1);
        _exit(status ? 2 : 0);
    }
    for (int k = 0; k < N; ++k) {
        int how = 0;
        waitpid(child[k], &how, 0);
        require(WIFEXITED(how) && WEXITSTATUS(how) < 2, "child %d: %x", k, (unsigned)how);
        n_winners += WEXITSTATUS(how) == 0;
    }
    require(n_winners >= 1, "nobody recorded");
    scree_recording_info info;
    hash_of("race.h5", &info);
    assert_int_equal(info.n_frames, 31);
    assert_true(info.complete);
    remove("race.h5");
}

/* ---- writes that fail ---- */

/* Lets the k-th write and all after it fail. What is left is a recording of all frames that the
 * recorder had reported as written, and goes on to the same end. Returns whether all writes came
 * through. */
static bool record_with_writes(const char* path, const char* whole, int64_t k, bool go_on)
{
    run r;
    scree_recorder* recorder = NULL;
    begin_run(&r, NULL, 1);
    scree_simulation_set_end(r.simulation, 0.03);
    check(begin_recorder(&r.env, path, r.simulation, &recorder), "create", &r.host);
    recorder->disk.writes_left = k;
    scree_status status = record(recorder, r.simulation);
    int64_t n = scree_recorder_n_frames(recorder);
    if (status) {
        assert_int_equal(status, SCREE_ERROR_FILE);
        require(strstr(r.host.text, "cannot write: No space left on device"), "%s", r.host.text);
        assert_int_equal(scree_recorder_frame(recorder), SCREE_ERROR_FILE);
        assert_int_equal(scree_recorder_checkpoint(recorder, r.simulation), SCREE_ERROR_FILE);
        assert_int_equal(scree_recorder_close(recorder, 1), SCREE_ERROR_FILE);
    } else {
        status = scree_recorder_close(recorder, 1);
    }
    end_run(&r);
    int64_t found = check_prefix(path, whole);
    require(found == n || found == n + 1, "%d frames of %d", (int)found, (int)n);
    if (go_on) resume_to_end(path, whole);
    return status == SCREE_OK;
}

static void test_every_prefix_is_a_recording(void** state)
{
    (void)state;
    int64_t k = 0;
    record_whole("whole.h5", NULL, 1);
    while (!record_with_writes("prefix.h5", "whole.h5", k, k % 10 == 0)) k += test_cases(11, 1);
    print_message("every prefix: %d writes\n", (int)k);
    require(k > 200, "%d writes only", (int)k);
    remove("prefix.h5");
    remove("whole.h5");
}

/* Records until the file has reached `most` bytes. The limit is gone before the recorder closes,
 * and still nothing more may be written. */
static void record_with_limit(rlim_t most)
{
    run r;
    scree_recorder* recorder = NULL;
    struct rlimit old, limit;
    begin_run(&r, NULL, 1);
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &limit);
    scree_status status = begin_recorder(&r.env, "limit.h5", r.simulation, &recorder);
    if (!status) status = record(recorder, r.simulation);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, SCREE_ERROR_FILE);
    require(strstr(r.host.text, "limit.h5: cannot write: File too large"), "%s", r.host.text);
    if (recorder) assert_int_equal(scree_recorder_close(recorder, 1), SCREE_ERROR_FILE);
    end_run(&r);
}

static void test_size_limit(void** state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    record_whole("whole.h5", NULL, 1);
    record_with_limit(4096); /* too little to begin with */
    assert_int_not_equal(access("limit.h5", F_OK), 0);
    assert_int_not_equal(access("limit.h5.part0", F_OK), 0);
    for (rlim_t most = 26000; most < 150000; most += 9000) {
        record_with_limit(most);
        check_prefix("limit.h5", "whole.h5");
        resume_to_end("limit.h5", "whole.h5");
    }
    remove("limit.h5");
    remove("whole.h5");
}

static void test_unwritable(void** state)
{
    (void)state;
    run r;
    scree_recorder* recorder = NULL;
    begin_run(&r, NULL, 1);
    assert_int_equal(begin_recorder(&r.env, "missing/x.h5", r.simulation, &recorder),
                     SCREE_ERROR_FILE);
    assert_non_null(strstr(r.host.text, "missing/x.h5: cannot write: No such file or directory"));
    mkdir("folder.h5", 0700);
    assert_int_equal(begin_recorder(&r.env, "folder.h5", r.simulation, &recorder),
                     SCREE_ERROR_FILE);
    assert_non_null(strstr(r.host.text, "folder.h5: cannot write: Is a directory"));
    assert_null(recorder);
    rmdir("folder.h5");
    end_run(&r);
}

/* ---- kills ---- */

static pid_t start_child(const char* path, bool again)
{
    fflush(NULL);
    pid_t child = fork();
    require(child >= 0, "fork failed");
    if (child > 0) return child;
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    scree_status status = SCREE_OK;
    if (again) {
        status = scree_recorder_resume(NULL, path, 1, &r.scene, &r.simulation, &recorder);
    } else {
        begin_run(&r, NULL, 1);
        status = begin_recorder(NULL, path, r.simulation, &recorder);
    }
    if (!status) status = record(recorder, r.simulation);
    if (!status) status = scree_recorder_close(recorder, 1);
    _exit(status ? 1 : 0);
}

/* Kills the child after a while, if it is still there. */
static void kill_child(pid_t child, scri_random* random, double most)
{
    double wait = most * scri_random_uniform(random);
    struct timespec time = {(time_t)wait, (long)((wait - floor(wait)) * 1e9)};
    int how = 0;
    nanosleep(&time, NULL);
    kill(child, SIGKILL);
    waitpid(child, &how, 0);
    require(WIFSIGNALED(how) || (WIFEXITED(how) && WEXITSTATUS(how) == 0), "the child failed");
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_kills(void** state)
{
    (void)state;
    scri_random random = test_seed("kills", 20261115);
    int64_t sum = 0, most = 0;
    const int n_kills = test_cases(6, 50);
    double begin = seconds();
    record_whole("whole.h5", NULL, 1);
    double once = seconds() - begin;
    for (int k = 0; k < n_kills; ++k) {
        remove("killed.h5");
        kill_child(start_child("killed.h5", false), &random, 1.2 * once);
        remove("killed.h5.part0");
        if (access("killed.h5", F_OK) != 0) continue; /* before there was a file */
        int64_t n = check_prefix("killed.h5", "whole.h5");
        for (int again = 0; again < 2; ++again) {
            kill_child(start_child("killed.h5", true), &random, once);
            int64_t now = check_prefix("killed.h5", "whole.h5");
            require(now >= n, "a resume lost frames: %d, then %d", (int)n, (int)now);
            n = now;
        }
        resume_to_end("killed.h5", "whole.h5");
        resume_to_end("killed.h5", "whole.h5"); /* nothing is left to do */
        sum += n;
        most = n > most ? n : most;
    }
    print_message("kills: %d frames left on average, %d at most\n", (int)(sum / n_kills),
                  (int)most);
    remove("killed.h5");
    remove("whole.h5");
}

/* ---- files that are no recordings, or not sound ones ---- */

/* Opening `path` fails with `status` and one message that contains `part`. */
static void check_refused(const char* path, scree_status status, const char* part)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_recording* recording = NULL;
    scree_status found = scree_recording_open(&env, path, &recording);
    require(found == status && host.n_logged == 1 && strstr(host.text, part),
            "%s: status %d, %d messages, \"%s\" instead of \"%s\"", path, (int)found, host.n_logged,
            host.text, part);
    assert_null(recording);
    assert_int_equal(host.n_held, 0);
}

static void copy_part(const char* from, const char* to, long size)
{
    char* bytes = test_take((size_t)size, 1);
    FILE* file = fopen(from, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    fclose(file);
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, (size_t)size, file), size);
    fclose(file);
    free(bytes);
}

static void test_not_a_recording(void** state)
{
    (void)state;
    struct stat found;
    FILE* file = fopen("bad.h5", "w");
    assert_non_null(file);
    fputs("title: not an HDF5 file\n", file);
    fclose(file);
    check_refused("bad.h5", SCREE_ERROR_FORMAT, "bad.h5: is not a recording (not an HDF5 file)");
    check_refused("none.h5", SCREE_ERROR_FILE, "none.h5: cannot open: No such file");
    check_refused(SCREE_FIXTURES "/local.hdf5", SCREE_ERROR_FORMAT,
                  "local.hdf5: is not a recording");
    record_whole("whole.h5", NULL, 1);
    assert_int_equal(stat("whole.h5", &found), 0);
    for (long part = 100; part < found.st_size; part += found.st_size / 9) {
        copy_part("whole.h5", "bad.h5", part);
        check_refused("bad.h5", SCREE_ERROR_FORMAT, "bad.h5");
    }
    remove("bad.h5");
    remove("whole.h5");
}

/* Overwrites one row of a column of integers. */
static void spoil(const char* path, const char* column, hsize_t row, int64_t value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t id = H5Dopen2(file, column, H5P_DEFAULT), space = H5Dget_space(id);
    hsize_t one = 1;
    hid_t memory = H5Screate_simple(1, &one, NULL);
    if (H5Sget_simple_extent_ndims(space) == 1) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &row, NULL, &one, NULL);
    } else {
        hsize_t from[2] = {row, 0}, count[2] = {1, 1};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
    }
    assert_true(H5Dwrite(id, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(id);
    H5Fclose(file);
}

static void test_damaged_values(void** state)
{
    (void)state;
    static const struct {
        const char* column;
        hsize_t row;
        int64_t value;
        scree_status status;
        const char* part;
    } faults[] = {
        {"/scene/schema", 0, 3, SCREE_ERROR_UNSUPPORTED,
         "has schema 3; this version reads up to 2"},
        {"/scene/schema", 0, -1, SCREE_ERROR_FORMAT, "/scene/schema"},
        {"/scene/n_settings", 0, 1, SCREE_ERROR_FORMAT, "/scene/settings/0: is missing"},
        {"/scene/step", 0, 0, SCREE_ERROR_FORMAT, "/scene/step: is not positive"},
        {"/frames/n_bodies", 3, 1 << 30, SCREE_ERROR_FORMAT, "/frames: row 4"},
        {"/frames/n_bodies", 30, INT32_MAX, SCREE_ERROR_FORMAT, "rows where"},
        {"/frames/n_bodies", 0, -1, SCREE_ERROR_FORMAT, "/frames: row 0"},
        {"/frames/body_offset", 5, INT64_MAX, SCREE_ERROR_FORMAT, "/frames: row 5"},
        {"/frames/n_contacts", 30, INT32_MAX, SCREE_ERROR_FORMAT, "rows where"},
        {"/frames/contact_offset", 9, -8, SCREE_ERROR_FORMAT, "/frames: row 9"},
        {"/frames/n_shapes", 30, 1 << 20, SCREE_ERROR_FORMAT, "/shapes/kind"},
        {"/frames/step", 2, -1, SCREE_ERROR_FORMAT, "/frames: row 2"},
        {"/frames/time", 2, 1000, SCREE_ERROR_FORMAT, "/frames: row 3"},
        {"/bodies/kind", 2, 200, SCREE_ERROR_FORMAT, "body 2 has the unknown kind 200"},
        {"/bodies/slot", 3, -1, SCREE_ERROR_FORMAT, "body 3 cannot have slot -1"},
        {"/scene/closed", 0, 3, SCREE_ERROR_FORMAT, "/scene/closed"},
        {"/shapes/kind", 1, 99, SCREE_ERROR_FORMAT, "/shapes: row 1"},
        {"/shapes/body", 1, 1 << 20, SCREE_ERROR_FORMAT, "/shapes: row 1"},
        {"/shapes/body", 4, 0, SCREE_ERROR_FORMAT, "/shapes: row 4"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; ++k) {
        if (k == 0) record_whole("whole.h5", NULL, 1);
        struct stat found;
        assert_int_equal(stat("whole.h5", &found), 0);
        copy_part("whole.h5", "spoilt.h5", (long)found.st_size);
        spoil("spoilt.h5", faults[k].column, faults[k].row, faults[k].value);
        check_refused("spoilt.h5", faults[k].status, faults[k].part);
    }
    record_whole("spoilt.h5", NULL, 1);
    spoil("spoilt.h5", "/contacts/pair", 3, 1000);
    test_host host;
    scree_env env;
    uint64_t hash = 0;
    scree_recording* recording = open_recording("spoilt.h5", &host, &env);
    assert_int_equal(scree_recording_hash(recording, &hash), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(host.text, "has no body 1000"));
    scree_recording_close(recording);
    remove("spoilt.h5");
    remove("whole.h5");
}

/* A file of schema 1 lacks what is new since: it is read as it was, and not resumed. */
static void test_schema_1(void** state)
{
    (void)state;
    static const char* const later[] = {"/bodies/slot", "/bodies/generation", "/scene/extra"};
    scree_recording_info info;
    record_whole("old.h5", NULL, 1);
    uint64_t hash = hash_of("old.h5", &info);
    spoil("old.h5", "/scene/schema", 0, 1);
    hid_t file = H5Fopen("old.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    for (int k = 0; k < 3; ++k) assert_true(H5Ldelete(file, later[k], H5P_DEFAULT) >= 0);
    H5Fclose(file);
    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("old.h5", &host, &env);
    info = scree_recording_get_info(recording);
    assert_int_equal(info.schema, 1);
    assert_int_equal(info.slot[9], 9);
    assert_int_equal(info.generation[9], 0);
    scree_recording_close(recording);
    assert_true(hash_of("old.h5", &info) == hash);
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    assert_int_equal(scree_recorder_resume(&env, "old.h5", 1, &r.scene, &r.simulation, &recorder),
                     SCREE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(host.text, "earlier version"));
    remove("old.h5");
}

/* Many bytes of a checkpoint, those of the state of its bodies among them. */
static void spoil_saved(const char* path, const char* column)
{
    for (hsize_t row = 100; row < 1500; row += 100) spoil(path, column, row, 77);
}

/* Without a valid checkpoint a resume begins anew; a damaged one is passed over. */
static void test_damaged_checkpoints(void** state)
{
    (void)state;
    record_whole("whole.h5", NULL, 1);
    record_with_writes("saved.h5", "whole.h5", 400, false);
    spoil_saved("saved.h5", "/checkpoint/b"); /* the only one so far */
    resume_to_end("saved.h5", "whole.h5");
    spoil("saved.h5", "/checkpoint/head", 0, INT64_MAX);
    resume_to_end("saved.h5", "whole.h5");
    spoil_saved("saved.h5", "/checkpoint/a");
    spoil_saved("saved.h5", "/checkpoint/b");
    resume_to_end("saved.h5", "whole.h5");
    /* A recording that the simulation does not come to again. */
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    spoil("saved.h5", "/checkpoint/head", 0, 0);
    spoil("saved.h5", "/checkpoint/head", 1, 0);
    spoil("saved.h5", "/frames/kinetic", 2, 5);
    r.env = test_env(&r.host);
    check(scree_recorder_resume(&r.env, "saved.h5", 1, &r.scene, &r.simulation, &recorder),
          "resume", &r.host);
    assert_int_equal(record(recorder, r.simulation), SCREE_ERROR_INPUT);
    assert_non_null(strstr(r.host.text, "frame 2 does not come out as it was recorded"));
    assert_int_equal(scree_recorder_close(recorder, 1), SCREE_ERROR_FILE);
    end_run(&r);
    remove("saved.h5");
    remove("whole.h5");
}

static void test_out_of_memory(void** state)
{
    (void)state;
    run r;
    record_whole("memory.h5", NULL, 1);
    begin_run(&r, NULL, 1);
    for (long k = 0, done = 0; !done; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_recorder* recorder = NULL;
        host.fail_at = k;
        scree_status status = begin_recorder(&env, "short.h5", r.simulation, &recorder);
        if (!status) status = scree_recorder_frame(recorder);
        if (!status) status = scree_recorder_checkpoint(recorder, r.simulation);
        require(!status || (status == SCREE_ERROR_MEMORY && host.n_logged == 1), "status %d: %s",
                (int)status, host.text);
        done = !status;
        if (recorder)
            assert_int_equal(scree_recorder_close(recorder, 1), done ? 0 : SCREE_ERROR_FILE);
        assert_int_equal(host.n_held, 0);
    }
    for (long k = 0, done = 0; !done; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_recording* recording = NULL;
        uint64_t hash = 0;
        host.fail_at = k;
        scree_status status = scree_recording_open(&env, "memory.h5", &recording);
        if (!status) status = scree_recording_hash(recording, &hash);
        if (!status) status = scree_export_vtk(&env, recording, "short", 20);
        if (!status) status = scree_export_csv(&env, recording, "short", 20);
        require(!status || (status == SCREE_ERROR_MEMORY && host.n_logged == 1), "status %d: %s",
                (int)status, host.text);
        done = !status;
        scree_recording_close(recording);
        assert_int_equal(host.n_held, 0);
    }
    static const char* const left[] = {"memory.h5",
                                       "short.h5",
                                       "short.pvd",
                                       "short_contacts.pvd",
                                       "short_000000.vtp",
                                       "short_000020.vtp",
                                       "short_contacts_000000.vtp",
                                       "short_contacts_000020.vtp",
                                       "short_frames.csv",
                                       "short_bodies.csv",
                                       "short_contacts.csv"};
    end_run(&r);
    for (size_t k = 0; k < sizeof left / sizeof left[0]; ++k) remove(left[k]);
}

/* ---- export ---- */

/* The blocks behind the XML have the sizes that the description asks for, and nothing follows. */
static void check_vtp(const char* path, int32_t n, const size_t* size, int n_blocks,
                      const void* first)
{
    size_t length = 0;
    char* bytes = read_file(path, &length);
    char want[64];
    snprintf(want, sizeof want, "NumberOfPoints=\"%d\"", (int)n);
    require(strstr(bytes, want), "%s: not %s", path, want);
    const char* at = strstr(bytes, "encoding=\"raw\">\n_");
    assert_non_null(at);
    at += strlen("encoding=\"raw\">\n_");
    const char* begin = at;
    for (int k = 0; k < n_blocks; ++k) {
        uint64_t block = 0;
        snprintf(want, sizeof want, "offset=\"%d\"", (int)(at - begin));
        require(strstr(bytes, want), "%s: no array with %s", path, want);
        memcpy(&block, at, sizeof block);
        require(block == size[k] * (size_t)n, "%s: block %d has %d bytes", path, k, (int)block);
        if (k == 0 && n > 0) assert_memory_equal(at + sizeof block, first, block);
        at += sizeof block + block;
    }
    assert_string_equal(at, "\n</AppendedData>\n</VTKFile>\n");
    free(bytes);
    remove(path);
}

static void test_vtk(void** state)
{
    (void)state;
    static const size_t body_sizes[] = {24, 8, 8, 4, 1, 8, 8, 32, 24, 24};
    static const size_t contact_sizes[] = {12, 8, 8, 8, 12, 12, 12, 4};
    test_host host;
    scree_env env;
    char path[64];
    size_t size = 0;
    record_whole("out.h5", NULL, 1);
    scree_recording* recording = open_recording("out.h5", &host, &env);
    assert_int_equal(scree_export_vtk(&env, recording, "out", 0), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_export_vtk(&env, recording, "missing/out", 1), SCREE_ERROR_FILE);
    check(scree_export_vtk(&env, recording, "out", 10), "export", &host);
    char* list = read_file("out_contacts.pvd", &size);
    for (int64_t k = 0; k < 31; k += 10) {
        scree_frame f;
        check(scree_recording_read(recording, k, &f), "read", &host);
        snprintf(path, sizeof path, "out_%06d.vtp", (int)k);
        check_vtp(path, f.n_bodies, body_sizes, 10, f.position);
        snprintf(path, sizeof path, "out_contacts_%06d.vtp", (int)k);
        assert_non_null(strstr(list, path));
        check_vtp(path, f.n_contacts, contact_sizes, 8, f.point);
    }
    const char* second = strstr(list, "<DataSet timestep=\"5.0");
    assert_non_null(second);
    assert_non_null(strstr(second, "file=\"out_contacts_000010.vtp\"/>"));
    free(list);
    scree_recording_close(recording);
    remove("out.h5");
    remove("out.pvd");
    remove("out_contacts.pvd");
}

static void test_csv(void** state)
{
    (void)state;
    test_host host;
    scree_env env;
    int bodies = 0, contacts = 0;
    record_whole("out.h5", NULL, 1);
    scree_recording* recording = open_recording("out.h5", &host, &env);
    assert_int_equal(scree_export_csv(&env, recording, "missing/out", 1), SCREE_ERROR_FILE);
    check(scree_export_csv(&env, recording, "out", 3), "export", &host);
    for (int64_t k = 0; k < 31; k += 3) {
        scree_frame f;
        check(scree_recording_read(recording, k, &f), "read", &host);
        bodies += f.n_bodies;
        contacts += f.n_contacts;
    }
    assert_int_equal(count_lines("out_frames.csv", "frame,time [s],step,"), 12);
    assert_int_equal(count_lines("out_bodies.csv", "frame,time [s],body,name,"), 1 + bodies);
    assert_int_equal(count_lines("out_contacts.csv", "frame,time [s],body a,"), 1 + contacts);
    scree_recording_close(recording);
    remove("out.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_same_hash_for_any_workers),
        cmocka_unit_test(test_read_while_writing),
        cmocka_unit_test(test_embedded_world),
        cmocka_unit_test(test_bodies_that_go),
        cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_last_state),
        cmocka_unit_test(test_files_that_stay),
        cmocka_unit_test(test_many_beginners),
        cmocka_unit_test(test_every_prefix_is_a_recording),
        cmocka_unit_test(test_size_limit),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_kills),
        cmocka_unit_test(test_not_a_recording),
        cmocka_unit_test(test_damaged_values),
        cmocka_unit_test(test_schema_1),
        cmocka_unit_test(test_damaged_checkpoints),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_vtk),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
