#include "io/scene_loop.h"

#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* An index has a name of its own and no value yet. */
static void enter(scri_reader* r, const scri_yaml* key, scree_parameter* out)
{
    scri_check_parameter_name(r, key);
    for (int32_t k = 0; k < r->info->n_parameters; ++k) {
        if (strcmp(r->parameters[k].name, key->text) != 0) continue;
        scri_reader_fail(r, key->place, "for: '%s' is a parameter already", key->text);
    }
    *out = (scree_parameter){.name = key->text, .meaning = ""};
}

/* ---- counting -------------------------------------------------------------------------------- */

static void read_count(scri_reader* r, scri_loop* l, int32_t level)
{
    const scri_yaml* key = l->map->first;
    for (int32_t k = 0; k < level; ++k) key = key->next;
    r->info->n_parameters = l->base + level; /* those that its count may use */
    l->at[level] = l->count[level] = 0;
    scri_read_integer(r, l->map, key->text, 0, SCRI_LOOP_COPIES, &l->count[level]);
}

/* Whether some index up to `*level` is left, which then has its value. */
static bool settle(scri_reader* r, scri_loop* l, int32_t* level)
{
    while (*level >= 0 && l->at[*level] >= l->count[*level]) {
        if (--*level >= 0) ++l->at[*level];
    }
    if (*level < 0) return false;
    r->parameters[l->base + *level].value = (double)l->at[*level];
    return true;
}

/* Goes on from index `level`, which has been moved, to the next whole set. */
static void go_on(scri_reader* r, scri_loop* l, int32_t level)
{
    bool is_there = level < 0 || settle(r, l, &level);
    while (is_there && !r->status && level + 1 < l->n) {
        read_count(r, l, ++level);
        is_there = settle(r, l, &level);
    }
    l->is_over = !is_there || r->status;
    r->info->n_parameters = l->is_over ? l->base : l->base + l->n;
}

/* ---- loops ----------------------------------------------------------------------------------- */

void scri_loop_begin(scri_reader* r, const scri_yaml* item, scri_loop* out)
{
    *out = (scri_loop){.map = scri_get(item, "for"), .copy = -1, .is_over = r->status != SCREE_OK};
    const scri_yaml* map = out->map;
    if (!map || r->status) return;
    if (map->kind != SCRI_YAML_MAP || map->n < 1 || map->n > SCRI_LOOP_INDICES) {
        scri_reader_fail(r, map->place,
                         "for: a map of 1 to %d names and counts is expected, {k: 10}",
                         SCRI_LOOP_INDICES);
        out->is_over = true;
        return;
    }
    out->base = r->info->n_parameters;
    for (const scri_yaml* key = map->first; key; key = key->next) {
        enter(r, key, &r->parameters[out->base + out->n++]);
    }
    out->copy = 0;
    go_on(r, out, -1);
}

void scri_loop_next(scri_reader* r, scri_loop* l)
{
    if (!l->map || r->status) {
        l->is_over = true;
        if (l->map) r->info->n_parameters = l->base;
        return;
    }
    if (++l->copy > SCRI_LOOP_COPIES) {
        scri_reader_fail(r, l->map->place, "for: more than %d copies", SCRI_LOOP_COPIES);
    }
    ++l->at[l->n - 1];
    go_on(r, l, l->n - 1);
}

int32_t scri_loop_count(scri_reader* r, const scri_yaml* first)
{
    int64_t n = 0;
    for (const scri_yaml* item = first; item && !r->status; item = item->next) {
        scri_loop loop;
        for (scri_loop_begin(r, item, &loop); !loop.is_over; scri_loop_next(r, &loop)) ++n;
        if (n <= 100 * (int64_t)SCRI_LOOP_COPIES) continue;
        scri_reader_fail(r, item->place, "for: too many copies");
    }
    return (int32_t)n;
}
