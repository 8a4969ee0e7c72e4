/* The linear system of Newton methods against dense algebra. */
#include "solvers/newton_system.h"
#include "support/solving.h"

/* A system with blocks D and a right-hand side; arrays are those of its sample. */
typedef struct linear {
    const scree_problem* problem;
    const scri_scaling* scaling;
    scri_newton_system* system;
    int32_t n_rows;
    double *d, *c, *a, *dp, *dy, *image;
} linear;

static scri_scaling scale_problem(sample* s)
{
    scri_bump bump = {NULL, 0};
    scri_operator_create(&s->view, &bump);
    scri_scaling_create(&s->view, &bump);
    bump = (scri_bump){sample_take(s, bump.used, 1), 0};
    scri_operator op = scri_operator_create(&s->view, &bump);
    scri_scaling scaling = scri_scaling_create(&s->view, &bump);
    scri_scaling_compute(&op, &scaling);
    return scaling;
}

static linear linear_begin(sample* s, const scree_problem* problem, const scri_scaling* scaling)
{
    size_t n = (size_t)scree_problem_n_rows(problem);
    linear l = {.problem = problem, .scaling = scaling, .n_rows = (int32_t)n};
    assert_int_equal(scri_newton_system_create(NULL, problem, scaling, &l.system), SCREE_OK);
    int64_t length = scri_newton_system_block(l.system, problem->n_contacts), expected = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int64_t width = problem->first_row[c + 1] - problem->first_row[c];
        assert_int_equal(scri_newton_system_block(l.system, c), expected);
        expected += width * width;
    }
    assert_int_equal(length, expected);
    l.d = sample_take(s, (size_t)length, sizeof(double));
    l.c = sample_take(s, n, sizeof(double));
    l.a = sample_take(s, n, sizeof(double));
    l.dp = sample_take(s, n, sizeof(double));
    l.dy = sample_take(s, n, sizeof(double));
    l.image = sample_take(s, n, sizeof(double));
    return l;
}

static double apart(const double* x, const double* y, int32_t n)
{
    double most = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        if (!(fabs(x[i] - y[i]) <= most)) most = fabs(x[i] - y[i]);
    }
    return most;
}

/* Blocks that are not symmetric. Definite ones, x.Dx > 0, as laws have them leave I + D W regular
 * whatever W is. */
static void draw_blocks(const linear* l, scri_random* random, int definite)
{
    for (int32_t c = 0; c < l->problem->n_contacts; ++c) {
        int n = l->problem->first_row[c + 1] - l->problem->first_row[c];
        double* d = l->d + scri_newton_system_block(l->system, c);
        double root[36], size = draw_power(random, -1.0, definite ? 2.0 : 0.5);
        for (int i = 0; i < n * n; ++i) root[i] = draw_between(random, -1.0, 1.0);
        for (int i = 0; i < n * n; ++i) {
            int row = i / n, column = i % n;
            double sum = root[i] - (definite ? root[column * n + row] : 0.0);
            for (int k = 0; definite && k < n; ++k) sum += root[row * n + k] * root[column * n + k];
            d[i] = size * sum;
        }
    }
}

static void draw_right_side(const linear* l, scri_random* random)
{
    for (int32_t i = 0; i < l->n_rows; ++i) {
        l->c[i] = draw_between(random, -1.0, 1.0);
        l->a[i] = draw_between(random, -1.0, 1.0);
    }
}

/* W x from the velocities that the problem itself gives. */
static void multiply_by_hand(const linear* l, const double* x, double* out)
{
    const double* s = l->scaling->scale;
    double* p = test_take((size_t)l->n_rows, sizeof *p);
    for (int32_t i = 0; i < l->n_rows; ++i) p[i] = x[i] / (l->scaling->unit * s[i]);
    assert_int_equal(scree_problem_velocity(NULL, l->problem, p, out), SCREE_OK);
    for (int32_t i = 0; i < l->n_rows; ++i) out[i] = (out[i] - l->problem->q[i]) / s[i];
    free(p);
}

/* dy = W dp + a and dp = c - D dy, both to `bound` of the numbers in them. */
static void require_solved(const linear* l, const double* a, double bound)
{
    int32_t n = l->n_rows;
    int64_t length = scri_newton_system_block(l->system, l->problem->n_contacts);
    double dp = largest(l->dp, n), dy = largest(l->dy, n), d = largest(l->d, length);
    double* by_hand = test_take((size_t)n, sizeof *by_hand);
    scri_newton_system_multiply(l->system, l->dp, l->image);
    multiply_by_hand(l, l->dp, by_hand);
    double error = apart(by_hand, l->image, n), size = 1.0 + 10.0 * dp + dy;
    require(error <= 1e-13 * size, "the product with W is off by %.2g of %.2g", error, size);
    for (int32_t i = 0; a && i < n; ++i) by_hand[i] += a[i];
    error = apart(by_hand, l->dy, n);
    require(error <= bound * size, "dy is not W dp + a by %.2g of %.2g", error, size);
    for (int32_t c = 0; c < l->problem->n_contacts; ++c) {
        int32_t first = l->problem->first_row[c], width = l->problem->first_row[c + 1] - first;
        const double* block = l->d + scri_newton_system_block(l->system, c);
        for (int32_t i = 0; i < width; ++i) {
            double sum = l->c[first + i];
            for (int32_t j = 0; j < width; ++j) sum -= block[i * width + j] * l->dy[first + j];
            by_hand[first + i] = sum;
        }
    }
    error = apart(by_hand, l->dp, n);
    size = 1.0 + dp + d * dy;
    require(error <= bound * size, "dp is not c - D dy by %.2g of %.2g", error, size);
    free(by_hand);
}

static void solve_linear(linear* l, int refine, int with_a)
{
    for (int32_t i = 0; i < l->n_rows; ++i) l->dp[i] = l->dy[i] = SCREE_NAN;
    scri_newton_system_solve(l->system, l->c, with_a ? l->a : NULL, refine, l->dp, l->dy);
}

static void both_forms_solve_the_same_system(void** state)
{
    (void)state;
    scri_random random = test_seed("both forms", 150);
    for (int n = 0; n < test_cases(12, 150); ++n) {
        int32_t contacts = 1 + draw_below(&random, n % 3 ? 40 : 3);
        sample s = draw_body_problem(&random, contacts, 2 + draw_below(&random, 9));
        if (n % 2) sample_add_compliance(&s, &random, 0.5);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        scri_scaling scaling = scale_problem(&s);
        linear bodies = linear_begin(&s, &s.view, &scaling);
        linear blocks = linear_begin(&s, &reduced.problem, &scaling);
        scri_newton_system_free_velocity(bodies.system, bodies.image);
        for (int32_t i = 0; i < bodies.n_rows; ++i) {
            require(fabs(bodies.image[i] * scaling.scale[i] - s.q[i]) <= 1e-15, "free velocity");
        }
        for (int round = 0; round < 3; ++round) { /* the pattern serves several matrices */
            draw_blocks(&bodies, &random, 1);
            draw_right_side(&bodies, &random);
            blocks.d = bodies.d, blocks.c = bodies.c, blocks.a = bodies.a;
            assert_int_equal(scri_newton_system_factor(bodies.system, bodies.d), SCREE_OK);
            assert_int_equal(scri_newton_system_factor(blocks.system, blocks.d), SCREE_OK);
            int with_a = draw_below(&random, 2), refine = draw_below(&random, 3);
            solve_linear(&bodies, refine, with_a);
            solve_linear(&blocks, refine, with_a);
            require_solved(&bodies, with_a ? bodies.a : NULL, 1e-10);
            require_solved(&blocks, with_a ? blocks.a : NULL, 1e-10);
            double size = 1.0 + largest(bodies.dp, bodies.n_rows);
            double error = apart(bodies.dp, blocks.dp, bodies.n_rows);
            require(error <= 1e-8 * size, "case %d: dp differs by %.2g of %.2g", n, error, size);
            size = 1.0 + largest(bodies.dy, bodies.n_rows);
            error = apart(bodies.dy, blocks.dy, bodies.n_rows);
            require(error <= 1e-8 * size, "case %d: dy differs by %.2g of %.2g", n, error, size);
        }
        scri_newton_system_destroy(bodies.system);
        scri_newton_system_destroy(blocks.system);
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

/* Blocks of any kind, under which the determinant of the system has either sign. */
static void blocks_need_not_be_definite(void** state)
{
    (void)state;
    scri_random random = test_seed("any blocks", 151);
    for (int n = 0; n < test_cases(20, 200); ++n) {
        sample s = draw_body_problem(&random, 1 + draw_below(&random, 6), 4);
        if (n % 2) sample_add_compliance(&s, &random, 1.0);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        scri_scaling scaling = scale_problem(&s);
        for (int form = 0; form < 2; ++form) {
            linear l = linear_begin(&s, form ? &reduced.problem : &s.view, &scaling);
            draw_blocks(&l, &random, 0);
            draw_right_side(&l, &random);
            assert_int_equal(scri_newton_system_factor(l.system, l.d), SCREE_OK);
            solve_linear(&l, 2, 1);
            require_solved(&l, l.a, 1e-7);
            scri_newton_system_destroy(l.system);
        }
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

/* Blocks at random places, none of them symmetric: (c, d) may be there without (d, c), and contacts
 * that no impulse of their own moves have no block on the diagonal. */
static sample draw_block_problem(scri_random* random, int32_t n, int hollow)
{
    int rows[16], law[16];
    for (int32_t c = 0; c < n; ++c) {
        rows[c] = SCREE_ROWS_N + draw_below(random, SCREE_ROWS_END - 1);
        law[c] = SCREE_LAW_BILATERAL;
    }
    sample s = sample_begin(n, rows, law);
    size_t side = (size_t)s.row[n], blocks = (size_t)n * (size_t)n;
    s.w_start = sample_take(&s, (size_t)n + 1, sizeof(int32_t));
    s.w_column = sample_take(&s, blocks, sizeof(int32_t));
    s.w_offset = sample_take(&s, blocks + 1, sizeof(int64_t));
    s.w_value = sample_take(&s, side * side, sizeof(double));
    int32_t at = 0;
    int64_t used = 0;
    for (int32_t c = 0; c < n; ++c) {
        int32_t height = s.row[c + 1] - s.row[c];
        for (int32_t d = 0; d < n; ++d) {
            int32_t width = s.row[d + 1] - s.row[d];
            if (c == d ? hollow && c % 3 == 1 : !draw_chance(random, 30.0)) continue;
            for (int32_t i = 0; i < height * width; ++i) {
                s.w_value[used++] =
                    (c == d && i / width == i % width) + draw_between(random, -0.2, 0.2);
            }
            s.w_column[at++] = d;
            s.w_offset[at] = used;
        }
        s.w_start[c + 1] = at;
    }
    s.view.form = SCREE_FORM_ASSEMBLED;
    s.view.w = (scree_bsr){s.w_start, s.w_column, s.w_offset, s.w_value};
    return s;
}

static void solve_blocks(int hollow, uint64_t seed)
{
    scri_random random = test_seed("patterns", seed);
    for (int n = 0; n < test_cases(30, 300); ++n) {
        sample s = draw_block_problem(&random, 1 + draw_below(&random, 12), hollow);
        if (n % 3 == 0) sample_add_compliance(&s, &random, 0.1);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        scri_scaling scaling = scale_problem(&s);
        linear l = linear_begin(&s, &s.view, &scaling);
        draw_blocks(&l, &random, 1);
        draw_right_side(&l, &random);
        scree_status status = scri_newton_system_factor(l.system, l.d);
        require(status == SCREE_OK, "case %d: %s", n, scree_status_text(status));
        solve_linear(&l, n % 2, 1);
        require_solved(&l, l.a, 1e-8);
        scri_newton_system_destroy(l.system);
        sample_end(&s);
    }
}

static void patterns_need_no_symmetry(void** state)
{
    (void)state;
    solve_blocks(0, 152);
}

static void diagonal_blocks_may_be_missing(void** state)
{
    (void)state;
    solve_blocks(1, 153);
}

static void bad_matrices_are_refused(void** state)
{
    (void)state;
    scri_random random = test_seed("refused", 154);
    for (int n = 0; n < 24; ++n) {
        int rows = SCREE_ROWS_NTTRRS, law = SCREE_LAW_EXACT;
        sample s = sample_begin(1, &rows, &law);
        draw_bodies(&s, &random, 2);
        s.pair[0] = n % 3 ? 1 : -1;
        s.pair[1] = n % 3 == 1 ? -1 : n % 3 == 2 ? 0 : 1;
        if (n % 4 > 1) sample_add_compliance(&s, &random, 0.1);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        scri_scaling scaling = scale_problem(&s);
        linear l = linear_begin(&s, n % 2 ? &reduced.problem : &s.view, &scaling);
        for (int round = 0; round < 4; ++round) {
            draw_blocks(&l, &random, 1);
            draw_right_side(&l, &random);
            if (round % 2) l.d[draw_below(&random, 36)] = round == 1 ? SCREE_NAN : SCREE_INFINITY;
            scree_status status = scri_newton_system_factor(l.system, l.d);
            require(status == (round % 2 ? SCREE_ERROR_INPUT : SCREE_OK), "case %d, round %d: %s",
                    n, round, scree_status_text(status));
            if (round % 2) continue;
            solve_linear(&l, 0, 1);
            require_solved(&l, l.a, 1e-10);
        }
        scri_newton_system_destroy(l.system);
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
    int rows = SCREE_ROWS_N, law = SCREE_LAW_HALF_LINE; /* 1 + D W = 1 - 4 / 4 */
    sample s = sample_begin(1, &rows, &law);
    int32_t start[] = {0, 1}, column[] = {0};
    int64_t offset[] = {0, 1};
    double value[] = {4.0}, d[] = {-1.0};
    s.view.w = (scree_bsr){start, column, offset, value};
    scri_scaling scaling = scale_problem(&s);
    linear l = linear_begin(&s, &s.view, &scaling);
    assert_int_equal(scri_newton_system_factor(l.system, d), SCREE_ERROR_INPUT);
    scri_newton_system_destroy(l.system);
    sample_end(&s);
}

/* Contacts among what cannot move: W = 0, no unknowns at all in the bodies form. */
static void nothing_needs_to_move(void** state)
{
    (void)state;
    scri_random random = test_seed("immovable", 155);
    int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRRS}, law[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX};
    sample s = sample_begin(2, rows, law);
    draw_bodies(&s, &random, 1);
    scri_scaling scaling = scale_problem(&s);
    linear l = linear_begin(&s, &s.view, &scaling);
    draw_blocks(&l, &random, 1);
    draw_right_side(&l, &random);
    assert_int_equal(scri_newton_system_factor(l.system, l.d), SCREE_OK);
    solve_linear(&l, 1, 1);
    require_solved(&l, l.a, 1e-14);
    require(apart(l.dy, l.a, l.n_rows) == 0.0, "dy is not a");
    scri_newton_system_destroy(l.system);
    sample_end(&s);
}

static void memory_that_runs_out_is_told(void** state)
{
    (void)state;
    scri_random random = test_seed("memory", 156);
    sample s = draw_body_problem(&random, 20, 6);
    sample_add_compliance(&s, &random, 0.1);
    scree_problem_store reduced = {.memory = NULL};
    assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
    scri_scaling scaling = scale_problem(&s);
    for (int form = 0; form < 2; ++form) {
        for (long fail_at = 0, done = 0; !done; ++fail_at) {
            test_host host;
            scree_env env = test_env(&host);
            host.fail_at = fail_at;
            scri_newton_system* system = NULL;
            scree_status status = scri_newton_system_create(&env, form ? &reduced.problem : &s.view,
                                                            &scaling, &system);
            done = host.n_asked <= fail_at;
            require(status == (done ? SCREE_OK : SCREE_ERROR_MEMORY), "without allocation %ld: %s",
                    fail_at, scree_status_text(status));
            require(!system == !done, "a system that is none");
            scri_newton_system_destroy(system);
            require(host.n_held == 0, "%ld blocks are lost", host.n_held);
        }
    }
    scree_problem_store_release(&reduced);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_solve_the_same_system),
        cmocka_unit_test(blocks_need_not_be_definite),
        cmocka_unit_test(patterns_need_no_symmetry),
        cmocka_unit_test(diagonal_blocks_may_be_missing),
        cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(nothing_needs_to_move),
        cmocka_unit_test(memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
