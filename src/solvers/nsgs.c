/* Nonsmooth block Gauss-Seidel: solve each contact exactly with the others held, again and again
 * (section 5.2 of Acary & Bourrier; the local solver is that of src/laws). */
#include "base/random.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* The true residual costs about as much as half a sweep. It is evaluated when the size of the last
 * sweep's changes, times the ratio found at the previous evaluation, says that the tolerance is
 * reached; and so that the ratio is known, after 4, 6, 9, ... sweeps, at the latest after 200 more.
 */
enum { FIRST_CHECK = 4, CHECK_INTERVAL = 200 };

static int64_t next_check_after(int64_t sweeps)
{
    int64_t more = sweeps / 2;
    return sweeps + (more < FIRST_CHECK / 2  ? FIRST_CHECK / 2
                     : more < CHECK_INTERVAL ? more
                                             : CHECK_INTERVAL);
}

typedef struct contact_cache {
    int64_t* offset; /* [n_contacts + 1] first entry of each block */
    double* block;   /* scaled diagonal blocks, row-major */
    double* lambda;  /* [3 n_contacts] slip rates, kept from sweep to sweep */
    int32_t* order;  /* [n_contacts] */
} contact_cache;

typedef struct sweep_size {
    double tolerance;       /* of the one-contact problems */
    double change, impulse; /* sums of squares in scaled variables */
} sweep_size;

/* One contact need not be solved much better than the last sweep changed the whole. */
#define LOCAL_ACCURACY 0.01
#define LOCAL_TOLERANCE_MAX 1e-4
#define LOCAL_TOLERANCE_MIN 1e-14

static contact_cache lay_out(const scri_run* run, scri_bump* bump)
{
    const scree_problem* problem = run->problem;
    size_t n = (size_t)problem->n_contacts, entries = 0;
    for (size_t c = 0; c < n; ++c) {
        size_t width = (size_t)(problem->row[c + 1] - problem->row[c]);
        entries += width * width;
    }
    contact_cache cache;
    cache.offset = scri_bump_take(bump, n + 1, sizeof *cache.offset);
    cache.block = scri_bump_take(bump, entries, sizeof *cache.block);
    cache.lambda = scri_bump_take(bump, 3 * n, sizeof *cache.lambda);
    cache.order = scri_bump_take(bump, n, sizeof *cache.order);
    return cache;
}

static void fill(const scri_run* run, contact_cache* cache)
{
    const scree_problem* problem = run->problem;
    cache->offset[0] = 0;
    memset(cache->lambda, 0, 3 * (size_t)problem->n_contacts * sizeof *cache->lambda);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->row[c + 1] - problem->row[c];
        double* block = cache->block + cache->offset[c];
        const double* s = run->scaling.scale + problem->row[c];
        scri_operator_block(&run->op, c, block);
        for (int i = 0; i < width; ++i) {
            for (int j = 0; j < width; ++j) block[i * width + j] /= s[i] * s[j];
        }
        cache->offset[c + 1] = cache->offset[c] + width * width;
        cache->order[c] = c;
    }
}

/* Solves contact c with all others held. */
static void relax(scri_run* run, const contact_cache* cache, int32_t c, sweep_size* size)
{
    const scree_problem* problem = run->problem;
    int32_t row = problem->row[c];
    int width = problem->row[c + 1] - row;
    double* p = run->p + row;
    const double* s = run->scaling.scale + row;
    const double* block = cache->block + cache->offset[c];
    double y[SCRI_MAX_WIDTH], q[SCRI_MAX_WIDTH], old[SCRI_MAX_WIDTH], next[SCRI_MAX_WIDTH];
    scri_operator_velocity(&run->op, run->p, c, y);
    for (int i = 0; i < width; ++i) next[i] = old[i] = p[i] * s[i];
    for (int i = 0; i < width; ++i) {
        q[i] = y[i] / s[i];
        for (int j = 0; j < width; ++j) q[i] -= block[i * width + j] * old[j];
    }
    const scri_law* law = scri_law_get(problem->law[c]);
    double* lambda = cache->lambda + 3 * (size_t)c;
    scree_one_contact how = law->solve(problem->rows[c], run->scaling.coef + 3 * (size_t)c, block,
                                       q, next, lambda, size->tolerance);
    if (how == SCREE_ONE_CONTACT_FAIL_SAFE) run->report.fail_safe++;
    if (how == SCREE_ONE_CONTACT_NONE) return;
    double change[SCRI_MAX_WIDTH];
    for (int i = 0; i < width; ++i) {
        double step = next[i] - old[i], impulse = next[i] / s[i];
        size->change += step * step;
        size->impulse += next[i] * next[i];
        change[i] = impulse - p[i];
        p[i] = impulse;
    }
    scri_operator_change(&run->op, c, change);
}

static void shuffle(int32_t n, int32_t* order, scri_random* random)
{
    for (int32_t i = n - 1; i > 0; --i) {
        int32_t j = (int32_t)scri_random_below(random, (uint32_t)i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

static sweep_size sweep(scri_run* run, const contact_cache* cache, int backward, double tolerance)
{
    int32_t n = run->problem->n_contacts;
    sweep_size size = {tolerance, 0.0, 0.0};
    for (int32_t i = 0; i < n; ++i)
        relax(run, cache, cache->order[backward ? n - 1 - i : i], &size);
    return size;
}

static void solve(scri_run* run, scri_bump* bump)
{
    contact_cache cache = lay_out(run, bump);
    if (!bump->memory) return;
    fill(run, &cache);
    scri_random random = {.key = run->def->seed};
    double ratio = 1.0; /* true residual over estimate */
    double estimate = 1.0;
    int64_t before = run->report.iterations, next_check = before + FIRST_CHECK;
    for (int backward = 0;; backward ^= run->def->sweep == SCREE_SWEEP_SYMMETRIC) {
        if (run->def->sweep == SCREE_SWEEP_SHUFFLED) {
            shuffle(run->problem->n_contacts, cache.order, &random);
        }
        double tolerance = fmin(LOCAL_ACCURACY * estimate, LOCAL_TOLERANCE_MAX);
        sweep_size size = sweep(run, &cache, backward, fmax(tolerance, LOCAL_TOLERANCE_MIN));
        if (scri_run_tick(run)) {
            scri_run_check(run); /* the last iterate may be the best */
            return;
        }
        estimate = size.impulse > 0.0 ? sqrt(size.change / size.impulse) : 0.0;
        int due =
            run->report.iterations >= next_check || run->report.iterations >= run->iteration_limit;
        if (!due && !(estimate * ratio <= run->def->tol)) continue;
        if (scri_run_check(run)) return;
        ratio = estimate > 0.0 ? run->last_residual / estimate : 1.0;
        next_check = before + next_check_after(run->report.iterations - before);
    }
}

const scri_solver scri_solver_nsgs = {
    "nsgs",
    "block Gauss-Seidel with an exact one-contact solver; sweeps forward, symmetric or shuffled",
    solve,
};
