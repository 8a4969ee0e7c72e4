/* The boundary of size * C is run through by the angle theta of the force. With f(theta) on it, the
 * normal nu(theta) of D in the same direction and y = b - a f, the contact slips at a root of
 *
 *     F(theta) = nu x y      with nu . y > 0.
 *
 * While theta runs round once so does nu, but y does not turn about 0 when the force that would
 * hold the contact, a^-1 b, lies outside size * C: so there is a root. At a corner of D nu jumps,
 * and F changes its sign there when y lies in the normal cone: bisection finds that root too. */
#include "laws/planar_slip.h"

#include "cones/ellipses_kernel.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 12, SAMPLES = 64, BISECTIONS = 100 };

/* What scri_planar_react() returns of a channel that slips though it may stick. No boundary is
 * near which a derivative should be blended over: any share that is large against blurs will do. */
#define SLIPS_INSIDE 0.5

#define LARGEST_TURN 0.3
#define CORNER 1e-10 /* rad: an angle found before is met again within this */

typedef struct place {
    double theta, f[2], y[2], normal[2];
    double turn, slope, along; /* F, dF/dtheta, nu . y */
} place;

static double cross(const double* a, const double* b)
{
    return a[0] * b[1] - a[1] * b[0];
}

static double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1];
}

static place at_angle(const scri_planar* s, double theta)
{
    place at = {.theta = theta};
    double u[2] = {cos(theta), sin(theta)}, v[2] = {-u[1], u[0]};
    double gradient[2], hessian[3], df[2], dy[2], dn[2];
    double gauge = scri_set_gauge(s->c, u, gradient, NULL);
    double radius = s->size / gauge, change = dot(gradient, v) / gauge;
    scri_set_gauge(s->d, u, at.normal, hessian);
    for (int i = 0; i < 2; ++i) {
        at.f[i] = radius * u[i];
        df[i] = radius * (v[i] - change * u[i]);
        dn[i] = hessian[i] * v[0] + hessian[i + 1] * v[1];
    }
    for (int i = 0; i < 2; ++i) {
        at.y[i] = s->b[i] - dot(s->a + 2 * i, at.f);
        dy[i] = -dot(s->a + 2 * i, df);
    }
    at.turn = cross(at.normal, at.y);
    at.slope = cross(dn, at.y) + cross(at.normal, dy);
    at.along = dot(at.normal, at.y);
    return at;
}

/* What rounding leaves of nu . y and nu x y where y, a difference, vanishes. */
static double rounding(const scri_planar* s, const place* at)
{
    double size = sqrt(dot(s->b, s->b)) + sqrt(dot(at->y, at->y));
    return 1e-14 * size * sqrt(dot(at->normal, at->normal));
}

static int looks_ahead(const scri_planar* s, const place* at)
{
    return at->along > 0.0 || at->along >= -rounding(s, at);
}

/* Whether F is 0 but for rounding. Where D is nearly a corner, a step of no length is no proof. */
static int is_root(const scri_planar* s, const place* at)
{
    return looks_ahead(s, at) && fabs(at->turn) <= 10.0 * rounding(s, at);
}

/* Newton from the first angle; 1 when it settled near it on a root. */
static int newton(const scri_planar* s, double theta, place* out)
{
    double first = theta;
    for (int i = 0; i < NEWTON_STEPS; ++i) {
        place at = at_angle(s, theta);
        double step = -at.turn / at.slope;
        theta += step;
        if (!(fabs(step) <= LARGEST_TURN && fabs(theta - first) <= 2.0 * LARGEST_TURN)) return 0;
        if (fabs(step) <= 2e-16 * (1.0 + fabs(theta))) break;
    }
    *out = at_angle(s, theta);
    return is_root(s, out);
}

/* Of two neighbours with different signs of F, the root. Where nu jumps between them, y lies in the
 * normal cone only if nu passes y in its turn, from F > 0 to F < 0; then y may still be far from
 * one of the two normals. Otherwise y looks the other way: along = -inf. */
static place settle(const scri_planar* s, place low, place high)
{
    double jump = cross(low.normal, high.normal);
    double size = dot(low.normal, low.normal) + dot(high.normal, high.normal);
    if (!(fabs(jump) > 1e-8 * size)) return fabs(low.turn) <= fabs(high.turn) ? low : high;
    int stands = dot(low.y, low.y) <= 1e-28 * dot(s->b, s->b);
    if (!stands && !(low.turn > high.turn)) low.along = high.along = -SCREE_INFINITY;
    return low.along >= high.along ? low : high;
}

/* The root between two places with different signs of F. */
static place bisect(const scri_planar* s, place low, place high)
{
    for (int i = 0; i < BISECTIONS; ++i) {
        double middle = 0.5 * (low.theta + high.theta);
        double step = fabs(low.turn) <= fabs(high.turn) ? low.theta - low.turn / low.slope
                                                        : high.theta - high.turn / high.slope;
        if (i % 2 == 0 && step > low.theta && step < high.theta) middle = step;
        if (!(middle > low.theta && middle < high.theta)) break;
        place at = at_angle(s, middle);
        if (at.turn == 0.0) return at;
        if ((at.turn > 0.0) == (low.turn > 0.0)) {
            low = at;
        } else {
            high = at;
        }
    }
    return settle(s, low, high);
}

/* 1 where D has a corner at the angle and y lies in its normal cone: Newton's method, which sees
 * one side only, would leave it for another root. */
static int holds_corner(const scri_planar* s, double theta, place* out)
{
    place low = at_angle(s, theta - CORNER), high = at_angle(s, theta + CORNER);
    double size = dot(low.normal, low.normal) + dot(high.normal, high.normal);
    if (!(low.turn > 0.0 && high.turn < 0.0)) return 0;
    if (!(fabs(cross(low.normal, high.normal)) > 1e-6 * size)) return 0;
    *out = bisect(s, low, high);
    return out->along > 0.0;
}

/* All the way round, with the first angle in the middle: the root nearest to it. */
static place scan(const scri_planar* s, double first)
{
    place ring[SAMPLES + 1];
    place best = {.along = -SCREE_INFINITY};
    double nearest = SCREE_INFINITY;
    for (int i = 0; i <= SAMPLES; ++i) {
        ring[i] = at_angle(s, first + SCREE_PI * (2.0 * (double)i / SAMPLES - 1.0));
    }
    for (int i = 0; i < SAMPLES; ++i) {
        place low = ring[i], high = ring[i + 1];
        if (low.along > best.along && nearest == SCREE_INFINITY) best = low;
        if ((low.turn > 0.0) == (high.turn > 0.0)) continue;
        place root = bisect(s, low, high);
        double distance = fabs(root.theta - first);
        if (!looks_ahead(s, &root) || !(distance < nearest)) continue;
        nearest = distance;
        best = root;
    }
    return best;
}

static place slip(const scri_planar* s)
{
    const double* guess = s->near && dot(s->near, s->near) > 0.0 ? s->near : s->b;
    double first = atan2(guess[1], guess[0]);
    place at;
    if (!holds_corner(s, first, &at) && !newton(s, first, &at)) at = scan(s, first);
    return at;
}

void scri_planar_slip(const scri_planar* at, double f[2])
{
    place found = slip(at);
    f[0] = found.f[0];
    f[1] = found.f[1];
}

int scri_planar_slip_near(const scri_planar* at, double f[2])
{
    place found;
    if (!at->near || !(dot(at->near, at->near) > 0.0)) return 0;
    double first = atan2(at->near[1], at->near[0]);
    if (!holds_corner(at, first, &found) && !newton(at, first, &found)) return 0;
    f[0] = found.f[0];
    f[1] = found.f[1];
    return 1;
}

/* ---- a = 1 ----------------------------------------------------------------------------------- */

/* f = g - lambda nu(f), gauge_C(f) = size: what follows for df. At a corner of D, where g - f and
 * nu differ, f follows the size alone. */
static void differentiate(scri_set c, scri_set d, const double g[2], const double f[2], double size,
                          double* out)
{
    double outward[2], normal[2], hessian[3];
    scri_set_gauge(c, f, outward, NULL);
    double gauge = scri_set_gauge(d, f, normal, hessian);
    double y[2] = {g[0] - f[0], g[1] - f[1]};
    double square = dot(normal, normal), lambda = dot(y, normal) / (gauge * square);
    out[4] = f[0] / size;
    out[5] = f[1] / size;
    out[0] = out[1] = out[2] = out[3] = 0.0;
    if (!(fabs(cross(normal, y)) <= 1e-6 * dot(normal, y))) return;
    double metric[3] = {normal[0] * normal[0] + gauge * hessian[0],
                        normal[0] * normal[1] + gauge * hessian[1],
                        normal[1] * normal[1] + gauge * hessian[2]};
    double along[2];
    scri_quadratic_respond(lambda, metric, normal, along);
    double share = dot(outward, along);
    for (int j = 0; j < 2; ++j) {
        double e[2] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0}, s[2];
        scri_quadratic_respond(lambda, metric, e, s);
        double back = dot(outward, s) / share;
        for (int i = 0; i < 2; ++i) out[2 * i + j] = s[i] - along[i] * back;
    }
    for (int i = 0; i < 2; ++i) out[4 + i] = along[i] / share;
}

/* Whether g, inside size * C, is to slip: the force that slips is nearer to `near` than g. */
static int slips_inside(const scri_planar* s, double f[2])
{
    const double *g = s->b, *near = s->near;
    scri_ellipses e;
    if (s->c.v == s->d.v || !near || !(s->size > 0.0)) return 0;
    if (!(scri_set_gauge(s->c, near, NULL, NULL) > 0.5 * s->size)) return 0;
    if (scri_set_as_ellipse(s->c, e.c) && scri_set_as_ellipse(s->d, e.d) &&
        scri_ellipses_share_axes(&e)) {
        return 0;
    }
    if (!scri_planar_slip_near(s, f)) return 0;
    return hypot(f[0] - near[0], f[1] - near[1]) < hypot(g[0] - near[0], g[1] - near[1]);
}

/* The lambda with g - f = lambda d f, or nearly, if f is the force given. */
static double slip_rate(const double d[3], const double g[2], const double f[2])
{
    double normal[2] = {d[0] * f[0] + d[1] * f[1], d[1] * f[0] + d[2] * f[1]};
    double rest[2] = {g[0] - f[0], g[1] - f[1]}, rate = dot(rest, normal) / dot(normal, normal);
    return rate > 0.0 && isfinite(rate) ? rate : 0.0;
}

static void stick(const scri_planar* s, double f[2], double* derivative)
{
    f[0] = s->b[0];
    f[1] = s->b[1];
    if (!derivative) return;
    derivative[0] = derivative[3] = s->size > 0.0 ? 1.0 : 0.0;
    derivative[1] = derivative[2] = derivative[4] = derivative[5] = 0.0;
}

/* Nothing is carried; the way f goes when the size grows. */
static void react_to_nothing(const scri_planar* s, double gauge, double f[2], double* derivative)
{
    f[0] = f[1] = isnan(gauge + s->size) ? SCREE_NAN : 0.0;
    if (!derivative) return;
    for (int i = 0; i < 4; ++i) derivative[i] = 0.0;
    scri_set_support(s->d, s->b, derivative + 4, NULL);
    double inside = scri_set_gauge(s->c, derivative + 4, NULL, NULL);
    derivative[4] /= inside;
    derivative[5] /= inside;
}

/* The force of a g outside of size * C; `e` holds C as an ellipse where it is one. */
static void slip_outside(const scri_planar* s, scri_ellipses* e, int is_ellipse, double f[2],
                         double* derivative)
{
    int is_associated = s->c.v == s->d.v;
    f[0] = s->b[0];
    f[1] = s->b[1];
    if (is_associated) memcpy(e->d, e->c, sizeof e->d);
    if (is_ellipse &&
        (is_associated || (scri_set_as_ellipse(s->d, e->d) && scri_ellipses_share_axes(e)))) {
        double lambda = s->near ? slip_rate(e->d, s->b, s->near) : 0.0;
        scri_ellipses_slip(e->c, e->d, s->size, &lambda, f);
    } else if (is_associated) {
        scri_set_project(s->c, s->size, s->b, f, derivative);
        return;
    } else {
        scri_planar_slip(s, f);
    }
    if (derivative) differentiate(s->c, s->d, s->b, f, s->size, derivative);
}

double scri_planar_react(scri_set c, scri_set d, double size, const double g[2], const double* near,
                         double f[2], double* derivative)
{
    scri_planar s = {c, d, size, {1.0, 0.0, 0.0, 1.0}, {g[0], g[1]}, near};
    scri_ellipses e;
    int is_ellipse = scri_set_as_ellipse(c, e.c);
    double gauge = is_ellipse ? sqrt(scri_quadratic(e.c, g)) : SCREE_INFINITY;
    if (!(gauge > 1e-140 && gauge < 1e140)) gauge = scri_set_gauge(c, g, NULL, NULL);
    if (gauge <= size && slips_inside(&s, f)) {
        if (derivative) differentiate(c, d, g, f, size, derivative);
        return SLIPS_INSIDE;
    }
    if (gauge <= size) {
        stick(&s, f, derivative);
        return 0.0;
    }
    if (!(size > 0.0)) {
        react_to_nothing(&s, gauge, f, derivative);
        return 1.0;
    }
    slip_outside(&s, &e, is_ellipse, f, derivative);
    return scri_slip_share(gauge / size);
}
