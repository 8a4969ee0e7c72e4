/* nsgs-wide with momentum and Anderson acceleration, by pack_history.h. Where a few sweeps do,
 * nothing is combined. */
#include "solvers/accelerated.h"
#include "solvers/nsgs_wide.h"
#include "solvers/pack_history.h"
#include "solvers/solver.h"

/* Sweeps before anything comes into the history: those of a problem whose first guess is good.
 * Keeping the history costs about as much as a sweep; two of them between combinations cost least
 * time. */
enum { FIRST_SWEEPS = 8, SWEEPS_PER_STEP = 2 };

typedef struct nsgs_wide_aa {
    scri_accelerated accelerated;
    scri_pack_history history;
} nsgs_wide_aa;

static double mix(scri_run* run, void* history)
{
    (void)run;
    return scri_pack_history_mix(history);
}

static void go_on(scri_run* run, void* history)
{
    (void)run;
    scri_pack_history_go_on(history);
}

static void go_back(scri_run* run, void* history)
{
    (void)run;
    scri_pack_history_go_back(history);
}

static void begin(scri_run* run, void* history)
{
    (void)run;
    scri_pack_history_start(history);
}

static void take(scri_run* run, void* history)
{
    (void)run;
    scri_pack_history_take(history);
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    nsgs_wide_aa* m = method;
    const scri_sweeping* plain = &m->accelerated.plain;
    if (index < FIRST_SWEEPS) return plain->sweep(run, plain->method, index, tolerance);
    if (index == FIRST_SWEEPS) scri_pack_history_begin(&m->history);
    return scri_accelerated_sweep(run, &m->accelerated, index, tolerance);
}

static void store(scri_run* run, void* method)
{
    const scri_sweeping* plain = &((nsgs_wide_aa*)method)->accelerated.plain;
    plain->store(run, plain->method);
}

static void restore(scri_run* run, void* method)
{
    const scri_sweeping* plain = &((nsgs_wide_aa*)method)->accelerated.plain;
    plain->restore(run, plain->method);
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_nsgs_wide own, *wide = scri_nsgs_wide_take(run, &own, bump);
    nsgs_wide_aa m = {.history = scri_pack_history_create(run, wide, bump)};
    if (!bump->memory) return;
    m.accelerated = (scri_accelerated){.plain = scri_nsgs_wide_begin(run, wide),
                                       .products = &m.history.products,
                                       .history = &m.history,
                                       .mix = mix,
                                       .go_on = go_on,
                                       .go_back = go_back,
                                       .begin = begin,
                                       .take = take,
                                       .sweeps_per_step = SWEEPS_PER_STEP};
    scri_sweeping_run(run, &(scri_sweeping){&m, sweep, store, restore});
}

const scri_solver scri_solver_nsgs_wide_aa = {
    "nsgs-wide-aa", "nsgs-wide with momentum and safeguarded Anderson acceleration",
    "as nsgs-wide", scri_nsgs_wide_unfit,
    solve,
};
