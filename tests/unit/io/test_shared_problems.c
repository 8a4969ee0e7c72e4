/* Reads every problem below SCREE_SHARED "/problems", and writes and reads it again in both
 * formats. Skipped where that collection is not at hand. */
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

/* Large files take most of the time; they are for the thorough run. */
static bool is_wanted(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && (info.st_size < 500000 || test_all());
}

static bool is_folder(const char* path)
{
    DIR* dir = opendir(path);
    if (dir) closedir(dir);
    return dir != NULL;
}

/* All files below the folder of problems. */
static collection* find_files(void)
{
    static collection c;
    c.count = 0;
    add_folder(&c, SCREE_SHARED "/problems");
    for (int k = 0; k < c.count; ++k)
        if (is_folder(c.file[k].text)) add_folder(&c, c.file[k].text);
    int n = 0;
    for (int k = 0; k < c.count; ++k)
        if (!is_folder(c.file[k].text) && is_wanted(c.file[k].text)) c.file[n++] = c.file[k];
    c.count = n;
    if (n == 0) {
        print_message("skipped: no problems in " SCREE_SHARED "/problems\n");
        skip();
    }
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

static void every_file_is_read(void** state)
{
    (void)state;
    const collection* c = find_files();
    int n_read = 0;
    for (int k = 0; k < c->count; ++k) {
        scree_problem_file file;
        if (!read_file(c->file[k].text, &file)) continue;
        ++n_read;
        scree_problem_file_release(&file);
    }
    print_message("%d of %d files read\n", n_read, c->count);
    assert_true(n_read > 0);
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

static void check_again(const scree_problem_file* file, const char* name)
{
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("shared", name);
    bool hdf5 = strstr(name, ".hdf5") != NULL;
    scree_problem_extras extras = {file->title, file->solution, file->n_guesses, file->guesses};
    scree_status status = scree_problem_write(&env, path.text, &file->store.problem, &extras);
    if (hdf5 && file->store.problem.rows[0] == SCREE_ROWS_N) {
        assert_int_equal(status, SCREE_ERROR_UNSUPPORTED);
        io_assert_said(&log, "Siconos text");
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

static void every_file_survives_both_formats(void** state)
{
    (void)state;
    const collection* c = find_files();
    for (int k = 0; k < c->count; ++k) {
        scree_problem_file file;
        if (!read_file(c->file[k].text, &file)) continue;
        check_again(&file, "again.dat");
        check_again(&file, "again.hdf5");
        scree_problem_file_release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_read),
        cmocka_unit_test(every_file_survives_both_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
