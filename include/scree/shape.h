/* Shapes and their mass properties.
 *
 * A shape sits in the frame of the body that carries it, at `position` and turned by `rotation`
 * (quaternion w, x, y, z; unit length). Axes are those of the turned shape.
 */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/hull.h"
#include "scree/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What half_size holds, m. Scene files have `size` for full lengths. */
typedef enum scree_shape_kind {
    SCREE_SHAPE_SPHERE,     /* radius */
    SCREE_SHAPE_HALF_SPACE, /* nothing: all z <= 0; carried by a body that does not move by itself
                             */
    SCREE_SHAPE_BOX,        /* half lengths along x, y, z */
    SCREE_SHAPE_CAPSULE,    /* radius, half length of the axis (z) without the caps */
    SCREE_SHAPE_CYLINDER,   /* radius, half height along the axis (z) */
    SCREE_SHAPE_HULL,       /* scale, a number: 1 for the hull as it was made */
    SCREE_SHAPE_ELLIPSOID,  /* half axes along x, y, z */
    SCREE_SHAPE_CONE, /* radius of the base, half height along the axis (z): the base lies half
                       * of that below the centre of mass, the apex 1.5 times that above */
    SCREE_SHAPE_MESH, /* nothing: as it was made; carried like a half-space */
    SCREE_SHAPE_TUBE, /* outer radius, half height along the axis (z), inner radius: a drum, a pipe,
                       * a ring; meets spheres and half-spaces alone */
    SCREE_SHAPE_COUNT
} scree_shape_kind;

typedef struct scree_shape {
    uint32_t struct_size; /* written by scree_default_shape(): see scree/world.h */
    scree_shape_kind kind;
    double half_size[3];    /* m; unused ones are 0 */
    double position[3];     /* m, in the body's frame */
    double rotation[4];     /* quaternion w, x, y, z */
    int32_t material;       /* index that scree_world_add_material() returned */
    uint32_t category;      /* bits that this shape is */
    uint32_t collides;      /* bits that it collides with; both shapes must agree */
    void* user;             /* the host's, handed back and never looked at */
    const scree_hull* hull; /* of SCREE_SHAPE_HULL: its form, shared and not copied */
    const scree_mesh* mesh; /* of SCREE_SHAPE_MESH, the same */
    double rounding;        /* m, of a box, cylinder, hull, ellipsoid or cone: the shape is all that
                             * is no farther than this from what half_size says */
} scree_shape;

/* A sphere of radius 1 at the origin, material 0, colliding with everything. */
SCREE_API void scree_shape_init(scree_shape* shape); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_shape, scree_default_shape, scree_shape_init)

/* "sphere", "half-space", "box", ...; NULL for a value outside the enumeration. */
SCREE_API const char* scree_shape_name(int kind);

typedef struct scree_mass {
    double mass;       /* kg */
    double centre[3];  /* centre of mass, m */
    double inertia[6]; /* about the centre of mass: xx yy zz xy xz yz, kg m^2 */
} scree_mass;

/* Mass properties of n shapes of one density (kg/m^3) together, in the body's frame. Overlaps count
 * twice. Rounded shapes are exact to rounding, an ellipsoid whose axes differ more than 8 times to
 * 1e-6. SCREE_ERROR_INPUT for a size that is not positive, for a half-space or a mesh. */
SCREE_API SCREE_MUST_USE scree_status scree_shape_mass(const scree_env* env, int32_t n,
                                                       const scree_shape* shapes, double density,
                                                       scree_mass* out);

/* The same of a closed mesh. SCREE_ERROR_INPUT with a line in the log for one with a rim, one whose
 * triangles face in, and a height field. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_mass(const scree_env* env, const scree_mesh* mesh,
                                                      double density, scree_mass* out);

/* Convex parts of a closed mesh, for shapes of a body that moves: hulls that hold all of it,
 * scree_hull_view.centre being the place of each. Ends when they hold no more than `error` beyond
 * the volume of the mesh, relative to that, or when there are `most` of them, or when no cut helps;
 * *left is what they hold in excess then. `parts` has room for `most`, and they are the caller's.
 * Takes a second or so for a few hundred triangles and ten parts. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_split(const scree_env* env, const scree_mesh* mesh,
                                                       double error, int32_t most,
                                                       scree_hull** parts, int32_t* n_parts,
                                                       double* left);

#ifdef __cplusplus
}
#endif

#endif
