/* LCPs of Siconos, read from its files: solved, or proved to have no solution. */
#include "scree_io/problem_file.h"
#include "scree_study/lcp.h"
#include "scree_study/polyhedral.h"
#include "support/test.h"

enum { MOST = 64 };

static const char* const solvable[] = {
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

static scree_lcp_report solve_file(const char* name, double* z)
{
    char path[1024];
    scree_problem_file file;
    scree_lcp_store store = {.memory = NULL};
    snprintf(path, sizeof path, "%s/problems/lcp/lcp_%s.dat", SCREE_SHARED, name);
    FILE* there = fopen(path, "r");
    if (!there) {
        print_message("skipped: the problem files are not there\n");
        skip();
    }
    fclose(there);
    assert_int_equal(scree_problem_read(NULL, path, &file), SCREE_OK);
    assert_int_equal(
        scree_polyhedral_build(NULL, &file.store.problem, 4, SCREE_POLYGON_CIRCUMSCRIBED, &store),
        SCREE_OK);
    scree_lcp_def def = scree_default_lcp_def();
    scree_lcp_report report;
    def.method = SCREE_LCP_LEMKE;
    for (int32_t i = 0; i < store.lcp.n; ++i) z[i] = 0.0;
    assert_int_equal(scree_lcp_solve(&store.lcp, &def, z, &report), SCREE_OK);
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

static void test_solves_files_of_siconos(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof solvable / sizeof *solvable; ++i) {
        double z[MOST];
        scree_lcp_report report = solve_file(solvable[i], z);
        print_message("%-18s %-10s %3d pivots, %d attempts, %.1e\n", solvable[i],
                      scree_lcp_outcome_text((int)report.outcome), (int)report.iterations,
                      (int)report.attempts, report.residual);
        require(report.outcome == SCREE_LCP_SOLVED, "%s: %s", solvable[i],
                scree_lcp_outcome_text((int)report.outcome));
    }
    /* Its first row is w_1 = -z_2 - z_3 - 0.0001 < 0. */
    double z[MOST];
    scree_lcp_report report = solve_file("Pang_isolated_sol_perturbed", z);
    assert_int_equal(report.outcome, SCREE_LCP_INFEASIBLE);
    require(report.proof < 0.0, "b . y = %g", report.proof);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_files_of_siconos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
