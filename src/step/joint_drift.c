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
 * left alone, so that rest is rest. */
#include "problem/bodies_kernel.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define EPSILON 2.220446049250313e-16

enum { ROUNDS = 12, REFINEMENTS = 4 };

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
        scri_joint_terms terms = scri_joint_terms_of(joint, sides);
        scri_joint_constraints(joint->def.kind, sides, &terms, &rows);
        double off = 0.0;
        int constraint = 0;
        for (int32_t r = first; r < end; ++r) {
            s->left[r] = s->kind[r] <= SCRI_ROW_COUPLED ? rows.error[constraint++] : 0.0;
            if (!s->is_rigid[r]) s->left[r] = 0.0;
            if (s->is_rigid[r]) off = fmax(off, fabs(s->left[r]) / s->limit[r]);
        }
        for (int32_t r = first; r < end && off <= 1.0; ++r) s->left[r] = 0.0;
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

/* x = -A^-1 left / time */
static void answer(scri_joint_system* s, double time)
{
    for (int32_t r = 0; r < s->n_rows; ++r) s->x[r] = -s->left[r] / time;
    scri_joints_invert(s, s->x);
}

static void project_velocities(scree_world* world)
{
    scri_joint_system* s = &world->joint_system;
    for (int k = 0; k < REFINEMENTS && measure_rates(world); ++k) {
        answer(s, 1.0);
        scri_joints_push(world, s->x);
        scri_joints_note(world, s->x);
    }
}

void scri_joints_drift(scree_world* world, double time, int shifted)
{
    scri_joint_system* s = &world->joint_system;
    double before = SCREE_INFINITY;
    if (world->n_joints == 0 || time == 0.0) return;
    scri_joints_place(world);
    scri_joints_factor(world, 0);
    save(world);
    memset(s->lambda, 0, (size_t)s->n_rows * sizeof *s->lambda);
    for (int round = 0; round < ROUNDS; ++round) {
        restore(world);
        scri_joints_push(world, s->lambda);
        for (int32_t k = 0; k < s->n_bodies; ++k) {
            scri_step_drift_body(world, (size_t)s->body[k], time);
            if (shifted) scri_overlap_shift_body(world, (size_t)s->body[k]);
        }
        double worst = measure(world);
        if (worst <= 1.0 || !(worst < 0.5 * before)) break;
        before = worst;
        answer(s, time);
        for (int32_t r = 0; r < s->n_rows; ++r) s->lambda[r] += s->x[r];
    }
    scri_joints_note(world, s->lambda);
    s->is_placed = 0;
    scri_joints_place(world);
    scri_joints_factor(world, 0);
    project_velocities(world);
}
