/* Rolling friction as a share of the radius, f = rho / R (Tasora & Anitescu, section 2.1): grains
 * of any size roll to rest alike. */
#include "support/worlds.h"

/* Spheres of several sizes side by side on a plane, rolling without slip. */
static void every_size_decelerates_alike(void** state)
{
    (void)state;
    static const double radius[] = {0.003, 0.01, 0.04, 0.2, 1.0};
    enum { N = sizeof radius / sizeof radius[0] };
    const double f = 0.02, gravity = 9.81, v0 = 1.0, h = 1e-3;
    scree_world* world =
        world_new(world_def(h, 1e-12), (scree_material){.mu = 0.5, .mu_r_share = f});
    add_floor(world, 0.0);
    for (int i = 0; i < N; ++i) {
        scree_shape shape = sphere_of(radius[i]);
        scree_body_def body = body_of(&shape, 1000.0);
        body.position[1] = 3.0 * i;
        body.position[2] = radius[i];
        body.velocity[0] = v0;
        body.angular_velocity[1] = v0 / radius[i];
        add_body(world, &body, &shape);
    }
    double stop = v0 / (5.0 / 7.0 * f * gravity); /* f = rho / R: the radius drops out */
    for (int i = 0; i < 2000; ++i) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    for (int i = 0; i < N; ++i) {
        const double* coef = view.problem->coef + 3 * (size_t)i;
        double speed = v0 - 5.0 / 7.0 * f * gravity * view.time;
        require(fabs(view.velocity[3 * (i + 1)] - speed) <= 1e-9, "radius %g: %.12g m/s, not %.12g",
                radius[i], view.velocity[3 * (i + 1)], speed);
        require(coef[1] == f * radius[i] && coef[2] == 0.0, "radius %g: mu_r = %g", radius[i],
                coef[1]);
    }
    while (scree_world_time(world) < stop + 0.1) step_world(world);
    view = scree_world_get_view(world);
    for (int i = 0; i < N; ++i) {
        require(is_at_rest(&view, i + 1), "radius %g rolls after %g s", radius[i], view.time);
    }
    scree_world_destroy(world);
}

/* Between two grains the radius of the smaller counts, and lengths are added to shares. */
static void the_smaller_grain_counts(void** state)
{
    (void)state;
    const scree_material material = {
        .mu = 0.5, .mu_r = 1e-4, .mu_r_share = 0.1, .mu_s_share = 0.05};
    scree_world* world = world_new(world_def(1e-3, 1e-10), material);
    scree_shape large = sphere_of(0.3), small = sphere_of(0.02);
    scree_body_def body = body_of(&large, 1000.0);
    add_floor(world, 0.0);
    body.position[2] = 0.3;
    add_body(world, &body, &large);
    body = body_of(&small, 1000.0);
    body.position[2] = 0.62;
    add_body(world, &body, &small);
    step_world(world);
    scree_world_view view = scree_world_get_view(world);
    assert_int_equal(view.n_contacts, 2);
    for (int32_t c = 0; c < 2; ++c) {
        int on_floor = view.point[3 * c + 2] < 0.1;
        double radius = on_floor ? 0.3 : 0.02;
        const double* coef = view.problem->coef + 3 * (size_t)c;
        assert_int_equal(view.problem->rows[c], SCREE_ROWS_NTTRRS);
        require(coef[1] == 1e-4 + 0.1 * radius && coef[2] == 0.05 * radius,
                "mu_r = %g, mu_s = %g at a radius of %g", coef[1], coef[2], radius);
    }
    scree_world_destroy(world);
}

static void faulty_shares_are_refused(void** state)
{
    (void)state;
    const scree_material faulty[] = {
        {.mu = 0.5, .mu_r_share = -0.1},
        {.mu = 0.5, .mu_s_share = (double)NAN},
        {.mu = 0.5, .mu_r_share = 0.1, .mu_r = 1e-3, .slip = {{0}, {.at_rest = 2e-3}, {0}}},
    };
    scree_world* world = world_new(world_def(1e-3, 1e-10), (scree_material){.mu = 0.5});
    int32_t index;
    for (size_t k = 0; k < sizeof faulty / sizeof faulty[0]; ++k) {
        assert_int_equal(scree_world_add_material(world, &faulty[k], &index), SCREE_ERROR_INPUT);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_decelerates_alike),
        cmocka_unit_test(the_smaller_grain_counts),
        cmocka_unit_test(faulty_shares_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
