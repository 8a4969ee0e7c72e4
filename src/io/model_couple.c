/* Coordinates that follow others: mimic of URDF, <joint> of MJCF's equalities.
 *
 * Two joints that hang on one link, or one of which hangs on what the other one moves, share a
 * link: it carries a gear, or a rack and a pinion, between the two links beyond. Seen from the
 * shared link a link beyond moves by the coordinate of its joint, or by its opposite where the
 * joint counts the other way round. Of two that slide each is a rack, and both mesh with a pinion.
 */
#include "io/model.h"

#include <stdio.h>

/* A pinion turns by 1 rad where its racks go 1 m. Its inertia is that of a mass this much smaller
 * than that of the link on one of them. */
#define PINION_SHARE 1e-6

/* A link on one side of what is shared, and whether it slides or turns by its coordinate there. */
typedef struct side {
    const scri_link* link;
    scri_pose frame;
    double sign;
    bool slides;
} side;

static bool stands_still(const scri_link* link)
{
    return !link || link->kind != SCREE_BODY_DYNAMIC;
}

/* Whether two links do not move against each other. */
static bool are_one(const scri_link* a, const scri_link* b)
{
    return a == b || (stands_still(a) && stands_still(b));
}

static side side_of(const scri_model_joint* joint, int beyond)
{
    return (side){joint->link[beyond], joint->frame[beyond], beyond == 0 ? 1.0 : -1.0,
                  joint->kind == SCREE_JOINT_SLIDER};
}

/* The link that both joints have, and those beyond. */
static bool find_shared(const scri_model_joint* const joint[2], side out[2],
                        const scri_link** shared)
{
    static const int ways[3][2] = {{1, 1}, {1, 0}, {0, 1}}; /* which end of each is shared */
    for (int k = 0; k < 3; ++k) {
        const int* way = ways[k];
        const scri_link* ends[2] = {joint[0]->link[way[0]], joint[1]->link[way[1]]};
        if (!are_one(ends[0], ends[1])) continue;
        *shared = stands_still(ends[0]) ? NULL : ends[0];
        for (int i = 0; i < 2; ++i) out[i] = side_of(joint[i], !way[i]);
        return true;
    }
    return false;
}

static scri_model_joint* add_coupling(scri_model* m, scri_yaml_place place, const char* name,
                                      scree_joint_kind kind, const scri_link* carrier)
{
    scri_model_joint* made = scri_model_add_joint(m, place, scri_model_name(m, name, "gear", 0));
    if (!made) return NULL;
    made->kind = kind;
    made->carrier = carrier;
    made->collide = 1;
    return made;
}

/* The first side - or + ratio times the second stays, as the kind has it. */
static void mesh(scri_model_joint* made, const side* first, const side* second, double ratio)
{
    if (!made) return;
    made->link[0] = first->link;
    made->link[1] = second->link;
    made->frame[0] = first->frame;
    made->frame[1] = second->frame;
    made->ratio = ratio;
}

/* A pinion on the axis of a joint, held by the shared link. */
static side add_pinion(scri_model* m, const scri_model_joint* joint, const scri_link* shared,
                       const char* name)
{
    side pinion = {.link = NULL, .frame = scri_pose_none(), .sign = 1.0};
    const scri_link* end = are_one(joint->link[1], shared) ? joint->link[1] : joint->link[0];
    scri_pose frame = joint->frame[end == joint->link[1] ? 1 : 0];
    scri_link* link = scri_model_add_link(m, joint->place, scri_model_name(m, name, "pinion", 0));
    scri_model_joint* hinge =
        link ? scri_model_add_joint(m, joint->place, scri_model_name(m, name, "pinion", 0)) : NULL;
    if (!hinge) return pinion;
    link->kind = SCREE_BODY_DYNAMIC;
    link->pose = end ? scri_pose_multiply(end->pose, frame) : frame;
    link->turns_for = joint->link[0];
    scri_vec arm = scri_vec_sub(link->pose.at, end ? end->pose.at : link->pose.at);
    for (int k = 0; end && k < 3; ++k) link->angular_velocity[k] = end->angular_velocity[k];
    scri_vec w = scri_vec_load(link->angular_velocity);
    scri_vec v = end ? scri_vec_load(end->velocity) : (scri_vec){0.0, 0.0, 0.0};
    scri_vec_store(scri_vec_add(v, scri_vec_cross(w, arm)), link->velocity);
    hinge->kind = SCREE_JOINT_HINGE;
    hinge->link[0] = link;
    hinge->link[1] = end;
    hinge->frame[0] = scri_pose_none();
    hinge->frame[1] = frame;
    pinion.link = link;
    return pinion;
}

void scri_model_couple(scri_model* m, scri_yaml_place place, const scri_model_joint* joint,
                       const scri_model_joint* other, double multiplier)
{
    const scri_model_joint* const both[2] = {joint, other};
    const scri_link* shared = NULL;
    side sides[2];
    char name[80];
    if (m->status) return;
    bool known = joint && other && joint != other && multiplier != 0.0;
    for (int k = 0; k < 2 && known; ++k) {
        known = both[k]->kind == SCREE_JOINT_HINGE || both[k]->kind == SCREE_JOINT_SLIDER;
    }
    if (!known || !find_shared(both, sides, &shared)) {
        scri_model_fail(m, place,
                        "a joint can follow another where both turn or slide, and both hang on "
                        "one link, or one on what the other moves");
        return;
    }
    double ratio = multiplier * sides[0].sign * sides[1].sign; /* of the first to the second */
    snprintf(name, sizeof name, "%.50s-follows", joint->name);
    if (!sides[0].slides && !sides[1].slides) {
        mesh(add_coupling(m, place, name, SCREE_JOINT_GEAR, shared), &sides[0], &sides[1], -ratio);
    } else if (!sides[1].slides) {
        mesh(add_coupling(m, place, name, SCREE_JOINT_RACK, shared), &sides[0], &sides[1], ratio);
    } else if (!sides[0].slides) {
        mesh(add_coupling(m, place, name, SCREE_JOINT_RACK, shared), &sides[1], &sides[0],
             1.0 / ratio);
    } else {
        snprintf(name, sizeof name, "%.50s-pinion", joint->name);
        side pinion = add_pinion(m, joint, shared, name);
        if (m->status) return;
        snprintf(name, sizeof name, "%.50s-follows", joint->name);
        mesh(add_coupling(m, place, name, SCREE_JOINT_RACK, shared), &sides[0], &pinion, 1.0);
        snprintf(name, sizeof name, "%.50s-leads", joint->name);
        mesh(add_coupling(m, place, name, SCREE_JOINT_RACK, shared), &sides[1], &pinion,
             1.0 / ratio);
    }
}

void scri_model_weigh_pinion(scri_link* pinion)
{
    double mass = PINION_SHARE * pinion->turns_for->mass.mass;
    pinion->mass.mass = mass;
    for (int k = 0; k < 3; ++k) pinion->mass.inertia[k] = mass; /* at 1 m/rad */
}
