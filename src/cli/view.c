#include "cli/json.h"
#include "cli/options.h"
#include "cli/recorded.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct view_options {
    const char* run;
    const char* output;
    bool json;
} view_options;

static const cli_argument arguments[] = {
    {"RUN.h5", "recording that scree run has written", offsetof(view_options, run)},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(view_options, output),
     .value = "PAGE.html",
     .text = "name of the page",
     .usual = "RUN.html"},
    CLI_JSON_OPTION(view_options),
};

static const cli_syntax syntax = {
    .verb = "view",
    .purpose = "Writes one HTML page that plays the recording in any browser, without a network.\n"
               "Its address may end in a state to begin with, such as #t=3.2&pause&forces:\n"
               "t, pause, color, angle, elevation, zoom, speed, forces, loop, theme.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree view run.h5\n  firefox run.html",
};

static void print_page(const char* page, bool as_json)
{
    int64_t bytes = cli_file_size(page);
    if (!as_json) {
        printf("%s (%.3g MB)\n", page, 1e-6 * (double)bytes);
        return;
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "page", page);
    cli_json_integer(&json, "bytes", bytes);
    cli_json_end(&json);
}

static int write_page(cli_host* host, const view_options* o, const char* page)
{
    cli_recorded recorded;
    int code = cli_check_output(syntax.verb, page, o->run);
    if (code != CLI_DONE) return code;
    code = cli_open_recording(host, o->run, &recorded);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(host);
    cli_host_turn_to(host, page);
    scree_status status = scree_export_page(&env, recorded.recording, page);
    cli_close_recording(&recorded);
    if (status != SCREE_OK) {
        code = cli_refuse(host, status);
        return status == SCREE_ERROR_FILE ? CLI_FAILED : code;
    }
    print_page(page, o->json);
    return CLI_DONE;
}

int cli_view(int argc, char** argv)
{
    view_options o = {0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    cli_host host = {.verb = syntax.verb};
    char* beside = o.output ? NULL : cli_name_beside(&host, o.run, ".html");
    const char* page = o.output ? o.output : beside;
    code = page ? write_page(&host, &o, page) : CLI_FAILED;
    free(beside);
    return code;
}
