/* Laws and sets in FCLIB files: written and read back bit for bit, refused where they are broken.
 */
#include "unit/io/io_support.h"

enum { N_SETS = SCREE_SET_KIND_COUNT, CONTACTS = 6, MOST_TABLE = 64 };

typedef struct pool {
    scree_set_value value[N_SETS];
    double table[MOST_TABLE];
    int32_t set[4 * CONTACTS], n_table;
    uint8_t law[CONTACTS];
} pool;

/* One set of every kind; the last but one, the wedges, is not convex. */
static void fill_pool(pool* p)
{
    static const double square[] = {1.0, 0.0, 0.0, 0.5, -1.0, 0.0, 0.0, -0.7};
    static const double curve[] = {-3.0, 1.0, -1.0, 1.2, 0.5, 1.0, 2.0, 0.9};
    for (int kind = 0; kind < N_SETS; ++kind) {
        scree_set_def def = {
            .kind = (scree_set_kind)kind, .a = 0.7, .b = 0.3, .s = 3.0, .angle = 0.1 * kind};
        if (kind == SCREE_SET_ASPERITY) def.a = 1.2, def.s = 0.6;
        if (kind == SCREE_SET_POLYGON) def.n = 4, def.points = square;
        if (kind == SCREE_SET_POLAR) def.n = 4, def.points = curve;
        scree_set* set = NULL;
        assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
        scree_set_store(set, p->n_table, &p->value[kind], p->table);
        p->n_table += scree_set_table_size(set);
        scree_set_destroy(set);
    }
    assert_false(p->value[SCREE_SET_ASPERITY].is_convex);
}

static const uint8_t laws[CONTACTS] = {SCREE_LAW_EXTENDED, SCREE_LAW_EXACT,    SCREE_LAW_CONVEX,
                                       SCREE_LAW_COUPLED,  SCREE_LAW_EXTENDED, SCREE_LAW_EXACT};

static scree_problem make(scri_arena* arena, io_random* random, scree_rows rows, bool factored,
                          pool* p)
{
    static const int32_t sets[4 * CONTACTS] = {
        SCREE_SET_ASPERITY,
        SCREE_SET_ELLIPSE,
        SCREE_SET_POLYGON,
        SCREE_SET_DISC, /* extended */
        SCREE_SET_RECTANGLE,
        -1,
        SCREE_SET_RUNNER,
        -1, /* exact */
        SCREE_SET_SUPERELLIPSE,
        -1,
        -1,
        -1, /* convex */
        -1,
        -1,
        -1,
        -1, /* coupled */
        SCREE_SET_POLAR,
        SCREE_SET_DISC,
        -1,
        -1, /* extended */
        -1,
        -1,
        -1,
        -1, /* exact */
    };
    *p = (pool){.n_table = 0};
    fill_pool(p);
    memcpy(p->set, sets, sizeof sets);
    memcpy(p->law, laws, sizeof laws);
    scree_problem problem = io_contacts(arena, random, CONTACTS, rows, SCREE_LAW_EXACT);
    if (factored) {
        io_add_factors(arena, random, 9, &problem);
    } else {
        io_add_w(arena, random, &problem);
    }
    problem.law = p->law;
    problem.set = p->set;
    problem.sets = (scree_sets){N_SETS, p->n_table, p->value, p->table};
    return problem;
}

static void check_same(const scree_problem* a, const scree_problem* b)
{
    io_assert_same(a, b);
    assert_memory_equal(a->law, b->law, CONTACTS);
    assert_memory_equal(a->set, b->set, 4 * CONTACTS * sizeof *a->set);
    assert_int_equal(a->sets.n, b->sets.n);
    assert_int_equal(a->sets.n_table, b->sets.n_table);
    assert_memory_equal(a->sets.value, b->sets.value, N_SETS * sizeof *a->sets.value);
    assert_memory_equal(a->sets.table, b->sets.table,
                        (size_t)a->sets.n_table * sizeof *a->sets.table);
}

static void laws_and_sets_come_back(void** state)
{
    (void)state;
    io_random random = io_seed("laws_and_sets_come_back", 71);
    static const scree_rows rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                      SCREE_ROWS_NTTRRS};
    for (int k = 0; k < 8; ++k) {
        scri_arena* arena = scri_arena_create(NULL);
        io_log log;
        scree_env env = io_env(&log);
        io_path path = io_scratch("set_files", "sets.hdf5");
        pool p;
        scree_problem problem = make(arena, &random, rows[k % 4], k / 4, &p);
        scree_problem_file file;
        io_assert_ok(scree_problem_validate(&env, &problem), &log);
        io_assert_ok(scree_problem_write(&env, path.text, &problem, NULL), &log);
        io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
        check_same(&problem, &file.store.problem);
        scree_problem_file_release(&file);
        remove(path.text);
        scri_arena_destroy(arena);
    }
}

/* Laws alone; and where nothing goes beyond FCLIB, nothing is written beyond it. */
static void laws_come_back_without_sets(void** state)
{
    (void)state;
    io_random random = io_seed("laws_come_back_without_sets", 72);
    for (int plain = 0; plain < 2; ++plain) {
        scri_arena* arena = scri_arena_create(NULL);
        io_log log;
        scree_env env = io_env(&log);
        io_path path = io_scratch("set_files", "laws.hdf5");
        pool p;
        scree_problem problem = make(arena, &random, SCREE_ROWS_NTT, false, &p);
        problem.set = NULL;
        problem.sets = (scree_sets){0};
        if (plain) memset(p.law, SCREE_LAW_EXACT, sizeof p.law);
        scree_problem_file file;
        io_assert_ok(scree_problem_write(&env, path.text, &problem, NULL), &log);
        io_assert_ok(scree_problem_read(&env, path.text, &file), &log);
        assert_memory_equal(file.store.problem.law, p.law, CONTACTS);
        assert_null(file.store.problem.set);
        assert_int_equal(file.store.problem.sets.n, 0);
        scree_problem_file_release(&file);
        remove(path.text);
        scri_arena_destroy(arena);
    }
}

static void text_says_what_it_lacks(void** state)
{
    (void)state;
    io_random random = io_seed("text_says_what_it_lacks", 73);
    scri_arena* arena = scri_arena_create(NULL);
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("set_files", "sets.dat");
    pool p;
    scree_problem problem = make(arena, &random, SCREE_ROWS_NTT, false, &p);
    assert_int_equal(scree_problem_write(&env, path.text, &problem, NULL), SCREE_ERROR_UNSUPPORTED);
    io_assert_said(&log, "contact 0 has friction that is not the same in all directions");
    assert_false(io_exists(path.text));
    scri_arena_destroy(arena);
}

/* Writing trusts its problem, so that it can make broken files for reading. */
static void broken_files_are_refused(void** state)
{
    (void)state;
    io_random random = io_seed("broken_files_are_refused", 74);
    static const struct {
        int what;
        const char* said;
    } faults[] = {
        {0, "set 0, of kind disc: what follows from its sizes"},
        {1, "set 5, of kind polygon: its table"},
        {2, "there is no set of its number"},
        {3, "set 1: there is no kind 8"},
        {4, "set 7, of kind polar: what follows from its sizes"},
        {5, "set 2, of kind rectangle: a size"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; ++k) {
        scri_arena* arena = scri_arena_create(NULL);
        io_log log;
        scree_env env = io_env(&log);
        io_path path = io_scratch("set_files", "broken.hdf5");
        pool p;
        scree_problem problem = make(arena, &random, SCREE_ROWS_NTT, false, &p);
        if (faults[k].what == 0) p.value[0].is_convex = 0;
        if (faults[k].what == 1) problem.sets.n_table = 15;
        if (faults[k].what == 2) p.set[3] = N_SETS;
        if (faults[k].what == 3) p.value[1].kind = SCREE_SET_KIND_COUNT;
        if (faults[k].what == 4) p.table[p.value[SCREE_SET_POLAR].table + 2] += 0.1;
        if (faults[k].what == 5) p.value[2].b = -1.0;
        scree_problem_file file;
        io_assert_ok(scree_problem_write(&env, path.text, &problem, NULL), &log);
        assert_int_equal(scree_problem_read(&env, path.text, &file), SCREE_ERROR_INPUT);
        io_assert_said(&log, faults[k].said);
        remove(path.text);
        scri_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_and_sets_come_back),
        cmocka_unit_test(laws_come_back_without_sets),
        cmocka_unit_test(text_says_what_it_lacks),
        cmocka_unit_test(broken_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
