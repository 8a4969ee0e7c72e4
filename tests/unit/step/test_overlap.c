/* Overlap is undone in the step that makes it, without energy, and nothing passes through anything:
 * drops of all shapes, thin walls, closed boxes. */
#include "support/draw.h"
#include "support/worlds.h"

#include <stdlib.h>
#include <string.h>

static const char* const scheme_names[] = {"impulse", "gap"};

/* ---- drops ----------------------------------------------------------------------------------- */

static scree_shape shape_of(scree_shape_kind kind, double a, double b, double c)
{
    scree_shape shape = scree_default_shape();
    shape.kind = kind;
    set3(shape.half_size, a, b, c);
    return shape;
}

typedef struct drop {
    const char* name;
    scree_shape_kind kind;
    double size[3], radius; /* of a sphere around it */
} drop;

static const drop drops[] = {
    {"sphere", SCREE_SHAPE_SPHERE, {0.1, 0.0, 0.0}, 0.1},
    {"box", SCREE_SHAPE_BOX, {0.1, 0.07, 0.04}, 0.128},
    {"capsule", SCREE_SHAPE_CAPSULE, {0.05, 0.08, 0.0}, 0.13},
    {"cylinder", SCREE_SHAPE_CYLINDER, {0.06, 0.05, 0.0}, 0.078},
};

static scree_world* drop_world(const drop* d, scree_world_def def, int pose, double height,
                               double restitution)
{
    static const double turns[][4] = {{1.0, 0.0, 0.0, 0.0}, {0.8, 0.36, 0.48, 0.0}};
    scree_material material = {.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3, .restitution = restitution};
    scree_world* world = world_new(def, material);
    scree_shape shape = shape_of(d->kind, d->size[0], d->size[1], d->size[2]);
    scree_body_def body = body_of(&shape, 1000.0);
    memcpy(body.rotation, turns[pose], sizeof body.rotation);
    body.position[2] = height + d->radius;
    add_floor(world, 0.0);
    add_body(world, &body, &shape);
    return world;
}

static double speed_of(const scree_world_view* view, int32_t body)
{
    const double* v = view->velocity + 3 * (size_t)body;
    const double* w = view->angular_velocity + 3 * (size_t)body;
    return sqrt(dot3(v, v)) + 0.1 * sqrt(dot3(w, w));
}

/* Drops a body and follows it until it rests: no step gains energy, and what overlap is left is
 * less than 1e-5 of the size. */
static void fall_to_rest(const drop* d, scree_world_def def, int pose, double restitution)
{
    scree_world* world = drop_world(d, def, pose, 0.4, restitution);
    scree_world_view view = scree_world_get_view(world);
    double energy = HUGE_VAL, scale = 0.0, worst = 0.0, gain = 0.0;
    int at_rest = 0;
    scree_step_report report;
    for (int n = 0; n < 8000 && at_rest < 20; ++n) {
        report = step_any(world);
        view = scree_world_get_view(world);
        double now = report.kinetic + report.potential;
        require(isfinite(now), "energy %g", now);
        scale = fmax(scale, fabs(now));
        if (n > 0) gain = fmax(gain, now - energy);
        worst = fmax(worst, report.overlap_share);
        energy = now;
        at_rest = speed_of(&view, 1) <= 1e-9 ? at_rest + 1 : 0;
    }
    print_message("%-8s pose %d, %-7s theta %.1f, e %.1f: overlap at rest %.1e, worst %.1e of the "
                  "size; gain %.1e\n",
                  d->name, pose, scheme_names[def.scheme], def.theta, restitution,
                  report.overlap_share, worst, gain / scale);
    require(at_rest >= 20, "%s does not come to rest", d->name);
    require(report.overlap_share < 1e-5, "%g of the size remains", report.overlap_share);
    require(gain <= 1e-5 * scale, "a step gains %g of the energy", gain / scale);
    scree_world_destroy(world);
}

static void a_drop_leaves_no_overlap(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof drops / sizeof drops[0]; ++k) {
        for (int pose = 0; pose < 2; ++pose) {
            for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
                scree_world_def def = world_def(1e-3, 1e-8);
                def.scheme = (scree_scheme)scheme;
                fall_to_rest(&drops[k], def, pose, 0.0);
                if (scheme == SCREE_SCHEME_IMPULSE) fall_to_rest(&drops[k], def, pose, 0.5);
                def.theta = 1.0;
                fall_to_rest(&drops[k], def, pose, 0.0);
            }
        }
    }
}

/* ---- walls ----------------------------------------------------------------------------------- */

static int32_t add_box_at(scree_world* world, const double x[3], double a, double b, double c)
{
    scree_shape shape = box_of(a, b, c);
    scree_body_def body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    memcpy(body.position, x, sizeof body.position);
    return add_body(world, &body, &shape);
}

/* A ball of 10 mm at 100 m/s against a wall of 10 mm, from all distances that a step can leave. */
static void a_bullet_stays_before_the_wall(void** state)
{
    (void)state;
    const double middle[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2 * 25; ++k) {
        scree_world_def def = world_def(1e-3, 1e-8);
        def.gravity[2] = 0.0;
        def.scheme = (scree_scheme)(k % 2);
        scree_world* world = world_new(def, (scree_material){.mu = 0.3, .restitution = 0.5});
        scree_shape shape = sphere_of(0.01);
        scree_body_def body = body_of(&shape, 1000.0);
        add_box_at(world, middle, 0.005, 1.0, 1.0);
        set3(body.position, -0.3 - 0.004 * (k / 2), 0.0, 0.0);
        set3(body.velocity, 100.0, 0.0, 0.0);
        add_body(world, &body, &shape);
        double deepest = 0.0;
        for (int n = 0; n < 20; ++n) {
            deepest = fmax(deepest, step_any(world).overlap_share);
            double x = scree_world_get_view(world).position[3];
            require(x < -0.0149, "%s: the ball is at x = %g", scheme_names[k % 2], x);
        }
        require(deepest < 1e-2, "overlap of %g of the size", deepest);
        scree_world_destroy(world);
    }
}

/* A ball against a thin wall, and a large ball against a small one that lies still, at any speed:
 * wherever a step ends, they lie in each other by no more than what is left to the next one, 3 % of
 * the smaller. */
static void fast_bodies_stop_where_they_meet(void** state)
{
    (void)state;
    scri_random random = test_seed("fast_bodies_stop_where_they_meet", 51);
    for (int k = 0; k < test_cases(300, 20000); ++k) {
        scree_world_def def = world_def(1e-3, 1e-6);
        int wall = k % 2;
        double speed = draw_power(&random, -1.0, 2.5), r = draw_power(&random, -3.0, -2.0);
        double other = wall ? 5e-4 : draw_power(&random, -2.0, 0.0), far = r + other;
        def.gravity[2] = 0.0;
        scree_world* world = world_new(def, (scree_material){.mu = 0.3, .restitution = 0.5});
        scree_shape moving = sphere_of(wall ? r : other), still = sphere_of(r);
        scree_body_def body = body_of(&moving, 1000.0), lies = body_of(&still, 1000.0);
        body.position[0] = -far - 1e-3 * speed * draw_between(&random, 2.0, 4.0);
        set3(body.velocity, speed, wall ? 0.3 * speed : 0.0, 0.0);
        int32_t a = add_body(world, &body, &moving), b = -1;
        if (wall) add_box_at(world, (double[]){0.0, 0.0, 0.0}, other, 2.0, 2.0);
        if (!wall) b = add_body(world, &lies, &still);
        for (int n = 0; n < 10; ++n) {
            step_any(world);
            scree_world_view view = scree_world_get_view(world);
            double x = (wall ? 0.0 : view.position[3 * b]) - view.position[3 * a];
            require(x - far >= -0.031 * fmin(r, wall ? r : other),
                    "case %d, radius %g, other %g, %g m/s: overlap of %g m", k, r, other, speed,
                    far - x);
        }
        scree_world_destroy(world);
    }
}

/* Two balls that go the same way, however fast, with any small gap between them: neither holds the
 * other up, and each goes as far as one alone. */
static void what_goes_together_is_not_stopped(void** state)
{
    (void)state;
    scri_random random = test_seed("what_goes_together_is_not_stopped", 12);
    for (int k = 0; k < test_cases(200, 20000); ++k) {
        enum { STEPS = 10 };
        scree_world_def def = world_def(1e-3, 1e-6);
        double r = draw_power(&random, -3.0, -1.0), speed = r * draw_power(&random, 2.0, 4.0);
        double gap = r * draw_power(&random, -3.5, 0.0), closing = draw_between(&random, 0.0, 0.5);
        def.scheme = (scree_scheme)(k % 2);
        def.gravity[2] = 0.0;
        scree_world* world = world_new(def, (scree_material){.mu = 0.3});
        scree_shape ball = sphere_of(r);
        scree_body_def low = body_of(&ball, 1000.0), high = low;
        high.position[2] = 2.0 * r + gap;
        set3(low.velocity, 0.2 * speed, 0.0, -speed);
        set3(high.velocity, 0.2 * speed, 0.0, -speed - closing * gap / (STEPS * 1e-3));
        int32_t a = add_body(world, &low, &ball);
        add_body(world, &high, &ball);
        for (int n = 0; n < STEPS; ++n) step_any(world);
        double z = scree_world_get_view(world).position[3 * a + 2], wanted = -speed * STEPS * 1e-3;
        require(fabs(z - wanted) <= 1e-12 * fabs(wanted), "case %d: %g m, not %g m", k, z, wanted);
        scree_world_destroy(world);
    }
}

/* A paddle of 10 mm that comes or turns at up to 300 m/s meets what lies still: it goes before the
 * paddle, however far that gets in a step, until it leaves over the tip. */
static void a_paddle_takes_along_what_it_meets(void** state)
{
    (void)state;
    scri_random random = test_seed("a paddle", 71);
    for (int k = 0; k < test_cases(200, 2000); ++k) {
        scree_world_def def = world_def(1e-3, 1e-6);
        int turns = k % 2;
        double speed = draw_power(&random, 0.0, 2.5), half = 0.5;
        def.gravity[2] = 0.0;
        def.scheme = (scree_scheme)(k / 2 % 2);
        scree_world* world = world_new(def, (scree_material){.mu = 0.3});
        scree_shape paddle = box_of(half, 0.005, half),
                    shape = k / 4 % 2 ? box_of(0.01, 0.01, 0.01) : sphere_of(0.01);
        scree_body_def moves = scree_default_body_def(), body = body_of(&shape, 1000.0);
        moves.kind = SCREE_BODY_KINEMATIC;
        if (turns) set3(moves.angular_velocity, 0.0, 0.0, speed / half);
        if (!turns) set3(moves.velocity, 0.0, speed, 0.0);
        set3(body.position, draw_between(&random, 0.1, 0.4), draw_between(&random, 0.02, 0.4), 0.0);
        int32_t a = add_body(world, &moves, &paddle), i = add_body(world, &body, &shape);
        for (int n = 0; n < 400; ++n) {
            step_any(world);
            scree_world_view v = scree_world_get_view(world);
            const double *q = v.rotation + 4 * (size_t)a, *x = v.position + 3 * (size_t)a,
                         *y = v.position + 3 * (size_t)i;
            double c = q[0] * q[0] - q[3] * q[3], s = 2.0 * q[0] * q[3];
            double along = c * (y[0] - x[0]) + s * (y[1] - x[1]);
            double before = c * (y[1] - x[1]) - s * (y[0] - x[0]);
            if (fabs(along) > half - 0.02) break;
            require(before > 0.0, "case %d, step %d: %g m before the paddle", k, n, before);
        }
        scree_world_destroy(world);
    }
}

/* Six walls of 1 mm around a room of 0.2 m. */
static scree_world* closed_room(scree_scheme scheme, double restitution)
{
    const double half = 0.1, thin = 5e-4;
    scree_world_def def = world_def(1e-3, 1e-6);
    def.scheme = scheme;
    scree_world* world = world_new(def, (scree_material){.mu = 0.2, .restitution = restitution});
    for (int k = 0; k < 6; ++k) {
        double x[3] = {0.0, 0.0, 0.0},
               size[3] = {half + 2.0 * thin, half + 2.0 * thin, half + 2.0 * thin};
        x[k / 2] = (k % 2 ? 1.0 : -1.0) * (half + thin);
        size[k / 2] = thin;
        add_box_at(world, x, size[0], size[1], size[2]);
    }
    return world;
}

/* A ball and a box of 5 mm in it, thrown at 300 m/s any way; both stay inside. Newton's restitution
 * with friction at several corners may gain energy by itself; what undoes overlap and what stops
 * bodies on their way does not. */
static void nothing_leaves_a_closed_room(void** state)
{
    (void)state;
    scri_random random = test_seed("nothing_leaves_a_closed_room", 21);
    for (int run = 0; run < test_size(12, 200); ++run) {
        scree_scheme scheme = (scree_scheme)(run % 2);
        random.stream = (uint64_t)run;
        double e = run % 4 < 2 ? 1.0 : 0.5, energy = HUGE_VAL, outermost = 0.0, gain = 0.0;
        double scale = 0.0;
        scree_world* world = closed_room(scheme, e);
        int n_stopped = 0;
        for (int k = 0; k < 2; ++k) {
            scree_shape shape = k ? box_of(5e-3, 5e-3, 5e-3) : sphere_of(5e-3);
            scree_body_def body = body_of(&shape, 1000.0);
            double length = 0.0;
            for (int j = 0; j < 3; ++j) {
                body.velocity[j] = draw_between(&random, -1.0, 1.0);
                body.angular_velocity[j] = k ? draw_between(&random, -100.0, 100.0) : 0.0;
                length += body.velocity[j] * body.velocity[j];
            }
            for (int j = 0; j < 3; ++j) body.velocity[j] *= 300.0 / sqrt(length);
            body.position[0] = k ? 0.04 : -0.04;
            add_body(world, &body, &shape);
        }
        for (int n = 0; n < 200; ++n) {
            scree_step_report report = step_any(world);
            scree_world_view view = scree_world_get_view(world);
            double now = report.kinetic + report.potential;
            double impulses = report.contact_work - report.overlap_work;
            if (n > 0) gain = fmax(gain, now - energy - fmax(impulses, 0.0));
            energy = now;
            scale = fmax(scale, now);
            n_stopped += report.n_stopped;
            for (int j = 18; j < 24; ++j) outermost = fmax(outermost, fabs(view.position[j]));
            require(isfinite(energy), "energy %g", energy);
            require(outermost <= 0.1, "run %d, %s: a body is at %g m after %d steps", run,
                    scheme_names[scheme], outermost, n);
        }
        require(gain <= 1e-12 * scale, "run %d: a step gains %g J", run, gain);
        print_message("run %d, %s, e = %.1f: outermost %.4f m, %d stops, gain %.1e J of %.1e\n",
                      run, scheme_names[scheme], e, outermost, n_stopped, gain, energy);
        scree_world_destroy(world);
    }
}

/* Two fingers close on a block by 0.2 mm more than it is wide: no step misses, those in which they
 * close have no solution, and the block stays where it is. Overlap that nothing can undo is not to
 * be undone on one side. */
static void what_is_squeezed_stays(void** state)
{
    (void)state;
    enum { CLOSED = 20, STEPS = 60 };
    const double none[3] = {0.0, 0.0, 0.0};
    scree_world* world = world_new(world_def(1e-3, 1e-2), (scree_material){.mu = 0.8});
    scree_shape shape = box_of(0.02, 0.02, 0.02), finger = box_of(0.005, 0.02, 0.02);
    scree_body_def block = body_of(&shape, 800.0);
    scree_body_id fingers[2];
    int contradictions = 0;
    add_floor(world, 0.0);
    set3(block.position, 0.0, 0.0, 0.02);
    int32_t i = add_body(world, &block, &shape);
    for (int side = 0; side < 2; ++side) {
        scree_body_def def = scree_default_body_def();
        double sign = side ? -1.0 : 1.0;
        def.kind = SCREE_BODY_KINEMATIC;
        set3(def.position, -sign * 0.0252, 0.0, 0.03);
        set3(def.velocity, sign * 0.02, 0.0, 0.0);
        assert_int_equal(scree_world_add_body(world, &def, 1, &finger, &fingers[side]), SCREE_OK);
    }
    for (int n = 0; n < STEPS; ++n) {
        for (int side = 0; side < 2 && n == CLOSED; ++side) {
            assert_int_equal(scree_world_set_velocity(world, fingers[side], none, none), SCREE_OK);
        }
        scree_outcome outcome = step_any(world).solve.outcome;
        contradictions += outcome == SCREE_OUTCOME_INFEASIBLE;
        require(outcome == SCREE_OUTCOME_CONVERGED || (n >= 9 && n < CLOSED), "step %d: %s", n,
                scree_outcome_text((int)outcome));
        const double* x = scree_world_get_view(world).position + 3 * (size_t)i;
        require(fabs(x[0]) + fabs(x[1]) + fabs(x[2] - 0.02) <= 1e-9, "step %d: %g %g %g", n, x[0],
                x[1], x[2] - 0.02);
    }
    require(contradictions >= 9, "%d contradictions only", contradictions);
    scree_world_destroy(world);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Balls that fall one after the other between two walls that lean: some stand still while others
 * push them. */
static scree_world* funnel(void)
{
    enum { BALLS = 40 };
    scree_world_def def = world_def(1e-3, 1e-2);
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3});
    scri_random random = {.key = 17};
    add_floor(world, 0.6);
    add_floor(world, -0.6);
    for (int i = 0; i < BALLS; ++i) {
        scree_shape shape = sphere_of(0.01 * draw_between(&random, 0.8, 1.2));
        scree_body_def body = body_of(&shape, 2500.0);
        set3(body.position, draw_between(&random, -0.03, 0.03), draw_between(&random, -0.04, 0.04),
             0.05 + 0.012 * i);
        add_body(world, &body, &shape);
    }
    return world;
}

/* From every state that is saved a world goes on as the one that saved it, bit by bit: also which
 * bodies are not asked whether they overlap. */
static void every_state_goes_on_alike(void** state)
{
    (void)state;
    enum { BEGIN = 200, AHEAD = 4 };
    int n_states = test_cases(60, 1000);
    scree_world *one = funnel(), *two = funnel();
    size_t bodies = (size_t)scree_world_get_view(one).n_bodies, bytes = 3 * bodies * sizeof(double);
    void* saved[AHEAD] = {NULL};
    size_t size[AHEAD] = {0};
    for (int k = 0; k < n_states; ++k) {
        int now = k % AHEAD;
        if (k == 0) {
            for (int i = 0; i < BEGIN; ++i) step_any(one);
        }
        if (saved[now]) {
            assert_int_equal(scree_world_load(two, saved[now], size[now]), SCREE_OK);
            for (int i = 0; i < AHEAD; ++i) step_any(two);
            scree_world_view a = scree_world_get_view(one), b = scree_world_get_view(two);
            require(!memcmp(a.position, b.position, bytes) &&
                        !memcmp(a.velocity, b.velocity, bytes),
                    "from step %d on they differ", BEGIN + k - AHEAD);
        }
        free(saved[now]);
        size[now] = scree_world_state_size(one);
        saved[now] = malloc(size[now]);
        scree_world_save(one, saved[now]);
        step_any(one);
    }
    for (int i = 0; i < AHEAD; ++i) free(saved[i]);
    scree_world_destroy(one);
    scree_world_destroy(two);
}

/* What stops in the middle of a step stops those that come behind it: a block of loose balls falls
 * into a box so fast that some are stopped on their way. */
static void what_stops_stops_those_behind(void** state)
{
    (void)state;
    test_of_numbers();
    enum { ACROSS = 6, LAYERS = 14 };
    const double radius = 0.0025, pitch = 0.00625, room = 0.5 * ACROSS * pitch;
    scri_random random = test_seed("what_stops_stops_those_behind", 81);
    scree_world_def def = world_def(1e-3, 0.1);
    def.scheme = SCREE_SCHEME_IMPULSE;
    scree_world* world = world_new(def, (scree_material){.mu = 0.15});
    for (int k = 0; k < 5; ++k) { /* floor and walls, which are followed as half-spaces are not */
        scree_shape wall = box_of(0.1, 0.1, 0.1);
        scree_body_def still = scree_default_body_def();
        still.kind = SCREE_BODY_STATIC;
        if (k == 4) set3(still.position, 0.0, 0.0, -0.1);
        if (k < 4) still.position[k / 2] = (k % 2 ? 1.0 : -1.0) * (room + 0.1);
        add_body(world, &still, &wall);
    }
    for (int i = 0; i < ACROSS * ACROSS * LAYERS; ++i) {
        scree_shape ball = sphere_of(radius * draw_between(&random, 0.9, 1.1));
        scree_body_def body = body_of(&ball, 2500.0);
        double off[3];
        for (int k = 0; k < 3; ++k) off[k] = 0.07 * 2.0 * radius * draw_between(&random, -1.0, 1.0);
        set3(body.position, off[0] + pitch * (i % ACROSS + 0.5) - room,
             off[1] + pitch * (i / ACROSS % ACROSS + 0.5) - room,
             off[2] + pitch * (i / (ACROSS * ACROSS) + 0.6));
        body.velocity[2] = -1.0;
        add_body(world, &body, &ball);
    }
    double worst = 0.0;
    for (int k = 0; k < 60; ++k) worst = fmax(worst, step_any(world).overlap_share);
    print_message("balls that fall into a box overlap by %g of the radius\n", worst);
    require(worst < 0.25, "they overlap by %g of the radius", worst);
    scree_world_destroy(world);
}

/* Spheres on each other that lie in each other: gravity moves them alike and does not press one
 * into the other, and yet their overlap goes, slowly, with no more than a tenth of what gravity
 * gives in a step. */
static void overlap_leaves_a_heap(void** state)
{
    (void)state;
    enum { STEPS = 2000, BALLS = 4 };
    const double radius = 0.1, overlap = 1e-4;
    for (int large = 0; large < 2; ++large) {
        scree_world_def def = scree_default_world_def();
        def.scheme = SCREE_SCHEME_GAP;
        def.step = large ? 5e-3 : 1e-3;
        def.solver.tol = large ? 0.1 : 1e-3;
        scree_world* world =
            world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-2, .mu_s = 1e-2});
        scree_shape ball = shape_of(SCREE_SHAPE_SPHERE, radius, 0.0, 0.0);
        double pace = 0.1 * 9.81 * def.step, fastest = 0.0;
        add_floor(world, 0.0);
        for (int i = 0; i < BALLS; ++i) {
            scree_body_def body = body_of(&ball, 1000.0);
            body.position[2] = radius + i * (2.0 * radius - overlap);
            add_body(world, &body, &ball);
        }
        for (int n = 0; n < STEPS; ++n) {
            step_any(world);
            if (n < 2) continue;
            const double* v = scree_world_get_view(world).velocity;
            for (int i = 1; i <= BALLS; ++i) fastest = fmax(fastest, fabs(v[3 * i + 2]));
        }
        scree_world_view view = scree_world_get_view(world);
        double height = view.position[3 * BALLS + 2] - (2 * BALLS - 1) * radius;
        print_message("step %g: %.2g m left of %.2g, fastest %.2g m/s\n", def.step, -height,
                      (BALLS - 1) * overlap, fastest);
        require(height >= -1.1e-5 * radius * BALLS && height <= 1e-8, "%g m off", height);
        require(fastest > 0.0 && fastest <= (BALLS - 1) * 1.01 * pace, "%g m/s", fastest);
        for (int j = 0; j < 3 * (BALLS + 1); ++j) {
            require(view.velocity[j] == 0.0, "still moves by %g m/s", view.velocity[j]);
        }
        scree_world_destroy(world);
    }
}

/* Two balls that lie in each other, by so much at the end of a step of the gap scheme that allows
 * `allowed` of it, where they began with `overlap`. Nothing else moves them. */
static double overlap_after_step(double radius, double overlap, double allowed)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = SCREE_SCHEME_GAP;
    def.overlap = allowed;
    set3(def.gravity, 0.0, 0.0, 0.0);
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_shape ball = sphere_of(radius);
    for (int i = 0; i < 2; ++i) {
        scree_body_def body = body_of(&ball, 1000.0);
        body.position[0] = i * (2.0 * radius - overlap);
        add_body(world, &body, &ball);
    }
    step_any(world);
    const double* x = scree_world_get_view(world).position;
    double left = 2.0 * radius - (x[3] - x[0]);
    scree_world_destroy(world);
    return left;
}

/* What a step may leave nobody takes out; of more half of it is left; and by no word is overlap of
 * a tenth of the radius allowed. */
static void what_is_allowed_stays(void** state)
{
    (void)state;
    const double r = 0.02, allowed = 1e-4;
    const struct {
        double overlap, allowed, left;
    } cases[] = {
        {0.5 * allowed, allowed, 0.5 * allowed},
        {2.0 * allowed, allowed, 0.5 * allowed},
        {0.5 * allowed, 0.0, 0.5e-6 * r},
        {0.1 * r, 1.0, 0.0725 * r},
        {0.035 * r, 1.0, 0.035 * r},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double left = overlap_after_step(r, cases[i].overlap, cases[i].allowed);
        require(fabs(left - cases[i].left) <= 0.06 * cases[i].left, "case %d: %g m left, not %g",
                (int)i, left, cases[i].left);
    }
}

/* A step that says it is solved leaves no contact that approaches faster than `overlap` over the
 * step allows, whatever residual passes; with two sweeps some steps are not. */
static void what_is_solved_approaches_no_faster_than_allowed(void** state)
{
    (void)state;
    scri_random random = test_seed("approach in steps", 31);
    const double r = 0.05;
    scree_world_def def = scree_default_world_def();
    def.scheme = SCREE_SCHEME_GAP;
    def.step = 5e-3;
    def.overlap = 5e-5;
    def.solver.tol = 0.5;
    def.solver.max_iter = 2;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    add_floor(world, 0.0);
    scree_shape ball = sphere_of(r);
    for (int i = 0; i < 48; ++i) {
        scree_body_def body = body_of(&ball, 1000.0);
        for (int j = 0; j < 3; ++j) {
            int at = j == 0 ? i % 3 : j == 1 ? i / 3 % 3 : i / 9;
            body.position[j] = 2.1 * r * at + 0.1 * r * scri_random_uniform(&random);
        }
        body.position[2] += 1.1 * r;
        add_body(world, &body, &ball);
    }
    int solved = 0, missed = 0;
    for (int s = 0; s < 200; ++s) {
        scree_step_report report = step_any(world);
        int is_solved = report.solve.outcome == SCREE_OUTCOME_CONVERGED;
        double left = report.certificate.normal_violation, allowed = def.overlap / def.step;
        require(!is_solved || left <= allowed * (1.0 + 1e-8), "step %d: %g m/s", s, left);
        solved += is_solved && report.n_contacts > 0;
        missed += !is_solved && report.certificate.local <= def.solver.tol;
    }
    require(solved > 20 && missed > 5, "%d solved, %d too fast alone", solved, missed);
    scree_world_destroy(world);
}

/* A light ball at rest is struck, and leaves in the same step for a post that was out of its reach:
 * it must not come out behind it. */
static void what_is_struck_meets_what_was_far(void** state)
{
    (void)state;
    const double r = 0.05;
    for (int k = 0; k < 40; ++k) {
        scree_world_def def = scree_default_world_def();
        def.scheme = SCREE_SCHEME_GAP;
        def.step = 5e-3;
        double gap = r * (0.3 + 0.1 * k), speed = 20.0 + 5.0 * (k % 7);
        scree_world* world = world_new(def, (scree_material){.mu = 0.0});
        scree_shape ball = sphere_of(r), post = sphere_of(r);
        scree_body_def heavy = body_of(&ball, 1e5), light = body_of(&ball, 100.0),
                       still = body_of(&post, 1000.0);
        heavy.position[0] = -2.0 * r - 1e-3;
        heavy.velocity[0] = speed;
        still.position[0] = 2.0 * r + gap;
        still.kind = SCREE_BODY_STATIC;
        add_body(world, &heavy, &ball);
        int32_t struck = add_body(world, &light, &ball);
        add_body(world, &still, &post);
        for (int n = 0; n < 3; ++n) step_any(world);
        const double* x = scree_world_get_view(world).position + 3 * (size_t)struck;
        require(x[0] <= still.position[0], "gap %g m, %g m/s: the ball is %g m behind the post",
                gap, speed, x[0] - still.position[0]);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stops_stops_those_behind),
        cmocka_unit_test(overlap_leaves_a_heap),
        cmocka_unit_test(what_is_allowed_stays),
        cmocka_unit_test(what_is_solved_approaches_no_faster_than_allowed),
        cmocka_unit_test(what_is_struck_meets_what_was_far),
        cmocka_unit_test(what_is_squeezed_stays),
        cmocka_unit_test(a_drop_leaves_no_overlap),
        cmocka_unit_test(a_bullet_stays_before_the_wall),
        cmocka_unit_test(fast_bodies_stop_where_they_meet),
        cmocka_unit_test(what_goes_together_is_not_stopped),
        cmocka_unit_test(a_paddle_takes_along_what_it_meets),
        cmocka_unit_test(nothing_leaves_a_closed_room),
        cmocka_unit_test(every_state_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
