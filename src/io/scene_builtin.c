/* The scenes that the library carries. */
#include "io/embedded.h"
#include "scree_io/scene_file.h"

int scree_builtin_scene_count(void)
{
    int n = 0;
    while (scri_embedded_builtin_scenes[n].name) ++n;
    return n;
}

scree_builtin_scene scree_builtin_scene_get(int index)
{
    if (index < 0 || index >= scree_builtin_scene_count()) return (scree_builtin_scene){.text = ""};
    const scri_embedded* e = &scri_embedded_builtin_scenes[index];
    return (scree_builtin_scene){.name = e->name, .text = e->text, .text_size = e->size};
}
