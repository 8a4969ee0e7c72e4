/* Any form of a problem to the assembled one, W = H^T M^-1 H. */
#include "base/env.h"
#include "problem/bodies_kernel.h"
#include "problem/coupling.h"
#include "problem/factored.h"

#include <string.h>

static void* copy(scri_arena* arena, const void* from, size_t count, size_t size, int* failed)
{
    if (!from) return NULL;
    void* to = scri_arena_take(arena, count, size);
    if (to) {
        memcpy(to, from, count * size);
    } else {
        *failed = 1;
    }
    return to;
}

/* Everything but the operator. */
static scree_status copy_contacts(scri_arena* arena, const scree_problem* from, scree_problem* to)
{
    size_t n = (size_t)from->n_contacts, n_rows = (size_t)scree_problem_n_rows(from);
    int failed = 0;
    *to = (scree_problem){.n_contacts = from->n_contacts, .form = SCREE_FORM_ASSEMBLED};
    to->first_row = copy(arena, from->first_row, n + 1, sizeof *to->first_row, &failed);
    to->rows = copy(arena, from->rows, n, sizeof *to->rows, &failed);
    to->law = copy(arena, from->law, n, sizeof *to->law, &failed);
    to->coef = copy(arena, from->coef, 3 * n, sizeof *to->coef, &failed);
    to->set = copy(arena, from->set, 4 * n, sizeof *to->set, &failed);
    to->sets = from->sets;
    to->sets.value =
        copy(arena, from->sets.value, (size_t)from->sets.n, sizeof *to->sets.value, &failed);
    to->sets.table =
        copy(arena, from->sets.table, (size_t)from->sets.n_table, sizeof(double), &failed);
    to->q = copy(arena, from->q, n_rows, sizeof *to->q, &failed);
    to->compliance = copy(arena, from->compliance, n_rows, sizeof *to->compliance, &failed);
    return failed ? SCREE_ERROR_MEMORY : SCREE_OK;
}

static scree_status copy_assembled(scri_arena* arena, const scree_problem* from, scree_problem* to)
{
    const scree_bsr* w = &from->w;
    size_t n_blocks = (size_t)w->start[from->n_contacts];
    int failed = 0;
    to->w.start = copy(arena, w->start, (size_t)from->n_contacts + 1, sizeof *w->start, &failed);
    to->w.column = copy(arena, w->column, n_blocks, sizeof *w->column, &failed);
    to->w.offset = copy(arena, w->offset, n_blocks + 1, sizeof *w->offset, &failed);
    to->w.value = copy(arena, w->value, (size_t)w->offset[n_blocks], sizeof *w->value, &failed);
    return failed ? SCREE_ERROR_MEMORY : SCREE_OK;
}

/* Bodies that each contact touches. */
static scree_status touch_bodies(scri_arena* arena, const scree_problem* p, scri_coupling* k)
{
    *k = (scri_coupling){.n_contacts = p->n_contacts, .n_groups = p->bodies.n_bodies};
    k->touch_start = scri_arena_take(arena, (size_t)p->n_contacts + 1, sizeof(int32_t));
    k->touch = scri_arena_take(arena, 2 * (size_t)p->n_contacts, sizeof(int32_t));
    if (!k->touch_start || !k->touch) return SCREE_ERROR_MEMORY;
    int32_t n = 0;
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        const int32_t* pair = p->bodies.pair + 2 * (size_t)c;
        if (pair[0] >= 0) k->touch[n++] = pair[0];
        if (pair[1] >= 0 && pair[1] != pair[0]) k->touch[n++] = pair[1];
        k->touch_start[c + 1] = n;
    }
    return SCREE_OK;
}

/* The block of contacts c and d through body g, over whichever of their sides touch it. */
static void couple(const scree_problem* p, int32_t g, int32_t c, int32_t d, double* block)
{
    for (int k = 0; k < 4; ++k) {
        scri_bodies_end a = {c, k / 2, p->first_row[c + 1] - p->first_row[c]};
        scri_bodies_end b = {d, k % 2, p->first_row[d + 1] - p->first_row[d]};
        if (p->bodies.pair[2 * (size_t)c + (size_t)a.side] == g &&
            p->bodies.pair[2 * (size_t)d + (size_t)b.side] == g) {
            scri_bodies_add_coupling(&p->bodies, a, b, block);
        }
    }
}

static void fill_from_bodies(const scree_problem* p, const scri_coupling* k, const scree_bsr* w,
                             double* value)
{
    for (int32_t g = 0; g < k->n_groups; ++g) {
        for (int32_t a = k->group_start[g]; a < k->group_start[g + 1]; ++a) {
            for (int32_t b = k->group_start[g]; b < k->group_start[g + 1]; ++b) {
                int32_t c = k->member[a], d = k->member[b];
                double* block = value + scri_coupling_find(w, c, d);
                couple(p, g, c, d, block);
            }
        }
    }
}

/* Components of the mass matrix that each contact touches. */
static scree_status touch_components(scri_arena* arena, const scri_factored* f, scri_coupling* k)
{
    const scree_problem* p = f->problem;
    const scree_csc* h = &p->factored.h;
    *k = (scri_coupling){.n_contacts = p->n_contacts, .n_groups = f->mass.n_components};
    int32_t* mark = scri_arena_take(arena, (size_t)k->n_groups, sizeof(int32_t));
    k->touch_start = scri_arena_take(arena, (size_t)p->n_contacts + 1, sizeof(int32_t));
    k->touch = scri_arena_take(arena, (size_t)h->start[h->n_columns], sizeof(int32_t));
    if (!mark || !k->touch_start || !k->touch) return SCREE_ERROR_MEMORY;
    int32_t n = 0;
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        for (int32_t e = h->start[p->first_row[c]]; e < h->start[p->first_row[c + 1]]; ++e) {
            int32_t g = f->mass.component[h->row[e]];
            if (mark[g] == c + 1) continue;
            mark[g] = c + 1;
            k->touch[n++] = g;
        }
        k->touch_start[c + 1] = n;
    }
    return SCREE_OK;
}

static void fill_from_components(scri_factored* f, const scri_coupling* k, const scree_bsr* w,
                                 double* value)
{
    const int32_t* row = f->problem->first_row;
    for (int32_t d = 0; d < k->n_contacts; ++d) {
        int32_t columns = row[d + 1] - row[d];
        for (int32_t t = k->touch_start[d]; t < k->touch_start[d + 1]; ++t) {
            int32_t g = k->touch[t];
            for (int32_t j = 0; j < columns; ++j) {
                scri_factored_response(f, g, row[d] + j, f->column);
                for (int32_t a = k->group_start[g]; a < k->group_start[g + 1]; ++a) {
                    int32_t c = k->member[a];
                    double* block = value + scri_coupling_find(w, c, d);
                    for (int32_t i = 0; i < row[c + 1] - row[c]; ++i) {
                        block[i * columns + j] += scri_factored_dot(f, g, row[c] + i, f->column);
                    }
                }
            }
        }
    }
}

static scree_status reduce_factored(const scree_env* env, scri_arena* arena,
                                    const scree_problem* from, scree_problem* to)
{
    scri_factored f;
    scri_coupling k;
    scree_status status = scri_factored_create(env, arena, from, &f);
    if (status) return status;
    double* q = scri_arena_take(arena, (size_t)scree_problem_n_rows(from), sizeof(double));
    double* v = scri_arena_take(arena, (size_t)f.mass.n, sizeof(double));
    double* value = NULL;
    if (!q || !v || touch_components(arena, &f, &k) ||
        scri_coupling_pattern(arena, from->first_row, &k, &to->w, &value)) {
        return SCREE_ERROR_MEMORY;
    }
    fill_from_components(&f, &k, &to->w, value);
    scri_factored_solve(&f, NULL, v);
    scri_factored_velocity(&f, v, q);
    to->q = q;
    return SCREE_OK;
}

static scree_status reduce_bodies(scri_arena* arena, const scree_problem* from, scree_problem* to)
{
    scri_coupling k;
    double* value = NULL;
    if (touch_bodies(arena, from, &k) ||
        scri_coupling_pattern(arena, from->first_row, &k, &to->w, &value)) {
        return SCREE_ERROR_MEMORY;
    }
    fill_from_bodies(from, &k, &to->w, value);
    return SCREE_OK;
}

scree_status scree_problem_reduce(const scree_env* env, const scree_problem* problem,
                                  scree_problem_store* out)
{
    if (!problem || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no problem, or no place");
    *out = (scree_problem_store){.memory = NULL};
    scri_arena* arena = scri_arena_create(env);
    if (!arena) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory");
    scree_problem* to = &out->problem;
    scree_status status = copy_contacts(arena, problem, to);
    if (!status && problem->form == SCREE_FORM_ASSEMBLED) {
        status = copy_assembled(arena, problem, to);
    } else if (!status && problem->form == SCREE_FORM_FACTORED) {
        status = reduce_factored(env, arena, problem, to);
    } else if (!status) {
        status = reduce_bodies(arena, problem, to);
    }
    out->memory = arena;
    if (!status) return SCREE_OK;
    scree_problem_store_release(out);
    return status == SCREE_ERROR_MEMORY ? scri_fail(env, status, "out of memory for W") : status;
}

void scree_problem_store_release(scree_problem_store* store)
{
    if (!store) return;
    scri_arena_destroy(store->memory);
    *store = (scree_problem_store){.memory = NULL};
}
