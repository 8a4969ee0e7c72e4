#include "shapes/split.h"

static double determinant(scri_vec a, scri_vec b, scri_vec c)
{
    return scri_vec_dot(a, scri_vec_cross(b, c));
}

double scri_chain_volume(const scri_chain* chain)
{
    double six = 0.0;
    for (int32_t i = 0; i < chain->n; ++i) {
        const scri_vec* p = chain->triangle[i].at;
        six += determinant(p[0], p[1], p[2]);
    }
    return six / 6.0;
}

/* Of a tetrahedron with a corner at the origin: V/4 s and V/20 (s s^T + sum p p^T), s = sum p. */
void scri_chain_moments(const scri_chain* chain, scri_moments* out)
{
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    for (int32_t i = 0; i < chain->n; ++i) {
        const scri_vec* p = chain->triangle[i].at;
        double volume = determinant(p[0], p[1], p[2]) / 6.0, x[4][3];
        for (int k = 0; k < 3; ++k) scri_vec_store(p[k], x[k]);
        scri_vec_store(scri_vec_add(scri_vec_add(p[0], p[1]), p[2]), x[3]);
        out->volume += volume;
        for (int k = 0; k < 3; ++k) out->first[k] += 0.25 * volume * x[3][k];
        for (int e = 0; e < 6; ++e) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) sum += x[k][row[e]] * x[k][column[e]];
            out->second[e] += volume / 20.0 * sum;
        }
    }
}

double scri_chain_winding(const scri_chain* chain, scri_vec x)
{
    double angle = 0.0;
    for (int32_t i = 0; i < chain->n; ++i) { /* solid angles by van Oosterom and Strackee */
        scri_vec p[3];
        double length[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = scri_vec_sub(chain->triangle[i].at[k], x);
            length[k] = scri_vec_length(p[k]);
        }
        double over = length[0] * length[1] * length[2] + scri_vec_dot(p[0], p[1]) * length[2] +
                      scri_vec_dot(p[1], p[2]) * length[0] + scri_vec_dot(p[2], p[0]) * length[1];
        angle += 2.0 * atan2(determinant(p[0], p[1], p[2]), over);
    }
    return angle / (4.0 * SCREE_PI);
}

/* ---- cuts ---- */

typedef struct clipping {
    const scri_cut* cut;
    double same;
    scri_vec* rim; /* [2 n_rim] segments along the plane, in the direction of the chain */
    int32_t n_rim;
    scri_chain* out;
} clipping;

/* Above the plane, 0 when on it. */
static double side_of(const clipping* c, scri_vec x)
{
    double above = scri_vec_dot(c->cut->normal, x) - c->cut->offset;
    return fabs(above) <= c->same ? 0.0 : above;
}

static void put(clipping* c, scri_vec a, scri_vec b, scri_vec d, int is_cap)
{
    c->out->triangle[c->out->n++] = (scri_triangle){{a, b, d}, is_cap};
}

static void put_rim(clipping* c, scri_vec from, scri_vec to)
{
    c->rim[2 * c->n_rim] = from;
    c->rim[2 * c->n_rim++ + 1] = to;
}

/* A triangle in the plane belongs to the side that is behind it. */
static void clip_flat(clipping* c, const scri_triangle* t)
{
    scri_vec e = scri_vec_sub(t->at[1], t->at[0]), f = scri_vec_sub(t->at[2], t->at[0]);
    if (!(scri_vec_dot(scri_vec_cross(e, f), c->cut->normal) > 0.0)) return;
    put(c, t->at[0], t->at[1], t->at[2], t->is_cap);
    for (int k = 0; k < 3; ++k) put_rim(c, t->at[k], t->at[(k + 1) % 3]);
}

static void clip_triangle(clipping* c, const scri_triangle* t)
{
    double side[3], at[4];
    scri_vec kept[4];
    int n = 0, n_on = 0;
    for (int k = 0; k < 3; ++k) side[k] = side_of(c, t->at[k]);
    for (int k = 0; k < 3; ++k) n_on += side[k] == 0.0;
    if (n_on == 3) {
        clip_flat(c, t);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        if (side[k] <= 0.0) {
            at[n] = side[k];
            kept[n++] = t->at[k];
        }
        if (!(side[k] * side[next] < 0.0)) continue;
        double share = side[k] / (side[k] - side[next]);
        scri_vec e = scri_vec_sub(t->at[next], t->at[k]);
        at[n] = 0.0;
        kept[n++] = scri_vec_add_scaled(t->at[k], share, e);
    }
    if (n < 3) return;
    for (int k = 1; k + 1 < n; ++k) put(c, kept[0], kept[k], kept[k + 1], t->is_cap);
    for (int k = 0; k < n; ++k) {
        int next = (k + 1) % n;
        if (at[k] == 0.0 && at[next] == 0.0) put_rim(c, kept[k], kept[next]);
    }
}

void scri_chain_clip(const scri_chain* chain, const scri_cut* cut, double same, scri_vec* rim,
                     scri_chain* out)
{
    clipping c = {.cut = cut, .same = same, .rim = rim, .out = out};
    out->n = 0;
    for (int32_t i = 0; i < chain->n; ++i) clip_triangle(&c, &chain->triangle[i]);
    for (int32_t i = 1; i < c.n_rim; ++i) { /* the fan over the rim, from one of its points */
        put(&c, rim[0], rim[2 * i + 1], rim[2 * i], 1);
    }
}
