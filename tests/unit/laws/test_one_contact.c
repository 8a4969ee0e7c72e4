/* One contact alone: reference values, closed forms, degenerate blocks, and what each law promises
 * about its solution. */
#include "scree/set.h"
#include "support/one_contact_judge.h"

#define EPSILON 2.220446049250313e-16
#define INFINITE ((double)INFINITY)

/* ---- reference values ---- */

typedef struct oracle {
    one_contact_problem c;
    double convex[6], exact[6];
} oracle;

/* `n` numbers separated by blanks up to the next comma or the end. */
static char* read_numbers(char* at, int n, double* out)
{
    if (*at == ',') ++at;
    if (*at == '"') ++at;
    for (int i = 0; i < n; ++i) {
        char* end;
        out[i] = strtod(at, &end);
        require(end != at, "a row of the reference values is too short");
        at = end;
    }
    return at;
}

static int read_oracle(FILE* file, oracle* out)
{
    char line[8192], *at = line;
    double head[4], lower[21];
    if (!fgets(line, sizeof line, file)) return 0;
    for (int i = 0; i < 4; ++i) at = read_numbers(at, 1, head + i);
    at = read_numbers(at, 21, lower);
    at = read_numbers(at, 6, out->c.q);
    at = read_numbers(at, 6, out->convex);
    read_numbers(at, 6, out->exact);
    int width = (int)head[0];
    out->c.rows = (scree_rows)width;
    memcpy(out->c.coef, head + 1, sizeof out->c.coef);
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
            int row = i > j ? i : j, column = i > j ? j : i;
            out->c.w[i * width + j] = lower[row * (row + 1) / 2 + column];
        }
    }
    return 1;
}

/* |a - b| in scaled impulses, relative to the larger. */
static real scaled_distance(const one_contact_problem* c, const double* a, const double* b)
{
    int n = shape_of((int)c->rows).width;
    real diagonal[6], s[6], x[6], y[6], gap[6];
    for (int i = 0; i < n; ++i) diagonal[i] = (real)c->w[i * n + i];
    reference_scale((int)c->rows, SCREE_LAW_EXACT, diagonal, 1, s);
    for (int i = 0; i < n; ++i) {
        x[i] = s[i] * (real)a[i];
        y[i] = s[i] * (real)b[i];
        gap[i] = x[i] - y[i];
    }
    real size = real_max(reference_norm(n, x), reference_norm(n, y));
    return size > 0 ? reference_norm(n, gap) / size : 0;
}

static void reference_values(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("one_contact.csv");
    char header[1024];
    assert_non_null(fgets(header, sizeof header, file));
    oracle o;
    int n = 0, n_other = 0;
    real worst_convex = 0, worst_exact = 0, worst_residual = 0, worst_oracle = 0;
    for (; read_oracle(file, &o); ++n) {
        double p[6] = {0.0};
        scree_one_contact_way how =
            scree_one_contact_solve(o.c.rows, SCREE_LAW_CONVEX, o.c.coef, o.c.w, o.c.q, p);
        real gap = scaled_distance(&o.c, p, o.convex);
        require(how != SCREE_ONE_CONTACT_NONE && gap <= 1e-10, "row %d, convex: off by %.2g", n + 2,
                (double)gap);
        worst_convex = real_max(worst_convex, gap);

        memset(p, 0, sizeof p);
        how = scree_one_contact_solve(o.c.rows, SCREE_LAW_EXACT, o.c.coef, o.c.w, o.c.q, p);
        int rows = (int)o.c.rows;
        real residual = reference_residual(rows, SCREE_LAW_EXACT, o.c.coef, o.c.w, o.c.q, p);
        real theirs = reference_residual(rows, SCREE_LAW_EXACT, o.c.coef, o.c.w, o.c.q, o.exact);
        require(how != SCREE_ONE_CONTACT_NONE && residual <= 1e-12, "row %d, exact: residual %.2g",
                n + 2, (double)residual);
        gap = scaled_distance(&o.c, p, o.exact);
        if (gap <= 1e-10)
            worst_exact = real_max(worst_exact, gap);
        else
            ++n_other; /* where w couples N and T strongly there may be several solutions */
        worst_residual = real_max(worst_residual, residual);
        worst_oracle = real_max(worst_oracle, theirs);
    }
    fclose(file);
    print_message("%d rows: convex off by %.2g, exact by %.2g and residual %.2g (reference "
                  "%.2g); %d rows have another exact solution\n",
                  n, (double)worst_convex, (double)worst_exact, (double)worst_residual,
                  (double)worst_oracle, n_other);
    assert_int_equal(n, 144);
    require(n_other <= 5, "%d rows differ from the reference", n_other);
}

/* ---- closed forms ---- */

static void solve(int rows, int law, const double coef[3], const double* w, const double* q,
                  scree_one_contact_way expected, double p[6])
{
    memset(p, 0, 6 * sizeof *p);
    scree_one_contact_way how =
        scree_one_contact_solve((scree_rows)rows, (scree_law)law, coef, w, q, p);
    require((how == SCREE_ONE_CONTACT_NONE) == (expected == SCREE_ONE_CONTACT_NONE),
            "rows %d, law %d: solved in way %d", rows, law, (int)how);
}

static void expect(int n, const double* p, const double* expected, double size, const char* what)
{
    for (int i = 0; i < n; ++i) {
        require(fabs(p[i] - expected[i]) <= 8.0 * EPSILON * size, "%s, row %d: %.17g, not %.17g",
                what, i, p[i], expected[i]);
    }
}

/* w = I: the exact law clips each channel of -q to its disc, the others project -q. */
static void identity_blocks(void** state)
{
    (void)state;
    scri_random random = test_seed("identity", 51);
    for (int i = 0; i < test_cases(3000, 20000); ++i) {
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
        row_shape f = shape_of(rows);
        double w[36] = {0.0}, q[6], p[6], expected[6], size = 0.0;
        double coef[3] = {draw_between(&random, 0.0, 2.0), draw_between(&random, 0.0, 2.0),
                          draw_between(&random, 0.0, 2.0)};
        for (int j = 0; j < f.width; ++j) {
            w[j * f.width + j] = 1.0;
            q[j] = draw_between(&random, -1.0, 1.0);
            size += fabs(q[j]);
        }
        for (int j = 0; j < f.width; ++j) expected[j] = -q[j];
        if (expected[0] < 0.0) memset(expected, 0, sizeof expected);
        for (int k = 0; k < CHANNELS; ++k) {
            double *l = expected + f.first[k], radius = coef[k] * expected[0];
            double length = f.dim[k] == 2 ? hypot(l[0], l[1]) : f.dim[k] ? fabs(l[0]) : 0.0;
            for (int j = 0; j < f.dim[k] && length > radius; ++j) l[j] *= radius / length;
        }
        solve(rows, SCREE_LAW_EXACT, coef, w, q, SCREE_ONE_CONTACT_NEWTON, p);
        expect(f.width, p, expected, 4.0 * size, "exact");

        for (int law = SCREE_LAW_CONVEX; law <= SCREE_LAW_COUPLED; ++law) {
            real wide[6];
            for (int j = 0; j < f.width; ++j) wide[j] = -(real)q[j];
            reference_admit(rows, law, coef, wide);
            for (int j = 0; j < f.width; ++j) expected[j] = (double)wide[j];
            solve(rows, law, coef, w, q, SCREE_ONE_CONTACT_NEWTON, p);
            expect(f.width, p, expected, 40.0 * size, scree_law_name(law));
        }
    }
}

/* A sphere on the ground (m = 2, R = 0.5, inertia 2/5 m R^2), sliding at u along t1 and pressed
 * with normal velocity -v: slip gives r_T = -mu m v t1. Paper 1: it sticks when mu m v can stop the
 * slip, that is u <= (7/2) mu v. */
static void a_sphere_slides_or_sticks(void** state)
{
    (void)state;
    const double m = 2.0, v = 0.1, mu = 0.3, w[9] = {1 / m, 0, 0, 0, 3.5 / m, 0, 0, 0, 3.5 / m};
    const double coef[3] = {mu, 0.0, 0.0};
    double p[6];
    solve(SCREE_ROWS_NTT, SCREE_LAW_EXACT, coef, w, (const double[]){-v, 0.2, 0.0},
          SCREE_ONE_CONTACT_NEWTON, p);
    expect(3, p, (const double[]){m * v, -mu * m * v, 0.0}, 1.0, "slides");
    solve(SCREE_ROWS_NTT, SCREE_LAW_EXACT, coef, w, (const double[]){-v, 0.0, -0.1},
          SCREE_ONE_CONTACT_NEWTON, p);
    expect(3, p, (const double[]){m * v, 0.0, 0.1 * m / 3.5}, 1.0, "sticks");
    /* convex and sliding: it lifts off with u_N = mu |u_T|, and y.p = 0 */
    solve(SCREE_ROWS_NTT, SCREE_LAW_CONVEX, coef, w, (const double[]){-v, 0.2, 0.0},
          SCREE_ONE_CONTACT_NEWTON, p);
    double lift = p[0] / m - v, slip = 0.2 + 3.5 / m * p[1];
    assert_true(fabs(lift - mu * slip) <= 8.0 * EPSILON && slip > 0.0);
    assert_true(fabs(lift * p[0] + slip * p[1]) <= 8.0 * EPSILON);
}

/* ---- degenerate blocks ---- */

static void judged_well(int rows, int law, const double coef[3], const double* w, const double* q,
                        const double* p, const char* what)
{
    real residual = reference_residual(rows, law, coef, w, q, p);
    require(residual <= 1e-12, "%s, %s, rows %d: residual %.2g", what, scree_law_name(law), rows,
            (double)residual);
}

/* A contact that cannot turn in its rolling channel: the moment is whatever the law says about the
 * velocity that is there, and the other rows do not notice. */
static void a_rolling_channel_without_mobility(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.2, 0.1};
    double w[25] = {0.0}, p[6], narrow[6];
    static const double w3[9] = {1.0, 0.2, 0.1, 0.2, 2.0, 0.3, 0.1, 0.3, 3.0};
    for (int i = 0; i < 9; ++i) w[i / 3 * 5 + i % 3] = w3[i];
    static const double free[][5] = {
        {-1.0, 0.3, 4.0, 0.6, -0.8}, {-1.0, 0.01, 0.02, 0.0, 0.0}, {-1.0, 5.0, 0.0, 0.0, 2.0}};
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
        for (int i = 0; i < 3; ++i) {
            solve(5, law, coef, w, free[i], SCREE_ONE_CONTACT_NEWTON, p);
            judged_well(5, law, coef, w, free[i], p, "no rolling mobility");
        }
    }
    solve(5, SCREE_LAW_EXACT, coef, w, free[0], SCREE_ONE_CONTACT_NEWTON, p);
    solve(3, SCREE_LAW_EXACT, coef, w3, free[0], SCREE_ONE_CONTACT_NEWTON, narrow);
    expect(3, p, narrow, 10.0, "sliding rows beside a fixed rolling channel");
    expect(2, p + 3, (const double[]){-0.2 * 0.6 * p[0], 0.2 * 0.8 * p[0]}, 10.0, "rolling moment");
    /* a mobile rolling channel that nothing drives carries nothing */
    w[18] = w[24] = 7.0;
    solve(5, SCREE_LAW_EXACT, coef, w, free[1], SCREE_ONE_CONTACT_NEWTON, p);
    expect(2, p + 3, (const double[]){0.0, 0.0}, 1.0, "rolling moment at rest");
}

static void a_sliding_channel_without_mobility(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.2, 0.1};
    double w[16] = {0.0}, p[6];
    w[0] = 2.0, w[15] = 3.0;
    static const double free[][4] = {{-1.0, 3.0, -4.0, 9.0}, {-1.0, 0.0, 0.0, 0.1}};
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
        for (int i = 0; i < 2; ++i) {
            solve(4, law, coef, w, free[i], SCREE_ONE_CONTACT_NEWTON, p);
            judged_well(4, law, coef, w, free[i], p, "no sliding mobility");
        }
    }
    solve(4, SCREE_LAW_EXACT, coef, w, free[0], SCREE_ONE_CONTACT_NEWTON, p);
    expect(4, p, (const double[]){0.5, -0.15, 0.2, -0.05}, 4.0, "sliding without mobility");
}

static void a_contact_without_normal_mobility(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.2, 0.1};
    for (int rows = 1; rows < SCREE_ROWS_END; ++rows) {
        int n = shape_of(rows).width;
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
            double w[36] = {0.0}, q[6] = {-1.0}, p[6], zero[6] = {0.0};
            for (int i = 1; i < n; ++i) w[i * n + i] = 1.0;
            solve(rows, law, coef, w, q, SCREE_ONE_CONTACT_NONE, p);
            q[0] = 1.0;
            solve(rows, law, coef, w, q, SCREE_ONE_CONTACT_NEWTON, p);
            expect(n, p, zero, 0.0, "separates");
            memset(w, 0, sizeof w); /* two immovable bodies */
            q[0] = -1.0;
            solve(rows, law, coef, w, q, SCREE_ONE_CONTACT_NONE, p);
            q[0] = 0.0;
            solve(rows, law, coef, w, q, SCREE_ONE_CONTACT_NEWTON, p);
            expect(n, p, zero, 0.0, "rests");
        }
    }
}

static void a_free_velocity_of_zero(void** state)
{
    (void)state;
    scri_random random = test_seed("q = 0", 52);
    for (int i = 0; i < 2000; ++i) {
        one_contact_problem c;
        double p[6], zero[6] = {0.0};
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &c);
        memset(c.q, 0, sizeof c.q);
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_BILATERAL; ++law) {
            solve(rows, law, c.coef, c.w, c.q, SCREE_ONE_CONTACT_NEWTON, p);
            expect(shape_of(rows).width, p, zero, 0.0, scree_law_name(law));
        }
    }
}

/* Scaling masses and velocities scales the impulses. The factors are powers of two, which change no
 * rounding, near 1e-100 and 1e100. */
static void scales_far_from_one(void** state)
{
    (void)state;
    static const int exponents[][2] = {{-332, 0}, {332, 0},   {0, -332},
                                       {0, 332},  {332, 332}, {-332, -332}}; /* of w and q */
    scri_random random = test_seed("scales", 53);
    real worst = 0;
    for (int i = 0; i < test_cases(600, 3000); ++i) {
        one_contact_problem c;
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1), n = shape_of(rows).width;
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &c);
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_BILATERAL; ++law) {
            double p[6], scaled[6], w[36], q[6];
            solve(rows, law, c.coef, c.w, c.q, SCREE_ONE_CONTACT_NEWTON, p);
            for (int e = 0; e < 6; ++e) {
                int of_w = exponents[e][0], of_q = exponents[e][1];
                for (int j = 0; j < n * n; ++j) w[j] = ldexp(c.w[j], of_w);
                for (int j = 0; j < n; ++j) q[j] = ldexp(c.q[j], of_q);
                solve(rows, law, c.coef, w, q, SCREE_ONE_CONTACT_NEWTON, scaled);
                for (int j = 0; j < n; ++j) scaled[j] = ldexp(scaled[j], of_w - of_q);
                real gap = scaled_distance(&c, p, scaled);
                require(gap <= 1e-13, "case %d, %s, rows %d, w 2^%d, q 2^%d: differs by %.2g", i,
                        scree_law_name(law), rows, of_w, of_q, (double)gap);
                if (gap > worst) worst = gap;
            }
        }
    }
    print_message("largest difference %.2g\n", (double)worst);
}

/* sum_k mu_k s_k / s_N: what the coefficients are to the scaled natural map. It multiplies the
 * tangential velocity, so the rounding of a sticking contact's velocity comes back times this. */
static real scaled_coefficients(const one_contact_problem* c)
{
    row_shape f = shape_of((int)c->rows);
    real diagonal[6], s[6], sum = 0;
    for (int i = 0; i < f.width; ++i) diagonal[i] = (real)c->w[i * f.width + i];
    reference_scale((int)c->rows, SCREE_LAW_EXACT, diagonal, 1, s);
    for (int k = 0; k < CHANNELS; ++k) {
        if (f.dim[k]) sum += (real)c->coef[k] * s[f.first[k]] / s[0];
    }
    return sum;
}

static void very_large_coefficients(void** state)
{
    (void)state;
    scri_random random = test_seed("coefficients of 1e3", 54);
    tally t = {0};
    for (; t.n < test_cases(250, 10000); ++t.n) {
        one_contact_problem c;
        draw_case(&random, t.n);
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &c);
        for (int k = 0; k < 3; ++k) c.coef[k] = c.coef[k] > 0.0 ? 1e3 : 0.0;
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
            double p[6] = {0.0};
            scree_one_contact_way how =
                scree_one_contact_solve(c.rows, (scree_law)law, c.coef, c.w, c.q, p);
            real residual = reference_residual(rows, law, c.coef, c.w, c.q, p);
            real bound = 1e-12 + 10 * (real)EPSILON * scaled_coefficients(&c);
            require(how != SCREE_ONE_CONTACT_NONE && residual <= bound,
                    "case %ld, %s, rows %d: residual %.2g above %.2g", t.n, scree_law_name(law),
                    rows, (double)residual, (double)bound);
            t.fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
            if (residual > t.worst) t.worst = residual;
        }
    }
    report("coefficients of 1e3", &t);
}

static void very_small_coefficients(void** state)
{
    (void)state;
    scri_random random = test_seed("mu = 1e-9", 55);
    tally t = {0};
    for (; t.n < test_cases(500, 50000); ++t.n) {
        one_contact_problem c;
        draw_case(&random, t.n);
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &c);
        for (int k = 0; k < 3; ++k) c.coef[k] *= draw_power(&random, -12.0, -3.0);
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
            judge(&c, (scree_law)law, NULL, &t);
        }
    }
    report("coefficients down to 1e-12", &t);
}

/* ---- laws without a cone ---- */

static void interval_rows(void** state)
{
    (void)state;
    static const struct {
        double lo, hi, w, q, guess;
        int solved;
        double p;
    } cases[] = {
        {-1.0, 2.0, 4.0, -4.0, 0.0, 1, 1.0},           /* inside: y = 0 */
        {-1.0, 2.0, 4.0, -9.0, 0.0, 1, 2.0},           /* at its upper end, y < 0 */
        {-1.0, 2.0, 4.0, 6.0, 0.0, 1, -1.0},           /* at its lower end, y > 0 */
        {3.0, 3.0, 4.0, 6.0, 0.0, 1, 3.0},             /* a prescribed impulse */
        {-INFINITE, INFINITE, 2.0, 6.0, 0.0, 1, -3.0}, /* a joint */
        {-INFINITE, 2.0, 2.0, -8.0, 0.0, 1, 2.0},
        {-1.0, 2.0, 0.0, -4.0, 0.0, 1, 2.0}, /* the impulse has no effect: its bound */
        {-1.0, 2.0, 0.0, 4.0, 0.0, 1, -1.0},
        {-1.0, 2.0, 0.0, 0.0, 7.0, 1, 2.0}, /* any will do: the closest to the guess */
        {-1.0, 2.0, 0.0, 0.0, 0.5, 1, 0.5},
        {-INFINITE, 2.0, 0.0, 4.0, 0.0, 0, 0.0},
        {-1.0, INFINITE, 0.0, -4.0, 0.0, 0, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double coef[3] = {cases[i].lo, cases[i].hi, 0.0};
        double p[1] = {cases[i].guess};
        scree_one_contact_way how = scree_one_contact_solve(SCREE_ROWS_N, SCREE_LAW_INTERVAL, coef,
                                                            &cases[i].w, &cases[i].q, p);
        assert_int_equal(how != SCREE_ONE_CONTACT_NONE, cases[i].solved);
        if (cases[i].solved) expect(1, p, &cases[i].p, 4.0, "interval");
    }
}

static void half_line_rows(void** state)
{
    (void)state;
    const double coef[3] = {0.0, 0.0, 0.0};
    static const double cases[][4] = {/* w, q, p, solved */
                                      {2.0, -3.0, 1.5, 1.0}, {2.0, 3.0, 0.0, 1.0},
                                      {2.0, 0.0, 0.0, 1.0},  {0.0, 3.0, 0.0, 1.0},
                                      {0.0, 0.0, 0.0, 1.0},  {0.0, -3.0, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double p[1] = {0.0};
        scree_one_contact_way how = scree_one_contact_solve(SCREE_ROWS_N, SCREE_LAW_HALF_LINE, coef,
                                                            &cases[i][0], &cases[i][1], p);
        assert_int_equal(how != SCREE_ONE_CONTACT_NONE, (int)cases[i][3]);
        if (cases[i][3] > 0.0) expect(1, p, &cases[i][2], 2.0, "half line");
    }
}

static void bilateral_rows(void** state)
{
    (void)state;
    const double coef[3] = {0.0, 0.0, 0.0}, w[4] = {2.0, 1.0, 0.5, 3.0}, q[2] = {-1.0, 4.0};
    double p[6];
    solve(SCREE_ROWS_NT, SCREE_LAW_BILATERAL, coef, w, q, SCREE_ONE_CONTACT_NEWTON, p);
    expect(2, p, (const double[]){7.0 / 5.5, -8.5 / 5.5}, 4.0, "joint"); /* w is not symmetric */
}

/* ---- misuse ---- */

static void unknown_rows_and_laws_are_refused(void** state)
{
    (void)state;
    const double coef[3] = {0.5, 0.0, 0.0}, w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double q[3] = {-1, 0, 0};
    static const int bad[][2] = {{0, SCREE_LAW_EXACT},
                                 {8, SCREE_LAW_EXACT},
                                 {-1, SCREE_LAW_EXACT},
                                 {3, SCREE_LAW_COUNT},
                                 {3, -1},
                                 {3, SCREE_LAW_INTERVAL},
                                 {3, SCREE_LAW_HALF_LINE},
                                 {2, SCREE_LAW_INTERVAL}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        double p[3] = {0.0};
        assert_int_equal(
            scree_one_contact_solve((scree_rows)bad[i][0], (scree_law)bad[i][1], coef, w, q, p),
            SCREE_ONE_CONTACT_NONE);
    }
}

/* ---- what the laws promise ---- */

typedef struct answer {
    real p[6], y[6], size; /* |p| |q| in scaled variables */
    real scale[6];
    row_shape f;
} answer;

static answer answer_of(const one_contact_problem* c, int law)
{
    answer a = {.f = shape_of((int)c->rows)};
    int n = a.f.width;
    double p[6];
    real diagonal[6], q[6];
    solve((int)c->rows, law, c->coef, c->w, c->q, SCREE_ONE_CONTACT_NEWTON, p);
    reference_widen(n, p, a.p);
    for (int i = 0; i < n; ++i) {
        a.y[i] = (real)c->q[i];
        for (int j = 0; j < n; ++j) a.y[i] += (real)c->w[i * n + j] * a.p[j];
        diagonal[i] = (real)c->w[i * n + i];
    }
    reference_scale((int)c->rows, law, diagonal, 1, a.scale);
    real scaled_p[6];
    for (int i = 0; i < n; ++i) {
        q[i] = (real)c->q[i] / a.scale[i];
        scaled_p[i] = a.p[i] * a.scale[i];
    }
    a.size = reference_norm(n, scaled_p) * reference_norm(n, q);
    return a;
}

typedef void promise(const one_contact_problem* c, const answer* a, long n);

static void keep_promise(const char* name, int law, promise* kept)
{
    scri_random random = test_seed(name, 56);
    long count = test_cases(2500, 100000);
    for (long i = 0; i < count; ++i) {
        one_contact_problem c;
        draw_case(&random, i);
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &c);
        answer a = answer_of(&c, law);
        kept(&c, &a, i);
    }
    print_message("%ld contacts\n", count);
}

/* -y.p = (sum mu_k |y_k|) r_N, u_N >= 0, u_N r_N = 0, and the impulse lies in its cone. */
static void exact(const one_contact_problem* c, const answer* a, long i)
{
    real shift = reference_shift(a->f, c->coef, a->y) * a->p[0];
    real work = reference_dot(a->f.width, a->y, a->p);
    require(real_abs(work + shift) <= 1e-10 * a->size, "case %ld: y.p = %g, dissipation %g", i,
            (double)work, (double)shift);
    require(a->y[0] * a->p[0] <= 1e-10 * a->size && a->y[0] * a->p[0] >= -1e-10 * a->size,
            "case %ld: u_N r_N = %g", i, (double)(a->y[0] * a->p[0]));
    real speed = a->p[0] > 0 ? a->size / a->p[0] : (real)INFINITY;
    require(a->y[0] >= -1e-10 * speed, "case %ld: u_N = %g", i, (double)a->y[0]);
    require(a->p[0] >= 0, "case %ld: r_N = %g", i, (double)a->p[0]);
    for (int k = 0; k < CHANNELS; ++k) {
        real length = reference_norm(a->f.dim[k], a->p + a->f.first[k]);
        require(length <= (real)c->coef[k] * a->p[0] * (1 + 1e-14),
                "case %ld: channel %d beyond its disc", i, k);
        /* each channel dissipates by itself */
        real own = -reference_dot(a->f.dim[k], a->y + a->f.first[k], a->p + a->f.first[k]);
        require(own >= -1e-10 * a->size, "case %ld: channel %d gains %g", i, k, (double)(-own));
    }
}

/* y.p = 0 and y in the dual cone: u_N >= sum mu_k |y_k|, with equality where there is an impulse.
 */
static void convex(const one_contact_problem* c, const answer* a, long i)
{
    real shift = reference_shift(a->f, c->coef, a->y), margin = a->y[0] - shift;
    real work = reference_dot(a->f.width, a->y, a->p);
    real speed = a->p[0] > 0 ? a->size / a->p[0] : (real)INFINITY;
    require(real_abs(work) <= 1e-10 * a->size, "case %ld: y.p = %g", i, (double)work);
    require(margin >= -1e-10 * speed, "case %ld: y outside the dual cone by %g", i, (double)margin);
    if (a->p[0] > 0)
        require(margin <= 1e-10 * speed, "case %ld: lifts off by %g", i, (double)margin);
}

/* y.p = 0 and y in the dual of the ellipsoid: u_N >= sqrt(sum mu_k^2 |y_k|^2). */
static void coupled(const one_contact_problem* c, const answer* a, long i)
{
    real square = 0, work = reference_dot(a->f.width, a->y, a->p), inside = 0;
    for (int k = 0; k < CHANNELS; ++k) {
        real length = reference_norm(a->f.dim[k], a->y + a->f.first[k]) * (real)c->coef[k];
        square += length * length;
        if (c->coef[k] > 0.0) {
            length = reference_norm(a->f.dim[k], a->p + a->f.first[k]) / (real)c->coef[k];
            inside += length * length;
        }
    }
    real speed = a->p[0] > 0 ? a->size / a->p[0] : (real)INFINITY;
    require(real_abs(work) <= 1e-10 * a->size, "case %ld: y.p = %g", i, (double)work);
    require(a->y[0] - real_sqrt(square) >= -1e-10 * speed,
            "case %ld: y outside the dual cone by %g", i, (double)(real_sqrt(square) - a->y[0]));
    require(real_sqrt(inside) <= a->p[0] * (1 + 1e-14), "case %ld: p outside the ellipsoid", i);
}

static void the_exact_law_keeps_its_promises(void** state)
{
    (void)state;
    keep_promise("exact law", SCREE_LAW_EXACT, exact);
}

static void the_convex_law_keeps_its_promises(void** state)
{
    (void)state;
    keep_promise("convex law", SCREE_LAW_CONVEX, convex);
}

static void the_coupled_law_keeps_its_promises(void** state)
{
    (void)state;
    keep_promise("coupled law", SCREE_LAW_COUPLED, coupled);
}

static void names_of_laws_and_widths_of_rows(void** state)
{
    (void)state;
    static const char* const names[] = {"exact",    "convex",    "coupled", "bilateral",
                                        "interval", "half-line", "extended"};
    for (int i = 0; i < SCREE_LAW_COUNT; ++i) assert_string_equal(scree_law_name(i), names[i]);
    assert_null(scree_law_name(-1));
    assert_null(scree_law_name(SCREE_LAW_COUNT));
    static const int widths[] = {0, 1, 2, 3, 4, 5, 6, 3, 0};
    for (int i = 0; i <= SCREE_ROWS_END; ++i) assert_int_equal(scree_rows_width(i), widths[i]);
    assert_int_equal(scree_rows_width(-1), 0);
    assert_int_equal(scree_rows_width(INT32_MAX), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values),
        cmocka_unit_test(identity_blocks),
        cmocka_unit_test(a_sphere_slides_or_sticks),
        cmocka_unit_test(a_rolling_channel_without_mobility),
        cmocka_unit_test(a_sliding_channel_without_mobility),
        cmocka_unit_test(a_contact_without_normal_mobility),
        cmocka_unit_test(a_free_velocity_of_zero),
        cmocka_unit_test(scales_far_from_one),
        cmocka_unit_test(very_large_coefficients),
        cmocka_unit_test(very_small_coefficients),
        cmocka_unit_test(interval_rows),
        cmocka_unit_test(half_line_rows),
        cmocka_unit_test(bilateral_rows),
        cmocka_unit_test(unknown_rows_and_laws_are_refused),
        cmocka_unit_test(the_exact_law_keeps_its_promises),
        cmocka_unit_test(the_convex_law_keeps_its_promises),
        cmocka_unit_test(the_coupled_law_keeps_its_promises),
        cmocka_unit_test(names_of_laws_and_widths_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
