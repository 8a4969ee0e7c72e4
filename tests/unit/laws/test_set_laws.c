/* Friction with sets: sliding forces, one contact under random loads, and what the laws promise. */
#include "laws/law.h"
#include "laws/planar_slip.h"
#include "laws/set_cone.h"
#include "support/one_contact_problems.h"
#include "support/test.h"

#include <math.h>

#define DEGREE (3.14159265358979323846 / 180.0)

enum { N_SETS = 12 };

/* Sets of every kind; the first CONVEX of them are convex. */
enum { CONVEX = 8 };

static scree_set* make(scree_set_kind kind, double a, double b, double s, double degrees)
{
    scree_set_def def = {.kind = kind, .a = a, .b = b, .s = s, .angle = degrees * DEGREE};
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

static scree_set* make_polygon(int32_t n, const double* points)
{
    scree_set_def def = {.kind = SCREE_SET_POLYGON, .n = n, .points = points};
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

static scree_set* make_curve(void)
{
    enum { N = 48 };
    double points[2 * N];
    for (int i = 0; i < N; ++i) {
        double theta = 360.0 * DEGREE * i / N;
        points[2 * i] = theta;
        points[2 * i + 1] = 1.0 + 0.25 * cos(3.0 * theta) + 0.2 * sin(theta);
    }
    scree_set_def def = {.kind = SCREE_SET_POLAR, .n = N, .points = points};
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

static void make_all(scree_set** sets)
{
    static const double one_sided[] = {1.0, -0.4, 1.0, 0.4, -0.2, 0.5, -0.3, -0.5};
    static const double star[] = {1.0, 0.0, 0.3, 0.3, 0.0, 1.0, -0.3, 0.3, -1.0, 0.0, 0.0, -0.5};
    int n = 0;
    sets[n++] = make(SCREE_SET_DISC, 0.7, 0.0, 0.0, 0.0);
    sets[n++] = make(SCREE_SET_ELLIPSE, 1.0, 0.3, 0.0, 0.0);
    sets[n++] = make(SCREE_SET_ELLIPSE, 0.4, 1.3, 0.0, 33.0);
    sets[n++] = make(SCREE_SET_SUPERELLIPSE, 1.1, 0.6, 2.94, 10.0);
    sets[n++] = make(SCREE_SET_SUPERELLIPSE, 0.5, 0.8, 1.3, -70.0);
    sets[n++] = make(SCREE_SET_RECTANGLE, 0.9, 0.5, 0.0, 20.0);
    sets[n++] = make(SCREE_SET_RUNNER, 0.2, 0.5, 0.6, 5.0);
    sets[n++] = make_polygon(4, one_sided);
    sets[n++] = make(SCREE_SET_SUPERELLIPSE, 1.0, 0.7, 0.6, 15.0);
    sets[n++] = make(SCREE_SET_ASPERITY, 1.2, 0.0, 36.0 * DEGREE, 0.0);
    sets[n++] = make_polygon(6, star);
    sets[n++] = make_curve();
    assert_int_equal(n, N_SETS);
    for (int i = 0; i < n; ++i) assert_int_equal(!scree_set_is_convex(sets[i]), i >= CONVEX);
}

static void destroy_all(scree_set** sets)
{
    for (int i = 0; i < N_SETS; ++i) scree_set_destroy(sets[i]);
}

/* ---- sliding forces -------------------------------------------------------------------------- */

static double round_off(double x)
{
    return fabs(x) < 1e-15 ? 0.0 : x;
}

/* The force at a sliding direction: the contact is nearly immovable sideways. */
static void slide(const scri_law* law, const scree_set* c, const scree_set* d, double phi,
                  double force[2])
{
    const scree_set* set[4] = {c, d, NULL, NULL};
    double coef[3] = {1.0, 0.0, 0.0}, q[3] = {-1.0, round_off(cos(phi)), round_off(sin(phi))},
           p[3] = {0.0, 0.0, 0.0};
    double w[9] = {1.0, 0.0, 0.0, 0.0, 1e-13, 0.0, 0.0, 0.0, 1e-13};
    scri_terms terms = {SCREE_ROWS_NTT, coef, set, NULL};
    assert_int_not_equal(scri_one_contact_solve(law, terms, w, q, p), SCREE_ONE_CONTACT_NONE);
    require(fabs(p[0] - 1.0) <= 1e-12, "normal impulse %.17g", p[0]);
    force[0] = -p[1];
    force[1] = -p[2];
}

static void check_rows(const char* name, const scri_law* law, scree_set* c, scree_set* d)
{
    FILE* file = test_open_oracle("slide.csv");
    char line[256];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        const char* text = line[0] == '"' ? line + 1 : line;
        double v[4], force[2];
        if (strncmp(text, name, strlen(name)) != 0) continue;
        text += strlen(name);
        if (*text == '"') ++text;
        assert_int_equal(sscanf(text, ",%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3]), 4);
        double phi = v[0] * DEGREE;
        slide(law, c, d, phi, force);
        double size = hypot(v[1], v[2]), error = hypot(force[0] - v[1], force[1] - v[2]);
        require(error <= 1e-9 * size, "%s at %g: (%.12g, %.12g)", name, v[0], force[0], force[1]);
        double rate = force[0] * cos(phi) + force[1] * sin(phi);
        require(fabs(rate - v[3]) <= 1e-9 * v[3], "%s at %g: rate %.12g", name, v[0], rate);
        ++rows;
    }
    fclose(file);
    require(rows > 0, "no row of %s", name);
    scree_set_destroy(c);
    if (d != c) scree_set_destroy(d);
}

static void test_sliding_forces(void** state)
{
    (void)state;
    const scri_law *exact = &scri_law_exact_sets, *extended = &scri_law_extended;
    scree_set_kind ellipse = SCREE_SET_ELLIPSE, super = SCREE_SET_SUPERELLIPSE;
    check_rows("iso(mu=1)", exact, make(SCREE_SET_DISC, 1.0, 0.0, 0.0, 0.0), NULL);
    check_rows("assoc ellipse(3,1)", exact, make(ellipse, 3.0, 1.0, 0.0, 0.0), NULL);
    check_rows("collinear ellipse(3,1)", extended, make(ellipse, 3.0, 1.0, 0.0, 0.0),
               make(SCREE_SET_DISC, 1.0, 0.0, 0.0, 0.0));
    check_rows("assoc superell Table1", exact, make(super, 4.99, 4.25, 2.94, 0.0), NULL);
    check_rows("collinear superell Table1", extended, make(super, 4.99, 4.25, 2.94, 0.0),
               make(SCREE_SET_DISC, 1.0, 0.0, 0.0, 0.0));
    check_rows("extended Table1", extended, make(super, 4.99, 4.25, 2.94, 0.0),
               make(super, 1.84, 1.19, 2.51, 0.0));
    check_rows("ellipse(30,10)rot30 + D 3/1", extended, make(ellipse, 30.0, 10.0, 0.0, 30.0),
               make(ellipse, 3.0, 1.0, 0.0, 0.0));
    check_rows("asperity mu1.2 beta36", extended, make(SCREE_SET_ASPERITY, 1.2, 0, 36 * DEGREE, 0),
               make(ellipse, 1.0, cos(36.0 * DEGREE), 0.0, 0.0));
    check_rows("assoc stadium", exact, make(SCREE_SET_RUNNER, 0.5, 1.0, 2.0, 0.0), NULL);
}

/* ---- one contact ----------------------------------------------------------------------------- */

/* How far f (scaled to the unit normal force) and the velocity y are from the extended law as
 * printed, eqs (55) and (56): y in the normal cone of D at alpha f, D inside C. */
static double extended_error(const scree_set* c, const scree_set* d, const double* f,
                             const double* y)
{
    double inside = scree_set_fit(d, c), gauge_c = scree_set_gauge(c, f);
    double gauge_d = scree_set_gauge(d, f) / inside;
    double alpha = 1.0 / (gauge_d - gauge_c + 1.0), z[2], back[2];
    double length = hypot(y[0], y[1]), reach = length > 0.0 ? hypot(f[0], f[1]) / length : 0.0;
    for (int i = 0; i < 2; ++i) z[i] = alpha * f[i] + reach * y[i];
    scree_set_project(d, inside, z, back);
    double error = hypot(alpha * f[0] - back[0], alpha * f[1] - back[1]) / alpha;
    return fmax(error, gauge_c - 1.0) / (hypot(f[0], f[1]) + 1e-300);
}

typedef struct load {
    one_contact_problem c;
    const scree_set* set[4];
    int is_extended;
} load;

/* A random contact with random sets on sliding and, half of the time, on rolling. */
static load draw_load(scri_random* random, scree_set** sets, one_contact_family family)
{
    static const scree_rows rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                      SCREE_ROWS_NTTRRS};
    load l = {.is_extended = draw_chance(random, 60.0)};
    one_contact_draw(random, family, rows[draw_below(random, 4)], &l.c);
    for (int k = 0; k < 4; k += 2) {
        if (k == 2 && draw_chance(random, 50.0)) continue;
        l.set[k] = sets[draw_below(random, l.is_extended ? N_SETS : CONVEX)];
        if (l.is_extended) l.set[k + 1] = sets[draw_below(random, CONVEX)];
    }
    return l;
}

static void check_channel(const load* l, int k, int first, double n, const double* p,
                          const double* y, double bound)
{
    const scree_set *c = l->set[2 * k], *d = l->set[2 * k + 1] ? l->set[2 * k + 1] : c;
    double f[2] = {-p[first] / (l->c.coef[k] * n), -p[first + 1] / (l->c.coef[k] * n)};
    double speed = hypot(y[first], y[first + 1]);
    double at_rest[2] = {0.0, 0.0};
    double error = extended_error(c, d, f, y + first), resting = extended_error(c, d, f, at_rest);
    require(fmin(error, speed <= bound ? resting : error) <= 1e-7, "channel %d: %g, speed %g", k,
            error, speed);
}

static void test_one_contact_obeys_the_law(void** state)
{
    (void)state;
    enum { COUNT = 6000 };
    scri_random random = test_seed("one contact with sets", 5101);
    scree_set* sets[N_SETS];
    int fail_safe = 0, loose = 0;
    make_all(sets);
    for (int i = 0; i < COUNT; ++i) {
        load l = draw_load(&random, sets, ONE_CONTACT_ORDINARY);
        const scri_law* law = l.is_extended ? &scri_law_extended : &scri_law_exact_sets;
        int width = scree_rows_width((int)l.c.rows);
        double p[6] = {0.0}, y[6], work = 0.0, size = 0.0;
        scri_terms terms = {(int)l.c.rows, l.c.coef, l.set, NULL};
        scree_one_contact how = scri_one_contact_solve(law, terms, l.c.w, l.c.q, p);
        require(how != SCREE_ONE_CONTACT_NONE, "contact %d: not solved", i);
        fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
        for (int r = 0; r < width; ++r) {
            y[r] = l.c.q[r];
            for (int s = 0; s < width; ++s) y[r] += l.c.w[r * width + s] * p[s];
            work += p[r] * y[r];
            size += fabs(p[r]) * (fabs(y[r]) + fabs(l.c.q[r]));
        }
        work = law->has_cone ? work + p[0] * law->shift(terms, y) : p[0] * y[0];
        loose += !(fabs(work) <= 1e-9 * size + 1e-300);
        require(fabs(work) <= 1e-4 * size + 1e-300, "contact %d: work %g of %g", i, work, size);
        if (!(p[0] > 0.0)) continue;
        if (l.c.coef[0] > 0.0) check_channel(&l, 0, 1, p[0], p, y, 1e-9 * fabs(l.c.q[0]));
        if (l.set[2] && l.c.coef[1] > 0.0 && width >= 5) {
            check_channel(&l, 1, 3, p[0], p, y, 1e-9 * fabs(l.c.q[0]));
        }
    }
    print_message("one contact with sets: %d of %d by the fail-safe, %d loose\n", fail_safe, COUNT,
                  loose);
    require(loose <= COUNT / 500, "%d of %d contacts are solved loosely", loose, COUNT);
    destroy_all(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_forces),
        cmocka_unit_test(test_one_contact_obeys_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
