/* Generators: many copies of one body. */
#include "io/scene_reader.h"

#include <inttypes.h>
#include <math.h>

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

static void read_list(scri_reader* r, const scri_yaml* map, scree_generator* out);

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

/* ---- rain and list --------------------------------------------------------------------------- */

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

static void read_list(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    const scri_yaml* file = scri_need(r, map, "a csv generator", "file");
    if (!file) return;
    read_random(r, map, out);
    scri_read_places(r, file, out);
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
