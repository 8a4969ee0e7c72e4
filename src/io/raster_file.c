/* Rasters of heights: ESRI ASCII grids, and points x y z that lie on one. */
#include "scree_io/raster_file.h"

#include "base/env.h"
#include "base/fill.h"
#include "io/file_util.h"
#include "io/geotiff.h"
#include "io/mesh_file.h"
#include "io/number_text.h"
#include "io/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to its spacing: what a point may be off its place in a raster. */
#define OFF_PLACE 1e-3

/* Columns or rows of a raster. */
enum { MOST_LINES = 1000000 };

/* ---- ESRI ASCII grid ---- */

typedef struct asc_head {
    int32_t n[2]; /* columns, rows */
    double lower[2], cell, hole;
    bool is_centre[2], has_lower[2], has_hole;
} asc_head;

static bool is_word(const scri_text* text, const char* word)
{
    for (size_t i = 0; i < text->length; ++i) {
        char c = text->token[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != word[i] || c == '\0') return false;
    }
    return word[text->length] == '\0';
}

/* The word at hand and its value. *known: it is one of the head. */
static scree_status read_head_word(scri_text* text, asc_head* h, bool* known)
{
    static const char* const counts[] = {"ncols", "nrows"};
    static const char* const corners[] = {"xllcorner", "yllcorner"};
    static const char* const centres[] = {"xllcenter", "yllcenter"};
    *known = true;
    for (int k = 0; k < 2; ++k) {
        if (is_word(text, counts[k])) {
            return scri_text_integer(text, counts[k], 2, MOST_LINES, &h->n[k]);
        }
        bool is_centre = is_word(text, centres[k]);
        if (!is_centre && !is_word(text, corners[k])) continue;
        h->is_centre[k] = is_centre;
        h->has_lower[k] = true;
        return scri_text_numbers(text, corners[k], 1, &h->lower[k]);
    }
    if (is_word(text, "cellsize")) return scri_text_numbers(text, "cellsize", 1, &h->cell);
    *known = is_word(text, "nodata_value");
    h->has_hole |= *known;
    return *known ? scri_text_numbers(text, "NODATA_value", 1, &h->hole) : SCREE_OK;
}

/* `text` is left before the first height. */
static scree_status read_head(scri_text* text, asc_head* h)
{
    for (;;) {
        scri_text before = *text;
        bool known = false;
        if (!scri_text_next(text)) break;
        char first = text->token[0];
        bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
        scree_status status = is_letter ? read_head_word(text, h, &known) : SCREE_OK;
        if (status) return status;
        if (is_letter && !known) {
            return scri_text_fail(text, SCREE_ERROR_INPUT, "'%.*s' is no word of an ESRI grid",
                                  (int)(text->length < 40 ? text->length : 40), text->token);
        }
        if (!known) {
            *text = before;
            break;
        }
    }
    if (h->n[0] > 0 && h->n[1] > 0 && h->has_lower[0] && h->has_lower[1] && h->cell > 0.0) {
        return SCREE_OK;
    }
    return scri_text_fail(text, SCREE_ERROR_INPUT,
                          "the head of an ESRI grid has ncols, nrows, xllcorner, yllcorner (or "
                          "xllcenter, yllcenter) and a positive cellsize");
}

scree_status scri_mesh_reserve_heights(const scri_mesh_source* from, int32_t columns, int32_t rows,
                                       scri_mesh_data* out)
{
    out->columns = columns;
    out->rows = rows;
    out->heights =
        scri_arena_take(from->arena, (size_t)columns * (size_t)rows, sizeof *out->heights);
    return out->heights ? SCREE_OK : SCREE_ERROR_MEMORY;
}

/* Heights are finite, and some are there; holes are refused where they are not wanted. */
static scree_status check_heights(const scri_mesh_source* from, const scri_mesh_data* data)
{
    int64_t holes = 0, first[2] = {0, 0};
    for (int64_t row = 0; row < data->rows; ++row) {
        int64_t line = data->from_north ? data->rows - 1 - row : row;
        const double* z = data->heights + line * data->columns;
        for (int32_t k = 0; k < data->columns; ++k) {
            if (isfinite(z[k])) continue;
            if (!isnan(z[k])) {
                return scri_fail(from->env, SCREE_ERROR_INPUT,
                                 "%s: the height in row %lld, column %d is not finite", from->name,
                                 (long long)row + 1, (int)k + 1);
            }
            if (holes++ > 0) continue;
            first[0] = row, first[1] = k;
        }
    }
    if (holes == (int64_t)data->columns * data->rows) {
        return scri_fail(from->env, SCREE_ERROR_INPUT, "%s: no cell has a height", from->name);
    }
    if (holes == 0 || from->holes != SCREE_HOLES_REFUSE) return SCREE_OK;
    return scri_fail(from->env, SCREE_ERROR_INPUT,
                     "%s: %lld cells have no height, the first in row %lld, column %lld: they can "
                     "be left open or filled (holes)",
                     from->name, (long long)holes, (long long)first[0] + 1,
                     (long long)first[1] + 1);
}

scree_status scri_mesh_finish_heights(const scri_mesh_source* from, scri_mesh_data* data)
{
    scree_status status = check_heights(from, data);
    if (!status && from->cell > 0.0 && data->n_gridded == 0) {
        status = scri_raster_coarsen(from, data);
        if (!status) status = check_heights(from, data);
    }
    if (!status && from->holes == SCREE_HOLES_FILL) status = scri_raster_fill(from, data);
    return status;
}

scree_status scri_mesh_parse_asc(const scri_mesh_source* from, scri_mesh_data* out)
{
    scri_text text = scri_text_open(from->env, from->name, from->bytes, from->size);
    asc_head h = {0};
    scree_status status = read_head(&text, &h);
    if (!status) status = scri_text_room(&text, "heights", (int64_t)h.n[0] * h.n[1]);
    if (!status) status = scri_mesh_reserve_heights(from, h.n[0], h.n[1], out);
    for (int64_t row = h.n[1] - 1; row >= 0 && !status; --row) { /* from the north to the south */
        double* z = out->heights + row * h.n[0];
        status = scri_text_numbers(&text, "heights", h.n[0], z);
        for (int32_t k = 0; k < h.n[0] && !status && h.has_hole; ++k) {
            if (z[k] == h.hole) z[k] = (double)NAN;
        }
    }
    if (!status) status = scri_text_finish(&text);
    for (int k = 0; k < 2 && !status; ++k) {
        out->spacing[k] = h.cell;
        out->origin[k] = h.lower[k] + (h.is_centre[k] ? 0.0 : 0.5 * h.cell);
    }
    out->from_north = true;
    return status;
}

/* ---- points ---- */

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* First coordinate, spacing and number of the lines of points along an axis. */
static scree_status find_lines(const scri_mesh_source* from, const double* points, int64_t n,
                               int axis, scri_mesh_data* out)
{
    double* x = scri_arena_take(from->arena, (size_t)n, sizeof *x);
    if (!x) return SCREE_ERROR_MEMORY;
    for (int64_t i = 0; i < n; ++i) x[i] = points[3 * i + axis];
    qsort(x, (size_t)n, sizeof *x, compare);
    double range = x[n - 1] - x[0];
    int64_t count = 1;
    for (int64_t i = 1; i < n; ++i) count += x[i] - x[i - 1] > 1e-9 * range;
    int32_t* lines = axis ? &out->rows : &out->columns;
    if (!(range > 0.0 && isfinite(range)) || count > INT32_MAX) {
        return scri_fail(from->env, SCREE_ERROR_INPUT, "%s: %lld values of %c make no raster",
                         from->name, (long long)count, axis ? 'y' : 'x');
    }
    *lines = (int32_t)count;
    out->origin[axis] = x[0];
    out->spacing[axis] = range / (double)(count - 1);
    return SCREE_OK;
}

/* The line of a raster that a point is on, along an axis; -1: on none. */
static int64_t line_of(const scri_mesh_data* grid, const double* point, int axis)
{
    double place = (point[axis] - grid->origin[axis]) / grid->spacing[axis];
    double at = nearbyint(place);
    return fabs(place - at) <= OFF_PLACE ? (int64_t)at : -1;
}

/* The first point that lies on no line; n: all lie on the raster, and fill a fourth of it. */
static int64_t find_stray(const scri_mesh_data* grid, const double* points, int64_t n)
{
    if ((int64_t)grid->columns * grid->rows > 4 * n + 4) return 0;
    int64_t i = 0;
    while (i < n && line_of(grid, points + 3 * i, 0) >= 0 &&
           line_of(grid, points + 3 * i, 1) >= 0) {
        ++i;
    }
    return i;
}

static scree_status place_points(const scri_mesh_source* from, const double* points, int64_t n,
                                 scri_mesh_data* out)
{
    int64_t cells = (int64_t)out->columns * out->rows;
    scree_status status = scri_mesh_reserve_heights(from, out->columns, out->rows, out);
    if (status) return status;
    for (int64_t i = 0; i < cells; ++i) out->heights[i] = (double)NAN;
    for (int64_t i = 0; i < n; ++i) {
        const double* point = points + 3 * i;
        out->heights[line_of(out, point, 1) * out->columns + line_of(out, point, 0)] = point[2];
    }
    return SCREE_OK;
}

/* Points on a raster as they are; others on cells that are asked for. */
static scree_status make_raster(const scri_mesh_source* from, const double* points, int64_t n,
                                scri_mesh_data* out)
{
    int64_t stray = find_stray(out, points, n);
    if (stray == n) return place_points(from, points, n, out);
    if (from->cell > 0.0) return scri_raster_from_points(from, n, points, out);
    double area = out->spacing[0] * (out->columns - 1) * out->spacing[1] * (out->rows - 1);
    return scri_fail(from->env, SCREE_ERROR_INPUT,
                     "%s: point %lld at x = %.10g, y = %.10g is on no raster; say how large cells "
                     "are to be (cell; %.2g m for one point each)",
                     from->name, (long long)stray + 1, points[3 * stray], points[3 * stray + 1],
                     sqrt(area / (double)n));
}

scree_status scri_mesh_parse_xyz(const scri_mesh_source* from, scri_mesh_data* out)
{
    scri_text text = scri_text_open(from->env, from->name, from->bytes, from->size);
    text.comments = true;
    int64_t numbers = scri_text_tokens_left(&text), n = numbers / 3;
    if (numbers % 3 != 0 || n < 4) {
        return scri_fail(from->env, SCREE_ERROR_INPUT, "%s: %lld numbers are no points x y z",
                         from->name, (long long)numbers);
    }
    double* points = scri_arena_take(from->arena, 3 * (size_t)n, sizeof *points);
    scree_status status = points ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (!status) status = scri_text_numbers(&text, "points", 3 * n, points);
    for (int axis = 0; axis < 2 && !status; ++axis) {
        status = find_lines(from, points, n, axis, out);
    }
    return status ? status : make_raster(from, points, n, out);
}

/* ---- rasters as such ---- */

static bool ends_with(const char* path, const char* ending)
{
    size_t length = strlen(path), wanted = strlen(ending);
    return length > wanted && strcmp(path + length - wanted, ending) == 0;
}

static bool is_tiff_name(const char* path)
{
    return ends_with(path, ".tif") || ends_with(path, ".tiff");
}

bool scree_raster_is_name(const char* path)
{
    return path && (ends_with(path, ".asc") || ends_with(path, ".xyz") || is_tiff_name(path));
}

static scree_status keep_values(const scree_env* env, const scri_mesh_data* data, scree_raster* out)
{
    size_t n = (size_t)data->columns * (size_t)data->rows;
    double dx = data->spacing[0], dy = data->spacing[1];
    if (!(fabs(dx - dy) <= OFF_PLACE * dx)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "cells of %g by %g are not square", dx, dy);
    }
    out->values = scri_alloc(&out->env, n * sizeof *out->values);
    if (!out->values) return SCREE_ERROR_MEMORY;
    memcpy(out->values, data->heights, n * sizeof *out->values);
    if (data->keys) {
        size_t size = scri_geo_keys_size(data->keys);
        out->keys = scri_alloc(&out->env, size);
        if (!out->keys) return SCREE_ERROR_MEMORY;
        memcpy(out->keys, data->keys, size);
    }
    memcpy(out->origin, data->origin, sizeof out->origin);
    out->columns = data->columns;
    out->rows = data->rows;
    out->cell = dx;
    out->n_filled = data->n_filled;
    out->n_gridded = data->n_gridded;
    out->off_mean = data->off_mean;
    out->off_most = data->off_most;
    return SCREE_OK;
}

void scree_raster_def_init(scree_raster_def* def)
{
    if (!def) return;
    const scree_raster_def usual = {.struct_size = sizeof usual, .holes = SCREE_HOLES_KEEP};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

static scree_status check_def(const scree_env* env, const char* path, const scree_raster_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_raster_def");
    if (status) return status;
    if (!(def->cell >= 0.0 && isfinite(def->cell)) || (int)def->holes < 0 ||
        def->holes >= SCREE_HOLES_COUNT) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "cell = %g m, holes = %d", def->cell,
                         (int)def->holes);
    }
    if (scree_raster_is_name(path)) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "the name of a raster ends with .asc, .tif, .tiff or .xyz");
}

scree_status scree_raster_read(const scree_env* env, const char* path, const scree_raster_def* def,
                               scree_raster* out)
{
    if (!path || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or no place");
    *out = (scree_raster){.env = env ? *env : (scree_env){0}};
    scree_raster_def wanted = scree_default_raster_def();
    scri_file_env file;
    scri_file_env_begin(env, path, &file);
    char* bytes = NULL;
    size_t size = 0;
    scri_mesh_data data;
    scri_arena* arena = scri_arena_create(&file.env);
    scree_status status = arena ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (!status) status = check_def(&file.env, path, def ? def : &wanted);
    if (!status && def) wanted = *def;
    if (!status) status = scri_file_read(&file.env, path, &bytes, &size);
    scri_mesh_source from = {&file.env, arena, path, bytes, size, wanted.holes, wanted.cell};
    if (!status) status = scri_mesh_parse(&from, &data);
    if (!status) status = keep_values(&file.env, &data, out);
    scri_release(&file.env, bytes);
    scri_arena_destroy(arena);
    if (status) scree_raster_release(out);
    return scri_file_env_end(&file, status);
}

void scree_raster_release(scree_raster* raster)
{
    if (!raster) return;
    scri_release(&raster->env, raster->values);
    scri_release(&raster->env, raster->keys);
    *raster = (scree_raster){.env = raster->env};
}

double scri_raster_at(const scri_mesh_data* data, double x, double y)
{
    double column = floor((x - data->origin[0]) / data->spacing[0] + 0.5);
    double row = floor((y - data->origin[1]) / data->spacing[1] + 0.5);
    if (!(column >= 0.0 && row >= 0.0 && column < data->columns && row < data->rows)) {
        return (double)NAN;
    }
    return data->heights[(size_t)row * (size_t)data->columns + (size_t)column];
}

double scree_raster_at(const scree_raster* raster, double x, double y)
{
    if (!raster || !raster->values) return (double)NAN;
    const scri_mesh_data data = {.columns = raster->columns,
                                 .rows = raster->rows,
                                 .origin = {raster->origin[0], raster->origin[1]},
                                 .spacing = {raster->cell, raster->cell},
                                 .heights = raster->values};
    return scri_raster_at(&data, x, y);
}

static void put_head(FILE* file, const scree_raster* r)
{
    static const char* const corner[] = {"xllcorner", "yllcorner"};
    char text[SCRI_NUMBER_SIZE];
    fprintf(file, "ncols %d\nnrows %d\n", (int)r->columns, (int)r->rows);
    for (int k = 0; k < 2; ++k) {
        fprintf(file, "%s %s\n", corner[k],
                scri_number_shorten(r->origin[k] - 0.5 * r->cell, 15, text));
    }
    fprintf(file, "cellsize %s\nNODATA_value -9999\n", scri_number_shorten(r->cell, 15, text));
}

static void put_values(FILE* file, const scree_raster* r)
{
    char text[SCRI_NUMBER_SIZE];
    for (int64_t row = r->rows - 1; row >= 0; --row) {
        const double* value = r->values + row * r->columns;
        for (int32_t k = 0; k < r->columns; ++k) {
            if (k) fputc(' ', file);
            if (value[k] == 0.0) { /* most are */
                fputc('0', file);
            } else {
                bool hole = isnan(value[k]);
                fputs(hole ? "-9999" : scri_number_shorten(value[k], 9, text), file);
            }
        }
        fputc('\n', file);
    }
}

scree_status scree_raster_write(const scree_env* env, const char* path, const scree_raster* raster)
{
    if (!path || !raster) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or nothing to write");
    }
    scri_file_env file;
    scri_output output;
    scri_file_env_begin(env, path, &file);
    scree_status status = scri_output_begin(&file.env, path, &output);
    if (!status) {
        if (is_tiff_name(path)) {
            status = scri_geotiff_write(&file.env, raster, output.stream);
        } else {
            put_head(output.stream, raster);
            put_values(output.stream, raster);
        }
        status = scri_output_end(&output, status);
    }
    return scri_file_env_end(&file, status);
}
