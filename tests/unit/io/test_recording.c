/* Recordings: what is written is read, of scenes and of any world, and goes out as other files. */
#define _POSIX_C_SOURCE 200809L /* access */

#include "io/recording.h"
#include "unit/io/recording_runs.h"

#include <math.h>
#include <unistd.h>

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

/* What (21) of Acary & Bourrier says of the impulses of a mode; rows N T T R R S. */
static void check_mode(uint8_t mode, const double* p, const double* mu)
{
    const double length[3] = {hypot(p[1], p[2]), hypot(p[3], p[4]), fabs(p[5])};
    assert_true(mode <= SCREE_MODE_OPEN);
    require(mode == SCREE_MODE_OPEN ? p[0] <= 1e-5 : p[0] > 0.0, "%s with p_N = %g",
            scree_friction_mode_name(mode), p[0]);
    for (int k = 0; k < 3 && mode < SCREE_MODE_OPEN; ++k) {
        require(!(mode >> k & 1) || length[k] >= 0.98 * mu[k] * p[0], "%s, yet %g of %g",
                scree_friction_mode_name(mode), length[k], mu[k] * p[0]);
    }
}

/* Forces against the impulses, seen from the contact frames. */
static void check_contacts(const scree_frame* frame, const scree_world_view* view, double step)
{
    assert_int_equal(frame->n_contacts, view->n_contacts);
    for (size_t c = 0; c < (size_t)frame->n_contacts; ++c) {
        const double* axes = view->problem->bodies.frame + 9 * c;
        const double* p = view->impulse + view->problem->first_row[c];
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
        check_mode(frame->mode[c], p, view->problem->coef + 3 * c);
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
    check(scree_world_create(NULL, &def, &world), "world", NULL);
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

/* A body that is taken away after a step, as by a sink, takes its own contacts along and no other.
 */
static void test_contacts_outlast_a_removal(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_world* world = make_balls();
    scree_recorder* recorder = NULL;
    scree_body_id floor, second = {0};
    scree_body_def ground = scree_default_body_def();
    scree_shape plane = scree_default_shape();
    ground.kind = SCREE_BODY_STATIC;
    ground.position[2] = -0.1;
    plane.kind = SCREE_SHAPE_HALF_SPACE;
    check(scree_world_add_body(world, &ground, 1, &plane, &floor), "floor", NULL);
    for (int k = 0; k < 3; ++k) {
        scree_body_id ball = add_ball(world, k);
        if (k == 1) second = ball;
    }
    scree_recorder_def def = scree_default_recorder_def();
    def.interval = 1.0;
    check(scree_recorder_create(&env, "removal.h5", world, &def, &recorder), "create", &host);
    make_steps(world, recorder, 5);
    check(scree_recorder_frame(recorder), "before", &host);
    check(scree_world_remove_body(world, second), "removal", NULL);
    check(scree_recorder_frame(recorder), "after", &host);
    check(scree_recorder_close(recorder, 1), "close", &host);
    scree_recording* recording = open_recording("removal.h5", &host, &env);
    int64_t n_frames = scree_recording_get_info(recording).n_frames;
    scree_frame f;
    for (int k = 0; k < 2; ++k) {
        check(scree_recording_read(recording, n_frames - 2 + k, &f), "read", &host);
        assert_int_equal(f.n_contacts, 3 - k);
        for (int32_t c = 0; c < f.n_contacts; ++c) {
            double force = (double)f.force[3 * c + 2], x = (double)f.point[3 * c];
            int32_t ball = f.pair[2 * c] ? f.pair[2 * c] : f.pair[2 * c + 1];
            require(fabs(fabs(force) - 9.81) <= 1e-4, "contact %d carries %g N", (int)c, force);
            require(fabs(x - (k ? 2 * c : c)) <= 1e-6, "contact %d is at %g", (int)c, x);
            assert_int_equal(ball, (k ? 2 * c : c) + 1);
            assert_int_equal(f.mode[c], k ? SCREE_MODE_NONE : SCREE_MODE_STICK);
        }
    }
    scree_recording_close(recording);
    scree_world_destroy(world);
    remove("removal.h5");
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
    check(scree_export_csv(&env, recording, "go", NULL), "csv", &host);
    assert_int_equal(count_lines("go_bodies.csv", "frame,time [s],body,name,"), 1 + n_there);
    check(scree_export_vtk(&env, recording, "go", NULL), "vtk", &host);
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
    def.struct_size = 0;
    assert_int_equal(scree_recorder_create(NULL, "x.h5", world, &def, &recorder),
                     SCREE_ERROR_ARGUMENT);
    assert_int_not_equal(access("x.h5", F_OK), 0);
    scree_world_destroy(world);
}

/* Frames stand at multiples of 5 ms and at the end; the one at the end is gone when the recording
 * has gone on, and what comes out is what a run in one go gives. */
static void test_last_state(void** state)
{
    (void)state;
    record_whole("complete.h5", NULL, 1);
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
    resume_to_end("last.h5", "complete.h5");
    remove("last.h5");
    remove("complete.h5");
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
    static const size_t contact_sizes[] = {12, 8, 8, 8, 12, 12, 12, 4, 1};
    test_host host;
    scree_env env;
    char path[64];
    size_t size = 0;
    record_whole("out.h5", NULL, 1);
    scree_recording* recording = open_recording("out.h5", &host, &env);
    scree_export_def def = scree_default_export_def();
    def.stride = 0;
    assert_int_equal(scree_export_vtk(&env, recording, "out", &def), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_export_vtk(&env, recording, "missing/out", NULL), SCREE_ERROR_FILE);
    def.stride = 10;
    check(scree_export_vtk(&env, recording, "out", &def), "export", &host);
    char* list = read_file("out_contacts.pvd", &size);
    for (int64_t k = 0; k < 31; k += 10) {
        scree_frame f;
        check(scree_recording_read(recording, k, &f), "read", &host);
        snprintf(path, sizeof path, "out_%06d.vtp", (int)k);
        check_vtp(path, f.n_bodies, body_sizes, 10, f.position);
        snprintf(path, sizeof path, "out_contacts_%06d.vtp", (int)k);
        assert_non_null(strstr(list, path));
        check_vtp(path, f.n_contacts, contact_sizes, 9, f.point);
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
    scree_export_def def = scree_default_export_def();
    def.stride = 3;
    assert_int_equal(scree_export_csv(&env, recording, "missing/out", NULL), SCREE_ERROR_FILE);
    check(scree_export_csv(&env, recording, "out", &def), "export", &host);
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
        cmocka_unit_test(test_contacts_outlast_a_removal),
        cmocka_unit_test(test_embedded_world),
        cmocka_unit_test(test_bodies_that_go),
        cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_last_state),
        cmocka_unit_test(test_vtk),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
