/* Containers: static bodies of half-spaces that look inwards. */
#include "io/scene_reader.h"
#include "io/scene_suggest.h"
#include "math/vec.h"

#include <string.h>

enum { N_SIDES = 6 };

static const struct {
    const char* name;
    int axis;
    bool is_high;       /* at `to`, else at `from` */
    double rotation[4]; /* from +z to the inward normal */
} sides[N_SIDES] = {
    {"left", 0, false, {1.0, 0.0, 1.0, 0.0}},   {"right", 0, true, {1.0, 0.0, -1.0, 0.0}},
    {"front", 1, false, {1.0, -1.0, 0.0, 0.0}}, {"back", 1, true, {1.0, 1.0, 0.0, 0.0}},
    {"bottom", 2, false, {1.0, 0.0, 0.0, 0.0}}, {"top", 2, true, {0.0, 1.0, 0.0, 0.0}},
};

static int find_side(scri_reader* r, const scri_yaml* node)
{
    const char* name = scri_text_of(r, node, "open");
    if (!name) return 0;
    scri_nearest nearest = scri_nearest_begin(name);
    for (int k = 0; k < N_SIDES; ++k) {
        if (strcmp(sides[k].name, name) == 0) return k;
        scri_nearest_consider(&nearest, sides[k].name);
    }
    scri_reader_fail(r, node->place, "unknown side '%s'; %s", scri_show(name).text,
                     scri_nearest_hint(&nearest, "known are", "").text);
    return 0;
}

static void read_open(scri_reader* r, const scri_yaml* map, bool open[N_SIDES])
{
    int32_t n;
    int n_open = 0;
    const scri_yaml* list = scri_get(map, "open");
    const scri_yaml* item = scri_get_list(r, map, "open", &n);
    open[N_SIDES - 1] = !list; /* the top, unless the file says otherwise */
    for (; item && !r->status; item = item->next) open[find_side(r, item)] = true;
    for (int k = 0; k < N_SIDES; ++k) n_open += open[k];
    if (n_open == N_SIDES) scri_reader_fail(r, list->place, "open: no side is left");
}

static scree_shape side_shape(int k, const double low[3], const double high[3], int32_t material)
{
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    shape.size[0] = 0.0;
    shape.position[sides[k].axis] = (sides[k].is_high ? high : low)[sides[k].axis];
    scri_quat_store(scri_quat_normalize(scri_quat_load(sides[k].rotation)), shape.rotation);
    shape.material = material;
    return shape;
}

static void read_container(scri_reader* r, const scri_yaml* map, int32_t index,
                           scree_scene_body* out)
{
    static const char* const keys[] = {"name", "type", "inside", "open", "material", NULL};
    static const char* const types[] = {"box", NULL};
    int type = 0;
    bool open[N_SIDES] = {false};
    double low[3] = {0.0}, high[3] = {0.0};
    if (!scri_is_map_of(r, map, "a container", keys)) return;
    const scri_yaml* name = scri_need(r, map, "a container", "name");
    if (!name || !scri_need(r, map, "a container", "inside")) return;
    scri_read_choice(r, map, "type", types, &type);
    scri_read_region(r, map, "inside", low, high);
    read_open(r, map, open);
    int32_t material = scri_read_material(r, map);
    *out = (scree_scene_body){.name = scri_name_of(r, name, "name"),
                              .def = scree_default_body_def(),
                              .shapes = scri_reader_take(r, N_SIDES, sizeof *out->shapes)};
    r->places[index] = map->place;
    out->def.kind = SCREE_BODY_STATIC;
    if (r->status) return;
    for (int k = 0; k < N_SIDES; ++k) {
        if (open[k]) continue;
        out->shapes[out->n_shapes++] = side_shape(k, low, high, material);
    }
    scri_names_add(r, out->name, name->place, index);
}

void scri_read_containers(scri_reader* r, const scri_yaml* root)
{
    int32_t n;
    const scri_yaml* item = scri_get_list(r, root, "containers", &n);
    for (; item && !r->status; item = item->next) {
        int32_t index = r->scene->n_bodies++;
        read_container(r, item, index, &r->scene->bodies[index]);
    }
}
