/* Pieces that find less or more than they have room for. */
#include "base/env.h"
#include "base/team.h"
#include "collide/regions.h"
#include "support/draw.h"
#include "support/test.h"

#include <stdatomic.h>

enum { MOST_PIECES = 40, MOST_ITEMS = 200, NOBODY = -1 };

/* Piece k finds `n[k]` items, which are numbers that tell piece and place. */
typedef struct finding {
    size_t n[MOST_PIECES];
    scri_buffer items;
    atomic_int fills[MOST_PIECES];
    int left;
} finding;

static int32_t item_of(int32_t k, size_t i)
{
    return 1000 * k + (int32_t)i;
}

static size_t expect(const void* context, int32_t k)
{
    (void)context;
    return (size_t)(k % 3);
}

static int reserve(void* context, size_t total, size_t kept)
{
    finding* f = context;
    return scri_buffer_extend(NULL, &f->items, total + 1, sizeof(int32_t), kept);
}

static size_t fill(void* context, int32_t k, size_t begin, size_t room)
{
    finding* f = context;
    int32_t* out = (int32_t*)f->items.data + begin;
    atomic_fetch_add(&f->fills[k], 1);
    for (size_t i = 0; i < room; ++i) out[i] = i < f->n[k] ? item_of(k, i) : NOBODY;
    return f->n[k];
}

static void leave(void* context, size_t begin, size_t room)
{
    finding* f = context;
    for (size_t i = 0; i < room; ++i) ((int32_t*)f->items.data)[begin + i] = NOBODY;
    f->left++;
}

/* Every item is where its region says, and nowhere else; no piece was done twice that had room. */
static void check(const finding* f, const scri_regions* r, const scri_region* before, int32_t count,
                  int is_left)
{
    size_t found = 0, seen = 0;
    const int32_t* item = f->items.data;
    for (int32_t k = 0; k < count; ++k) {
        const scri_region* region = &r->region[k];
        size_t room = before[k].room > expect(NULL, k) ? before[k].room : expect(NULL, k);
        assert_int_equal(region->n, f->n[k]);
        assert_int_equal(region->place, found);
        assert_true(region->begin + region->n <= r->total && region->n <= region->room);
        for (size_t i = 0; i < f->n[k]; ++i)
            assert_int_equal(item[region->begin + i], item_of(k, i));
        require(f->fills[k] == 1 + (f->n[k] > room), "piece %d with %zu of %zu: %d times", (int)k,
                f->n[k], room, f->fills[k]);
        found += f->n[k];
    }
    assert_int_equal(r->n_found, found);
    for (size_t i = 0; i < r->total; ++i) seen += item[i] != NOBODY;
    if (is_left) assert_int_equal(seen, found);
    if (count == 1) assert_int_equal(r->region[0].begin, 0);
}

static void run(scri_team* team, int is_left, const char* name)
{
    scri_random random = test_seed(name, 77);
    scri_regions r = {.count = 0};
    finding f = {.left = 0};
    int left = 0;
    scri_region_work work = {&f, expect, reserve, fill, is_left ? leave : NULL};
    for (int round = 0; round < 300; ++round) {
        int32_t count = round % 7 == 0 ? 1 : 1 + draw_below(&random, MOST_PIECES);
        scri_region before[MOST_PIECES] = {{.room = 0}};
        int most = draw_chance(&random, 30.0) ? MOST_ITEMS : 5;
        for (int32_t k = 0; k < MOST_PIECES; ++k) {
            f.n[k] = (size_t)draw_below(&random, most);
            atomic_store(&f.fills[k], 0);
        }
        for (int32_t k = 0; k < count && k < r.most; ++k) before[k] = r.region[k];
        assert_int_equal(scri_regions_run(NULL, team, &r, count, &work), SCREE_OK);
        check(&f, &r, before, count, is_left);
        left += f.left;
        f.left = 0;
        if (round % 50 == 49) { /* all small again */
            for (int32_t k = 0; k < r.most; ++k) r.region[k].room = 0;
        }
    }
    if (is_left) require(left > 20, "%d pieces were left", left);
    scri_release(NULL, f.items.data);
    scri_release(NULL, r.memory.data);
}

static void pieces_that_do_not_fit_are_done_again(void** state)
{
    (void)state;
    run(NULL, 0, "nobody looks");
    run(NULL, 1, "somebody looks");
}

static void workers_do_the_same(void** state)
{
    scri_team* team;
    (void)state;
    assert_int_equal(scri_team_create(NULL, 4, &team), SCREE_OK);
    run(team, 1, "workers");
    scri_team_destroy(team);
}

/* Memory that ends after so many calls. */
static int refuse(void* context, size_t total, size_t kept)
{
    finding* f = context;
    return f->left-- > 0 && reserve(context, total, kept);
}

static void no_memory_is_told(void** state)
{
    (void)state;
    for (int calls = 0; calls < 3; ++calls) {
        scri_regions r = {.count = 0};
        finding f = {.n = {1, 9}, .left = calls};
        scri_region_work work = {&f, expect, refuse, fill, NULL};
        scree_status expected = calls < 2 ? SCREE_ERROR_MEMORY : SCREE_OK;
        assert_int_equal(scri_regions_run(NULL, NULL, &r, 2, &work), expected);
        scri_release(NULL, f.items.data);
        scri_release(NULL, r.memory.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_that_do_not_fit_are_done_again),
        cmocka_unit_test(workers_do_the_same),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
