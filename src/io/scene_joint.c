/* Joints: bodies, frames, freedoms. */
#include "io/axes.h"
#include "io/scene_reader.h"
#include "io/scene_suggest.h"
#include "math/vec.h"
#include "scene/scene.h"
#include "world/joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEYS = 20 };

/* Names and the keys that only some kinds have, in the order of scree_joint_kind. */
static const struct {
    const char *name, *what;
    const char* keys[3];
} kinds[SCREE_JOINT_KIND_COUNT] = {
    [SCREE_JOINT_FIXED] = {"fixed", "a fixed joint", {NULL}},
    [SCREE_JOINT_BALL] = {"ball", "a ball joint", {NULL}},
    [SCREE_JOINT_HINGE] = {"hinge", "a hinge", {NULL}},
    [SCREE_JOINT_SLIDER] = {"slider", "a slider", {NULL}},
    [SCREE_JOINT_CYLINDRICAL] = {"cylindrical", "a cylindrical joint", {NULL}},
    [SCREE_JOINT_UNIVERSAL] = {"universal", "a universal joint", {NULL}},
    [SCREE_JOINT_PLANAR] = {"planar", "a planar joint", {NULL}},
    [SCREE_JOINT_DISTANCE] = {"distance", "a distance", {"points", "length"}},
    [SCREE_JOINT_ROPE] = {"rope", "a rope", {"points", "length"}},
    [SCREE_JOINT_SCREW] = {"screw", "a screw", {"ratio"}},
    [SCREE_JOINT_GEAR] = {"gear", "a gear", {"ratio", "carrier"}},
    [SCREE_JOINT_RACK] = {"rack", "a rack", {"ratio", "carrier"}},
    [SCREE_JOINT_CURVE] = {"curve", "a curve", {"points", "closed"}},
};

static const char* const common_keys[] = {"name",     "type",        "body",        "bodies",
                                          "position", "axis",        "second_axis", "frames",
                                          "freedom",  "freedoms",    "compliance",  "damping",
                                          "collide",  "break_force", "break_torque"};
enum { N_COMMON = sizeof common_keys / sizeof common_keys[0] };

static const char* const freedom_keys[] = {
    "lower", "upper",  "stiffness",  "damping", "rest",     "friction", "friction_arm",
    "motor", "target", "max_effort", "time",    "backlash", "armature", NULL};

/* ---- bodies ---------------------------------------------------------------------------------- */

/* `body: a` joins it to the world; `bodies: [a, b]` names A and B, of which one may be the world.
 */
static void read_two_bodies(scri_reader* r, const scri_yaml* map, scree_scene_joint* out)
{
    const scri_yaml *one = scri_get(map, "body"), *two = scri_get(map, "bodies");
    out->body[0] = out->body[1] = -1;
    if (!one == !two) {
        scri_reader_fail(r, map->place,
                         one ? "a joint has either 'body' or 'bodies'"
                             : "a joint needs 'bodies' with two names, or 'body' for one that is "
                               "joined to the world");
    } else if (one) {
        out->body[0] = scri_names_find(r, one);
    } else if (two->kind != SCRI_YAML_LIST || two->n != 2) {
        scri_reader_fail(r, two->place, "bodies: a list of two names is expected");
    } else {
        out->body[0] = scri_names_find_or_world(r, two->first);
        out->body[1] = scri_names_find_or_world(r, two->last);
    }
    bool moves = false;
    for (int k = 0; k < 2 && !r->status; ++k) {
        bool is_body = out->body[k] >= 0;
        moves |= is_body && r->scene->bodies[out->body[k]].def.kind == SCREE_BODY_DYNAMIC;
    }
    if (r->status || (moves && out->body[0] != out->body[1])) return;
    if (out->body[0] != out->body[1]) {
        scri_reader_fail(r, map->place, "a joint needs a dynamic body");
        return;
    }
    scri_reader_fail(r, two ? two->place : map->place,
                     "a joint joins two bodies, not '%s' to itself",
                     out->body[0] < 0 ? "world" : r->scene->bodies[out->body[0]].name);
}

/* `carrier`: the body on which both of a gear or rack are held. */
static void read_carrier(scri_reader* r, const scri_yaml* map, scree_scene_joint* out)
{
    const scri_yaml* node = scri_get(map, "carrier");
    if (!node || r->status) return;
    int32_t carrier = scri_names_find_or_world(r, node);
    if (r->status) return;
    if (carrier >= 0 && (carrier == out->body[0] || carrier == out->body[1])) {
        scri_reader_fail(r, node->place, "carrier: '%s' is one of the two bodies that it carries",
                         r->scene->bodies[carrier].name);
    }
    out->def.carrier = (scree_body_id){carrier + 1, 0};
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* A point and axes. */
typedef struct frame {
    scri_vec point;
    scri_quat turn;
} frame;

/* A unit vector, or a fault where there is no direction. */
static scri_vec read_direction(scri_reader* r, const scri_yaml* map, const char* key,
                               scri_vec usual)
{
    double v[3] = {usual.x, usual.y, usual.z};
    scri_read_vector(r, map, key, v);
    double length = scri_vec_length(scri_vec_load(v));
    if (!r->status && !(length > 0.0 && isfinite(length))) {
        scri_reader_fail(r, scri_get(map, key)->place, "%s has no direction", key);
    }
    return r->status ? usual : scri_vec_scale(1.0 / length, scri_vec_load(v));
}

/* Axes with x along `axis` and y as near to `second_axis` as can be. */
static scri_quat read_axes(scri_reader* r, const scri_yaml* map)
{
    static const scri_quat none = {1.0, 0.0, 0.0, 0.0};
    const scri_yaml* node = scri_get(map, "second_axis");
    scri_vec x = read_direction(r, map, "axis", (scri_vec){1.0, 0.0, 0.0});
    scri_vec second = scri_axes_second(x);
    if (node) second = read_direction(r, map, "second_axis", second);
    if (r->status) return none;
    if (node && !(scri_vec_length(scri_vec_cross(x, second)) > 1e-6)) {
        scri_reader_fail(r, node->place, "second_axis is parallel to the axis");
        return none;
    }
    return scri_axes_turn(x, second);
}

/* {position, axis, second_axis}, or a rotation instead of the axes. */
static frame read_frame(scri_reader* r, const scri_yaml* map)
{
    double at[3] = {0.0}, turn[4] = {1.0};
    scri_read_vector(r, map, "position", at);
    const scri_yaml* rotation = scri_get(map, "rotation");
    if (rotation && (scri_get(map, "axis") || scri_get(map, "second_axis"))) {
        scri_reader_fail(r, rotation->place, "a frame has either a rotation or axes");
    }
    scri_read_rotation(r, map, "rotation", turn);
    frame f = {scri_vec_load(at), scri_quat_load(turn)};
    if (!rotation) f.turn = read_axes(r, map);
    return f;
}

static void store_frame(scree_scene_joint* out, int k, frame f)
{
    scri_vec_store(f.point, out->def.position[k]);
    scri_quat_store(f.turn, out->def.rotation[k]);
}

/* A frame of the world as one of body k, at the beginning. */
static void place(const scri_reader* r, scree_scene_joint* out, int k, frame f)
{
    if (out->body[k] >= 0) {
        const scree_body_def* b = &r->scene->bodies[out->body[k]].def;
        scri_quat back = {b->rotation[0], -b->rotation[1], -b->rotation[2], -b->rotation[3]};
        f.point = scri_quat_rotate(back, scri_vec_sub(f.point, scri_vec_load(b->position)));
        bool is_turned = back.w != 1.0 || back.x != 0.0 || back.y != 0.0 || back.z != 0.0;
        if (is_turned) f.turn = scri_quat_normalize(scri_quat_multiply(back, f.turn));
    }
    store_frame(out, k, f);
}

/* `frames`: one in the frame of each body, which the file counts from its origin. */
static void read_frames(scri_reader* r, const scri_yaml* list, scree_scene_joint* out)
{
    static const char* const keys[] = {"position", "rotation", "axis", "second_axis", NULL};
    if (list->kind != SCRI_YAML_LIST || list->n != 2) {
        scri_reader_fail(r, list->place, "frames: a list of two is expected, one for each body");
        return;
    }
    const scri_yaml* item = list->first;
    for (int k = 0; k < 2; ++k, item = item->next) {
        if (!scri_is_map_of(r, item, "a frame", keys)) return;
        frame f = read_frame(r, item);
        if (out->body[k] >= 0) {
            const double* centre = r->centres + 3 * (size_t)out->body[k];
            f.point = scri_vec_sub(f.point, scri_vec_load(centre));
        }
        store_frame(out, k, f);
    }
}

/* `points` of a distance or rope: where its ends are in the world. */
static void read_ends(scri_reader* r, const scri_yaml* list, scree_scene_joint* out)
{
    double end[2][3] = {{0.0}};
    if (list->kind != SCRI_YAML_LIST || list->n != 2) {
        scri_reader_fail(r, list->place, "points: a list of two is expected, one on each body");
        return;
    }
    scri_read_numbers(r, list->first, "points", 3, end[0]);
    scri_read_numbers(r, list->last, "points", 3, end[1]);
    for (int k = 0; k < 2 && !r->status; ++k) {
        place(r, out, k, (frame){scri_vec_load(end[k]), {1.0, 0.0, 0.0, 0.0}});
    }
    out->def.length = scri_vec_length(scri_vec_sub(scri_vec_load(end[0]), scri_vec_load(end[1])));
}

static void read_both_frames(scri_reader* r, const scri_yaml* map, scree_scene_joint* out)
{
    static const char* const others[] = {"position", "axis", "second_axis", "points"};
    const scri_yaml *frames = scri_get(map, "frames"), *points = scri_get(map, "points");
    bool is_line = out->def.kind == SCREE_JOINT_DISTANCE || out->def.kind == SCREE_JOINT_ROPE;
    for (int k = 0; k < (is_line ? 4 : 3) && frames; ++k) {
        const scri_yaml* other = scri_get(map, others[k]);
        if (!other) continue;
        scri_reader_fail(r, other->place, "a joint has either 'frames' or '%s'", others[k]);
    }
    if (r->status) return;
    if (frames) {
        read_frames(r, frames, out);
    } else if (is_line) {
        if (!points) points = scri_need(r, map, kinds[out->def.kind].what, "points");
        if (points) read_ends(r, points, out);
    } else {
        if (!scri_need(r, map, kinds[out->def.kind].what, "position")) return;
        frame f = read_frame(r, map);
        for (int k = 0; k < 2 && !r->status; ++k) place(r, out, k, f);
    }
}

/* ---- freedoms -------------------------------------------------------------------------------- */

static void read_freedom(scri_reader* r, const scri_yaml* map, scree_freedom* out)
{
    static const char* const motors[] = {"none", "effort", "velocity", "position", NULL};
    int motor = SCREE_MOTOR_NONE;
    if (!scri_is_map_of(r, map, "a freedom", freedom_keys)) return;
    scri_read_number(r, map, "lower", SCRI_ANY, &out->lower);
    scri_read_number(r, map, "upper", SCRI_ANY, &out->upper);
    scri_read_number(r, map, "stiffness", SCRI_NOT_NEGATIVE, &out->stiffness);
    scri_read_number(r, map, "damping", SCRI_NOT_NEGATIVE, &out->damping);
    scri_read_number(r, map, "rest", SCRI_ANY, &out->rest);
    scri_read_number(r, map, "friction", SCRI_NOT_NEGATIVE, &out->friction);
    scri_read_number(r, map, "friction_arm", SCRI_NOT_NEGATIVE, &out->friction_arm);
    scri_read_choice(r, map, "motor", motors, &motor);
    scri_read_number(r, map, "target", SCRI_ANY, &out->target);
    scri_read_number(r, map, "max_effort", SCRI_PERHAPS_NEVER, &out->max_effort);
    scri_read_number(r, map, "time", SCRI_NOT_NEGATIVE, &out->time);
    scri_read_number(r, map, "backlash", SCRI_NOT_NEGATIVE, &out->backlash);
    scri_read_number(r, map, "armature", SCRI_NOT_NEGATIVE, &out->armature);
    out->motor = (scree_motor)motor;
    if (r->status) return;
    if (!(out->lower <= out->upper)) {
        const scri_yaml* at = scri_get(map, scri_get(map, "lower") ? "lower" : "upper");
        scri_reader_fail(r, at->place, "lower = %g must not be above upper = %g", out->lower,
                         out->upper);
    }
    const scri_yaml* target = scri_get(map, "target");
    if (target && !motor) {
        scri_reader_fail(r, target->place, "target: the freedom has no motor");
    }
}

static void read_freedoms(scri_reader* r, const scri_yaml* map, scree_scene_joint* out)
{
    const scri_yaml *one = scri_get(map, "freedom"), *many = scri_get(map, "freedoms");
    int32_t n = scri_joint_n_freedoms(out->def.kind), given = 1;
    const char* what = kinds[out->def.kind].what;
    if (r->status || (!one && !many)) return;
    if (one && many) {
        scri_reader_fail(r, many->place, "a joint has either 'freedom' or 'freedoms'");
        return;
    }
    const scri_yaml* item = many ? scri_get_list(r, map, "freedoms", &given) : one;
    if (given > n || (one && n != 1)) {
        scri_reader_fail(r, (one ? one : many)->place,
                         n == 0   ? "%s has no freedom"
                         : n == 1 ? "%s has one freedom"
                         : n == 2 ? "%s has two freedoms: write a list 'freedoms'"
                                  : "%s has three freedoms: write a list 'freedoms'",
                         what);
        return;
    }
    for (int k = 0; item && !r->status; item = item->next, ++k) {
        read_freedom(r, item, &out->def.freedom[k]);
        if (one) return;
    }
}

/* ---- one joint ------------------------------------------------------------------------------- */

const char* scri_joint_type(scree_joint_kind kind)
{
    return kinds[kind].name;
}

static void read_kind(scri_reader* r, const scri_yaml* map, scree_joint_def* def)
{
    const char* names[SCREE_JOINT_KIND_COUNT + 1] = {NULL};
    for (int k = 0; k < SCREE_JOINT_KIND_COUNT; ++k) names[k] = kinds[k].name;
    int kind = 0;
    if (map->kind == SCRI_YAML_MAP && !scri_need(r, map, "a joint", "type")) return;
    scri_read_choice(r, map, "type", names, &kind);
    def->kind = (scree_joint_kind)kind;
}

static bool has_its_keys(scri_reader* r, const scri_yaml* map, scree_joint_kind kind)
{
    const char* allowed[MAX_KEYS] = {NULL};
    int n = 0;
    for (int k = 0; k < N_COMMON; ++k) allowed[n++] = common_keys[k];
    for (int k = 0; k < 3 && kinds[kind].keys[k]; ++k) allowed[n++] = kinds[kind].keys[k];
    return scri_is_map_of(r, map, kinds[kind].what, allowed);
}

static void read_curve(scri_reader* r, const scri_yaml* map, scree_joint_def* def)
{
    const scri_yaml* list = scri_need(r, map, "a curve", "points");
    if (!list) return;
    int32_t n = 0;
    const scri_yaml* item = scri_get_list(r, map, "points", &n);
    if (!r->status && n < 3) {
        scri_reader_fail(r, list->place, "points: a curve has three or more, not %d", (int)n);
    }
    double* curve = scri_reader_take(r, 3 * (size_t)n, sizeof *curve);
    for (int32_t k = 0; item && !r->status; item = item->next, ++k) {
        scri_read_numbers(r, item, "points", 3, curve + 3 * (size_t)k);
    }
    def->n_curve = n;
    def->curve = curve;
    scri_read_truth(r, map, "closed", &def->closed);
}

/* A pair of numbers for points and turns. */
static void read_two(scri_reader* r, const scri_yaml* map, const char* key, double value[2])
{
    const scri_yaml* list = scri_get(map, key);
    if (!list) return;
    scri_read_numbers(r, list, key, 2, value);
    const scri_yaml* item = list->first;
    for (int k = 0; k < 2 && !r->status; ++k, item = item->next) {
        scri_evaluate(r, item, key, SCRI_NOT_NEGATIVE, &value[k]);
    }
}

static void read_sizes(scri_reader* r, const scri_yaml* map, scree_joint_def* def)
{
    const char* what = kinds[def->kind].what;
    bool has_ratio = kinds[def->kind].keys[0] && strcmp(kinds[def->kind].keys[0], "ratio") == 0;
    if (has_ratio && !scri_need(r, map, what, "ratio")) return;
    if (has_ratio) scri_read_number(r, map, "ratio", SCRI_ANY, &def->ratio);
    if (def->kind == SCREE_JOINT_CURVE) read_curve(r, map, def);
    if (def->kind == SCREE_JOINT_DISTANCE || def->kind == SCREE_JOINT_ROPE) {
        if (scri_get(map, "frames") && !scri_need(r, map, what, "length")) return;
        scri_read_number(r, map, "length", SCRI_POSITIVE, &def->length);
        if (!r->status && !(def->length > 0.0)) {
            scri_reader_fail(r, map->place, "%s needs two points that are apart, or a length",
                             what);
        }
    }
    read_two(r, map, "compliance", def->compliance);
    read_two(r, map, "damping", def->damping);
    scri_read_truth(r, map, "collide", &def->collide);
    scri_read_number(r, map, "break_force", SCRI_PERHAPS_NEVER, &def->break_force);
    scri_read_number(r, map, "break_torque", SCRI_PERHAPS_NEVER, &def->break_torque);
}

static const char* read_name(scri_reader* r, const scri_yaml* map, int32_t index)
{
    const scri_yaml* node = scri_get(map, "name");
    if (node) return scri_name_of(r, node, "name");
    char* name = scri_reader_take(r, 24, 1);
    if (name) snprintf(name, 24, "joint-%d", (int)index);
    return name;
}

static void read_joint(scri_reader* r, const scri_yaml* map, int32_t index, scree_scene_joint* out)
{
    *out = (scree_scene_joint){.def = scree_default_joint_def()};
    read_kind(r, map, &out->def);
    if (r->status || !has_its_keys(r, map, out->def.kind)) return;
    read_two_bodies(r, map, out);
    read_carrier(r, map, out);
    if (!r->status) read_both_frames(r, map, out);
    if (!r->status) read_sizes(r, map, &out->def);
    read_freedoms(r, map, out);
    scri_asked asked; /* what the world would say of it */
    scri_ask_begin(r, &asked);
    scree_status status = r->status ? SCREE_OK : scri_joint_check(&asked.env, &out->def);
    scri_ask_end(r, map->place, &asked, status);
    if (r->status) return;
    out->name = read_name(r, map, index);
    const scri_yaml* name = scri_get(map, "name");
    scri_names_add(r, r->joint_names, out->name, name ? name->place : map->place, index);
}

void scri_read_joints(scri_reader* r, const scri_yaml* root)
{
    int32_t n;
    scree_scene* scene = r->scene;
    const scri_yaml* item = scri_get_list(r, root, "joints", &n);
    r->joint_names = scri_names_create(r, n);
    scene->joints = scri_reader_take(r, (size_t)n, sizeof *scene->joints);
    for (; item && !r->status; item = item->next) {
        int32_t index = scene->n_joints++;
        read_joint(r, item, index, &scene->joints[index]);
    }
}
