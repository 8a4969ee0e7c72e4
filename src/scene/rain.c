/* Bodies that appear in the course of time, at random places where there is room. */
#include "base/random.h"
#include "scene/simulation.h"

#include <math.h>

/* Places that are tried for one body in one step. */
enum { ATTEMPTS = 64 };

/* Streams 0 and 1 of a generator are taken, and the last ones: see generator.c. */
enum { STREAM_PLACE = 2 };

int64_t scree_simulation_awaited(const scree_simulation* s)
{
    if (!s) return 0;
    int64_t n = 0;
    for (int32_t i = 0; i < s->scene->n_generators; ++i) {
        n += scri_generator_count(&s->scene->generators[i]) - s->released[i];
    }
    return n;
}

/* Bodies of the generator that should exist at time t. */
static int64_t due_at(const scree_generator* g, double time)
{
    if (time < g->begin) return 0;
    double n = floor((time - g->begin) * g->rate * (1.0 + 1e-12) + 1e-9) + 1.0;
    return n < (double)g->count ? (int64_t)n : g->count;
}

/* Lists the dynamic bodies that come near the box, once per step, with room for `more`. */
static scree_status list_near(scree_simulation* s, const scree_generator* g, double radius,
                              int64_t more)
{
    scree_world_view view = scree_world_get_view(s->world);
    int64_t need = view.n_bodies + more;
    if (need > s->capacity_near) {
        scri_release(&s->env, s->near);
        s->capacity_near = need + need / 2 + 16;
        s->near = scri_alloc(&s->env, (size_t)s->capacity_near * sizeof *s->near);
        if (!s->near) {
            s->capacity_near = 0;
            return scri_fail(&s->env, SCREE_ERROR_MEMORY, "out of memory for %lld bodies",
                             (long long)need);
        }
    }
    s->n_near = 0;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        if (view.kind[i] != SCREE_BODY_DYNAMIC) continue;
        double reach = radius + s->origins.radius[i];
        int inside = 1;
        for (int j = 0; j < 3; ++j) {
            double x = view.position[3 * (size_t)i + (size_t)j];
            inside &= x >= g->low[j] - reach && x <= g->high[j] + reach;
        }
        if (inside) s->near[s->n_near++] = i;
    }
    return SCREE_OK;
}

static int is_free(const scree_simulation* s, const double place[3], double radius)
{
    scree_world_view view = scree_world_get_view(s->world);
    for (int64_t k = 0; k < s->n_near; ++k) {
        const double* x = view.position + 3 * (size_t)s->near[k];
        double reach = radius + s->origins.radius[s->near[k]], square = 0.0;
        for (int j = 0; j < 3; ++j) square += (x[j] - place[j]) * (x[j] - place[j]);
        if (square < reach * reach) return 0;
    }
    return 1;
}

/* A function of the generator, the body and the step alone, so that a resumed run finds the same
 * place. */
static int find_place(const scree_simulation* s, const scree_generator* g, int64_t number,
                      double radius, double place[3])
{
    uint64_t step = (uint64_t)scree_world_get_view(s->world).steps;
    scri_random random = {g->seed, STREAM_PLACE + (uint64_t)number, 3 * ATTEMPTS * step};
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        for (int j = 0; j < 3; ++j) {
            place[j] = g->low[j] + (g->high[j] - g->low[j]) * scri_random_uniform(&random);
        }
        if (is_free(s, place, radius)) return 1;
    }
    return 0;
}

static scree_status rain(scree_simulation* s, int32_t source, double time)
{
    const scree_generator* g = &s->scene->generators[source];
    int64_t due = due_at(g, time);
    if (s->released[source] >= due) return SCREE_OK;
    scree_status status = list_near(s, g, scri_generator_most_reach(g), due - s->released[source]);
    while (!status && s->released[source] < due) {
        int64_t number = s->released[source];
        double place[3];
        if (!find_place(s, g, number, scri_generator_reach(g, number), place)) break;
        int32_t index = 0;
        status = scri_simulation_make(s, source, number, place, &index);
        if (!status) s->near[s->n_near++] = index;
    }
    return status;
}

scree_status scri_simulation_rain(scree_simulation* s)
{
    double time = scree_world_time(s->world);
    scree_status status = SCREE_OK;
    for (int32_t i = 0; !status && i < s->scene->n_generators; ++i) {
        if (s->scene->generators[i].kind == SCREE_GENERATOR_RAIN) status = rain(s, i, time);
    }
    return status;
}
