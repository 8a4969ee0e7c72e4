/* Four packs in sixteen lanes: AVX-512 on x86-64. */
#define SCRI_VECTOR_BITS 512
#include "base/wider_begin.h"

#define SCRI_LANES 16
#include "solvers/pack_groups.h"

void scri_pack_group_4(scri_pack_block* blocks, const int32_t* pack, int kind,
                       scri_pack_body* bodies, float* change, float* impulse)
{
    scri_pack_update_group(blocks, pack, kind, bodies, change, impulse);
}

#include "base/wider_end.h"
