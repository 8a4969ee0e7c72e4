/* What the files about overlap share: touches that are pushed apart, and the sets they make. */
#ifndef SCRI_STEP_OVERLAP_H
#define SCRI_STEP_OVERLAP_H

#include "step/islands.h"
#include "step/touch.h"

/* Gaps within this share of the size are left alone, so that rest is rest to the last bit. Others
 * are brought to half of it below zero: a contact brought to zero would be open by rounding, and
 * fall again. */
#define SCRI_TRIGGER 1e-6

SCREE_FN double scri_overlap_tolerance(const scree_world* world, const scri_touch* touch)
{
    return SCRI_TRIGGER * scri_pair_size(world, touch->a, touch->b);
}

/* A body of a touch that responds. */
SCREE_FN int32_t scri_overlap_mover(const scree_world* world, const scri_touch* touch)
{
    int32_t one = scri_touch_body(world, touch, 0);
    return world->bodies.inv_mass[one] > 0.0 ? one : scri_touch_body(world, touch, 1);
}

/* Joins the bodies of a touch in bodies.island, if both respond. */
SCREE_FN void scri_overlap_join(scree_world* world, const scri_touch* touch)
{
    scri_bodies_table* b = &world->bodies;
    int32_t one = scri_touch_body(world, touch, 0), two = scri_touch_body(world, touch, 1);
    if (b->inv_mass[one] == 0.0 || b->inv_mass[two] == 0.0) return;
    scri_forest_join(b->island, one, two);
}

/* Projected Gauss-Seidel on the listed touches, in the sets that have one listed since `before`:
 * changes bodies.shift and touch_state.push. */
void scri_overlap_push(scree_world* world, const scri_touch* touches, int32_t before);

#endif
