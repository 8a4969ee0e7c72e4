/* The ground of a map: squares between points, each two triangles as in scree_mesh. */
#include "math/vec.h"
#include "study/rockfall.h"

#include <math.h>

/* The square that a coordinate falls into, and how far along it the point lies; the last one
 * beyond the rim. */
static int32_t square_of(double x, double cell, int32_t points, double* along)
{
    double at = floor(x / cell), most = points - 2;
    at = at < 0.0 ? 0.0 : at > most ? most : at;
    *along = x / cell - at;
    return (int32_t)at;
}

scri_ground_point scri_rockfall_ground(const scree_rockfall_map* map, double x, double y)
{
    double u, v;
    int32_t column = square_of(x, map->cell, map->columns, &u);
    int32_t row = square_of(y, map->cell, map->rows, &v);
    const double* below = map->heights + (size_t)row * (size_t)map->columns + column;
    const double* above = below + map->columns;
    double du, dv; /* of the triangle below the diagonal, or of that above it */
    if (u >= v) {
        du = below[1] - below[0];
        dv = above[1] - below[1];
    } else {
        du = above[1] - above[0];
        dv = above[0] - below[0];
    }
    return (scri_ground_point){.height = below[0] + u * du + v * dv,
                               .slope = {du / map->cell, dv / map->cell}};
}

static int32_t line_of(double x, double cell, int32_t points)
{
    double at = floor(x / cell + 0.5);
    return at < 0.0 ? 0 : at > points - 1 ? points - 1 : (int32_t)at;
}

int32_t scri_rockfall_cell(const scree_rockfall_map* map, double x, double y)
{
    return line_of(y, map->cell, map->rows) * map->columns + line_of(x, map->cell, map->columns);
}

/* Whether all points of the squares within a range have a height. */
static int is_whole(const scree_rockfall_map* map, const double low[2], const double high[2])
{
    double unused;
    int32_t first = square_of(low[0], map->cell, map->columns, &unused);
    int32_t last = square_of(high[0], map->cell, map->columns, &unused) + 1;
    int32_t top = square_of(high[1], map->cell, map->rows, &unused) + 1;
    for (int32_t row = square_of(low[1], map->cell, map->rows, &unused); row <= top; ++row) {
        const double* z = map->heights + (size_t)row * (size_t)map->columns;
        for (int32_t column = first; column <= last; ++column) {
            if (isnan(z[column])) return 0;
        }
    }
    return 1;
}

int scri_rockfall_holds(const scree_rockfall_map* map, double x, double y, double radius)
{
    double width = map->cell * (map->columns - 1), height = map->cell * (map->rows - 1);
    const double low[2] = {x - radius, y - radius}, high[2] = {x + radius, y + radius};
    if (!(low[0] >= 0.0 && low[1] >= 0.0 && high[0] <= width && high[1] <= height)) return 0;
    return is_whole(map, low, high);
}

/* ---- where blocks come from ---- */

int32_t scree_rockfall_steep_cells(const scree_rockfall_map* map, double angle, double margin,
                                   double* out)
{
    if (!map || !map->heights) return 0;
    int32_t n = 0;
    double least = tan(angle);
    for (int32_t row = 1; row + 1 < map->rows; ++row) {
        for (int32_t column = 1; column + 1 < map->columns; ++column) {
            double x = map->cell * column, y = map->cell * row;
            const double* at = map->heights + (size_t)row * (size_t)map->columns + column;
            double dx = (at[1] - at[-1]) / (2.0 * map->cell);
            double dy = (at[map->columns] - at[-map->columns]) / (2.0 * map->cell);
            if (!(scri_hypotenuse(dx, dy) > least)) continue;
            if (!scri_rockfall_holds(map, x, y, margin)) continue;
            if (out) {
                out[2 * (size_t)n] = map->origin[0] + x;
                out[2 * (size_t)n + 1] = map->origin[1] + y;
            }
            ++n;
        }
    }
    return n;
}

/* ---- a slope to try things on ---- */

/* From 0 to 1 within a width about x = 0, smooth. */
static double rise(double x, double width)
{
    double share = x / width + 0.5;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return share * share * (3.0 - 2.0 * share);
}

static double bump(double x, double width)
{
    return exp(-x * x / (2.0 * width * width));
}

/* Where the cliff is, along the slope. */
static double cliff_at(double y)
{
    return 50.0 + 6.0 * sin(y / 31.0) + 3.0 * sin(y / 11.0);
}

/* x goes down the slope, y along it; m. */
static double slope_height(double x, double y)
{
    double below = x - cliff_at(y);
    double plateau = 165.0 - 0.1 * x;
    double talus = 115.0 * (below > 0.0 ? bump(below, 85.0) : 1.0);
    double z = plateau + (talus - plateau) * rise(below, 20.0);
    double gully = bump(y - 125.0 - 0.05 * x, 14.0) * rise(below - 45.0, 60.0);
    z -= 9.0 * gully * rise(285.0 - x, 120.0);
    z += 3.0 * bump(x - 200.0, 5.0) - 2.5 * bump(x - 190.0, 4.0); /* a bench, cut and filled */
    z += 6.0 * bump(x - 330.0, 4.0) * rise(y - 60.0, 20.0) * rise(190.0 - y, 20.0); /* a dam */
    return z + 0.5 * sin(x / 5.0 + 2.0 * sin(y / 13.0)) * cos(y / 6.0) +
           0.25 * sin(x / 2.1 + y / 3.3) * cos(y / 2.3 - x / 4.1);
}

void scree_rockfall_slope(double* heights, int32_t n, double* releases)
{
    if (!heights || (n > 0 && !releases)) return;
    for (int32_t row = 0; row < SCREE_SLOPE_ROWS; ++row) {
        for (int32_t column = 0; column < SCREE_SLOPE_COLUMNS; ++column) {
            heights[row * SCREE_SLOPE_COLUMNS + column] =
                slope_height(SCREE_SLOPE_CELL * column, SCREE_SLOPE_CELL * row);
        }
    }
    for (int32_t i = 0; i < n; ++i) {
        double y = 40.0 + 160.0 * (i + 0.5) / n;
        releases[2 * (size_t)i] = cliff_at(y) - 4.0;
        releases[2 * (size_t)i + 1] = y;
    }
}
