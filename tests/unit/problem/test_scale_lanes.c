/* Scales of contacts in lanes and one at a time: the same bits. */
#include "problem/scale_lanes.h"
#include "problem/scaling.h"
#include "support/mixtures.h"

static const int lanes[] = {2, 4, 8};
enum { WIDTHS = sizeof lanes / sizeof *lanes };

/* A problem, and what one contact after the other gives. */
typedef struct case_of {
    const scree_problem* problem;
    scri_operator op;
    double* diagonal; /* [n_rows] */
    scri_scaling scaling, other;
    void* room;
} case_of;

static case_of scale_alone(const scree_problem* problem)
{
    case_of k = {.problem = problem};
    scri_bump count = {NULL, 0}, bump = {NULL, 0};
    scri_operator_create(problem, &count);
    scri_scaling_create(problem, &count);
    scri_scaling_create(problem, &count);
    bump.memory = k.room = test_take(count.used, 1);
    k.op = scri_operator_create(problem, &bump);
    k.scaling = scri_scaling_create(problem, &bump);
    k.other = scri_scaling_create(problem, &bump);
    k.diagonal = zeros_of(problem);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_operator_diagonal(&k.op, c, k.diagonal + problem->first_row[c]);
    }
    scri_scaling_from_diagonal(problem, k.diagonal, &k.scaling);
    return k;
}

static void end_case(case_of* k)
{
    free(k->room);
    free(k->diagonal);
}

static void require_same(const double* found, const double* expected, int32_t n, const char* what,
                         int32_t c, int width)
{
    for (int32_t i = 0; i < n; ++i) {
        require(memcmp(&found[i], &expected[i], sizeof *found) == 0,
                "%s from contact %d on in %d lanes: number %d is %.17g for %.17g", what, (int)c,
                width, (int)i, found[i], expected[i]);
    }
}

/* What `work` does, piece by piece; what it leaves out is put right. Returns how many it took. */
static int64_t go_through(const case_of* k, scri_scale_work* work, const double* rows,
                          const double* coef, int width, const char* what)
{
    const scree_problem* problem = k->problem;
    scri_scale_list list = {problem, k->scaling.unit, k->other.scale, k->other.coef};
    int64_t taken = 0;
    for (int32_t c = 0; c < problem->n_contacts;) {
        int32_t n = work(&list, c, problem->n_contacts - c), row = problem->first_row[c];
        require_same(list.scale + row, rows + row, problem->first_row[c + n] - row, what, c, width);
        if (coef) require_same(list.coef + 3 * c, coef + 3 * c, 3 * n, "coefficients", c, width);
        taken += n;
        c += n > 0 ? n : 1;
    }
    return taken;
}

static int64_t compare(const case_of* k)
{
    int32_t n_rows = scree_problem_n_rows(k->problem);
    int64_t taken = 0;
    for (int w = 0; w < WIDTHS; ++w) {
        scri_scale_lanes of = scri_scale_lanes_of(lanes[w]);
        if (!of.scales) continue;
        memset(k->other.scale, 0xff, (size_t)n_rows * sizeof(double));
        taken += go_through(k, of.diagonals, k->diagonal, NULL, lanes[w], "diagonals");
        memcpy(k->other.scale, k->diagonal, (size_t)n_rows * sizeof(double));
        taken += go_through(k, of.scales, k->scaling.scale, k->scaling.coef, lanes[w], "scales");
    }
    return taken;
}

/* All of it as it is asked for. */
static void compare_whole(const case_of* k)
{
    scri_scaling other = k->other;
    scri_scaling_compute(&k->op, &other);
    require_same(&other.unit, &k->scaling.unit, 1, "unit", 0, 0);
    require_same(&other.speed, &k->scaling.speed, 1, "speed", 0, 0);
    require_same(other.scale, k->scaling.scale, scree_problem_n_rows(k->problem), "scales", 0, 0);
    require_same(other.coef, k->scaling.coef, 3 * k->problem->n_contacts, "coefficients", 0, 0);
}

/* Most bodies become round; some do not move, or do not turn, or are too light. */
static void make_round(scri_random* random, sample* s)
{
    for (int32_t b = 1; b < MIXED_BODIES; ++b) {
        int kind = draw_below(random, 30);
        double *j = s->inv_inertia + 6 * b, turns = kind == 0 ? 0.0 : 5.0 * s->inv_mass[b];
        if (kind == 1) s->inv_mass[b] = 0.0; /* and its inertia means nothing */
        if (kind == 2) s->inv_mass[b] = 1e308;
        if (kind == 3) continue;
        for (int i = 0; i < 6; ++i) j[i] = i < 3 ? turns : 0.0;
    }
}

static void scales_have_the_bits_of_one(void** state)
{
    (void)state;
    scri_random random = test_seed("scales in lanes", 84);
    static double jacobian[12 * 6 * MIXED_CONTACTS];
    int32_t general[MIXED_CONTACTS];
    int64_t taken = 0;
    for (int i = 0; i < 100; ++i) {
        sample s = draw_mixture(&random, general, jacobian);
        vary(&random, &s);
        if (i % 4) make_round(&random, &s);
        case_of k = scale_alone(&s.view);
        taken += compare(&k);
        compare_whole(&k);
        end_case(&k);
        sample_end(&s);
    }
    print_message("%lld contacts in lanes\n", (long long)taken);
    assert_true(taken > 10000);
}

static void workers_keep_bits(void** state)
{
    (void)state;
    scri_random random = test_seed("scales by three workers", 86);
    scri_team* team = NULL;
    assert_int_equal(scri_team_create(NULL, 3, &team), SCREE_OK);
    scri_team_spread(team, 3);
    for (int i = 0; i < 20; ++i) {
        sphere_pile pile =
            pyramid_of(8, 7, SCREE_LAW_EXACT, i % 2 ? SCREE_ROWS_NTT : SCREE_ROWS_NTTRRS, 0.4);
        sample s = sample_pile(&pile, &random);
        case_of k = scale_alone(&s.view);
        scri_operator_share(&k.op, team);
        assert_non_null(k.op.team);
        compare_whole(&k);
        end_case(&k);
        sample_end(&s);
    }
    scri_team_destroy(team);
}

static void yielding_contacts_are_left_out(void** state)
{
    (void)state;
    scri_random random = test_seed("yielding beside lanes", 85);
    sphere_pile pile = pyramid_of(6, 5, SCREE_LAW_EXACT, SCREE_ROWS_NTTRRS, 0.4);
    sample s = sample_pile(&pile, &random);
    double* compliance = zeros_of(&s.view);
    for (int32_t i = 0; i < scree_problem_n_rows(&s.view); i += 5) compliance[i] = 0.5;
    s.view.compliance = compliance;
    case_of k = scale_alone(&s.view);
    compare_whole(&k);
    end_case(&k);
    free(compliance);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scales_have_the_bits_of_one),
                                       cmocka_unit_test(workers_keep_bits),
                                       cmocka_unit_test(yielding_contacts_are_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
