#include "base/env.h"
#include "io/fclib.h"
#include "math/bsr_build.h"
#include "scree/certificate.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct writer {
    scri_hdf5 h;
    const char* group;
    const scri_writable* writable;
    scri_arena* scratch;
} writer;

typedef struct object {
    char path[SCRI_HDF5_PATH];
} object;

static object below(const writer* w, const char* folder, const char* name)
{
    object o;
    snprintf(o.path, sizeof o.path, "%s/%s%s%s", w->group, folder, *folder ? "/" : "", name);
    return o;
}

static scree_status write_integer(const writer* w, const char* folder, const char* name,
                                  int32_t value)
{
    return scri_hdf5_write_integers(&w->h, below(w, folder, name).path, 1, &value);
}

static scree_status write_vector(const writer* w, const char* name, int64_t count,
                                 const double* value)
{
    return scri_hdf5_write_reals(&w->h, below(w, "vectors", name).path, count, value);
}

static scree_status write_matrix(const writer* w, const char* name, const scree_csc* m)
{
    enum { COMPRESSED_COLUMNS = -1 };
    int32_t count = m->start[m->n_columns];
    scree_status status = write_integer(w, name, "nzmax", count);
    if (!status) status = write_integer(w, name, "m", m->n_rows);
    if (!status) status = write_integer(w, name, "n", m->n_columns);
    if (!status) status = write_integer(w, name, "nz", COMPRESSED_COLUMNS);
    if (!status) {
        status = scri_hdf5_write_integers(&w->h, below(w, name, "p").path,
                                          (int64_t)m->n_columns + 1, m->start);
    }
    if (!status) status = scri_hdf5_write_integers(&w->h, below(w, name, "i").path, count, m->row);
    if (!status) status = scri_hdf5_write_reals(&w->h, below(w, name, "x").path, count, m->value);
    return status;
}

static scree_status write_coef(const writer* w, const char* name, int which)
{
    const scree_problem* p = &w->writable->problem;
    double* value = scri_arena_take(w->scratch, (size_t)p->n_contacts, sizeof *value);
    if (!value) return SCREE_ERROR_MEMORY;
    for (int32_t c = 0; c < p->n_contacts; ++c) value[c] = p->coef[3 * (int64_t)c + which];
    return write_vector(w, name, p->n_contacts, value);
}

static bool rolls(scree_rows rows)
{
    return rows != SCREE_ROWS_NT && rows != SCREE_ROWS_NTT;
}

static scree_status write_info(const writer* w, const char* title)
{
    scree_status status =
        scri_hdf5_write_text(&w->h, below(w, "info", "title").path, title ? title : "");
    if (!status) {
        status =
            scri_hdf5_write_text(&w->h, below(w, "info", "description").path, "written by Scree");
    }
    if (!status) status = scri_hdf5_write_text(&w->h, below(w, "info", "math_info").path, "");
    return status;
}

static scree_status write_matrices(const writer* w)
{
    const scree_problem* p = &w->writable->problem;
    const scree_factored* f = &p->factored;
    scree_status status;
    if (p->form == SCREE_FORM_FACTORED) {
        status = write_matrix(w, "M", &f->mass);
        if (!status) status = write_matrix(w, "H", &f->h);
        if (!status) status = write_vector(w, "f", f->mass.n_rows, f->force);
        return status;
    }
    scree_csc matrix;
    status = scri_csc_from_bsr(w->scratch, p->n_contacts, p->first_row, &p->w, &matrix);
    return status ? status : write_matrix(w, "W", &matrix);
}

static scree_status write_problem(const writer* w)
{
    const scree_problem* p = &w->writable->problem;
    scree_rows rows = w->writable->rows;
    bool factored = p->form == SCREE_FORM_FACTORED;
    scree_status status = write_integer(w, "", "spacedim", w->writable->width);
    if (!status) status = write_matrices(w);
    if (!status) status = write_vector(w, factored ? "w" : "q", p->first_row[p->n_contacts], p->q);
    if (!status) status = write_coef(w, "mu", 0);
    if (!status && rolls(rows)) status = write_coef(w, "mu_r", 1);
    if (!status && (rows == SCREE_ROWS_NTTS || rows == SCREE_ROWS_NTTRRS)) {
        status = write_coef(w, "mu_s", 2);
    }
    if (!status) status = scri_fclib_write_laws(&w->h, w->group, w->scratch, p);
    return status;
}

/* Impulses and the velocities they lead to, as `folder`/r and `folder`/u. */
static scree_status write_pair(const writer* w, const char* folder, const double* p)
{
    const scree_problem* problem = &w->writable->problem;
    int32_t n_rows = problem->first_row[problem->n_contacts];
    char path[SCRI_HDF5_PATH];
    double* y = scri_arena_take(w->scratch, (size_t)n_rows, sizeof *y);
    if (!y) return SCREE_ERROR_MEMORY;
    scree_status status = scree_problem_velocity(w->h.env, problem, p, y);
    snprintf(path, sizeof path, "%s/r", folder);
    if (!status) status = scri_hdf5_write_reals(&w->h, path, n_rows, p);
    snprintf(path, sizeof path, "%s/u", folder);
    if (!status) status = scri_hdf5_write_reals(&w->h, path, n_rows, y);
    return status;
}

static scree_status write_extras(const writer* w, const scree_problem_extras* extras)
{
    scree_status status =
        extras->solution ? write_pair(w, "/solution", extras->solution) : SCREE_OK;
    if (status || extras->n_guesses < 1) return status;
    status = scri_hdf5_write_integers(&w->h, "/guesses/number_of_guesses", 1, &extras->n_guesses);
    for (int32_t k = 0; k < extras->n_guesses && !status; ++k) {
        char folder[SCRI_HDF5_PATH];
        snprintf(folder, sizeof folder, "/guesses/%" PRId32, k + 1);
        status = write_pair(w, folder, extras->guesses[k]);
    }
    return status;
}

scree_status scri_fclib_write(const scree_env* env, const char* name, const scri_writable* writable,
                              const scree_problem_extras* extras, FILE* stream)
{
    static const char* const group[2][2] = {{"/fclib_local", "/fclib_local_rolling"},
                                            {"/fclib_global", "/fclib_global_rolling"}};
    int global = writable->problem.form == SCREE_FORM_FACTORED;
    writer w = {.group = group[global][rolls(writable->rows)], .writable = writable};
    scree_status status = scri_hdf5_create(env, name, &w.h);
    if (status) return status;
    w.scratch = scri_arena_create(env);
    status = w.scratch ? write_problem(&w) : SCREE_ERROR_MEMORY;
    if (!status) status = write_info(&w, extras ? extras->title : NULL);
    if (!status && extras) status = write_extras(&w, extras);
    scri_arena_destroy(w.scratch);
    if (!status) status = scri_hdf5_save(&w.h, stream);
    return scri_hdf5_close(&w.h, status);
}

scree_status scri_fclib_write_impulses(const scree_env* env, const char* name, int32_t n_rows,
                                       const double* p, FILE* stream)
{
    scri_hdf5 h;
    scree_status status = scri_hdf5_create(env, name, &h);
    if (status) return status;
    status = scri_hdf5_write_reals(&h, "/solution/r", n_rows, p);
    if (!status) status = scri_hdf5_save(&h, stream);
    return scri_hdf5_close(&h, status);
}
