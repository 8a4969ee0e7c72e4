/* Scenes from memory: any bytes must give a status, and a scene that a world would take or none.
 * The first byte says how many of the lines before the scene are settings, and what follows a line
 * "%%%" is what every file that the scene names holds. */
#include "fuzz/limited_memory.h"
#include "io/scene_reader.h"

#include <math.h>
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

static void check_body(const scree_scene* scene, const scree_scene_body* b)
{
    const scree_shape* shapes = b->shapes;
    if (!b->name || b->n_shapes < 1) abort();
    if (b->def.kind == SCREE_BODY_DYNAMIC && !(b->def.mass > 0.0 && isfinite(b->def.mass))) abort();
    for (int32_t k = 0; k < b->n_shapes; ++k) {
        if (shapes[k].material < 0 || shapes[k].material >= scene->n_materials) abort();
    }
}

/* All bodies but for the copies of generators go into a world. */
static void check_scene(const scree_scene* scene)
{
    scree_world_def def = scene->world;
    scree_world* world;
    if (scree_world_create(&def, &world) != SCREE_OK) abort();
    int32_t material;
    for (int32_t k = 0; k < scene->n_materials; ++k) {
        if (scree_world_add_material(world, &scene->materials[k], &material) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_pairs; ++k) {
        const scree_scene_pair* pair = &scene->pairs[k];
        if (scree_world_set_pair(world, pair->a, pair->b, &pair->material) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_bodies; ++k) {
        const scree_scene_body* b = &scene->bodies[k];
        scree_body_id id;
        check_body(scene, b);
        if (scree_world_add_body(world, &b->def, b->n_shapes, b->shapes, &id) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_generators; ++k) {
        const scree_generator* g = &scene->generators[k];
        check_body(scene, &g->model);
        if (g->count < 1 || (g->kind == SCREE_GENERATOR_RAIN && !(g->rate > 0.0))) abort();
    }
    for (int32_t k = 0; k < scene->n_drives; ++k) {
        if (scene->drives[k].body < 0 || scene->drives[k].body >= scene->n_bodies) abort();
    }
    if (!(scene->world.step > 0.0 && scene->interval > 0.0 && scene->duration > 0.0)) abort();
    scree_world_destroy(world);
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
    scree_env env = {limited_alloc, limited_release, NULL, &h};
    scree_scene* scene = NULL;
    scri_scene_text from = {"fuzz", text, (size_t)(end - text), n_settings, settings};
    scree_status status = scri_scene_parse(&env, read_rest, &from, &scene);
    if ((status == SCREE_OK) != (scene != NULL)) abort();
    if (status == SCREE_OK) check_scene(scene);
    scree_scene_destroy(scene);
    free(copy);
    return 0;
}
