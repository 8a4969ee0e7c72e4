/* Scenes from YAML, or from models as if they were: the file as a whole, the world, when it stops,
 * and the scenes that the library carries. */
#include "base/compiler.h"
#include "base/env.h"
#include "io/embedded.h"
#include "io/file_util.h"
#include "io/model.h"
#include "io/scene_loop.h"
#include "io/yaml_write.h"
#include "scree_io/scene_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- files that a scene names ---- */

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

/* ---- world, stop, output ---- */

#define USUAL_REST_TIME 0.5

/* One of the methods that `scree solvers` lists. */
static void read_solver(scri_reader* r, const scri_yaml* map, const char** name)
{
    enum { MOST = 32 };
    const char* names[MOST + 1] = {NULL};
    int chosen = 0;
    for (int k = 0; k < scree_solver_count() && k < MOST; ++k) {
        names[k] = scree_solver_get(k).name;
        if (strcmp(names[k], *name) == 0) chosen = k;
    }
    scri_read_choice(r, map, "solver", names, &chosen);
    if (strcmp(names[chosen], *name) != 0) *name = names[chosen];
}

/* Those that only some methods take, which refuse them otherwise. */
static void read_solver_options(scri_reader* r, const scri_yaml* map, scree_solver_def* solver)
{
    static const char* const locals[] = {"exact", "projection", NULL}; /* as in scree_local */
    static const char* const maps[] = {"alart-curnier", "natural", "fischer-burmeister", NULL};
    int local = (int)solver->local, zero = (int)solver->map;
    scri_read_number(r, map, "rho", SCRI_NOT_NEGATIVE, &solver->rho);
    scri_read_number(r, map, "rho_slide", SCRI_NOT_NEGATIVE, &solver->rho_slide);
    scri_read_number(r, map, "rho_roll", SCRI_NOT_NEGATIVE, &solver->rho_roll);
    scri_read_number(r, map, "rho_spin", SCRI_NOT_NEGATIVE, &solver->rho_spin);
    scri_read_number(r, map, "relaxation", SCRI_POSITIVE, &solver->relaxation);
    scri_read_choice(r, map, "local", locals, &local);
    scri_read_choice(r, map, "map", maps, &zero);
    solver->local = (scree_local)local;
    solver->map = (scree_newton_map)zero;
}

void scri_read_world(scri_reader* r, const scri_yaml* root)
{
    static const char* const keys[] = {
        "gravity",    "step",       "theta",  "scheme", "law",       "tol",      "solver",
        "overlap",    "max_sweeps", "margin", "rho",    "rho_slide", "rho_roll", "rho_spin",
        "relaxation", "local",      "map",    "joints", NULL};
    static const char* const schemes[] = {"impulse", "gap", NULL}; /* as in scree_scheme */
    static const char* const joints[] = {"rows", "trees", NULL};   /* as in scree_joints */
#define NAME(LAW, entry) #entry,
    static const char* const laws[] = {SCREE_WORLD_LAWS(NAME) NULL};
#undef NAME
    scree_world_def* world = &r->scene->world;
    const scri_yaml* map = scri_get_map(r, root, "world", "the world", keys);
    if (map) {
        int scheme = (int)world->scheme, law = (int)world->law, solved = (int)world->joints;
        scri_read_vector(r, map, "gravity", world->gravity);
        scri_read_number(r, map, "step", SCRI_POSITIVE, &world->step);
        scri_read_number(r, map, "theta", SCRI_UPPER_HALF, &world->theta);
        scri_read_choice(r, map, "scheme", schemes, &scheme);
        scri_read_choice(r, map, "law", laws, &law);
        scri_read_number(r, map, "tol", SCRI_POSITIVE, &world->solver.tol);
        read_solver(r, map, &world->solver.solver);
        scri_read_integer(r, map, "max_sweeps", 1, 1000000000, &world->solver.max_iter);
        read_solver_options(r, map, &world->solver);
        scri_read_number(r, map, "margin", SCRI_NOT_NEGATIVE, &world->margin);
        scri_read_number(r, map, "overlap", SCRI_NOT_NEGATIVE, &world->overlap);
        scri_read_choice(r, map, "joints", joints, &solved);
        world->joints = (scree_joints)solved;
        world->scheme = (scree_scheme)scheme;
        world->law = (scree_law)law;
    }
}

static void read_rest(scri_reader* r, const scri_yaml* stop)
{
    static const char* const keys[] = {"speed", "for", NULL};
    const scri_yaml* rest = scri_get_map(r, stop, "rest", "rest", keys);
    if (!rest) return;
    r->scene->rest_time = USUAL_REST_TIME;
    scri_read_number(r, rest, "speed", SCRI_NOT_NEGATIVE, &r->scene->rest_speed);
    scri_read_number(r, rest, "for", SCRI_POSITIVE, &r->scene->rest_time);
}

void scri_read_stop(scri_reader* r, const scri_yaml* root)
{
    static const char* const stop_keys[] = {"time", "rest", NULL};
    static const char* const output_keys[] = {"interval", NULL};
    scree_scene* scene = r->scene;
    double usual = scene->duration;
    scene->duration = SCREE_INFINITY;
    const scri_yaml* stop = scri_get_map(r, root, "stop", "stop", stop_keys);
    if (stop) {
        read_rest(r, stop);
        scri_read_number(r, stop, "time", SCRI_PERHAPS_NEVER, &scene->duration);
    }
    bool is_endless = isinf(scene->duration) && isinf(scene->rest_time);
    if (is_endless && !(stop && scri_get(stop, "time"))) {
        scene->duration = usual;
    } else if (is_endless) {
        scri_reader_fail(r, scri_get(stop, "time")->place,
                         "the scene never stops; give a finite time, or 'rest'");
    }
    const scri_yaml* output = scri_get_map(r, root, "output", "output", output_keys);
    if (output) scri_read_number(r, output, "interval", SCRI_POSITIVE, &scene->interval);
}

const char* const scri_scene_keys[] = {"title",  "parameters", "world",      "materials", "pairs",
                                       "bodies", "generators", "containers", "joints",    "probes",
                                       "sinks",  "domain",     "measures",   "results",   "drives",
                                       "forces", "stop",       "output",     NULL};

/* What scree_scene_read() gives out the first member of. */
typedef struct scene_file {
    scree_scene scene;
    scree_scene_source info;
    scri_arena* arena; /* holds this struct too */
} scene_file;

/* ---- copies ---------------------------------------------------------------------------------- */

static const char* copy(scri_reader* r, const char* text, size_t size)
{
    char* memory = scri_reader_take(r, size + 1, 1);
    if (memory && size > 0) memcpy(memory, text, size);
    return memory;
}

static void keep_source(scri_reader* r, const scri_scene_text* from)
{
    scree_scene_source* info = r->info;
    info->path = r->scene->title = copy(r, from->path, strlen(from->path));
    info->text = copy(r, from->text, from->size);
    info->text_size = from->size;
    const char** settings = scri_reader_take(r, (size_t)from->n_settings, sizeof *settings);
    for (int32_t k = 0; k < from->n_settings && !r->status; ++k) {
        settings[k] = copy(r, from->settings[k], strlen(from->settings[k]));
    }
    info->settings = settings;
    info->n_settings = from->n_settings;
}

/* ---- all parts ------------------------------------------------------------------------------- */

/* Room for all bodies that the lists can name. */
static void make_room(scri_reader* r, const scri_yaml* root)
{
    int32_t n_bodies, n_generators, n_containers;
    n_bodies = scri_loop_count(r, scri_get_list(r, root, "bodies", &n_bodies));
    scri_get_list(r, root, "generators", &n_generators);
    scri_get_list(r, root, "containers", &n_containers);
    r->n_bodies = n_bodies + n_containers;
    r->scene->bodies = scri_reader_take(r, (size_t)r->n_bodies, sizeof *r->scene->bodies);
    r->centres = scri_reader_take(r, 3 * (size_t)r->n_bodies, sizeof *r->centres);
    r->names = scri_names_create(r, r->n_bodies + n_generators);
}

static void read_title(scri_reader* r, const scri_yaml* root)
{
    const scri_yaml* title = r->status ? NULL : scri_get(root, "title");
    if (title && !scri_yaml_is_empty(title)) r->scene->title = scri_text_of(r, title, "title");
}

static void read_scene(scri_reader* r, const scri_yaml* root)
{
    if (!scri_is_map_of(r, root, "a scene", scri_scene_keys)) return;
    scri_read_parameters(r, root);
    read_title(r, root);
    scri_read_world(r, root);
    scri_read_stop(r, root);
    scri_read_materials(r, root);
    make_room(r, root);
    scri_read_bodies(r, root);
    scri_read_containers(r, root);
    scri_read_generators(r, root);
    scri_read_joints(r, root);
    scri_read_probes(r, root);
    scri_read_measures(r, root);
    scri_read_results(r, root);
    scri_read_drives(r, root);
    if (r->status) return;
    if (r->scene->n_bodies + r->scene->n_generators == 0) {
        scri_reader_fail(r, root->place, "the scene has no bodies");
    }
}

/* The tree of the source, YAML or a model, with its settings; NULL after a fault. */
static scri_yaml* load(scri_reader* r)
{
    const scree_scene_source* info = r->info;
    scri_yaml* root = NULL;
    if (r->status) return NULL;
    bool is_model = scri_is_xml(info->text, info->text_size);
    if (is_model) {
        r->status = scri_model_load(&r->source, info->text, info->text_size, info->n_settings,
                                    info->settings, &root);
    } else {
        r->status = scri_yaml_load(&r->source, info->text, info->text_size, &root);
    }
    if (r->status) return NULL;
    if (!root || scri_yaml_is_empty(root)) {
        scri_reader_fail(r, (scri_yaml_place){.line = 1, .column = 1}, "the scene is empty");
        return NULL;
    }
    /* Settings need a map to go into; what else it may be is a fault that reading finds. */
    for (int32_t k = 0; k < info->n_settings && root->kind == SCRI_YAML_MAP; ++k) {
        const char* setting = info->settings[k];
        if (!is_model || !scri_model_takes_setting(setting)) scri_apply_setting(r, root, setting);
    }
    return r->status ? NULL : root;
}

static void parse(scri_reader* r)
{
    const scri_yaml* root = load(r);
    if (root) read_scene(r, root);
}

/* ---- interface ------------------------------------------------------------------------------- */

static bool is_complete(const scri_scene_text* from)
{
    bool good = from->path && from->text && from->n_settings >= 0;
    good = good && (from->n_settings == 0 || from->settings);
    for (int32_t k = 0; good && k < from->n_settings; ++k) good = from->settings[k] != NULL;
    return good;
}

scree_status scri_scene_parse(const scree_env* env, scri_read_file* read_file,
                              const scri_scene_text* from, scree_scene** out)
{
    if (out) *out = NULL;
    if (!out || !is_complete(from)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_scene_parse: an argument is NULL");
    }
    scri_arena* arena = scri_arena_create(env);
    scene_file* file = arena ? scri_arena_take(arena, 1, sizeof *file) : NULL;
    scri_reader r = {.source = {.env = env, .arena = arena, .path = from->path},
                     .read_file = read_file,
                     .copy = -1,
                     .status = file ? SCREE_OK : SCREE_ERROR_MEMORY};
    r.source.n_values = &r.n_values;
    if (file) {
        *file = (scene_file){.scene = scree_default_scene(), .arena = arena};
        file->scene.source = r.info = &file->info;
        r.scene = &file->scene;
        keep_source(&r, from);
        parse(&r);
    }
    if (r.status == SCREE_ERROR_MEMORY) scri_fail(env, r.status, "%s: out of memory", from->path);
    if (r.status) {
        scri_arena_destroy(arena);
        return r.status;
    }
    *out = &file->scene;
    return SCREE_OK;
}

scree_status scree_scene_parse(const scree_env* env, const char* path, const char* text,
                               size_t size, int32_t n_settings, const char* const* settings,
                               scree_scene** out)
{
    scri_scene_text from = {path, text, size, n_settings, settings};
    return scri_scene_parse(env, scri_file_read, &from, out);
}

scree_status scree_scene_read(const scree_env* env, const char* path, int32_t n_settings,
                              const char* const* settings, scree_scene** out)
{
    if (!path || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_scene_read: an argument is NULL");
    }
    *out = NULL;
    char* text = NULL;
    size_t size = 0;
    scri_file_env inner;
    scri_file_env_begin(env, path, &inner);
    scree_status status = scri_file_env_end(&inner, scri_file_read(&inner.env, path, &text, &size));
    if (status) return status;
    if (scri_is_hdf5(text, size)) {
        status =
            scri_fail(env, SCREE_ERROR_FORMAT,
                      "%s: is an HDF5 file, such as a recording or a problem, not a scene", path);
    } else {
        status = scree_scene_parse(env, path, text, size, n_settings, settings, out);
    }
    scri_release(env, text);
    return status;
}

/* The source is read once more: a scene has numbers where its tree has expressions. */
static scree_status write_source(const scree_env* env, scri_arena* arena,
                                 const scree_scene_source* from, const char* path)
{
    scree_scene_source info = *from;
    scree_env silent = env ? *env : (scree_env){0};
    silent.log = NULL; /* it was read before, and warned of */
    scri_reader r = {.source = {.env = &silent, .arena = arena, .path = info.path},
                     .read_file = scri_file_read,
                     .info = &info};
    scri_output out;
    scri_file_env inner;
    r.source.n_values = &r.n_values;
    scri_file_env_begin(env, path, &inner);
    const scri_yaml* root = load(&r);
    if (!root) return scri_file_env_end(&inner, r.status);
    scree_status status = scri_output_begin(&inner.env, path, &out);
    if (!status) {
        scri_yaml_write(out.stream, root);
        status = scri_output_end(&out, SCREE_OK);
    }
    return scri_file_env_end(&inner, status);
}

scree_status scree_scene_write(const scree_env* env, const char* path, const scree_scene* scene)
{
    if (!path || !scene) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_scene_write: an argument is NULL");
    }
    if (!scene->source) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "%s: the scene was not read from a file, and cannot be written", path);
    }
    scri_arena* arena = scri_arena_create(env);
    if (!arena) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", path);
    scree_status status = write_source(env, arena, scene->source, path);
    scri_arena_destroy(arena);
    return status;
}

void scree_scene_destroy(scree_scene* scene)
{
    if (scene) scri_arena_destroy(((scene_file*)scene)->arena);
}

const char* scree_scene_defaults(void)
{
    return scri_embedded_scene_defaults[0].text;
}

/* ---- built-in scenes ---- */

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
