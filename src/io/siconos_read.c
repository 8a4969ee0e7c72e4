#include "io/problem_build.h"
#include "io/siconos.h"
#include "io/siconos_matrix.h"
#include "io/text_reader.h"

#include <inttypes.h>

typedef struct reader {
    scri_text text;
    scri_arena* scratch;
    scri_arena* keep;
    int32_t dimension, n_contacts;
    int32_t n_rows; /* dimension * n_contacts */
    scree_problem_file* out;
} reader;

/* What a file of this dimension can describe; NULL as a name means that it cannot. */
typedef struct kind {
    scree_rows rows;
    int n_coefs; /* per contact: mu, then mu_r */
    const char *local, *global;
} kind;

static const kind friction_2d = {SCREE_ROWS_NT, 1, "Siconos text, planar friction",
                                 "Siconos text, global planar friction"};
static const kind friction_3d = {SCREE_ROWS_NTT, 1, "Siconos text, friction",
                                 "Siconos text, global friction"};
static const kind rolling_2d = {SCREE_ROWS_NTR, 2, "Siconos text, planar rolling friction",
                                "Siconos text, global planar rolling friction"};
static const kind rolling_3d = {SCREE_ROWS_NTTRR, 2, "Siconos text, rolling friction",
                                "Siconos text, global rolling friction"};

/* Dimension 3 alone has two readings, which the number of coefficients tells apart. */
static const kind* choose_kind(int32_t dimension, bool rolls)
{
    if (dimension == 2) return &friction_2d;
    if (dimension == 5) return &rolling_3d;
    return rolls ? &rolling_2d : &friction_3d;
}

static scree_status read_vector(reader* r, const char* what, int32_t count, const double** out)
{
    scree_status status = scri_text_room(&r->text, what, count);
    if (status) return status;
    double* value = scri_arena_take(r->keep, (size_t)count, sizeof *value);
    if (!value) return SCREE_ERROR_MEMORY;
    *out = value;
    return scri_text_numbers(&r->text, what, count, value);
}

static scree_status read_coefs(reader* r, const kind* k, double* coef)
{
    static const char* const name[2] = {"mu", "mu_r"};
    scree_status status = SCREE_OK;
    for (int n = 0; n < k->n_coefs; ++n) {
        for (int32_t c = 0; c < r->n_contacts; ++c) {
            double* value = &coef[3 * (int64_t)c + n];
            status = scri_text_numbers(&r->text, name[n], 1, value);
            if (status) return status;
            if (*value < 0.0) {
                return scri_text_fail(&r->text, SCREE_ERROR_INPUT,
                                      "%s of contact %" PRId32 " is negative", name[n], c);
            }
        }
    }
    return SCREE_OK;
}

/* Old files end with a flag, 0 or 1, behind the coefficients. It is spelled as an integer, which
 * Siconos never does with a coefficient. `n_left` counts the tokens from mu on. */
static bool ends_with_flag(const reader* r, int64_t n_left)
{
    if (r->dimension == 5 || n_left != (int64_t)r->n_contacts + 1) return false;
    scri_text ahead = r->text;
    while (n_left-- > 0) scri_text_next(&ahead);
    return scri_text_is(&ahead, "0") || scri_text_is(&ahead, "1");
}

/* Contacts and coefficients, which end every friction file. How many there are tells what kind of
 * problem it is. */
static scree_status read_contacts(reader* r, const kind** out)
{
    int64_t n_left = scri_text_tokens_left(&r->text);
    bool flag = ends_with_flag(r, n_left);
    const kind* k = choose_kind(r->dimension, !flag && n_left == 2 * (int64_t)r->n_contacts);
    double* coef;
    scree_status status = scri_text_room(&r->text, "mu", r->n_contacts);
    if (!status) {
        status = scri_build_contacts(r->keep, r->n_contacts, k->rows, SCRI_LAW_THAT_RUBS,
                                     &r->out->store.problem, &coef);
    }
    if (!status) status = read_coefs(r, k, coef);
    if (!status && flag) scri_text_next(&r->text);
    if (!status) status = scri_text_finish(&r->text);
    *out = k;
    return status;
}

static scree_status read_local(reader* r, const scri_triplets* w)
{
    const kind* k = NULL;
    scree_status status = read_vector(r, "q", r->n_rows, &r->out->store.problem.q);
    if (!status) status = read_contacts(r, &k);
    if (!status) status = scri_build_w(r->scratch, r->keep, w, &r->out->store.problem);
    if (!status) r->out->format = k->local;
    return status;
}

/* H has a row for each of M and a column for each of the contacts. */
static scree_status read_h(reader* r, scree_factored* f)
{
    scri_triplets h;
    scree_status status = scri_siconos_matrix_read(&r->text, "H", r->scratch, &h);
    if (status) return status;
    if (h.n_rows != f->mass.n_rows || h.n_columns != r->n_rows) {
        return scri_text_fail(&r->text, SCREE_ERROR_FORMAT,
                              "H is %" PRId32 " x %" PRId32 ", but M and the contacts ask for "
                              "%" PRId32 " x %" PRId32,
                              h.n_rows, h.n_columns, f->mass.n_rows, r->n_rows);
    }
    return scri_csc_from_triplets(r->keep, &h, &f->h);
}

static scree_status read_global(reader* r, const scri_triplets* mass)
{
    scree_problem* problem = &r->out->store.problem;
    scree_factored* f = &problem->factored;
    scree_status status = scri_csc_from_triplets(r->keep, mass, &f->mass);
    if (!status) status = read_h(r, f);
    if (!status) status = read_vector(r, "q", mass->n_rows, &f->force);
    if (!status) status = read_vector(r, "b", r->n_rows, &problem->q);
    const kind* k = NULL;
    if (!status) status = read_contacts(r, &k);
    if (!status) r->out->format = k->global;
    problem->form = SCREE_FORM_FACTORED;
    return status;
}

/* A global file goes on with a matrix, which takes at least four tokens, and three vectors. */
static bool has_room_for_global(const reader* r, const scri_triplets* first, int64_t n_left)
{
    return n_left >= 4 + (int64_t)first->n_rows + r->n_rows + r->n_contacts;
}

/* A local file goes on with two or three vectors, which are shorter than all of that. */
static bool is_local(const reader* r, const scri_triplets* first, int64_t n_left)
{
    return first->n_rows == r->n_rows && !has_room_for_global(r, first, n_left);
}

/* dimension, number of contacts, matrix, ... */
static scree_status read_friction(reader* r)
{
    scri_text* text = &r->text;
    scree_status status = scri_text_integer(text, "the dimension", 2, 5, &r->dimension);
    if (!status && r->dimension == 4) {
        return scri_text_fail(text, SCREE_ERROR_FORMAT, "dimension 4 is none of 2, 3 and 5");
    }
    if (!status) {
        status = scri_text_integer(text, "the number of contacts", 0, INT32_MAX, &r->n_contacts);
    }
    if (status) return status;
    int64_t n_rows = (int64_t)r->dimension * r->n_contacts;
    status = scri_text_room(text, "the problem", n_rows);
    if (status) return status;
    if (n_rows > INT32_MAX) {
        return scri_text_fail(text, SCREE_ERROR_UNSUPPORTED, "the problem has too many rows");
    }
    r->n_rows = (int32_t)n_rows;
    scri_triplets first;
    status = scri_siconos_matrix_read(text, "the first matrix", r->scratch, &first);
    if (status) return status;
    if (first.n_rows != first.n_columns) {
        return scri_text_fail(text, SCREE_ERROR_INPUT,
                              "the first matrix is %" PRId32 " x %" PRId32 ", not square",
                              first.n_rows, first.n_columns);
    }
    int64_t n_left = scri_text_tokens_left(text);
    if (first.n_rows != r->n_rows && !has_room_for_global(r, &first, n_left)) {
        return scri_text_fail(text, SCREE_ERROR_FORMAT,
                              "the matrix is of order %" PRId32 ", but %" PRId32
                              " contacts with %" PRId32 " rows ask for %" PRId32,
                              first.n_rows, r->n_contacts, r->dimension, r->n_rows);
    }
    return is_local(r, &first, n_left) ? read_local(r, &first) : read_global(r, &first);
}

/* n, matrix of order n, q; what follows is free text. */
static scree_status read_lcp(reader* r)
{
    scree_problem* problem = &r->out->store.problem;
    scri_text* text = &r->text;
    double* coef;
    scri_triplets m;
    int32_t n;
    scree_status status = scri_text_integer(text, "the size of the LCP", 0, INT32_MAX, &n);
    if (!status && n == 0) {
        return scri_text_fail(text, SCREE_ERROR_INPUT, "the problem has no contacts");
    }
    if (!status) status = scri_siconos_matrix_read(text, "M", r->scratch, &m);
    if (!status) status = read_vector(r, "q", n, &problem->q);
    if (!status) {
        status = scri_build_contacts(r->keep, n, SCREE_ROWS_N, SCRI_LAW_THAT_STOPS, problem, &coef);
    }
    if (!status) status = scri_build_w(r->scratch, r->keep, &m, problem);
    r->out->format = "Siconos text, LCP";
    return status;
}

/* An LCP begins "n storage n n"; a friction problem "dimension contacts storage rows columns". With
 * n = 2 the former may look like the latter with sparse storage, which has a word as its seventh
 * token where the LCP has a number (or, itself sparse, has that word as its sixth). */
static bool is_lcp(const scri_text* text)
{
    scri_text ahead = *text;
    int64_t head[6];
    int n_head = 0;
    while (n_head < 6 && scri_text_next(&ahead) && scri_text_is_integer(&ahead, &head[n_head])) {
        ++n_head;
    }
    if (n_head < 4 || head[1] < SCRI_SICONOS_DENSE || head[1] > SCRI_SICONOS_SPARSE) return false;
    if (head[2] != head[0] || head[3] != head[0]) return false;
    if (head[2] != SCRI_SICONOS_SPARSE || n_head < 6) return true;
    char first = (char)(scri_text_next(&ahead) ? *ahead.token : '0');
    return !((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z'));
}

static scree_status read_problem(reader* r)
{
    scri_text ahead = r->text;
    int64_t value;
    if (!scri_text_next(&ahead)) {
        return scri_text_fail(&ahead, SCREE_ERROR_FORMAT, "the file is empty");
    }
    if (!scri_text_is_integer(&ahead, &value)) {
        return scri_text_fail(&ahead, SCREE_ERROR_FORMAT,
                              "neither FCLIB HDF5 nor Siconos text, which begins with an integer");
    }
    return is_lcp(&r->text) ? read_lcp(r) : read_friction(r);
}

scree_status scri_siconos_read(const scree_env* env, const char* name, const char* bytes,
                               size_t size, scri_arena* keep, scree_problem_file* out)
{
    reader r = {.text = scri_text_open(env, name, bytes, size),
                .scratch = scri_arena_create(env),
                .keep = keep,
                .out = out};
    if (!r.scratch) return SCREE_ERROR_MEMORY;
    scree_status status = read_problem(&r);
    scri_arena_destroy(r.scratch);
    return status;
}
