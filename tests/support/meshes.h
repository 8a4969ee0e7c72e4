/* Meshes and height fields for tests. */
#ifndef SUPPORT_MESHES_H
#define SUPPORT_MESHES_H

#include "scree/shape.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

/* A square of n x n cells from -half to half, cut into triangles by diagonals that chance chooses;
 * points lie off the regular places by up to `jitter` of a cell, except along y = 0, and at
 * height(x, y). n is even: there are points and edges along y = 0. */
static inline scree_mesh* mesh_of_cells(scri_random* random, int n, double half, double jitter,
                                        double (*height)(double x, double y))
{
    size_t side = (size_t)n + 1, cells = (size_t)n * (size_t)n;
    double* points = test_take(3 * side * side, sizeof(double));
    int32_t* corners = test_take(6 * cells, sizeof(int32_t));
    double cell = 2.0 * half / n;
    for (size_t i = 0; i < side * side; ++i) {
        int column = (int)(i % side), row = (int)(i / side);
        double x = -half + cell * column, y = cell * (row - n / 2);
        int inner = column > 0 && column < n && row > 0 && row < n;
        if (inner) x += jitter * cell * draw_between(random, -1.0, 1.0);
        if (inner && row != n / 2) y += jitter * cell * draw_between(random, -1.0, 1.0);
        points[3 * i] = x;
        points[3 * i + 1] = y;
        points[3 * i + 2] = height ? height(x, y) : 0.0;
    }
    for (size_t k = 0; k < cells; ++k) {
        int32_t a = (int32_t)(k / (size_t)n * side + k % (size_t)n), b = a + 1;
        int32_t d = a + (int32_t)side, c = d + 1;
        int32_t one[6] = {a, b, c, a, c, d}, other[6] = {a, b, d, b, c, d};
        memcpy(corners + 6 * k, draw_chance(random, 50.0) ? one : other, sizeof one);
    }
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create(NULL, (int32_t)(side * side), points, (int32_t)(2 * cells),
                                       corners, &mesh),
                     SCREE_OK);
    free(points);
    free(corners);
    return mesh;
}

/* A height field of the same square. */
static inline scree_mesh* heights_of(int n, double half, double (*height)(double x, double y))
{
    size_t side = (size_t)n + 1;
    double* heights = test_take(side * side, sizeof(double));
    double cell = 2.0 * half / n;
    const double origin[2] = {-half, -half}, spacing[2] = {cell, cell};
    for (size_t i = 0; i < side * side; ++i) {
        double x = -half + cell * (double)(i % side), y = -half + cell * (double)(i / side);
        heights[i] = height ? height(x, y) : 0.0;
    }
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create_heights(NULL, n + 1, n + 1, origin, spacing, heights, &mesh),
                     SCREE_OK);
    free(heights);
    return mesh;
}

static inline scree_shape shape_of_mesh(const scree_mesh* mesh)
{
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_MESH;
    shape.mesh = mesh;
    return shape;
}

#endif
