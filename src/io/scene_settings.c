/* Parameters, named numbers and texts, and settings "key=value": these change the tree before
 * anything is read from it, so that a value from a setting passes the same checks as one from the
 * file. */
#include "io/scene_expression.h"
#include "io/scene_loop.h"
#include "io/scene_suggest.h"

#include <math.h>
#include <string.h>

/* ---- parameters ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_identifier(const char* name)
{
    if (!is_letter(name[0]) || strlen(name) > 60) return false;
    for (const char* c = name; *c; ++c) {
        if (!is_letter(*c) && !is_digit(*c)) return false;
    }
    return true;
}

/* A name with an ending such as "columns.csv", which no expression has: what follows the last dot
 * begins with a letter and is not the exponent of a number. */
static bool is_file_name(const char* text)
{
    const char* dot = strrchr(text, '.');
    if (!dot || dot == text || is_digit(text[0]) || !is_letter(dot[1])) return false;
    const char* c = dot + 1;
    if ((*c == 'e' || *c == 'E') && is_digit(c[1])) return false;
    while (is_letter(*c) || is_digit(*c)) ++c;
    return *c == '\0';
}

bool scri_is_text_value(const scri_yaml* node)
{
    return node->kind == SCRI_YAML_SCALAR && (node->quoted || is_file_name(node->text));
}

void scri_check_parameter_name(scri_reader* r, const scri_yaml* key)
{
    if (!is_identifier(key->text)) {
        scri_reader_fail(r, key->place,
                         "'%s' is no name of a parameter: letters, digits and '_', at most 60",
                         scri_show(key->text).text);
    } else if (scri_expression_reserves(key->text)) {
        scri_reader_fail(r, key->place, "'%s' has a meaning in expressions already", key->text);
    }
}

/* {value: ..., meaning: ...} */
static const scri_yaml* read_long_form(scri_reader* r, const scri_yaml* map, scree_parameter* out)
{
    static const char* const keys[] = {"value", "meaning", NULL};
    for (const scri_yaml* key = map->first; key; key = key->next) {
        if (key->value && scri_yaml_is_empty(key->value) && map->n > 2) {
            scri_reader_fail(r, key->place, "unknown key '%s'; quote a text that holds a comma",
                             scri_show(key->text).text);
        }
    }
    if (!scri_is_map_of(r, map, "a parameter", keys)) return NULL;
    const scri_yaml* meaning = scri_get(map, "meaning");
    if (meaning) out->meaning = scri_text_of(r, meaning, "meaning");
    return scri_need(r, map, "a parameter", "value");
}

static void read_parameter(scri_reader* r, const scri_yaml* key, scree_parameter* out)
{
    scri_check_parameter_name(r, key);
    if (r->status) return;
    *out = (scree_parameter){.name = key->text, .meaning = ""};
    const scri_yaml* value = key->value;
    if (value->kind == SCRI_YAML_MAP) value = read_long_form(r, value, out);
    if (r->status) return;
    if (scri_is_text_value(value)) {
        out->text = value->text;
    } else {
        scri_evaluate(r, value, key->text, SCRI_ANY, &out->value);
    }
}

void scri_read_parameters(scri_reader* r, const scri_yaml* root)
{
    enum { MORE = SCRI_LOOP_DEPTH * SCRI_LOOP_INDICES };
    const scri_yaml* map = r->status ? NULL : scri_get(root, "parameters");
    bool is_there = map && !scri_yaml_is_empty(map);
    size_t n = is_there && map->kind == SCRI_YAML_MAP ? (size_t)map->n : 0;
    r->parameters = scri_reader_take(r, n + MORE, sizeof *r->parameters);
    r->info->parameters = r->parameters;
    if (!is_there || r->status) return;
    if (map->kind != SCRI_YAML_MAP) {
        scri_reader_fail(r, map->place, "parameters: a map of names and values is expected");
        return;
    }
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        read_parameter(r, key, &r->parameters[r->info->n_parameters]);
        ++r->info->n_parameters; /* from here on expressions know it */
    }
}

/* ---- settings: on their way into the tree ---- */

/* A setting on its way into the tree. */
typedef struct setting {
    scri_reader* r;
    scri_yaml* root;
    scri_yaml_place place;
    char* key; /* a copy; dots become zeros as the path is followed */
    scri_yaml* value;
} setting;

/* Becomes `value` but keeps its place in the list or map. */
static void overwrite(scri_yaml* node, const scri_yaml* value)
{
    scri_yaml* next = node->next;
    *node = *value;
    node->next = next;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static scri_yaml* parameters_of(const scri_yaml* root)
{
    scri_yaml* key = scri_yaml_find(root, "parameters");
    return key && key->value->kind == SCRI_YAML_MAP ? key->value : NULL;
}

/* Where the value of a parameter stands; NULL when there is no such parameter. */
static scri_yaml* find_parameter(const setting* s, const char* name)
{
    const scri_yaml* map = parameters_of(s->root);
    const scri_yaml* key = map ? scri_yaml_find(map, name) : NULL;
    if (!key) return NULL;
    if (key->value->kind != SCRI_YAML_MAP) return key->value;
    const scri_yaml* inner = scri_yaml_find(key->value, "value");
    return inner ? inner->value : key->value;
}

static void set_parameter(const setting* s, scri_yaml* old)
{
    if (s->value->kind != SCRI_YAML_SCALAR) {
        scri_reader_fail(s->r, s->place, "a parameter is a number or a text");
    } else if (scri_is_text_value(old)) {
        s->value->quoted = true;
    } else if (scri_is_text_value(s->value)) {
        scri_reader_fail(s->r, s->place, "parameter '%s' is a number, not a text", s->key);
    }
    if (!s->r->status) overwrite(old, s->value);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static void fail_unknown(const setting* s, const char* what, const char* name,
                         const scri_nearest* nearest, const char* none)
{
    scri_reader_fail(s->r, s->place, "unknown %s '%s'; %s", what, scri_show(name).text,
                     scri_nearest_hint(nearest, "there are", none).text);
}

/* The first word of a path, or all of it, is neither a parameter nor a key of a scene. */
static void fail_first(const setting* s, const char* name)
{
    const scri_yaml* parameters = parameters_of(s->root);
    scri_nearest nearest = scri_nearest_begin(name);
    for (const scri_yaml* k = parameters ? parameters->first : NULL; k; k = k->next) {
        scri_nearest_consider(&nearest, k->text);
    }
    for (int k = 0; scri_scene_keys[k]; ++k) scri_nearest_consider(&nearest, scri_scene_keys[k]);
    fail_unknown(s, "parameter or key", name, &nearest, "");
}

static bool is_scene_key(const char* name)
{
    for (int k = 0; scri_scene_keys[k]; ++k) {
        if (strcmp(name, scri_scene_keys[k]) == 0) return true;
    }
    return false;
}

/* What an item of a list is called in paths: by its name, or by that of its body or joint. */
static const char* name_of(const scri_yaml* item)
{
    const scri_yaml* name = scri_get(item, "name");
    const scri_yaml* body = scri_get(item, scri_get(item, "joint") ? "joint" : "body");
    if (!name && body) name = body->kind == SCRI_YAML_MAP ? scri_get(body, "name") : body;
    return name && name->kind == SCRI_YAML_SCALAR ? name->text : NULL;
}

/* The number in `text`, or -1. */
static int index_of(const char* text)
{
    int index = 0;
    for (const char* c = text; *c; ++c) {
        if (*c < '0' || *c > '9' || index > SCRI_YAML_MAX_VALUES) return -1;
        index = 10 * index + (*c - '0');
    }
    return *text ? index : -1;
}

static scri_yaml* item_of(const setting* s, const scri_yaml* list, const char* name)
{
    int index = index_of(name), k = 0;
    scri_nearest nearest = scri_nearest_begin(name);
    for (scri_yaml* item = list->first; item; item = item->next, ++k) {
        const char* called = name_of(item);
        if (called && strcmp(called, name) == 0) return item;
        if (called) scri_nearest_consider(&nearest, called);
    }
    scri_yaml* item = index >= 0 && index < list->n ? list->first : NULL;
    for (k = 0; item && k < index; ++k) item = item->next;
    if (!item && index >= 0) {
        scri_reader_fail(s->r, s->place, "no item %d; the list has %d, counted from 0", index,
                         list->n);
    } else if (!item) {
        fail_unknown(s, "item", name, &nearest, "no item has a name: count them from 0");
    }
    return item;
}

/* The value under a key. A key that is not there is added; whether it may be is found when it is
 * read, but for maps whose keys are the user's. */
static scri_yaml* value_of(const setting* s, scri_yaml* map, const char* key, bool must_exist)
{
    scri_yaml* found = scri_yaml_find(map, key);
    if (found) return found->value;
    if (must_exist) {
        scri_nearest nearest = scri_nearest_begin(key);
        for (const scri_yaml* k = map->first; k; k = k->next) {
            scri_nearest_consider(&nearest, k->text);
        }
        fail_unknown(s, "name", key, &nearest, "there is none");
        return NULL;
    }
    scri_yaml* added = scri_yaml_create(s->r->source.arena, s->place, key);
    scri_yaml* value = scri_yaml_create(s->r->source.arena, s->place, NULL);
    if (!added || !value) {
        s->r->status = SCREE_ERROR_MEMORY;
        return NULL;
    }
    added->value = value;
    scri_yaml_append(map, added);
    return value;
}

static scri_yaml* follow(const setting* s, scri_yaml* from, const char* word, const char* before)
{
    if (word[0] == '\0') {
        scri_reader_fail(s->r, s->place, "a word is missing in the path");
        return NULL;
    }
    if (from->kind == SCRI_YAML_LIST) return item_of(s, from, word);
    if (scri_yaml_is_empty(from)) {
        *from = (scri_yaml){.kind = SCRI_YAML_MAP, .place = s->place, .next = from->next};
    }
    if (from->kind == SCRI_YAML_SCALAR) {
        scri_reader_fail(s->r, s->place, "'%s' is a value; nothing lies below it", before);
        return NULL;
    }
    bool own =
        from == parameters_of(s->root) || (scri_get(s->root, "materials") == from && from->n > 0);
    return value_of(s, from, word, own);
}

static void set_path(const setting* s)
{
    const char *word = s->key, *before = "";
    scri_yaml* at = s->root;
    while (word && !s->r->status) {
        char* dot = strchr(word, '.');
        if (dot) *dot = '\0';
        if (at == s->root && !is_scene_key(word)) {
            fail_first(s, word);
            return;
        }
        at = follow(s, at, word, before);
        before = word;
        word = dot ? dot + 1 : NULL;
    }
    if (!s->r->status) overwrite(at, s->value);
}

/* ---- all settings ---------------------------------------------------------------------------- */

static void apply(scri_reader* r, scri_yaml* root, const char* text)
{
    setting s = {.r = r, .root = root, .place = {.setting = text}};
    const char* equals = strchr(text, '=');
    if (!equals || equals == text) {
        scri_reader_fail(r, s.place, "KEY=VALUE is expected");
        return;
    }
    size_t length = (size_t)(equals - text);
    s.key = scri_reader_take(r, length + 1, 1);
    if (!s.key) return;
    memcpy(s.key, text, length);
    scri_yaml_source source = r->source;
    source.setting = text;
    r->status = scri_yaml_load(&source, equals + 1, strlen(equals + 1), &s.value);
    if (r->status) return;
    if (!s.value) {
        scri_reader_fail(r, s.place, "there is no value");
        return;
    }
    scri_yaml* parameter = find_parameter(&s, s.key);
    if (parameter) {
        set_parameter(&s, parameter);
    } else {
        set_path(&s);
    }
}

void scri_apply_setting(scri_reader* r, scri_yaml* root, const char* text)
{
    if (!r->status) apply(r, root, text);
}
