/* Polygons, convex or only star-shaped about the origin.
 *
 * The table holds for every vertex x, y, and the gradient of the gauge over the edge that begins
 * there: in the sector of an edge the gauge is linear. */
#ifndef SCRI_POLYGON_KERNEL_H
#define SCRI_POLYGON_KERNEL_H

#include "sets/value_kernel.h"

enum { SCRI_POLYGON_WIDTH = 4 };

SCREE_FN const double* scri_polygon_vertex(scri_set set, int32_t i)
{
    return set.table + (size_t)SCRI_POLYGON_WIDTH * (size_t)(i < set.v->n ? i : i - set.v->n);
}

SCREE_FN void scri_polygon_edge(const double* from, const double* to, double out[2])
{
    out[0] = to[0] - from[0];
    out[1] = to[1] - from[1];
}

/* Whether, turning counter-clockwise from vertex 0, u comes after p or at it. */
SCREE_FN int scri_polygon_comes_after(const double* start, const double* p, const double u[2])
{
    double up = scri_cross2(start, u), pp = scri_cross2(start, p);
    int u_late = up < 0.0 || (up == 0.0 && scri_dot2(start, u) < 0.0);
    int p_late = pp < 0.0 || (pp == 0.0 && scri_dot2(start, p) < 0.0);
    return u_late != p_late ? u_late : scri_cross2(p, u) >= 0.0;
}

/* The vertex at which the edge in the direction u begins. */
SCRI_KERNEL int32_t scri_polygon_sector(scri_set set, const double u[2])
{
    int32_t low = 0, high = set.v->n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (scri_polygon_comes_after(set.table, scri_polygon_vertex(set, middle), u)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

SCRI_KERNEL double scri_polygon_gauge(scri_set set, const double u[2], double gradient[2],
                                      double* bend)
{
    const double* p = scri_polygon_vertex(set, scri_polygon_sector(set, u));
    gradient[0] = p[2];
    gradient[1] = p[3];
    *bend = 0.0;
    return scri_dot2(gradient, u);
}

/* ---- support and projection ---- */

SCRI_KERNEL double scri_polygon_support(scri_set set, const double v[2], double point[2],
                                        double* radius)
{
    double most = -SCREE_INFINITY;
    int ties = 0;
    for (int32_t i = 0; i < set.v->n; ++i) {
        const double* p = scri_polygon_vertex(set, i);
        double value = scri_dot2(p, v);
        ties = value == most ? 1 : (value > most ? 0 : ties);
        if (!(value > most)) continue;
        most = value;
        point[0] = p[0];
        point[1] = p[1];
    }
    *radius = ties ? SCREE_INFINITY : 0.0;
    return most;
}

SCREE_FN int scri_polygon_sees(scri_set set, int32_t i, const double z[2])
{
    return scri_dot2(scri_polygon_vertex(set, i) + 2, z) > 1.0;
}

/* The edges that z sees follow one another: the first of them. Where rounding lets a z on the
 * boundary see none, the edge it lies on. */
SCRI_KERNEL int32_t scri_polygon_first_seen(scri_set set, const double z[2])
{
    int32_t n = set.v->n, i = 0;
    if (scri_polygon_sees(set, 0, z)) {
        for (i = n; i > 1 && scri_polygon_sees(set, i - 1, z); --i) continue;
        return i % n;
    }
    while (i < n && !scri_polygon_sees(set, i, z)) ++i;
    return i < n ? i : scri_polygon_sector(set, z);
}

/* Along the edges that z sees, (z - p) . tangent falls. The closest point lies on the first that
 * ends with it negative, or else at the end of the last. */
SCRI_KERNEL void scri_polygon_project(scri_set set, const double z[2], double point[2],
                                      scri_edge* out)
{
    double length, share, along[2];
    const double* p;
    int32_t i = scri_polygon_first_seen(set, z), n_edges = 0;
    do {
        p = scri_polygon_vertex(set, i);
        scri_polygon_edge(p, scri_polygon_vertex(set, i + 1), along);
        length = scri_length2(along);
        double rest[2] = {z[0] - p[0], z[1] - p[1]};
        share = (along[0] / length * rest[0] + along[1] / length * rest[1]) / length;
        i = (i + 1) % set.v->n;
    } while (!(share < 1.0) && scri_polygon_sees(set, i, z) && ++n_edges < set.v->n);
    double kept = fmax(0.0, fmin(1.0, share));
    for (int k = 0; k < 2; ++k) point[k] = p[k] + kept * along[k];
    if (!out) return;
    out->normal[0] = along[1] / length;
    out->normal[1] = -along[0] / length;
    out->curvature = share > 0.0 && share < 1.0 ? 0.0 : SCREE_INFINITY;
}

#endif
