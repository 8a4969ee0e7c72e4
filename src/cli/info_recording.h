/* scree info for recordings. */
#ifndef CLI_INFO_RECORDING_H
#define CLI_INFO_RECORDING_H

#include "cli/host.h"

/* Whether the file is a recording, or cannot be read at all. */
bool cli_is_recording(const char* path);

int cli_info_recording(cli_host* host, const char* path, bool json);

#endif
