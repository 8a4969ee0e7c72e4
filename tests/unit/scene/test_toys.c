/* Toys that friction drives: the woodpecker follows its equations of motion, stepped here by
 * themselves; the tippe top turns over and keeps the account of Jellett's product. */
#include "math/vec.h"
#include "scree_io/scene_file.h"
#include "show.h"

#include <stdbool.h>

/* ---- the woodpecker -------------------------------------------------------------------------- */

/* Glocker's toy without his small angles: height of the sleeve, its tilt, that of the bird.
 * Contacts of the beak, the lower and the upper edge of the sleeve. */
enum { COORDINATES = 3, CONTACTS = 3 };

typedef struct toy {
    double q[COORDINATES], u[COORDINATES];
    double inverse[COORDINATES][COORDINATES], force[COORDINATES]; /* of the mass matrix */
    double gap[CONTACTS], normal[CONTACTS][COORDINATES], tangent[CONTACTS][COORDINATES];
    bool pecks;
} toy;

static const double sleeve_mass = 0.0003, sleeve_inertia = 5e-9, bird_mass = 0.0045,
                    bird_inertia = 7e-7, pole = 0.0025, inner = 0.0031, half = 0.0058, arm = 0.01,
                    neck = 0.015, beak_up = 0.02, beak_out = 0.0201, tip = 0.0005, spring = 0.0056,
                    weight = 9.81, friction = 0.3, bounce = 0.5;

static void invert(const double m[3][3], double out[3][3])
{
    double a[3][6];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 6; ++j) a[i][j] = j < 3 ? m[i][j] : j == i + 3;
    }
    for (int i = 0; i < 3; ++i) { /* positive definite: no pivots */
        for (int j = 5; j >= 0; --j) a[i][j] /= a[i][i];
        for (int r = 0; r < 3; ++r) {
            double factor = a[r][i];
            for (int j = 0; j < 6 && r != i; ++j) a[r][j] -= factor * a[i][j];
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) out[i][j] = a[i][j + 3];
    }
}

static void place(toy* t, const double q[3])
{
    const double *u = t->u, sm = sin(q[1]), cm = cos(q[1]), ss = sin(q[2]), cs = cos(q[2]);
    double apart = q[1] - q[2], both = bird_mass * arm * neck;
    const double mass[3][3] = {
        {sleeve_mass + bird_mass, bird_mass * arm * cm, bird_mass * neck * cs},
        {bird_mass * arm * cm, sleeve_inertia + bird_mass * arm * arm, both * cos(apart)},
        {bird_mass * neck * cs, both * cos(apart), bird_inertia + bird_mass * neck * neck}};
    invert(mass, t->inverse);
    t->force[0] = -(sleeve_mass + bird_mass) * weight +
                  bird_mass * (arm * sm * u[1] * u[1] + neck * ss * u[2] * u[2]);
    t->force[1] = -bird_mass * weight * arm * cm - spring * apart - both * sin(apart) * u[2] * u[2];
    t->force[2] =
        -bird_mass * weight * neck * cs + spring * apart + both * sin(apart) * u[1] * u[1];
    double out = tip - beak_out, reach = (neck + out) * cs - beak_up * ss;
    const double gap[3] = {arm * cm + reach - tip - pole, inner * cm + half * sm - pole,
                           inner * cm - half * sm - pole};
    const double normal[3][3] = {{0.0, -arm * sm, -(neck + out) * ss - beak_up * cs},
                                 {0.0, -inner * sm + half * cm, 0.0},
                                 {0.0, -inner * sm - half * cm, 0.0}};
    const double tangent[3][3] = {{1.0, arm * cm, reach - tip},
                                  {1.0, inner * cm + half * sm, 0.0},
                                  {1.0, inner * cm - half * sm, 0.0}};
    memcpy(t->gap, gap, sizeof gap);
    memcpy(t->normal, normal, sizeof normal);
    memcpy(t->tangent, tangent, sizeof tangent);
}

static double rate(const double row[3], const double u[3])
{
    return row[0] * u[0] + row[1] * u[1] + row[2] * u[2];
}

/* One row of Gauss and Seidel: the impulse within its bounds that leaves the rate `aim`. */
static double relax(const toy* t, const double row[3], double aim, double low, double high,
                    double* p, double u[3])
{
    double answer[3];
    for (int i = 0; i < 3; ++i) answer[i] = rate(t->inverse[i], row);
    double next = fmin(fmax(*p - (rate(row, u) - aim) / rate(row, answer), low), high);
    double change = next - *p;
    *p = next;
    for (int i = 0; i < 3; ++i) u[i] += answer[i] * change;
    return fabs(change);
}

/* Moreau's step. */
static void step_toy(toy* t, double h)
{
    double q[3], u[3], before[3], p[3] = {0.0}, s[3] = {0.0}, change = 1.0;
    for (int i = 0; i < 3; ++i) q[i] = t->q[i] + 0.5 * h * t->u[i];
    place(t, q);
    for (int i = 0; i < 3; ++i) u[i] = t->u[i] + h * rate(t->inverse[i], t->force);
    for (int k = 0; k < 3; ++k) before[k] = fmin(0.0, rate(t->normal[k], t->u));
    for (int sweep = 0; sweep < 20000 && change > 1e-16; ++sweep) {
        change = 0.0;
        for (int k = 0; k < 3; ++k) {
            if (t->gap[k] > 0.0) continue;
            double aim = k == 0 ? -bounce * before[k] : 0.0;
            change = fmax(change, relax(t, t->normal[k], aim, 0.0, 1e9, &p[k], u));
            double most = friction * p[k];
            change = fmax(change, relax(t, t->tangent[k], 0.0, -most, most, &s[k], u));
        }
    }
    t->pecks = p[0] > 0.0;
    for (int i = 0; i < 3; ++i) {
        t->u[i] = u[i];
        t->q[i] = q[i] + 0.5 * h * u[i];
    }
}

/* Pecks, one for each cycle: the first contact after a while without. */
typedef struct pecks {
    int n;
    double time[16], height[16];
} pecks;

static void note_peck(pecks* p, bool touches, double time, double height)
{
    if (!touches || (p->n > 0 && time < p->time[p->n - 1] + 0.05)) return;
    require(p->n < 16, "more pecks than a woodpecker");
    p->time[p->n] = time;
    p->height[p->n++] = height;
}

static pecks peck_by_equations(double h, double until)
{
    double start = acos(pole / sqrt(inner * inner + half * half)) - atan(half / inner);
    toy t = {.q = {0.0, -start, -0.2788}, .u = {-0.3411, 0.0, -7.4583}};
    pecks p = {0};
    for (int k = 1; k * h < until; ++k) {
        step_toy(&t, h);
        note_peck(&p, t.pecks, k * h, t.q[0]);
    }
    return p;
}

static bool bird_touches(show s)
{
    scree_world_view view = scree_simulation_view(s.simulation);
    for (int32_t c = 0; c < view.n_contacts; ++c) {
        const int32_t* pair = view.problem->bodies.pair + 2 * (size_t)c;
        bool is_bird = pair[0] == 2 || pair[1] == 2;
        if (is_bird && view.impulse[view.problem->first_row[c]] > 0.0) return true;
    }
    return false;
}

static pecks peck_by_scene(const char* setting, double until)
{
    show s = begin("woodpecker", 1, &setting);
    pecks p = {0};
    scree_step_report report;
    while (scree_simulation_view(s.simulation).time < until) {
        assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
        note_peck(&p, bird_touches(s), scree_simulation_view(s.simulation).time, at(s, 1)[2]);
    }
    leave(s);
    return p;
}

static void the_woodpecker_pecks(void** state)
{
    (void)state;
    test_of_numbers();
    bool fine = test_size(0, 1);
    pecks a = peck_by_equations(2e-5, 0.9);
    pecks b = peck_by_scene(fine ? "step=2e-5" : "step=1e-4", 0.9);
    require(a.n == 7 && b.n == 7, "%d and %d pecks", a.n, b.n);
    double cycle[2] = {(a.time[6] - a.time[3]) / 3.0, (b.time[6] - b.time[3]) / 3.0};
    double fall[2] = {(a.height[3] - a.height[6]) / 3.0, (b.height[3] - b.height[6]) / 3.0};
    require(fabs(cycle[0] - 0.1309) < 2e-4, "the equations' cycle takes %g s", cycle[0]);
    require(fabs(fall[0] - 0.01457) < 1e-4, "the equations' cycle falls %g m", fall[0]);
    double share = fine ? 2e-3 : 0.01;
    require(fabs(cycle[1] - cycle[0]) < share * cycle[0], "the scene's cycle takes %g s", cycle[1]);
    require(fabs(fall[1] - fall[0]) < 4.0 * share * fall[0], "the scene's falls %g m", fall[1]);
}

/* ---- the tippe top --------------------------------------------------------------------------- */

enum { TOP = 1 };

/* The angular momentum times the way from the centre of mass to the point of contact; *way is that
 * way's vertical part. */
static double jellett(show s, double* way)
{
    scree_world_view view = scree_simulation_view(s.simulation);
    scri_quat q = scri_quat_load(view.rotation + 4 * TOP);
    scri_vec axis = scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0});
    scri_vec w = scri_vec_load(view.angular_velocity + 3 * TOP);
    scri_vec momentum = scri_vec_scale(8e-7, w);
    momentum = scri_vec_add_scaled(momentum, (7e-7 - 8e-7) * scri_vec_dot(axis, w), axis);
    scri_vec contact = scri_vec_scale(0.003, axis);
    contact.z -= 0.015;
    *way = contact.z;
    return scri_vec_dot(momentum, contact);
}

/* The impulse of spinning friction on the top about the vertical in the last step. */
static double spin_impulse(show s)
{
    scree_world_view view = scree_simulation_view(s.simulation);
    if (!view.problem || view.n_contacts == 0) return 0.0;
    assert_int_equal(view.problem->rows[0], SCREE_ROWS_NTTS);
    double sign = view.problem->bodies.pair[0] == TOP ? 1.0 : -1.0;
    return sign * view.impulse[view.problem->first_row[0] + 3] * view.problem->bodies.frame[2];
}

static void the_tippe_top_turns_over(void** state)
{
    (void)state;
    test_of_numbers();
    show s = begin("tippe-top", 0, NULL);
    double way, first = jellett(s, &way), taken = 0.0, worst = 0.0;
    scree_step_report report;
    while (scree_simulation_view(s.simulation).time < 3.9999) {
        double before = way;
        assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
        double now = jellett(s, &way);
        taken += spin_impulse(s) * 0.5 * (before + way);
        worst = fmax(worst, fabs(now - taken - first));
    }
    require(result_of(s, "axis") < -0.98, "its axis stands at %g", result_of(s, "axis"));
    require(fabs(result_of(s, "lift") - 0.006) < 1e-4, "lifted by %g m", result_of(s, "lift"));
    require(fabs(taken) > 0.1 * fabs(first), "spinning friction took %g", taken);
    require(worst < 2e-3 * fabs(first), "Jellett's product is off by %g of it", worst / first);
    leave(s);
}

/* Sliding and spinning apart: it rolls, and stays as it is. */
static void without_coupling_it_rolls(void** state)
{
    (void)state;
    static const char* const settings[] = {"world.law=exact", "stop.time=1.5"};
    show s = begin("tippe-top", 2, settings);
    step_to(s, 1.5);
    scree_world_view view = scree_simulation_view(s.simulation);
    const double* q = view.rotation + 4 * TOP;
    double up = 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
    require(up > 0.99, "its axis stands at %g", up);
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_woodpecker_pecks),
        cmocka_unit_test(the_tippe_top_turns_over),
        cmocka_unit_test(without_coupling_it_rolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
