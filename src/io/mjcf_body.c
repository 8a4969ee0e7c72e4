/* Bodies of MJCF: a tree, its joints, inertia, and where everything is at the beginning. */
#include "io/axes.h"
#include "io/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* MuJoCo allows more, but no more than these are of use. */
enum { JOINTS_MOST = 6 };

/* Axes that are at right angles, or parallel, to this. */
#define SQUARE 1e-9

/* ---- joints ---------------------------------------------------------------------------------- */

static scri_mjcf_joint* add_joint(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults)
{
    static const char* const names[] = {"free", "ball", "hinge", "slide"};
    scri_mjcf_joint* joint = scri_model_take(c->m, 1, sizeof *joint);
    if (!joint) return NULL;
    bool is_free = strcmp(element->name, "freejoint") == 0;
    *joint =
        (scri_mjcf_joint){.element = element, .type = is_free ? SCRI_MJCF_FREE : SCRI_MJCF_HINGE};
    joint->name = scri_xml_get(element, "name");
    joint->defaults = is_free ? NULL : scri_mjcf_class_of(c, element, "class", defaults);
    const char* type = scri_mjcf_get(joint->defaults, element, "type");
    int k = 0;
    while (type && k < 4 && strcmp(names[k], type) != 0) ++k;
    if (k == 4) {
        scri_model_fail(c->m, element->place, "unknown type '%s' of a joint", scri_show(type).text);
    } else if (type) {
        joint->type = (scri_mjcf_freedom)k;
    }
    if (c->last_joint) {
        c->last_joint->next = joint;
    } else {
        c->joints = joint;
    }
    c->last_joint = joint;
    return joint;
}

static void read_joint(scri_mjcf* c, scri_mjcf_joint* joint)
{
    scri_xml* e = joint->element;
    double anchor[3] = {0.0};
    if (joint->type == SCRI_MJCF_FREE) return;
    scri_mjcf_numbers(c, joint->defaults, e, "pos", 3, 3, anchor);
    joint->anchor = scri_vec_load(anchor);
    joint->axis = scri_mjcf_direction(c, joint->defaults, e, "axis", (scri_vec){0.0, 0.0, 1.0});
    if (joint->type == SCRI_MJCF_BALL) return;
    scri_mjcf_numbers(c, joint->defaults, e, "ref", 1, 1, &joint->ref);
    if (joint->type == SCRI_MJCF_HINGE) joint->ref *= c->angle;
}

/* Springs, limits, friction of one joint; coordinates count from its reference. */
static void read_freedom(scri_mjcf* c, const scri_mjcf_joint* joint, scree_freedom* out)
{
    scri_xml* e = joint->element;
    const scri_mjcf_class* d = joint->defaults;
    double unit = joint->type == SCRI_MJCF_HINGE ? c->angle : 1.0, range[2] = {0.0, 0.0};
    scri_mjcf_numbers(c, d, e, "stiffness", 1, 1, &out->stiffness);
    scri_mjcf_numbers(c, d, e, "damping", 1, 1, &out->damping);
    scri_mjcf_numbers(c, d, e, "frictionloss", 1, 1, &out->friction);
    scri_mjcf_numbers(c, d, e, "armature", 1, 1, &out->armature);
    if (joint->type == SCRI_MJCF_BALL) return; /* its range is not understood */
    double spring = joint->ref;
    if (scri_mjcf_numbers(c, d, e, "springref", 1, 1, &spring)) spring *= unit;
    if (out->stiffness > 0.0) out->rest = spring - joint->ref;
    bool has_range = scri_mjcf_numbers(c, d, e, "range", 2, 2, range) > 0;
    if (!scri_mjcf_truth(c, d, e, "limited", has_range && c->autolimits) || c->m->status) return;
    if (!(range[0] <= range[1])) {
        scri_model_fail(c->m, e->place, "range: %g is above %g", range[0], range[1]);
        return;
    }
    out->lower = unit * range[0] - joint->ref;
    out->upper = unit * range[1] - joint->ref;
}

/* ---- several joints of one body are one of ours ---------------------------------------------- */

static bool is_square(scri_vec a, scri_vec b)
{
    return fabs(scri_vec_dot(a, b)) <= SQUARE;
}

static bool is_same(scri_vec a, scri_vec b)
{
    return scri_vec_length(scri_vec_sub(a, b)) <= SQUARE;
}

/* What a body's joints are together: the kind, which of them has which freedom, the axes. */
typedef struct combination {
    scree_joint_kind kind;
    int order[SCREE_FREEDOMS_MAX]; /* joint of each freedom */
    scri_vec at, x, y;             /* y only where `has_y` */
    bool has_y;
} combination;

static bool combine_two(scri_mjcf_joint* const* j, combination* out)
{
    scri_mjcf_freedom a = j[0]->type, b = j[1]->type;
    bool slides = a == SCRI_MJCF_SLIDE && b == SCRI_MJCF_HINGE,
         turns = a == SCRI_MJCF_HINGE && b == SCRI_MJCF_SLIDE;
    if ((slides || turns) && is_same(j[0]->axis, j[1]->axis)) {
        const scri_mjcf_joint* hinge = j[slides ? 1 : 0];
        *out =
            (combination){.kind = SCREE_JOINT_CYLINDRICAL, .at = hinge->anchor, .x = hinge->axis};
        out->order[0] = slides ? 0 : 1;
        out->order[1] = slides ? 1 : 0;
        return true;
    }
    if (a != SCRI_MJCF_HINGE || b != SCRI_MJCF_HINGE || !is_square(j[0]->axis, j[1]->axis))
        return false;
    if (!is_same(j[0]->anchor, j[1]->anchor)) return false;
    /* The first one's axis is fixed in the parent, the second's in the child. */
    *out = (combination){.kind = SCREE_JOINT_UNIVERSAL,
                         .order = {1, 0},
                         .at = j[0]->anchor,
                         .x = j[1]->axis,
                         .y = j[0]->axis,
                         .has_y = true};
    return true;
}

static bool combine_three(scri_mjcf_joint* const* j, combination* out)
{
    if (j[0]->type != SCRI_MJCF_SLIDE || j[1]->type != SCRI_MJCF_SLIDE ||
        j[2]->type != SCRI_MJCF_HINGE) {
        return false;
    }
    scri_vec n = j[2]->axis, a = j[0]->axis, b = j[1]->axis;
    if (!is_square(n, a) || !is_square(n, b) || !is_square(a, b)) return false;
    bool in_order = scri_vec_dot(scri_vec_cross(n, a), b) > 0.0;
    *out = (combination){.kind = SCREE_JOINT_PLANAR,
                         .order = {in_order ? 0 : 1, in_order ? 1 : 0, 2},
                         .at = j[2]->anchor,
                         .x = n,
                         .y = in_order ? a : b,
                         .has_y = true};
    return true;
}

static bool combine(scri_mjcf_joint* const* j, int n, combination* out)
{
    static const scree_joint_kind kinds[] = {[SCRI_MJCF_BALL] = SCREE_JOINT_BALL,
                                             [SCRI_MJCF_HINGE] = SCREE_JOINT_HINGE,
                                             [SCRI_MJCF_SLIDE] = SCREE_JOINT_SLIDER};
    if (n == 2) return combine_two(j, out);
    if (n == 3) return combine_three(j, out);
    if (n != 1 || j[0]->type == SCRI_MJCF_FREE) return false;
    *out = (combination){.kind = kinds[j[0]->type], .at = j[0]->anchor, .x = j[0]->axis};
    if (j[0]->type == SCRI_MJCF_BALL) out->x = (scri_vec){1.0, 0.0, 0.0};
    return true;
}

static scri_model_joint* make_joint(scri_mjcf* c, const scri_mjcf_body* body,
                                    const scri_mjcf_body* parent, scri_pose local,
                                    scri_mjcf_joint* const* j, int n)
{
    scri_model* m = c->m;
    combination all;
    if (!combine(j, n, &all)) {
        scri_model_fail(m, j[0]->element->place,
                        "the joints of '%s' are not understood together: one, a slide and a hinge "
                        "along it, two crossing hinges, or two slides and a hinge across them",
                        body->rigid->name);
        return NULL;
    }
    char usual[80];
    snprintf(usual, sizeof usual, "%.70s-joint", body->rigid->name);
    const char* name = j[0]->name ? j[0]->name : usual;
    scri_model_joint* made =
        scri_model_add_joint(m, j[0]->element->place, scri_model_name(m, name, "joint", 0));
    if (!made) return NULL;
    scri_pose frame = {all.at, scri_turn_to_axis(all.x)};
    if (all.has_y) frame.turn = scri_axes_turn(all.x, all.y);
    made->kind = all.kind;
    made->link[0] = body->rigid;
    made->link[1] = parent->rigid->kind == SCREE_BODY_STATIC ? NULL : parent->rigid;
    made->frame[0] = frame;
    made->frame[1] = scri_pose_multiply(scri_pose_multiply(parent->in, local), frame);
    for (int k = 0; k < n; ++k) {
        scri_mjcf_joint* joint = j[all.order[k]];
        joint->made = made;
        joint->which = k;
        read_freedom(c, joint, &made->freedom[k]);
    }
    return made;
}

/* ---- where bodies are at the beginning ------------------------------------------------------- */

/* The next coordinates of the keyframe; NULL where there is none. */
static const double* take(int* at, int have, const double* values, int n)
{
    const double* from = have > 0 && *at + n <= have ? values + *at : NULL;
    *at += n;
    return from;
}

/* About a point of the body's frame. */
static scri_pose about(scri_pose pose, scri_vec point, scri_quat turn)
{
    pose = scri_pose_multiply(pose, scri_pose_of(point, turn));
    scri_vec back = scri_vec_scale(-1.0, point);
    return scri_pose_multiply(pose, scri_pose_of(back, (scri_quat){1.0, 0.0, 0.0, 0.0}));
}

/* Adds a turn about a point of the world to the motion of a link. */
static void add_turn(scri_link* link, scri_vec rate, scri_vec point)
{
    scri_vec arm = scri_vec_sub(link->pose.at, point);
    scri_vec_store(scri_vec_add(scri_vec_load(link->angular_velocity), rate),
                   link->angular_velocity);
    scri_vec_store(scri_vec_add(scri_vec_load(link->velocity), scri_vec_cross(rate, arm)),
                   link->velocity);
}

/* Where a joint is in the world once it and those before it have their coordinates. */
typedef struct placed {
    scri_vec anchor;
    scri_quat turn; /* of the body */
} placed;

static placed move_one(scri_mjcf* c, const scri_mjcf_joint* joint, scri_pose* pose)
{
    static const int n_position[] = {7, 4, 1, 1};
    const double* q = take(&c->at_position, c->n_position, c->position, n_position[joint->type]);
    double by = q ? q[0] - joint->ref : 0.0;
    if (q && joint->type == SCRI_MJCF_FREE) {
        *pose = scri_pose_of(scri_vec_load(q), scri_quat_normalize(scri_quat_load(q + 3)));
    } else if (q && joint->type == SCRI_MJCF_BALL) {
        *pose = about(*pose, joint->anchor, scri_quat_normalize(scri_quat_load(q)));
    } else if (by != 0.0 && joint->type == SCRI_MJCF_HINGE) {
        *pose = about(*pose, joint->anchor, scri_turn_about(joint->axis, by));
    } else if (by != 0.0) {
        scri_vec way = scri_vec_scale(by, joint->axis);
        *pose = scri_pose_multiply(*pose, scri_pose_of(way, (scri_quat){1.0, 0.0, 0.0, 0.0}));
    }
    scri_vec arm = scri_quat_rotate(pose->turn, joint->anchor);
    return (placed){scri_vec_add(pose->at, arm), pose->turn};
}

static void drive_one(scri_mjcf* c, const scri_mjcf_joint* joint, placed at, scri_link* link)
{
    static const int n_velocity[] = {6, 3, 1, 1};
    const double* v = take(&c->at_velocity, c->n_velocity, c->velocity, n_velocity[joint->type]);
    if (!v) return;
    if (joint->type == SCRI_MJCF_FREE) {
        memcpy(link->velocity, v, 3 * sizeof *v);
        add_turn(link, scri_quat_rotate(at.turn, scri_vec_load(v + 3)), link->pose.at);
    } else if (joint->type == SCRI_MJCF_BALL) {
        add_turn(link, scri_quat_rotate(at.turn, scri_vec_load(v)), at.anchor);
    } else {
        scri_vec rate = scri_vec_scale(v[0], scri_quat_rotate(at.turn, joint->axis));
        if (joint->type == SCRI_MJCF_HINGE) {
            add_turn(link, rate, at.anchor);
        } else {
            scri_vec_store(scri_vec_add(scri_vec_load(link->velocity), rate), link->velocity);
        }
    }
}

/* Pose and velocity of a link from its joints' coordinates: the pose first, for what the parent and
 * each joint do to the origin depends on where it is in the end. */
static void move(scri_mjcf* c, scri_mjcf_joint* const* joints, int n, const scri_link* parent,
                 scri_link* link)
{
    placed at[JOINTS_MOST];
    for (int k = 0; k < n; ++k) at[k] = move_one(c, joints[k], &link->pose);
    if (n > 0 && joints[0]->type != SCRI_MJCF_FREE) {
        memcpy(link->velocity, parent->velocity, sizeof link->velocity);
        add_turn(link, scri_vec_load(parent->angular_velocity), parent->pose.at);
    }
    for (int k = 0; k < n; ++k) drive_one(c, joints[k], at[k], link);
}

/* ---- mass ------------------------------------------------------------------------------------ */

/* Whether the body's mass is given, and then takes it. */
static bool read_inertial(scri_mjcf* c, scri_xml* element, const scri_mjcf_body* body)
{
    scri_xml* e = scri_xml_child(element, "inertial");
    if (!e) return false;
    scree_mass mass = {0};
    scri_pose at = scri_mjcf_pose(c, NULL, e);
    if (!scri_mjcf_numbers(c, NULL, e, "mass", 1, 1, &mass.mass)) {
        scri_model_fail(c->m, e->place, "<inertial> needs 'mass'");
    }
    if (!scri_mjcf_numbers(c, NULL, e, "fullinertia", 6, 6, mass.inertia) &&
        !scri_mjcf_numbers(c, NULL, e, "diaginertia", 3, 3, mass.inertia)) {
        scri_model_fail(c->m, e->place, "<inertial> needs 'diaginertia' or 'fullinertia'");
    }
    if (c->m->status || c->from_geoms) return false;
    if (!(mass.mass > 0.0)) {
        scri_model_fail(c->m, e->place, "mass = %g must be positive", mass.mass);
        return false;
    }
    scri_mass_add(&body->rigid->mass, &mass, scri_pose_multiply(body->in, at));
    body->rigid->has_mass = true;
    return true;
}

/* ---- one body -------------------------------------------------------------------------------- */

static scri_mjcf_body* add_body(scri_mjcf* c, const char* name)
{
    scri_mjcf_body* body = scri_model_take(c->m, 1, sizeof *body);
    if (!body) return NULL;
    *body = (scri_mjcf_body){.name = name, .in = scri_pose_none(), .reference = scri_pose_none()};
    if (c->last_body) {
        c->last_body->next = body;
    } else {
        c->bodies = body;
    }
    c->last_body = body;
    return body;
}

static void read_contents(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults,
                          const scri_mjcf_body* body)
{
    bool has_mass = read_inertial(c, element, body);
    scri_xml* geom = scri_xml_child(element, "geom");
    for (; geom && !c->m->status; geom = scri_xml_sibling(geom, "geom")) {
        scri_mjcf_read_geom(c, geom, defaults, body, c->may_be_from_geoms && !has_mass);
    }
}

static int read_joints(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults,
                       scri_mjcf_joint* out[JOINTS_MOST])
{
    int n = 0;
    for (scri_xml* e = element->first; e && !c->m->status; e = e->next) {
        bool is_joint = strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0;
        if (!is_joint) continue;
        e->is_read = true;
        if (n == JOINTS_MOST) {
            scri_model_fail(c->m, e->place, "more than %d joints of one body", JOINTS_MOST);
            return n;
        }
        out[n] = add_joint(c, e, defaults);
        if (out[n]) read_joint(c, out[n]);
        ++n;
    }
    return n;
}

static void begin_rigid(scri_mjcf* c, scri_xml* element, scri_mjcf_body* body, scri_pose pose)
{
    const char* name = scri_model_name(c->m, body->name, "body", c->n_links++);
    body->rigid = scri_model_add_link(c->m, element->place, name);
    if (body->rigid) body->rigid->pose = pose;
}

/* A body without joints is part of what it hangs on. */
static scri_mjcf_body* read_body(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults,
                                 const scri_mjcf_body* parent)
{
    scri_mjcf_joint* joints[JOINTS_MOST] = {NULL};
    scri_mjcf_body* body = add_body(c, scri_xml_get(element, "name"));
    scri_pose local = scri_mjcf_pose(c, NULL, element);
    bool is_led = scri_mjcf_truth(c, NULL, element, "mocap", false);
    if (!body) return NULL;
    body->reference = scri_pose_multiply(parent->reference, local);
    int n = read_joints(c, element, defaults, joints);
    if (c->m->status) return NULL;
    if (n == 0 && !is_led) {
        body->rigid = parent->rigid;
        body->in = scri_pose_multiply(parent->in, local);
    } else {
        scri_pose from = scri_pose_multiply(parent->rigid->pose, parent->in);
        begin_rigid(c, element, body, scri_pose_multiply(from, local));
        if (c->m->status) return NULL;
        if (is_led) body->rigid->kind = SCREE_BODY_KINEMATIC;
        bool is_free = n == 1 && joints[0]->type == SCRI_MJCF_FREE;
        if (n > 0 && !is_free) make_joint(c, body, parent, local, joints, n);
        if (!c->m->status) move(c, joints, n, parent->rigid, body->rigid);
    }
    if (!c->m->status) read_contents(c, element, defaults, body);
    return c->m->status ? NULL : body;
}

/* ---- the tree -------------------------------------------------------------------------------- */

void scri_mjcf_read_bodies(scri_mjcf* c)
{
    struct {
        scri_xml* element; /* the next child */
        const scri_mjcf_class* defaults;
        const scri_mjcf_body* parent;
    } stack[SCRI_YAML_MAX_DEPTH + 1];
    scri_xml* world = scri_xml_child(c->m->root, "worldbody");
    if (!world) {
        scri_model_fail(c->m, c->m->root->place, "<mujoco> needs <worldbody>");
        return;
    }
    scri_mjcf_body* ground = add_body(c, "world");
    if (!ground) return;
    begin_rigid(c, world, ground, scri_pose_none());
    if (c->m->status) return;
    ground->rigid->kind = SCREE_BODY_STATIC;
    const scri_mjcf_class* defaults = scri_mjcf_class_of(c, world, "childclass", c->main);
    read_contents(c, world, defaults, ground);
    int depth = 0;
    stack[0].element = scri_xml_child(world, "body");
    stack[0].defaults = defaults;
    stack[0].parent = ground;
    while (depth >= 0 && !c->m->status) {
        scri_xml* element = stack[depth].element;
        if (!element) {
            --depth;
            continue;
        }
        stack[depth].element = scri_xml_sibling(element, "body");
        defaults = scri_mjcf_class_of(c, element, "childclass", stack[depth].defaults);
        scri_mjcf_body* body = read_body(c, element, defaults, stack[depth].parent);
        ++depth;
        stack[depth].element = scri_xml_child(element, "body");
        stack[depth].defaults = defaults;
        stack[depth].parent = body;
    }
}
