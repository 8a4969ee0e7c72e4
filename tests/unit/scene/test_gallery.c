/* What the scenes about friction that depends on the direction show, and that without it they do
 * not. */
#include "scree_io/scene_file.h"
#include "show.h"

#include <math.h>

static void end(show s)
{
    scree_totals totals = scree_simulation_totals(s.simulation);
    assert_int_equal(totals.not_converged, 0);
    require(totals.residual_max <= 1e-7, "residual %g", totals.residual_max);
    scree_simulation_destroy(s.simulation);
    scree_scene_destroy(s.scene);
}

/* ---- ratchet --------------------------------------------------------------------------------- */

enum { CARRIED = 2, STAYING = 3 };

/* How far the two blocks come in 2 s, eight strokes. */
static void shake(int32_t n, const char* const* settings, double travel[2])
{
    show s = begin("ratchet", n, settings);
    double first[2] = {at(s, CARRIED)[0], at(s, STAYING)[0]};
    step_to(s, 2.0);
    travel[0] = at(s, CARRIED)[0] - first[0];
    travel[1] = at(s, STAYING)[0] - first[1];
    print_message("carried %g m, staying %g m\n", travel[0], travel[1]);
    require(fabs(at(s, CARRIED)[1] - 0.09) <= 1e-3, "it moves along the scales only");
    end(s);
}

static void one_sided_friction_carries_a_block(void** state)
{
    (void)state;
    static const char* const usual[] = {"step=1e-3"};
    static const char* const same[] = {"step=1e-3", "back=0.1"};
    static const char* const turned[] = {"step=1e-3", "materials.scales.lay=[-1, 0, 0]"};
    double travel[2];
    shake(1, usual, travel);
    require(travel[0] >= 0.18, "carried by %g m", travel[0]);
    require(fabs(travel[1]) <= 0.01, "felt carries by %g m", travel[1]);
    shake(2, same, travel);
    require(fabs(travel[0]) <= 0.02, "the same friction both ways carries by %g m", travel[0]);
    shake(2, turned, travel);
    require(travel[0] <= -0.1, "turned round, carried by %g m", travel[0]);
}

/* The table does work through its contacts, and the budget has it. */
static void moving_walls_are_in_the_budget(void** state)
{
    (void)state;
    show s = begin("ratchet", 0, NULL);
    step_to(s, 0.5);
    scree_totals t = scree_simulation_totals(s.simulation);
    double end_energy = t.kinetic + t.potential;
    double defect = end_energy - (t.energy_begin + t.contact_work);
    require(t.dissipation[0] >= 0.02, "only %g J go into sliding", t.dissipation[0]);
    require(fabs(defect) <= 1e-9 * t.dissipation[0], "%g J are not accounted for", defect);
    end(s);
}

/* ---- ice skate ------------------------------------------------------------------------------- */

enum { SKATE = 1 };

static void a_skate_follows_its_blade(void** state)
{
    (void)state;
    static const char* const settings[] = {"step=2e-3"};
    show s = begin("ice-skate", 1, settings);
    /* Leaning out of the curve, the skate puts v turn z / 0.09 m of its weight on a float. */
    const double turn = 1.6, lean = turn * at(s, SKATE)[2] / 0.09;
    double first[2] = {at(s, SKATE)[0], at(s, SKATE)[1]}, x = 0.0, y = 0.0;
    double v = 1.2, worst = 0.0;
    for (int k = 1; k <= 40; ++k) { /* once round */
        enum { PARTS = 200 };
        for (int i = 0; i < PARTS; ++i) { /* the speed falls, the blade turns on */
            double t = 0.1 * (k - 1 + (i + 0.5) / PARTS);
            x += 0.1 / PARTS * v * cos(turn * t);
            y += 0.1 / PARTS * v * sin(turn * t);
            v -= 0.1 / PARTS * 0.005 * (9.81 - lean * v);
        }
        step_to(s, 0.1 * k);
        const double* p = at(s, SKATE);
        worst = fmax(worst, hypot(p[0] - first[0] - x, p[1] - first[1] - y));
    }
    print_message("off the curve by at most %g m\n", worst);
    require(worst <= 0.02, "off the curve by %g m", worst);
    end(s);
}

static void without_an_edge_it_goes_straight_on(void** state)
{
    (void)state;
    static const char* const settings[] = {"step=2e-3", "grip=glide"};
    show s = begin("ice-skate", 2, settings);
    double first = at(s, SKATE)[0];
    step_to(s, 3.0);
    scree_world_view view = scree_simulation_view(s.simulation);
    const double *v = view.velocity + 3 * SKATE, *w = view.angular_velocity + 3 * SKATE;
    require(fabs(v[1]) <= 0.02 * v[0], "turned aside: (%g, %g) m/s", v[0], v[1]);
    require(at(s, SKATE)[0] - first >= 3.2, "it came %g m", at(s, SKATE)[0] - first);
    require(fabs(w[2] - 1.6) <= 0.05, "it spins on with %g rad/s", w[2]);
    end(s);
}

/* ---- sliding disc ---------------------------------------------------------------------------- */

typedef struct disc_case {
    const char* setting;
    double stop[2], path, deflection; /* PITFALLS.md; m, degrees */
} disc_case;

static void slide_disc(const disc_case* c)
{
    const char* settings[2] = {"step=5e-4", c->setting};
    show s = begin("disc-on-grooves", c->setting ? 2 : 1, settings);
    double path = 0.0, last[2] = {at(s, 1)[0], at(s, 1)[1]}, first[2] = {last[0], last[1]};
    scree_step_report report;
    while (scree_simulation_done(s.simulation) == SCREE_RUNNING) {
        assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
        assert_int_equal(report.n_contacts, 3);
        const double* p = at(s, 1);
        path += hypot(p[0] - last[0], p[1] - last[1]);
        last[0] = p[0];
        last[1] = p[1];
    }
    assert_int_equal(scree_simulation_done(s.simulation), SCREE_DONE_REST);
    double x = last[0] - first[0], y = last[1] - first[1];
    double deflection = atan2(y, x) * 180.0 / SCREE_PI - 32.0;
    print_message("(%.6f, %.6f) m, path %.6f m, deflection %.3f degrees\n", x, y, path, deflection);
    require(hypot(x - c->stop[0], y - c->stop[1]) <= 0.01 * c->path, "stops at (%g, %g) m", x, y);
    require(fabs(path - c->path) <= 0.01 * c->path, "path %g m", path);
    require(fabs(deflection - c->deflection) <= 0.2, "deflection %g degrees", deflection);
    const double* q = scree_simulation_view(s.simulation).rotation + 4;
    require(fabs(q[0] - 1.0) <= 1e-9, "it neither tips nor turns");
    end(s);
}

static void the_disc_stops_where_it_should(void** state)
{
    (void)state;
    static const disc_case cases[] = {
        {NULL, {0.165172, 0.140955}, 0.220645, 8.477},
        {"materials.plate.direction={disc: 1}", {0.177076, 0.110649}, 0.208804, 0.0},
        {"materials.plate.direction={superellipse: [4.99/9.3, 4.25/9.3, 2.94]}",
         {0.176564, 0.111456},
         0.208804,
         0.262},
        {"materials.plate={sliding: {ellipse: [5/9.3, 4.49/9.3]}}",
         {0.185647, 0.128890},
         0.226288,
         2.771},
    };
    for (int k = 0; k < 4; ++k) slide_disc(&cases[k]);
}

static void the_disc_keeps_to_its_path(void** state)
{
    (void)state;
    char line[256];
    FILE* file = test_open_oracle("sliding_disc_extended_path.csv");
    show s = begin("disc-on-grooves", 0, NULL);
    double first[2] = {at(s, 1)[0], at(s, 1)[1]}, worst = 0.0, step = 2e-4;
    int n = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        double t, x, y;
        if (sscanf(line, "%lf,%lf,%lf", &t, &x, &y) != 3) continue;
        step_to(s, step * floor(t / step));
        scree_world_view view = scree_simulation_view(s.simulation);
        double rest = t - view.time; /* what is left of the step */
        for (int i = 0; i < 2; ++i) {
            double p = at(s, 1)[i] - first[i] + rest * view.velocity[3 + i];
            worst = fmax(worst, fabs(p - (i ? y : x)));
        }
        ++n;
    }
    fclose(file);
    print_message("%d places, off by at most %g m\n", n, worst);
    assert_true(n > 10);
    require(worst <= 0.001 * 0.220645, "off the path by %g m", worst);
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_friction_carries_a_block),
        cmocka_unit_test(moving_walls_are_in_the_budget),
        cmocka_unit_test(a_skate_follows_its_blade),
        cmocka_unit_test(without_an_edge_it_goes_straight_on),
        cmocka_unit_test(the_disc_stops_where_it_should),
        cmocka_unit_test(the_disc_keeps_to_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
