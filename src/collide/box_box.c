/* Two boxes: the normal first, then the points that have it.
 *
 * Where two faces nearly look at each other, the normal is that of one of them, although an edge
 * across another may separate the boxes a little more: the direction of such an axis is that of a
 * quotient of two small angles, and follows the last digit of the pose. In all other cases boxes
 * meet as if their edges were round. The core of a box is the box without a thin layer; the normal
 * is the direction between the nearest points of the two cores. It is that of a face, or of two
 * edges, where these meet alone; where several could be meant (edge on parallel edge, corner on
 * corner) it lies in the middle, and it turns from one to the other as the boxes move. Between the
 * two cases the normal is turned in proportion, so that there is no tilt at which it jumps.
 *
 * Feature: which part of a faces which part of b, each as three signs (a corner has three, an edge
 * two, a face one), then a number among the points that share this. It does not tell which box gave
 * the clipping face, so it stays when the choice flips between two parallel faces. */
#include "collide/box.h"

/* Relative to the least half length: radius of the round edges. */
#define ROUND 0.01

/* Sines of the tilt up to which two faces, or a normal and a face, count as parallel, and from
 * which on they do not. */
#define FLAT 0.02
#define TILTED 0.06

/* Relative to the half length: closer to the end of an edge counts as the end in features. */
#define SNAP 1e-3

/* Relative to the largest half length: what rounding may do to a distance. */
#define ROUNDING 1e-9

/* Relative to the radius of round edges: gaps that differ by less are the same. */
#define ALIKE 0.1

/* Boxes that overlap by more than their round edges: an edge axis must beat the best face by this
 * share of the latter's separation. */
#define FACE_FIRST 0.01

/* Sines of angles between edges below this give no axis. */
#define PARALLEL 1e-5

/* ---- separating axes ---- */

static scri_axis try_axis(const scri_box* a, const scri_box* b, scri_vec axis)
{
    double apart = scri_vec_dot(scri_vec_sub(a->centre, b->centre), axis);
    double width = scri_box_width(a, axis) + scri_box_width(b, axis);
    return (scri_axis){.separation = fabs(apart) - width,
                       .normal = scri_vec_scale(apart < 0.0 ? -1.0 : 1.0, axis)};
}

static scri_axis try_face(const scri_box* a, const scri_box* b, int k)
{
    scri_axis axis = try_axis(a, b, k < 3 ? a->axis[k] : b->axis[k - 3]);
    axis.kind = k < 3 ? SCRI_FACE_OF_A : SCRI_FACE_OF_B;
    axis.i = axis.j = k % 3;
    return axis;
}

/* Greatest separation among faces; a later axis must be better by more than rounding. */
static scri_axis best_face(const scri_box* a, const scri_box* b, double rounding)
{
    scri_axis best = try_face(a, b, 0);
    for (int k = 1; k < 6; ++k) {
        scri_axis now = try_face(a, b, k);
        if (now.separation > best.separation + rounding) best = now;
    }
    return best;
}

static scri_axis best_edges(const scri_box* a, const scri_box* b)
{
    scri_axis best = {.separation = -SCREE_INFINITY};
    for (int k = 0; k < 9; ++k) {
        scri_vec axis = scri_vec_cross(a->axis[k / 3], b->axis[k % 3]);
        double length = scri_vec_length(axis);
        if (!(length > PARALLEL)) continue;
        scri_axis now = try_axis(a, b, scri_vec_scale(1.0 / length, axis));
        now.kind = SCRI_EDGES;
        now.i = k / 3;
        now.j = k % 3;
        if (now.separation > best.separation) best = now;
    }
    return best;
}

/* ---- normals ---- */

/* 0 up to FLAT, 1 from TILTED on. */
static double ramp(double sine)
{
    return sine <= FLAT ? 0.0 : sine >= TILTED ? 1.0 : (sine - FLAT) / (TILTED - FLAT);
}

static scri_vec blend(scri_vec from, scri_vec to, double share)
{
    scri_vec n = scri_vec_add_scaled(scri_vec_scale(1.0 - share, from), share, to);
    return scri_vec_scale(1.0 / scri_vec_length(n), n);
}

/* Nearest points of the cores; 0 when these overlap, or nearly, so that there is no direction. */
static int between_cores(const scri_box_pair* p, scri_facing* nearest, scri_vec* normal)
{
    scri_box a = scri_box_shrunk(p->a, p->radius), b = scri_box_shrunk(p->b, p->radius);
    double least = 0.05 * p->radius;
    if (!(best_face(&a, &b, 0.0).separation > least || best_edges(&a, &b).separation > least)) {
        return 0;
    }
    *nearest = scri_box_nearest(&a, &b);
    if (!(nearest->distance > least)) return 0;
    *normal = scri_vec_scale(1.0 / nearest->distance, scri_vec_sub(nearest->on_a, nearest->on_b));
    return 1;
}

/* The face whose normal is nearest to the given one, and which side of it. */
static scri_axis face_along(const scri_box_pair* p, scri_vec normal)
{
    scri_axis best = {.separation = -SCREE_INFINITY};
    double most = -1.0;
    for (int k = 0; k < 6; ++k) {
        scri_axis now = try_face(&p->a, &p->b, k);
        double along = scri_vec_dot(now.normal, normal);
        if (!(fabs(along) > most + ROUNDING)) continue;
        most = fabs(along);
        best = now;
        if (along < 0.0) best.normal = scri_vec_scale(-1.0, now.normal);
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

void scri_box_add(scri_box_pair* p, scri_vec on_a, scri_vec on_b, scri_vec normal, double gap)
{
    if (!(gap <= p->margin) || p->n == SCRI_MAX_TOUCHES) return;
    scri_touch* place = p->out + p->n++;
    scri_vec middle = scri_vec_scale(0.5, scri_vec_add(on_a, on_b));
    place->feature = 27 * part_of_box(&p->a, on_a) + part_of_box(&p->b, on_b);
    place->gap = gap;
    scri_vec_store(scri_vec_add(p->origin, middle), place->point);
    scri_vec_store(normal, place->normal);
}

/* Numbers the points that share parts, in an order fixed in a: two ends of a stretch of edges, or
 * points so near to each other that it matters little which of them gets the impulse of the last
 * step, but one of them must. */
static void tell_apart(const scri_box_pair* p)
{
    scri_vec order = p->a.axis[0];
    order = scri_vec_add_scaled(order, 0.7, p->a.axis[1]);
    order = scri_vec_add_scaled(order, 0.4, p->a.axis[2]);
    double place[SCRI_MAX_TOUCHES];
    uint32_t twins[SCRI_MAX_TOUCHES] = {0};
    for (int i = 0; i < p->n; ++i) {
        scri_vec x = scri_vec_sub(scri_vec_load(p->out[i].point), p->origin);
        place[i] = scri_vec_dot(order, x);
        for (int k = 0; k < i; ++k) {
            if (p->out[k].feature == p->out[i].feature) ++twins[place[k] > place[i] ? k : i];
        }
    }
    for (int i = 0; i < p->n; ++i) p->out[i].feature += 729 * twins[i];
}

/* Boxes that overlap by more than their round edges. */
static void add_deep(scri_box_pair* p, const scri_axis* face, const scri_axis* edges)
{
    double limit = face->separation + FACE_FIRST * fabs(face->separation) + ROUNDING * p->scale;
    if (edges->separation > limit) {
        scri_box_add_crossing(p, edges);
        return;
    }
    double least = scri_box_add_patch(p, face, face->normal);
    if (least > 0.5 * face->separation && edges->separation > -SCREE_INFINITY) {
        /* edges cross where the clipped face is not deep: they lost by FACE_FIRST only */
        scri_box_add_crossing(p, edges);
    }
}

/* Boxes that meet with this normal, other than face to face. */
static void add_round(scri_box_pair* p, const scri_facing* nearest, scri_vec normal)
{
    scri_axis axis = try_axis(&p->a, &p->b, normal), face = face_along(p, normal);
    axis.normal = normal;
    double sine = scri_vec_length(scri_vec_cross(face.normal, normal));
    double least = SCREE_INFINITY, enough = axis.separation + ALIKE * p->radius;
    if (sine < TILTED) {
        least = scri_box_add_patch(p, &face, blend(face.normal, normal, ramp(sine)));
    }
    if (!(least <= enough)) least = scri_box_add_parallel_edges(p, nearest, normal);
    if (!(least <= enough)) scri_box_add_corner(p, nearest, &axis);
}

/* A face above another, with the given normal. A corner beside what the two have in common may be
 * nearer by their tilt, while they are apart: then it is a point too. */
static void add_flat(scri_box_pair* p, const scri_axis* face, scri_vec normal)
{
    scri_facing nearest;
    scri_vec between;
    double least = scri_box_add_patch(p, face, normal), alike = ALIKE * p->radius;
    if (!(least > alike && least > face->separation + alike)) return;
    if (!between_cores(p, &nearest, &between)) return;
    scri_axis axis = try_axis(&p->a, &p->b, between);
    axis.normal = between;
    if (least > axis.separation + alike) scri_box_add_corner(p, &nearest, &axis);
}

/* All points within the margin. Where faces lie on each other, no other axis is asked. */
static void add_points(scri_box_pair* p, const scri_axis* face)
{
    scri_facing nearest;
    scri_vec normal;
    double tilt = scri_box_tilt(p, face);
    int flat = tilt < TILTED && scri_box_faces_overlap(p, face);
    if (flat && tilt <= FLAT) {
        add_flat(p, face, face->normal);
        return;
    }
    scri_axis edges = best_edges(&p->a, &p->b);
    if (!(edges.separation <= p->margin)) return;
    if (!between_cores(p, &nearest, &normal)) {
        add_deep(p, face, &edges);
    } else if (flat) {
        add_flat(p, face, blend(face->normal, normal, ramp(tilt)));
    } else {
        add_round(p, &nearest, normal);
    }
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
    scri_box_pair p = {.a = load_box(a, a->centre),
                       .b = load_box(b, a->centre),
                       .origin = a->centre,
                       .radius = SCREE_INFINITY,
                       .margin = margin,
                       .out = out};
    for (int k = 0; k < 3; ++k) {
        p.scale = fmax(p.scale, fmax(p.a.half[k], p.b.half[k]));
        p.radius = fmin(p.radius, ROUND * fmin(p.a.half[k], p.b.half[k]));
    }
    scri_axis face = best_face(&p.a, &p.b, ROUNDING * p.scale);
    if (!(face.separation <= margin)) return 0;
    add_points(&p, &face);
    tell_apart(&p);
    return p.n;
}
