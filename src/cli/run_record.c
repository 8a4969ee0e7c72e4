#include "cli/run.h"

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

int cli_run_record(cli_run* run, const scree_step_report* report)
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

int cli_run_close(cli_run* run, int code)
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
