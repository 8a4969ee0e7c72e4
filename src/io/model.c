/* What URDF and MJCF have in common: faults, numbers, names, poses, masses. */
#include "io/model.h"

#include "base/env.h"
#include "io/axes.h"
#include "io/number_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- faults and memory ----------------------------------------------------------------------- */

void scri_model_fail(scri_model* m, scri_yaml_place place, const char* format, ...)
{
    if (m->status) return;
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    m->status = scri_yaml_fail(&m->source, place, SCREE_ERROR_INPUT, "%s", what);
}

void* scri_model_take(scri_model* m, size_t count, size_t size)
{
    if (m->status) return NULL;
    void* memory = scri_arena_take(m->source.arena, count, size);
    if (!memory) m->status = SCREE_ERROR_MEMORY;
    return memory;
}

/* ---- numbers and names ----------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int scri_model_numbers(scri_model* m, scri_yaml_place place, const char* what, const char* text,
                       int least, int most, double* out)
{
    int n = 0;
    const char* c = text;
    while (!m->status) {
        while (is_space(*c)) ++c;
        if (!*c) break;
        size_t length = 0;
        double value;
        while (c[length] && !is_space(c[length])) ++length;
        if (n == most) {
            scri_model_fail(m, place, "%s: more than %d number%s", what, most,
                            most == 1 ? "" : "s");
        } else if (scri_number_parse(c, length, &value) != SCRI_NUMBER_OK) {
            char shown[40];
            snprintf(shown, sizeof shown, "%.*s", (int)(length < 32 ? length : 32), c);
            scri_model_fail(m, place, "%s: '%s' is not a finite number", what,
                            scri_show(shown).text);
        } else {
            out[n++] = value;
        }
        c += length;
    }
    if (n < least) {
        scri_model_fail(m, place, "%s: %d number%s expected, not %d", what, least,
                        least == 1 ? " is" : "s are", n);
    }
    return n;
}

const char* scri_model_name(scri_model* m, const char* name, const char* usual, int number)
{
    enum { LONGEST = 64 };
    char* made = scri_model_take(m, LONGEST + 1, 1);
    if (!made) return "";
    if (!name || !*name) {
        snprintf(made, LONGEST + 1, "%s-%d", usual, number);
        return made;
    }
    for (size_t k = 0; k < LONGEST && name[k]; ++k) {
        bool bad = (unsigned char)name[k] <= ' ' || name[k] == 0x7f || name[k] == '.' ||
                   name[k] == '=' || name[k] == '$';
        made[k] = bad ? '_' : name[k];
    }
    return made;
}

/* ---- parts ----------------------------------------------------------------------------------- */

scri_link* scri_model_add_link(scri_model* m, scri_yaml_place place, const char* name)
{
    scri_link* link = scri_model_take(m, 1, sizeof *link);
    if (!link) return NULL;
    *link = (scri_link){.place = place, .name = name, .pose = scri_pose_none()};
    if (m->last_link) {
        m->last_link->next = link;
    } else {
        m->links = link;
    }
    m->last_link = link;
    return link;
}

scri_model_joint* scri_model_add_joint(scri_model* m, scri_yaml_place place, const char* name)
{
    scri_model_joint* joint = scri_model_take(m, 1, sizeof *joint);
    if (!joint) return NULL;
    scree_joint_def usual = scree_default_joint_def();
    *joint = (scri_model_joint){
        .place = place, .name = name, .frame = {scri_pose_none(), scri_pose_none()}};
    memcpy(joint->freedom, usual.freedom, sizeof joint->freedom);
    if (m->last_joint) {
        m->last_joint->next = joint;
    } else {
        m->joints = joint;
    }
    m->last_joint = joint;
    return joint;
}

scri_model_shape* scri_model_add_shape(scri_model* m, scri_link* link, scri_yaml_place place)
{
    scri_model_shape* shape = scri_model_take(m, 1, sizeof *shape);
    if (!shape) return NULL;
    *shape = (scri_model_shape){.place = place, .pose = scri_pose_none()};
    if (link->last_shape) {
        link->last_shape->next = shape;
    } else {
        link->shapes = shape;
    }
    link->last_shape = shape;
    return shape;
}

int scri_model_material_of(scri_model* m, scri_yaml_place place, scri_model_material material)
{
    for (int k = 0; k < m->n_materials; ++k) {
        const scri_model_material* known = &m->materials[k];
        bool same = known->dimensions == material.dimensions;
        for (int j = 0; j < 3; ++j) same = same && known->friction[j] == material.friction[j];
        if (same) return k;
    }
    if (m->n_materials == SCRI_MODEL_MATERIALS) {
        scri_model_fail(m, place, "more than %d kinds of friction", SCRI_MODEL_MATERIALS);
        return 0;
    }
    m->materials[m->n_materials] = material;
    return m->n_materials++;
}

/* ---- poses ----------------------------------------------------------------------------------- */

scri_pose scri_pose_none(void)
{
    return (scri_pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
}

scri_pose scri_pose_of(scri_vec at, scri_quat turn)
{
    return (scri_pose){at, turn};
}

static bool is_turned(scri_quat q)
{
    return q.w != 1.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

/* Where one of the two does not turn, the other's rotation stays as it is, to the last digit. */
scri_pose scri_pose_multiply(scri_pose a, scri_pose b)
{
    if (!is_turned(a.turn)) return (scri_pose){scri_vec_add(a.at, b.at), b.turn};
    if (!is_turned(b.turn)) {
        return (scri_pose){scri_vec_add(a.at, scri_quat_rotate(a.turn, b.at)), a.turn};
    }
    return (scri_pose){scri_vec_add(a.at, scri_quat_rotate(a.turn, b.at)),
                       scri_quat_normalize(scri_quat_multiply(a.turn, b.turn))};
}

scri_pose scri_pose_inverse(scri_pose a)
{
    scri_quat back = {a.turn.w, -a.turn.x, -a.turn.y, -a.turn.z};
    return (scri_pose){scri_vec_scale(-1.0, scri_quat_rotate(back, a.at)), back};
}

scri_quat scri_turn_about(scri_vec axis, double angle)
{
    return scri_quat_normalize(scri_quat_exp(scri_vec_scale(angle, axis)));
}

scri_quat scri_turn_to_axis(scri_vec axis)
{
    return scri_axes_turn(axis, scri_axes_second(axis));
}

/* ---- masses ---------------------------------------------------------------------------------- */

/* R J R' of xx yy zz xy xz yz. */
static void turn_inertia(scri_quat turn, const double j[6], double out[6])
{
    const double full[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    scri_vec axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double r[3][3], rj[3][3], sum[3][3];
    for (int k = 0; k < 3; ++k) {
        double column[3];
        scri_vec_store(scri_quat_rotate(turn, axis[k]), column);
        for (int i = 0; i < 3; ++i) r[i][k] = column[i];
    }
    for (int i = 0; i < 9; ++i) {
        int a = i / 3, b = i % 3;
        rj[a][b] = r[a][0] * full[0][b] + r[a][1] * full[1][b] + r[a][2] * full[2][b];
    }
    for (int i = 0; i < 9; ++i) {
        int a = i / 3, b = i % 3;
        sum[a][b] = rj[a][0] * r[b][0] + rj[a][1] * r[b][1] + rj[a][2] * r[b][2];
    }
    const double made[6] = {sum[0][0], sum[1][1], sum[2][2], sum[0][1], sum[0][2], sum[1][2]};
    memcpy(out, made, sizeof made);
}

/* Adds the inertia of a point of mass at d from the centre (Steiner). */
static void add_point(double inertia[6], double mass, scri_vec d)
{
    inertia[0] += mass * (d.y * d.y + d.z * d.z);
    inertia[1] += mass * (d.x * d.x + d.z * d.z);
    inertia[2] += mass * (d.x * d.x + d.y * d.y);
    inertia[3] -= mass * d.x * d.y;
    inertia[4] -= mass * d.x * d.z;
    inertia[5] -= mass * d.y * d.z;
}

void scri_mass_add(scree_mass* to, const scree_mass* mass, scri_pose pose)
{
    double turned[6];
    scri_vec at = scri_vec_add(pose.at, scri_quat_rotate(pose.turn, scri_vec_load(mass->centre)));
    turn_inertia(pose.turn, mass->inertia, turned);
    if (to->mass == 0.0) {
        *to = (scree_mass){.mass = mass->mass};
        scri_vec_store(at, to->centre);
        memcpy(to->inertia, turned, sizeof turned);
        return;
    }
    double sum = to->mass + mass->mass;
    scri_vec old = scri_vec_load(to->centre);
    scri_vec centre = scri_vec_add_scaled(old, mass->mass / sum, scri_vec_sub(at, old));
    for (int k = 0; k < 6; ++k) to->inertia[k] += turned[k];
    add_point(to->inertia, to->mass, scri_vec_sub(old, centre));
    add_point(to->inertia, mass->mass, scri_vec_sub(at, centre));
    to->mass = sum;
    scri_vec_store(centre, to->centre);
}

/* ---- any of them ----------------------------------------------------------------------------- */

static const char keyframe_key[] = "keyframe=";

bool scri_model_takes_setting(const char* setting)
{
    return strncmp(setting, keyframe_key, sizeof keyframe_key - 1) == 0;
}

static const char* find_keyframe(int32_t n, const char* const* settings)
{
    const char* found = NULL;
    for (int32_t k = 0; k < n; ++k) {
        if (scri_model_takes_setting(settings[k])) found = settings[k] + sizeof keyframe_key - 1;
    }
    return found;
}

scree_status scri_model_load(const scri_yaml_source* source, const char* text, size_t size,
                             int32_t n_settings, const char* const* settings, scri_yaml** root)
{
    *root = NULL;
    scri_model* m = scri_arena_take(source->arena, 1, sizeof *m);
    if (!m) return SCREE_ERROR_MEMORY;
    m->source = *source;
    m->keyframe = find_keyframe(n_settings, settings);
    m->status = scri_xml_load(source, text, size, &m->root);
    if (m->status) return m->status;
    m->root->is_read = true;
    m->title = scri_xml_get(m->root, strcmp(m->root->name, "mujoco") == 0 ? "model" : "name");
    if (strcmp(m->root->name, "robot") == 0) {
        scri_urdf_read(m);
    } else if (strcmp(m->root->name, "mujoco") == 0) {
        scri_mjcf_read(m);
    } else {
        scri_model_fail(m, m->root->place, "<%s> is neither <robot> (URDF) nor <mujoco> (MJCF)",
                        scri_show(m->root->name).text);
    }
    if (!m->status && m->keyframe && !m->has_keyframe) {
        scri_model_fail(m, m->root->place, "there is no keyframe '%s'",
                        scri_show(m->keyframe).text);
    }
    if (!m->status) *root = scri_model_to_scene(m);
    if (!m->status) scri_xml_list_unread(source, m->root);
    return m->status;
}
