#include "solvers/give_way.h"

#include "laws/law.h"
#include "problem/infeasible.h"
#include "solvers/newton_system.h"
#include "solvers/nsgs_wide.h"
#include "solvers/run.h"

#include <math.h>
#include <string.h>

enum { FIRST_LOOK = 24, JAM_LOOK = 96, BRIEF_SEARCH = 40, LONG_SEARCH = 400 };

/* A search with its closer looks takes as long as so many sweeps for each of its iterations. */
enum { DEAR = 16 };

/* Violations below this share of the velocities around them, or below the tolerance, are left to
 * the latter while a method goes on; a method that converges lowers them by more than SLOWER from
 * one look to the next. Impulses that press in vain grow, twice as large after twice as many
 * iterations: where the whole has grown by less than GROWING, they are not many yet. */
#define LEAST_APPROACH 1e-3
#define SLOWER 0.7
#define GROWING 1.05

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

int scri_give_way_grows(const scri_run* run)
{
    const scri_contradiction* c = &run->contradiction;
    return !(c->norm_last <= GROWING * c->norm_before);
}

int scri_give_way_is_due(scri_run* run, const scri_natural_map* scaled)
{
    scri_contradiction* c = &run->contradiction;
    int64_t made = run->budget.iterations;
    if (made < c->next_look) return 0;
    double before = c->approach_before;
    int grow = !(scaled->norm_p <= GROWING * c->norm_before);
    c->next_look = made < FIRST_LOOK ? FIRST_LOOK : 2 * made;
    c->approach_before = scaled->approach;
    c->norm_before = scaled->norm_p;
    if (made < FIRST_LOOK) return 0;
    double least = fmax(LEAST_APPROACH, run->def->tol);
    return grow && scaled->approach > least && scaled->approach > SLOWER * before;
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
    scri_contradiction* c = &run->contradiction;
    size_t n_rows = (size_t)run->at.n_rows, bytes = n_rows * sizeof *c->q;
    if (c->memory) return c->give != NULL;
    c->memory = scri_arena_create(run->env);
    if (!c->memory) return 0;
    c->q = scri_arena_take_raw(c->memory, n_rows, sizeof *c->q);
    c->found = scri_arena_take_raw(c->memory, n_rows, sizeof *c->found); /* written by searches */
    if (!c->q || !c->found) return 0;
    c->give = scri_arena_take_raw(c->memory, n_rows, sizeof *c->give);
    if (!c->give) return 0;
    scri_team_copy(run->team, c->q, run->problem->q, bytes);
    scri_team_clear(run->team, c->give, bytes);
    return 1;
}

/* Adds what was found to what has given way. */
static void take_out(scri_run* run, const scree_infeasibility* proof)
{
    scri_contradiction* c = &run->contradiction;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        c->give[i] += c->found[i];
        c->q[i] += c->found[i];
    }
    c->relaxed = *run->problem;
    c->relaxed.q = c->q;
    run->problem = run->op.problem = &c->relaxed;
    c->all.approach = fmax(c->all.approach, proof->approach);
    c->all.bound = c->all.n_contacts == 0 ? proof->bound : fmin(c->all.bound, proof->bound);
    c->all.n_contacts += proof->n_contacts;
    c->gave_way = 1;
}

/* Whether `problem` has a proof, which then is taken out of the one at hand. */
static int refute(scri_run* run, const scree_problem* problem, const scri_search* search)
{
    scree_infeasibility proof;
    if (scri_infeasible_find(run->env, problem, &run->scaling, search, run->contradiction.found,
                             &proof)) {
        return 0;
    }
    if (proof.n_contacts == 0) return 0;
    take_out(run, &proof);
    return 1;
}

/* Whether friction may have jammed, and the caller wants to know: one who takes what gives way and
 * goes by every contact. */
static int may_have_jammed(const scri_run* run)
{
    return run->def->give && run->def->measure == SCREE_MEASURE_LOCAL &&
           run->budget.iterations >= JAM_LOOK;
}

/* Friction that jams: bodies wedged at less than its angle. The exact law has no proof, because it
 * would let them slip; its convex hull may, and with the method at a loss that is believed. */
static int refute_hull(scri_run* run, int32_t iterations)
{
    scri_contradiction* c = &run->contradiction;
    const scree_problem* problem = run->problem;
    if (!c->hull) c->hull = scri_arena_take(c->memory, (size_t)problem->n_contacts, 1);
    if (!c->hull) return 0;
    for (int32_t k = 0; k < problem->n_contacts; ++k) {
        int relaxed = scri_law_relaxed(problem->law[k]);
        c->hull[k] = relaxed < 0 ? problem->law[k] : (uint8_t)relaxed;
    }
    scree_problem hull = *problem;
    hull.law = c->hull;
    scri_search search = {
        .least = LEAST_APPROACH, .iterations = iterations, .y = problem->q, .op = &run->op};
    return refute(run, &hull, &search);
}

int scri_give_way_is_dear(const scri_run* run)
{
    enum { MANY = 1000 }; /* contacts */
    return run->problem->n_contacts >= MANY && run->budget.iterations < DEAR * LONG_SEARCH;
}

/* Iterations of the search for jams while a method goes on. */
static int32_t hull_search(const scri_run* run)
{
    int64_t worth = run->budget.iterations / DEAR;
    if (!scri_give_way_is_dear(run)) return LONG_SEARCH;
    return worth > BRIEF_SEARCH ? (int32_t)worth : BRIEF_SEARCH;
}

int scri_give_way_look(scri_run* run, const scri_natural_map* scaled, int thoroughly)
{
    if (!reserve(run)) return 0;
    scri_search search = {.least = thoroughly ? 1e-6 : LEAST_APPROACH,
                          .iterations = thoroughly ? LONG_SEARCH : BRIEF_SEARCH,
                          .y = is_large(scaled, USELESS) ? run->problem->q : run->at.y,
                          .op = &run->op};
    if (refute(run, run->problem, &search)) return 1;
    if (!may_have_jammed(run)) return 0;
    return refute_hull(run, thoroughly ? LONG_SEARCH : hull_search(run));
}

/* Whether the impulses at hand have grown too much to begin with: not only the contacts of the
 * proof press in vain. */
static int has_grown(const scri_run* run)
{
    const scri_contradiction* c = &run->contradiction;
    double p = 0.0, q = 0.0;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        double s = run->scaling.scale[i], before = c->q[i] - c->give[i];
        double press = run->scaling.unit * s;
        p += run->at.p[i] * press * (run->at.p[i] * press);
        q += before / s * (before / s);
    }
    return !(p <= MOST_GROWTH * MOST_GROWTH * q);
}

/* Impulses with which the contacts of the last proof press. */
static void press(scri_run* run)
{
    const scri_contradiction* own = &run->contradiction;
    const scree_problem* problem = run->problem;
    double strength = PRESS * fmax(1.0, run->scaling.speed / own->all.approach);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        int width = problem->first_row[c + 1] - row, gave = 0;
        double diagonal[SCRI_MAX_WIDTH];
        for (int i = 0; i < width; ++i) gave |= own->found[row + i] != 0.0;
        if (!gave) continue;
        scri_operator_diagonal(&run->op, c, diagonal);
        for (int i = 0; i < width; ++i) {
            double s = run->scaling.scale[row + i];
            run->at.p[row + i] = diagonal[i] > 0.0
                                     ? strength * own->give[row + i] / (run->scaling.unit * (s * s))
                                     : 0.0;
        }
    }
}

void scri_give_way_begin_anew(scri_run* run)
{
    scri_contradiction* c = &run->contradiction;
    if (has_grown(run)) scri_iterate_clear(&run->at);
    press(run);
    scri_newton_system_destroy(run->newton); /* it keeps q */
    run->newton = NULL;
    scri_nsgs_wide_forget(run->wide);
    scri_iterate_forget(&run->at);
    c->gave_way = c->refused = 0;
    c->most_p = SCREE_INFINITY; /* until the first check */
    c->approach_before = c->norm_before = 0.0;
    c->next_look = run->budget.iterations + FIRST_LOOK;
}
