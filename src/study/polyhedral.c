/* Polyhedral friction at acceleration level: what is asked, and the object. */
#include "study/polyhedral.h"

#include "base/env.h"
#include "base/fill.h"
#include "laws/law.h"

#include <math.h>
#include <string.h>

/* Contacts nearer than this are closed, and slower than this stick; m and m/s. */
#define NEAR 1e-9
#define SLOW 1e-9

static const char* const redundancy_names[SCREE_REDUNDANCY_COUNT] = {
    [SCREE_REDUNDANCY_REFUSE] = "refuse",
    [SCREE_REDUNDANCY_RELAX] = "relax",
    [SCREE_REDUNDANCY_LEAST] = "least",
};

const char* scree_redundancy_name(int redundancy)
{
    int known = redundancy >= 0 && redundancy < SCREE_REDUNDANCY_COUNT;
    return known ? redundancy_names[redundancy] : NULL;
}

void scree_polyhedral_def_init(scree_polyhedral_def* def)
{
    if (!def) return;
    const scree_polyhedral_def usual = {.struct_size = sizeof usual,
                                        .directions = 8,
                                        .compliance = 1e-8,
                                        .method = SCREE_LCP_LEMKE,
                                        .tol = 1e-10};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* ---- what is asked ---- */

static scree_status check_contact(const scree_env* env, const scree_polyhedral_def* def, int32_t c)
{
    const scree_system_def* s = &def->system;
    if (s->rows[c] < SCREE_ROWS_N || s->rows[c] > SCREE_ROWS_NTT ||
        (s->law && !(scri_law_get(s->law[c]) && scri_law_is_coulomb(scri_law_get(s->law[c]))))) {
        return scri_fail(
            env, SCREE_ERROR_UNSUPPORTED,
            "contact %d: polyhedral friction needs rows N, NT or NTT and the exact law", (int)c);
    }
    double values[3] = {s->coef[3 * c], def->rho ? def->rho[c] : 0.0,
                        def->kinetic ? def->kinetic[c] : 0.0};
    for (int i = 0; i < 3; ++i) {
        static const char* const names[3] = {"mu", "rho", "kinetic mu"};
        if (values[i] >= 0.0 && isfinite(values[i])) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: %s is %g", (int)c, names[i],
                         values[i]);
    }
    return SCREE_OK;
}

/* k_i */
static int32_t directions_of(const scree_polyhedral_def* def, int32_t c)
{
    return def->each ? def->each[c] : def->directions;
}

static scree_status check_directions(const scree_env* env, const scree_polyhedral_def* def)
{
    size_t first = 0;
    for (int32_t c = 0; c < def->system.n_contacts || c == 0; ++c) {
        int32_t k = c < def->system.n_contacts ? directions_of(def, c) : def->directions;
        if (k >= 2 && k <= 1024) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "%d directions: 2 to 1024 are possible", (int)k);
    }
    for (int32_t c = 0; def->direction && c < def->system.n_contacts; ++c) {
        const double* e = def->direction + 2 * first;
        int32_t k = directions_of(def, c);
        double turn = 0.0;
        first += (size_t)k;
        for (int32_t j = 0; j < k; ++j) {
            double length = hypot(e[2 * j], e[2 * j + 1]);
            turn = fmax(turn, fabs(e[0] * e[2 * j + 1] - e[1] * e[2 * j]));
            if (fabs(length - 1.0) <= 1e-12) continue;
            return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: direction %d has length %g",
                             (int)c, (int)j, length);
        }
        if (turn > 1e-6 || def->system.rows[c] != SCREE_ROWS_NTT) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: all directions are parallel", (int)c);
    }
    return SCREE_OK;
}

static scree_status check_def(const scree_env* env, const scree_polyhedral_def* def)
{
    const scree_system_def* s = &def->system;
    const scree_system_model* f = &s->model;
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_polyhedral_def");
    if (status) return status;
    if (s->n < 1 || s->n_contacts < 0 || !f->mass || !f->force ||
        (s->n_contacts > 0 && (!f->gap || !f->directions || !f->rates || !s->rows || !s->coef))) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "a system needs coordinates, mass and force, and its contacts gap, "
                         "directions, rates, rows and coefficients");
    }
    if ((int)def->redundancy < 0 || def->redundancy >= SCREE_REDUNDANCY_COUNT ||
        (def->redundancy == SCREE_REDUNDANCY_RELAX && !(def->compliance > 0.0)) || s->set) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "relaxation needs a positive compliance; sets are not possible");
    }
    status = check_directions(env, def);
    for (int32_t c = 0; c < s->n_contacts && !status; ++c) status = check_contact(env, def, c);
    return status;
}

/* ---- the object ---- */

static void* copy(scri_arena* arena, const void* from, size_t size, int* failed)
{
    if (!from) return NULL;
    void* to = scri_arena_take(arena, size, 1);
    if (to) {
        memcpy(to, from, size);
    } else {
        *failed = 1;
    }
    return to;
}

static double* take(scri_arena* arena, size_t n, int* failed)
{
    double* x = scri_arena_take(arena, n, sizeof *x);
    if (!x) *failed = 1;
    return x;
}

/* First row and line of every contact. */
static scree_status number_rows(scree_polyhedral* p)
{
    size_t n = (size_t)p->def.system.n_contacts;
    p->row = scri_arena_take(p->arena, n + 1, sizeof *p->row);
    p->line = scri_arena_take(p->arena, n + 1, sizeof *p->line);
    if (!p->row || !p->line) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < n; ++c) {
        int width = scree_rows_width(p->def.system.rows[c]);
        p->row[c + 1] = p->row[c] + width;
        p->line[c + 1] = p->line[c] + (width == 3 ? directions_of(&p->def, (int32_t)c) : width - 1);
    }
    p->n_rows = p->row[n];
    p->n_lines = p->line[n];
    return SCREE_OK;
}

static void set_lines(scree_polyhedral* p)
{
    size_t first = 0;
    for (int32_t c = 0; c < p->def.system.n_contacts; ++c) {
        int32_t k = directions_of(&p->def, c);
        double* e = p->e + 2 * (size_t)p->line[c];
        for (int32_t j = 0; j < p->line[c + 1] - p->line[c]; ++j) {
            int given = p->def.direction && p->def.system.rows[c] == SCREE_ROWS_NTT;
            const double* from = given ? p->def.direction + 2 * (first + (size_t)j) : NULL;
            e[2 * j] = from ? from[0] : cos(j * SCREE_PI / k);
            e[2 * j + 1] = from ? from[1] : sin(j * SCREE_PI / k);
        }
        first += (size_t)k;
    }
}

static scree_status allocate(scree_polyhedral* p)
{
    const scree_system_def* s = &p->def.system;
    size_t n = (size_t)s->n, m = (size_t)s->n_contacts, rows = (size_t)p->n_rows,
           lines = (size_t)p->n_lines;
    int failed = 0;
    p->e = take(p->arena, 2 * lines, &failed);
    double** states[] = {&p->q, &p->u, &p->acceleration, &p->q0, &p->u0, &p->q1, &p->u1};
    double** line_arrays[] = {&p->kappa_plus, &p->kappa_minus, &p->sigma_minus, &p->sigma_plus};
    for (size_t i = 0; i < sizeof states / sizeof *states; ++i) {
        *states[i] = take(p->arena, n, &failed);
    }
    for (size_t i = 0; i < sizeof line_arrays / sizeof *line_arrays; ++i) {
        *line_arrays[i] = take(p->arena, lines, &failed);
    }
    p->force = take(p->arena, rows, &failed);
    p->velocity = take(p->arena, rows, &failed);
    p->rho = take(p->arena, m, &failed);
    p->coef = take(p->arena, 3 * m, &failed);
    p->mode = scri_arena_take(p->arena, m, 1);
    return failed || !p->mode ? SCREE_ERROR_MEMORY : SCREE_OK;
}

static scree_status copy_def(scree_polyhedral* p, const scree_polyhedral_def* def)
{
    size_t m = (size_t)def->system.n_contacts;
    int failed = 0;
    p->def = *def;
    p->def.system.law = NULL;
    p->def.system.restitution = NULL;
    p->def.system.rows = copy(p->arena, def->system.rows, m, &failed);
    p->def.system.coef = copy(p->arena, def->system.coef, 3 * m * sizeof(double), &failed);
    p->def.rho = copy(p->arena, def->rho, m * sizeof(double), &failed);
    p->def.kinetic = copy(p->arena, def->kinetic, m * sizeof(double), &failed);
    size_t lines = 0;
    for (size_t c = 0; c < m; ++c) lines += (size_t)directions_of(def, (int32_t)c);
    p->def.direction = copy(p->arena, def->direction, 2 * lines * sizeof(double), &failed);
    p->def.each = copy(p->arena, def->each, m * sizeof *def->each, &failed);
    return failed ? SCREE_ERROR_MEMORY : SCREE_OK;
}

static scree_status find_modes(scree_polyhedral* p)
{
    double* gap = scri_arena_take(p->arena, (size_t)p->def.system.n_contacts, sizeof *gap);
    if (!gap) return SCREE_ERROR_MEMORY;
    scree_status status = scri_poly_measure(p, p->t, p->q, p->u, p->velocity, gap);
    for (int32_t c = 0; c < p->def.system.n_contacts && !status; ++c) {
        const double* v = p->velocity + p->row[c];
        int width = p->row[c + 1] - p->row[c];
        double speed = hypot(width > 1 ? v[1] : 0.0, width > 2 ? v[2] : 0.0);
        p->mode[c] = !(gap[c] <= NEAR && v[0] <= SLOW) ? SCREE_CONTACT_OPEN
                     : speed <= SLOW                   ? SCREE_CONTACT_STICK
                                                       : SCREE_CONTACT_SLIP;
    }
    return status;
}

static scree_status fill(scree_polyhedral* p, const scree_polyhedral_def* def, double t,
                         const double* q, const double* u)
{
    size_t n = (size_t)def->system.n;
    scree_status status = copy_def(p, def);
    if (!status) status = number_rows(p);
    if (!status) status = allocate(p);
    if (status) return status;
    set_lines(p);
    p->t = t;
    memcpy(p->q, q, n * sizeof *q);
    memcpy(p->u, u, n * sizeof *u);
    return find_modes(p);
}

scree_status scree_polyhedral_create(const scree_env* env, const scree_polyhedral_def* def,
                                     double t, const double* q, const double* u,
                                     scree_polyhedral** out)
{
    if (!def || !q || !u || !out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    scree_status status = check_def(env, def);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    scree_polyhedral* p = arena ? scri_arena_take(arena, 1, sizeof *p) : NULL;
    if (p) p->arena = arena;
    if (p && env) p->env = *env;
    status = p ? fill(p, def, t, q, u) : SCREE_ERROR_MEMORY;
    if (!status) {
        *out = p;
        return SCREE_OK;
    }
    scri_arena_destroy(arena);
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for a system with contacts");
}

void scree_polyhedral_destroy(scree_polyhedral* polyhedral)
{
    if (!polyhedral) return;
    scri_arena_destroy(polyhedral->last);
    scri_arena_destroy(polyhedral->arena);
}

void scree_polyhedral_fill_view(const scree_polyhedral* polyhedral, scree_polyhedral_view* view)
{
    scree_polyhedral_view whole = {.struct_size = sizeof whole};
    if (!view) return;
    const scree_polyhedral* p = polyhedral;
    if (p) {
        whole = (scree_polyhedral_view){.time = p->t,
                                        .n = p->def.system.n,
                                        .n_contacts = p->def.system.n_contacts,
                                        .n_rows = p->n_rows,
                                        .n_lines = p->n_lines,
                                        .row = p->row,
                                        .line = p->line,
                                        .q = p->q,
                                        .u = p->u,
                                        .acceleration = p->acceleration,
                                        .force = p->force,
                                        .velocity = p->velocity,
                                        .rho = p->rho,
                                        .kappa_plus = p->kappa_plus,
                                        .kappa_minus = p->kappa_minus,
                                        .sigma_minus = p->sigma_minus,
                                        .sigma_plus = p->sigma_plus,
                                        .mode = p->mode,
                                        .n_events = p->n_events,
                                        .lcp = p->lcp.a ? &p->lcp : NULL};
    }
    scri_fill(view, view->struct_size, &whole, sizeof whole);
}
