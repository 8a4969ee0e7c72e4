/* Questions about placed shapes: what a ray meets, what lies in a box, what a shape touches. */
#ifndef SCRI_QUERY_H
#define SCRI_QUERY_H

#include "collide/collide.h"

/* Points origin + share * way, 0 <= share <= 1. */
typedef struct scri_ray {
    scri_vec origin, way;
} scri_ray;

/* Where a ray enters shape i; 0 when it does not. A ray that begins inside meets the shape at once,
 * with the normal against it. */
int scri_ray_meets(const scri_placed* shapes, int32_t i, const scri_ray* ray, double* share,
                   scri_vec* normal);

/* Sorts shapes for the questions below, until the next run of the collider. The arrays of `shapes`
 * must stay as they are. */
scree_status scri_collider_place(scri_collider* collider, const scri_placed* shapes);

/* Called with shapes found, each once, in an order that depends on where they are; nonzero ends the
 * search. */
typedef int scri_found(void* user, int32_t shape);

/* What a ray meets among shapes of these categories. `visit` returns the share beyond which nothing
 * is looked for any more, `limit` so far; one below 0 ends the search. */
typedef struct scri_ray_hit {
    int32_t shape;
    double share;
    scri_vec normal;
} scri_ray_hit;
typedef double scri_ray_visit(void* user, const scri_ray_hit* hit, double limit);
void scri_collider_cast(const scri_collider* collider, const scri_placed* shapes,
                        const scri_ray* ray, uint32_t categories, scri_ray_visit* visit,
                        void* user);

/* Shapes of any category whose bounding boxes meet a box, half-spaces that reach into it. */
void scri_collider_search(const scri_collider* collider, const scri_placed* shapes,
                          const double lower[3], const double upper[3], scri_found* visit,
                          void* user);

#endif
