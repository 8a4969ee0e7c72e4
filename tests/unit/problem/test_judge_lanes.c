/* Contacts through the natural map in lanes and one at a time: the same bits. */
#include "problem/judge_lanes.h"
#include "problem/natural_map.h"
#include "support/mixtures.h"

static const int lanes[] = {2, 4, 8};
enum { WIDTHS = sizeof lanes / sizeof *lanes };

/* A problem, its scales and where it is judged. */
typedef struct case_of {
    const scree_problem* problem;
    scri_operator op;
    scri_scaling scaling;
    double *p, *y, *found;
    void* room;
} case_of;

static case_of judge_at(const scree_problem* problem, double* p)
{
    case_of k = {.problem = problem, .p = p};
    scri_bump count = {NULL, 0}, bump = {NULL, 0};
    scri_operator_create(problem, &count);
    scri_scaling_create(problem, &count);
    bump.memory = k.room = malloc(count.used);
    k.op = scri_operator_create(problem, &bump);
    k.scaling = scri_scaling_create(problem, &bump);
    scri_scaling_compute(&k.op, &k.scaling);
    k.y = zeros_of(problem);
    k.found = zeros_of(problem);
    scri_operator_apply(&k.op, p, k.y);
    return k;
}

static void end_case(case_of* k)
{
    free(k->room);
    free(k->y);
    free(k->found);
}

/* Contact c alone, which no lanes take. */
static scri_natural_map judge_alone(const case_of* k, int32_t c, double* size)
{
    scree_problem one = *k->problem;
    scri_scaling scaling = k->scaling;
    one.n_contacts = 1;
    one.first_row += c;
    one.rows += c;
    one.law += c;
    one.coef += 3 * c;
    one.bodies.pair += 2 * c;
    one.bodies.frame += 9 * c;
    one.bodies.arm += 6 * c;
    scaling.coef += 3 * c;
    return scri_natural_map_evaluate(NULL, &one, &scaling, k->op.velocity, k->p, k->y, size);
}

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* All of the problem is measured in other units where its largest square is none of these, which
 * one contact may be. */
static int is_usual(const scri_judged_lanes* of, int32_t i)
{
    double most = fmax(of->q[i], fmax(of->p[i], of->y[i]));
    return most == 0.0 || (most > 1e-200 && most < 1e200);
}

/* Contacts c to c + n - 1 of those that lanes have judged. */
static void compare(const case_of* k, int32_t c, int32_t n, const scri_judged_lanes* of, int width)
{
    for (int32_t i = 0; i < n; ++i) {
        double size;
        if (!is_usual(of, i)) continue;
        scri_natural_map one = judge_alone(k, c + i, &size);
        require(same(sqrt(of->map[i]), one.absolute) && same(sqrt(of->p[i]), one.norm_p) &&
                    same(sqrt(of->y[i]), one.norm_y) && same(sqrt(of->q[i]), one.norm_q) &&
                    same(of->size[i], size),
                "contact %d in %d lanes: map %.17g and %.17g, p %.17g and %.17g, y %.17g and "
                "%.17g, q %.17g and %.17g, size %.17g and %.17g",
                (int)(c + i), width, sqrt(of->map[i]), one.absolute, sqrt(of->p[i]), one.norm_p,
                sqrt(of->y[i]), one.norm_y, sqrt(of->q[i]), one.norm_q, of->size[i], size);
        require(of->map[i] == 0.0 || same(sqrt(of->local[i]), one.local), "contact %d: local",
                (int)(c + i));
        require(same(of->approach[i] > 0.0 ? sqrt(of->approach[i]) : 0.0, one.approach),
                "contact %d: approach %g and %g", (int)(c + i), sqrt(of->approach[i]),
                one.approach);
    }
}

/* Returns how many contacts lanes have taken. */
static int64_t compare_all(const case_of* k)
{
    int64_t taken = 0;
    for (int w = 0; w < WIDTHS; ++w) {
        scri_judge_lanes* judge = scri_judge_lanes_of(lanes[w]);
        for (int finds = 0; judge && finds < 2; ++finds) {
            scri_judge_list list = {k->problem, &k->scaling, k->op.velocity,
                                    k->p,       k->y,        finds ? k->found : NULL};
            for (int32_t c = 0, n; c<k->problem->n_contacts; c += n> 0 ? n : 1) {
                scri_judged_lanes of;
                int32_t row = k->problem->first_row[c];
                n = judge(&list, c, k->problem->n_contacts - c, &of);
                compare(k, c, n, &of, lanes[w]);
                size_t rows = (size_t)(k->problem->first_row[c + n] - row);
                require(!finds || memcmp(k->found + row, k->y + row, rows * sizeof *k->y) == 0,
                        "velocities from contact %d on differ", (int)c);
                taken += n;
            }
        }
    }
    return taken;
}

/* Impulses inside the cones, on their edges, outside, and none. */
static void draw_impulses(scri_random* random, const scree_problem* problem, double* p)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int kind = (int)scri_random_below(random, 5);
        const double* mu = problem->coef + 3 * (size_t)c;
        double n = kind == 0 ? 0.0 : fabs(draw_between(random, 0.0, 1e-3));
        for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
            int j = i - problem->first_row[c];
            double most = j == 0 ? 1.0 : mu[j < 3 ? 0 : j < 5 ? 1 : 2];
            double share = j == 0      ? 1.0
                           : kind == 4 ? draw_between(random, -3.0, 3.0)
                           : kind == 3 ? (j % 2 ? 1.0 : 0.0)
                           : kind == 2 ? draw_between(random, -0.5, 0.5)
                                       : 0.0;
            p[i] = n * most * share;
        }
        if (kind == 4) p[problem->first_row[c]] -= 5e-4;
    }
}

/* Numbers from 1e-170 to 1e170, none, infinite and not a number, here and there. */
static double draw_extreme(scri_random* random)
{
    int kind = (int)scri_random_below(random, 12);
    return kind == 0   ? SCREE_NAN
           : kind == 1 ? SCREE_INFINITY
           : kind == 2 ? -0.0
           : kind < 8  ? draw_between(random, -1.0, 1.0) * 1e-170
           : kind < 10 ? draw_between(random, -1.0, 1.0) * 1e-150
                       : draw_between(random, -1.0, 1.0) * 1e170;
}

static void odd_contacts_are_left_out(void** state)
{
    (void)state;
    scri_random random = test_seed("odd contacts beside lanes", 82);
    static double jacobian[12 * 6 * MIXED_CONTACTS];
    int32_t general[MIXED_CONTACTS];
    int64_t taken = 0;
    for (int i = 0; i < 60; ++i) {
        sample s = draw_mixture(&random, general, jacobian);
        int32_t n_rows = scree_problem_n_rows(&s.view);
        vary(&random, &s);
        for (int32_t j = 0; j < n_rows; ++j) s.q[j] += 0.01 * draw_between(&random, -1.0, 1.0);
        double* p = zeros_of(&s.view);
        draw_impulses(&random, &s.view, p);
        for (int k = 0; k < i; ++k) {
            int32_t j = (int32_t)scri_random_below(&random, (uint32_t)n_rows);
            s.q[j] = draw_extreme(&random);
            if (k % 3 == 0) p[j] = isfinite(s.q[j]) && fabs(s.q[j]) < 1.0 ? s.q[j] : p[j];
        }
        case_of k = judge_at(&s.view, p);
        taken += compare_all(&k);
        end_case(&k);
        free(p);
        sample_end(&s);
    }
    print_message("%lld contacts in lanes\n", (long long)taken);
    assert_true(taken > 10000);
}

static void lanes_have_the_bits_of_one(void** state)
{
    (void)state;
    scri_random random = test_seed("judged in lanes", 81);
    int64_t taken = 0, all = 0;
    for (int i = 0; i < 40; ++i) {
        sphere_pile pile =
            pyramid_of(6, 5, SCREE_LAW_EXACT, i % 2 ? SCREE_ROWS_NTT : SCREE_ROWS_NTTRRS, 0.4);
        sample s = sample_pile(&pile, &random);
        if (i % 4 > 1) vary(&random, &s);
        double* p = zeros_of(&s.view);
        if (i % 8 != 0) draw_impulses(&random, &s.view, p);
        case_of k = judge_at(&s.view, p);
        taken += compare_all(&k);
        all += 2 * s.view.n_contacts;
        end_case(&k);
        free(p);
        sample_end(&s);
    }
    int kinds = 1 + (scri_judge_lanes_of(4) != NULL) + (scri_judge_lanes_of(8) != NULL);
    print_message("%lld of %lld contacts in lanes\n", (long long)taken, (long long)(kinds * all));
    assert_true(4 * taken > 3 * kinds * all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_have_the_bits_of_one),
                                       cmocka_unit_test(odd_contacts_are_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
