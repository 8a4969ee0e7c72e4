#include "io/number_text.h"
#include "unit/io/io_support.h"

#include <locale.h>
#include <math.h>

static scri_number_kind parse(const char* text, double* out)
{
    return scri_number_parse(text, strlen(text), out);
}

static void decimal_numbers_are_read(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double value;
    } table[] = {
        {"0", 0.0},         {"1", 1.0},
        {"+1", 1.0},        {"-1.5", -1.5},
        {".5", 0.5},        {"5.", 5.0},
        {"1e3", 1000.0},    {"1E+3", 1000.0},
        {"-2.5e-1", -0.25}, {"0.1", 0.1},
        {"1e-400", 0.0},    {"4.9406564584124654e-324", 0x1p-1074},
        {"000001", 1.0},    {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        double value = NAN;
        assert_int_equal(parse(table[k].text, &value), SCRI_NUMBER_OK);
        assert_memory_equal(&value, &table[k].value, sizeof value);
    }
    double zero = 1.0;
    assert_int_equal(parse("-0", &zero), SCRI_NUMBER_OK);
    assert_true(zero == 0.0 && signbit(zero));
}

static void other_words_are_refused(void** state)
{
    (void)state;
    static const char* const table[] = {"",      "+",   "-",    ".",    "e5",    "1e",  "1e+",
                                        "1.2.3", "1,5", "0x10", "1.0f", "1 2",   "--1", "1-2",
                                        "abc",   "+-1", "1d3",  "1e3.", "1_000", "i",   "na"};
    double value;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k)
        assert_int_equal(parse(table[k], &value), SCRI_NUMBER_MALFORMED);
    char longest[SCRI_NUMBER_LENGTH + 2];
    memset(longest, '1', sizeof longest);
    assert_int_equal(scri_number_parse(longest, SCRI_NUMBER_LENGTH, &value), SCRI_NUMBER_OK);
    assert_int_equal(scri_number_parse(longest, SCRI_NUMBER_LENGTH + 1, &value),
                     SCRI_NUMBER_MALFORMED);
}

static void what_is_not_finite_is_told_apart(void** state)
{
    (void)state;
    static const char* const table[] = {"nan",  "NaN",       "-nan",  "nan(0x1)", "inf",
                                        "-Inf", "+INFINITY", "1e309", "-1e309"};
    double value;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k)
        assert_int_equal(parse(table[k], &value), SCRI_NUMBER_NOT_FINITE);
}

static void text_beyond_the_length_is_not_touched(void** state)
{
    (void)state;
    double value = 0.0;
    assert_int_equal(scri_number_parse("12345", 2, &value), SCRI_NUMBER_OK);
    assert_true(value == 12.0);
    assert_int_equal(scri_number_parse("1.5e7", 3, &value), SCRI_NUMBER_OK);
    assert_true(value == 1.5);
}

static void check_there_and_back(double value)
{
    char text[SCRI_NUMBER_SIZE];
    double again = 0.0;
    int n = scri_number_print(value, text);
    assert_int_equal(n, strlen(text));
    assert_null(strchr(text, ','));
    assert_int_equal(parse(text, &again), SCRI_NUMBER_OK);
    assert_memory_equal(&value, &again, sizeof value);
}

static void printed_numbers_give_back_every_bit(void** state)
{
    (void)state;
    io_random random = io_seed("number_text", 20240911);
    for (int k = 0; k < 200000; ++k) check_there_and_back(io_any_double(&random));
    check_there_and_back(0.0);
    check_there_and_back(-0.0);
    check_there_and_back(-0x1.fffffffffffffp1023);
}

/* A host may have chosen a locale that writes a comma. */
static void the_locale_changes_nothing(void** state)
{
    (void)state;
    static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    const char* chosen = NULL;
    for (size_t k = 0; k < sizeof names / sizeof names[0] && !chosen; ++k)
        chosen = setlocale(LC_NUMERIC, names[k]);
    if (!chosen) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    check_there_and_back(-1.25e-17);
    double value = 0.0;
    assert_int_equal(parse("2.5", &value), SCRI_NUMBER_OK);
    assert_true(value == 2.5);
    assert_int_equal(parse("2,5", &value), SCRI_NUMBER_MALFORMED);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_numbers_are_read),
        cmocka_unit_test(other_words_are_refused),
        cmocka_unit_test(what_is_not_finite_is_told_apart),
        cmocka_unit_test(text_beyond_the_length_is_not_touched),
        cmocka_unit_test(printed_numbers_give_back_every_bit),
        cmocka_unit_test(the_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
