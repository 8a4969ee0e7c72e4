/* From a pair of shapes to the function for their kinds. */
#include "collide/mesh.h"

static int sphere_sphere(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    return scri_touch_spheres(a->centre, a->size[0], b->centre, b->size[0], margin, out);
}

static int sphere_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    return scri_touch_sphere_plane(a->centre, a->size[0], b->centre, scri_mat_column(b->axes, 2),
                                   margin, out);
}

/* Pairs that have a function of their own; each stands here in one order only. */
static scri_pair_function* const functions[SCREE_SHAPE_COUNT][SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {[SCREE_SHAPE_SPHERE] = sphere_sphere,
                            [SCREE_SHAPE_HALF_SPACE] = sphere_plane,
                            [SCREE_SHAPE_BOX] = scri_sphere_box,
                            [SCREE_SHAPE_CAPSULE] = scri_sphere_capsule,
                            [SCREE_SHAPE_CYLINDER] = scri_sphere_cylinder,
                            [SCREE_SHAPE_TUBE] = scri_sphere_tube},
    [SCREE_SHAPE_BOX] =
        {[SCREE_SHAPE_HALF_SPACE] = scri_box_plane, [SCREE_SHAPE_BOX] = scri_box_box},
    [SCREE_SHAPE_CAPSULE] = {[SCREE_SHAPE_HALF_SPACE] = scri_capsule_plane,
                             [SCREE_SHAPE_BOX] = scri_capsule_box,
                             [SCREE_SHAPE_CAPSULE] = scri_capsule_capsule},
    [SCREE_SHAPE_CYLINDER] = {[SCREE_SHAPE_HALF_SPACE] = scri_cylinder_plane},
    [SCREE_SHAPE_HULL] = {[SCREE_SHAPE_HALF_SPACE] = scri_hull_plane},
    [SCREE_SHAPE_ELLIPSOID] = {[SCREE_SHAPE_HALF_SPACE] = scri_ellipsoid_plane},
    [SCREE_SHAPE_CONE] = {[SCREE_SHAPE_HALF_SPACE] = scri_cone_plane},
    [SCREE_SHAPE_TUBE] = {[SCREE_SHAPE_HALF_SPACE] = scri_cylinder_plane}, /* by its outer rims */
};

/* The origin is at the centre of one of the two: far from that of the world no digits are lost. */
static int touch_convex(scree_shape_kind kind_a, const scri_solid* a, scree_shape_kind kind_b,
                        const scri_solid* b, double margin, scri_touch* out)
{
    if (kind_a == SCREE_SHAPE_MESH) return 0; /* both, then: neither moves by itself */
    if (kind_b == SCREE_SHAPE_MESH) return scri_mesh_touch(kind_a, a, b, margin, out);
    if (kind_b == SCREE_SHAPE_TUBE) return scri_tube_touch(kind_a, a, b, margin, out);
    scri_convex one = scri_convex_load(kind_a, a, b->centre);
    scri_convex two = scri_convex_load(kind_b, b, b->centre);
    return scri_convex_touch(&one, &two, b->centre, margin, out);
}

/* A function of a pair knows no rounding. Those with spheres and half-spaces know distances, from
 * which it is taken; others leave rounded shapes to the general way. */
static int knows_distances(scree_shape_kind a, scree_shape_kind b)
{
    return a == SCREE_SHAPE_SPHERE || b == SCREE_SHAPE_SPHERE || a == SCREE_SHAPE_HALF_SPACE ||
           b == SCREE_SHAPE_HALF_SPACE;
}

static int touch_rounded(scri_pair_function* function, const scri_solid* a, const scri_solid* b,
                         double margin, scri_touch* out)
{
    double of_a = a->rounding, of_b = b->rounding;
    int n = function(a, b, margin + of_a + of_b, out);
    int kept = 0;
    for (int i = 0; i < n; ++i) { /* midway between surfaces that came closer */
        scri_touch moved = out[i];
        moved.gap -= of_a + of_b;
        for (int k = 0; k < 3; ++k) moved.point[k] += 0.5 * (of_b - of_a) * moved.normal[k];
        if (moved.gap <= margin) out[kept++] = moved;
    }
    return kept;
}

static void sort_by_feature(scri_touch* touches, int n)
{
    for (int i = 1; i < n; ++i) {
        scri_touch moved = touches[i];
        int k = i;
        for (; k > 0 && touches[k - 1].feature > moved.feature; --k) touches[k] = touches[k - 1];
        touches[k] = moved;
    }
}

int scri_collide_pair(const scri_placed* shapes, int32_t a, int32_t b, double margin,
                      scri_touch out[SCRI_MAX_TOUCHES])
{
    int a_is_plane = shapes->kind[a] == SCREE_SHAPE_HALF_SPACE;
    int b_is_plane = shapes->kind[b] == SCREE_SHAPE_HALF_SPACE;
    if (a_is_plane || (b < a && !b_is_plane)) {
        int32_t kept = a;
        a = b;
        b = kept;
    }
    scree_shape_kind kind_a = shapes->kind[a], kind_b = shapes->kind[b];
    scri_pair_function* function = functions[kind_a][kind_b];
    double rounding = scri_placed_rounding(shapes, a) + scri_placed_rounding(shapes, b);
    int special = (function || functions[kind_b][kind_a]) &&
                  (rounding == 0.0 || knows_distances(kind_a, kind_b));
    int is_mesh = kind_a == SCREE_SHAPE_MESH || kind_b == SCREE_SHAPE_MESH;
    int either_is_tube = kind_a == SCREE_SHAPE_TUBE || kind_b == SCREE_SHAPE_TUBE;
    int no_tubes = either_is_tube && (kind_a == kind_b || is_mesh);
    if (!special && (kind_b == SCREE_SHAPE_HALF_SPACE || no_tubes)) return 0;
    int turned = special                      ? !function
                 : kind_b == SCREE_SHAPE_MESH ? 0
                                              : kind_a == SCREE_SHAPE_MESH || kind_b < kind_a;
    if (turned) function = functions[kind_b][kind_a];
    scri_solid first = scri_solid_load(shapes, turned ? b : a);
    scri_solid second = scri_solid_load(shapes, turned ? a : b);
    int n = !special ? touch_convex(turned ? kind_b : kind_a, &first, turned ? kind_a : kind_b,
                                    &second, margin, out)
            : rounding > 0.0 ? touch_rounded(function, &first, &second, margin, out)
                             : function(&first, &second, margin, out);
    for (int i = 0; i < n; ++i) {
        out[i].a = a;
        out[i].b = b;
        if (!is_mesh) out[i].zone = 0;
        if (!turned) continue;
        for (int k = 0; k < 3; ++k) out[i].normal[k] = -out[i].normal[k];
    }
    sort_by_feature(out, n);
    return n;
}
