/* LCPs read from files, our own and those of Siconos: solved, or proved to have no solution. */
#include "scree_io/problem_file.h"
#include "scree_study/lcp.h"
#include "scree_study/polyhedral.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 64 };

/* Of tests/fixtures/lcp, with the solution in small fractions where there is but one. */
static const struct {
    const char* name;
    int n; /* 0: several solutions */
    double z[8];
} own[] = {
    {"murty", 8, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"murty_blocks", 8, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"fathi", 6, {1}},
    {"fathi_blocks", 6, {1}},
    {"chain", 5, {0, 1, 0, 2, 0}},
    {"programme", 4, {1.5, 0.5, 1.5, 0.5}},
    {"programme_blocks", 4, {1.5, 0.5, 1.5, 0.5}},
    {.name = "plane"},
    {.name = "three"},
    {.name = "three_blocks"},
};

static const char* const of_siconos[] = {
    "CPS_1",
    "CPS_2",
    "CPS_3",
    "CPS_4",
    "CPS_4bis",
    "CPS_5",
    "deudeu",
    "deudeu_block",
    "ortiz",
    "exp_murty",
    "exp_murty2",
    "inf_sol_perturbed",
    "trivial",
    "trivial_block",
    "ortiz_block",
    "enum_fails",
    "Pang_isolated_sol",
};

/* The path is the folder, with what its names begin with, and the name. */
static scree_lcp_report solve_file(const char* folder, const char* name, double* z)
{
    char path[1024];
    scree_problem_file file;
    scree_lcp_store store = {.memory = NULL};
    snprintf(path, sizeof path, "%s%s.dat", folder, name);
    assert_int_equal(scree_problem_read(NULL, path, &file), SCREE_OK);
    assert_int_equal(
        scree_polyhedral_build(NULL, &file.store.problem, 4, SCREE_POLYGON_CIRCUMSCRIBED, &store),
        SCREE_OK);
    scree_lcp_def def = scree_default_lcp_def();
    scree_lcp_report report;
    def.method = SCREE_LCP_LEMKE;
    for (int32_t i = 0; i < store.lcp.n; ++i) z[i] = 0.0;
    assert_int_equal(scree_lcp_solve(NULL, &store.lcp, &def, z, &report), SCREE_OK);
    if (report.outcome == SCREE_LCP_SOLVED) {
        scree_lcp_certificate certificate;
        assert_int_equal(scree_lcp_certify(NULL, &store.lcp, z, &certificate), SCREE_OK);
        require(certificate.residual <= 1e-10, "%s: certificate %g at row %d", name,
                certificate.residual, (int)certificate.worst);
    }
    scree_lcp_store_release(&store);
    scree_problem_file_release(&file);
    return report;
}

static void check_solved(const char* folder, const char* name, double* z)
{
    scree_lcp_report report = solve_file(folder, name, z);
    print_message("%-18s %-10s %3d pivots, %d attempts, %.1e\n", name,
                  scree_lcp_outcome_text((int)report.outcome), (int)report.iterations,
                  (int)report.attempts, report.residual);
    require(report.outcome == SCREE_LCP_SOLVED, "%s: %s", name,
            scree_lcp_outcome_text((int)report.outcome));
}

static void check_infeasible(const char* folder, const char* name)
{
    double z[MOST];
    scree_lcp_report report = solve_file(folder, name, z);
    assert_int_equal(report.outcome, SCREE_LCP_INFEASIBLE);
    require(report.proof < 0.0, "%s: b . y = %g", name, report.proof);
}

static void test_solves_our_files(void** state)
{
    (void)state;
    const char* folder = SCREE_FIXTURES "/lcp/";
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
        double z[MOST];
        check_solved(folder, own[i].name, z);
        for (int k = 0; k < own[i].n; ++k) {
            require(fabs(z[k] - own[i].z[k]) <= 1e-12, "%s: z[%d] = %.17g", own[i].name, k, z[k]);
        }
    }
    check_infeasible(folder, "none"); /* its first row is w_1 = -z_2 - z_3 - 1/4 */
}

static void test_solves_files_of_siconos(void** state)
{
    (void)state;
    const char* folder = SCREE_SHARED "/problems/lcp/lcp_";
    FILE* there = fopen(SCREE_SHARED "/problems/lcp/lcp_trivial.dat", "r");
    if (!there) {
        print_message("skipped: the files of Siconos are not there\n");
        skip();
    }
    fclose(there);
    for (size_t i = 0; i < sizeof of_siconos / sizeof *of_siconos; ++i) {
        double z[MOST];
        check_solved(folder, of_siconos[i], z);
    }
    check_infeasible(folder, "Pang_isolated_sol_perturbed"); /* w_1 = -z_2 - z_3 - 0.0001 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_our_files),
        cmocka_unit_test(test_solves_files_of_siconos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
