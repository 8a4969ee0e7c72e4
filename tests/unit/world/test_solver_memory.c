/* The solver of a world: chosen, limited, and fed from what the world keeps. */
#include "base/pool.h"
#include "support/mechanisms.h"

/* Towers of boxes that stand, and balls that slide away from each other: contacts that rest, for
 * which Newton's method and the interior point are called, and others that do not. */
static scree_world* rest_and_motion(scree_world_def def, test_host* host)
{
    scree_world* world = NULL;
    int32_t material;
    scree_env env = test_env(host);
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &material),
                     SCREE_OK);
    add_floor(world, 0.0);
    for (int k = 0; k < 9; ++k) {
        scree_shape shape = k < 6 ? box_of(0.1, 0.1, 0.05) : sphere_of(0.05);
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, k < 6 ? 0.3 * (k % 2) : 1.0 + 0.2 * (k % 3), 0.0,
             k < 6 ? 0.05 + 0.1 * (k / 2) : 0.05);
        set3(body.velocity, k < 6 ? 0.0 : 0.1 * k, k == 7 ? 0.1 : 0.0, 0.0);
        add_body(world, &body, &shape);
    }
    return world;
}

/* A sledge that its spring presses against a limit, with a bob on a rope and dry friction. */
static scree_world* machine(scree_world_def def, test_host* host)
{
    const double x[3] = {1.0, 0.0, 0.0}, at[3] = {0.0, 5.0, 1.0}, hangs[3] = {0.1, 5.0, 0.5};
    const double round[3] = {0.01, 0.01, 0.01};
    scree_world* world = rest_and_motion(def, host);
    scree_body_id sledge = add_mass(world, 2.0, round, at),
                  bob = add_mass(world, 1.0, round, hangs);
    scree_joint_def joint = joint_of(world, SCREE_JOINT_SLIDER, sledge, the_world, at, x);
    joint.freedom[0].stiffness = 1e3;
    joint.freedom[0].rest = 0.5;
    joint.freedom[0].upper = 1e-3;
    joint.freedom[0].friction = 0.1;
    add_joint(world, &joint);
    join(world, SCREE_JOINT_ROPE, bob, sledge, hangs, x);
    return world;
}

/* Every method the table has, in worlds that it fits: steps that the world has made before ask the
 * host for nothing. */
static void warm_steps_ask_for_nothing(void** state)
{
    (void)state;
    for (int k = 0; k < 2 * scree_solver_count(); ++k) {
        test_host host = {.fail_at = -1};
        scree_world_def def = world_def(2e-3, 1e-6);
        def.solver.solver = scree_solver_get(k / 2).name;
        def.solver.max_iter = 100;
        def.scheme = k % 2 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        scree_world* world = rest_and_motion(def, &host);
        scree_status status = SCREE_OK;
        scree_step_report report;
        size_t size = scree_world_state_size(world);
        void* begin = malloc(size);
        long asked = 0;
        scree_world_save(world, begin);
        for (int pass = 0; pass < 2 && !status; ++pass) {
            asked = host.n_asked;
            assert_int_equal(scree_world_load(world, begin, size), SCREE_OK);
            for (int s = 0; s < 40 && !status; ++s) status = scree_world_step(world, &report);
        }
        free(begin);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_UNSUPPORTED);
        require(status || host.n_asked == asked, "%s: %ld requests in warm steps",
                def.solver.solver, host.n_asked - asked);
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
    }
}

typedef scree_world* maker(scree_world_def def, test_host* host);

/* Memory that fails at any request leaves a world that can be destroyed, or a step that says so. */
static void run_short(maker* make)
{
    test_host whole = {.fail_at = -1};
    scree_world* world = make(world_def(2e-3, 1e-6), &whole);
    long built = whole.n_asked;
    for (int s = 0; s < 4; ++s) step_any(world);
    long all = whole.n_asked;
    scree_world_destroy(world);
    assert_true(all > built);
    long n_failed = 0;
    for (long at = built; at < all; ++at) {
        test_host host;
        world = make(world_def(2e-3, 1e-6), &host);
        host.fail_at = at;
        scree_status status = SCREE_OK;
        scree_step_report report;
        for (int s = 0; s < 4 && !status; ++s) status = scree_world_step(world, &report);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        n_failed += status == SCREE_ERROR_MEMORY;
        require_finite(world);
        host.fail_at = -1;
        assert_int_equal(scree_world_step(world, &report), SCREE_OK); /* and goes on */
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
    }
    print_message("%ld of %ld requests that fail end a step\n", n_failed, all - built);
    assert_true(n_failed > 0);
}

static scree_world* machine_in_trees(scree_world_def def, test_host* host)
{
    def.joints = SCREE_JOINTS_TREES;
    return machine(def, host);
}

static void memory_runs_short(void** state)
{
    (void)state;
    run_short(rest_and_motion);
    run_short(machine);
    run_short(machine_in_trees);
}

/* ---- how much -------------------------------------------------------------------------------- */

/* Bytes that are given out, now and at most. */
typedef struct tally {
    size_t held, most;
} tally;

enum { HEAD = 16, MOST_HELD = 13000, MOST_EVER = 13500 };

static void* tally_alloc(void* user, size_t size)
{
    tally* t = user;
    unsigned char* memory = malloc(HEAD + size);
    if (!memory) return NULL;
    memcpy(memory, &size, sizeof size);
    t->held += size;
    if (t->held > t->most) t->most = t->held;
    return memory + HEAD;
}

static void tally_release(void* user, void* memory)
{
    size_t size;
    if (!memory) return;
    memcpy(&size, (unsigned char*)memory - HEAD, sizeof size);
    ((tally*)user)->held -= size;
    free((unsigned char*)memory - HEAD);
}

static void add_wall(scree_world* world, double x, double y, double turn_x, double turn_y)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    def.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    set3(def.position, x, y, 0.0);
    def.rotation[0] = sqrt(0.5);
    def.rotation[1] = turn_x * sqrt(0.5);
    def.rotation[2] = turn_y * sqrt(0.5);
    add_body(world, &def, &shape);
}

enum { SIDE = 11, LAYERS = 10, GRAINS = SIDE * SIDE * LAYERS };

/* Grains of 0.8 to 1 of the largest in staggered layers between four walls. */
static scree_world* trough(scree_env env, scree_world_def def)
{
    const double radius = 0.02, spacing = 2.1 * radius, width = spacing * SIDE;
    scree_world* world =
        world_new_in(env, def, (scree_material){.mu = 0.6, .mu_r_share = 0.1, .mu_s_share = 0.1});
    scri_random random = {.key = 5};
    add_floor(world, 0.0);
    add_wall(world, 0.0, 0.0, 0.0, 1.0);
    add_wall(world, width, 0.0, 0.0, -1.0);
    add_wall(world, 0.0, 0.0, -1.0, 0.0);
    add_wall(world, 0.0, width, 1.0, 0.0);
    for (int k = 0; k < GRAINS; ++k) {
        int i = k % (SIDE * SIDE), layer = k / (SIDE * SIDE);
        double shift = 0.25 + 0.5 * (layer % 2), at[3];
        scree_shape shape = sphere_of(radius * (0.8 + 0.2 * scri_random_uniform(&random)));
        scree_body_def body = body_of(&shape, 2500.0);
        set3(at, spacing * (i % SIDE + shift), spacing * (i / SIDE + shift),
             1.4 * radius * (layer + 0.75));
        for (int j = 0; j < 3; ++j) {
            body.position[j] = at[j] + 0.04 * radius * (scri_random_uniform(&random) - 0.5);
        }
        add_body(world, &body, &shape);
    }
    return world;
}

/* Bytes of the host's memory for each grain of a bed that has come down, with rows of rolling and
 * spinning: what it holds, and what it has held at most while tables grew. Every method may be
 * called that a time step begins with. */
static void a_grain_takes_few_bytes(void** state)
{
    (void)state;
    test_of_numbers();
    tally bytes = {0};
    scree_env env = {.alloc = tally_alloc, .release = tally_release, .user = &bytes};
    scree_world_def def = world_def(5e-3, 1e-1);
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    scree_world* world = trough(env, def);
    for (int s = 0; s < 40; ++s) step_any(world);
    double contacts = scree_world_get_view(world).n_contacts / (double)GRAINS;
    double held = (double)bytes.held / GRAINS, most = (double)bytes.most / GRAINS;
    print_message("%.2f contacts a grain, %.0f bytes, %.0f at most\n", contacts, held, most);
    require(contacts > 2.4 && contacts < 3.0, "%g contacts a grain", contacts);
    require(held < MOST_HELD, "%g bytes a grain", held);
    require(most < MOST_EVER, "%g bytes a grain at most", most);
    scree_world_destroy(world);
    assert_int_equal(bytes.held, 0);
}

/* A clock that goes on by a second whenever it is read: the first look ends the solve. */
static double fast_clock(void* user)
{
    static double now;
    (void)user;
    return now += 1.0;
}

static void budgets_and_names_are_heeded(void** state)
{
    (void)state;
    test_host host = {.fail_at = -1};
    scree_world_def def = world_def(2e-3, 1e-9);
    scree_world* world = rest_and_motion(def, &host);
    scree_step_report report = step_any(world);
    assert_int_equal(report.solve.outcome, SCREE_OUTCOME_CONVERGED);
    scree_world_destroy(world);

    def.solver.solver = "nsgs";
    def.solver.max_iter = 1;
    world = rest_and_motion(def, &host);
    report = step_any(world);
    assert_string_equal(report.solve.solver, "nsgs");
    scree_world_destroy(world);

    def = world_def(2e-3, 1e-9);
    def.solver.max_time = 0.5;
    world = NULL;
    const scree_env env = {.clock = fast_clock};
    int32_t material;
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &material),
                     SCREE_OK);
    add_floor(world, 0.0);
    for (int k = 0; k < 30; ++k) { /* more rows than what is solved to rounding in any case */
        scree_shape shape = box_of(0.1, 0.1, 0.05);
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.1 * k, 0.02 * k, 0.05 + 0.1 * k);
        set3(body.velocity, 1.0, 0.0, -1.0);
        add_body(world, &body, &shape);
    }
    report = step_any(world);
    assert_int_equal(report.solve.outcome, SCREE_OUTCOME_TIME_LIMIT);
    scree_world_destroy(world);
}

static void faults_are_named(void** state)
{
    (void)state;
    test_host host = {.fail_at = -1};
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    scree_env env = test_env(&host);
    const scree_world_def good = def;
#define refused(status, line)                                                 \
    do {                                                                      \
        host.text[0] = '\0';                                                  \
        assert_int_equal(scree_world_create(&env, &def, &world), status);     \
        require(strstr(host.text, line), "'%s' lacks '%s'", host.text, line); \
        assert_null(world);                                                   \
        def = good;                                                           \
    } while (0)
    def.solver.solver = "magic";
    refused(SCREE_ERROR_ARGUMENT, "no method is called 'magic'");
    def.solver.solver = NULL;
    refused(SCREE_ERROR_ARGUMENT, "no method is called 'NULL'");
    def.solver = (scree_solver_def){.tol = 1.0};
    refused(SCREE_ERROR_ARGUMENT, "solver: begin with");
    def.solver.tol = NAN;
    refused(SCREE_ERROR_INPUT, "solver: tol");
    def.solver.tol = HUGE_VAL;
    refused(SCREE_ERROR_INPUT, "tol finite");
    def.solver.max_iter = 0;
    refused(SCREE_ERROR_INPUT, "max_iter");
    def.solver.max_time = -1.0;
    refused(SCREE_ERROR_INPUT, "max_time");
    def.solver.measure = SCREE_MEASURE_COUNT;
    refused(SCREE_ERROR_INPUT, "unknown measure");
#undef refused
    assert_int_equal(host.n_held, 0);
}

/* ---- the pool -------------------------------------------------------------------------------- */

static void a_pool_serves_again(void** state)
{
    (void)state;
    test_host host = {.fail_at = -1};
    scree_env env = test_env(&host);
    scri_pool* pool;
    scri_random random = test_seed("a_pool_serves_again", 7);
    assert_int_equal(scri_pool_create(&env, &pool), SCREE_OK);
    const scree_env* own = scri_pool_env(pool);
    unsigned char* held[50] = {NULL};
    size_t size[50] = {0};
    long asked = 0;
    for (int k = 0; k < 20000; ++k) {
        int i = (int)scri_random_below(&random, 50);
        for (size_t j = 0; j < size[i]; j += 7) assert_int_equal(held[i][j], i);
        if (held[i]) own->release(own->user, held[i]);
        size[i] = 1 + scri_random_below(&random, 3000);
        held[i] = own->alloc(own->user, size[i]);
        assert_non_null(held[i]);
        assert_int_equal((uintptr_t)held[i] % _Alignof(max_align_t), 0);
        memset(held[i], i, size[i]);
        if (k == 15000) asked = host.n_asked;
    }
    require(host.n_asked - asked <= 2, "%ld requests late", host.n_asked - asked);
    assert_null(own->alloc(own->user, SIZE_MAX / 2));
    own->log(own->user, SCREE_LOG_INFO, "a line");
    assert_string_equal(host.text, "a line");
    for (int i = 0; i < 50; ++i) {
        if (held[i]) own->release(own->user, held[i]);
    }
    scri_pool_destroy(pool);
    scri_pool_destroy(NULL);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_serves_again),          cmocka_unit_test(faults_are_named),
        cmocka_unit_test(budgets_and_names_are_heeded), cmocka_unit_test(memory_runs_short),
        cmocka_unit_test(warm_steps_ask_for_nothing),   cmocka_unit_test(a_grain_takes_few_bytes),
    };
    return test_group(tests);
}
