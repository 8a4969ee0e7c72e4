/* Velocities and poses: the only code that changes them. */
#include "base/groups.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* A velocity below this share of what it was summed from is rounding of the solver, not motion. */
#define ROUNDING 1e-12

/* Bodies and contacts that are worth handing to another worker, to be added up, to be copied. */
enum { BODIES_GRAIN = 64, CONTACTS_GRAIN = 64, SUMS_GRAIN = 256, COPIES_GRAIN = 512 };

static void weigh(scree_world* world, int32_t body)
{
    scri_bodies_table* b = &world->bodies;
    for (size_t j = 0; j < 3; ++j) {
        b->force[3 * (size_t)body + j] = b->mass[body] * world->def.gravity[j];
        b->torque[3 * (size_t)body + j] = 0.0;
    }
}

void scri_step_forces(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    scri_step_each(world, b->n, COPIES_GRAIN, weigh);
    for (size_t i = 0; world->has_loads && i < 3 * (size_t)b->n; ++i) {
        b->force[i] += b->load[6 * (i / 3) + i % 3];
        b->torque[i] += b->load[6 * (i / 3) + 3 + i % 3];
    }
    world->has_joint_forces = 0;
    scri_joints_forces(world);
    if (!world->def.force) return;
    scree_world_view view = scree_world_get_view(world);
    world->def.force(world->def.force_user, &view, b->force, b->torque);
}

/* J w in world axes, with J the body's inertia. */
static scri_vec angular_momentum(const scri_bodies_table* b, size_t i, scri_vec omega)
{
    scri_mat r = scri_mat_from_quat(scri_quat_load(b->rotation + 4 * i));
    scri_vec w = scri_mat_multiply_transposed(r, omega);
    double local[3] = {w.x, w.y, w.z}, momentum[3];
    scri_inertia_multiply(b->inertia + 6 * i, local, momentum);
    return scri_mat_multiply(r, scri_vec_load(momentum));
}

static void write_free(scree_world* world, int32_t body)
{
    scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    double *out = b->free + SCRI_BODY_STRIDE * i, turn[3], h = world->def.step;
    const double* omega = b->omega + 3 * i;
    scri_inertia_multiply(b->inv_inertia_world + 6 * i, b->torque + 3 * i, turn);
    for (size_t j = 0; j < 3; ++j) {
        out[j] = b->velocity[3 * i + j] + h * b->inv_mass[i] * b->force[3 * i + j];
        out[3 + j] = omega[j] + h * turn[j];
    }
}

void scri_step_free_velocity(scree_world* world)
{
    scri_step_each(world, world->bodies.n, BODIES_GRAIN, write_free);
}

void scri_step_begin_apply(scree_world* world, int32_t body)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    const double *free = b->free + SCRI_BODY_STRIDE * i, *v = b->velocity + 3 * i;
    const double* w = b->omega + 3 * i;
    double *next = b->next + SCRI_BODY_STRIDE * i, *size = b->size + 6 * i;
    for (int j = 0; j < 3; ++j) {
        size[j] = fabs(v[j]) + fabs(free[j] - v[j]);
        size[3 + j] = fabs(w[j]) + fabs(free[3 + j] - w[j]);
    }
    memcpy(next, free, SCRI_BODY_STRIDE * sizeof *next);
}

/* The rows of a joint, see apply_sides(). */
static void apply_joint(scree_world* world, int32_t c, int first, int last)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    int width = t->first_row[c + 1] - t->first_row[c];
    for (int side = first; side <= last; ++side) {
        int32_t i = t->pair[2 * (size_t)c + (size_t)side];
        if (i < 0 || b->inv_mass[i] == 0.0) continue;
        double load[6], turn[3], *next = b->next + SCRI_BODY_STRIDE * (size_t)i;
        double* size = b->size + 6 * (size_t)i;
        scri_bodies_general_load(&world->problem.bodies, c, side, width, t->p + t->first_row[c],
                                 load);
        scri_inertia_multiply(b->inv_inertia_world + 6 * (size_t)i, load + 3, turn);
        for (int j = 0; j < 3; ++j) {
            next[j] += b->inv_mass[i] * load[j];
            next[3 + j] += turn[j];
            size[j] += fabs(b->inv_mass[i] * load[j]);
            size[3 + j] += fabs(turn[j]);
        }
    }
}

/* Adds M^-1 H^T p of one contact to `next`, and its magnitude to `size`, on the sides from `first`
 * to `last`. */
static void apply_sides(scree_world* world, int32_t c, int first, int last)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    if (t->general[c] >= 0) {
        apply_joint(world, c, first, last);
        return;
    }
    const int32_t* pair = t->pair + 2 * (size_t)c;
    const double *frame = t->frame + 9 * (size_t)c, *p = t->p + t->first_row[c];
    int width = t->first_row[c + 1] - t->first_row[c];
    double force[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < width; ++i) {
        const double* axis = frame + 3 * (i < 3 ? i : scri_bodies_twist_axis(width, i));
        for (int j = 0; j < 3; ++j) *(i < 3 ? force + j : moment + j) += p[i] * axis[j];
    }
    for (int side = first; side <= last; ++side) {
        if (b->inv_mass[pair[side]] == 0.0) continue;
        size_t body = (size_t)pair[side];
        double sign = side ? -1.0 : 1.0, twist[3], turn[3];
        double *next = b->next + SCRI_BODY_STRIDE * body, *size = b->size + 6 * body;
        scri_cross(t->arm + 6 * (size_t)c + 3 * (size_t)side, force, twist);
        for (int j = 0; j < 3; ++j) twist[j] += moment[j];
        scri_inertia_multiply(b->inv_inertia_world + 6 * body, twist, turn);
        for (int j = 0; j < 3; ++j) {
            double push = b->inv_mass[body] * force[j];
            next[j] += sign * push;
            next[3 + j] += sign * turn[j];
            size[j] += fabs(push);
            size[3 + j] += fabs(turn[j]);
        }
    }
}

void scri_step_apply_contact(scree_world* world, int32_t c)
{
    apply_sides(world, c, 0, 1);
}

/* Components far below the velocities that cancelled in this body are rounding: they become zero,
 * so that rest is rest. Lengths compare through the radius of gyration. */
void scri_step_end_apply(scree_world* world, int32_t body)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    if (b->inv_mass[i] == 0.0) return;
    if (b->part[i] >= 0 && world->parts.held[b->part[i]]) {
        memset(b->next + SCRI_BODY_STRIDE * i, 0, 6 * sizeof *b->next);
        return;
    }
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

/* All of that for blocks of bodies, each contact after contact in their order: the same sums as
 * when contacts come one after the other. */
static void apply_blocks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    scree_world* world = context;
    const scri_shares* s = &world->shares;
    (void)worker;
    for (int32_t i = s->first[begin]; i < s->first[end]; ++i) scri_step_begin_apply(world, i);
    for (int32_t k = s->start[begin]; k < s->start[end]; ++k) {
        int32_t c = s->ends[k] / 2, side = s->ends[k] % 2;
        apply_sides(world, c, side, side == 0 && scri_shares_both(s, c) ? 1 : side);
    }
    for (int32_t i = s->first[begin]; i < s->first[end]; ++i) scri_step_end_apply(world, i);
}

void scri_step_apply(scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    if (world->shares.team) {
        scri_team_for(world->team, world->shares.n_blocks, 1, apply_blocks, world);
        return;
    }
    for (int32_t i = 0; i < b->n; ++i) scri_step_begin_apply(world, i);
    for (int32_t c = 0; c < t->n; ++c) scri_step_apply_contact(world, c);
    for (int32_t i = 0; i < b->n; ++i) scri_step_end_apply(world, i);
}

/* Of the bodies of blocks, but for joints. */
static void count_contacts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    scree_world* world = context;
    const scri_shares* s = &world->shares;
    const int32_t* pair = world->contacts.pair;
    const double* inv_mass = world->bodies.inv_mass;
    int32_t* count = world->bodies.n_contacts;
    (void)worker;
    for (int32_t i = s->first[begin]; i < s->first[end]; ++i) count[i] = 0;
    for (int32_t k = s->start[begin]; k < s->start[end]; ++k) {
        const int32_t *body = pair + s->ends[k], c = s->ends[k] / 2;
        if (c >= world->n_touching) continue;
        count[body[0]]++;
        int both = s->ends[k] % 2 == 0 && scri_shares_both(s, c);
        if (both && inv_mass[body[1]] > 0.0) count[body[1]]++;
    }
}

void scri_step_share_contacts(scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    const scri_contacts_table* t = &world->contacts;
    scri_shares* s = &world->shares;
    s->ends = t->end;
    s->home = t->home;
    scri_shares_find(s, t->n, t->pair, b->n, b->inv_mass, world->team);
    if (s->team) {
        scri_team_for(world->team, s->n_blocks, 1, count_contacts, world);
        return;
    }
    memset(b->n_contacts, 0, (size_t)b->n * sizeof *b->n_contacts);
    for (size_t k = 0; k < 2 * (size_t)world->n_touching; ++k) b->n_contacts[t->pair[k]]++;
}

void scri_step_drop_loads(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    if (world->has_loads) memset(b->load, 0, 6 * (size_t)b->n * sizeof *b->load);
    world->has_loads = 0;
}

static void take_velocity(scree_world* world, int32_t body)
{
    scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    if (b->kind[i] == SCREE_BODY_STATIC) return;
    memcpy(b->velocity + 3 * i, b->next + SCRI_BODY_STRIDE * i, 3 * sizeof *b->next);
    memcpy(b->omega + 3 * i, b->next + SCRI_BODY_STRIDE * i + 3, 3 * sizeof *b->next);
}

void scri_step_move(scree_world* world)
{
    scri_step_each(world, world->bodies.n, COPIES_GRAIN, take_velocity);
    scri_step_drift(world, world->def.theta * world->def.step, 1);
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
            work += t->p[t->first_row[c] + i] * (scri_dot3(row, v) + scri_dot3(row + 3, v + 3));
        }
    }
    return work;
}

static void write_after(scree_world* world, int32_t c)
{
    const scri_contacts_table* t = &world->contacts;
    double* y = t->after + 6 * (size_t)c;
    memset(y, 0, 6 * sizeof *y);
    scri_bodies_add_relative(&world->problem.bodies, world->bodies.next, c,
                             t->first_row[c + 1] - t->first_row[c], y);
}

static double work_of(const void* context, int32_t begin, int32_t end)
{
    const scree_world* world = context;
    const scri_contacts_table* t = &world->contacts;
    double work = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        int width = t->first_row[c + 1] - t->first_row[c];
        const double* y = t->after + 6 * (size_t)c;
        for (int i = 0; i < width; ++i) {
            work += 0.5 * t->p[t->first_row[c] + i] * (y[i] + t->before[6 * (size_t)c + (size_t)i]);
        }
        work -= work_of_walls(world, c, width);
    }
    return work;
}

double scri_step_contact_work(scree_world* world)
{
    int32_t n = world->contacts.n;
    scri_step_each(world, n, CONTACTS_GRAIN, write_after);
    return scri_groups_sum(world->team, n, SUMS_GRAIN, work_of, world);
}

double scri_step_force_work(const scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    double work = 0.0;
    if (!world->def.force && !world->has_loads && !world->has_joint_forces) return 0.0;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        const double* next = b->next + SCRI_BODY_STRIDE * i;
        for (size_t j = 0; j < 3 && b->inv_mass[i] > 0.0; ++j) {
            double force = b->force[3 * i + j] - b->mass[i] * world->def.gravity[j];
            work += force * (b->velocity[3 * i + j] + next[j]);
            work += b->torque[3 * i + j] * (b->omega[3 * i + j] + next[3 + j]);
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

static double kinetic_of(const void* context, int32_t begin, int32_t end)
{
    const scree_world* world = context;
    const scri_bodies_table* b = &world->bodies;
    double sum = 0.0;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        if (b->kind[i] != SCREE_BODY_DYNAMIC) continue;
        scri_vec v = scri_vec_load(b->velocity + 3 * i), w = scri_vec_load(b->omega + 3 * i);
        sum += 0.5 * b->mass[i] * scri_vec_dot(v, v);
        sum += 0.5 * scri_vec_dot(w, angular_momentum(b, i, w));
    }
    return sum;
}

static double potential_of(const void* context, int32_t begin, int32_t end)
{
    const scree_world* world = context;
    const scri_bodies_table* b = &world->bodies;
    scri_vec g = scri_vec_load(world->def.gravity);
    double sum = 0.0;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        if (b->kind[i] != SCREE_BODY_DYNAMIC) continue;
        sum -= b->mass[i] * scri_vec_dot(g, scri_vec_load(b->position + 3 * i));
    }
    return sum;
}

void scri_step_energy(const scree_world* world, double* kinetic, double* potential)
{
    *kinetic = scri_groups_sum(world->team, world->bodies.n, SUMS_GRAIN, kinetic_of, world);
    *potential = scri_groups_sum(world->team, world->bodies.n, SUMS_GRAIN, potential_of, world);
}
