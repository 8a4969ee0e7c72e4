/* QR with column pivoting, then reflections from the right that clear what is left beside the
 * leading triangle: the complete orthogonal decomposition (Golub and Van Loan, section 5.5). */
#include "math/least_norm.h"

#include <math.h>

/* Householder vector of x[count] with the given stride: overwrites x[0] by its image and the rest
 * by the vector without its leading 1; returns the factor beta of I - beta v v^T. */
static double reflector(int count, int stride, double* x)
{
    double tail = 0.0;
    for (int i = 1; i < count; ++i) tail += x[i * stride] * x[i * stride];
    if (!(tail > 0.0)) return 0.0;
    double norm = sqrt(x[0] * x[0] + tail), lead = x[0] > 0.0 ? x[0] + norm : x[0] - norm;
    double beta = (x[0] > 0.0 ? 1.0 : -1.0) * lead / norm;
    for (int i = 1; i < count; ++i) x[i * stride] /= lead;
    x[0] = x[0] > 0.0 ? -norm : norm;
    return beta;
}

/* The squares of what columns have; row by row, as matrices lie in memory. */
static void square_columns(int n, const double* a, double* square)
{
    for (int j = 0; j < n; ++j) square[j] = 0.0;
    for (int i = 0; i < n; ++i) {
        const double* row = a + i * n;
        for (int j = 0; j < n; ++j) square[j] += row[j] * row[j];
    }
}

/* The column from k on with the largest square. */
static int find_pivot(int n, int k, const double* square)
{
    int best = k;
    double most = -1.0;
    for (int j = k; j < n; ++j) {
        if (square[j] > most) {
            most = square[j];
            best = j;
        }
    }
    return best;
}

/* y -= beta v (v . y) for v = (1, ...) of column k from row k on, and y what is right of it, row by
 * row; sum[n] is work. In the same pass the squares of what is left of these columns below row k.
 */
static void reflect_right(int n, double beta, double* a, int k, double* sum, double* square)
{
    const double* first = a + k * n;
    for (int j = k + 1; j < n; ++j) sum[j] = first[j];
    for (int i = k + 1; i < n; ++i) {
        const double *row = a + i * n, v = row[k];
        for (int j = k + 1; j < n; ++j) sum[j] += v * row[j];
    }
    for (int j = k + 1; j < n; ++j) {
        sum[j] *= beta;
        square[j] = 0.0;
    }
    for (int j = k + 1; j < n; ++j) a[k * n + j] -= sum[j];
    for (int i = k + 1; i < n; ++i) {
        double *row = a + i * n, v = row[k];
        for (int j = k + 1; j < n; ++j) {
            row[j] -= sum[j] * v;
            square[j] += row[j] * row[j];
        }
    }
}

/* The same for y = b from row k on. */
static void reflect_vector(int n, double beta, const double* a, int k, double* b)
{
    double sum = b[k];
    for (int i = k + 1; i < n; ++i) sum += a[i * n + k] * b[i];
    sum *= beta;
    b[k] -= sum;
    for (int i = k + 1; i < n; ++i) b[i] -= sum * a[i * n + k];
}

/* Triangle of a with pivoted columns, b turned alongside; returns the rank. work[2 n] */
static int triangulate(int n, double* a, double* b, double tolerance, double* order, double* work)
{
    double* square = work + n;
    square_columns(n, a, square);
    for (int k = 0; k < n; ++k) order[k] = (double)k;
    for (int k = 0; k < n; ++k) {
        int pivot = find_pivot(n, k, square);
        for (int i = 0; i < n && pivot != k; ++i) {
            double swap = a[i * n + k];
            a[i * n + k] = a[i * n + pivot];
            a[i * n + pivot] = swap;
        }
        double swap = order[k];
        order[k] = order[pivot];
        order[pivot] = swap;
        double beta = reflector(n - k, n, a + k * n + k);
        if (!(fabs(a[k * n + k]) > tolerance * fabs(a[0]))) return k;
        reflect_right(n, beta, a, k, work, square);
        reflect_vector(n, beta, a, k, b);
    }
    return n;
}

int scri_least_norm(int n, double* a, double* b, double tolerance, double* work)
{
    double *order = work, *beta = work + n, *x = work + 2 * n;
    int rank = triangulate(n, a, b, tolerance, order, beta), rest = n - rank;
    /* Row k, from the last: its entries k and rank .. n-1 are drawn into entry k. */
    for (int k = rank - 1; k >= 0; --k) {
        double* row = a + k * n;
        double tail = 0.0;
        for (int j = rank; j < n; ++j) tail += row[j] * row[j];
        beta[k] = 0.0;
        if (!(tail > 0.0)) continue;
        double norm = sqrt(row[k] * row[k] + tail),
               lead = row[k] > 0.0 ? row[k] + norm : row[k] - norm;
        beta[k] = (row[k] > 0.0 ? 1.0 : -1.0) * lead / norm;
        row[k] = row[k] > 0.0 ? -norm : norm;
        for (int j = rank; j < n; ++j) row[j] /= lead;
        for (int i = 0; i < k; ++i) {
            double* other = a + i * n;
            double sum = other[k];
            for (int j = rank; j < n; ++j) sum += row[j] * other[j];
            sum *= beta[k];
            other[k] -= sum;
            for (int j = rank; j < n; ++j) other[j] -= sum * row[j];
        }
    }
    for (int i = rank - 1; i >= 0; --i) {
        for (int j = i + 1; j < rank; ++j) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    for (int i = rank; i < n; ++i) b[i] = 0.0;
    for (int k = 0; k < rank && rest > 0; ++k) {
        const double* row = a + k * n;
        double sum = b[k];
        for (int j = rank; j < n; ++j) sum += row[j] * b[j];
        sum *= beta[k];
        b[k] -= sum;
        for (int j = rank; j < n; ++j) b[j] -= sum * row[j];
    }
    for (int k = 0; k < n; ++k) x[(int)order[k]] = b[k];
    for (int k = 0; k < n; ++k) b[k] = x[k];
    return rank;
}
