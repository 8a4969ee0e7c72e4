/* The width of a processor's vectors changes no bit of what sweeps find, nor the work they take:
 * this program answers for the processor, and says that it has vectors of any width. */
#include "base/processor.h"
#include "support/bits.h"
#include "support/solving.h"

static int vector_bytes = 16;

#if defined(__x86_64__) /* where code for wider vectors than there are cannot run */
static int widest(void)
{
#if defined(_WIN32) /* nor is it aligned there */
    return 16;
#endif
    int has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    return has_512 ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
}
#else
static int widest(void)
{
    return 64;
}
#endif

int scri_processor_vector(void)
{
    return vector_bytes;
}

int scri_processor_most_vector(void)
{
    return widest();
}

/* Contacts that are no more due are left out, so that groups come together over gaps. */
static uint64_t solve(const scree_problem* problem, const char* solver, int bytes)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = solver;
    def.tol = 1e-5;
    def.max_iter = 30;
    vector_bytes = bytes;
    double* p = zeros_of(problem);
    scree_report report = solved_in(NULL, problem, &def, p);
    const double work[] = {report.residual, (double)report.iterations, (double)report.updates};
    uint64_t hash = mix_bits(BITS_BEGIN, p, (size_t)scree_problem_n_rows(problem));
    free(p);
    return mix_bits(hash, work, sizeof work / sizeof *work);
}

static void vectors_change_no_bit(void** state)
{
    (void)state;
    static const char* const solvers[] = {"nsgs-wide", "nsgs-wide-aa", "nsgs-bodies"};
    scri_random random = test_seed("vectors", 61);
    for (int k = 0; k < 4; ++k) {
        sphere_pile pile = {.nx = 4,
                            .ny = 4,
                            .nz = 3,
                            .jitter = 0.02,
                            .noise = 0.5,
                            .rows = k % 2 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTT,
                            .law = k < 2 ? SCREE_LAW_EXACT : SCREE_LAW_CONVEX,
                            .coef = {0.4, 0.02, 0.01},
                            .ground_is_body = 1};
        sample s = sample_pile(&pile, &random);
        for (int i = 0; i < 3; ++i) {
            uint64_t narrow = solve(&s.view, solvers[i], 16);
            for (int bytes = 32; bytes <= widest(); bytes *= 2) {
                require(solve(&s.view, solvers[i], bytes) == narrow, "%s, pile %d: vectors of %d",
                        solvers[i], k, bytes);
            }
        }
        sample_end(&s);
    }
    vector_bytes = 16;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
