#include "io/text_reader.h"

#include "base/env.h"
#include "io/number_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* As much of a token as a message shows. */
enum { SHOWN_LENGTH = 24 };

scri_text scri_text_open(const scree_env* env, const char* name, const char* bytes, size_t size)
{
    return (scri_text){.env = env,
                       .name = name,
                       .at = bytes,
                       .end = bytes + size,
                       .line = 1,
                       .token = bytes,
                       .token_line = 1};
}

scree_status scri_text_fail(const scri_text* text, scree_status status, const char* format, ...)
{
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return scri_fail(text->env, status, "%s:%" PRId64 ": %s", text->name, text->token_line, what);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(scri_text* text)
{
    while (text->at < text->end) {
        if (*text->at == '\n') ++text->line;
        if (text->comments && *text->at == '#') {
            while (text->at < text->end && *text->at != '\n') ++text->at;
        } else if (is_space(*text->at)) {
            ++text->at;
        } else {
            return;
        }
    }
}

bool scri_text_next(scri_text* text)
{
    skip_space(text);
    text->token = text->at;
    text->token_line = text->line;
    while (text->at < text->end && !is_space(*text->at) && !(text->comments && *text->at == '#')) {
        ++text->at;
    }
    text->length = (size_t)(text->at - text->token);
    return text->length > 0;
}

static scree_status fail_at_end(const scri_text* text, const char* what)
{
    return scri_text_fail(text, SCREE_ERROR_FORMAT, "the file ends where %s is expected", what);
}

/* The token as a message may show it: short, and printable. */
static const char* shown(const scri_text* text, char out[SHOWN_LENGTH + 4])
{
    size_t n = text->length < SHOWN_LENGTH ? text->length : SHOWN_LENGTH;
    for (size_t k = 0; k < n; ++k) {
        char c = text->token[k];
        out[k] = (char)(c > ' ' && c <= '~' ? c : '?');
    }
    memcpy(out + n, n < text->length ? "..." : "", n < text->length ? 4 : 1);
    return out;
}

static scree_status fail_unexpected(const scri_text* text, const char* what)
{
    char token[SHOWN_LENGTH + 4];
    return scri_text_fail(text, SCREE_ERROR_FORMAT, "found '%s' where %s is expected",
                          shown(text, token), what);
}

bool scri_text_is(const scri_text* text, const char* word)
{
    size_t n = strlen(word);
    return text->length == n && memcmp(text->token, word, n) == 0;
}

bool scri_text_is_integer(const scri_text* text, int64_t* value)
{
    bool negative = text->length > 0 && text->token[0] == '-';
    size_t k = negative || (text->length > 0 && text->token[0] == '+') ? 1 : 0;
    if (k == text->length) return false;
    int64_t sum = 0;
    for (; k < text->length; ++k) {
        if (text->token[k] < '0' || text->token[k] > '9') return false;
        if (sum <= INT64_MAX / 10 - 1) {
            sum = 10 * sum + (text->token[k] - '0');
        } else {
            sum = INT64_MAX; /* beyond every limit a caller sets */
        }
    }
    *value = negative ? -sum : sum;
    return true;
}

static scree_status fail_range(const scri_text* text, const char* what, int64_t low, int64_t high)
{
    char token[SHOWN_LENGTH + 4];
    if (low == high) {
        return scri_text_fail(text, SCREE_ERROR_FORMAT, "%s is %s, not %" PRId64, what,
                              shown(text, token), low);
    }
    return scri_text_fail(text, SCREE_ERROR_FORMAT, "%s is %s, outside %" PRId64 " to %" PRId64,
                          what, shown(text, token), low, high);
}

scree_status scri_text_integer(scri_text* text, const char* what, int64_t low, int64_t high,
                               int32_t* out)
{
    int64_t value;
    if (!scri_text_next(text)) return fail_at_end(text, what);
    if (!scri_text_is_integer(text, &value)) return fail_unexpected(text, what);
    if (value < low || value > high) return fail_range(text, what, low, high);
    *out = (int32_t)value;
    return SCREE_OK;
}

static scree_status read_number(scri_text* text, const char* what, double* out)
{
    if (!scri_text_next(text)) return fail_at_end(text, what);
    scri_number_kind kind = scri_number_parse(text->token, text->length, out);
    if (kind == SCRI_NUMBER_OK) return SCREE_OK;
    if (kind == SCRI_NUMBER_MALFORMED) return fail_unexpected(text, what);
    char token[SHOWN_LENGTH + 4];
    return scri_text_fail(text, SCREE_ERROR_INPUT, "%s holds %s, which is not a finite number",
                          what, shown(text, token));
}

scree_status scri_text_numbers(scri_text* text, const char* what, int64_t count, double* out)
{
    for (int64_t k = 0; k < count; ++k) {
        scree_status status = read_number(text, what, &out[k]);
        if (status) return status;
    }
    return SCREE_OK;
}

scree_status scri_text_word(scri_text* text, const char* word)
{
    char what[64];
    snprintf(what, sizeof what, "the word '%s'", word);
    if (!scri_text_next(text)) return fail_at_end(text, what);
    return scri_text_is(text, word) ? SCREE_OK : fail_unexpected(text, what);
}

scree_status scri_text_room(const scri_text* text, const char* what, int64_t count)
{
    /* A token takes at least one character and, but for the last, one of white space. */
    int64_t room = (text->end - text->at) / 2 + 1;
    if (count <= room) return SCREE_OK;
    return scri_text_fail(text, SCREE_ERROR_FORMAT,
                          "%s needs %" PRId64 " more entries, but the file is too short for them",
                          what, count);
}

void scri_text_skip_line(scri_text* text)
{
    while (text->at < text->end && *text->at != '\n') ++text->at;
    if (text->at == text->end) return;
    ++text->at;
    ++text->line;
}

int64_t scri_text_tokens_left(const scri_text* text)
{
    scri_text ahead = *text;
    int64_t count = 0;
    while (scri_text_next(&ahead)) ++count;
    return count;
}

scree_status scri_text_finish(scri_text* text)
{
    return scri_text_next(text) ? fail_unexpected(text, "the end of the file") : SCREE_OK;
}
