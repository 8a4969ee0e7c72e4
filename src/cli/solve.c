#include "cli/contacts.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "cli/verbs.h"
#include "cli/watch.h"
#include "scree/reactions.h"
#include "scree/solver.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct solve_options {
    const char* file;
    cli_judge judge;
    const char* solver;
    int64_t max_iter;
    double max_time; /* s */
    int sweep;       /* a scree_sweep */
    uint64_t seed;
    double rho, rho_slide, rho_roll, rho_spin, relaxation;
    int local;     /* a scree_local */
    int map;       /* a scree_newton_map */
    int reactions; /* index into reactions_choices */
    const char* guess;
    const char* output;
    const char* velocities;
    const char* history;
    const char* contacts;
    bool json;
} solve_options;

static const char* const sweep_choices[] = {
    [SCREE_SWEEP_FORWARD] = "forward",
    [SCREE_SWEEP_SYMMETRIC] = "symmetric",
    [SCREE_SWEEP_SHUFFLED] = "shuffled",
    [SCREE_SWEEP_COUNT] = NULL,
};

static const char* const local_choices[] = {
    [SCREE_LOCAL_EXACT] = "exact",
    [SCREE_LOCAL_PROJECTION] = "projection",
    [SCREE_LOCAL_COUNT] = NULL,
};

static const char* const map_choices[] = {
    [SCREE_MAP_ALART_CURNIER] = "alart-curnier",
    [SCREE_MAP_NATURAL] = "natural",
    [SCREE_MAP_FISCHER_BURMEISTER] = "fischer-burmeister",
    [SCREE_MAP_COUNT] = NULL,
};

enum { REACTIONS_ANY, REACTIONS_LEAST };

static const char* const reactions_choices[] = {
    [REACTIONS_ANY] = "any",
    [REACTIONS_LEAST] = "least",
    [REACTIONS_LEAST + 1] = NULL,
};

static const cli_argument arguments[] = {
    {"FILE", "problem: Siconos text or FCLIB HDF5", offsetof(solve_options, file)},
};

#define RHO_OPTION(label, field, meaning, rule)                                      \
    {                                                                                \
        .name = (label), .kind = CLI_REAL, .offset = offsetof(solve_options, field), \
        .value = "RHO", .text = (meaning), .usual = (rule), .most = 1e30             \
    }

static const cli_option options[] = {
    {.name = "solver",
     .kind = CLI_TEXT,
     .offset = offsetof(solve_options, solver),
     .value = "NAME",
     .text = "method, one that scree solvers lists, or auto"},
    CLI_JUDGE_OPTIONS(solve_options),
    {.name = "max-iter",
     .kind = CLI_INTEGER,
     .offset = offsetof(solve_options, max_iter),
     .value = "N",
     .text = "stop after N iterations"},
    {.name = "max-time",
     .kind = CLI_REAL,
     .offset = offsetof(solve_options, max_time),
     .value = "S",
     .text = "stop after S seconds",
     .usual = "no limit",
     .most = 1e30},
    {.name = "sweep",
     .kind = CLI_CHOICE,
     .offset = offsetof(solve_options, sweep),
     .value = "ORDER",
     .text = "order of a Gauss-Seidel sweep",
     .choices = sweep_choices},
    {.name = "seed",
     .kind = CLI_UNSIGNED,
     .offset = offsetof(solve_options, seed),
     .value = "N",
     .text = "of the shuffled order, a whole number"},
    RHO_OPTION("rho", rho, "fixed step length, scaled, of methods that have one", "by rule"),
    RHO_OPTION("rho-slide", rho_slide, "of the sliding channel alone", "rho"),
    RHO_OPTION("rho-roll", rho_roll, "of the rolling channel alone", "rho"),
    RHO_OPTION("rho-spin", rho_spin, "of the spinning channel alone", "rho"),
    {.name = "relaxation",
     .kind = CLI_REAL,
     .offset = offsetof(solve_options, relaxation),
     .value = "L",
     .text = "share of the new iterate in the next, up to 1",
     .most = 1.0},
    {.name = "local",
     .kind = CLI_CHOICE,
     .offset = offsetof(solve_options, local),
     .value = "HOW",
     .text = "how nsgs solves one contact",
     .choices = local_choices},
    {.name = "map",
     .kind = CLI_CHOICE,
     .offset = offsetof(solve_options, map),
     .value = "MAP",
     .text = "of newton-dense",
     .choices = map_choices},
    {.name = "reactions",
     .kind = CLI_CHOICE,
     .offset = offsetof(solve_options, reactions),
     .value = "WHICH",
     .text = "where not unique: any, or those of least norm",
     .choices = reactions_choices},
    {.name = "guess",
     .kind = CLI_TEXT,
     .offset = offsetof(solve_options, guess),
     .value = "FILE",
     .text = "impulses to begin with, in N s",
     .usual = "zero"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(solve_options, output),
     .value = "OUT",
     .text = "write the impulses, in N s; HDF5 if named .hdf5 or .h5, else text",
     .usual = "none"},
    {.name = "velocities",
     .kind = CLI_TEXT,
     .offset = offsetof(solve_options, velocities),
     .value = "OUT",
     .text = "write the relative velocities after the impulses, in m/s",
     .usual = "none"},
    {.name = "history",
     .kind = CLI_TEXT,
     .offset = offsetof(solve_options, history),
     .value = "OUT",
     .text = "write every residual that is evaluated, a table with commas",
     .usual = "none"},
    CLI_CONTACTS_OPTION(solve_options),
    CLI_JSON_OPTION(solve_options),
};

static const cli_syntax syntax = {
    .verb = "solve",
    .purpose = "Solves the contact problem in FILE and prints the certificate of the answer. The\n"
               "best impulses found are reported and written even when they do not converge, also\n"
               "after Ctrl-C. Where there is no solution, the proof is given, and the rest solved.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 converged, 1 not converged, no solution, or failed,\n"
                  "           2 bad input or usage, or a method that is not for this problem",
    .example = "  scree solve problem.dat --tol 1e-10 -o impulses.txt",
};

/* Least reactions have a residual of their own: the solver leaves room for it. */
#define ROOM 0.3

/* Larger problems are not counted: that could take longer than to solve them. */
enum { MOST_ROWS = 200000, MOST_ENTRIES = 10000000 };

/* A tolerance above this says little about what rests. */
#define REST_MOST 1e-6

/* Everything one solve holds; zeroed, then filled step by step. */
typedef struct job {
    const solve_options* options;
    cli_host host;
    cli_loaded loaded;
    scree_problem_store reduced; /* zero unless the file holds a factored problem */
    double *p, *y;               /* [n_rows] impulses, velocities */
    FILE* history;               /* NULL: not wanted */
    scree_stage stages[SCREE_STAGES_MAX];
    scree_outcome outcome;
    scree_report report;
    scree_certificate certificate;
    cli_contacts contacts;
    bool counted;     /* `rank` is known */
    bool uncountable; /* it cannot be, because of sets */
    scree_rank rank;
    scree_least least; /* zero unless asked for */
} job;

static solve_options default_options(void)
{
    scree_solver_def def = scree_default_solver_def();
    return (solve_options){.judge = cli_default_judge(),
                           .solver = def.solver,
                           .max_iter = def.max_iter,
                           .max_time = def.max_time,
                           .sweep = (int)def.sweep,
                           .seed = def.seed,
                           .relaxation = def.relaxation,
                           .local = (int)def.local,
                           .map = (int)def.map};
}

/* ---- history ---- */

static int open_history(job* j)
{
    const char* path = j->options->history;
    if (!path) return CLI_DONE;
    int code = cli_check_output(syntax.verb, path, j->options->file);
    if (code != CLI_DONE) return code;
    j->history = fopen(path, "w");
    if (!j->history) return cli_usage_error(syntax.verb, "%s: %s", path, strerror(errno));
    fprintf(j->history, "solver,iterations,time_s,residual,best\n");
    return CLI_DONE;
}

static void write_check(void* user, const scree_check* check)
{
    fprintf(user, "%s,%" PRId64 ",%.6e,%.6e,%.6e\n", check->solver, check->iterations,
            check->time_s, check->residual, check->best);
}

static int close_history(job* j, int code)
{
    if (!j->history) return code;
    bool bad = ferror(j->history) != 0;
    if (fclose(j->history) == 0 && !bad) return code;
    cli_say(syntax.verb, "%s: cannot be written", j->options->history);
    return code == CLI_DONE ? CLI_FAILED : code;
}

/* ---- solving ---- */

/* Reads and allocates all that the solve needs, so that nothing can go wrong after long work. */
static int prepare(job* j)
{
    const solve_options* o = j->options;
    int code = cli_check_solver(syntax.verb, o->solver);
    if (code == CLI_DONE) code = cli_load(&j->host, o->file, o->judge.law, &j->loaded);
    if (code == CLI_DONE) code = cli_check_contacts(&j->host, &j->loaded);
    if (code == CLI_DONE && o->output) code = cli_check_output(syntax.verb, o->output, o->file);
    if (code == CLI_DONE && o->velocities) {
        code = cli_check_output(syntax.verb, o->velocities, o->file);
    }
    if (code == CLI_DONE && o->contacts) code = cli_check_output(syntax.verb, o->contacts, o->file);
    if (code == CLI_DONE) code = open_history(j);
    if (code != CLI_DONE) return code;
    j->p = cli_new_rows(&j->host, &j->loaded);
    j->y = cli_new_rows(&j->host, &j->loaded);
    if (!j->p || !j->y) return CLI_FAILED;
    if (o->guess) code = cli_load_impulses(&j->host, &j->loaded, o->guess, j->p);
    cli_host_turn_to(&j->host, o->file);
    return code;
}

static scree_solver_def make_def(const solve_options* o, cli_watch* watch)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = o->solver;
    def.measure = (scree_measure)o->judge.measure;
    def.tol = o->judge.tol * (o->reactions == REACTIONS_LEAST ? ROOM : 1.0);
    def.max_iter = o->max_iter;
    def.max_time = o->max_time;
    def.sweep = (scree_sweep)o->sweep;
    def.seed = o->seed;
    def.rho = o->rho;
    def.rho_slide = o->rho_slide;
    def.rho_roll = o->rho_roll;
    def.rho_spin = o->rho_spin;
    def.relaxation = o->relaxation;
    def.local = (scree_local)o->local;
    def.map = (scree_newton_map)o->map;
    def.progress = cli_watch_progress;
    def.progress_user = watch;
    return def;
}

/* The certificate has the last word on convergence: it sees the problem as the file states it. But
 * where there is no solution a small residual says nothing. */
static scree_outcome judge(const job* j)
{
    if (j->report.outcome == SCREE_OUTCOME_INFEASIBLE) return j->report.outcome;
    if (cli_accepts(&j->certificate, &j->options->judge)) return SCREE_OUTCOME_CONVERGED;
    bool claimed = j->report.outcome == SCREE_OUTCOME_CONVERGED;
    return claimed ? SCREE_OUTCOME_STALLED : j->report.outcome;
}

static double rest_tolerance(const job* j)
{
    return j->options->judge.tol < REST_MOST ? j->options->judge.tol : REST_MOST;
}

/* Replaces the impulses by the least ones, unless they would no longer be accepted. */
static scree_status find_least(job* j, const scree_problem* problem)
{
    size_t size = (size_t)scree_problem_n_rows(problem) * sizeof(double);
    scree_env env = cli_env(&j->host);
    scree_certificate certificate;
    double* p = malloc(size);
    if (!p) return SCREE_ERROR_MEMORY;
    memcpy(p, j->p, size);
    scree_status status = scree_reactions_least(&env, problem, rest_tolerance(j), p, &j->least);
    if (!status) status = scree_certify(&env, &j->loaded.problem, p, &certificate);
    if (!status && !cli_accepts(&certificate, &j->options->judge)) j->least.found = 0;
    if (!status && j->least.found) {
        memcpy(j->p, p, size);
        j->certificate = certificate;
    }
    free(p);
    return status;
}

static bool is_countable(const scree_problem* problem)
{
    bool assembled = problem->form == SCREE_FORM_ASSEMBLED;
    int64_t entries = assembled ? problem->w.offset[problem->w.start[problem->n_contacts]] : 0;
    return scree_problem_n_rows(problem) <= MOST_ROWS && entries <= MOST_ENTRIES;
}

static scree_status examine_reactions(job* j)
{
    scree_status status = SCREE_OK;
    scree_env env = cli_env(&j->host);
    const scree_problem* problem = &j->loaded.problem;
    if (problem->form == SCREE_FORM_FACTORED) {
        status = scree_problem_reduce(&env, problem, &j->reduced);
        problem = &j->reduced.problem;
    }
    if (!status && j->options->reactions == REACTIONS_LEAST) status = find_least(j, problem);
    if (status || !is_countable(problem)) return status;
    status = scree_reactions_rank(&env, problem, rest_tolerance(j), j->p, &j->rank);
    j->counted = status == SCREE_OK;
    j->uncountable = status == SCREE_ERROR_UNSUPPORTED && problem->set; /* none but discs are */
    return j->uncountable ? SCREE_OK : status;
}

static int solve(job* j)
{
    cli_watch watch;
    scree_env env = cli_env(&j->host);
    scree_solver_def def = make_def(j->options, &watch);
    if (j->history) {
        def.watch = write_check;
        def.watch_user = j->history;
    }
    def.stages = j->stages;
    def.stages_room = SCREE_STAGES_MAX;
    cli_watch_begin(&watch, syntax.verb);
    scree_status status =
        scree_solve_certified(&env, &j->loaded.problem, &def, j->p, &j->report, &j->certificate);
    cli_watch_end(&watch);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    j->outcome = judge(j);
    if (j->outcome == SCREE_OUTCOME_CONVERGED) status = examine_reactions(j);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    return cli_contacts_judge(&j->host, &j->loaded, j->p, &j->contacts);
}

/* What the velocities leave open; only of impulses that solve the problem. */
static void print_reactions(const job* j)
{
    const scree_rank* rank = &j->rank;
    if (j->counted) {
        cli_row("reactions", "%s: rank %d of %d active rows, %d of %d unknowns determined",
                rank->determined < rank->unknowns ? "not unique" : "unique", (int)rank->rank,
                (int)rank->active_rows, (int)rank->determined, (int)rank->unknowns);
    } else {
        cli_row("reactions", "not counted, %s",
                j->uncountable ? "friction has sets" : "the problem is too large");
    }
    if (j->options->reactions != REACTIONS_LEAST) return;
    if (j->least.found) {
        cli_row("least norm", "%.6g, before %.6g, scaled", j->least.norm, j->least.norm_before);
    } else {
        cli_row("least norm", "not found within the tolerance: the impulses are any");
    }
}

static void write_reactions(cli_json* json, const job* j)
{
    const scree_rank* rank = &j->rank;
    cli_json_text(json, "reactions", reactions_choices[j->least.found]);
    cli_json_count(json, "active_rows", j->counted ? rank->active_rows : -1);
    cli_json_count(json, "rank", j->counted ? rank->rank : -1);
    cli_json_count(json, "unknowns", j->counted ? rank->unknowns : -1);
    cli_json_count(json, "determined", j->counted ? rank->determined : -1);
    if (j->counted) {
        cli_json_boolean(json, "hyperstatic", rank->determined < rank->unknowns);
    } else {
        cli_json_null(json, "hyperstatic");
    }
}

/* What auto did, when it needed more than one method. */
static void print_stages(const job* j)
{
    for (int i = 0; j->report.n_stages > 1 && i < j->report.n_stages; ++i) {
        const scree_stage* stage = &j->stages[i];
        cli_row(i ? "" : "stages", "%-14s %6" PRId64 " iterations to %.1e, %.2g s", stage->solver,
                stage->iterations, stage->residual, stage->time_s);
    }
}

static void write_stages(cli_json* json, const job* j)
{
    cli_json_array(json, "stages");
    for (int i = 0; i < j->report.n_stages; ++i) {
        const scree_stage* stage = &j->stages[i];
        cli_json_object(json, NULL);
        cli_json_text(json, "solver", stage->solver);
        cli_json_integer(json, "iterations", stage->iterations);
        cli_json_real(json, "residual", stage->residual);
        cli_json_real(json, "time_s", stage->time_s);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_table(const job* j)
{
    bool good = j->outcome == SCREE_OUTCOME_CONVERGED;
    bool chosen = strcmp(j->report.solver, j->options->solver) != 0;
    cli_print_problem(&j->loaded);
    cli_row("solver", "%s%s%s%s", j->report.solver, chosen ? " (by " : "",
            chosen ? j->options->solver : "", chosen ? ")" : "");
    cli_row("status", "%s%s%s", cli_paint(good ? CLI_GOOD : CLI_BAD),
            scree_outcome_text((int)j->outcome), cli_paint(CLI_PLAIN));
    if (j->report.infeasible.n_contacts > 0) {
        cli_print_infeasible(&j->report.infeasible);
        cli_row("the rest", "residual %.3g with what these contacts let through taken out",
                j->report.residual);
    }
    cli_print_residuals(&j->certificate, &j->options->judge);
    cli_row("iterations", "%" PRId64, j->report.iterations);
    cli_row("time", "%-10.3g s", j->report.time_s);
    print_stages(j);
    if (j->report.fail_safe > 0) {
        cli_row("bisections", "%" PRId64 " contact updates, where Newton gave way",
                j->report.fail_safe);
    }
    if (good) print_reactions(j);
    cli_contacts_print(&j->contacts);
    cli_print_physics(&j->certificate);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_problem(&json, &j->loaded);
    cli_json_text(&json, "solver", j->report.solver);
    cli_json_text(&json, "solver_asked", j->options->solver);
    cli_json_text(&json, "status", scree_outcome_text((int)j->outcome));
    cli_json_integer(&json, "iterations", j->report.iterations);
    cli_json_real(&json, "time_s", j->report.time_s);
    cli_json_integer(&json, "fail_safe", j->report.fail_safe);
    cli_json_infeasible(&json, &j->report.infeasible);
    cli_json_real(&json, "residual_of_rest", j->report.residual);
    write_stages(&json, j);
    write_reactions(&json, j);
    cli_json_certificate(&json, &j->certificate, &j->options->judge);
    cli_contacts_json(&json, &j->contacts);
    cli_json_end(&json);
}

static bool write_velocities(job* j)
{
    const char* path = j->options->velocities;
    if (!path) return true;
    scree_env env = cli_env(&j->host);
    const scree_problem* problem = &j->loaded.problem;
    cli_host_turn_to(&j->host, path);
    scree_status status = scree_problem_velocity(&env, problem, j->p, j->y);
    if (status != SCREE_OK) return cli_refuse(&j->host, status) == CLI_DONE;
    FILE* file = fopen(path, "w");
    bool good = file != NULL;
    if (good) good = fprintf(file, "# relative velocities, one contact to a line\n") > 0;
    for (int32_t c = 0; good && c < problem->n_contacts; ++c) {
        for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
            fprintf(file, "%.16e%c", j->y[i], i + 1 < problem->first_row[c + 1] ? ' ' : '\n');
        }
        good = !ferror(file);
    }
    if (file) good = fclose(file) == 0 && good;
    if (!good) cli_say(syntax.verb, "%s: cannot be written", path);
    return good;
}

/* Impulses first: they are kept even when standard output is gone. */
static int finish(job* j)
{
    const solve_options* o = j->options;
    scree_status status = SCREE_OK;
    if (o->output) {
        scree_env env = cli_env(&j->host);
        cli_host_turn_to(&j->host, o->output);
        status = scree_impulses_write(&env, o->output, &j->loaded.problem, j->p);
        if (status != SCREE_OK) cli_refuse(&j->host, status);
    }
    bool wrote = write_velocities(j);
    if (o->contacts) wrote = cli_contacts_write(syntax.verb, o->contacts, &j->contacts) && wrote;
    if (o->json) {
        print_json(j);
    } else {
        print_table(j);
    }
    bool done = j->outcome == SCREE_OUTCOME_CONVERGED && status == SCREE_OK && wrote;
    return done ? CLI_DONE : CLI_FAILED;
}

static void release(job* j)
{
    free(j->p);
    free(j->y);
    free(j->contacts.of);
    scree_problem_store_release(&j->reduced);
    cli_unload(&j->loaded);
}

int cli_solve(int argc, char** argv)
{
    solve_options o = default_options();
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    job j = {.options = &o, .host = {.verb = syntax.verb}};
    code = prepare(&j);
    if (code == CLI_DONE) code = solve(&j);
    if (code == CLI_DONE) code = finish(&j);
    code = close_history(&j, code);
    release(&j);
    return code;
}
