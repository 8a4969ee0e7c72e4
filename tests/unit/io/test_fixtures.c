/* Reads the files that tests/fixtures/make_fixtures.py made and compares every number with the
 * formulas in that script. */
#include "unit/io/io_support.h"

enum { CONTACTS = 3, DOFS = 4 };

static double entry(int i, int j)
{
    return (i == j ? 8.0 : 0.0) + (3 * i + 5 * j) % 7 / 8.0;
}

static double h_entry(int i, int j)
{
    return (i + j) % 2 ? (2 * i + 3 * j) % 5 / 8.0 - 0.25 : 0.0;
}

static bool coupled(int width, int i, int j)
{
    return abs(i / width - j / width) <= 1;
}

static void check_contacts(const scree_problem* p, int n, scree_rows rows)
{
    int width = scree_rows_width((int)rows);
    assert_int_equal(p->n_contacts, n);
    for (int c = 0; c < n; ++c) {
        assert_int_equal(p->rows[c], rows);
        assert_int_equal(p->law[c], width == 1 ? SCREE_LAW_HALF_LINE : SCREE_LAW_EXACT);
        assert_int_equal(p->first_row[c + 1] - p->first_row[c], width);
        bool rolls = rows == SCREE_ROWS_NTR || width >= 5;
        bool spins = rows == SCREE_ROWS_NTTRRS;
        assert_true(p->coef[3 * c] == (width > 1 ? 0.25 + c / 8.0 : 0.0));
        assert_true(p->coef[3 * c + 1] == (rolls ? 0.0625 * (c + 1) : 0.0));
        assert_true(p->coef[3 * c + 2] == (spins ? 0.125 - c / 32.0 : 0.0));
    }
    for (int i = 0; i < n * width; ++i) assert_true(p->q[i] == i / 4.0 - 1.0);
    assert_null(p->compliance);
}

static void check_local(const char* name, const char* format, int n, scree_rows rows)
{
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    io_path path = io_fixture(name);
    io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
    assert_string_equal(file.format, format);
    const scree_problem* p = &file.store.problem;
    assert_int_equal(p->form, SCREE_FORM_ASSEMBLED);
    check_contacts(p, n, rows);
    int width = scree_rows_width((int)rows);
    for (int i = 0; i < n * width; ++i)
        for (int j = 0; j < n * width; ++j)
            assert_true(io_w(p, i, j) == (coupled(width, i, j) ? entry(i, j) : 0.0));
    scree_problem_file_release(&file);
    assert_null(file.store.memory);
}

static void check_global(const char* name, const char* format, scree_rows rows)
{
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    io_path path = io_fixture(name);
    io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
    assert_string_equal(file.format, format);
    const scree_problem* p = &file.store.problem;
    assert_int_equal(p->form, SCREE_FORM_FACTORED);
    check_contacts(p, CONTACTS, rows);
    const scree_factored* f = &p->factored;
    assert_int_equal(f->mass.n_rows, DOFS);
    assert_int_equal(f->h.n_columns, p->first_row[CONTACTS]);
    for (int i = 0; i < DOFS; ++i) {
        assert_true(f->force[i] == 0.5 - i / 8.0);
        for (int j = 0; j < DOFS; ++j) assert_true(io_csc_entry(&f->mass, i, j) == entry(i, j));
        for (int j = 0; j < p->first_row[CONTACTS]; ++j)
            assert_true(io_csc_entry(&f->h, i, j) == h_entry(i, j));
    }
    scree_problem_file_release(&file);
}

static void text_friction(void** state)
{
    (void)state;
    static const char* const spatial[] = {
        "friction3d_dense.dat",       "friction3d_blocks.dat",  "friction3d_coarse_blocks.dat",
        "friction3d_fine_blocks.dat", "friction3d_triplet.dat", "friction3d_columns.dat",
        "friction3d_rows.dat",        "friction3d_flag.dat"};
    for (size_t k = 0; k < sizeof spatial / sizeof spatial[0]; ++k)
        check_local(spatial[k], "Siconos text, friction", CONTACTS, SCREE_ROWS_NTT);
    check_local("friction2d_dense.dat", "Siconos text, planar friction", CONTACTS, SCREE_ROWS_NT);
    check_local("friction2d_columns.dat", "Siconos text, planar friction", CONTACTS, SCREE_ROWS_NT);
}

static void text_rolling(void** state)
{
    (void)state;
    const char* format = "Siconos text, rolling friction";
    check_local("rolling_blocks.dat", format, CONTACTS, SCREE_ROWS_NTTRR);
    check_local("rolling_dense.dat", format, CONTACTS, SCREE_ROWS_NTTRR);
    check_local("planar_rolling_blocks.dat", "Siconos text, planar rolling friction", CONTACTS,
                SCREE_ROWS_NTR);
}

static void text_global(void** state)
{
    (void)state;
    const char* format = "Siconos text, global friction";
    check_global("global3d_dense.dat", format, SCREE_ROWS_NTT);
    check_global("global3d_blocks.dat", format, SCREE_ROWS_NTT);
    check_global("global3d_sparse.dat", format, SCREE_ROWS_NTT);
    check_global("global2d_triplet.dat", "Siconos text, global planar friction", SCREE_ROWS_NT);
    check_global("global_planar_rolling.dat", "Siconos text, global planar rolling friction",
                 SCREE_ROWS_NTR);
    check_global("global_rolling.dat", "Siconos text, global rolling friction", SCREE_ROWS_NTTRR);
}

static void text_lcp(void** state)
{
    (void)state;
    check_local("lcp_dense.dat", "Siconos text, LCP", CONTACTS, SCREE_ROWS_N);
    check_local("lcp_blocks.dat", "Siconos text, LCP", CONTACTS, SCREE_ROWS_N);
    check_local("lcp_two_blocks.dat", "Siconos text, LCP", 2, SCREE_ROWS_N);
    check_local("lcp_two_columns.dat", "Siconos text, LCP", 2, SCREE_ROWS_N);
}

static void hdf5_groups(void** state)
{
    (void)state;
    check_local("local.hdf5", "FCLIB HDF5, local", CONTACTS, SCREE_ROWS_NTT);
    check_local("local_rows.hdf5", "FCLIB HDF5, local", CONTACTS, SCREE_ROWS_NTT);
    check_local("local_triplet.hdf5", "FCLIB HDF5, local", CONTACTS, SCREE_ROWS_NT);
    check_local("local_rolling.hdf5", "FCLIB HDF5, local rolling", CONTACTS, SCREE_ROWS_NTTRR);
    check_local("local_spinning.hdf5", "FCLIB HDF5, local rolling", CONTACTS, SCREE_ROWS_NTTRRS);
    check_global("global.hdf5", "FCLIB HDF5, global", SCREE_ROWS_NTT);
    check_global("global_rolling.hdf5", "FCLIB HDF5, global rolling", SCREE_ROWS_NTTRR);
}

static void hdf5_extras(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scree_problem_file file;
    io_path path = io_fixture("local.hdf5");
    io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
    assert_non_null(file.title);
    assert_string_equal(file.title, "three contacts in a row");
    assert_non_null(file.solution);
    assert_int_equal(file.n_guesses, 2);
    for (int i = 0; i < 9; ++i) {
        assert_true(file.solution[i] == 0.25 + i / 8.0);
        assert_true(file.guesses[0][i] == i / 4.0 - 1.0);
        assert_true(file.guesses[1][i] == 0.5 - i / 8.0);
    }
    scree_problem_file_release(&file);
    path = io_fixture("local_rows.hdf5");
    io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
    assert_null(file.title); /* there is one, of variable length, and those are left alone */
    assert_null(file.solution);
    assert_int_equal(file.n_guesses, 0);
    scree_problem_file_release(&file);
}

static void release_takes_what_is_empty(void** state)
{
    (void)state;
    scree_problem_file file = {0};
    scree_problem_file_release(&file);
    scree_problem_file_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_friction),
        cmocka_unit_test(text_rolling),
        cmocka_unit_test(text_global),
        cmocka_unit_test(text_lcp),
        cmocka_unit_test(hdf5_groups),
        cmocka_unit_test(hdf5_extras),
        cmocka_unit_test(release_takes_what_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
