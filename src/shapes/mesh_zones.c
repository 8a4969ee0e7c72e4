/* Zones of meshes and height fields. */
#include "base/env.h"
#include "shapes/mesh.h"

#include <math.h>
#include <string.h>

scree_status scree_mesh_set_zones(scree_mesh* m, int32_t n, const int32_t* zones)
{
    if (!m || !zones) return SCREE_ERROR_ARGUMENT;
    int32_t wanted = scri_mesh_is_raster(m) ? m->view.n_points : m->view.n_triangles;
    if (n != wanted) {
        return scri_fail(&m->env, SCREE_ERROR_INPUT, "zones: %d numbers for %d %s", (int)n,
                         (int)wanted, scri_mesh_is_raster(m) ? "points" : "triangles");
    }
    for (int32_t i = 0; i < n; ++i) {
        if (zones[i] >= 0 && zones[i] < SCREE_MESH_ZONES) continue;
        return scri_fail(&m->env, SCREE_ERROR_INPUT, "zones: number %d is %d, not from 0 to %d",
                         (int)i, (int)zones[i], SCREE_MESH_ZONES - 1);
    }
    int32_t* copy = scri_alloc(&m->env, (size_t)n * sizeof *copy);
    if (!copy) return scri_fail(&m->env, SCREE_ERROR_MEMORY, "no memory for zones");
    memcpy(copy, zones, (size_t)n * sizeof *copy);
    scri_release(&m->env, m->zone);
    m->view.zones = m->zone = copy;
    return SCREE_OK;
}

/* The point of a height field that is nearest along an axis. */
static int32_t nearest(const scree_mesh* m, int axis, double x)
{
    const scree_mesh_view* v = &m->view;
    double at = floor((x - v->origin[axis]) / v->spacing[axis] + 0.5);
    int32_t last = (axis ? v->rows : v->columns) - 1;
    return !(at > 0.0) ? 0 : at < last ? (int32_t)at : last;
}

int32_t scri_mesh_zone(const scree_mesh* m, int32_t t, scri_vec at)
{
    if (!m->zone) return 0;
    if (!scri_mesh_is_raster(m)) return m->zone[t];
    return m->zone[nearest(m, 1, at.y) * m->view.columns + nearest(m, 0, at.x)];
}
