#include "math/root.h"

#include <float.h>
#include <math.h>

/* Regula falsi (Illinois), and bisection where it has not halved the bracket in three rounds. */
double scri_find_root(scri_function* f, const void* context, double a, double b)
{
    enum { MOST = 200 };
    double fa = f(context, a), fb = f(context, b), width = fabs(b - a);
    for (int i = 0; i < MOST && fabs(b - a) > 2.0 * DBL_EPSILON * fabs(b) && fb != 0.0; ++i) {
        double x = b - fb * (b - a) / (fb - fa);
        if (i % 3 == 2) {
            if (fabs(b - a) > 0.5 * width) x = 0.5 * (a + b);
            width = fabs(b - a);
        }
        double fx = f(context, x);
        if ((fx < 0.0) != (fb < 0.0)) {
            a = b, fa = fb;
        } else {
            fa *= 0.5;
        }
        b = x, fb = fx;
    }
    return b;
}
