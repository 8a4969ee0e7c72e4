/* Capsules against capsules and boxes. A capsule is a segment with a radius, and so every point
 * here is one of a sphere somewhere on it: the nearest one, and those at both ends of the part of
 * the segment that lies along the other shape. None of these depends on a choice that could flip:
 * where the two are nearly parallel the ends carry, and the nearest one, which may then be
 * anywhere, is left out unless it is lower. */
#include "collide/pair.h"

/* Features. */
enum { NEAREST, LOWER_END, UPPER_END };

/* Relative to the radius: a shorter part of the segment is a point, and the nearest point counts
 * where it is lower than both ends by more. */
#define SHORT 1e-3
#define LOWER 1e-6

/* Sine of the angle from which on two capsules do not lie along each other. */
#define CROSSED 0.3

static double clamp(double x, double lower, double upper)
{
    return x < lower ? lower : x > upper ? upper : x;
}

/* ---- two capsules ---- */

/* Two segments p + s u and q + t v. */
typedef struct segments {
    scri_vec p, u, q, v;
    double half_p, half_q;
} segments;

/* Parameters of the nearest points; for parallel segments those in the middle of what faces. */
static void nearest_on_segments(const segments* g, double* s, double* t)
{
    scri_vec r = scri_vec_sub(g->p, g->q);
    double cosine = scri_vec_dot(g->u, g->v), d = scri_vec_dot(g->u, r), e = scri_vec_dot(g->v, r);
    double square = 1.0 - cosine * cosine;
    *s = 0.0;
    if (square > 1e-10) {
        *s = clamp((cosine * e - d) / square, -g->half_p, g->half_p);
    } else {
        double lower = fmax(-g->half_p, -d - g->half_q), upper = fmin(g->half_p, -d + g->half_q);
        *s = clamp(0.5 * (lower + upper), -g->half_p, g->half_p);
    }
    *t = clamp(e + *s * cosine, -g->half_q, g->half_q);
    *s = clamp(*t * cosine - d, -g->half_p, g->half_p);
}

/* What faces, as coordinates along the direction w between nearly parallel segments. */
static int common_stretch(const segments* g, scri_vec* w, double stretch[2])
{
    if (!(scri_vec_length(scri_vec_cross(g->u, g->v)) < CROSSED)) return 0;
    *w = scri_vec_add_scaled(g->u, scri_vec_dot(g->u, g->v) < 0.0 ? -1.0 : 1.0, g->v);
    *w = scri_vec_scale(1.0 / scri_vec_length(*w), *w);
    double along_p = scri_vec_dot(g->p, *w), along_q = scri_vec_dot(g->q, *w);
    double reach_p = g->half_p * fabs(scri_vec_dot(g->u, *w));
    double reach_q = g->half_q * fabs(scri_vec_dot(g->v, *w));
    stretch[0] = fmax(along_p - reach_p, along_q - reach_q);
    stretch[1] = fmin(along_p + reach_p, along_q + reach_q);
    return 1;
}

/* Spheres at s and t; when their centres coincide, the normal is across both axes. */
static int write_spheres(const segments* g, const double radius[2], double s, double t,
                         double margin, scri_touch* out)
{
    scri_vec a = scri_vec_add_scaled(g->p, s, g->u), b = scri_vec_add_scaled(g->q, t, g->v);
    scri_vec d = scri_vec_sub(a, b);
    if (!(scri_vec_dot(d, d) <= SCRI_NO_DIRECTION)) {
        return scri_touch_spheres(a, radius[0], b, radius[1], margin, out);
    }
    scri_vec across = scri_vec_cross(g->u, g->v);
    if (scri_vec_length(across) < 1e-6) {
        scri_vec other = fabs(g->u.x) < 0.5 ? (scri_vec){1.0, 0.0, 0.0} : (scri_vec){0.0, 1.0, 0.0};
        across = scri_vec_cross(g->u, other);
    }
    across = scri_vec_scale(1.0 / scri_vec_length(across), across);
    return scri_touch_write(across, scri_vec_add_scaled(b, radius[1], across),
                            -radius[0] - radius[1], margin, out);
}

int scri_capsule_capsule(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    double radius[2] = {a->size[0], b->size[0]}, stretch[2], s, t, least = SCREE_INFINITY;
    double tiny = fmin(radius[0], radius[1]);
    segments g = {scri_vec_sub(a->centre, b->centre),
                  scri_mat_column(a->axes, 2),
                  (scri_vec){0.0, 0.0, 0.0},
                  scri_mat_column(b->axes, 2),
                  a->size[1],
                  b->size[1]};
    scri_vec w;
    int n = 0;
    if (common_stretch(&g, &w, stretch) && stretch[1] - stretch[0] > SHORT * tiny) {
        int turned = scri_vec_dot(g.u, w) < 0.0;
        for (int k = 0; k < 2; ++k) {
            s = (stretch[k] - scri_vec_dot(g.p, w)) / scri_vec_dot(g.u, w);
            t = (stretch[k] - scri_vec_dot(g.q, w)) / scri_vec_dot(g.v, w);
            if (!write_spheres(&g, radius, s, t, margin, out + n)) continue;
            out[n].feature = (k != turned) ? UPPER_END : LOWER_END;
            least = fmin(least, out[n++].gap);
        }
    }
    nearest_on_segments(&g, &s, &t);
    if (write_spheres(&g, radius, s, t, margin, out + n) && out[n].gap < least - LOWER * tiny) ++n;
    for (int k = 0; k < n; ++k) { /* so far from the centre of b */
        scri_vec_store(scri_vec_add(b->centre, scri_vec_load(out[k].point)), out[k].point);
    }
    return n;
}

/* ---- capsule and box ---- */

/* The segment c + s u, |s| <= half, in the frame of a box. */
typedef struct rod {
    double c[3], u[3], half, radius;
    const double* box; /* half lengths */
} rod;

/* Half the slope of the squared distance from the box, which grows with s. */
static double slope_at(const rod* r, double s)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double x = r->c[k] + s * r->u[k];
        sum += r->u[k] * (x - clamp(x, -r->box[k], r->box[k]));
    }
    return sum;
}

/* The parameter at which the slope reaches `level` from below, or leaves it: it is piecewise linear
 * with corners where the segment passes the planes of the faces. */
static double reach_level(const rod* r, double level, int leaves)
{
    double lower = -r->half, upper = r->half;
    for (int k = 0; k < 6; ++k) {
        double u = r->u[k % 3];
        if (fabs(u) < 1e-15) continue;
        double s = ((k < 3 ? -r->box[k] : r->box[k % 3]) - r->c[k % 3]) / u;
        if (!(s > lower && s < upper)) continue;
        double slope = slope_at(r, s);
        int before = leaves ? slope <= level : slope < level;
        *(before ? &lower : &upper) = s;
    }
    double at_lower = slope_at(r, lower), at_upper = slope_at(r, upper);
    if (!(at_lower < level)) return leaves && at_upper <= level ? upper : lower;
    if (!(at_upper > level)) return upper;
    return lower + (upper - lower) * (level - at_lower) / (at_upper - at_lower);
}

/* Nearest to the box; in the middle where several are. */
static double nearest_on_rod(const rod* r)
{
    return 0.5 * (reach_level(r, 0.0, 0) + reach_level(r, 0.0, 1));
}

/* Difference of the point at s from its nearest point of the box; returns the distance. */
static double off_box(const rod* r, double s, double d[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double x = r->c[k] + s * r->u[k];
        d[k] = x - clamp(x, -r->box[k], r->box[k]);
        sum += d[k] * d[k];
    }
    return sqrt(sum);
}

/* The part of the segment between the planes of the faces of these axes. */
static int part_between(const rod* r, int axes, double part[2])
{
    part[0] = -r->half;
    part[1] = r->half;
    for (int k = 0; k < 3; ++k) {
        if (!(axes >> k & 1)) continue;
        if (fabs(r->u[k]) < 1e-15) {
            if (fabs(r->c[k]) > r->box[k]) return 0;
            continue;
        }
        double one = (-r->box[k] - r->c[k]) / r->u[k], two = (r->box[k] - r->c[k]) / r->u[k];
        part[0] = fmax(part[0], fmin(one, two));
        part[1] = fmin(part[1], fmax(one, two));
    }
    return part[1] - part[0] > SHORT * r->radius;
}

static int largest(const double x[3])
{
    int k = fabs(x[1]) > fabs(x[0]) ? 1 : 0;
    return fabs(x[2]) > fabs(x[k]) ? 2 : k;
}

static scri_vec out_of(const scri_solid* box, const double x[3])
{
    return scri_mat_multiply(box->axes, scri_vec_load(x));
}

/* The sphere at s, whose centre is outside of the box. */
static int write_ball(const rod* r, const scri_solid* box, double s, double margin, scri_touch* out)
{
    double d[3], distance = off_box(r, s, d), surface[3];
    for (int k = 0; k < 3; ++k) {
        surface[k] = r->c[k] + s * r->u[k] - d[k];
        d[k] /= distance;
    }
    return scri_touch_write(out_of(box, d), scri_vec_add(box->centre, out_of(box, surface)),
                            distance - r->radius, margin, out);
}

/* ---- a segment that pierces the box ---- */

/* A direction in which the segment leaves the box. */
typedef struct way_out {
    double separation, normal[3];
    int axis, is_edge;
} way_out;

static way_out by_face(const rod* r)
{
    way_out best = {.separation = -SCREE_INFINITY};
    for (int k = 0; k < 3; ++k) {
        double separation = fabs(r->c[k]) - r->half * fabs(r->u[k]) - r->box[k];
        if (!(separation > best.separation)) continue;
        best = (way_out){.separation = separation, .axis = k};
        best.normal[k] = r->c[k] < 0.0 ? -1.0 : 1.0;
    }
    return best;
}

/* Across the segment and the edges along one axis. */
static way_out by_edge(const rod* r)
{
    way_out best = {.separation = -SCREE_INFINITY};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double length = sqrt(r->u[i] * r->u[i] + r->u[j] * r->u[j]);
        if (!(length > 1e-5)) continue;
        double x = -r->u[j] / length, y = r->u[i] / length, apart = x * r->c[i] + y * r->c[j];
        double separation = fabs(apart) - fabs(x) * r->box[i] - fabs(y) * r->box[j];
        if (!(separation > best.separation)) continue;
        best = (way_out){.separation = separation, .axis = k, .is_edge = 1};
        best.normal[i] = apart < 0.0 ? -x : x;
        best.normal[j] = apart < 0.0 ? -y : y;
    }
    return best;
}

/* Where the segment is farthest inside of the edge. */
static double crossing_on_rod(const rod* r, const way_out* way)
{
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (k == way->axis) continue;
        double edge = copysign(r->box[k], way->normal[k]);
        sum += r->u[k] * (edge + way->separation * way->normal[k] - r->c[k]);
        square += r->u[k] * r->u[k];
    }
    return clamp(sum / square, -r->half, r->half);
}

static int write_pierced(const rod* r, const scri_solid* box, double margin, scri_touch* out)
{
    way_out way = by_face(r), edge = by_edge(r);
    double part[2];
    int n = 0, ends = 2;
    if (edge.separation > way.separation) way = edge;
    if (way.is_edge || !part_between(r, 7 & ~(1 << way.axis), part)) {
        part[0] = way.is_edge ? crossing_on_rod(r, &way) : nearest_on_rod(r);
        ends = 1;
    }
    for (int e = 0; e < ends; ++e) {
        double surface[3], height = way.separation;
        for (int k = 0; k < 3; ++k) {
            surface[k] = r->c[k] + part[e] * r->u[k];
            if (k == way.axis && !way.is_edge) height = way.normal[k] * surface[k] - r->box[k];
        }
        for (int k = 0; k < 3; ++k) surface[k] -= height * way.normal[k];
        scri_vec on_box = scri_vec_add(box->centre, out_of(box, surface));
        if (!scri_touch_write(out_of(box, way.normal), on_box, height - r->radius, margin,
                              out + n)) {
            continue;
        }
        out[n++].feature = ends == 1 ? NEAREST : e ? UPPER_END : LOWER_END;
    }
    return n;
}

static rod load_rod(const scri_solid* capsule, const scri_solid* box)
{
    rod r = {.half = capsule->size[1], .radius = capsule->size[0], .box = box->size};
    scri_vec c = scri_vec_sub(capsule->centre, box->centre);
    scri_vec_store(scri_mat_multiply_transposed(box->axes, c), r.c);
    scri_vec_store(scri_mat_multiply_transposed(box->axes, scri_mat_column(capsule->axes, 2)), r.u);
    return r;
}

int scri_capsule_box(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    rod r = load_rod(a, b);
    double s = nearest_on_rod(&r), d[3], part[2], least = SCREE_INFINITY;
    int n = 0;
    if (off_box(&r, s, d) <= 1e-6 * r.radius) return write_pierced(&r, b, margin, out);
    /* over the face, or else along an edge */
    if (part_between(&r, 7 & ~(1 << largest(d)), part) ||
        part_between(&r, 1 << largest(r.u), part)) {
        for (int k = 0; k < 2; ++k) {
            if (!write_ball(&r, b, part[k], margin, out + n)) continue;
            out[n].feature = k ? UPPER_END : LOWER_END;
            least = fmin(least, out[n++].gap);
        }
    }
    if (write_ball(&r, b, s, margin, out + n) && out[n].gap < least - LOWER * r.radius) ++n;
    return n;
}
