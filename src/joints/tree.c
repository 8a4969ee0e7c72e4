#include "joints/tree.h"

#include "joints/six_kernel.h"

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

/* ---- factors --------------------------------------------------------------------------------- */

/* D of a link into `lower`, and A S into `push`. */
static void write_freedoms(scri_link* link)
{
    int held = link->n_held, n = 6 - held;
    for (int j = 0; j < n; ++j) {
        scri_six_multiply(link->articulated, scri_link_free(link, j), link->push + 6 * j);
        for (int i = j; i < n; ++i) {
            const double* column = scri_link_free(link, i);
            double sum = scri_six_dot(column, link->push + 6 * j);
            for (int s = 0; s < link->n_rows && link->n_soft > 0; ++s) {
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
            scri_six_add(link->push + 6 * (size_t)i, -share, link->push + 6 * (size_t)j);
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
        for (size_t i = 0; i < 6; ++i) {
            scri_six_add(felt + 6 * i, -push[i] * link->lower[7 * j], push);
        }
    }
    scri_carry_inertia(link->arm, felt);
    for (int i = 0; i < 36; ++i) parent->articulated[i] += felt[i];
}

void scri_tree_factor(scri_tree* t, int32_t first, int32_t end)
{
    for (int32_t k = first; k < end; ++k) {
        scri_link* link = &t->link[k];
        memcpy(link->articulated, link->own, sizeof link->own);
        link->n_soft = 0;
        for (int s = 0; s < link->n_rows; ++s) link->n_soft += link->firm[s] != 0.0;
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
        scri_six_add(load, -along[j] * link->lower[7 * j], link->push + 6 * (size_t)j);
    }
    scri_carry_load(link->arm, load);
    scri_six_add(t->load + 6 * (size_t)link->parent, 1.0, load);
}

/* The motion that is asked of a link against its parent, H b. */
static void write_asked(const scri_link* link, const double* x, double* out)
{
    const double* column = link->basis;
    memset(out, 0, 6 * sizeof *out);
    for (int s = 0; s < link->n_rows; ++s) {
        if (!link->is_rigid[s]) continue;
        scri_six_add(out, x[link->row + s], column);
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

/* One link on the way to the root, with the rates x of its rows. Leaves what is asked of it in
 * `motion`. */
static void gather(scri_tree* t, int32_t k, const double* x)
{
    const scri_link* link = &t->link[k];
    double *along = t->along + 6 * (size_t)k, *asked = t->motion + 6 * (size_t)k, load[6];
    int n = 6 - link->n_held;
    write_asked(link, x, asked);
    scri_six_multiply(link->articulated, asked, load);
    scri_six_add(load, 1.0, t->load + 6 * (size_t)k);
    for (int j = 0; j < n; ++j) along[j] = scri_six_dot(scri_link_free(link, j), load);
    for (int s = 0; s < link->n_rows && link->n_soft > 0; ++s) {
        if (link->firm[s] == 0.0) continue;
        double carried = soft_load(link, s, x);
        for (int j = 0; j < n; ++j) along[j] += link->soft[6 * s + link->n_held + j] * carried;
    }
    resolve(link, along);
    hand_load(t, k, load);
}

/* ---- and back -------------------------------------------------------------------------------- */

/* Adds to the motion of a link what its parent's and its freedoms are; u to `rate`. */
static void follow(scri_tree* t, int32_t k, double* rate)
{
    const scri_link* link = &t->link[k];
    const double* along = t->along + 6 * (size_t)k;
    double *v = t->motion + 6 * (size_t)k, carried[6] = {0.0};
    int n = 6 - link->n_held;
    if (link->parent >= 0) {
        memcpy(carried, t->motion + 6 * (size_t)link->parent, sizeof carried);
        scri_carry_motion(link->arm, carried);
    }
    for (int j = 0; j < n; ++j) {
        rate[j] =
            -link->lower[7 * j] * (scri_six_dot(link->push + 6 * (size_t)j, carried) + along[j]);
    }
    for (int j = n; j-- > 0;) {
        for (int i = j + 1; i < n; ++i) rate[j] -= link->lower[6 * i + j] * rate[i];
    }
    scri_six_add(v, 1.0, carried);
    for (int j = 0; j < n; ++j) scri_six_add(v, rate[j], scri_link_free(link, j));
}

static void follow_all(scri_tree* t, int32_t first, int32_t end)
{
    double rate[6];
    for (int32_t k = first; k < end; ++k) follow(t, k, rate);
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
        double sum = scri_six_dot(link->basis + 6 * (size_t)held, load);
        for (int s = 0; s < link->n_rows && link->n_soft > 0; ++s) {
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
    double rate[6], load[6];
    follow(t, k, rate);
    scri_six_multiply(link->articulated, t->motion + 6 * (size_t)k, load);
    scri_six_add(load, 1.0, t->load + 6 * (size_t)k);
    write_carried(link, rate, load, x);
}

static void gather_all(scri_tree* t, int32_t first, int32_t end, const double* b)
{
    if (first == end) return;
    memset(t->load + 6 * (size_t)first, 0, 6 * (size_t)(end - first) * sizeof *t->load);
    for (int32_t k = end; k-- > first;) gather(t, k, b);
}

void scri_tree_solve(scri_tree* t, int32_t first, int32_t end, double* x)
{
    gather_all(t, first, end, x);
    for (int32_t k = first; k < end; ++k) spread(t, k, x);
}

void scri_tree_follow(scri_tree* t, int32_t first, int32_t end, const double* b)
{
    gather_all(t, first, end, b);
    follow_all(t, first, end);
}

void scri_tree_respond(scri_tree* t, int32_t first, int32_t end, const int32_t at[2],
                       const double* load)
{
    size_t bytes = 6 * (size_t)(end - first) * sizeof *t->load;
    int32_t last = at[0] > at[1] ? at[0] : at[1];
    memset(t->load + 6 * (size_t)first, 0, bytes);
    memset(t->along + 6 * (size_t)first, 0, bytes);
    memset(t->motion + 6 * (size_t)first, 0, bytes);
    for (size_t side = 0; side < 2; ++side) {
        if (at[side] >= 0) scri_six_add(t->load + 6 * (size_t)at[side], -1.0, load + 6 * side);
    }
    for (int32_t k = last + 1; k-- > first;) {
        const scri_link* link = &t->link[k];
        double *along = t->along + 6 * (size_t)k, sum[6];
        memcpy(sum, t->load + 6 * (size_t)k, sizeof sum);
        for (int j = 0; j < 6 - link->n_held; ++j) {
            along[j] = scri_six_dot(scri_link_free(link, j), sum);
        }
        resolve(link, along);
        hand_load(t, k, sum);
    }
    follow_all(t, first, end);
}

void scri_tree_accelerate(scri_tree* t, double* effort)
{
    for (int32_t k = t->n; k-- > 0;) {
        const scri_link* link = &t->link[k];
        double *along = t->along + 6 * (size_t)k, load[6];
        scri_six_multiply(link->articulated, t->motion + 6 * (size_t)k, load);
        scri_six_add(load, 1.0, t->load + 6 * (size_t)k);
        for (int j = 0; j < 6 - link->n_held; ++j) {
            const double* free = scri_link_free(link, j);
            along[j] = scri_six_dot(free, load) - effort[6 * k + j];
        }
        resolve(link, along);
        hand_load(t, k, load);
    }
    for (int32_t k = 0; k < t->n; ++k) follow(t, k, effort + 6 * (size_t)k);
}
