#include "cli/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { TEXT_SIZE = 64 };

/* Wall clock over which the speed is smoothed, s. */
static const double memory_of_pace = 5.0;

static void update_pace(cli_run_pace* pace, double time)
{
    double now = cli_wall_time();
    double passed = now - pace->wall;
    double speed = (time - pace->time) / passed;
    double weight = pace->speed > 0.0 ? 1.0 - exp(-passed / memory_of_pace) : 1.0;
    pace->speed += weight * (speed - pace->speed);
    pace->wall = now;
    pace->time = time;
}

/* ", 4 min left"; "" when nobody can tell. */
static void left_text(double seconds, char text[TEXT_SIZE])
{
    text[0] = '\0';
    if (!(seconds < 1e7)) return;
    if (seconds < 100.0) {
        snprintf(text, TEXT_SIZE, ", %.0f s left", seconds);
    } else if (seconds < 6000.0) {
        snprintf(text, TEXT_SIZE, ", %.0f min left", seconds / 60.0);
    } else {
        snprintf(text, TEXT_SIZE, ", %.1f h left", seconds / 3600.0);
    }
}

void cli_run_progress(cli_run* run, const scree_step_report* report)
{
    if (!cli_watch_due(&run->watch) || run->options->quiet) return;
    double time = scree_simulation_view(run->simulation).time;
    double end = scree_simulation_end(run->simulation);
    update_pace(&run->pace, time);
    char of[TEXT_SIZE] = "", left[TEXT_SIZE];
    if (isfinite(end)) snprintf(of, sizeof of, " of %g", end);
    left_text((end - time) / run->pace.speed, left);
    cli_watch_show(&run->watch,
                   "%.3f%s s, %d contacts, %" PRId64 " sweeps, residual %.1e, %.2gx real time%s",
                   time, of, (int)report->n_contacts, report->solve.iterations,
                   report->certificate.local, run->pace.speed, left);
}
