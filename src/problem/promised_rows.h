/* The rows of which the laws promise something whatever the impulses are (scri_law.recede). Of a
 * contact with the exact law that is the normal: impulses that press in vain lie along normals, and
 * where they move nothing along any of them they move nothing at all, for t W t is the energy that
 * they bring in. So a search for contradictions may leave all other rows out. */
#ifndef SCRI_PROMISED_ROWS_H
#define SCRI_PROMISED_ROWS_H

#include "base/arena.h"
#include "problem/scaling.h"

typedef struct scri_promised_rows {
    const scree_problem* full;
    scree_problem problem; /* with these rows alone, and q = 0 */
    scri_scaling scaling;  /* of them */
    int are_normals;       /* each contact has one, and it is its normal */
} scri_promised_rows;

/* Lists them, with the help of a team, which may be NULL. An assembled problem keeps all its rows.
 * SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_promised_rows_create(scri_arena* arena, const scree_problem* problem,
                                       const scri_scaling* scaling, scri_team* team,
                                       scri_promised_rows* out);

/* of[n_rows of them] = all[n_rows], and the reverse, with zeros in the rows that are left out. */
void scri_promised_rows_take(const scri_promised_rows* rows, scri_team* team, const double* all,
                             double* of);
void scri_promised_rows_put(const scri_promised_rows* rows, scri_team* team, const double* of,
                            double* all);

#endif
