#include "cli/run.h"

#include <math.h>

/* The step after which frame `index` is taken: the first that reaches `index` intervals. Counted in
 * steps, so that it is the same in every run. */
static int64_t step_of_frame(const scree_scene* scene, int64_t index)
{
    return (int64_t)ceil((double)index * (scene->interval / scene->world.step) - 1e-6);
}

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

/* One frame at most: an interval below the step means every step. */
static int write_frame_if_due(cli_run* run)
{
    int64_t due = step_of_frame(run->scene, run->n_frames);
    if (scree_simulation_view(run->simulation).steps < due) return CLI_DONE;
    scree_status status = scree_recorder_frame(run->recorder, run->simulation);
    run->n_frames = scree_recorder_n_frames(run->recorder);
    return status == SCREE_OK ? CLI_DONE : refuse(run, status);
}

int cli_run_record(cli_run* run)
{
    if (!run->recorder) return CLI_DONE;
    double begin = cli_wall_time();
    cli_host_turn_to(&run->host, run->options->output);
    int code = write_frame_if_due(run);
    if (code == CLI_DONE && begin - run->checkpointed >= run->options->checkpoint) {
        code = write_checkpoint(run);
    }
    run->record += cli_wall_time() - begin;
    return code;
}

int cli_run_close(cli_run* run, int code)
{
    if (!run->recorder) return code;
    double begin = cli_wall_time();
    cli_host_turn_to(&run->host, run->options->output);
    if (code == CLI_DONE && !run->was_complete) code = write_checkpoint(run);
    scree_status status = scree_recorder_close(run->recorder);
    run->recorder = NULL;
    run->record += cli_wall_time() - begin;
    return status == SCREE_OK || code != CLI_DONE ? code : refuse(run, status);
}
