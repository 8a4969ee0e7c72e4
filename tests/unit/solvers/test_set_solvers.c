/* Every method on whole problems with sets: certified, judged contact by contact from the laws
 * alone, and agreeing where the motion is unique; what validation refuses; what reduction keeps. */
#include "support/fits.h"
#include "support/friction_sets.h"

enum { EXACT = 1, CONVEX = 2, EXTENDED = 4 };

/* The objects whose numbers the last sample has. */
static const scree_set* const* objects;

/* Sets for all contacts of a sample, at random as the laws allow. */
static void add_sets(sample* s, scri_random* random, const set_stock* stock)
{
    size_t n = (size_t)s->view.n_contacts;
    const scree_set** set = sample_take(s, 4 * n, sizeof *set);
    for (size_t c = 0; c < n; ++c) {
        int is_extended = s->law[c] == SCREE_LAW_EXTENDED;
        for (int k = 0; k < 4; k += 2) {
            if (draw_chance(random, 20.0)) continue;
            set[4 * c + (size_t)k] =
                stock->set[draw_below(random, is_extended ? STOCK_SETS : STOCK_CONVEX)];
            if (is_extended && draw_chance(random, 80.0)) {
                set[4 * c + (size_t)k + 1] = stock->set[draw_below(random, STOCK_CONVEX)];
            } else if (is_extended) { /* D = C must be convex */
                set[4 * c + (size_t)k] = stock->set[draw_below(random, STOCK_CONVEX)];
            }
        }
    }
    sample_add_sets(s, set);
    objects = set;
}

static void set_law(sample* s, scri_random* random, int laws)
{
    static const int number[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_EXTENDED};
    for (int32_t c = 0; c < s->view.n_contacts; ++c) {
        int k;
        do {
            k = draw_below(random, 3);
        } while (!(laws >> k & 1));
        s->law[c] = (uint8_t)number[k];
    }
}

static void require_valid(const scree_problem* problem)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_status status = scree_problem_validate(&env, problem);
    require(status == SCREE_OK, "%s", host.text);
}

/* Each contact by itself, from the dense operator; errors relative to the size of all. */
static double judge(set_stock* stock, const scree_problem* problem, const double* p)
{
    scri_arena* arena = scri_arena_create(NULL);
    dense w = dense_w(arena, problem, NULL);
    double *y = zeros_of(problem), squares[3] = {0.0, 0.0, 0.0}, worst = 0.0, size;
    double* s = zeros_of(problem);
    assert_int_equal(scree_problem_velocity(NULL, problem, p, y), SCREE_OK);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c], width = problem->first_row[c + 1] - row;
        double block[36] = {0.0};
        for (int i = 0; i < width; ++i) {
            block[i * width + i] = (double)*dense_at(&w, row + i, row + i);
        }
        contact_scale(problem->rows[c], block, s + row);
        for (int i = row; i < row + width; ++i) {
            squares[0] += pow(p[i] * s[i], 2.0);
            squares[1] += pow(y[i] / s[i], 2.0);
            squares[2] += pow(problem->q[i] / s[i], 2.0);
        }
    }
    size = sqrt(fmax(squares[0], fmax(squares[1], squares[2])));
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        const scree_set* const* set = problem->set ? objects + 4 * (size_t)c : NULL;
        const double* coef = problem->coef + 3 * (size_t)c;
        double power, error;
        if (problem->law[c] == SCREE_LAW_CONVEX) {
            error = convex_error(problem->rows[c], coef, set, s + row, p + row, y + row, &power);
            error = fmax(error, fabs(power) / size);
        } else {
            error = friction_error(stock, problem->rows[c], coef, set, s + row, p + row, y + row);
        }
        if (!(error / size <= worst)) worst = error / size;
    }
    free(y);
    free(s);
    scri_arena_destroy(arena);
    return worst;
}

/* ---- piles ----------------------------------------------------------------------------------- */

static const sphere_pile piles[] = {
    {.nx = 1, .ny = 1, .nz = 4, .jitter = 0.1, .noise = 1.0, .coef = {0.5, 0.1, 0.05}},
    {.nx = 2, .ny = 2, .nz = 2, .jitter = 0.02, .noise = 1.0, .coef = {0.4, 0.1, 0.05}},
    {.nx = 3, .ny = 3, .nz = 2, .pyramid = 1, .noise = 0.5, .coef = {0.5, 0.1, 0.05}},
};
enum { N_PILES = 3, HYPERSTATIC = 2 };

static sample draw_pile(scri_random* random, set_stock* stock, int i, int rows, int laws)
{
    sphere_pile pile = piles[i];
    pile.rows = rows, pile.law = SCREE_LAW_EXACT;
    sample s = sample_pile(&pile, random);
    set_law(&s, random, laws);
    add_sets(&s, random, stock);
    require_valid(&s.view);
    return s;
}

typedef struct method {
    const char* name;
    double tol;
    int laws;        /* all of the problem's must be among these */
    int hyperstatic; /* tried there too: sweeps need long, or stall under the extended law */
} method;

static const method methods[] = {
    {"nsgs", 1e-6, EXACT | CONVEX | EXTENDED, 0},
    {"nsgs-bodies", 1e-6, EXACT | CONVEX | EXTENDED, 0},
    {"nsgs-aa", 1e-6, EXACT | CONVEX | EXTENDED, 0},
    {"auto", 1e-8, EXACT | CONVEX | EXTENDED, 1},
    {"newton-prox", 1e-6, EXACT | CONVEX | EXTENDED, 1},
    {"newton-dense", 1e-8, EXACT | EXTENDED, 0},
    {"nsgs-wide", 1e-5, EXACT | CONVEX | EXTENDED, 0},
    {"nsgs-wide-aa", 1e-5, EXACT | CONVEX | EXTENDED, 0},
    {"fixed-point", 1e-4, EXACT | CONVEX, 0},
    {"extragradient", 1e-4, EXACT | CONVEX, 0},
    {"apgd", 1e-4, EXACT | CONVEX, 1},
    {"proximal", 1e-4, EXACT, 0},
};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

static void every_method_solves_piles_with_sets(void** state)
{
    (void)state;
    static const int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                               SCREE_ROWS_NTTRRS};
    static const int laws[] = {EXACT, CONVEX, EXTENDED, EXACT | EXTENDED, EXACT | CONVEX};
    scri_random random = test_seed("piles with sets", 5401);
    set_stock stock;
    int runs = 0;
    stock_open(&stock);
    for (int i = 0; i < 20; i += test_cases(3, 1)) {
        int pile = i % N_PILES, kind = rows[i % 4], law = laws[i % 5];
        sample s = draw_pile(&random, &stock, pile, kind, law);
        for (int m = 0; m < N_METHODS; ++m) {
            const method* by = &methods[m];
            if (law & ~by->laws || (pile == HYPERSTATIC && !by->hyperstatic)) continue;
            scree_solver_def def = solver_def(by->name, by->tol, 100000);
            if (!fits(&s.view, &def)) continue;
            double* p = zeros_of(&s.view);
            scree_report report = solved(&s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED,
                    "pile %d, rows %d, laws %d, %s: %s at %.2g after %lld", pile, kind, law,
                    by->name, scree_outcome_text((int)report.outcome), report.residual,
                    (long long)report.iterations);
            double error = judge(&stock, &s.view, p);
            require(error <= 10.0 * by->tol, "pile %d, rows %d, laws %d, %s: judged %.2g", pile,
                    kind, law, by->name, error);
            free(p);
            ++runs;
        }
        sample_end(&s);
    }
    print_message("%d runs\n", runs);
    stock_close(&stock);
}

/* The convex law has one motion; the exact law too where nothing wedges. */
static void methods_find_the_same_motion(void** state)
{
    (void)state;
    static const char* const names[] = {"nsgs",        "nsgs-bodies",   "nsgs-aa",
                                        "auto",        "newton-prox",   "newton-dense",
                                        "fixed-point", "extragradient", "apgd"};
    scri_random random = test_seed("one motion with sets", 5402);
    set_stock stock;
    stock_open(&stock);
    for (int law = EXACT; law <= CONVEX; ++law) {
        sample s = draw_pile(&random, &stock, 0, SCREE_ROWS_NTTRRS, law);
        double* first = NULL;
        for (size_t m = 0; m < sizeof names / sizeof names[0]; ++m) {
            scree_solver_def def = solver_def(names[m], 1e-10, 1000000);
            if (!fits(&s.view, &def)) continue;
            double *p = zeros_of(&s.view), *y = zeros_of(&s.view);
            scree_report report = solved(&s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED, "law %d, %s: %s at %.2g", law,
                    names[m], scree_outcome_text((int)report.outcome), report.residual);
            assert_int_equal(scree_problem_velocity(NULL, &s.view, p, y), SCREE_OK);
            for (int32_t i = 0; first && i < s.row[s.view.n_contacts]; ++i) {
                double size = PILE_DROP / (i % 6 >= 3 ? PILE_RADIUS : 1.0);
                require(fabs(y[i] - first[i]) <= 1e-6 * size, "law %d, %s: y[%d] %.10g, not %.10g",
                        law, names[m], (int)i, y[i], first[i]);
            }
            if (first) free(y);
            if (!first) first = y;
            free(p);
        }
        free(first);
        sample_end(&s);
    }
    stock_close(&stock);
}

/* Ellipses have a kernel of their own in the wide sweeps: its answer is that of nsgs-bodies. */
static void wide_sweeps_know_ellipses(void** state)
{
    (void)state;
    scri_random random = test_seed("wide ellipses", 5403);
    scree_set* ellipse[3] = {make_set(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 0.0),
                             make_set(SCREE_SET_ELLIPSE, 0.5, 1.2, 0.0, 25.0),
                             make_set(SCREE_SET_DISC, 0.8, 0.0, 0.0, 0.0)};
    for (int kind = 0; kind < 4; ++kind) {
        sphere_pile pile = piles[1];
        pile.rows = kind % 2 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTT;
        pile.law = kind < 2 ? SCREE_LAW_EXACT : SCREE_LAW_EXTENDED;
        pile.nz = 1;             /* spheres beside each other: one motion */
        pile.ground_is_body = 1; /* or contacts with it are not round */
        sample s = sample_pile(&pile, &random);
        const scree_set** set = sample_take(&s, 4 * (size_t)s.view.n_contacts, sizeof *set);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) {
            int which = draw_below(&random, 3);
            set[4 * c] = ellipse[which];
            if (kind >= 2) set[4 * c + 1] = ellipse[which == 1 ? 1 + draw_below(&random, 2) : 2];
            if (draw_chance(&random, 50.0)) set[4 * c + 2] = ellipse[draw_below(&random, 2)];
        }
        sample_add_sets(&s, set);
        require_valid(&s.view);
        double *p[2] = {zeros_of(&s.view), zeros_of(&s.view)}, size = 0.0;
        for (int wide = 0; wide < 2; ++wide) {
            scree_solver_def def =
                solver_def(wide ? "nsgs-wide" : "nsgs-bodies", wide ? 1e-5 : 1e-10, 100000);
            scree_report report = solved(&s.view, &def, p[wide]);
            require(report.outcome == SCREE_OUTCOME_CONVERGED, "kind %d, %s: %s at %.2g", kind,
                    def.solver, scree_outcome_text((int)report.outcome), report.residual);
        }
        double *y = zeros_of(&s.view), *v = zeros_of(&s.view);
        assert_int_equal(scree_problem_velocity(NULL, &s.view, p[0], y), SCREE_OK);
        assert_int_equal(scree_problem_velocity(NULL, &s.view, p[1], v), SCREE_OK);
        for (int32_t i = 0; i < s.row[s.view.n_contacts]; ++i) size = fmax(size, fabs(y[i]));
        for (int32_t i = 0; i < s.row[s.view.n_contacts]; ++i) {
            require(fabs(y[i] - v[i]) <= 1e-3 * size, "kind %d: y[%d] is %g and %g", kind, (int)i,
                    y[i], v[i]);
        }
        free(p[0]), free(p[1]), free(y), free(v);
        sample_end(&s);
    }
    for (int k = 0; k < 3; ++k) scree_set_destroy(ellipse[k]);
}

/* ---- other forms ----------------------------------------------------------------------------- */

/* Random bodies, far from spheres; the assembled form has the same sets and the same answers. */
static void reduction_keeps_sets(void** state)
{
    (void)state;
    scri_random random = test_seed("reduced with sets", 5404);
    set_stock stock;
    stock_open(&stock);
    for (int i = 0; i < test_cases(4, 12); ++i) {
        sample s = draw_pile(&random, &stock, i % 2, SCREE_ROWS_NTTRR, EXACT | CONVEX | EXTENDED);
        if (i % 3 == 0) sample_add_compliance(&s, &random, 1e-3);
        scree_problem_store store = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        require_valid(&store.problem);
        for (int32_t k = 0; k < 4 * s.view.n_contacts; ++k) {
            require(store.problem.set[k] == s.view.set[k], "set %d is lost", (int)k);
        }
        double* p = zeros_of(&s.view);
        scree_solver_def def = solver_def("auto", 1e-8, 100000);
        scree_report report = solved(&store.problem, &def, p);
        require(report.outcome == SCREE_OUTCOME_CONVERGED, "problem %d: %s at %.2g", i,
                scree_outcome_text((int)report.outcome), report.residual);
        double there = certified(&s.view, &def, p);
        require(fabs(there - report.residual) <= 1e-12, "problem %d: %.17g here, %.17g there", i,
                report.residual, there);
        free(p);
        scree_problem_store_release(&store);
        sample_end(&s);
    }
    stock_close(&stock);
}

/* ---- validation ------------------------------------------------------------------------------ */

static void require_refused(const char* message, int rows, int law, const scree_set* const* set)
{
    double value[MAX_WIDTH * MAX_WIDTH] = {0.0};
    sample s = sample_begin(1, &rows, &law);
    int width = s.row[1];
    int32_t start[2] = {0, 1}, column[1] = {0};
    int64_t offset[2] = {0, (int64_t)width * width};
    for (int i = 0; i < width; ++i) value[i * width + i] = 1.0;
    s.view.w = (scree_bsr){start, column, offset, value};
    require_valid(&s.view);
    sample_add_sets(&s, set);
    test_host host;
    scree_env env = test_env(&host);
    scree_status status = scree_problem_validate(&env, &s.view);
    if (message) {
        require(status == SCREE_ERROR_INPUT, "%s: status %d", message, (int)status);
        require(strstr(host.text, message), "says \"%s\", not \"%s\"", host.text, message);
        require(strstr(host.text, "contact 0"), "does not name the contact: \"%s\"", host.text);
    } else {
        require(status == SCREE_OK, "%s", host.text);
    }
    sample_end(&s);
}

static void validation_refuses_what_laws_cannot_have(void** state)
{
    (void)state;
    scree_set* star = make_set(SCREE_SET_SUPERELLIPSE, 1.0, 1.0, 0.5, 0.0);
    scree_set* round = make_set(SCREE_SET_ELLIPSE, 1.0, 0.5, 0.0, 0.0);
    const scree_set *const none[4] = {NULL}, *const c[4] = {round}, *const rolls[4] = {[2] = round};
    const scree_set *const bad_c[4] = {star}, *const bad_d[4] = {round, star};
    const scree_set *const both[4] = {star, round}, *const two[4] = {round, round};
    const scree_set *const d[4] = {NULL, round}, *const roll_d[4] = {[3] = round};
    int ntt = SCREE_ROWS_NTT, all = SCREE_ROWS_NTTRRS;
    require_refused(NULL, ntt, SCREE_LAW_EXACT, none);
    require_refused(NULL, ntt, SCREE_LAW_EXACT, c);
    require_refused(NULL, all, SCREE_LAW_CONVEX, rolls);
    require_refused(NULL, ntt, SCREE_LAW_EXTENDED, both);
    require_refused(NULL, ntt, SCREE_LAW_EXTENDED, d);
    require_refused(NULL, ntt, SCREE_LAW_BILATERAL, none);
    require_refused("not convex", ntt, SCREE_LAW_EXACT, bad_c);
    require_refused("not convex", ntt, SCREE_LAW_CONVEX, bad_c);
    require_refused("not convex", ntt, SCREE_LAW_EXTENDED, bad_c); /* for want of a D */
    require_refused("not convex", ntt, SCREE_LAW_EXTENDED, bad_d);
    require_refused("needs the extended law", ntt, SCREE_LAW_EXACT, d);
    require_refused("needs the extended law", ntt, SCREE_LAW_EXACT, both);
    require_refused("needs the extended law", all, SCREE_LAW_CONVEX, roll_d);
    require_refused("planar rows", SCREE_ROWS_NT, SCREE_LAW_EXACT, c);
    require_refused("planar rows", SCREE_ROWS_NTR, SCREE_LAW_EXTENDED, two);
    require_refused("no sets", ntt, SCREE_LAW_COUPLED, c);
    require_refused("no sets", ntt, SCREE_LAW_BILATERAL, c);
    require_refused("no sets", SCREE_ROWS_N, SCREE_LAW_INTERVAL, c);
    require_refused("no sets", SCREE_ROWS_N, SCREE_LAW_HALF_LINE, rolls);
    scree_set_destroy(star);
    scree_set_destroy(round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_solves_piles_with_sets),
        cmocka_unit_test(methods_find_the_same_motion),
        cmocka_unit_test(wide_sweeps_know_ellipses),
        cmocka_unit_test(reduction_keeps_sets),
        cmocka_unit_test(validation_refuses_what_laws_cannot_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
