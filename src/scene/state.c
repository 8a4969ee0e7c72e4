/* Saving and loading a simulation: its own counters, what it has measured, where released bodies
 * come from, the world. */
#include "scene/simulation.h"

#include <string.h>

enum { STATE_COOKIE = 0x5C4EE508 };

typedef struct state_head {
    uint32_t cookie;
    int32_t n_bodies, n_initial; /* initial ones are made from the scene */
    int32_t is_steered;          /* bodies came or went from outside: it cannot be loaded */
    int64_t rest_steps;
    scree_totals totals;
} state_head;

/* What one released body needs to be made again. */
typedef struct release {
    int32_t source, number;
} release;

/* Bodies of the scene, and of generators that work at the beginning. */
static int32_t count_initial(const scree_simulation* s)
{
    int32_t n = s->scene->n_bodies;
    for (int32_t i = 0; i < s->scene->n_generators; ++i) {
        const scree_generator* g = &s->scene->generators[i];
        if (g->kind != SCREE_GENERATOR_RAIN) n += (int32_t)scri_generator_count(g);
    }
    return n;
}

/* Whether some body came or went otherwise than by the scene. */
static int is_steered(const scree_simulation* s)
{
    scree_world_view view = scree_world_get_view(s->world);
    int32_t i = 0;
    while (i < view.n_bodies && scri_simulation_knows(s, &view, i)) ++i;
    return s->is_steered || i < view.n_bodies;
}

static size_t tallies_size(const scree_simulation* s)
{
    return (size_t)s->scene->n_measures * sizeof *s->tallies;
}

size_t scree_simulation_state_size(const scree_simulation* s)
{
    size_t released = (size_t)(s->origins.n - count_initial(s));
    return sizeof(state_head) + tallies_size(s) + released * sizeof(release) +
           scree_world_state_size(s->world);
}

void scree_simulation_save(const scree_simulation* s, void* state)
{
    unsigned char* at = state;
    state_head head;
    memset(&head, 0, sizeof head); /* padding too: equal states are equal bytes */
    head.cookie = STATE_COOKIE;
    head.n_bodies = s->origins.n;
    head.n_initial = count_initial(s);
    head.is_steered = is_steered(s);
    head.rest_steps = s->rest_steps;
    head.totals = s->totals;
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    memcpy(at, s->tallies, tallies_size(s));
    at += tallies_size(s);
    for (int32_t i = head.n_initial; i < s->origins.n; ++i) {
        release r = {s->origins.source[i], s->origins.number[i]};
        memcpy(at, &r, sizeof r);
        at += sizeof r;
    }
    scree_world_save(s->world, at);
}

static scree_status make_again(scree_simulation* s, const unsigned char* at, int32_t n)
{
    static const double anywhere[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < n; ++i) {
        release r;
        memcpy(&r, at + (size_t)i * sizeof r, sizeof r);
        if (r.source < 0 || r.source >= s->scene->n_generators ||
            s->scene->generators[r.source].kind != SCREE_GENERATOR_RAIN ||
            r.number != s->released[r.source]) {
            return scri_fail(&s->env, SCREE_ERROR_INPUT, "the saved state names unknown bodies");
        }
        int32_t index = 0;
        scree_status status = scri_simulation_make(s, r.source, r.number, anywhere, &index);
        if (status) return status;
    }
    return SCREE_OK;
}

scree_status scree_simulation_load(scree_simulation* s, const void* state, size_t size)
{
    const unsigned char* at = state;
    state_head head = {.cookie = 0};
    if (size >= sizeof head) memcpy(&head, at, sizeof head);
    int32_t initial = count_initial(s), released = head.n_bodies - initial;
    if (head.cookie != STATE_COOKIE || head.n_initial != initial || s->origins.n != initial ||
        head.n_bodies < initial || size - sizeof head < tallies_size(s) ||
        (size - sizeof head - tallies_size(s)) / sizeof(release) < (size_t)released) {
        return scri_fail(&s->env, SCREE_ERROR_INPUT,
                         "the saved state belongs to another scene, or the simulation has begun");
    }
    if (head.is_steered) {
        return scri_fail(&s->env, SCREE_ERROR_UNSUPPORTED,
                         "bodies were added or removed from outside before the state was saved: "
                         "the scene cannot make them again");
    }
    const unsigned char* tallies = at + sizeof head;
    at = tallies + tallies_size(s);
    scree_status status = make_again(s, at, released);
    if (status) return status;
    size_t used = sizeof head + tallies_size(s) + (size_t)released * sizeof(release);
    status = scree_world_load(s->world, (const unsigned char*)state + used, size - used);
    if (status) return status;
    memcpy(s->tallies, tallies, tallies_size(s));
    s->rest_steps = head.rest_steps;
    s->totals = head.totals;
    return SCREE_OK;
}
