#include "solvers/pack_order.h"

#include "base/owner_lists.h"
#include "solvers/pack_lanes.h"
#include "solvers/pack_places.h"

/* Packs and places that are worth handing to another worker. */
enum { SORT_GRAIN = 128, MOVE_GRAIN = 32, ORDER_GRAIN = 1024 };

typedef struct order_work {
    scri_nsgs_wide* m;
    double least; /* change of contacts that still change */
} order_work;

/* Whether lane i, of a colour, goes to the front: where contacts are taken one after the other
 * there is no front, and guests stay where they are. */
static int is_active(const scri_nsgs_wide* m, int colour, int32_t i, double least)
{
    if (m->is_guest && m->is_guest[i / SCRI_LANES]) return 0;
    if (colour == SCRI_COLOURS) return 1;
    return (double)m->lane_change[i / SCRI_LANES][i % SCRI_LANES] >= least;
}

/* To which list the lanes of packs belong: of each colour, what is active and what is not. */
static void sort_lanes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const order_work* work = context;
    const scri_nsgs_wide* m = work->m;
    int colour = scri_pack_places_colour(m, begin);
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        while (m->start[colour + 1] <= i / SCRI_LANES) ++colour;
        m->list_of[i] = m->lane[i] < 0 ? -1 : 2 * colour + !is_active(m, colour, i, work->least);
    }
}

static void take_order(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_nsgs_wide* m = ((const order_work*)context)->m;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) m->colouring.contact[i] = m->lane[m->order[i]];
}

/* Those of sliding and rolling of a pack, as numbers in a row. */
static scri_wide* numbers_of(scri_pack_ellipses* sets, int32_t pack)
{
    return (scri_wide*)(void*)(sets + 2 * (size_t)pack);
}

/* Ellipses of four lanes come into those of pack i, with the slip rates that were found last. */
static void move_ellipses(const scri_nsgs_wide* m, const int32_t* from, int32_t i)
{
    enum { NUMBERS = 2 * sizeof(scri_pack_ellipses) / sizeof(scri_wide) };
    scri_wide* out = numbers_of(m->spare_sets, i);
    for (int lane = 0; lane < SCRI_LANES; ++lane) {
        const scri_wide* in = numbers_of(m->sets, from[lane] / SCRI_LANES);
        for (int k = 0; k < NUMBERS; ++k) out[k][lane] = in[k][from[lane] % SCRI_LANES];
    }
}

/* What lies in four lanes comes into those of pack i. */
static void move_lanes(const scri_nsgs_wide* m, const int32_t* from, int32_t i)
{
    enum { STRIDE = 4 * SCRI_BLOCK };
    const float* in[SCRI_LANES];
    float* out = scri_pack_vector(m->spare, i, 0);
    for (int lane = 0; lane < SCRI_LANES; ++lane) {
        int32_t pack = from[lane] / SCRI_LANES, at = from[lane] % SCRI_LANES;
        const scri_pack_block* block = scri_pack_block_of(m->blocks, pack);
        in[lane] = scri_pack_vector(m->blocks, pack, 0) + at;
        scri_pack_set_bodies(m->spare, i, lane, block->a[(size_t)pack % SCRI_BLOCK][at],
                             block->b[(size_t)pack % SCRI_BLOCK][at]);
    }
    for (size_t k = 0; k < STRIDE * SCRI_ROUND_REALS; k += STRIDE) {
        for (int lane = 0; lane < SCRI_LANES; ++lane) out[k + (size_t)lane] = in[lane][k];
    }
}

/* Packs that have other contacts now. */
static void move_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_nsgs_wide* m = ((const order_work*)context)->m;
    int colour = scri_pack_places_colour(m, begin);
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t place[SCRI_LANES], from[SCRI_LANES], *own = m->lane + SCRI_LANES * (size_t)i;
        while (m->start[colour + 1] <= i) ++colour;
        scri_pack_places_of(m, colour, i, place);
        for (int lane = 0; lane < SCRI_LANES; ++lane) { /* lanes without contact stay as they are */
            int is_used = place[lane] >= 0;
            from[lane] = is_used ? m->order[place[lane]] : SCRI_LANES * i + lane;
            own[lane] = is_used ? m->colouring.contact[place[lane]] : -1;
        }
        move_lanes(m, from, i);
        if (m->sets) move_ellipses(m, from, i);
        if (place[0] >= 0) m->change[i] = 0.0f;
    }
}

void scri_pack_order_sort(scri_run* run, scri_nsgs_wide* m, double least)
{
    enum { LISTS = 2 * (SCRI_COLOURS + 1) };
    int32_t start[LISTS + 1], packs = scri_nsgs_wide_packs(m);
    order_work work = {m, least};
    scri_team_for(run->team, packs, SORT_GRAIN, sort_lanes, &work);
    scri_owner_lists lists = {SCRI_LANES * packs, LISTS, m->list_of, start, m->order, NULL};
    scri_owner_lists_fill(run->team, &lists);
    scri_team_for(run->team, start[LISTS], ORDER_GRAIN, take_order, &work);
    scri_team_for(run->team, packs, MOVE_GRAIN, move_packs, &work);
    scri_pack_block* blocks = m->blocks;
    scri_pack_ellipses* sets = m->sets;
    m->blocks = m->spare;
    m->spare = blocks;
    m->sets = m->spare_sets;
    m->spare_sets = sets;
    scri_pack_lanes_weigh(run, m);
}
