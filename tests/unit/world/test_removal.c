/* Bodies that go: handles, slots that are used again, and what the others keep. */
#include "support/worlds.h"
#include "world/world.h"

enum { BALLS = 12 };

/* A heap of balls on a slope; ball k is in slot k + 1. */
static scree_world* heap(scree_body_id* id)
{
    scree_world_def def = world_def(2e-3, 1e-6);
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-4});
    add_floor(world, 0.1);
    for (int k = 0; k < BALLS; ++k) {
        scree_shape shape = sphere_of(0.02 + 1e-3 * (k % 3));
        scree_body_def body = body_of(&shape, 1000.0);
        body.user = &id[k];
        set3(body.position, 0.046 * (k % 2) + 1e-3 * (k % 5), 0.046 * (k / 2 % 2),
             0.03 + 0.045 * (k / 4));
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id[k]), SCREE_OK);
    }
    for (int s = 0; s < 40; ++s) step_any(world);
    return world;
}

static void handles_go_stale(void** state)
{
    (void)state;
    scree_body_id id[BALLS], again, none = {0, 0};
    scree_world* world = heap(id);
    scree_shape shape = sphere_of(0.01);
    scree_body_def body = body_of(&shape, 1000.0);
    assert_int_equal(scree_world_remove_body(world, id[7]), SCREE_OK);
    assert_int_equal(scree_world_remove_body(world, id[2]), SCREE_OK);
    assert_false(scree_world_body_is_valid(world, id[7]));
    assert_true(scree_world_body_is_valid(world, id[3]));
    assert_false(scree_world_body_is_valid(world, none));
    assert_false(scree_world_body_is_valid(NULL, id[3]));
    assert_int_equal(scree_world_remove_body(world, id[7]), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_remove_body(world, none), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_remove_body(NULL, id[3]), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_remove_body(world, (scree_body_id){99, 0}), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_body_at(world, 8).index1, 0);

    scree_world_view view = scree_world_get_view(world);
    assert_int_equal(view.n_bodies, BALLS + 1);
    assert_int_equal(view.n_shapes, BALLS - 1);
    assert_int_equal(view.kind[8], SCREE_BODY_NONE);
    assert_int_equal(view.generation[8], 1);
    assert_null(view.user[8]);
    for (int32_t s = 0; s < view.n_shapes; ++s) assert_int_not_equal(view.shape_body[s], 8);

    /* The lowest slot first, the next generation, its shape where shapes of that slot belong. */
    for (int k = 0; k < 3; ++k) {
        const int32_t slot[3] = {3, 8, BALLS + 1};
        set3(body.position, 1.0 + k, 0.0, 1.0);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &again), SCREE_OK);
        assert_int_equal(again.index1 - 1, slot[k]);
        assert_int_equal(again.generation, k < 2);
    }
    assert_false(scree_world_body_is_valid(world, id[7]));
    assert_int_equal(scree_world_body_at(world, 8).generation, 1);
    view = scree_world_get_view(world);
    for (int32_t s = 1; s < view.n_shapes; ++s) {
        assert_true(view.shape_body[s] > view.shape_body[s - 1]);
    }
    assert_true(view.shape_half_size[3 * 8] == 0.01);
    step_any(world);
    scree_world_destroy(world);
}

/* A contact as its bodies and impulses say it, whatever the numbers of its shapes. */
static int same_contact(const scree_world* world, int32_t c, const scri_contacts_table* old,
                        const int32_t* old_body, int32_t k)
{
    const scri_contacts_table* t = &world->contacts;
    size_t bytes = (size_t)(old->first_row[k + 1] - old->first_row[k]) * sizeof(double);
    for (int side = 0; side < 2; ++side) {
        if (world->shapes.body[t->shape[2 * c + side]] != old_body[old->shape[2 * k + side]]) {
            return 0;
        }
    }
    return t->feature[c] == old->feature[k] && t->rows[c] == old->rows[k] &&
           t->first_row[c + 1] - t->first_row[c] == old->first_row[k + 1] - old->first_row[k] &&
           memcmp(t->p + t->first_row[c], old->p + old->first_row[k], bytes) == 0 &&
           memcmp(t->frame + 9 * c, old->frame + 9 * k, 9 * sizeof(double)) == 0 &&
           memcmp(t->arm + 6 * c, old->arm + 6 * k, 6 * sizeof(double)) == 0 &&
           memcmp(t->point + 3 * c, old->point + 3 * k, 3 * sizeof(double)) == 0;
}

static void others_keep_their_contacts(void** state)
{
    (void)state;
    for (int gone = 0; gone < BALLS; gone += 3) {
        scree_body_id id[BALLS], again;
        scree_world* world = heap(id);
        scri_contacts_table old = {.n = 0};
        scri_lasting_table lasting = {.n = 0};
        scri_passing_table passing = {.n = 0};
        int32_t old_body[BALLS + 1], n = world->contacts.n, kept = 0;
        require(n >= 8, "%d contacts", n);
        assert_true(scri_lasting_table_reserve(NULL, &lasting, n + 1));
        assert_true(scri_passing_table_reserve(NULL, &passing, n));
        old.n = n;
        memcpy(old_body, world->shapes.body, sizeof old_body);
#define SCREE_X(type, name, width) \
    old.name = memcpy(lasting.name, world->contacts.name, (size_t)n * (width) * sizeof(type));
        SCRI_LASTING_CONTACT_FIELDS(SCREE_X)
#undef SCREE_X
#define SCREE_X(type, name, width) \
    old.name = memcpy(passing.name, world->contacts.name, (size_t)n * (width) * sizeof(type));
        SCRI_PASSING_CONTACT_FIELDS(SCREE_X)
#undef SCREE_X
        memcpy(old.first_row, world->contacts.first_row, ((size_t)n + 1) * sizeof *old.first_row);
        assert_int_equal(scree_world_remove_body(world, id[gone]), SCREE_OK);
        if (gone % 2) { /* shapes move back when the slot is filled */
            scree_shape shape = sphere_of(0.01);
            scree_body_def body = body_of(&shape, 1000.0);
            set3(body.position, 5.0, 5.0, 5.0);
            assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &again), SCREE_OK);
        }
        for (int32_t k = 0; k < n; ++k) {
            const int32_t* shape = old.shape + 2 * k;
            if (old_body[shape[0]] == gone + 1 || old_body[shape[1]] == gone + 1) continue;
            require(kept < world->contacts.n && same_contact(world, kept, &old, old_body, k),
                    "contact %d is not what it was without body %d", k, gone);
            kept++;
        }
        assert_int_equal(world->contacts.n, kept);
        assert_int_equal(scree_world_get_view(world).n_contacts, 0);
        step_any(world);
        scri_lasting_table_release(NULL, &lasting);
        scri_passing_table_release(NULL, &passing);
        scree_world_destroy(world);
    }
}

/* A world that had a body goes on as the one that never had it, to the last bit. */
static void what_is_gone_leaves_nothing(void** state)
{
    (void)state;
    double end[2][3 * BALLS];
    for (int had = 0; had < 2; ++had) {
        scree_world* world = world_new(world_def(2e-3, 1e-6), (scree_material){.mu = 0.5});
        scree_body_id extra;
        add_floor(world, 0.1);
        int32_t slots = 1;
        for (int k = 0; k < BALLS; ++k) {
            scree_shape shape = k % 2 ? sphere_of(0.02) : box_of(0.02, 0.015, 0.01);
            scree_body_def body = body_of(&shape, 1000.0);
            set3(body.position, 0.035 * (k % 4) + 1e-3 * k, 0.0, 0.03 + 0.043 * (k / 4));
            if (had && k == 5) {
                scree_shape two[2] = {shape, shape};
                two[1].position[2] = 0.05;
                assert_int_equal(scree_world_add_body(world, &body, 2, two, &extra), SCREE_OK);
                ++slots;
            }
            add_body(world, &body, &shape);
        }
        if (had) assert_int_equal(scree_world_remove_body(world, extra), SCREE_OK);
        for (int s = 0; s < 80; ++s) step_any(world);
        scree_world_view view = scree_world_get_view(world);
        int at = 0;
        for (int32_t i = 1; i < view.n_bodies; ++i) {
            if (view.kind[i] == SCREE_BODY_NONE) continue;
            memcpy(end[had] + 3 * at++, view.position + 3 * i, 3 * sizeof(double));
        }
        assert_int_equal(at, BALLS);
        assert_int_equal(view.n_bodies, BALLS + slots);
        scree_world_destroy(world);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

static void states_know_generations(void** state)
{
    (void)state;
    scree_body_id id[BALLS], other[BALLS];
    scree_world* world = heap(id);
    assert_int_equal(scree_world_remove_body(world, id[4]), SCREE_OK);
    const double push[3] = {0.3, 0.0, 0.1}, gravity[3] = {1.0, 0.0, -5.0};
    assert_int_equal(scree_world_apply_force(world, id[6], push), SCREE_OK);
    assert_int_equal(scree_world_set_gravity(world, gravity), SCREE_OK);
    size_t size = scree_world_state_size(world);
    void* saved = malloc(size);
    scree_world_save(world, saved);
    for (int s = 0; s < 20; ++s) step_any(world);

    scree_world* twin = heap(other);
    assert_int_equal(scree_world_load(twin, saved, size), SCREE_ERROR_INPUT); /* a body too many */
    assert_int_equal(scree_world_remove_body(twin, other[3]), SCREE_OK);
    assert_int_equal(scree_world_load(twin, saved, size), SCREE_ERROR_INPUT); /* another is gone */
    scree_world_destroy(twin);
    twin = heap(other);
    assert_int_equal(scree_world_remove_body(twin, other[4]), SCREE_OK);
    assert_int_equal(scree_world_load(twin, NULL, size), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_load(twin, saved, size - 1), SCREE_ERROR_INPUT);
    assert_int_equal(scree_world_load(twin, saved, size), SCREE_OK);
    for (int s = 0; s < 20; ++s) step_any(twin);
    assert_memory_equal(scree_world_get_view(twin).position, scree_world_get_view(world).position,
                        3 * (BALLS + 1) * sizeof(double));
    free(saved);
    scree_world_destroy(twin);
    scree_world_destroy(world);
}

/* Two balls that would meet pass through each other while the pair is ignored, and only then. */
static void ignored_pairs_pass(void** state)
{
    (void)state;
    for (int how = 0; how < 4; ++how) {
        scree_world* world = world_new(world_def(1e-2, 1e-8), (scree_material){.mu = 0.0});
        const double none[3] = {0.0, 0.0, 0.0};
        assert_int_equal(scree_world_set_gravity(world, none), SCREE_OK);
        scree_shape shape = sphere_of(0.1);
        scree_body_def body = body_of(&shape, 1000.0);
        scree_body_id id[3];
        for (int k = 0; k < 3; ++k) {
            set3(body.position, 0.5 * k, 0.0, 0.0);
            set3(body.velocity, k == 0 ? 1.0 : 0.0, 0.0, 0.0);
            assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id[k]), SCREE_OK);
        }
        assert_int_equal(scree_world_ignore_pair(world, id[1], id[0], how > 0), SCREE_OK);
        if (how == 2) assert_int_equal(scree_world_ignore_pair(world, id[0], id[1], 0), SCREE_OK);
        if (how == 3) { /* the slot is used again: nothing is left of the pair */
            set3(body.position, 0.5, 0.0, 0.0);
            assert_int_equal(scree_world_remove_body(world, id[1]), SCREE_OK);
            assert_int_equal(scree_world_ignore_pair(world, id[0], id[1], 1), SCREE_ERROR_ARGUMENT);
            assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id[1]), SCREE_OK);
        }
        for (int s = 0; s < 60; ++s) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        int stopped = view.velocity[0] < 0.9;
        assert_int_equal(stopped, how != 1);
        assert_int_equal(view.velocity[3] == 0.0, how == 1); /* the second one was hit or not */
        scree_world_destroy(world);
    }
}

static void memory_runs_short(void** state)
{
    (void)state;
    for (long fail_at = 0;; ++fail_at) {
        test_host host;
        scree_world_def def = scree_default_world_def();
        scree_world* world = NULL;
        scree_shape shape = sphere_of(0.1);
        scree_body_def body = body_of(&shape, 1000.0);
        scree_body_id id[20];
        int32_t material, done = 0;
        scree_env env = test_env(&host);
        host.fail_at = fail_at;
        scree_status status = scree_world_create(&env, &def, &world);
        if (!status) {
            status = scree_world_add_material(world, &(scree_material){.mu = 0.1}, &material);
        }
        for (int k = 0; k < 20 && !status; ++k) {
            status = scree_world_add_body(world, &body, 1, &shape, &id[k]);
            if (!status && k > 0) status = scree_world_ignore_pair(world, id[0], id[k], 1);
        }
        if (!status) {
            status = scree_world_remove_body(world, id[3]);
            assert_int_equal(status, SCREE_OK); /* needs no memory */
            done = 1;
        }
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
        assert_int_equal(fail_at < host.n_asked, !done);
        if (done) break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_go_stale),
        cmocka_unit_test(others_keep_their_contacts),
        cmocka_unit_test(what_is_gone_leaves_nothing),
        cmocka_unit_test(states_know_generations),
        cmocka_unit_test(ignored_pairs_pass),
        cmocka_unit_test(memory_runs_short),
    };
    return test_group(tests);
}
