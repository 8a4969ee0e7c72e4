/* What slip after slip comes to: a table of the map from one angle to the next, and its iterates.
 *
 * Where slips halt as often the map is smooth, so that a table of some dozens of values, cubic in
 * between, stands for it. It jumps or has corners where the number of halts changes; there the
 * table is finer, level by level, and at last slips are computed anew, as beyond the table. Where
 * iterates return after n of them and the product of derivatives is below 1, they attract; where
 * none do, the mean of the logarithms says whether neighbours part. */
#include "base/compiler.h"
#include "base/env.h"
#include "study/belt.h"

#include <math.h>
#include <string.h>

enum { WARMING = 40, SETTLING = 20000, LOOKS = 20000, BATCHES = 20, MOST_ROUNDS = 128, TRIES = 4 };
enum { LEAST_NODES = 16, MOST_NODES = 4096, LEVELS = 6, FINEST = 1 << LEVELS };

#define MARGIN 0.1    /* of the range of angles that is added at both of its ends */
#define RETURNS 1e-6  /* of the range */
#define DECIDED 0.01  /* an exponent closer to 0 decides nothing */
#define SMALLEST 1e-3 /* rad: added at least, slopes in a narrower table are noise */
#define APART 1e-5    /* rad: between slips whose difference stands for the derivative */

typedef struct table {
    const scree_belt_def* def;
    double tolerance, low, high;
    int32_t n;             /* nodes of the finest level */
    scree_belt_slip* slip; /* [n] */
    uint8_t* is_known;     /* [n]: a node is computed when it is first looked at */
    int slides_on;         /* one of the motion's own slips does not end */
} table;

/* One look at the map. */
typedef struct look {
    double angle, duration, slope; /* of the map: the slope of `angle` */
    int32_t halts;
} look;

/* Computes the slip after `angle`; 0 when it does not stick again. */
static int take(table* t, double angle, scree_belt_slip* out)
{
    *out = scri_belt_slip(t->def, t->tolerance, angle);
    t->slides_on |= isinf(out->sliding);
    return out->sticks;
}

/* The slope by a neighbour that halts as often, above or below. */
static int compute(table* t, double x, int with_slope, look* out)
{
    scree_belt_slip at, beside;
    if (!take(t, x, &at)) return 0;
    *out = (look){at.angle, at.duration, SCREE_NAN, at.halts};
    for (int side = 1; with_slope && side >= -1; side -= 2) {
        beside = scri_belt_slip(t->def, t->tolerance, x + side * APART);
        if (!beside.sticks || beside.halts != at.halts) continue;
        out->slope = (beside.angle - at.angle) / (side * APART);
        return 1;
    }
    return !with_slope;
}

static const scree_belt_slip* node(table* t, int32_t i)
{
    if (!t->is_known[i]) {
        double angle = t->low + (t->high - t->low) * i / (t->n - 1);
        t->slip[i] = scri_belt_slip(t->def, t->tolerance, angle);
        t->is_known[i] = 1;
    }
    return &t->slip[i];
}

/* The four nodes around x on the coarsest level on which they are alike; how far x lies beyond the
 * second of them, in units of their distance. Returns that distance in nodes, 0 for none. */
static int32_t find_nodes(table* t, double x, const scree_belt_slip* s[4], double* beyond)
{
    double at = (x - t->low) / (t->high - t->low) * (t->n - 1);
    if (!(at >= 0.0 && at <= t->n - 1)) return 0;
    for (int32_t apart = FINEST; apart >= 1; apart /= 2) {
        int32_t last = (t->n - 1) / apart, i = (int32_t)(at / apart), alike = 1;
        i = i < 1 ? 1 : i > last - 2 ? last - 2 : i;
        for (int32_t k = 0; k < 4 && alike; ++k) {
            s[k] = node(t, (i - 1 + k) * apart);
            alike = s[k]->sticks && s[k]->halts == s[0]->halts;
        }
        *beyond = at / apart - i;
        if (alike) return apart;
    }
    return 0;
}

/* Catmull and Rom's cubic through values around a point d beyond the second; its derivative too. */
static double cubic(double y0, double y1, double y2, double y3, double d, double* slope)
{
    double b = y2 - y0, c = 2.0 * y0 - 5.0 * y1 + 4.0 * y2 - y3, e = 3.0 * (y1 - y2) + y3 - y0;
    *slope = 0.5 * (b + d * (2.0 * c + d * 3.0 * e));
    return y1 + 0.5 * d * (b + d * (c + d * e));
}

/* 0 when the slip after x is the last. */
static int look_up(table* t, double x, int with_slope, look* out)
{
    const scree_belt_slip* s[4];
    double d, unused;
    int32_t apart = find_nodes(t, x, s, &d);
    if (!apart) return compute(t, x, with_slope, out);
    out->angle = cubic(s[0]->angle, s[1]->angle, s[2]->angle, s[3]->angle, d, &out->slope);
    out->slope *= (t->n - 1) / ((t->high - t->low) * apart);
    out->duration =
        cubic(s[0]->duration, s[1]->duration, s[2]->duration, s[3]->duration, d, &unused);
    out->halts = s[0]->halts;
    return 1;
}

/* The range of some slips, the first of them left out; 0 when one is the last. */
static int find_range(table* t, double* at)
{
    *at = scri_belt_first_slip(t->def);
    t->low = SCREE_INFINITY, t->high = -SCREE_INFINITY;
    for (int i = 0; i < WARMING; ++i) {
        scree_belt_slip slip;
        if (!take(t, *at, &slip)) return 0;
        *at = slip.angle;
        if (i < WARMING / 2) continue;
        t->low = fmin(t->low, *at);
        t->high = fmax(t->high, *at);
    }
    double more = fmax(MARGIN * (t->high - t->low), SMALLEST);
    t->low -= more, t->high += more;
    return 1;
}

typedef enum settling { ENDED, SETTLED, BEYOND } settling;

/* Iterates from *at. Where they leave the table by less than its width, and may, it is widened. */
static settling settle(table* t, int may_widen, double* at)
{
    for (int i = 0; i < SETTLING; ++i) {
        look next;
        if (!look_up(t, *at, 0, &next)) return ENDED;
        *at = next.angle;
        double width = t->high - t->low, below = t->low - *at, above = *at - t->high;
        if (!may_widen || !(fmax(below, above) > 0.0) || fmax(below, above) > width) continue;
        if (below > 0.0) t->low -= 0.5 * width;
        if (above > 0.0) t->high += 0.5 * width;
        return BEYOND;
    }
    return SETTLED;
}

/* The number of slips after which the angle returns, closer to where it would stay; 0 for none. */
static int32_t count_rounds(table* t, double at)
{
    double product = 1.0;
    look l = {.angle = at};
    for (int32_t n = 1; n <= MOST_ROUNDS; ++n) {
        if (!look_up(t, l.angle, 1, &l)) return 0;
        product *= l.slope;
        if (fabs(l.angle - at) <= RETURNS * (t->high - t->low) && fabs(product) < 1.0) return n;
    }
    return 0;
}

/* The mean of a number of means, and its standard deviation. */
static void average(int n, const double* mean, double* out, double* error)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) sum += mean[i];
    *out = sum / n;
    for (int i = 0; i < n; ++i) squares += (mean[i] - *out) * (mean[i] - *out);
    *error = n > 1 ? sqrt(squares / ((double)n * (n - 1))) : 0.0;
}

static int conclude(table* t, double at, scree_belt_slips* out)
{
    double mean[BATCHES] = {0.0}, time = 0.0, product = 1.0, halts = 0.0;
    int32_t rounds = count_rounds(t, at), each = rounds > 0 ? rounds : LOOKS / BATCHES;
    int n = rounds > 0 ? 1 : BATCHES;
    look l = {.angle = at};
    out->least = SCREE_INFINITY, out->most = -SCREE_INFINITY;
    for (int64_t i = 0; i < (int64_t)n * each; ++i) {
        if (!look_up(t, l.angle, 1, &l)) return 0;
        mean[i / each] += log(fmax(fabs(l.slope), 1e-300)) / each;
        time += l.duration;
        halts += l.halts;
        product *= l.slope;
        out->least = fmin(out->least, l.angle);
        out->most = fmax(out->most, l.angle);
    }
    average(n, mean, &out->exponent, &out->exponent_error);
    out->rounds = rounds;
    out->multiplier = rounds > 0 ? product : SCREE_NAN;
    out->period = rounds > 0 ? time : time / ((double)n * each);
    out->halts = halts / ((double)n * each);
    if (rounds > 0) {
        out->verdict = SCREE_BELT_SLIPS_REPEAT;
    } else if (out->exponent > fmax(DECIDED, 3.0 * out->exponent_error)) {
        out->verdict = SCREE_BELT_SLIPS_IRREGULAR;
    }
    return 1;
}

static void follow(table* t, scree_belt_slips* out)
{
    double at;
    settling found = find_range(t, &at) ? BEYOND : ENDED;
    for (int k = 1; k <= TRIES && found == BEYOND; ++k) {
        memset(t->is_known, 0, (size_t)t->n);
        found = settle(t, k < TRIES, &at);
    }
    if (found == SETTLED) conclude(t, at, out);
    if (t->slides_on) out->verdict = SCREE_BELT_SLIPS_END;
}

static scree_status check(const scree_env* env, const scree_belt_def* def, double tolerance)
{
    scree_status status = scri_belt_check(env, def);
    if (status || (tolerance > 0.0 && tolerance < 1.0)) return status;
    return scri_fail(env, SCREE_ERROR_INPUT, "tolerance = %g must be between 0 and 1", tolerance);
}

scree_status scree_belt_next_slip(const scree_env* env, const scree_belt_def* def, double tolerance,
                                  double angle, scree_belt_slip* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    scree_status status = check(env, def, tolerance);
    if (!status) *out = scri_belt_slip(def, tolerance, angle);
    return status;
}

scree_status scree_belt_follow_slips(const scree_env* env, const scree_belt_def* def,
                                     double tolerance, int32_t nodes, scree_belt_slips* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    scree_status status = check(env, def, tolerance);
    if (status) return status;
    if (nodes < LEAST_NODES || nodes > MOST_NODES) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%d nodes are not from %d to %d", (int)nodes,
                         LEAST_NODES, MOST_NODES);
    }
    *out = (scree_belt_slips){.verdict = SCREE_BELT_SLIPS_UNDECIDED,
                              .period = SCREE_NAN,
                              .exponent = SCREE_NAN,
                              .exponent_error = SCREE_NAN,
                              .halts = SCREE_NAN,
                              .multiplier = SCREE_NAN,
                              .least = SCREE_NAN,
                              .most = SCREE_NAN};
    table t = {.def = def, .tolerance = tolerance, .n = (nodes - 1) * FINEST + 1};
    size_t n = (size_t)t.n;
    t.slip = scri_alloc(env, n * (sizeof *t.slip + sizeof *t.is_known));
    if (!t.slip) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for slips of the belt");
    t.is_known = (uint8_t*)(t.slip + n);
    follow(&t, out);
    scri_release(env, t.slip);
    return SCREE_OK;
}
