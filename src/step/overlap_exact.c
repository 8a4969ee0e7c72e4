/* The pushes of a set of touches where sweeps do not end: stacks bend in ways that they hardly see,
 * and a corner that is left open by a ten-thousandth of the size sets the stack rocking.
 *
 * With P = nu - least, 0 <= gap + trigger / 2  _|_  P >= 0 is the problem of contacts without
 * friction whose free velocity is the gap without pushes, and the methods for such problems solve
 * it. */
#include "laws/law.h"
#include "solvers/solve.h"
#include "step/islands.h"
#include "step/overlap.h"
#include "step/step.h"

#include <string.h>

/* Larger sets are left as sweeps leave them: factors cost more than a step may. */
enum { MOST_TOUCHES = 400, ITERATIONS = 60 };

/* Of the gaps that are there: a hundredth of the trigger where they are a hundredth of the size. */
#define TOLERANCE 1e-8

/* Adds a push to the shift of the bodies that respond. */
static void move(scree_world* world, const scri_touch* touch, int32_t k, double push)
{
    const scri_bodies_table* b = &world->bodies;
    const double* answer = world->touch_state.answer + 12 * (size_t)k;
    for (int side = 0; side < 2; ++side) {
        size_t body = (size_t)scri_touch_body(world, touch, side);
        for (size_t j = 0; j < 6 && b->inv_mass[body] > 0.0; ++j) {
            b->shift[6 * body + j] += push * answer[6 * (size_t)side + j];
        }
    }
}

/* The listed touches of the set, in order, as the contacts of a part; their number in the list of
 * pushed ones in `was`. */
static void list_set(scree_world* world, const scri_touch* touches, int32_t root)
{
    const scri_touch_table* s = &world->touch_state;
    scri_contacts_table* t = &world->part;
    const int32_t* first = world->bodies.first_pushed + root;
    t->n = 0;
    world->members.n = 0;
    for (int32_t j = first[0]; j < first[1]; ++j) {
        int32_t k = s->by_root[j];
        const scri_touch* touch = &touches[s->pushed[k]];
        size_t c = (size_t)t->n;
        t->was[c] = k;
        t->first_row[c] = t->n++;
        t->rows[c] = SCREE_ROWS_N;
        t->law[c] = SCRI_LAW_THAT_RUBS; /* without friction */
        t->general[c] = -1;
        memset(t->coef + 3 * c, 0, 3 * sizeof *t->coef);
        memset(t->frame + 9 * c, 0, 9 * sizeof *t->frame);
        memcpy(t->frame + 9 * c, touch->normal, 3 * sizeof *t->frame);
        for (int side = 0; side < 2; ++side) {
            size_t at = 2 * c + (size_t)side;
            t->pair[at] = scri_islands_member(world, scri_touch_body(world, touch, side));
            scri_vec_store(scri_touch_arm(world, touch, side), t->arm + 3 * at);
        }
    }
    t->first_row[t->n] = t->n;
    for (int32_t i = 0; i < world->members.n; ++i) world->bodies.place[world->members.body[i]] = -1;
}

/* Sets the shift to that of the least pushes, and with them q; the guess is what sweeps have. */
static void write_problem(scree_world* world, const scri_touch* touches)
{
    const scri_touch_table* s = &world->touch_state;
    const scri_contacts_table* t = &world->part;
    scri_motion shift = scri_motion_of(world->bodies.shift, 6);
    for (int32_t c = 0; c < t->n; ++c) {
        int32_t k = t->was[c], i = s->pushed[k];
        t->p[c] = s->push[i] - s->least_push[i];
        move(world, &touches[i], k, -t->p[c]);
    }
    for (int32_t c = 0; c < t->n; ++c) {
        int32_t i = s->pushed[t->was[c]];
        const scri_touch* touch = &touches[i];
        double rest = 0.5 * scri_overlap_tolerance(world, touch);
        t->q[c] = s->end_gap[i] + rest + scri_touch_normal(world, touch, shift);
    }
}

static int is_solved(scree_world* world)
{
    const scri_members_table* m = &world->members;
    scree_problem problem = scri_step_problem(&world->part, m->n, m->inv_mass, m->inv_inertia);
    static const char* const methods[] = {"newton-prox", "interior", "newton-prox"};
    scree_report report = {.outcome = SCREE_OUTCOME_STALLED};
    for (int i = 0; i < 3 && report.outcome != SCREE_OUTCOME_CONVERGED; ++i) {
        scree_solver_def def = scri_step_solver(world);
        scri_solver_def_turn_to(&def, methods[i]);
        def.measure = SCREE_MEASURE_SCREE;
        def.tol = TOLERANCE;
        def.normal_tol = scree_default_solver_def().normal_tol;
        def.max_iter = ITERATIONS;
        if (scree_solver_unfit(&problem, &def)) return 0;
        if (scri_step_reserve_work(world, scree_solve_work_size(&problem, &def))) return 0;
        if (scri_solve(&problem, &def, world->team, world->work, world->part.p, &report)) return 0;
    }
    return report.outcome == SCREE_OUTCOME_CONVERGED;
}

void scri_overlap_solve(scree_world* world, const scri_touch* touches, int32_t root)
{
    scri_touch_table* s = &world->touch_state;
    const scree_env* env = &world->def.env;
    int32_t n = world->bodies.first_pushed[root + 1] - world->bodies.first_pushed[root];
    if (n > MOST_TOUCHES || !scri_contacts_table_reserve(env, &world->part, n + 1) ||
        !scri_members_table_reserve(env, &world->members, world->bodies.n)) {
        return;
    }
    list_set(world, touches, root);
    write_problem(world, touches);
    int solved = is_solved(world);
    for (int32_t c = 0; c < n; ++c) {
        int32_t k = world->part.was[c], i = s->pushed[k];
        if (solved) s->push[i] = world->part.p[c] + s->least_push[i];
        move(world, &touches[i], k, s->push[i] - s->least_push[i]);
    }
}
