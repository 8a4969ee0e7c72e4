/* Bodies: kind, pose, velocity, mass; containers; and which of them can collide. */
#include "io/scene_loop.h"
#include "io/scene_suggest.h"
#include "math/vec.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#define USUAL_DENSITY 1000.0

/* ---- mass ------------------------------------------------------------------------------------ */

/* Whether xx yy zz xy xz yz is positive definite, in the way that the world asks. */
static bool is_inertia(const double* a)
{
    double c0 = a[1] * a[2] - a[5] * a[5], c1 = a[4] * a[5] - a[3] * a[2];
    double c2 = a[3] * a[5] - a[4] * a[1];
    double determinant = a[0] * c0 + a[3] * c1 + a[4] * c2;
    return a[0] > 0.0 && a[0] * a[1] - a[3] * a[3] > 0.0 && determinant > 0.0 &&
           isfinite(determinant);
}

/* Whether some distribution of mass has this inertia: trace/2 - inertia, the matrix of the second
 * moments of mass, has no negative eigenvalue. For principal moments: none above the sum of the
 * others. Rounding is forgiven. */
static bool is_of_matter(const double* a)
{
    double half = 0.5 * (a[0] + a[1] + a[2]), least = -1e-9 * half;
    double x = half - a[0], y = half - a[1], z = half - a[2];
    double xy = x * y - a[3] * a[3], xz = x * z - a[4] * a[4], yz = y * z - a[5] * a[5];
    double determinant = x * yz - a[3] * (a[3] * z + a[4] * a[5]) - a[4] * (a[4] * y + a[3] * a[5]);
    return x >= least && y >= least && z >= least && xy >= least * half && xz >= least * half &&
           yz >= least * half && determinant >= least * half * half;
}

static void read_inertia(scri_reader* r, const scri_yaml* body, double inertia[6])
{
    const scri_yaml* node = scri_get(body, "inertia");
    if (!node) return;
    bool is_full = node->kind == SCRI_YAML_LIST && node->n == 6;
    if (!is_full && !(node->kind == SCRI_YAML_LIST && node->n == 3)) {
        scri_reader_fail(r, node->place,
                         "inertia: a list of 3 numbers (xx, yy, zz) or 6 (xx, yy, zz, xy, xz, yz) "
                         "is expected");
        return;
    }
    memset(inertia, 0, 6 * sizeof *inertia);
    scri_read_numbers(r, node, "inertia", node->n, inertia);
    if (!r->status && !is_inertia(inertia)) {
        scri_reader_fail(r, node->place, "inertia is not positive definite");
    } else if (!r->status && !is_of_matter(inertia)) {
        scri_reader_fail(r, node->place,
                         "no body has this inertia: no principal moment may exceed the sum of the "
                         "other two");
    }
}

/* Instead of that of the shapes, which then say nothing of the inertia about it. */
static void read_centre(scri_reader* r, const scri_yaml* body, double centre[3])
{
    const scri_yaml* node = r->status ? NULL : scri_get(body, "centre");
    if (!node) return;
    if (!scri_get(body, "mass") || !scri_get(body, "inertia")) {
        scri_reader_fail(r, node->place, "centre: needs 'mass' and 'inertia' beside it");
    }
    scri_read_vector(r, body, "centre", centre);
}

static void fail_range(scri_reader* r, const scri_yaml* body)
{
    scri_reader_fail(r, body->place,
                     "the body's sizes, mass or inertia exceed what can be computed");
}

static void scale_mass(double scale, scree_mass* mass)
{
    mass->mass *= scale;
    for (int k = 0; k < 6; ++k) mass->inertia[k] *= scale;
}

/* From the shapes by density, scaled to `mass` if that is given; *out may be that of density 1
 * already. */
static void read_mass(scri_reader* r, const scri_yaml* body, const scree_scene_body* b,
                      scree_mass* out)
{
    const scri_yaml *density_node = scri_get(body, "density"), *mass_node = scri_get(body, "mass");
    double density = USUAL_DENSITY, mass = 0.0;
    scri_read_number(r, body, "density", SCRI_POSITIVE, &density);
    scri_read_number(r, body, "mass", SCRI_POSITIVE, &mass);
    if (r->status) return;
    if (density_node && mass_node) {
        scri_reader_fail(r, mass_node->place, "a body has either 'density' or 'mass'");
        return;
    }
    /* The sizes have been checked: only the range of numbers can be wrong. */
    bool is_known = out->mass > 0.0;
    if (is_known) scale_mass(density, out);
    bool good = b->n_shapes == 0 || is_known ||
                scree_shape_mass(NULL, b->n_shapes, b->shapes, density, out) == SCREE_OK;
    if (good && mass_node) scale_mass(mass / out->mass, out);
    if (good && mass_node) out->mass = mass;
    read_inertia(r, body, out->inertia);
    read_centre(r, body, out->centre);
    if (!r->status && !(good && is_inertia(out->inertia))) {
        fail_range(r, body);
    }
}

/* The file counts from the body's frame, the world from the centre of mass. */
static void move_to_centre(scri_reader* r, const scri_yaml* body, const scree_mass* mass,
                           scree_scene_body* b)
{
    double sum = 0.0;
    scri_vec centre = scri_vec_load(mass->centre);
    scree_shape* shapes = b->shapes;
    for (int32_t k = 0; k < b->n_shapes; ++k) {
        scri_vec_store(scri_vec_sub(scri_vec_load(shapes[k].position), centre), shapes[k].position);
        for (int j = 0; j < 3; ++j) sum += 0.0 * shapes[k].position[j];
    }
    scri_vec moved = scri_quat_rotate(scri_quat_load(b->def.rotation), centre);
    scri_vec_store(scri_vec_add(scri_vec_load(b->def.position), moved), b->def.position);
    for (int j = 0; j < 3; ++j) sum += 0.0 * b->def.position[j];
    if (sum != 0.0) fail_range(r, body); /* NaN: something is not finite */
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void read_motion(scri_reader* r, const scri_yaml* map, scree_body_def* def)
{
    static const char* const keys[] = {"velocity", "angular_velocity"};
    for (int k = 0; k < 2 && def->kind == SCREE_BODY_STATIC; ++k) {
        const scri_yaml* node = scri_get(map, keys[k]);
        if (node) scri_reader_fail(r, node->place, "%s: a static body does not move", keys[k]);
    }
    scri_read_vector(r, map, "position", def->position);
    scri_read_rotation(r, map, "rotation", def->rotation);
    scri_read_vector(r, map, "velocity", def->velocity);
    scri_read_vector(r, map, "angular_velocity", def->angular_velocity);
}

/* The line of the scene's own file, for messages; 0: it comes from elsewhere. */
static int32_t line_of(const scri_yaml* map)
{
    return map->place.setting || map->place.file ? 0 : map->place.line;
}

/* The given name, with the number of the copy where there are several, or "body-K" or "generator-K"
 * by its number in the list. */
static const char* read_name(scri_reader* r, const scri_yaml* map, bool is_model, int32_t index)
{
    const scri_yaml* node = scri_get(map, "name");
    const char* given = node ? scri_name_of(r, node, "name") : NULL;
    if (r->status || (node && r->copy < 0)) return given;
    size_t size = (given ? strlen(given) : 0) + 24;
    char* name = scri_reader_take(r, size, 1);
    if (name && given) {
        snprintf(name, size, "%s-%lld", given, (long long)r->copy);
    } else if (name) {
        snprintf(name, size, "%s-%d", is_model ? "generator" : "body", (int)index);
    }
    return name;
}

void scri_read_body(scri_reader* r, const scri_yaml* map, bool is_model, int32_t index,
                    scree_scene_body* out)
{
    static const char* const keys[] = {
        "name",    "kind", "position", "rotation", "velocity", "angular_velocity",
        "density", "mass", "inertia",  "centre",   "shape",    "shapes",
        "for",     NULL};
    static const char* const kinds[] = {"dynamic", "kinematic", "static", NULL};
    int kind = SCREE_BODY_DYNAMIC;
    *out = (scree_scene_body){.def = scree_default_body_def(), .line = line_of(map)};
    if (!scri_is_map_of(r, map, "a body", keys)) return;
    const scri_yaml* position = scri_get(map, "position");
    if (is_model && position) {
        scri_reader_fail(r, position->place, "position: the generator says where its bodies are");
    }
    const scri_yaml* loop = scri_get(map, "for");
    if (is_model && loop) {
        scri_reader_fail(r, loop->place, "for: the generator says how many bodies there are");
    }
    scri_read_choice(r, map, "kind", kinds, &kind);
    out->def.kind = (scree_body_kind)kind;
    read_motion(r, map, &out->def);
    scree_mass mass = {0};
    scri_read_shapes(r, map, out, &mass);
    if (!r->status && out->def.kind == SCREE_BODY_DYNAMIC) {
        read_mass(r, map, out, &mass);
        out->def.mass = mass.mass;
        memcpy(out->def.inertia, mass.inertia, sizeof mass.inertia);
        if (!r->status) move_to_centre(r, map, &mass, out);
        if (!is_model) memcpy(r->centres + 3 * (size_t)index, mass.centre, sizeof mass.centre);
        if (is_model) memset(out->def.position, 0, sizeof out->def.position);
    }
    out->name = r->status ? NULL : read_name(r, map, is_model, index);
    const scri_yaml* name = scri_get(map, "name");
    bool is_other = is_model && r->scene->generators[index].model.name; /* of a list of models */
    if (!r->status && !is_other) {
        scri_names_add(r, r->names, out->name, name ? name->place : map->place,
                       is_model ? -1 : index);
    }
}

void scri_read_bodies(scri_reader* r, const scri_yaml* root)
{
    int32_t n;
    const scri_yaml* item = scri_get_list(r, root, "bodies", &n);
    for (; item && !r->status; item = item->next) {
        scri_loop loop;
        for (scri_loop_begin(r, item, &loop); !loop.is_over; scri_loop_next(r, &loop)) {
            int32_t index = r->scene->n_bodies++;
            r->copy = loop.copy;
            scri_read_body(r, item, false, index, &r->scene->bodies[index]);
        }
        r->copy = -1;
    }
}

/* ---- containers: static bodies of half-spaces that look inwards ---- */

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
    shape.half_size[0] = 0.0;
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
                              .line = line_of(map),
                              .shapes = scri_reader_take(r, N_SIDES, sizeof *out->shapes)};
    out->def.kind = SCREE_BODY_STATIC;
    if (r->status) return;
    for (int k = 0; k < N_SIDES; ++k) {
        if (open[k]) continue;
        out->shapes[out->n_shapes++] = side_shape(k, low, high, material);
    }
    scri_names_add(r, r->names, out->name, name->place, index);
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
