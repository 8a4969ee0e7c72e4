/* Scales of SCRI_DOUBLES contacts at once: problem/scaling.c, scri_bodies_diagonal() and
 * laws/equilibrate.c word by word, so that the bits are theirs; cases become masks. */
#ifndef SCRI_SCALE_OVER_DOUBLES_H
#define SCRI_SCALE_OVER_DOUBLES_H

#include "cones/layout_kernel.h"
#include "problem/contacts_over_doubles.h"
#include "problem/scale_lanes.h"

#include <string.h>

/* ---- diagonals --------------------------------------------------------------------------------
 */

/* How the bodies on a side of contacts move and turn; 0 where they do not respond. */
typedef struct lanes_mobility {
    scri_doubles moves, turns;
} lanes_mobility;

/* 0: a body responds, and is not round. */
SCREE_FN int read_mobility(const scree_bodies* bodies, int32_t c, int side, lanes_mobility* out)
{
    const int32_t* pair = bodies->pair + 2 * (size_t)c + side;
    double moves[SCRI_DOUBLES], turns[SCRI_DOUBLES];
    for (int i = 0; i < SCRI_DOUBLES; ++i) {
        size_t body = (size_t)pair[2 * i];
        int responds = bodies->inv_mass[body] != 0.0;
        if (responds && !scri_bodies_is_round(bodies, pair[2 * i])) return 0;
        moves[i] = responds ? bodies->inv_mass[body] : 0.0;
        turns[i] = responds ? bodies->inv_inertia[6 * body] : 0.0;
    }
    out->moves = scri_doubles_load(moves);
    out->turns = scri_doubles_load(turns);
    return 1;
}

/* What one side adds, see scri_bodies_add_round_diagonal(). */
SCREE_FN void add_side(const lanes_mobility* m, const scri_doubles* frame, const scri_doubles* arm,
                       const int width, scri_doubles* sum)
{
    scri_doubles along[3];
    for (int i = 0; i < 3; ++i) {
        const scri_doubles* f = frame + 3 * i;
        along[i] = arm[0] * f[0] + arm[1] * f[1] + arm[2] * f[2];
        along[i] *= along[i];
    }
    for (int i = 0; i < 3; ++i) {
        sum[i] += m->moves + m->turns * (along[(i + 1) % 3] + along[(i + 2) % 3]);
    }
    for (int i = 3; i < width; ++i) sum[i] += m->turns;
}

SCREE_FN int diagonal_block(const scri_scale_list* list, int32_t c, const int width)
{
    const scree_bodies* bodies = &list->problem->bodies;
    scri_doubles frame[9], arm[6], sum[SCRI_MAX_WIDTH];
    lanes_mobility mobility[2];
    for (int i = 0; i < SCRI_DOUBLES; ++i) { /* sides of one body are coupled */
        const int32_t* pair = bodies->pair + 2 * (size_t)(c + i);
        if (pair[0] == pair[1]) return 0;
    }
    for (int side = 0; side < 2; ++side) {
        if (!read_mobility(bodies, c, side, &mobility[side])) return 0;
    }
    read_lanes(bodies->frame + 9 * (size_t)c, 9, 9, frame);
    read_lanes(bodies->arm + 6 * (size_t)c, 6, 6, arm);
    for (int i = 0; i < width; ++i) sum[i] = scri_doubles_all(0.0);
    for (int side = 0; side < 2; ++side) {
        add_side(&mobility[side], frame, arm + 3 * side, width, sum);
    }
    write_lanes(sum, width, list->scale + list->problem->first_row[c]);
    return 1;
}

/* ---- scales -----------------------------------------------------------------------------------
 */

/* Roots of squares; lanes that have none are added to `odd`. */
SCREE_FN scri_doubles lanes_roots(scri_doubles square, scri_doubles_mask* odd)
{
    scri_doubles zero = scri_doubles_all(0.0), most = scri_doubles_all(SCREE_INFINITY);
    *odd |= ~((square > zero) & (square < most));
    return scri_doubles_sqrt(square);
}

/* Diagonals of contacts from where their scales go. read_lanes() reads behind its end, where
 * another worker may be writing: it reads a copy. */
SCREE_FN void read_diagonals(const double* from, const int width, scri_doubles* out)
{
    double room[(SCRI_MAX_WIDTH + 1) * SCRI_DOUBLES] = {0.0};
    memcpy(room, from, (size_t)(width * SCRI_DOUBLES) * sizeof *room);
    read_lanes(room, (size_t)width, width, out);
}

SCREE_FN int scale_block(const scri_scale_list* list, int32_t c, const int width)
{
    const int channels = width == 3 ? 1 : SCRI_CHANNELS;
    double* scale = list->scale + list->problem->first_row[c];
    scri_doubles d[SCRI_MAX_WIDTH], mu[SCRI_CHANNELS], s[SCRI_CHANNELS], zero;
    scri_doubles unit = scri_doubles_all(list->unit), per_unit = scri_doubles_all(1.0 / list->unit);
    zero = scri_doubles_all(0.0);
    scri_doubles_mask odd = zero != zero;
    read_diagonals(scale, width, d);
    read_lanes(list->problem->coef + 3 * (size_t)c, 3, 3, mu);
    scri_doubles normal = lanes_roots(d[0] * per_unit, &odd), half = scri_doubles_all(0.5);
    for (int k = 0; k < channels; ++k) {
        int first = 1 + 2 * k;
        scri_doubles mean = k == SCRI_SPIN ? d[first] : half * (zero + d[first] + d[first + 1]);
        s[k] = lanes_roots(mean * per_unit, &odd);
    }
    if (scri_doubles_any(odd)) return 0;
    d[0] = normal;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (k >= channels) {
            mu[k] = zero;
            continue;
        }
        mu[k] = mu[k] * (unit * s[k]) / (unit * normal);
        d[1 + 2 * k] = s[k];
        if (k != SCRI_SPIN) d[2 + 2 * k] = s[k];
    }
    write_lanes(d, width, scale);
    write_lanes(mu, SCRI_CHANNELS, list->coef + 3 * (size_t)c);
    return 1;
}

/* ---- all --------------------------------------------------------------------------------------
 */

/* Block by block, for which `block` is a constant at each call. */
SCREE_FN int32_t do_blocks(const scri_scale_list* list, int32_t c, int32_t n,
                           int (*const block)(const scri_scale_list*, int32_t, const int))
{
    const scree_problem* problem = list->problem;
    int32_t n_rows = problem->first_row[problem->n_contacts], done = 0;
    for (; done + SCRI_DOUBLES <= n; done += SCRI_DOUBLES) {
        int32_t first = c + done;
        if (!may_take(problem, first, n_rows)) break;
        int rows = problem->rows[first], took = 0;
        if (rows == SCREE_ROWS_NTTRRS) took = block(list, first, 6);
        if (rows == SCREE_ROWS_NTT) took = block(list, first, 3);
        if (!took) break;
    }
    return done;
}

static int32_t scri_lanes_diagonals(const scri_scale_list* list, int32_t c, int32_t n)
{
    return do_blocks(list, c, n, diagonal_block);
}

static int32_t scri_lanes_scales(const scri_scale_list* list, int32_t c, int32_t n)
{
    return do_blocks(list, c, n, scale_block);
}

#endif
