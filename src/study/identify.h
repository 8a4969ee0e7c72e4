/* The parts of the identification of friction sets, one file each. */
#ifndef SCRI_IDENTIFY_H
#define SCRI_IDENTIFY_H

#include "base/arena.h"
#include "base/compiler.h"
#include "scree/base.h"
#include "scree_study/identify.h"

/* Angles of the uniform grid; every quarter of a degree. */
enum { SCRI_IDENTIFY_GRID = 1440 };

/* Samples after the crosstalk was undone. */
typedef struct scri_samples {
    int64_t n;
    const double* angle;         /* [n] rad */
    double *radial, *tangential; /* [n] */
    double* normal;              /* [n], or NULL */
} scri_samples;

/* identify.c: logs "FILE:LINE: ..." about sample i, or as much of it as is known, as an error or
 * as a warning. */
scree_status scri_measurement_fail(const scree_env* env, const scree_measurement* measurement,
                                   int64_t i, const char* format, ...) SCRI_PRINTF(4, 5);
void scri_measurement_warn(const scree_env* env, const scree_measurement* measurement, int64_t i,
                           const char* format, ...) SCRI_PRINTF(4, 5);

/* identify_judge.c: warns of forces in another unit and of outliers, and counts the samples that
 * are such. `normal_force` is 0 where it was measured or is not known. */
SCREE_MUST_USE scree_status scri_identify_judge(const scree_env* env, scri_arena* work,
                                                const scree_measurement* measurement,
                                                const scri_samples* samples, double normal_force,
                                                int64_t* n_outliers);

/* identify_filter.c: one channel averaged over the turns on the grid and filtered. Order of the
 * Butterworth filter, in each of the two directions in which it runs. */
enum { SCRI_IDENTIFY_ORDER = 2 };

/* Where each grid angle lies between two samples. */
typedef struct scri_resampling scri_resampling;

/* Fails where angles are missing. `turns` is set to the range of the angles over a turn. */
SCREE_MUST_USE scree_status scri_resampling_create(const scree_env* env, scri_arena* arena,
                                                   const scree_measurement* measurement,
                                                   double most_gap, scri_resampling** out,
                                                   double* turns);

/* grid[SCRI_IDENTIFY_GRID] from values[n] of the samples. */
void scri_resample(const scri_resampling* resampling, const double* values, double* grid);
SCREE_MUST_USE scree_status scri_low_pass(scri_arena* arena, double cutoff, double* grid);

/* Linear between the grid's angles. */
double scri_grid_at(const double* grid, double angle);

/* identify_curves.c: the points of both sets and what is wrong with them into *out. */
SCREE_MUST_USE scree_status scri_identify_curves(const scree_env* env, scri_arena* arena,
                                                 scree_identification* out);

/* At most as many points of a set as a material file lists. */
enum { SCRI_IDENTIFY_TABLE = 120 };

/* A polar curve, table[2 * SCRI_IDENTIFY_TABLE] angles and radii, through the points of a set: the
 * mean of those in each of equal sectors. n becomes the number of sectors that have any. */
SCREE_MUST_USE scree_status scri_identify_table(scri_arena* arena, const double* points,
                                                double* table, int32_t* n);

/* Some of the points of D, counter-clockwise, as polygon[2 * SCRI_IDENTIFY_TABLE]; how many. */
int32_t scri_identify_polygon(const double* points, double* polygon);

/* identify_fit.c: ellipse and superellipse by least squares. `point` [2 n] are the samples in the
 * frame of the plate, eq. (119); `curve` are SCRI_IDENTIFY_GRID points of the same set, from which
 * the fit begins. */
typedef struct scri_fit_data {
    int64_t n;
    const double *point, *angle;
    const double* curve;
    int fit_angle;
} scri_fit_data;

SCREE_MUST_USE scree_status scri_fit_sliding(scri_arena* arena, const scri_fit_data* data,
                                             scree_fit_form form, scree_fitted* out);
void scri_fit_direction(const scri_fit_data* data, scree_fit_form form, scree_fitted* out);

/* least_squares.c */
enum { SCRI_FIT_MOST = 32 };

typedef struct scri_least_squares {
    int n_params;
    int is_free[SCRI_FIT_MOST]; /* the others stay as they are */
    double low[SCRI_FIT_MOST], high[SCRI_FIT_MOST];
    int64_t n_rows;
    const void* data;
    /* Residual i and its derivatives by all parameters. */
    double (*row)(const void* data, const double* param, int64_t i, double* derivative);
} scri_least_squares;

/* Levenberg-Marquardt from `param` on. error[] are standard errors: 0 for what is not free,
 * infinite for what the rows do not determine. Returns whether it converged. */
int scri_least_squares_solve(const scri_least_squares* problem, double* param, double* error,
                             double* rms);

/* Factor by which a standard error becomes half a 95 % confidence interval: Student's t. */
double scri_student(int64_t degrees_of_freedom);

#endif
