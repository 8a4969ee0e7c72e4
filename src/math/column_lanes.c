#include "math/column_lanes.h"

#include "base/processor.h"

scri_column_lanes scri_column_lanes_of(int lanes)
{
    if (lanes * (int)sizeof(double) > scri_processor_most_vector()) {
        return (scri_column_lanes){NULL, NULL};
    }
    if (lanes == 8) return (scri_column_lanes){scri_take_four_8, scri_take_from_8};
    if (lanes == 4) return (scri_column_lanes){scri_take_four_4, scri_take_from_4};
    return (scri_column_lanes){scri_take_four_2, scri_take_from_2};
}

scri_column_lanes scri_column_lanes_best(void)
{
    return scri_column_lanes_of(scri_processor_vector() / (int)sizeof(double));
}
