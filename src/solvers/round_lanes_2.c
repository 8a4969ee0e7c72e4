/* Two lanes, which every processor has. */
#define SCRI_DOUBLES 2
#include "solvers/solid_lanes_kernel.h"

void scri_round_lanes_2(const scri_round_list* list, double* change, double* impulse)
{
    scri_lanes_update(list, change, impulse);
}

void scri_solid_lanes_2(const scri_solid_list* list, double* change, double* impulse)
{
    scri_lanes_update_solids(list, change, impulse);
}
