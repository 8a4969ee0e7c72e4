/* The contacts of round bodies in single precision, four of one colour at once. Contacts of a pack
 * share no movable body. With SCRI_LANES 8 or 16 (see math/wide.h) it takes the contacts of two or
 * four packs at once. */
#ifndef SCRI_PACK_KERNEL_H
#define SCRI_PACK_KERNEL_H

#include "math/wide.h"

#define SCRI_REAL scri_wide
#define SCRI_REAL_LANES SCRI_LANES
#define SCRI_LANE(name) scri_wide_##name
#define SCRI_ROUND(name) scri_pack_##name
#include "solvers/round_over_real.h"
#undef SCRI_REAL
#undef SCRI_REAL_LANES
#undef SCRI_LANE
#undef SCRI_ROUND

/* A lane without contact has the last body twice. */
typedef scri_pack_contact scri_pack;

/* Half a cache line: velocity, angular velocity, inverse mass and inertia. */
typedef struct scri_pack_body {
    float line[8];
} scri_pack_body;

#if SCRI_LANES > 4

SCREE_FN scri_pack_side scri_pack_gather(const scri_pack_body* bodies, const int32_t* index)
{
    scri_wide x[8];
    const float* line[SCRI_LANES];
    for (int i = 0; i < SCRI_LANES; ++i) line[i] = bodies[index[i]].line;
    for (int i = 0; i < 8; ++i) x[i] = scri_wide_load_eights(line + i);
    scri_wide_transpose(x);
    return SCRI_OF(scri_pack_side, {x[0], x[1], x[2]}, {x[3], x[4], x[5]}, x[6], x[7]);
}

/* Workers share immovable bodies: those are not written. */
SCREE_FN void scri_pack_scatter(scri_pack_body* bodies, const int32_t* index, scri_pack_side s)
{
    scri_wide x[8] = {s.v.x, s.v.y, s.v.z, s.w.x, s.w.y, s.w.z, s.inv_mass, s.inv_inertia};
    scri_wide_transpose(x);
    for (int i = 0; i < SCRI_LANES; ++i) {
        if (s.inv_mass[i] == 0.0f) continue;
        scri_wide_store_eight(x[i % 8], i - i % 8, bodies[index[i]].line);
    }
}

#else

SCREE_FN scri_pack_side scri_pack_gather(const scri_pack_body* bodies, const int32_t* index)
{
    scri_wide low[SCRI_LANES], high[SCRI_LANES];
    for (int i = 0; i < SCRI_LANES; ++i) {
        low[i] = scri_wide_load(bodies[index[i]].line);
        high[i] = scri_wide_load(bodies[index[i]].line + 4);
    }
    scri_wide_transpose(&low[0], &low[1], &low[2], &low[3]);
    scri_wide_transpose(&high[0], &high[1], &high[2], &high[3]);
    return SCRI_OF(scri_pack_side, {low[0], low[1], low[2]}, {low[3], high[0], high[1]}, high[2],
                   high[3]);
}

/* Workers share immovable bodies: those are not written. */
SCREE_FN void scri_pack_scatter(scri_pack_body* bodies, const int32_t* index, scri_pack_side s)
{
    scri_wide low[SCRI_LANES] = {s.v.x, s.v.y, s.v.z, s.w.x};
    scri_wide high[SCRI_LANES] = {s.w.y, s.w.z, s.inv_mass, s.inv_inertia};
    scri_wide_transpose(&low[0], &low[1], &low[2], &low[3]);
    scri_wide_transpose(&high[0], &high[1], &high[2], &high[3]);
    for (int i = 0; i < SCRI_LANES; ++i) {
        if (s.inv_mass[i] == 0.0f) continue;
        scri_wide_store(low[i], bodies[index[i]].line);
        scri_wide_store(high[i], bodies[index[i]].line + 4);
    }
}

#endif

/* As scri_ellipses_slip(), with a single Newton step from the lambda of the sweep before: it goes
 * on in the next sweep, from where this one ends. */
SCREE_FN void scri_pack_slip(const scri_pack_ellipses* e, scri_wide size, scri_wide n_0,
                             scri_wide* lambda, scri_wide* x, scri_wide* y)
{
    const scri_wide *c = e->c, *d = e->d, zero = scri_wide_all(0.0f);
    scri_wide one = scri_wide_all(1.0f), l = *lambda;
    scri_wide a_x = d[2] * *x - d[1] * *y, a_y = d[0] * *y - d[1] * *x;
    scri_wide n_2 = scri_pack_square(e, a_x, a_y);
    scri_wide trace = d[0] + d[2], det = d[0] * d[2] - d[1] * d[1];
    scri_wide n_1 = (c[0] * *x + c[1] * *y) * a_x + (c[1] * *x + c[2] * *y) * a_y;
    scri_wide n = n_0 + l * (n_1 + n_1 + l * n_2), volume = one + l * (trace + l * det);
    scri_wide slope = (trace + (l + l) * det) * n - volume * (n_1 + l * n_2);
    l -= (size * volume - scri_wide_sqrt(n)) * n / (size * slope);
    l = scri_wide_select(l > zero, l, zero);
    scri_wide shrink = size / scri_wide_sqrt(n_0 + l * (n_1 + n_1 + l * n_2));
    *lambda = l;
    *x = (*x + l * a_x) * shrink;
    *y = (*y + l * a_y) * shrink;
}

/* One update of a pack, with ellipses sets[2] or, NULL, with discs, and of a SCRI_ROUND_KIND:
 * constants at each call. */
SCREE_FN void scri_pack_update(scri_pack* c, scri_pack_ellipses* sets, const int kind,
                               scri_pack_body* bodies, scri_wide* change, scri_wide* impulse)
{
    scri_pack_side a = scri_pack_gather(bodies, c->a), b = scri_pack_gather(bodies, c->b);
    scri_pack_solve(c, sets, kind, &a, &b, change, impulse);
    scri_pack_scatter(bodies, c->a, a);
    scri_pack_scatter(bodies, c->b, b);
}

/* The same with discs and any kind. */
SCREE_FN void scri_pack_update_discs(scri_pack* c, int kind, scri_pack_body* bodies,
                                     scri_wide* change, scri_wide* impulse)
{
    switch (kind) {
    case SCRI_ROUND_KIND(1, 1):
        scri_pack_update(c, NULL, SCRI_ROUND_KIND(1, 1), bodies, change, impulse);
        break;
    case SCRI_ROUND_KIND(0, 1):
        scri_pack_update(c, NULL, SCRI_ROUND_KIND(0, 1), bodies, change, impulse);
        break;
    case SCRI_ROUND_KIND(1, 0):
        scri_pack_update(c, NULL, SCRI_ROUND_KIND(1, 0), bodies, change, impulse);
        break;
    default:
        scri_pack_update(c, NULL, SCRI_ROUND_KIND(0, 0), bodies, change, impulse);
        break;
    }
}

#endif
