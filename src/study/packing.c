/* From spheres that touch to the problem of one step of their fall. */
#include "study/packing.h"

#include "base/env.h"
#include "base/fill.h"
#include "base/random.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"

#include <math.h>

/* Surfaces closer than this touch, in mean radii. Above rounding, below the gaps between spheres of
 * a random packing that are near but do not press on each other. */
static const double touch = 1e-5;

/* Random numbers of one seed, each for one purpose; packing_random.c has stream 0. */
enum { STREAM_VELOCITY = 1 };

void scree_packing_def_init(scree_packing_def* def)
{
    if (!def) return;
    scree_packing_def usual = {.struct_size = sizeof usual};
#define SCREE_X(type, name, value, meaning) usual.name = value;
    SCREE_PACKING_FIELDS(SCREE_X)
#undef SCREE_X
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

const char* scree_packing_name(int kind)
{
    static const char* const name[SCREE_PACKING_COUNT] = {
        [SCREE_PACKING_PYRAMID] = "pyramid",
        [SCREE_PACKING_LATTICE] = "lattice",
        [SCREE_PACKING_RANDOM] = "random",
    };
    return kind >= 0 && kind < SCREE_PACKING_COUNT ? name[kind] : NULL;
}

/* ---- what is asked for ---- */

static scree_status check_number(const scree_env* env, const char* name, double value, int positive)
{
    if (isfinite(value) && (positive ? value > 0.0 : value >= 0.0)) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "packing: %s = %g must be finite and %s", name, value,
                     positive ? "positive" : "not negative");
}

static scree_status check_numbers(const scree_env* env, const scree_packing_def* def)
{
    const struct {
        const char* name;
        double value;
        int positive;
    } numbers[] = {
        {"mu", def->mu, 0},
        {"mu_r_share", def->mu_r_share, 0},
        {"mu_s_share", def->mu_s_share, 0},
        {"noise", def->noise, 0},
        {"radius", def->radius, 1},
        {"density", def->density, 1},
        {"gravity", def->gravity, 0},
        {"step", def->step, 1},
    };
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !status; ++i) {
        status = check_number(env, numbers[i].name, numbers[i].value, numbers[i].positive);
    }
    return status;
}

static scree_status check_def(const scree_env* env, const scree_packing_def* def)
{
    enum { MOST_CONTACTS = 10000000 };
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_packing_def");
    if (status) return status;
    if (!scree_packing_name((int)def->kind)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "packing: unknown kind %d", (int)def->kind);
    }
    if (def->contacts < 1 || def->contacts > MOST_CONTACTS) {
        return scri_fail(env, SCREE_ERROR_INPUT, "packing: contacts = %d must be from 1 to %d",
                         (int)def->contacts, MOST_CONTACTS);
    }
    if (def->rows != SCREE_ROWS_NTT && def->rows != SCREE_ROWS_NTTS &&
        def->rows != SCREE_ROWS_NTTRR && def->rows != SCREE_ROWS_NTTRRS) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "packing: rows must be NTT, NTTS, NTTRR or NTTRRS");
    }
    if ((int)def->law < 0 || def->law >= SCREE_LAW_WORLD_COUNT) {
        return scri_fail(env, SCREE_ERROR_INPUT, "packing: law must be exact, convex or coupled");
    }
    return check_numbers(env, def);
}

/* ---- touches ---- */

/* Spheres a and b, or a and the ground (-1) at a wall. */
typedef struct contact {
    int32_t a, b;
    int wall;
} contact;

typedef struct touches {
    int32_t n;
    contact* contacts; /* [n] ordered by a; walls first */
    int32_t n_bodies;
    int32_t* body; /* [spheres] number of the sphere as a body; -1 if it touches nothing */
} touches;

static int at_wall(const scri_spheres* s, int wall, int32_t i)
{
    return (s->walls >> wall & 1u) && scri_wall_gap(s, wall, i) < touch;
}

static void number_bodies(const scri_spheres* s, touches* t)
{
    for (int32_t i = 0; i < s->n; ++i) t->body[i] = -1;
    for (int32_t c = 0; c < t->n; ++c) {
        t->body[t->contacts[c].a] = 0;
        if (t->contacts[c].b >= 0) t->body[t->contacts[c].b] = 0;
    }
    for (int32_t i = 0; i < s->n; ++i) {
        if (t->body[i] == 0) t->body[i] = t->n_bodies++;
    }
}

static scree_status find_touches(scri_arena* arena, scri_near_pairs* near, const scri_spheres* s,
                                 touches* out)
{
    *out = (touches){.n = 0};
    scree_status status = scri_near_pairs_find(near, s, touch);
    if (status) return status;
    size_t room = near->n + SCRI_N_WALLS * (size_t)s->n, next = 0;
    out->contacts = scri_arena_take(arena, room, sizeof *out->contacts);
    out->body = scri_arena_take(arena, (size_t)s->n, sizeof *out->body);
    if (!out->contacts || !out->body) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < s->n; ++i) {
        for (int wall = 0; wall < SCRI_N_WALLS; ++wall) {
            if (at_wall(s, wall, i)) out->contacts[out->n++] = (contact){i, -1, wall};
        }
        for (; next < near->n && near->pair[2 * next] == i; ++next) {
            out->contacts[out->n++] = (contact){i, near->pair[2 * next + 1], -1};
        }
    }
    number_bodies(s, out);
    return SCREE_OK;
}

/* ---- the problem ---- */

/* The arrays of a problem while they are written. */
typedef struct build {
    int32_t* first_row;
    uint8_t *rows, *law;
    double *coef, *q, *inv_mass, *inv_inertia, *frame, *arm;
    int32_t* pair;
} build;

static scree_status take_problem(scri_arena* arena, const touches* t, int width, build* b)
{
    size_t n = (size_t)t->n, n_bodies = (size_t)t->n_bodies;
    b->first_row = scri_arena_take(arena, n + 1, sizeof *b->first_row);
    b->rows = scri_arena_take(arena, n, sizeof *b->rows);
    b->law = scri_arena_take(arena, n, sizeof *b->law);
    b->coef = scri_arena_take(arena, 3 * n, sizeof *b->coef);
    b->q = scri_arena_take(arena, (size_t)width * n, sizeof *b->q);
    b->inv_mass = scri_arena_take(arena, n_bodies, sizeof *b->inv_mass);
    b->inv_inertia = scri_arena_take(arena, 6 * n_bodies, sizeof *b->inv_inertia);
    b->pair = scri_arena_take(arena, 2 * n, sizeof *b->pair);
    b->frame = scri_arena_take(arena, 9 * n, sizeof *b->frame);
    b->arm = scri_arena_take(arena, 6 * n, sizeof *b->arm);
    int failed = !b->first_row || !b->rows || !b->law || !b->coef || !b->q || !b->inv_mass ||
                 !b->inv_inertia || !b->pair || !b->frame || !b->arm;
    return failed ? SCREE_ERROR_MEMORY : SCREE_OK;
}

static void fill_bodies(const scree_packing_def* def, const scri_spheres* s, const touches* t,
                        const build* out)
{
    for (int32_t i = 0; i < s->n; ++i) {
        if (t->body[i] < 0) continue;
        size_t b = (size_t)t->body[i];
        double radius = def->radius * s->radius[i];
        double mass = def->density * 4.0 / 3.0 * SCREE_PI * radius * radius * radius;
        out->inv_mass[b] = 1.0 / mass;
        for (size_t k = 0; k < 3; ++k) out->inv_inertia[6 * b + k] = 2.5 / (mass * radius * radius);
    }
}

/* From the second body or the wall to the first body. */
static scri_vec normal_of(const scri_spheres* s, const contact* c)
{
    if (c->b < 0) {
        double n[3] = {0.0, 0.0, 0.0};
        n[c->wall / 2] = c->wall % 2 ? -1.0 : 1.0;
        return scri_vec_load(n);
    }
    scri_vec line = scri_vec_sub(scri_vec_load(s->centre + 3 * (size_t)c->a),
                                 scri_vec_load(s->centre + 3 * (size_t)c->b));
    return scri_vec_scale(1.0 / scri_vec_length(line), line);
}

static void fill_contacts(const scree_packing_def* def, const scri_spheres* s, const touches* t,
                          const build* out)
{
    int width = scree_rows_width((int)def->rows);
    for (int32_t c = 0; c < t->n; ++c) {
        const contact* from = t->contacts + c;
        size_t at = (size_t)c;
        scri_vec n = normal_of(s, from), t1, t2;
        scri_vec_tangents(n, &t1, &t2);
        scri_vec_store(n, out->frame + 9 * at);
        scri_vec_store(t1, out->frame + 9 * at + 3);
        scri_vec_store(t2, out->frame + 9 * at + 6);
        scri_vec_store(scri_vec_scale(-def->radius * s->radius[from->a], n), out->arm + 6 * at);
        out->pair[2 * at] = t->body[from->a];
        out->pair[2 * at + 1] = -1;
        if (from->b >= 0) {
            out->pair[2 * at + 1] = t->body[from->b];
            scri_vec_store(scri_vec_scale(def->radius * s->radius[from->b], n),
                           out->arm + 6 * at + 3);
        }
        out->first_row[c + 1] = out->first_row[c] + width;
        out->rows[c] = (uint8_t)def->rows;
        out->law[c] = (uint8_t)def->law;
        out->coef[3 * at] = def->mu;
        out->coef[3 * at + 1] = def->mu_r_share * def->radius;
        out->coef[3 * at + 2] = def->mu_s_share * def->radius;
    }
}

/* Velocities after a step of free fall. Each number depends on the sphere's own place in the
 * packing alone. */
static void fill_velocities(const scree_packing_def* def, const scri_spheres* s, const touches* t,
                            double* velocity)
{
    double fall = def->gravity * def->step, speed = def->noise * fall;
    for (int32_t i = 0; i < s->n; ++i) {
        if (t->body[i] < 0) continue;
        double* v = velocity + SCRI_BODY_STRIDE * (size_t)t->body[i];
        scri_random random = {def->seed, STREAM_VELOCITY, 6 * (uint64_t)i};
        for (int k = 0; k < 6; ++k) {
            double size = k < 3 ? speed : speed / (def->radius * s->radius[i]);
            v[k] = size * (2.0 * scri_random_uniform(&random) - 1.0);
        }
        v[2] -= fall;
    }
}

static scree_status fill_problem(scri_arena* arena, const scree_packing_def* def,
                                 const scri_spheres* s, const touches* t, scree_problem* out)
{
    build b;
    int width = scree_rows_width((int)def->rows);
    scree_status status = take_problem(arena, t, width, &b);
    double* velocity =
        scri_arena_take(arena, SCRI_BODY_STRIDE * (size_t)t->n_bodies, sizeof *velocity);
    if (status || !velocity) return SCREE_ERROR_MEMORY;
    fill_bodies(def, s, t, &b);
    fill_contacts(def, s, t, &b);
    fill_velocities(def, s, t, velocity);
    *out = (scree_problem){.n_contacts = t->n,
                           .form = SCREE_FORM_BODIES,
                           .first_row = b.first_row,
                           .rows = b.rows,
                           .law = b.law,
                           .coef = b.coef,
                           .q = b.q,
                           .bodies = {.n_bodies = t->n_bodies,
                                      .inv_mass = b.inv_mass,
                                      .inv_inertia = b.inv_inertia,
                                      .pair = b.pair,
                                      .frame = b.frame,
                                      .arm = b.arm}};
    for (int32_t c = 0; c < t->n; ++c) {
        scri_bodies_add_relative(&out->bodies, velocity, c, width, b.q + b.first_row[c]);
    }
    return SCREE_OK;
}

/* `scratch` is given back when the problem stands, `arena` with the problem. */
static scree_status create(const scree_env* env, const scree_packing_def* def, scri_arena* scratch,
                           scri_arena* arena, scree_problem* out)
{
    scri_spheres spheres;
    touches t;
    scri_near_pairs near = {.env = env};
    scree_status status =
        def->kind == SCREE_PACKING_PYRAMID   ? scri_packing_pyramid(scratch, def, &spheres)
        : def->kind == SCREE_PACKING_LATTICE ? scri_packing_lattice(scratch, def, &spheres)
                                             : scri_packing_random(env, scratch, def, &spheres);
    if (!status) status = find_touches(scratch, &near, &spheres, &t);
    if (!status) status = fill_problem(arena, def, &spheres, &t, out);
    scri_near_pairs_release(&near);
    return status;
}

scree_status scree_packing_create(const scree_env* env, const scree_packing_def* def,
                                  scree_problem_store* out)
{
    if (!def || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "packing: a pointer is NULL");
    *out = (scree_problem_store){.memory = NULL};
    scree_status status = check_def(env, def);
    if (status) return status;
    scri_arena* scratch = scri_arena_create(env);
    out->memory = scri_arena_create(env);
    status = scratch && out->memory ? create(env, def, scratch, out->memory, &out->problem)
                                    : SCREE_ERROR_MEMORY;
    scri_arena_destroy(scratch);
    if (!status) return SCREE_OK;
    scree_problem_store_release(out);
    return scri_fail(env, status, "out of memory for a packing of %d contacts", (int)def->contacts);
}
