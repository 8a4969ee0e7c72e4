#include "cones/ellipsoid_kernel.h"
#include "cones/friction_kernel.h"
#include "scree/set.h"

#include <string.h>

void scree_cone_project(int width, const double mu[3], double* p)
{
    scri_layout layout = scri_layout_of_width(width);
    if (layout.width) scri_friction_project(layout, mu, p);
}

void scree_cone_project_planar(const double mu[3], double p[3])
{
    if (!mu || !p) return;
    scri_friction_project(scri_layout_of(SCREE_ROWS_NTR), mu, p);
}

void scree_cone_project_coupled(int width, const double mu[3], double* p)
{
    scri_layout layout = scri_layout_of_width(width);
    if (layout.width) scri_ellipsoid_project(layout, mu, p);
}

double scree_cone_distance(int width, const double mu[3], const double* p)
{
    scri_layout layout = scri_layout_of_width(width);
    double closest[SCRI_MAX_WIDTH];
    if (!layout.width) return SCREE_NAN;
    memcpy(closest, p, (size_t)width * sizeof *p);
    scri_friction_project(layout, mu, closest);
    for (int i = 0; i < width; ++i) closest[i] -= p[i];
    return scri_norm(width, closest);
}

/* Moreau: y = P_{K*}(y) - P_K(-y), so the distance to K* is |P_K(-y)|. */
double scree_cone_dual_distance(int width, const double mu[3], const double* y)
{
    scri_layout layout = scri_layout_of_width(width);
    double polar[SCRI_MAX_WIDTH];
    if (!layout.width) return SCREE_NAN;
    for (int i = 0; i < width; ++i) polar[i] = -y[i];
    scri_friction_project(layout, mu, polar);
    return scri_norm(width, polar);
}

double scree_cone_dual_margin(int width, const double mu[3], const double* y)
{
    scri_layout layout = scri_layout_of_width(width);
    return layout.width ? y[0] - scri_friction_shift(layout, mu, y) : SCREE_NAN;
}
