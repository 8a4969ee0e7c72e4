#include "solvers/bundles.h"

#include <string.h>

/* Bundles of a colour that are ordered by their numbers of contacts: some chunks. */
enum { ORDERED = 8 * SCRI_CHUNK };

scri_bundles scri_bundles_create(const scree_problem* problem, scri_bump* bump)
{
    size_t n = (size_t)problem->n_contacts;
    scri_bundles bundles = {.colouring = scri_colouring_create(problem, bump)};
    bundles.head = scri_bump_take(bump, n + 1, sizeof *bundles.head);
    bundles.pair = scri_bump_take(bump, 2 * n, sizeof *bundles.pair);
    bundles.first = scri_bump_take(bump, n + 1, sizeof *bundles.first);
    bundles.contact = scri_bump_take(bump, n, sizeof *bundles.contact);
    bundles.place = scri_bump_take(bump, n, sizeof *bundles.place);
    return bundles;
}

static void find_heads(const scree_problem* problem, scri_bundles* k)
{
    const int32_t* pair = problem->bodies.pair;
    int32_t n = 0, begin = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const int32_t *own = pair + 2 * (size_t)c, *same = pair + 2 * (size_t)begin;
        int is_more = own[0] == same[0] && own[1] == same[1] && c - begin < SCRI_MOST_BUNDLED;
        if (c > 0 && is_more) continue;
        begin = k->head[n] = c;
        memcpy(k->pair + 2 * (size_t)n++, own, 2 * sizeof *own);
    }
    k->head[n] = problem->n_contacts;
    k->n = n;
}

static int32_t size_of(const scri_bundles* k, int32_t bundle)
{
    return k->head[bundle + 1] - k->head[bundle];
}

/* Bundles of one colour, by so many. */
typedef struct bundle_work {
    scri_bundles* bundles;
    int32_t begin, end, each;
} bundle_work;

static int32_t end_of(const bundle_work* work, int32_t first)
{
    return work->end - first < work->each ? work->end : first + work->each;
}

/* Those of more contacts come first, so that lanes of a processor are filled for longer: among some
 * hundred, for bodies that are near each other in memory are near each other in space, and are
 * worked on by one worker in all colours. */
static void order_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    enum { SIZES = SCRI_MOST_BUNDLED };
    const bundle_work* work = context;
    const scri_bundles* k = work->bundles;
    (void)worker;
    for (int32_t group = begin; group < end; ++group) {
        int32_t first = work->begin + group * work->each, last = end_of(work, first);
        int32_t *own = k->colouring.contact, start[SIZES + 1] = {0}, sorted[ORDERED];
        for (int32_t i = first; i < last; ++i) ++start[SIZES - size_of(k, own[i]) + 1];
        for (int i = 0; i < SIZES; ++i) start[i + 1] += start[i];
        for (int32_t i = first; i < last; ++i) sorted[start[SIZES - size_of(k, own[i])]++] = own[i];
        memcpy(own + first, sorted, (size_t)(last - first) * sizeof *own);
    }
}

static void count_contacts(scri_bundles* k)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < k->n; ++i) {
        k->first[i] = sum;
        sum += size_of(k, k->colouring.contact[i]);
    }
    k->first[k->n] = sum;
}

/* Places of bundles that are taken together. */
static void place_together(scri_bundles* k, int32_t begin, int32_t end)
{
    int32_t at = k->first[begin];
    for (int32_t place = 0; at < k->first[end]; ++place) {
        for (int32_t i = begin; i < end; ++i) {
            int32_t bundle = k->colouring.contact[i];
            if (size_of(k, bundle) <= place) continue;
            k->contact[at] = k->head[bundle] + place;
            k->place[at++] = (uint8_t)place;
        }
    }
}

static void place_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const bundle_work* work = context;
    (void)worker;
    for (int32_t group = begin; group < end; ++group) {
        int32_t first = work->begin + group * work->each;
        place_together(work->bundles, first, end_of(work, first));
    }
}

/* Calls range() for the bundles of all colours, by so many. */
static void for_each(scri_bundles* k, int32_t each, scree_range* range, scri_team* team)
{
    enum { WORTH = 256 }; /* bundles that are worth handing to another worker */
    const int32_t* start = k->colouring.start;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        bundle_work work = {k, start[colour], start[colour + 1], each};
        scri_team_for(team, (work.end - work.begin + each - 1) / each, WORTH / each, range, &work);
    }
}

void scri_bundles_compute(const scree_problem* problem, scri_bundles* bundles, scri_team* team)
{
    find_heads(problem, bundles);
    scree_problem coloured = {.n_contacts = bundles->n, .bodies = problem->bodies};
    coloured.bodies.pair = bundles->pair;
    scri_colouring_compute(&coloured, NULL, &bundles->colouring, team);
    for_each(bundles, ORDERED, order_some, team);
    count_contacts(bundles);
    for_each(bundles, SCRI_CHUNK, place_some, team);
}
