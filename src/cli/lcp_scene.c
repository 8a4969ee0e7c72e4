#include "cli/lcp.h"
#include "cli/load_scene.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/table_file.h"

#include <inttypes.h>
#include <math.h>

enum { ROWS_MOST = 10 }; /* k = 2, 4, ... 1024 */

typedef struct job {
    const cli_lcp_options* options;
    cli_host host;
    scree_scene* scene;
    double until;
    int n;
    scree_scene_difference row[ROWS_MOST];
} job;

static void print_head(const job* j)
{
    cli_row("scene", "%s", j->options->scene);
    cli_row("motion", "until %g s, in steps of %g s", j->until, j->scene->world.step);
    printf("\n%10s %10s %14s %14s %10s %9s\n", "directions", "contacts", "acceleration", "position",
           "equation 8", "impulses");
}

static void print_row(const scree_scene_difference* d)
{
    if (!d->solved) {
        printf("%10d not solved\n", (int)d->directions);
        return;
    }
    printf("%10d %10d %14.3e %14.3e %10.1e %9" PRId64 "\n", (int)d->directions, (int)d->n_contacts,
           d->acceleration, d->position, d->error, d->n_events);
}

static int compute(job* j)
{
    const cli_lcp_options* o = j->options;
    scree_env env = cli_env(&j->host);
    j->until = isnan(o->until) ? j->scene->duration : o->until;
    if (!(j->until <= 1e6 * j->scene->world.step)) {
        return cli_usage_error(cli_lcp_verb, "%g s are too long: --until T", j->until);
    }
    scree_example_store store = {.memory = NULL};
    scree_status fits = scree_polyhedral_scene_make(&env, j->scene, &store);
    scree_example_store_release(&store);
    if (fits != SCREE_OK) return cli_refuse(&j->host, fits);
    if (!o->json) print_head(j);
    for (int64_t k = 2; k <= o->directions && j->n < ROWS_MOST; k *= 2) {
        scree_scene_difference* row = &j->row[j->n];
        scree_status status =
            scree_polyhedral_scene_compare(&env, j->scene, (int32_t)k, j->until, row);
        if (status != SCREE_OK) return cli_refuse(&j->host, status);
        if (!o->json) print_row(row);
        ++j->n;
    }
    return CLI_DONE;
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "scene", j->options->scene);
    cli_json_real(&json, "until", j->until);
    cli_json_array(&json, "polygons");
    for (int i = 0; i < j->n; ++i) {
        const scree_scene_difference* d = &j->row[i];
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "directions", d->directions);
        cli_json_integer(&json, "contacts", d->n_contacts);
        cli_json_text(&json, "status", d->solved ? "solved" : "not solved");
        cli_json_real(&json, "acceleration_error", d->acceleration);
        cli_json_real(&json, "position_error", d->position);
        cli_json_real(&json, "way", d->way);
        cli_json_real(&json, "equation_error", d->error);
        cli_json_integer(&json, "impulses", d->n_events);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

static int write_table(const job* j)
{
    cli_table_file table;
    int code = cli_table_begin(&table, cli_lcp_verb, j->options->output,
                               "directions,contacts,acceleration_error,position_error,way");
    for (int i = 0; i < j->n && code == CLI_DONE; ++i) {
        const scree_scene_difference* d = &j->row[i];
        cli_table_line(
            &table, (double[]){d->directions, d->n_contacts, d->acceleration, d->position, d->way},
            5);
    }
    return cli_table_end(&table, code);
}

static int draw(const job* j)
{
    double k[ROWS_MOST], acceleration[ROWS_MOST], position[ROWS_MOST];
    for (int i = 0; i < j->n; ++i) {
        const scree_scene_difference* d = &j->row[i];
        k[i] = d->directions;
        acceleration[i] = d->acceleration > 0.0 ? d->acceleration : (double)NAN;
        position[i] = d->position > 0.0 ? d->position : (double)NAN;
    }
    cli_plot* plot =
        cli_plot_begin(&(cli_plot_def){.title = "Acceleration level against the exact law",
                                       .x_label = "directions k (polygon of 2k sides)",
                                       .y_label = "relative difference",
                                       .log_x = 1,
                                       .log_y = 1});
    size_t n = (size_t)j->n;
    cli_plot_add(plot, CLI_PLOT_LINE, "first acceleration, over g", n, k, acceleration);
    cli_plot_again(plot, CLI_PLOT_POINTS, n, k, acceleration);
    cli_plot_add(plot, CLI_PLOT_LINE, "place at the end, over the way", n, k, position);
    cli_plot_again(plot, CLI_PLOT_POINTS, n, k, position);
    return cli_plot_end(plot, j->options->svg);
}

int cli_lcp_scene(const cli_lcp_options* options)
{
    job j = {.options = options, .host = {.verb = cli_lcp_verb}};
    int code = cli_load_scene(&j.host, options->scene, &options->settings, &j.scene);
    if (code == CLI_DONE) code = compute(&j);
    if (code == CLI_DONE && options->json) print_json(&j);
    if (code == CLI_DONE && options->output) code = write_table(&j);
    if (code == CLI_DONE && options->svg) code = draw(&j);
    for (int i = 0; i < j.n && code == CLI_DONE; ++i) {
        if (!j.row[i].solved) code = CLI_FAILED;
    }
    scree_scene_destroy(j.scene);
    return code;
}
