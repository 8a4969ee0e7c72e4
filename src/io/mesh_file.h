/* Points and triangles, or heights, of a file in memory. */
#ifndef SCRI_MESH_FILE_H
#define SCRI_MESH_FILE_H

#include "base/arena.h"
#include "io/text_reader.h"
#include "scree_io/mesh_file.h"
#include "scree_io/raster_file.h"

typedef struct scri_mesh_data {
    int32_t n_points, n_triangles;
    double* points;        /* [3 n_points] */
    int32_t* corners;      /* [3 n_triangles] */
    int32_t columns, rows; /* of a height field, which has no points */
    double origin[2], spacing[2];
    double* heights;             /* [columns * rows], rows from the lowest y on */
    struct scri_geo_keys* keys;  /* of a GeoTIFF; NULL: none */
    bool from_north;             /* the file has its northernmost row first */
    int64_t n_filled, n_gridded; /* as in scree_raster */
    double off_mean, off_most;
    /* What a file says of its triangles: numbers, or those of names that it has. */
    int32_t* zone;   /* [n_triangles]; NULL: nothing */
    int32_t n_names; /* 0: the numbers are the file's own */
    const char** names;
} scri_mesh_data;

/* Names of zones that a file may have. */
enum { SCRI_ZONE_NAMES = 4096 };

/* A file that is being read. */
typedef struct scri_mesh_source {
    const scree_env* env;
    scri_arena* arena; /* of what is read */
    const char* name;
    const char* bytes;
    size_t size;
    scree_holes holes; /* of rasters */
    double cell;       /* that a raster is to have; 0: its own */
} scri_mesh_source;

/* By the ending of the name. */
scree_status scri_mesh_parse(const scri_mesh_source* from, scri_mesh_data* out);

scree_status scri_mesh_parse_ply(const scri_mesh_source* from, scri_mesh_data* out);
scree_status scri_mesh_parse_asc(const scri_mesh_source* from, scri_mesh_data* out);
scree_status scri_mesh_parse_xyz(const scri_mesh_source* from, scri_mesh_data* out);
scree_status scri_mesh_parse_tiff(const scri_mesh_source* from, scri_mesh_data* out);

/* Room for the heights of a raster. */
scree_status scri_mesh_reserve_heights(const scri_mesh_source* from, int32_t columns, int32_t rows,
                                       scri_mesh_data* out);

/* What was read as it is wanted: coarser, without holes, or refused. Rows are counted as the file
 * has them. */
scree_status scri_mesh_finish_heights(const scri_mesh_source* from, scri_mesh_data* data);

/* The value of the cell of a raster that a point is in; NaN in holes and beyond the rim. */
double scri_raster_at(const scri_mesh_data* data, double x, double y);

/* Room for points and triangles; SCREE_ERROR_INPUT where there are none, or more than numbers go.
 */
scree_status scri_mesh_data_reserve(const scri_mesh_source* from, int64_t n_points,
                                    int64_t n_triangles, scri_mesh_data* out);

/* The surface, with memory of `env`: of a raster without holes a height field, with holes the
 * triangles that have three heights. */
scree_status scri_mesh_make(const scree_env* env, const scri_mesh_data* data, scree_mesh** out);

#endif
