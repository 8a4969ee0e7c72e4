/* Every kind of convex body above meshes and height fields: least gaps against the distances to all
 * triangles, one by one. */
#include "collide/convex.h"
#include "support/meshes.h"
#include "unit/collide/scene.h"

static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX,     SCREE_SHAPE_HULL,
                                         SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER,
                                         SCREE_SHAPE_CONE,    SCREE_SHAPE_ELLIPSOID};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], N_MESHES = 4 };

static const scri_vec zero = {0.0, 0.0, 0.0};

static double hills(double x, double y)
{
    return 0.3 * sin(3.0 * x + 0.4) * cos(2.0 * y) + 0.1 * sin(11.0 * x * y);
}

static double swells(double x, double y)
{
    return 0.05 * sin(2.0 * x + 0.4) * cos(2.0 * y);
}

static double ground(int m, scri_vec at)
{
    return m < 2 ? hills(at.x, at.y) : swells(at.x, at.y);
}

/* ---- the reference ---- */

/* A triangle of a mesh, and a ball around it. */
typedef struct tile {
    scri_vec corner[3], middle;
    double reach;
} tile;

typedef struct tiling {
    int n;
    tile* tiles;
} tiling;

static tile tile_of(const scree_mesh* mesh, int32_t t)
{
    tile made = {.middle = zero};
    int32_t corner[3];
    double x[3];
    scree_mesh_triangle(mesh, t, corner);
    for (int k = 0; k < 3; ++k) {
        scree_mesh_point(mesh, corner[k], x);
        made.corner[k] = scri_vec_load(x);
        made.middle = scri_vec_add_scaled(made.middle, 1.0 / 3.0, made.corner[k]);
    }
    for (int k = 0; k < 3; ++k) {
        double away = scri_vec_length(scri_vec_sub(made.corner[k], made.middle));
        made.reach = fmax(made.reach, away);
    }
    return made;
}

static tiling tiles_of(const scree_mesh* mesh)
{
    tiling made = {.n = scree_mesh_get_view(mesh).n_triangles};
    made.tiles = test_take((size_t)made.n, sizeof(tile));
    for (int t = 0; t < made.n; ++t) made.tiles[t] = tile_of(mesh, t);
    return made;
}

/* A body and the triangle that is nearest to its core so far. */
typedef struct reference {
    const scri_convex* body;
    double reach, least;
    int in_front; /* the centre of the body is in front of that triangle */
} reference;

/* How far the core is from a triangle at least: what balls around both say. */
static double at_least(const reference* r, const tile* t)
{
    return scri_vec_length(scri_vec_sub(t->middle, r->body->centre)) - t->reach - r->reach;
}

static void try_tile(reference* r, const tile* t)
{
    scri_part part = {.n = 3, .name = {0, 1, 2}};
    scri_nearest near;
    memcpy(part.corner, t->corner, sizeof t->corner);
    scri_convex triangle = {
        .kind = SCREE_SHAPE_MESH, .part = &part, .centre = part.corner[0], .inner = SCREE_INFINITY};
    scri_gap gap = scri_nearest_of(r->body, &triangle, r->least, &near);
    if (gap == SCRI_OVERLAP) r->least = 0.0;
    if (gap != SCRI_APART || !(near.distance < r->least)) return;
    scri_vec n = scri_vec_cross(scri_vec_sub(part.corner[1], part.corner[0]),
                                scri_vec_sub(part.corner[2], part.corner[0]));
    r->in_front = scri_vec_dot(n, scri_vec_sub(r->body->centre, part.corner[0])) > 0.0;
    r->least = near.distance;
}

/* Distance of body 0 from all triangles, one by one but for those that the balls tell to be farther
 * off; negative where it is not in front of the nearest, and 0.2 where that is not so near. */
static double to_triangles(const scene* s, const tiling* tiles, const scri_convex* body)
{
    const double far = 0.2;
    reference r = {.body = body,
                   .reach = scri_shape_radius(s->kind[0], s->size) + s->rounding[0],
                   .least = far + body->radius};
    int first = 0;
    for (int t = 1; t < tiles->n; ++t) {
        if (at_least(&r, &tiles->tiles[t]) < at_least(&r, &tiles->tiles[first])) first = t;
    }
    try_tile(&r, &tiles->tiles[first]);
    for (int t = 0; t < tiles->n; ++t) {
        if (t != first && at_least(&r, &tiles->tiles[t]) <= r.least) try_tile(&r, &tiles->tiles[t]);
    }
    return r.in_front ? r.least - body->radius : -far;
}

static scri_convex load_body(const scene* s)
{
    scri_placed placed = scene_placed(s);
    scri_solid solid = scri_solid_load(&placed, 0);
    return scri_convex_load(s->kind[0], &solid, zero);
}

/* ---- bodies ---- */

/* A body of some kind somewhere above mesh m, some of them needles or plates, some rounded; shape 1
 * is the mesh. */
static void draw_body(scri_random* random, scene* s, scree_shape_kind kind, const scree_hull* hull,
                      int m)
{
    scri_vec size = draw_vec(random, 0.05, 0.4), at = draw_vec(random, -1.0, 1.0);
    if (draw_chance(random, 20.0)) {
        double x = draw_power(random, -2.5, -0.4), y = draw_power(random, -2.5, -0.4);
        size = (scri_vec){x, y, draw_power(random, -2.5, -0.4)};
    }
    s->n = 0;
    if (kind == SCREE_SHAPE_HULL) {
        scene_add_hull(s, hull, size.x, at);
    } else {
        scene_add(s, kind, size, at);
    }
    s->rounding[0] = kind != SCREE_SHAPE_CAPSULE && draw_chance(random, 20.0) ? 0.03 : 0.0;
    double reach = scri_shape_radius(kind, s->size) + s->rounding[0];
    s->position[2] = ground(m, at) + draw_between(random, 0.05, fmin(reach, 0.6) + 0.25);
    scene_turn(s, 0, draw_rotation(random));
    scene_add(s, SCREE_SHAPE_MESH, zero, zero);
}

static double least_gap(const scene* s, const scree_mesh* mesh, double margin)
{
    scri_touch out[SCRI_MAX_TOUCHES];
    const scree_mesh* meshes[2] = {NULL, mesh};
    scri_placed placed = scene_placed(s);
    placed.mesh = meshes;
    int n = scri_collide_pair(&placed, 0, 1, margin, out);
    double least = SCREE_INFINITY;
    for (int k = 0; k < n; ++k) least = fmin(least, out[k].gap);
    return least;
}

static scree_hull* draw_hull(scri_random* random)
{
    double points[36];
    scree_hull* hull = NULL;
    for (int i = 0; i < 12; ++i) {
        draw_direction(random, points + 3 * i);
        for (int k = 0; k < 3; ++k) points[3 * i + k] *= draw_between(random, 0.7, 1.3);
    }
    assert_int_equal(scree_hull_create(NULL, 12, points, &hull), SCREE_OK);
    return hull;
}

/* 0 where the body is not near the front of the mesh, and its gap has not been asked. */
static int compare(const scene* s, int m, const scree_mesh* mesh, const tiling* tiles, int i)
{
    scri_convex body = load_body(s);
    if (!(body.centre.z > ground(m, body.centre) + 0.05)) return 0;
    double distance = to_triangles(s, tiles, &body);
    if (!(distance > 1e-6 && distance < 0.2)) return 0;
    double least = least_gap(s, mesh, 0.4);
    /* discs are polygons, and normals those of round edges where they belong to the surface */
    double layer = 0.02 * fmin(body.inner, 1.0) * body.spike;
    require(least <= 1.02 * distance + 8e-4 && least >= 0.8 * distance - layer,
            "mesh %d, kind %d, case %d: gap %g, distance %g", m, (int)s->kind[0], i, least,
            distance);
    return 1;
}

static void gaps_against_triangles(void** state)
{
    (void)state;
    scri_random random = test_seed("gaps_against_triangles", 191);
    scree_hull* hull = draw_hull(&random);
    scree_mesh* mesh[N_MESHES] = {
        mesh_of_cells(&random, 20, 2.0, 0.2, hills), heights_of(20, 2.0, hills),
        mesh_of_cells(&random, 20, 2.0, 0.2, swells), heights_of(20, 2.0, swells)};
    tiling tiles[N_MESHES];
    for (int m = 0; m < N_MESHES; ++m) tiles[m] = tiles_of(mesh[m]);
    scene s = scene_make(2);
    enum { MOST_COMPARED = 1000000 }; /* five minutes */
    test_range cases = test_range_of(1500, INT32_MAX);
    int met = 0, n = 0;
    for (int i = cases.from; i < cases.to && met < MOST_COMPARED; ++i, ++n) {
        int which = i % (N_MESHES * N_KINDS), m = which / N_KINDS;
        random = (scri_random){.key = random.key, .stream = 1 + (uint64_t)i};
        draw_body(&random, &s, kinds[which % N_KINDS], hull, m);
        met += compare(&s, m, mesh[m], &tiles[m], i);
    }
    print_message("%d of %d poses near a front\n", met, n);
    require(met >= n / 4, "%d cases", met);
    for (int m = 0; m < N_MESHES; ++m) {
        scree_mesh_destroy(mesh[m]);
        free(tiles[m].tiles);
    }
    scree_hull_destroy(hull);
    scene_free(&s);
}

/* Rods that lean over a thin wall, their ends behind it: no end is taken for one that came through.
 */
static void rods_over_a_wall(void** state)
{
    (void)state;
    scri_random random = test_seed("rods_over_a_wall", 192);
    static const int32_t sides[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double corners[24];
    scree_mesh* wall = NULL;
    for (int i = 0; i < 8; ++i) {
        corners[3 * i] = i & 1 ? 2.0 : -2.0;
        corners[3 * i + 1] = i & 2 ? 0.05 : -0.05;
        corners[3 * i + 2] = i & 4 ? 1.0 : 0.0;
    }
    assert_int_equal(scree_mesh_create(NULL, 8, corners, 12, sides, &wall), SCREE_OK);
    tiling tiles = tiles_of(wall);
    scene s = scene_make(2);
    int met = 0, cases = test_cases(1000, 100000);
    for (int i = 0; i < cases; ++i) {
        static const scree_shape_kind rods[] = {SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CAPSULE,
                                                SCREE_SHAPE_CONE};
        scri_vec at = draw_vec(&random, -0.6, 0.6);
        at.z += 1.0;
        s.n = 0;
        scene_add(
            &s, rods[i % 3],
            (scri_vec){draw_between(&random, 0.01, 0.05), draw_between(&random, 0.3, 1.0), 0.0},
            at);
        scene_turn(&s, 0, draw_rotation(&random));
        scene_add(&s, SCREE_SHAPE_MESH, zero, zero);
        scri_convex body = load_body(&s);
        double distance = to_triangles(&s, &tiles, &body);
        if (!(distance > 1e-6 && distance < 0.2)) continue;
        ++met;
        double least = least_gap(&s, wall, 0.4);
        require(least <= 1.02 * distance + 8e-4 && least >= 0.8 * distance - 2e-3,
                "case %d: gap %g, distance %g", i, least, distance);
    }
    require(met > cases / 20, "%d cases", met);
    scree_mesh_destroy(wall);
    free(tiles.tiles);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_against_triangles),
        cmocka_unit_test(rods_over_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
