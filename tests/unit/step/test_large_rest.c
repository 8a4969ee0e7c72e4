/* Rest of parts that are too large for exact steps, or that have none for want of sparse factors: a
 * heap of grains stops, every velocity exactly zero, and stays for good, its energy accounted for;
 * what its slope does not hold slides as it should, however slowly; what lies on a wall that moves
 * goes with it. */
#include "support/draw.h"
#include "support/worlds.h"

#include <string.h>

#define GRAVITY 9.81
#define STEP 5e-3
#define RADIUS 0.02

/* ---- heaps ----------------------------------------------------------------------------------- */

enum { LARGE = 400, MEDIUM = 75, IN_A_LAYER = 25 };

typedef struct heap {
    scree_scheme scheme;
    double tol, floor_speed; /* of the floor along x */
    int grains;
    const scree_sparse* sparse;
} heap;

static scree_world* pour(const heap* h)
{
    scri_random random = test_seed("large heap", 5);
    scree_world_def def = world_def(STEP, h->tol);
    double wall[3] = {h->floor_speed, 0.0, 0.0};
    def.scheme = h->scheme;
    def.theta = h->scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    scree_world* world = world_new_in((scree_env){.sparse = h->sparse}, def,
                                      (scree_material){.mu = 0.5, .mu_r = 2e-3, .mu_s = 2e-3});
    add_plane(world, SCREE_BODY_KINEMATIC, 0.0, wall);
    for (int i = 0; i < h->grains; ++i) {
        scree_shape shape = sphere_of(RADIUS * draw_between(&random, 0.8, 1.0));
        scree_body_def body = body_of(&shape, 2000.0);
        int at = i % IN_A_LAYER;
        set3(body.position, 0.045 * (at % 5), 0.045 * (at / 5), RADIUS + 0.05 * (i / IN_A_LAYER));
        for (int j = 0; j < 2; ++j) body.position[j] += draw_between(&random, -2e-3, 2e-3);
        add_body(world, &body, &shape);
    }
    return world;
}

static int all_rest(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    int rest = 1;
    for (int32_t b = 0; b < view.n_bodies; ++b) rest &= is_at_rest(&view, b);
    return rest;
}

/* The largest share of its weight by which a grain at rest is not held, from the contacts alone. */
static double least_held(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    double* sum = calloc(3 * (size_t)view.n_bodies, sizeof *sum);
    double most = 0.0;
    assert_non_null(sum);
    for (int32_t c = 0; c < view.n_contacts; ++c) {
        double force[3], moment[3];
        contact_wrench(&view, c, force, moment);
        for (int k = 0; k < 6; ++k) {
            int32_t body = view.problem->bodies.pair[2 * c + k / 3];
            if (body >= 0) sum[3 * body + k % 3] += (k < 3 ? 1.0 : -1.0) * force[k % 3];
        }
    }
    for (int32_t b = 1; b < view.n_bodies; ++b) {
        double weight = view.mass[b] * GRAVITY * STEP;
        sum[3 * b + 2] -= weight;
        most = fmax(most, sqrt(dot3(sum + 3 * b, sum + 3 * b)) / weight);
    }
    free(sum);
    return most;
}

/* It stops, and after some steps at rest nothing is found any more that would move: a better
 * solution may show at first that a grain rolls on. */
static void heap_rests(heap h)
{
    enum { MOST = 1000, STILL = 50, MORE = 50 };
    scree_world* world = pour(&h);
    scree_step_report report = step_world(world);
    double energy = report.kinetic + report.potential, work = 0.0;
    int n = 0, still = 0;
    for (; n < MOST && still < STILL; ++n) {
        report = step_world(world);
        still = n >= 100 && all_rest(world) ? still + 1 : 0;
        work += report.contact_work;
        require(report.certificate.local <= h.tol, "step %d: %g", n, report.certificate.local);
    }
    require(n < MOST, "scheme %d, tolerance %g: still moves, kinetic energy %g J", (int)h.scheme,
            h.tol, report.kinetic);
    if (h.scheme == SCREE_SCHEME_IMPULSE) { /* theta = 0.5: gravity's work is exact */
        require_near(report.kinetic + report.potential, energy + work, 1e-12 * energy, "energy");
    }
    scree_world_view view = scree_world_get_view(world);
    assert_true(view.n_contacts > h.grains); /* one part, and a large one */
    size_t bytes = 3 * (size_t)view.n_bodies * sizeof(double);
    double* position = malloc(bytes);
    assert_non_null(position);
    memcpy(position, view.position, bytes);
    for (int i = 0; i < MORE; ++i) report = step_world(world);
    view = scree_world_get_view(world);
    assert_memory_equal(position, view.position, bytes);
    assert_true(all_rest(world));
    assert_int_equal(report.solve.iterations, 0); /* a step at rest costs nothing any more */
    double held = least_held(world);
    require(held > 0.0 && held <= report.certificate.local * (1.0 + 1e-9) + 1e-12,
            "a grain is not held by %g of its weight, the certificate says %g", held,
            report.certificate.local);
    free(position);
    scree_world_destroy(world);
}

static void heaps_rest(void** state)
{
    (void)state;
    heap_rests((heap){SCREE_SCHEME_GAP, 0.1, 0.0, LARGE, test_sparse()});
    if (test_sanitized() && !test_all()) return;
    heap_rests((heap){SCREE_SCHEME_GAP, 1e-2, 0.0, LARGE, test_sparse()});
    heap_rests((heap){SCREE_SCHEME_IMPULSE, 0.1, 0.0, LARGE, test_sparse()});
}

/* The engine alone, without sparse factors, has exact steps for 32 bodies at most. */
static void heaps_rest_without_exact_steps(void** state)
{
    static const double tol[] = {0.1, 1e-2, 1e-3};
    (void)state;
    for (int k = 0; k < 6; ++k) {
        scree_scheme scheme = k % 2 ? SCREE_SCHEME_IMPULSE : SCREE_SCHEME_GAP;
        heap_rests((heap){scheme, tol[k / 2], 0.0, MEDIUM, NULL});
    }
}

static int32_t highest(const scree_world_view* view)
{
    int32_t top = 1;
    for (int32_t b = 2; b < view->n_bodies; ++b) {
        if (view->position[3 * b + 2] > view->position[3 * top + 2]) top = b;
    }
    return top;
}

/* Grains of a heap that are faster than a millimetre a second. */
static int count_moving(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    int n = 0;
    for (int32_t b = 1; b < view.n_bodies; ++b) {
        n += dot3(view.velocity + 3 * b, view.velocity + 3 * b) > 1e-6;
    }
    return n;
}

/* One grain after the other is pushed off the top, and may take a few along; the others do not
 * tremble meanwhile, and in the end none does. */
static void what_rolls_does_not_shake_the_heap(void** state)
{
    enum { SETTLING = 400, MORE = 200, EVERY = 20, AFTERWARDS = 300 };
    const double push[3] = {0.3, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    heap h = {SCREE_SCHEME_GAP, 0.1, 0.0, LARGE, test_sparse()};
    int moving = 0;
    (void)state;
    test_of_numbers();
    scree_world* world = pour(&h);
    for (int i = 0; i < SETTLING + MORE; ++i) {
        scree_world_view view = scree_world_get_view(world);
        if (i >= SETTLING && i % EVERY == 0) {
            scree_body_id id = scree_world_body_at(world, highest(&view));
            assert_int_equal(scree_world_set_velocity(world, id, push, none), SCREE_OK);
        }
        step_world(world);
        if (i >= SETTLING) moving += count_moving(world);
    }
    require(moving > 0 && moving <= MORE * LARGE / 16, "%g grains move in the mean",
            (double)moving / MORE);
    for (int i = 0; i < AFTERWARDS; ++i) step_world(world);
    assert_int_equal(count_moving(world), 0);
    scree_world_destroy(world);
}

static double mean_x(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    double sum = 0.0;
    for (int32_t b = 1; b < view.n_bodies; ++b) sum += view.position[3 * b];
    return sum / (view.n_bodies - 1);
}

/* A floor so slow that the tolerance cannot tell it from rest. */
static void heaps_go_with_their_floor(void** state)
{
    enum { SETTLING = 600, MORE = 200 };
    double tol = 0.1, speed = 0.3 * tol * GRAVITY * STEP;
    (void)state;
    test_of_numbers();
    heap h = {SCREE_SCHEME_GAP, tol, speed, LARGE, test_sparse()};
    scree_world* world = pour(&h);
    for (int i = 0; i < SETTLING; ++i) step_world(world);
    double before = mean_x(world);
    for (int i = 0; i < MORE; ++i) step_world(world);
    require_near(mean_x(world) - before, speed * STEP * MORE, 0.1 * speed * STEP * MORE, "way");
    scree_world_destroy(world);
}

/* ---- rafts ----------------------------------------------------------------------------------- */

/* SIDE x SIDE touching spheres that cannot roll, on a floor under tilted gravity: they slide where
 * the tangent of the tilt is above mu. */
enum { SIDE = 15, SLIDING_STEPS = 100 };
static const double mu = 0.4;

static scree_world* raft(scree_scheme scheme, double tilt, double wall_speed)
{
    scree_world_def def = world_def(STEP, 1e-2);
    scree_shape shape = sphere_of(RADIUS);
    scree_body_def body = body_of(&shape, 1000.0);
    double wall[3] = {wall_speed, 0.0, 0.0};
    def.scheme = scheme;
    def.theta = 1.0;
    set3(def.gravity, GRAVITY * sin(tilt), 0.0, -GRAVITY * cos(tilt));
    scree_world* world = world_new(def, (scree_material){.mu = mu, .mu_r = RADIUS, .mu_s = RADIUS});
    add_plane(world, SCREE_BODY_KINEMATIC, 0.0, wall);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        set3(body.position, 2.0 * RADIUS * (i % SIDE), 2.0 * RADIUS * (i / SIDE), RADIUS);
        add_body(world, &body, &shape);
    }
    return world;
}

static void require_speed(const scree_world* world, double expected, double tolerance)
{
    scree_world_view view = scree_world_get_view(world);
    for (int32_t b = 1; b < view.n_bodies; ++b) {
        require_near(view.velocity[3 * b], expected, tolerance, "speed of a raft");
    }
}

/* Accelerations far below the tolerance are found, where nothing else is in doubt. */
static void rafts_slide_as_they_should(void** state)
{
    static const double excess[] = {-0.1, -1e-2, -1e-4, 1e-4, 1e-3, 1e-2, 0.1};
    (void)state;
    for (int k = 0; k < 14; ++k) {
        double tilt = atan(mu + excess[k / 2]), time = STEP * SLIDING_STEPS;
        double speed = excess[k / 2] > 0.0 ? GRAVITY * (sin(tilt) - mu * cos(tilt)) * time : 0.0;
        scree_world* world = raft(k % 2 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE, tilt, 0.0);
        for (int i = 0; i < SLIDING_STEPS; ++i) step_world(world);
        require_speed(world, speed, 1e-3 * speed);
        scree_world_destroy(world);
    }
}

/* A wall at a thousandth of what gravity gives in a step, far below the tolerance. */
static void rafts_go_with_their_floor(void** state)
{
    double speed = 1e-3 * GRAVITY * STEP;
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scree_world* world = raft(k ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE, 0.0, speed);
        for (int i = 0; i < SLIDING_STEPS; ++i) step_world(world);
        require_speed(world, speed, 1e-3 * speed);
        scree_world_destroy(world);
    }
}

/* A raft at rest begins to slide when friction does not hold it any more, within six steps where
 * the acceleration is a twentieth of what the tolerance sees. */
static void rafts_are_tilted(void** state)
{
    scree_world* world = raft(SCREE_SCHEME_GAP, 0.0, 0.0);
    double acceleration = 1e-3 * mu * GRAVITY;
    (void)state;
    for (int i = 0; i < 2 * SLIDING_STEPS; ++i) {
        double share = i < SLIDING_STEPS ? 0.999 : 1.001;
        double gravity[3] = {share * mu * GRAVITY, 0.0, -GRAVITY};
        assert_int_equal(scree_world_set_gravity(world, gravity), SCREE_OK);
        step_world(world);
        if (i < SLIDING_STEPS) assert_true(all_rest(world));
    }
    require_speed(world, acceleration * STEP * (SLIDING_STEPS - 1), 5.0 * acceleration * STEP);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_rest),
        cmocka_unit_test(heaps_rest_without_exact_steps),
        cmocka_unit_test(what_rolls_does_not_shake_the_heap),
        cmocka_unit_test(heaps_go_with_their_floor),
        cmocka_unit_test(rafts_slide_as_they_should),
        cmocka_unit_test(rafts_go_with_their_floor),
        cmocka_unit_test(rafts_are_tilted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
