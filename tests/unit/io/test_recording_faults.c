/* Recordings in a hostile world: no kill, full disk, second writer or damage takes more than the
 * frame that was being written. */
#define _POSIX_C_SOURCE 200809L /* fork, nanosleep, setrlimit */

#include "base/random.h"
#include "io/recorder.h"
#include "io/recording.h"
#include "unit/io/recording_runs.h"

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
    while (!record_with_writes("prefix.h5", "whole.h5", k, k % 10 == 0)) k += test_size(23, 1);
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
    remove("limit.h5"); /* of a run that was killed */
    record_whole("whole.h5", NULL, 1);
    record_with_limit(4096); /* too little to begin with */
    assert_int_not_equal(access("limit.h5", F_OK), 0);
    assert_int_not_equal(access("limit.h5.part0", F_OK), 0);
    for (rlim_t most = 42000; most < 160000; most += 9000) {
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
        {"/scene/schema", 0, 9, SCREE_ERROR_UNSUPPORTED,
         "has schema 9; this version reads up to 8"},
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
    record_whole("spoilt.h5", NULL, 1);
    spoil("spoilt.h5", "/contacts/mode", 3, 77);
    recording = open_recording("spoilt.h5", &host, &env);
    assert_int_equal(scree_recording_hash(recording, &hash), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(host.text, "a contact of mode 77"));
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
    scree_frame frame;
    assert_int_equal(scree_recording_read(recording, info.n_frames - 1, &frame), SCREE_OK);
    assert_true(frame.n_contacts > 0);
    assert_null(frame.mode);
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
    for (long k = 0, done = 0; !done; k += test_few(1, 3)) {
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
    for (long k = 0, done = 0; !done; k += test_few(1, 3)) {
        test_host host;
        scree_env env = test_env(&host);
        scree_recording* recording = NULL;
        uint64_t hash = 0;
        scree_export_def def = scree_default_export_def();
        def.stride = 20;
        def.shapes = 1;
        host.fail_at = k;
        scree_status status = scree_recording_open(&env, "memory.h5", &recording);
        if (!status) status = scree_recording_hash(recording, &hash);
        if (!status) status = scree_export_vtk(&env, recording, "short", &def);
        if (!status) status = scree_export_csv(&env, recording, "short", &def);
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
                                       "short_shapes.pvd",
                                       "short_shapes_000000.vtp",
                                       "short_shapes_000020.vtp",
                                       "short_frames.csv",
                                       "short_bodies.csv",
                                       "short_contacts.csv"};
    end_run(&r);
    for (size_t k = 0; k < sizeof left / sizeof left[0]; ++k) remove(left[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
