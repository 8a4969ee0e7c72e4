/* Contact problems whose friction sets are polygons, given by their corners (Stewart and Trinkle;
 * Anitescu and Potra). The matrix is copositive whenever G is positive semidefinite, so that
 * Lemke's method finds a solution even where G is singular. */
#include "math/csc_build.h"
#include "study/polyhedral.h"

#include <math.h>

/* Directions +e_j and -e_j by rising angle: insertion, for there are few. */
static void sort_angles(int32_t n, double* angle)
{
    for (int32_t i = 1; i < n; ++i) {
        double x = angle[i];
        int32_t at = i;
        for (; at > 0 && angle[at - 1] > x; --at) angle[at] = angle[at - 1];
        angle[at] = x;
    }
}

/* All sides touch the unit circle, so every line is a side, and neighbours meet half way between
 * them, at a distance of 1 / cos(half the angle between them). */
void scri_polygon_around(int32_t k, const double* e, double* corner, double* work)
{
    int32_t n = 2 * k;
    for (int32_t j = 0; j < k; ++j) {
        work[j] = atan2(e[2 * j + 1], e[2 * j]);
        work[k + j] = work[j] > 0.0 ? work[j] - SCREE_PI : work[j] + SCREE_PI;
    }
    sort_angles(n, work);
    for (int32_t i = 0; i < n; ++i) {
        double next = i + 1 < n ? work[i + 1] : work[0] + 2.0 * SCREE_PI;
        double middle = 0.5 * (work[i] + next), radius = 1.0 / cos(0.5 * (next - work[i]));
        corner[2 * i] = radius * cos(middle);
        corner[2 * i + 1] = radius * sin(middle);
    }
}

void scri_polygon_regular(int32_t k, int dim, scree_polygon polygon, double* corner)
{
    if (dim == 1) {
        corner[0] = 1.0;
        corner[2] = -1.0;
        corner[1] = corner[3] = 0.0;
        return;
    }
    int around = polygon == SCREE_POLYGON_CIRCUMSCRIBED;
    double radius = around ? 1.0 / cos(0.5 * SCREE_PI / k) : 1.0;
    for (int32_t i = 0; i < 2 * k; ++i) {
        double angle = (i + (around ? 0.5 : 0.0)) * SCREE_PI / k;
        corner[2 * i] = radius * cos(angle);
        corner[2 * i + 1] = radius * sin(angle);
    }
}

static int is_rough(const scri_corner_contact* c)
{
    return c->dim > 0 && c->mu > 0.0;
}

int32_t scri_corner_unknowns(int32_t n, const scri_corner_contact* contact)
{
    int32_t m = n;
    for (int32_t c = 0; c < n; ++c) {
        if (is_rough(&contact[c])) m += contact[c].n_corners + 1;
    }
    return m;
}

/* What an unknown adds to p: weight[0] at `row`, weight[1] below it. */
typedef struct unknown {
    int32_t row;
    int dim;
    double weight[2];
} unknown;

static unknown normal_of(const scri_corner_contact* c)
{
    return (unknown){c->normal, 1, {1.0, 0.0}};
}

static unknown corner_of(const scri_corner_contact* c, int32_t i)
{
    return (unknown){c->tangent, c->dim, {c->corner[2 * i], c->corner[2 * i + 1]}};
}

/* Steps through the normals, then the corners, contact by contact; see next_unknown(). */
typedef struct walk {
    int32_t n;
    const scri_corner_contact* contact;
    int32_t c, i; /* corner i of contact c; i < 0: its normal */
} walk;

static walk begin_walk(int32_t n, const scri_corner_contact* contact)
{
    return (walk){n, contact, 0, -1};
}

/* The unknown at hand; moves on to the next. Call it as often as there are unknowns. */
static unknown next_unknown(walk* w)
{
    if (w->i < 0) {
        unknown u = normal_of(&w->contact[w->c]);
        if (++w->c < w->n) return u;
        for (w->c = 0; w->c < w->n && !is_rough(&w->contact[w->c]);) ++w->c;
        w->i = 0;
        return u;
    }
    unknown u = corner_of(&w->contact[w->c], w->i);
    if (++w->i < w->contact[w->c].n_corners) return u;
    for (++w->c; w->c < w->n && !is_rough(&w->contact[w->c]);) ++w->c;
    w->i = 0;
    return u;
}

static double couple(int32_t rows, const double* g, unknown x, unknown y)
{
    double sum = 0.0;
    for (int i = 0; i < x.dim; ++i) {
        const double* row = g + ((size_t)x.row + (size_t)i) * (size_t)rows;
        for (int j = 0; j < y.dim; ++j) sum += x.weight[i] * row[y.row + j] * y.weight[j];
    }
    return sum;
}

/* Bounds: sum of a contact's multipliers <= mu p_N, complementary to the speed of sliding. */
static void add_bounds(int32_t n, const scri_corner_contact* contact, int32_t m, int32_t bound,
                       double* a)
{
    int32_t corner = n;
    for (int32_t c = 0; c < n; ++c) {
        if (!is_rough(&contact[c])) continue;
        a[(size_t)bound * (size_t)m + (size_t)c] = contact[c].mu;
        for (int32_t i = 0; i < contact[c].n_corners; ++i, ++corner) {
            a[(size_t)corner * (size_t)m + (size_t)bound] = 1.0;
            a[(size_t)bound * (size_t)m + (size_t)corner] = -1.0;
        }
        ++bound;
    }
}

void scri_corner_assemble(int32_t n, const scri_corner_contact* contact, int32_t rows,
                          const double* g, const double* b, double* a, double* rhs)
{
    int32_t m = scri_corner_unknowns(n, contact), moving = n;
    for (int32_t c = 0; c < n; ++c) moving += is_rough(&contact[c]) ? contact[c].n_corners : 0;
    for (size_t i = 0; i < (size_t)m * (size_t)m; ++i) a[i] = 0.0;
    for (int32_t i = 0; i < m; ++i) rhs[i] = 0.0;
    walk down = begin_walk(n, contact);
    for (int32_t i = 0; i < moving; ++i) {
        unknown x = next_unknown(&down);
        walk along = begin_walk(n, contact);
        for (int32_t j = 0; j < moving; ++j) {
            a[(size_t)i * (size_t)m + (size_t)j] = couple(rows, g, x, next_unknown(&along));
        }
        for (int k = 0; k < x.dim; ++k) rhs[i] += x.weight[k] * b[x.row + k];
    }
    add_bounds(n, contact, m, moving, a);
}

/* ---- the same, sparse ---- */

/* Where the unknowns of a contact stand. */
typedef struct place {
    int32_t corner, bound; /* the first of its corners, and its bound; -1 where it has none */
} place;

static void find_places(int32_t n, const scri_corner_contact* contact, place* out)
{
    int32_t corner = n, rough = 0;
    for (int32_t c = 0; c < n; ++c) {
        int has = is_rough(&contact[c]);
        out[c] = (place){has ? corner : -1, has ? rough : -1};
        corner += has ? contact[c].n_corners : 0;
        rough += has;
    }
    for (int32_t c = 0; c < n; ++c) out[c].bound += out[c].bound >= 0 ? corner : 0;
}

/* Unknown i of a contact: its normal, then its corners. */
static unknown unknown_of(const scri_corner_contact* c, int32_t i)
{
    return i == 0 ? normal_of(c) : corner_of(c, i - 1);
}

static int32_t number_of(const place* at, int32_t contact, int32_t i)
{
    return i == 0 ? contact : at[contact].corner + i - 1;
}

static void put(scri_triplets* t, int32_t row, int32_t column, double value)
{
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
}

/* The block of W between contacts c and d, seen by their unknowns. */
static void put_block(scri_triplets* t, const scri_corner_contact* contact, const place* at,
                      const int32_t pair[2], const double* block)
{
    const scri_corner_contact *c = &contact[pair[0]], *d = &contact[pair[1]];
    int32_t width = d->dim + 1;
    for (int32_t i = 0; i < (at[pair[0]].corner >= 0 ? 1 + c->n_corners : 1); ++i) {
        unknown x = unknown_of(c, i);
        for (int32_t k = 0; k < (at[pair[1]].corner >= 0 ? 1 + d->n_corners : 1); ++k) {
            unknown y = unknown_of(d, k);
            double sum = 0.0;
            for (int e = 0; e < x.dim * y.dim; ++e) {
                int32_t row = x.row - c->normal + e / y.dim, column = y.row - d->normal + e % y.dim;
                sum += x.weight[e / y.dim] * block[row * width + column] * y.weight[e % y.dim];
            }
            if (sum != 0.0) put(t, number_of(at, pair[0], i), number_of(at, pair[1], k), sum);
        }
    }
}

static void put_bounds(scri_triplets* t, int32_t n, const scri_corner_contact* contact,
                       const place* at)
{
    for (int32_t c = 0; c < n; ++c) {
        if (at[c].corner < 0) continue;
        put(t, at[c].bound, c, contact[c].mu);
        for (int32_t i = 0; i < contact[c].n_corners; ++i) {
            put(t, at[c].corner + i, at[c].bound, 1.0);
            put(t, at[c].bound, at[c].corner + i, -1.0);
        }
    }
}

static int64_t count_entries(const scree_problem* p, const scri_corner_contact* contact)
{
    int64_t count = 0;
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        int64_t each = 1 + contact[c].n_corners;
        for (int32_t k = p->w.start[c]; k < p->w.start[c + 1]; ++k) {
            count += each * (1 + contact[p->w.column[k]].n_corners);
        }
        count += 2 * each + 3; /* its bound, and the compliance of its rows */
        count += each * each;
    }
    return count;
}

/* Compliance on the rows of a contact, as a block of its own. */
static void put_compliance(scri_triplets* t, const scri_corner_contact* contact, const place* at,
                           int32_t c, const double* compliance)
{
    double block[9] = {0.0};
    int32_t width = contact[c].dim + 1;
    for (int32_t i = 0; i < width; ++i) {
        block[i * (width + 1)] = compliance[contact[c].normal + i];
    }
    put_block(t, contact, at, (int32_t[]){c, c}, block);
}

scree_status scri_corner_assemble_sparse(scri_arena* arena, const scree_problem* p,
                                         const scri_corner_contact* contact, scree_sparse_lcp* out)
{
    int32_t n = p->n_contacts, m = scri_corner_unknowns(n, contact);
    size_t most = (size_t)count_entries(p, contact);
    scri_triplets t = {.n_rows = m,
                       .n_columns = m,
                       .row = scri_arena_take_raw(arena, most, sizeof(int32_t)),
                       .column = scri_arena_take_raw(arena, most, sizeof(int32_t)),
                       .value = scri_arena_take_raw(arena, most, sizeof(double))};
    place* at = scri_arena_take(arena, (size_t)n, sizeof *at);
    double* b = scri_arena_take(arena, (size_t)m, sizeof *b);
    if (!t.row || !t.column || !t.value || !at || !b) return SCREE_ERROR_MEMORY;
    find_places(n, contact, at);
    for (int32_t c = 0; c < n; ++c) {
        for (int32_t k = p->w.start[c]; k < p->w.start[c + 1]; ++k) {
            put_block(&t, contact, at, (int32_t[]){c, p->w.column[k]}, p->w.value + p->w.offset[k]);
        }
        if (p->compliance) put_compliance(&t, contact, at, c, p->compliance);
        for (int32_t i = 0; i < (at[c].corner >= 0 ? 1 + contact[c].n_corners : 1); ++i) {
            unknown x = unknown_of(&contact[c], i);
            for (int e = 0; e < x.dim; ++e) b[number_of(at, c, i)] += x.weight[e] * p->q[x.row + e];
        }
    }
    put_bounds(&t, n, contact, at);
    out->n = m;
    out->b = b;
    return scri_csc_from_triplets(arena, &t, &out->a);
}

void scri_corner_read(int32_t n, const scri_corner_contact* contact, const double* z, double* p)
{
    int32_t at = n;
    for (int32_t c = 0; c < n; ++c) {
        p[contact[c].normal] = z[c];
        for (int i = 0; i < contact[c].dim; ++i) p[contact[c].tangent + i] = 0.0;
        if (!is_rough(&contact[c])) continue;
        for (int32_t k = 0; k < contact[c].n_corners; ++k, ++at) {
            for (int i = 0; i < contact[c].dim; ++i) {
                p[contact[c].tangent + i] += z[at] * contact[c].corner[2 * k + i];
            }
        }
    }
}
