/* Items of a list that stand for many: `for: {row: rows, k: rows - row}` reads an item once for
 * every set of indices, which count from 0; the first turns slowest, and a count may use those
 * before it. */
#ifndef SCRI_SCENE_LOOP_H
#define SCRI_SCENE_LOOP_H

#include "io/scene_reader.h"

/* Indices of one item; loops within each other (a shape's within a body's). */
enum { SCRI_LOOP_INDICES = 4, SCRI_LOOP_DEPTH = 2 };

/* More copies than this from one item are a mistake. */
enum { SCRI_LOOP_COPIES = 1000000 };

typedef struct scri_loop {
    const scri_yaml* map; /* of names to counts; NULL: the item is read once */
    int32_t n;            /* indices */
    int32_t base;         /* parameters before them */
    int64_t count[SCRI_LOOP_INDICES], at[SCRI_LOOP_INDICES];
    int64_t copy; /* number of the copy that is read; -1 where there is no loop */
    bool is_over;
} scri_loop;

/* for (scri_loop_begin(r, item, &l); !l.is_over; scri_loop_next(r, &l)) { ... }
 * A loop that has run to its end, or a fault, leaves the parameters as they were. */
void scri_loop_begin(scri_reader* r, const scri_yaml* item, scri_loop* out);
void scri_loop_next(scri_reader* r, scri_loop* loop);

/* Copies that the items of a list make together, the list given by its first item. */
int32_t scri_loop_count(scri_reader* r, const scri_yaml* first);

#endif
