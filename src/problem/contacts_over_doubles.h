/* SCRI_DOUBLES contacts of a problem side by side: which may be taken together, and the way of
 * their numbers into lanes and back. */
#ifndef SCRI_CONTACTS_OVER_DOUBLES_H
#define SCRI_CONTACTS_OVER_DOUBLES_H

#include "laws/law.h"
#include "math/doubles.h"
#include "problem/bodies_kernel.h"

/* n numbers behind each of addresses `stride` numbers apart become n vectors. Where n is less than
 * the lanes, some numbers behind them are read, too. */
SCREE_FN void read_lanes(const double* from, size_t stride, const int n, scri_doubles* out)
{
    scri_doubles row[SCRI_DOUBLES];
    SCRI_UNROLL
    for (int k = 0; k < n; k += SCRI_DOUBLES) {
        int begin = k + SCRI_DOUBLES <= n || n < SCRI_DOUBLES ? k : n - SCRI_DOUBLES;
        SCRI_UNROLL
        for (int i = 0; i < SCRI_DOUBLES; ++i) {
            row[i] = scri_doubles_load(from + (size_t)i * stride + begin);
        }
        scri_doubles_transpose(row);
        SCRI_UNROLL
        for (int i = 0; i < SCRI_DOUBLES; ++i) {
            if (begin + i < n) out[begin + i] = row[i];
        }
    }
}

SCREE_FN void write_lanes(const scri_doubles* from, const int n, double* to)
{
    double room[SCRI_MAX_WIDTH][SCRI_DOUBLES];
    for (int i = 0; i < n; ++i) scri_doubles_store(from[i], room[i]);
    for (int l = 0; l < SCRI_DOUBLES; ++l) {
        for (int i = 0; i < n; ++i) to[l * n + i] = room[i][l];
    }
}

/* Whether lanes take contact c together with contact `first`. */
SCREE_FN int is_alike(const scree_problem* problem, int32_t first, int32_t c)
{
    const int32_t *pair = problem->bodies.pair + 2 * (size_t)c,
                  *set = problem->set ? problem->set + 4 * (size_t)c : NULL;
    return problem->rows[c] == problem->rows[first] && problem->law[c] == problem->law[first] &&
           (pair[0] | pair[1]) >= 0 && (!set || (set[0] & set[1] & set[2] & set[3]) == -1) &&
           !scri_bodies_general(&problem->bodies, c);
}

/* Whether a contact has the exact law with discs. */
SCREE_FN int is_exact(const scree_problem* problem, int32_t c)
{
    const scri_law* law = scri_law_of(problem, c);
    return scri_law_is_coulomb(law) && !scri_law_is(law, SCRI_LAW_JUDGED_BY_REACTION);
}

/* Whether a block may begin at contact c; reading must end before the problem does. */
SCREE_FN int may_take(const scree_problem* problem, int32_t c, int32_t n_rows)
{
    if (c + 2 * SCRI_DOUBLES > problem->n_contacts) return 0;
    if (!is_exact(problem, c)) return 0;
    for (int32_t i = 0; i < SCRI_DOUBLES; ++i) {
        if (!is_alike(problem, c, c + i)) return 0;
    }
    return problem->first_row[c + SCRI_DOUBLES - 1] + 8 <= n_rows;
}

#endif
