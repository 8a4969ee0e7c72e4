/* Stick-slip: a block on a spring, on a belt, with friction that falls with the sliding velocity.
 *
 *     m x'' + c x' + k x = mu(|x' - v|) m g,   mu(s) = mu_k + (mu_0 - mu_k) exp(-s / v_s)
 *
 * The slope of mu at s = v acts as damping m g mu'(v) < 0. Coordinates x and the height z. */
#include "study/mechanism.h"

#include <math.h>

enum { MASS, STIFFNESS, DAMPING, STATIC, KINETIC, DECAY, GRAVITY, SPEED };

static double friction_at(const double* v, double slip)
{
    return v[KINETIC] + (v[STATIC] - v[KINETIC]) * exp(-slip / v[DECAY]);
}

static void linearise(const double* v, double* m, double* b, double* k)
{
    double slope = -(v[STATIC] - v[KINETIC]) / v[DECAY] * exp(-v[SPEED] / v[DECAY]);
    m[0] = v[MASS];
    b[0] = v[DAMPING] + v[MASS] * v[GRAVITY] * slope;
    k[0] = v[STIFFNESS];
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
    (void)t;
    h[0] = -v[STIFFNESS] * q[0] - v[DAMPING] * u[0];
    h[1] = -v[MASS] * v[GRAVITY];
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

static void coefficients(void* user, double t, const double* q, const double* u, double* coef)
{
    const double* v = user;
    (void)t;
    (void)q;
    coef[0] = friction_at(v, fabs(u[0] - v[SPEED]));
}

static double friction(const double* v)
{
    return friction_at(v, v[SPEED]);
}

static void equilibrium(const double* v, double* q)
{
    q[0] = friction(v) * v[MASS] * v[GRAVITY] / v[STIFFNESS];
}

const scri_mechanism scri_mechanism_stribeck = {
    .info = {.name = "stribeck",
             .summary = "stick-slip: friction that falls with the sliding velocity",
             .n_parameters = 8,
             .parameter = {{"m", "mass, kg", 1.0, 0},
                           {"k", "stiffness of the spring, N/m", 100.0, 0},
                           {"c", "damper beside it, N s/m", 1.0, 1},
                           {"mu_0", "coefficient of friction at rest", 0.4, 0},
                           {"mu_k", "coefficient at high speed", 0.2, 1},
                           {"v_s", "speed over which it falls, m/s", 0.5, 0},
                           {"g", "gravity, m/s^2", 9.81, 0},
                           {"v", "speed of the belt, m/s", 0.6, 0}},
             .varied = SPEED,
             .least = 0.01,
             .most = 10.0,
             .n_coordinates = 2,
             .coordinate = {"x", "z"}},
    .n_linear = 1,
    .linearise = linearise,
    .model = {.mass = mass,
              .force = force,
              .gap = gap,
              .directions = directions,
              .coefficients = coefficients},
    .friction = friction,
    .equilibrium = equilibrium,
    .start = 1e-6,
};
