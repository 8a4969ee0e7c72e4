/* Points and triangles, or heights, of a file in memory. */
#ifndef SCRI_MESH_FILE_H
#define SCRI_MESH_FILE_H

#include "base/arena.h"
#include "io/text_reader.h"
#include "scree_io/mesh_file.h"

typedef struct scri_mesh_data {
    int32_t n_points, n_triangles;
    double* points;        /* [3 n_points] */
    int32_t* corners;      /* [3 n_triangles] */
    int32_t columns, rows; /* of a height field, which has no points */
    double origin[2], spacing[2];
    double* heights;            /* [columns * rows], rows from the lowest y on */
    struct scri_geo_keys* keys; /* of a GeoTIFF; NULL: none */
} scri_mesh_data;

/* A file that is being read. */
typedef struct scri_mesh_source {
    const scree_env* env;
    scri_arena* arena; /* of what is read */
    const char* name;
    const char* bytes;
    size_t size;
    bool holes; /* rasters may have some, which become NaN */
} scri_mesh_source;

/* By the ending of the name. */
scree_status scri_mesh_parse(const scri_mesh_source* from, scri_mesh_data* out);

scree_status scri_mesh_parse_ply(const scri_mesh_source* from, scri_mesh_data* out);
scree_status scri_mesh_parse_asc(const scri_mesh_source* from, scri_mesh_data* out);
scree_status scri_mesh_parse_xyz(const scri_mesh_source* from, scri_mesh_data* out);
scree_status scri_mesh_parse_tiff(const scri_mesh_source* from, scri_mesh_data* out);

/* Room for the heights of a raster, and what is wrong with them where something is: holes that are
 * not wanted, heights that are not finite. Rows are counted as the file has them. */
scree_status scri_mesh_reserve_heights(const scri_mesh_source* from, int32_t columns, int32_t rows,
                                       scri_mesh_data* out);
scree_status scri_mesh_check_heights(const scri_mesh_source* from, bool from_north,
                                     const scri_mesh_data* data);

/* Room for points and triangles; SCREE_ERROR_INPUT where there are none, or more than numbers go.
 */
scree_status scri_mesh_data_reserve(const scri_mesh_source* from, int64_t n_points,
                                    int64_t n_triangles, scri_mesh_data* out);

/* The surface, with memory of `env`. */
scree_status scri_mesh_make(const scree_env* env, const scri_mesh_data* data, scree_mesh** out);

#endif
