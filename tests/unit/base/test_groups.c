/* Work in groups and lists by owner: the same for any team, and what a plain loop finds. */
#include "base/groups.h"
#include "base/owner_lists.h"
#include "support/draw.h"
#include "support/test.h"

enum { MOST_ITEMS = 40000, MOST_OWNERS = 3000, TEAMS = 4 };

static void make_teams(scri_team* teams[TEAMS])
{
    teams[0] = NULL;
    for (int32_t k = 1; k < TEAMS; ++k) {
        assert_int_equal(scri_team_create(NULL, k + 1, &teams[k]), SCREE_OK);
        scri_team_spread(teams[k], k + 1);
    }
}

static void drop_teams(scri_team* teams[TEAMS])
{
    for (int k = 1; k < TEAMS; ++k) scri_team_destroy(teams[k]);
}

/* Every number is in one group, in order; groups do not get many. */
static void groups_cover_all_numbers(void** state)
{
    (void)state;
    const int32_t sizes[] = {0, 1, 63, 64, 65, 16383, 16384, 16385, 1000003};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        scri_groups g = scri_groups_of(sizes[k]);
        assert_true(g.count <= SCRI_MOST_GROUPS && g.size >= SCRI_LEAST_GROUP);
        assert_int_equal(scri_groups_begin(&g, 0), 0);
        assert_int_equal(scri_groups_begin(&g, g.count), sizes[k]);
        for (int32_t i = 0; i < g.count; ++i) {
            int32_t size = scri_groups_begin(&g, i + 1) - scri_groups_begin(&g, i);
            require(size > 0 && size <= g.size, "group %d of %d has %d", (int)i, (int)g.count,
                    (int)size);
        }
    }
}

static double add_up(const void* context, int32_t begin, int32_t end)
{
    const double* x = context;
    double sum = 0.0;
    for (int32_t i = begin; i < end; ++i) sum += x[i];
    return sum;
}

static double find_most(const void* context, int32_t begin, int32_t end)
{
    const double* x = context;
    double most = 0.0;
    for (int32_t i = begin; i < end; ++i) most = fmax(most, x[i]);
    return most;
}

static void sums_do_not_depend_on_the_team(void** state)
{
    (void)state;
    static double x[MOST_ITEMS];
    scri_random random = test_seed("groups", 811);
    scri_team* teams[TEAMS];
    make_teams(teams);
    for (int k = 0; k < 40; ++k) {
        int32_t n = draw_below(&random, k % 2 ? 100 : MOST_ITEMS);
        double plain = 0.0, largest = 0.0;
        for (int32_t i = 0; i < n; ++i) {
            x[i] = draw_between(&random, -1.0, 1.0);
            plain += x[i];
            largest = fmax(largest, x[i]);
        }
        double first = scri_groups_sum(NULL, n, 1, add_up, x);
        require(fabs(first - plain) <= 1e-12 * (n + 1), "%d numbers: %g, not %g", (int)n, first,
                plain);
        if (n <= SCRI_LEAST_GROUP) assert_true(first == plain);
        for (int t = 0; t < TEAMS; ++t) {
            assert_true(scri_groups_sum(teams[t], n, 1 + 300 * t, add_up, x) == first);
            assert_true(scri_groups_most(teams[t], n, 1 + 300 * t, find_most, x) == largest);
        }
    }
    drop_teams(teams);
}

/* Lists by owner are those of a loop over all items for every owner. */
static void require_lists(const scri_owner_lists* lists)
{
    int32_t at = 0;
    static int32_t place[MOST_OWNERS];
    assert_int_equal(lists->start[0], 0);
    for (int32_t i = 0; i < lists->n_owners; ++i) place[i] = lists->start[i];
    for (int32_t i = 0; i < lists->n_items; ++i) {
        int32_t owner = lists->owner[i];
        if (owner < 0) continue;
        require(lists->item[place[owner]] == i, "item %d of owner %d", (int)i, (int)owner);
        ++place[owner];
        ++at;
    }
    for (int32_t i = 0; i < lists->n_owners; ++i) assert_int_equal(place[i], lists->start[i + 1]);
    assert_int_equal(lists->start[lists->n_owners], at);
}

static void lists_are_the_same_for_any_team(void** state)
{
    (void)state;
    static int32_t owner[MOST_ITEMS], start[MOST_OWNERS + 1], item[MOST_ITEMS];
    static int32_t scratch[2 * MOST_ITEMS];
    scri_random random = test_seed("lists", 812);
    scri_team* teams[TEAMS];
    make_teams(teams);
    for (int k = 0; k < 60; ++k) {
        int32_t most = k % 5 == 1 ? SCRI_FEW_OWNERS : MOST_OWNERS;
        int32_t n_owners = k % 7 == 0 ? k % 2 : 1 + draw_below(&random, most);
        if (k % 10 == 3) n_owners = SCRI_FEW_OWNERS + k / 10 % 2;
        int32_t n_items = draw_below(&random, k % 3 ? MOST_ITEMS : 2000);
        int one_has_most = draw_chance(&random, 30.0);
        for (int32_t i = 0; i < n_items; ++i) {
            int32_t any = n_owners == 0 ? -1 : draw_below(&random, n_owners + 1) - 1;
            owner[i] = one_has_most && n_owners > 0 && i % 3 ? n_owners / 2 : any;
        }
        int are_few = n_owners <= SCRI_FEW_OWNERS;
        scri_owner_lists lists = {n_items, n_owners, owner, start, item, are_few ? NULL : scratch};
        for (int t = 0; t < TEAMS; ++t) {
            memset(start, 0x55, sizeof start);
            memset(item, 0x55, sizeof item);
            scri_owner_lists_fill(teams[t], &lists);
            require_lists(&lists);
        }
    }
    drop_teams(teams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_cover_all_numbers),
        cmocka_unit_test(sums_do_not_depend_on_the_team),
        cmocka_unit_test(lists_are_the_same_for_any_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL); /* threads keep memory for the next */
}
