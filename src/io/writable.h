/* What the problem files can hold, and how a problem is brought into that shape. */
#ifndef SCRI_WRITABLE_H
#define SCRI_WRITABLE_H

#include "base/arena.h"
#include "scree/problem.h"

#include <stdbool.h>

/* A problem in assembled or factored form without compliance, whose contacts all have the rows
 * `rows`. Its arrays are those of the problem it was made from where nothing had to change. */
typedef struct scri_writable {
    scree_problem problem;
    scree_rows rows;
    int32_t width;
    scree_problem_store reduced;
    scri_arena* arena;
} scri_writable;

/* Logs what stands in the way as "NAME: what". Compliance is added to the diagonal of W; bodies are
 * reduced, and so is a factored problem for which that, or the format, leaves no other way. */
scree_status scri_writable_make(const scree_env* env, const char* name, bool hdf5,
                                const scree_problem* problem, scri_writable* out);
void scri_writable_release(scri_writable* writable);

#endif
