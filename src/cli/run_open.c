#define _POSIX_C_SOURCE 200809L
#include "cli/load_scene.h"
#include "cli/recorded.h"
#include "cli/run.h"

#include <string.h>
#include <unistd.h>

static const char default_scene[] = "pile";

static int make_simulation(cli_run* run)
{
    const cli_run_options* o = run->options;
    const char* word = o->scene ? o->scene : default_scene;
    int code = cli_load_scene(&run->host, word, &o->settings, &run->scene);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(&run->host);
    run->scene->world.workers = (int32_t)o->workers;
    scree_status status = scree_simulation_create(&env, run->scene, &run->simulation);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&run->host, status);
}

static int begin(cli_run* run)
{
    const cli_run_options* o = run->options;
    /* A target that cannot be written is known before the scene, which may take its time. */
    int code = o->output ? cli_check_output(run->host.verb, o->output, o->scene ? o->scene : "")
                         : CLI_DONE;
    if (code == CLI_DONE) code = make_simulation(run);
    if (code != CLI_DONE || !o->output) return code;
    scree_env env = cli_env(&run->host);
    cli_host_turn_to(&run->host, o->output);
    scree_recorder_def def = scree_simulation_recorder_def(run->simulation);
    def.force = o->force;
    scree_status status = scree_recorder_create(
        &env, o->output, scree_simulation_world(run->simulation), &def, &run->recorder);
    if (status == SCREE_OK) return CLI_DONE;
    code = cli_refuse(&run->host, status);
    return status == SCREE_ERROR_FILE ? CLI_FAILED : code;
}

static bool holds_scene(const scree_recording_info* info, const scree_scene* scene)
{
    const scree_scene_source* named = scene->source;
    size_t size = strlen(info->text);
    return size == named->text_size && memcmp(info->text, named->text, size) == 0;
}

/* The scene that the command line names must be the one that was recorded, to the letter. */
static int check_same_scene(cli_run* run)
{
    const cli_run_options* o = run->options;
    cli_recorded recorded;
    scree_scene* named = NULL;
    cli_list settings = {0};
    int code = cli_open_recording(&run->host, o->output, &recorded);
    if (code != CLI_DONE) return code;
    for (int i = 0; i < recorded.info.n_settings && i < CLI_LIST_MOST; ++i) {
        settings.item[settings.n++] = recorded.info.settings[i];
    }
    code = cli_load_scene(&run->host, o->scene, &settings, &named);
    if (code == CLI_DONE && !holds_scene(&recorded.info, named)) {
        code =
            cli_usage_error(run->host.verb, "%s: holds another scene than %s", o->output, o->scene);
    }
    scree_scene_destroy(named);
    cli_close_recording(&recorded);
    return code;
}

static int resume(cli_run* run)
{
    const cli_run_options* o = run->options;
    int code = o->scene ? check_same_scene(run) : CLI_DONE;
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(&run->host);
    cli_host_turn_to(&run->host, o->output);
    scree_status status = scree_recorder_resume(&env, o->output, (int32_t)o->workers, &run->scene,
                                                &run->simulation, &run->recorder);
    if (status != SCREE_OK) return cli_refuse(&run->host, status);
    run->resumed = true;
    return CLI_DONE;
}

static int resume_or_begin(cli_run* run)
{
    const cli_run_options* o = run->options;
    const char* verb = run->host.verb;
    if (!o->output) return cli_usage_error(verb, "--resume needs -o, the recording to go on with");
    if (o->force) {
        return cli_usage_error(verb, "--resume goes on with a recording, --force replaces it");
    }
    if (o->settings.n > 0) {
        return cli_usage_error(verb,
                               "--resume keeps the settings of the recording; leave out --set");
    }
    if (access(o->output, F_OK) == 0) return resume(run);
    cli_say(verb, "%s: nothing to resume, the run starts at the beginning", o->output);
    return begin(run);
}

int cli_run_open(cli_run* run)
{
    int code = run->options->resume ? resume_or_begin(run) : begin(run);
    if (code != CLI_DONE) return code;
    double until = run->options->until, step = run->scene->world.step;
    if (until > 0.0 && until < step * (1.0 - 1e-9)) {
        return cli_usage_error(run->host.verb, "--until %g s is less than one step of %g s", until,
                               step);
    }
    if (until >= 0.0) scree_simulation_set_end(run->simulation, until);
    run->before = scree_simulation_totals(run->simulation);
    run->time_before = scree_simulation_view(run->simulation).time;
    run->was_complete = run->resumed && scree_simulation_done(run->simulation) != SCREE_RUNNING;
    if (run->recorder) run->n_frames = scree_recorder_n_frames(run->recorder);
    return CLI_DONE;
}
