/* What drives and couples joints in MJCF: actuators and equalities. */
#include "io/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static scri_mjcf_joint* find_joint(scri_mjcf* c, scri_xml* element, const char* key)
{
    const char* name = scri_xml_get(element, key);
    for (scri_mjcf_joint* j = name ? c->joints : NULL; j; j = j->next) {
        if (j->name && strcmp(j->name, name) == 0) return j;
    }
    scri_model_fail(c->m, element->place, name ? "there is no joint '%s'" : "<%s> needs a joint",
                    name ? scri_show(name).text : element->name);
    return NULL;
}

static const scri_mjcf_body* find_body(scri_mjcf* c, scri_xml* element, const char* key)
{
    const char* name = scri_xml_get(element, key);
    for (const scri_mjcf_body* b = name ? c->bodies : NULL; b; b = b->next) {
        if (b->name && strcmp(b->name, name) == 0) return b;
    }
    if (name) {
        scri_model_fail(c->m, element->place, "there is no body '%s'", scri_show(name).text);
    }
    return NULL;
}

/* ---- actuators ------------------------------------------------------------------------------- */

/* An actuator of a hinge or slide. */
typedef struct actuator {
    scri_xml* element;
    const scri_mjcf_class* defaults;
    const scri_mjcf_joint* joint;
    scree_freedom* freedom;
    double gear, control; /* the latter is that of the keyframe, within its range */
    double most;          /* of its force times the gear; infinite: any */
} actuator;

static double number_of(scri_mjcf* c, const actuator* a, const char* name, double usual)
{
    scri_mjcf_numbers(c, a->defaults, a->element, name, 1, 1, &usual);
    return usual;
}

/* control times gear is the effort. */
static void make_motor(scri_mjcf* c, const actuator* a)
{
    (void)c;
    a->freedom->motor = SCREE_MOTOR_EFFORT;
    a->freedom->target = fmax(-a->most, fmin(a->most, a->gear * a->control));
    a->freedom->max_effort = a->most;
}

/* kp (control - gear q) - kv gear q': a spring beside the joint's own, or, with a limit of its
 * force, a motor that holds the position with at most that. */
static void make_position(scri_mjcf* c, const actuator* a)
{
    scree_freedom* f = a->freedom;
    double kp = number_of(c, a, "kp", 1.0), kv = number_of(c, a, "kv", 0.0);
    double target = a->control / a->gear - a->joint->ref;
    if (isfinite(a->most)) {
        f->motor = SCREE_MOTOR_POSITION;
        f->target = target;
        f->max_effort = a->most;
        f->time = kp > 0.0 ? kv / kp : 0.0;
        return;
    }
    double stiffness = kp * a->gear * a->gear, sum = stiffness + f->stiffness;
    if (sum > 0.0) f->rest = (f->stiffness * f->rest + stiffness * target) / sum;
    f->stiffness = sum;
    f->damping += kv * a->gear * a->gear;
}

/* kv (control - gear q'): a damper and a constant effort, or a motor with a limit. */
static void make_velocity(scri_mjcf* c, const actuator* a)
{
    scree_freedom* f = a->freedom;
    double kv = number_of(c, a, "kv", 1.0);
    if (isfinite(a->most)) {
        f->motor = SCREE_MOTOR_VELOCITY;
        f->target = a->control / a->gear;
        f->max_effort = a->most;
        return;
    }
    f->damping += kv * a->gear * a->gear;
    if (a->control == 0.0) return;
    f->motor = SCREE_MOTOR_EFFORT;
    f->target = kv * a->control * a->gear;
}

static const struct {
    const char* name;
    void (*make)(scri_mjcf*, const actuator*);
} actuators[] = {{"motor", make_motor}, {"position", make_position}, {"velocity", make_velocity}};

static void read_actuator(scri_mjcf* c, scri_xml* element, int kind, double control)
{
    actuator a = {.element = element, .gear = 1.0, .control = control, .most = SCREE_INFINITY};
    double range[2], gear[6] = {1.0};
    scri_xml_get(element, "name");
    a.defaults = scri_mjcf_class_of(c, element, "class", c->main);
    a.joint = find_joint(c, element, "joint");
    if (c->m->status) return;
    if (scri_mjcf_numbers(c, a.defaults, element, "gear", 1, 6, gear)) a.gear = gear[0];
    bool has_range = scri_mjcf_numbers(c, a.defaults, element, "ctrlrange", 2, 2, range) > 0;
    if (scri_mjcf_truth(c, a.defaults, element, "ctrllimited", has_range) && has_range) {
        a.control = fmin(range[1], fmax(range[0], a.control));
    }
    has_range = scri_mjcf_numbers(c, a.defaults, element, "forcerange", 2, 2, range) > 0;
    if (scri_mjcf_truth(c, a.defaults, element, "forcelimited", has_range) && has_range) {
        a.most = fabs(a.gear) * fmax(fabs(range[0]), fabs(range[1]));
    }
    if (c->m->status) return;
    scri_mjcf_freedom type = a.joint->type;
    if (type == SCRI_MJCF_FREE || type == SCRI_MJCF_BALL || a.gear == 0.0 || !(a.most > 0.0)) {
        scri_model_fail(c->m, element->place,
                        "<%s> drives a hinge or a slide, with a gear and a "
                        "force that are not zero",
                        element->name);
        return;
    }
    a.freedom = &a.joint->made->freedom[a.joint->which];
    if (a.freedom->motor != SCREE_MOTOR_NONE) {
        scri_model_fail(c->m, element->place, "joint '%s' has a motor already", a.joint->name);
        return;
    }
    actuators[kind].make(c, &a);
}

void scri_mjcf_read_actuators(scri_mjcf* c)
{
    double control[256] = {0.0};
    int n = 0, n_controls = 0;
    if (c->key) n_controls = scri_mjcf_numbers(c, NULL, c->key, "ctrl", 0, 256, control);
    scri_xml* section = scri_xml_child(c->m->root, "actuator");
    for (; section; section = scri_xml_sibling(section, "actuator")) {
        for (scri_xml* e = section->first; e && !c->m->status; e = e->next, ++n) {
            int kind = 0;
            while (kind < 3 && strcmp(actuators[kind].name, e->name) != 0) ++kind;
            if (kind == 3) continue; /* is listed */
            e->is_read = true;
            read_actuator(c, e, kind, n < n_controls ? control[n] : 0.0);
        }
    }
}

/* ---- equalities ------------------------------------------------------------------------------ */

/* A joint of two bodies that is where they are with all joints at their references. */
static void join(scri_mjcf* c, scri_xml* e, scree_joint_kind kind)
{
    const scri_mjcf_body* a = find_body(c, e, "body1");
    const scri_mjcf_body* b = find_body(c, e, "body2");
    double anchor[3] = {0.0};
    scri_mjcf_numbers(c, NULL, e, "anchor", 3, 3, anchor);
    if (c->m->status) return;
    if (!a || (b && a->rigid == b->rigid)) {
        scri_model_fail(c->m, e->place, a ? "<%s> joins '%s' to itself" : "<%s> needs body1",
                        e->name, a ? a->name : "");
        return;
    }
    if (!b) b = c->bodies; /* the world */
    const char* name = scri_xml_get(e, "name");
    scri_pose point = scri_pose_of(scri_vec_load(anchor), (scri_quat){1.0, 0.0, 0.0, 0.0});
    scri_pose in_world = scri_pose_multiply(a->reference, point);
    scri_pose in_b = scri_pose_multiply(scri_pose_inverse(b->reference), in_world);
    scri_model_joint* made =
        scri_model_add_joint(c->m, e->place, scri_model_name(c->m, name, e->name, e->place.line));
    if (!made) return;
    bool swap = a->rigid->kind == SCREE_BODY_STATIC;
    made->kind = kind;
    made->link[swap] = a->rigid;
    made->link[!swap] = b->rigid;
    made->frame[swap] = scri_pose_multiply(a->in, point);
    made->frame[!swap] = scri_pose_multiply(b->in, in_b);
    made->collide = 1;
    if (made->link[1]->kind == SCREE_BODY_STATIC) {
        made->frame[1] = scri_pose_multiply(made->link[1]->pose, made->frame[1]);
        made->link[1] = NULL;
    }
}

static void couple(scri_mjcf* c, scri_xml* e)
{
    double polynomial[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    scri_xml_get(e, "name");
    const scri_mjcf_joint* a = find_joint(c, e, "joint1");
    bool is_alone = !scri_xml_get(e, "joint2");
    const scri_mjcf_joint* b = is_alone ? NULL : find_joint(c, e, "joint2");
    scri_mjcf_numbers(c, NULL, e, "polycoef", 1, 5, polynomial);
    if (c->m->status) return;
    if (a->type == SCRI_MJCF_FREE || a->type == SCRI_MJCF_BALL) {
        scri_model_fail(c->m, e->place, "<joint> of an equality needs a hinge or a slide");
    } else if (is_alone) {
        scree_freedom* f = &a->made->freedom[a->which];
        f->lower = f->upper = polynomial[0];
    } else if (polynomial[0] != 0.0 || polynomial[2] != 0.0 || polynomial[3] != 0.0 ||
               polynomial[4] != 0.0) {
        scri_model_fail(c->m, e->place, "polycoef: only the second number may differ from 0");
    } else {
        scri_model_couple(c->m, e->place, a->made, b->made, polynomial[1]);
    }
}

void scri_mjcf_read_equalities(scri_mjcf* c)
{
    scri_xml* section = scri_xml_child(c->m->root, "equality");
    for (; section; section = scri_xml_sibling(section, "equality")) {
        for (scri_xml* e = section->first; e && !c->m->status; e = e->next) {
            bool is_known = strcmp(e->name, "connect") == 0 || strcmp(e->name, "weld") == 0 ||
                            strcmp(e->name, "joint") == 0;
            if (!is_known) continue; /* is listed */
            e->is_read = true;
            if (!scri_mjcf_truth(c, NULL, e, "active", true)) continue;
            if (e->name[0] == 'j') {
                couple(c, e);
            } else {
                join(c, e, e->name[0] == 'c' ? SCREE_JOINT_BALL : SCREE_JOINT_FIXED);
            }
        }
    }
}
