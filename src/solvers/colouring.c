#include "solvers/colouring.h"

#include "base/owner_lists.h"

#include <string.h>

scri_colouring scri_colouring_create(const scree_problem* problem, scri_bump* bump)
{
    scri_colouring colouring = {.start = {0}};
    colouring.contact = scri_bump_take(bump, (size_t)problem->n_contacts, sizeof(int32_t));
    colouring.used = scri_bump_take(bump, (size_t)problem->bodies.n_bodies, sizeof(uint64_t));
    colouring.colour = scri_bump_take(bump, (size_t)problem->n_contacts, sizeof(int32_t));
    colouring.scratch = scri_bump_take(bump, 2 * (size_t)problem->n_contacts, sizeof(int32_t));
    return colouring;
}

/* Lowest bit that is not set; 64 when all are. */
static int lowest_free(uint64_t used)
{
    int colour = 0;
    for (; (used & 0xff) == 0xff && colour < SCRI_COLOURS; colour += 8) used >>= 8;
    for (; used & 1u && colour < SCRI_COLOURS; ++colour) used >>= 1;
    return colour;
}

static void assign(const scree_problem* problem, scri_colouring* k)
{
    const scree_bodies* b = &problem->bodies;
    memset(k->used, 0, (size_t)b->n_bodies * sizeof *k->used);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        uint64_t *at[2], used = 0;
        int n = 0;
        for (size_t side = 0; side < 2; ++side) {
            int32_t body = b->pair[2 * (size_t)c + side];
            if (body < 0 || !(b->inv_mass[body] > 0.0)) continue;
            at[n++] = k->used + body;
            used |= k->used[body];
        }
        int colour = k->colour[c] = lowest_free(used);
        for (int i = 0; i < n && colour < SCRI_COLOURS; ++i) *at[i] |= (uint64_t)1 << colour;
    }
}

void scri_colouring_compute(const scree_problem* problem, scri_colouring* k, scri_team* team)
{
    assign(problem, k);
    scri_owner_lists lists = {problem->n_contacts, SCRI_COLOURS + 1, k->colour, k->start,
                              k->contact,          k->scratch};
    scri_owner_lists_fill(team, &lists);
}
