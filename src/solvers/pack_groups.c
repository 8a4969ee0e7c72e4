#include "solvers/pack_groups.h"

#include "base/processor.h"

#include <stddef.h>

/* Of a pack. */
enum { VECTOR_BYTES = 16 };

int scri_pack_groups_best(void)
{
    return scri_processor_vector() / VECTOR_BYTES;
}

scri_pack_group* scri_pack_groups_of(int packs)
{
    if (packs * VECTOR_BYTES > scri_processor_most_vector()) return NULL;
    if (packs == 4) return scri_pack_group_4;
    return packs == 2 ? scri_pack_group_2 : NULL;
}
