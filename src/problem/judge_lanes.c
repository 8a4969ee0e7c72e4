#include "problem/judge_lanes.h"

#include "base/processor.h"

#include <stddef.h>

scri_judge_lanes* scri_judge_lanes_of(int lanes)
{
    if (lanes * (int)sizeof(double) > scri_processor_most_vector()) return NULL;
    return lanes == 8 ? scri_judge_lanes_8 : lanes == 4 ? scri_judge_lanes_4 : scri_judge_lanes_2;
}

scri_judge_lanes* scri_judge_lanes_best(void)
{
    return scri_judge_lanes_of(scri_processor_vector() / (int)sizeof(double));
}
