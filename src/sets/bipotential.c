/* The bipotential of friction with a force set C and a set of directions D, de Saxce's way to say a
 * law that has no potential:
 *
 *     b(v, s) = indicator_C(s) + support_D(v) k_D(s) / k_C(s),
 *
 * s the force against the sliding v, over the normal force. By the inequality of gauge and support
 * s . v <= k_D(s) support_D(v), with equality where v is a normal of D at s / k_D(s); and k_C(s) <=
 * 1 in C. So b >= s . v, and equal exactly where s and v obey the law: v = 0, or s on the boundary
 * of C and v along the normal of D there. With D = C it is the indicator and the support of C, the
 * potentials of the associated law.
 */
#include "sets/set.h"

#include <math.h>

double scree_set_bipotential(const scree_set* forces, const scree_set* directions,
                             const double s[2], const double v[2])
{
    if (!s || !v) return SCREE_NAN;
    const scree_set* d = directions ? directions : forces;
    double z[2] = {0.0, 0.0}, speed = hypot(v[0], v[1]);
    double inside = forces ? scree_set_gauge(forces, s) : hypot(s[0], s[1]);
    double support = d ? scree_set_support(d, v, z) : speed;
    if (isnan(inside) || isnan(support)) return SCREE_NAN;
    if (inside > 1.0) return SCREE_INFINITY;
    if (support == 0.0) return 0.0;
    if (inside == 0.0) { /* the least force has any direction: that of the law */
        double own = !forces ? hypot(z[0], z[1]) : scree_set_gauge(forces, d ? z : v);
        return d ? support / own : support;
    }
    double along = d ? scree_set_gauge(d, s) : inside;
    return support * along / inside;
}
