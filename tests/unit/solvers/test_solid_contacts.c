/* Which contacts the kernel for bodies of any inertia takes, and what it is told of them. */
#include "base/bump.h"
#include "solvers/solid_contacts.h"
#include "support/problems.h"

/* Two bodies that meet at (1, 1, 0) from either centre, in a frame that is aligned with nothing.
 * The first turns about z alone, `turns` as easily as it moves. */
static sample pair_of_bodies(double turns)
{
    static const double frame[9] = {2.0 / 3.0, 1.0 / 3.0,  2.0 / 3.0,  -2.0 / 3.0, 2.0 / 3.0,
                                    1.0 / 3.0, -1.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0};
    const int rows[1] = {SCREE_ROWS_NTT}, law[1] = {SCREE_LAW_EXACT};
    sample s = sample_begin(1, rows, law);
    sample_add_bodies(&s, 2);
    for (int b = 0; b < 2; ++b) {
        s.inv_mass[b] = 1.0;
        s.arm[3 * b] = s.arm[3 * b + 1] = b ? -1.0 : 1.0;
        s.pair[b] = b;
    }
    s.inv_inertia[2] = turns;
    memcpy(s.frame, frame, sizeof frame);
    s.coef[0] = 0.5;
    return s;
}

static int fits(const sample* s, scri_round_solid* out)
{
    scri_bump bump = {NULL, 0};
    scri_operator_create(&s->view, &bump);
    void* memory = test_take(bump.used, 1);
    bump = (scri_bump){memory, 0};
    scri_operator op = scri_operator_create(&s->view, &bump);
    int taken = scri_solid_fill(&op, 0, out);
    free(memory);
    return taken;
}

/* W = 2 + turns u u^T, where u is (0, 0, 1) x (1, 1, 0) in the frame; times its inverse it is 1. */
static void blocks_are_inverted(void** state)
{
    (void)state;
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    static const double u[3] = {-1.0 / 3.0, 4.0 / 3.0, -1.0 / 3.0};
    for (int power = -3; power <= 3; ++power) {
        double turns = pow(10.0, power);
        scri_round_solid out;
        sample s = pair_of_bodies(turns);
        assert_int_equal(fits(&s, &out), 1);
        for (int i = 0; i < 9; ++i) {
            double w = (i % 4 ? 0.0 : 2.0) + turns * u[i / 3] * u[i % 3], one = 0.0;
            require(fabs(out.w[place[i]] - w) <= 1e-14 * (2.0 + turns), "entry %d: %g, not %g", i,
                    out.w[place[i]], w);
            for (int k = 0; k < 3; ++k) {
                one += out.w[place[3 * (i / 3) + k]] * out.stick[place[3 * k + i % 3]];
            }
            require(fabs(one - (i % 4 ? 0.0 : 1.0)) <= 1e-12 * (1.0 + turns), "product %d: %g", i,
                    one);
        }
        sample_end(&s);
    }
}

/* So easily turned that the rest of the block is lost in rounding: another method takes it. */
static void blocks_of_rounding_are_refused(void** state)
{
    (void)state;
    scri_round_solid out;
    sample s = pair_of_bodies(1e9);
    assert_int_equal(fits(&s, &out), 0);
    sample_end(&s);
}

static void others_are_refused(void** state)
{
    (void)state;
    for (int k = 0; k < 5; ++k) {
        double compliance[3] = {0.0, 0.0, k == 4 ? 1e-9 : 0.0};
        scri_round_solid out;
        sample s = pair_of_bodies(1.0);
        if (k == 0) s.coef[0] = 0.0;
        if (k == 1 || k == 2) s.pair[k - 1] = -1;
        if (k == 3) s.pair[1] = 0;
        if (k == 4) s.view.compliance = compliance;
        require(!fits(&s, &out), "case %d fits", k);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_inverted),
        cmocka_unit_test(blocks_of_rounding_are_refused),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
