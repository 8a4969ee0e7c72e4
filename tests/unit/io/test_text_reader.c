#include "io/text_reader.h"
#include "unit/io/io_support.h"

static scri_text open_text(const scree_env* env, const char* bytes)
{
    return scri_text_open(env, "file", bytes, strlen(bytes));
}

static void tokens_know_their_lines(void** state)
{
    (void)state;
    scri_text text = open_text(NULL, "\n a\tbc \r\n\n d");
    static const int lines[] = {2, 2, 4};
    static const char* const words[] = {"a", "bc", "d"};
    for (int k = 0; k < 3; ++k) {
        assert_true(scri_text_next(&text));
        assert_true(scri_text_is(&text, words[k]));
        assert_int_equal(text.token_line, lines[k]);
    }
    assert_false(scri_text_next(&text));
    assert_false(scri_text_next(&text));
}

static void comments_are_skipped_when_asked_for(void** state)
{
    (void)state;
    scri_text text = open_text(NULL, "1 # 2\n#3\n4#5");
    assert_int_equal(scri_text_tokens_left(&text), 5);
    text.comments = true;
    assert_int_equal(scri_text_tokens_left(&text), 2);
    double value[2];
    assert_int_equal(scri_text_numbers(&text, "x", 2, value), SCREE_OK);
    assert_true(value[0] == 1.0 && value[1] == 4.0);
    assert_int_equal(text.token_line, 3);
}

static void integers_are_checked(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    int32_t value = 7;
    static const struct {
        const char *text, *said;
    } table[] = {
        {"12", "file:1: n is 12, outside 0 to 10"},
        {"-1", "file:1: n is -1, outside 0 to 10"},
        {"99999999999999999999999", "outside 0 to 10"},
        {"1.0", "file:1: found '1.0' where n is expected"},
        {"1x", "found '1x'"},
        {"-", "found '-'"},
        {"\n\n", "file:3: the file ends where n is expected"},
        {"abcdefghijklmnopqrstuvwxyz0123", "found 'abcdefghijklmnopqrstuvwx...'"},
        {"\x01\xff", "found '?"
                     "?'"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        scri_text text = open_text(&env, table[k].text);
        log.count = 0;
        assert_int_equal(scri_text_integer(&text, "n", 0, 10, &value), SCREE_ERROR_FORMAT);
        io_assert_said(&log, table[k].said);
        assert_int_equal(value, 7);
    }
    scri_text text = open_text(&env, "+5 -2147483648");
    assert_int_equal(scri_text_integer(&text, "n", 0, 10, &value), SCREE_OK);
    assert_int_equal(value, 5);
    assert_int_equal(scri_text_integer(&text, "n", INT32_MIN, INT32_MAX, &value), SCREE_OK);
    assert_int_equal(value, INT32_MIN);
}

static void numbers_are_checked(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    double value[3];
    scri_text text = open_text(&env, "1\n2\ninf");
    assert_int_equal(scri_text_numbers(&text, "x", 3, value), SCREE_ERROR_INPUT);
    io_assert_said(&log, "file:3: x holds inf, which is not a finite number");
    text = open_text(&env, "1 2 three");
    log.count = 0;
    assert_int_equal(scri_text_numbers(&text, "x", 3, value), SCREE_ERROR_FORMAT);
    io_assert_said(&log, "file:1: found 'three' where x is expected");
    text = open_text(&env, "1 2");
    log.count = 0;
    assert_int_equal(scri_text_numbers(&text, "x", 3, value), SCREE_ERROR_FORMAT);
    io_assert_said(&log, "file:1: the file ends where x is expected");
}

static void room_is_counted_in_bytes(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scri_text text = open_text(&env, "1 2 3");
    assert_int_equal(scri_text_room(&text, "x", 3), SCREE_OK);
    assert_int_equal(scri_text_room(&text, "x", INT64_MAX), SCREE_ERROR_FORMAT);
    io_assert_said(&log, "file:1: x needs 9223372036854775807 more entries");
    log.count = 0;
    assert_int_equal(scri_text_room(&text, "x", 4), SCREE_ERROR_FORMAT);
    io_assert_said(&log, "too short");
}

static void lines_are_skipped(void** state)
{
    (void)state;
    io_log log;
    scree_env env = io_env(&log);
    scri_text text = open_text(&env, "1 rest\nfree text\n2 end");
    int32_t value = 0;
    assert_int_equal(scri_text_integer(&text, "n", 0, 9, &value), SCREE_OK);
    scri_text_skip_line(&text);
    scri_text_skip_line(&text);
    assert_int_equal(scri_text_integer(&text, "n", 0, 9, &value), SCREE_OK);
    assert_int_equal(value, 2);
    assert_int_equal(scri_text_finish(&text), SCREE_ERROR_FORMAT);
    io_assert_said(&log, "file:3: found 'end' where the end of the file is expected");
    scri_text_skip_line(&text);
    scri_text_skip_line(&text);
    assert_int_equal(scri_text_finish(&text), SCREE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_know_their_lines),
        cmocka_unit_test(comments_are_skipped_when_asked_for),
        cmocka_unit_test(integers_are_checked),
        cmocka_unit_test(numbers_are_checked),
        cmocka_unit_test(room_is_counted_in_bytes),
        cmocka_unit_test(lines_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
