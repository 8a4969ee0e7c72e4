/* The points of two convex shapes, for a normal and parts of the surfaces that are known.
 *
 * All is seen along the normal: parts are polygons, segments or points in a plane, with a height
 * above it. Every corner of what two parts have in common is a point, none are merged, as for boxes
 * (box_patch.c); of more than SCRI_MAX_TOUCHES those stay that lie farthest out in as many
 * directions, so that the patch loses little of its extent.
 *
 * Feature: which corner or edge of a, and which of b, the point lies at, then a number among the
 * points that share both. */
#include "collide/convex.h"

/* Relative to the coordinates: what rounding does to them. */
#define ROUNDING 1e-12

/* Edges at a smaller angle (sine) than this touch along a length. */
#define NEARLY_PARALLEL 0.2

/* Relative to the layer: closer to a corner or an edge counts as on it in features. */
#define SNAP 0.1

enum { MOST = 2 * SCRI_CORNERS };

typedef struct spot {
    double x, y;
} spot;

/* A part as the normal sees it. */
typedef struct shadow {
    int n;
    spot at[SCRI_CORNERS];
    double height[SCRI_CORNERS];
    const uint32_t* name;
    double slope[2]; /* of a face */
} shadow;

typedef struct polygon {
    int n;
    spot at[MOST];
} polygon;

typedef struct view {
    scri_vec n, u, v;
    double scale; /* largest coordinate across the normal */
} view;

/* ---- projection ---- */

static shadow cast(view* w, const scri_part* part)
{
    shadow s = {.n = part->n, .name = part->name};
    for (int i = 0; i < s.n; ++i) {
        scri_vec x = part->corner[i];
        s.at[i] = (spot){scri_vec_dot(x, w->u), scri_vec_dot(x, w->v)};
        s.height[i] = scri_vec_dot(x, w->n);
        w->scale = fmax(w->scale, fmax(fabs(s.at[i].x), fabs(s.at[i].y)));
    }
    if (s.n > 2) {
        double along = scri_vec_dot(part->normal, w->n);
        s.slope[0] = -scri_vec_dot(part->normal, w->u) / along;
        s.slope[1] = -scri_vec_dot(part->normal, w->v) / along;
    }
    return s;
}

static view look_along(scri_vec normal)
{
    view w = {.n = normal};
    scri_vec_tangents(normal, &w.u, &w.v);
    return w;
}

static spot minus(spot a, spot b)
{
    return (spot){a.x - b.x, a.y - b.y};
}

static double dot(spot a, spot b)
{
    return a.x * b.x + a.y * b.y;
}

static double cross(spot a, spot b)
{
    return a.x * b.y - a.y * b.x;
}

/* p + t (q - p) */
static spot between(spot p, spot q, double t)
{
    return (spot){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
}

static double clamp(double x, double lower, double upper)
{
    return x < lower ? lower : x > upper ? upper : x;
}

/* Height of the part above p. */
static double height_at(const shadow* s, spot p)
{
    spot d = minus(p, s->at[0]);
    if (s->n > 2) return s->height[0] + s->slope[0] * d.x + s->slope[1] * d.y;
    if (s->n == 1) return s->height[0];
    spot e = minus(s->at[1], s->at[0]);
    return s->height[0] + (s->height[1] - s->height[0]) * clamp(dot(d, e) / dot(e, e), 0.0, 1.0);
}

/* ---- what two parts have in common ---- */

/* Twice the area, positive when corners go round to the left. */
static double area(const shadow* s)
{
    double sum = 0.0;
    for (int i = 1; i + 1 < s->n; ++i) {
        sum += cross(minus(s->at[i], s->at[0]), minus(s->at[i + 1], s->at[0]));
    }
    return sum;
}

/* Cuts off what lies more than `limit` beyond the line through p along the unit vector d, with the
 * rest to the left of it. A segment has one side only. */
static void clip(polygon* poly, spot p, spot d, double limit)
{
    polygon kept = {.n = 0};
    double over[MOST];
    int any = 0;
    for (int i = 0; i < poly->n; ++i) {
        over[i] = -cross(d, minus(poly->at[i], p));
        any |= !(over[i] <= limit);
    }
    if (!any) return;
    for (int i = 0; i < poly->n; ++i) {
        int k = (i + 1) % poly->n, in = over[i] <= limit, next_in = over[k] <= limit;
        if (in && kept.n < MOST) kept.at[kept.n++] = poly->at[i];
        if (in == next_in || kept.n == MOST || (poly->n == 2 && i == 1)) continue;
        double t = clamp((over[i] - limit) / (over[i] - over[k]), 0.0, 1.0);
        kept.at[kept.n++] = between(poly->at[i], poly->at[k], t);
    }
    *poly = kept;
}

/* The part of a polygon or segment inside of the polygon s, whose sides are moved in by `border`.
 */
static polygon clipped(const shadow* subject, const shadow* s, double border, double rounding)
{
    polygon out = {.n = subject->n};
    double sign = area(s) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < subject->n; ++i) out.at[i] = subject->at[i];
    for (int i = 0; i < s->n && out.n > 0; ++i) {
        spot p = s->at[i], e = minus(s->at[(i + 1) % s->n], p);
        double length = scri_hypotenuse(e.x, e.y);
        if (!(length > rounding)) continue;
        spot d = {sign * e.x / length, sign * e.y / length};
        spot inner = {p.x - border * d.y, p.y + border * d.x};
        clip(&out, inner, d, rounding);
    }
    return out;
}

/* Ends of what two nearly parallel segments have in common, or where they cross. Real edges are
 * round: those of radius r that cross at an angle s touch within about r / s of the crossing. */
static polygon common_stretch(const shadow* a, const shadow* b, double radius)
{
    polygon out = {.n = 0};
    spot e = minus(a->at[1], a->at[0]), f = minus(b->at[1], b->at[0]);
    double length_e = sqrt(dot(e, e)), length_f = sqrt(dot(f, f));
    if (dot(e, f) < 0.0) length_f = -length_f;
    spot u = {e.x / length_e, e.y / length_e}, v = {f.x / length_f, f.y / length_f};
    double sine = fabs(cross(u, v)), bisector = sqrt(2.0 + 2.0 * dot(u, v));
    spot w = {(u.x + v.x) / bisector, (u.y + v.y) / bisector};
    double a0 = dot(a->at[0], w), a1 = dot(a->at[1], w), b0 = dot(b->at[0], w);
    double b1 = dot(b->at[1], w);
    double lower = fmax(fmin(a0, a1), fmin(b0, b1)), upper = fmin(fmax(a0, a1), fmax(b0, b1));
    if (!(lower <= upper)) return out;
    double ends[2] = {lower, upper};
    if (sine > 1e-9) {
        double crossing = a0 + cross(minus(b->at[0], a->at[0]), v) / cross(u, v) * dot(u, w);
        double reach = fmax(radius * (1.0 / sine - 1.0 / NEARLY_PARALLEL), 0.0);
        ends[0] = clamp(crossing - reach, lower, upper);
        ends[1] = clamp(crossing + reach, lower, upper);
    }
    int n = ends[1] - ends[0] > 0.01 * radius ? 2 : 1;
    for (int i = 0; i < n; ++i) {
        spot p = between(a->at[0], a->at[1], (ends[i] - a0) / (a1 - a0));
        spot q = between(b->at[0], b->at[1], (ends[i] - b0) / (b1 - b0));
        out.at[out.n++] = between(p, q, 0.5);
    }
    return out;
}

static polygon in_common(const shadow* a, const shadow* b, double radius, double rounding)
{
    polygon none = {.n = 0};
    if (a->n < 2 || b->n < 2) return none;
    if (a->n == 2 && b->n == 2) return common_stretch(a, b, radius);
    return b->n > 2 ? clipped(a, b, 0.0, rounding) : clipped(b, a, 0.0, rounding);
}

int scri_parts_overlap(const scri_part* a, const scri_part* b, scri_vec normal, double border)
{
    view w = look_along(normal);
    shadow of_a = cast(&w, a), of_b = cast(&w, b);
    return clipped(&of_a, &of_b, border, ROUNDING * w.scale).n > 0;
}

/* ---- names ---- */

/* Name of the corner or edge at p: 0 for neither. */
static uint32_t name_at(const shadow* s, spot p, double snap)
{
    if (s->n == 1) return 1 + 2 * s->name[0];
    uint32_t edge = 0;
    for (int i = 0; i < s->n; ++i) {
        spot d = minus(p, s->at[i]), e = minus(s->at[(i + 1) % s->n], s->at[i]);
        if (!(dot(d, d) > snap * snap)) return 1 + 2 * s->name[i];
        double along = dot(d, e), square = dot(e, e);
        if (edge || !(along >= 0.0 && along <= square)) continue;
        if (fabs(cross(e, d)) <= snap * sqrt(square)) edge = 2 + 2 * s->name[i];
    }
    return edge;
}

/* Numbers the points that share a name, in an order fixed in a. */
void scri_meeting_name(scri_meeting* m)
{
    scri_vec order = scri_mat_multiply(m->a->axes, (scri_vec){1.0, 0.7, 0.4});
    double place[SCRI_MAX_TOUCHES];
    uint32_t twins[SCRI_MAX_TOUCHES] = {0};
    for (int i = 0; i < m->n; ++i) {
        place[i] = scri_vec_dot(order, scri_vec_load(m->out[i].point));
        for (int k = 0; k < i; ++k) {
            if (m->out[k].feature == m->out[i].feature) ++twins[place[k] > place[i] ? k : i];
        }
    }
    for (int i = 0; i < m->n; ++i) m->out[i].feature = 16 * m->out[i].feature + twins[i];
}

/* ---- points ---- */

/* Bits of the corners that lie farthest out in SCRI_MAX_TOUCHES directions. */
static uint64_t outermost(const polygon* p)
{
    uint64_t kept = 0;
    spot d = {1.0, 0.0};
    for (int k = 0; k < SCRI_MAX_TOUCHES; ++k) {
        static const spot turn = {0.92387953251128675613, 0.38268343236508977173};
        int best = 0;
        for (int i = 1; i < p->n; ++i) {
            if (dot(d, p->at[i]) > dot(d, p->at[best])) best = i;
        }
        kept |= UINT64_C(1) << best;
        d = (spot){turn.x * d.x - turn.y * d.y, turn.y * d.x + turn.x * d.y};
    }
    return kept;
}

/* A point at p across the normal, with the surface of b at the height `top`; the least thing that
 * rounding may move a point by is left out of its name. */
static void add_point(scri_meeting* m, const view* w, spot p, double top, double gap, uint32_t name)
{
    scri_vec x = scri_vec_add_scaled(scri_vec_scale(p.x, w->u), p.y, w->v);
    scri_touch* place = m->out + m->n;
    if (!scri_touch_write(w->n, scri_vec_add_scaled(x, top, w->n), gap, m->margin, place)) return;
    scri_vec_store(scri_vec_add(m->origin, scri_vec_load(place->point)), place->point);
    place->feature = name;
    ++m->n;
}

void scri_meeting_add_nearest(scri_meeting* m, const scri_part* part_a, const scri_part* part_b)
{
    view w = look_along(m->normal);
    shadow a = cast(&w, part_a), b = cast(&w, part_b);
    scri_vec middle = scri_vec_scale(0.5, scri_vec_add(m->nearest.on_a, m->nearest.on_b));
    spot p = {scri_vec_dot(middle, w.u), scri_vec_dot(middle, w.v)};
    if (a.n == 1) p = b.n == 1 ? between(a.at[0], b.at[0], 0.5) : a.at[0];
    if (b.n == 1 && a.n > 1) p = b.at[0];
    scri_vec far = scri_convex_support(m->b, w.n);
    if (m->n == SCRI_MAX_TOUCHES) return;
    add_point(m, &w, p, scri_vec_dot(far, w.n) + m->b->radius, m->separation, 0);
}

double scri_meeting_add_common(scri_meeting* m, const scri_part* part_a, const scri_part* part_b)
{
    view w = look_along(m->normal);
    shadow a = cast(&w, part_a), b = cast(&w, part_b);
    polygon common = in_common(&a, &b, m->layer, ROUNDING * w.scale);
    uint64_t kept = common.n > SCRI_MAX_TOUCHES ? outermost(&common) : UINT64_MAX;
    double least = SCREE_INFINITY, snap = SNAP * m->layer, radii = m->a->radius + m->b->radius;
    for (int i = 0; i < common.n; ++i) {
        spot p = common.at[i];
        double bottom = height_at(&b, p), gap = height_at(&a, p) - bottom - radii;
        if (gap < least) least = gap;
        if (!(kept >> i & 1u)) continue;
        uint32_t name = name_at(&a, p, snap) << 14 | name_at(&b, p, snap);
        add_point(m, &w, p, bottom + m->b->radius, gap, name);
    }
    return least;
}
