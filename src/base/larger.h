/* fmax() without a call of the C library, for loops over all contacts. */
#ifndef SCRI_LARGER_H
#define SCRI_LARGER_H

#include "base/compiler.h"

/* The larger of two numbers; the other one where one is NaN. */
SCREE_FN double scri_larger(double a, double b)
{
    return a >= b || b != b ? a : b;
}

#endif
