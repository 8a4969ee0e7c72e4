/* Zones of the meshes of a scene: which there are, and what materials they have.
 *
 * A zone is known by a number, or by a name where the file of the mesh has names. The mesh counts
 * them in the order of `materials`, from 1; 0 is all that stands not there. */
#include "io/scene_zones.h"

#include "io/scene_suggest.h"

#include <math.h>
#include <string.h>

typedef struct zones {
    scri_reader* r;
    const scri_mesh_data* data;
    scree_mesh* mesh;
    int32_t n;         /* places of the mesh that have a zone */
    double* number;    /* [n] NaN: none */
    scri_arena* arena; /* of the above */
} zones;

/* Where the zone of a place is looked up: at a point of a height field, in the middle of a
 * triangle.
 */
static void place_of(const scree_mesh* mesh, int32_t i, double at[3])
{
    int32_t corner[3];
    scree_mesh_point(mesh, i, at);
    if (scree_mesh_get_view(mesh).columns > 0) return;
    memset(at, 0, 3 * sizeof *at);
    scree_mesh_triangle(mesh, i, corner);
    for (int c = 0; c < 3; ++c) {
        double x[3];
        scree_mesh_point(mesh, corner[c], x);
        for (int k = 0; k < 3; ++k) at[k] += x[k] / 3.0;
    }
}

static void look_up(zones* z, const scri_yaml* file)
{
    scri_mesh_data raster = {0};
    const scri_mesh_source how = {.holes = SCREE_HOLES_KEEP};
    scri_arena* arena = scri_read_surface(z->r, file, &how, &raster);
    if (!z->r->status && raster.columns == 0) {
        scri_reader_fail(z->r, file->place, "zones: a raster is expected, or a list of numbers");
    }
    for (int32_t i = 0; i < z->n && !z->r->status; ++i) {
        double at[3];
        place_of(z->mesh, i, at);
        z->number[i] = scri_raster_at(&raster, at[0], at[1]);
    }
    scri_arena_destroy(arena);
}

static void read_list(zones* z, const scri_yaml* map)
{
    int32_t n;
    const scri_yaml* item = scri_get_list(z->r, map, "zones", &n);
    if (!z->r->status && n != z->n) {
        scri_reader_fail(z->r, scri_get(map, "zones")->place, "zones: %d numbers for %d %s", (int)n,
                         (int)z->n,
                         scree_mesh_get_view(z->mesh).columns > 0 ? "points" : "triangles");
    }
    for (int32_t i = 0; i < n && !z->r->status; ++i, item = item->next) {
        scri_evaluate(z->r, item, "zones", SCRI_ANY, &z->number[i]);
    }
}

/* Numbers of all places, from where they are said. */
static void read_numbers(zones* z, const scri_yaml* map, const scri_yaml* materials)
{
    const scri_yaml* node = scri_get(map, "zones");
    if (node && node->kind == SCRI_YAML_SCALAR) {
        look_up(z, node);
    } else if (node) {
        read_list(z, map);
    } else if (z->data->zone) {
        for (int32_t i = 0; i < z->n; ++i) z->number[i] = z->data->zone[i];
    } else {
        scri_reader_fail(z->r, materials->place,
                         "materials: the mesh has no zones; 'zones' names a raster or lists "
                         "numbers, a file has 'usemtl' (.obj) or a property 'zone' of faces "
                         "(.ply)");
    }
}

/* The number of the zone that a key names. */
static double number_of(zones* z, const scri_yaml* map, const scri_yaml* key)
{
    double value = 0.0;
    if (z->data->n_names == 0 || scri_get(map, "zones")) {
        scri_evaluate(z->r, key, "materials", SCRI_ANY, &value);
        return value;
    }
    scri_nearest nearest = scri_nearest_begin(key->text);
    for (int32_t k = 0; k < z->data->n_names; ++k) {
        if (strcmp(z->data->names[k], key->text) == 0) return k + 1;
        scri_nearest_consider(&nearest, z->data->names[k]);
    }
    scri_reader_fail(z->r, key->place, "materials: the mesh has no zone '%s'; %s",
                     scri_show(key->text).text, scri_nearest_hint(&nearest, "there are", "").text);
    return value;
}

/* Counts the zones of all places. */
static void set_zones(zones* z, int32_t n_keys, const double* keys)
{
    int32_t *zone = scri_arena_take(z->arena, (size_t)z->n, sizeof *zone), last = 0;
    if (!zone) z->r->status = SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < z->n && zone; ++i) {
        if (!(last < n_keys && keys[last] == z->number[i])) { /* as a rule that of the last place */
            for (last = 0; last < n_keys && keys[last] != z->number[i];) ++last;
        }
        zone[i] = last < n_keys ? last + 1 : 0;
    }
    if (!z->r->status) z->r->status = scree_mesh_set_zones(z->mesh, z->n, zone);
}

static void read_materials(zones* z, const scri_yaml* map, const scri_yaml* materials,
                           scree_shape* out)
{
    scri_reader* r = z->r;
    size_t n = (size_t)materials->n;
    double* keys = scri_arena_take(z->arena, n, sizeof *keys);
    int32_t *list = scri_reader_take(r, n + 1, sizeof *list), k = 0;
    if (!keys && !r->status) r->status = SCREE_ERROR_MEMORY;
    if (r->status) return;
    list[0] = out->material;
    for (const scri_yaml* key = materials->first; key && !r->status; key = key->next, ++k) {
        keys[k] = number_of(z, map, key);
        list[k + 1] = r->status ? 0 : scri_find_material(r, key->value);
        for (int32_t i = 0; i < k && !r->status; ++i) {
            if (keys[i] != keys[k]) continue;
            scri_reader_fail(r, key->place, "materials: zone %s stands there twice",
                             scri_show(key->text).text);
        }
    }
    if (!r->status) set_zones(z, k, keys);
    out->n_zones = k + 1;
    out->zone_material = list;
}

void scri_read_zones(scri_reader* r, const scri_yaml* map, const scri_mesh_data* data,
                     scree_mesh* mesh, scree_shape* out)
{
    const scri_yaml *materials = scri_get(map, "materials"), *node = scri_get(map, "zones");
    if (r->status || (!materials && !node)) return;
    if (!materials || materials->kind != SCRI_YAML_MAP || materials->n == 0) {
        scri_reader_fail(r, (materials ? materials : node)->place,
                         "materials: a map of zones and materials is expected");
        return;
    }
    scree_mesh_view view = scree_mesh_get_view(mesh);
    zones z = {.r = r, .data = data, .mesh = mesh, .arena = scri_arena_create(r->source.env)};
    z.n = view.columns > 0 ? view.n_points : view.n_triangles;
    z.number = z.arena ? scri_arena_take(z.arena, (size_t)z.n, sizeof *z.number) : NULL;
    if (!z.number) r->status = SCREE_ERROR_MEMORY;
    if (!r->status) read_numbers(&z, map, materials);
    if (!r->status) read_materials(&z, map, materials, out);
    scri_arena_destroy(z.arena);
}
