/* Two lanes: every processor has them. */
#include "problem/scale_over_doubles.h"

int32_t scri_diagonals_2(const scri_scale_list* list, int32_t c, int32_t n)
{
    return scri_lanes_diagonals(list, c, n);
}

int32_t scri_scales_2(const scri_scale_list* list, int32_t c, int32_t n)
{
    return scri_lanes_scales(list, c, n);
}
