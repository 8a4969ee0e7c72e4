/* Rolling where the motion is smooth: second order in the step, beside closed forms and an
 * integration by Runge and Kutta's method of the equations of rolling. */
#include "support/roll.h"
#include "support/worlds.h"

static const double degree = SCREE_DEGREE;

/* ---- bodies that roll ------------------------------------------------------------------------ */

static scri_quat about_y(double angle)
{
    return (scri_quat){cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
}

/* A thin disc of 0.1 kg and 4 cm. */
static roll_body disc_of(double mu_r)
{
    roll_body b = {.mass = 0.1, .radius = 0.04, .half = 5e-4, .mu_r = mu_r, .gravity = 9.81};
    b.inertia[2] = 0.5 * b.mass * b.radius * b.radius;
    b.inertia[0] = b.inertia[1] = 0.5 * b.inertia[2] + b.mass * b.half * b.half / 3.0;
    return b;
}

/* A ball with its centre of mass off its middle and three different moments of inertia: it sways,
 * swings round and turns back, as a rattleback does. */
static roll_body loaded_ball(void)
{
    return (roll_body){.mass = 0.2,
                       .inertia = {1.0e-4, 1.7e-4, 2.3e-4},
                       .radius = 0.05,
                       .offset = {0.004, -0.003, 0.012},
                       .is_sphere = 1,
                       .gravity = 9.81};
}

static roll_state start_of(const roll_body* b, scri_quat q, scri_vec w)
{
    return (roll_state){q, {0.0, 0.0, roll_height(b, q)}, w};
}

/* A world with the body on a floor that it does not slip on. */
static scree_world* world_of(const roll_body* b, const roll_state* s, scree_scheme scheme, double h)
{
    scree_world_def def = world_def(h, 1e-11);
    scree_body_def body = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    def.scheme = scheme;
    def.gravity[2] = -b->gravity;
    scree_world* world = world_new(def, (scree_material){.mu = 5.0, .mu_r = b->mu_r});
    add_floor(world, 0.0);
    shape.kind = b->is_sphere ? SCREE_SHAPE_SPHERE : SCREE_SHAPE_CYLINDER;
    shape.half_size[0] = b->radius;
    shape.half_size[1] = b->half;
    scri_vec_store(b->offset, shape.position);
    body.mass = b->mass;
    for (int i = 0; i < 3; ++i) body.inertia[i] = b->inertia[i];
    scri_vec_store(s->x, body.position);
    scri_quat_store(s->q, body.rotation);
    scri_vec_store(roll_velocity(b, s), body.velocity);
    scri_vec_store(s->w, body.angular_velocity);
    add_body(world, &body, &shape);
    return world;
}

/* Distance of the world's body from `s`: of the centre, and of the axes times the radius. */
static double distance(const scree_world* world, const roll_body* b, const roll_state* s)
{
    scree_world_view view = scree_world_get_view(world);
    scri_quat q = scri_quat_load(view.rotation + 4);
    scri_vec off = scri_vec_sub(scri_vec_load(view.position + 3), s->x);
    double square = scri_vec_dot(off, off);
    for (int k = 0; k < 3; ++k) {
        scri_vec axis = {k == 0, k == 1, k == 2};
        off = scri_vec_sub(scri_quat_rotate(q, axis), scri_quat_rotate(s->q, axis));
        square += b->radius * b->radius * scri_vec_dot(off, off);
    }
    return sqrt(square);
}

/* Steps a body to time t with steps halved from t / n on; requires the second order, and an error
 * of at most `bound` radii with the first steps. The gap scheme pushes out what its first step, in
 * which the contact is new, overlaps. */
static void require_second_order(const char* what, const roll_body* b, const roll_state* start,
                                 const roll_state* end, double t, int n, double bound)
{
    for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
        enum { LEVELS = 4 };
        double error[LEVELS];
        for (int level = 0; level < LEVELS; ++level) {
            scree_world* world = world_of(b, start, (scree_scheme)scheme, t / (n << level));
            for (int i = 0; i < n << level; ++i) step_world(world);
            require_finite(world);
            error[level] = distance(world, b, end) / b->radius;
            scree_world_destroy(world);
            print_message("%s, %s scheme, h = %.2e s: off by %.2e radii\n", what,
                          scheme ? "gap" : "impulse", t / (n << level), error[level]);
        }
        double order = log2(error[0] / error[LEVELS - 1]) / (LEVELS - 1);
        print_message("%s: observed order %.2f\n", what, order);
        require(error[0] <= bound, "off by %g radii", error[0]);
        require(order >= (scheme ? 1.6 : 1.9), "order %g", order);
    }
}

/* A disc that rolls on a circle with a constant tilt: its axis turns about the vertical with the
 * rate W, its centre moves on a circle with the same, and it spins about its axis. */
static void a_disc_rolls_on_a_circle(void** state)
{
    (void)state;
    roll_body b = disc_of(0.0);
    double rate = 9.0, t = 0.5;
    scri_quat q = about_y(55.0 * degree);
    roll_state start = start_of(&b, q, roll_steady(&b, q, rate)), end = start;
    scri_vec v = roll_velocity(&b, &start);
    scri_quat turn = scri_quat_exp((scri_vec){0.0, 0.0, rate * t});
    scri_vec centre = scri_vec_add_scaled(start.x, 1.0 / rate, scri_vec_cross(roll_up, v));
    scri_vec from = scri_quat_rotate(turn, scri_vec_sub(start.x, centre));
    end.x = scri_vec_add(centre, from);
    scri_vec axis = scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0});
    double spin = scri_vec_dot(scri_vec_add_scaled(start.w, -rate, roll_up), axis);
    scri_quat spun = scri_quat_multiply(q, scri_quat_exp((scri_vec){0.0, 0.0, spin * t}));
    end.q = scri_quat_multiply(turn, spun);
    roll_state rolled = start;
    for (int i = 0; i < 5000; ++i) roll_step(&b, t / 5000, &rolled);
    require_near(rolled.x.x, end.x.x, 1e-10, "x of the closed form");
    require_near(rolled.x.y, end.x.y, 1e-10, "y of the closed form");
    print_message("circle of %.4f m, %.3f m/s\n", scri_vec_length(v) / rate, scri_vec_length(v));
    require_second_order("disc on a circle", &b, &start, &end, t, 125, 2e-2);
}

static void a_disc_wobbles(void** state)
{
    (void)state;
    roll_body b = disc_of(0.0);
    scri_quat q = about_y(40.0 * degree);
    scri_vec w = roll_steady(&b, q, 20.0);
    roll_state start = start_of(&b, q, scri_vec_add(w, (scri_vec){1.0, 2.0, -1.0})), end = start;
    for (int i = 0; i < 20000; ++i) roll_step(&b, 0.5 / 20000, &end);
    require_second_order("disc that wobbles", &b, &start, &end, 0.5, 500, 2e-2);
}

static void a_loaded_ball_rolls(void** state)
{
    (void)state;
    roll_body b = loaded_ball();
    scri_quat q = scri_quat_normalize((scri_quat){0.8, 0.3, -0.2, 0.4});
    roll_state start = start_of(&b, q, (scri_vec){3.0, -2.0, 12.0}), end = start;
    for (int i = 0; i < 20000; ++i) roll_step(&b, 1.0 / 20000, &end);
    require_second_order("loaded ball", &b, &start, &end, 1.0, 250, 2e-2);
}

/* ---- a ball on a turntable ------------------------------------------------------------------- */

/* A homogeneous ball that rolls on a table which turns with the rate W runs on a circle with the
 * rate 2 W / 7, whatever its size. */
static double turntable_error(int steps, double t)
{
    double rate = 4.0, radius = 0.03, x[3] = {0.3, 0.1, radius}, v[3] = {0.2, -0.15, 0.0};
    scree_world_def def = world_def(t / steps, 1e-12);
    scree_shape shape = sphere_of(radius), plane = scree_default_shape();
    scree_body_def body = body_of(&shape, 2500.0), table = scree_default_body_def();
    scree_world* world = world_new(def, (scree_material){.mu = 2.0});
    plane.kind = SCREE_SHAPE_HALF_SPACE;
    table.kind = SCREE_BODY_KINEMATIC;
    table.angular_velocity[2] = rate;
    add_body(world, &table, &plane);
    set3(body.position, x[0], x[1], x[2]);
    set3(body.velocity, v[0], v[1], v[2]);
    /* no slip: v + w x (-r n) = W n x x */
    set3(body.angular_velocity, -(v[1] - rate * x[0]) / radius, (v[0] + rate * x[1]) / radius, 0.3);
    add_body(world, &body, &shape);
    for (int i = 0; i < steps; ++i) step_world(world);
    double round = 2.0 / 7.0 * rate, c = cos(round * t), s = sin(round * t);
    double mid[2] = {x[0] - v[1] / round, x[1] + v[0] / round}; /* v = round n x (x - mid) */
    double off[2] = {x[0] - mid[0], x[1] - mid[1]};
    scree_world_view view = scree_world_get_view(world);
    double error = hypot(view.position[3] - mid[0] - c * off[0] + s * off[1],
                         view.position[4] - mid[1] - s * off[0] - c * off[1]);
    scree_world_destroy(world);
    return error;
}

static void a_ball_circles_on_a_turntable(void** state)
{
    (void)state;
    double coarse = turntable_error(200, 4.0), fine = turntable_error(800, 4.0);
    double order = log2(coarse / fine) / 2.0;
    print_message("turntable: off by %.2e m at 20 ms, observed order %.2f\n", coarse, order);
    require(coarse <= 2e-2, "off by %g m", coarse);
    require(order >= 1.8, "order %g", order);
}

/* ---- Euler's disc ---------------------------------------------------------------------------- */

/* From steady rolling about a centre at rest: the rate at which w lies along the arm. */
static roll_state eulers_start(const roll_body* b, double tilt)
{
    scri_quat q = about_y(tilt);
    scri_vec r, unused;
    double low = 1.0, high = 1000.0;
    roll_arm(b, q, (scri_vec){0.0, 0.0, 0.0}, &r, &unused);
    while (high - low > 1e-13 * high) {
        double rate = 0.5 * (low + high);
        double side = scri_vec_cross(roll_steady(b, q, rate), r).y;
        *(side * scri_vec_cross(roll_steady(b, q, low), r).y > 0.0 ? &low : &high) = rate;
    }
    return start_of(b, q, roll_steady(b, q, low));
}

static double eulers_time(const roll_body* b, scree_scheme scheme, double h)
{
    roll_state start = eulers_start(b, 30.0 * degree);
    scree_world* world = world_of(b, &start, scheme, h);
    double last = 30.0 * degree, now = last;
    int steps = 0;
    for (; now > degree && steps * h < 2.0; ++steps) {
        step_world(world);
        last = now;
        now = roll_tilt(scri_quat_load(scree_world_get_view(world).rotation + 4));
    }
    scree_world_destroy(world);
    return h * (steps - (degree - now) / (last - now));
}

/* Rolling friction takes the disc from 30 degrees to 1, where it turns with 240 rad/s: a quarter of
 * a radian in a step of 1 ms. */
static void eulers_disc_takes_its_time(void** state)
{
    (void)state;
    roll_body b = disc_of(2e-3);
    roll_state s = eulers_start(&b, 30.0 * degree);
    int steps = 0;
    for (; roll_tilt(s.q) > degree && steps < 100000; ++steps) roll_step(&b, 5e-5, &s);
    double exact = 5e-5 * steps;
    for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
        double t = eulers_time(&b, (scree_scheme)scheme, 1e-3);
        print_message("Euler's disc, %s scheme, 1 ms: %.4f s from 30 to 1 degrees, %.4f s exact\n",
                      scheme ? "gap" : "impulse", t, exact);
        require(fabs(t / exact - 1.0) <= 0.01, "%g s instead of %g s", t, exact);
    }
}

/* Without friction that takes energy it goes on for ever. */
static void a_rolling_disc_keeps_its_energy(void** state)
{
    (void)state;
    roll_body b = disc_of(0.0);
    roll_state start = eulers_start(&b, 30.0 * degree);
    scree_world* world = world_of(&b, &start, SCREE_SCHEME_IMPULSE, 1e-3);
    scree_step_report first = step_world(world), now = first;
    for (int i = 0; i < 5000; ++i) now = step_world(world);
    double change = (now.kinetic + now.potential) / (first.kinetic + first.potential) - 1.0;
    print_message("a disc at 30 degrees keeps its energy to %.1e in 5 s of 1 ms\n", change);
    require(fabs(change) <= 1e-3, "energy changes by %g of itself", change);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_rolls_on_a_circle),
        cmocka_unit_test(a_disc_wobbles),
        cmocka_unit_test(a_loaded_ball_rolls),
        cmocka_unit_test(a_ball_circles_on_a_turntable),
        cmocka_unit_test(eulers_disc_takes_its_time),
        cmocka_unit_test(a_rolling_disc_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
