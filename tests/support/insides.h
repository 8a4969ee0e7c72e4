/* Numbers that stand for what a step leaves inside of a world: what it is to know later, what it
 * has decided and what it has saved itself. Much of it shows in no motion: a part that is solved
 * again in vain moves as before. */
#ifndef SUPPORT_INSIDES_H
#define SUPPORT_INSIDES_H

#include "support/bits.h"
#include "world/world.h"

typedef uint64_t mixing(uint64_t hash, const double* x, size_t n);

static inline uint64_t mix_whole(uint64_t hash, int64_t x)
{
    const double number = (double)x;
    return mix_bits(hash, &number, 1);
}

/* A world counts those of bodies that respond; promised numbers have them of all. */
static inline int32_t contacts_of(const scree_world* world, size_t body)
{
    int32_t n = 0;
    if (world->bodies.inv_mass[body] > 0.0) return world->bodies.n_contacts[body];
    for (int32_t k = 0; k < 2 * world->n_touching; ++k) {
        n += world->contacts.pair[k] == (int32_t)body;
    }
    return n;
}

static inline uint64_t mix_inner_bodies(uint64_t hash, const scree_world* world, mixing* mix)
{
    const scri_bodies_table* b = &world->bodies;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        const int flags[] = {b->changed[i],      contacts_of(world, i), b->part[i],
                             b->is_unshifted[i], b->still_steps[i],     b->idle[i]};
        if (b->kind[i] == SCREE_BODY_NONE) continue;
        for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k) hash = mix_whole(hash, flags[k]);
        hash = mix(hash, b->inv_inertia_world + 6 * i, 6);
        hash = mix(hash, b->free + 8 * i, 6);
        hash = mix(hash, b->next + 8 * i, 6);
        hash = mix(hash, b->begin + 13 * i, 13);
        hash = mix(hash, b->force + 3 * i, 3);
        hash = mix(hash, b->torque + 3 * i, 3);
        hash = mix(hash, b->load + 6 * i, 6);
        hash = mix(hash, b->path + 6 * i, 6);
        if (world->is_shifted) hash = mix(hash, b->shift + 6 * i, 6);
        if (!world->is_stopped) continue;
        hash = mix(hash, b->stop + i, 1);
        hash = mix(hash, b->carry + 3 * i, 3);
    }
    return hash;
}

static inline uint64_t mix_inner_contacts(uint64_t hash, const scree_world* world, mixing* mix)
{
    const scri_contacts_table* t = &world->contacts;
    size_t n = (size_t)t->n, rows = (size_t)t->first_row[n];
    for (size_t c = 0; c < n; ++c) {
        int is_joint = t->general[c] >= 0;
        const int64_t known[] = {t->shape[2 * c], t->shape[2 * c + 1], t->feature[c],     t->was[c],
                                 t->part[c],      t->pair[2 * c],      t->pair[2 * c + 1]};
        for (size_t k = 0; k < sizeof known / sizeof *known; ++k) hash = mix_whole(hash, known[k]);
        hash = mix(hash, t->room + c, 1);
        hash = mix(hash, t->before + 6 * c, 6);
        hash = mix(hash, t->after + 6 * c, 6);
        hash = mix(hash, t->lag + 6 * c, 6);
        hash = mix(hash, t->rebound + c, 1);
        if (is_joint) continue;
        hash = mix_whole(mix_whole(hash, t->lasting[c]), t->zone[c]);
        if (world->has_slip) hash = mix(hash, t->slip + 3 * c, 3);
    }
    for (int k = 0; k < world->joint_rows.n && world->n_joints > 0; ++k) {
        hash = mix(hash, world->joint_rows.jacobian + 12 * (size_t)k, 12);
    }
    return world->has_compliance ? mix(hash, t->compliance, rows) : hash;
}

static inline uint64_t mix_inner_touches(uint64_t hash, const scree_world* world, mixing* mix)
{
    const scri_touch_table* s = &world->touch_state;
    for (size_t i = 0; i < (size_t)s->n; ++i) {
        hash = mix_whole(mix_whole(hash, s->chosen[i]), s->contact[i]);
        hash = mix_whole(mix_whole(hash, s->lasting[i]), s->listed[i]);
        hash = mix(hash, s->end_gap + i, 1);
        hash = mix(hash, s->least_push + i, 1);
    }
    for (int32_t k = 0; k < world->pushes.n && world->is_shifted; ++k) {
        hash = mix(mix_whole(hash, world->pushes.touch[k]), &world->pushes.push[k].push, 1);
    }
    return hash;
}

static inline uint64_t mix_inner_parts(uint64_t hash, const scree_world* world, mixing* mix)
{
    const scri_parts_table* p = &world->parts;
    for (size_t k = 0; k < (size_t)p->n; ++k) {
        const scree_report* report = &p->report[k];
        const int flags[] = {p->changed[k], p->kept[k], p->settled[k], (int)report->outcome,
                             report->infeasible.n_contacts};
        for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) hash = mix_whole(hash, flags[i]);
        hash = mix(hash, &report->residual, 1);
        hash = mix(hash, &report->infeasible.approach, 1);
    }
    return hash;
}

static inline uint64_t mix_inner_joints(uint64_t hash, const scree_world* world, mixing* mix)
{
    const scri_joint_system* s = &world->joint_system;
    for (int32_t k = 0; k < world->joints.n; ++k) {
        const scri_joint_memory* m = &world->joints.joint[k].memory;
        if (!world->joints.joint[k].is_used) continue;
        hash = mix(hash, m->coordinate, 3);
        hash = mix(hash, m->turn, 2);
        hash = mix(hash, m->rate, 3);
        hash = mix(hash, m->effort, 3);
        hash = mix(hash, m->impulse, 6);
        hash = mix(hash, m->hold, 6);
        hash = mix(hash, &m->press, 1);
    }
    if (world->n_joints == 0 || !s->is_made) return hash;
    hash = mix(hash, s->error, (size_t)s->n_rows);
    hash = mix(hash, s->diagonal, (size_t)s->n_rows);
    hash = mix(hash, s->arm, 3 * (size_t)s->n_nodes);
    return mix(hash, s->row, 12 * (size_t)s->n_rows);
}

/* After a step. */
static inline uint64_t mix_inside(uint64_t hash, const scree_world* world, mixing* mix)
{
    const int flags[] = {world->is_stopped,     world->is_shifted, world->is_unchanged,
                         world->has_compliance, world->n_touching, world->has_joint_forces};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) hash = mix_whole(hash, flags[i]);
    hash = mix(hash, &world->longest_way, 1);
    hash = mix(hash, world->shapes.reach, (size_t)world->shapes.n);
    hash = mix_inner_bodies(hash, world, mix);
    hash = mix_inner_contacts(hash, world, mix);
    hash = mix_inner_touches(hash, world, mix);
    hash = mix_inner_parts(hash, world, mix);
    return mix_inner_joints(hash, world, mix);
}

#endif
