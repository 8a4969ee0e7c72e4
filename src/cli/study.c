#include "cli/study.h"

#include "cli/host.h"
#include "cli/report.h"

#include <math.h>
#include <string.h>

static const cli_study fixed[] = {
    {"belt", "a mass between springs on a belt with anisotropic friction: its limit cycle"},
    {"sliding-disc", "a disc that slides to rest on ground steel, under four laws of friction"},
};

int cli_study_count(void)
{
    return CLI_COUNT(fixed) + scree_mechanism_count();
}

cli_study cli_study_get(int index)
{
    if (index < CLI_COUNT(fixed)) return fixed[index];
    scree_mechanism_info info = scree_mechanism_get(index - CLI_COUNT(fixed));
    return (cli_study){info.name, info.summary};
}

bool cli_is_study(const char* name)
{
    for (int i = 0; i < cli_study_count(); ++i) {
        if (strcmp(cli_study_get(i).name, name) == 0) return true;
    }
    return false;
}

double cli_without_rounding(double value, double size)
{
    return fabs(value) <= 1e-12 * fabs(size) ? 0.0 : value;
}

static bool ends_with(const char* text, const char* end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

int cli_run_study(const cli_study_run* run)
{
    if (run->output && (ends_with(run->output, ".h5") || ends_with(run->output, ".hdf5"))) {
        return cli_usage_error(run->verb,
                               "%s: %s is a study and writes a table with commas; name "
                               "it .csv",
                               run->output, run->name);
    }
    if (strcmp(run->name, "belt") == 0) return cli_run_belt(run);
    if (strcmp(run->name, "sliding-disc") == 0) return cli_run_disc(run);
    return cli_run_mechanism(run);
}

/* ---- scree scenes NAME ----------------------------------------------------------------------- */

static void explain(const char* name, const cli_parameters* parameters, const void* values,
                    bool as_json)
{
    const char* title = "";
    for (int i = 0; i < cli_study_count(); ++i) {
        if (strcmp(cli_study_get(i).name, name) == 0) title = cli_study_get(i).title;
    }
    if (as_json) {
        cli_json json = {.out = stdout};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "study", name);
        cli_json_text(&json, "title", title);
        cli_json_parameters(&json, parameters, values);
        cli_json_end(&json);
        return;
    }
    cli_row("study", "%s", name);
    cli_row("title", "%s", title);
    cli_heading("parameters (--set NAME=VALUE)");
    cli_print_parameters(parameters, values);
}

int cli_explain_study(const char* verb, const char* name, const cli_list* settings, bool json)
{
    int code;
    if (strcmp(name, "belt") == 0) {
        cli_belt belt = cli_default_belt();
        code = cli_set_parameters(verb, &cli_belt_parameters, settings, &belt);
        if (code == CLI_DONE) explain(name, &cli_belt_parameters, &belt, json);
    } else if (strcmp(name, "sliding-disc") == 0) {
        cli_disc disc;
        code = cli_read_disc(verb, settings, &disc);
        if (code == CLI_DONE) explain(name, &cli_disc_parameters, &disc, json);
    } else {
        cli_mechanism mechanism;
        cli_describe_mechanism(cli_find_mechanism(name), &mechanism);
        cli_describe_motion(&mechanism);
        code = cli_set_parameters(verb, &mechanism.parameters, settings, &mechanism);
        if (code == CLI_DONE) explain(name, &mechanism.parameters, &mechanism, json);
    }
    return code;
}
