/* One body against closed forms: the order of the scheme across impacts, and free rotation. */
#include "support/worlds.h"

/* ---- a ball that bounces and rolls ----------------------------------------------------------- */

typedef struct ball {
    double t, x, z, u, v, w; /* z above the floor; u, v along x, z; w about y */
} ball;

typedef struct bounce {
    double mu, mu_r, restitution, radius, gravity;
    ball start;
} bounce;

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/* The exact law for an impact with the normal impulse n (per unit of mass, as all here): each of
 * the two channels stops, or moves on against its full friction. One combination is consistent. */
static void impact(const bounce* b, double n, ball* s)
{
    double r = b->radius, k = 0.4 * r * r, limit = b->mu * n, limit_r = b->mu_r * n;
    int found = 0;
    for (int mode = 0; mode < 9 && !found; ++mode) {
        int slip = mode / 3 - 1, spin = mode % 3 - 1; /* signs after the impact */
        double f = -limit * slip, m = -limit_r * spin;
        if (!slip && !spin) {
            f = -s->u;
            m = r * f - k * s->w;
        } else if (!slip) {
            f = (r * s->w + r * m / k - s->u) / (1.0 + r * r / k);
        } else if (!spin) {
            m = r * f - k * s->w;
        }
        double u = s->u + f, w = s->w + (m - r * f) / k;
        if (!slip) u = r * w;
        if (!spin) w = 0.0;
        if (!slip && !spin) u = 0.0;
        if (fabs(f) > limit * (1.0 + 1e-12) || fabs(m) > limit_r * (1.0 + 1e-12)) continue;
        if ((slip && sign_of(u - r * w) != slip) || (spin && sign_of(w) != spin)) continue;
        s->u = u;
        s->w = w;
        found = 1;
    }
    require(found, "no consistent impact");
}

static void fly(const bounce* b, double dt, ball* s)
{
    s->t += dt;
    s->x += dt * s->u;
    s->z += dt * (s->v - 0.5 * b->gravity * dt);
    s->v -= dt * b->gravity;
}

/* The state at time t, by closed forms from impact to impact. */
static ball bounced(const bounce* b, double t)
{
    ball s = b->start;
    for (int n = 0; n < 20; ++n) {
        double g = b->gravity, flight = (s.v + sqrt(s.v * s.v + 2.0 * g * s.z)) / g;
        if (s.t + flight >= t) break;
        fly(b, flight, &s);
        s.z = 0.0;
        impact(b, -(1.0 + b->restitution) * s.v, &s);
        s.v *= -b->restitution;
    }
    fly(b, t - s.t, &s);
    return s;
}

/* Distance between the computed and the exact state, in lengths. */
static double bounce_error(const bounce* b, double t, int steps)
{
    scree_world_def def = world_def(t / steps, 1e-12);
    scree_shape shape = sphere_of(b->radius);
    scree_body_def body = body_of(&shape, 1000.0);
    def.gravity[2] = -b->gravity;
    scree_world* world = world_new(
        def, (scree_material){.mu = b->mu, .mu_r = b->mu_r, .restitution = b->restitution});
    add_floor(world, 0.0);
    set3(body.position, b->start.x, 0.0, b->start.z + b->radius);
    set3(body.velocity, b->start.u, 0.0, b->start.v);
    body.angular_velocity[1] = b->start.w;
    add_body(world, &body, &shape);
    for (int i = 0; i < steps; ++i) step_world(world);
    ball exact = bounced(b, t);
    scree_world_view view = scree_world_get_view(world);
    double dx = view.position[3] - exact.x, dz = view.position[5] - b->radius - exact.z;
    double dw = b->radius * (view.angular_velocity[4] - exact.w);
    scree_world_destroy(world);
    return sqrt(dx * dx + dz * dz + dw * dw);
}

/* Where in a step an impact falls decides the error, so each level is the mean of many steps. */
static void bouncing_is_of_first_order(void** state)
{
    (void)state;
    bounce b = {0.3, 0.005, 0.5, 0.1, 9.81, {.z = 0.3, .u = 1.0, .w = 30.0}};
    double t = 0.55, first = 0.0, last = 0.0; /* after two impacts, in the third flight */
    enum { LEVELS = 6, DRAWS = 16 };
    for (int level = 0; level < LEVELS; ++level) {
        double mean = 0.0;
        int base = 64 << level;
        for (int i = 0; i < DRAWS; ++i) {
            mean += bounce_error(&b, t, base + base * i / DRAWS) / DRAWS;
        }
        print_message("bouncing ball: h about %.2e s, mean error %.3e\n", t / (1.4 * base), mean);
        require(mean > 0.0, "error %g", mean);
        if (level == 0) first = mean;
        last = mean;
    }
    double order = log2(first / last) / (LEVELS - 1);
    print_message("bouncing ball: observed order %.3f\n", order);
    require_near(order, 1.0, 0.1, "order across impacts");
}

/* A contact of the impulse scheme is active in the step in which g + h u_N is no longer
 * positive, u_N being the velocity before it: then the ball returns, otherwise it flies on. */
static void contacts_close_by_their_forecast(void** state)
{
    (void)state;
    double h = 1e-2, speed = 3.0, e = 0.5;
    for (int side = -1; side <= 1; side += 2) {
        scree_world_def def = world_def(h, 1e-12);
        scree_shape shape = sphere_of(0.5);
        scree_body_def body = body_of(&shape, 1000.0);
        def.gravity[2] = 0.0;
        scree_world* world = world_new(def, (scree_material){.restitution = e});
        add_floor(world, 0.0);
        body.position[2] = 0.5 + h * speed * (1.0 + 1e-9 * side);
        body.velocity[2] = -speed;
        add_body(world, &body, &shape);
        step_world(world);
        double first = scree_world_get_view(world).velocity[5];
        require_near(first, side < 0 ? e * speed : -speed, 1e-12, "velocity after one step");
        step_world(world);
        double second = scree_world_get_view(world).velocity[5];
        require_near(second, e * speed, 1e-12, "velocity after two steps");
        scree_world_destroy(world);
    }
}

/* ---- free rotation --------------------------------------------------------------------------- */

/* A box a x a x c thrown without gravity is a symmetric top: its axis turns about the constant
 * angular momentum L = (I1 w1, 0, I3 w3) with the rate |L| / I1. */
typedef struct top {
    double axis;     /* distance of the axis of symmetry from where it should be */
    double energy;   /* relative change */
    double momentum; /* relative change of L, as a vector */
} top;

static void turn(const double q[4], const double x[3], double out[3])
{
    double t[3] = {0.0, 0.0, 0.0};
    add_cross(q + 1, x, t); /* x + 2 w (v x x) + 2 v x (v x x) */
    for (int j = 0; j < 3; ++j) {
        t[j] *= 2.0;
        out[j] = x[j] + q[0] * t[j];
    }
    add_cross(q + 1, t, out);
}

static top spin_top(double theta, double h, int steps)
{
    scree_world_def def = world_def(h, 1e-12);
    scree_shape shape = box_of(0.1, 0.1, 0.4);
    scree_body_def body = body_of(&shape, 1000.0);
    double i1 = body.inertia[0], i3 = body.inertia[2], start[3] = {3.0 * i1, 0.0, 4.0 * i3};
    double size = sqrt(dot3(start, start)), angle = size / i1 * h * steps, z[3] = {0.0, 0.0, 1.0};
    def.gravity[2] = 0.0;
    def.theta = theta;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    set3(body.angular_velocity, 3.0, 0.0, 4.0);
    add_body(world, &body, &shape);
    scree_step_report report = {.kinetic = HUGE_VAL};
    for (int n = 0; n < steps; ++n) report = step_any(world);
    require_finite(world);
    scree_world_view view = scree_world_get_view(world);
    const double* w = view.angular_velocity;
    double expected[3], axis[3], precession[4] = {cos(0.5 * angle), 0.0, 0.0, 0.0};
    for (int j = 0; j < 3; ++j) precession[1 + j] = sin(0.5 * angle) * start[j] / size;
    turn(precession, z, expected);
    turn(view.rotation, z, axis);
    double off = 0.0, change = 0.0, along = dot3(axis, w);
    for (int j = 0; j < 3; ++j) {
        off = hypot(off, axis[j] - expected[j]);
        change = hypot(change, i1 * w[j] + (i3 - i1) * along * axis[j] - start[j]);
    }
    scree_world_destroy(world);
    return (top){off, report.kinetic / (0.5 * (9.0 * i1 + 16.0 * i3)) - 1.0, change / size};
}

static void a_free_top_precesses(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double theta = k ? 1.0 : 0.5;
        top coarse = spin_top(theta, 4e-4, 5000), fine = spin_top(theta, 1e-4, 20000);
        double order = log(coarse.axis / fine.axis) / log(4.0);
        print_message("top, theta %.1f: axis off by %.2e at h = 1e-4 s, observed order %.2f\n",
                      theta, fine.axis, order);
        require(fine.axis <= 1e-2, "axis off by %g", fine.axis);
        require(order >= 0.9, "order %g", order);
    }
}

/* Nothing acts on it: the energy cannot grow, in long steps less than ever. */
static void a_free_top_gains_no_energy(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        double theta = k % 2 ? 1.0 : 0.5, h = k < 2 ? 1e-3 : 4e-2;
        top after = spin_top(theta, h, (int)lround(20.0 / h));
        print_message(
            "top, theta %.1f, h = %g s, 20 s: energy %+.1e, angular momentum off by %.1e\n", theta,
            h, after.energy, after.momentum);
        require(after.energy <= 1e-6, "theta %g, h = %g s: energy grows by %g of itself", theta, h,
                after.energy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_is_of_first_order),
        cmocka_unit_test(contacts_close_by_their_forecast),
        cmocka_unit_test(a_free_top_precesses),
        cmocka_unit_test(a_free_top_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
