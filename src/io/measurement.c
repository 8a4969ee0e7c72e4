/* Measurements of a tribometer as CSV: a line of column names, then one line for each sample. */
#include "io/measurement.h"

#include "base/arena.h"
#include "base/env.h"
#include "io/csv_text.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/text_reader.h"
#include "io/yaml_tree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_SAMPLES INT64_C(100000000)

typedef enum quantity { ANGLE, RADIAL, TANGENTIAL, NORMAL, TIME, N_QUANTITIES } quantity;

typedef struct column {
    const char* name;
    quantity quantity;
    double unit; /* that the library counts in */
} column;

static const column columns[] = {
    {"angle_deg", ANGLE, SCREE_DEGREE}, {"angle_rad", ANGLE, 1.0}, {"f_radial", RADIAL, 1.0},
    {"f_tangential", TANGENTIAL, 1.0},  {"f_normal", NORMAL, 1.0}, {"time", TIME, 1.0},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

#define COLUMN_NAMES "angle_deg or angle_rad, f_radial, f_tangential, f_normal, time"

/* A file in the making. */
typedef struct table {
    const scree_env* env;
    const char* name;
    scri_csv text;
    int n_fields;
    const column* field[N_QUANTITIES];
    double* value[N_QUANTITIES]; /* [n], NULL where the file has no such column */
    int64_t* line;               /* [n] */
} table;

static scree_status fail(const table* t, scree_status status, const char* format, ...)
    SCRI_PRINTF(3, 4);

static scree_status fail(const table* t, scree_status status, const char* format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return scri_fail(t->env, status, "%s:%" PRId64 ": %s", t->name, t->text.line, what);
}

/* A fault that is rather in what stands between the columns; NULL if it is not. */
static const char* separator_hint(const char* text, size_t length)
{
    return memchr(text, ';', length)    ? "columns are separated by commas, not by semicolons"
           : memchr(text, '\t', length) ? "columns are separated by commas, not by tabs"
                                        : NULL;
}

/* As a message may show it. */
static scri_shown show(const char* text, size_t length)
{
    char copy[40];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 36 ? length : 36), text);
    return scri_show(copy);
}

static const column* find_column(const char* text, size_t length)
{
    for (int k = 0; k < N_COLUMNS; ++k) {
        const char* name = columns[k].name;
        if (strlen(name) == length && memcmp(name, text, length) == 0) return &columns[k];
    }
    return NULL;
}

static scree_status add_column(table* t, const char* text, size_t length)
{
    const column* c = find_column(text, length);
    const char* hint = c ? NULL : separator_hint(text, length);
    if (hint) return fail(t, SCREE_ERROR_FORMAT, "%s; numbers have a decimal point", hint);
    if (!c) {
        return fail(t, SCREE_ERROR_FORMAT, "unknown column '%s'; columns are %s",
                    show(text, length).text, COLUMN_NAMES);
    }
    for (int k = 0; k < t->n_fields; ++k) {
        if (t->field[k]->quantity != c->quantity) continue;
        return fail(t, SCREE_ERROR_FORMAT, "column '%s' comes after '%s', which says the same",
                    c->name, t->field[k]->name);
    }
    t->field[t->n_fields++] = c;
    return SCREE_OK;
}

static scree_status read_names(table* t)
{
    static const char* const needed[] = {
        [ANGLE] = "angle_deg", [RADIAL] = "f_radial", [TANGENTIAL] = "f_tangential"};
    bool has[N_QUANTITIES] = {false};
    const char* text;
    size_t length;
    if (!scri_csv_next_line(&t->text)) {
        return scri_fail(t->env, SCREE_ERROR_FORMAT, "%s: the file is empty", t->name);
    }
    while (scri_csv_take(&t->text, &text, &length)) {
        scree_status status = add_column(t, text, length);
        if (status) return status;
        has[t->field[t->n_fields - 1]->quantity] = true;
    }
    for (int k = ANGLE; k <= TANGENTIAL; ++k) {
        if (has[k]) continue;
        return fail(t, SCREE_ERROR_FORMAT, "column '%s' is missing; columns are %s", needed[k],
                    COLUMN_NAMES);
    }
    return SCREE_OK;
}

static scree_status read_sample(table* t, int64_t i)
{
    const char* text;
    size_t length;
    int n = scri_csv_count_fields(&t->text);
    if (n != t->n_fields) {
        const char* hint =
            separator_hint(t->text.field, (size_t)(t->text.line_end - t->text.field));
        if (!hint && n == 2 * t->n_fields) {
            hint = "a comma separates columns, and is no decimal point";
        }
        return fail(t, SCREE_ERROR_FORMAT, "%d field%s, where the first line names %d columns%s%s",
                    n, n == 1 ? "" : "s", t->n_fields, hint ? "; " : "", hint ? hint : "");
    }
    for (int k = 0; k < n && scri_csv_take(&t->text, &text, &length); ++k) {
        const column* c = t->field[k];
        double value;
        scri_number_kind kind = scri_number_parse(text, length, &value);
        if (kind != SCRI_NUMBER_OK) {
            return fail(t, SCREE_ERROR_INPUT, "%s is '%s', which is not a %snumber", c->name,
                        show(text, length).text, kind == SCRI_NUMBER_NOT_FINITE ? "finite " : "");
        }
        t->value[c->quantity][i] = value * c->unit;
    }
    t->line[i] = t->text.line;
    return SCREE_OK;
}

static scree_status allocate(table* t, scri_arena* arena, int64_t n)
{
    t->line = scri_arena_take(arena, (size_t)n, sizeof *t->line);
    if (!t->line) return SCREE_ERROR_MEMORY;
    for (int k = 0; k < t->n_fields; ++k) {
        double* values = scri_arena_take(arena, (size_t)n, sizeof *values);
        if (!values) return SCREE_ERROR_MEMORY;
        t->value[t->field[k]->quantity] = values;
    }
    return SCREE_OK;
}

static scree_status read_table(table* t, scri_arena* arena, scree_measurement* out)
{
    scree_status status = read_names(t);
    if (status) return status;
    int64_t n = scri_csv_count_lines(t->text);
    if (n == 0) return fail(t, SCREE_ERROR_FORMAT, "no samples follow the names of the columns");
    if (n > MAX_SAMPLES) {
        return fail(t, SCREE_ERROR_FORMAT, "more than %" PRId64 " samples follow", MAX_SAMPLES);
    }
    status = allocate(t, arena, n);
    for (int64_t i = 0; i < n && !status; ++i) {
        scri_csv_next_line(&t->text);
        status = read_sample(t, i);
    }
    size_t size = strlen(t->name) + 1;
    char* name = status ? NULL : scri_arena_take(arena, size, 1);
    if (!status && !name) status = SCREE_ERROR_MEMORY;
    if (status) return status;
    memcpy(name, t->name, size);
    *out = (scree_measurement){.n = n,
                               .angle = t->value[ANGLE],
                               .radial = t->value[RADIAL],
                               .tangential = t->value[TANGENTIAL],
                               .normal = t->value[NORMAL],
                               .line = t->line,
                               .name = name,
                               .memory = arena};
    return SCREE_OK;
}

scree_status scri_measurement_parse(const scree_env* env, const char* name, const char* bytes,
                                    size_t size, scree_measurement* out)
{
    *out = (scree_measurement){0};
    table t = {.env = env, .name = name, .text = scri_csv_open(bytes, size)};
    scri_arena* arena = scri_arena_create(env);
    scree_status status = arena ? read_table(&t, arena, out) : SCREE_ERROR_MEMORY;
    if (status) scri_arena_destroy(arena);
    return status;
}

scree_status scree_measurement_read(const scree_env* env, const char* path, scree_measurement* out)
{
    if (!path || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or no place");
    char* bytes;
    size_t size;
    scri_file_env file_env;
    *out = (scree_measurement){0};
    scri_file_env_begin(env, path, &file_env);
    scree_status status = scri_file_read(&file_env.env, path, &bytes, &size);
    if (!status) {
        /* What it keeps must not need the environment of this call. */
        status = scri_measurement_parse(env, path, bytes, size, out);
        scri_release(&file_env.env, bytes);
    }
    return scri_file_env_end(&file_env, status);
}

static void write_number(FILE* stream, double value, char end)
{
    char text[SCRI_NUMBER_SIZE];
    fputs(scri_number_shorten(value, 12, text), stream);
    fputc(end, stream);
}

scree_status scree_measurement_write(const scree_env* env, const char* path,
                                     const scree_measurement* measurement)
{
    if (!path || !measurement) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or nothing to write");
    }
    const scree_measurement* m = measurement;
    scri_output out;
    scri_file_env file_env;
    scri_file_env_begin(env, path, &file_env);
    scree_status status = scri_output_begin(&file_env.env, path, &out);
    if (!status) {
        fprintf(out.stream, "angle_deg,f_radial,f_tangential%s\n", m->normal ? ",f_normal" : "");
        for (int64_t i = 0; i < m->n; ++i) {
            write_number(out.stream, m->angle[i] / SCREE_DEGREE, ',');
            write_number(out.stream, m->radial[i], ',');
            write_number(out.stream, m->tangential[i], m->normal ? ',' : '\n');
            if (m->normal) write_number(out.stream, m->normal[i], '\n');
        }
        status = scri_output_end(&out, SCREE_OK);
    }
    return scri_file_env_end(&file_env, status);
}

scree_status scree_crosstalk_read(const scree_env* env, const char* path, double matrix[9])
{
    char* bytes;
    size_t size;
    scri_file_env file_env;
    scri_file_env_begin(env, path, &file_env);
    scree_status status = scri_file_read(&file_env.env, path, &bytes, &size);
    if (!status) {
        scri_text text = scri_text_open(&file_env.env, path, bytes, size);
        text.comments = true;
        status = scri_text_numbers(&text, "the crosstalk matrix, 9 numbers,", 9, matrix);
        if (!status) status = scri_text_finish(&text);
        scri_release(&file_env.env, bytes);
    }
    return scri_file_env_end(&file_env, status);
}
