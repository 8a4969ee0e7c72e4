#include "shapes/bounds.h"

#include "shapes/hull.h"
#include "shapes/mesh.h"

/* How far a shape reaches along a world's axis, of which `row` are the parts along its own. */
static double reach_along(scree_shape_kind kind, const double size[3], const double row[3])
{
    double across = sqrt(row[0] * row[0] + row[1] * row[1]);
    switch (kind) {
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_MESH:
        return fabs(row[0]) * size[0] + fabs(row[1]) * size[1] + fabs(row[2]) * size[2];
    case SCREE_SHAPE_CAPSULE:
        return size[0] + fabs(row[2]) * size[1];
    case SCREE_SHAPE_CYLINDER:
        return size[0] * across + fabs(row[2]) * size[1];
    case SCREE_SHAPE_CONE:
        return fmax(1.5 * size[1] * row[2], size[0] * across - 0.5 * size[1] * row[2]);
    case SCREE_SHAPE_ELLIPSOID: {
        double x = row[0] * size[0], y = row[1] * size[1], z = row[2] * size[2];
        return sqrt(x * x + y * y + z * z);
    }
    default:
        return scri_shape_radius(kind, size);
    }
}

int scri_shape_bounds(scree_shape_kind kind, const double size[3], const double position[3],
                      const double rotation[4], double lower[3], double upper[3])
{
    int turns = kind != SCREE_SHAPE_SPHERE && kind != SCREE_SHAPE_HULL;
    scri_mat r = {{0.0}};
    if (turns) r = scri_mat_from_quat(scri_quat_load(rotation));
    for (int i = 0; i < 3; ++i) {
        const double *row = r.m + 3 * i, against[3] = {-row[0], -row[1], -row[2]};
        lower[i] = position[i] - reach_along(kind, size, against);
        upper[i] = position[i] + reach_along(kind, size, row);
    }
    return kind != SCREE_SHAPE_HALF_SPACE;
}

double scri_shape_radius(scree_shape_kind kind, const double size[3])
{
    switch (kind) {
    case SCREE_SHAPE_SPHERE:
        return size[0];
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_MESH:
        return sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    case SCREE_SHAPE_CAPSULE:
        return size[0] + size[1];
    case SCREE_SHAPE_CYLINDER:
        return sqrt(size[0] * size[0] + size[1] * size[1]);
    case SCREE_SHAPE_HULL:
        return size[1];
    case SCREE_SHAPE_ELLIPSOID:
        return fmax(size[0], fmax(size[1], size[2]));
    case SCREE_SHAPE_CONE:
        return fmax(1.5 * size[1], sqrt(size[0] * size[0] + 0.25 * size[1] * size[1]));
    default:
        return SCREE_INFINITY;
    }
}

double scri_shape_inner(scree_shape_kind kind, const double size[3])
{
    switch (kind) {
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        return fmin(size[0], fmin(size[1], size[2]));
    case SCREE_SHAPE_CYLINDER:
        return fmin(size[0], size[1]);
    case SCREE_SHAPE_CONE:
        return fmin(0.5 * size[1],
                    1.5 * size[1] * size[0] / scri_hypotenuse(size[0], 2.0 * size[1]));
    case SCREE_SHAPE_HULL:
        return size[2];
    case SCREE_SHAPE_HALF_SPACE:
        return SCREE_INFINITY;
    case SCREE_SHAPE_MESH:
        return 0.0;
    default:
        return size[0];
    }
}

void scri_shape_sizes(const scree_shape* shape, double size[3])
{
    for (int k = 0; k < 3; ++k) size[k] = shape->half_size[k];
    for (int k = 0; k < 3 && shape->kind == SCREE_SHAPE_MESH && shape->mesh; ++k) {
        size[k] = shape->mesh->half[k];
    }
    if (shape->kind != SCREE_SHAPE_HULL || !shape->hull) return;
    size[1] = size[0] * shape->hull->radius;
    size[2] = size[0] * shape->hull->inner;
}
