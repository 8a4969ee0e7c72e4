/* What slip after slip comes to: a table of the map from one angle to the next, and its iterates.
 *
 * The map is smooth, so that a table of some dozens of values, cubic in between, stands for it.
 * Where its iterates return after n of them the product of its derivatives says whether they
 * attract; where they do not return within 32, the mean of the logarithms says whether neighbours
 * part. */
#include "base/compiler.h"
#include "base/env.h"
#include "study/belt.h"

#include <math.h>

enum { WARMING = 40, SETTLING = 20000, LOOKS = 40000, MOST_ROUNDS = 32, TRIES = 4 };
enum { LEAST_NODES = 16, MOST_NODES = 4096 };

#define MARGIN 0.1    /* of the range of angles that is added at both of its ends */
#define RETURNS 1e-9  /* of the range */
#define DECIDED 0.01  /* an exponent closer to 0 decides nothing */
#define SMALLEST 1e-6 /* rad: a table of a motion that has long settled still has some width */

typedef struct table {
    double low, high;
    int32_t n;
    double *angle, *duration; /* [n] of the next slip */
    int slides_on;            /* one does not end */
} table;

/* Takes the slip after `angle`; 0 when it does not stick again. */
static int take(const scree_belt_def* def, double tolerance, double angle, table* t,
                scree_belt_slip* out)
{
    *out = scri_belt_slip(def, tolerance, angle);
    t->slides_on |= isinf(out->sliding);
    return out->sticks;
}

/* Catmull and Rom's cubic through the values around x; its derivative too. */
static double look_up(const table* t, const double* value, double x, double* slope)
{
    double width = (t->high - t->low) / (t->n - 1), at = (x - t->low) / width;
    int32_t i = (int32_t)fmin(fmax(floor(at), 1.0), t->n - 3);
    const double *y = value + i - 1, d = at - i;
    double b = y[2] - y[0], c = 2.0 * y[0] - 5.0 * y[1] + 4.0 * y[2] - y[3];
    double e = 3.0 * (y[1] - y[2]) + y[3] - y[0];
    if (slope) *slope = 0.5 * (b + d * (2.0 * c + d * 3.0 * e)) / width;
    return y[1] + 0.5 * d * (b + d * (c + d * e));
}

/* 0 when some slip is the last. */
static int fill(const scree_belt_def* def, double tolerance, table* t)
{
    for (int32_t i = 0; i < t->n; ++i) {
        double angle = t->low + (t->high - t->low) * i / (t->n - 1);
        scree_belt_slip slip;
        if (!take(def, tolerance, angle, t, &slip)) return 0;
        t->angle[i] = slip.angle;
        t->duration[i] = slip.duration;
    }
    return 1;
}

/* The range of some slips, the first of them left out; 0 when one is the last. */
static int find_range(const scree_belt_def* def, double tolerance, table* t, double* at)
{
    *at = scri_belt_first_slip(def);
    t->low = SCREE_INFINITY, t->high = -SCREE_INFINITY;
    for (int i = 0; i < WARMING; ++i) {
        scree_belt_slip slip;
        if (!take(def, tolerance, *at, t, &slip)) return 0;
        *at = slip.angle;
        if (i < WARMING / 2) continue;
        t->low = fmin(t->low, *at);
        t->high = fmax(t->high, *at);
    }
    double more = fmax(MARGIN * (t->high - t->low), SMALLEST);
    t->low -= more, t->high += more;
    return 1;
}

/* Iterates from *at; 0 when they leave the table, which is widened then. */
static int settle(table* t, double* at)
{
    for (int i = 0; i < SETTLING; ++i) {
        double next = look_up(t, t->angle, *at, NULL), more = 0.5 * (t->high - t->low);
        if (next < t->low || next > t->high) {
            if (next < t->low) t->low -= more;
            if (next > t->high) t->high += more;
            return 0;
        }
        *at = next;
    }
    return 1;
}

/* The number of slips after which the angle returns; 0 for none. */
static int32_t count_rounds(const table* t, double at)
{
    double x = at;
    for (int32_t n = 1; n <= MOST_ROUNDS; ++n) {
        x = look_up(t, t->angle, x, NULL);
        if (fabs(x - at) <= RETURNS * (t->high - t->low)) return n;
    }
    return 0;
}

static void conclude(const table* t, double at, scree_belt_slips* out)
{
    int64_t n = 0, most;
    double sum = 0.0, time = 0.0, product = 1.0;
    out->rounds = count_rounds(t, at);
    most = out->rounds > 0 ? out->rounds : LOOKS;
    out->least = SCREE_INFINITY, out->most = -SCREE_INFINITY;
    for (; n < most; ++n) {
        double slope;
        time += look_up(t, t->duration, at, NULL);
        at = look_up(t, t->angle, at, &slope);
        sum += log(fmax(fabs(slope), 1e-300));
        product *= slope;
        out->least = fmin(out->least, at);
        out->most = fmax(out->most, at);
    }
    out->exponent = sum / (double)most;
    out->multiplier = out->rounds > 0 ? product : SCREE_NAN;
    out->period = out->rounds > 0 ? time : time / (double)most;
    if (out->rounds > 0 && fabs(product) < 1.0) {
        out->verdict = SCREE_BELT_SLIPS_REPEAT;
    } else if (out->rounds == 0 && out->exponent > DECIDED) {
        out->verdict = SCREE_BELT_SLIPS_IRREGULAR;
    }
}

static void follow(const scree_belt_def* def, double tolerance, table* t, scree_belt_slips* out)
{
    double at;
    int sticks = find_range(def, tolerance, t, &at), is_inside = 0;
    for (int k = 0; k < TRIES && sticks && !is_inside; ++k) {
        sticks = fill(def, tolerance, t);
        is_inside = sticks && settle(t, &at);
    }
    if (t->slides_on) out->verdict = SCREE_BELT_SLIPS_END;
    if (is_inside) conclude(t, at, out);
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
                              .multiplier = SCREE_NAN,
                              .least = SCREE_NAN,
                              .most = SCREE_NAN};
    double* memory = scri_alloc(env, 2 * (size_t)nodes * sizeof *memory);
    if (!memory) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for slips of the belt");
    table t = {.n = nodes, .angle = memory, .duration = memory + nodes};
    follow(def, tolerance, &t, out);
    scri_release(env, memory);
    return SCREE_OK;
}
