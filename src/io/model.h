/* Machines from other people's files. URDF and MJCF are read into links and joints, and these
 * become the tree that a scene file is: settings go into it and the scene reader checks it as if it
 * had been written by hand, while places remain those of the file. docs/decisions/0130-models.md */
#ifndef SCRI_MODEL_H
#define SCRI_MODEL_H

#include "io/xml_tree.h"
#include "math/vec.h"
#include "scree/joint.h"

typedef struct scri_pose {
    scri_vec at;
    scri_quat turn;
} scri_pose;

/* A shape of a link, in its frame. */
typedef struct scri_model_shape {
    struct scri_model_shape* next;
    scri_yaml_place place;
    scree_shape_kind kind;
    double half_size[3];
    const char* file; /* of a hull, whose half sizes are factors; else NULL */
    scri_pose pose;
    double density, mass; /* kg/m^3; kg where it is given, else 0 */
    int material;         /* in the model's list */
    int group;            /* in the model's list of those that collide; -1: nothing is hit */
} scri_model_shape;

/* What is rigid: a link, or a body of MJCF, with all that is fixed to it. */
typedef struct scri_link {
    struct scri_link* next;
    scri_yaml_place place;
    const char* name;
    scri_pose pose;                          /* in the world, at the beginning */
    double velocity[3], angular_velocity[3]; /* of the origin of its frame, axes of the world */
    scree_body_kind kind;
    scri_model_shape *shapes, *last_shape;
    bool has_mass;                     /* some of it is given below; more follows from the shapes */
    scree_mass mass;                   /* in its frame */
    const struct scri_link* turns_for; /* a pinion, of next to no mass beside this link's */
} scri_link;

typedef struct scri_model_joint {
    struct scri_model_joint* next;
    scri_yaml_place place;
    const char* name;
    scree_joint_kind kind;
    const scri_link* link[2]; /* A and B; NULL: the world */
    scri_pose frame[2];       /* in the links' frames */
    const scri_link* carrier; /* of a gear or rack; NULL: the world */
    double ratio;
    int collide;
    scree_freedom freedom[SCREE_FREEDOMS_MAX];
} scri_model_joint;

/* Friction as MuJoCo has it: the larger of two counts. */
typedef struct scri_model_material {
    double friction[3]; /* sliding, spinning (m), rolling (m) */
    int dimensions;     /* of the contact: 1, 3, 4 or 6 */
} scri_model_material;

enum { SCRI_MODEL_MATERIALS = 64, SCRI_MODEL_GROUPS = 31 };

typedef struct scri_model {
    scri_yaml_source source;
    scree_status status; /* of the first fault; from then on nothing is done */
    scri_xml* root;
    const char* title;
    bool has_gravity;
    double gravity[3];
    double step; /* s; 0: the scene's own */
    scri_link *links, *last_link;
    scri_model_joint *joints, *last_joint;
    int n_materials;
    scri_model_material materials[SCRI_MODEL_MATERIALS];
    int n_groups;
    uint32_t group[SCRI_MODEL_GROUPS][2]; /* contype and conaffinity */
    const char* keyframe;                 /* that was asked for; NULL: none */
    bool has_keyframe;
} scri_model;

/* ---- the formats ----------------------------------------------------------------------------- */

void scri_urdf_read(scri_model* m); /* model_urdf.c */
void scri_mjcf_read(scri_model* m); /* model_mjcf.c */

/* The tree of a scene; `settings` are looked at for the keyframe that the model begins with: that
 * one is not for the scene. */
bool scri_model_takes_setting(const char* setting);
scree_status scri_model_load(const scri_yaml_source* source, const char* text, size_t size,
                             int32_t n_settings, const char* const* settings, scri_yaml** root);

/* The model as the tree of a scene: model_scene.c. */
scri_yaml* scri_model_to_scene(scri_model* m);

/* ---- what both formats need: model.c --------------------------------------------------------- */

void scri_model_fail(scri_model* m, scri_yaml_place place, const char* format, ...)
    SCRI_PRINTF(3, 4);
void* scri_model_take(scri_model* m, size_t count, size_t size); /* NULL with a fault */

/* Numbers of a text, separated by white space: how many were there, at most `most`; a fault for
 * what is no finite number, or for fewer than `least`. `what` is what messages call them. */
int scri_model_numbers(scri_model* m, scri_yaml_place place, const char* what, const char* text,
                       int least, int most, double* out);

/* A name that a scene can hold: what it cannot becomes '_'. */
const char* scri_model_name(scri_model* m, const char* name, const char* usual, int number);

scri_link* scri_model_add_link(scri_model* m, scri_yaml_place place, const char* name);
scri_model_joint* scri_model_add_joint(scri_model* m, scri_yaml_place place, const char* name);
scri_model_shape* scri_model_add_shape(scri_model* m, scri_link* link, scri_yaml_place place);

/* Lets a coordinate follow another, q = multiplier p + constant: a gear where both turn, a rack
 * where one slides, two racks on a pinion that is added where both do. They hang on one link, or
 * one on the other; a fault elsewhere: model_couple.c. */
void scri_model_couple(scri_model* m, scri_yaml_place place, const scri_model_joint* joint,
                       const scri_model_joint* other, double multiplier);

/* The mass of a pinion, where that of its link is known. */
void scri_model_weigh_pinion(scri_link* pinion);

int scri_model_material_of(scri_model* m, scri_yaml_place place, scri_model_material material);

/* ---- poses and masses: model.c --------------------------------------------------------------- */

scri_pose scri_pose_none(void);
scri_pose scri_pose_of(scri_vec at, scri_quat turn);
scri_pose scri_pose_multiply(scri_pose a, scri_pose b);
scri_pose scri_pose_inverse(scri_pose a);

/* The turn by an angle about an axis of length 1. */
scri_quat scri_turn_about(scri_vec axis, double angle);

/* The turn that brings x to `axis`, with y and z as scene files choose them. */
scri_quat scri_turn_to_axis(scri_vec axis);

/* Adds a mass to another; `pose` says where the second one's frame is in the first one's. */
void scri_mass_add(scree_mass* to, const scree_mass* mass, scri_pose pose);

#endif
