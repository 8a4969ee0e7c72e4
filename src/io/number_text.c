#include "io/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char* text, size_t length, size_t at)
{
    while (at < length && is_digit(text[at])) ++at;
    return at;
}

static size_t skip_sign(const char* text, size_t length, size_t at)
{
    return at < length && (text[at] == '+' || text[at] == '-') ? at + 1 : at;
}

/* Whether text is sign, digits, point, digits, exponent. *point is where the point stands, or
 * `length` if there is none. */
static bool is_decimal(const char* text, size_t length, size_t* point)
{
    size_t begin = skip_sign(text, length, 0);
    size_t at = skip_digits(text, length, begin);
    size_t n_digits = at - begin;
    *point = length;
    if (at < length && text[at] == '.') {
        *point = at;
        size_t end = skip_digits(text, length, at + 1);
        n_digits += end - at - 1;
        at = end;
    }
    if (n_digits == 0) return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        begin = skip_sign(text, length, at + 1);
        at = skip_digits(text, length, begin);
        if (at == begin) return false;
    }
    return at == length;
}

/* nan, -nan(0x1), inf, Infinity: words that printf writes for what is no number. */
static bool is_not_finite_word(const char* text, size_t length)
{
    size_t at = skip_sign(text, length, 0);
    if (length - at < 3) return false;
    char word[3];
    for (size_t k = 0; k < 3; ++k) {
        char c = text[at + k];
        word[k] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return memcmp(word, "nan", 3) == 0 || memcmp(word, "inf", 3) == 0;
}

/* The text between the digits of 1.5 in the locale of this moment; never longer than a few bytes.
 * Asking printf is safe in a program with threads, which localeconv() is not. */
static size_t decimal_point(char out[16])
{
    char sample[16];
    int n = snprintf(sample, sizeof sample, "%.1f", 1.5);
    size_t length = n > 2 && n < (int)sizeof sample ? (size_t)n - 2 : 0;
    memcpy(out, sample + 1, length);
    return length;
}

/* text[length] as strtod sees it, with `point` replaced by what the locale writes there. */
static bool parse_in_locale(const char* text, size_t length, size_t point, double* out)
{
    char local[SCRI_NUMBER_LENGTH + 17];
    memcpy(local, text, point);
    size_t n = point + decimal_point(local + point);
    memcpy(local + n, text + point + 1, length - point - 1);
    n += length - point - 1;
    local[n] = '\0';
    char* end;
    *out = strtod(local, &end);
    return end == local + n;
}

scri_number_kind scri_number_parse(const char* text, size_t length, double* out)
{
    size_t point;
    if (length > SCRI_NUMBER_LENGTH || !is_decimal(text, length, &point)) {
        return is_not_finite_word(text, length) ? SCRI_NUMBER_NOT_FINITE : SCRI_NUMBER_MALFORMED;
    }
    char copy[SCRI_NUMBER_LENGTH + 1];
    memcpy(copy, text, length);
    copy[length] = '\0';
    char* end;
    *out = strtod(copy, &end);
    if (end != copy + length && !(point < length && parse_in_locale(text, length, point, out))) {
        return SCRI_NUMBER_MALFORMED;
    }
    return isfinite(*out) ? SCRI_NUMBER_OK : SCRI_NUMBER_NOT_FINITE;
}

int scri_number_print(double value, char out[SCRI_NUMBER_SIZE])
{
    char local[48];
    snprintf(local, sizeof local, "%.16e", value);
    const char* exponent = strchr(local, 'e');
    if (!exponent) return snprintf(out, SCRI_NUMBER_SIZE, "%.30s", local);
    const char* digits = exponent - 16;
    const char* lead = local[0] == '-' ? local + 1 : local;
    return snprintf(out, SCRI_NUMBER_SIZE, "%s%c.%.16s%s", local[0] == '-' ? "-" : "", *lead,
                    digits, exponent);
}

const char* scri_number_shorten(double value, int digits, char out[SCRI_NUMBER_SIZE])
{
    char local[48], point[17];
    snprintf(local, sizeof local, "%.*g", digits, value);
    size_t n = decimal_point(point);
    point[n] = '\0';
    const char* at = n ? strstr(local, point) : NULL;
    if (at) {
        snprintf(out, SCRI_NUMBER_SIZE, "%.*s.%.24s", (int)(at - local), local, at + n);
    } else {
        snprintf(out, SCRI_NUMBER_SIZE, "%.30s", local);
    }
    return out;
}
