/* Blocks: forms, sizes, where they begin and how they are turned. All that is drawn is a function
 * of the seed and of the number of the block. */
#include "base/env.h"
#include "math/vec.h"
#include "study/rockfall.h"

#include <math.h>

enum {
    CORNERS = 20,   /* points of a hull; some may lie within */
    CANDIDATES = 8, /* of which the one farthest from all points so far becomes the next */
};

/* Distances of points from the centre before the axes are stretched: none of the corners is as
 * round as on a ball. */
static const double nearest = 0.85, farthest = 1.15;

/* Deviations beyond which a size is drawn again. */
static const double most_deviations = 3.0;

static const double form_axes[SCREE_BLOCK_COUNT][3] = {
#define SCREE_X(constant, name, a, b, c) {a, b, c},
    SCREE_BLOCK_FORMS(SCREE_X)
#undef SCREE_X
};

void scree_block_form_axes(scree_block_form form, double out[3])
{
    if (!out || !scree_block_form_name((int)form)) return;
    for (int k = 0; k < 3; ++k) out[k] = form_axes[form][k];
}

/* ---- hulls ---- */

static double draw_between(scri_random* random, double low, double high)
{
    return low + (high - low) * scri_random_uniform(random);
}

/* A direction of n components, all alike: in the ball, then on it. No function but the root is
 * called, so that every machine draws the same. */
static void draw_direction(scri_random* random, int n, double* out)
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < n; ++k) {
            out[k] = draw_between(random, -1.0, 1.0);
            square += out[k] * out[k];
        }
    } while (!(square > 0.01 && square <= 1.0));
    for (int k = 0; k < n; ++k) out[k] /= sqrt(square);
}

/* Square of the distance to the nearest of n points. */
static double room_around(const double* points, int n, const double at[3])
{
    double least = 4.0;
    for (int i = 0; i < n; ++i) {
        double square = 0.0;
        for (int k = 0; k < 3; ++k) {
            double d = points[3 * i + k] - at[k];
            square += d * d;
        }
        least = square < least ? square : least;
    }
    return least;
}

/* Directions that keep their distance. */
static void spread_points(scri_random* random, double points[3 * CORNERS])
{
    for (int i = 0; i < CORNERS; ++i) {
        double widest = -1.0;
        for (int c = 0; c < CANDIDATES; ++c) {
            double at[3];
            draw_direction(random, 3, at);
            double room = room_around(points, i, at);
            if (!(room > widest)) continue;
            widest = room;
            for (int k = 0; k < 3; ++k) points[3 * i + k] = at[k];
        }
    }
}

/* Stretches the extents to those of the form. */
static void stretch_points(const double axes[3], double points[3 * CORNERS])
{
    for (int k = 0; k < 3; ++k) {
        double low = points[k], high = points[k];
        for (int i = 1; i < CORNERS; ++i) {
            low = fmin(low, points[3 * i + k]);
            high = fmax(high, points[3 * i + k]);
        }
        for (int i = 0; i < CORNERS; ++i) points[3 * i + k] *= axes[k] / (high - low);
    }
}

scree_status scree_block_hull(const scree_env* env, scree_block_form form, uint64_t seed,
                              int32_t number, scree_hull** out)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    if ((int)form < 0 || form >= SCREE_BLOCK_SPHERE) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "rockfall: blocks of form %d have no hull",
                         (int)form);
    }
    double points[3 * CORNERS];
    scri_random random = scri_block_random(seed, number, SCRI_BLOCK_CORNERS);
    spread_points(&random, points);
    for (int i = 0; i < CORNERS; ++i) {
        double r = draw_between(&random, nearest, farthest);
        for (int k = 0; k < 3; ++k) points[3 * i + k] *= r;
    }
    stretch_points(form_axes[form], points);
    scree_hull* hull;
    scree_status status = scree_hull_create(env, CORNERS, points, &hull);
    if (status) return status;
    double scale = cbrt(SCREE_PI / 6.0 / scree_hull_get_view(hull).volume);
    scree_hull_destroy(hull);
    for (int i = 0; i < 3 * CORNERS; ++i) points[i] *= scale;
    return scree_hull_create(env, CORNERS, points, out);
}

/* ---- a block ---- */

static scree_block_form draw_form(const scree_rockfall_def* def, int32_t number)
{
    static const scree_block_form mixed[] = {SCREE_BLOCK_EQUANT, SCREE_BLOCK_FLAT,
                                             SCREE_BLOCK_LONG};
    if (def->form != SCREE_BLOCK_MIXED) return def->form;
    scri_random random = scri_block_random(def->seed, number, SCRI_BLOCK_FORM);
    return mixed[scri_random_below(&random, sizeof mixed / sizeof *mixed)];
}

/* A normal number by Marsaglia's polar method, cut. */
static double draw_normal(scri_random* random)
{
    for (;;) {
        double a = draw_between(random, -1.0, 1.0), b = draw_between(random, -1.0, 1.0);
        double square = a * a + b * b;
        if (!(square > 0.0 && square < 1.0)) continue;
        double z = a * sqrt(-2.0 * log(square) / square);
        if (fabs(z) <= most_deviations) return z;
    }
}

static double draw_size(const scree_rockfall_def* def, int32_t number)
{
    scri_random random = scri_block_random(def->seed, number, SCRI_BLOCK_SIZE);
    if (def->deviation > 0.0) return def->size_low * exp(def->deviation * draw_normal(&random));
    return draw_between(&random, def->size_low, def->size_high);
}

/* Farthest corner of a hull, or the radius. */
static double reach_of(const scri_block* b)
{
    if (!b->hull) return 0.5 * b->diameter;
    scree_hull_view view = scree_hull_get_view(b->hull);
    double most = 0.0;
    for (int32_t i = 0; i < view.n_corners; ++i) {
        double far = scri_vec_length(scri_vec_load(view.corners + 3 * (size_t)i));
        most = far > most ? far : most;
    }
    return b->diameter * most;
}

static void weigh(const scree_rockfall_def* def, scri_block* b)
{
    double d = b->diameter;
    b->mass = def->density * SCREE_PI / 6.0 * d * d * d;
    if (b->hull) {
        scree_hull_view view = scree_hull_get_view(b->hull);
        double scale = def->density * d * d * d * d * d;
        for (int k = 0; k < 6; ++k) b->inertia[k] = scale * view.inertia[k];
    } else {
        for (int k = 0; k < 3; ++k) b->inertia[k] = 0.1 * b->mass * d * d;
    }
}

double scri_block_clearance(const scri_block* b, const scree_rockfall_map* map,
                            const double position[3], const double rotation[4])
{
    if (!b->hull) { /* of a ball above a plane, along the vertical: r / n_z */
        scri_ground_point g = scri_rockfall_ground(map, position[0], position[1]);
        double steep = 1.0 + g.slope[0] * g.slope[0] + g.slope[1] * g.slope[1];
        return position[2] - g.height - 0.5 * b->diameter * sqrt(steep);
    }
    scree_hull_view view = scree_hull_get_view(b->hull);
    scri_mat turn = scri_mat_from_quat(scri_quat_load(rotation));
    scri_vec centre = scri_vec_load(position);
    double least = HUGE_VAL;
    for (int32_t i = 0; i < view.n_corners; ++i) {
        scri_vec arm = scri_mat_multiply(turn, scri_vec_load(view.corners + 3 * (size_t)i));
        scri_vec at = scri_vec_add_scaled(centre, b->diameter, arm);
        double gap = at.z - scri_rockfall_ground(map, at.x, at.y).height;
        least = gap < least ? gap : least;
    }
    return least;
}

/* Down the steepest way; along x where the ground is level. */
static void start_velocity(const scree_rockfall_def* def, const scri_ground_point* g, scri_block* b)
{
    double steep = scri_hypotenuse(g->slope[0], g->slope[1]);
    b->velocity[0] = steep > 0.0 ? -def->speed * g->slope[0] / steep : def->speed;
    b->velocity[1] = steep > 0.0 ? -def->speed * g->slope[1] / steep : 0.0;
    b->velocity[2] = 0.0;
}

int32_t scri_block_release_of(const scree_rockfall_def* def, int32_t number)
{
    if (def->n_releases <= def->blocks) return number % def->n_releases;
    return (int32_t)((int64_t)number * def->n_releases / def->blocks);
}

static void place(const scree_rockfall_def* def, const scree_rockfall_map* map, int32_t number,
                  scri_block* b)
{
    const double* release = def->releases + 2 * (size_t)scri_block_release_of(def, number);
    scri_random random = scri_block_random(def->seed, number, SCRI_BLOCK_PLACE);
    for (int k = 0; k < 2; ++k) {
        double off = def->release_side * draw_between(&random, -0.5, 0.5);
        b->position[k] = release[k] - def->map.origin[k] + off;
    }
    random = scri_block_random(def->seed, number, SCRI_BLOCK_TURN);
    draw_direction(&random, 4, b->rotation);
    scri_ground_point g = scri_rockfall_ground(map, b->position[0], b->position[1]);
    b->position[2] = g.height;
    b->position[2] += def->drop - scri_block_clearance(b, map, b->position, b->rotation);
    start_velocity(def, &g, b);
}

scree_status scri_block_draw(const scree_env* env, const scree_rockfall_def* def,
                             const scree_rockfall_map* map, int32_t number, scri_block* out)
{
    *out = (scri_block){.form = draw_form(def, number), .diameter = draw_size(def, number)};
    scree_status status = SCREE_OK;
    if (out->form != SCREE_BLOCK_SPHERE) {
        status = scree_block_hull(env, out->form, def->seed, number, &out->hull);
    }
    if (status) return status;
    out->reach = reach_of(out);
    weigh(def, out);
    place(def, map, number, out);
    int inside = scri_rockfall_holds(map, out->position[0], out->position[1], out->reach);
    return inside ? SCREE_OK : SCREE_ERROR_INPUT;
}

void scri_block_release(scri_block* block)
{
    scree_hull_destroy(block->hull);
    block->hull = NULL;
}
