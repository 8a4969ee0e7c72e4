/* FCLIB HDF5 files, both ways. */
#ifndef SCRI_FCLIB_H
#define SCRI_FCLIB_H

#include "base/arena.h"
#include "io/hdf5_util.h"
#include "io/writable.h"
#include "scree_io/problem_file.h"

#include <stdio.h>

/* Reads the problem and what goes with it. Arrays of `out` are taken from `keep`; the result is yet
 * to be validated. */
scree_status scri_fclib_read(const scree_env* env, const char* path, scri_arena* keep,
                             scree_problem_file* out);

/* Writes a problem; `extras` may be NULL, messages call the file `name`. Errors of the stream are
 * left for the caller to find with ferror(). */
scree_status scri_fclib_write(const scree_env* env, const char* name, const scri_writable* writable,
                              const scree_problem_extras* extras, FILE* stream);

/* Whether a contact of this law can be written: friction with the coefficients that files have. */
bool scri_fclib_holds_law(int law);

/* The laws and sets of a problem whose contacts have been read or written, below `group`. Nothing
 * is written where FCLIB says it all, nor changed where nothing was written. */
scree_status scri_fclib_write_laws(const scri_hdf5* h, const char* group, scri_arena* scratch,
                                   const scree_problem* problem);
scree_status scri_fclib_read_laws(const scri_hdf5* h, const char* group, scri_arena* keep,
                                  scree_problem* problem);

/* Impulses alone: /solution/r, or the first guess when there is none. */
scree_status scri_fclib_read_impulses(const scree_env* env, const char* path, int32_t n_rows,
                                      double* p);
scree_status scri_fclib_write_impulses(const scree_env* env, const char* name, int32_t n_rows,
                                       const double* p, FILE* stream);

#endif
