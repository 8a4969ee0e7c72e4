/* Models from memory: any bytes must give a status, and a scene that a world would take or none. A
 * first byte '!' makes a setting of the first line. */
#include "fuzz/limited_memory.h"
#include "fuzz/scene_check.h"
#include "io/model.h"
#include "io/scene_reader.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* Whatever a model names, a box comes of it. */
static scree_status give_box(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    static const char box[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 2 3\n";
    if (!path) abort();
    *size = sizeof box - 1;
    *bytes = env->alloc(env->user, *size);
    if (!*bytes) return SCREE_ERROR_MEMORY;
    memcpy(*bytes, box, *size);
    return SCREE_OK;
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
        scree_status status = scri_scene_parse(&env, give_box, &from, &scene);
        if ((status == SCREE_OK) != (scene != NULL)) abort();
        if (status == SCREE_OK) check_scene(scene);
        scree_scene_destroy(scene);
    }
    free(copy);
    return 0;
}
