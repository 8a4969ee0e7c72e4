/* Sorting by keys: as the C library sorts, items of one key in their order, for any team. */
#include "base/keys.h"
#include "support/draw.h"
#include "support/test.h"

enum { MOST = 40000, TEAMS = 3 };

static int compare(const void* p, const void* q)
{
    const scri_key *a = p, *b = q;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->item < b->item ? -1 : a->item > b->item;
}

/* Keys of so many bits, the lowest of which are zeros; items in rising order. */
static uint64_t draw_keys(scri_random* random, int32_t n, int bits, int zeros, scri_key* out)
{
    uint64_t largest = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
    for (int32_t i = 0; i < n; ++i) {
        uint64_t high = scri_random_below(random, UINT32_MAX),
                 low = scri_random_below(random, UINT32_MAX);
        out[i] = (scri_key){((high << 32 | low) & largest) >> zeros << zeros, i};
    }
    return largest;
}

static void keys_are_sorted(void** state)
{
    (void)state;
    static const int32_t sizes[] = {0, 1, 2, 63, 64, 5000, 32767, 32768, MOST};
    static const int bits[][2] = {{0, 0}, {3, 0}, {11, 0}, {12, 11}, {40, 30}, {63, 0}, {64, 0}};
    static scri_key keys[MOST], sorted[MOST], expected[MOST], spare[MOST];
    static uint32_t counts[(MOST / SCRI_KEYS_PIECE) * SCRI_KEYS_COUNTS];
    scri_random random = test_seed("keys_are_sorted", 550);
    scri_team* teams[TEAMS] = {NULL};
    for (int k = 1; k < TEAMS; ++k) {
        assert_int_equal(scri_team_create(NULL, k + 1, &teams[k]), SCREE_OK);
        scri_team_spread(teams[k], k + 1);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (size_t k = 0; k < sizeof bits / sizeof *bits; ++k) {
            size_t n = (size_t)sizes[i];
            uint64_t largest = draw_keys(&random, sizes[i], bits[k][0], bits[k][1], keys);
            memcpy(expected, keys, n * sizeof *keys);
            qsort(expected, n, sizeof *expected, compare);
            for (int t = 0; t < TEAMS; ++t) {
                memcpy(sorted, keys, n * sizeof *keys);
                scri_keys_sort(sorted, spare, sizes[i], largest, t ? counts : NULL, teams[t]);
                for (size_t j = 0; j < n; ++j) {
                    require(compare(&sorted[j], &expected[j]) == 0, "%d keys of %d bits: %d",
                            (int)n, bits[k][0], (int)j);
                }
            }
        }
    }
    for (int k = 1; k < TEAMS; ++k) scri_team_destroy(teams[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_sorted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
