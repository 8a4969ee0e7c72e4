/* Gauss-Seidel on rigid bodies, colour by colour. Contacts of round bodies under the exact law take
 * a kernel of their own; all others are solved as nsgs does. Other forms go to nsgs.
 *
 * In a heap few contacts are far from their solution at any time. After each sweep over all
 * contacts come some over those alone whose last change was more than their share of the tolerance.
 */
#include "base/team.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "solvers/colouring.h"
#include "solvers/round_kernel.h"
#include "solvers/solver.h"
#include "solvers/sweeping.h"

#include <math.h>

typedef struct nsgs_bodies {
    scri_relax relax;
    scri_colouring colouring;
    scri_round_contact* round; /* [n_contacts] in the order of the colours; a = -1: not round */
    scri_sweep_size* sizes;    /* [chunks] */
    double* change;            /* [n_contacts] in the last update of each, squared; as `round` */
    double least;              /* contacts that changed less are passed over; 0: none */
} nsgs_bodies;

/* Whether body i turns alike about every axis (an immovable one does). */
static int is_round_body(const scree_bodies* b, int32_t i)
{
    const double* j = b->inv_inertia + 6 * (size_t)i;
    return j[0] == j[1] && j[1] == j[2] && j[3] == 0.0 && j[4] == 0.0 && j[5] == 0.0;
}

/* Whether contact c fits the kernel: both sides round, arms along the normal. */
static int is_round(const scree_problem* p, int32_t c)
{
    const scree_bodies* b = &p->bodies;
    const double* n = b->frame + 9 * (size_t)c;
    if (p->law[c] != SCREE_LAW_EXACT || p->compliance) return 0;
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = b->pair[2 * (size_t)c + side];
        const double* arm = b->arm + 6 * (size_t)c + 3 * side;
        if (body < 0 || !is_round_body(b, body)) return 0;
        if (b->inv_mass[body] == 0.0) continue; /* the arm of an immovable body has no effect */
        if (!(b->inv_inertia[6 * (size_t)body] > 0.0)) return 0; /* moves but cannot turn */
        double out[3];
        scri_cross(arm, n, out);
        double limit = 1e-14 * fabs(scri_dot3(arm, n));
        if (!(fabs(out[0]) <= limit && fabs(out[1]) <= limit && fabs(out[2]) <= limit)) return 0;
    }
    return b->pair[2 * (size_t)c] != b->pair[2 * (size_t)c + 1];
}

static void fill_round(const scree_problem* p, int32_t c, scri_round_contact* out)
{
    const scree_bodies* b = &p->bodies;
    scri_layout layout = scri_layout_of(p->rows[c]);
    const double *frame = b->frame + 9 * (size_t)c, *q = p->q + p->row[c];
    const double* arm = b->arm + 6 * (size_t)c;
    *out = (scri_round_contact){.a = b->pair[2 * (size_t)c], .b = b->pair[2 * (size_t)c + 1]};
    for (int i = 0; i < 3; ++i) {
        out->n[i] = frame[i];
        out->t1[i] = frame[3 + i];
        out->mu[i] = layout.dim[i] ? p->coef[3 * (size_t)c + (size_t)i] : 0.0;
    }
    double ja = b->inv_inertia[6 * (size_t)out->a], jb = b->inv_inertia[6 * (size_t)out->b];
    out->arm_a = b->inv_mass[out->a] > 0.0 ? scri_dot3(arm, frame) : 0.0;
    out->arm_b = b->inv_mass[out->b] > 0.0 ? scri_dot3(arm + 3, frame) : 0.0;
    out->w[0] = b->inv_mass[out->a] + b->inv_mass[out->b];
    out->w[1] = out->w[0] + out->arm_a * out->arm_a * ja + out->arm_b * out->arm_b * jb;
    out->w[2] = out->w[3] = ja + jb;
    out->w_tr = out->arm_a * ja + out->arm_b * jb;
    for (int i = 0; i < 4; ++i) out->inv_w[i] = out->w[i] > 0.0 ? 1.0 / out->w[i] : 0.0;
    double det = out->w[1] * out->w[2] - out->w_tr * out->w_tr;
    if (det > 0.0) {
        out->stick[0] = out->w[2] / det;
        out->stick[1] = out->w_tr / det;
        out->stick[2] = out->w[1] / det;
    }
    out->q[0] = q[0];
    for (int k = 0, slot = 1; k < SCRI_CHANNELS; slot += 2, ++k) {
        for (int i = 0; i < layout.dim[k]; ++i) out->q[slot + i] = q[layout.first[k] + i];
    }
}

/* Impulses between run->p and the kernel's own rows N T1 T2 R1 R2 S. */
static void exchange(scri_run* run, nsgs_bodies* m, int to_run)
{
    const scree_problem* problem = run->problem;
    for (int32_t i = 0; i < problem->n_contacts; ++i) {
        scri_round_contact* r = &m->round[i];
        if (r->a < 0) continue;
        int32_t c = m->colouring.contact[i];
        scri_layout layout = scri_layout_of(problem->rows[c]);
        double* p = run->p + problem->row[c];
        if (to_run) {
            p[0] = r->p[0];
        } else {
            r->p[0] = p[0];
        }
        for (int k = 0, slot = 1; k < SCRI_CHANNELS; slot += 2, ++k) {
            for (int j = 0; j < layout.dim[k]; ++j) {
                if (to_run) {
                    p[layout.first[k] + j] = r->p[slot + j];
                } else {
                    r->p[slot + j] = p[layout.first[k] + j];
                }
            }
        }
    }
}

/* Clears impulses of the first guess in channels that cannot carry any: sweeps skip them. */
static void drop_idle_rows(scri_run* run)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_get(problem->law[c])->has_friction) continue;
        scri_layout layout = scri_layout_of(problem->rows[c]);
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (problem->coef[3 * (size_t)c + (size_t)k] > 0.0) continue;
            double* p = run->p + problem->row[c] + layout.first[k];
            for (int i = 0; i < layout.dim[k]; ++i) p[i] = 0.0;
        }
    }
    scri_operator_reset(&run->op, run->p);
}

static void store(scri_run* run, void* method)
{
    exchange(run, method, 1);
}

/* Contacts that one worker takes at a time. Their sums are added in a fixed order, so that the
 * result does not depend on who took which. */
enum { CHUNK = 256 };

typedef struct sweep_job {
    scri_run* run;
    nsgs_bodies* method;
    double tolerance;
} sweep_job;

static void sweep_chunk(const sweep_job* job, int32_t first, int32_t last, scri_sweep_size* size)
{
    nsgs_bodies* m = job->method;
    scri_round_body* bodies = (scri_round_body*)job->run->op.velocity;
    scri_round_size round = {0.0, 0.0};
    *size = (scri_sweep_size){.change = 0.0};
    for (int32_t i = first; i < last; ++i) {
        scri_round_contact* r = &m->round[i];
        double before = size->change + round.change;
        if (m->change[i] < m->least) continue;
        if (r->a < 0) {
            int32_t c = m->colouring.contact[i];
            scri_relax_contact(job->run, &m->relax, c, job->tolerance, size);
        } else if (r->mu[1] > 0.0 || r->mu[2] > 0.0) {
            scri_round_update(r, bodies, 1, &round);
        } else {
            scri_round_update(r, bodies, 0, &round);
        }
        m->change[i] = size->change + round.change - before;
        size->updates++;
    }
    size->change += round.change;
    size->impulse += round.impulse;
}

/* Every worker runs this: chunks of a colour in turn, then all meet before the next colour. The
 * last group, whose contacts share bodies, belongs to worker 0. */
static void sweep_colours(void* context, int32_t worker)
{
    const sweep_job* job = context;
    scri_team* team = job->run->def->team;
    const int32_t* start = job->method->colouring.start;
    int32_t workers = scri_team_size(team), chunk = 0;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        if (start[colour] == start[colour + 1]) continue;
        int serial = colour == SCRI_COLOURS;
        for (int32_t i = start[colour]; i < start[colour + 1]; i += CHUNK, ++chunk) {
            if ((serial ? 0 : chunk % workers) != worker) continue;
            int32_t last = i + CHUNK < start[colour + 1] ? i + CHUNK : start[colour + 1];
            sweep_chunk(job, i, last, &job->method->sizes[chunk]);
        }
        scri_team_meet(team);
    }
}

static int32_t count_chunks(const scri_colouring* colouring)
{
    int32_t n = 0;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        n += (colouring->start[colour + 1] - colouring->start[colour] + CHUNK - 1) / CHUNK;
    }
    return n;
}

static scri_sweep_size sweep_once(scri_run* run, nsgs_bodies* m, double tolerance)
{
    sweep_job job = {run, m, tolerance};
    scri_team_run(run->def->team, sweep_colours, &job);
    scri_sweep_size sum = {.change = 0.0};
    int32_t n = count_chunks(&m->colouring);
    for (int32_t i = 0; i < n; ++i) {
        sum.change += m->sizes[i].change;
        sum.impulse += m->sizes[i].impulse;
        sum.fail_safe += m->sizes[i].fail_safe;
        sum.updates += m->sizes[i].updates;
    }
    return sum;
}

/* Sweeps over the contacts that still change, after each one over all. */
enum { PARTIAL_SWEEPS = 7 };

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    nsgs_bodies* m = method;
    (void)index;
    m->least = 0.0;
    scri_sweep_size size = sweep_once(run, m, tolerance);
    double tol = run->def->tol, share = tol * tol * size.impulse / run->problem->n_contacts;
    for (int i = 0; i < PARTIAL_SWEEPS && size.change > tol * tol * size.impulse; ++i) {
        m->least = share;
        scri_sweep_size part = sweep_once(run, m, tolerance);
        size.fail_safe += part.fail_safe;
        size.updates += part.updates;
    }
    return size;
}

static void solve(scri_run* run, scri_bump* bump)
{
    const scree_problem* problem = run->problem;
    if (problem->form != SCREE_FORM_BODIES) {
        scri_solver_nsgs.solve(run, bump);
        return;
    }
    size_t n = (size_t)problem->n_contacts;
    nsgs_bodies method = {.relax = scri_relax_create(run, bump),
                          .colouring = scri_colouring_create(problem, bump)};
    method.round = scri_bump_take_lines(bump, n * sizeof *method.round);
    method.sizes = scri_bump_take(bump, n / CHUNK + SCRI_COLOURS + 1, sizeof *method.sizes);
    method.change = scri_bump_take(bump, n, sizeof *method.change);
    if (!bump->memory) return;
    scri_colouring_compute(problem, &method.colouring);
    scri_relax_begin(run, &method.relax);
    for (size_t i = 0; i < n; ++i) {
        int32_t c = method.colouring.contact[i];
        method.round[i].a = -1;
        method.change[i] = 0.0;
        if (is_round(problem, c)) {
            fill_round(problem, c, &method.round[i]);
        } else {
            scri_relax_fill(run, &method.relax, c);
        }
    }
    drop_idle_rows(run);
    exchange(run, &method, 0);
    scri_sweeping_run(run, &(scri_sweeping){&method, sweep, store, NULL});
}

const scri_solver scri_solver_nsgs_bodies = {
    "nsgs-bodies",
    "coloured Gauss-Seidel on rigid bodies, fast for round ones; nsgs for other forms",
    solve,
};
