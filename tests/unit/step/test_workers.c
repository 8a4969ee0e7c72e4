/* The number of workers changes nothing but the time: states agree to the last bit. */
#include "base/team.h"
#include "scree/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* With many fewer spheres no colour has work for a second worker, and nothing would be tested. */
enum { SIDE = 9, STEPS = 45, SPHERES = SIDE * SIDE * SIDE };

/* A lattice of spheres of two sizes that falls on a floor and on a box; positions at the end. */
static void run(int32_t workers, double* out)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    def.step = 2e-3;
    def.solver.max_iter = 40;
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
    shape.kind = SCREE_SHAPE_BOX;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.02;
    body.position[0] = body.position[1] = 0.09;
    body.position[2] = 0.01;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    shape = scree_default_shape();
    body = scree_default_body_def();
    for (int i = 0; i < SPHERES; ++i) {
        scree_mass mass;
        shape.size[0] = i % 3 ? 0.010 : 0.009;
        assert_int_equal(scree_shape_mass(NULL, 1, &shape, 2500.0, &mass), SCREE_OK);
        body.mass = mass.mass;
        memcpy(body.inertia, mass.inertia, sizeof body.inertia);
        body.position[0] = 0.0201 * (i % SIDE) + 1e-4 * (i % 7);
        body.position[1] = 0.0201 * (i / SIDE % SIDE) + 1e-4 * (i % 5);
        body.position[2] = 0.045 + 0.0202 * (i / SIDE / SIDE);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    int contacts = 0;
    for (int s = 0; s < STEPS; ++s) {
        scree_step_report report;
        assert_int_equal(scree_world_step(world, &report), SCREE_OK);
        contacts += report.n_contacts;
    }
    print_message("%d workers: %d contacts in %d steps\n", (int)workers, contacts, STEPS);
    assert_true(contacts > 400 * STEPS);
    memcpy(out, scree_world_get_view(world).position, 3 * (SPHERES + 2) * sizeof *out);
    scree_world_destroy(world);
}

static void any_number_of_workers_gives_the_same_state(void** state)
{
    (void)state;
    static double one[3 * (SPHERES + 2)], many[3 * (SPHERES + 2)];
    run(1, one);
    for (int32_t workers = 2; workers <= 8; workers *= 2) {
        run(workers, many);
        assert_memory_equal(one, many, sizeof one);
    }
}

typedef struct counters {
    scri_team* team;
    int count[4][100], early[4]; /* early: counts of others that a worker did not see */
} counters;

/* Every worker counts in its own row; after a meeting the others' counts are seen. */
static void count(void* context, int32_t worker)
{
    counters* c = context;
    for (int i = 0; i < 100; ++i) {
        c->count[worker][i] = i + 1;
        scri_team_meet(c->team);
        for (int other = 0; other < scri_team_size(c->team); ++other) {
            if (c->count[other][i] != i + 1) ++c->early[worker];
        }
        scri_team_meet(c->team);
    }
}

static void a_team_meets(void** state)
{
    (void)state;
    static counters c;
    assert_int_equal(scri_team_create(NULL, 4, &c.team), SCREE_OK);
    assert_int_equal(scri_team_size(c.team), 4);
    for (int round = 0; round < 50; ++round) {
        memset(c.count, 0, sizeof c.count);
        scri_team_run(c.team, count, &c);
        for (int worker = 0; worker < 4; ++worker) {
            assert_int_equal(c.early[worker], 0);
            assert_int_equal(c.count[worker][99], 100);
        }
    }
    scri_team_destroy(c.team);
    assert_int_equal(scri_team_size(NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_team_meets),
        cmocka_unit_test(any_number_of_workers_gives_the_same_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
