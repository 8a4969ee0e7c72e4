/* Programs that know the structs of other versions: refused, or served with what they know. */
#include "support/worlds.h"

/* The inline functions of the header, as a program that was built with smaller or larger structs
 * would have them. */
static void defs_of_other_sizes_are_refused(void** state)
{
    (void)state;
    scree_world* world = NULL;
    scree_body_id id;
    test_host host = {.fail_at = -1};
    scree_env env = test_env(&host);
    for (int how = 0; how < 3; ++how) {
        const int change = how == 0 ? -8 : how == 1 ? 8 : 0;
        scree_world_def def = scree_default_world_def();
        def.struct_size += (uint32_t)change;
        if (how == 2) def.struct_size = 0;
        assert_int_equal(scree_world_create(&env, &def, &world), SCREE_ERROR_ARGUMENT);
        assert_null(world);
        const char* says = how == 2 ? "scree_default_world_def()" : "headers of another version";
        require(strstr(host.text, says), "'%s'", host.text);
        host.text[0] = '\0';
    }
    scree_world_def def = scree_default_world_def();
    env.reserved[7] = &host; /* of a later version */
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_ERROR_ARGUMENT);
    int32_t material;
    env = test_env(&host);
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &material),
                     SCREE_OK);
    scree_shape shape = sphere_of(1.0);
    scree_body_def body = body_of(&shape, 1.0);
    body.struct_size -= 8;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_ERROR_ARGUMENT);
    require(strstr(host.text, "headers of another version"), "'%s'", host.text);
    body = body_of(&shape, 1.0);
    shape.struct_size = 0;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_ERROR_ARGUMENT);
    require(strstr(host.text, "scree_default_shape()"), "'%s'", host.text);
    assert_int_equal(scree_world_get_view(world).n_bodies, 0);
    scree_world_destroy(world);
}

/* Only the bytes that a program has room for are written, and those it has beyond are zero. */
static void fills_what_there_is_room_for(void** state)
{
    (void)state;
    union {
        scree_world_view view;
        scree_step_report report;
        scree_contact contact[3];
        scree_world_def def;
        unsigned char bytes[sizeof(scree_step_report) + sizeof(scree_world_def) + 64];
    } u;
    scree_world* world = world_new(scree_default_world_def(), (scree_material){.mu = 0.5});
    add_floor(world, 0.0);
    scree_shape shape = box_of(0.1, 0.1, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    body.position[2] = 0.1;
    add_body(world, &body, &shape);
    step_world(world);

    memset(&u, 0xee, sizeof u);
    u.view.struct_size = offsetof(scree_world_view, n_bodies);
    scree_world_fill_view(world, &u.view);
    assert_true(u.view.time == scree_world_time(world));
    assert_int_equal(u.view.struct_size, offsetof(scree_world_view, n_bodies));
    assert_int_equal(u.bytes[offsetof(scree_world_view, n_bodies)], 0xee);
    memset(&u, 0xee, sizeof u);
    u.view.struct_size = sizeof u.view + 8;
    scree_world_fill_view(NULL, &u.view);
    assert_int_equal(u.view.n_bodies, 0);
    assert_int_equal(u.bytes[sizeof u.view + 7], 0);
    assert_int_equal(u.bytes[sizeof u.view + 8], 0xee);

    memset(&u, 0xee, sizeof u);
    u.report.struct_size = offsetof(scree_step_report, solve);
    assert_int_equal(scree_world_make_step(world, &u.report), SCREE_OK);
    assert_int_equal(u.report.n_contacts, 4);
    assert_int_equal(u.bytes[offsetof(scree_step_report, solve)], 0xee);
    assert_int_equal(scree_world_step(world, NULL), SCREE_OK);

    /* an array of smaller contacts: its stride is their size */
    const size_t size = offsetof(scree_contact, impulse);
    int32_t n;
    memset(&u, 0xee, sizeof u);
    u.contact[0].struct_size = (uint32_t)size;
    assert_int_equal(
        scree_world_fill_body_contacts(world, scree_world_body_at(world, 1), 2, u.contact, &n),
        SCREE_OK);
    assert_int_equal(n, 4);
    for (int32_t k = 0; k < 2; ++k) {
        scree_contact whole;
        assert_int_equal(scree_world_get_contact(world, k, &whole), SCREE_OK);
        assert_memory_equal(u.bytes + (size_t)k * size + sizeof(uint32_t),
                            (unsigned char*)&whole + sizeof(uint32_t), size - sizeof(uint32_t));
    }
    assert_int_equal(u.bytes[2 * size], 0xee);

    memset(&u, 0xee, sizeof u);
    u.def.struct_size = offsetof(scree_world_def, solver);
    scree_world_def_init(&u.def);
    assert_true(u.def.step == scree_default_world_def().step);
    assert_int_equal(u.bytes[offsetof(scree_world_def, solver)], 0xee);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defs_of_other_sizes_are_refused),
        cmocka_unit_test(fills_what_there_is_room_for),
    };
    return test_group(tests);
}
