/* Tables of parallel arrays in one block of memory: fields are written once, in a list. */
#ifndef SCRI_TABLE_H
#define SCRI_TABLE_H

#include "base/bump.h"
#include "base/env.h"

#include <stdint.h>
#include <string.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of types and members. */

/* Field lists are X(type, name, width): `width` entries of `type` per row. */
#define SCRI_TABLE_MEMBER(type, name, width) type* name;
#define SCRI_TABLE_PLACE(type, name, width) \
    t.name = scri_bump_take(&bump, (size_t)capacity * (width), sizeof(type));
#define SCRI_TABLE_COPY(type, name, width) \
    if (old.n) memcpy(t.name, old.name, (size_t)old.n*(width) * sizeof(type));

#define SCRI_TABLE_MOVE(type, name, width)                                    \
    memmove(t->name + (size_t)to * (width), t->name + (size_t)from * (width), \
            (size_t)count * (width) * sizeof(type));

/* Defines the struct `table` {n, capacity, memory, fields} and
 *   int table_reserve(const scree_env*, table*, int32_t need)   0 when memory is short; keeps rows
 *   int table_renew(const scree_env*, table*, int32_t need)   the same; loses rows, and all memory
 *       where it is short, but never holds the old beside the new
 *   void table_release(const scree_env*, table*)
 *   void table_move(table*, int32_t from, int32_t to, int32_t count)   rows, which may overlap */
#define SCRI_TABLE(table, FIELDS)                                                         \
    typedef struct table {                                                                \
        int32_t n, capacity;                                                              \
        void* memory;                                                                     \
        FIELDS(SCRI_TABLE_MEMBER)                                                         \
    } table;                                                                              \
    static inline int table##_reserve(const scree_env* env, table* out, int32_t need)     \
    {                                                                                     \
        table old = *out, t = *out;                                                       \
        if (need <= old.capacity) return 1;                                               \
        int32_t capacity = need > 16 ? need : 16;                                         \
        if (capacity < old.capacity + old.capacity / 2 && old.capacity < INT32_MAX / 2) { \
            capacity = old.capacity + old.capacity / 2;                                   \
        }                                                                                 \
        scri_bump bump = {NULL, 0};                                                       \
        FIELDS(SCRI_TABLE_PLACE)                                                          \
        bump = (scri_bump){scri_alloc(env, bump.used), 0};                                \
        if (!bump.memory) return 0;                                                       \
        t.memory = bump.memory;                                                           \
        t.capacity = capacity;                                                            \
        FIELDS(SCRI_TABLE_PLACE)                                                          \
        FIELDS(SCRI_TABLE_COPY)                                                           \
        scri_release(env, old.memory);                                                    \
        *out = t;                                                                         \
        return 1;                                                                         \
    }                                                                                     \
    static inline void table##_release(const scree_env* env, table* out)                  \
    {                                                                                     \
        scri_release(env, out->memory);                                                   \
        *out = (table){.n = 0};                                                           \
    }                                                                                     \
    static inline int table##_renew(const scree_env* env, table* out, int32_t need)       \
    {                                                                                     \
        int32_t grown = out->capacity;                                                    \
        if (need <= out->capacity) return 1;                                              \
        if (grown < INT32_MAX / 2) grown += grown / 2;                                    \
        table##_release(env, out);                                                        \
        return table##_reserve(env, out, need > grown ? need : grown);                    \
    }                                                                                     \
    static inline void table##_move(table* t, int32_t from, int32_t to, int32_t count)    \
    {                                                                                     \
        if (count == 0) return;                                                           \
        FIELDS(SCRI_TABLE_MOVE)                                                           \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

#endif
