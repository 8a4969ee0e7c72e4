/* scree stability stribeck, ...: the onset by eigenvalue and by simulation. */
#include "cli/host.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/stability.h"
#include "cli/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The growth rate at one value of the varied parameter. */
typedef struct point {
    double at, growth, simulated;
} point;

typedef struct job {
    const cli_stability_options* options;
    int index;
    cli_host host;
    cli_mechanism mechanism;
    double onset, simulated; /* NaN: none */
    bool undamped;           /* the mode beside the onset neither grows nor decays */
    int n_asked;             /* points */
    scree_mechanism_run all; /* of the search for the onset and of the points */
    int n_points;
    point* points;
    cli_watch watch;
} job;

static const char* varied(const job* j)
{
    return j->mechanism.info.parameter[j->mechanism.info.varied].name;
}

/* Without damping modes below the onset do not decay: simulations have no change of sign to show.
 */
static scree_status find_damping(job* j, const scree_env* env)
{
    double value[SCREE_MECHANISM_PARAMETERS];
    scree_status status = SCREE_OK;
    memcpy(value, j->mechanism.value, sizeof value);
    for (int side = -1; !status && side <= 1; side += 2) {
        scree_mode mode;
        value[j->mechanism.info.varied] = j->onset * (1.0 + 0.1 * side);
        status = scree_mechanism_mode(env, j->index, value, &mode);
        j->undamped |= !status && fabs(mode.growth) <= 1e-9 * mode.frequency;
    }
    return status;
}

static int find_onset(job* j)
{
    j->simulated = (double)NAN;
    scree_env env = cli_env(&j->host);
    const double* value = j->mechanism.value;
    scree_status status = scree_mechanism_onset(&env, j->index, value, &j->onset);
    if (!status && !isnan(j->onset)) status = find_damping(j, &env);
    if (!status && j->n_asked > 0 && !j->undamped) {
        if (cli_watch_due(&j->watch)) {
            cli_watch_show(&j->watch, "simulating for the onset near %s = %.4g", varied(j),
                           j->onset);
        }
        status =
            scree_mechanism_onset_simulated(&env, j->index, value, 0.0, &j->simulated, &j->all);
    }
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* Growth from a tenth below the onset to a tenth above. */
static int find_growth(job* j, int n)
{
    scree_env env = cli_env(&j->host);
    j->points = calloc((size_t)n, sizeof *j->points);
    if (!j->points) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    for (; j->n_points < n && !cli_watch_interrupted(); ++j->n_points) {
        point* p = &j->points[j->n_points];
        double value[SCREE_MECHANISM_PARAMETERS];
        scree_mode mode;
        scree_mechanism_run run;
        memcpy(value, j->mechanism.value, sizeof value);
        p->at = j->onset * (n > 1 ? 0.9 + 0.2 * j->n_points / (n - 1) : 1.0);
        value[j->mechanism.info.varied] = p->at;
        if (cli_watch_due(&j->watch)) {
            cli_watch_show(&j->watch, "simulating %d of %d", j->n_points + 1, n);
        }
        scree_status status = scree_mechanism_mode(&env, j->index, value, &mode);
        if (!status) status = scree_mechanism_simulate(&env, j->index, value, 0.0, &run);
        if (status) return cli_refuse(&j->host, status);
        p->growth = mode.growth;
        p->simulated = run.growth;
        j->all.residual = fmax(j->all.residual, run.residual);
        j->all.steps += run.steps;
        j->all.not_converged += run.not_converged;
    }
    return j->n_points == n ? CLI_DONE : CLI_FAILED;
}

static void print_table(const job* j)
{
    const scree_mechanism_info* info = &j->mechanism.info;
    cli_row("system", "%s: %s", info->name, info->summary);
    if (isnan(j->onset)) {
        cli_row("onset", "none for %s from %g to %g", varied(j), info->least, info->most);
        return;
    }
    cli_row("onset", "%s = %.6f by eigenvalue", varied(j), j->onset);
    if (j->undamped) {
        cli_row("", "undamped: beside the onset the mode neither grows nor decays, so that");
        cli_row("", "growth in simulations cannot confirm it");
    }
    if (j->n_asked == 0) return;
    if (!j->undamped && isnan(j->simulated)) {
        cli_row("", "the simulated growth does not change its sign there");
    } else if (!j->undamped) {
        cli_row("", "%s = %.6f in simulations", varied(j), j->simulated);
    }
    cli_row("worst residual", "%.2g of %lld steps", j->all.residual, (long long)j->all.steps);
    if (j->n_points > 0) cli_heading("growth in 1/s, by eigenvalue and in simulations");
    for (int i = 0; i < j->n_points; ++i) {
        /* + 0.0: no minus before zeros. */
        printf("  %s = %-10.6g  %12.6f  %12.6f\n", varied(j), j->points[i].at,
               round(1e6 * j->points[i].growth) / 1e6 + 0.0,
               round(1e6 * j->points[i].simulated) / 1e6 + 0.0);
    }
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "system", j->mechanism.info.name);
    cli_json_parameters(&json, &j->mechanism.parameters, &j->mechanism);
    cli_json_text(&json, "varied", varied(j));
    cli_json_real(&json, "onset", j->onset);
    cli_json_real(&json, "onset_simulated", j->simulated);
    cli_json_array(&json, "growth");
    for (int i = 0; i < j->n_points; ++i) {
        cli_json_object(&json, NULL);
        cli_json_real(&json, varied(j), j->points[i].at);
        cli_json_real(&json, "eigenvalue", j->points[i].growth);
        cli_json_real(&json, "simulated", j->points[i].simulated);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_integer(&json, "steps", j->all.steps);
    cli_json_integer(&json, "steps_not_converged", j->all.not_converged);
    cli_json_real(&json, "residual_max", j->all.residual);
    cli_json_end(&json);
}

/* The eigenvalue's growth as a line, those of simulations as points. */
static int draw(const job* j)
{
    enum { N = 201 };
    double at[N], growth[N], ends[2] = {0.8 * j->onset, 1.2 * j->onset}, zero[2] = {0.0, 0.0};
    double value[SCREE_MECHANISM_PARAMETERS];
    scree_env env = cli_env(&(cli_host){.verb = j->host.verb});
    cli_plot_def def = {.title = j->mechanism.info.summary,
                        .x_label = j->mechanism.info.parameter[j->mechanism.info.varied].meaning,
                        .y_label = "growth rate (1/s)"};
    memcpy(value, j->mechanism.value, sizeof value);
    for (int i = 0; i < N; ++i) {
        scree_mode mode;
        value[j->mechanism.info.varied] = at[i] = ends[0] + (ends[1] - ends[0]) * i / (N - 1);
        scree_status status = scree_mechanism_mode(&env, j->index, value, &mode);
        growth[i] = status == SCREE_OK ? mode.growth : (double)NAN;
    }
    cli_plot* plot = cli_plot_begin(&def);
    cli_plot_add(plot, CLI_PLOT_LINE, "eigenvalue", N, at, growth);
    double* line = malloc(2 * ((size_t)j->n_points + 1) * sizeof *line);
    for (int i = 0; line && i < j->n_points; ++i) {
        line[i] = j->points[i].at;
        line[j->n_points + i] = j->points[i].simulated;
    }
    if (line && j->n_points > 0) {
        cli_plot_add(plot, CLI_PLOT_POINTS, "simulation", (size_t)j->n_points, line,
                     line + j->n_points);
    }
    free(line);
    cli_plot_add(plot, CLI_PLOT_DASHED, "neither grows nor decays", 2, ends, zero);
    return cli_plot_end(plot, j->options->svg);
}

static int investigate(job* j)
{
    enum { USUAL = 5 };
    j->n_asked = j->options->simulate < 0 ? USUAL : (int)j->options->simulate;
    int code = find_onset(j);
    if (code == CLI_DONE && j->n_asked > 0 && !isnan(j->onset)) code = find_growth(j, j->n_asked);
    return code;
}

int cli_stability_mechanism(const cli_stability_options* options, int index)
{
    job j = {.options = options, .index = index, .host = {.verb = options->verb}};
    cli_describe_mechanism(index, &j.mechanism);
    int code = cli_set_parameters(options->verb, &j.mechanism.parameters, &options->settings,
                                  &j.mechanism);
    if (code != CLI_DONE) return code;
    cli_host_turn_to(&j.host, options->system);
    cli_watch_begin(&j.watch, options->verb);
    code = investigate(&j);
    cli_watch_end(&j.watch);
    if (code == CLI_DONE && options->json) print_json(&j);
    if (code == CLI_DONE && !options->json) print_table(&j);
    if (code == CLI_DONE && options->svg && !isnan(j.onset)) code = draw(&j);
    if (code == CLI_DONE && j.all.not_converged > 0) {
        cli_say(options->verb, "%lld steps missed the tolerance", (long long)j.all.not_converged);
        code = CLI_FAILED;
    }
    free(j.points);
    return code;
}
