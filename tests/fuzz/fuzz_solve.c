/* Random problems, many of them degenerate, and a random solver for each: every outcome must agree
 * with the certificate, whatever the problem.
 *
 * The input steers a problem of up to 30 contacts: bodies, an assembled matrix that need not be
 * that of any bodies, or a factored problem that is reduced. Masses, coefficients, free velocities
 * and the first guess extend over many decades, and zeros, immovable bodies, points without
 * inertia and contacts that occur many times are common. */
#include "base/arena.h"
#include "base/random.h"
#include "laws/law.h"
#include "scree/scree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A first guess as good as this needs no iteration. */
#define AT_ROUNDING 1e-12

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MAX_CONTACTS = 30, MAX_BODIES = 12, MAX_DOF = 24 };

/* The input, and when that is used up random bytes that depend on all of it: a short input makes a
 * large problem too. */
typedef struct source {
    const uint8_t* at;
    size_t left;
    scri_random random;
} source;

static uint8_t take(source* s)
{
    if (s->left == 0) return (uint8_t)scri_random_below(&s->random, 256);
    --s->left;
    return *s->at++;
}

static source source_of(const uint8_t* data, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 1099511628211u;
    return (source){data, size, {.key = hash}};
}

static int below(source* s, int n)
{
    return take(s) % n;
}

/* From -1 to 1. */
static double take_share(source* s)
{
    return ((double)take(s) - 128.0) / 128.0;
}

/* Not negative: 0, 1, or any size within `decades` either way. */
static double take_size(source* s, double decades)
{
    int kind = below(s, 4);
    if (kind == 0) return 0.0;
    if (kind == 1) return 1.0;
    return pow(10.0, (kind == 2 ? 1.0 : decades) * take_share(s));
}

static double take_signed(source* s, double decades)
{
    double size = take_size(s, decades);
    return take(s) & 1 ? -size : size;
}

static void* room(scri_arena* arena, size_t count, size_t size)
{
    void* memory = scri_arena_take(arena, count + 1, size);
    if (!memory) abort();
    return memory;
}

/* ---- contacts ---------------------------------------------------------------------------------
 */

static uint8_t take_rows(source* s, int law, scree_form form)
{
    for (int rows = 1 + below(s, SCREE_ROWS_END - 1);; rows = rows % (SCREE_ROWS_END - 1) + 1) {
        int planar = rows == SCREE_ROWS_NT || rows == SCREE_ROWS_NTR;
        if (scri_law_get(law)->rows >> rows & 1u && !(planar && form == SCREE_FORM_BODIES)) {
            return (uint8_t)rows;
        }
    }
}

static void take_coefficients(source* s, int law, double* coef)
{
    for (int k = 0; k < 3; ++k) coef[k] = take_size(s, 9.0);
    if (law != SCREE_LAW_INTERVAL) return;
    coef[0] = -coef[0];
    if (take(s) % 8 == 0) coef[0] = -SCREE_INFINITY;
    if (take(s) % 8 == 0) coef[1] = SCREE_INFINITY;
}

/* Rows, laws, coefficients, free velocities. One law in most problems, any mixture in the rest. */
static void make_contacts(source* s, scri_arena* arena, scree_problem* p)
{
    size_t n = (size_t)p->n_contacts;
    int32_t* row = room(arena, n + 1, sizeof *row);
    uint8_t *rows = room(arena, n, 1), *law = room(arena, n, 1);
    double* coef = room(arena, 3 * n, sizeof *coef);
    int mixed = take(s) % 4 == 0, common = below(s, SCREE_LAW_COUNT);
    uint8_t common_rows = take_rows(s, common, p->form);
    for (size_t c = 0; c < n; ++c) {
        law[c] = (uint8_t)(mixed ? below(s, SCREE_LAW_COUNT) : common);
        rows[c] = mixed ? take_rows(s, law[c], p->form) : common_rows;
        take_coefficients(s, law[c], coef + 3 * c);
        row[c + 1] = row[c] + scree_rows_width(rows[c]);
    }
    size_t n_rows = (size_t)row[n];
    double *q = room(arena, n_rows, sizeof *q), *soft = room(arena, n_rows, sizeof *soft);
    double decades = take(s) % 4 ? 3.0 : 40.0;
    for (size_t i = 0; i < n_rows; ++i) q[i] = take_signed(s, decades);
    for (size_t i = 0; i < n_rows; ++i) soft[i] = take_size(s, 9.0);
    p->first_row = row, p->rows = rows, p->law = law, p->coef = coef, p->q = q;
    p->compliance = take(s) % 4 ? NULL : soft;
}

/* ---- operators --------------------------------------------------------------------------------
 */

static void take_frame(source* s, double* frame)
{
    double x[4] = {1.0, 0.0, 0.0, 0.0}, square = 0.0;
    if (take(s) & 1) {
        for (int i = 0; i < 4; ++i) x[i] = (double)take(s) - 127.5;
    }
    for (int i = 0; i < 4; ++i) square += x[i] * x[i];
    for (int i = 0; i < 4; ++i) x[i] /= sqrt(square);
    double a = x[0], b = x[1], c = x[2], d = x[3];
    const double axes[9] = {a * a + b * b - c * c - d * d, 2.0 * (b * c + a * d),
                            2.0 * (b * d - a * c),         2.0 * (b * c - a * d),
                            a * a - b * b + c * c - d * d, 2.0 * (c * d + a * b),
                            2.0 * (b * d + a * c),         2.0 * (c * d - a * b),
                            a * a - b * b - c * c + d * d};
    memcpy(frame, axes, sizeof axes);
}

/* Kinds: like a sphere, three moments, no inertia at all (a point), one axis only. */
static void take_body(source* s, double* inv_mass, double* inv_inertia)
{
    *inv_mass = take_size(s, 9.0);
    if (*inv_mass == 0.0) return;
    int kind = below(s, 4);
    double moment = *inv_mass * take_size(s, 3.0);
    for (int i = 0; i < 3; ++i) {
        inv_inertia[i] = kind == 0 ? moment : kind == 1 ? *inv_mass * take_size(s, 3.0) : 0.0;
    }
    if (kind == 3) inv_inertia[0] = moment;
}

static void make_bodies(source* s, scri_arena* arena, scree_problem* p)
{
    size_t n = (size_t)p->n_contacts;
    int n_bodies = 1 + below(s, MAX_BODIES);
    double* inv_mass = room(arena, (size_t)n_bodies, sizeof *inv_mass);
    double* inv_inertia = room(arena, 6 * (size_t)n_bodies, sizeof *inv_inertia);
    int32_t* pair = room(arena, 2 * n, sizeof *pair);
    double *frame = room(arena, 9 * n, sizeof *frame), *arm = room(arena, 6 * n, sizeof *arm);
    for (int b = 0; b < n_bodies; ++b) take_body(s, inv_mass + b, inv_inertia + 6 * (size_t)b);
    for (size_t c = 0; c < n; ++c) {
        if (c > 0 && take(s) % 4 == 0) { /* the one before once more */
            memcpy(pair + 2 * c, pair + 2 * c - 2, 2 * sizeof *pair);
            memcpy(frame + 9 * c, frame + 9 * c - 9, 9 * sizeof *frame);
            memcpy(arm + 6 * c, arm + 6 * c - 6, 6 * sizeof *arm);
            continue;
        }
        pair[2 * c] = below(s, n_bodies + 1) - 1;
        pair[2 * c + 1] = below(s, n_bodies + 1) - 1;
        take_frame(s, frame + 9 * c);
        for (size_t i = 0; i < 6; ++i) arm[6 * c + i] = take_share(s);
    }
    p->bodies = (scree_bodies){n_bodies, inv_mass, inv_inertia, pair, frame, arm, NULL, NULL};
}

/* All blocks, or those on the diagonal and a few more. The matrix is a product of a random one with
 * its transpose, or anything. */
static void make_matrix(source* s, scri_arena* arena, scree_problem* p)
{
    int32_t n = p->n_contacts, n_rows = scree_problem_n_rows(p);
    size_t most = (size_t)n * (size_t)n, entries = (size_t)n_rows * (size_t)n_rows;
    int32_t *start = room(arena, (size_t)n + 1, sizeof *start), *column = room(arena, most, 4);
    int64_t* offset = room(arena, most + 1, sizeof *offset);
    double* value = room(arena, entries, sizeof *value);
    double* root = room(arena, (size_t)n_rows * MAX_DOF, sizeof *root);
    int any = take(s) % 4 == 0, full = take(s) & 1, rank = 1 + below(s, MAX_DOF);
    double decades = take(s) % 2 ? 1.0 : 6.0;
    for (int32_t i = 0; i < n_rows * rank && !any; ++i) root[i] = take_signed(s, decades);
    int32_t k = 0;
    for (int32_t c = 0; c < n; ++c) {
        for (int32_t d = 0; d < n; ++d) {
            if (!full && d != c && take(s) % 8) continue;
            int32_t height = p->first_row[c + 1] - p->first_row[c],
                    width = p->first_row[d + 1] - p->first_row[d];
            for (int32_t e = 0; e < height * width; ++e) {
                const double* a = root + (size_t)(p->first_row[c] + e / width) * (size_t)rank;
                const double* b = root + (size_t)(p->first_row[d] + e % width) * (size_t)rank;
                double sum = any ? take_signed(s, decades) : 0.0;
                for (int j = 0; j < rank && !any; ++j) sum += a[j] * b[j];
                value[offset[k] + e] = sum;
            }
            column[k] = d;
            offset[k + 1] = offset[k] + height * width;
            ++k;
        }
        start[c + 1] = k;
    }
    p->w = (scree_bsr){start, column, offset, value};
}

static void make_factors(source* s, scri_arena* arena, scree_problem* p)
{
    int32_t n_rows = scree_problem_n_rows(p), n_dof = 1 + below(s, MAX_DOF);
    size_t n = (size_t)n_dof, m = (size_t)n_rows, entries = n * m;
    int32_t *m_start = room(arena, n + 1, 4), *m_row = room(arena, n, 4);
    int32_t *h_start = room(arena, m + 1, 4), *h_row = room(arena, entries, 4);
    double *mass = room(arena, n, 8), *h = room(arena, entries, 8), *force = room(arena, n, 8);
    for (int32_t i = 0; i < n_dof; ++i) {
        double size = take_size(s, 9.0);
        m_start[i + 1] = i + 1;
        m_row[i] = i;
        mass[i] = size > 0.0 ? size : 1.0;
        force[i] = take_signed(s, 3.0);
    }
    int32_t k = 0;
    for (int32_t j = 0; j < n_rows; ++j) {
        for (int32_t i = 0; i < n_dof; ++i) {
            if (take(s) % 4) continue;
            h_row[k] = i;
            h[k++] = take_signed(s, 1.0);
        }
        h_start[j + 1] = k;
    }
    p->factored = (scree_factored){
        {n_dof, n_dof, m_start, m_row, mass}, {n_dof, n_rows, h_start, h_row, h}, force};
}

static scree_problem make_problem(source* s, scri_arena* arena)
{
    static const scree_form forms[] = {SCREE_FORM_BODIES, SCREE_FORM_BODIES, SCREE_FORM_ASSEMBLED,
                                       SCREE_FORM_FACTORED};
    scree_problem p = {.n_contacts = 1 + below(s, MAX_CONTACTS), .form = forms[below(s, 4)]};
    make_contacts(s, arena, &p);
    if (p.form == SCREE_FORM_BODIES) {
        make_bodies(s, arena, &p);
    } else if (p.form == SCREE_FORM_ASSEMBLED) {
        make_matrix(s, arena, &p);
    } else {
        make_factors(s, arena, &p);
    }
    return p;
}

/* ---- what every solver promises ---------------------------------------------------------------
 */

static scree_solver_def take_def(source* s)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = scree_solver_get(below(s, scree_solver_count())).name;
    def.measure = (scree_measure)below(s, SCREE_MEASURE_COUNT);
    def.tol = pow(10.0, -(double)below(s, 16));
    def.sweep = (scree_sweep)below(s, SCREE_SWEEP_COUNT);
    def.seed = take(s);
    def.max_iter = take(s);
    def.min_iter = take(s) % 8 ? 0 : take(s) % 8;
    def.max_time = take(s) % 8 ? 5.0 : 0.0;
    return def;
}

static void check(const scree_problem* problem, const scree_solver_def* def, const double* p,
                  const scree_report* report)
{
    scree_certificate certificate;
    int32_t n_rows = scree_problem_n_rows(problem);
    for (int32_t i = 0; i < n_rows; ++i) {
        if (!isfinite(p[i])) abort();
    }
    if (scree_certify(NULL, problem, p, &certificate) != SCREE_OK) abort();
    double residual = scree_certificate_residual(&certificate, def->measure);
    int impossible =
        report->outcome == SCREE_OUTCOME_INFEASIBLE; /* then it is of another problem */
    if (!impossible && !(residual == report->residual)) abort();
    if (impossible != (report->infeasible.n_contacts > 0)) abort();
    if (report->iterations < 0 || report->iterations > def->max_iter) abort();
    if (!(report->time_s >= 0.0)) abort(); /* libFuzzer's limit finds what takes long */
    switch (report->outcome) {
    case SCREE_OUTCOME_CONVERGED:
        if (!(residual <= def->tol)) abort();
        if (report->iterations < def->min_iter && !(residual <= AT_ROUNDING)) abort();
        break;
    case SCREE_OUTCOME_INFEASIBLE:
        break;
    case SCREE_OUTCOME_STALLED:
    case SCREE_OUTCOME_ITERATION_LIMIT:
    case SCREE_OUTCOME_TIME_LIMIT:
        if (!(residual > def->tol || report->iterations < def->min_iter)) abort();
        break;
    default: /* nobody interrupts */
        abort();
    }
}

static void solve(source* s, const scree_problem* problem, const scree_solver_def* def)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scree_report report;
    int fits = !scree_solver_unfit(NULL, problem, def);
    void* work = malloc(fits ? scree_solve_work_size(NULL, problem, def) : 1);
    double* p = calloc(n_rows, sizeof *p);
    if (!work || !p) abort();
    int guess = below(s, 4);
    for (size_t i = 0; i < n_rows && guess == 0; ++i) p[i] = take_signed(s, 30.0);
    scree_status status = scree_solve(NULL, problem, def, work, p, &report);
    if (status != (fits ? SCREE_OK : SCREE_ERROR_UNSUPPORTED)) abort();
    if (fits) check(problem, def, p, &report);
    free(p);
    free(work);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    source s = source_of(data, size);
    scree_solver_def def = take_def(&s);
    scri_arena* arena = scri_arena_create(NULL);
    if (!arena) abort();
    scree_problem problem = make_problem(&s, arena);
    scree_problem_store reduced = {.memory = NULL};
    if (scree_problem_validate(NULL, &problem) != SCREE_OK) abort();
    scree_status status = SCREE_OK;
    if (problem.form == SCREE_FORM_FACTORED || take(&s) % 4 == 0) {
        status = scree_problem_reduce(NULL, &problem, &reduced);
        if (!status) problem = reduced.problem;
    }
    if (!status) solve(&s, &problem, &def);
    scree_problem_store_release(&reduced);
    scri_arena_destroy(arena);
    return 0;
}
