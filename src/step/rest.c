/* Rest within the tolerance.
 *
 * What sweeps leave unsolved is velocity, and comes back in the next step, as velocity and as gap.
 * Solved to the tolerance alone, a heap of a thousand grains therefore trembles for ever, and exact
 * steps, which end that for smaller parts, are too dear for it and seldom find a solution. So where
 * a part slows down until its tolerance cannot tell its motion from none, its velocities become
 * zero: the error is not handed on, the next step asks the same question once more, and sweeps go
 * on where they have ended. What the impulses do not hold is part of the certificate. */
#include "step/rest.h"

#include "base/groups.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "problem/operator.h"
#include "solvers/newton_system.h"
#include "solvers/solve.h"
#include "solvers/solver.h"
#include "step/joints.h"
#include "step/part.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* Rows from which on exact steps are too rare to bring a part to rest. Without sparse factors there
 * are none for parts of some dozen bodies either. */
enum { REST_ROWS = 1500 };

/* A part of which all but one body in ONE_IN are slower than this, in units of the tolerance, may
 * come to rest soon: whatever these few do, the others tremble no more than the solution is wrong,
 * and a better one calms them. Speeds above PROVEN residuals are motion, however small. */
#define NEARLY 5.0
enum { ONE_IN = 100 };
#define PROVEN 50.0

/* Bodies that are worth handing to another worker. */
enum { BODIES_GRAIN = 256 };

/* A part that hardly moves; speeds in units of what gravity gives in a step. */
typedef struct rest {
    double began; /* the largest speed at the beginning of the step; infinite where walls move */
    int32_t fast; /* bodies that were faster than NEARLY tolerances then */
    double left;  /* the largest that the impulses at hand leave */
} rest;

int scri_rest_is_open(const scree_world* world, const scri_part* part)
{
    if (part->contacts.first_row[part->contacts.n] <= REST_ROWS &&
        scri_newton_system_fits(&world->env, &part->problem)) {
        return 0;
    }
    return !scri_joints_are_in(part) && world->def.solver.measure == SCREE_MEASURE_LOCAL &&
           scri_step_gravity_speed(world) > 0.0;
}

/* The square of a speed, turning by the least radius of gyration that the inverse inertia allows.
 */
static double square_of(const scri_members_table* m, size_t i, const double* v, const double* w)
{
    const double* inverse = m->inv_inertia + 6 * i;
    double trace = inverse[0] + inverse[1] + inverse[2], square = scri_dot3(v, v);
    return trace > 0.0 ? square + scri_dot3(w, w) * m->inv_mass[i] / trace : square;
}

/* The larger of two; what is no number stays. */
static double larger(double most, double x)
{
    return x > most || isnan(x) ? x : most;
}

/* The largest square of the speeds of members, and how many are faster than a limit. */
typedef struct speeds {
    double most;
    int32_t fast;
} speeds;

/* Groups of members, whoever looks at which. */
typedef struct survey {
    const scree_world* world;
    const scri_part* part;
    double limit; /* its square */
    void (*look)(const struct survey* all, size_t i, speeds* out);
    scri_groups groups;
    speeds* of;
} survey;

static void look_at_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const survey* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&all->groups, g + 1);
        speeds one = {0.0, 0};
        for (int32_t i = scri_groups_begin(&all->groups, g); i < last; ++i) {
            all->look(all, (size_t)i, &one);
        }
        all->of[g] = one;
    }
}

static speeds look_at_all(survey* all)
{
    speeds of[SCRI_MOST_GROUPS], sum = {0.0, 0};
    all->groups = scri_groups_of(all->part->members.n);
    all->of = of;
    scri_team_for(all->part->desk->team, all->groups.count,
                  scri_groups_grain(&all->groups, BODIES_GRAIN), look_at_groups, all);
    for (int32_t g = 0; g < all->groups.count; ++g) {
        sum.most = larger(sum.most, of[g].most);
        sum.fast += of[g].fast;
    }
    return sum;
}

/* At the beginning of the step. */
static void look_before(const survey* all, size_t i, speeds* out)
{
    const scri_members_table* m = &all->part->members;
    const scri_bodies_table* b = &all->world->bodies;
    size_t body = (size_t)m->body[i];
    const double *v = b->velocity + 3 * body, *w = b->omega + 3 * body;
    int is_wall = m->inv_mass[i] == 0.0;
    double square = is_wall ? scri_dot3(v, v) + scri_dot3(w, w) : square_of(m, i, v, w);
    if (is_wall && square != 0.0) square = SCREE_INFINITY;
    out->most = larger(out->most, square);
    out->fast += !(square <= all->limit);
}

/* With the velocities of the members. */
static void look_after(const survey* all, size_t i, speeds* out)
{
    const scri_members_table* m = &all->part->members;
    const double* v = m->velocity + SCRI_BODY_STRIDE * i;
    if (m->inv_mass[i] > 0.0) out->most = larger(out->most, square_of(m, i, v, v + 3));
}

static rest begin(const scree_world* world, const scri_part* part)
{
    double speed = scri_step_gravity_speed(world), limit = NEARLY * world->def.solver.tol * speed;
    survey all = {.world = world, .part = part, .limit = limit * limit, .look = look_before};
    speeds found = look_at_all(&all);
    return (rest){.began = sqrt(found.most) / speed, .fast = found.fast};
}

typedef struct reaching {
    const scree_world* world;
    const scri_members_table* members;
} reaching;

static void take_free(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const reaching* all = context;
    const scri_members_table* m = all->members;
    (void)worker;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        memcpy(m->velocity + SCRI_BODY_STRIDE * i,
               all->world->bodies.free + SCRI_BODY_STRIDE * (size_t)m->body[i],
               SCRI_BODY_STRIDE * sizeof *m->velocity);
    }
}

void scri_rest_reach(const scree_world* world, const scri_part* part)
{
    const scri_members_table* m = &part->members;
    scri_operator op = part->known->op;
    op.velocity = m->velocity;
    scri_team_for(part->desk->team, m->n, BODIES_GRAIN, take_free, &(reaching){world, m});
    scri_operator_add(&op, part->contacts.p);
}

static void look(const scree_world* world, const scri_part* part, rest* at)
{
    survey all = {.world = world, .part = part, .look = look_after};
    scri_rest_reach(world, part);
    at->left = sqrt(look_at_all(&all).most) / scri_step_gravity_speed(world);
}

/* The velocity v that the impulses leave becomes zero: an impulse -m v, which works by the mean of
 * the velocities before and after it, as all impulses of a step do. */
static void take(scree_world* world, const scri_part* part, const rest* at)
{
    const scri_members_table* m = &part->members;
    double work = 0.0;
    for (size_t i = 0; i < (size_t)m->n && at->began > 0.0; ++i) {
        size_t body = (size_t)m->body[i];
        const double *left = m->velocity + SCRI_BODY_STRIDE * i,
                     *v = world->bodies.velocity + 3 * body, *w = world->bodies.omega + 3 * body;
        double before[6] = {v[0], v[1], v[2], w[0], w[1], w[2]}, sum[6];
        if (m->inv_mass[i] == 0.0) continue;
        for (int j = 0; j < 6; ++j) sum[j] = left[j] + before[j];
        /* a . M b is K(a + b) - K(a) - K(b), with the kinetic energy K */
        work -= 0.5 * (scri_step_kinetic(world, m->body[i], sum) -
                       scri_step_kinetic(world, m->body[i], left) -
                       scri_step_kinetic(world, m->body[i], before));
    }
    world->parts.held[part->number] = 1;
    world->parts.held_speed[part->number] = at->left;
    world->parts.held_work[part->number] = work;
}

/* What is spent on a part that may come to rest, and on one that rests. */
enum { SWEEPS_TO_REST = 200, SWEEPS_AT_REST = 100 };

/* Goes on with sweeps from where others have ended, accelerated ones where that is possible. What
 * they began with solves the problem to the tolerance, so that nobody has to be told where friction
 * jams, which takes longer to find out than all the sweeps; and if contacts contradict each other
 * after all, it stays. */
static scree_status sweep_on(scree_world* world, const scri_part* part, double tol, int64_t most,
                             scree_report* report)
{
    static const char* const methods[] = {"nsgs-wide-aa", "nsgs-aa"};
    const scree_env* env = scri_pool_env(world->pool);
    const scri_contacts_table* t = &part->contacts;
    scri_team* team = part->desk->team;
    size_t bytes = (size_t)t->first_row[t->n] * sizeof *t->p;
    scree_report before = *report;
    scree_solver_def def = scri_step_solver(world);
    scri_team_copy(team, t->kept, t->p, bytes);
    def.tol = tol;
    if (most < def.max_iter) def.max_iter = most;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        scree_solver_def other = def;
        scri_solver_def_turn_to(&other, methods[i]);
        const scri_solver* method = scri_solver_find(methods[i]);
        if (scri_solver_unfit(env, method, &part->problem, &other, &part->known->facts)) continue;
        def = other;
        break;
    }
    scree_status status = scri_part_sweep(world, part, def, report);
    report->updates += before.updates;
    report->fail_safe += before.fail_safe;
    if (report->outcome == SCREE_OUTCOME_INFEASIBLE) {
        scri_team_copy(team, t->p, t->kept, bytes);
        before.iterations = report->iterations;
        before.time_s = report->time_s;
        before.updates = report->updates;
        before.fail_safe = report->fail_safe;
        *report = before;
    } else {
        scri_team_clear(team, t->give, bytes);
    }
    return status;
}

/* Whether a residual and a tolerance allow speeds that the impulses leave to be none. */
static int may_rest(double left, double residual, double tol)
{
    return left <= tol && left <= fmax(PROVEN * residual, SCRI_AT_REST);
}

scree_status scri_rest_come(scree_world* world, const scri_part* part, scree_report* report)
{
    double tol = world->def.solver.tol;
    scree_status status = SCREE_OK;
    if (!scri_rest_is_open(world, part) || !(report->residual <= tol)) return SCREE_OK;
    if (report->outcome == SCREE_OUTCOME_INFEASIBLE) return SCREE_OK;
    rest at = begin(world, part);
    if (!(at.began < SCREE_INFINITY) || at.fast > part->members.n / ONE_IN) return SCREE_OK;
    look(world, part, &at);
    if (at.left > tol) {
        status = sweep_on(world, part, 0.1 * tol, SWEEPS_TO_REST, report);
        look(world, part, &at);
    }
    int slows = at.began == 0.0 || at.left <= at.began;
    if (status || !slows || !may_rest(at.left, report->residual, tol)) return status;
    take(world, part, &at);
    return SCREE_OK;
}

scree_status scri_rest_stay(scree_world* world, const scri_part* part, scree_report* report,
                            int* rests)
{
    double tol = world->def.solver.tol, guess = report->residual;
    scree_status status = SCREE_OK;
    *rests = 0;
    if (!(guess <= tol) || !scri_rest_is_open(world, part)) return SCREE_OK;
    rest at = begin(world, part);
    if (at.began > 0.0) return SCREE_OK;
    if (guess > SCRI_REST_TOL) {
        status = sweep_on(world, part, fmax(0.1 * guess, SCRI_REST_TOL), SWEEPS_AT_REST, report);
    }
    if (status || report->outcome == SCREE_OUTCOME_INFEASIBLE) return status;
    look(world, part, &at);
    *rests = may_rest(at.left, report->residual, tol);
    if (!*rests) return SCREE_OK;
    take(world, part, &at);
    world->parts.settled[part->number] = !(report->residual < guess);
    return SCREE_OK;
}

double scri_rest_work(const scree_world* world)
{
    double sum = 0.0;
    for (int32_t k = 0; k < world->parts.n; ++k) {
        if (world->parts.held[k]) sum += world->parts.held_work[k];
    }
    return sum;
}

double scri_rest_most(const scree_world* world)
{
    double most = 0.0;
    for (int32_t k = 0; k < world->parts.n; ++k) {
        if (world->parts.held[k]) most = larger(most, world->parts.held_speed[k]);
    }
    return most;
}
