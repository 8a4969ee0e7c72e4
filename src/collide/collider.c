/* All touching pairs of a scene: checks the input; search.c finds and orders the pairs, points.c
 * their points. */
#include "collide/collider.h"

#include "base/groups.h"
#include "collide/pair.h"
#include "shapes/bounds.h"

scree_status scri_collider_create(const scree_env* env, scri_collider** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no place for the collider");
    *out = scri_alloc(env, sizeof **out);
    if (!*out) return scri_fail(env, SCREE_ERROR_MEMORY, "no memory for a collider");
    **out = (scri_collider){0};
    if (env) (*out)->env = *env;
    return SCREE_OK;
}

void scri_collider_destroy(scri_collider* c)
{
    if (!c) return;
    scree_env env = c->env;
    scri_buffer* const buffers[] = {&c->cores,      &c->starts,     &c->solids,
                                    &c->extents,    &c->classes,    &c->keys,
                                    &c->spare,      &c->cells,      &c->balls,
                                    &c->tags,       &c->planes,     &c->pair_regions.memory,
                                    &c->firsts,     &c->seconds,    &c->items,
                                    &c->item_work,  &c->partners,   &c->touch_regions.memory,
                                    &c->found,      &c->touches,    &c->last_touches,
                                    &c->placements, &c->last_apart, &c->still};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        scri_release(&env, buffers[i]->data);
    }
    scri_release(&env, c);
}

void scri_collider_share(scri_collider* c, scri_team* team)
{
    c->team = team;
}

scree_status scri_collider_reserve(scri_collider* c, scri_buffer* buffer, size_t count, size_t item)
{
    if (scri_buffer_reserve(&c->env, buffer, count, item, 0)) return SCREE_OK;
    return scri_fail(&c->env, SCREE_ERROR_MEMORY, "no memory to find contacts (%zu bytes)",
                     count * item);
}

static scree_status reserve_by_shape(scri_collider* c, size_t n)
{
    const struct {
        scri_buffer* buffer;
        size_t count, item;
    } need[] = {
        {&c->cores, n, sizeof(scri_core)},
        {&c->starts, n + 1, sizeof(int32_t)},
        {&c->planes, n, sizeof(int32_t)},
        {&c->solids, n, sizeof(int32_t)},
        {&c->extents, n, sizeof(double)},
        {&c->classes, n, sizeof(uint8_t)},
        {&c->keys, n, sizeof(scri_key)},
        {&c->spare, n, sizeof(scri_key)},
        {&c->cells, n + (size_t)SCRI_SPARE_KEYS * SCRI_MAX_GRIDS, sizeof(scri_key)},
        {&c->balls, n, sizeof(scri_ball)},
        {&c->tags, n, sizeof(scri_tag)},
    };
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && !status; ++i) {
        status = scri_collider_reserve(c, need[i].buffer, need[i].count, need[i].item);
    }
    return status;
}

/* ---- input ---- */

static scree_status check_shape(const scree_env* env, const scri_placed* s, int32_t i)
{
    const double *x = s->position + 3 * (size_t)i, *q = s->rotation + 4 * (size_t)i;
    const char* name = scree_shape_name((int)s->kind[i]);
    if (!name) {
        return scri_fail(env, SCREE_ERROR_INPUT, "shape %d: unknown kind %d", (int)i,
                         (int)s->kind[i]);
    }
    if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "shape %d (%s): position (%g, %g, %g) is not finite", (int)i, name, x[0],
                         x[1], x[2]);
    }
    for (int k = 0; k < scri_shape_n_sizes((int)s->kind[i]); ++k) {
        double size = s->size[3 * (size_t)i + (size_t)k];
        if (size > 0.0 && isfinite(size)) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "shape %d (%s): size[%d] = %g must be positive and finite", (int)i, name,
                         k, size);
    }
    if (s->kind[i] == SCREE_SHAPE_SPHERE) return SCREE_OK;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(square - 1.0) <= 1e-6)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "shape %d (%s): rotation has length %g, not that of a unit quaternion",
                         (int)i, name, sqrt(square));
    }
    return SCREE_OK;
}

void scri_collider_half_lengths(const scri_placed* s, int32_t i, double half[3])
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double lower[3], turn[4];
    scri_quat_store(scri_quat_normalize(scri_quat_load(s->rotation + 4 * (size_t)i)), turn);
    scri_shape_bounds(s->kind[i], s->size + 3 * (size_t)i, origin, turn, lower, half);
    double around = scri_placed_reach(s, i) + scri_placed_rounding(s, i);
    for (int k = 0; k < 3; ++k) half[k] = fmax(half[k], -lower[k]) + around;
}

/* What shapes are, the worst of them: all round, some general, one that is refused. */
enum { ROUND, GENERAL, REFUSED };

typedef struct reading {
    const scri_collider* c;
    const scri_placed* shapes;
} reading;

/* Cores of shapes, and their extents, not yet by solid; what they are. */
static double read_range(const void* context, int32_t begin, int32_t end)
{
    const scri_placed* s = ((const reading*)context)->shapes;
    scri_core* cores = ((const reading*)context)->c->cores.data;
    double *extents = ((const reading*)context)->c->extents.data, kind = ROUND;
    for (int32_t i = begin; i < end; ++i) {
        if (check_shape(NULL, s, i)) return REFUSED;
        if (s->kind[i] == SCREE_SHAPE_HALF_SPACE) {
            cores[i] = (scri_core){scri_mat_column(scri_solid_load(s, i).axes, 2), -1.0};
        } else if (s->kind[i] == SCREE_SHAPE_SPHERE) {
            double radius = s->size[3 * (size_t)i];
            cores[i] = (scri_core){scri_vec_load(s->position + 3 * (size_t)i), radius};
            extents[i] = radius + scri_placed_reach(s, i);
        } else {
            double half[3];
            scri_collider_half_lengths(s, i, half);
            kind = GENERAL;
            cores[i] = (scri_core){{0.0, 0.0, 0.0}, -2.0};
            extents[i] = fmax(half[0], fmax(half[1], half[2]));
        }
    }
    return kind;
}

static scree_status read_shapes(scri_collider* c, const scri_placed* s)
{
    enum { GRAIN = 128 }; /* shapes that are worth handing to another worker */
    int32_t *solids = c->solids.data, *planes = c->planes.data;
    double* extents = c->extents.data;
    reading all = {c, s};
    double kind = scri_groups_most(c->team, s->n, GRAIN, read_range, &all);
    for (int32_t i = 0; i < s->n && kind == REFUSED; ++i) { /* once more, for the log */
        scree_status status = check_shape(&c->env, s, i);
        if (status) return status;
    }
    c->n_solids = c->n_planes = 0;
    c->is_general = kind == GENERAL;
    for (int32_t i = 0; i < s->n; ++i) {
        if (s->kind[i] == SCREE_SHAPE_HALF_SPACE) {
            planes[c->n_planes++] = i;
            continue;
        }
        extents[c->n_solids] = extents[i];
        solids[c->n_solids++] = i;
    }
    return SCREE_OK;
}

scree_status scri_collider_read(scri_collider* c, const scri_placed* s)
{
    scree_status status = reserve_by_shape(c, (size_t)s->n);
    return status ? status : read_shapes(c, s);
}

scree_status scri_collider_run(scri_collider* c, const scri_placed* s, double margin,
                               const scri_touch** touches, int32_t* n_touches)
{
    *touches = NULL;
    *n_touches = 0;
    if (!(margin >= 0.0 && isfinite(margin))) {
        return scri_fail(&c->env, SCREE_ERROR_INPUT, "margin %g must be finite and not negative",
                         margin);
    }
    if (s->n < 0) return scri_fail(&c->env, SCREE_ERROR_ARGUMENT, "%d shapes", (int)s->n);
    scree_status status = scri_collider_read(c, s);
    if (status) return status;
    scri_collider_build_grids(c, s, margin);
    status = scri_collider_pairs(c, s);
    if (!status) status = scri_collider_points(c, s, margin, n_touches);
    if (!status) *touches = c->touches.data;
    return status;
}
