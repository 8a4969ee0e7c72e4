/* The layout of a recording: tables of columns, each column an HDF5 dataset that grows by rows.
 *
 * Rows are appended and never moved. The last column that a frame writes is /frames/time: its
 * length is the number of frames that are complete, whatever else the file holds. */
#ifndef SCRI_RECORDING_LAYOUT_H
#define SCRI_RECORDING_LAYOUT_H

#include "io/hdf5_util.h"

#include <hdf5.h>
#include <stdbool.h>

/* A reader refuses files of a later schema. Schema 1 had no removed bodies: neither the columns
 * that say in which slot of the world a body was, nor a frame to be replaced. Schema 2 had no
 * hulls, schema 3 no meshes, schema 4 no joints, schema 5 no modes of contacts, schema 6 no
 * rounded shapes, schema 7 no zones of meshes. */
enum { SCRI_RECORDING_SCHEMA = 8 };

/* Bytes of a body's name with the final zero; longer ones are cut. */
enum { SCRI_RECORDING_NAME = 64 };

typedef enum scri_cell {
    SCRI_CELL_REAL,    /* double */
    SCRI_CELL_FLOAT,   /* float */
    SCRI_CELL_LONG,    /* int64_t */
    SCRI_CELL_INTEGER, /* int32_t */
    SCRI_CELL_BYTE,    /* uint8_t */
    SCRI_CELL_NAME     /* char[SCRI_RECORDING_NAME] */
} scri_cell;

typedef enum scri_table {
    SCRI_TABLE_FRAMES,   /* a row for each frame */
    SCRI_TABLE_STATES,   /* a row for each body of each frame */
    SCRI_TABLE_CONTACTS, /* a row for each contact of each frame */
    SCRI_TABLE_BODIES,   /* a row for each body */
    SCRI_TABLE_SHAPES,   /* a row for each shape */
    SCRI_TABLE_HULLS,    /* a row for each corner of a hull */
    SCRI_TABLE_MESHES,   /* a row for each mesh or height field */
    SCRI_TABLE_SURFACES, /* a row for each number, or each triangle, of a mesh */
    SCRI_TABLE_JOINTS,   /* a row for each joint */
    SCRI_TABLE_MOTIONS,  /* a row for each joint of each frame */
    SCRI_TABLE_SAVED,    /* bytes of a checkpoint */
    SCRI_TABLE_COUNT
} scri_table;

/* name, table, cell, cells in a row, path */
#define SCRI_RECORDING_COLUMNS(X)                                          \
    X(TIME, FRAMES, REAL, 1, "/frames/time")                               \
    X(STEP, FRAMES, LONG, 1, "/frames/step")                               \
    X(N_BODIES, FRAMES, INTEGER, 1, "/frames/n_bodies")                    \
    X(BODY_OFFSET, FRAMES, LONG, 1, "/frames/body_offset")                 \
    X(N_CONTACTS, FRAMES, INTEGER, 1, "/frames/n_contacts")                \
    X(CONTACT_OFFSET, FRAMES, LONG, 1, "/frames/contact_offset")           \
    X(N_SHAPES, FRAMES, INTEGER, 1, "/frames/n_shapes")                    \
    X(KINETIC, FRAMES, REAL, 1, "/frames/kinetic")                         \
    X(POTENTIAL, FRAMES, REAL, 1, "/frames/potential")                     \
    X(RESIDUAL_MAX, FRAMES, REAL, 1, "/frames/residual_max")               \
    X(PENETRATION_MAX, FRAMES, REAL, 1, "/frames/penetration_max")         \
    X(POSITION, STATES, REAL, 3, "/bodies_state/position")                 \
    X(ROTATION, STATES, REAL, 4, "/bodies_state/rotation")                 \
    X(VELOCITY, STATES, REAL, 3, "/bodies_state/velocity")                 \
    X(ANGULAR_VELOCITY, STATES, REAL, 3, "/bodies_state/angular_velocity") \
    X(PAIR, CONTACTS, INTEGER, 2, "/contacts/pair")                        \
    X(POINT, CONTACTS, FLOAT, 3, "/contacts/point")                        \
    X(NORMAL, CONTACTS, FLOAT, 3, "/contacts/normal")                      \
    X(FORCE, CONTACTS, FLOAT, 3, "/contacts/force")                        \
    X(MOMENT, CONTACTS, FLOAT, 3, "/contacts/moment")                      \
    X(GAP, CONTACTS, FLOAT, 1, "/contacts/gap")                            \
    X(MODE, CONTACTS, BYTE, 1, "/contacts/mode")                           \
    X(BODY_NAME, BODIES, NAME, 1, "/bodies/name")                          \
    X(BODY_KIND, BODIES, BYTE, 1, "/bodies/kind")                          \
    X(BODY_MASS, BODIES, REAL, 1, "/bodies/mass")                          \
    X(SHAPE_KIND, SHAPES, BYTE, 1, "/shapes/kind")                         \
    X(SHAPE_SIZE, SHAPES, REAL, 3, "/shapes/size")                         \
    X(SHAPE_POSITION, SHAPES, REAL, 3, "/shapes/position")                 \
    X(SHAPE_ROTATION, SHAPES, REAL, 4, "/shapes/rotation")                 \
    X(SHAPE_BODY, SHAPES, INTEGER, 1, "/shapes/body")                      \
    X(SHAPE_MATERIAL, SHAPES, INTEGER, 1, "/shapes/material")              \
    X(SHAPE_ROUNDING, SHAPES, REAL, 1, "/shapes/rounding")                 \
    X(SHAPE_HULL, SHAPES, INTEGER, 2, "/shapes/hull")                      \
    X(HULL_CORNER, HULLS, REAL, 3, "/hulls/corner")                        \
    X(SHAPE_MESH, SHAPES, INTEGER, 1, "/shapes/mesh")                      \
    X(MESH_SIZE, MESHES, LONG, 6, "/meshes/size")                          \
    X(MESH_FRAME, MESHES, REAL, 4, "/meshes/frame")                        \
    X(MESH_NUMBER, SURFACES, REAL, 1, "/meshes/number")                    \
    X(MESH_CORNER, SURFACES, INTEGER, 3, "/meshes/corner")                 \
    X(MESH_ZONES, MESHES, LONG, 1, "/meshes/zones")                        \
    X(MESH_ZONE, SURFACES, INTEGER, 1, "/meshes/zone")                     \
    X(BODY_SLOT, BODIES, INTEGER, 1, "/bodies/slot")                       \
    X(BODY_GENERATION, BODIES, INTEGER, 1, "/bodies/generation")           \
    X(N_JOINTS, FRAMES, INTEGER, 1, "/frames/n_joints")                    \
    X(JOINT_OFFSET, FRAMES, LONG, 1, "/frames/joint_offset")               \
    X(JOINT_NAME, JOINTS, NAME, 1, "/joints/name")                         \
    X(JOINT_KIND, JOINTS, BYTE, 1, "/joints/kind")                         \
    X(JOINT_BODIES, JOINTS, INTEGER, 2, "/joints/bodies")                  \
    X(JOINT_POSITION, JOINTS, REAL, 6, "/joints/position")                 \
    X(JOINT_ROTATION, JOINTS, REAL, 8, "/joints/rotation")                 \
    X(JOINT_LIMITS, JOINTS, REAL, 6, "/joints/limits")                     \
    X(JOINT_SLOT, JOINTS, INTEGER, 1, "/joints/slot")                      \
    X(JOINT_GENERATION, JOINTS, INTEGER, 1, "/joints/generation")          \
    X(JOINT_COORDINATE, MOTIONS, REAL, 3, "/joints_state/coordinate")      \
    X(JOINT_RATE, MOTIONS, REAL, 3, "/joints_state/rate")                  \
    X(JOINT_EFFORT, MOTIONS, REAL, 3, "/joints_state/effort")              \
    X(JOINT_FORCE, MOTIONS, REAL, 3, "/joints_state/force")                \
    X(JOINT_TORQUE, MOTIONS, REAL, 3, "/joints_state/torque")              \
    X(SAVED_A, SAVED, BYTE, 1, "/checkpoint/a")                            \
    X(SAVED_B, SAVED, BYTE, 1, "/checkpoint/b")

typedef enum scri_column {
#define SCRI_COLUMN_ENUM(name, table, cell, width, path) SCRI_COLUMN_##name,
    SCRI_RECORDING_COLUMNS(SCRI_COLUMN_ENUM)
#undef SCRI_COLUMN_ENUM
        SCRI_COLUMN_COUNT
} scri_column;

typedef struct scri_column_def {
    const char* path;
    scri_table table;
    scri_cell cell;
    int width;
} scri_column_def;
extern const scri_column_def scri_column_defs[SCRI_COLUMN_COUNT];

/* Bytes of a row in memory. */
size_t scri_column_row_size(scri_column column);

/* Where the heads of the two checkpoints stand: five integers for each, see scri_saved_head. */
#define SCRI_RECORDING_HEADS "/checkpoint/head"
#define SCRI_RECORDING_CLOSED "/scene/closed"

/* The frame that a recorder wrote when it was closed, though none was due; -1: none. */
#define SCRI_RECORDING_EXTRA "/scene/extra"

/* Values of SCRI_RECORDING_CLOSED. */
enum { SCRI_RECORDING_OPEN, SCRI_RECORDING_COMPLETE, SCRI_RECORDING_INTERRUPTED };

/* Whether files of a schema have the column. */
bool scri_column_is_in(scri_column column, int32_t schema);

/* The columns of an open file. */
typedef struct scri_columns {
    hid_t id[SCRI_COLUMN_COUNT];
    int64_t extent[SCRI_COLUMN_COUNT]; /* rows by HDF5's account */
    int64_t rows[SCRI_COLUMN_COUNT];   /* that are stored: a kill may leave fewer */
} scri_columns;

/* Makes all columns, empty, with chunks that suit a scene of so many bodies. */
scree_status scri_columns_create(const scri_hdf5* h, int64_t n_bodies);

/* Opens all columns of a schema after a check that each is what its definition says. When this
 * fails nothing is left open. */
scree_status scri_columns_open(const scri_hdf5* h, int32_t schema, scri_columns* out);
void scri_columns_close(scri_columns* columns);

/* Reads rows that exist, or writes rows, those that do not exist yet included. */
scree_status scri_column_read(const scri_hdf5* h, const scri_columns* columns, scri_column column,
                              int64_t first, int64_t n, void* out);
scree_status scri_column_write(const scri_hdf5* h, scri_columns* columns, scri_column column,
                               int64_t first, int64_t n, const void* value);

#endif
