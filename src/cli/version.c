#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verbs.h"

typedef struct version_options {
    bool json;
} version_options;

static const cli_option options[] = {CLI_JSON_OPTION(version_options)};

static const cli_syntax syntax = {
    .verb = "version",
    .purpose = "Prints the version of the library that the program runs with.",
    .n_options = CLI_COUNT(options),
    .options = options,
    .example = "  scree version",
};

int cli_version(int argc, char** argv)
{
    version_options o = {0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    scree_version v = scree_get_version();
    char text[48];
    snprintf(text, sizeof text, "%d.%d.%d", v.major, v.minor, v.patch);
    if (!o.json) {
        printf("scree %s\n", text);
        return CLI_DONE;
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "version", text);
    cli_json_integer(&json, "major", v.major);
    cli_json_integer(&json, "minor", v.minor);
    cli_json_integer(&json, "patch", v.patch);
    cli_json_end(&json);
    return CLI_DONE;
}
