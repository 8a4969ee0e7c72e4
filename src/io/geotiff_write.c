/* Rasters as GeoTIFF: one band of doubles, deflated where libtiff can. */
#include "base/env.h"
#include "io/geotiff.h"

#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/* Tags that libtiff does not know, for the file at hand. */
static char tag_name[] = "GeoTIFF";
static const TIFFFieldInfo fields[] = {
    {SCRI_TAG_PIXEL_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_name},
    {SCRI_TAG_TIE_POINT, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_name},
    {SCRI_TAG_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, tag_name},
    {SCRI_TAG_KEY_DOUBLES, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_name},
    {SCRI_TAG_KEY_TEXT, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tag_name},
    {SCRI_TAG_NO_DATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tag_name},
};

/* ---- the stream as libtiff sees it ---- */

static tmsize_t read_bytes(thandle_t user, void* to, tmsize_t wanted)
{
    return (tmsize_t)fread(to, 1, (size_t)wanted, user);
}

static tmsize_t write_bytes(thandle_t user, void* from, tmsize_t size)
{
    return (tmsize_t)fwrite(from, 1, (size_t)size, user);
}

static toff_t seek_byte(thandle_t user, toff_t offset, int whence)
{
    if (fseek(user, (long)offset, whence) != 0) return (toff_t)-1;
    return (toff_t)ftell(user);
}

static toff_t size_of(thandle_t user)
{
    long at = ftell(user);
    fseek(user, 0, SEEK_END);
    long size = ftell(user);
    fseek(user, at, SEEK_SET);
    return size < 0 ? 0 : (toff_t)size;
}

static int keep_open(thandle_t user)
{
    (void)user;
    return 0;
}

static int say_nothing(TIFF* tiff, void* user, const char* module, const char* format,
                       va_list values)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)values;
    return 1;
}

static TIFF* open_stream(FILE* stream)
{
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, say_nothing, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, say_nothing, NULL);
    TIFF* tiff = TIFFClientOpenExt("raster", "wm", stream, read_bytes, write_bytes, seek_byte,
                                   keep_open, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

/* ---- tags ---- */

static void put_keys(TIFF* tiff, scri_geo_keys* keys)
{
    static const uint16_t areas[] = {1, 1, 0, 1, 1025, 0, 1, 1}; /* values are those of areas */
    if (!keys) {
        TIFFSetField(tiff, SCRI_TAG_KEYS, 8, areas);
        return;
    }
    TIFFSetField(tiff, SCRI_TAG_KEYS, (int)keys->n_words, scri_geo_keys_words(keys));
    if (keys->n_doubles > 0) {
        TIFFSetField(tiff, SCRI_TAG_KEY_DOUBLES, (int)keys->n_doubles, scri_geo_keys_doubles(keys));
    }
    if (keys->n_letters > 0) TIFFSetField(tiff, SCRI_TAG_KEY_TEXT, scri_geo_keys_text(keys));
}

static void put_tags(TIFF* tiff, const scree_raster* r)
{
    const double half = 0.5 * r->cell, scale[3] = {r->cell, r->cell, 0.0};
    const double tie[6] = {
        0.0, 0.0, 0.0, r->origin[0] - half, r->origin[1] + r->cell * (r->rows - 1) + half, 0.0};
    bool deflates = TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE);
    TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof fields[0]);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)r->columns);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)r->rows);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 64);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION,
                 deflates ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
    TIFFSetField(tiff, SCRI_TAG_PIXEL_SCALE, 3, scale);
    TIFFSetField(tiff, SCRI_TAG_TIE_POINT, 6, tie);
    TIFFSetField(tiff, SCRI_TAG_NO_DATA, "nan");
    put_keys(tiff, r->keys);
}

scree_status scri_geotiff_write(const scree_env* env, const scree_raster* raster, FILE* stream)
{
    size_t size = (size_t)raster->columns * sizeof(double);
    double* line = scri_alloc(env, size);
    TIFF* tiff = line ? open_stream(stream) : NULL;
    scree_status status = tiff ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (tiff) put_tags(tiff, raster);
    for (int64_t row = 0; row < raster->rows && !status; ++row) {
        memcpy(line, raster->values + (raster->rows - 1 - row) * raster->columns, size);
        if (TIFFWriteScanline(tiff, line, (uint32_t)row, 0) != 1) status = SCREE_ERROR_FILE;
    }
    if (!status && !TIFFFlush(tiff)) status = SCREE_ERROR_FILE;
    if (tiff) TIFFClose(tiff);
    scri_release(env, line);
    return status;
}
