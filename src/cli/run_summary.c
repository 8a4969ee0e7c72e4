#include "cli/recorded.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/run_measure.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void print_status(const cli_run* run)
{
    const char* status = cli_run_status(run);
    bool interrupted = strcmp(status, "interrupted") == 0;
    const char* words = interrupted                   ? "interrupted"
                        : strcmp(status, "rest") == 0 ? "done: all bodies are at rest"
                                                      : "done: the time is over";
    cli_row("status", "%s%s%s", cli_paint(interrupted ? CLI_BAD : CLI_GOOD), words,
            cli_paint(CLI_PLAIN));
}

static void print_scene(const cli_run* run)
{
    const scree_scene_source* from = run->scene->source;
    scree_world_view view = scree_simulation_view(run->simulation);
    cli_row("scene", "%s", from->path);
    if (run->scene->title) cli_row("title", "%s", run->scene->title);
    for (int i = 0; i < from->n_settings; ++i) {
        cli_row(i == 0 ? "settings" : "", "%s", from->settings[i]);
    }
    print_status(run);
    cli_row("time", "%g s in %" PRId64 " steps of %g s", view.time, view.steps,
            run->scene->world.step);
    if (run->resumed) cli_row("", "resumed at %g s", run->time_before);
    int64_t awaited = scree_simulation_awaited(run->simulation);
    cli_row("bodies", "%d", (int)view.n_bodies);
    if (awaited > 0) {
        cli_row("", "%s%" PRId64 " more of the rain were not released%s", cli_paint(CLI_BAD),
                awaited, cli_paint(CLI_PLAIN));
    }
}

/* Pairs of bodies that contradict each other, the worst known of each. */
static void print_conflicts(const cli_run* run, const scree_totals* totals)
{
    enum { NAME_SIZE = 96, MOST = 8 };
    if (totals->no_solution == 0) return;
    cli_row("no solution", "%s%" PRId64 " of %" PRId64 " steps: contacts contradict each other%s",
            cli_paint(CLI_BAD), totals->no_solution, totals->steps, cli_paint(CLI_PLAIN));
    int32_t n;
    const scree_conflict* list = scree_simulation_conflicts(run->simulation, &n);
    for (int32_t i = 0; i < n && i < MOST; ++i) {
        char a[NAME_SIZE], b[NAME_SIZE];
        scree_simulation_body_name(run->simulation, list[i].body[0], a, sizeof a);
        scree_simulation_body_name(run->simulation, list[i].body[1], b, sizeof b);
        cli_row("", "%s and %s, %.3g m/s, %" PRId64 " steps from %g s", a, b, list[i].approach,
                list[i].steps, list[i].time);
    }
    if (n > MOST) cli_row("", "and %d more pairs", (int)(n - MOST));
}

static void print_contacts(const cli_run* run, const scree_totals* totals)
{
    bool missed = totals->not_converged > 0;
    cli_row("contacts", "%d at most", (int)totals->contacts_max);
    if (missed) {
        cli_row("not converged", "%s%" PRId64 " of %" PRId64 " steps missed the tolerance%s",
                cli_paint(CLI_BAD), totals->not_converged, totals->steps, cli_paint(CLI_PLAIN));
    } else {
        cli_row("not converged", "none");
    }
    print_conflicts(run, totals);
    cli_row("worst residual", "%-10.3g at %g s", totals->residual_max, totals->residual_max_time);
    cli_row("worst penetration", "%-10.3g m at %g s", totals->penetration_max,
            totals->penetration_max_time);
    double step = run->scene->world.step;
    cli_row("worst approach", "%-10.3g m/s at %g s, overlap %.3g m in a step", totals->approach_max,
            totals->approach_max_time, totals->approach_max * step);
    bool deep = totals->overlap_share_max > 1e-2;
    cli_row("worst overlap", "%s%-10.3g of the radius%s at %g s", deep ? cli_paint(CLI_BAD) : "",
            totals->overlap_share_max, deep ? cli_paint(CLI_PLAIN) : "",
            totals->overlap_share_max_time);
    if (totals->fail_safe > 0) {
        cli_row("bisections", "%" PRId64 " of %" PRId64 " contact updates, where Newton gave way",
                totals->fail_safe, totals->contact_updates);
    }
}

/* Where energy goes that no entry of the budget holds. */
static const char* why_unexplained(const scree_totals* totals, const cli_run_measure* m,
                                   double theta)
{
    bool rounding = fabs(m->defect) <= 1e-9 * (fabs(totals->energy_begin) + fabs(m->energy));
    if (rounding) return "";
    if (theta > 0.5) return " (of the time step itself: theta is above 0.5)";
    return totals->stops > 0 ? " (bodies that were stopped on their way fell less far)" : "";
}

static void print_energy(const scree_totals* totals, const cli_run_measure* m, double theta)
{
    cli_heading("energy");
    cli_row("  at the beginning", "%-10.4g J", totals->energy_begin);
    cli_row("  released bodies", "%-+10.4g J", totals->energy_added);
    cli_row("  forces", "%-+10.4g J", totals->force_work);
    cli_row("  contacts", "%-+10.4g J, of which", totals->contact_work);
    cli_row("    sliding", "%-+10.4g J", 0.0 - totals->dissipation[0]);
    cli_row("    rolling", "%-+10.4g J", 0.0 - totals->dissipation[1]);
    cli_row("    spinning", "%-+10.4g J", 0.0 - totals->dissipation[2]);
    cli_row("    the rest", "%-+10.4g J (impacts, moving walls, numerical loss)", 0.0 - m->impacts);
    cli_row("  at the end", "%-10.4g J (kinetic %.3g, potential %.4g)", m->energy, totals->kinetic,
            totals->potential);
    cli_row("  unexplained", "%-+10.2g J%s", m->defect, why_unexplained(totals, m, theta));
}

static void print_share(const cli_run* run, const char* label, double seconds)
{
    double percent = run->wall > 0.0 ? 100.0 * seconds / run->wall : 0.0;
    cli_row(label, "%-10.3g s %3.0f %%", seconds, percent);
}

static void print_times(const cli_run* run, const cli_run_measure* m)
{
    cli_heading("where the time went");
    print_share(run, "  finding contacts", m->time_contacts);
    print_share(run, "  solving", m->time_solve);
    print_share(run, "  certifying", m->time_certify);
    print_share(run, "  moving", m->time_move);
    print_share(run, "  recording", run->record);
    print_share(run, "  anything else", m->time_other);
    cli_row("  wall clock", "%-10.3g s, %.3gx real time", run->wall, m->speed);
    cli_row("  processors", "%-10.3g s", run->cpu);
    cli_row("  contact updates", "%-10.3g per second of solving", m->updates);
    cli_row("  peak memory", "%-10.3g MB", 1e-6 * cli_peak_memory());
}

static void print_recording(const cli_run* run)
{
    const char* path = run->options->output;
    if (!path) {
        printf("\nnothing was recorded (-o RUN.h5 keeps the motion)\n");
        return;
    }
    cli_heading("recording");
    cli_row("  file", "%s", path);
    cli_row("  frames", "%" PRId64, run->n_frames);
    cli_row("  size", "%-10.3g MB", 1e-6 * (double)cli_file_size(path));
}

void cli_run_print_summary(const cli_run* run)
{
    scree_totals totals = scree_simulation_totals(run->simulation);
    cli_run_measure m = cli_run_measured(run, &totals);
    print_scene(run);
    print_contacts(run, &totals);
    print_energy(&totals, &m, run->scene->world.theta);
    print_times(run, &m);
    print_recording(run);
}
