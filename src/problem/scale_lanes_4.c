/* Four lanes: AVX2 on x86-64. */
#define SCRI_VECTOR_BITS 256
#include "base/wider_begin.h"

#define SCRI_DOUBLES 4
#include "problem/scale_over_doubles.h"

int32_t scri_diagonals_4(const scri_scale_list* list, int32_t c, int32_t n)
{
    return scri_lanes_diagonals(list, c, n);
}

int32_t scri_scales_4(const scri_scale_list* list, int32_t c, int32_t n)
{
    return scri_lanes_scales(list, c, n);
}

#include "base/wider_end.h"
