#include "cli/bench_problems.h"

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

int cli_problems_add_row(cli_problems* job, cli_problems_table* table, const cli_problems_row* row)
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
int cli_problems_list(const cli_problems_table* table,
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
    return code == CLI_DONE ? cli_problems_add_row(job, table, &row) : code;
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
    int code = cli_problems_add_row(job, &job->table, row);
    if (code == CLI_DONE && job->csv) cli_problems_write_row(job->csv, &job->table, row);
    return code;
}
