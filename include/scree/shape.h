/* Shapes and their mass properties.
 *
 * A shape sits in the frame of the body that carries it, at `position` and turned by `rotation`
 * (quaternion w, x, y, z; unit length). Axes are those of the turned shape.
 */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- hulls ---- */

/* Convex polyhedra, made once and shared by all shapes that have their form. */
typedef struct scree_hull scree_hull;

/* Corners that a hull may have at most; as many points as memory holds may be given. */
enum { SCREE_HULL_CORNERS = 4096 };

/* The convex hull of n points (x, y, z, in m, in any order, inner and double ones too). Its frame
 * has the origin at the centre of mass; scree_hull_view.centre says where that was among the
 * points. SCREE_ERROR_INPUT with a line in the log for points that are not finite, that all lie in
 * a plane, or that have more corners than the limit above. The hull must live as long as any shape
 * that names it, in worlds and scenes alike. */
SCREE_API SCREE_MUST_USE scree_status scree_hull_create(const scree_env* env, int32_t n,
                                                        const double* points, scree_hull** out);
SCREE_API void scree_hull_destroy(scree_hull* hull);

/* What a hull consists of; arrays are the hull's own. */
typedef struct scree_hull_view {
    uint32_t struct_size;
    double centre[3];  /* m: add it to a corner for its place among the points */
    double volume;     /* m^3 */
    double inertia[6]; /* about the centre for density 1: xx yy zz xy xz yz, m^5 */
    int32_t n_corners;
    const double* corners; /* [3 n_corners] m, from the centre */
    int32_t n_faces;
    const int32_t* face_start;   /* [n_faces + 1] into face_corners */
    const int32_t* face_corners; /* corners of each face, to the left seen from outside */
    const double* planes;        /* [4 n_faces] unit normal, and distance from the centre */
} scree_hull_view;

SCREE_API void scree_hull_fill_view(const scree_hull* hull, scree_hull_view* view);
SCREE_DEFINE_VIEW(scree_hull_view, scree_hull_get_view, scree_hull_fill_view, scree_hull)

/* ---- meshes and height fields ---- */

/* Surfaces that do not move by themselves: triangle meshes and height fields, made once and shared
 * by all shapes that have their form.
 *
 * Both have one side, the one that bodies are on. A triangle faces where its corners go round to
 * the left; it acts on bodies whose centre lies in front of it and lets all others pass. A closed
 * mesh is solid where it faces out and a room where it faces in. A height field faces up and is
 * solid below, down to its lowest point less its width.
 *
 * A normal belongs to the surface, not to its triangles: edges between triangles in one plane, and
 * those in a valley, are not felt; edges and corners that stand out are, and so is the rim. */
typedef struct scree_mesh scree_mesh;

/* A mesh of triangles: three numbers of points each, from 0. Points that coincide are one, whatever
 * their numbers. SCREE_ERROR_INPUT with a line in the log for a point that is not finite, a number
 * that is out of range, a triangle without area, and two triangles that run along their common edge
 * in the same direction: one of them is then turned over, or double, or more than two meet there.
 * The mesh must live as long as any shape that names it, in worlds and scenes alike. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_create(const scree_env* env, int32_t n_points,
                                                        const double* points, int32_t n_triangles,
                                                        const int32_t* corners, scree_mesh** out);

/* A height field over the points origin + (column dx, row dy) of its x-y plane, rows one after the
 * other, two triangles to a cell. SCREE_ERROR_INPUT for fewer than two rows or columns, a spacing
 * that is not positive, and heights that are not finite: holes are to be filled before. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_create_heights(
    const scree_env* env, int32_t columns, int32_t rows, const double origin[2],
    const double spacing[2], const double* heights, scree_mesh** out);
SCREE_API void scree_mesh_destroy(scree_mesh* mesh);

/* Divides a surface into zones, which scree_shape.zone_material may give materials of their own: a
 * number from 0 for each triangle of a mesh; for each point of a height field, whose zone holds up
 * to halfway to the points beside it, seen along z. `n` is n_triangles or columns * rows. Copied;
 * to be called before any world has the mesh. SCREE_ERROR_INPUT for another n and for numbers that
 * are negative or not below SCREE_MESH_ZONES. */
enum { SCREE_MESH_ZONES = 65536 };
SCREE_API SCREE_MUST_USE scree_status scree_mesh_set_zones(scree_mesh* mesh, int32_t n,
                                                           const int32_t* zones);

/* What a mesh consists of; arrays are the mesh's own. */
typedef struct scree_mesh_view {
    uint32_t struct_size;
    double lower[3], upper[3]; /* m: the box around it */
    int32_t n_points;          /* columns times rows in a height field */
    const double* points;      /* [3 n_points] m; NULL in a height field */
    int32_t n_triangles;
    const int32_t* corners; /* [3 n_triangles]; NULL in a height field */
    int32_t columns, rows;  /* 0 unless it is a height field */
    double origin[2], spacing[2];
    const double* heights; /* [columns * rows] m */
    const int32_t* zones;  /* [n_triangles], [columns * rows] in a height field; NULL: none */
} scree_mesh_view;

SCREE_API void scree_mesh_fill_view(const scree_mesh* mesh, scree_mesh_view* view);
SCREE_DEFINE_VIEW(scree_mesh_view, scree_mesh_get_view, scree_mesh_fill_view, scree_mesh)

/* Points and triangles of either kind, the latter to the left seen from the front. */
SCREE_API void scree_mesh_point(const scree_mesh* mesh, int32_t point, double out[3]);
SCREE_API void scree_mesh_triangle(const scree_mesh* mesh, int32_t triangle, int32_t out[3]);

/* ---- shapes ---- */

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
                       * a ring; meets all but meshes and other tubes */
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
    int32_t n_zones;        /* of a mesh with zones: how many of them have materials below */
    const int32_t* zone_material; /* [n_zones] as `material`, which holds for zones beyond; shared
                                   * and not copied */
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
