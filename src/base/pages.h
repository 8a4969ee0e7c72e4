/* Memory of the system, in large pages where there is much of it: worlds of many bodies read it in
 * no order, and the processor remembers where only so many pages are. */
#ifndef SCRI_PAGES_H
#define SCRI_PAGES_H

#include <stddef.h>

/* Bytes from which on memory begins at a large page, and is asked for in such; and of one page. */
enum { SCRI_LARGE_PAGE = 1 << 21, SCRI_MANY_BYTES = 4 * SCRI_LARGE_PAGE };

/* As malloc(); free() gives it back. */
void* scri_pages_take(size_t size);

#endif
