/* A square pyramid of spheres under gravity: one time step, built, solved, certified.
 *
 *     pyramid [FILE.hdf5]     also writes the problem and its solution, for `scree solve`
 *
 * Every sphere rests on four others; contacts slide, roll and spin (rows N, T1, T2, R1, R2, S).
 * At rest the normal impulses of the floor must carry the weight: that is checked at the end. */
#include "scree/scree.h"
#include "scree_io/problem_file.h"

#include <math.h>
#include <stdio.h>

enum { BASE = 6, MAX_SPHERES = 91 };

static const double radius = 0.01;  /* m */
static const double density = 2500; /* kg/m^3 */
static const double gravity = 9.81; /* m/s^2 */
static const double step = 1e-3;    /* s */

/* Spheres that have fallen for a step; returns how many. */
static int add_spheres(scree_problem_builder* builder, double centre[][3], double* mass)
{
    int n = 0;
    *mass = density * 4.0 / 3.0 * acos(-1.0) * pow(radius, 3.0);
    double inertia = 0.4 * *mass * radius * radius;
    for (int layer = 0; layer < BASE; ++layer) {
        int side = BASE - layer;
        for (int k = 0; k < side * side; ++k, ++n) {
            centre[n][0] = radius * (2 * (k % side) + layer);
            centre[n][1] = radius * (2 * (k / side) + layer);
            centre[n][2] = radius * (1.0 + sqrt(2.0) * layer);
            scree_builder_body sphere = {.mass = *mass,
                                         .inertia = {inertia, inertia, inertia},
                                         .position = {centre[n][0], centre[n][1], centre[n][2]},
                                         .velocity = {0.0, 0.0, -gravity * step}};
            scree_problem_builder_add_body(builder, &sphere);
        }
    }
    return n;
}

/* A contact of sphere a at x with sphere b, or with the floor when b is -1; n points from b to a. */
static void add_contact(scree_problem_builder* builder, int a, int b, const double x[3],
                        const double n[3])
{
    scree_builder_contact contact = {
        .body = {a, b}, .coef = {0.5, 0.1 * radius, 0.1 * radius}}; /* mu; mu_r, mu_s in m */
    for (int i = 0; i < 3; ++i) {
        contact.point[i] = x[i] - radius * n[i];
        contact.normal[i] = n[i];
    }
    scree_problem_builder_add_contact(builder, &contact);
}

static void add_contacts(scree_problem_builder* builder, int n_spheres, double centre[][3])
{
    static const double up[3] = {0.0, 0.0, 1.0};
    for (int a = 0; a < n_spheres; ++a) {
        if (centre[a][2] < 1.5 * radius) add_contact(builder, a, -1, centre[a], up);
        for (int b = 0; b < a; ++b) {
            double n[3], square = 0.0;
            for (int i = 0; i < 3; ++i) {
                n[i] = (centre[a][i] - centre[b][i]) / (2.0 * radius);
                square += n[i] * n[i];
            }
            if (square < 1.0 + 1e-9) add_contact(builder, a, b, centre[a], n);
        }
    }
}

static void print_line(void* user, scree_log_level level, const char* text)
{
    (void)user, (void)level;
    fprintf(stderr, "pyramid: %s\n", text);
}

static int report(const scree_problem* problem, const scree_solution* s, double weight)
{
    double carried = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (problem->bodies.pair[2 * c + 1] < 0) carried += s->p[problem->first_row[c]];
    }
    printf("%d spheres, %d contacts, %s after %d iterations of %s in %.3f s\n",
           (int)problem->bodies.n_bodies, (int)problem->n_contacts,
           scree_outcome_text((int)s->report.outcome), (int)s->report.iterations,
           s->report.solver, s->report.time_s);
    printf("certificate: residual %.2g, worst normal velocity %.2g m/s\n",
           s->certificate.residual, s->certificate.normal_violation);
    printf("floor carries %.7f of the weight\n", carried / weight);
    return s->report.outcome == SCREE_OUTCOME_CONVERGED && fabs(carried / weight - 1.0) <= 1e-3;
}

int main(int argc, char** argv)
{
    static double centre[MAX_SPHERES][3];
    scree_env env = {.log = print_line};
    scree_problem_builder* builder = NULL;
    scree_problem_store store;
    scree_solution solution;
    scree_solver_def def = scree_default_solver_def();
    double mass;
    def.tol = 1e-5;
    if (scree_problem_builder_create(&env, &builder)) return 1;
    int n = add_spheres(builder, centre, &mass);
    add_contacts(builder, n, centre);
    if (scree_problem_builder_finish(builder, &store)) return 1;
    if (scree_solve_alloc(&env, &store.problem, &def, &solution)) return 1;
    int good = report(&store.problem, &solution, n * mass * gravity * step);
    if (argc > 1) {
        scree_problem_extras extras = {.title = "square pyramid of 91 spheres",
                                       .solution = solution.p};
        if (scree_problem_write(&env, argv[1], &store.problem, &extras)) return 1;
    }
    scree_solution_release(&solution);
    scree_problem_store_release(&store);
    return good ? 0 : 1;
}
