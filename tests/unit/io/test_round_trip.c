/* Problems of every kind are written and read back bit for bit. */
#include "unit/io/io_support.h"

typedef struct made {
    scri_arena* arena;
    scree_problem problem;
} made;

static made make(io_random* random, scree_rows rows, bool factored)
{
    made m = {.arena = scri_arena_create(NULL)};
    assert_non_null(m.arena);
    int32_t n = 1 + io_below(random, 7);
    scree_law law = rows == SCREE_ROWS_N ? SCREE_LAW_HALF_LINE : SCREE_LAW_EXACT;
    m.problem = io_contacts(m.arena, random, n, rows, law);
    if (factored) {
        io_add_factors(m.arena, random, 1 + io_below(random, 9), &m.problem);
    } else {
        io_add_w(m.arena, random, &m.problem);
    }
    return m;
}

static void write_and_read(const char* name, const scree_problem* problem,
                           const scree_problem_extras* extras, scree_problem_file* file)
{
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("round_trip", name);
    io_assert_ok(scree_problem_write(&env, path.text, problem, extras), &log);
    io_assert_ok(scree_problem_read(&env, path.text, file), &log);
    assert_int_equal(log.count, 0);
    remove(path.text);
}

static void check_kind(io_random* random, scree_rows rows, bool factored, const char* name)
{
    for (int k = 0; k < 20; ++k) {
        made m = make(random, rows, factored);
        scree_problem_file file;
        write_and_read(name, &m.problem, NULL, &file);
        io_assert_same(&m.problem, &file.store.problem);
        scree_problem_file_release(&file);
        scri_arena_destroy(m.arena);
    }
}

static void hdf5_keeps_every_bit(void** state)
{
    (void)state;
    io_random random = io_seed("hdf5_keeps_every_bit", 1);
    for (int rows = SCREE_ROWS_NT; rows < SCREE_ROWS_END; ++rows)
        for (int factored = 0; factored < 2; ++factored)
            check_kind(&random, (scree_rows)rows, factored, "kind.hdf5");
    check_kind(&random, SCREE_ROWS_NTT, false, "kind.h5");
}

static void text_keeps_every_bit(void** state)
{
    (void)state;
    io_random random = io_seed("text_keeps_every_bit", 2);
    static const scree_rows kinds[] = {SCREE_ROWS_NT, SCREE_ROWS_NTT, SCREE_ROWS_NTR,
                                       SCREE_ROWS_NTTRR};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        for (int factored = 0; factored < 2; ++factored)
            check_kind(&random, kinds[k], factored, "kind.dat");
}

/* The matrix of an LCP is written dense, so that its pattern becomes full. */
static void text_keeps_every_value_of_an_lcp(void** state)
{
    (void)state;
    io_random random = io_seed("text_keeps_every_value_of_an_lcp", 3);
    for (int k = 0; k < 20; ++k) {
        made m = make(&random, SCREE_ROWS_N, false);
        scree_problem_file file;
        write_and_read("lcp.dat", &m.problem, NULL, &file);
        const scree_problem* p = &file.store.problem;
        io_assert_same_contacts(&m.problem, p);
        for (int32_t i = 0; i < p->n_contacts; ++i) {
            for (int32_t j = 0; j < p->n_contacts; ++j) {
                double a = io_w(&m.problem, i, j), b = io_w(p, i, j);
                assert_memory_equal(&a, &b, sizeof a);
            }
        }
        scree_problem_file_release(&file);
        scri_arena_destroy(m.arena);
    }
}

static void extras_come_back(void** state)
{
    (void)state;
    io_random random = io_seed("extras_come_back", 4);
    made m = make(&random, SCREE_ROWS_NTTRR, false);
    int32_t n = scree_problem_n_rows(&m.problem);
    double* p[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = io_take(m.arena, (size_t)n, sizeof **p);
        for (int32_t r = 0; r < n; ++r) p[k][r] = io_number(&random);
    }
    const double* guesses[2] = {p[1], p[2]};
    scree_problem_extras extras = {"a title, caf\xc3\xa9", p[0], 2, guesses};
    scree_problem_file file;
    write_and_read("extras.hdf5", &m.problem, &extras, &file);
    io_assert_same(&m.problem, &file.store.problem);
    assert_string_equal(file.title, extras.title);
    assert_int_equal(file.n_guesses, 2);
    assert_memory_equal(file.solution, p[0], (size_t)n * sizeof(double));
    assert_memory_equal(file.guesses[0], p[1], (size_t)n * sizeof(double));
    assert_memory_equal(file.guesses[1], p[2], (size_t)n * sizeof(double));
    scree_problem_file_release(&file);
    write_and_read("extras.dat", &m.problem, &extras, &file);
    assert_null(file.title);
    assert_null(file.solution);
    assert_int_equal(file.n_guesses, 0);
    scree_problem_file_release(&file);
    scri_arena_destroy(m.arena);
}

/* The laws that files do not name are read as the exact one. */
static void convex_laws_are_written(void** state)
{
    (void)state;
    io_random random = io_seed("convex_laws_are_written", 5);
    made m = make(&random, SCREE_ROWS_NTT, false);
    uint8_t* law = io_take(m.arena, (size_t)m.problem.n_contacts, 1);
    memset(law, SCREE_LAW_CONVEX, (size_t)m.problem.n_contacts);
    law[0] = SCREE_LAW_COUPLED;
    scree_problem convex = m.problem;
    convex.law = law;
    scree_problem_file file;
    write_and_read("convex.dat", &convex, NULL, &file);
    io_assert_same(&m.problem, &file.store.problem);
    scree_problem_file_release(&file);
    scri_arena_destroy(m.arena);
}

/* y = (W + C) p + q: compliance goes to the diagonal of W, and into nothing else. */
static void compliance_is_folded_into_w(void** state)
{
    (void)state;
    io_random random = io_seed("compliance_is_folded_into_w", 6);
    made m = make(&random, SCREE_ROWS_NTT, false);
    int32_t n = scree_problem_n_rows(&m.problem);
    double* compliance = io_take(m.arena, (size_t)n, sizeof *compliance);
    for (int32_t r = 0; r < n; ++r) compliance[r] = io_unit(&random);
    scree_problem soft = m.problem;
    soft.compliance = compliance;
    static const char* const names[] = {"soft.dat", "soft.hdf5"};
    for (int k = 0; k < 2; ++k) {
        scree_problem_file file;
        write_and_read(names[k], &soft, NULL, &file);
        io_assert_same_contacts(&m.problem, &file.store.problem);
        for (int32_t i = 0; i < n; ++i)
            for (int32_t j = 0; j < n; ++j)
                assert_true(io_w(&file.store.problem, i, j) ==
                            io_w(&m.problem, i, j) + (i == j ? compliance[i] : 0.0));
        scree_problem_file_release(&file);
    }
    scri_arena_destroy(m.arena);
}

/* Both sides, added up in the same order by the same code, must agree to the bit. */
static void check_reduced(const char* name, const scree_problem* problem)
{
    scree_problem_store reduced;
    scree_problem_file file;
    assert_int_equal(scree_problem_reduce(NULL, problem, &reduced), SCREE_OK);
    const double* compliance = reduced.problem.compliance;
    reduced.problem.compliance = NULL;
    write_and_read(name, problem, NULL, &file);
    io_assert_same_contacts(&reduced.problem, &file.store.problem);
    int32_t n = scree_problem_n_rows(problem);
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < n; ++j) {
            double soft = compliance && i == j ? compliance[i] : 0.0;
            assert_true(io_w(&file.store.problem, i, j) == io_w(&reduced.problem, i, j) + soft);
        }
    }
    scree_problem_file_release(&file);
    scree_problem_store_release(&reduced);
}

static void factored_problems_are_reduced_where_they_must(void** state)
{
    (void)state;
    io_random random = io_seed("factored_problems_are_reduced_where_they_must", 7);
    made lcp = make(&random, SCREE_ROWS_N, true), soft = make(&random, SCREE_ROWS_NTT, true);
    check_reduced("factored_lcp.dat", &lcp.problem);
    int32_t n = scree_problem_n_rows(&soft.problem);
    double* compliance = io_take(soft.arena, (size_t)n, sizeof *compliance);
    for (int32_t r = 0; r < n; ++r) compliance[r] = io_unit(&random);
    soft.problem.compliance = compliance;
    check_reduced("factored_soft.dat", &soft.problem);
    check_reduced("factored_soft.hdf5", &soft.problem);
    scri_arena_destroy(lcp.arena);
    scri_arena_destroy(soft.arena);
}

/* Two balls, one on the other, on the ground. */
static void bodies_are_reduced(void** state)
{
    (void)state;
    static const double inv_mass[2] = {0.5, 0.25}, q[10] = {-1, 0.5, 0, 0.25, 0, -0.5, 1, 0, 0, 2};
    static const double inv_inertia[12] = {3, 3, 3, 0, 0, 0, 2, 2, 2, 0, 0, 0};
    static const int32_t pair[4] = {0, -1, 1, 0}, row[3] = {0, 5, 10};
    static const double frame[18] = {0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0};
    static const double arm[12] = {0, 0, -1, 0, 0, 0, 0, 0, -1, 0, 0, 1};
    static const double coef[6] = {0.5, 0.01, 0, 0.25, 0.02, 0};
    static const uint8_t rows[2] = {SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRR}, law[2] = {0, 0};
    const scree_problem p = {
        .n_contacts = 2,
        .form = SCREE_FORM_BODIES,
        .first_row = row,
        .rows = rows,
        .law = law,
        .coef = coef,
        .q = q,
        .bodies = {2, inv_mass, inv_inertia, pair, frame, arm},
    };
    assert_int_equal(scree_problem_validate(NULL, &p), SCREE_OK);
    check_reduced("bodies.dat", &p);
    check_reduced("bodies.hdf5", &p);
}

/* Solvers look diagonal blocks up, so that files hold them even where the problem does not. */
static void missing_diagonal_blocks_are_added(void** state)
{
    (void)state;
    static const int32_t row[] = {0, 3, 6}, start[] = {0, 1, 1}, column[] = {1};
    static const int64_t offset[] = {0, 9};
    static const double value[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, q[6] = {0}, coef[6] = {0.5};
    static const uint8_t rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT}, law[2] = {0};
    const scree_problem p = {.n_contacts = 2,
                             .first_row = row,
                             .rows = rows,
                             .law = law,
                             .coef = coef,
                             .q = q,
                             .w = {start, column, offset, value}};
    scree_problem_file file;
    write_and_read("diagonal.dat", &p, NULL, &file);
    assert_int_equal(file.store.problem.w.start[2], 3);
    for (int32_t i = 0; i < 6; ++i)
        for (int32_t j = 0; j < 6; ++j)
            assert_true(io_w(&p, i, j) == io_w(&file.store.problem, i, j));
    scree_problem_file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hdf5_keeps_every_bit),
        cmocka_unit_test(text_keeps_every_bit),
        cmocka_unit_test(text_keeps_every_value_of_an_lcp),
        cmocka_unit_test(extras_come_back),
        cmocka_unit_test(convex_laws_are_written),
        cmocka_unit_test(compliance_is_folded_into_w),
        cmocka_unit_test(factored_problems_are_reduced_where_they_must),
        cmocka_unit_test(bodies_are_reduced),
        cmocka_unit_test(missing_diagonal_blocks_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
