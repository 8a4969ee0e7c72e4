/* Bodies from a CSV file: a line of titles says what the columns are, in any order; without one
 * they are x, y, z. '#' begins a comment. */
#include "base/compiler.h"
#include "base/env.h"
#include "io/csv_text.h"
#include "io/number_text.h"
#include "io/scene_reader.h"
#include "io/scene_suggest.h"
#include "math/vec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_PLACES INT64_C(100000000)

/* What columns may be called. Those that belong together stand side by side. */
enum {
    X = 0,
    RADIUS = 3,
    SIZE = 4,
    MASS = 5,
    VX = 6,
    WX = 9,
    QW = 12,
    N_NUMBERS = 16,
    MATERIAL = N_NUMBERS,
    NAME,
    N_TITLES
};
static const char* const titles[N_TITLES] = {"x",  "y",  "z",  "radius", "size",     "mass",
                                             "vx", "vy", "vz", "wx",     "wy",       "wz",
                                             "qw", "qx", "qy", "qz",     "material", "name"};

typedef struct csv {
    scri_reader* r;
    const char* path;
    scri_csv text;
    int n_columns;
    int column[N_TITLES]; /* what each column is */
    bool has[N_TITLES];
    double model_radius; /* of a model that is a sphere, else 0 */
} csv;

static void fail_csv(const csv* c, const char* format, ...) SCRI_PRINTF(2, 3);

static void fail_csv(const csv* c, const char* format, ...)
{
    if (c->r->status) return;
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    c->r->status = scri_fail(c->r->source.env, SCREE_ERROR_INPUT, "%s:%" PRId64 ": %s", c->path,
                             c->text.line, what);
}

/* A field as text, cut where it is too long to be anything. */
typedef struct field {
    char text[72];
    size_t length;
} field;

static field take(scri_csv* line, const char** begin)
{
    field f = {.length = 0};
    const char* text = "";
    scri_csv_take(line, &text, &f.length);
    *begin = text;
    snprintf(f.text, sizeof f.text, "%.*s",
             (int)(f.length < sizeof f.text ? f.length : sizeof f.text - 1), text);
    return f;
}

/* ---- titles ---------------------------------------------------------------------------------- */

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

static int find_title(const csv* c, const char* word)
{
    scri_nearest nearest = scri_nearest_begin(word);
    for (int k = 0; k < N_TITLES; ++k) {
        if (strcmp(titles[k], word) == 0) return k;
        scri_nearest_consider(&nearest, titles[k]);
    }
    fail_csv(c, "unknown column '%s'; %s", scri_show(word).text,
             scri_nearest_hint(&nearest, "known are", "").text);
    return 0;
}

/* All or none of n columns from `first` on. */
static void want_together(const csv* c, int first, int n, bool is_needed)
{
    int found = 0;
    for (int k = first; k < first + n; ++k) found += c->has[k];
    for (int k = first; k < first + n && (is_needed || found > 0); ++k) {
        if (!c->has[k]) fail_csv(c, "column '%s' is missing", titles[k]);
    }
}

static void read_titles(csv* c)
{
    scri_csv line = c->text;
    int n = scri_csv_count_fields(&line);
    for (int k = 0; k < n && !c->r->status; ++k) {
        const char* unused;
        field f = take(&line, &unused);
        int title = find_title(c, f.text);
        if (c->r->status) return;
        if (c->has[title]) fail_csv(c, "column '%s' appears twice", f.text);
        if (k < N_TITLES) c->column[k] = title;
        c->has[title] = true;
        ++c->n_columns;
    }
    want_together(c, X, 3, true);
    want_together(c, VX, 3, false);
    want_together(c, WX, 3, false);
    want_together(c, QW, 4, false);
    if (c->has[RADIUS] && c->has[SIZE]) fail_csv(c, "a file has either 'radius' or 'size'");
    if (c->has[RADIUS] && !(c->model_radius > 0.0)) {
        fail_csv(c, "column 'radius' needs a body that is one sphere; 'size' scales any");
    }
}

static void assume_titles(csv* c)
{
    c->n_columns = 3;
    for (int k = 0; k < 3; ++k) {
        c->column[k] = X + k;
        c->has[X + k] = true;
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* What the columns together say of one body. */
typedef struct row {
    double number[N_NUMBERS];
    int32_t material;
    const char* name;
} row;

static void read_number(const csv* c, int title, const char* text, const field* f, double* out)
{
    scri_number_kind kind = scri_number_parse(text, f->length, out);
    if (kind != SCRI_NUMBER_OK) {
        char shown[32];
        snprintf(shown, sizeof shown, "%.30s", f->text);
        fail_csv(c, "%s is '%s', which is not a %snumber", titles[title], scri_show(shown).text,
                 kind == SCRI_NUMBER_NOT_FINITE ? "finite " : "");
    } else if (title >= RADIUS && title <= MASS && !(*out > 0.0)) {
        fail_csv(c, "%s = %g must be positive", titles[title], *out);
    }
}

static int32_t find_material(const csv* c, const char* word)
{
    const scree_scene* scene = c->r->scene;
    scri_nearest nearest = scri_nearest_begin(word);
    for (int32_t k = 0; k < scene->n_materials && scene->material_name; ++k) {
        if (strcmp(scene->material_name[k], word) == 0) return k;
        scri_nearest_consider(&nearest, scene->material_name[k]);
    }
    fail_csv(c, "unknown material '%s'; %s", scri_show(word).text,
             scri_nearest_hint(&nearest, "there are", "there is none").text);
    return -1;
}

static const char* keep_name(const csv* c, const field* f)
{
    bool good = f->length >= 1 && f->length <= 64;
    for (const char* p = f->text; *p; ++p) {
        if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '.' || *p == '=') good = false;
    }
    if (!good) {
        fail_csv(c, "'%s' is no name: 1 to 64 characters without white space, '.' and '='",
                 scri_show(f->text).text);
        return NULL;
    }
    char* name = scri_reader_take(c->r, f->length + 1, 1);
    if (name) memcpy(name, f->text, f->length);
    return name;
}

static void expect_columns(const csv* c, int n)
{
    char list[128];
    size_t used = 0;
    if (n == c->n_columns) return;
    for (int k = 0; k < c->n_columns && used < sizeof list; ++k) {
        int added =
            snprintf(list + used, sizeof list - used, "%s%s", k ? "," : "", titles[c->column[k]]);
        used += added > 0 ? (size_t)added : 0;
    }
    fail_csv(c, "%d column%s, where %s are expected", n, n == 1 ? "" : "s", list);
}

static void normalise(const csv* c, double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= 1e-3)) { /* as of a quaternion in a scene */
        fail_csv(c, "the quaternion qw, qx, qy, qz has length %g, not 1", length);
    } else {
        scri_quat_store(scri_quat_normalize(scri_quat_load(q)), q);
    }
}

static void read_line(csv* c, row* out)
{
    scri_csv line = c->text;
    *out = (row){.material = -1};
    expect_columns(c, scri_csv_count_fields(&line));
    for (int k = 0; k < c->n_columns && !c->r->status; ++k) {
        const char* text;
        field f = take(&line, &text);
        int title = c->column[k];
        if (title < N_NUMBERS) {
            read_number(c, title, text, &f, &out->number[title]);
        } else if (title == MATERIAL) {
            out->material = find_material(c, f.text);
        } else {
            out->name = keep_name(c, &f);
        }
    }
    if (c->has[QW] && !c->r->status) normalise(c, &out->number[QW]);
    if (c->has[RADIUS]) out->number[SIZE] = out->number[RADIUS] / c->model_radius;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Arrays of what the file has columns of, of which rows fill one place after another. */
typedef struct columns {
    double *place, *scale, *mass, *velocity, *angular_velocity, *rotation;
    int32_t* material;
    const char** name;
} columns;

static columns make_columns(csv* c, int64_t most)
{
    scri_reader* r = c->r;
    const bool* has = c->has;
    size_t n = (size_t)most, one = sizeof(double);
    columns a = {.place = scri_reader_take(r, 3 * n, one)};
    if (has[RADIUS] || has[SIZE]) a.scale = scri_reader_take(r, n, one);
    if (has[MASS]) a.mass = scri_reader_take(r, n, one);
    if (has[VX]) a.velocity = scri_reader_take(r, 3 * n, one);
    if (has[WX]) a.angular_velocity = scri_reader_take(r, 3 * n, one);
    if (has[QW]) a.rotation = scri_reader_take(r, 4 * n, one);
    if (has[MATERIAL]) a.material = scri_reader_take(r, n, sizeof *a.material);
    if (has[NAME]) a.name = scri_reader_take(r, n, sizeof *a.name);
    return a;
}

static void copy(double* to, size_t at, const double* from, size_t n)
{
    if (to) memcpy(to + n * at, from, n * sizeof *to);
}

static void put(const columns* a, size_t k, const row* from)
{
    copy(a->place, k, from->number + X, 3);
    copy(a->scale, k, from->number + SIZE, 1);
    copy(a->mass, k, from->number + MASS, 1);
    copy(a->velocity, k, from->number + VX, 3);
    copy(a->angular_velocity, k, from->number + WX, 3);
    copy(a->rotation, k, from->number + QW, 4);
    if (a->material) a->material[k] = from->material;
    if (a->name) a->name[k] = from->name;
}

static void read_lines(csv* c, scree_generator* out)
{
    int64_t most = scri_csv_count_lines(c->text), n = 0;
    scri_csv begin = c->text;
    if (most > MAX_PLACES) {
        fail_csv(c, "more than %" PRId64 " lines", MAX_PLACES);
        return;
    }
    if (scri_csv_next_line(&c->text) && is_title(c->text)) {
        read_titles(c);
    } else {
        c->text = begin;
        assume_titles(c);
    }
    columns a = make_columns(c, most);
    while (!c->r->status && scri_csv_next_line(&c->text)) {
        row one;
        read_line(c, &one);
        if (!c->r->status) put(&a, (size_t)n++, &one);
    }
    if (n == 0) fail_csv(c, "the file holds no place");
    out->place = a.place;
    out->listed = (scree_listed){.scale = a.scale,
                                 .mass = a.mass,
                                 .velocity = a.velocity,
                                 .angular_velocity = a.angular_velocity,
                                 .rotation = a.rotation,
                                 .material = a.material,
                                 .name = a.name};
    out->count = n;
}

/* What only some kinds of bodies can be told. */
static void check_kind(const csv* c, const scri_yaml* file, const scree_generator* g)
{
    bool is_dynamic = g->model.def.kind == SCREE_BODY_DYNAMIC;
    bool moves = c->has[VX] || c->has[WX];
    if (moves && g->model.def.kind == SCREE_BODY_STATIC) {
        scri_reader_fail(c->r, file->place, "the file has velocities, and its bodies are static");
    } else if (c->has[MASS] && !is_dynamic) {
        scri_reader_fail(c->r, file->place, "the file has masses, and its bodies are not dynamic");
    }
}

void scri_read_list(scri_reader* r, const scri_yaml* file, scree_generator* out)
{
    char* bytes = NULL;
    size_t size = 0;
    const scree_scene_body* model = &out->model;
    csv c = {.r = r, .path = scri_read_beside(r, file, &bytes, &size)};
    bool is_sphere =
        out->n_others == 0 && model->n_shapes == 1 && model->shapes[0].kind == SCREE_SHAPE_SPHERE;
    if (is_sphere) c.model_radius = model->shapes[0].half_size[0];
    if (c.path) {
        c.text = scri_csv_open(bytes, size);
        read_lines(&c, out);
        check_kind(&c, file, out);
    }
    scri_release(r->source.env, bytes);
}
