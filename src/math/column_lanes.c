#include "math/column_lanes.h"

#include "base/processor.h"

scri_column_work* scri_column_lanes_of(int lanes)
{
    if (lanes * (int)sizeof(double) > scri_processor_most_vector()) return NULL;
    return lanes == 8 ? scri_columns_8 : lanes == 4 ? scri_columns_4 : scri_columns_2;
}

scri_column_work* scri_column_lanes_best(void)
{
    return scri_column_lanes_of(scri_processor_vector() / (int)sizeof(double));
}
