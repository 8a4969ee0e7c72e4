/* The method of Bunch and Kaufman (1977), Some stable methods for calculating inertia and solving
 * symmetric linear systems: a pivot of one row where the diagonal is large enough against its
 * column, else of two. Exchanges are not carried through to the columns of L before them; the solve
 * makes them as it goes along. */
#include "math/dense_ldl.h"

#include <math.h>
#include <stddef.h>

#define SHARE 0.6403882032022076 /* (1 + sqrt(17)) / 8: growth of one and of two rows is equal */

static size_t place(size_t n, size_t i, size_t j)
{
    return n * j + i;
}

static void swap(double* a, double* b)
{
    double keep = *a;
    *a = *b, *b = keep;
}

/* The row below k with the largest entry of column k; k when all are 0. */
static size_t largest_below(size_t n, const double* a, size_t k)
{
    size_t best = k;
    double most = 0.0;
    for (size_t i = k + 1; i < n; ++i) {
        double size = fabs(a[place(n, i, k)]);
        if (size > most) most = size, best = i;
    }
    return best;
}

/* The largest entry beside the diagonal in row r of the matrix from row k on. */
static double largest_in_row(size_t n, const double* a, size_t k, size_t r)
{
    double most = 0.0;
    for (size_t j = k; j < r; ++j) most = fmax(most, fabs(a[place(n, r, j)]));
    for (size_t i = r + 1; i < n; ++i) most = fmax(most, fabs(a[place(n, i, r)]));
    return most;
}

typedef struct choice {
    int rows;   /* 1 or 2; 0: the column is zero */
    size_t row; /* to exchange with the last of them */
} choice;

static choice choose(size_t n, const double* a, size_t k)
{
    double here = fabs(a[place(n, k, k)]);
    size_t r = largest_below(n, a, k);
    double column = r > k ? fabs(a[place(n, r, k)]) : 0.0;
    if (!(fmax(here, column) > 0.0)) return (choice){0, k};
    if (here >= SHARE * column) return (choice){1, k};
    double row = largest_in_row(n, a, k, r);
    if (here * row >= SHARE * column * column) return (choice){1, k};
    if (fabs(a[place(n, r, r)]) >= SHARE * row) return (choice){1, r};
    return (choice){2, r};
}

/* Exchanges rows and columns p < r of the part from p on. */
static void exchange(size_t n, double* a, size_t p, size_t r)
{
    if (p == r) return;
    for (size_t i = r + 1; i < n; ++i) swap(a + place(n, i, p), a + place(n, i, r));
    for (size_t i = p + 1; i < r; ++i) swap(a + place(n, i, p), a + place(n, r, i));
    swap(a + place(n, p, p), a + place(n, r, r));
}

static void eliminate_one(size_t n, double* a, size_t k)
{
    double inverse = 1.0 / a[place(n, k, k)];
    const double* column = a + n * k;
    for (size_t j = k + 1; j < n; ++j) {
        double *other = a + n * j, factor = column[j] * inverse;
        if (factor == 0.0) continue;
        for (size_t i = j; i < n; ++i) other[i] -= factor * column[i];
    }
    for (size_t i = k + 1; i < n; ++i) a[place(n, i, k)] *= inverse;
}

/* The two rows k, k + 1 for the right-hand side (f, g), all over the entry b beside the diagonal,
 * which is the largest, so that nothing overflows. */
static void solve_block(size_t n, const double* a, size_t k, double f, double g, double x[2])
{
    double b = a[place(n, k + 1, k)];
    double d = a[place(n, k, k)] / b, e = a[place(n, k + 1, k + 1)] / b;
    double determinant = d * e - 1.0;
    x[0] = (e * (f / b) - g / b) / determinant;
    x[1] = (d * (g / b) - f / b) / determinant;
}

static void eliminate_two(size_t n, double* a, size_t k)
{
    double *first = a + n * k, *second = a + n * (k + 1);
    for (size_t j = k + 2; j < n; ++j) {
        double *other = a + n * j, factor[2];
        solve_block(n, a, k, first[j], second[j], factor);
        for (size_t i = j; i < n; ++i) other[i] -= factor[0] * first[i] + factor[1] * second[i];
        first[j] = factor[0];
        second[j] = factor[1];
    }
}

int scri_dense_ldl_factor(int32_t rows, double* a, int32_t* pivot)
{
    size_t n = (size_t)rows;
    for (size_t k = 0; k < n;) {
        choice c = choose(n, a, k);
        if (c.rows == 0) return 0;
        size_t last = k + (size_t)c.rows - 1;
        exchange(n, a, last, c.row);
        if (c.rows == 1) {
            pivot[k] = (int32_t)c.row + 1;
            eliminate_one(n, a, k);
        } else {
            if (c.row != last) swap(a + place(n, last, k), a + place(n, c.row, k));
            pivot[k] = pivot[k + 1] = -(int32_t)c.row - 1;
            eliminate_two(n, a, k);
        }
        k += (size_t)c.rows;
    }
    return 1;
}

/* A block of two rows has one eigenvalue of either sign. */
int32_t scri_dense_ldl_negative(int32_t n, const double* a, const int32_t* pivot)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; ++i) {
        if (pivot[i] < 0) {
            ++count;
            ++i;
        } else {
            count += a[((size_t)n + 1) * (size_t)i] < 0.0;
        }
    }
    return count;
}

/* x = D^-1 L^-1 P^T x. */
static void solve_down(size_t n, const double* a, const int32_t* pivot, double* x)
{
    for (size_t k = 0; k < n;) {
        const double* column = a + n * k;
        if (pivot[k] > 0) {
            swap(x + k, x + pivot[k] - 1);
            for (size_t i = k + 1; i < n; ++i) x[i] -= column[i] * x[k];
            x[k] /= column[k];
            ++k;
        } else {
            const double* next = column + n;
            swap(x + k + 1, x - pivot[k] - 1);
            for (size_t i = k + 2; i < n; ++i) x[i] -= column[i] * x[k] + next[i] * x[k + 1];
            solve_block(n, a, k, x[k], x[k + 1], x + k);
            k += 2;
        }
    }
}

/* x = P L^-T x. */
static void solve_up(size_t n, const double* a, const int32_t* pivot, double* x)
{
    for (size_t k = n; k-- > 0;) {
        size_t first = pivot[k] < 0 ? k - 1 : k;
        for (size_t j = first; j <= k; ++j) {
            const double* column = a + n * j;
            for (size_t i = k + 1; i < n; ++i) x[j] -= column[i] * x[i];
        }
        swap(x + k, pivot[k] > 0 ? x + pivot[k] - 1 : x - pivot[k] - 1);
        k = first;
    }
}

void scri_dense_ldl_solve(int32_t n, const double* a, const int32_t* pivot, double* x)
{
    solve_down((size_t)n, a, pivot, x);
    solve_up((size_t)n, a, pivot, x);
}
