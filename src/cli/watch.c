#define _POSIX_C_SOURCE 200809L
#include "cli/watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Work that ends within this time (s) shows no line. */
static const double patience = 1.0;

/* Signals belong to the process: this is why only one watch can be open. */
static volatile sig_atomic_t interrupted;
static struct sigaction before;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static double elapsed(const cli_watch* watch)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - watch->began.tv_sec) +
           1e-9 * (double)(now.tv_nsec - watch->began.tv_nsec);
}

void cli_watch_begin(cli_watch* watch, const char* verb)
{
    *watch = (cli_watch){.verb = verb, .terminal = isatty(STDERR_FILENO) != 0};
    clock_gettime(CLOCK_MONOTONIC, &watch->began);
    interrupted = 0;
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, NULL, &before);
    /* Who started us with Ctrl-C ignored (nohup, a background job) wants it to stay so. */
    if (before.sa_handler != SIG_IGN) sigaction(SIGINT, &action, NULL);
}

void cli_watch_end(cli_watch* watch)
{
    if (before.sa_handler != SIG_IGN) sigaction(SIGINT, &before, NULL);
    if (watch->drawn) fputs("\r\033[K", stderr);
    watch->drawn = false;
}

int cli_watch_progress(void* user, int64_t iterations, double residual)
{
    cli_watch* watch = user;
    if (interrupted) return 1;
    double time = elapsed(watch);
    if (!watch->terminal || time < patience) return 0;
    fprintf(stderr, "\rscree %s: %" PRId64 " iterations, residual %.2e, %.0f s\033[K", watch->verb,
            iterations, residual, time);
    fflush(stderr);
    watch->drawn = true;
    return 0;
}
