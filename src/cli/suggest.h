/* The known name that lies nearest to a misspelt word. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

typedef struct cli_nearest {
    const char* word;
    const char* best; /* NULL while no name comes close */
    int distance;     /* of `best`; before that, one more than is still called close */
} cli_nearest;

cli_nearest cli_nearest_begin(const char* word);
void cli_nearest_consider(cli_nearest* nearest, const char* name);

/* Says on stderr that `nearest->word` is not known, and which name comes near; or, when none does,
 * `hint`. `what` is e.g. "unknown verb"; `dashes` ("", "-" or "--") stood before the word. */
void cli_say_unknown(const char* verb, const char* what, const char* dashes,
                     const cli_nearest* nearest, const char* hint);

/* CLI_DONE when `name` is one that scree solvers lists, or auto; CLI_BAD_INPUT after a message. */
int cli_check_solver(const char* verb, const char* name);

#endif
