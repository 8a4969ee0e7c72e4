/* YAML as a tree whose values know where they were written. Aliases are copied out, so that every
 * value has one place in the tree and can be changed alone. */
#ifndef SCRI_YAML_TREE_H
#define SCRI_YAML_TREE_H

#include "base/arena.h"
#include "base/compiler.h"

#include <stdbool.h>

/* Beyond these a text is refused: bytes, values with aliases copied out, keys of one map, levels.
 */
enum {
    SCRI_YAML_MAX_SIZE = 16 << 20,
    SCRI_YAML_MAX_VALUES = 1000000,
    SCRI_YAML_MAX_KEYS = 1000,
    SCRI_YAML_MAX_DEPTH = 64
};

typedef enum scri_yaml_kind { SCRI_YAML_SCALAR, SCRI_YAML_LIST, SCRI_YAML_MAP } scri_yaml_kind;

/* Where something was written: line and column from 1, or the setting "KEY=VALUE". */
typedef struct scri_yaml_place {
    const char* setting; /* NULL: in a file */
    int line, column;
    const char* file; /* NULL: the source's path */
} scri_yaml_place;

typedef struct scri_yaml scri_yaml;
struct scri_yaml {
    scri_yaml_kind kind;
    bool quoted; /* scalar */
    scri_yaml_place place;
    int text_column;  /* scalar: of its first character; 0 when it is not written as it reads */
    const char* text; /* scalar, ended by a zero and without another */
    size_t length;
    int n;                   /* items of a list, keys of a map */
    scri_yaml *first, *last; /* items or keys */
    scri_yaml* next;         /* in the list or map that holds this one */
    scri_yaml* value;        /* of a key */
};

/* What is read, and how messages name it. */
typedef struct scri_yaml_source {
    const scree_env* env;
    scri_arena* arena;
    const char* path;
    const char* setting; /* NULL, or the setting whose value is read */
    const char* file;    /* NULL, or the file that is read instead of the one at `path` */
    int* n_values;       /* values of all texts so far, for the limit; NULL: of this one alone */
} scri_yaml_source;

/* Reads the one document in text[size]. *root is NULL when there is none. */
scree_status scri_yaml_load(const scri_yaml_source* source, const char* text, size_t size,
                            scri_yaml** root);

/* A new value at a place; a scalar when `text` is not NULL, else an empty map. NULL when memory is
 * short. `text` must live as long as the arena. */
scri_yaml* scri_yaml_create(scri_arena* arena, scri_yaml_place place, const char* text);

/* Adds to the end of a list, or a key to a map. */
void scri_yaml_append(scri_yaml* to, scri_yaml* item);

/* The key of a map, or NULL. */
scri_yaml* scri_yaml_find(const scri_yaml* map, const char* key);

/* Whether nothing stands where a value could: "key:", "~" or "null". */
bool scri_yaml_is_empty(const scri_yaml* node);

/* The place of a scalar's character. */
scri_yaml_place scri_yaml_inside(const scri_yaml* scalar, size_t offset);

/* Logs "FILE:LINE:COLUMN: ..." or "KEY=VALUE: ..." and returns `status`. */
scree_status scri_yaml_fail(const scri_yaml_source* source, scri_yaml_place place,
                            scree_status status, const char* format, ...) SCRI_PRINTF(4, 5);

/* A piece of the file as a message may show it: short, and without control characters. */
typedef struct scri_shown {
    char text[64];
} scri_shown;
scri_shown scri_show(const char* text);

#endif
