/* Lists that name shapes by number, when shapes come and go. */
#ifndef SCRI_SLOTS_H
#define SCRI_SLOTS_H

#include "world/world.h"

/* The shapes from `first` on have numbers that are `by` higher: the contacts follow. */
void scri_world_renumber_shapes(scree_world* world, int32_t first, int32_t by);

#endif
