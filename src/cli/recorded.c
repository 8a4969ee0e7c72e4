#define _POSIX_C_SOURCE 200809L
#include "cli/recorded.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_open_recording(cli_host* host, const char* path, cli_recorded* out)
{
    *out = (cli_recorded){.path = path};
    scree_env env = cli_env(host);
    cli_host_turn_to(host, path);
    scree_status status = scree_recording_open(&env, path, &out->recording);
    if (status != SCREE_OK) return cli_refuse(host, status);
    out->info = scree_recording_get_info(out->recording);
    return CLI_DONE;
}

void cli_close_recording(cli_recorded* recorded)
{
    scree_recording_close(recorded->recording);
    *recorded = (cli_recorded){0};
}

int64_t cli_file_size(const char* path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (int64_t)file.st_size : 0;
}

static char* join(cli_host* host, const char* head, size_t n_head, const char* tail)
{
    size_t n_tail = strlen(tail);
    char* out = malloc(n_head + n_tail + 1);
    if (!out) {
        cli_refuse(host, SCREE_ERROR_MEMORY);
        return NULL;
    }
    memcpy(out, head, n_head);
    memcpy(out + n_head, tail, n_tail + 1);
    return out;
}

char* cli_join(cli_host* host, const char* head, const char* tail)
{
    return join(host, head, strlen(head), tail);
}

char* cli_name_beside(cli_host* host, const char* path, const char* ending)
{
    const char* slash = strrchr(path, '/');
    const char* name = slash ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    return join(host, path, dot && dot > name ? (size_t)(dot - path) : strlen(path), ending);
}
