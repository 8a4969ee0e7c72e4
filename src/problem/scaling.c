#include "problem/scaling.h"

#include "base/groups.h"
#include "base/larger.h"
#include "laws/equilibrate.h"
#include "math/power_of_two.h"
#include "problem/bodies_kernel.h"
#include "problem/scale_lanes.h"

#include <math.h>

scri_scaling scri_scaling_create(const scree_problem* problem, scri_bump* bump)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_scaling scaling = {.unit = 1.0};
    scaling.scale = scri_bump_take(bump, n_rows, sizeof(double));
    scaling.coef = scri_bump_take(bump, 3 * (size_t)problem->n_contacts, sizeof(double));
    return scaling;
}

static void scale_contact(const scree_problem* problem, int32_t c, const double* diagonal,
                          scri_scaling* scaling)
{
    const scri_law* law = scri_law_of(problem, c);
    double *s = scaling->scale + problem->first_row[c], press[SCRI_MAX_WIDTH];
    scri_equilibrate(problem->rows[c], law, diagonal, scaling->unit, s);
    for (int i = 0; i < problem->first_row[c + 1] - problem->first_row[c]; ++i) {
        press[i] = scaling->unit * s[i];
    }
    law->scale(scri_terms_of(problem, c, problem->coef), press, scaling->coef + 3 * (size_t)c);
}

/* Contacts whose largest number is worth handing to another worker. */
enum { GRAIN = 1024 };

/* Whether contact c has rows of its own, which may be of turning. */
static int is_general(const scree_problem* problem, int32_t c)
{
    return problem->form == SCREE_FORM_BODIES && scri_bodies_general(&problem->bodies, c);
}

/* How easily the centres of both bodies move, 1/kg; 0 where neither does. */
static double centres_mobility(const scree_problem* problem, int32_t c)
{
    double sum = 0.0;
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = problem->bodies.pair[2 * (size_t)c + side];
        if (body >= 0) sum += problem->bodies.inv_mass[body];
    }
    return sum;
}

typedef struct speed_work {
    const scree_problem* problem;
    const scri_scaling* scaling;
} speed_work;

/* The largest free velocity of a joint's rows in m/s: where one turns, that of centres with the
 * same energy. */
static double joint_speed(const speed_work* work, int32_t c)
{
    const scree_problem* problem = work->problem;
    double most = 0.0;
    for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
        most = scri_larger(most, fabs(problem->q[i]) / work->scaling->scale[i]);
    }
    return most * sqrt(centres_mobility(problem, c) / work->scaling->unit);
}

/* Rolling and spinning are left out: their velocities have another unit. */
static double most_speed(const void* context, int32_t begin, int32_t end)
{
    const speed_work* work = context;
    const scree_problem* problem = work->problem;
    double most = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        if (is_general(problem, c)) {
            if (work->scaling) most = scri_larger(most, joint_speed(work, c));
            continue;
        }
        for (int i = 0; i < width && i < 3; ++i) {
            most = scri_larger(most, fabs(problem->q[problem->first_row[c] + i]));
        }
    }
    return most;
}

double scri_scaling_most_speed(const scree_problem* problem, const scri_scaling* scaling,
                               scri_team* team)
{
    speed_work work = {problem, scaling};
    return scri_groups_most(team, problem->n_contacts, GRAIN, most_speed, &work);
}

/* What the scales of contacts are made from, for a team. */
typedef struct scale_work {
    const scri_operator* op; /* NULL where only scales are made */
    const scree_problem* problem;
    const double* diagonal; /* [n_rows], and in place of the scales where they come from there */
    scri_scaling* scaling;
    scri_scale_lanes lanes; /* NULL: contacts come one by one */
} scale_work;

/* Lanes go by what bodies say, and scales take the place of diagonals. */
static scri_scale_lanes lanes_for(const scri_operator* op)
{
    const scree_problem* problem = op->problem;
    int fit = problem->form == SCREE_FORM_BODIES && !problem->compliance;
    return fit ? scri_scale_lanes_best() : (scri_scale_lanes){NULL, NULL};
}

static scri_scale_list list_of(const scale_work* work)
{
    const scri_scaling* scaling = work->scaling;
    return (scri_scale_list){work->problem, scaling->unit, scaling->scale, scaling->coef};
}

static void write_diagonals(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scale_work* work = context;
    scri_scale_list list = list_of(work);
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        if (work->lanes.diagonals) c += work->lanes.diagonals(&list, c, end - c);
        if (c == end) break;
        scri_operator_diagonal(work->op, c, work->scaling->scale + work->problem->first_row[c]);
    }
}

static void write_scales(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scale_work* work = context;
    const scree_problem* problem = work->problem;
    scri_scale_list list = list_of(work);
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        double diagonal[SCRI_MAX_WIDTH];
        if (work->lanes.scales) c += work->lanes.scales(&list, c, end - c);
        if (c == end) break;
        for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
            diagonal[i - problem->first_row[c]] = work->diagonal[i];
        }
        scale_contact(problem, c, diagonal, work->scaling);
    }
}

static double most_mobility(const void* context, int32_t begin, int32_t end)
{
    const scale_work* work = context;
    double most = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        most = scri_larger(most, is_general(work->problem, c)
                                     ? centres_mobility(work->problem, c)
                                     : work->diagonal[work->problem->first_row[c]]);
    }
    return most;
}

static void scale_all(scale_work* work, scri_team* team)
{
    const scree_problem* problem = work->problem;
    double most = scri_groups_most(team, problem->n_contacts, GRAIN, most_mobility, work);
    work->scaling->unit = scri_power_of_two(most);
    scri_team_for(team, problem->n_contacts, SCRI_CONTACTS_GRAIN, write_scales, work);
    work->scaling->speed = SCRI_LEAST_SPEED * scri_scaling_most_speed(problem, work->scaling, team);
}

void scri_scaling_compute(const scri_operator* op, scri_scaling* scaling)
{
    scale_work work = {op, op->problem, scaling->scale, scaling, lanes_for(op)};
    scri_team_for(op->team, op->problem->n_contacts, SCRI_CONTACTS_GRAIN, write_diagonals, &work);
    scale_all(&work, op->team);
}

void scri_scaling_from_diagonal(const scree_problem* problem, const double* diagonal,
                                scri_scaling* scaling)
{
    scale_work work = {NULL, problem, diagonal, scaling, {NULL, NULL}};
    scale_all(&work, NULL);
}

double scri_scaling_least(const scree_problem* problem, const scri_scaling* scaling, int32_t c)
{
    double mobility = is_general(problem, c) ? centres_mobility(problem, c) : 0.0;
    return scaling->speed / (mobility > 0.0 ? sqrt(mobility / scaling->unit)
                                            : scaling->scale[problem->first_row[c]]);
}
