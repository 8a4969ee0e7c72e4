/* One slip of the mass on the belt, without time steps: from the instant it begins to the next.
 *
 * With slip g, force -Kx of the springs and friction F(g), the mass obeys m g' = -K x + F(g), x' =
 * g + belt. F(g) is a point of the edge of C, in the direction of the point of D whose normal is
 * -g. Both ends of a slip are singular, since F depends on the direction of g alone. A slip begins
 * at F(g) = K x: with f = -K x moving at the rate -K v, f + F must stay tangent to C to first
 * order, which gives g = c t^2 along the direction d of that point of D,
 *
 *     c = K (v . n) / (2 m (d . n)),   n the normal of C there;
 *
 * what is left out is of the order t^3, and its direction is forgotten at once. It ends when g has
 * gone and the springs' force lies inside C. */
#include "base/compiler.h"
#include "study/belt.h"

#include <math.h>
#include <string.h>

#define FIRST 5e-3  /* s of a slip by its closed form, in units of sqrt(m / k) */
#define STUCK 1e-9  /* slip over the belt's speed that is none */
#define LONGEST 0.1 /* step, in the same units */

typedef struct state {
    double x[2], slip[2];
} state;

/* Force over the semi-axes, in the axes of C: its length is the gauge of C. */
static void to_disc(const scree_belt_def* def, const double f[2], double out[2])
{
    double c = cos(def->zeta), s = sin(def->zeta);
    out[0] = (f[0] * c + f[1] * s) / def->semi_axis[0];
    out[1] = (f[1] * c - f[0] * s) / def->semi_axis[1];
}

static double gauge(const scree_belt_def* def, const double f[2])
{
    double u[2];
    to_disc(def, f, u);
    return hypot(u[0], u[1]);
}

static void belt_of(const scree_belt_def* def, double v[2])
{
    v[0] = def->speed * cos(def->phi);
    v[1] = def->speed * sin(def->phi);
}

/* Whether the springs' force lies inside C. */
static int holds(const scree_belt_def* def, const double x[2])
{
    return gauge(def, (double[]){def->stiffness * x[0], def->stiffness * x[1]}) < 1.0;
}

static state rate(const scree_belt_def* def, const state* s)
{
    double v[2], z[2] = {def->ratio * def->ratio * s->slip[0], s->slip[1]}, size = gauge(def, z);
    state out;
    belt_of(def, v);
    for (int i = 0; i < 2; ++i) {
        out.x[i] = s->slip[i] + v[i];
        out.slip[i] = (-def->stiffness * s->x[i] - z[i] / size) / def->mass;
    }
    return out;
}

static void add(state* to, double h, const state* k)
{
    for (int i = 0; i < 2; ++i) to->x[i] += h * k->x[i], to->slip[i] += h * k->slip[i];
}

/* A step of Dormand and Prince's method; returns its error over the tolerance. */
static double step(const scree_belt_def* def, double tolerance, double h, const state* from,
                   state* to)
{
    static const double a[7][6] = {
        {0.0},
        {1.0 / 5.0},
        {3.0 / 40.0, 9.0 / 40.0},
        {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
        {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
        {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
        {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
    static const double e[7] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
    state k[7], error = {{0.0, 0.0}, {0.0, 0.0}};
    for (int i = 0; i < 7; ++i) {
        *to = *from;
        for (int j = 0; j < i; ++j) add(to, h * a[i][j], &k[j]);
        k[i] = rate(def, to);
        add(&error, h * e[i], &k[i]);
    }
    double place = tolerance * def->semi_axis[0] / def->stiffness;
    double speed = tolerance * hypot(from->slip[0], from->slip[1]);
    return fmax(hypot(error.x[0], error.x[1]) / place, hypot(error.slip[0], error.slip[1]) / speed);
}

/* The first moments of a slip from x; 0 when the belt does not draw the mass out of C there. */
static int begin(const scree_belt_def* def, double time, const double x[2], state* out)
{
    double v[2], u[2], d[2] = {-x[0] / (def->ratio * def->ratio), -x[1]};
    double c = cos(def->zeta), s = sin(def->zeta);
    belt_of(def, v);
    to_disc(def, (double[]){def->stiffness * x[0], def->stiffness * x[1]}, u);
    u[0] /= def->semi_axis[0], u[1] /= def->semi_axis[1];
    const double n[2] = {u[0] * c - u[1] * s, u[0] * s + u[1] * c};
    double grows = -def->stiffness * (v[0] * n[0] + v[1] * n[1]) /
                   (2.0 * def->mass * (d[0] * n[0] + d[1] * n[1]));
    for (int i = 0; i < 2; ++i) {
        out->x[i] = x[i] + v[i] * time;
        out->slip[i] = grows * time * time * d[i];
    }
    return grows > 0.0 && isfinite(grows);
}

/* Slides until the mass sticks; returns the time that takes, infinite if more than def.end. Where
 * slip vanishes under a force that C does not hold, the mass would slip on another way: NaN, as for
 * a beginning that is none. */
static double slide(const scree_belt_def* def, double tolerance, double x[2])
{
    double unit = sqrt(def->mass / def->stiffness), time = FIRST * unit, h = 0.1 * time;
    state at, next;
    if (!begin(def, time, x, &at)) return SCREE_NAN;
    while (time < def->end) {
        double error = step(def, tolerance, h, &at, &next);
        if (!(error <= 1.0)) {
            h *= error < 1e10 ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2;
            if (!(time + h > time)) break;
            continue;
        }
        at = next;
        time += h;
        h = fmin(h * fmin(3.0, 0.9 * pow(fmax(error, 1e-9), -0.2)), LONGEST * unit);
        if (hypot(at.slip[0], at.slip[1]) <= STUCK * def->speed && holds(def, at.x)) break;
    }
    memcpy(x, at.x, sizeof at.x);
    if (!(time < def->end)) return SCREE_INFINITY;
    return holds(def, x) ? time : SCREE_NAN;
}

/* Sticks until the springs' force reaches the edge of C; returns the time that takes. */
static double stick(const scree_belt_def* def, double x[2])
{
    double v[2], u[2], du[2];
    belt_of(def, v);
    to_disc(def, (double[]){def->stiffness * x[0], def->stiffness * x[1]}, u);
    to_disc(def, (double[]){def->stiffness * v[0], def->stiffness * v[1]}, du);
    double a = du[0] * du[0] + du[1] * du[1], b = u[0] * du[0] + u[1] * du[1];
    double c = u[0] * u[0] + u[1] * u[1] - 1.0, time = (sqrt(b * b - a * c) - b) / a;
    for (int i = 0; i < 2; ++i) x[i] += v[i] * time;
    return time;
}

static double angle_of(const scree_belt_def* def, const double x[2])
{
    double u[2];
    to_disc(def, x, u);
    return atan2(u[1], u[0]);
}

double scri_belt_first_slip(const scree_belt_def* def)
{
    double x[2] = {0.0, 0.0};
    stick(def, x);
    return angle_of(def, x);
}

scree_belt_slip scri_belt_slip(const scree_belt_def* def, double tolerance, double angle)
{
    double c = cos(def->zeta), s = sin(def->zeta);
    double u = def->semi_axis[0] * cos(angle), v = def->semi_axis[1] * sin(angle);
    double x[2] = {(u * c - v * s) / def->stiffness, (u * s + v * c) / def->stiffness};
    scree_belt_slip out = {.sliding = slide(def, tolerance, x)};
    if (!(out.sliding < def->end)) return out;
    out.duration = out.sliding + stick(def, x);
    out.angle = angle_of(def, x);
    out.sticks = 1;
    return out;
}
