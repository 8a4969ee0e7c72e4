/* URDF: links that joints hang on each other, a tree. */
#include "io/model.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

typedef struct urdf_joint urdf_joint;

typedef struct urdf_link {
    scri_xml* element;
    const char* name;
    urdf_joint* joint; /* whose child it is; NULL: a root */
    scri_link* rigid;  /* what it is part of; NULL: not reached yet */
    scri_pose in;      /* where it is in that */
} urdf_link;

struct urdf_joint {
    scri_xml* element;
    const char *name, *type;
    urdf_link *parent, *child;
    scri_pose origin; /* of the child in the parent's frame, at zero */
    scri_vec axis;
    double start;           /* coordinate at the beginning: that of a mimic is its offset */
    scri_model_joint* made; /* NULL: fixed or floating */
};

typedef struct urdf {
    scri_model* m;
    int n_links, n_joints;
    urdf_link* links;
    urdf_joint* joints;
} urdf;

/* ---- attributes ------------------------------------------------------------------------------ */

static const char* need(scri_model* m, scri_xml* element, const char* name)
{
    const char* value = scri_xml_get(element, name);
    if (!value) scri_model_fail(m, element->place, "<%s> needs '%s'", element->name, name);
    return value;
}

static double read_number(scri_model* m, scri_xml* element, const char* name, double usual)
{
    const char* text = scri_xml_get(element, name);
    if (text) scri_model_numbers(m, element->place, name, text, 1, 1, &usual);
    return usual;
}

static double need_positive(scri_model* m, scri_xml* element, const char* name)
{
    double value = need(m, element, name) ? read_number(m, element, name, 0.0) : 0.0;
    if (!(value > 0.0)) scri_model_fail(m, element->place, "%s = %g must be positive", name, value);
    return value;
}

/* <origin xyz="" rpy=""/>: turned about the fixed axes x, y, z, one after the other. */
static scri_pose read_origin(scri_model* m, scri_xml* parent)
{
    scri_xml* element = scri_xml_child(parent, "origin");
    double xyz[3] = {0.0}, rpy[3] = {0.0};
    if (!element) return scri_pose_none();
    const char *at = scri_xml_get(element, "xyz"), *turn = scri_xml_get(element, "rpy");
    if (at) scri_model_numbers(m, element->place, "xyz", at, 3, 3, xyz);
    if (turn) scri_model_numbers(m, element->place, "rpy", turn, 3, 3, rpy);
    scri_pose pose = {.at = scri_vec_load(xyz), .turn = {1.0, 0.0, 0.0, 0.0}};
    for (int k = 2; k >= 0; --k) {
        scri_vec axis = {k == 0, k == 1, k == 2};
        if (rpy[k] == 0.0) continue;
        pose.turn = scri_quat_multiply(pose.turn, scri_turn_about(axis, rpy[k]));
    }
    return pose;
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool read_inertial(scri_model* m, scri_xml* link, scri_pose* origin, scree_mass* out)
{
    static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    scri_xml* inertial = scri_xml_child(link, "inertial");
    if (!inertial) return false;
    *origin = read_origin(m, inertial);
    scri_xml *mass = scri_xml_child(inertial, "mass"),
             *inertia = scri_xml_child(inertial, "inertia");
    if (!mass || !inertia) {
        scri_model_fail(m, inertial->place, "<inertial> needs <mass> and <inertia>");
        return false;
    }
    out->mass = need(m, mass, "value") ? read_number(m, mass, "value", 0.0) : 0.0;
    for (int k = 0; k < 6; ++k) out->inertia[k] = read_number(m, inertia, names[k], 0.0);
    if (!(out->mass >= 0.0)) scri_model_fail(m, mass->place, "the mass is negative");
    return out->mass > 0.0;
}

/* Whether a file is one that hulls are made of. */
static bool is_surface(const char* name)
{
    static const char* const endings[] = {".obj", ".stl", ".ply"};
    size_t n = strlen(name);
    for (int k = 0; k < 3; ++k) {
        size_t at = 0;
        while (n >= 4 && at < 4 && tolower((unsigned char)name[n - 4 + at]) == endings[k][at]) ++at;
        if (at == 4) return true;
    }
    return false;
}

/* The convex hull of a mesh: `file://` is left out, and of `package://` the name of the package, so
 * that the file is looked for beside the model. False where nothing here reads such files. */
static bool read_mesh(scri_model* m, scri_xml* mesh, scri_model_shape* out)
{
    static const char file[] = "file://", package[] = "package://";
    const char *name = scri_xml_get(mesh, "filename"), *slash;
    mesh->is_read = name && is_surface(name);
    if (!mesh->is_read) return false;
    if (strncmp(name, file, sizeof file - 1) == 0) {
        name += sizeof file - 1;
    } else if (strncmp(name, package, sizeof package - 1) == 0) {
        slash = strchr(name + sizeof package - 1, '/');
        if (slash) name = slash + 1;
    }
    const char* scale = scri_xml_get(mesh, "scale");
    for (int k = 0; k < 3; ++k) out->half_size[k] = 1.0;
    if (scale) scri_model_numbers(m, mesh->place, "scale", scale, 3, 3, out->half_size);
    out->kind = SCREE_SHAPE_HULL;
    out->file = name;
    return true;
}

/* False where the shape is none that is known. */
static bool read_geometry(scri_model* m, scri_xml* geometry, scri_model_shape* out)
{
    scri_xml* e = scri_xml_child(geometry, "box");
    if (e) {
        double size[3] = {0.0};
        const char* text = need(m, e, "size");
        if (text) scri_model_numbers(m, e->place, "size", text, 3, 3, size);
        out->kind = SCREE_SHAPE_BOX;
        for (int k = 0; k < 3; ++k) out->half_size[k] = 0.5 * size[k];
        if (!(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) {
            scri_model_fail(m, e->place, "the sizes of a box must be positive");
        }
        return true;
    }
    if ((e = scri_xml_child(geometry, "sphere"))) {
        out->kind = SCREE_SHAPE_SPHERE;
        out->half_size[0] = need_positive(m, e, "radius");
        return true;
    }
    out->kind = SCREE_SHAPE_CYLINDER;
    e = scri_xml_child(geometry, "cylinder");
    if (!e && (e = scri_xml_child(geometry, "capsule"))) out->kind = SCREE_SHAPE_CAPSULE;
    if (!e) {
        e = scri_xml_child(geometry, "mesh");
        return e && read_mesh(m, e, out);
    }
    out->half_size[0] = need_positive(m, e, "radius");
    out->half_size[1] = 0.5 * need_positive(m, e, "length");
    return true;
}

static void read_collisions(scri_model* m, urdf_link* link)
{
    scri_xml* collision = scri_xml_child(link->element, "collision");
    for (; collision && !m->status; collision = scri_xml_sibling(collision, "collision")) {
        scri_model_shape read = {.place = collision->place};
        scri_xml_get(collision, "name");
        scri_pose origin = scri_pose_multiply(link->in, read_origin(m, collision));
        scri_xml* geometry = scri_xml_child(collision, "geometry");
        if (!geometry) scri_model_fail(m, collision->place, "<collision> needs <geometry>");
        if (m->status || !read_geometry(m, geometry, &read)) continue;
        scri_model_shape* shape = scri_model_add_shape(m, link->rigid, collision->place);
        if (!shape) return;
        read.pose = origin;
        *shape = read;
    }
}

/* Puts a link into what it is rigid with. */
static void take_in(scri_model* m, urdf_link* link)
{
    scri_pose origin = scri_pose_none();
    scree_mass mass = {0};
    if (read_inertial(m, link->element, &origin, &mass)) {
        scri_mass_add(&link->rigid->mass, &mass, scri_pose_multiply(link->in, origin));
        link->rigid->has_mass = true;
    }
    read_collisions(m, link);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static urdf_link* find_link(const urdf* u, const char* name)
{
    for (int k = 0; k < u->n_links; ++k) {
        if (strcmp(u->links[k].name, name) == 0) return &u->links[k];
    }
    return NULL;
}

static urdf_link* read_end(urdf* u, scri_xml* joint, const char* which)
{
    scri_xml* element = scri_xml_child(joint, which);
    if (!element) {
        scri_model_fail(u->m, joint->place, "<joint> needs <%s>", which);
        return NULL;
    }
    const char* name = need(u->m, element, "link");
    urdf_link* link = name ? find_link(u, name) : NULL;
    if (name && !link) {
        scri_model_fail(u->m, element->place, "there is no link '%s'", scri_show(name).text);
    }
    return link;
}

static void read_axis(urdf* u, urdf_joint* joint)
{
    scri_xml* element = scri_xml_child(joint->element, "axis");
    double axis[3] = {1.0, 0.0, 0.0};
    joint->axis = scri_vec_load(axis);
    if (!element) return;
    const char* text = need(u->m, element, "xyz");
    if (text) scri_model_numbers(u->m, element->place, "axis", text, 3, 3, axis);
    double length = scri_vec_length(scri_vec_load(axis));
    if (!u->m->status && !(length > 0.0 && isfinite(length))) {
        scri_model_fail(u->m, element->place, "axis of joint '%s' has no direction", joint->name);
    }
    joint->axis = scri_vec_scale(1.0 / length, scri_vec_load(axis));
}

static void read_joint(urdf* u, scri_xml* element, urdf_joint* joint)
{
    scri_model* m = u->m;
    const char *name = need(m, element, "name"), *type = need(m, element, "type");
    if (m->status) return;
    *joint = (urdf_joint){.element = element, .name = name, .type = type};
    joint->parent = read_end(u, element, "parent");
    joint->child = read_end(u, element, "child");
    if (m->status) return;
    if (joint->parent == joint->child) {
        scri_model_fail(m, element->place, "joint '%s' joins link '%s' to itself", name,
                        joint->child->name);
    } else if (joint->child->joint) {
        scri_model_fail(m, element->place, "link '%s' is the child of two joints, '%s' and '%s'",
                        joint->child->name, joint->child->joint->name, name);
    }
    joint->child->joint = joint;
    joint->origin = read_origin(m, element);
    read_axis(u, joint);
}

/* ---- what a joint may do --------------------------------------------------------------------- */

static const struct {
    const char* name;
    scree_joint_kind kind;
    bool has_limits;
} types[] = {
    {"revolute", SCREE_JOINT_HINGE, true},
    {"continuous", SCREE_JOINT_HINGE, false},
    {"prismatic", SCREE_JOINT_SLIDER, true},
    {"planar", SCREE_JOINT_PLANAR, false},
};
enum { N_TYPES = sizeof types / sizeof types[0] };

static void read_limit(scri_model* m, const urdf_joint* joint, bool has_limits, scree_freedom* out)
{
    scri_xml* limit = scri_xml_child(joint->element, "limit");
    if (!limit) {
        if (has_limits) {
            scri_model_fail(m, joint->element->place, "joint '%s' is %s and needs <limit>",
                            joint->name, joint->type);
        }
        return;
    }
    double effort = read_number(m, limit, "effort", 0.0);
    if (effort > 0.0) out->max_effort = effort; /* of a motor, should it get one */
    if (!has_limits) return;
    out->lower = read_number(m, limit, "lower", 0.0);
    out->upper = read_number(m, limit, "upper", 0.0);
    if (!m->status && !(out->lower <= out->upper)) {
        scri_model_fail(m, limit->place, "joint '%s': lower = %g is above upper = %g", joint->name,
                        out->lower, out->upper);
    }
}

static void read_dynamics(scri_model* m, const urdf_joint* joint, scree_freedom* out)
{
    scri_xml* dynamics = scri_xml_child(joint->element, "dynamics");
    if (!dynamics) return;
    out->damping = read_number(m, dynamics, "damping", 0.0);
    out->friction = read_number(m, dynamics, "friction", 0.0);
    if (!(out->damping >= 0.0 && out->friction >= 0.0)) {
        scri_model_fail(m, dynamics->place, "damping and friction must not be negative");
    }
}

/* The child's frame is where the joint is. */
static void make_joint(urdf* u, urdf_joint* joint, int type)
{
    scri_model* m = u->m;
    scri_model_joint* made =
        scri_model_add_joint(m, joint->element->place, scri_model_name(m, joint->name, "joint", 0));
    if (!made) return;
    scri_pose axes = scri_pose_of((scri_vec){0.0, 0.0, 0.0}, scri_turn_to_axis(joint->axis));
    made->kind = types[type].kind;
    made->link[0] = joint->child->rigid;
    made->link[1] = joint->parent->rigid;
    made->frame[0] = axes;
    made->frame[1] = scri_pose_multiply(scri_pose_multiply(joint->parent->in, joint->origin), axes);
    joint->made = made;
    read_limit(m, joint, types[type].has_limits, &made->freedom[0]);
    read_dynamics(m, joint, &made->freedom[0]);
    for (int k = 1; k < SCREE_FREEDOMS_MAX; ++k) made->freedom[k] = made->freedom[0];
}

/* Where the child is once the joint has its coordinate. */
static scri_pose moved(const urdf_joint* joint, scree_joint_kind kind)
{
    scri_pose by = scri_pose_none();
    if (joint->start == 0.0) return joint->origin;
    if (kind == SCREE_JOINT_SLIDER) by.at = scri_vec_scale(joint->start, joint->axis);
    if (kind == SCREE_JOINT_HINGE) by.turn = scri_turn_about(joint->axis, joint->start);
    return scri_pose_multiply(joint->origin, by);
}

static void begin_rigid(urdf* u, urdf_link* link, scri_pose pose)
{
    scri_model* m = u->m;
    link->rigid =
        scri_model_add_link(m, link->element->place, scri_model_name(m, link->name, "link", 0));
    link->in = scri_pose_none();
    if (link->rigid) link->rigid->pose = pose;
}

static int find_type(const char* name)
{
    int k = 0;
    while (k < N_TYPES && strcmp(types[k].name, name) != 0) ++k;
    return k;
}

/* The child of a joint whose parent has its place. */
static void hang(urdf* u, urdf_joint* joint)
{
    scri_model* m = u->m;
    const urdf_link* parent = joint->parent;
    int type = find_type(joint->type);
    if (strcmp(joint->type, "fixed") == 0) {
        joint->child->rigid = parent->rigid;
        joint->child->in = scri_pose_multiply(parent->in, joint->origin);
    } else if (type == N_TYPES && strcmp(joint->type, "floating") != 0) {
        scri_model_fail(m, joint->element->place,
                        "joint '%s' is of unknown type '%s'; known are revolute, continuous, "
                        "prismatic, fixed, floating, planar",
                        scri_show(joint->name).text, scri_show(joint->type).text);
    } else {
        scri_pose from = scri_pose_multiply(parent->rigid->pose, parent->in);
        scri_pose by = type == N_TYPES ? joint->origin : moved(joint, types[type].kind);
        begin_rigid(u, joint->child, scri_pose_multiply(from, by));
        if (!m->status && type < N_TYPES) make_joint(u, joint, type);
    }
    if (!m->status) take_in(m, joint->child);
}

/* ---- mimics ---------------------------------------------------------------------------------- */

static urdf_joint* find_joint(const urdf* u, const char* name)
{
    for (int k = 0; k < u->n_joints; ++k) {
        if (strcmp(u->joints[k].name, name) == 0) return &u->joints[k];
    }
    return NULL;
}

/* The joint that this one follows, with the offset that it begins with. */
static void read_offset(urdf* u, urdf_joint* joint)
{
    scri_xml* mimic = scri_xml_child(joint->element, "mimic");
    if (!mimic) return;
    const char* name = need(u->m, mimic, "joint");
    if (!name) return;
    const urdf_joint* other = find_joint(u, name);
    if (!other || other == joint) {
        scri_model_fail(u->m, mimic->place, "joint '%s' cannot mimic '%s': %s", joint->name,
                        scri_show(name).text, other ? "it is itself" : "there is none");
    } else if (scri_xml_child(other->element, "mimic")) {
        scri_model_fail(u->m, mimic->place, "joint '%s' mimics '%s', which is a mimic itself",
                        joint->name, other->name);
    }
    joint->start = read_number(u->m, mimic, "offset", 0.0);
}

/* Coordinates q of this joint and p of the other with q = multiplier p + offset. */
static void make_mimic(urdf* u, const urdf_joint* joint)
{
    scri_xml* mimic = scri_xml_child(joint->element, "mimic");
    if (!mimic || u->m->status) return;
    const urdf_joint* other = find_joint(u, scri_xml_get(mimic, "joint"));
    double multiplier = read_number(u->m, mimic, "multiplier", 1.0);
    scri_model_couple(u->m, mimic->place, joint->made, other->made, multiplier);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Names are found by going through all of them. */
enum { MOST = 10000 };

static size_t count(scri_model* m, const char* name)
{
    size_t n = 0;
    for (scri_xml* e = scri_xml_child(m->root, name); e; e = scri_xml_sibling(e, name)) {
        if (++n > MOST) scri_model_fail(m, e->place, "more than %d %ss", MOST, name);
    }
    return n;
}

static void list_links(urdf* u)
{
    scri_model* m = u->m;
    u->links = scri_model_take(m, count(m, "link"), sizeof *u->links);
    scri_xml* e = scri_xml_child(m->root, "link");
    for (; e && !m->status; e = scri_xml_sibling(e, "link")) {
        const char* name = need(m, e, "name");
        if (!name) return;
        if (find_link(u, name)) {
            scri_model_fail(m, e->place, "the name '%s' was already given to a link",
                            scri_show(name).text);
        }
        u->links[u->n_links++] = (urdf_link){.element = e, .name = name};
    }
    if (!m->status && u->n_links == 0) scri_model_fail(m, m->root->place, "there is no <link>");
}

static void list_joints(urdf* u)
{
    scri_model* m = u->m;
    u->joints = scri_model_take(m, count(m, "joint"), sizeof *u->joints);
    scri_xml* e = scri_xml_child(m->root, "joint");
    for (; e && !m->status; e = scri_xml_sibling(e, "joint")) {
        read_joint(u, e, &u->joints[u->n_joints]);
        if (m->status) return;
        if (find_joint(u, u->joints[u->n_joints].name)) {
            scri_model_fail(m, e->place, "the name '%s' was already given to a joint",
                            scri_show(u->joints[u->n_joints].name).text);
        }
        ++u->n_joints;
    }
    for (int k = 0; k < u->n_joints; ++k) read_offset(u, &u->joints[k]);
}

static urdf_link* find_root(const urdf* u)
{
    urdf_link* root = NULL;
    for (int k = 0; k < u->n_links && !u->m->status; ++k) {
        if (u->links[k].joint) continue;
        if (root) {
            scri_model_fail(u->m, u->links[k].element->place,
                            "several roots: no joint has '%s' or '%s' as its child", root->name,
                            u->links[k].name);
        }
        root = &u->links[k];
    }
    if (!root) scri_model_fail(u->m, u->m->root->place, "the links form a cycle: there is no root");
    return root;
}

/* Every joint once its parent has a place, in the order of the file; what is never reached hangs on
 * itself. */
static void hang_all(urdf* u)
{
    int n_left = u->n_joints;
    bool is_going = true;
    while (is_going && n_left > 0 && !u->m->status) {
        is_going = false;
        for (int k = 0; k < u->n_joints && !u->m->status; ++k) {
            urdf_joint* joint = &u->joints[k];
            if (joint->child->rigid || !joint->parent->rigid) continue;
            hang(u, joint);
            --n_left;
            is_going = true;
        }
    }
    for (int k = 0; k < u->n_links && !u->m->status; ++k) {
        if (u->links[k].rigid) continue;
        scri_model_fail(u->m, u->links[k].element->place, "link '%s' is part of a cycle",
                        u->links[k].name);
    }
}

void scri_urdf_read(scri_model* m)
{
    urdf u = {.m = m};
    scri_xml_get(m->root, "version");
    list_links(&u);
    if (!m->status) list_joints(&u);
    urdf_link* root = m->status ? NULL : find_root(&u);
    if (m->status) return;
    m->n_groups = 1;
    m->group[0][0] = m->group[0][1] = 1;
    begin_rigid(&u, root, scri_pose_none());
    if (!m->status) take_in(m, root);
    hang_all(&u);
    if (m->status) return;
    /* A root without mass, or one that is called so, is the world. */
    bool is_world = !root->rigid->has_mass || strcmp(root->name, "world") == 0;
    if (is_world) root->rigid->kind = SCREE_BODY_STATIC;
    for (int k = 0; k < u.n_joints; ++k) make_mimic(&u, &u.joints[k]);
}
