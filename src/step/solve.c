/* The impulses of a step, part by part.
 *
 * What a step leaves unsolved comes back in the next one, as velocity and as gap, in motions that
 * sweeps hardly damp: solved to the tolerance alone, a stack of boxes never stops. Bodies about to
 * rest are therefore solved to rounding, and set at rest where the law allows it: from then on
 * every step begins with its solution, and one look at the residual is all it takes. A handful of
 * contacts always is: it costs microseconds.
 *
 * Under Coulomb's law rest and motion may both be solutions. Under its convex relaxation velocities
 * are unique, and where they vanish the two laws agree: rest is looked for by that. */
#include "solvers/solve.h"

#include "base/arena.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "problem/certificate.h"
#include "problem/natural_map.h"
#include "solvers/newton_system.h"
#include "step/islands.h"
#include "step/joints.h"
#include "step/rest.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* Velocities right to this share of their contact's are left as they are; else Newton's method aims
 * for a tenth of it. */
#define AT_ROUNDING 1e-12
#define POLISH_TOL (0.1 * AT_ROUNDING)

/* Speeds of bodies about to rest, of bodies that exact steps have all but stopped, and of bodies at
 * rest but for rounding, in units of what gravity gives in a step. */
#define QUIET 2.0
#define CALM 0.03
#define AT_REST 1e-6

/* Where every velocity vanishes but for the rounding of what cancels in it, no residual up to this
 * can be made smaller: a body between others a million times as heavy feels their last digits. */
#define REST_TOL 1e-6

/* Parts of up to FEW_ROWS are solved to rounding in every step, those of more than MOST_BODIES,
 * whose factors would not fit, in none, and others in one of 1 + rows / ROWS_PER_STEP: several
 * steps IN_A_ROW, of which the first closes the gaps that sweeps have left, and the next finds
 * rest. Where bodies are calm, each such step slows them further, tenfold in the gap scheme: up to
 * WHILE_CALM in a row are then made. */
enum { FEW_ROWS = 36, MOST_BODIES = 8000, ROWS_PER_STEP = 20, IN_A_ROW = 3, WHILE_CALM = 12 };
enum { NEWTON_STEPS = 30, INTERIOR_STEPS = 60, DENSE_STEPS = 10 };

scree_status scri_step_reserve_work(scree_world* world, size_t size)
{
    const scree_env* env = &world->env;
    if (size <= world->work_size) return SCREE_OK;
    size += size / 2;
    scri_release(env, world->work);
    world->work = scri_alloc(env, size);
    world->work_size = world->work ? size : 0;
    return world->work ? SCREE_OK : scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a step");
}

double scri_step_gravity_speed(const scree_world* world)
{
    const double* g = world->def.gravity;
    return world->def.step * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

/* Share of the speed of joined bodies that is no measure any more: where nothing but rounding is
 * left of the free velocities of a loop, there is no other. */
#define OF_JOINED 1e-9

double scri_step_least_speed(const scree_world* world)
{
    return fmax(scri_step_gravity_speed(world), OF_JOINED * world->joint_system.fastest);
}

static void relax_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_contacts_table* t = *(const scri_contacts_table* const*)context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) t->relaxed[i] = t->q[i] + t->give[i];
}

/* problem with q + give, which is written to t->relaxed */
static scree_problem relax(const scree_world* world, const scree_problem* problem,
                           const scri_contacts_table* t)
{
    enum { GRAIN = 4096 };
    scree_problem relaxed = *problem;
    scri_team_for(world->team, t->first_row[t->n], GRAIN, relax_rows, &t);
    relaxed.q = t->relaxed;
    return relaxed;
}

scree_problem scri_step_relaxed(const scree_world* world)
{
    return relax(world, &world->problem, &world->contacts);
}

/* ---- looking at a part ----------------------------------------------------------------------- */

/* The local residual of impulses. */
static scree_status look(scree_world* world, const scree_problem* problem, const double* p,
                         double* residual)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_operator op;
    scri_scaling scaling;
    double* y = NULL;
    for (int counting = 1; counting >= 0; --counting) {
        scri_bump bump = {counting ? NULL : world->work, 0};
        op = scri_operator_create(problem, &bump);
        scaling = scri_scaling_create(problem, &bump);
        y = scri_bump_take(&bump, n_rows, sizeof *y);
        scree_status status = counting ? scri_step_reserve_work(world, bump.used) : SCREE_OK;
        if (status) return status;
    }
    scri_operator_share(&op, world->team);
    scri_operator_apply(&op, p, y);
    scri_scaling_compute(&op, &scaling);
    scaling.speed = fmax(scaling.speed, scri_step_least_speed(world));
    *residual =
        scri_natural_map_evaluate(op.team, problem, &scaling, op.velocity, p, y, NULL).local;
    return SCREE_OK;
}

/* Whether impulses that leave this residual cannot be made better: right to rounding, or at rest to
 * rounding. The world must have them. */
static int is_settled(scree_world* world, const scri_part* part, double residual)
{
    if (residual <= fmin(AT_ROUNDING, world->def.solver.tol)) return 1;
    if (!(residual <= fmin(REST_TOL, world->def.solver.tol))) return 0;
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

/* Whether all bodies of a part are slower than `limit` at the beginning of the step. */
static int were_slow(const scree_world* world, const scri_part* part, double limit)
{
    const scri_members_table* m = &part->members;
    for (int32_t i = 0; i < m->n; ++i) {
        const double* v = world->bodies.velocity + 3 * (size_t)m->body[i];
        if (m->inv_mass[i] > 0.0 && !(scri_dot3(v, v) <= limit * limit)) return 0;
    }
    return 1;
}

/* The same with the impulses at hand. */
static int are_slow(const scree_world* world, const scri_part* part, double limit)
{
    const scri_members_table* m = &part->members;
    scri_rest_reach(world, part);
    for (size_t i = 0; i < (size_t)m->n; ++i) {
        const double* v = m->velocity + SCRI_BODY_STRIDE * i;
        if (m->inv_mass[i] > 0.0 && !(scri_dot3(v, v) <= limit * limit)) return 0;
    }
    return 1;
}

/* ---- solving it ------------------------------------------------------------------------------ */

/* Solves a part as `def` says. */
static scree_status sweep(scree_world* world, const scri_part* part, scree_solver_def def,
                          scree_report* report)
{
    const scree_env* env = scri_pool_env(world->pool);
    def.give = part->contacts.give;
    scree_report before = *report;
    scree_status status =
        scri_step_reserve_work(world, scri_solve_work_size(env, &part->problem, &def, world->team));
    if (status) return status;
    status =
        scri_solve(env, &part->problem, &def, world->team, world->work, part->contacts.p, report);
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
    scree_solver_def def = scri_step_solver(world);
    scri_solver_def_turn_to(&def, solver);
    def.tol = POLISH_TOL;
    def.normal_tol = scree_default_solver_def().normal_tol;
    def.max_iter = iterations;
    def.min_iter = 0;
    if (scree_solver_unfit(env, problem, &def)) def.solver = "nsgs";
    scree_status status =
        scri_step_reserve_work(world, scri_solve_work_size(env, problem, &def, world->team));
    if (status) return status;
    scree_report finer;
    status = scri_solve(env, problem, &def, world->team, world->work, part->contacts.p, &finer);
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
    memcpy(t->kept, t->p, bytes);
    scree_status status = refine(world, part, &convex, "interior", INTERIOR_STEPS, &found);
    int rests = !status && are_slow(world, part, AT_REST * scri_step_gravity_speed(world));
    if (rests) status = look(world, problem, t->p, &found.residual);
    if (rests && !status && found.residual > AT_ROUNDING) {
        status = refine(world, part, problem, "newton-prox", NEWTON_STEPS, &found);
    }
    if (rests && !status && found.residual < report->residual) {
        *report = found;
    } else {
        memcpy(t->p, t->kept, bytes);
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

/* Speeds of a part that may come to rest in this step, in units of the tolerance. Speeds above
 * PROVEN residuals are motion, however small. */
#define NEARLY 5.0
#define PROVEN 50.0

/* What is spent on a part that may come to rest, and on one that rests. */
enum { SWEEPS_TO_REST = 200, SWEEPS_AT_REST = 100 };

/* Goes on with sweeps from where others have ended, accelerated ones where that is possible. */
static scree_status sweep_on(scree_world* world, const scri_part* part, double tol, int64_t most,
                             scree_report* report)
{
    static const char* const methods[] = {"nsgs-wide-aa", "nsgs-aa"};
    const scree_env* env = scri_pool_env(world->pool);
    scree_report before = *report;
    scree_solver_def def = scri_step_solver(world);
    def.tol = tol;
    if (most < def.max_iter) def.max_iter = most;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        scree_solver_def other = def;
        scri_solver_def_turn_to(&other, methods[i]);
        if (scree_solver_unfit(env, &part->problem, &other)) continue;
        def = other;
        break;
    }
    scree_status status = sweep(world, part, def, report);
    report->updates += before.updates;
    report->fail_safe += before.fail_safe;
    return status;
}

/* Whether a residual and a tolerance allow speeds that the impulses leave to be none. */
static int may_rest(double left, double residual, double tol)
{
    return left <= tol && left <= fmax(PROVEN * residual, AT_REST);
}

/* Takes a large part to rest that slows down, and whose tolerance cannot tell its motion from none.
 */
static scree_status come_to_rest(scree_world* world, const scri_part* part, scree_report* report)
{
    double tol = world->def.solver.tol;
    scree_status status = SCREE_OK;
    if (!scri_rest_is_open(world, part) || !(report->residual <= tol)) return SCREE_OK;
    if (report->outcome == SCREE_OUTCOME_INFEASIBLE) return SCREE_OK;
    scri_rest at = scri_rest_begin(world, part);
    if (!(at.began <= NEARLY * tol)) return SCREE_OK;
    scri_rest_look(world, part, &at);
    if (at.left > tol && at.left <= NEARLY * tol) {
        status = sweep_on(world, part, 0.1 * tol, SWEEPS_TO_REST, report);
        scri_rest_look(world, part, &at);
    }
    int slows = at.began == 0.0 || at.left <= at.began;
    if (status || !slows || !may_rest(at.left, report->residual, tol)) return status;
    scri_rest_take(world, part, &at);
    return SCREE_OK;
}

/* A large part at rest, whose first guess is right to the tolerance, stays there unless it is found
 * to move: sweeps go on from step to step until that is decided or nothing more can be gained. */
static scree_status stay_at_rest(scree_world* world, const scri_part* part, scree_report* report,
                                 int* rests)
{
    double tol = world->def.solver.tol, guess = report->residual;
    scree_status status = SCREE_OK;
    *rests = 0;
    if (!(guess <= tol) || !scri_rest_is_open(world, part)) return SCREE_OK;
    scri_rest at = scri_rest_begin(world, part);
    if (at.began > 0.0) return SCREE_OK;
    if (guess > REST_TOL) {
        status = sweep_on(world, part, fmax(0.1 * guess, REST_TOL), SWEEPS_AT_REST, report);
    }
    if (status || report->outcome == SCREE_OUTCOME_INFEASIBLE) return status;
    scri_rest_look(world, part, &at);
    *rests = may_rest(at.left, report->residual, tol);
    if (!*rests) return SCREE_OK;
    scri_rest_take(world, part, &at);
    world->parts.settled[part->number] = !(report->residual < guess);
    return SCREE_OK;
}

/* A part whose first guess is not right. One that hardly moves may rest, which sweeps find last:
 * that comes first. */
static scree_status solve_part(scree_world* world, const scri_part* part, scree_report* report)
{
    double quiet = QUIET * scri_step_gravity_speed(world), tol = world->def.solver.tol;
    int due = is_due(world, part), few = part->contacts.first_row[part->contacts.n] <= FEW_ROWS;
    int tried = due && !few && were_slow(world, part, quiet);
    scree_status status = SCREE_OK;
    report->residual = SCREE_INFINITY;
    report->solver = "interior";
    if (tried) status = try_rest(world, part, &part->problem, report);
    scri_islands_hand_back(world, part);
    if (status || is_settled(world, part, report->residual)) return status;
    if (!(report->residual <= tol)) status = sweep(world, part, scri_step_solver(world), report);
    if (!status) status = come_to_rest(world, part, report);
    if (world->parts.held[part->number]) return status;
    if (status || !due || report->residual <= AT_ROUNDING) return status;
    int is_quiet = are_slow(world, part, quiet);
    if (!is_quiet && !few) return SCREE_OK;
    scree_problem relaxed = relax(world, &part->problem, &part->contacts);
    tried &= report->outcome != SCREE_OUTCOME_INFEASIBLE;
    if (is_quiet && !tried) status = try_rest(world, part, &relaxed, report);
    scri_islands_hand_back(world, part);
    if (status || is_settled(world, part, report->residual)) return status;
    return polish(world, part, &relaxed, report);
}

/* A part with joints: its equations directly, and the rest with them where it is not right then. */
static scree_status solve_joints(scree_world* world, const scri_part* part, scree_report* report,
                                 int* is_right)
{
    scree_report found = *report;
    scree_status status = scri_joints_solve(world, part, 1, &found);
    report->solver = "direct";
    for (int k = 0; k < 2 && !status; ++k) {
        scree_problem relaxed = relax(world, &part->problem, &part->contacts);
        status = look(world, &relaxed, part->contacts.p, &report->residual);
        scri_islands_hand_back(world, part);
        *is_right = !status && is_settled(world, part, report->residual);
        if (status || *is_right || k == 1 || !scri_joints_are_few(part)) break;
        status = scri_joints_solve(world, part, 0, &found);
        found.residual = report->residual;
        *report = found;
    }
    *is_right |= report->residual <= world->def.solver.tol;
    return status;
}

/* Sweeps go on from a direct answer that misses the tolerance, as the rounding of a redundant loop
 * may; what is worse afterwards is taken back. */
static scree_status improve(scree_world* world, const scri_part* part, scree_report* report)
{
    const scree_env* env = scri_pool_env(world->pool);
    const scri_contacts_table* t = &part->contacts;
    size_t n = (size_t)t->first_row[t->n];
    scri_arena* arena = scri_arena_create(env);
    double* kept = arena ? scri_arena_take(arena, 2 * n + 1, sizeof *kept) : NULL;
    double direct = report->residual;
    scree_status status = SCREE_ERROR_MEMORY;
    if (kept) {
        memcpy(kept, t->p, n * sizeof *kept);
        memcpy(kept + n, t->give, n * sizeof *kept);
        status = solve_part(world, part, report);
    } else {
        scri_fail(env, status, "out of memory for joints");
    }
    if (!status && !(report->residual <= direct)) {
        memcpy(t->p, kept, n * sizeof *kept);
        memcpy(t->give, kept + n, n * sizeof *kept);
        report->residual = direct;
        report->solver = "direct";
        report->outcome = SCREE_OUTCOME_STALLED;
        report->infeasible = (scree_infeasibility){0};
    }
    scri_arena_destroy(arena);
    return status;
}

/* ---- all parts ------------------------------------------------------------------------------- */

static int severity(scree_outcome outcome)
{
    return outcome == SCREE_OUTCOME_CONVERGED ? 0 : outcome == SCREE_OUTCOME_INFEASIBLE ? 2 : 1;
}

/* Notes how a part ended, in the world and in the report of all parts, which takes its method from
 * the worst. */
static void add_part(scree_world* world, int32_t number, const scree_report* one, scree_report* all)
{
    scree_infeasibility *sum = &all->infeasible, more = one->infeasible;
    double before = all->residual;
    int is_worse = severity(one->outcome) > severity(all->outcome);
    is_worse |= one->outcome == all->outcome && !(one->residual <= before);
    world->parts.outcome[number] = one->outcome;
    world->parts.residual[number] = one->residual;
    world->parts.infeasible[number] = more;
    if (is_worse) {
        all->outcome = one->outcome;
        all->solver = one->solver;
        all->n_stages = one->n_stages;
    }
    all->residual = isnan(before) || one->residual <= before ? before : one->residual;
    if (one->iterations > all->iterations) all->iterations = one->iterations;
    all->time_s += one->time_s;
    all->updates += one->updates;
    all->fail_safe += one->fail_safe;
    if (more.n_contacts == 0) return;
    sum->bound = sum->n_contacts > 0 ? fmin(sum->bound, more.bound) : more.bound;
    sum->approach = fmax(sum->approach, more.approach);
    sum->n_contacts += more.n_contacts;
}

/* Whether the first guess may be right: not where many contacts have bodies that move. */
static int may_be_right(const scree_world* world, const scri_part* part)
{
    if (part->contacts.first_row[part->contacts.n] <= FEW_ROWS) return 1;
    return were_slow(world, part, QUIET * scri_step_gravity_speed(world));
}

/* Solves a part from the impulses at hand, and hands them back. */
static scree_status answer_part(scree_world* world, int32_t number, scree_report* one)
{
    scri_part part = scri_islands_part(world, number);
    int is_right = 0, rests = 0;
    scree_status status = SCREE_OK;
    if (may_be_right(world, &part)) {
        status = look(world, &part.problem, part.contacts.p, &one->residual);
        if (!status) status = stay_at_rest(world, &part, one, &rests);
        is_right = rests || (!status && is_settled(world, &part, one->residual));
    }
    int is_joined = !is_right && scri_joints_are_in(&part);
    if (!status && is_joined) status = solve_joints(world, &part, one, &is_right);
    if (!status && !is_right) {
        status = is_joined ? improve(world, &part, one) : solve_part(world, &part, one);
    }
    if (one->outcome != SCREE_OUTCOME_INFEASIBLE && one->residual <= world->def.solver.tol) {
        one->outcome = SCREE_OUTCOME_CONVERGED;
    }
    if (status) return status;
    scri_islands_hand_back(world, &part);
    if (!rests) {
        world->parts.settled[number] =
            one->outcome == SCREE_OUTCOME_CONVERGED && is_settled(world, &part, one->residual);
    }
    return SCREE_OK;
}

static scree_status handle_part(scree_world* world, int again, int32_t number, scree_report* all)
{
    scree_report one = {.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
    scree_status status = SCREE_OK;
    if (scri_islands_is_kept(world, again, number)) {
        one.outcome = world->parts.outcome[number];
        one.residual = world->parts.residual[number];
        one.infeasible = world->parts.infeasible[number];
    } else {
        scri_rebound rebound = {0};
        world->is_unchanged = 0;
        do {
            one.outcome = SCREE_OUTCOME_CONVERGED;
            one.infeasible = (scree_infeasibility){0};
            status = answer_part(world, number, &one);
        } while (!status && scri_rebound_again(world, number, &rebound));
        if (status) return status;
    }
    add_part(world, number, &one, all);
    return status;
}

scree_status scri_step_solve(scree_world* world, int again, scree_step_report* report)
{
    scree_report all = {.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"},
                 *sum = &report->solve;
    scree_status status = scri_islands_find(world, again);
    world->is_unchanged = !again && world->contacts.n == world->last.n;
    report->n_parts = world->parts.n;
    /* the certificate of all parts together, which comes next */
    if (!status) status = scri_step_reserve_work(world, scri_certify_work_size(&world->problem));
    for (int32_t k = 0; k < world->parts.n && !status; ++k) {
        status = handle_part(world, again, k, &all);
    }
    all.iterations += sum->iterations;
    all.time_s += sum->time_s;
    all.updates += sum->updates;
    all.fail_safe += sum->fail_safe;
    *sum = all;
    return status;
}
