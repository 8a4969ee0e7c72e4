#include "cli/load_scene.h"
#include "cli/raster.h"
#include "cli/report.h"
#include "cli/verbs.h"

#include <string.h>

typedef struct convert_options {
    const char* in;
    const char* out;
    cli_list settings;
    double cell;
    int holes;
    bool json;
} convert_options;

static const cli_argument arguments[] = {
    {"IN", "problem: Siconos text, FCLIB HDF5; scene: YAML, URDF, MJCF, name; or a raster",
     offsetof(convert_options, in)},
    {"OUT", "to write: .yaml, .yml a scene; .asc, .tif a raster; .hdf5, .h5 FCLIB; else text",
     offsetof(convert_options, out)},
};

static const char* const holes[] = {"refuse", "keep", "fill", NULL}; /* as scree_holes */

static const cli_option options[] = {
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(convert_options, settings),
     .value = "KEY=VALUE",
     .text = "change a parameter or value of a scene; may be given again"},
    {.name = "cell",
     .kind = CLI_REAL,
     .offset = offsetof(convert_options, cell),
     .value = "D",
     .text = "of a raster in m: means over larger cells; for points anywhere",
     .usual = "as they are",
     .least = 0,
     .most = 1e6},
    {.name = "holes",
     .kind = CLI_CHOICE,
     .offset = offsetof(convert_options, holes),
     .value = "H",
     .text = "of a raster: cells without a value",
     .choices = holes},
    CLI_JSON_OPTION(convert_options),
};

static const cli_syntax syntax = {
    .verb = "convert",
    .purpose = "Rewrites a problem file in the format that the name of OUT asks for. A title, a\n"
               "solution and guesses go along into HDF5; text has no room for them. A scene or a\n"
               "model (URDF, MJCF) becomes a scene in YAML that gives the same bits. A raster of\n"
               "heights (.asc, .tif, .xyz) becomes an ESRI ASCII grid or a GeoTIFF.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree convert problem.dat problem.hdf5\n"
               "  scree convert robot.urdf robot.yaml\n"
               "  scree convert alp.tif coarse.asc --cell 5 --holes fill\n"
               "  scree convert cloud.xyz hill.tif --cell 1",
};

/* The rule of scree_problem_write(). */
static bool is_hdf5_name(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

static void print_line(const cli_loaded* loaded, const char* out)
{
    const scree_problem_file* file = &loaded->file;
    bool hdf5 = is_hdf5_name(out);
    bool extras = file->title || file->solution || file->n_guesses > 0;
    int n = (int)loaded->problem.n_contacts;
    printf("%s (%s, %d contact%s) -> %s (%s%s)\n", loaded->path, file->format, n, n == 1 ? "" : "s",
           out, hdf5 ? "FCLIB HDF5" : "Siconos text",
           extras && !hdf5 ? ", without title, solution and guesses" : "");
}

static void print_json(const cli_loaded* loaded, const char* out)
{
    bool hdf5 = is_hdf5_name(out);
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_problem(&json, loaded);
    cli_json_text(&json, "out", out);
    cli_json_text(&json, "out_format", hdf5 ? "FCLIB HDF5" : "Siconos text");
    cli_json_text(&json, "title", hdf5 ? loaded->file.title : NULL);
    cli_json_boolean(&json, "solution", hdf5 && loaded->file.solution);
    cli_json_integer(&json, "guesses", hdf5 ? loaded->file.n_guesses : 0);
    cli_json_end(&json);
}

static int convert(cli_host* host, const cli_loaded* loaded, const convert_options* o)
{
    int code = cli_check_output(syntax.verb, o->out, o->in);
    if (code != CLI_DONE) return code;
    scree_problem_extras extras = {.title = loaded->file.title,
                                   .solution = loaded->file.solution,
                                   .n_guesses = loaded->file.n_guesses,
                                   .guesses = loaded->file.guesses};
    scree_env env = cli_env(host);
    cli_host_turn_to(host, o->out);
    scree_status status = scree_problem_write(&env, o->out, &loaded->problem, &extras);
    if (status != SCREE_OK) {
        code = cli_refuse(host, status);
        return status == SCREE_ERROR_FILE ? CLI_FAILED : code;
    }
    if (o->json) {
        print_json(loaded, o->out);
    } else {
        print_line(loaded, o->out);
    }
    return CLI_DONE;
}

/* ---- scenes ---- */

static bool is_scene_name(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static void print_scene(const scree_scene* scene, const convert_options* o)
{
    if (!o->json) {
        printf("%s (%d bodies, %d joints) -> %s (scene)\n", o->in, (int)scene->n_bodies,
               (int)scene->n_joints, o->out);
        return;
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "in", o->in);
    cli_json_text(&json, "out", o->out);
    cli_json_text(&json, "out_format", "scene");
    cli_json_integer(&json, "bodies", scene->n_bodies);
    cli_json_integer(&json, "joints", scene->n_joints);
    cli_json_end(&json);
}

static int convert_scene(cli_host* host, const convert_options* o)
{
    scree_scene* scene = NULL;
    int code = cli_check_output(syntax.verb, o->out, o->in);
    if (code == CLI_DONE) code = cli_load_scene(host, o->in, &o->settings, &scene);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(host);
    cli_host_turn_to(host, o->out);
    scree_status status = scree_scene_write(&env, o->out, scene);
    if (status == SCREE_OK) {
        print_scene(scene, o);
    } else {
        code = cli_refuse(host, status);
        if (status == SCREE_ERROR_FILE) code = CLI_FAILED;
    }
    scree_scene_destroy(scene);
    return code;
}

int cli_convert(int argc, char** argv)
{
    scree_raster_def raster = scree_default_raster_def();
    convert_options o = {.holes = (int)raster.holes};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    cli_host host = {.verb = syntax.verb};
    if (is_scene_name(o.out)) return convert_scene(&host, &o);
    if (o.settings.n > 0) return cli_usage_error(syntax.verb, "--set is for scenes");
    raster.cell = o.cell;
    raster.holes = (scree_holes)o.holes;
    if (scree_raster_is_name(o.in)) return cli_convert_raster(&host, o.in, o.out, &raster, o.json);
    cli_loaded loaded;
    code = cli_load(&host, o.in, -1, &loaded);
    if (code == CLI_DONE) code = cli_check_contacts(&host, &loaded);
    if (code == CLI_DONE) code = convert(&host, &loaded, &o);
    cli_unload(&loaded);
    return code;
}
