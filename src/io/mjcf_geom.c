/* Geoms of MJCF: shapes with their friction, mass and what they collide with. */
#include "base/env.h"
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

#define WATER 1000.0

static const struct {
    const char* name;
    scree_shape_kind kind;
    int n_sizes;
    bool may_be_from_to; /* two ends instead of a place and the last size */
} types[] = {
    {"sphere", SCREE_SHAPE_SPHERE, 1, false},    {"plane", SCREE_SHAPE_HALF_SPACE, 0, false},
    {"box", SCREE_SHAPE_BOX, 3, true},           {"capsule", SCREE_SHAPE_CAPSULE, 2, true},
    {"cylinder", SCREE_SHAPE_CYLINDER, 2, true}, {"ellipsoid", SCREE_SHAPE_ELLIPSOID, 3, true},
};
enum { N_TYPES = sizeof types / sizeof types[0] };

/* The type, or N_TYPES with a warning. */
static int find_type(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults)
{
    const char* name = scri_mjcf_get(defaults, element, "type");
    int k = 0;
    while (name && k < N_TYPES && strcmp(types[k].name, name) != 0) ++k;
    if (k < N_TYPES) return k;
    scri_warn(c->m->source.env, "%s:%d: a <geom> of type '%s' is not understood and left out",
              c->m->source.path, element->place.line, scri_show(name).text);
    scri_xml_forgive(element);
    return N_TYPES;
}

/* From one end to the other: the middle, z along it, half of its length. */
static bool read_from_to(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults,
                         scri_model_shape* shape, double* half)
{
    double ends[6];
    if (!scri_mjcf_numbers(c, defaults, element, "fromto", 6, 6, ends)) return false;
    scri_vec a = scri_vec_load(ends), b = scri_vec_load(ends + 3), way = scri_vec_sub(b, a);
    double length = scri_vec_length(way);
    if (c->m->status) return false;
    if (!(length > 0.0 && isfinite(length))) {
        scri_model_fail(c->m, element->place, "fromto has no length");
        return false;
    }
    if (way.z < 0.0) way = scri_vec_scale(-1.0, way); /* the same shape, and often not turned */
    *half = 0.5 * length;
    shape->pose.at = scri_vec_scale(0.5, scri_vec_add(a, b));
    shape->pose.turn = scri_mjcf_turn_z(scri_vec_scale(1.0 / length, way));
    return true;
}

static void read_size(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults, int type,
                      scri_model_shape* shape)
{
    double size[3] = {0.0}, half = 0.0;
    int n = types[type].n_sizes;
    bool by_ends = types[type].may_be_from_to && read_from_to(c, element, defaults, shape, &half);
    int given = scri_mjcf_numbers(c, defaults, element, "size", by_ends || n == 0 ? 1 : n, 3, size);
    if (by_ends && n == 3) {
        if (given < 2) size[1] = size[0];
        size[2] = half;
    } else if (by_ends) {
        size[1] = half;
    }
    for (int k = 0; k < n; ++k) {
        shape->half_size[k] = size[k];
        if (size[k] > 0.0 || c->m->status) continue;
        scri_model_fail(c->m, element->place, "a %s needs %d positive sizes", types[type].name, n);
    }
}

static int find_group(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults)
{
    scri_model* m = c->m;
    double masks[2] = {1.0, 1.0};
    scri_mjcf_numbers(c, defaults, element, "contype", 1, 1, &masks[0]);
    scri_mjcf_numbers(c, defaults, element, "conaffinity", 1, 1, &masks[1]);
    uint32_t group[2];
    for (int k = 0; k < 2; ++k) {
        bool good = masks[k] >= 0.0 && masks[k] <= 4294967295.0 && masks[k] == floor(masks[k]);
        if (!good) scri_model_fail(m, element->place, "contype and conaffinity are 32 bits");
        group[k] = good ? (uint32_t)masks[k] : 0;
    }
    if (group[0] == 0 && group[1] == 0) return -1;
    for (int k = 0; k < m->n_groups; ++k) {
        if (m->group[k][0] == group[0] && m->group[k][1] == group[1]) return k;
    }
    if (m->n_groups == SCRI_MODEL_GROUPS) {
        scri_model_fail(m, element->place, "more than %d pairs of contype and conaffinity",
                        SCRI_MODEL_GROUPS);
        return -1;
    }
    memcpy(m->group[m->n_groups], group, sizeof group);
    return m->n_groups++;
}

static int find_material(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults)
{
    scri_model_material material = {{1.0, 0.005, 0.0001}, 3};
    double dimensions = 3.0;
    scri_mjcf_numbers(c, defaults, element, "friction", 1, 3, material.friction);
    scri_mjcf_numbers(c, defaults, element, "condim", 1, 1, &dimensions);
    if (dimensions != 1.0 && dimensions != 3.0 && dimensions != 4.0 && dimensions != 6.0) {
        scri_model_fail(c->m, element->place, "condim = %g must be 1, 3, 4 or 6", dimensions);
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        if (material.friction[k] >= 0.0) continue;
        scri_model_fail(c->m, element->place, "friction must not be negative");
    }
    material.dimensions = (int)dimensions;
    return scri_model_material_of(c->m, element->place, material);
}

void scri_mjcf_read_geom(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults,
                         const scri_mjcf_body* body, bool weighs)
{
    scri_xml_get(element, "name");
    defaults = scri_mjcf_class_of(c, element, "class", defaults);
    int type = c->m->status ? N_TYPES : find_type(c, element, defaults);
    if (type == N_TYPES) return;
    scri_model_shape read = {.place = element->place, .kind = types[type].kind, .density = WATER};
    read.pose = scri_mjcf_pose(c, defaults, element);
    read_size(c, element, defaults, type, &read);
    read.pose = scri_pose_multiply(body->in, read.pose);
    read.material = find_material(c, element, defaults);
    read.group = find_group(c, element, defaults);
    scri_mjcf_numbers(c, defaults, element, "density", 1, 1, &read.density);
    if (scri_mjcf_numbers(c, defaults, element, "mass", 1, 1, &read.mass) && read.mass == 0.0) {
        read.density = 0.0;
    }
    if (!c->m->status && !(read.density >= 0.0 && read.mass >= 0.0)) {
        scri_model_fail(c->m, element->place, "density and mass must not be negative");
    }
    if (!weighs) read.density = read.mass = 0.0;
    scri_model_shape* shape = scri_model_add_shape(c->m, body->rigid, element->place);
    if (shape) *shape = read;
}
