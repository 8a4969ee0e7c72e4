#include "shapes/bounds.h"

#include "shapes/hull.h"
#include "shapes/mesh.h"

/* Half lengths of the box around a turned shape. */
static void half_lengths(scree_shape_kind kind, const double size[3], const double rotation[4],
                         double half[3])
{
    if (kind == SCREE_SHAPE_SPHERE || kind == SCREE_SHAPE_HULL) {
        half[0] = half[1] = half[2] = scri_shape_radius(kind, size);
        return;
    }
    scri_mat r = scri_mat_from_quat(scri_quat_load(rotation));
    for (int i = 0; i < 3; ++i) {
        const double* row = r.m + 3 * i;
        switch (kind) {
        case SCREE_SHAPE_BOX:
        case SCREE_SHAPE_MESH:
            half[i] = fabs(row[0]) * size[0] + fabs(row[1]) * size[1] + fabs(row[2]) * size[2];
            break;
        case SCREE_SHAPE_CAPSULE:
            half[i] = size[0] + fabs(row[2]) * size[1];
            break;
        case SCREE_SHAPE_CYLINDER:
            half[i] = size[0] * sqrt(row[0] * row[0] + row[1] * row[1]) + fabs(row[2]) * size[1];
            break;
        default:
            half[i] = SCREE_INFINITY;
        }
    }
}

int scri_shape_bounds(scree_shape_kind kind, const double size[3], const double position[3],
                      const double rotation[4], double lower[3], double upper[3])
{
    double half[3];
    half_lengths(kind, size, rotation, half);
    for (int i = 0; i < 3; ++i) {
        lower[i] = position[i] - half[i];
        upper[i] = position[i] + half[i];
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
    default:
        return SCREE_INFINITY;
    }
}

double scri_shape_inner(scree_shape_kind kind, const double size[3])
{
    switch (kind) {
    case SCREE_SHAPE_BOX:
        return fmin(size[0], fmin(size[1], size[2]));
    case SCREE_SHAPE_CYLINDER:
        return fmin(size[0], size[1]);
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
