/* Friction from paths: Levenberg-Marquardt over simulations of the sliding disc. */
#include "scree_study/sliding_path.h"

#include "base/env.h"
#include "base/fill.h"
#include "study/identify.h"

#include <math.h>
#include <string.h>

enum { OWN = SCREE_PATH_COUNT - SCREE_PATH_OWN, LEAST_SAMPLES = 4 };

#define STEP                                                                                      \
    5e-4           /* s, of the simulations: places are good to three thousandths of a millimetre \
                    */
#define NUDGE 1e-3 /* of a parameter, for derivatives; m or rad of places and directions: 1e-4 */

static const char* const names[] = {
#define SCREE_X(NAME, name, meaning) name,
    SCREE_PATH_PARAMETERS(SCREE_X)
#undef SCREE_X
};

const char* scree_path_parameter_name(int parameter)
{
    return parameter >= 0 && parameter < SCREE_PATH_COUNT ? names[parameter] : NULL;
}

void scree_path_def_init(scree_path_def* def, scree_disc_law law)
{
    if (!def) return;
    uint32_t own = (1u << SCREE_PATH_COUNT) - (1u << SCREE_PATH_OWN);
    uint32_t forces = 1u << SCREE_PATH_A | 1u << SCREE_PATH_B;
    if (law != SCREE_DISC_ELLIPSE) forces |= 1u << SCREE_PATH_S;
    if (law == SCREE_DISC_EXTENDED) forces |= 1u << SCREE_PATH_D_RATIO | 1u << SCREE_PATH_D_S;
    scree_path_def usual = {
        .struct_size = sizeof usual, .free = forces | own, .disc = scree_default_disc_def(law)};
    usual.disc.step = STEP;
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* ---- one simulation -------------------------------------------------------------------------- */

/* The disc step by step, from its beginning to where it stops. */
typedef struct course {
    const scree_env* env;
    double* point; /* [3 room] time and place */
    int64_t n, room;
    int is_short; /* of memory */
} course;

static int keep(void* user, const scree_disc_sample* s)
{
    course* c = user;
    if (c->n == c->room) {
        int64_t room = 2 * c->room + 1024;
        double* more = scri_alloc(c->env, 3 * (size_t)room * sizeof *more);
        c->is_short = !more;
        if (!more) return 1;
        if (c->n) memcpy(more, c->point, 3 * (size_t)c->n * sizeof *more);
        scri_release(c->env, c->point);
        c->point = more;
        c->room = room;
    }
    double* at = c->point + 3 * c->n++;
    at[0] = s->time, at[1] = s->position[0], at[2] = s->position[1];
    return 0;
}

static void place_at(const course* c, double time, double out[2])
{
    const double *p = c->point, *last = p + 3 * (c->n - 1);
    double step = c->n > 1 ? p[3] - p[0] : 1.0, at = (time - p[0]) / step;
    int64_t i = at > 0.0 ? (int64_t)fmin(at, (double)(c->n - 1)) : 0;
    const double *a = p + 3 * i, *b = a < last ? a + 3 : a;
    double share = fmin(fmax(at - (double)i, 0.0), 1.0);
    for (int k = 0; k < 2; ++k) out[k] = a[1 + k] + share * (b[1 + k] - a[1 + k]);
}

/* Distance of x to the course, positive on its left. */
static double distance_to(const course* c, const double x[2])
{
    double best = SCREE_INFINITY, side = 1.0;
    for (int64_t i = 0; i + 1 < c->n; ++i) {
        const double *a = c->point + 3 * i + 1, *b = a + 3;
        double way[2] = {b[0] - a[0], b[1] - a[1]}, rest[2] = {x[0] - a[0], x[1] - a[1]};
        double square = way[0] * way[0] + way[1] * way[1];
        double share = square > 0.0 ? (way[0] * rest[0] + way[1] * rest[1]) / square : 0.0;
        share = fmin(fmax(share, 0.0), 1.0);
        double off = hypot(rest[0] - share * way[0], rest[1] - share * way[1]);
        if (!(off < best)) continue;
        best = off;
        side = way[0] * rest[1] - way[1] * rest[0] < 0.0 ? -1.0 : 1.0;
    }
    return side * best;
}

/* ---- the problem of least squares ------------------------------------------------------------ */

/* Residuals and their derivatives at the parameters that were asked for last. */
typedef struct path_job {
    const scree_env* env;
    const scree_path* path;
    int32_t n_paths;
    scree_path_def def;
    int is_free[SCRI_FIT_MOST];
    int n_params;                        /* those of the surface and of every path */
    int64_t first[SCREE_PATHS_MOST + 1]; /* row of each path */
    double* residual;                    /* [rows] */
    double* derivative;                  /* [rows * n_params] */
    double* other;                       /* [rows] */
    double last[SCRI_FIT_MOST];
    course course;
    scree_status status;
} path_job;

static scree_disc_def disc_of(const path_job* j, const double* param, int32_t k)
{
    scree_disc_def disc = j->def.disc;
    const double* own = param + SCREE_PATH_OWN + OWN * k;
    for (int i = 0; i < 3; ++i) disc.forces[i] = param[SCREE_PATH_A + i];
    disc.flow[1] = param[SCREE_PATH_D_RATIO] * disc.flow[0];
    disc.flow[2] = param[SCREE_PATH_D_S];
    disc.speed = own[0];
    disc.phi = own[1];
    return disc;
}

/* Residuals of path k into out[rows]. */
static void compare(path_job* j, const double* param, int32_t k, double* out)
{
    const scree_path* path = &j->path[k];
    const double* begin = param + SCREE_PATH_OWN + OWN * k + 2;
    scree_disc_def disc = disc_of(j, param, k);
    scree_disc_path result;
    if (j->status) return;
    j->course.n = 0;
    keep(&j->course, &(scree_disc_sample){.time = 0.0});
    j->status = scree_disc_simulate(j->env, &disc, keep, &j->course, &result);
    if (!j->status && j->course.is_short) j->status = SCREE_ERROR_MEMORY;
    if (j->status) return;
    for (int64_t i = 0, row = j->first[k]; i < path->n; ++i) {
        double at[2],
            seen[2] = {path->position[2 * i] - begin[0], path->position[2 * i + 1] - begin[1]};
        if (path->time) {
            place_at(&j->course, path->time[i] - path->time[0], at);
            out[row++] = at[0] - seen[0];
            out[row++] = at[1] - seen[1];
        } else {
            out[row++] = distance_to(&j->course, seen);
        }
    }
}

static int is_of(int parameter, int32_t k)
{
    return parameter < SCREE_PATH_OWN || (parameter - SCREE_PATH_OWN) / OWN == k;
}

/* By the difference between a little more and a little less. */
static void differentiate(path_job* j, const double* param, int p, double* more, double* less)
{
    double near[SCRI_FIT_MOST];
    int own = p >= SCREE_PATH_OWN ? (p - SCREE_PATH_OWN) % OWN : -1;
    double by = own >= 1 ? 0.1 * NUDGE : NUDGE * param[p];
    memcpy(near, param, (size_t)j->n_params * sizeof *near);
    for (int32_t k = 0; k < j->n_paths; ++k) {
        if (!is_of(p, k)) continue;
        near[p] = param[p] + by;
        compare(j, near, k, more);
        near[p] = param[p] - by;
        compare(j, near, k, less);
        for (int64_t row = j->first[k]; row < j->first[k + 1]; ++row) {
            j->derivative[row * j->n_params + p] = (more[row] - less[row]) / (2.0 * by);
        }
    }
}

static void evaluate(path_job* j, const double* param)
{
    int64_t rows = j->first[j->n_paths];
    memcpy(j->last, param, (size_t)j->n_params * sizeof *param);
    memset(j->derivative, 0, (size_t)(rows * j->n_params) * sizeof *j->derivative);
    for (int p = 0; p < j->n_params; ++p) {
        if (j->is_free[p]) differentiate(j, param, p, j->residual, j->other);
    }
    for (int32_t k = 0; k < j->n_paths; ++k) compare(j, param, k, j->residual);
}

static double row(const void* data, const double* param, int64_t i, double* derivative)
{
    path_job* j = *(path_job* const*)data;
    if (i == 0 && memcmp(j->last, param, (size_t)j->n_params * sizeof *param) != 0) {
        evaluate(j, param);
    }
    if (j->status) return SCREE_NAN;
    memcpy(derivative, j->derivative + i * j->n_params, (size_t)j->n_params * sizeof *derivative);
    return j->residual[i];
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static scree_status check(const scree_env* env, const scree_path* paths, int32_t n_paths,
                          const scree_path_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_path_def");
    if (status) return status;
    if (!paths || n_paths < 1 || n_paths > SCREE_PATHS_MOST) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%d paths: from 1 to %d can be fitted together",
                         (int)n_paths, SCREE_PATHS_MOST);
    }
    for (int32_t k = 0; k < n_paths; ++k) {
        const scree_path* p = &paths[k];
        if (p->n < LEAST_SAMPLES || !p->position) {
            return scri_fail(env, SCREE_ERROR_INPUT, "path %d has %lld samples, %d are needed",
                             (int)k + 1, (long long)p->n, LEAST_SAMPLES);
        }
        for (int64_t i = 0; i < p->n; ++i) {
            int rises = !p->time || i == 0 || p->time[i] > p->time[i - 1];
            int good = isfinite(p->position[2 * i]) && isfinite(p->position[2 * i + 1]);
            if (rises && good && (!p->time || isfinite(p->time[i]))) continue;
            return scri_fail(env, SCREE_ERROR_INPUT, "path %d, sample %lld: %s", (int)k + 1,
                             (long long)i + 1, good ? "time does not rise" : "is not finite");
        }
    }
    return SCREE_OK;
}

/* What the first samples say of a path's own parameters. */
static void guess_own(const scree_path_def* def, const scree_path* path, double own[OWN])
{
    int64_t i = path->n > 8 ? path->n / 8 : 1;
    double way[2] = {path->position[2 * i] - path->position[0],
                     path->position[2 * i + 1] - path->position[1]};
    double length = hypot(way[0], way[1]);
    double speed = path->time ? length / (path->time[i] - path->time[0]) : def->disc.speed;
    int is_free = def->free >> SCREE_PATH_SPEED & 1;
    own[0] = is_free && path->time && speed > 0.0 ? speed : def->disc.speed;
    own[1] = def->free >> SCREE_PATH_PHI & 1 ? atan2(way[0], way[1]) : def->disc.phi;
    own[2] = path->position[0];
    own[3] = path->position[1];
}

static void describe(path_job* j, double* param, scri_least_squares* fit)
{
    static const double low[SCREE_PATH_OWN] = {0.0, 0.0, 1.02, 0.02, 1.02};
    static const double high[SCREE_PATH_OWN] = {0.0, 0.0, 50.0, 50.0, 50.0};
    const scree_disc_def* disc = &j->def.disc;
    const double surface[SCREE_PATH_OWN] = {disc->forces[0], disc->forces[1], disc->forces[2],
                                            disc->flow[1] / disc->flow[0], disc->flow[2]};
    for (int p = 0; p < j->n_params; ++p) {
        int kind = p < SCREE_PATH_OWN ? p : SCREE_PATH_OWN + (p - SCREE_PATH_OWN) % OWN;
        fit->is_free[p] = (int)(j->def.free >> kind & 1);
        fit->low[p] = -SCREE_INFINITY, fit->high[p] = SCREE_INFINITY;
        if (p >= SCREE_PATH_OWN) continue;
        param[p] = surface[p];
        fit->low[p] = p < SCREE_PATH_S ? 0.02 * surface[p] : low[p];
        fit->high[p] = p < SCREE_PATH_S ? 50.0 * surface[p] : high[p];
    }
    for (int32_t k = 0; k < j->n_paths; ++k) {
        int first = SCREE_PATH_OWN + OWN * k;
        guess_own(&j->def, &j->path[k], param + first);
        fit->low[first] = 0.1 * param[first], fit->high[first] = 10.0 * param[first];
        if (!j->path[k].time) fit->is_free[first] = 0;
    }
}

static scree_estimate estimate(double value, double error, double student)
{
    return (scree_estimate){value, error, value - student * error, value + student * error};
}

static void conclude(const path_job* j, const double* param, const double* error, int n_free,
                     scree_path_found* out)
{
    double student = scri_student(j->first[j->n_paths] - n_free);
    out->disc = disc_of(j, param, 0);
    out->disc.step = j->def.disc.step;
    for (int p = 0; p < SCREE_PATH_OWN; ++p) {
        out->value[p] = estimate(param[p], error[p], student);
    }
    for (int p = SCREE_PATH_OWN; p < j->n_params; ++p) {
        int at = p - SCREE_PATH_OWN;
        out->own[at / OWN][at % OWN] = estimate(param[p], error[p], student);
    }
}

static scree_status fit(path_job* j, scree_path_found* out)
{
    double param[SCRI_FIT_MOST] = {0.0}, error[SCRI_FIT_MOST], sum = 0.0;
    path_job* const data = j;
    scri_least_squares problem = {
        .n_params = j->n_params, .n_rows = j->first[j->n_paths], .data = &data, .row = row};
    int n_free = 0;
    describe(j, param, &problem);
    memcpy(j->is_free, problem.is_free, sizeof j->is_free);
    j->last[0] = SCREE_NAN; /* nothing has been evaluated */
    for (int p = 0; p < j->n_params; ++p) n_free += problem.is_free[p];
    if (n_free >= problem.n_rows) {
        return scri_fail(j->env, SCREE_ERROR_INPUT, "%d numbers from %lld distances", n_free,
                         (long long)problem.n_rows);
    }
    evaluate(j, param);
    for (int64_t i = 0; !j->status && i < problem.n_rows; ++i) {
        sum += j->residual[i] * j->residual[i];
    }
    out->rms_first = sqrt(sum / (double)problem.n_rows);
    if (!j->status) out->converged = scri_least_squares_solve(&problem, param, error, &out->rms);
    if (!j->status) conclude(j, param, error, n_free, out);
    return j->status;
}

scree_status scree_path_fit(const scree_env* env, const scree_path* paths, int32_t n_paths,
                            const scree_path_def* def, scree_path_found* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_path_found){.rms = SCREE_NAN, .rms_first = SCREE_NAN};
    scree_status status = check(env, paths, n_paths, def);
    if (status) return status;
    path_job j = {.env = env,
                  .path = paths,
                  .n_paths = n_paths,
                  .def = *def,
                  .n_params = SCREE_PATH_OWN + OWN * n_paths,
                  .course = {.env = env}};
    for (int32_t k = 0; k < n_paths; ++k) {
        j.first[k + 1] = j.first[k] + (paths[k].time ? 2 : 1) * paths[k].n;
        out->n_samples += paths[k].n;
    }
    size_t rows = (size_t)j.first[n_paths];
    double* memory = scri_alloc(env, rows * (size_t)(j.n_params + 2) * sizeof *memory);
    if (!memory) return SCREE_ERROR_MEMORY;
    j.residual = memory;
    j.other = memory + rows;
    j.derivative = memory + 2 * rows;
    status = fit(&j, out);
    scri_release(env, memory);
    scri_release(env, j.course.point);
    return status;
}
