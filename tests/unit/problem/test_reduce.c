/* The three forms of a problem: the reduced W and q against dense algebra, the same velocities in
 * all forms, singular masses, and failing memory. */
#include "support/problems.h"

/* Mixed rows; in the bodies form without planar ones. */
static sample draw_contacts(scri_random* random, int32_t n, int spatial)
{
    enum { MOST = 60 };
    static const int kinds[] = {SCREE_ROWS_N,     SCREE_ROWS_NTT,    SCREE_ROWS_NTTS,
                                SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS, SCREE_ROWS_NT,
                                SCREE_ROWS_NTR};
    int rows[MOST], law[MOST];
    assert_true(n <= MOST);
    for (int32_t c = 0; c < n; ++c) {
        rows[c] = kinds[draw_below(random, spatial ? 5 : 7)];
        law[c] = draw_below(random, 4);
    }
    sample s = sample_begin(n, rows, law);
    for (int32_t i = 0; i < 3 * n; ++i) s.coef[i] = scri_random_uniform(random);
    for (int32_t i = 0; i < s.row[n]; ++i) s.q[i] = draw_between(random, -1.0, 1.0);
    return s;
}

/* y of the library against W p + q + C p done densely, relative to the sizes involved. */
static real velocity_error(const scree_problem* p, scri_random* random)
{
    scri_arena* arena = scri_arena_create(NULL);
    int32_t n = p->first_row[p->n_contacts];
    double* impulse = scri_arena_take(arena, (size_t)n, sizeof *impulse);
    double* y = scri_arena_take(arena, (size_t)n, sizeof *y);
    real* q = scri_arena_take(arena, (size_t)n, sizeof *q);
    for (int32_t i = 0; i < n; ++i) impulse[i] = draw_between(random, -1.0, 1.0);
    dense w = dense_w(arena, p, q);
    assert_int_equal(scree_problem_velocity(NULL, p, impulse, y), SCREE_OK);
    real worst = 0, size = 1;
    for (int32_t i = 0; i < n; ++i) {
        real expected = q[i], sum = real_abs(q[i]);
        for (int32_t j = 0; j < n; ++j) {
            expected += *dense_at(&w, i, j) * (real)impulse[j];
            sum += real_abs(*dense_at(&w, i, j) * (real)impulse[j]);
        }
        if (p->compliance) expected += (real)p->compliance[i] * (real)impulse[i];
        if (sum > size) size = sum;
        if (!(real_abs((real)y[i] - expected) <= worst)) worst = real_abs((real)y[i] - expected);
    }
    scri_arena_destroy(arena);
    return worst / size;
}

static void assert_reduced_well(const scree_problem* p, const char* what)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_problem_store store;
    memset(&store, 0xff, sizeof store);
    assert_int_equal(scree_problem_reduce(&env, p, &store), SCREE_OK);
    const scree_problem* r = &store.problem;
    scree_status status = scree_problem_validate(&env, r);
    require(status == SCREE_OK, "%s: the reduced problem is not valid: %s", what, host.text);
    assert_int_equal(r->form, SCREE_FORM_ASSEMBLED);
    int32_t n = p->n_contacts, n_rows = p->first_row[n];
    assert_int_equal(r->n_contacts, n);
    assert_memory_equal(r->first_row, p->first_row, ((size_t)n + 1) * sizeof *p->first_row);
    assert_memory_equal(r->rows, p->rows, (size_t)n);
    assert_memory_equal(r->law, p->law, (size_t)n);
    assert_memory_equal(r->coef, p->coef, 3 * (size_t)n * sizeof *p->coef);
    assert_int_equal(r->compliance != NULL, p->compliance != NULL);
    if (p->compliance) {
        assert_memory_equal(r->compliance, p->compliance, (size_t)n_rows * sizeof(double));
    }
    scri_arena* arena = scri_arena_create(NULL);
    real* q = scri_arena_take(arena, (size_t)n_rows, sizeof *q);
    dense expected = dense_w(arena, p, q), found = dense_w(arena, r, NULL);
    real gap = dense_difference(&expected, &found), worst = 0, size = 1;
    require(gap <= 1e-13, "%s: W differs by %.2g", what, (double)gap);
    for (int32_t i = 0; i < n_rows; ++i) {
        if (real_abs(q[i]) > size) size = real_abs(q[i]);
        if (!(real_abs((real)r->q[i] - q[i]) <= worst)) worst = real_abs((real)r->q[i] - q[i]);
    }
    require(worst <= 1e-13 * size, "%s: q differs by %.2g", what, (double)worst);
    /* every contact has its diagonal block, even where nothing can move */
    for (int32_t c = 0; c < n; ++c) {
        int own = 0;
        for (int32_t k = r->w.start[c]; k < r->w.start[c + 1]; ++k) own |= r->w.column[k] == c;
        require(own || p->form == SCREE_FORM_ASSEMBLED, "%s: contact %d has no diagonal block",
                what, (int)c);
    }
    scri_arena_destroy(arena);
    scree_problem_store_release(&store);
    assert_null(store.memory);
    assert_null(store.problem.first_row);
    scree_problem_store_release(&store); /* a zeroed store is allowed */
    assert_int_equal(host.n_held, 0);
    assert_int_equal(host.n_logged, 0);
}

static void bodies_against_dense_algebra(void** state)
{
    (void)state;
    scri_random random = test_seed("bodies", 71);
    real worst = 0;
    for (int i = 0; i < 60; ++i) {
        sample s = draw_contacts(&random, 1 + draw_below(&random, 20), 1);
        draw_bodies(&s, &random, 1 + draw_below(&random, 8));
        if (i % 2) sample_add_compliance(&s, &random, 0.1);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        assert_reduced_well(&s.view, "bodies");
        real error = velocity_error(&s.view, &random);
        require(error <= 1e-13, "case %d: velocities differ by %.2g", i, (double)error);
        if (error > worst) worst = error;
        sample_end(&s);
    }
    print_message("60 problems, velocities off by %.2g\n", (double)worst);
}

static void factors_against_dense_algebra(void** state)
{
    (void)state;
    scri_random random = test_seed("factors", 72);
    real worst = 0;
    for (int i = 0; i < 60; ++i) {
        sample s = draw_contacts(&random, 1 + draw_below(&random, 12), 0);
        draw_factors(&s, &random, 4 + draw_below(&random, 30), 1 + draw_below(&random, 9));
        if (i % 2) sample_add_compliance(&s, &random, 0.1);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        assert_reduced_well(&s.view, "factors");
        real error = velocity_error(&s.view, &random);
        require(error <= 1e-13, "case %d: velocities differ by %.2g", i, (double)error);
        if (error > worst) worst = error;
        sample_end(&s);
    }
    print_message("60 problems, velocities off by %.2g\n", (double)worst);
}

/* A contact that touches no degree of freedom, and an H without entries at all. */
static void factors_with_empty_columns(void** state)
{
    (void)state;
    scri_random random = {.key = 73};
    sample s = draw_contacts(&random, 4, 0);
    dense m = dense_zero(s.arena, 3, 3), h = dense_zero(s.arena, 3, s.row[4]);
    for (int i = 0; i < 3; ++i) *dense_at(&m, i, i) = 2;
    sample_add_factors(&s, &m, &h);
    assert_reduced_well(&s.view, "H of zeros");
    assert_true(velocity_error(&s.view, &random) <= 1e-15);
    sample_end(&s);
    s = draw_contacts(&random, 4, 0);
    h = dense_zero(s.arena, 3, s.row[4]);
    m = dense_zero(s.arena, 3, 3);
    for (int i = 0; i < 3; ++i) *dense_at(&m, i, i) = 2;
    for (int32_t j = 0; j < s.row[2]; ++j) *dense_at(&h, j % 3, j) = 1 + j;
    sample_add_factors(&s, &m, &h);
    assert_reduced_well(&s.view, "two contacts that touch nothing");
    sample_end(&s);
}

/* Rows that must be exchanged: the diagonal of M is zero. */
static void factors_without_diagonal(void** state)
{
    (void)state;
    scri_random random = {.key = 74};
    sample s = draw_contacts(&random, 3, 0);
    dense m = dense_zero(s.arena, 4, 4), h = dense_zero(s.arena, 4, s.row[3]);
    *dense_at(&m, 0, 1) = 3, *dense_at(&m, 1, 2) = -2;
    *dense_at(&m, 2, 0) = 0.5, *dense_at(&m, 3, 3) = -7;
    for (int32_t j = 0; j < h.m; ++j) {
        for (int32_t i = 0; i < 4; ++i)
            *dense_at(&h, i, j) = (real)draw_between(&random, -1.0, 1.0);
    }
    sample_add_factors(&s, &m, &h);
    for (int32_t i = 0; i < 4; ++i) s.force[i] = 1.0 + i;
    assert_reduced_well(&s.view, "zero diagonal");
    assert_true(velocity_error(&s.view, &random) <= 1e-14);
    sample_end(&s);
}

static void an_assembled_problem_is_copied(void** state)
{
    (void)state;
    scri_random random = test_seed("copies", 75);
    sample s = draw_contacts(&random, 10, 1);
    draw_bodies(&s, &random, 4);
    scree_problem_store first, second;
    assert_int_equal(scree_problem_reduce(NULL, &s.view, &first), SCREE_OK);
    assert_reduced_well(&first.problem, "assembled");
    assert_int_equal(scree_problem_reduce(NULL, &first.problem, &second), SCREE_OK);
    int64_t count = first.problem.w.offset[first.problem.w.start[10]];
    assert_memory_equal(first.problem.w.value, second.problem.w.value,
                        (size_t)count * sizeof(double));
    assert_true(first.problem.w.value != second.problem.w.value);
    assert_true(first.problem.q != s.view.q && second.problem.q != first.problem.q);
    scree_problem_store_release(&first);
    assert_true(velocity_error(&second.problem, &random) <= 1e-13); /* it stands alone */
    scree_problem_store_release(&second);
    sample_end(&s);
}

/* One scene in three forms. Factored: M from the bodies, half of the free velocity in the force. */
static void velocities_agree_in_all_forms(void** state)
{
    (void)state;
    scri_random random = test_seed("three forms", 76);
    double worst = 0.0;
    for (int i = 0; i < 20; ++i) {
        sample s = draw_contacts(&random, 2 + draw_below(&random, 12), 1);
        draw_bodies(&s, &random, 5);
        s.inv_mass[0] = 2.0; /* all bodies move: M must be regular */
        draw_inertia(&random, 3.0, s.inv_inertia);
        if (i % 2) sample_add_compliance(&s, &random, 0.1);
        int32_t n = s.row[s.view.n_contacts];
        scri_arena* arena = scri_arena_create(NULL);
        dense inverse = dense_inverse_mass_of_bodies(arena, &s.view);
        dense mass = dense_inverse(arena, &inverse), rows = dense_rows_of_bodies(arena, &s.view);
        dense h = dense_transpose(arena, &rows);

        sample f = s;
        f.arena = scri_arena_create(NULL);
        sample_add_factors(&f, &mass, &h);
        double* q = sample_take(&f, (size_t)n, sizeof *q);
        for (int32_t k = 0; k < mass.n; ++k) f.force[k] = draw_between(&random, -1.0, 1.0);
        dense pull = dense_product(arena, &rows, &inverse);
        for (int32_t r = 0; r < n; ++r) {
            real rest = (real)s.q[r];
            for (int32_t k = 0; k < mass.n; ++k) rest -= *dense_at(&pull, r, k) * (real)f.force[k];
            q[r] = (double)rest;
        }
        f.view.q = q;
        scree_problem_store store;
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);

        double *p = sample_take(&f, (size_t)n, sizeof *p), *y[3], size = 1.0;
        const scree_problem* forms[3] = {&s.view, &f.view, &store.problem};
        for (int32_t r = 0; r < n; ++r) p[r] = draw_between(&random, -1.0, 1.0);
        for (int k = 0; k < 3; ++k) {
            y[k] = sample_take(&f, (size_t)n, sizeof **y);
            assert_int_equal(scree_problem_velocity(NULL, forms[k], p, y[k]), SCREE_OK);
            for (int32_t r = 0; r < n; ++r) size = fmax(size, fabs(y[k][r]));
        }
        for (int32_t r = 0; r < n; ++r) {
            double gap = fmax(fabs(y[0][r] - y[1][r]), fabs(y[0][r] - y[2][r])) / size;
            require(gap <= 1e-13, "case %d, row %d: %.17g %.17g %.17g", i, (int)r, y[0][r], y[1][r],
                    y[2][r]);
            worst = fmax(worst, gap);
        }
        /* and so does the certificate */
        scree_certificate certificate[3];
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(scree_certify(NULL, forms[k], p, &certificate[k]), SCREE_OK);
            double gap = fabs(certificate[k].residual - certificate[0].residual);
            require(gap <= 1e-12 * certificate[0].residual, "case %d, form %d: residual %.17g", i,
                    k, certificate[k].residual);
            assert_int_equal(certificate[k].worst_contact, certificate[0].worst_contact);
        }
        scree_problem_store_release(&store);
        scri_arena_destroy(arena);
        scri_arena_destroy(f.arena);
        sample_end(&s);
    }
    print_message("20 scenes, velocities differ by %.2g\n", worst);
}

/* ---- singular masses ---- */

static void singular_masses_are_refused(void** state)
{
    (void)state;
    static const double singular[][4] = {
        {1.0, 2.0, 2.0, 4.0}, /* rank 1 */
        {0.0, 0.0, 0.0, 1.0}, /* an unknown without mass */
        {0.0, 1.0, 0.0, 1.0}, /* an empty column */
        {0.0, 0.0, 0.0, 0.0},
    };
    scri_random random = {.key = 77};
    for (size_t i = 0; i < 4; ++i) {
        sample s = draw_contacts(&random, 2, 0);
        dense m = dense_zero(s.arena, 3, 3), h = dense_zero(s.arena, 3, s.row[2]);
        *dense_at(&m, 0, 0) = 1;
        for (int k = 0; k < 4; ++k) *dense_at(&m, 1 + k / 2, 1 + k % 2) = (real)singular[i][k];
        for (int32_t j = 0; j < h.m; ++j) *dense_at(&h, j % 3, j) = 1;
        sample_add_factors(&s, &m, &h);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        double p[12] = {0.0}, y[12];
        test_host host;
        scree_env env = test_env(&host);
        scree_problem_store store, zero = {0};
        memset(&store, 0xff, sizeof store);
        assert_int_equal(scree_problem_reduce(&env, &s.view, &store), SCREE_ERROR_INPUT);
        assert_memory_equal(&store, &zero, sizeof store);
        require(host.n_logged == 1 && strstr(host.text, "singular"), "%d lines, \"%s\"",
                host.n_logged, host.text);
        scree_certificate certificate;
        assert_int_equal(scree_certify(&env, &s.view, p, &certificate), SCREE_ERROR_INPUT);
        assert_int_equal(scree_problem_velocity(&env, &s.view, p, y), SCREE_ERROR_INPUT);
        assert_int_equal(host.n_logged, 3);
        assert_int_equal(host.n_held, 0);
        sample_end(&s);
    }
}

/* ---- failing memory ---- */

enum { REDUCE, CERTIFY, VELOCITY, N_CALLS };

static scree_status call(int which, const scree_env* env, const scree_problem* p, double* memory)
{
    scree_problem_store store, zero = {0};
    scree_certificate certificate;
    int32_t n = scree_problem_n_rows(p);
    if (which == CERTIFY) return scree_certify(env, p, memory, &certificate);
    if (which == VELOCITY) return scree_problem_velocity(env, p, memory, memory + n);
    memset(&store, 0xff, sizeof store);
    scree_status status = scree_problem_reduce(env, p, &store);
    if (status) assert_memory_equal(&store, &zero, sizeof store);
    scree_problem_store_release(&store);
    return status;
}

/* Every request for memory fails once, until a whole call passes. */
static void assert_bears_failing_memory(const scree_problem* p, const char* what)
{
    double* memory = test_take(2 * (size_t)scree_problem_n_rows(p), sizeof *memory);
    for (int which = 0; which < N_CALLS; ++which) {
        long k = 0;
        for (;; ++k) {
            test_host host;
            scree_env env = test_env(&host);
            host.fail_at = k;
            scree_status status = call(which, &env, p, memory);
            require(host.n_held == 0, "%s, call %d, request %ld: %ld blocks leak", what, which, k,
                    host.n_held);
            if (host.n_asked <= k) {
                assert_int_equal(status, SCREE_OK);
                break;
            }
            require(status == SCREE_ERROR_MEMORY, "%s, call %d, request %ld: status %d", what,
                    which, k, (int)status);
            require(host.n_logged > 0, "%s, call %d, request %ld: not a word", what, which, k);
        }
        require(k > 0, "%s, call %d asked for no memory", what, which);
    }
    free(memory);
}

/* Large enough that the arrays do not share the arena's first block. */
static void failing_memory_leaks_nothing(void** state)
{
    (void)state;
    scri_random random = test_seed("failing memory", 78);
    for (int size = 0; size < 2; ++size) {
        int32_t n = size ? 60 : 3;
        sample s = draw_contacts(&random, n, 1);
        draw_bodies(&s, &random, size ? 30 : 2);
        sample_add_compliance(&s, &random, 0.1);
        assert_bears_failing_memory(&s.view, "bodies");
        scree_problem_store store;
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        assert_bears_failing_memory(&store.problem, "assembled");
        scree_problem_store_release(&store);
        sample_end(&s);
        s = draw_contacts(&random, n, 0);
        draw_factors(&s, &random, size ? 300 : 4, 150);
        assert_bears_failing_memory(&s.view, "factored");
        sample_end(&s);
    }
    /* so many components of M that what is kept of each has a block of its own too */
    static const int rows[1] = {SCREE_ROWS_N}, law[1] = {SCREE_LAW_EXACT};
    enum { N_DOF = 20000 };
    sample s = sample_begin(1, rows, law);
    int32_t* index = sample_take(&s, N_DOF + 1, sizeof *index);
    double* ones = sample_take(&s, N_DOF, sizeof *ones);
    for (int32_t i = 0; i <= N_DOF; ++i) index[i] = i;
    for (int32_t i = 0; i < N_DOF; ++i) ones[i] = 1.0;
    s.view.form = SCREE_FORM_FACTORED;
    s.view.factored = (scree_factored){.mass = {N_DOF, N_DOF, index, index, ones},
                                       .h = {N_DOF, 1, index, index, ones},
                                       .force = ones};
    assert_bears_failing_memory(&s.view, "many components");
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_against_dense_algebra),
        cmocka_unit_test(factors_against_dense_algebra),
        cmocka_unit_test(factors_with_empty_columns),
        cmocka_unit_test(factors_without_diagonal),
        cmocka_unit_test(an_assembled_problem_is_copied),
        cmocka_unit_test(velocities_agree_in_all_forms),
        cmocka_unit_test(singular_masses_are_refused),
        cmocka_unit_test(failing_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
