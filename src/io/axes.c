#include "io/axes.h"

#include <math.h>

scri_vec scri_axes_second(scri_vec x)
{
    if (fabs(x.x) < fabs(x.y) && fabs(x.x) < fabs(x.z)) return (scri_vec){1.0, 0.0, 0.0};
    if (fabs(x.z) < fabs(x.y)) return (scri_vec){0.0, 0.0, 1.0};
    return (scri_vec){0.0, 1.0, 0.0};
}

/* The rotation whose columns are three unit vectors at right angles (Shepperd: by the largest
 * component, so that nothing cancels). */
static scri_quat turn_of(scri_vec x, scri_vec y, scri_vec z)
{
    double trace = x.x + y.y + z.z;
    scri_quat q;
    if (trace >= x.x && trace >= y.y && trace >= z.z) {
        q = (scri_quat){1.0 + trace, y.z - z.y, z.x - x.z, x.y - y.x};
    } else if (x.x >= y.y && x.x >= z.z) {
        q = (scri_quat){y.z - z.y, 1.0 + x.x - y.y - z.z, x.y + y.x, z.x + x.z};
    } else if (y.y >= z.z) {
        q = (scri_quat){z.x - x.z, x.y + y.x, 1.0 - x.x + y.y - z.z, y.z + z.y};
    } else {
        q = (scri_quat){x.y - y.x, z.x + x.z, y.z + z.y, 1.0 - x.x - y.y + z.z};
    }
    return scri_quat_normalize(q);
}

scri_quat scri_axes_turn(scri_vec x, scri_vec second)
{
    scri_vec across = scri_vec_cross(x, second);
    scri_vec z = scri_vec_scale(1.0 / scri_vec_length(across), across);
    return turn_of(x, scri_vec_cross(z, x), z);
}
