#include "cli/lcp.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/table_file.h"
#include "scree/solver.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_MOST = 10 }; /* 2, 4, ..., 1024 directions */

typedef struct job {
    const cli_lcp_options* options;
    cli_host* host;
    const cli_loaded* loaded;
    double* p; /* [n_rows] under the exact law */
    double residual;
    int n;
    scree_polyhedral_difference row[ROWS_MOST];
} job;

/* The impulses under the exact law. */
static int solve_exact(job* j)
{
    scree_env env = cli_env(j->host);
    scree_solver_def def = scree_default_solver_def();
    scree_report report;
    scree_certificate certificate;
    cli_watch watch;
    cli_watch_begin(&watch, cli_lcp_verb);
    def.tol = j->options->tol;
    def.max_time = j->options->max_time;
    def.progress = cli_watch_progress;
    def.progress_user = &watch;
    scree_status status =
        scree_solve_certified(&env, &j->loaded->problem, &def, j->p, &report, &certificate);
    cli_watch_end(&watch);
    if (status != SCREE_OK) return cli_refuse(j->host, status);
    j->residual = certificate.residual;
    if (report.outcome == SCREE_OUTCOME_CONVERGED) return CLI_DONE;
    cli_say(cli_lcp_verb, "%s: under the exact law %s, residual %.2e", j->options->file,
            scree_outcome_text((int)report.outcome), certificate.residual);
    return CLI_FAILED;
}

/* Unknowns of the LCP with k lines. */
static int32_t count_unknowns(const scree_problem* problem, int64_t k)
{
    int64_t n = problem->n_contacts;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t width = problem->first_row[c + 1] - problem->first_row[c];
        if (width > 1) n += 1 + (width > 2 ? 2 * k : 2);
    }
    return (int32_t)(n < INT32_MAX ? n : INT32_MAX);
}

static void print_head(const job* j)
{
    cli_row("file", "%s", j->options->file);
    cli_row("exact law", "residual %.2e", j->residual);
    printf("\n%10s  %8s  %-15s  %6s  %10s  %10s  %10s\n", "directions", "unknowns", "status",
           "pivots", "impulses", "velocities", "friction");
    fflush(stdout);
}

static void print_line(const scree_polyhedral_difference* d)
{
    printf("%10d  %8d  %-15s  %6d  %10.2e  %10.2e  ", (int)d->directions, (int)d->unknowns,
           scree_lcp_outcome_text((int)d->lcp.outcome), (int)d->lcp.iterations, d->impulse,
           d->velocity);
    if (isnan(d->force)) {
        printf("%10s\n", "-");
    } else {
        printf("%10.2e\n", d->force);
    }
    fflush(stdout);
}

/* Refuses contacts that polygons cannot stand for before anything is solved. */
static int check(const job* j)
{
    scree_env env = cli_env(j->host);
    scree_lcp_store store = {.memory = NULL};
    scree_status status = scree_polyhedral_build(&env, &j->loaded->problem, 2,
                                                 (scree_polygon)j->options->polygon, &store);
    scree_lcp_store_release(&store);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(j->host, status);
}

/* Lines are printed as they come: with many directions each takes much longer than the last. */
static int compute(job* j)
{
    scree_env env = cli_env(j->host);
    scree_lcp_def def = cli_lcp_def(j->options);
    int code = check(j);
    if (code == CLI_DONE) code = solve_exact(j);
    if (code == CLI_DONE && !j->options->json) print_head(j);
    for (int64_t k = 2; code == CLI_DONE && k <= j->options->directions; k *= 2) {
        scree_polyhedral_difference* row = &j->row[j->n];
        cli_lcp_watch watch;
        cli_lcp_watch_begin(&watch, count_unknowns(&j->loaded->problem, k), &def);
        scree_status status =
            scree_polyhedral_compare(&env, &j->loaded->problem, j->p, (int32_t)k,
                                     (scree_polygon)j->options->polygon, &def, row);
        cli_watch_end(&watch.watch);
        if (status != SCREE_OK) return cli_refuse(j->host, status);
        if (!j->options->json) print_line(row);
        ++j->n;
    }
    return code;
}

static bool all_solved(const job* j)
{
    bool good = true;
    for (int i = 0; i < j->n; ++i) good &= j->row[i].lcp.outcome == SCREE_LCP_SOLVED;
    return good;
}

static bool some_slide(const job* j)
{
    for (int i = 0; i < j->n; ++i) {
        if (!isnan(j->row[i].force)) return true;
    }
    return false;
}

static void print_foot(const job* j)
{
    printf("\nErrors against the exact law: impulses relative to its impulses, velocities to the\n"
           "largest of its velocities and those without impulses");
    printf("%s.\n", some_slide(j) ? ", friction of sliding contacts to\nmu times the normal impulse"
                                  : ". Nothing slips: no sliding friction to compare");
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", j->options->file);
    cli_json_real(&json, "residual_exact", j->residual);
    cli_json_array(&json, "polygons");
    for (int i = 0; i < j->n; ++i) {
        const scree_polyhedral_difference* d = &j->row[i];
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "directions", d->directions);
        cli_json_integer(&json, "unknowns", d->unknowns);
        cli_json_text(&json, "status", scree_lcp_outcome_text((int)d->lcp.outcome));
        cli_json_real(&json, "residual", d->lcp.residual);
        cli_json_integer(&json, "iterations", d->lcp.iterations);
        cli_json_real(&json, "impulse_error", d->impulse);
        cli_json_real(&json, "velocity_error", d->velocity);
        cli_json_real(&json, "force_error", d->force);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

static int write_table(const job* j)
{
    cli_table_file table;
    int code = cli_table_begin(&table, cli_lcp_verb, j->options->output,
                               "directions,unknowns,impulse_error,velocity_error,force_error");
    for (int i = 0; i < j->n && code == CLI_DONE; ++i) {
        const scree_polyhedral_difference* d = &j->row[i];
        cli_table_line(
            &table, (double[]){d->directions, d->unknowns, d->impulse, d->velocity, d->force}, 5);
    }
    return cli_table_end(&table, code);
}

/* Errors that vanish have no place on a logarithmic axis. */
static double shown(double error)
{
    return error > 0.0 ? error : (double)NAN;
}

static int draw(const job* j)
{
    double k[ROWS_MOST], impulse[ROWS_MOST], velocity[ROWS_MOST], force[ROWS_MOST];
    double bound[ROWS_MOST];
    for (int i = 0; i < j->n; ++i) {
        k[i] = j->row[i].directions;
        impulse[i] = shown(j->row[i].impulse);
        velocity[i] = shown(j->row[i].velocity);
        force[i] = shown(j->row[i].force);
        double side = cos(acos(-1.0) / (2.0 * k[i]));
        bound[i] = j->options->polygon == SCREE_POLYGON_INSCRIBED ? 1.0 - side : 1.0 / side - 1.0;
    }
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Friction polygons against discs",
                                                    .x_label = "directions k (polygon of 2k sides)",
                                                    .y_label = "relative error",
                                                    .log_x = 1,
                                                    .log_y = 1});
    size_t n = (size_t)j->n;
    cli_plot_add(plot, CLI_PLOT_LINE, "impulses", n, k, impulse);
    cli_plot_again(plot, CLI_PLOT_POINTS, n, k, impulse);
    cli_plot_add(plot, CLI_PLOT_LINE, "velocities", n, k, velocity);
    cli_plot_again(plot, CLI_PLOT_POINTS, n, k, velocity);
    if (some_slide(j)) {
        cli_plot_add(plot, CLI_PLOT_POINTS, "friction of sliding contacts", n, k, force);
        cli_plot_add(plot, CLI_PLOT_DASHED, "its bound", n, k, bound);
    }
    return cli_plot_end(plot, j->options->svg);
}

int cli_lcp_compare(const cli_lcp_options* options, cli_host* host, const cli_loaded* loaded)
{
    job j = {.options = options, .host = host, .loaded = loaded};
    j.p = cli_new_rows(host, loaded);
    int code = j.p ? compute(&j) : CLI_FAILED;
    if (code == CLI_DONE && options->json) print_json(&j);
    if (code == CLI_DONE && !options->json) print_foot(&j);
    if (code == CLI_DONE && options->output) code = write_table(&j);
    if (code == CLI_DONE && options->svg) code = draw(&j);
    if (code == CLI_DONE && !all_solved(&j)) code = CLI_FAILED;
    free(j.p);
    return code;
}
