/* What a rockfall study found, as files for maps, tables, ParaView and browsers. The types are
 * those of the library scree_study; a build without it has none of these functions. Layers are
 * rasters: scree_raster_write(). */
#ifndef SCREE_IO_ROCKFALL_FILE_H
#define SCREE_IO_ROCKFALL_FILE_H

#include "scree_study/rockfall.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_rockfall_file {
    SCREE_ROCKFALL_BLOCKS,  /* CSV: a line for each block */
    SCREE_ROCKFALL_RUNOUT,  /* CSV: histogram of run-out */
    SCREE_ROCKFALL_LINES,   /* CSV: points of the lines */
    SCREE_ROCKFALL_GEOJSON, /* a LineString for each block, in the coordinates of the map */
    SCREE_ROCKFALL_VTK,     /* the same for ParaView (.vtp) */
    SCREE_ROCKFALL_PAGE,    /* HTML: lines and layers on the shaded relief */
    SCREE_ROCKFALL_FILE_COUNT
} scree_rockfall_file;

/* How the name of such a file ends, "_blocks.csv"; NULL for a value outside the enumeration. */
SCREE_API const char* scree_rockfall_ending(int file);

/* `def` is what led to the result. */
SCREE_API SCREE_MUST_USE scree_status scree_rockfall_write(const scree_env* env,
                                                           scree_rockfall_file file,
                                                           const char* path,
                                                           const scree_rockfall_def* def,
                                                           const scree_rockfall* result);

#ifdef __cplusplus
}
#endif

#endif
