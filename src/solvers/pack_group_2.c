/* Two packs in eight lanes: AVX2 on x86-64. */
#define SCRI_VECTOR_BITS 256
#include "base/wider_begin.h"

#define SCRI_LANES 8
#include "solvers/pack_groups.h"

void scri_pack_group_2(scri_pack_block* blocks, const int32_t* pack, int kind,
                       scri_pack_body* bodies, float* change, float* impulse)
{
    scri_pack_update_group(blocks, pack, kind, bodies, change, impulse);
}

#include "base/wider_end.h"
