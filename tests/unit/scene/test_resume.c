/* A run that goes on from a saved state is, to the last bit, the run that was not interrupted:
 * whatever falls, rocks, slides, turns or is joined, and at whatever moment it was saved. */
#include "base/bits.h"
#include "scree_io/scene_file.h"
#include "show.h"

typedef struct scene_case {
    const char* name;
    int steps, n_settings;
    const char* settings[4];
} scene_case;

static const scene_case cases[] = {
    {"domino", 240, 2, {"count=40", "step=1e-3"}},
    {"stones", 200, 3, {"count=40", "rate=200", "odd=1"}},
    {"stones", 200, 4, {"count=40", "rate=200", "odd=1", "world.scheme=impulse"}},
    {"rocking-block", 300, 1, {"step=5e-3"}},
    {"shaker", 150, 1, {"layers=1"}},
    {"kapla", 60, 1, {"layers=8"}},
    {"arch", 60, 2, {"stones=16", "ratio=0.09"}},
    {"euler-disc", 100, 0, {NULL}},
    {"rattleback", 100, 0, {NULL}},
    {"gripper", 150, 0, {NULL}},
    {"slider-crank", 100, 0, {NULL}},
    {"woodpecker", 200, 0, {NULL}},
};

enum { MOMENTS = 6, N_CASES = sizeof cases / sizeof cases[0] };

static void advance(show s, int steps)
{
    scree_step_report report;
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
    }
}

static int is_same(show a, show b)
{
    scree_world_view x = scree_simulation_view(a.simulation),
                     y = scree_simulation_view(b.simulation);
    size_t n = (size_t)x.n_bodies;
    return x.n_bodies == y.n_bodies && x.n_contacts == y.n_contacts &&
           scri_same_bits(x.position, y.position, 3 * n * sizeof *x.position) &&
           scri_same_bits(x.rotation, y.rotation, 4 * n * sizeof *x.rotation) &&
           scri_same_bits(x.velocity, y.velocity, 3 * n * sizeof *x.velocity) &&
           scri_same_bits(x.angular_velocity, y.angular_velocity,
                          3 * n * sizeof *x.angular_velocity);
}

static void check_scene(const scene_case* c, scri_random* random)
{
    show whole = begin(c->name, c->n_settings, c->settings);
    void* state[MOMENTS];
    size_t size[MOMENTS];
    int moment[MOMENTS], n = test_few(test_size(3, MOMENTS), 2), at_step = 0;
    for (int k = 0; k < n; ++k) { /* one in each of n parts of the run */
        moment[k] = (k * c->steps + (int)scri_random_below(random, (uint32_t)c->steps)) / n;
        advance(whole, moment[k] - at_step);
        at_step = moment[k];
        size[k] = scree_simulation_state_size(whole.simulation);
        state[k] = malloc(size[k]);
        assert_non_null(state[k]);
        scree_simulation_save(whole.simulation, state[k]);
    }
    advance(whole, c->steps - at_step);
    for (int k = 0; k < n; ++k) {
        show later = begin(c->name, c->n_settings, c->settings);
        assert_int_equal(scree_simulation_load(later.simulation, state[k], size[k]), SCREE_OK);
        advance(later, c->steps - moment[k]);
        require(is_same(whole, later), "%s: another motion after step %d of %d", c->name, moment[k],
                c->steps);
        leave(later);
        free(state[k]);
    }
    leave(whole);
}

static void runs_go_on_as_if_nothing_had_been(void** state)
{
    (void)state;
    scri_random random = test_seed("resume", 131);
    for (int i = 0; i < N_CASES; i += test_few(1, 3)) check_scene(&cases[i], &random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_go_on_as_if_nothing_had_been),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
