/* What unit tests share: cmocka, checks in which NaN fails, seeds, logs, a counting allocator. */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include "base/random.h"
#include "scree/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void); /* gcc of Debian comes without its header */
#endif

#if SCREE_TEST_SPARSE
#include "scree_sparse/scree_sparse.h"
#endif

/* Write conditions so that NaN makes them false: require(error <= bound, ...). */
#define require(condition, ...)                  \
    do {                                         \
        if (!(condition)) fail_msg(__VA_ARGS__); \
    } while (0)

/* SCREE_TEST_SEED repeats a run with another seed than the usual one. */
static inline scri_random test_seed(const char* test, uint64_t usual)
{
    const char* chosen = getenv("SCREE_TEST_SEED");
    scri_random random = {.key = chosen ? strtoull(chosen, NULL, 10) : usual};
    print_message("%s: seed %llu\n", test, (unsigned long long)random.key);
    return random;
}

/* SCREE_TEST_ALL asks for the thorough run, which takes many times as long. */
static inline int test_all(void)
{
    const char* chosen = getenv("SCREE_TEST_ALL");
    return chosen && chosen[0] != '\0' && strcmp(chosen, "0") != 0;
}

/* Set for builds with sanitizers, which look for faults of memory, not of numbers. */
static inline int test_sanitized(void)
{
    return getenv("SCREE_TEST_SANITIZED") != NULL;
}

/* Also for builds that an emulator runs, which look for differences between processors: cases take
 * many times as long. */
static inline int test_slow(void)
{
    return !test_all() && (test_sanitized() || getenv("SCREE_TEST_EMULATED") != NULL);
}

/* Ends a test that goes through code again which shorter ones go through, to see its numbers: not
 * for sanitizers, nor for an emulator. */
static inline void test_of_numbers(void)
{
    if (!test_slow()) return;
    print_message("skipped: of numbers alone, slow builds see shorter tests of the same\n");
    skip();
}

/* How many random cases to run. Sanitizers and emulators see the first third of what the optimized
 * build sees, so that a case that fails there can be sought here. */
static inline int test_cases(int usual, int all)
{
    if (test_all()) return all;
    return test_slow() && usual >= 12 ? usual / 3 : usual;
}

/* How many of the `usual` cases of a list: sanitizers and emulators see the first `few`. */
static inline int test_few(int usual, int few)
{
    return test_slow() ? few : usual;
}

/* How long or large a case is, or how many of them something is counted over: the same in every
 * build. */
static inline int test_size(int usual, int all)
{
    return test_all() ? all : usual;
}

/* Cases from `from` up to, not including, `to`. */
typedef struct test_range {
    int from, to;
} test_range;

/* SCREE_TEST_RANGE=FROM:TO asks for these cases alone, drawn as in the whole: to run a long form in
 * pieces, and one case again. */
static inline test_range test_range_of(int usual, int all)
{
    const char* chosen = getenv("SCREE_TEST_RANGE");
    test_range range = {0, test_cases(usual, all)};
    if (chosen) {
        char* end;
        range.from = (int)strtol(chosen, &end, 10);
        require(*end == ':', "SCREE_TEST_RANGE=%s is not FROM:TO", chosen);
        range.to = (int)strtol(end + 1, &end, 10);
        require(*end == '\0' && range.from < range.to, "SCREE_TEST_RANGE=%s is not FROM:TO",
                chosen);
    }
    return range;
}

/* A file of reference values; tests/fixtures/oracles/README.md says where each comes from. */
static inline FILE* test_open_oracle(const char* name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/oracles/%s", SCREE_FIXTURES, name);
    FILE* file = fopen(path, "r");
    require(file, "the reference values %s cannot be opened", path);
    return file;
}

/* ---- the environment a test lends to the library ---- */

/* NULL in a build without scree_sparse. */
static inline const scree_sparse* test_sparse(void)
{
#if SCREE_TEST_SPARSE
    return scree_sparse_mumps();
#else
    return NULL;
#endif
}

/* For tests of what is out of reach without sparse factors. */
static inline void test_needs_sparse(void)
{
    if (test_sparse()) return;
    print_message("skipped: it needs scree_sparse\n");
    skip();
}

/* For tests of bits that come from pow(), sin() and the like: another C library has other last
 * digits than that of the promises. */
static inline void test_needs_glibc(void)
{
#if !defined(__GLIBC__)
    print_message("not compared: this C library has other last digits\n");
    skip();
#endif
}

/* Nothing but sparse factors, where the build has them. */
static inline const scree_env* sparse_env(void)
{
    static scree_env env;
    env.sparse = test_sparse();
    return &env;
}

typedef struct test_host {
    int n_logged;
    char text[1024]; /* the last line */
    long n_asked;    /* allocations asked for */
    long n_held;     /* given out and not yet given back */
    long fail_at;    /* this one fails (counted from 0); -1: none */
} test_host;

static inline void test_log(void* user, scree_log_level level, const char* text)
{
    test_host* host = user;
    (void)level;
    ++host->n_logged;
    snprintf(host->text, sizeof host->text, "%s", text);
}

static inline void* test_alloc(void* user, size_t size)
{
    test_host* host = user;
    if (host->n_asked++ == host->fail_at) return NULL;
    void* memory = malloc(size);
    if (memory) ++host->n_held;
    return memory;
}

static inline void test_release(void* user, void* memory)
{
    test_host* host = user;
    if (memory) --host->n_held;
    free(memory);
}

static inline scree_env test_env(test_host* host)
{
    *host = (test_host){.fail_at = -1};
    return (scree_env){.alloc = test_alloc,
                       .release = test_release,
                       .log = test_log,
                       .user = host,
                       .sparse = test_sparse()};
}

/* Memory that ends with the test program's checks: never NULL. */
static inline void* test_take(size_t count, size_t size)
{
    void* memory = calloc(count ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

/* Bytes that are allocated, where the address sanitizer counts them. */
static inline size_t test_bytes(void)
{
#ifdef __SANITIZE_ADDRESS__
    return __sanitizer_get_current_allocated_bytes();
#else
    return 0;
#endif
}

/* Failures, and one more when more bytes are allocated than at the call before. */
static inline int test_kept(int failed)
{
    static size_t before;
    size_t now = test_bytes();
    if (failed == 0 && now > before) {
        print_error("%zu bytes are kept\n", now - before);
        ++failed;
    }
    before = now;
    return failed;
}

/* Runs a group of tests, which fails when they keep memory: for tests that use no library which
 * keeps some for itself. The first words take memory for their stream. */
#define test_group(tests)                                      \
    (print_message("memory is counted\n"), (void)test_kept(1), \
     test_kept(cmocka_run_group_tests(tests, NULL, NULL)))

#endif
