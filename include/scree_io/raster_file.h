/* Rasters: values of square cells, as maps have them. */
#ifndef SCREE_IO_RASTER_FILE_H
#define SCREE_IO_RASTER_FILE_H

#include "scree/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of points in the middle of cells, rows from the lowest y on. */
typedef struct scree_raster {
    scree_env env; /* whose the values are; not looked at when writing */
    int32_t columns, rows;
    double origin[2]; /* x and y of the first point, m */
    double cell;      /* m */
    double* values;   /* [columns * rows]; NaN in holes */
    void* keys;       /* of the coordinate system, from a GeoTIFF and for one; NULL: none */
    int64_t n_filled; /* holes that were filled */
    /* Points anywhere that were laid on the raster, 0: none; how far they lie off the ground that
     * came out, in m: root of the mean square, and most. */
    int64_t n_gridded;
    double off_mean, off_most;
} scree_raster;

/* What becomes of cells without a value. */
typedef enum scree_holes {
    SCREE_HOLES_REFUSE, /* SCREE_ERROR_INPUT; the log tells how many, and the first one */
    SCREE_HOLES_KEEP,   /* they are NaN */
    SCREE_HOLES_FILL,   /* as if a membrane were spanned over them; beyond the rim nothing pulls */
    SCREE_HOLES_COUNT
} scree_holes;

/* How a raster is read. */
typedef struct scree_raster_def {
    uint32_t struct_size; /* written by scree_default_raster_def() */
    /* m: 0 leaves cells as they are. Larger ones get the mean over what they cover, and are holes
     * where that is less than half. Points that lie on no raster are laid on one of such cells: the
     * height of a node is that of a plane fitted to the points about it. */
    double cell;
    scree_holes holes; /* SCREE_HOLES_KEEP */
} scree_raster_def;

SCREE_API void scree_raster_def_init(scree_raster_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_raster_def, scree_default_raster_def, scree_raster_def_init)

/* Whether a name ends as that of a raster: .asc, .tif, .tiff or .xyz. */
SCREE_API bool scree_raster_is_name(const char* path);

/* Reads an ESRI ASCII grid (.asc), a GeoTIFF (.tif, .tiff), or points x y z (.xyz). `def` may be
 * NULL. The log names file and line of what is wrong. On failure `out` is left zeroed but for its
 * env. */
SCREE_API SCREE_MUST_USE scree_status scree_raster_read(const scree_env* env, const char* path,
                                                        const scree_raster_def* def,
                                                        scree_raster* out);
SCREE_API void scree_raster_release(scree_raster* raster);

/* The value of the cell that a point is in; NaN in holes and beyond the rim. */
SCREE_API double scree_raster_at(const scree_raster* raster, double x, double y);

/* Writes a GeoTIFF of doubles for .tif and .tiff, holes as NaN; else an ESRI ASCII grid with nine
 * digits of each value, holes as -9999. */
SCREE_API SCREE_MUST_USE scree_status scree_raster_write(const scree_env* env, const char* path,
                                                         const scree_raster* raster);

#ifdef __cplusplus
}
#endif

#endif
