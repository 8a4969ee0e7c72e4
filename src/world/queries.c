/* What a ray meets, what lies in a box, what a shape would touch. */
#include "collide/query.h"
#include "shapes/bounds.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* The shapes where they are now, sorted for queries if they are not yet. */
static scree_status place(scree_world* world, scri_placed* out)
{
    if (world->is_placed) {
        *out = scri_world_placed(world);
        return SCREE_OK;
    }
    *out = scri_world_place_shapes(world);
    scree_status status = scri_collider_place(world->collider, out);
    world->is_placed = !status;
    return status;
}

static scree_status fail(const scree_world* world, scree_status status, const char* call,
                         const char* why)
{
    return scri_fail(&world->env, status, "%s: %s", call, why);
}

/* ---- rays ------------------------------------------------------------------------------------ */

static scree_status check_ray(const scree_world* world, const char* call, const double* origin,
                              const double* way, const void* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    if (!origin || !way || !out) return fail(world, SCREE_ERROR_ARGUMENT, call, "a NULL pointer");
    if (!scri_are_finite(origin, 3) || !scri_are_finite(way, 3)) {
        return fail(world, SCREE_ERROR_INPUT, call, "the ray is not finite");
    }
    double square = scri_vec_dot(scri_vec_load(way), scri_vec_load(way));
    if (!(square > 0.0 && isfinite(square))) {
        return fail(world, SCREE_ERROR_INPUT, call, "the ray has no length that can be squared");
    }
    return SCREE_OK;
}

static scree_ray_hit hit_of(const scree_world* world, const scri_ray* ray, const scri_ray_hit* hit)
{
    scree_ray_hit out = {.body = scree_world_body_at(world, world->shapes.body[hit->shape]),
                         .shape = hit->shape,
                         .share = hit->share};
    scri_vec_store(scri_vec_add_scaled(ray->origin, hit->share, ray->way), out.point);
    scri_vec_store(hit->normal, out.normal);
    return out;
}

/* Keeps the nearest; of two at one place that with the lower number. */
static double keep_nearest(void* user, const scri_ray_hit* hit, double limit)
{
    scri_ray_hit* best = user;
    if (best->shape < 0 || hit->share < best->share ||
        (hit->share == best->share && hit->shape < best->shape)) {
        *best = *hit;
        return hit->share;
    }
    return limit;
}

scree_status scree_world_cast_ray(scree_world* world, const double origin[3], const double way[3],
                                  uint32_t categories, scree_ray_hit* out)
{
    scree_status status = check_ray(world, "scree_world_cast_ray", origin, way, out);
    if (status) return status;
    scri_placed placed;
    status = place(world, &placed);
    if (status) return status;
    scri_ray ray = {scri_vec_load(origin), scri_vec_load(way)};
    scri_ray_hit best = {.shape = -1};
    scri_collider_cast(world->collider, &placed, &ray, categories, keep_nearest, &best);
    *out = (scree_ray_hit){.shape = -1, .share = 1.0};
    if (best.shape >= 0) *out = hit_of(world, &ray, &best);
    return SCREE_OK;
}

typedef struct all_hits {
    const scree_world* world;
    const scri_ray* ray;
    scree_ray_visit* visit;
    void* user;
} all_hits;

static double hand_out_hit(void* user, const scri_ray_hit* hit, double limit)
{
    const all_hits* all = user;
    scree_ray_hit out = hit_of(all->world, all->ray, hit);
    return all->visit(all->user, &out) ? -1.0 : limit;
}

scree_status scree_world_cast_ray_all(scree_world* world, const double origin[3],
                                      const double way[3], uint32_t categories,
                                      scree_ray_visit* visit, void* user)
{
    static const char call[] = "scree_world_cast_ray_all";
    scree_status status = check_ray(world, call, origin, way, world);
    if (!status && !visit) status = fail(world, SCREE_ERROR_ARGUMENT, call, "no function to call");
    if (status) return status;
    scri_placed placed;
    status = place(world, &placed);
    if (status) return status;
    scri_ray ray = {scri_vec_load(origin), scri_vec_load(way)};
    all_hits all = {world, &ray, visit, user};
    scri_collider_cast(world->collider, &placed, &ray, categories, hand_out_hit, &all);
    return SCREE_OK;
}

/* ---- boxes and shapes ------------------------------------------------------------------------ */

typedef struct overlaps {
    const scree_world* world;
    const scri_placed* placed;
    uint32_t categories;      /* what is looked for */
    const scree_shape* shape; /* NULL: bounding boxes will do */
    scree_overlap_visit* visit;
    void* user;
    scree_status status;
} overlaps;

/* Whether shape i touches the one of the query, by the narrow phase. */
static int touches(const overlaps* o, int32_t i)
{
    const scree_shape* shape = o->shape;
    const scri_placed* p = o->placed;
    scree_shape_kind kind[2] = {shape->kind, p->kind[i]};
    double size[6], position[6], rotation[8];
    double rounding[2] = {shape->rounding, p->rounding ? p->rounding[i] : 0.0};
    scri_touch points[SCRI_MAX_TOUCHES];
    const scree_hull* hull[2] = {shape->hull, p->hull ? p->hull[i] : NULL};
    const scree_mesh* mesh[2] = {shape->mesh, p->mesh ? p->mesh[i] : NULL};
    scri_shape_sizes(shape, size);
    memcpy(size + 3, p->size + 3 * (size_t)i, 3 * sizeof *size);
    memcpy(position, shape->position, 3 * sizeof *position);
    memcpy(position + 3, p->position + 3 * (size_t)i, 3 * sizeof *position);
    memcpy(rotation, shape->rotation, 4 * sizeof *rotation);
    memcpy(rotation + 4, p->rotation + 4 * (size_t)i, 4 * sizeof *rotation);
    scri_placed two = {.n = 2,
                       .kind = kind,
                       .size = size,
                       .rounding = rounding,
                       .hull = hull,
                       .mesh = mesh,
                       .position = position,
                       .rotation = rotation};
    return scri_collide_pair(&two, 0, 1, 0.0, points) > 0;
}

static int look_at(void* user, int32_t i)
{
    overlaps* o = user;
    const scri_placed* p = o->placed;
    if (!(p->category[i] & o->categories)) return 0;
    if (o->shape) {
        if (!(p->collides[i] & o->shape->category)) return 0;
        scree_shape_kind kind = o->shape->kind;
        if (kind == SCREE_SHAPE_HALF_SPACE && p->kind[i] == SCREE_SHAPE_HALF_SPACE) return 0;
        if (!touches(o, i)) return 0;
    }
    return o->visit(o->user, scree_world_body_at(o->world, p->body[i]), i);
}

scree_status scree_world_overlap_box(scree_world* world, const double lower[3],
                                     const double upper[3], uint32_t categories,
                                     scree_overlap_visit* visit, void* user)
{
    static const char call[] = "scree_world_overlap_box";
    if (!world) return SCREE_ERROR_ARGUMENT;
    if (!lower || !upper || !visit) {
        return fail(world, SCREE_ERROR_ARGUMENT, call, "a NULL pointer");
    }
    for (int k = 0; k < 3; ++k) {
        if (lower[k] <= upper[k]) continue;
        return fail(world, SCREE_ERROR_INPUT, call, "the lower corner is not below the upper one");
    }
    scri_placed placed;
    scree_status status = place(world, &placed);
    if (status) return status;
    overlaps o = {
        .world = world, .placed = &placed, .categories = categories, .visit = visit, .user = user};
    scri_collider_search(world->collider, &placed, lower, upper, look_at, &o);
    return SCREE_OK;
}

static scree_status check_shape(const scree_world* world, const char* call,
                                const scree_shape* shape)
{
    scree_status status =
        scri_check_size(&world->env, shape->struct_size, sizeof *shape, "scree_default_shape");
    if (status) return status;
    if (!scri_are_finite(shape->position, 3) || !scri_is_rotation(shape->rotation)) {
        return fail(world, SCREE_ERROR_INPUT, call, "the pose is not one");
    }
    if (shape->kind == SCREE_SHAPE_HALF_SPACE) return SCREE_OK;
    scree_mass unused; /* checks kind and sizes */
    return scree_shape_mass(&world->env, 1, shape, 1.0, &unused);
}

scree_status scree_world_overlap_shape(scree_world* world, const scree_shape* shape,
                                       scree_overlap_visit* visit, void* user)
{
    static const char call[] = "scree_world_overlap_shape";
    if (!world) return SCREE_ERROR_ARGUMENT;
    if (!shape || !visit) return fail(world, SCREE_ERROR_ARGUMENT, call, "a NULL pointer");
    scree_status status = check_shape(world, call, shape);
    if (status) return status;
    scri_placed placed;
    status = place(world, &placed);
    if (status) return status;
    double lower[3], upper[3], size[3];
    scri_shape_sizes(shape, size);
    scri_shape_bounds(shape->kind, size, shape->position, shape->rotation, lower, upper);
    for (int k = 0; k < 3; ++k) {
        lower[k] -= shape->rounding;
        upper[k] += shape->rounding;
    }
    overlaps o = {.world = world,
                  .placed = &placed,
                  .categories = shape->collides,
                  .shape = shape,
                  .visit = visit,
                  .user = user};
    scri_collider_search(world->collider, &placed, lower, upper, look_at, &o);
    return o.status;
}
