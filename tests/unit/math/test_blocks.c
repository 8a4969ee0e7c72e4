/* Sparse block factors against dense elimination, and redundant rows. */
#include "base/arena.h"
#include "math/blocks.h"
#include "math/small_kernel.h"
#include "support/draw.h"
#include "support/test.h"

enum { NODES = 12, MOST = 6 * NODES, BODIES = 10 };

typedef struct made {
    scri_blocks blocks;
    int32_t width[NODES], first[NODES + 1];
    double dense[MOST * MOST];
} made;

/* A = sum over pairs of J_i J_j^T with nodes that share one of a few bodies. */
static void make(scri_random* random, scri_arena* arena, int redundant, made* m)
{
    static double j[NODES][6][BODIES * 6];
    int32_t pair[2 * NODES * NODES], n_pairs = 0, ends[NODES][2];
    memset(j, 0, sizeof j);
    m->first[0] = 0;
    for (int i = 0; i < NODES; ++i) {
        m->width[i] = 1 + draw_below(random, 6);
        m->first[i + 1] = m->first[i] + m->width[i];
        for (int k = 0; k < 2; ++k) {
            ends[i][k] = draw_below(random, BODIES);
            for (int r = 0; r < m->width[i]; ++r) {
                for (int c = 0; c < 6; ++c) {
                    j[i][r][6 * ends[i][k] + c] += draw_between(random, -1.0, 1.0);
                }
            }
        }
    }
    if (redundant) { /* the last node repeats the first, but for a factor */
        m->width[NODES - 1] = m->width[0];
        m->first[NODES] = m->first[NODES - 1] + m->width[0];
        memcpy(ends[NODES - 1], ends[0], sizeof ends[0]);
        for (int r = 0; r < 6; ++r) {
            for (int c = 0; c < 6 * BODIES; ++c) j[NODES - 1][r][c] = 0.5 * j[0][r][c];
        }
    }
    int n = m->first[NODES];
    for (int a = 0; a < NODES; ++a) {
        for (int b = 0; b < NODES; ++b) {
            int near = 0;
            for (int k = 0; k < 4; ++k) near |= ends[a][k / 2] == ends[b][k % 2];
            if (near) pair[2 * n_pairs] = a, pair[2 * n_pairs++ + 1] = b;
            for (int r = 0; r < m->width[a]; ++r) {
                for (int s = 0; s < m->width[b]; ++s) {
                    double sum = 0.0;
                    for (int c = 0; c < 6 * BODIES; ++c) sum += j[a][r][c] * j[b][s][c];
                    m->dense[(m->first[a] + r) * n + m->first[b] + s] = sum;
                }
            }
        }
    }
    assert_int_equal(scri_blocks_create(arena, NODES, m->width, n_pairs, pair, &m->blocks),
                     SCREE_OK);
    scri_blocks_clear(&m->blocks);
    for (int k = 0; k < n_pairs; ++k) {
        int32_t a = pair[2 * k], b = pair[2 * k + 1];
        if (m->blocks.place[a] < m->blocks.place[b]) continue;
        double* block = m->blocks.value + scri_blocks_find(&m->blocks, a, b);
        for (int r = 0; r < m->width[a]; ++r) {
            for (int s = 0; s < m->width[b]; ++s) {
                block[r * m->width[b] + s] = m->dense[(m->first[a] + r) * n + m->first[b] + s];
            }
        }
    }
    scri_blocks_factor(&m->blocks);
}

/* Repeats the solve with what is left, as callers do; the residual it ends with. */
static double solve(const made* m, const double* rhs, double* x, int rounds)
{
    int n = m->first[NODES];
    double left[MOST], worst = 0.0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = 0; k <= rounds; ++k) {
        worst = 0.0;
        for (int i = 0; i < n; ++i) {
            left[i] = rhs[i];
            for (int j = 0; j < n; ++j) left[i] -= m->dense[i * n + j] * x[j];
            worst = fmax(worst, fabs(left[i]));
        }
        if (k == rounds) break;
        scri_blocks_solve(&m->blocks, 0, NULL, left);
        for (int i = 0; i < n; ++i) x[i] += left[i];
    }
    return worst;
}

static void solves_what_it_is_given(void** state)
{
    (void)state;
    scri_random random = test_seed("blocks", 1);
    for (int k = 0; k < test_cases(50, 2000); ++k) {
        scri_arena* arena = scri_arena_create(NULL);
        static made m;
        double wanted[MOST], rhs[MOST], x[MOST];
        make(&random, arena, k % 2, &m);
        int n = m.first[NODES];
        for (int i = 0; i < n; ++i) wanted[i] = draw_between(&random, -1.0, 1.0);
        for (int i = 0; i < n; ++i) {
            rhs[i] = 0.0;
            for (int j = 0; j < n; ++j) rhs[i] += m.dense[i * n + j] * wanted[j];
        }
        double left = solve(&m, rhs, x, 8);
        require(left <= 1e-8, "case %d: %g is left", k, left);
        if (k % 2) { /* of all answers the least: what repeats half as much carries half as much, */
            for (int r = 0; r < m.width[0]; ++r) { /* in the metric of the diagonal twice of that */
                double a = x[r], b = x[m.first[NODES - 1] + r];
                require(fabs(b - 2.0 * a) <= 1e-3 * (fabs(a) + fabs(b)) + 1e-6, "%g and %g", a, b);
            }
        }
        scri_arena_destroy(arena);
    }
}

/* A chain has as many blocks as it has nodes and joints between them. */
static void a_chain_has_no_fill(void** state)
{
    (void)state;
    enum { LONG = 1000 };
    scri_arena* arena = scri_arena_create(NULL);
    int32_t width[LONG], pair[2 * LONG];
    scri_blocks b;
    for (int i = 0; i < LONG; ++i) {
        width[i] = 3;
        pair[2 * i] = i, pair[2 * i + 1] = i + 1 < LONG ? i + 1 : i;
    }
    assert_int_equal(scri_blocks_create(arena, LONG, width, LONG, pair, &b), SCREE_OK);
    assert_int_equal(b.start[LONG], 2 * LONG - 1);
    scri_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_what_it_is_given),
        cmocka_unit_test(a_chain_has_no_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
