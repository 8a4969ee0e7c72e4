/* Arena, environment, workspace layout, random numbers, status texts. */
#include "base/arena.h"
#include "base/bump.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/pages.h"
#include "base/random.h"
#include "support/test.h"

#include <math.h>

/* ---- arena ---- */

static void arena_memory_is_aligned_zeroed_and_apart(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scri_arena* arena = scri_arena_create(&env);
    assert_non_null(arena);
    scri_random random = test_seed("arena", 1);
    enum { COUNT = 500 };
    unsigned char* memory[COUNT];
    size_t size[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        size_t item = 1 + scri_random_below(&random, 40);
        size_t count = scri_random_below(&random, i % 50 == 0 ? 20000 : 60);
        size[i] = item * count;
        memory[i] = scri_arena_take(arena, count, item);
        assert_non_null(memory[i]); /* a count of 0 included */
        assert_int_equal((uintptr_t)memory[i] % 16, 0);
        for (size_t b = 0; b < size[i]; ++b) assert_int_equal(memory[i][b], 0);
        memset(memory[i], i % 251 + 1, size[i]);
    }
    for (int i = 0; i < COUNT; ++i) { /* nobody wrote into anybody else's */
        for (size_t b = 0; b < size[i]; ++b) assert_int_equal(memory[i][b], i % 251 + 1);
    }
    assert_true(host.n_held > 2);
    scri_arena_destroy(arena);
    assert_int_equal(host.n_held, 0);
}

static void arena_refuses_products_that_overflow(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scri_arena* arena = scri_arena_create(&env);
    long before = host.n_asked;
    static const size_t bad[][2] = {{SIZE_MAX, 1},
                                    {1, SIZE_MAX},
                                    {SIZE_MAX / 2, 3},
                                    {SIZE_MAX / 8 + 1, 8},
                                    {(size_t)1 << 33, (size_t)1 << 31},
                                    {SIZE_MAX, SIZE_MAX},
                                    {SIZE_MAX - 14, 1},
                                    {SIZE_MAX / 16 + 1, 16}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_null(scri_arena_take(arena, bad[i][0], bad[i][1]));
    }
    assert_int_equal(host.n_asked, before); /* refused before anybody was asked */
    assert_non_null(scri_arena_take(arena, 0, SIZE_MAX));
    assert_non_null(scri_arena_take(arena, SIZE_MAX, 0));
    assert_non_null(scri_arena_take(arena, 3, 8)); /* and it still works */
    scri_arena_destroy(arena);
    assert_int_equal(host.n_held, 0);
}

static void arena_without_memory(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    host.fail_at = 0;
    assert_null(scri_arena_create(&env));
    assert_int_equal(host.n_held, 0);

    env = test_env(&host);
    host.fail_at = 2;
    scri_arena* arena = scri_arena_create(&env);
    assert_non_null(arena);
    assert_non_null(scri_arena_take(arena, 10, 10));
    assert_null(scri_arena_take(arena, 1, (size_t)1 << 20)); /* needs a block of its own */
    assert_non_null(scri_arena_take(arena, 1, (size_t)1 << 20));
    scri_arena_destroy(arena);
    assert_int_equal(host.n_held, 0);

    scri_arena_destroy(NULL);
    arena = scri_arena_create(NULL); /* the default environment */
    assert_non_null(scri_arena_take(arena, 10, 10));
    scri_arena_destroy(arena);
}

/* The arena keeps a copy: the caller's struct may be gone when memory is given back. */
static void arena_outlives_the_environment_it_was_made_with(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scri_arena* arena = scri_arena_create(&env);
    assert_non_null(scri_arena_take(arena, 10, 10));
    env = (scree_env){0};
    scri_arena_destroy(arena);
    assert_int_equal(host.n_held, 0);
}

/* ---- environment ---- */

static void messages_are_cut_and_passed_on(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    char longer[4000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(scri_fail(&env, SCREE_ERROR_INPUT, "contact %d", 7), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "contact 7");
    assert_int_equal(scri_fail(&env, SCREE_ERROR_FILE, "%s", longer), SCREE_ERROR_FILE);
    assert_int_equal(host.n_logged, 2);
    assert_int_equal(strlen(host.text), SCRI_LOG_SIZE - 1);
    assert_int_equal(scri_fail(NULL, SCREE_ERROR_FILE, "nobody listens"), SCREE_ERROR_FILE);
    env.log = NULL;
    assert_int_equal(scri_fail(&env, SCREE_ERROR_MEMORY, "nobody listens"), SCREE_ERROR_MEMORY);
    assert_int_equal(host.n_logged, 2);
}

static void memory_comes_from_the_host(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    void* memory = scri_alloc(&env, 0); /* never a request for nothing, which may give NULL */
    assert_non_null(memory);
    assert_int_equal(host.n_held, 1);
    scri_release(&env, memory);
    scri_release(&env, NULL);
    assert_int_equal(host.n_held, 0);
    scree_env silent = {0};
    memory = scri_alloc(&silent, 100);
    assert_non_null(memory);
    memset(memory, 1, 100);
    scri_release(&silent, memory);
    env.release = NULL; /* a host that frees everything at its own end */
    memory = scri_alloc(&env, 8);
    scri_release(&env, memory);
    free(memory);
}

/* The same calls with and without memory agree about places and sizes. */
/* Much memory begins at a large page, on systems that have such; all of it can be written. */
static void much_memory_lies_in_large_pages(void** state)
{
    (void)state;
    const size_t sizes[] = {1, SCRI_MANY_BYTES - 1, SCRI_MANY_BYTES, SCRI_MANY_BYTES + 12345};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        unsigned char* memory = scri_alloc(NULL, sizes[k]);
        assert_non_null(memory);
        memset(memory, 1, sizes[k]);
#ifdef __linux__
        if (sizes[k] >= SCRI_MANY_BYTES) assert_true((uintptr_t)memory % SCRI_LARGE_PAGE == 0);
#endif
        scri_release(NULL, memory);
    }
}

static void workspaces_are_laid_out_alike_when_counted(void** state)
{
    (void)state;
    static const size_t sizes[][2] = {{3, 8}, {1, 1}, {0, 8}, {5, 4}, {2, 16}, {7, 3}};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    scri_bump count = {NULL, 0};
    for (int i = 0; i < COUNT; ++i) {
        assert_null(scri_bump_take(&count, sizes[i][0], sizes[i][1]));
    }
    unsigned char* memory = test_take(count.used, 1);
    scri_bump bump = {memory, 0};
    for (int i = 0; i < COUNT; ++i) {
        unsigned char* at = scri_bump_take(&bump, sizes[i][0], sizes[i][1]);
        assert_int_equal((at - memory) % 16, 0);
        memset(at, i, sizes[i][0] * sizes[i][1]);
    }
    assert_int_equal(bump.used, count.used);
    free(memory);
}

static void the_clock_goes_forward(void** state)
{
    (void)state;
    const scree_env silent = {0};
    double last = scri_clock_seconds(NULL);
    for (int i = 0; i < 10000; ++i) {
        double now = scri_clock_seconds(i % 2 ? &silent : NULL);
        require(now >= last, "the clock went back by %g s", last - now);
        last = now;
    }
}

static double seven_more(void* user)
{
    return *(double*)user += 7.0;
}

static void the_host_may_lend_a_clock(void** state)
{
    (void)state;
    double now = 1.0;
    const scree_env env = {.user = &now, .clock = seven_more};
    assert_true(scri_clock_seconds(&env) == 8.0 && scri_clock_seconds(&env) == 15.0);
}

/* ---- random numbers ---- */

/* Known answers of philox4x32-10 from Random123; scri_random_bits() returns words 1 and 0. */
static void philox_known_answers(void** state)
{
    (void)state;
    static const struct {
        uint64_t key, stream, counter, bits;
    } known[] = {
        {0, 0, 0, 0xe169c58d6627e8d5},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x41c83b0e408f276d},
        {0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, 0x94fdccebd16cfe09},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        scri_random random = {known[i].key, known[i].stream, known[i].counter};
        uint64_t bits = scri_random_bits(&random);
        require(bits == known[i].bits, "answer %zu is %016llx", i, (unsigned long long)bits);
        assert_true(random.counter == known[i].counter + 1);
        assert_true(random.key == known[i].key && random.stream == known[i].stream);
    }
}

static void random_numbers_depend_on_key_stream_and_counter_alone(void** state)
{
    (void)state;
    scri_random a = {.key = 5, .stream = 6}, other_key = {.key = 4, .stream = 6};
    scri_random other_stream = {.key = 5, .stream = 7};
    int equal_key = 0, equal_stream = 0;
    uint64_t first[100];
    for (int i = 0; i < 100; ++i) {
        first[i] = scri_random_bits(&a);
        equal_key += first[i] == scri_random_bits(&other_key);
        equal_stream += first[i] == scri_random_bits(&other_stream);
    }
    assert_int_equal(equal_key, 0);
    assert_int_equal(equal_stream, 0);
    for (int i = 99; i >= 0; --i) { /* in any order */
        scri_random again = {5, 6, (uint64_t)i};
        assert_true(scri_random_bits(&again) == first[i]);
    }
}

static void uniform_numbers_fill_their_interval(void** state)
{
    (void)state;
    scri_random random = test_seed("uniform", 2);
    enum { COUNT = 200000, BINS = 20 };
    long bin[BINS] = {0};
    double sum = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        double x = scri_random_uniform(&random);
        require(x >= 0.0 && x < 1.0, "%.17g is outside [0, 1)", x);
        ++bin[(int)(x * BINS)];
        sum += x;
    }
    double square = 0.0, expected = (double)COUNT / BINS;
    for (int i = 0; i < BINS; ++i) {
        square += ((double)bin[i] - expected) * ((double)bin[i] - expected) / expected;
    }
    require(square <= 60.0, "chi square %g with 19 degrees of freedom", square);
    require(fabs(sum / COUNT - 0.5) <= 0.005, "mean %g", sum / COUNT);
}

static void numbers_below_a_limit(void** state)
{
    (void)state;
    scri_random random = test_seed("below", 3);
    static const uint32_t limits[] = {1, 2, 3, 7, 1000, 0x80000001u, UINT32_MAX};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; ++k) {
        uint32_t least = UINT32_MAX, most = 0;
        for (int i = 0; i < 20000; ++i) {
            uint32_t x = scri_random_below(&random, limits[k]);
            require(x < limits[k], "%u is not below %u", x, limits[k]);
            if (x < least) least = x;
            if (x > most) most = x;
        }
        double span = (double)limits[k];
        require((double)least <= 0.01 * span && (double)most >= 0.98 * span - 1.0,
                "of %u only %u to %u were seen", limits[k], least, most);
    }
    long count[7] = {0};
    for (int i = 0; i < 70000; ++i) ++count[scri_random_below(&random, 7)];
    double square = 0.0;
    for (int i = 0; i < 7; ++i) {
        square += ((double)count[i] - 1e4) * ((double)count[i] - 1e4) / 1e4;
    }
    require(square <= 30.0, "chi square %g with 6 degrees of freedom", square);
}

/* ---- status ---- */

static void every_status_has_a_text_of_its_own(void** state)
{
    (void)state;
    for (int i = 0; i < SCREE_STATUS_COUNT; ++i) {
        const char* text = scree_status_text((scree_status)i);
        assert_non_null(text);
        assert_true(strlen(text) > 1);
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(text, scree_status_text((scree_status)j));
        }
    }
    assert_string_equal(scree_status_text(SCREE_OK), "ok");
    assert_non_null(scree_status_text(SCREE_STATUS_COUNT));
    assert_non_null(scree_status_text((scree_status)-1));
    assert_non_null(scree_status_text((scree_status)12345));
}

static void the_version_is_that_of_the_project(void** state)
{
    (void)state;
    scree_version version = scree_get_version();
    assert_true(version.major >= 0 && version.minor >= 0 && version.patch >= 0);
    assert_true(version.major + version.minor + version.patch > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_memory_is_aligned_zeroed_and_apart),
        cmocka_unit_test(arena_refuses_products_that_overflow),
        cmocka_unit_test(arena_without_memory),
        cmocka_unit_test(arena_outlives_the_environment_it_was_made_with),
        cmocka_unit_test(messages_are_cut_and_passed_on),
        cmocka_unit_test(memory_comes_from_the_host),
        cmocka_unit_test(much_memory_lies_in_large_pages),
        cmocka_unit_test(workspaces_are_laid_out_alike_when_counted),
        cmocka_unit_test(the_clock_goes_forward),
        cmocka_unit_test(the_host_may_lend_a_clock),
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(random_numbers_depend_on_key_stream_and_counter_alone),
        cmocka_unit_test(uniform_numbers_fill_their_interval),
        cmocka_unit_test(numbers_below_a_limit),
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(the_version_is_that_of_the_project),
    };
    return test_group(tests);
}
