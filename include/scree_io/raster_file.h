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
} scree_raster;

/* Whether a name ends as that of a raster: .asc, .tif, .tiff or .xyz. */
SCREE_API bool scree_raster_is_name(const char* path);

/* Reads an ESRI ASCII grid (.asc), a GeoTIFF (.tif, .tiff), or points x y z on a raster (.xyz). The
 * log names file and line of what is wrong. On failure `out` is left zeroed but for its env. */
SCREE_API SCREE_MUST_USE scree_status scree_raster_read(const scree_env* env, const char* path,
                                                        scree_raster* out);
SCREE_API void scree_raster_release(scree_raster* raster);

/* Writes a GeoTIFF of doubles for .tif and .tiff, holes as NaN; else an ESRI ASCII grid with nine
 * digits of each value, holes as -9999. */
SCREE_API SCREE_MUST_USE scree_status scree_raster_write(const scree_env* env, const char* path,
                                                         const scree_raster* raster);

#ifdef __cplusplus
}
#endif

#endif
