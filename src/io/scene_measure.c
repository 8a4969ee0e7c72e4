/* Probes and sinks, what a scene measures, and what it makes of that: results, expressions of
 * measures. */
#include "base/env.h"
#include "io/scene_expression.h"
#include "io/scene_reader.h"
#include "io/scene_suggest.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* ---- probes and sinks -------------------------------------------------------------------------
 */

static void read_probe(scri_reader* r, const scri_yaml* map, scree_probe* out)
{
    static const char* const keys[] = {"name", "position", "normal", "radius", NULL};
    if (!scri_is_map_of(r, map, "a probe", keys)) return;
    const scri_yaml* name = scri_need(r, map, "a probe", "name");
    if (!name || !scri_need(r, map, "a probe", "position")) return;
    *out = (scree_probe){.name = scri_name_of(r, name, "name"), .normal = {0.0, 0.0, 1.0}};
    scri_read_vector(r, map, "position", out->position);
    scri_read_vector(r, map, "normal", out->normal);
    scri_read_number(r, map, "radius", SCRI_POSITIVE, &out->radius);
    const double* n = out->normal;
    if (!r->status && !(n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0)) {
        scri_reader_fail(r, scri_get(map, "normal")->place, "normal has no direction");
    }
}

static void read_sink(scri_reader* r, const scri_yaml* map, scree_sink* out)
{
    static const char* const keys[] = {"name", "box", NULL};
    if (!scri_is_map_of(r, map, "a sink", keys)) return;
    const scri_yaml* name = scri_need(r, map, "a sink", "name");
    if (!name || !scri_need(r, map, "a sink", "box")) return;
    *out = (scree_sink){.name = scri_name_of(r, name, "name")};
    scri_read_region(r, map, "box", out->low, out->high);
}

void scri_read_probes(scri_reader* r, const scri_yaml* root)
{
    int32_t n_probes, n_sinks;
    scree_scene* scene = r->scene;
    const scri_yaml* probe = scri_get_list(r, root, "probes", &n_probes);
    const scri_yaml* sink = scri_get_list(r, root, "sinks", &n_sinks);
    scene->probes = scri_reader_take(r, (size_t)n_probes, sizeof *scene->probes);
    scene->sinks = scri_reader_take(r, (size_t)n_sinks + 1, sizeof *scene->sinks);
    for (; probe && !r->status; probe = probe->next) {
        read_probe(r, probe, &scene->probes[scene->n_probes++]);
    }
    for (; sink && !r->status; sink = sink->next) {
        read_sink(r, sink, &scene->sinks[scene->n_sinks++]);
    }
    if (r->status || !scri_get(root, "domain")) return;
    scree_sink* domain = &scene->sinks[scene->n_sinks++];
    *domain = (scree_sink){.name = "domain", .is_outside = 1};
    scri_read_region(r, root, "domain", domain->low, domain->high);
}

/* ---- measures -------------------------------------------------------------------------------- */

/* Quantities in the order of scree_measure_kind, behind the key that names what has them. */
#define COURSE "over", "begin", "end", "reaches", NULL
static const char* const joint_keys[] = {"joint", "coordinate", "rate", "effort",
                                         "force", "torque",     COURSE};
static const char* const body_keys[] = {"body", "position", "velocity", "angular_velocity",
                                        "axis", "force",    "torque",   COURSE};
static const char* const probe_keys[] = {"probe", "count", "mass", COURSE};
static const char* const sink_keys[] = {"sink", "count", "mass", COURSE};
static const char* const all_keys[] = {"generator", "position", "radius",
                                       "edge",      "packing",  COURSE};

enum { JOINT, BODY, PROBE, SINK, GENERATOR, N_SUBJECTS };

/* What can be measured. */
static const struct {
    const char* const* keys;
    const char* what;
    int first, n;        /* quantities, the first of them as a scree_measure_kind */
    const char* choices; /* for people */
} subjects[N_SUBJECTS] = {
    [JOINT] = {joint_keys, "a measure", SCREE_MEASURE_COORDINATE, 5,
               "coordinate, rate, effort, force, torque"},
    [BODY] = {body_keys, "a measure of a body", SCREE_MEASURE_POSITION, 6,
              "position, velocity, angular_velocity, axis, force, torque"},
    [PROBE] = {probe_keys, "a measure of a probe", SCREE_MEASURE_PASSED, 2, "count, mass"},
    [SINK] = {sink_keys, "a measure of a sink", SCREE_MEASURE_TAKEN, 2, "count, mass"},
    [GENERATOR] = {all_keys, "a measure of a generator", SCREE_MEASURE_MEAN_POSITION, 4,
                   "position, radius, edge, packing"},
};

/* Numbers from 0 that the quantity may have: freedoms, or axes. */
static int32_t count_choices(const scri_reader* r, const scree_scene_measure* m)
{
    if (m->kind > SCREE_MEASURE_EFFORT) return 3;
    return scri_joint_n_freedoms(r->scene->joints[m->joint].def.kind);
}

/* Whether the quantity is one at which a share of bodies ends. */
static bool is_share(const scree_scene_measure* m)
{
    return m->kind == SCREE_MEASURE_REACH || m->kind == SCREE_MEASURE_EDGE;
}

/* Which freedom, axis or direction; of a radius the share of bodies, of a packing the box. */
static void read_which(scri_reader* r, const scri_yaml* map, const char* key, int subject,
                       scree_scene_measure* out)
{
    static const char *const ways[] = {"forward", "backward", NULL}, *const taken[] = {"taken",
                                                                                       NULL};
    int64_t which = 0;
    int way = 0;
    if (out->kind == SCREE_MEASURE_PACKING) {
        scri_read_region(r, map, key, out->low, out->high);
    } else if (is_share(out)) {
        scri_read_number(r, map, key,
                         out->kind == SCREE_MEASURE_EDGE ? SCRI_NOT_NEGATIVE : SCRI_FRACTION,
                         &out->level);
    } else if (subject == PROBE || subject == SINK) {
        scri_read_choice(r, map, key, subject == PROBE ? ways : taken, &way);
        which = way;
    } else {
        int32_t n = count_choices(r, out);
        const scri_yaml* at = scri_get(map, key);
        if (n == 0) scri_reader_fail(r, at->place, "this joint has no freedom to measure");
        scri_read_integer(r, map, key, 0, n - 1, &which);
    }
    out->which = (int32_t)which;
}

static void read_quantity(scri_reader* r, const scri_yaml* map, int subject,
                          scree_scene_measure* out)
{
    const char* key = NULL;
    for (int k = 0; k < subjects[subject].n; ++k) {
        const char* name = subjects[subject].keys[k + 1];
        const scri_yaml* node = scri_get(map, name);
        if (node && key) scri_reader_fail(r, node->place, "a measure has one quantity");
        if (!node || r->status) continue;
        key = name;
        out->kind = (scree_measure_kind)(subjects[subject].first + k);
    }
    if (!r->status && !key) {
        scri_reader_fail(r, map->place, "%s needs one of %s", subjects[subject].what,
                         subjects[subject].choices);
    }
    if (!r->status) read_which(r, map, key, subject, out);
}

/* Over which steps, and what of them. */
static void read_course(scri_reader* r, const scri_yaml* map, scree_scene_measure* out)
{
    static const char* const names[] = {"last", "least", "most", "mean", NULL};
    const scri_yaml *level = scri_get(map, "reaches"), *end = scri_get(map, "end");
    int over = SCREE_OVER_LAST;
    scri_read_choice(r, map, "over", names, &over);
    if (level && scri_get(map, "over")) {
        scri_reader_fail(r, level->place, "a measure has either 'over' or 'reaches'");
    }
    out->over = level ? SCREE_OVER_REACHED : (scree_measure_over)over;
    if (level && is_share(out)) {
        scri_reader_fail(r, level->place, "reaches: not of a radius or an edge");
    }
    if (level) scri_read_number(r, map, "reaches", SCRI_ANY, &out->level);
    scri_read_number(r, map, "begin", SCRI_NOT_NEGATIVE, &out->begin);
    scri_read_number(r, map, "end", SCRI_POSITIVE, &out->end);
    if (!r->status && end && out->end < out->begin) {
        scri_reader_fail(r, end->place, "end = %g s is before begin = %g s", out->end, out->begin);
    }
}

/* The place in its array of the probe, sink or generator that `node` names. */
static int32_t find_named(scri_reader* r, const scri_yaml* node, int subject)
{
    const scree_scene* scene = r->scene;
    const char* word = subjects[subject].keys[0];
    const char* name = scri_text_of(r, node, word);
    if (!name) return -1;
    int32_t n = subject == PROBE  ? scene->n_probes
                : subject == SINK ? scene->n_sinks
                                  : scene->n_generators;
    scri_nearest nearest = scri_nearest_begin(name);
    for (int32_t k = 0; k < n; ++k) {
        const char* known = subject == PROBE  ? scene->probes[k].name
                            : subject == SINK ? scene->sinks[k].name
                                              : scene->generators[k].model.name;
        if (strcmp(known, name) == 0) return k;
        scri_nearest_consider(&nearest, known);
    }
    scri_reader_fail(r, node->place, "no %s is called '%s'; %s", word, scri_show(name).text,
                     scri_nearest_hint(&nearest, "there are", "there is none").text);
    return -1;
}

static void read_measure(scri_reader* r, const scri_yaml* key, scree_scene_measure* out)
{
    const scri_yaml* map = key->value;
    int subject = N_SUBJECTS - 1;
    while (subject > 0 && !scri_get(map, subjects[subject].keys[0])) --subject;
    if (!scri_is_map_of(r, map, subjects[subject].what, subjects[subject].keys)) return;
    const scri_yaml* named = scri_need(r, map, subjects[subject].what, subjects[subject].keys[0]);
    if (!named) return;
    *out = (scree_scene_measure){.name = scri_name_of(r, key, "measure")};
    if (subject == JOINT) {
        out->joint = scri_names_find_joint(r, named);
    } else {
        out->of = subject == BODY ? scri_names_find(r, named) : find_named(r, named, subject);
    }
    if (!r->status) read_quantity(r, map, subject, out);
    read_course(r, map, out);
}

/* The map under a key whose keys are the user's; NULL where there is none. */
static const scri_yaml* get_own_map(scri_reader* r, const scri_yaml* root, const char* name)
{
    const scri_yaml* map = r->status ? NULL : scri_get(root, name);
    if (!map || scri_yaml_is_empty(map)) return NULL;
    if (map->kind == SCRI_YAML_MAP) return map;
    scri_reader_fail(r, map->place, "%s: a map of names and %s is expected", name, name);
    return NULL;
}

void scri_read_measures(scri_reader* r, const scri_yaml* root)
{
    scree_scene* scene = r->scene;
    const scri_yaml* map = get_own_map(r, root, "measures");
    if (!map) return;
    scene->measures = scri_reader_take(r, (size_t)map->n, sizeof *scene->measures);
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        read_measure(r, key, &scene->measures[scene->n_measures++]);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Names that the expressions of results know: parameters, measures, results; values of the last two
 * are not known yet. */
static int32_t list_names(const scree_scene* scene, scree_parameter* out)
{
    const scree_scene_source* from = scene->source;
    int32_t n = 0;
    for (int32_t k = 0; k < from->n_parameters; ++k) out[n++] = from->parameters[k];
    for (int32_t k = 0; k < scene->n_measures; ++k) {
        out[n++] = (scree_parameter){.name = scene->measures[k].name, .value = (double)NAN};
    }
    return n;
}

/* A name that no parameter, measure or other result has, for it would hide or be hidden. */
static void check_result_name(scri_reader* r, const scri_yaml* key, int32_t n,
                              const scree_parameter* names)
{
    scri_check_parameter_name(r, key);
    for (int32_t k = 0; k < n; ++k) {
        if (strcmp(names[k].name, key->text) != 0) continue;
        scri_reader_fail(r, key->place, "'%s' is the name of a parameter or measure already",
                         key->text);
    }
}

static void read_result(scri_reader* r, const scri_yaml* key, int32_t n,
                        const scree_parameter* names, scree_result* out)
{
    static const char* const keys[] = {"value", "expected", "meaning", NULL};
    const scri_yaml* map = key->value;
    *out = (scree_result){.name = key->text, .meaning = "", .expected = (double)NAN};
    if (map->kind == SCRI_YAML_MAP && !scri_is_map_of(r, map, "a result", keys)) return;
    const scri_yaml* value =
        map->kind == SCRI_YAML_MAP ? scri_need(r, map, "a result", "value") : map;
    if (!value) return;
    check_result_name(r, key, n, names);
    out->expression = scri_text_of(r, value, "value");
    if (r->status) return;
    double unknown;
    scri_expression_fault fault;
    if (!scri_expression_evaluate(value->text, value->length, n, names, &unknown, &fault)) {
        scri_reader_fail(r, scri_yaml_inside(value, fault.at), "%s: %s", key->text, fault.text);
    }
    scri_read_number(r, map, "expected", SCRI_ANY, &out->expected);
    const scri_yaml* meaning = scri_get(map, "meaning");
    if (meaning) out->meaning = scri_text_of(r, meaning, "meaning");
}

void scri_read_results(scri_reader* r, const scri_yaml* root)
{
    const scri_yaml* map = get_own_map(r, root, "results");
    if (!map) return;
    const scree_scene* scene = r->scene;
    size_t n_before = (size_t)r->info->n_parameters + (size_t)scene->n_measures;
    scree_parameter* names = scri_reader_take(r, n_before + (size_t)map->n, sizeof *names);
    scree_result* results = scri_reader_take(r, (size_t)map->n, sizeof *results);
    if (r->status) return;
    int32_t n = list_names(scene, names);
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        read_result(r, key, n, names, &results[r->info->n_results++]);
        names[n++] = (scree_parameter){.name = key->text, .value = (double)NAN};
    }
    r->info->results = results;
}

scree_status scree_scene_results(const scree_env* env, const scree_scene* scene,
                                 const scree_simulation* simulation, double* value)
{
    const scree_scene_source* from = scene ? scene->source : NULL;
    if (!from || !simulation || !value) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "scree_scene_results: an argument is NULL, or the scene was not read");
    }
    size_t most = (size_t)from->n_parameters + (size_t)scene->n_measures + (size_t)from->n_results;
    scree_parameter* names = scri_alloc(env, (most + 1) * sizeof *names);
    if (!names) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for results");
    int32_t n = list_names(scene, names);
    for (int32_t k = 0; k < scene->n_measures; ++k) {
        names[from->n_parameters + k].value = scree_simulation_measure(simulation, k);
    }
    for (int32_t k = 0; k < from->n_results; ++k) {
        const scree_result* result = &from->results[k];
        scri_expression_fault fault;
        bool good = scri_expression_evaluate(result->expression, strlen(result->expression), n,
                                             names, &value[k], &fault);
        if (!good || !isfinite(value[k])) value[k] = (double)NAN;
        names[n++] = (scree_parameter){.name = result->name, .value = value[k]};
    }
    scri_release(env, names);
    return SCREE_OK;
}
