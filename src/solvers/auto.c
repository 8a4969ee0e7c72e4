/* Chooses methods and hands the best iterate from one to the next.
 *
 * Gauss-Seidel comes first, accelerated for a small tolerance: it solves most problems before a
 * Newton method has factored its first matrices. A few rigid bodies go to the dense Newton method
 * after some sweeps, which have found out what slides; many round ones begin in single precision
 * where the tolerance allows, accelerated where that does not end soon, as in what flows, and stay
 * there for long: an update takes a quarter of the time. Many others are swept with acceleration
 * too: a Newton method takes as long as thousands of sweeps, and in a heap of grains, where
 * hundreds stick or slide on the edge, a hundred of its steps. Where sweeps converge too slowly,
 * interior point and then proximal Newton go on: their steps cost more, and ever more as problems
 * grow, so large problems get more sweeps first, and sweeps again from where interior point ends:
 * far from every edge of the laws, where most contacts keep their state, they often converge fast.
 * Where the path of interior point folds back, as much friction makes it do, it is followed through
 * its folds next, step by short step. A time step begins near its solution: there Newton's method
 * begins anew, from what it has found itself and from what the others have, before a path that
 * takes ten times as long, and that is given up sooner in a heap.
 *
 * All of that is the table below. A row is passed over when its method does not fit, when one of
 * the facts it asks for is not so, or when the best residual is not below what it wants to begin
 * with. A row hands over to the next when its method stalls or its iterations are used up.
 */
#include "base/env.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* What is so with a problem, a def and a first guess; of each pair one. */
typedef enum auto_fact {
    BODIES = 1 << 0, /* rigid bodies */
    MATRIX = 1 << 1, /* W assembled, in contact space */
    FEW = 1 << 2,    /* bodies and rows so few that newton-dense fits */
    MANY = 1 << 3,
    FINE = 1 << 4, /* a small tolerance, and sweeps that can be combined */
    COARSE = 1 << 5,
    WARM = 1 << 6, /* the caller gave impulses to begin with */
    COLD = 1 << 7,
    LONG = 1 << 8, /* more iterations are allowed than SWEEPS: Newton's turn may come */
    BRIEF = 1 << 9,
    ODD = 1 << 10, /* bodies that are not round, with contacts so many that Newton takes long */
    PLAIN = 1 << 11,
    HEAP = 1 << 12, /* round bodies with many contacts, and impulses of a step before */
    OTHER = 1 << 13,
    ROUGH = 1 << 14, /* a tolerance that single precision reaches by itself */
    NEAT = 1 << 15,
} auto_fact;

/* Numbers of iterations that depend on the problem. */
enum { REST = 0, SWEEPS = -1, TWICE = -2, LEFT = -3, ANY = 0 };

/* Of the last row nothing else is left to do. */
enum { PATIENT = SCRI_PATIENCE };

/* Where a row begins. Before the first there is only the caller's guess. */
typedef enum auto_start {
    AT_BEST, /* the best iterate so far */
    AT_LAST, /* the last one of the row before, best or not; passed over together with that row */
    AT_ZERO  /* another way may lead elsewhere */
} auto_start;

typedef struct auto_row {
    const scri_solver* method;
    unsigned when;    /* facts that must all be so */
    int64_t most;     /* iterations; REST: all that are left; LEFT: those of the row before */
    int64_t hope;     /* hands over when its rate foresees more than so many further; ANY: never */
    int64_t patience; /* see scri_monitor_begin() */
    auto_start start;
    double below;   /* begins only when the best residual is below this; see CLOSE */
    unsigned brief; /* facts that make it brief, see scri_run.brief */
} auto_row;

/* A residual from which the proximal Newton method often needs only a few steps; interior point
 * would begin afresh. After a first guess that was good, what slides is known earlier. */
#define NEAR 1e-6
#define NEAR_WARM 1e-3
#define ALWAYS SCREE_INFINITY

/* Below MOST_CLOSE tolerances. Sweeps of a heap in motion stay there for thousands more, and
 * Newton's method ends about half of those, most in a single step. */
#define CLOSE (-1.0)
#define MOST_CLOSE 3.0

/* The rate says little right after interior point, so that sweeps from there have no hope to lose.
 * In contact space a damped step of interior point costs as much as hundreds of sweeps. */
#define M(name) &scri_solver_##name
/* clang-format off */
static const auto_row table[] = {
    /* method         facts                   most    hope   patience  start    below      brief */
    {M(nsgs_bodies),  FEW,                    30,     ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(newton_dense), FEW,                    50,     ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs),         FEW,                    LEFT,   ANY,   2000,     AT_LAST, ALWAYS,    0},
    {M(nsgs_wide_aa), MANY | LONG | ROUGH,    6000,   ANY,   6000,     AT_BEST, ALWAYS,    0},
    {M(nsgs_aa),      LONG | ROUGH,           1000,   ANY,   2000,     AT_LAST, ALWAYS,    0},
    {M(nsgs_wide_aa), MANY | LONG | NEAT,     1000,   ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs_aa),      LONG | COARSE | NEAT,   3000,   ANY,   2000,     AT_LAST, ALWAYS,    0},
    {M(nsgs_aa),      ODD | COARSE,           3000,   ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs_wide_aa), MANY | BRIEF,           REST,   ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs_aa),      LONG | HEAP | FINE,     700,    ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs_aa),      LONG | FINE,            SWEEPS, TWICE, 2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs_bodies),  LONG | COARSE,          SWEEPS, TWICE, 2000,     AT_BEST, ALWAYS,    0},
    {M(nsgs),         LONG | COARSE | MATRIX, SWEEPS, TWICE, 2000,     AT_BEST, ALWAYS,    0},
    {M(newton_prox),  LONG | COLD,            12,     ANY,   2000,     AT_BEST, NEAR,      0},
    {M(newton_prox),  LONG | HEAP | COARSE,   60,     ANY,   2000,     AT_BEST, CLOSE,     0},
    {M(newton_prox),  LONG | WARM,            400,    ANY,   2000,     AT_BEST, NEAR_WARM, 0},
    {M(newton_prox),  LONG | WARM | FINE,     400,    ANY,   2000,     AT_BEST, NEAR,      0},
    {M(interior),     LONG,                   200,    ANY,   2000,     AT_BEST, ALWAYS,    MATRIX},
    {M(nsgs_aa),      LONG,                   SWEEPS, ANY,   2000,     AT_LAST, ALWAYS,    0},
    {M(newton_prox),  LONG | WARM | FINE,     400,    ANY,   2000,     AT_BEST, NEAR_WARM, 0},
    {M(newton_prox),  LONG | HEAP | COARSE,   200,    ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(interior_path), LONG | HEAP,           400,    ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(interior_path), LONG | OTHER,          4000,   ANY,   2000,     AT_BEST, ALWAYS,    0},
    {M(newton_prox),  LONG,                   REST,   ANY,   400,      AT_BEST, ALWAYS,    0},
    {M(apgd),         LONG,                   20000,  ANY,   2000,     AT_ZERO, ALWAYS,    0},
    {M(newton_prox),  LONG,                   REST,   ANY,   400,      AT_LAST, ALWAYS,    0},
    {M(nsgs_bodies),  0,                      REST,   ANY,   PATIENT,  AT_BEST, ALWAYS,    0},
    {M(nsgs),         MATRIX,                 REST,   ANY,   PATIENT,  AT_BEST, ALWAYS,    0},
};
/* clang-format on */
#undef M

enum { ROWS = sizeof table / sizeof table[0] };

/* Those rows of the table that a run may come to, with what they need to know. */
typedef struct auto_plan {
    int32_t count;
    int32_t row[ROWS];
    int64_t sweeps; /* SWEEPS */
    unsigned facts;
} auto_plan;

/* Sweeps worth as much as the dozen or two factorisations that solve the same problem. With bodies
 * a factorisation costs about sqrt(n) / 2 sweeps over n contacts, in contact space, where matrices
 * are larger, about n / 20 (both measured from 400 to 10,000 contacts). A time step, whose
 * tolerance is loose and whose first guess is good, is left to sweeps for longer. */
static int64_t sweeps_before_newton(const scree_problem* problem, int is_tight)
{
    enum { LEAST = 200, LEAST_OTHER = 400 };
    int64_t n = problem->n_contacts;
    if (problem->form != SCREE_FORM_BODIES || !is_tight) return n > LEAST_OTHER ? n : LEAST_OTHER;
    int64_t sweeps = (int64_t)(10.0 * sqrt((double)n));
    return sweeps > LEAST ? sweeps : LEAST;
}

static int fits(const scri_run* run, const scri_solver* solver)
{
    return !scri_solver_unfit(run->env, solver, run->problem, run->def, &run->facts);
}

/* While only counting there are no impulses to look at: then the guess counts as both. */
static unsigned facts_of_guess(const scri_run* run)
{
    if (!run->at.p) return WARM | COLD;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        if (run->at.p[i] != 0.0) return WARM;
    }
    return COLD;
}

/* Whether row i may be come to. `fit` [ROWS] remembers 1 for a method that fits, -1 for one that
 * does not: looking at every contact once is enough. */
static int may_come_to(const scri_run* run, const auto_plan* plan, int32_t i, int8_t* fit)
{
    const auto_row* row = &table[i];
    int is_left = plan->count == 0 || plan->row[plan->count - 1] != i - 1;
    if ((row->when & ~plan->facts) != 0 || (row->start == AT_LAST && is_left)) return 0;
    for (int32_t j = 0; j < i && fit[i] == 0; ++j) {
        if (table[j].method == row->method) fit[i] = fit[j];
    }
    if (fit[i] == 0) fit[i] = fits(run, row->method) ? 1 : -1;
    return fit[i] > 0;
}

static auto_plan make_plan(const scri_run* run)
{
    enum { MANY_ODD = 1000, MANY_ROUND = 500 };
    int32_t n = run->problem->n_contacts;
    int has_bodies = run->problem->form == SCREE_FORM_BODIES;
    int is_tight = run->def->tol < 1e-5, is_rough = run->def->tol >= 1e-4;
    auto_plan plan = {.sweeps = sweeps_before_newton(run->problem, is_tight)};
    int8_t fit[ROWS] = {0};
    plan.facts = facts_of_guess(run);
    plan.facts |= has_bodies ? BODIES : MATRIX;
    plan.facts |= has_bodies && fits(run, &scri_solver_newton_dense) ? FEW : MANY;
    plan.facts |= is_tight && fits(run, &scri_solver_nsgs_aa) ? FINE : COARSE;
    plan.facts |= plan.sweeps < run->def->max_iter ? LONG : BRIEF;
    plan.facts |= run->facts.n_odd > 0 && n >= MANY_ODD ? ODD : PLAIN;
    int is_heap = (plan.facts & WARM) && has_bodies && run->facts.n_odd == 0 && n >= MANY_ROUND;
    plan.facts |= is_heap ? HEAP : OTHER;
    plan.facts |= is_rough ? ROUGH : NEAT;
    for (int32_t i = 0; i < ROWS; ++i) {
        if (may_come_to(run, &plan, i, fit)) plan.row[plan.count++] = i;
    }
    return plan;
}

/* Bytes that the method of a row takes. */
static size_t need_of(scri_run* run, const auto_row* row)
{
    scri_bump count = {NULL, 0};
    row->method->solve(run, &count);
    return count.used;
}

/* Bytes of the workspace, which the methods share: for the largest of them. Of problems with many
 * contacts the first method solves nearly all, and what comes later takes three times as much as
 * packs: what takes more than the first asks for its memory when it is come to, as factors of
 * matrices do. */
static size_t room_of(scri_run* run, const auto_plan* plan)
{
    enum { MANY_TO_RESERVE = 1000 };
    int32_t n = run->problem->n_contacts < MANY_TO_RESERVE ? plan->count : 1;
    size_t most = 0;
    for (int32_t i = 0; i < n && i < plan->count; ++i) {
        size_t need = need_of(run, &table[plan->row[i]]);
        if (need > most) most = need;
    }
    return most;
}

/* Whether the next row may go on: this one gave up, and iterations are left. */
static int goes_on(const scri_run* run)
{
    scree_outcome outcome = run->outcome;
    if (run->budget.iterations >= run->def->max_iter) return 0;
    return outcome == SCREE_OUTCOME_STALLED || outcome == SCREE_OUTCOME_ITERATION_LIMIT;
}

static void begin_at(scri_run* run, auto_start start)
{
    if (start == AT_ZERO) {
        run->is_at_guess = 0;
        scri_iterate_clear(&run->at);
    } else if (start == AT_BEST && run->n_stages > 0) {
        scri_iterate_return(&run->at);
    }
}

/* Tells the caller what a row did. */
static void tell(scri_run* run, const scree_stage* stage)
{
    const scree_solver_def* def = run->def;
    if (def->stages && run->n_stages < def->stages_room) def->stages[run->n_stages] = *stage;
    run->n_stages++;
}

static int is_below(const scri_run* run, double below)
{
    return run->at.residual < (below == CLOSE ? MOST_CLOSE * run->def->tol : below);
}

static void run_row(scri_run* run, scri_bump* bump, const auto_row* row, const auto_plan* plan)
{
    int64_t before = run->budget.iterations, asked = row->most, hope = row->hope;
    double began = scri_budget_time(&run->budget);
    if (asked == REST) asked = scri_budget_left(&run->budget);
    if (asked == SWEEPS) asked = plan->sweeps;
    if (asked == LEFT) asked = run->budget.limit - before;
    if (hope == TWICE) hope = 2 * plan->sweeps;
    begin_at(run, row->start);
    scri_run_begin(run, row->method->name, asked, row->patience, hope);
    run->brief = (row->brief & plan->facts) != 0;
    row->method->solve(run, bump);
    run->is_at_guess = 0;
    tell(run, &(scree_stage){row->method->name, run->budget.iterations - before, run->at.residual,
                             scri_budget_time(&run->budget) - began});
}

/* A row that takes more than there is in the workspace; passed over where the host has no more. */
static void run_apart(scri_run* run, size_t need, const auto_row* row, const auto_plan* plan)
{
    scri_bump apart = {scri_alloc(run->env, need), 0};
    if (apart.memory) run_row(run, &apart, row, plan);
    scri_release(run->env, apart.memory);
}

static void solve(scri_run* run, scri_bump* bump)
{
    auto_plan plan = make_plan(run);
    size_t room = room_of(run, &plan);
    if (!bump->memory) {
        bump->used += room;
        return;
    }
    for (int32_t i = 0; i < plan.count; ++i) {
        const auto_row* row = &table[plan.row[i]];
        if (!is_below(run, row->below)) continue;
        size_t need = need_of(run, row);
        if (need > room) {
            run_apart(run, need, row, &plan);
        } else {
            scri_bump here = *bump;
            run_row(run, &here, row, &plan);
        }
        if (!goes_on(run)) return;
    }
}

const scri_solver scri_solver_auto = {
    "auto",
    "Gauss-Seidel first, then Newton methods where that is too slow; says what it did",
    "everything",
    NULL,
    solve,
};
