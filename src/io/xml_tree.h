/* XML as a tree whose elements and attributes know where they were written, and whether somebody
 * has read them: what nobody has is not understood, and is listed. */
#ifndef SCRI_XML_TREE_H
#define SCRI_XML_TREE_H

#include "io/yaml_tree.h"

typedef struct scri_xml_attribute {
    struct scri_xml_attribute* next;
    const char *name, *value;
    bool is_read;
} scri_xml_attribute;

typedef struct scri_xml scri_xml;
struct scri_xml {
    const char* name;
    scri_yaml_place place;
    scri_xml_attribute* attributes;
    scri_xml *parent, *first, *last, *next;
    bool is_read;
};

/* Whether a text is XML rather than YAML: its first character is '<'. */
bool scri_is_xml(const char* text, size_t size);

/* Reads the one document in text[size]. Limits are those of YAML; document types are refused,
 * for what their entities expand to has none. */
scree_status scri_xml_load(const scri_yaml_source* source, const char* text, size_t size,
                           scri_xml** root);

/* The value of an attribute, which counts as read from now on, or NULL. */
const char* scri_xml_get(scri_xml* element, const char* name);

/* The first child of this name, which counts as read, or NULL; and the next one after `child`. A
 * NULL name is any. */
scri_xml* scri_xml_child(scri_xml* element, const char* name);
scri_xml* scri_xml_sibling(scri_xml* child, const char* name);

/* All attributes of an element count as read. */
void scri_xml_forgive(scri_xml* element);

/* Warns of elements and attributes that have not been read: one line for each name, with the lines
 * of the file. What lies below an element that was not read goes with it. */
void scri_xml_list_unread(const scri_yaml_source* source, const scri_xml* root);

#endif
