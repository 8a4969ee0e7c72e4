/* The impulses that velocities leave to one contact, held against the laws themselves: each of them
 * satisfies the law, none is missing, and the closest one is the closest. */
#include "support/draw.h"
#include "support/reactions.h"
#include "support/reference.h"
#include "support/test.h"

static const int all_rows[] = {SCREE_ROWS_N,     SCREE_ROWS_NT,     SCREE_ROWS_NTT, SCREE_ROWS_NTTS,
                               SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS, SCREE_ROWS_NTR};
enum { N_ROWS = sizeof all_rows / sizeof all_rows[0], FRICTION_LAWS = 3 };

/* Velocities of a closed contact, and an impulse that the law allows there. */
typedef struct closed {
    int law, rows;
    row_shape f;
    double coef[3], p[MAX_WIDTH], y[MAX_WIDTH];
    int moves[CHANNELS];
} closed;

static double channel_length(const closed* c, const double* x, int k)
{
    const double* at = x + c->f.first[k];
    return c->f.dim[k] == 2 ? hypot(at[0], at[1]) : c->f.dim[k] ? fabs(at[0]) : 0.0;
}

static int carries(const closed* c, int k)
{
    return c->f.dim[k] > 0 && c->coef[k] > 0.0;
}

/* An impulse at p_N = n: against the motion where the channel moves, else within what remains. */
static void draw_impulse(scri_random* random, closed* c, double n)
{
    double pull = 0.0, root = 0.0;
    int slips = 0;
    c->p[0] = n;
    for (int k = 0; k < CHANNELS; ++k) {
        pull = hypot(pull, carries(c, k) ? c->coef[k] * channel_length(c, c->y, k) : 0.0);
        slips |= carries(c, k) && c->moves[k];
    }
    for (int k = 0; k < CHANNELS; ++k) {
        double y_length = channel_length(c, c->y, k), within = scri_random_uniform(random);
        for (int i = c->f.first[k]; i < c->f.first[k] + c->f.dim[k]; ++i) {
            c->p[i] = 0.0;
            if (!carries(c, k)) continue;
            if (c->law == SCREE_LAW_COUPLED && slips) {
                c->p[i] = -n * c->coef[k] * c->coef[k] * c->y[i] / pull;
            } else if (c->moves[k]) {
                c->p[i] = -n * c->coef[k] * c->y[i] / y_length;
            } else { /* 0.5 <= 1 / sqrt(3): together they lie within the ellipsoid */
                c->p[i] = 0.5 * within * n * c->coef[k] * draw_between(random, -0.7, 0.7);
            }
        }
    }
    c->y[0] = 0.0;
    for (int k = 0; k < CHANNELS; ++k) {
        double held = carries(c, k) ? c->coef[k] * channel_length(c, c->y, k) : 0.0;
        root = hypot(root, held);
        if (c->law == SCREE_LAW_CONVEX) c->y[0] += held;
    }
    if (c->law == SCREE_LAW_COUPLED) c->y[0] = root;
}

static closed draw_closed(scri_random* random, int n)
{
    closed c = {.law = n % FRICTION_LAWS, .rows = all_rows[n / FRICTION_LAWS % N_ROWS]};
    c.f = shape_of(c.rows);
    for (int k = 0; k < CHANNELS; ++k) {
        c.coef[k] = draw_chance(random, 15.0) ? 0.0 : draw_power(random, -1.0, 1.0);
        c.moves[k] = draw_chance(random, 50.0);
        for (int i = c.f.first[k]; c.moves[k] && i < c.f.first[k] + c.f.dim[k]; ++i) {
            c.y[i] = draw_sign(random) * draw_power(random, -3.0, 1.0);
        }
    }
    draw_impulse(random, &c, draw_power(random, -1.0, 1.0));
    return c;
}

/* |p - P_K(p - yhat)|, by the law. */
static double law_error(const closed* c, const double* p)
{
    const scri_law* law = scri_law_get(c->law);
    scri_terms terms = {c->rows, c->coef, NULL, NULL, NULL};
    double image[MAX_WIDTH], square = 0.0;
    for (int i = 0; i < c->f.width; ++i) image[i] = p[i] - c->y[i];
    image[0] -= law->shift(terms, c->y);
    law->project(terms, image);
    for (int i = 0; i < c->f.width; ++i) square += (p[i] - image[i]) * (p[i] - image[i]);
    return sqrt(square);
}

static double norm_of(int n, const double* x)
{
    double square = 0.0;
    for (int i = 0; i < n; ++i) square += x[i] * x[i];
    return sqrt(square);
}

static scri_reaction_set set_of(const closed* c)
{
    return test_reaction_set(c->law, c->rows, c->coef, c->p, c->y, 1e-6);
}

/* The rows that may carry an impulse, and those that vary by themselves. */
static void require_bits(const closed* c, const scri_reaction_set* set, int n)
{
    unsigned loaded = 1U, alone = 0U;
    int slips = 0;
    for (int k = 0; k < CHANNELS; ++k) slips |= carries(c, k) && c->moves[k];
    for (int k = 0; k < CHANNELS; ++k) {
        if (!carries(c, k)) continue;
        unsigned bits = ((1U << c->f.dim[k]) - 1U) << c->f.first[k];
        loaded |= bits;
        if (!(c->law == SCREE_LAW_COUPLED ? slips : c->moves[k])) alone |= bits;
    }
    require(set->loaded == loaded, "case %d: loaded %x, not %x", n, set->loaded, loaded);
    require(set->free == alone, "case %d: free %x, not %x", n, set->free, alone);
    require(set->kind == (c->law == SCREE_LAW_COUPLED && !slips ? SCRI_REACTION_SET_ELLIPSOID
                                                                : SCRI_REACTION_SET_CONE),
            "case %d: kind %d", n, (int)set->kind);
    require(fabs(norm_of(c->f.width, set->axis) - 1.0) <= 1e-14, "case %d: the axis", n);
}

static void sets_hold_what_the_laws_allow(void** state)
{
    (void)state;
    scri_random random = test_seed("reaction sets", 395);
    for (int n = 0; n < 6000; ++n) {
        closed c = draw_closed(&random, n);
        double size = norm_of(c.f.width, c.p) + norm_of(c.f.width, c.y);
        require(law_error(&c, c.p) <= 1e-13 * size, "case %d: the test's own impulse", n);
        scri_reaction_set set = set_of(&c);
        require_bits(&c, &set, n);
        double found[MAX_WIDTH], other[MAX_WIDTH], z[MAX_WIDTH], sum = 0.0;
        for (int again = 0; again < 3; ++again) { /* nothing is missing */
            scri_reaction_set_project(&set, c.rows, c.p, found, NULL);
            for (int i = 0; i < c.f.width; ++i) {
                require(fabs(found[i] - c.p[i]) <= 1e-13 * size, "case %d: row %d: %g, not %g", n,
                        i, found[i], c.p[i]);
            }
            draw_impulse(&random, &c, draw_power(&random, -1.0, 0.0) * c.p[0]);
        }
        for (int i = 0; i < c.f.width; ++i) z[i] = draw_between(&random, -3.0, 3.0);
        scri_reaction_set_project(&set, c.rows, z, found, NULL);
        double found_size = size + norm_of(c.f.width, z) + norm_of(c.f.width, found);
        require(law_error(&c, found) <= 1e-12 * found_size, "case %d: error %g", n,
                law_error(&c, found));
        /* the closest point of a convex set: no other lies ahead of it */
        memcpy(other, c.p, sizeof other);
        for (int i = 0; i < c.f.width; ++i) sum += (z[i] - found[i]) * (other[i] - found[i]);
        require(sum <= 1e-12 * found_size * found_size, "case %d: %g ahead", n, sum);
        sum = 0.0; /* and of a cone: it is orthogonal to what is left */
        for (int i = 0; i < c.f.width; ++i) sum += (z[i] - found[i]) * found[i];
        require(fabs(sum) <= 1e-12 * found_size * found_size, "case %d: %g along", n, sum);
    }
}

/* dp/dz against differences, where those on both sides agree. */
static void derivatives_of_all_sets(void** state)
{
    (void)state;
    scri_random random = test_seed("derivatives", 396);
    int compared = 0, kinks = 0;
    for (int n = 0; n < 3000; ++n) {
        closed c = draw_closed(&random, n);
        scri_reaction_set set = set_of(&c);
        int width = c.f.width;
        double z[MAX_WIDTH], p[MAX_WIDTH], d[MAX_WIDTH * MAX_WIDTH], h = 1e-6;
        for (int i = 0; i < width; ++i) z[i] = draw_between(&random, -2.0, 2.0);
        scri_reaction_set_project(&set, c.rows, z, p, d);
        for (int j = 0; j < width; ++j) {
            double up[MAX_WIDTH], down[MAX_WIDTH], at = z[j];
            z[j] = at + h;
            scri_reaction_set_project(&set, c.rows, z, up, NULL);
            z[j] = at - h;
            scri_reaction_set_project(&set, c.rows, z, down, NULL);
            z[j] = at;
            for (int i = 0; i < width; ++i) {
                double ahead = (up[i] - p[i]) / h, behind = (p[i] - down[i]) / h;
                double own = d[i * width + j], mean = 0.5 * (ahead + behind);
                require(fabs(own - d[j * width + i]) <= 1e-12, "case %d: not symmetric", n);
                if (!(fabs(ahead - behind) <= 1e-3)) {
                    ++kinks;
                    continue;
                }
                ++compared;
                require(fabs(own - mean) <= 2e-4, "case %d, law %d: d[%d, %d] = %.9g, not %.9g", n,
                        c.law, i, j, own, mean);
            }
        }
    }
    require(kinks < 0.01 * compared, "%d of %d", kinks, compared);
}

/* Rows of joints, motors and limits; contacts that are open, and those that only just are. */
static void other_laws_by_hand(void** state)
{
    (void)state;
    const double coef[3] = {-2.0, 5.0, 0.0}, p[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, tol = 1e-3;
    static const struct {
        int law;
        double y, lo, hi;
    } rows[] = {{SCREE_LAW_INTERVAL, 0.0, -2.0, 5.0},      {SCREE_LAW_INTERVAL, 0.9e-3, -2.0, 5.0},
                {SCREE_LAW_INTERVAL, -0.9e-3, -2.0, 5.0},  {SCREE_LAW_INTERVAL, 1.1e-3, -2.0, -2.0},
                {SCREE_LAW_INTERVAL, -1.1e-3, 5.0, 5.0},   {SCREE_LAW_HALF_LINE, 1.1e-3, 0.0, 0.0},
                {SCREE_LAW_HALF_LINE, 0.9e-3, 0.0, 1e308}, {SCREE_LAW_HALF_LINE, -1.0, 0.0, 1e308}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        scri_reaction_set set =
            test_reaction_set(rows[i].law, SCREE_ROWS_N, coef, p, &rows[i].y, tol);
        unsigned varies = rows[i].lo < rows[i].hi;
        assert_int_equal(set.kind, SCRI_REACTION_SET_WITHIN);
        assert_true(set.lo == rows[i].lo && set.hi >= rows[i].hi && set.lo <= set.hi);
        require(set.hi == rows[i].hi || isinf(set.hi), "row %d: %g", (int)i, set.hi);
        assert_int_equal(set.free, varies);
        assert_int_equal(set.loaded, varies);
        for (double z = -7.0; z <= 7.0; z += 1.3) {
            double found, d, expected = fmin(fmax(z, set.lo), set.hi);
            scri_reaction_set_project(&set, SCREE_ROWS_N, &z, &found, &d);
            assert_true(found == expected);
            require(d == (varies && expected == z ? 1.0 : 0.0), "row %d: slope %g", (int)i, d);
        }
    }
    const double still[6] = {0.0}, z[6] = {1.0, -2.0, 3.0, -4.0, 5.0, -6.0};
    double found[6], d[36];
    scri_reaction_set whole =
        test_reaction_set(SCREE_LAW_BILATERAL, SCREE_ROWS_NTTRRS, coef, p, still, tol);
    assert_int_equal(whole.kind, SCRI_REACTION_SET_WHOLE);
    assert_int_equal(whole.free, 63);
    assert_int_equal(whole.loaded, 63);
    scri_reaction_set_project(&whole, SCREE_ROWS_NTTRRS, z, found, d);
    for (int i = 0; i < 36; ++i) assert_true(d[i] == (i % 7 == 0 ? 1.0 : 0.0));
    for (int i = 0; i < 6; ++i) assert_true(found[i] == z[i]);
    /* an open contact of six rows carries nothing, however it is asked */
    const double friction[3] = {0.5, 0.5, 0.5}, opens[6] = {1.1e-3, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int law = 0; law < FRICTION_LAWS; ++law) {
        scri_reaction_set open = test_reaction_set(law, SCREE_ROWS_NTTRRS, friction, p, opens, tol);
        assert_int_equal(open.kind, SCRI_REACTION_SET_WITHIN);
        assert_int_equal(open.free, 0);
        assert_int_equal(open.loaded, 0);
        for (int i = 0; i < 36; ++i) d[i] = found[i % 6] = 9.0;
        scri_reaction_set_project(&open, SCREE_ROWS_NTTRRS, z, found, d);
        for (int i = 0; i < 36; ++i) assert_true(d[i] == 0.0 && found[i % 6] == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_hold_what_the_laws_allow),
        cmocka_unit_test(derivatives_of_all_sets),
        cmocka_unit_test(other_laws_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
