/* How well impulses solve a problem, from the problem alone. */
#include "problem/certificate.h"

#include "base/env.h"
#include "base/fill.h"
#include "problem/contact_certificate.h"
#include "problem/factored.h"

#include <math.h>
#include <string.h>

/* Siconos does not divide its global error by a norm that is not above this. */
#define GLOBAL_FLOOR 1.4901161193847656e-08

/* What the evaluation needs besides the problem: velocities, scales, and for the factored form the
 * local free velocity and the error in the equation of motion. */
typedef struct evaluation {
    double* y;
    double* q;
    scri_scaling scaling;
    const double* velocity; /* of the bodies, see problem/operator.h; NULL for other forms */
    scri_team* team;        /* who helps; may be NULL */
    double motion_error;    /* |f + H p - M v| / max of the three; 0 unless factored */
} evaluation;

static double norm(const double* x, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

/* y += C p, and the diagonal of C to that of W. */
static void add_compliance(const scree_problem* problem, const double* p, double* y,
                           double* diagonal)
{
    if (!problem->compliance) return;
    int32_t n_rows = scree_problem_n_rows(problem);
    for (int32_t i = 0; i < n_rows; ++i) {
        y[i] += problem->compliance[i] * p[i];
        diagonal[i] += problem->compliance[i];
    }
}

static double motion_error(scri_factored* f, const double* p, const double* v)
{
    int32_t n = f->mass.n;
    const double* force = f->problem->factored.force;
    double *mv = f->column, *hp = f->work;
    scri_factored_multiply_mass(f, v, mv);
    scri_factored_multiply_h(f, p, hp);
    double size = fmax(norm(force, n), fmax(norm(mv, n), norm(hp, n)));
    for (int32_t i = 0; i < n; ++i) mv[i] = force[i] + hp[i] - mv[i];
    double error = norm(mv, n);
    return size > GLOBAL_FLOOR ? error / size : error;
}

static scree_status evaluate_factored(const scree_env* env, scri_arena* arena,
                                      const scree_problem* problem, const double* p,
                                      evaluation* out)
{
    scri_factored f;
    scree_status status = scri_factored_create(env, arena, problem, &f);
    if (status) return status;
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    double* v = scri_arena_take(arena, (size_t)f.mass.n, sizeof(double));
    double* diagonal = scri_arena_take(arena, n_rows, sizeof(double));
    out->q = scri_arena_take(arena, n_rows, sizeof(double));
    if (!v || !diagonal || !out->q) return SCREE_ERROR_MEMORY;
    scri_factored_solve(&f, NULL, v);
    scri_factored_velocity(&f, v, out->q);
    scri_factored_solve(&f, p, v);
    scri_factored_velocity(&f, v, out->y);
    scri_factored_diagonal(&f, diagonal);
    add_compliance(problem, p, out->y, diagonal);
    scri_scaling_from_diagonal(problem, diagonal, &out->scaling);
    out->motion_error = motion_error(&f, p, v);
    return SCREE_OK;
}

static void lay_out(const scree_problem* problem, scri_bump* bump, evaluation* out,
                    scri_operator* op)
{
    out->scaling = scri_scaling_create(problem, bump);
    *op = scri_operator_create(problem, bump);
    out->y = scri_bump_take(bump, (size_t)scree_problem_n_rows(problem), sizeof(double));
}

static scree_status evaluate(const scree_env* env, scri_arena* arena, const scree_problem* problem,
                             const double* p, evaluation* out)
{
    scri_operator op;
    scri_bump bump = {scri_arena_take(arena, scri_certify_work_size(problem), 1), 0};
    if (!bump.memory) return SCREE_ERROR_MEMORY;
    lay_out(problem, &bump, out, &op);
    if (problem->form == SCREE_FORM_FACTORED) {
        return evaluate_factored(env, arena, problem, p, out);
    }
    scri_operator_apply(&op, p, out->y);
    scri_scaling_compute(&op, &out->scaling);
    out->velocity = op.velocity;
    return SCREE_OK;
}

/* The measures in physical units, contact by contact. */
static void judge_contact(const scree_problem* problem, int32_t c, const double* p, const double* y,
                          scree_certificate* out)
{
    const scri_law* law = scri_law_of(problem, c);
    scri_terms terms = scri_terms_of(problem, c, problem->coef);
    int width = problem->first_row[c + 1] - problem->first_row[c];
    double closest[SCRI_MAX_WIDTH], distance = 0.0, work = 0.0;
    memcpy(closest, p, (size_t)width * sizeof *p);
    law->project(terms, closest);
    for (int i = 0; i < width; ++i) {
        distance += (p[i] - closest[i]) * (p[i] - closest[i]);
        work += p[i] * y[i];
    }
    work =
        scri_law_is(law, SCREE_LAW_IS_INCLUSION) ? work + p[0] * law->shift(terms, y) : p[0] * y[0];
    out->cone_violation = fmax(out->cone_violation, sqrt(distance));
    if (scri_law_is(law, SCREE_LAW_IS_CONE)) { /* bounds that are impulses may do work */
        out->complementarity = fmax(out->complementarity, fabs(work));
    }
    if (!scri_law_is(law, SCREE_LAW_HAS_FRICTION)) return;
    out->normal_violation = fmax(out->normal_violation, -y[0]);
    scri_layout layout = scri_layout_of(terms.rows);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < layout.dim[k]; ++i) {
            out->dissipation[k] -= p[layout.first[k] + i] * y[layout.first[k] + i];
        }
    }
}

/* Contacts are judged in groups and these joined in their order, whoever judges which. */
enum { LEAST_GROUP = 64, MOST_GROUPS = 128 };

typedef struct judging {
    const scree_problem* problem;
    const double *p, *y;
    int32_t group;         /* contacts of one */
    scree_certificate* of; /* by group */
} judging;

static void judge_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const judging* all = context;
    const scree_problem* problem = all->problem;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t n = problem->n_contacts, first = g * all->group;
        int32_t last = n - first < all->group ? n : first + all->group;
        all->of[g] = (scree_certificate){.cone_violation = 0.0};
        for (int32_t c = first; c < last; ++c) {
            judge_contact(problem, c, all->p + problem->first_row[c],
                          all->y + problem->first_row[c], &all->of[g]);
        }
    }
}

static void judge_contacts(const scree_problem* problem, const evaluation* e, const double* p,
                           scree_certificate* out)
{
    scree_certificate of[MOST_GROUPS];
    int32_t n = problem->n_contacts, group = (n + MOST_GROUPS - 1) / MOST_GROUPS;
    judging all = {problem, p, e->y, group > LEAST_GROUP ? group : LEAST_GROUP, of};
    int32_t n_groups = (n + all.group - 1) / all.group;
    scri_team_for(e->team, n_groups, 1, judge_groups, &all);
    for (int32_t g = 0; g < n_groups; ++g) {
        out->cone_violation = fmax(out->cone_violation, of[g].cone_violation);
        out->complementarity = fmax(out->complementarity, of[g].complementarity);
        out->normal_violation = fmax(out->normal_violation, of[g].normal_violation);
        for (int k = 0; k < SCRI_CHANNELS; ++k) out->dissipation[k] += of[g].dissipation[k];
    }
}

/* The measures of Siconos. `local` is the problem with the free velocity of its contacts. */
static void judge_raw(const scree_problem* problem, const scree_problem* local, const evaluation* e,
                      const double* p, scree_certificate* out)
{
    scri_natural_map raw = scri_natural_map_evaluate(e->team, local, NULL, NULL, p, e->y, NULL);
    out->absolute_siconos = raw.absolute;
    if (problem->form == SCREE_FORM_FACTORED) {
        double size = fmax(raw.norm_p, raw.norm_y);
        out->residual_siconos =
            e->motion_error + (size > GLOBAL_FLOOR ? raw.absolute / size : raw.absolute);
    } else {
        out->residual_siconos = scri_natural_map_siconos(problem, &raw);
    }
}

/* From the map in scaled variables. */
static scree_certificate certificate_of(const scri_natural_map* scaled)
{
    return (scree_certificate){.residual = scri_natural_map_scaled(scaled),
                               .residual_siconos = SCREE_NAN,
                               .absolute_siconos = SCREE_NAN,
                               .worst_contact = scaled->worst,
                               .local = scaled->local,
                               .local_contact = scaled->local_at};
}

static void judge(const scree_problem* problem, const evaluation* e, const double* p,
                  scree_certificate* out)
{
    scree_problem local = *problem; /* for the norm of the free velocity in the factored form */
    if (e->q) local.q = e->q;
    scri_natural_map scaled =
        scri_natural_map_evaluate(e->team, &local, &e->scaling, e->velocity, p, e->y, NULL);
    *out = certificate_of(&scaled);
    judge_raw(problem, &local, e, p, out);
    judge_contacts(problem, e, p, out);
}

/* What an evaluation is for: those that are not NULL. */
typedef struct purpose {
    scree_certificate* certificate;
    double* y;
    void* contacts; /* [n_contacts] */
    size_t size;    /* of one of them */
    double tol;     /* of their modes */
    double* objective;
} purpose;

/* p W p / 2 + q p = p (y + q) / 2, since W p = y - q. */
static double objective(const scree_problem* problem, const double* p, const double* y)
{
    double sum = 0.0;
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        sum += 0.5 * p[i] * (y[i] + problem->q[i]);
    }
    return sum;
}

/* Evaluates p and hands it to its ends; logs when memory is short. */
static scree_status evaluate_for(const scree_env* env, const scree_problem* problem,
                                 const double* p, purpose out)
{
    evaluation e = {.y = NULL};
    if (!problem || !p) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no problem or no impulses");
    scri_arena* arena = scri_arena_create(env);
    scree_status status = arena ? evaluate(env, arena, problem, p, &e) : SCREE_ERROR_MEMORY;
    if (!status && out.certificate) judge(problem, &e, p, out.certificate);
    if (!status && out.y) memcpy(out.y, e.y, (size_t)scree_problem_n_rows(problem) * sizeof *e.y);
    scree_problem local = *problem;
    if (e.q) local.q = e.q;
    if (!status && out.objective) *out.objective = objective(&local, p, e.y);
    for (int32_t c = 0; !status && out.contacts && c < problem->n_contacts; ++c) {
        scri_contact_map map = scri_natural_map_contact(&local, &e.scaling, e.velocity, c, p, e.y);
        scree_contact_certificate one;
        scri_certify_contact(&local, &e.scaling, c, &map, out.tol, &one);
        scri_copy_sized((char*)out.contacts + (size_t)c * out.size, out.size, &one, sizeof one);
    }
    scri_arena_destroy(arena);
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for a certificate");
}

size_t scri_certify_work_size(const scree_problem* problem)
{
    evaluation e = {.y = NULL};
    scri_operator op;
    scri_bump bump = {NULL, 0};
    lay_out(problem, &bump, &e, &op);
    return bump.used;
}

void scri_certify(const scree_problem* problem, const double* p, scree_measure measure,
                  double speed, const scri_shares* shares, void* work, scree_certificate* out)
{
    evaluation e = {.team = shares ? shares->team : NULL};
    scri_operator op;
    scri_bump bump = {work, 0};
    lay_out(problem, &bump, &e, &op);
    scri_operator_share_as(&op, shares);
    scri_scaling_compute(&op, &e.scaling);
    e.scaling.speed = fmax(e.scaling.speed, speed);
    scri_natural_map scaled = scri_natural_map_apply(&op, &e.scaling, p, e.y, NULL);
    *out = certificate_of(&scaled);
    if (measure == SCREE_MEASURE_SICONOS) judge_raw(problem, problem, &e, p, out);
    judge_contacts(problem, &e, p, out);
}

scree_status scree_certify_sized(const scree_env* env, const scree_problem* problem,
                                 const double* p, scree_certificate* out, size_t size)
{
    scree_certificate whole;
    if (!out) return SCREE_ERROR_ARGUMENT;
    scree_status status = evaluate_for(env, problem, p, (purpose){.certificate = &whole});
    if (!status) scri_copy_sized(out, size, &whole, sizeof whole);
    return status;
}

double scree_certificate_residual(const scree_certificate* certificate, scree_measure measure)
{
    if (!certificate) return SCREE_NAN;
    return measure == SCREE_MEASURE_SICONOS ? certificate->residual_siconos
           : measure == SCREE_MEASURE_LOCAL ? certificate->local
                                            : certificate->residual;
}

scree_status scree_problem_velocity(const scree_env* env, const scree_problem* problem,
                                    const double* p, double* y)
{
    if (!y) return SCREE_ERROR_ARGUMENT;
    return evaluate_for(env, problem, p, (purpose){.y = y});
}

scree_status scree_problem_objective(const scree_env* env, const scree_problem* problem,
                                     const double* p, double* out)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    return evaluate_for(env, problem, p, (purpose){.objective = out});
}

scree_status scree_certify_contacts_sized(const scree_env* env, const scree_problem* problem,
                                          const double* p, double tol,
                                          scree_contact_certificate* out, size_t size)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    return evaluate_for(env, problem, p, (purpose){.contacts = out, .size = size, .tol = tol});
}
