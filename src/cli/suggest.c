#include "cli/suggest.h"

#include "cli/host.h"
#include "scree/solver.h"

#include <string.h>

/* Longer words are no misspelling of any name here. */
enum { LONGEST = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
static int edit_distance(const char* a, int n_a, const char* b, int n_b)
{
    int row[3][LONGEST + 1];
    int *before = row[0], *above = row[1], *here = row[2];
    for (int j = 0; j <= n_b; ++j) above[j] = j;
    for (int i = 1; i <= n_a; ++i) {
        here[0] = i;
        for (int j = 1; j <= n_b; ++j) {
            int d = least(above[j], here[j - 1]) + 1;
            d = least(d, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d = least(d, before[j - 2] + 1);
            }
            here[j] = d;
        }
        int* spare = before;
        before = above;
        above = here;
        here = spare;
    }
    return above[n_b];
}

cli_nearest cli_nearest_begin(const char* word)
{
    size_t length = strlen(word);
    int allowed = length <= 3 ? 1 : length <= 7 ? 2 : 3;
    return (cli_nearest){.word = word, .distance = allowed + 1};
}

void cli_nearest_consider(cli_nearest* nearest, const char* name)
{
    size_t n_word = strlen(nearest->word), n_name = strlen(name);
    if (n_word > LONGEST || n_name > LONGEST) return;
    int d = edit_distance(nearest->word, (int)n_word, name, (int)n_name);
    /* The beginning of a name is a good hint at it, however much is missing. */
    if (n_word >= 2 && strncmp(nearest->word, name, n_word) == 0) d = 1;
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
