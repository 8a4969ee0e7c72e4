/* Long work under the user's eyes: a progress line on a terminal, and Ctrl-C (or SIGTERM) that ends
 * the work but keeps what it has reached. A second one ends the program, but not within two
 * seconds: who sends two at once means one. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/host.h"

#include <stdint.h>

typedef struct cli_watch {
    const char* verb;
    bool terminal; /* stderr is one */
    bool drawn;    /* a line stands there that has to be cleared */
    double began;  /* s, wall clock */
    double shown;  /* s, when the line was drawn last */
} cli_watch;

/* Only one watch can be open at a time. */
void cli_watch_begin(cli_watch* watch, const char* verb);
void cli_watch_end(cli_watch* watch);

/* Takes the progress line off the terminal. */
void cli_watch_clear(cli_watch* watch);

/* Whether Ctrl-C or SIGTERM came since the beginning. */
bool cli_watch_interrupted(void);

/* Whether there is a terminal and it is time for a new line on it, about five times a second. */
bool cli_watch_due(const cli_watch* watch);
void cli_watch_show(cli_watch* watch, const char* format, ...) CLI_PRINTF(2, 3);

/* A scree_progress for a cli_watch. */
int cli_watch_progress(void* user, int64_t iterations, double residual);

/* Seconds of wall clock from some fixed time on, and of all processors for this process. */
double cli_wall_time(void);
double cli_cpu_time(void);

/* The most memory that the process has held so far, in bytes. */
double cli_peak_memory(void);

#endif
