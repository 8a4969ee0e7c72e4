/* Proofs that there is no solution, judged and found: true ones with the bound by hand, false ones
 * that look as good, in all forms. */
#include "base/bump.h"
#include "problem/infeasible.h"
#include "support/problems.h"

#include <float.h>

enum { MOST_CONTACTS = 13000 };

/* ---- what is judged ---- */

typedef struct scaled {
    scri_operator op;
    scri_scaling scaling;
    void* memory;
} scaled;

static scaled scale(const scree_problem* problem)
{
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    scri_scaling_create(problem, &bump);
    scaled out = {.memory = test_take(bump.used, 1)};
    bump = (scri_bump){out.memory, 0};
    out.op = scri_operator_create(problem, &bump);
    out.scaling = scri_scaling_create(problem, &bump);
    scri_scaling_compute(&out.op, &out.scaling);
    return out;
}

static scree_infeasibility judged(const scree_problem* problem, const double* give)
{
    scree_infeasibility out;
    scaled s = scale(problem);
    assert_int_equal(scri_infeasible_verify(NULL, problem, &s.scaling, give, &out), SCREE_OK);
    free(s.memory);
    return out;
}

/* Contacts of one row in the bodies form, of bodies with unit masses and moments. */
static sample begin_rows(int32_t n, int32_t n_bodies)
{
    static int rows[MOST_CONTACTS], law[MOST_CONTACTS];
    for (int c = 0; c < n; ++c) rows[c] = SCREE_ROWS_N, law[c] = SCREE_LAW_EXACT;
    sample s = sample_begin(n, rows, law);
    sample_add_bodies(&s, n_bodies);
    for (int32_t b = 0; b < n_bodies; ++b) {
        s.inv_mass[b] = 1.0;
        for (int i = 0; i < 3; ++i) s.inv_inertia[6 * b + i] = 1.0;
    }
    return s;
}

/* Contact c pushes body a along the normal and b back; its frame begins with sign * axes. */
static void set_contact(sample* s, int c, int32_t a, int32_t b, const double axes[9], double sign)
{
    s->pair[2 * c] = a;
    s->pair[2 * c + 1] = b;
    for (int i = 0; i < 9; ++i) s->frame[9 * c + i] = (i < 6 ? sign : 1.0) * axes[i];
}

static void make_immovable(sample* s, int32_t body, double inverse)
{
    s->inv_mass[body] = inverse;
    for (int i = 0; i < 3; ++i) s->inv_inertia[6 * body + i] = inverse;
}

/* give = W_cc d, for contacts of one row. */
static void give_of(const sample* s, const double* d, double* give)
{
    scri_arena* arena = scri_arena_create(NULL);
    dense w = dense_w(arena, &s->view, NULL);
    for (int32_t i = 0; i < w.n; ++i) give[i] = (double)(*dense_at(&w, i, i) * (real)d[i]);
    scri_arena_destroy(arena);
}

static void require_verdict(const sample* s, const double* d, int n_contacts, const char* what)
{
    double give[48];
    scree_problem_store store;
    give_of(s, d, give);
    scree_infeasibility out = judged(&s->view, give);
    require(out.n_contacts == n_contacts, "%s: %d contacts, bound %g", what, (int)out.n_contacts,
            out.bound);
    require((out.bound >= SCRI_PROOF) == (n_contacts > 0), "%s: bound %g", what, out.bound);
    for (int32_t i = 0; i < scree_problem_n_rows(&s->view); ++i) give[i] *= 1024.0;
    scree_infeasibility more = judged(&s->view, give); /* how much is given does not matter */
    require(more.bound == out.bound && more.n_contacts == out.n_contacts, "%s: more", what);
    require(more.approach == 1024.0 * out.approach, "%s: approach %g", what, more.approach);
    if (n_contacts == 0) return;
    assert_int_equal(scree_problem_reduce(NULL, &s->view, &store), SCREE_OK);
    scree_infeasibility whole = judged(&store.problem, give); /* no bodies: W alone */
    require(whole.n_contacts == n_contacts, "%s: assembled %d", what, (int)whole.n_contacts);
    scree_problem_store_release(&store);
}

static const double plain_axes[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* ---- true ---- */

/* Two bodies in a row between walls that close: ground, A of mass 1, B of mass 4, ground. With the
 * scales S = sqrt(W_cc) and W d = 0 exactly, the bound is -q d / (eps sum |d| S sqrt(sum (q/S)^2)),
 * in whatever units. */
static void a_bound_by_hand(void** state)
{
    (void)state;
    static const double weight[3] = {1.0, 1.25, 0.25}, d[3] = {1.0, 1.0, 1.0};
    for (int units = 0; units < 4; ++units) {
        double mass = units & 1 ? 0x1p-30 : 1.0, speed = units & 2 ? 0x1p20 : 1.0, give[3];
        sample s = begin_rows(3, 2);
        s.inv_mass[0] = 1.0 / mass;
        s.inv_mass[1] = 0.25 / mass;
        set_contact(&s, 0, 0, -1, plain_axes, 1.0);
        set_contact(&s, 1, 1, 0, plain_axes, 1.0);
        set_contact(&s, 2, 1, -1, plain_axes, -1.0);
        double q[3] = {0.5, -3.0, 1.0}, sum = 0.0, square = 0.0;
        for (int i = 0; i < 3; ++i) {
            s.q[i] = speed * q[i];
            sum += sqrt(weight[i]);
            square += q[i] * q[i] / weight[i];
        }
        give_of(&s, d, give);
        scree_infeasibility out = judged(&s.view, give);
        double bound = 1.5 / (DBL_EPSILON * sum * sqrt(square));
        require(fabs(out.bound - bound) <= 1e-12 * bound, "%g, not %g", out.bound, bound);
        assert_int_equal(out.n_contacts, 3);
        assert_true(out.approach == 1.25 / mass);
        require_verdict(&s, d, 3, "walls");
        s.q[1] = speed * -1.5; /* q d = 0: they just close */
        require_verdict(&s, d, 0, "walls that just meet");
        s.q[1] = 0.0;
        require_verdict(&s, d, 0, "walls that part");
        const double wrong[3] = {1.0, 1.0, 0.9}, pull[3] = {-1.0, -1.0, -1.0};
        s.q[1] = speed * -3.0;
        require_verdict(&s, wrong, 0, "not balanced");
        for (int i = 0; i < 3; ++i) s.q[i] = -s.q[i];
        require_verdict(&s, pull, 0, "contacts that would pull");
        sample_end(&s);
    }
}

/* What a proof claims must hold of all that is given: here one contact more would have to pull. */
static void no_proof_with_a_contact_that_pulls(void** state)
{
    (void)state;
    sample s = begin_rows(3, 2);
    set_contact(&s, 0, 0, -1, plain_axes, 1.0);
    set_contact(&s, 1, 0, -1, plain_axes, -1.0);
    set_contact(&s, 2, 1, -1, plain_axes, 1.0);
    for (int i = 0; i < 3; ++i) s.q[i] = -1.0;
    const double none[3] = {1.0, 1.0, 0.0}, pull[3] = {1.0, 1.0, -0.25};
    require_verdict(&s, none, 2, "two walls");
    require_verdict(&s, pull, 0, "two walls and a contact that pulls");
    sample_end(&s);
}

/* Rows of forces and moments on a body beside others: three that hold each other but for rounding,
 * and the same with a moment that is left. */
static void general_rows_are_balanced(void** state)
{
    (void)state;
    static const int32_t row_of[3] = {0, 1, 2};
    for (int turned = 0; turned < 2; ++turned) {
        double rows[36] = {0.0}, moment[3] = {0.1, 0.2, turned ? -0.29 : -0.3}, give[3];
        sample s = begin_rows(3, 4);
        for (int c = 0; c < 3; ++c) {
            double force = c < 2 ? 1.0 : -2.0;
            set_contact(&s, c, 2, -1, plain_axes, 1.0);
            rows[12 * c] = force;
            rows[12 * c + 5] = moment[c];
            give[c] = force * force + moment[c] * moment[c];
            s.q[c] = -1.0;
        }
        s.view.bodies.general = row_of;
        s.view.bodies.jacobian = rows;
        scree_infeasibility out = judged(&s.view, give);
        require(out.n_contacts == (turned ? 0 : 3), "moment %g: %d contacts", moment[2],
                (int)out.n_contacts);
        sample_end(&s);
    }
}

/* A contact whose share is below rounding is not named; one in another place does not count. */
static void only_who_contradicts_is_named(void** state)
{
    (void)state;
    sample s = begin_rows(5, 3);
    set_contact(&s, 0, 0, -1, plain_axes, 1.0);
    set_contact(&s, 1, 0, -1, plain_axes, -1.0);
    set_contact(&s, 2, 1, -1, plain_axes, 1.0);
    set_contact(&s, 3, 1, -1, plain_axes, -1.0);
    set_contact(&s, 4, 2, -1, plain_axes, 1.0);
    for (int i = 0; i < 5; ++i) s.q[i] = -1.0;
    const double one[5] = {1.0, 1.0, 0.0, 0.0, 0.0}, both[5] = {1.0, 1.0, 0.5, 0.5, 0.0};
    const double slight[5] = {1.0, 1.0, 1e-12, 1e-12, 0.0};
    require_verdict(&s, one, 2, "one pair");
    require_verdict(&s, both, 4, "two pairs");
    require_verdict(&s, slight, 2, "one pair and next to nothing");
    sample_end(&s);
}

/* ---- false ---- */

/* A light body between the ground and one so heavy that W does not show its motion: it would give
 * way all the same. Only where it cannot move is that a proof. */
static void heavy_bodies_give_way(void** state)
{
    (void)state;
    scri_random random = test_seed("heavy bodies", 601);
    const double d[2] = {1.0, 1.0};
    for (int n = 0; n < 60; ++n) {
        double axes[9];
        int side = n % 2;
        draw_frame(&random, axes);
        if (n < 6) { /* along each axis alone */
            for (int i = 0; i < 9; ++i) axes[i] = plain_axes[(i + 3 * (n / 2)) % 9];
        }
        sample s = begin_rows(2, 2);
        set_contact(&s, 0, 0, -1, axes, 1.0);
        set_contact(&s, 1, side ? 0 : 1, side ? 1 : 0, axes, side ? -1.0 : 1.0);
        s.q[1] = -1.0;
        make_immovable(&s, 1, 1e-20);
        require_verdict(&s, d, 0, "a heavy body");
        make_immovable(&s, 1, 0.0);
        require_verdict(&s, d, 2, "an immovable body");
        sample_end(&s);
    }
}

/* Two light bodies push a heavy one to and fro at a distance: no force, but a moment unless the
 * forces are in line. */
static void heavy_bodies_turn(void** state)
{
    (void)state;
    scri_random random = test_seed("heavy bodies turn", 602);
    const double d[4] = {1.0, 1.0, 1.0, 1.0};
    for (int n = 0; n < 60; ++n) {
        double axes[9];
        int side = n % 2, in_line = n / 2 % 3, place = side ? 3 : 0;
        draw_frame(&random, axes);
        if (n < 18) {
            for (int i = 0; i < 9; ++i) axes[i] = plain_axes[(i + 3 * (n / 6)) % 9];
        }
        sample s = begin_rows(4, 3);
        for (int k = 0; k < 2; ++k) {
            double sign = k ? -1.0 : 1.0;
            set_contact(&s, 2 * k, k, -1, axes, sign);
            set_contact(&s, 2 * k + 1, side ? k : 2, side ? 2 : k, axes, side ? -sign : sign);
            for (int i = 0; i < 3; ++i) { /* along the normal, or along a tangent */
                s.arm[6 * (2 * k + 1) + place + i] = sign * 0.7 * axes[3 * in_line + i];
            }
            s.q[2 * k] = -0.5;
        }
        make_immovable(&s, 2, 1e-20);
        require_verdict(&s, d, in_line == 0 ? 4 : 0, "a heavy body that turns");
        make_immovable(&s, 2, 0.0);
        require_verdict(&s, d, 4, "one that cannot");
        sample_end(&s);
    }
}

/* Forces on a lever balance to rounding, which is measured by their arms, on either side. */
static void levers(void** state)
{
    (void)state;
    scri_random random = test_seed("levers", 603);
    const double d[4] = {2.0, 3.0, 1.0, 0.0}, off[4] = {2.0, 3.0 + 1e-8, 1.0 + 1e-8, 0.0};
    for (int n = 0; n < 60; ++n) {
        double axes[9], near = draw_between(&random, 0.1, 1.0), x = draw_between(&random, 0.1, 1.0);
        double place[3] = {near, near + x, near + 3.0 * x}; /* 2 x = 1 (2 x) */
        int side = n % 2, along = n / 2 % 3;
        for (int i = 0; i < 9; ++i) axes[i] = plain_axes[(i + 3 * (along + 1)) % 9];
        sample s = begin_rows(4, 2);
        set_contact(&s, 3, 1, -1, axes, 1.0); /* of another body */
        for (int c = 0; c < 3; ++c) {
            set_contact(&s, c, side ? -1 : 0, side ? 0 : -1, axes, c == 1 ? -1.0 : 1.0);
            s.arm[6 * c + 3 * side + along] = place[c];
            s.q[c] = -1.0;
        }
        require_verdict(&s, d, 3, "a lever");
        require_verdict(&s, off, 0, "a lever that turns");
        sample_end(&s);
    }
}

/* d W = 0 is what counts, not W d = 0; and compliance gives way. */
static void operators_without_symmetry(void** state)
{
    (void)state;
    const int rows[2] = {SCREE_ROWS_N, SCREE_ROWS_N};
    static const int32_t start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    static const int64_t offset[] = {0, 1, 2, 3, 4};
    static const double w[] = {2.0, -1.0, -4.0, 2.0}, left[2] = {2.0, 1.0}, right[2] = {1.0, 2.0};
    static const int laws[] = {SCREE_LAW_HALF_LINE, SCREE_LAW_BILATERAL, SCREE_LAW_EXACT};
    for (int k = 0; k < 3; ++k) {
        const int law[2] = {laws[k], laws[k]};
        sample s = sample_begin(2, rows, law);
        s.view.w = (scree_bsr){start, column, offset, w};
        double give[2] = {2.0 * left[0], 2.0 * left[1]}, found[2];
        s.q[0] = s.q[1] = -1.0;
        assert_int_equal(judged(&s.view, give).n_contacts, 2);
        give[0] = 2.0 * right[0], give[1] = 2.0 * right[1];
        assert_int_equal(judged(&s.view, give).n_contacts, 0);
        static const double compliance[2] = {0.0, 1e-3};
        s.view.compliance = compliance;
        give[0] = 2.0 * left[0], give[1] = 2.001 * left[1];
        assert_int_equal(judged(&s.view, give).n_contacts, 0);
        scree_infeasibility out = {.n_contacts = 7};
        assert_int_equal(scree_find_infeasible(NULL, &s.view, NULL, found, &out), SCREE_OK);
        assert_int_equal(out.n_contacts, 0);
        assert_true(found[0] == 0.0 && found[1] == 0.0);
        sample_end(&s);
    }
}

/* ---- found ---- */

/* A body between walls that close, and a long row of others before it that are slow to come to
 * rest: too slow for the search over all, which must not keep those from being looked at alone. */
static void a_contradiction_is_found_beside_a_crowd(void** state)
{
    (void)state;
    enum { ROW = 600 };
    sample s = begin_rows(ROW + 2, ROW + 1);
    set_contact(&s, 0, 0, -1, plain_axes, 1.0);
    set_contact(&s, 1, 0, -1, plain_axes, -1.0);
    s.q[0] = s.q[1] = -1.0;
    for (int c = 2; c < ROW + 2; ++c) {
        set_contact(&s, c, c - 1, c - 2, plain_axes, 1.0);
        s.q[c] = -1e-3;
    }
    scree_problem_store store;
    assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
    for (int assembled = 0; assembled < 2; ++assembled) {
        const scree_problem* problem = assembled ? &store.problem : &s.view;
        scaled in = scale(problem);
        scri_search search = {.least = 1e-6, .iterations = 5, .y = problem->q};
        static double give[ROW + 2];
        scree_infeasibility out;
        assert_int_equal(scri_infeasible_find(NULL, problem, &in.scaling, &search, give, &out),
                         SCREE_OK);
        require(out.n_contacts == 2 && fabs(give[0] - 1.0) <= 1e-9 && fabs(give[1] - 1.0) <= 1e-9,
                "form %d: %d contacts, (%g, %g)", assembled, (int)out.n_contacts, give[0], give[1]);
        for (int i = 2; i < ROW + 2; ++i) assert_true(give[i] == 0.0);
        free(in.memory);
    }
    scree_problem_store_release(&store);
    sample_end(&s);
}

/* The last of thousands, which workers look through. */
static void workers_find_a_contradiction(void** state)
{
    (void)state;
    enum { N = MOST_CONTACTS };
    static double give[N];
    sample s = begin_rows(N, N - 1);
    for (int c = 0; c < N; ++c) {
        set_contact(&s, c, c < N - 1 ? c : N - 2, -1, plain_axes, c < N - 1 ? 1.0 : -1.0);
        s.q[c] = c < N - 2 ? 0.1 : -1.0;
    }
    for (int32_t workers = 1; workers <= 3; ++workers) {
        scri_team* team = NULL;
        if (workers > 1) assert_int_equal(scri_team_create(NULL, workers, &team), SCREE_OK);
        if (team) scri_team_spread(team, workers);
        scaled in = scale(&s.view);
        scri_operator_share(&in.op, team);
        scri_search search = {.least = 1e-6, .iterations = 5, .y = s.q, .op = &in.op};
        scree_infeasibility out;
        assert_int_equal(scri_infeasible_find(NULL, &s.view, &in.scaling, &search, give, &out),
                         SCREE_OK);
        assert_int_equal(out.n_contacts, 2);
        for (int c = 0; c < N; ++c) {
            require(fabs(give[c] - (c < N - 2 ? 0.0 : 1.0)) <= 1e-9, "contact %d: %g", c, give[c]);
        }
        free(in.memory);
        scri_team_destroy(team);
    }
    sample_end(&s);
}

/* The walls once more, with the bodies' velocities as unknowns, one each: as the factored form
 * states them, and as it is reduced. */
static void factored_problems_are_reduced_first(void** state)
{
    (void)state;
    const int rows[3] = {SCREE_ROWS_N, SCREE_ROWS_N, SCREE_ROWS_N}, law[3] = {0, 0, 0};
    for (int closing = 0; closing < 2; ++closing) {
        sample s = sample_begin(3, rows, law);
        dense mass = dense_zero(s.arena, 2, 2), h = dense_zero(s.arena, 2, 3);
        *dense_at(&mass, 0, 0) = 1, *dense_at(&mass, 1, 1) = 4;
        *dense_at(&h, 0, 0) = 1, *dense_at(&h, 0, 1) = -1;
        *dense_at(&h, 1, 1) = 1, *dense_at(&h, 1, 2) = -1;
        sample_add_factors(&s, &mass, &h);
        s.force[0] = 3.0, s.force[1] = -5.0; /* whatever the bodies do before */
        s.q[1] = closing ? -3.0 : 3.0;
        scree_problem_store store;
        test_host host;
        scree_env env = test_env(&host);
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        double give[3], same[3], p[3] = {1.0, 2.0, 3.0};
        for (int from = 0; from < 2; ++from) {
            scree_infeasibility out, reduced;
            assert_int_equal(scree_find_infeasible(&env, &s.view, from ? p : NULL, give, &out),
                             SCREE_OK);
            assert_int_equal(host.n_held, 0);
            assert_int_equal(
                scree_find_infeasible(NULL, &store.problem, from ? p : NULL, same, &reduced),
                SCREE_OK);
            assert_int_equal(out.n_contacts, closing ? 3 : 0);
            assert_true(out.bound == reduced.bound && out.approach == reduced.approach);
            assert_memory_equal(give, same, sizeof give);
            for (int i = 0; i < 3 && closing; ++i) { /* d = (1, 1, 1) times a factor */
                double d = give[i] / (i == 0 ? 1.0 : i == 1 ? 1.25 : 0.25);
                require(fabs(d - 1.2) <= 1e-9, "row %d: %.12g", i, d);
            }
        }
        scree_problem_store_release(&store);
        sample_end(&s);
    }
    scree_infeasibility out;
    sample none = sample_begin(0, NULL, NULL);
    assert_int_equal(scree_find_infeasible(NULL, &none.view, NULL, NULL, &out), SCREE_OK);
    assert_int_equal(out.n_contacts, 0);
    assert_int_equal(scree_find_infeasible(NULL, NULL, NULL, NULL, &out), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_find_infeasible(NULL, &none.view, NULL, NULL, NULL),
                     SCREE_ERROR_ARGUMENT);
    sample_end(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_by_hand),
        cmocka_unit_test(no_proof_with_a_contact_that_pulls),
        cmocka_unit_test(general_rows_are_balanced),
        cmocka_unit_test(only_who_contradicts_is_named),
        cmocka_unit_test(heavy_bodies_give_way),
        cmocka_unit_test(heavy_bodies_turn),
        cmocka_unit_test(levers),
        cmocka_unit_test(operators_without_symmetry),
        cmocka_unit_test(a_contradiction_is_found_beside_a_crowd),
        cmocka_unit_test(workers_find_a_contradiction),
        cmocka_unit_test(factored_problems_are_reduced_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
