/* One part of a step.
 *
 * What a step leaves unsolved comes back in the next one, as velocity and as gap, in motions that
 * sweeps hardly damp: solved to the tolerance alone, a stack of boxes never stops. Bodies about to
 * rest are therefore solved to rounding, and set at rest where the law allows it: from then on
 * every step begins with its solution, and one look at the residual is all it takes. A handful of
 * contacts always is: it costs microseconds.
 *
 * Under Coulomb's law rest and motion may both be solutions. Under its convex relaxation velocities
 * are unique, and where they vanish the two laws agree: rest is looked for by that. */
#include "step/part.h"

#include "base/groups.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "problem/natural_map.h"
#include "solvers/newton_system.h"
#include "solvers/nsgs_wide.h"
#include "solvers/solve.h"
#include "step/joints.h"
#include "step/rest.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* Velocities right to this share of their contact's are left as they are; else Newton's method aims
 * for a tenth of it. */
#define AT_ROUNDING 1e-12
#define POLISH_TOL (0.1 * AT_ROUNDING)

/* Speeds of bodies about to rest, and of bodies that exact steps have all but stopped, in units of
 * what gravity gives in a step. */
#define QUIET 2.0
#define CALM 0.03

/* Parts of up to FEW_ROWS are solved to rounding in every step, those of more than MOST_BODIES,
 * whose factors would not fit, in none, and others in one of 1 + rows / ROWS_PER_STEP: several
 * steps IN_A_ROW, of which the first closes the gaps that sweeps have left, and the next finds
 * rest. Where bodies are calm, each such step slows them further, tenfold in the gap scheme: up to
 * WHILE_CALM in a row are then made. */
enum { FEW_ROWS = 36, MOST_BODIES = 8000, ROWS_PER_STEP = 20, IN_A_ROW = 3, WHILE_CALM = 12 };
enum { NEWTON_STEPS = 30, INTERIOR_STEPS = 60, DENSE_STEPS = 10 };

static void relax_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_contacts_table* t = *(const scri_contacts_table* const*)context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) t->relaxed[i] = t->q[i] + t->give[i];
}

scree_problem scri_part_relaxed(scri_team* team, const scree_problem* problem,
                                const scri_contacts_table* t)
{
    enum { GRAIN = 4096 };
    scree_problem relaxed = *problem;
    scri_team_for(team, t->first_row[t->n], GRAIN, relax_rows, &t);
    relaxed.q = t->relaxed;
    return relaxed;
}

/* ---- looking at a part ----------------------------------------------------------------------- */

/* The shares of all contacts, where the part has all of them: blocks begin with members, not
 * bodies, which have the same order but for those that do not respond, behind all others. */
static const scri_shares* shares_of(const scree_world* world, scri_part* part)
{
    const scri_members_table* m = &part->members;
    if (world->parts.n > 1 || world->is_ranked || !part->desk->team || !world->shares.team) {
        return NULL;
    }
    int32_t n = world->parts.body[1], place = 0;
    part->shares = world->shares;
    for (int32_t k = 0; k < part->shares.n_blocks; ++k) {
        while (place < n && m->body[place] < world->shares.first[k]) ++place;
        part->shares.first[k] = place;
    }
    part->shares.first[part->shares.n_blocks] = m->n;
    return &part->shares;
}

typedef struct crowd {
    const scree_world* world;
    const scri_members_table* members;
} crowd;

/* Contacts of bodies of a range that have so many that one of them may find no colour free: at its
 * two bodies together there are fewer others than colours, unless one of them has more than half.
 */
static double crowded_at(const void* context, int32_t begin, int32_t end)
{
    const crowd* of = context;
    int64_t sum = 0;
    for (int32_t i = begin; i < end; ++i) {
        int32_t n = of->world->bodies.n_contacts[of->members->body[i]];
        if (n > SCRI_COLOURS / 2 && of->members->inv_mass[i] > 0.0) sum += n;
    }
    return (double)sum;
}

/* What contacts are asked before they are solved. Fewer that may be crowded take less memory. */
static scri_facts facts_of(const scree_world* world, const scri_part* part)
{
    enum { GRAIN = 4096 }; /* bodies that are worth handing to another worker */
    scri_team* team = part->desk->team;
    scri_facts facts = scri_facts_find(&part->problem, team);
    const crowd of = {world, &part->members};
    double most = scri_groups_sum(team, part->members.n, GRAIN, crowded_at, &of);
    if (most < facts.n_crowded) facts.n_crowded = (int32_t)most;
    return facts;
}

scree_status scri_part_get_to_know(const scree_world* world, scri_part* part)
{
    scri_desk* desk = part->desk;
    const scree_problem* problem = &part->problem;
    scri_facts facts = facts_of(world, part);
    for (int counting = 1; counting >= 0; --counting) {
        scri_bump bump = {counting ? NULL : desk->known, 0};
        scri_known* room = scri_bump_take(&bump, 1, sizeof *room);
        scri_known known = scri_known_create(problem, &facts, desk->team, &bump);
        known.wide = scri_nsgs_wide_share(problem, &facts, &bump);
        known.colour = world->is_coloured && world->parts.n == 1 ? part->contacts.colour : NULL;
        scree_status status = counting ? scri_desk_reserve_known(desk, bump.used) : SCREE_OK;
        if (status) return status;
        if (!counting) *room = known;
        part->known = room;
    }
    scri_known_find(part->known, shares_of(world, part), scri_step_least_speed(world));
    return SCREE_OK;
}

double scri_part_look(const scree_world* world, const scri_part* part, const scree_problem* problem)
{
    const double* p = part->contacts.p;
    if (problem == &part->problem) {
        scri_known_judge(part->known, p);
        return part->known->map.local;
    }
    scri_known relaxed = scri_known_relaxed(part->known, problem, scri_step_least_speed(world));
    scri_known_judge(&relaxed, p);
    return relaxed.map.local;
}

int scri_part_is_settled(scree_world* world, const scri_part* part, double residual)
{
    if (residual <= fmin(AT_ROUNDING, world->def.solver.tol)) return 1;
    if (!(residual <= fmin(SCRI_REST_TOL, world->def.solver.tol))) return 0;
    scri_islands_apply(world, part->number);
    for (int32_t i = 0; i < part->members.n; ++i) {
        const double* v = world->bodies.next + SCRI_BODY_STRIDE * (size_t)part->members.body[i];
        if (part->members.inv_mass[i] == 0.0) continue;
        for (int j = 0; j < 6; ++j) {
            if (v[j] != 0.0) return 0;
        }
    }
    return 1;
}

typedef struct speed_limit {
    const scree_world* world;
    const scri_members_table* members;
    double square;
} speed_limit;

/* 1 where a body of a range is faster at the beginning of the step; and in the other, as a member.
 */
static double was_fast(const void* context, int32_t begin, int32_t end)
{
    const speed_limit* limit = context;
    const scri_members_table* m = limit->members;
    for (int32_t i = begin; i < end; ++i) {
        const double* v = limit->world->bodies.velocity + 3 * (size_t)m->body[i];
        if (m->inv_mass[i] > 0.0 && !(scri_dot3(v, v) <= limit->square)) return 1.0;
    }
    return 0.0;
}

static double is_fast(const void* context, int32_t begin, int32_t end)
{
    const speed_limit* limit = context;
    const scri_members_table* m = limit->members;
    for (int32_t i = begin; i < end; ++i) {
        const double* v = m->velocity + SCRI_BODY_STRIDE * (size_t)i;
        if (m->inv_mass[i] > 0.0 && !(scri_dot3(v, v) <= limit->square)) return 1.0;
    }
    return 0.0;
}

/* Whether any body of a part is, by one of these. */
static int any_is(const scri_part* part, const speed_limit* limit, scri_group_value* value)
{
    enum { GRAIN = 512 }; /* bodies that are worth handing to another worker */
    int32_t n = part->members.n;
    if (!part->desk->team) return value(limit, 0, n) > 0.0;
    return scri_groups_most(part->desk->team, n, GRAIN, value, limit) > 0.0;
}

/* Whether all bodies of a part are slower than `limit` at the beginning of the step. */
static int were_slow(const scree_world* world, const scri_part* part, double limit)
{
    return !any_is(part, &(speed_limit){world, &part->members, limit * limit}, was_fast);
}

/* The same with the impulses at hand. */
static int are_slow(const scree_world* world, const scri_part* part, double limit)
{
    scri_rest_reach(world, part);
    return !any_is(part, &(speed_limit){world, &part->members, limit * limit}, is_fast);
}

int scri_part_may_be_right(const scree_world* world, const scri_part* part)
{
    if (part->contacts.first_row[part->contacts.n] <= FEW_ROWS) return 1;
    return were_slow(world, part, QUIET * scri_step_gravity_speed(world));
}

/* ---- solving it ------------------------------------------------------------------------------ */

scree_status scri_part_sweep(scree_world* world, const scri_part* part, scree_solver_def def,
                             scree_report* report)
{
    const scree_env* env = scri_pool_env(world->pool);
    scri_desk* desk = part->desk;
    scree_report before = *report;
    scree_status status = scri_desk_reserve(desk, scri_solve_known_size(env, part->known, &def));
    if (status) return status;
    status = scri_solve_known(env, part->known, &def, desk->work, part->contacts.p, report);
    report->iterations += before.iterations;
    report->time_s += before.time_s;
    return status;
}

/* One more solve of `problem` from the impulses at hand, by a method that goes to rounding; by
 * sweeps where it does not fit the laws of this world. */
static scree_status refine(scree_world* world, const scri_part* part, const scree_problem* problem,
                           const char* solver, int64_t iterations, scree_report* report)
{
    const scree_env* env = scri_pool_env(world->pool);
    scri_desk* desk = part->desk;
    scree_solver_def def = scri_step_solver(world);
    scri_solver_def_turn_to(&def, solver);
    def.tol = POLISH_TOL;
    def.normal_tol = scree_default_solver_def().normal_tol;
    def.max_iter = iterations;
    def.min_iter = 0;
    if (scree_solver_unfit(env, problem, &def)) def.solver = "nsgs";
    scree_status status =
        scri_desk_reserve(desk, scri_solve_work_size(env, problem, &def, desk->team));
    if (status) return status;
    scree_report finer;
    status = scri_solve(env, problem, &def, desk->team, desk->work, part->contacts.p, &finer);
    report->residual = finer.residual;
    report->iterations += finer.iterations;
    report->time_s += finer.time_s;
    return status;
}

/* Looks for rest by the convex relaxation of the law; where there is none the impulses stay as they
 * are. */
static scree_status try_rest(scree_world* world, const scri_part* part,
                             const scree_problem* problem, scree_report* report)
{
    const scri_contacts_table* t = &part->contacts;
    size_t bytes = (size_t)t->first_row[t->n] * sizeof *t->p;
    for (int32_t c = 0; c < t->n; ++c) {
        int relaxed = scri_law_relaxed(t->law[c]);
        if (relaxed < 0) return SCREE_OK;
        t->tried[c] = (uint8_t)relaxed;
    }
    scree_problem convex = *problem;
    convex.law = t->tried;
    scree_report found = *report;
    scri_team_copy(part->desk->team, t->kept, t->p, bytes);
    scree_status status = refine(world, part, &convex, "interior", INTERIOR_STEPS, &found);
    int rests = !status && are_slow(world, part, SCRI_AT_REST * scri_step_gravity_speed(world));
    if (rests) found.residual = scri_part_look(world, part, problem);
    if (rests && !status && found.residual > AT_ROUNDING) {
        status = refine(world, part, problem, "newton-prox", NEWTON_STEPS, &found);
    }
    if (rests && !status && found.residual < report->residual) {
        *report = found;
    } else {
        scri_team_copy(part->desk->team, t->p, t->kept, bytes);
        report->iterations = found.iterations;
        report->time_s = found.time_s;
    }
    return status;
}

/* To rounding, by one method after the other. */
static scree_status polish(scree_world* world, const scri_part* part, const scree_problem* problem,
                           scree_report* report)
{
    static const struct {
        const char* solver;
        int64_t iterations;
    } methods[] = {
        {"newton-prox", NEWTON_STEPS}, {"interior", INTERIOR_STEPS}, {"newton-prox", NEWTON_STEPS}};
    scree_status status = SCREE_OK;
    if (report->residual <= AT_ROUNDING) return SCREE_OK;
    if (part->contacts.first_row[part->contacts.n] <= FEW_ROWS) {
        return refine(world, part, problem, "newton-dense", DENSE_STEPS, report);
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods && !status; ++i) {
        if (report->residual <= AT_ROUNDING) break;
        status = refine(world, part, problem, methods[i].solver, methods[i].iterations, report);
    }
    return status;
}

/* Whether no body of a part is faster than `limit` at the beginning of the step, turning included:
 * by the least radius of gyration that the trace of the inverse inertia allows. */
static int were_calm(const scree_world* world, const scri_part* part, double limit)
{
    const scri_members_table* m = &part->members;
    for (int32_t i = 0; i < m->n; ++i) {
        const double *w = world->bodies.omega + 3 * (size_t)m->body[i],
                     *inverse = m->inv_inertia + 6 * (size_t)i;
        double trace = inverse[0] + inverse[1] + inverse[2];
        if (trace > 0.0 && !(scri_dot3(w, w) * m->inv_mass[i] <= trace * limit * limit)) return 0;
    }
    return were_slow(world, part, limit);
}

/* Whether a large part is tried in this step: it depends on the number of the step and on
 * velocities, so that a run that is taken up again goes the same way. What begins at rest has the
 * same problem in the next step, if it is solved now. */
static int is_due(const scree_world* world, const scri_part* part)
{
    int32_t n_rows = part->contacts.first_row[part->contacts.n];
    int64_t turn = world->steps % (IN_A_ROW * (int64_t)(1 + n_rows / ROWS_PER_STEP));
    double calm = turn < WHILE_CALM ? CALM * scri_step_gravity_speed(world) : 0.0;
    if (part->members.n > MOST_BODIES) return 0;
    if (turn >= WHILE_CALM && scri_rest_is_open(world, part)) return 0;
    if (turn >= IN_A_ROW && !were_calm(world, part, calm)) return 0;
    return scri_newton_system_fits(&world->env, &part->problem);
}

scree_status scri_part_solve(scree_world* world, const scri_part* part, scree_report* report)
{
    double quiet = QUIET * scri_step_gravity_speed(world), tol = world->def.solver.tol;
    int due = is_due(world, part), few = part->contacts.first_row[part->contacts.n] <= FEW_ROWS;
    int tried = due && !few && were_slow(world, part, quiet);
    scree_status status = SCREE_OK;
    report->residual = SCREE_INFINITY;
    report->solver = "interior";
    if (tried) status = try_rest(world, part, &part->problem, report);
    scri_islands_hand_back(world, part);
    if (status || scri_part_is_settled(world, part, report->residual)) return status;
    if (!(report->residual <= tol)) {
        scree_solver_def def = scri_step_solver(world);
        def.give = part->contacts.give;
        status = scri_part_sweep(world, part, def, report);
    }
    if (!status) status = scri_rest_come(world, part, report);
    if (world->parts.held[part->number]) return status;
    if (status || !due || report->residual <= AT_ROUNDING) return status;
    int is_quiet = are_slow(world, part, quiet);
    if (!is_quiet && !few) return SCREE_OK;
    scree_problem relaxed = scri_part_relaxed(part->desk->team, &part->problem, &part->contacts);
    tried &= report->outcome != SCREE_OUTCOME_INFEASIBLE;
    if (is_quiet && !tried) status = try_rest(world, part, &relaxed, report);
    scri_islands_hand_back(world, part);
    if (status || scri_part_is_settled(world, part, report->residual)) return status;
    return polish(world, part, &relaxed, report);
}
