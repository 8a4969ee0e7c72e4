/* Long work under the user's eyes: a progress line on a terminal, and Ctrl-C that ends the work but
 * keeps what it has reached. A second Ctrl-C ends the program. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct cli_watch {
    const char* verb;
    bool terminal; /* stderr is one */
    bool drawn;    /* a line stands there that has to be cleared */
    struct timespec began;
} cli_watch;

/* Only one watch can be open at a time. */
void cli_watch_begin(cli_watch* watch, const char* verb);
void cli_watch_end(cli_watch* watch);

/* A scree_progress for a cli_watch. */
int cli_watch_progress(void* user, int64_t iterations, double residual);

#endif
