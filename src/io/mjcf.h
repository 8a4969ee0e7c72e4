/* What the parts of the MJCF reader share. */
#ifndef SCRI_MJCF_H
#define SCRI_MJCF_H

#include "io/model.h"

/* A class of defaults: what stands in it, then in its parent, and so on. */
typedef struct scri_mjcf_class {
    struct scri_mjcf_class *next, *parent;
    const char* name;
    scri_xml* element;
} scri_mjcf_class;

typedef enum scri_mjcf_freedom {
    SCRI_MJCF_FREE,
    SCRI_MJCF_BALL,
    SCRI_MJCF_HINGE,
    SCRI_MJCF_SLIDE
} scri_mjcf_freedom;

/* A joint of the file; several of one body may be one of ours. */
typedef struct scri_mjcf_joint {
    struct scri_mjcf_joint* next;
    scri_xml* element;
    const scri_mjcf_class* defaults;
    const char* name;
    scri_mjcf_freedom type;
    scri_vec axis, anchor; /* in the body's frame */
    double ref;
    scri_model_joint* made; /* NULL: free */
    int which;              /* freedom of it */
} scri_mjcf_joint;

typedef struct scri_mjcf_body {
    struct scri_mjcf_body* next;
    const char* name;
    scri_link* rigid;
    scri_pose in;        /* where it is in that */
    scri_pose reference; /* in the world, with all joints at their references */
} scri_mjcf_body;

enum { SCRI_MJCF_COORDINATES = 4096 };

typedef struct scri_mjcf {
    scri_model* m;
    double angle; /* rad, of the unit that angles have */
    char euler[4];
    bool autolimits, from_geoms, may_be_from_geoms;
    scri_mjcf_class *classes, *main;
    scri_mjcf_body *bodies, *last_body;
    scri_mjcf_joint *joints, *last_joint;
    int n_links;
    scri_xml* key;                /* the keyframe; NULL: none */
    int n_position, n_velocity;   /* numbers that it has, */
    int at_position, at_velocity; /* and those that bodies have taken */
    double position[SCRI_MJCF_COORDINATES], velocity[SCRI_MJCF_COORDINATES];
} scri_mjcf;

/* ---- attributes: scri_mjcf_values.c
 * --------------------------------------------------------------- */

/* The value of an attribute: the element's own, or that of its class of defaults; NULL: none. */
const char* scri_mjcf_get(const scri_mjcf_class* defaults, scri_xml* element, const char* name);

/* Numbers of an attribute; how many there were. Without it *out stays as it is, and 0. */
int scri_mjcf_numbers(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element,
                      const char* name, int least, int most, double* out);

/* Whether the attribute is "true"; `usual` without it and for "auto". */
bool scri_mjcf_truth(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element,
                     const char* name, bool usual);

/* A direction of length 1; a fault where there is none. */
scri_vec scri_mjcf_direction(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element,
                             const char* name, scri_vec usual);

/* pos, and quat, axisangle, xyaxes, zaxis or euler. */
scri_pose scri_mjcf_pose(scri_mjcf* c, const scri_mjcf_class* defaults, scri_xml* element);

/* The turn that brings z to a direction of length 1. */
scri_quat scri_mjcf_turn_z(scri_vec z);

/* The class that an element names, or `usual`. */
const scri_mjcf_class* scri_mjcf_class_of(scri_mjcf* c, scri_xml* element, const char* key,
                                          const scri_mjcf_class* usual);

void scri_mjcf_read_compiler(scri_mjcf* c);
void scri_mjcf_read_defaults(scri_mjcf* c);

/* What is understood in defaults but was needed by nothing counts as read. */
void scri_mjcf_forgive_defaults(const scri_mjcf* c);

/* ---- parts ----------------------------------------------------------------------------------- */

/* The world, its bodies and their joints: scri_mjcf_body.c. */
void scri_mjcf_read_bodies(scri_mjcf* c);

/* A geom of a body: scri_mjcf_geom.c. `weighs`: it has a part in the mass. */
void scri_mjcf_read_geom(scri_mjcf* c, scri_xml* element, const scri_mjcf_class* defaults,
                         const scri_mjcf_body* body, bool weighs);

/* Motors, positions, velocities; connect, weld, joint: scri_mjcf_drive.c. */
void scri_mjcf_read_actuators(scri_mjcf* c);
void scri_mjcf_read_equalities(scri_mjcf* c);

#endif
