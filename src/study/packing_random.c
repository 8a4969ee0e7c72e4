/* Jammed random packings: spheres put anywhere in a closed box and pushed apart until they only
 * just touch.
 *
 * The energy is half the sum of all squared overlaps. At a size of the spheres at which they cannot
 * but overlap it is minimised by FIRE (Bitzek et al. 2006): motion in time with its velocity turned
 * towards the force and stopped whenever it goes uphill. Then the spheres are shrunk in steps, each
 * by what would leave a fraction of the overlaps, until these are small: the packing is then at
 * the point of jamming, where spheres have six contacts on average (O'Hern et al. 2003).
 */
#include "base/random.h"
#include "study/packing.h"

#include <math.h>
#include <string.h>

/* Radii are 1 - spread to 1 + spread. */
static const double spread = 0.2;

/* Fraction of the box that the spheres fill to begin with, above that of any jammed packing. */
static const double first_filling = 0.68;

/* Mean overlap at the end, in mean radii, to within a factor of 1.5. */
static const double final_overlap = 1e-4;

/* Neighbours are listed with this much between their surfaces, in mean radii, and anew when some
 * sphere has moved by half of it. */
static const double skin = 0.4;

typedef struct relaxation {
    scri_spheres* spheres;
    double scale;     /* of all radii */
    double* share;    /* [n] radii at scale 1 */
    double* velocity; /* [3 n] */
    double* force;    /* [3 n] */
    double* listed;   /* [3 n] centres when neighbours were listed */
    scri_near_pairs near;
    double overlap; /* sum over all contacts */
} relaxation;

/* ---- forces ---- */

static scree_status list_neighbours(relaxation* r)
{
    memcpy(r->listed, r->spheres->centre, 3 * (size_t)r->spheres->n * sizeof(double));
    return scri_near_pairs_find(&r->near, r->spheres, skin);
}

/* Whether some sphere is so far from its place in the list that a pair may be missing. */
static int moved_far(const relaxation* r)
{
    const double *x = r->spheres->centre, *y = r->listed;
    for (size_t i = 0; i < 3 * (size_t)r->spheres->n; i += 3) {
        double dx = x[i] - y[i], dy = x[i + 1] - y[i + 1], dz = x[i + 2] - y[i + 2];
        if (dx * dx + dy * dy + dz * dz > 0.25 * skin * skin) return 1;
    }
    return 0;
}

static void push_from_walls(relaxation* r)
{
    const scri_spheres* s = r->spheres;
    for (int32_t i = 0; i < s->n; ++i) {
        for (int wall = 0; wall < SCRI_N_WALLS; ++wall) {
            double overlap = -scri_wall_gap(s, wall, i);
            if (overlap <= 0.0) continue;
            r->force[3 * (size_t)i + (size_t)(wall / 2)] += wall % 2 ? -overlap : overlap;
            r->overlap += overlap;
        }
    }
}

static void push_apart(relaxation* r)
{
    const double *centre = r->spheres->centre, *radius = r->spheres->radius;
    for (size_t k = 0; k < r->near.n; ++k) {
        size_t a = (size_t)r->near.pair[2 * k], b = (size_t)r->near.pair[2 * k + 1];
        const double *x = centre + 3 * a, *y = centre + 3 * b;
        double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2], sum = radius[a] + radius[b];
        double square = dx * dx + dy * dy + dz * dz;
        if (square >= sum * sum) continue;
        /* two centres in one place stay there until others push them */
        double distance = sqrt(square), overlap = sum - distance;
        double f = distance > 0.0 ? overlap / distance : 0.0;
        double *on_a = r->force + 3 * a, *on_b = r->force + 3 * b;
        on_a[0] += f * dx, on_a[1] += f * dy, on_a[2] += f * dz;
        on_b[0] -= f * dx, on_b[1] -= f * dy, on_b[2] -= f * dz;
        r->overlap += overlap;
    }
}

static scree_status find_forces(relaxation* r)
{
    scree_status status = moved_far(r) ? list_neighbours(r) : SCREE_OK;
    if (status) return status;
    memset(r->force, 0, 3 * (size_t)r->spheres->n * sizeof(double));
    r->overlap = 0.0;
    push_from_walls(r);
    push_apart(r);
    return SCREE_OK;
}

/* Of the 3 contacts per sphere that a jammed packing has, also where there are fewer. */
static double mean_overlap(const relaxation* r)
{
    return r->overlap / (3.0 * r->spheres->n);
}

/* ---- FIRE ---- */

typedef struct fire {
    double step, mixing;
    int downhill; /* steps since it last went uphill */
} fire;

static const fire fire_begin = {.step = 0.1, .mixing = 0.1, .downhill = 0};

/* One step in time; the square of the force, summed, is handed back. */
static double fire_step(relaxation* r, fire* f)
{
    const double longest = 0.5; /* of a step; contacts swing with about 2.5 per unit of time */
    size_t n = 3 * (size_t)r->spheres->n;
    double *x = r->spheres->centre, *v = r->velocity;
    double power = 0.0, speed = 0.0, force = 0.0;
    for (size_t i = 0; i < n; ++i) {
        power += r->force[i] * v[i];
        speed += v[i] * v[i];
        force += r->force[i] * r->force[i];
    }
    double keep = 1.0 - f->mixing, turn = force > 0.0 ? f->mixing * sqrt(speed / force) : 0.0;
    if (power > 0.0) {
        if (++f->downhill > 5) {
            f->step = fmin(1.1 * f->step, longest);
            f->mixing *= 0.99;
        }
    } else {
        keep = turn = 0.0;
        *f = (fire){.step = fmax(0.5 * f->step, 1e-3), .mixing = fire_begin.mixing};
    }
    for (size_t i = 0; i < n; ++i) {
        v[i] = keep * v[i] + (turn + f->step) * r->force[i];
        x[i] += f->step * v[i];
    }
    return force;
}

/* Until the force left on a sphere (root mean square) is small beside that of a contact, or the
 * spheres have come free. With more force left the overlaps would look larger than they are, and
 * the next round would shrink the spheres too far. */
static scree_status relax(relaxation* r)
{
    enum { MOST_STEPS = 20000 };
    const double rest = 1e-2;
    fire f = fire_begin;
    memset(r->velocity, 0, 3 * (size_t)r->spheres->n * sizeof(double));
    for (int32_t i = 0; i < r->spheres->n; ++i) r->spheres->radius[i] = r->scale * r->share[i];
    scree_status status = list_neighbours(r);
    for (int step = 0; step < MOST_STEPS && !status; ++step) {
        status = find_forces(r);
        double mean = mean_overlap(r);
        if (status || mean < 0.1 * final_overlap) break;
        double force = sqrt(fire_step(r, &f) / r->spheres->n);
        if (force < rest * mean) break;
    }
    return status;
}

/* ---- jamming ---- */

/* Shrinks and relaxes until spheres overlap by what is wanted. The change of two radii is the most
 * by which an overlap falls, so that spheres seldom come free; small packings do when one sphere
 * gives way, and grow until they jam in another order. */
static scree_status jam(relaxation* r)
{
    enum { MOST_ROUNDS = 200 };
    const double growth = 1e-3;
    scree_status status = relax(r);
    for (int round = 0; round < MOST_ROUNDS && !status; ++round) {
        double mean = mean_overlap(r);
        if (mean > final_overlap / 1.5 && mean < 1.5 * final_overlap) break;
        double goal = fmax(0.25 * mean, final_overlap);
        r->scale += mean < final_overlap ? growth : 0.5 * (goal - mean);
        status = relax(r);
    }
    return status;
}

/* Spheres in cells of a grid, one in each and anywhere in it: numbers follow the places. */
static void scatter(relaxation* r, const scree_packing_def* def, const int32_t count[3])
{
    scri_spheres* s = r->spheres;
    scri_random random = {.key = def->seed};
    double volume = 0.0;
    for (int32_t i = 0; i < s->n; ++i) {
        r->share[i] = 1.0 + spread * (2.0 * scri_random_uniform(&random) - 1.0);
        volume += 4.0 / 3.0 * SCREE_PI * r->share[i] * r->share[i] * r->share[i];
    }
    double cell = cbrt(volume / first_filling / s->n);
    for (int k = 0; k < 3; ++k) s->box[k] = cell * count[k];
    for (int32_t i = 0; i < s->n; ++i) {
        int32_t at[3] = {i % count[0], i / count[0] % count[1], i / (count[0] * count[1])};
        for (int k = 0; k < 3; ++k) {
            s->centre[3 * (size_t)i + (size_t)k] = cell * (at[k] + scri_random_uniform(&random));
        }
    }
}

/* Spheres along each axis, from the contacts that packings of several sizes were found to have:
 * three per sphere, less those of the lid and of the few spheres that are not held. */
static void choose_count(int32_t contacts, int32_t count[3])
{
    double side = 1.0;
    while (2.93 * side * side * side - 1.5 * side * side < contacts) side += 0.01;
    count[0] = count[1] = (int32_t)fmax(2.0, round(side));
    count[2] = (int32_t)fmax(2.0, round(side * side * side / (count[0] * count[1])));
}

scree_status scri_packing_random(const scree_env* env, scri_arena* arena,
                                 const scree_packing_def* def, scri_spheres* out)
{
    int32_t count[3];
    choose_count(def->contacts, count);
    size_t n = (size_t)count[0] * (size_t)count[1] * (size_t)count[2];
    *out = (scri_spheres){.n = (int32_t)n, .walls = SCRI_CLOSED_BOX};
    relaxation r = {.spheres = out, .scale = 1.0, .near = {.env = env}};
    out->centre = scri_arena_take(arena, 3 * n, sizeof(double));
    out->radius = scri_arena_take(arena, n, sizeof(double));
    r.share = scri_arena_take(arena, n, sizeof(double));
    r.velocity = scri_arena_take(arena, 3 * n, sizeof(double));
    r.force = scri_arena_take(arena, 3 * n, sizeof(double));
    r.listed = scri_arena_take(arena, 3 * n, sizeof(double));
    if (!out->centre || !out->radius || !r.share || !r.velocity || !r.force || !r.listed) {
        return SCREE_ERROR_MEMORY;
    }
    scatter(&r, def, count);
    scree_status status = jam(&r);
    scri_near_pairs_release(&r.near);
    /* in units of the mean radius at the end */
    for (size_t i = 0; i < n; ++i) out->radius[i] = r.share[i];
    for (size_t i = 0; i < 3 * n; ++i) out->centre[i] /= r.scale;
    for (int k = 0; k < 3; ++k) out->box[k] /= r.scale;
    out->walls = SCRI_OPEN_BOX;
    return status;
}
