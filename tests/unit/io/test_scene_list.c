/* Lists of bodies from CSV files with columns in any order, and the random parts of generators in
 * scene files. */
#include "io/scene_reader.h"
#include "scene_text.h"
#include "scree_io/scene_file.h"
#include "support/test.h"

static const char* csv_text;

static scree_status read_text(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    (void)env, (void)path;
    *size = strlen(csv_text);
    *bytes = malloc(*size + 1);
    if (!*bytes) return SCREE_ERROR_MEMORY;
    memcpy(*bytes, csv_text, *size);
    return SCREE_OK;
}

static scree_scene* read_with(const char* csv, const char* text)
{
    scree_scene* scene = NULL;
    scri_scene_text from = {"s.yaml", text, strlen(text), 0, NULL};
    test_host host;
    scree_env env = test_env(&host);
    csv_text = csv;
    scree_status status = scri_scene_parse(NULL, read_text, &from, &scene);
    if (status) scri_scene_parse(&env, read_text, &from, &scene);
    require(status == SCREE_OK, "%s", host.text);
    return scene;
}

static void columns_come_in_any_order(void** state)
{
    (void)state;
    scree_scene* s =
        read_with("# stones\nname, mass, qw,qx,qy,qz, radius, z,y,x, material, vx,vy,vz, wz,wy,wx\n"
                  "big,   7, 0.6,0,0.8,0,     2, 3,2,1,  steel,    4,5,6,  9,8,7\n"
                  "small, 1, 1,0,0,0,         0.5, -3,-2,-1, stone, 0,0,0, 0,0,0\n",
                  "materials: {stone: {mu: 0.1}, steel: {mu: 0.2}}\n"
                  "generators: [{type: csv, file: a.csv, body: {name: rock, density: 10, shape: "
                  "{type: sphere, "
                  "radius: 1, material: stone}}}]\n");
    scree_world* world;
    assert_int_equal(scree_scene_build(NULL, s, &world), SCREE_OK);
    scree_world_view view = scree_world_get_view(world);
    static const double place[] = {1, 2, 3, -1, -2, -3}, velocity[] = {4, 5, 6, 0, 0, 0};
    static const double spin[] = {7, 8, 9, 0, 0, 0}, turn[] = {0.6, 0, 0.8, 0, 1, 0, 0, 0};
    static const double mass[] = {7, 1};
    assert_int_equal(view.n_bodies, 2);
    near_all(view.position, place, 6, "position");
    near_all(view.velocity, velocity, 6, "velocity");
    near_all(view.angular_velocity, spin, 6, "angular velocity");
    near_all(view.rotation, turn, 8, "rotation");
    near_all(view.mass, mass, 2, "mass");
    near(view.shape_half_size[0], 2.0, "radius");
    near(view.shape_half_size[3], 0.5, "radius");
    assert_int_equal(view.shape_material[0], 1);
    assert_int_equal(view.shape_material[1], 0);
    scree_world_destroy(world);
    scree_simulation* simulation;
    char name[16];
    assert_int_equal(scree_simulation_create(NULL, s, &simulation), SCREE_OK);
    scree_simulation_body_name(simulation, 1, name, sizeof name);
    assert_string_equal(name, "small");
    scree_simulation_destroy(simulation);
    scree_scene_destroy(s);
}

static void three_columns_need_no_titles(void** state)
{
    (void)state;
    scree_scene* s =
        read_with("1,2,3\n4,5,6\n", "generators: [{type: csv, file: a.csv, body: {shape: "
                                    "{type: sphere, radius: 1}}}]\n");
    static const double place[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(s->generators[0].count, 2);
    near_all(s->generators[0].place, place, 6, "places");
    assert_null(s->generators[0].listed.scale);
    scree_scene_destroy(s);
}

static void what_is_drawn_is_read(void** state)
{
    (void)state;
    scree_scene* s = parse_scene(
        "drawn.yaml",
        "generators:\n"
        "  - {type: grid, count: [2, 2, 2], spacing: 3, packing: face-centred, orientation: "
        "random,\n"
        "     sizes: {sieve: [[0.1, 0], [0.4, 1]]}, bodies: [{name: a, shape: {type: sphere, "
        "radius: 1}},\n"
        "     {shape: {type: box, size: [1, 1, 1]}}], weights: [1, 2]}\n"
        "  - {type: rain, count: 2, rate: 1, box: {from: [0, 0, 9], to: [1, 1, 9]},\n"
        "     sizes: {uniform: [0.5, 2]}, body: {name: b, shape: {type: sphere, radius: 1}}}\n"
        "  - {type: grid, count: [1, 1, 1], spacing: 1, sizes: {log_normal: [1, 0.2]},\n"
        "     body: {name: c, shape: {type: sphere, radius: 1}}}\n");
    const scree_generator* g = s->generators;
    static const double sieve[] = {0.05, 0.0, 0.2, 1.0}, weight[] = {1.0, 2.0};
    assert_int_equal(g[0].packing, SCREE_PACKING_FACE_CENTRED);
    assert_int_equal(g[0].is_turned, 1);
    assert_int_equal(g[0].n_others, 1);
    assert_int_equal(g[0].others[0].shapes[0].kind, SCREE_SHAPE_BOX);
    near_all(g[0].sieve, sieve, 4, "sieve"); /* against 2 m, the model's diameter */
    near_all(g[0].weight, weight, 2, "weights");
    assert_int_equal(g[1].size_kind, SCREE_SIZE_UNIFORM);
    near(g[1].size[1], 2.0, "uniform");
    assert_int_equal(g[2].size_kind, SCREE_SIZE_LOG_NORMAL);
    near(g[2].size[1], 0.2, "deviation");
    scree_scene_destroy(s);
}

#define GRID(rest)                                                                          \
    "generators: [{type: grid, count: [1, 1, 1], spacing: 1, body: {shape: {type: sphere, " \
    "radius: "                                                                              \
    "1}}, " rest "}]\n"

static void faults_are_named(void** state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } table[] = {
        {GRID("sizes: {}"), "sizes needs one of uniform, log_normal, sieve"},
        {GRID("sizes: {uniform: [1, 2], sieve: [[1, 0], [2, 1]]}"),
         "sizes needs one of uniform, log_normal, sieve"},
        {GRID("sizes: {uniform: [2, 1]}"),
         "uniform: two positive factors, the larger last, are expected"},
        {GRID("sizes: {log_normal: [1, -1]}"),
         "log_normal: a positive median and a deviation of the logarithm from 0 to 3 are expected"},
        {GRID("sizes: {sieve: [[1, 0]]}"),
         "sieve: a list of two pairs of numbers or more is expected"},
        {GRID("sizes: {sieve: [[1, 0], [2, 0.5]]}"),
         "sieve: positive sizes that grow, and shares that grow from 0 to 1, are expected"},
        {GRID("sizes: {uniform: [1, 2]}, size_spread: 0.1"),
         "a generator has either 'sizes' or 'size_spread'"},
        {GRID("orientation: randum"), "unknown orientation 'randum'; did you mean 'random'?"},
        {GRID("packing: bcc"), "unknown packing 'bcc'; known are cubic, hexagonal, face-centred"},
        {GRID("weights: [1]"), "weights: there is one body only"},
        {GRID("bodies: []"), "a generator has either 'body' or 'bodies'"},
        {"generators: [{type: grid, count: [1, 1, 1], spacing: 1, bodies: []}]\n",
         "bodies: the list is empty"},
        {"generators: [{type: grid, count: [1, 1, 1], spacing: 1, weights: [1, 2], bodies: "
         "[{shape: "
         "{type: sphere, radius: 1}}]}]\n",
         "weights: a list of 1 numbers, one for each body, is expected"},
        {"generators: [{type: grid, count: [1, 1, 1], spacing: 1, weights: [0], bodies: [{shape: "
         "{type: sphere, radius: 1}}]}]\n",
         "weights: some must be positive"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        assert_int_equal(scree_scene_parse(&env, "s.yaml", table[k].text, strlen(table[k].text), 0,
                                           NULL, &scene),
                         SCREE_ERROR_INPUT);
        require(strncmp(host.text, "s.yaml:1:", 9) == 0 && strstr(host.text, table[k].line), "%s",
                host.text);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_come_in_any_order),
        cmocka_unit_test(three_columns_need_no_titles),
        cmocka_unit_test(what_is_drawn_is_read),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
