/* Mode coupling: a mass on horizontal, vertical and diagonal springs, on a belt that springs hold
 * from below; figure 13b. Coordinates x and y of the mass and y_b of the belt, contact y = y_b.
 *
 *     m x''     = -k_x x - c x' - k_d d cos a + mu N,   d = x cos a + y sin a
 *     m y''     = -k_y y - c y' - k_d d sin a - F + N
 *     m_b y_b'' = -k_b y_b - c_b y_b' - N
 *
 * N follows the height of the belt, so that friction couples x to y but not y to x. */
#include "study/mechanism.h"

#include <math.h>

enum { MASS, BELT_MASS, K_X, K_Y, K_DIAGONAL, ANGLE, K_BELT, C, C_BELT, LOAD, SPEED, MU };

/* K with y_b = y, without friction, and the part of it that the belt adds. */
static void stiffness(const double* v, double k[4])
{
    double c = cos(v[ANGLE] * SCREE_DEGREE), s = sin(v[ANGLE] * SCREE_DEGREE);
    k[0] = v[K_X] + v[K_DIAGONAL] * c * c;
    k[1] = k[2] = v[K_DIAGONAL] * c * s;
    k[3] = v[K_Y] + v[K_BELT] + v[K_DIAGONAL] * s * s;
}

/* N = N_0 - m_b y'' - c_b y' - k_b y. */
static void linearise(const double* v, double* m, double* b, double* k)
{
    stiffness(v, k);
    k[1] += v[MU] * v[K_BELT];
    m[0] = v[MASS];
    m[1] = v[MU] * v[BELT_MASS];
    m[3] = v[MASS] + v[BELT_MASS];
    b[0] = v[C];
    b[1] = v[MU] * v[C_BELT];
    b[3] = v[C] + v[C_BELT];
}

static void mass(void* user, double t, const double* q, double* m)
{
    const double* v = user;
    (void)t;
    (void)q;
    m[0] = m[4] = v[MASS];
    m[8] = v[BELT_MASS];
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    const double* v = user;
    double c = cos(v[ANGLE] * SCREE_DEGREE), s = sin(v[ANGLE] * SCREE_DEGREE);
    double diagonal = v[K_DIAGONAL] * (q[0] * c + q[1] * s);
    (void)t;
    h[0] = -v[K_X] * q[0] - v[C] * u[0] - diagonal * c;
    h[1] = -v[K_Y] * q[1] - v[C] * u[1] - diagonal * s - v[LOAD];
    h[2] = -v[K_BELT] * q[2] - v[C_BELT] * u[2];
}

static void gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    (void)t;
    g[0] = q[1] - q[2];
}

static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    const double* v = user;
    (void)t;
    (void)q;
    w[1] = w[3] = 1.0;
    w[2] = -1.0;
    chi[1] = -v[SPEED];
}

static double friction(const double* v)
{
    return v[MU];
}

/* Of the linear equations with the load, N = -k_b y. */
static void equilibrium(const double* v, double* q)
{
    double k[4];
    stiffness(v, k);
    k[1] += v[MU] * v[K_BELT];
    double det = k[0] * k[3] - k[1] * k[2];
    q[0] = k[1] * v[LOAD] / det;
    q[1] = q[2] = -k[0] * v[LOAD] / det;
}

const scri_mechanism scri_mechanism_mode_coupling = {
    .info = {.name = "mode-coupling",
             .summary = "flutter: the normal force follows the displacement",
             .n_parameters = 12,
             .parameter = {{"m", "mass, kg", 1.0, 0},
                           {"m_b", "mass of the belt, kg", 0.2, 0},
                           {"k_x", "horizontal spring, N/m", 1000.0, 0},
                           {"k_y", "vertical spring, N/m", 400.0, 1},
                           {"k_d", "diagonal spring, N/m", 400.0, 1},
                           {"angle", "of the diagonal spring from x, degrees", 135.0, 1},
                           {"k_b", "springs below the belt, N/m", 800.0, 0},
                           {"c", "dampers of the mass, N s/m", 1.0, 1},
                           {"c_b", "damper of the belt, N s/m", 1.0, 1},
                           {"load", "force that presses the mass down, N", 100.0, 0},
                           {"v", "speed of the belt, m/s", 1.0, 0},
                           {"mu", "coefficient of friction", 0.3, 1}},
             .varied = MU,
             .least = 0.0,
             .most = 2.0,
             .n_coordinates = 3,
             .coordinate = {"x", "y", "y_b"}},
    .n_linear = 2,
    .linearise = linearise,
    .model = {.mass = mass, .force = force, .gap = gap, .directions = directions},
    .friction = friction,
    .equilibrium = equilibrium,
    .start = 1e-6,
};
