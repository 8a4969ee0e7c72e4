/* The matrix block of Siconos text files: dense, sparse blocks, or CSparse. */
#ifndef SCRI_SICONOS_MATRIX_H
#define SCRI_SICONOS_MATRIX_H

#include "base/arena.h"
#include "io/problem_build.h"
#include "io/text_reader.h"

/* How a matrix is stored, as the number in the file says. */
enum { SCRI_SICONOS_DENSE = 0, SCRI_SICONOS_BLOCKS = 1, SCRI_SICONOS_SPARSE = 2 };

/* Reads a matrix called `what`, beginning with its storage number. Entries keep their bits, zeros
 * that are stored stay stored. The arrays of `out` come from `scratch`. */
scree_status scri_siconos_matrix_read(scri_text* text, const char* what, scri_arena* scratch,
                                      scri_triplets* out);

#endif
