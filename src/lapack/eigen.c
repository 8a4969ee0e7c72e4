#include "lapack/eigen.h"

#include <math.h>

/* LAPACK, as Fortran compilers name it; the lengths of the texts come last. */
extern void dgeev_(const char* left, const char* right, const int32_t* n, double* a,
                   const int32_t* stride, double* re, double* im, double* vl,
                   const int32_t* vl_stride, double* vr, const int32_t* vr_stride, double* work,
                   const int32_t* work_size, int32_t* info, size_t left_length,
                   size_t right_length);

enum { WORK_PER_ROW = 32 }; /* dgeev asks for 3 at least, and works in blocks with more */

size_t scri_eigen_work(int32_t n)
{
    return (size_t)n * WORK_PER_ROW;
}

scree_status scri_eigen(int32_t n, double* a, double* work, double* value)
{
    int32_t info = 0, stride = n > 0 ? n : 1, work_size = n * WORK_PER_ROW;
    const int32_t one = 1;
    double none[1]; /* for the eigenvectors that are not asked for */
    for (size_t i = 0; i < (size_t)n * (size_t)n; ++i) {
        if (!isfinite(a[i])) return SCREE_ERROR_INPUT;
    }
    dgeev_("N", "N", &n, a, &stride, value, value + n, none, &one, none, &one, work, &work_size,
           &info, 1, 1);
    return info == 0 ? SCREE_OK : SCREE_ERROR_INPUT;
}
