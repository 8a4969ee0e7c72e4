/* Sinks: bodies that come into a box, or leave one, are taken out and counted. */
#include "scene/simulation.h"

#include <inttypes.h>

scree_status scri_scene_check_sinks(const scree_env* env, const scree_scene* scene)
{
    for (int32_t i = 0; i < scene->n_sinks; ++i) {
        const scree_sink* sink = &scene->sinks[i];
        int good = 1;
        for (int j = 0; j < 3; ++j) good &= sink->low[j] <= sink->high[j]; /* no NaN */
        if (good) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "sink %" PRId32 " of the scene: its low corner is above the high one", i);
    }
    return SCREE_OK;
}

/* Whether a place is one at which bodies end; one that is no number lies in no box. */
static int takes(const scree_sink* sink, const double x[3])
{
    int inside = 1;
    for (int j = 0; j < 3; ++j) inside &= x[j] >= sink->low[j] && x[j] <= sink->high[j];
    return sink->is_outside ? !inside : inside;
}

/* The sink that takes a body; -1: none. */
static int32_t find_sink(const scree_scene* scene, const double x[3])
{
    for (int32_t k = 0; k < scene->n_sinks; ++k) {
        if (takes(&scene->sinks[k], x)) return k;
    }
    return -1;
}

scree_status scri_simulation_drain(scree_simulation* s)
{
    scree_totals* t = &s->totals;
    int32_t n_slots = scree_world_get_view(s->world).n_bodies, n_taken = 0;
    for (int32_t i = 0; s->scene->n_sinks > 0 && i < n_slots; ++i) {
        scree_world_view view = scree_world_get_view(s->world);
        if (view.kind[i] != SCREE_BODY_DYNAMIC) continue;
        int32_t sink = find_sink(s->scene, view.position + 3 * (size_t)i);
        if (sink < 0) continue;
        double mass = view.mass[i];
        scree_status status = scri_simulation_remove(s, i);
        if (status) return status;
        s->sinks[sink].bodies++;
        s->sinks[sink].mass += mass;
        ++n_taken;
    }
    if (n_taken == 0) return SCREE_OK;
    double before = t->kinetic + t->potential;
    scri_step_energy(s->world, &t->kinetic, &t->potential);
    t->energy_removed += before - (t->kinetic + t->potential);
    return SCREE_OK;
}

scree_sink_tally scree_simulation_sink(const scree_simulation* s, int32_t sink)
{
    if (!s || sink < 0 || sink >= s->scene->n_sinks) return (scree_sink_tally){0, 0.0};
    return s->sinks[sink];
}
