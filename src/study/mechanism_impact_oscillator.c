/* The frictional impact oscillator of figure 13c: a mass m_1 that is guided up and down, on a
 * spring and a damper; hinged to it, with a rotational spring and damper, a rigid rod of no mass
 * with a second mass m_2 at its tip, which rubs on a belt. The rod leans against the motion of the
 * belt, by `angle` from the upright while it slides steadily.
 *
 * Coordinates: the rod's angle q from the upright (the equilibrium is at -angle) and the height z
 * of the tip; y = z + l cos q is the height of m_1. With F = -load - k_y (y - y_0) - c_y y',
 *
 *     (m_1 l^2 s^2 + m_2 l^2 c^2) q'' - m_1 l s z'' + (m_1 - m_2) l^2 s c q'^2
 *                            = -l s F + t_0 - k_r (q - q_0) - c_r q' + l c T,
 *     (m_1 + m_2) z'' - m_1 l s q'' - m_1 l c q'^2 = F + N,          s = sin q, c = cos q,
 *
 * t_0 the moment that holds the equilibrium. While z = 0 the damper's force in N feeds the motion:
 * in all the damping is c_r + c_y l^2 sin a (sin a - mu cos a). For small motions and without mass
 * m_1 this is sprag-slip. */
#include "study/mechanism.h"

#include <math.h>

enum { MASS_1, MASS_2, LENGTH, K_Y, C_Y, K_R, C_R, ANGLE, LOAD, SPEED, MU };

static void linearise(const double* v, double* m, double* b, double* k)
{
    double s = sin(v[ANGLE] * SCREE_DEGREE), c = cos(v[ANGLE] * SCREE_DEGREE), l = v[LENGTH];
    double feed = l * l * s * (s - v[MU] * c);
    m[0] = v[MASS_2] * l * l * c * c + v[MASS_1] * feed;
    b[0] = v[C_R] + v[C_Y] * feed;
    k[0] = v[K_R] + v[K_Y] * feed - v[LOAD] * l * (c + v[MU] * s);
}

static void mass(void* user, double t, const double* q, double* m)
{
    const double* v = user;
    double s = v[LENGTH] * sin(q[0]), c = v[LENGTH] * cos(q[0]);
    (void)t;
    m[0] = v[MASS_1] * s * s + v[MASS_2] * c * c;
    m[1] = m[2] = -v[MASS_1] * s;
    m[3] = v[MASS_1] + v[MASS_2];
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    const double* v = user;
    double a = v[ANGLE] * SCREE_DEGREE, s = v[LENGTH] * sin(q[0]), c = v[LENGTH] * cos(q[0]);
    double y = q[1] + c - v[LENGTH] * cos(a), rate = u[1] - s * u[0];
    double down = -v[LOAD] - v[K_Y] * y - v[C_Y] * rate;
    double hold = v[LOAD] * v[LENGTH] * (sin(a) - v[MU] * cos(a));
    (void)t;
    h[0] = -s * down + hold - v[K_R] * (q[0] + a) - v[C_R] * u[0] -
           (v[MASS_1] - v[MASS_2]) * s * c * u[0] * u[0];
    h[1] = down + v[MASS_1] * c * u[0] * u[0];
}

static void gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    (void)t;
    g[0] = q[1];
}

static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    const double* v = user;
    (void)t;
    w[1] = 1.0;
    w[2] = v[LENGTH] * cos(q[0]);
    chi[1] = -v[SPEED];
}

static double friction(const double* v)
{
    return v[MU];
}

static void equilibrium(const double* v, double* q)
{
    q[0] = -v[ANGLE] * SCREE_DEGREE;
}

const scri_mechanism scri_mechanism_impact_oscillator = {
    .info = {.name = "impact-oscillator",
             .summary = "a rod that leans, with two masses and a rotational spring",
             .n_parameters = 11,
             .parameter = {{"m_1", "mass that is guided up and down, kg", 1.0, 0},
                           {"m_2", "mass at the tip of the rod, kg", 1.0, 0},
                           {"l", "length of the rod, m", 1.0, 0},
                           {"k_y", "spring of the guided mass, N/m", 1000.0, 1},
                           {"c_y", "damper of the guided mass, N s/m", 10.0, 0},
                           {"k_r", "rotational spring, N m/rad", 1000.0, 0},
                           {"c_r", "rotational damper, N m s/rad", 0.5, 1},
                           {"angle", "of the rod to the upright, degrees", 30.0, 0},
                           {"load", "force that presses down, N", 100.0, 0},
                           {"v", "speed of the belt, m/s", 1.0, 0},
                           {"mu", "coefficient of friction", 0.6, 1}},
             .varied = MU,
             .least = 0.0,
             .most = 1.5,
             .n_coordinates = 2,
             .coordinate = {"q", "z"}},
    .n_linear = 1,
    .linearise = linearise,
    .model = {.mass = mass, .force = force, .gap = gap, .directions = directions},
    .friction = friction,
    .equilibrium = equilibrium,
    .start = 1e-6,
};
