/* Lays: friction in the axes of a surface, whichever body carries it and however it is turned. */
#include "scree/set.h"
#include "support/draw.h"
#include "support/worlds.h"

#define DEGREE SCREE_DEGREE

static scree_set* new_set(scree_set_def def)
{
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

/* One-sided: little resists sliding along +t1, much along -t1. */
static const double ratchet_points[] = {0.1, -0.2, 0.1, 0.2, -0.3, 0.35, -0.8, 0.0, -0.3, -0.25};

static scree_set* new_ellipse(double a, double b, double angle)
{
    return new_set(
        (scree_set_def){.kind = SCREE_SET_ELLIPSE, .a = a, .b = b, .angle = angle * DEGREE});
}

static scree_set* new_ratchet(double angle)
{
    return new_set((scree_set_def){
        .kind = SCREE_SET_POLYGON, .n = 5, .points = ratchet_points, .angle = angle * DEGREE});
}

/* ---- a ball that is pressed on a plate ---- */

/* Axes at the contact, out of the plate: e1 follows its lay. */
typedef struct axes {
    double n[3], e1[3], e2[3];
} axes;

static void turn(const double q[4], const double x[3], double out[3])
{
    double t[3] = {0.0, 0.0, 0.0}, r[3] = {0.0, 0.0, 0.0};
    add_cross(q + 1, x, t);
    for (int i = 0; i < 3; ++i) t[i] *= 2.0;
    add_cross(q + 1, t, r);
    for (int i = 0; i < 3; ++i) out[i] = x[i] + q[0] * t[i] + r[i];
}

static axes axes_of(const double n[3], const double rotation[4], const double lay[3])
{
    axes a = {.e2 = {0.0, 0.0, 0.0}};
    double along[3];
    turn(rotation, lay, along);
    double across = dot3(along, n);
    for (int i = 0; i < 3; ++i) a.n[i] = n[i], a.e1[i] = along[i] - across * n[i];
    double length = sqrt(dot3(a.e1, a.e1));
    for (int i = 0; i < 3; ++i) a.e1[i] /= length;
    add_cross(a.n, a.e1, a.e2);
    return a;
}

typedef struct rig {
    scree_material plate, ball, pair; /* the pair is set when its mu is positive */
    int plate_first, is_half_space;
    scree_body_kind kind;
    scree_law law;
    double q[4], velocity[3], spin[3]; /* of the plate */
    double ball_velocity[3], ball_spin[3], ball_q[4];
    double press; /* N, towards the plate */
} rig;

enum { BALL_MASS = 2 };
#define RADIUS 0.05
#define BALL_INERTIA 0.004

static void press_ball(void* user, const scree_world_view* view, double* force, double* torque)
{
    const rig* r = user;
    double up[3] = {0.0, 0.0, 1.0}, n[3];
    (void)view, (void)torque;
    turn(r->q, up, n);
    size_t ball = r->plate_first ? 1 : 0;
    for (size_t i = 0; i < 3; ++i) force[3 * ball + i] -= r->press * n[i];
}

static int32_t rig_plate(const rig* r)
{
    return r->plate_first ? 0 : 1;
}

static void add_plate(scree_world* world, const rig* r, int32_t material)
{
    scree_shape shape = box_of(1.0, 1.0, 0.05);
    scree_body_def def = body_of(&shape, 1e6);
    def.inertia[1] = def.inertia[2] = def.inertia[0]; /* so that its spin stays */
    if (r->is_half_space) shape.kind = SCREE_SHAPE_HALF_SPACE;
    shape.material = material;
    def.kind = r->kind;
    memcpy(def.rotation, r->q, sizeof r->q);
    memcpy(def.velocity, r->velocity, sizeof r->velocity);
    memcpy(def.angular_velocity, r->spin, sizeof r->spin);
    add_body(world, &def, &shape);
}

static void add_ball(scree_world* world, const rig* r, int32_t material)
{
    scree_shape shape = sphere_of(RADIUS);
    scree_body_def def = scree_default_body_def();
    double up[3] = {0.01, -0.02, RADIUS + (r->is_half_space ? 0.0 : 0.05)};
    turn(r->q, up, def.position);
    def.mass = BALL_MASS;
    for (int i = 0; i < 3; ++i) def.inertia[i] = BALL_INERTIA;
    shape.material = material;
    memcpy(def.rotation, r->ball_q, sizeof r->ball_q);
    memcpy(def.velocity, r->ball_velocity, sizeof r->ball_velocity);
    memcpy(def.angular_velocity, r->ball_spin, sizeof r->ball_spin);
    add_body(world, &def, &shape);
}

static scree_world* rig_world(rig* r)
{
    scree_world_def def = world_def(1e-3, 1e-13);
    int32_t other, ball;
    set3(def.gravity, 0.0, 0.0, 0.0);
    def.theta = 1.0; /* contacts stand where the step begins */
    def.force = press_ball;
    def.force_user = r;
    def.law = r->law;
    scree_world* world = world_new(def, r->plate);
    assert_int_equal(scree_world_add_material(world, &r->ball, &ball), SCREE_OK);
    if (r->pair.mu > 0.0) {
        assert_int_equal(scree_world_set_pair(world, ball, 0, &r->pair), SCREE_OK);
    }
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 9.0}, &other),
                     SCREE_OK); /* a later material changes nothing */
    for (int k = 0; k < 2; ++k) {
        if (k == rig_plate(r)) {
            add_plate(world, r, 0);
        } else {
            add_ball(world, r, ball);
        }
    }
    return world;
}

/* Impulse and moment of the contact on the ball, seen in its own motion. */
typedef struct measured {
    axes at; /* of the plate, before the step */
    double p_n, force[2], moment[2], u[2], w[2];
    double normal_moment;
} measured;

static measured measure(rig* r)
{
    scree_world* world = rig_world(r);
    scree_world_view view = scree_world_get_view(world);
    double up[3] = {0.0, 0.0, 1.0}, n[3], before[2][3], p[3], l[3] = {0}, arm[3], u[3], w[3];
    size_t ball = rig_plate(r) ? 0 : 1, plate = 1 - ball;
    turn(r->q, up, n);
    measured m = {.at = axes_of(n, r->q, r->plate.lay)};
    memcpy(before[0], view.velocity + 3 * ball, sizeof before[0]);
    memcpy(before[1], view.angular_velocity + 3 * ball, sizeof before[1]);
    double plate_at[3], ball_at[3];
    memcpy(plate_at, view.position + 3 * plate, sizeof plate_at);
    memcpy(ball_at, view.position + 3 * ball, sizeof ball_at);
    scree_step_report report = step_world(world);
    assert_int_equal(report.n_contacts, 1);
    view = scree_world_get_view(world);
    assert_int_equal(scree_problem_validate(NULL, view.problem), SCREE_OK);
    for (size_t i = 0; i < 3; ++i) {
        p[i] = BALL_MASS * (view.velocity[3 * ball + i] - before[0][i]) + 1e-3 * r->press * n[i];
        arm[i] = -RADIUS * n[i];
    }
    add_cross(p, arm, l); /* minus the moment of the force */
    double from_plate[3], at_plate[3] = {0}, at_ball[3] = {0};
    for (size_t i = 0; i < 3; ++i) {
        l[i] += BALL_INERTIA * (view.angular_velocity[3 * ball + i] - before[1][i]);
        from_plate[i] = ball_at[i] + arm[i] - plate_at[i];
    }
    add_cross(view.angular_velocity + 3 * ball, arm, at_ball);
    add_cross(view.angular_velocity + 3 * plate, from_plate, at_plate);
    for (size_t i = 0; i < 3; ++i) {
        u[i] =
            view.velocity[3 * ball + i] + at_ball[i] - view.velocity[3 * plate + i] - at_plate[i];
        w[i] = view.angular_velocity[3 * ball + i] - view.angular_velocity[3 * plate + i];
    }
    const double* e[2] = {m.at.e1, m.at.e2};
    m.p_n = dot3(p, n);
    m.normal_moment = dot3(l, n);
    for (int i = 0; i < 2; ++i) {
        m.force[i] = dot3(p, e[i]);
        m.moment[i] = dot3(l, e[i]);
        m.u[i] = dot3(u, e[i]);
        m.w[i] = dot3(w, e[i]);
    }
    scree_world_destroy(world);
    return m;
}

/* The force on the ball lies on the boundary of size * C, and the ball slides along a normal of D
 * at the point in its direction: no point of D lies farther along u. */
static void require_resisted(const char* what, double size, const scree_set* c, const scree_set* d,
                             const double u[2], const double force[2])
{
    double f[2] = {-force[0] / size, -force[1] / size}, speed = hypot(u[0], u[1]);
    const scree_set* along = d ? d : c;
    double k = scree_set_gauge(c, f),
           reach = (f[0] * u[0] + f[1] * u[1]) / scree_set_gauge(along, f);
    double most = scree_set_support(along, u, NULL);
    require(fabs(k - 1.0) <= 1e-9, "%s: gauge %.12g", what, k);
    require(fabs(reach - most) <= 1e-12 * speed, "%s: %.15g along u = (%g, %g), of %.15g", what,
            reach, u[0], u[1], most);
}

static rig draw_rig(scri_random* random)
{
    rig r = {.plate = {.mu = 0.8}, .ball = {.mu = 0.2}, .press = 40.0};
    double axis[3], angle = draw_between(random, 0.0, 6.0);
    r.plate_first = draw_below(random, 2);
    r.kind = (scree_body_kind)draw_below(random, 3);
    r.is_half_space = r.kind != SCREE_BODY_DYNAMIC && draw_below(random, 2);
    draw_direction(random, axis);
    r.q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; ++i) r.q[1 + i] = sin(0.5 * angle) * axis[i];
    draw_direction(random, axis);
    r.ball_q[0] = cos(1.0);
    for (int i = 0; i < 3; ++i) r.ball_q[1 + i] = sin(1.0) * axis[i];
    for (int i = 0; i < 3; ++i) {
        r.ball_velocity[i] = draw_sign(random) * draw_between(random, 1.0, 2.0);
        r.ball_spin[i] = draw_between(random, -5.0, 5.0);
        if (r.kind == SCREE_BODY_STATIC) continue;
        r.velocity[i] = draw_between(random, -0.5, 0.5);
        r.spin[i] = draw_between(random, -1.0, 1.0);
    }
    /* Slowly towards the plate: they touch in this step, and go on sliding. */
    double up[3] = {0.0, 0.0, 1.0}, n[3], out = 0.05;
    turn(r.q, up, n);
    for (int i = 0; i < 3; ++i) out += (r.ball_velocity[i] - r.velocity[i]) * n[i];
    for (int i = 0; i < 3; ++i) r.ball_velocity[i] -= out * n[i];
    draw_direction(random, r.plate.lay);
    for (int i = 0; i < 3; ++i) r.plate.lay[i] *= 3.0;
    r.plate.lay[2] *= 0.5;
    return r;
}

/* ---- one surface with sets ---- */

static void sets_lie_in_the_axes_of_their_surface(void** state)
{
    (void)state;
    scri_random random = test_seed("one surface", 61);
    scree_set* c[] = {
        new_ellipse(0.9, 0.3, 25.0), new_ratchet(0.0), new_ratchet(40.0),
        new_set((scree_set_def){
            .kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 0.6, .s = 0.7, .angle = 0.4}),
        new_ellipse(0.9, 0.3, 25.0)};
    scree_set* d[] = {NULL, NULL, NULL, new_ellipse(1.0, 0.5, -30.0), new_ratchet(10.0)};
    for (int k = 0; k < test_cases(150, 2000); ++k) {
        rig r = draw_rig(&random);
        int i = k % 5, by_pair = draw_below(&random, 2), on_ball = draw_below(&random, 2);
        double size = 0.4; /* sqrt(0.8 0.2) */
        if (!d[i] && draw_below(&random, 2)) r.law = SCREE_LAW_CONVEX;
        if (by_pair) {
            r.pair = (scree_material){.mu = 0.7, .sliding = c[i], .direction = d[i]};
            size = 0.7;
        } else {
            r.plate.sliding = c[i];
            r.plate.direction = d[i];
        }
        if (on_ball && !by_pair) r.ball.lay[1] = 1.0; /* a lay without sets means nothing */
        measured m = measure(&r);
        assert_true(m.p_n > 0.0);
        require_resisted("sliding", size * m.p_n, c[i], d[i], m.u, m.force);
        require(fabs(m.moment[0]) + fabs(m.moment[1]) + fabs(m.normal_moment) <= 1e-9 * m.p_n,
                "there is no rolling or spinning friction");
    }
    for (int i = 0; i < 5; ++i) scree_set_destroy(c[i]), scree_set_destroy(d[i]);
}

/* The same seen from a ball that carries the sets: it feels what the plate would feel over it. */
static void the_ball_may_carry_the_sets(void** state)
{
    (void)state;
    scri_random random = test_seed("ball", 62);
    scree_set* c = new_ratchet(20.0);
    for (int k = 0; k < test_cases(60, 500); ++k) {
        rig r = draw_rig(&random);
        memset(r.plate.lay, 0, sizeof r.plate.lay);
        r.plate.lay[0] = 1.0;
        r.ball.sliding = c;
        draw_direction(&random, r.ball.lay);
        measured m = measure(&r);
        double out[3];
        for (int i = 0; i < 3; ++i) out[i] = -m.at.n[i];
        axes at = axes_of(out, r.ball_q, r.ball.lay);
        double u[2], force[2];
        for (int i = 0; i < 2; ++i) { /* of the plate over the ball, and on the plate */
            const double* e = i ? at.e2 : at.e1;
            u[i] = -m.u[0] * dot3(m.at.e1, e) - m.u[1] * dot3(m.at.e2, e);
            force[i] = -m.force[0] * dot3(m.at.e1, e) - m.force[1] * dot3(m.at.e2, e);
        }
        require_resisted("on the plate", 0.4 * m.p_n, c, NULL, u, force);
    }
    scree_set_destroy(c);
}

/* Where the lay stands upright the sets lie in some axes across the normal. */
static void an_upright_lay_is_no_fault(void** state)
{
    (void)state;
    scri_random random = test_seed("upright", 63);
    scree_set* c = new_ellipse(0.9, 0.3, 0.0);
    for (int k = 0; k < 50; ++k) {
        rig r = draw_rig(&random);
        r.plate.sliding = c;
        set3(r.plate.lay, k % 2 ? 1e-9 : 0.0, 0.0, -2.0);
        rig seen = r;
        scree_world* world = rig_world(&seen);
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        assert_int_equal(scree_problem_validate(NULL, view.problem), SCREE_OK);
        const double* p = view.impulse;
        double gauge = scree_set_gauge(c, (double[]){-p[1], -p[2]});
        require(fabs(gauge - 0.4 * p[0]) <= 1e-9 * p[0], "force off its set: %g", gauge / p[0]);
        scree_world_destroy(world);
    }
    scree_set_destroy(c);
}

/* ---- two surfaces with sets ---- */

/* Principal square root of a symmetric positive definite 2 x 2 matrix, and its inverse. */
static void root2(const double a[4], double out[4])
{
    double s = sqrt(a[0] * a[3] - a[1] * a[2]), t = sqrt(a[0] + a[3] + 2.0 * s);
    for (int i = 0; i < 4; ++i) out[i] = (a[i] + (i == 0 || i == 3 ? s : 0.0)) / t;
}

static void invert2(const double a[4], double out[4])
{
    double d = a[0] * a[3] - a[1] * a[2];
    out[0] = a[3] / d, out[1] = -a[1] / d, out[2] = -a[2] / d, out[3] = a[0] / d;
}

static void multiply2(const double a[4], const double b[4], double out[4])
{
    double c[4];
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c[2 * i + j] = a[2 * i] * b[j] + a[2 * i + 1] * b[2 + j];
    }
    memcpy(out, c, sizeof c);
}

/* A^(1/2) (A^(-1/2) B A^(-1/2))^(1/2) A^(1/2): the definition. */
static void mean2(const double a[4], const double b[4], double out[4])
{
    double half[4], back[4], inner[4];
    root2(a, half);
    invert2(half, back);
    multiply2(back, b, inner);
    multiply2(inner, back, inner);
    root2(inner, inner);
    multiply2(half, inner, out);
    multiply2(out, half, out);
}

/* The matrix of an ellipse with semi-axes a, b along `first` and across, in the axes m. */
static void matrix_of(double a, double b, double angle, const axes* own, const axes* m,
                      double out[4])
{
    double c = cos(angle * DEGREE), s = sin(angle * DEGREE), first[2], second[2];
    for (int i = 0; i < 2; ++i) {
        const double* e = i ? m->e2 : m->e1;
        first[i] = c * dot3(own->e1, e) + s * dot3(own->e2, e);
        second[i] = -s * dot3(own->e1, e) + c * dot3(own->e2, e);
    }
    for (int i = 0; i < 4; ++i) {
        out[i] = first[i / 2] * first[i % 2] / (a * a) + second[i / 2] * second[i % 2] / (b * b);
    }
}

/* Force that resists u: on the ellipse q of C, at the point whose normal to the ellipse of D is u.
 */
static void require_ellipse(const char* what, double size, const double c[4], const double d[4],
                            const double u[2], const double force[2])
{
    double inverse[4];
    invert2(d, inverse);
    double z[2] = {inverse[0] * u[0] + inverse[1] * u[1], inverse[2] * u[0] + inverse[3] * u[1]};
    double k = sqrt(c[0] * z[0] * z[0] + 2.0 * c[1] * z[0] * z[1] + c[3] * z[1] * z[1]);
    for (int i = 0; i < 2; ++i) {
        require(fabs(force[i] + size * z[i] / k) <= 1e-9 * size, "%s: %.12g, not %.12g", what,
                force[i], -size * z[i] / k);
    }
}

static void two_surfaces_meet_with_the_mean_of_their_ellipses(void** state)
{
    (void)state;
    scri_random random = test_seed("two surfaces", 64);
    scree_set* plate = new_ellipse(0.9, 0.3, 25.0);
    scree_set* ball = new_set((scree_set_def){
        .kind = SCREE_SET_SUPERELLIPSE, .a = 0.5, .b = 1.4, .s = 3.0, .angle = -20.0 * DEGREE});
    scree_set* plate_d = new_ellipse(2.0, 1.0, 60.0);
    scree_set* roll = new_ellipse(1.0, 0.25, 10.0);
    for (int k = 0; k < test_cases(100, 1000); ++k) {
        rig r = draw_rig(&random);
        int has_direction = draw_below(&random, 2), rolls = draw_below(&random, 3);
        r.plate.sliding = plate;
        r.ball.sliding = ball;
        if (has_direction) r.plate.direction = plate_d;
        if (!has_direction && draw_below(&random, 2)) r.law = SCREE_LAW_CONVEX;
        draw_direction(&random, r.ball.lay);
        r.plate.mu_r = rolls ? 2e-4 : 0.0;
        r.ball.mu_r = rolls == 2 ? 5e-4 : 0.0;
        if (rolls == 1) r.plate.rolling = roll;
        if (rolls == 2) r.ball.rolling = roll; /* in the axes of the ball, unlike sliding */
        measured m = measure(&r);
        double down[3], a[4], b[4], c[4], d[4];
        for (int i = 0; i < 3; ++i) down[i] = -m.at.n[i];
        axes of_ball = axes_of(down, r.ball_q, r.ball.lay);
        matrix_of(0.9, 0.3, 25.0, &m.at, &m.at, a);
        matrix_of(0.5, 1.4, -20.0, &of_ball, &m.at, b);
        mean2(a, b, c);
        memcpy(d, c, sizeof d);
        if (has_direction) {
            matrix_of(2.0, 1.0, 60.0, &m.at, &m.at, a);
            mean2(a, b, d);
        }
        require_ellipse("sliding", 0.4 * m.p_n, c, d, m.u, m.force);
        if (!rolls) continue;
        matrix_of(1.0, 0.25, 10.0, rolls == 1 ? &m.at : &of_ball, &m.at, c);
        require_ellipse("rolling", fmax(r.plate.mu_r, r.ball.mu_r) * m.p_n, c, c, m.w, m.moment);
    }
    scree_set_destroy(plate);
    scree_set_destroy(ball);
    scree_set_destroy(plate_d);
    scree_set_destroy(roll);
}

/* A set of rolling friction counts only where its surface's mu_r does. */
static void rolling_follows_the_larger_coefficient(void** state)
{
    (void)state;
    scri_random random = test_seed("rolling", 65);
    scree_set *ellipse = new_ellipse(1.0, 0.25, 10.0), *disc = new_ellipse(1.0, 1.0, 0.0);
    for (int k = 0; k < test_cases(50, 200); ++k) {
        rig r = draw_rig(&random);
        r.plate.rolling = ellipse;
        r.plate.mu_r = 2e-4;
        r.ball.mu_r = k % 3 == 0 ? 1e-4 : k % 3 == 1 ? 2e-4 : 3e-4;
        measured m = measure(&r);
        require_resisted("rolling", fmax(r.plate.mu_r, r.ball.mu_r) * m.p_n,
                         k % 3 == 2 ? disc : ellipse, NULL, m.w, m.moment);
        require_resisted("sliding", 0.4 * m.p_n, disc, NULL, m.u, m.force);
    }
    scree_set_destroy(ellipse);
    scree_set_destroy(disc);
}

/* ---- what a world refuses ---- */

static void refuse(scree_law law, scree_material material, const char* message)
{
    test_host host;
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    int32_t index;
    scree_env env = test_env(&host);
    def.law = law;
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &material, &index), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, message);
    scree_material plain = {.mu = 1.0};
    assert_int_equal(scree_world_add_material(world, &plain, &index), SCREE_OK);
    assert_int_equal(scree_world_set_pair(world, 0, 0, &material), SCREE_ERROR_INPUT);
    scree_world_destroy(world);
    assert_int_equal(host.n_held, 0);
}

static void bad_materials_are_refused(void** state)
{
    (void)state;
    scree_set* round = new_ellipse(1.0, 0.5, 0.0);
    scree_set* star =
        new_set((scree_set_def){.kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 1.0, .s = 0.5});
    const char* no_sets = "rolling: the law coupled has no sets";
    refuse(SCREE_LAW_COUPLED, (scree_material){.rolling = round}, no_sets);
    refuse(SCREE_LAW_COUPLED, (scree_material){.rolling_direction = round}, no_sets);
    const char* needs_exact =
        "sliding: the law convex takes a convex set and no directions; the law exact takes both";
    refuse(SCREE_LAW_CONVEX, (scree_material){.sliding = star}, needs_exact);
    refuse(SCREE_LAW_CONVEX, (scree_material){.sliding = round, .direction = round}, needs_exact);
    refuse(SCREE_LAW_EXACT, (scree_material){.sliding = star},
           "sliding: the set is not convex, so that it needs a set of directions");
    refuse(SCREE_LAW_EXACT, (scree_material){.sliding = round, .direction = star},
           "sliding: the set of directions is not convex");
    refuse(SCREE_LAW_EXACT, (scree_material){.lay = {0.0, NAN, 1.0}}, "the lay is not finite");
    refuse(SCREE_LAW_EXACT, (scree_material){.lay = {INFINITY, 0.0, 1.0}}, "the lay is not finite");
    scree_set_destroy(round);
    scree_set_destroy(star);
}

/* ---- many contacts ---- */

enum { GRAINS = 60 };

/* Grains with sets on a floor with others: every kind of set and pair. */
static scree_world* new_heap(scree_env env, int32_t workers, scree_status* status)
{
    scree_world_def def = world_def(1e-3, 1e-8);
    scree_world* world = NULL;
    scree_set *c = new_ratchet(15.0), *d = new_ellipse(1.0, 0.6, 30.0);
    scree_set* grain = new_ellipse(0.7, 0.4, 0.0);
    int32_t index;
    def.workers = workers;
    *status = scree_world_create(&env, &def, &world);
    scree_material materials[] = {
        {.mu = 1.0, .sliding = c, .direction = d, .lay = {1.0, 1.0, 0.0}},
        {.mu = 0.8, .mu_r = 1e-3, .mu_s = 1e-3, .sliding = grain, .lay = {0.0, 0.0, 1.0}},
        {.mu = 0.5, .mu_r = 1e-3, .rolling = grain, .lay = {0.0, 1.0, 0.0}}};
    for (int i = 0; !*status && i < 3; ++i) {
        *status = scree_world_add_material(world, &materials[i], &index);
    }
    scree_material pair = {.mu = 0.6, .sliding = d};
    if (!*status) *status = scree_world_set_pair(world, 1, 2, &pair);
    if (!*status) *status = scree_world_set_pair(world, 2, 1, &pair);
    for (int i = 0; !*status && i <= GRAINS; ++i) {
        scree_body_def body = scree_default_body_def();
        scree_shape shape = sphere_of(0.01);
        scree_body_id id;
        if (i == 0) {
            body.kind = SCREE_BODY_STATIC;
            shape.kind = SCREE_SHAPE_HALF_SPACE;
        } else {
            body = body_of(&shape, 2500.0);
            set3(body.position, 0.0201 * (i % 4), 0.0201 * (i / 4 % 4), 0.009 + 0.018 * (i / 16));
            body.position[0] += 0.002 * (i / 16);
            set3(body.velocity, 0.1, 0.02 * (i % 5), 0.0);
            shape.material = 1 + i % 2;
        }
        *status = scree_world_add_body(world, &body, 1, &shape, &id);
    }
    scree_set_destroy(c); /* the world has copies */
    scree_set_destroy(d);
    scree_set_destroy(grain);
    return world;
}

static scree_world* heap_of(scree_env env, int32_t workers)
{
    scree_status status;
    scree_world* world = new_heap(env, workers, &status);
    assert_int_equal(status, SCREE_OK);
    return world;
}

static void a_heap_does_not_depend_on_workers_or_restarts(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_world *one = heap_of(env, 1), *four = heap_of(env, 4), *again = NULL;
    scree_step_report report;
    int contacts = 0, steps = test_few(100, 30);
    void* saved = NULL;
    size_t size = 0;
    for (int s = 0; s < steps; ++s) {
        if (s == steps / 2) {
            size = scree_world_state_size(one);
            saved = test_take(size, 1);
            scree_world_save(one, saved);
            again = heap_of(env, 1);
            assert_int_equal(scree_world_load(again, saved, size), SCREE_OK);
        }
        report = step_any(one);
        step_any(four);
        if (again) step_any(again);
        require(report.certificate.residual <= 1e-7, "step %d: %g", s, report.certificate.residual);
        contacts += report.n_contacts;
    }
    assert_true(contacts > steps * GRAINS / 2);
    size_t bytes = 3 * (GRAINS + 1) * sizeof(double);
    assert_memory_equal(scree_world_get_view(one).position, scree_world_get_view(four).position,
                        bytes);
    assert_memory_equal(scree_world_get_view(one).position, scree_world_get_view(again).position,
                        bytes);
    assert_memory_equal(scree_world_get_view(one).velocity, scree_world_get_view(again).velocity,
                        bytes);
    scree_world_destroy(one);
    scree_world_destroy(four);
    scree_world_destroy(again);
    free(saved);
    assert_int_equal(host.n_held, 0);
}

/* The second time the world makes them; which step is the first to need more is up to the motion.
 */
static void steps_take_no_memory_once_warm(void** state)
{
    (void)state;
    test_host host;
    scree_world* world = heap_of(test_env(&host), 1);
    size_t size = scree_world_state_size(world);
    void* begin = test_take(size, 1);
    long asked = 0;
    scree_world_save(world, begin);
    for (int pass = 0; pass < 2; ++pass) {
        asked = host.n_asked;
        assert_int_equal(scree_world_load(world, begin, size), SCREE_OK);
        for (int s = 0; s < test_size(60, 200); ++s) step_any(world);
    }
    require(host.n_asked == asked, "%ld requests in warm steps", host.n_asked - asked);
    free(begin);
    scree_world_destroy(world);
    assert_int_equal(host.n_held, 0);
}

static void a_shortage_of_memory_leaves_nothing_behind(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_world_destroy(heap_of(env, 1));
    long needed = host.n_asked;
    for (long k = 0; k < needed; ++k) {
        scree_status status;
        env = test_env(&host);
        host.fail_at = k;
        scree_world* world = new_heap(env, 1, &status);
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_lie_in_the_axes_of_their_surface),
        cmocka_unit_test(the_ball_may_carry_the_sets),
        cmocka_unit_test(an_upright_lay_is_no_fault),
        cmocka_unit_test(two_surfaces_meet_with_the_mean_of_their_ellipses),
        cmocka_unit_test(rolling_follows_the_larger_coefficient),
        cmocka_unit_test(bad_materials_are_refused),
        cmocka_unit_test(a_heap_does_not_depend_on_workers_or_restarts),
        cmocka_unit_test(steps_take_no_memory_once_warm),
        cmocka_unit_test(a_shortage_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
