/* Rockfall over a map: many blocks, each alone on the terrain, and what they do to each cell of it.
 * docs/rockfall.md says what is computed and how.
 *
 *     scree_rockfall_def def = scree_default_rockfall_def();
 *     def.map = (scree_rockfall_map){.columns = n, .rows = m, .cell = 1.0, .heights = z};
 *     def.n_releases = 1, def.releases = place;
 *     def.blocks = 1000;
 *     scree_rockfall result;
 *     status = scree_rockfall_run(NULL, &def, &result);
 *     ... result.layer[SCREE_ROCKFALL_ENERGY_95] ...
 *     scree_rockfall_release(&result);
 *
 * Results depend on the def alone: neither on the number of workers nor on the time of day.
 */
#ifndef SCREE_STUDY_ROCKFALL_H
#define SCREE_STUDY_ROCKFALL_H

#include "scree/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Forms of blocks by their axes a >= b >= c, after Zingg; each block is an irregular hull of its
 * own, whose extents along its axes have exactly these ratios. In a study `mixed` means that each
 * block is equant, flat or long, with equal chances. X(CONSTANT, name, a, b, c). */
#define SCREE_BLOCK_FORMS(X)           \
    X(EQUANT, "equant", 1.0, 0.9, 0.8) \
    X(FLAT, "flat", 1.0, 0.9, 0.4)     \
    X(LONG, "long", 1.0, 0.5, 0.45)    \
    X(BLADE, "blade", 1.0, 0.55, 0.25) \
    X(SPHERE, "sphere", 1.0, 1.0, 1.0) \
    X(MIXED, "mixed", 1.0, 1.0, 1.0)

typedef enum scree_block_form {
#define SCREE_X(constant, name, a, b, c) SCREE_BLOCK_##constant,
    SCREE_BLOCK_FORMS(SCREE_X)
#undef SCREE_X
        SCREE_BLOCK_COUNT
} scree_block_form;

/* NULL for a value outside the enumeration, here and below. */
static inline const char* scree_block_form_name(int form)
{
#define SCREE_X(constant, name, a, b, c) name,
    static const char* const names[] = {SCREE_BLOCK_FORMS(SCREE_X)};
#undef SCREE_X
    return form >= 0 && form < SCREE_BLOCK_COUNT ? names[form] : NULL;
}

/* The extents of a form over the longest one. */
SCREE_API void scree_block_form_axes(scree_block_form form, double out[3]);

/* The hull that block `number` of a study with this seed has, of the volume of a sphere of diameter
 * 1. SCREE_ERROR_ARGUMENT for a sphere and for `mixed`, which have none. */
SCREE_API SCREE_MUST_USE scree_status scree_block_hull(const scree_env* env, scree_block_form form,
                                                       uint64_t seed, int32_t number,
                                                       scree_hull** out);

/* ---- what is asked for ----------------------------------------------------------------------- */

/* Heights of points that lie in the middle of square cells, rows from the lowest y on; between
 * points the ground is two triangles to a square, as in scree_mesh_create_heights(). All borrowed.
 */
typedef struct scree_rockfall_map {
    int32_t columns, rows;
    double origin[2]; /* x and y of the first point, m */
    double cell;      /* m */
    const double*
        heights;         /* [columns * rows] m; NaN: no ground, blocks that reach there have left */
    const int32_t* zone; /* [columns * rows] index into the grounds; NULL: 0 everywhere */
} scree_rockfall_map;

/* A slope to try things on: a cliff, a talus with a gully and a bench, a valley floor with a dam.
 * Fills heights[columns * rows] of a map with cells of SCREE_SLOPE_CELL m, and releases[2 n] along
 * the upper part of the cliff. */
enum { SCREE_SLOPE_COLUMNS = 201, SCREE_SLOPE_ROWS = 121 };
#define SCREE_SLOPE_CELL 2.0
SCREE_API void scree_rockfall_slope(double* heights, int32_t n, double* releases);

/* Cells that are steeper than an angle (rad) and at least `margin` (m) from the rim: how many, and
 * where `out` is not NULL, x and y of each. */
SCREE_API int32_t scree_rockfall_steep_cells(const scree_rockfall_map* map, double angle,
                                             double margin, double* out);

/* What a block meets in a zone. */
typedef struct scree_rockfall_ground {
    double mu;          /* sliding friction, a number */
    double roll;        /* rolling friction, a number: mu_r over the radius of the block's sphere;
                           spinning on the spot is resisted by mu_s = 2/3 mu mu_r */
    double restitution; /* Newton's e, 0 to 1 */
    double viscous;     /* what a metre per second of sliding adds to mu, s/m */
} scree_rockfall_ground;

/* Grounds that a study may have at most. */
enum { SCREE_ROCKFALL_GROUNDS = 256 };

/* mu 0.6, roll 0.1, restitution 0.2: slopes of debris. */
SCREE_API scree_rockfall_ground scree_default_rockfall_ground(void);

/* X(type, name, default, meaning). One list makes the struct and the defaults. */
#define SCREE_ROCKFALL_FIELDS(X)                                                                \
    X(int32_t, blocks, 100, "blocks, one trajectory each")                                      \
    X(uint64_t, seed, 1, "of forms, sizes, places and orientations")                            \
    X(scree_block_form, form, SCREE_BLOCK_EQUANT, "of the blocks")                              \
    X(double, size_low, 1.0, "diameter of the sphere of the same volume, m: from this")         \
    X(double, size_high, 1.0, "to this, with equal chances in between")                         \
    X(double, deviation, 0.0, "above 0: log-normal about size_low, deviation of the logarithm") \
    X(double, density, 2650.0, "kg/m^3")                                                        \
    X(double, drop, 0.5, "of the lowest corner above the ground in the beginning, m")           \
    X(double, speed, 0.0, "in the beginning, level, down the steepest way, m/s")                \
    X(double, gravity, 9.81, "m/s^2")                                                           \
    X(double, step, 1e-3, "s")                                                                  \
    X(double, time, 300.0, "longest that a block is followed, s")                               \
    X(double, way, 0.0, "m between two points of a line; 0: a cell")                            \
    X(int32_t, lines, 1000, "of the first so many blocks the points of the line are kept")      \
    X(int32_t, workers, 1, "threads; 0: one for each processor; results do not depend on them")

/* Called between groups of blocks with the number that are done; nonzero ends the study: the result
 * then has the blocks so far. */
typedef int scree_rockfall_progress(void* user, int32_t blocks);

/* The same, asked again and again while blocks are on their way, by all workers and so from several
 * threads at a time: the result then has the blocks before the first that was not done. */
typedef int scree_rockfall_stop(void* user);

typedef struct scree_rockfall_def {
    uint32_t struct_size; /* written by scree_default_rockfall_def() */
#define SCREE_X(type, name, value, meaning) type name;
    SCREE_ROCKFALL_FIELDS(SCREE_X)
#undef SCREE_X
    scree_rockfall_map map;
    int32_t n_grounds;                    /* 0: the default one */
    const scree_rockfall_ground* grounds; /* [n_grounds] */
    int32_t n_releases;
    const double* releases; /* [2 n_releases] x, y: blocks take turns at them; of more than there
                               are blocks some are passed over, evenly */
    double release_side;    /* m: of the square about a release in which a block begins anywhere */
    scree_rockfall_progress* progress; /* may be NULL */
    void* progress_user;
    scree_rockfall_stop* stop; /* may be NULL */
    void* stop_user;
} scree_rockfall_def;

SCREE_API void scree_rockfall_def_init(scree_rockfall_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_rockfall_def, scree_default_rockfall_def, scree_rockfall_def_init)

/* ---- what comes out -------------------------------------------------------------------------- */

typedef enum scree_rock_end {
    SCREE_ROCK_RESTED, /* it lies still */
    SCREE_ROCK_LEFT,   /* part of it is over the rim of the map, or over a hole */
    SCREE_ROCK_LATE,   /* it was still moving after def.time */
    SCREE_ROCK_END_COUNT
} scree_rock_end;

/* "rested", "left", "late". */
static inline const char* scree_rock_end_name(int end)
{
    static const char* const names[] = {"rested", "left", "late"};
    return end >= 0 && end < SCREE_ROCK_END_COUNT ? names[end] : NULL;
}

/* A point of a line. */
typedef struct scree_rock_point {
    double time;        /* s */
    double position[3]; /* of the centre of mass, m, in the coordinates of the map */
    double speed;       /* m/s */
    double energy;      /* kinetic, of turning too, J */
    double jump;        /* height of the block's lowest part above the ground, m; 0 in touch */
} scree_rock_point;

/* A block and what became of it. Lengths in m, coordinates of the map. */
typedef struct scree_rock {
    scree_block_form form;
    scree_rock_end end;
    double diameter;        /* of the sphere of the same volume */
    double mass;            /* kg */
    double first[3];        /* centre of mass in the beginning */
    double last[3];         /* and at the end */
    double time;            /* s */
    double length;          /* of its way */
    double runout;          /* level distance from the beginning to the end */
    double speed;           /* largest, m/s */
    double energy;          /* largest kinetic, J */
    double jump;            /* largest */
    double lost;            /* mechanical energy that it lost, J */
    double gained;          /* largest rise of its mechanical energy above an earlier value, J */
    int64_t steps, n_loose; /* steps, and those whose contacts missed the tolerance */
    int64_t first_point, n_points; /* of its line, in scree_rockfall.points */
} scree_rock;

/* Values of the cells of the map. Speeds, energies and jumps are taken over the blocks that passed
 * a cell, of each the largest in that cell; quantiles lie between the two nearest of n sorted
 * values, at (n - 1) p. A block is in the cell that its centre of mass is above. Cells that nobody
 * passed are NaN, but 0 in the first three. X(CONSTANT, name, unit, meaning). */
#define SCREE_ROCKFALL_LAYERS(X)                                         \
    X(PASSAGES, "passages", "1", "blocks that passed")                   \
    X(FREQUENCY, "frequency", "1", "share of all blocks that passed")    \
    X(DEPOSITS, "deposits", "1", "blocks that rest here")                \
    X(SPEED_MAX, "speed_max", "m/s", "speed, largest")                   \
    X(SPEED_90, "speed_90", "m/s", "speed, 90 % quantile")               \
    X(SPEED_95, "speed_95", "m/s", "speed, 95 % quantile")               \
    X(ENERGY_MAX, "energy_max", "J", "kinetic energy, largest")          \
    X(ENERGY_90, "energy_90", "J", "kinetic energy, 90 % quantile")      \
    X(ENERGY_95, "energy_95", "J", "kinetic energy, 95 % quantile")      \
    X(JUMP_MAX, "jump_max", "m", "height above the ground, largest")     \
    X(JUMP_90, "jump_90", "m", "height above the ground, 90 % quantile") \
    X(JUMP_95, "jump_95", "m", "height above the ground, 95 % quantile")

typedef enum scree_rockfall_layer {
#define SCREE_X(constant, name, unit, meaning) SCREE_ROCKFALL_##constant,
    SCREE_ROCKFALL_LAYERS(SCREE_X)
#undef SCREE_X
        SCREE_ROCKFALL_LAYER_COUNT
} scree_rockfall_layer;

/* What a layer is called, its unit and its meaning. */
typedef struct scree_rockfall_layer_words {
    const char *name, *unit, *meaning; /* NULL outside the enumeration */
} scree_rockfall_layer_words;

static inline scree_rockfall_layer_words scree_rockfall_describe(int layer)
{
#define SCREE_X(constant, name, unit, meaning) {name, unit, meaning},
    static const scree_rockfall_layer_words words[] = {
        SCREE_ROCKFALL_LAYERS(SCREE_X){NULL, NULL, NULL}};
#undef SCREE_X
    return words[layer >= 0 && layer < SCREE_ROCKFALL_LAYER_COUNT ? layer
                                                                  : SCREE_ROCKFALL_LAYER_COUNT];
}

typedef struct scree_rockfall {
    scree_env env;
    int32_t n; /* blocks: those of the def, or fewer, even none, where the study was ended */
    scree_rock* rocks;
    int64_t n_points;
    scree_rock_point* points;                  /* of all lines, block after block */
    double* layer[SCREE_ROCKFALL_LAYER_COUNT]; /* each [columns * rows] of the map */
    int32_t n_ended[SCREE_ROCK_END_COUNT];
    int64_t steps, n_loose; /* of all blocks */
    double simulated;       /* s of all blocks */
} scree_rockfall;

/* Follows all blocks. With more than one worker `env` is used from several threads at a time; its
 * log is not. SCREE_ERROR_INPUT with a line in the log for numbers that make no sense, a release
 * nearer to the rim of the map than half a block, a zone without ground. On failure `out` is left
 * zeroed but for its env. */
SCREE_API SCREE_MUST_USE scree_status scree_rockfall_run(const scree_env* env,
                                                         const scree_rockfall_def* def,
                                                         scree_rockfall* out);
SCREE_API void scree_rockfall_release(scree_rockfall* result);

#ifdef __cplusplus
}
#endif

#endif
