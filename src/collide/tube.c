/* Convex bodies in and about tubes (decision 266).
 *
 * The inner wall curves away from what is in it: a body touches it with corners alone, or with the
 * places of round rims that are farthest from the axis, and these have closed forms. The outer wall
 * is that of a capsule about the axis. The ends are planes, and the rims are edges that stand out,
 * as those of a mesh: found on polygons, and then moved to the circles. */
#include "collide/landing.h"
#include "collide/mesh.h"

#include <string.h>

/* What the polygons of the rims leave open, relative to the radius; above 1 - cos(pi / 64). */
#define RIM_ROOM 0.00121

/* Cosine of the angle to the middle of the sides beside one. */
#define BESIDE_COSINE 0.9945

/* What is nearest to the wall by its polygons and to the rim by its circle, or the other way round,
 * is so near to the end, relative to the radius or to a larger body, that it may be taken for
 * either: for the wall's where the rim has no point as near as this. */
#define RIM_SEAM 0.03
#define RIM_NEAR 0.1

/* Points of a rim and of the wall that ends there are one if they are this close, relative to the
 * radius, and their normals differ by less than this: two would share an impulse by rounding. */
#define SAID 1e-3
#define SAID_TURN 0.02

/* A round rim whose points differ less in their distance from the axis, relative to its radius,
 * may touch all around: as a piston does. */
#define COAXIAL 0.02

/* Names of sides are below the first of rims: both in the low bits of a place. */
#define SIDE_NAMES 8191u
#define RIM_NAMES 8188u

/* Places of walls, above those of ends and rims. */
#define INNER_PLACE (1u << 26)
#define OUTER_PLACE (1u << 27)

typedef struct bore {
    scri_visit* w;
    const double* size; /* outer radius, half height, inner radius */
    int is_within;      /* the centre of the body is between the ends */
    double middle;      /* of the wall: its distance from the axis */
    double end;         /* how far from the middle of the tube the walls reach */
    double margin;
} bore;

static double from_axis(scri_vec p)
{
    return scri_hypotenuse(p.x, p.y);
}

/* Whether a rim has been met near a point of a wall. */
static int is_near_rim(const bore* b, scri_vec at)
{
    const scri_visit* w = b->w;
    double room = RIM_NEAR * b->size[0];
    for (int i = 0; i < w->n; ++i) {
        scri_vec d = scri_vec_sub(scri_vec_add(w->found[i].point, w->centre), at);
        if (w->found[i].place < INNER_PLACE && scri_vec_dot(d, d) < room * room) return 1;
    }
    return 0;
}

/* Whether p, at a point of a wall or of what would go on beyond its end, touches the wall. */
static int is_beside_wall(const bore* b, scri_vec p, scri_vec at, double gap)
{
    const scri_visit* w = b->w;
    double scale = b->size[0], beyond = fabs(p.z) - b->end;
    if (!(beyond <= RIM_SEAM * fmax(scale, w->size))) return 0;
    double over = -(gap + w->body.radius);                       /* of the core */
    if (beyond > 0.0 && over > 2.0 * RIM_ROOM * scale) return 0; /* above the end itself */
    return !(beyond > 0.0 && is_near_rim(b, at));
}

/* What is before a wall and beyond its end has the rim nearest to it, at a right angle across the
 * wall's normal: moves a point of the wall there. Only what is apart: the rest is the ends'. */
static void move_to_rim(const bore* b, scri_vec p, scri_landing* x)
{
    double beyond = fabs(p.z) - b->size[1], radius = b->w->body.radius, across = x->gap + radius;
    if (!(beyond > 0.0 && across > 0.0)) return;
    double distance = scri_hypotenuse(across, beyond), side = p.z < 0.0 ? -1.0 : 1.0;
    scri_vec up = {0.0, 0.0, side * beyond / distance};
    x->normal = scri_vec_add(scri_vec_scale(across / distance, x->normal), up);
    x->point.z -= side * beyond;
    x->gap = distance - radius;
}

/* ---- the inner wall ---- */

/* A corner of the core, in the frame of the tube. What is beyond the middle of the wall has come
 * through it if the body is in the tube, and is outside else. */
static void land_inside(const bore* b, scri_vec p, uint32_t name)
{
    double rho = from_axis(p), inner = b->size[2], gap = inner - rho - b->w->body.radius;
    if (!(rho * rho > SCRI_NO_DIRECTION && gap <= b->margin)) return;
    if (!b->is_within && rho > b->middle) return;
    scri_vec out = {p.x / rho, p.y / rho, 0.0}, wall = {inner * out.x, inner * out.y, p.z};
    if (!is_beside_wall(b, p, wall, gap)) return;
    scri_landing found = {.point = scri_vec_sub(wall, b->w->centre),
                          .normal = scri_vec_scale(-1.0, out),
                          .gap = gap,
                          .face = -1,
                          .place = INNER_PLACE | name};
    move_to_rim(b, p, &found);
    if (found.gap <= b->margin) scri_visit_add(b->w, &found);
}

/* A circle or an ellipse seen along the axis: m + c u + s v, c^2 + s^2 = 1. */
typedef struct ellipse {
    scri_vec m, u, v;
} ellipse;

static scri_vec on_ellipse(const ellipse* e, double c, double s)
{
    return scri_vec_add_scaled(scri_vec_add_scaled(e->m, c, e->u), s, e->v);
}

/* Where an ellipse is farthest from the axis: the largest x^T H x / 2 + g . x on the unit circle,
 * along the eigenvectors of H, whose eigenvalues are low <= high. */
typedef struct circle_program {
    double low, high, g_low, g_high, high_x, high_y; /* the eigenvector of `high` */
} circle_program;

static circle_program program_of(const ellipse* e)
{
    double uu = e->u.x * e->u.x + e->u.y * e->u.y, vv = e->v.x * e->v.x + e->v.y * e->v.y;
    double uv = e->u.x * e->v.x + e->u.y * e->v.y;
    double gu = e->m.x * e->u.x + e->m.y * e->u.y, gv = e->m.x * e->v.x + e->m.y * e->v.y;
    double half = 0.5 * (uu - vv), r = scri_hypotenuse(half, uv);
    double x = half >= 0.0 ? r + half : uv, y = half >= 0.0 ? uv : r - half;
    double length = scri_hypotenuse(x, y);
    x = length > 0.0 ? x / length : 1.0;
    y = length > 0.0 ? y / length : 0.0;
    return (circle_program){.low = 0.5 * (uu + vv) - r,
                            .high = 0.5 * (uu + vv) + r,
                            .g_low = x * gv - y * gu,
                            .g_high = x * gu + y * gv,
                            .high_x = x,
                            .high_y = y};
}

/* Square of the length of x = (mu - H)^-1 g, and half its slope over mu. */
static double secular(const circle_program* p, double mu, double* slope)
{
    double low = mu - p->low, high = mu - p->high;
    double a = p->g_low / low, b = p->g_high / high;
    *slope = -(a * a / low + b * b / high);
    return a * a + b * b;
}

/* The largest multiplier mu between two before x has the length 1: it is longer beyond it if the
 * second maximum is asked for, which is where the length grows, and shorter else. */
static double multiplier(const circle_program* p, double from, double to, int is_second)
{
    enum { HALVINGS = 100 };
    for (int k = 0; k < HALVINGS; ++k) {
        double mu = 0.5 * (from + to), slope;
        if (!(mu > from && mu < to)) break;
        double square = secular(p, mu, &slope);
        int is_beyond = is_second ? slope > 0.0 && square > 1.0 : !(square > 1.0);
        if (is_beyond) {
            to = mu;
        } else {
            from = mu;
        }
    }
    return from;
}

/* Writes (c, s) of a maximum; on which side of the ellipse it is. */
static int write_maximum(const circle_program* p, double mu, double sign, double out[2])
{
    double way = mu - p->low;
    double low = way > 0.0 ? fmin(fmax(p->g_low / way, -1.0), 1.0) : 0.0;
    double high = sign * sqrt(1.0 - low * low);
    out[0] = high * p->high_x - low * p->high_y;
    out[1] = high * p->high_y + low * p->high_x;
    return high < 0.0;
}

/* Where an ellipse is farthest from the axis, and farther than nearby on its other side if there is
 * such a place, as (c, s), with the number of the side; how many. */
static int farthest(const ellipse* e, double out[2][2], int side[2])
{
    circle_program p = program_of(e);
    double force = scri_hypotenuse(p.g_low, p.g_high), sign = p.g_high < 0.0 ? -1.0 : 1.0, slope;
    double mu = multiplier(&p, p.high, p.high + force, 0);
    side[0] = write_maximum(&p, mu, sign, out[0]);
    double second = multiplier(&p, p.low, p.high, 1);
    if (!(second > p.low && secular(&p, second, &slope) <= 1.0)) return 1;
    side[1] = write_maximum(&p, second, -sign, out[1]);
    return 2;
}

/* A point of the body where it leaves the tube by an end: what is farthest from the axis may be
 * beyond it, and the nearest to the wall is then the last of what is not. */
static void land_at_mouth(const bore* b, scri_vec p, uint32_t name)
{
    double rho = from_axis(p);
    scri_vec wall = {b->size[2] * p.x / rho, b->size[2] * p.y / rho, p.z};
    if (rho < b->size[2] && !is_near_rim(b, wall)) land_inside(b, p, name);
}

/* Where the rim of a disc does. */
static void land_leaving(const bore* b, const ellipse* e, double end, uint32_t first)
{
    double most = scri_hypotenuse(e->u.z, e->v.z), share = (end - e->m.z) / most;
    if (!(fabs(share) < 1.0)) return;
    for (uint32_t k = 0; k < 2; ++k) {
        double aside = (k ? -1.0 : 1.0) * sqrt(1.0 - share * share);
        scri_vec p = on_ellipse(e, (share * e->u.z - aside * e->v.z) / most,
                                (share * e->v.z + aside * e->u.z) / most);
        land_at_mouth(b, p, first + k);
    }
}

/* A disc of the body at height z of its own frame; of one about the axis the points that are fixed
 * on it, too. */
static void land_disc(const bore* b, double radius, double z, uint32_t first)
{
    const scri_mat axes = b->w->body.axes;
    ellipse e = {scri_vec_add_scaled(b->w->centre, z, scri_mat_column(axes, 2)),
                 scri_vec_scale(radius, scri_mat_column(axes, 0)),
                 scri_vec_scale(radius, scri_mat_column(axes, 1))};
    double at[2][2], least = SCREE_INFINITY, most = 0.0;
    int side[2], n = farthest(&e, at, side);
    for (int k = 0; k < n; ++k) {
        land_inside(b, on_ellipse(&e, at[k][0], at[k][1]), first + SCRI_RIM + (uint32_t)side[k]);
    }
    land_leaving(b, &e, b->size[1], first + SCRI_RIM + 2);
    land_leaving(b, &e, -b->size[1], first + SCRI_RIM + 4);
    scri_vec fixed[SCRI_RIM];
    for (uint32_t k = 0; k < SCRI_RIM; ++k) {
        scri_vec x = scri_rim_point(k);
        fixed[k] = on_ellipse(&e, x.x, x.y);
        least = fmin(least, from_axis(fixed[k]));
        most = fmax(most, from_axis(fixed[k]));
    }
    if (!(most - least < COAXIAL * radius)) return;
    for (uint32_t k = 0; k < SCRI_RIM; ++k) land_inside(b, fixed[k], first + k);
}

/* The ellipse about m whose matrix is [xx xy; xy yy]: the root of it has its half axes. */
static ellipse ellipse_of(scri_vec m, double xx, double xy, double yy)
{
    double root = sqrt(fmax(xx * yy - xy * xy, 0.0)), scale = 1.0 / sqrt(xx + yy + 2.0 * root);
    return (ellipse){
        m, {scale * (xx + root), scale * xy, 0.0}, {scale * xy, scale * (yy + root), 0.0}};
}

/* Where an ellipsoid with these half axes leaves the tube: the plane of the end cuts it in an
 * ellipse. With M = sum of g g^T and d how far the plane is from the centre, its middle is there by
 * the column of z in M over M_zz, and its matrix what is left of M without that column's square,
 * times 1 - d^2 / M_zz. */
static void land_section(const bore* b, const scri_vec g[3], double end, uint32_t first)
{
    double xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0, zz = 0.0, d = end - b->w->centre.z;
    for (int k = 0; k < 3; ++k) {
        xx += g[k].x * g[k].x;
        xy += g[k].x * g[k].y;
        yy += g[k].y * g[k].y;
        xz += g[k].x * g[k].z;
        yz += g[k].y * g[k].z;
        zz += g[k].z * g[k].z;
    }
    double share = 1.0 - d * d / zz, at[2][2];
    if (!(share > 0.0)) return;
    scri_vec m = {b->w->centre.x + d * xz / zz, b->w->centre.y + d * yz / zz, end};
    ellipse e = ellipse_of(m, share * (xx - xz * xz / zz), share * (xy - xz * yz / zz),
                           share * (yy - yz * yz / zz));
    int side[2], n = farthest(&e, at, side);
    for (int i = 0; i < n; ++i) {
        land_at_mouth(b, on_ellipse(&e, at[i][0], at[i][1]), first + (uint32_t)side[i]);
    }
}

/* Seen along the axis an ellipsoid is an ellipse with the matrix M = sum of g g^T, g its half axes.
 */
static void land_ellipsoid(const bore* b, const double half[3])
{
    const scri_mat axes = b->w->body.axes;
    scri_vec g[3];
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < 3; ++k) {
        g[k] = scri_vec_scale(half[k], scri_mat_column(axes, k));
        xx += g[k].x * g[k].x;
        xy += g[k].x * g[k].y;
        yy += g[k].y * g[k].y;
    }
    ellipse e = ellipse_of(b->w->centre, xx, xy, yy);
    double at[2][2];
    int side[2], n = farthest(&e, at, side);
    for (int i = 0; i < n; ++i) { /* the point whose normal is that across the axis */
        scri_vec d = on_ellipse(&e, at[i][0], at[i][1]), p = b->w->centre;
        double square = 0.0, along[3];
        for (int k = 0; k < 3; ++k) {
            along[k] = g[k].x * d.x + g[k].y * d.y;
            square += along[k] * along[k];
        }
        for (int k = 0; k < 3; ++k) p = scri_vec_add_scaled(p, along[k] / sqrt(square), g[k]);
        land_inside(b, p, (uint32_t)side[i]);
    }
    land_section(b, g, b->size[1], 2);
    land_section(b, g, -b->size[1], 4);
}

static void land_corner(const bore* b, double x, double y, double z, uint32_t name)
{
    scri_vec own = {x, y, z};
    land_inside(b, scri_vec_add(b->w->centre, scri_mat_multiply(b->w->body.axes, own)), name);
}

static void land_in_bore(bore* b)
{
    const scri_convex* c = &b->w->body;
    const double* h = c->size;
    switch (c->kind) {
    case SCREE_SHAPE_BOX:
        for (uint32_t k = 0; k < 8; ++k) {
            land_corner(b, k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2], k);
        }
        break;
    case SCREE_SHAPE_HULL:
        for (int32_t i = 0; i < c->hull->view.n_corners; ++i) {
            scri_vec x = scri_vec_scale(h[0], c->hull->corner[i]);
            land_corner(b, x.x, x.y, x.z, (uint32_t)i);
        }
        break;
    case SCREE_SHAPE_CAPSULE:
        for (uint32_t k = 0; k < 2; ++k) land_corner(b, 0.0, 0.0, k ? h[1] : -h[1], k);
        break;
    case SCREE_SHAPE_CYLINDER:
        land_disc(b, h[0], -h[1], 0);
        land_disc(b, h[0], h[1], 16);
        break;
    case SCREE_SHAPE_CONE:
        land_disc(b, h[0], -0.5 * h[1], 0);
        land_corner(b, 0.0, 0.0, 1.5 * h[1], 16);
        break;
    case SCREE_SHAPE_ELLIPSOID: {
        double radius = c->radius; /* its core is smaller by a ball: not here */
        b->w->body.radius = c->solid.rounding;
        land_ellipsoid(b, h);
        b->w->body.radius = radius;
        break;
    }
    default:
        break;
    }
}

/* ---- the outer wall ---- */

/* Whether a rim has a point where the wall ends that says as much as one of the wall. */
static int is_said_by_rim(const bore* b, const scri_landing* x)
{
    const scri_visit* w = b->w;
    for (int i = 0; i < w->n; ++i) {
        scri_vec d = scri_vec_sub(w->found[i].point, x->point);
        scri_vec turn = scri_vec_sub(w->found[i].normal, x->normal);
        if (w->found[i].place < INNER_PLACE && scri_vec_length(d) < SAID * b->size[0] &&
            scri_vec_length(turn) < SAID_TURN) {
            return 1;
        }
    }
    return 0;
}

/* What is beyond the end of the wall, at the height z, has the rim nearest to it: what of a body is
 * nearest to the wall need not be what is nearest there, so one is looked for after the other. Only
 * what is apart. */
static void turn_to_rim(const bore* b, double z, scri_landing* x)
{
    enum { TURNS = 8 };
    const scri_convex* body = &b->w->body;
    scri_vec on_body = x->point;
    for (int k = 0; k < TURNS; ++k) {
        scri_vec from = scri_vec_add(on_body, b->w->centre);
        double share = b->size[0] / from_axis(from), end = z < 0.0 ? -b->size[1] : b->size[1];
        scri_vec at = scri_vec_sub((scri_vec){share * from.x, share * from.y, end}, b->w->centre);
        scri_part part;
        scri_convex rim = scri_convex_point(at, &part);
        scri_nearest near;
        if (scri_nearest_of(body, &rim, SCREE_INFINITY, &near) != SCRI_APART) return;
        x->point = at;
        x->normal = near.normal;
        x->gap = near.distance - body->radius;
        on_body = near.on_a;
    }
}

/* What meets a capsule about the axis beside it. Normals of faces that lie on it may be tilted by
 * as much as those of two faces; gaps are measured across the axis. */
static void land_outside(const bore* b)
{
    scri_touch touch[SCRI_MAX_TOUCHES];
    scri_vec zero = {0.0, 0.0, 0.0};
    scri_solid solid = {.size = b->size,
                        .centre = scri_vec_scale(-1.0, b->w->centre),
                        .axes = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
    scri_convex capsule = scri_convex_load(SCREE_SHAPE_CAPSULE, &solid, zero);
    int count = scri_convex_touch(&b->w->body, &capsule, zero, b->margin, touch);
    for (int i = 0; i < count; ++i) {
        scri_vec n = scri_vec_load(touch[i].normal);
        scri_vec own = scri_vec_add_scaled(scri_vec_load(touch[i].point), 0.5 * touch[i].gap, n);
        scri_vec p = scri_vec_add(own, b->w->centre); /* of the body */
        if (!(fabs(n.z) <= SCRI_TILTED)) continue;
        if (!b->is_within && from_axis(p) < b->middle) continue; /* came in by the mouth */
        double across = from_axis(n);
        n = (scri_vec){n.x / across, n.y / across, 0.0};
        double gap = n.x * p.x + n.y * p.y - b->size[0];
        if (!is_beside_wall(b, p, scri_vec_add_scaled(p, -gap, n), gap)) continue;
        scri_landing found = {.point = scri_vec_add_scaled(own, -gap, n),
                              .normal = n,
                              .gap = gap,
                              .face = -1,
                              .place = OUTER_PLACE | (touch[i].feature >> 4 & (OUTER_PLACE - 1))};
        if (fabs(p.z) > b->end) turn_to_rim(b, p.z, &found);
        if (found.gap <= b->margin && !is_said_by_rim(b, &found)) scri_visit_add(b->w, &found);
    }
}

/* ---- ends and rims ---- */

/* From the polygon to the circle: to the place that a face of the body touches, or else at the same
 * angle. The surface of the body is straight so near by. Sides beside each other come to the same
 * place of a face, which goes by the name of the rim: a ring that rolls keeps it. */
static void move_to_circle(const bore* b, scri_landing* x)
{
    scri_part part;
    scri_vec n = x->normal, at = scri_vec_add(x->point, b->w->centre);
    double rho = from_axis(at), inner = b->size[2], outer = b->size[0];
    int is_inner = fabs(rho - inner) < fabs(rho - outer);
    double r = is_inner ? inner : outer, across = from_axis(n);
    scri_vec e = {at.x / rho, at.y / rho, 0.0};
    scri_convex_part(&b->w->body, scri_vec_scale(-1.0, n), &part);
    if (part.n > 2 && across > 1e-6) {
        double sign = is_inner ? -1.0 : 1.0;
        scri_vec lowest = {sign * n.x / across, sign * n.y / across, 0.0};
        if (e.x * lowest.x + e.y * lowest.y > BESIDE_COSINE) {
            uint32_t rim = RIM_NAMES + (is_inner ? 2u : 0u) + (at.z > 0.0 ? 1u : 0u);
            e = lowest;
            x->place = (x->place & ~SIDE_NAMES) | rim;
        }
    }
    scri_vec q = {r * e.x, r * e.y, at.z};
    x->gap -= scri_vec_dot(n, scri_vec_sub(q, at));
    x->point = scri_vec_sub(q, b->w->centre);
}

static void land_on_ends(const bore* b)
{
    scri_visit* w = b->w;
    scri_visit_mesh(w);
    scri_landing found[SCRI_LANDINGS];
    int n = w->n;
    memcpy(found, w->found, (size_t)n * sizeof *found);
    w->n = 0;
    for (int i = 0; i < n; ++i) {
        if (found[i].face < 0) move_to_circle(b, &found[i]);
        if (found[i].gap <= b->margin) scri_visit_add(w, &found[i]);
    }
}

/* ---- all of it ---- */

int scri_tube_touch(scree_shape_kind kind, const scri_solid* body, const scri_solid* tube,
                    double margin, scri_touch* out)
{
    const scree_mesh mesh = {.tube = tube->size};
    scri_visit w = {.mesh = &mesh, .margin = margin + RIM_ROOM * tube->size[0]};
    scri_solid turned;
    bore b = {.w = &w,
              .size = tube->size,
              .middle = 0.5 * (tube->size[0] + tube->size[2]),
              .end = tube->size[1] * (1.0 + SCRI_BESIDE),
              .margin = margin};
    scri_visit_begin(&w, kind, body, tube, &turned);
    b.is_within = fabs(w.centre.z) <= tube->size[1];
    int is_inside = from_axis(w.centre) < b.middle;
    land_on_ends(&b);
    if (is_inside || !b.is_within) land_in_bore(&b); /* what is beyond an end may lean in */
    if (!is_inside) land_outside(&b);
    return scri_visit_end(&w, body, tube, out);
}
