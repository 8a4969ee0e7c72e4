/* Motion in time: the midpoint rule between events, and impulses at them. */
#include "base/env.h"
#include "math/least_norm.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

enum { PIECES = 50, BISECTIONS = 60 };

/* Speeds and penetrations below these are rounding and drift, m/s and m. */
#define SLOW 1e-7
#define DEPTH 1e-10

/* A piece ends at most this much later than a sliding contact is about to stop, so that at its
 * midpoint the friction has not turned yet. */
#define PAST_STOP 1.01

/* Accelerations below this, relative, do not move a contact. */
#define NOTHING 1e-9

/* What a piece of the step needs beside the object. */
typedef struct piece {
    scree_polyhedral* p;
    scri_arena* arena;
    double length;         /* s */
    double* before;        /* [n_rows] contact velocities at its beginning */
    double* velocity;      /* [n_rows] */
    double* gap;           /* [n_contacts] */
    uint8_t* meets;        /* [n_contacts] it has an event */
    double* acceleration;  /* [n] of the midpoint */
    double *rate, *middle; /* [n] scratch: rates of the coordinates, velocity of the midpoint */
} piece;

static scree_status create(piece* x)
{
    const scree_polyhedral* p = x->p;
    size_t rows = (size_t)p->n_rows, m = (size_t)p->def.system.n_contacts;
    x->before = scri_arena_take(x->arena, rows, sizeof(double));
    x->velocity = scri_arena_take(x->arena, rows, sizeof(double));
    x->gap = scri_arena_take(x->arena, m, sizeof(double));
    x->meets = scri_arena_take(x->arena, m, 1);
    x->acceleration = scri_arena_take(x->arena, (size_t)p->def.system.n, sizeof(double));
    x->rate = scri_arena_take(x->arena, (size_t)p->def.system.n, sizeof(double));
    x->middle = scri_arena_take(x->arena, (size_t)p->def.system.n, sizeof(double));
    int good =
        x->before && x->velocity && x->gap && x->meets && x->acceleration && x->rate && x->middle;
    return good ? SCREE_OK : SCREE_ERROR_MEMORY;
}

/* Contacts that the accelerations open, or set sliding. */
static void change_modes(scree_polyhedral* p, const scri_poly_system* s,
                         const scri_poly_solution* x)
{
    double size = 0.0;
    for (int32_t i = 0; i < s->m + s->mt; ++i) size = fmax(size, fabs(s->b[i]));
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* c = &s->closed[i];
        double up = s->rate[i], along = 0.0;
        for (int32_t k = 0; k < s->n; ++k) {
            up += s->j[(size_t)i * (size_t)s->n + (size_t)k] * x->acceleration[k];
        }
        for (int32_t j = 0; j < c->k; ++j) {
            along += x->kappa[c->line + j] + x->kappa[s->mk + c->line + j];
        }
        double bound = NOTHING * size + 10.0 * s->compliance * fabs(x->force[i]);
        if (up > bound) {
            p->mode[c->contact] = SCREE_CONTACT_OPEN;
        } else if (c->k > 0 && along > bound) {
            p->mode[c->contact] = SCREE_CONTACT_SLIP;
        }
    }
}

/* Gamma(q, t) u into x->rate. */
static const double* find_rate(const piece* x, double t, const double* q, const double* u)
{
    const scree_system_model* model = &x->p->def.system.model;
    memset(x->rate, 0, (size_t)x->p->def.system.n * sizeof *x->rate);
    model->kinematics(model->user, t, q, u, x->rate);
    return x->rate;
}

/* q1 where coordinates do not change with the velocities themselves: Gamma of the middle, which one
 * half step with Gamma of the beginning finds, on the velocity of the middle. */
static void move_by_kinematics(const piece* x, double s)
{
    scree_polyhedral* p = x->p;
    int32_t n = p->def.system.n;
    const double* rate = find_rate(x, p->t, p->q, p->u);
    for (int32_t i = 0; i < n; ++i) {
        p->q1[i] = p->q[i] + 0.5 * s * rate[i];
        x->middle[i] = 0.5 * (p->u[i] + p->u1[i]);
    }
    rate = find_rate(x, p->t + 0.5 * s, p->q1, x->middle);
    for (int32_t i = 0; i < n; ++i) p->q1[i] = p->q[i] + s * rate[i];
}

/* The state after s seconds of constant acceleration, into q1 and u1. */
static void move(const piece* x, double s)
{
    scree_polyhedral* p = x->p;
    for (int32_t i = 0; i < p->def.system.n; ++i) {
        p->u1[i] = p->u[i] + s * x->acceleration[i];
        p->q1[i] = p->q[i] + 0.5 * s * (p->u[i] + p->u1[i]);
    }
    if (p->def.system.model.kinematics) move_by_kinematics(x, s);
}

/* Which contacts would have closed, or come to rest, s seconds on. Their number, or -1 for want of
 * memory. */
static int32_t find_events(piece* x, double s)
{
    const scree_polyhedral* p = x->p;
    int32_t count = 0;
    move(x, s);
    if (scri_poly_measure(p, p->t + s, p->q1, p->u1, x->velocity, x->gap)) return -1;
    for (int32_t c = 0; c < p->def.system.n_contacts; ++c) {
        const double *v = x->velocity + p->row[c], *v0 = x->before + p->row[c];
        double turned = 0.0, square = 0.0;
        for (int32_t i = 1; i < p->row[c + 1] - p->row[c]; ++i) {
            turned += v[i] * v0[i];
            square += v0[i] * v0[i];
        }
        int closes = p->mode[c] == SCREE_CONTACT_OPEN && x->gap[c] < -DEPTH && v[0] < -SLOW;
        int stops = p->mode[c] == SCREE_CONTACT_SLIP && square > SLOW * SLOW && turned <= 0.0;
        x->meets[c] = closes || stops;
        count += x->meets[c];
    }
    return count;
}

/* Shortens the piece to the first event in it; 1: there is one, 0: none, -1: out of memory. */
static int32_t shorten(piece* x)
{
    int32_t found = find_events(x, x->length);
    if (found <= 0) return found;
    double low = 0.0, high = x->length;
    for (int k = 0; k < BISECTIONS && high - low > 1e-12 * x->length; ++k) {
        double middle = 0.5 * (low + high);
        found = find_events(x, middle);
        if (found < 0) return found;
        if (found > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    x->length = high;
    found = find_events(x, high);
    return found < 0 ? -1 : 1;
}

/* Whether a contact that closes does so with a speed. Velocities [n_rows] are those of the moment.
 */
static int collides(const piece* x)
{
    const scree_polyhedral* p = x->p;
    int found = 0;
    for (int32_t c = 0; c < p->def.system.n_contacts; ++c) {
        int closes = x->meets[c] && p->mode[c] == SCREE_CONTACT_OPEN;
        found |= closes && x->velocity[p->row[c]] < -SLOW;
    }
    return found;
}

/* The system of the moment as impulses see it: no compliance, other modes, and forces along the
 * rows alone. */
static scree_status make_plain(piece* x, const uint8_t* mode, scree_polyhedral* plain,
                               scri_poly_system* s)
{
    const scree_polyhedral* p = x->p;
    size_t m = (size_t)p->def.system.n_contacts;
    *plain = *p;
    plain->mode = scri_arena_take(x->arena, m, 1);
    plain->def.kinetic = scri_arena_take(x->arena, m, sizeof(double));
    if (!plain->mode || !plain->def.kinetic) return SCREE_ERROR_MEMORY;
    memcpy(plain->mode, mode, m);
    plain->def.redundancy = SCREE_REDUNDANCY_LEAST;
    return scri_poly_system_create(plain, x->arena, p->t, p->q, p->u, s);
}

/* The impulse of a collision: all closed contacts take part, and may stick. */
static scree_status collide(piece* x, int* solved)
{
    scree_polyhedral *p = x->p, plain;
    size_t m = (size_t)p->def.system.n_contacts;
    uint8_t* mode = scri_arena_take(x->arena, m, 1);
    scri_poly_system s;
    scree_lcp_report report;
    if (!mode) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < m; ++c) {
        x->meets[c] |= p->mode[c] != SCREE_CONTACT_OPEN;
        mode[c] = x->meets[c] ? SCREE_CONTACT_STICK : SCREE_CONTACT_OPEN;
    }
    scree_status status = make_plain(x, mode, &plain, &s);
    if (!status) status = scri_poly_impulse(&plain, &s, x->arena, p->u, &report);
    *solved = !status && report.outcome == SCREE_LCP_SOLVED;
    return status;
}

/* Takes the drift out of velocities that are to be 0: normal ones of closed contacts, tangential
 * ones of those that stick. No inequality here: friction need not be able to do it. */
static scree_status remove_drift(piece* x)
{
    scree_polyhedral *p = x->p, plain;
    scri_poly_system s;
    scree_status status = make_plain(x, p->mode, &plain, &s);
    if (!status) status = scri_poly_measure(p, p->t, p->q, p->u, x->velocity, NULL);
    if (status) return status;
    size_t n = (size_t)s.n, rows = scri_poly_rows(&s);
    double* b = scri_arena_take(x->arena, rows, sizeof *b);
    double* work = scri_arena_take(x->arena, 3 * rows, sizeof *work);
    if (!b || !work) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < s.m; ++i) {
        const double* v = x->velocity + p->row[s.closed[i].contact];
        b[i] = -v[0];
        for (int32_t d = 0; d < s.closed[i].dim; ++d) {
            b[s.m + s.closed[i].tangent + d] = -v[1 + d];
        }
    }
    scri_least_norm((int)rows, s.g, b, 1e-10, work);
    for (size_t i = 0; i < rows; ++i) {
        for (size_t k = 0; k < n; ++k) p->u[k] += b[i] * s.reach[i * n + k];
    }
    return SCREE_OK;
}

/* Modes of the contacts that met an event, took part in a collision, came back as slowly as they
 * had left, or slide no more. */
static scree_status settle(piece* x)
{
    scree_polyhedral* p = x->p;
    scree_status status = scri_poly_measure(p, p->t, p->q, p->u, x->velocity, x->gap);
    for (int32_t c = 0; c < p->def.system.n_contacts && !status; ++c) {
        const double* v = x->velocity + p->row[c];
        int32_t width = p->row[c + 1] - p->row[c];
        double speed = hypot(width > 1 ? v[1] : 0.0, width > 2 ? v[2] : 0.0);
        int back = p->mode[c] == SCREE_CONTACT_OPEN && x->gap[c] < 0.0 && v[0] <= 0.0;
        if (x->meets[c] || back || p->mode[c] == SCREE_CONTACT_SLIP) {
            p->mode[c] = speed > SLOW ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK;
        }
        if (v[0] > SLOW) p->mode[c] = SCREE_CONTACT_OPEN;
    }
    return status;
}

/* What follows the moment that a piece has ended at. */
static scree_status end_piece(piece* x, int* solved)
{
    const scree_polyhedral* p = x->p;
    scree_status status = scri_poly_measure(p, p->t, p->q, p->u, x->velocity, NULL);
    *solved = 1;
    if (!status && collides(x)) status = collide(x, solved);
    if (!status && *solved) status = settle(x);
    return status || !*solved ? status : remove_drift(x);
}

/* When closed contact i, if it slides, would come to rest under a constant acceleration. Only the
 * normal row of a sliding contact is in the system: its tangential ones come from the model. */
static double time_to_stop(const piece* x, const scri_poly_system* s, int32_t i,
                           const double* acceleration)
{
    const scree_polyhedral* p = x->p;
    int32_t c = s->closed[i].contact;
    if (s->closed[i].slip_row == NULL || p->mode[c] != SCREE_CONTACT_SLIP) return SCREE_INFINITY;
    const double* v0 = x->before + p->row[c];
    double square = 0.0, slower = 0.0;
    for (int32_t d = 1; d < p->row[c + 1] - p->row[c]; ++d) {
        double rate = s->closed[i].slip_rate[d - 1];
        for (int32_t k = 0; k < s->n; ++k) {
            rate += s->closed[i].slip_row[(size_t)((d - 1) * s->n + k)] * acceleration[k];
        }
        square += v0[d] * v0[d];
        slower -= rate * v0[d];
    }
    return slower > 0.0 && square > SLOW * SLOW ? square / slower : SCREE_INFINITY;
}

/* One piece of at most `length`, ended by the first event unless `whole`. *solved: 0 when a problem
 * has no solution. */
static scree_status advance_piece(scree_polyhedral* p, scri_arena* arena, double length, int whole,
                                  int* solved, scree_polyhedral_report* report)
{
    scri_poly_system s;
    scri_poly_solution x;
    piece now = {.p = p, .arena = arena, .length = length};
    size_t n = (size_t)p->def.system.n;
    *solved = 0;
    scree_status status = create(&now);
    scri_poly_state first = {p->t, p->q, p->u};
    if (!status) status = scri_poly_solve(p, arena, first, &s, &x, report);
    if (status || !report->solved) return status;
    change_modes(p, &s, &x);
    status = scri_poly_measure(p, p->t, p->q, p->u, now.before, NULL);
    if (status) return status;
    for (int32_t i = 0; i < s.m && !whole; ++i) {
        now.length = fmin(now.length, PAST_STOP * time_to_stop(&now, &s, i, x.acceleration));
    }
    const double* rate = p->def.system.model.kinematics ? find_rate(&now, p->t, p->q, p->u) : p->u;
    for (size_t i = 0; i < n; ++i) {
        p->q0[i] = p->q[i] + 0.5 * now.length * rate[i];
        p->u0[i] = p->u[i] + 0.5 * now.length * x.acceleration[i];
    }
    scri_poly_state middle = {p->t + 0.5 * now.length, p->q0, p->u0};
    status = scri_poly_solve(p, arena, middle, &s, &x, report);
    if (status || !report->solved) return status;
    memcpy(now.acceleration, x.acceleration, n * sizeof(double));
    int32_t events = whole ? 0 : shorten(&now);
    if (events < 0) return SCREE_ERROR_MEMORY;
    move(&now, now.length);
    p->t += now.length;
    memcpy(p->q, p->q1, n * sizeof(double));
    memcpy(p->u, p->u1, n * sizeof(double));
    p->n_events += events;
    return end_piece(&now, solved);
}

scree_status scree_polyhedral_advance(scree_polyhedral* polyhedral, double h,
                                      scree_polyhedral_report* report)
{
    scree_polyhedral* p = polyhedral;
    if (!p || !report || !(h > 0.0) || !isfinite(h)) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &p->env;
    scree_status status = scree_polyhedral_evaluate(p, report); /* coefficients of the moment */
    double end = p->t + h;
    int solved = !status && report->solved;
    for (int k = 0; solved && end - p->t > 1e-12 * h; ++k) {
        scri_arena* arena = scri_arena_create(env);
        double length = end - p->t;
        status = arena ? advance_piece(p, arena, length, k >= PIECES, &solved, report)
                       : SCREE_ERROR_MEMORY;
        scri_arena_destroy(arena);
        if (status) solved = 0;
    }
    if (status == SCREE_ERROR_MEMORY) {
        return scri_fail(env, status, "out of memory for a step of a system");
    }
    if (status) return status;
    if (!solved) {
        report->solved = 0;
        return SCREE_OK;
    }
    return scree_polyhedral_evaluate(p, report);
}
