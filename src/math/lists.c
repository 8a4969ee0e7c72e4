#include "math/lists.h"

#include <stdlib.h>

static int compare(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

void scri_lists_unique(int32_t n, int32_t* start, int32_t* item)
{
    int32_t kept = 0;
    for (int32_t i = 0, from = start[0]; i < n; ++i) {
        int32_t to = start[i + 1], first = kept;
        qsort(item + from, (size_t)(to - from), sizeof *item, compare);
        for (int32_t k = from; k < to; ++k) {
            if (kept == first || item[k] != item[kept - 1]) item[kept++] = item[k];
        }
        start[i + 1] = kept;
        from = to;
    }
}
