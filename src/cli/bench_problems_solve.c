/* Our solvers and those of Siconos on the problem of the last case. */
#define _POSIX_C_SOURCE 200809L
#include "cli/bench_problems.h"
#include "cli/report.h"
#include "scree_sparse/scree_sparse.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static double residual_of(cli_problems* job, const cli_problems_open* open, const double* p)
{
    scree_env env = cli_env(&job->host);
    scree_certificate certificate;
    if (scree_certify(&env, open->problem, p, &certificate) != SCREE_OK) return nan("");
    return scree_certificate_residual(&certificate, (scree_measure)job->table.measure);
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
    scree_status status = scree_solve(&a->env, a->problem, &a->def, a->work, p, &report);
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
    row->residual = residual_of(a->job, a->open, p);
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
    if (status != SCREE_OK) return cli_refuse(&job->host, status);
    if (cli_watch_interrupted()) return CLI_DONE;
    judge(a, p, outcome, row);
    return cli_problems_record(job, row);
}

/* A method that a looser tolerance has cost all its time is not tried at a tighter one, but for the
 * one in focus: it may choose another way there. */
static bool is_lost(const cli_problems* job, const cli_problems_row* row)
{
    return !row->solved && strcmp(row->outcome, "time limit") == 0 &&
           strcmp(row->solver, job->options->focus) != 0;
}

static void leave_empty(cli_problems_row* row)
{
    row->time_s = row->wall_s = row->residual = nan("");
    row->iterations = -1;
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
            leave_empty(&row);
            code = cli_problems_record(job, &row);
            continue;
        }
        begin(&a, solver, job->table.tol[t]);
        if (scree_solver_unfit(&a.env, a.problem, &a.def)) { /* told only if asked for */
            leave_empty(&row);
            snprintf(row.outcome, sizeof row.outcome, "not taken");
            if (job->options->solvers) code = cli_problems_record(job, &row);
            continue;
        }
        size_t size = scree_solve_work_size(&a.env, a.problem, &a.def);
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
    size_t size = scree_solve_work_size(&a.env, open->problem, &a.def);
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

/* ---- Siconos -----------------------------------------------------------------------------------
 *
 * Its Python module in a process of its own, which answers one request at a time. It may crash, and
 * a time limit that it sets itself ends it; siconos_peer.py says how. */

/* The file siconos_peer.py; see cmake/ScreeEmbed.cmake. */
extern const char cli_text_siconos_peer[];

enum { LINE_SIZE = 256, PATH_SIZE = 4096, REQUESTS = 3 };

/* How far beside the tolerance a result may lie and be tried again with another one. */
static const double far_above = 1e3, far_below = 0.05;

typedef struct peer {
    pid_t pid; /* 0: none is running */
    FILE *to, *from;
} peer;

typedef struct answer {
    double time_s, wall_s;
    int64_t iterations;
    int status; /* 0: Siconos calls it converged */
} answer;

/* Debian's packages belong to the system's interpreter. */
static const char* interpreter(void)
{
    const char* path = "/usr/bin/python3";
    return access(path, X_OK) == 0 ? path : "python3";
}

/* In the child: never returns. Pipes: [0] is read, [1] is written. */
static void become_peer(const int in[2], const int out[2], const char* const words[3])
{
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0) _exit(127);
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
    if (!freopen("/dev/null", "w", stderr)) _exit(127);
    const char* python = interpreter();
    execlp(python, python, "-c", cli_text_siconos_peer, words[0], words[1], words[2], (char*)NULL);
    _exit(127);
}

/* `words` follow the script on the command line, up to the first that is NULL. */
static bool start(peer* p, const char* const words[3])
{
    int in[2], out[2];
    if (pipe(in) != 0) return false;
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0) become_peer(in, out, words);
    close(in[0]);
    close(out[1]);
    p->to = fdopen(in[1], "w");
    p->from = fdopen(out[0], "rb");
    return p->pid > 0 && p->to && p->from;
}

/* Ends the process, which leaves when it has no more input; how it ended, as waitpid() tells. */
static int stop(peer* p)
{
    int status = 0;
    if (p->to) fclose(p->to);
    if (p->from) fclose(p->from);
    if (p->pid > 0) {
        while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {
        }
    }
    *p = (peer){0};
    return status;
}

void cli_problems_find_peer(cli_problems* job)
{
    const char* const none[3] = {NULL};
    peer p = {0};
    char line[LINE_SIZE];
    if (start(&p, none)) {
        while (job->n_peer_solvers < CLI_PROBLEMS_SOLVERS && fgets(line, sizeof line, p.from)) {
            int i = job->n_peer_solvers;
            bool good = sscanf(line, "%31s %31s", job->peer_kinds[i], job->peer_solvers[i]) == 2;
            if (good) ++job->n_peer_solvers;
        }
    }
    stop(&p);
    job->has_peer = job->n_peer_solvers > 0;
}

/* ---- one solver on one problem ------------------------------------------------------------------
 */

/* What the answers of one solver on one problem need. */
typedef struct talk {
    cli_problems* job;
    cli_problems_open* open;
    const char* words[3]; /* kind, solver, file */
    peer peer;
    bool too_slow; /* a time limit has ended it: it will not meet tighter tolerances either */
} talk;

/* One request. False when the process has ended; then row->outcome says why. */
static bool ask(talk* t, double tol, answer* a, cli_problems_row* row)
{
    char line[LINE_SIZE];
    size_t n = (size_t)scree_problem_n_rows(t->open->problem);
    bool running = t->peer.pid > 0 || start(&t->peer, t->words);
    if (running) {
        fprintf(t->peer.to, "%.17g %.17g %d\n", tol, t->job->options->max_time,
                CLI_PROBLEMS_REPEAT);
        fflush(t->peer.to);
    }
    bool good = running && fgets(line, sizeof line, t->peer.from) &&
                sscanf(line, "%lf %lf %" SCNd64 " %d", &a->time_s, &a->wall_s, &a->iterations,
                       &a->status) == 4 &&
                fread(t->open->p, sizeof(double), n, t->peer.from) == n;
    if (good) return true;
    int status = stop(&t->peer);
    bool slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM);
    t->too_slow = slow;
    snprintf(row->outcome, sizeof row->outcome, "%s", slow ? "time limit" : "crashed");
    return false;
}

/* The better of two results at one tolerance: the one that is solved, or the faster of two that
 * are, or the more accurate of two that are not. */
static bool peer_is_better(const cli_problems_row* a, const cli_problems_row* b)
{
    if (a->solved != b->solved) return a->solved;
    return a->solved ? a->time_s < b->time_s : !(a->residual >= b->residual);
}

/* Siconos's solvers stop on errors of their own, which need not be ours. A result just above the
 * tolerance is tried again with a tighter one, a result far below it with a looser one. */
static double next_request(double asked, double tol, const cli_problems_row* row, int status,
                           bool first)
{
    if (!row->solved && status == 0 && row->residual <= far_above * tol) return 0.1 * asked;
    if (row->solved && first && row->residual < far_below * tol) {
        return asked * fmin(0.5 * tol / row->residual, 1e4);
    }
    return 0.0;
}

static int peer_solve_at(talk* t, int index)
{
    cli_problems* job = t->job;
    double tol = job->table.tol[index], request = tol;
    cli_problems_row best = {.problem = job->table.n_cases - 1,
                             .tol = index,
                             .peer = true,
                             .residual = nan(""),
                             .time_s = nan(""),
                             .wall_s = nan(""),
                             .iterations = -1,
                             .outcome = "time limit"};
    snprintf(best.solver, sizeof best.solver, "%s", t->words[1]);
    for (int i = 0; i < REQUESTS && request > 0.0 && !t->too_slow; ++i) {
        answer a;
        cli_problems_row row = best;
        if (!ask(t, request, &a, best.solved ? &row : &best)) break;
        row.time_s = a.time_s;
        row.wall_s = a.wall_s;
        row.iterations = a.iterations;
        row.residual = residual_of(job, t->open, t->open->p);
        row.solved = row.residual <= tol;
        snprintf(row.outcome, sizeof row.outcome, "%s",
                 row.solved      ? "converged"
                 : a.status == 0 ? "not certified"
                                 : "not converged");
        request = best.solved ? 0.0 : next_request(request, tol, &row, a.status, i == 0);
        if (i == 0 || peer_is_better(&row, &best)) best = row;
    }
    if (cli_watch_interrupted()) return CLI_DONE; /* it has met the process too */
    if (job->peer_csv) cli_problems_write_row(job->peer_csv, &job->table, &best);
    return cli_problems_record(job, &best);
}

static int peer_solve_with(talk* t)
{
    int code = CLI_DONE;
    for (int i = 0; i < t->job->table.n_tols && code == CLI_DONE; ++i) {
        cli_problems_solver solver = {.peer = true, .name = t->words[1]};
        if (cli_problems_get(&t->job->table, t->job->table.n_cases - 1, i, solver)) continue;
        t->job->now = t->words[1];
        t->job->now_tol = i;
        if (cli_problems_pause(t->job, nan(""))) break;
        code = peer_solve_at(t, i);
    }
    stop(&t->peer);
    return code;
}

static bool is_complete(const cli_problems* job, const char* name)
{
    cli_problems_solver solver = {.peer = true, .name = name};
    for (int i = 0; i < job->table.n_tols; ++i) {
        if (!cli_problems_get(&job->table, job->table.n_cases - 1, i, solver)) return false;
    }
    return true;
}

/* Whether both may name one file below different folders: one is the tail of the other. */
static bool names_agree(const char* a, const char* b)
{
    size_t n = strlen(a), m = strlen(b);
    const char* tail = n > m ? a + (n - m) : b + (m - n);
    return strcmp(tail, n > m ? b : a) == 0 && (n == m || tail[-1] == '/');
}

/* Results of an earlier run that belong to the last case. */
static int take_known(cli_problems* job)
{
    const cli_problems_case* c = &job->table.cases[job->table.n_cases - 1];
    for (int i = 0; i < job->known.n_rows; ++i) {
        cli_problems_row row = job->known.rows[i];
        const cli_problems_case* known = &job->known.cases[row.problem];
        if (known->rows != c->rows || !names_agree(known->name, c->name)) continue;
        row.problem = job->table.n_cases - 1;
        int code = cli_problems_record(job, &row);
        if (code != CLI_DONE) return code;
        ++job->n_known;
    }
    return CLI_DONE;
}

/* Siconos reads the problem from a text file, assembled, in blocks; its name must have an ending.
 * The file lies in a new folder; both names are empty when there is none. */
static int write_problem(cli_problems* job, const cli_problems_open* open, char folder[PATH_SIZE],
                         char path[PATH_SIZE + 16])
{
    const char* root = getenv("TMPDIR");
    snprintf(folder, PATH_SIZE, "%s/scree-bench-XXXXXX", root && *root ? root : "/tmp");
    if (!mkdtemp(folder)) {
        cli_say(job->host.verb, "%s: %s", folder, strerror(errno));
        folder[0] = '\0';
        return CLI_FAILED;
    }
    snprintf(path, PATH_SIZE + 16, "%s/problem.dat", folder);
    scree_env env = cli_env(&job->host);
    cli_host_turn_to(&job->host, path);
    scree_status status = scree_problem_write(&env, path, open->problem, NULL);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&job->host, status);
}

int cli_problems_ask_peer(cli_problems* job, cli_problems_open* open)
{
    const char* kind = job->table.cases[job->table.n_cases - 1].kind;
    char folder[PATH_SIZE] = "", path[PATH_SIZE + 16] = "";
    int code = take_known(job);
    for (int i = 0; i < job->n_peer_solvers && code == CLI_DONE && !cli_watch_interrupted(); ++i) {
        if (strcmp(job->peer_kinds[i], kind) != 0 || is_complete(job, job->peer_solvers[i])) {
            continue;
        }
        if (!*path) code = write_problem(job, open, folder, path);
        if (code != CLI_DONE) break;
        talk t = {.job = job, .open = open, .words = {kind, job->peer_solvers[i], path}};
        code = peer_solve_with(&t);
    }
    if (*path) remove(path);
    if (*folder) rmdir(folder);
    return code;
}
