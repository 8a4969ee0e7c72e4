#include "cli/json.h"
#include "cli/load_scene.h"
#include "cli/report.h"
#include "cli/study.h"
#include "cli/verbs.h"

#include <string.h>

typedef struct scenes_options {
    const char* scene;
    cli_list settings;
    bool yaml;
    bool json;
} scenes_options;

static const cli_argument arguments[] = {
    {"SCENE", "the one to explain: a built-in name or a file; all built-in ones if left out",
     offsetof(scenes_options, scene)},
};

static const cli_option options[] = {
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(scenes_options, settings),
     .value = "KEY=VALUE",
     .text = "explain it with this setting"},
    {.name = "yaml",
     .kind = CLI_FLAG,
     .offset = offsetof(scenes_options, yaml),
     .text = "print the scene's file, to start one's own from"},
    CLI_JSON_OPTION(scenes_options),
};

static const cli_syntax syntax = {
    .verb = "scenes",
    .purpose = "Lists the scenes and studies that scree run knows by name, or explains one: its\n"
               "parameters, which --set changes, their values and units.",
    .n_arguments = CLI_COUNT(arguments),
    .n_optional = 1,
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree scenes pile\n"
               "  scree scenes pile --yaml > mine.yaml\n"
               "  scree run mine.yaml",
};

static int longest_name(void)
{
    size_t longest = 0;
    for (int i = 0; i < scree_builtin_scene_count(); ++i) {
        size_t length = strlen(scree_builtin_scene_get(i).name);
        if (length > longest) longest = length;
    }
    for (int i = 0; i < cli_study_count(); ++i) {
        size_t length = strlen(cli_study_get(i).name);
        if (length > longest) longest = length;
    }
    return (int)longest;
}

/* The rest of the line "title: ..." of a built-in scene; its length is *n. */
static const char* find_title(const scree_builtin_scene* scene, int* n)
{
    static const char key[] = "title: ";
    const char* at = scene->text;
    while (at && strncmp(at, key, strlen(key)) != 0) {
        at = strchr(at, '\n');
        if (at) ++at;
    }
    if (!at) at = "";
    if (*at) at += strlen(key);
    *n = (int)strcspn(at, "\n");
    return at;
}

static void list_scenes(void)
{
    int width = longest_name();
    for (int i = 0; i < scree_builtin_scene_count(); ++i) {
        scree_builtin_scene scene = scree_builtin_scene_get(i);
        int n;
        const char* title = find_title(&scene, &n);
        printf("%-*s  %.*s\n", width, scene.name, n, title);
    }
    printf("\nstudies of systems in generalised coordinates:\n");
    for (int i = 0; i < cli_study_count(); ++i) {
        cli_study study = cli_study_get(i);
        printf("%-*s  %s\n", width, study.name, study.title);
    }
}

static void list_as_json(void)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_array(&json, "scenes");
    for (int i = 0; i < scree_builtin_scene_count(); ++i) {
        scree_builtin_scene scene = scree_builtin_scene_get(i);
        int n;
        const char* found = find_title(&scene, &n);
        char title[256];
        snprintf(title, sizeof title, "%.*s", n, found);
        cli_json_object(&json, NULL);
        cli_json_text(&json, "name", scene.name);
        cli_json_text(&json, "title", title);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_array(&json, "studies");
    for (int i = 0; i < cli_study_count(); ++i) {
        cli_study study = cli_study_get(i);
        cli_json_object(&json, NULL);
        cli_json_text(&json, "name", study.name);
        cli_json_text(&json, "title", study.title);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

static void print_table(const scree_scene* scene)
{
    const scree_scene_source* info = scene->source;
    cli_row("scene", "%s", info->path);
    if (scene->title) cli_row("title", "%s", scene->title);
    cli_row("step", "%g s", scene->world.step);
    cli_row("duration", "%g s", scene->duration);
    cli_row("frames every", "%g s", scene->interval);
    if (info->n_parameters > 0) cli_heading("parameters (--set NAME=VALUE)");
    for (int i = 0; i < info->n_parameters; ++i) {
        const scree_parameter* p = &info->parameters[i];
        char value[32];
        snprintf(value, sizeof value, "%g", p->value);
        printf("  %-16s  %-10s  %s\n", p->name, p->text ? p->text : value,
               p->meaning ? p->meaning : "");
    }
}

static void print_json(const scree_scene* scene)
{
    const scree_scene_source* info = scene->source;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "scene", info->path);
    cli_json_text(&json, "title", scene->title);
    cli_json_real(&json, "step", scene->world.step);
    cli_json_real(&json, "duration", scene->duration);
    cli_json_real(&json, "interval", scene->interval);
    cli_json_array(&json, "parameters");
    for (int i = 0; i < info->n_parameters; ++i) {
        const scree_parameter* p = &info->parameters[i];
        cli_json_object(&json, NULL);
        cli_json_text(&json, "name", p->name);
        if (p->text) {
            cli_json_text(&json, "value", p->text);
        } else {
            cli_json_real(&json, "value", p->value);
        }
        cli_json_text(&json, "meaning", p->meaning);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_text(&json, "yaml", info->text);
    cli_json_end(&json);
}

static int explain(cli_host* host, const scenes_options* o)
{
    scree_scene* scene = NULL;
    int code = cli_load_scene(host, o->scene, &o->settings, &scene);
    if (code != CLI_DONE) return code;
    if (o->yaml) {
        fwrite(scene->source->text, 1, scene->source->text_size, stdout);
    } else if (o->json) {
        print_json(scene);
    } else {
        print_table(scene);
    }
    scree_scene_destroy(scene);
    return CLI_DONE;
}

int cli_scenes(int argc, char** argv)
{
    scenes_options o = {0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (o.yaml && o.json) return cli_usage_error(syntax.verb, "--yaml or --json, not both");
    if (o.yaml && !o.scene) return cli_usage_error(syntax.verb, "--yaml needs SCENE");
    cli_host host = {.verb = syntax.verb};
    if (o.yaml && cli_is_study(o.scene)) {
        return cli_usage_error(syntax.verb, "%s: is a study and has no file", o.scene);
    }
    if (o.yaml && cli_find_builtin(o.scene).name) {
        fputs(cli_find_builtin(o.scene).text, stdout);
        return CLI_DONE;
    }
    if (o.scene && cli_is_study(o.scene)) {
        return cli_explain_study(syntax.verb, o.scene, &o.settings, o.json);
    }
    if (o.scene) return explain(&host, &o);
    if (o.json) {
        list_as_json();
    } else {
        list_scenes();
    }
    return CLI_DONE;
}
