/* The modes of equation (21) of Acary & Bourrier: pairs made to obey one of its lines, answers of
 * the one-contact solver that must obey the line they are said to, and what has no mode. */
#include "scree/solver.h"
#include "support/one_contact_problems.h"
#include "support/reference.h"
#include "support/test.h"

#define NOT_A_NUMBER ((double)NAN)

static const double unit_w[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                  0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};

static int mode_of(scree_rows rows, scree_law law, const double coef[3], const double* p,
                   const double* y)
{
    double w[36] = {0.0};
    int width = scree_rows_width((int)rows);
    for (int i = 0; i < width; ++i) w[i * width + i] = unit_w[0];
    return (int)scree_one_contact_mode(rows, law, coef, w, y, p, SCREE_MODE_TOL);
}

/* The five lines of (21) one by one, mu = 1/2, mu_r = 1/4, and what spinning adds, mu_s = 1/8. */
static void five_lines_by_hand(void** state)
{
    (void)state;
    static const struct {
        double p[6], y[6];
        int mode;
        const char* name;
    } lines[] = {
        {{0}, {2, 3, 0, -1, 0, 4}, SCREE_MODE_OPEN, "take-off"},
        {{0}, {0}, SCREE_MODE_OPEN, "take-off"},
        {{8, 1, 0, 0, -1, 0.5}, {0}, SCREE_MODE_STICK, "stick"},
        {{8, 4, 0, 2, 0, 1}, {0}, SCREE_MODE_STICK, "stick"}, /* on all boundaries, at rest */
        {{8, -4, 0, 1, 0, 0}, {0, 3, 0, 0, 0, 0}, SCREE_MODE_SLIDE, "slide"},
        {{8, 1, 0, 0, -2, 0}, {0, 0, 0, 0, 5, 0}, SCREE_MODE_ROLL, "roll"},
        {{8, -4, 0, 0, -2, 0},
         {0, 3, 0, 0, 5, 0},
         SCREE_MODE_SLIDE | SCREE_MODE_ROLL,
         "slide+roll"},
        {{8, 1, 0, 1, 0, -1}, {0, 0, 0, 0, 0, 7}, SCREE_MODE_SPIN, "spin"},
        {{8, 0, 4, 1, 0, 1},
         {0, 0, -1, 0, 0, -7},
         SCREE_MODE_SLIDE | SCREE_MODE_SPIN,
         "slide+spin"},
        {{8, 1, 0, 2, 0, -1}, {0, 0, 0, -3, 0, 7}, SCREE_MODE_ROLL | SCREE_MODE_SPIN, "roll+spin"},
        {{8, 0, 4, 2, 0, 1},
         {0, 0, -1, -3, 0, -7},
         SCREE_MODE_SLIDE | SCREE_MODE_ROLL | SCREE_MODE_SPIN,
         "slide+roll+spin"},
    };
    const double coef[3] = {0.5, 0.25, 0.125};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; ++k) {
        int mode = mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, coef, lines[k].p, lines[k].y);
        require(mode == lines[k].mode, "line %zu is %s, not %s", k, scree_friction_mode_name(mode),
                lines[k].name);
        assert_string_equal(scree_friction_mode_name(mode), lines[k].name);
    }
}

/* ---- pairs that obey the law by construction ---- */

/* Channel k at rest within its disc, or moving with the impulse on its edge. */
static void draw_channel(scri_random* random, int dim, double radius, int moves, double* p,
                         double* y)
{
    double angle = draw_between(random, 0.0, 6.3),
           speed = moves ? draw_power(random, -3.0, 1.0) : 0.0;
    double length = radius * (moves ? 1.0 : draw_between(random, 0.0, 0.999));
    double one = dim == 1 ? draw_sign(random) : cos(angle), other = sin(angle);
    for (int i = 0; i < dim; ++i) {
        p[i] = length * (i == 0 ? one : other);
        y[i] = -speed * (i == 0 ? one : other);
    }
}

static void drawn_modes_are_found(void** state)
{
    (void)state;
    scri_random random = test_seed("drawn_modes", 20261116);
    int cases = test_cases(20000, 400000);
    for (int c = 0; c < cases; ++c) {
        scree_rows rows = (scree_rows)(1 + draw_below(&random, 7));
        scree_law law = draw_chance(&random, 50.0) ? SCREE_LAW_EXACT : SCREE_LAW_CONVEX;
        row_shape shape = shape_of((int)rows);
        double coef[3], p[6] = {0.0}, y[6] = {0.0};
        int expected = draw_chance(&random, 20.0) ? SCREE_MODE_OPEN : 0;
        if (!expected) p[0] = draw_power(&random, -1.0, 1.0);
        for (int k = 0; k < 3; ++k) {
            int moves = shape.dim[k] > 0 && draw_chance(&random, 50.0);
            coef[k] = draw_chance(&random, 10.0) ? 0.0 : draw_power(&random, -2.0, 1.0);
            if (!expected) {
                draw_channel(&random, shape.dim[k], coef[k] * p[0], moves, p + shape.first[k],
                             y + shape.first[k]);
            } else {
                draw_channel(&random, shape.dim[k], 0.0, moves, p + shape.first[k],
                             y + shape.first[k]);
            }
        }
        for (int k = 0; k < 3 && expected != SCREE_MODE_OPEN; ++k) {
            for (int i = 0; i < shape.dim[k]; ++i)
                expected |= y[shape.first[k] + i] != 0.0 ? 1 << k : 0;
        }
        real wide[6];
        reference_widen(6, y, wide);
        if (law == SCREE_LAW_CONVEX) y[0] = (double)reference_shift(shape, coef, wide);
        if (expected == SCREE_MODE_OPEN) y[0] += draw_power(&random, -2.0, 1.0);
        int found = mode_of(rows, law, coef, p, y);
        require(found == expected, "case %d, law %s, rows %d: %s, not %s", c,
                scree_law_name((int)law), (int)rows, scree_friction_mode_name(found),
                scree_friction_mode_name(expected));
    }
}

/* ---- answers of the solver ---- */

/* How far (p, y) is from the line of (21) that the mode names, relative, in scaled variables. */
static double error_of_line(const one_contact_problem* c, int mode, const double* p,
                            const double* y)
{
    row_shape s = shape_of((int)c->rows);
    double scale[6], size = 0.0, error = 0.0;
    for (int k = -1; k < 3; ++k) {
        int first = k < 0 ? 0 : s.first[k], dim = k < 0 ? 1 : s.dim[k];
        double mean = 0.0;
        for (int i = first; i < first + dim; ++i) mean += c->w[i * s.width + i] / dim;
        for (int i = first; i < first + dim; ++i) scale[i] = sqrt(mean);
    }
    for (int i = 0; i < s.width; ++i) {
        size = fmax(size, fmax(fabs(p[i]) * scale[i], fabs(y[i]) / scale[i]));
    }
    if (mode == SCREE_MODE_OPEN) {
        for (int i = 0; i < s.width; ++i) error = fmax(error, fabs(p[i]) * scale[i]);
        return fmax(error, -y[0] / scale[0]) / size;
    }
    error = fabs(y[0]) / scale[0];
    for (int k = 0; k < 3; ++k) {
        double press[2] = {0.0, 0.0}, move[2] = {0.0, 0.0}, radius = 0.0;
        for (int i = 0; i < s.dim[k]; ++i) {
            press[i] = p[s.first[k] + i] * scale[s.first[k]];
            move[i] = y[s.first[k] + i] / scale[s.first[k]];
        }
        if (s.dim[k]) radius = c->coef[k] * p[0] * scale[s.first[k]];
        double length = hypot(press[0], press[1]), speed = hypot(move[0], move[1]);
        if (mode >> k & 1) { /* |p_k| = mu_k p_N and |p_k| y_k = -|y_k| p_k */
            double turned = press[0] * move[0] + press[1] * move[1] + length * speed;
            error = fmax(error, fmax(fabs(length - radius), turned / fmax(speed, size)));
        } else {
            error = fmax(error, fmax(speed, length - radius));
        }
    }
    return error / size;
}

static void answers_obey_the_line_they_are_said_to(void** state)
{
    (void)state;
    scri_random random = test_seed("answers", 2101);
    int cases = test_cases(10000, 400000), seen[SCREE_MODE_COUNT] = {0};
    for (int k = 0; k < cases; ++k) {
        one_contact_problem c;
        double p[6] = {0.0}, y[6] = {0.0};
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, SCREE_ROWS_NTTRRS, &c);
        scree_one_contact_solve(c.rows, SCREE_LAW_EXACT, c.coef, c.w, c.q, p);
        for (int i = 0; i < 6; ++i) {
            y[i] = c.q[i];
            for (int j = 0; j < 6; ++j) y[i] += c.w[6 * i + j] * p[j];
        }
        int mode = (int)scree_one_contact_mode(c.rows, SCREE_LAW_EXACT, c.coef, c.w, y, p, 1e-9);
        double error = error_of_line(&c, mode, p, y);
        ++seen[mode];
        require(error <= 4e-9, "case %d is no %s: error %.3g", k, scree_friction_mode_name(mode),
                error);
    }
    for (int m = 0; m < SCREE_MODE_NONE; ++m) {
        require(seen[m] > cases / 1000, "%s was met %d times", scree_friction_mode_name(m),
                seen[m]);
    }
}

/* ---- tolerance, coefficients of zero, what has no mode ---- */

/* A contact that creeps while its impulse is within the discs sticks, however fast it creeps for
 * the tolerance; on the edge the velocity decides, by the tolerance. */
static void creep_is_no_sliding(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.25, 0.125};
    const double inside[6] = {8, 1, 0, 0, 1, 0}, edge[6] = {8, -4, 0, 0, 1, 0};
    const double creep[6] = {1e-4, 1e-3, 1e-3, -1e-3, 1e-3, 1e-3}, crawl[6] = {0, 1e-7, 0, 0, 0, 0};
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, coef, inside, creep),
                     SCREE_MODE_STICK);
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, coef, edge, crawl),
                     SCREE_MODE_STICK);
    assert_int_equal(
        scree_one_contact_mode(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, coef, unit_w, crawl, edge, 1e-9),
        SCREE_MODE_SLIDE);
}

/* Of an impulse and a velocity that contradict each other the larger counts. */
static void a_contact_that_parts_takes_off(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.25, 0.125}, p[6] = {1}, leaves[6] = {3}, stays[6] = {0.5};
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, coef, p, leaves), SCREE_MODE_OPEN);
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, coef, p, stays), SCREE_MODE_STICK);
}

static void modes_do_not_depend_on_units(void** state)
{
    (void)state;
    scri_random random = test_seed("units", 7);
    for (int k = 0; k < 2000; ++k) {
        one_contact_problem c, other;
        double p[6] = {0.0}, y[6], larger[6], faster[6], force = 0x1p100, speed = 0x1p-90;
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, SCREE_ROWS_NTTRRS, &c);
        scree_one_contact_solve(c.rows, SCREE_LAW_EXACT, c.coef, c.w, c.q, p);
        other = c;
        for (int i = 0; i < 6; ++i) {
            y[i] = c.q[i];
            for (int j = 0; j < 6; ++j) y[i] += c.w[6 * i + j] * p[j];
            faster[i] = y[i] * speed;
            larger[i] = p[i] * force;
            for (int j = 0; j < 6; ++j) other.w[6 * i + j] *= speed / force;
        }
        assert_int_equal(
            scree_one_contact_mode(c.rows, SCREE_LAW_EXACT, c.coef, c.w, y, p, SCREE_MODE_TOL),
            scree_one_contact_mode(c.rows, SCREE_LAW_EXACT, c.coef, other.w, faster, larger,
                                   SCREE_MODE_TOL));
    }
}

static void coefficients_of_zero_hold_nothing(void** state)
{
    (void)state;
    const double none[3] = {0, 0, 0}, p[6] = {3, 0, 0, 0, 0, 0}, y[6] = {0, 1, 0, 0, 2, 0};
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, none, p, y),
                     SCREE_MODE_SLIDE | SCREE_MODE_ROLL);
    assert_int_equal(mode_of(SCREE_ROWS_N, SCREE_LAW_EXACT, none, p, y), SCREE_MODE_STICK);
}

/* Under one ellipsoid over all channels (MuJoCo's) they move together or not at all. */
static void coupled_channels_move_together(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.5, 0.5}, p[6] = {10, -3, 0, 0, -4, 0},
                 y[6] = {2.5, 3, 0, 0, 4, 0};
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_COUPLED, coef, p, y),
                     SCREE_MODE_SLIDE | SCREE_MODE_ROLL);
    const double rest[6] = {0};
    assert_int_equal(mode_of(SCREE_ROWS_NTTRRS, SCREE_LAW_COUPLED, coef, p, rest),
                     SCREE_MODE_STICK);
}

static void what_has_no_mode(void** state)
{
    (void)state;
    const double coef[3] = {1, 1, 1}, p[6] = {1, 0, 0, 0, 0, 0}, y[6] = {0};
    double bad[6] = {1, 0, NOT_A_NUMBER, 0, 0, 0};
    assert_int_equal(mode_of(SCREE_ROWS_N, SCREE_LAW_HALF_LINE, coef, p, y), SCREE_MODE_NONE);
    assert_int_equal(mode_of(SCREE_ROWS_NTT, SCREE_LAW_BILATERAL, coef, p, y), SCREE_MODE_NONE);
    assert_int_equal(mode_of(SCREE_ROWS_NTT, SCREE_LAW_EXACT, coef, bad, y), SCREE_MODE_NONE);
    assert_int_equal(mode_of(SCREE_ROWS_NTT, SCREE_LAW_EXACT, coef, p, bad), SCREE_MODE_NONE);
    assert_int_equal(
        scree_one_contact_mode((scree_rows)9, SCREE_LAW_EXACT, coef, unit_w, y, p, 1.0),
        SCREE_MODE_NONE);
    assert_null(scree_friction_mode_name(-1));
    assert_null(scree_friction_mode_name(SCREE_MODE_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_lines_by_hand),
        cmocka_unit_test(drawn_modes_are_found),
        cmocka_unit_test(answers_obey_the_line_they_are_said_to),
        cmocka_unit_test(creep_is_no_sliding),
        cmocka_unit_test(a_contact_that_parts_takes_off),
        cmocka_unit_test(modes_do_not_depend_on_units),
        cmocka_unit_test(coefficients_of_zero_hold_nothing),
        cmocka_unit_test(coupled_channels_move_together),
        cmocka_unit_test(what_has_no_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
