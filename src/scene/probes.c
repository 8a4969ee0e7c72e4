/* Probes: planes that count the bodies which pass them. */
#include "math/vec.h"
#include "scene/simulation.h"

#include <inttypes.h>
#include <math.h>

scree_status scri_scene_check_probes(const scree_env* env, const scree_scene* scene)
{
    for (int32_t i = 0; i < scene->n_probes; ++i) {
        const scree_probe* p = &scene->probes[i];
        double length = scri_vec_length(scri_vec_load(p->normal));
        double at = scri_vec_length(scri_vec_load(p->position));
        if (length > 0.0 && isfinite(length) && isfinite(at) && p->radius >= 0.0) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "probe %" PRId32
                         " of the scene: it needs a place, a direction and a radius "
                         "that is not negative",
                         i);
    }
    return SCREE_OK;
}

static scri_vec unit_normal(const scree_probe* p)
{
    scri_vec n = scri_vec_load(p->normal);
    return scri_vec_scale(1.0 / scri_vec_length(n), n);
}

/* Over the plane of a probe, along its normal. */
static double height_over(const scree_probe* p, scri_vec x)
{
    return scri_vec_dot(unit_normal(p), scri_vec_sub(x, scri_vec_load(p->position)));
}

/* ---- before a step --------------------------------------------------------------------------- */

static scree_status make_room(scree_simulation* s, int32_t n_bodies)
{
    size_t n = (size_t)s->scene->n_probes;
    if (n_bodies <= s->capacity_heights) return SCREE_OK;
    scri_release(&s->env, s->heights);
    scri_release(&s->env, s->passages);
    s->capacity_heights = n_bodies + n_bodies / 2;
    s->heights = scri_alloc(&s->env, n * (size_t)s->capacity_heights * sizeof *s->heights);
    s->passages = scri_alloc(&s->env, n * (size_t)s->capacity_heights * sizeof *s->passages);
    if (s->heights && s->passages) return SCREE_OK;
    s->capacity_heights = 0;
    return scri_fail(&s->env, SCREE_ERROR_MEMORY, "out of memory for probes");
}

scree_status scri_simulation_watch(scree_simulation* s)
{
    scree_world_view view = scree_world_get_view(s->world);
    s->n_passages = 0;
    if (s->scene->n_probes == 0) return SCREE_OK;
    scree_status status = make_room(s, view.n_bodies);
    for (int32_t k = 0; k < s->scene->n_probes && !status; ++k) {
        double* height = s->heights + (size_t)k * (size_t)s->capacity_heights;
        for (int32_t i = 0; i < view.n_bodies; ++i) {
            scri_vec x = scri_vec_load(view.position + 3 * (size_t)i);
            height[i] = height_over(&s->scene->probes[k], x);
        }
    }
    return status;
}

/* ---- after it -------------------------------------------------------------------------------- */

static void note_passage(scree_simulation* s, const scree_passage* p)
{
    scree_probe_tally* t = &s->probes[p->probe];
    int way = p->direction < 0;
    s->passages[s->n_passages++] = *p;
    t->bodies[way]++;
    t->mass[way] += p->mass;
    t->speed[way] += p->speed;
    if (!(t->first <= p->time)) t->first = p->time;
    if (!(t->last >= p->time)) t->last = p->time;
}

/* A body passes when it changes sides, one that lies in the plane being on the forward side, and
 * does so within the disc; its way is straight within the step. */
static void look(scree_simulation* s, const scree_world_view* view, int32_t probe, int32_t body)
{
    const scree_probe* p = &s->scene->probes[probe];
    scri_vec x = scri_vec_load(view->position + 3 * (size_t)body);
    scri_vec v = scri_vec_load(view->velocity + 3 * (size_t)body);
    double before = s->heights[(size_t)probe * (size_t)s->capacity_heights + (size_t)body];
    double now = height_over(p, x), step = s->scene->world.step;
    if ((before >= 0.0) == (now >= 0.0) || isnan(now)) return;
    double left = now / (now - before); /* share of the step since it passed */
    scri_vec at = scri_vec_sub(x, scri_vec_scale(left * step, v));
    scri_vec off = scri_vec_sub(at, scri_vec_load(p->position));
    scri_vec n = unit_normal(p);
    off = scri_vec_sub(off, scri_vec_scale(scri_vec_dot(off, n), n));
    if (p->radius > 0.0 && !(scri_vec_length(off) <= p->radius)) return;
    scree_passage one = {.probe = probe,
                         .body = body,
                         .direction = now >= 0.0 ? 1 : -1,
                         .time = view->time - left * step,
                         .mass = view->mass[body],
                         .speed = scri_vec_length(v)};
    note_passage(s, &one);
}

void scri_simulation_count(scree_simulation* s)
{
    scree_world_view view = scree_world_get_view(s->world);
    for (int32_t k = 0; k < s->scene->n_probes; ++k) {
        for (int32_t i = 0; i < view.n_bodies; ++i) {
            if (view.kind[i] == SCREE_BODY_DYNAMIC) look(s, &view, k, i);
        }
    }
}

const scree_passage* scree_simulation_passages(const scree_simulation* s, int32_t* n)
{
    if (n) *n = s ? s->n_passages : 0;
    return s ? s->passages : NULL;
}

scree_probe_tally scree_simulation_probe(const scree_simulation* s, int32_t probe)
{
    if (!s || probe < 0 || probe >= s->scene->n_probes) {
        return (scree_probe_tally){.first = (double)NAN, .last = (double)NAN};
    }
    return s->probes[probe];
}
