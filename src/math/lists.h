/* Many lists of numbers in one array. */
#ifndef SCRI_LISTS_H
#define SCRI_LISTS_H

#include <stdint.h>

/* List i is item[start[i]] to item[start[i + 1] - 1]. Sorts each of the n lists, drops repetitions,
 * and closes the gaps; `start` follows. */
void scri_lists_unique(int32_t n, int32_t* start, int32_t* item);

#endif
