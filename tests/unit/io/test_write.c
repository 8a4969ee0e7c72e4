/* What cannot be written is refused with a reason, and a failed write leaves nothing behind. */
#include "unit/io/io_support.h"

typedef struct sample {
    int32_t row[3];
    uint8_t rows[2], law[2];
    double coef[6], q[12], value[72];
    int32_t start[3], column[2];
    int64_t offset[3];
    scree_problem problem;
} sample;

/* Two contacts that do not touch each other. */
static void fill(sample* s, scree_rows first, scree_rows second)
{
    *s = (sample){0};
    s->row[1] = scree_rows_width((int)first);
    s->row[2] = s->row[1] + scree_rows_width((int)second);
    s->rows[0] = (uint8_t)first;
    s->rows[1] = (uint8_t)second;
    for (int c = 0; c < 2; ++c) {
        int width = s->row[c + 1] - s->row[c];
        s->start[c + 1] = c + 1;
        s->column[c] = c;
        s->offset[c + 1] = s->offset[c] + width * width;
        for (int i = 0; i < width; ++i) s->value[s->offset[c] + i * (width + 1)] = 1.0;
    }
    s->problem = (scree_problem){.n_contacts = 2,
                                 .first_row = s->row,
                                 .rows = s->rows,
                                 .law = s->law,
                                 .coef = s->coef,
                                 .q = s->q,
                                 .w = {s->start, s->column, s->offset, s->value}};
}

static void check_refused(const sample* s, const char* name, scree_status expected,
                          const char* said)
{
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("write", name);
    assert_int_equal(scree_problem_write(&env, path.text, &s->problem, NULL), expected);
    io_assert_said(&log, said);
    assert_int_equal(strncmp(log.text, path.text, strlen(path.text)), 0);
    assert_false(io_exists(path.text));
}

static void unequal_rows_are_refused(void** state)
{
    (void)state;
    sample s;
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTTRR);
    check_refused(&s, "a.dat", SCREE_ERROR_UNSUPPORTED, "contact 1 has other rows");
    check_refused(&s, "a.hdf5", SCREE_ERROR_UNSUPPORTED, "contact 1 has other rows");
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTR);
    check_refused(&s, "a.dat", SCREE_ERROR_UNSUPPORTED, "contact 1 has other rows");
}

static void other_laws_are_refused(void** state)
{
    (void)state;
    sample s;
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTT);
    s.law[1] = SCREE_LAW_BILATERAL;
    check_refused(&s, "a.dat", SCREE_ERROR_UNSUPPORTED, "law 'bilateral'");
    fill(&s, SCREE_ROWS_N, SCREE_ROWS_N);
    s.law[0] = s.law[1] = SCREE_LAW_INTERVAL;
    check_refused(&s, "a.dat", SCREE_ERROR_UNSUPPORTED, "law 'interval'");
}

static void each_format_says_what_it_lacks(void** state)
{
    (void)state;
    sample s;
    fill(&s, SCREE_ROWS_N, SCREE_ROWS_N);
    s.law[0] = s.law[1] = SCREE_LAW_HALF_LINE;
    check_refused(&s, "a.hdf5", SCREE_ERROR_UNSUPPORTED, "write Siconos text instead");
    check_refused(&s, "a.h5", SCREE_ERROR_UNSUPPORTED, "write Siconos text instead");
    fill(&s, SCREE_ROWS_NTTS, SCREE_ROWS_NTTS);
    check_refused(&s, "a.dat", SCREE_ERROR_UNSUPPORTED, "write HDF5 instead");
    fill(&s, SCREE_ROWS_NTTRRS, SCREE_ROWS_NTTRRS);
    check_refused(&s, "a.dat", SCREE_ERROR_UNSUPPORTED, "write HDF5 instead");
}

static void null_arguments_are_refused(void** state)
{
    (void)state;
    sample s;
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTT);
    assert_int_equal(scree_problem_write(NULL, NULL, &s.problem, NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_problem_write(NULL, "x", NULL, NULL), SCREE_ERROR_ARGUMENT);
}

static void a_missing_folder_gives_the_reason(void** state)
{
    (void)state;
    sample s;
    io_log log;
    scree_env env = io_env(&log);
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTT);
    static const char* const paths[] = {"no/such/folder/a.dat", "no/such/folder/a.hdf5"};
    for (int k = 0; k < 2; ++k) {
        log.count = 0;
        assert_int_equal(scree_problem_write(&env, paths[k], &s.problem, NULL), SCREE_ERROR_FILE);
        io_assert_said(&log, "cannot write: No such file or directory");
    }
}

/* Moving into place fails last: the temporary file must be gone then. */
static void a_folder_in_the_way_leaves_nothing_behind(void** state)
{
    (void)state;
    sample s;
    io_log log;
    scree_env env = io_env(&log);
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTT);
    assert_int_equal(scree_problem_write(&env, SCREE_FIXTURES, &s.problem, NULL), SCREE_ERROR_FILE);
    io_assert_said(&log, "cannot write: ");
    assert_false(io_exists(SCREE_FIXTURES ".part0"));
}

static void an_existing_file_is_replaced(void** state)
{
    (void)state;
    sample s;
    io_log log;
    scree_env env = io_env(&log);
    fill(&s, SCREE_ROWS_NTT, SCREE_ROWS_NTT);
    static const char* const names[] = {"old.dat", "old.hdf5"};
    for (int k = 0; k < 2; ++k) {
        io_path path = io_scratch("write", names[k]), part;
        io_write_text(path.text, "what was there before");
        snprintf(part.text, sizeof part.text, "%.400s.part0", path.text);
        io_write_text(part.text, "somebody else's");
        io_assert_ok(scree_problem_write(&env, path.text, &s.problem, NULL), &log);
        scree_problem_file file;
        io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
        io_assert_same(&s.problem, &file.store.problem);
        scree_problem_file_release(&file);
        assert_true(io_exists(part.text));
        remove(part.text);
        remove(path.text);
    }
}

/* The same problem gives the same bytes, so that files can be compared. */
static void writing_twice_gives_equal_files(void** state)
{
    (void)state;
    static char bytes[2][65536];
    static const char* const names[] = {"twice.dat", "twice.hdf5"};
    sample s;
    fill(&s, SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRR);
    for (int k = 0; k < 2; ++k) {
        io_path path = io_scratch("write", names[k]);
        size_t size[2];
        for (int n = 0; n < 2; ++n) {
            assert_int_equal(scree_problem_write(NULL, path.text, &s.problem, NULL), SCREE_OK);
            FILE* in = fopen(path.text, "rb");
            assert_non_null(in);
            size[n] = fread(bytes[n], 1, sizeof bytes[n], in);
            fclose(in);
            remove(path.text);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unequal_rows_are_refused),
        cmocka_unit_test(other_laws_are_refused),
        cmocka_unit_test(each_format_says_what_it_lacks),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(a_missing_folder_gives_the_reason),
        cmocka_unit_test(a_folder_in_the_way_leaves_nothing_behind),
        cmocka_unit_test(an_existing_file_is_replaced),
        cmocka_unit_test(writing_twice_gives_equal_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
