/* scree run: the options, the loop, what is recorded and shown meanwhile. */
#include "cli/run.h"

#include "cli/study.h"
#include "cli/verbs.h"
#include "scree_io/problem_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_argument arguments[] = {
    {"SCENE", "a file (YAML), or a name that scree scenes lists; pile if left out",
     offsetof(cli_run_options, scene)},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(cli_run_options, output),
     .value = "RUN.h5",
     .text = "record the motion (a study: RUN.csv); a complete recording is replaced",
     .usual = "none"},
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(cli_run_options, settings),
     .value = "KEY=VALUE",
     .text = "change a parameter or value of the scene; may be given again"},
    {.name = "workers",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_run_options, workers),
     .value = "N",
     .text = "threads; results do not depend on them",
     .usual = "one for each processor",
     .least = 1,
     .most = 1024},
    {.name = "until",
     .kind = CLI_REAL,
     .offset = offsetof(cli_run_options, until),
     .value = "T",
     .text = "end at T seconds of simulated time",
     .usual = "as the scene says",
     .most = 1e30},
    {.name = "checkpoint",
     .kind = CLI_REAL,
     .offset = offsetof(cli_run_options, checkpoint),
     .value = "S",
     .text = "write what --resume needs every S seconds of wall clock",
     .most = 1e30},
    {.name = "resume",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_run_options, resume),
     .text = "go on with the recording that -o names"},
    {.name = "force",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_run_options, force),
     .text = "replace what -o names even if it is no recording, or one to resume"},
    {.name = "dump-problem",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_run_options, dump_step),
     .value = "K",
     .text = "write the contact problem of step K (from 1) and its impulses",
     .usual = "none",
     .least = 1},
    {.name = "dump-to",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_run_options, dump_to),
     .value = "FILE",
     .text = "where to; FCLIB HDF5 if named .hdf5 or .h5, else Siconos text",
     .usual = "problem-K.hdf5"},
    {.name = "series",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_run_options, series),
     .value = "FILE.csv",
     .text = "write the scene's measures at every interval of its output",
     .usual = "none"},
    {.name = "passages",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_run_options, passages),
     .value = "FILE.csv",
     .text = "write time, mass and speed of every body that passes a probe",
     .usual = "none"},
    {.name = "print-defaults",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_run_options, print_defaults),
     .text = "print every key of a scene file with its default, and end"},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_run_options, quiet),
     .text = "print neither progress nor summary"},
    CLI_JSON_OPTION(cli_run_options),
};

static const cli_syntax syntax = {
    .verb = "run",
    .purpose =
        "Simulates a scene and prints a summary: certificate, energy, time. Every step's\n"
        "impulses are certified, contact by contact. Bodies that contradict each other, as a\n"
        "gate driven into a wall, are named and give way. Ctrl-C ends the run after the step at "
        "hand and keeps what\n"
        "was recorded; --resume goes on from there, bit for bit.",
    .n_arguments = CLI_COUNT(arguments),
    .n_optional = 1,
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 done, 1 a step did not converge or has no solution, interrupted or failed,\n"
                  "           2 bad input or usage",
    .example = "  scree run pile -o pile.h5\n"
               "  scree view pile.h5\n"
               "  scree run scene.yaml --set world.step=1e-3 --until 2 -o run.h5",
};

const char* cli_run_status(const cli_run* run)
{
    scree_done done = scree_simulation_done(run->simulation);
    return done == SCREE_DONE_TIME ? "time" : done == SCREE_DONE_REST ? "rest" : "interrupted";
}

int64_t cli_run_missed(const cli_run* run)
{
    return scree_simulation_totals(run->simulation).not_converged - run->before.not_converged;
}

/* ---- recording ---- */

static int refuse(cli_run* run, scree_status status)
{
    cli_refuse(&run->host, status);
    return CLI_FAILED;
}

static int write_checkpoint(cli_run* run)
{
    run->checkpointed = cli_wall_time();
    scree_status status = scree_recorder_checkpoint(run->recorder, run->simulation);
    return status == SCREE_OK ? CLI_DONE : refuse(run, status);
}

/* The frame that is due, if any, and a checkpoint from time to time; `report` is NULL before the
 * first step. */
static int record(cli_run* run, const scree_step_report* report)
{
    if (!run->recorder) return CLI_DONE;
    double begin = cli_wall_time();
    cli_host_turn_to(&run->host, run->options->output);
    scree_status status = scree_recorder_step(run->recorder, report);
    int code = status == SCREE_OK ? CLI_DONE : refuse(run, status);
    if (code == CLI_DONE && begin - run->checkpointed >= run->options->checkpoint) {
        code = write_checkpoint(run);
    }
    run->n_frames = scree_recorder_n_frames(run->recorder);
    run->record += cli_wall_time() - begin;
    return code;
}

/* Writes the last checkpoint and state, and ends the recording, whatever `code` is; returns it, or
 * what went wrong. */
static int close_recording(cli_run* run, int code)
{
    if (!run->recorder) return code;
    double begin = cli_wall_time();
    cli_host_turn_to(&run->host, run->options->output);
    if (code == CLI_DONE && !run->was_complete) {
        code = write_checkpoint(run);
        scree_status status =
            code == CLI_DONE ? scree_recorder_last_frame(run->recorder) : SCREE_OK;
        if (status != SCREE_OK) code = refuse(run, status);
        run->n_frames = scree_recorder_n_frames(run->recorder);
    }
    int complete = code == CLI_DONE && scree_simulation_done(run->simulation) != SCREE_RUNNING;
    scree_status status = scree_recorder_close(run->recorder, complete);
    run->recorder = NULL;
    run->record += cli_wall_time() - begin;
    return status == SCREE_OK || code != CLI_DONE ? code : refuse(run, status);
}

/* ---- progress ---- */

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

static void show_progress(cli_run* run, const scree_step_report* report)
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

/* ---- the run ---- */

static int check_dump(const cli_run_options* o)
{
    if (o->dump_to && o->dump_step == 0) {
        return cli_usage_error(syntax.verb, "--dump-to needs --dump-problem");
    }
    if (!o->dump_to) return CLI_DONE;
    if (o->output && strcmp(o->dump_to, o->output) == 0) {
        return cli_usage_error(syntax.verb, "--dump-to and --output name the same file");
    }
    return cli_check_output(syntax.verb, o->dump_to, o->scene ? o->scene : "");
}

/* After the step asked for: writes its problem. The run goes on even if that fails. */
static int dump_problem(cli_run* run)
{
    const cli_run_options* o = run->options;
    scree_world_view view = scree_simulation_view(run->simulation);
    if (view.steps != o->dump_step) return CLI_DONE;
    run->dumped = true;
    if (!view.problem || view.n_contacts == 0) {
        cli_say(syntax.verb, "step %" PRId64 " has no contacts: no problem to write", view.steps);
        return CLI_FAILED;
    }
    char path[64], title[64];
    snprintf(path, sizeof path, "problem-%" PRId64 ".hdf5", view.steps);
    snprintf(title, sizeof title, "step %" PRId64 ", %g s", view.steps, view.time);
    const char* target = o->dump_to ? o->dump_to : path;
    scree_problem_extras extras = {.title = title, .solution = view.impulse};
    scree_env env = cli_env(&run->host);
    cli_host_turn_to(&run->host, target);
    scree_status status = scree_problem_write(&env, target, view.problem, &extras);
    if (status != SCREE_OK) cli_refuse(&run->host, status);
    return status == SCREE_OK ? CLI_DONE : CLI_FAILED;
}

/* Steps until the end or Ctrl-C. *code: CLI_FAILED when something that does not end the run went
 * wrong. */
static int simulate(cli_run* run, int* code)
{
    int recorded = run->was_complete ? CLI_DONE : record(run, NULL);
    while (recorded == CLI_DONE && scree_simulation_done(run->simulation) == SCREE_RUNNING &&
           !cli_watch_interrupted()) {
        scree_step_report report;
        cli_host_turn_to(&run->host, run->scene->source->path);
        scree_status status = scree_simulation_step(run->simulation, &report);
        if (status != SCREE_OK) return cli_refuse(&run->host, status);
        if (dump_problem(run) != CLI_DONE) *code = CLI_FAILED;
        cli_run_write_tables(run);
        recorded = record(run, &report);
        show_progress(run, &report);
    }
    return recorded;
}

/* The same within the clocks, with the recording closed in the end. */
static int simulate_watched(cli_run* run, int* code)
{
    run->wall = cli_wall_time();
    run->cpu = cli_cpu_time();
    run->checkpointed = run->before.steps > 0 ? run->wall : -HUGE_VAL; /* the first one at once */
    run->pace = (cli_run_pace){.wall = run->wall, .time = run->time_before};
    int end = simulate(run, code);
    end = close_recording(run, end);
    cli_watch_clear(&run->watch);
    run->wall = cli_wall_time() - run->wall;
    run->cpu = cli_cpu_time() - run->cpu;
    return end;
}

/* What went otherwise than hoped, one line each, after the summary. */
static int say_faults(const cli_run* run)
{
    const cli_run_options* o = run->options;
    scree_totals totals = scree_simulation_totals(run->simulation);
    int code = CLI_DONE;
    if (cli_run_missed(run) > 0) {
        cli_say(syntax.verb,
                "%" PRId64 " of %" PRId64 " steps missed the tolerance (worst "
                "residual %.2g at %g s)",
                cli_run_missed(run), totals.steps - run->before.steps, totals.residual_max,
                totals.residual_max_time);
        code = CLI_FAILED;
    }
    int64_t impossible = totals.no_solution - run->before.no_solution;
    if (impossible > 0) {
        cli_say(syntax.verb,
                "%" PRId64 " of %" PRId64 " steps have no solution: contacts contradict each other "
                "and gave way",
                impossible, totals.steps - run->before.steps);
        code = CLI_FAILED;
    }
    int64_t awaited = scree_simulation_awaited(run->simulation);
    if (awaited > 0 && scree_simulation_done(run->simulation) != SCREE_RUNNING) {
        cli_warn(syntax.verb,
                 "%" PRId64 " bodies of the rain were not released: there was no room, "
                 "or no time",
                 awaited);
    }
    if (o->dump_step > 0 && !run->dumped) {
        cli_say(syntax.verb,
                "--dump-problem: the run has steps %" PRId64 " to %" PRId64 ", not %" PRId64,
                run->before.steps + 1, totals.steps, o->dump_step);
        code = CLI_FAILED;
    }
    if (scree_simulation_done(run->simulation) == SCREE_RUNNING) {
        if (o->output) {
            cli_say(syntax.verb, "interrupted; scree run --resume -o %s goes on", o->output);
        } else {
            cli_say(syntax.verb, "interrupted; nothing was recorded");
        }
        code = CLI_FAILED;
    }
    return code;
}

static int run_scene(cli_run* run)
{
    const cli_run_options* o = run->options;
    int code = check_dump(o);
    if (code == CLI_DONE) code = cli_run_open(run);
    if (code == CLI_DONE) code = cli_run_open_tables(run);
    if (code != CLI_DONE) return code;
    if (run->was_complete) {
        cli_say(syntax.verb, "%s: the run was complete%s", o->output,
                scree_simulation_done(run->simulation) == SCREE_DONE_TIME
                    ? "; a later --until goes on"
                    : "");
    }
    int dumped = CLI_DONE;
    code = simulate_watched(run, &dumped);
    if (code == CLI_DONE) code = cli_run_close_tables(run);
    if (code != CLI_DONE) return code;
    if (!o->json && !o->quiet) cli_run_print_summary(run);
    code = say_faults(run); /* the object holds what it says */
    if (o->json) cli_run_print_json(run);
    return code == CLI_DONE ? dumped : code;
}

/* A study takes --set and -o alone, besides what concerns printing. */
static int run_study(const cli_run_options* o)
{
    const char* other = o->until >= 0.0      ? "--until"
                        : o->resume          ? "--resume"
                        : o->dump_step > 0   ? "--dump-problem"
                        : o->dump_to != NULL ? "--dump-to"
                        : o->series          ? "--series"
                        : o->passages        ? "--passages"
                                             : NULL;
    if (other) {
        return cli_usage_error(syntax.verb, "%s: is a study, not a scene; leave out %s", o->scene,
                               other);
    }
    cli_study_run run = {.verb = syntax.verb,
                         .name = o->scene,
                         .settings = &o->settings,
                         .output = o->output,
                         .json = o->json,
                         .quiet = o->quiet};
    return cli_run_study(&run);
}

int cli_run_scene(int argc, char** argv)
{
    cli_run_options o = {.workers = 0, .until = -1.0, .checkpoint = 5.0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (o.print_defaults) {
        fputs(scree_scene_defaults(), stdout);
        return CLI_DONE;
    }
    if (o.scene && cli_is_study(o.scene)) return run_study(&o);
    cli_run run = {.options = &o, .host = {.verb = syntax.verb}};
    /* From reading the scene until the summary has left: a signal ends the run, not its report. */
    cli_watch_begin(&run.watch, syntax.verb);
    code = run_scene(&run);
    code = close_recording(&run, code);
    if (cli_run_close_tables(&run) != CLI_DONE && code == CLI_DONE) code = CLI_FAILED;
    fflush(stdout);
    cli_watch_end(&run.watch);
    scree_simulation_destroy(run.simulation);
    scree_scene_destroy(run.scene);
    return code;
}
