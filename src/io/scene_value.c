/* Faults and single values of a scene. */
#include "base/env.h"
#include "io/scene_expression.h"
#include "io/scene_reader.h"
#include "io/scene_suggest.h"
#include "math/vec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A quaternion in a file has a few digits; one that is farther off is a mistake. */
#define UNIT_TOLERANCE 1e-3
#define UNIT_ROUNDING 1e-15

/* ---- faults ---------------------------------------------------------------------------------- */

void scri_reader_fail(scri_reader* r, scri_yaml_place place, const char* format, ...)
{
    if (r->status) return;
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    r->status = scri_yaml_fail(&r->source, place, SCREE_ERROR_INPUT, "%s", what);
}

void* scri_reader_take(scri_reader* r, size_t count, size_t size)
{
    if (r->status) return NULL;
    void* memory = scri_arena_take(r->source.arena, count, size);
    if (!memory) r->status = SCREE_ERROR_MEMORY;
    return memory;
}

static void* take(void* user, size_t size)
{
    return scri_arena_take(((scri_asked*)user)->arena, 1, size);
}

static void leave(void* user, void* memory)
{
    (void)user, (void)memory; /* the arena gives everything back at once */
}

static void hear(void* user, scree_log_level level, const char* text)
{
    scri_asked* asked = user;
    (void)level;
    snprintf(asked->said, sizeof asked->said, "%s", text);
}

void scri_ask_begin(scri_reader* r, scri_asked* out)
{
    *out = (scri_asked){.env = {.alloc = take, .release = leave, .log = hear, .user = out},
                        .arena = r->source.arena};
}

void scri_ask_end(scri_reader* r, scri_yaml_place place, const scri_asked* asked,
                  scree_status status)
{
    if (r->status) return;
    if (status == SCREE_ERROR_MEMORY) {
        r->status = status;
    } else if (status) {
        scri_reader_fail(r, place, "%s", asked->said);
    }
}

static const char* kind_name(const scri_yaml* node)
{
    if (scri_yaml_is_empty(node)) return "nothing";
    return node->kind == SCRI_YAML_MAP    ? "a map"
           : node->kind == SCRI_YAML_LIST ? "a list"
                                          : "a text";
}

/* ---- maps and lists -------------------------------------------------------------------------- */

static void fail_key(scri_reader* r, const scri_yaml* key, const char* what,
                     const char* const* keys)
{
    char known[64];
    scri_nearest nearest = scri_nearest_begin(key->text);
    for (int k = 0; keys[k]; ++k) scri_nearest_consider(&nearest, keys[k]);
    snprintf(known, sizeof known, "%s has", what);
    scri_reader_fail(r, key->place, "unknown key '%s'; %s", scri_show(key->text).text,
                     scri_nearest_hint(&nearest, known, "").text);
}

static bool is_one_of(const char* word, const char* const* words)
{
    for (int k = 0; words[k]; ++k) {
        if (strcmp(word, words[k]) == 0) return true;
    }
    return false;
}

bool scri_is_map_of(scri_reader* r, const scri_yaml* map, const char* what, const char* const* keys)
{
    if (r->status) return false;
    if (map->kind != SCRI_YAML_MAP) {
        scri_reader_fail(r, map->place, "%s is expected as a map of keys and values, not %s", what,
                         kind_name(map));
        return false;
    }
    for (const scri_yaml* key = map->first; key; key = key->next) {
        if (is_one_of(key->text, keys)) continue;
        fail_key(r, key, what, keys);
        return false;
    }
    return true;
}

const scri_yaml* scri_get(const scri_yaml* map, const char* key)
{
    if (map->kind != SCRI_YAML_MAP) return NULL;
    const scri_yaml* found = scri_yaml_find(map, key);
    return found ? found->value : NULL;
}

const scri_yaml* scri_get_map(scri_reader* r, const scri_yaml* map, const char* key,
                              const char* what, const char* const* keys)
{
    const scri_yaml* value = r->status ? NULL : scri_get(map, key);
    if (!value || scri_yaml_is_empty(value)) return NULL;
    return scri_is_map_of(r, value, what, keys) ? value : NULL;
}

const scri_yaml* scri_need(scri_reader* r, const scri_yaml* map, const char* what, const char* key)
{
    if (r->status) return NULL;
    const scri_yaml* value = scri_get(map, key);
    if (!value) scri_reader_fail(r, map->place, "%s needs '%s'", what, key);
    return value;
}

const scri_yaml* scri_get_list(scri_reader* r, const scri_yaml* map, const char* key, int32_t* n)
{
    *n = 0;
    const scri_yaml* list = r->status ? NULL : scri_get(map, key);
    if (!list || scri_yaml_is_empty(list)) return NULL;
    if (list->kind != SCRI_YAML_LIST) {
        scri_reader_fail(r, list->place, "%s: a list is expected, not %s", key, kind_name(list));
        return NULL;
    }
    *n = (int32_t)list->n;
    return list->first;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static const struct {
    const char* rule;
    double low, high;
    bool low_open, high_open, may_be_infinite;
} ranges[SCRI_RANGE_COUNT] = {
    [SCRI_ANY] = {"must be finite", -HUGE_VAL, HUGE_VAL, false, false, false},
    [SCRI_NOT_NEGATIVE] = {"must not be negative", 0.0, HUGE_VAL, false, false, false},
    [SCRI_POSITIVE] = {"must be positive", 0.0, HUGE_VAL, true, false, false},
    [SCRI_FRACTION] = {"must be from 0 to 1", 0.0, 1.0, false, false, false},
    [SCRI_UPPER_HALF] = {"must be from 0.5 to 1", 0.5, 1.0, false, false, false},
    [SCRI_PROPER_PART] = {"must be from 0 to less than 1", 0.0, 1.0, false, true, false},
    [SCRI_PERHAPS_NEVER] = {"must be positive", 0.0, HUGE_VAL, true, false, true},
};

static bool in_range(scri_range range, double x)
{
    return (ranges[range].low_open ? x > ranges[range].low : x >= ranges[range].low) &&
           (ranges[range].high_open ? x < ranges[range].high : x <= ranges[range].high);
}

static void evaluate(scri_reader* r, const scri_yaml* node, const char* name, double* value)
{
    if (r->status) return;
    if (node->kind != SCRI_YAML_SCALAR) {
        scri_reader_fail(r, node->place, "%s: a number is expected, not %s", name, kind_name(node));
        return;
    }
    scri_expression_fault fault;
    if (!scri_expression_evaluate(node->text, node->length, r->info->n_parameters, r->parameters,
                                  value, &fault)) {
        scri_reader_fail(r, scri_yaml_inside(node, fault.at), "%s: %s", name, fault.text);
    }
}

void scri_evaluate(scri_reader* r, const scri_yaml* node, const char* name, scri_range range,
                   double* value)
{
    double x = 0.0;
    evaluate(r, node, name, &x);
    if (r->status) return;
    if (!isfinite(x) && !(ranges[range].may_be_infinite && x > 0.0)) {
        scri_reader_fail(r, node->place, "%s: the result is not a finite number", name);
    } else if (!in_range(range, x)) {
        scri_reader_fail(r, node->place, "%s = %g %s", name, x, ranges[range].rule);
    } else {
        *value = x;
    }
}

void scri_read_number(scri_reader* r, const scri_yaml* map, const char* key, scri_range range,
                      double* value)
{
    const scri_yaml* node = scri_get(map, key);
    if (node) scri_evaluate(r, node, key, range, value);
}

void scri_read_integer(scri_reader* r, const scri_yaml* map, const char* key, int64_t low,
                       int64_t high, int64_t* value)
{
    const scri_yaml* node = scri_get(map, key);
    if (!node) return;
    double x = 0.0;
    scri_evaluate(r, node, key, SCRI_ANY, &x);
    if (r->status) return;
    if (x != floor(x)) {
        scri_reader_fail(r, node->place, "%s = %g must be a whole number", key, x);
    } else if (!(x >= (double)low && x <= (double)high)) {
        scri_reader_fail(r, node->place, "%s = %.17g must be from %" PRId64 " to %" PRId64, key, x,
                         low, high);
    } else {
        *value = (int64_t)x;
    }
}

void scri_read_numbers(scri_reader* r, const scri_yaml* list, const char* name, int n,
                       double* value)
{
    if (r->status) return;
    if (list->kind != SCRI_YAML_LIST || list->n != n) {
        scri_reader_fail(r, list->place, "%s: a list of %d numbers is expected", name, n);
        return;
    }
    double read[9];
    const scri_yaml* item = list->first;
    for (int k = 0; k < n; ++k, item = item->next) scri_evaluate(r, item, name, SCRI_ANY, &read[k]);
    if (!r->status) memcpy(value, read, (size_t)n * sizeof *value);
}

void scri_read_vector(scri_reader* r, const scri_yaml* map, const char* key, double value[3])
{
    const scri_yaml* node = scri_get(map, key);
    if (node) scri_read_numbers(r, node, key, 3, value);
}

void scri_read_region(scri_reader* r, const scri_yaml* map, const char* key, double from[3],
                      double to[3])
{
    static const char* const keys[] = {"from", "to", NULL};
    const scri_yaml* region = scri_get(map, key);
    if (!region || !scri_is_map_of(r, region, key, keys)) return;
    if (!scri_need(r, region, key, "from") || !scri_need(r, region, key, "to")) return;
    scri_read_vector(r, region, "from", from);
    scri_read_vector(r, region, "to", to);
    for (int k = 0; k < 3 && !r->status; ++k) {
        if (from[k] <= to[k]) continue;
        scri_reader_fail(r, region->place, "%s: from = %g lies beyond to = %g", key, from[k],
                         to[k]);
    }
}

/* ---- rotations ------------------------------------------------------------------------------- */

/* {axis: [x, y, z], angle: rad}, or degrees instead of the angle */
static void read_axis_angle(scri_reader* r, const scri_yaml* map, double value[4])
{
    static const char* const keys[] = {"axis", "angle", "degrees", NULL};
    double axis[3] = {0.0}, angle = 0.0, degrees = 0.0;
    if (!scri_is_map_of(r, map, "a rotation", keys) || !scri_need(r, map, "a rotation", "axis")) {
        return;
    }
    const scri_yaml* in_degrees = scri_get(map, "degrees");
    if (in_degrees && scri_get(map, "angle")) {
        scri_reader_fail(r, in_degrees->place, "a rotation has either 'angle' or 'degrees'");
    } else if (!in_degrees && !scri_need(r, map, "a rotation", "angle")) {
        return;
    }
    scri_read_vector(r, map, "axis", axis);
    scri_read_number(r, map, "angle", SCRI_ANY, &angle);
    scri_read_number(r, map, "degrees", SCRI_ANY, &degrees);
    angle += degrees * SCREE_DEGREE;
    double length = scri_vec_length(scri_vec_load(axis));
    if (!r->status && !(length > 0.0 && isfinite(length))) {
        scri_reader_fail(r, scri_get(map, "axis")->place, "axis has no direction");
    }
    if (r->status) return;
    scri_vec turn = scri_vec_scale(angle / length, scri_vec_load(axis));
    scri_quat_store(scri_quat_normalize(scri_quat_exp(turn)), value);
}

static void read_quaternion(scri_reader* r, const scri_yaml* list, const char* name,
                            double value[4])
{
    double q[4] = {1.0};
    scri_read_numbers(r, list, name, 4, q);
    if (r->status) return;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= UNIT_TOLERANCE)) {
        scri_reader_fail(r, list->place, "%s: the quaternion w, x, y, z has length %g, not 1", name,
                         length);
        return;
    }
    /* One that has all digits is kept to the last of them. */
    scri_quat given = scri_quat_load(q);
    bool is_exact = fabs(length - 1.0) <= UNIT_ROUNDING;
    scri_quat_store(is_exact ? given : scri_quat_normalize(given), value);
}

void scri_read_rotation(scri_reader* r, const scri_yaml* map, const char* key, double value[4])
{
    const scri_yaml* node = scri_get(map, key);
    if (!node || r->status) return;
    if (node->kind == SCRI_YAML_MAP) {
        read_axis_angle(r, node, value);
    } else if (node->kind == SCRI_YAML_LIST) {
        read_quaternion(r, node, key, value);
    } else {
        scri_reader_fail(r, node->place,
                         "%s: a quaternion [w, x, y, z] or {axis: [x, y, z], angle: ...} is "
                         "expected",
                         key);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

static const char* text_parameter(scri_reader* r, const scri_yaml* node)
{
    const char* name = node->text + 1;
    scri_nearest nearest = scri_nearest_begin(name);
    for (int32_t k = 0; k < r->info->n_parameters; ++k) {
        const scree_parameter* p = &r->parameters[k];
        if (strcmp(p->name, name) != 0) {
            if (p->text) scri_nearest_consider(&nearest, p->name);
        } else if (p->text) {
            return p->text;
        } else {
            scri_reader_fail(r, node->place, "parameter '%s' is a number, where a text is expected",
                             name);
            return NULL;
        }
    }
    scri_reader_fail(
        r, node->place, "unknown parameter '%s'; %s", scri_show(name).text,
        scri_nearest_hint(&nearest, "those with a text are", "no parameter has a text").text);
    return NULL;
}

const char* scri_text_of(scri_reader* r, const scri_yaml* node, const char* name)
{
    if (r->status) return NULL;
    if (node->kind != SCRI_YAML_SCALAR || scri_yaml_is_empty(node)) {
        scri_reader_fail(r, node->place, "%s: a text is expected, not %s", name, kind_name(node));
        return NULL;
    }
    if (node->text[0] == '$' && !node->quoted) return text_parameter(r, node);
    return node->text;
}

const char* scri_name_of(scri_reader* r, const scri_yaml* node, const char* name)
{
    const char* text = scri_text_of(r, node, name);
    if (!text) return NULL;
    bool good = text[0] != '\0' && strlen(text) <= 64;
    for (const char* c = text; *c; ++c) {
        if ((unsigned char)*c <= ' ' || *c == 0x7f || *c == '.' || *c == '=') good = false;
    }
    if (good) return text;
    scri_reader_fail(r, node->place,
                     "%s: '%s' is no name: 1 to 64 characters without white space, '.' and '='",
                     name, scri_show(text).text);
    return NULL;
}

void scri_read_choice(scri_reader* r, const scri_yaml* map, const char* key,
                      const char* const* names, int* value)
{
    const scri_yaml* node = scri_get(map, key);
    const char* text = node ? scri_text_of(r, node, key) : NULL;
    if (!text) return;
    scri_nearest nearest = scri_nearest_begin(text);
    for (int k = 0; names[k]; ++k) {
        if (strcmp(text, names[k]) == 0) {
            *value = k;
            return;
        }
        scri_nearest_consider(&nearest, names[k]);
    }
    scri_reader_fail(r, node->place, "unknown %s '%s'; %s", key, scri_show(text).text,
                     scri_nearest_hint(&nearest, "known are", "").text);
}

void scri_read_truth(scri_reader* r, const scri_yaml* map, const char* key, int* value)
{
    static const char* const names[] = {"no", "yes", "false", "true", NULL};
    int choice = *value;
    scri_read_choice(r, map, key, names, &choice);
    *value = choice & 1;
}
