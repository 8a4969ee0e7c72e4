/* Contacts through the natural map, SCRI_DOUBLES at once: problem/natural_map.c, problem/operator.c
 * and cones/friction_kernel.h word by word, so that the bits are theirs; cases become masks. */
#ifndef SCRI_JUDGE_OVER_DOUBLES_H
#define SCRI_JUDGE_OVER_DOUBLES_H

#include "cones/friction_kernel.h"
#include "problem/contacts_over_doubles.h"
#include "problem/judge_lanes.h"

/* A vector in space for each lane. */
typedef struct lanes_vec {
    scri_doubles x[3];
} lanes_vec;

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Velocity and angular velocity of the bodies on a side. */
SCREE_FN void read_bodies(const scri_judge_list* list, int32_t c, int side, lanes_vec* v,
                          lanes_vec* w)
{
    const int32_t* pair = list->problem->bodies.pair + 2 * (size_t)c + side;
    scri_doubles row[SCRI_DOUBLES], x[SCRI_BODY_STRIDE];
    SCRI_UNROLL
    for (int k = 0; k < SCRI_BODY_STRIDE; k += SCRI_DOUBLES) {
        SCRI_UNROLL
        for (int i = 0; i < SCRI_DOUBLES; ++i) {
            const double* line = list->velocity + SCRI_BODY_STRIDE * (size_t)pair[2 * i];
            row[i] = scri_doubles_load(line + k);
        }
        scri_doubles_transpose(row);
        SCRI_UNROLL
        for (int i = 0; i < SCRI_DOUBLES; ++i) x[k + i] = row[i];
    }
    for (int i = 0; i < 3; ++i) {
        v->x[i] = x[i];
        w->x[i] = x[3 + i];
    }
}

/* ---- arithmetic -------------------------------------------------------------------------------
 */

SCREE_FN scri_doubles lanes_dot(const scri_doubles* a, const lanes_vec* b)
{
    return a[0] * b->x[0] + a[1] * b->x[1] + a[2] * b->x[2];
}

SCREE_FN scri_doubles lanes_larger(scri_doubles a, scri_doubles b)
{
    return scri_doubles_select((a >= b) | (b != b), a, b);
}

SCREE_FN scri_doubles lanes_abs(scri_doubles x)
{
    const scri_doubles_mask none = {0};
    return (scri_doubles)((scri_doubles_mask)x & (none + INT64_MAX));
}

SCREE_FN scri_doubles lanes_square_sum(const scri_doubles* x, const int n)
{
    scri_doubles sum = scri_doubles_all(0.0);
    for (int i = 0; i < n; ++i) sum += x[i] * x[i];
    return sum;
}

/* |(x, y)|; lanes whose squares leave the safe range are added to `odd`. */
SCREE_FN scri_doubles lanes_norm2(scri_doubles x, scri_doubles y, scri_doubles_mask* odd)
{
    scri_doubles zero = scri_doubles_all(0.0), square = x * x + y * y;
    scri_doubles_mask usual =
        (square > scri_doubles_all(1e-280)) & (square < scri_doubles_all(1e280));
    *odd |= ~(usual | ((x == zero) & (y == zero)));
    return scri_doubles_select(usual, scri_doubles_sqrt(square), zero);
}

/* Norms of the channels of x[width]. */
SCREE_FN void lanes_norms(const scri_doubles* x, const int width, scri_doubles* out,
                          scri_doubles_mask* odd)
{
    out[SCRI_SLIDE] = lanes_norm2(x[1], x[2], odd);
    if (width == 3) return;
    out[SCRI_ROLL] = lanes_norm2(x[3], x[4], odd);
    out[SCRI_SPIN] = lanes_abs(x[5]);
}

/* What is added to a velocity of the bodies in rows of contacts. */
SCREE_FN void add_rows(const scri_doubles* frame, const lanes_vec* point, const lanes_vec* omega,
                       const int width, scri_doubles* y)
{
    for (int i = 0; i < 3; ++i) y[i] += lanes_dot(frame + 3 * i, point);
    if (width == 3) return;
    for (int i = 3; i < 6; ++i) {
        y[i] += lanes_dot(frame + 3 * scri_bodies_twist_axis(width, i), omega);
    }
}

/* Velocity of the point of contact on a side. */
SCREE_FN lanes_vec point_velocity(const lanes_vec* v, const lanes_vec* w, const scri_doubles* arm)
{
    lanes_vec out;
    out.x[0] = v->x[0] + (w->x[1] * arm[2] - w->x[2] * arm[1]);
    out.x[1] = v->x[1] + (w->x[2] * arm[0] - w->x[0] * arm[2]);
    out.x[2] = v->x[2] + (w->x[0] * arm[1] - w->x[1] * arm[0]);
    return out;
}

/* Both sides of contacts. */
typedef struct lanes_sides {
    scri_doubles frame[9];
    lanes_vec point[2], omega[2]; /* velocities, of the point of contact and angular */
} lanes_sides;

SCREE_FN void read_sides(const scri_judge_list* list, int32_t c, lanes_sides* out)
{
    const scree_bodies* bodies = &list->problem->bodies;
    scri_doubles arm[6];
    read_lanes(bodies->frame + 9 * (size_t)c, 9, 9, out->frame);
    read_lanes(bodies->arm + 6 * (size_t)c, 6, 6, arm);
    for (int side = 0; side < 2; ++side) {
        lanes_vec v;
        read_bodies(list, c, side, &v, &out->omega[side]);
        out->point[side] = point_velocity(&v, &out->omega[side], arm + 3 * side);
    }
}

/* y = q and what is between both sides. */
SCREE_FN void lanes_velocity(const lanes_sides* s, const scri_doubles* q, const int width,
                             scri_doubles* y)
{
    scri_doubles zero = scri_doubles_all(0.0);
    lanes_vec point, omega;
    for (int i = 0; i < 3; ++i) {
        point.x[i] = zero + s->point[0].x[i] - s->point[1].x[i];
        omega.x[i] = zero + s->omega[0].x[i] - s->omega[1].x[i];
    }
    for (int i = 0; i < width; ++i) y[i] = q[i];
    add_rows(s->frame, &point, &omega, width, y);
}

/* The larger of the squares of what the impulses change in either body. */
SCREE_FN scri_doubles lanes_change(const lanes_sides* s, const scri_doubles* scale, const int width)
{
    scri_doubles most = scri_doubles_all(0.0);
    for (int side = 0; side < 2; ++side) {
        scri_doubles x[SCRI_MAX_WIDTH];
        for (int i = 0; i < width; ++i) x[i] = scri_doubles_all(0.0);
        add_rows(s->frame, &s->point[side], &s->omega[side], width, x);
        for (int i = 0; i < width; ++i) x[i] /= scale[i];
        most = lanes_larger(most, lanes_square_sum(x, width));
    }
    return most;
}

/* ---- the cone ---------------------------------------------------------------------------------
 */

/* See scri_friction_root(). */
SCREE_FN scri_doubles lanes_root(const int channels, scri_doubles n, const scri_doubles* mu,
                                 const scri_doubles* length, scri_doubles_mask* outside)
{
    scri_doubles zero = scri_doubles_all(0.0), none = scri_doubles_all(-1.0);
    scri_doubles point[SCRI_CHANNELS], numerator = n, denominator = scri_doubles_all(1.0), y = n;
    for (int k = 0; k < channels; ++k) {
        point[k] = scri_doubles_select(length[k] > zero, length[k] / mu[k], none);
        outside[k] = zero != zero;
    }
    for (int round = 0; round < channels; ++round) {
        scri_doubles farthest = point[0], by = mu[0], reach = length[0];
        scri_doubles_mask is_next[SCRI_CHANNELS] = {zero == zero};
        for (int k = 1; k < channels; ++k) {
            scri_doubles_mask farther = point[k] > farthest;
            farthest = scri_doubles_select(farther, point[k], farthest);
            by = scri_doubles_select(farther, mu[k], by);
            reach = scri_doubles_select(farther, length[k], reach);
            for (int j = 0; j < k; ++j) is_next[j] &= ~farther;
            is_next[k] = farther;
        }
        scri_doubles_mask joins = (farthest > zero) & (farthest > y);
        if (!scri_doubles_any(joins)) break;
        for (int k = 0; k < channels; ++k) {
            outside[k] |= joins & is_next[k];
            point[k] = scri_doubles_select(joins & is_next[k], none, point[k]);
        }
        numerator = scri_doubles_select(joins, numerator + by * reach, numerator);
        denominator = scri_doubles_select(joins, denominator + by * by, denominator);
        y = scri_doubles_select(joins, numerator / denominator, y);
    }
    return y;
}

/* See scri_friction_project(). */
SCREE_FN void lanes_project(const int width, const scri_doubles* mu, scri_doubles* p,
                            scri_doubles_mask* odd)
{
    const int channels = width == 3 ? 1 : SCRI_CHANNELS;
    scri_doubles zero = scri_doubles_all(0.0), n = p[0], length[SCRI_CHANNELS], sum = n, press = n;
    lanes_norms(p, width, length, odd);
    scri_doubles_mask inside = n > zero, outside[SCRI_CHANNELS];
    for (int k = 0; k < channels; ++k) {
        sum += length[k];
        press += mu[k] * length[k];
        inside &= length[k] <= mu[k] * n * scri_doubles_all(1.0 - SCRI_CLEARLY);
    }
    *odd |= sum != sum;
    if (!scri_doubles_any(~inside)) return;
    scri_doubles_mask polar = (n < zero) & (press < scri_doubles_all(SCRI_CLEARLY) * n);
    scri_doubles y = lanes_root(channels, n, mu, length, outside);
    scri_doubles_mask vanishes = ~inside & (polar | ~(y > zero)), drawn = ~inside & ~vanishes;
    p[0] = scri_doubles_select(drawn, y, p[0]);
    for (int k = 0; k < channels; ++k) {
        scri_doubles shrink = mu[k] * y / length[k];
        int first = 1 + 2 * k, last = k == SCRI_SPIN ? 6 : first + 2;
        for (int i = first; i < last; ++i) {
            p[i] = scri_doubles_select(drawn & outside[k], p[i] * shrink, p[i]);
        }
    }
    for (int i = 0; i < width; ++i) p[i] = scri_doubles_select(vanishes, zero, p[i]);
}

/* ---- the map ----------------------------------------------------------------------------------
 */

/* p, y and q of contacts in scaled variables, and their scales. */
typedef struct lanes_local {
    scri_doubles p[SCRI_MAX_WIDTH], y[SCRI_MAX_WIDTH], q[SCRI_MAX_WIDTH], scale[SCRI_MAX_WIDTH];
} lanes_local;

SCREE_FN void read_local(const scri_judge_list* list, int32_t c, const lanes_sides* s,
                         const int width, lanes_local* x)
{
    const scree_problem* problem = list->problem;
    size_t row = (size_t)problem->first_row[c], stride = (size_t)width;
    scri_doubles unit = scri_doubles_all(list->scaling->unit);
    read_lanes(list->p + row, stride, width, x->p);
    read_lanes(problem->q + row, stride, width, x->q);
    read_lanes(list->scaling->scale + row, stride, width, x->scale);
    if (list->found) {
        lanes_velocity(s, x->q, width, x->y);
        write_lanes(x->y, width, list->found + row);
    } else {
        read_lanes(list->y + row, stride, width, x->y);
    }
    for (int i = 0; i < width; ++i) {
        x->p[i] = x->p[i] * (unit * x->scale[i]);
        x->y[i] = x->y[i] / x->scale[i];
        x->q[i] = x->q[i] / x->scale[i];
    }
}

/* The image of p - y. */
SCREE_FN void lanes_image(const lanes_local* x, const scri_doubles* mu, const int width,
                          scri_doubles* image, scri_doubles_mask* odd)
{
    scri_doubles length[SCRI_CHANNELS], shift = scri_doubles_all(0.0);
    lanes_norms(x->y, width, length, odd);
    for (int k = 0; k < (width == 3 ? 1 : SCRI_CHANNELS); ++k) shift += mu[k] * length[k];
    for (int i = 0; i < width; ++i) image[i] = x->p[i] - x->y[i];
    image[0] -= shift;
    lanes_project(width, mu, image, odd);
}

/* Judges contacts from c on, of which the first is number `at` of those that are told; 0: one of
 * them has variables that lanes do not take. */
SCREE_FN int judge_block(const scri_judge_list* list, int32_t c, const int width, int32_t at,
                         scri_judged_lanes* out)
{
    scri_doubles zero = scri_doubles_all(0.0), mu[SCRI_CHANNELS], gap[SCRI_MAX_WIDTH];
    scri_doubles_mask odd = zero != zero;
    lanes_sides sides;
    lanes_local x;
    read_sides(list, c, &sides);
    read_lanes(list->scaling->coef + 3 * (size_t)c, 3, 3, mu);
    read_local(list, c, &sides, width, &x);
    lanes_image(&x, mu, width, gap, &odd);
    for (int i = 0; i < width; ++i) gap[i] = x.p[i] - gap[i];
    scri_doubles map = lanes_square_sum(gap, width), q = lanes_square_sum(x.q, width),
                 y = lanes_square_sum(x.y, width);
    scri_doubles least = scri_doubles_all(list->scaling->speed) / x.scale[0];
    scri_doubles size = lanes_larger(least * least, lanes_larger(q, y));
    size = lanes_larger(size, lanes_change(&sides, x.scale, width));
    scri_doubles into = scri_doubles_select(-x.y[0] < zero, zero, -x.y[0]), approach = into * into;
    if (scri_doubles_any(odd)) return 0;
    scri_doubles_store(map, out->map + at);
    scri_doubles_store(lanes_square_sum(x.p, width), out->p + at);
    scri_doubles_store(y, out->y + at);
    scri_doubles_store(q, out->q + at);
    scri_doubles_store(size, out->size + at);
    scri_doubles_store(map / size, out->local + at);
    scri_doubles_store(approach / size, out->approach + at);
    return 1;
}

SCREE_FN int32_t scri_lanes_judge(const scri_judge_list* list, int32_t c, int32_t n,
                                  scri_judged_lanes* out)
{
    const scree_problem* problem = list->problem;
    int32_t n_rows = problem->first_row[problem->n_contacts], done = 0;
    if (n > SCRI_MOST_JUDGED) n = SCRI_MOST_JUDGED;
    for (; done + SCRI_DOUBLES <= n; done += SCRI_DOUBLES) {
        int32_t first = c + done;
        if (!may_take(problem, first, n_rows)) break;
        int rows = problem->rows[first], took = 0;
        if (rows == SCREE_ROWS_NTTRRS) took = judge_block(list, first, 6, done, out);
        if (rows == SCREE_ROWS_NTT) took = judge_block(list, first, 3, done, out);
        if (!took) break;
    }
    return done;
}

#endif
