/* What is promised to the last bit on every processor that follows IEEE 754: motions of standard
 * worlds, with their certificates. The numbers are the same in this file for all of them; a change
 * of numerics changes them here and is named in CHANGELOG.md. Worlds are built without sines and
 * cosines, whose last digit belongs to the C library, and have no more than 32 bodies that touch:
 * larger ones may be solved by matrices whose rounding belongs to a BLAS. */
#include "scree/shape.h"
#include "support/bits.h"
#include "support/draw.h"
#include "support/mechanisms.h"

/* Steps the world and gives it back; the state, the certificate and the books of every step count.
 */
static uint64_t run(scree_world* world, int steps)
{
    uint64_t hash = BITS_BEGIN;
    for (int s = 0; s < steps; ++s) {
        scree_step_report r = step_any(world);
        scree_world_view v = scree_world_get_view(world);
        size_t n = (size_t)v.n_bodies;
        double judged[] = {r.certificate.residual,
                           r.certificate.normal_violation,
                           r.certificate.cone_violation,
                           r.certificate.complementarity,
                           r.solve.residual,
                           (double)r.n_contacts,
                           (double)r.solve.iterations,
                           (double)r.solve.updates,
                           (double)r.solve.outcome,
                           r.approach,
                           r.penetration,
                           (double)r.n_stopped,
                           r.kinetic,
                           r.potential,
                           r.contact_work,
                           r.overlap_work,
                           r.force_work,
                           (double)r.n_parts,
                           r.joint_gap};
        hash = mix_bits(hash, v.position, 3 * n);
        hash = mix_bits(hash, v.rotation, 4 * n);
        hash = mix_bits(hash, v.velocity, 3 * n);
        hash = mix_bits(hash, v.angular_velocity, 3 * n);
        hash = mix_bits(hash, judged, sizeof judged / sizeof *judged);
    }
    scree_world_destroy(world);
    return hash;
}

/* Spheres of two sizes that fall on each other and on a floor. */
static uint64_t spheres(scree_scheme scheme, scree_law law, int32_t workers)
{
    scree_world_def def = world_def(2e-3, 1e-4);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    def.law = law;
    def.workers = workers;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-3, .mu_s = 5e-4});
    add_floor(world, 0.0);
    for (int i = 0; i < 27; ++i) {
        scree_shape shape = sphere_of(i % 3 ? 0.010 : 0.009);
        scree_body_def body = body_of(&shape, 2500.0);
        set3(body.position, 0.0201 * (i % 3) + 1e-4 * (i % 7),
             0.0201 * (i / 3 % 3) + 1e-4 * (i % 5), 0.012 + 0.0202 * (i / 9));
        add_body(world, &body, &shape);
    }
    return run(world, 60);
}

/* Boxes that lean, slide and tumble: one on a floor, one on it, one that falls on both. */
static uint64_t boxes(scree_scheme scheme)
{
    scree_world_def def = world_def(2e-3, 1e-6);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    scree_world* world = world_new(def, (scree_material){.mu = 0.4});
    add_floor(world, 0.0);
    for (int i = 0; i < 3; ++i) {
        scree_shape shape = box_of(0.1, 0.08 - 0.01 * i, 0.05);
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.02 * i, -0.01 * i, 0.05 + 0.1 * i + (i == 2 ? 0.05 : 0.0));
        set3(body.velocity, i == 1 ? 0.5 : 0.0, 0.0, 0.0);
        set3(body.angular_velocity, 0.0, i == 2 ? 1.0 : 0.0, i == 1 ? 0.5 : 0.0);
        add_body(world, &body, &shape);
    }
    return run(world, 100);
}

/* A cylinder that falls on its rim, a capsule on its side. */
static uint64_t round_bodies(void)
{
    scree_world* world =
        world_new(world_def(1e-3, 1e-6), (scree_material){.mu = 0.3, .mu_r = 1e-4});
    add_floor(world, 0.0);
    for (int i = 0; i < 2; ++i) {
        scree_shape shape = sphere_of(0.05);
        shape.kind = i ? SCREE_SHAPE_CAPSULE : SCREE_SHAPE_CYLINDER;
        shape.half_size[1] = 0.1;
        shape.category = 2; /* the two do not collide */
        shape.collides = ~shape.category;
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.5 * i, 0.0, 0.2);
        body.rotation[0] = 0.8;
        body.rotation[1] = 0.6;
        set3(body.angular_velocity, 1.0, 2.0, 3.0);
        add_body(world, &body, &shape);
    }
    return run(world, 400);
}

/* A body of the shape and a density of 2000 kg/m^3. */
static scree_body_id put(scree_world* world, scree_body_kind kind, scree_shape shape, double x,
                         double z, double speed_x, double speed_z)
{
    scree_body_def def = body_of(&shape, 2000.0);
    scree_body_id id;
    def.kind = kind;
    set3(def.position, x, 0.0, z);
    set3(def.velocity, speed_x, 0.0, speed_z);
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_OK);
    return id;
}

/* Sledges and bobs on every joint that needs no angle, with motors, springs, limits and friction;
 * one carries a box, another meets a wall. */
static uint64_t machine(scree_scheme scheme)
{
    const double x[3] = {1.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0}, small[3] = {0.01, 0.02, 0.015};
    scree_world_def def = world_def(1e-3, 1e-6);
    def.scheme = scheme;
    scree_world* world = world_new(def, (scree_material){.mu = 0.4});
    scree_body_id sledge[4];
    for (int k = 0; k < 4; ++k) {
        double at[3] = {0.0, 2.0 * k, 0.0};
        scree_shape shape = box_of(0.2, 0.2, 0.05);
        scree_body_def body = body_of(&shape, 500.0);
        set3(body.position, at[0], at[1], at[2]);
        set3(body.velocity, 0.3 * k, 0.0, 0.0);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &sledge[k]), SCREE_OK);
        scree_joint_def joint = joint_of(world, SCREE_JOINT_SLIDER, sledge[k], the_world, at, x);
        scree_freedom* f = &joint.freedom[0];
        f->friction = 0.5 * k;
        f->friction_arm = 0.02 * k;
        f->lower = -0.05;
        f->upper = 0.02 + 0.01 * k;
        if (k == 1) f->stiffness = 4e3, f->damping = 20.0, f->rest = 0.01;
        if (k == 2) f->motor = SCREE_MOTOR_VELOCITY, f->target = -0.4, f->max_effort = 8.0;
        if (k == 3) f->motor = SCREE_MOTOR_POSITION, f->target = 0.03, f->max_effort = 30.0;
        if (k == 0) joint.compliance[0] = 1e-5, joint.damping[0] = 50.0;
        add_joint(world, &joint);
        double hook[3] = {at[0] + 0.1, at[1], at[2] - 0.05}, end[3] = {at[0] + 0.4, at[1], -0.3};
        scree_body_id bob = add_mass(world, 0.3, small, end);
        scree_joint_def hung =
            joint_of(world, k % 2 ? SCREE_JOINT_BALL : SCREE_JOINT_ROPE, bob, sledge[k], hook, z);
        if (k % 2) hung.freedom[0].friction = 0.05;
        if (k == 2) hung.break_force = 3.0;
        add_joint(world, &hung);
    }
    scree_shape box = box_of(0.05, 0.05, 0.05), wall = box_of(0.05, 1.0, 1.0);
    put(world, SCREE_BODY_DYNAMIC, box, 0.01, 0.12, 0.0, 0.0);
    put(world, SCREE_BODY_STATIC, wall, 0.55, 0.0, 0.0, 0.0);
    return run(world, 150);
}

/* Contacts of several kinds that yield, far apart: each part is solved by itself. */
static uint64_t yielding(scree_scheme scheme)
{
    scree_world_def def = world_def(1e-3, 1e-4);
    def.scheme = scheme;
    def.workers = 2;
    scree_world* world =
        world_new(def, (scree_material){.mu = 0.5, .stiffness = 5e4, .damping = 40.0});
    scree_material hard = {.mu = 0.3, .mu_r = 1e-3, .young = 1e7, .poisson = 0.3};
    int32_t number;
    assert_int_equal(scree_world_add_material(world, &hard, &number), SCREE_OK);
    add_floor(world, 0.0);
    for (int k = 0; k < 4; ++k) {
        scree_shape shape = k % 2 ? sphere_of(0.05) : box_of(0.05, 0.04, 0.03);
        shape.material = k < 2 ? 0 : number;
        put(world, SCREE_BODY_DYNAMIC, shape, 1.0 * k, 0.06, 0.5, -0.2 * k);
        put(world, SCREE_BODY_DYNAMIC, shape, 1.0 * k + 0.01, 0.17, 0.0, 0.0);
    }
    return run(world, 80);
}

/* Friction that depends on direction and on slip, beside a pendulum. */
static uint64_t surfaces(scree_law law)
{
    const double x[3] = {1.0, 0.0, 0.0}, at[3] = {5.0, 0.0, 1.0}, bob[3] = {5.5, 0.0, 1.0};
    scree_world_def def = world_def(1e-3, 1e-5);
    def.law = law;
    scree_set_def shapes[2] = {{.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 0.4},
                               {.kind = SCREE_SET_ELLIPSE, .a = 0.6, .b = 0.9}};
    scree_set* set[2];
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(scree_set_create(NULL, &shapes[k], &set[k]), SCREE_OK);
    }
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_s = 1e-3});
    scree_material lay = {.mu = 0.5, .sliding = set[0], .lay = {0.8, 0.6, 0.0}};
    if (law == SCREE_LAW_EXACT) lay.direction = set[1];
    scree_material slips = {.mu = 0.2, .mu_r = 1e-3, .slip = {{0.5, 0.05, 0.01}, {2e-3, 1.0, 0.0}}};
    int32_t number[2];
    assert_int_equal(scree_world_add_material(world, &lay, &number[0]), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &slips, &number[1]), SCREE_OK);
    for (int k = 0; k < 2; ++k) scree_set_destroy(set[k]);
    add_floor(world, 0.0);
    for (int k = 0; k < 4; ++k) {
        scree_shape shape = k % 2 ? sphere_of(0.05) : box_of(0.1, 0.08, 0.04);
        shape.material = number[k / 2];
        put(world, SCREE_BODY_DYNAMIC, shape, 0.5 * k, k % 2 ? 0.05 : 0.04, 0.6 - 0.3 * k, 0.0);
    }
    scree_body_id swings = add_rod(world, 1.0, at, bob);
    join(world, SCREE_JOINT_BALL, swings, the_world, at, x);
    return run(world, 150);
}

/* Balls that go farther in a step than they are wide, at walls and at each other; a plate that
 * pushes, slowly and fast, and one that squeezes a ball against a wall. */
static uint64_t fast(scree_scheme scheme)
{
    scree_world_def def = world_def(2e-3, 1e-4);
    def.scheme = scheme;
    scree_world* world = world_new(def, (scree_material){.mu = 0.3, .restitution = 0.5});
    scree_shape thin = box_of(0.005, 1.0, 1.0), ball = sphere_of(0.02),
                box = box_of(0.03, 0.03, 0.03);
    put(world, SCREE_BODY_STATIC, thin, 1.0, 0.0, 0.0, 0.0);
    put(world, SCREE_BODY_DYNAMIC, ball, 0.0, 0.0, 150.0, 0.0);
    put(world, SCREE_BODY_DYNAMIC, ball, 0.1, 0.3, 90.0, -60.0);
    put(world, SCREE_BODY_DYNAMIC, ball, 0.9, 0.1, -120.0, 0.0);
    put(world, SCREE_BODY_DYNAMIC, box, 0.5, -0.3, 60.0, 10.0);
    for (int k = 0; k < 3; ++k) { /* plates */
        double z = 5.0 + 3.0 * k, speed = k == 0 ? 0.2 : 20.0;
        put(world, SCREE_BODY_KINEMATIC, thin, 0.0, z, speed, 0.0);
        put(world, SCREE_BODY_DYNAMIC, ball, 0.05, z, 0.0, 0.0);
        put(world, SCREE_BODY_DYNAMIC, box, 0.2, z + 0.01, -1.0, 0.0);
        if (k == 0) put(world, SCREE_BODY_STATIC, thin, 0.06, z + 0.5, 0.0, 0.0);
    }
    put(world, SCREE_BODY_STATIC, thin, -2.0, 0.0, 0.0, 0.0); /* a ball that has too little room */
    put(world, SCREE_BODY_DYNAMIC, ball, -1.975, 0.0, 0.0, 0.0);
    put(world, SCREE_BODY_STATIC, thin, -1.956, 0.0, 0.0, 0.0);
    return run(world, 60);
}

/* Stones with corners anywhere, on a floor and on each other. */
static uint64_t rocks(scree_scheme scheme)
{
    scri_random random = {.key = 7};
    scree_world_def def = world_def(2e-3, 1e-4);
    def.scheme = scheme;
    scree_world* world = world_new(def, (scree_material){.mu = 0.6, .mu_r = 1e-3});
    scree_hull* hull[5];
    add_floor(world, 0.0);
    for (int k = 0; k < 5; ++k) {
        double corner[3 * 14];
        for (int i = 0; i < 14; ++i) draw_direction(&random, corner + 3 * i);
        for (int i = 0; i < 3 * 14; ++i) corner[i] *= 0.05 + 0.01 * (i % 3);
        assert_int_equal(scree_hull_create(NULL, 14, corner, &hull[k]), SCREE_OK);
        scree_shape shape = scree_default_shape();
        shape.kind = SCREE_SHAPE_HULL;
        shape.hull = hull[k];
        put(world, SCREE_BODY_DYNAMIC, shape, 0.02 * k, 0.08 + 0.14 * k, 0.0, 0.0);
    }
    uint64_t hash = run(world, 150);
    for (int k = 0; k < 5; ++k) scree_hull_destroy(hull[k]);
    return hash;
}

typedef struct promise {
    const char* what;
    uint64_t kept, promised;
} promise;

static void bits_are_kept(void** state)
{
    (void)state;
    const promise promises[] = {
        {"spheres, impulse", spheres(SCREE_SCHEME_IMPULSE, SCREE_LAW_EXACT, 1), 0x27910c178175a384},
        {"spheres, gap", spheres(SCREE_SCHEME_GAP, SCREE_LAW_EXACT, 1), 0xf81d7c64bfd72eb3},
        {"spheres, gap, two workers", spheres(SCREE_SCHEME_GAP, SCREE_LAW_EXACT, 2),
         0xf81d7c64bfd72eb3},
        {"spheres, convex", spheres(SCREE_SCHEME_GAP, SCREE_LAW_CONVEX, 1), 0xb91bdbca399c4f5a},
        {"boxes, impulse", boxes(SCREE_SCHEME_IMPULSE), 0x9f9fe71a891014b7},
        {"boxes, gap", boxes(SCREE_SCHEME_GAP), 0x5174277751aa1d4e},
        {"cylinder and capsule", round_bodies(), 0xa53e6924f7fe291c},
        {"machine, impulse", machine(SCREE_SCHEME_IMPULSE), 0x18f66eb9888ed8d1},
        {"machine, gap", machine(SCREE_SCHEME_GAP), 0xcdf442e3be2e6752},
        {"yielding, impulse", yielding(SCREE_SCHEME_IMPULSE), 0x221d36e72272aaf1},
        {"yielding, gap", yielding(SCREE_SCHEME_GAP), 0x07f30488f34c3d04},
        {"surfaces, exact", surfaces(SCREE_LAW_EXACT), 0x4ace965323cd9504},
        {"surfaces, convex", surfaces(SCREE_LAW_CONVEX), 0xa54ad9169aca4b33},
        {"fast, impulse", fast(SCREE_SCHEME_IMPULSE), 0xa3679e54d97c5ed6},
        {"fast, gap", fast(SCREE_SCHEME_GAP), 0x8acdeba533269123},
        {"rocks, impulse", rocks(SCREE_SCHEME_IMPULSE), 0x608680971ad84d4d},
        {"rocks, gap", rocks(SCREE_SCHEME_GAP), 0x9d456699519bf3a1},
    };
    int broken = 0;
    for (size_t i = 0; i < sizeof promises / sizeof *promises; ++i) {
        const promise* p = &promises[i];
        print_message("%-26s 0x%016llx\n", p->what, (unsigned long long)p->kept);
        broken += p->kept != p->promised;
    }
    assert_int_equal(broken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
