/* Bodies: kind, pose, velocity, mass. */
#include "io/scene_reader.h"
#include "math/vec.h"

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

static void fail_range(scri_reader* r, const scri_yaml* body)
{
    scri_reader_fail(r, body->place,
                     "the body's sizes, mass or inertia exceed what can be computed");
}

/* From the shapes by density, scaled to `mass` if that is given. */
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
    bool good = scree_shape_mass(NULL, b->n_shapes, b->shapes, density, out) == SCREE_OK;
    if (good && mass_node) {
        double scale = mass / out->mass;
        out->mass = mass;
        for (int k = 0; k < 6; ++k) out->inertia[k] *= scale;
    }
    read_inertia(r, body, out->inertia);
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

/* The given name, or "body-K" or "generator-K" by its number in the list. */
static const char* read_name(scri_reader* r, const scri_yaml* map, bool is_model, int32_t index)
{
    const scri_yaml* node = scri_get(map, "name");
    if (node) return scri_name_of(r, node, "name");
    char* name = scri_reader_take(r, 24, 1);
    if (name) snprintf(name, 24, "%s-%d", is_model ? "generator" : "body", (int)index);
    return name;
}

void scri_read_body(scri_reader* r, const scri_yaml* map, bool is_model, int32_t index,
                    scree_scene_body* out)
{
    static const char* const keys[] = {
        "name",    "kind", "position", "rotation", "velocity", "angular_velocity",
        "density", "mass", "inertia",  "shape",    "shapes",   NULL};
    static const char* const kinds[] = {"dynamic", "kinematic", "static", NULL};
    int kind = SCREE_BODY_DYNAMIC;
    *out = (scree_scene_body){.def = scree_default_body_def()};
    r->places[is_model ? r->n_bodies + index : index] = map->place;
    if (!scri_is_map_of(r, map, "a body", keys)) return;
    const scri_yaml* position = scri_get(map, "position");
    if (is_model && position) {
        scri_reader_fail(r, position->place, "position: the generator says where its bodies are");
    }
    scri_read_choice(r, map, "kind", kinds, &kind);
    out->def.kind = (scree_body_kind)kind;
    read_motion(r, map, &out->def);
    scri_read_shapes(r, map, out);
    if (!r->status && out->def.kind == SCREE_BODY_DYNAMIC) {
        scree_mass mass = {0};
        read_mass(r, map, out, &mass);
        out->def.mass = mass.mass;
        memcpy(out->def.inertia, mass.inertia, sizeof mass.inertia);
        if (!r->status) move_to_centre(r, map, &mass, out);
        if (is_model) memset(out->def.position, 0, sizeof out->def.position);
    }
    out->name = r->status ? NULL : read_name(r, map, is_model, index);
    const scri_yaml* name = scri_get(map, "name");
    if (!r->status) {
        scri_names_add(r, out->name, name ? name->place : map->place, is_model ? -1 : index);
    }
}

void scri_read_bodies(scri_reader* r, const scri_yaml* root)
{
    int32_t n;
    const scri_yaml* item = scri_get_list(r, root, "bodies", &n);
    for (; item && !r->status; item = item->next) {
        int32_t index = r->scene->n_bodies++;
        scri_read_body(r, item, false, index, &r->scene->bodies[index]);
    }
}
