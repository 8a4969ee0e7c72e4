/* What each kind of joint holds and what it leaves free, as rows on two bodies. Host and device.
 *
 * A row is 12 numbers: force and moment of A about its centre of mass, the same of B. Its product
 * with the bodies' velocities is the rate of what it measures, exactly where the constraints hold.
 * With P the points, e an axis of B, c the centres of mass:
 *
 *     e . (P_A - P_B)            force e at P_A on A, the opposite at the same point on B
 *     x_A . e                    moment x_A x e on A, the opposite on B
 *     2 vec(q_B^-1 q_A) . e      moment e on A, the opposite on B */
#ifndef SCRI_JOINT_KERNEL_H
#define SCRI_JOINT_KERNEL_H

#include "math/vec.h"
#include "scree/base.h"
#include "scree/joint.h"

#include <math.h>
#include <string.h>

enum { SCRI_JOINT_ROWS = 6 };

/* One side of a joint in the world. */
typedef struct scri_joint_side {
    scri_vec centre; /* of mass; the origin for the world itself */
    scri_vec point;
    scri_quat turn;
    scri_vec axis[3]; /* x, y, z */
} scri_joint_side;

/* The constraints of a joint: n[0] rows along lines, n[1] of turns, n[2] of both, in this order. */
typedef struct scri_joint_rows {
    int n[3];
    double row[12 * SCRI_JOINT_ROWS];
    double error[SCRI_JOINT_ROWS]; /* m, rad */
} scri_joint_rows;

/* How many constraints a kind has, of each of the three. */
SCREE_FN void scri_joint_counts(scree_joint_kind kind, int n[3])
{
    static const uint8_t counts[SCREE_JOINT_KIND_COUNT][3] = {
        {3, 3, 0}, {3, 0, 0}, {3, 2, 0}, {2, 3, 0}, {2, 2, 0}, {3, 1, 0}, {1, 2, 0},
        {1, 0, 0}, {0, 0, 0}, {2, 2, 1}, {0, 0, 1}, {0, 0, 1}, {2, 0, 0}};
    for (int k = 0; k < 3; ++k) n[k] = counts[kind][k];
}

/* How many freedoms with a coordinate. */
SCREE_FN int scri_joint_freedoms(scree_joint_kind kind)
{
    static const uint8_t counts[SCREE_JOINT_KIND_COUNT] = {0, 0, 1, 1, 2, 2, 3, 1, 1, 1, 0, 0, 1};
    return counts[kind];
}

/* How many directions springs and friction may have: the freedoms, and all turns of a ball. */
SCREE_FN int scri_joint_directions(scree_joint_kind kind)
{
    return kind == SCREE_JOINT_BALL ? 3 : scri_joint_freedoms(kind);
}

/* Whether freedom i of a kind is a turn that may go on beyond pi. */
SCREE_FN int scri_joint_is_turn(scree_joint_kind kind, int i)
{
    if (kind == SCREE_JOINT_HINGE || kind == SCREE_JOINT_UNIVERSAL || kind == SCREE_JOINT_SCREW) {
        return 1;
    }
    return (kind == SCREE_JOINT_CYLINDRICAL && i == 1) || (kind == SCREE_JOINT_PLANAR && i == 2);
}

/* A body at `position` with `rotation`, and the frame of the joint on it. */
SCREE_FN scri_joint_side scri_joint_place_side(const double* position, const double* rotation,
                                               const double* frame_position,
                                               const double* frame_rotation)
{
    scri_joint_side side;
    scri_quat q = scri_quat_load(rotation);
    side.centre = scri_vec_load(position);
    side.point = scri_vec_add(side.centre, scri_quat_rotate(q, scri_vec_load(frame_position)));
    side.turn = scri_quat_normalize(scri_quat_multiply(q, scri_quat_load(frame_rotation)));
    scri_mat m = scri_mat_from_quat(side.turn);
    for (int i = 0; i < 3; ++i) {
        side.axis[i] = SCRI_OF(scri_vec, m.m[i], m.m[3 + i], m.m[6 + i]);
    }
    return side;
}

/* ---- rows ------------------------------------------------------------------------------------ */

SCREE_FN void scri_joint_line(const scri_joint_side s[2], scri_vec e, double* row)
{
    scri_vec_store(e, row);
    scri_vec_store(scri_vec_cross(scri_vec_sub(s[0].point, s[0].centre), e), row + 3);
    scri_vec_store(scri_vec_scale(-1.0, e), row + 6);
    scri_vec_store(scri_vec_cross(e, scri_vec_sub(s[0].point, s[1].centre)), row + 9);
}

SCREE_FN void scri_joint_turn(scri_vec a, scri_vec b, double* row)
{
    memset(row, 0, 12 * sizeof *row);
    scri_vec_store(a, row + 3);
    scri_vec_store(b, row + 9);
}

/* The constraint e . (P_A - P_B) = 0 for an axis of B. */
SCREE_FN void scri_joint_hold_line(const scri_joint_side s[2], int axis, scri_joint_rows* out)
{
    int i = out->n[0]++;
    scri_joint_line(s, s[1].axis[axis], out->row + 12 * i);
    out->error[i] = scri_vec_dot(s[1].axis[axis], scri_vec_sub(s[0].point, s[1].point));
}

/* The constraint x_A . e = 0 for an axis of B. */
SCREE_FN void scri_joint_hold_axis(const scri_joint_side s[2], int axis, scri_joint_rows* out)
{
    int i = out->n[0] + out->n[1]++;
    scri_vec moment = scri_vec_cross(s[0].axis[0], s[1].axis[axis]);
    scri_joint_turn(moment, scri_vec_scale(-1.0, moment), out->row + 12 * i);
    out->error[i] = scri_vec_dot(s[0].axis[0], s[1].axis[axis]);
}

/* 2 vec(q_B^-1 q_A), in axes of B. */
SCREE_FN void scri_joint_twist(const scri_joint_side s[2], double out[3])
{
    scri_quat b = SCRI_OF(scri_quat, s[1].turn.w, -s[1].turn.x, -s[1].turn.y, -s[1].turn.z);
    scri_quat q = scri_quat_multiply(b, s[0].turn);
    double sign = q.w < 0.0 ? -2.0 : 2.0;
    scri_vec_store(SCRI_OF(scri_vec, sign * q.x, sign * q.y, sign * q.z), out);
}

/* The frames do not turn against each other. */
SCREE_FN void scri_joint_hold_turn(const scri_joint_side s[2], scri_joint_rows* out)
{
    double error[3];
    scri_joint_twist(s, error);
    for (int k = 0; k < 3; ++k) {
        int i = out->n[0] + out->n[1]++;
        scri_joint_turn(s[1].axis[k], scri_vec_scale(-1.0, s[1].axis[k]), out->row + 12 * i);
        out->error[i] = error[k];
    }
}

/* From the point of B to that of A; x of B where they coincide. */
SCREE_FN scri_vec scri_joint_direction(const scri_joint_side s[2], double* length)
{
    scri_vec d = scri_vec_sub(s[0].point, s[1].point);
    *length = scri_vec_length(d);
    return *length > 0.0 ? scri_vec_scale(1.0 / *length, d) : s[1].axis[0];
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* The angle that is nearest to `near` of those that are `angle` but for whole turns. */
SCREE_FN double scri_joint_unwind(double angle, double near)
{
    return angle + 2.0 * SCREE_PI * nearbyint((near - angle) / (2.0 * SCREE_PI));
}

/* By how much A has turned about x of B. */
SCREE_FN double scri_joint_angle(const scri_joint_side s[2])
{
    return atan2(scri_vec_dot(s[0].axis[1], s[1].axis[2]),
                 scri_vec_dot(s[0].axis[1], s[1].axis[1]));
}

/* The turn of one side about its own x axis since its frame was turned as `from`. */
SCREE_FN double scri_joint_own_turn(const scri_joint_side* s, const double* from)
{
    scri_quat start = SCRI_OF(scri_quat, from[0], -from[1], -from[2], -from[3]);
    scri_quat q = scri_quat_multiply(start, s->turn);
    return 2.0 * atan2(q.x, q.w);
}

/* ---- freedoms -------------------------------------------------------------------------------- */

/* The row of direction i and its coordinate, turns within one turn. */
SCREE_FN double scri_joint_freedom(scree_joint_kind kind, int i, const scri_joint_side s[2],
                                   double* row)
{
    scri_vec d = scri_vec_sub(s[0].point, s[1].point), axis = s[1].axis[0];
    double length, value = 0.0;
    int slide = kind == SCREE_JOINT_PLANAR ? i + 1 : 0;
    if (kind == SCREE_JOINT_UNIVERSAL) {
        axis = i == 0 ? s[0].axis[0] : s[1].axis[1];
        const scri_joint_side* own = i == 0 ? &s[0] : &s[1];
        scri_vec seen = i == 0 ? s[1].axis[1] : s[0].axis[0];
        value =
            atan2(-scri_vec_dot(own->axis[2], seen), scri_vec_dot(own->axis[i == 0 ? 1 : 0], seen));
        scri_joint_turn(axis, scri_vec_scale(-1.0, axis), row);
    } else if (kind == SCREE_JOINT_BALL) {
        double twist[3];
        scri_joint_twist(s, twist);
        axis = s[1].axis[i];
        value = twist[i];
        scri_joint_turn(axis, scri_vec_scale(-1.0, axis), row);
    } else if (scri_joint_is_turn(kind, i)) {
        value = scri_joint_angle(s);
        scri_joint_turn(axis, scri_vec_scale(-1.0, axis), row);
    } else if (kind == SCREE_JOINT_DISTANCE || kind == SCREE_JOINT_ROPE) {
        scri_vec e = scri_joint_direction(s, &length);
        scri_joint_line(s, e, row);
        value = length;
    } else {
        scri_joint_line(s, s[1].axis[slide], row);
        value = scri_vec_dot(s[1].axis[slide], d);
    }
    return value;
}

/* ---- constraints ----------------------------------------------------------------------------- */

/* What the coupled kinds need beside the frames. */
typedef struct scri_joint_terms {
    double length, ratio;
    double
        turn[2]; /* of A and B about their axes, whole turns counted; screw: turn[0] of A about B */
    double slide;   /* rack: of A along its axis */
    double stays;   /* gear, rack: the sum that does */
    int is_carried; /* gear, rack: turn and slide are those relative to a body that carries both */
    scri_vec at, along; /* curve: its point next to A's, and its direction there */
    double way;         /* curve: to that point */
} scri_joint_terms;

/* The force f at o and the moment m about it with which two bodies on one carrier couple its
 * joints: it acts on A, the opposite on B, so that the carrier takes part through its bearings
 * alone. Its power is rate_A work[0] - rate_B work[1]. A turns (or slides, `is_rack`) along x of
 * its frame, B turns; of all that do this work the least, with half the distance of the axes as
 * unit of length. */
SCREE_FN void scri_joint_carried(const scri_joint_side s[2], int is_rack, const double work[2],
                                 double* row)
{
    scri_vec o = s[1].point, f = s[0].axis[0], m = scri_vec_scale(work[1], s[1].axis[0]);
    if (!is_rack) {
        double g[3] = {0.0, 0.0, 0.0}, square;
        scri_vec c[2], half = scri_vec_scale(0.5, scri_vec_sub(s[1].point, s[0].point));
        o = scri_vec_add(s[0].point, half);
        square = scri_vec_dot(half, half);
        for (int k = 0; k < 2; ++k) { /* velocity of o by a turn of 1 */
            c[k] = scri_vec_cross(s[k].axis[0], scri_vec_sub(o, s[k].point));
            if (square > 0.0) c[k] = scri_vec_scale(1.0 / square, c[k]);
        }
        for (int k = 0; k < 3; ++k) {
            int i = k / 2, j = (k + 1) / 2;
            g[k] = scri_vec_dot(s[i].axis[0], s[j].axis[0]) + square * scri_vec_dot(c[i], c[j]);
        }
        double determinant = g[0] * g[2] - g[1] * g[1];
        double x[2] = {(g[2] * work[0] - g[1] * work[1]) / determinant,
                       (g[0] * work[1] - g[1] * work[0]) / determinant};
        f = scri_vec_add_scaled(scri_vec_scale(x[0], c[0]), x[1], c[1]);
        m = scri_vec_add_scaled(scri_vec_scale(x[0], s[0].axis[0]), x[1], s[1].axis[0]);
    }
    for (int k = 0; k < 2; ++k) {
        double sign = k == 0 ? 1.0 : -1.0;
        scri_vec moment = scri_vec_add(m, scri_vec_cross(scri_vec_sub(o, s[k].centre), f));
        scri_vec_store(scri_vec_scale(sign, f), row + 6 * k);
        scri_vec_store(scri_vec_scale(sign, moment), row + 6 * k + 3);
    }
}

SCREE_FN void scri_joint_hold_coupling(scree_joint_kind kind, const scri_joint_side s[2],
                                       const scri_joint_terms* terms, scri_joint_rows* out)
{
    int i = out->n[0] + out->n[1] + out->n[2]++;
    double *row = out->row + 12 * i, more[12];
    if (kind == SCREE_JOINT_SCREW) {
        scri_vec d = scri_vec_sub(s[0].point, s[1].point);
        scri_joint_line(s, s[1].axis[0], row);
        scri_joint_turn(s[1].axis[0], scri_vec_scale(-1.0, s[1].axis[0]), more);
        for (int k = 0; k < 12; ++k) row[k] -= terms->ratio * more[k];
        out->error[i] = scri_vec_dot(s[1].axis[0], d) - terms->ratio * terms->turn[0];
    } else if (kind == SCREE_JOINT_GEAR) {
        scri_joint_turn(s[0].axis[0], scri_vec_scale(terms->ratio, s[1].axis[0]), row);
        out->error[i] = terms->turn[0] + terms->ratio * terms->turn[1] - terms->stays;
    } else {
        scri_joint_turn(SCRI_OF(scri_vec, 0.0, 0.0, 0.0),
                        scri_vec_scale(-terms->ratio, s[1].axis[0]), row);
        scri_vec_store(s[0].axis[0], row);
        scri_vec_store(scri_vec_cross(scri_vec_sub(s[0].point, s[0].centre), s[0].axis[0]),
                       row + 3);
        out->error[i] = terms->slide - terms->ratio * terms->turn[1] - terms->stays;
    }
    if (terms->is_carried) {
        int is_rack = kind == SCREE_JOINT_RACK;
        double work[2];
        work[0] = 1.0;
        work[1] = is_rack ? terms->ratio : -terms->ratio;
        scri_joint_carried(s, is_rack, work, row);
    }
}

/* All constraints of a joint. */
SCREE_FN void scri_joint_constraints(scree_joint_kind kind, const scri_joint_side s[2],
                                     const scri_joint_terms* terms, scri_joint_rows* out)
{
    int n[3];
    double length;
    scri_joint_counts(kind, n);
    out->n[0] = out->n[1] = out->n[2] = 0;
    memset(out->error, 0, sizeof out->error);
    if (kind == SCREE_JOINT_DISTANCE) {
        scri_vec e = scri_joint_direction(s, &length);
        scri_joint_line(s, e, out->row);
        out->error[0] = length - terms->length;
        out->n[0] = 1;
        return;
    }
    if (kind == SCREE_JOINT_CURVE) {
        scri_vec side[2], off = scri_vec_sub(s[0].point, terms->at);
        scri_vec_tangents(terms->along, &side[0], &side[1]);
        for (int i = 0; i < 2; ++i) {
            scri_joint_line(s, side[i], out->row + 12 * i);
            out->error[i] = scri_vec_dot(side[i], off);
        }
        out->n[0] = 2;
        return;
    }
    if (kind == SCREE_JOINT_PLANAR) {
        scri_joint_hold_line(s, 0, out);
    } else {
        for (int axis = 3 - n[0]; axis < 3; ++axis) scri_joint_hold_line(s, axis, out);
    }
    if (n[1] == 3) {
        scri_joint_hold_turn(s, out);
    } else {
        for (int k = 0; k < n[1]; ++k) scri_joint_hold_axis(s, 1 + k, out);
    }
    if (n[2]) scri_joint_hold_coupling(kind, s, terms, out);
}

#endif
