/* Every allocation is made to fail once: the call must say so, and leave nothing allocated. */
#include "unit/io/io_support.h"

typedef struct budget {
    long left;  /* allocations that still succeed */
    long alive; /* allocations not yet given back */
    int messages;
} budget;

static void* alloc(void* user, size_t size)
{
    budget* b = user;
    if (b->left-- <= 0) return NULL;
    void* memory = malloc(size);
    if (memory) ++b->alive;
    return memory;
}

static void release(void* user, void* memory)
{
    --((budget*)user)->alive;
    free(memory);
}

static void count_message(void* user, scree_log_level level, const char* text)
{
    (void)level;
    (void)text;
    ++((budget*)user)->messages;
}

typedef scree_status attempt(const scree_env* env, const void* data);

/* Lets the k-th allocation fail, k = 0, 1, 2, ..., until the attempt succeeds. */
static void fail_each(attempt* try, const void* data)
{
    for (long k = 0; k < 10000; ++k) {
        budget b = {.left = k};
        scree_env env = {.alloc = alloc, .release = release, .log = count_message, .user = &b};
        scree_status status = try(&env, data);
        assert_int_equal(b.alive, 0);
        if (!status) {
            assert_true(k > 0);
            return;
        }
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_int_equal(b.messages, 1);
    }
    fail_msg("never succeeded");
}

static scree_status read_problem(const scree_env* env, const void* data)
{
    scree_problem_file file;
    scree_status status = scree_problem_read(env, data, &file);
    scree_problem_file_release(&file);
    return status;
}

static void reading(void** state)
{
    (void)state;
    static const char* const names[] = {"friction2d_dense.dat", "friction3d_blocks.dat",
                                        "friction3d_rows.dat",  "global_rolling.dat",
                                        "global3d_blocks.dat",  "lcp_blocks.dat",
                                        "local.hdf5",           "local_rows.hdf5",
                                        "local_triplet.hdf5",   "global.hdf5"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        io_path path = io_fixture(names[k]);
        fail_each(read_problem, path.text);
    }
}

typedef struct output {
    const char* path;
    const scree_problem* problem;
    const scree_problem_extras* extras;
} output;

static scree_status write_problem(const scree_env* env, const void* data)
{
    const output* o = data;
    scree_status status = scree_problem_write(env, o->path, o->problem, o->extras);
    assert_true(io_exists(o->path) == (status == SCREE_OK));
    remove(o->path);
    return status;
}

static void writing(void** state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } table[] = {{"local.hdf5", "a.hdf5"},
                 {"local.hdf5", "a.dat"},
                 {"global.hdf5", "a.hdf5"},
                 {"global.hdf5", "a.dat"},
                 {"lcp_dense.dat", "a.dat"}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        scree_problem_file file;
        io_path from = io_fixture(table[k].from), to = io_scratch("memory", table[k].to);
        assert_int_equal(scree_problem_read(NULL, from.text, &file), SCREE_OK);
        scree_problem_extras extras = {file.title, file.solution, file.n_guesses, file.guesses};
        output o = {to.text, &file.store.problem, &extras};
        fail_each(write_problem, &o);
        double soft[9] = {0.5};
        scree_problem compliant = file.store.problem;
        compliant.compliance = soft;
        o.problem = &compliant;
        if (compliant.form == SCREE_FORM_ASSEMBLED) fail_each(write_problem, &o);
        scree_problem_file_release(&file);
    }
}

static scree_status read_impulses(const scree_env* env, const void* data)
{
    const output* o = data;
    double p[9];
    return scree_impulses_read(env, o->path, o->problem, p);
}

static scree_status write_impulses(const scree_env* env, const void* data)
{
    const output* o = data;
    const double p[9] = {1.0};
    scree_status status = scree_impulses_write(env, o->path, o->problem, p);
    remove(o->path);
    return status;
}

static void impulses(void** state)
{
    (void)state;
    scree_problem_file file;
    io_path from = io_fixture("local.hdf5"), text = io_fixture("impulses.txt");
    io_path to[2] = {io_scratch("memory", "p.txt"), io_scratch("memory", "p.hdf5")};
    assert_int_equal(scree_problem_read(NULL, from.text, &file), SCREE_OK);
    output o = {from.text, &file.store.problem, NULL};
    fail_each(read_impulses, &o);
    o.path = text.text;
    fail_each(read_impulses, &o);
    for (int k = 0; k < 2; ++k) {
        o.path = to[k].text;
        fail_each(write_impulses, &o);
    }
    scree_problem_file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading),
        cmocka_unit_test(writing),
        cmocka_unit_test(impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
