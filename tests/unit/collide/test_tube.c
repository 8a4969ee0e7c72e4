/* Spheres and tubes: nearest points against a search over the surface, the mouth of a pipe, rays.
 */
#include "collide/query.h"
#include "unit/collide/scene.h"

/* Distance of a point outside of the wall from it, by brute force over the azimuth. */
static double distance(const double* size, scri_vec x)
{
    double least = 1e300;
    for (int k = 0; k < 3600; ++k) {
        double angle = atan2(x.y, x.x) + 2.0 * SCREE_PI * k / 3600.0;
        double along = x.x * cos(angle) + x.y * sin(angle);
        double rho = fmin(fmax(along, size[2]), size[0]), z = fmin(fmax(x.z, -size[1]), size[1]);
        scri_vec p = {rho * cos(angle), rho * sin(angle), z};
        least = fmin(least, scri_vec_length(scri_vec_sub(x, p)));
    }
    return least;
}

static void spheres_against_distances(void** state)
{
    (void)state;
    scri_random random = test_seed("spheres_against_distances", 61);
    scene s = scene_make(2);
    for (int i = 0; i < test_cases(500, 20000); ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        double outer = draw_between(&random, 0.3, 1.0),
               inner = draw_between(&random, 0.1, 0.9) * outer;
        scri_vec size = {outer, draw_between(&random, 0.1, 1.0), inner};
        s.n = 0;
        scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){draw_between(&random, 0.05, 0.5), 0, 0},
                  draw_vec(&random, -1.0, 1.0));
        scene_add(&s, SCREE_SHAPE_TUBE, size, draw_vec(&random, -0.3, 0.3));
        scene_turn(&s, 1, draw_rotation(&random));
        scri_mat r = scri_mat_from_quat(scri_quat_load(s.rotation + 4));
        scri_vec x = scri_vec_sub(scri_vec_load(s.position), scri_vec_load(s.position + 3));
        double expected = distance(s.size + 3, scri_mat_multiply_transposed(r, x));
        int swapped = draw_chance(&random, 50.0);
        if (swapped) scene_swap(&s);
        int n = scene_pair(&s, 10.0, out);
        require(n >= 1 && n <= 3, "case %d: %d points", i, n);
        double radius = s.size[swapped ? 3 : 0], gap = 1e300;
        for (int k = 0; k < n; ++k) {
            scri_vec normal = scri_vec_load(out[k].normal), p = scri_vec_load(out[k].point);
            if (swapped) normal = scri_vec_scale(-1.0, normal);
            gap = fmin(gap, out[k].gap);
            /* half a gap and the radius from the point is the centre */
            scri_vec centre = scri_vec_add_scaled(p, 0.5 * out[k].gap + radius, normal);
            scri_vec off = scri_vec_sub(centre, scri_vec_load(s.position + (swapped ? 3 : 0)));
            require(scri_vec_length(off) < 1e-13, "case %d: point %d is off", i, k);
        }
        if (expected > 1e-9) {
            require(fabs(gap - (expected - radius)) < 1e-6, "case %d: gap %g, not %g", i, gap,
                    expected - radius);
        } else {
            require(gap <= -radius + 1e-9, "case %d: gap %g inside", i, gap);
        }
    }
    scene_free(&s);
}

/* A ball on the mouth of a pipe touches all around, one in it at the bottom alone. */
static void known_places(void** state)
{
    (void)state;
    scri_touch out[SCRI_MAX_TOUCHES];
    scene s = scene_make(2);
    scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){0.5, 0, 0}, (scri_vec){0.0, 0.0, 1.4});
    scene_add(&s, SCREE_SHAPE_TUBE, (scri_vec){0.4, 1.0, 0.3}, (scri_vec){0.0, 0.0, 0.0});
    assert_int_equal(scene_pair(&s, 0.01, out), 3);
    for (int k = 0; k < 3; ++k) {
        require(fabs(out[k].gap) < 1e-15 && fabs(out[k].normal[2] - 0.8) < 1e-15, "mouth");
    }
    s.size[0] = 0.1;
    s.position[0] = 0.19, s.position[2] = 0.2;
    assert_int_equal(scene_pair(&s, 0.02, out), 1);
    require(fabs(out->gap - 0.01) < 1e-15 && fabs(out->normal[0] + 1.0) < 1e-15, "wall");
    s.position[0] = SCREE_NAN;
    assert_int_equal(scene_pair(&s, 0.02, out), 0);
    scene_free(&s);
}

static double ray_share(const scene* s, scri_vec from, scri_vec way, scri_vec* normal)
{
    scri_placed placed = scene_placed(s);
    scri_ray ray = {from, way};
    double share = -1.0;
    return scri_ray_meets(&placed, 0, &ray, &share, normal) ? share : -1.0;
}

static void rays(void** state)
{
    (void)state;
    scri_vec n, along = {4.0, 0.0, 0.0}, down = {0.0, 0.0, -4.0};
    scene s = scene_make(1);
    scene_add(&s, SCREE_SHAPE_TUBE, (scri_vec){0.4, 1.0, 0.3}, (scri_vec){0.0, 0.0, 0.0});
    double share = ray_share(&s, (scri_vec){-2.0, 0.0, 0.0}, along, &n); /* from outside */
    require(fabs(share - 0.4) < 1e-14 && fabs(n.x + 1.0) < 1e-14, "outside: %g", share);
    share = ray_share(&s, (scri_vec){0.0, 0.0, 0.0}, along, &n); /* from the axis */
    require(fabs(share - 0.075) < 1e-14 && fabs(n.x + 1.0) < 1e-14, "inside: %g", share);
    share = ray_share(&s, (scri_vec){0.35, 0.0, 2.0}, down, &n); /* on the rim */
    require(fabs(share - 0.25) < 1e-14 && fabs(n.z - 1.0) < 1e-14, "rim: %g", share);
    share = ray_share(&s, (scri_vec){0.35, 0.0, 0.0}, along, &n); /* in the wall */
    require(share == 0.0, "wall: %g", share);
    require(ray_share(&s, (scri_vec){0.1, 0.0, 2.0}, down, &n) < 0.0, "through the bore");
    require(ray_share(&s, (scri_vec){0.0, 0.0, 1.5}, along, &n) < 0.0, "above");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_against_distances),
        cmocka_unit_test(known_places),
        cmocka_unit_test(rays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
