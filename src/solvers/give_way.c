#include "solvers/give_way.h"

#include "problem/infeasible.h"
#include "solvers/newton_system.h"

#include <math.h>
#include <string.h>

enum { FIRST_LOOK = 24, BRIEF_SEARCH = 40, LONG_SEARCH = 400 };

/* Violations below this share of the velocities around them, or below the tolerance, are left to
 * the latter while a method goes on; a method that converges lowers them by more than SLOWER from
 * one look to the next. */
#define LEAST_APPROACH 1e-3
#define SLOWER 0.7

/* Above these times the free velocities, impulses are so large that a contradiction may hide behind
 * rounding; and that velocities computed from them tell nothing. */
#define DOUBTFUL 1e6
#define USELESS 1e8

/* Contacts that have given way press with impulses that would stop so many times what they let
 * through, or what gravity gives in a step if that is more: any multiple solves the problem, and
 * none would let go of what is held between them. */
#define PRESS 10.0

/* A first guess may be so many times the free velocities. */
#define MOST_GROWTH 100.0

int scri_give_way_is_due(scri_run* run, const scri_natural_map* scaled)
{
    int64_t made = run->report.iterations;
    if (made < run->next_look) return 0;
    double before = run->approach_before;
    run->next_look = made < FIRST_LOOK ? FIRST_LOOK : 2 * made;
    run->approach_before = scaled->approach;
    if (made < FIRST_LOOK) return 0;
    double least = fmax(LEAST_APPROACH, run->def->tol);
    return scaled->approach > least && scaled->approach > SLOWER * before;
}

static int is_large(const scri_natural_map* scaled, double factor)
{
    return scaled->norm_q > 0.0 && !(scaled->norm_p <= factor * scaled->norm_q);
}

int scri_give_way_is_in_doubt(const scri_run* run, const scri_natural_map* scaled)
{
    double least = fmax(10.0 * run->def->tol, 1e-9);
    return scaled->approach > least || is_large(scaled, DOUBTFUL);
}

/* Arrays of the problem that gives way; 0 when memory is short. */
static int reserve(scri_run* run)
{
    if (run->memory) return run->give != NULL;
    size_t n_rows = (size_t)run->n_rows;
    run->memory = scri_arena_create(run->def->env);
    if (!run->memory) return 0;
    run->q = scri_arena_take(run->memory, n_rows, sizeof *run->q);
    run->found = scri_arena_take(run->memory, n_rows, sizeof *run->found);
    if (!run->q || !run->found) return 0;
    run->give = scri_arena_take(run->memory, n_rows, sizeof *run->give);
    if (!run->give) return 0;
    memcpy(run->q, run->problem->q, n_rows * sizeof *run->q);
    return 1;
}

/* Adds what was found to what has given way. */
static void take_out(scri_run* run, const scree_infeasibility* proof)
{
    scree_report* report = &run->report;
    for (int32_t i = 0; i < run->n_rows; ++i) {
        run->give[i] += run->found[i];
        run->q[i] += run->found[i];
    }
    run->relaxed = *run->problem;
    run->relaxed.q = run->q;
    run->problem = run->op.problem = &run->relaxed;
    report->infeasible.approach = fmax(report->infeasible.approach, proof->approach);
    report->infeasible.bound = report->infeasible.n_contacts == 0
                                   ? proof->bound
                                   : fmin(report->infeasible.bound, proof->bound);
    report->infeasible.n_contacts += proof->n_contacts;
    run->gave_way = 1;
}

int scri_give_way_look(scri_run* run, const scri_natural_map* scaled, int thoroughly)
{
    scree_infeasibility proof;
    if (!reserve(run)) return 0;
    scri_search search = {.least = thoroughly ? 1e-6 : LEAST_APPROACH,
                          .iterations = thoroughly ? LONG_SEARCH : BRIEF_SEARCH,
                          .y = is_large(scaled, USELESS) ? run->problem->q : run->y};
    if (scri_infeasible_find(run->def->env, run->problem, &run->scaling, &search, run->found,
                             &proof)) {
        return 0;
    }
    if (proof.n_contacts == 0) return 0;
    take_out(run, &proof);
    return 1;
}

/* Whether the impulses at hand have grown too much to begin with: not only the contacts of the
 * proof press in vain. */
static int has_grown(const scri_run* run)
{
    double p = 0.0, q = 0.0;
    for (int32_t i = 0; i < run->n_rows; ++i) {
        double s = run->scaling.scale[i], before = run->q[i] - run->give[i];
        double press = run->scaling.unit * s;
        p += run->p[i] * press * (run->p[i] * press);
        q += before / s * (before / s);
    }
    return !(p <= MOST_GROWTH * MOST_GROWTH * q);
}

void scri_give_way_begin_anew(scri_run* run)
{
    if (has_grown(run)) memset(run->p, 0, (size_t)run->n_rows * sizeof *run->p);
    const scree_problem* problem = run->problem;
    double press = PRESS * fmax(1.0, run->scaling.speed / run->report.infeasible.approach);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->row[c];
        int width = problem->row[c + 1] - row, gave = 0;
        double diagonal[SCRI_MAX_WIDTH];
        for (int i = 0; i < width; ++i) gave |= run->found[row + i] != 0.0;
        if (!gave) continue;
        scri_operator_diagonal(&run->op, c, diagonal);
        for (int i = 0; i < width; ++i) {
            double s = run->scaling.scale[row + i];
            run->p[row + i] = diagonal[i] > 0.0
                                  ? press * run->give[row + i] / (run->scaling.unit * (s * s))
                                  : 0.0;
        }
    }
    scri_newton_system_destroy(run->newton); /* it keeps q */
    run->newton = NULL;
    run->gave_way = run->refused = 0;
    run->most_p = SCREE_INFINITY; /* until the first check */
    run->report.residual = SCREE_NAN;
    run->approach_before = 0.0;
    run->next_look = run->report.iterations + FIRST_LOOK;
}
