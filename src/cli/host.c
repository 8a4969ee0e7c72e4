#define _POSIX_C_SOURCE 200809L
#include "cli/host.h"

#include "scree_sparse/scree_sparse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 2048 };

/* Messages belong to the process, as the streams do that they go to. */
enum { MOST_KEPT = 200 };
static bool keeps;
static int n_kept;
static cli_message kept[MOST_KEPT];

void cli_keep_messages(void)
{
    keeps = true;
}

int cli_kept_messages(const cli_message** messages)
{
    *messages = kept;
    return n_kept;
}

static void keep(bool is_warning, const char* text)
{
    if (!keeps || n_kept == MOST_KEPT) return;
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (!copy) return;
    memcpy(copy, text, size);
    kept[n_kept++] = (cli_message){is_warning, copy};
}

/* File names may hold anything; a message stays one line all the same. */
static void CLI_PRINTF(3, 0)
    say(const char* verb, bool is_warning, const char* format, va_list arguments)
{
    char text[MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    for (char* c = text; *c; ++c) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
    }
    fprintf(stderr, "scree%s%s: %s%s\n", verb ? " " : "", verb ? verb : "",
            is_warning ? "warning: " : "", text);
    keep(is_warning, text);
}

void cli_say(const char* verb, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(verb, false, format, arguments);
    va_end(arguments);
}

void cli_warn(const char* verb, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(verb, true, format, arguments);
    va_end(arguments);
}

int cli_usage_error(const char* verb, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(verb, false, format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

/* The first error names the cause; what follows from it would only hide it. */
static void log_message(void* user, scree_log_level level, const char* text)
{
    cli_host* host = user;
    if (level == SCREE_LOG_INFO || (level == SCREE_LOG_ERROR && host->told)) return;
    if (level == SCREE_LOG_ERROR) host->told = true;
    bool named = !host->path || strstr(text, host->path);
    const char *path = named ? "" : host->path, *colon = named ? "" : ": ";
    if (level == SCREE_LOG_WARNING) {
        cli_warn(host->verb, "%s%s%s", path, colon, text);
    } else {
        cli_say(host->verb, "%s%s%s", path, colon, text);
    }
}

scree_env cli_env(cli_host* host)
{
    return (scree_env){.log = log_message, .user = host, .sparse = scree_sparse_mumps()};
}

void cli_host_turn_to(cli_host* host, const char* path)
{
    host->path = path;
    host->told = false;
}

int cli_refuse(cli_host* host, scree_status status)
{
    if (!host->told) {
        cli_say(host->verb, "%s%s%s", host->path ? host->path : "", host->path ? ": " : "",
                scree_status_text(status));
    }
    host->told = true;
    return status == SCREE_ERROR_MEMORY ? CLI_FAILED : CLI_BAD_INPUT;
}

/* Whether new files can be made in the folder that `path` names its last part in. */
static bool folder_is_writable(const char* path)
{
    const char* slash = strrchr(path, '/');
    if (!slash) return access(".", W_OK | X_OK) == 0;
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    char* folder = malloc(length + 1);
    if (!folder) return false;
    memcpy(folder, path, length);
    folder[length] = '\0';
    bool writable = access(folder, W_OK | X_OK) == 0;
    int why = errno;
    free(folder);
    errno = why;
    return writable;
}

int cli_check_output(const char* verb, const char* path, const char* input)
{
    struct stat out, in;
    if (stat(path, &out) == 0) {
        if (S_ISDIR(out.st_mode)) return cli_usage_error(verb, "%s: is a directory", path);
        if (!S_ISREG(out.st_mode)) return cli_usage_error(verb, "%s: is no regular file", path);
        if (stat(input, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
            return cli_usage_error(verb, "%s: is the input file; choose another name", path);
        }
    }
    if (path[0] == '\0') return cli_usage_error(verb, "the name of the output file is empty");
    if (!folder_is_writable(path)) {
        return cli_usage_error(verb, "%s: cannot be written: %s", path, strerror(errno));
    }
    return CLI_DONE;
}

int cli_close_output(const char* verb, int code)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int why = errno;
    if (!failed && !ferror(stdout)) return code;
    cli_say(verb, "cannot write to standard output%s%s", why ? ": " : "", why ? strerror(why) : "");
    return CLI_FAILED;
}

const char* cli_paint(cli_colour colour)
{
    static const char* const sequence[] = {
        [CLI_PLAIN] = "\033[0m",
        [CLI_BOLD] = "\033[1m",
        [CLI_GOOD] = "\033[32m",
        [CLI_BAD] = "\033[31m",
    };
    const char* terminal = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || getenv("NO_COLOR")) return "";
    if (!terminal || strcmp(terminal, "dumb") == 0) return "";
    return sequence[colour];
}
