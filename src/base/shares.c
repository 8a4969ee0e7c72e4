#include "base/shares.h"

#include "base/owner_lists.h"

/* Blocks for each worker, so that nobody waits long for the last; contacts that are worth asking a
 * team for, and worth handing to another worker. */
enum { BLOCKS_EACH = 8, WORTH = 128, GRAIN = 512 };

scri_shares* scri_shares_create(int32_t n_contacts, scri_bump* bump)
{
    scri_shares* shares = scri_bump_take(bump, 1, sizeof *shares);
    int32_t* ends = scri_bump_take(bump, 2 * (size_t)n_contacts, sizeof *ends);
    int32_t* home = scri_bump_take(bump, 2 * (size_t)n_contacts, sizeof *home);
    if (shares) *shares = (scri_shares){.ends = ends, .home = home};
    return shares;
}

/* Whose lists they are, and the bodies of a block. */
typedef struct listing {
    scri_shares* shares;
    const int32_t* pair;
    const double* inv_mass;
    int32_t block;
} listing;

static int32_t block_of(const listing* all, int32_t body)
{
    return body >= 0 && all->inv_mass[body] > 0.0 ? body / all->block : -1;
}

static void find_homes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listing* all = context;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        const int32_t* pair = all->pair + 2 * (size_t)c;
        int32_t* home = all->shares->home + 2 * (size_t)c;
        home[0] = block_of(all, pair[0]);
        home[1] = block_of(all, pair[1]);
        if (home[1] == home[0]) home[1] = -1;
    }
}

/* Few contacts have bodies in two blocks: those are gone through twice. */
void scri_shares_find(scri_shares* s, int32_t n, const int32_t* pair, int32_t n_bodies,
                      const double* inv_mass, scri_team* team)
{
    int32_t most = BLOCKS_EACH * scri_team_size(team);
    s->team = n > WORTH && n_bodies > 0 ? team : NULL;
    if (!s->team) return;
    if (most > SCRI_MOST_BLOCKS) most = SCRI_MOST_BLOCKS;
    listing all = {s, pair, inv_mass, (n_bodies + most - 1) / most};
    s->n_blocks = (n_bodies + all.block - 1) / all.block;
    for (int32_t k = 0; k < s->n_blocks; ++k) s->first[k] = k * all.block;
    s->first[s->n_blocks] = n_bodies;
    scri_team_for(team, n, GRAIN, find_homes, &all);
    scri_owner_lists lists = {2 * n, s->n_blocks, s->home, s->start, s->ends, NULL};
    scri_owner_lists_fill(team, &lists);
}

typedef struct filtering {
    scri_shares* some;
    const scri_shares* all;
    const uint8_t* counts;
} filtering;

static void count_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const filtering* f = context;
    (void)worker;
    for (int32_t b = begin; b < end; ++b) {
        int32_t n = 0;
        for (int32_t k = f->all->start[b]; k < f->all->start[b + 1]; ++k) {
            n += f->counts[f->all->ends[k] / 2];
        }
        f->some->start[b + 1] = n;
    }
}

static void list_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const filtering* f = context;
    (void)worker;
    for (int32_t b = begin; b < end; ++b) {
        int32_t to = f->some->start[b];
        for (int32_t k = f->all->start[b]; k < f->all->start[b + 1]; ++k) {
            if (f->counts[f->all->ends[k] / 2]) f->some->ends[to++] = f->all->ends[k];
        }
    }
}

void scri_shares_some(scri_shares* shares, const scri_shares* of, const uint8_t* counts)
{
    int32_t* ends = shares->ends;
    *shares = *of; /* homes are those of all */
    shares->ends = ends;
    filtering f = {shares, of, counts};
    shares->start[0] = 0;
    scri_team_for(of->team, of->n_blocks, 1, count_some, &f);
    for (int32_t b = 0; b < of->n_blocks; ++b) shares->start[b + 1] += shares->start[b];
    scri_team_for(of->team, of->n_blocks, 1, list_some, &f);
}
