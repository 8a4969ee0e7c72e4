/* The least violation by nonlinear conjugate gradients.
 *
 * Steps are measured by the kinetic energy that they bring in, so that directions are combinations
 * of the t met so far and each iteration takes one product with W. f is quadratic wherever the same
 * contacts violate; from there on the iteration is the linear one and ends at rounding. */
#include "problem/infeasible.h"

#include "base/arena.h"
#include "base/env.h"
#include "base/groups.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"

#include <math.h>
#include <string.h>

/* t W t below this times t t, squared, cannot be told from rounding; from there on W t itself,
 * which is known to rounding, is brought below FINE times |t|. The verification is what counts. */
#define BALANCED 1e-7
#define FINE 1e-15

/* Contacts that violate less than these times the worst are left out of the closer look. */
static const double shares[] = {1e-2, 1e-5};

/* A closer look takes no more iterations than the search has, and what follows to rounding half of
 * that: a brief search is brief in all of its parts. */
enum { CLOSE_ITERATIONS = 400, FINE_ITERATIONS = 200, LINE_STEPS = 12 };

typedef struct descent {
    scree_problem problem; /* without free velocity */
    scri_operator op;
    const scri_scaling* scaling;
    int32_t n, *list;                 /* contacts that count */
    double *raw, *y, *t, *u, *z, *at; /* [n_rows]; u = W t, z = W times the direction */
    double* direction;                /* [n_rows] of the last iterations */
    const double* x;                  /* what is multiplied by W, and where to */
    double* out;
    const double *left, *right; /* of a product of two */
    double norm, energy;        /* t t and t W t */
    double least;               /* violations that are none */
} descent;

static scree_status lay_out(scri_arena* arena, const scree_problem* problem,
                            const scri_operator* like, descent* d)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_team* team = like ? like->team : NULL;
    double *none = NULL,
           **arrays[] = {&d->raw, &d->y, &d->t, &d->u, &d->z, &d->at, &d->direction, &none};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        *arrays[i] = scri_arena_take_raw(arena, n_rows, sizeof(double));
        if (!*arrays[i]) return SCREE_ERROR_MEMORY;
    }
    scri_team_clear(team, d->z, n_rows * sizeof(double)); /* the others are written first */
    scri_team_clear(team, none, n_rows * sizeof(double));
    d->list = scri_arena_take_raw(arena, (size_t)problem->n_contacts, sizeof *d->list);
    d->problem = *problem;
    d->problem.q = none;
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    bump = (scri_bump){scri_arena_take_raw(arena, bump.used, 1), 0};
    if (!d->list || !bump.memory) return SCREE_ERROR_MEMORY;
    d->op = scri_operator_create(&d->problem, &bump);
    scri_operator_share_as(&d->op, like);
    return SCREE_OK;
}

/* ---- all contacts of the list ---------------------------------------------------------------- */

typedef struct totals {
    double sum, other, most;
} totals;

/* Something done with contact c, and what it adds to the sums over all, or the largest of all. */
typedef void each(descent* d, double factor, int32_t c, totals* all);

typedef struct scan {
    descent* d;
    each* work;
    double factor;
    scri_groups groups;
    totals* of;
} scan;

static void do_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scan* pass = context;
    descent* d = pass->d;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&pass->groups, g + 1);
        totals* own = &pass->of[g];
        *own = (totals){0.0, 0.0, 0.0};
        for (int32_t k = scri_groups_begin(&pass->groups, g); k < last; ++k) {
            pass->work(d, pass->factor, d->list[k], own);
        }
    }
}

static void do_all(descent* d, each* work, double factor, totals* all)
{
    totals of[SCRI_MOST_GROUPS];
    scan pass = {d, work, factor, scri_groups_of(d->n), of};
    scri_team_for(d->op.team, pass.groups.count, 1, do_groups, &pass);
    *all = (totals){0.0, 0.0, 0.0};
    for (int32_t g = 0; g < pass.groups.count; ++g) {
        all->sum += of[g].sum;
        all->other += of[g].other;
        all->most = fmax(all->most, of[g].most);
    }
}

/* The first sum alone. */
static double sum_all(descent* d, each* work, double factor)
{
    totals all;
    do_all(d, work, factor, &all);
    return all.sum;
}

/* ---- products -------------------------------------------------------------------------------- */

static void clear_bodies(descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    (void)all;
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = d->problem.bodies.pair[2 * (size_t)c + side];
        if (body < 0) continue;
        memset(d->op.velocity + SCRI_BODY_STRIDE * (size_t)body, 0, 6 * sizeof(double));
    }
}

/* The impulses of x in raw variables. */
static void unscale(descent* d, double factor, int32_t c, totals* all)
{
    const double *s = d->scaling->scale, unit = d->scaling->unit;
    (void)factor;
    (void)all;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        d->raw[i] = d->x[i] / (unit * s[i]);
    }
}

/* The velocities of them in scaled variables. */
static void take_velocity(descent* d, double factor, int32_t c, totals* all)
{
    int32_t row = d->problem.first_row[c];
    (void)factor;
    (void)all;
    scri_operator_velocity(&d->op, d->raw, c, d->out + row);
    for (int32_t i = row; i < d->problem.first_row[c + 1]; ++i) d->out[i] /= d->scaling->scale[i];
}

/* Whether it is less to gather over all contacts, by all workers, than to go through those of the
 * list alone: a contact is gathered twice, once for each of its bodies. The sums are the same, for
 * what is not in the list adds zeros. */
static int is_worth_sharing(const descent* d)
{
    return 2 * (int64_t)d->problem.n_contacts <= (int64_t)scri_team_size(d->op.team) * d->n;
}

/* out = W x over the rows of the list, in scaled variables; x and `raw` are zero elsewhere. */
static void multiply(descent* d, const double* x, double* out)
{
    d->x = x;
    d->out = out;
    sum_all(d, unscale, 0.0);
    if (d->op.team && is_worth_sharing(d)) {
        scri_operator_reset(&d->op, d->raw);
    } else if (d->op.velocity) {
        for (int32_t k = 0; k < d->n; ++k) clear_bodies(d, 0.0, d->list[k], NULL);
        for (int32_t k = 0; k < d->n; ++k) {
            scri_operator_change(&d->op, d->list[k], d->raw + d->problem.first_row[d->list[k]]);
        }
    }
    sum_all(d, take_velocity, 0.0);
}

/* Adds z t of contact c to the sum and, if it violates, z z over the rows that do to the other. */
static void add_along(const descent* d, const double* t, int32_t c, totals* all)
{
    double own = 0.0, square = 0.0;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        all->sum += t[i] * d->z[i];
        if (t[i] != 0.0) own += d->z[i] * d->z[i];
        square += t[i] * t[i];
    }
    if (square > 0.0) all->other += own;
}

static void project(descent* d, double step, int32_t c, totals* all)
{
    const scree_problem* problem = &d->problem;
    int32_t row = problem->first_row[c];
    for (int32_t i = row; i < problem->first_row[c + 1]; ++i) {
        d->at[i] = -(d->y[i] + step * d->z[i]);
    }
    scri_law_of(problem, c)->recede(scri_terms_of(problem, c, d->scaling->coef), d->at + row);
    add_along(d, d->at, c, all);
}

static void look_along(descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    add_along(d, d->t, c, all);
}

/* Minus the slope of f along z, and its curvature while the same contacts violate. */
typedef struct line {
    double slope, curvature;
} line;

/* t = P_K(-(y + step z)) into `at`. */
static line project_at(descent* d, double step)
{
    totals all;
    do_all(d, project, step, &all);
    return (line){all.sum, all.other};
}

/* The same where the step is 0, for t is known there. */
static line line_here(descent* d)
{
    totals all;
    do_all(d, look_along, 0.0, &all);
    return (line){all.sum, all.other};
}

/* The step along z with the smallest f: Newton's method on its slope, which rises with the step,
 * kept between steps known to be too short and too long. t there is in `at`, which is t at first.
 */
static double find_step(descent* d)
{
    double low = 0.0, high = SCREE_INFINITY, step = 0.0;
    line here = line_here(d);
    double first = here.slope;
    for (int k = 0; k < LINE_STEPS && here.slope != 0.0; ++k) {
        double next = step + here.slope / here.curvature;
        if (!isfinite(next)) break; /* nothing violates, or nothing that z moves */
        if (next <= low || next >= high) next = isinf(high) ? 2.0 * step : 0.5 * (low + high);
        step = next;
        here = project_at(d, step);
        if (here.slope > 0.0) {
            low = step;
        } else {
            high = step;
        }
        if (fabs(here.slope) <= 1e-6 * fabs(first)) break;
    }
    return step;
}

static void add_gradient(descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        all->sum += d->t[i] * d->t[i];
        all->other += d->t[i] * d->u[i];
    }
}

/* u = W t and the two sums. */
static void take_gradient(descent* d)
{
    totals all;
    multiply(d, d->t, d->u);
    do_all(d, add_gradient, 0.0, &all);
    d->norm = all.sum;
    d->energy = all.other;
}

static void turn_one(descent* d, double beta, int32_t c, totals* all)
{
    (void)all;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        d->z[i] = d->u[i] + beta * d->z[i];
    }
}

/* z = u + beta z with the beta of Polak and Ribiere; `cross` is the new t times the old u. */
static void turn(descent* d, double energy, double cross)
{
    double beta = energy > 0.0 ? (d->energy - cross) / energy : 0.0;
    sum_all(d, turn_one, beta > 0.0 ? beta : 0.0);
}

static void move(descent* d, double step, int32_t c, totals* all)
{
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        d->y[i] += step * d->z[i];
        d->t[i] = d->at[i];
        all->sum += d->t[i] * d->u[i];
    }
}

/* One iteration: along z to the smallest f, then a new z. */
static void advance(descent* d)
{
    double step = find_step(d), energy = d->energy;
    double cross = sum_all(d, move, step);
    take_gradient(d);
    turn(d, energy, cross);
    if (!(line_here(d).slope > 0.0)) turn(d, 0.0, 0.0);
}

static double size_of(const descent* d, int32_t c)
{
    double sum = 0.0;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        sum += d->t[i] * d->t[i];
    }
    return sqrt(sum);
}

static void compare(descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    all->most = fmax(all->most, size_of(d, c));
}

static double worst(descent* d)
{
    totals all;
    do_all(d, compare, 0.0, &all);
    return all.most;
}

static void add_product(descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        all->sum += d->left[i] * d->right[i];
    }
}

/* Sum of a b over the rows of the list. */
static double product(descent* d, const double* a, const double* b)
{
    d->left = a;
    d->right = b;
    return sum_all(d, add_product, 0.0);
}

static void aim_one(descent* d, double beta, int32_t c, totals* all)
{
    (void)all;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        d->direction[i] = d->u[i] + beta * d->direction[i];
    }
}

static void go_one(descent* d, double step, int32_t c, totals* all)
{
    (void)all;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        d->y[i] += step * d->z[i];
    }
}

/* Conjugate gradients for least squares on the contacts that violate: as accurate as W t can be
 * computed. t W t, a square, would end at the root of that. */
static void refine(descent* d, int32_t iterations)
{
    double before = 0.0;
    size_t bytes = (size_t)scree_problem_n_rows(&d->problem) * sizeof(double);
    scri_team_clear(d->op.team, d->direction, bytes);
    scri_team_clear(d->op.team, d->z, bytes);
    for (int32_t k = 0; k < iterations; ++k) {
        double square = product(d, d->u, d->u);
        if (!(square > FINE * FINE * product(d, d->t, d->t))) return;
        double beta = before > 0.0 ? square / before : 0.0;
        before = square;
        sum_all(d, aim_one, beta);
        multiply(d, d->direction, d->z);
        double step = product(d, d->direction, d->u) / line_here(d).curvature;
        if (!isfinite(step)) return;
        sum_all(d, go_one, step);
        project_at(d, 0.0);
        scri_team_copy(d->op.team, d->t, d->at, bytes);
        multiply(d, d->t, d->u);
    }
}

/* Until t is balanced (1), or below d->least in every contact (0), or iterations run out (1). */
static int descend(descent* d, int32_t iterations)
{
    int32_t fine = iterations / 2 < FINE_ITERATIONS ? iterations / 2 : FINE_ITERATIONS;
    project_at(d, 0.0);
    scri_team_copy(d->op.team, d->t, d->at,
                   (size_t)scree_problem_n_rows(&d->problem) * sizeof *d->t);
    take_gradient(d);
    turn(d, 0.0, 0.0);
    for (int32_t k = 0; k < iterations; ++k) {
        if (!(worst(d) > d->least)) return 0;
        if (!(d->energy > BALANCED * BALANCED * d->norm)) break;
        advance(d);
    }
    if (worst(d) > d->least) refine(d, fine);
    return worst(d) > d->least;
}

/* Turns to the contacts that violated more than `share` of the worst when the first descent over
 * all ended: `size` and `y` are of then. */
static void look_closer(descent* d, double share, const double* size, const double* y)
{
    double most = 0.0;
    size_t bytes = (size_t)scree_problem_n_rows(&d->problem) * sizeof(double);
    double* arrays[] = {d->raw, d->t, d->u, d->z, d->at, d->direction};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        scri_team_clear(d->op.team, arrays[i], bytes);
    }
    scri_team_copy(d->op.team, d->y, y, bytes);
    for (int32_t c = 0; c < d->problem.n_contacts; ++c) most = fmax(most, size[c]);
    d->n = 0;
    for (int32_t c = 0; c < d->problem.n_contacts; ++c) {
        if (size[c] > share * most) d->list[d->n++] = c;
    }
}

static void begin_one(descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    (void)all;
    for (int32_t i = d->problem.first_row[c]; i < d->problem.first_row[c + 1]; ++i) {
        d->y[i] = d->x[i] / d->scaling->scale[i];
    }
}

static double begin(descent* d, const double* y)
{
    d->n = d->problem.n_contacts;
    for (int32_t c = 0; c < d->n; ++c) d->list[c] = c;
    d->x = y;
    sum_all(d, begin_one, 0.0);
    project_at(d, 0.0);
    scri_team_copy(d->op.team, d->t, d->at,
                   (size_t)scree_problem_n_rows(&d->problem) * sizeof *d->t);
    return worst(d);
}

/* The bound that scri_infeasible_verify() asks for, SCRI_PROOF, is no more than |t| / |W t|, for
 * -q t is no more than |q| |t| over the rows of t. Rounding is far below the factor of ten. */
#define OUT_OF_REACH (10.0 / SCRI_PROOF)

static int may_prove(descent* d)
{
    double moved = product(d, d->u, d->u), size = product(d, d->t, d->t);
    return !(moved > OUT_OF_REACH * OUT_OF_REACH * size);
}

static scree_status judge(const scree_env* env, const scree_problem* problem, descent* d,
                          double* give, scree_infeasibility* out)
{
    if (!may_prove(d)) return SCREE_OK;
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        give[i] = d->t[i] * d->scaling->scale[i];
    }
    return scri_infeasible_verify(env, problem, d->scaling, give, out);
}

/* Those that stand out alone: a proof among them is one for the whole. */
static scree_status search_closer(const scree_env* env, scri_arena* arena, descent* d,
                                  const scree_problem* problem, int32_t iterations, double* give,
                                  scree_infeasibility* out)
{
    scree_status status = SCREE_OK;
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    double* size = scri_arena_take(arena, (size_t)problem->n_contacts, sizeof *size);
    double* first = scri_arena_take(arena, n_rows, sizeof *first);
    if (!size || !first) return SCREE_ERROR_MEMORY;
    memcpy(first, d->y, n_rows * sizeof *first);
    for (int32_t c = 0; c < problem->n_contacts; ++c) size[c] = size_of(d, c);
    for (size_t k = 0; k < sizeof shares / sizeof shares[0]; ++k) {
        if (status || out->n_contacts > 0) break;
        look_closer(d, shares[k], size, first);
        if (descend(d, iterations)) status = judge(env, problem, d, give, out);
    }
    return status;
}

/* All contacts together, then fewer. */
static scree_status search_for(const scree_env* env, scri_arena* arena,
                               const scree_problem* problem, const scri_scaling* scaling,
                               const scri_search* search, double* give, scree_infeasibility* out)
{
    descent d = {.scaling = scaling};
    if (lay_out(arena, problem, search->op, &d)) return SCREE_ERROR_MEMORY;
    d.least = search->least * begin(&d, search->y);
    int32_t close = search->iterations < CLOSE_ITERATIONS ? search->iterations : CLOSE_ITERATIONS;
    if (!descend(&d, search->iterations)) return SCREE_OK;
    scree_status status = judge(env, problem, &d, give, out);
    if (status || out->n_contacts > 0) return status;
    return search_closer(env, arena, &d, problem, close, give, out);
}

scree_status scri_infeasible_find(const scree_env* env, const scree_problem* problem,
                                  const scri_scaling* scaling, const scri_search* search,
                                  double* give, scree_infeasibility* out)
{
    *out = (scree_infeasibility){.n_contacts = 0};
    scri_arena* arena = scri_arena_create(env);
    scree_status status = SCREE_ERROR_MEMORY;
    if (arena) status = search_for(env, arena, problem, scaling, search, give, out);
    scri_arena_destroy(arena);
    if (out->n_contacts == 0) {
        scri_team_clear(search->op ? search->op->team : NULL, give,
                        (size_t)scree_problem_n_rows(problem) * sizeof *give);
    }
    return status;
}

/* ---- the public call ------------------------------------------------------------------------- */

enum { ITERATIONS = 1000 };
#define LEAST 1e-6

/* Velocities computed from impulses that are larger than this times the free ones, scaled, tell too
 * little: then the search begins with the free ones. */
#define USELESS 1e8

static int is_useless(const scree_problem* problem, const scri_scaling* scaling, const double* p)
{
    double most_p = 0.0, most_q = 0.0;
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        most_p = fmax(most_p, fabs(p[i]) * (scaling->unit * scaling->scale[i]));
        most_q = fmax(most_q, fabs(problem->q[i]) / scaling->scale[i]);
    }
    return !(most_p <= USELESS * most_q);
}

static scree_status find(const scree_env* env, scri_arena* arena, const scree_problem* problem,
                         const double* p, double* give, scree_infeasibility* out)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    scri_scaling_create(problem, &bump);
    bump = (scri_bump){scri_arena_take(arena, bump.used, 1), 0};
    double* y = scri_arena_take(arena, n_rows, sizeof *y);
    if (!give) give = scri_arena_take(arena, n_rows, sizeof *give);
    if (!bump.memory || !y || !give) return SCREE_ERROR_MEMORY;
    scri_operator op = scri_operator_create(problem, &bump);
    scri_scaling scaling = scri_scaling_create(problem, &bump);
    scri_scaling_compute(&op, &scaling);
    memcpy(y, problem->q, n_rows * sizeof *y);
    if (p && !is_useless(problem, &scaling, p)) scri_operator_apply(&op, p, y);
    scri_search search = {.least = LEAST, .iterations = ITERATIONS, .y = y};
    return scri_infeasible_find(env, problem, &scaling, &search, give, out);
}

scree_status scree_find_infeasible(const scree_env* env, const scree_problem* problem,
                                   const double* p, double* give, scree_infeasibility* out)
{
    scree_problem_store reduced = {.memory = NULL};
    scree_status status = SCREE_OK;
    if (!problem || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_infeasibility){.n_contacts = 0};
    if (problem->n_contacts == 0) return SCREE_OK;
    if (problem->form == SCREE_FORM_FACTORED) {
        status = scree_problem_reduce(env, problem, &reduced);
        problem = &reduced.problem;
    }
    scri_arena* arena = status ? NULL : scri_arena_create(env);
    if (!status) status = arena ? find(env, arena, problem, p, give, out) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    scree_problem_store_release(&reduced);
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for a proof");
}
