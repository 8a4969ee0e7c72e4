/* Convex shapes on meshes and height fields (decision 150).
 *
 * Two kinds of points are looked for: corners of the body above a face, with the normal of the
 * face; and edges of the surface that stand out, met by whatever of the body lies on them, with the
 * normal that the general narrow phase finds. A normal counts only where it belongs to the surface:
 * all that surrounds the point on the mesh must lie below the plane across it. Edges that are flat
 * or in a valley have no such normal but those of faces, so they are not looked at.
 *
 * All is seen along the axes of the mesh, from the centre of the body. */
#include "collide/mesh.h"

#include "collide/landing.h"

#include <string.h>

/* Sine of the angle up to which two triangles are in one plane. */
#define FLAT 1e-9

/* Sine of the angle by which what surrounds a point may be above the plane across its normal. */
#define ABOVE 1e-9

/* Sine of the angle by which the normal of an edge may be off the plane across it. */
#define ACROSS 1e-6

/* Share of an edge that counts as its end. */
#define END 1e-9

/* Relative to the size of the body: a corner deeper than this below a face may be beyond another
 * side of the solid, with the body reaching over an edge or through a hole. */
#define DEEP 0.01

/* ---- the surface ---- */

/* A triangle, from the centre of the body. */
typedef struct face {
    int32_t number, corner[3];
    scri_vec at[3], normal;
} face;

static scri_vec point_of(const scri_visit* w, int32_t i)
{
    return scri_vec_sub(scri_mesh_point(w->mesh, i), w->centre);
}

static face load_face(const scri_visit* w, int32_t t)
{
    face f = {.number = t};
    scri_mesh_corners(w->mesh, t, f.corner);
    for (int k = 0; k < 3; ++k) f.at[k] = point_of(w, f.corner[k]);
    scri_vec n = scri_vec_cross(scri_vec_sub(f.at[1], f.at[0]), scri_vec_sub(f.at[2], f.at[0]));
    f.normal = scri_vec_scale(1.0 / scri_vec_length(n), n);
    return f;
}

/* The corner of a triangle across from a side. */
static scri_vec opposite(const scri_visit* w, int32_t side)
{
    int32_t corner[3];
    scri_mesh_corners(w->mesh, side / 3, corner);
    return point_of(w, corner[(side + 2) % 3]);
}

static double height_above(const face* f, scri_vec x)
{
    return scri_vec_dot(f->normal, scri_vec_sub(x, f->at[0]));
}

/* Whether x is below the plane across n at a point, or above it by no more than a sine. */
static int is_below(scri_vec n, scri_vec at, scri_vec x, double above)
{
    scri_vec d = scri_vec_sub(x, at);
    return scri_vec_dot(n, d) <= above * scri_vec_length(d);
}

/* The side at the same corner in the next triangle around it, to the left and to the right; -1
 * where the rim is. */
static int32_t turn_left(const scree_mesh* mesh, int32_t side)
{
    return scri_mesh_twin(mesh, side - side % 3 + (side + 2) % 3);
}

static int32_t turn_right(const scree_mesh* mesh, int32_t side)
{
    int32_t beyond = scri_mesh_twin(mesh, side);
    return beyond < 0 ? -1 : beyond - beyond % 3 + (beyond + 1) % 3;
}

/* Whether the triangle of a side is below the plane across n at the corner where the side begins.
 */
static int triangle_is_below(const scri_visit* w, int32_t side, scri_vec n, double above)
{
    int32_t corner[3];
    scri_mesh_corners(w->mesh, side / 3, corner);
    scri_vec at = point_of(w, corner[side % 3]);
    return is_below(n, at, point_of(w, corner[(side + 1) % 3]), above) &&
           is_below(n, at, point_of(w, corner[(side + 2) % 3]), above);
}

/* The same for all triangles at that corner. */
static int ring_is_below(const scri_visit* w, int32_t side, scri_vec n, double above)
{
    int32_t at = side;
    do {
        if (!triangle_is_below(w, at, n, above)) return 0;
        at = turn_left(w->mesh, at);
    } while (at >= 0 && at != side);
    if (at == side) return 1;
    for (at = turn_right(w->mesh, side); at >= 0; at = turn_right(w->mesh, at)) {
        if (!triangle_is_below(w, at, n, above)) return 0;
    }
    return 1;
}

/* Whether two triangles stand out where they meet; the rim always does. */
static int stands_out(const scri_visit* w, const face* f, int k, int32_t beyond)
{
    if (beyond < 0) return 1;
    scri_vec o = opposite(w, beyond), d = scri_vec_sub(o, f->at[k]);
    scri_vec e = scri_vec_sub(f->at[(k + 1) % 3], f->at[k]);
    double width = scri_vec_length(scri_vec_cross(e, d)) / scri_vec_length(e);
    return height_above(f, o) < -FLAT * width;
}

/* ---- corners of the body above a face ---- */

/* Whether x is on the inner side of side k of a face, or off by no more than a slack. */
static int is_within(const face* f, int k, scri_vec x, double slack)
{
    scri_vec e = scri_vec_sub(f->at[(k + 1) % 3], f->at[k]);
    double inside = scri_vec_dot(f->normal, scri_vec_cross(e, scri_vec_sub(x, f->at[k])));
    return inside >= -slack * scri_vec_length(e);
}

static int foot_is_inside(const scri_visit* w, const face* f, scri_vec foot, double height)
{
    double slack = SCRI_BESIDE * (w->size + fabs(height));
    return is_within(f, 0, foot, slack) && is_within(f, 1, foot, slack) &&
           is_within(f, 2, foot, slack);
}

static uint32_t place_of_corner(uint32_t name)
{
    return (1 + 2 * name) << 13;
}

/* Whether the body reaches a corner of it, seen from its centre, through the surface. */
static int is_through(const scri_visit* w, scri_vec corner)
{
    double share;
    scri_vec normal;
    if (w->mesh->tube) return scri_tube_ray(w->mesh->tube, w->centre, corner);
    return scri_mesh_ray(w->mesh, w->centre, corner, &share, &normal);
}

/* Below a valley no face may have the foot of a corner. Whether it came through this face, beyond
 * whose sides the foot lies where the surface rises. */
static int is_in_valley(const scri_visit* w, const face* f, scri_vec corner, scri_vec foot,
                        double height)
{
    double from = height_above(f, w->body.centre);
    if (!(height < 0.0 && from > 0.0)) return 0;
    for (int k = 0; k < 3; ++k) {
        if (is_within(f, k, foot, 0.0)) continue;
        int32_t beyond = scri_mesh_twin(w->mesh, 3 * f->number + k);
        if (stands_out(w, f, k, beyond)) return 0;
    }
    scri_vec way = scri_vec_sub(corner, w->body.centre);
    return foot_is_inside(w, f, scri_vec_add_scaled(w->body.centre, from / (from - height), way),
                          0.0);
}

static void land_on_face(scri_visit* w, const face* f)
{
    scri_part part;
    if (!scri_mesh_is_raster(w->mesh) && !(height_above(f, w->body.centre) > 0.0)) return;
    scri_convex_part(&w->body, scri_vec_scale(-1.0, f->normal), &part);
    for (int i = 0; i < part.n; ++i) {
        double height = height_above(f, part.corner[i]);
        scri_vec foot = scri_vec_add_scaled(part.corner[i], -height, f->normal);
        int spare = !foot_is_inside(w, f, foot, height);
        if (spare && !is_in_valley(w, f, part.corner[i], foot, height)) continue;
        if (height < -DEEP * w->size && !is_through(w, part.corner[i])) continue;
        scri_landing found = {.point = foot,
                              .normal = f->normal,
                              .gap = height - w->body.radius,
                              .height = height,
                              .face = f->number,
                              .owner = f->number,
                              .spare = (uint8_t)spare,
                              .place = place_of_corner(part.name[i])};
        scri_visit_add(w, &found);
    }
}

/* Whether a point is spare and its corner has one that is not. */
static int is_needless(const scri_visit* w, int i)
{
    const scri_landing* x = &w->found[i];
    for (int k = 0; x->spare && k < w->n; ++k) {
        const scri_landing* y = &w->found[k];
        if (!y->spare && y->place == x->place && y->height < 0.0) return 1;
    }
    return 0;
}

/* A corner that lies in the solid beside an edge that stands out is below both faces there, and
 * only the nearer one is that through which it came. Whether a point on a face is one of a corner
 * that is nearer to another face, behind which the face goes on. */
static int is_behind_another(const scri_visit* w, int i)
{
    const scri_landing* x = &w->found[i];
    if (x->face < 0 || !(x->height < 0.0)) return 0;
    face f = load_face(w, x->face);
    for (int k = 0; k < w->n; ++k) {
        const scri_landing* y = &w->found[k];
        if (y->face < 0 || y->place != x->place || !(y->height > x->height)) continue;
        for (int e = 0; e < 3; ++e) {
            if (!is_below(scri_vec_scale(-1.0, y->normal), y->point, f.at[e], ABOVE)) return 1;
        }
    }
    return 0;
}

/* Also what is farther than the margin, which has been kept so far because it may hide others. */
static void drop_hidden(scri_visit* w)
{
    uint8_t hidden[SCRI_LANDINGS];
    int n = 0;
    for (int i = 0; i < w->n; ++i) {
        hidden[i] = (uint8_t)(is_needless(w, i) || is_behind_another(w, i));
    }
    for (int i = 0; i < w->n; ++i) {
        if (!hidden[i] && w->found[i].gap <= w->margin) w->found[n++] = w->found[i];
    }
    w->n = n;
}

/* ---- edges of the surface ---- */

static int is_in_reach(const scri_visit* w, scri_vec a, scri_vec b)
{
    scri_vec from = scri_vec_add(a, w->centre), to = scri_vec_add(b, w->centre);
    return fmin(from.x, to.x) <= w->upper[0] && fmax(from.x, to.x) >= w->lower[0] &&
           fmin(from.y, to.y) <= w->upper[1] && fmax(from.y, to.y) >= w->lower[1] &&
           fmin(from.z, to.z) <= w->upper[2] && fmax(from.z, to.z) >= w->lower[2];
}

/* Whether n is a normal of the surface at a point of side k of f: across the edge, or at its ends,
 * with what is around below, or above by no more than a sine. Round corners of the body lean along
 * the edge where it ends near them, and would hold up what slides there. */
static int belongs(const scri_visit* w, const face* f, int k, scri_vec at, scri_vec n, double above)
{
    scri_vec e = scri_vec_sub(f->at[(k + 1) % 3], f->at[k]);
    double square = scri_vec_dot(e, e), along = scri_vec_dot(n, e);
    double share = scri_vec_dot(scri_vec_sub(at, f->at[k]), e) / square;
    int32_t side = 3 * f->number + k, beyond = scri_mesh_twin(w->mesh, side);
    if (!(scri_vec_dot(n, scri_vec_sub(w->body.centre, at)) > 0.0)) return 0;
    if (beyond < 0 && !(scri_vec_dot(n, f->normal) > 0.0)) return 0;
    if (!(share > END)) return ring_is_below(w, side, n, above);
    if (!(share < 1.0 - END)) {
        return ring_is_below(w, 3 * f->number + (k + 1) % 3, n, above);
    }
    if (!(fabs(along) <= fmax(above, ACROSS) * sqrt(square))) return 0;
    n = scri_vec_add_scaled(n, -along / square, e); /* what lies along the edge does not count */
    return is_below(n, f->at[k], f->at[(k + 2) % 3], above) &&
           (beyond < 0 || is_below(n, f->at[k], opposite(w, beyond), above));
}

/* Whether x is below a face of the body, whichever way its corners go round. */
static int is_below_part(const scri_visit* w, const scri_part* part, scri_vec x)
{
    int left = 1, right = 1;
    for (int i = 0; i < part->n; ++i) {
        scri_vec e = scri_vec_sub(part->corner[(i + 1) % part->n], part->corner[i]);
        scri_vec d = scri_vec_sub(x, part->corner[i]);
        double inside = scri_vec_dot(part->normal, scri_vec_cross(e, d));
        double slack = SCRI_BESIDE * w->size * scri_vec_length(e);
        left &= inside >= -slack;
        right &= inside <= slack;
    }
    return left || right;
}

/* The point of a segment that is nearest to x. */
static scri_vec nearest_between(scri_vec a, scri_vec b, scri_vec x)
{
    scri_vec e = scri_vec_sub(b, a);
    double share = scri_vec_dot(scri_vec_sub(x, a), e) / scri_vec_dot(e, e);
    return scri_vec_add_scaled(a, share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share, e);
}

/* Whether a point found on side k of f counts. No point of the surface may be behind a face of the
 * body, whichever is the highest: where a face looks along the normal the surroundings may rise as
 * far as two faces may be tilted that lie on each other, so that a face rests on all points below
 * it and does not rock from one to the next. Normal and gap are then those of the face: near its
 * rim round corners lean away from it, and would stop what slides there. */
static int settle_on_edge(const scri_visit* w, const face* f, int k, scri_landing* found)
{
    scri_part part;
    if (belongs(w, f, k, found->point, found->normal, ABOVE)) return 1;
    scri_convex_part(&w->body, scri_vec_scale(-1.0, found->normal), &part);
    if (part.n <= 2) return 0;
    found->point = nearest_between(f->at[k], f->at[(k + 1) % 3], found->point);
    found->normal = scri_vec_scale(-1.0, part.normal);
    scri_vec up = scri_vec_sub(part.corner[0], found->point);
    found->gap = scri_vec_dot(found->normal, up) - w->body.radius;
    return found->gap <= w->margin && is_below_part(w, &part, found->point) &&
           belongs(w, f, k, found->point, found->normal, SCRI_TILTED);
}

/* A number from 0 to EDGE_NAMES - 1 that an edge is known by. That of a mesh comes from its place,
 * so that the order of triangles and corners in a file says nothing; rasters and tubes have theirs
 * in a fixed order. */
enum { EDGE_NAMES = 8191 };

static uint32_t edge_name(const scri_visit* w, const face* f, int k)
{
    if (w->mesh->tube || scri_mesh_is_raster(w->mesh)) {
        return (uint32_t)(3 * f->number + k) % EDGE_NAMES;
    }
    double sum[3];
    uint64_t bits[3], mixed = 0;
    scri_vec a = scri_mesh_point(w->mesh, f->corner[k]);
    scri_vec_store(scri_vec_add(a, scri_mesh_point(w->mesh, f->corner[(k + 1) % 3])), sum);
    for (int i = 0; i < 3; ++i) sum[i] += 0.0; /* no -0 */
    memcpy(bits, sum, sizeof bits);
    for (int i = 0; i < 3; ++i) {
        mixed = (mixed ^ bits[i]) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 29;
    }
    return (uint32_t)(mixed >> 32) % EDGE_NAMES;
}

/* The name of what of the body meets an edge: of a corner alone where it is one, so that a ball
 * rolls from a face over an edge to the next without a new contact. */
static uint32_t place_on_edge(const scri_visit* w, uint32_t name, scri_vec normal, const face* f,
                              int k)
{
    if (name == 0) {
        scri_part part;
        scri_convex_part(&w->body, scri_vec_scale(-1.0, normal), &part);
        if (part.n == 1) name = 1 + 2 * part.name[0];
    }
    return name % 2 ? name << 13 : name << 13 | (1 + edge_name(w, f, k));
}

/* Which of the two triangles of an edge looks more along a normal: the zone of a point between two
 * zones is that of this one. */
static int32_t owner_of(const scri_visit* w, const face* f, int k, scri_vec normal)
{
    int32_t beyond = scri_mesh_twin(w->mesh, 3 * f->number + k);
    if (!w->mesh->zone || beyond < 0) return f->number;
    face other = load_face(w, beyond / 3);
    int is_nearer = scri_vec_dot(normal, f->normal) >= scri_vec_dot(normal, other.normal);
    return is_nearer ? f->number : other.number;
}

/* Adds a point of side k of f, with place, normal and gap, and the name of the part of the body. */
static int land(scri_visit* w, const face* f, int k, scri_landing found, uint32_t name)
{
    if (!settle_on_edge(w, f, k, &found)) return 0;
    found.face = -1;
    found.owner = owner_of(w, f, k, found.normal);
    found.place = place_on_edge(w, name, found.normal, f, k);
    scri_visit_add(w, &found);
    return 1;
}

/* Normals of round corners may just miss those of the surface. That between the points of the
 * shapes that are nearest, where they are apart, does not. */
static void land_nearest(scri_visit* w, const face* f, int k, const scri_convex* edge)
{
    scri_nearest near;
    if (scri_nearest_of(&w->body, edge, w->margin + w->body.radius, &near) != SCRI_APART) return;
    double gap = near.distance - w->body.radius;
    if (!(gap <= w->margin)) return;
    land(w, f, k, (scri_landing){.point = near.on_b, .normal = near.normal, .gap = gap}, 0);
}

/* Whether the triangle beyond side k of f looks after their edge: of a mesh that along which the
 * edge goes up, so that the order of triangles in a file says nothing. */
static int is_of_other(const scri_visit* w, const face* f, int k, int32_t beyond)
{
    if (beyond < 0 || w->mesh->tube) return 0;
    if (scri_mesh_is_raster(w->mesh)) return beyond < 3 * f->number + k;
    double from[3], to[3];
    scri_vec_store(scri_mesh_point(w->mesh, f->corner[k]), from);
    scri_vec_store(scri_mesh_point(w->mesh, f->corner[(k + 1) % 3]), to);
    for (int i = 2; i > 0; --i) {
        if (from[i] != to[i]) return from[i] > to[i];
    }
    return from[0] > to[0];
}

static void land_on_edge(scri_visit* w, const face* f, int k)
{
    int32_t beyond = scri_mesh_twin(w->mesh, 3 * f->number + k);
    if (is_of_other(w, f, k, beyond)) return;
    scri_vec a = f->at[k], b = f->at[(k + 1) % 3];
    if (!stands_out(w, f, k, beyond) || !is_in_reach(w, a, b)) return;
    scri_part part = {.n = 2, .corner = {a, b}, .name = {0, 1}};
    scri_convex edge = {.kind = SCREE_SHAPE_MESH,
                        .part = &part,
                        .centre = scri_vec_scale(0.5, scri_vec_add(a, b)),
                        .inner = SCREE_INFINITY};
    scri_touch touch[SCRI_MAX_TOUCHES];
    scri_vec origin = {0.0, 0.0, 0.0};
    int is_ball = w->body.kind == SCREE_SHAPE_SPHERE;
    int n = is_ball ? 0 : scri_convex_touch(&w->body, &edge, origin, w->margin, touch);
    int left_out = n == 0 && w->body.radius > 0.0; /* cores may be too close for a direction */
    for (int i = 0; i < n; ++i) {
        double gap = touch[i].gap;
        scri_vec normal = scri_vec_load(touch[i].normal), p = scri_vec_load(touch[i].point);
        scri_vec at = scri_vec_add_scaled(p, -0.5 * gap, normal);
        scri_landing found = {.point = at, .normal = normal, .gap = gap};
        left_out |= !land(w, f, k, found, touch[i].feature >> 18);
    }
    if (left_out) land_nearest(w, f, k, &edge);
}

/* ---- below a height field ---- */

/* Whether the centre of the body lies below a triangle, seen along z. */
static int is_under(const face* f)
{
    for (int k = 0; k < 3; ++k) {
        scri_vec a = f->at[k], b = f->at[(k + 1) % 3];
        if (!(a.x * b.y - a.y * b.x >= 0.0)) return 0;
    }
    return height_above(f, (scri_vec){0.0, 0.0, 0.0}) < 0.0;
}

/* A body whose centre is below the surface is lifted by the triangle above it. */
static int lift(void* user, int32_t t)
{
    scri_visit* w = user;
    face f = load_face(w, t);
    scri_part part;
    if (!is_under(&f)) return 0;
    scri_convex_part(&w->body, scri_vec_scale(-1.0, f.normal), &part);
    double height = height_above(&f, part.corner[0]);
    scri_landing found = {.point = scri_vec_add_scaled(part.corner[0], -height, f.normal),
                          .normal = f.normal,
                          .gap = height - w->body.radius,
                          .owner = t,
                          .place = place_of_corner(part.name[0])};
    scri_visit_add(w, &found);
    return 1;
}

static void lift_out(scri_visit* w)
{
    double lower[3], upper[3];
    for (int i = 0; i < w->n; ++i) {
        if (w->found[i].gap < 0.0) return;
    }
    scri_vec_store(w->centre, lower);
    scri_vec_store(w->centre, upper);
    scri_mesh_search(w->mesh, lower, upper, lift, w);
}

/* ---- all of it ---- */

static int visit_face(void* user, int32_t t)
{
    scri_visit* w = user;
    face f = load_face(w, t);
    land_on_face(w, &f);
    for (int k = 0; k < 3; ++k) land_on_edge(w, &f, k);
    return 0;
}

void scri_visit_mesh(scri_visit* w)
{
    scri_mesh_search(w->mesh, w->lower, w->upper, visit_face, w);
    drop_hidden(w);
}

int scri_mesh_touch(scree_shape_kind kind, const scri_solid* body, const scri_solid* mesh,
                    double margin, scri_touch* out)
{
    scri_visit w = {.mesh = mesh->mesh, .margin = margin};
    scri_solid turned;
    scri_visit_begin(&w, kind, body, mesh, &turned);
    scri_visit_mesh(&w);
    if (scri_mesh_is_raster(w.mesh)) lift_out(&w);
    return scri_visit_end(&w, body, mesh, out);
}
