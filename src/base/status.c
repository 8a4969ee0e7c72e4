#include "scree/base.h"

const char* scree_status_text(scree_status status)
{
    static const char* const text[SCREE_STATUS_COUNT] = {
        [SCREE_OK] = "ok",
        [SCREE_ERROR_MEMORY] = "out of memory",
        [SCREE_ERROR_ARGUMENT] = "bad argument",
        [SCREE_ERROR_INPUT] = "invalid problem",
        [SCREE_ERROR_FILE] = "file cannot be read or written",
        [SCREE_ERROR_FORMAT] = "file does not follow its format",
        [SCREE_ERROR_UNSUPPORTED] = "not supported",
    };
    int index = (int)status;
    return index >= 0 && index < SCREE_STATUS_COUNT ? text[index] : "unknown status";
}

scree_version scree_get_version(void)
{
    return (scree_version){SCREE_VERSION_MAJOR, SCREE_VERSION_MINOR, SCREE_VERSION_PATCH};
}
