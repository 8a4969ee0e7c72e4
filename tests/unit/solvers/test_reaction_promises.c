/* Answers about reactions, and the word of the certificate, to the last bit on every processor that
 * follows IEEE 754: as test_promises.c has it of the methods. Newton steps, rounds and iterations
 * count, so that a search which only takes longer is seen. */
#include "support/bits.h"
#include "support/forms.h"
#include "support/guard.h"

static guard memory;
static scree_env env;

/* Spheres on a floor, hyperstatic where they have many neighbours. */
static sample pile_sample(int k, scri_random* random)
{
    static const int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRRS, SCREE_ROWS_NTTRR,
                               SCREE_ROWS_NTTS};
    sphere_pile pile = {.nx = 2 + k % 2,
                        .ny = 2,
                        .nz = 2,
                        .pyramid = k % 2,
                        .jitter = 0.01,
                        .noise = k < 4 ? 0.05 : 0.8,
                        .rows = rows[k % 4],
                        .law = k % 3 ? SCREE_LAW_EXACT : SCREE_LAW_CONVEX,
                        .coef = {0.6, 0.05, 0.04},
                        .ground_is_body = k % 2};
    sample made = sample_pile(&pile, random);
    if (k == 2) sample_add_compliance(&made, random, 1e-5);
    if (k == 5) made.law[0] = SCREE_LAW_BILATERAL;
    return made;
}

/* A block on six legs, some of which slide away; nothing decides what each of them carries. */
static sample block_sample(int k, scri_random* random)
{
    enum { LEGS = 6 };
    int rows[LEGS], law[LEGS];
    for (int c = 0; c < LEGS; ++c) rows[c] = SCREE_ROWS_NTT, law[c] = SCREE_LAW_EXACT;
    sample made = sample_begin(LEGS, rows, law);
    sample_add_bodies(&made, 1);
    made.inv_mass[0] = 0.5;
    for (int i = 0; i < 3; ++i) made.inv_inertia[i] = 2.0 + i;
    for (int c = 0; c < LEGS; ++c) {
        const double frame[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
        const double arm[3] = {c % 2 ? 0.5 : -0.4, 0.6 * (c / 2 - 1), -0.3};
        memcpy(made.frame + 9 * c, frame, sizeof frame);
        memcpy(made.arm + 6 * c, arm, sizeof arm);
        made.pair[2 * c + 1] = -1;
        made.coef[3 * c] = k ? 0.1 : 0.7;
        made.q[3 * c] = -1.0;
        made.q[3 * c + 1] = 0.3 + 1e-3 * draw_between(random, -1.0, 1.0);
    }
    if (k == 2) { /* a wedge: it holds itself */
        for (int c = 0; c < LEGS; ++c) {
            double side = c % 2 ? 1.0 : -1.0;
            const double frame[9] = {0.6 * side, 0.0, 0.8, 0.8, 0.0, -0.6 * side, 0.0, 1.0, 0.0};
            memcpy(made.frame + 9 * c, frame, sizeof frame);
            made.coef[3 * c] = 1.5;
        }
    }
    return made;
}

static uint64_t mix_rank(uint64_t hash, const scree_problem* problem, const double* p, double tol)
{
    scree_rank rank;
    assert_int_equal(scree_reactions_rank(&env, problem, tol, p, &rank), SCREE_OK);
    const double all[] = {(double)rank.active_rows, (double)rank.rank, (double)rank.unknowns,
                          (double)rank.determined};
    return mix_bits(hash, all, sizeof all / sizeof *all);
}

static uint64_t mix_least(uint64_t hash, const scree_problem* problem, double* p, double tol)
{
    scree_least least;
    assert_int_equal(scree_reactions_least(&env, problem, tol, p, &least), SCREE_OK);
    const double all[] = {(double)least.found, (double)least.steps, least.norm_before, least.norm,
                          least.residual};
    hash = mix_bits(hash, p, (size_t)scree_problem_n_rows(problem));
    return mix_bits(hash, all, sizeof all / sizeof *all);
}

static uint64_t mix_pointed(uint64_t hash, const scree_problem* problem)
{
    scree_pointed pointed;
    double* stress = zeros_of(problem);
    assert_int_equal(scree_reactions_pointed(&env, problem, stress, &pointed), SCREE_OK);
    const double answer = (double)pointed;
    hash = mix_bits(hash, stress, (size_t)scree_problem_n_rows(problem));
    free(stress);
    return mix_bits(hash, &answer, 1);
}

enum { PILES = 6, BLOCKS = 3 };

typedef struct promise {
    uint64_t rank, least, pointed;
} promise;

static const promise promises[PILES + BLOCKS] = {
    {0xa7706ab25011fb05, 0x4e72b227c4162b79, 0xacce919f8e9b2065},
    {0x84e0ef0f03767d25, 0xc1d3d63e0d6be8c1, 0x76abce35c2e02965},
    {0x9d4920cd61d47c45, 0x4c14a2436ea296f5, 0x051d11d8a9e84865},
    {0x074922e5af5bf4b8, 0xdf2b0456fc28ccc2, 0x8a08b0f629ad9265},
    {0x20b8829bf0417825, 0x25c9a478a412e162, 0xacce919f8e9b2065},
    {0xa79afdca754dc425, 0x0f8df7b12d34920f, 0x76abce35c2e02965},
    {0xcb02ba2dc46bc501, 0x12e9cb60fcf2cc9a, 0x1f4561b18cb16ae5},
    {0x26d31226b2293a25, 0x63dbf1ad9f5bee3f, 0x1f4561b18cb16ae5},
    {0x3261c1116f874725, 0x4f764011a3237881, 0x5185a4e10e35950d},
};

static void reactions_keep_bits(void** state)
{
    (void)state;
    static const double tolerances[] = {1e-4, 1e-9};
    env = guard_env(&memory);
    scri_random random = {.key = 2029}; /* not for the host to choose: numbers depend on it */
    int broken = 0;
    for (int k = 0; k < PILES + BLOCKS; ++k) {
        pair_of_forms pair =
            forms_of(k < PILES ? pile_sample(k, &random) : block_sample(k - PILES, &random));
        promise kept = {BITS_BEGIN, BITS_BEGIN, BITS_BEGIN};
        for (int i = 0; i < 4; ++i) {
            const scree_problem* problem = form_of(&pair, i % 2);
            scree_solver_def def = scree_default_solver_def();
            def.tol = tolerances[i / 2];
            double* p = zeros_of(problem);
            for (int32_t row = 0; row < scree_problem_n_rows(problem); ++row) { /* far from least */
                p[row] = row % 3 == 0 && row % 2 ? 1.0 : 0.0;
            }
            solved_in(NULL, problem, &def, p);
            kept.rank = mix_rank(kept.rank, problem, p, def.tol);
            kept.least = mix_least(kept.least, problem, p, def.tol);
            if (i < 2) kept.pointed = mix_pointed(kept.pointed, problem);
            free(p);
        }
        forms_end(&pair);
        print_message("    {0x%016llx, 0x%016llx, 0x%016llx},\n", (unsigned long long)kept.rank,
                      (unsigned long long)kept.least, (unsigned long long)kept.pointed);
        broken += memcmp(&kept, &promises[k], sizeof kept) != 0;
    }
    test_needs_glibc();
    assert_int_equal(broken, 0);
    require_guarded(&memory);
}

/* ---- the certificate has the last word ------------------------------------------------------- */

/* The same bodies as a sparse mass matrix and a sparse H. */
static void factor(sample* s)
{
    dense rows = dense_rows_of_bodies(s->arena, &s->view);
    dense inverse = dense_inverse_mass_of_bodies(s->arena, &s->view);
    dense mass = dense_inverse(s->arena, &inverse), h = dense_transpose(s->arena, &rows);
    sample_add_factors(s, &mass, &h);
    for (int32_t i = 0; i < mass.n; ++i) s->force[i] = 0.01 * (i % 7 - 3);
}

static void certified_solves_keep_bits(void** state)
{
    (void)state;
    static const uint64_t promised[4] = {0x7aab95daab608dd5, 0x12096e668eacd828, 0x9686c927629b113c,
                                         0x0183a0ebe448cc79};
    static const scree_measure measures[] = {SCREE_MEASURE_SCREE, SCREE_MEASURE_SICONOS,
                                             SCREE_MEASURE_LOCAL, SCREE_MEASURE_SCREE};
    env = guard_env(&memory);
    scri_random random = {.key = 2030};
    int broken = 0;
    for (int k = 0; k < 4; ++k) {
        sample s = pile_sample(4 * (k / 2), &random);
        factor(&s);
        scree_solver_def def = scree_default_solver_def();
        def.measure = measures[k];
        def.tol = k == 3 ? 1e-15 : 1e-6;
        def.max_iter = k == 3 ? 300 : 3000;
        if (k == 1) def.normal_tol = 1e-7;
        double* p = zeros_of(&s.view);
        scree_report report;
        scree_certificate certificate;
        assert_int_equal(scree_solve_certified(&env, &s.view, &def, p, &report, &certificate),
                         SCREE_OK);
        const double all[] = {(double)report.outcome,    report.residual,
                              (double)report.iterations, (double)report.updates,
                              (double)report.n_stages,   certificate.residual,
                              certificate.local,         certificate.residual_siconos};
        uint64_t kept = mix_bits(BITS_BEGIN, p, (size_t)scree_problem_n_rows(&s.view));
        kept = mix_bits(kept, all, sizeof all / sizeof *all);
        print_message("0x%016llx %s after %lld\n", (unsigned long long)kept,
                      scree_outcome_text((int)report.outcome), (long long)report.iterations);
        broken += kept != promised[k];
        free(p);
        sample_end(&s);
    }
    test_needs_glibc();
    assert_int_equal(broken, 0);
    require_guarded(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactions_keep_bits),
        cmocka_unit_test(certified_solves_keep_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
