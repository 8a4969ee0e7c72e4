/* Generators, many copies of one body; drives of kinematic bodies, forces on dynamic ones. */
#include "base/compiler.h"
#include "base/env.h"
#include "io/csv_text.h"
#include "io/number_text.h"
#include "io/scene_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- places from a CSV file: x,y,z (m) in each line, '#' comments, perhaps a line of titles ----
 */

#define MAX_PLACES INT64_C(100000000)

typedef struct csv {
    scri_reader* r;
    const char* path;
    scri_csv text;
} csv;

static void fail_csv(const csv* c, const char* format, ...) SCRI_PRINTF(2, 3);

static void fail_csv(const csv* c, const char* format, ...)
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
        fail_csv(c, "%d column%s, where x,y,z are expected", n, n == 1 ? "" : "s");
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
            fail_csv(c, "%c is '%s', which is not a %snumber", axis[k], scri_show(shown).text,
                     kind == SCRI_NUMBER_NOT_FINITE ? "finite " : "");
            return;
        }
    }
}

static void read_lines(csv* c, scree_generator* out)
{
    int64_t most = scri_csv_count_lines(c->text), n = 0;
    if (most > MAX_PLACES) {
        fail_csv(c, "more than %" PRId64 " lines", MAX_PLACES);
        return;
    }
    double* place = scri_reader_take(c->r, 3 * (size_t)most, sizeof *place);
    bool is_first = true;
    while (!c->r->status && scri_csv_next_line(&c->text)) {
        if (!(is_first && is_title(c->text))) read_line(c, place + 3 * n++);
        is_first = false;
    }
    if (n == 0) fail_csv(c, "the file holds no place");
    out->place = place;
    out->count = n;
}

static void read_places(scri_reader* r, const scri_yaml* file, scree_generator* out)
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

/* ---- generators ---- */

/* More bodies than this from one generator are a mistake. */
#define MAX_COUNT INT64_C(100000000)

/* Largest whole number up to which a double has them all. */
#define MAX_SEED (INT64_C(1) << 53)

typedef void read_generator(scri_reader* r, const scri_yaml* map, scree_generator* out);

static void read_random(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    int64_t seed = 1;
    scri_read_integer(r, map, "seed", 0, MAX_SEED, &seed);
    out->seed = (uint64_t)seed;
    scri_read_number(r, map, "size_spread", SCRI_PROPER_PART, &out->size_spread);
}

/* ---- grid ------------------------------------------------------------------------------------ */

static void read_grid_count(scri_reader* r, const scri_yaml* list, scree_generator* out)
{
    double n[3] = {0.0};
    scri_read_numbers(r, list, "count", 3, n);
    if (r->status) return;
    const scri_yaml* item = list->first;
    out->count = 1;
    for (int k = 0; k < 3; ++k, item = item->next) {
        if (!(n[k] >= 1.0 && n[k] <= (double)MAX_COUNT && n[k] == floor(n[k]))) {
            scri_reader_fail(r, item->place, "count = %g must be a whole number from 1 to %" PRId64,
                             n[k], MAX_COUNT);
            return;
        }
        out->grid[k] = (int32_t)n[k];
        if (out->count > MAX_COUNT / out->grid[k]) {
            scri_reader_fail(r, list->place, "count: more than %" PRId64 " bodies", MAX_COUNT);
            return;
        }
        out->count *= out->grid[k];
    }
}

/* One number for all directions, or three. */
static void read_spacing(scri_reader* r, const scri_yaml* node, double spacing[3])
{
    if (node->kind != SCRI_YAML_LIST) {
        scri_evaluate(r, node, "spacing", SCRI_POSITIVE, &spacing[0]);
        spacing[1] = spacing[2] = spacing[0];
        return;
    }
    scri_read_numbers(r, node, "spacing", 3, spacing);
    const scri_yaml* item = node->first;
    for (int k = 0; k < 3 && !r->status; ++k, item = item->next) {
        scri_evaluate(r, item, "spacing", SCRI_POSITIVE, &spacing[k]);
    }
}

static void read_list(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    const scri_yaml* file = scri_need(r, map, "a csv generator", "file");
    if (!file) return;
    read_random(r, map, out);
    read_places(r, file, out);
}

/* A grid whose key `file` names one is a list instead. */
static bool has_file(scri_reader* r, const scri_yaml* map)
{
    const scri_yaml* file = scri_get(map, "file");
    const char* name = file ? scri_text_of(r, file, "file") : NULL;
    return name && name[0] != '\0';
}

static void read_grid(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    if (has_file(r, map)) {
        out->kind = SCREE_GENERATOR_LIST;
        read_list(r, map, out);
        return;
    }
    const scri_yaml* count = scri_need(r, map, "a grid", "count");
    const scri_yaml* spacing = scri_need(r, map, "a grid", "spacing");
    if (!count || !spacing) return;
    read_grid_count(r, count, out);
    read_spacing(r, spacing, out->spacing);
    scri_read_vector(r, map, "origin", out->low);
    scri_read_number(r, map, "jitter", SCRI_NOT_NEGATIVE, &out->jitter);
    read_random(r, map, out);
}

/* ---- rain --------------------------------------------------------------------------- */

static void read_rain(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    static const char* const needed[] = {"count", "rate", "box"};
    for (int k = 0; k < 3; ++k) {
        if (!scri_need(r, map, "rain", needed[k])) return;
    }
    scri_read_integer(r, map, "count", 1, MAX_COUNT, &out->count);
    scri_read_number(r, map, "rate", SCRI_POSITIVE, &out->rate);
    scri_read_number(r, map, "begin", SCRI_NOT_NEGATIVE, &out->begin);
    scri_read_region(r, map, "box", out->low, out->high);
    read_random(r, map, out);
    if (!r->status && out->model.def.kind != SCREE_BODY_DYNAMIC) {
        scri_reader_fail(r, scri_get(map, "body")->place, "bodies that rain must be dynamic");
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const char* const grid_keys[] = {"type", "count", "spacing",     "origin", "jitter",
                                        "file", "seed",  "size_spread", "body",   NULL};
static const char* const rain_keys[] = {"type", "count",       "rate", "begin", "box",
                                        "seed", "size_spread", "body", NULL};
static const char* const list_keys[] = {"type", "file", "seed", "size_spread", "body", NULL};

static const struct {
    scree_generator_kind kind;
    const char* what;
    const char* const* keys;
    read_generator* read;
} types[] = {
    {SCREE_GENERATOR_GRID, "a grid", grid_keys, read_grid},
    {SCREE_GENERATOR_RAIN, "rain", rain_keys, read_rain},
    {SCREE_GENERATOR_LIST, "a csv generator", list_keys, read_list},
};

static void read_one(scri_reader* r, const scri_yaml* map, int32_t index, scree_generator* out)
{
    static const char* const names[] = {"grid", "rain", "csv", NULL};
    int type = 0;
    if (map->kind != SCRI_YAML_MAP) {
        scri_is_map_of(r, map, "a generator", grid_keys);
        return;
    }
    if (!scri_need(r, map, "a generator", "type")) return;
    scri_read_choice(r, map, "type", names, &type);
    if (!scri_is_map_of(r, map, types[type].what, types[type].keys)) return;
    const scri_yaml* body = scri_need(r, map, types[type].what, "body");
    if (!body) return;
    out->kind = types[type].kind;
    scri_read_body(r, body, true, index, &out->model);
    types[type].read(r, map, out);
}

void scri_read_generators(scri_reader* r, const scri_yaml* root)
{
    int32_t n;
    scree_scene* scene = r->scene;
    const scri_yaml* item = scri_get_list(r, root, "generators", &n);
    scene->generators = scri_reader_take(r, (size_t)n, sizeof *scene->generators);
    for (; item && !r->status; item = item->next) {
        int32_t index = scene->n_generators++;
        read_one(r, item, index, &scene->generators[index]);
    }
}

/* ---- drives and forces ---- */

void scri_read_times(scri_reader* r, const scri_yaml* map, double* begin, double* end)
{
    *end = SCREE_INFINITY;
    scri_read_number(r, map, "begin", SCRI_NOT_NEGATIVE, begin);
    scri_read_number(r, map, "end", SCRI_PERHAPS_NEVER, end);
    if (!r->status && !(*end > *begin)) {
        const scri_yaml* at = scri_get(map, scri_get(map, "end") ? "end" : "begin");
        scri_reader_fail(r, at->place, "end = %g s must be later than begin = %g s", *end, *begin);
    }
}

static void read_course(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    scri_read_times(r, map, &out->begin, &out->end);
    scri_read_number(r, map, "frequency", SCRI_NOT_NEGATIVE, &out->frequency);
    scri_read_number(r, map, "phase", SCRI_ANY, &out->phase);
}

static void read_drive(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const keys[] = {
        "body", "velocity", "angular_velocity", "begin", "end", "frequency", "phase", NULL};
    if (!scri_is_map_of(r, map, "a drive", keys)) return;
    const scri_yaml* body = scri_need(r, map, "a drive", "body");
    if (!body) return;
    out->body = scri_names_find(r, body);
    if (!r->status && r->scene->bodies[out->body].def.kind != SCREE_BODY_KINEMATIC) {
        scri_reader_fail(r, body->place, "'%s' is not kinematic, and cannot be driven",
                         r->scene->bodies[out->body].name);
    }
    scri_read_vector(r, map, "velocity", out->linear);
    scri_read_vector(r, map, "angular_velocity", out->angular);
    read_course(r, map, out);
}

static void read_force(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const keys[] = {"body",  "force", "torque",    "drag",  "drag_square",
                                       "begin", "end",   "frequency", "phase", NULL};
    if (!scri_is_map_of(r, map, "a force", keys)) return;
    const scri_yaml* body = scri_need(r, map, "a force", "body");
    if (!body) return;
    out->is_force = 1;
    out->body = scri_names_find(r, body);
    if (!r->status && r->scene->bodies[out->body].def.kind != SCREE_BODY_DYNAMIC) {
        scri_reader_fail(r, body->place, "'%s' is not dynamic, and no force moves it",
                         r->scene->bodies[out->body].name);
    }
    scri_read_vector(r, map, "force", out->linear);
    scri_read_vector(r, map, "torque", out->angular);
    scri_read_number(r, map, "drag", SCRI_NOT_NEGATIVE, &out->drag[0]);
    scri_read_number(r, map, "drag_square", SCRI_NOT_NEGATIVE, &out->drag[1]);
    read_course(r, map, out);
}

void scri_read_drives(scri_reader* r, const scri_yaml* root)
{
    int32_t n_drives, n_forces;
    scree_scene* scene = r->scene;
    const scri_yaml* drive = scri_get_list(r, root, "drives", &n_drives);
    const scri_yaml* force = scri_get_list(r, root, "forces", &n_forces);
    scene->drives = scri_reader_take(r, (size_t)n_drives + (size_t)n_forces, sizeof *scene->drives);
    scene->joint_drives = scri_reader_take(r, (size_t)n_drives, sizeof *scene->joint_drives);
    for (; drive && !r->status; drive = drive->next) {
        if (scri_get(drive, "joint")) {
            scri_read_joint_drive(r, drive, &scene->joint_drives[scene->n_joint_drives++]);
        } else {
            read_drive(r, drive, &scene->drives[scene->n_drives++]);
        }
    }
    for (; force && !r->status; force = force->next) {
        read_force(r, force, &scene->drives[scene->n_drives++]);
    }
}
