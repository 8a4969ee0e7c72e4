/* The sets of impulses that velocities leave to one contact: when it counts as open, the closest
 * point of a set, and its derivative. */
#include "solvers/reactions_set.h"
#include "support/draw.h"
#include "support/reactions.h"
#include "support/reference.h"
#include "support/test.h"

/* A contact is open when y_N exceeds what its slip holds: nothing under the exact law, the sum of
 * mu_k |y_k| under the convex one, the root of the squares under the coupled one. */
static void contacts_open_beyond_what_slip_holds(void** state)
{
    (void)state;
    static const struct {
        int law;
        double hold;
    } cases[] = {{SCREE_LAW_EXACT, 0.0}, {SCREE_LAW_CONVEX, 7.0}, {SCREE_LAW_COUPLED, 5.0}};
    const double coef[3] = {0.5, 2.0, 0.7}, p[6] = {1.0, -0.5, 0.0, -2.0, 0.0, 0.0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        for (int open = 0; open < 2; ++open) { /* mu |y_T| = 3, mu |y_R| = 4 */
            double y[6] = {cases[k].hold + (open ? 1.1e-6 : 0.9e-6), 6.0, 0.0, 2.0, 0.0, 0.0};
            scri_reaction_set set =
                test_reaction_set(cases[k].law, SCREE_ROWS_NTTRRS, coef, p, y, 1e-6);
            int nothing = set.kind == SCRI_REACTION_SET_WITHIN && set.lo == 0.0 && set.hi == 0.0;
            require(nothing == open, "%s, open %d", scree_law_name(cases[k].law), open);
        }
    }
}

/* All channels at rest: the whole cone or the whole ellipsoid. */
static scri_reaction_set resting(int law, int rows, const double* coef)
{
    double y[6] = {0.0}, p[6] = {1.0};
    return test_reaction_set(law, rows, coef, p, y, 1e-9);
}

static void require_derivative(const scri_reaction_set* set, int rows, const double* z, int n)
{
    int width = shape_of(rows).width;
    double p[6], d[36], up[6], down[6], moved[6];
    scri_reaction_set_project(set, rows, z, p, d);
    for (int j = 0; j < width; ++j) {
        double h = 1e-6;
        memcpy(moved, z, sizeof moved);
        moved[j] = z[j] + h;
        scri_reaction_set_project(set, rows, moved, up, NULL);
        moved[j] = z[j] - h;
        scri_reaction_set_project(set, rows, moved, down, NULL);
        for (int i = 0; i < width; ++i) {
            double slope = (up[i] - down[i]) / (2.0 * h), found = d[i * width + j];
            require(fabs(found - slope) <= 1e-6, "case %d, rows %d: d[%d, %d] = %.9g, not %.9g", n,
                    rows, i, j, found, slope);
            require(fabs(found - d[j * width + i]) <= 1e-12, "case %d: not symmetric", n);
        }
    }
}

/* Distance of z from the kinks of the projection, about. */
static double from_kink(int rows, const double* coef, const double* z)
{
    row_shape f = shape_of(rows);
    double inside = 0.0, polar = 0.0;
    for (int k = 0; k < CHANNELS; ++k) {
        const double* l = z + f.first[k];
        double length = f.dim[k] == 2 ? hypot(l[0], l[1]) : f.dim[k] ? fabs(l[0]) : 0.0;
        inside = hypot(inside, f.dim[k] ? length / coef[k] : 0.0);
        polar = hypot(polar, f.dim[k] ? coef[k] * length : 0.0);
    }
    return fmin(fabs(inside - z[0]), fabs(polar + z[0]));
}

static void derivatives_of_the_ellipsoid(void** state)
{
    (void)state;
    static const int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                               SCREE_ROWS_NTTRRS};
    scri_random random = test_seed("ellipsoids", 81);
    int used[3] = {0, 0, 0};
    for (int n = 0; n < 800; ++n) {
        int r = rows[n % 4];
        double coef[3], z[6], p[6];
        for (int k = 0; k < 3; ++k) coef[k] = draw_power(&random, -0.7, 0.7);
        for (int i = 0; i < 6; ++i) z[i] = draw_between(&random, -1.0, 1.0);
        z[0] *= 2.0;
        if (from_kink(r, coef, z) < 1e-3) continue;
        scri_reaction_set set = resting(SCREE_LAW_COUPLED, r, coef);
        assert_int_equal(set.kind, SCRI_REACTION_SET_ELLIPSOID);
        require_derivative(&set, r, z, n);
        scri_reaction_set_project(&set, r, z, p, NULL);
        used[!(p[0] > 0.0) ? 0 : p[0] == z[0] ? 1 : 2]++;
    }
    require(used[0] > 50 && used[1] > 50 && used[2] > 200, "%d open, %d inside, %d drawn", used[0],
            used[1], used[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_open_beyond_what_slip_holds),
        cmocka_unit_test(derivatives_of_the_ellipsoid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
