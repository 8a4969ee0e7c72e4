/* Sprag-slip: a mass at the tip of a strut that leans against the motion of the belt below it. The
 * strut is a spring and a damper under the angle a to the belt, for small motions.
 *
 *     m x'' = -k_1 x - c_1 x' - (k_2 d + c_2 d') cos a + mu N,   d = x cos a + y sin a
 *     m y'' = -F - (k_2 d + c_2 d') sin a + N
 *
 * While y = 0 the force of the damper in N feeds the motion through friction: in all the damping is
 * c_1 + c_2 cos a (cos a - mu sin a). Coordinates x, y; contact y = 0. */
#include "study/mechanism.h"

#include <math.h>

enum { MASS, K_1, C_1, K_2, C_2, ANGLE, LOAD, SPEED, MU };

/* What the strut's spring and damper are multiplied with. */
static double leverage(const double* v)
{
    double c = cos(v[ANGLE] * SCREE_DEGREE), s = sin(v[ANGLE] * SCREE_DEGREE);
    return c * (c - v[MU] * s);
}

static void linearise(const double* v, double* m, double* b, double* k)
{
    m[0] = v[MASS];
    b[0] = v[C_1] + v[C_2] * leverage(v);
    k[0] = v[K_1] + v[K_2] * leverage(v);
}

static void mass(void* user, double t, const double* q, double* m)
{
    const double* v = user;
    (void)t;
    (void)q;
    m[0] = m[3] = v[MASS];
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    const double* v = user;
    double c = cos(v[ANGLE] * SCREE_DEGREE), s = sin(v[ANGLE] * SCREE_DEGREE);
    double strut = v[K_2] * (q[0] * c + q[1] * s) + v[C_2] * (u[0] * c + u[1] * s);
    (void)t;
    h[0] = -v[K_1] * q[0] - v[C_1] * u[0] - strut * c;
    h[1] = -v[LOAD] - strut * s;
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
    (void)q;
    w[1] = w[2] = 1.0;
    chi[1] = -v[SPEED];
}

static double friction(const double* v)
{
    return v[MU];
}

static void equilibrium(const double* v, double* q)
{
    q[0] = v[MU] * v[LOAD] / (v[K_1] + v[K_2] * leverage(v));
}

const scri_mechanism scri_mechanism_sprag_slip = {
    .info = {.name = "sprag-slip",
             .summary = "a strut that leans: the normal force follows the velocity",
             .n_parameters = 9,
             .parameter = {{"m", "mass, kg", 1.0, 0},
                           {"k_1", "horizontal spring, N/m", 500.0, 0},
                           {"c_1", "horizontal damper, N s/m", 0.0, 1},
                           {"k_2", "spring of the strut, N/m", 1000.0, 1},
                           {"c_2", "damper of the strut, N s/m", 5.0, 0},
                           {"angle", "of the strut to the belt, degrees", 60.0, 0},
                           {"load", "force that presses the mass down, N", 100.0, 0},
                           {"v", "speed of the belt, m/s", 1.0, 0},
                           {"mu", "coefficient of friction", 0.5, 1}},
             .varied = MU,
             .least = 0.0,
             .most = 2.0,
             .n_coordinates = 2,
             .coordinate = {"x", "y"}},
    .n_linear = 1,
    .linearise = linearise,
    .model = {.mass = mass, .force = force, .gap = gap, .directions = directions},
    .friction = friction,
    .equilibrium = equilibrium,
    .start = 1e-6,
};
