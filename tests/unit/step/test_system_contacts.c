/* A system with many contacts, each with numbers of its own: blocks side by side that slide, rest
 * or fly. */
#include "scree/system.h"
#include "support/test.h"

#include <math.h>

enum { BLOCKS = 6 };
#define G 9.81
#define STEP 1e-2

static const double masses[BLOCKS] = {1.0, 2.0, 0.5, 3.0, 1.5, 0.25};
static const double friction[BLOCKS] = {0.1, 0.6, 0.25, 0.4, 0.15, 0.5};
static const double speeds[BLOCKS] = {1.0, 0.01, -2.0, 3.0, 0.7, -0.02};

static void mass(void* user, double t, const double* q, double* m)
{
    (void)user, (void)t, (void)q;
    for (int i = 0; i < 2 * BLOCKS; ++i) m[i * 2 * BLOCKS + i] = masses[i / 2];
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user, (void)t, (void)q, (void)u;
    for (int i = 0; i < BLOCKS; ++i) h[2 * i + 1] = -masses[i] * G;
}

static void gap(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    for (int i = 0; i < BLOCKS; ++i) g[i] = q[2 * i + 1];
}

static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t, (void)q, (void)chi;
    for (int i = 0; i < BLOCKS; ++i) {
        w[(2 * i) * 2 * BLOCKS + 2 * i + 1] = 1.0;
        w[(2 * i + 1) * 2 * BLOCKS + 2 * i] = 1.0;
    }
}

/* Block `flying` hangs in the air; of all others each has the friction that is its own. */
static void every_block_has_its_own_friction(void** state)
{
    (void)state;
    for (int flying = -1; flying < BLOCKS; ++flying) {
        uint8_t rows[BLOCKS];
        double coef[3 * BLOCKS] = {0.0}, q[2 * BLOCKS] = {0.0}, u[2 * BLOCKS] = {0.0};
        for (int i = 0; i < BLOCKS; ++i) {
            rows[i] = SCREE_ROWS_NT;
            coef[3 * i] = friction[i];
            u[2 * i] = speeds[i];
            q[2 * i + 1] = i == flying ? 1.0 : 0.0;
        }
        scree_system_def def = scree_default_system_def();
        def.model = (scree_system_model){
            .mass = mass, .force = force, .gap = gap, .directions = directions};
        def.n = 2 * BLOCKS;
        def.n_contacts = BLOCKS;
        def.rows = rows;
        def.coef = coef;
        def.step = STEP;
        scree_system* system = NULL;
        assert_int_equal(scree_system_create(NULL, &def, 0.0, q, u, &system), SCREE_OK);
        double kinetic = 0.0;
        for (int step = 1; step <= 3; ++step) {
            scree_system_report report;
            assert_int_equal(scree_system_step(system, &report), SCREE_OK);
            assert_int_equal(report.n_closed, flying < 0 ? BLOCKS : BLOCKS - 1);
            scree_system_view view = scree_system_get_view(system);
            kinetic = 0.0;
            for (int i = 0; i < BLOCKS; ++i) {
                double slower = friction[i] * G * STEP * step, x = fabs(speeds[i]) - slower;
                double fall = i == flying ? -G * STEP * step : 0.0;
                if (i == flying) x = fabs(speeds[i]);
                if (x < 0.0) x = 0.0;
                require(fabs(fabs(view.u[2 * i]) - x) <= 1e-12, "block %d: %.17g, not %.17g", i,
                        view.u[2 * i], x);
                require(fabs(view.u[2 * i + 1] - fall) <= 1e-12, "block %d moves up or down by %g",
                        i, view.u[2 * i + 1]);
                double load = i == flying ? 0.0 : masses[i] * G * STEP;
                require(fabs(view.p[2 * i] - load) <= 1e-12, "block %d: load %g, not %g", i,
                        view.p[2 * i], load);
                assert_int_equal(view.closed[i], i != flying);
                kinetic += 0.5 * masses[i] * (x * x + fall * fall);
            }
            require(fabs(report.kinetic - kinetic) <= 1e-12, "energy %g, not %g", report.kinetic,
                    kinetic);
        }
        scree_system_destroy(system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_has_its_own_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
