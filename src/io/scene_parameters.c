/* Parameters of a scene: named numbers and texts that settings can change. */
#include "io/scene_expression.h"
#include "io/scene_reader.h"

#include <math.h>
#include <string.h>

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

static void check_name(scri_reader* r, const scri_yaml* key)
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
    check_name(r, key);
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
    const scri_yaml* map = r->status ? NULL : scri_get(root, "parameters");
    if (!map || scri_yaml_is_empty(map)) return;
    if (map->kind != SCRI_YAML_MAP) {
        scri_reader_fail(r, map->place, "parameters: a map of names and values is expected");
        return;
    }
    r->parameters = scri_reader_take(r, (size_t)map->n, sizeof *r->parameters);
    r->info->parameters = r->parameters;
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        read_parameter(r, key, &r->parameters[r->info->n_parameters]);
        ++r->info->n_parameters; /* from here on expressions know it */
    }
}
