#include "problem/scale_lanes.h"

#include "base/processor.h"

#include <stddef.h>

scri_scale_lanes scri_scale_lanes_of(int lanes)
{
    if (lanes * (int)sizeof(double) > scri_processor_most_vector()) {
        return (scri_scale_lanes){NULL, NULL};
    }
    if (lanes == 8) return (scri_scale_lanes){scri_diagonals_8, scri_scales_8};
    if (lanes == 4) return (scri_scale_lanes){scri_diagonals_4, scri_scales_4};
    return (scri_scale_lanes){scri_diagonals_2, scri_scales_2};
}

scri_scale_lanes scri_scale_lanes_best(void)
{
    return scri_scale_lanes_of(scri_processor_vector() / (int)sizeof(double));
}
