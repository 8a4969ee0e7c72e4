/* One step of a system in generalised coordinates: Moreau's midpoint scheme. */
#include "base/env.h"
#include "base/fill.h"
#include "laws/law.h"
#include "math/dense_lu.h"
#include "problem/certificate.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

/* A gap counts as closed when the free motion of the step would be this many times as long. */
#define CLOSED 1e-6

#define POLISH_TOL 1e-15

static double dot(int32_t n, const double* a, const double* b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static void clear(double* x, size_t n)
{
    memset(x, 0, n * sizeof *x);
}

static int all_finite(const double* x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (!isfinite(x[i])) return 0;
    }
    return 1;
}

static scree_status not_finite(const scree_system* s, const char* what)
{
    return scri_fail(&s->env, SCREE_ERROR_INPUT, "%s not finite at %g s", what,
                     scri_system_time(s));
}

/* ---- motion without contacts ----------------------------------------------------------------- */

/* Mass at the midpoint, factored, and where forces alone would lead. */
static scree_status move_freely(scree_system* s, double time)
{
    const scree_system_model* model = &s->def.model;
    int32_t n = s->def.n;
    size_t count = (size_t)n;
    clear(s->mass, count * count);
    clear(s->force, count);
    model->mass(model->user, time, s->middle, s->mass);
    if (model->force) model->force(model->user, time, s->middle, s->u, s->force);
    if (!all_finite(s->mass, count * count)) return not_finite(s, "the mass matrix is");
    if (!all_finite(s->force, count)) return not_finite(s, "a force is");
    if (scri_dense_lu_factor(SCREE_SPARSE_POSITIVE, n, s->mass, NULL, NULL)) {
        return scri_fail(&s->env, SCREE_ERROR_INPUT,
                         "the mass matrix is not positive definite at %g s", time);
    }
    for (int32_t i = 0; i < n; ++i) s->free[i] = s->def.step * s->force[i];
    scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, n, s->mass, NULL, NULL, s->free);
    for (int32_t i = 0; i < n; ++i) s->free[i] += s->u[i];
    return SCREE_OK;
}

/* ---- contacts -------------------------------------------------------------------------------- */

static scree_status find_coefficients(scree_system* s)
{
    const scree_system_model* model = &s->def.model;
    size_t n = 3 * (size_t)s->def.n_contacts;
    memcpy(s->coef, s->def.coef, n * sizeof *s->coef);
    if (!model->coefficients) return SCREE_OK;
    model->coefficients(model->user, scri_system_time(s), s->q, s->u, s->coef);
    for (size_t i = 0; i < n; ++i) {
        if (!scri_law_is(scri_law_get(s->def.law[i / 3]), SCREE_LAW_IS_CONE)) continue;
        if (s->coef[i] >= 0.0) continue;
        return scri_fail(&s->env, SCREE_ERROR_INPUT,
                         "contact %d: a coefficient of %g must not be negative, at %g s",
                         (int)(i / 3), s->coef[i], scri_system_time(s));
    }
    return all_finite(s->coef, n) ? SCREE_OK : not_finite(s, "a coefficient is");
}

static scree_status find_directions(scree_system* s, double time)
{
    const scree_system_model* model = &s->def.model;
    size_t n = (size_t)s->def.n, n_rows = (size_t)s->n_rows;
    size_t n_contacts = (size_t)s->def.n_contacts;
    clear(s->gap, n_contacts);
    clear(s->w, n_rows * n);
    clear(s->chi, n_rows);
    if (model->gap) model->gap(model->user, time, s->middle, s->gap);
    model->directions(model->user, time, s->middle, s->w, s->chi);
    if (!all_finite(s->gap, n_contacts)) return not_finite(s, "a gap is");
    if (!all_finite(s->w, n_rows * n) || !all_finite(s->chi, n_rows)) {
        return not_finite(s, "a direction is");
    }
    return SCREE_OK;
}

/* Relative velocity in a row at generalised velocities u. */
static double velocity_in(const scree_system* s, int32_t row, const double* u)
{
    return s->chi[row] + dot(s->def.n, s->w + (size_t)row * (size_t)s->def.n, u);
}

static int is_closed(const scree_system* s, int32_t c)
{
    double forecast = s->def.step * velocity_in(s, s->first_row[c], s->free);
    return s->gap[c] <= 0.0 || s->gap[c] <= -CLOSED * forecast;
}

static int has_normal(const scree_system* s, int32_t c)
{
    return scri_law_is(scri_law_get(s->def.law[c]), SCREE_LAW_HAS_NORMAL);
}

/* The free velocity of contact c with Newton's restitution, its impulses of the last step, and its
 * rows of M^-1 W^T. */
static void write_contact(scree_system* s, int32_t c, int32_t first)
{
    scri_closed* k = &s->contacts;
    size_t n = (size_t)s->def.n;
    for (int32_t row = s->first_row[c]; row < s->first_row[c + 1]; ++row) {
        double* yield = s->yield + (size_t)row * n;
        memcpy(yield, s->w + (size_t)row * n, n * sizeof *yield);
        scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->def.n, s->mass, NULL, NULL, yield);
        s->before[row] = velocity_in(s, row, s->u);
        k->q[first + row - s->first_row[c]] = velocity_in(s, row, s->free);
        k->p[first + row - s->first_row[c]] = s->p[row];
    }
    double approach = s->before[s->first_row[c]];
    if (has_normal(s, c) && approach < 0.0) k->q[first] += s->def.restitution[c] * approach;
}

/* W M^-1 W^T between all closed contacts. */
static void write_operator(scree_system* s)
{
    scri_closed* k = &s->contacts;
    size_t n = (size_t)s->def.n;
    double* value = k->value;
    int32_t block = 0;
    for (int32_t a = 0; a < k->n; ++a) {
        k->start[a] = block;
        for (int32_t b = 0; b < k->n; ++b, ++block) {
            int32_t i_end = s->first_row[k->contact[a] + 1],
                    j_end = s->first_row[k->contact[b] + 1];
            k->column[block] = b;
            k->offset[block] = value - k->value;
            for (int32_t i = s->first_row[k->contact[a]]; i < i_end; ++i) {
                for (int32_t j = s->first_row[k->contact[b]]; j < j_end; ++j) {
                    *value++ = dot(s->def.n, s->w + (size_t)i * n, s->yield + (size_t)j * n);
                }
            }
        }
    }
    k->start[k->n] = block;
    k->offset[block] = value - k->value;
}

static void write_problem(scree_system* s)
{
    scri_closed* k = &s->contacts;
    int32_t width = 0;
    k->n = 0;
    for (int32_t c = 0; c < s->def.n_contacts; ++c) {
        s->closed[c] = (uint8_t)is_closed(s, c);
        if (!s->closed[c]) continue;
        int32_t i = k->n++;
        k->contact[i] = c;
        k->first_row[i] = width;
        k->rows[i] = s->def.rows[c];
        k->law[i] = s->def.law[c];
        memcpy(k->coef + 3 * (size_t)i, s->coef + 3 * (size_t)c, 3 * sizeof *k->coef);
        for (size_t j = 0; s->set && j < 4; ++j) {
            k->set[4 * (size_t)i + j] = s->set[4 * (size_t)c + j];
        }
        write_contact(s, c, width);
        width += s->first_row[c + 1] - s->first_row[c];
    }
    k->first_row[k->n] = width;
    write_operator(s);
    s->problem.n_contacts = k->n;
}

/* ---- impulses -------------------------------------------------------------------------------- */

static scree_status reserve_work(scree_system* s, size_t size)
{
    if (size <= s->work_size) return SCREE_OK;
    scri_release(&s->env, s->work);
    s->work = scri_alloc(&s->env, size);
    s->work_size = s->work ? size : 0;
    return s->work ? SCREE_OK : scri_fail(&s->env, SCREE_ERROR_MEMORY, "out of memory for a step");
}

static scree_status solve_by(scree_system* s, const char* solver, double tol, int64_t max_iter,
                             scree_report* report)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = solver;
    def.tol = tol;
    def.max_iter = max_iter;
    if (scree_solver_unfit(&s->env, &s->problem, &def)) def.solver = "nsgs";
    scree_status status = reserve_work(s, scree_solve_work_size(&s->env, &s->problem, &def));
    if (!status) status = scree_solve(&s->env, &s->problem, &def, s->work, s->contacts.p, report);
    return status;
}

/* Impulses from those of the last step, brought to rounding where that takes a few Newton steps. */
static scree_status solve(scree_system* s, scree_system_report* report)
{
    enum { SWEEPS = 10000, POLISH_STEPS = 10 };
    scree_report finer;
    scree_status status = solve_by(s, "auto", s->def.tol, SWEEPS, &report->solve);
    if (status || report->solve.residual <= POLISH_TOL) return status;
    status = solve_by(s, "newton-dense", POLISH_TOL, POLISH_STEPS, &finer);
    if (status) return status;
    report->solve.iterations += finer.iterations;
    report->solve.time_s += finer.time_s;
    report->solve.residual = finer.residual;
    if (finer.residual <= s->def.tol) report->solve.outcome = SCREE_OUTCOME_CONVERGED;
    return SCREE_OK;
}

static scree_status certify(scree_system* s, scree_system_report* report)
{
    scree_certificate certificate;
    scree_status status = reserve_work(s, scri_certify_work_size(&s->problem));
    if (status) return status;
    scri_certify(&s->problem, s->contacts.p, SCREE_MEASURE_SCREE, 0.0, NULL, s->work, &certificate);
    report->residual = certificate.residual;
    return SCREE_OK;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Velocities at the end, in `free`, and the impulses and relative velocities of all rows. */
static void apply(scree_system* s)
{
    const scri_closed* k = &s->contacts;
    size_t n = (size_t)s->def.n;
    clear(s->p, (size_t)s->n_rows);
    clear(s->y, (size_t)s->n_rows);
    for (int32_t a = 0; a < k->n; ++a) {
        int32_t first = s->first_row[k->contact[a]], width = k->first_row[a + 1] - k->first_row[a];
        memcpy(s->p + first, k->p + k->first_row[a], (size_t)width * sizeof *s->p);
    }
    for (int32_t row = 0; row < s->n_rows; ++row) {
        if (s->p[row] == 0.0) continue;
        for (size_t i = 0; i < n; ++i) s->free[i] += s->yield[(size_t)row * n + i] * s->p[row];
    }
    for (int32_t a = 0; a < k->n; ++a) {
        int32_t c = k->contact[a];
        for (int32_t row = s->first_row[c]; row < s->first_row[c + 1]; ++row) {
            s->y[row] = velocity_in(s, row, s->free);
        }
    }
}

static double kinetic_energy(scree_system* s, double time)
{
    const scree_system_model* model = &s->def.model;
    size_t n = (size_t)s->def.n;
    double sum = 0.0;
    clear(s->mass, n * n);
    model->mass(model->user, time, s->q, s->mass);
    for (size_t i = 0; i < n; ++i) sum += s->u[i] * dot(s->def.n, s->mass + i * n, s->u);
    return 0.5 * sum;
}

static scree_status find_impulses(scree_system* s, double time, scree_system_report* report)
{
    report->solve = (scree_report){.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
    s->contacts.n = 0;
    if (s->def.n_contacts == 0) return SCREE_OK;
    scree_status status = find_coefficients(s);
    if (!status) status = find_directions(s, time);
    if (status) return status;
    write_problem(s);
    report->n_closed = s->contacts.n;
    if (s->contacts.n == 0) return SCREE_OK;
    status = solve(s, report);
    return status ? status : certify(s, report);
}

/* Gamma(q, t) u. */
static scree_status find_rate(scree_system* s, double time, const double* q, const double* u)
{
    const scree_system_model* model = &s->def.model;
    size_t n = (size_t)s->def.n;
    if (!model->kinematics) {
        memcpy(s->rate, u, n * sizeof *u);
        return SCREE_OK;
    }
    clear(s->rate, n);
    model->kinematics(model->user, time, q, u, s->rate);
    return all_finite(s->rate, n) ? SCREE_OK : not_finite(s, "the rate of a coordinate is");
}

/* One step of a system, whose state has not changed where this fails. */
static scree_status advance(scree_system* system, scree_system_report* report)
{
    double half = 0.5 * system->def.step, middle = scri_system_time(system) + half;
    size_t n = (size_t)system->def.n;
    scree_status status = find_rate(system, scri_system_time(system), system->q, system->u);
    for (size_t i = 0; i < n; ++i) system->middle[i] = system->q[i] + half * system->rate[i];
    if (!status) status = move_freely(system, middle);
    if (!status) status = find_impulses(system, middle, report);
    if (status) return status;
    apply(system);
    status = find_rate(system, middle, system->middle, system->free);
    if (status) return status;
    for (size_t i = 0; i < n; ++i) {
        system->u[i] = system->free[i];
        system->q[i] = system->middle[i] + half * system->rate[i];
    }
    system->steps++;
    report->kinetic = kinetic_energy(system, scri_system_time(system));
    return SCREE_OK;
}

scree_status scree_system_make_step(scree_system* system, scree_system_report* report)
{
    if (!system || !report) return SCREE_ERROR_ARGUMENT;
    scree_system_report whole = {.struct_size = sizeof whole};
    scree_status status = advance(system, &whole);
    scri_fill(report, report->struct_size, &whole, sizeof whole);
    return status;
}
