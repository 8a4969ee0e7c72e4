/* Shapes of a scene that would pass through each other: a fault at the body that comes second. The
 * world refuses it as well, but does not know lines. */
#include "collide/collide.h"
#include "io/scene_reader.h"
#include "scene/scene.h"

static const scree_scene_body* model_of(const scree_scene* scene, int32_t i)
{
    int32_t k = i - scene->n_bodies;
    return k < 0 ? &scene->bodies[i] : &scene->generators[k].model;
}

/* Whether bodies of the two meet; the same one only where it is made more than once. */
static bool may_meet(const scree_scene* scene, int32_t a, int32_t b)
{
    if (a == b && (a < scene->n_bodies ||
                   scri_generator_count(&scene->generators[a - scene->n_bodies]) < 2)) {
        return false;
    }
    return model_of(scene, a)->def.kind == SCREE_BODY_DYNAMIC ||
           model_of(scene, b)->def.kind == SCREE_BODY_DYNAMIC;
}

static void check_two(scri_reader* r, const scree_scene_body* a, const scree_scene_body* b,
                      scri_yaml_place place)
{
    const scree_shape *of_a = a->shapes, *of_b = b->shapes;
    for (int32_t i = 0; i < a->n_shapes; ++i) {
        for (int32_t k = 0; k < b->n_shapes && !r->status; ++k) {
            if (!scri_pair_refused(&of_a[i], &of_b[k])) continue;
            scri_reader_fail(r, place,
                             "a %s ('%s') and a %s ('%s') cannot collide: this pair of shapes is "
                             "not supported (category and collides can keep them apart)",
                             scree_shape_name((int)of_a[i].kind), a->name,
                             scree_shape_name((int)of_b[k].kind), b->name);
        }
    }
}

/* Whether two kinds of the scene have no narrow phase. Scenes without such a pair are the rule, and
 * may list many bodies. */
static bool has_limits(const scree_scene* scene)
{
    bool present[SCREE_SHAPE_COUNT] = {false};
    for (int32_t i = 0; i < scene->n_bodies + scene->n_generators; ++i) {
        const scree_scene_body* body = model_of(scene, i);
        for (int32_t k = 0; k < body->n_shapes; ++k) present[body->shapes[k].kind] = true;
    }
    present[SCREE_SHAPE_HALF_SPACE] = false; /* never dynamic, and supported with all others */
    for (int k = 0; k < SCREE_SHAPE_COUNT * SCREE_SHAPE_COUNT; ++k) {
        int a = k / SCREE_SHAPE_COUNT, b = k % SCREE_SHAPE_COUNT;
        if (!present[a] || !present[b]) continue;
        if (!scri_pair_supported((scree_shape_kind)a, (scree_shape_kind)b)) return true;
    }
    return false;
}

void scri_check_kinds(scri_reader* r)
{
    if (r->status || !has_limits(r->scene)) return;
    int32_t n = r->scene->n_bodies + r->scene->n_generators;
    for (int32_t b = 0; b < n; ++b) {
        for (int32_t a = 0; a <= b && !r->status; ++a) {
            if (!may_meet(r->scene, a, b)) continue;
            check_two(r, model_of(r->scene, a), model_of(r->scene, b), r->places[b]);
        }
    }
}
