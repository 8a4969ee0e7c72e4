/* All touching pairs of a scene: checks the input, searches, sorts the pairs, finds the points.
 *
 * The pairs, eight bytes each, are what is sorted; the points are then written once, in order. Two
 * shapes that are where they were touch as they did: their points are copied from the last call. */
#include "collide/collider.h"

#include "base/bits.h"
#include "collide/grid.h"
#include "collide/pair.h"
#include "shapes/bounds.h"

#include <string.h>

/* Lists of partners longer than this are not sorted by insertion. */
enum { SHORT_LIST = 32 };

/* By shape, for pairs that need no more than this: spheres have their radius, half-spaces -1 and
 * their normal, other kinds -2. */
typedef struct core {
    scri_vec x;
    double radius;
} core;

/* What the points of a pair depend on, for either shape. */
typedef struct placement {
    double position[3], rotation[4], size[3], reach;
    const scree_hull* hull;
    const scree_mesh* mesh;
    scree_shape_kind kind;
    int32_t body;
    uint32_t category, collides, responds;
} placement;

scree_status scri_collider_create(const scree_env* env, scri_collider** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no place for the collider");
    *out = scri_alloc(env, sizeof **out);
    if (!*out) return scri_fail(env, SCREE_ERROR_MEMORY, "no memory for a collider");
    **out = (scri_collider){0};
    if (env) (*out)->env = *env;
    (*out)->list.env = &(*out)->env;
    return SCREE_OK;
}

void scri_collider_destroy(scri_collider* c)
{
    if (!c) return;
    scree_env env = c->env;
    scri_buffer* const buffers[] = {&c->cores,      &c->starts,       &c->solids,     &c->extents,
                                    &c->classes,    &c->keys,         &c->spare,      &c->balls,
                                    &c->tags,       &c->planes,       &c->touches,    &c->partners,
                                    &c->by_partner, &c->last_touches, &c->placements, &c->still,
                                    &c->last_apart, &c->list.memory};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        scri_release(&env, buffers[i]->data);
    }
    scri_release(&env, c);
}

static scree_status reserve(scri_collider* c, scri_buffer* buffer, size_t count, size_t item)
{
    if (scri_buffer_reserve(&c->env, buffer, count, item, 0)) return SCREE_OK;
    return scri_fail(&c->env, SCREE_ERROR_MEMORY, "no memory to find contacts (%zu bytes)",
                     count * item);
}

static scree_status reserve_by_shape(scri_collider* c, size_t n)
{
    scree_status status = reserve(c, &c->cores, n, sizeof(core));
    if (!status) status = reserve(c, &c->starts, n + 1, sizeof(uint32_t));
    if (!status) status = reserve(c, &c->planes, n, sizeof(int32_t));
    if (!status) status = reserve(c, &c->solids, n, sizeof(int32_t));
    if (!status) status = reserve(c, &c->extents, n, sizeof(double));
    if (!status) status = reserve(c, &c->classes, n, sizeof(uint8_t));
    if (!status) status = reserve(c, &c->keys, n, sizeof(scri_cell_key));
    if (!status) status = reserve(c, &c->spare, n + SCRI_SPARE_KEYS, sizeof(scri_cell_key));
    if (!status) status = reserve(c, &c->balls, n, sizeof(scri_ball));
    if (!status) status = reserve(c, &c->tags, n, sizeof(scri_tag));
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

static double reach_of(const scri_placed* s, int32_t i)
{
    return s->reach ? s->reach[i] : 0.0;
}

/* Half lengths of the bounding box of a shape and all within its reach. */
static void half_lengths(const scri_placed* s, int32_t i, double half[3])
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double lower[3], turn[4];
    scri_quat_store(scri_quat_normalize(scri_quat_load(s->rotation + 4 * (size_t)i)), turn);
    scri_shape_bounds(s->kind[i], s->size + 3 * (size_t)i, origin, turn, lower, half);
    for (int k = 0; k < 3; ++k) half[k] = fmax(half[k], -lower[k]) + reach_of(s, i);
}

static scree_status read_shapes(scri_collider* c, const scri_placed* s)
{
    core* cores = c->cores.data;
    int32_t *solids = c->solids.data, *planes = c->planes.data;
    double* extents = c->extents.data;
    c->n_solids = c->n_planes = c->is_general = 0;
    for (int32_t i = 0; i < s->n; ++i) {
        scree_status status = check_shape(&c->env, s, i);
        if (status) return status;
        if (s->kind[i] == SCREE_SHAPE_HALF_SPACE) {
            planes[c->n_planes++] = i;
            cores[i] = (core){scri_mat_column(scri_solid_load(s, i).axes, 2), -1.0};
        } else if (s->kind[i] == SCREE_SHAPE_SPHERE) {
            double radius = s->size[3 * (size_t)i];
            cores[i] = (core){scri_vec_load(s->position + 3 * (size_t)i), radius};
            extents[c->n_solids] = radius + reach_of(s, i);
            solids[c->n_solids++] = i;
        } else {
            double half[3];
            half_lengths(s, i, half);
            c->is_general = 1;
            cores[i] = (core){{0.0, 0.0, 0.0}, -2.0};
            extents[c->n_solids] = fmax(half[0], fmax(half[1], half[2]));
            solids[c->n_solids++] = i;
        }
    }
    return SCREE_OK;
}

scree_status scri_collider_read(scri_collider* c, const scri_placed* s)
{
    scree_status status = reserve_by_shape(c, (size_t)s->n);
    return status ? status : read_shapes(c, s);
}

/* ---- search ---- */

void scri_collider_build_grids(scri_collider* c, const scri_placed* s, double margin)
{
    const int32_t* solids = c->solids.data;
    const double* extents = c->extents.data;
    uint8_t* classes = c->classes.data;
    scri_cell_key* keys = c->keys.data;
    c->n_grids = c->n_solids ? scri_size_classes(extents, c->n_solids, classes) : 0;
    for (int g = 0; g < c->n_grids; ++g) c->grids[g] = (scri_grid){.margin = margin};
    for (int32_t k = 0; k < c->n_solids; ++k) {
        scri_grid* grid = c->grids + classes[k];
        ++grid->n;
        if (extents[k] > grid->extent) grid->extent = extents[k];
    }
    int32_t first = 0;
    for (int g = 0; g < c->n_grids; ++g) {
        scri_grid* grid = c->grids + g;
        grid->keys = keys + first;
        grid->balls = (scri_ball*)c->balls.data + first;
        grid->tags = (scri_tag*)c->tags.data + first;
        first += grid->n;
        grid->n = 0;
    }
    for (int32_t k = 0; k < c->n_solids; ++k) {
        scri_grid* grid = c->grids + classes[k];
        grid->keys[grid->n++].shape = solids[k];
    }
    for (int g = 0; g < c->n_grids; ++g) scri_grid_build(c->grids + g, s, c->spare.data);
}

static scree_status find_solid_pairs(scri_collider* c, const scri_placed* s)
{
    for (int g = 0; g < c->n_grids; ++g) {
        const scri_grid* grid = c->grids + g;
        scree_status status = scri_grid_pairs(grid, c->spare.data, &c->list);
        if (status) return status;
        for (int32_t i = 0; i < grid->n && g > 0; ++i) {
            double half[3];
            half_lengths(s, grid->tags[i].shape, half);
            for (int fine = 0; fine < g && !status; ++fine) {
                status = scri_grid_pairs_of(c->grids + fine, grid, i, half, &c->list);
            }
            if (status) return status;
        }
    }
    return SCREE_OK;
}

static scree_status find_plane_pairs(scri_collider* c, const scri_placed* s)
{
    const scri_ball* balls = c->balls.data;
    const scri_tag* tags = c->tags.data;
    const core* cores = c->cores.data;
    for (int32_t k = 0; k < c->n_planes; ++k) {
        int32_t plane = ((const int32_t*)c->planes.data)[k];
        scri_vec normal = cores[plane].x, origin = scri_vec_load(s->position + 3 * (size_t)plane);
        for (int32_t i = 0; i < c->n_solids; ++i) {
            scri_vec x = {balls[i].x, balls[i].y, balls[i].z};
            double slack = 1e-15 * (fabs(x.x) + fabs(x.y) + fabs(x.z));
            double height = scri_vec_dot(normal, scri_vec_sub(x, origin));
            /* reach has half of the margin only */
            double reach = balls[i].reach + 0.5 * c->grids[0].margin + reach_of(s, plane);
            if (height > reach + slack) continue;
            if (!scri_pair_allowed(s, tags[i].shape, plane)) continue;
            scree_status status = scri_pair_list_add(&c->list, tags[i].shape, plane);
            if (status) return status;
        }
    }
    return SCREE_OK;
}

/* ---- order ---- */

/* Counts by a or by b, then the place of the first pair of each; returns the longest list. */
static uint32_t start_lists(const scri_pair_list* list, int32_t n, int by_b, uint32_t* starts)
{
    uint32_t longest = 0, sum = 0;
    for (int32_t i = 0; i < n; ++i) starts[i] = 0;
    for (size_t k = 0; k < list->n; ++k) ++starts[by_b ? list->pairs[k].b : list->pairs[k].a];
    for (int32_t i = 0; i < n; ++i) {
        uint32_t count = starts[i];
        if (count > longest) longest = count;
        starts[i] = sum;
        sum += count;
    }
    return longest;
}

/* Fills `partners` with the b of all pairs, in the order (a, b); starts[a] is then the end of the
 * list of a. Long lists, such as those of a large floor, are sorted beforehand by counting. */
static scree_status sort_pairs(scri_collider* c, int32_t n)
{
    scri_pair_list* list = &c->list;
    uint32_t* starts = c->starts.data;
    const scri_shape_pair* pairs = list->pairs;
    /* as much as the list has room for, needed now or not: later calls then need nothing new */
    scree_status status = reserve(c, &c->partners, list->capacity, sizeof(int32_t));
    if (!status) status = reserve(c, &c->by_partner, list->capacity, sizeof *pairs);
    if (status) return status;
    if (start_lists(list, n, 0, starts) > SHORT_LIST) {
        scri_shape_pair* sorted = c->by_partner.data;
        start_lists(list, n, 1, starts);
        for (size_t k = 0; k < list->n; ++k) sorted[starts[pairs[k].b]++] = pairs[k];
        start_lists(list, n, 0, starts);
        pairs = sorted;
    }
    int32_t* partners = c->partners.data;
    for (size_t k = 0; k < list->n; ++k) {
        if (k + SCRI_AHEAD < list->n) SCRI_PREFETCH(starts + pairs[k + SCRI_AHEAD].a);
        partners[starts[pairs[k].a]++] = pairs[k].b;
    }
    uint32_t begin = 0;
    for (int32_t a = 0; a < n; begin = starts[a++]) {
        for (uint32_t k = begin + 1; k < starts[a]; ++k) {
            int32_t b = partners[k];
            uint32_t at = k;
            for (; at > begin && partners[at - 1] > b; --at) partners[at] = partners[at - 1];
            partners[at] = b;
        }
    }
    return SCREE_OK;
}

/* ---- points ---- */

/* Whether other bodies never collide than in the last call. */
static int apart_changes(const scri_collider* c, const scri_placed* s)
{
    size_t bytes = 2 * (size_t)s->n_apart * sizeof *s->apart;
    if (c->n_last_apart != s->n_apart) return 1;
    return bytes > 0 && !scri_same_bits(c->last_apart.data, s->apart, bytes);
}

/* Notes placements, and which of them are those of the last call. Spheres are found faster than
 * they are compared. */
static scree_status compare_placements(scri_collider* c, const scri_placed* s, double margin)
{
    size_t n = (size_t)s->n, kept = (size_t)c->n_last;
    int32_t n_last = c->last_margin == margin && !apart_changes(c, s) ? c->n_last : 0;
    c->n_last = 0; /* until the points have been found */
    c->last_margin = margin;
    if (!c->is_general) return SCREE_OK;
    if (!scri_buffer_reserve(&c->env, &c->placements, n, sizeof(placement), kept)) {
        return scri_fail(&c->env, SCREE_ERROR_MEMORY, "no memory for %d placements", (int)s->n);
    }
    size_t apart = 2 * (size_t)s->n_apart * sizeof *s->apart;
    scree_status status = reserve(c, &c->still, n, sizeof(uint8_t));
    if (!status && apart > 0) status = reserve(c, &c->last_apart, apart, 1);
    if (status) return status;
    if (apart > 0) memcpy(c->last_apart.data, s->apart, apart);
    c->n_last_apart = s->n_apart;
    placement* placements = c->placements.data;
    uint8_t* still = c->still.data;
    for (int32_t i = 0; i < s->n; ++i) {
        placement now;
        memset(&now, 0, sizeof now); /* what is between the members, too */
        memcpy(now.position, s->position + 3 * (size_t)i, sizeof now.position);
        memcpy(now.rotation, s->rotation + 4 * (size_t)i, sizeof now.rotation);
        memcpy(now.size, s->size + 3 * (size_t)i, sizeof now.size);
        now.reach = reach_of(s, i);
        now.hull = s->hull ? s->hull[i] : NULL;
        now.mesh = s->mesh ? s->mesh[i] : NULL;
        now.kind = s->kind[i];
        now.body = s->body[i];
        now.category = s->category[i];
        now.collides = s->collides[i];
        now.responds = s->responds[i];
        still[i] = i < n_last && scri_same_bits(&now, &placements[i], sizeof now);
        placements[i] = now;
    }
    return SCREE_OK;
}

/* Copies the points of the pair from the last call; *at moves on to it. Pairs have the same order
 * there, and one that is missing did not touch. */
static int copy_points(const scri_collider* c, size_t* at, int32_t a, int32_t b, scri_touch* out)
{
    const scri_touch* last = c->last_touches.data;
    int n = 0;
    for (; *at < c->n_last_touches; ++*at) {
        const scri_touch* t = last + *at;
        if (t->a > a || (t->a == a && t->b > b)) break;
        if (t->a == a && t->b == b) out[n++] = *t;
    }
    return n;
}

/* Whether the bodies of two shapes are in the list of those that never collide. */
static int are_apart(const scri_placed* s, int32_t a, int32_t b)
{
    int32_t x = s->body[a], y = s->body[b], low = 0, high = s->n_apart;
    if (y < x) {
        int32_t kept = x;
        x = y;
        y = kept;
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const int32_t* pair = s->apart + 2 * (size_t)middle;
        if (pair[0] == x && pair[1] == y) return 1;
        if (pair[0] < x || (pair[0] == x && pair[1] < y)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

static int collide_two(const core* cores, const scri_placed* s, int32_t a, int32_t b, double margin,
                       scri_touch* out)
{
    double radius_a = cores[a].radius, radius_b = cores[b].radius;
    int n;
    if (s->n_apart > 0 && are_apart(s, a, b)) return 0;
    if (radius_a >= 0.0 && radius_b >= 0.0) {
        n = scri_touch_spheres(cores[a].x, radius_a, cores[b].x, radius_b, margin, out);
    } else if (radius_a >= 0.0 && radius_b == -1.0) {
        n = scri_touch_sphere_plane(cores[a].x, radius_a,
                                    scri_vec_load(s->position + 3 * (size_t)b), cores[b].x, margin,
                                    out);
    } else {
        return scri_collide_pair(s, a, b, margin, out);
    }
    out->a = a;
    out->b = b;
    return n;
}

static scree_status find_points(scri_collider* c, const scri_placed* s, double margin,
                                int32_t* n_touches)
{
    const core* cores = c->cores.data;
    const uint32_t* ends = c->starts.data;
    const int32_t* partners = c->partners.data;
    const uint8_t* still = c->still.data;
    size_t n = 0, last = 0, item = sizeof(scri_touch), expected = c->list.n + c->list.n / 4;
    scree_status status = SCREE_OK;
    if (c->is_general) {
        scri_buffer swap = c->last_touches;
        c->last_touches = c->touches;
        c->touches = swap;
    }
    if ((c->list.n + SCRI_MAX_TOUCHES) * item > c->touches.size) {
        status = reserve(c, &c->touches, expected + SCRI_MAX_TOUCHES, item);
    }
    if (status) return status;
    uint32_t k = 0;
    for (int32_t a = 0; a < s->n; ++a) {
        for (; k < ends[a]; ++k) {
            if ((n + SCRI_MAX_TOUCHES) * item > c->touches.size &&
                !scri_buffer_reserve(&c->env, &c->touches, n + SCRI_MAX_TOUCHES, item, n)) {
                return scri_fail(&c->env, SCREE_ERROR_MEMORY, "no memory for %zu contacts", n);
            }
            if (k + SCRI_AHEAD < c->list.n) SCRI_PREFETCH(cores + partners[k + SCRI_AHEAD]);
            scri_touch* touches = c->touches.data;
            int32_t b = partners[k];
            double apart = margin + reach_of(s, a) + reach_of(s, b);
            int found = c->is_general && still[a] && still[b]
                            ? copy_points(c, &last, a, b, touches + n)
                            : collide_two(cores, s, a, b, apart, touches + n);
            n += (size_t)found;
        }
    }
    /* the two change places: both have the room that is needed now */
    if (c->is_general) status = reserve(c, &c->last_touches, c->touches.size, 1);
    if (status) return status;
    *n_touches = (int32_t)n;
    c->n_last_touches = n;
    c->n_last = s->n;
    return SCREE_OK;
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
    c->list.n = 0;
    scree_status status = scri_collider_read(c, s);
    if (status) return status;
    scri_collider_build_grids(c, s, margin);
    status = find_solid_pairs(c, s);
    if (!status && c->n_solids) status = find_plane_pairs(c, s);
    if (!status) status = sort_pairs(c, s->n);
    if (!status) status = compare_placements(c, s, margin);
    if (!status) status = find_points(c, s, margin, n_touches);
    if (!status) *touches = c->touches.data;
    return status;
}
