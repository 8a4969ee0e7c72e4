/* The proximal iteration of Walker and Leine: its iterates against (21), (22), (69) and (70)
 * evaluated with public functions alone, where it ends, and how fast it gets there. */
#include "support/fits.h"
#include "support/friction_sets.h"

enum { CONTACTS = 3, WIDTH = 5, ROWS = CONTACTS * WIDTH };

typedef struct example {
    sample s;
    const scree_set* set[4 * CONTACTS];
} example;

/* Contacts N T T R R with a full W = A A^T + ROWS, scaled to a diagonal of 1: scaled variables are
 * raw ones. All press. */
static example draw_example(scri_random* random, const set_stock* stock, int law)
{
    int rows[CONTACTS], laws[CONTACTS];
    double a[ROWS][ROWS], w[ROWS][ROWS];
    for (int c = 0; c < CONTACTS; ++c) rows[c] = SCREE_ROWS_NTTRR, laws[c] = law;
    example e = {.s = sample_begin(CONTACTS, rows, laws)};
    for (int i = 0; i < ROWS * ROWS; ++i) a[i / ROWS][i % ROWS] = draw_between(random, -1.0, 1.0);
    for (int i = 0; i < ROWS * ROWS; ++i) {
        double sum = i / ROWS == i % ROWS ? (double)ROWS : 0.0;
        for (int k = 0; k < ROWS; ++k) sum += a[i / ROWS][k] * a[i % ROWS][k];
        w[i / ROWS][i % ROWS] = sum;
    }
    e.s.w_start = sample_take(&e.s, CONTACTS + 1, sizeof *e.s.w_start);
    e.s.w_column = sample_take(&e.s, CONTACTS * CONTACTS, sizeof *e.s.w_column);
    e.s.w_offset = sample_take(&e.s, CONTACTS * CONTACTS + 1, sizeof *e.s.w_offset);
    e.s.w_value = sample_take(&e.s, ROWS * ROWS, sizeof *e.s.w_value);
    for (int block = 0; block < CONTACTS * CONTACTS; ++block) {
        int c = block / CONTACTS, b = block % CONTACTS;
        e.s.w_start[c + 1] = CONTACTS * (c + 1);
        e.s.w_column[block] = b;
        e.s.w_offset[block + 1] = WIDTH * WIDTH * (block + 1);
        for (int i = 0; i < WIDTH * WIDTH; ++i) {
            int row = WIDTH * c + i / WIDTH, column = WIDTH * b + i % WIDTH;
            e.s.w_value[WIDTH * WIDTH * block + i] =
                row == column ? 1.0 : w[row][column] / sqrt(w[row][row] * w[column][column]);
        }
    }
    for (int c = 0; c < CONTACTS; ++c) {
        e.s.coef[3 * c] = draw_between(random, 0.3, 1.0);
        e.s.coef[3 * c + 1] = draw_between(random, 0.3, 1.0);
        for (int k = 0; k < 4; k += 2) {
            int extended = law == SCREE_LAW_EXTENDED;
            e.set[4 * c + k] = stock->set[draw_below(random, extended ? STOCK_SETS : STOCK_CONVEX)];
            if (extended) e.set[4 * c + k + 1] = stock->set[draw_below(random, STOCK_CONVEX)];
        }
    }
    for (int i = 0; i < ROWS; ++i) {
        e.s.q[i] = i % WIDTH ? draw_between(random, -1.0, 1.0) : draw_between(random, -1.5, -0.5);
    }
    e.s.view.w = (scree_bsr){e.s.w_start, e.s.w_column, e.s.w_offset, e.s.w_value};
    sample_add_sets(&e.s, e.set);
    assert_int_equal(scree_problem_validate(NULL, &e.s.view), SCREE_OK);
    return e;
}

/* One iteration with the step length r, in place. */
static void iterate(const example* e, set_stock* stock, double r, double* p)
{
    double y[ROWS];
    assert_int_equal(scree_problem_velocity(NULL, &e->s.view, p, y), SCREE_OK);
    for (int c = 0; c < CONTACTS; ++c) {
        double* at = p + (size_t)(WIDTH * c);
        const double* v = y + (size_t)(WIDTH * c);
        at[0] = fmax(at[0] - r * v[0], 0.0); /* (21) */
        for (int k = 0; k < 2; ++k) {
            const scree_set* forces = e->set[4 * c + 2 * k];
            const scree_set* flow = e->set[4 * c + 2 * k + 1] ? e->set[4 * c + 2 * k + 1] : forces;
            double n = e->s.coef[3 * c + k] * at[0], f[2], z[2], back[2], alpha = 1.0;
            double fit = stock_fit(stock, flow, forces);
            for (int i = 0; i < 2; ++i) f[i] = -at[1 + 2 * k + i];
            if (flow != forces) { /* (70) */
                alpha = 1.0 / (scree_set_gauge(flow, f) / (fit * n) -
                               scree_set_gauge(forces, f) / n + 1.0);
            }
            for (int i = 0; i < 2; ++i) z[i] = alpha * f[i] + r * v[1 + 2 * k + i];
            scree_set_project(flow, fit * n, z, back); /* (69); with D = C it is (22) */
            for (int i = 0; i < 2; ++i) at[1 + 2 * k + i] = n > 0.0 ? -back[i] / alpha : 0.0;
        }
    }
}

static void iterates_are_those_of_the_paper(void** state)
{
    (void)state;
    scri_random random = test_seed("proximal iterates", 6970);
    set_stock stock;
    stock_open(&stock);
    for (int i = 0; i < test_cases(24, 400); ++i) {
        int law = i % 3 ? SCREE_LAW_EXTENDED : SCREE_LAW_EXACT;
        example e = draw_example(&random, &stock, law);
        double p[ROWS] = {0.0}, rho = draw_between(&random, 0.05, 0.4);
        for (int k = 1; k <= 8; ++k) {
            double found[ROWS] = {0.0};
            iterate(&e, &stock, rho, p);
            scree_solver_def def = solver_def("proximal", 0.0, k);
            def.rho = rho;
            scree_report report = solved(&e.s.view, &def, found);
            assert_int_equal(report.iterations, k);
            for (int j = 0; j < ROWS; ++j) {
                require(fabs(found[j] - p[j]) <= 1e-10,
                        "case %d, iterate %d: p[%d] %.17g, not %.17g", i, k, j, found[j], p[j]);
            }
        }
        sample_end(&e.s);
    }
    stock_close(&stock);
}

/* Where D is C it is `channels`, to the bit. */
static void associated_iterates_are_those_of_channels(void** state)
{
    (void)state;
    scri_random random = test_seed("proximal and channels", 2122);
    set_stock stock;
    stock_open(&stock);
    for (int i = 0; i < test_cases(6, 60); ++i) {
        example e = draw_example(&random, &stock, SCREE_LAW_EXACT);
        double p[2][ROWS] = {{0.0}};
        for (int k = 0; k < 2; ++k) {
            scree_solver_def def = solver_def(k ? "proximal" : "channels", 0.0, 40);
            def.rho = 0.3, def.rho_slide = 0.2, def.rho_roll = 0.25;
            solved(&e.s.view, &def, p[k]);
        }
        assert_memory_equal(p[0], p[1], sizeof p[0]);
        sample_end(&e.s);
    }
    stock_close(&stock);
}

/* How often it converges, and that what it ends at obeys the law by a judge of its own. */
static void ends_at_certified_answers(void** state)
{
    (void)state;
    scri_random random = test_seed("proximal answers", 5110);
    set_stock stock;
    stock_open(&stock);
    int n = test_cases(60, 600), found[2] = {0, 0}, tried[2] = {0, 0};
    int64_t iterations[2] = {0, 0};
    for (int i = 0; i < n; ++i) {
        int extended = i % 3 != 0;
        example e = draw_example(&random, &stock, extended ? SCREE_LAW_EXTENDED : SCREE_LAW_EXACT);
        double p[ROWS] = {0.0}, y[ROWS], s[WIDTH] = {1.0, 1.0, 1.0, 1.0, 1.0};
        scree_solver_def def = solver_def("proximal", 1e-9, 20000);
        scree_report report = solved(&e.s.view, &def, p);
        assert_string_equal(report.solver, "proximal");
        tried[extended]++;
        if (report.outcome == SCREE_OUTCOME_CONVERGED) {
            found[extended]++;
            iterations[extended] += report.iterations;
            assert_int_equal(scree_problem_velocity(NULL, &e.s.view, p, y), SCREE_OK);
            for (int c = 0; c < CONTACTS; ++c) {
                double error = friction_error(&stock, SCREE_ROWS_NTTRR, e.s.coef + (size_t)(3 * c),
                                              e.set + (size_t)(4 * c), s, p + (size_t)(WIDTH * c),
                                              y + (size_t)(WIDTH * c));
                require(error <= 1e-7, "case %d, contact %d: off by %g", i, c, error);
            }
        }
        sample_end(&e.s);
    }
    for (int k = 0; k < 2; ++k) {
        print_message("%s: %d of %d, %.0f iterations\n", k ? "extended" : "associated", found[k],
                      tried[k], (double)iterations[k] / found[k]);
    }
    assert_int_equal(found[0], tried[0]);
    require(found[1] * 100 >= 95 * tried[1], "extended: %d of %d", found[1], tried[1]);
    stock_close(&stock);
}

/* One contact that sticks, W = 1: the error falls by 1 - r in each iteration, whatever the sets are
 * as long as D is C. */
static void a_sticking_contact_has_its_rate(void** state)
{
    (void)state;
    int rows = SCREE_ROWS_NTT, law = SCREE_LAW_EXACT;
    sample s = sample_begin(1, &rows, &law);
    int32_t start[2] = {0, 1}, column[1] = {0};
    int64_t offset[2] = {0, 9};
    const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {-1.0, 0.1, -0.05};
    scree_set* ellipse = make_set(SCREE_SET_ELLIPSE, 0.8, 0.3, 0.0, 20.0);
    const scree_set* set[4] = {ellipse, NULL, NULL, NULL};
    memcpy(s.q, q, sizeof q);
    s.coef[0] = 1.0;
    s.view.w = (scree_bsr){start, column, offset, w};
    sample_add_sets(&s, set);
    for (int k = 20; k <= 60; k += 20) {
        scree_solver_def def = solver_def("proximal", 0.0, k);
        double p[3] = {1.0, 0.0, 0.0};
        def.rho = 0.25;
        solved(&s.view, &def, p);
        for (int i = 1; i < 3; ++i) {
            double error = fabs(p[i] + q[i]), expected = pow(0.75, k) * fabs(q[i]);
            require(fabs(error - expected) <= 1e-15, "after %d: %g, not %g", k, error, expected);
        }
    }
    scree_set_destroy(ellipse);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterates_are_those_of_the_paper),
        cmocka_unit_test(associated_iterates_are_those_of_channels),
        cmocka_unit_test(ends_at_certified_answers),
        cmocka_unit_test(a_sticking_contact_has_its_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
