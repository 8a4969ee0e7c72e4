/* A model as the tree of a scene. */
#include "io/model.h"
#include "io/number_text.h"
#include "io/scene_reader.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

/* NULL once memory has come to its end: from then on nothing is put anywhere. */
static scri_yaml* create(scri_model* m, scri_yaml_place place, scri_yaml_kind kind,
                         const char* text)
{
    scri_yaml* node = m->status ? NULL : scri_yaml_create(m->source.arena, place, text);
    if (node) {
        node->kind = kind;
    } else if (!m->status) {
        m->status = SCREE_ERROR_MEMORY;
    }
    return node;
}

/* Under a key of a map, or at the end of a list. */
static scri_yaml* put(scri_model* m, scri_yaml* to, const char* key, scri_yaml* value)
{
    scri_yaml* node = value;
    if (value && key) {
        node = create(m, value->place, SCRI_YAML_SCALAR, key);
        if (node) node->value = value;
    }
    if (node && to) scri_yaml_append(to, node);
    return value;
}

static scri_yaml* put_map(scri_model* m, scri_yaml* to, const char* key, scri_yaml_place place)
{
    return put(m, to, key, create(m, place, SCRI_YAML_MAP, NULL));
}

static scri_yaml* put_list(scri_model* m, scri_yaml* to, const char* key, scri_yaml_place place)
{
    return put(m, to, key, create(m, place, SCRI_YAML_LIST, NULL));
}

static void put_text(scri_model* m, scri_yaml* to, const char* key, const char* text, bool quoted)
{
    if (m->status || !to) return;
    scri_yaml* node = put(m, to, key, create(m, to->place, SCRI_YAML_SCALAR, text));
    if (node) node->quoted = quoted;
}

/* As few digits as give the same number back. */
static void put_number(scri_model* m, scri_yaml* to, const char* key, double value)
{
    char* text = scri_model_take(m, SCRI_NUMBER_SIZE, 1);
    double back = (double)NAN;
    for (int digits = 15; text && digits <= 17 && back != value; ++digits) {
        scri_number_shorten(value, digits, text);
        if (scri_number_parse(text, strlen(text), &back) != SCRI_NUMBER_OK) break;
    }
    if (text) put_text(m, to, key, text, false);
}

static void put_numbers(scri_model* m, scri_yaml* to, const char* key, int n, const double* values)
{
    scri_yaml* list = m->status || !to ? NULL : put_list(m, to, key, to->place);
    for (int k = 0; k < n; ++k) put_number(m, list, NULL, values[k]);
}

static void put_vector(scri_model* m, scri_yaml* to, const char* key, scri_vec v)
{
    const double values[3] = {v.x, v.y, v.z};
    if (v.x != 0.0 || v.y != 0.0 || v.z != 0.0) put_numbers(m, to, key, 3, values);
}

static void put_turn(scri_model* m, scri_yaml* to, const char* key, scri_quat q)
{
    const double values[4] = {q.w, q.x, q.y, q.z};
    if (q.w != 1.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0) put_numbers(m, to, key, 4, values);
}

/* Where it is not what the scene reader begins with. */
static void put_unless(scri_model* m, scri_yaml* to, const char* key, double value, double usual)
{
    if (value != usual) put_number(m, to, key, value);
}

/* ---- materials ------------------------------------------------------------------------------- */

static const char* material_name(scri_model* m, int k)
{
    char* name = scri_model_take(m, 16, 1);
    if (name) snprintf(name, 16, "friction-%d", k);
    return name ? name : "";
}

/* condim 1 has no friction, 3 slides, 4 spins too, 6 also rolls. */
static void put_friction(scri_model* m, scri_yaml* map, const scri_model_material* material)
{
    const double* f = material->friction;
    put_unless(m, map, "mu", material->dimensions >= 3 ? f[0] : 0.0, 0.0);
    put_unless(m, map, "mu_s", material->dimensions >= 4 ? f[1] : 0.0, 0.0);
    put_unless(m, map, "mu_r", material->dimensions >= 6 ? f[2] : 0.0, 0.0);
}

/* The larger of the two in everything: what scenes do by themselves for spinning and rolling alone
 * and only where both have them. */
static scri_model_material larger(const scri_model_material* a, const scri_model_material* b)
{
    scri_model_material both = *a;
    if (b->dimensions > both.dimensions) both.dimensions = b->dimensions;
    for (int j = 0; j < 3; ++j) both.friction[j] = fmax(a->friction[j], b->friction[j]);
    return both;
}

static void put_pair(scri_model* m, scri_yaml* pairs, int a, int b)
{
    scri_yaml* pair = put_map(m, pairs, NULL, m->root->place);
    scri_yaml* names = put_list(m, pair, "materials", m->root->place);
    scri_model_material both = larger(&m->materials[a], &m->materials[b]);
    put_text(m, names, NULL, material_name(m, a), true);
    put_text(m, names, NULL, material_name(m, b), true);
    put_number(m, pair, "mu", both.dimensions >= 3 ? both.friction[0] : 0.0);
    put_number(m, pair, "mu_s", both.dimensions >= 4 ? both.friction[1] : 0.0);
    put_number(m, pair, "mu_r", both.dimensions >= 6 ? both.friction[2] : 0.0);
}

static void put_materials(scri_model* m, scri_yaml* root)
{
    if (m->n_materials == 0) {
        scri_yaml* map = put_map(m, root, "materials", m->root->place);
        put_text(m, put_map(m, map, "link", m->root->place), "mu", "mu", false);
        return;
    }
    scri_yaml* map = put_map(m, root, "materials", m->root->place);
    for (int k = 0; k < m->n_materials; ++k) {
        put_friction(m, put_map(m, map, material_name(m, k), m->root->place), &m->materials[k]);
    }
    if (m->n_materials < 2) return;
    scri_yaml* pairs = put_list(m, root, "pairs", m->root->place);
    for (int b = 1; b < m->n_materials; ++b) {
        for (int a = 0; a < b; ++a) put_pair(m, pairs, a, b);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void put_size(scri_model* m, scri_yaml* map, const scri_model_shape* shape)
{
    const double* half = shape->half_size;
    const double whole[3] = {2.0 * half[0], 2.0 * half[1], 2.0 * half[2]};
    switch (shape->kind) {
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        put_numbers(m, map, "size", 3, whole);
        break;
    case SCREE_SHAPE_SPHERE:
        put_number(m, map, "radius", half[0]);
        break;
    case SCREE_SHAPE_CAPSULE:
    case SCREE_SHAPE_CYLINDER:
        put_number(m, map, "radius", half[0]);
        put_number(m, map, shape->kind == SCREE_SHAPE_CAPSULE ? "length" : "height", whole[1]);
        break;
    case SCREE_SHAPE_HULL:
        put_text(m, map, "file", shape->file, true);
        if (half[0] != 1.0 || half[1] != 1.0 || half[2] != 1.0) {
            put_numbers(m, map, "scale", 3, half);
        }
        break;
    default: /* a half-space has none */
        break;
    }
}

/* MuJoCo asks whether contype of one meets conaffinity of the other, either way; scenes ask both:
 * every kind gets a bit, and collides with the bits of those that it meets. */
static void put_group(scri_model* m, scri_yaml* map, int group)
{
    if (group < 0) {
        put_number(m, map, "collides", 0.0);
        return;
    }
    double collides = 0.0;
    const uint32_t* own = m->group[group];
    for (int k = 0; k < m->n_groups; ++k) {
        const uint32_t* other = m->group[k];
        if ((own[0] & other[1]) || (other[0] & own[1])) collides += ldexp(1.0, k);
    }
    if (m->n_groups == 1 && collides == 1.0) return;
    put_number(m, map, "category", ldexp(1.0, group));
    put_number(m, map, "collides", collides);
}

static void put_shape(scri_model* m, scri_yaml* list, const scri_model_shape* shape)
{
    scri_yaml* map = put_map(m, list, NULL, shape->place);
    put_text(m, map, "type", scree_shape_name((int)shape->kind), false);
    put_size(m, map, shape);
    put_vector(m, map, "position", shape->pose.at);
    put_turn(m, map, "rotation", shape->pose.turn);
    if (m->n_materials > 1) {
        put_text(m, map, "material", material_name(m, shape->material), true);
    }
    put_group(m, map, shape->group);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Mass of one shape in the link's frame; false where it is too large for numbers. */
static bool weigh(const scri_model_shape* shape, scree_mass* out)
{
    scree_shape one = scree_default_shape();
    one.kind = shape->kind;
    memcpy(one.half_size, shape->half_size, sizeof one.half_size);
    scri_vec_store(shape->pose.at, one.position);
    scri_quat_store(shape->pose.turn, one.rotation);
    if (scree_shape_mass(NULL, 1, &one, shape->density > 0.0 ? shape->density : 1.0, out)) {
        return false;
    }
    if (!(shape->mass > 0.0)) return true;
    double scale = shape->mass / out->mass;
    out->mass = shape->mass;
    for (int k = 0; k < 6; ++k) out->inertia[k] *= scale;
    return true;
}

/* Whether one density makes the mass, so that the scene reader can do without ours. */
static bool has_one_density(const scri_link* link)
{
    for (const scri_model_shape* s = link->shapes; s; s = s->next) {
        if (s->mass > 0.0 || s->density != link->shapes->density) return false;
    }
    return !link->has_mass && link->shapes && link->shapes->density > 0.0;
}

static void find_mass(scri_model* m, scri_link* link)
{
    if (link->kind != SCREE_BODY_DYNAMIC) return;
    for (const scri_model_shape* s = link->shapes; s; s = s->next) {
        scree_mass one = {0};
        if (s->kind == SCREE_SHAPE_HALF_SPACE) {
            scri_model_fail(m, s->place, "a plane cannot move; '%s' does", link->name);
            return;
        }
        if (!(s->mass > 0.0) && !(s->density > 0.0)) continue;
        if (!weigh(s, &one)) {
            scri_model_fail(m, s->place, "the sizes must be positive, and not beyond all numbers");
            return;
        }
        scri_mass_add(&link->mass, &one, scri_pose_none());
    }
    if (link->turns_for) scri_model_weigh_pinion(link);
    if (m->status || link->mass.mass > 0.0) return;
    scri_model_fail(m, link->place, "'%s' moves and has no mass", link->name);
}

static void put_mass(scri_model* m, scri_yaml* map, const scri_link* link)
{
    if (has_one_density(link)) {
        put_unless(m, map, "density", link->shapes->density, 1000.0);
        return;
    }
    put_number(m, map, "mass", link->mass.mass);
    put_numbers(m, map, "inertia", 6, link->mass.inertia);
    put_numbers(m, map, "centre", 3, link->mass.centre);
}

/* The file has velocities of the frame's origin, the scene those of the centre of mass. */
static void put_motion(scri_model* m, scri_yaml* map, const scri_link* link)
{
    scri_vec v = scri_vec_load(link->velocity), w = scri_vec_load(link->angular_velocity);
    if (link->kind == SCREE_BODY_DYNAMIC) {
        scri_vec arm = scri_quat_rotate(link->pose.turn, scri_vec_load(link->mass.centre));
        v = scri_vec_add(v, scri_vec_cross(w, arm));
    }
    put_vector(m, map, "velocity", v);
    put_vector(m, map, "angular_velocity", w);
}

static void put_body(scri_model* m, scri_yaml* list, scri_link* link)
{
    static const char* const kinds[] = {"dynamic", "kinematic", "static"};
    if (link->kind != SCREE_BODY_DYNAMIC && !link->shapes) return; /* nothing is left of it */
    find_mass(m, link);
    if (m->status) return;
    scri_yaml* map = put_map(m, list, NULL, link->place);
    put_text(m, map, "name", link->name, true);
    if (link->kind != SCREE_BODY_DYNAMIC) put_text(m, map, "kind", kinds[link->kind], false);
    put_vector(m, map, "position", link->pose.at);
    put_turn(m, map, "rotation", link->pose.turn);
    put_motion(m, map, link);
    if (link->kind == SCREE_BODY_DYNAMIC) put_mass(m, map, link);
    if (!link->shapes) return;
    scri_yaml* shapes = put_list(m, map, "shapes", link->place);
    for (const scri_model_shape* s = link->shapes; s; s = s->next) put_shape(m, shapes, s);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static void put_freedom(scri_model* m, scri_yaml* to, const char* key, scri_yaml_place place,
                        const scree_freedom* f)
{
    static const char* const motors[] = {"none", "effort", "velocity", "position"};
    scri_yaml* map = put_map(m, to, key, place);
    if (isfinite(f->lower)) put_number(m, map, "lower", f->lower);
    if (isfinite(f->upper)) put_number(m, map, "upper", f->upper);
    put_unless(m, map, "stiffness", f->stiffness, 0.0);
    put_unless(m, map, "damping", f->damping, 0.0);
    put_unless(m, map, "rest", f->rest, 0.0);
    put_unless(m, map, "friction", f->friction, 0.0);
    if (f->motor) {
        put_text(m, map, "motor", motors[f->motor], false);
        put_unless(m, map, "target", f->target, 0.0);
    }
    if (isfinite(f->max_effort)) put_number(m, map, "max_effort", f->max_effort);
    put_unless(m, map, "time", f->time, 0.0);
    put_unless(m, map, "armature", f->armature, 0.0);
}

/* Bodies that are not of the scene are the world: those without shapes that do not move. */
static bool is_world(const scri_link* link)
{
    return !link || (link->kind != SCREE_BODY_DYNAMIC && !link->shapes);
}

static void put_joint(scri_model* m, scri_yaml* list, const scri_model_joint* joint)
{
    scri_yaml* map = put_map(m, list, NULL, joint->place);
    put_text(m, map, "name", joint->name, true);
    put_text(m, map, "type", scri_joint_type(joint->kind), false);
    scri_pose frame[2] = {joint->frame[0], joint->frame[1]};
    bool is_still[2];
    for (int k = 0; k < 2; ++k) {
        is_still[k] = is_world(joint->link[k]);
        if (is_still[k] && joint->link[k]) {
            frame[k] = scri_pose_multiply(joint->link[k]->pose, frame[k]);
        }
    }
    if (is_still[1]) {
        put_text(m, map, "body", joint->link[0]->name, true);
    } else {
        scri_yaml* bodies = put_list(m, map, "bodies", joint->place);
        put_text(m, bodies, NULL, is_still[0] ? "world" : joint->link[0]->name, true);
        put_text(m, bodies, NULL, joint->link[1]->name, true);
    }
    if (joint->carrier) put_text(m, map, "carrier", joint->carrier->name, true);
    scri_yaml* frames = put_list(m, map, "frames", joint->place);
    for (int k = 0; k < 2; ++k) {
        scri_yaml* one = put_map(m, frames, NULL, joint->place);
        put_vector(m, one, "position", frame[k].at);
        put_turn(m, one, "rotation", frame[k].turn);
    }
    put_unless(m, map, "ratio", joint->ratio, 0.0);
    if (joint->collide) put_text(m, map, "collide", "yes", false);
    int32_t n = scri_joint_n_freedoms(joint->kind);
    if (n == 1) {
        put_freedom(m, map, "freedom", joint->place, &joint->freedom[0]);
    } else if (n > 1) {
        scri_yaml* many = put_list(m, map, "freedoms", joint->place);
        for (int32_t k = 0; k < n; ++k) {
            put_freedom(m, many, NULL, joint->place, &joint->freedom[k]);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* URDF does not tell friction: a setting can. */
static void put_parameters(scri_model* m, scri_yaml* root)
{
    if (m->n_materials > 0) return;
    scri_yaml* map = put_map(m, root, "parameters", m->root->place);
    scri_yaml* mu = put_map(m, map, "mu", m->root->place);
    put_number(m, mu, "value", 1.0);
    put_text(m, mu, "meaning", "sliding friction of all links", true);
}

static void put_world(scri_model* m, scri_yaml* root)
{
    if (!m->has_gravity && !(m->step > 0.0)) return;
    scri_yaml* world = put_map(m, root, "world", m->root->place);
    if (m->has_gravity) put_numbers(m, world, "gravity", 3, m->gravity);
    if (m->step > 0.0) put_number(m, world, "step", m->step);
}

scri_yaml* scri_model_to_scene(scri_model* m)
{
    scri_yaml* root = create(m, m->root->place, SCRI_YAML_MAP, NULL);
    if (m->title) put_text(m, root, "title", m->title, true);
    put_parameters(m, root);
    put_world(m, root);
    put_materials(m, root);
    scri_yaml* bodies = put_list(m, root, "bodies", m->root->place);
    for (scri_link* link = m->links; link && !m->status; link = link->next) {
        put_body(m, bodies, link);
    }
    if (m->joints) {
        scri_yaml* joints = put_list(m, root, "joints", m->root->place);
        for (const scri_model_joint* j = m->joints; j && !m->status; j = j->next) {
            put_joint(m, joints, j);
        }
    }
    return root;
}
