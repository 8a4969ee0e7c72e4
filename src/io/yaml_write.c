/* Maps and lists of maps in lines, lists of scalars between brackets. */
#include "io/yaml_write.h"

#include <string.h>

/* ---- scalars --------------------------------------------------------------------------------- */

static bool has_control(const char* text)
{
    for (; *text; ++text) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) return true;
    }
    return false;
}

static void write_escaped(FILE* out, const char* text)
{
    fputc('"', out);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f) {
            fprintf(out, "\\x%02x", c);
        } else {
            if (c == '"' || c == '\\') fputc('\\', out);
            fputc(c, out);
        }
    }
    fputc('"', out);
}

static void write_quoted(FILE* out, const char* text)
{
    fputc('\'', out);
    for (; *text; ++text) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* What was plain remains so, but for what brackets and commas around it would end. */
static void write_scalar(FILE* out, const scri_yaml* node, bool in_brackets)
{
    if (has_control(node->text)) {
        write_escaped(out, node->text);
    } else if (node->quoted || (in_brackets && strpbrk(node->text, ",[]{}"))) {
        write_quoted(out, node->text);
    } else {
        fputs(node->length == 0 && in_brackets ? "~" : node->text, out);
    }
}

/* ---- lists and maps -------------------------------------------------------------------------- */

static bool is_short_list(const scri_yaml* node)
{
    if (node->kind != SCRI_YAML_LIST) return false;
    for (const scri_yaml* item = node->first; item; item = item->next) {
        if (item->kind != SCRI_YAML_SCALAR) return false;
    }
    return true;
}

/* What fits behind a key or a dash: a scalar, a list of scalars, something empty. */
static bool is_short(const scri_yaml* node)
{
    if (node->kind == SCRI_YAML_MAP) return node->n == 0;
    return node->kind == SCRI_YAML_SCALAR || is_short_list(node);
}

static bool is_blank(const scri_yaml* node)
{
    return node->kind == SCRI_YAML_SCALAR && node->length == 0 && !node->quoted;
}

static void write_short(FILE* out, const scri_yaml* node)
{
    if (node->kind == SCRI_YAML_SCALAR) {
        write_scalar(out, node, false);
        return;
    }
    fputs(node->kind == SCRI_YAML_MAP ? "{" : "[", out);
    for (const scri_yaml* item = node->first; item; item = item->next) {
        write_scalar(out, item, true);
        if (item->next) fputs(", ", out);
    }
    fputs(node->kind == SCRI_YAML_MAP ? "}" : "]", out);
}

/* A list or map of which some items have been written. */
typedef struct level {
    const scri_yaml* rest;
    bool is_map;
    int indent;
} level;

/* Writes the beginning of an item; true where its value is still to come, as the next level. */
static bool write_item(FILE* out, level* l, bool is_behind_dash, level* inner)
{
    const scri_yaml* item = l->rest;
    const scri_yaml* value = l->is_map ? item->value : item;
    l->rest = item->next;
    if (!is_behind_dash) fprintf(out, "%*s", l->indent, "");
    if (l->is_map) {
        write_scalar(out, item, false);
        fputc(':', out);
        if (is_short(value) && !is_blank(value)) fputc(' ', out);
    } else {
        fputs("- ", out);
    }
    if (is_short(value)) {
        write_short(out, value);
        fputc('\n', out);
        return false;
    }
    if (l->is_map) fputc('\n', out);
    *inner = (level){value->first, value->kind == SCRI_YAML_MAP, l->indent + 2};
    return true;
}

void scri_yaml_write(FILE* out, const scri_yaml* root)
{
    level stack[SCRI_YAML_MAX_DEPTH + 2];
    int depth = 0;
    if (is_short(root)) {
        write_short(out, root);
        fputc('\n', out);
        return;
    }
    stack[0] = (level){root->first, root->kind == SCRI_YAML_MAP, 0};
    bool is_behind_dash = false;
    while (depth >= 0) {
        level* l = &stack[depth];
        if (!l->rest) {
            --depth;
            continue;
        }
        bool from_list = !l->is_map;
        bool goes_on = write_item(out, l, is_behind_dash, &stack[depth + 1]);
        is_behind_dash = goes_on && from_list;
        if (goes_on) ++depth;
    }
}
