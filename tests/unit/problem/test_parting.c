/* Contacts that can all be opened at once: by hand, and against the search for contradictions,
 * which must find none there. */
#include "base/team.h"
#include "math/vec.h"
#include "problem/parting.h"
#include "support/problems.h"

enum { MOST = 2000 };

/* Contacts of two bodies, or of one with the ground, along normals. */
typedef struct heap {
    sample s;
    double* centre;
} heap;

static heap begin_heap(int32_t n, int32_t n_bodies)
{
    static int rows[MOST], law[MOST];
    for (int c = 0; c < n; ++c) rows[c] = SCREE_ROWS_NTT, law[c] = SCREE_LAW_EXACT;
    heap h = {.s = sample_begin(n, rows, law)};
    sample_add_bodies(&h.s, n_bodies);
    h.centre = sample_take(&h.s, 3 * (size_t)n_bodies, sizeof *h.centre);
    h.s.view.centre = h.centre;
    for (int32_t b = 0; b < n_bodies; ++b) {
        h.s.inv_mass[b] = 1.0;
        for (int i = 0; i < 3; ++i) h.s.inv_inertia[6 * b + i] = 1.0;
    }
    for (int32_t c = 0; c < n; ++c) h.s.coef[3 * c] = 0.5;
    return h;
}

/* Contact c of bodies a and b, -1 for the ground, with a normal of any length from b to a. */
static void touch(heap* h, int32_t c, int32_t a, int32_t b, scri_vec normal)
{
    scri_vec n = scri_vec_scale(1.0 / scri_vec_length(normal), normal), t1, t2;
    scri_vec_tangents(n, &t1, &t2);
    h->s.pair[2 * c] = a;
    h->s.pair[2 * c + 1] = b;
    scri_vec_store(n, h->s.frame + 9 * c);
    scri_vec_store(t1, h->s.frame + 9 * c + 3);
    scri_vec_store(t2, h->s.frame + 9 * c + 6);
}

static int opens(const heap* h)
{
    assert_int_equal(scree_problem_validate(NULL, &h->s.view), SCREE_OK);
    return scri_parting_opens(&h->s.view, NULL);
}

/* Two balls one above the other on the floor, the first named first and last. */
static heap stack(void)
{
    heap h = begin_heap(2, 2);
    h.centre[2] = 1.0;
    h.centre[5] = 3.0;
    touch(&h, 0, 0, -1, (scri_vec){0.0, 0.0, 1.0});
    touch(&h, 1, 0, 1, (scri_vec){0.0, 0.0, -1.0});
    return h;
}

static void a_stack_opens(void** state)
{
    (void)state;
    heap h = stack();
    assert_int_equal(opens(&h), 1);
    touch(&h, 0, -1, 0, (scri_vec){0.0, 0.0, -1.0}); /* the ball is the second of its contact */
    assert_int_equal(opens(&h), 1);
    touch(&h, 0, -1, 0, (scri_vec){0.3, -2.0, -0.1}); /* a steep floor is as good as any */
    assert_int_equal(opens(&h), 1);
    h.s.view.centre = NULL; /* nobody knows */
    assert_int_equal(opens(&h), 0);
    sample_end(&h.s);
}

static void a_ball_between_walls_does_not(void** state)
{
    (void)state;
    heap h = begin_heap(3, 1);
    touch(&h, 0, 0, -1, (scri_vec){0.0, 0.0, 1.0});
    touch(&h, 1, 0, -1, (scri_vec){1.0, 0.0, 0.0});
    touch(&h, 2, 0, -1, (scri_vec){-1.0, 0.0, 0.0});
    assert_int_equal(opens(&h), 0);
    touch(&h, 2, 0, -1, (scri_vec){-1.0, 0.0, 0.5}); /* a funnel, out of which it goes upwards */
    assert_int_equal(opens(&h), 1);
    touch(&h, 1, -1, 0, (scri_vec){-1.0, 0.0, 0.0}); /* the same wall, named first */
    assert_int_equal(opens(&h), 1);
    touch(&h, 2, 0, -1, (scri_vec){-1.0, 0.0, -0.5}); /* under a roof it does not */
    assert_int_equal(opens(&h), 0);
    sample_end(&h.s);
}

/* The upper ball hooks under the lower one: parting centres closes the contact. */
static void a_hook_does_not(void** state)
{
    (void)state;
    heap h = stack();
    touch(&h, 1, 0, 1, (scri_vec){0.0, 0.0, 1.0});
    assert_int_equal(opens(&h), 0);
    touch(&h, 1, 0, 1, (scri_vec){1.0, 0.0, -1e-4}); /* nor what hardly opens it */
    assert_int_equal(opens(&h), 0);
    sample_end(&h.s);
}

static void bodies_in_one_place_do_not(void** state)
{
    (void)state;
    heap h = stack();
    h.centre[5] = h.centre[2];
    assert_int_equal(opens(&h), 0);
    sample_end(&h.s);
}

/* What counts as ground: immovable bodies, and those that are far heavier than others. */
static void heavy_bodies_are_ground(void** state)
{
    (void)state;
    heap h = stack();
    h.s.inv_mass[1] = 1e-5;
    assert_int_equal(opens(&h), 1);
    h.s.inv_mass[1] = 1e-7; /* as good as a roof */
    assert_int_equal(opens(&h), 0);
    h.s.inv_mass[1] = 0.0;
    for (int i = 0; i < 6; ++i) h.s.inv_inertia[6 + i] = 0.0;
    assert_int_equal(opens(&h), 0);
    touch(&h, 0, 0, -1, (scri_vec){0.0, 0.0, -1.0}); /* below both */
    assert_int_equal(opens(&h), 1);
    h.s.inv_mass[0] = 0.0; /* nothing moves, so nothing opens */
    for (int i = 0; i < 6; ++i) h.s.inv_inertia[i] = 0.0;
    touch(&h, 0, 0, 1, (scri_vec){0.0, 0.0, -1.0});
    assert_int_equal(opens(&h), 0);
    sample_end(&h.s);
}

/* Laws that promise more than the normal, and rows that are given as such. */
static void other_contacts_are_not_known(void** state)
{
    (void)state;
    static const double jacobian[36] = {1.0};
    static const int32_t general[2] = {-1, 0};
    heap h = stack();
    h.s.law[1] = SCREE_LAW_CONVEX;
    assert_int_equal(opens(&h), 0);
    h.s.law[1] = SCREE_LAW_EXACT;
    h.s.view.bodies.general = general;
    h.s.view.bodies.jacobian = jacobian;
    assert_int_equal(opens(&h), 0);
    sample_end(&h.s);
}

/* ---- against the search ---- */

static scri_vec draw_vec(scri_random* random, double size)
{
    scri_vec v = {draw_between(random, -size, size), draw_between(random, -size, size),
                  draw_between(random, -size, size)};
    return v;
}

/* Some bodies and contacts between them, most normals along centres, and some ground that mostly
 * looks upwards; all contacts close. */
static heap draw_heap(scri_random* random)
{
    int32_t n_bodies = 1 + draw_below(random, 4), n = 1 + draw_below(random, 12);
    heap h = begin_heap(n, n_bodies);
    double slant = draw_chance(random, 30.0) ? 0.2 : 4.0;
    for (int i = 0; i < 3 * n_bodies; ++i) h.centre[i] = draw_between(random, -1.0, 1.0);
    for (int32_t c = 0; c < n; ++c) {
        int32_t a = draw_below(random, n_bodies), b = draw_below(random, n_bodies);
        scri_vec normal = draw_vec(random, slant);
        if (a == b) {
            normal.z += 1.0;
            touch(&h, c, a, -1, normal);
        } else {
            scri_vec along =
                scri_vec_sub(scri_vec_load(h.centre + 3 * a), scri_vec_load(h.centre + 3 * b));
            touch(&h, c, a, b, scri_vec_add(along, scri_vec_scale(0.5, normal)));
        }
        h.s.q[h.s.row[c]] = -draw_between(random, 0.1, 1.0);
    }
    return h;
}

static void what_opens_does_not_contradict_itself(void** state)
{
    enum { CASES = 4000 };
    int opened = 0, contradicted = 0;
    (void)state;
    scri_random random = test_seed("heaps", 4711);
    for (int k = 0; k < CASES; ++k) {
        heap h = draw_heap(&random);
        scree_infeasibility with, without;
        int is_open = opens(&h);
        assert_int_equal(scree_find_infeasible(NULL, &h.s.view, NULL, NULL, &with), SCREE_OK);
        h.s.view.centre = NULL;
        assert_int_equal(scree_find_infeasible(NULL, &h.s.view, NULL, NULL, &without), SCREE_OK);
        require(!is_open || without.n_contacts == 0, "case %d opens, and contradicts itself", k);
        require(with.n_contacts == without.n_contacts, "case %d: %d contacts, %d with centres", k,
                (int)without.n_contacts, (int)with.n_contacts);
        opened += is_open;
        contradicted += without.n_contacts > 0;
        sample_end(&h.s);
    }
    require(opened > CASES / 20 && contradicted > CASES / 20, "%d open, %d contradict themselves",
            opened, contradicted);
}

/* A tower of many balls, of which one at a time hangs on a hook, is under a roof, or leans on a
 * wall instead of the next ball. */
static void workers_agree(void** state)
{
    enum { WORKERS = 4 };
    scri_team* team;
    (void)state;
    heap h = begin_heap(MOST, MOST);
    for (int32_t c = 0; c < MOST; ++c) {
        h.centre[3 * c + 2] = c;
        touch(&h, c, c, c - 1, (scri_vec){0.0, 0.0, 1.0});
    }
    assert_int_equal(scri_team_create(NULL, WORKERS, &team), SCREE_OK);
    assert_int_equal(scri_parting_opens(&h.s.view, team), 1);
    for (int32_t c = 7; c < MOST; c += 37) {
        touch(&h, c, c, c - 1, (scri_vec){0.0, 0.0, -1.0});
        assert_int_equal(scri_parting_opens(&h.s.view, team), 0);
        touch(&h, c, c, -1, (scri_vec){0.0, 0.0, -1.0});
        assert_int_equal(scri_parting_opens(&h.s.view, team), 0);
        touch(&h, c, c, -1, (scri_vec){1.0, 0.0, 0.1});
        assert_int_equal(scri_parting_opens(&h.s.view, team), 1);
        touch(&h, c, c, c - 1, (scri_vec){0.0, 0.0, 1.0});
    }
    scri_team_destroy(team);
    sample_end(&h.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_opens),
        cmocka_unit_test(a_ball_between_walls_does_not),
        cmocka_unit_test(a_hook_does_not),
        cmocka_unit_test(bodies_in_one_place_do_not),
        cmocka_unit_test(heavy_bodies_are_ground),
        cmocka_unit_test(other_contacts_are_not_known),
        cmocka_unit_test(what_opens_does_not_contradict_itself),
        cmocka_unit_test(workers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
