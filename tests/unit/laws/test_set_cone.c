/* The cone of friction with sets: its projection, and the derivatives of the projection and of the
 * reaction maps. */
#include "laws/planar_slip.h"
#include "laws/reaction.h"
#include "laws/set_cone.h"
#include "support/friction_sets.h"

typedef struct cone_case {
    int rows;
    double coef[3];
    const scree_set* set[4];
    double z[MAX_WIDTH];
} cone_case;

static scri_terms terms_of(const cone_case* c)
{
    return terms_with(c->rows, c->coef, c->set);
}

static double norm(int n, const double* x)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

static double distance(int n, const double* x, const double* y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* Points from deep inside K to deep inside its polar cone, some on an axis; convex sets, and discs
 * in some channels. */
static cone_case draw_cone(scri_random* random, const set_stock* stock)
{
    cone_case c = {.rows = (int)draw_spatial_rows(random)};
    for (int k = 0; k < 3; ++k) {
        c.coef[k] = draw_chance(random, 10.0) ? 0.0 : draw_power(random, -2.0, 1.0);
    }
    c.set[0] = stock->set[draw_below(random, STOCK_CONVEX)];
    if (draw_chance(random, 60.0)) c.set[2] = stock->set[draw_below(random, STOCK_CONVEX)];
    if (draw_chance(random, 10.0)) c.set[0] = NULL;
    double size = draw_power(random, -3.0, 3.0);
    for (int i = 0; i < MAX_WIDTH; ++i) {
        c.z[i] = draw_chance(random, 5.0) ? 0.0 : size * draw_between(random, -1.0, 1.0);
    }
    if (draw_chance(random, 50.0)) c.z[0] *= draw_power(random, -2.0, 2.0);
    return c;
}

/* How far p is outside of K, by the gauges. */
static double outside(const cone_case* c, const double* p)
{
    double y[MAX_WIDTH] = {0.0}, power, ones[MAX_WIDTH] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    return convex_error(c->rows, c->coef, c->set, ones, p, y, &power);
}

static void projection_is_the_closest_point(void** state)
{
    (void)state;
    const int count = test_cases(1500, 20000);
    scri_random random = test_seed("projection on cones of sets", 5201);
    set_stock stock;
    int inside = 0, apex = 0;
    stock_open(&stock);
    for (int i = 0; i < count; ++i) {
        cone_case c = draw_cone(&random, &stock), other = c;
        int width = shape_of(c.rows).width;
        double p[MAX_WIDTH], again[MAX_WIDTH], rest[MAX_WIDTH], far[MAX_WIDTH], dot = 0.0;
        double size = norm(width, c.z) > 0.0 ? norm(width, c.z) : 1.0;
        scri_set_cone_project(terms_of(&c), c.z, p, NULL);
        for (int k = 0; k < width; ++k) rest[k] = c.z[k] - p[k], dot += rest[k] * p[k];
        require(outside(&c, p) <= 1e-13 * size, "case %d: %g outside", i, outside(&c, p) / size);
        double polar = rest[0] + friction_shift(c.rows, c.coef, c.set,
                                                (double[6]){0.0, -rest[1], -rest[2], -rest[3],
                                                            -rest[4], -rest[5]});
        double steep = 1.0 + c.coef[0] + c.coef[1] + c.coef[2];
        require(polar <= 1e-12 * steep * size, "case %d: rest %g above the polar cone", i,
                polar / size);
        require(fabs(dot) <= 1e-12 * size * size, "case %d: angle %g", i, dot / size / size);
        scri_set_cone_project(terms_of(&c), p, again, NULL);
        require(distance(width, p, again) <= 1e-13 * steep * size, "case %d: moves by %g again", i,
                distance(width, p, again) / size);
        for (int k = 0; k < width; ++k) other.z[k] += size * draw_power(&random, -6.0, 0.0);
        scri_set_cone_project(terms_of(&other), other.z, far, NULL);
        double gap = distance(width, c.z, other.z);
        require(distance(width, p, far) <= gap + 1e-13 * steep * size, "case %d: expands by %g", i,
                distance(width, p, far) / gap);
        inside += distance(width, p, c.z) == 0.0;
        apex += p[0] == 0.0;
    }
    print_message("%d of %d inside, %d at the apex\n", inside, count, apex);
    require(inside > count / 200 && apex > count / 50, "%d inside, %d at the apex", inside, apex);
    stock_close(&stock);
}

/* With discs, by whatever name, it is the projection on the ordinary cone. */
static void discs_have_the_ordinary_cone(void** state)
{
    (void)state;
    scri_random random = test_seed("discs", 5202);
    set_stock stock;
    stock_open(&stock);
    scree_set* disc[2] = {make_set(SCREE_SET_DISC, 2.0, 0.0, 0.0, 10.0),
                          make_set(SCREE_SET_SUPERELLIPSE, 2.0, 2.0, 2.0, 10.0)};
    for (int i = 0; i < test_cases(1000, 10000); ++i) {
        cone_case c = draw_cone(&random, &stock);
        int width = shape_of(c.rows).width;
        double p[MAX_WIDTH], want[MAX_WIDTH], coef[3];
        real wide[MAX_WIDTH];
        for (int k = 0; k < 4; k += 2) c.set[k] = disc[i % 2];
        for (int k = 0; k < 3; ++k) coef[k] = k < 2 ? 2.0 * c.coef[k] : c.coef[k];
        reference_widen(width, c.z, wide);
        reference_project(shape_of(c.rows), coef, wide);
        for (int k = 0; k < width; ++k) want[k] = (double)wide[k];
        scri_set_cone_project(terms_of(&c), c.z, p, NULL);
        double error = distance(width, p, want) / (norm(width, c.z) + 1e-300);
        require(error <= 1e-13, "case %d: differs by %g", i, error);
    }
    for (int k = 0; k < 2; ++k) scree_set_destroy(disc[k]);
    stock_close(&stock);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

typedef void reaction(scri_terms t, const double* z, double blur, double* p, double* d);

static void project(scri_terms t, const double* z, double blur, double* p, double* d)
{
    (void)blur;
    scri_set_cone_project(t, z, p, d);
}

/* Central differences of a map with two steps; returns how far both are apart, which is large near
 * a kink, and writes the finer. */
static double differences(reaction* map, scri_terms t, int width, const double* z, double step,
                          double* d)
{
    double apart = 0.0;
    for (int j = 0; j < width; ++j) {
        double column[2][MAX_WIDTH];
        for (int fine = 0; fine < 2; ++fine) {
            double low[MAX_WIDTH], high[MAX_WIDTH], p[2][MAX_WIDTH], h = fine ? step : 3.0 * step;
            memcpy(low, z, sizeof low);
            memcpy(high, z, sizeof high);
            low[j] -= h;
            high[j] += h;
            map(t, low, 0.0, p[0], NULL);
            map(t, high, 0.0, p[1], NULL);
            for (int i = 0; i < width; ++i) column[fine][i] = (p[1][i] - p[0][i]) / (2.0 * h);
        }
        for (int i = 0; i < width; ++i) {
            d[i * width + j] = column[1][i];
            apart = fmax(apart, fabs(column[1][i] - column[0][i]));
        }
    }
    return apart;
}

/* The derivative of a map against differences, away from kinks. Returns 1 where it was tested. */
static int check_derivative(const char* name, reaction* map, const cone_case* c, const double* near,
                            int i)
{
    scri_terms t = terms_of(c);
    int width = shape_of(c->rows).width;
    double p[MAX_WIDTH], plain[MAX_WIDTH], d[36], want[36], size = norm(width, c->z) + 1e-300;
    double error = 0.0;
    t.near = near;
    map(t, c->z, 0.0, p, d);
    map(t, c->z, 0.0, plain, NULL);
    require(distance(width, p, plain) == 0.0, "%s %d: depends on the derivative", name, i);
    if (!(differences(map, t, width, c->z, 1e-6 * size, want) <= 1e-5)) return 0;
    for (int k = 0; k < width * width; ++k) {
        if (!(fabs(d[k] - want[k]) <= error)) error = fabs(d[k] - want[k]);
    }
    require(error <= 1e-4 * (1.0 + norm(width * width, want)), "%s %d: derivative off by %g", name,
            i, error);
    return 1;
}

static void derivatives_agree_with_differences(void** state)
{
    (void)state;
    const int count = test_cases(600, 6000);
    scri_random random = test_seed("derivatives", 5203);
    set_stock stock;
    int cone = 0, associated = 0, general = 0;
    stock_open(&stock);
    for (int i = 0; i < count; ++i) {
        cone_case c = draw_cone(&random, &stock);
        double p[MAX_WIDTH];
        for (int k = 0; k < 3; ++k) c.coef[k] = draw_power(&random, -1.0, 0.5);
        for (int k = 0; k < MAX_WIDTH; ++k) { /* differences do not see a kink in the middle */
            if (c.z[k] == 0.0) c.z[k] = 0.1 * norm(MAX_WIDTH, c.z);
        }
        cone += check_derivative("cone", project, &c, NULL, i);
        scri_reaction_exact(terms_of(&c), c.z, 0.0, p, NULL);
        associated += check_derivative("exact", scri_reaction_exact, &c, p, i);
        for (int k = 0; k < 4; k += 2) {
            c.set[k] = stock.set[draw_below(&random, STOCK_SETS)];
            c.set[k + 1] = stock.set[draw_below(&random, STOCK_CONVEX)];
        }
        scri_reaction_exact(terms_of(&c), c.z, 0.0, p, NULL);
        general += check_derivative("extended", scri_reaction_exact, &c, p, i);
    }
    print_message("away from kinks: %d, %d, %d of %d\n", cone, associated, general, count);
    require(cone > count / 2 && associated > count / 2 && general > count / 2,
            "most lie near kinks");
    stock_close(&stock);
}

/* One channel: derivatives by the size too; f on the boundary, y along a normal of D. */
static void channel_follows_force_and_size(void** state)
{
    (void)state;
    const int count = test_cases(800, 8000);
    scri_random random = test_seed("one channel", 5204);
    set_stock stock;
    int tested = 0;
    stock_open(&stock);
    for (int i = 0; i < count; ++i) {
        const scree_set* c = stock.set[draw_below(&random, STOCK_SETS)];
        const scree_set* d = stock.set[draw_below(&random, STOCK_CONVEX)];
        double size = draw_power(&random, -2.0, 2.0), out[6], f[2], zero[2], error = 0.0;
        double g[2] = {size * draw_between(&random, -2.0, 2.0),
                       size * draw_between(&random, -2.0, 2.0)};
        double outside = scri_planar_react(scri_set_of(c), scri_set_of(d), size, g, NULL, f, out);
        double y[2] = {g[0] - f[0], g[1] - f[1]}, p[2] = {-f[0], -f[1]};
        double off = prox_error(stock_fit(&stock, d, c), c, d, size, 1.0, p, y);
        require(off <= 1e-12 * size, "case %d: %g off the law", i, off / size);
        require((outside > 0.0) == (scree_set_gauge(c, g) > size), "case %d: share %g", i, outside);
        double at[3] = {g[0], g[1], size}, want[3][2], apart = 0.0;
        for (int j = 0; j < 3; ++j) {
            for (int fine = 0; fine < 2; ++fine) {
                double h = (fine ? 1e-6 : 3e-6) * size, low[3], high[3], a[2], b[2];
                memcpy(low, at, sizeof low);
                memcpy(high, at, sizeof high);
                low[j] -= h, high[j] += h;
                scri_planar_react(scri_set_of(c), scri_set_of(d), low[2], low, f, a, NULL);
                scri_planar_react(scri_set_of(c), scri_set_of(d), high[2], high, f, b, NULL);
                for (int k = 0; k < 2; ++k) {
                    double slope = (b[k] - a[k]) / (2.0 * h);
                    if (fine) apart = fmax(apart, fabs(slope - want[j][k]));
                    want[j][k] = slope;
                }
            }
        }
        if (!(apart <= 1e-5)) continue;
        ++tested;
        for (int j = 0; j < 2; ++j) {
            for (int k = 0; k < 2; ++k) error = fmax(error, fabs(out[2 * k + j] - want[j][k]));
            error = fmax(error, fabs(out[4 + j] - want[2][j]));
        }
        require(error <= 1e-4, "case %d: derivative off by %g", i, error);
        require(scri_planar_react(scri_set_of(c), scri_set_of(d), 0.0, g, NULL, zero, out) == 1.0 &&
                    zero[0] == 0.0 && zero[1] == 0.0,
                "case %d: size 0 gives (%g, %g)", i, zero[0], zero[1]);
    }
    require(tested > count / 2, "most lie near kinks: %d of %d do not", tested, count);
    stock_close(&stock);
}

/* ---- inputs at the edge ---------------------------------------------------------------------- */

static void odd_points_have_a_projection(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    for (int k = 0; k < STOCK_CONVEX; ++k) {
        cone_case c = {SCREE_ROWS_NTTRRS, {0.5, 0.1, 0.2}, {stock.set[k], NULL, stock.set[k]}, {0}};
        double p[MAX_WIDTH], d[36];
        scri_set_cone_project(terms_of(&c), c.z, p, d); /* the apex */
        require(norm(MAX_WIDTH, p) == 0.0, "set %d: 0 goes to %g", k, norm(MAX_WIDTH, p));
        c.z[0] = 1.0; /* the axis */
        scri_set_cone_project(terms_of(&c), c.z, p, d);
        require(distance(MAX_WIDTH, p, c.z) == 0.0, "set %d: the axis moves", k);
        c.z[0] = -1.0;
        scri_set_cone_project(terms_of(&c), c.z, p, d);
        require(norm(MAX_WIDTH, p) == 0.0, "set %d: (-1, 0, ..) goes to %g", k, p[0]);
        for (int i = 0; i < MAX_WIDTH; ++i) {
            double image[MAX_WIDTH], sum = 0.0;
            memset(c.z, 0, sizeof c.z);
            c.z[i] = SCREE_NAN;
            scri_set_cone_project(terms_of(&c), c.z, p, d);
            for (int j = 0; j < MAX_WIDTH; ++j) sum += p[j];
            require(isnan(sum), "set %d: NaN in row %d is lost", k, i);
            scri_reaction_exact(terms_of(&c), c.z, 0.0, image, d);
            sum = 0.0;
            for (int j = 0; j < MAX_WIDTH; ++j) sum += image[j];
            require(isnan(sum), "set %d: the reaction loses NaN in row %d", k, i);
        }
        for (int huge = 0; huge < 2; ++huge) {
            double size = huge ? 1e150 : 1e-150;
            for (int i = 0; i < MAX_WIDTH; ++i) c.z[i] = size * (i % 2 ? -1.0 : 0.5);
            scri_set_cone_project(terms_of(&c), c.z, p, d);
            require(outside(&c, p) <= 1e-13 * size && p[0] >= c.z[0], "set %d: size %g", k, size);
        }
    }
    stock_close(&stock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_is_the_closest_point),
        cmocka_unit_test(discs_have_the_ordinary_cone),
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(channel_follows_force_and_size),
        cmocka_unit_test(odd_points_have_a_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
