#include "world/ranks.h"

/* The first shape of every body in the order of ranks: the number of its shapes, added up. */
static void find_first(const scree_world* world, int32_t* first)
{
    const scri_bodies_table* b = &world->bodies;
    const scri_shapes_table* s = &world->shapes;
    int32_t sum = 0;
    for (int32_t i = 0; i < b->n; ++i) {
        b->by_rank[b->rank[i]] = i;
        first[i] = 0;
    }
    for (int32_t k = 0; k < s->n; ++k) first[s->body[k]]++;
    for (int32_t r = 0; r < b->n; ++r) {
        int32_t body = b->by_rank[r], n = first[body];
        first[body] = sum;
        sum += n;
    }
}

void scri_world_rank_shapes(scree_world* world, int anew)
{
    scri_shapes_table* s = &world->shapes;
    int32_t* first = world->bodies.place; /* scratch */
    if (!world->is_ranked || !(anew || world->has_new_shapes)) return;
    find_first(world, first);
    for (int32_t k = 0; k < s->n; ++k) {
        s->rank[k] = first[s->body[k]]++;
        s->by_rank[s->rank[k]] = k;
    }
    world->has_new_shapes = 0;
    world->ranking++;
}
