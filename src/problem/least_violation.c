#include "problem/least_violation.h"

#include "base/groups.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"

#include <math.h>
#include <string.h>

/* t W t below this times t t, squared, cannot be told from rounding; from there on W t itself,
 * which is known to rounding, is brought below FINE times |t|. */
#define BALANCED 1e-7
#define FINE 1e-15

/* To rounding it takes no more than half of the iterations before: a brief search is brief in all
 * of its parts. */
enum { FINE_ITERATIONS = 200, LINE_STEPS = 12 };

/* Contacts that are worth handing to another worker, to write their numbers; and as many as are
 * worth a team to push their bodies. */
enum { LIST_GRAIN = 4096, LEAST_SHARED = 256 };

/* ---- all contacts of the list ---------------------------------------------------------------- */

typedef struct totals {
    double sum, other, most;
} totals;

/* Something done with contact c, and what it adds to the sums over all, or the largest of all. */
typedef void each(scri_descent* d, double factor, int32_t c, totals* all);

typedef struct scan {
    scri_descent* d;
    double factor;
    scri_groups groups;
    totals* of;
} scan;

SCREE_FN void do_groups(const scan* pass, int32_t begin, int32_t end, each* work)
{
    scri_descent* d = pass->d;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&pass->groups, g + 1);
        totals own = {0.0, 0.0, 0.0};
        for (int32_t k = scri_groups_begin(&pass->groups, g); k < last; ++k) {
            work(d, pass->factor, d->list[k], &own);
        }
        pass->of[g] = own;
    }
}

/* Each has a pass of its own, into which it is put: a call for every contact would take longer than
 * most of what they do. */
#define PASS(work)                                                                     \
    static void work##_pass(void* context, int32_t begin, int32_t end, int32_t worker) \
    {                                                                                  \
        (void)worker;                                                                  \
        do_groups(context, begin, end, work);                                          \
    }

static void do_all(scri_descent* d, scree_range* pass, double factor, totals* all)
{
    totals of[SCRI_MOST_GROUPS];
    scan work = {d, factor, scri_groups_of(d->n), of};
    scri_team_for(d->op.team, work.groups.count, 1, pass, &work);
    *all = (totals){0.0, 0.0, 0.0};
    for (int32_t g = 0; g < work.groups.count; ++g) {
        all->sum += of[g].sum;
        all->other += of[g].other;
        if (of[g].most > all->most) all->most = of[g].most;
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static void clear_bodies(scri_descent* d, int32_t c)
{
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = d->rows.problem.bodies.pair[2 * (size_t)c + side];
        if (body < 0) continue;
        memset(d->op.velocity + SCRI_BODY_STRIDE * (size_t)body, 0, 6 * sizeof(double));
    }
}

/* Whether it is less for a team to clear all bodies, eight of which take as long as a contact, than
 * to go through the contacts of the list alone. The sums are the same. */
static int is_worth_sharing(const scri_descent* d)
{
    int64_t others = scri_team_size(d->op.team) - 1, n = d->n;
    return n >= LEAST_SHARED && d->rows.problem.bodies.n_bodies <= 8 * n * others;
}

/* The velocities of bodies by the impulses of the list in `raw`, which is zero elsewhere. */
static void push_bodies(scri_descent* d)
{
    if (d->op.team && is_worth_sharing(d)) {
        scri_operator_reset(&d->op, d->raw);
    } else if (d->op.velocity) {
        for (int32_t k = 0; k < d->n; ++k) clear_bodies(d, d->list[k]);
        for (int32_t k = 0; k < d->n; ++k) {
            scri_operator_change(&d->op, d->list[k],
                                 d->raw + d->rows.problem.first_row[d->list[k]]);
        }
    }
}

/* W x of contact c in scaled variables: `raw` of x is written first, then bodies are pushed, then
 * it is read. Each pass over the contacts does what else there is to do with them. */
SCREE_FN void unscale(const scri_descent* d, const double* x, int32_t c)
{
    const double *s = d->rows.scaling.scale, unit = d->rows.scaling.unit;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->raw[i] = x[i] / (unit * s[i]);
    }
}

SCREE_FN void take_velocity(const scri_descent* d, double* out, int32_t c)
{
    int32_t row = d->rows.problem.first_row[c];
    scri_operator_velocity(&d->op, d->raw, c, out + row);
    for (int32_t i = row; i < d->rows.problem.first_row[c + 1]; ++i) {
        out[i] /= d->rows.scaling.scale[i];
    }
}

double scri_descent_size(const scri_descent* d, int32_t c)
{
    double sum = 0.0;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        sum += d->t[i] * d->t[i];
    }
    return sqrt(sum);
}

/* Adds z t of contact c to the sum and, if it violates, z z over the rows that do to the other. */
SCREE_FN void add_along(const scri_descent* d, const double* t, int32_t c, totals* all)
{
    double own = 0.0, square = 0.0;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        all->sum += t[i] * d->z[i];
        if (t[i] != 0.0) own += d->z[i] * d->z[i];
        square += t[i] * t[i];
    }
    if (square > 0.0) all->other += own;
}

/* ---- one descent ----------------------------------------------------------------------------- */

SCREE_FN void project(scri_descent* d, double step, int32_t c, totals* all)
{
    const scree_problem* problem = &d->rows.problem;
    int32_t row = problem->first_row[c], end = problem->first_row[c + 1];
    for (int32_t i = row; i < end; ++i) d->at[i] = -(d->y[i] + step * d->z[i]);
    if (d->rows.are_normals) {
        d->at[row] = d->at[row] < 0.0 ? 0.0 : d->at[row]; /* as scri_law_recede_normal() */
    } else {
        scri_terms terms = scri_terms_of(problem, c, d->rows.scaling.coef);
        scri_law_of(problem, c)->recede(terms, d->at + row);
    }
    add_along(d, d->at, c, all);
}

PASS(project)

/* t = P_K(-(y + step z)) into `at`. */
static scri_line project_at(scri_descent* d, double step)
{
    totals all;
    do_all(d, project_pass, step, &all);
    return (scri_line){all.sum, all.other};
}

/* The step along z with the smallest f: Newton's method on its slope, which rises with the step,
 * kept between steps known to be too short and too long. t there is in `at`, which is t at first.
 */
static double find_step(scri_descent* d)
{
    double low = 0.0, high = SCREE_INFINITY, step = 0.0;
    scri_line here = d->here;
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
        if (fabs(here.slope) <= 1e-6 * fabs(d->here.slope)) break;
    }
    return step;
}

/* t becomes what `at` is. */
SCREE_FN void take_over(scri_descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->t[i] = d->at[i];
    }
    unscale(d, d->t, c);
    all->most = fmax(all->most, scri_descent_size(d, c));
}

PASS(take_over)

SCREE_FN void move(scri_descent* d, double step, int32_t c, totals* all)
{
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->y[i] += step * d->z[i];
        all->sum += d->at[i] * d->u[i];
    }
    take_over(d, step, c, all);
}

PASS(move)

/* Adds t t and t u. */
SCREE_FN void take_image(scri_descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    take_velocity(d, d->u, c);
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        all->sum += d->t[i] * d->t[i];
        all->other += d->t[i] * d->u[i];
    }
}

PASS(take_image)

/* u = W t, with what take_over() has written, and the two sums. */
static void take_gradient(scri_descent* d)
{
    totals all;
    push_bodies(d);
    do_all(d, take_image_pass, 0.0, &all);
    d->norm = all.sum;
    d->energy = all.other;
}

SCREE_FN void turn_one(scri_descent* d, double beta, int32_t c, totals* all)
{
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->z[i] = d->u[i] + beta * d->z[i];
    }
    add_along(d, d->t, c, all);
}

PASS(turn_one)

/* z = u + beta z with the beta of Polak and Ribiere; `cross` is the new t times the old u. */
static void turn(scri_descent* d, double energy, double cross)
{
    totals all;
    double beta = energy > 0.0 ? (d->energy - cross) / energy : 0.0;
    do_all(d, turn_one_pass, beta > 0.0 ? beta : 0.0, &all);
    d->here = (scri_line){all.sum, all.other};
}

/* One iteration: along z to the smallest f, then a new z. */
static void advance(scri_descent* d)
{
    totals all;
    double step = find_step(d), energy = d->energy;
    do_all(d, move_pass, step, &all);
    d->worst = all.most;
    take_gradient(d);
    turn(d, energy, all.sum);
    if (!(d->here.slope > 0.0)) turn(d, 0.0, 0.0);
}

/* ---- to rounding ----------------------------------------------------------------------------- */

SCREE_FN void add_squares(scri_descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        all->sum += d->u[i] * d->u[i];
        all->other += d->t[i] * d->t[i];
    }
}

PASS(add_squares)

SCREE_FN void take_image_squared(scri_descent* d, double factor, int32_t c, totals* all)
{
    take_velocity(d, d->u, c);
    add_squares(d, factor, c, all);
}

PASS(take_image_squared)

SCREE_FN void aim_one(scri_descent* d, double beta, int32_t c, totals* all)
{
    (void)all;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->direction[i] = d->u[i] + beta * d->direction[i];
    }
    unscale(d, d->direction, c);
}

PASS(aim_one)

/* z = W direction; adds the direction times u, and the curvature along z. */
SCREE_FN void take_answer(scri_descent* d, double factor, int32_t c, totals* all)
{
    totals along = {0.0, all->other, 0.0};
    (void)factor;
    take_velocity(d, d->z, c);
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        all->sum += d->direction[i] * d->u[i];
    }
    add_along(d, d->t, c, &along);
    all->other = along.other;
}

PASS(take_answer)

SCREE_FN void go_one(scri_descent* d, double step, int32_t c, totals* all)
{
    totals unused = {0.0, 0.0, 0.0};
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->y[i] += step * d->z[i];
    }
    project(d, 0.0, c, &unused);
    take_over(d, 0.0, c, all);
}

PASS(go_one)

/* Conjugate gradients for least squares on the contacts that violate: as accurate as W t can be
 * computed. t W t, a square, would end at the root of that. */
static void refine(scri_descent* d, int32_t iterations)
{
    double before = 0.0;
    totals all, squares;
    size_t bytes = (size_t)scree_problem_n_rows(&d->rows.problem) * sizeof(double);
    scri_team_clear(d->op.team, d->direction, bytes);
    do_all(d, add_squares_pass, 0.0, &squares);
    for (int32_t k = 0; k < iterations; ++k) {
        if (!(squares.sum > FINE * FINE * squares.other)) return;
        double beta = before > 0.0 ? squares.sum / before : 0.0;
        before = squares.sum;
        do_all(d, aim_one_pass, beta, &all);
        push_bodies(d);
        do_all(d, take_answer_pass, 0.0, &all);
        double step = all.sum / all.other;
        if (!isfinite(step)) return;
        do_all(d, go_one_pass, step, &all);
        d->worst = all.most;
        push_bodies(d);
        do_all(d, take_image_squared_pass, 0.0, &squares);
    }
}

/* t at y into its place. */
static void set_out(scri_descent* d)
{
    totals all;
    project_at(d, 0.0);
    do_all(d, take_over_pass, 0.0, &all);
    d->worst = all.most;
}

int scri_descent_run(scri_descent* d, int32_t iterations)
{
    int32_t fine = iterations / 2 < FINE_ITERATIONS ? iterations / 2 : FINE_ITERATIONS;
    set_out(d);
    take_gradient(d);
    turn(d, 0.0, 0.0);
    for (int32_t k = 0; k < iterations; ++k) {
        if (!(d->worst > d->least)) return 0;
        if (!(d->energy > BALANCED * BALANCED * d->norm)) break;
        advance(d);
    }
    if (d->worst > d->least) refine(d, fine);
    return d->worst > d->least;
}

/* ---- from outside ---------------------------------------------------------------------------- */

SCREE_FN void begin_one(scri_descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    (void)all;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->y[i] /= d->rows.scaling.scale[i];
    }
}

PASS(begin_one)

static scree_status lay_out(scri_arena* arena, scri_descent* d)
{
    const scree_problem* problem = &d->rows.problem;
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    double** arrays[] = {&d->raw, &d->y, &d->t, &d->u, &d->z, &d->at, &d->direction};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        *arrays[i] = scri_arena_take_raw(arena, n_rows, sizeof(double));
        if (!*arrays[i]) return SCREE_ERROR_MEMORY;
    }
    size_t n = (size_t)problem->n_contacts;
    d->list = scri_arena_take_raw(arena, n, sizeof *d->list);
    d->counts = scri_arena_take_raw(arena, n, sizeof *d->counts);
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    bump = (scri_bump){scri_arena_take_raw(arena, bump.used, 1), 0};
    if (!d->list || !d->counts || !bump.memory) return SCREE_ERROR_MEMORY;
    d->op = scri_operator_create(problem, &bump);
    return SCREE_OK;
}

static void list_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_descent* d = context;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) d->list[c] = c;
}

scree_status scri_descent_begin(scri_arena* arena, const scree_problem* problem,
                                const scri_scaling* scaling, const scri_shares* all,
                                const double* y, scri_descent* d)
{
    totals unused;
    scri_team* team = all ? all->team : NULL;
    *d = (scri_descent){.n = problem->n_contacts, .all = all};
    scree_status status = scri_promised_rows_create(arena, problem, scaling, team, &d->rows);
    if (!status) status = lay_out(arena, d);
    if (status) return status;
    scri_operator_share_as(&d->op, all);
    scri_team_for(team, d->n, LIST_GRAIN, list_some, d);
    size_t n_rows = (size_t)scree_problem_n_rows(&d->rows.problem);
    scri_team_clear(team, d->z, n_rows * sizeof *d->z); /* the others are written first */
    scri_promised_rows_take(&d->rows, team, y, d->y);
    do_all(d, begin_one_pass, 0.0, &unused);
    set_out(d);
    return SCREE_OK;
}

void scri_descent_narrow(scri_descent* d, double share, const double* size, const double* y)
{
    double most = 0.0;
    size_t bytes = (size_t)scree_problem_n_rows(&d->rows.problem) * sizeof(double);
    double* arrays[] = {d->raw, d->t, d->u, d->z, d->at, d->direction};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        scri_team_clear(d->op.team, arrays[i], bytes);
    }
    scri_team_copy(d->op.team, d->y, y, bytes);
    for (int32_t c = 0; c < d->rows.problem.n_contacts; ++c) most = fmax(most, size[c]);
    d->n = 0;
    for (int32_t c = 0; c < d->rows.problem.n_contacts; ++c) {
        d->counts[c] = size[c] > share * most;
        if (d->counts[c]) d->list[d->n++] = c;
    }
    scri_operator_share_some(&d->op, d->all, d->counts);
}

void scri_descent_squares(scri_descent* d, double* moved, double* size)
{
    totals squares;
    do_all(d, add_squares_pass, 0.0, &squares);
    *moved = squares.sum;
    *size = squares.other;
}

SCREE_FN void give_one(scri_descent* d, double factor, int32_t c, totals* all)
{
    (void)factor;
    (void)all;
    for (int32_t i = d->rows.problem.first_row[c]; i < d->rows.problem.first_row[c + 1]; ++i) {
        d->raw[i] = d->t[i] * d->rows.scaling.scale[i];
    }
}

PASS(give_one)

void scri_descent_give(scri_descent* d, double* give)
{
    totals unused;
    do_all(d, give_one_pass, 0.0, &unused);
    scri_promised_rows_put(&d->rows, d->op.team, d->raw, give);
}
