#include "solvers/sweeping.h"

#include <math.h>

/* The true residual costs about as much as half a sweep. It is evaluated when the size of the last
 * sweep's changes, times the ratio found at the previous evaluation, says that the tolerance is
 * reached; and so that the ratio is known, after 12, 24, 48 and 96 sweeps, then after every eighth
 * more, at the latest after 200: in a heap the residual goes up and down near its end.
 * docs/decisions/0470-sweeps-that-have-arrived.md */
enum { FIRST_CHECK = 12, LAST_DOUBLED = 96, CHECK_INTERVAL = 200 };

static int64_t next_check_after(int64_t sweeps)
{
    int64_t more = sweeps < FIRST_CHECK ? FIRST_CHECK : sweeps;
    if (sweeps >= LAST_DOUBLED) more = sweeps / 8;
    return sweeps + (more < CHECK_INTERVAL ? more : CHECK_INTERVAL);
}

/* The ratio is taken a little larger than found: a check too early costs more than a sweep. In a
 * world it is taken twice as large: what a step leaves unsolved comes back in the next, and stacks
 * that settle at a loose tolerance go to the side by that. What takes long to solve ends when it
 * may. */
#define CAUTION 1.1
#define LOCAL_CAUTION 2.0

/* One contact need not be solved much better than the last sweep changed the whole. */
#define LOCAL_ACCURACY 0.01
#define LOCAL_TOLERANCE_MAX 1e-4
#define LOCAL_TOLERANCE_MIN 1e-14

static double local_tolerance(double estimate)
{
    return fmax(fmin(LOCAL_ACCURACY * estimate, LOCAL_TOLERANCE_MAX), LOCAL_TOLERANCE_MIN);
}

/* What the changes of a sweep say of the residual. */
static double estimate_of(const scri_run* run, const scri_sweep_size* size)
{
    if (scri_run_is_local(run)) return sqrt(size->most);
    return size->impulse > 0.0 ? sqrt(size->change / size->impulse) : 0.0;
}

/* Sweeps end with one: then nothing changes what it has seen. */
static int check(scri_run* run, const scri_sweeping* sweeping)
{
    if (sweeping->store) sweeping->store(run, sweeping->method);
    int stop = scri_run_check(run);
    run->is_in_step = run->kept;
    if (!stop && sweeping->restore) sweeping->restore(run, sweeping->method);
    return stop;
}

void scri_sweeping_run(scri_run* run, const scri_sweeping* sweeping)
{
    double ratio = 1.0; /* true residual over estimate */
    double estimate = 1.0;
    int64_t before = run->budget.iterations, next_check = before + FIRST_CHECK;
    for (int64_t index = 0;; ++index) {
        scri_sweep_size size =
            sweeping->sweep(run, sweeping->method, index, local_tolerance(estimate));
        run->fail_safe += size.fail_safe;
        run->updates += size.updates;
        if (scri_run_tick(run)) {
            scree_outcome why = run->outcome;
            if (!check(run, sweeping)) run->outcome = why; /* the last may be the best */
            return;
        }
        estimate = estimate_of(run, &size);
        int64_t done = run->budget.iterations;
        int due = done >= next_check || done >= run->budget.limit;
        int may_do = done >= run->def->min_iter && estimate * ratio <= run->def->tol;
        if (!due && !may_do) continue;
        if (check(run, sweeping)) return;
        /* what is small and yet no solution, as where contacts approach too fast, must become
         * smaller still */
        double wrong = fmax(run->monitor.residual, fmax(1.0, run->excess) * run->def->tol);
        int is_long = done - before >= LAST_DOUBLED;
        double caution = scri_run_is_local(run) && !is_long ? LOCAL_CAUTION : CAUTION;
        ratio = estimate > 0.0 ? caution * wrong / estimate : 1.0;
        next_check = before + next_check_after(done - before);
    }
}
