/* Generators, many copies of one body. */
#include "io/scene_reader.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>

/* ---- generators ---- */

/* More bodies than this from one generator are a mistake. */
#define MAX_COUNT INT64_C(100000000)

typedef void read_generator(scri_reader* r, const scri_yaml* map, scree_generator* out);

/* [[size, share of mass that passes], ...] in m, against the size of the model. */
static void read_sieve(scri_reader* r, const scri_yaml* list, double model, scree_generator* out)
{
    if (list->kind != SCRI_YAML_LIST || list->n < 2) {
        scri_reader_fail(r, list->place,
                         "sieve: a list of two pairs of numbers or more is expected");
        return;
    }
    double* sieve = scri_reader_take(r, 2 * (size_t)list->n, sizeof *sieve);
    const scri_yaml* item = list->first;
    for (int32_t k = 0; item && !r->status; item = item->next, ++k) {
        double* at = sieve + 2 * (size_t)k;
        scri_read_numbers(r, item, "sieve", 2, at);
        at[0] /= model;
        bool grows = at[0] > 0.0 && (k == 0 ? at[1] == 0.0 : at[0] > at[-2] && at[1] >= at[-1]);
        if (!item->next) grows = grows && at[1] == 1.0;
        if (!r->status && !grows) {
            scri_reader_fail(r, item->place,
                             "sieve: positive sizes that grow, and shares that grow from 0 to 1, "
                             "are expected");
        }
    }
    out->size_kind = SCREE_SIZE_SIEVE;
    out->n_sieve = (int32_t)list->n;
    out->sieve = sieve;
}

/* {uniform: [low, high]}, {log_normal: [median, deviation]} or {sieve: [...], model: m}. */
static void read_sizes(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    static const char* const keys[] = {"uniform", "log_normal", "sieve", "model", NULL};
    const scri_yaml* sizes = scri_get_map(r, map, "sizes", "sizes", keys);
    if (!sizes) return;
    const scri_yaml *even = scri_get(sizes, "uniform"), *bell = scri_get(sizes, "log_normal");
    const scri_yaml *sieve = scri_get(sizes, "sieve"), *spread = scri_get(map, "size_spread");
    if ((even != NULL) + (bell != NULL) + (sieve != NULL) != 1) {
        scri_reader_fail(r, sizes->place, "sizes needs one of uniform, log_normal, sieve");
        return;
    }
    if (spread) {
        scri_reader_fail(r, spread->place, "a generator has either 'sizes' or 'size_spread'");
    }
    double model = 2.0 * scri_shapes_reach(out->model.n_shapes, out->model.shapes);
    scri_read_number(r, sizes, "model", SCRI_POSITIVE, &model);
    if (r->status) return;
    if (sieve) {
        read_sieve(r, sieve, model, out);
        return;
    }
    const scri_yaml* two = even ? even : bell;
    out->size_kind = even ? SCREE_SIZE_UNIFORM : SCREE_SIZE_LOG_NORMAL;
    scri_read_numbers(r, two, even ? "uniform" : "log_normal", 2, out->size);
    bool good = out->size[0] > 0.0 &&
                (even ? out->size[1] >= out->size[0] : out->size[1] >= 0.0 && out->size[1] <= 3.0);
    if (!r->status && !good) {
        scri_reader_fail(
            r, two->place,
            even ? "uniform: two positive factors, the larger last, are expected"
                 : "log_normal: a positive median and a deviation of the logarithm from "
                   "0 to 3 are expected");
    }
}

static void read_random(scri_reader* r, const scri_yaml* map, scree_generator* out)
{
    int64_t seed = 1;
    scri_read_integer(r, map, "seed", 0, SCRI_MAX_SEED, &seed);
    out->seed = (uint64_t)seed;
    scri_read_number(r, map, "size_spread", SCRI_PROPER_PART, &out->size_spread);
    int turned = 0;
    static const char* const names[] = {"given", "random", NULL};
    scri_read_choice(r, map, "orientation", names, &turned);
    out->is_turned = turned;
    read_sizes(r, map, out);
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
    scri_read_list(r, file, out);
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
    static const char* const packings[] = {"cubic", "hexagonal", "face-centred", NULL};
    int packing = 0;
    scri_read_choice(r, map, "packing", packings, &packing);
    out->packing = (scree_grid_kind)packing;
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
    const scri_yaml* list = scri_get(map, "bodies");
    const scri_yaml* at = list ? list : scri_get(map, "body");
    for (int32_t k = 0; k <= out->n_others && !r->status; ++k) {
        const scree_scene_body* model = k == 0 ? &out->model : &out->others[k - 1];
        if (model->def.kind == SCREE_BODY_DYNAMIC) continue;
        scri_reader_fail(r, at->place, "bodies that rain must be dynamic");
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

#define COMMON_KEYS "seed", "size_spread", "sizes", "orientation", "body", "bodies", "weights", NULL

static const char* const grid_keys[] = {"type",   "count",   "spacing", "origin",
                                        "jitter", "packing", "file",    COMMON_KEYS};
static const char* const rain_keys[] = {"type", "count", "rate", "begin", "box", COMMON_KEYS};
static const char* const list_keys[] = {"type", "file", COMMON_KEYS};

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

static void read_weights(scri_reader* r, const scri_yaml* list, int32_t n, scree_generator* out)
{
    double *weight = scri_reader_take(r, (size_t)n, sizeof *weight), sum = 0.0;
    if (list->kind != SCRI_YAML_LIST || list->n != n) {
        scri_reader_fail(r, list->place,
                         "weights: a list of %d numbers, one for each body, is expected", (int)n);
    }
    const scri_yaml* item = list->first;
    for (int32_t k = 0; !r->status && k < n; ++k, item = item->next) {
        scri_evaluate(r, item, "weights", SCRI_NOT_NEGATIVE, &weight[k]);
        sum += weight[k];
    }
    if (!r->status && !(sum > 0.0)) {
        scri_reader_fail(r, list->place, "weights: some must be positive");
    }
    out->weight = weight;
}

/* `body`, or `bodies` of which one is drawn each time; the first gives all of them its name. */
static void read_models(scri_reader* r, const scri_yaml* map, const char* what, int32_t index,
                        scree_generator* out)
{
    const scri_yaml *one = scri_get(map, "body"), *many = scri_get(map, "bodies");
    const scri_yaml* weights = scri_get(map, "weights");
    int32_t n = 0;
    if (!many) {
        one = scri_need(r, map, what, "body");
        if (weights) scri_reader_fail(r, weights->place, "weights: there is one body only");
        if (one) scri_read_body(r, one, true, index, &out->model);
        return;
    }
    if (one) scri_reader_fail(r, many->place, "a generator has either 'body' or 'bodies'");
    const scri_yaml* item = scri_get_list(r, map, "bodies", &n);
    if (!r->status && n == 0) scri_reader_fail(r, many->place, "bodies: the list is empty");
    out->others = scri_reader_take(r, (size_t)n, sizeof *out->others);
    for (int32_t k = 0; k < n && !r->status; ++k, item = item->next) {
        const scri_yaml* name = scri_get(item, "name");
        if (k > 0 && name) scri_reader_fail(r, name->place, "name: the first body has that of all");
        scri_read_body(r, item, true, index, k == 0 ? &out->model : &out->others[k - 1]);
    }
    out->n_others = n - 1;
    if (weights) read_weights(r, weights, n, out);
}

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
    out->kind = types[type].kind;
    read_models(r, map, types[type].what, index, out);
    if (!r->status) types[type].read(r, map, out);
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
