#define _POSIX_C_SOURCE 200809L
#include "cli/load_scene.h"

#include "cli/study.h"
#include "cli/suggest.h"

#include <string.h>
#include <unistd.h>

scree_builtin_scene cli_find_builtin(const char* name)
{
    for (int i = 0; i < scree_builtin_scene_count(); ++i) {
        scree_builtin_scene scene = scree_builtin_scene_get(i);
        if (strcmp(scene.name, name) == 0) return scene;
    }
    return (scree_builtin_scene){.name = NULL};
}

int cli_unknown_scene(const char* verb, const char* name)
{
    cli_nearest nearest = cli_nearest_begin(name);
    for (int i = 0; i < scree_builtin_scene_count(); ++i) {
        cli_nearest_consider(&nearest, scree_builtin_scene_get(i).name);
    }
    for (int i = 0; i < cli_study_count(); ++i) {
        cli_nearest_consider(&nearest, cli_study_get(i).name);
    }
    if (nearest.best) {
        cli_say(verb, "unknown scene '%s'; did you mean '%s'? (scree scenes lists them)", name,
                nearest.best);
    } else {
        cli_say(verb, "unknown scene '%s': neither a file nor one that scree scenes lists", name);
    }
    return CLI_BAD_INPUT;
}

/* A word that can only be meant as a file, whether it exists or not. */
static bool looks_like_file(const char* word)
{
    return strpbrk(word, "/.") || access(word, F_OK) == 0;
}

int cli_load_scene(cli_host* host, const char* word, const cli_list* settings, scree_scene** out)
{
    scree_env env = cli_env(host);
    scree_builtin_scene builtin = cli_find_builtin(word);
    scree_status status;
    cli_host_turn_to(host, word);
    if (builtin.name) {
        status = scree_scene_parse(&env, builtin.name, builtin.text, builtin.text_size, settings->n,
                                   settings->item, out);
    } else if (looks_like_file(word)) {
        status = scree_scene_read(&env, word, settings->n, settings->item, out);
    } else {
        return cli_unknown_scene(host->verb, word);
    }
    return status == SCREE_OK ? CLI_DONE : cli_refuse(host, status);
}
