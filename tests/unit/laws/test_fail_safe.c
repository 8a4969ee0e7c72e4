/* Bisection on the normal impulse by itself, which contacts reach only where Newton's method fails:
 * what it hands back satisfies the equations of laws/one_contact_kernel.h. */
#include "laws/fail_safe.h"
#include "support/draw.h"
#include "support/test.h"

static const int all_rows[] = {SCREE_ROWS_N,     SCREE_ROWS_NT,     SCREE_ROWS_NTT, SCREE_ROWS_NTTS,
                               SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS, SCREE_ROWS_NTR};
enum { N_ROWS = sizeof all_rows / sizeof all_rows[0] };

typedef struct contact {
    double mu[SCRI_CHANNELS], w[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH], q[SCRI_MAX_WIDTH];
    scri_slip_contact c;
} contact;

/* w = 1 + coupling, a little off symmetry, of a contact that presses even under the convex law. */
static void draw_contact(scri_random* random, int n, double coupling, contact* out)
{
    scri_layout layout = scri_layout_of(all_rows[n % N_ROWS]);
    int width = layout.width;
    *out = (contact){.c = {.rows = all_rows[n % N_ROWS], .layout = layout}};
    out->c.convex = n / N_ROWS % 2;
    out->c.tolerance = SCRI_ALONE_TOLERANCE;
    out->c.mu = out->mu;
    out->c.w = out->w;
    out->c.q = out->q;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        out->mu[k] = draw_chance(random, 15.0) ? 0.0 : draw_power(random, -1.0, 0.3);
    }
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < i; ++j) {
            double both = coupling * draw_between(random, -1.0, 1.0);
            out->w[i * width + j] = both;
            out->w[j * width + i] = both + 0.01 * draw_between(random, -1.0, 1.0);
        }
        out->w[i * width + i] = 1.0;
        out->q[i] = draw_sign(random) * draw_power(random, -1.5, 0.5);
    }
    out->q[0] = -fabs(out->q[0]);
}

static double length_of(const scri_slip_contact* c, const double* l, int k)
{
    double square = 0.0;
    for (int i = 0; i < c->layout.dim[k]; ++i) {
        double x = l[c->layout.first[k] - 1 + i];
        square += x * x;
    }
    return sqrt(square);
}

/* The worst error of the equations, relative to impulses and velocities. */
static double error_of(const scri_slip_contact* c, const scri_slip* s)
{
    int width = c->layout.width;
    double p[SCRI_MAX_WIDTH], y[SCRI_MAX_WIDTH], size = s->n, worst = 0.0, held = 0.0;
    p[0] = s->n;
    for (int i = 1; i < width; ++i) p[i] = s->l[i - 1];
    for (int i = 0; i < width; ++i) {
        y[i] = c->q[i];
        for (int j = 0; j < width; ++j) y[i] += c->w[i * width + j] * p[j];
        size = fmax(size, fmax(fabs(p[i]), fmax(fabs(y[i]), fabs(c->q[i]))));
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = length_of(c, s->l, k), radius = c->mu[k] * s->n, gap = length - radius;
        if (c->layout.dim[k] == 0) continue;
        worst = fmax(worst, c->mu[k] > 0.0 && s->lambda[k] > 0.0 ? fabs(gap) : gap);
        if (!(s->lambda[k] >= 0.0)) return (double)INFINITY;
        for (int i = 0; i < c->layout.dim[k] && c->mu[k] > 0.0; ++i) {
            int row = c->layout.first[k] + i;
            worst = fmax(worst, fabs(y[row] + s->lambda[k] * p[row]));
        }
        if (c->mu[k] > 0.0) held += c->mu[k] * c->mu[k] * s->lambda[k] * s->n;
    }
    double normal = y[0] - (c->convex ? held : 0.0);
    return isnan(normal) ? normal : fmax(worst, fabs(normal)) / size;
}

/* What presses under the law: q lies outside of the dual cone. */
static int presses(const contact* at)
{
    return at->q[0] < (at->c.convex ? scri_friction_shift(at->c.layout, at->mu, at->q) : 0.0);
}

static void contacts_of_all_rows(void** state)
{
    (void)state;
    scri_random random = test_seed("fail-safe", 399);
    double worst = 0.0;
    int slips[4] = {0, 0, 0, 0};
    for (int n = 0; n < 700; ++n) {
        contact at;
        scri_slip s = {.n = -7.0, .lambda = {9.0, 9.0, 9.0}}; /* no guess is taken */
        draw_contact(&random, n, 0.15, &at);
        if (!presses(&at)) continue;
        assert_int_equal(scri_fail_safe(&at.c, &s), 1);
        double error = error_of(&at.c, &s);
        require(s.n > 0.0 && error <= 1e-12, "case %d, rows %d: n %g, error %g", n, at.c.rows, s.n,
                error);
        worst = fmax(worst, error);
        int moving = 0;
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            moving += at.c.layout.dim[k] > 0 && at.mu[k] > 0.0 && s.lambda[k] > 0.0;
        }
        ++slips[moving];
    }
    print_message("worst error %.2g; %d, %d, %d, %d slip\n", worst, slips[0], slips[1], slips[2],
                  slips[3]);
    require(slips[0] > 50 && slips[1] > 50 && slips[2] > 50 && slips[3] > 10, "too few of a kind");
}

/* Where the tangential rows hardly move, slip rates are many decades apart. */
static void nearly_immovable_rows(void** state)
{
    (void)state;
    scri_random random = test_seed("fail-safe, thin", 400);
    for (int n = 0; n < 300; ++n) {
        contact at;
        scri_slip s;
        draw_contact(&random, n, 0.0, &at);
        int width = at.c.layout.width;
        for (int i = 1; i < width; ++i) {
            double thin = draw_power(&random, -9.0, 0.0); /* of row and column alike */
            for (int j = 0; j < width; ++j) {
                at.w[i * width + j] *= thin;
                at.w[j * width + i] *= thin;
            }
        }
        if (!presses(&at)) continue;
        assert_int_equal(scri_fail_safe(&at.c, &s), 1);
        double error = error_of(&at.c, &s);
        require(error <= 1e-10, "case %d, rows %d: error %g", n, at.c.rows, error);
    }
}

/* In a sweep the effort is bounded, and what is found is near. */
static void sweeps_are_content_with_less(void** state)
{
    (void)state;
    scri_random random = test_seed("fail-safe, sweeps", 401);
    for (int n = 0; n < 300; ++n) {
        contact at;
        scri_slip s;
        draw_contact(&random, n, 0.15, &at);
        at.c.tolerance = 1e-8;
        if (!presses(&at)) continue;
        assert_int_equal(scri_fail_safe(&at.c, &s), 1);
        double error = error_of(&at.c, &s);
        require(error <= 1e-7, "case %d, rows %d: error %g", n, at.c.rows, error);
    }
}

/* w of rank one: friction drives the contact in as the normal impulse keeps it out. */
static void nothing_stops_some(void** state)
{
    (void)state;
    contact at = {.mu = {2.0}, .w = {1.0, 1.0, 1.0, 1.0}, .q = {-1.0, 1.0}};
    at.c = (scri_slip_contact){
        SCREE_ROWS_NT, scri_layout_of(SCREE_ROWS_NT), 0, SCRI_ALONE_TOLERANCE, at.mu, at.w, at.q};
    scri_slip s;
    assert_int_equal(scri_fail_safe(&at.c, &s), 0);
    at.mu[0] = 0.5; /* y_N = n - n / 2 - 1 */
    assert_int_equal(scri_fail_safe(&at.c, &s), 1);
    require(fabs(s.n - 2.0) <= 1e-14 && fabs(s.l[0] + 1.0) <= 1e-14, "(%g, %g)", s.n, s.l[0]);
    at.q[0] = 0.0; /* pressed by nothing but friction: n = l */
    at.w[1] = -1.0;
    at.q[1] = -4.0;
    at.w[2] = 0.0;
    assert_int_equal(scri_fail_safe(&at.c, &s), 1);
    require(error_of(&at.c, &s) <= 1e-14, "error %g", error_of(&at.c, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_all_rows),
        cmocka_unit_test(nearly_immovable_rows),
        cmocka_unit_test(sweeps_are_content_with_less),
        cmocka_unit_test(nothing_stops_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
