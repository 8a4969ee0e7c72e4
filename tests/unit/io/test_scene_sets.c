/* Materials with sets in scene files: every form, files of materials, and what becomes of them. */
#include "io/scene_reader.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>

#define DEGREE SCREE_DEGREE

static const char measured_path[] = SCREE_FIXTURES "/scenes/measured.yaml";

static scree_scene* read_measured(int32_t n, const char* const* settings)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scree_status status = scree_scene_read(&env, measured_path, n, settings, &scene);
    require(status == SCREE_OK && host.n_logged == 0, "%s", host.text);
    scree_scene_destroy(scene);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(scree_scene_read(NULL, measured_path, n, settings, &scene), SCREE_OK);
    return scene;
}

static const scree_material* material(const scree_scene* s, const char* name)
{
    for (int32_t k = 0; k < s->n_materials; ++k) {
        if (strcmp(s->material_name[k], name) == 0) return &s->materials[k];
    }
    fail_msg("no material %s", name);
    return NULL;
}

static void radius(const scree_set* set, double degrees, double expected, const char* what)
{
    assert_non_null(set);
    double r = scree_set_radius(set, degrees * DEGREE);
    require(fabs(r - expected) <= 1e-12, "%s: %.15g at %g degrees, not %.15g", what, r, degrees,
            expected);
}

static void near(double value, double expected, const char* what)
{
    require(fabs(value - expected) <= 1e-14, "%s = %.17g, not %.17g", what, value, expected);
}

static void every_form(void** state)
{
    (void)state;
    scree_scene* s = read_measured(0, NULL);
    const scree_material* m = material(s, "disc");
    radius(m->sliding, 77.0, 0.5, "disc");
    near(m->mu, 1.0, "mu of a material with a set");
    assert_true(!m->direction && !m->rolling && !m->rolling_direction);
    m = material(s, "ellipse");
    radius(m->sliding, 30.0, 1.0, "ellipse");
    radius(m->sliding, 120.0, 0.5, "ellipse");
    near(m->mu, 2.0, "given mu");
    assert_true(m->lay[0] == 0.0 && m->lay[1] == 1.0 && m->lay[2] == 0.0);
    m = material(s, "rectangle");
    radius(m->rolling, -30.0, 1.0, "rectangle");
    radius(m->rolling, 60.0, 0.5, "rectangle");
    near(m->mu, 0.3, "mu without a set");
    assert_null(m->sliding);
    m = material(s, "runner");
    radius(m->sliding, 0.0, 0.03, "runner");
    radius(m->sliding, 90.0, 0.5, "runner");
    m = material(s, "polygon");
    radius(m->sliding, 0.0, 0.1, "polygon");
    radius(m->sliding, 180.0, 0.8, "polygon");
    m = material(s, "asperity"); /* PITFALLS: r(0), r(45), r(90) for mu = 1.2, beta = 36 degrees */
    assert_true(fabs(scree_set_radius(m->sliding, 0.0) - 7.643276410) <= 1e-8);
    assert_true(fabs(scree_set_radius(m->sliding, 90.0 * DEGREE) - 1.483281573) <= 1e-8);
    radius(m->direction, 10.0, 1.0, "directions");
    m = material(s, "polar");
    radius(m->rolling_direction, 90.0, 1.0, "polar");
    radius(m->rolling_direction, 180.0, 1.1, "polar");
    near(m->mu, 0.0, "mu without C");
    scree_scene_destroy(s);
}

static void files_and_overrides(void** state)
{
    (void)state;
    static const char* const given[] = {"half=0.4", "materials.turned.mu_s=0.25",
                                        "materials.plate.sliding={disc: half}"};
    scree_scene* s = read_measured(0, NULL);
    const scree_material *plate = material(s, "plate"), *turned = material(s, "turned");
    radius(plate->sliding, 5.0, 0.5366, "plate");
    radius(plate->direction, 90.0, 1.19, "plate");
    near(plate->mu, 0.8, "mu of the file");
    near(plate->lay[0], 1.0, "lay of the file");
    radius(turned->sliding, 5.0, 0.5366, "set of the file");
    radius(turned->direction, 90.0, 1.0, "overridden");
    near(turned->mu, 1.0, "overridden");
    near(turned->lay[1], 1.0, "overridden");
    assert_int_equal(s->n_pairs, 2);
    near(s->pairs[0].material.mu, sqrt(0.8 * 2.0), "mu of a pair without a set");
    assert_null(s->pairs[0].material.sliding);
    near(s->pairs[1].material.mu, 1.0, "mu of a pair with a set");
    radius(s->pairs[1].material.sliding, 90.0, 0.5, "pair");
    scree_scene_destroy(s);
    s = read_measured(3, given);
    radius(material(s, "disc")->sliding, 0.0, 0.4, "by a parameter");
    radius(material(s, "plate")->sliding, 0.0, 0.4, "by a setting");
    near(material(s, "turned")->mu_s, 0.25, "by a setting");
    scree_scene_destroy(s);
}

/* The world of a scene: which law, and whose sets, its pairs have. */
static void worlds_of_scenes(void** state)
{
    (void)state;
    scree_scene* s = read_measured(0, NULL);
    scree_simulation* simulation = NULL;
    assert_int_equal(scree_simulation_create(NULL, s, &simulation), SCREE_OK);
    scree_step_report report;
    assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
    scree_world_view view = scree_simulation_view(simulation);
    assert_int_equal(view.n_contacts, 1);
    assert_int_equal(view.problem->law[0], SCREE_LAW_EXTENDED);
    assert_non_null(view.problem->set);
    for (int k = 0; k < 2; ++k) assert_true(view.problem->set[k] >= 0);
    for (int k = 2; k < 4; ++k) assert_int_equal(view.problem->set[k], -1);
    scree_simulation_destroy(simulation);
    scree_scene_destroy(s);
}

static void short_memory(void** state)
{
    (void)state;
    for (long k = 0; k < 10000; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        host.fail_at = k;
        scree_scene* scene = NULL;
        scree_status status = scree_scene_read(&env, measured_path, 0, NULL, &scene);
        scree_scene_destroy(scene);
        assert_int_equal(host.n_held, 0);
        if (!status) return;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_int_equal(host.n_logged, 1);
    }
    fail_msg("never succeeded");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(files_and_overrides),
        cmocka_unit_test(worlds_of_scenes),
        cmocka_unit_test(short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
