/* From a pair of shapes to the function for their kinds. */
#include "collide/pair.h"

static int sphere_sphere(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    return scri_touch_spheres(a->centre, a->size[0], b->centre, b->size[0], margin, out);
}

static int sphere_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    return scri_touch_sphere_plane(a->centre, a->size[0], b->centre, scri_mat_column(b->axes, 2),
                                   margin, out);
}

/* Each pair of kinds stands here in one order only. */
static scri_pair_function* const functions[SCREE_SHAPE_COUNT][SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {[SCREE_SHAPE_SPHERE] = sphere_sphere,
                            [SCREE_SHAPE_HALF_SPACE] = sphere_plane,
                            [SCREE_SHAPE_BOX] = scri_sphere_box,
                            [SCREE_SHAPE_CAPSULE] = scri_sphere_capsule,
                            [SCREE_SHAPE_CYLINDER] = scri_sphere_cylinder},
    [SCREE_SHAPE_BOX] =
        {[SCREE_SHAPE_HALF_SPACE] = scri_box_plane, [SCREE_SHAPE_BOX] = scri_box_box},
    [SCREE_SHAPE_CAPSULE] = {[SCREE_SHAPE_HALF_SPACE] = scri_capsule_plane,
                             [SCREE_SHAPE_BOX] = scri_capsule_box,
                             [SCREE_SHAPE_CAPSULE] = scri_capsule_capsule},
    [SCREE_SHAPE_CYLINDER] = {[SCREE_SHAPE_HALF_SPACE] = scri_cylinder_plane},
};

int scri_pair_supported(scree_shape_kind a, scree_shape_kind b)
{
    return functions[a][b] || functions[b][a];
}

int scri_pair_refused(const scree_shape* a, const scree_shape* b)
{
    return (a->category & b->collides) && (b->category & a->collides) &&
           !scri_pair_supported(a->kind, b->kind);
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
    scri_pair_function* function = functions[shapes->kind[a]][shapes->kind[b]];
    int turned = !function;
    if (turned) function = functions[shapes->kind[b]][shapes->kind[a]];
    if (!function) return 0;

    scri_solid first = scri_solid_load(shapes, turned ? b : a);
    scri_solid second = scri_solid_load(shapes, turned ? a : b);
    int n = function(&first, &second, margin, out);
    for (int i = 0; i < n; ++i) {
        out[i].a = a;
        out[i].b = b;
        if (!turned) continue;
        for (int k = 0; k < 3; ++k) out[i].normal[k] = -out[i].normal[k];
    }
    sort_by_feature(out, n);
    return n;
}
