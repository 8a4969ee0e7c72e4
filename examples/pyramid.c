/* A square pyramid of spheres under gravity: one time step, built by hand, solved, certified.
 *
 *     pyramid [FILE.hdf5]     also writes the problem and its solution, for `scree solve`
 *
 * Every sphere rests on four others; contacts slide, roll and spin (rows N, T1, T2, R1, R2, S).
 * At rest the normal impulses of the floor must carry the weight: that is checked at the end. */
#include "scree/scree.h"
#include "scree_io/problem_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 6, MAX_SPHERES = 91, MAX_CONTACTS = 600 };

static const double radius = 0.01;   /* m */
static const double density = 2500;  /* kg/m^3 */
static const double gravity = 9.81;  /* m/s^2 */
static const double step = 1e-3;     /* s */
static const double friction[3] = {0.5, 0.1 * 0.01, 0.1 * 0.01}; /* mu; mu_r and mu_s in m */

/* The arrays that a scree_problem borrows. */
typedef struct pyramid {
    int n_spheres, n_contacts;
    double centre[MAX_SPHERES][3];
    double inv_mass[MAX_SPHERES], inv_inertia[MAX_SPHERES][6];
    int32_t pair[MAX_CONTACTS][2], row[MAX_CONTACTS + 1];
    uint8_t rows[MAX_CONTACTS], law[MAX_CONTACTS];
    double frame[MAX_CONTACTS][9], arm[MAX_CONTACTS][6], coef[MAX_CONTACTS][3];
    double q[6 * MAX_CONTACTS], p[6 * MAX_CONTACTS];
} pyramid;

static void place_spheres(pyramid* s)
{
    for (int layer = 0; layer < BASE; ++layer) {
        int side = BASE - layer;
        for (int k = 0; k < side * side; ++k) {
            double* x = s->centre[s->n_spheres++];
            x[0] = radius * (2 * (k % side) + layer);
            x[1] = radius * (2 * (k / side) + layer);
            x[2] = radius * (1.0 + sqrt(2.0) * layer);
        }
    }
    double mass = density * 4.0 / 3.0 * acos(-1.0) * pow(radius, 3.0);
    for (int i = 0; i < s->n_spheres; ++i) {
        s->inv_mass[i] = 1.0 / mass;
        for (int j = 0; j < 3; ++j) s->inv_inertia[i][j] = 2.5 / (mass * radius * radius);
    }
}

/* A contact of sphere a with sphere b, or with the floor when b is -1; n points from b to a. */
static void add_contact(pyramid* s, int a, int b, const double n[3])
{
    int c = s->n_contacts++;
    double* f = s->frame[c];
    int axis = fabs(n[0]) < 0.5 ? 0 : 1;
    double t[3] = {0.0, 0.0, 0.0}, length = sqrt(1.0 - n[axis] * n[axis]);
    t[axis] = 1.0;
    for (int i = 0; i < 3; ++i) {
        f[i] = n[i];
        f[3 + i] = (t[i] - n[axis] * n[i]) / length;
        s->arm[c][i] = -radius * n[i];
        s->arm[c][3 + i] = radius * n[i];
        s->coef[c][i] = friction[i];
    }
    for (int i = 0; i < 3; ++i) { /* t2 = n x t1 */
        f[6 + i] = f[(i + 1) % 3] * f[3 + (i + 2) % 3] - f[(i + 2) % 3] * f[3 + (i + 1) % 3];
    }
    s->pair[c][0] = a;
    s->pair[c][1] = b;
    s->rows[c] = SCREE_ROWS_NTTRRS;
    s->law[c] = SCREE_LAW_EXACT;
    s->row[c + 1] = s->row[c] + 6;
    if (b >= 0) return; /* two falling spheres have no relative velocity; the floor does not fall */
    for (int i = 0; i < 3; ++i) s->q[s->row[c] + i] = -gravity * step * f[3 * i + 2];
}

static void find_contacts(pyramid* s)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    for (int a = 0; a < s->n_spheres; ++a) {
        if (s->centre[a][2] < 1.5 * radius) add_contact(s, a, -1, up);
        for (int b = 0; b < a; ++b) {
            double n[3], square = 0.0;
            for (int i = 0; i < 3; ++i) {
                n[i] = (s->centre[a][i] - s->centre[b][i]) / (2.0 * radius);
                square += n[i] * n[i];
            }
            if (square < 1.0 + 1e-9) add_contact(s, a, b, n);
        }
    }
}

static scree_problem view(const pyramid* s)
{
    return (scree_problem){
        .n_contacts = s->n_contacts,
        .form = SCREE_FORM_BODIES,
        .row = s->row,
        .rows = s->rows,
        .law = s->law,
        .coef = s->coef[0],
        .q = s->q,
        .bodies = {s->n_spheres, s->inv_mass, s->inv_inertia[0], s->pair[0], s->frame[0],
                   s->arm[0]},
    };
}

static void print_line(void* user, scree_log_level level, const char* text)
{
    (void)user, (void)level;
    fprintf(stderr, "pyramid: %s\n", text);
}

static int report(const pyramid* s, const scree_report* r, const scree_certificate* c)
{
    double carried = 0.0, weight = s->n_spheres * gravity * step / s->inv_mass[0];
    for (int i = 0; i < s->n_contacts; ++i) {
        if (s->pair[i][1] < 0) carried += s->p[s->row[i]];
    }
    printf("%d spheres, %d contacts, %s after %d iterations of %s in %.3f s\n", s->n_spheres,
           s->n_contacts, scree_outcome_text((int)r->outcome), (int)r->iterations, r->solver,
           r->time_s);
    printf("certificate: residual %.2g, worst normal velocity %.2g m/s\n", c->residual,
           c->normal_violation);
    printf("floor carries %.7f of the weight\n", carried / weight);
    return r->outcome == SCREE_OUTCOME_CONVERGED && fabs(carried / weight - 1.0) <= 1e-3;
}

int main(int argc, char** argv)
{
    static pyramid s;
    scree_env env = {.log = print_line};
    place_spheres(&s);
    find_contacts(&s);
    scree_problem problem = view(&s);
    scree_solver_def def = scree_default_solver_def();
    def.tol = 1e-5;
    scree_report solved;
    scree_certificate certificate;
    if (scree_problem_validate(&env, &problem)) return 1;
    void* work = malloc(scree_solve_work_size(&problem, &def));
    if (!work || scree_solve(&problem, &def, work, s.p, &solved)) return 1;
    free(work);
    if (scree_certify(&env, &problem, s.p, &certificate)) return 1;
    int good = report(&s, &solved, &certificate);
    if (argc > 1) {
        scree_problem_extras extras = {.title = "square pyramid of 91 spheres",
                                       .solution = s.p};
        if (scree_problem_write(&env, argv[1], &problem, &extras)) return 1;
    }
    return good ? 0 : 1;
}
