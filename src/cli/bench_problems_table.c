/* The table: in memory, as CSV, and what it says in the end. */
#include "cli/bench_problems.h"
#include "cli/bench_profile.h"
#include "cli/json.h"
#include "cli/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more in an array of `size` bytes each; NULL when memory is short. */
static void* grow(void* array, int n, int* room, size_t size)
{
    if (n < *room) return array;
    int wanted = *room ? 2 * *room : 128;
    void* larger = realloc(array, (size_t)wanted * size);
    if (larger) *room = wanted;
    return larger;
}

int cli_problems_add_case(cli_problems* job, cli_problems_table* table,
                          const cli_problems_case* one)
{
    cli_problems_case* cases =
        grow(table->cases, table->n_cases, &table->room_cases, sizeof *cases);
    if (!cases) {
        free(one->name);
        return cli_refuse(&job->host, SCREE_ERROR_MEMORY);
    }
    table->cases = cases;
    cases[table->n_cases++] = *one;
    return CLI_DONE;
}

static int add_row(cli_problems* job, cli_problems_table* table, const cli_problems_row* row)
{
    cli_problems_row* rows = grow(table->rows, table->n_rows, &table->room_rows, sizeof *rows);
    if (!rows) return cli_refuse(&job->host, SCREE_ERROR_MEMORY);
    table->rows = rows;
    rows[table->n_rows++] = *row;
    return CLI_DONE;
}

void cli_problems_release(cli_problems_table* table)
{
    for (int i = 0; i < table->n_cases; ++i) free(table->cases[i].name);
    free(table->cases);
    free(table->rows);
    *table = (cli_problems_table){0};
}

const cli_problems_row* cli_problems_get(const cli_problems_table* table, int problem, int tol,
                                         cli_problems_solver solver)
{
    for (int i = 0; i < table->n_rows; ++i) {
        const cli_problems_row* r = &table->rows[i];
        if (r->problem == problem && r->tol == tol && r->peer == solver.peer &&
            strcmp(r->solver, solver.name) == 0) {
            return r;
        }
    }
    return NULL;
}

static bool is_listed(const cli_problems_solver* list, int n, const cli_problems_row* row)
{
    for (int i = 0; i < n; ++i) {
        if (list[i].peer == row->peer && strcmp(list[i].name, row->solver) == 0) return true;
    }
    return false;
}

/* Ours first, each in the order of their first rows. */
static int list_solvers(const cli_problems_table* table,
                        cli_problems_solver out[CLI_PROBLEMS_SOLVERS])
{
    int n = 0;
    for (int k = 0; k < 2 * table->n_rows && n < CLI_PROBLEMS_SOLVERS; ++k) {
        const cli_problems_row* row = &table->rows[k % table->n_rows];
        if (row->peer != (k >= table->n_rows) || is_listed(out, n, row)) continue;
        out[n++] = (cli_problems_solver){.peer = row->peer, .name = row->solver};
    }
    return n;
}

/* ---- CSV --------------------------------------------------------------------------------------
 */

enum {
    PROBLEM,
    CONTACTS,
    ROWS,
    WIDTH,
    KIND,
    CODE,
    SOLVER,
    TOL,
    MEASURE,
    SOLVED,
    RESIDUAL,
    TIME,
    WALL,
    ITERATIONS,
    OUTCOME,
    N_COLUMNS
};

static const char* const columns[N_COLUMNS] = {
    "problem", "contacts", "rows",     "width",  "kind",   "code",       "solver", "tol",
    "measure", "solved",   "residual", "time_s", "wall_s", "iterations", "outcome"};

enum { LINE_SIZE = 4096 };

void cli_problems_write_header(FILE* out)
{
    for (int i = 0; i < N_COLUMNS; ++i) fprintf(out, "%s%s", i ? "," : "", columns[i]);
    fputc('\n', out);
    fflush(out);
}

void cli_problems_write_row(FILE* out, const cli_problems_table* table, const cli_problems_row* row)
{
    const cli_problems_case* c = &table->cases[row->problem];
    fprintf(out, "%s,%d,%d,%d,%s,%s,%s,%g,%s,%d,%.3e,%.6e,%.6e,%" PRId64 ",%s\n", c->name,
            (int)c->contacts, (int)c->rows, c->width, c->kind, row->peer ? "siconos" : "scree",
            row->solver, table->tol[row->tol], cli_measure_choices[table->measure], row->solved,
            row->residual, row->time_s, row->wall_s, row->iterations, row->outcome);
    fflush(out); /* what is finished stays, whatever comes */
}

/* Cuts the line at its commas; the number of fields. */
static int split(char* line, char* fields[N_COLUMNS])
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char* next = line; next && n < N_COLUMNS;) {
        fields[n++] = next;
        next = strchr(next, ',');
        if (next) *next++ = '\0';
    }
    return n;
}

static int find_tol(const cli_problems_table* table, double tol)
{
    for (int i = 0; i < table->n_tols; ++i) {
        if (fabs(tol / table->tol[i] - 1.0) < 1e-6) return i;
    }
    return -1;
}

static int find_case(const cli_problems_table* table, const char* name)
{
    for (int i = table->n_cases - 1; i >= 0; --i) {
        if (strcmp(table->cases[i].name, name) == 0) return i;
    }
    return -1;
}

static void copy_text(char out[CLI_PROBLEMS_TEXT], const char* text)
{
    snprintf(out, CLI_PROBLEMS_TEXT, "%s", text);
}

static int case_of(cli_problems* job, cli_problems_table* table, char* const fields[N_COLUMNS],
                   int* index)
{
    *index = find_case(table, fields[PROBLEM]);
    if (*index >= 0) return CLI_DONE;
    size_t size = strlen(fields[PROBLEM]) + 1;
    cli_problems_case one = {.name = malloc(size),
                             .contacts = (int32_t)strtol(fields[CONTACTS], NULL, 10),
                             .rows = (int32_t)strtol(fields[ROWS], NULL, 10),
                             .width = (int)strtol(fields[WIDTH], NULL, 10)};
    if (!one.name) return cli_refuse(&job->host, SCREE_ERROR_MEMORY);
    memcpy(one.name, fields[PROBLEM], size);
    copy_text(one.kind, fields[KIND]);
    *index = table->n_cases;
    return cli_problems_add_case(job, table, &one);
}

static int take_fields(cli_problems* job, cli_problems_table* table, char* const fields[N_COLUMNS])
{
    cli_problems_row row = {.peer = strcmp(fields[CODE], "siconos") == 0,
                            .tol = find_tol(table, strtod(fields[TOL], NULL)),
                            .solved = strcmp(fields[SOLVED], "1") == 0,
                            .residual = strtod(fields[RESIDUAL], NULL),
                            .time_s = strtod(fields[TIME], NULL),
                            .wall_s = strtod(fields[WALL], NULL),
                            .iterations = strtoll(fields[ITERATIONS], NULL, 10)};
    if (!row.peer || row.tol < 0) return CLI_DONE;
    copy_text(row.solver, fields[SOLVER]);
    copy_text(row.outcome, fields[OUTCOME]);
    int code = case_of(job, table, fields, &row.problem);
    return code == CLI_DONE ? add_row(job, table, &row) : code;
}

static int read_lines(cli_problems* job, const char* path, FILE* in, cli_problems_table* table)
{
    char line[LINE_SIZE];
    char* fields[N_COLUMNS];
    int number = 0, code = CLI_DONE;
    while (code == CLI_DONE && fgets(line, sizeof line, in)) {
        ++number;
        if (split(line, fields) != N_COLUMNS) {
            return cli_usage_error(job->host.verb, "%s:%d: not %d fields between commas", path,
                                   number, (int)N_COLUMNS);
        }
        if (number == 1 && strcmp(fields[TIME], columns[TIME]) != 0) {
            return cli_usage_error(job->host.verb, "%s: not written by scree bench problems", path);
        }
        if (number == 1) continue;
        if (strcmp(fields[MEASURE], cli_measure_choices[table->measure]) != 0) {
            return cli_usage_error(job->host.verb, "%s:%d: holds results in the measure %s, not %s",
                                   path, number, fields[MEASURE],
                                   cli_measure_choices[table->measure]);
        }
        code = take_fields(job, table, fields);
    }
    return code;
}

int cli_problems_read_csv(cli_problems* job, const char* path, cli_problems_table* table)
{
    FILE* in = fopen(path, "r");
    if (!in) return cli_usage_error(job->host.verb, "%s: %s", path, strerror(errno));
    int code = read_lines(job, path, in, table);
    fclose(in);
    return code;
}

int cli_problems_record(cli_problems* job, const cli_problems_row* row)
{
    int code = add_row(job, &job->table, row);
    if (code == CLI_DONE && job->csv) cli_problems_write_row(job->csv, &job->table, row);
    return code;
}

/* ---- what it says ------------------------------------------------------------------------------
 */

/* Solved and tried problems. */
typedef struct tally {
    int solved, tried;
} tally;

/* The solver in focus against the fastest of the peer's on each problem that is large enough. */
typedef struct duel {
    int n_both, n_ours, n_theirs, n_none; /* solved by both, by one of them, by none */
    int n_faster;                         /* of n_both */
    double mean;                          /* geometric, of the time ratios; NaN if n_both is 0 */
    double worst;                         /* ratio */
    int worst_problem;                    /* -1: none */
} duel;

static const char* not_taken = "not taken";

static tally count_solved(const cli_problems_table* table, int tol, cli_problems_solver solver)
{
    tally sum = {0};
    for (int i = 0; i < table->n_rows; ++i) {
        const cli_problems_row* r = &table->rows[i];
        if (r->tol != tol || r->peer != solver.peer || strcmp(r->solver, solver.name) != 0 ||
            strcmp(r->outcome, not_taken) == 0) {
            continue;
        }
        ++sum.tried;
        sum.solved += r->solved;
    }
    return sum;
}

static bool has_peer_rows(const cli_problems_table* table, int problem, int tol)
{
    for (int i = 0; i < table->n_rows; ++i) {
        const cli_problems_row* r = &table->rows[i];
        if (r->problem == problem && r->tol == tol && r->peer) return true;
    }
    return false;
}

/* The least time of any of the peer's solvers that solve the problem; NaN if none does. */
static double best_of_peer(const cli_problems_table* table, int problem, int tol)
{
    double best = nan("");
    for (int i = 0; i < table->n_rows; ++i) {
        const cli_problems_row* r = &table->rows[i];
        if (r->problem != problem || r->tol != tol || !r->peer || !r->solved) continue;
        best = fmin(best, r->time_s); /* a NaN gives way */
    }
    return best;
}

static double time_of(const cli_problems_table* table, int problem, int tol,
                      cli_problems_solver solver)
{
    const cli_problems_row* row = cli_problems_get(table, problem, tol, solver);
    return row && row->solved ? row->time_s : nan("");
}

/* A problem on which the peer was not run, for want of a solver, does not count. */
static bool is_in_duel(const cli_problems* job, int problem, int tol)
{
    const cli_problems_table* table = &job->table;
    cli_problems_solver ours = {.name = job->options->focus};
    return table->cases[problem].contacts >= job->options->least_contacts &&
           has_peer_rows(table, problem, tol) && cli_problems_get(table, problem, tol, ours);
}

static duel compare(const cli_problems* job, int tol)
{
    const cli_problems_table* table = &job->table;
    cli_problems_solver focus = {.name = job->options->focus};
    duel d = {.worst_problem = -1};
    double sum = 0.0;
    for (int i = 0; i < table->n_cases; ++i) {
        if (!is_in_duel(job, i, tol)) continue;
        double ours = time_of(table, i, tol, focus), theirs = best_of_peer(table, i, tol);
        if (isnan(ours) || isnan(theirs)) {
            ++*(!isnan(ours) ? &d.n_ours : !isnan(theirs) ? &d.n_theirs : &d.n_none);
            continue;
        }
        double ratio = fmax(ours, 1e-9) / fmax(theirs, 1e-9);
        ++d.n_both;
        d.n_faster += ratio < 1.0;
        sum += log(ratio);
        if (ratio > d.worst) {
            d.worst = ratio;
            d.worst_problem = i;
        }
    }
    d.mean = d.n_both > 0 ? exp(sum / d.n_both) : nan("");
    return d;
}

/* Problems in the duel that only one side solves: the peer, or none of both. */
static bool is_missed(const cli_problems* job, int problem, int tol, bool by_peer_too)
{
    cli_problems_solver focus = {.name = job->options->focus};
    return is_in_duel(job, problem, tol) && isnan(time_of(&job->table, problem, tol, focus)) &&
           isnan(best_of_peer(&job->table, problem, tol)) == by_peer_too;
}

/* Rows of ours that claim what the certificate denies, and solves past their time limit. */
static int count_false_claims(const cli_problems_table* table)
{
    int n = 0;
    for (int i = 0; i < table->n_rows; ++i) {
        n += !table->rows[i].peer && strcmp(table->rows[i].outcome, "not certified") == 0;
    }
    return n;
}

static int count_overruns(const cli_problems* job)
{
    int n = 0;
    for (int i = 0; i < job->table.n_rows; ++i) {
        const cli_problems_row* r = &job->table.rows[i];
        n += !r->peer && r->wall_s > 1.1 * job->options->max_time;
    }
    return n;
}

static int count_peer_rows(const cli_problems_table* table)
{
    int n = 0;
    for (int i = 0; i < table->n_rows; ++i) n += table->rows[i].peer;
    return n;
}

/* ---- table for people ---------------------------------------------------------------------------
 */

static void print_solved(const cli_problems* job)
{
    const cli_problems_table* table = &job->table;
    cli_problems_solver list[CLI_PROBLEMS_SOLVERS];
    int n = list_solvers(table, list);
    printf("%-26s", "problems solved");
    for (int t = 0; t < table->n_tols; ++t) printf("  %12.0e", table->tol[t]);
    printf("\n");
    for (int i = 0; i < n; ++i) {
        printf("%s%-*s", list[i].peer ? "siconos " : "", list[i].peer ? 18 : 26, list[i].name);
        for (int t = 0; t < table->n_tols; ++t) {
            tally sum = count_solved(table, t, list[i]);
            printf("  %4d of %4d", sum.solved, sum.tried);
        }
        printf("\n");
    }
}

static void print_missed(const cli_problems* job, int tol, const char* label, bool by_peer_too)
{
    bool first = true;
    for (int i = 0; i < job->table.n_cases; ++i) {
        if (!is_missed(job, i, tol, by_peer_too)) continue;
        cli_row(first ? label : "", "%s", job->table.cases[i].name);
        first = false;
    }
}

static void print_duel(const cli_problems* job, int tol)
{
    const cli_problems_table* table = &job->table;
    duel d = compare(job, tol);
    int n = d.n_both + d.n_ours + d.n_theirs;
    char heading[160];
    snprintf(heading, sizeof heading,
             "%s against the fastest of Siconos on each problem, %d contacts or more, %.0e",
             job->options->focus, (int)job->options->least_contacts, table->tol[tol]);
    cli_heading(heading);
    if (n + d.n_none == 0) {
        printf("no problem to compare\n");
        return;
    }
    cli_row("  solved by", "both %d, ours alone %d, Siconos alone %d, none %d", d.n_both, d.n_ours,
            d.n_theirs, d.n_none);
    if (d.n_both > 0) {
        cli_row("  time ratio", "%-10.3g geometric mean over %d", d.mean, d.n_both);
        cli_row("  worst ratio", "%-10.3g %s", d.worst, table->cases[d.worst_problem].name);
    }
    cli_row("  ours the faster", "on %d of %d, problems that one side does not solve included",
            d.n_faster + d.n_ours, n);
    print_missed(job, tol, "  Siconos alone", false);
    print_missed(job, tol, "  solved by none", true);
}

static void print_peer(const cli_problems* job)
{
    int n = count_peer_rows(&job->table), measured = n - job->n_known;
    if (job->n_known > 0) {
        printf("Siconos: %d results from %s, not measured in this run; %d measured\n", job->n_known,
               job->options->peer_csv, measured);
    } else if (n > 0) {
        printf("Siconos: %d results, measured in this run\n", n);
    } else if (!job->options->no_peer && !job->has_peer) {
        printf("Siconos: left out, python3-siconos is not installed\n");
    }
}

static void print_warm(const cli_problems* job)
{
    const cli_problems_warm* w = &job->warm;
    if (w->n > 0) {
        cli_row("warm start",
                "%.3g of the cold time at 1e-08 after q changed by 1 %%, geometric mean over %d",
                exp(w->sum_log / w->n), w->n);
    }
    if (w->n_unsolved > 0) cli_row("", "%d left out, not solved each time", w->n_unsolved);
}

void cli_problems_print(const cli_problems* job)
{
    const cli_problems_table* table = &job->table;
    printf("%d problem%s, %d file%s left out; measure %s, up to %g s per solve, processor time\n",
           table->n_cases, table->n_cases == 1 ? "" : "s", job->n_skipped,
           job->n_skipped == 1 ? "" : "s", cli_measure_choices[table->measure],
           job->options->max_time);
    print_peer(job);
    printf("\n");
    print_solved(job);
    for (int t = 0; t < table->n_tols && count_peer_rows(table) > 0; ++t) print_duel(job, t);
    if (job->options->warm) {
        printf("\n");
        print_warm(job);
    }
    int claims = count_false_claims(table), overruns = count_overruns(job);
    if (claims > 0) printf("\n%d results of ours claim to have converged and have not\n", claims);
    if (overruns > 0) printf("\n%d solves of ours passed the time limit by over 10 %%\n", overruns);
}

/* ---- JSON ---------------------------------------------------------------------------------------
 */

static void json_solved(const cli_problems* job, cli_json* json)
{
    cli_problems_solver list[CLI_PROBLEMS_SOLVERS];
    int n = list_solvers(&job->table, list);
    cli_json_array(json, "solved");
    for (int k = 0; k < n * job->table.n_tols; ++k) {
        cli_problems_solver solver = list[k / job->table.n_tols];
        int tol = k % job->table.n_tols;
        tally sum = count_solved(&job->table, tol, solver);
        cli_json_object(json, NULL);
        cli_json_text(json, "code", solver.peer ? "siconos" : "scree");
        cli_json_text(json, "solver", solver.name);
        cli_json_real(json, "tol", job->table.tol[tol]);
        cli_json_integer(json, "solved", sum.solved);
        cli_json_integer(json, "tried", sum.tried);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void json_missed(const cli_problems* job, cli_json* json, const char* key, int tol,
                        bool by_peer_too)
{
    cli_json_array(json, key);
    for (int i = 0; i < job->table.n_cases; ++i) {
        if (is_missed(job, i, tol, by_peer_too)) {
            cli_json_text(json, NULL, job->table.cases[i].name);
        }
    }
    cli_json_end(json);
}

static void json_duel(const cli_problems* job, cli_json* json, int tol)
{
    duel d = compare(job, tol);
    bool any = d.worst_problem >= 0;
    cli_json_object(json, NULL);
    cli_json_real(json, "tol", job->table.tol[tol]);
    cli_json_integer(json, "both", d.n_both);
    cli_json_integer(json, "ours_alone", d.n_ours);
    cli_json_real(json, "time_ratio", d.mean);
    cli_json_integer(json, "faster", d.n_faster + d.n_ours);
    cli_json_real(json, "worst_ratio", any ? d.worst : nan(""));
    cli_json_text(json, "worst_problem", any ? job->table.cases[d.worst_problem].name : NULL);
    json_missed(job, json, "siconos_alone", tol, false);
    json_missed(job, json, "none", tol, true);
    cli_json_end(json);
}

void cli_problems_print_json(const cli_problems* job)
{
    const cli_problems_table* table = &job->table;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "folder", job->options->folder);
    cli_json_integer(&json, "problems", table->n_cases);
    cli_json_integer(&json, "left_out", job->n_skipped);
    cli_json_text(&json, "measure", cli_measure_choices[table->measure]);
    cli_json_real(&json, "max_time", job->options->max_time);
    cli_json_integer(&json, "siconos_results", count_peer_rows(table));
    cli_json_integer(&json, "siconos_not_measured_now", job->n_known);
    cli_json_integer(&json, "not_certified", count_false_claims(table));
    cli_json_integer(&json, "overruns", count_overruns(job));
    json_solved(job, &json);
    cli_json_text(&json, "focus", job->options->focus);
    cli_json_integer(&json, "least_contacts", job->options->least_contacts);
    cli_json_array(&json, "against_siconos");
    for (int t = 0; t < table->n_tols && count_peer_rows(table) > 0; ++t) json_duel(job, &json, t);
    cli_json_end(&json);
    if (job->options->warm) {
        cli_json_object(&json, "warm_start");
        cli_json_real(&json, "time_ratio",
                      job->warm.n > 0 ? exp(job->warm.sum_log / job->warm.n) : nan(""));
        cli_json_integer(&json, "problems", job->warm.n);
        cli_json_integer(&json, "unsolved", job->warm.n_unsolved);
        cli_json_end(&json);
    }
    cli_json_end(&json);
}

/* ---- picture ------------------------------------------------------------------------------------
 */

enum { TITLE_SIZE = 64, LABEL_SIZE = CLI_PROBLEMS_TEXT + 16 };

/* What the curves of all panels point to. */
typedef struct plot {
    cli_problems_solver list[CLI_PROBLEMS_SOLVERS];
    char label[CLI_PROBLEMS_SOLVERS + 1][LABEL_SIZE];
    char title[CLI_PROBLEMS_TOLS][TITLE_SIZE];
    cli_profile_curve curve[CLI_PROBLEMS_TOLS][CLI_PROBLEMS_SOLVERS + 1];
    cli_profile_panel panel[CLI_PROBLEMS_TOLS];
    double* time; /* [tols][curves][problems] */
} plot;

static void fill_panel(const cli_problems* job, plot* p, int tol, int n_solvers, int n_curves)
{
    const cli_problems_table* table = &job->table;
    for (int k = 0; k < n_curves; ++k) {
        bool best = k == n_solvers;
        double* time =
            p->time + ((size_t)tol * (size_t)n_curves + (size_t)k) * (size_t)table->n_cases;
        for (int i = 0; i < table->n_cases; ++i) {
            time[i] = best ? best_of_peer(table, i, tol) : time_of(table, i, tol, p->list[k]);
        }
        bool peer = best || p->list[k].peer;
        snprintf(p->label[k], LABEL_SIZE, "%s%s", peer ? "Siconos " : "",
                 best ? "best of all" : p->list[k].name);
        bool strong = best || (!peer && strcmp(p->list[k].name, job->options->focus) == 0);
        p->curve[tol][k] = (cli_profile_curve){p->label[k], time, peer, strong};
    }
    snprintf(p->title[tol], TITLE_SIZE, "Fraction of %d problems solved to %.0e", table->n_cases,
             table->tol[tol]);
    p->panel[tol] = (cli_profile_panel){p->title[tol], table->n_cases, n_curves, p->curve[tol]};
}

int cli_problems_draw(const cli_problems* job, const char* path)
{
    const cli_problems_table* table = &job->table;
    plot* p = calloc(1, sizeof *p);
    int n = p ? list_solvers(table, p->list) : 0;
    int n_curves = n + (count_peer_rows(table) > 0);
    if (p) {
        size_t size = (size_t)table->n_tols * (size_t)n_curves * (size_t)table->n_cases;
        p->time = malloc((size + 1) * sizeof *p->time);
    }
    bool good = p && p->time;
    FILE* out = good ? fopen(path, "w") : NULL;
    if (out) {
        for (int t = 0; t < table->n_tols; ++t) fill_panel(job, p, t, n, n_curves);
        good = cli_profile_write(out, p->panel, table->n_tols) && !ferror(out);
        good = fclose(out) == 0 && good;
    }
    if (p) free(p->time);
    free(p);
    if (out && good) return CLI_DONE;
    cli_say(job->host.verb, "%s: cannot be written: %s", path, strerror(errno));
    return CLI_FAILED;
}
