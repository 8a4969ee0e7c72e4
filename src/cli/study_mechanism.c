/* scree run stribeck, ...: how fast a small displacement grows at the values given. */
#include "cli/host.h"
#include "cli/report.h"
#include "cli/study.h"

#include <inttypes.h>
#include <string.h>

int cli_find_mechanism(const char* name)
{
    for (int i = 0; i < scree_mechanism_count(); ++i) {
        if (strcmp(scree_mechanism_get(i).name, name) == 0) return i;
    }
    return -1;
}

void cli_describe_mechanism(int index, cli_mechanism* out)
{
    *out = (cli_mechanism){.info = scree_mechanism_get(index)};
    for (int32_t i = 0; i < out->info.n_parameters; ++i) {
        const scree_mechanism_parameter* p = &out->info.parameter[i];
        out->value[i] = p->usual;
        out->item[i] = (cli_parameter){
            .name = p->name, .meaning = p->meaning, .offset = (size_t)i * sizeof out->value[0]};
    }
    out->parameters = (cli_parameters){out->info.name, out->info.n_parameters, out->item};
}

static void print_table(const scree_mode* mode, const scree_mechanism_run* r)
{
    cli_row("growth", "%.6g /s by eigenvalue, %.6g rad/s",
            cli_without_rounding(mode->growth, mode->frequency), mode->frequency);
    cli_row("", "%.6g /s in the simulation", r->growth);
    cli_row("steps", "%" PRId64 ", %" PRId64 " missed the tolerance", r->steps, r->not_converged);
    cli_row("worst residual", "%.2g", r->residual);
}

static void print_json(const cli_mechanism* m, const scree_mode* mode, const scree_mechanism_run* r)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "study", m->info.name);
    cli_json_parameters(&json, &m->parameters, m->value);
    cli_json_real(&json, "growth", mode->growth);
    cli_json_real(&json, "frequency", mode->frequency);
    cli_json_real(&json, "growth_simulated", r->growth);
    cli_json_real(&json, "residual_max", r->residual);
    cli_json_integer(&json, "steps", r->steps);
    cli_json_integer(&json, "steps_not_converged", r->not_converged);
    cli_json_end(&json);
}

int cli_run_mechanism(const cli_study_run* run)
{
    int index = cli_find_mechanism(run->name);
    cli_mechanism m;
    scree_mode mode;
    scree_mechanism_run result;
    cli_host host = {.verb = run->verb};
    scree_env env = cli_env(&host);
    if (run->output) {
        return cli_usage_error(run->verb, "%s: has no table to write; leave out -o", run->name);
    }
    cli_describe_mechanism(index, &m);
    int code = cli_set_parameters(run->verb, &m.parameters, run->settings, m.value);
    if (code != CLI_DONE) return code;
    cli_host_turn_to(&host, run->name);
    scree_status status = scree_mechanism_mode(&env, index, m.value, &mode);
    if (!status) status = scree_mechanism_simulate(&env, index, m.value, 0.0, &result);
    if (status) return cli_refuse(&host, status);
    if (run->json) {
        print_json(&m, &mode, &result);
    } else if (!run->quiet) {
        print_table(&mode, &result);
    }
    if (result.not_converged == 0) return CLI_DONE;
    cli_say(run->verb, "%" PRId64 " steps missed the tolerance", result.not_converged);
    return CLI_FAILED;
}
