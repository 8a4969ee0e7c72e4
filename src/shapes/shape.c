#include "scree/shape.h"

#include "base/fill.h"
#include "shapes/bounds.h"

static const struct {
    const char* name;
    int n_sizes;
} kinds[SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {"sphere", 1},
    [SCREE_SHAPE_HALF_SPACE] = {"half-space", 0},
    [SCREE_SHAPE_BOX] = {"box", 3},
    [SCREE_SHAPE_CAPSULE] = {"capsule", 2},
    [SCREE_SHAPE_CYLINDER] = {"cylinder", 2},
    [SCREE_SHAPE_HULL] = {"hull", 1},
    [SCREE_SHAPE_ELLIPSOID] = {"ellipsoid", 3},
    [SCREE_SHAPE_CONE] = {"cone", 2},
    [SCREE_SHAPE_MESH] = {"mesh", 0},
};

void scree_shape_init(scree_shape* shape)
{
    if (!shape) return;
    scree_shape usual = {
        .struct_size = sizeof usual,
        .kind = SCREE_SHAPE_SPHERE,
        .half_size = {1.0, 0.0, 0.0},
        .rotation = {1.0, 0.0, 0.0, 0.0},
        .category = 1,
        .collides = UINT32_MAX,
    };
    scri_fill(shape, shape->struct_size, &usual, sizeof usual);
}

const char* scree_shape_name(int kind)
{
    return kind >= 0 && kind < SCREE_SHAPE_COUNT ? kinds[kind].name : NULL;
}

int scri_shape_n_sizes(int kind)
{
    return kind >= 0 && kind < SCREE_SHAPE_COUNT ? kinds[kind].n_sizes : -1;
}
