/* What both file formats share when they build a problem: all contacts of a file are alike. */
#ifndef SCRI_PROBLEM_BUILD_H
#define SCRI_PROBLEM_BUILD_H

#include "base/arena.h"
#include "laws/law.h"
#include "math/csc_build.h"
#include "scree/problem.h"

/* Room for `count` entries, to be filled while t->count is raised. */
scree_status scri_triplets_take(scri_arena* arena, int64_t count, scri_triplets* t);

/* The matrix as the w of a problem whose contacts have been built; makes its form assembled. */
scree_status scri_build_w(scri_arena* scratch, scri_arena* keep, const scri_triplets* t,
                          scree_problem* out);

/* Fills n_contacts, row, rows, law and a zeroed coef of `out` with arrays taken from `arena`. The
 * number of scalar rows has been checked to fit in 31 bits. *coef is out->coef, to be filled. */
scree_status scri_build_contacts(scri_arena* arena, int32_t n_contacts, scree_rows rows, int law,
                                 scree_problem* out, double** coef);

#endif
