/* Two lanes, which every processor has. */
#define SCRI_DOUBLES 2
#define SCRI_LANES_UPDATE scri_round_lanes_2
#include "solvers/lanes_kernel.h"
