/* Cores of shapes with curved surfaces: cylinder, cone, ellipsoid. All in the frame of the shape.
 */
#include "collide/convex.h"

/* A disc touches with points fixed on its rim; when tilted by a sine of more than FLAT_DISC with
 * its lowest point, to which others closer in angle (cosine) give way; and with the one towards
 * which forces press (decision 156). */
#define FLAT_DISC 1e-3
#define SAME_COSINE 0.93

/* Names of points: fixed ones of the two rims, then the farthest of either, those that loads ask
 * for; a cone has one rim. */
enum { FARTHEST = 2 * SCRI_RIM, LOADED = FARTHEST + 2, APEX = LOADED + 2 };

/* Of the least radius of curvature of an ellipsoid, what the ball in it takes. */
#define BALL 0.9

static void add_corner(scri_part* part, scri_vec x, uint32_t name)
{
    part->name[part->n] = name;
    part->corner[part->n++] = x;
}

/* The part of d across the axis z, with length 1; along x where there is none. */
static scri_vec lateral(scri_vec d, double* sine)
{
    *sine = sqrt(d.x * d.x + d.y * d.y);
    if (!(*sine > 0.0)) return (scri_vec){1.0, 0.0, 0.0};
    return (scri_vec){d.x / *sine, d.y / *sine, 0.0};
}

/* Whether x comes after a and not after b, going round to the left by less than half a turn. */
static int is_between(scri_vec x, scri_vec a, scri_vec b)
{
    return a.x * x.y - a.y * x.x >= 0.0 && x.x * b.y - x.y * b.x > 0.0;
}

/* The rim at height z as a polygon, the farthest point in direction `down` among its corners. */
static void disc_part(const scri_convex* c, double radius, double z, uint32_t top, scri_vec down,
                      double sine, scri_part* part)
{
    scri_vec more[2] = {{0.0, 0.0, 0.0}};
    uint32_t name[2] = {FARTHEST + top, LOADED + top};
    int n = 0, tilted = sine > FLAT_DISC;
    if (tilted) more[n++] = down;
    if (c->is_loaded && scri_rim_towards(c->load, radius, &more[n]) &&
        !(tilted && scri_vec_dot(more[n], down) > SAME_COSINE)) {
        name[n++] = LOADED + top;
    }
    int swap = n == 2 && more[0].x * more[1].y - more[0].y * more[1].x < 0.0; /* go in turn */
    part->normal = (scri_vec){0.0, 0.0, top ? 1.0 : -1.0};
    for (uint32_t k = 0; k < SCRI_RIM; ++k) {
        scri_vec x = scri_rim_point(k), next = scri_rim_point((k + 1) % SCRI_RIM);
        if (!tilted || scri_vec_dot(x, down) < SAME_COSINE) {
            add_corner(part, (scri_vec){radius * x.x, radius * x.y, z}, SCRI_RIM * top + k);
        }
        for (int i = 0; i < n; ++i) {
            int e = swap ? n - 1 - i : i;
            if (!is_between(more[e], x, next)) continue;
            add_corner(part, (scri_vec){radius * more[e].x, radius * more[e].y, z}, name[e]);
        }
    }
}

static int flat_lines(scri_line lines[3])
{
    lines[0] = (scri_line){{1.0, 0.0, 0.0}, 0.0};
    lines[1] = (scri_line){{0.0, 1.0, 0.0}, 0.0};
    return 2;
}

/* ---- cylinder ---- */

static scri_vec cylinder_support(const scri_convex* c, scri_vec d)
{
    double sine;
    scri_vec x = scri_vec_scale(c->size[0] - c->inset, lateral(d, &sine));
    x.z = copysign(c->size[1] - c->inset, d.z);
    return x;
}

static void cylinder_part(const scri_convex* c, scri_vec d, scri_part* part)
{
    double length = scri_vec_length(d), sine, half = c->size[1];
    scri_vec across = lateral(d, &sine), x = scri_vec_scale(c->size[0], across);
    uint32_t top = d.z > 0.0;
    if (sine < SCRI_TILTED * length) {
        disc_part(c, c->size[0], top ? half : -half, top, across, sine / length, part);
    } else if (fabs(d.z) < SCRI_ACROSS * length) {
        for (uint32_t end = 0; end < 2; ++end) {
            x.z = end ? half : -half;
            add_corner(part, x, FARTHEST + end);
        }
    } else {
        x.z = top ? half : -half;
        add_corner(part, x, FARTHEST + top);
    }
}

static int cylinder_lines(const scri_convex* c, scri_vec x, double slack, scri_line lines[3])
{
    int n = scri_hypotenuse(x.x, x.y) < c->size[0] - slack ? flat_lines(lines) : 0;
    if ((n > 0 && slack > 0.0) || !(fabs(x.z) < c->size[1] - slack)) return n;
    lines[n++] = (scri_line){{0.0, 0.0, 1.0}, 0.0};
    return n;
}

/* ---- cone ----
 *
 * The centre of mass is at a quarter of the height h. The largest ball inside has the radius
 * r h / (r + s), s being the length of a line from the rim to the apex, and touches base and side:
 * without a layer the cone is the same cone, smaller, about the middle of that ball. */

typedef struct cone {
    double radius, base, apex; /* of the rim, heights of the rim and of the apex */
    double slant;
} cone;

static cone cone_of(const scri_convex* c)
{
    double radius = c->size[0], height = 2.0 * c->size[1];
    cone k = {radius, -0.25 * height, 0.75 * height, sqrt(radius * radius + height * height)};
    if (c->inset > 0.0) {
        double left = 1.0 - c->inset / c->inner, middle = k.base + c->inner;
        k.radius *= left;
        k.base = middle - left * c->inner;
        k.apex = middle + left * (k.apex - middle);
        k.slant *= left;
    }
    return k;
}

void scri_cone_load(scri_convex* c)
{
    cone k = cone_of(c);
    c->inner = k.radius * (k.apex - k.base) / (k.radius + k.slant);
    double of_apex = k.slant / k.radius, of_rim = scri_hypotenuse(k.radius, c->inner) / c->inner;
    c->spike = 1.01 * fmax(of_apex, of_rim);
}

/* Product of d with the line from the rim to the apex that looks along `across`. */
static double cone_rise(const cone* k, scri_vec across, scri_vec d)
{
    return (k->apex - k->base) * d.z - k->radius * (across.x * d.x + across.y * d.y);
}

static scri_vec cone_point(const cone* k, scri_vec across, int at_apex)
{
    if (at_apex) return (scri_vec){0.0, 0.0, k->apex};
    return (scri_vec){k->radius * across.x, k->radius * across.y, k->base};
}

static scri_vec cone_support(const scri_convex* c, scri_vec d)
{
    cone k = cone_of(c);
    double sine;
    scri_vec across = lateral(d, &sine);
    return cone_point(&k, across, cone_rise(&k, across, d) > 0.0);
}

static void cone_part(const scri_convex* c, scri_vec d, scri_part* part)
{
    cone k = cone_of(c);
    double length = scri_vec_length(d), sine;
    scri_vec across = lateral(d, &sine);
    double rise = cone_rise(&k, across, d);
    if (d.z < 0.0 && sine < SCRI_TILTED * length) {
        disc_part(c, k.radius, k.base, 0, across, sine / length, part);
        return;
    }
    int is_line = fabs(rise) < SCRI_ACROSS * length * k.slant;
    if (is_line || !(rise > 0.0)) add_corner(part, cone_point(&k, across, 0), FARTHEST);
    if (is_line || rise > 0.0) add_corner(part, cone_point(&k, across, 1), APEX);
}

static int cone_lines(const scri_convex* c, scri_vec x, double slack, scri_line lines[3])
{
    cone k = cone_of(c);
    slack -= c->inset; /* is in the cone already */
    double from_axis = scri_hypotenuse(x.x, x.y);
    int all = slack < 0.0, n = 0;
    if (all || (x.z < k.base + slack && from_axis < k.radius - slack)) n = flat_lines(lines);
    double along = (x.z - k.base) * k.slant / (k.apex - k.base); /* from the rim */
    if (!all && (n > 0 || !(along > slack && along < k.slant - slack))) return n;
    lines[n++] = (scri_line){{0.0, 0.0, 1.0}, k.radius / k.slant};
    return n;
}

/* ---- ellipsoid ----
 *
 * A ball can roll inside of it all around that is no larger than the least radius of curvature,
 * c^2 / a for half axes from a down to c: the ellipsoid is a smaller convex body and that ball, and
 * gaps are distances. Layers beyond, for overlaps, take the same from all half axes. */

void scri_ellipsoid_load(scri_convex* c)
{
    const double* s = c->size;
    double least = fmin(s[0], fmin(s[1], s[2])), most = fmax(s[0], fmax(s[1], s[2]));
    c->radius = c->ball = BALL * (least / most) * least;
    c->inner = least;
    c->spike = 1.0;
}

static scri_vec ellipsoid_support(const scri_convex* c, scri_vec d)
{
    const double* s = c->size;
    double x = s[0] - c->inset, y = s[1] - c->inset, z = s[2] - c->inset;
    scri_vec scaled = {x * d.x, y * d.y, z * d.z};
    double reach = scri_vec_length(scaled);
    if (!(reach > 0.0)) return (scri_vec){0.0, 0.0, z};
    scri_vec out = {x * (scaled.x / reach), y * (scaled.y / reach), z * (scaled.z / reach)};
    if (c->inset > 0.0) return out;
    return scri_vec_add_scaled(out, -c->ball / scri_vec_length(d), d);
}

/* ---- any of them ---- */

scri_vec scri_round_support(const scri_convex* c, scri_vec d)
{
    if (c->kind == SCREE_SHAPE_CYLINDER) return cylinder_support(c, d);
    return c->kind == SCREE_SHAPE_CONE ? cone_support(c, d) : ellipsoid_support(c, d);
}

void scri_round_part(const scri_convex* c, scri_vec d, scri_part* out)
{
    if (c->kind == SCREE_SHAPE_CYLINDER) cylinder_part(c, d, out);
    if (c->kind == SCREE_SHAPE_CONE) cone_part(c, d, out);
    if (c->kind == SCREE_SHAPE_ELLIPSOID) add_corner(out, ellipsoid_support(c, d), 0);
}

int scri_round_lines(const scri_convex* c, scri_vec x, double slack, scri_line lines[3])
{
    if (c->kind == SCREE_SHAPE_CYLINDER) return cylinder_lines(c, x, slack, lines);
    return c->kind == SCREE_SHAPE_CONE ? cone_lines(c, x, slack, lines) : 0;
}
