/* A rockfall study as one HTML page: viewer/rockfall.html with the study where its mark stands.
 *
 * The study is a JSON object and three blocks of base64, of little-endian words: heights of cells
 * (16 bits each), cells that blocks passed (their number in 32 bits, then 16 bits for each layer),
 * points of lines (16 bits each for x, y, time, speed, energy, jump). 16 bits are a share of the
 * range that the object states.
 */
#include "base/env.h"
#include "io/embedded.h"
#include "io/page.h"
#include "io/rockfall_file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What a page shows at most: of larger maps several cells are one, of longer lines every so many
 * points. */
enum { MOST_CELLS = 400000, MOST_POINTS = 250000 };

static const char mark[] = "<!-- STUDY -->";

typedef struct page {
    const scri_rockfall_source* from;
    FILE* file;
    int32_t step;          /* cells of the map along a side of one that is shown */
    int32_t columns, rows; /* that are shown */
    double low, high;      /* heights */
    double most[SCREE_ROCKFALL_LAYER_COUNT]; /* of each layer */
    int64_t stride;                          /* of points */
} page;

/* ---- what is shown ---- */

static void plan(page* p)
{
    const scree_rockfall_map* map = &p->from->def->map;
    p->step = 1;
    while ((int64_t)(map->columns / p->step) * (map->rows / p->step) > MOST_CELLS) ++p->step;
    p->columns = (map->columns - 1) / p->step + 1;
    p->rows = (map->rows - 1) / p->step + 1;
    p->stride = p->from->result->n_points / MOST_POINTS + 1;
    p->low = p->high = map->heights[0];
    for (int64_t c = 0; c < (int64_t)map->columns * map->rows; ++c) {
        p->low = fmin(p->low, map->heights[c]);
        p->high = fmax(p->high, map->heights[c]);
    }
}

/* A layer in a cell that is shown: the largest of the cells in it, the sum of deposits. */
static double layer_at(const page* p, int layer, int32_t column, int32_t row)
{
    const scree_rockfall_map* map = &p->from->def->map;
    double value = 0.0;
    for (int32_t r = row * p->step; r < (row + 1) * p->step && r < map->rows; ++r) {
        for (int32_t c = column * p->step; c < (column + 1) * p->step && c < map->columns; ++c) {
            double here = p->from->result->layer[layer][(int64_t)r * map->columns + c];
            if (layer == SCREE_ROCKFALL_DEPOSITS) {
                value += here;
            } else {
                value = fmax(value, here); /* NaN counts as nothing */
            }
        }
    }
    return value;
}

static void find_most(page* p)
{
    for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
        for (int32_t row = 0; row < p->rows; ++row) {
            for (int32_t column = 0; column < p->columns; ++column) {
                p->most[k] = fmax(p->most[k], layer_at(p, k, column, row));
            }
        }
    }
}

/* ---- words ---- */

static void put_word(scri_page_bytes* bytes, uint32_t word, int size)
{
    uint8_t byte[4];
    for (int k = 0; k < size; ++k) byte[k] = (uint8_t)(word >> (8 * k));
    scri_page_bytes_put(bytes, byte, (size_t)size);
}

static void put_share(scri_page_bytes* bytes, double value, double low, double high)
{
    double share = high > low ? (value - low) / (high - low) : 0.0;
    share = share >= 0.0 ? (share <= 1.0 ? share : 1.0) : 0.0;
    put_word(bytes, (uint32_t)(65535.0 * share + 0.5), 2);
}

static void begin_block(const page* p, const char* id, scri_page_bytes* bytes)
{
    fprintf(p->file, "<script type=\"text/plain\" id=\"%s\">\n", id);
    scri_page_bytes_begin(bytes, p->file);
}

static void end_block(const page* p, scri_page_bytes* bytes)
{
    scri_page_bytes_end(bytes);
    fputs("\n</script>\n", p->file);
}

/* Heights are shares of one less than this. */
enum { HOLE = 65535 };

static void put_heights(const page* p)
{
    const scree_rockfall_map* map = &p->from->def->map;
    scri_page_bytes bytes;
    begin_block(p, "heights", &bytes);
    for (int32_t row = 0; row < p->rows; ++row) {
        for (int32_t column = 0; column < p->columns; ++column) {
            int64_t at = (int64_t)row * p->step * map->columns + (int64_t)column * p->step;
            double z = map->heights[at], range = p->high - p->low;
            double share = range > 0.0 ? (z - p->low) / range : 0.0;
            put_word(&bytes, isnan(z) ? HOLE : (uint32_t)((HOLE - 1) * share + 0.5), 2);
        }
    }
    end_block(p, &bytes);
}

static void put_cells(const page* p)
{
    scri_page_bytes bytes;
    begin_block(p, "cells", &bytes);
    for (int32_t row = 0; row < p->rows; ++row) {
        for (int32_t column = 0; column < p->columns; ++column) {
            if (!(layer_at(p, SCREE_ROCKFALL_PASSAGES, column, row) > 0.0)) continue;
            put_word(&bytes, (uint32_t)(row * p->columns + column), 4);
            for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
                put_share(&bytes, layer_at(p, k, column, row), 0.0, p->most[k]);
            }
        }
    }
    end_block(p, &bytes);
}

/* Points of a line that are shown; the last one always is. */
static int64_t shown_points(const page* p, const scree_rock* rock)
{
    return rock->n_points > 0 ? (rock->n_points - 1 + p->stride - 1) / p->stride + 1 : 0;
}

static scree_rock_point largest_of(const scree_rockfall* result)
{
    scree_rock_point most = {0};
    for (int64_t i = 0; i < result->n_points; ++i) {
        const scree_rock_point* at = &result->points[i];
        most.time = fmax(most.time, at->time);
        most.speed = fmax(most.speed, at->speed);
        most.energy = fmax(most.energy, at->energy);
        most.jump = fmax(most.jump, at->jump);
    }
    return most;
}

static void put_points(const page* p)
{
    const scree_rockfall* result = p->from->result;
    const scree_rockfall_map* map = &p->from->def->map;
    scree_rock_point most = largest_of(result);
    scri_page_bytes bytes;
    begin_block(p, "points", &bytes);
    for (int32_t k = 0; k < result->n; ++k) {
        const scree_rock* rock = &result->rocks[k];
        for (int64_t i = 0; i < shown_points(p, rock); ++i) {
            int64_t at = i * p->stride < rock->n_points ? i * p->stride : rock->n_points - 1;
            const scree_rock_point* point = &result->points[rock->first_point + at];
            for (int axis = 0; axis < 2; ++axis) {
                double width = map->cell * ((axis ? map->rows : map->columns) - 1);
                put_share(&bytes, point->position[axis] - map->origin[axis], 0.0, width);
            }
            put_share(&bytes, point->time, 0.0, most.time);
            put_share(&bytes, point->speed, 0.0, most.speed);
            put_share(&bytes, point->energy, 0.0, most.energy);
            put_share(&bytes, point->jump, 0.0, most.jump);
        }
    }
    end_block(p, &bytes);
}

/* ---- the object ---- */

static void put_list(FILE* file, const char* name, const double* values, int n)
{
    fprintf(file, "\"%s\":[", name);
    for (int k = 0; k < n; ++k) {
        if (k) fputc(',', file);
        scri_page_number(file, values[k]);
    }
    fputs("],\n", file);
}

static void put_layers(const page* p)
{
    fputs("\"layers\":[", p->file);
    for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
        fprintf(p->file,
                "%s\n{\"name\":\"%s\",\"unit\":\"%s\",\"meaning\":\"%s\",\"most\":", k ? "," : "",
                scree_rockfall_describe(k).name, scree_rockfall_describe(k).unit,
                scree_rockfall_describe(k).meaning);
        scri_page_number(p->file, p->most[k]);
        fputc('}', p->file);
    }
    fputs("],\n", p->file);
}

static void put_rocks(const page* p)
{
    const scree_rockfall* result = p->from->result;
    fputs("\"rocks\":[", p->file);
    for (int32_t k = 0; k < result->n; ++k) {
        const scree_rock* r = &result->rocks[k];
        const double numbers[] = {r->diameter,
                                  r->mass,
                                  r->first[0],
                                  r->first[1],
                                  r->last[0],
                                  r->last[1],
                                  r->time,
                                  r->length,
                                  r->runout,
                                  r->speed,
                                  r->energy,
                                  r->jump,
                                  (double)shown_points(p, r)};
        fprintf(p->file, "%s\n[\"%s\",\"%s\"", k ? "," : "", scree_block_form_name((int)r->form),
                scree_rock_end_name((int)r->end));
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
            fprintf(p->file, ",%.9g", numbers[i]);
        }
        fputc(']', p->file);
    }
    fputs("]\n", p->file);
}

static scree_status put_runout(const page* p)
{
    scri_runout runout;
    scree_status status = scri_rockfall_runout(p->from->arena, p->from->result, &runout);
    if (status) return status;
    fprintf(p->file, "\"runout\":{\"width\":%.9g,\"blocks\":[", runout.width);
    for (int32_t k = 0; k < runout.n; ++k) {
        fprintf(p->file, "%s%" PRId32, k ? "," : "", runout.blocks[k]);
    }
    fputs("],\"left\":[", p->file);
    for (int32_t k = 0; k < runout.n; ++k) {
        fprintf(p->file, "%s%" PRId32, k ? "," : "", runout.left[k]);
    }
    fputs("]},\n", p->file);
    return SCREE_OK;
}

static scree_status put_object(const page* p)
{
    const scree_rockfall_def* def = p->from->def;
    scree_rock_point most = largest_of(p->from->result);
    const double heights[] = {p->low, p->high};
    const double mosts[] = {most.time, most.speed, most.energy, most.jump};
    fputs("<script type=\"application/json\" id=\"study\">\n{", p->file);
    fprintf(p->file,
            "\"columns\":%" PRId32 ",\"rows\":%" PRId32 ",\"step\":%" PRId32
            ",\"mapColumns\":%" PRId32 ",\"mapRows\":%" PRId32 ",\"cell\":",
            p->columns, p->rows, p->step, def->map.columns, def->map.rows);
    scri_page_number(p->file, def->map.cell);
    fprintf(p->file, ",\n\"seed\":\"%" PRIu64 "\",\n", def->seed);
    put_list(p->file, "origin", def->map.origin, 2);
    put_list(p->file, "heights", heights, 2);
    put_list(p->file, "most", mosts, 4);
    put_layers(p);
    scree_status status = put_runout(p);
    put_rocks(p);
    fputs("}\n</script>\n", p->file);
    return status;
}

scree_status scri_rockfall_page(const scri_rockfall_source* from)
{
    const char* head = scri_embedded_rockfall[0].text;
    const char* tail = strstr(head, mark);
    if (!tail) return scri_fail(from->env, SCREE_ERROR_FORMAT, "the library's page has no mark");
    page p = {.from = from, .file = from->file};
    plan(&p);
    find_most(&p);
    fwrite(head, 1, (size_t)(tail - head), p.file);
    scree_status status = put_object(&p);
    if (!status) {
        put_heights(&p);
        put_cells(&p);
        put_points(&p);
    }
    fputs(tail + sizeof mark - 1, p.file);
    return status;
}
