/* Files that a scene names. */
#include "base/env.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

/* A relative name counts from the folder of the scene. */
static const char* beside_scene(scri_reader* r, const char* name)
{
    const char* slash = strrchr(r->source.path, '/');
    if (name[0] == '/' || !slash) return name;
    int folder = (int)(slash - r->source.path) + 1;
    size_t size = (size_t)folder + strlen(name) + 1;
    char* path = scri_reader_take(r, size, 1);
    if (path) snprintf(path, size, "%.*s%s", folder, r->source.path, name);
    return path;
}

const char* scri_read_beside(scri_reader* r, const scri_yaml* file, char** bytes, size_t* size)
{
    *bytes = NULL;
    *size = 0;
    const char* name = scri_text_of(r, file, "file");
    if (!name) return NULL;
    scree_env silent = r->source.env ? *r->source.env : (scree_env){0};
    silent.log = NULL;
    const char *paths[2] = {beside_scene(r, name), name}, *found = NULL;
    if (r->status) return NULL;
    scree_status status = SCREE_ERROR_FILE;
    for (int k = 0; k < 2 && status == SCREE_ERROR_FILE; ++k) {
        found = paths[k];
        status = r->read_file(&silent, found, bytes, size);
    }
    if (status == SCREE_OK) return found;
    if (status == SCREE_ERROR_MEMORY) {
        r->status = status;
        return NULL;
    }
    bool by_parameter = file->text[0] == '$';
    scri_reader_fail(r, file->place, "file '%s'%s%s%s cannot be read", scri_show(name).text,
                     by_parameter ? ", which parameter '" : "", by_parameter ? file->text + 1 : "",
                     by_parameter ? "' names," : "");
    return NULL;
}
