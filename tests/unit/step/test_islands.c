/* Parts of a scene: each is solved and brought to rest by itself, and one that has come to rest
 * notices whatever changes. */
#include "support/worlds.h"

static const scree_scheme schemes[] = {SCREE_SCHEME_IMPULSE, SCREE_SCHEME_GAP};

static scree_world* new_world(scree_scheme scheme, double h, double mu)
{
    scree_world_def def = world_def(h, 1e-3);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    return world_new(def, (scree_material){.mu = mu});
}

static int32_t put_box(scree_world* world, double half, double x, double y, double z, double yaw)
{
    scree_shape shape = box_of(half, half, half);
    scree_body_def body = body_of(&shape, 1000.0);
    set3(body.position, x, y, z);
    body.rotation[0] = cos(0.5 * yaw);
    body.rotation[3] = sin(0.5 * yaw);
    return add_body(world, &body, &shape);
}

static int32_t put_ball(scree_world* world, double x, double y, double speed)
{
    scree_shape shape = sphere_of(0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    set3(body.position, x, y, 0.1);
    set3(body.velocity, speed, 0.0, 0.0);
    return add_body(world, &body, &shape);
}

static int all_rest(const scree_world* world, int32_t from, int32_t to)
{
    scree_world_view view = scree_world_get_view(world);
    int rest = 1;
    for (int32_t i = from; i < to; ++i) rest &= is_at_rest(&view, i);
    return rest;
}

/* ---- pyramids -------------------------------------------------------------------------------- */

/* Boxes of 1 m that touch their neighbours: nothing moves, in the first step or later. */
static void a_pyramid_stands(void** state)
{
    (void)state;
    test_needs_sparse();
    enum { ROWS = 10, BOXES = ROWS * (ROWS + 1) / 2, STEPS = 30 };
    for (int k = 0; k < 2; ++k) {
        scree_world* world = new_world(schemes[k], 1.0 / 60.0, 0.6);
        double from[3 * (BOXES + 1)], work = 0.0;
        add_floor(world, 0.0);
        for (int i = 0; i < ROWS; ++i) {
            for (int j = i; j < ROWS; ++j) put_box(world, 0.5, j - 0.5 * i, 0.0, i + 0.5, 0.0);
        }
        memcpy(from, scree_world_get_view(world).position, sizeof from);
        for (int n = 0; n < STEPS; ++n) {
            scree_step_report report = step_world(world);
            scree_world_view view = scree_world_get_view(world);
            require(report.certificate.local <= 1e-3, "residual %g", report.certificate.local);
            require(report.n_parts == 1, "%d parts", (int)report.n_parts);
            work += report.contact_work;
            require(work <= 1e-9, "step %d: contacts have added %g J", n, work);
            for (int i = 0; i < 3 * (BOXES + 1); ++i) {
                require_near(view.position[i], from[i], 1e-4, "place");
            }
            require(n < 3 || all_rest(world, 1, BOXES + 1), "step %d: it moves", n);
        }
        scree_world_destroy(world);
    }
}

/* Boxes a little above each other settle, with gaps and overlaps of rounding and more between their
 * corners, and rest exactly within a second: the gap scheme has to close its gaps first, and in the
 * impulse scheme overlap stays that nothing pays for. */
static void a_stack_settles_exactly(void** state)
{
    (void)state;
    enum { BOXES = 6, SECOND = 200 };
    for (int k = 0; k < 2; ++k) {
        scree_world* world = new_world(schemes[k], 1.0 / SECOND, 0.5);
        add_floor(world, 0.0);
        for (int i = 0; i < BOXES; ++i) {
            put_box(world, 0.1, 0.003 * (i % 2), 0.0, 0.1005 + 0.2001 * i, 0.1 * i);
        }
        for (int n = 0; n < 2 * SECOND; ++n) {
            step_world(world);
            require(n < SECOND || all_rest(world, 1, BOXES + 1), "scheme %d: step %d moves", k, n);
        }
        scree_world_destroy(world);
    }
}

/* ---- parts that have nothing to do with each other --------------------------------------------
 */

enum { HIGH = 4, IN_STACKS = 2 * HIGH };

/* Two stacks of turned boxes, a little apart, that have to come to rest; the ball, which comes
 * last, rolls away. */
static scree_world* two_stacks(scree_scheme scheme, int with_ball)
{
    scree_world* world = new_world(scheme, 2e-3, 0.5);
    add_floor(world, 0.0);
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < HIGH; ++i) {
            put_box(world, 0.1, 3.0 * s, 0.0, 0.1 + 0.2001 * i + 0.0005, 0.1 * i + 0.3 * s);
        }
    }
    if (with_ball) put_ball(world, 0.0, 5.0, 1.0);
    return world;
}

static void a_ball_far_away_changes_no_bit(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scree_world *with = two_stacks(schemes[k], 1), *without = two_stacks(schemes[k], 0);
        int32_t n = 1 + IN_STACKS;
        for (int i = 0; i < 250; ++i) {
            scree_step_report one = step_world(with), two = step_world(without);
            scree_world_view a = scree_world_get_view(with), b = scree_world_get_view(without);
            require(one.n_parts <= 3 && one.n_parts >= two.n_parts, "%d parts", (int)one.n_parts);
            assert_memory_equal(a.position, b.position, 3 * (size_t)n * sizeof *a.position);
            assert_memory_equal(a.rotation, b.rotation, 4 * (size_t)n * sizeof *a.rotation);
            assert_memory_equal(a.velocity, b.velocity, 3 * (size_t)n * sizeof *a.velocity);
        }
        scree_world_view view = scree_world_get_view(with);
        require(all_rest(with, 1, n), "the stacks move");
        require(!is_at_rest(&view, n) && view.position[3 * n] > 0.3, "the ball does not move");
        scree_world_destroy(with);
        scree_world_destroy(without);
    }
}

/* Jaws close on a ball, and no impulses keep them apart: that is said, and the stacks beside it are
 * those that stand alone. */
static void a_part_without_solution_spoils_no_other(void** state)
{
    (void)state;
    scree_world* with = two_stacks(SCREE_SCHEME_IMPULSE, 1);
    scree_world* without = two_stacks(SCREE_SCHEME_IMPULSE, 1);
    int impossible = 0;
    scree_shape shape = sphere_of(0.1), wall = box_of(0.1, 0.5, 0.5);
    scree_body_def ball = body_of(&shape, 1000.0), jaw = scree_default_body_def();
    set3(ball.position, 0.0, 9.0, 3.0);
    add_body(with, &ball, &shape);
    jaw.kind = SCREE_BODY_KINEMATIC;
    for (int side = -1; side <= 1; side += 2) {
        set3(jaw.position, 0.2 * side, 9.0, 3.0);
        set3(jaw.velocity, -0.001 * side, 0.0, 0.0);
        add_body(with, &jaw, &wall);
    }
    for (int i = 0; i < 50; ++i) {
        scree_step_report report = step_any(with);
        step_world(without);
        impossible += report.solve.outcome == SCREE_OUTCOME_INFEASIBLE;
        assert_memory_equal(scree_world_get_view(with).position,
                            scree_world_get_view(without).position,
                            3 * (2 + IN_STACKS) * sizeof(double));
    }
    require(impossible == 50, "%d steps were called impossible", impossible);
    scree_world_destroy(with);
    scree_world_destroy(without);
}

/* Balls on a floor are parts of their own until a plank lies on them; what moves fastest is not in
 * the part that is named for another. */
static void parts_are_counted_through_bodies_that_respond(void** state)
{
    (void)state;
    enum { BALLS = 5 };
    scree_world* world = new_world(SCREE_SCHEME_IMPULSE, 1e-3, 0.5);
    scree_shape shape = box_of(1.0, 0.1, 0.05);
    scree_body_def plank = body_of(&shape, 1000.0);
    add_floor(world, 0.0);
    for (int i = 0; i < BALLS; ++i) put_ball(world, 0.4 * (i - 2), 0.0, 0.0);
    scree_step_report report = step_world(world);
    require(report.n_parts == BALLS, "%d parts", (int)report.n_parts);
    set3(plank.position, 0.0, 0.0, 0.25);
    add_body(world, &plank, &shape);
    report = step_world(world);
    require(report.n_parts == 1, "%d parts below a plank", (int)report.n_parts);
    require(report.worst_body == -1 || report.worst_body == 1, "body %d", (int)report.worst_body);
    scree_world_destroy(world);
}

static void nothing_touches_in_the_air(void** state)
{
    (void)state;
    scree_world* world = new_world(SCREE_SCHEME_IMPULSE, 1e-3, 0.5);
    add_floor(world, 0.0);
    put_box(world, 0.1, 0.0, 0.0, 1.0, 0.0);
    scree_step_report report = step_world(world);
    require(report.n_parts == 0 && report.worst_body == -1, "%d parts", (int)report.n_parts);
    scree_world_destroy(world);
}

/* ---- what rests wakes up ----------------------------------------------------------------------
 */

/* A block that rests on a slope by friction, until `disturb` does something to it. */
static double moved_after(void (*disturb)(scree_world* world))
{
    scree_world* world = new_world(SCREE_SCHEME_IMPULSE, 1e-3, 0.5);
    scree_shape shape = box_of(0.2, 0.2, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    double tilt = 0.2, from[3];
    add_floor(world, tilt);
    set3(body.position, 0.1 * sin(tilt), 0.0, 0.1 * cos(tilt));
    turn_about_y(body.rotation, tilt);
    add_body(world, &body, &shape);
    for (int i = 0; i < 20; ++i) step_world(world);
    require(all_rest(world, 1, 2), "it does not rest");
    memcpy(from, scree_world_get_view(world).position + 3, sizeof from);
    for (int i = 0; i < 20; ++i) step_world(world);
    assert_memory_equal(from, scree_world_get_view(world).position + 3, sizeof from);
    if (disturb) disturb(world);
    for (int i = 0; i < 50; ++i) step_world(world);
    double moved = 0.0;
    for (int i = 0; i < 3; ++i) {
        moved += fabs(scree_world_get_view(world).position[3 + i] - from[i]);
    }
    scree_world_destroy(world);
    return moved;
}

static void push(scree_world* world)
{
    scree_body_id id = {2, 0};
    const double velocity[3] = {0.0, 0.5, 0.0}, none[3] = {0.0, 0.0, 0.0};
    assert_int_equal(scree_world_set_velocity(world, id, velocity, none), SCREE_OK);
}

static void grease(scree_world* world)
{
    scree_material pair = {.mu = 0.05};
    assert_int_equal(scree_world_set_pair(world, 0, 0, &pair), SCREE_OK);
}

static void hit(scree_world* world)
{
    scree_shape shape = box_of(0.1, 0.1, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    double tilt = 0.2, back = 0.31; /* up the slope, from where it slides into the block */
    set3(body.position, 0.1 * sin(tilt) - back * cos(tilt), 0.0,
         0.1 * cos(tilt) + back * sin(tilt));
    set3(body.velocity, 3.0 * cos(tilt), 0.0, -3.0 * sin(tilt));
    turn_about_y(body.rotation, tilt);
    add_body(world, &body, &shape);
}

static void what_rests_wakes_up(void** state)
{
    (void)state;
    require(moved_after(NULL) == 0.0, "it moves by itself");
    require(moved_after(push) > 1e-3, "a push does not move it");
    require(moved_after(grease) > 1e-4, "it rests without friction");
    require(moved_after(hit) > 1e-4, "it does not feel what hits it");
}

/* A box that has lost what lay on it carries its own weight alone, and is not thrown up. */
static void what_is_taken_away_is_noticed(void** state)
{
    (void)state;
    scree_world* world = new_world(SCREE_SCHEME_IMPULSE, 1e-3, 0.5);
    add_floor(world, 0.0);
    put_box(world, 0.1, 0.0, 0.0, 0.1, 0.0);
    int32_t upper = put_box(world, 0.1, 0.0, 0.0, 0.3, 0.2);
    for (int i = 0; i < 10; ++i) step_world(world);
    assert_int_equal(scree_world_remove_body(world, scree_world_body_at(world, upper)), SCREE_OK);
    for (int i = 0; i < 10; ++i) {
        double carried = 0.0;
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        for (int32_t c = 0; c < view.n_contacts; ++c) {
            carried += view.impulse[view.problem->first_row[c]];
        }
        require_near(carried, view.mass[1] * 9.81 * 1e-3, 1e-9, "weight");
        require(is_at_rest(&view, 1), "it moves");
    }
    scree_world_destroy(world);
}

/* A state that is loaded has been solved by nobody yet. */
static void a_loaded_state_is_looked_at_afresh(void** state)
{
    (void)state;
    scree_world *one = two_stacks(SCREE_SCHEME_IMPULSE, 1), *two = NULL;
    for (int i = 0; i < 100; ++i) step_world(one);
    size_t size = scree_world_state_size(one);
    void* saved = malloc(size);
    scree_world_save(one, saved);
    two = two_stacks(SCREE_SCHEME_IMPULSE, 1);
    for (int i = 0; i < 7; ++i) step_world(two);
    assert_int_equal(scree_world_load(two, saved, size), SCREE_OK);
    for (int i = 0; i < 20; ++i) {
        scree_step_report a = step_world(one), b = step_world(two);
        assert_memory_equal(&a.certificate.local, &b.certificate.local, sizeof a.certificate.local);
        assert_memory_equal(scree_world_get_view(one).position, scree_world_get_view(two).position,
                            3 * (2 + IN_STACKS) * sizeof(double));
    }
    free(saved);
    scree_world_destroy(one);
    scree_world_destroy(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pyramid_stands),
        cmocka_unit_test(a_stack_settles_exactly),
        cmocka_unit_test(a_ball_far_away_changes_no_bit),
        cmocka_unit_test(a_part_without_solution_spoils_no_other),
        cmocka_unit_test(parts_are_counted_through_bodies_that_respond),
        cmocka_unit_test(nothing_touches_in_the_air),
        cmocka_unit_test(what_rests_wakes_up),
        cmocka_unit_test(what_is_taken_away_is_noticed),
        cmocka_unit_test(a_loaded_state_is_looked_at_afresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
