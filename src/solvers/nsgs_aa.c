/* Gauss-Seidel with Anderson acceleration (type II, with restarts): what the last sweeps did is
 * combined so that the change which the next one would make is as small as possible in the scaled
 * 2-norm. The combination is projected onto the cones before the next sweep starts from it; when a
 * sweep changes much more than the best one did, the history is dropped and the method returns to
 * the best point.
 */
#include "math/small_kernel.h"
#include "solvers/solver.h"
#include "solvers/sweeping.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 8 };

/* A sweep that changes more than this many times what the best one did ends the history. */
#define GROWTH_LIMIT 2.0

/* Added to the diagonal of the least-squares system, relative to its largest entry. */
#define REGULARISATION 1e-14

typedef struct nsgs_aa {
    scri_relax relax;
    int used;               /* differences in the history, up to WINDOW */
    int next;               /* where the next one goes */
    int has_last;           /* `change` and `swept` belong to the sweep before */
    double best;            /* smallest norm of a sweep's change since the last restart */
    double* start;          /* [n_rows] impulses before the sweep */
    double *change, *swept; /* [n_rows] of the last sweep: difference and result */
    double *d_change[WINDOW], *d_swept[WINDOW]; /* how they differed from sweep to sweep */
    double* kept;                               /* [n_rows] result of the best sweep */
} nsgs_aa;

/* Scalar product in scaled variables. */
static double product(const scri_run* run, const double* a, const double* b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < run->n_rows; ++i) {
        double s = run->scaling.scale[i];
        sum += s * s * a[i] * b[i];
    }
    return sum;
}

/* Weights of the differences that make the change smallest; 0 when the system is singular. */
static int find_weights(const scri_run* run, const nsgs_aa* m, double* weight)
{
    double a[WINDOW * WINDOW], largest = 0.0;
    int n = m->used;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            a[i * n + j] = a[j * n + i] = product(run, m->d_change[i], m->d_change[j]);
        }
        largest = fmax(largest, a[i * n + i]);
        weight[i] = product(run, m->d_change[i], m->change);
    }
    for (int i = 0; i < n; ++i) a[i * n + i] += REGULARISATION * largest;
    return scri_gauss_solve(n, n, a, weight);
}

static void project(const scri_run* run)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* law = scri_law_get(problem->law[c]);
        law->project(problem->rows[c], problem->coef + 3 * (size_t)c, run->p + problem->row[c]);
    }
}

/* Moves run->p from the result of the last sweep to the combination. */
static void extrapolate(scri_run* run, const nsgs_aa* m)
{
    double weight[WINDOW];
    if (m->used == 0 || !find_weights(run, m, weight)) return;
    for (int k = 0; k < m->used; ++k) {
        for (int32_t i = 0; i < run->n_rows; ++i) run->p[i] -= weight[k] * m->d_swept[k][i];
    }
    project(run);
    scri_operator_reset(&run->op, run->p);
}

static void restart(nsgs_aa* m)
{
    m->used = m->next = m->has_last = 0;
    m->best = SCREE_INFINITY;
}

/* Takes what the sweep did into the history. */
static void remember(scri_run* run, nsgs_aa* m)
{
    size_t size = (size_t)run->n_rows * sizeof(double);
    double *d_change = m->d_change[m->next], *d_swept = m->d_swept[m->next];
    for (int32_t i = 0; i < run->n_rows; ++i) {
        double change = run->p[i] - m->start[i];
        d_change[i] = change - m->change[i];
        d_swept[i] = run->p[i] - m->swept[i];
        m->change[i] = change;
        m->swept[i] = run->p[i];
    }
    if (m->has_last) {
        m->next = (m->next + 1) % WINDOW;
        if (m->used < WINDOW) m->used++;
    }
    m->has_last = 1;
    double norm = sqrt(product(run, m->change, m->change));
    if (norm <= m->best) {
        m->best = norm;
        memcpy(m->kept, run->p, size);
    } else if (!(norm <= GROWTH_LIMIT * m->best)) {
        memcpy(run->p, m->kept, size);
        scri_operator_reset(&run->op, run->p);
        restart(m);
    }
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    nsgs_aa* m = method;
    (void)index;
    scri_sweep_size size = {.updates = run->problem->n_contacts};
    extrapolate(run, m);
    memcpy(m->start, run->p, (size_t)run->n_rows * sizeof *m->start);
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) {
        scri_relax_contact(run, &m->relax, c, tolerance, &size);
    }
    remember(run, m);
    return size;
}

static void solve(scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->n_rows;
    nsgs_aa method = {.relax = scri_relax_create(run, bump)};
    double** vectors[] = {&method.start, &method.change, &method.swept, &method.kept};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_bump_take(bump, n, sizeof(double));
    }
    for (int k = 0; k < WINDOW; ++k) {
        method.d_change[k] = scri_bump_take(bump, n, sizeof(double));
        method.d_swept[k] = scri_bump_take(bump, n, sizeof(double));
    }
    if (!bump->memory) return;
    memset(method.change, 0, n * sizeof(double));
    memset(method.swept, 0, n * sizeof(double));
    scri_relax_begin(run, &method.relax);
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) scri_relax_fill(run, &method.relax, c);
    restart(&method);
    scri_sweeping_run(run, &(scri_sweeping){.method = &method, .sweep = sweep});
}

const scri_solver scri_solver_nsgs_aa = {
    "nsgs-aa",
    "nsgs with Anderson acceleration; for small and stiff problems",
    solve,
};
