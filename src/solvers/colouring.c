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
    colouring.scratch = scri_bump_take(bump, 2 * (size_t)problem->n_contacts, sizeof(int32_t));
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

typedef struct colour_work {
    const scree_problem* problem;
    int32_t* mover; /* [2 n_contacts] the bodies of contacts that are movable; else -1 */
} colour_work;

static void find_movers(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const colour_work* work = context;
    const scree_bodies* b = &work->problem->bodies;
    (void)worker;
    for (size_t i = 2 * (size_t)begin; i < 2 * (size_t)end; ++i) {
        int32_t body = b->pair[i];
        work->mover[i] = body >= 0 && b->inv_mass[body] > 0.0 ? body : -1;
    }
}

/* The first colour that is free at both bodies, of which those that cannot move are -1. */
SCREE_FN int32_t take_colour(int32_t a, int32_t b, uint64_t* used)
{
    int free = lowest_free((a >= 0 ? used[a] : 0) | (b >= 0 ? used[b] : 0));
    if (free == SCRI_COLOURS) return free;
    if (a >= 0) used[a] |= (uint64_t)1 << free;
    if (b >= 0) used[b] |= (uint64_t)1 << free;
    return free;
}

enum { AHEAD = 16 };

static void fetch(const int32_t* body, const uint64_t* used)
{
    if (body[0] >= 0) SCRI_PREFETCH(used + body[0]);
    if (body[1] >= 0) SCRI_PREFETCH(used + body[1]);
}

/* Contact after contact, by one worker; all else, and waiting for memory, is done before. */
static void assign(const int32_t* mover, int32_t n, uint64_t* used, int32_t* colour)
{
    for (int32_t c = 0; c < n; ++c) {
        const int32_t* at = mover + 2 * (size_t)c;
        if (c < n - AHEAD) fetch(at + 2 * AHEAD, used);
        colour[c] = take_colour(at[0], at[1], used);
    }
}

void scri_colouring_assign(const scree_problem* problem, uint64_t* used, int32_t* colour)
{
    const scree_bodies* b = &problem->bodies;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const int32_t* at = b->pair + 2 * (size_t)c;
        if (c < problem->n_contacts - AHEAD) fetch(at + 2 * AHEAD, used);
        colour[c] = take_colour(at[0] >= 0 && b->inv_mass[at[0]] > 0.0 ? at[0] : -1,
                                at[1] >= 0 && b->inv_mass[at[1]] > 0.0 ? at[1] : -1, used);
    }
}

void scri_colouring_compute(const scree_problem* problem, const int32_t* colour, scri_colouring* k,
                            scri_team* team)
{
    enum { GRAIN = 512 }; /* contacts that are worth handing to another worker */
    colour_work work = {problem, k->scratch};
    k->colour = colour ? colour : k->room;
    if (!colour) {
        scri_team_clear(team, k->used, (size_t)problem->bodies.n_bodies * sizeof *k->used);
        scri_team_for(team, problem->n_contacts, GRAIN, find_movers, &work);
        assign(work.mover, problem->n_contacts, k->used, k->room);
    }
    scri_owner_lists lists = {problem->n_contacts, SCRI_COLOURS + 1, k->colour, k->start,
                              k->contact,          k->scratch};
    scri_owner_lists_fill(team, &lists);
}
