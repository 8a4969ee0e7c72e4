#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "scree/solver.h"

#include <string.h>

typedef struct solvers_options {
    bool json;
} solvers_options;

static const cli_option options[] = {CLI_JSON_OPTION(solvers_options)};

static const cli_syntax syntax = {
    .verb = "solvers",
    .purpose =
        "Lists the methods that scree solve --solver takes, and the problems each is for. A\n"
        "method that is named and not for the problem at hand is refused.",
    .n_options = CLI_COUNT(options),
    .options = options,
    .example = "  scree solvers",
};

static void print_table(void)
{
    int width = 0;
    for (int i = 0; i < scree_solver_count(); ++i) {
        int length = (int)strlen(scree_solver_get(i).name);
        if (length > width) width = length;
    }
    for (int i = 0; i < scree_solver_count(); ++i) {
        scree_solver_info info = scree_solver_get(i);
        printf("%-*s  %s\n%*s  for: %s\n", width, info.name, info.summary, width, "", info.fits);
    }
}

static void print_json(void)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_array(&json, "solvers");
    for (int i = 0; i < scree_solver_count(); ++i) {
        scree_solver_info info = scree_solver_get(i);
        cli_json_object(&json, NULL);
        cli_json_text(&json, "name", info.name);
        cli_json_text(&json, "summary", info.summary);
        cli_json_text(&json, "fits", info.fits);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

int cli_solvers(int argc, char** argv)
{
    solvers_options o = {0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (o.json) {
        print_json();
    } else {
        print_table();
    }
    return CLI_DONE;
}
