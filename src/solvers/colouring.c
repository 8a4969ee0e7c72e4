#include "solvers/colouring.h"

#include "base/compiler.h"
#include "base/owner_lists.h"

scri_colouring scri_colouring_create(const scree_problem* problem, scri_bump* bump)
{
    scri_colouring colouring = {.start = {0}};
    colouring.contact = scri_bump_take(bump, (size_t)problem->n_contacts, sizeof(int32_t));
    colouring.used = scri_bump_take(bump, (size_t)problem->bodies.n_bodies, sizeof(uint64_t));
    colouring.colour = colouring.room =
        scri_bump_take(bump, (size_t)problem->n_contacts, sizeof(int32_t));
    return colouring;
}

/* Lowest bit that is not set; 64 when all are. */
SCREE_FN int lowest_free(uint64_t used)
{
#if defined(__GNUC__)
    return ~used ? __builtin_ctzll(~used) : SCRI_COLOURS;
#else
    int colour = 0;
    for (; used & 1u && colour < SCRI_COLOURS; ++colour) used >>= 1;
    return colour;
#endif
}

SCREE_FN int is_movable(const scree_bodies* b, int32_t body)
{
    return body >= 0 && b->inv_mass[body] > 0.0;
}

/* Contact after contact: what comes next is fetched ahead. */
void scri_colouring_assign(const scree_problem* problem, uint64_t* used, int32_t* colour)
{
    enum { AHEAD = 16 };
    const scree_bodies* b = &problem->bodies;
    int32_t n = problem->n_contacts;
    for (int32_t c = 0; c < n; ++c) {
        const int32_t *at = b->pair + 2 * (size_t)c, *next = at + 2 * AHEAD;
        for (int side = 0; side < 2 && c < n - AHEAD; ++side) {
            if (next[side] < 0) continue;
            SCRI_PREFETCH(b->inv_mass + next[side]);
            SCRI_PREFETCH(used + next[side]);
        }
        uint64_t *first = is_movable(b, at[0]) ? used + at[0] : NULL,
                 *second = is_movable(b, at[1]) ? used + at[1] : NULL;
        int free = lowest_free((first ? *first : 0) | (second ? *second : 0));
        colour[c] = free;
        if (free == SCRI_COLOURS) continue;
        if (first) *first |= (uint64_t)1 << free;
        if (second) *second |= (uint64_t)1 << free;
    }
}

void scri_colouring_compute(const scree_problem* problem, const int32_t* colour, scri_colouring* k,
                            scri_team* team)
{
    k->colour = colour ? colour : k->room;
    if (!colour) {
        scri_team_clear(team, k->used, (size_t)problem->bodies.n_bodies * sizeof *k->used);
        scri_colouring_assign(problem, k->used, k->room);
    }
    scri_owner_lists lists = {
        problem->n_contacts, SCRI_COLOURS + 1, k->colour, k->start, k->contact, NULL};
    scri_owner_lists_fill(team, &lists);
}
