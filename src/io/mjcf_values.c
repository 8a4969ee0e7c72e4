/* Attributes of MJCF with their classes of defaults, poses, settings of its compiler. */
#include "io/axes.h"
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

/* ---- attributes ------------------------------------------------------------------------------ */

const char* scri_mjcf_get(const scri_mjcf_class* defaults, scri_xml* element, const char* name)
{
    const char* value = scri_xml_get(element, name);
    for (; defaults && !value; defaults = defaults->parent) {
        scri_xml* usual = scri_xml_child(defaults->element, element->name);
        if (usual) value = scri_xml_get(usual, name);
    }
    return value;
}

int scri_mjcf_numbers(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element,
                      const char* name, int least, int most, double* out)
{
    const char* text = scri_mjcf_get(defaults, element, name);
    if (!text) return 0;
    return scri_model_numbers(c->m, element->place, name, text, least, most, out);
}

bool scri_mjcf_truth(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element,
                     const char* name, bool usual)
{
    const char* text = scri_mjcf_get(defaults, element, name);
    if (!text || strcmp(text, "auto") == 0) return usual;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
        scri_model_fail(c->m, element->place, "%s: 'true' or 'false' is expected, not '%s'", name,
                        scri_show(text).text);
    }
    return strcmp(text, "true") == 0;
}

scri_vec scri_mjcf_direction(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element,
                             const char* name, scri_vec usual)
{
    double v[3] = {usual.x, usual.y, usual.z};
    scri_mjcf_numbers(c, defaults, element, name, 3, 3, v);
    double length = scri_vec_length(scri_vec_load(v));
    if (!c->m->status && !(length > 0.0 && isfinite(length))) {
        scri_model_fail(c->m, element->place, "%s has no direction", name);
    }
    return c->m->status ? usual : scri_vec_scale(1.0 / length, scri_vec_load(v));
}

/* ---- poses ----------------------------------------------------------------------------------- */

static scri_quat read_quaternion(scri_mjcf* c, scri_xml* element, const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.0 && isfinite(length))) {
        scri_model_fail(c->m, element->place, "quat has no length");
        return (scri_quat){1.0, 0.0, 0.0, 0.0};
    }
    return scri_quat_normalize(scri_quat_load(q));
}

/* Letters are axes in the order of turning: small ones turn with the body, large ones do not. */
static scri_quat read_euler(const scri_mjcf* c, const double angle[3])
{
    scri_quat turn = {1.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        char letter = c->euler[k];
        bool is_fixed = letter >= 'X' && letter <= 'Z';
        int j = is_fixed ? letter - 'X' : letter - 'x';
        scri_quat one = scri_turn_about((scri_vec){j == 0, j == 1, j == 2}, c->angle * angle[k]);
        turn = is_fixed ? scri_quat_multiply(one, turn) : scri_quat_multiply(turn, one);
    }
    return scri_quat_normalize(turn);
}

scri_quat scri_mjcf_turn_z(scri_vec z)
{
    double across = hypot(z.x, z.y), angle = atan2(across, z.z);
    if (!(across > 0.0)) return scri_turn_about((scri_vec){1.0, 0.0, 0.0}, angle);
    return scri_turn_about((scri_vec){-z.y / across, z.x / across, 0.0}, angle);
}

static scri_quat read_axes(scri_mjcf* c, scri_xml* element, const double v[6])
{
    scri_vec x = scri_vec_load(v), y = scri_vec_load(v + 3);
    double length = scri_vec_length(x);
    x = scri_vec_scale(1.0 / length, x);
    if (!(length > 0.0 && scri_vec_length(scri_vec_cross(x, y)) > 1e-6 * scri_vec_length(y))) {
        scri_model_fail(c->m, element->place, "xyaxes are not two directions");
        return (scri_quat){1.0, 0.0, 0.0, 0.0};
    }
    return scri_axes_turn(x, y);
}

static scri_quat read_turn(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element)
{
    double v[6] = {0.0};
    if (scri_mjcf_numbers(c, defaults, element, "quat", 4, 4, v)) {
        return read_quaternion(c, element, v);
    }
    if (scri_mjcf_numbers(c, defaults, element, "axisangle", 4, 4, v)) {
        double length = scri_vec_length(scri_vec_load(v));
        if (!(length > 0.0)) scri_model_fail(c->m, element->place, "axisangle has no axis");
        return scri_turn_about(scri_vec_scale(1.0 / length, scri_vec_load(v)), c->angle * v[3]);
    }
    if (scri_mjcf_numbers(c, defaults, element, "euler", 3, 3, v)) return read_euler(c, v);
    if (scri_mjcf_numbers(c, defaults, element, "xyaxes", 6, 6, v)) return read_axes(c, element, v);
    if (scri_mjcf_get(defaults, element, "zaxis")) {
        return scri_mjcf_turn_z(
            scri_mjcf_direction(c, defaults, element, "zaxis", (scri_vec){0.0, 0.0, 1.0}));
    }
    return (scri_quat){1.0, 0.0, 0.0, 0.0};
}

scri_pose scri_mjcf_pose(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element)
{
    double at[3] = {0.0};
    scri_mjcf_numbers(c, defaults, element, "pos", 3, 3, at);
    return scri_pose_of(scri_vec_load(at), read_turn(c, defaults, element));
}

/* ---- classes of defaults --------------------------------------------------------------------- */

const scri_mjcf_class* scri_mjcf_class_of(scri_mjcf* c, scri_xml* element, const char* key,
                                          const scri_mjcf_class* usual)
{
    const char* name = scri_xml_get(element, key);
    if (!name) return usual;
    for (const scri_mjcf_class* k = c->classes; k; k = k->next) {
        if (strcmp(k->name, name) == 0) return k;
    }
    scri_model_fail(c->m, element->place, "there is no class '%s' of defaults",
                    scri_show(name).text);
    return usual;
}

static scri_mjcf_class* add_class(scri_mjcf* c, scri_xml* element, scri_mjcf_class* parent)
{
    const char* name = scri_xml_get(element, "class");
    scri_mjcf_class* made = scri_model_take(c->m, 1, sizeof *made);
    if (!made) return NULL;
    if (!name && parent) {
        scri_model_fail(c->m, element->place, "<default> within another needs 'class'");
    }
    *made = (scri_mjcf_class){c->classes, parent, name ? name : "main", element};
    c->classes = made;
    return made;
}

static scri_xml* next_default(scri_xml* from)
{
    return scri_xml_sibling(from, "default");
}

void scri_mjcf_read_defaults(scri_mjcf* c)
{
    struct {
        scri_xml* element;
        scri_mjcf_class* parent;
    } stack[SCRI_YAML_MAX_DEPTH + 1];
    int depth = 0;
    stack[0].element = scri_xml_child(c->m->root, "default");
    stack[0].parent = NULL;
    while (depth >= 0 && !c->m->status) {
        scri_xml* element = stack[depth].element;
        if (!element) {
            --depth;
            continue;
        }
        stack[depth].element = next_default(element);
        scri_mjcf_class* made =
            add_class(c, element, stack[depth].parent ? stack[depth].parent : NULL);
        if (!stack[depth].parent && !c->main) c->main = made;
        ++depth;
        stack[depth].element = scri_xml_child(element, "default");
        stack[depth].parent = made;
    }
}

void scri_mjcf_forgive_defaults(const scri_mjcf* c)
{
    static const char* const known[][28] = {
        {"geom", "type", "size", "fromto", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler",
         "mass", "density", "friction", "condim", "contype", "conaffinity"},
        {"joint", "type", "pos", "axis", "range", "limited", "stiffness", "damping", "frictionloss",
         "armature", "ref", "springref"},
        {"motor", "gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited"},
        {"position", "gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited", "kp", "kv"},
        {"velocity", "gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited", "kv"},
    };
    for (const scri_mjcf_class* k = c->classes; k; k = k->next) {
        for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
            scri_xml* element = scri_xml_child(k->element, known[i][0]);
            for (int j = 1; element && known[i][j]; ++j) scri_xml_get(element, known[i][j]);
        }
    }
}

/* ---- the compiler ---------------------------------------------------------------------------- */

static void read_one(scri_mjcf* c, scri_xml* e)
{
    const char* angle = scri_xml_get(e, "angle");
    const char* coordinate = scri_xml_get(e, "coordinate");
    const char* euler = scri_xml_get(e, "eulerseq");
    const char* from_geoms = scri_xml_get(e, "inertiafromgeom");
    if (angle && strcmp(angle, "radian") == 0) c->angle = 1.0;
    if (angle && strcmp(angle, "degree") == 0) c->angle = SCREE_DEGREE;
    if (coordinate && strcmp(coordinate, "local") != 0) {
        scri_model_fail(c->m, e->place, "coordinate: only 'local' is understood");
    }
    if (euler) {
        if (strlen(euler) != 3 || strspn(euler, "xyzXYZ") != 3) {
            scri_model_fail(c->m, e->place, "eulerseq: three letters of xyzXYZ are expected");
            return;
        }
        memcpy(c->euler, euler, sizeof c->euler);
    }
    c->autolimits = scri_mjcf_truth(c, NULL, e, "autolimits", c->autolimits);
    if (from_geoms) {
        c->may_be_from_geoms = strcmp(from_geoms, "false") != 0;
        c->from_geoms = strcmp(from_geoms, "true") == 0;
    }
}

void scri_mjcf_read_compiler(scri_mjcf* c)
{
    c->angle = SCREE_DEGREE;
    memcpy(c->euler, "xyz", sizeof c->euler);
    c->autolimits = c->may_be_from_geoms = true;
    scri_xml* e = scri_xml_child(c->m->root, "compiler");
    for (; e && !c->m->status; e = scri_xml_sibling(e, "compiler")) read_one(c, e);
}
