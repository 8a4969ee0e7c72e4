/* Contacts of nsgs-wide that change lanes after a sweep: what a lane holds goes along, number by
 * number, and nothing else of the layout changes, however many workers help. */
#include "base/team.h"
#include "solvers/pack_order.h"
#include "solvers/pack_places.h"
#include "support/draw.h"
#include "support/test.h"

enum { MOST = 3000, GROUPS = SCRI_COLOURS + 1, PACKS = MOST + 4 * GROUPS };
enum { MOST_LANES = SCRI_LANES * PACKS };

/* Everything that the packs of a method have, of contacts that stand for nothing. */
typedef struct fixture {
    scree_problem problem;
    scri_run run;
    scri_nsgs_wide m;
    int32_t contact[MOST], colour[MOST], number[MOST], lane[MOST_LANES], order[MOST_LANES],
        list_of[MOST_LANES], lane_before[MOST_LANES];
    uint8_t is_guest[PACKS], guest_before[PACKS];
    double size[MOST];
    float change[PACKS];
    _Alignas(64) scri_pack_block blocks[PACKS / SCRI_BLOCK + 1];
    _Alignas(64) scri_pack_block spare[PACKS / SCRI_BLOCK + 1];
    _Alignas(64) scri_pack_ellipses sets[2 * PACKS];
    _Alignas(64) scri_pack_ellipses spare_sets[2 * PACKS];
    scri_wide weight[PACKS], lane_change[PACKS], change_before[PACKS];
} fixture;

/* What stands for number k of contact c; c = -1: of a lane without one. */
static float mark(int32_t c, int k)
{
    return (float)(64 * (c + 1) + k);
}

enum { SET_NUMBERS = 2 * sizeof(scri_pack_ellipses) / sizeof(scri_wide) };

/* Of sliding and rolling of a pack. */
static scri_wide* ellipses_of(const scri_nsgs_wide* m, int32_t pack)
{
    return (scri_wide*)(void*)(m->sets + 2 * (size_t)pack);
}

static void mark_lane(scri_nsgs_wide* m, int32_t i, int32_t c)
{
    int32_t pack = i / SCRI_LANES, at = i % SCRI_LANES;
    scri_pack_set_bodies(m->blocks, pack, at, 2 * c, 2 * c + 1);
    for (int k = 0; k < SCRI_ROUND_REALS; ++k) {
        scri_pack_vector(m->blocks, pack, k)[at] = mark(c, k);
    }
    for (int k = 0; m->sets && k < SET_NUMBERS; ++k) {
        ellipses_of(m, pack)[k][at] = mark(c, 32 + k);
    }
}

static void check_lane(const scri_nsgs_wide* m, int32_t i, int32_t c)
{
    int32_t pack = i / SCRI_LANES, at = i % SCRI_LANES;
    const scri_pack_block* block = scri_pack_block_of(m->blocks, pack);
    assert_int_equal(block->a[(size_t)pack % SCRI_BLOCK][at], 2 * c);
    assert_int_equal(block->b[(size_t)pack % SCRI_BLOCK][at], 2 * c + 1);
    for (int k = 0; k < SCRI_ROUND_REALS; ++k) {
        float found = scri_pack_vector(m->blocks, pack, k)[at];
        require(found == mark(c, k), "number %d of contact %d: %g", k, (int)c, (double)found);
    }
    for (int k = 0; m->sets && k < SET_NUMBERS; ++k) {
        float found = ellipses_of(m, pack)[k][at];
        require(found == mark(c, 32 + k), "ellipses of contact %d: %g", (int)c, (double)found);
    }
}

/* Contacts of some colours, most of them in the first ones, and some of the serial group. */
static void draw_colours(fixture* f, int32_t n, scri_random* random)
{
    scri_colouring* k = &f->m.colouring;
    int32_t next = 0;
    for (int32_t c = 0; c < n; ++c) {
        int colour = draw_below(random, 1 + draw_below(random, GROUPS));
        f->colour[c] = draw_chance(random, 2.0) ? SCRI_COLOURS : colour;
        f->size[c] = draw_between(random, 0.5, 2.0);
    }
    for (int colour = 0; colour < GROUPS; ++colour) {
        k->start[colour] = next;
        for (int32_t c = 0; c < n; ++c) {
            if (f->colour[c] == colour) f->contact[next++] = c;
        }
    }
    k->start[GROUPS] = next;
}

static void draw_guests(fixture* f, int32_t n, double percent, scri_random* random)
{
    for (int32_t c = 0; c < n; ++c) {
        int is_guest = draw_chance(random, percent);
        f->number[c] = is_guest ? f->m.guests.n : -1;
        f->m.guests.n += is_guest;
    }
    if (f->m.guests.n > 0) f->m.is_guest = f->is_guest;
}

static void fill(fixture* f)
{
    scri_nsgs_wide* m = &f->m;
    for (int colour = 0; colour < GROUPS; ++colour) {
        for (int32_t i = m->start[colour]; i < m->start[colour + 1]; ++i) {
            int32_t place[SCRI_LANES];
            scri_pack_places_of(m, colour, i, place);
            if (m->is_guest) m->is_guest[i] = (uint8_t)(place[0] >= m->others[colour]);
            m->change[i] = place[0] < 0 ? -1.0f : 0.5f;
            for (int lane = 0; lane < SCRI_LANES; ++lane) {
                int32_t c = place[lane] < 0 ? -1 : m->colouring.contact[place[lane]];
                m->lane[SCRI_LANES * i + lane] = c;
                mark_lane(m, SCRI_LANES * i + lane, c);
            }
        }
    }
}

static fixture* begin(int32_t n, double percent, int has_sets, scri_team* team, scri_random* random)
{
    fixture* f = test_take(1, sizeof *f);
    f->problem.n_contacts = n;
    f->run = (scri_run){.problem = &f->problem, .team = team, .size = f->size};
    f->m = (scri_nsgs_wide){.square = 3.0,
                            .colouring = {.contact = f->contact, .colour = f->colour},
                            .guests = {.number = f->number},
                            .lane = f->lane,
                            .blocks = f->blocks,
                            .spare = f->spare,
                            .weight = f->weight,
                            .change = f->change,
                            .lane_change = f->lane_change,
                            .order = f->order,
                            .list_of = f->list_of};
    if (has_sets) f->m.sets = f->sets;
    if (has_sets) f->m.spare_sets = f->spare_sets;
    memset(f->spare, 0xff, sizeof f->spare); /* what is not written shows */
    memset(f->spare_sets, 0xff, sizeof f->spare_sets);
    draw_colours(f, n, random);
    draw_guests(f, n, percent, random);
    scri_pack_places_begin(&f->run, &f->m);
    fill(f);
    int32_t packs = scri_nsgs_wide_packs(&f->m);
    for (int32_t i = 0; i < SCRI_LANES * packs; ++i) {
        f->lane_change[i / SCRI_LANES][i % SCRI_LANES] = (float)draw_between(random, 0.0, 1.0);
    }
    memcpy(f->lane_before, f->lane, sizeof f->lane);
    memcpy(f->guest_before, f->is_guest, sizeof f->is_guest);
    memcpy(f->change_before, f->lane_change, sizeof f->lane_change);
    return f;
}

/* Contacts of a colour as they should come: what changed by `least` and more, then what changed
 * less, each in the order of before. */
static int32_t expect_order(const fixture* f, int colour, float least, int32_t* expected)
{
    int32_t n = 0;
    for (int calm = 0; calm < 2; ++calm) {
        for (int32_t i = SCRI_LANES * f->m.start[colour]; i < SCRI_LANES * f->m.start[colour + 1];
             ++i) {
            int is_guest = f->m.is_guest && f->guest_before[i / SCRI_LANES];
            int is_calm = f->change_before[i / SCRI_LANES][i % SCRI_LANES] < least;
            if (f->lane_before[i] < 0 || is_guest) continue;
            if ((colour < SCRI_COLOURS && is_calm) == calm) expected[n++] = f->lane_before[i];
        }
    }
    return n;
}

static void check_weight(const fixture* f, int32_t i)
{
    int32_t c = f->m.lane[i];
    double expected = c < 0 ? 0.0 : 3.0 / f->size[c];
    double found = (double)f->m.weight[i / SCRI_LANES][i % SCRI_LANES];
    require(fabs(found - expected) <= 1e-6 * expected, "weight %g of %g", found, expected);
}

static void check(const fixture* f, float least)
{
    static int32_t expected[MOST];
    const scri_nsgs_wide* m = &f->m;
    for (int colour = 0; colour < GROUPS; ++colour) {
        int32_t n = expect_order(f, colour, least, expected), next = 0;
        int32_t place = m->colouring.start[colour];
        for (int32_t i = SCRI_LANES * m->start[colour]; i < SCRI_LANES * m->start[colour + 1];
             ++i) {
            int is_guest = m->is_guest && m->is_guest[i / SCRI_LANES];
            int32_t c = m->lane[i];
            check_lane(m, i, c);
            check_weight(f, i);
            assert_int_equal(c < 0, f->lane_before[i] < 0);
            assert_true(i % SCRI_LANES > 0 || (m->change[i / SCRI_LANES] < 0.0f) == (c < 0));
            if (is_guest) assert_int_equal(c, f->lane_before[i]);
            if (c < 0) continue;
            assert_int_equal(m->colouring.contact[place++], c);
            if (!is_guest) assert_int_equal(c, expected[next++]);
        }
        assert_int_equal(next, n);
        assert_int_equal(place, m->colouring.start[colour + 1]);
    }
    assert_memory_equal(f->guest_before, f->is_guest, sizeof f->is_guest);
}

static void lanes_change_whole(void** state)
{
    (void)state;
    scri_random random = test_seed("order of packs", 71);
    for (int k = 0; k < 48; ++k) {
        static const double guests[] = {0.0, 5.0, 60.0, 100.0};
        float least = (float[]){0.0f, 0.3f, 0.9f, 2.0f}[k / 4 % 4];
        scri_team* team = NULL;
        if (k % 3) assert_int_equal(scri_team_create(NULL, 1 + k % 3, &team), SCREE_OK);
        if (team) scri_team_spread(team, 1 + k % 3);
        int32_t n = k < 4 ? k : 1 + draw_below(&random, MOST - 1);
        fixture* f = begin(n, guests[k % 4], k % 2, team, &random);
        scri_pack_order_sort(&f->run, &f->m, (double)least);
        check(f, least);
        free(f);
        scri_team_destroy(team);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_change_whole),
    };
    return cmocka_run_group_tests_name("pack_order", tests, NULL, NULL);
}
