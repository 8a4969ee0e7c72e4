#include "solvers/round_lanes.h"

#include "base/processor.h"

#include <stddef.h>

void scri_round_lanes_1(const scri_round_list* list, double* change, double* impulse)
{
    for (int32_t i = 0; i < list->n; ++i) {
        if (list->convex) {
            scri_round_one(list, i, list->rolls, 0, 1, change, impulse);
        } else if (list->sets) {
            scri_round_one(list, i, list->rolls, 1, 0, change, impulse);
        } else if (list->rolls) {
            scri_round_one(list, i, 1, 0, 0, change, impulse);
        } else {
            scri_round_one(list, i, 0, 0, 0, change, impulse);
        }
    }
}

void scri_solid_lanes_1(const scri_solid_list* list, double* change, double* impulse)
{
    for (int32_t i = 0; i < list->n; ++i) scri_solid_one(list, i, change, impulse);
}

int scri_round_lanes_best(void)
{
    return scri_processor_vector() / (int)sizeof(double);
}

scri_round_lanes* scri_round_lanes_of(int lanes)
{
    if (lanes * (int)sizeof(double) > scri_processor_most_vector()) return NULL;
    if (lanes == 8) return scri_round_lanes_8;
    if (lanes == 4) return scri_round_lanes_4;
    return lanes == 2 ? scri_round_lanes_2 : scri_round_lanes_1;
}

scri_solid_lanes* scri_solid_lanes_of(int lanes)
{
    if (lanes * (int)sizeof(double) > scri_processor_most_vector()) return NULL;
    if (lanes == 8) return scri_solid_lanes_8;
    if (lanes == 4) return scri_solid_lanes_4;
    return lanes == 2 ? scri_solid_lanes_2 : scri_solid_lanes_1;
}
