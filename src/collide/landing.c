/* Points of a convex body on a surface: which of those found are kept, and what they are called. */
#include "collide/landing.h"

#include "shapes/bounds.h"

/* Points this close, relative to the size, with normals that differ by this sine, are one. */
#define SAME 1e-7

/* What a metre of gap counts in the choice of points, in metres between them. */
#define GAP_WEIGHT 100.0

static int is_same(const scri_visit* w, const scri_landing* a, const scri_landing* b)
{
    scri_vec d = scri_vec_sub(a->point, b->point), turn = scri_vec_cross(a->normal, b->normal);
    return scri_vec_dot(d, d) <= SAME * SAME * w->size * w->size &&
           scri_vec_dot(turn, turn) <= SAME * SAME && scri_vec_dot(a->normal, b->normal) > 0.0;
}

/* How much a point adds to those that have been kept: how far it is from them, in place and in
 * direction, less what it is above the lowest. */
static double worth(const scri_visit* w, const scri_landing* x, int n_kept, double lowest)
{
    double least = SCREE_INFINITY;
    for (int i = 0; i < n_kept; ++i) {
        double apart = scri_vec_length(scri_vec_sub(x->point, w->found[i].point));
        apart += w->size * scri_vec_length(scri_vec_sub(x->normal, w->found[i].normal));
        least = fmin(least, apart);
    }
    return (n_kept > 0 ? least : 0.0) - GAP_WEIGHT * (x->gap - lowest);
}

/* Keeps those points that say most: the lowest, and one after the other what is farthest from all
 * that are kept. */
static void thin_out(scri_visit* w, int most)
{
    double lowest = SCREE_INFINITY;
    for (int i = 0; i < w->n; ++i) lowest = fmin(lowest, w->found[i].gap);
    for (int kept = 0; kept < most && kept < w->n; ++kept) {
        int best = kept;
        double best_worth = -SCREE_INFINITY;
        for (int i = kept; i < w->n; ++i) {
            double of_this = worth(w, &w->found[i], kept, lowest);
            if (!(of_this > best_worth)) continue;
            best_worth = of_this;
            best = i;
        }
        scri_landing swap = w->found[kept];
        w->found[kept] = w->found[best];
        w->found[best] = swap;
    }
    if (w->n > most) w->n = most;
}

/* Where edges end in one corner of the surface, all of them have its point: it is that of the edge
 * with the least name, and where faces have it as well theirs. */
static int comes_before(const scri_landing* a, const scri_landing* b)
{
    if ((a->face < 0) != (b->face < 0)) return b->face < 0;
    return a->place < b->place;
}

void scri_visit_add(scri_visit* w, const scri_landing* found)
{
    for (int i = 0; i < w->n; ++i) {
        if (!is_same(w, &w->found[i], found)) continue;
        if (comes_before(found, &w->found[i])) w->found[i] = *found;
        return;
    }
    if (w->n == SCRI_LANDINGS) thin_out(w, SCRI_LANDINGS / 2);
    w->found[w->n++] = *found;
}

void scri_visit_begin(scri_visit* w, scree_shape_kind kind, const scri_solid* body,
                      const scri_solid* surface, scri_solid* turned)
{
    *turned = *body;
    turned->mass_centre = turned->force = turned->torque = NULL; /* along the axes of the world */
    turned->centre = (scri_vec){0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        scri_vec axis = scri_mat_multiply_transposed(surface->axes, scri_mat_column(body->axes, k));
        turned->axes.m[k] = axis.x;
        turned->axes.m[3 + k] = axis.y;
        turned->axes.m[6 + k] = axis.z;
    }
    w->body = scri_convex_load(kind, turned, turned->centre);
    w->centre =
        scri_mat_multiply_transposed(surface->axes, scri_vec_sub(body->centre, surface->centre));
    w->size = scri_shape_radius(kind, body->size) + body->rounding;
    double centre[3], room = w->body.radius + w->margin;
    scri_vec_store(w->centre, centre);
    for (int k = 0; k < 3; ++k) {
        double up[3] = {0.0, 0.0, 0.0}, down[3] = {0.0, 0.0, 0.0}, high[3], low[3];
        up[k] = 1.0;
        down[k] = -1.0;
        scri_vec_store(scri_convex_support(&w->body, scri_vec_load(up)), high);
        scri_vec_store(scri_convex_support(&w->body, scri_vec_load(down)), low);
        double slack = room + SCRI_BESIDE * w->size;
        w->lower[k] = centre[k] + low[k] - slack;
        w->upper[k] = centre[k] + high[k] + slack;
    }
}

/* A direction fixed in the mesh along which points with the same name are told apart. */
static double along(const scri_landing* x)
{
    return scri_vec_dot((scri_vec){1.0, 0.7, 0.4}, x->point);
}

/* Orders points by their names and places: in which order triangles were visited must not say which
 * of them are kept. */
static void sort(scri_visit* w)
{
    for (int i = 1; i < w->n; ++i) {
        scri_landing moved = w->found[i];
        int k = i;
        for (; k > 0; --k) {
            const scri_landing* x = &w->found[k - 1];
            if (x->place < moved.place) break;
            if (x->place == moved.place && !(along(&moved) < along(x))) break;
            w->found[k] = *x;
        }
        w->found[k] = moved;
    }
}

/* Numbers points with the same name. */
static uint32_t twin_of(const scri_visit* w, int i)
{
    uint32_t before = 0;
    double place = along(&w->found[i]);
    for (int k = 0; k < w->n; ++k) {
        if (k == i || w->found[k].place != w->found[i].place) continue;
        double other = along(&w->found[k]);
        before += other < place || (other == place && k < i);
    }
    return before;
}

int scri_visit_end(scri_visit* w, const scri_solid* body, const scri_solid* surface,
                   scri_touch* out)
{
    sort(w);
    thin_out(w, SCRI_MAX_TOUCHES);
    for (int i = 0; i < w->n; ++i) {
        const scri_landing* x = &w->found[i];
        scri_vec at = scri_mat_multiply(surface->axes,
                                        scri_vec_add_scaled(x->point, 0.5 * x->gap, x->normal));
        scri_vec_store(scri_vec_add(body->centre, at), out[i].point);
        scri_vec_store(scri_mat_multiply(surface->axes, x->normal), out[i].normal);
        out[i].gap = x->gap;
        out[i].feature = x->place << 4 | twin_of(w, i);
        out[i].zone = scri_mesh_zone(w->mesh, x->owner, scri_vec_add(w->centre, x->point));
    }
    return w->n;
}
