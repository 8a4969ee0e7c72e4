/* The rolling disc of Tasora & Anitescu, section 6.1, and what their convex law does to the gap.
 *
 * R = 1 m, M = 10 kg, J = 4 kg m^2 (given, not M R^2 / 2), rho = 0.02 m, mu = 0.9, g = 9.8 m/s^2,
 * v0 = 1 m/s without slip: deceleration a = rho g M R / (J + M R^2) = 0.14 m/s^2, so it stops after
 * 1 / a = 7.142857 s and 1 / (2 a) = 3.571429 m. A sphere with that mass and inertia moves as the
 * disc does, because its contact is one point below its centre. */
#include "support/worlds.h"

typedef struct rig {
    scree_law law;
    scree_scheme scheme;
    double step, theta, gravity;
    scree_material material;
    double radius, mass, inertia;
    scree_force* force;
    void* force_user;
} rig;

static const rig disc_rig = {.law = SCREE_LAW_EXACT,
                             .scheme = SCREE_SCHEME_GAP,
                             .step = 1e-2,
                             .theta = 1.0,
                             .gravity = 9.8,
                             .material = {.mu = 0.9, .mu_r = 0.02},
                             .radius = 1.0,
                             .mass = 10.0,
                             .inertia = 4.0};

/* Body 0 is the floor, body 1 lies on it. */
static scree_world* rig_world(const rig* r, const double velocity[3], const double spin[3])
{
    scree_world_def def = world_def(r->step, 1e-14);
    scree_shape shape = sphere_of(r->radius);
    scree_body_def body = scree_default_body_def();
    def.law = r->law;
    def.scheme = r->scheme;
    def.theta = r->theta;
    def.gravity[2] = -r->gravity;
    def.margin = 0.1;
    def.force = r->force;
    def.force_user = r->force_user;
    scree_world* world = world_new(def, r->material);
    add_floor(world, 0.0);
    body.mass = r->mass;
    for (int j = 0; j < 3; ++j) {
        body.inertia[j] = r->inertia;
        body.velocity[j] = velocity[j];
        body.angular_velocity[j] = spin[j];
    }
    body.position[2] = r->radius;
    assert_int_equal(add_body(world, &body, &shape), 1);
    return world;
}

static scree_world* disc_world(const rig* r)
{
    return rig_world(r, (double[]){1.0, 0.0, 0.0}, (double[]){0.0, 1.0, 0.0});
}

static double gap_of(const scree_world* world, const rig* r)
{
    return scree_world_get_view(world).position[5] - r->radius;
}

/* mu |u_T| + mu_r |w_R| + mu_s |w_S| at the only contact, from the velocities of the bodies. */
static double dilatation(const scree_world* world, const scree_material* m)
{
    scree_world_view view = scree_world_get_view(world);
    double u[3], w[3];
    assert_int_equal(view.n_contacts, 1);
    contact_motion(&view, view.velocity, view.angular_velocity, 0, u, w);
    return m->mu * hypot(u[0], u[1]) + m->mu_r * hypot(w[0], w[1]) + m->mu_s * fabs(w[2]);
}

/* ---- the disc -------------------------------------------------------------------------------- */

typedef struct run {
    double stop_time, stop, largest_gap;
} run;

/* Until the speed is less than a thousandth of what a step takes off it. */
static run roll_to_rest(const rig* r)
{
    scree_world* world = disc_world(r);
    run out = {0.0, 0.0, 0.0};
    while (scree_world_time(world) < 7.5) {
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        if (!(fabs(view.velocity[3]) <= 1e-3 * 0.14 * r->step)) {
            out.stop_time = view.time + r->step; /* at the end of the next step at the earliest */
        }
        out.largest_gap = fmax(out.largest_gap, fabs(gap_of(world, r)));
        out.stop = view.position[3];
    }
    require_finite(world);
    scree_world_destroy(world);
    return out;
}

/* v_k = 1 - a h k, so that implicit Euler ends at h (N - a h N (N + 1) / 2), N = floor(1 / a h);
 * the trapezoidal rule adds half of the first step's velocity. */
static double discrete_stop(double h, double theta)
{
    double a = 0.14, n = floor(1.0 / (a * h));
    return h * (n - a * h * n * (n + 1.0) / 2.0) + (1.0 - theta) * h;
}

static void the_exact_law_rolls_to_rest(void** state)
{
    (void)state;
    static const double steps[] = {0.05, 0.01, 0.005, 0.001};
    for (int k = 0; k < 12; ++k) {
        rig r = disc_rig;
        r.step = steps[k % 4];
        r.scheme = k < 8 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        r.theta = k < 4 ? 1.0 : 0.5;
        run out = roll_to_rest(&r);
        print_message("exact, theta %.1f, h = %.3f s: stops at %.6f s, %.9f m; gap %.1e m\n",
                      r.theta, r.step, out.stop_time, out.stop, out.largest_gap);
        require(out.stop_time >= 1.0 / 0.14 - 1e-9 && out.stop_time <= 1.0 / 0.14 + r.step + 1e-9,
                "stops at %.9f s", out.stop_time);
        require_near(out.stop, discrete_stop(r.step, r.theta), 1e-9, "stopping point");
        require_near(out.stop, 1.0 / 0.28, (r.theta - 0.5) * r.step + 0.07 * r.step * r.step,
                     "stopping point of the continuous disc");
        require(out.largest_gap < 1e-12, "gap %g m", out.largest_gap);
    }
}

/* Speed by speed, while it rolls. */
static void the_deceleration_is_constant(void** state)
{
    (void)state;
    rig r = disc_rig;
    scree_world* world = disc_world(&r);
    for (int i = 1; i <= 714; ++i) {
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        require_near(view.velocity[3], 1.0 - 0.14 * r.step * i, 1e-11, "speed");
        require_near(view.angular_velocity[4], view.velocity[3], 1e-11, "slip");
    }
    scree_world_destroy(world);
}

/* A floating body touches the floor midway in the gap, so that it rolls with the radius R + gap /
 * 2: by how much that can carry it farther. */
static double float_error(const rig* r, const run* out)
{
    return 0.5 * out->largest_gap / r->radius * out->stop;
}

/* The relaxation stops where the exact law does, but floats: with theta = 1 the gap at the end of
 * every step in contact is h (mu |u_T| + rho |w_T|). At the start it hops. */
static void the_convex_law_floats_to_rest(void** state)
{
    (void)state;
    static const double steps[] = {0.05, 0.01, 0.005};
    for (int k = 0; k < 3; ++k) {
        rig r = disc_rig;
        r.law = SCREE_LAW_CONVEX;
        r.step = steps[k];
        scree_world* world = disc_world(&r);
        double worst = 0.0;
        int landed = 0;
        while (scree_world_time(world) < 7.0) {
            step_world(world);
            scree_world_view view = scree_world_get_view(world);
            if (!(view.impulse[0] > 0.0)) continue; /* it hops */
            ++landed;
            double theory = r.step * dilatation(world, &r.material);
            worst = fmax(worst, fabs(gap_of(world, &r) - theory));
            require_near(gap_of(world, &r), theory, 1e-12, "gap");
        }
        run out = roll_to_rest(&r);
        print_message("convex, h = %.3f s: gap h rho |w| to %.1e m; stops at %.6f s, %.9f m\n",
                      r.step, worst, out.stop_time, out.stop);
        require(landed > 6.5 / r.step, "in contact in %d steps only", landed);
        require(out.stop_time <= 1.0 / 0.14 + 1.1 * r.step, "stops at %.6f s", out.stop_time);
        require_near(out.stop, discrete_stop(r.step, 1.0), float_error(&r, &out), "stopping point");
        scree_world_destroy(world);
    }
}

/* ---- all channels, steady -------------------------------------------------------------------- */

/* Holds up a motion against the friction of its contact: what the weight m g carries in each
 * channel, given back by a force and a torque. */
static void drive(void* user, const scree_world_view* view, double* force, double* torque)
{
    const rig* r = user;
    double weight = r->mass * r->gravity, u[2], lever = r->radius;
    const double *v = view->velocity + 3, *w = view->angular_velocity + 3;
    u[0] = v[0] - lever * w[1];
    u[1] = v[1] + lever * w[0];
    double slip = hypot(u[0], u[1]), roll = hypot(w[0], w[1]);
    double fx = r->material.mu * weight * u[0] / slip, fy = r->material.mu * weight * u[1] / slip;
    force[3] += fx;
    force[4] += fy;
    torque[3] += r->material.mu_r * weight * w[0] / roll + lever * fy;
    torque[4] += r->material.mu_r * weight * w[1] / roll - lever * fx;
    torque[5] += r->material.mu_s * weight * copysign(1.0, w[2]);
}

static void the_steady_gap_counts_every_channel(void** state)
{
    (void)state;
    static const scree_material materials[] = {{.mu = 0.3},
                                               {.mu = 0.3, .mu_r = 0.02},
                                               {.mu = 0.3, .mu_s = 0.03},
                                               {.mu = 0.3, .mu_r = 0.02, .mu_s = 0.03}};
    for (int k = 0; k < 8; ++k) {
        rig r = disc_rig;
        r.law = k < 4 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        r.material = materials[k % 4];
        r.force = drive;
        r.force_user = &r;
        r.step = 1e-3;
        scree_world* world = rig_world(&r, (double[]){2.0, 0.5, 0.0}, (double[]){-0.7, 0.4, 3.0});
        double gap = 0.0, theory = 0.0;
        for (int i = 0; i < 2000; ++i) {
            step_world(world);
            if (i < 1000) continue; /* the hop dies away */
            gap = gap_of(world, &r);
            theory = r.step * dilatation(world, &r.material);
            if (r.law == SCREE_LAW_EXACT) theory = 0.0;
            require(scree_world_get_view(world).impulse[0] > 0.0, "no contact at step %d", i);
            require_near(gap, theory, 1e-12, "gap");
        }
        print_message("%s, mu_r = %.2f m, mu_s = %.2f m: gap %.6e m, theory %.6e m\n",
                      scree_law_name((int)r.law), r.material.mu_r, r.material.mu_s, gap, theory);
        require(r.law == SCREE_LAW_EXACT || theory > 3e-4, "it hardly slides: %g m", theory);
        scree_world_destroy(world);
    }
}

/* ---- the hop at the start -------------------------------------------------------------------- */

/* From zero gap the first step must leave u_N = mu |u_T|, whatever h: with k = 1 + M R^2 / J,
 * u_T+ = v - k mu (u_N + g h), so u_N = mu (v - k mu g h) / (1 + k mu^2). Then it flies. The note
 * of 16 mm for mu = 0.3, v = 2 m/s is a body that does not turn (k = 1). */
static void the_convex_law_hops_at_the_start(void** state)
{
    (void)state;
    static const double steps[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 6; ++i) {
        rig r = disc_rig;
        double mu = 0.3, v = 2.0, h = steps[i % 3], k = i < 3 ? 1.0 : 3.5, height = 0.0;
        r.law = SCREE_LAW_CONVEX;
        r.step = h;
        r.gravity = 9.81;
        r.material = (scree_material){.mu = mu};
        r.inertia = i < 3 ? 1e16 : 0.4 * r.mass * r.radius * r.radius;
        scree_world* world = rig_world(&r, (double[]){v, 0.0, 0.0}, (double[]){0.0, 0.0, 0.0});
        double u = mu * (v - k * mu * r.gravity * h) / (1.0 + k * mu * mu), top = 0.0;
        for (int n = 0; u - n * r.gravity * h > 0.0; ++n) height += h * (u - n * r.gravity * h);
        step_world(world);
        require_near(scree_world_get_view(world).velocity[5], u, 1e-9, "first step");
        while (scree_world_time(world) < 0.1) {
            step_world(world);
            top = fmax(top, gap_of(world, &r));
        }
        print_message("h = %.0e s, %s: hops %.3f mm\n", h, i < 3 ? "no turning" : "sphere",
                      1e3 * top);
        require_near(top, height, 1e-9, "height of the hop");
        require_near(top, u * u / (2.0 * r.gravity), 0.6 * u * h, "height of free flight");
        if (i == 1) require_near(top, 16e-3, 0.5e-3, "the hop of the note");
        scree_world_destroy(world);
    }
}

/* ---- reference values ------------------------------------------------------------------------ */

static void the_table_agrees(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("disc.csv");
    rig r = disc_rig;
    r.theta = 0.5;
    r.scheme = SCREE_SCHEME_IMPULSE;
    scree_world* world = disc_world(&r);
    double t, x, v;
    int rows = 0, c;
    do {
        c = getc(file);
    } while (c != '\n' && c != EOF);
    while (fscanf(file, "%lf,%lf,%lf", &t, &x, &v) == 3) {
        while (scree_world_get_view(world).steps < llround(t / r.step)) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        require_near(view.position[3], x, 0.14 * r.step * r.step / 8.0 + 1e-9, "x");
        require_near(view.velocity[3], v, 1e-9, "v");
        ++rows;
    }
    fclose(file);
    scree_world_destroy(world);
    require(rows > 80, "%d rows only", rows);
}

/* The number after the next such key. */
static double number_after(FILE* file, const char* text)
{
    char word[64];
    double value = HUGE_VAL;
    while (fscanf(file, "%63s", word) == 1) {
        if (strcmp(word, text) == 0 && fscanf(file, "%lf", &value) == 1) return value;
    }
    fail_msg("%s is missing", text);
    return value;
}

static void the_values_of_both_laws_agree(void** state)
{
    (void)state;
    static const double steps[] = {0.05, 0.01, 0.005, 0.001};
    FILE* file = test_open_oracle("disc.json");
    for (int k = 0; k < 4; ++k) {
        rig r = disc_rig;
        r.step = steps[k];
        run exact = roll_to_rest(&r);
        r.law = SCREE_LAW_CONVEX;
        run convex = roll_to_rest(&r);
        double stop = number_after(file, "\"ccp_x_stop\":");
        double gap = number_after(file, "\"ccp_max_gap\":");
        double exact_stop = number_after(file, "\"exact_x_stop\":");
        print_message("h = %.3f s: x %.9f (%.9f), largest gap %.6e (%.6e) m\n", r.step, convex.stop,
                      stop, convex.largest_gap, gap);
        require_near(exact.stop, exact_stop, 1e-9, "exact law");
        require_near(convex.stop, stop, float_error(&r, &convex), "convex law");
        require_near(convex.largest_gap / gap, 1.0, 1e-3, "largest gap");
    }
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_law_rolls_to_rest),
        cmocka_unit_test(the_deceleration_is_constant),
        cmocka_unit_test(the_convex_law_floats_to_rest),
        cmocka_unit_test(the_steady_gap_counts_every_channel),
        cmocka_unit_test(the_convex_law_hops_at_the_start),
        cmocka_unit_test(the_table_agrees),
        cmocka_unit_test(the_values_of_both_laws_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
