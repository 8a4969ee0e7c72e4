/* Cores of shapes: farthest points, faces and edges. */
#include "collide/convex.h"

scri_convex scri_convex_load(scree_shape_kind kind, const scri_solid* solid, scri_vec origin)
{
    const double* size = solid->size;
    scri_convex c = {.kind = kind,
                     .size = size,
                     .hull = solid->hull,
                     .centre = scri_vec_sub(solid->centre, origin),
                     .axes = solid->axes,
                     .inner = SCREE_INFINITY,
                     .solid = *solid};
    switch (kind) {
    case SCREE_SHAPE_BOX:
        c.inner = fmin(size[0], fmin(size[1], size[2]));
        c.spike = 1.75; /* above the root of 3 */
        break;
    case SCREE_SHAPE_CYLINDER:
        c.inner = fmin(size[0], size[1]);
        c.spike = 1.5; /* above the root of 2 */
        break;
    case SCREE_SHAPE_HULL:
        c.inner = size[2];
        c.spike = 1.01 * solid->hull->spike;
        break;
    case SCREE_SHAPE_CONE:
        scri_cone_load(&c);
        break;
    case SCREE_SHAPE_ELLIPSOID:
        scri_ellipsoid_load(&c);
        break;
    default:
        c.radius = size[0];
    }
    c.radius += solid->rounding;
    return c;
}

int scri_convex_is_polytope(const scri_convex* c)
{
    return c->kind != SCREE_SHAPE_CYLINDER && c->kind != SCREE_SHAPE_CONE &&
           c->kind != SCREE_SHAPE_ELLIPSOID;
}

int scri_convex_is_smooth(const scri_convex* c)
{
    return c->kind == SCREE_SHAPE_SPHERE || c->kind == SCREE_SHAPE_ELLIPSOID;
}

static scri_vec to_local(const scri_convex* c, scri_vec direction)
{
    return scri_mat_multiply_transposed(c->axes, direction);
}

static scri_vec to_pair(const scri_convex* c, scri_vec x)
{
    return scri_vec_add(c->centre, scri_mat_multiply(c->axes, x));
}

/* ---- farthest points ---- */

static int32_t hull_corner(const scri_convex* c, scri_vec d)
{
    const scri_vec *x = c->hull->corner, *slide = c->hull->slide;
    double most = -SCREE_INFINITY;
    int32_t best = 0;
    for (int32_t i = 0; i < c->hull->view.n_corners; ++i) {
        double along = c->size[0] * scri_vec_dot(d, x[i]) - c->inset * scri_vec_dot(d, slide[i]);
        if (!(along > most)) continue;
        most = along;
        best = i;
    }
    return best;
}

static scri_vec part_support(const scri_part* part, scri_vec direction)
{
    int best = 0;
    for (int i = 1; i < part->n; ++i) {
        scri_vec d = scri_vec_sub(part->corner[i], part->corner[best]);
        if (scri_vec_dot(direction, d) > 0.0) best = i;
    }
    return part->corner[best];
}

scri_vec scri_convex_support(const scri_convex* c, scri_vec direction)
{
    if (c->part) return part_support(c->part, direction);
    scri_vec d = to_local(c, direction), x = {0.0, 0.0, 0.0};
    int32_t i;
    switch (c->kind) {
    case SCREE_SHAPE_HULL:
        i = hull_corner(c, d);
        x = scri_vec_scale(c->size[0], c->hull->corner[i]);
        x = scri_vec_add_scaled(x, -c->inset, c->hull->slide[i]);
        break;
    case SCREE_SHAPE_BOX:
        x.x = copysign(c->size[0] - c->inset, d.x);
        x.y = copysign(c->size[1] - c->inset, d.y);
        x.z = copysign(c->size[2] - c->inset, d.z);
        break;
    case SCREE_SHAPE_CAPSULE:
        x.z = copysign(c->size[1], d.z);
        break;
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
    case SCREE_SHAPE_ELLIPSOID:
        x = scri_round_support(c, d);
        break;
    default:
        break;
    }
    return to_pair(c, x);
}

/* ---- faces and edges ---- */

static void add_corner(const scri_convex* c, scri_part* part, scri_vec x, uint32_t name)
{
    part->name[part->n] = name;
    part->corner[part->n++] = to_pair(c, x);
}

static void add_round(const scri_convex* c, scri_vec d, scri_part* part)
{
    scri_round_part(c, d, part);
    part->normal = scri_mat_multiply(c->axes, part->normal);
    for (int i = 0; i < part->n; ++i) part->corner[i] = to_pair(c, part->corner[i]);
}

static double at(scri_vec d, int k)
{
    return k == 0 ? d.x : k == 1 ? d.y : d.z;
}

static uint32_t corner_name(const double x[3])
{
    return (x[0] > 0.0 ? 1u : 0u) | (x[1] > 0.0 ? 2u : 0u) | (x[2] > 0.0 ? 4u : 0u);
}

/* The face along axis k, or the edge, or the corner, that looks along d; coordinates along axes
 * that are not free have the sign of d. */
static void box_part(const scri_convex* c, scri_vec d, scri_part* part)
{
    static const double sign_u[] = {1.0, -1.0, -1.0, 1.0}, sign_v[] = {1.0, 1.0, -1.0, -1.0};
    double x[3];
    int most = 0, least = 0;
    for (int k = 0; k < 3; ++k) {
        x[k] = copysign(c->size[k], at(d, k));
        if (fabs(at(d, k)) > fabs(at(d, most))) most = k;
        if (fabs(at(d, k)) < fabs(at(d, least))) least = k;
    }
    int u = (most + 1) % 3, v = (most + 2) % 3;
    double length = scri_vec_length(d), sine = scri_hypotenuse(at(d, u), at(d, v));
    if (sine < SCRI_TILTED * length) {
        part->normal = scri_vec_scale(copysign(1.0, at(d, most)), scri_mat_column(c->axes, most));
        for (int e = 0; e < 4; ++e) {
            x[u] = sign_u[e] * c->size[u];
            x[v] = sign_v[e] * c->size[v];
            add_corner(c, part, scri_vec_load(x), corner_name(x));
        }
        return;
    }
    int n = fabs(at(d, least)) < SCRI_ACROSS * length ? 2 : 1;
    for (int e = 0; e < n; ++e) {
        if (n == 2) x[least] = e ? c->size[least] : -c->size[least];
        add_corner(c, part, scri_vec_load(x), corner_name(x));
    }
}

static void capsule_part(const scri_convex* c, scri_vec d, scri_part* part)
{
    uint32_t top = d.z > 0.0;
    int whole = fabs(d.z) < SCRI_ACROSS * scri_vec_length(d);
    for (uint32_t end = 0; end < 2; ++end) {
        if (!whole && end != top) continue;
        add_corner(c, part, (scri_vec){0.0, 0.0, end ? c->size[1] : -c->size[1]}, end);
    }
}

/* The face that looks most along d, of length 1. */
static int32_t hull_face(const scree_hull* h, scri_vec d)
{
    int32_t best = 0;
    double most = -2.0;
    for (int32_t f = 0; f < h->view.n_faces; ++f) {
        double along = scri_vec_dot(d, scri_vec_load(h->plane + 4 * (size_t)f));
        if (!(along > most)) continue;
        most = along;
        best = f;
    }
    return best;
}

/* The edge at a corner that is most across d, of length 1; -1 where none is enough. */
static int32_t hull_edge(const scree_hull* h, int32_t corner, scri_vec d)
{
    int32_t best = -1;
    double least = SCRI_ACROSS;
    for (int32_t e = 0; e < h->n_edges; ++e) {
        const int32_t* ends = h->edge + 2 * (size_t)e;
        if (ends[0] != corner && ends[1] != corner) continue;
        scri_vec along = scri_vec_sub(h->corner[ends[1]], h->corner[ends[0]]);
        double sine = fabs(scri_vec_dot(along, d)) / scri_vec_length(along);
        if (!(sine < least)) continue;
        least = sine;
        best = e;
    }
    return best;
}

/* Of faces with more corners than there is room for, some are left out. */
static void hull_part(const scri_convex* c, scri_vec d, scri_part* part)
{
    const scree_hull* h = c->hull;
    d = scri_vec_scale(1.0 / scri_vec_length(d), d);
    int32_t face = hull_face(h, d), corner = hull_corner(c, d), n = 1;
    scri_vec normal = scri_vec_load(h->plane + 4 * (size_t)face);
    const int32_t* ends = &corner;
    if (scri_vec_length(scri_vec_cross(normal, d)) < SCRI_TILTED) {
        ends = h->of_faces + h->start[face];
        n = h->start[face + 1] - h->start[face];
        part->normal = scri_mat_multiply(c->axes, normal);
    } else {
        int32_t edge = hull_edge(h, corner, d);
        if (edge >= 0) ends = h->edge + 2 * (size_t)edge;
        if (edge >= 0) n = 2;
    }
    int32_t kept = n < SCRI_CORNERS ? n : SCRI_CORNERS;
    for (int32_t k = 0; k < kept; ++k) {
        int32_t i = ends[(int64_t)k * n / kept];
        add_corner(c, part, scri_vec_scale(c->size[0], h->corner[i]), (uint32_t)i);
    }
}

void scri_convex_part(const scri_convex* c, scri_vec direction, scri_part* out)
{
    if (c->part) {
        *out = *c->part;
        return;
    }
    scri_vec d = to_local(c, direction);
    out->n = 0;
    out->normal = (scri_vec){0.0, 0.0, 0.0};
    switch (c->kind) {
    case SCREE_SHAPE_BOX:
        box_part(c, d, out);
        break;
    case SCREE_SHAPE_HULL:
        hull_part(c, d, out);
        break;
    case SCREE_SHAPE_CAPSULE:
        capsule_part(c, d, out);
        break;
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
    case SCREE_SHAPE_ELLIPSOID:
        add_round(c, d, out);
        break;
    default:
        add_corner(c, out, (scri_vec){0.0, 0.0, 0.0}, 0);
    }
}

/* The direction of an edge, unless the point is one of its ends. */
static int part_lines(const scri_part* part, scri_vec point, double snap, scri_line lines[3])
{
    scri_vec e = scri_vec_sub(part->corner[part->n - 1], part->corner[0]);
    scri_vec d = scri_vec_sub(point, part->corner[0]);
    double square = scri_vec_dot(e, e), share = scri_vec_dot(d, e) / square;
    if (part->n != 2 || !(share > snap && share < 1.0 - snap)) return 0;
    lines[0] = (scri_line){scri_vec_scale(1.0 / sqrt(square), e), 0.0};
    return 1;
}

int scri_convex_lines(const scri_convex* c, scri_vec point, double snap, scri_line lines[3])
{
    if (c->part) return part_lines(c->part, point, snap, lines);
    scri_vec x = to_local(c, scri_vec_sub(point, c->centre));
    const double* size = c->size;
    int n = 0, is_free[3] = {0};
    double slack = c->inset + snap * (size[0] + size[1] + c->solid.rounding);
    switch (c->kind) {
    case SCREE_SHAPE_BOX:
        for (int k = 0; k < 3; ++k) is_free[k] = fabs(at(x, k)) < size[k] - slack;
        break;
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_CONE:
    case SCREE_SHAPE_ELLIPSOID:
        n = scri_round_lines(c, x, slack, lines);
        for (int k = 0; k < n; ++k) lines[k].axis = scri_mat_multiply(c->axes, lines[k].axis);
        return n;
    case SCREE_SHAPE_CAPSULE:
        is_free[2] = fabs(x.z) < size[1] - slack;
        break;
    default:
        break;
    }
    for (int k = 0; k < 3; ++k) {
        if (is_free[k]) lines[n++] = (scri_line){scri_mat_column(c->axes, k), 0.0};
    }
    return n;
}
