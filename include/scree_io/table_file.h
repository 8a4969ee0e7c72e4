/* Tables of numbers from CSV files. */
#ifndef SCREE_IO_TABLE_FILE_H
#define SCREE_IO_TABLE_FILE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which columns of a file are wanted. */
typedef struct scree_table_def {
    int n_columns;
    const char* const* columns; /* [n_columns] their names */
    int n_needed;               /* the first so many must be there; others are NaN where missing */
    int others;                 /* not 0: columns of other names may be there, with any text */
} scree_table_def;

typedef struct scree_table {
    scree_env env;
    int n_columns;
    int64_t n;      /* rows */
    double* values; /* [n * n_columns] row after row, columns in the order of the def */
    int64_t* line;  /* [n] of the file */
} scree_table;

/* Reads a file whose first line has the names of the columns, in any order; without names, all
 * numbers, they are those of the def in its order. '#' begins a comment. The log names file and
 * line of what is wrong. On failure `out` is left zeroed but for its env. */
SCREE_API SCREE_MUST_USE scree_status scree_table_read(const scree_env* env, const char* path,
                                                       const scree_table_def* def,
                                                       scree_table* out);
SCREE_API void scree_table_release(scree_table* table);

#ifdef __cplusplus
}
#endif

#endif
