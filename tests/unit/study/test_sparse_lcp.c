/* Lemke's method on sparse factors against the dense one, and towers of bricks. */
#include "scree/scree.h"
#include "scree_study/polyhedral.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { MOST = 300, PER_COLUMN = 8 };

/* A matrix as both forms see it. */
typedef struct both {
    double dense[MOST * MOST], b[MOST], value[MOST * MOST];
    int32_t start[MOST + 1], row[MOST * MOST];
    scree_lcp lcp;
    scree_sparse_lcp sparse;
} both;

static void compress(int32_t n, both* x)
{
    int32_t count = 0;
    for (int32_t j = 0; j < n; ++j) {
        x->start[j] = count;
        for (int32_t i = 0; i < n; ++i) {
            if (x->dense[i * n + j] == 0.0) continue;
            x->row[count] = i;
            x->value[count++] = x->dense[i * n + j];
        }
    }
    x->start[n] = count;
    x->lcp = (scree_lcp){n, x->dense, x->b};
    x->sparse = (scree_sparse_lcp){n, {n, n, x->start, x->row, x->value}, x->b};
}

/* Few entries: a strictly dominant diagonal, skew parts and all, so that there is one solution. */
static void draw_problem(scri_random* random, int32_t n, both* x)
{
    memset(x->dense, 0, sizeof x->dense);
    for (int32_t j = 0; j < n; ++j) {
        for (int k = 0; k < PER_COLUMN / 2; ++k) {
            int32_t i = draw_below(random, n);
            if (i == j) continue;
            x->dense[i * n + j] = draw_between(random, -1.0, 1.0);
            x->dense[j * n + i] = draw_between(random, -1.0, 1.0);
        }
        x->b[j] = draw_between(random, -1.0, 1.0);
    }
    for (int32_t i = 0; i < n; ++i) {
        double sum = 0.1;
        for (int32_t j = 0; j < n; ++j) {
            sum += fabs(x->dense[i * n + j]) + fabs(x->dense[j * n + i]);
        }
        x->dense[i * (n + 1)] = 0.5 * sum;
    }
    compress(n, x);
}

static void test_sparse_equals_dense(void** state)
{
    (void)state;
    static both x;
    scri_random random = test_seed("sparse", 3);
    for (int k = 0; k < test_cases(30, 600); ++k) {
        int32_t n = 1 + draw_below(&random, k % 10 ? 60 : test_sparse() ? MOST : 190);
        double z[MOST] = {0.0}, y[MOST] = {0.0};
        scree_lcp_def def = scree_default_lcp_def();
        scree_lcp_report dense, sparse;
        scree_lcp_certificate certificate;
        draw_problem(&random, n, &x);
        assert_int_equal(scree_lcp_solve(sparse_env(), &x.lcp, &def, z, &dense), SCREE_OK);
        assert_int_equal(scree_sparse_lcp_solve(sparse_env(), &x.sparse, &def, y, &sparse),
                         SCREE_OK);
        assert_int_equal(dense.outcome, SCREE_LCP_SOLVED);
        require(sparse.outcome == SCREE_LCP_SOLVED, "case %d of %d rows: %s", k, (int)n,
                scree_lcp_outcome_text((int)sparse.outcome));
        assert_int_equal(scree_sparse_lcp_certify(NULL, &x.sparse, y, &certificate), SCREE_OK);
        require(certificate.residual <= 1e-10, "case %d: residual %g", k, certificate.residual);
        for (int32_t i = 0; i < n; ++i) {
            require(fabs(z[i] - y[i]) <= 1e-9, "case %d, row %d: %g, not %g", k, (int)i, y[i],
                    z[i]);
        }
    }
}

/* Ties everywhere: equal rows, many zeros in b. The second right-hand side must break them. */
static void test_ties(void** state)
{
    (void)state;
    static both x;
    for (int32_t n = 2; n <= 40; ++n) {
        double z[MOST] = {0.0};
        scree_lcp_def def = scree_default_lcp_def();
        scree_lcp_report report;
        memset(x.dense, 0, sizeof x.dense);
        for (int32_t i = 0; i < n; ++i) {
            for (int32_t j = i - 1; j <= i + 1; ++j) {
                if (j >= 0 && j < n) x.dense[i * n + j] = i == j ? 2.0 : -1.0;
            }
            x.b[i] = i % 3 ? -1.0 : 0.0;
        }
        compress(n, &x);
        assert_int_equal(scree_sparse_lcp_solve(NULL, &x.sparse, &def, z, &report), SCREE_OK);
        require(report.outcome == SCREE_LCP_SOLVED, "%d rows: %s", (int)n,
                scree_lcp_outcome_text((int)report.outcome));
    }
}

/* w = -z - 1 has no solution: a ray from every start. Nothing to do at b >= 0. */
static void test_ray_and_nothing(void** state)
{
    (void)state;
    static both x;
    double z[3] = {0.0, 0.0, 0.0};
    scree_lcp_def def = scree_default_lcp_def();
    scree_lcp_report report;
    memset(x.dense, 0, sizeof x.dense);
    for (int i = 0; i < 3; ++i) x.dense[4 * i] = x.b[i] = -1.0;
    compress(3, &x);
    assert_int_equal(scree_sparse_lcp_solve(NULL, &x.sparse, &def, z, &report), SCREE_OK);
    assert_int_equal(report.outcome, SCREE_LCP_RAY);
    for (int i = 0; i < 3; ++i) x.b[i] = (double)i;
    assert_int_equal(scree_sparse_lcp_solve(NULL, &x.sparse, &def, z, &report), SCREE_OK);
    assert_int_equal(report.outcome, SCREE_LCP_SOLVED);
    assert_true(z[0] == 0.0 && z[1] == 0.0 && z[2] == 0.0);
    def.method = SCREE_LCP_PGS;
    assert_int_equal(scree_sparse_lcp_solve(NULL, &x.sparse, &def, z, &report),
                     SCREE_ERROR_UNSUPPORTED);
    x.value[0] = (double)NAN;
    def.method = SCREE_LCP_LEMKE;
    assert_int_equal(scree_sparse_lcp_solve(NULL, &x.sparse, &def, z, &report), SCREE_ERROR_INPUT);
}

/* ---- towers ---- */

static scree_world* make_tower(int n, const double push[3])
{
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    scree_material material = {.mu = 0.5};
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    scree_mass mass;
    int32_t index;
    scree_body_id id;
    assert_int_equal(scree_world_create(sparse_env(), &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &material, &index), SCREE_OK);
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    shape.half_size[0] = 0.0;
    body.kind = SCREE_BODY_STATIC;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    shape.kind = SCREE_SHAPE_BOX;
    shape.half_size[0] = 0.1;
    shape.half_size[1] = 0.05;
    shape.half_size[2] = 0.03;
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 2000.0, &mass), SCREE_OK);
    body = scree_default_body_def();
    body.mass = mass.mass;
    memcpy(body.inertia, mass.inertia, sizeof body.inertia);
    for (int i = 0; i < n; ++i) {
        body.position[2] = 0.03 + 0.06 * i;
        body.position[0] = i % 2 ? 0.01 : 0.0;
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
        if (i % 4 == 3) assert_int_equal(scree_world_apply_force(world, id, push), SCREE_OK);
    }
    assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
    return world;
}

/* The problem of a step of a tower, sparse and dense: the motion is the same. */
static void test_tower(void** state)
{
    (void)state;
    test_needs_sparse();
    const double push[3] = {40.0, 25.0, 0.0};
    scree_world* world = make_tower(test_size(6, 20), push);
    const scree_problem* problem = scree_world_get_view(world).problem;
    int32_t n_rows = scree_problem_n_rows(problem);
    double* y[2] = {calloc((size_t)n_rows, sizeof(double)), calloc((size_t)n_rows, sizeof(double))};
    double *p = calloc((size_t)n_rows, sizeof *p), speed = 0.0, off = 0.0;
    for (int form = 0; form < 2; ++form) {
        scree_lcp_store dense = {.memory = NULL};
        scree_sparse_lcp_store sparse = {.memory = NULL};
        scree_lcp_def def = scree_default_lcp_def();
        scree_lcp_report report;
        if (form == 0) {
            assert_int_equal(scree_polyhedral_build(sparse_env(), problem, 4, 0, &dense), SCREE_OK);
        } else {
            assert_int_equal(scree_polyhedral_build_sparse(sparse_env(), problem, 4, 0, &sparse),
                             SCREE_OK);
        }
        int32_t n = form ? sparse.lcp.n : dense.lcp.n;
        double* z = calloc((size_t)n, sizeof *z);
        assert_int_equal(form ? scree_sparse_lcp_solve(sparse_env(), &sparse.lcp, &def, z, &report)
                              : scree_lcp_solve(sparse_env(), &dense.lcp, &def, z, &report),
                         SCREE_OK);
        print_message("%s: %d unknowns, %d pivots, residual %.1e\n", form ? "sparse" : "dense",
                      (int)n, (int)report.iterations, report.residual);
        require(report.outcome == SCREE_LCP_SOLVED, "%s",
                scree_lcp_outcome_text((int)report.outcome));
        assert_int_equal(scree_polyhedral_impulses(sparse_env(), problem, 4, 0, z, p), SCREE_OK);
        assert_int_equal(scree_problem_velocity(sparse_env(), problem, p, y[form]), SCREE_OK);
        free(z);
        scree_lcp_store_release(&dense);
        scree_sparse_lcp_store_release(&sparse);
    }
    memset(p, 0, (size_t)n_rows * sizeof *p);
    double* loose = calloc((size_t)n_rows, sizeof *loose);
    assert_int_equal(scree_problem_velocity(NULL, problem, p, loose), SCREE_OK);
    for (int32_t i = 0; i < n_rows; ++i) {
        speed = fmax(speed, fabs(loose[i]));
        off = fmax(off, fabs(y[0][i] - y[1][i]));
    }
    require(off <= 1e-8 * speed, "velocities differ by %g of %g", off, speed);
    free(loose);
    free(p);
    free(y[0]);
    free(y[1]);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse_equals_dense),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_ray_and_nothing),
        cmocka_unit_test(test_tower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
