#include "cli/suggest.h"

#include "cli/host.h"
#include "scree/solver.h"

#include <string.h>

cli_nearest cli_nearest_begin(const char* word)
{
    size_t length = strlen(word);
    int allowed = length <= 3 ? 1 : length <= 7 ? 2 : 3;
    return (cli_nearest){.word = word, .distance = allowed + 1};
}

void cli_nearest_consider(cli_nearest* nearest, const char* name)
{
    int d = scree_spelling_distance(nearest->word, name);
    if (d >= nearest->distance) return;
    nearest->distance = d;
    nearest->best = name;
}

void cli_say_unknown(const char* verb, const char* what, const char* dashes,
                     const cli_nearest* nearest, const char* hint)
{
    /* A suggestion is always a long name. */
    const char* long_dashes = dashes[0] ? "--" : "";
    if (nearest->best) {
        cli_say(verb, "%s '%s%s'; did you mean '%s%s'?", what, dashes, nearest->word, long_dashes,
                nearest->best);
    } else {
        cli_say(verb, "%s '%s%s' (%s)", what, dashes, nearest->word, hint);
    }
}

int cli_check_solver(const char* verb, const char* name)
{
    cli_nearest nearest = cli_nearest_begin(name);
    cli_nearest_consider(&nearest, "auto");
    if (strcmp(name, "auto") == 0) return CLI_DONE;
    for (int i = 0; i < scree_solver_count(); ++i) {
        const char* known = scree_solver_get(i).name;
        if (strcmp(name, known) == 0) return CLI_DONE;
        cli_nearest_consider(&nearest, known);
    }
    cli_say_unknown(verb, "--solver: unknown", "", &nearest, "scree solvers lists them");
    return CLI_BAD_INPUT;
}
