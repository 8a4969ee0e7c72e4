/* Eight lanes: AVX-512 on x86-64. */
#define SCRI_VECTOR_BITS 512
#include "base/wider_begin.h"

#define SCRI_DOUBLES 8
#include "solvers/solid_lanes_kernel.h"

void scri_round_lanes_8(const scri_round_list* list, double* change, double* impulse)
{
    scri_lanes_update(list, change, impulse);
}

void scri_solid_lanes_8(const scri_solid_list* list, double* change, double* impulse)
{
    scri_lanes_update_solids(list, change, impulse);
}

#include "base/wider_end.h"
