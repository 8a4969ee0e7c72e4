/* Faulty text files: each gives the right status, one message that names file and line, and leaves
 * nothing allocated (the leak check of the sanitizer sees to that). */
#include "unit/io/io_support.h"

typedef struct bad {
    const char* name;
    scree_status status;
    int line; /* 0: the message names no line */
    const char* said;
} bad;

static const bad table[] = {
    {"truncated.dat", SCREE_ERROR_FORMAT, 41, "the file ends where the first matrix is expected"},
    {"no_mu.dat", SCREE_ERROR_FORMAT, 85, "mu needs 3 more entries"},
    {"short_mu.dat", SCREE_ERROR_FORMAT, 87, "the file ends where mu is expected"},
    {"long_mu.dat", SCREE_ERROR_FORMAT, 86, "found '0.75' where the end of the file is expected"},
    {"negative_mu.dat", SCREE_ERROR_INPUT, 86, "mu of contact 1 is negative"},
    {"negative_mu_r.dat", SCREE_ERROR_INPUT, 87, "mu_r of contact 2 is negative"},
    {"nan_in_w.dat", SCREE_ERROR_INPUT, 16, "the first matrix holds nan"},
    {"inf_in_q.dat", SCREE_ERROR_INPUT, 85, "q holds -inf"},
    {"overflow_in_q.dat", SCREE_ERROR_INPUT, 85, "q holds 1e999"},
    {"word_in_w.dat", SCREE_ERROR_FORMAT, 16, "found '1.0x'"},
    {"hexadecimal.dat", SCREE_ERROR_FORMAT, 16, "found '0x1p-3'"},
    {"no_contacts.dat", SCREE_ERROR_FORMAT, 84, "but 0 contacts"},
    {"negative_contacts.dat", SCREE_ERROR_FORMAT, 2, "the number of contacts is -3"},
    {"too_many_contacts.dat", SCREE_ERROR_FORMAT, 2, "the file is too short"},
    {"contacts_beyond_integers.dat", SCREE_ERROR_FORMAT, 2, "outside 0 to 2147483647"},
    {"wrong_contacts.dat", SCREE_ERROR_FORMAT, 84, "2 contacts with 3 rows ask for 6"},
    {"dimension_four.dat", SCREE_ERROR_FORMAT, 1, "dimension 4 is none of 2, 3 and 5"},
    {"not_square.dat", SCREE_ERROR_INPUT, 10, "3 x 4, not square"},
    {"wrong_storage.dat", SCREE_ERROR_FORMAT, 3, "the storage of a matrix is 7"},
    {"wrong_block_end.dat", SCREE_ERROR_FORMAT, 9, "the end of a block is 10"},
    {"falling_block_ends.dat", SCREE_ERROR_FORMAT, 9, "the end of a block is 2"},
    {"falling_block_pointers.dat", SCREE_ERROR_FORMAT, 13, "a block pointer is 2"},
    {"block_column_out_of_range.dat", SCREE_ERROR_FORMAT, 14, "a block column is 3"},
    {"wrong_block_number.dat", SCREE_ERROR_FORMAT, 25, "the number of a block is 7, not 1"},
    {"huge_dense.dat", SCREE_ERROR_FORMAT, 5, "the file is too short"},
    {"huge_sparse.dat", SCREE_ERROR_FORMAT, 8, "the file is too short"},
    {"row_out_of_range.dat", SCREE_ERROR_FORMAT, 10, "a row is 9, outside 0 to 8"},
    {"negative_row.dat", SCREE_ERROR_FORMAT, 10, "a row is -1, outside 0 to 8"},
    {"column_out_of_range.dat", SCREE_ERROR_FORMAT, 9, "a column is 9, outside 0 to 8"},
    {"wrong_locations.dat", SCREE_ERROR_FORMAT, 9, "a first location is 1, not 0"},
    {"sizes_disagree.dat", SCREE_ERROR_FORMAT, 8, "found '9-by-8,'"},
    {"too_few_entries.dat", SCREE_ERROR_FORMAT, 80, "63 entries, but announces 64"},
    {"h_of_wrong_size.dat", SCREE_ERROR_FORMAT, 22, "H is 4 x 8"},
    {"trailing_words.dat", SCREE_ERROR_FORMAT, 87, "found 'and' where the end"},
    {"prose.dat", SCREE_ERROR_FORMAT, 1, "neither FCLIB HDF5 nor Siconos text"},
    {"empty.dat", SCREE_ERROR_FORMAT, 1, "the file is empty"},
    {"binary.dat", SCREE_ERROR_FORMAT, 1, "neither FCLIB HDF5 nor Siconos text"},
    {"damaged.hdf5", SCREE_ERROR_FORMAT, 0, "HDF5 cannot open the file"},
};

static void check(const bad* b)
{
    io_log log;
    scree_env env = io_env(&log);
    char name[128], place[1024];
    snprintf(name, sizeof name, "bad/%s", b->name);
    io_path path = io_fixture(name);
    scree_problem_file file, zero = {0};
    memset(&file, 0xff, sizeof file);
    scree_status status = scree_problem_read(&env, path.text, &file);
    if (status != b->status) fail_msg("%s: status %d, \"%s\"", b->name, (int)status, log.text);
    io_assert_said(&log, b->said);
    if (b->line > 0) {
        snprintf(place, sizeof place, "%s:%d: ", path.text, b->line);
    } else {
        snprintf(place, sizeof place, "%s: ", path.text);
    }
    if (strncmp(log.text, place, strlen(place)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", log.text, place);
    assert_memory_equal(&file, &zero, sizeof file);
}

static void faulty_files_are_refused(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) check(&table[k]);
}

static void a_missing_file_gives_the_reason(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    assert_int_equal(scree_problem_read(&env, "no/such/file.dat", &file), SCREE_ERROR_FILE);
    io_assert_said(&log, "no/such/file.dat: cannot open: No such file or directory");
}

static void a_folder_is_no_file(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    assert_int_equal(scree_problem_read(&env, SCREE_FIXTURES, &file), SCREE_ERROR_FILE);
    io_assert_said(&log, "cannot read: Is a directory");
}

static void null_arguments_are_refused(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    assert_int_equal(scree_problem_read(&env, NULL, &file), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_problem_read(&env, "x", NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_problem_read(NULL, "no/such/file", &file), SCREE_ERROR_FILE);
}

/* Every prefix of a good file is a truncated file: none may crash, few may pass. */
static void every_prefix_is_handled(void** state)
{
    (void)state;
    static const char* const names[] = {"friction3d_blocks.dat", "global3d_sparse.dat",
                                        "rolling_dense.dat",     "lcp_two_columns.dat",
                                        "friction3d_rows.dat",   "global2d_triplet.dat"};
    io_path cut = io_scratch("bad_text", "prefix.dat");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        static char bytes[16384];
        io_path whole = io_fixture(names[k]);
        FILE* in = fopen(whole.text, "rb");
        assert_non_null(in);
        size_t size = fread(bytes, 1, sizeof bytes, in);
        fclose(in);
        for (size_t n = 0; n < size; n += 7) {
            io_write_bytes(cut.text, bytes, n);
            scree_problem_file file;
            scree_status status = scree_problem_read(NULL, cut.text, &file);
            /* Cut inside the last number, the rest may be a shorter number. */
            if (!status && n + 30 < size) fail_msg("%zu bytes of %s were read", n, names[k]);
            scree_problem_file_release(&file);
        }
    }
    remove(cut.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faulty_files_are_refused),
        cmocka_unit_test(a_missing_file_gives_the_reason),
        cmocka_unit_test(a_folder_is_no_file),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(every_prefix_is_handled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
