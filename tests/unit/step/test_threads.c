/* Workers that share a body which cannot move: for the thread sanitizer, which sees a write that
 * two workers make to one place, whatever they write. */
#include "support/worlds.h"

/* A colour holds one contact of each box; it must be more than one chunk of work (256 contacts). */
enum { SIDE = 24, STEPS = 2 };

/* Boxes side by side on one floor, far enough apart not to touch. */
static scree_world* boxes_on_a_floor(int32_t workers, scree_scheme scheme)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = scheme;
    def.workers = workers;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3});
    add_floor(world, 0.0);
    scree_shape shape = box_of(0.1, 0.1, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        set3(body.position, 0.3 * (i % SIDE), 0.3 * (i / SIDE), 0.1);
        body.velocity[0] = 0.1 * (i % 3);
        add_body(world, &body, &shape);
    }
    return world;
}

static void workers_share_a_floor(void** state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; ++scheme) {
        scree_world* world = boxes_on_a_floor(2, (scree_scheme)scheme);
        for (int s = 0; s < STEPS; ++s) {
            scree_step_report report;
            assert_int_equal(scree_world_step(world, &report), SCREE_OK);
            assert_int_equal(report.n_contacts, 4 * SIDE * SIDE);
            require(report.solve.residual <= 1e-2, "residual %g", report.solve.residual);
        }
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_share_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
