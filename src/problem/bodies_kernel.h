/* Rigid bodies and contact frames: H and M^-1 without forming either. Host and device.
 *
 * Row i of contact c is a pair of vectors per body: force direction f_i and moment m_i about the
 * centre of mass. N, T1, T2 push along the frame's axes at the contact point (m = arm x axis);
 * R1, R2, S twist about t1, t2, n (f = 0). Body B gets the opposite sign. General rows, of joints,
 * have both bodies' vectors written out. */
#ifndef SCRI_BODIES_KERNEL_H
#define SCRI_BODIES_KERNEL_H

#include "cones/layout_kernel.h"

#include <string.h>

/* A body's velocities fill one cache line: 3 linear, 3 angular, then its inverse mass and, for a
 * round body, its inverse moment of inertia. */
enum { SCRI_BODY_STRIDE = 8 };

/* Axis of the twist rows (R1, R2, S) of each width among n, t1, t2; -1 where there is no row. */
SCREE_FN int scri_bodies_twist_axis(int width, int row)
{
    if (width == 4) return 0;
    return row == 5 ? 0 : row - 2;
}

SCREE_FN void scri_cross(const double* a, const double* b, double* out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

SCREE_FN double scri_dot3(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = inverse inertia (xx yy zz xy xz yz) times x */
SCREE_FN void scri_inertia_multiply(const double* inverse, const double* x, double* out)
{
    out[0] = inverse[0] * x[0] + inverse[3] * x[1] + inverse[4] * x[2];
    out[1] = inverse[3] * x[0] + inverse[1] * x[1] + inverse[5] * x[2];
    out[2] = inverse[4] * x[0] + inverse[5] * x[1] + inverse[2] * x[2];
}

/* The general rows of contact c, 12 numbers each; NULL where it has a frame and arms. */
SCREE_FN const double* scri_bodies_general(const scree_bodies* bodies, int32_t c)
{
    if (!bodies->general || bodies->general[c] < 0) return NULL;
    return bodies->jacobian + 12 * (size_t)bodies->general[c];
}

/* y += velocity of one side of contact c in its general rows. */
SCREE_FN void scri_bodies_add_general(const scree_bodies* bodies, const double* velocity, int32_t c,
                                      int side, int width, double* y)
{
    const double* row = scri_bodies_general(bodies, c) + 6 * (size_t)side;
    int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
    if (body < 0) return;
    const double* v = velocity + SCRI_BODY_STRIDE * (size_t)body;
    for (int i = 0; i < width; ++i, row += 12) {
        y[i] += scri_dot3(row, v) + scri_dot3(row + 3, v + 3);
    }
}

/* Force and moment [6] on one side of contact c under p[width] in its general rows. */
SCREE_FN void scri_bodies_general_load(const scree_bodies* bodies, int32_t c, int side, int width,
                                       const double* p, double* out)
{
    const double* row = scri_bodies_general(bodies, c) + 6 * (size_t)side;
    for (int j = 0; j < 6; ++j) out[j] = 0.0;
    for (int i = 0; i < width; ++i, row += 12) {
        for (int j = 0; j < 6; ++j) out[j] += p[i] * row[j];
    }
}

/* y += velocity of A relative to B in the rows of contact c. */
SCREE_FN void scri_bodies_add_relative(const scree_bodies* bodies, const double* velocity,
                                       int32_t c, int width, double* y)
{
    const double* frame = bodies->frame + 9 * (size_t)c;
    double point[3] = {0.0, 0.0, 0.0}, omega[3] = {0.0, 0.0, 0.0};
    if (scri_bodies_general(bodies, c)) {
        scri_bodies_add_general(bodies, velocity, c, 0, width, y);
        scri_bodies_add_general(bodies, velocity, c, 1, width, y);
        return;
    }
    for (int side = 0; side < 2; ++side) {
        int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
        if (body < 0) continue;
        double sign = side ? -1.0 : 1.0, swept[3];
        const double* v = velocity + SCRI_BODY_STRIDE * (size_t)body;
        scri_cross(v + 3, bodies->arm + 6 * (size_t)c + 3 * (size_t)side, swept);
        for (int i = 0; i < 3; ++i) {
            point[i] += sign * (v[i] + swept[i]);
            omega[i] += sign * v[3 + i];
        }
    }
    for (int i = 0; i < width && i < 3; ++i) y[i] += scri_dot3(frame + 3 * i, point);
    for (int i = 3; i < width; ++i) {
        y[i] += scri_dot3(frame + 3 * scri_bodies_twist_axis(width, i), omega);
    }
}

/* y += velocity of one side of contact c in its rows, whatever its sign in the relative one. */
SCREE_FN void scri_bodies_add_side(const scree_bodies* bodies, const double* velocity, int32_t c,
                                   int side, int width, double* y)
{
    const double* frame = bodies->frame + 9 * (size_t)c;
    int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
    if (body < 0) return;
    if (scri_bodies_general(bodies, c)) {
        scri_bodies_add_general(bodies, velocity, c, side, width, y);
        return;
    }
    const double* v = velocity + SCRI_BODY_STRIDE * (size_t)body;
    double point[3];
    scri_cross(v + 3, bodies->arm + 6 * (size_t)c + 3 * (size_t)side, point);
    for (int i = 0; i < 3; ++i) point[i] += v[i];
    for (int i = 0; i < width && i < 3; ++i) y[i] += scri_dot3(frame + 3 * i, point);
    for (int i = 3; i < width; ++i) {
        y[i] += scri_dot3(frame + 3 * scri_bodies_twist_axis(width, i), v + 3);
    }
}

/* The same as scri_bodies_push_sides() for general rows. */
SCREE_FN void scri_bodies_push_general(const scree_bodies* bodies, int32_t c, int first, int last,
                                       int width, const double* p, double* velocity)
{
    for (int side = first; side <= last; ++side) {
        int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
        if (body < 0 || bodies->inv_mass[body] == 0.0) continue;
        double load[6], turn[3], *v = velocity + SCRI_BODY_STRIDE * (size_t)body;
        scri_bodies_general_load(bodies, c, side, width, p, load);
        scri_inertia_multiply(bodies->inv_inertia + 6 * (size_t)body, load + 3, turn);
        for (int j = 0; j < 3; ++j) {
            v[j] += bodies->inv_mass[body] * load[j];
            v[3 + j] += turn[j];
        }
    }
}

/* velocity += M^-1 H_c^T p with p[width] of contact c, for its sides from `first` to `last`. */
SCREE_FN void scri_bodies_push_sides(const scree_bodies* bodies, int32_t c, int first, int last,
                                     int width, const double* p, double* velocity)
{
    const double* frame = bodies->frame + 9 * (size_t)c;
    double force[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0};
    if (scri_bodies_general(bodies, c)) {
        scri_bodies_push_general(bodies, c, first, last, width, p, velocity);
        return;
    }
    for (int i = 0; i < width && i < 3; ++i) {
        for (int j = 0; j < 3; ++j) force[j] += p[i] * frame[3 * i + j];
    }
    for (int i = 3; i < width; ++i) {
        const double* axis = frame + 3 * scri_bodies_twist_axis(width, i);
        for (int j = 0; j < 3; ++j) moment[j] += p[i] * axis[j];
    }
    for (int side = first; side <= last; ++side) {
        int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
        /* Workers share immovable bodies: not even zeros may be added to them. */
        if (body < 0 || bodies->inv_mass[body] == 0.0) continue;
        double sign = side ? -1.0 : 1.0, twist[3], turn[3];
        scri_cross(bodies->arm + 6 * (size_t)c + 3 * (size_t)side, force, twist);
        for (int j = 0; j < 3; ++j) twist[j] += moment[j];
        scri_inertia_multiply(bodies->inv_inertia + 6 * (size_t)body, twist, turn);
        double* v = velocity + SCRI_BODY_STRIDE * (size_t)body;
        for (int j = 0; j < 3; ++j) {
            v[j] += sign * bodies->inv_mass[body] * force[j];
            v[3 + j] += sign * turn[j];
        }
    }
}

SCREE_FN void scri_bodies_add_impulse(const scree_bodies* bodies, int32_t c, int width,
                                      const double* p, double* velocity)
{
    scri_bodies_push_sides(bodies, c, 0, 1, width, p, velocity);
}

/* Velocity change of one side of contact c under a unit impulse in `row`: 6 numbers. */
SCREE_FN void scri_bodies_unit_response(const scree_bodies* bodies, int32_t c, int side, int width,
                                        int row, double* response)
{
    int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
    const double* general = scri_bodies_general(bodies, c);
    if (general) {
        general += 12 * (size_t)row + 6 * (size_t)side;
        for (int j = 0; j < 3; ++j) response[j] = bodies->inv_mass[body] * general[j];
        scri_inertia_multiply(bodies->inv_inertia + 6 * (size_t)body, general + 3, response + 3);
        return;
    }
    int axis = row < 3 ? row : scri_bodies_twist_axis(width, row);
    const double* direction = bodies->frame + 9 * (size_t)c + 3 * (size_t)axis;
    double sign = side ? -1.0 : 1.0, twist[3];
    if (row < 3) {
        scri_cross(bodies->arm + 6 * (size_t)c + 3 * (size_t)side, direction, twist);
    } else {
        memcpy(twist, direction, sizeof twist);
    }
    scri_inertia_multiply(bodies->inv_inertia + 6 * (size_t)body, twist, response + 3);
    for (int j = 0; j < 3; ++j) {
        response[j] = row < 3 ? sign * bodies->inv_mass[body] * direction[j] : 0.0;
        response[3 + j] *= sign;
    }
}

/* Row `row` of H of one side of contact c: 6 numbers. */
SCREE_FN void scri_bodies_unit_row(const scree_bodies* bodies, int32_t c, int side, int width,
                                   int row, double* out)
{
    const double* general = scri_bodies_general(bodies, c);
    if (general) {
        memcpy(out, general + 12 * (size_t)row + 6 * (size_t)side, 6 * sizeof *out);
        return;
    }
    int axis = row < 3 ? row : scri_bodies_twist_axis(width, row);
    const double* direction = bodies->frame + 9 * (size_t)c + 3 * (size_t)axis;
    double sign = side ? -1.0 : 1.0;
    if (row < 3) {
        scri_cross(bodies->arm + 6 * (size_t)c + 3 * (size_t)side, direction, out + 3);
    } else {
        memcpy(out + 3, direction, 3 * sizeof *out);
    }
    for (int j = 0; j < 3; ++j) {
        out[j] = row < 3 ? sign * direction[j] : 0.0;
        out[3 + j] *= sign;
    }
}

/* One side of a contact, with the number of its rows. */
typedef struct scri_bodies_end {
    int32_t contact;
    int side, width;
} scri_bodies_end;

/* block += H_a M^-1 H_b^T over the body that ends a and b share. */
SCREE_FN void scri_bodies_add_coupling(const scree_bodies* bodies, scri_bodies_end a,
                                       scri_bodies_end b, double* block)
{
    for (int j = 0; j < b.width; ++j) {
        double response[6], row[6];
        scri_bodies_unit_response(bodies, b.contact, b.side, b.width, j, response);
        for (int i = 0; i < a.width; ++i) {
            scri_bodies_unit_row(bodies, a.contact, a.side, a.width, i, row);
            block[i * b.width + j] += scri_dot3(row, response) + scri_dot3(row + 3, response + 3);
        }
    }
}

/* W_cc, row-major. */
SCREE_FN void scri_bodies_block(const scree_bodies* bodies, int32_t c, int width, double* block)
{
    memset(block, 0, (size_t)(width * width) * sizeof *block);
    const int32_t* pair = bodies->pair + 2 * (size_t)c;
    for (int side = 0; side < 2; ++side) {
        for (int other = 0; other < 2; ++other) {
            if (pair[side] < 0 || pair[side] != pair[other]) continue;
            scri_bodies_add_coupling(bodies, SCRI_OF(scri_bodies_end, c, side, width),
                                     SCRI_OF(scri_bodies_end, c, other, width), block);
        }
    }
}

/* out += what one side adds to the diagonal of W_cc, for rows of a frame. */
SCREE_FN void scri_bodies_add_diagonal(const scree_bodies* bodies, int32_t c, int side, int width,
                                       double* out)
{
    size_t body = (size_t)bodies->pair[2 * (size_t)c + (size_t)side];
    const double *frame = bodies->frame + 9 * (size_t)c, *inverse = bodies->inv_inertia + 6 * body;
    const double* arm = bodies->arm + 6 * (size_t)c + 3 * (size_t)side;
    for (int i = 0; i < width; ++i) {
        const double* direction = frame + 3 * (i < 3 ? i : scri_bodies_twist_axis(width, i));
        double twist[3] = {direction[0], direction[1], direction[2]}, turn[3];
        if (i < 3) {
            scri_cross(arm, direction, twist);
            out[i] += bodies->inv_mass[body] * scri_dot3(direction, direction);
        }
        scri_inertia_multiply(inverse, twist, turn);
        out[i] += scri_dot3(twist, turn);
    }
}

/* The same where the body turns alike about every axis: then the twist of a row is as long as what
 * the arm has along the two other axes. Put in with a number of rows that is known, it has no
 * loops. */
SCREE_FN void scri_bodies_add_round_diagonal(const scree_bodies* bodies, int32_t c, int side,
                                             int width, double* out)
{
    size_t body = (size_t)bodies->pair[2 * (size_t)c + (size_t)side];
    const double *frame = bodies->frame + 9 * (size_t)c, turns = bodies->inv_inertia[6 * body];
    const double* arm = bodies->arm + 6 * (size_t)c + 3 * (size_t)side;
    double moves = bodies->inv_mass[body], along[3];
    for (int i = 0; i < 3; ++i) {
        along[i] = scri_dot3(arm, frame + 3 * i);
        along[i] *= along[i];
    }
    for (int i = 0; i < width; ++i) {
        out[i] += i < 3 ? moves + turns * (along[(i + 1) % 3] + along[(i + 2) % 3]) : turns;
    }
}

/* Whether a body turns alike about every axis; an immovable one does. */
SCREE_FN int scri_bodies_is_round(const scree_bodies* bodies, int32_t body)
{
    const double* j = bodies->inv_inertia + 6 * (size_t)body;
    return j[0] == j[1] && j[1] == j[2] && j[3] == 0.0 && j[4] == 0.0 && j[5] == 0.0;
}

/* The same for general rows. */
SCREE_FN void scri_bodies_add_general_diagonal(const scree_bodies* bodies, int32_t c, int side,
                                               int width, double* out)
{
    for (int i = 0; i < width; ++i) {
        double response[6], row[6];
        scri_bodies_unit_row(bodies, c, side, width, i, row);
        scri_bodies_unit_response(bodies, c, side, width, i, response);
        out[i] += scri_dot3(row, response) + scri_dot3(row + 3, response + 3);
    }
}

/* The diagonal of W_cc alone. */
SCREE_FN void scri_bodies_diagonal(const scree_bodies* bodies, int32_t c, int width, double* out)
{
    const int32_t* pair = bodies->pair + 2 * (size_t)c;
    double sum[SCRI_MAX_WIDTH] = {0.0};
    for (int side = 0; side < 2; ++side) {
        if (pair[side] < 0 || bodies->inv_mass[pair[side]] == 0.0) continue;
        if (scri_bodies_general(bodies, c)) {
            scri_bodies_add_general_diagonal(bodies, c, side, width, sum);
        } else if (!scri_bodies_is_round(bodies, pair[side])) {
            scri_bodies_add_diagonal(bodies, c, side, width, sum);
        } else if (width == SCRI_MAX_WIDTH) {
            scri_bodies_add_round_diagonal(bodies, c, side, SCRI_MAX_WIDTH, sum);
        } else {
            scri_bodies_add_round_diagonal(bodies, c, side, width, sum);
        }
    }
    for (int i = 0; i < width; ++i) out[i] = sum[i];
}

#endif
