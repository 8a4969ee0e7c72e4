/* Parts that are solved side by side: the same state for any number of workers, a host that is
 * asked one at a time, and memory that runs short at any desk. */
#include "base/threads.h"
#include "step/beside.h"
#include "support/insides.h"
#include "support/mechanisms.h"

#include <stdatomic.h>

/* ---- the same state ---------------------------------------------------------------------------
 */

enum { TOWERS = 9, PAIRS = 30, MACHINES = 6, STEPS = 12 };

/* Twisted towers that stand, pairs of balls that bounce and slide, and a ball that one of two fixed
 * boxes holds down: it cannot move apart. */
static void fill_yard(scree_world* world)
{
    scree_shape box = box_of(0.1, 0.1, 0.05), ball = sphere_of(0.05), slab = box_of(0.2, 0.2, 0.1);
    scree_body_def body = body_of(&box, 1000.0);
    add_floor(world, 0.0);
    for (int i = 0; i < 4 * TOWERS; ++i) {
        double yaw = 0.1 * i;
        set3(body.position, 0.5 * (i % TOWERS), 0.0, 0.05 + 0.1 * (i / TOWERS));
        body.rotation[0] = cos(0.5 * yaw);
        body.rotation[3] = sin(0.5 * yaw);
        add_body(world, &body, &box);
    }
    body = body_of(&ball, 1000.0);
    for (int i = 0; i < 2 * PAIRS; ++i) {
        set3(body.position, 0.3 * (i % PAIRS), 2.0, 0.05 + 0.1 * (i / PAIRS));
        set3(body.velocity, 0.02 * (i % 7), 0.1 * (i % 3), -0.05 * (i % 5));
        add_body(world, &body, &ball);
    }
    set3(body.position, 0.0, 4.0, 0.05);
    set3(body.velocity, 0.0, 0.0, 0.0);
    add_body(world, &body, &ball);
    body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    set3(body.position, 0.0, 4.0, 0.199);
    add_body(world, &body, &slab);
}

/* Balls on the floor that carry a weight on a hinge, and another that a loop of hinges holds to it:
 * parts with joints, some of which are trees. */
static void add_machines(scree_world* world)
{
    const double round[3] = {0.01, 0.01, 0.01}, y[3] = {0.0, 1.0, 0.0};
    scree_shape ball = sphere_of(0.05);
    scree_body_def body = body_of(&ball, 1000.0);
    for (int i = 0; i < MACHINES; ++i) {
        const double at[3] = {0.5 * i, 5.0, 0.5}, above[3] = {0.5 * i, 5.0, 0.8};
        scree_body_id id, weight;
        set3(body.position, 0.5 * i + 0.1, 5.0, 0.05);
        assert_int_equal(scree_world_add_body(world, &body, 1, &ball, &id), SCREE_OK);
        weight = add_mass(world, 1.0 + i, round, at);
        join(world, SCREE_JOINT_HINGE, id, weight, at, y);
        if (i % 3 == 0) continue;
        scree_body_id more = add_mass(world, 2.0, round, above);
        join(world, SCREE_JOINT_BALL, weight, more, above, y);
        if (i % 3 == 2) join(world, SCREE_JOINT_DISTANCE, more, id, above, y);
    }
}

static scree_world* yard(const scree_env* env, int32_t workers, double max_time)
{
    scree_world_def def = world_def(2e-3, 1e-6);
    def.workers = workers;
    def.solver.max_time = max_time;
    def.joints = SCREE_JOINTS_TREES;
    scree_world* world = world_new_in(*env, def, (scree_material){.mu = 0.4, .restitution = 0.5});
    if (world->team) scri_team_spread(world->team, workers); /* more than there are processors */
    fill_yard(world);
    add_machines(world);
    return world;
}

static uint64_t run_yard(const scree_env* env, int32_t workers)
{
    scree_world* world = yard(env, workers, 1e30);
    uint64_t hash = BITS_BEGIN;
    int32_t most_parts = 0;
    for (int s = 0; s < STEPS; ++s) {
        scree_step_report report = step_any(world);
        if (report.n_parts > most_parts) most_parts = report.n_parts;
        const double told[] = {report.solve.residual,        (double)report.solve.updates,
                               (double)report.solve.outcome, (double)report.solve.iterations,
                               report.certificate.local,     report.contact_work};
        hash = mix_bits(hash, told, sizeof told / sizeof *told);
        hash = mix_inside(hash, world, mix_bits);
    }
    require(most_parts >= TOWERS + PAIRS, "only %d parts", (int)most_parts);
    assert_int_equal(world->side_desks != NULL, workers > 1);
    scree_world_destroy(world);
    return hash;
}

/* A host that calls one worker after the other, the last first. */
static void call_backwards(void* user, int32_t n, scree_range* range, void* context)
{
    int32_t workers = *(const int32_t*)user;
    for (int32_t i = n - 1; i >= 0; --i) range(context, i, i + 1, i % workers);
}

static void any_number_of_workers_gives_the_same_state(void** state)
{
    (void)state;
    scree_env env = {.sparse = test_sparse()};
    uint64_t one = run_yard(&env, 1);
    for (int32_t workers = 2; workers <= test_few(7, 4); workers += test_few(1, 2)) {
        uint64_t many = run_yard(&env, workers);
        require(many == one, "%d workers: another state", (int)workers);
    }
    int32_t lent = 3;
    env.user = &lent;
    env.parallel_for = call_backwards;
    assert_true(run_yard(&env, lent) == one);
}

/* ---- which parts ------------------------------------------------------------------------------
 */

/* Lattices of spheres in free space that touch their neighbours, and spheres beside them. */
static int32_t room_of_desks(int lattices, int side, int n_pairs)
{
    scree_world_def def = world_def(1e-3, 0.1);
    def.workers = 2;
    def.solver.max_iter = 4;
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_shape ball = sphere_of(0.5);
    scree_body_def body = body_of(&ball, 1000.0);
    int each = side * side * side;
    for (int i = 0; i < lattices * each; ++i) {
        int k = i % each;
        set3(body.position, k % side + 2.0 * side * (i / each), k / side % side, k / side / side);
        set3(body.velocity, -1e-3 * (k % side), 0.0, 0.0); /* they press */
        add_body(world, &body, &ball);
    }
    for (int i = 0; i < 2 * n_pairs; ++i) {
        set3(body.position, i % 2, -10.0, 3.0 * (i / 2));
        set3(body.velocity, -1e-3 * (i % 2), 0.0, 0.0);
        add_body(world, &body, &ball);
    }
    step_any(world);
    int32_t room = world->side_desks ? world->side_desks[1].copies.capacity - 1 : 0;
    scree_world_destroy(world);
    return room;
}

/* Two equal parts are for one worker each, if they are not so large that the team gets through both
 * sooner; one large part is for the team, and what is small beside it for whoever is free. */
static void large_parts_are_for_the_team(void** state)
{
    (void)state;
    int32_t equal = room_of_desks(2, 8, 0), large = room_of_desks(1, 12, 100),
            few = room_of_desks(0, 0, 20);
    print_message("room for parts of %d, %d and %d contacts\n", (int)equal, (int)large, (int)few);
    assert_int_equal(equal, 3 * 8 * 8 * 7);
    assert_in_range(large, 1, 15); /* the least that a table has */
    assert_int_equal(few, 0);      /* not worth waking anyone */
}

/* Who is asked for which part; each element is written by one worker. */
static struct {
    int calls[200];
    const scri_desk* desk[200];
    int32_t bad; /* the part that cannot be solved */
} asked;

static scree_status note(scree_world* world, scri_desk* desk, int32_t part)
{
    (void)world;
    asked.calls[part]++;
    asked.desk[part] = desk;
    return part == asked.bad ? SCREE_ERROR_MEMORY : SCREE_OK;
}

/* Every part once, none of them by who has the team; and what one of them says is heard. */
static void every_part_is_asked_for(void** state)
{
    (void)state;
    scree_env env = {.sparse = test_sparse()};
    scree_world* world = yard(&env, 3, 1e30);
    for (int s = 0; s < 3; ++s) step_any(world);
    int32_t n = world->parts.n;
    assert_in_range(n, TOWERS, 200);
    for (int32_t bad = -1; bad < n; ++bad) {
        memset(&asked, 0, sizeof asked);
        asked.bad = bad;
        for (int32_t i = 0; i < n; ++i) world->parts.due[i] = i;
        scree_status status = scri_beside_solve(world, n, note);
        assert_int_equal(status, bad < 0 ? SCREE_OK : SCREE_ERROR_MEMORY);
        for (int32_t k = 0; k < n; ++k) {
            assert_int_equal(asked.calls[k], 1);
            assert_true(asked.desk[k] != &world->desk);
        }
    }
    scree_world_destroy(world);
}

/* ---- the host ---------------------------------------------------------------------------------
 */

/* What a host sees: who asks for what while another is being served. */
typedef struct watchman {
    atomic_int inside, n_met, n_asked, n_read;
    double now;
} watchman;

static void enter(watchman* w)
{
    if (atomic_fetch_add(&w->inside, 1) > 0) ++w->n_met;
    scri_thread_yield();
}

static void leave(watchman* w)
{
    atomic_fetch_sub(&w->inside, 1);
}

static void* watched_alloc(void* user, size_t size)
{
    enter(user);
    ++((watchman*)user)->n_asked;
    void* memory = malloc(size);
    leave(user);
    return memory;
}

static void watched_release(void* user, void* memory)
{
    enter(user);
    free(memory);
    leave(user);
}

static double watched_clock(void* user)
{
    watchman* w = user;
    enter(w);
    ++w->n_read;
    double now = w->now += 1e-9;
    leave(w);
    return now;
}

static void a_host_is_asked_one_at_a_time(void** state)
{
    (void)state;
    watchman w = {.now = 0.0};
    scree_env env = {.alloc = watched_alloc,
                     .release = watched_release,
                     .clock = watched_clock,
                     .user = &w,
                     .sparse = test_sparse()};
    scree_world* world = yard(&env, 4, 1e3);
    int before = w.n_asked, read = w.n_read;
    for (int s = 0; s < 6; ++s) step_any(world);
    print_message("asked %d times for memory, %d for the time\n", w.n_asked - before,
                  w.n_read - read);
    assert_true(w.n_asked > before + 10 && w.n_read > read + 100);
    scree_world_destroy(world);
    assert_int_equal(w.n_met, 0);
}

/* Wherever memory ends, a step says so, and the next one goes on. */
static void memory_runs_short(void** state)
{
    (void)state;
    long n_failed = 0, at = 0;
    for (int done = 0; !done; at += test_few(1, 9)) {
        test_host host;
        scree_env env = test_env(&host);
        scree_world* world = yard(&env, 3, 1e30);
        long built = host.n_asked;
        scree_status status = SCREE_OK;
        scree_step_report report;
        host.fail_at = built + at;
        for (int s = 0; s < 2 && !status; ++s) status = scree_world_step(world, &report);
        done = host.n_asked <= host.fail_at;
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        n_failed += status == SCREE_ERROR_MEMORY;
        require_finite(world);
        host.fail_at = -1;
        assert_int_equal(scree_world_step(world, &report), SCREE_OK);
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
    }
    print_message("%ld steps ended, %ld requests\n", n_failed, at);
    assert_true(n_failed > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same_state),
        cmocka_unit_test(large_parts_are_for_the_team),
        cmocka_unit_test(every_part_is_asked_for),
        cmocka_unit_test(a_host_is_asked_one_at_a_time),
        cmocka_unit_test(memory_runs_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL); /* the C library keeps memory of threads */
}
