#include "base/env.h"
#include "io/fclib.h"
#include "io/problem_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct group {
    const char* path;
    bool global, rolls;
    const char* format;
} group;

static const group groups[] = {
    {"/fclib_local", false, false, "FCLIB HDF5, local"},
    {"/fclib_local_rolling", false, true, "FCLIB HDF5, local rolling"},
    {"/fclib_global", true, false, "FCLIB HDF5, global"},
    {"/fclib_global_rolling", true, true, "FCLIB HDF5, global rolling"},
};

typedef struct reader {
    scri_hdf5 h;
    const group* group;
    scri_arena* scratch;
    scri_arena* keep;
    int32_t n_rows; /* of all contacts */
    scree_problem_file* out;
} reader;

/* A path below the group of the problem. */
typedef struct object {
    char path[SCRI_HDF5_PATH];
} object;

static object below(const reader* r, const char* folder, const char* name)
{
    object o;
    snprintf(o.path, sizeof o.path, "%s/%s%s%s", r->group->path, folder, *folder ? "/" : "", name);
    return o;
}

static scree_status read_size(const reader* r, const char* matrix, const char* which, int32_t low,
                              int32_t* out)
{
    return scri_hdf5_read_integer(&r->h, below(r, matrix, which).path, low, INT32_MAX, out);
}

static scree_status read_real_vector(const reader* r, const char* name, int32_t count,
                                     const double** out)
{
    int64_t n = count;
    return scri_hdf5_read_reals(&r->h, below(r, "vectors", name).path, r->keep, &n, out);
}

/* Indices must lie in [0, limit). */
static scree_status check_indices(const reader* r, const char* path, int64_t count,
                                  const int32_t* index, int32_t limit)
{
    for (int64_t k = 0; k < count; ++k) {
        if (index[k] < 0 || index[k] >= limit) {
            return scri_hdf5_fail(&r->h, path, SCREE_ERROR_FORMAT,
                                  "element %" PRId64 " is %" PRId32 ", outside 0 to %" PRId32, k,
                                  index[k], limit - 1);
        }
    }
    return SCREE_OK;
}

/* Arrays i and x may be longer than what is in use. */
static scree_status check_length(const reader* r, const char* path, int64_t length, int64_t count)
{
    if (length >= count) return SCREE_OK;
    return scri_hdf5_fail(&r->h, path, SCREE_ERROR_FORMAT,
                          "has %" PRId64 " elements where %" PRId64 " are expected", length, count);
}

/* Arrays of a sparse matrix as the file has them. */
typedef struct sparse {
    int64_t n_p, n_i, n_x;
    const int32_t *p, *i;
    const double* x;
} sparse;

static scree_status read_sparse(const reader* r, const char* matrix, int64_t n_p, int64_t count,
                                sparse* s)
{
    *s = (sparse){.n_p = n_p, .n_i = -1, .n_x = -1};
    object p = below(r, matrix, "p"), i = below(r, matrix, "i"), x = below(r, matrix, "x");
    scree_status status = scri_hdf5_read_integers(&r->h, p.path, r->scratch, &s->n_p, &s->p);
    if (!status) status = scri_hdf5_read_integers(&r->h, i.path, r->scratch, &s->n_i, &s->i);
    if (!status) status = scri_hdf5_read_reals(&r->h, x.path, r->scratch, &s->n_x, &s->x);
    if (count < 0 && !status) count = s->n_p > 0 ? s->p[s->n_p - 1] : 0;
    if (!status) status = check_length(r, p.path, s->n_p, n_p < 0 ? count : n_p);
    if (!status) status = check_length(r, i.path, s->n_i, count);
    if (!status) status = check_length(r, x.path, s->n_x, count);
    return status;
}

/* i holds rows, p columns. */
static scree_status read_triplets(const reader* r, const char* matrix, int32_t count,
                                  scri_triplets* t)
{
    sparse s;
    scree_status status = read_sparse(r, matrix, -1, count, &s);
    if (!status) status = check_indices(r, below(r, matrix, "i").path, count, s.i, t->n_rows);
    if (!status) status = check_indices(r, below(r, matrix, "p").path, count, s.p, t->n_columns);
    if (!status) status = scri_triplets_take(r->scratch, count, t);
    if (status || count == 0) return status;
    t->count = count;
    memcpy(t->row, s.i, (size_t)count * sizeof *t->row);
    memcpy(t->column, s.p, (size_t)count * sizeof *t->column);
    memcpy(t->value, s.x, (size_t)count * sizeof *t->value);
    return SCREE_OK;
}

static scree_status check_pointers(const reader* r, const char* path, int64_t n_lines,
                                   const int32_t* p)
{
    bool fine = p[0] == 0;
    for (int64_t j = 0; j < n_lines; ++j) fine = fine && p[j] <= p[j + 1];
    if (fine) return SCREE_OK;
    return scri_hdf5_fail(&r->h, path, SCREE_ERROR_FORMAT,
                          "does not begin with 0 or does not increase");
}

static scree_status read_compressed(const reader* r, const char* matrix, bool by_row,
                                    scri_triplets* t)
{
    int32_t n_lines = by_row ? t->n_rows : t->n_columns;
    int32_t n_across = by_row ? t->n_columns : t->n_rows;
    sparse s;
    scree_status status = read_sparse(r, matrix, (int64_t)n_lines + 1, -1, &s);
    if (!status) status = check_pointers(r, below(r, matrix, "p").path, n_lines, s.p);
    if (status) return status;
    int64_t count = s.p[n_lines];
    status = check_indices(r, below(r, matrix, "i").path, count, s.i, n_across);
    if (!status) status = scri_triplets_take(r->scratch, count, t);
    if (status) return status;
    int32_t* line = by_row ? t->row : t->column;
    int32_t* across = by_row ? t->column : t->row;
    for (int32_t j = 0; j < n_lines; ++j) {
        for (int32_t k = s.p[j]; k < s.p[j + 1]; ++k) {
            line[k] = j;
            across[k] = s.i[k];
            t->value[k] = s.x[k];
        }
    }
    t->count = count;
    return SCREE_OK;
}

/* The sign of nz tells how a matrix is stored. The vectors of the problem have been found to be as
 * long as the matrix is wide and high. */
static scree_status read_matrix(const reader* r, const char* matrix, int32_t n_rows,
                                int32_t n_columns, scri_triplets* t)
{
    enum { COLUMNS = -1, ROWS = -2 };
    *t = (scri_triplets){.n_rows = n_rows, .n_columns = n_columns};
    int32_t nz = 0;
    scree_status status = read_size(r, matrix, "nz", ROWS, &nz);
    if (status) return status;
    return nz >= 0 ? read_triplets(r, matrix, nz, t) : read_compressed(r, matrix, nz == ROWS, t);
}

/* Equality constraints have no place in a problem; a matrix without columns is none. */
static scree_status refuse_matrix(const reader* r, const char* matrix)
{
    object o = below(r, "", matrix);
    if (!scri_hdf5_has(&r->h, o.path)) return SCREE_OK;
    int32_t n_columns = 0;
    scree_status status = read_size(r, matrix, "n", 0, &n_columns);
    if (status || n_columns == 0) return status;
    return scri_hdf5_fail(&r->h, o.path, SCREE_ERROR_UNSUPPORTED,
                          "equality constraints are not supported");
}

/* SCREE_ROWS_END when no contact of this kind has so many rows. */
static scree_rows choose_rows(const group* g, int32_t dimension)
{
    if (!g->rolls) {
        return dimension == 2 ? SCREE_ROWS_NT : dimension == 3 ? SCREE_ROWS_NTT : SCREE_ROWS_END;
    }
    if (dimension == 3) return SCREE_ROWS_NTR;
    return dimension >= 4 && dimension <= 6 ? (scree_rows)dimension : SCREE_ROWS_END;
}

/* One coefficient of every contact. */
static scree_status read_coef(const reader* r, const char* name, int which, double* coef)
{
    int32_t n_contacts = r->out->store.problem.n_contacts;
    const double* value;
    scree_status status = read_real_vector(r, name, n_contacts, &value);
    if (status) return status;
    for (int32_t c = 0; c < n_contacts; ++c) {
        if (value[c] < 0.0) {
            return scri_hdf5_fail(&r->h, below(r, "vectors", name).path, SCREE_ERROR_INPUT,
                                  "element %" PRId32 " is negative", c);
        }
        coef[3 * (int64_t)c + which] = value[c];
    }
    return SCREE_OK;
}

static scree_status read_coefs(const reader* r, scree_rows rows, double* coef)
{
    scree_status status = read_coef(r, "mu", 0, coef);
    if (status || !r->group->rolls) return status;
    bool spins = rows == SCREE_ROWS_NTTS || rows == SCREE_ROWS_NTTRRS;
    if (rows != SCREE_ROWS_NTTS || scri_hdf5_has(&r->h, below(r, "vectors", "mu_r").path)) {
        status = read_coef(r, "mu_r", 1, coef);
    }
    if (!status && spins) status = read_coef(r, "mu_s", 2, coef);
    return status;
}

/* From the number of scalar rows, whose vector q (or w) tells that the file is large enough. */
static scree_status read_contacts(reader* r, int32_t n_rows, const char* q)
{
    scree_problem* problem = &r->out->store.problem;
    int32_t dimension = 0;
    object o = below(r, "", "spacedim");
    scree_status status = scri_hdf5_read_integer(&r->h, o.path, 2, 6, &dimension);
    if (status) return status;
    scree_rows rows = choose_rows(r->group, dimension);
    if (rows == SCREE_ROWS_END) {
        return scri_hdf5_fail(&r->h, o.path, SCREE_ERROR_FORMAT,
                              "is %" PRId32 ", which this group does not know", dimension);
    }
    if (n_rows % dimension != 0) {
        return scri_hdf5_fail(&r->h, o.path, SCREE_ERROR_FORMAT,
                              "is %" PRId32 ", which does not divide the %" PRId32 " rows",
                              dimension, n_rows);
    }
    if (n_rows == 0) {
        return scri_hdf5_fail(&r->h, r->group->path, SCREE_ERROR_INPUT,
                              "the problem has no contacts");
    }
    r->n_rows = n_rows;
    double* coef;
    status = read_real_vector(r, q, n_rows, &problem->q);
    if (!status) {
        status = scri_build_contacts(r->keep, n_rows / dimension, rows, SCRI_LAW_THAT_RUBS, problem,
                                     &coef);
    }
    if (!status) status = read_coefs(r, rows, coef);
    if (!status) status = scri_fclib_read_laws(&r->h, r->group->path, r->keep, problem);
    return status;
}

static scree_status read_square(const reader* r, const char* matrix, int32_t* order)
{
    int32_t n_columns = 0;
    scree_status status = read_size(r, matrix, "m", 0, order);
    if (!status) status = read_size(r, matrix, "n", 0, &n_columns);
    if (!status && *order != n_columns) {
        status = scri_hdf5_fail(&r->h, below(r, "", matrix).path, SCREE_ERROR_INPUT,
                                "is %" PRId32 " x %" PRId32 ", not square", *order, n_columns);
    }
    return status;
}

static scree_status read_local(reader* r)
{
    scri_triplets w;
    int32_t n_rows = 0;
    scree_status status = refuse_matrix(r, "V");
    if (!status) status = refuse_matrix(r, "R");
    if (!status) status = read_square(r, "W", &n_rows);
    if (!status) status = read_contacts(r, n_rows, "q");
    if (!status) status = read_matrix(r, "W", n_rows, n_rows, &w);
    if (!status) status = scri_build_w(r->scratch, r->keep, &w, &r->out->store.problem);
    return status;
}

static scree_status read_global(reader* r)
{
    scree_problem* problem = &r->out->store.problem;
    scree_factored* f = &problem->factored;
    scri_triplets mass, h;
    int32_t n_dof = 0, n_dof_of_h = 0, n_rows = 0;
    problem->form = SCREE_FORM_FACTORED;
    scree_status status = refuse_matrix(r, "G");
    if (!status) status = read_square(r, "M", &n_dof);
    if (!status) status = read_size(r, "H", "m", 0, &n_dof_of_h);
    if (!status) status = read_size(r, "H", "n", 0, &n_rows);
    if (!status && n_dof_of_h != n_dof) {
        status = scri_hdf5_fail(&r->h, below(r, "H", "m").path, SCREE_ERROR_FORMAT,
                                "H has %" PRId32 " rows, but M has %" PRId32, n_dof_of_h, n_dof);
    }
    if (!status) status = read_contacts(r, n_rows, "w");
    if (!status) status = read_real_vector(r, "f", n_dof, &f->force);
    if (!status) status = read_matrix(r, "M", n_dof, n_dof, &mass);
    if (!status) status = scri_csc_from_triplets(r->keep, &mass, &f->mass);
    if (!status) status = read_matrix(r, "H", n_dof, n_rows, &h);
    if (!status) status = scri_csc_from_triplets(r->keep, &h, &f->h);
    return status;
}

static object guess_path(int32_t number)
{
    object o;
    snprintf(o.path, sizeof o.path, "/guesses/%" PRId32 "/r", number);
    return o;
}

static scree_status read_guesses(reader* r)
{
    int32_t n = 0, n_read = 0;
    int64_t n_links = 0;
    if (!scri_hdf5_has(&r->h, "/guesses/number_of_guesses")) return SCREE_OK;
    scree_status status = scri_hdf5_count_links(&r->h, "/guesses", &n_links);
    if (!status) {
        status = scri_hdf5_read_integer(&r->h, "/guesses/number_of_guesses", 0,
                                        (int32_t)(n_links - 1), &n);
    }
    if (status) return status;
    const double** guess = scri_arena_take(r->keep, (size_t)n, sizeof *guess);
    if (!guess) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < n && !status; ++k) {
        object o = guess_path(k + 1);
        int64_t count = r->n_rows;
        if (!scri_hdf5_has_data(&r->h, o.path)) continue;
        status = scri_hdf5_read_reals(&r->h, o.path, r->keep, &count, &guess[n_read++]);
    }
    r->out->n_guesses = n_read;
    r->out->guesses = guess;
    return status;
}

static scree_status read_extras(reader* r)
{
    scree_status status =
        scri_hdf5_read_text(&r->h, below(r, "info", "title").path, r->keep, &r->out->title);
    int64_t count = r->n_rows;
    if (!status && scri_hdf5_has_data(&r->h, "/solution/r")) {
        status = scri_hdf5_read_reals(&r->h, "/solution/r", r->keep, &count, &r->out->solution);
    }
    if (!status) status = read_guesses(r);
    return status;
}

static scree_status read_problem(reader* r)
{
    size_t n = sizeof groups / sizeof groups[0], k = 0;
    while (k < n && !scri_hdf5_has(&r->h, groups[k].path)) ++k;
    if (k == n) {
        return scri_hdf5_fail(&r->h, "/", SCREE_ERROR_FORMAT,
                              "holds no group fclib_local, fclib_local_rolling, fclib_global or "
                              "fclib_global_rolling");
    }
    r->group = &groups[k];
    r->out->format = groups[k].format;
    scree_status status = groups[k].global ? read_global(r) : read_local(r);
    return status ? status : read_extras(r);
}

scree_status scri_fclib_read(const scree_env* env, const char* path, scri_arena* keep,
                             scree_problem_file* out)
{
    reader r = {.keep = keep, .out = out};
    scree_status status = scri_hdf5_open(env, path, &r.h);
    if (status) return status;
    r.scratch = scri_arena_create(r.h.env);
    status = r.scratch ? read_problem(&r) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(r.scratch);
    return scri_hdf5_close(&r.h, status);
}

static scree_status read_impulses(const scri_hdf5* h, int32_t n_rows, double* p)
{
    scri_arena* arena = scri_arena_create(h->env);
    if (!arena) return SCREE_ERROR_MEMORY;
    const char* path = scri_hdf5_has_data(h, "/solution/r") ? "/solution/r" : "/guesses/1/r";
    const double* value;
    int64_t count = n_rows;
    scree_status status = SCREE_OK;
    if (!scri_hdf5_has_data(h, path)) {
        status =
            scri_hdf5_fail(h, "/", SCREE_ERROR_FORMAT, "holds neither /solution/r nor a guess");
    }
    if (!status) status = scri_hdf5_read_reals(h, path, arena, &count, &value);
    if (!status) memcpy(p, value, (size_t)n_rows * sizeof *p);
    scri_arena_destroy(arena);
    return status;
}

scree_status scri_fclib_read_impulses(const scree_env* env, const char* path, int32_t n_rows,
                                      double* p)
{
    scri_hdf5 h;
    scree_status status = scri_hdf5_open(env, path, &h);
    return status ? status : scri_hdf5_close(&h, read_impulses(&h, n_rows, p));
}
