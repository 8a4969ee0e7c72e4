/* scree stability creep: a block on a slope under the regularised law beside the set-valued one. */
#include "cli/host.h"
#include "cli/parameters.h"
#include "cli/report.h"
#include "cli/stability.h"
#include "scree_study/creep.h"

#define ITEM(name_, value_, meaning_) \
    {.name = #name_, .meaning = (meaning_), .offset = offsetof(scree_creep_def, name_)},
static const cli_parameter items[] = {SCREE_CREEP_FIELDS(ITEM)};
#undef ITEM
static const cli_parameters parameters = {.of = "creep", .n = CLI_COUNT(items), .item = items};

static void print_table(const scree_creep_def* def, const scree_creep* c)
{
    cli_print_parameters(&parameters, def);
    cli_heading("after the time");
    cli_row("arctangent", "%.6g m/s, %.6g m away; it creeps with %.6g m/s for ever", c->speed,
            c->distance, c->steady);
    cli_row("set-valued law", "%.6g m/s, %.6g m away", c->set_speed, c->set_distance);
}

static void print_json(const scree_creep_def* def, const scree_creep* c)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "system", "creep");
    cli_json_parameters(&json, &parameters, def);
    cli_json_real(&json, "speed", c->speed);
    cli_json_real(&json, "distance", c->distance);
    cli_json_real(&json, "creep_speed", c->steady);
    cli_json_real(&json, "set_valued_speed", c->set_speed);
    cli_json_real(&json, "set_valued_distance", c->set_distance);
    cli_json_end(&json);
}

int cli_stability_creep(const cli_stability_options* options)
{
    scree_creep_def def = scree_default_creep_def();
    cli_host host = {.verb = options->verb};
    scree_creep found;
    if (options->svg || options->simulate > 0) {
        return cli_usage_error(options->verb,
                               "creep has nothing to draw and no values to simulate at");
    }
    int code = cli_set_parameters(options->verb, &parameters, &options->settings, &def);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(&host);
    scree_status status = scree_creep_run(&env, &def, &found);
    if (status) return cli_refuse(&host, status);
    (options->json ? print_json : print_table)(&def, &found);
    return CLI_DONE;
}
