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

/* The power of two whose square is next to x: twice as large for x four times as large. */
SCREE_FN double scri_root_of_power(double x)
{
    if (!(x > 0.0 && isfinite(x))) return 1.0;
    int power = ilogb(x);
    return ldexp(1.0, (power - (power % 2 != 0)) / 2);
}

#endif
