/* Tangents along the lay of a surface, and the sets of a contact in them.
 *
 * The axes of a surface at a contact are its lay, projected on the tangent plane, and the outward
 * normal times that. Those of side B are the contact's t1 and t2, because n points out of it; those
 * of side A are seen from the other side of the plane, hence mirrored. */
#include "math/vec.h"
#include "step/step.h"

#include <math.h>

/* A lay with less than this of its length in the tangent plane has no direction there. */
#define SHORTEST_LAY 1e-6

/* The direction of a shape's lay in the plane across n; where it has none, the usual tangent. */
static scri_vec lay_direction(const scree_world* world, int32_t shape, const double* lay,
                              scri_vec n)
{
    const double* rotation = world->bodies.rotation + 4 * (size_t)world->shapes.body[shape];
    scri_vec along = scri_quat_rotate(scri_quat_load(rotation), scri_vec_load(lay)), unused;
    scri_vec flat = scri_vec_add_scaled(along, -scri_vec_dot(along, n), n);
    double length = scri_vec_length(flat);
    if (!(length > SHORTEST_LAY)) {
        scri_vec_tangents(n, &flat, &unused);
        return flat;
    }
    flat = scri_vec_scale(1.0 / length, flat);
    /* Once more: what cancelled has left rounding along n. */
    flat = scri_vec_add_scaled(flat, -scri_vec_dot(flat, n), n);
    return scri_vec_scale(1.0 / scri_vec_length(flat), flat);
}

/* x^T q x of side A in the axes of side B, which are turned back by the angle (c, s). */
static void turn_ellipse(const double q[3], double c, double s, double out[3])
{
    double cross = -q[1]; /* the mirror */
    out[0] = c * c * q[0] - 2.0 * c * s * cross + s * s * q[2];
    out[1] = c * s * (q[0] - q[2]) + (c * c - s * s) * cross;
    out[2] = s * s * q[0] + 2.0 * c * s * cross + c * c * q[2];
}

/* Set k of a contact where ellipses of one or both sides count; (c, s) is the direction of the lay
 * of side A in t1, t2. `a` is the side of the pair that side A of the contact is. */
static scree_set_value mixed_set(const scri_pair* pair, int k, int a, double c, double s)
{
    double turned[3], mean[3];
    turn_ellipse(pair->ellipse[a][k], c, s, turned);
    if (pair->from[k] != 3) return scri_set_from_quadratic(turned);
    scri_ellipse_mean(turned, pair->ellipse[1 - a][k], mean);
    return scri_set_from_quadratic(mean);
}

static void write_sets(scree_world* world, const scri_pair* pair, const int32_t side[2], int32_t c,
                       scri_vec n)
{
    const double* frame = world->contacts.frame + 9 * (size_t)c;
    int32_t* set = world->contact_sets.set + SCRI_SETS * (size_t)c;
    int a = 1 - pair->laid, is_turned = 0;
    double cosine = 1.0, sine = 0.0;
    for (int k = 0; k < SCRI_SETS; ++k) {
        set[k] = pair->has_sets && pair->set[k] ? pair->set[k]->place : -1;
        is_turned |= pair->from[k];
    }
    if (!is_turned) return;
    scri_vec along = lay_direction(world, side[0], pair->lay[a], n);
    cosine = scri_vec_dot(along, scri_vec_load(frame + 3));
    sine = scri_vec_dot(along, scri_vec_load(frame + 6));
    for (int k = 0; k < SCRI_SETS; ++k) {
        if (!pair->from[k]) continue;
        world->sets.value[world->sets.n] = mixed_set(pair, k, a, cosine, sine);
        if (k < SCRI_ROLLING) world->sets.value[world->sets.n].spin_power = pair->spin_power;
        set[k] = world->sets.n++;
    }
}

void scri_axes_write(scree_world* world, const scri_pair* pair, const int32_t side[2], int32_t c,
                     scri_vec n)
{
    double* frame = world->contacts.frame + 9 * (size_t)c;
    scri_vec t1, t2;
    if (pair->has_sets) {
        t1 = lay_direction(world, side[1], pair->lay[pair->laid], n);
        t2 = scri_vec_cross(n, t1);
    } else {
        scri_vec_tangents(n, &t1, &t2);
    }
    scri_vec_store(n, frame);
    scri_vec_store(t1, frame + 3);
    scri_vec_store(t2, frame + 6);
    if (world->contact_sets.n > 0) write_sets(world, pair, side, c, n);
}

int scri_axes_reserve(scree_world* world, int32_t n)
{
    scri_contact_sets_table* t = &world->contact_sets;
    t->n = 0;
    world->sets.n = world->n_own_sets;
    if (!world->has_sets) return 1;
    int64_t most = (int64_t)world->n_own_sets + SCRI_SETS * (int64_t)n;
    if (most > INT32_MAX || !scri_contact_sets_table_reserve(&world->env, t, n)) return 0;
    if (!scri_set_pool_reserve(&world->env, &world->sets, (int32_t)most, 0)) return 0;
    t->n = n;
    return 1;
}
