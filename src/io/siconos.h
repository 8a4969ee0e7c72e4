/* Siconos text files, both ways. */
#ifndef SCRI_SICONOS_H
#define SCRI_SICONOS_H

#include "base/arena.h"
#include "io/writable.h"
#include "scree_io/problem_file.h"

#include <stdio.h>

/* Reads a problem from bytes[size]; `name` is used in messages. Fills store.problem and format of
 * `out` with arrays taken from `keep`. The result is yet to be validated. */
scree_status scri_siconos_read(const scree_env* env, const char* name, const char* bytes,
                               size_t size, scri_arena* keep, scree_problem_file* out);

/* Writes a problem. Errors of the stream are left for the caller to find with ferror(). */
scree_status scri_siconos_write(const scree_env* env, const scri_writable* writable, FILE* file);

#endif
