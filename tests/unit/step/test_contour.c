/* Contour friction: rolling friction that works with the rate at which a contact runs along the rim
 * of an inclined disc (docs/decisions/0222-contour-friction.md). */
#include "support/draw.h"
#include "support/worlds.h"

static const double rim = 0.2, half = 0.005; /* radius and half of the thickness of the disc, m */

/* v turned by the rotation vector w: Rodrigues. */
static void turn(const double w[3], const double v[3], double out[3])
{
    double angle = sqrt(dot3(w, w)), c = cos(angle), s = sin(angle), k[3], across[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) k[i] = w[i] / angle;
    add_cross(k, v, across);
    double along = dot3(k, v) * (1.0 - c);
    for (int i = 0; i < 3; ++i) out[i] = c * v[i] + s * across[i] + along * k[i];
}

/* Where the lowest point of a disc with the axes x, y in its plane lies on its rim. */
static double lowest(const double x[3], const double y[3])
{
    return atan2(-y[2], -x[2]);
}

/* The rate of that angle by differences is -(omega . t) / sin, t along the axis in the plane. */
static void test_rate_along_the_rim(void** state)
{
    (void)state;
    scri_random random = test_seed("rim", 5);
    for (int i = 0; i < test_cases(1000, 100000); ++i) {
        double frame[9], w[3], h = 1e-5, back[3], ahead[3], at[2];
        draw_frame(&random, frame); /* x, y, axis */
        double sine = hypot(frame[6], frame[7]);
        if (sine < 0.1) continue;
        for (int k = 0; k < 3; ++k) w[k] = draw_between(&random, -1.0, 1.0);
        for (int side = 0; side < 2; ++side) {
            double by[3] = {w[0], w[1], w[2]};
            for (int k = 0; k < 3; ++k) by[k] *= side ? h : -h;
            turn(by, frame, back);
            turn(by, frame + 3, ahead);
            at[side] = lowest(back, ahead);
        }
        double rate = remainder(at[1] - at[0], 2.0 * SCREE_PI) / (2.0 * h);
        double about = (w[0] * frame[6] + w[1] * frame[7]) / sine; /* omega . t */
        require(fabs(rate + about / sine) <= 1e-6 / (sine * sine * sine), "case %d: %g, not %g", i,
                rate, -about / sine);
    }
}

static scree_world* make_disc(double angle, const scree_set* set, int contour, double mu_r)
{
    scree_world* world = world_new(world_def(1e-7, 1e-10), (scree_material){.mu = 1.0});
    scree_material material = {
        .mu = 1.0, .mu_r = mu_r, .rolling = set, .lay = {0.0, 0.0, 1.0}, .contour = contour};
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_CYLINDER;
    shape.half_size[0] = rim;
    shape.half_size[1] = half;
    assert_int_equal(scree_world_add_material(world, &material, &shape.material), SCREE_OK);
    scree_body_def body = body_of(&shape, 2000.0);
    add_floor(world, 0.0);
    turn_about_y(body.rotation, angle); /* the axis: (sin, 0, cos) */
    body.position[2] = rim * sin(angle) + half * cos(angle);
    body.angular_velocity[0] = 2.0 * sin(angle);
    body.angular_velocity[1] = 0.5;
    body.angular_velocity[2] = 1.0;
    /* the rim's lowest point at (rim cos, 0, -rim sin) - half axis is at rest */
    double arm[3] = {rim * cos(angle) - half * sin(angle), 0.0, -body.position[2]};
    add_cross(arm, body.angular_velocity, body.velocity); /* -(omega x arm) */
    add_body(world, &body, &shape);
    return world;
}

/* mu_r over the sine, and a moment that works as mu_r N does along the rim. */
static void test_moment_of_the_contour(void** state)
{
    (void)state;
    scree_set* segment = NULL;
    const scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 1e-3};
    assert_int_equal(scree_set_create(NULL, &def, &segment), SCREE_OK);
    const double mu_r = 1e-4;
    for (int i = 1; i <= 9; ++i) {
        double angle = 0.1745329251994330 * i;
        scree_world* world = make_disc(angle, segment, 1, mu_r);
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        double work = 0.0, load = 0.0, run = view.angular_velocity[3] / sin(angle); /* t is x */
        for (int32_t c = 0; c < view.n_contacts; ++c) {
            double force[3], moment[3], u[3], w[3];
            contact_wrench(&view, c, force, moment);
            contact_motion(&view, view.velocity, view.angular_velocity, c, u, w);
            require_near(view.problem->coef[3 * c + 1], mu_r / sin(angle),
                         1e-6 * mu_r / (sin(angle) * sin(angle)), "coefficient");
            work += dot3(moment, w);
            load += fabs(force[2]);
        }
        require(load > 0.0 && fabs(run) > 1.0, "nothing rolls");
        require_near(work, -mu_r * load * fabs(run), 1e-5 * mu_r * load * fabs(run), "work");
        scree_world_destroy(world);
    }
    scree_set_destroy(segment);
}

/* Upright the two velocities of rolling are one; without `contour` the sine does not count. */
static void test_the_other_choice(void** state)
{
    (void)state;
    scree_world* world = make_disc(0.5 * SCREE_PI, NULL, 1, 1e-3);
    step_world(world);
    require_near(scree_world_get_view(world).problem->coef[1], 1e-3, 1e-12, "upright");
    scree_world_destroy(world);
    world = make_disc(0.3, NULL, 0, 1e-3);
    step_world(world);
    require_near(scree_world_get_view(world).problem->coef[1], 1e-3, 0.0, "by the bodies' turning");
    scree_world_destroy(world);
}

static void test_refusals(void** state)
{
    (void)state;
    const scree_material faulty[] = {
        {.mu = 1.0, .mu_r = 1e-3, .contour = 1},
        {.mu = 1.0,
         .mu_r = 1e-3,
         .contour = 1,
         .lay = {1.0, 0.0, 0.0},
         .slip = {{0}, {.at_rest = 2e-3}, {0}}},
    };
    scree_world* world = world_new(world_def(1e-3, 1e-9), (scree_material){.mu = 1.0});
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; ++i) {
        int32_t unused;
        assert_int_equal(scree_world_add_material(world, &faulty[i], &unused), SCREE_ERROR_INPUT);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_along_the_rim),
        cmocka_unit_test(test_moment_of_the_contour),
        cmocka_unit_test(test_the_other_choice),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
