/* As much of cmocka as the tests of the engine use, for systems that have none: musl, Windows. A
 * test that fails is left by longjmp, the next one runs. */
#ifndef SUPPORT_PLAIN_CMOCKA_H
#define SUPPORT_PLAIN_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char* name;
    void (*run)(void** state);
};

#define cmocka_unit_test(test) \
    {                          \
#test, test            \
    }

enum { PLAIN_PASSED, PLAIN_FAILED, PLAIN_SKIPPED };

static jmp_buf plain_end; /* of the test that runs */

static inline void print_message(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

#define print_error print_message

static inline void skip(void)
{
    longjmp(plain_end, PLAIN_SKIPPED);
}

static inline void plain_require(int good, const char* what, const char* file, int line)
{
    if (good) return;
    printf("%s:%d: failed: %s\n", file, line, what);
    longjmp(plain_end, PLAIN_FAILED);
}

#define fail_msg(...) \
    (print_message(__VA_ARGS__), plain_require(0, "see above", __FILE__, __LINE__))
#define assert_true(x) plain_require(!!(x), #x, __FILE__, __LINE__)
#define assert_false(x) plain_require(!(x), "not " #x, __FILE__, __LINE__)
#define assert_null(x) plain_require((x) == NULL, #x " is NULL", __FILE__, __LINE__)
#define assert_non_null(x) plain_require((x) != NULL, #x " is not NULL", __FILE__, __LINE__)

static inline void plain_compare(long long a, long long b, int equal, const char* what,
                                 const char* file, int line)
{
    if ((a == b) != equal) printf("%lld, %lld: ", a, b);
    plain_require((a == b) == equal, what, file, line);
}

#define assert_int_equal(a, b) \
    plain_compare((long long)(a), (long long)(b), 1, #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) \
    plain_compare((long long)(a), (long long)(b), 0, #a " != " #b, __FILE__, __LINE__)
#define assert_ptr_equal(a, b) plain_require((a) == (b), #a " == " #b, __FILE__, __LINE__)
#define assert_in_range(x, least, most)                                                        \
    plain_require((x) >= (least) && (x) <= (most), #x " is in " #least " .. " #most, __FILE__, \
                  __LINE__)
#define assert_memory_equal(a, b, n) \
    plain_require(memcmp(a, b, n) == 0, #a " and " #b " are equal", __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, n) \
    plain_require(memcmp(a, b, n) != 0, #a " and " #b " differ", __FILE__, __LINE__)
#define assert_string_equal(a, b) \
    plain_require(strcmp(a, b) == 0, #a " and " #b " are equal", __FILE__, __LINE__)
#define assert_string_not_equal(a, b) \
    plain_require(strcmp(a, b) != 0, #a " and " #b " differ", __FILE__, __LINE__)

static inline int plain_run_one(const struct CMUnitTest* test)
{
    void* state = NULL;
    switch (setjmp(plain_end)) {
    case 0:
        test->run(&state);
        return PLAIN_PASSED;
    case PLAIN_SKIPPED:
        return PLAIN_SKIPPED;
    default:
        return PLAIN_FAILED;
    }
}

/* Before or after all tests of a group; nonzero: it failed. */
typedef int plain_fixture(void** state);

static inline int plain_run(const struct CMUnitTest* tests, size_t n, plain_fixture* setup,
                            plain_fixture* teardown)
{
    static const char* const text[] = {"ok", "FAILED", "skipped"};
    int failed = 0;
    void* state = NULL;
    if (setup && setup(&state)) return (int)n;
    for (size_t i = 0; i < n; ++i) {
        int end = plain_run_one(&tests[i]);
        printf("%-8s %s\n", text[end], tests[i].name);
        fflush(stdout);
        failed += end == PLAIN_FAILED;
    }
    if (teardown && teardown(&state)) ++failed;
    return failed;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
    plain_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
    cmocka_run_group_tests(tests, setup, teardown)

#endif
