/* GeoTIFF: rasters of one band along the axes, in metres. */
#ifndef SCRI_GEOTIFF_H
#define SCRI_GEOTIFF_H

#include "io/mesh_file.h"

#include <stdio.h>

/* Tags that say where a raster lies, and what its keys are. */
enum {
    SCRI_TAG_PIXEL_SCALE = 33550,
    SCRI_TAG_TIE_POINT = 33922,
    SCRI_TAG_TRANSFORMATION = 34264,
    SCRI_TAG_KEYS = 34735,
    SCRI_TAG_KEY_DOUBLES = 34736,
    SCRI_TAG_KEY_TEXT = 34737,
    SCRI_TAG_NO_DATA = 42113
};

/* Keys of the coordinate system as a file has them. In one block of memory with this head come
 * doubles, 16-bit words and letters. */
typedef struct scri_geo_keys {
    uint64_t n_doubles, n_words, n_letters;
} scri_geo_keys;

SCREE_FN size_t scri_geo_keys_size(const scri_geo_keys* k)
{
    return sizeof *k + 8 * (size_t)k->n_doubles + 2 * (size_t)k->n_words + (size_t)k->n_letters;
}

SCREE_FN double* scri_geo_keys_doubles(scri_geo_keys* k)
{
    return (double*)(k + 1);
}

SCREE_FN uint16_t* scri_geo_keys_words(scri_geo_keys* k)
{
    return (uint16_t*)(scri_geo_keys_doubles(k) + k->n_doubles);
}

SCREE_FN char* scri_geo_keys_text(scri_geo_keys* k)
{
    return (char*)(scri_geo_keys_words(k) + k->n_words);
}

/* Writes doubles, holes as NaN, to a stream that can be sought. This and scri_mesh_parse_tiff()
 * are refused where libtiff is left out (SCREE_TIFF=OFF). */
scree_status scri_geotiff_write(const scree_env* env, const scree_raster* raster, FILE* stream);

#endif
