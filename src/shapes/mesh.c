/* From points and triangles, or heights, to a surface whose triangles know each other. */
#include "shapes/mesh.h"

#include "base/env.h"
#include "base/fill.h"

#include <string.h>

/* Triangles with less than this share of the square of their longest side have no area. */
#define NO_AREA 1e-12

/* Numbers of sides are 32 bits wide. */
enum { MOST_TRIANGLES = INT32_MAX / 3 };

/* ---- tables ---- */

/* Numbers by what they stand for: a power of two of places, -1 where there is none. */
typedef struct table {
    uint32_t mask;
    int32_t* place;
} table;

static scree_status make_table(const scree_env* env, size_t n, table* out)
{
    size_t size = 16;
    while (size < 2 * n) size *= 2;
    out->mask = (uint32_t)(size - 1);
    out->place = scri_alloc(env, size * sizeof *out->place);
    if (!out->place) return scri_fail(env, SCREE_ERROR_MEMORY, "no memory for a mesh");
    for (size_t i = 0; i < size; ++i) out->place[i] = -1;
    return SCREE_OK;
}

static uint32_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 29);
}

/* ---- points ---- */

static uint32_t hash_point(const scri_vec* x)
{
    uint64_t word[3];
    memcpy(word, x, sizeof word);
    return mix(mix(mix(0, word[0]), word[1]), word[2]);
}

/* The first point that is where this one is, which may be itself. */
static int32_t find_point(const scree_mesh* m, const table* points, int32_t i)
{
    scri_vec x = m->point[i];
    for (uint32_t at = hash_point(&x) & points->mask;; at = (at + 1) & points->mask) {
        int32_t other = points->place[at];
        if (other < 0) points->place[at] = other = i;
        const scri_vec* y = &m->point[other];
        if (y->x == x.x && y->y == x.y && y->z == x.z) return other;
    }
}

static scree_status read_points(scree_mesh* m, const double* points)
{
    scree_mesh_view* v = &m->view;
    for (int k = 0; k < 3; ++k) {
        v->lower[k] = SCREE_INFINITY;
        v->upper[k] = -SCREE_INFINITY;
    }
    for (int32_t i = 0; i < v->n_points; ++i) {
        double x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = points[3 * (size_t)i + (size_t)k] + 0.0; /* -0 is 0 */
            if (!isfinite(x[k])) {
                return scri_fail(&m->env, SCREE_ERROR_INPUT, "mesh: point %d is not finite",
                                 (int)i);
            }
            v->lower[k] = fmin(v->lower[k], x[k]);
            v->upper[k] = fmax(v->upper[k], x[k]);
        }
        m->point[i] = scri_vec_load(x);
    }
    return SCREE_OK;
}

/* ---- triangles ---- */

static scree_status check_area(const scree_mesh* m, int32_t t)
{
    const int32_t* c = m->corner + 3 * (size_t)t;
    scri_vec e = scri_vec_sub(m->point[c[1]], m->point[c[0]]);
    scri_vec f = scri_vec_sub(m->point[c[2]], m->point[c[0]]), g = scri_vec_sub(f, e);
    double longest = fmax(scri_vec_dot(e, e), fmax(scri_vec_dot(f, f), scri_vec_dot(g, g)));
    double area = scri_vec_length(scri_vec_cross(e, f));
    if (area > NO_AREA * longest && isfinite(area)) return SCREE_OK;
    return scri_fail(&m->env, SCREE_ERROR_INPUT, "mesh: triangle %d has no area", (int)t);
}

static scree_status read_triangles(scree_mesh* m, const int32_t* corners)
{
    table points;
    scree_status status = make_table(&m->env, (size_t)m->view.n_points, &points);
    for (int32_t t = 0; t < m->view.n_triangles && !status; ++t) {
        for (size_t k = 3 * (size_t)t; k < 3 * (size_t)t + 3 && !status; ++k) {
            if (corners[k] >= 0 && corners[k] < m->view.n_points) {
                m->corner[k] = find_point(m, &points, corners[k]);
                continue;
            }
            status = scri_fail(&m->env, SCREE_ERROR_INPUT, "mesh: triangle %d names point %d of %d",
                               (int)t, (int)corners[k], (int)m->view.n_points);
        }
        if (!status) status = check_area(m, t);
    }
    scri_release(&m->env, points.place);
    return status;
}

static int32_t from_of(const scree_mesh* m, int32_t side)
{
    return m->corner[side];
}

static int32_t to_of(const scree_mesh* m, int32_t side)
{
    return m->corner[side % 3 == 2 ? side - 2 : side + 1];
}

/* The side from one point to another: `side` itself, which takes the place, where there is none. */
static int32_t find_side(const scree_mesh* m, const table* sides, int32_t from, int32_t to,
                         int32_t side)
{
    uint32_t at = mix(mix(0, (uint64_t)from), (uint64_t)to) & sides->mask;
    for (;; at = (at + 1) & sides->mask) {
        int32_t other = sides->place[at];
        if (other < 0) return sides->place[at] = side;
        if (from_of(m, other) == from && to_of(m, other) == to) return other;
    }
}

static scree_status join(scree_mesh* m)
{
    table sides;
    int32_t n = 3 * m->view.n_triangles;
    scree_status status = make_table(&m->env, (size_t)n, &sides);
    for (int32_t s = 0; s < n && !status; ++s) {
        int32_t first = find_side(m, &sides, from_of(m, s), to_of(m, s), s);
        if (first == s) continue;
        status = scri_fail(&m->env, SCREE_ERROR_INPUT,
                           "mesh: triangles %d and %d run along their common edge in the same "
                           "direction: one is turned over, or double, or more than two meet",
                           (int)(first / 3), (int)(s / 3));
    }
    for (int32_t s = 0; s < n && !status; ++s) {
        uint32_t at = mix(mix(0, (uint64_t)to_of(m, s)), (uint64_t)from_of(m, s)) & sides.mask;
        m->twin[s] = -1;
        for (; sides.place[at] >= 0; at = (at + 1) & sides.mask) {
            int32_t other = sides.place[at];
            if (from_of(m, other) != to_of(m, s) || to_of(m, other) != from_of(m, s)) continue;
            m->twin[s] = other;
            break;
        }
    }
    scri_release(&m->env, sides.place);
    return status;
}

int32_t scri_mesh_twin(const scree_mesh* m, int32_t side)
{
    if (m->tube) return scri_tube_twin(side);
    if (!scri_mesh_is_raster(m)) return m->twin[side];
    int32_t columns = m->view.columns - 1, rows = m->view.rows - 1;
    int32_t cell = side / 6, x = cell % columns, y = cell / columns;
    switch (side % 6) {
    case 0: /* a b, to the cell below */
        return y > 0 ? 6 * (cell - columns) + 4 : -1;
    case 1: /* b c, to the right */
        return x + 1 < columns ? 6 * (cell + 1) + 5 : -1;
    case 2: /* c a and a c: the diagonal */
        return side + 1;
    case 3:
        return side - 1;
    case 4: /* c d, above */
        return y + 1 < rows ? 6 * (cell + columns) : -1;
    default: /* d a, to the left */
        return x > 0 ? 6 * (cell - 1) + 1 : -1;
    }
}

/* ---- creation ---- */

static scree_status no_memory(const scree_env* env)
{
    return scri_fail(env, SCREE_ERROR_MEMORY, "no memory for a mesh");
}

/* Ends the making of a mesh. */
static scree_status finish(scree_mesh* m, scree_status status, scree_mesh** out)
{
    if (status) {
        scree_mesh_destroy(m);
    } else {
        *out = m;
    }
    return status;
}

static scree_mesh* begin(const scree_env* env)
{
    scree_mesh* m = scri_alloc(env, sizeof *m);
    if (!m) return NULL;
    *m = (scree_mesh){.view = {.struct_size = sizeof m->view}};
    if (env) m->env = *env;
    return m;
}

static void measure(scree_mesh* m)
{
    for (int k = 0; k < 3; ++k) m->half[k] = fmax(fabs(m->view.lower[k]), fabs(m->view.upper[k]));
}

static scree_status build(scree_mesh* m, const double* points, const int32_t* corners)
{
    size_t n = (size_t)m->view.n_triangles;
    m->point = scri_alloc(&m->env, (size_t)m->view.n_points * sizeof *m->point);
    m->corner = scri_alloc(&m->env, 3 * n * sizeof *m->corner);
    m->twin = scri_alloc(&m->env, 3 * n * sizeof *m->twin);
    m->order = scri_alloc(&m->env, n * sizeof *m->order);
    m->node = scri_alloc(&m->env, 2 * n * sizeof *m->node);
    if (!m->point || !m->corner || !m->twin || !m->order || !m->node) return no_memory(&m->env);
    scree_status status = read_points(m, points);
    if (!status) status = read_triangles(m, corners);
    if (!status) status = join(m);
    if (status) return status;
    scri_mesh_build_tree(m);
    measure(m);
    m->view.points = &m->point[0].x;
    m->view.corners = m->corner;
    return SCREE_OK;
}

scree_status scree_mesh_create(const scree_env* env, int32_t n_points, const double* points,
                               int32_t n_triangles, const int32_t* corners, scree_mesh** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no place for the mesh");
    *out = NULL;
    if (n_points < 0 || n_triangles < 0 || (n_points > 0 && !points) ||
        (n_triangles > 0 && !corners)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "no points or no triangles");
    }
    if (n_triangles == 0 || n_triangles > MOST_TRIANGLES) {
        return scri_fail(env, SCREE_ERROR_INPUT, "mesh: %d triangles; between 1 and %d will do",
                         (int)n_triangles, (int)MOST_TRIANGLES);
    }
    scree_mesh* m = begin(env);
    if (!m) return no_memory(env);
    m->view.n_points = n_points;
    m->view.n_triangles = n_triangles;
    return finish(m, build(m, points, corners), out);
}

static scree_status read_heights(scree_mesh* m, const double* heights)
{
    scree_mesh_view* v = &m->view;
    v->lower[2] = SCREE_INFINITY;
    v->upper[2] = -SCREE_INFINITY;
    for (int32_t i = 0; i < v->n_points; ++i) {
        double z = heights[i];
        if (!isfinite(z)) {
            return scri_fail(&m->env, SCREE_ERROR_INPUT,
                             "heights: row %d, column %d has none; holes are to be filled before",
                             (int)(i / v->columns), (int)(i % v->columns));
        }
        m->height[i] = z;
        v->lower[2] = fmin(v->lower[2], z);
        v->upper[2] = fmax(v->upper[2], z);
    }
    int32_t last[2] = {v->columns - 1, v->rows - 1};
    for (int k = 0; k < 2; ++k) {
        v->lower[k] = v->origin[k];
        v->upper[k] = v->origin[k] + v->spacing[k] * last[k];
        if (isfinite(v->lower[k]) && isfinite(v->upper[k]) && v->upper[k] > v->lower[k]) continue;
        return scri_fail(&m->env, SCREE_ERROR_INPUT,
                         "heights: origin %g and spacing %g along %c give no field", v->origin[k],
                         v->spacing[k], k ? 'y' : 'x');
    }
    measure(m);
    /* solid below */
    double width = fmax(v->upper[0] - v->lower[0], v->upper[1] - v->lower[1]);
    m->half[2] = fmax(fabs(v->upper[2]), fabs(v->lower[2] - width));
    v->heights = m->height;
    return SCREE_OK;
}

scree_status scree_mesh_create_heights(const scree_env* env, int32_t columns, int32_t rows,
                                       const double origin[2], const double spacing[2],
                                       const double* heights, scree_mesh** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no place for the mesh");
    *out = NULL;
    if (!origin || !spacing || !heights) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "heights: a NULL pointer");
    }
    if (columns < 2 || rows < 2 ||
        (int64_t)(columns - 1) * (rows - 1) > (int64_t)MOST_TRIANGLES / 2 ||
        (int64_t)columns * rows > INT32_MAX) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "heights: %d columns and %d rows; two of each at least, and no more than "
                         "%d cells",
                         (int)columns, (int)rows, (int)(MOST_TRIANGLES / 2));
    }
    scree_mesh* m = begin(env);
    if (!m) return no_memory(env);
    m->view.columns = columns;
    m->view.rows = rows;
    m->view.n_points = columns * rows;
    m->view.n_triangles = 2 * (columns - 1) * (rows - 1);
    for (int k = 0; k < 2; ++k) {
        m->view.origin[k] = origin[k];
        m->view.spacing[k] = spacing[k];
    }
    m->height = scri_alloc(env, (size_t)m->view.n_points * sizeof *m->height);
    return finish(m, m->height ? read_heights(m, heights) : no_memory(env), out);
}

void scree_mesh_destroy(scree_mesh* m)
{
    if (!m) return;
    scree_env env = m->env;
    scri_release(&env, m->point);
    scri_release(&env, m->corner);
    scri_release(&env, m->twin);
    scri_release(&env, m->order);
    scri_release(&env, m->node);
    scri_release(&env, m->height);
    scri_release(&env, m->zone);
    scri_release(&env, m);
}

void scree_mesh_fill_view(const scree_mesh* mesh, scree_mesh_view* view)
{
    if (!view) return;
    static const scree_mesh_view none;
    scri_fill(view, view->struct_size, mesh ? &mesh->view : &none, sizeof none);
}

void scree_mesh_point(const scree_mesh* mesh, int32_t point, double out[3])
{
    if (!mesh || !out || point < 0 || point >= mesh->view.n_points) return;
    scri_vec_store(scri_mesh_point(mesh, point), out);
}

void scree_mesh_triangle(const scree_mesh* mesh, int32_t triangle, int32_t out[3])
{
    if (!mesh || !out || triangle < 0 || triangle >= mesh->view.n_triangles) return;
    scri_mesh_corners(mesh, triangle, out);
}
