/* The contacts of the last step in world axes, and what they do to a body. */
#include "base/fill.h"
#include "cones/layout_kernel.h"
#include "math/vec.h"
#include "world/world.h"

#include <string.h>

int32_t scree_world_contact_count(const scree_world* world)
{
    return world && world->contacts_are_known ? world->n_touching : 0;
}

/* Sum of `rows` along the normal (where `normal`) and the tangents of contact c. */
static scri_vec in_world(const double* frame, const double* normal, const double* tangents, int dim)
{
    scri_vec sum = {0.0, 0.0, 0.0};
    if (normal) sum = scri_vec_scale(*normal, scri_vec_load(frame));
    for (int i = 0; i < dim; ++i) {
        sum = scri_vec_add_scaled(sum, tangents[i], scri_vec_load(frame + 3 + 3 * i));
    }
    return sum;
}

/* Impulse and angular impulse of contact c on its side A. */
static void impulse_of(const scri_contacts_table* t, size_t c, scri_vec* impulse, scri_vec* moment)
{
    scri_layout layout = scri_layout_of(t->rows[c]);
    const double *p = t->p + t->first_row[c], *frame = t->frame + 9 * c;
    const int *first = layout.first, *dim = layout.dim;
    *impulse = in_world(frame, p, p + first[SCRI_SLIDE], dim[SCRI_SLIDE]);
    *moment = in_world(frame, dim[SCRI_SPIN] ? p + first[SCRI_SPIN] : NULL, p + first[SCRI_ROLL],
                       dim[SCRI_ROLL]);
}

static scree_contact contact_of(const scree_world* world, size_t c)
{
    scree_contact contact = {.struct_size = sizeof contact}, *out = &contact;
    const scri_contacts_table* t = &world->contacts;
    const double *y = t->after + 6 * c, *frame = t->frame + 9 * c;
    double per_second = 1.0 / world->def.step;
    scri_layout layout = scri_layout_of(t->rows[c]);
    scri_vec impulse, moment;
    impulse_of(t, c, &impulse, &moment);
    /* Shapes stand in the order of the collider, bodies in that of the solver. */
    int turned = world->shapes.body[t->shape[2 * c]] != t->pair[2 * c];
    for (size_t side = 0; side < 2; ++side) {
        out->body[side] = scree_world_body_at(world, t->pair[2 * c + side]);
        out->shape[side] = t->shape[2 * c + (turned ? 1 - side : side)];
        out->material[side] = scri_shapes_material(&world->shapes, out->shape[side], t->zone[c]);
    }
    memcpy(out->point, t->point + 3 * c, sizeof out->point);
    memcpy(out->normal, frame, sizeof out->normal);
    out->gap = t->gap[c];
    scri_vec_store(impulse, out->impulse);
    scri_vec_store(moment, out->angular_impulse);
    scri_vec_store(scri_vec_scale(per_second, impulse), out->force);
    scri_vec_store(scri_vec_scale(per_second, moment), out->torque);
    scri_vec_store(in_world(frame, NULL, y + layout.first[SCRI_SLIDE], layout.dim[SCRI_SLIDE]),
                   out->slip);
    return contact;
}

static void write_contact(const scree_world* world, size_t c, uint32_t size, void* out)
{
    scree_contact whole = contact_of(world, c);
    scri_fill(out, size, &whole, sizeof whole);
}

scree_status scree_world_fill_contact(const scree_world* world, int32_t index, scree_contact* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    int32_t n = scree_world_contact_count(world);
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_world_get_contact: no place");
    if (index < 0 || index >= n) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "scree_world_get_contact: there is no contact %d of %d", (int)index,
                         (int)n);
    }
    write_contact(world, (size_t)index, out->struct_size, out);
    return SCREE_OK;
}

/* Which side of contact c a body is; -1: none. */
static int side_of(const scri_contacts_table* t, size_t c, int32_t body)
{
    return t->pair[2 * c] == body ? 0 : t->pair[2 * c + 1] == body ? 1 : -1;
}

scree_status scree_world_fill_body_contacts(const scree_world* world, scree_body_id id,
                                            int32_t capacity, scree_contact* out, int32_t* n)
{
    int32_t body, found = 0;
    scree_status status = scri_world_find(world, id, "scree_world_get_body_contacts", &body);
    if (status) return status;
    if (capacity < 0 || (capacity > 0 && !out) || !n) {
        return scri_fail(&world->env, SCREE_ERROR_ARGUMENT,
                         "scree_world_get_body_contacts: no place");
    }
    size_t count = (size_t)scree_world_contact_count(world);
    uint32_t size = capacity > 0 ? out->struct_size : 0;
    for (size_t c = 0; c < count; ++c) {
        if (side_of(&world->contacts, c, body) < 0) continue;
        if (found < capacity) {
            write_contact(world, c, size, (unsigned char*)out + (size_t)found * size);
        }
        ++found;
    }
    *n = found;
    return SCREE_OK;
}

scree_status scree_world_get_contact_force(const scree_world* world, scree_body_id id,
                                           double force[3], double torque[3])
{
    int32_t body;
    scree_status status = scri_world_find(world, id, "scree_world_get_contact_force", &body);
    if (status) return status;
    const scri_contacts_table* t = &world->contacts;
    scri_vec p = {0.0, 0.0, 0.0}, l = p, impulse, moment;
    size_t n = (size_t)scree_world_contact_count(world);
    for (size_t c = 0; c < n; ++c) {
        int side = side_of(t, c, body);
        if (side < 0) continue;
        double sign = side ? -1.0 : 1.0;
        impulse_of(t, c, &impulse, &moment);
        scri_vec arm = scri_vec_load(t->arm + 6 * c + 3 * (size_t)side);
        p = scri_vec_add_scaled(p, sign, impulse);
        l = scri_vec_add_scaled(l, sign, scri_vec_add(moment, scri_vec_cross(arm, impulse)));
    }
    double per_second = 1.0 / world->def.step;
    if (force) scri_vec_store(scri_vec_scale(per_second, p), force);
    if (torque) scri_vec_store(scri_vec_scale(per_second, l), torque);
    return SCREE_OK;
}
