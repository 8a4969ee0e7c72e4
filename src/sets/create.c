/* Sets are made from a def, copied, and checked where they come from elsewhere. */
#include "base/env.h"
#include "base/fill.h"
#include "sets/kind.h"

#include <string.h>

enum { MOST_POINTS = 10000000 };

#define TURN_ERROR 1e-12 /* of cos^2 + sin^2 */

static const scri_set_kind* const kinds[SCREE_SET_KIND_COUNT] = {
    [SCREE_SET_DISC] = &scri_set_disc,           [SCREE_SET_ELLIPSE] = &scri_set_ellipse,
    [SCREE_SET_RECTANGLE] = &scri_set_rectangle, [SCREE_SET_SUPERELLIPSE] = &scri_set_superellipse,
    [SCREE_SET_RUNNER] = &scri_set_runner,       [SCREE_SET_POLYGON] = &scri_set_polygon,
    [SCREE_SET_ASPERITY] = &scri_set_asperity,   [SCREE_SET_POLAR] = &scri_set_polar,
};

const char* scree_set_kind_name(int kind)
{
    return kind >= 0 && kind < SCREE_SET_KIND_COUNT ? kinds[kind]->name : NULL;
}

/* Doubles of the table of a set. */
static size_t table_size(const scree_set_value* value)
{
    return (size_t)value->n * (size_t)kinds[value->kind]->table_width;
}

scree_status scri_set_check_size(const scree_env* env, const char* kind, const char* name,
                                 double size)
{
    if (size >= SCRI_SET_SMALLEST && size <= SCRI_SET_LARGEST) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "%s: %s (with its scale) is %g, not within %g .. %g",
                     kind, name, size, SCRI_SET_SMALLEST, SCRI_SET_LARGEST);
}

/* Memory for a set and n doubles after it, all of it zero. */
static scree_set* take(const scree_env* env, size_t n)
{
    scree_set* set = scri_alloc(env, sizeof *set + n * sizeof *set->table);
    if (!set) return NULL;
    memset(set, 0, sizeof *set + n * sizeof *set->table);
    if (env) set->env = *env;
    set->memory = set;
    set->table = n ? (double*)(set + 1) : NULL;
    return set;
}

/* Near 1 the set has an edge all around, which nothing here is made for. */
static int is_spin_power(double s)
{
    return s == 0.0 || (s >= 0.2 && s <= 0.9) || (s >= 1.1 && s <= 100.0);
}

static scree_status check_def(const scree_env* env, const scree_set_def* def)
{
    const char* name = scree_set_kind_name((int)def->kind);
    if (!name) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: there is no kind %d", (int)def->kind);
    }
    if (!isfinite(def->angle)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: angle is %g", name, def->angle);
    }
    if (!(def->scale >= 0.0 && def->scale <= SCRI_SET_LARGEST)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: scale is %g, not within 0 .. %g", name,
                         def->scale, SCRI_SET_LARGEST);
    }
    if (!is_spin_power(def->spin_power)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "%s: spin_power is %g, not 0 and not within 0.2 .. 0.9 or 1.1 .. 100",
                         name, def->spin_power);
    }
    if (kinds[def->kind]->table_width == 0) return SCREE_OK;
    if (def->n < 3 || def->n > MOST_POINTS) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: n is %d, but it takes 3 .. %d points", name,
                         (int)def->n, (int)MOST_POINTS);
    }
    if (!def->points) return scri_fail(env, SCREE_ERROR_ARGUMENT, "%s: points is NULL", name);
    for (int32_t i = 0; i < 2 * def->n; ++i) {
        if (!isfinite(def->points[i])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "%s: point %d is (%g, %g)", name, (int)(i / 2),
                             def->points[i - i % 2], def->points[i - i % 2 + 1]);
        }
    }
    return SCREE_OK;
}

/* A superellipse with s = 2 is an ellipse, which needs no powers. */
static void simplify(scree_set_value* value)
{
    if (value->kind == SCREE_SET_SUPERELLIPSE && value->s == 2.0) value->kind = SCREE_SET_ELLIPSE;
}

static scree_status create(const scree_env* env, const scree_set_def* def, scree_set** out)
{
    scree_status status = check_def(env, def);
    if (status) return status;
    const scri_set_kind* kind = kinds[def->kind];
    int32_t n = kind->table_width > 0 ? def->n : 0;
    scree_set* set = take(env, (size_t)n * (size_t)kind->table_width);
    if (!set) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", kind->name);
    set->value = (scree_set_value){.kind = (int32_t)def->kind,
                                   .turn = {cos(def->angle), sin(def->angle)},
                                   .spin_power = def->spin_power,
                                   .n = n};
    status = kind->fill(env, def, def->scale > 0.0 ? def->scale : 1.0, set);
    if (!status) status = kind->check(env, scri_set_of(set));
    if (!status) status = kind->derive(env, set);
    if (status) {
        scree_set_destroy(set);
        return status;
    }
    simplify(&set->value);
    *out = set;
    return SCREE_OK;
}

scree_status scree_set_create_sized(const scree_env* env, const scree_set_def* def, size_t size,
                                    scree_set** out)
{
    scree_set_def own;
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: out is NULL");
    *out = NULL;
    if (!def) return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: def is NULL");
    if (!scri_take_sized(&own, sizeof own, def, size)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "set: the def says more than is known here");
    }
    return create(env, &own, out);
}

void scree_set_destroy(scree_set* set)
{
    if (!set) return;
    scree_env env = set->env;
    scri_release(&env, set);
}

scree_status scri_set_clone(const scree_env* env, const scree_set* set, scree_set** out)
{
    size_t n = table_size(&set->value);
    scree_set* copy = take(env, n);
    *out = copy;
    if (!copy) return scri_fail(env, SCREE_ERROR_MEMORY, "set: out of memory");
    copy->value = set->value;
    if (n) memcpy(copy->table, set->table, n * sizeof *copy->table);
    return SCREE_OK;
}

/* ---- plain values ---- */

int32_t scree_set_table_size(const scree_set* set)
{
    if (!set) return 0;
    return (int32_t)table_size(&set->value);
}

void scree_set_store(const scree_set* set, int32_t first, scree_set_value* value, double* table)
{
    if (!set || !value) return;
    size_t n = table_size(&set->value);
    *value = set->value;
    value->table = n ? first : 0;
    if (n) memcpy(table + first, set->table, n * sizeof *table);
}

/* Whether the table lies within the pool and holds numbers. */
static int has_table(const scree_sets* sets, const scree_set_value* value)
{
    int width = kinds[value->kind]->table_width;
    if (width == 0) return value->n == 0 && value->table == 0;
    if (value->n < 3 || value->n > MOST_POINTS || value->table < 0) return 0;
    if ((int64_t)value->table + (int64_t)value->n * width > sets->n_table) return 0;
    for (size_t i = 0; i < table_size(value); ++i) {
        if (!isfinite(sets->table[(size_t)value->table + i])) return 0;
    }
    return 1;
}

scree_status scri_set_check(const scree_env* env, const scree_sets* sets, int32_t i)
{
    const scree_set_value* value = sets->value + i;
    if (!scree_set_kind_name(value->kind)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "set %d: there is no kind %d", (int)i,
                         (int)value->kind);
    }
    const scri_set_kind* kind = kinds[value->kind];
    const double *turn = value->turn, square = turn[0] * turn[0] + turn[1] * turn[1];
    const char* fault = NULL;
    if (!has_table(sets, value)) {
        fault = "its table";
    } else if (!(fabs(square - 1.0) <= TURN_ERROR)) {
        fault = "its turn";
    } else if (!is_spin_power(value->spin_power)) {
        fault = "its spin power";
    } else if (kind->check(NULL, scri_set_at(sets, i))) { /* one message is enough */
        fault = "a size";
    } else if (!kind->is_derived(scri_set_at(sets, i))) {
        fault = "what follows from its sizes";
    }
    if (!fault) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "set %d, of kind %s: %s is not right", (int)i,
                     kind->name, fault);
}

/* ---- pools ---- */

/* Memory for `room` things of `size`, with the first `used` of them copied. */
static void* grown(const scree_env* env, const void* from, size_t used, size_t room, size_t size)
{
    void* memory = scri_alloc(env, room * size);
    if (memory && used) memcpy(memory, from, used * size);
    return memory;
}

int scri_set_pool_reserve(const scree_env* env, scri_set_pool* pool, int32_t n, int64_t n_table)
{
    if (n_table > INT32_MAX) return 0;
    if (n > pool->room) {
        int32_t room = n > INT32_MAX / 2 ? n : n + n / 2;
        void* value = grown(env, pool->value, (size_t)pool->n, (size_t)room, sizeof *pool->value);
        if (!value) return 0;
        scri_release(env, pool->value);
        pool->value = value;
        pool->room = room;
    }
    if (n_table > pool->table_room) {
        void* table =
            grown(env, pool->table, (size_t)pool->n_table, (size_t)n_table, sizeof *pool->table);
        if (!table) return 0;
        scri_release(env, pool->table);
        pool->table = table;
        pool->table_room = (int32_t)n_table;
    }
    return 1;
}

int32_t scri_set_pool_add(scri_set_pool* pool, const scree_set* set)
{
    scree_set_store(set, pool->n_table, pool->value + pool->n, pool->table);
    pool->n_table += scree_set_table_size(set);
    return pool->n++;
}

scree_sets scri_set_pool_view(const scri_set_pool* pool)
{
    return (scree_sets){pool->n, pool->n_table, pool->value, pool->table};
}

void scri_set_pool_release(const scree_env* env, scri_set_pool* pool)
{
    scri_release(env, pool->value);
    scri_release(env, pool->table);
    *pool = (scri_set_pool){0};
}
