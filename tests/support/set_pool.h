/* Sets as tests hold them, objects, made into the plain data that laws and problems take. */
#ifndef SUPPORT_SET_POOL_H
#define SUPPORT_SET_POOL_H

#include "laws/law.h"
#include "sets/set.h"
#include "support/problems.h"

/* Numbers of n objects, in `pool`; the same object gets one number, NULL gets -1. */
static inline void pool_objects(scri_set_pool* pool, const scree_set* const* object, size_t n,
                                int32_t* number)
{
    for (size_t i = 0; i < n; ++i) {
        size_t first = 0;
        while (object[first] != object[i]) ++first;
        number[i] = first < i ? number[first] : -1;
        if (!object[i] || first < i) continue;
        int64_t n_table = pool->n_table + (int64_t)scree_set_table_size(object[i]);
        assert_true(scri_set_pool_reserve(NULL, pool, pool->n + 1, n_table));
        number[i] = scri_set_pool_add(pool, object[i]);
    }
}

/* The terms of one contact with four objects, valid until a few more have been asked for. */
static inline scri_terms terms_with(int rows, const double* coef, const scree_set* const object[4])
{
    enum { KEPT = 16 };
    static struct {
        int32_t set[4];
        scree_set_value value[4];
        double table[4096];
        scree_sets sets;
    } ring[KEPT], *at;
    static int next;
    at = &ring[next = (next + 1) % KEPT];
    scri_set_pool pool = {at->value, at->table, 0, 0, 4, 4096};
    pool_objects(&pool, object, 4, at->set);
    assert_true(pool.value == at->value && pool.table == at->table);
    at->sets = scri_set_pool_view(&pool);
    return (scri_terms){rows, coef, at->set, &at->sets, NULL};
}

/* Gives a problem the objects set[4 n_contacts]. */
static inline void sample_add_sets(sample* s, const scree_set* const* object)
{
    size_t n = 4 * (size_t)s->view.n_contacts;
    int32_t* number = sample_take(s, n, sizeof *number);
    scri_set_pool pool = {NULL, NULL, 0, 0, 0, 0};
    pool_objects(&pool, object, n, number);
    scree_set_value* value = sample_take(s, (size_t)pool.n, sizeof *value);
    double* table = sample_take(s, (size_t)pool.n_table, sizeof *table);
    if (pool.n) memcpy(value, pool.value, (size_t)pool.n * sizeof *value);
    if (pool.n_table) memcpy(table, pool.table, (size_t)pool.n_table * sizeof *table);
    s->view.set = number;
    s->view.sets = (scree_sets){pool.n, pool.n_table, value, table};
    scri_set_pool_release(NULL, &pool);
}

#endif
