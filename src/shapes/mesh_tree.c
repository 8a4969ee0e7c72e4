/* Which triangles are near a box: a tree over those of a mesh, cells of a height field. */
#include "shapes/mesh.h"

enum { LEAF = 4, DEPTH = 64 };

static double coordinate(scri_vec x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static void triangle_box(const scree_mesh* m, int32_t t, double lower[3], double upper[3])
{
    int32_t corner[3];
    scri_mesh_corners(m, t, corner);
    for (int axis = 0; axis < 3; ++axis) {
        double a = coordinate(scri_mesh_point(m, corner[0]), axis);
        double b = coordinate(scri_mesh_point(m, corner[1]), axis);
        double c = coordinate(scri_mesh_point(m, corner[2]), axis);
        lower[axis] = fmin(a, fmin(b, c));
        upper[axis] = fmax(a, fmax(b, c));
    }
}

static int boxes_meet(const double* lower, const double* upper, const double* from,
                      const double* to)
{
    for (int k = 0; k < 3; ++k) {
        if (!(lower[k] <= to[k] && upper[k] >= from[k])) return 0;
    }
    return 1;
}

/* ---- building ---- */

/* Where triangles are sorted by: thrice the middle along an axis. */
static double key(const scree_mesh* m, int32_t t, int axis)
{
    double sum = 0.0;
    for (size_t k = 0; k < 3; ++k) {
        sum += coordinate(m->point[m->corner[3 * (size_t)t + k]], axis);
    }
    return sum;
}

/* Puts what belongs before the middle of order[first, first + n) there, by Hoare's method. */
static void split(const scree_mesh* m, int32_t first, int32_t n, int axis)
{
    int32_t *order = m->order, low = first, high = first + n - 1, middle = first + n / 2;
    while (low < high) {
        double pivot = key(m, order[low + (high - low) / 2], axis);
        int32_t i = low, j = high;
        while (i <= j) {
            while (key(m, order[i], axis) < pivot) ++i;
            while (key(m, order[j], axis) > pivot) --j;
            if (i > j) break;
            int32_t kept = order[i];
            order[i++] = order[j];
            order[j--] = kept;
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

/* The axis along which the middles of some triangles are spread most. */
static int widest(const scree_mesh* m, int32_t first, int32_t n)
{
    int best = 0;
    double most = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = SCREE_INFINITY, upper = -SCREE_INFINITY;
        for (int32_t i = first; i < first + n; ++i) {
            double x = key(m, m->order[i], axis);
            lower = fmin(lower, x);
            upper = fmax(upper, x);
        }
        if (!(upper - lower > most)) continue;
        most = upper - lower;
        best = axis;
    }
    return best;
}

static void widen(scri_mesh_node* node, const double lower[3], const double upper[3])
{
    for (int k = 0; k < 3; ++k) {
        node->lower[k] = fmin(node->lower[k], lower[k]);
        node->upper[k] = fmax(node->upper[k], upper[k]);
    }
}

/* Boxes, from the last node to the first: those of its parts are known by then. */
static void bound(const scree_mesh* m)
{
    for (int32_t i = m->n_nodes - 1; i >= 0; --i) {
        scri_mesh_node* node = &m->node[i];
        double lower[3], upper[3];
        for (int k = 0; k < 3; ++k) {
            node->lower[k] = SCREE_INFINITY;
            node->upper[k] = -SCREE_INFINITY;
        }
        node->skip = i + 1;
        if (node->n <= LEAF) {
            for (int32_t k = node->first; k < node->first + node->n; ++k) {
                triangle_box(m, m->order[k], lower, upper);
                widen(node, lower, upper);
            }
            continue;
        }
        for (int part = 0; part < 2; ++part) {
            const scri_mesh_node* of = &m->node[node->skip];
            widen(node, of->lower, of->upper);
            node->skip = of->skip;
        }
    }
}

void scri_mesh_build_tree(scree_mesh* m)
{
    int32_t first[DEPTH], count[DEPTH], depth = 0;
    for (int32_t t = 0; t < m->view.n_triangles; ++t) m->order[t] = t;
    first[0] = 0;
    count[0] = m->view.n_triangles;
    for (depth = 1; depth > 0;) {
        int32_t from = first[--depth], n = count[depth];
        m->node[m->n_nodes++] = (scri_mesh_node){.first = from, .n = n};
        if (n <= LEAF) continue;
        split(m, from, n, widest(m, from, n));
        first[depth] = from + n / 2; /* the lower half is next */
        count[depth++] = n - n / 2;
        first[depth] = from;
        count[depth++] = n / 2;
    }
    bound(m);
}

/* ---- searching ---- */

static void search_tree(const scree_mesh* m, const double lower[3], const double upper[3],
                        scri_mesh_visit* visit, void* user)
{
    for (int32_t i = 0; i < m->n_nodes;) {
        const scri_mesh_node* node = &m->node[i];
        int meets = boxes_meet(node->lower, node->upper, lower, upper);
        for (int32_t k = 0; k < node->n && meets && node->n <= LEAF; ++k) {
            double from[3], to[3];
            triangle_box(m, m->order[node->first + k], from, to);
            if (!boxes_meet(from, to, lower, upper)) continue;
            if (visit(user, m->order[node->first + k])) return;
        }
        i = meets ? i + 1 : node->skip;
    }
}

/* The first and the last cell along an axis that a range reaches into; 0 when it reaches none. */
static int cells_of(const scree_mesh* m, int axis, double lower, double upper, int32_t range[2])
{
    double n = (axis ? m->view.rows : m->view.columns) - 1;
    double from = (lower - m->view.origin[axis]) / m->view.spacing[axis];
    double to = (upper - m->view.origin[axis]) / m->view.spacing[axis];
    /* quotients are off by rounding: one cell more does no harm */
    from = floor(from - 1e-9 * fabs(from));
    to = floor(to + 1e-9 * fabs(to));
    if (!(from <= n && to >= -1.0)) return 0;
    range[0] = (int32_t)fmin(fmax(from, 0.0), n - 1.0);
    range[1] = (int32_t)fmin(fmax(to, 0.0), n - 1.0);
    return 1;
}

static void search_cells(const scree_mesh* m, const double lower[3], const double upper[3],
                         scri_mesh_visit* visit, void* user)
{
    int32_t x[2], y[2];
    if (!cells_of(m, 0, lower[0], upper[0], x) || !cells_of(m, 1, lower[1], upper[1], y)) return;
    for (int32_t row = y[0]; row <= y[1]; ++row) {
        for (int32_t column = x[0]; column <= x[1]; ++column) {
            int32_t cell = row * (m->view.columns - 1) + column;
            for (int32_t t = 2 * cell; t < 2 * cell + 2; ++t) {
                double from[3], to[3];
                triangle_box(m, t, from, to);
                from[2] = lower[2]; /* what is below counts as near */
                if (!boxes_meet(from, to, lower, upper)) continue;
                if (visit(user, t)) return;
            }
        }
    }
}

void scri_mesh_search(const scree_mesh* m, const double lower[3], const double upper[3],
                      scri_mesh_visit* visit, void* user)
{
    if (m->tube) {
        scri_tube_search(m->tube, lower, upper, visit, user);
    } else if (scri_mesh_is_raster(m)) {
        search_cells(m, lower, upper, visit, user);
    } else {
        search_tree(m, lower, upper, visit, user);
    }
}
