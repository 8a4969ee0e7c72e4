/* Moments of rounded shapes. The layer around a convex body consists of what lies along the normals
 * of its surface: over faces prisms, over edges sectors of cylinders, over corners sectors of balls
 * (Steiner). Boxes and hulls have closed forms, solids of revolution integrals along their profile,
 * ellipsoids integrals over their surface. */
#include "shapes/rounded.h"

#include "shapes/hull.h"

static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};

int scri_shape_can_round(scree_shape_kind kind)
{
    return kind == SCREE_SHAPE_BOX || kind == SCREE_SHAPE_CYLINDER || kind == SCREE_SHAPE_HULL ||
           kind == SCREE_SHAPE_ELLIPSOID || kind == SCREE_SHAPE_CONE;
}

/* ---- box ----
 *
 * With half lengths a, b, c: along x the parts of the layer reach from 0 to a, or from a by what a
 * quarter of a disc, or an eighth of a ball, reaches. */

static double square_along(double a, double b, double c, double r)
{
    double flat = 8.0 / 3.0 * a * a * a * (b * c + (b + c) * r);
    double ends = 8.0 / 3.0 * b * c * r * (3.0 * a * a + 3.0 * a * r + r * r);
    double along = 2.0 / 3.0 * SCREE_PI * a * a * a * r * r;
    double across = 8.0 * (b + c) * r * r *
                    (0.25 * SCREE_PI * a * a + 2.0 / 3.0 * a * r + SCREE_PI / 16.0 * r * r);
    double corners = SCREE_PI * r * r * r * (4.0 / 3.0 * a * a + a * r + 4.0 / 15.0 * r * r);
    return flat + ends + along + across + corners;
}

static void of_box(const double h[3], double r, scri_moments* out)
{
    double a = h[0], b = h[1], c = h[2];
    out->volume = 8.0 * (a * b * c + (a * b + b * c + c * a) * r) +
                  SCREE_PI * r * r * (2.0 * (a + b + c) + 4.0 / 3.0 * r);
    out->second[0] = square_along(a, b, c, r);
    out->second[1] = square_along(b, c, a, r);
    out->second[2] = square_along(c, a, b, r);
}

/* ---- hull ---- */

static double part(scri_vec a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* Adds weight (a b^T + b a^T) / 2. */
static void add_product(double weight, scri_vec a, scri_vec b, double second[6])
{
    for (int e = 0; e < 6; ++e) {
        double one = part(a, row[e]) * part(b, column[e]);
        second[e] += 0.5 * weight * (one + part(a, column[e]) * part(b, row[e]));
    }
}

static void add_first(double weight, scri_vec a, double first[3])
{
    for (int k = 0; k < 3; ++k) first[k] += weight * part(a, k);
}

static scri_vec corner_of(const scree_shape* s, int32_t i)
{
    return scri_vec_scale(s->half_size[0], s->hull->corner[i]);
}

/* A triangle moved by r along the normal n. */
static void add_prism(scri_vec p, scri_vec q, scri_vec s, scri_vec n, double r, scri_moments* out)
{
    double area = 0.5 * scri_vec_length(scri_vec_cross(scri_vec_sub(q, p), scri_vec_sub(s, p)));
    scri_vec sum = scri_vec_add(scri_vec_add(p, q), s);
    out->volume += area * r;
    add_first(area * r / 3.0, sum, out->first);
    add_first(0.5 * area * r * r, n, out->first);
    add_product(area * r / 12.0, p, p, out->second);
    add_product(area * r / 12.0, q, q, out->second);
    add_product(area * r / 12.0, s, s, out->second);
    add_product(area * r / 12.0, sum, sum, out->second);
    add_product(area * r * r / 3.0, sum, n, out->second);
    add_product(area * r * r * r / 3.0, n, n, out->second);
}

/* A corner with the solid angle of the normals there. */
static void add_ball(scri_vec p, double angle, double r, scri_moments* out)
{
    double volume = angle * r * r * r / 3.0;
    out->volume += volume;
    add_first(volume, p, out->first);
    add_product(volume, p, p, out->second);
    for (int k = 0; k < 3; ++k) out->second[k] += angle * r * r * r * r * r / 15.0;
}

static double angle_between(scri_vec a, scri_vec b)
{
    return atan2(scri_vec_length(scri_vec_cross(a, b)), scri_vec_dot(a, b));
}

/* A face, and of the ball at each of its corners the angle that the face takes from it: the solid
 * angle of the normals at a corner is what all angles of faces there leave of a full turn. */
static void add_face(const scree_shape* s, int32_t f, double r, scri_moments* out)
{
    const scree_hull* h = s->hull;
    const int32_t* at = h->of_faces + h->start[f];
    int32_t n = h->start[f + 1] - h->start[f];
    scri_vec normal = scri_vec_load(h->plane + 4 * (size_t)f), first = corner_of(s, at[0]);
    for (int32_t i = 1; i + 1 < n; ++i) {
        add_prism(first, corner_of(s, at[i]), corner_of(s, at[i + 1]), normal, r, out);
    }
    for (int32_t i = 0; i < n; ++i) {
        scri_vec p = corner_of(s, at[i]);
        scri_vec to_next = scri_vec_sub(corner_of(s, at[(i + 1) % n]), p);
        scri_vec to_last = scri_vec_sub(corner_of(s, at[(i + n - 1) % n]), p);
        add_ball(p, -angle_between(to_next, to_last), r, out);
    }
}

/* The sector over an edge between the normals of its faces, and what the edge adds to the moments
 * of the balls at its ends: by the divergence theorem on the sphere, with normals n in a region of
 * solid angle w, int n = -1/2 int v and int n n^T = (w - int n v^T) / 3, where v points out across
 * the rim. The rim is arcs across edges: v is the edge. */
static void add_edge(scri_vec p, scri_vec q, scri_vec n1, scri_vec n2, double r, scri_moments* out)
{
    scri_vec e = scri_vec_sub(q, p), middle = scri_vec_scale(0.5, scri_vec_add(p, q));
    double length = scri_vec_length(e), angle = angle_between(n1, n2);
    scri_vec bisector = scri_vec_add(n1, n2), across = scri_vec_sub(n2, n1);
    double wide = scri_vec_length(bisector), narrow = scri_vec_length(across);
    e = scri_vec_scale(1.0 / length, e);
    scri_vec arc = scri_vec_scale(tan(0.5 * angle), bisector); /* integral of n along the arc */
    double area = 0.5 * angle * r * r, cube = r * r * r / 3.0, fourth = 0.25 * r * r * r * r;
    out->volume += length * area;
    add_first(length * area, middle, out->first);
    add_first(length * cube, arc, out->first);
    add_product(length * area, middle, middle, out->second);
    add_product(length * length * length * area / 12.0, e, e, out->second);
    add_product(2.0 * length * cube, middle, arc, out->second);
    bisector = scri_vec_scale(1.0 / wide, bisector);
    add_product(0.5 * length * fourth * (angle + sin(angle)), bisector, bisector, out->second);
    if (narrow > 0.0) {
        across = scri_vec_scale(1.0 / narrow, across);
        add_product(0.5 * length * fourth * (angle - sin(angle)), across, across, out->second);
    }
    for (int end = 0; end < 2; ++end) {
        scri_vec out_of = scri_vec_scale(end ? -1.0 : 1.0, e), at = end ? q : p;
        add_first(-0.5 * angle * fourth, out_of, out->first);
        add_product(-angle * fourth, at, out_of, out->second);
        add_product(-r * r * r * r * r / 15.0, arc, out_of, out->second);
    }
}

/* The face of the side that runs from corner b to corner a, or -1. */
static int32_t face_beyond(const scree_hull* h, int32_t a, int32_t b)
{
    for (int32_t f = 0; f < h->view.n_faces; ++f) {
        int32_t n = h->start[f + 1] - h->start[f];
        const int32_t* at = h->of_faces + h->start[f];
        for (int32_t i = 0; i < n; ++i) {
            if (at[i] == b && at[(i + 1) % n] == a) return f;
        }
    }
    return -1;
}

static void of_hull(const scree_shape* s, double r, scri_moments* out)
{
    const scree_hull* h = s->hull;
    double scale = s->half_size[0], cube = scale * scale * scale;
    const double* own = h->view.inertia; /* about the centre: tr(S) - S */
    double half = 0.5 * (own[0] + own[1] + own[2]);
    out->volume = cube * h->view.volume;
    for (int k = 0; k < 6; ++k) {
        out->second[k] = cube * scale * scale * (k < 3 ? half - own[k] : -own[k]);
    }
    for (int32_t i = 0; i < h->view.n_corners; ++i) {
        add_ball(corner_of(s, i), 2.0 * SCREE_PI, r, out);
    }
    for (int32_t f = 0; f < h->view.n_faces; ++f) add_face(s, f, r, out);
    for (int32_t e = 0; e < h->n_edges; ++e) {
        int32_t a = h->edge[2 * (size_t)e], b = h->edge[2 * (size_t)e + 1];
        int32_t one = face_beyond(h, a, b), two = face_beyond(h, b, a);
        if (one < 0 || two < 0) continue;
        scri_vec n1 = scri_vec_load(h->plane + 4 * (size_t)one);
        scri_vec n2 = scri_vec_load(h->plane + 4 * (size_t)two);
        add_edge(corner_of(s, a), corner_of(s, b), n1, n2, r, out);
    }
}

/* ---- solids of revolution ----
 *
 * With the profile rho(z), upwards: pi int rho^2 z^k dz, and pi/4 int rho^4 dz for x^2 and y^2. */

enum { NODES = 10, PIECES = 4 };

/* Node k of Gauss' rule on [0, 1], and its weight. */
static double node_of(int k, double* weight)
{
    static const double x[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                               0.8650633666889845, 0.9739065285171717};
    static const double w[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                               0.1494513491505806, 0.0666713443086881};
    *weight = 0.5 * w[k / 2];
    return 0.5 + (k % 2 ? 0.5 : -0.5) * x[k / 2];
}

static void add_slice(double rho, double z, double dz, scri_moments* out)
{
    double disc = SCREE_PI * rho * rho * dz;
    out->volume += disc;
    out->first[2] += disc * z;
    out->second[0] += 0.25 * disc * rho * rho;
    out->second[2] += disc * z * z;
}

static void add_line(double rho, double z, double to_rho, double to_z, scri_moments* out)
{
    for (int k = 0; k < NODES; ++k) {
        double weight, t = node_of(k, &weight);
        add_slice(rho + t * (to_rho - rho), z + t * (to_z - z), weight * (to_z - z), out);
    }
}

/* An arc about (rho, z) between two angles above the horizontal, in pieces for which the rule is
 * exact to rounding. */
static void add_arc(double rho, double z, double r, double from, double to, scri_moments* out)
{
    for (int k = 0; k < NODES * PIECES; ++k) {
        int piece = k / NODES;
        double weight, t = (node_of(k % NODES, &weight) + piece) / PIECES;
        double angle = from + t * (to - from), way = weight / PIECES * (to - from);
        add_slice(rho + r * cos(angle), z + r * sin(angle), r * cos(angle) * way, out);
    }
}

static void of_cylinder(double radius, double half, double r, scri_moments* out)
{
    add_arc(radius, -half, r, -0.5 * SCREE_PI, 0.0, out);
    add_line(radius + r, -half, radius + r, half, out);
    add_arc(radius, half, r, 0.0, 0.5 * SCREE_PI, out);
}

static void of_cone(double radius, double half, double r, scri_moments* out)
{
    double base = -0.5 * half, apex = 1.5 * half, rise = atan2(radius, apex - base);
    double across = r * cos(rise), along = r * sin(rise);
    add_arc(radius, base, r, -0.5 * SCREE_PI, rise, out);
    add_line(radius + across, base + along, across, apex + along, out);
    add_arc(0.0, apex, r, rise, 0.5 * SCREE_PI, out);
}

/* ---- ellipsoid ----
 *
 * Along the normals n from p = S u, u on the unit sphere: a layer at the depth t has the area
 * 1 + (k1 + k2) t + k1 k2 t^2 times that of the surface, det S |S^-1 u| du. An eighth is enough. */

enum { AROUND = 64, BANDS = 16 };

static void add_normal(const double s[3], const double u[3], double weight, double r,
                       scri_moments* out)
{
    double det = s[0] * s[1] * s[2], square = 0.0, away = 0.0, n[3], p[3];
    for (int k = 0; k < 3; ++k) {
        n[k] = u[k] / s[k];
        p[k] = s[k] * u[k];
        square += n[k] * n[k];
        away += (s[k] - p[k]) * (s[k] + p[k]);
    }
    double w = sqrt(square), area = weight * det * w;
    double sum = away / (det * det * square * w), product = 1.0 / (det * det * square * square);
    out->volume += area * r * (1.0 + r * (0.5 * sum + r * product / 3.0));
    for (int k = 0; k < 3; ++k) {
        double a = p[k], b = n[k] / w;
        double c0 = a * a, c1 = 2.0 * a * b + a * a * sum;
        double c2 = b * b + 2.0 * a * b * sum + a * a * product;
        double c3 = b * b * sum + 2.0 * a * b * product, c4 = b * b * product;
        out->second[k] +=
            area * r * (c0 + r * (c1 / 2.0 + r * (c2 / 3.0 + r * (c3 / 4.0 + r * c4 / 5.0))));
    }
}

/* The axis whose half length is farthest from those of the others, in proportion. */
static int odd_axis(const double s[3])
{
    int odd = 2;
    double most = 0.0;
    for (int k = 0; k < 3; ++k) {
        double u = s[(k + 1) % 3], v = s[(k + 2) % 3], ratio = fmax(u, v) / fmin(u, v);
        if (!(most == 0.0 || ratio < most)) continue;
        most = ratio; /* of the other two */
        odd = k;
    }
    return odd;
}

static void of_ellipsoid(const double s[3], double r, scri_moments* out)
{
    int pole = odd_axis(s);
    out->volume = 4.0 / 3.0 * SCREE_PI * s[0] * s[1] * s[2];
    for (int k = 0; k < 3; ++k) out->second[k] = 0.2 * out->volume * s[k] * s[k];
    for (int i = 0; i < NODES * BANDS; ++i) {
        int band = i / NODES;
        double weight, share = (node_of(i % NODES, &weight) + band) / BANDS;
        double z = cos(0.5 * SCREE_PI * share), rho = sin(0.5 * SCREE_PI * share);
        for (int k = 0; k < AROUND; ++k) {
            double angle = 0.5 * SCREE_PI * (k + 0.5) / AROUND;
            double u[3];
            u[(pole + 1) % 3] = rho * cos(angle);
            u[(pole + 2) % 3] = rho * sin(angle);
            u[pole] = z;
            add_normal(s, u, 2.0 * SCREE_PI * SCREE_PI * rho * weight / BANDS / AROUND, r, out);
        }
    }
}

void scri_rounded_moments(const scree_shape* shape, scri_moments* out)
{
    const double *size = shape->half_size, r = shape->rounding;
    *out = (scri_moments){0};
    if (shape->kind == SCREE_SHAPE_BOX) of_box(size, r, out);
    if (shape->kind == SCREE_SHAPE_HULL) of_hull(shape, r, out);
    if (shape->kind == SCREE_SHAPE_ELLIPSOID) of_ellipsoid(size, r, out);
    if (shape->kind == SCREE_SHAPE_CYLINDER) of_cylinder(size[0], size[1], r, out);
    if (shape->kind == SCREE_SHAPE_CONE) of_cone(size[0], size[1], r, out);
    if (shape->kind == SCREE_SHAPE_CYLINDER || shape->kind == SCREE_SHAPE_CONE) {
        out->second[1] = out->second[0];
    }
}
