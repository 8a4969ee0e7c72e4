/* Sets of a material: {KIND: sizes, degrees: angle, scale: number, spin_power: number}. */
#include "io/scene_reader.h"
#include "sets/set.h"

#include <string.h>

/* What stands under the name of a kind. */
static const struct {
    int n; /* numbers; 0: a list of pairs of numbers */
    const char* expected;
} kinds[SCREE_SET_KIND_COUNT] = {
    [SCREE_SET_DISC] = {1, "radius"},
    [SCREE_SET_ELLIPSE] = {2, "[a, b] (semi-axes)"},
    [SCREE_SET_RECTANGLE] = {2, "[a, b] (half sides)"},
    [SCREE_SET_SUPERELLIPSE] = {3, "[a, b, s] (semi-axes, exponent)"},
    [SCREE_SET_RUNNER] = {3, "[a, b, s] (semi-axes of the ends, half length between them)"},
    [SCREE_SET_POLYGON] = {0, "[[x, y], ...] (corners)"},
    [SCREE_SET_ASPERITY] = {2, "[mu, angle] (friction, inclination in degrees)"},
    [SCREE_SET_POLAR] = {0, "[[angle, radius], ...] (degrees, number)"},
};

/* ---- which kind ------------------------------------------------------------------------------ */

static int find_kind(const char* name)
{
    for (int k = 0; k < SCREE_SET_KIND_COUNT; ++k) {
        if (strcmp(name, scree_set_kind_name(k)) == 0) return k;
    }
    return -1;
}

/* The key that names the kind; NULL after a fault. */
static const scri_yaml* kind_key(scri_reader* r, const scri_yaml* map, const char* name)
{
    const char* keys[SCREE_SET_KIND_COUNT + 4] = {NULL};
    const scri_yaml* found = NULL;
    int n = 0;
    for (; n < SCREE_SET_KIND_COUNT; ++n) keys[n] = scree_set_kind_name(n);
    keys[n++] = "degrees";
    keys[n++] = "scale";
    keys[n] = "spin_power";
    const scri_yaml* angle = map->kind == SCRI_YAML_MAP ? scri_yaml_find(map, "angle") : NULL;
    if (angle) { /* as it was called once; everywhere else an angle is in radians */
        scri_reader_fail(r, angle->place, "%s: the angle of a set is called 'degrees'", name);
        return NULL;
    }
    if (!scri_is_map_of(r, map, "a set", keys)) return NULL;
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        if (find_kind(key->text) < 0) continue;
        if (found) {
            scri_reader_fail(r, key->place, "%s: a set is either '%s' or '%s'", name, found->text,
                             key->text);
        }
        found = key;
    }
    if (!found) {
        scri_reader_fail(r, map->place,
                         "%s: a set needs one of disc, ellipse, rectangle, superellipse, runner, "
                         "polygon, asperity, polar",
                         name);
    }
    return r->status ? NULL : found;
}

/* ---- its numbers ----------------------------------------------------------------------------- */

static void read_sizes(scri_reader* r, const scri_yaml* key, scree_set_def* def)
{
    int n = kinds[def->kind].n;
    const scri_yaml* value = key->value;
    double size[3] = {0.0};
    if (n == 1) {
        scri_evaluate(r, value, key->text, SCRI_POSITIVE, &size[0]);
    } else if (value->kind != SCRI_YAML_LIST || value->n != n) {
        scri_reader_fail(r, value->place, "%s: %s is expected", key->text,
                         kinds[def->kind].expected);
    } else {
        const scri_yaml* item = value->first;
        for (int k = 0; k < n; ++k, item = item->next) {
            scri_evaluate(r, item, key->text, SCRI_POSITIVE, &size[k]);
        }
    }
    bool is_asperity = def->kind == SCREE_SET_ASPERITY;
    def->a = size[0];
    def->b = is_asperity ? 0.0 : size[1];
    def->s = is_asperity ? size[1] * SCREE_DEGREE : size[2];
}

static void read_points(scri_reader* r, const scri_yaml* key, scree_set_def* def)
{
    const scri_yaml* list = key->value;
    if (list->kind != SCRI_YAML_LIST) {
        scri_reader_fail(r, list->place, "%s: %s is expected", key->text,
                         kinds[def->kind].expected);
        return;
    }
    double* points = scri_reader_take(r, (size_t)list->n, 2 * sizeof *points);
    const scri_yaml* item = list->first;
    for (int k = 0; k < list->n && !r->status; ++k, item = item->next) {
        scri_read_numbers(r, item, key->text, 2, points + 2 * (size_t)k);
        if (!r->status && def->kind == SCREE_SET_POLAR) points[2 * (size_t)k] *= SCREE_DEGREE;
    }
    def->n = list->n;
    def->points = points;
}

/* ---- the set --------------------------------------------------------------------------------- */

/* Lies in the scene's memory and owns none. */
static void keep(scree_set* set, const scree_set** out)
{
    set->env = (scree_env){0};
    set->memory = NULL;
    *out = set;
}

static void create(scri_reader* r, const scri_yaml* key, const scree_set_def* def,
                   const scree_set** out)
{
    scri_asked asked;
    scree_set* set = NULL;
    scri_ask_begin(r, &asked);
    scri_ask_end(r, key->value->place, &asked, scree_set_create(&asked.env, def, &set));
    if (!r->status) keep(set, out);
}

void scri_read_set(scri_reader* r, const scri_yaml* map, const char* name, const scree_set** out)
{
    const scri_yaml* value = r->status ? NULL : scri_get(map, name);
    if (!value) return;
    const scri_yaml* key = kind_key(r, value, name);
    if (!key) return;
    scree_set_def def = {.kind = (scree_set_kind)find_kind(key->text), .scale = 1.0};
    double angle = 0.0;
    if (kinds[def.kind].n > 0) {
        read_sizes(r, key, &def);
    } else {
        read_points(r, key, &def);
    }
    scri_read_number(r, value, "degrees", SCRI_ANY, &angle);
    scri_read_number(r, value, "scale", SCRI_POSITIVE, &def.scale);
    scri_read_number(r, value, "spin_power", SCRI_POSITIVE, &def.spin_power);
    def.angle = angle * SCREE_DEGREE;
    if (!r->status) create(r, key, &def, out);
}

/* ---- tensors --------------------------------------------------------------------------------- */

/* A list of two lists of n numbers. */
static void read_rows(scri_reader* r, const scri_yaml* map, const char* name, int n, double* out)
{
    const scri_yaml* list = r->status ? NULL : scri_get(map, name);
    if (!list) return;
    if (list->kind != SCRI_YAML_LIST || list->n != 2) {
        scri_reader_fail(r, list->place, "%s: two lists of %d numbers are expected", name, n);
        return;
    }
    scri_read_numbers(r, list->first, name, n, out);
    if (!r->status) scri_read_numbers(r, list->first->next, name, n, out + n);
}

void scri_read_tensor(scri_reader* r, const scri_yaml* map, const scree_set** force,
                      const scree_set** direction)
{
    static const char* const keys[] = {"second", "fourth", "degrees", "scale", NULL};
    const scri_yaml* at = r->status ? NULL : scri_get(map, "tensor");
    if (!at || !scri_is_map_of(r, at, "a tensor", keys)) return;
    if (scri_get(map, "sliding") || scri_get(map, "direction")) {
        scri_reader_fail(r, at->place, "tensor: it takes the place of sliding and direction");
        return;
    }
    scree_tensor_law law = {.angle = 0.0};
    double degrees = 0.0, scale = 1.0;
    if (!scri_need(r, at, "a tensor", "second")) return;
    read_rows(r, at, "second", 2, law.second[0]);
    read_rows(r, at, "fourth", 4, law.fourth[0]);
    scri_read_number(r, at, "degrees", SCRI_ANY, &degrees);
    scri_read_number(r, at, "scale", SCRI_POSITIVE, &scale);
    if (r->status) return;
    law.angle = degrees * SCREE_DEGREE;
    for (int i = 0; i < 4; ++i) law.second[i / 2][i % 2] *= scale;
    for (int i = 0; i < 8; ++i) law.fourth[i / 4][i % 4] *= scale;
    scri_asked asked;
    scree_set *c = NULL, *d = NULL;
    scri_ask_begin(r, &asked);
    scri_ask_end(r, at->place, &asked, scree_set_create_tensor(&asked.env, &law, &c, &d));
    if (r->status) return;
    keep(c, force);
    keep(d, direction);
}
