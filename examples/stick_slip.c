/* A system of one's own in generalised coordinates: a block on a spring is carried away by a belt,
 * slips back and is caught again. Coordinates are the position x and the height z.
 *
 * It sticks until the spring pulls with mu_s m g, then oscillates about x = mu_k m g / k until it
 * has the belt's velocity again. How far it goes is known and checked at the end. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

static const double mass = 2.0, gravity = 9.81, stiffness = 50.0, speed = 0.2; /* SI units */
static const double sticking = 0.4, sliding = 0.3; /* coefficients of friction */

static void mass_matrix(void* user, double t, const double* q, double* m)
{
    (void)user, (void)t, (void)q;
    m[0] = m[3] = mass;
}

static void forces(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user, (void)t, (void)u;
    h[0] = -stiffness * q[0];
    h[1] = -mass * gravity;
}

static void gaps(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    g[0] = q[1];
}

/* Row 0 is the normal, z; row 1 the sliding, x' minus the belt's velocity. */
static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t, (void)q;
    w[0 * 2 + 1] = 1.0;
    w[1 * 2 + 0] = 1.0;
    chi[1] = -speed;
}

/* mu at the beginning of a step. */
static void friction(void* user, double t, const double* q, const double* u, double* coef)
{
    (void)user, (void)t, (void)q;
    coef[0] = fabs(u[0] - speed) < 1e-9 ? sticking : sliding;
}

int main(void)
{
    const uint8_t rows[1] = {SCREE_ROWS_NT};
    scree_system_def def = scree_default_system_def();
    def.model = (scree_system_model){.mass = mass_matrix,
                                     .force = forces,
                                     .gap = gaps,
                                     .directions = directions,
                                     .coefficients = friction};
    def.n = 2;
    def.n_contacts = 1;
    def.rows = rows;
    def.step = 5e-4;

    scree_system* system = NULL;
    const double u[2] = {speed, 0.0}; /* it starts on the belt, at x = z = 0 */
    if (scree_system_create(NULL, &def, 0.0, NULL, u, &system) != SCREE_OK) return 1;
    double furthest = 0.0, worst = 0.0;
    int sticks = 1;
    while (scree_system_get_view(system).time < 6.0) {
        scree_system_report report;
        if (scree_system_step(system, &report) != SCREE_OK) return 1;
        scree_system_view now = scree_system_get_view(system);
        worst = fmax(worst, report.residual);
        furthest = fmax(furthest, now.q[0]);
        if ((fabs(now.y[1]) < 1e-9) == sticks) continue;
        sticks = !sticks;
        printf("%7.3f s  x = %.4f m  %s\n", now.time, now.q[0], sticks ? "sticks" : "slips");
    }
    scree_system_destroy(system);

    double weight = mass * gravity, leap = (sticking - sliding) * weight / stiffness;
    double expected = sliding * weight / stiffness + hypot(leap, speed * sqrt(mass / stiffness));
    printf("furthest x = %.5f m, expected %.5f m; worst residual %.1e\n", furthest, expected,
           worst);
    return fabs(furthest - expected) <= 1e-3 * expected && worst <= 1e-10 ? 0 : 1;
}
