/* Places from a CSV file: x,y,z (m) in each line, '#' comments, perhaps a line of titles. */
#include "base/env.h"
#include "io/number_text.h"
#include "io/scene_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_PLACES INT64_C(100000000)

typedef struct csv {
    scri_reader* r;
    const char* path;
    const char *at, *end; /* not yet read */
    int64_t line;
    const char *field, *line_end; /* of the current line, comment and white space cut off */
} csv;

static void fail(const csv* c, const char* format, ...) SCRI_PRINTF(2, 3);

static void fail(const csv* c, const char* format, ...)
{
    if (c->r->status) return;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    c->r->status = scri_fail(c->r->source.env, SCREE_ERROR_INPUT, "%s:%" PRId64 ": %s", c->path,
                             c->line, what);
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

/* The next line that holds something; false at the end. */
static bool next_line(csv* c)
{
    while (c->at < c->end) {
        size_t left = (size_t)(c->end - c->at);
        const char* newline = memchr(c->at, '\n', left);
        const char* end = newline ? newline : c->end;
        const char* comment = memchr(c->at, '#', (size_t)(end - c->at));
        c->field = c->at;
        c->line_end = comment ? comment : end;
        c->at = newline ? newline + 1 : c->end;
        ++c->line;
        trim(&c->field, &c->line_end);
        if (c->field < c->line_end) return true;
    }
    return false;
}

static int64_t count_lines(csv c)
{
    int64_t n = 0;
    while (next_line(&c)) ++n;
    return n;
}

static const char* field_end(const csv* c)
{
    const char* comma = memchr(c->field, ',', (size_t)(c->line_end - c->field));
    return comma ? comma : c->line_end;
}

static scri_number_kind parse_field(const csv* c, double* value)
{
    const char *begin = c->field, *end = field_end(c);
    trim(&begin, &end);
    return scri_number_parse(begin, (size_t)(end - begin), value);
}

/* Whether no field of the line is a number. */
static bool is_title(csv c)
{
    for (;;) {
        double unused;
        if (parse_field(&c, &unused) != SCRI_NUMBER_MALFORMED) return false;
        const char* end = field_end(&c);
        if (end == c.line_end) return true;
        c.field = end + 1;
    }
}

static int count_fields(const csv* c)
{
    int n = 1;
    for (const char* p = c->field; p < c->line_end; ++p) n += *p == ',';
    return n;
}

static void read_line(csv* c, double place[3])
{
    static const char axis[] = "xyz";
    int n = count_fields(c);
    if (n != 3) {
        fail(c, "%d column%s, where x,y,z are expected", n, n == 1 ? "" : "s");
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const char* end = field_end(c);
        scri_number_kind kind = parse_field(c, &place[k]);
        int length = (int)(end - c->field < 30 ? end - c->field : 30);
        if (kind != SCRI_NUMBER_OK) {
            char shown[32];
            snprintf(shown, sizeof shown, "%.*s", length, c->field);
            fail(c, "%c is '%s', which is not a %snumber", axis[k], scri_show(shown).text,
                 kind == SCRI_NUMBER_NOT_FINITE ? "finite " : "");
            return;
        }
        c->field = end + 1;
    }
}

static void read_lines(csv* c, scri_generator* out)
{
    int64_t most = count_lines(*c), n = 0;
    if (most > MAX_PLACES) {
        fail(c, "more than %" PRId64 " lines", MAX_PLACES);
        return;
    }
    double* place = scri_reader_take(c->r, 3 * (size_t)most, sizeof *place);
    bool is_first = true;
    while (!c->r->status && next_line(c)) {
        if (!(is_first && is_title(*c))) read_line(c, place + 3 * n++);
        is_first = false;
    }
    if (n == 0) fail(c, "the file holds no place");
    out->place = place;
    out->count = n;
}

/* A relative name counts from the folder of the scene. */
static const char* beside_scene(scri_reader* r, const char* name)
{
    const char* slash = strrchr(r->source.path, '/');
    if (name[0] == '/' || !slash) return name;
    int folder = (int)(slash - r->source.path) + 1;
    size_t size = (size_t)folder + strlen(name) + 1;
    char* path = scri_reader_take(r, size, 1);
    if (path) snprintf(path, size, "%.*s%s", folder, r->source.path, name);
    return path;
}

/* The bytes of the file beside the scene or, where there is none, in the working folder. */
static void read_bytes(scri_reader* r, const scri_yaml* file, const char* name, csv* out,
                       char** bytes)
{
    size_t size = 0;
    scree_env silent = r->source.env ? *r->source.env : (scree_env){0};
    silent.log = NULL;
    const char* paths[2] = {beside_scene(r, name), name};
    if (r->status) return;
    scree_status status = SCREE_ERROR_FILE;
    for (int k = 0; k < 2 && status == SCREE_ERROR_FILE; ++k) {
        out->path = paths[k];
        status = r->read_file(&silent, paths[k], bytes, &size);
    }
    if (status == SCREE_ERROR_MEMORY) {
        r->status = status;
    } else if (status) {
        bool by_parameter = file->text[0] == '$';
        scri_reader_fail(r, file->place, "file '%s'%s%s%s cannot be read", scri_show(name).text,
                         by_parameter ? ", which parameter '" : "",
                         by_parameter ? file->text + 1 : "", by_parameter ? "' names," : "");
    } else {
        out->at = *bytes;
        out->end = *bytes + size;
    }
}

void scri_read_places(scri_reader* r, const scri_yaml* file, scri_generator* out)
{
    const char* name = scri_text_of(r, file, "file");
    if (!name) return;
    csv c = {.r = r};
    char* bytes = NULL;
    read_bytes(r, file, name, &c, &bytes);
    if (!r->status) read_lines(&c, out);
    scri_release(r->source.env, bytes);
}
