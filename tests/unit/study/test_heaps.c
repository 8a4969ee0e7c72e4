/* Heaps of the papers, small: the three regimes of Acary and Bourrier's figure 5; slopes, dilatancy
 * and odd shapes of Tasora and Anitescu's section 6.3. docs/papers has the large ones. */
#include "scree_io/scene_file.h"
#include "scree_study/repose.h"
#include "support/test.h"

#include <math.h>

enum { SETTINGS_MOST = 10, TEXT = 48 };

typedef struct heap {
    scree_repose repose;
    double spread; /* root mean square of the distance to the axis, m */
    int64_t missed;
} heap;

static scree_scene* load(const char* name, int n, const char* const* settings)
{
    scree_scene* scene = NULL;
    for (int i = 0; i < scree_builtin_scene_count(); ++i) {
        scree_builtin_scene s = scree_builtin_scene_get(i);
        if (strcmp(s.name, name) != 0) continue;
        assert_int_equal(
            scree_scene_parse(sparse_env(), s.name, s.text, s.text_size, n, settings, &scene),
            SCREE_OK);
    }
    assert_non_null(scene);
    return scene;
}

/* Every grain as a sphere of its mass. */
static heap measure(const scree_world_view* v, double density)
{
    enum { MOST = 512 };
    static double position[3 * MOST], radius[MOST];
    heap out = {.spread = 0.0};
    int32_t n = 0;
    for (int32_t i = 0; i < v->n_bodies; ++i) {
        if (v->kind[i] != SCREE_BODY_DYNAMIC) continue;
        assert_true(n < MOST);
        memcpy(position + 3 * n, v->position + 3 * i, 3 * sizeof *position);
        radius[n] = cbrt(0.75 * v->mass[i] / (density * SCREE_PI));
        out.spread += position[3 * n] * position[3 * n] + position[3 * n + 1] * position[3 * n + 1];
        ++n;
    }
    out.spread = sqrt(out.spread / n);
    const scree_heap asked = {.n = n, .position = position, .radius = radius};
    assert_int_equal(scree_repose_measure(NULL, &asked, &out.repose), SCREE_OK);
    return out;
}

static heap make(const char* name, double density, int n, const char* const* settings)
{
    scree_scene* scene = load(name, n, settings);
    scree_simulation* simulation = NULL;
    scree_step_report report;
    int64_t missed = 0;
    assert_int_equal(scree_simulation_create(sparse_env(), scene, &simulation), SCREE_OK);
    while (scree_simulation_done(simulation) == SCREE_RUNNING) {
        assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
        missed += report.n_contacts > 0 && report.solve.outcome != SCREE_OUTCOME_CONVERGED;
    }
    scree_world_view v = scree_world_get_view(scree_simulation_world(simulation));
    heap out = measure(&v, density);
    out.missed = missed;
    scree_simulation_destroy(simulation);
    scree_scene_destroy(scene);
    return out;
}

/* ---- paper 1 ---- */

/* Means of height and radius over piles of few spheres, whose tops differ by 0.4 diameters from
 * seed to seed. */
static heap pile(double mu, double power, int n)
{
    char text[3][TEXT];
    const char* settings[] = {"count=36", "rate=70", "stop.time=1.1", text[0], text[1], text[2]};
    snprintf(text[0], TEXT, "mu=%g", mu);
    snprintf(text[1], TEXT, "mu_r=10^(%g)", power);
    heap sum = {0};
    for (int k = 0; k < n; ++k) {
        snprintf(text[2], TEXT, "seed=%d", k + 1);
        heap one = make("pile", 1300.0, 6, settings);
        sum.repose.height += one.repose.height / n;
        sum.repose.mean_radius += one.repose.mean_radius / n;
        sum.spread += one.spread / n;
        sum.missed += one.missed;
    }
    print_message("mu = %g, mu_r = 10^%g m: height %.2f, mean radius %.2f diameters, %d missed\n",
                  mu, power, sum.repose.height / 0.02, sum.repose.mean_radius / 0.02,
                  (int)sum.missed);
    return sum;
}

/* One layer, then quickly higher, then a height that does not depend on mu_r, up to a hundred times
 * the radius; every step solved to its tolerance. */
static void test_three_regimes(void** state)
{
    (void)state;
    if (test_few(2, 1) == 1) { /* memory alone */
        assert_int_equal(pile(0.3, -3.0, 1).missed, 0);
        return;
    }
    enum { SEEDS = 4 };
    heap low = pile(0.3, -5.0, SEEDS), middle = pile(0.3, -3.0, SEEDS),
         high = pile(0.3, -2.0, SEEDS), highest = pile(0.3, 0.0, SEEDS);
    const double d = 0.02;
    assert_int_equal(low.missed + middle.missed + high.missed + highest.missed, 0);
    require(low.repose.height <= 1.1 * d, "no layer: %g m", low.repose.height);
    require(high.repose.height >= 1.7 * d, "no pile: %g m", high.repose.height);
    require(low.repose.mean_radius > 1.5 * middle.repose.mean_radius &&
                middle.repose.mean_radius > 1.5 * high.repose.mean_radius,
            "the radius does not fall: %g, %g, %g m", low.repose.mean_radius,
            middle.repose.mean_radius, high.repose.mean_radius);
    require(fabs(highest.repose.height - high.repose.height) <= d &&
                fabs(highest.repose.mean_radius - high.repose.mean_radius) <= 0.5 * d,
            "it still changes: %g after %g m", highest.repose.height, high.repose.height);
    if (!test_all()) return;
    heap rough = pile(1.0, -2.0, SEEDS);
    require(rough.spread < high.spread && rough.missed == 0, "more friction, more spread: %g, %g m",
            rough.spread, high.spread);
}

/* ---- paper 2 ---- */

static heap stones(const char* law, const char* odd, double rho, int count)
{
    char text[4][TEXT];
    const char* settings[] = {text[0], text[1], text[2], text[3], "stop.time=1.2"};
    snprintf(text[0], TEXT, "world.law=%s", law);
    snprintf(text[1], TEXT, "odd=%s", odd);
    snprintf(text[2], TEXT, "rho=%g", rho);
    snprintf(text[3], TEXT, "count=%d", count);
    heap h = make("stones", 2028.0, 5, settings);
    print_message("%s law, %s, rho = %g m: angle %.1f degrees, spread %.3f m, %d missed\n", law,
                  odd[0] == '1' ? "odd shapes" : "spheres", rho, h.repose.angle * 57.29577951,
                  h.spread, (int)h.missed);
    return h;
}

/* Figures 10 to 13: steeper with rho, up to a limit, under the paper's law and under the exact one.
 */
static void test_slope_and_rho(void** state)
{
    (void)state;
    static const char* const laws[] = {"exact", "convex"};
    for (int i = 0; i < test_few(2, 1); ++i) {
        int count = test_size(40, 300);
        heap flat = stones(laws[i], "0", 0.0, count), some = stones(laws[i], "0", 0.002, count),
             steep = stones(laws[i], "0", 0.01, count), more = stones(laws[i], "0", 0.02, count);
        require(flat.spread > 1.15 * some.spread && some.spread > 1.05 * steep.spread,
                "%s: spreads %g, %g, %g m do not fall", laws[i], flat.spread, some.spread,
                steep.spread);
        require(fabs(more.spread - steep.spread) <= 0.3 * (flat.spread - steep.spread),
                "%s: %g after %g m", laws[i], more.spread, steep.spread);
    }
}

/* Section 6.3: what corners do, rho does to spheres. */
static void test_odd_shapes(void** state)
{
    (void)state;
    if (test_few(2, 1) == 1) return;
    int count = test_size(25, 200);
    heap odd = stones("exact", "1", 0.0, count), flat = stones("exact", "0", 0.0, count),
         steep = stones("exact", "0", 0.01, count);
    require(odd.spread < 0.85 * flat.spread, "corners do not hold: %g, spheres %g m", odd.spread,
            flat.spread);
    require(odd.spread > 0.8 * steep.spread, "corners hold more than rho = 0.01: %g, %g m",
            odd.spread, steep.spread);
}

/* The relaxation holds a flowing heap apart: of contacts that carry, u_N + g / h is mu |u_T| +
 * rho |w_R| + sigma |w_N| where the exact law has 0; weighted here with what they carry. */
static double dilate(const char* law, double* sliding)
{
    char text[TEXT];
    const char* settings[] = {"odd=0", "rho=0.002", "count=60", "world.tol=1e-4", text};
    snprintf(text, TEXT, "world.law=%s", law);
    scree_scene* scene = load("stones", 5, settings);
    scree_simulation* simulation = NULL;
    scree_step_report report;
    double up = 0.0;
    *sliding = 0.0;
    assert_int_equal(scree_simulation_create(sparse_env(), scene, &simulation), SCREE_OK);
    for (int k = 0; k < 90; ++k) {
        assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
        scree_world_view v = scree_world_get_view(scree_simulation_world(simulation));
        if (k < 65 || v.n_contacts == 0) continue;
        double y[4096];
        const scree_problem* p = v.problem;
        assert_true(scree_problem_n_rows(p) <= 4096);
        assert_int_equal(scree_problem_velocity(NULL, p, v.impulse, y), SCREE_OK);
        for (int32_t c = 0; c < v.n_contacts; ++c) {
            const double *w = y + p->first_row[c], *coef = p->coef + 3 * c;
            if (!(v.impulse[p->first_row[c]] > 0.0) || p->rows[c] != SCREE_ROWS_NTTRRS) continue;
            double load = v.impulse[p->first_row[c]];
            up += load * w[0];
            *sliding += load * (coef[0] * hypot(w[1], w[2]) + coef[1] * hypot(w[3], w[4]) +
                                coef[2] * fabs(w[5]));
        }
    }
    print_message("%s law: contacts part with %.4g J in all, slide with %.4g\n", law, up, *sliding);
    scree_simulation_destroy(simulation);
    scree_scene_destroy(scene);
    return up;
}

static void test_dilatancy(void** state)
{
    (void)state;
    double sliding, up = dilate("convex", &sliding);
    require(sliding > 0.0 && fabs(up - sliding) <= 0.02 * sliding, "convex: %g, not %g J", up,
            sliding);
    up = dilate("exact", &sliding);
    require(sliding > 0.0 && fabs(up) <= 0.02 * sliding, "exact: %g of %g J", up, sliding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_regimes),
        cmocka_unit_test(test_slope_and_rho),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_dilatancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
