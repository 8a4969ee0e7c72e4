/* What test_promises.c leaves out, to the last bit on every processor that follows IEEE 754: bodies
 * that come to rest and are disturbed, added and taken away, rebounds that friction shortens, lays
 * of two surfaces, hundreds of contacts in each other, several workers, systems in coordinates of
 * their own. Impulses, gaps, slips and the work of every step count too. */
#include "scree/set.h"
#include "scree/shape.h"
#include "scree/system.h"
#include "support/draw.h"
#include "support/motions.h"

static scree_world_def def_of(scree_scheme scheme, double step, double tol)
{
    scree_world_def def = world_def(step, tol);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    return def;
}

static void pull(void* user, const scree_world_view* view, double* force, double* torque)
{
    (void)user;
    for (int32_t i = 1; i < view->n_bodies; ++i) {
        force[3 * i] += 0.2 * view->mass[i] * (view->time < 0.1 ? 1.0 : -0.5);
        torque[3 * i + 2] += 1e-3 * view->mass[i];
    }
}

/* Stacks that come to rest apart from each other; then a ball is thrown into one of them, a body is
 * taken away, one put elsewhere, one pushed. */
static uint64_t settled(scree_scheme scheme, int32_t workers, int is_pulled)
{
    uint64_t hash = BITS_BEGIN;
    scree_world_def def = def_of(scheme, 4e-3, 1e-4);
    def.workers = workers;
    if (is_pulled) def.force = pull;
    if (is_pulled && scheme == SCREE_SCHEME_GAP) def.margin = 0.01;
    scree_world* world = guarded_world(def, (scree_material){.mu = 0.5, .mu_r = 1e-3});
    scree_body_id id[8];
    add_floor(world, 0.0);
    for (int k = 0; k < 8; ++k) {
        scree_shape shape = k % 4 == 3 ? sphere_of(0.05) : box_of(0.06, 0.05, 0.04);
        const double at[3] = {0.5 * (k / 2) + 0.002 * k, 0.0, k % 2 ? 0.125 : 0.041};
        id[k] = put_body(world, SCREE_BODY_DYNAMIC, shape, at, NULL);
    }
    hash = mix_steps(hash, world, 120, mix_bits);
    const double from[3] = {-0.3, 0.01, 0.06}, fast[3] = {2.0, 0.0, 0.5};
    put_body(world, SCREE_BODY_DYNAMIC, sphere_of(0.04), from, fast);
    hash = mix_steps(hash, world, 60, mix_bits);
    const double up[3] = {0.5, 0.3, 0.1}, turned[4] = {0.8, 0.0, 0.6, 0.0};
    const double push[3] = {0.3, 0.0, 0.2}, aside[3] = {1.05, 0.0, 0.04};
    assert_int_equal(scree_world_remove_body(world, id[2]), SCREE_OK);
    assert_int_equal(scree_world_set_pose(world, id[5], up, turned), SCREE_OK);
    for (int s = 0; s < 20; ++s) {
        assert_int_equal(scree_world_apply_force_at(world, id[6], push, aside), SCREE_OK);
        if (s == 3) assert_int_equal(scree_world_apply_impulse(world, id[7], push), SCREE_OK);
        hash = mix_steps(hash, world, 1, mix_bits);
    }
    end_world(world);
    return hash;
}

/* Rods and boxes that hit a floor and each other askew, with restitution and much friction. */
static uint64_t rebounds(double mu)
{
    uint64_t hash = BITS_BEGIN;
    scree_world* world = guarded_world(def_of(SCREE_SCHEME_IMPULSE, 1e-3, 1e-8),
                                       (scree_material){.mu = mu, .restitution = 0.9});
    add_floor(world, 0.0);
    for (int k = 0; k < 4; ++k) {
        scree_shape shape = k % 2 ? box_of(0.2, 0.04, 0.03) : sphere_of(0.02);
        if (k % 2 == 0) shape.kind = SCREE_SHAPE_CAPSULE, shape.half_size[1] = 0.2;
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.1 * k, 0.02 * k, 0.25 + 0.15 * k);
        set3(body.velocity, 3.0 - k, 0.5, -3.0);
        set3(body.angular_velocity, 0.0, k % 2 ? 3.0 : -4.0, 1.0);
        body.rotation[0] = 0.96;
        body.rotation[2] = k % 2 ? 0.28 : -0.28;
        add_body(world, &body, &shape);
    }
    hash = mix_steps(hash, world, 200, mix_bits);
    end_world(world);
    return hash;
}

/* Rods that come down on one end, without gravity: some would gain energy by their rebounds, which
 * are looked for between all and nothing then. */
static uint64_t impacts(int n)
{
    uint64_t hash = BITS_BEGIN;
    scri_random random = {.key = 17};
    for (int k = 0; k < n; ++k) {
        scree_world_def def = def_of(SCREE_SCHEME_IMPULSE, 1e-3, 1e-10);
        set3(def.gravity, 0.0, 0.0, 0.0);
        scree_material material = {.mu = draw_between(&random, 0.05, 1.5)};
        material.restitution = draw_between(&random, 0.2, 1.0);
        scree_world* world = guarded_world(def, material);
        add_floor(world, 0.0);
        for (int i = 0; i < 1 + (k % 3 == 0); ++i) {
            scree_shape rod = sphere_of(0.01);
            rod.kind = SCREE_SHAPE_CAPSULE;
            rod.half_size[1] = 0.5;
            scree_body_def body = body_of(&rod, 1000.0);
            double tilt = draw_between(&random, 0.1, 0.6), *q = body.rotation;
            q[0] = sqrt(1.0 - tilt * tilt);
            q[2] = tilt;
            set3(body.position, 0.02 * i, 0.021 * i,
                 0.5 * (1.0 - 2.0 * tilt * tilt) + 0.0101 + 0.001 * i);
            body.velocity[0] = draw_between(&random, -4.0, 4.0);
            body.velocity[1] = draw_between(&random, -1.0, 1.0);
            body.velocity[2] = draw_between(&random, -5.0, -2.0);
            for (int j = 0; j < 3; ++j) {
                body.angular_velocity[j] = draw_between(&random, -1.0, 1.0);
            }
            add_body(world, &body, &rod);
        }
        hash = mix_steps(hash, world, 3, mix_bits);
        end_world(world);
    }
    return hash;
}

/* Surfaces with a lay on both sides, sets of rolling, contours, and friction in proportion to size;
 * one lies across its lay. */
static uint64_t lays(scree_law law)
{
    uint64_t hash = BITS_BEGIN;
    int exact = law == SCREE_LAW_EXACT;
    scree_world_def def = def_of(SCREE_SCHEME_IMPULSE, 2e-3, 1e-6);
    def.law = law;
    scree_set_def shapes[3] = {{.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 0.4},
                               {.kind = SCREE_SET_ELLIPSE, .a = 0.6, .b = 0.9},
                               {.kind = SCREE_SET_RECTANGLE, .a = 0.7, .b = 0.5}};
    scree_set* set[3];
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(scree_set_create(NULL, &shapes[k], &set[k]), SCREE_OK);
    }
    scree_material base = {
        .mu = 0.4, .mu_r = 1e-3, .sliding = set[0], .rolling = set[1], .lay = {0.6, 0.8, 0.0}};
    scree_world* world = guarded_world(def, base);
    int32_t kind[5];
    kind[0] = add_material(
        world,
        (scree_material){
            .mu = 0.6, .mu_r = 2e-3, .sliding = set[1], .rolling = set[0], .lay = {0.0, 0.0, 1.0}});
    kind[1] = add_material(world, (scree_material){.mu = 0.3,
                                                   .mu_r = 5e-3,
                                                   .mu_s = 1e-3,
                                                   .mu_r_share = 0.02,
                                                   .mu_s_share = 0.01,
                                                   .sliding = set[2],
                                                   .lay = {1.0, 0.0, 0.0}});
    kind[2] = add_material(
        world, (scree_material){.mu = 0.5, .mu_r = 2e-3, .contour = 1, .lay = {0.0, 0.0, 1.0}});
    kind[3] = add_material(world, (scree_material){.mu = 0.5, .mu_s = 2e-3});
    kind[4] = add_material(world, (scree_material){.mu = 0.5,
                                                   .mu_r = 2e-3,
                                                   .rolling = set[0],
                                                   .rolling_direction = exact ? set[1] : NULL,
                                                   .lay = {1.0, 0.0, 0.0},
                                                   .slip = {{0.0, 0.0, 0.0}, {4e-3, 1.0, 0.0}}});
    for (int k = 0; k < 3; ++k) scree_set_destroy(set[k]);
    for (int k = 0; k < 10; ++k) {
        scree_shape shape = k % 2 ? sphere_of(0.05) : box_of(0.08, 0.06, 0.04);
        if (k == 4) shape.kind = SCREE_SHAPE_CYLINDER, set3(shape.half_size, 0.06, 0.01, 0.0);
        if (k == 5) shape.kind = SCREE_SHAPE_ELLIPSOID, set3(shape.half_size, 0.05, 0.06, 0.05);
        shape.material = kind[k / 2];
        scree_body_def body = body_of(&shape, 2000.0);
        set3(body.position, 0.4 * k, 0.0, k == 4 ? 0.061 : k % 2 ? 0.0502 : 0.0401);
        set3(body.velocity, 0.5, 0.2, 0.0);
        set3(body.angular_velocity, 0.0, k % 2 ? 3.0 : 0.0, 1.0);
        if (k == 4) body.rotation[0] = 0.8, body.rotation[1] = 0.6;
        if (k == 3) body.rotation[0] = 0.6, body.rotation[2] = 0.8;
        add_body(world, &body, &shape);
    }
    add_floor(world, 0.0);
    hash = mix_steps(hash, world, 60, mix_bits);
    end_world(world);
    return hash;
}

/* Grains that lie in each other, poured on a surface of triangles between moving walls. */
static uint64_t crowd(scree_scheme scheme, int32_t workers)
{
    uint64_t hash = BITS_BEGIN;
    scri_random random = {.key = 11};
    scree_world_def def = def_of(scheme, 2e-3, 1e-2);
    def.workers = workers;
    if (scheme == SCREE_SCHEME_GAP) def.overlap = 1e-5;
    scree_world* world = guarded_world(def, (scree_material){.mu = 0.4, .mu_r = 2e-4});
    double heights[64];
    const double origin[2] = {-0.2, -0.2}, spacing[2] = {0.1, 0.1};
    for (int i = 0; i < 64; ++i) heights[i] = 0.01 * draw_between(&random, -1.0, 1.0);
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create_heights(NULL, 8, 8, origin, spacing, heights, &mesh),
                     SCREE_OK);
    scree_body_def ground = scree_default_body_def();
    scree_shape terrain = scree_default_shape();
    ground.kind = SCREE_BODY_STATIC;
    terrain.kind = SCREE_SHAPE_MESH;
    terrain.mesh = mesh;
    add_body(world, &ground, &terrain);
    const double wall[3] = {-0.03, 0.1, 0.1}, slow[3] = {0.3, 0.0, 0.0};
    put_body(world, SCREE_BODY_KINEMATIC, box_of(0.01, 0.3, 0.3), wall, slow);
    for (int k = 0; k < 120; ++k) {
        scree_shape shape = k % 5 ? sphere_of(0.0105) : box_of(0.01, 0.009, 0.008);
        const double at[3] = {0.0202 * (k % 5) + 1e-3 * draw_between(&random, -1.0, 1.0),
                              0.0202 * (k / 5 % 5) + 1e-3 * draw_between(&random, -1.0, 1.0),
                              0.02 + 0.0202 * (k / 25)};
        put_body(world, SCREE_BODY_DYNAMIC, shape, at, NULL);
    }
    hash = mix_steps(hash, world, 6, mix_bits);
    end_world(world);
    scree_mesh_destroy(mesh);
    return hash;
}

/* Ellipsoids, cones and rounded boxes that yield, and a tube they lie in. */
static uint64_t soft_shapes(scree_scheme scheme)
{
    uint64_t hash = BITS_BEGIN;
    scree_world* world =
        guarded_world(def_of(scheme, 1e-3, 1e-5),
                      (scree_material){.mu = 0.4, .young = 2e6, .poisson = 0.3, .damping = 5.0});
    scree_shape drum = scree_default_shape();
    drum.kind = SCREE_SHAPE_TUBE;
    set3(drum.half_size, 0.5, 0.5, 0.45);
    scree_body_def turns = scree_default_body_def();
    turns.kind = SCREE_BODY_KINEMATIC;
    turns.rotation[0] = 0.8;
    turns.rotation[1] = 0.6;
    set3(turns.angular_velocity, 0.0, 2.0, 0.0);
    add_body(world, &turns, &drum);
    for (int k = 0; k < 5; ++k) {
        scree_shape shape = box_of(0.06, 0.05, 0.04);
        if (k % 3 == 0) shape.kind = SCREE_SHAPE_ELLIPSOID;
        if (k % 3 == 1) shape.rounding = 0.01;
        if (k % 3 == 2) shape.kind = SCREE_SHAPE_CONE, set3(shape.half_size, 0.05, 0.05, 0.0);
        const double at[3] = {0.1 * (k - 2), -0.3 + 0.02 * k, -0.2 + 0.1 * (k % 2)};
        put_body(world, SCREE_BODY_DYNAMIC, shape, at, NULL);
    }
    hash = mix_steps(hash, world, 120, mix_bits);
    end_world(world);
    return hash;
}

/* Balls without friction, some rigid and some that yield, on a floor and on each other. */
static uint64_t slippery(scree_scheme scheme)
{
    uint64_t hash = BITS_BEGIN;
    scree_world* world = guarded_world(def_of(scheme, 1e-3, 1e-6), (scree_material){.mu = 0.0});
    int32_t yields = add_material(world, (scree_material){.stiffness = 1e4, .damping = 5.0});
    add_floor(world, 0.0);
    for (int k = 0; k < 8; ++k) {
        scree_shape shape = sphere_of(0.05);
        const double at[3] = {0.15 * (k % 4), 0.01 * (k / 4), 0.049 + 0.099 * (k / 4)};
        shape.material = k % 2 ? yields : 0;
        put_body(world, SCREE_BODY_DYNAMIC, shape, at, NULL);
    }
    hash = mix_steps(hash, world, 40, mix_bits);
    end_world(world);
    return hash;
}

static void worlds_keep_bits(void** state)
{
    (void)state;
    const motion_promise promises[] = {
        {"settled, impulse", settled(SCREE_SCHEME_IMPULSE, 1, 0), 0xd5642816c990cc12},
        {"settled, pulled, gap", settled(SCREE_SCHEME_GAP, 1, 1), 0xda53b6ca60b85160},
        {"slippery, impulse", slippery(SCREE_SCHEME_IMPULSE), 0xaf3227e4162a6f86},
        {"slippery, gap", slippery(SCREE_SCHEME_GAP), 0x3208fe0a16df149f},
        {"rebounds, mu 1.5", rebounds(1.5), 0x306fed58b63639a0},
        {"impacts", impacts(150), 0x0c85463351017963},
        {"soft shapes, gap", soft_shapes(SCREE_SCHEME_GAP), 0x9c2c0fde9c272902},
        {"crowd, gap, 3 workers", crowd(SCREE_SCHEME_GAP, 3), 0x93f43a37e0e7ab29},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* The same worlds the other way, not under sanitizers. */
static void others_keep_theirs(void** state)
{
    (void)state;
    if (test_sanitized()) skip();
    const motion_promise promises[] = {
        {"settled, gap", settled(SCREE_SCHEME_GAP, 2, 0), 0x17373a9337ce3e09},
        {"settled, pulled, impulse", settled(SCREE_SCHEME_IMPULSE, 1, 1), 0xfddb9a2706cbaf8e},
        {"rebounds, mu 0.2", rebounds(0.2), 0xc27d48078bde5dc9},
        {"soft shapes, impulse", soft_shapes(SCREE_SCHEME_IMPULSE), 0xb9b28df64c64d015},
        {"crowd, impulse", crowd(SCREE_SCHEME_IMPULSE, 1), 0x41d1f9bb9873babc},
        {"crowd, impulse, 3 workers", crowd(SCREE_SCHEME_IMPULSE, 3), 0x41d1f9bb9873babc},
        {"crowd, gap", crowd(SCREE_SCHEME_GAP, 1), 0x93f43a37e0e7ab29},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

static void lays_keep_bits(void** state)
{
    (void)state;
    test_needs_glibc();
    const motion_promise promises[] = {
        {"lays, exact", lays(SCREE_LAW_EXACT), 0xf0a831245bb07b92},
        {"lays, convex", lays(SCREE_LAW_CONVEX), 0x4b2e4f334ed3c4e0},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* ---- a system in coordinates of its own -------------------------------------------------------
 */

/* Three beads on parabolas y = k x^2 / 2, which carry feet that slide on floors and a joint. */
enum { BEADS = 3 };

static double bend_of(int i)
{
    return 0.5 + 0.25 * i;
}

static void bead_mass(void* user, double t, const double* q, double* m)
{
    (void)user, (void)t;
    for (int i = 0; i < BEADS; ++i) {
        double slope = bend_of(i) * q[i];
        m[i * BEADS + i] = (1.0 + 0.5 * i) * (1.0 + slope * slope);
        if (i > 0) m[i * BEADS + i - 1] = m[(i - 1) * BEADS + i] = 0.1;
    }
}

static void bead_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user;
    for (int i = 0; i < BEADS; ++i) {
        double slope = bend_of(i) * q[i];
        h[i] = -(1.0 + 0.5 * i) * slope * (9.81 + bend_of(i) * u[i] * u[i]) + 0.1 * t;
    }
}

static void bead_gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    for (int i = 0; i < BEADS; ++i) g[i] = q[i] - 0.1 * i + 0.02 * t;
}

static void bead_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t;
    for (int i = 0; i < BEADS; ++i) {
        w[(2 * i) * BEADS + i] = 1.0;
        w[(2 * i + 1) * BEADS + (i + 1) % BEADS] = 0.5 + 0.1 * q[i];
        chi[2 * i] = 0.02;
        chi[2 * i + 1] = 0.05 * i;
    }
}

static void bead_coefficients(void* user, double t, const double* q, const double* u, double* coef)
{
    (void)user, (void)t, (void)q;
    for (int i = 0; i < BEADS; ++i) coef[3 * i] *= 1.0 / (1.0 + u[i] * u[i]);
}

static void bead_kinematics(void* user, double t, const double* q, const double* u, double* rate)
{
    (void)user, (void)t;
    for (int i = 0; i < BEADS; ++i) rate[i] = u[i] * (1.0 + 0.1 * q[i]);
}

static uint64_t beads(int is_full, double tol)
{
    static const uint8_t rows[BEADS] = {SCREE_ROWS_NT, SCREE_ROWS_NT, SCREE_ROWS_NT};
    static const double coef[3 * BEADS] = {0.3, 0.0, 0.0, 0.5, 0.0, 0.0, 0.1, 0.0, 0.0};
    static const double restitution[BEADS] = {0.5, 0.0, 0.8};
    static const double q[BEADS] = {0.3, 0.4, 0.35}, u[BEADS] = {-1.0, 0.5, -2.0};
    uint64_t hash = BITS_BEGIN;
    guard memory;
    scree_system_def def = scree_default_system_def();
    scree_env env = guard_env(&memory);
    def.model = (scree_system_model){.mass = bead_mass,
                                     .force = bead_force,
                                     .gap = bead_gap,
                                     .directions = bead_directions,
                                     .coefficients = is_full ? bead_coefficients : NULL,
                                     .kinematics = is_full ? bead_kinematics : NULL};
    def.n = BEADS;
    def.n_contacts = BEADS;
    def.rows = rows;
    def.coef = coef;
    if (is_full) def.restitution = restitution;
    def.step = 4e-3;
    def.tol = tol;
    scree_system* system = NULL;
    assert_int_equal(scree_system_create(&env, &def, 0.0, q, u, &system), SCREE_OK);
    for (int s = 0; s < 250; ++s) {
        scree_system_report r;
        assert_int_equal(scree_system_step(system, &r), SCREE_OK);
        scree_system_view v = scree_system_get_view(system);
        const double all[] = {r.residual,
                              r.kinetic,
                              (double)r.n_closed,
                              (double)r.solve.iterations,
                              (double)r.solve.updates,
                              (double)r.solve.outcome};
        hash = mix_bits(hash, v.q, BEADS);
        hash = mix_bits(hash, v.u, BEADS);
        hash = mix_bits(hash, v.p, (size_t)v.n_rows);
        hash = mix_bits(hash, v.y, (size_t)v.n_rows);
        hash = mix_bits(hash, all, sizeof all / sizeof *all);
    }
    scree_system_destroy(system);
    require_guarded(&memory);
    return hash;
}

static void systems_keep_bits(void** state)
{
    (void)state;
    const motion_promise promises[] = {
        {"beads", beads(0, 1e-10), 0x3f45fe5793ee9741},
        {"beads, rebounds", beads(1, 1e-6), 0x9227e37197d56c8f},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_keep_bits),
        cmocka_unit_test(others_keep_theirs),
        cmocka_unit_test(lays_keep_bits),
        cmocka_unit_test(systems_keep_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
