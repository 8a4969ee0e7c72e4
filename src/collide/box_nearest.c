/* Distance of two separate boxes: it is attained at a corner of one of them, or between two edges,
 * so trying all of these is exact. */
#include "collide/box.h"

/* Squares of distances that are larger by this factor are larger, whatever rounding did. */
#define BEYOND (1.0 + 1e-6)

static scri_vec corner_of(const scri_box* box, int k)
{
    scri_vec x = box->centre;
    for (int i = 0; i < 3; ++i) {
        x = scri_vec_add_scaled(x, k >> i & 1 ? box->half[i] : -box->half[i], box->axis[i]);
    }
    return x;
}

static scri_vec nearest_in_box(const scri_box* box, scri_vec x)
{
    scri_vec d = scri_vec_sub(x, box->centre), found = box->centre;
    for (int i = 0; i < 3; ++i) {
        double t = scri_vec_dot(d, box->axis[i]), h = box->half[i];
        found = scri_vec_add_scaled(found, t > h ? h : t < -h ? -h : t, box->axis[i]);
    }
    return found;
}

/* Takes the pair over when it is nearer. `distance` holds the square meanwhile. */
static void offer(scri_facing* best, scri_vec on_a, scri_vec on_b)
{
    scri_vec d = scri_vec_sub(on_a, on_b);
    double square = scri_vec_dot(d, d);
    if (square < best->distance) *best = (scri_facing){on_a, on_b, square};
}

/* Middle of edge number k (0-3) of those along axis i. */
static scri_vec edge_middle(const scri_box* box, int i, int k)
{
    int j = (i + 1) % 3, l = (i + 2) % 3;
    scri_vec x =
        scri_vec_add_scaled(box->centre, k & 1 ? box->half[j] : -box->half[j], box->axis[j]);
    return scri_vec_add_scaled(x, k & 2 ? box->half[l] : -box->half[l], box->axis[l]);
}

/* Edges along axis i of a with those along axis j of b. Ends of edges are corners: left out. So are
 * edges whose lines are farther apart than what has been found. */
static void try_edges(const scri_box* a, const scri_box* b, int i, int j, scri_facing* best)
{
    scri_vec u = a->axis[i], v = b->axis[j], across = scri_vec_cross(u, v), p[4], q[4];
    double square = scri_vec_dot(across, across), of_p[4], of_q[4], s, t;
    for (int k = 0; k < 4; ++k) {
        p[k] = edge_middle(a, i, k);
        q[k] = edge_middle(b, j, k);
        of_p[k] = scri_vec_dot(p[k], across);
        of_q[k] = scri_vec_dot(q[k], across);
    }
    for (int k = 0; k < 16; ++k) {
        int m = k & 3, n = k >> 2;
        double apart = of_p[m] - of_q[n];
        if (apart * apart > BEYOND * square * best->distance) continue;
        if (!scri_nearest_on_lines(p[m], u, q[n], v, &s, &t)) return;
        if (!(fabs(s) <= a->half[i] && fabs(t) <= b->half[j])) continue;
        offer(best, scri_vec_add_scaled(p[m], s, u), scri_vec_add_scaled(q[n], t, v));
    }
}

scri_facing scri_box_nearest(const scri_box* a, const scri_box* b)
{
    scri_facing best = {.distance = SCREE_INFINITY};
    for (int k = 0; k < 8; ++k) {
        scri_vec of_a = corner_of(a, k), of_b = corner_of(b, k);
        offer(&best, of_a, nearest_in_box(b, of_a));
        offer(&best, nearest_in_box(a, of_b), of_b);
    }
    for (int k = 0; k < 9; ++k) try_edges(a, b, k / 3, k % 3, &best);
    best.distance = sqrt(best.distance);
    return best;
}
