/* Reactions that are not unique: ranks against dense algebra, least ones against hand and dense
 * solutions, against each other from different first guesses, and in degenerate problems. */
#include "scree_study/packing.h"
#include "solvers/reactions_set.h"
#include "support/reactions.h"
#include "support/solving.h"

#define TOL 1e-10

/* |a - b| over |b|. */
static double difference(const double* a, const double* b, int32_t n)
{
    double sum = 0.0, size = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
    return sum == 0.0 ? 0.0 : sqrt(sum / size);
}

static double* velocity_of(const scree_problem* problem, const double* p)
{
    double* y = zeros_of(problem);
    assert_int_equal(scree_problem_velocity(NULL, problem, p, y), SCREE_OK);
    return y;
}

static scree_rank rank_of(const scree_problem* problem, const double* p)
{
    scree_rank rank;
    memset(&rank, 0xa5, sizeof rank);
    assert_int_equal(scree_reactions_rank(sparse_env(), problem, TOL, p, &rank), SCREE_OK);
    require(rank.rank >= 0 && rank.rank <= rank.active_rows &&
                rank.active_rows <= scree_problem_n_rows(problem) && rank.determined >= 0 &&
                rank.determined <= rank.unknowns && rank.unknowns <= rank.active_rows &&
                rank.determined <= rank.rank,
            "rank %d of %d, %d of %d", rank.rank, rank.active_rows, rank.determined, rank.unknowns);
    return rank;
}

/* s[n_rows] from the diagonal of w. */
static void scales_of(const scree_problem* problem, const dense* w, real* s)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->first_row[c];
        real diagonal[MAX_WIDTH];
        for (int32_t i = first; i < problem->first_row[c + 1]; ++i) {
            diagonal[i - first] = *dense_at(w, i, i);
        }
        reference_scale(problem->rows[c], problem->law[c], diagonal, 1, s + first);
    }
}

/* Calls scree_reactions_least() and checks what it promises of the velocities, the residual and the
 * norm. */
static scree_least least_of(const scree_problem* problem, double tol, double* p)
{
    int32_t n = scree_problem_n_rows(problem);
    double *before = zeros_of(problem), *y = velocity_of(problem, p);
    memcpy(before, p, (size_t)n * sizeof *p);
    scree_least least;
    memset(&least, 0xa5, sizeof least);
    assert_int_equal(scree_reactions_least(sparse_env(), problem, tol, p, &least), SCREE_OK);
    scree_solver_def def = scree_default_solver_def();
    double residual = certified(problem, &def, p);
    require(residual == least.residual, "reports %g, certified %g", least.residual, residual);
    double given = certified(problem, &def, before);
    require(residual <= tol || residual <= given, "residual %g", residual);
    require(least.steps >= 0 && least.norm >= 0.0, "%d steps", least.steps);
    if (!least.found) {
        assert_memory_equal(p, before, (size_t)n * sizeof *p);
        assert_true(least.norm == least.norm_before);
    }
    double* after = velocity_of(problem, p);
    double change = 0.0, size = fmax(largest(problem->q, n), largest(y, n));
    for (int32_t i = 0; i < n; ++i) change = fmax(change, fabs(after[i] - y[i]));
    require(change <= fmax(4e-9, 300.0 * given) * size, "velocities change by %g of %g", change,
            size);
    require(least.norm <= least.norm_before * (1.0 + 1e-8), "norm %.17g after %.17g", least.norm,
            least.norm_before);
    free(before), free(y), free(after);
    return least;
}

/* ---- cases that can be done by hand ---- */

/* A block of 2 kg, 2 x 1 x 0.4 m, on its four lower corners, or on `n` legs at places[2 n]. */
static sample standing_block(int32_t n, const double* places, int rows, int law)
{
    int* all_rows = test_take((size_t)n, sizeof(int));
    int* all_laws = test_take((size_t)n, sizeof(int));
    for (int32_t c = 0; c < n; ++c) all_rows[c] = rows, all_laws[c] = law;
    sample s = sample_begin(n, all_rows, all_laws);
    sample_add_bodies(&s, 1);
    s.inv_mass[0] = 0.5;
    s.inv_inertia[0] = 6.0 / 1.16, s.inv_inertia[1] = 6.0 / 4.16, s.inv_inertia[2] = 6.0 / 5.0;
    static const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    for (int32_t c = 0; c < n; ++c) {
        s.pair[2 * c] = 0, s.pair[2 * c + 1] = -1;
        memcpy(s.frame + 9 * (size_t)c, frame, sizeof frame);
        s.arm[6 * c] = places[2 * c], s.arm[6 * c + 1] = places[2 * c + 1];
        s.arm[6 * c + 2] = -0.2;
        s.coef[3 * c] = 0.5, s.coef[3 * c + 1] = 0.1, s.coef[3 * c + 2] = 0.1;
        s.q[s.row[c]] = -0.01;
    }
    free(all_rows), free(all_laws);
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    return s;
}

static const double corners[8] = {1.0, 0.5, -1.0, 0.5, -1.0, -0.5, 1.0, -0.5};

static void a_block_on_four_corners_stands_on_all_alike(void** state)
{
    (void)state;
    static const int all_rows[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTRRS};
    static const int ranks[] = {3, 6, 6};
    for (int k = 0; k < 9; ++k) {
        int rows = all_rows[k % 3], law = k / 3; /* exact, convex, coupled */
        sample s = standing_block(4, corners, rows, law);
        scree_problem_store reduced;
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        for (int form = 0; form < 2; ++form) {
            const scree_problem* problem = form ? &reduced.problem : &s.view;
            double* p = zeros_of(problem);
            p[s.row[0]] = p[s.row[2]] = 0.008, p[s.row[1]] = p[s.row[3]] = 0.002;
            scree_rank rank = rank_of(problem, p);
            assert_int_equal(rank.active_rows, 4 * scree_rows_width(rows));
            assert_int_equal(rank.rank, ranks[k % 3]);
            assert_int_equal(rank.unknowns, rank.active_rows);
            assert_int_equal(rank.determined, rank.rank);
            scree_least least = least_of(problem, TOL, p);
            assert_int_equal(least.found, 1);
            assert_true(least.norm < 0.9 * least.norm_before);
            for (int32_t i = 0; i < s.row[4]; ++i) {
                double expected = i % scree_rows_width(rows) ? 0.0 : 0.005;
                require(fabs(p[i] - expected) <= 1e-13, "row %d: %.17g", i, p[i]);
            }
            free(p);
        }
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

static void what_slips_is_tied_to_the_normal(void** state)
{
    (void)state;
    sample s = standing_block(4, corners, SCREE_ROWS_NTT, SCREE_LAW_EXACT);
    for (int c = 0; c < 4; ++c) s.q[3 * c + 1] = 0.1; /* no grip stops that; it tilts the load */
    double* p = zeros_of(&s.view);
    scree_solver_def def = solver_def("nsgs", 1e-13, 100000);
    assert_int_equal(solved(&s.view, &def, p).outcome, SCREE_OUTCOME_CONVERGED);
    scree_rank rank = rank_of(&s.view, p);
    assert_int_equal(rank.active_rows, 12);
    assert_int_equal(rank.rank, 6);
    assert_int_equal(rank.unknowns, 4); /* both rows of T belong to the channel that slips */
    assert_int_equal(rank.determined, 3);
    assert_int_equal(least_of(&s.view, TOL, p).found, 1);
    for (int c = 0; c < 4; ++c) {
        require(fabs(p[3 * c + 1] + 0.5 * p[3 * c]) <= 1e-12, "contact %d leaves its cone", c);
    }
    require(fabs(p[0] - p[9]) <= 1e-12 && fabs(p[3] - p[6]) <= 1e-12, "not alike: %g %g, %g %g",
            p[0], p[9], p[3], p[6]);
    free(p);
    sample_end(&s);
}

/* Fits the multipliers of H^T p: with the legs that carry, s p = H lambda / s; then the others must
 * have H lambda <= 0. Three unknowns: force and two moments. */
static void check_legs(const sample* s, const double* places, const double* p, real* scale)
{
    scri_arena* arena = scri_arena_create(NULL);
    dense normal = dense_zero(arena, 3, 3);
    real right[3] = {0, 0, 0}, lambda[3] = {0, 0, 0};
    int32_t n = s->view.n_contacts;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t c = 0; c < n; ++c) {
            real h[3] = {1 / scale[c], (real)places[2 * c] / scale[c],
                         (real)places[2 * c + 1] / scale[c]};
            real value = scale[c] * (real)p[c];
            if (pass == 1) {
                real fit = reference_dot(3, h, lambda);
                require(real_abs(value - (fit > 0 ? fit : 0)) <= 1e-11, "leg %d: %.3g, not %.3g", c,
                        (double)value, (double)fit);
                continue;
            }
            for (int i = 0; i < 9 && p[c] > 0.0; ++i) normal.a[i] += h[i / 3] * h[i % 3];
            for (int i = 0; i < 3 && p[c] > 0.0; ++i) right[i] += h[i] * value;
        }
        dense inverse = dense_inverse(arena, &normal);
        for (int i = 0; i < 3; ++i)
            lambda[i] = reference_dot(3, inverse.a + (size_t)(3 * i), right);
    }
    scri_arena_destroy(arena);
}

static void a_table_with_many_legs_has_the_solution_of_dense_algebra(void** state)
{
    (void)state;
    enum { LEGS = 100 };
    scri_random random = test_seed("legs", 140);
    int idle = 0;
    for (int n = 0; n < test_cases(6, 60); ++n) {
        double places[2 * LEGS];
        for (int i = 0; i < 2 * LEGS; ++i) places[i] = draw_between(&random, -1.0, 1.0);
        sample s = standing_block(LEGS, places, SCREE_ROWS_N,
                                  n % 2 ? SCREE_LAW_HALF_LINE : SCREE_LAW_EXACT);
        double push = draw_between(&random, 0.0, 0.009), down = draw_power(&random, -3.0, -1.0);
        for (int c = 0; c < LEGS; ++c) s.q[c] = down * (-1.0 + 100.0 * push * places[2 * c]);
        double *p = zeros_of(&s.view), *other = zeros_of(&s.view);
        for (int c = 0; c < LEGS; ++c) other[c] = draw_between(&random, 0.0, 0.01);
        scree_solver_def def = solver_def("nsgs", 1e-13, 1000000);
        assert_int_equal(solved(&s.view, &def, p).outcome, SCREE_OUTCOME_CONVERGED);
        assert_int_equal(solved(&s.view, &def, other).outcome, SCREE_OUTCOME_CONVERGED);
        require(difference(other, p, LEGS) >= 1e-3, "case %d: the solutions do not differ", n);
        scree_rank rank = rank_of(&s.view, p);
        require(rank.rank == 3 && rank.active_rows > 3, "case %d: rank %d of %d", n, rank.rank,
                rank.active_rows);
        assert_int_equal(least_of(&s.view, TOL, p).found, 1);
        assert_int_equal(least_of(&s.view, TOL, other).found, 1);
        require(difference(other, p, LEGS) <= 1e-8, "case %d: differ by %g", n,
                difference(other, p, LEGS));
        dense w = dense_w(s.arena, &s.view, NULL);
        real scale[LEGS];
        scales_of(&s.view, &w, scale);
        check_legs(&s, places, p, scale);
        for (int c = 0; c < LEGS; ++c) idle += p[c] == 0.0;
        free(p), free(other);
        sample_end(&s);
    }
    require(idle > 0, "every leg carries something");
}

/* ---- the sets ---- */

static void draw_contact(scri_random* random, int* rows, int* law, double coef[3])
{
    static const int frictional[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_COUPLED};
    *rows = 1 + draw_below(random, SCREE_ROWS_END - 1);
    *law = frictional[draw_below(random, 3)];
    for (int k = 0; k < 3; ++k) {
        coef[k] = draw_chance(random, 15.0) ? 0.0 : draw_power(random, -2.0, 1.0);
    }
}

static void sets_are_convex_and_their_projections_closest_points(void** state)
{
    (void)state;
    scri_random random = test_seed("sets", 141);
    int kinds[4] = {0, 0, 0, 0}, smooth = 0;
    for (int n = 0; n < test_size(2000, 40000); ++n) {
        int rows, law;
        double coef[3], p[6], y[6], z[6], q[6], x[6], d[36];
        draw_contact(&random, &rows, &law, coef);
        int width = scree_rows_width(rows);
        for (int i = 0; i < width; ++i) {
            p[i] = draw_between(&random, -1.0, 1.0);
            y[i] = draw_chance(&random, 50.0) ? 0.0 : draw_between(&random, -1.0, 1.0);
            z[i] = draw_between(&random, -1.0, 1.0);
            x[i] = draw_between(&random, -1.0, 1.0);
        }
        y[0] = draw_chance(&random, 80.0) ? 0.0 : y[0];
        scri_reaction_set set = test_reaction_set(law, rows, coef, p, y, 1e-9);
        ++kinds[set.kind];
        scri_reaction_set_project(&set, rows, z, p, d);
        scri_reaction_set_project(&set, rows, x, q, NULL);
        double inner = 0.0, back = 0.0;
        for (int i = 0; i < width; ++i) inner += (z[i] - p[i]) * (q[i] - p[i]);
        require(inner <= 1e-13, "case %d: not the closest point, %g", n, inner);
        scri_reaction_set_project(&set, rows, p, x, NULL);
        for (int i = 0; i < width; ++i) back = fmax(back, fabs(x[i] - p[i]));
        require(back <= 1e-13, "case %d: p is not in the set, %g", n, back);
        double* cone = memcpy(x, p, sizeof x);
        scri_law_get(law)->project((scri_terms){rows, coef, NULL, NULL, NULL}, cone);
        for (int i = 0; i < width; ++i) {
            require(fabs(cone[i] - p[i]) <= 1e-12, "case %d: leaves the cone of the law", n);
        }
        const double h = 1e-6;
        double error = 0.0, kink = 0.0;
        for (int j = 0; j < width; ++j) {
            double up[6], down[6], moved[6];
            memcpy(moved, z, sizeof moved);
            moved[j] = z[j] + h;
            scri_reaction_set_project(&set, rows, moved, up, NULL);
            moved[j] = z[j] - h;
            scri_reaction_set_project(&set, rows, moved, down, NULL);
            for (int i = 0; i < width; ++i) {
                error = fmax(error, fabs((up[i] - down[i]) / (2.0 * h) - d[i * width + j]));
                kink = fmax(kink, fabs(up[i] + down[i] - 2.0 * p[i]) / h);
                require(fabs(d[i * width + j] - d[j * width + i]) <= 1e-12,
                        "case %d: the derivative is not symmetric", n);
            }
        }
        require(error <= 1e-4 || kink > 1e-4, "case %d: kind %d, derivative off by %g", n,
                (int)set.kind, error);
        smooth += kink <= 1e-4;
    }
    assert_true(kinds[SCRI_REACTION_SET_WITHIN] > 0 && kinds[SCRI_REACTION_SET_CONE] > 0 &&
                kinds[SCRI_REACTION_SET_ELLIPSOID] > 0 && smooth > 1000);
}

/* ---- packings ---- */

static scree_problem_store packing_of(int contacts, int rows, int law, double noise, uint64_t seed)
{
    scree_packing_def def = scree_default_packing_def();
    def.contacts = contacts;
    def.rows = (scree_rows)rows;
    def.law = (scree_law)law;
    def.noise = noise;
    def.seed = seed;
    scree_problem_store store;
    assert_int_equal(scree_packing_create(NULL, &def, &store), SCREE_OK);
    return store;
}

/* Rank of a symmetric matrix without negative eigenvalues: Cholesky with the largest pivots. */
static int32_t dense_rank(const double* a, int32_t n)
{
    double* l = test_take((size_t)n * (size_t)n, sizeof *l);
    double* rest = test_take((size_t)n, sizeof *rest);
    int32_t rank = 0;
    for (int32_t i = 0; i < n; ++i) rest[i] = a[(size_t)i * (size_t)n + (size_t)i];
    for (; rank < n; ++rank) {
        int32_t pivot = 0;
        for (int32_t i = 1; i < n; ++i) pivot = rest[i] > rest[pivot] ? i : pivot;
        if (!(rest[pivot] > 1e-7)) break;
        const double* from = l + (size_t)pivot * (size_t)n;
        double root = sqrt(rest[pivot]);
        for (int32_t i = 0; i < n; ++i) {
            double* row = l + (size_t)i * (size_t)n;
            double sum = a[(size_t)i * (size_t)n + (size_t)pivot];
            for (int32_t k = 0; k < rank; ++k) sum -= row[k] * from[k];
            row[rank] = sum / root;
            rest[i] -= row[rank] * row[rank];
        }
        rest[pivot] = 0.0;
    }
    free(l), free(rest);
    return rank;
}

/* Columns of B, as dense vectors of n_rows: all active rows, or (tied) the unknowns, found from the
 * raw velocities. Returns how many. */
static int32_t dense_unknowns(const scree_problem* problem, const double* y, const real* scale,
                              int tied, double* b)
{
    size_t n = (size_t)scree_problem_n_rows(problem);
    int32_t count = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->first_row[c];
        row_shape f = shape_of(problem->rows[c]);
        double scaled[MAX_WIDTH], mu[CHANNELS], length[CHANNELS], hold = 0.0, size = 1.0;
        for (int i = 0; i < f.width; ++i) scaled[i] = y[first + i] / (double)scale[first + i];
        for (int k = 0; k < CHANNELS; ++k) {
            double square = 0.0;
            for (int i = 0; i < f.dim[k]; ++i) {
                square += scaled[f.first[k] + i] * scaled[f.first[k] + i];
            }
            length[k] = sqrt(square);
            mu[k] = f.dim[k] == 0 ? 0.0
                                  : problem->coef[3 * c + k] *
                                        (double)(scale[first + f.first[k]] / scale[first]);
            if (problem->law[c] == SCREE_LAW_CONVEX) hold += mu[k] * length[k];
            if (tied && length[k] > 1e-9) size += mu[k] * mu[k];
        }
        if (scaled[0] - hold > 1e-9) continue;
        double* axis = b + n * (size_t)count++;
        axis[first] = 1.0 / sqrt(size);
        for (int k = 0; k < CHANNELS; ++k) {
            for (int i = f.first[k]; mu[k] > 0.0 && i < f.first[k] + f.dim[k]; ++i) {
                if (tied && length[k] > 1e-9) {
                    axis[first + i] = -mu[k] * scaled[i] / length[k] / sqrt(size);
                } else {
                    b[n * (size_t)count++ + (size_t)(first + i)] = 1.0;
                }
            }
        }
    }
    return count;
}

/* B^T S^-1 (W + C) S^-1 B. */
static int32_t dense_rank_between(const scree_problem* problem, const dense* w, const real* scale,
                                  const double* b, int32_t count)
{
    size_t n = (size_t)w->n, m = (size_t)count;
    double* half = test_take(n * m, sizeof *half);
    double* full = test_take(m * m, sizeof *full);
    for (size_t j = 0; j < m; ++j) {
        for (size_t k = 0; k < n; ++k) {
            if (b[n * j + k] == 0.0) continue;
            for (size_t i = 0; i < n; ++i) {
                double entry = (double)(w->a[i * n + k] / (scale[i] * scale[k]));
                half[n * j + i] += entry * b[n * j + k];
            }
        }
    }
    for (size_t i = 0; i < m; ++i) {
        for (size_t k = 0; k < n; ++k) {
            if (b[n * i + k] == 0.0) continue;
            for (size_t j = 0; j < m; ++j) full[i * m + j] += b[n * i + k] * half[n * j + k];
        }
    }
    int32_t rank = dense_rank(full, count);
    (void)problem;
    free(half), free(full);
    return rank;
}

/* The counts of an assembled problem, from dense algebra. */
static scree_rank dense_count(const scree_problem* problem, const double* p)
{
    scri_arena* arena = scri_arena_create(NULL);
    dense w = dense_w(arena, problem, NULL);
    size_t n = (size_t)w.n;
    for (size_t i = 0; i < n && problem->compliance; ++i) {
        w.a[i * n + i] += (real)problem->compliance[i];
    }
    real* scale = test_take(n, sizeof *scale);
    scales_of(problem, &w, scale);
    double *y = velocity_of(problem, p), *b = test_take(n * n, sizeof *b);
    scree_rank out;
    out.active_rows = dense_unknowns(problem, y, scale, 0, b);
    out.rank = dense_rank_between(problem, &w, scale, b, out.active_rows);
    memset(b, 0, n * n * sizeof *b);
    out.unknowns = dense_unknowns(problem, y, scale, 1, b);
    out.determined = dense_rank_between(problem, &w, scale, b, out.unknowns);
    free(scale), free(y), free(b);
    scri_arena_destroy(arena);
    return out;
}

static void require_same_rank(const scree_rank* found, const scree_rank* expected, const char* what)
{
    require(memcmp(found, expected, sizeof *found) == 0,
            "%s: rank %d of %d, %d of %d; dense algebra has %d of %d, %d of %d", what, found->rank,
            found->active_rows, found->determined, found->unknowns, expected->rank,
            expected->active_rows, expected->determined, expected->unknowns);
}

/* Compliance in every third row, or in all. */
static double* draw_compliance(const scree_problem* problem, int which)
{
    double* c = zeros_of(problem);
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        if (which == 2 || (which == 1 && i % 3 == 0)) c[i] = 0.05;
    }
    return c;
}

static void ranks_are_those_of_dense_algebra(void** state)
{
    (void)state;
    static const int all_rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS};
    int hyperstatic = 0, slipping = 0;
    for (int k = 0; k < test_size(12, 36); ++k) {
        int soft = k / 12, law = k % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        scree_problem_store store = packing_of(k % 12 < 2 ? 100 : 30, all_rows[k % 3], law,
                                               k % 4 < 2 ? 0.0 : 2.0, (uint64_t)k);
        scree_problem problem = store.problem;
        double* compliance = draw_compliance(&problem, soft);
        if (soft) problem.compliance = compliance;
        double* p = zeros_of(&problem);
        scree_solver_def def = solver_def("newton-prox", 1e-12, 2000);
        scree_report report = solved(&problem, &def, p);
        require(report.residual <= 1e-10, "case %d: %g", k, report.residual);
        scree_problem_store reduced;
        assert_int_equal(scree_problem_reduce(NULL, &problem, &reduced), SCREE_OK);
        scree_rank expected = dense_count(&reduced.problem, p);
        scree_rank bodies = rank_of(&problem, p), assembled = rank_of(&reduced.problem, p);
        require_same_rank(&bodies, &expected, "bodies");
        require_same_rank(&assembled, &expected, "assembled");
        hyperstatic += expected.determined < expected.unknowns;
        slipping += expected.unknowns < expected.active_rows;
        assert_true(soft < 2 || expected.rank == expected.active_rows);
        scree_problem_store_release(&reduced);
        scree_problem_store_release(&store);
        free(p), free(compliance);
    }
    require(hyperstatic > 1 && slipping > 3, "%d hyperstatic, %d slipping", hyperstatic, slipping);
}

/* Two solutions of one problem, from zero and from a random guess. */
static void solve_twice(const scree_problem* problem, scri_random* random, double* p[2])
{
    scree_solver_def def = solver_def("newton-prox", 1e-12, 3000);
    if (problem->law[0] == SCREE_LAW_COUPLED) def = solver_def("nsgs-aa", TOL, 100000);
    for (int k = 0; k < 2; ++k) {
        p[k] = zeros_of(problem);
        for (int32_t c = 0; c < problem->n_contacts && k; ++c) {
            p[k][problem->first_row[c]] = draw_between(random, 0.0, 0.2);
        }
        scree_report report = solved(problem, &def, p[k]);
        require(report.residual <= TOL, "not solved: %g", report.residual);
    }
}

static void packings_have_one_least_solution(void** state)
{
    (void)state;
    static const int laws[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_COUPLED};
    scri_random random = test_seed("packings", 142);
    int compared[3] = {0, 0, 0}, changed = 0;
    for (int k = 0; k < test_size(12, 24); ++k) {
        int law = laws[k % 3], rows = k / 3 % 2 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTT;
        double noise = k / 6 % 2 ? 0.3 : 0.0;
        int contacts = k < 12 || law == SCREE_LAW_COUPLED ? 100 : 396;
        scree_problem_store store = packing_of(contacts, rows, law, noise, (uint64_t)k);
        const scree_problem* problem = &store.problem;
        int32_t n = scree_problem_n_rows(problem);
        double *p[2], *y[2];
        solve_twice(problem, &random, p);
        double before = difference(p[1], p[0], n);
        for (int i = 0; i < 2; ++i) {
            require(least_of(problem, 100.0 * TOL, p[i]).found, "case %d: not found", k);
            y[i] = velocity_of(problem, p[i]);
        }
        double apart = 0.0, after = difference(p[1], p[0], n);
        for (int32_t i = 0; i < n; ++i) apart = fmax(apart, fabs(y[1][i] - y[0][i]));
        int same = apart <= 1e-7 * largest(problem->q, n);
        /* The exact law may have solutions with other velocities; the others have not. */
        require(same || law == SCREE_LAW_EXACT, "case %d: velocities differ by %g", k, apart);
        require(!same || after <= 1e-5, "case %d: two answers, %g apart (before %g), velocities %g",
                k, after, before, apart);
        compared[k % 3] += same && before > 1e-3;
        changed += before > 1e-3 && after <= 1e-5;
        for (int i = 0; i < 2; ++i) free(p[i]), free(y[i]);
        scree_problem_store_release(&store);
    }
    require(compared[0] > 0 && compared[1] > 0, "only %d and %d compared", compared[0],
            compared[1]); /* under the coupled law everything slips */
    require(changed > 2, "only %d became one", changed);
}

static void both_forms_give_the_same(void** state)
{
    (void)state;
    for (int k = 0; k < test_few(4, 2); ++k) {
        int law = k % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        scree_problem_store store = packing_of(100, SCREE_ROWS_NTTRRS, law, 0.3 * (k / 2), 3);
        scree_problem_store reduced;
        assert_int_equal(scree_problem_reduce(NULL, &store.problem, &reduced), SCREE_OK);
        int32_t n = scree_problem_n_rows(&store.problem);
        double *p = zeros_of(&store.problem), *other = zeros_of(&store.problem);
        scree_solver_def def = solver_def("newton-prox", 1e-12, 3000);
        (void)solved(&store.problem, &def, p);
        memcpy(other, p, (size_t)n * sizeof *p);
        assert_int_equal(least_of(&store.problem, TOL, p).found, 1);
        assert_int_equal(least_of(&reduced.problem, TOL, other).found, 1);
        require(difference(other, p, n) <= 1e-7, "case %d: %g apart", k, difference(other, p, n));
        free(p), free(other);
        scree_problem_store_release(&reduced);
        scree_problem_store_release(&store);
    }
}

static void compliance_makes_reactions_unique(void** state)
{
    (void)state;
    scree_problem_store store = packing_of(100, SCREE_ROWS_NTTRRS, SCREE_LAW_CONVEX, 0.3, 5);
    scree_problem problem = store.problem;
    int32_t n = scree_problem_n_rows(&problem);
    double* compliance = draw_compliance(&problem, 2);
    problem.compliance = compliance;
    double *p = zeros_of(&problem), *before = zeros_of(&problem);
    scree_solver_def def = solver_def("newton-prox", 1e-12, 3000);
    (void)solved(&problem, &def, p);
    memcpy(before, p, (size_t)n * sizeof *p);
    scree_problem_store reduced;
    assert_int_equal(scree_problem_reduce(NULL, &problem, &reduced), SCREE_OK);
    scree_rank rank = rank_of(&problem, p), assembled = rank_of(&reduced.problem, p);
    assert_int_equal(rank.determined, rank.unknowns);
    assert_int_equal(rank.rank, rank.active_rows);
    require_same_rank(&assembled, &rank, "assembled");
    scree_problem_store_release(&reduced);
    assert_int_equal(least_of(&problem, TOL, p).found, 1);
    require(difference(p, before, n) <= 1e-8, "moved by %g", difference(p, before, n));
    compliance[n / 2] = (double)NAN;
    scree_status status = scree_reactions_rank(sparse_env(), &problem, TOL, before, &rank);
    assert_int_equal(status, SCREE_ERROR_INPUT);
    free(p), free(before), free(compliance);
    scree_problem_store_release(&store);
}

/* ---- all laws, and what is degenerate ---- */

/* Impulses that obey the law of contact c at rest (where = 0) or at its limit, with a velocity. */
static void draw_state(const sample* s, scri_random* random, int32_t c, int at_limit, double* p,
                       double* y)
{
    int32_t first = s->row[c], width = s->row[c + 1] - first;
    int law = s->law[c];
    for (int32_t i = 0; i < width; ++i) p[first + i] = draw_between(random, -1.0, 1.0);
    if (at_limit && law != SCREE_LAW_BILATERAL) {
        memset(p + first, 0, (size_t)width * sizeof *p);
        if (law == SCREE_LAW_INTERVAL) p[first] = s->coef[3 * c];
        y[first] = draw_between(random, 0.1, 1.0);
    }
    scri_law_get(law)->project((scri_terms){s->rows[c], s->coef + 3 * (size_t)c, NULL, NULL, NULL},
                               p + first);
}

/* A random problem that p[n_rows] solves. */
static sample draw_solved(scri_random* random, int n, double* p)
{
    static const int spatial[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                  SCREE_ROWS_NTTRRS};
    int32_t contacts = 1 + draw_below(random, 25);
    int rows[25], law[25];
    for (int32_t c = 0; c < contacts; ++c) {
        law[c] = draw_below(random, SCREE_LAW_COUNT);
        rows[c] = law[c] >= SCREE_LAW_INTERVAL ? SCREE_ROWS_N : spatial[draw_below(random, 5)];
    }
    sample s = sample_begin(contacts, rows, law);
    draw_bodies(&s, random, 2 + draw_below(random, 4));
    double* y = sample_take(&s, (size_t)s.row[contacts], sizeof *y);
    for (int32_t c = 0; c < contacts; ++c) {
        for (int k = 0; k < 3 && law[c] <= SCREE_LAW_COUPLED; ++k) {
            s.coef[3 * c + k] = draw_chance(random, 15.0) ? 0.0 : draw_power(random, -2.0, 3.0);
        }
        if (law[c] == SCREE_LAW_INTERVAL) {
            s.coef[3 * c] = draw_between(random, -2.0, 0.0);
            s.coef[3 * c + 1] = draw_between(random, 0.0, 2.0);
        }
        draw_state(&s, random, c, n % 2 && draw_chance(random, 30.0), p, y);
    }
    double* moved = velocity_of(&s.view, p);
    for (int32_t i = 0; i < s.row[contacts]; ++i) s.q[i] = y[i] - moved[i];
    free(moved);
    return s;
}

static void random_problems_of_all_laws_have_closest_points(void** state)
{
    (void)state;
    scri_random random = test_seed("laws", 143);
    int cases = test_cases(100, 1000), missed = 0;
    for (int n = 0; n < cases; ++n) {
        double p[25 * MAX_WIDTH], before[25 * MAX_WIDTH];
        sample s = draw_solved(&random, n, p);
        int32_t n_rows = s.row[s.view.n_contacts];
        test_host host;
        scree_env env = test_env(&host);
        require(scree_problem_validate(&env, &s.view) == SCREE_OK, "case %d: %s", n, host.text);
        memcpy(before, p, sizeof before);
        (void)rank_of(&s.view, p);
        scree_least least = least_of(&s.view, TOL, p);
        missed += !least.found;
        /* In a convex set the closest point to 0 has all others on its far side. */
        dense w = dense_w(s.arena, &s.view, NULL);
        real scale[25 * MAX_WIDTH], beyond = 0;
        scales_of(&s.view, &w, scale);
        for (int32_t i = 0; i < n_rows; ++i) {
            beyond += scale[i] * scale[i] * (real)p[i] * ((real)before[i] - (real)p[i]);
        }
        real size = (real)least.norm_before * (real)least.norm_before;
        require(beyond >= -1e-6 * size || !least.found, "case %d: %.3g of %.3g", n, (double)beyond,
                (double)size);
        sample_end(&s);
    }
    require(missed <= cases / 100, "%d of %d not found", missed, cases);
}

static void degenerate_problems_end(void** state)
{
    (void)state;
    /* Nothing can move: every impulse is without effect, and the least ones are zero. */
    sample s = standing_block(4, corners, SCREE_ROWS_NTT, SCREE_LAW_EXACT);
    s.inv_mass[0] = 0.0;
    memset(s.inv_inertia, 0, 6 * sizeof(double));
    memset(s.q, 0, 12 * sizeof(double));
    double* p = zeros_of(&s.view);
    for (int c = 0; c < 4; ++c) p[3 * c] = 1.0 + c;
    scree_rank rank = rank_of(&s.view, p);
    require(rank.rank == 0 && rank.active_rows == 12, "rank %d of %d", rank.rank, rank.active_rows);
    assert_int_equal(least_of(&s.view, TOL, p).found, 1);
    require(largest(p, 12) == 0.0, "an impulse of %g", largest(p, 12));
    /* Not a number is no solution. */
    p[3] = NAN;
    scree_least least;
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, TOL, p, &rank), SCREE_OK);
    assert_int_equal(scree_reactions_least(sparse_env(), &s.view, TOL, p, &least), SCREE_OK);
    assert_true(least.found == 0 && isnan(p[3]));
    free(p);
    sample_end(&s);
    /* The same corner a hundred times over. */
    double places[2 * 100];
    for (int i = 0; i < 200; ++i) places[i] = corners[i % 8];
    s = standing_block(100, places, SCREE_ROWS_NTT, SCREE_LAW_CONVEX);
    p = zeros_of(&s.view);
    for (int c = 0; c < 4; ++c) p[3 * c] = 0.005;
    rank = rank_of(&s.view, p);
    require(rank.rank == 6 && rank.active_rows == 300, "rank %d of %d", rank.rank,
            rank.active_rows);
    assert_int_equal(least_of(&s.view, TOL, p).found, 1);
    for (int i = 0; i < 300; ++i) {
        require(fabs(p[i] - (i % 3 ? 0.0 : 0.0002)) <= 1e-14, "row %d: %g", i, p[i]);
    }
    free(p);
    sample_end(&s);
}

static void wrong_calls_are_refused(void** state)
{
    (void)state;
    sample s = standing_block(4, corners, SCREE_ROWS_NTT, SCREE_LAW_EXACT);
    double* p = zeros_of(&s.view);
    scree_rank rank;
    scree_least least;
    assert_int_equal(scree_reactions_rank(NULL, NULL, TOL, p, &rank), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, TOL, NULL, &rank),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, TOL, p, NULL),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, -1.0, p, &rank),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, NAN, p, &rank),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_least(NULL, NULL, TOL, p, &least), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_least(sparse_env(), &s.view, TOL, NULL, &least),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_least(sparse_env(), &s.view, TOL, p, NULL),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_reactions_least(sparse_env(), &s.view, -1.0, p, &least),
                     SCREE_ERROR_ARGUMENT);
    s.view.form = SCREE_FORM_FACTORED;
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, TOL, p, &rank),
                     SCREE_ERROR_UNSUPPORTED);
    assert_int_equal(scree_reactions_least(sparse_env(), &s.view, TOL, p, &least),
                     SCREE_ERROR_UNSUPPORTED);
    s.view.form = SCREE_FORM_BODIES;
    s.view.n_contacts = 0;
    assert_int_equal(scree_reactions_rank(sparse_env(), &s.view, TOL, p, &rank), SCREE_OK);
    assert_true(rank.active_rows == 0 && rank.rank == 0);
    assert_int_equal(scree_reactions_least(sparse_env(), &s.view, TOL, p, &least),
                     SCREE_ERROR_INPUT);
    free(p);
    sample_end(&s);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    for (int form = 0; form < 2; ++form) {
        scree_problem_store store = packing_of(100, SCREE_ROWS_NTT, SCREE_LAW_CONVEX, 0.0, 1);
        scree_problem_store reduced;
        assert_int_equal(scree_problem_reduce(NULL, &store.problem, &reduced), SCREE_OK);
        const scree_problem* problem = form ? &reduced.problem : &store.problem;
        double *p = zeros_of(problem), *work = zeros_of(problem);
        scree_solver_def def = solver_def("newton-prox", 1e-11, 3000);
        (void)solved(problem, &def, p);
        int whole = 0;
        for (long k = 0; whole < 2; ++k) {
            for (int call = 0; call < 2; ++call) {
                test_host host;
                scree_env env = test_env(&host);
                host.fail_at = k;
                scree_rank rank;
                scree_least least;
                memcpy(work, p, (size_t)scree_problem_n_rows(problem) * sizeof *p);
                scree_status status = call ? scree_reactions_least(&env, problem, TOL, work, &least)
                                           : scree_reactions_rank(&env, problem, TOL, work, &rank);
                require(status == (host.n_asked > k ? SCREE_ERROR_MEMORY : SCREE_OK),
                        "allocation %ld: %s", k, scree_status_text(status));
                assert_int_equal(host.n_logged, status == SCREE_OK ? 0 : 1);
                assert_int_equal(host.n_held, 0);
                assert_true(status == SCREE_OK || memcmp(work, p, sizeof *p) == 0);
                whole = status == SCREE_OK ? whole + 1 : 0;
            }
        }
        free(p), free(work);
        scree_problem_store_release(&reduced);
        scree_problem_store_release(&store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_four_corners_stands_on_all_alike),
        cmocka_unit_test(what_slips_is_tied_to_the_normal),
        cmocka_unit_test(a_table_with_many_legs_has_the_solution_of_dense_algebra),
        cmocka_unit_test(sets_are_convex_and_their_projections_closest_points),
        cmocka_unit_test(ranks_are_those_of_dense_algebra),
        cmocka_unit_test(packings_have_one_least_solution),
        cmocka_unit_test(both_forms_give_the_same),
        cmocka_unit_test(compliance_makes_reactions_unique),
        cmocka_unit_test(random_problems_of_all_laws_have_closest_points),
        cmocka_unit_test(degenerate_problems_end),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
