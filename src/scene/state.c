/* Saving and loading a simulation: its own counters, what it has measured, how bodies came and
 * went, the world. */
#include "scene/simulation.h"

#include <string.h>

enum { STATE_COOKIE = 0x5C4EE509 };

typedef struct state_head {
    uint32_t cookie;
    int32_t n_events;   /* bodies that came and went */
    int32_t n_initial;  /* bodies that are made from the scene */
    int32_t is_steered; /* bodies came or went from outside: it cannot be loaded */
    int64_t rest_steps;
    scree_totals totals;
} state_head;

/* How a body came or went. */
typedef struct event {
    int32_t source, number;
} event;

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

/* X(array, number): what has been counted and measured. */
#define TALLIES(X)                      \
    X(s->tallies, s->scene->n_measures) \
    X(s->sinks, s->scene->n_sinks)      \
    X(s->probes, s->scene->n_probes)

static size_t tallies_size(const scree_simulation* s)
{
    size_t size = 0;
#define SCREE_X(array, n) size += (size_t)(n) * sizeof *(array);
    TALLIES(SCREE_X)
#undef SCREE_X
    return size;
}

size_t scree_simulation_state_size(const scree_simulation* s)
{
    if (!s) return 0;
    return sizeof(state_head) + tallies_size(s) + (size_t)s->events.n * sizeof(event) +
           scree_world_state_size(s->world);
}

void scree_simulation_save(const scree_simulation* s, void* state)
{
    if (!s || !state) return;
    unsigned char* at = state;
    state_head head;
    memset(&head, 0, sizeof head); /* padding too: equal states are equal bytes */
    head.cookie = STATE_COOKIE;
    head.n_events = s->events.n;
    head.n_initial = count_initial(s);
    head.is_steered = is_steered(s);
    head.rest_steps = s->rest_steps;
    head.totals = s->totals;
    memcpy(at, &head, sizeof head);
    at += sizeof head;
#define SCREE_X(array, n)                             \
    memcpy(at, array, (size_t)(n) * sizeof *(array)); \
    at += (size_t)(n) * sizeof *(array);
    TALLIES(SCREE_X)
#undef SCREE_X
    for (int32_t i = 0; i < s->events.n; ++i, at += sizeof(event)) {
        event e = {s->events.source[i], s->events.number[i]};
        memcpy(at, &e, sizeof e);
    }
    scree_world_save(s->world, at);
}

/* Whether a generator releases this body next. */
static int is_next(const scree_simulation* s, const event* e)
{
    return e->source >= 0 && e->source < s->scene->n_generators &&
           s->scene->generators[e->source].kind == SCREE_GENERATOR_RAIN &&
           e->number == s->released[e->source] &&
           e->number < scri_generator_count(&s->scene->generators[e->source]);
}

static scree_status do_again(scree_simulation* s, const unsigned char* at, int32_t n)
{
    static const double anywhere[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < n; ++i) {
        event e;
        int32_t index = 0;
        memcpy(&e, at + (size_t)i * sizeof e, sizeof e);
        scree_status status = SCREE_ERROR_INPUT;
        if (e.source == SCRI_NOBODY && scree_world_body_at(s->world, e.number).index1 > 0) {
            status = scri_simulation_remove(s, e.number);
        } else if (is_next(s, &e)) {
            status = scri_simulation_make(s, e.source, e.number, anywhere, &index);
        } else {
            scri_fail(&s->env, status, "the saved state names unknown bodies");
        }
        if (status) return status;
    }
    return SCREE_OK;
}

scree_status scree_simulation_load(scree_simulation* s, const void* state, size_t size)
{
    if (!s || !state) return SCREE_ERROR_ARGUMENT;
    const unsigned char* at = state;
    state_head head = {.cookie = 0};
    if (size >= sizeof head) memcpy(&head, at, sizeof head);
    int32_t initial = count_initial(s);
    if (head.cookie != STATE_COOKIE || head.n_initial != initial || s->events.n > 0 ||
        s->origins.n != initial || head.n_events < 0 || size - sizeof head < tallies_size(s) ||
        (size - sizeof head - tallies_size(s)) / sizeof(event) < (size_t)head.n_events) {
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
    scree_status status = do_again(s, at, head.n_events);
    if (status) return status;
    size_t used = sizeof head + tallies_size(s) + (size_t)head.n_events * sizeof(event);
    status = scree_world_load(s->world, (const unsigned char*)state + used, size - used);
    if (status) return status;
#define SCREE_X(array, n)                                  \
    memcpy(array, tallies, (size_t)(n) * sizeof *(array)); \
    tallies += (size_t)(n) * sizeof *(array);
    TALLIES(SCREE_X)
#undef SCREE_X
    s->rest_steps = head.rest_steps;
    s->totals = head.totals;
    return SCREE_OK;
}
