/* Reads every problem of a folder, and writes and reads it again in both formats: our fixtures, and
 * a larger collection, which is skipped where it is not at hand. */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "support/test.h"
#include "unit/io/io_support.h"

#include <dirent.h>
#include <sys/stat.h>

enum { MAX_FILES = 1000 };

typedef struct collection {
    int count;
    io_path file[MAX_FILES];
} collection;

/* Adds a folder's entries; hidden ones are left out. */
static void add_folder(collection* c, const char* folder)
{
    DIR* dir = opendir(folder);
    for (struct dirent* e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        if (e->d_name[0] == '.') continue;
        assert_true(c->count < MAX_FILES);
        snprintf(c->file[c->count++].text, sizeof c->file[0].text, "%.240s/%.250s", folder,
                 e->d_name);
    }
    if (dir) closedir(dir);
}

/* Problem files; large ones take most of the time and are for the thorough run. */
static bool is_wanted(const char* path)
{
    struct stat info;
    const char* ending = strrchr(path, '.');
    if (!ending || (strcmp(ending, ".dat") != 0 && strcmp(ending, ".hdf5") != 0)) return false;
    return stat(path, &info) == 0 && (info.st_size < 500000 || test_all());
}

static bool is_folder(const char* path)
{
    DIR* dir = opendir(path);
    if (dir) closedir(dir);
    return dir != NULL;
}

/* All problem files below a folder, but those that are faulty on purpose. */
static collection* find_files(const char* folder)
{
    static collection c;
    c.count = 0;
    add_folder(&c, folder);
    for (int k = 0; k < c.count; ++k) {
        bool faulty = strstr(c.file[k].text, "/bad");
        if (!faulty && is_folder(c.file[k].text)) add_folder(&c, c.file[k].text);
    }
    int n = 0;
    for (int k = 0; k < c.count; ++k)
        if (!is_folder(c.file[k].text) && is_wanted(c.file[k].text)) c.file[n++] = c.file[k];
    c.count = n;
    return &c;
}

/* False for a problem without contacts: it is read, but there is nothing to write. */
static bool read_file(const char* path, scree_problem_file* file)
{
    io_log log;
    scree_env env = io_env(&log);
    scree_status status = scree_problem_read(&env, path, file);
    if (status) fail_msg("%s", log.text);
    assert_int_equal(log.count, 0);
    if (file->store.problem.n_contacts > 0) return true;
    print_message("%s has no contacts\n", path);
    scree_problem_file_release(file);
    return false;
}

static void check_same(const scree_problem* a, const scree_problem* b)
{
    if (a->rows[0] != SCREE_ROWS_N) {
        io_assert_same(a, b);
        return;
    }
    io_assert_same_contacts(a, b);
    for (int32_t i = 0; i < a->n_contacts; ++i) {
        for (int32_t j = 0; j < a->n_contacts; ++j) {
            double x = io_w(a, i, j), y = io_w(b, i, j);
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
}

static void check_extras(const scree_problem_file* a, const scree_problem_file* b)
{
    size_t size = (size_t)scree_problem_n_rows(&a->store.problem) * sizeof(double);
    if (a->title) assert_string_equal(a->title, b->title);
    assert_int_equal(a->solution == NULL, b->solution == NULL);
    if (a->solution) assert_memory_equal(a->solution, b->solution, size);
    assert_int_equal(a->n_guesses, b->n_guesses);
    for (int32_t k = 0; k < a->n_guesses; ++k)
        assert_memory_equal(a->guesses[k], b->guesses[k], size);
}

/* What the message names where a format has no place for a problem; NULL where it has. */
static const char* other_format(const scree_problem* problem, bool hdf5)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        bool spins = problem->rows[c] == SCREE_ROWS_NTTS || problem->rows[c] == SCREE_ROWS_NTTRRS;
        if (hdf5 && problem->rows[c] == SCREE_ROWS_N) return "Siconos text";
        if (!hdf5 && spins) return "HDF5";
    }
    return NULL;
}

static void check_again(const scree_problem_file* file, const char* name)
{
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("collection", name);
    bool hdf5 = strstr(name, ".hdf5") != NULL;
    scree_problem_extras extras = {file->title, file->solution, file->n_guesses, file->guesses};
    scree_status status = scree_problem_write(&env, path.text, &file->store.problem, &extras);
    const char* other = other_format(&file->store.problem, hdf5);
    if (other) {
        assert_int_equal(status, SCREE_ERROR_UNSUPPORTED);
        io_assert_said(&log, other);
        return;
    }
    io_assert_ok(status, &log);
    scree_problem_file again;
    io_assert_ok(scree_problem_read(&env, path.text, &again), &log);
    remove(path.text);
    check_same(&file->store.problem, &again.store.problem);
    if (hdf5) check_extras(file, &again);
    scree_problem_file_release(&again);
}

static void check_all(const collection* c)
{
    int n_read = 0;
    for (int k = 0; k < c->count; ++k) {
        scree_problem_file file;
        if (!read_file(c->file[k].text, &file)) continue;
        ++n_read;
        check_again(&file, "again.dat");
        check_again(&file, "again.hdf5");
        scree_problem_file_release(&file);
    }
    print_message("%d of %d files read and written\n", n_read, c->count);
}

static void our_files_survive_both_formats(void** state)
{
    (void)state;
    const collection* c = find_files(SCREE_FIXTURES);
    require(c->count >= 35, "only %d problem files in %s", c->count, SCREE_FIXTURES);
    check_all(c);
}

static void a_collection_survives_both_formats(void** state)
{
    (void)state;
    const collection* c = find_files(SCREE_SHARED "/problems");
    if (c->count == 0) {
        print_message("skipped: no problems in " SCREE_SHARED "/problems\n");
        skip();
    }
    check_all(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_files_survive_both_formats),
        cmocka_unit_test(a_collection_survives_both_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
