#include "math/bsr_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Contacts of widths 1, 3 and 2; contact 1 has no entry of its own. */
static const int32_t row[] = {0, 1, 4, 6};

static scree_csc sample(void)
{
    static const int32_t start[] = {0, 2, 2, 3, 3, 4, 6};
    static const int32_t entry_row[] = {0, 5, 4, 3, 0, 5};
    static const double value[] = {1.0, 2.0, 3.0, 4.0, 5.0, -0.0};
    return (scree_csc){6, 6, start, entry_row, value};
}

static void blocks_hold_every_entry_and_the_diagonal(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    scree_csc m = sample();
    scree_bsr w;
    assert_int_equal(scri_bsr_from_csc(arena, 3, row, &m, &w), SCREE_OK);
    const int32_t start[] = {0, 2, 4, 7}, column[] = {0, 2, 1, 2, 0, 1, 2};
    const int64_t offset[] = {0, 1, 3, 12, 18, 20, 26, 30};
    assert_memory_equal(w.start, start, sizeof start);
    assert_memory_equal(w.column, column, sizeof column);
    assert_memory_equal(w.offset, offset, sizeof offset);
    double expected[30] = {0};
    expected[0] = 1.0;   /* (0, 0) in block (0, 0) */
    expected[2] = 5.0;   /* (0, 5) in block (0, 2) */
    expected[16] = 4.0;  /* (3, 4) in block (1, 2) */
    expected[19] = 2.0;  /* (5, 0) in block (2, 0) */
    expected[21] = 3.0;  /* (4, 2) in block (2, 1) */
    expected[29] = -0.0; /* (5, 5) in block (2, 2) */
    assert_memory_equal(w.value, expected, sizeof expected);
    scri_arena_destroy(arena);
}

static void there_and_back_keeps_bits_and_pattern(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    scree_csc m = sample(), full, again;
    scree_bsr w, same;
    assert_int_equal(scri_bsr_from_csc(arena, 3, row, &m, &w), SCREE_OK);
    assert_int_equal(scri_csc_from_bsr(arena, 3, row, &w, &full), SCREE_OK);
    assert_int_equal(full.start[6], 30);
    for (int32_t j = 0; j < 6; ++j)
        for (int32_t k = full.start[j] + 1; k < full.start[j + 1]; ++k)
            assert_true(full.row[k - 1] < full.row[k]);
    assert_int_equal(scri_bsr_from_csc(arena, 3, row, &full, &same), SCREE_OK);
    assert_memory_equal(w.start, same.start, 4 * sizeof *w.start);
    assert_memory_equal(w.column, same.column, 7 * sizeof *w.column);
    assert_memory_equal(w.value, same.value, 30 * sizeof *w.value);
    assert_int_equal(scri_csc_from_bsr(arena, 3, row, &same, &again), SCREE_OK);
    assert_memory_equal(full.value, again.value, 30 * sizeof *full.value);
    scri_arena_destroy(arena);
}

static void empty_matrix_gives_zero_diagonal(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    const int32_t start[7] = {0};
    scree_csc m = {6, 6, start, NULL, NULL};
    scree_bsr w;
    assert_int_equal(scri_bsr_from_csc(arena, 3, row, &m, &w), SCREE_OK);
    for (int32_t c = 0; c < 3; ++c) assert_int_equal(w.column[c], c);
    assert_int_equal(w.offset[3], 1 + 9 + 4);
    for (int k = 0; k < 14; ++k) assert_true(w.value[k] == 0.0);
    scri_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold_every_entry_and_the_diagonal),
        cmocka_unit_test(there_and_back_keeps_bits_and_pattern),
        cmocka_unit_test(empty_matrix_gives_zero_diagonal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
