/* CSV files as tables of numbers. */
#include "io/table_file.h"

#include "base/arena.h"
#include "base/env.h"
#include "io/csv_text.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/scene_suggest.h"
#include "io/yaml_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 256, WORD_SIZE = 40 };

typedef struct reader {
    const scree_env* env;
    const scree_table_def* def;
    const char* path;
    scri_csv text;
    int n_fields;
    int column[MOST_FIELDS]; /* of the def that a field is; -1: none */
} reader;

static scree_status fail(const reader* r, const char* format, ...) SCRI_PRINTF(2, 3);

static scree_status fail(const reader* r, const char* format, ...)
{
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return scri_fail(r->env, SCREE_ERROR_INPUT, "%s:%" PRId64 ": %s", r->path, r->text.line, what);
}

/* A field as text, cut where it is too long to be anything. */
static void copy(const char* text, size_t length, char out[WORD_SIZE])
{
    snprintf(out, WORD_SIZE, "%.*s", (int)(length < WORD_SIZE ? length : WORD_SIZE - 1), text);
}

/* ---- names ---- */

/* Whether a field of the line is a number: then it has no names. */
static bool has_number(scri_csv line)
{
    const char* text;
    size_t length;
    double unused;
    while (scri_csv_take(&line, &text, &length)) {
        if (scri_number_parse(text, length, &unused) != SCRI_NUMBER_MALFORMED) return true;
    }
    return false;
}

static scree_status find_column(const reader* r, const char* word, int* out)
{
    scri_nearest nearest = scri_nearest_begin(word);
    *out = -1;
    for (int k = 0; k < r->def->n_columns; ++k) {
        if (strcmp(word, r->def->columns[k]) == 0) {
            *out = k;
            return SCREE_OK;
        }
        scri_nearest_consider(&nearest, r->def->columns[k]);
    }
    if (r->def->others) return SCREE_OK;
    return fail(r, "unknown column '%s'; %s", scri_show(word).text,
                scri_nearest_hint(&nearest, "known are", "").text);
}

static scree_status read_names(reader* r)
{
    scri_csv line = r->text;
    const char* text;
    size_t length;
    for (int k = 0; k < r->n_fields && scri_csv_take(&line, &text, &length); ++k) {
        char word[WORD_SIZE];
        copy(text, length, word);
        scree_status status = find_column(r, word, &r->column[k]);
        if (status) return status;
        for (int before = 0; before < k; ++before) {
            if (r->column[k] < 0 || r->column[before] != r->column[k]) continue;
            return fail(r, "two columns are called '%s'", scri_show(word).text);
        }
    }
    return SCREE_OK;
}

/* The line of names, where there is one; `text` then stands before the first row. */
static scree_status read_head(reader* r)
{
    scri_csv before = r->text;
    if (!scri_csv_next_line(&r->text)) return fail(r, "the table is empty");
    r->n_fields = scri_csv_count_fields(&r->text);
    if (r->n_fields > MOST_FIELDS) return fail(r, "more than %d columns", (int)MOST_FIELDS);
    scree_status status = SCREE_OK;
    if (has_number(r->text)) {
        for (int k = 0; k < r->n_fields; ++k) r->column[k] = k < r->def->n_columns ? k : -1;
        if (r->n_fields > r->def->n_columns && !r->def->others) {
            return fail(r, "%d numbers, and no line of names", r->n_fields);
        }
        r->text = before;
    } else {
        status = read_names(r);
    }
    for (int k = 0; k < r->def->n_needed && !status; ++k) {
        bool found = false;
        for (int f = 0; f < r->n_fields; ++f) found |= r->column[f] == k;
        if (!found) return fail(r, "column '%s' is missing", r->def->columns[k]);
    }
    return status;
}

/* ---- rows ---- */

static scree_status read_row(reader* r, double* out)
{
    const char* text;
    size_t length;
    int n = scri_csv_count_fields(&r->text);
    if (n != r->n_fields) return fail(r, "%d columns instead of %d", n, r->n_fields);
    for (int k = 0; k < r->def->n_columns; ++k) out[k] = (double)NAN;
    for (int k = 0; k < n && scri_csv_take(&r->text, &text, &length); ++k) {
        if (r->column[k] < 0) continue;
        if (scri_number_parse(text, length, &out[r->column[k]]) == SCRI_NUMBER_OK) continue;
        char word[WORD_SIZE];
        copy(text, length, word);
        return fail(r, "'%s' is not a number (column '%s')", scri_show(word).text,
                    r->def->columns[r->column[k]]);
    }
    return SCREE_OK;
}

static scree_status read_rows(reader* r, scree_table* out)
{
    size_t columns = (size_t)r->def->n_columns;
    int64_t n = scri_csv_count_lines(r->text);
    if (n == 0) return fail(r, "no numbers follow the names of the columns");
    out->values = scri_alloc(&out->env, (size_t)n * columns * sizeof *out->values);
    out->line = scri_alloc(&out->env, (size_t)n * sizeof *out->line);
    if (!out->values || !out->line) return SCREE_ERROR_MEMORY;
    out->n_columns = r->def->n_columns;
    for (; out->n < n; ++out->n) {
        scri_csv_next_line(&r->text);
        scree_status status = read_row(r, out->values + (size_t)out->n * columns);
        if (status) return status;
        out->line[out->n] = r->text.line;
    }
    return SCREE_OK;
}

void scree_table_release(scree_table* table)
{
    if (!table) return;
    scri_release(&table->env, table->values);
    scri_release(&table->env, table->line);
    *table = (scree_table){.env = table->env};
}

scree_status scri_table_parse(const scree_env* env, const char* name, const char* bytes,
                              size_t size, const scree_table_def* def, scree_table* out)
{
    reader r = {.env = env, .def = def, .path = name, .text = scri_csv_open(bytes, size)};
    *out = (scree_table){.env = env ? *env : (scree_env){0}};
    scree_status status = read_head(&r);
    if (!status) status = read_rows(&r, out);
    if (status) scree_table_release(out);
    return status;
}

scree_status scree_table_read(const scree_env* env, const char* path, const scree_table_def* def,
                              scree_table* out)
{
    if (!path || !def || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or no place");
    *out = (scree_table){.env = env ? *env : (scree_env){0}};
    char* bytes = NULL;
    size_t size = 0;
    scri_file_env file;
    scri_file_env_begin(env, path, &file);
    scree_status status = scri_file_read(&file.env, path, &bytes, &size);
    if (!status) status = scri_table_parse(&file.env, path, bytes, size, def, out);
    scri_release(&file.env, bytes);
    out->env = env ? *env : (scree_env){0}; /* that of the file ends here */
    return scri_file_env_end(&file, status);
}
