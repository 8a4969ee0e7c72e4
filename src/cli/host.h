/* What every verb shares with the world around it: exit codes, messages, terminal, standard output.
 */
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include "scree/base.h"

#include <stdbool.h>

#if defined(__GNUC__)
#define CLI_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define CLI_PRINTF(format_index, first_argument)
#endif

/* Exit codes of the program. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_BAD_INPUT = 2 };

/* Where the library's messages go. `verb` is NULL for the program as a whole. */
typedef struct cli_host {
    const char* verb;
    const char* path; /* the file at hand; put before messages that do not name it */
    bool told;        /* an error about it has been printed */
} cli_host;

/* An environment that prints on stderr, one line each; `host` must outlive it. */
scree_env cli_env(cli_host* host);

/* From here on the library works on `path`. */
void cli_host_turn_to(cli_host* host, const char* path);

/* Ends a library call that failed: prints the status unless the library has said more, and returns
 * the exit code, CLI_FAILED for want of memory and CLI_BAD_INPUT otherwise. */
int cli_refuse(cli_host* host, scree_status status);

/* Prints "scree VERB: ..." as one line on stderr. cli_usage_error returns CLI_BAD_INPUT. */
void cli_say(const char* verb, const char* format, ...) CLI_PRINTF(2, 3);
void cli_warn(const char* verb, const char* format, ...) CLI_PRINTF(2, 3);
int cli_usage_error(const char* verb, const char* format, ...) CLI_PRINTF(2, 3);

/* Under --json every message is also kept, for the object. */
typedef struct cli_message {
    bool is_warning;
    char* text; /* without "scree VERB: " */
} cli_message;
void cli_keep_messages(void);
int cli_kept_messages(const cli_message** messages);

/* CLI_DONE when a file can be put at `path` without destroying `input`, a file that is read. */
int cli_check_output(const char* verb, const char* path, const char* input);

/* Flushes standard output; `code`, or CLI_FAILED with a message when something did not arrive. */
int cli_close_output(const char* verb, int code);

typedef enum cli_colour { CLI_PLAIN, CLI_BOLD, CLI_GOOD, CLI_BAD } cli_colour;

/* An escape sequence, or "" when standard output is no colour terminal. */
const char* cli_paint(cli_colour colour);

#endif
