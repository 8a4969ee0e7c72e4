/* Places from a CSV file: x,y,z (m) in each line, '#' comments, perhaps a line of titles. */
#include "base/env.h"
#include "io/csv_text.h"
#include "io/number_text.h"
#include "io/scene_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_PLACES INT64_C(100000000)

typedef struct csv {
    scri_reader* r;
    const char* path;
    scri_csv text;
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
                             c->text.line, what);
}

/* Whether no field of the line is a number. */
static bool is_title(scri_csv line)
{
    const char* text;
    size_t length;
    while (scri_csv_take(&line, &text, &length)) {
        double unused;
        if (scri_number_parse(text, length, &unused) != SCRI_NUMBER_MALFORMED) return false;
    }
    return true;
}

static void read_line(csv* c, double place[3])
{
    static const char axis[] = "xyz";
    int n = scri_csv_count_fields(&c->text);
    if (n != 3) {
        fail(c, "%d column%s, where x,y,z are expected", n, n == 1 ? "" : "s");
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const char* text = "";
        size_t length = 0;
        scri_csv_take(&c->text, &text, &length);
        scri_number_kind kind = scri_number_parse(text, length, &place[k]);
        if (kind != SCRI_NUMBER_OK) {
            char shown[32];
            snprintf(shown, sizeof shown, "%.*s", (int)(length < 30 ? length : 30), text);
            fail(c, "%c is '%s', which is not a %snumber", axis[k], scri_show(shown).text,
                 kind == SCRI_NUMBER_NOT_FINITE ? "finite " : "");
            return;
        }
    }
}

static void read_lines(csv* c, scree_generator* out)
{
    int64_t most = scri_csv_count_lines(c->text), n = 0;
    if (most > MAX_PLACES) {
        fail(c, "more than %" PRId64 " lines", MAX_PLACES);
        return;
    }
    double* place = scri_reader_take(c->r, 3 * (size_t)most, sizeof *place);
    bool is_first = true;
    while (!c->r->status && scri_csv_next_line(&c->text)) {
        if (!(is_first && is_title(c->text))) read_line(c, place + 3 * n++);
        is_first = false;
    }
    if (n == 0) fail(c, "the file holds no place");
    out->place = place;
    out->count = n;
}

void scri_read_places(scri_reader* r, const scri_yaml* file, scree_generator* out)
{
    char* bytes = NULL;
    size_t size = 0;
    csv c = {.r = r, .path = scri_read_beside(r, file, &bytes, &size)};
    if (c.path) {
        c.text = scri_csv_open(bytes, size);
        read_lines(&c, out);
    }
    scri_release(r->source.env, bytes);
}
