/* Surfaces of shapes: closed, turned outwards, and of about the volume of the shape. */
#include "base/arena.h"
#include "io/surface.h"
#include "support/test.h"

#include <math.h>

/* Volume by the divergence theorem, polygons as fans. */
static double volume_of(const scri_surface* s)
{
    double sum = 0.0;
    for (int32_t i = 0, begin = 0; i < s->n_polygons; begin = s->end[i++]) {
        const double* a = s->point + 3 * (size_t)s->corner[begin];
        for (int32_t k = begin + 1; k + 1 < s->end[i]; ++k) {
            const double* b = s->point + 3 * (size_t)s->corner[k];
            const double* c = s->point + 3 * (size_t)s->corner[k + 1];
            sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
    }
    return sum / 6.0;
}

/* How often an edge is passed from a to b. */
static int count_edge(const scri_surface* s, int32_t a, int32_t b)
{
    int n = 0;
    for (int32_t i = 0, begin = 0; i < s->n_polygons; begin = s->end[i++]) {
        for (int32_t k = begin; k < s->end[i]; ++k) {
            int32_t next = k + 1 < s->end[i] ? k + 1 : begin;
            n += s->corner[k] == a && s->corner[next] == b;
        }
    }
    return n;
}

static void surfaces_are_closed(void** state)
{
    (void)state;
    const double pi = acos(-1.0);
    static const scree_shape_kind kinds[] = {
        SCREE_SHAPE_SPHERE,    SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER,
        SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE, SCREE_SHAPE_TUBE};
    double size[3] = {0.5, 0.75, 2.0};
    const double volume[] = {pi / 6.0,   6.0,      pi / 6.0 + 0.375 * pi, 0.375 * pi, pi,
                             0.125 * pi, 0.24 * pi};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        scri_arena* arena = scri_arena_create(NULL);
        scree_shape shape = scree_default_shape();
        scri_surface s;
        shape.kind = kinds[i];
        if (shape.kind == SCREE_SHAPE_TUBE) size[2] = 0.3;
        memcpy(shape.half_size, size, sizeof size);
        assert_true(scri_surface_make(arena, &shape, 1.0, &s));
        double found = volume_of(&s), share = found / volume[i];
        print_message("%s: %d points, %d polygons, %.4f of the volume\n",
                      scree_shape_name((int)kinds[i]), (int)s.n_points, (int)s.n_polygons, share);
        require(share > 0.95 && share <= 1.0 + 1e-12, "a volume of %g for %g", found, volume[i]);
        for (int32_t p = 0, begin = 0; p < s.n_polygons; begin = s.end[p++]) {
            for (int32_t k = begin; k < s.end[p]; ++k) {
                int32_t next = k + 1 < s.end[p] ? k + 1 : begin;
                assert_int_equal(count_edge(&s, s.corner[k], s.corner[next]), 1);
                assert_int_equal(count_edge(&s, s.corner[next], s.corner[k]), 1);
            }
        }
        scri_arena_destroy(arena);
    }
}

/* Rounded shapes have the volume of what they stand for, less what flat pieces of arcs cut off. */
static void rounded_surfaces(void** state)
{
    (void)state;
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_CYLINDER,
                                             SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE,
                                             SCREE_SHAPE_HULL};
    static const double points[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    scree_hull* hull = NULL;
    assert_int_equal(scree_hull_create(NULL, 4, points, &hull), SCREE_OK);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        scri_arena* arena = scri_arena_create(NULL);
        scree_shape shape = scree_default_shape();
        scri_surface s;
        scree_mass mass;
        shape.kind = kinds[i];
        shape.hull = hull;
        shape.half_size[0] = 0.5, shape.half_size[1] = 0.75, shape.half_size[2] = 0.4;
        shape.rounding = 0.3;
        assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &mass), SCREE_OK);
        assert_true(scri_surface_make(arena, &shape, 1.0, &s));
        double share = volume_of(&s) / mass.mass;
        print_message("rounded %s: %d polygons, %.4f of the volume\n",
                      scree_shape_name((int)kinds[i]), (int)s.n_polygons, share);
        require(share > 0.95 && share < 1.0, "%.4f of the volume", share);
        scri_arena_destroy(arena);
    }
    scree_hull_destroy(hull);
}

static void half_spaces_are_squares(void** state)
{
    (void)state;
    scri_arena* arena = scri_arena_create(NULL);
    scree_shape shape = scree_default_shape();
    scri_surface s;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_true(scri_surface_make(arena, &shape, 3.0, &s));
    assert_int_equal(s.n_polygons, 1);
    assert_int_equal(s.n_points, 4);
    for (int k = 0; k < 4; ++k) {
        assert_true(fabs(s.point[3 * k]) == 3.0 && fabs(s.point[3 * k + 1]) == 3.0);
        assert_true(s.point[3 * k + 2] == 0.0);
    }
    scri_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_are_closed),
        cmocka_unit_test(rounded_surfaces),
        cmocka_unit_test(half_spaces_are_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
