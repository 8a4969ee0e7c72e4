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
 * gone and the springs' force lies inside C.
 *
 * Since sliding need not oppose the force, g can also vanish while the springs pull harder than the
 * belt can hold. The mass halts for that instant and goes on along the direction e whose friction
 * leaves it: f + F(e) = s e with s > 0, g = s e t / m. */
#include "base/compiler.h"
#include "study/belt.h"

#include <math.h>
#include <string.h>

#define FIRST 5e-3  /* s of a slip by its closed form, in units of sqrt(m / k) */
#define STUCK 1e-9  /* slip over the belt's speed that is none */
#define LONGEST 0.1 /* step, in the same units */
#define AGAIN 1e-6  /* s of a slip after a halt by its closed form, in the same units */

enum { LOOKS = 360 }; /* for ways on after a halt */

typedef struct state {
    double x[2], slip[2];
} state;

/* The belt, with what every step needs of it. */
typedef struct belt {
    const scree_belt_def* def;
    double c, s, v[2]; /* of zeta; velocity */
    double unit;       /* of time, s */
} belt;

/* A slip on its way. */
typedef struct course {
    state at;
    double time, h; /* s: since it began; of the next step */
    int32_t halts;
} course;

/* Force over the semi-axes, in the axes of C: its length is the gauge of C. */
static void to_disc(const belt* b, const double f[2], double out[2])
{
    out[0] = (f[0] * b->c + f[1] * b->s) / b->def->semi_axis[0];
    out[1] = (f[1] * b->c - f[0] * b->s) / b->def->semi_axis[1];
}

static double gauge(const belt* b, const double f[2])
{
    double u[2];
    to_disc(b, f, u);
    return sqrt(u[0] * u[0] + u[1] * u[1]);
}

/* Whether the springs' force lies inside C. */
static int holds(const belt* b, const double x[2])
{
    return gauge(b, (double[]){b->def->stiffness * x[0], b->def->stiffness * x[1]}) < 1.0;
}

/* Springs and friction on a mass at x that slips along `slip`, N. */
static void force_of(const belt* b, const double x[2], const double slip[2], double out[2])
{
    const double z[2] = {b->def->ratio * b->def->ratio * slip[0], slip[1]};
    double size = gauge(b, z);
    for (int i = 0; i < 2; ++i) out[i] = -b->def->stiffness * x[i] - z[i] / size;
}

static state rate(const belt* b, const state* s)
{
    double f[2];
    state out;
    force_of(b, s->x, s->slip, f);
    for (int i = 0; i < 2; ++i) {
        out.x[i] = s->slip[i] + b->v[i];
        out.slip[i] = f[i] / b->def->mass;
    }
    return out;
}

static void add(state* to, double h, const state* k)
{
    for (int i = 0; i < 2; ++i) to->x[i] += h * k->x[i], to->slip[i] += h * k->slip[i];
}

/* A step of Dormand and Prince's method; returns its error over the tolerance. */
static double step(const belt* b, double tolerance, double h, const state* from, state* to)
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
        k[i] = rate(b, to);
        add(&error, h * e[i], &k[i]);
    }
    double place = tolerance * b->def->semi_axis[0] / b->def->stiffness;
    double speed = tolerance * hypot(from->slip[0], from->slip[1]);
    return fmax(hypot(error.x[0], error.x[1]) / place, hypot(error.slip[0], error.slip[1]) / speed);
}

/* The first moments of a slip from x; 0 when the belt does not draw the mass out of C there. */
static int begin(const belt* b, double time, const double x[2], state* out)
{
    const double* v = b->v;
    double u[2], d[2] = {-x[0] / (b->def->ratio * b->def->ratio), -x[1]};
    to_disc(b, (double[]){b->def->stiffness * x[0], b->def->stiffness * x[1]}, u);
    u[0] /= b->def->semi_axis[0], u[1] /= b->def->semi_axis[1];
    const double n[2] = {u[0] * b->c - u[1] * b->s, u[0] * b->s + u[1] * b->c};
    double grows = -b->def->stiffness * (v[0] * n[0] + v[1] * n[1]) /
                   (2.0 * b->def->mass * (d[0] * n[0] + d[1] * n[1]));
    for (int i = 0; i < 2; ++i) {
        out->x[i] = x[i] + v[i] * time;
        out->slip[i] = grows * time * time * d[i];
    }
    return grows > 0.0 && isfinite(grows);
}

/* The part across e of the force on a mass that slips along e, the unit vector at this angle; the
 * part along it. */
static double across(const belt* b, const double x[2], double angle, double* along)
{
    const double e[2] = {cos(angle), sin(angle)};
    double f[2];
    force_of(b, x, e, f);
    *along = f[0] * e[0] + f[1] * e[1];
    return f[1] * e[0] - f[0] * e[1];
}

/* The angle between two at which nothing is left across. */
static double straight(const belt* b, const double x[2], double low, double high)
{
    double along;
    while (1) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) return middle;
        if (across(b, x, middle, &along) > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/* Goes on after a halt at x. Only a direction that draws its neighbours in can be taken: what is
 * across falls through 0 there. 0 unless there is one and no other. */
static int go_on(const belt* b, course* c)
{
    const double width = 2.0 * SCREE_PI / LOOKS, *x = c->at.x;
    double angle = 0.0, along, before = across(b, x, 0.0, &along);
    int n = 0;
    for (int i = 1; i <= LOOKS; ++i) {
        double now = across(b, x, width * i, &along);
        if (before > 0.0 && !(now > 0.0)) {
            double root = straight(b, x, width * (i - 1), width * i);
            across(b, x, root, &along);
            if (along > 0.0) angle = root, ++n;
        }
        before = now;
    }
    if (n != 1) return 0;
    across(b, x, angle, &along);
    double time = AGAIN * b->unit, slip = along * time / b->def->mass;
    c->at.slip[0] = slip * cos(angle), c->at.slip[1] = slip * sin(angle);
    for (int i = 0; i < 2; ++i) c->at.x[i] += b->v[i] * time;
    c->time += time;
    c->h = 0.1 * time;
    ++c->halts;
    return 1;
}

/* Whether slip has gone, rather than just begun. */
static int has_gone(const belt* b, const state* s)
{
    double f[2];
    if (!(hypot(s->slip[0], s->slip[1]) <= STUCK * b->def->speed)) return 0;
    force_of(b, s->x, s->slip, f);
    return f[0] * s->slip[0] + f[1] * s->slip[1] < 0.0;
}

/* Slides until the mass sticks; returns the time that takes, infinite if more than def.end. NaN
 * where it begins nowhere, or can go on in several ways after a halt. */
static double slide(const belt* b, double tolerance, double x[2], int32_t* halts)
{
    course c = {.time = FIRST * b->unit, .h = 0.1 * FIRST * b->unit};
    state next;
    if (!begin(b, c.time, x, &c.at)) return SCREE_NAN;
    while (c.time < b->def->end) {
        double error = step(b, tolerance, c.h, &c.at, &next);
        double change = 0.9 * pow(fmax(error, 1e-9), -0.2);
        if (!(error <= 1.0)) {
            c.h *= error < 1e10 ? fmax(0.2, change) : 0.2;
            if (!(c.time + c.h > c.time)) return SCREE_NAN;
            continue;
        }
        c.at = next;
        c.time += c.h;
        c.h = fmin(c.h * fmin(3.0, change), LONGEST * b->unit);
        if (!has_gone(b, &c.at)) continue;
        if (holds(b, c.at.x)) break;
        if (!go_on(b, &c)) return SCREE_NAN;
    }
    memcpy(x, c.at.x, sizeof c.at.x);
    *halts = c.halts;
    return c.time < b->def->end ? c.time : SCREE_INFINITY;
}

/* Sticks until the springs' force reaches the edge of C; returns the time that takes. */
static double stick(const belt* b, double x[2])
{
    const double* v = b->v;
    double u[2], du[2];
    to_disc(b, (double[]){b->def->stiffness * x[0], b->def->stiffness * x[1]}, u);
    to_disc(b, (double[]){b->def->stiffness * v[0], b->def->stiffness * v[1]}, du);
    double a = du[0] * du[0] + du[1] * du[1], half = u[0] * du[0] + u[1] * du[1];
    double c = u[0] * u[0] + u[1] * u[1] - 1.0, time = (sqrt(half * half - a * c) - half) / a;
    for (int i = 0; i < 2; ++i) x[i] += v[i] * time;
    return time;
}

static double angle_of(const belt* b, const double x[2])
{
    double u[2];
    to_disc(b, x, u);
    return atan2(u[1], u[0]);
}

static belt belt_of(const scree_belt_def* def)
{
    return (belt){.def = def,
                  .c = cos(def->zeta),
                  .s = sin(def->zeta),
                  .v = {def->speed * cos(def->phi), def->speed * sin(def->phi)},
                  .unit = sqrt(def->mass / def->stiffness)};
}

double scri_belt_first_slip(const scree_belt_def* def)
{
    const belt b = belt_of(def);
    double x[2] = {0.0, 0.0};
    stick(&b, x);
    return angle_of(&b, x);
}

scree_belt_slip scri_belt_slip(const scree_belt_def* def, double tolerance, double angle)
{
    const belt b = belt_of(def);
    double u = def->semi_axis[0] * cos(angle), v = def->semi_axis[1] * sin(angle);
    double x[2] = {(u * b.c - v * b.s) / def->stiffness, (u * b.s + v * b.c) / def->stiffness};
    scree_belt_slip out = {.sticks = 0};
    out.sliding = slide(&b, tolerance, x, &out.halts);
    if (!(out.sliding < def->end)) return out;
    out.duration = out.sliding + stick(&b, x);
    out.angle = angle_of(&b, x);
    out.sticks = 1;
    return out;
}
