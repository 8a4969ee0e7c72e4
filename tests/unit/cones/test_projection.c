/* Projections on the friction cones and the coupled ellipsoid: reference values, the properties
 * that characterise a projection, and degenerate cases by hand. */
#include "scree/set.h"
#include "support/draw.h"
#include "support/reference.h"
#include "support/test.h"

#define EPSILON 2.220446049250313e-16
#define NOT_A_NUMBER ((double)NAN)

/* ---- reference values ---- */

typedef struct score {
    int n_rows;
    double worst; /* |p - reference|_inf / |x|_2 */
} score;

static void score_row(int width, const double mu[3], const double* x, const double* expected,
                      const char* name, score* s)
{
    double p[6];
    real wide[6];
    memcpy(p, x, (size_t)width * sizeof *p);
    scree_cone_project(width, mu, p);
    reference_widen(width, x, wide);
    double size = (double)reference_norm(width, wide);
    for (int i = 0; i < width; ++i) {
        double error = fabs(p[i] - expected[i]);
        require(error <= 2e-15 * size, "row %d (%s): component %d is %.17g, not %.17g",
                s->n_rows + 2, name, i, p[i], expected[i]);
        if (size > 0.0 && error / size > s->worst) s->worst = error / size;
    }
    /* The reference of the other tests is itself held against the file. */
    reference_project(shape_of(width), mu, wide);
    for (int i = 0; i < width; ++i) {
        require(real_abs(wide[i] - (real)expected[i]) <= 1e-15 * (real)size,
                "row %d: reference component %d is %.17g", s->n_rows + 2, i, (double)wide[i]);
    }
    ++s->n_rows;
}

/* Reads `n` numbers separated by commas; skips a first column of text where `named`. */
static int read_row(FILE* file, int named, int n, char name[256], double* values)
{
    char line[4096], *at = line;
    if (!fgets(line, sizeof line, file)) return 0;
    name[0] = '\0';
    if (named) { /* the name may be quoted and then hold commas */
        char* end = line[0] == '"' ? strchr(line + 1, '"') : strchr(line, ',');
        assert_non_null(end);
        snprintf(name, 256, "%.*s", (int)(end - line), line[0] == '"' ? line + 1 : line);
        at = strchr(end, ',') + 1;
    }
    for (int i = 0; i < n; ++i) {
        char* end;
        values[i] = strtod(at, &end);
        require(end != at, "a row holds too few numbers: %s", line);
        at = *end == ',' ? end + 1 : end;
    }
    return 1;
}

static void check_file(const char* file_name, int named, int width, int n_expected)
{
    FILE* file = test_open_oracle(file_name);
    int n_mu = width == 6 ? 3 : 2;
    char name[256], header[1024];
    double values[15];
    score s = {0};
    assert_non_null(fgets(header, sizeof header, file));
    while (read_row(file, named, n_mu + 2 * width, name, values)) {
        double mu[3] = {values[0], values[1], n_mu == 3 ? values[2] : 0.0};
        score_row(width, mu, values + n_mu, values + n_mu + width, name, &s);
    }
    fclose(file);
    print_message("%s: %d rows, worst error %.2g of |x|\n", file_name, s.n_rows, s.worst);
    require(s.n_rows >= n_expected, "%s has only %d rows", file_name, s.n_rows);
}

static void reference_values_of_width_5(void** state)
{
    (void)state;
    check_file("projection_width5.csv", 0, 5, 600);
}

static void reference_values_of_width_6(void** state)
{
    (void)state;
    check_file("projection_width6.csv", 0, 6, 600);
}

static void reference_values_of_edge_cases(void** state)
{
    (void)state;
    check_file("projection_edge_cases.csv", 1, 5, 21);
}

/* ---- properties ---- */

typedef void projector(int rows, const double mu[3], double* p);

static void project(int rows, const double mu[3], double* p)
{
    if (rows == SCREE_ROWS_NTR)
        scree_cone_project_planar(mu, p);
    else
        scree_cone_project(rows, mu, p);
}

static void project_coupled(int rows, const double mu[3], double* p)
{
    scree_cone_project_coupled(rows, mu, p);
}

static double draw_coefficient(scri_random* random)
{
    switch (draw_below(random, 8)) {
    case 0:
        return 0.0;
    case 1:
        return draw_power(random, -14.0, -2.0);
    case 2:
        return 1e3;
    case 3:
        return draw_power(random, 0.0, 3.0);
    case 4:
        return 0.25 * (1 << draw_below(random, 4));
    default:
        return draw_between(random, 0.0, 2.0);
    }
}

/* Points of all sizes; small integers, so that exact ties and boundaries occur; now and then a zero
 * or a channel scaled onto its disc. */
static void draw_point(scri_random* random, int rows, const double mu[3], double* x)
{
    row_shape f = shape_of(rows);
    int kind = draw_below(random, 4);
    double size = draw_power(random, -150.0, 150.0);
    for (int i = 0; i < f.width; ++i) {
        if (kind == 0)
            x[i] = draw_below(random, 17) - 8;
        else if (kind == 1)
            x[i] = draw_sign(random) * draw_power(random, -150.0, 150.0);
        else
            x[i] = size * draw_sign(random) * draw_power(random, kind == 2 ? -16.0 : -1.0, 0.0);
        if (draw_chance(random, 5.0)) x[i] = 0.0;
    }
    for (int k = 0; k < CHANNELS; ++k) {
        if (!draw_chance(random, 10.0) || f.dim[k] == 0) continue;
        double *l = x + f.first[k], length = f.dim[k] == 2 ? hypot(l[0], l[1]) : fabs(l[0]);
        if (!(length > 0.0)) continue;
        for (int i = 0; i < f.dim[k]; ++i) l[i] *= mu[k] * fabs(x[0]) / length;
    }
}

/* What is judged, in extended precision. */
typedef struct judged {
    row_shape f;
    real x[MAX_WIDTH], p[MAX_WIDTH], rest[MAX_WIDTH], size, mu_size;
} judged;

static judged judge(int rows, const double mu[3], const double* x, const double* p)
{
    judged j = {.f = shape_of(rows)};
    reference_widen(j.f.width, x, j.x);
    reference_widen(j.f.width, p, j.p);
    real square = 1;
    for (int k = 0; k < CHANNELS; ++k) square += j.f.dim[k] ? (real)mu[k] * (real)mu[k] : 0;
    for (int i = 0; i < j.f.width; ++i) j.rest[i] = j.x[i] - j.p[i];
    j.size = reference_norm(j.f.width, j.x);
    j.mu_size = real_sqrt(square);
    return j;
}

/* How far p is from the reference, how far it lies outside its cone and the remainder outside the
 * polar cone, how far from orthogonal they are, and so on: all in units of rounding. */
typedef struct faults {
    real error, cone, polar, orthogonal, again, scaled, expansion;
} faults;

static void keep(real* worst, real value, const char* what, real bound)
{
    require(value <= bound, "%s: %.3g units of rounding", what, (double)value);
    if (value > *worst) *worst = value;
}

static real cone_excess(const judged* j, const double mu[3], int coupled)
{
    real length[CHANNELS], sum = 0, worst = -j->p[0];
    reference_lengths(j->f, j->p, length);
    for (int k = 0; k < CHANNELS; ++k) {
        if (j->f.dim[k] == 0) continue;
        real excess = length[k] - (real)mu[k] * j->p[0];
        if (!coupled && excess > worst) worst = excess;
        if (mu[k] > 0.0)
            sum += length[k] * length[k] / ((real)mu[k] * (real)mu[k]);
        else if (length[k] > worst)
            worst = length[k];
    }
    if (coupled && real_sqrt(sum) - j->p[0] > worst) worst = real_sqrt(sum) - j->p[0];
    return worst;
}

/* Largest value of rest . z over the z of the cone with z_N = 1; not above 0 in the polar cone. */
static real polar_excess(const judged* j, const double mu[3], int coupled)
{
    real length[CHANNELS], sum = 0, square = 0;
    reference_lengths(j->f, j->rest, length);
    for (int k = 0; k < CHANNELS; ++k) {
        if (j->f.dim[k] == 0) continue;
        sum += (real)mu[k] * length[k];
        square += (real)mu[k] * length[k] * (real)mu[k] * length[k];
    }
    return j->rest[0] + (coupled ? real_sqrt(square) : sum);
}

static real distance(int n, const double* a, const double* b, real factor)
{
    real gap[MAX_WIDTH];
    for (int i = 0; i < n; ++i) gap[i] = (real)a[i] - factor * (real)b[i];
    return reference_norm(n, gap);
}

static void check_properties(int rows, projector* operation, int coupled, scri_random* random,
                             faults* worst)
{
    double mu[3], x[6], p[6], again[6], scaled[6], z[6], image[6];
    for (int k = 0; k < 3; ++k) mu[k] = draw_coefficient(random);
    draw_point(random, rows, mu, x);
    int n = shape_of(rows).width;
    size_t bytes = (size_t)n * sizeof *x;
    memcpy(p, x, bytes);
    operation(rows, mu, p);
    judged j = judge(rows, mu, x, p);
    if (!(j.size > 0)) return;
    real unit = (real)EPSILON * j.size, smallest = 1e-300;
    real expected[MAX_WIDTH], miss[MAX_WIDTH];
    memcpy(expected, j.x, sizeof expected);
    if (!coupled) { /* the coupled cone's slow reference has a test of its own */
        reference_project(j.f, mu, expected);
        for (int i = 0; i < n; ++i) miss[i] = expected[i] - j.p[i];
        keep(&worst->error, reference_norm(n, miss) / (unit + smallest), "wrong", 9);
    }
    keep(&worst->cone, cone_excess(&j, mu, coupled) / (unit + smallest), "outside the cone", 8);
    keep(&worst->polar, polar_excess(&j, mu, coupled) / (unit * j.mu_size + smallest),
         "remainder outside the polar cone", 8);
    keep(&worst->orthogonal, real_abs(reference_dot(n, j.p, j.rest)) / (unit * j.size + smallest),
         "not orthogonal", 8);

    memcpy(again, p, bytes);
    operation(rows, mu, again);
    keep(&worst->again, distance(n, again, p, 1) / (unit + smallest), "not idempotent", 8);

    double factor = draw_power(random, -0.5, 0.5);
    for (int i = 0; i < n; ++i) scaled[i] = factor * x[i];
    operation(rows, mu, scaled);
    keep(&worst->scaled, distance(n, scaled, p, (real)factor) / ((real)factor * unit + smallest),
         "not homogeneous", 12);

    int near = draw_chance(random, 50.0);
    for (int i = 0; i < n; ++i) {
        double shift = near ? 1e-6 : 1.0;
        z[i] = image[i] = x[i] + shift * draw_between(random, -1.0, 1.0) * (double)j.size;
    }
    operation(rows, mu, image);
    real moved = distance(n, z, x, 1);
    keep(&worst->expansion, (distance(n, image, p, 1) - moved) / (unit + smallest), "expansive", 8);
}

static void check_many(const char* name, projector* operation, int coupled, int last_rows,
                       long count)
{
    scri_random random = test_seed(name, 41 + (uint64_t)coupled);
    for (int rows = 1; rows <= last_rows; ++rows) {
        faults worst = {0};
        for (long i = 0; i < count; ++i) {
            random.stream = ((uint64_t)rows << 32) + (uint64_t)i;
            random.counter = 0;
            check_properties(rows, operation, coupled, &random, &worst);
        }
        print_message("rows %d: %ld points; units of rounding: error %.1f, cone %.1f, polar %.1f, "
                      "orthogonal %.1f, again %.1f, scaled %.1f, expansion %.1f\n",
                      rows, count, (double)worst.error, (double)worst.cone, (double)worst.polar,
                      (double)worst.orthogonal, (double)worst.again, (double)worst.scaled,
                      (double)worst.expansion);
    }
}

static void friction_cones_have_the_properties(void** state)
{
    (void)state;
    check_many("friction cones", project, 0, SCREE_ROWS_NTR, test_cases(4000, 1000000));
}

static void coupled_cones_have_the_properties(void** state)
{
    (void)state;
    check_many("coupled cones", project_coupled, 1, 6, test_cases(4000, 300000));
}

/* ---- against independent methods ---- */

static void coupled_cones_agree_with_bisection(void** state)
{
    (void)state;
    scri_random random = test_seed("coupled cones by bisection", 43);
    long count = test_cases(2000, 30000);
    real worst = 0;
    for (long c = 0; c < count; ++c) {
        int rows = 1 + draw_below(&random, 6), n = shape_of(rows).width;
        double mu[3], x[6], p[6];
        real expected[6];
        for (int k = 0; k < 3; ++k) mu[k] = draw_coefficient(&random);
        draw_point(&random, rows, mu, x);
        memcpy(p, x, sizeof p);
        reference_widen(n, x, expected);
        real size = reference_norm(n, expected);
        scree_cone_project_coupled(rows, mu, p);
        reference_project_coupled(shape_of(rows), mu, expected);
        for (int i = 0; i < n; ++i) {
            real error = real_abs((real)p[i] - expected[i]);
            require(error <= 4e-15 * size, "case %ld, component %d: %.17g, not %.17g", c, i, p[i],
                    (double)expected[i]);
            if (size > 0 && error / size > worst) worst = error / size;
        }
    }
    print_message("%ld points, worst error %.2g of |x|\n", count, (double)worst);
}

static void coupled_cones_with_one_channel_are_friction_cones(void** state)
{
    (void)state;
    scri_random random = test_seed("one channel", 44);
    long count = test_cases(4000, 200000);
    for (long c = 0; c < count; ++c) {
        int width = 1 + draw_below(&random, 3);
        double mu[3], x[6], one[6], other[6];
        for (int k = 0; k < 3; ++k) mu[k] = draw_coefficient(&random);
        draw_point(&random, width, mu, x);
        memcpy(one, x, sizeof one);
        memcpy(other, x, sizeof other);
        scree_cone_project(width, mu, one);
        scree_cone_project_coupled(width, mu, other);
        real wide[6];
        reference_widen(width, x, wide);
        real size = reference_norm(width, wide);
        require(distance(width, one, other, 1) <= 4e-15 * size, "case %ld: %.17g and %.17g", c,
                one[0], other[0]);
    }
}

/* A channel without impulse and without friction changes nothing: narrow laws are prefixes. */
static void narrow_cones_are_prefixes_of_wide_ones(void** state)
{
    (void)state;
    /* width, its rows within width 6, and which coefficients the wide cone keeps */
    static const struct {
        int width, row[6], keeps[3];
    } narrow[] = {
        {1, {0}, {0, 0, 0}},          {2, {0, 1}, {1, 0, 0}},          {3, {0, 1, 2}, {1, 0, 0}},
        {4, {0, 1, 2, 5}, {1, 0, 1}}, {5, {0, 1, 2, 3, 4}, {1, 1, 0}},
    };
    scri_random random = test_seed("prefixes", 45);
    long count = test_cases(4000, 200000);
    for (long c = 0; c < count; ++c) {
        int which = draw_below(&random, 5), width = narrow[which].width;
        double mu[3], wide_mu[3], x[6], wide[6], expected[6] = {0.0};
        for (int k = 0; k < 3; ++k) mu[k] = draw_coefficient(&random);
        for (int k = 0; k < 3; ++k) wide_mu[k] = narrow[which].keeps[k] ? mu[k] : 0.0;
        draw_point(&random, width, mu, x);
        for (int coupled = 0; coupled < 2; ++coupled) {
            projector* operation = coupled ? project_coupled : project;
            double p[6];
            memcpy(p, x, sizeof p);
            memset(wide, 0, sizeof wide);
            for (int i = 0; i < width; ++i) wide[narrow[which].row[i]] = x[i];
            operation(width, mu, p);
            operation(6, wide_mu, wide);
            memset(expected, 0, sizeof expected);
            for (int i = 0; i < width; ++i) expected[narrow[which].row[i]] = p[i];
            for (int i = 0; i < 6; ++i) {
                double bound = 4.0 * EPSILON * fabs(expected[i]);
                require(fabs(wide[i] - expected[i]) <= bound,
                        "case %ld, width %d: %.17g, not %.17g", c, width, wide[i], expected[i]);
            }
        }
    }
    /* Planar rolling is width 5 with the second axes unused. */
    for (long c = 0; c < count; ++c) {
        double mu[3] = {draw_coefficient(&random), draw_coefficient(&random), 5.0}, x[3];
        draw_point(&random, SCREE_ROWS_NTR, mu, x);
        double wide[5] = {x[0], x[1], 0.0, x[2], 0.0};
        scree_cone_project_planar(mu, x);
        scree_cone_project(5, mu, wide);
        require(x[0] == wide[0] && x[1] == wide[1] && x[2] == wide[3], "planar case %ld", c);
    }
}

/* ---- distances ---- */

/* Moreau: x = P_K(x) + P_polar(x), so |x|^2 = dist(x, K)^2 + dist(-x, K*)^2. */
static void distances_follow_moreau(void** state)
{
    (void)state;
    scri_random random = test_seed("distances", 46);
    long count = test_cases(4000, 300000);
    for (long c = 0; c < count; ++c) {
        int width = 1 + draw_below(&random, 6);
        double mu[3], x[6], minus[6], p[6];
        for (int k = 0; k < 3; ++k) mu[k] = draw_coefficient(&random);
        draw_point(&random, width, mu, x);
        real wide[6], point[6], gap[6];
        for (int i = 0; i < width; ++i) minus[i] = -x[i];
        memcpy(p, x, sizeof p);
        scree_cone_project(width, mu, p);
        reference_widen(width, x, wide);
        reference_widen(width, p, point);
        for (int i = 0; i < width; ++i) gap[i] = wide[i] - point[i];
        real size = reference_norm(width, wide), to_cone = (real)scree_cone_distance(width, mu, x);
        real to_dual = (real)scree_cone_dual_distance(width, mu, minus);
        real sum = to_cone * to_cone + to_dual * to_dual;
        require(real_abs(to_cone - reference_norm(width, gap)) <= 1e-15 * size + 1e-300,
                "case %ld: distance to the cone", c);
        require(real_abs(to_dual - reference_norm(width, point)) <= 1e-15 * size + 1e-300,
                "case %ld: distance to the dual cone", c);
        require(real_abs(sum - size * size) <= 1e-14 * size * size, "case %ld: Moreau", c);

        /* the margin says on which side of the dual cone's boundary a point lies */
        real expected = -wide[0] - reference_shift(shape_of(width), mu, wide);
        real margin = (real)scree_cone_dual_margin(width, mu, minus);
        real rounding = 1e-15 * (real_abs(wide[0]) + reference_shift(shape_of(width), mu, wide));
        require(real_abs(margin - expected) <= rounding + 1e-300, "case %ld: margin %g, not %g", c,
                (double)margin, (double)expected);
        if (margin > 2 * rounding) {
            require(to_dual <= 1e-15 * size, "case %ld: inside the dual cone, distance %g", c,
                    (double)to_dual);
        }
        if (margin < -2 * rounding) require(to_dual > 0, "case %ld: outside, distance 0", c);
    }
}

static void distances_by_hand(void** state)
{
    (void)state;
    static const double mu[3] = {0.75, 0.0, 0.0};
    static const double below[3] = {-1.0, 0.0, 0.0}, outside[3] = {0.0, 3.0, 4.0};
    static const double inside[3] = {2.0, 0.9, -1.2}; /* on the boundary: 0.75 * 2 = 1.5 */
    assert_true(scree_cone_distance(3, mu, below) == 1.0);
    assert_true(scree_cone_distance(3, mu, inside) <= EPSILON);
    /* distance of (0, 5) to the line t = 0.75 n: 5 cos(atan 0.75) = 4 */
    assert_true(fabs(scree_cone_distance(3, mu, outside) - 4.0) <= 4.0 * EPSILON);
    /* K* = { n >= 0.75 t }: distance of (0, 5) is 5 * 0.6 */
    assert_true(fabs(scree_cone_dual_distance(3, mu, outside) - 3.0) <= 4.0 * EPSILON);
    assert_true(scree_cone_dual_margin(3, mu, outside) == -3.75);
    assert_true(scree_cone_dual_distance(3, mu, inside) == 0.0);
    assert_true(scree_cone_dual_margin(3, mu, inside) > 0.0);
}

/* ---- by hand ---- */

static void expect(int width, double slide, double roll, double spin, const double* x,
                   const double* expected)
{
    const double mu[3] = {slide, roll, spin};
    for (int coupled = 0; coupled < 2; ++coupled) {
        double p[6];
        memcpy(p, x, (size_t)width * sizeof *p);
        (coupled ? project_coupled : project)(width, mu, p);
        for (int i = 0; i < width; ++i) {
            require(fabs(p[i] - expected[i]) <= 4.0 * EPSILON * fabs(expected[i]),
                    "%s, mu %g %g %g, component %d: %.17g, not %.17g",
                    coupled ? "coupled" : "friction", slide, roll, spin, i, p[i], expected[i]);
        }
    }
}

#define ROWS(...) ((const double[]){__VA_ARGS__})

/* In these cases at most one channel is active, so both cones have the same projection. */
static void degenerate_points(void** state)
{
    (void)state;
    for (int width = 1; width <= 6; ++width) {
        double zero[6] = {0.0}, axis[6] = {2.5}, below[6] = {-2.5};
        expect(width, 0.5, 0.3, 0.2, zero, zero);
        expect(width, 0.0, 0.0, 0.0, zero, zero);
        expect(width, 0.5, 0.3, 0.2, axis, axis); /* no tangent at all */
        expect(width, 0.0, 0.0, 0.0, axis, axis);
        expect(width, 0.5, 0.3, 0.2, below, zero);
        expect(width, 0.0, 0.0, 0.0, below, zero); /* never a pull, even without friction */
    }
    /* a coefficient of 0 in each channel, with and without an impulse there */
    expect(6, 0.0, 1.0, 1.0, ROWS(4, 3, 4, 1, 2, 3), ROWS(4, 0, 0, 1, 2, 3));
    expect(6, 1.0, 0.0, 1.0, ROWS(4, 1, 2, 3, 4, 3), ROWS(4, 1, 2, 0, 0, 3));
    expect(6, 1.0, 1.0, 0.0, ROWS(4, 1, 2, 2, 1, 3), ROWS(4, 1, 2, 2, 1, 0));
    expect(6, 0.0, 0.0, 0.0, ROWS(4, 1, 2, 3, 4, 5), ROWS(4, 0, 0, 0, 0, 0));
    expect(6, 0.0, 0.0, 0.0, ROWS(-4, 1, 2, 3, 4, 5), ROWS(0, 0, 0, 0, 0, 0));
    expect(4, 0.0, 7.0, 0.0, ROWS(4, 1, 2, 3), ROWS(4, 0, 0, 0));
    expect(4, 0.0, 7.0, 0.5, ROWS(0, 1, 2, 5), ROWS(2, 0, 0, 1));
    /* one channel outside: n' = (n + mu t) / (1 + mu^2) */
    expect(3, 0.5, 0.0, 0.0, ROWS(1, 3, 0), ROWS(2, 1, 0));
    expect(3, 0.5, 0.0, 0.0, ROWS(-1, 3.6, 4.8), ROWS(1.6, 0.48, 0.64));
    expect(2, 1.0, 0.0, 0.0, ROWS(-1, 3), ROWS(1, 1));
    expect(2, 1.0, 0.0, 0.0, ROWS(-3, 3), ROWS(0, 0)); /* on the boundary of the polar cone */
    double edge[2] = {-3.0, -3.0};
    scree_cone_project(2, ROWS(1.0, 0.0, 0.0), edge);
    assert_true(!signbit(edge[0]) && !signbit(edge[1])); /* nothing has no sign */
    expect(2, 1e3, 0.0, 0.0, ROWS(0, 1000001), ROWS(1000, 1000000));
    expect(3, 1e-3, 0.0, 0.0, ROWS(1, 0.6e-3, 0.8e-3), ROWS(1, 0.6e-3, 0.8e-3));
}

static void friction_cone_with_two_and_three_channels_outside(void** state)
{
    (void)state;
    const double mu[3] = {1.0, 0.5, 0.25};
    /* n' = (n + sum mu_k l_k) / (1 + sum mu_k^2) while every l_k > mu_k n' */
    double x[6] = {2.0, 0.0, 42.0, 0.0, -21.0, 10.5}, denominator = 1.0 + 1.0 + 0.25 + 0.0625;
    double n = (2.0 + 42.0 + 10.5 + 2.625) / denominator;
    scree_cone_project(6, mu, x);
    assert_true(fabs(x[0] - n) <= 4.0 * EPSILON * n && x[1] == 0.0 && x[3] == 0.0);
    assert_true(fabs(x[2] - n) <= 4.0 * EPSILON * n);
    assert_true(fabs(x[4] + 0.5 * n) <= 4.0 * EPSILON * n);
    assert_true(fabs(x[5] - 0.25 * n) <= 4.0 * EPSILON * n);
    double planar[3] = {1.0, -4.0, 3.0};
    scree_cone_project_planar(mu, planar);
    n = (1.0 + 4.0 + 1.5) / 2.25;
    assert_true(fabs(planar[0] - n) <= 4.0 * EPSILON * n);
    assert_true(fabs(planar[1] + n) <= 4.0 * EPSILON * n);
    assert_true(fabs(planar[2] - 0.5 * n) <= 4.0 * EPSILON * n);
}

/* With large coefficients a rounding error decides on which side of a breakpoint the root is
 * sought; the projection must not feel it. */
static void breakpoints_met_within_rounding(void** state)
{
    (void)state;
    static const struct {
        double mu[3], x[4];
    } cases[] = {
        {{1000.0, 0.0, 9.3293446043291351e-12},
         {4.0398767070396525, -3231.9013656317220, 2423.9260242237914, -2.4239260242237914}},
        {{1000.0, 0.0, 1.0}, {-81819945280478544.0, 0.0, 742.25081657589499, -81819945280478544.0}},
        {{1000.0, 0.0, 1e-9}, {1.0, 1000.0, 0.0, 1.0}},
        {{1000.0, 0.0, 1e-9}, {0.1, 60.0, 80.0, 1.0}},
        {{300.0, 0.0, 1e-6}, {-0.7, 126.0, 168.0, 1e6}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        double p[4];
        real expected[4];
        memcpy(p, cases[c].x, sizeof p);
        reference_widen(4, p, expected);
        real size = reference_norm(4, expected);
        reference_project(shape_of(4), cases[c].mu, expected);
        scree_cone_project(4, cases[c].mu, p);
        for (int i = 0; i < 4; ++i) {
            real error = real_abs(expected[i] - (real)p[i]);
            require(error <= 2e-15 * size, "case %zu, component %d: %.17g, not %.17g (%.2g |x|)", c,
                    i, p[i], (double)expected[i], (double)(error / size));
        }
    }
}

static void assert_all_nan(int width, const double* p, const char* what, int slot)
{
    for (int i = 0; i < width; ++i) {
        require(isnan(p[i]), "%s, width %d, NaN in %d: component %d is %g", what, width, slot, i,
                p[i]);
    }
}

static void not_a_number_stays_one(void** state)
{
    (void)state;
    static const double sets[][3] = {{0.5, 0.2, 0.1}, {0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    static const double points[][6] = {
        {1.0, 0.1, 0.1, 0.1, 0.1, 0.1},                        /* inside */
        {-50.0, 0.1, 0.1, 0.1, 0.1, 0.1},                      /* polar */
        {1.0, 5.0, 5.0, 5.0, 5.0, 5.0},                        /* between */
        {1e200, 1e200, 1e200, 1e200, 1e200, (double)INFINITY}, /* hypot(inf, NaN) is inf */
        {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {-1.0, (double)INFINITY, (double)INFINITY, 0.0, 0.0, 0.0},
    };
    for (size_t set = 0; set < 3; ++set) {
        for (size_t point = 0; point < sizeof points / sizeof points[0]; ++point) {
            for (int width = 1; width <= 6; ++width) {
                for (int slot = 0; slot < width; ++slot) {
                    double p[6], c[6];
                    memcpy(p, points[point], sizeof p);
                    p[slot] = NOT_A_NUMBER;
                    memcpy(c, p, sizeof c);
                    assert_true(isnan(scree_cone_distance(width, sets[set], p)));
                    assert_true(isnan(scree_cone_dual_distance(width, sets[set], p)));
                    assert_true(isnan(scree_cone_dual_margin(width, sets[set], p)));
                    scree_cone_project(width, sets[set], p);
                    assert_all_nan(width, p, "friction", slot);
                    scree_cone_project_coupled(width, sets[set], c);
                    assert_all_nan(width, c, "coupled", slot);
                }
            }
            for (int slot = 0; slot < 3; ++slot) {
                double p[3];
                memcpy(p, points[point], sizeof p);
                p[slot] = NOT_A_NUMBER;
                scree_cone_project_planar(sets[set], p);
                assert_all_nan(3, p, "planar", slot);
            }
        }
    }
}

static void an_unknown_width_does_nothing(void** state)
{
    (void)state;
    static const int widths[] = {-1, 0, 7, 8, 100, INT32_MIN, INT32_MAX};
    const double mu[3] = {1.0, 1.0, 1.0};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; ++i) {
        double p[2] = {-3.0, 4.0};
        scree_cone_project(widths[i], mu, p);
        scree_cone_project_coupled(widths[i], mu, p);
        assert_true(p[0] == -3.0 && p[1] == 4.0);
        assert_true(isnan(scree_cone_distance(widths[i], mu, p)));
        assert_true(isnan(scree_cone_dual_distance(widths[i], mu, p)));
        assert_true(isnan(scree_cone_dual_margin(widths[i], mu, p)));
    }
}

/* Coefficients of channels that the width lacks are not looked at. */
static void absent_channels_are_ignored(void** state)
{
    (void)state;
    double mu[3] = {0.5, NOT_A_NUMBER, NOT_A_NUMBER};
    double p[3] = {1.0, 3.0, 0.0}, c[3] = {1.0, 3.0, 0.0};
    scree_cone_project(3, mu, p);
    assert_true(p[0] == 2.0 && p[1] == 1.0 && p[2] == 0.0);
    scree_cone_project_coupled(3, mu, c);
    assert_true(fabs(c[0] - 2.0) <= 4.0 * EPSILON && fabs(c[1] - 1.0) <= 4.0 * EPSILON);
    double planar[3] = {-1.0, 3.0, 0.0};
    mu[1] = 1.0;
    scree_cone_project_planar(mu, planar);
    assert_true(fabs(planar[0] - 0.4) <= EPSILON && fabs(planar[1] - 0.2) <= EPSILON);
    mu[0] = NOT_A_NUMBER;
    double normal[1] = {3.0};
    scree_cone_project(1, mu, normal);
    assert_true(normal[0] == 3.0);
    assert_true(scree_cone_dual_margin(1, mu, normal) == 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values_of_width_5),
        cmocka_unit_test(reference_values_of_width_6),
        cmocka_unit_test(reference_values_of_edge_cases),
        cmocka_unit_test(friction_cones_have_the_properties),
        cmocka_unit_test(coupled_cones_have_the_properties),
        cmocka_unit_test(coupled_cones_agree_with_bisection),
        cmocka_unit_test(coupled_cones_with_one_channel_are_friction_cones),
        cmocka_unit_test(narrow_cones_are_prefixes_of_wide_ones),
        cmocka_unit_test(distances_follow_moreau),
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(degenerate_points),
        cmocka_unit_test(friction_cone_with_two_and_three_channels_outside),
        cmocka_unit_test(breakpoints_met_within_rounding),
        cmocka_unit_test(not_a_number_stays_one),
        cmocka_unit_test(an_unknown_width_does_nothing),
        cmocka_unit_test(absent_channels_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
