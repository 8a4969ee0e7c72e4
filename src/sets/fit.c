/* The largest multiple of one set inside another: the least ratio of their radii.
 *
 * All angles at which one of the sets has a corner or a node, and a grid that is fine where a set
 * is thin, cut the turn into intervals in which the ratio is smooth and has at most one minimum. */
#include "sets/kind.h"

enum {
    GRID = 1024,    /* intervals of a turn */
    GRID_AB = 64,   /* of half a turn of an ellipse's own angle; a multiple of 4, for diagonals */
    MAX_STEPS = 120 /* golden sections */
};

/* The next angle after `angle` (in [-pi, pi)) at which to look at a set like an ellipse with
 * semi-axes a, b. */
static double next_knot_ab(double a, double b, double angle)
{
    double step = SCREE_PI / GRID_AB;
    double own = atan2(sin(angle) / b, cos(angle) / a);
    double i = floor(own / step), next;
    do {
        i += 1.0;
        next = i >= GRID_AB ? SCREE_PI : atan2(b * sin(i * step), a * cos(i * step));
    } while (!(next > angle + 1e-15) && i < GRID_AB);
    return next;
}

/* The same for any set, in its own axes: features that are narrower than a degree or so, and all
 * corners, lie between such angles. */
static double next_knot(scri_set set, double angle)
{
    switch (set.v->kind) {
    case SCREE_SET_RUNNER: /* like an ellipse with the same length */
        return next_knot_ab(set.v->a + set.v->s, set.v->b, angle);
    case SCREE_SET_ASPERITY: /* the spikes have about the width of those of this ellipse */
        return next_knot_ab(1.0, sqrt(set.v->s), angle);
    case SCREE_SET_POLYGON:
        return scri_polygon_next_knot(set, angle);
    case SCREE_SET_POLAR:
        return scri_polar_next_knot(set, angle);
    default:
        return next_knot_ab(set.v->a, set.v->b, angle);
    }
}

typedef struct pair {
    scri_set inner, outer;
} pair;

/* The ratio of the radii at an angle and its derivative. */
static double ratio(const pair* p, double angle, double* slope)
{
    double u[2] = {cos(angle), sin(angle)}, across[2] = {-u[1], u[0]}, in[2], out[2];
    double k_in = scri_set_gauge(p->inner, u, in, NULL);
    double k_out = scri_set_gauge(p->outer, u, out, NULL);
    double value = k_in / k_out;
    *slope = (scri_dot2(in, across) - value * scri_dot2(out, across)) / k_out;
    return value;
}

/* Least ratio between two angles. */
static double refine(const pair* p, double low, double high)
{
    const double golden = 0.61803398874989484820;
    double left = high - golden * (high - low), right = low + golden * (high - low), slope;
    double at_left = ratio(p, left, &slope), at_right = ratio(p, right, &slope);
    for (int step = 0; step < MAX_STEPS && left < right; ++step) {
        if (at_left < at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = ratio(p, left, &slope);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = ratio(p, right, &slope);
        }
    }
    return fmin(at_left, at_right);
}

/* The next angle at which a set wants to be looked at. */
static double next_of(scri_set set, double angle)
{
    double turn = atan2(set.v->turn[1], set.v->turn[0]), own = angle - turn;
    own -= 2.0 * SCREE_PI * floor((own + SCREE_PI) / (2.0 * SCREE_PI));
    return angle + (next_knot(set, own) - own);
}

double scri_set_fit(scri_set inner, scri_set outer)
{
    pair p = {inner, outer};
    double slope, best = ratio(&p, -SCREE_PI, &slope), angle = -SCREE_PI;
    for (int i = 1; i <= GRID; ++i) {
        double end = -SCREE_PI + 2.0 * SCREE_PI * i / GRID;
        while (angle < end) {
            double next = fmin(end, fmin(next_of(p.inner, angle), next_of(p.outer, angle)));
            if (!(next > angle)) next = end;
            /* One-sided slopes, from just inside: at the angles themselves there may be corners. */
            double inset = 1e-6 * (next - angle), left, right;
            ratio(&p, angle + inset, &left);
            ratio(&p, next - inset, &right);
            best = fmin(best, ratio(&p, next, &slope));
            if (left < 0.0 && right > 0.0) best = fmin(best, refine(&p, angle, next));
            angle = next;
        }
    }
    return best;
}

double scree_set_fit(const scree_set* inner, const scree_set* outer)
{
    if (!inner || !outer) return SCREE_NAN;
    return scri_set_fit(scri_set_of(inner), scri_set_of(outer));
}
