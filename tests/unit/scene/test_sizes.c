/* Programs that know other versions of structs: of the systems, scenes, problems and sets that
 * worlds do not cover (tests/unit/world/test_sizes.c). */
#include "scree/scene.h"
#include "scree/system.h"
#include "support/solving.h"

enum { FILL = 0xee };

static void unit_mass(void* user, double t, const double* q, double* m)
{
    (void)user, (void)t, (void)q;
    m[0] = 1.0;
}

static void systems_fill_what_there_is_room_for(void** state)
{
    (void)state;
    scree_system* system = NULL;
    scree_system_def def = scree_default_system_def();
    def.model.mass = unit_mass;
    def.n = 1;
    const double u = 2.0;
    for (int how = 0; how < 3; ++how) {
        scree_system_def other = def;
        other.struct_size = how == 0 ? 0 : def.struct_size + (how == 1 ? 8u : (uint32_t)-8);
        assert_int_equal(scree_system_create(NULL, &other, 0.0, NULL, &u, &system),
                         SCREE_ERROR_ARGUMENT);
        assert_null(system);
    }
    assert_int_equal(scree_system_create(NULL, &def, 0.0, NULL, &u, &system), SCREE_OK);
    union {
        scree_system_report report;
        scree_system_view view;
        unsigned char bytes[sizeof(scree_system_report) + sizeof(scree_system_view) + 16];
    } v;
    memset(&v, FILL, sizeof v);
    v.report.struct_size = offsetof(scree_system_report, kinetic);
    assert_int_equal(scree_system_make_step(system, &v.report), SCREE_OK);
    assert_int_equal(v.report.n_closed, 0);
    assert_int_equal(v.bytes[offsetof(scree_system_report, kinetic)], FILL);
    scree_system_report report;
    assert_int_equal(scree_system_step(system, &report), SCREE_OK);
    require(report.kinetic == 2.0, "kinetic %g", report.kinetic);

    memset(&v, FILL, sizeof v);
    v.view.struct_size = sizeof v.view + 8;
    scree_system_fill_view(system, &v.view);
    assert_int_equal(v.view.steps, 2);
    assert_int_equal(v.view.struct_size, sizeof v.view + 8);
    assert_int_equal(v.bytes[sizeof v.view + 7], 0);
    assert_int_equal(v.bytes[sizeof v.view + 8], FILL);
    assert_int_equal(scree_system_get_view(NULL).n, 0);
    scree_system_destroy(system);
}

static void scenes_of_other_versions_are_refused(void** state)
{
    (void)state;
    scree_scene scene = scree_default_scene();
    scree_simulation* simulation = NULL;
    assert_int_equal(scree_simulation_create(NULL, &scene, &simulation), SCREE_OK);
    scree_totals totals;
    memset(&totals, FILL, sizeof totals);
    totals.struct_size = offsetof(scree_totals, sweeps);
    scree_simulation_fill_totals(simulation, &totals);
    assert_int_equal(totals.steps, 0);
    assert_int_equal(((unsigned char*)&totals)[offsetof(scree_totals, sweeps)], FILL);
    assert_int_equal(scree_simulation_totals(simulation).struct_size, sizeof totals);
    assert_int_equal(scree_simulation_totals(NULL).steps, 0);
    scree_simulation_destroy(simulation);

    memset(&scene, FILL, sizeof scene);
    scree_scene_init(&scene, SCREE_SCENE_COOKIE + 31u * 8u); /* a program with a larger scene */
    assert_int_equal(scene.cookie, 0);
    assert_int_equal(((unsigned char*)&scene)[sizeof scene.cookie], FILL);
    assert_int_equal(scree_simulation_create(NULL, &scene, &simulation), SCREE_ERROR_ARGUMENT);
    assert_null(simulation);
}

static void certificates_fill_what_there_is_room_for(void** state)
{
    (void)state;
    scree_problem_builder* builder = NULL;
    scree_problem_store store = {.memory = NULL};
    assert_int_equal(scree_problem_builder_create(NULL, &builder), SCREE_OK);
    /* a body of an older program, without its velocities, and contacts of newer ones */
    const scree_builder_body ball = {.mass = 1.0, .inertia = {0.4, 0.4, 0.4}, .velocity = {9.0}};
    int32_t a = scree_problem_builder_add_body_sized(builder, &ball,
                                                     offsetof(scree_builder_body, velocity));
    assert_int_equal(a, 0);
    struct {
        scree_builder_contact known;
        double beyond;
    } contact = {{.body = {0, -1}, .normal = {0.0, 0.0, 1.0}, .coef = {0.5}}, 0.0};
    contact.known.point[2] = -1.0;
    assert_int_equal(
        scree_problem_builder_add_contact_sized(builder, &contact.known, sizeof contact), 0);
    assert_int_equal(scree_problem_builder_add_contact(builder, &contact.known), 1);
    assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
    for (int i = 0; i < 3; ++i) require(store.problem.q[i] == 0.0, "a velocity was read");

    const double p[6] = {0.0};
    union {
        scree_certificate certificate;
        unsigned char bytes[sizeof(scree_certificate) + 16];
    } u;
    memset(&u, FILL, sizeof u);
    assert_int_equal(scree_certify_sized(NULL, &store.problem, p, &u.certificate,
                                         offsetof(scree_certificate, local)),
                     SCREE_OK);
    assert_int_equal(u.bytes[offsetof(scree_certificate, local)], FILL);
    require(u.certificate.residual == 0.0, "residual %g", u.certificate.residual);

    /* contacts of a smaller size, side by side */
    const size_t size = offsetof(scree_contact_certificate, dual_violation);
    unsigned char smaller[2 * sizeof(scree_contact_certificate)];
    scree_contact_certificate whole[2], read;
    memset(smaller, FILL, sizeof smaller);
    assert_int_equal(scree_certify_contacts(NULL, &store.problem, p, 1e-6, whole), SCREE_OK);
    assert_int_equal(scree_certify_contacts_sized(NULL, &store.problem, p, 1e-6,
                                                  (scree_contact_certificate*)smaller, size),
                     SCREE_OK);
    memcpy(&read, smaller + size, size);
    assert_int_equal(read.mode, whole[1].mode);
    require(read.residual == whole[1].residual, "another residual");
    assert_int_equal(smaller[2 * size], FILL);

    scree_solution solution = {.p = NULL};
    assert_int_equal(
        scree_solve_alloc_sized(NULL, &store.problem, NULL, &solution, sizeof solution - 8),
        SCREE_ERROR_ARGUMENT);
    assert_null(solution.p);
    scree_problem_store_release(&store);

    contact.beyond = 1.0; /* what is said there is not known here */
    assert_int_equal(scree_problem_builder_create(NULL, &builder), SCREE_OK);
    assert_int_equal(
        scree_problem_builder_add_contact_sized(builder, &contact.known, sizeof contact), -1);
    assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_ERROR_ARGUMENT);
}

static void sets_of_other_versions(void** state)
{
    (void)state;
    struct {
        scree_set_def known;
        double beyond;
    } def = {{.kind = SCREE_SET_ELLIPSE, .a = 0.5, .b = 0.25, .scale = 3.0}, 0.0};
    scree_set* set = NULL;
    const double x[2] = {0.5, 0.0};
    assert_int_equal(scree_set_create_sized(NULL, &def.known, sizeof def, &set), SCREE_OK);
    require(scree_set_gauge(set, x) * 3.0 == 1.0, "gauge %g", scree_set_gauge(set, x));
    scree_set_destroy(set);
    assert_int_equal(scree_set_create_sized(NULL, &def.known, offsetof(scree_set_def, scale), &set),
                     SCREE_OK);
    require(scree_set_gauge(set, x) == 1.0, "gauge %g", scree_set_gauge(set, x));
    scree_set_destroy(set);
    def.beyond = 1.0;
    assert_int_equal(scree_set_create_sized(NULL, &def.known, sizeof def, &set),
                     SCREE_ERROR_ARGUMENT);
    assert_null(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_fill_what_there_is_room_for),
        cmocka_unit_test(scenes_of_other_versions_are_refused),
        cmocka_unit_test(certificates_fill_what_there_is_room_for),
        cmocka_unit_test(sets_of_other_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
