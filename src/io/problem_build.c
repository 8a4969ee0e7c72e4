#include "io/problem_build.h"

#include "math/bsr_build.h"

scree_status scri_triplets_take(scri_arena* arena, int64_t count, scri_triplets* t)
{
    size_t n = (size_t)count;
    t->count = 0;
    t->row = scri_arena_take(arena, n, sizeof *t->row);
    t->column = scri_arena_take(arena, n, sizeof *t->column);
    t->value = scri_arena_take(arena, n, sizeof *t->value);
    return t->row && t->column && t->value ? SCREE_OK : SCREE_ERROR_MEMORY;
}

scree_status scri_build_w(scri_arena* scratch, scri_arena* keep, const scri_triplets* t,
                          scree_problem* out)
{
    scree_csc w;
    scree_status status = scri_csc_from_triplets(scratch, t, &w);
    if (!status) status = scri_bsr_from_csc(keep, out->n_contacts, out->first_row, &w, &out->w);
    out->form = SCREE_FORM_ASSEMBLED;
    return status;
}

scree_status scri_build_contacts(scri_arena* arena, int32_t n_contacts, scree_rows rows, int law,
                                 scree_problem* out, double** coef)
{
    size_t n = (size_t)n_contacts;
    int32_t* row = scri_arena_take(arena, n + 1, sizeof *row);
    uint8_t* rows_of = scri_arena_take(arena, n, sizeof *rows_of);
    uint8_t* law_of = scri_arena_take(arena, n, sizeof *law_of);
    *coef = scri_arena_take(arena, 3 * n, sizeof **coef);
    if (!row || !rows_of || !law_of || !*coef) return SCREE_ERROR_MEMORY;
    int32_t width = scree_rows_width((int)rows);
    for (int32_t c = 0; c < n_contacts; ++c) {
        row[c + 1] = row[c] + width;
        rows_of[c] = (uint8_t)rows;
        law_of[c] = (uint8_t)law;
    }
    out->n_contacts = n_contacts;
    out->first_row = row;
    out->rows = rows_of;
    out->law = law_of;
    out->coef = *coef;
    return SCREE_OK;
}
