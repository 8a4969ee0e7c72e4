/* Materials and their pairs. */
#include "base/env.h"
#include "io/scene_reader.h"
#include "io/scene_suggest.h"
#include "world/world.h"

#include <string.h>

#define FRICTION_KEYS                                                                            \
    "mu", "mu_r", "mu_s", "mu_r_share", "mu_s_share", "mu_static", "mu_r_static", "mu_s_static", \
        "stribeck", "stribeck_r", "stribeck_s", "viscous", "viscous_r", "viscous_s",             \
        "restitution", "stiffness", "damping", "young", "poisson", "sliding", "direction",       \
        "tensor", "rolling", "rolling_direction"

/* {viscous_foundation: {k, gamma, m}} under `rolling`, or else a set. */
static void read_rolling(scri_reader* r, const scri_yaml* map, scree_material* m)
{
    static const char* const keys[] = {"k", "gamma", "m", NULL};
    static const char name[] = "viscous_foundation", what[] = "a viscous foundation";
    const scri_yaml* value = r->status ? NULL : scri_get(map, "rolling");
    if (!value || value->kind != SCRI_YAML_MAP || !scri_get(value, name)) {
        scri_read_set(r, map, "rolling", &m->rolling);
        return;
    }
    if (value->n > 1) {
        scri_reader_fail(r, value->place, "rolling: %s takes the place of a set, and stands alone",
                         what);
        return;
    }
    const scri_yaml* ground = scri_get_map(r, value, name, what, keys);
    if (!ground || !scri_need(r, ground, what, "k") || !scri_need(r, ground, what, "gamma")) return;
    scri_read_number(r, ground, "k", SCRI_POSITIVE, &m->ground.stiffness);
    scri_read_number(r, ground, "gamma", SCRI_POSITIVE, &m->ground.damping);
    scri_read_number(r, ground, "m", SCRI_NOT_NEGATIVE, &m->ground.mass);
}

/* Of the key that a fault in a material's sets is about: `said` begins with the name of a channel,
 * and under laws that know sets it is the directions, where there are any, that do not fit. */
static scri_yaml_place place_of_fault(const scri_reader* r, const scri_yaml* map, const char* said)
{
    static const char* const channels[2][2] = {{"direction", "sliding"},
                                               {"rolling_direction", "rolling"}};
    for (int k = 0; k < 2; ++k) {
        const char *directions = channels[k][0], *forces = channels[k][1];
        if (strncmp(said, forces, strlen(forces)) != 0) continue;
        const scri_yaml* first = scri_get(map, forces);
        const scri_yaml* second = scri_get(map, directions);
        bool knows_sets = scree_law_traits((int)r->scene->world.law) & SCREE_LAW_MAY_HAVE_SETS;
        if (second && (knows_sets || !first)) return second->place;
        if (first) return first->place;
    }
    return map->place;
}

/* One channel: its coefficient in motion, at rest, and how it depends on the rate. A coefficient
 * that is given for a pair takes the place of both that follow from the materials. */
static void read_channel(scri_reader* r, const scri_yaml* map, const char* const keys[4],
                         double* in_motion, scree_slip* slip)
{
    if (!r->status && scri_get(map, keys[0])) slip->at_rest = 0.0;
    scri_read_number(r, map, keys[0], SCRI_NOT_NEGATIVE, in_motion);
    scri_read_number(r, map, keys[1], SCRI_NOT_NEGATIVE, &slip->at_rest);
    scri_read_number(r, map, keys[2], SCRI_NOT_NEGATIVE, &slip->rate);
    scri_read_number(r, map, keys[3], SCRI_NOT_NEGATIVE, &slip->viscous);
}

static void read_friction(scri_reader* r, const scri_yaml* map, scree_material* m)
{
    static const char* const keys[3][4] = {{"mu", "mu_static", "stribeck", "viscous"},
                                           {"mu_r", "mu_r_static", "stribeck_r", "viscous_r"},
                                           {"mu_s", "mu_s_static", "stribeck_s", "viscous_s"}};
    scri_read_set(r, map, "sliding", &m->sliding);
    scri_read_set(r, map, "direction", &m->direction);
    scri_read_tensor(r, map, &m->sliding, &m->direction);
    read_rolling(r, map, m);
    scri_read_set(r, map, "rolling_direction", &m->rolling_direction);
    if (scri_get(map, "sliding") || scri_get(map, "tensor")) m->mu = 1.0, m->slip[0].at_rest = 0.0;
    read_channel(r, map, keys[0], &m->mu, &m->slip[0]);
    read_channel(r, map, keys[1], &m->mu_r, &m->slip[1]);
    read_channel(r, map, keys[2], &m->mu_s, &m->slip[2]);
    scri_read_number(r, map, "mu_r_share", SCRI_NOT_NEGATIVE, &m->mu_r_share);
    scri_read_number(r, map, "mu_s_share", SCRI_NOT_NEGATIVE, &m->mu_s_share);
    scri_read_number(r, map, "restitution", SCRI_FRACTION, &m->restitution);
    scri_read_number(r, map, "stiffness", SCRI_NOT_NEGATIVE, &m->stiffness);
    scri_read_number(r, map, "damping", SCRI_NOT_NEGATIVE, &m->damping);
    scri_read_number(r, map, "young", SCRI_NOT_NEGATIVE, &m->young);
    scri_read_number(r, map, "poisson", SCRI_NOT_NEGATIVE, &m->poisson);
    if (!r->status && m->restitution > 0.0 && r->scene->world.scheme == SCREE_SCHEME_GAP) {
        const scri_yaml* at = scri_get(map, "restitution");
        scri_reader_fail(r, at ? at->place : map->place,
                         "restitution = %g needs the impulse scheme; the gap scheme has none",
                         m->restitution);
    }
    scri_asked asked;
    scri_ask_begin(r, &asked);
    scree_status status = scri_material_check(&asked.env, r->scene->world.law, m);
    scri_ask_end(r, place_of_fault(r, map, asked.said), &asked, status);
}

static void read_lay(scri_reader* r, const scri_yaml* map, scree_material* m)
{
    const scri_yaml* node = r->status ? NULL : scri_get(map, "lay");
    scri_read_truth(r, map, "contour", &m->contour);
    if (!node) return;
    scri_read_vector(r, map, "lay", m->lay);
    if (!r->status && m->lay[0] == 0.0 && m->lay[1] == 0.0 && m->lay[2] == 0.0) {
        scri_reader_fail(r, node->place, "lay has no direction");
    }
}

/* ---- materials from files -------------------------------------------------------------------- */

/* Puts a key with its value into a map, in the place of one of the same name if there is one. */
static void put_key(scri_reader* r, scri_yaml* map, const scri_yaml* key)
{
    scri_yaml* known = scri_yaml_find(map, key->text);
    if (!known) {
        known = scri_yaml_create(r->source.arena, key->place, key->text);
        if (!known) {
            r->status = SCREE_ERROR_MEMORY;
            return;
        }
        scri_yaml_append(map, known);
    }
    known->place = key->place;
    known->value = key->value;
}

/* The map in the file that `file` names; NULL after a fault. */
static scri_yaml* load_material(scri_reader* r, const scri_yaml* file)
{
    char* bytes = NULL;
    size_t size = 0;
    scri_yaml* root = NULL;
    scri_yaml_source source = r->source;
    source.file = scri_read_beside(r, file, &bytes, &size);
    if (source.file) r->status = scri_yaml_load(&source, bytes, size, &root);
    scri_release(r->source.env, bytes);
    if (!r->status && (!root || scri_yaml_is_empty(root))) {
        scri_reader_fail(r, file->place, "file '%s' is empty", scri_show(source.file).text);
    }
    return r->status ? NULL : root;
}

/* The map of a material, with that of its file below it. */
static const scri_yaml* whole_material(scri_reader* r, const scri_yaml* map)
{
    static const char* const keys[] = {FRICTION_KEYS, "lay", "contour", "file", NULL};
    static const char* const file_keys[] = {FRICTION_KEYS, "lay", "contour", NULL};
    if (!scri_is_map_of(r, map, "a material", keys)) return NULL;
    const scri_yaml* file = scri_get(map, "file");
    if (!file) return map;
    scri_yaml* whole = load_material(r, file);
    if (!whole || !scri_is_map_of(r, whole, "a material", file_keys)) return NULL;
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        if (key->value != file) put_key(r, whole, key);
    }
    return r->status ? NULL : whole;
}

/* ---- materials ------------------------------------------------------------------------------- */

/* A scene without materials has one without friction. */
static void add_default(scri_reader* r)
{
    scree_scene* scene = r->scene;
    scene->material_name = scri_reader_take(r, 1, sizeof *scene->material_name);
    scene->materials = scri_reader_take(r, 1, sizeof *scene->materials);
    if (r->status) return;
    scene->material_name[0] = "default";
    scene->n_materials = 1;
}

static void read_each(scri_reader* r, const scri_yaml* map)
{
    scree_scene* scene = r->scene;
    scene->material_name = scri_reader_take(r, (size_t)map->n, sizeof *scene->material_name);
    scene->materials = scri_reader_take(r, (size_t)map->n, sizeof *scene->materials);
    for (const scri_yaml* key = map->first; key && !r->status; key = key->next) {
        int32_t k = scene->n_materials++;
        scene->material_name[k] = scri_name_of(r, key, "material");
        if (scri_yaml_is_empty(key->value)) continue;
        const scri_yaml* material = whole_material(r, key->value);
        if (!material) return;
        read_lay(r, material, &scene->materials[k]);
        read_friction(r, material, &scene->materials[k]);
    }
}

int32_t scri_find_material(scri_reader* r, const scri_yaml* node)
{
    const char* name = scri_text_of(r, node, "material");
    if (!name) return 0;
    const scree_scene* scene = r->scene;
    scri_nearest nearest = scri_nearest_begin(name);
    for (int32_t k = 0; k < scene->n_materials; ++k) {
        if (strcmp(scene->material_name[k], name) == 0) return k;
        scri_nearest_consider(&nearest, scene->material_name[k]);
    }
    scri_reader_fail(r, node->place, "unknown material '%s'; %s", scri_show(name).text,
                     scri_nearest_hint(&nearest, "there are", "").text);
    return 0;
}

int32_t scri_read_material(scri_reader* r, const scri_yaml* map)
{
    if (r->status) return 0;
    const scri_yaml* node = scri_get(map, "material");
    if (node) return scri_find_material(r, node);
    if (r->scene->n_materials > 1) {
        scri_reader_fail(r, map->place, "'material' is missing; the scene has %d of them",
                         (int)r->scene->n_materials);
    }
    return 0;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void read_pair(scri_reader* r, const scri_yaml* map, scree_scene_pair* out)
{
    static const char* const keys[] = {"materials", FRICTION_KEYS, NULL};
    if (!scri_is_map_of(r, map, "a pair", keys)) return;
    const scri_yaml* names = scri_need(r, map, "a pair", "materials");
    if (!names) return;
    if (names->kind != SCRI_YAML_LIST || names->n != 2) {
        scri_reader_fail(r, names->place, "materials: a list of two names is expected");
        return;
    }
    out->a = scri_find_material(r, names->first);
    out->b = scri_find_material(r, names->last);
    if (r->status) return;
    if (out->a == out->b) {
        scri_reader_fail(r, names->place,
                         "a pair has two materials; what '%s' does against itself stands under "
                         "materials",
                         r->scene->material_name[out->a]);
        return;
    }
    out->material =
        scri_material_combine(&r->scene->materials[out->a], &r->scene->materials[out->b]);
    read_friction(r, map, &out->material);
}

static void read_pairs(scri_reader* r, const scri_yaml* root)
{
    int32_t n;
    scree_scene* scene = r->scene;
    const scri_yaml* item = scri_get_list(r, root, "pairs", &n);
    size_t n_materials = (size_t)scene->n_materials;
    if (n == 0) return;
    uint8_t* known = scri_reader_take(r, n_materials * n_materials, 1);
    scene->pairs = scri_reader_take(r, (size_t)n, sizeof *scene->pairs);
    for (; item && !r->status; item = item->next) {
        scree_scene_pair* pair = &scene->pairs[scene->n_pairs++];
        read_pair(r, item, pair);
        if (r->status) return;
        size_t a = (size_t)pair->a, b = (size_t)pair->b;
        if (known[a * n_materials + b]) {
            scri_reader_fail(r, item->place, "the pair of '%s' and '%s' was already given",
                             scene->material_name[a], scene->material_name[b]);
        }
        known[a * n_materials + b] = known[b * n_materials + a] = 1;
    }
}

void scri_read_materials(scri_reader* r, const scri_yaml* root)
{
    const scri_yaml* map = r->status ? NULL : scri_get(root, "materials");
    if (map && !scri_yaml_is_empty(map) && map->kind != SCRI_YAML_MAP) {
        scri_reader_fail(r, map->place, "materials: a map of names and materials is expected");
    } else if (map && map->n > 0) {
        read_each(r, map);
    } else {
        add_default(r);
    }
    read_pairs(r, root);
}
