/* Steady sliding under the extended law: equilibrium, eqs. (84) to (88), and what they tell. */
#include "base/env.h"
#include "sets/set.h"
#include "study/stability.h"

#include <math.h>
#include <string.h>

enum { MOST = 1000 };

/* Growth below this many times the largest eigenvalue is rounding: where the modes of an undamped
 * system meet, eigenvalues are good to the square root of the precision only. */
#define ROUNDING 1e-7

/* An eigenvalue of the friction's Jacobian below this part of its size is 0. */
#define TANGENT 1e-9

/* Friction as a function of the sliding velocity: -lambda = load z / k_C(z), z the point of D whose
 * normal is gamma. */
typedef struct friction {
    double z[2], gauge, gradient[2]; /* of C's gauge at z */
    double curvature;                /* of the support function: nonzero eigenvalue of H */
    double across[2];                /* and its direction */
} friction;

static scree_status check(const scree_env* env, const scree_sliding* s)
{
    const scree_set* flow = s->flow ? s->flow : s->forces;
    if (s->n < 1 || s->n > MOST || !s->mass || !s->stiffness || !s->directions) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "sliding needs mass, stiffness, directions and 1 to %d coordinates", MOST);
    }
    if (!(hypot(s->chi[0], s->chi[1]) > 0.0) || !isfinite(s->chi[0]) || !isfinite(s->chi[1])) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the sliding velocity must be finite and not 0");
    }
    if (!(s->load > 0.0 && isfinite(s->load))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "load = %g N must be positive", s->load);
    }
    if (flow && !scree_set_is_convex(flow)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the set of sliding directions is not convex");
    }
    return SCREE_OK;
}

/* Whether forces are unique. */
static int find_friction(const scree_sliding* s, friction* out)
{
    const double circle[3] = {1.0, 0.0, 1.0};
    scree_set_value disc = scri_set_from_quadratic(circle);
    scri_set forces = s->forces ? scri_set_of(s->forces) : (scri_set){&disc, NULL};
    scri_set flow = s->flow ? scri_set_of(s->flow) : forces;
    double speed = hypot(s->chi[0], s->chi[1]), radius;
    scri_set_support(flow, s->chi, out->z, &radius);
    out->gauge = scri_set_gauge(forces, out->z, out->gradient, NULL);
    out->curvature = radius / speed;
    out->across[0] = -s->chi[1] / speed;
    out->across[1] = s->chi[0] / speed;
    return isfinite(out->curvature) && out->gauge > 0.0;
}

/* J = load / k (1 - z g^T / k) H, H = curvature t t^T. */
static void write_jacobian(const friction* f, double load, scree_sliding_report* out)
{
    double k = f->gauge, size = load * f->curvature / k;
    double along = (f->gradient[0] * f->across[0] + f->gradient[1] * f->across[1]) / k;
    for (int i = 0; i < 2; ++i) {
        double image = size * (f->across[i] - f->z[i] * along);
        out->force[i] = -load * f->z[i] / k;
        for (int j = 0; j < 2; ++j) out->jacobian[2 * i + j] = image * f->across[j];
    }
    out->slope = out->jacobian[0] + out->jacobian[3];
}

/* Eq. (111) and Proposition 8. */
static void split_jacobian(const friction* f, const double chi[2], scree_sliding_report* out)
{
    const double* j = out->jacobian;
    double middle = 0.5 * (j[0] + j[3]), shear = 0.5 * (j[1] + j[2]), half = 0.5 * (j[0] - j[3]);
    double away = hypot(half, shear), size = hypot(hypot(j[0], j[1]), hypot(j[2], j[3]));
    double into = f->gradient[0] * chi[0] + f->gradient[1] * chi[1];
    out->damping[0] = middle - away;
    out->damping[1] = middle + away;
    out->gyroscopic = 0.5 * (j[1] - j[2]);
    out->tangency = into / (hypot(f->gradient[0], f->gradient[1]) * hypot(chi[0], chi[1]));
    out->zero_multiplicity = fabs(out->slope) <= TANGENT * size ? 2 : 1;
}

/* B + D, with B = W^T J W, eq. (86). */
static void write_damping(const scree_sliding* s, const double* jacobian, double* b)
{
    size_t n = (size_t)s->n;
    const double *w1 = s->directions, *w2 = s->directions + n;
    for (size_t i = 0; i < n; ++i) {
        double left1 = w1[i] * jacobian[0] + w2[i] * jacobian[2];
        double left2 = w1[i] * jacobian[1] + w2[i] * jacobian[3];
        for (size_t j = 0; j < n; ++j) {
            double own = s->damping ? s->damping[i * n + j] : 0.0;
            b[i * n + j] = left1 * w1[j] + left2 * w2[j] + own;
        }
    }
}

/* Whether a = *factor times the identity. */
static int is_identity(const double* a, size_t n, double* factor)
{
    *factor = a ? a[0] : 0.0;
    for (size_t i = 0; a && i < n * n; ++i) {
        if (a[i] != (i % (n + 1) == 0 ? *factor : 0.0)) return 0;
    }
    return 1;
}

static scree_status find_trace(scri_arena* arena, const scree_sliding* s, const double* b,
                               double* trace)
{
    size_t n = (size_t)s->n;
    double* column = scri_arena_take(arena, n, sizeof *column);
    if (!column) return SCREE_ERROR_MEMORY;
    *trace = 0.0;
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = 0; i < n; ++i) column[i] = b[i * n + j];
        scree_status status = scri_solve_dense(arena, s->n, s->mass, column);
        if (status) return status;
        *trace += column[j];
    }
    return SCREE_OK;
}

/* Whether W W^T is a multiple of the identity: B then has the eigenvalues of J, but for a factor.
 */
static int keeps_angles(const scree_sliding* s)
{
    size_t n = (size_t)s->n;
    double square[2] = {0.0, 0.0}, product = 0.0;
    for (size_t i = 0; i < n; ++i) {
        square[0] += s->directions[i] * s->directions[i];
        square[1] += s->directions[n + i] * s->directions[n + i];
        product += s->directions[i] * s->directions[n + i];
    }
    double size = fmax(square[0], square[1]);
    return fabs(product) <= 1e-12 * size && fabs(square[0] - square[1]) <= 1e-12 * size;
}

/* With M, D and K multiples of the identity every mode has one eigenvalue of B + D for damping:
 * that of D alone (B has rank one), or with the trace of B added. */
static void judge(const scree_sliding* s, const friction* f, const scree_mode* modes,
                  const double* b, scree_sliding_report* out)
{
    size_t n = (size_t)s->n;
    double m, d, k, sum = 0.0, largest = 0.0;
    int mass_is = is_identity(s->mass, n, &m), damping_is = is_identity(s->damping, n, &d);
    int all_are = mass_is && damping_is && is_identity(s->stiffness, n, &k);
    for (size_t i = 0; i < n; ++i) sum += b[i * n + i]; /* trace of B, and n d */
    double friction_part = sum - (double)n * d;
    for (int32_t i = 0; i < 2 * s->n; ++i) {
        largest = fmax(largest, hypot(modes[i].growth, modes[i].frequency));
    }
    out->mode = modes[0];
    out->is_unstable = modes[0].growth > ROUNDING * largest;
    if (all_are) out->is_unstable = d + friction_part < 0.0 || (n > 1 && d < 0.0) || k < 0.0;
    out->by_trace = out->trace < 0.0;
    out->by_slope = mass_is && !s->damping && friction_part < 0.0;
    out->by_tangent = mass_is && !s->damping && keeps_angles(s) &&
                      f->gradient[0] * s->chi[0] + f->gradient[1] * s->chi[1] < 0.0;
}

static scree_status analyse(scri_arena* arena, const scree_sliding* s, const friction* f,
                            double* equilibrium, scree_sliding_report* out)
{
    size_t n = (size_t)s->n;
    double* b = scri_arena_take(arena, n * n, sizeof *b);
    scree_mode* modes = scri_arena_take(arena, 2 * n, sizeof *modes);
    if (!b || !modes) return SCREE_ERROR_MEMORY;
    write_jacobian(f, s->load, out);
    split_jacobian(f, s->chi, out);
    write_damping(s, out->jacobian, b);
    scree_linear linear = {s->n, s->mass, b, s->stiffness};
    scree_status status = scri_linear_modes(arena, &linear, modes);
    if (!status) status = find_trace(arena, s, b, &out->trace);
    if (!status) judge(s, f, modes, b, out);
    if (status || !equilibrium) return status;
    for (size_t i = 0; i < n; ++i) {
        equilibrium[i] = s->directions[i] * out->force[0] + s->directions[n + i] * out->force[1];
    }
    return scri_solve_dense(arena, s->n, s->stiffness, equilibrium);
}

scree_status scree_sliding_analyse(const scree_env* env, const scree_sliding* sliding,
                                   double* equilibrium, scree_sliding_report* out)
{
    if (!sliding || !out) return SCREE_ERROR_ARGUMENT;
    friction f;
    *out = (scree_sliding_report){.slope = 0.0};
    scree_status status = check(env, sliding);
    if (status) return status;
    if (!find_friction(sliding, &f)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "the set of sliding directions is flat across (%g, %g): forces not unique",
                         sliding->chi[0], sliding->chi[1]);
    }
    scri_arena* arena = scri_arena_create(env);
    status = arena ? analyse(arena, sliding, &f, equilibrium, out) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    if (status == SCREE_ERROR_MEMORY) return scri_fail(env, status, "out of memory for stability");
    if (status) {
        return scri_fail(env, status, "mass or stiffness is singular, or not all is finite");
    }
    return SCREE_OK;
}

/* ---- ranges of belt directions --------------------------------------------------------------- */

static scree_sliding turn(const scree_sliding* sliding, double phi)
{
    scree_sliding turned = *sliding;
    double speed = hypot(sliding->chi[0], sliding->chi[1]);
    turned.chi[0] = -speed * cos(phi);
    turned.chi[1] = -speed * sin(phi);
    return turned;
}

double scri_sliding_slope(const scree_sliding* sliding, double phi)
{
    scree_sliding turned = turn(sliding, phi);
    scree_sliding_report report;
    friction f;
    if (!find_friction(&turned, &f)) return SCREE_NAN;
    write_jacobian(&f, sliding->load, &report);
    return report.slope;
}

static scree_status is_unstable_at(const scree_env* env, const scree_sliding* sliding, double phi,
                                   int* unstable)
{
    scree_sliding turned = turn(sliding, phi);
    scree_sliding_report report;
    scree_status status = scree_sliding_analyse(env, &turned, NULL, &report);
    *unstable = report.is_unstable;
    return status;
}

/* Where stability changes between two directions of which only `high` or only `low` is unstable. */
static scree_status find_limit(const scree_env* env, const scree_sliding* sliding, double low,
                               double high, int low_is_unstable, double* limit)
{
    const double width = 1e-12;
    while (high - low > width) {
        double middle = 0.5 * (low + high);
        int unstable;
        scree_status status = is_unstable_at(env, sliding, middle, &unstable);
        if (status) return status;
        if (unstable == low_is_unstable) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *limit = 0.5 * (low + high);
    return SCREE_OK;
}

scree_status scree_sliding_ranges(const scree_env* env, const scree_sliding* sliding,
                                  const double interval[2], int32_t n_most, double* range,
                                  int32_t* n)
{
    enum { LOOKS = 1440 };
    if (!sliding || !interval || !range || !n) return SCREE_ERROR_ARGUMENT;
    double step = (interval[1] - interval[0]) / LOOKS;
    int inside = 0, unstable = 0;
    *n = 0;
    for (int i = 0; i <= LOOKS; ++i, inside = unstable) {
        double phi = interval[0] + step * i, limit = phi;
        scree_status status = SCREE_OK;
        unstable = 0; /* a range ends with the interval */
        if (i < LOOKS) status = is_unstable_at(env, sliding, phi, &unstable);
        if (!status && i > 0 && i < LOOKS && unstable != inside) {
            status = find_limit(env, sliding, phi - step, phi, inside, &limit);
        }
        if (status) return status;
        if (unstable == inside) continue;
        if (*n < n_most) range[2 * *n + !unstable] = limit;
        *n += !unstable;
    }
    return SCREE_OK;
}
