/* The rattleback turns back one way and not the other, as the equations of a body that rolls
 * without slip say, integrated by themselves. */
#include "math/vec.h"
#include "scree_io/scene_file.h"
#include "support/test.h"

static double spin_of(const scree_world_view* view)
{
    return view->angular_velocity[5];
}

/* Runs the scene for some time with a setting besides the spin; the spin at the end, and the least
 * and greatest on the way. */
static double run(const char* spin, const char* setting, double time, double* least, double* most)
{
    const char* settings[] = {spin, setting};
    scree_scene* scene = NULL;
    scree_simulation* simulation = NULL;
    for (int k = 0; k < scree_builtin_scene_count(); ++k) {
        scree_builtin_scene one = scree_builtin_scene_get(k);
        if (strcmp(one.name, "rattleback") != 0) continue;
        assert_int_equal(
            scree_scene_parse(NULL, one.name, one.text, one.text_size, 2, settings, &scene),
            SCREE_OK);
    }
    require(scene != NULL, "no such scene");
    assert_int_equal(scree_simulation_create(NULL, scene, &simulation), SCREE_OK);
    scree_world_view view = scree_simulation_view(simulation);
    *least = *most = spin_of(&view);
    while (view.time < time - 1e-9) {
        scree_step_report report;
        assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
        view = scree_simulation_view(simulation);
        *least = fmin(*least, spin_of(&view));
        *most = fmax(*most, spin_of(&view));
    }
    assert_int_equal(scree_simulation_totals(simulation).not_converged, 0);
    double out = spin_of(&view);
    scree_simulation_destroy(simulation);
    scree_scene_destroy(scene);
    return out;
}

static void turns_one_way_only(void** state)
{
    (void)state;
    double least, most;
    double end = run("spin=-5", "skew=5", 3.0, &least, &most);
    require(end > 4.5, "spun against its way it ends with %g rad/s", end);
    run("spin=5", "skew=5", 3.0, &least, &most);
    require(least > 4.9, "spun its way it comes down to %g rad/s", least);
    end = run("spin=5", "skew=-5", 3.0, &least, &most); /* its mirror image */
    require(end < -4.5, "the mirror image ends with %g rad/s", end);
    run("spin=-5", "skew=0", 3.0, &least, &most);
    require(most < -4.9, "without skew it comes up to %g rad/s", most);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* In the axes of the body: u is the vertical, w the rate of turning, r leads to the contact point.
 * Without slip v = -w x r, and J w' + w x J w = r x m (v' + w x v + g u). */
typedef struct motion {
    scri_vec u, w;
} motion;

static const double half[3] = {0.1, 0.025, 0.02};

static scri_vec times(const double j[6], scri_vec a)
{
    return (scri_vec){j[0] * a.x + j[3] * a.y + j[4] * a.z, j[3] * a.x + j[1] * a.y + j[5] * a.z,
                      j[4] * a.x + j[5] * a.y + j[2] * a.z};
}

static scri_vec squares_times(scri_vec a)
{
    return (scri_vec){half[0] * half[0] * a.x, half[1] * half[1] * a.y, half[2] * half[2] * a.z};
}

/* j a = b by Cramer's rule. */
static scri_vec solve(const double j[6], scri_vec b)
{
    scri_vec x = {j[0], j[3], j[4]}, y = {j[3], j[1], j[5]}, z = {j[4], j[5], j[2]};
    double volume = scri_vec_dot(x, scri_vec_cross(y, z));
    return (scri_vec){scri_vec_dot(b, scri_vec_cross(y, z)) / volume,
                      scri_vec_dot(x, scri_vec_cross(b, z)) / volume,
                      scri_vec_dot(x, scri_vec_cross(y, b)) / volume};
}

/* Per unit of mass; `inertia` as in scree_mass. */
static motion derivative(const double inertia[6], motion at)
{
    scri_vec u = at.u, w = at.w, up = scri_vec_cross(u, w), scaled = squares_times(u);
    double reach = sqrt(scri_vec_dot(u, scaled));
    scri_vec r = scri_vec_scale(-1.0 / reach, scaled);
    scri_vec moves = scri_vec_scale(-1.0 / reach, squares_times(up));
    moves = scri_vec_add_scaled(moves, scri_vec_dot(scaled, up) / (reach * reach * reach), scaled);
    scri_vec v = scri_vec_cross(r, w);
    scri_vec rest = scri_vec_add_scaled(scri_vec_cross(w, v), 9.81, u);
    rest = scri_vec_sub(rest, scri_vec_cross(w, moves)); /* v' without its part of w' */
    scri_vec b = scri_vec_sub(scri_vec_cross(r, rest), scri_vec_cross(w, times(inertia, w)));
    double square = scri_vec_dot(r, r); /* r x (w' x r) comes to the left side */
    double j[6] = {inertia[0] + square - r.x * r.x, inertia[1] + square - r.y * r.y,
                   inertia[2] + square - r.z * r.z, inertia[3] - r.x * r.y,
                   inertia[4] - r.x * r.z,          inertia[5] - r.y * r.z};
    return (motion){up, solve(j, b)};
}

static motion moved(motion at, double h, motion by)
{
    return (motion){scri_vec_add_scaled(at.u, h, by.u), scri_vec_add_scaled(at.w, h, by.w)};
}

static double reference(double spin, double time)
{
    enum { STEPS = 20000 };
    const double k = cos(5.0 * acos(-1.0) / 180.0), s = sin(5.0 * acos(-1.0) / 180.0),
                 h = time / STEPS;
    double a = half[0] * half[0], b = half[1] * half[1], c = half[2] * half[2];
    double ja = (b + c) / 5.0, jb = (a + c) / 5.0;
    double j[6] = {ja * k * k + jb * s * s, ja * s * s + jb * k * k, (a + b) / 5.0,
                   (ja - jb) * k * s};
    motion at = {{0.0, 0.0, 1.0}, {0.5, 0.5, spin}};
    for (int i = 0; i < STEPS; ++i) {
        motion k1 = derivative(j, at), k2 = derivative(j, moved(at, 0.5 * h, k1));
        motion k3 = derivative(j, moved(at, 0.5 * h, k2)), k4 = derivative(j, moved(at, h, k3));
        at = moved(moved(moved(moved(at, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
    }
    return scri_vec_dot(at.w, at.u);
}

static void follows_the_equations(void** state)
{
    (void)state;
    double least, most, error[2];
    double exact = reference(-5.0, 1.5);
    for (int k = 0; k < 2; ++k) {
        double spin = run("spin=-5", k ? "world.step=5e-4" : "world.step=1e-3", 1.5, &least, &most);
        error[k] = fabs(spin - exact);
        print_message("spin after 1.5 s: %.5f, by the equations %.5f rad/s\n", spin, exact);
    }
    require(error[1] < 1e-3, "off by %g rad/s", error[1]);
    require(error[0] > 3.0 * error[1], "not of second order: %g, %g", error[0], error[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_one_way_only),
        cmocka_unit_test(follows_the_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
