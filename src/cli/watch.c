#define _POSIX_C_SOURCE 200809L
#include "cli/watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Work that ends within this time (s) shows no line. */
static const double patience = 1.0;

/* Between two lines (s). */
static const double interval = 0.2;

enum { LINE_SIZE = 256 };

/* Signals belong to the process: this is why only one watch can be open. */
static const int watched[] = {SIGINT, SIGTERM};
enum { N_WATCHED = sizeof watched / sizeof *watched };
static _Atomic int64_t first_signal; /* ns; 0: none yet. Any thread may run the handler. */
static struct sigaction before[N_WATCHED];

/* Signals within this time (ns) are one wish: timeout, shells and batch systems send two. */
static const int64_t one_wish = 2000000000;

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The first one ends the work, one that comes later ends the program. */
static void on_interrupt(int number)
{
    int64_t now = (int64_t)(1e9 * read_clock(CLOCK_MONOTONIC)), first = 0;
    bool is_first = atomic_compare_exchange_strong(&first_signal, &first, now);
    if (!is_first && now - first > one_wish) {
        signal(number, SIG_DFL);
        raise(number); /* delivered when this handler returns */
    }
}

double cli_wall_time(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double cli_cpu_time(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double cli_peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0.0;
    return 1024.0 * (double)usage.ru_maxrss;
}

void cli_watch_begin(cli_watch* watch, const char* verb)
{
    *watch = (cli_watch){.verb = verb, .terminal = isatty(STDERR_FILENO) != 0};
    watch->began = watch->shown = cli_wall_time();
    first_signal = 0;
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_WATCHED; ++i) sigaddset(&action.sa_mask, watched[i]);
    for (int i = 0; i < N_WATCHED; ++i) {
        sigaction(watched[i], NULL, &before[i]);
        /* Who started us with Ctrl-C ignored (nohup, a background job) wants it to stay so. */
        if (before[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
    }
}

void cli_watch_clear(cli_watch* watch)
{
    if (watch->drawn) fputs("\r\033[K", stderr);
    watch->drawn = false;
}

/* After a first signal the program is about to end: a second one of the same wish must not cut it
 * short, and finds the handler until the process is gone. */
void cli_watch_end(cli_watch* watch)
{
    for (int i = 0; i < N_WATCHED && !cli_watch_interrupted(); ++i) {
        if (before[i].sa_handler != SIG_IGN) sigaction(watched[i], &before[i], NULL);
    }
    cli_watch_clear(watch);
}

bool cli_watch_interrupted(void)
{
    return first_signal != 0;
}

bool cli_watch_due(const cli_watch* watch)
{
    if (!watch->terminal) return false;
    double now = cli_wall_time();
    return now - watch->began >= patience && now - watch->shown >= interval;
}

static int terminal_width(void)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : LINE_SIZE;
}

void cli_watch_show(cli_watch* watch, const char* format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* A line that wraps could not be drawn over. */
    int room = terminal_width() - (int)strlen("scree : ") - (int)strlen(watch->verb) - 1;
    fprintf(stderr, "\rscree %s: %.*s\033[K", watch->verb, room > 0 ? room : 0, text);
    fflush(stderr);
    watch->drawn = true;
    watch->shown = cli_wall_time();
}

int cli_watch_progress(void* user, int64_t iterations, double residual)
{
    cli_watch* watch = user;
    if (cli_watch_interrupted()) return 1;
    if (!cli_watch_due(watch)) return 0;
    cli_watch_show(watch, "%" PRId64 " iterations, residual %.2e, %.0f s", iterations, residual,
                   cli_wall_time() - watch->began);
    return 0;
}
