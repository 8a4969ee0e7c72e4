/* The stages of a step one by one: the work of given forces, turning, which rows a contact gets,
 * what is carried over from the last step, and which touches become contacts. */
#include "laws/foundation.h"
#include "step/step.h"
#include "support/worlds.h"

enum { MANY = 4 };

static scree_world_def weightless(double step)
{
    scree_world_def def = world_def(step, 1e-12);
    set3(def.gravity, 0.0, 0.0, 0.0);
    return def;
}

/* ---- forces and turning ---------------------------------------------------------------------- */

/* Body i is pushed and turned by numbers of its own, turned about axis i % 3 alone. */
static void push_each(void* user, const scree_world_view* view, double* force, double* torque)
{
    (void)user;
    for (int i = 0; i < view->n_bodies; ++i) {
        for (int j = 0; j < 3; ++j) force[3 * i + j] += 1.0 + i - 0.7 * j;
        torque[3 * i + i % 3] += 0.3 + 0.2 * i;
    }
}

/* Boxes with three different moments, spinning about the axis that they are turned about: then
 * their energy changes by the work of the forces, to rounding. */
static void forces_and_torques_do_their_work(void** state)
{
    (void)state;
    scree_world_def def = world_def(0.05, 1e-12);
    set3(def.gravity, 0.4, -0.8, -9.0);
    def.force = push_each;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    double expected = 0.0, spin[MANY] = {0.7, -1.9, 2.3, 0.0};
    for (int i = 0; i < MANY; ++i) {
        scree_shape box = box_of(0.5, 0.8 + 0.1 * i, 1.2);
        scree_body_def body = body_of(&box, 2.0);
        set3(body.position, 10.0 * i, 3.0, 1.0);
        set3(body.velocity, 0.5, -0.2 * i, 0.1);
        body.angular_velocity[i % 3] = spin[i];
        add_body(world, &body, &box);
    }
    double kinetic, potential, v[3 * MANY];
    memcpy(v, scree_world_get_view(world).velocity, sizeof v);
    scri_step_energy(world, &kinetic, &potential);
    scree_step_report report = step_world(world);
    scree_world_view view = scree_world_get_view(world);
    for (int i = 0; i < MANY; ++i) {
        for (int j = 0; j < 3; ++j) {
            double push = 1.0 + i - 0.7 * j, mass = view.mass[i];
            double change = def.step * (def.gravity[j] + push / mass), mean = v[3 * i + j];
            require_near(view.velocity[3 * i + j], mean + change, 1e-14, "velocity");
            expected += def.step * push * (mean + 0.5 * change);
        }
        expected += def.step * (0.3 + 0.2 * i) *
                    (0.5 * spin[i] + 0.5 * view.angular_velocity[3 * i + i % 3]);
    }
    require_near(report.force_work, expected, 1e-12, "work of the forces");
    require_near(report.kinetic + report.potential - kinetic - potential, expected, 1e-10,
                 "change of energy");
    assert_true(report.contact_work == 0.0);
    /* nothing touches, in the first step of a world as in any other */
    assert_int_equal(report.certificate.worst_contact, -1);
    assert_int_equal(report.certificate.local_contact, -1);
    assert_int_equal(report.worst_body, -1);
    scree_world_destroy(world);
}

/* About each axis alone, and about two of them at once. */
static void a_body_turns_by_its_spin(void** state)
{
    (void)state;
    static const double spins[][3] = {{2.0, 0.0, 0.0},  {0.0, 2.0, 0.0}, {0.0, 0.0, 2.0},
                                      {1.2, -1.6, 0.0}, {1.2, 0.0, 1.6}, {0.0, -1.6, 1.2}};
    for (size_t k = 0; k < sizeof spins / sizeof spins[0]; ++k) {
        scree_world* world = world_new(weightless(0.1), (scree_material){.mu = 0.5});
        scree_shape ball = sphere_of(0.5);
        scree_body_def body = body_of(&ball, 1.0);
        memcpy(body.angular_velocity, spins[k], sizeof spins[k]);
        add_body(world, &body, &ball);
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        require_near(view.rotation[0], cos(0.1), 1e-15, "w");
        for (int j = 0; j < 3; ++j) {
            require_near(view.rotation[1 + j], sin(0.1) * spins[k][j] / 2.0, 1e-15, "axis");
            assert_true(view.angular_velocity[j] == spins[k][j]);
        }
        scree_world_destroy(world);
    }
}

/* A body that moves as it was told keeps its velocities, though its inertia says otherwise. */
static void a_kinematic_body_keeps_its_velocities(void** state)
{
    (void)state;
    scree_world* world = world_new(weightless(0.1), (scree_material){.mu = 0.5});
    scree_shape box = box_of(0.2, 0.9, 1.7);
    scree_body_def body = body_of(&box, 1.0);
    const double spin[3] = {1.0, 2.0, -3.0};
    body.kind = SCREE_BODY_KINEMATIC;
    memcpy(body.angular_velocity, spin, sizeof spin);
    set3(body.velocity, -0.5, 0.25, 0.125);
    add_body(world, &body, &box);
    for (int step = 0; step < 5; ++step) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    for (int j = 0; j < 3; ++j) {
        assert_true(view.angular_velocity[j] == spin[j] && view.velocity[j] == body.velocity[j]);
        require_near(view.position[j], 0.5 * body.velocity[j], 1e-15, "position");
    }
    scree_world_destroy(world);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static int32_t add_ball(scree_world* world, double x, double z, double speed_down)
{
    scree_shape ball = sphere_of(0.5);
    scree_body_def body = body_of(&ball, 1.0);
    set3(body.position, x, 0.0, z);
    set3(body.velocity, 0.3, -0.4, -speed_down);
    set3(body.angular_velocity, 0.5, 0.25, 0.75);
    return add_body(world, &body, &ball);
}

static void contacts_get_the_fewest_rows(void** state)
{
    (void)state;
    static const struct {
        double mu, mu_r, mu_s;
        int rows;
    } cases[] = {
        {0.0, 0.0, 0.0, SCREE_ROWS_N},     {0.5, 0.0, 0.0, SCREE_ROWS_NTT},
        {0.5, 0.0, 0.1, SCREE_ROWS_NTTS},  {0.0, 0.0, 0.1, SCREE_ROWS_NTTS},
        {0.5, 0.1, 0.0, SCREE_ROWS_NTTRR}, {0.5, 0.1, 0.1, SCREE_ROWS_NTTRRS},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        scree_material material = {.mu = cases[k].mu, .mu_r = cases[k].mu_r, .mu_s = cases[k].mu_s};
        scree_world* world = world_new(world_def(1e-2, 1e-10), material);
        add_floor(world, 0.0);
        add_ball(world, 0.0, 0.5, 1.0);
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        assert_int_equal(view.n_contacts, 1);
        require(view.problem->rows[0] == cases[k].rows, "case %d: rows %d", (int)k,
                view.problem->rows[0]);
        assert_true(view.problem->coef[0] == cases[k].mu && view.problem->coef[1] == cases[k].mu_r);
        assert_true(view.problem->coef[2] == cases[k].mu_s);
        scree_world_destroy(world);
    }
}

/* Three balls on the floor with friction in all channels, after one step. */
static scree_world* three_balls(void)
{
    scree_material material = {.mu = 0.4, .mu_r = 0.02, .mu_s = 0.03};
    scree_world* world = world_new(world_def(1e-2, 1e-10), material);
    add_floor(world, 0.0);
    for (int i = 0; i < 3; ++i) add_ball(world, 3.0 * i, 0.5, 1.0 + i);
    step_world(world);
    assert_int_equal(world->contacts.n, 3);
    return world;
}

static void find_contacts_again(scree_world* world)
{
    const scri_touch* touches;
    scri_step_forces(world);
    scri_step_free_velocity(world);
    assert_int_equal(scri_step_find_contacts(world, &touches), SCREE_OK);
}

/* Force and moment on side A in world axes from p and frame of contact c with all six rows. */
static void wrench_of(const scri_contacts_table* t, int32_t c, double out[6])
{
    const double *p = t->p + t->first_row[c], *f = t->frame + 9 * (size_t)c;
    for (int j = 0; j < 3; ++j) {
        out[j] = f[j] * p[0] + f[3 + j] * p[1] + f[6 + j] * p[2];
        out[3 + j] = f[3 + j] * p[3] + f[6 + j] * p[4] + f[j] * p[5];
    }
}

/* Turns the tangents of contact c by an angle and writes its impulse in them; or lets its sides
 * change places, which turns the normal round and the wrench on side A too. */
static void rewrite(scri_contacts_table* t, int32_t c, double angle, int exchange)
{
    double *p = t->p + t->first_row[c], *f = t->frame + 9 * (size_t)c;
    double co = cos(angle), si = sin(angle), old[6], frame[9];
    memcpy(old, p, sizeof old);
    memcpy(frame, f, sizeof frame);
    for (int j = 0; j < 3; ++j) {
        f[3 + j] = co * frame[3 + j] + si * frame[6 + j];
        f[6 + j] = co * frame[6 + j] - si * frame[3 + j];
    }
    for (int k = 1; k < 5; k += 2) {
        p[k] = co * old[k] + si * old[k + 1];
        p[k + 1] = co * old[k + 1] - si * old[k];
    }
    if (!exchange) return;
    for (int j = 0; j < 3; ++j) f[j] = -f[j], f[6 + j] = -f[6 + j];
    p[1] = -p[1], p[3] = -p[3];
}

/* Whatever frame the last step has used, its impulse is the same in the world. */
static void impulses_are_carried_in_world_axes(void** state)
{
    (void)state;
    for (int exchange = 0; exchange < 2; ++exchange) {
        scree_world* world = three_balls();
        double expected[3][6], found[6];
        for (int c = 0; c < 3; ++c) {
            wrench_of(&world->contacts, c, expected[c]);
            for (int i = 0; i < 6; ++i) {
                require(fabs(expected[c][i]) > 1e-6, "contact %d: nothing in row %d", c, i);
            }
            rewrite(&world->contacts, c, 0.7 + c, exchange);
        }
        find_contacts_again(world);
        assert_int_equal(world->contacts.n, 3);
        for (int c = 0; c < 3; ++c) {
            wrench_of(&world->contacts, c, found);
            for (int i = 0; i < 6; ++i) require_near(found[i], expected[c][i], 1e-13, "wrench");
        }
        scree_world_destroy(world);
    }
}

/* The second of three balls leaves and comes back: the impulses of the others stay theirs. */
static void impulses_are_carried_past_others(void** state)
{
    (void)state;
    scree_world* world = three_balls();
    double before[3][6], after[6];
    for (int c = 0; c < 3; ++c) wrench_of(&world->contacts, c, before[c]);
    world->bodies.position[3 * 2 + 2] += 1.0;
    find_contacts_again(world);
    assert_int_equal(world->contacts.n, 2);
    for (int c = 0; c < 2; ++c) {
        wrench_of(&world->contacts, c, after);
        for (int i = 0; i < 6; ++i) require_near(after[i], before[2 * c][i], 1e-13, "remaining");
    }
    world->bodies.position[3 * 2 + 2] -= 1.0;
    find_contacts_again(world);
    assert_int_equal(world->contacts.n, 3);
    for (int c = 0; c < 3; ++c) {
        wrench_of(&world->contacts, c, after);
        for (int i = 0; i < 6; ++i) {
            require_near(after[i], c == 1 ? 0.0 : before[c][i], 1e-13, "all three again");
        }
    }
    scree_world_destroy(world);
}

/* With three rows per contact, what belongs to one stays out of the next, which begins with
 * nothing. */
static void impulses_keep_to_their_rows(void** state)
{
    (void)state;
    scree_world* world = world_new(world_def(1e-2, 1e-10), (scree_material){.mu = 0.4});
    add_floor(world, 0.0);
    for (int i = 0; i < 3; ++i) add_ball(world, 3.0 * i, i == 1 ? 1.5 : 0.5, 1.0);
    step_world(world);
    assert_int_equal(world->contacts.n, 2);
    double before[6];
    memcpy(before, world->contacts.p, sizeof before);
    world->bodies.position[3 * 2 + 2] = 0.5;
    find_contacts_again(world);
    assert_int_equal(world->contacts.n, 3);
    const double* p = world->contacts.p;
    for (int i = 0; i < 3; ++i) {
        assert_true(p[i] != 0.0 && fabs(p[i] - before[i]) <= 1e-13);
        assert_true(p[3 + i] == 0.0 && fabs(p[6 + i] - before[3 + i]) <= 1e-13);
    }
    scree_world_destroy(world);
}

/* A ball that only turns is slowed down by friction: its energy goes where the work says. */
static void spin_counts_in_the_work_of_contacts(void** state)
{
    (void)state;
    scree_world* world = world_new(world_def(1e-2, 1e-12), (scree_material){.mu = 0.4});
    add_floor(world, 0.0);
    scree_shape ball = sphere_of(0.5);
    scree_body_def body = body_of(&ball, 1.0);
    body.position[2] = 0.5;
    set3(body.angular_velocity, 3.0, -4.0, 1.0);
    add_body(world, &body, &ball);
    double kinetic, potential;
    scri_step_energy(world, &kinetic, &potential);
    for (int step = 0; step < 3; ++step) {
        scree_step_report report = step_world(world);
        double change = report.kinetic + report.potential - kinetic - potential;
        require(change < -1e-3, "step %d: change of energy %g", step, change);
        require_near(report.contact_work, change, 1e-12, "work of the contact");
        kinetic = report.kinetic;
        potential = report.potential;
    }
    scree_world_destroy(world);
}

/* A channel that the last step did not have begins with nothing, and one that is gone is left. */
static void impulses_of_other_channels_are_left(void** state)
{
    (void)state;
    scree_world* world = three_balls();
    double before[6];
    wrench_of(&world->contacts, 1, before);
    scree_material other = {.mu = 0.4, .mu_s = 0.03};
    assert_int_equal(scree_world_set_pair(world, 0, 0, &other), SCREE_OK);
    find_contacts_again(world);
    const scri_contacts_table* t = &world->contacts;
    assert_int_equal(t->rows[1], SCREE_ROWS_NTTS);
    const double *p = t->p + t->first_row[1], *f = t->frame + 9;
    for (int j = 0; j < 3; ++j) {
        double force = f[j] * p[0] + f[3 + j] * p[1] + f[6 + j] * p[2];
        require_near(force, before[j], 1e-13, "force");
    }
    require_near(p[3], dot3(before + 3, f), 1e-13, "spin");
    other.mu_r = 0.01;
    assert_int_equal(scree_world_set_pair(world, 0, 0, &other), SCREE_OK);
    find_contacts_again(world);
    p = t->p + t->first_row[1];
    assert_int_equal(t->rows[1], SCREE_ROWS_NTTRRS);
    assert_true(p[3] == 0.0 && p[4] == 0.0 && p[0] > 0.0);
    require_near(p[5], dot3(before + 3, t->frame + 9), 1e-13, "spin");
    scree_world_destroy(world);
}

/* ---- choice of contacts ---------------------------------------------------------------------- */

/* Every ball reaches as far as a point of it moves, but at least half as far as the fastest or a
 * quarter of its radius. */
static void the_reach_follows_each_body(void** state)
{
    (void)state;
    for (int gap = 0; gap < 2; ++gap) {
        scree_world_def def = weightless(0.1);
        def.scheme = gap ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        add_ball(world, 0.0, 3.0, 0.0);
        add_ball(world, 5.0, 3.0, 1.2); /* |v| = 1.3 */
        add_ball(world, 9.0, 3.0, 0.0);
        scri_step_forces(world);
        scri_step_free_velocity(world);
        const double *reach = world->shapes.reach, time = gap ? 0.2 : 0.1;
        double margin;
        assert_int_equal(scri_select_reach(world, &margin), SCREE_OK);
        require_near(margin, 0.0, 0.0, "margin");
        const double turn = 0.5 * sqrt(0.5 * 0.5 + 0.25 * 0.25 + 0.75 * 0.75), fastest = 1.3 + turn;
        require_near(reach[1], time * fastest, 1e-15, "reach of the fastest");
        double struck = fmin(0.5 * time * fastest, 0.25 * 0.5);
        require_near(reach[0], fmax(time * (0.5 + turn), struck), 1e-15, "reach of another");
        require_near(reach[2], reach[0], 1e-15, "reach of the third");
        world->def.margin = 0.01;
        assert_int_equal(scri_select_reach(world, &margin), SCREE_OK);
        require_near(margin, gap ? 0.01 : 0.0, 0.0, "margin given");
        require_near(reach[1], gap ? 0.0 : 0.1 * fastest, 1e-15, "reach with a margin");
        scree_world_destroy(world);
    }
}

/* Balls in a row along x, moving along x; gaps between neighbours. Body 0 is far from them. */
static scree_world* row_of_balls(int n, const double* gap, const double* velocity)
{
    scree_world_def def = weightless(0.1);
    def.scheme = SCREE_SCHEME_GAP;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    double x = 2.0;
    add_ball(world, -60.0, 0.0, 0.0);
    for (int i = 0; i < n; ++i) {
        scree_shape ball = sphere_of(0.5);
        scree_body_def body = body_of(&ball, 1.0);
        set3(body.position, x, 0.1, -0.2);
        set3(body.velocity, velocity[i], 0.0, 0.0);
        add_body(world, &body, &ball);
        x += 1.0 + gap[i];
    }
    return world;
}

/* Which touches the gap scheme chooses, as bits. */
static int chosen_of(int n, const double* gap, const double* velocity)
{
    scree_world* world = row_of_balls(n, gap, velocity);
    const scri_touch* touches;
    int bits = 0;
    scri_step_forces(world);
    scri_step_free_velocity(world);
    assert_int_equal(scri_step_find_contacts(world, &touches), SCREE_OK);
    for (int32_t c = 0; c < world->contacts.n; ++c) bits |= 1 << (world->contacts.shape[2 * c] - 1);
    scree_world_destroy(world);
    return bits;
}

/* A step of 0.1 at speed 2 closes 0.2; half of what is left of the push goes on to the next. */
static void touches_are_chosen_where_they_can_close(void** state)
{
    (void)state;
    const double one[] = {2.0, 0.0, 0.0, 0.0}, both[] = {2.0, -1.0, 0.0, 0.0};
    const double below[] = {0.199, 0.0}, above[] = {0.201, 0.0};
    assert_int_equal(chosen_of(2, below, one), 1);
    assert_int_equal(chosen_of(2, above, one), 0);
    const double below_both[] = {0.299, 0.0}, above_both[] = {0.301, 0.0};
    assert_int_equal(chosen_of(2, below_both, both), 1);
    assert_int_equal(chosen_of(2, above_both, both), 0);
    /* closing at 1: the middle ball may be given 0.5, which closes 0.05 */
    const double near[] = {0.1, 0.049, 0.0}, far[] = {0.1, 0.051, 0.0};
    assert_int_equal(chosen_of(3, near, one), 3);
    assert_int_equal(chosen_of(3, far, one), 1);
}

/* Balls at rest that were left out: one that is then driven into its neighbour by more than a
 * thousandth of its radius is missed. */
static void touches_that_close_are_missed(void** state)
{
    (void)state;
    static const double gap[] = {0.1, 0.1, 0.0, 0.0}, at_rest[] = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < 8; ++k) {
        int overlaps = k & 1, all = k >> 1 & 1, later = k >> 2 & 1; /* which pair: 0-1 or 1-2 */
        scree_world* world = row_of_balls(3, gap, at_rest);
        const scri_touch* touches;
        add_ball(world, 40.0, 0.0, 1.2); /* far away, for the reach */
        scri_step_forces(world);
        scri_step_free_velocity(world);
        assert_int_equal(scri_step_find_contacts(world, &touches), SCREE_OK);
        assert_int_equal(world->contacts.n, 0);
        assert_int_equal(world->touch_state.n, 2);
        /* the point lies half a gap outside of the ball: an arm of 0.55 */
        double overlap = 0.55e-3 * (overlaps ? 1.01 : 0.99);
        world->bodies.next[8 * (1 + 2 * later)] = (later ? -1.0 : 1.0) * (0.1 + overlap) / 0.1;
        int32_t missed;
        assert_int_equal(scri_select_missed(world, touches, all ? 3 : 1, &missed), SCREE_OK);
        assert_int_equal(missed, !overlaps ? 0 : all ? 2 : 1);
        if (overlaps) {
            assert_int_equal(world->touch_state.chosen[later], 1);
            assert_int_equal(world->touch_state.chosen[1 - later], all);
        }
        scree_world_destroy(world);
    }
}

/* ---- ground ---------------------------------------------------------------------------------- */

/* A cylinder that lies on ground of springs, beside another one: its coefficient follows the weight
 * at first and then the impulse of the last step between the same two shapes. */
static void ground_resists_by_load_and_speed(void** state)
{
    (void)state;
    scree_material material = {
        .mu = 0.5, .mu_r = 1e-6, .ground = {.stiffness = 1e7, .damping = 2e5, .mass = 300.0}};
    scree_world* world = world_new(world_def(1e-2, 1e-10), material);
    add_floor(world, 0.0);
    const double spin[2] = {3.0, 1.0};
    for (int i = 0; i < 2; ++i) {
        scree_shape shape = scree_default_shape();
        shape.kind = SCREE_SHAPE_CYLINDER;
        shape.half_size[0] = 0.2, shape.half_size[1] = 0.3 + 0.1 * i;
        shape.category = 2; /* cylinders do not collide with each other */
        shape.collides = ~shape.category;
        scree_body_def body = body_of(&shape, 500.0 * (1 + i));
        set3(body.position, 2.0 * i, 0.0, 0.2);
        body.rotation[0] = body.rotation[1] = sqrt(0.5); /* the axis along -y */
        set3(body.velocity, 0.2 * spin[i], 0.0, -1.0);
        set3(body.angular_velocity, 0.0, spin[i], 0.0);
        add_body(world, &body, &shape);
    }
    for (int step = 0; step < 3; ++step) {
        double speed[2], force[2] = {0.0, 0.0};
        for (int i = 0; i < 2; ++i) {
            scree_world_view view = scree_world_get_view(world);
            speed[i] = 0.2 * view.angular_velocity[3 * (i + 1) + 1];
            if (step == 0) force[i] = 9.81 * view.mass[i + 1];
        }
        for (int32_t c = 0; step > 0 && c < world->contacts.n; ++c) {
            force[world->contacts.shape[2 * c] - 1] +=
                world->contacts.p[world->contacts.first_row[c]] / 1e-2;
        }
        step_world(world);
        require(world->contacts.n >= 4, "%d contacts", (int)world->contacts.n);
        for (int32_t c = 0; c < world->contacts.n; ++c) {
            int i = world->contacts.shape[2 * c] - 1;
            scri_ground ground = {1e7, 2e5, 300.0, 0.2, SCRI_GROUND_CONSISTENT};
            double load = force[i] / (0.6 + 0.2 * i);
            require(load > 0.0 && load < scri_ground_most_load(&ground), "load %g", load);
            double expected = scri_ground_rolling(&ground, load, speed[i]);
            require(expected > 1e-5, "step %d: coefficient %g", step, expected);
            require_near(world->contacts.coef[3 * c + 1], expected, 1e-9 * expected, "mu_r");
        }
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_torques_do_their_work),
        cmocka_unit_test(a_body_turns_by_its_spin),
        cmocka_unit_test(a_kinematic_body_keeps_its_velocities),
        cmocka_unit_test(contacts_get_the_fewest_rows),
        cmocka_unit_test(impulses_are_carried_in_world_axes),
        cmocka_unit_test(impulses_are_carried_past_others),
        cmocka_unit_test(impulses_keep_to_their_rows),
        cmocka_unit_test(spin_counts_in_the_work_of_contacts),
        cmocka_unit_test(impulses_of_other_channels_are_left),
        cmocka_unit_test(the_reach_follows_each_body),
        cmocka_unit_test(touches_are_chosen_where_they_can_close),
        cmocka_unit_test(touches_that_close_are_missed),
        cmocka_unit_test(ground_resists_by_load_and_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
