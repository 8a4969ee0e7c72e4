/* Units that change no digit. */
#ifndef SCRI_POWER_OF_TWO_H
#define SCRI_POWER_OF_TWO_H

#include "base/compiler.h"

#include <math.h>

/* The power of two not above x; 1 where x is not positive and finite. */
SCREE_FN double scri_power_of_two(double x)
{
    return x > 0.0 && isfinite(x) ? ldexp(1.0, ilogb(x)) : 1.0;
}

#endif
