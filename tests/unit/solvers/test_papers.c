/* The methods as the papers state them: iterates equal to the formulas, evaluated here in another
 * way; and what the papers claim of them. */
#include "solvers/newton_maps.h"
#include "support/forms.h"

/* ---- iterates against the formulas ---- */

/* A few contacts in scaled variables: W with diagonal 1, so that they are raw ones too. */
typedef struct dense_problem {
    sample s;
    dense w;
    real q[64];
    int n; /* rows */
} dense_problem;

/* Contacts N T T R R S with a full W = A A^T + 1/2, its rows and columns scaled. */
static dense_problem draw_problem(scri_random* random, int contacts, int law)
{
    enum { WIDTH = 6 };
    int rows[8] = {0}, laws[8] = {0};
    for (int c = 0; c < contacts; ++c) rows[c] = SCREE_ROWS_NTTRRS, laws[c] = law;
    dense_problem d = {.s = sample_begin(contacts, rows, laws), .n = WIDTH * contacts};
    int n = d.n;
    double a[48][48], w[48][48];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) a[i][j] = draw_between(random, -1.0, 1.0);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            w[i][j] = i == j ? 0.5 * n : 0.0;
            for (int k = 0; k < n; ++k) w[i][j] += a[i][k] * a[j][k];
        }
    }
    d.s.w_start = sample_take(&d.s, (size_t)contacts + 1, sizeof *d.s.w_start);
    d.s.w_column = sample_take(&d.s, (size_t)(contacts * contacts), sizeof *d.s.w_column);
    d.s.w_offset = sample_take(&d.s, (size_t)(contacts * contacts) + 1, sizeof *d.s.w_offset);
    d.s.w_value = sample_take(&d.s, (size_t)(n * n), sizeof *d.s.w_value);
    for (int c = 0; c < contacts; ++c) {
        d.s.w_start[c + 1] = contacts * (c + 1);
        for (int b = 0; b < contacts; ++b) {
            int block = contacts * c + b;
            d.s.w_column[block] = b;
            d.s.w_offset[block + 1] = WIDTH * WIDTH * (block + 1);
            for (int i = 0; i < WIDTH * WIDTH; ++i) {
                int row = WIDTH * c + i / WIDTH, column = WIDTH * b + i % WIDTH;
                d.s.w_value[WIDTH * WIDTH * block + i] =
                    row == column ? 1.0 : w[row][column] / sqrt(w[row][row] * w[column][column]);
            }
        }
        for (int k = 0; k < 3; ++k) d.s.coef[3 * c + k] = draw_between(random, 0.1, 1.0);
    }
    for (int i = 0; i < n; ++i) d.s.q[i] = draw_between(random, -1.0, i % 6 == 0 ? 0.2 : 1.0);
    d.s.view.w = (scree_bsr){d.s.w_start, d.s.w_column, d.s.w_offset, d.s.w_value};
    assert_int_equal(scree_problem_validate(NULL, &d.s.view), SCREE_OK);
    d.w = dense_w(d.s.arena, &d.s.view, d.q);
    return d;
}

static void velocity_at(const dense_problem* d, const real* p, real* y)
{
    for (int i = 0; i < d->n; ++i) {
        y[i] = d->q[i];
        for (int j = 0; j < d->n; ++j) y[i] += *dense_at(&d->w, i, j) * p[j];
    }
}

/* W p + q + g(W p + q), g that of (63). */
static void modified_at(const dense_problem* d, const real* p, real* f)
{
    velocity_at(d, p, f);
    for (int c = 0; c < d->n / 6; ++c) {
        row_shape s = shape_of(SCREE_ROWS_NTTRRS);
        if (d->s.law[c] == SCREE_LAW_EXACT) {
            f[6 * c] += reference_shift(s, d->s.coef + (size_t)(3 * c), f + (size_t)(6 * c));
        }
    }
}

static void project_all(const dense_problem* d, real* p)
{
    for (int c = 0; c < d->n / 6; ++c) {
        reference_project(shape_of(SCREE_ROWS_NTTRRS), d->s.coef + (size_t)(3 * c),
                          p + (size_t)(6 * c));
    }
}

/* out = P_K(p - rho f). */
static void projected_step(const dense_problem* d, const real* p, const real* f, real rho,
                           real* out)
{
    for (int i = 0; i < d->n; ++i) out[i] = p[i] - rho * f[i];
    project_all(d, out);
}

/* (64), and with lambda < 1 (46) with K = 0. */
static void fixed_point(const dense_problem* d, double rho, double lambda, real* p)
{
    real f[64], next[64];
    modified_at(d, p, f);
    projected_step(d, p, f, (real)rho, next);
    for (int i = 0; i < d->n; ++i) p[i] = (real)lambda * next[i] + (1 - (real)lambda) * p[i];
}

/* (65). */
static void extragradient(const dense_problem* d, double rho, double lambda, real* p)
{
    real f[64], trial[64];
    (void)lambda;
    modified_at(d, p, f);
    projected_step(d, p, f, (real)rho, trial);
    modified_at(d, trial, f);
    projected_step(d, p, f, (real)rho, trial);
    memcpy(p, trial, (size_t)d->n * sizeof *p);
}

/* (46): K is the part of N below the diagonal blocks, so that contact c sees new values of those
 * before it. */
static void tasora_anitescu(const dense_problem* d, double omega, double lambda, real* p)
{
    real f[64], next[64];
    for (int c = 0; c < d->n / 6; ++c) {
        modified_at(d, p, f);
        projected_step(d, p, f, (real)omega, next);
        for (int i = 6 * c; i < 6 * c + 6; ++i) {
            p[i] = (real)lambda * next[i] + (1 - (real)lambda) * p[i];
        }
    }
}

/* Remark 2: max for the normal, then each channel onto its own disc; rho_T = rho_R / 2 = rho_S / 3
 * = rho / 2 here. */
static void separate_projections(const dense_problem* d, double rho, double lambda, real* p)
{
    real y[64];
    static const real part[6] = {1, 0.5, 0.5, 1, 1, 1.5};
    (void)lambda;
    velocity_at(d, p, y);
    for (int c = 0; c < d->n / 6; ++c) {
        row_shape s = shape_of(SCREE_ROWS_NTTRRS);
        for (int i = 0; i < 6; ++i) p[6 * c + i] -= (real)rho * part[i] * y[6 * c + i];
        real* at = p + (size_t)(6 * c);
        if (at[0] < 0) at[0] = 0;
        for (int k = 0; k < 3; ++k) {
            real length = reference_norm(s.dim[k], at + s.first[k]);
            real radius = (real)d->s.coef[3 * c + k] * at[0];
            for (int i = 0; length > radius && i < s.dim[k]; ++i)
                at[s.first[k] + i] *= radius / length;
        }
    }
}

static void iterates_are_those_of_the_papers(void** state)
{
    (void)state;
    static const struct {
        const char* solver;
        double rho, relaxation;
        int law, channels;
        void (*iterate)(const dense_problem*, double, double, real*);
    } methods[] = {
        {"fixed-point", 0.2, 1.0, SCREE_LAW_EXACT, 0, fixed_point},
        {"fixed-point", 0.2, 0.75, SCREE_LAW_CONVEX, 0, fixed_point},
        {"extragradient", 0.2, 1.0, SCREE_LAW_EXACT, 0, extragradient},
        {"extragradient", 0.3, 1.0, SCREE_LAW_CONVEX, 0, extragradient},
        {"projected", 0.4, 1.0, SCREE_LAW_EXACT, 0, tasora_anitescu},
        {"projected", 0.5, 0.8, SCREE_LAW_CONVEX, 0, tasora_anitescu},
        {"channels", 0.2, 1.0, SCREE_LAW_EXACT, 1, separate_projections},
        {"proximal", 0.2, 1.0, SCREE_LAW_EXACT, 1, separate_projections},
    };
    scri_random random = test_seed("iterates", 6465);
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        dense_problem d = draw_problem(&random, 3, methods[m].law);
        real p[64] = {0};
        for (int k = 1; k <= 12; ++k) {
            methods[m].iterate(&d, methods[m].rho, methods[m].relaxation, p);
            scree_solver_def def = solver_def(methods[m].solver, 0.0, k);
            def.rho = methods[m].rho;
            def.relaxation = methods[m].relaxation;
            if (methods[m].channels) {
                def.rho_slide = 0.5 * def.rho, def.rho_roll = def.rho, def.rho_spin = 1.5 * def.rho;
            }
            double found[64] = {0.0};
            scree_report report = solved(&d.s.view, &def, found);
            assert_int_equal(report.iterations, k);
            for (int i = 0; i < d.n; ++i) {
                require(fabs(found[i] - (double)p[i]) <= 1e-13,
                        "%s, iterate %d: p[%d] is %.17g, not %.17g", methods[m].solver, k, i,
                        found[i], (double)p[i]);
            }
        }
        sample_end(&d.s);
    }
}

/* ---- what they lead to ---- */

/* Every choice that a method of the papers leaves solves a pile. */
static void every_choice_solves(void** state)
{
    (void)state;
    static const struct {
        const char* solver;
        double rho, relaxation;
        scree_local local;
    } choices[] = {{"fixed-point", 0.0, 1.0, 0},   {"fixed-point", 0.15, 1.0, 0},
                   {"extragradient", 0.0, 1.0, 0}, {"extragradient", 0.15, 1.0, 0},
                   {"projected", 0.0, 1.0, 0},     {"projected", 0.4, 0.9, 0},
                   {"proximal", 0.0, 1.0, 0},      {"proximal", 0.15, 1.0, 0},
                   {"channels", 0.0, 1.0, 0},      {"nsgs", 0.0, 1.0, SCREE_LOCAL_EXACT},
                   {"admm", 0.0, 1.0, 0},          {"nsgs", 0.0, 1.0, SCREE_LOCAL_PROJECTION},
                   {"admm", 1.0, 1.0, 0},          {"nsgs", 0.4, 1.0, SCREE_LOCAL_PROJECTION}};
    scri_random random = test_seed("choices", 52);
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_CONVEX; ++law) {
        sphere_pile pile = {.nx = 2,
                            .ny = 2,
                            .nz = 2,
                            .noise = 0.3,
                            .rows = SCREE_ROWS_NTTRRS,
                            .law = law,
                            .coef = {0.4, 0.1, 0.05}};
        sample s = sample_pile(&pile, &random);
        for (size_t k = 0; k < sizeof choices / sizeof choices[0]; ++k) {
            scree_solver_def def = solver_def(choices[k].solver, 1e-6, 50000);
            def.rho = choices[k].rho;
            def.relaxation = choices[k].relaxation;
            def.local = choices[k].local;
            if (!fits(&s.view, &def)) continue;
            double* p = zeros_of(&s.view);
            scree_report report = solved(&s.view, &def, p);
            require(report.outcome == SCREE_OUTCOME_CONVERGED, "law %s, %s, rho %g: %s at %.2g",
                    scree_law_name(law), choices[k].solver, choices[k].rho,
                    scree_outcome_text((int)report.outcome), report.residual);
            free(p);
        }
        sample_end(&s);
    }
}

/* A method that has no use for an option refuses it. */
static void options_of_others_are_refused(void** state)
{
    (void)state;
    scri_random random = test_seed("options", 3);
    dense_problem d = draw_problem(&random, 2, SCREE_LAW_EXACT);
    static const char* const all[] = {"auto", "nsgs", "nsgs-aa", "apgd", "newton-prox", "interior"};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) {
        scree_solver_def def = solver_def(all[k], 1e-6, 100);
        def.rho = 0.1;
        assert_non_null(scree_solver_unfit(sparse_env(), &d.s.view, &def));
        def = solver_def(all[k], 1e-6, 100);
        def.relaxation = 0.9;
        assert_string_equal(scree_solver_unfit(sparse_env(), &d.s.view, &def),
                            "it has no relaxation");
        def = solver_def(all[k], 1e-6, 100);
        def.map = SCREE_MAP_NATURAL;
        assert_string_equal(scree_solver_unfit(sparse_env(), &d.s.view, &def),
                            "it has no choice of a map");
    }
    scree_solver_def def = solver_def("channels", 1e-6, 100);
    def.rho_roll = -1.0;
    assert_non_null(scree_solver_unfit(sparse_env(), &d.s.view, &def));
    def.rho_roll = (double)NAN;
    assert_non_null(scree_solver_unfit(sparse_env(), &d.s.view, &def));
    def = solver_def("projected", 1e-6, 100);
    def.relaxation = 1.5;
    assert_non_null(scree_solver_unfit(sparse_env(), &d.s.view, &def));
    def = solver_def("newton-dense", 1e-6, 100);
    def.map = SCREE_MAP_FISCHER_BURMEISTER; /* it rolls */
    assert_non_null(strstr(scree_solver_unfit(sparse_env(), &d.s.view, &def), "Jordan"));
    def.map = SCREE_MAP_NATURAL;
    assert_null(scree_solver_unfit(sparse_env(), &d.s.view, &def));
    sample_end(&d.s);
}

/* ---- maps of Newton methods ---- */

static scri_newton_map map_at(scree_newton_map kind, int rows, int law, const double* coef,
                              const double* p, const double* y)
{
    scri_newton_map map;
    memset(&map, 0xff, sizeof map);
    scri_newton_map_evaluate(kind, scri_law_get(law), (scri_terms){rows, coef, NULL, NULL, NULL}, p,
                             y, &map);
    return map;
}

/* Away from kinks, by central differences. */
static void derivatives_of_maps(void** state)
{
    (void)state;
    scri_random random = test_seed("derivatives", 17);
    int kinks = 0, n = test_cases(2000, 40000);
    for (int c = 0; c < n; ++c) {
        scree_newton_map kind = c % 2 ? SCREE_MAP_NATURAL : SCREE_MAP_FISCHER_BURMEISTER;
        int rows =
            kind == SCREE_MAP_NATURAL ? 1 + draw_below(&random, 7) : 1 + draw_below(&random, 3);
        int law = draw_below(&random, 2), width = shape_of(rows).width;
        double coef[3], p[6], y[6], h = 1e-6;
        for (int k = 0; k < 3; ++k)
            coef[k] = draw_chance(&random, 10.0) ? 0.0 : draw_between(&random, 0.1, 2.0);
        for (int i = 0; i < width; ++i) {
            p[i] = draw_between(&random, -1.0, 1.0);
            y[i] = draw_between(&random, -1.0, 1.0);
        }
        scri_newton_map at = map_at(kind, rows, law, coef, p, y);
        double error = 0.0;
        for (int j = 0; j < 2 * width; ++j) {
            double* x = j < width ? &p[j] : &y[j - width];
            double value = *x;
            *x = value + h;
            scri_newton_map up = map_at(kind, rows, law, coef, p, y);
            *x = value - h;
            scri_newton_map down = map_at(kind, rows, law, coef, p, y);
            *x = value;
            for (int i = 0; i < width; ++i) {
                double slope = (up.f[i] - down.f[i]) / (2.0 * h);
                double found = j < width ? at.by_p[i * width + j] : at.by_y[i * width + j - width];
                error = fmax(error, fabs(slope - found));
            }
        }
        kinks += !(error <= 1e-5);
    }
    require(kinks <= n / 500, "%d of %d derivatives are wrong", kinks, n);
}

/* Where there is no friction p - R(p - y) is y for a joint and the lesser of both for a limit. */
static void maps_of_joints_and_limits(void** state)
{
    (void)state;
    const double values[] = {-0.7, 0.2, 0.9}, coef[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 9; ++i) {
        double p[6] = {values[i / 3], 0.1, -0.3, 0.4, -0.5, 0.6};
        double y[6] = {values[i % 3] + 0.05, -0.2, 0.3, 0.7, 0.8, -0.9};
        scri_newton_map limit =
            map_at(SCREE_MAP_NATURAL, SCREE_ROWS_N, SCREE_LAW_HALF_LINE, coef, p, y);
        require(fabs(limit.f[0] - fmin(p[0], y[0])) <= 1e-15, "limit: %g", limit.f[0]);
        assert_true(limit.by_p[0] == (p[0] < y[0] ? 1.0 : 0.0));
        assert_true(limit.by_y[0] == (p[0] < y[0] ? 0.0 : 1.0));
        scri_newton_map joint =
            map_at(SCREE_MAP_FISCHER_BURMEISTER, SCREE_ROWS_NTT, SCREE_LAW_BILATERAL, coef, p, y);
        for (int k = 0; k < 3; ++k) {
            require(fabs(joint.f[k] - y[k]) <= 1e-15, "joint, row %d: %g", k, joint.f[k]);
            for (int j = 0; j < 3; ++j) {
                assert_true(joint.by_p[3 * k + j] == 0.0);
                assert_true(joint.by_y[3 * k + j] == (k == j ? 1.0 : 0.0));
            }
        }
    }
}

/* Zero at solutions of one contact, and nowhere near. */
static void maps_vanish_at_solutions(void** state)
{
    (void)state;
    scri_random random = test_seed("zeros", 18);
    for (int c = 0; c < test_cases(2000, 40000); ++c) {
        scree_newton_map kind = c % 2 ? SCREE_MAP_NATURAL : SCREE_MAP_FISCHER_BURMEISTER;
        int rows =
            kind == SCREE_MAP_NATURAL ? 1 + draw_below(&random, 7) : 1 + draw_below(&random, 3);
        int law = draw_below(&random, 2), width = shape_of(rows).width;
        double coef[3], q[6], w[36] = {0.0}, p[6] = {0.0}, y[6];
        for (int k = 0; k < 3; ++k) coef[k] = draw_between(&random, 0.1, 2.0);
        for (int i = 0; i < width; ++i) {
            w[i * width + i] = 1.0;
            q[i] = draw_between(&random, -1.0, 1.0);
        }
        assert_int_not_equal(
            scree_one_contact_solve((scree_rows)rows, (scree_law)law, coef, w, q, p),
            SCREE_ONE_CONTACT_NONE);
        for (int i = 0; i < width; ++i) y[i] = p[i] + q[i];
        scri_newton_map at = map_at(kind, rows, law, coef, p, y);
        for (int i = 0; i < width; ++i) require(fabs(at.f[i]) <= 1e-7, "case %d: %.3g", c, at.f[i]);
        p[0] += 0.1, y[0] += 0.1;
        at = map_at(kind, rows, law, coef, p, y);
        double size = 0.0;
        for (int i = 0; i < width; ++i) size = fmax(size, fabs(at.f[i]));
        require(size > 1e-4 || p[0] <= 0.1 + 1e-12, "case %d: zero at no solution", c);
    }
}

/* Towers of spheres to rounding, in few steps, on each map. */
static void newton_on_each_map(void** state)
{
    (void)state;
    static const scree_newton_map maps[] = {SCREE_MAP_ALART_CURNIER, SCREE_MAP_NATURAL,
                                            SCREE_MAP_FISCHER_BURMEISTER};
    scri_random random = test_seed("maps", 19);
    int good[3] = {0}, n = test_cases(20, 200);
    for (int c = 0; c < n; ++c) {
        sphere_pile pile = {.nx = 1,
                            .ny = 1,
                            .nz = 3,
                            .noise = 0.3,
                            .jitter = 0.1,
                            .rows = SCREE_ROWS_NTT,
                            .coef = {draw_between(&random, 0.2, 0.8), 0.0, 0.0}};
        sample s = sample_pile(&pile, &random);
        for (int k = 0; k < 3; ++k) {
            scree_solver_def def = solver_def("newton-dense", 1e-12, 60);
            def.map = maps[k];
            double* p = zeros_of(&s.view);
            good[k] += solved(&s.view, &def, p).outcome == SCREE_OUTCOME_CONVERGED;
            free(p);
        }
        sample_end(&s);
    }
    print_message("of %d towers: Alart-Curnier %d, natural %d, Fischer-Burmeister %d\n", n, good[0],
                  good[1], good[2]);
    for (int k = 0; k < 3; ++k) require(good[k] >= n / 2, "map %d solves %d of %d", k, good[k], n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterates_are_those_of_the_papers),
        cmocka_unit_test(every_choice_solves),
        cmocka_unit_test(options_of_others_are_refused),
        cmocka_unit_test(derivatives_of_maps),
        cmocka_unit_test(maps_of_joints_and_limits),
        cmocka_unit_test(maps_vanish_at_solutions),
        cmocka_unit_test(newton_on_each_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
