/* Nonsmooth block Gauss-Seidel: solve each contact exactly with the others held, again and again
 * (section 5.2 of Acary & Bourrier; the local solver is that of src/laws). */
#include "solvers/nsgs.h"

#include "solvers/projection_step.h"
#include "solvers/solver.h"

static void shuffle(int32_t n, int32_t* order, scri_random* random)
{
    for (int32_t i = n - 1; i > 0; --i) {
        int32_t j = (int32_t)scri_random_below(random, (uint32_t)i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    scri_nsgs* m = method;
    int32_t n = run->problem->n_contacts;
    int backward = run->def->sweep == SCREE_SWEEP_SYMMETRIC && index % 2;
    if (run->def->sweep == SCREE_SWEEP_SHUFFLED) shuffle(n, m->order, &m->random);
    scri_sweep_size size = {.updates = n};
    for (int32_t i = 0; i < n; ++i) {
        int32_t c = m->order[backward ? n - 1 - i : i];
        scri_relax_contact(run, &m->relax, c, tolerance, &size);
    }
    return size;
}

scri_nsgs scri_nsgs_create(const scri_run* run, scri_bump* bump)
{
    scri_nsgs nsgs = {.relax = scri_relax_create(run->problem, bump),
                      .random = {.key = run->def->seed}};
    nsgs.order = scri_bump_take(bump, (size_t)run->problem->n_contacts, sizeof *nsgs.order);
    return nsgs;
}

scri_sweeping scri_nsgs_begin(scri_run* run, scri_nsgs* nsgs)
{
    scri_relax_begin(run, &nsgs->relax);
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) {
        scri_relax_fill(run, &nsgs->relax, c);
        nsgs->order[c] = c;
    }
    return (scri_sweeping){.method = nsgs, .sweep = sweep};
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_nsgs nsgs = scri_nsgs_create(run, bump);
    if (!bump->memory) return;
    scri_sweeping sweeping = scri_nsgs_begin(run, &nsgs);
    scri_sweeping_run(run, &sweeping);
}

/* A rho is that of the local projection. */
static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    if (def->local == SCREE_LOCAL_PROJECTION) {
        return scri_projection_unfit(env, problem, def, facts);
    }
    return def->rho > 0.0 ? "its local solver is the exact one, which has no rho" : NULL;
}

const scri_solver scri_solver_nsgs = {
    "nsgs",
    "block Gauss-Seidel with an exact one-contact solver; sweeps forward, symmetric or shuffled",
    "everything",
    unfit,
    solve,
};
