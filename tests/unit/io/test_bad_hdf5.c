/* HDF5 files with one fault each. They are made here, dataset after dataset, from a problem with
 * two contacts that do not touch each other. */
#include "io/hdf5_util.h"
#include "unit/io/io_support.h"

#include <hdf5.h>
#include <math.h>

/* A change to the file: what stands at `path` is replaced by this, or left out if count is -1. */
typedef struct change {
    const char* path;
    int count;
    const int32_t* integers;
    const double* reals;
} change;

static const int32_t three = 3, six = 6, columns = -1, pointers[7] = {0, 1, 2, 3, 4, 5, 6};
static const int32_t rows[6] = {0, 1, 2, 3, 4, 5};
static const double ones[6] = {1, 1, 1, 1, 1, 1};

static const change sound[] = {
    {"/fclib_local/spacedim", 1, &three, NULL}, {"/fclib_local/W/nzmax", 1, &six, NULL},
    {"/fclib_local/W/m", 1, &six, NULL},        {"/fclib_local/W/n", 1, &six, NULL},
    {"/fclib_local/W/nz", 1, &columns, NULL},   {"/fclib_local/W/p", 7, pointers, NULL},
    {"/fclib_local/W/i", 6, rows, NULL},        {"/fclib_local/W/x", 6, NULL, ones},
    {"/fclib_local/vectors/q", 6, NULL, ones},  {"/fclib_local/vectors/mu", 2, NULL, ones},
};

static void write_one(const scri_hdf5* h, const change* c)
{
    if (c->count < 0) return;
    scree_status status = c->integers ? scri_hdf5_write_integers(h, c->path, c->count, c->integers)
                                      : scri_hdf5_write_reals(h, c->path, c->count, c->reals);
    assert_int_equal(status, SCREE_OK);
}

static scri_hdf5 create(const change* fault)
{
    scri_hdf5 h;
    bool used = false;
    assert_int_equal(scri_hdf5_create(NULL, "made", &h), SCREE_OK);
    for (size_t k = 0; k < sizeof sound / sizeof sound[0]; ++k) {
        bool replace = fault && strcmp(fault->path, sound[k].path) == 0;
        write_one(&h, replace ? fault : &sound[k]);
        used = used || replace;
    }
    if (fault && !used) write_one(&h, fault);
    return h;
}

static void save(scri_hdf5* h, const char* path)
{
    FILE* stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(scri_hdf5_save(h, stream), SCREE_OK);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(scri_hdf5_close(h, SCREE_OK), SCREE_OK);
}

static void check_read(const char* path, scree_status expected, const char* said)
{
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file, zero = {0};
    scree_status status = scree_problem_read(&env, path, &file);
    if (status != expected) fail_msg("status %d, \"%s\"", (int)status, log.text);
    if (expected) {
        io_assert_said(&log, said);
        assert_memory_equal(&file, &zero, sizeof file);
    }
    scree_problem_file_release(&file);
    remove(path);
}

static void check(const change* fault, scree_status expected, const char* what)
{
    io_path path = io_scratch("bad_hdf5", "fault.hdf5");
    scri_hdf5 h = create(fault);
    save(&h, path.text);
    char said[300];
    snprintf(said, sizeof said, "%.60s:%s: %s", path.text, fault ? fault->path : "", what);
    check_read(path.text, expected, said);
}

static void the_sound_file_is_read(void** state)
{
    (void)state;
    check(NULL, SCREE_OK, "");
}

static void missing_datasets_are_named(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sound / sizeof sound[0]; ++k) {
        if (strcmp(sound[k].path, "/fclib_local/W/nzmax") == 0) continue; /* not needed */
        change fault = {sound[k].path, -1, NULL, NULL};
        check(&fault, SCREE_ERROR_FORMAT, "is missing");
    }
}

static void other_lengths_and_types_are_refused(void** state)
{
    (void)state;
    static const double reals[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const int32_t zeros[8] = {0};
    for (size_t k = 0; k < sizeof sound / sizeof sound[0]; ++k) {
        const change* s = &sound[k];
        if (strcmp(s->path, "/fclib_local/W/nzmax") == 0) continue;
        change swapped = {s->path, s->count, s->integers ? NULL : zeros,
                          s->integers ? reals : NULL};
        check(&swapped, SCREE_ERROR_FORMAT,
              s->integers ? "does not hold integers" : "does not hold reals");
        change shorter = {s->path, s->count - 1, s->integers ? zeros : NULL, reals};
        char said[80];
        snprintf(said, sizeof said, "has %d elements where %d are expected", s->count - 1,
                 s->count);
        check(&shorter, SCREE_ERROR_FORMAT, said);
    }
}

static void values_are_checked(void** state)
{
    (void)state;
    static const int32_t four = 4, zero = 0, below = -3, negative = -6, many = 1000000;
    static const int32_t late[7] = {1, 1, 2, 3, 4, 5, 6}, falling[7] = {0, 2, 1, 3, 4, 5, 6};
    static const int32_t far[7] = {0, 1, 2, 3, 4, 5, INT32_MAX};
    static const int32_t high[6] = {0, 1, 2, 3, 4, 6}, low[6] = {0, -1, 2, 3, 4, 5};
    static const double nan_[6] = {1, 1, NAN, 1, 1, 1}, inf_[6] = {1, -INFINITY, 1, 1, 1, 1};
    static const double minus[2] = {0.5, -1e-300};
    const struct {
        change fault;
        scree_status status;
        const char* what;
    } table[] = {
        {{"/fclib_local/spacedim", 1, &four, NULL}, SCREE_ERROR_FORMAT, "is 4, which this group"},
        {{"/fclib_local/spacedim", 1, &zero, NULL}, SCREE_ERROR_FORMAT, "is 0, outside 2 to 6"},
        {{"/fclib_local/W/m", 1, &negative, NULL}, SCREE_ERROR_FORMAT, "is -6, outside 0 to"},
        {{"/fclib_local/W/nz", 1, &below, NULL}, SCREE_ERROR_FORMAT, "is -3, outside -2 to"},
        {{"/fclib_local/W/p", 7, late, NULL}, SCREE_ERROR_FORMAT, "does not begin with 0"},
        {{"/fclib_local/W/p", 7, falling, NULL}, SCREE_ERROR_FORMAT, "does not begin with 0"},
        {{"/fclib_local/W/i", 6, high, NULL}, SCREE_ERROR_FORMAT, "element 5 is 6, outside 0 to 5"},
        {{"/fclib_local/W/i", 6, low, NULL}, SCREE_ERROR_FORMAT, "element 1 is -1, outside"},
        {{"/fclib_local/W/x", 6, NULL, nan_}, SCREE_ERROR_INPUT, "element 2 is not a finite"},
        {{"/fclib_local/vectors/q", 6, NULL, inf_}, SCREE_ERROR_INPUT, "element 1 is not a finite"},
        {{"/fclib_local/vectors/mu", 2, NULL, minus}, SCREE_ERROR_INPUT, "element 1 is negative"},
        {{"/solution/r", 5, NULL, ones}, SCREE_ERROR_FORMAT, "has 5 elements where 6"},
        {{"/solution/r", 6, NULL, nan_}, SCREE_ERROR_INPUT, "element 2 is not a finite"},
        {{"/guesses/number_of_guesses", 1, &many, NULL}, SCREE_ERROR_FORMAT, "is 1000000, outside"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k)
        check(&table[k].fault, table[k].status, table[k].what);
    io_path path = io_scratch("bad_hdf5", "far.hdf5");
    change fault = {"/fclib_local/W/p", 7, far, NULL};
    scri_hdf5 h = create(&fault);
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT,
               "/fclib_local/W/i: has 6 elements where 2147483647 are expected");
}

static void sizes_must_agree(void** state)
{
    (void)state;
    static const int32_t five = 5, zero = 0, largest = INT32_MAX;
    io_path path = io_scratch("bad_hdf5", "sizes.hdf5");
    change fault = {"/fclib_local/W/n", 1, &five, NULL};
    scri_hdf5 h = create(&fault);
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_INPUT, ":/fclib_local/W: is 6 x 5, not square");

    /* 0 x 0 and the largest square: nothing may be allocated for it. */
    const struct {
        const int32_t* order;
        scree_status status;
        const char* said;
    } table[] = {{&zero, SCREE_ERROR_INPUT, "has no contacts"},
                 {&five, SCREE_ERROR_FORMAT, "does not divide the 5 rows"},
                 {&largest, SCREE_ERROR_FORMAT, "does not divide the 2147483647 rows"}};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(scri_hdf5_create(NULL, "made", &h), SCREE_OK);
        for (size_t n = 0; n < sizeof sound / sizeof sound[0]; ++n) {
            bool size = strstr(sound[n].path, "W/m") || strstr(sound[n].path, "W/n");
            size = size && !strstr(sound[n].path, "W/nz");
            change c = {sound[n].path, 1, table[k].order, NULL};
            write_one(&h, size ? &c : &sound[n]);
        }
        save(&h, path.text);
        check_read(path.text, table[k].status, table[k].said);
    }
}

static void equality_constraints_are_refused_unless_empty(void** state)
{
    (void)state;
    static const int32_t zero = 0, two = 2;
    static const char* const names[] = {"/fclib_local/V/n", "/fclib_local/R/n"};
    for (int k = 0; k < 2; ++k) {
        io_path path = io_scratch("bad_hdf5", "equality.hdf5");
        change fault = {names[k], 1, &two, NULL};
        scri_hdf5 h = create(&fault);
        save(&h, path.text);
        check_read(path.text, SCREE_ERROR_UNSUPPORTED, "equality constraints are not supported");
        fault.integers = &zero;
        h = create(&fault);
        save(&h, path.text);
        check_read(path.text, SCREE_OK, "");
    }
}

static void a_file_without_a_problem_is_refused(void** state)
{
    (void)state;
    io_path path = io_scratch("bad_hdf5", "empty.hdf5");
    scri_hdf5 h;
    assert_int_equal(scri_hdf5_create(NULL, "made", &h), SCREE_OK);
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT, ":/: holds no group fclib_local");
}

/* Makes `path` in a file that lacks it, in a way that the writers of this project never would. */
static hid_t make_dataset(const scri_hdf5* h, const char* path, int rank, const hsize_t* extent,
                          const hsize_t* chunk)
{
    hid_t space = H5Screate_simple(rank, extent, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk) {
        H5Pset_chunk(list, rank, chunk);
        H5Pset_deflate(list, 9);
    }
    hid_t id = H5Dcreate2(h->file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(id >= 0);
    H5Pclose(list);
    H5Sclose(space);
    return id;
}

static void shapes_and_storage_are_checked(void** state)
{
    (void)state;
    const change no_x = {"/fclib_local/W/x", -1, NULL, NULL};
    io_path path = io_scratch("bad_hdf5", "shape.hdf5");
    const hsize_t flat[2] = {2, 3}, huge[1] = {(hsize_t)1 << 40}, six_[1] = {6},
                  large[1] = {100000};
    static double zeros[100000];

    scri_hdf5 h = create(&no_x);
    H5Dclose(make_dataset(&h, no_x.path, 2, flat, NULL));
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT, "/fclib_local/W/x: has 2 dimensions, not one");

    h = create(&no_x);
    H5Dclose(make_dataset(&h, no_x.path, 1, huge, NULL));
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT, "1099511627776 elements, but too few are stored");

    h = create(&no_x);
    H5Dclose(make_dataset(&h, no_x.path, 1, huge, large));
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT, "1099511627776 elements, but too few are stored");

    h = create(&no_x);
    hid_t id = make_dataset(&h, no_x.path, 1, six_, six_);
    assert_true(H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones) >= 0);
    H5Dclose(id);
    save(&h, path.text);
    check_read(path.text, SCREE_OK, "");

    /* Arrays may be longer than what is in use, and compress well. */
    h = create(&no_x);
    id = make_dataset(&h, no_x.path, 1, large, large);
    zeros[0] = 1.0;
    assert_true(H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
    H5Dclose(id);
    save(&h, path.text);
    check_read(path.text, SCREE_OK, "");
}

/* Soft and external links could lead anywhere, so that they count as missing. */
static void links_out_of_the_file_are_not_followed(void** state)
{
    (void)state;
    const change no_x = {"/fclib_local/W/x", -1, NULL, NULL};
    io_path path = io_scratch("bad_hdf5", "link.hdf5");
    scri_hdf5 h = create(&no_x);
    assert_true(
        H5Lcreate_external("other.hdf5", "/x", h.file, no_x.path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT, "/fclib_local/W/x: is missing");

    h = create(&no_x);
    assert_true(
        H5Lcreate_soft("/fclib_local/vectors/q", h.file, no_x.path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    save(&h, path.text);
    check_read(path.text, SCREE_ERROR_FORMAT, "/fclib_local/W/x: is missing");
}

/* FCLIB reserves /solution/r without filling it; that is no solution. */
static void a_solution_never_written_is_none(void** state)
{
    (void)state;
    const hsize_t six_[1] = {6};
    io_path path = io_scratch("bad_hdf5", "solution.hdf5");
    scri_hdf5 h = create(NULL);
    H5Gclose(H5Gcreate2(h.file, "/solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Dclose(make_dataset(&h, "/solution/r", 1, six_, NULL));
    save(&h, path.text);
    scree_problem_file file;
    assert_int_equal(scree_problem_read(NULL, path.text, &file), SCREE_OK);
    assert_null(file.solution);
    scree_problem_file_release(&file);
    remove(path.text);
}

/* HDF5 prints its errors again, as the host had asked it to. */
static herr_t host_printer(hid_t stack, void* data)
{
    (void)stack;
    (void)data;
    return 0;
}

static void the_error_printer_of_the_host_is_restored(void** state)
{
    (void)state;
    int mine = 0;
    H5E_auto2_t before, after;
    void *before_data, *after_data;
    H5Eget_auto2(H5E_DEFAULT, &before, &before_data);
    H5Eset_auto2(H5E_DEFAULT, host_printer, &mine);
    static const char* const names[] = {"local.hdf5", "bad/damaged.hdf5"};
    for (int k = 0; k < 2; ++k) {
        scree_problem_file file;
        io_path path = io_fixture(names[k]);
        scree_status status = scree_problem_read(NULL, path.text, &file);
        assert_int_equal(status == SCREE_OK, k == 0);
        scree_problem_file_release(&file);
        H5Eget_auto2(H5E_DEFAULT, &after, &after_data);
        assert_true(after == host_printer && after_data == &mine);
    }
    H5Eset_auto2(H5E_DEFAULT, before, before_data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sound_file_is_read),
        cmocka_unit_test(missing_datasets_are_named),
        cmocka_unit_test(other_lengths_and_types_are_refused),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(sizes_must_agree),
        cmocka_unit_test(equality_constraints_are_refused_unless_empty),
        cmocka_unit_test(a_file_without_a_problem_is_refused),
        cmocka_unit_test(shapes_and_storage_are_checked),
        cmocka_unit_test(links_out_of_the_file_are_not_followed),
        cmocka_unit_test(a_solution_never_written_is_none),
        cmocka_unit_test(the_error_printer_of_the_host_is_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
