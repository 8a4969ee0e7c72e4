/* Newton on p - react(p - y) = 0, y = w p + q. Where it does not converge, bisection on the normal
 * impulse n: for given n the channels are solved in turn, each exactly (planar_slip.h), until they
 * agree; the normal velocity that follows is negative at n = 0 and positive for large n. Under the
 * extended law it may have several values: then Newton is tried from states around. */
#include "laws/set_contact.h"

#include "laws/friction_law.h"
#include "laws/one_contact_kernel.h"
#include "laws/planar_slip.h"

#include <string.h>

/* Budgets, beside what 60,000 contacts of the long tests of laws took, among them those that are
 * made to be hard. An ordinary contact takes 4 Newton steps and nothing else. */
enum {
    NEWTON_STEPS = 40, /* 18 but for one contact in 1000; one took all */
    HALVINGS = 10,     /* of a Newton step: one that helps at less than 1/512 leads nowhere */
    DOUBLINGS = 60,    /* of the normal impulse, 37: beyond 2^53 the rounding of w decides whether
                        * anything stops the approach */
    BISECTIONS = 120,  /* 53 find all digits, but more where the bracket begins at 0 */
    BETWEEN_TRIES = 6, /* of these: the bracket is 64 times as narrow when Newton is tried again */
    ROUNDS = 100,      /* of a fixed point: channels in turn, 12; sliding with spinning, 92. Where
                        * channels hardly contract, in one of 15 hard cases, none is enough: the
                        * next bisection goes on from there */
    STARTS = 12        /* around the circle, 30 degrees apart, and between two states */
};

#define FINEST 4e-15 /* relative error that rounding allows to ask for */

/* A state of the iteration, its error and the derivative of `react`. */
typedef struct state {
    double p[SCRI_MAX_WIDTH], error[SCRI_MAX_WIDTH], d[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
    double norm, size;
} state;

static void evaluate(const scri_set_contact* c, state* at)
{
    int width = scri_layout_of(c->terms.rows).width;
    double y[SCRI_MAX_WIDTH] = {0.0}, z[SCRI_MAX_WIDTH] = {0.0}, image[SCRI_MAX_WIDTH] = {0.0};
    scri_terms t = c->terms;
    t.near = at->p;
    for (int i = 0; i < width; ++i) {
        y[i] = scri_dot(width, c->w + (size_t)(i * width), at->p) + c->q[i];
        z[i] = at->p[i] - y[i];
    }
    c->react(t, z, 0.0, image, at->d);
    for (int i = 0; i < width; ++i) at->error[i] = at->p[i] - image[i];
    at->norm = scri_norm(width, at->error);
    at->size = fmax(scri_norm(width, at->p), fmax(scri_norm(width, y), scri_norm(width, c->q)));
}

/* Rows of 1 - d (1 - w). */
static void write_jacobian(const scri_set_contact* c, const state* at, double* jacobian)
{
    int width = scri_layout_of(c->terms.rows).width;
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < width; ++k) {
                double rest = (k == j ? 1.0 : 0.0) - c->w[k * width + j];
                sum -= at->d[i * width + k] * rest;
            }
            jacobian[i * SCRI_MAX_WIDTH + j] = sum;
        }
    }
}

/* 1 when the error is within the tolerance; `at` holds the best state in any case. */
static int newton(const scri_set_contact* c, state* at)
{
    int width = scri_layout_of(c->terms.rows).width;
    double tolerance = fmax(c->tolerance, FINEST);
    double jacobian[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH], step[SCRI_MAX_WIDTH];
    evaluate(c, at);
    for (int i = 0; i < NEWTON_STEPS && at->norm > 0.0; ++i) {
        int close = at->norm <= tolerance * at->size;
        write_jacobian(c, at, jacobian);
        for (int j = 0; j < width; ++j) step[j] = -at->error[j];
        if (!scri_gauss_solve(width, SCRI_MAX_WIDTH, jacobian, step)) return close;
        double share = 1.0;
        state trial = {.norm = 0.0};
        for (int k = 0; k < HALVINGS; ++k) {
            for (int j = 0; j < width; ++j) trial.p[j] = at->p[j] + share * step[j];
            evaluate(c, &trial);
            if (trial.norm < at->norm || close) break;
            share *= 0.5;
        }
        if (!(trial.norm < at->norm)) return close;
        *at = trial;
        if (close) return 1; /* one step more than needed: it costs little and gains digits */
    }
    return at->norm <= tolerance * at->size;
}

/* ---- fail-safe ------------------------------------------------------------------------------- */

static double distance(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Force of channel k with velocity b - a f, f within size; `f` holds a guess. */
static void solve_channel(const scri_set_contact* c, int k, int dim, double size, const double* a,
                          const double* b, double* f)
{
    scri_channel_sets sets = scri_channel_sets_of(c->terms, k);
    if (dim == 1) {
        double most = a[0] > 0.0 ? b[0] / a[0] : b[0] == 0.0 ? f[0] : b[0] * SCREE_INFINITY;
        f[0] = most > size ? size : most < -size ? -size : most;
        return;
    }
    static const double round[3] = {1.0, 0.0, 1.0};
    scree_set_value disc = scri_set_from_quadratic(round);
    if (!sets.c.v) sets.c = sets.d = (scri_set){&disc, NULL};
    double det = a[0] * a[3] - a[1] * a[2], trace = a[0] + a[3], near[2] = {f[0], f[1]};
    scri_planar planar = {
        sets.c, sets.d, size, {a[0], a[1], a[2], a[3]}, {b[0], b[1]}, near,
    };
    if (det > 1e-28 * trace * trace) {
        double stick[2] = {(a[3] * b[0] - a[1] * b[1]) / det, (a[0] * b[1] - a[2] * b[0]) / det};
        if (scri_set_gauge(sets.c, stick, NULL, NULL) <= size) {
            int slips = sets.c.v != sets.d.v && scri_planar_slip_near(&planar, f) &&
                        distance(f, near) < distance(stick, near);
            if (!slips) memcpy(f, stick, sizeof stick);
            return;
        }
    } else if (b[0] == 0.0 && b[1] == 0.0) {
        f[0] = f[1] = 0.0;
        return;
    }
    scri_planar_slip(&planar, f);
}

/* Sliding and spinning under one set, for the normal impulse p[0]: a fixed point of the reaction
 * map with a step that the three rows of w allow. */
static double solve_with_spin(const scri_set_contact* c, scri_channel_sets own, const int* row,
                              double* p)
{
    int width = scri_layout_of(c->terms.rows).width;
    scri_spin_sets sets = scri_spin_sets_of(own);
    double bound = 0.0, all = 0.0;
    for (int i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (int j = 0; j < 3; ++j) sum += fabs(c->w[row[i] * width + row[j]]);
        bound = fmax(bound, sum);
    }
    if (!(bound > 0.0)) return 0.0;
    for (int step = 0; step < ROUNDS; ++step) {
        double g[3], f[3], change = 0.0;
        for (int i = 0; i < 3; ++i) {
            double y = scri_dot(width, c->w + (size_t)(row[i] * width), p) + c->q[row[i]];
            g[i] = y / bound - p[row[i]];
        }
        scri_spin_react(&sets, p[0], g, f, NULL);
        for (int i = 0; i < 3; ++i) {
            change = fmax(change, fabs(p[row[i]] + f[i]));
            p[row[i]] = -f[i];
        }
        all = fmax(all, change);
        if (!(change > 1e-15 * p[0])) break;
    }
    return all;
}

/* Channels in turn for the normal impulse p[0]. */
static void solve_channels(const scri_set_contact* c, double* p)
{
    scri_layout layout = scri_layout_of(c->terms.rows);
    double last = SCREE_INFINITY;
    for (int turn = 0; turn < ROUNDS; ++turn) {
        double change = 0.0, size = p[0];
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            int rows[3], n_rows = scri_channel_rows(c->terms, k, rows);
            if (n_rows == 3) {
                scri_channel_sets own = scri_channel_sets_of(c->terms, k);
                change = fmax(change, solve_with_spin(c, own, rows, p));
            }
            int first = layout.first[k], dim = n_rows == 3 ? 0 : n_rows;
            double a[4] = {0.0, 0.0, 0.0, 0.0}, b[2] = {0.0, 0.0}, f[2] = {0.0, 0.0};
            for (int i = 0; i < dim; ++i) {
                const double* row = c->w + (size_t)((first + i) * layout.width);
                b[i] = scri_dot(layout.width, row, p) + c->q[first + i];
                for (int j = 0; j < dim; ++j) {
                    a[dim * i + j] = row[first + j];
                    b[i] -= row[first + j] * p[first + j];
                }
                f[i] = -p[first + i];
            }
            if (dim) solve_channel(c, k, dim, c->terms.coef[k] * p[0], a, b, f);
            for (int i = 0; i < dim; ++i) {
                change = fmax(change, fabs(p[first + i] + f[i]));
                size = fmax(size, fabs(f[i]));
                p[first + i] = -f[i];
            }
        }
        if (change <= 1e-16 * size || (change < 1e-13 * size && !(change < last))) return;
        last = change;
    }
}

static double normal_velocity(const scri_set_contact* c, double n, double* p)
{
    int width = scri_layout_of(c->terms.rows).width;
    double y[SCRI_MAX_WIDTH] = {0.0};
    p[0] = n;
    solve_channels(c, p);
    for (int i = 0; i < width; ++i) {
        y[i] = scri_dot(width, c->w + (size_t)(i * width), p) + c->q[i];
    }
    return y[0] - c->drift(c->terms, y);
}

/* Where the channels have several answers, the normal velocity may jump over 0: then the answer is
 * one that lies between those on both sides of the jump, and solving in turn never meets it. */
static int search_between(const scri_set_contact* c, const double* below, const double* above,
                          state* at)
{
    int width = scri_layout_of(c->terms.rows).width;
    for (int i = 0; i <= STARTS; ++i) {
        state trial = {.norm = 0.0};
        for (int j = 0; j < width; ++j) {
            trial.p[j] = above[j] + (below[j] - above[j]) * i / STARTS;
        }
        if (!newton(c, &trial)) continue;
        *at = trial;
        return 1;
    }
    return 0;
}

/* A force of channel k in the i-th of STARTS directions, or none for the last i. */
static void point_channel(const scri_set_contact* c, int k, int i, double* p)
{
    scri_layout layout = scri_layout_of(c->terms.rows);
    double angle = 2.0 * SCREE_PI * i / STARTS, f[2] = {cos(angle), sin(angle)};
    if (layout.dim[k] != 2) return;
    scri_channel_sets sets = scri_channel_sets_of(c->terms, k);
    double gauge = sets.c.v ? scri_set_gauge(sets.c, f, NULL, NULL) : 1.0;
    double size = i < STARTS ? sets.coef * p[0] / gauge : 0.0;
    for (int j = 0; j < 2; ++j) p[layout.first[k] + j] = -size * f[j];
}

/* Newton's method from every direction and normal impulses of several sizes. There is an answer,
 * but rarely no other way finds it. */
static int search_around(const scri_set_contact* c, const double* from, state* at)
{
    static const double sizes[] = {1.0, 0.5, 2.0, 0.25, 4.0};
    enum { SIZES = sizeof sizes / sizeof sizes[0], FORCES = STARTS + 1 };
    if (c->tolerance > SCRI_ALONE_TOLERANCE) return 0; /* a sweep comes back */
    scri_layout layout = scri_layout_of(c->terms.rows);
    int turns = layout.dim[SCRI_ROLL] == 2 ? FORCES : 1;
    for (int i = 0; i < SIZES * FORCES * turns; ++i) {
        int direction = i % (FORCES * turns);
        state trial = {.norm = 0.0};
        memcpy(trial.p, from, (size_t)layout.width * sizeof *from);
        trial.p[0] *= sizes[i / (FORCES * turns)];
        point_channel(c, SCRI_SLIDE, direction % FORCES, trial.p);
        point_channel(c, SCRI_ROLL, direction / FORCES, trial.p);
        if (!newton(c, &trial)) continue;
        *at = trial;
        return 1;
    }
    return 0;
}

static int bisect(const scri_set_contact* c, state* at)
{
    size_t bytes = (size_t)scri_layout_of(c->terms.rows).width * sizeof(double);
    double low = 0.0, high = fabs(c->q[0]) / c->w[0];
    double below[SCRI_MAX_WIDTH] = {0.0}, above[SCRI_MAX_WIDTH] = {0.0};
    int bracketed = 0;
    if (!(high > 0.0)) high = scri_norm(scri_layout_of(c->terms.rows).width, c->q);
    for (int i = 0; i < DOUBLINGS && !bracketed && high < 1e300; ++i) {
        bracketed = normal_velocity(c, high, at->p) >= 0.0;
        memcpy(bracketed ? above : below, at->p, bytes);
        if (!bracketed) low = high, high *= 2.0;
    }
    if (!bracketed) return 0;
    for (int i = 0; i < BISECTIONS; ++i) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        memcpy(at->p, below, bytes); /* of several answers the one that continues those below */
        int lifts = normal_velocity(c, middle, at->p) >= 0.0;
        memcpy(lifts ? above : below, at->p, bytes);
        if (lifts) {
            high = middle;
        } else {
            low = middle;
        }
        if (i % BETWEEN_TRIES != BETWEEN_TRIES - 1) continue;
        state trial = *at;
        if (!newton(c, &trial)) continue;
        *at = trial;
        return 1;
    }
    if (search_between(c, below, above, at) || search_around(c, above, at)) return 1;
    memcpy(at->p, above, bytes);
    return 1;
}

scree_one_contact_way scri_set_contact_solve(const scri_set_contact* c, double* p)
{
    int width = scri_layout_of(c->terms.rows).width;
    state at = {.norm = 0.0};
    double sum = 0.0;
    for (int i = 0; i < width; ++i) sum += c->q[i];
    if (!(c->w[0] > 0.0) || !isfinite(sum)) return SCREE_ONE_CONTACT_NONE;
    memcpy(at.p, p, (size_t)width * sizeof *p);
    if (!(p[0] > 0.0)) { /* w is near the identity */
        for (int i = 0; i < width; ++i) at.p[i] = -c->q[i];
        scri_set_cone_clip(c->terms, at.p);
    }
    scree_one_contact_way how = SCREE_ONE_CONTACT_NEWTON;
    state first = at;
    if (!newton(c, &at)) {
        how = SCREE_ONE_CONTACT_FAIL_SAFE;
        at = first;
        if (!bisect(c, &at) && !search_around(c, first.p, &at)) return SCREE_ONE_CONTACT_NONE;
    }
    scri_set_cone_clip(c->terms, at.p);
    memcpy(p, at.p, (size_t)width * sizeof *p);
    return how;
}
