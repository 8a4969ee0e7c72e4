#include "io/xml_tree.h"

#include "base/env.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

bool scri_is_xml(const char* text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    size_t k = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    while (k < size && strchr(" \t\r\n", text[k]) && text[k]) ++k;
    return k < size && text[k] == '<';
}

/* ---- from events to the tree ----------------------------------------------------------------- */

typedef struct builder {
    const scri_yaml_source* source;
    XML_Parser parser;
    scree_status status; /* of the first fault; expat is stopped there */
    scri_xml *root, *at; /* the innermost open element */
    int depth, n_values;
} builder;

static scri_yaml_place here(const builder* b)
{
    return (scri_yaml_place){.line = (int)XML_GetCurrentLineNumber(b->parser),
                             .column = (int)XML_GetCurrentColumnNumber(b->parser) + 1};
}

static void stop(builder* b, scree_status status, const char* what)
{
    if (b->status) return;
    b->status = status == SCREE_ERROR_MEMORY
                    ? status
                    : scri_yaml_fail(b->source, here(b), status, "%s", what);
    XML_StopParser(b->parser, XML_FALSE);
}

static void* take(builder* b, size_t count, size_t size)
{
    void* memory = NULL;
    if (++b->n_values > SCRI_YAML_MAX_VALUES) {
        stop(b, SCREE_ERROR_FORMAT, "more than a million elements and attributes");
    } else {
        memory = scri_arena_take(b->source->arena, count, size);
        if (!memory) stop(b, SCREE_ERROR_MEMORY, "");
    }
    return memory;
}

static const char* copy(builder* b, const char* text)
{
    size_t size = strlen(text) + 1;
    char* memory = take(b, size, 1);
    if (memory) memcpy(memory, text, size);
    return memory;
}

static void put(scri_xml* to, scri_xml* element)
{
    element->parent = to;
    if (to->last) {
        to->last->next = element;
    } else {
        to->first = element;
    }
    to->last = element;
}

static void read_attributes(builder* b, scri_xml* element, const XML_Char** attributes)
{
    scri_xml_attribute** end = &element->attributes;
    for (size_t k = 0; attributes[k] && !b->status; k += 2) {
        scri_xml_attribute* a = take(b, 1, sizeof *a);
        if (!a) return;
        a->name = copy(b, attributes[k]);
        a->value = copy(b, attributes[k + 1]);
        *end = a;
        end = &a->next;
    }
}

static void XMLCALL begin_element(void* user, const XML_Char* name, const XML_Char** attributes)
{
    builder* b = user;
    if (b->status) return;
    if (b->depth++ == SCRI_YAML_MAX_DEPTH) {
        stop(b, SCREE_ERROR_FORMAT, "nested deeper than 64 levels");
        return;
    }
    scri_xml* element = take(b, 1, sizeof *element);
    if (!element) return;
    element->name = copy(b, name);
    element->place = here(b);
    if (b->at) {
        put(b->at, element);
    } else {
        b->root = element;
    }
    b->at = element;
    read_attributes(b, element, attributes);
}

static void XMLCALL end_element(void* user, const XML_Char* name)
{
    builder* b = user;
    (void)name;
    if (b->status) return;
    --b->depth;
    b->at = b->at->parent;
}

/* What a document type declares are entities, and a handful of them may stand for more text than a
 * machine holds. */
static void XMLCALL meet_type(void* user, const XML_Char* name, const XML_Char* system,
                              const XML_Char* public, int has_more)
{
    (void)name, (void)system, (void)public, (void)has_more;
    stop(user, SCREE_ERROR_FORMAT, "a document type, and entities, are not allowed");
}

static scree_status parse(builder* b, const char* text, size_t size)
{
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(b->parser, meet_type);
    if (XML_Parse(b->parser, text, (int)size, 1) == XML_STATUS_OK || b->status) return b->status;
    enum XML_Error error = XML_GetErrorCode(b->parser);
    if (error == XML_ERROR_NO_MEMORY) return SCREE_ERROR_MEMORY;
    return scri_yaml_fail(b->source, here(b), SCREE_ERROR_FORMAT, "not XML: %s",
                          XML_ErrorString(error));
}

scree_status scri_xml_load(const scri_yaml_source* source, const char* text, size_t size,
                           scri_xml** root)
{
    *root = NULL;
    if (size > SCRI_YAML_MAX_SIZE) {
        return scri_yaml_fail(source, (scri_yaml_place){.line = 1, .column = 1}, SCREE_ERROR_FORMAT,
                              "longer than %d bytes", (int)SCRI_YAML_MAX_SIZE);
    }
    builder b = {.source = source, .parser = XML_ParserCreate(NULL)};
    if (!b.parser) return SCREE_ERROR_MEMORY;
    scree_status status = parse(&b, text, size);
    XML_ParserFree(b.parser);
    if (!status) *root = b.root;
    return status;
}

/* ---- reading it ------------------------------------------------------------------------------ */

const char* scri_xml_get(scri_xml* element, const char* name)
{
    for (scri_xml_attribute* a = element->attributes; a; a = a->next) {
        if (strcmp(a->name, name) != 0) continue;
        a->is_read = true;
        return a->value;
    }
    return NULL;
}

void scri_xml_forgive(scri_xml* element)
{
    for (scri_xml_attribute* a = element->attributes; a; a = a->next) a->is_read = true;
}

static scri_xml* first_called(scri_xml* from, const char* name)
{
    while (from && name && strcmp(from->name, name) != 0) from = from->next;
    if (from) from->is_read = true;
    return from;
}

scri_xml* scri_xml_child(scri_xml* element, const char* name)
{
    return first_called(element->first, name);
}

scri_xml* scri_xml_sibling(scri_xml* child, const char* name)
{
    return first_called(child->next, name);
}

/* ---- what was not read ----------------------------------------------------------------------- */

/* One name that was not understood: of an element, or of an element's attribute. */
typedef struct unread {
    struct unread* next;
    const char *element, *attribute; /* the second may be NULL */
    scri_yaml_place place;
    int n;
    char lines[200]; /* of the others */
    size_t used;
    int n_shown;
} unread;

static void add_line(unread* u, int line)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%s%d", u->used ? ", " : "", line);
    ++u->n;
    if (u->n == 1 || u->used + (size_t)n + 1 > sizeof u->lines) return;
    memcpy(u->lines + u->used, text, (size_t)n + 1);
    u->used += (size_t)n;
    ++u->n_shown;
}

static void note(const scri_yaml_source* source, unread** list, const scri_xml* element,
                 const char* attribute)
{
    unread** at = list;
    for (; *at; at = &(*at)->next) {
        bool same = strcmp((*at)->element, element->name) == 0 && !(*at)->attribute == !attribute;
        if (same && (!attribute || strcmp((*at)->attribute, attribute) == 0)) break;
    }
    if (!*at) {
        *at = scri_arena_take(source->arena, 1, sizeof **at);
        if (!*at) return; /* one warning less, where memory is at its end */
        **at = (unread){.element = element->name, .attribute = attribute, .place = element->place};
    }
    add_line(*at, element->place.line);
}

/* The element that comes next in the file, inside `from` only where that was read. */
static const scri_xml* next_in_file(const scri_xml* from, const scri_xml* root)
{
    if (from->is_read && from->first) return from->first;
    while (from != root && !from->next) from = from->parent;
    return from == root ? NULL : from->next;
}

void scri_xml_list_unread(const scri_yaml_source* source, const scri_xml* root)
{
    unread* list = NULL;
    for (const scri_xml* e = root; e; e = next_in_file(e, root)) {
        if (!e->is_read) {
            note(source, &list, e, NULL);
            continue;
        }
        for (const scri_xml_attribute* a = e->attributes; a; a = a->next) {
            if (!a->is_read) note(source, &list, e, a->name);
        }
    }
    for (const unread* u = list; u; u = u->next) {
        char rest[24] = "";
        int hidden = u->n - 1 - u->n_shown;
        if (hidden > 0) snprintf(rest, sizeof rest, " and %d more", hidden);
        scri_warn(source->env, "%s:%d: %s%s<%s> is not understood and left out%s%s%s", source->path,
                  u->place.line, u->attribute ? u->attribute : "", u->attribute ? " of " : "",
                  scri_show(u->element).text, u->used ? ", also in lines " : "", u->lines, rest);
    }
}
