/* Scenes from memory: any bytes must give a status, and a scene that a world would take or none.
 * The first byte says how many of the lines before the scene are settings, and what follows a line
 * "%%%" is what every file that the scene names holds. */
#include "fuzz/limited_memory.h"
#include "fuzz/scene_check.h"
#include "io/scene_reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct host {
    limit memory;
    const char* file; /* what every file that the scene names holds */
    size_t file_size;
} host;

/* Never opens a file. */
static scree_status read_rest(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    const host* h = env->user;
    (void)path;
    *size = h->file_size;
    *bytes = limited_alloc(env->user, *size + 1);
    if (!*bytes) return SCREE_ERROR_MEMORY;
    if (*size) memcpy(*bytes, h->file, *size);
    return SCREE_OK;
}

/* Cuts the first line off; ended by a zero. */
static char* cut_line(char** at, char* end)
{
    char* line = *at;
    char* newline = memchr(line, '\n', (size_t)(end - line));
    *at = newline ? newline + 1 : end;
    if (newline) *newline = '\0';
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char mark[] = "\n%%%\n";
    const char* settings[3];
    int32_t n_settings = 0;
    char* copy = malloc(size + 1);
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    copy[size] = '\0';
    char *text = copy, *end = copy + size;
    if (size && copy[0] >= '1' && copy[0] <= '3') {
        int n = *text++ - '0';
        while (n_settings < n && text < end) settings[n_settings++] = cut_line(&text, end);
    }
    host h = {.memory.left = (size_t)1 << 29, .file = end};
    char* file = strstr(text, mark);
    if (file) {
        h.file = file + strlen(mark);
        h.file_size = (size_t)(end - h.file);
        end = file;
    }
    scree_env env = {.alloc = limited_alloc, .release = limited_release, .user = &h};
    scree_scene* scene = NULL;
    scri_scene_text from = {"fuzz", text, (size_t)(end - text), n_settings, settings};
    scree_status status = scri_scene_parse(&env, read_rest, &from, &scene);
    if ((status == SCREE_OK) != (scene != NULL)) abort();
    if (status == SCREE_OK) check_scene(scene);
    scree_scene_destroy(scene);
    free(copy);
    return 0;
}
