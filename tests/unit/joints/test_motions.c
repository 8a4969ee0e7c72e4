/* Motions of joints against their rows: J H = 1, J S = 0, and together they are a basis. */
#include "joints/motions.h"
#include "support/draw.h"
#include "support/test.h"

static scri_joint_side draw_side(scri_random* random)
{
    double at[3], turn[4], point[3], frame[4];
    for (int i = 0; i < 3; ++i) {
        at[i] = draw_between(random, -2.0, 2.0);
        point[i] = draw_between(random, -0.5, 0.5);
    }
    for (int i = 0; i < 4; ++i) {
        turn[i] = draw_between(random, -1.0, 1.0);
        frame[i] = draw_between(random, -1.0, 1.0);
    }
    scri_quat_store(scri_quat_normalize(scri_quat_load(turn)), turn);
    scri_quat_store(scri_quat_normalize(scri_quat_load(frame)), frame);
    return scri_joint_place_side(at, turn, point, frame);
}

/* Axes of A near those of B, but for a tilt: joints that are put together a little off. */
static void line_up(scri_random* random, double tilt, scri_joint_side s[2])
{
    double angle[3];
    for (int i = 0; i < 3; ++i) angle[i] = draw_between(random, -tilt, tilt);
    s[0].turn = scri_quat_multiply(s[1].turn, scri_quat_exp(scri_vec_load(angle)));
    scri_mat m = scri_mat_from_quat(s[0].turn);
    for (int i = 0; i < 3; ++i) s[0].axis[i] = (scri_vec){m.m[i], m.m[3 + i], m.m[6 + i]};
}

/* The determinant of six motions, by elimination. */
static double determinant(const double basis[36])
{
    double a[36], value = 1.0;
    memcpy(a, basis, sizeof a);
    for (int k = 0; k < 6; ++k) {
        int best = k;
        for (int i = k + 1; i < 6; ++i) {
            if (fabs(a[6 * i + k]) > fabs(a[6 * best + k])) best = i;
        }
        for (int j = 0; j < 6; ++j) {
            double swap = a[6 * k + j];
            a[6 * k + j] = a[6 * best + j];
            a[6 * best + j] = swap;
        }
        value *= a[7 * k];
        for (int i = k + 1; i < 6 && a[7 * k] != 0.0; ++i) {
            double share = a[6 * i + k] / a[7 * k];
            for (int j = k; j < 6; ++j) a[6 * i + j] -= share * a[6 * k + j];
        }
    }
    return fabs(value);
}

static void one_case(scri_random* random, scree_joint_kind kind)
{
    scri_joint_side s[2] = {draw_side(random), draw_side(random)};
    scri_joint_terms terms = {.length = 0.7, .ratio = draw_between(random, -0.5, 0.5)};
    scri_joint_rows rows;
    double along[3], basis[36];
    line_up(random, kind == SCREE_JOINT_UNIVERSAL ? 0.3 : 0.2, s);
    draw_direction(random, along);
    terms.along = scri_vec_load(along);
    terms.at = s[0].point;
    scri_joint_constraints(kind, s, &terms, &rows);
    int rigid[3];
    for (int k = 0; k < 3; ++k) rigid[k] = draw_chance(random, 75.0);
    for (int side = 0; side < 2; ++side) {
        int held = 0, row = 0, n = scri_joint_motions(kind, s, &terms, rigid, side, basis);
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < rows.n[k]; ++i, ++row) {
                for (int j = 0; rigid[k] && j < 6; ++j) {
                    double rate = 0.0;
                    for (int m = 0; m < 6; ++m) {
                        rate += rows.row[12 * row + 6 * side + m] * basis[6 * j + m];
                    }
                    require(fabs(rate - (j == held)) <= 1e-13,
                            "kind %d, side %d: motion %d of %d has the rate %g in row %d",
                            (int)kind, side, j, n, rate, row);
                }
                held += rigid[k];
            }
        }
        assert_int_equal(n, held);
        require(determinant(basis) > 0.3, "kind %d: motions span %g", (int)kind,
                determinant(basis));
    }
}

static void motions_belong_to_rows(void** state)
{
    (void)state;
    scri_random random = test_seed("motions of joints", 2101);
    for (int i = 0; i < test_cases(120, 20000); ++i) {
        for (int kind = 0; kind < SCREE_JOINT_KIND_COUNT; ++kind) {
            if (kind == SCREE_JOINT_GEAR || kind == SCREE_JOINT_RACK) continue;
            one_case(&random, (scree_joint_kind)kind);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(motions_belong_to_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
