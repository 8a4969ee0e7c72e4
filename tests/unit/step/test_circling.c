/* What slides along a surface goes as far as its speed says, however far that is in a step: inside
 * of tubes, drums, rings and pipes of flat faces, and between two planes that lean. */
#include "support/worlds.h"

static const double step_length = 1e-3, radius = 0.05;

/* Ways in a step, in radii. */
static const double ratios[] = {0.1, 0.3, 0.55, 0.9, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0};
enum { N_RATIOS = sizeof ratios / sizeof *ratios, STEPS = 1000, FIRST = 20 };

/* ---- round and round ---- */

typedef enum around { TUBE, DRUM, RING, FACES, N_AROUND } around;
static const char* const around_names[] = {"tube", "drum", "ring", "pipe of faces"};

/* A pipe of flat faces whose inner side is the front, as long as it is wide. */
static scree_mesh* pipe_of_faces(double inner)
{
    enum { N = 40 };
    double points[6 * N];
    int32_t corners[6 * N];
    scree_mesh* mesh = NULL;
    for (int i = 0; i < N; ++i) {
        double turn = 2.0 * SCREE_PI * i / N;
        int32_t a = 2 * i, b = 2 * ((i + 1) % N);
        for (int k = 0; k < 2; ++k) {
            set3(points + 6 * (size_t)i + 3 * (size_t)k, inner * cos(turn), inner * sin(turn),
                 k ? inner : -inner);
        }
        memcpy(corners + 6 * (size_t)i, (int32_t[]){a, a + 1, b, a + 1, b + 1, b},
               6 * sizeof *corners);
    }
    assert_int_equal(scree_mesh_create(NULL, 2 * N, points, 2 * N, corners, &mesh), SCREE_OK);
    return mesh;
}

/* Body 0 is what body 1, a ball, circles in; a ring goes along its axis together with the ball. */
static scree_world* make_circle(around kind, scree_scheme scheme, double speed, double inner,
                                const scree_mesh* faces)
{
    scree_world_def def = world_def(step_length, 1e-8);
    def.scheme = scheme;
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world* world = world_new(def, (scree_material){.mu = 0.0});
    scree_shape wall = sphere_of(inner + 0.2), ball = sphere_of(radius);
    wall.kind = SCREE_SHAPE_TUBE;
    wall.half_size[1] = 0.5;
    wall.half_size[2] = inner;
    scree_body_def outer = body_of(&wall, 1000.0), body = body_of(&ball, 1000.0);
    if (kind == FACES) {
        wall = scree_default_shape();
        wall.kind = SCREE_SHAPE_MESH;
        wall.mesh = faces;
    }
    if (kind != RING) outer.kind = kind == DRUM ? SCREE_BODY_KINEMATIC : SCREE_BODY_STATIC;
    if (kind == DRUM) outer.angular_velocity[2] = 5.0;
    if (kind == RING) outer.velocity[2] = body.velocity[2] = 3.0;
    body.position[0] = (kind == FACES ? inner * cos(SCREE_PI / 40.0) : inner) - radius;
    body.velocity[1] = speed;
    add_body(world, &outer, &wall);
    add_body(world, &body, &ball);
    return world;
}

/* Angle that the ball goes round by, and what its speed says; by how much energy grows in any step,
 * how far the ball gets into the wall, what share of its speed it loses once it circles, and
 * what share of that which it had at first. */
typedef struct round_trip {
    double turn, expected, growth, depth, loss, lost;
} round_trip;

static round_trip go_round(scree_world* world, double inner, double speed)
{
    round_trip out = {.growth = 0.0};
    double last[3] = {inner - radius, 0.0, HUGE_VAL}, rho = inner - radius, first = 0.0;
    for (int n = 0; n < STEPS; ++n) {
        scree_step_report report = step_any(world);
        scree_world_view v = scree_world_get_view(world);
        double x[2], u[2], energy = report.kinetic;
        for (int k = 0; k < 2; ++k) {
            x[k] = v.position[3 + k] - v.position[k];
            u[k] = v.velocity[3 + k] - v.velocity[k];
        }
        if (n >= FIRST) {
            out.turn += atan2(last[0] * x[1] - last[1] * x[0], last[0] * x[0] + last[1] * x[1]);
            out.expected += step_length * hypot(u[0], u[1]) / rho;
        }
        if (n == FIRST) first = hypot(u[0], u[1]);
        if (n == STEPS - 1) {
            out.loss = 1.0 - hypot(u[0], u[1]) / first;
            out.lost = 1.0 - hypot(u[0], u[1]) / speed;
        }
        out.growth = fmax(out.growth, energy / last[2] - 1.0);
        out.depth = fmax(out.depth, hypot(x[0], x[1]) - rho);
        last[0] = x[0];
        last[1] = x[1];
        last[2] = energy;
    }
    require_finite(world);
    return out;
}

/* Chords and tangents differ from arcs by the square of the angle of a step; a pipe of faces is
 * narrower than its corners are. */
static void balls_go_round_as_fast_as_they_are(void** state)
{
    (void)state;
    static const double inners[] = {1.0, 0.25};
    for (int k = 0; k < 2 * N_AROUND * N_RATIOS; ++k) {
        double ratio = ratios[k % N_RATIOS], inner = inners[k / (N_AROUND * N_RATIOS)];
        around kind = (around)(k / N_RATIOS % N_AROUND);
        double angle = ratio * radius / (inner - radius);
        if (kind == FACES && inner < 1.0) continue;
        scree_mesh* faces = kind == FACES ? pipe_of_faces(inner) : NULL;
        double speed = ratio * radius / step_length;
        scree_world* world = make_circle(kind, SCREE_SCHEME_IMPULSE, speed, inner, faces);
        round_trip found = go_round(world, inner, speed);
        double off = found.turn / found.expected - 1.0;
        require(fabs(off) <= 2e-3 + (ratio > 1.0 ? 0.06 : 0.5) * angle * angle,
                "%s of %g m, %g radii a step: %.4f of the way", around_names[kind], inner, ratio,
                1.0 + off);
        require(found.growth <= 1e-9, "%s, %g radii a step: energy grows by %g", around_names[kind],
                ratio, found.growth);
        require(found.depth <= (inner < 1.0 ? 0.5 : 0.3) * radius,
                "%s, %g radii a step: %g radii deep", around_names[kind], ratio,
                found.depth / radius);
        /* Faces take speed at every edge. A round wall takes some as it is met, in the first steps,
         * and then none: with the square of the angle of a step, or, of balls so fast that where
         * they met is known, with its fourth power. */
        double square = angle * angle, met = ratio > 1.0 ? 0.05 * square * square : 0.6 * square;
        require(kind == FACES || fabs(found.loss) <= 1e-3 + 0.1 * met,
                "%s of %g m, %g radii a step: loses %g", around_names[kind], inner, ratio,
                found.loss);
        require(kind == FACES || (found.lost >= -1e-9 && found.lost <= 1e-3 + met),
                "%s of %g m, %g radii a step: has lost %g", around_names[kind], inner, ratio,
                found.lost);
        double z = scree_world_get_view(world).position[2], way = kind == RING ? 3.0 : 0.0;
        require_near(z, way * STEPS * step_length, 5e-3 * way, "way of the ring");
        scree_world_destroy(world);
        scree_mesh_destroy(faces);
    }
}

/* ---- between two planes ---- */

/* A channel along y of two thick boxes that lean by half a radian, without friction: whatever a
 * body does between them, it goes along y as fast as it did at first. */
static scree_world* make_channel(const scree_shape* shape, double speed, double restitution)
{
    scree_world* world = world_new(world_def(step_length, 1e-8),
                                   (scree_material){.mu = 0.0, .restitution = restitution});
    for (int side = 0; side < 2; ++side) {
        scree_shape box = box_of(300.0, 300.0, 1.0);
        scree_body_def still = scree_default_body_def();
        double tilt = side ? 0.5 : -0.5;
        still.kind = SCREE_BODY_STATIC;
        turn_about_y(still.rotation, tilt);
        set3(still.position, -sin(tilt), 0.0, -cos(tilt));
        add_body(world, &still, &box);
    }
    scree_body_def body = body_of(shape, 1000.0);
    set3(body.position, 0.03, 0.0, radius / cos(0.5) + 0.002);
    set3(body.velocity, 0.4 * speed, 0.9 * speed, -0.1 * speed);
    add_body(world, &body, shape);
    return world;
}

static void nothing_is_lost_between_planes(void** state)
{
    (void)state;
    for (int k = 0; k < 4 * N_RATIOS; ++k) {
        double ratio = ratios[k % N_RATIOS], speed = ratio * radius / step_length;
        int is_box = k / N_RATIOS % 2, bounces = k / N_RATIOS / 2;
        double side = radius / sqrt(3.0), last = HUGE_VAL, growth = 0.0, lowest = HUGE_VAL;
        scree_shape shape = is_box ? box_of(side, side, side) : sphere_of(radius);
        scree_world* world = make_channel(&shape, speed, bounces ? 0.8 : 0.0);
        for (int n = 0; n < STEPS; ++n) {
            scree_step_report report = step_any(world);
            const double* x = scree_world_get_view(world).position + 6;
            double energy = report.kinetic + report.potential;
            growth = fmax(growth, energy - last);
            last = energy;
            lowest = fmin(lowest, cos(0.5) * x[2] - sin(0.5) * fabs(x[0]));
        }
        scree_world_view v = scree_world_get_view(world);
        require_near(v.position[7] / (0.9 * speed), 1.0, 0.01,
                     is_box ? "way of a box" : "of a ball");
        require(growth <= 1e-8 * (1.0 + 0.5 * speed * speed), "%g radii a step: %g J more", ratio,
                growth);
        require(lowest > 0.4 * radius, "%g radii a step: %g radii above the planes", ratio,
                lowest / radius);
        require_finite(world);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_go_round_as_fast_as_they_are),
        cmocka_unit_test(nothing_is_lost_between_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
