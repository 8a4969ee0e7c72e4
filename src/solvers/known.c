#include "solvers/known.h"

#include "base/groups.h"

#include <math.h>
#include <string.h>

scri_known scri_known_create(const scree_problem* problem, const scri_facts* facts, scri_team* team,
                             scri_bump* bump)
{
    scri_known known = {.problem = problem, .team = team, .facts = *facts};
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    known.op = scri_operator_create(problem, bump);
    known.scaling = scri_scaling_create(problem, bump);
    known.size = scri_bump_take(bump, (size_t)problem->n_contacts, sizeof *known.size);
    known.best = scri_bump_take(bump, n_rows, sizeof *known.best);
    known.y = scri_bump_take(bump, n_rows, sizeof *known.y);
    return known;
}

void scri_known_find(scri_known* known, const scri_shares* shares, double speed)
{
    if (shares) {
        scri_operator_share_as(&known->op, shares);
    } else {
        scri_operator_share(&known->op, known->team);
    }
    scri_scaling_compute(&known->op, &known->scaling);
    known->scaling.speed = fmax(known->scaling.speed, speed);
}

static size_t bytes_of(const scri_known* known)
{
    return (size_t)scree_problem_n_rows(known->problem) * sizeof *known->best;
}

void scri_known_judge(scri_known* known, const double* p)
{
    known->map = scri_natural_map_apply(&known->op, &known->scaling, p, known->y, known->size);
    scri_team_copy(known->team, known->best, p, bytes_of(known));
    known->is_judged = 1;
}

typedef struct comparison {
    const double *a, *b;
} comparison;

static double differs(const void* context, int32_t begin, int32_t end)
{
    const comparison* of = context;
    size_t bytes = (size_t)(end - begin) * sizeof *of->a;
    return memcmp(of->a + begin, of->b + begin, bytes) != 0;
}

int scri_known_is_judged(const scri_known* known, const double* p)
{
    enum { GRAIN = 8192 }; /* numbers that are worth handing to another worker */
    comparison of = {known->best, p};
    int32_t n_rows = scree_problem_n_rows(known->problem);
    return known->is_judged && !(scri_groups_most(known->team, n_rows, GRAIN, differs, &of) > 0.0);
}

scri_known scri_known_relaxed(scri_known* known, const scree_problem* problem, double speed)
{
    scri_known other = *known;
    known->is_judged = other.is_judged = 0;
    other.wide = NULL;
    other.problem = other.op.problem = problem;
    other.scaling.speed =
        SCRI_LEAST_SPEED * scri_scaling_most_speed(problem, &other.scaling, known->op.team);
    other.scaling.speed = fmax(other.scaling.speed, speed);
    return other;
}
