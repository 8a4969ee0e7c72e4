#include "problem/natural_map.h"

#include "base/groups.h"
#include "base/larger.h"
#include "problem/bodies_kernel.h"
#include "problem/judge_lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Squares, where the largest share of `map` is, and the largest ratios of one contact. */
typedef struct sums {
    double map, p, y, q, worst, local, approach;
    int32_t worst_contact, local_contact, approach_contact;
} sums;

/* Squares of one contact. */
typedef struct own_sums {
    double map, p, y, q;
} own_sums;

/* What is evaluated; variables multiplied by `factor`: impulses and velocities alike, so that the
 * map is multiplied too. Coefficients that are impulses must follow. */
typedef struct evaluation {
    const scree_problem* problem;
    const scri_scaling* scaling;
    const double *velocity, *p, *y;
    double* size;            /* see scri_natural_map_evaluate() */
    const scri_operator* op; /* what y is found by first; NULL: it is there */
    double* found;           /* is y then, to be written */
    double factor;
    scri_judge_lanes* lanes; /* NULL: there are none for what is asked */
    scri_groups groups;      /* contacts whose sums belong together */
    sums* of;                /* by group */
} evaluation;

/* The three vectors of contact c in the variables in use. */
SCREE_FN void contact_variables(const evaluation* e, int32_t c, int width, double* local)
{
    int32_t row = e->problem->first_row[c];
    double unit = e->scaling ? e->scaling->unit : 1.0;
    for (int i = 0; i < width; ++i) {
        double s = e->scaling ? e->scaling->scale[row + i] : 1.0;
        local[i] = e->p[row + i] * (unit * s);
        local[SCRI_MAX_WIDTH + i] = e->y[row + i] / s;
        local[2 * SCRI_MAX_WIDTH + i] = e->problem->q[row + i] / s;
    }
}

/* A contact on its way through the map. */
typedef struct judged {
    int width;
    const scri_law* law;
    scri_terms terms;
    double local[3 * SCRI_MAX_WIDTH]; /* p, y, q */
    double image[SCRI_MAX_WIDTH];
    double bounds[3];
} judged;

/* The image of p - y, before it is projected where that is what the law does. */
SCREE_FN void begin_image(judged* j, int width)
{
    const double *p = j->local, *y = j->local + SCRI_MAX_WIDTH;
    double z[SCRI_MAX_WIDTH] = {0.0};
    for (int i = 0; i < width; ++i) j->image[i] = z[i] = p[i] - y[i];
    j->terms.near = p;
    if (scri_law_is(j->law, SCRI_LAW_JUDGED_BY_REACTION)) {
        j->law->react(j->terms, z, 0.0, j->image, NULL);
    } else {
        j->image[0] -= j->law->shift(j->terms, y);
    }
}

static void end_image(judged* j)
{
    if (!scri_law_is(j->law, SCRI_LAW_JUDGED_BY_REACTION)) j->law->project(j->terms, j->image);
}

SCREE_FN own_sums add_contact(const judged* j, int width)
{
    const double *p = j->local, *y = p + SCRI_MAX_WIDTH, *q = y + SCRI_MAX_WIDTH;
    own_sums own = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < width; ++i) {
        double gap = p[i] - j->image[i];
        own.map += gap * gap;
        own.p += p[i] * p[i];
        own.y += y[i] * y[i];
        own.q += q[i] * q[i];
    }
    return own;
}

/* The larger of the squares of what the impulses change at contact c in either body. */
SCREE_FN double change_of_bodies(const evaluation* e, int32_t c, int width)
{
    const double* s = e->scaling->scale + e->problem->first_row[c];
    double most = 0.0;
    for (int side = 0; side < 2; ++side) {
        double change[SCRI_MAX_WIDTH] = {0.0}, square = 0.0;
        scri_bodies_add_side(&e->problem->bodies, e->velocity, c, side, width, change);
        for (int i = 0; i < width; ++i) {
            double x = change[i] / s[i];
            square += x * x;
        }
        most = scri_larger(most, square);
    }
    return most;
}

SCREE_FN double violation(const scri_law* law, scri_terms terms, int width, const double* y)
{
    double t[SCRI_MAX_WIDTH], square = 0.0;
    for (int i = 0; i < width; ++i) t[i] = -y[i];
    law->recede(terms, t);
    for (int i = 0; i < width; ++i) square += t[i] * t[i];
    return square;
}

static void raise_to(double* most, int32_t* at, double value, int32_t c)
{
    if (!(value > *most || (isnan(value) && !isnan(*most)))) return;
    *most = value;
    *at = c;
}

/* Ratios of the squares of contact c; 0 / 0 is 0: nothing moves and nothing is wrong. */
static void judge_alone(double map, double approach, double size, int32_t c, sums* total)
{
    if (map != 0.0) raise_to(&total->local, &total->local_contact, map / size, c);
    if (approach != 0.0) raise_to(&total->approach, &total->approach_contact, approach / size, c);
}

SCREE_FN void begin_contact(const evaluation* e, int32_t c, int width, judged* j)
{
    const scree_problem* problem = e->problem;
    double factor = e->factor;
    j->width = width;
    j->law = scri_law_of(problem, c);
    j->terms = scri_terms_of(problem, c, e->scaling ? e->scaling->coef : problem->coef);
    contact_variables(e, c, width, j->local);
    if (factor == 1.0) return;
    for (int i = 0; i < width; ++i) {
        for (int k = 0; k < 3; ++k) j->local[k * SCRI_MAX_WIDTH + i] *= factor;
    }
    for (int i = 0; i < 3; ++i) {
        j->bounds[i] = j->terms.coef[i] * (j->law->impulses >> i & 1u ? factor : 1.0);
    }
    j->terms.coef = j->bounds;
}

SCREE_FN void end_contact(const evaluation* e, int32_t c, int width, const judged* j, sums* total)
{
    double factor = e->factor;
    own_sums own = add_contact(j, width);
    total->map += own.map;
    total->p += own.p;
    total->y += own.y;
    total->q += own.q;
    raise_to(&total->worst, &total->worst_contact, own.map, c);
    if (!e->scaling) return;
    double least = factor * scri_scaling_least(e->problem, e->scaling, c);
    double size = scri_larger(least * least, scri_larger(own.q, own.y));
    if (e->velocity) {
        size = scri_larger(size, factor * factor * change_of_bodies(e, c, width));
    }
    if (e->size) e->size[c] = size / (factor * factor);
    judge_alone(own.map, violation(j->law, j->terms, width, j->local + SCRI_MAX_WIDTH), size, c,
                total);
}

/* Contacts that go through the map together, so that no root or quotient waits for another; loops
 * over rows are none where their number is known. */
enum { TOGETHER = 8 };

static void judge_some(const evaluation* e, int32_t first, int32_t n, sums* total)
{
    judged some[TOGETHER];
    for (int32_t k = 0; k < n; ++k) {
        int32_t c = first + k, row = e->problem->first_row[c];
        int width = e->problem->first_row[c + 1] - row;
        if (e->op) scri_operator_velocity(e->op, e->p, c, e->found + row);
        if (width == SCRI_MAX_WIDTH) {
            begin_contact(e, c, SCRI_MAX_WIDTH, &some[k]);
        } else {
            begin_contact(e, c, width, &some[k]);
        }
    }
    for (int32_t k = 0; k < n; ++k) begin_image(&some[k], some[k].width);
    for (int32_t k = 0; k < n; ++k) end_image(&some[k]);
    for (int32_t k = 0; k < n; ++k) {
        if (some[k].width == SCRI_MAX_WIDTH) {
            end_contact(e, first + k, SCRI_MAX_WIDTH, &some[k], total);
        } else {
            end_contact(e, first + k, some[k].width, &some[k], total);
        }
    }
}

/* As many from contact c on as lanes take; returns how many. */
static int32_t judge_in_lanes(const evaluation* e, int32_t c, int32_t n, sums* total)
{
    const scri_judge_list list = {e->problem, e->scaling, e->velocity,
                                  e->p,       e->y,       e->op ? e->found : NULL};
    scri_judged_lanes of;
    int32_t done = e->lanes(&list, c, n, &of);
    for (int32_t k = 0; k < done; ++k) {
        total->map += of.map[k];
        total->p += of.p[k];
        total->y += of.y[k];
        total->q += of.q[k];
        raise_to(&total->worst, &total->worst_contact, of.map[k], c + k);
        if (e->size) e->size[c + k] = of.size[k];
        if (of.map[k] != 0.0) raise_to(&total->local, &total->local_contact, of.local[k], c + k);
        if (of.approach[k] != 0.0) {
            raise_to(&total->approach, &total->approach_contact, of.approach[k], c + k);
        }
    }
    return done;
}

static sums judge_group(const evaluation* e, int32_t first, int32_t last)
{
    sums total = {.worst = -1.0, .worst_contact = -1, .local_contact = -1, .approach_contact = -1};
    for (int32_t c = first; c < last;) {
        int32_t n = e->lanes ? judge_in_lanes(e, c, last - c, &total) : 0;
        if (n == 0) {
            n = last - c < TOGETHER ? last - c : TOGETHER;
            judge_some(e, c, n, &total);
        }
        c += n;
    }
    return total;
}

static void judge_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const evaluation* e = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        e->of[g] =
            judge_group(e, scri_groups_begin(&e->groups, g), scri_groups_begin(&e->groups, g + 1));
    }
}

static void join_sums(sums* total, const sums* more)
{
    total->map += more->map;
    total->p += more->p;
    total->y += more->y;
    total->q += more->q;
    raise_to(&total->worst, &total->worst_contact, more->worst, more->worst_contact);
    raise_to(&total->local, &total->local_contact, more->local, more->local_contact);
    raise_to(&total->approach, &total->approach_contact, more->approach, more->approach_contact);
}

/* Lanes go by what scales and bodies say, in variables as they are. */
static int lanes_fit(const evaluation* e)
{
    return e->scaling && e->velocity && e->factor == 1.0 && !(e->op && e->problem->compliance);
}

static sums add_all(scri_team* team, evaluation e)
{
    sums of[SCRI_MOST_GROUPS];
    e.of = of;
    e.lanes = lanes_fit(&e) ? scri_judge_lanes_best() : NULL;
    e.groups = scri_groups_of(e.problem->n_contacts);
    sums total = {.worst = -1.0, .worst_contact = -1, .local_contact = -1, .approach_contact = -1};
    scri_team_for(team, e.groups.count, 1, judge_groups, &e);
    for (int32_t g = 0; g < e.groups.count; ++g) join_sums(&total, &of[g]);
    return total;
}

/* A power of two that brings the largest variable near 1; 1 where there is none. */
static double normalizer(const evaluation* e)
{
    const scree_problem* problem = e->problem;
    double largest = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        double local[3 * SCRI_MAX_WIDTH];
        contact_variables(e, c, width, local);
        for (int i = 0; i < width; ++i) {
            for (int k = 0; k < 3; ++k) {
                largest = scri_larger(largest, fabs(local[k * SCRI_MAX_WIDTH + i]));
            }
        }
    }
    if (!(largest > 0.0) || isinf(largest)) return 1.0;
    int exponent;
    frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

static int is_usual(double square)
{
    return square > 1e-200 && square < 1e200;
}

/* Squares may overflow or vanish where units are far from 1; then all is done once more in others:
 * the residual must not be wrong, least of all too small. */
static scri_natural_map evaluate(scri_team* team, evaluation e)
{
    e.factor = 1.0;
    sums total = add_all(team, e);
    double free_square = total.q;
    if (!is_usual(scri_larger(total.q, scri_larger(total.p, total.y)))) {
        e.op = NULL;
        e.factor = normalizer(&e);
        total = add_all(team, e);
    }
    double factor = e.factor;
    double norm_q = is_usual(free_square) ? sqrt(free_square) : sqrt(total.q) / factor;
    return (scri_natural_map){.absolute = sqrt(total.map) / factor,
                              .norm_p = sqrt(total.p) / factor,
                              .norm_y = sqrt(total.y) / factor,
                              .norm_q = norm_q, /* not lost beside large impulses */
                              .worst = total.worst_contact,
                              .local = sqrt(total.local),
                              .local_at = total.local_contact,
                              .approach = sqrt(total.approach),
                              .approaches = total.approach_contact};
}

scri_natural_map scri_natural_map_evaluate(scri_team* team, const scree_problem* problem,
                                           const scri_scaling* scaling, const double* velocity,
                                           const double* p, const double* y, double* size)
{
    return evaluate(team, (evaluation){.problem = problem,
                                       .scaling = scaling,
                                       .velocity = velocity,
                                       .p = p,
                                       .y = y,
                                       .size = size});
}

scri_natural_map scri_natural_map_apply(scri_operator* op, const scri_scaling* scaling,
                                        const double* p, double* y, double* size)
{
    scri_operator_reset(op, p);
    return evaluate(op->team, (evaluation){.problem = op->problem,
                                           .scaling = scaling,
                                           .velocity = op->velocity,
                                           .p = p,
                                           .y = y,
                                           .size = size,
                                           .op = op,
                                           .found = y});
}

scri_contact_map scri_natural_map_contact(const scree_problem* problem, const scri_scaling* scaling,
                                          const double* velocity, int32_t c, const double* p,
                                          const double* y)
{
    const evaluation e = {.problem = problem,
                          .scaling = scaling,
                          .velocity = velocity,
                          .p = p,
                          .y = y,
                          .factor = 1.0};
    int width = problem->first_row[c + 1] - problem->first_row[c];
    scri_contact_map out = {.map = 0.0};
    judged j;
    begin_contact(&e, c, width, &j);
    begin_image(&j, width);
    end_image(&j);
    memcpy(out.p, j.local, (size_t)width * sizeof *out.p);
    memcpy(out.y, j.local + SCRI_MAX_WIDTH, (size_t)width * sizeof *out.y);
    memcpy(out.q, j.local + 2 * SCRI_MAX_WIDTH, (size_t)width * sizeof *out.q);
    own_sums own = add_contact(&j, width);
    double change = velocity ? change_of_bodies(&e, c, width) : 0.0;
    out.map = sqrt(own.map);
    out.size = scri_larger(scri_scaling_least(problem, scaling, c),
                           sqrt(scri_larger(change, scri_larger(own.q, own.y))));
    return out;
}

double scri_natural_map_scaled(const scri_natural_map* map)
{
    double speed = scri_larger(map->norm_q, fmin(map->norm_y, SCRI_GROWTH * map->norm_q));
    double rounding = DBL_EPSILON * map->norm_p;
    int is_moderate = map->norm_y <= speed && map->norm_p <= SCRI_GROWTH * speed;
    if (is_moderate || map->norm_q == 0.0) return scri_natural_map_relative(map, 0.0);
    double error = map->absolute - 4.0 * rounding;
    double size = fmin(map->norm_p, SCRI_GROWTH * speed);
    double residual = error < 0.0 ? 0.0 : error / scri_larger(speed, size); /* NaN stays NaN */
    if (map->norm_p > SCRI_ROUNDING * speed && rounding / speed > residual) {
        return rounding / speed;
    }
    return residual;
}

double scri_natural_map_relative(const scri_natural_map* map, double floor)
{
    double size = scri_larger(map->norm_q, scri_larger(map->norm_p, map->norm_y));
    return size > floor ? map->absolute / size : map->absolute;
}

double scri_natural_map_siconos(const scree_problem* problem, const scri_natural_map* raw)
{
    int by_q = problem->n_contacts > 0;
    for (int32_t c = 0; c < problem->n_contacts && by_q; ++c) {
        by_q = problem->rows[c] == SCREE_ROWS_NTR ||
               scri_law_is_complementarity(scri_law_of(problem, c));
    }
    if (!by_q) return scri_natural_map_relative(raw, SCRI_SICONOS_FLOOR);
    return raw->norm_q > SCRI_SICONOS_FLOOR ? raw->absolute / raw->norm_q : raw->absolute;
}

double scri_residual(const scree_problem* problem, scree_measure measure,
                     const scri_natural_map* scaled, const scri_natural_map* raw)
{
    if (measure == SCREE_MEASURE_SICONOS) return scri_natural_map_siconos(problem, raw);
    return measure == SCREE_MEASURE_LOCAL ? scaled->local : scri_natural_map_scaled(scaled);
}
