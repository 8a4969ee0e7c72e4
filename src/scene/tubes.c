/* Bodies that would meet a tube without contacts: a fault of the scene that names both, before the
 * world, which knows neither names nor lines, refuses the second. */
#include "scene/scene.h"
#include "world/world.h"

enum { NAME_SIZE = 160 };

/* A model of the scene: body `number` where `source` is -1, else model `number` of a generator. */
typedef struct model {
    int32_t source, number;
} model;

static const scree_scene_body* body_of(const scree_scene* scene, model m)
{
    return m.source < 0 ? &scene->bodies[m.number]
                        : scri_generator_model(&scene->generators[m.source], m.number);
}

/* The next model, or 0 after the last. */
static int advance(const scree_scene* scene, model* m)
{
    int32_t last = m->source < 0 ? scene->n_bodies - 1 : scene->generators[m->source].n_others;
    if (m->number < last) {
        ++m->number;
        return 1;
    }
    *m = (model){m->source + 1, 0};
    return m->source < scene->n_generators;
}

/* Whether two bodies, or two of one model, have shapes that must not meet; their kinds. */
static int is_refused(const scree_scene_body* a, const scree_scene_body* b, int kind[2])
{
    if (a->def.kind != SCREE_BODY_DYNAMIC && b->def.kind != SCREE_BODY_DYNAMIC) return 0;
    for (int32_t i = 0; i < a->n_shapes; ++i) {
        for (int32_t k = 0; k < b->n_shapes; ++k) {
            const scree_shape *p = &a->shapes[i], *q = &b->shapes[k];
            kind[0] = (int)p->kind;
            kind[1] = (int)q->kind;
            if (scri_world_refuses(p->kind, q->kind) && p->category & q->collides &&
                q->category & p->collides) {
                return 1;
            }
        }
    }
    return 0;
}

static int has_tube(const scree_scene_body* b)
{
    for (int32_t i = 0; i < b->n_shapes; ++i) {
        if (b->shapes[i].kind == SCREE_SHAPE_TUBE) return 1;
    }
    return 0;
}

static scree_status refuse(const scree_env* env, const scree_scene* scene, const model pair[2],
                           const int kind[2])
{
    char name[2][NAME_SIZE];
    for (int k = 0; k < 2; ++k) {
        int32_t number = pair[k].source < 0 ? pair[k].number : k; /* of copies, two */
        scri_scene_label(scene, pair[k].source, number, name[k], sizeof name[k]);
    }
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "the %s of %s would collide with the %s of %s: tubes are for convex shapes "
                     "and half-spaces",
                     scree_shape_name(kind[0]), name[0], scree_shape_name(kind[1]), name[1]);
}

/* Models of generators meet their own copies. */
static scree_status check_tube(const scree_env* env, const scree_scene* scene, model tube)
{
    const scree_scene_body* a = body_of(scene, tube);
    model other = {-1, -1};
    while (advance(scene, &other)) {
        int is_itself = other.source == tube.source && other.number == tube.number;
        int is_alone = tube.source < 0 || scri_generator_count(&scene->generators[tube.source]) < 2;
        int kind[2];
        if ((is_itself && is_alone) || !is_refused(a, body_of(scene, other), kind)) continue;
        return refuse(env, scene, (const model[2]){tube, other}, kind);
    }
    return SCREE_OK;
}

scree_status scri_scene_check_tubes(const scree_env* env, const scree_scene* scene)
{
    scree_status status = SCREE_OK;
    model m = {-1, -1};
    while (!status && advance(scene, &m)) {
        if (has_tube(body_of(scene, m))) status = check_tube(env, scene, m);
    }
    return status;
}
