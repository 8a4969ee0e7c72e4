/* Blocks, run-out and lines of a rockfall study as tables, GeoJSON and VTK. */
#include "io/rockfall_file.h"

#include "base/env.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/vtk_file.h"

#include <inttypes.h>
#include <math.h>

/* Significant digits: coordinates of a country have seven before the point. */
enum { DIGITS = 12 };

static void put_number(FILE* file, double value)
{
    char text[SCRI_NUMBER_SIZE];
    fputs(scri_number_shorten(value, DIGITS, text), file);
}

static void put_row(FILE* file, const double* values, int n)
{
    for (int k = 0; k < n; ++k) {
        if (k) fputc(',', file);
        put_number(file, values[k]);
    }
    fputc('\n', file);
}

/* ---- tables ---- */

static scree_status write_blocks(const scri_rockfall_source* from)
{
    fputs("block,shape,end,diameter_m,mass_kg,x0,y0,z0,x1,y1,z1,time_s,length_m,runout_m,speed_m_s,"
          "energy_J,jump_m,lost_J,gained_J\n",
          from->file);
    for (int32_t k = 0; k < from->result->n; ++k) {
        const scree_rock* r = &from->result->rocks[k];
        const double row[] = {r->diameter, r->mass,    r->first[0], r->first[1],
                              r->first[2], r->last[0], r->last[1],  r->last[2],
                              r->time,     r->length,  r->runout,   r->speed,
                              r->energy,   r->jump,    r->lost,     r->gained};
        fprintf(from->file, "%" PRId32 ",%s,%s,", k + 1, scree_block_form_name((int)r->form),
                scree_rock_end_name((int)r->end));
        put_row(from->file, row, sizeof row / sizeof *row);
    }
    return SCREE_OK;
}

/* 1, 2 or 5 times a power of ten, and no less than `least`. */
static double round_width(double least)
{
    double ten = pow(10.0, floor(log10(least)));
    double times = least / ten;
    return ten * (times <= 1.0 ? 1.0 : times <= 2.0 ? 2.0 : times <= 5.0 ? 5.0 : 10.0);
}

scree_status scri_rockfall_runout(scri_arena* arena, const scree_rockfall* result, scri_runout* out)
{
    enum { MOST_CLASSES = 40 };
    double farthest = 0.0;
    for (int32_t k = 0; k < result->n; ++k) farthest = fmax(farthest, result->rocks[k].runout);
    *out = (scri_runout){.width = farthest > 0.0 ? round_width(farthest / MOST_CLASSES) : 1.0};
    out->n = (int32_t)floor(farthest / out->width) + 1;
    out->blocks = scri_arena_take(arena, (size_t)out->n, sizeof *out->blocks);
    out->left = scri_arena_take(arena, (size_t)out->n, sizeof *out->left);
    if (!out->blocks || !out->left) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < result->n; ++k) {
        int32_t class = (int32_t)floor(result->rocks[k].runout / out->width);
        ++out->blocks[class];
        out->left[class] += result->rocks[k].end == SCREE_ROCK_LEFT;
    }
    return SCREE_OK;
}

/* `beyond`: share of all blocks that went as far as the class begins, or farther. */
static scree_status write_runout(const scri_rockfall_source* from)
{
    scri_runout runout;
    scree_status status = scri_rockfall_runout(from->arena, from->result, &runout);
    if (status) return status;
    fputs("from_m,to_m,blocks,left,share,beyond\n", from->file);
    int32_t before = 0;
    double n = from->result->n;
    for (int32_t k = 0; k < runout.n; ++k) {
        const double row[] = {runout.width * k, runout.width * (k + 1), runout.blocks[k],
                              runout.left[k],   runout.blocks[k] / n,   (n - before) / n};
        put_row(from->file, row, sizeof row / sizeof *row);
        before += runout.blocks[k];
    }
    return SCREE_OK;
}

static scree_status write_lines(const scri_rockfall_source* from)
{
    fputs("block,time_s,x,y,z,speed_m_s,energy_J,jump_m\n", from->file);
    for (int32_t k = 0; k < from->result->n; ++k) {
        const scree_rock* rock = &from->result->rocks[k];
        for (int64_t i = 0; i < rock->n_points; ++i) {
            const scree_rock_point* p = &from->result->points[rock->first_point + i];
            const double row[] = {p->time,  p->position[0], p->position[1], p->position[2],
                                  p->speed, p->energy,      p->jump};
            fprintf(from->file, "%" PRId32 ",", k + 1);
            put_row(from->file, row, sizeof row / sizeof *row);
        }
    }
    return SCREE_OK;
}

/* ---- lines ---- */

static void put_feature(const scri_rockfall_source* from, int32_t k)
{
    const scree_rock* r = &from->result->rocks[k];
    const struct {
        const char* name;
        double value;
    } numbers[] = {{"diameter", r->diameter}, {"mass", r->mass},     {"time", r->time},
                   {"length", r->length},     {"runout", r->runout}, {"speed", r->speed},
                   {"energy", r->energy},     {"jump", r->jump}};
    fprintf(from->file,
            "{\"type\":\"Feature\",\"properties\":{\"block\":%" PRId32
            ",\"shape\":\"%s\",\"end\":\"%s\"",
            k + 1, scree_block_form_name((int)r->form), scree_rock_end_name((int)r->end));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        fprintf(from->file, ",\"%s\":", numbers[i].name);
        put_number(from->file, numbers[i].value);
    }
    fputs("},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[", from->file);
    for (int64_t i = 0; i < r->n_points; ++i) {
        const scree_rock_point* p = &from->result->points[r->first_point + i];
        for (int axis = 0; axis < 3; ++axis) {
            fputs(axis ? "," : i ? ",[" : "[", from->file);
            put_number(from->file, p->position[axis]);
        }
        fputc(']', from->file);
    }
    fputs("]}}", from->file);
}

/* A line has two points at least. */
static scree_status write_geojson(const scri_rockfall_source* from)
{
    int any = 0;
    fputs("{\"type\":\"FeatureCollection\",\"features\":[", from->file);
    for (int32_t k = 0; k < from->result->n; ++k) {
        if (from->result->rocks[k].n_points < 2) continue;
        fputs(any++ ? ",\n" : "\n", from->file);
        put_feature(from, k);
    }
    fputs("\n]}\n", from->file);
    return SCREE_OK;
}

typedef struct columns {
    double *place, *time, *speed, *energy, *jump;
    int32_t* block;
    int64_t *corner, *end;
} columns;

static scree_status write_vtk(const scri_rockfall_source* from)
{
    const scree_rockfall* result = from->result;
    size_t n = (size_t)result->n_points;
    if (result->n_points > INT32_MAX) {
        return scri_fail(from->env, SCREE_ERROR_UNSUPPORTED, "%" PRId64 " points are too many",
                         result->n_points);
    }
    columns c = {.place = scri_arena_take(from->arena, 3 * n, sizeof(double)),
                 .time = scri_arena_take(from->arena, n, sizeof(double)),
                 .speed = scri_arena_take(from->arena, n, sizeof(double)),
                 .energy = scri_arena_take(from->arena, n, sizeof(double)),
                 .jump = scri_arena_take(from->arena, n, sizeof(double)),
                 .block = scri_arena_take(from->arena, n, sizeof(int32_t)),
                 .corner = scri_arena_take(from->arena, n, sizeof(int64_t)),
                 .end = scri_arena_take(from->arena, (size_t)result->n, sizeof(int64_t))};
    if (!c.place || !c.time || !c.speed || !c.energy || !c.jump || !c.block || !c.corner ||
        !c.end) {
        return SCREE_ERROR_MEMORY;
    }
    int64_t n_lines = 0;
    for (int32_t k = 0; k < result->n; ++k) {
        const scree_rock* rock = &result->rocks[k];
        for (int64_t i = rock->first_point; i < rock->first_point + rock->n_points; ++i) {
            const scree_rock_point* p = &result->points[i];
            for (int axis = 0; axis < 3; ++axis) c.place[3 * i + axis] = p->position[axis];
            c.time[i] = p->time, c.speed[i] = p->speed, c.energy[i] = p->energy;
            c.jump[i] = p->jump, c.block[i] = k + 1, c.corner[i] = i;
        }
        if (rock->n_points > 0) c.end[n_lines++] = rock->first_point + rock->n_points;
    }
    scri_vtk_data data = {.n_points = (int32_t)n,
                          .n_fields = 6,
                          .fields = {{"position", SCRI_VTK_FLOAT64, 3, c.place},
                                     {"time", SCRI_VTK_FLOAT64, 1, c.time},
                                     {"speed", SCRI_VTK_FLOAT64, 1, c.speed},
                                     {"energy", SCRI_VTK_FLOAT64, 1, c.energy},
                                     {"jump", SCRI_VTK_FLOAT64, 1, c.jump},
                                     {"block", SCRI_VTK_INT32, 1, c.block}},
                          .cells = SCRI_VTK_LINES,
                          .n_cells = n_lines,
                          .n_corners = (int64_t)n,
                          .corner = c.corner,
                          .end = c.end};
    scri_vtk_write(from->file, &data);
    return SCREE_OK;
}

/* ---- all of them ---- */

static const struct {
    const char* ending;
    scree_status (*write)(const scri_rockfall_source* from);
} files[SCREE_ROCKFALL_FILE_COUNT] = {
    [SCREE_ROCKFALL_BLOCKS] = {"_blocks.csv", write_blocks},
    [SCREE_ROCKFALL_RUNOUT] = {"_runout.csv", write_runout},
    [SCREE_ROCKFALL_LINES] = {"_lines.csv", write_lines},
    [SCREE_ROCKFALL_GEOJSON] = {"_lines.geojson", write_geojson},
    [SCREE_ROCKFALL_VTK] = {"_lines.vtp", write_vtk},
    [SCREE_ROCKFALL_PAGE] = {".html", scri_rockfall_page},
};

const char* scree_rockfall_ending(int file)
{
    return file >= 0 && file < SCREE_ROCKFALL_FILE_COUNT ? files[file].ending : NULL;
}

scree_status scree_rockfall_write(const scree_env* env, scree_rockfall_file file, const char* path,
                                  const scree_rockfall_def* def, const scree_rockfall* result)
{
    if (!path || !def || !result || !scree_rockfall_ending((int)file)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_rockfall_write: wrong argument");
    }
    scri_file_env inner;
    scri_output output;
    scri_file_env_begin(env, path, &inner);
    scri_rockfall_source from = {
        .env = &inner.env, .arena = scri_arena_create(&inner.env), .def = def, .result = result};
    scree_status status = from.arena ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (!status) status = scri_output_begin(&inner.env, path, &output);
    if (!status) {
        from.file = output.stream;
        status = scri_output_end(&output, files[file].write(&from));
    }
    scri_arena_destroy(from.arena);
    return scri_file_env_end(&inner, status);
}
