/* A sphere on a plane: Acary & Bourrier, section 6.1, against its closed form.
 *
 * Per unit of mass, with slip s = U - R W, inertia k = 2 R^2 / 5 and the weight g as normal force:
 * U' = r_T, W' = (m_R - R r_T) / k. A channel that moves carries mu g (or mu_r g) against its
 * motion; one that rests carries what keeps it at rest, up to that limit. All rates are constant
 * between the instants at which a channel comes to rest, so the motion is a chain of parabolas. */
#include "support/draw.h"
#include "support/worlds.h"

/* ---- the closed form ------------------------------------------------------------------------- */

enum { MAX_PHASES = 8 };

typedef struct rolling {
    double mu, mu_r, radius, u0, w0;
} rolling;

typedef struct phase {
    double t, x, u, w;    /* at its beginning */
    double du, dw;        /* rates */
    double force, moment; /* r_T and m_R per unit of mass */
} phase;

typedef struct path {
    int n;
    phase at[MAX_PHASES]; /* the last one is rest */
    double kinks;         /* sum of the jumps of U' */
    double reversals;     /* sum of the jumps of U' and R W' where a channel turns back at once */
} path;

static const double gravity = 9.81;

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

static double clipped(double x, double limit)
{
    return fabs(x) > limit ? copysign(limit, x) : x;
}

/* Forces and rates of a phase in which slip and spin have these signs. */
static void set_rates(const rolling* r, int slip, int spin, phase* f)
{
    double k = 0.4 * r->radius * r->radius, lever = r->radius;
    f->force = -r->mu * gravity * slip;
    f->moment = -r->mu_r * gravity * spin;
    if (!spin) f->moment = clipped(lever * f->force, r->mu_r * gravity);
    if (!slip) {
        f->force = clipped(f->moment * (lever / k) / (1.0 + lever * lever / k), r->mu * gravity);
    }
    f->du = f->force;
    f->dw = (f->moment - lever * f->force) / k;
}

/* The phase after one that ends `dt` later. */
static phase advanced(const phase* f, double dt)
{
    phase next = *f;
    next.t = f->t + dt;
    next.x = f->x + dt * (f->u + 0.5 * dt * f->du);
    next.u = f->u + dt * f->du;
    next.w = f->w + dt * f->dw;
    return next;
}

/* When a quantity with this sign, value and rate reaches zero. */
static double time_to_zero(int sign, double value, double rate)
{
    return sign * rate < 0.0 ? -value / rate : HUGE_VAL;
}

static path closed_form(const rolling* r)
{
    path out = {.n = 0};
    phase f = {.u = r->u0, .w = r->w0};
    double first = r->u0 - r->radius * r->w0, size = fabs(r->u0) + r->radius * fabs(r->w0);
    int slip = fabs(first) <= 1e-14 * size ? 0 : sign_of(first), spin = sign_of(r->w0);
    for (;;) {
        double before = f.du, before_w = f.dw;
        int turned_slip = slip, turned_spin = spin;
        set_rates(r, slip, spin, &f);
        double ds = f.du - r->radius * f.dw, noise = 1e-12 * gravity;
        if (!slip && fabs(ds) > noise) slip = sign_of(ds);
        if (!spin && r->radius * fabs(f.dw) > noise) spin = sign_of(f.dw);
        if (out.n > 0) {
            out.kinks += fabs(f.du - before);
            if (turned_slip != slip || turned_spin != spin) {
                out.reversals += fabs(f.du - before) + r->radius * fabs(f.dw - before_w);
            }
        }
        require(out.n < MAX_PHASES, "the closed form does not come to rest");
        out.at[out.n++] = f;
        if (!slip && !spin) return out;
        double s = f.u - r->radius * f.w;
        double dt_slip = time_to_zero(slip, s, ds), dt_spin = time_to_zero(spin, f.w, f.dw);
        double dt = fmin(dt_slip, dt_spin);
        f = advanced(&f, dt);
        if (dt_slip <= dt * (1.0 + 1e-12)) slip = 0;
        if (dt_spin <= dt * (1.0 + 1e-12)) spin = 0;
        if (!spin) f.w = 0.0;
        if (!slip) f.u = r->radius * f.w;
    }
}

/* The phase that holds at time t. */
static int phase_at(const path* p, double t)
{
    int i = p->n - 1;
    while (i > 0 && p->at[i].t > t) --i;
    return i;
}

static phase state_at(const path* p, double t)
{
    const phase* f = &p->at[phase_at(p, t)];
    return advanced(f, t - f->t);
}

static const phase* rest_of(const path* p)
{
    return &p->at[p->n - 1];
}

/* ---- the simulation -------------------------------------------------------------------------- */

static const double density = 2500.0;
static const rolling case_a = {0.2, 0.04, 0.5, 2.5, 5.0};  /* rolls from the start */
static const rolling case_b = {0.2, 0.04, 0.5, 2.5, 2.5};  /* slips first */
static const rolling case_c = {0.05, 0.04, 0.5, 2.5, 5.0}; /* stops turning while it slides */

/* Body 0 is the plane, body 1 the sphere. */
static scree_world* sphere_on_plane(const rolling* r, double step, double theta)
{
    scree_world_def def = world_def(step, 1e-13);
    scree_shape shape = sphere_of(r->radius);
    def.theta = theta;
    scree_world* world = world_new(def, (scree_material){.mu = r->mu, .mu_r = r->mu_r});
    scree_body_def body = body_of(&shape, density);
    add_floor(world, 0.0);
    body.position[2] = r->radius;
    body.velocity[0] = r->u0;
    body.angular_velocity[1] = r->w0;
    assert_int_equal(add_body(world, &body, &shape), 1);
    return world;
}

typedef struct motion {
    double x, u, w;
} motion;

/* The motion of the sphere, which stays in the plane y = 0 and on the floor, to the last bit. */
static motion motion_of(const scree_world* world, const rolling* r)
{
    scree_world_view view = scree_world_get_view(world);
    const double *x = view.position + 3, *v = view.velocity + 3, *w = view.angular_velocity + 3;
    require(x[2] == r->radius && v[2] == 0.0, "the sphere left the floor: z = %.17g", x[2]);
    require(x[1] == 0.0 && v[1] == 0.0 && w[0] == 0.0 && w[2] == 0.0, "it left its line");
    return (motion){x[0], v[0], w[1]};
}

static motion motion_after(const rolling* r, double step, double theta, int64_t steps)
{
    scree_world* world = sphere_on_plane(r, step, theta);
    for (int64_t i = 0; i < steps; ++i) step_world(world);
    motion m = motion_of(world, r);
    scree_world_destroy(world);
    return m;
}

/* Contact force and moment of the last step on the sphere, per unit of its mass. */
static void require_forces(const scree_world* world, const phase* f, double step)
{
    scree_world_view view = scree_world_get_view(world);
    double force[3], moment[3];
    assert_int_equal(view.n_contacts, 1);
    contact_wrench(&view, 0, force, moment);
    double side = view.problem->bodies.pair[0] == 1 ? 1.0 : -1.0, per = side / step / view.mass[1];
    for (int j = 0; j < 3; ++j) {
        force[j] *= per;
        moment[j] *= per;
    }
    /* velocities of 2.5 m/s hold 4e-16, which over a step of 1e-4 s is 4e-12 m/s^2 */
    require_near(force[2], gravity, 1e-10, "normal force");
    require_near(force[0], f->force, 1e-9, "tangential force");
    require_near(moment[1], f->moment, 1e-9, "rolling moment");
    require_near(force[1], 0.0, 1e-12, "force across the path");
    require_near(moment[0], 0.0, 1e-12, "moment along the path");
    require_near(moment[2], 0.0, 1e-12, "moment about the normal");
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The closed form above against numbers worked out by hand. */
static void the_closed_form_is_right(void** state)
{
    (void)state;
    path a = closed_form(&case_a), b = closed_form(&case_b), c = closed_form(&case_c);
    assert_int_equal(a.n, 2);
    assert_int_equal(b.n, 3);
    assert_int_equal(c.n, 3);
    require_near(rest_of(&a)->x, 2.5 * 2.5 / (2.0 * 9.81) * 7.0 * 0.5 / (5.0 * 0.04), 1e-12, "a");
    require_near(rest_of(&a)->t, 4.45973496432212, 1e-12, "stop of a");
    require_near(b.at[1].t, 0.5 / 1.962, 1e-12, "b rolls");
    require_near(rest_of(&b)->x, 4.14118246687054, 1e-12, "b");
    require_near(c.at[1].u, 5.0 / 6.0, 1e-12, "c when it stops turning");
    require_near(rest_of(&c)->x, 2.5 * 2.5 / (2.0 * 9.81 * 0.05), 1e-12, "c");
}

/* Velocities at the ends of steps are those of the closed form; positions by the trapezoidal rule
 * miss at most |jump of U'| h^2 / 8 at each change of phase; forces are constant in each phase. */
static void every_step_follows_the_closed_form(void** state)
{
    (void)state;
    const rolling* cases[] = {&case_a, &case_b, &case_c};
    for (int k = 0; k < 3; ++k) {
        const rolling* r = cases[k];
        path exact = closed_form(r);
        double h = test_all() ? 1e-4 : 2.5e-4, reach = exact.kinks * h * h / 8.0 + 1e-11;
        int64_t steps = (int64_t)((rest_of(&exact)->t + 0.3) / h), compared = 0;
        scree_world* world = sphere_on_plane(r, h, 0.5);
        for (int64_t i = 1; i <= steps; ++i) {
            double end = (double)i * h;
            step_world(world);
            motion m = motion_of(world, r);
            phase f = state_at(&exact, end);
            require_near(m.x, f.x, reach, "position");
            require_near(m.u, f.u, 1e-10, "velocity");
            require_near(m.w, f.w, 1e-10, "angular velocity");
            int now = phase_at(&exact, end - 1e-3 * h);
            if (phase_at(&exact, end - 0.999 * h) != now) continue; /* a transition */
            require_forces(world, &exact.at[now], h);
            ++compared;
        }
        motion m = motion_of(world, r);
        print_message("case %c: %.9f m, %.9f m by the closed form\n", 'a' + k, m.x,
                      rest_of(&exact)->x);
        require_near(m.x / rest_of(&exact)->x, 1.0, 1e-6, "stopping distance");
        require(compared >= steps - 3, "forces were compared in %lld steps only",
                (long long)compared);
        scree_world_destroy(world);
    }
}

/* When the last digits are at rest too: a few steps after the closed form, because a step is solved
 * to a tolerance. */
static double settled(const path* exact, double step)
{
    return rest_of(exact)->t + 40.0 * step;
}

/* An hour at rest: speed exactly zero, pose unchanged to the last bit. */
static void rest_is_for_ever(void** state)
{
    (void)state;
    scree_world* world = sphere_on_plane(&case_b, 1e-2, 0.5);
    path exact = closed_form(&case_b);
    double position[3], rotation[4];
    while (scree_world_time(world) < settled(&exact, 1e-2)) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    memcpy(position, view.position + 3, sizeof position);
    memcpy(rotation, view.rotation + 4, sizeof rotation);
    for (int i = 0; i < test_cases(36000, 360000); ++i) {
        view = scree_world_get_view(world);
        require(is_at_rest(&view, 1), "it moves after %g s", view.time);
        step_world(world);
    }
    view = scree_world_get_view(world);
    assert_memory_equal(position, view.position + 3, sizeof position);
    assert_memory_equal(rotation, view.rotation + 4, sizeof rotation);
    scree_world_destroy(world);
}

static double distance_to_rest(const rolling* r, double step)
{
    path exact = closed_form(r);
    scree_world* world = sphere_on_plane(r, step, 0.5);
    while (scree_world_time(world) < settled(&exact, step)) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    require(is_at_rest(&view, 1), "mu = %g, mu_r = %g m: not at rest after %g s", r->mu, r->mu_r,
            view.time);
    motion m = motion_of(world, r);
    scree_world_destroy(world);
    return m.x;
}

/* Without rolling friction it never stops: mu_r -> 0 of figure 2. From a start with slip it comes
 * to roll at (5 U0 + 2 R W0) / 7 and keeps that speed to rounding; no force is left. */
static void without_rolling_friction_it_never_stops(void** state)
{
    (void)state;
    const rolling starts[] = {{0.2, 0.0, 0.5, 2.5, 5.0}, {0.2, 0.0, 0.5, 2.5, 2.5}};
    for (int k = 0; k < 2; ++k) {
        const rolling* r = &starts[k];
        double speed = (5.0 * r->u0 + 2.0 * r->radius * r->w0) / 7.0, h = 1e-2;
        scree_world* world = sphere_on_plane(r, h, 0.5);
        for (int i = 0; i < test_cases(20000, 400000); ++i) {
            step_world(world);
            if (scree_world_time(world) < 1.0) continue;
            motion m = motion_of(world, r);
            require_near(m.u, speed, 1e-11, "speed");
            require_near(m.w * r->radius, speed, 1e-11, "speed of rolling");
            require_forces(world, &(phase){.force = 0.0, .moment = 0.0}, h);
        }
        scree_world_destroy(world);
    }
}

/* Figure 2: (U0^2 / 2 g) max(1 / mu, 7 R / (5 mu_r)) from a start without slip. */
static void the_largest_distance_is_that_of_figure_2(void** state)
{
    (void)state;
    test_of_numbers();
    static const double mu[] = {0.02, 0.06, 0.15, 0.4, 1.0};
    static const double mu_r[] = {0.003, 0.01, 0.03, 0.08, 0.2};
    double worst = 0.0;
    for (int i = 0; i < 25; ++i) {
        rolling r = {mu[i / 5], mu_r[i % 5], 0.5, 2.5, 5.0};
        double theory = r.u0 * r.u0 / (2.0 * gravity) * fmax(1.0 / r.mu, 0.7 / r.mu_r);
        double error = distance_to_rest(&r, 1e-2) / theory - 1.0;
        require(fabs(error) <= 1e-3, "mu = %g, mu_r = %g m: off by %g", r.mu, r.mu_r, error);
        worst = fmax(worst, fabs(error));
    }
    print_message("5 x 5 grid: worst relative error %.2g\n", worst);
}

/* ---- the order in h -------------------------------------------------------------------------- */

/* From the ratios of two steps and of their errors. */
static void require_order(const char* what, double steps, double errors, double order,
                          double tolerance)
{
    double observed = log(errors) / log(steps);
    print_message("%s: observed order %.4f\n", what, observed);
    require_near(observed, order, tolerance, what);
}

/* Steps chosen so that the change from slip to roll (jump of U' in case b) falls into the middle of
 * one: theta = 1/2 then misses the position by exactly jump h^2 / 8. */
static void the_midpoint_rule_is_of_second_order(void** state)
{
    (void)state;
    path exact = closed_form(&case_b);
    double jump = exact.at[1].du - exact.at[0].du, last = 0.0, last_h = 0.0;
    for (int n = 8; n <= 128; n *= 2) {
        double h = exact.at[1].t / (n + 0.5);
        motion m = motion_after(&case_b, h, 0.5, 2 * n);
        double error = m.x - state_at(&exact, 2 * n * h).x;
        require_near(error / (jump * h * h / 8.0), 1.0, 1e-6, "error at the kink");
        if (n > 8) require_order("theta 1/2", last_h / h, last / error, 2.0, 1e-3);
        last = error;
        last_h = h;
    }
}

/* theta = 1 moves with the velocity at the end of the step: h (U(t) - U0) / 2 too far, plus what
 * the kink adds. */
static void implicit_positions_are_of_first_order(void** state)
{
    (void)state;
    path exact = closed_form(&case_b);
    double last = 0.0;
    for (int64_t n = 64; n <= 2048; n *= 2) {
        double t = 2.0, h = t / (double)n;
        phase f = state_at(&exact, t);
        double error = motion_after(&case_b, h, 1.0, n).x - f.x;
        require_near(error, 0.5 * h * (f.u - case_b.u0), exact.kinks * h * h / 8.0 + 1e-12,
                     "error of implicit positions");
        if (n > 64) require_order("theta 1", 2.0, last / error, 1.0, 0.05);
        last = error;
    }
}

/* ---- tables of reference values -------------------------------------------------------------- */

static void skip_line(FILE* file)
{
    int c;
    do {
        c = getc(file);
    } while (c != '\n' && c != EOF);
}

static void the_time_series_agree(void** state)
{
    (void)state;
    const rolling* cases[] = {&case_a, &case_b, &case_c};
    FILE* file = test_open_oracle("sphere_timeseries.csv");
    double h = test_all() ? 1e-4 : 5e-4, v[6]; /* t, X, U, Omega, r_T, m_R */
    double mass = density * 4.0 / 3.0 * acos(-1.0) * 0.125;
    int rows = 0;
    char name = 0, current = 0;
    scree_world* world = NULL;
    skip_line(file);
    while (fscanf(file, " %c,%lf,%lf,%lf,%lf,%lf,%lf", &name, v, v + 1, v + 2, v + 3, v + 4,
                  v + 5) == 7) {
        const rolling* r = cases[name - 'a'];
        path exact = closed_form(r);
        if (name != current) {
            scree_world_destroy(world);
            world = sphere_on_plane(r, h, 0.5);
            current = name;
        }
        while (scree_world_get_view(world).steps < llround(v[0] / h)) step_world(world);
        motion m = motion_of(world, r);
        phase f = state_at(&exact, v[0]);
        require_near(m.x, v[1], exact.kinks * h * h / 8.0 + 1e-11, "X");
        require_near(m.u, v[2], 1e-10, "U");
        require_near(m.w, v[3], 1e-10, "Omega");
        require_near(f.force * mass, v[4], 1e-9 * mass, "r_T");
        require_near(f.moment * mass, v[5], 1e-9 * mass, "m_R");
        ++rows;
    }
    scree_world_destroy(world);
    fclose(file);
    require(rows > 300, "%d rows only", rows);
}

/* Where a channel turns back within a step, the new force acts from the step's beginning: an error
 * of the velocity of up to h times the jump of the rate, and of the position in proportion. */
static void random_starts_agree(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("sphere_random_starts.csv");
    double h = test_all() ? 1e-4 : 1e-3, stop, v[5], worst = 0.0; /* X_stop, U, Omega, X at 0.5 s */
    rolling r;
    int rows = 0;
    skip_line(file);
    while (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%*[^,],%lf,%lf,%lf", &r.u0, &r.w0, &r.mu,
                  &r.mu_r, &r.radius, &stop, v, v + 1, v + 2, v + 3) == 10) {
        path exact = closed_form(&r);
        double reversed = exact.reversals * h;
        double reach = 1e-10 + exact.kinks * h * h / 8.0 + reversed * (1.0 + stop);
        require_near(rest_of(&exact)->t, stop, 1e-10 * (1.0 + stop), "stopping time");
        require_near(rest_of(&exact)->x, v[0], 1e-10 * (1.0 + fabs(v[0])), "stopping point");
        motion half = motion_after(&r, h, 0.5, llround(0.5 / h));
        require_near(half.u, v[1], 1e-9 + reversed, "U at 0.5 s");
        require_near(r.radius * half.w, r.radius * v[2], 1e-9 + reversed, "R Omega at 0.5 s");
        require_near(half.x, v[3], reach, "X at 0.5 s");
        double x = motion_after(&r, h, 0.5, (int64_t)((stop + reversed) / h) + 2).x;
        require_near(x, v[0], reach, "X at rest");
        worst = fmax(worst, fabs(x - v[0]));
        ++rows;
    }
    fclose(file);
    print_message("%d starts, h = %g s: worst error of the stopping point %.2g m\n", rows, h,
                  worst);
    require(rows >= 30, "%d rows only", rows);
}

static void the_table_of_figure_2_agrees(void** state)
{
    (void)state;
    test_of_numbers();
    FILE* file = test_open_oracle("sphere_max_distance.csv");
    rolling r = {.radius = 0.5, .u0 = 2.5, .w0 = 5.0};
    double x, t, worst = 0.0;
    int rows = 0;
    skip_line(file);
    while (fscanf(file, "%lf,%lf,%lf,%lf,%*s", &r.mu, &r.mu_r, &x, &t) == 4) {
        path exact = closed_form(&r);
        require_near(rest_of(&exact)->t, t, 1e-10 * t, "stopping time");
        double error = distance_to_rest(&r, 2e-2) / x - 1.0;
        require(fabs(error) <= 1e-3, "mu = %g, mu_r = %g m: off by %g", r.mu, r.mu_r, error);
        worst = fmax(worst, fabs(error));
        ++rows;
    }
    fclose(file);
    print_message("%d pairs of coefficients: worst relative error %.2g\n", rows, worst);
    require(rows >= 100, "%d rows only", rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_form_is_right),
        cmocka_unit_test(every_step_follows_the_closed_form),
        cmocka_unit_test(rest_is_for_ever),
        cmocka_unit_test(without_rolling_friction_it_never_stops),
        cmocka_unit_test(the_largest_distance_is_that_of_figure_2),
        cmocka_unit_test(the_midpoint_rule_is_of_second_order),
        cmocka_unit_test(implicit_positions_are_of_first_order),
        cmocka_unit_test(the_time_series_agree),
        cmocka_unit_test(random_starts_agree),
        cmocka_unit_test(the_table_of_figure_2_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
