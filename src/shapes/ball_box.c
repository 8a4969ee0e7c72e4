/* The volume that a ball and a box along the axes have in common, in closed form.
 *
 * Everything comes from one volume: V(a, b, c) of the unit ball's part with x > a, y > b, z > c.
 * For a, b, c >= 0 it has a corner inside the ball or is empty, three flat faces and one on the
 * sphere. By the divergence theorem, applied to the position,
 *
 *     3 V = S - a A_a - b A_b - c A_c,
 *
 * A_a the area of the face in the plane x = a, and S that of the spherical one. Its rim has three
 * arcs, with the angles f_a, f_b, f_c about their own centres and a f_a, b f_b, c f_c of geodesic
 * curvature, and three corners, so that by Gauss and Bonnet
 *
 *     S = 2 pi - a f_a - b f_b - c f_c - sum of acos(-a b / sqrt((1 - a^2) (1 - b^2))) over pairs.
 */
#include "shapes/ball_box.h"

#include "scree/base.h"

#include <math.h>

/* A cosine, whatever rounding made of it. */
static double angle_of(double cosine)
{
    return acos(fmax(-1.0, fmin(1.0, cosine)));
}

/* Twice the area of the part with x > b, y > c of a disc of radius rho, and the angle of its arc.
 */
static double face(double rho, double b, double c, double* arc)
{
    *arc = fmax(0.0, angle_of(c / rho) - (SCREE_PI / 2.0 - angle_of(b / rho)));
    double along_b = sqrt(fmax(0.0, rho * rho - b * b)) - c;
    double along_c = sqrt(fmax(0.0, rho * rho - c * c)) - b;
    return rho * rho * *arc - b * along_b - c * along_c;
}

/* V for a, b, c >= 0. */
static double corner(const double p[3])
{
    if (!(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 1.0)) return 0.0;
    double rho[3], flat = 0.0, sphere = 2.0 * SCREE_PI;
    for (int k = 0; k < 3; ++k) rho[k] = sqrt((1.0 - p[k]) * (1.0 + p[k]));
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double arc;
        flat += 0.5 * p[k] * face(rho[k], p[i], p[j], &arc);
        sphere -= p[k] * arc + angle_of(-p[i] * p[j] / (rho[i] * rho[j]));
    }
    return (sphere - flat) / 3.0;
}

/* V for any a, b, c: what lies beyond -a is what lies beyond 0, twice, less what lies beyond a. */
static double beyond(const double p[3])
{
    double sum = 0.0;
    for (int terms = 0; terms < 8; ++terms) {
        double q[3], weight = 1.0;
        for (int k = 0; k < 3; ++k) {
            int second = terms >> k & 1;
            q[k] = second ? 0.0 : fabs(p[k]);
            weight *= p[k] < 0.0 ? (second ? 2.0 : -1.0) : (second ? 0.0 : 1.0);
        }
        if (weight != 0.0) sum += weight * corner(q);
    }
    return sum;
}

double scri_ball_box_volume(const double centre[3], double radius, const double low[3],
                            const double high[3])
{
    double end[2][3], sum = 0.0;
    if (isnan(centre[0] + centre[1] + centre[2] + radius)) return (double)NAN;
    if (!(radius > 0.0)) return 0.0;
    for (int k = 0; k < 3; ++k) {
        end[0][k] = fmax(-1.0, (low[k] - centre[k]) / radius);
        end[1][k] = fmin(1.0, (high[k] - centre[k]) / radius);
        if (!(end[0][k] < end[1][k])) return 0.0;
    }
    for (int at = 0; at < 8; ++at) {
        const double p[3] = {end[at & 1][0], end[at >> 1 & 1][1], end[at >> 2 & 1][2]};
        int ends = (at & 1) + (at >> 1 & 1) + (at >> 2 & 1);
        sum += (ends % 2 == 0 ? 1.0 : -1.0) * beyond(p);
    }
    return fmax(0.0, sum) * radius * radius * radius;
}
