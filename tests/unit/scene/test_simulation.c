/* Simulations: bodies appear, are driven and pushed as the scene says, end when it says, and go on
 * from a saved state bit for bit. */
#include "scree_io/scene_file.h"
#include "support/test.h"

#include <math.h>

typedef struct run {
    test_host host;
    scree_env env;
    scree_scene* scene;
    scree_simulation* simulation;
} run;

static scree_status try_run(run* r, const char* text, int32_t workers)
{
    r->scene = NULL;
    r->simulation = NULL;
    r->env = test_env(&r->host);
    scree_status status =
        scree_scene_parse(&r->env, "test.yaml", text, strlen(text), 0, NULL, &r->scene);
    if (status) return status;
    r->scene->world.workers = workers;
    return scree_simulation_create(&r->env, r->scene, &r->simulation);
}

static void begin(run* r, const char* text)
{
    scree_status status = try_run(r, text, 1);
    if (status) fail_msg("%s: %s", scree_status_text(status), r->host.text);
}

static void end(run* r)
{
    scree_simulation_destroy(r->simulation);
    scree_scene_destroy(r->scene);
}

static void advance(run* r, int steps)
{
    scree_step_report report;
    for (int i = 0; i < steps; ++i) {
        scree_status status = scree_simulation_step(r->simulation, &report);
        if (status) fail_msg("step %d: %s", i, scree_status_text(status));
    }
}

#define FLOOR                                               \
    "materials: {m: {mu: 0.5, mu_r: 0.001, mu_s: 0.001}}\n" \
    "bodies:\n  - {name: floor, kind: static, shape: {type: half-space}}\n"

/* ---- populating ------------------------------------------------------------------------------ */

static void a_grid_stands_where_it_should(void** state)
{
    (void)state;
    run r;
    begin(&r, "materials: {m: {mu: 0}}\ngenerators:\n"
              "  - {type: grid, count: [2, 3, 4], spacing: [1, 2, 3], origin: [5, 6, 7],\n"
              "     body: {name: g, shape: {type: sphere, radius: 0.1}}}\n");
    scree_world_view view = scree_simulation_view(r.simulation);
    char name[32];
    assert_int_equal(view.n_bodies, 24);
    for (int k = 0; k < 24; ++k) {
        assert_true(view.position[3 * k] == 5.0 + k % 2);
        assert_true(view.position[3 * k + 1] == 6.0 + 2.0 * (k / 2 % 3));
        assert_true(view.position[3 * k + 2] == 7.0 + 3.0 * (k / 6));
    }
    assert_int_equal(scree_simulation_body_name(r.simulation, 23, name, sizeof name), 4);
    assert_string_equal(name, "g-23");
    end(&r);
}

static void sizes_spread_with_their_masses(void** state)
{
    (void)state;
    run r;
    begin(&r, "materials: {m: {mu: 0}}\ngenerators:\n"
              "  - {type: grid, count: [10, 10, 10], spacing: 1, size_spread: 0.3, seed: 5,\n"
              "     body: {name: g, density: 1000, shape: {type: sphere, radius: 0.1}}}\n");
    scree_world_view view = scree_simulation_view(r.simulation);
    double least = HUGE_VAL, most = 0.0, sum = 0.0;
    for (int k = 0; k < 1000; ++k) {
        double radius = view.shape_half_size[3 * k];
        double mass = 1000.0 * 4.0 / 3.0 * SCREE_PI * radius * radius * radius;
        require(fabs(view.mass[k] - mass) <= 1e-12 * mass, "mass %g of radius %g", view.mass[k],
                radius);
        least = fmin(least, radius);
        most = fmax(most, radius);
        sum += radius;
    }
    require(least >= 0.07 && least < 0.071 && most <= 0.13 && most > 0.129, "%g to %g", least,
            most);
    require(fabs(sum / 1000.0 - 0.1) < 0.002, "mean %g", sum / 1000.0);
    end(&r);
}

/* Bodies come at the rate asked for, inside the box, and never into each other. */
static void rain_falls_at_its_rate(void** state)
{
    (void)state;
    run r;
    begin(&r, "world: {step: 0.01}\n" FLOOR "generators:\n"
              "  - {type: rain, count: 40, rate: 20, begin: 0.5, seed: 3,\n"
              "     box: {from: [-0.5, -0.5, 1], to: [0.5, 0.5, 1.2]},\n"
              "     body: {name: drop, shape: {type: sphere, radius: 0.05}}}\n");
    for (int step = 1; step <= 300; ++step) {
        int before = scree_simulation_view(r.simulation).n_bodies;
        advance(&r, 1);
        scree_world_view view = scree_simulation_view(r.simulation);
        double time = 0.01 * (step - 1); /* at the beginning of the step */
        double due = time < 0.5 - 1e-9 ? 0.0 : floor((time - 0.5) * 20.0 + 1e-6) + 1.0;
        assert_int_equal(view.n_bodies - 1, (int)fmin(due, 40.0));
        for (int i = before; i < view.n_bodies; ++i) {
            const double* x = view.position + 3 * (size_t)i;
            require(fabs(x[0]) <= 0.5 && fabs(x[1]) <= 0.5 && x[2] <= 1.2 && x[2] > 0.99,
                    "body %d starts at %g %g %g", i, x[0], x[1], x[2]);
        }
    }
    scree_totals totals = scree_simulation_totals(r.simulation);
    require(totals.penetration_max < 0.05, "penetration %g", totals.penetration_max);
    double balance = totals.energy_begin + totals.energy_added + totals.contact_work -
                     totals.kinetic - totals.potential;
    require(fabs(balance) <= 1e-9 * totals.energy_added, "energy off by %g J", balance);
    end(&r);
}

/* A box with room for one sphere only: the others wait until it has fallen away. */
static void rain_waits_for_room(void** state)
{
    (void)state;
    run r;
    begin(&r, "world: {step: 0.01}\nmaterials: {m: {mu: 0}}\ngenerators:\n"
              "  - {type: rain, count: 5, rate: 1000, box: {from: [0, 0, 0], to: [0, 0, 0]},\n"
              "     body: {name: drop, shape: {type: sphere, radius: 0.05}}}\n");
    for (int step = 0; step < 200; ++step) {
        advance(&r, 1);
        scree_world_view view = scree_simulation_view(r.simulation);
        assert_int_equal(view.n_contacts, 0);
    }
    assert_int_equal(scree_simulation_view(r.simulation).n_bodies, 5);
    end(&r);
}

/* ---- drives and forces ----------------------------------------------------------------------- */

static void drives_move_kinematic_bodies(void** state)
{
    (void)state;
    run r;
    begin(&r, "world: {step: 0.001}\nmaterials: {m: {mu: 0}}\nbodies:\n"
              "  - {name: a, kind: kinematic, shape: {type: sphere, radius: 0.1}}\n"
              "drives:\n"
              "  - {body: a, velocity: [2, 0, 0], begin: 0.1, end: 0.3}\n"
              "  - {body: a, velocity: [0, 3, 0], frequency: 2}\n");
    advance(&r, 125);
    const double* x = scree_simulation_view(r.simulation).position;
    double omega = 2.0 * SCREE_PI * 2.0;
    require(fabs(x[0] - 0.05) <= 1e-12, "x = %g", x[0]);
    require(fabs(x[1] - 3.0 * sin(omega * 0.125) / omega) <= 5e-6, "y = %g", x[1]);
    advance(&r, 375);
    x = scree_simulation_view(r.simulation).position;
    require(fabs(x[0] - 0.4) <= 1e-12 && fabs(x[1]) <= 5e-6, "at %g %g", x[0], x[1]);
    end(&r);
}

static void forces_push_dynamic_bodies(void** state)
{
    (void)state;
    run r;
    begin(&r, "world: {step: 0.001, gravity: [0, 0, 0]}\nmaterials: {m: {mu: 0}}\nbodies:\n"
              "  - {name: a, mass: 2, shape: {type: sphere, radius: 0.1}}\n"
              "forces:\n  - {body: a, force: [4, 0, 0], torque: [0, 0, 0.01], end: 0.5}\n");
    advance(&r, 1000);
    scree_world_view view = scree_simulation_view(r.simulation);
    double spin = 0.01 * 0.5 / (0.4 * 2.0 * 0.01);
    require(fabs(view.velocity[0] - 1.0) <= 1e-12, "v = %g", view.velocity[0]);
    require(fabs(view.position[0] - 0.75) <= 1e-9, "x = %g", view.position[0]);
    require(fabs(view.angular_velocity[2] - spin) <= 1e-12, "w = %g", view.angular_velocity[2]);
    scree_totals totals = scree_simulation_totals(r.simulation);
    require(fabs(totals.force_work - totals.kinetic) <= 1e-12, "work %g J, energy %g J",
            totals.force_work, totals.kinetic);
    end(&r);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void time_and_rest_end_a_run(void** state)
{
    (void)state;
    scree_step_report report;
    run r;
    begin(&r, "world: {step: 0.001}\n" FLOOR "  - {name: a, position: [0, 0, 0.1],\n"
              "     velocity: [0.1, 0, 0], shape: {type: sphere, radius: 0.1}}\n"
              "stop: {time: 20, rest: {speed: 0, for: 0.5}}\n");
    int steps = 0, moving = 0;
    while (scree_simulation_done(r.simulation) == SCREE_RUNNING) {
        assert_int_equal(scree_simulation_step(r.simulation, &report), SCREE_OK);
        steps++;
        if (scree_simulation_view(r.simulation).velocity[3] != 0.0) moving = steps;
    }
    assert_int_equal(scree_simulation_done(r.simulation), SCREE_DONE_REST);
    assert_int_equal(steps - moving, 500);
    scree_simulation_set_end(r.simulation, 0.001 * (double)steps);
    assert_int_equal(scree_simulation_done(r.simulation), SCREE_DONE_TIME);
    scree_simulation_set_end(r.simulation, 0.001 * (double)(steps + 1));
    assert_int_equal(scree_simulation_done(r.simulation), SCREE_DONE_REST);
    end(&r);
}

/* ---- faults ---------------------------------------------------------------------------------- */

#define PIPE "{type: tube, radius: 0.2, inner: 0.1, height: 0.3}"

static void bodies_inside_each_other_are_refused(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {FLOOR "  - {name: a, position: [0, 0, 0.05], shape: {type: sphere, radius: 0.1}}\n",
         "bodies 'a' (line 4) and 'floor' (line 3) overlap by 0.05 m at the start, near (0, 0, "
         "-0.025)"},
        {FLOOR "  - {name: a, position: [0, 0, 1], shape: {type: sphere, radius: 0.1}}\n"
               "  - {name: b, position: [0, 0, 1], shape: {type: sphere, radius: 0.1}}\n",
         "bodies 'a' (line 4) and 'b' (line 5) overlap by 0.2 m at the start, near (0, 0, 1)"},
        {FLOOR "  - {name: a, position: [0, 0, 1], shape: {type: box, size: [1, 1, 1]}}\n"
               "  - {name: b, position: [0.1, 0, 1.1], shape: {type: sphere, radius: 0.1}}\n",
         "bodies 'a' (line 4) and 'b' (line 5) overlap by 0.5 m at the start, near (0.1, 0, 1.25)"},
        {FLOOR "  - {name: a, position: [0, 0, 1], shape: " PIPE "}\n"
               "  - {name: b, position: [0, 0, 2], shape: " PIPE "}\n",
         "the tube of 'a' (line 4) would collide with the tube of 'b' (line 5): tubes are for "
         "convex shapes and half-spaces"},
        {FLOOR
         "generators:\n  - {type: rain, count: 2, rate: 1, box: {from: [0, 0, 1], to: [1, 1, 2]},\n"
         "     body: {name: ring, shape: " PIPE "}}\n",
         "the tube of 'ring-0' (line 6) would collide with the tube of 'ring-1' (line 6): tubes "
         "are "
         "for convex shapes and half-spaces"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        run r;
        assert_int_equal(try_run(&r, cases[k].text, 1), SCREE_ERROR_INPUT);
        assert_string_equal(r.host.text, cases[k].says);
        scree_scene_destroy(r.scene);
    }
}

/* ---- states ---------------------------------------------------------------------------------- */

static const char heap[] =
    "world: {step: 0.002, scheme: gap, theta: 1, tol: 1e-5}\n" FLOOR
    "  - {name: block, position: [0.3, 0, 0.06], angular_velocity: [1, 2, 3],\n"
    "     shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
    "generators:\n"
    "  - {type: rain, count: 60, rate: 300, seed: 9, size_spread: 0.2,\n"
    "     box: {from: [-0.1, -0.1, 0.3], to: [0.1, 0.1, 0.4]},\n"
    "     body: {name: drop, shape: {type: sphere, radius: 0.02}}}\n";

static void a_saved_state_goes_on_bit_for_bit(void** state)
{
    (void)state;
    run whole;
    begin(&whole, heap);
    size_t size = 0, later = 0;
    void *saved = NULL, *last = NULL;
    for (int step = 0; step < 200; ++step) {
        advance(&whole, 1);
        if (step != 80) continue;
        size = scree_simulation_state_size(whole.simulation);
        saved = malloc(size);
        scree_simulation_save(whole.simulation, saved);
    }
    run half;
    begin(&half, heap);
    assert_int_equal(scree_simulation_load(half.simulation, saved, size), SCREE_OK);
    advance(&half, 119);
    scree_world_view a = scree_simulation_view(whole.simulation);
    scree_world_view b = scree_simulation_view(half.simulation);
    assert_int_equal(a.n_bodies, b.n_bodies);
    assert_int_equal(a.n_contacts, b.n_contacts);
    assert_memory_equal(a.position, b.position, 24 * (size_t)a.n_bodies);
    assert_memory_equal(a.rotation, b.rotation, 32 * (size_t)a.n_bodies);
    assert_memory_equal(a.velocity, b.velocity, 24 * (size_t)a.n_bodies);
    assert_memory_equal(a.angular_velocity, b.angular_velocity, 24 * (size_t)a.n_bodies);
    scree_totals x = scree_simulation_totals(whole.simulation);
    scree_totals y = scree_simulation_totals(half.simulation);
    assert_true(x.contact_work == y.contact_work && x.sweeps == y.sweeps);
    later = scree_simulation_state_size(half.simulation);
    last = malloc(later);
    scree_simulation_save(half.simulation, last);
    assert_int_equal(scree_simulation_load(half.simulation, last, later), SCREE_ERROR_INPUT);
    free(saved);
    free(last);
    end(&whole);
    end(&half);
}

/* No byte of a state, changed or cut, may do worse than be refused. */
static void damaged_states_are_refused_or_harmless(void** state)
{
    (void)state;
    scri_random random = test_seed("damaged states", 31);
    run whole;
    begin(&whole, heap);
    advance(&whole, 120);
    size_t size = scree_simulation_state_size(whole.simulation);
    unsigned char *saved = malloc(size), *damaged = malloc(size);
    scree_simulation_save(whole.simulation, saved);
    int refused = 0, trials = 60;
    for (int k = 0; k < trials; ++k) {
        run r;
        begin(&r, heap);
        size_t length = k % 3 ? size : (size_t)scri_random_below(&random, (uint32_t)size);
        memcpy(damaged, saved, size);
        for (int j = 0; j < 3 && k % 3; ++j) {
            /* heads and identities of contacts are where it could hurt */
            uint32_t within = k % 2 ? (uint32_t)size : 400;
            damaged[scri_random_below(&random, within)] ^= (unsigned char)scri_random_bits(&random);
        }
        refused += scree_simulation_load(r.simulation, damaged, length) != SCREE_OK;
        end(&r);
    }
    print_message("%d of %d refused\n", refused, trials);
    require(refused >= trials / 3, "%d refused only", refused);
    free(saved);
    free(damaged);
    end(&whole);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    for (long fail_at = 0;; ++fail_at) {
        run r = {.scene = NULL};
        scree_step_report report;
        r.env = test_env(&r.host);
        r.host.fail_at = fail_at;
        scree_status status =
            scree_scene_parse(&r.env, "test.yaml", heap, strlen(heap), 0, NULL, &r.scene);
        if (!status) status = scree_simulation_create(&r.env, r.scene, &r.simulation);
        for (int i = 0; !status && i < 60; ++i)
            status = scree_simulation_step(r.simulation, &report);
        end(&r);
        assert_int_equal(r.host.n_held, 0);
        if (status == SCREE_OK) break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        require(r.host.n_logged > 0, "allocation %ld failed silently", fail_at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_stands_where_it_should),
        cmocka_unit_test(sizes_spread_with_their_masses),
        cmocka_unit_test(rain_falls_at_its_rate),
        cmocka_unit_test(rain_waits_for_room),
        cmocka_unit_test(drives_move_kinematic_bodies),
        cmocka_unit_test(forces_push_dynamic_bodies),
        cmocka_unit_test(time_and_rest_end_a_run),
        cmocka_unit_test(bodies_inside_each_other_are_refused),
        cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(damaged_states_are_refused_or_harmless),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
