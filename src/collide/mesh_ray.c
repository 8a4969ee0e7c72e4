/* Rays that meet a mesh, piece by piece: a piece looks at the triangles near it. */
#include "collide/mesh.h"
#include "collide/query.h"
#include "shapes/mesh.h"

/* Cells that a piece of a ray passes in a height field, and pieces of one through a mesh. */
enum { CELLS = 8, PIECES = 16 };

typedef struct ray_visit {
    const scree_mesh* mesh;
    scri_vec origin, way;
    double share; /* where the ray has been stopped so far */
    scri_vec normal;
} ray_visit;

/* Only the front of a triangle stops a ray. */
static int look_at_triangle(void* user, int32_t t)
{
    ray_visit* r = user;
    int32_t corner[3];
    scri_mesh_corners(r->mesh, t, corner);
    scri_vec a = scri_vec_sub(scri_mesh_point(r->mesh, corner[0]), r->origin);
    scri_vec b = scri_vec_sub(scri_mesh_point(r->mesh, corner[1]), r->origin);
    scri_vec c = scri_vec_sub(scri_mesh_point(r->mesh, corner[2]), r->origin);
    scri_vec n = scri_vec_cross(scri_vec_sub(b, a), scri_vec_sub(c, a));
    double along = scri_vec_dot(n, r->way), share = scri_vec_dot(n, a) / along;
    if (!(along < 0.0 && share >= 0.0 && share < r->share)) return 0;
    /* on the inner side of all planes through the ray and a side, or on them */
    if (!(scri_vec_dot(r->way, scri_vec_cross(a, b)) <= 0.0)) return 0;
    if (!(scri_vec_dot(r->way, scri_vec_cross(b, c)) <= 0.0)) return 0;
    if (!(scri_vec_dot(r->way, scri_vec_cross(c, a)) <= 0.0)) return 0;
    r->share = share;
    r->normal = scri_vec_scale(1.0 / scri_vec_length(n), n);
    return 0;
}

/* The part of the ray that is in the box around the mesh. */
static int clip(const scree_mesh_view* v, const double o[3], const double d[3], double range[2])
{
    range[0] = 0.0;
    range[1] = 1.0;
    for (int k = 0; k < 3; ++k) {
        double slack = 1e-12 * (fabs(v->lower[k]) + fabs(v->upper[k]) + fabs(o[k]));
        double near = v->lower[k] - slack - o[k], far = v->upper[k] + slack - o[k];
        if (d[k] == 0.0 && (near > 0.0 || far < 0.0)) return 0;
        if (d[k] == 0.0) continue;
        range[0] = fmax(range[0], (d[k] > 0.0 ? near : far) / d[k]);
        range[1] = fmin(range[1], (d[k] > 0.0 ? far : near) / d[k]);
    }
    return range[0] <= range[1];
}

static int n_pieces(const scree_mesh_view* v, const double d[3], double length)
{
    if (v->columns == 0) return PIECES;
    double cells = fmax(fabs(d[0]) / v->spacing[0], fabs(d[1]) / v->spacing[1]) * length;
    return 1 + (int)fmin(cells / CELLS, 1e6);
}

int scri_mesh_ray(const scree_mesh* mesh, scri_vec origin, scri_vec way, double* share,
                  scri_vec* normal)
{
    ray_visit r = {.mesh = mesh, .origin = origin, .way = way, .share = SCREE_INFINITY};
    double o[3], d[3], range[2];
    scri_vec_store(origin, o);
    scri_vec_store(way, d);
    if (!clip(&mesh->view, o, d, range)) return 0;
    int n = n_pieces(&mesh->view, d, range[1] - range[0]);
    double end = range[0];
    for (int i = 0; i < n && !(r.share <= end); ++i) {
        double begin = end, lower[3], upper[3];
        end = i + 1 < n ? range[0] + (i + 1) * ((range[1] - range[0]) / n) : range[1];
        for (int k = 0; k < 3; ++k) {
            double a = o[k] + begin * d[k], b = o[k] + end * d[k];
            double slack = 1e-12 * (fabs(o[k]) + fabs(d[k]));
            lower[k] = fmin(a, b) - slack;
            upper[k] = fmax(a, b) + slack;
        }
        scri_mesh_search(mesh, lower, upper, look_at_triangle, &r);
    }
    if (!(r.share <= 1.0)) return 0;
    *share = r.share;
    *normal = r.normal;
    return 1;
}
