/* Convex shapes as the general narrow phase sees them: a core, of which it knows the farthest point
 * in any direction and the part of its surface that looks there, and a ball that is added to it.
 *
 * Shapes with sharp edges have the ball of radius 0, rounded ones that which rounds them. For their
 * normals the core is taken without a thin layer, `inset`, so that cores are apart where shapes
 * touch (decision 100). */
#ifndef SCRI_CONVEX_H
#define SCRI_CONVEX_H

#include "collide/pair.h"
#include "shapes/hull.h"

typedef struct scri_convex {
    scree_shape_kind kind;
    const double* size;
    const scree_hull* hull;
    const struct scri_part*
        part;        /* of a mesh: all there is of it; no other member but the centre counts */
    scri_vec centre; /* from the origin of the pair */
    scri_mat axes;
    double radius;    /* of the ball added to the core */
    double ball;      /* what of it was taken from an ellipsoid to make its core */
    double inset;     /* thickness of the layer that is left out of the core */
    double inner;     /* radius of a ball inside the shape: insets stay below it */
    double spike;     /* a corner moves by at most spike * inset */
    scri_solid solid; /* as it was given, for its load */
    int is_loaded;
    scri_vec load; /* where forces press on a disc of it, in its frame, if is_loaded */
} scri_convex;

scri_convex scri_convex_load(scree_shape_kind kind, const scri_solid* solid, scri_vec origin);

/* Whether faces and edges of the core are flat, so that finitely many points span it. */
int scri_convex_is_polytope(const scri_convex* c);

/* Whether the surface has one normal everywhere. */
int scri_convex_is_smooth(const scri_convex* c);

/* The point of the core that is farthest in `direction`, which need not have length 1. */
scri_vec scri_convex_support(const scri_convex* c, scri_vec direction);

/* Sines of the tilt up to which a face counts as looking in a direction, and from which on it does
 * not; between the two contacts change from one rule to the other in proportion. */
#define SCRI_FLAT 0.02
#define SCRI_TILTED 0.06

/* Sine of the angle by which an edge may be off the plane across a direction, to look there. */
#define SCRI_ACROSS 0.1

enum { SCRI_CORNERS = 32 };

/* What of a core, without any inset, looks in a direction: a point, an edge with two ends, or a
 * face with its corners in turn. */
typedef struct scri_part {
    int n;
    scri_vec corner[SCRI_CORNERS];
    uint32_t name[SCRI_CORNERS]; /* below SCRI_NAMES, the same at all times for one corner */
    scri_vec normal;             /* of a face, out of the shape */
} scri_part;

enum { SCRI_NAMES = 4096 };

void scri_convex_part(const scri_convex* c, scri_vec direction, scri_part* out);

/* A core that is one point; `part` must live as long. */
static inline scri_convex scri_convex_point(scri_vec at, scri_part* part)
{
    *part = (scri_part){.n = 1, .corner = {at}};
    return (scri_convex){
        .kind = SCREE_SHAPE_MESH, .part = part, .centre = at, .inner = SCREE_INFINITY};
}

/* What is known of the normal at a point of the surface from a straight line of it inside of which
 * the point lies: its product with an axis, 0 with the line itself; with the axis of a cone, round
 * which the lines go, the sine of half its angle. */
typedef struct scri_line {
    scri_vec axis;
    double along;
} scri_line;

/* Those of a point of the core with its inset; returns their number, at most 3. A point closer to
 * the end of a line than `snap`, relative to the size, may well be its end and is none of it; with
 * SCRI_ALL_LINES all count that a surface has anywhere. */
#define SCRI_ALL_LINES (-1.0)
int scri_convex_lines(const scri_convex* c, scri_vec point, double snap, scri_line lines[3]);

/* ---- shapes with curved surfaces, in their own frame ---- */

/* Write radius, inner and spike. */
void scri_cone_load(scri_convex* c);
void scri_ellipsoid_load(scri_convex* c);

scri_vec scri_round_support(const scri_convex* c, scri_vec d);
void scri_round_part(const scri_convex* c, scri_vec d, scri_part* out);

/* Lengths below `slack`, the inset included, count as nothing; below 0: SCRI_ALL_LINES. */
int scri_round_lines(const scri_convex* c, scri_vec x, double slack, scri_line lines[3]);

/* ---- nearest points ---- */

typedef enum scri_gap { SCRI_APART, SCRI_BEYOND, SCRI_OVERLAP } scri_gap;

/* Nearest points of two cores. */
typedef struct scri_nearest {
    scri_vec on_a, on_b;
    scri_vec normal; /* from b to a */
    double distance;
} scri_nearest;

/* SCRI_BEYOND when the cores are farther apart than `limit`; `out` is then not written.
 * SCRI_OVERLAP when they have a point in common within rounding. */
scri_gap scri_nearest_of(const scri_convex* a, const scri_convex* b, double limit,
                         scri_nearest* out);

/* ---- points ---- */

/* Two shapes that meet with a normal, and the points found. */
typedef struct scri_meeting {
    const scri_convex *a, *b;
    scri_vec normal; /* from b to a */
    scri_vec origin; /* of the pair, in the world */
    scri_nearest nearest;
    double separation; /* of the shapes along the normal */
    double layer;      /* what counts as little: thickness of the layers */
    double margin;
    scri_touch* out;
    int n;
} scri_meeting;

/* Writes the corners of what the two parts have in common across the normal; returns the least of
 * their gaps, within the margin or not, infinity where there are none. */
double scri_meeting_add_common(scri_meeting* m, const scri_part* a, const scri_part* b);

/* Writes the point where the shapes are nearest. */
void scri_meeting_add_nearest(scri_meeting* m, const scri_part* a, const scri_part* b);

/* Numbers the points that share a name, in an order fixed in a: the last thing to do. */
void scri_meeting_name(scri_meeting* m);

/* Whether the two faces have an area in common, seen along the normal. */
int scri_parts_overlap(const scri_part* a, const scri_part* b, scri_vec normal, double border);

/* Where the ray o + share d, in the frame of a rounded shape, enters it; 0 when it does not. One
 * that begins inside meets it at once, with the normal against the ray. */
int scri_ray_meets_rounded(scree_shape_kind kind, const scri_solid* solid, scri_vec o, scri_vec d,
                           double* share, scri_vec* normal);

/* Any two convex shapes of these kinds. */
int scri_convex_touch(const scri_convex* a, const scri_convex* b, scri_vec origin, double margin,
                      scri_touch* out);

#endif
