/* The ground of a map: squares between points, each two triangles as in scree_mesh. */
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

int scri_rockfall_holds(const scree_rockfall_map* map, double x, double y, double radius)
{
    double width = map->cell * (map->columns - 1), height = map->cell * (map->rows - 1);
    return x >= radius && y >= radius && x <= width - radius && y <= height - radius;
}
