/* The reaction maps of the laws: fixed points where the law holds, derivatives against central
 * differences, kinks, and inputs at the edge. */
#include "laws/equilibrate.h"
#include "laws/reaction.h"
#include "support/one_contact_judge.h"

typedef struct reaction_case {
    int rows, law;
    double coef[3], z[MAX_WIDTH];
} reaction_case;

static int width_of(const reaction_case* c)
{
    return shape_of(c->rows).width;
}

/* p and, where d is not NULL, the derivative; both arrays must be written in full. */
static void react(const reaction_case* c, double blur, double* p, double* d)
{
    int width = width_of(c);
    for (int i = 0; i < width; ++i) p[i] = SCREE_NAN;
    for (int i = 0; d && i < width * width; ++i) d[i] = SCREE_NAN;
    scri_law_get(c->law)->react((scri_terms){c->rows, c->coef, NULL, NULL, NULL}, c->z, blur, p, d);
}

static double size_of(int n, const double* x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    }
    return most;
}

/* Largest difference; NaN where there is one. */
static double difference(int n, const double* x, const double* y)
{
    double change[MAX_WIDTH * MAX_WIDTH];
    for (int i = 0; i < n; ++i) change[i] = x[i] - y[i];
    return size_of(n, change);
}

static void print_case(const reaction_case* c)
{
    print_message("  law %s, rows %s, coef %.17g %.17g %.17g\n  z", scree_law_name(c->law),
                  row_names[c->rows], c->coef[0], c->coef[1], c->coef[2]);
    for (int i = 0; i < width_of(c); ++i) print_message(" %.17g", c->z[i]);
    print_message("\n");
}

#define require_case(condition, c, ...) \
    do {                                \
        int holds = (condition);        \
        if (!holds) print_case(c);      \
        require(holds, __VA_ARGS__);    \
    } while (0)

/* Runs `check` for every law with a reaction map and every kind of rows that it allows. */
static void for_all(const char* name, uint64_t seed, int count,
                    void (*check)(scri_random* random, int rows, int law, int count))
{
    scri_random random = test_seed(name, seed);
    int laws = 0;
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        if (!scri_law_get(law)->react) continue;
        ++laws;
        for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
            if (scri_law_get(law)->rows >> rows & 1u) check(&random, rows, law, count);
        }
    }
    require(laws == 6, "%d laws have a reaction map", laws);
}

/* ---- drawing ---- */

static void draw_coef(scri_random* random, reaction_case* c)
{
    for (int k = 0; k < 3; ++k) c->coef[k] = draw_power(random, -1.0, 0.5);
    if (c->law == SCREE_LAW_INTERVAL) {
        c->coef[0] = draw_between(random, -1.0, 0.5);
        c->coef[1] = c->coef[0] + draw_between(random, 0.1, 1.0);
    }
}

/* z with z_N of either sign and each channel from well inside its disc to well outside. */
static reaction_case draw_reaction(scri_random* random, int rows, int law)
{
    reaction_case c = {.rows = rows, .law = law};
    row_shape s = shape_of(rows);
    draw_coef(random, &c);
    c.z[0] = draw_between(random, -1.0, 2.0);
    for (int k = 0; k < CHANNELS; ++k) {
        double length = c.coef[k] * draw_power(random, -1.0, 1.0);
        double angle = draw_between(random, 0.0, 2.0 * SCREE_PI);
        if (s.dim[k] == 1) c.z[s.first[k]] = length * draw_sign(random);
        if (s.dim[k] == 2) {
            c.z[s.first[k]] = length * cos(angle);
            c.z[s.first[k] + 1] = length * sin(angle);
        }
    }
    return c;
}

/* Distance of z from the nearest kink, about, and in *mode which piece of the map it is in: bit 0
 * closed (or not at the lower bound), bit k + 1 channel k slides (bit 1: at the upper bound). */
static double distance_to_kink(const reaction_case* c, int* mode)
{
    row_shape s = shape_of(c->rows);
    real z[MAX_WIDTH], length[CHANNELS], p[MAX_WIDTH];
    reference_widen(s.width, c->z, z);
    reference_widen(s.width, c->z, p);
    reference_lengths(s, z, length);
    *mode = 1;
    if (c->law == SCREE_LAW_BILATERAL) return 1.0;
    if (c->law == SCREE_LAW_INTERVAL) {
        *mode = (c->z[0] > c->coef[0]) + 2 * (c->z[0] > c->coef[1]);
        return fmin(fabs(c->z[0] - c->coef[0]), fabs(c->z[0] - c->coef[1]));
    }
    *mode = c->z[0] > 0.0;
    if (c->law == SCREE_LAW_HALF_LINE) return fabs(c->z[0]);
    real force = z[0] > 0 ? z[0] : 0, nearest = real_abs(z[0]);
    if (c->law == SCREE_LAW_CONVEX) {
        reference_project(s, c->coef, p);
        force = p[0];
        *mode = force > 0;
        nearest = real_abs(z[0] + reference_shift(s, c->coef, z));
        if (force == 0) return (double)nearest;
    }
    for (int k = 0; k < CHANNELS && *mode; ++k) {
        if (!s.dim[k]) continue;
        real over = length[k] - (real)c->coef[k] * force;
        if (over > 0) *mode |= 2 << k;
        nearest = real_min(nearest, real_abs(over));
    }
    return (double)nearest;
}

/* Pieces that a map has for these rows. */
static int count_modes(int rows, int law)
{
    row_shape s = shape_of(rows);
    int channels = 0;
    for (int k = 0; k < CHANNELS; ++k) channels += s.dim[k] > 0;
    if (law == SCREE_LAW_BILATERAL) return 1;
    if (law == SCREE_LAW_INTERVAL) return 3;
    if (law == SCREE_LAW_HALF_LINE) return 2;
    return 1 + (1 << channels);
}

static int count_bits(unsigned x)
{
    int n = 0;
    for (; x; x >>= 1) n += (int)(x & 1u);
    return n;
}

/* ---- admissible, and a fixed point exactly where the law holds ---- */

static void check_admissible(scri_random* random, int rows, int law, int count)
{
    for (int n = 0; n < count; ++n) {
        reaction_case c = draw_reaction(random, rows, law);
        double p[MAX_WIDTH], again[MAX_WIDTH], size = draw_power(random, -6.0, 6.0);
        for (int i = 0; i < width_of(&c); ++i) c.z[i] *= size;
        for (int k = 0; k < 3 && law == SCREE_LAW_INTERVAL; ++k) c.coef[k] *= size;
        react(&c, 0.0, p, NULL);
        memcpy(again, p, sizeof p);
        scri_law_get(law)->project((scri_terms){rows, c.coef, NULL, NULL, NULL}, again);
        require_case(difference(width_of(&c), p, again) <= 1e-15 * size_of(width_of(&c), c.z), &c,
                     "the projection moves p by %.2g", difference(width_of(&c), p, again));
    }
}

static void impulses_are_admissible(void** state)
{
    (void)state;
    for_all("admissible", 140, test_cases(500, 20000), check_admissible);
}

typedef struct one_solution {
    double coef[3], p[MAX_WIDTH], y[MAX_WIDTH]; /* equilibrated */
    double size, steep;
} one_solution;

/* Whether a random one-contact problem was solved. */
static int draw_solution(scri_random* random, int rows, int law, one_solution* out)
{
    one_contact_problem c;
    int n = shape_of(rows).width;
    double p[MAX_WIDTH] = {0.0}, diagonal[MAX_WIDTH], s[MAX_WIDTH];
    one_contact_draw(random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &c);
    if (law == SCREE_LAW_INTERVAL) {
        double natural = fabs(c.q[0]) / c.w[0];
        c.coef[0] = -natural * draw_between(random, 0.0, 2.0);
        c.coef[1] = natural * draw_between(random, 0.0, 2.0);
    }
    if (scree_one_contact_solve((scree_rows)rows, (scree_law)law, c.coef, c.w, c.q, p) ==
        SCREE_ONE_CONTACT_NONE) {
        return 0;
    }
    for (int i = 0; i < n; ++i) diagonal[i] = c.w[i * n + i];
    scri_equilibrate(rows, scri_law_get(law), diagonal, 1.0, s);
    scri_law_get(law)->scale((scri_terms){rows, c.coef, NULL, NULL, NULL}, s, out->coef);
    for (int i = 0; i < n; ++i) {
        real y = (real)c.q[i];
        for (int j = 0; j < n; ++j) y += (real)c.w[i * n + j] * (real)p[j];
        out->y[i] = (double)y / s[i];
        out->p[i] = p[i] * s[i];
        diagonal[i] = c.q[i] / s[i];
    }
    out->size = fmax(size_of(n, diagonal), fmax(size_of(n, out->p), size_of(n, out->y)));
    out->steep = 1.0;
    for (int k = 0; k < 3 && scri_law_is(scri_law_get(law), SCREE_LAW_HAS_FRICTION); ++k)
        out->steep += out->coef[k];
    return 1;
}

/* |p - R(p - rho y)| */
static double defect(int rows, int law, const one_solution* s, double rho)
{
    reaction_case c = {.rows = rows, .law = law};
    double p[MAX_WIDTH];
    memcpy(c.coef, s->coef, sizeof c.coef);
    for (int i = 0; i < width_of(&c); ++i) c.z[i] = s->p[i] - rho * s->y[i];
    react(&c, 0.0, p, NULL);
    return difference(width_of(&c), p, s->p);
}

static void check_fixed_points(scri_random* random, int rows, int law, int count)
{
    int tried = 0, n_broken = 0, width = shape_of(rows).width;
    for (int n = 0; n < count; ++n) {
        one_solution s;
        if (!draw_solution(random, rows, law, &s)) continue;
        ++tried;
        for (double rho = 1e-3; rho <= 2e3; rho *= 10.0) {
            double found = defect(rows, law, &s, rho), bound = 1e-11 * s.steep * (1.0 + rho);
            require(found <= bound * s.size, "%s %s, case %d, rho %g: off by %.2g of %.2g",
                    scree_law_name(law), row_names[rows], n, rho, found, s.size);
        }
        double* row = draw_chance(random, 50.0) ? s.p : s.y;
        row[draw_below(random, width)] += draw_sign(random) * 0.1 * s.size;
        real p[MAX_WIDTH], y[MAX_WIDTH], sums[3] = {0, 0, 0};
        reference_widen(width, s.p, p);
        reference_widen(width, s.y, y);
        real broken = real_sqrt(reference_map(rows, law, s.coef, NULL, p, y, y, sums));
        if (!(broken > 1e-3 * (real)s.size) || s.steep > 20.0) continue;
        ++n_broken;
        require(defect(rows, law, &s, 1.0) >= 1e-5 * s.size,
                "%s %s, case %d: a fixed point, but the law is broken by %.2g of %.2g",
                scree_law_name(law), row_names[rows], n, (double)broken, s.size);
    }
    require(tried >= count * 9 / 10 && n_broken >= count / 10, "%s %s: %d solved, %d broken",
            scree_law_name(law), row_names[rows], tried, n_broken);
}

static void fixed_points_are_the_solutions(void** state)
{
    (void)state;
    for_all("fixed points", 141, test_cases(100, 3000), check_fixed_points);
}

/* ---- derivatives ---- */

static double error_of_derivative(const reaction_case* c, const double* d)
{
    int width = width_of(c);
    double worst = 0.0, step = 1e-6;
    for (int j = 0; j < width; ++j) {
        reaction_case up = *c, down = *c;
        double above[MAX_WIDTH], below[MAX_WIDTH];
        up.z[j] += step;
        down.z[j] -= step;
        react(&up, 0.0, above, NULL);
        react(&down, 0.0, below, NULL);
        for (int i = 0; i < width; ++i) {
            double error = d[i * width + j] - (above[i] - below[i]) / (up.z[j] - down.z[j]);
            if (!(fabs(error) <= worst)) worst = fabs(error);
        }
    }
    return worst;
}

static void check_derivative(scri_random* random, int rows, int law, int count)
{
    unsigned seen = 0;
    for (int n = 0; n < count; ++n) {
        int mode;
        reaction_case c = draw_reaction(random, rows, law);
        double p[MAX_WIDTH], same[MAX_WIDTH], d[MAX_WIDTH * MAX_WIDTH],
            blurred[MAX_WIDTH * MAX_WIDTH];
        double margin = distance_to_kink(&c, &mode), steep = 1.0 + size_of(3, c.coef);
        if (!(margin > 1e-3)) continue;
        seen |= 1u << mode;
        react(&c, 0.0, p, d);
        double error = error_of_derivative(&c, d);
        require_case(error <= 1e-6 * steep, &c, "the derivative is off by %.2g", error);
        double blur = 1e-6;
        react(&c, blur, same, blurred);
        require_case(difference(width_of(&c), p, same) == 0.0, &c, "blur changes p");
        error = difference(width_of(&c) * width_of(&c), d, blurred);
        require_case(error <= 1e-5 * steep, &c, "blur %g changes the derivative by %.2g", blur,
                     error);
    }
    require(count_bits(seen) == count_modes(rows, law), "%s %s: only %d of %d states were met",
            scree_law_name(law), row_names[rows], count_bits(seen), count_modes(rows, law));
}

static void derivatives_match_differences(void** state)
{
    (void)state;
    for_all("derivative", 142, test_cases(1000, 20000), check_derivative);
}

/* Whether every entry of `d` lies between those of the derivatives on both sides. */
static void require_between(const reaction_case* at, const double* d, const double* one,
                            const double* other)
{
    int width = width_of(at);
    for (int i = 0; i < width * width; ++i) {
        double lo = fmin(one[i], other[i]) - 1e-6, hi = fmax(one[i], other[i]) + 1e-6;
        require_case(d[i] >= lo && d[i] <= hi, at, "entry (%d, %d) is %.9g, not %.9g to %.9g",
                     i / width, i % width, d[i], lo, hi);
    }
}

static void blur_lies_between_both_sides(void** state)
{
    (void)state;
    scri_random random = test_seed("kinks", 143);
    for (int n = 0; n < test_cases(1000, 20000); ++n) {
        int rows = SCREE_ROWS_N + n % (SCREE_ROWS_END - 1), mode;
        reaction_case c = draw_reaction(&random, rows, SCREE_LAW_EXACT);
        row_shape s = shape_of(rows);
        double p[MAX_WIDTH], one[36], other[36], blurred[36], near = 1e-8;
        int k = draw_below(&random, CHANNELS);
        if (!(distance_to_kink(&c, &mode) > 0.05) || !(mode & 1) || !s.dim[k]) continue;
        double length = 0.0, radius = c.coef[k] * c.z[0];
        for (int i = 0; i < s.dim[k]; ++i) length = hypot(length, c.z[s.first[k] + i]);
        for (int i = 0; i < s.dim[k]; ++i) c.z[s.first[k] + i] *= radius / length;
        reaction_case inside = c, outside = c;
        for (int i = 0; i < s.dim[k]; ++i) {
            inside.z[s.first[k] + i] *= 1.0 - near;
            outside.z[s.first[k] + i] *= 1.0 + near;
        }
        react(&inside, 0.0, p, one);
        react(&outside, 0.0, p, other);
        react(&c, 1e-5, p, blurred);
        require_between(&c, blurred, one, other);
        int row = s.first[k] * s.width; /* the N column tells the share */
        double share = blurred[row] / other[row];
        require_case(fabs(share - 0.5) <= 1e-2, &c, "blends by %.3g at the kink", share);
    }
    for (double z = -3.0; z <= 3.0; z += 0.25) { /* the normal kink, in units of the blur */
        reaction_case c = {SCREE_ROWS_N, SCREE_LAW_EXACT, {0.5, 0.0, 0.0}, {1e-3 * z}};
        double p[1], d[1], last[1];
        react(&c, 1e-3, p, d);
        require_case(d[0] > 0.0 && d[0] < 1.0, &c, "derivative %g within the blur", d[0]);
        require_case(z != 0.0 || d[0] == 0.5, &c, "derivative %g at the kink", d[0]);
        c.z[0] -= 2.5e-4;
        react(&c, 1e-3, p, last);
        require_case(d[0] > last[0], &c, "the blurred derivative does not grow");
    }
}

/* ---- the convex law ---- */

/* Whether a symmetric matrix plus 1e-12 on its diagonal is positive definite. */
static int is_positive_semidefinite(int n, const double* a)
{
    double l[MAX_WIDTH][MAX_WIDTH];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = a[i * n + j] + (i == j ? 1e-12 : 0.0);
            for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0)) return 0;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    return 1;
}

static void the_convex_map_is_a_projection(void** state)
{
    (void)state;
    scri_random random = test_seed("projection", 144);
    for (int n = 0; n < test_cases(2000, 50000); ++n) {
        int rows = SCREE_ROWS_N + n % (SCREE_ROWS_END - 1);
        reaction_case c = draw_reaction(&random, rows, SCREE_LAW_CONVEX);
        int width = width_of(&c);
        double p[MAX_WIDTH], d[36], rest[36], projected[MAX_WIDTH], twist = 0.0;
        for (int k = 0; k < 3; ++k) c.coef[k] = one_contact_draw_coefficient(&random);
        react(&c, 0.0, p, d);
        memcpy(projected, c.z, sizeof projected);
        scri_law_get(SCREE_LAW_CONVEX)
            ->project((scri_terms){rows, c.coef, NULL, NULL, NULL}, projected);
        require_case(difference(width, p, projected) <= 1e-15 * size_of(width, c.z), &c,
                     "not the projection: off by %.2g", difference(width, p, projected));
        for (int i = 0; i < width * width; ++i) {
            twist = fmax(twist, fabs(d[i] - d[i % width * width + i / width]));
            rest[i] = (i / width == i % width ? 1.0 : 0.0) - d[i];
        }
        require_case(twist <= 1e-14, &c, "the derivative is not symmetric by %.2g", twist);
        require_case(is_positive_semidefinite(width, d) && is_positive_semidefinite(width, rest),
                     &c, "an eigenvalue lies outside [0, 1]");
    }
}

/* ---- at the edge ---- */

/* Friction of no size and of any, normals and tangents that vanish: everything stays finite. */
static void nothing_becomes_nan(void** state)
{
    (void)state;
    static const double normals[] = {-1.0, -1e-300, 0.0, 1e-300, 1.0, 1e12};
    static const double tangents[] = {0.0, 1e-300, 1e-9, 1.0, 1e12};
    static const double mus[] = {0.0, 1e-300, 0.3, 1e12, 1e100};
    static const double blurs[] = {0.0, 1e-300, 1e-6, 1.0};
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_CONVEX; ++law) {
        for (int n = 0; n < 7 * 6 * 5 * 5 * 4; ++n) {
            reaction_case c = {.rows = SCREE_ROWS_N + n % 7, .law = law};
            row_shape s = shape_of(c.rows);
            double p[MAX_WIDTH], d[36], tangent = tangents[n / 42 % 5], mu = mus[n / 210 % 5];
            for (int k = 0; k < 3; ++k) c.coef[k] = k == 1 ? 0.1 : mu;
            c.z[0] = normals[n / 7 % 6];
            for (int i = 1; i < s.width; ++i) c.z[i] = i % 2 ? tangent : -2.0 * tangent;
            react(&c, blurs[n / 1050 % 4], p, d);
            for (int i = 0; i < s.width; ++i) {
                require_case(isfinite(p[i]) && fabs(p[i]) <= 1e13, &c, "p[%d] = %g", i, p[i]);
            }
            for (int i = 0; i < s.width * s.width; ++i) {
                require_case(isfinite(d[i]), &c, "d[%d] = %g", i, d[i]);
            }
            require_case(p[0] >= 0.0, &c, "pulls by %g", p[0]);
        }
    }
}

/* A disc of no size gives nothing, whatever z is near: its derivative is 0, for tangents of exactly
 * zero too. */
static void discs_of_no_size_give_nothing(void** state)
{
    (void)state;
    for (int rows = SCREE_ROWS_NT; rows < SCREE_ROWS_END; ++rows) {
        for (int n = 0; n < 6; ++n) {
            row_shape s = shape_of(rows);
            int is_open = n % 2, law = n / 2 % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
            reaction_case c = {.rows = rows, .law = law, .z = {is_open ? -1.0 : 1.0}};
            double p[MAX_WIDTH], d[36], mu = is_open ? 0.3 : 0.0;
            for (int k = 0; k < 3; ++k) c.coef[k] = mu;
            for (int i = 1; i < s.width; ++i) c.z[i] = n < 4 ? 0.0 : 0.1;
            react(&c, 0.0, p, d);
            double error = error_of_derivative(&c, d);
            require_case(error <= 1e-9, &c, "the derivative is off by %.2g", error);
        }
    }
}

/* A velocity that is not a number must not become an impulse that is one. */
static void nan_is_not_hidden(void** state)
{
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        if (!scri_law_get(law)->react) continue;
        reaction_case c = {SCREE_ROWS_N, law, {-1.0, 1.0, 0.0}, {SCREE_NAN}};
        double p[MAX_WIDTH];
        react(&c, 0.0, p, NULL);
        require_case(isnan(p[0]), &c, "p = %g", p[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_are_admissible),
        cmocka_unit_test(fixed_points_are_the_solutions),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(blur_lies_between_both_sides),
        cmocka_unit_test(the_convex_map_is_a_projection),
        cmocka_unit_test(nothing_becomes_nan),
        cmocka_unit_test(discs_of_no_size_give_nothing),
        cmocka_unit_test(nan_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
