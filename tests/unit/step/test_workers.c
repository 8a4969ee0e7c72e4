/* The number of workers changes nothing but the time: states agree to the last bit. */
#include "base/team.h"
#include "base/threads.h"
#include "scree/world.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>

/* With many fewer spheres no colour has work for a second worker, and nothing would be tested. */
enum { SIDE = 9, SPHERES = SIDE * SIDE * SIDE };

static int n_steps(void)
{
    return test_few(45, 20);
}

static void give_mass(const scree_shape* shape, scree_body_def* body)
{
    scree_mass mass;
    assert_int_equal(scree_shape_mass(NULL, 1, shape, 2500.0, &mass), SCREE_OK);
    body->kind = SCREE_BODY_DYNAMIC;
    body->mass = mass.mass;
    memcpy(body->inertia, mass.inertia, sizeof body->inertia);
}

/* What bodies know of how many contacts they have, beside the list of these. */
static void require_counts(const scree_world* world)
{
    int32_t count[SPHERES + 2] = {0};
    for (int32_t k = 0; k < 2 * world->n_touching; ++k) ++count[world->contacts.pair[k]];
    for (int i = 0; i < SPHERES + 2; ++i) {
        if (world->bodies.inv_mass[i] == 0.0) continue;
        require(world->bodies.n_contacts[i] == count[i], "body %d has %d contacts, not %d", i,
                (int)count[i], (int)world->bodies.n_contacts[i]);
    }
}

/* A lattice of spheres of two sizes that falls on a floor and on a box, which is fixed unless it
 * `moves`; positions at the end. */
static void run(int32_t workers, int moves, const scree_env* env, double* out)
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
    assert_int_equal(scree_world_create(env, &def, &world), SCREE_OK);
    scree_material m = {.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3};
    assert_int_equal(scree_world_add_material(world, &m, &material), SCREE_OK);
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    shape.kind = SCREE_SHAPE_BOX;
    shape.half_size[0] = shape.half_size[1] = shape.half_size[2] = 0.02;
    body.position[0] = body.position[1] = 0.09;
    body.position[2] = moves ? 0.02 : 0.01;
    if (moves) give_mass(&shape, &body);
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    shape = scree_default_shape();
    body = scree_default_body_def();
    for (int i = 0; i < SPHERES; ++i) {
        shape.half_size[0] = i % 3 ? 0.010 : 0.009;
        give_mass(&shape, &body);
        body.position[0] = 0.0201 * (i % SIDE) + 1e-4 * (i % 7);
        body.position[1] = 0.0201 * (i / SIDE % SIDE) + 1e-4 * (i % 5);
        body.position[2] = 0.045 + 0.0202 * (i / SIDE / SIDE);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    int contacts = 0;
    for (int s = 0; s < n_steps(); ++s) {
        scree_step_report report;
        assert_int_equal(scree_world_step(world, &report), SCREE_OK);
        contacts += report.n_contacts;
        require_counts(world);
    }
    print_message("%d workers: %d contacts in %d steps\n", (int)workers, contacts, n_steps());
    assert_true(contacts > 300 * n_steps());
    memcpy(out, scree_world_get_view(world).position, 3 * (SPHERES + 2) * sizeof *out);
    scree_world_destroy(world);
}

static void any_number_of_workers_gives_the_same_state(void** state)
{
    (void)state;
    static double one[3 * (SPHERES + 2)], many[3 * (SPHERES + 2)];
    for (int moves = 0; moves < 2; ++moves) {
        run(1, moves, NULL, one);
        for (int32_t workers = 2; workers <= test_few(8, 4); workers *= 2) {
            run(workers, moves, NULL, many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
    if (test_few(1, 0)) {
        run(0, 1, NULL, many); /* one for each processor */
        assert_memory_equal(one, many, sizeof one);
    }
}

/* ---- a large part that comes to rest -----------------------------------------------------------
 */

enum {
    ACROSS = 10,
    LAYERS = 7,
    RESTING = ACROSS * ACROSS * LAYERS,
    UNTIL_REST = 5,
    SAID = 3 * RESTING + 2
};

/* Layers of spheres that touch each other, on a floor, each with a small velocity: one part that is
 * too large for exact steps. Velocities, work and residual of every step; whether all rest in the
 * end. */
static int settle(int32_t workers, double* out)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    def.step = 2e-3;
    def.solver.tol = 1e-2;
    def.workers = workers;
    scree_world* world = NULL;
    scree_body_id id;
    int32_t material;
    scree_material m = {.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3};
    assert_int_equal(scree_world_create(NULL, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &m, &material), SCREE_OK);
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    shape.half_size[0] = 0.01;
    give_mass(&shape, &body);
    for (int i = 0; i < RESTING; ++i) {
        const int at[3] = {i % ACROSS, i / ACROSS % ACROSS, i / ACROSS / ACROSS};
        for (int k = 0; k < 3; ++k) body.position[k] = 0.02 * at[k] + (k == 2 ? 0.01 : 0.0);
        body.velocity[0] = 4e-4 * (double)(i % 7 - 3) / 3.0;
        body.angular_velocity[1] = 4e-2 * (double)(i % 5 - 2) / 2.0;
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    int moving = 0;
    for (int s = 0; s < UNTIL_REST; ++s, out += SAID) {
        scree_step_report report;
        assert_int_equal(scree_world_step(world, &report), SCREE_OK);
        memcpy(out, scree_world_get_view(world).velocity, 3 * RESTING * sizeof *out);
        out[3 * RESTING] = report.contact_work;
        out[3 * RESTING + 1] = report.certificate.local;
        moving = 0;
        for (int i = 0; i < 3 * RESTING; ++i) moving += out[i] != 0.0;
        print_message("%d workers, step %d: %d parts, %d numbers move, %d sweeps\n", (int)workers,
                      s, (int)report.n_parts, moving, (int)report.solve.iterations);
    }
    scree_world_destroy(world);
    return moving == 0;
}

static void large_parts_come_to_rest(void** state)
{
    (void)state;
    static double one[UNTIL_REST * SAID], many[UNTIL_REST * SAID];
    assert_true(settle(1, one));
    for (int32_t workers = 2; workers <= test_few(3, 2); ++workers) {
        assert_true(settle(workers, many));
        assert_memory_equal(one, many, sizeof one);
    }
}

/* ---- one large set of touches that overlap ----------------------------------------------------
 */

enum { WIDE = 12, HIGH = 6, PRESSED = WIDE * WIDE * HIGH };
#define RADIUS 0.01
#define PRESS 0.02 /* of the diameter, by which neighbours overlap */

/* A world without bodies, with one material, in which things weigh nothing or as usual; and what
 * its spheres are. */
static scree_world* empty_world(int32_t workers, int weighs, const scree_env* env,
                                scree_shape* shape, scree_body_def* body)
{
    scree_world_def def = scree_default_world_def();
    if (!weighs) memset(def.gravity, 0, sizeof def.gravity);
    def.step = 1e-3;
    def.workers = workers;
    scree_world* world = NULL;
    int32_t material;
    scree_material m = {.mu = 0.5};
    assert_int_equal(scree_world_create(env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &m, &material), SCREE_OK);
    *shape = scree_default_shape();
    *body = scree_default_body_def();
    shape->half_size[0] = RADIUS;
    body->mass = 1.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.4 * RADIUS * RADIUS;
    return world;
}

/* A lattice of spheres that overlap all neighbours, after one step: in free space, or falling on a
 * floor at this speed. A set of two elsewhere comes first. */
static void push_lattice(int32_t workers, double speed, double* out)
{
    enum { APART = 2 };
    scree_shape shape;
    scree_body_def body;
    scree_body_id id;
    scree_world* world = empty_world(workers, speed > 0.0, NULL, &shape, &body);
    for (int i = -APART; i < PRESSED; ++i) {
        const int at[3] = {i < 0 ? i - 9 : i % WIDE, i < 0 ? 0 : i / WIDE % WIDE,
                           i < 0 ? 0 : i / WIDE / WIDE};
        for (int k = 0; k < 3; ++k) body.position[k] = 2.0 * RADIUS * (1.0 - PRESS) * at[k];
        body.velocity[2] = -speed;
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    body.position[2] = -RADIUS * (1.0 - PRESS);
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    if (speed > 0.0) {
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    scree_step_report report;
    assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    const double* position = scree_world_get_view(world).position;
    memcpy(out, position + 3 * APART, 3 * PRESSED * sizeof *out);
    print_message("%d workers, %g m/s: %g J\n", (int)workers, speed, report.overlap_work);
    scree_world_destroy(world);
}

/* How deep neighbours on the lattice overlap, m. */
static double deepest(const double* x)
{
    static const int step[3] = {1, WIDE, WIDE * WIDE};
    double most = 0.0;
    for (int i = 0; i < PRESSED; ++i) {
        const int at[3] = {i % WIDE, i / WIDE % WIDE, i / WIDE / WIDE};
        for (int k = 0; k < 3; ++k) {
            if (at[k] + 1 == (k < 2 ? WIDE : HIGH)) continue;
            const double *a = x + 3 * i, *b = x + 3 * (i + step[k]);
            double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
            most = fmax(most, 2.0 * RADIUS - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
    return most;
}

/* Such a set is worked on by all: it comes apart, its centre stays, and it has the same bits. */
static void a_large_set_is_pushed_apart(void** state)
{
    (void)state;
    static double one[3 * PRESSED], many[3 * PRESSED];
    double centre[3] = {0.0, 0.0, 0.0}, size = 2.0 * RADIUS * (1.0 - PRESS);
    const double middle[3] = {0.5 * size * (WIDE - 1), 0.5 * size * (WIDE - 1),
                              0.5 * size * (HIGH - 1)};
    push_lattice(1, 0.0, one);
    double left = deepest(one);
    print_message("overlap of %g m becomes %g m\n", 2.0 * RADIUS * PRESS, left);
    assert_true(left <= 0.05 * 2.0 * RADIUS * PRESS);
    for (int i = 0; i < 3 * PRESSED; ++i) centre[i % 3] += one[i] / PRESSED;
    for (int k = 0; k < 3; ++k) assert_true(fabs(centre[k] - middle[k]) <= 1e-12);
    for (int32_t workers = 2; workers <= 3; ++workers) {
        push_lattice(workers, 0.0, many);
        assert_memory_equal(one, many, sizeof one);
    }
}

/* The same where impacts pay for a part of it, little or much. */
static void a_large_set_pays_alike(void** state)
{
    (void)state;
    static const double speed[] = {1e-1, 1e-2, 1.0};
    static double one[3 * PRESSED], many[3 * PRESSED];
    for (int k = 0; k < test_few(3, 1); ++k) {
        push_lattice(1, speed[k], one);
        push_lattice(3, speed[k], many);
        assert_memory_equal(one, many, sizeof one);
    }
}

/* ---- parts that lose a contact -----------------------------------------------------------------
 */

enum { PILES = 700, IN_PILES = 2 * PILES, FIRST = 256, BETWEEN = 64 };

/* Piles of two spheres at rest, some of which, one where a worker's contacts begin, lose the upper
 * one at once; the impulses of the floor. */
static void lift_some(int32_t workers, double* out)
{
    scree_shape shape;
    scree_body_def body;
    scree_body_id id[IN_PILES], floor;
    scree_world* world = empty_world(workers, 1, NULL, &shape, &body);
    scree_step_report report;
    int lifted = 0;
    for (int i = 0; i < IN_PILES; ++i) {
        body.position[0] = 3.0 * RADIUS * (i / 2);
        body.position[2] = RADIUS * (i % 2 ? 3.0 : 1.0);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id[i]), SCREE_OK);
    }
    body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &floor), SCREE_OK);
    for (int s = 0; s < 4; ++s) assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    assert_int_equal(report.n_contacts, 2 * PILES);
    assert_int_equal(report.solve.iterations, 0); /* nothing asks for an answer any more */
    for (int k = FIRST; k < PILES; k += BETWEEN, ++lifted) {
        const double away[3] = {0.0, 0.0, 20.0}, turns[3] = {0.0, 0.0, 0.0};
        assert_int_equal(scree_world_set_velocity(world, id[2 * k + 1], away, turns), SCREE_OK);
    }
    assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    int32_t kept = 0;
    for (int32_t k = 0; k < world->parts.n; ++k) kept += world->parts.kept[k];
    assert_int_equal(kept, PILES - lifted); /* and of the others nobody thinks that they are new */
    scree_world_view view = scree_world_get_view(world);
    for (int k = 0; k < PILES; ++k) out[k] = 0.0;
    for (int32_t c = 0; c < view.n_contacts; ++c) {
        const int32_t* pair = view.problem->bodies.pair + 2 * c;
        if (pair[1] == IN_PILES) out[pair[0] / 2] = view.impulse[view.problem->first_row[c]];
    }
    scree_world_destroy(world);
}

/* What lies below presses with its own weight then, although nothing else of its part is new. */
static void parts_that_lose_a_contact_are_solved(void** state)
{
    (void)state;
    double weight = 9.81 * 1e-3; /* of 1 kg in a step */
    static double out[PILES];
    for (int32_t workers = test_few(1, 3); workers <= 3; ++workers) {
        lift_some(workers, out);
        for (int k = 0; k < PILES; ++k) {
            double carried = (k >= FIRST && k % BETWEEN == 0 ? 1.0 : 2.0) * weight;
            if (fabs(out[k] - carried) > 0.01 * weight) {
                fail_msg("%d workers: pile %d presses by %g, not %g", (int)workers, k, out[k],
                         carried);
            }
        }
    }
}

/* ---- many bodies -------------------------------------------------------------------------------
 */

enum { SPREAD = 9000 };

/* Spheres on a floor, every other pair of which meets; velocities after two steps. */
static void spread_out(int32_t workers, double* out)
{
    scree_shape shape;
    scree_body_def body;
    scree_body_id id;
    scree_world* world = empty_world(workers, 1, NULL, &shape, &body);
    scree_step_report report;
    for (int i = 0; i < SPREAD; ++i) {
        body.position[0] = 2.0 * RADIUS * (i % 100 + i % 100 / 2);
        body.position[1] = 3.0 * RADIUS * (i / 100);
        body.position[2] = RADIUS;
        body.velocity[0] = i % 4 ? -0.1 : 0.2;
        body.velocity[2] = -0.01 * (i % 7);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    for (int s = 0; s < 2; ++s) assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    assert_true(report.n_contacts > SPREAD && report.n_parts > SPREAD / 2);
    memcpy(out, scree_world_get_view(world).velocity, 3 * SPREAD * sizeof *out);
    scree_world_destroy(world);
}

/* So many that lists by body and by part are made by all workers. */
static void many_bodies_move_alike(void** state)
{
    (void)state;
    static double one[3 * SPREAD], many[3 * SPREAD];
    spread_out(1, one);
    spread_out(3, many);
    assert_memory_equal(one, many, sizeof one);
}

/* ---- threads of the host --------------------------------------------------------------------- */

/* What a host may do with the work that it is given: one number at a time from the last to the
 * first, all at once, or in pieces on threads of its own. */
typedef struct host {
    int how, calls;
    int32_t workers;
} host;

typedef struct piece {
    scri_thread thread;
    scree_range* range;
    void* context;
    int32_t begin, end, worker;
} piece;

static scri_thread_end SCRI_THREAD_CALL work_on(void* argument)
{
    const piece* p = argument;
    p->range(p->context, p->begin, p->end, p->worker);
    return 0;
}

static void lend(void* user, int32_t n, scree_range* range, void* context)
{
    host* h = user;
    piece pieces[4];
    ++h->calls;
    if (h->how == 0) {
        for (int32_t i = n - 1; i >= 0; --i) range(context, i, i + 1, i % h->workers);
        return;
    }
    if (h->how == 1) {
        range(context, 0, n, 0);
        return;
    }
    for (int32_t w = 0; w < h->workers; ++w) {
        pieces[w] = (piece){.range = range,
                            .context = context,
                            .begin = n * w / h->workers,
                            .end = n * (w + 1) / h->workers,
                            .worker = w};
        assert_true(scri_thread_start(&pieces[w].thread, work_on, &pieces[w]));
    }
    for (int32_t w = 0; w < h->workers; ++w) scri_thread_join(pieces[w].thread);
}

static void threads_of_the_host_give_the_same_state(void** state)
{
    (void)state;
    static double one[3 * (SPHERES + 2)], many[3 * (SPHERES + 2)];
    run(1, 0, NULL, one);
    for (int how = test_few(0, 2); how < 3; ++how) {
        host h = {.how = how, .workers = 2 + how % 2};
        scree_env env = {.user = &h, .parallel_for = lend};
        run(h.workers, 0, &env, many);
        assert_true(h.calls > n_steps());
        assert_memory_equal(one, many, sizeof one);
    }
}

/* ---- small sets ---------------------------------------------------------------------------------
 */

enum { COLUMNS = 24, TALL = 25, STACKED = COLUMNS * TALL };

/* Columns of spheres on one floor that overlap each other by PRESS, after one step. */
static void push_columns(int32_t workers, const scree_env* env, double* out)
{
    scree_shape shape;
    scree_body_def body;
    scree_body_id id;
    scree_world* world = empty_world(workers, 0, env, &shape, &body);
    for (int i = 0; i < STACKED; ++i) {
        body.position[0] = 3.0 * RADIUS * (i % COLUMNS);
        body.position[2] = RADIUS * (1.0 - PRESS) * (1 + 2 * (i / COLUMNS));
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    }
    body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    scree_step_report report;
    assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    memcpy(out, scree_world_get_view(world).position, 3 * STACKED * sizeof *out);
    scree_world_destroy(world);
}

/* Sweeps do not end in columns so tall: they are solved, each by one worker, and share the floor
 * but nothing else. */
static void columns_are_pushed_apart(void** state)
{
    (void)state;
    static double one[3 * STACKED], many[3 * STACKED];
    push_columns(1, NULL, one);
    double most = 0.0;
    for (int i = 0; i < STACKED; ++i) {
        double below = i < COLUMNS ? -RADIUS : one[3 * (i - COLUMNS) + 2];
        most = fmax(most, 2.0 * RADIUS - (one[3 * i + 2] - below));
    }
    print_message("overlap of %g m becomes %g m\n", 2.0 * RADIUS * PRESS, most);
    assert_true(most <= 1e-5 * RADIUS);
    for (int32_t workers = 2; workers <= 4; ++workers) {
        push_columns(workers, NULL, many);
        assert_memory_equal(one, many, sizeof one);
    }
    host h = {.how = 2, .workers = 3};
    scree_env env = {.user = &h, .parallel_for = lend};
    push_columns(3, &env, many);
    assert_memory_equal(one, many, sizeof one);
}

/* ---- the team itself ------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 70000 };

typedef struct marks {
    scri_team* team;
    unsigned char done[MOST_NUMBERS];
    int32_t n, grain;
    int bad[4]; /* by worker */
} marks;

static void mark(void* context, int32_t begin, int32_t end, int32_t worker)
{
    marks* m = context;
    if (worker < 0 || worker > 3) abort();
    m->bad[worker] += begin % m->grain != 0 || end <= begin || end > m->n;
    m->bad[worker] += end % m->grain != 0 && end != m->n;
    for (int32_t i = begin; i < end; ++i) m->done[i]++;
}

/* Every number once, for any team, any n and any grain. */
static void all_numbers_are_done_once(void** state)
{
    (void)state;
    for (int how = 0; how < 5; ++how) {
        host h = {.how = how - 2, .workers = 4};
        scree_env env = {.user = &h, .parallel_for = how < 2 ? NULL : lend};
        static marks m;
        m.team = NULL;
        if (how > 0) assert_int_equal(scri_team_create(&env, 4, &m.team), SCREE_OK);
        if (how > 0) scri_team_spread(m.team, 4);
        static const int32_t sizes[] = {0, 1, 3, 4, 5, 999, MOST_NUMBERS};
        static const int32_t grains[] = {1, 2, 7, 1000};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
                memset(m.done, 0, sizeof m.done);
                m.n = sizes[k];
                m.grain = grains[g];
                scri_team_for(m.team, m.n, m.grain, mark, &m);
                for (int w = 0; w < 4; ++w) assert_int_equal(m.bad[w], 0);
                for (int32_t i = 0; i < MOST_NUMBERS; ++i) {
                    if (m.done[i] != (i < m.n)) fail_msg("number %d of %d", (int)i, (int)m.n);
                }
            }
        }
        scri_team_destroy(m.team);
        assert_int_equal(h.calls > 0, how >= 2);
    }
}

/* Stages of which each reads what others have written in the one before. */
typedef struct relay {
    int32_t from[64], to[64];
} relay;

static void pass_on(void* context, int32_t begin, int32_t end, int32_t worker)
{
    relay* r = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) r->to[i] = r->from[(i + 17) % 64] + 1;
}

/* Thousands of short tasks one after the other, past the last number of a round, with pauses in
 * which workers fall asleep, and with more and fewer who take part: a task sees all of the one
 * before. */
static void tasks_follow_each_other(void** state)
{
    (void)state;
    enum { TASKS = 3000 };
    static relay r;
    scri_team* team;
    assert_int_equal(scri_team_create(NULL, 4, &team), SCREE_OK);
    scri_team_spread(team, 4);
    memset(&r, 0, sizeof r);
    for (int32_t t = 0; t < TASKS; ++t) {
        if (t % 350 == 0) scri_team_spread(team, 4 - t / 350 % 3);
        if (t % 100 == 0) scri_team_rouse(team);
        scri_team_for(team, 64, t % 3 ? 4 : 20, pass_on, &r);
        for (int32_t i = 0; i < 64; ++i) {
            assert_int_equal(r.to[i], t + 1);
            r.from[i] = r.to[i];
        }
        for (volatile int k = 0; t % 500 == 0 && k < 300000; ++k) continue;
    }
    scri_team_destroy(team);
    assert_true(scri_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_follow_each_other),
        cmocka_unit_test(all_numbers_are_done_once),
        cmocka_unit_test(any_number_of_workers_gives_the_same_state),
        cmocka_unit_test(large_parts_come_to_rest),
        cmocka_unit_test(a_large_set_is_pushed_apart),
        cmocka_unit_test(a_large_set_pays_alike),
        cmocka_unit_test(parts_that_lose_a_contact_are_solved),
        cmocka_unit_test(many_bodies_move_alike),
        cmocka_unit_test(threads_of_the_host_give_the_same_state),
        cmocka_unit_test(columns_are_pushed_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
