/* The reaction set of a law by its number. */
#ifndef SCREE_TEST_REACTIONS_H
#define SCREE_TEST_REACTIONS_H

#include "laws/law.h"
#include "laws/reaction_set.h"

static inline scri_reaction_set test_reaction_set(int law, int rows, const double* coef,
                                                  const double* p, const double* y, double tol)
{
    const scri_law* entry = scri_law_get(law);
    if (entry->with_discs) entry = entry->with_discs;
    return entry->reactions(rows, coef, p, y, tol);
}

#endif
