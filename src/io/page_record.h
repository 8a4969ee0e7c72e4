/* Bodies, contacts and shapes as the records of a page; viewer/recording.js and shaders.js read
 * them. Numbers are little-endian. */
#ifndef SCRI_PAGE_RECORD_H
#define SCRI_PAGE_RECORD_H

#include "io/page_plan.h"

/* Bytes of a shape: kinds, body, material, three sizes, three coordinates, a quaternion. */
enum { SCRI_PAGE_SHAPE = 4 * 13 };

/* In place of a rotation, which never has these bits: the body is out of range. */
#define SCRI_PAGE_HIDDEN UINT32_MAX

/* Place, 16 bits per coordinate, as parts of the plan's range. Roots of speed and angular speed as
 * parts of the largest ones, 8 bits each. Rotation: the three smaller components, 10 bits each from
 * the lowest, then the number of the largest, which a change of sign has made positive. */
void scri_page_pose(const scri_page_plan* plan, const scree_frame* frame, int32_t body,
                    uint8_t out[SCRI_PAGE_POSE]);

/* Two bodies among the moving ones, the first of them dynamic, the second SCRI_PAGE_NO_BODY where
 * it is not; place as above; root of the force as a part of the plan's scale; 16 bits each. False,
 * and nothing written, where neither body is dynamic. */
bool scri_page_contact(const scri_page_plan* plan, const scree_frame* frame, int32_t contact,
                       uint8_t out[SCRI_PAGE_CONTACT]);

/* Shapes of static bodies stand in the world's frame and have the body -1; `frame` is one that
 * holds all bodies. */
void scri_page_shape(const scri_page_plan* plan, const scree_frame* frame, int32_t shape,
                     uint8_t out[SCRI_PAGE_SHAPE]);

#endif
