/* Load balance and resistance under the circle itself.
 *
 * Eq. (2) before it is simplified: with S = sqrt(R^2 - xi^2) the ground is at
 *
 *     y = S(a) - S(xi),    y' = xi / S,    y'' = R^2 / S^3
 *
 * where a = xi_+ is the front end. f = k y - gamma v y' + m v^2 y'' vanishes at the rear end b, and
 * all integrals of f and of y' f but two are differences of y, y' and their squares:
 *
 *     N   = k int (S(xi) - S(a)) - gamma v y_b + m v^2 y'_b
 *     F_R = k y_b^2 / 2 + gamma v int y'^2 + m v^2 (y'_b^2 - y'_a^2) / 2 + i m v^2 y'_a^2 / 2
 *
 * i being 2 (momentum consistent). As f(b) = 0, neither depends on b to first order, so that
 *
 *     dN/da = y'_a (k (a - b) + gamma v),  dF/da = y'_a (-k y_b + gamma v y'_a + m v^2 y''_a).
 *
 * Both integrands are smooth and of one sign as long as the ends are well inside of R: Gauss's rule
 * with 12 nodes leaves rounding only.
 */
#include "laws/foundation_circle.h"

#include "base/compiler.h"

#include <float.h>
#include <math.h>

enum { NODES = 6, MOST = 100 };

/* The ends must stay inside of R by this part of it: beyond, y' is no longer small in any sense. */
static const double most_front = 0.9;

static const double gauss[NODES][2] = {
    {0.12523340851146892, 0.24914704581340277}, {0.36783149899818018, 0.23349253653835481},
    {0.58731795428661748, 0.20316742672306592}, {0.76990267419430469, 0.16007832854334622},
    {0.90411725637047491, 0.10693932599531843}, {0.98156063424671924, 0.047175336386511828},
};

/* One contact while it is sought: a ground with a speed. */
typedef struct circle {
    double k, gamma, m, r, v;
} circle;

static double below(const circle* c, double xi) /* S */
{
    return sqrt((c->r - xi) * (c->r + xi));
}

static double slope(const circle* c, double xi) /* y' */
{
    return xi / below(c, xi);
}

static double bend(const circle* c, double xi) /* y'' */
{
    double s = below(c, xi);
    return c->r * c->r / (s * s * s);
}

/* y(xi) for a front end a; 0 at xi = a, nothing cancels near it. */
static double depth_at(const circle* c, double a, double xi)
{
    return (xi - a) * (xi + a) / (below(c, xi) + below(c, a));
}

/* The rear end: f rises where xi falls below it. f(b) = 0 and b <= a; bisection guards Newton's
 * steps, since f is not convex. */
static double find_rear(const circle* c, double a)
{
    double low = -a, high = a, b = -a;
    for (int i = 0; i < MOST; ++i) {
        double s = below(c, b), y2 = bend(c, b);
        double f =
            c->k * depth_at(c, a, b) - c->gamma * c->v * slope(c, b) + c->m * c->v * c->v * y2;
        double by_b =
            c->k * slope(c, b) - c->gamma * c->v * y2 + 3.0 * c->m * c->v * c->v * y2 * b / (s * s);
        if (f > 0.0) {
            low = b;
        } else {
            high = b;
        }
        double next = b - f / by_b;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        double moved = fabs(next - b);
        b = next;
        if (moved <= DBL_EPSILON * a) break;
    }
    return b;
}

/* int_b^a (S(xi) - S(a)) and int_b^a y'^2. */
static void integrate(const circle* c, double a, double b, double* area, double* slopes)
{
    double middle = 0.5 * (a + b), half = 0.5 * (a - b);
    *area = *slopes = 0.0;
    for (int i = 0; i < 2 * NODES; ++i) {
        double xi = middle + (i % 2 ? half : -half) * gauss[i / 2][0], t = slope(c, xi);
        *area -= half * gauss[i / 2][1] * depth_at(c, a, xi);
        *slopes += half * gauss[i / 2][1] * t * t;
    }
}

/* y at the rear end from f(b) = 0, where nothing cancels. */
static double rear_depth(const circle* c, double b)
{
    return c->v * (c->gamma * slope(c, b) - c->m * c->v * bend(c, b)) / c->k;
}

static double find_load(const circle* c, double a, double b)
{
    double area, slopes;
    integrate(c, a, b, &area, &slopes);
    return c->k * area - c->gamma * c->v * rear_depth(c, b) + c->m * c->v * c->v * slope(c, b);
}

/* The front end of a contact without length, gamma a (R^2 - a^2) = m v R^2: below it the ground
 * cannot follow. Newton's method rises to the smaller root; above the largest v for which there is
 * one it is the end of the model. */
static double least_front(const circle* c)
{
    double x = 0.0, want = c->m * c->v / (c->gamma * c->r);
    if (want >= 2.0 / (3.0 * sqrt(3.0))) return most_front * c->r;
    for (int i = 0; i < MOST; ++i) {
        double step = (want - x * (1.0 - x * x)) / (1.0 - 3.0 * x * x);
        x += step;
        if (fabs(step) <= DBL_EPSILON * x) break;
    }
    return fmin(x, most_front) * c->r;
}

int scri_circle_contact(const scri_ground* g, double load, double speed, scri_ground_state* out)
{
    circle c = {g->k, g->gamma, g->m, g->radius, speed};
    double low = least_front(&c), high = most_front * c.r;
    double a = fmax(fmin(cbrt(1.5 * c.r * load / c.k), 0.5 * high), low);
    if (!(find_load(&c, low, low) < load) || !(find_load(&c, high, find_rear(&c, high)) > load)) {
        return 0;
    }
    for (int i = 0; i < MOST; ++i) {
        double b = find_rear(&c, a), off = load - find_load(&c, a, b),
               by_a = slope(&c, a) * (c.k * (a - b) + c.gamma * speed);
        if (off > 0.0) {
            low = a;
        } else {
            high = a;
        }
        double next = a + off / by_a;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        double moved = fabs(next - a);
        a = next;
        if (moved <= 2.0 * DBL_EPSILON * a) break;
    }
    double area, slopes, b = find_rear(&c, a), v = speed;
    double ya = slope(&c, a), yb = slope(&c, b), y = rear_depth(&c, b);
    integrate(&c, a, b, &area, &slopes);
    double load_by_front = ya * (c.k * (a - b) + c.gamma * v);
    double load_by_speed = -c.gamma * y + 2.0 * c.m * v * yb;
    double force_by_front = ya * (-c.k * y + c.gamma * v * ya + c.m * v * v * bend(&c, a));
    double force_by_speed = c.gamma * slopes + c.m * v * (yb * yb + ya * ya);
    *out = (scri_ground_state){.depth = -depth_at(&c, a, 0.0),
                               .xi_minus = b,
                               .xi_plus = a,
                               .resistance = 0.5 * c.k * y * y + c.gamma * v * slopes +
                                             0.5 * c.m * v * v * (yb * yb + ya * ya),
                               .resistance_by_speed =
                                   force_by_speed - force_by_front * load_by_speed / load_by_front,
                               .resistance_by_load = force_by_front / load_by_front};
    return 1;
}

/* N = m v^2 y'_a and gamma a (R^2 - a^2) = m v R^2: over x = a / R the load rises up to the largest
 * v; a load above has no contact to lose before. */
double scri_circle_lift_speed(const scri_ground* g, double load)
{
    double low = 0.0, high = 1.0 / sqrt(3.0), full = g->gamma * g->radius / g->m;
    for (int i = 0; i < MOST && high - low > DBL_EPSILON * high; ++i) {
        double x = 0.5 * (low + high), v = full * x * (1.0 - x * x);
        if (g->m * v * v * x / sqrt(1.0 - x * x) < load) {
            low = x;
        } else {
            high = x;
        }
    }
    return full * low * (1.0 - low * low);
}
