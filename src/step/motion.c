/* Velocities and poses: the only code that changes them. */
#include "math/small_kernel.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* A velocity below this share of what it was summed from is rounding, not motion. */
#define ROUNDING (64.0 * 2.220446049250313e-16)

static void collect_forces(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    for (size_t i = 0; i < 3 * (size_t)b->n; ++i) {
        b->force[i] = b->mass[i / 3] * world->def.gravity[i % 3];
        b->torque[i] = 0.0;
    }
    if (!world->def.force) return;
    scree_world_view view = scree_world_get_view(world);
    world->def.force(world->def.force_user, &view, b->force, b->torque);
}

/* J w in world axes, with J the body's inertia. */
static scri_vec angular_momentum(const scri_bodies_table* b, size_t i, scri_vec spin)
{
    scri_mat r = scri_mat_from_quat(scri_quat_load(b->rotation + 4 * i));
    scri_vec w = scri_mat_multiply_transposed(r, spin);
    double local[3] = {w.x, w.y, w.z}, momentum[3];
    scri_inertia_multiply(b->inertia + 6 * i, local, momentum);
    return scri_mat_multiply(r, scri_vec_load(momentum));
}

static scri_vec inertia_times(const double* inertia, scri_vec w)
{
    double in[3], out[3];
    scri_vec_store(w, in);
    scri_inertia_multiply(inertia, in, out);
    return scri_vec_load(out);
}

/* Row-major derivative of u -> u x (J u): the cross matrix of u times J, minus that of J u. */
static void gyro_derivative(const double* j, scri_vec u, double* out)
{
    scri_vec m = inertia_times(j, u);
    double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
    double cross_m[9] = {0.0, -m.z, m.y, m.z, 0.0, -m.x, -m.y, m.x, 0.0};
    for (int c = 0; c < 3; ++c) {
        scri_vec column = {full[c], full[3 + c], full[6 + c]};
        scri_vec product = scri_vec_cross(u, column);
        out[c] = product.x - cross_m[c];
        out[3 + c] = product.y - cross_m[3 + c];
        out[6 + c] = product.z - cross_m[6 + c];
    }
}

/* Euler's equation J (w+ - w) + h u x J u = 0 with u = theta w+ + (1 - theta) w, in body axes, by
 * Newton's method. For theta = 1/2 it keeps the energy, above that it loses some; an explicit
 * torque would gain. Returns w+ and, in *mean, u. */
static scri_vec euler_step(const scri_bodies_table* b, size_t i, double h, double theta, scri_vec w,
                           scri_vec* mean)
{
    enum { NEWTON_STEPS = 10 };
    const double* j = b->inertia + 6 * i;
    scri_vec next = w;
    for (int k = 0; k < NEWTON_STEPS; ++k) {
        scri_vec u = scri_vec_add_scaled(scri_vec_scale(1.0 - theta, w), theta, next);
        scri_vec change = inertia_times(j, scri_vec_sub(next, w));
        scri_vec f = scri_vec_add_scaled(change, h, scri_vec_cross(u, inertia_times(j, u)));
        double a[9] = {0.0}, x[3] = {-f.x, -f.y, -f.z};
        gyro_derivative(j, u, a);
        for (int r = 0; r < 9; ++r) a[r] *= h * theta;
        const double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
        for (int r = 0; r < 9; ++r) a[r] += full[r];
        if (!scri_gauss_solve(3, 3, a, x)) break;
        next = scri_vec_add(next, scri_vec_load(x));
        double size = scri_vec_length(next);
        if (scri_vec_length(scri_vec_load(x)) <= 4.0 * 2.220446049250313e-16 * size) break;
    }
    *mean = scri_vec_add_scaled(scri_vec_scale(1.0 - theta, w), theta, next);
    return next;
}

/* Angular velocity, world axes, that a free body has at the end of the step: w+ of Euler's equation
 * seen from the axes that the body has then. */
static scri_vec free_spin(const scree_world* world, size_t i)
{
    const scri_bodies_table* b = &world->bodies;
    scri_vec spin = scri_vec_load(b->spin + 3 * i), mean;
    if (b->is_round[i] || b->inv_mass[i] == 0.0) return spin;
    scri_mat r = scri_mat_from_quat(scri_quat_load(b->rotation + 4 * i));
    scri_vec w = scri_mat_multiply_transposed(r, spin);
    scri_vec next = euler_step(b, i, world->def.step, world->def.theta, w, &mean);
    scri_quat turn = scri_quat_exp(scri_vec_scale(world->def.step, mean));
    return scri_mat_multiply(r, scri_quat_rotate(turn, next));
}

void scri_step_free_velocity(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    double h = world->def.step;
    collect_forces(world);
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        double *out = b->free + SCRI_BODY_STRIDE * i, *size = b->size + 6 * i, turn[3];
        double spin[3];
        scri_vec_store(free_spin(world, i), spin);
        scri_inertia_multiply(b->inv_inertia_world + 6 * i, b->torque + 3 * i, turn);
        for (size_t j = 0; j < 3; ++j) {
            double push = h * b->inv_mass[i] * b->force[3 * i + j];
            out[j] = b->velocity[3 * i + j] + push;
            out[3 + j] = spin[j] + h * turn[j];
            size[j] = fabs(b->velocity[3 * i + j]) + fabs(push);
            size[3 + j] = fabs(spin[j]) + fabs(h * turn[j]);
        }
    }
}

/* Adds the effect of contact c on its bodies to `velocity`, and its magnitude to `size`. */
static void add_contact(const scree_world* world, int32_t c)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    int width = t->row[c + 1] - t->row[c];
    for (int side = 0; side < 2; ++side) {
        int32_t body = t->pair[2 * (size_t)c + (size_t)side];
        if (body < 0 || b->inv_mass[body] == 0.0) continue;
        for (int i = 0; i < width; ++i) {
            double response[6], p = t->p[t->row[c] + i];
            if (p == 0.0) continue;
            scri_bodies_unit_response(&world->problem.bodies, c, side, width, i, response);
            for (size_t j = 0; j < 6; ++j) {
                b->next[SCRI_BODY_STRIDE * (size_t)body + j] += p * response[j];
                b->size[6 * (size_t)body + j] += fabs(p * response[j]);
            }
        }
    }
}

/* Components far below the velocities that cancelled in this body are rounding: they become zero,
 * so that rest is rest. Lengths compare through the radius of gyration. */
static void drop_rounding(scri_bodies_table* b, size_t i)
{
    const double *size = b->size + 6 * i, *inverse = b->inv_inertia + 6 * i;
    double per_length = sqrt((inverse[0] + inverse[1] + inverse[2]) / 3.0 * b->mass[i]);
    double linear = size[0] + size[1] + size[2], angular = size[3] + size[4] + size[5];
    double scale = linear + angular / per_length;
    for (size_t j = 0; j < 6; ++j) {
        double least = ROUNDING * (j < 3 ? scale : scale * per_length);
        double* next = b->next + SCRI_BODY_STRIDE * i + j;
        if (fabs(*next) <= least) *next = 0.0;
    }
}

void scri_step_apply(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    memcpy(b->next, b->free, SCRI_BODY_STRIDE * (size_t)b->n * sizeof(double));
    for (int32_t c = 0; c < world->contacts.n; ++c) add_contact(world, c);
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        if (b->inv_mass[i] > 0.0) drop_rounding(b, i);
    }
}

void scri_step_move(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    double h = world->def.step, new_share = h * world->def.theta;
    double old_share = h * (1.0 - world->def.theta);
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        if (b->kind[i] == SCREE_BODY_STATIC) continue;
        const double* next = b->next + SCRI_BODY_STRIDE * i;
        double turn[3];
        for (size_t j = 0; j < 3; ++j) {
            b->position[3 * i + j] += new_share * next[j] + old_share * b->velocity[3 * i + j];
            turn[j] = new_share * next[3 + j] + old_share * b->spin[3 * i + j];
            b->velocity[3 * i + j] = next[j];
            b->spin[3 * i + j] = next[3 + j];
        }
        if (turn[0] == 0.0 && turn[1] == 0.0 && turn[2] == 0.0) continue;
        scri_quat turned = scri_quat_multiply(scri_quat_exp(scri_vec_load(turn)),
                                              scri_quat_load(b->rotation + 4 * i));
        scri_quat_store(scri_quat_normalize(turned), b->rotation + 4 * i);
        scri_world_turn_inertia(world, (int32_t)i);
    }
}

/* What contact c takes from the bodies that move by themselves, as walls and tables do: relative
 * velocities hold theirs too, and energy is counted for the others alone. */
static double work_of_walls(const scree_world* world, int32_t c, int width)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    double work = 0.0;
    for (int side = 0; side < 2; ++side) {
        int32_t body = t->pair[2 * (size_t)c + (size_t)side];
        if (body < 0 || b->kind[body] != SCREE_BODY_KINEMATIC) continue;
        const double* v = b->next + SCRI_BODY_STRIDE * (size_t)body;
        for (int i = 0; i < width; ++i) {
            double row[6];
            scri_bodies_unit_row(&world->problem.bodies, c, side, width, i, row);
            work += t->p[t->row[c] + i] * (scri_dot3(row, v) + scri_dot3(row + 3, v + 3));
        }
    }
    return work;
}

double scri_step_contact_work(const scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    double work = 0.0;
    for (int32_t c = 0; c < t->n; ++c) {
        int width = t->row[c + 1] - t->row[c];
        double y[SCRI_MAX_WIDTH] = {0.0};
        scri_bodies_add_relative(&world->problem.bodies, world->bodies.next, c, width, y);
        for (int i = 0; i < width; ++i) {
            work += 0.5 * t->p[t->row[c] + i] * (y[i] + t->before[6 * (size_t)c + (size_t)i]);
        }
        work -= work_of_walls(world, c, width);
    }
    return work;
}

double scri_step_force_work(const scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    double work = 0.0;
    if (!world->def.force) return 0.0;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        const double* next = b->next + SCRI_BODY_STRIDE * i;
        for (size_t j = 0; j < 3 && b->inv_mass[i] > 0.0; ++j) {
            double force = b->force[3 * i + j] - b->mass[i] * world->def.gravity[j];
            work += force * (b->velocity[3 * i + j] + next[j]);
            work += b->torque[3 * i + j] * (b->spin[3 * i + j] + next[3 + j]);
        }
    }
    return 0.5 * world->def.step * work;
}

double scri_step_kinetic(const scree_world* world, int32_t body, const double* velocity)
{
    scri_vec v = scri_vec_load(velocity), w = scri_vec_load(velocity + 3);
    double linear = world->bodies.mass[body] * scri_vec_dot(v, v);
    return 0.5 * (linear + scri_vec_dot(w, angular_momentum(&world->bodies, (size_t)body, w)));
}

void scri_step_energy(const scree_world* world, double* kinetic, double* potential)
{
    const scri_bodies_table* b = &world->bodies;
    const double* g = world->def.gravity;
    *kinetic = *potential = 0.0;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        if (b->kind[i] != SCREE_BODY_DYNAMIC) continue;
        scri_vec v = scri_vec_load(b->velocity + 3 * i), w = scri_vec_load(b->spin + 3 * i);
        scri_vec x = scri_vec_load(b->position + 3 * i);
        *kinetic += 0.5 * b->mass[i] * scri_vec_dot(v, v);
        *kinetic += 0.5 * scri_vec_dot(w, angular_momentum(b, i, w));
        *potential -= b->mass[i] * scri_vec_dot(scri_vec_load(g), x);
    }
}
