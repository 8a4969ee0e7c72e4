/* Packs of round contacts with others among them: as good as without packs, and about as soon. The
 * residual that decides is taken in double precision by other code. */
#include "support/fits.h"
#include "support/one_contact_judge.h"
#include "support/solving.h"

enum { SIDE = 4, ODD = 2 };

/* A pyramid of spheres; some corners of its lowest layer have another inertia, and their contacts
 * other arms: the first `odd` of them. */
static sample mixed_pile(int law, int rows, double mu, int odd, scri_random* random)
{
    static const int corner[ODD] = {0, SIDE * SIDE - 1};
    sphere_pile pile = pyramid_of(SIDE, 3, law, rows, mu);
    sample s = sample_pile(&pile, random);
    for (int i = 0; i < odd; ++i) {
        int32_t body = corner[i];
        draw_inertia(random, s.inv_inertia[6 * body], s.inv_inertia + 6 * body);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) {
            for (int side = 0; side < 2; ++side) {
                if (s.pair[2 * c + side] != body) continue;
                for (int k = 0; k < 3; ++k) {
                    s.arm[6 * c + 3 * side + k] += 0.1 * PILE_RADIUS * draw_between(random, -1, 1);
                }
            }
        }
    }
    return s;
}

static int32_t contacts_of(const sample* s, int32_t body)
{
    int32_t n = 0;
    for (int32_t c = 0; c < s->view.n_contacts; ++c) {
        n += s->pair[2 * c] == body || s->pair[2 * c + 1] == body;
    }
    return n;
}

static int64_t iterations_of(const sample* s, const char* solver, double tol)
{
    scree_solver_def def = solver_def(solver, tol, 5000);
    double* p = zeros_of(&s->view);
    scree_report report = solved(&s->view, &def, p);
    require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s, %s rows, law %d: %s at %g", solver,
            row_names[s->rows[0]], s->law[0], scree_outcome_text((int)report.outcome),
            report.residual);
    assert_string_equal(report.solver, solver);
    free(p);
    return report.iterations;
}

static void piles_take_no_longer(void** state)
{
    (void)state;
    static const int all_rows[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                   SCREE_ROWS_NTTRRS};
    scri_random random = test_seed("guests of packs", 61);
    int64_t plain = 0, accelerated = 0;
    for (int law = 0; law < 2; ++law) {
        for (size_t r = 0; r < sizeof all_rows / sizeof *all_rows; ++r) {
            int64_t sum[3] = {0, 0, 0};
            for (int k = 0; k < 6; ++k) {
                sample s = mixed_pile(law ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT, all_rows[r],
                                      0.02 * (1 << k), ODD, &random);
                sum[0] += iterations_of(&s, "nsgs-bodies", 1e-4);
                sum[1] += iterations_of(&s, "nsgs-wide", 1e-4);
                sum[2] += iterations_of(&s, "nsgs-wide-aa", 1e-4);
                sample_end(&s);
            }
            print_message("%s, law %d: %lld sweeps, %lld in packs, %lld accelerated\n",
                          row_names[all_rows[r]], law, (long long)sum[0], (long long)sum[1],
                          (long long)sum[2]);
            assert_true(10 * sum[1] <= 14 * sum[0]);
            plain += sum[0];
            accelerated += sum[2];
        }
    }
    assert_true(accelerated <= plain); /* single ones may take several times as long */
}

/* Whatever law or yielding a guest has of its own. */
static void guests_keep_their_laws(void** state)
{
    (void)state;
    static const int laws[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_COUPLED};
    scri_random random = test_seed("laws of guests", 62);
    for (int k = 0; k < 24; ++k) {
        int rows = k % 2 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTT;
        sample s =
            mixed_pile(k % 4 > 1 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT, rows, 0.3, ODD, &random);
        if (k % 8 >= 4) sample_add_compliance(&s, &random, 0.0);
        for (int32_t c = 0, n = 0; c < s.view.n_contacts; ++c) {
            if (s.pair[2 * c] != 0 && s.pair[2 * c + 1] != 0) continue;
            s.law[c] = (uint8_t)laws[n++ % 3];
            if (n == 1) s.coef[3 * c] = 1 + k;
            if (n == 2) s.coef[3 * c] = s.coef[3 * c + 1] = s.coef[3 * c + 2] = 0.0;
            for (int32_t i = s.row[c]; s.compliance && i < s.row[c + 1]; ++i) {
                s.compliance[i] = 0.1 * s.inv_mass[1];
            }
        }
        iterations_of(&s, "nsgs-wide", 1e-4);
        iterations_of(&s, "nsgs-wide-aa", 1e-3);
        sample_end(&s);
    }
}

static void too_many_guests_do_not_fit(void** state)
{
    (void)state;
    scri_random random = test_seed("too many guests", 63);
    sample s = mixed_pile(SCREE_LAW_EXACT, SCREE_ROWS_NTT, 0.3, 1, &random);
    int32_t n = s.view.n_contacts, guests = contacts_of(&s, 0);
    scree_solver_def fine = solver_def("nsgs-wide", 0.99e-3, 100);
    scree_solver_def coarse = solver_def("nsgs-wide", 1e-3, 100);
    assert_true(guests < n / 4 && fits(&s.view, &fine));
    int32_t c = 0;
    for (; guests <= n / 2; ++c) { /* one contact after the other is given an arm to the side */
        if (s.pair[2 * c] == 0 || s.pair[2 * c + 1] == 0) continue;
        require(fits(&s.view, &fine) == (guests <= n / 4), "%d of %d, fine", (int)guests, (int)n);
        require(fits(&s.view, &coarse), "%d of %d", (int)guests, (int)n);
        s.arm[6 * c] += 0.1 * PILE_RADIUS;
        s.arm[6 * c + 1] += 0.2 * PILE_RADIUS;
        s.arm[6 * c + 2] += 0.3 * PILE_RADIUS;
        guests++;
    }
    assert_false(fits(&s.view, &coarse));
    assert_string_equal(scree_solver_unfit(NULL, &s.view, &coarse),
                        "too many contacts are not of round bodies");
    sample_end(&s);
}

static void joints_are_no_guests(void** state)
{
    (void)state;
    scri_random random = test_seed("joints among packs", 64);
    sample s = mixed_pile(SCREE_LAW_EXACT, SCREE_ROWS_NTT, 0.3, 1, &random);
    scree_solver_def def = solver_def("nsgs-wide", 1e-3, 100);
    s.law[s.view.n_contacts - 1] = SCREE_LAW_BILATERAL;
    assert_string_equal(scree_solver_unfit(NULL, &s.view, &def), "there are joints");
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piles_take_no_longer),
        cmocka_unit_test(guests_keep_their_laws),
        cmocka_unit_test(too_many_guests_do_not_fit),
        cmocka_unit_test(joints_are_no_guests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
