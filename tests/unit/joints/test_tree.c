/* Trees of links against the matrices that they stand for, solved by elimination. */
#include "joints/tree.h"
#include "math/small_kernel.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

enum { LINKS = 9, ROWS = 8 * LINKS, WIDTH = 6 * LINKS };

/* The same as dense matrices. */
typedef struct dense {
    int n, n_rows;
    double mass[LINKS][36], jacobian[ROWS][WIDTH], compliance[ROWS];
} dense;

/* Half rows J with J motion_j = (i == j): the inverse of the basis. */
static void invert_basis(const double basis[36], double half[6][6])
{
    for (int i = 0; i < 6; ++i) {
        double a[36], x[6] = {0.0};
        memcpy(a, basis, sizeof a); /* motion j . half_i */
        x[i] = 1.0;
        assert_true(scri_gauss_solve(6, 6, a, x));
        memcpy(half[i], x, sizeof x);
    }
}

/* A row of a link: its half, and what is against it on the parent, carried there. */
static void set_row(dense* d, int row, int link, int parent, const double* arm, const double* half)
{
    const double* f = half;
    double back[6] = {f[0],
                      f[1],
                      f[2],
                      f[3] + arm[1] * f[2] - arm[2] * f[1],
                      f[4] + arm[2] * f[0] - arm[0] * f[2],
                      f[5] + arm[0] * f[1] - arm[1] * f[0]};
    for (int j = 0; j < 6; ++j) {
        d->jacobian[row][6 * link + j] = half[j];
        if (parent >= 0) d->jacobian[row][6 * parent + j] = -back[j];
    }
}

static void draw_mass(scri_random* random, scri_link* link, double* mass)
{
    double frame[9], moment[3], inertia[6], size = draw_power(random, -1.5, 1.5);
    static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    draw_frame(random, frame);
    for (int i = 0; i < 3; ++i) moment[i] = size * draw_between(random, 0.01, 0.1);
    for (int k = 0; k < 6; ++k) {
        inertia[k] = 0.0;
        for (int i = 0; i < 3; ++i) {
            inertia[k] += moment[i] * frame[3 * i + place[k][0]] * frame[3 * i + place[k][1]];
        }
    }
    scri_link_set_mass(link, size, inertia);
    memcpy(mass, link->own, sizeof link->own);
}

/* A joint that holds some of six motions, and may have rows that yield, between rigid ones. */
static void draw_joint(scri_random* random, int k, scri_link* link, dense* d)
{
    double half[6][6];
    for (int i = 0; i < 36; ++i) {
        link->basis[i] = (i % 7 == 0) + draw_between(random, -0.15, 0.15);
    }
    invert_basis(link->basis, half);
    link->n_held = draw_below(random, 7);
    int n_soft = draw_chance(random, 40.0) ? 1 + draw_below(random, 2) : 0, held = 0;
    link->row = d->n_rows;
    link->n_rows = link->n_held + n_soft;
    for (int s = 0; s < link->n_rows; ++s, ++d->n_rows) {
        int left = link->n_held - held;
        link->is_rigid[s] = (uint8_t)(n_soft == 0 || (left > 0 && draw_chance(random, 60.0)) ||
                                      left == link->n_rows - s);
        d->compliance[d->n_rows] = 0.0;
        if (link->is_rigid[s]) {
            set_row(d, d->n_rows, k, link->parent, link->arm, half[held++]);
            continue;
        }
        --n_soft;
        double any[6];
        for (int i = 0; i < 6; ++i) any[i] = draw_between(random, -1.0, 1.0);
        set_row(d, d->n_rows, k, link->parent, link->arm, any);
        link->firm[s] = draw_power(random, -2.0, 2.0);
        d->compliance[d->n_rows] = 1.0 / link->firm[s];
        for (int j = 0; j < 6; ++j) {
            for (int i = 0; i < 6; ++i) link->soft[6 * s + j] += any[i] * link->basis[6 * j + i];
        }
    }
}

static void draw_tree(scri_random* random, scri_arena* arena, scri_tree* tree, dense* d)
{
    memset(d, 0, sizeof *d);
    d->n = 1 + draw_below(random, LINKS);
    assert_int_equal(scri_tree_create(arena, d->n, tree), SCREE_OK);
    for (int k = 0; k < d->n; ++k) {
        scri_link* link = &tree->link[k];
        link->parent = draw_chance(random, 10.0) ? -1 : draw_below(random, k + 1) - 1;
        if (link->parent < 0 && k > 0 && draw_chance(random, 80.0)) link->parent = k - 1;
        for (int i = 0; i < 3 && link->parent >= 0; ++i) {
            link->arm[i] = draw_between(random, -1.0, 1.0);
        }
        draw_mass(random, link, d->mass[k]);
        draw_joint(random, k, link, d);
    }
    scri_tree_factor(tree, 0, d->n);
}

/* x = M^-1 x */
static void divide(const dense* d, double* x)
{
    for (int k = 0; k < d->n; ++k) {
        double a[36];
        memcpy(a, d->mass[k], sizeof a);
        assert_true(scri_gauss_solve(6, 6, a, x + 6 * k));
    }
}

/* x = (J M^-1 J^T + C)^-1 x */
static void solve_dense(const dense* d, double* x)
{
    static double a[ROWS * ROWS];
    for (int j = 0; j < d->n_rows; ++j) {
        double v[WIDTH];
        memcpy(v, d->jacobian[j], sizeof v);
        divide(d, v);
        for (int i = 0; i < d->n_rows; ++i) {
            double sum = i == j ? d->compliance[i] : 0.0;
            for (int m = 0; m < 6 * d->n; ++m) sum += d->jacobian[i][m] * v[m];
            a[i * ROWS + j] = sum;
        }
    }
    if (d->n_rows > 0) assert_true(scri_gauss_solve(d->n_rows, ROWS, a, x));
}

static void require_equal(int n, const double* x, const double* y, const char* what, int number)
{
    double size = 0.0, off = 0.0;
    for (int i = 0; i < n; ++i) size = fmax(size, fabs(y[i]));
    for (int i = 0; i < n; ++i) {
        double by = fabs(x[i] - y[i]);
        off = by <= off ? off : by;
    }
    require(off <= 1e-9 * (size + 1e-300), "case %d: %s is off by %g of %g", number, what, off,
            size);
}

static void equations_are_solved(void** state)
{
    (void)state;
    static dense d;
    scri_random random = test_seed("trees", 2102);
    for (int i = 0; i < test_cases(300, 30000); ++i) {
        scri_arena* arena = scri_arena_create(NULL);
        scri_tree tree;
        double x[ROWS], y[ROWS];
        draw_tree(&random, arena, &tree, &d);
        for (int r = 0; r < d.n_rows; ++r) x[r] = y[r] = draw_between(&random, -1.0, 1.0);
        scri_tree_solve(&tree, 0, d.n, x);
        solve_dense(&d, y);
        require_equal(d.n_rows, x, y, "what rows carry", i);
        /* what the links do with that is M^-1 J^T x */
        double v[WIDTH] = {0.0};
        for (int r = 0; r < d.n_rows; ++r) {
            for (int m = 0; m < 6 * d.n; ++m) v[m] += d.jacobian[r][m] * y[r];
        }
        divide(&d, v);
        require_equal(6 * d.n, tree.motion, v, "the motion", i);
        scri_arena_destroy(arena);
    }
}

static void loads_are_answered(void** state)
{
    (void)state;
    static dense d;
    scri_random random = test_seed("loads on trees", 2103);
    for (int i = 0; i < test_cases(300, 30000); ++i) {
        scri_arena* arena = scri_arena_create(NULL);
        scri_tree tree;
        double load[12], v[WIDTH] = {0.0}, x[ROWS] = {0.0};
        draw_tree(&random, arena, &tree, &d);
        int32_t at[2] = {draw_below(&random, d.n), draw_below(&random, d.n + 1) - 1};
        for (int k = 0; k < 12; ++k) load[k] = draw_between(&random, -1.0, 1.0);
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; at[side] >= 0 && k < 6; ++k) {
                v[6 * at[side] + k] += load[6 * side + k];
            }
        }
        divide(&d, v);
        for (int r = 0; r < d.n_rows; ++r) {
            for (int m = 0; m < 6 * d.n; ++m) x[r] -= d.jacobian[r][m] * v[m];
        }
        solve_dense(&d, x);
        double pushed[WIDTH] = {0.0};
        for (int r = 0; r < d.n_rows; ++r) {
            for (int m = 0; m < 6 * d.n; ++m) pushed[m] += d.jacobian[r][m] * x[r];
        }
        divide(&d, pushed);
        double size = 0.0; /* where all is held, what is left of v is rounding */
        for (int m = 0; m < 6 * d.n; ++m) {
            size = fmax(size, fabs(pushed[m]) + fabs(v[m]));
            v[m] += pushed[m];
        }
        scri_tree_respond(&tree, 0, d.n, at, load);
        for (int m = 0; m < 6 * d.n; ++m) {
            double bound = 1e-8 * (size + 1.0);
            require(fabs(tree.motion[m] - v[m]) <= bound, "case %d: motion %d is %g, not %g", i, m,
                    tree.motion[m], v[m]);
        }
        scri_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equations_are_solved),
                                       cmocka_unit_test(loads_are_answered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
