/* Edges and corners of two boxes that meet, for a normal that is known. */
#include "collide/box.h"

/* Edges at a smaller angle (sine) than this touch along a length. Real edges are round: those of
 * radius r that cross at an angle s touch within about r / s of the crossing. */
#define NEARLY_PARALLEL 0.2

/* An edge lies across the normal when their cosine is below this. */
#define ACROSS 0.1

/* Middle of the edge along axis i that lies farthest in `direction`. */
static scri_vec support_edge(const scri_box* box, int i, scri_vec direction)
{
    scri_vec x = box->centre;
    for (int k = 0; k < 3; ++k) {
        if (k == i) continue;
        double side = scri_vec_dot(box->axis[k], direction) < 0.0 ? -box->half[k] : box->half[k];
        x = scri_vec_add_scaled(x, side, box->axis[k]);
    }
    return x;
}

/* Two edges: middles, directions, half lengths. */
typedef struct edge_pair {
    scri_vec p, u, q, v;
    double half_p, half_q;
} edge_pair;

/* The edges along axis i of a and axis j of b that lie towards these directions. */
static edge_pair edges_along(const scri_box_pair* p, int i, int j, scri_vec of_a, scri_vec of_b)
{
    return (edge_pair){support_edge(&p->a, i, of_a),
                       p->a.axis[i],
                       support_edge(&p->b, j, of_b),
                       p->b.axis[j],
                       p->a.half[i],
                       p->b.half[j]};
}

static double clamp(double x, double lower, double upper)
{
    return x < lower ? lower : x > upper ? upper : x;
}

/* The axes along which a point of the core's surface may move on it: bit k for axis k. */
static int free_axes(const scri_box* box, const scri_box_pair* p, scri_vec x)
{
    scri_vec d = scri_vec_sub(x, box->centre);
    int bits = 0;
    for (int k = 0; k < 3; ++k) {
        double end = box->half[k] - p->radius - 1e-9 * p->scale;
        if (fabs(scri_vec_dot(d, box->axis[k])) < end) bits |= 1 << k;
    }
    return bits;
}

/* The pair of axes nearest to parallel of those along which there are edges at the nearest points,
 * and which lie across the normal; returns the sine. */
static double parallel_axes(const scri_box_pair* p, const scri_facing* nearest, scri_vec normal,
                            int* i, int* j)
{
    int free_a = free_axes(&p->a, p, nearest->on_a), free_b = free_axes(&p->b, p, nearest->on_b);
    double least = 1.0;
    for (int k = 0; k < 9; ++k) {
        if ((free_a & ~(1 << k / 3)) || (free_b & ~(1 << k % 3))) continue;
        scri_vec u = p->a.axis[k / 3], v = p->b.axis[k % 3];
        double tilt = fmax(fabs(scri_vec_dot(u, normal)), fabs(scri_vec_dot(v, normal)));
        double sine = scri_vec_length(scri_vec_cross(u, v));
        if (!(tilt <= ACROSS && sine < least)) continue;
        least = sine;
        *i = k / 3;
        *j = k % 3;
    }
    return least;
}

/* What two nearly parallel edges have in common, as coordinates along the direction w between
 * them; 0 when there is nothing. */
static int common_stretch(const edge_pair* e, scri_vec w, double radius, double stretch[2])
{
    double along_p = scri_vec_dot(e->p, w), along_q = scri_vec_dot(e->q, w), s, t;
    double reach_p = e->half_p * fabs(scri_vec_dot(e->u, w));
    double reach_q = e->half_q * fabs(scri_vec_dot(e->v, w));
    double lower = fmax(along_p - reach_p, along_q - reach_q);
    double upper = fmin(along_p + reach_p, along_q + reach_q);
    stretch[0] = lower;
    stretch[1] = upper;
    if (lower > upper) return 0;
    if (!scri_nearest_on_lines(e->p, e->u, e->q, e->v, &s, &t)) return 1;
    double sine = scri_vec_length(scri_vec_cross(e->u, e->v));
    double length = radius * (1.0 / sine - 1.0 / NEARLY_PARALLEL);
    double crossing = along_p + s * scri_vec_dot(e->u, w);
    stretch[0] = clamp(crossing - length, lower, upper);
    stretch[1] = clamp(crossing + length, lower, upper);
    return 1;
}

double scri_box_add_parallel_edges(scri_box_pair* p, const scri_facing* nearest, scri_vec normal)
{
    int i = 0, j = 0;
    double least = SCREE_INFINITY, stretch[2];
    if (!(parallel_axes(p, nearest, normal, &i, &j) < NEARLY_PARALLEL)) return least;
    edge_pair e = edges_along(p, i, j, scri_vec_sub(nearest->on_a, p->a.centre),
                              scri_vec_sub(nearest->on_b, p->b.centre));
    scri_vec w = scri_vec_add_scaled(e.u, scri_vec_dot(e.u, e.v) < 0.0 ? -1.0 : 1.0, e.v);
    w = scri_vec_scale(1.0 / scri_vec_length(w), w);
    if (!common_stretch(&e, w, p->radius, stretch)) return least;
    int n = stretch[1] - stretch[0] > 0.01 * p->radius ? 2 : 1;
    for (int k = 0; k < n; ++k) {
        double s = (stretch[k] - scri_vec_dot(e.p, w)) / scri_vec_dot(e.u, w);
        double t = (stretch[k] - scri_vec_dot(e.q, w)) / scri_vec_dot(e.v, w);
        scri_vec on_a = scri_vec_add_scaled(e.p, s, e.u), on_b = scri_vec_add_scaled(e.q, t, e.v);
        double gap = scri_vec_dot(scri_vec_sub(on_a, on_b), normal);
        if (gap < least) least = gap;
        scri_box_add(p, on_a, on_b, normal, gap);
    }
    return least;
}

static void add_crossing(scri_box_pair* p, const edge_pair* e, const scri_axis* axis)
{
    double s = 0.0, t = 0.0;
    scri_nearest_on_lines(e->p, e->u, e->q, e->v, &s, &t);
    scri_box_add(p, scri_vec_add_scaled(e->p, clamp(s, -e->half_p, e->half_p), e->u),
                 scri_vec_add_scaled(e->q, clamp(t, -e->half_q, e->half_q), e->v), axis->normal,
                 axis->separation);
}

void scri_box_add_crossing(scri_box_pair* p, const scri_axis* axis)
{
    edge_pair e =
        edges_along(p, axis->i, axis->j, scri_vec_scale(-1.0, axis->normal), axis->normal);
    add_crossing(p, &e, axis);
}

/* The corner of the box nearest to a corner of its core. */
static scri_vec outer_corner(const scri_box* box, scri_vec x)
{
    scri_vec d = scri_vec_sub(x, box->centre), corner = box->centre;
    for (int k = 0; k < 3; ++k) {
        double side = scri_vec_dot(d, box->axis[k]) < 0.0 ? -box->half[k] : box->half[k];
        corner = scri_vec_add_scaled(corner, side, box->axis[k]);
    }
    return corner;
}

void scri_box_add_corner(scri_box_pair* p, const scri_facing* nearest, const scri_axis* axis)
{
    static const int number[8] = {-1, 0, 1, -1, 2, -1, -1, -1};
    int free_a = free_axes(&p->a, p, nearest->on_a), free_b = free_axes(&p->b, p, nearest->on_b);
    scri_vec on_a = outer_corner(&p->a, nearest->on_a), on_b = outer_corner(&p->b, nearest->on_b);
    scri_vec away = scri_vec_scale(axis->separation, axis->normal);
    if (free_a == 0 || free_b == 0) {
        scri_box_add(p, free_a ? scri_vec_add(on_b, away) : on_a,
                     free_b ? scri_vec_sub(on_a, away) : on_b, axis->normal, axis->separation);
    } else if (number[free_a] >= 0 && number[free_b] >= 0) {
        edge_pair e =
            edges_along(p, number[free_a], number[free_b], scri_vec_sub(nearest->on_a, p->a.centre),
                        scri_vec_sub(nearest->on_b, p->b.centre));
        add_crossing(p, &e, axis);
    } else { /* an edge above a face, which has no end on it */
        scri_box_add(p, nearest->on_a, nearest->on_b, axis->normal, axis->separation);
    }
}
