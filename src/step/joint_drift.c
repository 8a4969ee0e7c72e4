/* Free motion on the constraints of joints.
 *
 * A body without joints drifts for a time t from q with its velocity v. With joints it goes along
 * the constraints, by Rattle (Andersen 1983), in which nothing but the drift is left of the forces:
 *
 *     v' = v + M^-1 J(q)^T lambda,   q+ = drift(q, v', t),   g(q+) = 0,
 *     v+ = v'+ + M^-1 J(q+)^T mu,    J(q+) v+ = 0.
 *
 * Both halves of a step do this, and its impulses in the middle leave J v = 0 as well, so that the
 * whole is symmetric in time, symplectic where nothing rubs, and of second order; positions hold
 * their constraints to rounding in the middle and at the end. lambda by Newton's method with the
 * matrix of q, which is off by O(t): a few rounds. What overlap is undone by in the second half
 * takes part, and so do bodies that were set down a little apart. Errors that are only rounding are
 * left alone, so that rest is rest. What couples joints on a carrier is right as far as these hold:
 * it follows them one round later, and is judged by the round before the last. Where bodies turn so
 * fast that the rounds do not end, as in the crack of a whip, the drift is made in twice as many
 * pieces, each of which is one by itself. */
#include "problem/bodies_kernel.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define EPSILON 2.220446049250313e-16

enum { ROUNDS = 12, REFINEMENTS = 4, TREE_REFINEMENTS = 2 };

/* Errors up to this many roundings are not worth another round where all joints are in trees. */
#define ENOUGH_IN_TREES 8.0

/* And beyond this many the constraints are lost, and the drift is made in pieces. */
#define LOST 1e3
enum { MOST_PIECES = 16 };

static void save(scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    for (int32_t k = 0; k < s->n_bodies; ++k) {
        scri_step_save_body(&world->bodies, (size_t)s->body[k], s->from + 13 * (size_t)k);
    }
}

static void restore(scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    for (int32_t k = 0; k < s->n_bodies; ++k) {
        scri_step_restore_body(&world->bodies, (size_t)s->body[k], s->from + 13 * (size_t)k);
    }
}

/* An error in units of its rounding; where all is at the origin there is none to tell it from, and
 * any error is worth one round. */
static double in_roundings(double error, double limit)
{
    if (limit > 0.0) return fabs(error) / limit;
    return error == 0.0 ? 0.0 : 2.0 * ENOUGH_IN_TREES;
}

/* The errors of rigid rows where bodies are now, in `left`; those of joints within rounding are
 * zero. Returns the worst in units of its rounding. */
static double measure(const scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    double worst = 0.0;
    for (int32_t node = 0; node < s->n_nodes; ++node) {
        const scri_joint* joint = &world->joints.joint[s->joint[node]];
        int32_t first = s->first[node], end = s->first[node + 1];
        scri_joint_side sides[2];
        scri_joint_rows rows;
        scri_joint_sides(world, joint, sides);
        scri_joint_terms terms = scri_joint_terms_of(world, joint, sides);
        scri_joint_constraints(joint->def.kind, sides, &terms, &rows);
        double off = 0.0;
        int constraint = 0;
        for (int32_t r = first; r < end; ++r) {
            s->left[r] = s->kind[r] <= SCRI_ROW_COUPLED ? rows.error[constraint++] : 0.0;
            if (!s->is_rigid[r]) s->left[r] = 0.0;
            if (s->is_rigid[r]) off = fmax(off, in_roundings(s->left[r], s->limit[r]));
        }
        if (off <= 1.0) memset(s->left + first, 0, (size_t)(end - first) * sizeof *s->left);
        worst = off <= worst ? worst : off;
    }
    return worst;
}

/* J v in `left`, but zero where it is only rounding; whether any is more. */
static int measure_rates(const scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    const scri_bodies_table* b = &world->bodies;
    int any = 0;
    for (int32_t r = 0; r < s->n_rows; ++r) {
        const scri_joint* joint = &world->joints.joint[s->joint[s->node_of[r]]];
        double rate = 0.0, size = 0.0;
        for (size_t k = 0; k < 2 && s->is_rigid[r]; ++k) {
            if (joint->body[k] < 0) continue;
            const double* row = s->row + 12 * (size_t)r + 6 * k;
            size_t i = (size_t)joint->body[k];
            for (size_t j = 0; j < 3; ++j) {
                double line = row[j] * b->velocity[3 * i + j];
                double turn = row[3 + j] * b->omega[3 * i + j];
                rate += line + turn;
                size += fabs(line) + fabs(turn);
            }
        }
        s->left[r] = fabs(rate) <= 4.0 * EPSILON * size ? 0.0 : rate;
        any |= s->left[r] != 0.0;
    }
    return any;
}

/* x = -A^-1 left / time of the rows in blocks, and the rates -left / time of those in trees, which
 * stand for it there: x itself is of no use until the end. */
static void answer(scri_joint_system* s, double time)
{
    for (int32_t r = 0; r < s->n_rows; ++r) s->x[r] = -s->left[r] / time;
    scri_blocks_solve(&s->blocks, 0, NULL, s->x);
}

static void push(scree_world* world, const double* x)
{
    scri_joints_push(world, x);
    scri_trees_push(world, x);
}

/* What the lambda of trees was to their joints; it has their rates. */
static void note_trees(scree_world* world)
{
    scri_joint_system* s = &world->joint_system;
    scri_tree_solve(&s->trees.tree, 0, s->trees.tree.n, s->lambda);
    scri_joints_note(world, s->first[s->blocks.n], s->n_rows, s->lambda);
}

static void project_velocities(scree_world* world)
{
    scri_joint_system* s = &world->joint_system;
    int32_t in_blocks = s->first[s->blocks.n];
    int rounds = in_blocks > 0 ? REFINEMENTS : TREE_REFINEMENTS;
    memset(s->lambda, 0, (size_t)s->n_rows * sizeof *s->lambda);
    for (int k = 0; k < rounds && measure_rates(world); ++k) {
        answer(s, 1.0);
        push(world, s->x);
        scri_joints_note(world, 0, in_blocks, s->x);
        for (int32_t r = in_blocks; r < s->n_rows; ++r) s->lambda[r] += s->x[r];
    }
    note_trees(world);
}

/* One drift by Rattle. Where it ends off the constraints, and it need not, nothing is noted and the
 * bodies are anywhere: returns 0. */
static int drift_once(scree_world* world, double time, int shifted, int must)
{
    scri_joint_system* s = &world->joint_system;
    double before = SCREE_INFINITY, earlier = SCREE_INFINITY, worst = 0.0;
    double enough = s->blocks.n > 0 ? 1.0 : ENOUGH_IN_TREES;
    scri_joints_place(world);
    scri_joints_factor(world, 0);
    save(world);
    memset(s->lambda, 0, (size_t)s->n_rows * sizeof *s->lambda);
    for (int round = 0; round < ROUNDS; ++round) {
        restore(world);
        if (round > 0) push(world, s->lambda);
        for (int32_t k = 0; k < s->n_bodies; ++k) {
            scri_step_drift_body(world, (size_t)s->body[k], time);
            if (shifted) scri_overlap_shift_body(world, (size_t)s->body[k]);
        }
        worst = measure(world);
        double known = s->has_carried ? earlier : before;
        if (worst <= enough || !(worst < 0.5 * known)) break;
        earlier = before;
        before = worst;
        answer(s, time);
        for (int32_t r = 0; r < s->n_rows; ++r) s->lambda[r] += s->x[r];
    }
    s->is_placed = 0;
    if (!must && !(worst <= LOST)) return 0;
    scri_joints_note(world, 0, s->first[s->blocks.n], s->lambda);
    note_trees(world);
    scri_joints_place(world);
    scri_joints_factor(world, 0);
    project_velocities(world);
    return 1;
}

/* ---- in pieces ------------------------------------------------------------------------------- */

/* Whether something that joints hang on has a course of its own. */
static int is_led(const scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    for (int32_t k = 0; k < 2 * s->n_nodes; ++k) {
        int32_t body = world->joints.joint[s->joint[k / 2]].body[k % 2];
        if (body >= 0 && world->bodies.kind[body] == SCREE_BODY_KINEMATIC) return 1;
    }
    return 0;
}

/* Whether a drift that is not led, which would have been gone already, may be made in pieces: its
 * beginning is on the constraints. */
static int may_split(const scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    for (int32_t r = 0; r < s->n_rows; ++r) {
        if (s->is_rigid[r] && !(fabs(s->error[r]) <= LOST * s->limit[r])) return 0;
    }
    return 1;
}

/* J: a free drift keeps it, so that what it changes by is what led bodies do through joints. */
static double kinetic_of(const scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    double sum = 0.0, line[6];
    for (int32_t k = 0; k < s->n_bodies; ++k) {
        size_t i = (size_t)s->body[k];
        memcpy(line, world->bodies.velocity + 3 * i, 3 * sizeof *line);
        memcpy(line + 3, world->bodies.omega + 3 * i, 3 * sizeof *line);
        sum += scri_step_kinetic(world, s->body[k], line);
    }
    return sum;
}

/* The state before the drift, with what joints have carried, to `begin` and back. */
static void keep(scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    double* at = s->begin + 13 * (size_t)s->n_bodies;
    for (int32_t k = 0; k < s->n_bodies; ++k) {
        scri_step_save_body(&world->bodies, (size_t)s->body[k], s->begin + 13 * (size_t)k);
    }
    for (int32_t node = 0; node < s->n_nodes; ++node, at += 12) {
        const scri_joint_memory* m = &world->joints.joint[s->joint[node]].memory;
        memcpy(at, m->impulse, sizeof m->impulse);
        memcpy(at + 6, m->hold, sizeof m->hold);
    }
}

static void go_back(scree_world* world)
{
    scri_joint_system* s = &world->joint_system;
    const double* at = s->begin + 13 * (size_t)s->n_bodies;
    for (int32_t k = 0; k < s->n_bodies; ++k) {
        scri_step_restore_body(&world->bodies, (size_t)s->body[k], s->begin + 13 * (size_t)k);
    }
    for (int32_t node = 0; node < s->n_nodes; ++node, at += 12) {
        scri_joint_memory* m = &world->joints.joint[s->joint[node]].memory;
        memcpy(m->impulse, at, sizeof m->impulse);
        memcpy(m->hold, at + 6, sizeof m->hold);
    }
    s->is_placed = 0;
}

void scri_joints_drift(scree_world* world, double time, int shifted)
{
    if (world->n_joints == 0 || time == 0.0) return;
    scri_joints_place(world);
    int led = is_led(world), most = !led && may_split(world) ? MOST_PIECES : 1, is_done = 0;
    double before = led ? kinetic_of(world) : 0.0;
    keep(world);
    for (int pieces = 1; !is_done; pieces *= 2) {
        is_done = 1;
        for (int k = 1; k <= pieces && is_done; ++k) {
            is_done = drift_once(world, time / pieces, shifted && k == pieces, pieces >= most);
        }
        if (!is_done) go_back(world);
    }
    if (led) world->joint_system.work += kinetic_of(world) - before;
}
