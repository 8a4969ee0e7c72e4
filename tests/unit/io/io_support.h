/* What the tests of problem files share: a log that remembers, a folder for scratch files, random
 * problems, exact comparison. */
#ifndef IO_SUPPORT_H
#define IO_SUPPORT_H

#include "base/arena.h"
#include "scree_io/problem_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- messages ---- */

typedef struct io_log {
    int count;
    char text[1024]; /* the last one */
} io_log;

static inline void io_log_line(void* user, scree_log_level level, const char* text)
{
    io_log* log = user;
    (void)level;
    ++log->count;
    snprintf(log->text, sizeof log->text, "%s", text);
}

static inline scree_env io_env(io_log* log)
{
    *log = (io_log){0};
    return (scree_env){.log = io_log_line, .user = log};
}

/* Exactly one message that contains `part`. */
static inline void io_assert_said(const io_log* log, const char* part)
{
    if (log->count != 1 || !strstr(log->text, part))
        fail_msg("expected one message with \"%s\", got %d, last \"%s\"", part, log->count,
                 log->text);
}

static inline void io_assert_ok(scree_status status, const io_log* log)
{
    if (status) fail_msg("%s: %s", scree_status_text(status), log->text);
}

/* ---- scratch files ---- */

typedef struct io_path {
    char text[512];
} io_path;

/* A name in the working folder of the test, which ctest gives it; removed by who made it. */
static inline io_path io_scratch(const char* test, const char* name)
{
    io_path path;
    snprintf(path.text, sizeof path.text, "scratch-%s-%s", test, name);
    remove(path.text);
    return path;
}

static inline io_path io_fixture(const char* name)
{
    io_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", SCREE_FIXTURES, name);
    return path;
}

static inline bool io_exists(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static inline void io_write_bytes(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void io_write_text(const char* path, const char* text)
{
    io_write_bytes(path, text, strlen(text));
}

/* ---- random numbers ---- */

typedef struct io_random {
    uint64_t state;
} io_random;

/* SCREE_TEST_SEED repeats a run whose seed was printed. */
static inline io_random io_seed(const char* test, uint64_t usual)
{
    const char* chosen = getenv("SCREE_TEST_SEED");
    io_random random = {chosen ? strtoull(chosen, NULL, 10) : usual};
    print_message("%s: seed %llu\n", test, (unsigned long long)random.state);
    return random;
}

static inline uint64_t io_bits(io_random* random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline int32_t io_below(io_random* random, int32_t limit)
{
    return (int32_t)(io_bits(random) % (uint64_t)limit);
}

/* Any finite double, with all exponents; now and then a zero of either sign. */
static inline double io_any_double(io_random* random)
{
    uint64_t bits = io_bits(random);
    if (bits % 17 == 0) bits &= 0x8000000000000000u;
    while ((bits >> 52 & 0x7ff) == 0x7ff) bits = io_bits(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* In [0, 1). */
static inline double io_unit(io_random* random)
{
    return (double)(io_bits(random) >> 11) * 0x1p-53;
}

/* Of moderate size, so that products and sums stay finite. */
static inline double io_number(io_random* random)
{
    return (io_unit(random) - 0.5) * (double)(1 << io_below(random, 20));
}

/* ---- random problems ---- */

static inline void* io_take(scri_arena* arena, size_t count, size_t size)
{
    void* memory = scri_arena_take(arena, count, size);
    assert_non_null(memory);
    return memory;
}

/* Contacts that are all alike, with random coefficients in the channels they have and 0 elsewhere.
 */
static inline scree_problem io_contacts(scri_arena* arena, io_random* random, int32_t n,
                                        scree_rows rows, scree_law law)
{
    int32_t width = scree_rows_width((int)rows);
    int32_t* row = io_take(arena, (size_t)n + 1, sizeof *row);
    uint8_t* rows_of = io_take(arena, (size_t)n, 1);
    uint8_t* law_of = io_take(arena, (size_t)n, 1);
    double* coef = io_take(arena, 3 * (size_t)n, sizeof *coef);
    double* q = io_take(arena, (size_t)(n * width), sizeof *q);
    bool rolls = rows == SCREE_ROWS_NTR || width >= 5;
    bool spins = rows == SCREE_ROWS_NTTS || rows == SCREE_ROWS_NTTRRS;
    for (int32_t c = 0; c < n; ++c) {
        row[c + 1] = row[c] + width;
        rows_of[c] = (uint8_t)rows;
        law_of[c] = (uint8_t)law;
        if (width >= 2) coef[3 * c] = io_unit(random);
        if (rolls) coef[3 * c + 1] = 0.1 * io_unit(random);
        if (spins) coef[3 * c + 2] = 0.01 * io_unit(random);
    }
    for (int32_t r = 0; r < n * width; ++r) q[r] = io_number(random);
    return (scree_problem){
        .n_contacts = n, .first_row = row, .rows = rows_of, .law = law_of, .coef = coef, .q = q};
}

static inline void io_add_w(scri_arena* arena, io_random* random, scree_problem* p)
{
    int32_t n = p->n_contacts, width = p->first_row[1];
    size_t room = (size_t)n * (size_t)n;
    int32_t* start = io_take(arena, (size_t)n + 1, sizeof *start);
    int32_t* column = io_take(arena, room, sizeof *column);
    int64_t* offset = io_take(arena, room + 1, sizeof *offset);
    double* value = io_take(arena, room * (size_t)(width * width), sizeof *value);
    int32_t k = 0;
    for (int32_t c = 0; c < n; ++c) {
        for (int32_t j = 0; j < n; ++j) {
            if (c != j && io_below(random, 3) != 0) continue;
            column[k++] = j;
            offset[k] = offset[k - 1] + width * width;
        }
        start[c + 1] = k;
    }
    for (int64_t e = 0; e < offset[k]; ++e) value[e] = io_number(random);
    if (offset[k] > 3) {
        value[1] = 0.0;
        value[2] = -0.0;
        value[3] = 0x1p-1074;
    }
    p->w = (scree_bsr){start, column, offset, value};
    p->form = SCREE_FORM_ASSEMBLED;
}

static inline scree_csc io_csc(scri_arena* arena, io_random* random, int32_t n_rows,
                               int32_t n_columns, bool diagonal)
{
    int32_t* start = io_take(arena, (size_t)n_columns + 1, sizeof *start);
    int32_t* row = io_take(arena, (size_t)n_rows * (size_t)n_columns, sizeof *row);
    double* value = io_take(arena, (size_t)n_rows * (size_t)n_columns, sizeof *value);
    int32_t k = 0;
    for (int32_t j = 0; j < n_columns; ++j) {
        for (int32_t i = 0; i < n_rows; ++i) {
            bool on = diagonal && i == j;
            if (!on && io_below(random, 3) != 0) continue;
            row[k] = i;
            value[k++] = on ? 1e7 + io_unit(random) : io_number(random);
        }
        start[j + 1] = k;
    }
    return (scree_csc){n_rows, n_columns, start, row, value};
}

static inline void io_add_factors(scri_arena* arena, io_random* random, int32_t n_dof,
                                  scree_problem* p)
{
    double* force = io_take(arena, (size_t)n_dof, sizeof *force);
    for (int32_t k = 0; k < n_dof; ++k) force[k] = io_number(random);
    p->factored.mass = io_csc(arena, random, n_dof, n_dof, true);
    p->factored.h = io_csc(arena, random, n_dof, p->first_row[p->n_contacts], false);
    p->factored.force = force;
    p->form = SCREE_FORM_FACTORED;
}

/* ---- comparison, bit by bit ---- */

static inline void io_assert_bits(const void* a, const void* b, size_t count, size_t size)
{
    if (count > 0) assert_memory_equal(a, b, count * size);
}

static inline void io_assert_same_csc(const scree_csc* a, const scree_csc* b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_columns, b->n_columns);
    io_assert_bits(a->start, b->start, (size_t)a->n_columns + 1, sizeof *a->start);
    size_t n = (size_t)a->start[a->n_columns];
    io_assert_bits(a->row, b->row, n, sizeof *a->row);
    io_assert_bits(a->value, b->value, n, sizeof *a->value);
}

static inline void io_assert_same_bsr(int32_t n_contacts, const scree_bsr* a, const scree_bsr* b)
{
    io_assert_bits(a->start, b->start, (size_t)n_contacts + 1, sizeof *a->start);
    size_t n = (size_t)a->start[n_contacts];
    io_assert_bits(a->column, b->column, n, sizeof *a->column);
    io_assert_bits(a->offset, b->offset, n + 1, sizeof *a->offset);
    io_assert_bits(a->value, b->value, (size_t)a->offset[n], sizeof *a->value);
}

/* All but the matrices. */
static inline void io_assert_same_contacts(const scree_problem* a, const scree_problem* b)
{
    assert_int_equal(a->n_contacts, b->n_contacts);
    assert_int_equal(a->form, b->form);
    size_t n = (size_t)a->n_contacts;
    io_assert_bits(a->first_row, b->first_row, n + 1, sizeof *a->first_row);
    io_assert_bits(a->rows, b->rows, n, 1);
    io_assert_bits(a->law, b->law, n, 1);
    io_assert_bits(a->coef, b->coef, 3 * n, sizeof *a->coef);
    io_assert_bits(a->q, b->q, (size_t)a->first_row[n], sizeof *a->q);
    assert_null(a->compliance);
    assert_null(b->compliance);
}

static inline void io_assert_same(const scree_problem* a, const scree_problem* b)
{
    io_assert_same_contacts(a, b);
    if (a->form == SCREE_FORM_ASSEMBLED) {
        io_assert_same_bsr(a->n_contacts, &a->w, &b->w);
    } else {
        io_assert_same_csc(&a->factored.mass, &b->factored.mass);
        io_assert_same_csc(&a->factored.h, &b->factored.h);
        io_assert_bits(a->factored.force, b->factored.force, (size_t)a->factored.mass.n_rows,
                       sizeof(double));
    }
}

/* An entry of W, 0 where no block is stored. */
static inline double io_w(const scree_problem* p, int32_t i, int32_t j)
{
    int32_t c = 0, d = 0;
    while (p->first_row[c + 1] <= i) ++c;
    while (p->first_row[d + 1] <= j) ++d;
    for (int32_t k = p->w.start[c]; k < p->w.start[c + 1]; ++k)
        if (p->w.column[k] == d)
            return p->w.value[p->w.offset[k] +
                              (i - p->first_row[c]) * (p->first_row[d + 1] - p->first_row[d]) + j -
                              p->first_row[d]];
    return 0.0;
}

static inline double io_csc_entry(const scree_csc* m, int32_t i, int32_t j)
{
    for (int32_t k = m->start[j]; k < m->start[j + 1]; ++k)
        if (m->row[k] == i) return m->value[k];
    return 0.0;
}

#endif
