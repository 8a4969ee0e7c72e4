/* What the parts of the MJCF reader share. */
#ifndef SCRI_MJCF_H
#define SCRI_MJCF_H

#include "io/model.h"

/* A class of defaults: what stands in it, then in its parent, and so on. */
typedef struct mjcf_class {
    struct mjcf_class *next, *parent;
    const char* name;
    scri_xml* element;
} mjcf_class;

typedef enum mjcf_freedom { MJCF_FREE, MJCF_BALL, MJCF_HINGE, MJCF_SLIDE } mjcf_freedom;

/* A joint of the file; several of one body may be one of ours. */
typedef struct mjcf_joint {
    struct mjcf_joint* next;
    scri_xml* element;
    const mjcf_class* defaults;
    const char* name;
    mjcf_freedom type;
    scri_vec axis, anchor; /* in the body's frame */
    double ref;
    scri_model_joint* made; /* NULL: free */
    int which;              /* freedom of it */
} mjcf_joint;

typedef struct mjcf_body {
    struct mjcf_body* next;
    const char* name;
    scri_link* rigid;
    scri_pose in;        /* where it is in that */
    scri_pose reference; /* in the world, with all joints at their references */
} mjcf_body;

enum { MJCF_COORDINATES = 4096 };

typedef struct mjcf {
    scri_model* m;
    double angle; /* rad, of the unit that angles have */
    char euler[4];
    bool autolimits, from_geoms, may_be_from_geoms;
    mjcf_class *classes, *main;
    mjcf_body *bodies, *last_body;
    mjcf_joint *joints, *last_joint;
    int n_links;
    scri_xml* key;                /* the keyframe; NULL: none */
    int n_position, n_velocity;   /* numbers that it has, */
    int at_position, at_velocity; /* and those that bodies have taken */
    double position[MJCF_COORDINATES], velocity[MJCF_COORDINATES];
} mjcf;

/* ---- attributes: mjcf_values.c --------------------------------------------------------------- */

/* The value of an attribute: the element's own, or that of its class of defaults; NULL: none. */
const char* mjcf_get(const mjcf_class* defaults, scri_xml* element, const char* name);

/* Numbers of an attribute; how many there were. Without it *out stays as it is, and 0. */
int mjcf_numbers(mjcf* c, const mjcf_class* defaults, scri_xml* element, const char* name,
                 int least, int most, double* out);

/* Whether the attribute is "true"; `usual` without it and for "auto". */
bool mjcf_truth(mjcf* c, const mjcf_class* defaults, scri_xml* element, const char* name,
                bool usual);

/* A direction of length 1; a fault where there is none. */
scri_vec mjcf_direction(mjcf* c, const mjcf_class* defaults, scri_xml* element, const char* name,
                        scri_vec usual);

/* pos, and quat, axisangle, xyaxes, zaxis or euler. */
scri_pose mjcf_pose(mjcf* c, const mjcf_class* defaults, scri_xml* element);

/* The turn that brings z to a direction of length 1. */
scri_quat mjcf_turn_z(scri_vec z);

/* The class that an element names, or `usual`. */
const mjcf_class* mjcf_class_of(mjcf* c, scri_xml* element, const char* key,
                                const mjcf_class* usual);

void mjcf_read_compiler(mjcf* c);
void mjcf_read_defaults(mjcf* c);

/* What is understood in defaults but was needed by nothing counts as read. */
void mjcf_forgive_defaults(const mjcf* c);

/* ---- parts ----------------------------------------------------------------------------------- */

/* The world, its bodies and their joints: mjcf_body.c. */
void mjcf_read_bodies(mjcf* c);

/* A geom of a body: mjcf_geom.c. `weighs`: it has a part in the mass. */
void mjcf_read_geom(mjcf* c, scri_xml* element, const mjcf_class* defaults, const mjcf_body* body,
                    bool weighs);

/* Motors, positions, velocities; connect, weld, joint: mjcf_drive.c. */
void mjcf_read_actuators(mjcf* c);
void mjcf_read_equalities(mjcf* c);

#endif
