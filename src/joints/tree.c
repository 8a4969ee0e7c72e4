#include "joints/tree.h"

#include <string.h>

#define EPSILON 2.220446049250313e-16

scree_status scri_tree_create(scri_arena* arena, int32_t n, scri_tree* out)
{
    size_t count = (size_t)n;
    *out = (scri_tree){.n = n};
    out->link = scri_arena_take(arena, count, sizeof *out->link);
    out->load = scri_arena_take(arena, 6 * count, sizeof *out->load);
    out->along = scri_arena_take(arena, 6 * count, sizeof *out->along);
    out->motion = scri_arena_take(arena, 6 * count, sizeof *out->motion);
    return out->link && out->load && out->along && out->motion ? SCREE_OK : SCREE_ERROR_MEMORY;
}

void scri_link_set_mass(scri_link* link, double mass, const double inertia[6])
{
    static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    memset(link->own, 0, sizeof link->own);
    for (size_t i = 0; i < 3; ++i) link->own[7 * i] = mass;
    for (size_t i = 0; i < 9; ++i) link->own[6 * (3 + i / 3) + 3 + i % 3] = inertia[place[i]];
}

/* ---- six numbers ----------------------------------------------------------------------------- */

static double dot(const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}

/* a += s b */
static void add(double* a, double s, const double* b)
{
    for (int i = 0; i < 6; ++i) a[i] += s * b[i];
}

/* out = m x of a symmetric m */
static void multiply(const double* m, const double* x, double* out)
{
    memset(out, 0, 6 * sizeof *out);
    for (size_t k = 0; k < 6; ++k) add(out, x[k], m + 6 * k);
}

/* What a load at the end of `arm` is at its beginning: X^T. */
static void carry_load(const double* arm, double* f)
{
    f[3] += arm[1] * f[2] - arm[2] * f[1];
    f[4] += arm[2] * f[0] - arm[0] * f[2];
    f[5] += arm[0] * f[1] - arm[1] * f[0];
}

/* What a motion at the beginning of `arm` is at its end: X. */
static void carry_motion(const double* arm, double* v)
{
    v[0] += v[4] * arm[2] - v[5] * arm[1];
    v[1] += v[5] * arm[0] - v[3] * arm[2];
    v[2] += v[3] * arm[1] - v[4] * arm[0];
}

/* m = X^T m X */
static void carry_inertia(const double* arm, double* m)
{
    for (size_t k = 0; k < 6; ++k) carry_load(arm, m + 6 * k);
    for (size_t k = 0; k < 6; ++k) {
        double f[6];
        for (size_t i = 0; i < 6; ++i) f[i] = m[6 * i + k];
        carry_load(arm, f);
        for (size_t i = 3; i < 6; ++i) m[6 * i + k] = f[i];
    }
}

/* ---- factors --------------------------------------------------------------------------------- */

/* D of a link into `lower`, and A S into `push`. */
static void write_freedoms(scri_link* link)
{
    int held = link->n_held, n = 6 - held;
    for (int j = 0; j < n; ++j) {
        multiply(link->articulated, link->basis + 6 * (size_t)(held + j), link->push + 6 * j);
        for (int i = j; i < n; ++i) {
            const double* column = link->basis + 6 * (size_t)(held + i);
            double sum = dot(column, link->push + 6 * j);
            for (int s = 0; s < link->n_rows; ++s) {
                if (link->firm[s] == 0.0) continue;
                const double* rate = link->soft + 6 * (size_t)s + held;
                sum += rate[i] * link->firm[s] * rate[j];
            }
            link->lower[6 * i + j] = sum;
        }
    }
}

/* D = L P L^T, and push becomes A S L^-T. What rounding has left of a pivot counts as that. */
static void factor_freedoms(scri_link* link)
{
    int n = 6 - link->n_held;
    double least[6];
    for (int j = 0; j < n; ++j) least[j] = EPSILON * link->lower[7 * j];
    for (int j = 0; j < n; ++j) {
        double* l = link->lower;
        double pivot = l[7 * j] > least[j] ? l[7 * j] : least[j];
        for (int i = j + 1; i < n; ++i) {
            double share = l[6 * i + j] / pivot;
            for (int k = j + 1; k <= i; ++k) l[6 * i + k] -= share * l[6 * k + j];
            add(link->push + 6 * (size_t)i, -share, link->push + 6 * (size_t)j);
        }
        for (int i = j + 1; i < n; ++i) l[6 * i + j] /= pivot;
        l[7 * j] = 1.0 / pivot;
    }
}

/* Adds what a link is to its parent. */
static void hand_inertia(const scri_link* link, scri_link* parent)
{
    double felt[36];
    memcpy(felt, link->articulated, sizeof felt);
    for (int j = 0; j < 6 - link->n_held; ++j) {
        const double* push = link->push + 6 * (size_t)j;
        for (size_t i = 0; i < 6; ++i) add(felt + 6 * i, -push[i] * link->lower[7 * j], push);
    }
    carry_inertia(link->arm, felt);
    for (int i = 0; i < 36; ++i) parent->articulated[i] += felt[i];
}

void scri_tree_factor(scri_tree* t, int32_t first, int32_t end)
{
    for (int32_t k = first; k < end; ++k) {
        memcpy(t->link[k].articulated, t->link[k].own, sizeof t->link[k].own);
    }
    for (int32_t k = end; k-- > first;) {
        scri_link* link = &t->link[k];
        write_freedoms(link);
        factor_freedoms(link);
        if (link->parent >= 0) hand_inertia(link, &t->link[link->parent]);
    }
}

/* ---- towards the root ------------------------------------------------------------------------ */

/* `along` of a link from what acts along its freedoms. */
static void resolve(const scri_link* link, double* along)
{
    for (int i = 1; i < 6 - link->n_held; ++i) {
        for (int j = 0; j < i; ++j) along[i] -= link->lower[6 * i + j] * along[j];
    }
}

/* Takes the load [6] of a link, without what its freedoms give way to, to its parent. */
static void hand_load(scri_tree* t, int32_t k, double* load)
{
    const scri_link* link = &t->link[k];
    const double* along = t->along + 6 * (size_t)k;
    if (link->parent < 0) return;
    for (int j = 0; j < 6 - link->n_held; ++j) {
        add(load, -along[j] * link->lower[7 * j], link->push + 6 * (size_t)j);
    }
    carry_load(link->arm, load);
    add(t->load + 6 * (size_t)link->parent, 1.0, load);
}

/* The motion that is asked of a link against its parent, H b. */
static void write_asked(const scri_link* link, const double* x, double* out)
{
    const double* column = link->basis;
    memset(out, 0, 6 * sizeof *out);
    for (int s = 0; s < link->n_rows; ++s) {
        if (!link->is_rigid[s]) continue;
        add(out, x[link->row + s], column);
        column += 6;
    }
}

/* What a row that yields would carry if the joint's freedoms stood still. */
static double soft_load(const scri_link* link, int s, const double* x)
{
    double rate = -x[link->row + s];
    int column = 0;
    for (int r = 0; r < link->n_rows; ++r) {
        if (link->is_rigid[r]) rate += link->soft[6 * s + column++] * x[link->row + r];
    }
    return link->firm[s] * rate;
}

/* One link of scri_tree_solve() on the way to the root. */
static void gather(scri_tree* t, int32_t k, const double* x)
{
    const scri_link* link = &t->link[k];
    double *along = t->along + 6 * (size_t)k, asked[6], load[6];
    int n = 6 - link->n_held;
    write_asked(link, x, asked);
    multiply(link->articulated, asked, load);
    add(load, 1.0, t->load + 6 * (size_t)k);
    for (int j = 0; j < n; ++j) along[j] = dot(link->basis + 6 * (size_t)(link->n_held + j), load);
    for (int s = 0; s < link->n_rows; ++s) {
        if (link->firm[s] == 0.0) continue;
        double carried = soft_load(link, s, x);
        for (int j = 0; j < n; ++j) along[j] += link->soft[6 * s + link->n_held + j] * carried;
    }
    resolve(link, along);
    hand_load(t, k, load);
}

/* ---- and back -------------------------------------------------------------------------------- */

/* The motion of a link from that of its parent, without what is asked; u to `rate`. */
static void follow(scri_tree* t, int32_t k, double* rate)
{
    const scri_link* link = &t->link[k];
    const double* along = t->along + 6 * (size_t)k;
    double* v = t->motion + 6 * (size_t)k;
    int n = 6 - link->n_held;
    memset(v, 0, 6 * sizeof *v);
    if (link->parent >= 0) {
        memcpy(v, t->motion + 6 * (size_t)link->parent, 6 * sizeof *v);
        carry_motion(link->arm, v);
    }
    for (int j = 0; j < n; ++j) {
        rate[j] = -link->lower[7 * j] * (dot(link->push + 6 * (size_t)j, v) + along[j]);
    }
    for (int j = n; j-- > 0;) {
        for (int i = j + 1; i < n; ++i) rate[j] -= link->lower[6 * i + j] * rate[i];
    }
    for (int j = 0; j < n; ++j) add(v, rate[j], link->basis + 6 * (size_t)(link->n_held + j));
}

/* What the rows of a link carry, from its freedoms' rates and the load on it: those that yield by
 * how far they are off, rigid ones what is left. */
static void write_carried(const scri_link* link, const double* rate, const double* load, double* x)
{
    double yielding[SCRI_LINK_ROWS];
    for (int s = 0; s < link->n_rows; ++s) {
        yielding[s] = link->is_rigid[s] ? 0.0 : -soft_load(link, s, x);
        for (int j = 0; j < 6 - link->n_held && link->firm[s] != 0.0; ++j) {
            yielding[s] -= link->firm[s] * link->soft[6 * s + link->n_held + j] * rate[j];
        }
    }
    for (int r = 0, held = 0; r < link->n_rows; ++r) {
        x[link->row + r] = yielding[r];
        if (!link->is_rigid[r]) continue;
        double sum = dot(link->basis + 6 * (size_t)held, load);
        for (int s = 0; s < link->n_rows; ++s) {
            if (link->firm[s] != 0.0) sum -= link->soft[6 * s + held] * yielding[s];
        }
        x[link->row + r] = sum;
        ++held;
    }
}

/* One link of scri_tree_solve() on the way back: its motion, and with that the load on it. */
static void spread(scri_tree* t, int32_t k, double* x)
{
    const scri_link* link = &t->link[k];
    double asked[6], rate[6], load[6], *v = t->motion + 6 * (size_t)k;
    write_asked(link, x, asked);
    follow(t, k, rate);
    add(v, 1.0, asked);
    multiply(link->articulated, v, load);
    add(load, 1.0, t->load + 6 * (size_t)k);
    write_carried(link, rate, load, x);
}

void scri_tree_solve(scri_tree* t, int32_t first, int32_t end, double* x)
{
    if (first == end) return;
    memset(t->load + 6 * (size_t)first, 0, 6 * (size_t)(end - first) * sizeof *t->load);
    for (int32_t k = end; k-- > first;) gather(t, k, x);
    for (int32_t k = first; k < end; ++k) spread(t, k, x);
}

void scri_tree_respond(scri_tree* t, int32_t first, int32_t end, const int32_t at[2],
                       const double* load)
{
    size_t bytes = 6 * (size_t)(end - first) * sizeof *t->load;
    int32_t last = at[0] > at[1] ? at[0] : at[1];
    memset(t->load + 6 * (size_t)first, 0, bytes);
    memset(t->along + 6 * (size_t)first, 0, bytes);
    for (size_t side = 0; side < 2; ++side) {
        if (at[side] >= 0) add(t->load + 6 * (size_t)at[side], -1.0, load + 6 * side);
    }
    for (int32_t k = last + 1; k-- > first;) {
        const scri_link* link = &t->link[k];
        double *along = t->along + 6 * (size_t)k, sum[6];
        memcpy(sum, t->load + 6 * (size_t)k, sizeof sum);
        for (int j = 0; j < 6 - link->n_held; ++j) {
            along[j] = dot(link->basis + 6 * (size_t)(link->n_held + j), sum);
        }
        resolve(link, along);
        hand_load(t, k, sum);
    }
    for (int32_t k = first; k < end; ++k) {
        double rate[6];
        follow(t, k, rate);
    }
}
