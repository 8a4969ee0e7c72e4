/* Rounded shapes in the narrow phase: gaps are distances of the cores less the radii. */
#include "collide/convex.h"
#include "collide/query.h"
#include "unit/collide/scene.h"

static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_CYLINDER, SCREE_SHAPE_HULL,
                                         SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const scri_vec zero = {0.0, 0.0, 0.0};
static scree_hull* hull;

static int make_hull(void** state)
{
    (void)state;
    static const double points[] = {0.7, 0.1, -0.4, -0.6, 0.5,  -0.3, -0.2, -0.8, -0.2,
                                    0.3, 0.4, 0.5,  -0.3, -0.2, 0.6,  0.5,  -0.5, 0.3};
    return scree_hull_create(NULL, 6, points, &hull) != SCREE_OK;
}

static int free_hull(void** state)
{
    (void)state;
    scree_hull_destroy(hull);
    return 0;
}

static int32_t add(scene* s, scree_shape_kind kind, scri_vec size, double rounding, scri_vec place)
{
    int32_t i = kind == SCREE_SHAPE_HULL ? scene_add_hull(s, hull, size.x, place)
                                         : scene_add(s, kind, size, place);
    s->rounding[i] = rounding;
    return i;
}

static scri_convex core_of(const scene* s, int32_t i)
{
    scri_placed placed = scene_placed(s);
    static scri_solid solid[2];
    solid[i] = scri_solid_load(&placed, i);
    return scri_convex_load(s->kind[i], &solid[i], zero);
}

/* Every pair of kinds, at random poses, apart and in shallow overlap: the least gap is the distance
 * between the cores, which test_convex.c proves, less the radii; the normal is the direction. */
static void gaps_are_distances(void** state)
{
    (void)state;
    scri_random random = test_seed("gaps_are_distances", 81);
    for (int pair = 0; pair < N_KINDS * N_KINDS; ++pair) {
        long n_found = 0;
        for (int i = 0; i < test_cases(100, 20000); ++i) {
            scene s = scene_make(2);
            double direction[3];
            draw_direction(&random, direction);
            scri_vec place =
                scri_vec_scale(draw_between(&random, 0.5, 2.0), scri_vec_load(direction));
            scri_vec one = draw_vec(&random, 0.2, 0.6), two = draw_vec(&random, 0.2, 0.6);
            double of_one = draw_between(&random, 0.05, 0.3),
                   of_two = draw_between(&random, 0.0, 0.3);
            add(&s, kinds[pair / N_KINDS], one, of_one, place);
            add(&s, kinds[pair % N_KINDS], two, of_two, zero);
            for (int k = 0; k < 2; ++k) scene_turn(&s, k, draw_rotation(&random));
            scri_convex a = core_of(&s, 0), b = core_of(&s, 1);
            scri_nearest near;
            scri_touch out[SCRI_MAX_TOUCHES];
            scri_gap gap = scri_nearest_of(&a, &b, SCREE_INFINITY, &near);
            double radii = a.radius + b.radius;
            if (gap != SCRI_APART || !(near.distance > 0.06 * radii)) {
                scene_free(&s);
                continue;
            }
            double want = near.distance - radii, least = SCREE_INFINITY;
            int n = scene_pair(&s, 0.1, out);
            for (int k = 0; k < n; ++k) least = fmin(least, out[k].gap);
            /* gaps along the normal of a face are larger by the square of its tilt */
            if (want < 0.1 - 1e-3)
                require(n > 0, "pair %d, case %d: no point at %g", pair, i, want);
            if (want > 0.1 + 1e-9) assert_int_equal(n, 0);
            if (n > 0) {
                /* a face within its angle of the other's gives its own normal (decision 100) */
                double sine =
                    scri_vec_length(scri_vec_cross(scri_vec_load(out[0].normal), near.normal));
                double off = sine < 1e-6 ? 1e-8 : 0.07;
                /* fixed points stand for the lowest of a rim that lies flat (test_pairs.c), and
                 * gaps of a patch for the least when they are within a tenth of a layer */
                double above = fmax(off, 1e-3 * fmin(s.rounding[0] + 0.6, s.rounding[1] + 0.6));
                require(sine < 0.07, "pair %d, case %d: normal off by %g", pair, i, sine);
                require(least >= want - off && least <= want + above,
                        "pair %d, case %d: gap %g, %+g", pair, i, want, least - want);
                n_found += sine < 1e-6;
            }
            scene_free(&s);
        }
        require(n_found > test_cases(100, 20000) / 10, "pair %d: %ld points only", pair, n_found);
    }
}

/* How far a core reaches in a direction, by other formulas than the library's. */
static double reach(scree_shape_kind kind, const double* size, scri_vec m)
{
    double across = hypot(m.x, m.y), most = -SCREE_INFINITY;
    switch (kind) {
    case SCREE_SHAPE_BOX:
        return fabs(m.x) * size[0] + fabs(m.y) * size[1] + fabs(m.z) * size[2];
    case SCREE_SHAPE_ELLIPSOID:
        return hypot(m.x * size[0], hypot(m.y * size[1], m.z * size[2]));
    case SCREE_SHAPE_CONE:
        return fmax(1.5 * size[1] * m.z, across * size[0] - 0.5 * size[1] * m.z);
    case SCREE_SHAPE_HULL:
        for (int32_t i = 0; i < scree_hull_get_view(hull).n_corners; ++i) {
            const double* x = scree_hull_get_view(hull).corners + 3 * (size_t)i;
            most = fmax(most, size[0] * (m.x * x[0] + m.y * x[1] + m.z * x[2]));
        }
        return most;
    default:
        return across * size[0] + fabs(m.z) * size[1];
    }
}

static void on_half_spaces(void** state)
{
    (void)state;
    scri_random random = test_seed("on_half_spaces", 82);
    for (int i = 0; i < test_cases(1000, 50000); ++i) {
        scene s = scene_make(2);
        scri_touch out[SCRI_MAX_TOUCHES];
        scri_vec size = draw_vec(&random, 0.2, 0.6);
        double r = draw_between(&random, 0.01, 0.3);
        add(&s, kinds[i % N_KINDS], size, r, zero);
        scene_add(&s, SCREE_SHAPE_HALF_SPACE, zero, zero);
        scri_quat turn = draw_rotation(&random);
        scene_turn(&s, 0, turn);
        scri_vec down =
            scri_mat_multiply_transposed(scri_mat_from_quat(turn), (scri_vec){0, 0, -1});
        double gap = draw_between(&random, -0.1, 0.1), least = 1.0;
        s.position[2] = reach(s.kind[0], s.size, down) + r + gap;
        int n = scene_pair(&s, 0.2, out);
        for (int k = 0; k < n; ++k) {
            least = fmin(least, out[k].gap);
            require(fabs(out[k].point[2] - 0.5 * out[k].gap) <= 1e-15, "not midway");
        }
        /* a rim that lies flat is met by fixed points (test_pairs.c) */
        int is_flat = hypot(down.x, down.y) <= 1e-3;
        require(n > 0 && fabs(least - gap) <= (is_flat ? 2e-4 : 1e-14), "kind %d: gap %g, not %g",
                (int)s.kind[0], least, gap);
        scene_free(&s);
    }
}

/* As many points as the sharp shape has, where it rests. */
static void manifolds_of_the_sharp(void** state)
{
    (void)state;
    static const struct {
        scree_shape_kind kind;
        int n;
    } standing[] = {{SCREE_SHAPE_BOX, 8}, {SCREE_SHAPE_CYLINDER, 8}};
    for (int i = 0; i < 2; ++i) {
        for (double r = 1e-7; r < 0.3; r *= 100.0) {
            scene s = scene_make(2);
            scri_touch out[SCRI_MAX_TOUCHES];
            add(&s, standing[i].kind, (scri_vec){0.3, 0.4, 0.4}, r, (scri_vec){0.0, 0.0, 1.4 + r});
            add(&s, SCREE_SHAPE_BOX, (scri_vec){1.0, 1.0, 1.0}, 0.0, zero);
            int n = scene_pair(&s, 1e-3, out);
            require(n >= 4 && n <= standing[i].n, "%d points with rounding %g", n, r);
            for (int k = 0; k < n; ++k) {
                require(fabs(out[k].gap) < 1e-15 && out[k].normal[2] == 1.0, "gap %g", out[k].gap);
                require(fabs(hypot(out[k].point[0], out[k].point[1])) > 0.29, "not at the rim");
            }
            scene_free(&s);
        }
    }
}

/* Distance of a point from the core of a box or cylinder. */
static double from_core(const scene* s, scri_vec x)
{
    const double* h = s->size;
    double u = fabs(x.x) - h[0], v = fabs(x.y) - h[1], w = fabs(x.z) - h[2];
    if (s->kind[0] == SCREE_SHAPE_CYLINDER) {
        return hypot(fmax(hypot(x.x, x.y) - h[0], 0.0), fmax(fabs(x.z) - h[1], 0.0));
    }
    return hypot(fmax(u, 0.0), hypot(fmax(v, 0.0), fmax(w, 0.0)));
}

static void rays(void** state)
{
    (void)state;
    scri_random random = test_seed("rays", 83);
    long n_hits = 0, n_misses = 0;
    for (int i = 0; i < test_cases(1000, 50000); ++i) {
        scene s = scene_make(1);
        double r = draw_between(&random, 0.05, 0.3), share;
        scri_vec size = draw_vec(&random, 0.2, 0.6), normal;
        add(&s, i % 2 ? SCREE_SHAPE_BOX : SCREE_SHAPE_CYLINDER, size, r, zero);
        scri_ray ray = {draw_vec(&random, -2.0, 2.0), draw_vec(&random, -1.5, 1.5)};
        ray.way = scri_vec_add_scaled(ray.way, -1.5, ray.origin);
        scri_placed placed = scene_placed(&s);
        int hit = scri_ray_meets(&placed, 0, &ray, &share, &normal);
        double least = SCREE_INFINITY;
        for (int k = 0; k <= 2000; ++k) {
            double at = (hit ? share : 1.0) * k / 2000.0;
            least = fmin(least, from_core(&s, scri_vec_add_scaled(ray.origin, at, ray.way)));
        }
        require(least >= r - 1e-14 || (hit && share == 0.0), "case %d: too far, %g in %g", i, least,
                r);
        if (hit && share > 0.0) {
            scri_vec at = scri_vec_add_scaled(ray.origin, share, ray.way);
            double to = from_core(&s, at);
            require(fabs(to - r) <= 1e-13, "case %d: ends at %g, not %g", i, to, r);
            double rise = from_core(&s, scri_vec_add_scaled(at, 1e-3, normal)) - to;
            require(fabs(rise - 1e-3) <= 1e-12, "case %d: normal", i);
        }
        n_hits += hit;
        n_misses += !hit;
        scene_free(&s);
    }
    require(n_hits > 100 && n_misses > 100, "%ld hits, %ld misses", n_hits, n_misses);
}

/* A box that is all rounding is a ball, a needle a capsule: with each other and with all others. */
static void balls_and_capsules(void** state)
{
    (void)state;
    scri_random random = test_seed("balls_and_capsules", 84);
    static const scree_shape_kind others[] = {SCREE_SHAPE_SPHERE,    SCREE_SHAPE_BOX,
                                              SCREE_SHAPE_CAPSULE,   SCREE_SHAPE_CYLINDER,
                                              SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE};
    for (int i = 0; i < test_cases(600, 60000); ++i) {
        const double tiny = 1e-12;
        scri_touch of_box[SCRI_MAX_TOUCHES], of_other[SCRI_MAX_TOUCHES];
        double least[2] = {SCREE_INFINITY, SCREE_INFINITY}, half = i % 2 ? 0.5 : tiny;
        scri_quat turns[2] = {draw_rotation(&random), draw_rotation(&random)};
        scri_vec place = draw_vec(&random, -1.0, 1.0), size = draw_vec(&random, 0.2, 0.6);
        for (int k = 0; k < 2; ++k) {
            scene s = scene_make(2);
            if (k == 0) add(&s, SCREE_SHAPE_BOX, (scri_vec){tiny, tiny, half}, 0.3, place);
            if (k == 1) add(&s, SCREE_SHAPE_CAPSULE, (scri_vec){0.3, half, 0.0}, 0.0, place);
            add(&s, others[i / 2 % 6], size, 0.0, zero);
            scene_turn(&s, 0, turns[0]);
            scene_turn(&s, 1, turns[1]);
            scri_touch* out = k ? of_other : of_box;
            int n = scene_pair(&s, 0.2, out);
            for (int e = 0; e < n; ++e) least[k] = fmin(least[k], out[e].gap);
            scene_free(&s);
        }
        if (!(least[1] > -0.2 && least[1] < 0.19)) continue;
        require(fabs(least[0] - least[1]) <= 0.01, "case %d, kind %d: gap %g, not %g", i,
                (int)others[i / 2 % 6], least[0], least[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_distances),     cmocka_unit_test(on_half_spaces),
        cmocka_unit_test(manifolds_of_the_sharp), cmocka_unit_test(rays),
        cmocka_unit_test(balls_and_capsules),
    };
    return cmocka_run_group_tests(tests, make_hull, free_hull);
}
