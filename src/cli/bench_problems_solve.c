#include "cli/bench_problems.h"
#include "cli/report.h"
#include "scree_sparse/scree_sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A solve is repeated until all together took this long, s. */
static const double enough = 0.3;

static const double warm_tol = 1e-8;
static const double warm_change = 0.01;

/* One way to solve the problem at hand. */
typedef struct attempt {
    cli_problems* job;
    const cli_problems_open* open;
    const scree_problem* problem;
    scree_env env; /* silent: that a method does not fit is an answer */
    scree_solver_def def;
    const double* guess; /* [n_rows] or NULL for zeros */
    void* work;
} attempt;

double cli_problems_residual(cli_problems* job, const cli_problems_open* open, const double* p)
{
    scree_env env = cli_env(&job->host);
    scree_certificate certificate;
    if (scree_certify(&env, open->problem, p, &certificate) != SCREE_OK) return nan("");
    return cli_asked_residual(&certificate, (int)job->table.measure);
}

static int progress(void* user, int64_t iterations, double residual)
{
    (void)iterations;
    return cli_problems_pause(user, residual);
}

static void begin(attempt* a, const char* solver, double tol)
{
    cli_problems* job = a->job;
    scree_solver_def def = scree_default_solver_def();
    def.solver = solver;
    def.measure = (scree_measure)job->table.measure;
    def.tol = tol;
    def.max_iter = INT64_MAX / 2; /* the time limit ends what does not converge */
    def.max_time = job->options->max_time;
    def.progress = progress;
    def.progress_user = job;
    a->env = (scree_env){.sparse = scree_sparse_mumps()};
    def.env = &a->env;
    a->def = def;
}

/* Solves once; p[n_rows] receives the impulses. */
static scree_status solve_once(const attempt* a, double* p, cli_problems_row* row,
                               scree_outcome* outcome)
{
    scree_report report;
    size_t n = (size_t)scree_problem_n_rows(a->problem);
    for (size_t i = 0; i < n; ++i) p[i] = a->guess ? a->guess[i] : 0.0;
    double wall = cli_wall_time(), cpu = cli_cpu_time();
    scree_status status = scree_solve(a->problem, &a->def, a->work, p, &report);
    row->time_s = cli_cpu_time() - cpu;
    row->wall_s = cli_wall_time() - wall;
    if (status != SCREE_OK) return status;
    row->iterations = report.iterations;
    *outcome = report.outcome;
    return SCREE_OK;
}

/* The least time of several solves. The impulses are those of the last; all are the same. */
static scree_status solve_often(const attempt* a, double* p, cli_problems_row* row,
                                scree_outcome* outcome)
{
    double spent = 0.0;
    cli_problems_row one = *row;
    for (int i = 0; i < CLI_PROBLEMS_REPEAT && spent <= enough; ++i) {
        scree_status status = solve_once(a, p, &one, outcome);
        if (status != SCREE_OK || *outcome == SCREE_OUTCOME_INTERRUPTED) return status;
        spent += one.time_s;
        if (i == 0 || one.time_s < row->time_s) *row = one;
    }
    return SCREE_OK;
}

/* The certificate has the last word. */
static void judge(const attempt* a, const double* p, scree_outcome outcome, cli_problems_row* row)
{
    bool claimed = outcome == SCREE_OUTCOME_CONVERGED;
    row->residual = cli_problems_residual(a->job, a->open, p);
    row->solved =
        row->residual <= a->job->table.tol[row->tol] && outcome != SCREE_OUTCOME_INFEASIBLE;
    const char* text = scree_outcome_text(row->solved ? SCREE_OUTCOME_CONVERGED : (int)outcome);
    snprintf(row->outcome, sizeof row->outcome, "%s",
             claimed && !row->solved ? "not certified" : text);
}

static int solve_at(attempt* a, double* p, cli_problems_row* row)
{
    cli_problems* job = a->job;
    scree_outcome outcome = SCREE_OUTCOME_INTERRUPTED;
    job->now = a->def.solver;
    job->now_tol = row->tol;
    scree_status status = solve_often(a, p, row, &outcome);
    if (status == SCREE_ERROR_UNSUPPORTED) {
        snprintf(row->outcome, sizeof row->outcome, "not taken");
    } else if (status != SCREE_OK) {
        return cli_refuse(&job->host, status);
    } else {
        if (cli_watch_interrupted()) return CLI_DONE;
        judge(a, p, outcome, row);
    }
    return cli_problems_record(job, row);
}

/* A method that a looser tolerance has cost all its time is not tried at a tighter one, but for the
 * one in focus: it may choose another way there. */
static bool is_lost(const cli_problems* job, const cli_problems_row* row)
{
    return !row->solved && strcmp(row->outcome, "time limit") == 0 &&
           strcmp(row->solver, job->options->focus) != 0;
}

static int solve_with(cli_problems* job, cli_problems_open* open, const char* solver)
{
    attempt a = {.job = job, .open = open, .problem = open->problem};
    cli_problems_row row = {.problem = job->table.n_cases - 1};
    int code = CLI_DONE;
    snprintf(row.solver, sizeof row.solver, "%s", solver);
    for (int t = 0; t < job->table.n_tols && code == CLI_DONE; ++t) {
        row.tol = t;
        if (is_lost(job, &row)) {
            row.time_s = row.wall_s = row.residual = nan("");
            row.iterations = -1;
            code = cli_problems_record(job, &row);
            continue;
        }
        begin(&a, solver, job->table.tol[t]);
        size_t size = scree_solve_work_size(a.problem, &a.def);
        a.work = malloc(size ? size : 1);
        if (!a.work) return cli_refuse(&job->host, SCREE_ERROR_MEMORY);
        code = solve_at(&a, open->p, &row);
        free(a.work);
        if (cli_watch_interrupted()) break;
    }
    return code;
}

int cli_problems_solve(cli_problems* job, cli_problems_open* open)
{
    int code = CLI_DONE;
    for (int i = 0; i < job->n_solvers && code == CLI_DONE && !cli_watch_interrupted(); ++i) {
        code = solve_with(job, open, job->solvers[i]);
    }
    return code;
}

/* ---- warm start -------------------------------------------------------------------------------
 */

/* Uniform in [-1, 1]; splitmix64. */
static double random_number(uint64_t* state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return 2.0 * ((double)(z >> 11) / 9007199254740992.0) - 1.0;
}

/* Solves the problem, changes q, and solves again from zero and from the first answer. The times
 * count where all three are solved. */
static scree_status compare_starts(attempt* a, double* first, double* p, double* ratio)
{
    scree_outcome outcome[3] = {SCREE_OUTCOME_INTERRUPTED, SCREE_OUTCOME_INTERRUPTED,
                                SCREE_OUTCOME_INTERRUPTED};
    cli_problems_row row[3] = {{0}, {0}, {0}};
    const scree_problem* changed = a->problem;
    a->problem = a->open->problem;
    scree_status status = solve_once(a, first, &row[0], &outcome[0]);
    a->problem = changed;
    if (status == SCREE_OK) status = solve_often(a, p, &row[1], &outcome[1]);
    a->guess = first;
    if (status == SCREE_OK) status = solve_often(a, p, &row[2], &outcome[2]);
    if (status != SCREE_OK) return status;
    *ratio = row[2].time_s / row[1].time_s;
    for (int i = 0; i < 3; ++i) {
        if (outcome[i] != SCREE_OUTCOME_CONVERGED) *ratio = nan("");
    }
    return SCREE_OK;
}

int cli_problems_warm_start(cli_problems* job, cli_problems_open* open)
{
    const cli_problems_case* c = &job->table.cases[job->table.n_cases - 1];
    if (c->contacts < job->options->least_contacts) return CLI_DONE;
    scree_problem changed = *open->problem;
    size_t n = (size_t)c->rows;
    double* q = malloc(n * sizeof *q);
    attempt a = {.job = job, .open = open, .problem = &changed};
    begin(&a, job->options->focus, warm_tol);
    size_t size = scree_solve_work_size(open->problem, &a.def);
    a.work = malloc(size ? size : 1);
    scree_status status = q && a.work ? SCREE_OK : SCREE_ERROR_MEMORY;
    double ratio = nan("");
    if (status == SCREE_OK) {
        uint64_t state = 1;
        for (size_t i = 0; i < n; ++i) {
            q[i] = open->problem->q[i] * (1.0 + warm_change * random_number(&state));
        }
        changed.q = q;
        job->now = "warm start";
        status = compare_starts(&a, open->best, open->p, &ratio);
    }
    free(a.work);
    free(q);
    if (status == SCREE_ERROR_UNSUPPORTED || cli_watch_interrupted()) return CLI_DONE;
    if (status != SCREE_OK) return cli_refuse(&job->host, status);
    if (ratio > 0.0) {
        job->warm.sum_log += log(ratio);
        ++job->warm.n;
    } else {
        ++job->warm.n_unsolved;
    }
    return CLI_DONE;
}
