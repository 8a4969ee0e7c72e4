/* What a system holds: checked, copied, shown. */
#include "system/system.h"

#include "base/env.h"
#include "base/fill.h"
#include "sets/set.h"

#include <math.h>
#include <string.h>

enum { MOST_COORDINATES = 1000, MOST_CONTACTS = 1000 };

void scree_system_def_init(scree_system_def* def)
{
    if (!def) return;
    const scree_system_def usual = {.struct_size = sizeof usual, .step = 1e-3, .tol = 1e-10};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* ---- validation ------------------------------------------------------------------------------ */

static scree_status check_sizes(const scree_env* env, const scree_system_def* def)
{
    const scree_system_model* model = &def->model;
    if (def->n < 1 || def->n > MOST_COORDINATES) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%d coordinates must be from 1 to %d", (int)def->n,
                         MOST_COORDINATES);
    }
    if (def->n_contacts < 0 || def->n_contacts > MOST_CONTACTS) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%d contacts must be from 0 to %d",
                         (int)def->n_contacts, MOST_CONTACTS);
    }
    if (!model->mass || (def->n_contacts > 0 && (!model->directions || !def->rows))) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "a system needs mass, and with contacts directions and rows");
    }
    if (!(def->step > 0.0 && isfinite(def->step)) || !(def->tol > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "step = %g s and tol = %g must be positive",
                         def->step, def->tol);
    }
    return SCREE_OK;
}

static scree_status check_restitution(const scree_env* env, const scree_system_def* def)
{
    for (int32_t c = 0; def->restitution && c < def->n_contacts; ++c) {
        double e = def->restitution[c];
        if (e >= 0.0 && e <= 1.0) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: restitution = %g must be from 0 to 1",
                         (int)c, e);
    }
    return SCREE_OK;
}

static scree_status check_state(const scree_env* env, const scree_system_def* def, double t,
                                const double* q, const double* u)
{
    int good = isfinite(t) != 0;
    for (int32_t i = 0; i < def->n; ++i) {
        good &= !q || isfinite(q[i]);
        good &= !u || isfinite(u[i]);
    }
    if (good) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "time, coordinates or velocities not finite");
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Copies `count` items to *out, or leaves zeros where there is nothing to copy. */
static int copy(scri_arena* arena, const void* from, size_t count, size_t size, void** out)
{
    *out = scri_arena_take(arena, count, size);
    if (*out && from && count > 0) memcpy(*out, from, count * size);
    return *out != NULL;
}

/* The first of the objects [0, i) that is object i; i itself where there is none. */
static size_t find_set(const scree_set* const* set, size_t i)
{
    size_t first = 0;
    while (set[first] != set[i]) ++first;
    return first;
}

/* Makes numbers in a pool of the objects of the def. */
static int copy_sets(scree_system* s)
{
    const scree_set* const* set = s->def.set;
    size_t n = 4 * (size_t)s->def.n_contacts, n_sets = 0, n_table = 0;
    if (!set) return 1;
    for (size_t i = 0; i < n; ++i) {
        if (!set[i] || find_set(set, i) < i) continue;
        n_sets += 1;
        n_table += (size_t)scree_set_table_size(set[i]);
    }
    scri_set_pool pool = {.value = scri_arena_take(s->arena, n_sets, sizeof *pool.value),
                          .table = scri_arena_take(s->arena, n_table, sizeof *pool.table)};
    s->set = scri_arena_take(s->arena, n, sizeof *s->set);
    if (!s->set || !pool.value || !pool.table || n_table > INT32_MAX) return 0;
    for (size_t i = 0; i < n; ++i) {
        size_t first = find_set(set, i);
        s->set[i] = !set[i] ? -1 : first < i ? s->set[first] : scri_set_pool_add(&pool, set[i]);
    }
    s->sets = scri_set_pool_view(&pool);
    s->def.set = NULL;
    return 1;
}

/* Replaces the borrowed arrays of the def by copies. */
static int copy_def(scree_system* s)
{
    scree_system_def* def = &s->def;
    size_t n = (size_t)def->n_contacts;
    void *rows, *law, *coef, *restitution;
    int good = copy(s->arena, def->rows, n, sizeof *def->rows, &rows) &&
               copy(s->arena, def->law, n, sizeof *def->law, &law) &&
               copy(s->arena, def->coef, 3 * n, sizeof *def->coef, &coef) &&
               copy(s->arena, def->restitution, n, sizeof *def->restitution, &restitution);
    if (!good) return 0;
    def->rows = rows;
    def->law = law; /* zeros are SCREE_LAW_DEFAULT */
    def->coef = coef;
    def->restitution = restitution;
    return copy_sets(s);
}

static int take_state(scree_system* s, const double* q, const double* u)
{
    size_t n = (size_t)s->def.n, n_contacts = (size_t)s->def.n_contacts;
    size_t n_rows = (size_t)s->n_rows, real = sizeof(double);
    void *own_q, *own_u;
    if (!copy(s->arena, q, n, real, &own_q) || !copy(s->arena, u, n, real, &own_u)) return 0;
    s->q = own_q;
    s->u = own_u;
    s->p = scri_arena_take(s->arena, n_rows, real);
    s->y = scri_arena_take(s->arena, n_rows, real);
    s->closed = scri_arena_take(s->arena, n_contacts, sizeof *s->closed);
    s->coef = scri_arena_take(s->arena, 3 * n_contacts, real);
    s->middle = scri_arena_take(s->arena, n, real);
    s->free = scri_arena_take(s->arena, n, real);
    s->rate = scri_arena_take(s->arena, n, real);
    s->mass = scri_arena_take(s->arena, n * n, real);
    s->force = scri_arena_take(s->arena, n, real);
    s->gap = scri_arena_take(s->arena, n_contacts, real);
    s->w = scri_arena_take(s->arena, n_rows * n, real);
    s->chi = scri_arena_take(s->arena, n_rows, real);
    s->yield = scri_arena_take(s->arena, n_rows * n, real);
    s->before = scri_arena_take(s->arena, n_rows, real);
    return s->p && s->y && s->closed && s->coef && s->middle && s->free && s->rate && s->mass &&
           s->force && s->gap && s->w && s->chi && s->yield && s->before;
}

static int take_contacts(scree_system* s)
{
    scri_closed* k = &s->contacts;
    size_t n = (size_t)s->def.n_contacts, n_rows = (size_t)s->n_rows, real = sizeof(double);
    k->contact = scri_arena_take(s->arena, n, sizeof *k->contact);
    k->first_row = scri_arena_take(s->arena, n + 1, sizeof *k->first_row);
    k->rows = scri_arena_take(s->arena, n, sizeof *k->rows);
    k->law = scri_arena_take(s->arena, n, sizeof *k->law);
    k->coef = scri_arena_take(s->arena, 3 * n, real);
    k->q = scri_arena_take(s->arena, n_rows, real);
    k->p = scri_arena_take(s->arena, n_rows, real);
    k->set = scri_arena_take(s->arena, 4 * n, sizeof *k->set);
    k->start = scri_arena_take(s->arena, n + 1, sizeof *k->start);
    k->column = scri_arena_take(s->arena, n * n, sizeof *k->column);
    k->offset = scri_arena_take(s->arena, n * n + 1, sizeof *k->offset);
    k->value = scri_arena_take(s->arena, n_rows * n_rows, real);
    return k->contact && k->first_row && k->rows && k->law && k->coef && k->q && k->p && k->set &&
           k->start && k->column && k->offset && k->value;
}

static void view_contacts(scree_system* s)
{
    const scri_closed* k = &s->contacts;
    s->problem = (scree_problem){.form = SCREE_FORM_ASSEMBLED,
                                 .first_row = k->first_row,
                                 .rows = k->rows,
                                 .law = k->law,
                                 .coef = k->coef,
                                 .set = s->set ? k->set : NULL,
                                 .sets = s->sets,
                                 .q = k->q,
                                 .w = {k->start, k->column, k->offset, k->value}};
}

/* ---- contacts: checked as a problem of their own --------------------------------------------- */

/* Row offsets; a contact with unknown rows has none, and is refused by the check below. */
static int number_rows(scree_system* s)
{
    s->first_row = scri_arena_take(s->arena, (size_t)s->def.n_contacts + 1, sizeof *s->first_row);
    if (!s->first_row) return 0;
    for (int32_t c = 0; c < s->def.n_contacts; ++c) {
        s->first_row[c + 1] = s->first_row[c] + scree_rows_width(s->def.rows[c]);
    }
    s->n_rows = s->first_row[s->def.n_contacts];
    return 1;
}

/* As a problem without any coupling: the arrays of W are still zero. */
static scree_status check_contacts(scree_system* s)
{
    scree_problem alone = s->problem;
    alone.n_contacts = s->def.n_contacts;
    alone.first_row = s->first_row;
    alone.rows = s->def.rows;
    alone.law = s->def.law;
    alone.coef = s->def.coef;
    alone.set = s->set;
    return scree_problem_validate(&s->env, &alone);
}

scree_status scree_system_create(const scree_env* env, const scree_system_def* def, double t,
                                 const double* q, const double* u, scree_system** out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_system_def");
    if (!status) status = check_sizes(env, def);
    if (!status) status = check_restitution(env, def);
    if (!status) status = check_state(env, def, t, q, u);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    scree_system* s = arena ? scri_arena_take(arena, 1, sizeof *s) : NULL;
    if (s) *s = (scree_system){.def = *def, .arena = arena, .begin = t};
    if (s && env) s->env = *env;
    if (!s || !copy_def(s) || !number_rows(s) || !take_state(s, q, u) || !take_contacts(s)) {
        scri_arena_destroy(arena);
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a system");
    }
    view_contacts(s);
    status = check_contacts(s);
    if (status) {
        scri_arena_destroy(arena);
        return status;
    }
    *out = s;
    return SCREE_OK;
}

void scree_system_destroy(scree_system* system)
{
    if (!system) return;
    scri_release(&system->env, system->work);
    scri_arena_destroy(system->arena);
}

double scri_system_time(const scree_system* system)
{
    return system->begin + (double)system->steps * system->def.step;
}

void scree_system_fill_view(const scree_system* system, scree_system_view* view)
{
    if (!view) return;
    scree_system_view whole = {.struct_size = sizeof whole};
    if (system) {
        whole = (scree_system_view){.time = scri_system_time(system),
                                    .steps = system->steps,
                                    .n = system->def.n,
                                    .n_contacts = system->def.n_contacts,
                                    .n_rows = system->n_rows,
                                    .q = system->q,
                                    .u = system->u,
                                    .p = system->p,
                                    .y = system->y,
                                    .first_row = system->first_row,
                                    .closed = system->closed};
    }
    scri_fill(view, view->struct_size, &whole, sizeof whole);
}
