/* Points anywhere become a raster: the height of a node is that of a plane, fitted to the points
 * about it with weights that fall off smoothly. Planes come out as they are, noise is averaged; how
 * far the points lie off the ground that comes out is measured. */
#include "base/env.h"
#include "io/raster.h"

#include <math.h>

/* Rings of cells about a node that are looked at; points that are enough; the least number. */
enum { RINGS = 3, ENOUGH = 6, LEAST = 3 };

/* In cells: a node farther than this from all points is a hole; room for cells that each point may
 * ask for. */
static const double nearest_cells = 1.42;
enum { CELLS_PER_POINT = 16 };

/* Points by cell: those of cell c are order[start[c]] to order[start[c + 1] - 1]. */
typedef struct bins {
    const double* points;
    const scri_mesh_data* grid;
    double cell;
    int64_t* start;
    int64_t* order;
} bins;

/* The place of a point along an axis, in cells from the first node; and the node next to it. */
static double place_of(const bins* b, const double* point, int axis)
{
    return (point[axis] - b->grid->origin[axis]) / b->cell;
}

static int64_t node_of(const bins* b, const double* point, int axis)
{
    double at = floor(place_of(b, point, axis) + 0.5);
    int32_t n = axis ? b->grid->rows : b->grid->columns;
    return at < 0.0 ? 0 : at > n - 1 ? n - 1 : (int64_t)at;
}

static int64_t bin_of(const bins* b, int64_t i)
{
    const double* point = b->points + 3 * i;
    return node_of(b, point, 1) * b->grid->columns + node_of(b, point, 0);
}

static scree_status sort_points(scri_arena* arena, int64_t n, bins* b)
{
    int64_t cells = (int64_t)b->grid->columns * b->grid->rows;
    b->start = scri_arena_take(arena, (size_t)cells + 2, sizeof *b->start);
    b->order = scri_arena_take(arena, (size_t)n, sizeof *b->order);
    if (!b->start || !b->order) return SCREE_ERROR_MEMORY;
    int64_t* next = b->start + 1; /* becomes start */
    for (int64_t i = 0; i < n; ++i) ++next[bin_of(b, i) + 1];
    for (int64_t c = 0; c < cells; ++c) next[c + 1] += next[c];
    for (int64_t i = 0; i < n; ++i) b->order[next[bin_of(b, i)]++] = i;
    return SCREE_OK;
}

/* ---- a plane ---- */

/* Sums over the points within a radius, in cells: moments of 1, x, y with themselves and with z. */
typedef struct moments {
    double one, x, y, xx, xy, yy, z, xz, yz;
    double nearest; /* square of a distance */
    int64_t n;
} moments;

static void add_bin(const bins* b, int64_t bin, const int64_t node[2], double radius, moments* m)
{
    for (int64_t k = b->start[bin]; k < b->start[bin + 1]; ++k) {
        const double* point = b->points + 3 * b->order[k];
        double x = place_of(b, point, 0) - (double)node[0];
        double y = place_of(b, point, 1) - (double)node[1];
        double square = x * x + y * y, share = 1.0 - square / (radius * radius), z = point[2];
        if (!(share > 0.0)) continue;
        double w = share * share;
        m->one += w, m->x += w * x, m->y += w * y, m->z += w * z;
        m->xx += w * x * x, m->xy += w * x * y, m->yy += w * y * y;
        m->xz += w * x * z, m->yz += w * y * z;
        m->nearest = fmin(m->nearest, square);
        ++m->n;
    }
}

static moments gather(const bins* b, const int64_t node[2], int rings)
{
    moments m = {.nearest = HUGE_VAL};
    int64_t columns = b->grid->columns, rows = b->grid->rows;
    for (int64_t y = node[1] - rings; y <= node[1] + rings; ++y) {
        for (int64_t x = node[0] - rings; x <= node[0] + rings; ++x) {
            if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
            add_bin(b, y * columns + x, node, rings + 0.5, &m);
        }
    }
    return m;
}

/* The height of the fitted plane at the node; the mean where points lie on a line. */
static double height_of(const moments* m)
{
    double x = m->x / m->one, y = m->y / m->one, z = m->z / m->one; /* their middle */
    double xx = m->xx - x * m->x, xy = m->xy - x * m->y, yy = m->yy - y * m->y;
    double xz = m->xz - x * m->z, yz = m->yz - y * m->z;
    double det = xx * yy - xy * xy;
    if (!(det > 1e-6 * (xx + yy) * (xx + yy))) return z;
    return z - x * (xz * yy - yz * xy) / det - y * (yz * xx - xz * xy) / det;
}

static double fit_node(const bins* b, const int64_t node[2])
{
    moments m = gather(b, node, 1);
    for (int rings = 2; rings <= RINGS && m.n < ENOUGH; ++rings) m = gather(b, node, rings);
    bool is_hole = m.n < LEAST || m.nearest > nearest_cells * nearest_cells;
    return is_hole ? (double)NAN : height_of(&m);
}

/* ---- the raster ---- */

/* How far points lie off the ground that came out: root of the mean square, and largest. */
static void measure(const bins* b, int64_t n, scri_mesh_data* out)
{
    double sum = 0.0, largest = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double* point = b->points + 3 * i;
        double u = place_of(b, point, 0), v = place_of(b, point, 1);
        double column = fmin(fmax(floor(u), 0.0), out->columns - 2);
        double row = fmin(fmax(floor(v), 0.0), out->rows - 2);
        const double* below = out->heights + (int64_t)row * out->columns + (int64_t)column;
        const double* above = below + out->columns;
        u -= column, v -= row;
        double z = u >= v ? below[0] + u * (below[1] - below[0]) + v * (above[1] - below[1])
                          : below[0] + u * (above[1] - above[0]) + v * (above[0] - below[0]);
        double off = fabs(point[2] - z);
        if (isnan(off)) continue; /* beside a hole */
        sum += off * off;
        largest = fmax(largest, off);
        ++count;
    }
    out->n_gridded = n;
    out->off_mean = count > 0 ? sqrt(sum / (double)count) : 0.0;
    out->off_most = largest;
}

static scree_status choose_nodes(const scri_mesh_source* from, int64_t n, const double* points,
                                 int32_t nodes[2], scri_mesh_data* out)
{
    double cells = 1.0;
    for (int axis = 0; axis < 2; ++axis) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int64_t i = 0; i < n; ++i) {
            low = fmin(low, points[3 * i + axis]);
            high = fmax(high, points[3 * i + axis]);
        }
        double count = floor((high - low) / from->cell) + 1.0;
        cells *= count;
        if (!(count >= 2.0 && cells <= (double)CELLS_PER_POINT * (double)n && cells < 2e9)) {
            return scri_fail(from->env, SCREE_ERROR_INPUT,
                             "%s: %lld points over %g m along %c make no raster with cells of %g m",
                             from->name, (long long)n, high - low, axis ? 'y' : 'x', from->cell);
        }
        nodes[axis] = (int32_t)count;
        out->origin[axis] = low + 0.5 * (high - low - from->cell * (count - 1.0));
        out->spacing[axis] = from->cell;
    }
    return SCREE_OK;
}

scree_status scri_raster_from_points(const scri_mesh_source* from, int64_t n, const double* points,
                                     scri_mesh_data* out)
{
    int32_t nodes[2] = {0, 0};
    bins b = {.points = points, .grid = out, .cell = from->cell};
    scree_status status = choose_nodes(from, n, points, nodes, out);
    if (!status) status = scri_mesh_reserve_heights(from, nodes[0], nodes[1], out);
    if (!status) status = sort_points(from->arena, n, &b);
    for (int64_t row = 0; row < out->rows && !status; ++row) {
        for (int64_t column = 0; column < out->columns; ++column) {
            const int64_t node[2] = {column, row};
            out->heights[row * out->columns + column] = fit_node(&b, node);
        }
    }
    if (!status) measure(&b, n, out);
    return status;
}
