/* Workers that share a body which cannot move: for the thread sanitizer, which sees a write that
 * two workers make to one place, whatever they write. */
#include "scree/world.h"
#include "support/test.h"

#include <math.h>

/* A colour holds one contact of each box; it must be more than one chunk of work (256 contacts). */
enum { SIDE = 24, STEPS = 2 };

/* Boxes side by side on one floor, far enough apart not to touch. */
static scree_world* boxes_on_a_floor(int32_t workers, scree_scheme scheme)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = scheme;
    def.workers = workers;
    scree_world* world = NULL;
    scree_body_id id;
    int32_t material;
    assert_int_equal(scree_world_create(&def, &world), SCREE_OK);
    scree_material m = {.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3};
    assert_int_equal(scree_world_add_material(world, &m, &material), SCREE_OK);
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    body = scree_default_body_def();
    shape.kind = SCREE_SHAPE_BOX;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.1;
    scree_mass mass;
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1000.0, &mass), SCREE_OK);
    body.mass = mass.mass;
    memcpy(body.inertia, mass.inertia, sizeof body.inertia);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        body.position[0] = 0.3 * (i % SIDE);
        body.position[1] = 0.3 * (i / SIDE);
        body.position[2] = 0.1;
        body.velocity[0] = 0.1 * (i % 3);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
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
