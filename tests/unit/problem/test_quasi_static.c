/* The quasi-static form of (62) of Acary & Bourrier: y = W p + q with W and q from a stiffness and
 * loads in place of mass and momentum. The factored form takes it as it stands: K u = f + H p, y =
 * H^T u + g, forces without motion. A block on springs is pressed on a rigid table and pushed. */
#include "support/problems.h"
#include "support/solving.h"

typedef struct table {
    double along, across; /* stiffness of the springs along the normal and in the plane, N/m */
    double press, push;   /* loads, N */
    double mu, gap;       /* m, above the table */
} table;

/* Displacements of one node: z, x, y; one contact N T T with the table. */
static sample on_table(const table* t)
{
    const int rows[1] = {SCREE_ROWS_NTT}, law[1] = {SCREE_LAW_EXACT};
    sample s = sample_begin(1, rows, law);
    dense k = dense_zero(s.arena, 3, 3), h = dense_zero(s.arena, 3, 3);
    for (int i = 0; i < 3; ++i) {
        *dense_at(&k, i, i) = i == 0 ? (real)t->along : (real)t->across;
        *dense_at(&h, i, i) = 1;
    }
    sample_add_factors(&s, &k, &h);
    s.force[0] = -t->press;
    s.force[1] = t->push;
    s.q[0] = t->gap;
    s.coef[0] = t->mu;
    return s;
}

static void solve(const sample* s, double* p, double* y)
{
    scree_report report;
    scree_certificate certificate;
    scree_solver_def def = scree_default_solver_def();
    def.tol = 1e-12;
    assert_int_equal(scree_solve_certified(NULL, &s->view, &def, p, &report, &certificate),
                     SCREE_OK);
    assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
    assert_int_equal(scree_problem_velocity(NULL, &s->view, p, y), SCREE_OK);
}

/* What the table bears is what the spring does not: N = press - along gap. The push is held up to
 * mu N; beyond, the springs take the rest: x = (push - mu N) / across. */
static void forces_without_motion(void** state)
{
    (void)state;
    scri_random random = test_seed("tables", 62);
    int stuck = 0, slid = 0, lifted = 0;
    for (int c = 0; c < test_size(300, 10000); ++c) {
        table t = {draw_power(&random, 1.0, 4.0),    draw_power(&random, 1.0, 4.0),
                   draw_between(&random, 0.0, 20.0), draw_between(&random, -10.0, 10.0),
                   draw_between(&random, 0.1, 1.0),  1e-3 * draw_between(&random, 0.0, 1.0)};
        sample s = on_table(&t);
        double p[3] = {0.0}, y[3], bears = fmax(t.press - t.along * t.gap, 0.0);
        double held = fmin(fabs(t.push), t.mu * bears), sign = t.push < 0.0 ? -1.0 : 1.0;
        solve(&s, p, y);
        double size = t.press + fabs(t.push);
        require(fabs(p[0] - bears) <= 1e-9 * size, "case %d bears %.12g, not %.12g", c, p[0],
                bears);
        require(fabs(p[1] + sign * held) <= 1e-9 * size, "case %d holds %.12g, not %.12g", c, p[1],
                -sign * held);
        double x = sign * (fabs(t.push) - held) / t.across;
        require(fabs(y[1] - x) <= 1e-9 * size / t.across, "case %d moves by %.12g, not %.12g", c,
                y[1], x);
        lifted += bears == 0.0, stuck += bears > 0.0 && x == 0.0, slid += bears > 0.0 && x != 0.0;
        sample_end(&s);
    }
    require(stuck > 20 && slid > 20 && lifted > 5, "%d stick, %d slide, %d lift", stuck, slid,
            lifted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_without_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
