#include "solvers/colouring.h"

#include <string.h>

scri_colouring scri_colouring_create(const scree_problem* problem, scri_bump* bump)
{
    scri_colouring colouring = {.start = {0}};
    colouring.contact = scri_bump_take(bump, (size_t)problem->n_contacts, sizeof(int32_t));
    colouring.used = scri_bump_take(bump, (size_t)problem->bodies.n_bodies, sizeof(uint64_t));
    return colouring;
}

/* Lowest bit that is not set; 64 when all are. */
static int lowest_free(uint64_t used)
{
    int colour = 0;
    while (colour < SCRI_COLOURS && used >> colour & 1u) ++colour;
    return colour;
}

/* Calls for every contact, twice: first to count, then to place. Colours are the same both times.
 */
static void assign(const scree_problem* problem, scri_colouring* k, int32_t* next)
{
    const scree_bodies* b = &problem->bodies;
    memset(k->used, 0, (size_t)b->n_bodies * sizeof *k->used);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        uint64_t used = 0;
        for (size_t side = 0; side < 2; ++side) {
            int32_t body = b->pair[2 * (size_t)c + side];
            if (body >= 0 && b->inv_mass[body] > 0.0) used |= k->used[body];
        }
        int colour = lowest_free(used);
        for (size_t side = 0; side < 2 && colour < SCRI_COLOURS; ++side) {
            int32_t body = b->pair[2 * (size_t)c + side];
            if (body >= 0 && b->inv_mass[body] > 0.0) k->used[body] |= (uint64_t)1 << colour;
        }
        if (next) {
            k->contact[next[colour]++] = c;
        } else {
            k->start[colour + 1]++;
        }
    }
}

void scri_colouring_compute(const scree_problem* problem, scri_colouring* k)
{
    memset(k->start, 0, sizeof k->start);
    assign(problem, k, NULL);
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        k->start[colour + 1] += k->start[colour];
    }
    int32_t next[SCRI_COLOURS + 1];
    memcpy(next, k->start, sizeof next);
    assign(problem, k, next);
}
