/* Searches in the grids of the collider.
 *
 * A ray is followed piece by piece: what it meets within a piece lies in the cells about it, and is
 * handed out with that piece alone, hence once. */
#include "collide/query.h"

#include "collide/collider.h"
#include "collide/pair.h"
#include "shapes/bounds.h"

#include <math.h>

scree_status scri_collider_place(scri_collider* c, const scri_placed* s)
{
    scree_status status = scri_collider_read(c, s);
    if (!status) scri_collider_build_grids(c, s, 0.0);
    return status;
}

/* ---- rays ------------------------------------------------------------------------------------ */

typedef struct cast {
    const scri_placed* shapes;
    const scri_grid* grid;
    const scri_ray* ray;
    uint32_t categories;
    double square;     /* of the ray's length */
    double begin, end; /* the piece at hand: shares */
    double limit;      /* the ray is cut here */
    scri_ray_visit* visit;
    void* user;
    int stopped;
} cast;

/* A shape that the ray may meet; only what lies in the piece at hand counts. */
static int look_at_shape(cast* c, int32_t shape)
{
    scri_ray_hit hit = {.shape = shape};
    if (!(c->shapes->category[shape] & c->categories)) return 0;
    if (!scri_ray_meets(c->shapes, shape, c->ray, &hit.share, &hit.normal)) return 0;
    if (!(hit.share >= c->begin && hit.share < c->end && hit.share <= c->limit)) return 0;
    c->limit = c->visit(c->user, &hit, c->limit);
    c->stopped = c->limit < 0.0;
    return c->stopped;
}

/* Whether the ray comes within reach of a ball at all. */
static int look_at_ball(void* user, int32_t i)
{
    cast* c = user;
    const scri_ball* b = c->grid->balls + i;
    scri_vec from = scri_vec_sub((scri_vec){b->x, b->y, b->z}, c->ray->origin);
    double at = scri_vec_dot(from, c->ray->way) / c->square;
    scri_vec off = scri_vec_add_scaled(from, -fmin(fmax(at, 0.0), 1.0), c->ray->way);
    /* the difference of large coordinates may be off by some of their digits */
    double slack = 1e-14 * (fabs(b->x) + fabs(b->y) + fabs(b->z) + sqrt(c->square));
    double reach = b->reach + slack;
    if (!(scri_vec_dot(off, off) <= reach * reach)) return 0;
    return look_at_shape(c, c->grid->tags[i].shape);
}

/* The part of the ray, from `begin` to `end`, that comes near the shapes of a grid. */
static int clip(const scri_grid* grid, const scri_ray* ray, double* begin, double* end)
{
    const double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const double d[3] = {ray->way.x, ray->way.y, ray->way.z};
    *begin = 0.0;
    *end = 1.0;
    for (int k = 0; k < 3; ++k) {
        double room = scri_grid_room(grid, fmax(fabs(grid->lower[k]), fabs(grid->upper[k])));
        double near = grid->lower[k] - room - o[k], far = grid->upper[k] + room - o[k];
        if (d[k] == 0.0) {
            if (near > 0.0 || far < 0.0) return 0;
            continue;
        }
        *begin = fmax(*begin, (d[k] > 0.0 ? near : far) / d[k]);
        *end = fmin(*end, (d[k] > 0.0 ? far : near) / d[k]);
    }
    return *begin <= *end;
}

static void follow_piece(cast* c, double begin, double end)
{
    double lower[3], upper[3];
    const double o[3] = {c->ray->origin.x, c->ray->origin.y, c->ray->origin.z};
    const double d[3] = {c->ray->way.x, c->ray->way.y, c->ray->way.z};
    for (int k = 0; k < 3; ++k) {
        double a = o[k] + begin * d[k], b = o[k] + end * d[k];
        lower[k] = fmin(a, b);
        upper[k] = fmax(a, b);
    }
    scri_grid_search(c->grid, lower, upper, look_at_ball, c);
}

static void follow(cast* c)
{
    enum { TESTS = 144 }; /* shapes that can be looked at in the time of one piece */
    double begin, end;
    if (!clip(c->grid, c->ray, &begin, &end)) return;
    double pieces = ceil((end - begin) * sqrt(c->square) * c->grid->per_metre);
    c->begin = -SCREE_INFINITY;
    c->end = SCREE_INFINITY;
    if (!(pieces * TESTS < (double)c->grid->n)) {
        for (int32_t i = 0; i < c->grid->n && !c->stopped; ++i) look_at_ball(c, i);
        return;
    }
    int n = pieces < 1.0 ? 1 : (int)pieces;
    double step = (end - begin) / n;
    for (int k = 0; k < n && !c->stopped; ++k) {
        double from = begin + k * step, to = begin + (k + 1) * step;
        if (from > c->limit) return;
        c->begin = k > 0 ? from : -SCREE_INFINITY;
        c->end = k + 1 < n ? to : SCREE_INFINITY;
        follow_piece(c, from, to);
    }
}

void scri_collider_cast(const scri_collider* collider, const scri_placed* shapes,
                        const scri_ray* ray, uint32_t categories, scri_ray_visit* visit, void* user)
{
    cast c = {.shapes = shapes,
              .ray = ray,
              .categories = categories,
              .square = scri_vec_dot(ray->way, ray->way),
              .begin = -SCREE_INFINITY,
              .end = SCREE_INFINITY,
              .limit = 1.0,
              .visit = visit,
              .user = user};
    const int32_t* planes = collider->planes.data;
    for (int32_t k = 0; k < collider->n_planes && !c.stopped; ++k) look_at_shape(&c, planes[k]);
    for (int g = 0; g < collider->n_grids && !c.stopped; ++g) {
        c.grid = collider->grids + g;
        follow(&c);
    }
}

/* ---- boxes ----------------------------------------------------------------------------------- */

typedef struct search {
    const scri_placed* shapes;
    const scri_grid* grid;
    const double *lower, *upper;
    scri_found* visit;
    void* user;
    int stopped;
} search;

static int look_at_bounds(void* user, int32_t i)
{
    search* s = user;
    const scri_placed* p = s->shapes;
    size_t shape = (size_t)s->grid->tags[i].shape;
    double lower[3], upper[3];
    scri_shape_bounds(p->kind[shape], p->size + 3 * shape, p->position + 3 * shape,
                      p->rotation + 4 * shape, lower, upper);
    double around = scri_placed_rounding(p, s->grid->tags[i].shape);
    for (int k = 0; k < 3; ++k) {
        if (!(lower[k] - around <= s->upper[k] && upper[k] + around >= s->lower[k])) return 0;
    }
    s->stopped = s->visit(s->user, (int32_t)shape);
    return s->stopped;
}

/* Whether the corner of the box that lies deepest is in a half-space. */
static int reaches_in(const scri_placed* shapes, int32_t plane, const double lower[3],
                      const double upper[3])
{
    scri_solid solid = scri_solid_load(shapes, plane);
    scri_vec n = scri_mat_column(solid.axes, 2);
    scri_vec corner = {n.x > 0.0 ? lower[0] : upper[0], n.y > 0.0 ? lower[1] : upper[1],
                       n.z > 0.0 ? lower[2] : upper[2]};
    return scri_vec_dot(n, scri_vec_sub(corner, solid.centre)) <= 0.0;
}

void scri_collider_search(const scri_collider* collider, const scri_placed* shapes,
                          const double lower[3], const double upper[3], scri_found* visit,
                          void* user)
{
    search s = {shapes, NULL, lower, upper, visit, user, 0};
    const int32_t* planes = collider->planes.data;
    for (int32_t k = 0; k < collider->n_planes && !s.stopped; ++k) {
        if (reaches_in(shapes, planes[k], lower, upper)) s.stopped = visit(user, planes[k]);
    }
    for (int g = 0; g < collider->n_grids && !s.stopped; ++g) {
        s.grid = collider->grids + g;
        scri_grid_search(s.grid, lower, upper, look_at_bounds, &s);
    }
}
