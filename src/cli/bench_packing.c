/* How well and how fast a solver does on problems whose impulses are not unique: piles, lattices
 * and jammed packings of spheres in many settings, several problems in each. The certificate alone
 * decides what is solved. */
#include "cli/bench.h"
#include "cli/json.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/watch.h"
#include "scree/solver.h"
#include "scree_study/packing.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct packing_options {
    int64_t contacts; /* 0: the usual sizes */
    bool large;
    int kind;     /* a scree_packing_kind; SCREE_PACKING_COUNT: all */
    int width;    /* index into widths; -1: all */
    int law;      /* a scree_law; -1: exact and convex */
    double noise; /* negative: without and with */
    int64_t count;
    double tol;
    const char* solver;
    double max_time; /* s */
    const char* csv;
    bool json;
} packing_options;

static const char* const kind_choices[] = {"pyramid", "lattice", "random", "all", NULL};
static const char* const width_choices[] = {"3", "5", "6", NULL};
static const scree_rows widths[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS};
static const double usual_noise[] = {0.0, 0.3};
static const int32_t usual_sizes[] = {100, 400, 4000, 40000};

static const cli_option options[] = {
    {.name = "contacts",
     .kind = CLI_INTEGER,
     .offset = offsetof(packing_options, contacts),
     .value = "N",
     .text = "size: packings of about N contacts",
     .usual = "100, 400 and 4000",
     .least = 1,
     .most = 1e6},
    {.name = "large",
     .kind = CLI_FLAG,
     .offset = offsetof(packing_options, large),
     .text = "40000 contacts as well"},
    {.name = "kind",
     .kind = CLI_CHOICE,
     .offset = offsetof(packing_options, kind),
     .value = "KIND",
     .text = "how the spheres lie",
     .choices = kind_choices},
    {.name = "width",
     .kind = CLI_CHOICE,
     .offset = offsetof(packing_options, width),
     .value = "W",
     .text = "rows per contact",
     .usual = "all of them",
     .choices = width_choices},
    {.name = "law",
     .kind = CLI_CHOICE,
     .offset = offsetof(packing_options, law),
     .value = "LAW",
     .text = "law of the contacts",
     .usual = "exact and convex",
     .choices = cli_law_choices},
    {.name = "noise",
     .kind = CLI_REAL,
     .offset = offsetof(packing_options, noise),
     .value = "X",
     .text = "velocities before the step, in units of gravity times step",
     .usual = "0 and 0.3",
     .most = 1e6},
    {.name = "count",
     .kind = CLI_INTEGER,
     .offset = offsetof(packing_options, count),
     .value = "N",
     .text = "problems in each setting, with seeds 1 to N",
     .least = 1,
     .most = 1e6},
    {.name = "tol",
     .kind = CLI_REAL,
     .offset = offsetof(packing_options, tol),
     .value = "T",
     .text = "solved is what has a residual up to T, a number without unit",
     .most = 1e30},
    {.name = "solver",
     .kind = CLI_TEXT,
     .offset = offsetof(packing_options, solver),
     .value = "NAME",
     .text = "method, one that scree solvers lists, or auto"},
    {.name = "max-time",
     .kind = CLI_REAL,
     .offset = offsetof(packing_options, max_time),
     .value = "S",
     .text = "stop a problem after S seconds",
     .most = 1e30},
    {.name = "csv",
     .kind = CLI_TEXT,
     .offset = offsetof(packing_options, csv),
     .value = "FILE",
     .text = "write a table with a line for every problem",
     .usual = "none"},
    CLI_JSON_OPTION(packing_options),
};

static const cli_syntax syntax = {
    .verb = "bench packing",
    .purpose =
        "Solves one step of the fall of packed spheres that touch in more places than they\n"
        "can move: face-centred cubic pyramids, cubic lattices in a box, jammed random\n"
        "packings in a box. mu = 0.3, mu_r = mu_s = 0.1 radii. Every line is one setting; its\n"
        "residual is that of the certificate, its times are seconds of processor time, solved\n"
        "or not. Pyramids and lattices at rest have no randomness and are solved once.",
    .n_options = CLI_COUNT(options),
    .options = options,
    .exit_codes = "0 all solved, 1 some not solved or failed, 2 bad input or usage",
    .example = "  scree bench packing --contacts 400 --width 6 --law exact --noise 0.3",
};

/* ---- one problem ---- */

typedef struct solved {
    int32_t n_contacts, n_bodies;
    double residual, time; /* s */
    scree_report report;
} solved;

typedef struct bench {
    const packing_options* options;
    cli_host host;
    cli_watch watch;
    FILE* csv; /* NULL without */
    bool interrupted;
    scree_packing_def def; /* the problem at hand */
    int64_t n, n_solved;   /* of all settings */
    double time, residual; /* sum, worst */
} bench;

static bool is_solved(const bench* b, double residual)
{
    return residual <= b->options->tol;
}

/* A NaN is worse than any number. */
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static int on_progress(void* user, int64_t iterations, double residual)
{
    bench* b = user;
    if (cli_watch_interrupted()) return 1;
    if (!cli_watch_due(&b->watch)) return 0;
    cli_watch_show(&b->watch,
                   "%s, %d contacts, width %d, %s, seed %" PRIu64 ": %" PRId64
                   " iterations, residual %.2e",
                   scree_packing_name((int)b->def.kind), (int)b->def.contacts,
                   scree_rows_width((int)b->def.rows), scree_law_name((int)b->def.law), b->def.seed,
                   iterations, residual);
    return 0;
}

static scree_status solve(bench* b, const scree_env* env, const scree_problem* problem, solved* out)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = b->options->solver;
    def.tol = b->options->tol;
    def.max_time = b->options->max_time;
    def.progress = on_progress;
    def.progress_user = b;
    void* work = malloc(scree_solve_work_size(env, problem, &def));
    double* p = calloc((size_t)scree_problem_n_rows(problem), sizeof *p);
    scree_certificate certificate;
    scree_status status = work && p ? SCREE_OK : SCREE_ERROR_MEMORY;
    double began = cli_cpu_time();
    if (status == SCREE_OK) status = scree_solve(env, problem, &def, work, p, &out->report);
    out->time = cli_cpu_time() - began;
    if (status == SCREE_OK) status = scree_certify(env, problem, p, &certificate);
    if (status == SCREE_OK) out->residual = certificate.residual;
    free(work);
    free(p);
    return status;
}

static int solve_one(bench* b, solved* out)
{
    scree_env env = cli_env(&b->host);
    scree_problem_store store;
    *out = (solved){.n_contacts = 0};
    scree_status status = scree_packing_create(&env, &b->def, &store);
    if (status == SCREE_OK) {
        out->n_contacts = store.problem.n_contacts;
        out->n_bodies = store.problem.bodies.n_bodies;
        status = solve(b, &env, &store.problem, out);
        scree_problem_store_release(&store);
    }
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&b->host, status);
}

static void write_line(const bench* b, const solved* s)
{
    if (!b->csv) return;
    fprintf(b->csv, "%s,%d,%s,%g,%" PRIu64 ",%d,%d,%s,%s,%d,%.17g,%" PRId64 ",%.6f\n",
            scree_packing_name((int)b->def.kind), scree_rows_width((int)b->def.rows),
            scree_law_name((int)b->def.law), b->def.noise, b->def.seed, (int)s->n_contacts,
            (int)s->n_bodies, s->report.solver, scree_outcome_text((int)s->report.outcome),
            is_solved(b, s->residual), s->residual, s->report.iterations, s->time);
    fflush(b->csv);
}

/* ---- one setting ---- */

typedef struct summary {
    int64_t n, n_solved;
    double contacts;      /* median */
    double time[2];       /* median and worst, s */
    double iterations[2]; /* median and worst */
    double residual;      /* worst */
} summary;

static int compare(const void* a, const void* b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Median and largest of n > 0 numbers, which are sorted. */
static void median_and_most(double* x, int64_t n, double out[2])
{
    qsort(x, (size_t)n, sizeof *x, compare);
    out[0] = 0.5 * (x[(n - 1) / 2] + x[n / 2]);
    out[1] = x[n - 1];
}

/* `room` holds 3 numbers per problem: contacts, times, iterations. */
static int solve_setting(bench* b, int64_t count, double* room, summary* out)
{
    double *contacts = room, *time = room + count, *iterations = room + 2 * count, both[2];
    *out = (summary){.residual = 0.0};
    cli_watch_begin(&b->watch, syntax.verb);
    int code = CLI_DONE;
    for (int64_t k = 0; k < count && code == CLI_DONE && !b->interrupted; ++k) {
        solved s;
        b->def.seed = (uint64_t)k + 1;
        code = solve_one(b, &s);
        b->interrupted = cli_watch_interrupted();
        if (code != CLI_DONE || b->interrupted) break;
        write_line(b, &s);
        contacts[out->n] = s.n_contacts;
        time[out->n] = s.time;
        iterations[out->n++] = (double)s.report.iterations;
        out->n_solved += is_solved(b, s.residual);
        out->residual = worse(s.residual, out->residual);
        b->time += s.time;
    }
    cli_watch_end(&b->watch);
    if (out->n == 0) return code;
    median_and_most(contacts, out->n, both);
    out->contacts = both[0];
    median_and_most(time, out->n, out->time);
    median_and_most(iterations, out->n, out->iterations);
    b->n += out->n;
    b->n_solved += out->n_solved;
    b->residual = worse(out->residual, b->residual);
    return code;
}

static void print_row(const bench* b, const summary* s)
{
    char of[32];
    snprintf(of, sizeof of, "%" PRId64 "/%" PRId64, s->n_solved, s->n);
    printf("%-8s %5d %-7s %5g %8.0f %s%9s%s %9.3f %9.3f %10.0f %10.0f %10.1e\n",
           scree_packing_name((int)b->def.kind), scree_rows_width((int)b->def.rows),
           scree_law_name((int)b->def.law), b->def.noise, s->contacts,
           cli_paint(s->n_solved == s->n ? CLI_GOOD : CLI_BAD), of, cli_paint(CLI_PLAIN),
           s->time[0], s->time[1], s->iterations[0], s->iterations[1], s->residual);
    fflush(stdout);
}

static void print_object(const bench* b, cli_json* json, const summary* s)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "kind", scree_packing_name((int)b->def.kind));
    cli_json_integer(json, "width", scree_rows_width((int)b->def.rows));
    cli_json_text(json, "law", scree_law_name((int)b->def.law));
    cli_json_real(json, "noise", b->def.noise);
    cli_json_real(json, "contacts", s->contacts);
    cli_json_integer(json, "problems", s->n);
    cli_json_integer(json, "solved", s->n_solved);
    cli_json_real(json, "median_time_s", s->time[0]);
    cli_json_real(json, "worst_time_s", s->time[1]);
    cli_json_real(json, "median_iterations", s->iterations[0]);
    cli_json_real(json, "worst_iterations", s->iterations[1]);
    cli_json_real(json, "worst_residual", s->residual);
    cli_json_end(json);
}

/* ---- all settings ---- */

/* One line of the table is one combination of these. */
typedef struct grid {
    int n_sizes, n_kinds, n_noises, n_widths, n_laws;
} grid;

static grid count_settings(const packing_options* o)
{
    return (grid){.n_sizes = o->contacts > 0 ? 1 : CLI_COUNT(usual_sizes) - !o->large,
                  .n_kinds = o->kind == SCREE_PACKING_COUNT ? SCREE_PACKING_COUNT : 1,
                  .n_noises = o->noise >= 0.0 ? 1 : CLI_COUNT(usual_noise),
                  .n_widths = o->width >= 0 ? 1 : CLI_COUNT(widths),
                  .n_laws = o->law >= 0 ? 1 : 2};
}

/* Setting number i; laws change fastest, sizes slowest. */
static scree_packing_def get_setting(const packing_options* o, const grid* g, int i)
{
    scree_packing_def def = scree_default_packing_def();
    int law = i % g->n_laws, width = (i /= g->n_laws) % g->n_widths;
    int noise = (i /= g->n_widths) % g->n_noises, kind = (i /= g->n_noises) % g->n_kinds;
    int size = i / g->n_kinds;
    def.law = (scree_law)(o->law >= 0 ? o->law : law); /* exact and convex are the first two */
    def.rows = widths[o->width >= 0 ? o->width : width];
    def.noise = o->noise >= 0.0 ? o->noise : usual_noise[noise];
    def.kind = (scree_packing_kind)(g->n_kinds == 1 ? o->kind : kind);
    def.contacts = o->contacts > 0 ? (int32_t)o->contacts : usual_sizes[size];
    return def;
}

static int solve_all(bench* b, double* room, cli_json* json)
{
    const packing_options* o = b->options;
    grid g = count_settings(o);
    int n = g.n_sizes * g.n_kinds * g.n_noises * g.n_widths * g.n_laws;
    for (int i = 0; i < n && !b->interrupted; ++i) {
        summary s;
        b->def = get_setting(o, &g, i);
        bool random = b->def.kind == SCREE_PACKING_RANDOM || b->def.noise > 0.0;
        int code = solve_setting(b, random ? o->count : 1, room, &s);
        if (s.n > 0 && json) print_object(b, json, &s);
        if (s.n > 0 && !json) print_row(b, &s);
        if (code != CLI_DONE) return code;
    }
    return b->interrupted || b->n_solved < b->n ? CLI_FAILED : CLI_DONE;
}

static int print_table(bench* b, double* room)
{
    printf("%-8s %5s %-7s %5s %8s %9s %9s %9s %10s %10s %10s\n", "kind", "width", "law", "noise",
           "contacts", "solved", "time/s", "time/s", "iterations", "iterations", "residual");
    printf("%47s %9s %9s %10s %10s %10s\n", "", "median", "worst", "median", "worst", "worst");
    int code = solve_all(b, room, NULL);
    if (code == CLI_BAD_INPUT) return code;
    printf("%s%" PRId64 " of %" PRId64 " solved by %s to %g in %.1f s, worst residual %.1e\n",
           b->interrupted ? "interrupted: " : "", b->n_solved, b->n, b->options->solver,
           b->options->tol, b->time, b->residual);
    return code;
}

static int print_json(bench* b, double* room)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "solver", b->options->solver);
    cli_json_real(&json, "tol", b->options->tol);
    cli_json_array(&json, "packing");
    int code = solve_all(b, room, &json);
    cli_json_end(&json);
    cli_json_integer(&json, "problems", b->n);
    cli_json_integer(&json, "solved", b->n_solved);
    cli_json_real(&json, "time_s", b->time);
    cli_json_real(&json, "worst_residual", b->residual);
    cli_json_boolean(&json, "interrupted", b->interrupted);
    cli_json_end(&json);
    return code;
}

static int open_csv(bench* b)
{
    const char* path = b->options->csv;
    if (!path) return CLI_DONE;
    int code = cli_check_output(syntax.verb, path, "");
    if (code != CLI_DONE) return code;
    b->csv = fopen(path, "w");
    if (!b->csv) return cli_usage_error(syntax.verb, "%s: %s", path, strerror(errno));
    fprintf(b->csv, "kind,width,law,noise,seed,contacts,bodies,solver,outcome,solved,residual,"
                    "iterations,time_s\n");
    return CLI_DONE;
}

static int close_csv(bench* b, int code)
{
    if (!b->csv) return code;
    bool failed = ferror(b->csv) != 0;
    if (fclose(b->csv) == 0 && !failed) return code;
    cli_say(syntax.verb, "%s: cannot be written", b->options->csv);
    return CLI_FAILED;
}

int cli_bench_packing(int argc, char** argv)
{
    scree_solver_def def = scree_default_solver_def();
    packing_options o = {.kind = SCREE_PACKING_COUNT,
                         .width = -1,
                         .law = -1,
                         .noise = -1.0,
                         .count = 20,
                         .tol = def.tol,
                         .solver = def.solver,
                         .max_time = 60.0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    bench b = {.options = &o, .host = {.verb = syntax.verb}};
    code = cli_check_solver(syntax.verb, o.solver);
    if (code == CLI_DONE) code = open_csv(&b);
    if (code != CLI_DONE) return code;
    double* room = calloc(3 * (size_t)o.count, sizeof *room);
    code = !room ? cli_refuse(&b.host, SCREE_ERROR_MEMORY)
                 : (o.json ? print_json : print_table)(&b, room);
    free(room);
    return close_csv(&b, code);
}
