/* One contact of two round bodies under the convex law, by the kernel that sweeps take: impulses in
 * the cone, velocities in its dual, at right angles to each other. */
#include "solvers/round_kernel.h"
#include "support/solving.h"

enum { CASES = 4000, UPDATES = 4000 };

typedef struct contact_case {
    scri_round_contact c;
    scri_round_body bodies[2];
    int rolls;
} contact_case;

/* Two spheres, or one on a wall: radii and masses of any size, unless they are alike, when sliding
 * is not coupled to rolling. */
static contact_case draw_case(scri_random* random, int is_alike)
{
    contact_case out = {.rolls = scri_random_uniform(random) < 0.8};
    scri_round_contact* c = &out.c;
    double radius[2], turn = draw_between(random, 0.0, 6.28);
    int is_wall = !is_alike && scri_random_uniform(random) < 0.4;
    for (int k = 0; k < 2; ++k) {
        scri_round_body* body = &out.bodies[k];
        double mass = is_alike ? 1.0 : exp(draw_between(random, -2.0, 2.0));
        radius[k] = is_alike ? 0.5 : exp(draw_between(random, -1.0, 1.0));
        body->inv_mass = k && is_wall ? 0.0 : 1.0 / mass;
        body->inv_inertia = body->inv_mass / (0.4 * radius[k] * radius[k]);
        for (int i = 0; i < 3 && body->inv_mass > 0.0; ++i) {
            body->velocity[i] = draw_between(random, -1.0, 1.0);
            body->omega[i] = draw_between(random, -1.0, 1.0);
        }
    }
    c->b[0] = 1;
    c->n.z = 1.0;
    c->t1.x = cos(turn);
    c->t1.y = sin(turn);
    c->arm_a = -radius[0];
    c->arm_b = is_wall ? 0.0 : radius[1];
    scri_round_side a = scri_round_gather(&out.bodies[0]), b = scri_round_gather(&out.bodies[1]);
    scri_round_invert(&a, &b, c);
    for (int i = 0; i < (out.rolls ? 3 : 1); ++i) {
        int is_none = scri_random_uniform(random) < 0.1;
        c->mu[i] = is_none ? 0.0 : exp(draw_between(random, -4.0, 1.0));
    }
    return out;
}

static void velocity_of(const contact_case* k, double y[6])
{
    scri_round_side a = scri_round_gather(&k->bodies[0]), b = scri_round_gather(&k->bodies[1]);
    memset(y, 0, 6 * sizeof *y);
    scri_round_velocity(&k->c, &a, &b, scri_round_cross(k->c.n, k->c.t1), k->rolls, y);
}

/* How far impulses and velocities are from the law. */
static double error_of(const contact_case* k)
{
    const scri_round_contact* c = &k->c;
    double y[6], power = 0.0, dual, worst = fmax(-c->p[0], 0.0);
    velocity_of(k, y);
    const double impulse[3] = {hypot(c->p[1], c->p[2]), hypot(c->p[3], c->p[4]), fabs(c->p[5])};
    const double speed[3] = {hypot(y[1], y[2]), hypot(y[3], y[4]), fabs(y[5])};
    dual = y[0];
    for (int i = 0; i < 3; ++i) {
        worst = fmax(worst, impulse[i] - c->mu[i] * c->p[0]);
        dual -= c->mu[i] * speed[i];
    }
    for (int i = 0; i < 6; ++i) power += c->p[i] * y[i];
    worst = fmax(worst, fmax(-dual, fabs(power)));
    return isfinite(dual + power) ? worst : SCREE_INFINITY;
}

/* Of the motion, which is what an update of the contact makes less. */
static double energy_of(const contact_case* k)
{
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        const scri_round_body* body = &k->bodies[i];
        for (int j = 0; j < 3 && body->inv_mass > 0.0; ++j) {
            sum += 0.5 * body->velocity[j] * body->velocity[j] / body->inv_mass;
            sum += 0.5 * body->omega[j] * body->omega[j] / body->inv_inertia;
        }
    }
    return sum;
}

static void update(contact_case* k)
{
    scri_round_size size = {0.0, 0.0};
    scri_round_update(&k->c, NULL, k->rolls, 1, k->bodies, &size);
}

/* Whether sliding and rolling are coupled and both slip in the end: then an update is one step of
 * many. */
static int is_slow(const contact_case* start)
{
    contact_case k = *start;
    const scri_round_contact* c = &k.c;
    scri_round_side a = scri_round_gather(&k.bodies[0]), b = scri_round_gather(&k.bodies[1]);
    int is_coupled = scri_round_w_block_of(c, &a, &b).w_tr * c->mu[0] * c->mu[1] != 0.0;
    for (int i = 0; i < UPDATES && error_of(&k) > 1e-11; ++i) update(&k);
    double slide = hypot(c->p[1], c->p[2]), roll = hypot(c->p[3], c->p[4]);
    return k.rolls && is_coupled && c->p[0] > 0.0 && slide > c->mu[0] * c->p[0] * (1.0 - 1e-9) &&
           roll > c->mu[1] * c->p[0] * (1.0 - 1e-9);
}

static void one_update_is_exact(void** state)
{
    (void)state;
    scri_random random = test_seed("convex contact", 81);
    int lifted = 0, pressed = 0, slow = 0, n = test_cases(CASES, 50 * CASES);
    for (int i = 0; i < n; ++i) {
        contact_case k = draw_case(&random, i % 2);
        update(&k);
        pressed += k.c.p[0] > 0.0;
        lifted += k.c.p[0] == 0.0;
        if (is_slow(&k)) {
            slow++;
            continue;
        }
        double error = error_of(&k);
        require(error < 1e-11, "case %d: off by %g", i, error);
    }
    print_message("%d pressed, %d apart, %d slow\n", pressed, lifted, slow);
    assert_true(pressed > n / 10 && lifted > n / 10 && slow > n / 100);
}

/* The energy falls with every update, and the last one is a solution. */
static void updates_end_at_the_law(void** state)
{
    (void)state;
    scri_random random = test_seed("convex contact again", 82);
    for (int i = 0; i < test_cases(CASES / 4, 10 * CASES); ++i) {
        contact_case k = draw_case(&random, 0);
        double before = energy_of(&k), most = before;
        for (int j = 0; j < UPDATES && (j == 0 || error_of(&k) > 1e-10); ++j) {
            update(&k);
            double energy = energy_of(&k);
            require(energy <= before + 1e-13 * most, "case %d, update %d: %g J more", i, j,
                    energy - before);
            before = energy;
        }
        require(error_of(&k) <= 1e-10, "case %d: off by %g", i, error_of(&k));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_update_is_exact),
        cmocka_unit_test(updates_end_at_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
