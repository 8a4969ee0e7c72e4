/* A problem of rigid bodies, piece by piece: lists that grow, then one set of arrays. */
#include "base/arena.h"
#include "base/env.h"
#include "base/fill.h"
#include "laws/law.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "sets/set.h"

#include <math.h>
#include <string.h>

/* Moments of inertia that differ by more than this have no inverse worth the name. */
#define RANK_TOLERANCE 1e-14

/* A direction with less than this of its length across the normal is none. */
#define SHORTEST_TANGENT 1e-6

enum { SETS = 4 };

typedef struct list {
    void* item;
    int32_t n, room;
} list;

struct scree_problem_builder {
    scree_env env;
    list bodies, contacts; /* of scree_builder_body, scree_builder_contact */
    scree_status status;   /* of the first thing that went wrong */
};

scree_status scree_problem_builder_create(const scree_env* env, scree_problem_builder** out)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    *out = scri_alloc(env, sizeof **out);
    if (!*out) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a problem");
    **out = (scree_problem_builder){.status = SCREE_OK};
    if (env) (*out)->env = *env;
    return SCREE_OK;
}

/* ---- what is added ---- */

static int32_t refuse(scree_problem_builder* b, scree_status status, const char* what, int32_t i,
                      const char* fault)
{
    status = scri_fail(&b->env, status, "%s %d: %s", what, (int)i, fault);
    if (!b->status) b->status = status;
    return -1;
}

/* The number of a copy of `item` at the end of the list; -1 where memory is short. */
static int32_t append(const scree_env* env, list* l, const void* item, size_t size)
{
    if (l->n == l->room) {
        int32_t room = l->room < 8 ? 8 : l->room > INT32_MAX / 2 ? INT32_MAX : 2 * l->room;
        void* grown = room > l->n ? scri_alloc(env, (size_t)room * size) : NULL;
        if (!grown) return -1;
        if (l->n > 0) memcpy(grown, l->item, (size_t)l->n * size);
        scri_release(env, l->item);
        l->item = grown;
        l->room = room;
    }
    memcpy((char*)l->item + (size_t)l->n * size, item, size);
    return l->n++;
}

static int all_finite(const double* x, int n)
{
    int finite = 1;
    for (int i = 0; i < n; ++i) finite &= isfinite(x[i]) != 0;
    return finite;
}

/* The inverse of a symmetric matrix xx yy zz xy xz yz; 0 unless it is positive definite. */
static int invert(const double m[6], double out[6])
{
    double xx = m[1] * m[2] - m[5] * m[5], yy = m[0] * m[2] - m[4] * m[4];
    double zz = m[0] * m[1] - m[3] * m[3], xy = m[4] * m[5] - m[3] * m[2];
    double xz = m[3] * m[5] - m[4] * m[1], yz = m[3] * m[4] - m[0] * m[5];
    double det = m[0] * xx + m[3] * xy + m[4] * xz;
    if (!(m[0] > 0.0 && zz > 0.0 && det > RANK_TOLERANCE * (m[0] * m[1] * m[2]))) return 0;
    const double adjoint[6] = {xx, yy, zz, xy, xz, yz};
    for (int i = 0; i < 6; ++i) out[i] = adjoint[i] / det;
    return all_finite(out, 6);
}

int32_t scree_problem_builder_add_body_sized(scree_problem_builder* builder,
                                             const scree_builder_body* body, size_t size)
{
    double inverse[6];
    if (!builder) return -1;
    int32_t i = builder->bodies.n;
    if (!body) return refuse(builder, SCREE_ERROR_ARGUMENT, "body", i, "there is none");
    scree_builder_body own;
    if (!scri_take_sized(&own, sizeof own, body, size)) {
        return refuse(builder, SCREE_ERROR_ARGUMENT, "body", i, "it says more than is known here");
    }
    body = &own;
    if (!(body->mass >= 0.0 && isfinite(body->mass))) {
        return refuse(builder, SCREE_ERROR_INPUT, "body", i, "its mass must not be negative");
    }
    if (body->mass > 0.0 && !invert(body->inertia, inverse)) {
        return refuse(builder, SCREE_ERROR_INPUT, "body", i,
                      "its inertia is not positive definite");
    }
    if (!all_finite(body->position, 3) || !all_finite(body->velocity, 3) ||
        !all_finite(body->angular_velocity, 3)) {
        return refuse(builder, SCREE_ERROR_INPUT, "body", i, "its state is not finite");
    }
    if (append(&builder->env, &builder->bodies, body, sizeof *body) >= 0) return i;
    return refuse(builder, SCREE_ERROR_MEMORY, "body", i, "out of memory");
}

int32_t scree_problem_builder_add_contact_sized(scree_problem_builder* builder,
                                                const scree_builder_contact* contact, size_t size)
{
    if (!builder) return -1;
    int32_t c = builder->contacts.n;
    if (!contact) return refuse(builder, SCREE_ERROR_ARGUMENT, "contact", c, "there is none");
    scree_builder_contact own;
    if (!scri_take_sized(&own, sizeof own, contact, size)) {
        return refuse(builder, SCREE_ERROR_ARGUMENT, "contact", c,
                      "it says more than is known here");
    }
    contact = &own;
    for (int side = 0; side < 2; ++side) {
        if (contact->body[side] >= -1 && contact->body[side] < builder->bodies.n) continue;
        return refuse(builder, SCREE_ERROR_INPUT, "contact", c, "no body has this number");
    }
    double length = scri_vec_length(scri_vec_load(contact->normal));
    if (!(length > 0.0 && isfinite(length))) {
        return refuse(builder, SCREE_ERROR_INPUT, "contact", c, "its normal has no direction");
    }
    if (!all_finite(contact->point, 3) || !all_finite(contact->tangent, 3)) {
        return refuse(builder, SCREE_ERROR_INPUT, "contact", c, "its place is not finite");
    }
    if (contact->rows < 0 || contact->rows >= SCREE_ROWS_END || contact->law < 0 ||
        contact->law > UINT8_MAX) {
        return refuse(builder, SCREE_ERROR_INPUT, "contact", c, "its rows or its law are unknown");
    }
    if (append(&builder->env, &builder->contacts, contact, sizeof *contact) >= 0) return c;
    return refuse(builder, SCREE_ERROR_MEMORY, "contact", c, "out of memory");
}

/* ---- the arrays ---- */

/* Those of a problem, while they are written. */
typedef struct arrays {
    int32_t *first_row, *pair, *set;
    uint8_t *rows, *law;
    double *coef, *q, *inv_mass, *inv_inertia, *centre, *velocity, *frame, *arm;
} arrays;

static int take(scri_arena* arena, size_t n, size_t n_bodies, arrays* a)
{
    size_t real = sizeof(double);
    a->first_row = scri_arena_take(arena, n + 1, sizeof *a->first_row);
    a->pair = scri_arena_take(arena, 2 * n, sizeof *a->pair);
    a->set = scri_arena_take(arena, SETS * n, sizeof *a->set);
    a->rows = scri_arena_take(arena, n, 1);
    a->law = scri_arena_take(arena, n, 1);
    a->coef = scri_arena_take(arena, 3 * n, real);
    a->q = scri_arena_take(arena, SCRI_MAX_WIDTH * n, real);
    a->frame = scri_arena_take(arena, 9 * n, real);
    a->arm = scri_arena_take(arena, 6 * n, real);
    a->inv_mass = scri_arena_take(arena, n_bodies, real);
    a->inv_inertia = scri_arena_take(arena, 6 * n_bodies, real);
    a->centre = scri_arena_take(arena, 3 * n_bodies, real);
    a->velocity = scri_arena_take(arena, SCRI_BODY_STRIDE * n_bodies, real);
    return a->first_row && a->pair && a->set && a->rows && a->law && a->coef && a->q && a->frame &&
           a->arm && a->inv_mass && a->inv_inertia && a->centre && a->velocity;
}

static void write_bodies(const scree_problem_builder* b, arrays* a)
{
    const scree_builder_body* body = b->bodies.item;
    for (size_t i = 0; i < (size_t)b->bodies.n; ++i, ++body) {
        double* v = a->velocity + SCRI_BODY_STRIDE * i;
        memcpy(v, body->velocity, sizeof body->velocity);
        memcpy(v + 3, body->angular_velocity, sizeof body->angular_velocity);
        memcpy(a->centre + 3 * i, body->position, sizeof body->position);
        if (!(body->mass > 0.0)) continue;
        a->inv_mass[i] = 1.0 / body->mass;
        invert(body->inertia, a->inv_inertia + 6 * i);
    }
}

/* n, t1, t2: t1 along the tangent given where that has a direction across n. */
static void write_frame(const scree_builder_contact* contact, double* frame)
{
    scri_vec n = scri_vec_load(contact->normal), along = scri_vec_load(contact->tangent), t1, t2;
    n = scri_vec_scale(1.0 / scri_vec_length(n), n);
    scri_vec flat = scri_vec_add_scaled(along, -scri_vec_dot(along, n), n);
    double length = scri_vec_length(flat);
    scri_vec_tangents(n, &t1, &t2);
    if (length > SHORTEST_TANGENT * scri_vec_length(along)) {
        t1 = scri_vec_scale(1.0 / length, flat);
        t1 = scri_vec_add_scaled(t1, -scri_vec_dot(t1, n), n); /* what cancelled left rounding */
        t1 = scri_vec_scale(1.0 / scri_vec_length(t1), t1);
        t2 = scri_vec_cross(n, t1);
    }
    scri_vec_store(n, frame);
    scri_vec_store(t1, frame + 3);
    scri_vec_store(t2, frame + 6);
}

static int rows_of(const scree_builder_contact* contact)
{
    const double* coef = contact->coef;
    if (contact->rows) return contact->rows;
    if (coef[1] > 0.0) return coef[2] > 0.0 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTTRR;
    if (coef[2] > 0.0) return SCREE_ROWS_NTTS;
    return coef[0] > 0.0 ? SCREE_ROWS_NTT : SCREE_ROWS_N;
}

static void write_contact(const scree_problem_builder* b, int32_t c, arrays* a)
{
    const scree_builder_contact* contact = (const scree_builder_contact*)b->contacts.item + c;
    const scree_builder_body* bodies = b->bodies.item;
    size_t i = (size_t)c;
    int rows = rows_of(contact);
    a->rows[i] = (uint8_t)rows;
    a->law[i] = (uint8_t)contact->law;
    a->first_row[i + 1] = a->first_row[i] + scree_rows_width(rows);
    memcpy(a->coef + 3 * i, contact->coef, sizeof contact->coef);
    write_frame(contact, a->frame + 9 * i);
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = contact->body[side];
        a->pair[2 * i + side] = body;
        for (size_t k = 0; body >= 0 && k < 3; ++k) {
            a->arm[6 * i + 3 * side + k] = contact->point[k] - bodies[body].position[k];
        }
    }
}

/* ---- sets ---- */

/* Object i of all contacts. */
static const scree_set* set_at(const scree_problem_builder* b, size_t i)
{
    return ((const scree_builder_contact*)b->contacts.item)[i / SETS].set[i % SETS];
}

/* The first of all that is object i: what has one address is one set. */
static size_t first_of(const scree_problem_builder* b, size_t i)
{
    size_t first = 0;
    while (set_at(b, first) != set_at(b, i)) ++first;
    return first;
}

/* Numbers in a pool; 0 where memory is short. */
static int write_sets(const scree_problem_builder* b, scri_arena* arena, arrays* a,
                      scree_problem* out)
{
    size_t n = SETS * (size_t)b->contacts.n, n_sets = 0, n_table = 0;
    for (size_t i = 0; i < n; ++i) {
        if (!set_at(b, i) || first_of(b, i) < i) continue;
        n_sets += 1;
        n_table += (size_t)scree_set_table_size(set_at(b, i));
    }
    if (n_sets == 0) return 1;
    scri_set_pool pool = {.value = scri_arena_take(arena, n_sets, sizeof *pool.value),
                          .table = scri_arena_take(arena, n_table, sizeof *pool.table)};
    if (!pool.value || !pool.table || n_table > INT32_MAX) return 0;
    for (size_t i = 0; i < n; ++i) {
        const scree_set* set = set_at(b, i);
        size_t first = set ? first_of(b, i) : i;
        a->set[i] = !set ? -1 : first < i ? a->set[first] : scri_set_pool_add(&pool, set);
    }
    out->set = a->set;
    out->sets = scri_set_pool_view(&pool);
    return 1;
}

/* ---- the end ---- */

static scree_status make(const scree_problem_builder* b, scri_arena* arena, scree_problem* out)
{
    size_t n = (size_t)b->contacts.n, n_bodies = (size_t)b->bodies.n;
    arrays a;
    if (!take(arena, n, n_bodies, &a) || !write_sets(b, arena, &a, out)) return SCREE_ERROR_MEMORY;
    write_bodies(b, &a);
    for (int32_t c = 0; c < b->contacts.n; ++c) write_contact(b, c, &a);
    out->n_contacts = b->contacts.n;
    out->form = SCREE_FORM_BODIES;
    out->first_row = a.first_row;
    out->rows = a.rows;
    out->law = a.law;
    out->coef = a.coef;
    out->q = a.q;
    out->bodies =
        (scree_bodies){b->bodies.n, a.inv_mass, a.inv_inertia, a.pair, a.frame, a.arm, NULL, NULL};
    out->centre = a.centre;
    for (int32_t c = 0; c < b->contacts.n; ++c) {
        scri_bodies_add_relative(&out->bodies, a.velocity, c, scree_rows_width(a.rows[c]),
                                 a.q + a.first_row[c]);
    }
    return SCREE_OK;
}

scree_status scree_problem_builder_finish(scree_problem_builder* builder, scree_problem_store* out)
{
    if (out) *out = (scree_problem_store){.memory = NULL};
    if (!builder) return SCREE_ERROR_ARGUMENT;
    scree_env env = builder->env;
    scree_status status = out ? builder->status : SCREE_ERROR_ARGUMENT;
    scri_arena* arena = status ? NULL : scri_arena_create(&env);
    if (!status) status = arena ? make(builder, arena, &out->problem) : SCREE_ERROR_MEMORY;
    if (status == SCREE_ERROR_MEMORY) scri_fail(&env, status, "out of memory for a problem");
    if (!status) status = scree_problem_validate(&env, &out->problem);
    scri_release(&env, builder->bodies.item);
    scri_release(&env, builder->contacts.item);
    scri_release(&env, builder);
    if (out) out->memory = arena;
    if (status && out) scree_problem_store_release(out);
    return status;
}
