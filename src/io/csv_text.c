#include "io/csv_text.h"

#include <string.h>

scri_csv scri_csv_open(const char* bytes, size_t size)
{
    static const char mark[3] = {'\xEF', '\xBB',
                                 '\xBF'}; /* of byte order, as spreadsheets write it */
    size_t skip = size >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0 ? sizeof mark : 0;
    return (scri_csv){.at = bytes + skip, .end = bytes + size};
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char** begin, const char** end)
{
    while (*begin < *end && is_space(**begin)) ++*begin;
    while (*begin < *end && is_space((*end)[-1])) --*end;
}

bool scri_csv_next_line(scri_csv* csv)
{
    while (csv->at < csv->end) {
        size_t left = (size_t)(csv->end - csv->at);
        const char* newline = memchr(csv->at, '\n', left);
        const char* end = newline ? newline : csv->end;
        const char* comment = memchr(csv->at, '#', (size_t)(end - csv->at));
        csv->field = csv->at;
        csv->line_end = comment ? comment : end;
        csv->at = newline ? newline + 1 : csv->end;
        ++csv->line;
        trim(&csv->field, &csv->line_end);
        if (csv->field < csv->line_end) return true;
    }
    csv->field = NULL;
    return false;
}

int64_t scri_csv_count_lines(scri_csv csv)
{
    int64_t n = 0;
    while (scri_csv_next_line(&csv)) ++n;
    return n;
}

int scri_csv_count_fields(const scri_csv* csv)
{
    int n = csv->field ? 1 : 0;
    for (const char* p = csv->field; p && p < csv->line_end; ++p) n += *p == ',';
    return n;
}

bool scri_csv_take(scri_csv* csv, const char** text, size_t* length)
{
    if (!csv->field) return false;
    const char* begin = csv->field;
    const char* comma = memchr(begin, ',', (size_t)(csv->line_end - begin));
    const char* end = comma ? comma : csv->line_end;
    csv->field = comma ? comma + 1 : NULL;
    trim(&begin, &end);
    if (end - begin >= 2 && *begin == '"' && end[-1] == '"') {
        ++begin;
        --end;
    }
    *text = begin;
    *length = (size_t)(end - begin);
    return true;
}
