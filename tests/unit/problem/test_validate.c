/* What scree_problem_validate() lets pass and what it refuses, one fault at a time. */
#include "support/problems.h"

#define NOT_A_NUMBER ((double)NAN)
#define INFINITE ((double)INFINITY)

/* Three contacts of different kinds, valid in every form. */
static sample valid(scree_form form)
{
    static const int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_N, SCREE_ROWS_NTTRRS};
    static const int law[] = {SCREE_LAW_EXACT, SCREE_LAW_INTERVAL, SCREE_LAW_CONVEX};
    scri_random random = {.key = 61};
    sample s = sample_begin(3, rows, law);
    s.coef[0] = 0.5;
    s.coef[3] = -1.0, s.coef[4] = 2.0;
    s.coef[6] = 0.5, s.coef[7] = 0.1, s.coef[8] = 0.01;
    for (int i = 0; i < s.row[3]; ++i) s.q[i] = draw_between(&random, -1.0, 1.0);
    sample_add_compliance(&s, &random, 0.1);
    if (form == SCREE_FORM_BODIES) {
        draw_bodies(&s, &random, 3);
    } else if (form == SCREE_FORM_FACTORED) {
        draw_factors(&s, &random, 8, 4);
    } else { /* blocks (0,0) (0,2) (1,1) (2,0) (2,2) */
        static const int32_t start[] = {0, 2, 3, 5}, column[] = {0, 2, 1, 0, 2};
        static const int64_t offset[] = {0, 9, 27, 28, 46, 82};
        s.w_start = sample_take(&s, 4, sizeof(int32_t));
        s.w_column = sample_take(&s, 5, sizeof(int32_t));
        s.w_offset = sample_take(&s, 6, sizeof(int64_t));
        s.w_value = sample_take(&s, 100, sizeof(double)); /* more than there are */
        memcpy(s.w_start, start, sizeof start);
        memcpy(s.w_column, column, sizeof column);
        memcpy(s.w_offset, offset, sizeof offset);
        for (int i = 0; i < 82; ++i) s.w_value[i] = draw_between(&random, -1.0, 1.0);
        s.view.w = (scree_bsr){s.w_start, s.w_column, s.w_offset, s.w_value};
        s.view.form = SCREE_FORM_ASSEMBLED;
    }
    return s;
}

typedef void change(sample* s);

static void nothing(sample* s)
{
    (void)s;
}

/* ---- faults of the contacts ---- */

static void negative_contacts(sample* s)
{
    s->view.n_contacts = -1;
}

static void more_than_is_known(sample* s)
{
    s->view.reserved[6] = s;
}

static void rows_of_zero(sample* s)
{
    s->rows[1] = 0;
}

static void rows_beyond(sample* s)
{
    s->rows[1] = SCREE_ROWS_END;
}

static void rows_far_beyond(sample* s)
{
    s->rows[2] = 255;
}

static void law_beyond(sample* s)
{
    s->law[2] = SCREE_LAW_COUNT;
}

static void law_far_beyond(sample* s)
{
    s->law[0] = 255;
}

static void interval_with_three_rows(sample* s)
{
    s->law[0] = SCREE_LAW_INTERVAL;
}

static void half_line_with_six_rows(sample* s)
{
    s->law[2] = SCREE_LAW_HALF_LINE;
}

static void rows_begin_at_one(sample* s)
{
    for (int c = 0; c <= 3; ++c) s->row[c] += 1;
}

static void row_too_early(sample* s)
{
    s->row[1] = 2;
}

static void row_too_late(sample* s)
{
    s->row[3] += 1;
}

static void row_beyond_integers(sample* s)
{
    s->row[1] = INT32_MAX;
}

static void negative_mu(sample* s)
{
    s->coef[0] = -1e-300;
}

static void nan_mu(sample* s)
{
    s->coef[0] = NOT_A_NUMBER;
}

static void infinite_mu(sample* s)
{
    s->coef[6] = INFINITE;
}

static void negative_mu_r(sample* s)
{
    s->coef[7] = -0.1;
}

static void nan_mu_s(sample* s)
{
    s->coef[8] = NOT_A_NUMBER;
}

static void interval_upside_down(sample* s)
{
    s->coef[3] = 3.0;
}

static void interval_nan_lo(sample* s)
{
    s->coef[3] = NOT_A_NUMBER;
}

static void interval_nan_hi(sample* s)
{
    s->coef[4] = NOT_A_NUMBER;
}

static void interval_at_plus_infinity(sample* s)
{
    s->coef[3] = s->coef[4] = INFINITE;
}

static void interval_at_minus_infinity(sample* s)
{
    s->coef[3] = s->coef[4] = -INFINITE;
}

static void nan_q(sample* s)
{
    s->q[9] = NOT_A_NUMBER;
}

static void infinite_q(sample* s)
{
    s->q[0] = -INFINITE;
}

static void nan_compliance(sample* s)
{
    s->compliance[3] = NOT_A_NUMBER;
}

static void infinite_compliance(sample* s)
{
    s->compliance[9] = INFINITE;
}

static void negative_compliance(sample* s)
{
    s->compliance[5] = -1e-12;
}

static void form_beyond(sample* s)
{
    s->view.form = (scree_form)3;
}

/* ---- faults of the assembled form ---- */

static void blocks_begin_at_one(sample* s)
{
    s->w_start[0] = 1;
}

static void blocks_go_backwards(sample* s)
{
    s->w_start[2] = 1;
}

static void column_negative(sample* s)
{
    s->w_column[0] = -1;
}

static void column_beyond(sample* s)
{
    s->w_column[1] = 3;
}

static void columns_fall(sample* s)
{
    s->w_column[3] = 2, s->w_column[4] = 0;
}

static void columns_repeat(sample* s) /* with blocks of the right size */
{
    s->w_column[3] = s->w_column[4] = 2;
    s->w_offset[4] = s->w_offset[3] + 36;
    s->w_offset[5] = s->w_offset[4] + 36;
}

static void offset_negative(sample* s)
{
    s->w_offset[0] = -9;
}

static void offset_begins_late(sample* s)
{
    for (int k = 0; k < 6; ++k) s->w_offset[k] += 1;
}

static void block_too_small(sample* s)
{
    s->w_offset[1] = 8;
}

static void block_too_large(sample* s)
{
    s->w_offset[5] = 83;
}

static void nan_w(sample* s)
{
    s->w_value[81] = NOT_A_NUMBER;
}

static void infinite_w(sample* s)
{
    s->w_value[27] = INFINITE;
}

/* ---- faults of the factored form ---- */

static void mass_not_square(sample* s)
{
    s->view.factored.mass.n_columns -= 1;
}

static void mass_negative(sample* s)
{
    s->view.factored.mass.n_rows = s->view.factored.mass.n_columns = -1;
}

static void mass_begins_at_one(sample* s)
{
    s->m_start[0] = 1;
}

static void mass_goes_backwards(sample* s)
{
    s->m_start[1] = s->m_start[2] + 1;
}

static void mass_row_beyond(sample* s)
{
    s->m_row[s->m_start[8] - 1] = 8;
}

static void mass_row_negative(sample* s)
{
    s->m_row[0] = -1;
}

static void nan_mass(sample* s)
{
    s->m_value[3] = NOT_A_NUMBER;
}

static void h_too_narrow(sample* s)
{
    s->view.factored.h.n_columns -= 1;
}

static void h_too_low(sample* s)
{
    s->view.factored.h.n_rows += 1;
}

static void h_rows_fall(sample* s)
{
    int32_t k = 0; /* the first column with two entries */
    while (s->h_start[k + 1] - s->h_start[k] < 2) ++k;
    int32_t first = s->h_start[k], swap = s->h_row[first];
    s->h_row[first] = s->h_row[first + 1];
    s->h_row[first + 1] = swap;
}

static void h_rows_repeat(sample* s)
{
    int32_t k = 0;
    while (s->h_start[k + 1] - s->h_start[k] < 2) ++k;
    s->h_row[s->h_start[k] + 1] = s->h_row[s->h_start[k]];
}

static void infinite_h(sample* s)
{
    s->h_value[1] = INFINITE;
}

static void nan_force(sample* s)
{
    s->force[7] = NOT_A_NUMBER;
}

/* ---- faults of the bodies form ---- */

static void planar_rows(sample* s)
{
    s->rows[2] = SCREE_ROWS_NTR;
    s->row[3] = s->row[2] + 3;
}

static void planar_sliding_rows(sample* s)
{
    s->rows[0] = SCREE_ROWS_NT;
    s->row[1] = 2, s->row[2] = 3, s->row[3] = 9;
}

static void mass_below_zero(sample* s)
{
    s->inv_mass[1] = -1.0;
}

static void nan_inverse_mass(sample* s)
{
    s->inv_mass[2] = NOT_A_NUMBER;
}

static void infinite_inverse_mass(sample* s)
{
    s->inv_mass[0] = INFINITE;
}

static void nan_centre(sample* s)
{
    double* centre = sample_take(s, 3 * (size_t)s->view.bodies.n_bodies, sizeof *centre);
    centre[5] = NOT_A_NUMBER;
    s->view.centre = centre;
}

static void nan_inertia(sample* s)
{
    s->inv_inertia[17] = NOT_A_NUMBER;
}

static void body_beyond(sample* s)
{
    s->pair[3] = 3;
}

static void body_below_the_ground(sample* s)
{
    s->pair[4] = -2;
}

static void nan_arm(sample* s)
{
    s->arm[17] = NOT_A_NUMBER;
}

static void infinite_arm(sample* s)
{
    s->arm[0] = INFINITE;
}

static void nan_frame(sample* s)
{
    s->frame[26] = NOT_A_NUMBER;
}

static void normal_not_of_unit_length(sample* s)
{
    for (int k = 0; k < 3; ++k) s->frame[k] *= 1.0 + 1e-6;
}

static void axes_not_orthogonal(sample* s)
{
    for (int k = 0; k < 3; ++k) s->frame[12 + k] += 1e-6 * s->frame[9 + k];
}

static void axes_left_handed(sample* s)
{
    for (int k = 0; k < 3; ++k) s->frame[24 + k] = -s->frame[24 + k];
}

static void held_body_that_turns(sample* s)
{
    s->inv_inertia[2] = 1e-300;
}

static void held_body_that_turns_about_y(sample* s)
{
    s->inv_inertia[1] = 1e-300;
}

enum { ANY = -1 };

typedef struct fault {
    change* make;
    int form;
    const char* said; /* a part of the message */
} fault;

static const fault faults[] = {
    {negative_contacts, ANY, "contacts"},
    {more_than_is_known, ANY, "does not know"},
    {rows_of_zero, ANY, "contact 1"},
    {rows_beyond, ANY, "contact 1"},
    {rows_far_beyond, ANY, "contact 2"},
    {law_beyond, ANY, "contact 2"},
    {law_far_beyond, ANY, "contact 0"},
    {interval_with_three_rows, ANY, "contact 0"},
    {half_line_with_six_rows, ANY, "contact 2"},
    {rows_begin_at_one, ANY, "row offsets"},
    {row_too_early, ANY, "contact 0"},
    {row_too_late, ANY, "contact 2"},
    {row_beyond_integers, ANY, "contact 0"},
    {negative_mu, ANY, "contact 0"},
    {nan_mu, ANY, "contact 0"},
    {infinite_mu, ANY, "contact 2"},
    {negative_mu_r, ANY, "mu_r"},
    {nan_mu_s, ANY, "mu_s"},
    {interval_upside_down, ANY, "contact 1"},
    {interval_nan_lo, ANY, "contact 1"},
    {interval_nan_hi, ANY, "contact 1"},
    {interval_at_plus_infinity, ANY, "contact 1"},
    {interval_at_minus_infinity, ANY, "contact 1"},
    {nan_q, ANY, "q[9]"},
    {infinite_q, ANY, "q[0]"},
    {nan_compliance, ANY, "compliance[3]"},
    {infinite_compliance, ANY, "compliance[9]"},
    {negative_compliance, ANY, "compliance[5]"},
    {form_beyond, ANY, "form"},
    {blocks_begin_at_one, SCREE_FORM_ASSEMBLED, "W"},
    {blocks_go_backwards, SCREE_FORM_ASSEMBLED, "contact 1"},
    {column_negative, SCREE_FORM_ASSEMBLED, "contact 0"},
    {column_beyond, SCREE_FORM_ASSEMBLED, "contact 0"},
    {columns_fall, SCREE_FORM_ASSEMBLED, "contact 2"},
    {columns_repeat, SCREE_FORM_ASSEMBLED, "contact 2"},
    {offset_negative, SCREE_FORM_ASSEMBLED, "contact 0"},
    {block_too_small, SCREE_FORM_ASSEMBLED, "contact 0"},
    {block_too_large, SCREE_FORM_ASSEMBLED, "contact 2"},
    {nan_w, SCREE_FORM_ASSEMBLED, "contact 2"},
    {infinite_w, SCREE_FORM_ASSEMBLED, "contact 1"},
    {mass_not_square, SCREE_FORM_FACTORED, "M"},
    {mass_negative, SCREE_FORM_FACTORED, "M"},
    {mass_begins_at_one, SCREE_FORM_FACTORED, "M"},
    {mass_goes_backwards, SCREE_FORM_FACTORED, "M"},
    {mass_row_beyond, SCREE_FORM_FACTORED, "M"},
    {mass_row_negative, SCREE_FORM_FACTORED, "M"},
    {nan_mass, SCREE_FORM_FACTORED, "M"},
    {h_too_narrow, SCREE_FORM_FACTORED, "H"},
    {h_too_low, SCREE_FORM_FACTORED, "H"},
    {h_rows_fall, SCREE_FORM_FACTORED, "H"},
    {h_rows_repeat, SCREE_FORM_FACTORED, "H"},
    {infinite_h, SCREE_FORM_FACTORED, "H"},
    {nan_force, SCREE_FORM_FACTORED, "force"},
    {planar_rows, SCREE_FORM_BODIES, "contact 2"},
    {planar_sliding_rows, SCREE_FORM_BODIES, "contact 0"},
    {mass_below_zero, SCREE_FORM_BODIES, "body 1"},
    {nan_inverse_mass, SCREE_FORM_BODIES, "body 2"},
    {infinite_inverse_mass, SCREE_FORM_BODIES, "body 0"},
    {nan_inertia, SCREE_FORM_BODIES, "body 2"},
    {nan_centre, SCREE_FORM_BODIES, "body 1"},
    {body_beyond, SCREE_FORM_BODIES, "contact 1"},
    {body_below_the_ground, SCREE_FORM_BODIES, "contact 2"},
    {nan_arm, SCREE_FORM_BODIES, "contact 2"},
    {infinite_arm, SCREE_FORM_BODIES, "contact 0"},
    {nan_frame, SCREE_FORM_BODIES, "contact 2"},
    {normal_not_of_unit_length, SCREE_FORM_BODIES, "contact 0"},
    {axes_not_orthogonal, SCREE_FORM_BODIES, "contact 1"},
    {axes_left_handed, SCREE_FORM_BODIES, "contact 2"},
    {held_body_that_turns, SCREE_FORM_BODIES, "body 0"},
    {held_body_that_turns_about_y, SCREE_FORM_BODIES, "body 0"},
    {offset_begins_late, SCREE_FORM_ASSEMBLED, "contact 0"},
};

static void every_fault_is_refused_with_one_line(void** state)
{
    (void)state;
    int n = 0;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        for (int form = SCREE_FORM_ASSEMBLED; form <= SCREE_FORM_BODIES; ++form) {
            if (faults[i].form != ANY && faults[i].form != form) continue;
            sample s = valid((scree_form)form);
            faults[i].make(&s);
            test_host host;
            scree_env env = test_env(&host);
            scree_status status = scree_problem_validate(&env, &s.view);
            require(status == SCREE_ERROR_INPUT, "fault %zu, form %d: status %d \"%s\"", i, form,
                    (int)status, host.text);
            require(host.n_logged == 1 && strstr(host.text, faults[i].said),
                    "fault %zu, form %d: %d lines, \"%s\" does not name %s", i, form, host.n_logged,
                    host.text, faults[i].said);
            require(!strchr(host.text, '\n'), "fault %zu: more than one line", i);
            require(host.n_asked == 0, "fault %zu: memory was asked for", i);
            assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
            sample_end(&s);
            ++n;
        }
    }
    print_message("%d faults\n", n);
}

/* An index array that runs past the end of its data before it comes back must not be followed
 * there: the arrays have exactly the length that the last index states. */
static void no_entry_is_read_beyond_the_last_index(void** state)
{
    (void)state;
    static const int rows[2] = {SCREE_ROWS_N, SCREE_ROWS_N};
    static const int law[2] = {SCREE_LAW_EXACT, SCREE_LAW_EXACT};
    static const int32_t start[3] = {0, 3, 2}, whole[3] = {0, 1, 2}, diagonal[2] = {0, 1};
    static const double ones[2] = {1.0, 1.0};
    sample s = sample_begin(2, rows, law);
    int32_t* index = test_take(2, sizeof *index);
    int64_t* offset = test_take(3, sizeof *offset);
    double* value = test_take(2, sizeof *value);
    index[1] = 1, offset[1] = 1, offset[2] = 2;
    s.view.w = (scree_bsr){start, index, offset, value};
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);

    scree_csc good = {2, 2, whole, diagonal, ones}, bad = {2, 2, start, index, value};
    s.view.form = SCREE_FORM_FACTORED;
    s.view.factored = (scree_factored){bad, good, ones};
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
    s.view.factored = (scree_factored){good, bad, ones};
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
    s.view.factored = (scree_factored){good, good, ones};
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    free(index);
    free(offset);
    free(value);
    sample_end(&s);
}

/* ---- what must pass ---- */

static void one_sided_interval(sample* s)
{
    s->coef[3] = -INFINITE;
}

static void free_interval(sample* s)
{
    s->coef[3] = -INFINITE, s->coef[4] = INFINITE;
}

static void point_interval(sample* s)
{
    s->coef[3] = s->coef[4];
}

static void no_compliance(sample* s)
{
    s->view.compliance = NULL;
}

static void no_friction(sample* s)
{
    for (int k = 6; k < 9; ++k) s->coef[k] = 0.0;
}

static void unused_coefficient_of_interval(sample* s)
{
    s->coef[5] = NOT_A_NUMBER;
}

static void turned_frame(sample* s) /* of contact 0, if there are frames: t1, t2, n */
{
    double first[3];
    if (!s->frame) return;
    memcpy(first, s->frame, sizeof first);
    memmove(s->frame, s->frame + 3, 6 * sizeof *s->frame);
    memcpy(s->frame + 6, first, sizeof first);
}

static void joint(sample* s)
{
    s->law[2] = SCREE_LAW_BILATERAL;
}

static void sound_problems_pass_in_silence(void** state)
{
    (void)state;
    static change* const changes[] = {
        nothing,       one_sided_interval, free_interval, point_interval,
        no_compliance, no_friction,        joint,         unused_coefficient_of_interval,
        turned_frame};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        for (int form = SCREE_FORM_ASSEMBLED; form <= SCREE_FORM_BODIES; ++form) {
            sample s = valid((scree_form)form);
            changes[i](&s);
            test_host host;
            scree_env env = test_env(&host);
            scree_status status = scree_problem_validate(&env, &s.view);
            require(status == SCREE_OK && host.n_logged == 0, "change %zu, form %d: %s", i, form,
                    host.text);
            sample_end(&s);
        }
    }
}

/* Contacts between bodies that are all held: M and H without rows. */
static void no_degrees_of_freedom(void** state)
{
    (void)state;
    static const int rows[2] = {SCREE_ROWS_N, SCREE_ROWS_NTT}, law[2] = {0, 0};
    static const int32_t start[5] = {0, 0, 0, 0, 0};
    sample s = sample_begin(2, rows, law);
    s.view.form = SCREE_FORM_FACTORED;
    s.view.factored.mass = (scree_csc){0, 0, start, NULL, NULL};
    s.view.factored.h = (scree_csc){0, 4, start, NULL, NULL};
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    s.view.factored.h.n_rows = -1;
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
    s.view.factored.h.n_rows = 0;
    s.view.factored.h.n_columns = -1;
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
    sample_end(&s);
}

/* A missing diagonal block is a block of zeros: a pair of immovable bodies. */
static void blocks_may_be_missing(void** state)
{
    (void)state;
    sample s = valid(SCREE_FORM_ASSEMBLED);
    memset(s.w_start, 0, 4 * sizeof *s.w_start);
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    sample_end(&s);
}

static void every_law_allows_its_rows(void** state)
{
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
            sample s = sample_begin(1, &rows, &law);
            static const int32_t start[2] = {0, 0};
            static const int64_t offset[1] = {0};
            s.view.w = (scree_bsr){start, NULL, offset, NULL};
            int one_row = law == SCREE_LAW_INTERVAL || law == SCREE_LAW_HALF_LINE;
            scree_status expected = one_row && rows != SCREE_ROWS_N ? SCREE_ERROR_INPUT : SCREE_OK;
            assert_int_equal(scree_problem_validate(NULL, &s.view), expected);
            sample_end(&s);
        }
    }
}

static void no_problem_at_all(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    assert_int_equal(scree_problem_validate(&env, NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(host.n_logged, 1);
}

/* A problem without contacts is valid to read, to reduce and to judge; there is nothing to solve.
 */
static void no_contacts_at_all(void** state)
{
    (void)state;
    static const int32_t none[1] = {0};
    static const int64_t offset[1] = {0};
    for (int form = SCREE_FORM_ASSEMBLED; form <= SCREE_FORM_BODIES; ++form) {
        sample s = sample_begin(0, NULL, NULL);
        scri_random random = {.key = 62};
        if (form == SCREE_FORM_BODIES)
            draw_bodies(&s, &random, 2);
        else if (form == SCREE_FORM_FACTORED)
            draw_factors(&s, &random, 3, 2);
        else
            s.view.w = (scree_bsr){none, NULL, offset, NULL};
        test_host host;
        scree_env env = test_env(&host);
        assert_int_equal(scree_problem_validate(&env, &s.view), SCREE_OK);
        assert_int_equal(scree_problem_n_rows(&s.view), 0);
        scree_problem_store store;
        assert_int_equal(scree_problem_reduce(&env, &s.view, &store), SCREE_OK);
        assert_int_equal(store.problem.n_contacts, 0);
        assert_int_equal(scree_problem_validate(&env, &store.problem), SCREE_OK);
        double p[1] = {7.0};
        scree_certificate certificate;
        assert_int_equal(scree_certify(&env, &s.view, p, &certificate), SCREE_OK);
        assert_true(certificate.residual == 0.0 && certificate.worst_contact == -1);
        scree_solver_def def = scree_default_solver_def();
        scree_report report;
        double work[256];
        assert_true(scree_solve_work_size(NULL, &store.problem, &def) <= sizeof work);
        assert_int_equal(scree_solve(NULL, &store.problem, &def, work, p, &report),
                         SCREE_ERROR_INPUT);
        assert_true(p[0] == 7.0);
        scree_problem_store_release(&store);
        assert_int_equal(host.n_held, 0);
        assert_int_equal(host.n_logged, 0);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_refused_with_one_line),
        cmocka_unit_test(no_entry_is_read_beyond_the_last_index),
        cmocka_unit_test(sound_problems_pass_in_silence),
        cmocka_unit_test(no_degrees_of_freedom),
        cmocka_unit_test(blocks_may_be_missing),
        cmocka_unit_test(every_law_allows_its_rows),
        cmocka_unit_test(no_problem_at_all),
        cmocka_unit_test(no_contacts_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
