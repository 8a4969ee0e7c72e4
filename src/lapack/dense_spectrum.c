#include "lapack/dense_spectrum.h"

#include <math.h>

/* LAPACK, as Fortran compilers name it; the lengths of the texts come last. */
extern void dgesvd_(const char* job_u, const char* job_vt, const int32_t* m, const int32_t* n,
                    double* a, const int32_t* stride, double* s, double* u, const int32_t* u_stride,
                    double* vt, const int32_t* vt_stride, double* work, const int32_t* work_size,
                    int32_t* info, size_t job_u_length, size_t job_vt_length);
extern void dsyev_(const char* job, const char* half, const int32_t* n, double* a,
                   const int32_t* stride, double* value, double* work, const int32_t* work_size,
                   int32_t* info, size_t job_length, size_t half_length);
extern void dgetrf_(const int32_t* m, const int32_t* n, double* a, const int32_t* stride,
                    int32_t* pivot, int32_t* info);
extern void dgetri_(const int32_t* n, double* a, const int32_t* stride, const int32_t* pivot,
                    double* work, const int32_t* work_size, int32_t* info);

/* Multiples of n that dgesvd (5 at least), dsyev (3) and dgetri work well with. */
enum { WORK_PER_ROW = 34 };

size_t scri_dense_spectrum_work(int32_t n)
{
    return (size_t)(n > 0 ? n : 1) * WORK_PER_ROW;
}

static int all_finite(const double* x, int32_t n)
{
    for (int32_t i = 0; i < n; ++i) {
        if (!isfinite(x[i])) return 0;
    }
    return 1;
}

scree_status scri_dense_singular_values(int32_t rows, int32_t columns, double* a, double* value,
                                        double* work)
{
    const int32_t one = 1, least = rows < columns ? rows : columns,
                  most = rows < columns ? columns : rows, work_size = most * WORK_PER_ROW;
    int32_t info = 0;
    double unused;
    if (least == 0) return SCREE_OK;
    dgesvd_("N", "N", &rows, &columns, a, &rows, value, &unused, &one, &unused, &one, work,
            &work_size, &info, 1, 1);
    return info == 0 && all_finite(value, least) ? SCREE_OK : SCREE_ERROR_INPUT;
}

scree_status scri_dense_eigen(int32_t n, int vectors, double* a, double* value, double* work)
{
    const int32_t work_size = n * WORK_PER_ROW;
    int32_t info = 0;
    if (n == 0) return SCREE_OK;
    dsyev_(vectors ? "V" : "N", "L", &n, a, &n, value, work, &work_size, &info, 1, 1);
    return info == 0 && all_finite(value, n) ? SCREE_OK : SCREE_ERROR_INPUT;
}

scree_status scri_dense_invert(int32_t n, double* a, int32_t* pivot, double* work)
{
    const int32_t work_size = n * WORK_PER_ROW;
    int32_t info = 0;
    if (n == 0) return SCREE_OK;
    dgetrf_(&n, &n, a, &n, pivot, &info);
    if (info == 0) dgetri_(&n, a, &n, pivot, work, &work_size, &info);
    return info == 0 && all_finite(a, n) ? SCREE_OK : SCREE_ERROR_INPUT;
}
