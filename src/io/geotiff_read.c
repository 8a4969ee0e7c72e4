/* Heights of a GeoTIFF: libtiff takes the file apart, whatever its compression and byte order; what
 * its tags say about the ground is read here. */
#include "base/env.h"
#include "io/geotiff.h"
#include "io/number_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/* Keys, and values of them: GeoTIFF 1.1, annexes B and C. */
enum {
    KEY_MODEL = 1024,
    KEY_RASTER = 1025,
    KEY_LENGTHS = 3076,
    KEY_HEIGHTS = 4099,
    MODEL_GEOGRAPHIC = 2,
    MODEL_GEOCENTRIC = 3,
    RASTER_POINT = 2,
    UNIT_METRE = 9001,
};

/* Columns or rows; bytes that libtiff may take at once; values that a byte of a file may stand for:
 * more than flat zones take, less than it takes to fill the memory by a few bytes. */
enum { MOST_LINES = 1000000, MOST_BYTES = 1 << 30, MOST_PACKED = 4096 };

typedef struct image {
    const scri_mesh_source* from;
    uint64_t at; /* in the bytes of the file */
    TIFF* tiff;
    uint32_t columns, rows;
    uint16_t bits, format; /* of a value */
    double hole;           /* NaN: none but NaN */
    bool from_north;       /* the first row is the northernmost */
    char said[200];        /* the first complaint of libtiff */
} image;

static scree_status refuse(const image* im, const char* text)
{
    return scri_fail(im->from->env, SCREE_ERROR_INPUT, "%s: GeoTIFF: %s", im->from->name, text);
}

/* ---- the file as libtiff sees it ---- */

static tmsize_t read_bytes(thandle_t user, void* to, tmsize_t wanted)
{
    image* im = user;
    uint64_t left = im->at < im->from->size ? im->from->size - im->at : 0;
    size_t n = wanted < 0 ? 0 : (uint64_t)wanted < left ? (size_t)wanted : (size_t)left;
    if (n > 0) memcpy(to, im->from->bytes + im->at, n);
    im->at += n;
    return (tmsize_t)n;
}

static tmsize_t write_nothing(thandle_t user, void* from, tmsize_t size)
{
    (void)user, (void)from, (void)size;
    return 0;
}

static toff_t seek_byte(thandle_t user, toff_t offset, int whence)
{
    image* im = user;
    im->at = offset + (whence == SEEK_CUR ? im->at : whence == SEEK_END ? im->from->size : 0);
    return im->at;
}

static toff_t size_of(thandle_t user)
{
    return ((image*)user)->from->size;
}

static int keep_open(thandle_t user)
{
    (void)user;
    return 0;
}

static int keep_complaint(TIFF* tiff, void* user, const char* module, const char* format,
                          va_list values) SCRI_PRINTF(4, 0);

static int keep_complaint(TIFF* tiff, void* user, const char* module, const char* format,
                          va_list values)
{
    (void)tiff, (void)module;
    image* im = user;
    if (!im->said[0]) vsnprintf(im->said, sizeof im->said, format, values);
    return 1; /* nothing is printed */
}

/* Warnings are about tags that libtiff does not know, ours among them. */
static int pass_over(TIFF* tiff, void* user, const char* module, const char* format, va_list values)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)values;
    return 1;
}

static scree_status open_file(image* im)
{
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    if (!options) return SCREE_ERROR_MEMORY;
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_complaint, im);
    TIFFOpenOptionsSetWarningHandlerExtR(options, pass_over, im);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MOST_BYTES);
    im->tiff = TIFFClientOpenExt(im->from->name, "rm", im, read_bytes, write_nothing, seek_byte,
                                 keep_open, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return im->tiff ? SCREE_OK : refuse(im, im->said[0] ? im->said : "it cannot be read");
}

/* The values of a tag that libtiff does not know; NULL where it is missing or of another type. */
static const void* find_tag(const image* im, uint32_t tag, TIFFDataType type, uint32_t* n)
{
    const TIFFField* field = TIFFFindField(im->tiff, tag, TIFF_ANY);
    void* values = NULL;
    *n = 0;
    if (!field || TIFFFieldDataType(field) != type || !TIFFFieldPassCount(field)) return NULL;
    if (!TIFFGetField(im->tiff, tag, n, &values) || *n == 0) return NULL;
    return values;
}

/* ---- the ground ---- */

/* The value of a key that is a single word; -1: it is not there. */
static int32_t find_key(const uint16_t* words, uint32_t n, uint16_t key)
{
    for (uint32_t i = 4; i + 3 < n; i += 4) {
        if (words[i] == key && words[i + 1] == 0) return words[i + 3];
    }
    return -1;
}

static scree_status check_keys(const image* im, const uint16_t* words, uint32_t n)
{
    int32_t model = find_key(words, n, KEY_MODEL);
    if (model == MODEL_GEOGRAPHIC || model == MODEL_GEOCENTRIC) {
        return refuse(im,
                      model == MODEL_GEOGRAPHIC
                          ? "its coordinates are degrees; project it to metres before (gdalwarp "
                            "-t_srs)"
                          : "its coordinates count from the centre of the earth");
    }
    static const uint16_t of[] = {KEY_LENGTHS, KEY_HEIGHTS};
    for (int k = 0; k < 2; ++k) {
        int32_t unit = find_key(words, n, of[k]);
        if (unit < 0 || unit == UNIT_METRE) continue;
        return scri_fail(im->from->env, SCREE_ERROR_INPUT,
                         "%s: GeoTIFF: its %s are in unit %d of EPSG, not in metres (9001)",
                         im->from->name, k ? "heights" : "coordinates", (int)unit);
    }
    return SCREE_OK;
}

/* Keeps the keys for who writes a raster of the same coordinates: with values of areas. */
static scree_status keep_keys(const image* im, const uint16_t* words, uint32_t n,
                              scri_mesh_data* out)
{
    uint32_t n_doubles, n_letters;
    const void* doubles = find_tag(im, SCRI_TAG_KEY_DOUBLES, TIFF_DOUBLE, &n_doubles);
    const void* text = find_tag(im, SCRI_TAG_KEY_TEXT, TIFF_ASCII, &n_letters);
    scri_geo_keys head = {n_doubles, n, n_letters};
    scri_geo_keys* keys = scri_arena_take(im->from->arena, 1, scri_geo_keys_size(&head));
    if (!keys) return SCREE_ERROR_MEMORY;
    *keys = head;
    if (doubles) memcpy(scri_geo_keys_doubles(keys), doubles, 8 * (size_t)n_doubles);
    if (text) memcpy(scri_geo_keys_text(keys), text, n_letters);
    uint16_t* kept = scri_geo_keys_words(keys);
    memcpy(kept, words, 2 * (size_t)n);
    for (uint32_t i = 4; i + 3 < n; i += 4) {
        if (kept[i] == KEY_RASTER && kept[i + 1] == 0) kept[i + 3] = 1;
    }
    out->keys = keys;
    return SCREE_OK;
}

/* x = x0 + dx column, y = y0 + dy row of the corner of the first value, by either of two tags. */
static scree_status find_corner(const image* im, double x[2], double dx[2])
{
    uint32_t n;
    const double* t = find_tag(im, SCRI_TAG_TRANSFORMATION, TIFF_DOUBLE, &n);
    if (t && n == 16) {
        if (t[1] != 0.0 || t[4] != 0.0) return refuse(im, "its rows are turned against the axes");
        x[0] = t[3], x[1] = t[7], dx[0] = t[0], dx[1] = t[5];
        return SCREE_OK;
    }
    const double* scale = find_tag(im, SCRI_TAG_PIXEL_SCALE, TIFF_DOUBLE, &n);
    if (n < 2) scale = NULL;
    const double* tie = find_tag(im, SCRI_TAG_TIE_POINT, TIFF_DOUBLE, &n);
    if (!scale || !tie || n < 6) {
        return refuse(im, "it does not say where it lies (tie point and pixel scale, or a "
                          "transformation)");
    }
    dx[0] = scale[0], dx[1] = -scale[1];
    for (int k = 0; k < 2; ++k) x[k] = tie[3 + k] - dx[k] * tie[k];
    return SCREE_OK;
}

static scree_status find_ground(image* im, scri_mesh_data* out)
{
    uint32_t n;
    double x[2] = {0.0, 0.0}, dx[2] = {0.0, 0.0};
    const uint16_t* words = find_tag(im, SCRI_TAG_KEYS, TIFF_SHORT, &n);
    scree_status status = find_corner(im, x, dx);
    bool is_point = words && find_key(words, n, KEY_RASTER) == RASTER_POINT;
    if (!status && words) status = check_keys(im, words, n);
    if (!status && words) status = keep_keys(im, words, n, out);
    if (status) return status;
    bool good = dx[0] > 0.0 && dx[1] != 0.0;
    for (int k = 0; k < 2; ++k) {
        if (!is_point) x[k] += 0.5 * dx[k];
        good = good && isfinite(x[k]) && isfinite(dx[k]);
    }
    im->from_north = dx[1] < 0.0;
    if (im->from_north) x[1] += dx[1] * (double)(im->rows - 1);
    for (int k = 0; k < 2; ++k) {
        out->origin[k] = x[k];
        out->spacing[k] = fabs(dx[k]);
    }
    return good ? SCREE_OK : refuse(im, "its cells have no size");
}

/* ---- values ---- */

#define TAKE(type)                           \
    do {                                     \
        type value;                          \
        memcpy(&value, bytes, sizeof value); \
        return (double)value;                \
    } while (0)

static double take_value(const image* im, const char* bytes)
{
    bool is_signed = im->format == SAMPLEFORMAT_INT;
    if (im->format == SAMPLEFORMAT_IEEEFP) {
        if (im->bits == 64) TAKE(double);
        TAKE(float);
    }
    if (im->bits == 8 && is_signed) TAKE(int8_t);
    if (im->bits == 8) TAKE(uint8_t);
    if (im->bits == 16 && is_signed) TAKE(int16_t);
    if (im->bits == 16) TAKE(uint16_t);
    if (is_signed) TAKE(int32_t);
    TAKE(uint32_t);
}

/* n values of a row of the file from a column on. */
static void put_values(const image* im, const char* bytes, uint32_t row, uint32_t column,
                       uint32_t n, double* heights)
{
    uint64_t line = im->from_north ? im->rows - 1 - row : row;
    double* out = heights + line * im->columns + column;
    size_t size = im->bits / 8;
    for (uint32_t k = 0; k < n; ++k) {
        double value = take_value(im, bytes + size * k);
        out[k] = value == im->hole ? (double)NAN : value;
    }
}

static scree_status broken(const image* im, uint32_t row)
{
    return scri_fail(im->from->env, SCREE_ERROR_INPUT, "%s: GeoTIFF: row %u cannot be read%s%s",
                     im->from->name, (unsigned)row + 1, im->said[0] ? ": " : "", im->said);
}

static scree_status read_lines(image* im, double* heights)
{
    tmsize_t size = TIFFScanlineSize(im->tiff);
    if (size < (tmsize_t)im->columns * (im->bits / 8)) return broken(im, 0);
    char* line = scri_arena_take(im->from->arena, (size_t)size, 1);
    if (!line) return SCREE_ERROR_MEMORY;
    for (uint32_t row = 0; row < im->rows; ++row) {
        if (TIFFReadScanline(im->tiff, line, row, 0) != 1) return broken(im, row);
        put_values(im, line, row, 0, im->columns, heights);
    }
    return SCREE_OK;
}

static scree_status read_tiles(image* im, double* heights)
{
    uint32_t width = 0, height = 0;
    TIFFGetField(im->tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(im->tiff, TIFFTAG_TILELENGTH, &height);
    tmsize_t size = TIFFTileSize(im->tiff);
    uint64_t line = (uint64_t)width * (im->bits / 8);
    if (width == 0 || height == 0 || size <= 0 || (uint64_t)size < line * height ||
        (uint64_t)size / 8 / MOST_PACKED > im->from->size) {
        return broken(im, 0);
    }
    char* tile = scri_arena_take(im->from->arena, (size_t)size, 1);
    if (!tile) return SCREE_ERROR_MEMORY;
    for (uint32_t y = 0; y < im->rows; y += height) {
        for (uint32_t x = 0; x < im->columns; x += width) {
            if (TIFFReadTile(im->tiff, tile, x, y, 0, 0) < 0) return broken(im, y);
            uint32_t n = im->columns - x < width ? im->columns - x : width;
            for (uint32_t k = 0; k < height && y + k < im->rows; ++k) {
                put_values(im, tile + line * k, y + k, x, n, heights);
            }
        }
    }
    return SCREE_OK;
}

/* The value of cells without one, as a number or as the word nan. */
static void find_hole(image* im)
{
    uint32_t n;
    const char* text = find_tag(im, SCRI_TAG_NO_DATA, TIFF_ASCII, &n);
    im->hole = (double)NAN;
    if (!text) return;
    while (n > 0 && (text[n - 1] == '\0' || text[n - 1] == ' ')) --n;
    while (n > 0 && *text == ' ') ++text, --n;
    if (scri_number_parse(text, n, &im->hole) != SCRI_NUMBER_OK) im->hole = (double)NAN;
    if (im->format == SAMPLEFORMAT_IEEEFP && im->bits == 32) im->hole = (double)(float)im->hole;
}

static scree_status read_head(image* im)
{
    uint16_t bands = 1;
    TIFFGetField(im->tiff, TIFFTAG_IMAGEWIDTH, &im->columns);
    TIFFGetField(im->tiff, TIFFTAG_IMAGELENGTH, &im->rows);
    TIFFGetFieldDefaulted(im->tiff, TIFFTAG_SAMPLESPERPIXEL, &bands);
    TIFFGetFieldDefaulted(im->tiff, TIFFTAG_BITSPERSAMPLE, &im->bits);
    TIFFGetFieldDefaulted(im->tiff, TIFFTAG_SAMPLEFORMAT, &im->format);
    if (im->format == SAMPLEFORMAT_VOID) im->format = SAMPLEFORMAT_UINT;
    if (im->columns < 2 || im->rows < 2 || im->columns > MOST_LINES || im->rows > MOST_LINES ||
        (int64_t)im->columns * im->rows > INT32_MAX) {
        return scri_fail(im->from->env, SCREE_ERROR_INPUT,
                         "%s: GeoTIFF: %u columns and %u rows are no map that can be used",
                         im->from->name, (unsigned)im->columns, (unsigned)im->rows);
    }
    if ((uint64_t)im->columns * im->rows / MOST_PACKED > im->from->size) {
        return scri_fail(im->from->env, SCREE_ERROR_INPUT,
                         "%s: GeoTIFF: %zu bytes do not hold %u columns and %u rows",
                         im->from->name, im->from->size, (unsigned)im->columns, (unsigned)im->rows);
    }
    bool is_real = im->format == SAMPLEFORMAT_IEEEFP;
    bool is_whole = im->format == SAMPLEFORMAT_INT || im->format == SAMPLEFORMAT_UINT;
    bool fits = is_real ? im->bits == 32 || im->bits == 64
                        : is_whole && (im->bits == 8 || im->bits == 16 || im->bits == 32);
    if (bands == 1 && fits) return SCREE_OK;
    return scri_fail(im->from->env, SCREE_ERROR_INPUT,
                     "%s: GeoTIFF: %d bands of %d bits, format %d; one band of integers (8, 16, 32 "
                     "bits) or of reals (32, 64) can be read",
                     im->from->name, (int)bands, (int)im->bits, (int)im->format);
}

scree_status scri_mesh_parse_tiff(const scri_mesh_source* from, scri_mesh_data* out)
{
    image im = {.from = from};
    scree_status status = open_file(&im);
    if (!status) status = read_head(&im);
    if (!status) find_hole(&im);
    if (!status) status = find_ground(&im, out);
    if (!status) {
        status = scri_mesh_reserve_heights(from, (int32_t)im.columns, (int32_t)im.rows, out);
    }
    if (!status) {
        status =
            TIFFIsTiled(im.tiff) ? read_tiles(&im, out->heights) : read_lines(&im, out->heights);
    }
    if (im.tiff) TIFFClose(im.tiff);
    out->from_north = im.from_north;
    return status;
}
