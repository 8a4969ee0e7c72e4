/* The known name that lies nearest to a misspelt word, and what is said of it. */
#ifndef SCRI_SCENE_SUGGEST_H
#define SCRI_SCENE_SUGGEST_H

#include <stddef.h>

enum { SCRI_HINT_SIZE = 480 };

typedef struct scri_nearest {
    const char* word;
    const char* best; /* NULL while no name comes close */
    int distance;     /* of `best`; before that, one more than is still called close */
    size_t used;      /* of the list of all names */
    char names[SCRI_HINT_SIZE - 64];
} scri_nearest;

scri_nearest scri_nearest_begin(const char* word);
void scri_nearest_consider(scri_nearest* nearest, const char* name);

/* "did you mean 'x'?", or, when nothing comes near, `known` followed by the names: "known are a,
 * b, c"; or `none` when there are no names at all. */
typedef struct scri_hint {
    char text[SCRI_HINT_SIZE];
} scri_hint;
scri_hint scri_nearest_hint(const scri_nearest* nearest, const char* known, const char* none);

#endif
