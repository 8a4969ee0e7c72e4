/* The operator contact by contact, against W as a dense matrix: products, blocks, diagonals, and
 * impulses that change one by one; rows given by frames, and the same rows written out. */
#include "base/team.h"
#include "problem/bodies_kernel.h"
#include "problem/certificate.h"
#include "problem/operator.h"
#include "support/problems.h"

enum { MOST_CONTACTS = 160, MOST_ROWS = 6 * MOST_CONTACTS };

static sample draw_sample(scri_random* random, int32_t n, int compliant)
{
    static const int kinds[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                SCREE_ROWS_NTTRRS};
    int rows[MOST_CONTACTS], law[MOST_CONTACTS];
    for (int c = 0; c < n; ++c) rows[c] = kinds[draw_below(random, 5)], law[c] = SCREE_LAW_EXACT;
    sample s = sample_begin(n, rows, law);
    for (int i = 0; i < s.row[n]; ++i) s.q[i] = draw_between(random, -1.0, 1.0);
    for (int i = 0; i < 3 * n; ++i) s.coef[i] = draw_between(random, 0.0, 1.0);
    if (compliant) sample_add_compliance(&s, random, 0.3);
    draw_bodies(&s, random, n > 8 ? n / 3 : 3);
    for (int32_t b = 1; b < s.view.bodies.n_bodies; b += 2) { /* these turn alike about all axes */
        double turns = draw_between(random, 0.1, 5.0);
        for (int i = 0; i < 6; ++i) s.inv_inertia[6 * b + i] = i < 3 ? turns : 0.0;
    }
    return s;
}

/* General rows equal to those of the frames, for every second contact from `first` on. */
static void write_rows_out(sample* s, int first)
{
    const scree_problem* p = &s->view;
    int32_t n = p->n_contacts;
    dense h = dense_rows_of_bodies(s->arena, p);
    int32_t* general = sample_take(s, (size_t)n, sizeof *general);
    double* jacobian = sample_take(s, 12 * (size_t)p->first_row[n] + 12, sizeof *jacobian);
    for (int32_t c = 0; c < n; ++c) {
        int32_t pair[2] = {p->bodies.pair[2 * c], p->bodies.pair[2 * c + 1]};
        general[c] = -1;
        if ((c + first) % 2 || (pair[0] >= 0 && pair[0] == pair[1])) continue;
        general[c] = p->first_row[c] + 1; /* they need not begin at 0 */
        for (int32_t i = p->first_row[c]; i < p->first_row[c + 1]; ++i) {
            for (int k = 0; k < 12; ++k) {
                int32_t body = pair[k / 6];
                if (body < 0) continue;
                jacobian[12 * (i + 1) + k] = (double)*dense_at(&h, i, 6 * body + k % 6);
            }
        }
        for (int i = 0; i < 9; ++i) s->frame[9 * c + i] = (double)NAN; /* no longer looked at */
        for (int i = 0; i < 6; ++i) s->arm[6 * c + i] = (double)NAN;
    }
    s->view.bodies.general = general;
    s->view.bodies.jacobian = jacobian;
}

typedef struct bound_operator {
    scri_operator op;
    void* memory;
} bound_operator;

static bound_operator bind(const scree_problem* problem)
{
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    bound_operator bound = {.memory = test_take(bump.used, 1)};
    bump = (scri_bump){bound.memory, 0};
    bound.op = scri_operator_create(problem, &bump);
    return bound;
}

static void require_near(double found, real expected, const char* what, int n, int i)
{
    require(real_abs((real)found - expected) <= (real)1e-12 * (1 + real_abs(expected)),
            "%s, case %d, %d: %.15g, not %.15g", what, n, i, found, (double)expected);
}

/* y = (W + C) p + q, blocks and diagonals. */
static void require_operator(const scree_problem* p, const dense* w, const double* x, int n)
{
    bound_operator b = bind(p);
    double y[MOST_ROWS], again[MAX_WIDTH], block[MAX_WIDTH * MAX_WIDTH], diagonal[MAX_WIDTH];
    scri_operator_apply(&b.op, x, y);
    for (int32_t i = 0; i < w->n; ++i) {
        real sum = (real)p->q[i];
        for (int32_t j = 0; j < w->n; ++j) sum += *dense_at(w, i, j) * (real)x[j];
        require_near(y[i], sum, "velocity", n, i);
    }
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        int32_t row = p->first_row[c], width = p->first_row[c + 1] - row;
        scri_operator_block(&b.op, c, block);
        scri_operator_diagonal(&b.op, c, diagonal);
        scri_operator_velocity(&b.op, x, c, again);
        for (int i = 0; i < width; ++i) {
            for (int j = 0; j < width; ++j) {
                require_near(block[i * width + j], *dense_at(w, row + i, row + j), "block", n, c);
            }
            require_near(diagonal[i], *dense_at(w, row + i, row + i), "diagonal", n, c);
            assert_true(again[i] == y[row + i]);
        }
    }
    free(b.memory);
}

static dense with_compliance(scri_arena* arena, const scree_problem* p)
{
    dense w = dense_w(arena, p, NULL);
    for (int32_t i = 0; i < w.n && p->compliance; ++i) {
        *dense_at(&w, i, i) += (real)p->compliance[i];
    }
    return w;
}

/* Frames, the same rows written out, and W itself; diagonal blocks may be missing there. */
static void all_forms_are_one_operator(void** state)
{
    (void)state;
    scri_random random = test_seed("operators", 611);
    for (int n = 0; n < 60; ++n) {
        sample s = draw_sample(&random, 1 + n % 20, n % 2);
        double x[MOST_ROWS];
        for (int i = 0; i < s.row[s.view.n_contacts]; ++i) x[i] = draw_between(&random, -1.0, 1.0);
        dense w = with_compliance(s.arena, &s.view);
        require_operator(&s.view, &w, x, n);
        scree_problem_store store;
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        require_operator(&store.problem, &w, x, n);
        scree_problem_store_release(&store);
        write_rows_out(&s, n / 2);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        require_operator(&s.view, &w, x, n);
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        require_operator(&store.problem, &w, x, n);
        scree_problem_store_release(&store);
        sample_end(&s);
    }
}

/* Contact 0 has no block of its own, and none is taken from the row below. */
static void missing_blocks_are_zero(void** state)
{
    (void)state;
    const int rows[3] = {SCREE_ROWS_NT, SCREE_ROWS_NT, SCREE_ROWS_N}, law[3] = {0, 0, 0};
    static const int32_t start[] = {0, 1, 3, 3}, column[] = {1, 0, 1};
    static const int64_t offset[] = {0, 4, 8, 12};
    static const double value[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const double x[5] = {1.0, -2.0, 0.5, 3.0, 7.0};
    for (int compliant = 0; compliant < 2; ++compliant) {
        scri_random random = {.key = 612};
        sample s = sample_begin(3, rows, law);
        s.view.w = (scree_bsr){start, column, offset, value};
        if (compliant) sample_add_compliance(&s, &random, 0.5);
        dense w = with_compliance(s.arena, &s.view);
        require_operator(&s.view, &w, x, compliant);
        assert_true(*dense_at(&w, 0, 1) == 0 && *dense_at(&w, 2, 0) == 5);
        sample_end(&s);
    }
}

/* Whoever changes impulses tells the operator, and it need not be asked from the beginning. */
static void changes_add_up(void** state)
{
    (void)state;
    scri_random random = test_seed("changes", 613);
    for (int n = 0; n < 20; ++n) {
        sample s = draw_sample(&random, 12, n % 2);
        if (n % 4 >= 2) write_rows_out(&s, n % 3);
        bound_operator b = bind(&s.view);
        double x[MOST_ROWS] = {0.0}, y[MOST_ROWS], expected[MOST_ROWS], change[MAX_WIDTH];
        scri_operator_reset(&b.op, x);
        for (int k = 0; k < 40; ++k) {
            int32_t c = draw_below(&random, 12), row = s.row[c];
            for (int32_t i = row; i < s.row[c + 1]; ++i) {
                change[i - row] = draw_between(&random, -1.0, 1.0);
                x[i] += change[i - row];
            }
            scri_operator_change(&b.op, c, change);
        }
        for (int32_t c = 0; c < 12; ++c) scri_operator_velocity(&b.op, x, c, y + s.row[c]);
        scri_operator_apply(&b.op, x, expected);
        for (int i = 0; i < s.row[12]; ++i) require_near(y[i], (real)expected[i], "changed", n, i);
        free(b.memory);
        sample_end(&s);
    }
}

/* What each body's own velocity is in the rows of a contact: with frames the one of A minus the one
 * of B is the relative one, with rows written out their sum. */
static void sides_are_seen_alone(void** state)
{
    (void)state;
    scri_random random = test_seed("sides", 616);
    for (int n = 0; n < 20; ++n) {
        sample s = draw_sample(&random, 9, 0);
        const scree_bodies* b = &s.view.bodies;
        double velocity[SCRI_BODY_STRIDE * 3], frames[2][MOST_ROWS] = {{0.0}};
        dense h = dense_rows_of_bodies(s.arena, &s.view);
        for (int i = 0; i < SCRI_BODY_STRIDE * 3; ++i) velocity[i] = draw_between(&random, -1., 1.);
        for (int written = 0; written < 2; ++written) {
            for (int32_t c = 0; c < 9; ++c) {
                int32_t row = s.row[c], width = s.row[c + 1] - row;
                int is_loop = b->pair[2 * c] >= 0 && b->pair[2 * c] == b->pair[2 * c + 1];
                for (int side = 0; side < 2 && !is_loop; ++side) {
                    double own[MAX_WIDTH] = {0.0},
                           sign = side && !scri_bodies_general(b, c) ? -1 : 1;
                    int32_t body = b->pair[2 * c + side];
                    scri_bodies_add_side(b, velocity, c, side, width, own);
                    for (int i = 0; i < width; ++i) {
                        real sum = 0;
                        for (int k = 0; k < 6 && body >= 0; ++k) {
                            sum += *dense_at(&h, row + i, 6 * body + k) *
                                   (real)velocity[SCRI_BODY_STRIDE * body + k];
                        }
                        require_near(sign * own[i], sum, "side", n, c);
                        if (!written) frames[side][row + i] = own[i];
                        require_near(fabs(own[i]), (real)fabs(frames[side][row + i]), "size", n, c);
                    }
                }
            }
            if (!written) write_rows_out(&s, n);
        }
        sample_end(&s);
    }
}

/* The numbers; what lies between them in memory is nobody's. */
static void require_same(const scree_certificate* a, const scree_certificate* b)
{
    assert_true(a->residual == b->residual && a->residual_siconos == b->residual_siconos);
    assert_true(a->absolute_siconos == b->absolute_siconos && a->local == b->local);
    assert_true(a->normal_violation == b->normal_violation);
    assert_true(a->cone_violation == b->cone_violation);
    assert_true(a->complementarity == b->complementarity);
    for (int k = 0; k < CHANNELS; ++k) assert_true(a->dissipation[k] == b->dissipation[k]);
    assert_int_equal(a->worst_contact, b->worst_contact);
    assert_int_equal(a->local_contact, b->local_contact);
}

/* A team adds up in the same order: the same bits, in the operator and in the certificate. */
static void teams_find_the_same_bits(void** state)
{
    (void)state;
    scri_random random = test_seed("teams", 614);
    scri_team* team = NULL;
    assert_int_equal(scri_team_create(NULL, 3, &team), SCREE_OK);
    scri_team_spread(team, 3);
    for (int n = 0; n < 4; ++n) {
        sample s = draw_sample(&random, MOST_CONTACTS - n, n % 2);
        if (n >= 2) write_rows_out(&s, n);
        size_t bytes = (size_t)s.row[s.view.n_contacts] * sizeof(double);
        double x[MOST_ROWS], alone[MOST_ROWS], shared[MOST_ROWS], as[MOST_ROWS];
        for (int i = 0; i < s.row[s.view.n_contacts]; ++i) x[i] = draw_between(&random, -1.0, 1.0);
        bound_operator b = bind(&s.view), other = bind(&s.view);
        scri_operator_apply(&b.op, x, alone);
        scri_operator_share(&b.op, team);
        assert_ptr_equal(b.op.team, team);
        scri_operator_apply(&b.op, x, shared);
        scri_operator_share_as(&other.op, b.op.shares);
        scri_operator_apply(&other.op, x, as);
        assert_memory_equal(alone, shared, bytes);
        assert_memory_equal(alone, as, bytes);
        void* work = test_take(scri_certify_work_size(&s.view), 1);
        scree_certificate by_one, by_team, public;
        scri_certify(&s.view, x, SCREE_MEASURE_SICONOS, 0.0, NULL, work, &by_one);
        scri_certify(&s.view, x, SCREE_MEASURE_SICONOS, 0.0, b.op.shares, work, &by_team);
        assert_int_equal(scree_certify(NULL, &s.view, x, &public), SCREE_OK);
        require_same(&by_one, &by_team);
        require_same(&by_one, &public);
        free(work);
        free(b.memory);
        free(other.memory);
        sample_end(&s);
    }
    scri_team_destroy(team);
}

/* Lists of some contacts give what those of all do where the others have no impulse. */
static void teams_go_through_some_alike(void** state)
{
    (void)state;
    scri_random random = test_seed("some", 615);
    scri_team* team = NULL;
    assert_int_equal(scri_team_create(NULL, 3, &team), SCREE_OK);
    scri_team_spread(team, 3);
    for (int n = 0; n < 4; ++n) {
        sample s = draw_sample(&random, MOST_CONTACTS - n, n % 2);
        size_t bytes = (size_t)s.row[s.view.n_contacts] * sizeof(double);
        double x[MOST_ROWS], all[MOST_ROWS], some[MOST_ROWS];
        uint8_t counts[MOST_CONTACTS];
        for (int c = 0; c < s.view.n_contacts; ++c) {
            counts[c] = draw_between(&random, 0.0, 1.0) < 0.3;
            for (int i = s.row[c]; i < s.row[c + 1]; ++i) {
                x[i] = counts[c] ? draw_between(&random, -1.0, 1.0) : 0.0;
            }
        }
        bound_operator b = bind(&s.view), other = bind(&s.view);
        scri_operator_share(&b.op, team);
        scri_operator_apply(&b.op, x, all);
        scri_operator_share_some(&other.op, b.op.shares, counts);
        assert_ptr_equal(other.op.team, team);
        int32_t blocks = b.op.shares->n_blocks;
        assert_true(other.op.shares->start[blocks] < b.op.shares->start[blocks]);
        scri_operator_apply(&other.op, x, some);
        assert_memory_equal(all, some, bytes);
        free(b.memory);
        free(other.memory);
        sample_end(&s);
    }
    scri_team_destroy(team);
}

/* What the border says of rows that are written out. */
static void general_rows_are_checked(void** state)
{
    (void)state;
    scri_random random = {.key = 615};
    for (int fault = 0; fault < 5; ++fault) {
        sample s = draw_sample(&random, 6, 0);
        for (int c = 0; c < 6; ++c) s.pair[2 * c] = 1, s.pair[2 * c + 1] = 2;
        write_rows_out(&s, 0); /* contacts 0, 2, 4 */
        double* jacobian = sample_take(&s, 12 * (size_t)s.row[6] + 12, sizeof *jacobian);
        memcpy(jacobian, s.view.bodies.jacobian, 12 * ((size_t)s.row[6] + 1) * sizeof *jacobian);
        s.view.bodies.jacobian = jacobian;
        const char* said = fault == 1 || fault == 2 ? "contact 4: a row is not finite"
                           : fault == 3             ? "contact 3: arm is not finite"
                                                    : "contact 5: frame is not orthonormal";
        if (fault == 1) jacobian[12 * (s.row[4] + 1)] = (double)NAN;
        if (fault == 2) jacobian[12 * (s.row[5] + 1) - 1] = (double)INFINITY;
        if (fault == 3) s.arm[6 * 3 + 5] = (double)NAN;
        if (fault == 4) s.frame[9 * 5 + 8] += 1e-6;
        jacobian[0] = (double)NAN; /* belongs to none */
        test_host host;
        scree_env env = test_env(&host);
        scree_status status = scree_problem_validate(&env, &s.view);
        assert_int_equal(status, fault ? SCREE_ERROR_INPUT : SCREE_OK);
        require(!fault || strstr(host.text, said), "fault %d: %s", fault, host.text);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_are_one_operator),
        cmocka_unit_test(missing_blocks_are_zero),
        cmocka_unit_test(changes_add_up),
        cmocka_unit_test(teams_find_the_same_bits),
        cmocka_unit_test(teams_go_through_some_alike),
        cmocka_unit_test(sides_are_seen_alone),
        cmocka_unit_test(general_rows_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
