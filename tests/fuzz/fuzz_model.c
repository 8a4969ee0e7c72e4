/* Models from memory: any bytes must give a status, and a scene that a world would take or none. A
 * first byte '!' makes a setting of the first line. */
#include "fuzz/limited_memory.h"
#include "fuzz/scene_check.h"
#include "io/model.h"
#include "io/scene_reader.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* A model names no files. */
static scree_status no_file(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    (void)env, (void)path, (void)bytes, (void)size;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* copy = malloc(size + 1);
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    copy[size] = '\0';
    const char *text = copy, *setting = copy + 1;
    char* newline = size && copy[0] == '!' ? strchr(copy, '\n') : NULL;
    if (newline) {
        *newline = '\0';
        text = newline + 1;
    }
    size_t length = size - (size_t)(text - copy);
    if (scri_is_xml(text, length)) {
        limit memory = {.left = (size_t)1 << 29};
        scree_env env = {.alloc = limited_alloc, .release = limited_release, .user = &memory};
        scree_scene* scene = NULL;
        scri_scene_text from = {"fuzz.xml", text, length, newline ? 1 : 0, &setting};
        scree_status status = scri_scene_parse(&env, no_file, &from, &scene);
        if ((status == SCREE_OK) != (scene != NULL)) abort();
        if (status == SCREE_OK) check_scene(scene);
        scree_scene_destroy(scene);
    }
    free(copy);
    return 0;
}
