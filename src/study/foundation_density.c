/* The stationary density of the speed under noise.
 *
 * On a uniform grid of speeds with the total force F and its derivative at every node. Sums over
 * cells use the trapezoidal rule with its end correction, h/2 (f0 + f1) + h^2/12 (f0' - f1'), of
 * order 4; where the integrand vanishes at both ends of the grid, as p, v p and v^2 p do, the
 * corrections cancel and the rule converges faster than any power of h.
 */
#include "base/env.h"
#include "study/foundation.h"

#include <math.h>

/* Where the density is below exp(-deep) of its maximum it is nothing. */
static const double deep = 80.0;

/* Interpolation in the table of forces must not err by more than this part of the weight. */
static const double table_tolerance = 1e-11;

enum { FIRST_CELLS = 4096, MOST_CELLS = 65536, ROUNDS = 40 };

/* ---- memory ---- */

void scree_foundation_density_release(scree_foundation_density* d)
{
    if (!d) return;
    scri_release(&d->env, d->force);
    scree_env env = d->env;
    *d = (scree_foundation_density){.env = env};
}

/* One piece of memory for all arrays. */
static scree_status allocate(scree_foundation_density* d, int32_t n)
{
    size_t nodes = (size_t)n + 1;
    scri_release(&d->env, d->force);
    d->force = scri_alloc(&d->env, 5 * nodes * sizeof(double));
    if (!d->force) return SCREE_ERROR_MEMORY;
    d->n = n;
    d->force_by_speed = d->force + nodes;
    d->potential = d->force + 2 * nodes;
    d->density = d->force + 3 * nodes;
    d->cumulative = d->force + 4 * nodes;
    return SCREE_OK;
}

/* ---- the grid ---- */

static double node(const scree_foundation_density* d, int32_t i)
{
    return d->begin + d->width * i;
}

/* -2 (M + I/R^2) / sigma^2: times the potential this is the logarithm of the density. */
static double exponent(const scree_foundation_density* d)
{
    return -2.0 * d->def.mass * (1.0 + d->def.inertia) / d->def.noise;
}

static double cell_sum(double h, double f0, double f1, double df0, double df1)
{
    return h * (0.5 * (f0 + f1) + h / 12.0 * (df0 - df1));
}

/* Forces and potential between two speeds. Rest, where the resistance has a jump in its second
 * derivative, becomes a node if it lies between them. */
static void fill(scree_foundation_density* d, double from, double to)
{
    scri_incline incline = scri_incline_of(&d->def);
    double lowest = 0.0, u = 0.0;
    int rests = from < 0.0 && to > 0.0;
    d->width = (to - from) / (d->n + rests); /* a cell to spare, so that none lies outside */
    d->begin = rests ? d->width * ceil(from / d->width) : from;
    for (int32_t i = 0; i <= d->n; ++i) {
        scri_incline_force(&incline, d->def.slope, node(d, i), &d->force[i], &d->force_by_speed[i],
                           NULL);
        if (i > 0) {
            u -= cell_sum(d->width, d->force[i - 1], d->force[i], d->force_by_speed[i - 1],
                          d->force_by_speed[i]);
        }
        d->potential[i] = u;
        lowest = fmin(lowest, u);
    }
    for (int32_t i = 0; i <= d->n; ++i) d->potential[i] -= lowest;
}

/* Where a speed lies in the grid, in cells. */
static double place(const scree_foundation_density* d, double speed)
{
    return (speed - d->begin) / d->width;
}

/* Whether the density at a node is nothing beside that at a stationary speed. */
static int is_deep(const scree_foundation_density* d, int32_t i, const scree_foundation_rest* rest)
{
    int32_t at = (int32_t)lround(place(d, rest->speed));
    return exponent(d) * (d->potential[i] - d->potential[at]) < -deep;
}

/* A range of speeds that holds all stationary ones and all of the density: as far as needed to
 * either side. */
static scree_status spread(const scree_env* env, scree_foundation_density* d, double range[2])
{
    double lift = scree_foundation_lift_speed(&d->def) * (1.0 - 1e-9);
    scri_ground ground = scri_ground_of(&d->def);
    double slow = ground.k * scri_ground_rest_length(&ground, d->def.mass * d->def.gravity);
    double fastest = fmax(d->rest[d->n_rest - 1].speed, slow / ground.gamma);
    range[0] = -0.125 * fastest;
    range[1] = fmin(1.25 * fastest, lift);
    for (int round = 0; round < ROUNDS; ++round) {
        fill(d, range[0], range[1]);
        int low = is_deep(d, 0, d->rest), high = is_deep(d, d->n, &d->rest[d->n_rest - 1]);
        if (low && high) return SCREE_OK;
        if ((!high && range[1] >= lift) || (!low && -range[0] >= lift)) break;
        if (!low) range[0] = fmax(range[0] - 0.5 * (range[1] - range[0]), -lift);
        if (!high) range[1] = fmin(range[1] + 0.5 * (range[1] - range[0]), lift);
    }
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: noise sigma2 = %g kg^2/s^3 would drive the cylinder off the "
                     "ground, which it leaves at %g m/s",
                     d->def.noise, lift);
}

/* Narrows the range to where the density is something. */
static void narrow(scree_foundation_density* d, double range[2])
{
    for (int round = 0; round < ROUNDS; ++round) {
        int32_t low = 0, high = d->n;
        while (is_deep(d, low + 1, d->rest)) ++low;
        while (is_deep(d, high - 1, &d->rest[d->n_rest - 1])) --high;
        if (high - low >= d->n - d->n / 16) return;
        range[0] = node(d, low);
        range[1] = node(d, high);
        fill(d, range[0], range[1]);
    }
}

/* The error of a cubic through both nodes is largest in the middle of the cell. */
static double interpolation_error(const scree_foundation_density* d)
{
    scri_incline incline = scri_incline_of(&d->def);
    double worst = 0.0;
    for (int32_t i = 0; i < d->n; ++i) {
        double force, by_speed;
        scri_incline_force(&incline, d->def.slope, node(d, i) + 0.5 * d->width, &force, &by_speed,
                           NULL);
        double guess = 0.5 * (d->force[i] + d->force[i + 1]) +
                       0.125 * d->width * (d->force_by_speed[i] - d->force_by_speed[i + 1]);
        worst = fmax(worst, fabs(guess - force));
    }
    return worst;
}

static scree_status choose_grid(const scree_env* env, scree_foundation_density* d)
{
    double range[2];
    scree_status status = allocate(d, FIRST_CELLS);
    if (!status) status = spread(env, d, range);
    if (status) return status;
    narrow(d, range);
    for (;;) {
        d->force_error = interpolation_error(d);
        if (d->force_error <= table_tolerance * d->def.mass * d->def.gravity) break;
        if (2 * d->n > MOST_CELLS) break;
        status = allocate(d, 2 * d->n);
        if (status) return status;
        fill(d, range[0], range[1]);
    }
    return SCREE_OK;
}

/* ---- moments ---- */

static void normalise(scree_foundation_density* d)
{
    double e = exponent(d), h = d->width, sum = 0.0, mean = 0.0, square = 0.0;
    for (int32_t i = 0; i <= d->n; ++i) {
        double p = d->density[i] = exp(e * d->potential[i]), v = node(d, i);
        sum += p;
        mean += v * p;
    }
    d->mean = mean / sum;
    for (int32_t i = 0; i <= d->n; ++i) {
        double off = node(d, i) - d->mean;
        square += off * off * d->density[i];
        d->density[i] /= sum * h;
    }
    d->variance = square / sum;
}

/* Of the slope of p: p' = -e F p, F being -dU/dv. */
static double density_slope(const scree_foundation_density* d, int32_t i)
{
    return -exponent(d) * d->force[i] * d->density[i];
}

/* The probability of one cell. */
static double cell_share(const scree_foundation_density* d, int32_t i)
{
    return cell_sum(d->width, d->density[i], d->density[i + 1], density_slope(d, i),
                    density_slope(d, i + 1));
}

static void accumulate(scree_foundation_density* d)
{
    double sum = 0.0;
    d->cumulative[0] = 0.0;
    for (int32_t i = 0; i < d->n; ++i) {
        sum += cell_share(d, i);
        d->cumulative[i + 1] = fmin(sum, 1.0);
    }
}

/* ---- jumps ---- */

static double interpolate(const scree_foundation_density* d, const double* f, double speed)
{
    double x = fmin(fmax(place(d, speed), 0.0), (double)d->n);
    int32_t i = (int32_t)fmin(floor(x), d->n - 1.0);
    return f[i] + (x - i) * (f[i + 1] - f[i]);
}

/* The mean time of first passage between two speeds, upwards and downwards:
 * T = (1/D) integral of P / p, P being the probability of what lies behind. Tails are summed from
 * their own end, so that small ones keep their digits. */
static void find_dwell(scree_foundation_density* d, double low, double high)
{
    double inertia = d->def.mass * (1.0 + d->def.inertia);
    double diffusion = 0.5 * d->def.noise / (inertia * inertia);
    double a = place(d, low), b = place(d, high), above = 0.0, time[2] = {0.0, 0.0};
    for (int32_t i = d->n; i > 0; --i) {
        /* the part of the cell from i - 1 to i that lies between the two speeds */
        double part = fmax(fmin(b, i) - fmax(a, i - 1), 0.0);
        double share = cell_share(d, i - 1), p = 0.5 * (d->density[i - 1] + d->density[i]);
        double below = 0.5 * (d->cumulative[i - 1] + d->cumulative[i]);
        if (part > 0.0) {
            time[0] += part * below / p;
            time[1] += part * (above + 0.5 * share) / p;
        }
        above += share;
    }
    for (int k = 0; k < 2; ++k) d->dwell[k] = time[k] * d->width / diffusion;
}

static void find_jumps(scree_foundation_density* d)
{
    const scree_foundation_rest* r = d->rest;
    d->dwell[0] = d->dwell[1] = SCREE_NAN;
    d->low_share = 1.0;
    if (d->n_rest != 3) return;
    d->low_share = interpolate(d, d->cumulative, r[1].speed);
    find_dwell(d, r[0].speed, r[2].speed);
}

static scree_status check(const scree_env* env, scree_foundation_density* d)
{
    const scree_foundation_def* def = &d->def;
    scree_status status = scree_foundation_stationary(env, def, d->rest, &d->n_rest);
    if (status) return status;
    if (!(def->noise > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: without noise there is no density: sigma2 = %g kg^2/s^3 "
                         "must be positive",
                         def->noise);
    }
    if (d->n_rest > 0 && d->rest[d->n_rest - 1].stable) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: no stationary density: at high speed nothing holds the cylinder "
                     "(drag A = %g, B = %g)",
                     def->drag_linear, def->drag_square);
}

scree_status scree_foundation_density_create(const scree_env* env, const scree_foundation_def* def,
                                             scree_foundation_density* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_foundation_density){.def = *def, .env = env ? *env : (scree_env){0}};
    scree_status status = check(env, out);
    if (!status) status = choose_grid(env, out);
    if (status) {
        scree_foundation_density_release(out);
        return status;
    }
    normalise(out);
    accumulate(out);
    find_jumps(out);
    return SCREE_OK;
}

/* ---- bins ---- */

/* Probability that is left out on either side. */
static const double rare = 5e-7;

int32_t scree_ensemble_bins(const scree_foundation_density* d, const scree_ensemble* ensemble,
                            int32_t most, double* middle, double* exact, double* counted)
{
    if (!d || !ensemble || !middle || !exact || !counted || most < 1 || d->n < 1) return 0;
    int32_t low = 0, high = d->n, n = 0;
    while (low < d->n - 1 && d->cumulative[low + 1] < rare) ++low;
    while (high > low + 1 && d->cumulative[high - 1] > 1.0 - rare) --high;
    int32_t cells = (high - low + most - 1) / most;
    double width = d->width * cells, samples = (double)ensemble->n_samples;
    for (; low < high; low += cells, ++n) {
        int32_t end = low + cells < d->n ? low + cells : d->n; /* beyond the last cell is nothing */
        int64_t count = 0;
        for (int32_t i = low; i < end; ++i) count += ensemble->histogram[i];
        middle[n] = d->begin + d->width * (low + 0.5 * cells);
        exact[n] = (d->cumulative[end] - d->cumulative[low]) / width;
        counted[n] = samples > 0.0 ? (double)count / (samples * width) : SCREE_NAN;
    }
    return n;
}
