/* Convex shapes against meshes: distances by brute force, normals that belong to the surface, the
 * one side that acts, corners and edges by hand. */
#include "collide/collide.h"
#include "collide/query.h"
#include "math/vec.h"
#include "shapes/bounds.h"
#include "support/meshes.h"
#include "support/worlds.h"

/* Two shapes of which the second is a mesh at the origin. */
typedef struct two {
    scree_shape_kind kind[2];
    double size[6], position[6], rotation[8];
    const scree_hull* hull[2];
    const scree_mesh* mesh[2];
} two;

static two pair_of(const scree_shape* body, const scree_mesh* mesh, const double position[3],
                   const double rotation[4])
{
    scree_shape ground = shape_of_mesh(mesh);
    two p = {.kind = {body->kind, SCREE_SHAPE_MESH},
             .rotation = {1.0, 0.0, 0.0, 0.0, 1.0},
             .hull = {body->hull, NULL},
             .mesh = {NULL, mesh}};
    scri_shape_sizes(body, p.size);
    scri_shape_sizes(&ground, p.size + 3);
    memcpy(p.position, position, 3 * sizeof(double));
    if (rotation) memcpy(p.rotation, rotation, 4 * sizeof(double));
    return p;
}

static int collide(const two* p, double margin, scri_touch* out)
{
    scri_placed placed = {.n = 2,
                          .kind = p->kind,
                          .size = p->size,
                          .hull = p->hull,
                          .mesh = p->mesh,
                          .position = p->position,
                          .rotation = p->rotation};
    return scri_collide_pair(&placed, 0, 1, margin, out);
}

static double least_gap(const scri_touch* touch, int n)
{
    double least = SCREE_INFINITY;
    for (int i = 0; i < n; ++i) least = fmin(least, touch[i].gap);
    return least;
}

/* What all points of a pair have in common. */
static void check_points(const scri_touch* touch, int n)
{
    require(n >= 0 && n <= SCRI_MAX_TOUCHES, "%d points", n);
    for (int i = 0; i < n; ++i) {
        scri_vec normal = scri_vec_load(touch[i].normal), x = scri_vec_load(touch[i].point);
        require(fabs(scri_vec_length(normal) - 1.0) <= 1e-12, "a normal of length %g",
                scri_vec_length(normal));
        require(isfinite(x.x) && isfinite(x.y) && isfinite(x.z) && isfinite(touch[i].gap),
                "point %d is not finite", i);
        require(i == 0 || touch[i].feature > touch[i - 1].feature, "points %d and %d are one",
                i - 1, i);
    }
}

/* ---- distances by brute force ---- */

static scri_vec nearest_on_segment(scri_vec a, scri_vec b, scri_vec x)
{
    scri_vec e = scri_vec_sub(b, a);
    double t = scri_vec_dot(scri_vec_sub(x, a), e) / scri_vec_dot(e, e);
    return scri_vec_add_scaled(a, fmin(fmax(t, 0.0), 1.0), e);
}

static double to_triangle(const scri_vec v[3], scri_vec x)
{
    scri_vec n = scri_vec_cross(scri_vec_sub(v[1], v[0]), scri_vec_sub(v[2], v[0]));
    n = scri_vec_scale(1.0 / scri_vec_length(n), n);
    double height = scri_vec_dot(n, scri_vec_sub(x, v[0])), least = SCREE_INFINITY;
    scri_vec foot = scri_vec_add_scaled(x, -height, n);
    int inside = 1;
    for (int k = 0; k < 3; ++k) {
        scri_vec e = scri_vec_sub(v[(k + 1) % 3], v[k]);
        inside &= scri_vec_dot(n, scri_vec_cross(e, scri_vec_sub(foot, v[k]))) >= 0.0;
        scri_vec on = nearest_on_segment(v[k], v[(k + 1) % 3], x);
        least = fmin(least, scri_vec_length(scri_vec_sub(x, on)));
    }
    return inside ? fabs(height) : least;
}

static void load_triangle(const scree_mesh* mesh, int32_t t, scri_vec v[3])
{
    int32_t corner[3];
    double x[3];
    scree_mesh_triangle(mesh, t, corner);
    for (int k = 0; k < 3; ++k) {
        scree_mesh_point(mesh, corner[k], x);
        v[k] = scri_vec_load(x);
    }
}

static double to_mesh(const scree_mesh* mesh, scri_vec x)
{
    double least = SCREE_INFINITY;
    scri_vec v[3];
    for (int32_t t = 0; t < scree_mesh_get_view(mesh).n_triangles; ++t) {
        load_triangle(mesh, t, v);
        least = fmin(least, to_triangle(v, x));
    }
    return least;
}

static double hills(double x, double y)
{
    return 0.3 * sin(3.0 * x + 0.4) * cos(2.0 * y) + 0.1 * sin(11.0 * x * y);
}

/* A ball anywhere above the surface, away from its rim. */
static void balls_have_their_distance(void** state)
{
    (void)state;
    scri_random random = test_seed("balls_have_their_distance", 172);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 20, 2.0, 0.3, hills), heights_of(20, 2.0, hills)};
    int cases = test_cases(2000, 100000);
    for (int i = 0; i < cases; ++i) {
        double radius = draw_power(&random, -2.0, 0.0), margin = draw_power(&random, -3.0, 0.0);
        double x[3] = {draw_between(&random, -0.9, 0.9), draw_between(&random, -0.9, 0.9),
                       draw_between(&random, 0.41, 1.0)};
        scree_shape ball = sphere_of(radius);
        scri_touch touch[SCRI_MAX_TOUCHES];
        two p = pair_of(&ball, mesh[i % 2], x, NULL);
        int n = collide(&p, margin, touch);
        double expected = to_mesh(mesh[i % 2], scri_vec_load(x)) - radius;
        check_points(touch, n);
        if (expected > margin) {
            require(n == 0, "case %d: %d points beyond the margin", i, n);
            continue;
        }
        double least = least_gap(touch, n);
        require(fabs(least - expected) <= 1e-12, "case %d: gap %.17g is not %.17g", i, least,
                expected);
    }
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
}

static double to_box(const double half[3], scri_vec x)
{
    double a = fmax(fabs(x.x) - half[0], 0.0), b = fmax(fabs(x.y) - half[1], 0.0);
    double c = fmax(fabs(x.z) - half[2], 0.0);
    return sqrt(a * a + b * b + c * c);
}

/* Distance of two segments: by their ends, or where both are crossed by one line. */
static double between_segments(scri_vec a, scri_vec b, scri_vec c, scri_vec d)
{
    const scri_vec end[4] = {a, b, c, d};
    double least = SCREE_INFINITY;
    for (int k = 0; k < 4; ++k) {
        scri_vec on = k < 2 ? nearest_on_segment(c, d, end[k]) : nearest_on_segment(a, b, end[k]);
        least = fmin(least, scri_vec_length(scri_vec_sub(on, end[k])));
    }
    scri_vec e = scri_vec_sub(b, a), f = scri_vec_sub(d, c), r = scri_vec_sub(c, a);
    scri_vec n = scri_vec_cross(e, f);
    double square = scri_vec_dot(n, n);
    double s = scri_vec_dot(scri_vec_cross(r, f), n) / square;
    double t = scri_vec_dot(scri_vec_cross(r, e), n) / square;
    if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
        least = fmin(least, fabs(scri_vec_dot(r, n)) / sqrt(square));
    }
    return least;
}

/* Distance of a box at the origin from a triangle that does not meet it. */
static double box_to_triangle(const double half[3], const scri_vec v[3])
{
    scri_vec corner[8];
    double least = SCREE_INFINITY;
    for (int i = 0; i < 8; ++i) {
        corner[i] = (scri_vec){i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                               i & 4 ? half[2] : -half[2]};
        least = fmin(least, to_triangle(v, corner[i]));
    }
    for (int k = 0; k < 3; ++k) least = fmin(least, to_box(half, v[k]));
    for (int i = 0; i < 8; ++i) {
        for (int axis = 1; axis < 8; axis *= 2) {
            if (i & axis) continue;
            for (int k = 0; k < 3; ++k) {
                double d = between_segments(corner[i], corner[i | axis], v[k], v[(k + 1) % 3]);
                least = fmin(least, d);
            }
        }
    }
    return least;
}

/* A box above the surface: gaps at corners and edges are measured along the normal of round edges
 * (decision 20), hence not far below the distance, and above it by at most a tenth of what is
 * round, 1 % of the least half length. */
static void boxes_have_their_distance(void** state)
{
    (void)state;
    scri_random random = test_seed("boxes_have_their_distance", 173);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 20, 2.0, 0.3, hills), heights_of(20, 2.0, hills)};
    int cases = test_cases(300, 10000), met = 0;
    for (int i = 0; i < cases; ++i) {
        scree_shape body = box_of(draw_power(&random, -1.3, -0.3), draw_power(&random, -1.3, -0.3),
                                  draw_power(&random, -1.3, -0.3));
        double q[4], radius = scri_shape_radius(body.kind, body.half_size), distance = radius;
        double x[3] = {draw_between(&random, -0.9, 0.9), draw_between(&random, -0.9, 0.9),
                       draw_between(&random, 0.0, 0.3) + 0.41 + radius};
        do {
            for (int k = 0; k < 4; ++k) q[k] = draw_between(&random, -1.0, 1.0);
        } while (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.01));
        scri_quat_store(scri_quat_normalize(scri_quat_load(q)), q);
        scri_mat axes = scri_mat_from_quat(scri_quat_load(q));
        for (int32_t t = 0; t < scree_mesh_get_view(mesh[i % 2]).n_triangles; ++t) {
            scri_vec v[3];
            load_triangle(mesh[i % 2], t, v);
            for (int k = 0; k < 3; ++k) {
                v[k] = scri_mat_multiply_transposed(axes, scri_vec_sub(v[k], scri_vec_load(x)));
            }
            distance = fmin(distance, box_to_triangle(body.half_size, v));
        }
        scri_touch touch[SCRI_MAX_TOUCHES];
        two p = pair_of(&body, mesh[i % 2], x, q);
        int n = collide(&p, radius, touch);
        double least = least_gap(touch, n);
        check_points(touch, n);
        if (!(distance < radius)) continue;
        ++met;
        double inner = scri_shape_inner(body.kind, body.half_size);
        require(least <= distance + 1e-3 * inner && least >= 0.6 * distance - 1e-12,
                "case %d: gap %.17g, distance %.17g", i, least, distance);
    }
    require(met > cases / 10, "%d of %d", met, cases);
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
}

/* ---- by hand ---- */

/* Two squares, or four triangles, that meet along x = 0: z = left |x| for x < 0, right x for x > 0.
 */
static scree_mesh* crease(double left, double right)
{
    const double x[] = {-1.0, -1.0, left, 0.0, -1.0, 0.0, 1.0, -1.0, right,
                        -1.0, 1.0,  left, 0.0, 1.0,  0.0, 1.0, 1.0,  right};
    const int32_t corner[] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create(NULL, 6, x, 4, corner, &mesh), SCREE_OK);
    return mesh;
}

static int ball_at(const scree_mesh* mesh, double x, double z, double radius, double margin,
                   scri_touch* touch)
{
    scree_shape ball = sphere_of(radius);
    const double at[3] = {x, 0.1, z};
    two p = pair_of(&ball, mesh, at, NULL);
    int n = collide(&p, margin, touch);
    check_points(touch, n);
    return n;
}

static void creases_by_hand(void** state)
{
    (void)state;
    scri_touch touch[SCRI_MAX_TOUCHES];
    scree_mesh *valley = crease(1.0, 1.0), *ridge = crease(-1.0, -1.0), *flat = crease(0.0, 0.0);
    double h = sqrt(0.5);
    /* in a valley both slopes, no edge */
    require(ball_at(valley, 0.0, 0.2 / h, 0.2, 1e-6, touch) == 2, "a valley");
    for (int i = 0; i < 2; ++i) {
        require(fabs(touch[i].gap) <= 1e-15 && fabs(fabs(touch[i].normal[0]) - h) <= 1e-15,
                "gap %g, normal %g", touch[i].gap, touch[i].normal[0]);
    }
    /* on a ridge one point, whose normal turns with the place */
    for (int i = -10; i <= 10; ++i) {
        double angle = 0.07 * i, s = sin(angle), c = cos(angle);
        require(ball_at(ridge, 0.2 * s, 0.2 * c, 0.2, 1e-6, touch) == 1, "a ridge at %g", angle);
        require(fabs(touch->gap) <= 1e-15 && fabs(touch->normal[0] - s) <= 1e-14 &&
                    fabs(touch->normal[2] - c) <= 1e-14,
                "at %g: gap %g, normal %g", angle, touch->gap, touch->normal[0]);
        uint32_t feature = touch->feature;
        require(ball_at(ridge, -0.4, -0.4 + 0.2 / h, 0.2, 1e-6, touch) == 1, "beside a ridge");
        require(touch->feature == feature, "a ball on an edge is not the one on a face");
    }
    /* a flat edge is none, whether above it, beside it, or in it */
    for (int i = -3; i <= 3; ++i) {
        require(ball_at(flat, 1e-16 * i, 0.19, 0.2, 1e-6, touch) == 1, "a flat edge");
        require(touch->normal[2] == 1.0 && fabs(touch->gap + 0.01) <= 1e-16, "normal %g gap %g",
                touch->normal[2], touch->gap);
    }
    /* from behind nothing acts, and from the middle of the surface nothing fails */
    require(ball_at(flat, 0.1, -0.1, 0.2, 1e-6, touch) == 0, "behind");
    ball_at(flat, 0.1, 0.0, 0.2, 1e-6, touch);
    ball_at(ridge, 0.0, 0.0, 0.2, 1e-6, touch);
    /* the rim */
    require(ball_at(flat, 1.1, 0.1, 0.2, 1e-6, touch) == 1, "the rim");
    require(fabs(touch->normal[0] - h) <= 1e-14, "normal at the rim %g", touch->normal[0]);
    scree_mesh_destroy(valley);
    scree_mesh_destroy(ridge);
    scree_mesh_destroy(flat);
}

/* Below the bottom of a valley a corner has its foot on neither slope, but it is held. */
static void valleys_hold_corners(void** state)
{
    (void)state;
    scri_random random = test_seed("valleys_hold_corners", 179);
    scree_shape body = box_of(0.3, 0.2, 0.2);
    int between = 0;
    for (int i = 0; i < 2000; ++i) {
        double slope = draw_between(&random, 0.05, 1.0), q[4], at[3], deepest[3] = {0.0, 0.0, 1.0};
        scree_mesh* valley = crease(slope, slope);
        for (int k = 0; k < 4; ++k) q[k] = draw_between(&random, -1.0, 1.0);
        scri_quat_store(scri_quat_normalize(scri_quat_load(q)), q);
        for (int k = 0; k < 8; ++k) {
            scri_vec half = {k & 1 ? 0.3 : -0.3, k & 2 ? 0.2 : -0.2, k & 4 ? 0.2 : -0.2};
            scri_vec corner = scri_quat_rotate(scri_quat_load(q), half);
            if (corner.z < deepest[2]) scri_vec_store(corner, deepest);
        }
        double x = draw_between(&random, -0.03, 0.03), depth = draw_between(&random, 1e-4, 0.1);
        set3(at, x - deepest[0], 0.1 - deepest[1], slope * fabs(x) - depth - deepest[2]);
        two p = pair_of(&body, valley, at, q);
        scri_touch touch[SCRI_MAX_TOUCHES];
        int n = collide(&p, 1e-3, touch);
        check_points(touch, n);
        double z = slope * fabs(x) - depth, to = 1.0 / sqrt(1.0 + slope * slope);
        double height = to * (z + slope * fabs(x)); /* above the lower of the two planes */
        between += fabs(x) < slope * depth;
        if (height > 0.0) height = to * (z - slope * fabs(x));
        if (!(at[2] > slope * fabs(at[0]))) height = SCREE_INFINITY; /* it is in the solid itself */
        require(least_gap(touch, n) <= height + 1e-12, "case %d: %d points, gap %g, corner at %g",
                i, n, least_gap(touch, n), height);
        scree_mesh_destroy(valley);
    }
    require(between > 200, "only %d corners are between the slopes", between);
}

/* A box that hangs over a cliff lies on its top and is not pushed by its side, however its corners
 * are placed. */
static void cliffs_do_not_push(void** state)
{
    (void)state;
    const double x[] = {-1.0, -1.0, 0.0, 0.0, -1.0, 0.0,  0.0, 1.0, 0.0,
                        -1.0, 1.0,  0.0, 0.0, -1.0, -1.0, 0.0, 1.0, -1.0};
    const int32_t corner[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create(NULL, 6, x, 4, corner, &mesh), SCREE_OK);
    scree_shape body = box_of(0.5, 0.3, 0.1);
    for (int i = -12; i <= 12; ++i) {
        for (int k = -2; k <= 2; ++k) {
            scri_touch touch[SCRI_MAX_TOUCHES];
            double at[3] = {0.04 * i, 0.05, 0.1 + (k < 0 ? -1.0 : 1.0) * (k == 0 ? 0.0 : 1e-12)};
            if (k == 2 || k == -2) at[2] = 0.1 + 1e-4 * k;
            two p = pair_of(&body, mesh, at, NULL);
            int n = collide(&p, 1e-3, touch);
            check_points(touch, n);
            require(n >= 4, "at %g, %g: %d points", at[0], at[2] - 0.1, n);
            double right = -1.0;
            for (int e = 0; e < n; ++e) {
                require(touch[e].normal[2] > 0.999, "at %g, %g: normal (%g, %g, %g), gap %g", at[0],
                        at[2] - 0.1, touch[e].normal[0], touch[e].normal[1], touch[e].normal[2],
                        touch[e].gap);
                right = fmax(right, touch[e].point[0]);
            }
            double expected = fmin(at[0] + 0.5, 0.0);
            require(fabs(right - expected) <= 1e-9, "supported up to %g, not %g", right, expected);
        }
    }
    scree_mesh_destroy(mesh);
}

/* ---- gentle ridges ---- */

#define RADIUS 1e4

static double dome(double x, double y)
{
    return -(x * x + y * y) / (2.0 * RADIUS);
}

/* Shapes with a face below, and how far that is below the centre. */
static void draw_standing(int which, const scree_hull* hull, scree_shape* body, double* below)
{
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_HULL,
                                             SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE};
    *body = which == 0 ? box_of(0.2, 0.3, 0.1) : scree_default_shape();
    body->kind = kinds[which];
    *below = 0.1;
    if (which == 1) { /* its corners are given about its centre */
        scree_hull_view view = scree_hull_get_view(hull);
        body->hull = hull;
        for (int32_t k = 0; k < view.n_corners; ++k)
            *below = fmax(*below, -view.corners[3 * k + 2]);
    }
    if (which < 2) return;
    body->half_size[0] = 0.2;
    body->half_size[1] = which == 2 ? 0.1 : 0.2;
}

/* A face that lies on ridges of 1e-5 has normals like theirs, wherever its rim is, and overlaps as
 * little as it does: a rim that leaned on a ridge would stop what slides over it. */
static void rims_do_not_lean(void** state)
{
    (void)state;
    scri_random random = test_seed("rims_do_not_lean", 155);
    scree_mesh* mesh[] = {mesh_of_cells(&random, 40, 2.8, 0.2, dome), heights_of(40, 2.8, dome)};
    double corners[24];
    scree_hull* hull = NULL;
    for (int i = 0; i < 8; ++i) { /* a truncated pyramid */
        double half = i & 4 ? 0.1 : 0.25;
        set3(corners + 3 * i, i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? 0.2 : -0.1);
    }
    assert_int_equal(scree_hull_create(NULL, 8, corners, &hull), SCREE_OK);
    long n_points = 0;
    for (int i = 0; i < test_cases(4000, 200000); ++i) {
        scri_touch touch[SCRI_MAX_TOUCHES];
        scree_shape body;
        double below;
        draw_standing(i % 4, hull, &body, &below);
        double x = draw_between(&random, -2.0, 2.0), y = draw_between(&random, -2.0, 2.0);
        double over = draw_between(&random, -3e-6, 1e-6), half = draw_between(&random, 0.0, 3.0);
        scri_quat spin = {cos(half), 0.0, 0.0, sin(half)};
        scri_vec lean = {-y / RADIUS, x / RADIUS, 0.0}, more = {0.0, 0.0, 0.0};
        more.x = draw_between(&random, -5e-6, 5e-6);
        more.y = draw_between(&random, -5e-6, 5e-6);
        double rotation[4], at[3] = {x, y, dome(x, y) + below + over};
        scri_quat turn = scri_quat_exp(scri_vec_add(lean, more));
        scri_quat_store(scri_quat_multiply(turn, spin), rotation);
        two p = pair_of(&body, mesh[i / 4 % 2], at, rotation);
        int n = collide(&p, 1e-5, touch);
        check_points(touch, n);
        for (int k = 0; k < n; ++k) {
            const double* normal = touch[k].normal;
            double slope = hypot(normal[0] - x / RADIUS, normal[1] - y / RADIUS);
            require(slope <= 1e-4 && touch[k].gap >= -1e-5,
                    "case %d: a point with gap %g whose normal is off by %g", i, touch[k].gap,
                    slope);
        }
        n_points += n;
    }
    require(n_points > test_cases(4000, 200000), "%ld points only", n_points);
    for (int m = 0; m < 2; ++m) scree_mesh_destroy(mesh[m]);
    scree_hull_destroy(hull);
}

/* The same triangles in another order, each beginning at another corner. */
static scree_mesh* shuffled(scri_random* random, const scree_mesh* mesh)
{
    scree_mesh_view view = scree_mesh_get_view(mesh);
    int32_t n = view.n_triangles, n_points = view.n_points;
    double* points = test_take(3 * (size_t)n_points, sizeof(double));
    int32_t* corners = test_take(3 * (size_t)n, sizeof(int32_t));
    for (int32_t i = 0; i < n_points; ++i) scree_mesh_point(mesh, i, points + 3 * (size_t)i);
    for (int32_t i = 0; i < n; ++i) {
        int32_t corner[3], first = draw_below(random, 3), k = draw_below(random, i + 1);
        memcpy(corners + 3 * (size_t)i, corners + 3 * (size_t)k, sizeof corner);
        scree_mesh_triangle(mesh, i, corner);
        for (int j = 0; j < 3; ++j) corners[3 * (size_t)k + (size_t)j] = corner[(first + j) % 3];
    }
    scree_mesh* made = NULL;
    assert_int_equal(scree_mesh_create(NULL, n_points, points, n, corners, &made), SCREE_OK);
    free(points);
    free(corners);
    return made;
}

/* A rim, an edge or a corner on ridges and peaks has the same points by the same names, whatever
 * the order of triangles in the file: what passes a peak where several edges end inherits the past
 * of the same one. */
static void the_order_of_triangles_says_nothing(void** state)
{
    (void)state;
    scri_random random = test_seed("the_order_of_triangles_says_nothing", 156);
    scree_mesh* mesh = mesh_of_cells(&random, 20, 2.0, 0.2, hills);
    scree_mesh* other = shuffled(&random, mesh);
    scree_mesh_view view = scree_mesh_get_view(mesh);
    long n_points = 0;
    for (int i = 0; i < test_cases(4000, 100000); ++i) {
        scri_touch touch[2][SCRI_MAX_TOUCHES];
        static const scree_shape_kind kinds[] = {SCREE_SHAPE_CYLINDER, SCREE_SHAPE_BOX,
                                                 SCREE_SHAPE_CONE, SCREE_SHAPE_CAPSULE};
        scree_shape body = box_of(0.3, draw_between(&random, 0.05, 0.3), 0.2);
        double at[3], rotation[4], peak[3];
        body.kind = kinds[i % 4];
        double axis[3], turn = draw_between(&random, 0.0, 3.0);
        draw_direction(&random, axis);
        scri_quat_store(scri_quat_exp(scri_vec_scale(turn, scri_vec_load(axis))), rotation);
        /* often above a corner of the mesh */
        scree_mesh_point(mesh, draw_below(&random, view.n_points), peak);
        for (int k = 0; k < 3; ++k) at[k] = peak[k] + draw_between(&random, -0.15, 0.15);
        at[2] += 0.25;
        two p = pair_of(&body, mesh, at, rotation), q = pair_of(&body, other, at, rotation);
        int n = collide(&p, 0.02, touch[0]), m = collide(&q, 0.02, touch[1]);
        require(n == m, "case %d: %d points, in another order %d", i, n, m);
        for (int k = 0; k < n; ++k) {
            require(touch[0][k].feature == touch[1][k].feature, "case %d: names %x and %x", i,
                    (unsigned)touch[0][k].feature, (unsigned)touch[1][k].feature);
            require(fabs(touch[0][k].gap - touch[1][k].gap) <= 1e-8, "case %d: gaps %g and %g", i,
                    touch[0][k].gap, touch[1][k].gap);
        }
        n_points += n;
    }
    require(n_points > test_cases(4000, 100000) / 4, "%ld points only", n_points);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(other);
}

/* Whatever overlaps whatever: no failure, and what lies below a height field is lifted. */
static void anything_may_overlap(void** state)
{
    (void)state;
    scri_random random = test_seed("anything_may_overlap", 174);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 10, 1.0, 0.3, hills), heights_of(10, 1.0, hills)};
    int cases = test_cases(2000, 200000);
    for (int i = 0; i < cases; ++i) {
        scree_shape body = box_of(draw_power(&random, -2.0, 0.0), draw_power(&random, -2.0, 0.0),
                                  draw_power(&random, -2.0, 0.0));
        const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_SPHERE, SCREE_SHAPE_CAPSULE,
                                          SCREE_SHAPE_CYLINDER};
        body.kind = kinds[draw_below(&random, 4)];
        double q[4] = {1.0, draw_between(&random, -1.0, 1.0), draw_between(&random, -1.0, 1.0),
                       draw_between(&random, -1.0, 1.0)};
        scri_quat_store(scri_quat_normalize(scri_quat_load(q)), q);
        double x[3] = {draw_between(&random, -0.9, 0.9), draw_between(&random, -0.9, 0.9),
                       draw_between(&random, -1.0, 0.3)};
        scri_touch touch[SCRI_MAX_TOUCHES];
        two p = pair_of(&body, mesh[i % 2], x, q);
        int n = collide(&p, 0.01, touch);
        check_points(touch, n);
        if (i % 2 == 1 && x[2] < hills(x[0], x[1]) - 0.2) {
            require(n > 0 && least_gap(touch, n) < 0.0, "case %d: a body below passes", i);
        }
    }
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
}

/* ---- rays ---- */

static void rays_meet_the_front(void** state)
{
    (void)state;
    scri_random random = test_seed("rays_meet_the_front", 175);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 20, 1.0, 0.3, hills), heights_of(20, 1.0, hills)};
    int cases = test_cases(1000, 100000), hits = 0;
    for (int i = 0; i < cases; ++i) {
        const scree_mesh* m = mesh[i % 2];
        scree_shape ball = sphere_of(1.0);
        double from[3], way[3], share = 2.0, expected = SCREE_INFINITY;
        for (int k = 0; k < 3; ++k) {
            from[k] = draw_between(&random, -1.2, 1.2);
            way[k] = 2.0 * draw_between(&random, -1.2, 1.2);
        }
        if (i % 3 == 0) way[i % 2] = 0.0;
        scri_ray ray = {scri_vec_load(from), scri_vec_load(way)};
        for (int32_t t = 0; t < scree_mesh_get_view(m).n_triangles; ++t) {
            scri_vec v[3], normal = {0.0, 0.0, 0.0};
            load_triangle(m, t, v);
            normal = scri_vec_cross(scri_vec_sub(v[1], v[0]), scri_vec_sub(v[2], v[0]));
            double along = scri_vec_dot(normal, ray.way);
            double at = scri_vec_dot(normal, scri_vec_sub(v[0], ray.origin)) / along;
            if (!(along < 0.0 && at >= 0.0 && at <= 1.0)) continue;
            if (to_triangle(v, scri_vec_add_scaled(ray.origin, at, ray.way)) > 1e-13) continue;
            expected = fmin(expected, at);
        }
        two p = pair_of(&ball, m, from, NULL);
        scri_placed placed = {.n = 2,
                              .kind = p.kind,
                              .size = p.size,
                              .mesh = p.mesh,
                              .position = p.position,
                              .rotation = p.rotation};
        scri_vec normal;
        int met = scri_ray_meets(&placed, 1, &ray, &share, &normal);
        require(met == (expected <= 1.0), "case %d: %d at %g, not at %g", i, met, share, expected);
        require(!met || fabs(share - expected) <= 1e-12, "case %d: %g is not %g", i, share,
                expected);
        require(!met || scri_vec_dot(normal, ray.way) < 0.0, "a normal along the ray");
        hits += met;
    }
    require(hits > cases / 20, "%d hits", hits);
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_have_their_distance),
        cmocka_unit_test(boxes_have_their_distance),
        cmocka_unit_test(creases_by_hand),
        cmocka_unit_test(cliffs_do_not_push),
        cmocka_unit_test(valleys_hold_corners),
        cmocka_unit_test(rims_do_not_lean),
        cmocka_unit_test(the_order_of_triangles_says_nothing),
        cmocka_unit_test(anything_may_overlap),
        cmocka_unit_test(rays_meet_the_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
