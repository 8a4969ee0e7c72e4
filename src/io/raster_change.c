/* Rasters made coarser, without holes, or into triangles about them. */
#include "base/env.h"
#include "io/raster.h"

#include <math.h>
#include <string.h>

/* ---- larger cells ---- */

/* Relative to the spacing: cells that are as large as they are. */
static const double same_size = 1e-9;

/* How much of old cell k lies in new cell i, in old cells; both begin at the same rim. */
static double overlap(double ratio, int64_t i, int64_t k)
{
    double low = fmax(ratio * (double)i, (double)k);
    double high = fmin(ratio * (double)(i + 1), (double)(k + 1));
    return fmax(high - low, 0.0);
}

/* The mean over the part of a new cell that has heights; a hole where that is less than half. */
static double mean_over(const scri_mesh_data* old, const double ratio[2], int64_t column,
                        int64_t row)
{
    int64_t end[2] = {(int64_t)ceil(ratio[0] * (double)(column + 1)),
                      (int64_t)ceil(ratio[1] * (double)(row + 1))};
    double sum = 0.0, area = 0.0;
    for (int64_t y = (int64_t)(ratio[1] * (double)row); y < end[1] && y < old->rows; ++y) {
        double across = overlap(ratio[1], row, y);
        for (int64_t x = (int64_t)(ratio[0] * (double)column); x < end[0] && x < old->columns;
             ++x) {
            double z = old->heights[y * old->columns + x];
            double part = isnan(z) ? 0.0 : across * overlap(ratio[0], column, x);
            if (!(part > 0.0)) continue;
            sum += part * z;
            area += part;
        }
    }
    return area >= 0.5 * ratio[0] * ratio[1] ? sum / area : (double)NAN;
}

scree_status scri_raster_coarsen(const scri_mesh_source* from, scri_mesh_data* data)
{
    const scri_mesh_data old = *data;
    int32_t n[2] = {old.columns, old.rows};
    double ratio[2];
    for (int k = 0; k < 2; ++k) {
        ratio[k] = from->cell / old.spacing[k];
        if (fabs(ratio[k] - 1.0) <= same_size) ratio[k] = 1.0;
        n[k] = ratio[k] >= 1.0 ? (int32_t)floor(n[k] / ratio[k] * (1.0 + same_size)) : 0;
        if (n[k] >= 2) continue;
        return scri_fail(from->env, SCREE_ERROR_INPUT,
                         "%s: cells of %g m cannot be made of %d %s %g m apart", from->name,
                         from->cell, (int)(k ? old.rows : old.columns), k ? "rows" : "columns",
                         old.spacing[k]);
    }
    if (ratio[0] == 1.0 && ratio[1] == 1.0) return SCREE_OK;
    scree_status status = scri_mesh_reserve_heights(from, n[0], n[1], data);
    if (status) return status;
    for (int64_t row = 0; row < n[1]; ++row) {
        for (int64_t column = 0; column < n[0]; ++column) {
            data->heights[row * n[0] + column] = mean_over(&old, ratio, column, row);
        }
    }
    for (int k = 0; k < 2; ++k) {
        data->origin[k] = old.origin[k] + 0.5 * (from->cell - old.spacing[k]);
        data->spacing[k] = from->cell;
    }
    return SCREE_OK;
}

/* ---- holes ---- */

/* Relaxation of the membrane: factor, sweeps, and the change over the range of heights at which it
 * is done. */
static const double relaxation = 1.8, done_change = 1e-7;
enum { MOST_SWEEPS = 2000, MOST_LEVELS = 64 };

typedef struct level {
    int64_t columns, rows;
    double* z;
} level;

/* The mean of the up to four cells below each that have a height. */
static int64_t halve(const level* fine, level* coarse)
{
    int64_t holes = 0;
    for (int64_t row = 0; row < coarse->rows; ++row) {
        for (int64_t column = 0; column < coarse->columns; ++column) {
            double sum = 0.0, n = 0.0;
            for (int k = 0; k < 4; ++k) {
                int64_t x = 2 * column + k % 2, y = 2 * row + k / 2;
                if (x >= fine->columns || y >= fine->rows) continue;
                double z = fine->z[y * fine->columns + x];
                if (isnan(z)) continue;
                sum += z;
                n += 1.0;
            }
            coarse->z[row * coarse->columns + column] = n > 0.0 ? sum / n : (double)NAN;
            holes += n == 0.0;
        }
    }
    return holes;
}

/* Straight between the cells of the coarser level. */
static double between(const level* coarse, int64_t x, int64_t y)
{
    double u = 0.5 * (double)x - 0.25, v = 0.5 * (double)y - 0.25;
    int64_t column = u < 0.0 ? 0 : (int64_t)u, row = v < 0.0 ? 0 : (int64_t)v;
    int64_t right = column + 1 < coarse->columns ? column + 1 : column;
    int64_t above = row + 1 < coarse->rows ? row + 1 : row;
    u = fmax(u - (double)column, 0.0), v = fmax(v - (double)row, 0.0);
    const double *low = coarse->z + row * coarse->columns,
                 *high = coarse->z + above * coarse->columns;
    return (1.0 - v) * ((1.0 - u) * low[column] + u * low[right]) +
           v * ((1.0 - u) * high[column] + u * high[right]);
}

static void take_guesses(const level* coarse, const level* fine)
{
    for (int64_t y = 0; y < fine->rows; ++y) {
        for (int64_t x = 0; x < fine->columns; ++x) {
            double* z = &fine->z[y * fine->columns + x];
            if (isnan(*z)) *z = between(coarse, x, y);
        }
    }
}

/* Guesses of all holes, from coarser and coarser levels. */
static scree_status guess_holes(scri_arena* arena, const level* finest)
{
    level levels[MOST_LEVELS] = {*finest};
    int last = 0;
    for (int64_t holes = 1; holes > 0; ++last) {
        const level* fine = &levels[last];
        if ((fine->columns <= 1 && fine->rows <= 1) || last + 1 == MOST_LEVELS) break;
        level* coarse = &levels[last + 1];
        *coarse = (level){(fine->columns + 1) / 2, (fine->rows + 1) / 2, NULL};
        size_t cells = (size_t)(coarse->columns * coarse->rows);
        coarse->z = scri_arena_take(arena, cells, sizeof *coarse->z);
        if (!coarse->z) return SCREE_ERROR_MEMORY;
        holes = halve(fine, coarse);
    }
    for (; last > 0; --last) take_guesses(&levels[last], &levels[last - 1]);
    return SCREE_OK;
}

/* The mean of the neighbours of a cell; those beyond the rim do not pull. */
static double pull_on(const scri_mesh_data* data, int64_t cell)
{
    int64_t column = cell % data->columns, row = cell / data->columns;
    double sum = 0.0, n = 0.0;
    const int64_t step[2] = {1, data->columns};
    const int64_t at[2] = {column, row}, last[2] = {data->columns - 1, data->rows - 1};
    for (int k = 0; k < 2; ++k) {
        if (at[k] > 0) sum += data->heights[cell - step[k]], n += 1.0;
        if (at[k] < last[k]) sum += data->heights[cell + step[k]], n += 1.0;
    }
    return sum / n;
}

static void relax_holes(scri_mesh_data* data, const int64_t* hole, int64_t n, double range)
{
    double change = HUGE_VAL;
    for (int sweep = 0; sweep < MOST_SWEEPS && change > done_change * range; ++sweep) {
        change = 0.0;
        for (int64_t k = 0; k < n; ++k) {
            double* z = &data->heights[hole[k]];
            double step = relaxation * (pull_on(data, hole[k]) - *z);
            *z += step;
            change = fmax(change, fabs(step));
        }
    }
}

scree_status scri_raster_fill(const scri_mesh_source* from, scri_mesh_data* data)
{
    int64_t cells = (int64_t)data->columns * data->rows, n = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t c = 0; c < cells; ++c) {
        n += isnan(data->heights[c]);
        low = fmin(low, data->heights[c]);
        high = fmax(high, data->heights[c]);
    }
    data->n_filled = n;
    if (n == 0) return SCREE_OK;
    int64_t* hole = scri_arena_take(from->arena, (size_t)n, sizeof *hole);
    if (!hole) return SCREE_ERROR_MEMORY;
    for (int64_t c = 0, k = 0; c < cells; ++c) {
        if (isnan(data->heights[c])) hole[k++] = c;
    }
    const level finest = {data->columns, data->rows, data->heights};
    scree_status status = guess_holes(from->arena, &finest);
    if (!status) relax_holes(data, hole, n, high - low);
    return status;
}

/* A triangle of a raster, with the corners that scri_mesh_corners() gives it. */
static void put_triangle(const scri_mesh_data* data, int64_t cell, int upper, scri_mesh_data* out)
{
    int32_t wide = data->columns - 1;
    int32_t a = (int32_t)(cell / wide * data->columns + cell % wide);
    const int32_t corner[3] = {a, upper ? a + data->columns + 1 : a + 1,
                               upper ? a + data->columns : a + data->columns + 1};
    for (int k = 0; k < 3; ++k) {
        if (isnan(data->heights[corner[k]])) return;
    }
    memcpy(out->corners + 3 * (size_t)out->n_triangles++, corner, sizeof corner);
}

scree_status scri_raster_open(scri_arena* arena, const scri_mesh_data* data, scri_mesh_data* out)
{
    size_t points = (size_t)data->columns * (size_t)data->rows;
    int64_t cells = (int64_t)(data->columns - 1) * (data->rows - 1);
    *out = (scri_mesh_data){.n_points = (int32_t)points};
    out->points = scri_arena_take(arena, points, 3 * sizeof *out->points);
    out->corners = scri_arena_take(arena, (size_t)cells, 6 * sizeof *out->corners);
    if (!out->points || !out->corners) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < points; ++i) {
        double* x = out->points + 3 * i;
        size_t column = i % (size_t)data->columns, row = i / (size_t)data->columns;
        x[0] = data->origin[0] + data->spacing[0] * (double)column;
        x[1] = data->origin[1] + data->spacing[1] * (double)row;
        /* those of holes have no triangle, but are within the range of the others */
        x[2] = isnan(data->heights[i]) ? (i > 0 ? x[-1] : 0.0) : data->heights[i];
    }
    for (int64_t c = 0; c < cells; ++c) {
        put_triangle(data, c, 0, out);
        put_triangle(data, c, 1, out);
    }
    return SCREE_OK;
}
