#include "io/yaml_tree.h"

#include "base/env.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

/* ---- places and messages --------------------------------------------------------------------- */

scree_status scri_yaml_fail(const scri_yaml_source* source, scri_yaml_place place,
                            scree_status status, const char* format, ...)
{
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (place.setting) return scri_fail(source->env, status, "%s: %s", place.setting, what);
    return scri_fail(source->env, status, "%s:%d:%d: %s", place.file ? place.file : source->path,
                     place.line, place.column, what);
}

scri_shown scri_show(const char* text)
{
    scri_shown shown;
    size_t n = strlen(text), room = sizeof shown.text - 4;
    size_t kept = n <= room ? n : room;
    /* Not in the middle of a character. */
    while (kept < n && kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) --kept;
    for (size_t k = 0; k < kept; ++k) {
        unsigned char c = (unsigned char)text[k];
        shown.text[k] = c < 0x20 || c == 0x7f ? '?' : text[k];
    }
    memcpy(shown.text + kept, kept < n ? "..." : "", kept < n ? 4 : 1);
    return shown;
}

static scri_yaml_place place_at(const scri_yaml_source* source, yaml_mark_t mark)
{
    return (scri_yaml_place){source->setting, (int)mark.line + 1, (int)mark.column + 1,
                             source->file};
}

/* Marks count characters; faults of the encoding come with a count of bytes. */
static scri_yaml_place place_of_byte(const scri_yaml_source* source, const char* text, size_t at)
{
    scri_yaml_place place = {source->setting, 1, 1, source->file};
    for (size_t k = 0; k < at; ++k) {
        if (text[k] == '\n') {
            ++place.line;
            place.column = 1;
        } else if (((unsigned char)text[k] & 0xc0) != 0x80) {
            ++place.column;
        }
    }
    return place;
}

scri_yaml_place scri_yaml_inside(const scri_yaml* scalar, size_t offset)
{
    scri_yaml_place place = scalar->place;
    if (scalar->text_column > 0) place.column = scalar->text_column + (int)offset;
    return place;
}

/* ---- the tree -------------------------------------------------------------------------------- */

scri_yaml* scri_yaml_create(scri_arena* arena, scri_yaml_place place, const char* text)
{
    scri_yaml* node = scri_arena_take(arena, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = text ? SCRI_YAML_SCALAR : SCRI_YAML_MAP;
    node->place = place;
    node->text = text;
    node->length = text ? strlen(text) : 0;
    return node;
}

void scri_yaml_append(scri_yaml* to, scri_yaml* item)
{
    if (to->last) {
        to->last->next = item;
    } else {
        to->first = item;
    }
    to->last = item;
    ++to->n;
}

scri_yaml* scri_yaml_find(const scri_yaml* map, const char* key)
{
    for (scri_yaml* k = map->first; k; k = k->next) {
        if (strcmp(k->text, key) == 0) return k;
    }
    return NULL;
}

bool scri_yaml_is_empty(const scri_yaml* node)
{
    return node->kind == SCRI_YAML_SCALAR && !node->quoted &&
           (node->length == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

/* ---- from events to the tree ----------------------------------------------------------------- */

/* Events rather than libyaml's own tree: its time grows with the square of the depth, and the
 * limits below stop a hostile text before that matters. */

/* A list or map that is still open. */
typedef struct level {
    scri_yaml* node;
    scri_yaml* key; /* of a map: without a value as yet */
} level;

typedef struct anchor {
    struct anchor* before;
    const char* name;
    scri_yaml* node;
} anchor;

typedef struct builder {
    const scri_yaml_source* source;
    scree_status status; /* why create() gave nothing */
    scri_yaml* root;
    level stack[SCRI_YAML_MAX_DEPTH];
    int depth;
    int* n_values;
    anchor* anchors; /* the newest first */
    int n_anchors;
} builder;

static scree_status fail_format(const builder* b, scri_yaml_place place, const char* what)
{
    return scri_yaml_fail(b->source, place, SCREE_ERROR_FORMAT, "%s", what);
}

static scree_status fail_limit(const builder* b, scri_yaml_place place, const char* what, int limit)
{
    return scri_yaml_fail(b->source, place, SCREE_ERROR_FORMAT, "more than %d %s", limit, what);
}

static scree_status check_key(const builder* b, const scri_yaml* map, const scri_yaml* key)
{
    if (key->kind != SCRI_YAML_SCALAR) return fail_format(b, key->place, "a key must be a text");
    const scri_yaml* other = scri_yaml_find(map, key->text);
    if (other) {
        return scri_yaml_fail(b->source, key->place, SCREE_ERROR_FORMAT,
                              "key '%s' was already given in line %d", scri_show(key->text).text,
                              other->place.line);
    }
    if (map->n < SCRI_YAML_MAX_KEYS) return SCREE_OK;
    return fail_limit(b, key->place, "keys in one map", SCRI_YAML_MAX_KEYS);
}

/* Puts a value where it belongs in the innermost list or map. */
static scree_status put(builder* b, scri_yaml* node)
{
    if (b->depth == 0) {
        b->root = node;
        return SCREE_OK;
    }
    level* l = &b->stack[b->depth - 1];
    if (l->key) {
        l->key->value = node;
        l->key = NULL;
        return SCREE_OK;
    }
    if (l->node->kind == SCRI_YAML_MAP) {
        scree_status status = check_key(b, l->node, node);
        if (status) return status;
        l->key = node;
    }
    scri_yaml_append(l->node, node);
    return SCREE_OK;
}

/* NULL with the reason in b->status when memory or the number of values is at its end. */
static scri_yaml* create(builder* b, scri_yaml_place place, scri_yaml_kind kind)
{
    if ((*b->n_values)++ == SCRI_YAML_MAX_VALUES) {
        b->status = fail_limit(b, place, "values (aliases copied out)", SCRI_YAML_MAX_VALUES);
        return NULL;
    }
    scri_yaml* node = scri_yaml_create(b->source->arena, place, NULL);
    if (!node) {
        b->status = SCREE_ERROR_MEMORY;
        return NULL;
    }
    node->kind = kind;
    return node;
}

static char* copy_text(const builder* b, const void* bytes, size_t length)
{
    char* text = scri_arena_take(b->source->arena, length + 1, 1);
    if (text && length > 0) memcpy(text, bytes, length);
    return text;
}

static scree_status note_anchor(builder* b, const yaml_char_t* name, scri_yaml* node)
{
    if (!name) return SCREE_OK;
    if (b->n_anchors++ == SCRI_YAML_MAX_KEYS) {
        return fail_limit(b, node->place, "anchors", SCRI_YAML_MAX_KEYS);
    }
    anchor* a = scri_arena_take(b->source->arena, 1, sizeof *a);
    if (!a) return SCREE_ERROR_MEMORY;
    *a = (anchor){b->anchors, copy_text(b, name, strlen((const char*)name)), node};
    b->anchors = a;
    return a->name ? SCREE_OK : SCREE_ERROR_MEMORY;
}

static scree_status read_scalar(builder* b, const yaml_event_t* event)
{
    scri_yaml_place place = place_at(b->source, event->start_mark);
    scri_yaml* node = create(b, place, SCRI_YAML_SCALAR);
    if (!node) return b->status;
    node->length = event->data.scalar.length;
    if (memchr(event->data.scalar.value, '\0', node->length)) {
        return fail_format(b, place, "a text holds a zero character");
    }
    node->text = copy_text(b, event->data.scalar.value, node->length);
    if (!node->text) return SCREE_ERROR_MEMORY;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    size_t written = event->end_mark.index - event->start_mark.index;
    size_t quotes = node->quoted ? 1 : 0;
    bool one_line = event->end_mark.line == event->start_mark.line;
    if (one_line && written == node->length + 2 * quotes) {
        node->text_column = place.column + (int)quotes;
    }
    scree_status status = note_anchor(b, event->data.scalar.anchor, node);
    return status ? status : put(b, node);
}

static scree_status open_level(builder* b, const yaml_event_t* event, scri_yaml_kind kind,
                               const yaml_char_t* name)
{
    scri_yaml_place place = place_at(b->source, event->start_mark);
    if (b->depth == SCRI_YAML_MAX_DEPTH) {
        return scri_yaml_fail(b->source, place, SCREE_ERROR_FORMAT, "nested deeper than %d levels",
                              (int)SCRI_YAML_MAX_DEPTH);
    }
    scri_yaml* node = create(b, place, kind);
    if (!node) return b->status;
    scree_status status = note_anchor(b, name, node);
    if (!status) status = put(b, node);
    if (!status) b->stack[b->depth++] = (level){.node = node};
    return status;
}

/* ---- aliases --------------------------------------------------------------------------------- */

static scri_yaml* copy_value(builder* b, scri_yaml_place place, const scri_yaml* from)
{
    scri_yaml* node = create(b, place, from->kind);
    if (!node) return NULL;
    *node = *from;
    node->n = 0;
    node->first = node->last = node->next = node->value = NULL;
    return node;
}

/* A list or map of which some items have been copied. */
typedef struct copied {
    const scri_yaml* rest;
    scri_yaml* to;
} copied;

/* Copies one item with its value; *inner is what has yet to be copied below it. */
static scree_status copy_item(builder* b, scri_yaml_place place, copied* c, copied* inner)
{
    const scri_yaml* from = c->rest;
    c->rest = from->next;
    scri_yaml* item = copy_value(b, place, from);
    if (!item) return b->status;
    scri_yaml_append(c->to, item);
    *inner = (copied){from->first, item};
    if (!from->value) return SCREE_OK;
    item->value = copy_value(b, place, from->value);
    if (!item->value) return b->status;
    *inner = (copied){from->value->first, item->value};
    return SCREE_OK;
}

static scree_status copy_below(builder* b, scri_yaml_place place, copied top)
{
    copied stack[SCRI_YAML_MAX_DEPTH + 1] = {top};
    int depth = 1;
    while (depth > 0) {
        if (!stack[depth - 1].rest) {
            --depth;
            continue;
        }
        if (b->depth + depth > SCRI_YAML_MAX_DEPTH) {
            return scri_yaml_fail(b->source, place, SCREE_ERROR_FORMAT,
                                  "nested deeper than %d levels", (int)SCRI_YAML_MAX_DEPTH);
        }
        scree_status status = copy_item(b, place, &stack[depth - 1], &stack[depth]);
        if (status) return status;
        ++depth;
    }
    return SCREE_OK;
}

static scree_status read_alias(builder* b, const yaml_event_t* event)
{
    const char* name = (const char*)event->data.alias.anchor;
    scri_yaml_place place = place_at(b->source, event->start_mark);
    const anchor* a = b->anchors;
    while (a && strcmp(a->name, name) != 0) a = a->before;
    if (!a) {
        return scri_yaml_fail(b->source, place, SCREE_ERROR_FORMAT,
                              "no anchor '&%s' for this alias", scri_show(name).text);
    }
    for (int k = 0; k < b->depth; ++k) {
        if (b->stack[k].node == a->node) return fail_format(b, place, "an alias contains itself");
    }
    scri_yaml* node = copy_value(b, place, a->node);
    if (!node) return b->status;
    scree_status status = copy_below(b, place, (copied){a->node->first, node});
    return status ? status : put(b, node);
}

/* ---- libyaml --------------------------------------------------------------------------------- */

static scree_status fail_parser(const scri_yaml_source* source, const yaml_parser_t* parser,
                                const char* text)
{
    if (parser->error == YAML_MEMORY_ERROR) return SCREE_ERROR_MEMORY;
    const char* problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_READER_ERROR) {
        return scri_yaml_fail(source, place_of_byte(source, text, parser->problem_offset),
                              SCREE_ERROR_FORMAT, "%s (texts are UTF-8)", problem);
    }
    return scri_yaml_fail(source, place_at(source, parser->problem_mark), SCREE_ERROR_FORMAT,
                          "%s%s%s", parser->context ? parser->context : "",
                          parser->context ? ": " : "", problem);
}

static scree_status handle(builder* b, const yaml_event_t* event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (!b->root) return SCREE_OK;
        return fail_format(b, place_at(b->source, event->start_mark),
                           "a second document begins here; there must be one");
    case YAML_SCALAR_EVENT:
        return read_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return read_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(b, event, SCRI_YAML_LIST, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_level(b, event, SCRI_YAML_MAP, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        if (b->depth > 0) --b->depth; /* libyaml ends only what has begun */
        return SCREE_OK;
    default:
        return SCREE_OK;
    }
}

static scree_status read_events(builder* b, yaml_parser_t* parser, const char* text)
{
    bool is_end = false;
    while (!is_end) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return fail_parser(b->source, parser, text);
        scree_status status = handle(b, &event);
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (status) return status;
    }
    return SCREE_OK;
}

scree_status scri_yaml_load(const scri_yaml_source* source, const char* text, size_t size,
                            scri_yaml** root)
{
    *root = NULL;
    if (size > SCRI_YAML_MAX_SIZE) {
        return scri_yaml_fail(source, place_of_byte(source, text, 0), SCREE_ERROR_FORMAT,
                              "longer than %d bytes", (int)SCRI_YAML_MAX_SIZE);
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return SCREE_ERROR_MEMORY;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char*)text, size);
    int alone = 0;
    builder b = {.source = source, .n_values = source->n_values ? source->n_values : &alone};
    scree_status status = read_events(&b, &parser, text);
    yaml_parser_delete(&parser);
    *root = b.root;
    return status;
}
