/* OBJ and STL, and which reader a file is for. */
#include "io/mesh_file.h"

#include "base/env.h"
#include "io/file_util.h"
#include "io/raster.h"
#include "shapes/hull.h"
#include "shapes/mesh.h"

#include <math.h>
#include <string.h>

/* Points and triangles that a file may have: their numbers are 32 bits wide. */
#define MOST INT64_C(500000000)

scree_status scri_mesh_data_reserve(const scri_mesh_source* from, int64_t n_points,
                                    int64_t n_triangles, scri_mesh_data* out)
{
    if (n_points < 1 || n_triangles < 1 || n_points > MOST || n_triangles > MOST) {
        return scri_fail(from->env, SCREE_ERROR_INPUT, "%s: %lld points and %lld triangles",
                         from->name, (long long)n_points, (long long)n_triangles);
    }
    out->n_points = (int32_t)n_points;
    out->n_triangles = (int32_t)n_triangles;
    out->points = scri_arena_take(from->arena, 3 * (size_t)n_points, sizeof *out->points);
    out->corners = scri_arena_take(from->arena, 3 * (size_t)n_triangles, sizeof *out->corners);
    return out->points && out->corners ? SCREE_OK : SCREE_ERROR_MEMORY;
}

/* ---- OBJ ---- */

/* Moves on to the next token if it is on the same line. */
static bool next_on_line(scri_text* text, int64_t line)
{
    scri_text ahead = *text;
    if (!scri_text_next(&ahead) || ahead.token_line != line) return false;
    *text = ahead;
    return true;
}

/* The number of a corner, `12/5/3`: the part before the first slash; those below 0 count back from
 * the last point so far. */
static scree_status read_corner(scri_text* text, int64_t n_points, int32_t* out)
{
    const char* slash = memchr(text->token, '/', text->length);
    scri_text number = *text;
    int64_t value = 0;
    if (slash) number.length = (size_t)(slash - text->token);
    bool is_number = scri_text_is_integer(&number, &value);
    if (is_number && value < 0) value += n_points + 1;
    if (!is_number || value < 1 || value > n_points) {
        return scri_text_fail(text, SCREE_ERROR_INPUT,
                              "a face names a point that is not among the %lld before it",
                              (long long)n_points);
    }
    *out = (int32_t)(value - 1);
    return SCREE_OK;
}

/* The number of the name behind `usemtl`, from 1; 0 for an empty one. Where `out` is NULL names
 * are not looked at. */
static scree_status read_group(const scri_mesh_source* from, scri_text* text, scri_mesh_data* out,
                               int32_t* group)
{
    *group = 0;
    if (!next_on_line(text, text->token_line) || !out) return SCREE_OK;
    for (int32_t k = 0; k < out->n_names; ++k) {
        if (!scri_text_is(text, out->names[k])) continue;
        *group = k + 1;
        return SCREE_OK;
    }
    if (out->n_names == SCRI_ZONE_NAMES) {
        return scri_text_fail(text, SCREE_ERROR_INPUT, "more than %d materials", SCRI_ZONE_NAMES);
    }
    char* name = scri_arena_take(from->arena, text->length + 1, 1);
    if (!name) return SCREE_ERROR_MEMORY;
    memcpy(name, text->token, text->length);
    out->names[out->n_names++] = name;
    *group = out->n_names;
    return SCREE_OK;
}

/* A polygon as a fan of triangles of a group; `out` NULL counts them. */
static scree_status read_face(scri_text* text, int64_t n_points, int32_t group, int64_t* n,
                              scri_mesh_data* out)
{
    int32_t first[2] = {0, 0}, corner = 0;
    int64_t line = text->token_line;
    int count = 0;
    while (next_on_line(text, line)) {
        scree_status status = read_corner(text, n_points, &corner);
        if (status) return status;
        if (count >= 2) {
            if (out) {
                int32_t* triangle = out->corners + 3 * *n;
                triangle[0] = first[0];
                triangle[1] = first[1];
                triangle[2] = corner;
                if (out->zone) out->zone[*n] = group;
            }
            ++*n;
        }
        first[count > 0] = corner;
        ++count;
    }
    if (count >= 3) return SCREE_OK;
    return scri_text_fail(text, SCREE_ERROR_INPUT, "a face with %d corners", count);
}

/* All lines; `out` NULL counts points, triangles and changes of the material. */
static scree_status walk_obj(const scri_mesh_source* from, int64_t n[3], scri_mesh_data* out)
{
    int32_t group = 0;
    scri_text text = scri_text_open(from->env, from->name, from->bytes, from->size);
    double unused[3];
    text.comments = true;
    n[0] = n[1] = n[2] = 0;
    while (scri_text_next(&text)) {
        int64_t line = text.token_line;
        scree_status status = SCREE_OK;
        if (scri_text_is(&text, "v")) {
            status = scri_text_numbers(&text, "v", 3, out ? out->points + 3 * n[0] : unused);
            ++n[0];
        } else if (scri_text_is(&text, "f")) {
            status = read_face(&text, n[0], group, &n[1], out);
        } else if (scri_text_is(&text, "usemtl")) {
            status = read_group(from, &text, out, &group);
            ++n[2];
        }
        if (status) return status;
        while (next_on_line(&text, line)) continue; /* colours, and what other words say */
    }
    return SCREE_OK;
}

static scree_status parse_obj(const scri_mesh_source* from, scri_mesh_data* out)
{
    int64_t n[3];
    scree_status status = walk_obj(from, n, NULL);
    if (!status) status = scri_mesh_data_reserve(from, n[0], n[1], out);
    if (!status && n[2] > 0) {
        out->zone = scri_arena_take(from->arena, (size_t)n[1], sizeof *out->zone);
        out->names = scri_arena_take(from->arena, SCRI_ZONE_NAMES, sizeof *out->names);
        if (!out->zone || !out->names) status = SCREE_ERROR_MEMORY;
    }
    if (!status) status = walk_obj(from, n, out);
    return status;
}

/* ---- STL ---- */

enum { STL_HEAD = 84, STL_FACET = 50 };

static uint32_t little_endian(const char* bytes)
{
    const unsigned char* b = (const unsigned char*)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Every corner is a point of its own; the mesh makes one of those that coincide. */
static void number_corners(scri_mesh_data* out)
{
    for (int32_t i = 0; i < out->n_points; ++i) out->corners[i] = i;
}

static scree_status parse_stl_bytes(const scri_mesh_source* from, scri_mesh_data* out)
{
    int64_t n = little_endian(from->bytes + 80);
    scree_status status = scri_mesh_data_reserve(from, 3 * n, n, out);
    if (status) return status;
    for (size_t i = 0; i < 9 * (size_t)n; ++i) {
        uint32_t word =
            little_endian(from->bytes + STL_HEAD + STL_FACET * (i / 9) + 12 + 4 * (i % 9));
        float value;
        memcpy(&value, &word, sizeof value);
        out->points[i] = (double)value;
    }
    number_corners(out);
    return SCREE_OK;
}

/* Words but `vertex` say nothing that its numbers do not. */
static scree_status walk_stl(const scri_mesh_source* from, int64_t* n, scri_mesh_data* out)
{
    scri_text text = scri_text_open(from->env, from->name, from->bytes, from->size);
    double unused[3];
    *n = 0;
    while (scri_text_next(&text)) {
        if (!scri_text_is(&text, "vertex")) continue;
        scree_status status =
            scri_text_numbers(&text, "vertex", 3, out ? out->points + 3 * *n : unused);
        if (status) return status;
        ++*n;
    }
    if (*n % 3 == 0) return SCREE_OK;
    return scri_fail(from->env, SCREE_ERROR_INPUT, "%s: %lld vertices are no triangles", from->name,
                     (long long)*n);
}

static scree_status parse_stl(const scri_mesh_source* from, scri_mesh_data* out)
{
    int64_t n = 0;
    if (from->size >= STL_HEAD &&
        from->size - STL_HEAD == STL_FACET * (uint64_t)little_endian(from->bytes + 80)) {
        return parse_stl_bytes(from, out);
    }
    if (from->size < 5 || memcmp(from->bytes, "solid", 5) != 0) {
        return scri_fail(
            from->env, SCREE_ERROR_INPUT,
            "%s: neither text that begins with 'solid' nor as many bytes as its number "
            "of triangles says",
            from->name);
    }
    scree_status status = walk_stl(from, &n, NULL);
    if (!status) status = scri_mesh_data_reserve(from, n, n / 3, out);
    if (!status) status = walk_stl(from, &n, out);
    if (!status) number_corners(out);
    return status;
}

/* ---- any file ---- */

static bool ends_with(const char* name, const char* ending)
{
    const char* dot = strrchr(name, '.');
    if (!dot) return false;
    for (++dot; *dot && *ending; ++dot, ++ending) {
        char letter = *dot >= 'A' && *dot <= 'Z' ? (char)(*dot - 'A' + 'a') : *dot;
        if (letter != *ending) return false;
    }
    return *dot == *ending;
}

scree_status scri_mesh_parse(const scri_mesh_source* from, scri_mesh_data* out)
{
    static const struct {
        const char* ending;
        scree_status (*parse)(const scri_mesh_source* from, scri_mesh_data* out);
    } kinds[] = {{"obj", parse_obj},
                 {"stl", parse_stl},
                 {"ply", scri_mesh_parse_ply},
                 {"asc", scri_mesh_parse_asc},
                 {"tif", scri_mesh_parse_tiff},
                 {"tiff", scri_mesh_parse_tiff},
                 {"xyz", scri_mesh_parse_xyz}};
    *out = (scri_mesh_data){0};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        if (!ends_with(from->name, kinds[k].ending)) continue;
        scree_status status = kinds[k].parse(from, out);
        if (status) return status;
        if (out->columns > 0) return scri_mesh_finish_heights(from, out);
        if (!(from->cell > 0.0)) return SCREE_OK;
        return scri_fail(from->env, SCREE_ERROR_INPUT, "%s: a cell size is for rasters",
                         from->name);
    }
    return scri_fail(
        from->env, SCREE_ERROR_INPUT,
        "%s: the name of a surface ends with .obj, .stl, .ply, .asc, .tif, .tiff or .xyz",
        from->name);
}

static scree_status make_triangles(const scree_env* env, const scri_mesh_data* data,
                                   scree_mesh** out)
{
    return scree_mesh_create(env, data->n_points, data->points, data->n_triangles, data->corners,
                             out);
}

/* Holes have no bottom and no walls: what has some is a surface, not a solid. */
static scree_status make_open(const scree_env* env, const scri_mesh_data* data, scree_mesh** out)
{
    scri_mesh_data open;
    scri_arena* arena = scri_arena_create(env);
    scree_status status = arena ? scri_raster_open(arena, data, &open) : SCREE_ERROR_MEMORY;
    if (!status) status = make_triangles(env, &open, out);
    scri_arena_destroy(arena);
    return status;
}

scree_status scri_mesh_make(const scree_env* env, const scri_mesh_data* data, scree_mesh** out)
{
    int64_t cells = (int64_t)data->columns * data->rows;
    if (cells == 0) return make_triangles(env, data, out);
    for (int64_t c = 0; c < cells; ++c) {
        if (isnan(data->heights[c])) return make_open(env, data, out);
    }
    return scree_mesh_create_heights(env, data->columns, data->rows, data->origin, data->spacing,
                                     data->heights, out);
}

/* Reads a file, and makes of its data what is asked for. */
static scree_status read_path(const scree_env* env, const char* path, scree_mesh** mesh,
                              scree_hull** hull)
{
    scri_file_env file;
    scri_file_env_begin(env, path, &file);
    char* bytes = NULL;
    size_t size = 0;
    scri_mesh_data data;
    scri_arena* arena = scri_arena_create(&file.env);
    scree_status status = arena ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (!status) status = scri_file_read(&file.env, path, &bytes, &size);
    scri_mesh_source from = {&file.env, arena, path, bytes, size, SCREE_HOLES_REFUSE, 0.0};
    if (!status) status = scri_mesh_parse(&from, &data);
    if (!status && hull && data.columns > 0) {
        status = scri_fail(&file.env, SCREE_ERROR_INPUT, "a raster has no hull");
    }
    scree_env host =
        env ? *env : (scree_env){.user = NULL}; /* its memory, which `file` passes on */
    if (!status && mesh) {
        status = scri_mesh_make(&file.env, &data, mesh);
        if (!status) (*mesh)->env = host;
    }
    if (!status && hull) {
        status = scree_hull_create(&file.env, data.n_points, data.points, hull);
        if (!status) (*hull)->env = host;
    }
    scri_release(&file.env, bytes);
    scri_arena_destroy(arena);
    return scri_file_env_end(&file, status);
}

scree_status scree_mesh_read(const scree_env* env, const char* path, scree_mesh** out)
{
    if (!path || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or no place");
    *out = NULL;
    return read_path(env, path, out, NULL);
}

scree_status scree_hull_read(const scree_env* env, const char* path, scree_hull** out)
{
    if (!path || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or no place");
    *out = NULL;
    return read_path(env, path, NULL, out);
}
