/* A problem is plain data: its arrays, copied elsewhere byte by byte, give the same impulses to the
 * last bit after everything they came from is gone. */
#include "support/fits.h"
#include "support/friction_sets.h"

/* One block of memory, as a file, a message or a device would have it. */
typedef struct block {
    unsigned char* memory;
    size_t used, size;
} block;

/* Copies an array to the end of the block and spoils the original. */
static const void* move(block* b, const void* from, size_t count, size_t size)
{
    if (!from) return NULL;
    b->used = (b->used + 7) / 8 * 8;
    assert_true(b->used + count * size <= b->size);
    void* to = b->memory + b->used;
    memcpy(to, from, count * size);
    memset((void*)(uintptr_t)from, 0xa5, count * size);
    b->used += count * size;
    return to;
}

static scree_problem move_problem(block* b, const scree_problem* from)
{
    size_t n = (size_t)from->n_contacts, n_rows = (size_t)from->first_row[n];
    scree_problem to = *from;
    if (from->form == SCREE_FORM_BODIES) {
        size_t n_bodies = (size_t)from->bodies.n_bodies;
        to.bodies.inv_mass = move(b, from->bodies.inv_mass, n_bodies, sizeof(double));
        to.bodies.inv_inertia = move(b, from->bodies.inv_inertia, 6 * n_bodies, sizeof(double));
        to.bodies.pair = move(b, from->bodies.pair, 2 * n, sizeof(int32_t));
        to.bodies.frame = move(b, from->bodies.frame, 9 * n, sizeof(double));
        to.bodies.arm = move(b, from->bodies.arm, 6 * n, sizeof(double));
    } else {
        size_t n_blocks = (size_t)from->w.start[n], n_values = (size_t)from->w.offset[n_blocks];
        to.w.start = move(b, from->w.start, n + 1, sizeof(int32_t));
        to.w.column = move(b, from->w.column, n_blocks, sizeof(int32_t));
        to.w.offset = move(b, from->w.offset, n_blocks + 1, sizeof(int64_t));
        to.w.value = move(b, from->w.value, n_values, sizeof(double));
    }
    to.set = move(b, from->set, 4 * n, sizeof(int32_t));
    to.sets.value = move(b, from->sets.value, (size_t)from->sets.n, sizeof(scree_set_value));
    to.sets.table = move(b, from->sets.table, (size_t)from->sets.n_table, sizeof(double));
    to.rows = move(b, from->rows, n, 1);
    to.law = move(b, from->law, n, 1);
    to.coef = move(b, from->coef, 3 * n, sizeof(double));
    to.q = move(b, from->q, n_rows, sizeof(double));
    to.first_row = move(b, from->first_row, n + 1, sizeof(int32_t));
    return to;
}

/* A pile whose contacts have every kind of set, in the bodies form. */
static sample draw_pile(scri_random* random, const set_stock* stock)
{
    sphere_pile pile = {.nx = 2, .ny = 2, .nz = 2, .jitter = 0.02, .noise = 1.0};
    pile.coef[0] = 0.4, pile.coef[1] = 0.1, pile.coef[2] = 0.05;
    pile.rows = SCREE_ROWS_NTTRRS;
    pile.law = SCREE_LAW_EXTENDED;
    sample s = sample_pile(&pile, random);
    const scree_set** set = sample_take(&s, 4 * (size_t)s.view.n_contacts, sizeof *set);
    for (int32_t c = 0; c < s.view.n_contacts; ++c) {
        set[4 * c] = stock->set[draw_below(random, STOCK_SETS)];
        set[4 * c + 1] = stock->set[draw_below(random, STOCK_CONVEX)];
        set[4 * c + 2] = stock->set[draw_below(random, STOCK_CONVEX)];
    }
    sample_add_sets(&s, set);
    return s;
}

static void check_moved(const scree_problem* problem, const char* solver)
{
    scree_solver_def def = solver_def(solver, 1e-8, 2000);
    if (!fits(problem, &def)) return;
    double *here = zeros_of(problem), *there = zeros_of(problem);
    size_t bytes = (size_t)scree_problem_n_rows(problem) * sizeof *here;
    scree_report report = solved(problem, &def, here);
    block b = {.size = 1 << 22};
    b.memory = test_take(b.size, 1);
    scree_problem moved = move_problem(&b, problem);
    assert_int_equal(scree_problem_validate(NULL, &moved), SCREE_OK);
    scree_report again = solved(&moved, &def, there);
    require(again.residual == report.residual && again.iterations == report.iterations,
            "%s: %g after %lld, and %g after %lld where it was moved", solver, report.residual,
            (long long)report.iterations, again.residual, (long long)again.iterations);
    require(memcmp(here, there, bytes) == 0, "%s: other impulses where it was moved", solver);
    free(b.memory), free(here), free(there);
}

static void a_copied_problem_has_the_same_bits(void** state)
{
    (void)state;
    scri_random random = test_seed("moved problems", 7110);
    static const char* const solvers[] = {"nsgs", "nsgs-bodies", "newton-prox", "auto"};
    for (size_t i = 0; i < 2 * sizeof solvers / sizeof solvers[0]; ++i) {
        set_stock stock;
        scree_problem_store reduced = {.memory = NULL};
        stock_open(&stock);
        sample s = draw_pile(&random, &stock);
        stock_close(&stock); /* the problem needs no object */
        if (i % 2) assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        check_moved(i % 2 ? &reduced.problem : &s.view, solvers[i / 2]);
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copied_problem_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
