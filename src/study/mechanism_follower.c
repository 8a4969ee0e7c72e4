/* Follower force: a double pendulum (masses 2 m and m at the ends of rods of length l, joints with
 * springs k and dampers c) with a wheel at its tip that rolls freely across the second rod and
 * slides along it on a belt; figure 13d. Ziegler's column, loaded by P = mu N along the last rod.
 *
 * Angles q_1, q_2 from the x axis and the height z of the wheel, which N presses on the belt. The
 * belt moves towards the base: the slip along the rod is l sin(q_2 - q_1) q_1' + v cos q_2. */
#include "study/mechanism.h"

#include <math.h>

enum { MASS, LENGTH, STIFFNESS, DAMPING, LOAD, SPEED, MU };

static void linearise(const double* v, double* m, double* b, double* k)
{
    double inertia = v[MASS] * v[LENGTH] * v[LENGTH], p = v[MU] * v[LOAD] * v[LENGTH];
    m[0] = 3.0 * inertia;
    m[1] = m[2] = m[3] = inertia;
    b[0] = 2.0 * v[DAMPING];
    b[1] = b[2] = -v[DAMPING];
    b[3] = v[DAMPING];
    k[0] = 2.0 * v[STIFFNESS] - p;
    k[1] = p - v[STIFFNESS];
    k[2] = -v[STIFFNESS];
    k[3] = v[STIFFNESS];
}

static void mass(void* user, double t, const double* q, double* m)
{
    const double* v = user;
    double inertia = v[MASS] * v[LENGTH] * v[LENGTH];
    (void)t;
    m[0] = 3.0 * inertia;
    m[1] = m[3] = inertia * cos(q[0] - q[1]);
    m[4] = inertia;
    m[8] = v[MASS];
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    const double* v = user;
    double whirl = v[MASS] * v[LENGTH] * v[LENGTH] * sin(q[0] - q[1]);
    double base = v[STIFFNESS] * q[0] + v[DAMPING] * u[0];
    double joint = v[STIFFNESS] * (q[1] - q[0]) + v[DAMPING] * (u[1] - u[0]);
    (void)t;
    h[0] = joint - base - whirl * u[1] * u[1];
    h[1] = -joint + whirl * u[0] * u[0];
    h[2] = -v[LOAD];
}

static void gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    (void)t;
    g[0] = q[2];
}

static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    const double* v = user;
    (void)t;
    w[2] = 1.0;
    w[3] = v[LENGTH] * sin(q[1] - q[0]);
    chi[1] = v[SPEED] * cos(q[1]);
}

static double friction(const double* v)
{
    return v[MU];
}

const scri_mechanism scri_mechanism_follower = {
    .info = {.name = "follower",
             .summary = "a double pendulum whose friction force follows its last rod",
             .n_parameters = 7,
             .parameter = {{"m", "mass at the tip, kg; at the joint there is twice that", 1.0, 0},
                           {"l", "length of each rod, m", 1.0, 0},
                           {"k", "springs in the joints, N m/rad", 10.0, 0},
                           {"c", "dampers in the joints, N m s/rad", 0.5, 1},
                           {"load", "force that presses the wheel on the belt, N", 50.0, 0},
                           {"v", "speed of the belt, m/s", 1.0, 0},
                           {"mu", "coefficient of friction", 0.25, 1}},
             .varied = MU,
             .least = 0.0,
             .most = 2.0,
             .n_coordinates = 3,
             .coordinate = {"q_1", "q_2", "z"}},
    .n_linear = 2,
    .linearise = linearise,
    .model = {.mass = mass, .force = force, .gap = gap, .directions = directions},
    .friction = friction,
    .equilibrium = NULL, /* straight */
    .start = 1e-6,
};
