/* Two boxes: separating axes, then the face of one clipped by the face of the other, or one point
 * between two edges. Where the boxes are apart and the nearest points are not among these (corner
 * with corner, corner with edge), they are found by scri_box_nearest(), so that the least gap is
 * the distance.
 *
 * Feature: which part of a faces which part of b, each as three signs (a corner has three, an edge
 * two, a face one). It does not tell which box gave the clipping face, so it stays when the choice
 * flips between two parallel faces. */
#include "collide/box.h"

#include <string.h>

enum { MAX_POINTS = 8 }; /* a rectangle clipped by a rectangle has at most eight corners */

/* Relative to the half length: closer to the end of an edge counts as the end. Points that get the
 * same feature by this are merged. */
#define SNAP 1e-3

/* Relative to the largest half length: what rounding may do to a distance. */
#define ROUNDING 1e-9

/* An edge axis must beat the best face by this share of the latter's separation. */
#define FACE_FIRST 0.01

/* Sines of angles between edges below this give no axis. */
#define PARALLEL 1e-5

enum axis_kind { FACE_OF_A, FACE_OF_B, EDGES };

typedef struct axis_choice {
    double separation;
    scri_vec normal; /* from b to a */
    enum axis_kind kind;
    int i, j; /* axis of a, axis of b; a face uses that of its box only */
} axis_choice;

/* The pair, with the origin at the centre of a. */
typedef struct box_pair {
    scri_box a, b;
    scri_vec origin;
    double scale, margin;
    scri_touch* out;
    int n;
} box_pair;

/* ---- separating axes ---- */

static axis_choice try_axis(const box_pair* p, scri_vec axis, enum axis_kind kind, int i, int j)
{
    double apart = -scri_vec_dot(p->b.centre, axis);
    double width = scri_box_width(&p->a, axis) + scri_box_width(&p->b, axis);
    return (axis_choice){fabs(apart) - width, scri_vec_scale(apart < 0.0 ? -1.0 : 1.0, axis), kind,
                         i, j};
}

/* Greatest separation among faces; a later axis must be better by more than rounding. */
static axis_choice best_face(const box_pair* p)
{
    axis_choice best = {.separation = -SCREE_INFINITY};
    for (int k = 0; k < 6; ++k) {
        axis_choice now = k < 3 ? try_axis(p, p->a.axis[k], FACE_OF_A, k, 0)
                                : try_axis(p, p->b.axis[k - 3], FACE_OF_B, 0, k - 3);
        if (now.separation > best.separation + (k == 0 ? 0.0 : ROUNDING * p->scale)) best = now;
    }
    return best;
}

static axis_choice best_edges(const box_pair* p)
{
    axis_choice best = {.separation = -SCREE_INFINITY};
    for (int k = 0; k < 9; ++k) {
        scri_vec axis = scri_vec_cross(p->a.axis[k / 3], p->b.axis[k % 3]);
        double length = scri_vec_length(axis);
        if (!(length > PARALLEL)) continue;
        axis_choice now = try_axis(p, scri_vec_scale(1.0 / length, axis), EDGES, k / 3, k % 3);
        if (now.separation > best.separation) best = now;
    }
    return best;
}

/* ---- points ---- */

/* Number 0-26 of the part of a box on which the surface point x lies. */
static uint32_t part_of_box(const scri_box* box, scri_vec x)
{
    scri_vec d = scri_vec_sub(x, box->centre);
    uint32_t part = 0;
    for (int i = 2; i >= 0; --i) {
        double t = scri_vec_dot(d, box->axis[i]), end = (1.0 - SNAP) * box->half[i];
        part = 3 * part + (t >= end ? 2u : t <= -end ? 0u : 1u);
    }
    return part;
}

static void add_point(box_pair* p, scri_vec on_a, scri_vec on_b, scri_vec normal, double gap)
{
    if (!(gap <= p->margin)) return;
    scri_touch* place = p->out + p->n;
    uint32_t feature = 27 * part_of_box(&p->a, on_a) + part_of_box(&p->b, on_b);
    for (int i = 0; i < p->n; ++i) {
        if (p->out[i].feature == feature) place = p->out + i;
    }
    if (place == p->out + p->n) {
        if (p->n == MAX_POINTS) { /* the one that matters least gives way */
            place = p->out;
            for (int i = 1; i < p->n; ++i) {
                if (p->out[i].gap > place->gap) place = p->out + i;
            }
        } else {
            ++p->n;
        }
    } else if (place->gap <= gap) {
        return;
    }
    scri_vec middle = scri_vec_scale(0.5, scri_vec_add(on_a, on_b));
    place->feature = feature;
    place->gap = gap;
    scri_vec_store(scri_vec_add(p->origin, middle), place->point);
    scri_vec_store(normal, place->normal);
}

static void add_nearest(box_pair* p, scri_vec axis)
{
    scri_facing nearest = scri_box_nearest(&p->a, &p->b);
    scri_vec normal = axis;
    if (nearest.distance > 1e-7 * p->scale) {
        normal = scri_vec_sub(nearest.on_a, nearest.on_b);
        normal = scri_vec_scale(1.0 / scri_vec_length(normal), normal);
    }
    add_point(p, nearest.on_a, nearest.on_b, normal, nearest.distance);
}

/* ---- faces ---- */

/* Corners in the frame of the clipping face: two coordinates in it, one above it. */
typedef struct polygon {
    double x[MAX_POINTS][3];
    int n;
} polygon;

/* Cuts off what has side * x[k] > limit. */
static void clip(polygon* poly, int k, double side, double limit, double tolerance)
{
    polygon kept = {.n = 0};
    for (int i = 0; i < poly->n; ++i) {
        const double *p = poly->x[i], *q = poly->x[(i + 1) % poly->n];
        double over_p = side * p[k] - limit, over_q = side * q[k] - limit;
        if (over_p <= tolerance && kept.n < MAX_POINTS) {
            for (int e = 0; e < 3; ++e) kept.x[kept.n][e] = p[e];
            ++kept.n;
        }
        if ((over_p <= tolerance) == (over_q <= tolerance) || kept.n == MAX_POINTS) continue;
        double t = over_p / (over_p - over_q);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        for (int e = 0; e < 3; ++e) kept.x[kept.n][e] = p[e] + t * (q[e] - p[e]);
        ++kept.n;
    }
    *poly = kept;
}

/* Leaves out corners that lie next to the line through their neighbours and are not lower than
 * both: edges that are nearly parallel cross anywhere. */
static void simplify(polygon* poly, double tolerance, double rounding)
{
    for (int i = 0; i < poly->n && poly->n > 2;) {
        const double *p = poly->x[(i + poly->n - 1) % poly->n], *q = poly->x[i];
        const double* r = poly->x[(i + 1) % poly->n];
        double u[2] = {r[0] - p[0], r[1] - p[1]}, v[2] = {q[0] - p[0], q[1] - p[1]};
        double area = fabs(u[0] * v[1] - u[1] * v[0]), along = u[0] * v[0] + u[1] * v[1];
        double length = hypot(u[0], u[1]), reach = length * (length + tolerance);
        if (area <= tolerance * length && along >= -tolerance * length && along <= reach &&
            q[2] >= fmin(p[2], r[2]) - rounding) {
            --poly->n;
            memmove(poly->x[i], poly->x[i + 1], (size_t)(poly->n - i) * sizeof *poly->x);
        } else {
            ++i;
        }
    }
}

/* The face of `box` that looks most against `out`, in the frame of the face i of `clipper`. */
static polygon facing_face(const scri_box* box, const scri_box* clipper, int i, scri_vec out)
{
    static const double sign_u[] = {1.0, -1.0, -1.0, 1.0}, sign_v[] = {1.0, 1.0, -1.0, -1.0};
    double along[3];
    for (int e = 0; e < 3; ++e) along[e] = scri_vec_dot(box->axis[e], out);
    int k = 0;
    for (int e = 1; e < 3; ++e) {
        if (fabs(along[e]) > fabs(along[k])) k = e;
    }
    int u = (k + 1) % 3, v = (k + 2) % 3;
    double side = along[k] > 0.0 ? -box->half[k] : box->half[k];
    scri_vec middle = scri_vec_add_scaled(box->centre, side, box->axis[k]);
    polygon face = {.n = 4};
    for (int c = 0; c < 4; ++c) {
        scri_vec x = scri_vec_add_scaled(middle, sign_u[c] * box->half[u], box->axis[u]);
        x = scri_vec_add_scaled(x, sign_v[c] * box->half[v], box->axis[v]);
        x = scri_vec_sub(x, clipper->centre);
        face.x[c][0] = scri_vec_dot(x, clipper->axis[(i + 1) % 3]);
        face.x[c][1] = scri_vec_dot(x, clipper->axis[(i + 2) % 3]);
        face.x[c][2] = scri_vec_dot(x, out) - clipper->half[i];
    }
    return face;
}

/* Adds the points of the face contact; the least gap of all of them, within the margin or not. */
static double add_face_points(box_pair* p, const axis_choice* axis)
{
    int from_a = axis->kind == FACE_OF_A, i = from_a ? axis->i : axis->j;
    const scri_box *clipper = from_a ? &p->a : &p->b, *other = from_a ? &p->b : &p->a;
    scri_vec out = from_a ? scri_vec_scale(-1.0, axis->normal) : axis->normal;
    polygon face = facing_face(other, clipper, i, out);
    for (int k = 0; k < 4; ++k) {
        clip(&face, k >> 1, k & 1 ? -1.0 : 1.0, clipper->half[(i + 1 + (k >> 1)) % 3],
             ROUNDING * p->scale);
    }
    double width = fmin(clipper->half[(i + 1) % 3], clipper->half[(i + 2) % 3]);
    simplify(&face, SNAP * width, ROUNDING * p->scale);
    double least = SCREE_INFINITY;
    for (int c = 0; c < face.n; ++c) {
        double gap = face.x[c][2];
        if (gap < least) least = gap;
        scri_vec foot = scri_vec_add_scaled(clipper->centre, clipper->half[i], out);
        foot = scri_vec_add_scaled(foot, face.x[c][0], clipper->axis[(i + 1) % 3]);
        foot = scri_vec_add_scaled(foot, face.x[c][1], clipper->axis[(i + 2) % 3]);
        scri_vec head = scri_vec_add_scaled(foot, gap, out);
        add_point(p, from_a ? foot : head, from_a ? head : foot, axis->normal, gap);
    }
    return least;
}

/* ---- edges ---- */

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

static void add_edge_point(box_pair* p, const axis_choice* axis)
{
    scri_vec u = p->a.axis[axis->i], v = p->b.axis[axis->j];
    scri_vec on_a = support_edge(&p->a, axis->i, scri_vec_scale(-1.0, axis->normal));
    scri_vec on_b = support_edge(&p->b, axis->j, axis->normal);
    double s = 0.0, t = 0.0, length_a = p->a.half[axis->i], length_b = p->b.half[axis->j];
    int crossing = scri_nearest_on_lines(on_a, u, on_b, v, &s, &t) && fabs(s) <= length_a &&
                   fabs(t) <= length_b;
    if (!crossing && axis->separation > 0.0) {
        add_nearest(p, axis->normal);
        return;
    }
    s = fmin(fmax(s, -length_a), length_a);
    t = fmin(fmax(t, -length_b), length_b);
    add_point(p, scri_vec_add_scaled(on_a, s, u), scri_vec_add_scaled(on_b, t, v), axis->normal,
              axis->separation);
}

static scri_box load_box(const scri_solid* solid, scri_vec origin)
{
    scri_box box = {.centre = scri_vec_sub(solid->centre, origin)};
    for (int k = 0; k < 3; ++k) {
        box.axis[k] = scri_mat_column(solid->axes, k);
        box.half[k] = solid->size[k];
    }
    return box;
}

int scri_box_box(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    box_pair p = {.a = load_box(a, a->centre),
                  .b = load_box(b, a->centre),
                  .origin = a->centre,
                  .margin = margin,
                  .out = out};
    for (int k = 0; k < 3; ++k) p.scale = fmax(p.scale, fmax(p.a.half[k], p.b.half[k]));

    axis_choice face = best_face(&p);
    if (!(face.separation <= margin)) return 0;
    axis_choice edges = best_edges(&p);
    if (!(edges.separation <= margin)) return 0;
    if (edges.separation >
        face.separation + FACE_FIRST * fabs(face.separation) + ROUNDING * p.scale) {
        add_edge_point(&p, &edges);
        return p.n;
    }
    double least = add_face_points(&p, &face);
    if (face.separation > 0.0) {
        if (least > face.separation + ROUNDING * p.scale) add_nearest(&p, face.normal);
    } else if (least > 0.5 * face.separation + ROUNDING * p.scale &&
               edges.separation > -SCREE_INFINITY) {
        /* edges cross where the clipped face is not deep: they lost by FACE_FIRST only */
        add_edge_point(&p, &edges);
    }
    return p.n;
}
