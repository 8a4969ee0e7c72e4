/* The points of both sets from the forces on the grid of angles.
 *
 * With delta the angle from the sliding to the force, tan delta = lambda_r / lambda_t, eq. (124) is
 * d ln r_D = tan delta d theta with theta = phi + delta. Since the integral of tan delta d delta is
 * -ln cos delta,
 *
 *     ln (r_D cos delta) = integral of lambda_r / lambda_t d phi,
 *
 * and no derivative of a measured signal is needed. The left-hand side is the logarithm of the
 * support function of D in the direction phi. */
#include "base/compiler.h"
#include "base/env.h"
#include "study/identify.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = SCRI_IDENTIFY_GRID };

static const double large_closure = 0.05;
static const double small_dent = 0.01, large_dent = 0.1;
static const double no_dent = 1e-9; /* of the radius: rounding */

/* Eq. (119). */
static void find_forces(const scree_identification* found, double* point)
{
    for (int j = 0; j < N; ++j) {
        double phi = 2.0 * SCREE_PI * j / N, c = cos(phi), s = sin(phi);
        point[2 * j] = c * found->tangential[j] - s * found->radial[j];
        point[2 * j + 1] = s * found->tangential[j] + c * found->radial[j];
    }
}

/* Eqs (121) to (125) by the trapezoidal rule, which on a full period is as good as any. */
static double find_directions(const scree_identification* found, double* point)
{
    double closure = 0.0;
    for (int j = 0; j < N; ++j) {
        closure += found->radial[j] / found->tangential[j] * (2.0 * SCREE_PI / N);
    }
    double support = 0.0; /* its logarithm */
    for (int j = 0; j < N; ++j) {
        int next = j + 1 == N ? 0 : j + 1;
        double phi = 2.0 * SCREE_PI * j / N, tangent = found->radial[j] / found->tangential[j];
        /* In the frame of the sliding the point is (h, h tan delta). */
        double h = exp(support), c = cos(phi), s = sin(phi);
        point[2 * j] = h * (c - s * tangent);
        point[2 * j + 1] = h * (s + c * tangent);
        double after = found->radial[next] / found->tangential[next];
        support += 0.5 * (tangent + after) * (2.0 * SCREE_PI / N) - closure / N;
    }
    return fabs(closure);
}

/* ---- around the origin ---- */

typedef struct polar {
    double angle, radius;
    int index;
} polar;

static int compare_angles(const void* a, const void* b)
{
    const polar *x = a, *y = b;
    if (x->angle != y->angle) return x->angle < y->angle ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void sort_by_angle(const double* point, polar* order)
{
    for (int j = 0; j < N; ++j) {
        double x = point[2 * j], y = point[2 * j + 1];
        order[j] = (polar){atan2(y, x), hypot(x, y), j};
    }
    qsort(order, N, sizeof *order, compare_angles);
}

/* Whether the way over the points goes on or turns left at b. */
static int is_left(const double* point, int a, int b, int c)
{
    double u[2], v[2];
    for (int k = 0; k < 2; ++k) {
        u[k] = point[2 * b + k] - point[2 * a + k];
        v[k] = point[2 * c + k] - point[2 * b + k];
    }
    return u[0] * v[1] - u[1] * v[0] >= 0.0;
}

/* Distance along the ray through point p to the line through points a and b. */
static double distance_to_side(const double* point, int a, int b, const polar* p)
{
    double x = point[2 * a], y = point[2 * a + 1];
    double dx = point[2 * b] - x, dy = point[2 * b + 1] - y;
    return (x * dy - y * dx) / (cos(p->angle) * dy - sin(p->angle) * dx);
}

typedef struct workspace {
    polar order[N];
    int vertex[N + 2]; /* of the hull, from the farthest point around to it again */
    double radius[N];  /* distance of the hull in the direction of each point */
} workspace;

/* Graham's walk around the origin, which the points surround, from the farthest point on: that one
 * is a vertex. */
static void find_hull(const double* point, workspace* w)
{
    sort_by_angle(point, w->order);
    int far = 0, n = 0;
    for (int k = 1; k < N; ++k) {
        if (w->order[k].radius > w->order[far].radius) far = k;
    }
    for (int k = 0; k <= N; ++k) {
        int next = w->order[(far + k) % N].index;
        while (n >= 2 && !is_left(point, w->vertex[n - 2], w->vertex[n - 1], next)) --n;
        w->vertex[n++] = next;
    }
    const int* side = w->vertex;
    for (int k = 0; k < N; ++k) {
        const polar* p = &w->order[(far + k) % N];
        if (p->index == side[1]) ++side;
        bool is_vertex = p->index == side[0];
        w->radius[p->index] = is_vertex ? p->radius : distance_to_side(point, side[0], side[1], p);
    }
}

/* How deep point j lies below the hull, in parts of the hull's radius there. */
static double depth(const double* point, const workspace* w, int j)
{
    double d = 1.0 - hypot(point[2 * j], point[2 * j + 1]) / w->radius[j];
    return d > no_dent ? d : 0.0;
}

static double deepest(const double* point, const workspace* w)
{
    double most = 0.0;
    for (int j = 0; j < N; ++j) most = fmax(most, depth(point, w, j));
    return most;
}

/* Moves the points of D out to their hull and says where that was needed. */
static void make_convex(double* point, const workspace* w, scree_identification* out)
{
    bool was_dented = depth(point, w, N - 1) > 0.0;
    for (int j = 0; j < N; ++j) {
        double d = depth(point, w, j);
        if (d > 0.0 && !was_dented) ++out->n_dents;
        was_dented = d > 0.0;
        if (d > out->dent) {
            out->dent = d;
            out->dent_angle = 2.0 * SCREE_PI * j / N;
        }
    }
    for (int j = 0; j < N; ++j) {
        double grow = w->radius[j] / hypot(point[2 * j], point[2 * j + 1]);
        for (int k = 0; k < 2; ++k) point[2 * j + k] *= fmax(grow, 1.0);
    }
}

/* Points of both sets lie on the same rays, so that the radii can be compared one by one. */
static void scale_into(const double* force, double* direction)
{
    double scale = SCREE_INFINITY;
    for (int j = 0; j < N; ++j) {
        double inner = hypot(direction[2 * j], direction[2 * j + 1]);
        scale = fmin(scale, hypot(force[2 * j], force[2 * j + 1]) / inner);
    }
    for (int k = 0; k < 2 * N; ++k) direction[k] *= scale;
}

static scree_status judge(const scree_env* env, const scree_identification* found)
{
    if (found->closure > large_closure) {
        scri_warn(env,
                  "the curve of D does not close: ln r changes by %.2g over a turn, which is "
                  "spread over all angles; is the sensor aligned?",
                  found->closure);
    }
    if (found->dent > large_dent) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "the curve of D has a dent of %.2g of its radius where the sliding is at "
                         "%.0f degrees, so that no convex set describes the directions; is the "
                         "sign of the radial force right?",
                         found->dent, found->dent_angle / SCREE_DEGREE);
    }
    if (found->dent > small_dent) {
        scri_warn(env,
                  "the curve of D is not convex in %d places, worst where the sliding is at "
                  "%.0f degrees, with a dent of %.2g of its radius; its hull takes its place",
                  (int)found->n_dents, found->dent_angle / SCREE_DEGREE, found->dent);
    }
    return SCREE_OK;
}

scree_status scri_identify_curves(const scree_env* env, scri_arena* arena,
                                  scree_identification* out)
{
    double* force = scri_arena_take(arena, 2 * N, sizeof *force);
    double* direction = scri_arena_take(arena, 2 * N, sizeof *direction);
    workspace* w = scri_arena_take(arena, 1, sizeof *w);
    if (!force || !direction || !w) return SCREE_ERROR_MEMORY;
    out->force = force;
    out->direction = direction;
    find_forces(out, force);
    find_hull(force, w);
    out->force_dent = deepest(force, w);
    out->closure = find_directions(out, direction);
    find_hull(direction, w);
    make_convex(direction, w, out);
    scale_into(force, direction);
    return judge(env, out);
}

scree_status scri_identify_table(scri_arena* arena, const double* points, double* table, int32_t* n)
{
    polar* order = scri_arena_take(arena, N, sizeof *order);
    if (!order) return SCREE_ERROR_MEMORY;
    sort_by_angle(points, order);
    int k = 0, used = 0;
    for (int cell = 1; cell <= SCRI_IDENTIFY_TABLE; ++cell) {
        double end = -SCREE_PI + 2.0 * SCREE_PI * cell / SCRI_IDENTIFY_TABLE;
        double angle = 0.0, radius = 0.0;
        int count = 0;
        for (; k < N && (order[k].angle < end || cell == SCRI_IDENTIFY_TABLE); ++k, ++count) {
            angle += order[k].angle;
            radius += order[k].radius;
        }
        if (count == 0) continue;
        table[2 * used] = angle / count;
        table[2 * used++ + 1] = radius / count;
    }
    *n = used;
    return SCREE_OK;
}

/* Whether the way a, b, c turns left by more than rounding makes of a straight line: where points
 * are 1e-4 apart, that is some 1e-12. */
static bool turns_left(const double* a, const double* b, const double* c)
{
    static const double flat = 1e-9;
    double in[2] = {b[0] - a[0], b[1] - a[1]}, out[2] = {c[0] - b[0], c[1] - b[1]};
    double size = hypot(in[0], in[1]) * hypot(out[0], out[1]);
    return in[0] * out[1] - in[1] * out[0] > flat * size;
}

/* Points that were moved out to a side of the hull lie on it up to rounding only, and on either
 * side of it: those are left out, by the same walk from the farthest point on. */
static int32_t drop_flat_corners(int32_t n, double* polygon)
{
    double corner[2 * SCRI_IDENTIFY_TABLE];
    int32_t far = 0, kept = 0;
    memcpy(corner, polygon, (size_t)n * 2 * sizeof *corner);
    for (int32_t k = 1; k < n; ++k) {
        if (hypot(corner[2 * k], corner[2 * k + 1]) > hypot(corner[2 * far], corner[2 * far + 1])) {
            far = k;
        }
    }
    for (int32_t k = 0; k <= n; ++k) {
        const double* next = corner + (size_t)2 * (size_t)((far + k) % n);
        double* end = polygon + (size_t)2 * (size_t)kept;
        for (; kept >= 2 && !turns_left(end - 4, end - 2, next); end -= 2) --kept;
        if (k == n) break; /* the farthest point again, which closes the polygon */
        memcpy(end, next, 2 * sizeof *end);
        ++kept;
    }
    return kept;
}

/* Points of a convex curve make a convex polygon, as long as each is ahead of the last one. */
int32_t scri_identify_polygon(const double* points, double* polygon)
{
    static const double least = 1e-4; /* rad between corners */
    int32_t used = 1;
    double turned = 0.0; /* from the first corner to the last one */
    memcpy(polygon, points, 2 * sizeof *polygon);
    for (int j = 0; j < N; j += N / SCRI_IDENTIFY_TABLE) {
        const double* p = points + (size_t)2 * (size_t)j;
        double* last = polygon + (size_t)2 * (size_t)(used - 1);
        double step = atan2(last[0] * p[1] - last[1] * p[0], last[0] * p[0] + last[1] * p[1]);
        if (!(step > least && turned + step < 2.0 * SCREE_PI - least)) continue;
        turned += step;
        memcpy(last + 2, p, 2 * sizeof *p);
        ++used;
    }
    return drop_flat_corners(used, polygon);
}
