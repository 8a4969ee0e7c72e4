/* No unit of length, time or mass is special: a world that is larger, slower and heavier by powers
 * of two moves with the same bits, scaled. Any constant of the engine that has a unit breaks this.
 */
#include "support/draw.h"
#include "support/mechanisms.h"

enum { STEPS = 120 };

/* What is left of impulses that fade away: their squares vanish in some units and not in others. */
#define NOTHING 1e-120

/* Powers of two for metres, seconds and kilograms. */
typedef struct units {
    int length, time, mass;
} units;

static double in_units(double x, units u, int length, int time, int mass)
{
    return ldexp(x, length * u.length + time * u.time + mass * u.mass);
}

typedef struct kit {
    int n_bodies;
    scree_scheme scheme;
    scree_law law;
    int shapes; /* 0 spheres, 1 boxes, 2 spheres, boxes and capsules, 3 spheres and cylinders */
    double mu, mu_r, mu_s, restitution;
    int joints; /* 0 none; 1 some, as rows; 2 some, along trees */
} kit;

static const char* const shapes_names[] = {"spheres", "boxes", "spheres, boxes, capsules",
                                           "cylinders, ellipsoids, cones"};

static scree_shape draw_shape(scri_random* random, int shapes, int number)
{
    static const scree_shape_kind mixed[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX,
                                             SCREE_SHAPE_CAPSULE};
    static const scree_shape_kind curved[] = {SCREE_SHAPE_CYLINDER, SCREE_SHAPE_ELLIPSOID,
                                              SCREE_SHAPE_CONE};
    scree_shape shape = scree_default_shape();
    shape.kind = shapes == 0   ? SCREE_SHAPE_SPHERE
                 : shapes == 1 ? SCREE_SHAPE_BOX
                 : shapes == 2 ? mixed[number % 3]
                               : curved[number % 3];
    for (int k = 0; k < 3; ++k) shape.half_size[k] = draw_between(random, 0.04, 0.08);
    if (shapes == 3 && number % 2) shape.rounding = 0.015;
    return shape;
}

static void scale_shape(scree_shape* shape, units u)
{
    for (int k = 0; k < 3; ++k) shape->half_size[k] = in_units(shape->half_size[k], u, 1, 0, 0);
    shape->rounding = in_units(shape->rounding, u, 1, 0, 0);
}

static void scale_body(scree_body_def* body, units u)
{
    for (int k = 0; k < 3; ++k) {
        body->position[k] = in_units(body->position[k], u, 1, 0, 0);
        body->velocity[k] = in_units(body->velocity[k], u, 1, -1, 0);
        body->angular_velocity[k] = in_units(body->angular_velocity[k], u, 0, -1, 0);
    }
    body->mass = in_units(body->mass, u, 0, 0, 1);
    for (int k = 0; k < 6; ++k) body->inertia[k] = in_units(body->inertia[k], u, 2, 0, 1);
}

/* Joins body `i` to the one before it by a ball or a hinge with a spring, between their centres. */
static void join_to_last(scree_world* world, int32_t i, units u)
{
    static const double axis[3] = {0.6, 0.0, 0.8};
    const double* x = scree_world_get_view(world).position + 3 * (size_t)i;
    double point[3] = {0.5 * (x[0] + x[-3]), 0.5 * (x[1] + x[-2]), 0.5 * (x[2] + x[-1])};
    scree_joint_def def =
        joint_of(world, i % 2 ? SCREE_JOINT_BALL : SCREE_JOINT_HINGE, scree_world_body_at(world, i),
                 scree_world_body_at(world, i - 1), point, axis);
    def.freedom[0].stiffness = in_units(0.3, u, 2, -2, 1);
    def.freedom[0].damping = in_units(0.01, u, 2, -1, 1);
    def.freedom[0].friction = in_units(0.02, u, 2, -2, 1);
    add_joint(world, &def);
}

/* Bodies in a loose heap above a floor, tilted a little, with a wall that is driven into them. */
static scree_world* build(uint64_t seed, kit k, units u)
{
    scri_random random = {.key = seed};
    scree_world_def def = world_def(in_units(2e-3, u, 0, 1, 0), 1e-4);
    for (int i = 0; i < 3; ++i) def.gravity[i] = in_units(def.gravity[i], u, 1, -2, 0);
    def.scheme = k.scheme;
    def.theta = k.scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    def.law = k.law;
    def.joints = k.joints == 2 ? SCREE_JOINTS_TREES : SCREE_JOINTS_ROWS;
    scree_material material = {.mu = k.mu,
                               .mu_r = in_units(k.mu_r, u, 1, 0, 0),
                               .mu_s = in_units(k.mu_s, u, 1, 0, 0),
                               .restitution = k.restitution};
    scree_world* world = world_new(def, material);
    add_floor(world, 0.05);
    double velocity[3] = {in_units(-0.3, u, 1, -1, 0), 0.0, 0.0};
    scree_body_def wall = scree_default_body_def();
    scree_shape plane = scree_default_shape();
    wall.kind = SCREE_BODY_KINEMATIC;
    plane.kind = SCREE_SHAPE_HALF_SPACE;
    turn_about_y(wall.rotation, -1.5);
    set3(wall.position, in_units(0.5, u, 1, 0, 0), 0.0, 0.0);
    set3(wall.velocity, velocity[0], velocity[1], velocity[2]);
    add_body(world, &wall, &plane);
    for (int i = 0; i < k.n_bodies; ++i) {
        scree_shape shape = draw_shape(&random, k.shapes, i);
        scree_body_def body = body_of(&shape, draw_power(&random, 2.0, 4.0));
        double frame[9];
        draw_frame(&random, frame);
        set3(body.position, 0.17 * (i % 2) + draw_between(&random, -0.01, 0.01),
             0.17 * (i / 2 % 2) + draw_between(&random, -0.01, 0.01), 0.16 + 0.18 * (i / 4));
        set3(body.velocity, frame[0], frame[1], frame[2]);
        set3(body.angular_velocity, 3.0 * frame[3], 3.0 * frame[4], 3.0 * frame[5]);
        if (draw_chance(&random, 70.0)) {
            body.rotation[0] = 0.6;
            for (int m = 0; m < 3; ++m) body.rotation[1 + m] = 0.8 * frame[6 + m];
        }
        scale_shape(&shape, u);
        scale_body(&body, u);
        int32_t added = add_body(world, &body, &shape);
        if (k.joints && i % 4) join_to_last(world, added, u);
    }
    return world;
}

/* One quantity of both worlds and its unit, m^length s^time kg^mass. */
typedef struct quantity {
    const char* name;
    const double *a, *b;
    size_t n;
    int length, time, mass;
} quantity;

/* Whether b is a in the other units; else says where it first is not. */
static int agree(const quantity* q, units u)
{
    for (size_t i = 0; i < q->n; ++i) {
        double expected = in_units(q->a[i], u, q->length, q->time, q->mass);
        if (q->b[i] == expected || fabs(q->a[i]) < NOTHING) continue;
        print_message("%s %zu: %.17g is not %.17g, off by %g of it\n", q->name, i, q->b[i],
                      expected, fabs(q->b[i] / expected - 1.0));
        return 0;
    }
    return 1;
}

static int steps_agree(scree_world* a, scree_world* b, units u, int* solved)
{
    scree_step_report ra = step_any(a), rb = step_any(b);
    *solved =
        ra.solve.outcome == SCREE_OUTCOME_CONVERGED || rb.solve.outcome == SCREE_OUTCOME_CONVERGED;
    scree_world_view va = scree_world_get_view(a), vb = scree_world_get_view(b);
    size_t n = (size_t)va.n_bodies;
    double contacts_a = ra.n_contacts, contacts_b = rb.n_contacts;
    const quantity quantities[] = {
        {"contacts", &contacts_a, &contacts_b, 1, 0, 0, 0},
        {"residual", &ra.solve.residual, &rb.solve.residual, 1, 0, 0, 0},
        {"velocity", va.velocity, vb.velocity, 3 * n, 1, -1, 0},
        {"angular velocity", va.angular_velocity, vb.angular_velocity, 3 * n, 0, -1, 0},
        {"position", va.position, vb.position, 3 * n, 1, 0, 0},
        {"rotation", va.rotation, vb.rotation, 4 * n, 0, 0, 0},
        {"penetration", &ra.penetration, &rb.penetration, 1, 1, 0, 0},
        {"energy", &ra.kinetic, &rb.kinetic, 1, 2, -2, 1},
    };
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; ++i) {
        if (!agree(&quantities[i], u)) return 0;
    }
    for (int32_t c = 0; c < va.n_contacts; ++c) {
        int32_t row = va.problem->first_row[c], width = va.problem->first_row[c + 1] - row;
        for (int32_t i = 0; i < width; ++i) { /* moments follow forces */
            const double *pa = va.impulse + row + i, *pb = vb.impulse + row + i;
            const quantity p = {i < 3 ? "impulse" : "moment", pa, pb, 1, i < 3 ? 1 : 2, -1, 1};
            if (!agree(&p, u)) return 0;
        }
    }
    return 1;
}

/* How far impulses of joints and contacts go that contradict each other, or that stall, is told by
 * rows in metres and in radians: there, and only there, the last digits depend on the unit of
 * length. */
static int moves_alike(uint64_t seed, kit k, units u, int* n_unsolved)
{
    scree_world* a = build(seed, k, (units){0, 0, 0});
    scree_world* b = build(seed, k, u);
    int s = 0, is_solved = 1;
    while (s < STEPS && steps_agree(a, b, u, &is_solved)) ++s;
    scree_world_destroy(a);
    scree_world_destroy(b);
    if (s == STEPS) return 1;
    print_message("in step %d of seed %llu: %s, %s, joints %d, law %s, mu %g, %g, %g, e %g, units "
                  "2^%d m, 2^%d s, 2^%d kg\n",
                  s, (unsigned long long)seed, shapes_names[k.shapes],
                  k.scheme == SCREE_SCHEME_GAP ? "gap" : "impulse", k.joints,
                  scree_law_name((int)k.law), k.mu, k.mu_r, k.mu_s, k.restitution, u.length, u.time,
                  u.mass);
    *n_unsolved += !is_solved && k.joints;
    return !is_solved && k.joints;
}

static void no_unit_is_special(void** state)
{
    (void)state;
    int n = test_cases(24, 1000);
    uint64_t first = 1;
    int n_wrong = 0, n_unsolved = 0;
    for (int i = 0; i < n; ++i) {
        scri_random random = {.key = first + (uint64_t)i, .stream = 1};
        kit k = {.n_bodies = i % 8 ? 14 : 60,
                 .scheme = i % 2 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE,
                 .law = draw_chance(&random, 25.0) ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT,
                 .shapes = i / 2 % 4,
                 .mu = draw_between(&random, 0.0, 0.9),
                 .mu_r = draw_chance(&random, 50.0) ? draw_power(&random, -4.0, -2.0) : 0.0,
                 .mu_s = draw_chance(&random, 50.0) ? draw_power(&random, -4.0, -2.0) : 0.0,
                 .restitution = i % 2 ? 0.0 : draw_between(&random, 0.0, 0.7),
                 .joints = i % 8 ? i / 3 % 3 : 0};
        units u = {draw_below(&random, 41) - 20, draw_below(&random, 41) - 20,
                   draw_below(&random, 61) - 30};
        n_wrong += !moves_alike(first + (uint64_t)i, k, u, &n_unsolved);
    }
    require(n_unsolved <= n / 100, "%d of %d worlds go apart where no solution is found",
            n_unsolved, n);
    require(n_wrong == 0, "%d of %d worlds depend on their units", n_wrong, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_unit_is_special)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
