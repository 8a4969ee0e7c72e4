/* A recording as the verbs use it, and the names of files made from it. */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "cli/host.h"
#include "scree_io/recording.h"

typedef struct cli_recorded {
    const char* path;
    scree_recording* recording;
    scree_recording_info info;
} cli_recorded;

/* CLI_DONE, or the exit code after a message. cli_close_recording() is allowed after a failure. */
int cli_open_recording(cli_host* host, const char* path, cli_recorded* out);
void cli_close_recording(cli_recorded* recorded);

/* Bytes; 0 when there is no such file. */
int64_t cli_file_size(const char* path);

/* New names, to be freed; NULL after a message when memory is short. cli_name_beside() puts
 * `ending` in the place of the ending (".h5") that `path` has. */
char* cli_join(cli_host* host, const char* head, const char* tail);
char* cli_name_beside(cli_host* host, const char* path, const char* ending);

#endif
