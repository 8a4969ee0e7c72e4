/* Rest within the tolerance.
 *
 * What sweeps leave unsolved is velocity, and comes back in the next step, as velocity and as gap.
 * Solved to the tolerance alone, a heap of a thousand grains therefore trembles for ever, and exact
 * steps, which end that for smaller parts, are too dear for it and seldom find a solution. So where
 * a part slows down until its tolerance cannot tell its motion from none, its velocities become
 * zero: the error is not handed on, the next step asks the same question once more, and sweeps go
 * on where they have ended. What the impulses do not hold is part of the certificate. */
#include "step/rest.h"

#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

int scri_rest_is_open(const scree_world* world, const scri_part* part)
{
    return part->contacts.first_row[part->contacts.n] > SCRI_REST_ROWS &&
           !scri_joints_are_in(part) && world->def.solver.measure == SCREE_MEASURE_LOCAL &&
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

scri_rest scri_rest_begin(const scree_world* world, const scri_part* part)
{
    const scri_members_table* m = &part->members;
    double most = 0.0;
    for (size_t i = 0; i < (size_t)m->n; ++i) {
        size_t body = (size_t)m->body[i];
        const double *v = world->bodies.velocity + 3 * body, *w = world->bodies.omega + 3 * body;
        int is_wall = m->inv_mass[i] == 0.0;
        double square = is_wall ? scri_dot3(v, v) + scri_dot3(w, w) : square_of(m, i, v, w);
        if (is_wall && square != 0.0) square = SCREE_INFINITY;
        most = larger(most, square);
    }
    return (scri_rest){.began = sqrt(most) / scri_step_gravity_speed(world)};
}

void scri_rest_reach(const scree_world* world, const scri_part* part)
{
    const scri_members_table* m = &part->members;
    const scri_contacts_table* t = &part->contacts;
    for (size_t i = 0; i < (size_t)m->n; ++i) {
        memcpy(m->velocity + SCRI_BODY_STRIDE * i,
               world->bodies.free + SCRI_BODY_STRIDE * (size_t)m->body[i],
               SCRI_BODY_STRIDE * sizeof *m->velocity);
    }
    for (int32_t c = 0; c < t->n; ++c) {
        int width = t->first_row[c + 1] - t->first_row[c];
        scri_bodies_add_impulse(&part->problem.bodies, c, width, t->p + t->first_row[c],
                                m->velocity);
    }
}

void scri_rest_look(const scree_world* world, const scri_part* part, scri_rest* rest)
{
    const scri_members_table* m = &part->members;
    double most = 0.0;
    scri_rest_reach(world, part);
    for (size_t i = 0; i < (size_t)m->n; ++i) {
        const double* v = m->velocity + SCRI_BODY_STRIDE * i;
        double square = m->inv_mass[i] > 0.0 ? square_of(m, i, v, v + 3) : 0.0;
        most = larger(most, square);
    }
    rest->left = sqrt(most) / scri_step_gravity_speed(world);
}

/* The velocity v that the impulses leave becomes zero: an impulse -m v, which works by the mean of
 * the velocities before and after it, as all impulses of a step do. */
void scri_rest_take(scree_world* world, const scri_part* part, const scri_rest* rest)
{
    const scri_members_table* m = &part->members;
    double work = 0.0;
    for (size_t i = 0; i < (size_t)m->n && rest->began > 0.0; ++i) {
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
    world->parts.held_speed[part->number] = rest->left;
    world->parts.held_work[part->number] = work;
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
