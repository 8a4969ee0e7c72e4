#include "unit/io/io_support.h"

#include <math.h>

/* The problem that tests/fixtures/impulses.txt belongs to. */
static void read_problem(scree_problem_file* file)
{
    io_path path = io_fixture("local.hdf5");
    assert_int_equal(scree_problem_read(NULL, path.text, file), SCREE_OK);
}

static void text_with_comments_is_read(void** state)
{
    (void)state;
    static const double expected[9] = {0.5, 0.125, -0.25, 1.0, 0.0, 0.0, 0.25, 0.0, 0.125};
    scree_problem_file file;
    read_problem(&file);
    double p[9];
    io_path path = io_fixture("impulses.txt");
    assert_int_equal(scree_impulses_read(NULL, path.text, &file.store.problem, p), SCREE_OK);
    assert_memory_equal(p, expected, sizeof p);
    scree_problem_file_release(&file);
}

static void hdf5_gives_the_solution_or_the_first_guess(void** state)
{
    (void)state;
    scree_problem_file file;
    read_problem(&file);
    double p[9];
    io_path path = io_fixture("local.hdf5");
    assert_int_equal(scree_impulses_read(NULL, path.text, &file.store.problem, p), SCREE_OK);
    assert_memory_equal(p, file.solution, sizeof p);

    scree_problem_extras extras = {.n_guesses = 1, .guesses = file.guesses};
    path = io_scratch("impulses", "guess.hdf5");
    assert_int_equal(scree_problem_write(NULL, path.text, &file.store.problem, &extras), SCREE_OK);
    assert_int_equal(scree_impulses_read(NULL, path.text, &file.store.problem, p), SCREE_OK);
    assert_memory_equal(p, file.guesses[0], sizeof p);
    remove(path.text);
    scree_problem_file_release(&file);
}

static void what_is_written_comes_back(void** state)
{
    (void)state;
    io_random random = io_seed("impulses", 7);
    scree_problem_file file;
    read_problem(&file);
    static const char* const names[] = {"p.txt", "p.hdf5", "p.h5"};
    for (int k = 0; k < 3; ++k) {
        double p[9], again[9];
        for (int r = 0; r < 9; ++r) p[r] = io_any_double(&random);
        io_path path = io_scratch("impulses", names[k]);
        assert_int_equal(scree_impulses_write(NULL, path.text, &file.store.problem, p), SCREE_OK);
        assert_int_equal(scree_impulses_read(NULL, path.text, &file.store.problem, again),
                         SCREE_OK);
        assert_memory_equal(p, again, sizeof p);
        remove(path.text);
    }
    scree_problem_file_release(&file);
}

static void faults_are_named(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        scree_status status;
        const char* said;
    } table[] = {
        {"bad/impulses_short.txt", SCREE_ERROR_INPUT, "holds 3 impulses, but the problem has 9"},
        {"bad/impulses_nan.txt", SCREE_ERROR_INPUT, "impulses_nan.txt:2: an impulse holds nan"},
        {"bad/prose.dat", SCREE_ERROR_INPUT, "holds 5 impulses"},
        {"local_rows.hdf5", SCREE_ERROR_FORMAT, "holds neither /solution/r nor a guess"},
        {"bad/damaged.hdf5", SCREE_ERROR_FORMAT, "cannot open"},
        {"none.txt", SCREE_ERROR_FILE, "No such file"},
    };
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    read_problem(&file);
    double p[9];
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        io_path path = io_fixture(table[k].name);
        log.count = 0;
        assert_int_equal(scree_impulses_read(&env, path.text, &file.store.problem, p),
                         table[k].status);
        io_assert_said(&log, table[k].said);
    }
    scree_problem_file_release(&file);
}

static void solution_of_another_size_is_refused(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    io_path path = io_fixture("local_rolling.hdf5");
    assert_int_equal(scree_problem_read(NULL, path.text, &file), SCREE_OK);
    double p[15];
    path = io_fixture("local.hdf5");
    assert_int_equal(scree_impulses_read(&env, path.text, &file.store.problem, p),
                     SCREE_ERROR_FORMAT);
    io_assert_said(&log, "local.hdf5:/solution/r: has 9 elements where 15 are expected");
    scree_problem_file_release(&file);
}

static void what_is_not_finite_is_not_written(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    read_problem(&file);
    double p[9] = {0};
    p[4] = NAN;
    io_path path = io_scratch("impulses", "nan.txt");
    assert_int_equal(scree_impulses_write(&env, path.text, &file.store.problem, p),
                     SCREE_ERROR_INPUT);
    io_assert_said(&log, "impulse 4 is not finite");
    assert_false(io_exists(path.text));
    scree_problem_file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_with_comments_is_read),
        cmocka_unit_test(hdf5_gives_the_solution_or_the_first_guess),
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(solution_of_another_size_is_refused),
        cmocka_unit_test(what_is_not_finite_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
