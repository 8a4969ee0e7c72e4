#include "math/csc_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static void empty_matrix_has_no_entries(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    scree_csc m;
    scri_triplets t = {.n_rows = 3, .n_columns = 2};
    assert_int_equal(scri_csc_from_triplets(arena, &t, &m), SCREE_OK);
    assert_int_equal(m.n_rows, 3);
    assert_int_equal(m.n_columns, 2);
    for (int k = 0; k < 3; ++k) assert_int_equal(m.start[k], 0);
    t = (scri_triplets){0};
    assert_int_equal(scri_csc_from_triplets(arena, &t, &m), SCREE_OK);
    assert_int_equal(m.start[0], 0);
    scri_arena_destroy(arena);
}

static void rows_increase_and_repeated_entries_are_summed_in_order(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    int32_t row[] = {2, 0, 2, 1, 0, 2};
    int32_t column[] = {1, 0, 1, 1, 3, 1};
    /* Added in another order, the three of (2, 1) would give 0 or 2. */
    double value[] = {1e30, 4.0, -1e30, -0.0, 5.0, 1.0};
    scree_csc m;
    const scri_triplets t = {3, 4, 6, row, column, value};
    assert_int_equal(scri_csc_from_triplets(arena, &t, &m), SCREE_OK);
    const int32_t start[] = {0, 1, 3, 3, 4}, rows[] = {0, 1, 2, 0};
    const double sums[] = {4.0, -0.0, 1.0, 5.0};
    assert_memory_equal(m.start, start, sizeof start);
    assert_memory_equal(m.row, rows, sizeof rows);
    assert_memory_equal(m.value, sums, sizeof sums);
    scri_arena_destroy(arena);
}

static void too_many_triplets_are_refused(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    scree_csc m;
    const scri_triplets t = {1, 1, (int64_t)INT32_MAX + 1, NULL, NULL, NULL};
    assert_int_equal(scri_csc_from_triplets(arena, &t, &m), SCREE_ERROR_UNSUPPORTED);
    scri_arena_destroy(arena);
}

/* All entries in one column and falling order: quadratic methods would take minutes. */
static void time_grows_linearly(void** state)
{
    (void)state;
    enum { COUNT = 1000000 };
    scri_arena* arena = scri_arena_create(NULL);
    int32_t* row = malloc(COUNT * sizeof *row);
    int32_t* column = calloc(COUNT, sizeof *column);
    double* value = malloc(COUNT * sizeof *value);
    assert_true(row && column && value);
    for (int32_t k = 0; k < COUNT; ++k) {
        row[k] = COUNT - 1 - k;
        value[k] = (double)k;
    }
    clock_t begin = clock();
    scree_csc m;
    const scri_triplets t = {COUNT, 1, COUNT, row, column, value};
    assert_int_equal(scri_csc_from_triplets(arena, &t, &m), SCREE_OK);
    assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
    for (int32_t k = 0; k < COUNT; ++k) assert_int_equal(m.row[k], k);
    free(row);
    free(column);
    free(value);
    scri_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_matrix_has_no_entries),
        cmocka_unit_test(rows_increase_and_repeated_entries_are_summed_in_order),
        cmocka_unit_test(too_many_triplets_are_refused),
        cmocka_unit_test(time_grows_linearly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
