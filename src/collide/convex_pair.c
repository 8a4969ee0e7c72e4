/* Any two convex shapes: the normal first, then the points that have it (decision 100).
 *
 * Shapes meet as if their edges were round: the normal is the direction between the nearest points
 * of the cores, which are the shapes without a thin layer. Where that is not enough, because the
 * shapes overlap by more than the layers, these are made thicker. Two faces that nearly look at
 * each other take the normal of one of them, and so does a face with whatever lies on it; both as
 * for boxes, with the same angles (box_box.c). */
#include "collide/convex.h"

/* Thickness of the layers, relative to the largest that both shapes have. */
static const double layers[] = {0.01, 0.04, 0.16, 0.64, 0.96};
enum { N_LAYERS = sizeof layers / sizeof layers[0] };

/* Cores closer than this share of what is around them give no direction. */
#define CLOSE 0.05

/* Gaps that differ by less than this share of the layer are the same. */
#define ALIKE 0.1

/* Angle by which normals are turned to see how nearest points follow, the most that they can be
 * off, what is left of the offset relative to the coordinates, and how often they are made better.
 */
#define PROBE 1e-5
#define MOST_OFF 1e-3
#define MOST_OFF_SMOOTH 0.3
#define SETTLED 1e-12
enum { MOST_REFINEMENTS = 8 };

/* Sine of the angle up to which nearest points have the normal of a face inside of which one lies.
 */
#define ON_FACE 1e-6

/* Relative to the size: how close to the end of a line a nearest point may be its end, above what
 * the search leaves where surfaces curve. */
#define SNAP 1e-6

/* ---- normals of curved shapes ----
 *
 * A search that knows farthest points alone leaves the square root of rounding in the normal. What
 * the normal must be across is known where lines of the surface touch; where surfaces curve, it is
 * the one for which the farthest points lie on it: the part e(n) of their difference across n
 * vanishes. */

static scri_vec unit(scri_vec a)
{
    return scri_vec_scale(1.0 / scri_vec_length(a), a);
}

static scri_vec difference(const scri_convex* a, const scri_convex* b, scri_vec n)
{
    return scri_vec_sub(scri_convex_support(a, scri_vec_scale(-1.0, n)), scri_convex_support(b, n));
}

/* n turned by x towards u and by y towards v, which are across it. */
static scri_vec turned(scri_vec n, scri_vec u, double x, scri_vec v, double y)
{
    return unit(scri_vec_add_scaled(scri_vec_add_scaled(n, x, u), y, v));
}

/* e(n) along u and v, or along what has become of them when n was turned from the normal they
 * belong to; and how far the cores are apart along n, of which e is the gradient. */
typedef struct offset {
    double u, v, apart;
} offset;

static offset off(const scri_convex* a, const scri_convex* b, scri_vec n, scri_vec u, scri_vec v)
{
    scri_vec d = difference(a, b, n);
    double along = scri_vec_dot(d, n);
    scri_vec e = scri_vec_add_scaled(d, -along, n);
    return (offset){scri_vec_dot(u, e), scri_vec_dot(v, e), along};
}

/* The normal that is meant is where the cores are farthest apart: a step that leads away from there
 * by more than rounding is none. */
static int is_better(offset to, offset from, double scale)
{
    return scri_hypotenuse(to.u, to.v) < scri_hypotenuse(from.u, from.v) &&
           to.apart >= from.apart - 1e-14 * scale;
}

/* The normal nearest to n that has the given product with the axis of a line. */
static scri_vec on_line(scri_vec n, const scri_line* line)
{
    scri_vec across = unit(scri_vec_add_scaled(n, -scri_vec_dot(n, line->axis), line->axis));
    if (line->along == 0.0) return across;
    across = scri_vec_scale(sqrt(1.0 - line->along * line->along), across);
    return scri_vec_add_scaled(across, line->along, line->axis);
}

/* e(n) in the only direction in which such a normal can turn. */
static offset off_line(const scri_convex* a, const scri_convex* b, scri_vec n,
                       const scri_line* line)
{
    return off(a, b, n, unit(scri_vec_cross(line->axis, n)), (scri_vec){0.0, 0.0, 0.0});
}

/* One step of Newton's method for e(n) = 0 with n on a line, by less than the angle `most`; 0 when
 * that makes n no better. */
static int refine_along(const scri_convex* a, const scri_convex* b, const scri_line* line,
                        double most, scri_vec* normal)
{
    const scri_vec n = *normal, u = unit(scri_vec_cross(line->axis, n));
    offset here = off_line(a, b, n, line);
    offset there = off_line(a, b, on_line(turned(n, u, PROBE, u, 0.0), line), line);
    double slope = (there.u - here.u) / PROBE;
    double angle = -here.u / slope, scale = fabs(slope) + fabs(here.apart);
    if (!(fabs(angle) < most)) return 0;
    scri_vec better = on_line(turned(n, u, angle, u, 0.0), line);
    if (!is_better(off_line(a, b, better, line), here, scale)) return 0;
    *normal = better;
    return 1;
}

/* The same for any n. */
static int refine(const scri_convex* a, const scri_convex* b, double most, scri_vec* normal)
{
    scri_vec n = *normal, u, v;
    scri_vec_tangents(n, &u, &v);
    offset here = off(a, b, n, u, v);
    offset to_u = off(a, b, turned(n, u, PROBE, v, 0.0), u, v);
    offset to_v = off(a, b, turned(n, u, 0.0, v, PROBE), u, v);
    double uu = (to_u.u - here.u) / PROBE, uv = (to_v.u - here.u) / PROBE;
    double vu = (to_u.v - here.v) / PROBE, vv = (to_v.v - here.v) / PROBE;
    double determinant = uu * vv - uv * vu, scale = fabs(uu) + fabs(vv) + fabs(here.apart);
    double x = (uv * here.v - vv * here.u) / determinant;
    double y = (vu * here.u - uu * here.v) / determinant;
    if (!(scri_hypotenuse(x, y) < most)) return 0; /* whatever u and v are */
    scri_vec better = turned(n, u, x, v, y);
    if (!is_better(off(a, b, better, u, v), here, scale)) return 0;
    *normal = better;
    return 1;
}

/* Refines n, on a line where there is one; whether e(n) then vanishes but for rounding. */
static int refine_often(const scri_convex* a, const scri_convex* b, const scri_line* line,
                        double most, scri_vec* n)
{
    scri_vec u, v;
    int better = 1;
    for (int k = 0; k < MOST_REFINEMENTS && better; ++k) {
        better = line ? refine_along(a, b, line, most, n) : refine(a, b, most, n);
    }
    scri_vec_tangents(*n, &u, &v);
    offset left = line ? off_line(a, b, *n, line) : off(a, b, *n, u, v);
    double scale = fabs(left.apart) + scri_vec_length(scri_convex_support(b, *n));
    return scri_hypotenuse(left.u, left.v) <= SETTLED * scale;
}

/* The normal on two lines, n x_1 = s_1 and n x_2 = s_2, on the side of n; 0 when there is none, or
 * none that rounding leaves. */
static int on_both(const scri_line* one, const scri_line* two, scri_vec* n)
{
    scri_vec across = scri_vec_cross(one->axis, two->axis);
    double sine = scri_vec_length(across), cosine = scri_vec_dot(one->axis, two->axis);
    if (!(sine > 1e-3)) return 0;
    double x = (one->along - cosine * two->along) / (sine * sine);
    double y = (two->along - cosine * one->along) / (sine * sine);
    double left = 1.0 - x * one->along - y * two->along;
    if (!(left > 0.0)) return 0;
    double sign = scri_vec_dot(across, *n) < 0.0 ? -1.0 : 1.0;
    across = scri_vec_scale(sign * sqrt(left) / sine, across);
    *n = unit(scri_vec_add_scaled(scri_vec_add_scaled(across, x, one->axis), y, two->axis));
    return 1;
}

/* Lines of both surfaces at the nearest points, as facts about n, which points into a. */
static int lines_at(const scri_convex* a, const scri_convex* b, const scri_nearest* nearest,
                    double snap, scri_line lines[6])
{
    int count = scri_convex_lines(a, nearest->on_a, snap, lines);
    for (int i = 0; i < count; ++i) lines[i].along = -lines[i].along;
    return count + scri_convex_lines(b, nearest->on_b, snap, lines + count);
}

static double apart(const scri_convex* a, const scri_convex* b, scri_vec n)
{
    return scri_vec_dot(n, difference(a, b, n));
}

/* A normal made better, and the line that it is on. */
typedef struct settled {
    scri_vec n;
    scri_line line;
    int n_lines; /* that it is known by: with two there is nothing left to find */
    int done;    /* nothing is left of the offset */
} settled;

static settled settle_on(const scri_convex* a, const scri_convex* b, scri_vec n,
                         const scri_line* line)
{
    settled s = {.n = n, .n_lines = !!line};
    if (line) s.line = *line;
    if (line) s.n = on_line(n, line);
    s.done = refine_often(a, b, line, MOST_OFF, &s.n);
    return s;
}

/* Of what all lines of the surfaces say, alone and in twos, that along which the cores are farthest
 * apart. */
static void try_all_lines(const scri_convex* a, const scri_convex* b, const scri_nearest* nearest,
                          settled* best)
{
    scri_line lines[6];
    int count = lines_at(a, b, nearest, SCRI_ALL_LINES, lines);
    double most = apart(a, b, best->n);
    most -= 1e-14 * (fabs(most) + scri_vec_length(nearest->on_b)); /* rounding */
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k <= i; ++k) {
            settled other = {.n = nearest->normal, .n_lines = 2};
            other.done = i != k && on_both(&lines[i], &lines[k], &other.n);
            if (i == k) other = settle_on(a, b, nearest->normal, &lines[i]);
            if (!other.done || !(apart(a, b, other.n) >= most)) continue;
            most = apart(a, b, other.n);
            *best = other;
        }
    }
}

/* Whether the cores are less far apart along n than along what the search found: then n comes from
 * lines that are not where they seem to be, as on a shape that is but a point beside the other. */
static int is_worse(const scri_convex* a, const scri_convex* b, scri_vec n,
                    const scri_nearest* nearest)
{
    double found = apart(a, b, nearest->normal);
    return !(apart(a, b, n) >= found - SETTLED * (found + scri_vec_length(nearest->on_b)));
}

/* The normal that is meant, given one that differs by what the search leaves. With a smooth shape
 * there mostly is one without any layers too, and it is taken. A point so close to the end of a
 * line that it counts as the end may still be none: then the offset does not vanish. */
static scri_vec settle(scri_convex* a, scri_convex* b, const scri_nearest* nearest)
{
    scri_line lines[6];
    scri_vec n = nearest->normal;
    int count = lines_at(a, b, nearest, SNAP, lines);
    for (int i = 1; i < count; ++i) {
        scri_vec known = n;
        if (on_both(&lines[0], &lines[i], &known) && !is_worse(a, b, known, nearest)) return known;
    }
    settled best = settle_on(a, b, n, count > 0 ? lines : NULL);
    if (!best.done) try_all_lines(a, b, nearest, &best);
    if (best.n_lines == 2) return best.n;
    if ((scri_convex_is_smooth(a) || scri_convex_is_smooth(b)) && a->inset + b->inset > 0.0) {
        scri_vec exact = best.n;
        a->inset = b->inset = 0.0;
        const scri_line* line = best.n_lines ? &best.line : NULL;
        if (refine_often(a, b, line, MOST_OFF_SMOOTH, &exact)) return exact;
    }
    return best.n;
}

/* ---- normals ---- */

/* Rounded shapes may have cores thinner than the layers that the other asks for. */
static void set_inset(scri_convex* c, double inset)
{
    if (isfinite(c->inner)) c->inset = fmin(inset, layers[N_LAYERS - 1] * c->inner);
}

/* What layers may be as thick as. */
static double most_layer(const scri_convex* c)
{
    return c->inner + c->solid.rounding;
}

/* Nearest points and normal of the cores with layers of this thickness. */
static scri_gap between_cores(scri_meeting* m, scri_convex* a, scri_convex* b, double layer)
{
    set_inset(a, layer);
    set_inset(b, layer);
    double around = a->radius + b->radius + a->inset + b->inset;
    double most = a->radius + b->radius + a->spike * a->inset + b->spike * b->inset;
    scri_gap gap = scri_nearest_of(a, b, m->margin + most, &m->nearest);
    if (gap == SCRI_APART && !(m->nearest.distance > CLOSE * around)) gap = SCRI_OVERLAP;
    if (gap == SCRI_APART) {
        m->normal = m->nearest.normal;
        if (!scri_convex_is_polytope(a) || !scri_convex_is_polytope(b)) {
            m->normal = settle(a, b, &m->nearest);
        }
    }
    a->inset = b->inset = 0.0;
    return gap;
}

/* Where shapes lie in each other's middle: away from it, or along the axis of one of them along
 * which they overlap less, as a ball on the axis of a capsule does across it. */
static scri_vec out_of_the_middle(const scri_convex* a, const scri_convex* b)
{
    scri_vec away = scri_vec_sub(a->centre, b->centre), best = {0.0, 0.0, 1.0};
    if (scri_vec_dot(away, away) > SCRI_NO_DIRECTION) best = unit(away);
    double most = apart(a, b, best), rounding = 1e-12 * (fabs(most) + a->radius + b->radius);
    for (int k = 0; k < 12; ++k) {
        scri_vec n = scri_mat_column(k < 6 ? a->axes : b->axes, k % 3);
        if (k % 6 >= 3) n = scri_vec_scale(-1.0, n);
        double along = apart(a, b, n);
        if (!(along > most + rounding)) continue;
        most = along;
        best = n;
    }
    return best;
}

/* 0 when the shapes are farther apart than the margin. */
static int find_normal(scri_meeting* m, scri_convex* a, scri_convex* b)
{
    double most = fmin(most_layer(a), most_layer(b));
    scri_gap gap = SCRI_OVERLAP;
    m->layer = layers[0] * (isfinite(most) ? most : a->radius + b->radius);
    if (a->radius + b->radius > 0.0) gap = between_cores(m, a, b, 0.0);
    for (int k = 0; k < N_LAYERS && isfinite(most) && gap == SCRI_OVERLAP; ++k) {
        gap = between_cores(m, a, b, layers[k] * most);
    }
    if (gap == SCRI_OVERLAP) {
        m->normal = out_of_the_middle(a, b);
        m->nearest = (scri_nearest){.on_a = a->centre, .on_b = b->centre};
    }
    return gap != SCRI_BEYOND;
}

static double separation(const scri_meeting* m, scri_vec n)
{
    return apart(m->a, m->b, n) - m->a->radius - m->b->radius;
}

/* 0 up to SCRI_FLAT, 1 from SCRI_TILTED on. */
static double ramp(double sine)
{
    double share = (sine - SCRI_FLAT) / (SCRI_TILTED - SCRI_FLAT);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static scri_vec blend(scri_vec from, scri_vec to, double share)
{
    return unit(scri_vec_add_scaled(scri_vec_scale(1.0 - share, from), share, to));
}

static double sine_of(scri_vec a, scri_vec b)
{
    return scri_vec_length(scri_vec_cross(a, b));
}

/* Takes the normal n, of any length but 0, if the shapes are farther apart along it. */
static void try_normal(scri_meeting* m, scri_vec n)
{
    double length = scri_vec_length(n), sign = scri_vec_dot(n, m->normal) < 0.0 ? -1.0 : 1.0;
    n = scri_vec_scale(sign / length, n);
    if (!(sine_of(n, m->normal) < SCRI_TILTED)) return;
    double gap = separation(m, n);
    if (!(gap > m->separation)) return;
    m->separation = gap;
    m->normal = n;
}

static scri_vec without(scri_vec n, scri_vec edge)
{
    return scri_vec_add_scaled(n, -scri_vec_dot(n, edge) / scri_vec_dot(edge, edge), edge);
}

/* Layers of hulls are not quite as thick everywhere, where more than three faces meet: their
 * normals are off by a little. Those of the faces and edges that meet are known. */
static void sharpen(scri_meeting* m, const scri_part* a, const scri_part* b)
{
    if (a->n > 2) try_normal(m, a->normal);
    if (b->n > 2) try_normal(m, b->normal);
    scri_vec of_a = scri_vec_sub(a->corner[a->n > 1], a->corner[0]);
    scri_vec of_b = scri_vec_sub(b->corner[b->n > 1], b->corner[0]);
    if (a->n == 2 && b->n == 2 && sine_of(of_a, of_b) > 0.0) {
        try_normal(m, scri_vec_cross(of_a, of_b));
    }
    if (a->n == 2) try_normal(m, without(m->normal, of_a));
    if (b->n == 2) try_normal(m, without(m->normal, of_b));
}

/* The normal of a face, where one looks along it, or one between the two. *flat: two faces look at
 * each other, and no other normal is asked. */
static scri_vec lean_on_face(const scri_meeting* m, const scri_part* a, const scri_part* b,
                             int* flat)
{
    scri_vec of_a = scri_vec_scale(-1.0, a->normal), of_b = b->normal, n = m->normal;
    double sine_a = a->n > 2 ? sine_of(of_a, n) : 1.0, sine_b = b->n > 2 ? sine_of(of_b, n) : 1.0;
    double tilt = a->n > 2 && b->n > 2 ? sine_of(of_a, of_b) : 1.0;
    *flat = tilt < SCRI_TILTED && scri_parts_overlap(a, b, n, m->layer);
    if (*flat) {
        int first = separation(m, of_a) >= separation(m, of_b);
        return blend(first ? of_a : of_b, n, ramp(tilt));
    }
    if (!(fmin(sine_a, sine_b) < SCRI_TILTED)) return n;
    return sine_a < sine_b ? blend(of_a, n, ramp(sine_a)) : blend(of_b, n, ramp(sine_b));
}

/* Whether a corner beside what two faces have in common may be nearer, by their tilt: while they
 * are apart. */
static int may_be_beside(const scri_meeting* m, double least)
{
    return scri_convex_is_polytope(m->a) && scri_convex_is_polytope(m->b) &&
           least > ALIKE * m->layer;
}

/* Discs are polygons among the parts, and may leave out the point of a disc that the other shape is
 * nearest to. */
static int is_left_out(const scri_meeting* m, const scri_part* a, const scri_part* b)
{
    scri_vec n = m->nearest.normal;
    if (scri_convex_is_polytope(m->a) && scri_convex_is_polytope(m->b)) return 0;
    double sine_a = a->n > 2 ? sine_of(a->normal, n) : 1.0;
    return fmin(sine_a, b->n > 2 ? sine_of(b->normal, n) : 1.0) < ON_FACE;
}

/* Where forces press the shapes on each other, for discs of either. */
static void find_load(scri_meeting* m, scri_convex* a, scri_convex* b)
{
    scri_vec n = m->normal, p, on = scri_vec_add(m->origin, m->nearest.on_b);
    int presses = scri_solid_presses(&a->solid, n, on, &p) ||
                  scri_solid_presses(&b->solid, scri_vec_scale(-1.0, n), on, &p);
    if (!presses) return;
    p = scri_vec_sub(p, m->origin);
    a->is_loaded = b->is_loaded = 1;
    a->load = scri_mat_multiply_transposed(a->axes, scri_vec_sub(p, a->centre));
    b->load = scri_mat_multiply_transposed(b->axes, scri_vec_sub(p, b->centre));
}

int scri_convex_touch(const scri_convex* a, const scri_convex* b, scri_vec origin, double margin,
                      scri_touch* out)
{
    scri_convex one = *a, two = *b;
    scri_meeting m = {.a = &one, .b = &two, .origin = origin, .margin = margin, .out = out};
    scri_part part_a, part_b;
    int flat = 0, smooth = scri_convex_is_smooth(a) || scri_convex_is_smooth(b);
    if (!find_normal(&m, &one, &two)) return 0;
    find_load(&m, &one, &two);
    m.separation = separation(&m, m.normal);
    scri_convex_part(&one, scri_vec_scale(-1.0, m.normal), &part_a);
    scri_convex_part(&two, m.normal, &part_b);
    if (one.hull || two.hull) sharpen(&m, &part_a, &part_b);
    scri_vec normal = m.normal;
    if (!smooth) m.normal = lean_on_face(&m, &part_a, &part_b, &flat);
    double enough = m.separation + ALIKE * m.layer;
    if (!(m.separation <= margin) && !flat) return 0;
    double least = scri_meeting_add_common(&m, &part_a, &part_b);
    int done = flat && least < SCREE_INFINITY;
    if (done && !(least <= enough) && is_left_out(&m, &part_a, &part_b)) {
        m.separation = separation(&m, m.normal);
        scri_meeting_add_nearest(&m, &part_a, &part_b);
    }
    if (done && !(least <= enough) && may_be_beside(&m, least)) {
        m.normal = normal;
        scri_meeting_add_nearest(&m, &part_a, &part_b);
    }
    if (!done && !(least <= enough)) { /* nearest where the parts have nothing in common */
        m.n = 0;
        m.normal = normal;
        least = scri_meeting_add_common(&m, &part_a, &part_b);
        if (!(least <= enough)) scri_meeting_add_nearest(&m, &part_a, &part_b);
    }
    scri_meeting_name(&m);
    return m.n;
}
