/* Scenes as the verbs name them: built-in ones by their name, others by their file. */
#ifndef CLI_LOAD_SCENE_H
#define CLI_LOAD_SCENE_H

#include "cli/host.h"
#include "cli/options.h"
#include "scree_io/scene_file.h"

/* The built-in scene of that name; its `name` is NULL when there is none. */
scree_builtin_scene cli_find_builtin(const char* name);

/* Says that there is no scene `name`, and which built-in one comes near. CLI_BAD_INPUT. */
int cli_unknown_scene(const char* verb, const char* name);

/* Reads the scene that `word` names and applies the settings; a built-in scene comes before a file
 * of the same name. CLI_DONE, or the exit code after a message. */
int cli_load_scene(cli_host* host, const char* word, const cli_list* settings, scree_scene** out);

#endif
