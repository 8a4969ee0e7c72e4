/* Newton methods: their linear system against dense algebra, proximal Newton on hyperstatic
 * packings and mixtures of laws, and what auto makes of them. */
#include "scree_study/packing.h"
#include "solvers/newton_system.h"
#include "support/solving.h"

/* ---- the linear system ---- */

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
        int64_t width = problem->row[c + 1] - problem->row[c];
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

static double largest(const double* x, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    }
    return most;
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
        int n = l->problem->row[c + 1] - l->problem->row[c];
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
        int32_t first = l->problem->row[c], width = l->problem->row[c + 1] - first;
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

/* Random bodies. Body 0 does not move; 1 is a point mass, 2 turns about one axis only, 3 about z.
 */
static sample draw_body_problem(scri_random* random, int32_t n, int32_t n_bodies)
{
    static const int kinds[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                SCREE_ROWS_NTTRRS};
    int rows[64], law[64];
    assert_true(n <= 64);
    for (int32_t c = 0; c < n; ++c) {
        rows[c] = kinds[draw_below(random, 5)];
        law[c] = draw_below(random, 2) ? SCREE_LAW_EXACT : SCREE_LAW_BILATERAL;
    }
    sample s = sample_begin(n, rows, law);
    draw_bodies(&s, random, n_bodies);
    double axis[3];
    draw_direction(random, axis);
    for (int k = 0; k < 6; ++k) {
        static const int of[6] = {0, 1, 2, 0, 0, 1}, with[6] = {0, 1, 2, 1, 2, 2};
        if (n_bodies > 1) s.inv_inertia[6 + k] = 0.0;
        if (n_bodies > 2) s.inv_inertia[12 + k] = axis[of[k]] * axis[with[k]];
        if (n_bodies > 3) s.inv_inertia[18 + k] = k == 2;
    }
    for (int32_t i = 0; i < s.row[n]; ++i) s.q[i] = draw_between(random, -1.0, 1.0);
    for (int32_t c = 0; c < 3 * n; ++c) s.coef[c] = draw_power(random, -1.0, 0.0);
    return s;
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
            assert_int_equal(scri_newton_system_sign(bodies.system), 1);
            assert_int_equal(scri_newton_system_sign(blocks.system), 1);
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

/* Determinant of I + D W, W with compliance; of a matrix scaled by rows to entries of about 1. */
static real dense_determinant(const linear* l, scri_arena* arena)
{
    int32_t n = l->n_rows;
    dense w = dense_w(arena, l->problem, NULL), a = dense_zero(arena, n, n);
    const double* s = l->scaling->scale;
    for (int32_t i = 0; i < n; ++i) {
        if (l->problem->compliance) *dense_at(&w, i, i) += (real)l->problem->compliance[i];
    }
    for (int32_t c = 0; c < l->problem->n_contacts; ++c) {
        int32_t first = l->problem->row[c], width = l->problem->row[c + 1] - first;
        const double* d = l->d + scri_newton_system_block(l->system, c);
        for (int32_t i = 0; i < width; ++i) {
            for (int32_t j = 0; j < n; ++j) {
                real sum = first + i == j;
                for (int32_t k = 0; k < width; ++k) {
                    real scale = (real)l->scaling->unit * (real)s[first + k] * (real)s[j];
                    sum += (real)d[i * width + k] * *dense_at(&w, first + k, j) / scale;
                }
                *dense_at(&a, first + i, j) = sum;
            }
        }
    }
    real determinant = 1;
    for (int32_t k = 0; k < n; ++k) {
        int32_t best = k;
        for (int32_t i = k; i < n; ++i) {
            if (real_abs(*dense_at(&a, i, k)) > real_abs(*dense_at(&a, best, k))) best = i;
        }
        if (best != k) determinant = -determinant;
        for (int32_t j = 0; j < n; ++j) {
            real swap = *dense_at(&a, k, j);
            *dense_at(&a, k, j) = *dense_at(&a, best, j);
            *dense_at(&a, best, j) = swap;
        }
        determinant *= *dense_at(&a, k, k);
        for (int32_t i = k + 1; i < n; ++i) {
            real factor = *dense_at(&a, i, k) / *dense_at(&a, k, k);
            for (int32_t j = k; j < n; ++j) *dense_at(&a, i, j) -= factor * *dense_at(&a, k, j);
        }
    }
    return determinant;
}

/* Blocks of any kind, under which the determinant has either sign. */
static void signs_are_those_of_the_determinant(void** state)
{
    (void)state;
    scri_random random = test_seed("sign", 151);
    int negative = 0, count = test_cases(20, 200);
    for (int n = 0; n < count; ++n) {
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
            real determinant = dense_determinant(&l, s.arena);
            negative += determinant < 0;
            require(s.compliance || scri_newton_system_sign(l.system) == (determinant < 0 ? -1 : 1),
                    "case %d, form %d: sign %d, but the determinant is %.3g", n, form,
                    scri_newton_system_sign(l.system), (double)determinant);
            solve_linear(&l, 2, 1);
            require_solved(&l, l.a, 1e-7);
            scri_newton_system_destroy(l.system);
        }
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
    require(negative >= count / 5, "only %d determinants are negative", negative);
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
        real determinant = dense_determinant(&l, s.arena);
        require(scri_newton_system_sign(l.system) == (determinant < 0 ? -1 : 1),
                "case %d: sign %d, but the determinant is %.3g", n,
                scri_newton_system_sign(l.system), (double)determinant);
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
    assert_int_equal(scri_newton_system_sign(l.system), 1);
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

/* ---- proximal Newton ---- */

static scree_packing_def packing(int kind, int32_t contacts, int rows, int law, double noise)
{
    scree_packing_def def = scree_default_packing_def();
    def.kind = (scree_packing_kind)kind;
    def.contacts = contacts;
    def.rows = (scree_rows)rows;
    def.law = (scree_law)law;
    def.noise = noise;
    return def;
}

static scree_problem_store packed(const scree_packing_def* def)
{
    scree_problem_store store;
    assert_int_equal(scree_packing_create(NULL, def, &store), SCREE_OK);
    return store;
}

static scree_report require_converged(const scree_problem* problem, const char* name, double tol,
                                      double* p)
{
    scree_solver_def def = solver_def(name, tol, 2000);
    scree_report report = solved(problem, &def, p);
    require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s: %s at %.2g after %lld steps", name,
            scree_outcome_text((int)report.outcome), report.residual, (long long)report.iterations);
    return report;
}

static void packings_are_solved_from_zero(void** state)
{
    (void)state;
    static const int widths[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS};
    for (int n = 0; n < test_few(36, 9); ++n) {
        int kind = n % 3, rows = widths[n / 3 % 3], noisy = n / 9 % 2;
        int law = n / 18 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        int32_t contacts = kind == SCREE_PACKING_PYRAMID && test_all() ? 396 : 100;
        scree_packing_def def = packing(kind, contacts, rows, law, noisy ? 0.3 : 0.0);
        scree_problem_store store = packed(&def);
        double* p = zeros_of(&store.problem);
        scree_report report = require_converged(&store.problem, "newton-prox",
                                                law == SCREE_LAW_CONVEX ? 1e-10 : 1e-8, p);
        print_message("%s, %d contacts, %d rows, %s, noise %g: %lld steps, %.1g\n",
                      scree_packing_name(kind), (int)store.problem.n_contacts, rows,
                      scree_law_name(law), def.noise, (long long)report.iterations,
                      report.residual);
        free(p);
        scree_problem_store_release(&store);
    }
}

/* Impulses of about `size` times the weight of a body in a step. */
static void draw_impulses(scri_random* random, const scree_problem* problem, double size, double* p)
{
    double weight =
        largest(problem->q, scree_problem_n_rows(problem)) / problem->bodies.inv_mass[0];
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        p[i] = size * weight * draw_between(random, -1.0, 1.0);
    }
}

/* Guesses of a million times the impulses sought. One in many leads to where steps stay short. */
static void first_guesses_matter_little(void** state)
{
    (void)state;
    scri_random random = test_seed("guesses", 157);
    int64_t most = 0;
    int missed = 0, count = test_few(test_cases(8, 24), 2);
    for (int n = 0; n < count; ++n) {
        scree_packing_def made =
            packing(SCREE_PACKING_PYRAMID, 100, SCREE_ROWS_NTTRR, n % 2, n / 2 % 2 ? 0.3 : 0.0);
        scree_problem_store store = packed(&made);
        double* p = zeros_of(&store.problem);
        draw_impulses(&random, &store.problem, 1e6, p);
        scree_solver_def def = solver_def("newton-prox", 1e-8, 600);
        scree_report far = solved(&store.problem, &def, p);
        scree_report again = solved(&store.problem, &def, p);
        if (far.outcome == SCREE_OUTCOME_CONVERGED) {
            require(again.iterations == 0, "%lld steps from a solution",
                    (long long)again.iterations);
            if (far.iterations > most) most = far.iterations;
        } else {
            print_message("case %d: %.2g after %lld steps\n", n, far.residual,
                          (long long)far.iterations);
            require(far.residual <= 1e-5, "case %d: %s at %.2g", n,
                    scree_outcome_text((int)far.outcome), far.residual);
            ++missed;
        }
        free(p);
        scree_problem_store_release(&store);
    }
    print_message("at most %lld steps, %d of %d missed\n", (long long)most, missed, count);
    require(missed <= count / 8, "%d of %d missed", missed, count);
}

/* Free velocities that impulses have given to the bodies, so that coming to rest is a way out. */
static void draw_motion(sample* s, scri_random* random)
{
    dense h = dense_rows_of_bodies(s->arena, &s->view);
    dense m = dense_inverse_mass_of_bodies(s->arena, &s->view);
    dense impulse = dense_zero(s->arena, h.m, 1);
    for (int32_t i = 0; i < h.m; ++i) impulse.a[i] = (real)draw_between(random, -1.0, 1.0);
    dense v = dense_product(s->arena, &m, &impulse), q = dense_product(s->arena, &h, &v);
    for (int32_t i = 0; i < h.n; ++i) s->q[i] = (double)q.a[i];
}

static void laws_mix(void** state)
{
    (void)state;
    static const int kinds[][2] = {
        {SCREE_ROWS_NTT, SCREE_LAW_EXACT},       {SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT},
        {SCREE_ROWS_NTTRR, SCREE_LAW_CONVEX},    {SCREE_ROWS_NTT, SCREE_LAW_BILATERAL},
        {SCREE_ROWS_NTTRR, SCREE_LAW_BILATERAL}, {SCREE_ROWS_N, SCREE_LAW_INTERVAL},
        {SCREE_ROWS_N, SCREE_LAW_HALF_LINE},
    };
    enum { N = 40, KINDS = sizeof kinds / sizeof kinds[0] };
    scri_random random = test_seed("mixture", 158);
    int64_t most = 0;
    for (int n = 0; n < test_cases(8, 60); ++n) {
        int rows[N], law[N];
        for (int c = 0; c < N; ++c) {
            const int* kind = kinds[c < KINDS ? c : draw_below(&random, KINDS)];
            rows[c] = kind[0], law[c] = kind[1];
        }
        sample s = sample_begin(N, rows, law);
        draw_bodies(&s, &random, 20);
        for (int c = 0; c < N; ++c) {
            for (int k = 0; k < 3; ++k) s.coef[3 * c + k] = draw_power(&random, -1.0, 0.0);
            if (law[c] == SCREE_LAW_INTERVAL) s.coef[3 * c] *= -1.0;
        }
        if (n % 3 == 0) sample_add_compliance(&s, &random, 0.01);
        draw_motion(&s, &random);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        double* p = zeros_of(&s.view);
        const scree_problem* problem = n % 2 ? &reduced.problem : &s.view;
        scree_report report = require_converged(problem, "newton-prox", 1e-8, p);
        if (report.iterations > most) most = report.iterations;
        free(p);
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
    print_message("at most %lld steps\n", (long long)most);
}

/* ---- auto ---- */

static scree_stage stages[SCREE_STAGES_MAX]; /* of the last solve with auto_def() */

static scree_solver_def auto_def(double tol, int64_t max_iter)
{
    scree_solver_def def = solver_def("auto", tol, max_iter);
    def.stages = stages;
    def.stages_room = SCREE_STAGES_MAX;
    return def;
}

static void require_stages(const scree_report* report)
{
    int64_t sum = 0;
    double last = SCREE_INFINITY;
    require(report->n_stages >= 1 && report->n_stages <= SCREE_STAGES_MAX, "%d stages",
            report->n_stages);
    for (int i = 0; i < report->n_stages; ++i) {
        const scree_stage* stage = &stages[i];
        require(stage->residual <= last, "stage %d: %.3g after %.3g", i, stage->residual, last);
        require(stage->iterations >= 0 && stage->time_s >= 0.0, "stage %d: %lld in %g s", i,
                (long long)stage->iterations, stage->time_s);
        last = stage->residual;
        sum += stage->iterations;
    }
    require(sum == report->iterations, "%lld iterations in stages, %lld in all", (long long)sum,
            (long long)report->iterations);
    require(last == report->residual, "the last stage ends at %.17g, not %.17g", last,
            report->residual);
    int named = 0;
    for (int i = 0; i < report->n_stages; ++i) {
        named += strcmp(stages[i].solver, report->solver) == 0;
    }
    require(named > 0, "%s is not among the stages", report->solver);
}

static void print_stages(const char* what, const scree_report* report)
{
    print_message("%s:", what);
    for (int i = 0; i < report->n_stages; ++i) {
        const scree_stage* stage = &stages[i];
        print_message(" %s %lld to %.1g;", stage->solver, (long long)stage->iterations,
                      stage->residual);
    }
    print_message("\n");
}

/* A packing on which sweeps take long. */
static scree_problem_store hard_packing(void)
{
    scree_packing_def def =
        packing(SCREE_PACKING_PYRAMID, 400, SCREE_ROWS_NTT, SCREE_LAW_EXACT, 0.3);
    return packed(&def);
}

static void auto_tells_its_stages(void** state)
{
    (void)state;
    int64_t cold = 0;
    for (int n = 0; n < 6; ++n) {
        int law = n % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        scree_packing_def def =
            packing(n / 2, test_size(100, 400), SCREE_ROWS_NTTRRS, law, n == 2 ? 0.0 : 0.3);
        scree_problem_store store = packed(&def);
        double* p = zeros_of(&store.problem);
        scree_solver_def solver = auto_def(n % 3 ? 1e-8 : 1e-4, 20000);
        scree_report report = solved(&store.problem, &solver, p);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        print_stages(scree_packing_name(n / 2), &report);
        require_stages(&report);
        cold += report.iterations;
        free(p);
        scree_problem_store_release(&store);
    }
    require(cold > 0, "nothing was done");
}

static void auto_goes_beyond_its_first_stage(void** state)
{
    (void)state;
    scri_random random = test_seed("warm", 159);
    scree_problem_store store = hard_packing();
    int32_t n_rows = scree_problem_n_rows(&store.problem);
    double *p = zeros_of(&store.problem), *again = zeros_of(&store.problem);
    scree_solver_def def = auto_def(1e-8, 100000);
    scree_report cold = solved(&store.problem, &def, p);
    assert_int_equal(cold.outcome, SCREE_OUTCOME_CONVERGED);
    print_stages("cold", &cold);
    require_stages(&cold);
    def.stages_room = 1; /* no more is written, but all are counted */
    stages[1].solver = NULL;
    scree_report twin = solved(&store.problem, &def, again);
    assert_null(stages[1].solver);
    def.stages_room = SCREE_STAGES_MAX;
    require(cold.n_stages >= 2, "%d stages", cold.n_stages);
    assert_memory_equal(p, again, (size_t)n_rows * sizeof *p);
    require(cold.iterations == twin.iterations && cold.n_stages == twin.n_stages &&
                strcmp(cold.solver, twin.solver) == 0,
            "the same call took another way");
    double size = largest(p, n_rows);
    for (int32_t i = 0; i < n_rows; ++i) p[i] += 1e-6 * size * draw_between(&random, -1.0, 1.0);
    scree_report warm = solved(&store.problem, &def, p);
    assert_int_equal(warm.outcome, SCREE_OUTCOME_CONVERGED);
    print_stages("warm", &warm);
    require_stages(&warm);
    require(warm.iterations < cold.iterations, "%lld iterations warm, %lld cold",
            (long long)warm.iterations, (long long)cold.iterations);
    scree_report done = solved(&store.problem, &def, p);
    require(done.outcome == SCREE_OUTCOME_CONVERGED && done.iterations == 0,
            "%lld iterations from a solution", (long long)done.iterations);
    free(p);
    free(again);
    scree_problem_store_release(&store);
}

static void auto_keeps_to_the_limit(void** state)
{
    (void)state;
    scree_problem_store store = hard_packing();
    static const int64_t limits[] = {1, 7, 29, 31, 50, 150, 201, 230};
    for (size_t n = 0; n < sizeof limits / sizeof limits[0]; ++n) {
        double* p = zeros_of(&store.problem);
        scree_solver_def def = auto_def(1e-12, limits[n]);
        scree_report report = solved(&store.problem, &def, p);
        print_stages("limited", &report);
        require_stages(&report);
        require(report.iterations <= limits[n], "%lld iterations", (long long)report.iterations);
        require(limits[n] > 150 || (report.outcome == SCREE_OUTCOME_ITERATION_LIMIT &&
                                    report.iterations == limits[n]),
                "%s after %lld", scree_outcome_text((int)report.outcome),
                (long long)report.iterations);
        free(p);
    }
    scree_problem_store_release(&store);
}

/* A tolerance that is never met lets every stage of a small pile come to its end. */
static void auto_shares_the_limit_among_stages(void** state)
{
    (void)state;
    scree_packing_def made =
        packing(SCREE_PACKING_PYRAMID, 20, SCREE_ROWS_NTT, SCREE_LAW_EXACT, 0.3);
    scree_problem_store store = packed(&made);
    for (int64_t limit = 31; limit < 2000; limit = limit * 5 / 4) {
        double* p = zeros_of(&store.problem);
        scree_solver_def def = auto_def(0.0, limit);
        scree_report report = solved(&store.problem, &def, p);
        if (limit < 40) print_stages("shared", &report);
        require_stages(&report);
        require(report.n_stages >= 2, "%d stages", report.n_stages);
        free(p);
    }
    scree_problem_store_release(&store);
}

/* Few contacts and many, with bodies and in contact space. */
static void auto_takes_all_sizes_and_forms(void** state)
{
    (void)state;
    scri_random random = test_seed("forms", 160);
    for (int n = 0; n < test_cases(5, 40); ++n) {
        sample s = draw_body_problem(&random, 1 + draw_below(&random, 30), 12);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) s.law[c] = (uint8_t)draw_below(&random, 2);
        draw_motion(&s, &random);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        for (int form = 0; form < 2; ++form) {
            double* p = zeros_of(&s.view);
            scree_solver_def def = auto_def(1e-8, 20000);
            scree_report report = solved(form ? &reduced.problem : &s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED, "case %d, form %d: %s at %.2g", n,
                    form, scree_outcome_text((int)report.outcome), report.residual);
            if (report.iterations > 0) require_stages(&report);
            free(p);
        }
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_solve_the_same_system),
        cmocka_unit_test(signs_are_those_of_the_determinant),
        cmocka_unit_test(patterns_need_no_symmetry),
        cmocka_unit_test(diagonal_blocks_may_be_missing),
        cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(nothing_needs_to_move),
        cmocka_unit_test(memory_that_runs_out_is_told),
        cmocka_unit_test(packings_are_solved_from_zero),
        cmocka_unit_test(first_guesses_matter_little),
        cmocka_unit_test(laws_mix),
        cmocka_unit_test(auto_tells_its_stages),
        cmocka_unit_test(auto_goes_beyond_its_first_stage),
        cmocka_unit_test(auto_keeps_to_the_limit),
        cmocka_unit_test(auto_shares_the_limit_among_stages),
        cmocka_unit_test(auto_takes_all_sizes_and_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
