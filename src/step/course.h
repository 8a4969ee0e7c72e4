/* Two shapes along the ways of their bodies through a step: how near they come, and when. */
#ifndef SCRI_STEP_COURSE_H
#define SCRI_STEP_COURSE_H

#include "step/step.h"
#include "step/touch.h"

/* Radius of the ball inside a shape that is followed, as a share of the largest. */
#define SCRI_CORE 0.5

/* A way is not cut by less than this share of the size. */
#define SCRI_SPARED 0.01

/* Two shapes somewhere on their ways. */
typedef struct scri_two {
    scree_shape_kind kind[2];
    const scree_hull* hull[2];
    const scree_mesh* mesh[2];
    double size[6], rounding[2], position[6], rotation[8];
} scri_two;

/* What is known of a pair before it is followed. */
typedef struct scri_course {
    double size;      /* of the smaller shape */
    double length;    /* the most by which the two can approach */
    double gap;       /* the least of their touches */
    scri_touch where; /* the touch of that gap */
} scri_course;

/* Radius of the largest ball inside a shape. */
double scri_course_inner(const scri_shapes_table* shapes, int32_t i);

/* Whether it is the ball inside a shape that is followed, where one is. In the middle of a tube
 * there is none. */
int scri_course_has_core(const scree_world* world, int32_t shape);

/* Shape `shape`, or the ball inside it with `core` of the largest radius, as entry k of the pair
 * when its body has gone the share s of its way. */
void scri_two_place(const scree_world* world, int32_t shape, double core, double s, int k,
                    scri_two* out);

/* Distance of two shapes, at most `most`, and where they are so near. */
double scri_two_distance(const scri_two* shapes, double most, scri_touch* nearest);

/* The course of the pair of touches [n]; whether the two may meet on their ways, which are so long
 * that they could pass each other. In the gap scheme it may be left unwritten where they may not.
 */
int scri_course_begin(const scree_world* world, const scri_touch* touches, int32_t n,
                      scri_course* course);

/* The share of the step after which the two meet, and where; 1 when they do not, -1 when they touch
 * already. They approach by no more than `length` on their ways. `core` as above, 0: they
 * themselves. */
double scri_course_meeting(const scree_world* world, const scri_touch* pair, double core,
                           double length, scri_touch* where);

/* The same of the balls inside, of the largest that are apart. */
double scri_course_cores(const scree_world* world, const scri_touch* pair, double length,
                         scri_touch* where);

/* Whether the balls inside do not meet. */
int scri_course_is_free(const scree_world* world, const scri_touch* touches, int32_t n);

#endif
