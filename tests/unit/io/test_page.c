/* The page of a recording: its records come back as they should, its text cannot break out of the
 * page, and it is written whole or not at all. */
#include "io/embedded.h"
#include "io/page.h"
#include "math/vec.h"
#include "support/draw.h"
#include "support/test.h"

/* A plate with a ball that stays, one that misses it, a spinning capsule and a driven box. The
 * texts try to end the element that holds them. */
static const char scene_text[] =
    "title: 'Pile </script><script>alert(1)</script> <!-- & \"quoted\" \\ end'\n"
    "parameters: {mu: {value: 0.4, meaning: 'a </script> b'}}\n"
    "world: {step: 0.01, theta: 1}\n"
    "materials: {grain: {mu: mu}}\n"
    "bodies:\n"
    "  - {name: plate, kind: static, position: [0, 0, -0.1],\n"
    "     shape: {type: box, size: [1, 1, 0.2]}}\n"
    "  - {name: ball, position: [0, 0, 0.1], velocity: [0.2, 0, 0],\n"
    "     shape: {type: sphere, radius: 0.1}}\n"
    "  - {name: lost, position: [2, 0, 1], shape: {type: sphere, radius: 0.1}}\n"
    "  - {name: pin, position: [0.3, 0.3, 0.2], angular_velocity: [1, 2, 3],\n"
    "     shape: {type: capsule, radius: 0.05, length: 0.1}}\n"
    "  - {name: pusher, kind: kinematic, position: [-2, 0, 1], velocity: [0.1, 0, 0],\n"
    "     shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
    "stop: {time: 2}\n"
    "output: {interval: 0.02}\n";

enum { PLATE, BALL, LOST, PIN, PUSHER, N_BODIES };

static const char recording_path[] = "scratch-page.h5";
static const char page_path[] = "scratch-page.html";

/* ---- support ---- */

static void check(scree_status status, const char* what)
{
    if (status) fail_msg("%s: %s", what, scree_status_text(status));
}

static int make_recording(void** state)
{
    (void)state;
    static const char* const settings[] = {"mu=0.3"};
    scree_scene* scene = NULL;
    scree_simulation* simulation = NULL;
    scree_recorder* recorder = NULL;
    check(scree_scene_parse(NULL, "a<b>.yaml", scene_text, sizeof scene_text - 1, 1, settings,
                            &scene),
          "scene");
    check(scree_simulation_create(NULL, scene, &simulation), "simulation");
    scree_recorder_def def = scree_simulation_recorder_def(simulation);
    def.interval = 2.0 * scene->world.step;
    check(scree_recorder_create(NULL, recording_path, scree_simulation_world(simulation), &def,
                                &recorder),
          "recorder");
    check(scree_recorder_step(recorder, NULL), "frame");
    while (!scree_simulation_done(simulation)) {
        scree_step_report report;
        check(scree_simulation_step(simulation, &report), "step");
        check(scree_recorder_step(recorder, &report), "frame");
    }
    check(scree_recorder_close(recorder, 1), "close");
    scree_simulation_destroy(simulation);
    scree_scene_destroy(scene);
    return 0;
}

static int remove_files(void** state)
{
    (void)state;
    remove(recording_path);
    remove(page_path);
    return 0;
}

static scree_recording* open_recording(void)
{
    scree_recording* recording = NULL;
    check(scree_recording_open(NULL, recording_path, &recording), "open");
    return recording;
}

/* The whole file, ended by a zero; the caller frees it. */
static char* read_all(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char* text = test_take(size + 1, 1);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

static int count_parts(const char* text, const char* part)
{
    int n = 0;
    for (const char* at = strstr(text, part); at; at = strstr(at + 1, part)) ++n;
    return n;
}

/* Decodes up to `size` bytes of base64 that ends at anything that is none of its digits; returns
 * how many there were. */
static size_t decode(const char* text, uint8_t* out, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    uint32_t bits = 0;
    for (int k = 0; text[k] && strchr(digits, text[k]); ++k) {
        bits = bits << 6 | (uint32_t)(strchr(digits, text[k]) - digits);
        if (k % 4 == 0) continue;
        uint8_t byte = (uint8_t)(bits >> (6 - 2 * (k % 4)));
        if (n < size) out[n] = byte;
        ++n;
    }
    return n;
}

static uint32_t get16(const uint8_t* p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(const uint8_t* p)
{
    return get16(p) | get16(p + 2) << 16;
}

static double get_float(const uint8_t* p)
{
    uint32_t bits = get32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* As the shader does it. */
static scri_quat unpack_rotation(uint32_t bits)
{
    double small[3] = {0.0}, q[4], rest = 1.0;
    for (int k = 0; k < 3; ++k) {
        small[k] = ((double)(bits >> (10 * k) & 1023) / 1023.0 * 2.0 - 1.0) * sqrt(0.5);
        rest -= small[k] * small[k];
    }
    uint32_t largest = bits >> 30;
    for (uint32_t i = 0, k = 0; i < 4; ++i) q[i] = i == largest ? sqrt(rest) : small[k++];
    return scri_quat_load(q);
}

static double angle_between(scri_quat a, scri_quat b)
{
    double cosine = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return 2.0 * acos(cosine < 1.0 ? cosine : 1.0);
}

/* ---- text ---- */

static void strings_stay_strings(void** state)
{
    (void)state;
    FILE* file = fopen(page_path, "wb");
    assert_non_null(file);
    scri_page_string(file, "a</script>\"\\\n\t\x01\x7f&'\xc3\xa9");
    scri_page_string(file, NULL);
    scri_page_number(file, -0.25);
    scri_page_number(file, NAN);
    scri_page_number(file, -SCREE_INFINITY);
    fclose(file);
    char* text = read_all(page_path);
    assert_string_equal(text, "\"a\\u003c/script\\u003e\\u0022\\u005c\\u000a\\u0009\\u0001\\u007f"
                              "\\u0026'\xc3\xa9\"null-2.5000000000000000e-01nullnull");
    free(text);
}

/* The vectors of RFC 4648, and lengths about that of the buffer in parts of any size. */
static void bytes_become_base64(void** state)
{
    (void)state;
    static const char* const vectors[][2] = {{"", ""},
                                             {"f", "Zg=="},
                                             {"fo", "Zm8="},
                                             {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="},
                                             {"foobar", "Zm9vYmFy"}};
    scri_page_bytes bytes;
    for (int k = 0; k < 7; ++k) {
        FILE* file = fopen(page_path, "wb");
        scri_page_bytes_begin(&bytes, file);
        scri_page_bytes_put(&bytes, (const uint8_t*)vectors[k][0], strlen(vectors[k][0]));
        scri_page_bytes_end(&bytes);
        fclose(file);
        char* text = read_all(page_path);
        assert_string_equal(text, vectors[k][1]);
        free(text);
    }
    static uint8_t data[7000], again[7000];
    scri_random random = test_seed("bytes_become_base64", 3);
    for (size_t k = 0; k < sizeof data; ++k) data[k] = (uint8_t)draw_below(&random, 256);
    for (size_t size = 3070; size < 3080; ++size) {
        FILE* file = fopen(page_path, "wb");
        scri_page_bytes_begin(&bytes, file);
        for (size_t done = 0, part; done < size; done += part) {
            part = (size_t)draw_below(&random, 4000);
            if (part > size - done) part = size - done;
            scri_page_bytes_put(&bytes, data + done, part);
        }
        scri_page_bytes_end(&bytes);
        fclose(file);
        char* text = read_all(page_path);
        assert_int_equal(decode(text, again, sizeof again), size);
        assert_memory_equal(again, data, size);
        free(text);
    }
}

/* ---- records ---- */

static void poses_are_rounded_as_stated(void** state)
{
    (void)state;
    scri_random random = test_seed("poses_are_rounded_as_stated", 5);
    static const uint8_t kind[1] = {SCREE_BODY_DYNAMIC};
    scri_page_plan plan = {.info = {.n_bodies = 1, .kind = kind},
                           .range = {.low = {-1.0, 2.0, 0.0}, .high = {1.0, 2.5, 0.0}},
                           .speed_max = 4.0,
                           .spin_max = 100.0};
    double worst = 0.0;
    for (int k = 0; k < 20000; ++k) {
        double x[3] = {draw_between(&random, -1.0, 1.0), draw_between(&random, 2.0, 2.5), 0.0};
        double v[3] = {draw_between(&random, 0.0, 4.0), 0.0, 0.0}, w[3] = {0.0, -v[0], 0.0}, q[4];
        for (int i = 0; i < 4; ++i) q[i] = draw_between(&random, -1.0, 1.0);
        if (k % 3 == 0) q[k % 4] = 0.0;
        scri_quat turn = scri_quat_normalize(scri_quat_load(q));
        scri_quat_store(turn, q);
        scree_frame frame = {
            .n_bodies = 1, .position = x, .rotation = q, .velocity = v, .angular_velocity = w};
        uint8_t record[SCRI_PAGE_POSE] = {0};
        scri_page_pose(&plan, &frame, 0, record);
        require(fabs(-1.0 + 2.0 * get16(record) / 65535.0 - x[0]) <= 1.001 / 65535.0, "x");
        require(fabs(2.0 + 0.5 * get16(record + 2) / 65535.0 - x[1]) <= 0.2501 / 65535.0, "y");
        assert_int_equal(get16(record + 4), 0);
        require(fabs(record[6] / 255.0 - sqrt(v[0] / 4.0)) <= 0.5001 / 255.0, "speed");
        require(fabs(record[7] / 255.0 - sqrt(v[0] / 100.0)) <= 0.5001 / 255.0, "spin");
        double error = angle_between(unpack_rotation(get32(record + 8)), turn);
        require(error <= 0.28 * 3.14159265358979 / 180.0, "turned by %g rad", error);
        worst = fmax(worst, error);
    }
    require(worst >= 1e-4, "suspiciously exact: %g", worst);
}

static void bodies_out_of_range_are_hidden(void** state)
{
    (void)state;
    static const uint8_t kind[1] = {SCREE_BODY_DYNAMIC};
    static const double q[4] = {1.0, 0.0, 0.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    static const double places[][3] = {
        {1.5, 0.0, 0.0}, {0.0, -2.0, 0.0}, {0.0, 0.0, (double)NAN}, {(double)INFINITY, 0.0, 0.0}};
    scri_page_plan plan = {.info = {.n_bodies = 1, .kind = kind},
                           .range = {.low = {-1.0, -1.0, -1.0}, .high = {1.0, 1.0, 1.0}}};
    uint8_t record[SCRI_PAGE_POSE] = {0};
    for (int k = 0; k < 4; ++k) {
        scree_frame frame = {.n_bodies = 1,
                             .position = places[k],
                             .rotation = q,
                             .velocity = zero,
                             .angular_velocity = zero};
        scri_page_pose(&plan, &frame, 0, record);
        assert_int_equal(get32(record + 8), SCRI_PAGE_HIDDEN);
    }
    scree_frame frame = {
        .n_bodies = 1, .position = zero, .rotation = q, .velocity = zero, .angular_velocity = zero};
    scri_page_pose(&plan, &frame, 0, record);
    assert_int_not_equal(get32(record + 8), SCRI_PAGE_HIDDEN);
}

static void contacts_begin_at_a_dynamic_body(void** state)
{
    (void)state;
    static const uint8_t kind[4] = {SCREE_BODY_STATIC, SCREE_BODY_DYNAMIC, SCREE_BODY_KINEMATIC,
                                    SCREE_BODY_DYNAMIC};
    static int32_t before[5] = {0, 0, 1, 2, 3};
    static const int32_t pair[] = {1, 3, 0, 1, 3, 2, 0, 2};
    static const float point[12] = {0.5F}, force[12] = {0.6F, 0.0F, 0.8F, 0.0F, 0.25F};
    static const float normal[12] = {0.0F, 0.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F};
    scri_page_plan plan = {.info = {.n_bodies = 4, .kind = kind},
                           .moving_before = before,
                           .range = {.low = {0.0, 0.0, 0.0}, .high = {1.0, 1.0, 1.0}},
                           .force_scale = 1.0};
    scree_frame frame = {
        .n_contacts = 4, .pair = pair, .point = point, .normal = normal, .force = force};
    uint8_t record[SCRI_PAGE_CONTACT] = {0};
    assert_true(scri_page_contact(&plan, &frame, 0, record));
    assert_int_equal(get16(record), 0);
    assert_int_equal(get16(record + 2), 2);
    assert_int_equal(get16(record + 4), 32768);
    assert_int_equal(get16(record + 10), 4095 << 4 | SCREE_MODE_NONE); /* the frame has no modes */
    static const uint8_t mode[4] = {SCREE_MODE_ROLL | SCREE_MODE_SPIN, SCREE_MODE_OPEN};
    frame.mode = mode;
    assert_true(scri_page_contact(&plan, &frame, 0, record));
    assert_int_equal(get16(record + 10), 4095 << 4 | 6);
    assert_int_equal(record[12], 153); /* friction: 0.6 of the force, along x */
    assert_int_equal(record[13], 255);
    assert_int_equal(record[14], 128);
    assert_true(scri_page_contact(&plan, &frame, 1, record));
    assert_int_equal(record[12], 255); /* nothing but friction; on body 1, to which -y is left */
    assert_int_equal(record[13], 128);
    assert_int_equal(record[14], 0);
    assert_int_equal(get16(record), 0);
    assert_int_equal(get16(record + 2), SCRI_PAGE_NO_BODY);
    assert_int_equal(get16(record + 10), 2048 << 4 | SCREE_MODE_OPEN);
    assert_true(scri_page_contact(&plan, &frame, 2, record));
    assert_int_equal(get32(record + 12), 0);
    assert_int_equal(get16(record), 2);
    assert_int_equal(get16(record + 2), SCRI_PAGE_NO_BODY);
    assert_false(scri_page_contact(&plan, &frame, 3, record));
}

/* ---- frames ---- */

static void frames_are_left_out_evenly(void** state)
{
    (void)state;
    scree_recording* recording = open_recording();
    int64_t n = scree_recording_get_info(recording).n_frames;
    assert_int_equal(n, 101);
    for (int64_t limit = 1; limit < 1 << 16; limit = 3 * limit) {
        scri_arena* arena = scri_arena_create(NULL);
        scri_page_plan plan;
        check(scri_page_plan_make(arena, recording, limit, &plan), "plan");
        assert_int_equal(plan.n_moving, 4);
        int64_t poses = 4 * SCRI_PAGE_POSE * plan.n_frames, contacts = 0;
        for (int64_t k = 0; k < plan.n_frames; ++k) {
            contacts += SCRI_PAGE_CONTACT * (int64_t)plan.frames[k].contacts;
        }
        require(poses <= limit || plan.n_frames == 2, "%lld bytes", (long long)poses);
        assert_int_equal(plan.has_contacts, poses + contacts <= limit);
        if (4 * SCRI_PAGE_POSE * n <= limit) assert_int_equal(plan.n_frames, n);
        assert_int_equal(plan.frames[0].index, 0);
        assert_int_equal(plan.frames[plan.n_frames - 1].index, n - 1);
        int64_t stride = plan.frames[1].index;
        for (int64_t k = 1; k + 1 < plan.n_frames; ++k) {
            assert_int_equal(plan.frames[k].index, k * stride);
        }
        scri_arena_destroy(arena);
    }
    scree_recording_close(recording);
}

/* The ball that misses the plate falls 20 m, but the range stays that of the plate. */
static void what_falls_for_ever_is_lost(void** state)
{
    (void)state;
    scree_recording* recording = open_recording();
    scri_arena* arena = scri_arena_create(NULL);
    scri_page_plan plan;
    scree_frame frame;
    check(scri_page_plan_make(arena, recording, SCRI_PAGE_BYTES, &plan), "plan");
    check(scree_recording_read(recording, plan.info.n_frames - 1, &frame), "read");
    require(frame.position[3 * LOST + 2] <= -15.0, "it is still at %g",
            frame.position[3 * LOST + 2]);
    require(plan.range.high[2] - plan.range.low[2] <= 8.0, "range from %g m", plan.range.low[2]);
    require(plan.speed_max <= 15.0, "speeds to %g m/s", plan.speed_max);
    uint8_t record[SCRI_PAGE_POSE] = {0};
    scri_page_pose(&plan, &frame, LOST, record);
    assert_int_equal(get32(record + 8), SCRI_PAGE_HIDDEN);
    scri_page_pose(&plan, &frame, BALL, record);
    assert_int_not_equal(get32(record + 8), SCRI_PAGE_HIDDEN);
    scri_arena_destroy(arena);
    scree_recording_close(recording);
}

/* ---- pages ---- */

static char* make_page(void)
{
    scree_recording* recording = open_recording();
    check(scree_export_page(NULL, recording, page_path), "export");
    scree_recording_close(recording);
    return read_all(page_path);
}

static void no_text_breaks_out(void** state)
{
    (void)state;
    char* text = make_page();
    const char* template = scri_embedded_page[0].text;
    assert_int_equal(count_parts(template, "<!-- RECORDING -->"), 1);
    assert_int_equal(count_parts(text, "<!-- RECORDING -->"), 0);
    assert_int_equal(count_parts(text, "<script"), count_parts(template, "<script") + 3);
    assert_int_equal(count_parts(text, "</script"), count_parts(template, "</script") + 3);
    assert_int_equal(count_parts(text, "<!--"), count_parts(template, "<!--") - 1);
    assert_non_null(strstr(text, "Pile \\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
    assert_non_null(strstr(text, "\"scene\":\"a\\u003cb\\u003e.yaml\""));
    assert_non_null(strstr(text, "\"settings\":[\"mu=0.3\"]"));
    assert_non_null(strstr(text, "\"meaning\":\"a \\u003c/script\\u003e b\""));
    assert_non_null(strstr(text, "\"law\":\"exact\""));
    assert_int_equal(count_parts(text, "http"), count_parts(template, "http-equiv"));
    assert_non_null(strstr(text, "</html>"));
    free(text);
}

static void pages_hold_the_recording(void** state)
{
    (void)state;
    char* text = make_page();
    scree_recording* recording = open_recording();
    scree_recording_info info = scree_recording_get_info(recording);
    scri_arena* arena = scri_arena_create(NULL);
    scri_page_plan plan;
    check(scri_page_plan_make(arena, recording, SCRI_PAGE_BYTES, &plan), "plan");

    uint8_t shapes[N_BODIES * SCRI_PAGE_SHAPE] = {0};
    const char* at = strstr(text, "id=\"recording-shapes\">\n");
    assert_non_null(at);
    assert_int_equal(decode(strchr(at, '\n') + 1, shapes, sizeof shapes), sizeof shapes);
    assert_int_equal(get32(shapes), SCREE_SHAPE_BOX | SCREE_BODY_STATIC << 8);
    assert_int_equal(get32(shapes + 4), UINT32_MAX);
    require(fabs(get_float(shapes + 32) + 0.1) <= 1e-6, "plate at %g", get_float(shapes + 32));
    const uint8_t* pin = shapes + PIN * SCRI_PAGE_SHAPE;
    assert_int_equal(get32(pin), SCREE_SHAPE_CAPSULE);
    assert_int_equal(get32(pin + 4), 2);
    require(get_float(pin + 12) == (double)0.05F, "radius %g", get_float(pin + 12));

    at = strstr(text, "id=\"recording-frames\">\n");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    for (int64_t k = 0; k < info.n_frames; ++k, at = strchr(at, '\n') + 1) {
        uint8_t poses[4 * SCRI_PAGE_POSE] = {0}, contacts[64 * SCRI_PAGE_CONTACT];
        uint8_t expected[SCRI_PAGE_POSE] = {0};
        scree_frame frame;
        check(scree_recording_read(recording, k, &frame), "read");
        assert_int_equal(decode(at, poses, sizeof poses), sizeof poses);
        for (int32_t b = BALL; b <= PUSHER; ++b) {
            scri_page_pose(&plan, &frame, b, expected);
            assert_memory_equal(poses + (size_t)(b - BALL) * SCRI_PAGE_POSE, expected,
                                SCRI_PAGE_POSE);
        }
        size_t size = decode(strchr(at, ' ') + 1, contacts, sizeof contacts);
        assert_int_equal(size, (size_t)frame.n_contacts * SCRI_PAGE_CONTACT);
    }
    assert_memory_equal(at, "</script>", 9);
    scri_arena_destroy(arena);
    scree_recording_close(recording);
    free(text);
}

static void failures_are_named_and_leave_nothing(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_recording* recording = open_recording();
    assert_int_equal(scree_export_page(&env, NULL, page_path), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_export_page(&env, recording, NULL), SCREE_ERROR_ARGUMENT);
    host.n_logged = 0;
    assert_int_equal(scree_export_page(&env, recording, "no-such-folder/page.html"),
                     SCREE_ERROR_FILE);
    assert_int_equal(host.n_logged, 1);
    assert_non_null(strstr(host.text, "no-such-folder/page.html: cannot write: No such file"));
    assert_int_equal(host.n_held, 0);

    long k = 0;
    remove(page_path);
    for (scree_status status = SCREE_ERROR_MEMORY; status; ++k) {
        env = test_env(&host);
        host.fail_at = k;
        status = scree_export_page(&env, recording, page_path);
        assert_int_equal(host.n_held, 0);
        FILE* file = fopen(page_path, "rb");
        assert_int_equal(file != NULL, status == SCREE_OK);
        if (file) fclose(file);
        if (!status) break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_int_equal(host.n_logged, 1);
        assert_non_null(strstr(host.text, "scratch-page.html: out of memory"));
    }
    require(k >= 3, "only %ld allocations", k);
    scree_recording_close(recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_stay_strings),
        cmocka_unit_test(bytes_become_base64),
        cmocka_unit_test(poses_are_rounded_as_stated),
        cmocka_unit_test(bodies_out_of_range_are_hidden),
        cmocka_unit_test(contacts_begin_at_a_dynamic_body),
        cmocka_unit_test(frames_are_left_out_evenly),
        cmocka_unit_test(what_falls_for_ever_is_lost),
        cmocka_unit_test(no_text_breaks_out),
        cmocka_unit_test(pages_hold_the_recording),
        cmocka_unit_test(failures_are_named_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, make_recording, remove_files);
}
