#include "cli/foundation.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/watch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct noise_options {
    cli_foundation_options common;
    int64_t workers;
    int figure;
    const char* jumps;
} noise_options;

enum { FIGURE_DISTRIBUTION, FIGURE_TRACE, FIGURE_MEAN };
static const char* const figure_choices[] = {"distribution", "trace", "mean", NULL};

static const cli_option options[] = {
    CLI_FOUNDATION_SETTINGS,
    {.name = "workers",
     .kind = CLI_INTEGER,
     .offset = offsetof(noise_options, workers),
     .value = "N",
     .text = "threads; results do not depend on them",
     .least = 1,
     .most = 1024},
    CLI_FOUNDATION_FILE(csv, "write a table of the distribution, simulated and exact"),
    {.name = "jumps",
     .kind = CLI_TEXT,
     .offset = offsetof(noise_options, jumps),
     .value = "FILE",
     .text = "write a table of the jumps between two stable speeds",
     .usual = "none"},
    CLI_FOUNDATION_FILE(svg, "draw a figure"),
    {.name = "figure",
     .kind = CLI_CHOICE,
     .offset = offsetof(noise_options, figure),
     .value = "NAME",
     .text = "which one, figure 5 or 6 of the paper",
     .choices = figure_choices},
    CLI_JSON_OPTION(cli_foundation_options),
};

static const char purpose[] =
    "Finds the distribution of the speed under a random force, exactly (stationary density of the\n"
    "Fokker-Planck equation) and by simulating many cylinders (stochastic Heun method: strong\n"
    "order 1, weak order 2), how long they stay near each of two stable speeds, and the mean "
    "speed\n"
    "over the intensity of the noise.";

enum { BINS = 160, LEVELS = 14, TRACE = 4000 };

/* As in figure 6, kg^2/s^3. */
static const double levels[LEVELS] = {1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000};

typedef struct job {
    const noise_options* options;
    cli_host host;
    cli_watch watch;
    scree_foundation_def def;
    scree_ensemble_def ensemble;
    scree_foundation_density density;
    scree_ensemble simulated;
    double rate; /* steps of all cylinders per second of wall clock */
    bool interrupted;
    int n_bins;
    double v[BINS], exact[BINS], counted[BINS]; /* middles of the bins, m/s; densities, s/m */
    int n_trace;
    double time[TRACE], trace[TRACE]; /* s, m/s; of the first cylinder */
    double mean[LEVELS];              /* exact, m/s; NaN where there is none */
} job;

/* ---- work ---- */

static int on_progress(void* user, int64_t steps)
{
    job* j = user;
    if (cli_watch_interrupted()) return 1;
    if (cli_watch_due(&j->watch)) {
        cli_watch_show(&j->watch, "%.0f %% of %" PRId64 " steps of %d cylinders",
                       100.0 * (double)steps / (double)j->ensemble.steps, j->ensemble.steps,
                       (int)j->ensemble.cylinders);
    }
    return 0;
}

static scree_status simulate(job* j)
{
    j->ensemble.workers = (int32_t)j->options->workers;
    j->ensemble.progress = on_progress;
    j->ensemble.progress_user = j;
    cli_watch_begin(&j->watch, j->host.verb);
    double began = cli_wall_time();
    scree_status status = scree_ensemble_run(&j->density, &j->ensemble, &j->simulated);
    double wall = cli_wall_time() - began;
    j->interrupted = status == SCREE_OK && j->simulated.steps < j->ensemble.steps;
    j->rate = (double)j->simulated.steps * j->ensemble.cylinders / wall;
    cli_watch_end(&j->watch);
    return status;
}

/* The path of the first cylinder, with no more points than a figure can show. */
static void thin_trace(job* j)
{
    const scree_ensemble* s = &j->simulated;
    int64_t stride = s->n_trace / TRACE + 1;
    for (int64_t i = 0; i < s->n_trace; i += stride) {
        j->time[j->n_trace] = s->step * (double)((i + 1) * j->ensemble.sample);
        j->trace[j->n_trace++] = s->trace[i];
    }
}

/* The exact mean; strong noise may drive the cylinder off the ground, then NaN. */
static double find_mean(scree_foundation_def def, double noise)
{
    scree_foundation_density density;
    def.noise = noise;
    scree_status status = scree_foundation_density_create(NULL, &def, &density);
    double mean = status == SCREE_OK ? density.mean : (double)NAN;
    scree_foundation_density_release(&density);
    return mean;
}

static int compute(job* j)
{
    scree_env env = cli_env(&j->host);
    scree_status status = scree_foundation_density_create(&env, &j->def, &j->density);
    if (status == SCREE_OK) status = simulate(j);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    j->n_bins = scree_ensemble_bins(&j->density, &j->simulated, BINS, j->v, j->exact, j->counted);
    thin_trace(j);
    for (int i = 0; i < LEVELS; ++i) j->mean[i] = find_mean(j->def, levels[i]);
    return CLI_DONE;
}

/* ---- output ---- */

static int write_bins(const job* j)
{
    FILE* file;
    int code = cli_open_table(j->host.verb, j->options->common.csv, &file);
    if (code != CLI_DONE || !file) return code;
    fprintf(file, "v,p_exact,p_simulated\n");
    for (int i = 0; i < j->n_bins; ++i) {
        fprintf(file, "%.17g,%.17g,%.17g\n", j->v[i], j->exact[i], j->counted[i]);
    }
    return cli_close_table(j->host.verb, j->options->common.csv, file, code);
}

static int write_jumps(const job* j)
{
    FILE* file;
    int code = cli_open_table(j->host.verb, j->options->jumps, &file);
    if (code != CLI_DONE || !file) return code;
    fprintf(file, "cylinder,time_s,to\n");
    for (int64_t i = 0; i < j->simulated.n_listed; ++i) {
        const scree_jump* jump = &j->simulated.jumps[i];
        fprintf(file, "%d,%.17g,%s\n", (int)jump->cylinder, jump->time, jump->up ? "high" : "low");
    }
    return cli_close_table(j->host.verb, j->options->jumps, file, code);
}

static int draw_distribution(const job* j)
{
    char title[80];
    snprintf(title, sizeof title, "Speeds at %.5g degrees, sigma^2 = %.4g kg^2/s^3",
             cli_degrees(j->def.slope), j->def.noise);
    cli_plot* plot = cli_plot_begin(
        &(cli_plot_def){.title = title, .x_label = "speed v, m/s", .y_label = "density, s/m"});
    cli_plot_add(plot, CLI_PLOT_FILLED, "simulated", (size_t)j->n_bins, j->v, j->counted);
    cli_plot_add(plot, CLI_PLOT_LINE, "Fokker-Planck", (size_t)j->n_bins, j->v, j->exact);
    return cli_plot_end(plot, j->options->common.svg);
}

static int draw_trace(const job* j)
{
    char title[80];
    snprintf(title, sizeof title, "One cylinder at %.5g degrees, sigma^2 = %.4g kg^2/s^3",
             cli_degrees(j->def.slope), j->def.noise);
    cli_plot* plot = cli_plot_begin(
        &(cli_plot_def){.title = title, .x_label = "time, s", .y_label = "speed v, m/s"});
    cli_plot_add(plot, CLI_PLOT_LINE, NULL, (size_t)j->n_trace, j->time, j->trace);
    return cli_plot_end(plot, j->options->common.svg);
}

static int draw_mean(const job* j)
{
    enum { POINTS = 61 };
    char title[80];
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        x[i] = levels[0] * pow(levels[LEVELS - 1] / levels[0], i / (POINTS - 1.0));
        y[i] = find_mean(j->def, x[i]);
    }
    snprintf(title, sizeof title, "Mean speed at %.5g degrees", cli_degrees(j->def.slope));
    cli_plot* plot =
        cli_plot_begin(&(cli_plot_def){.title = title,
                                       .x_label = "intensity of the noise sigma^2, kg^2/s^3",
                                       .y_label = "mean speed, m/s",
                                       .log_x = 1});
    cli_plot_add(plot, CLI_PLOT_LINE, "Fokker-Planck", POINTS, x, y);
    cli_plot_add(plot, CLI_PLOT_POINTS, "simulated", 1, &j->def.noise, &j->simulated.mean);
    return cli_plot_end(plot, j->options->common.svg);
}

static int draw(const job* j)
{
    if (!j->options->common.svg) return CLI_DONE;
    switch (j->options->figure) {
    case FIGURE_TRACE:
        return draw_trace(j);
    case FIGURE_MEAN:
        return draw_mean(j);
    default:
        return draw_distribution(j);
    }
}

static void json_exact(const job* j, cli_json* json)
{
    const scree_foundation_density* d = &j->density;
    cli_json_object(json, "exact");
    cli_json_real(json, "mean", d->mean);
    cli_json_real(json, "variance", d->variance);
    cli_json_real(json, "low_share", d->low_share);
    cli_json_real(json, "dwell_low_s", d->dwell[0]);
    cli_json_real(json, "dwell_high_s", d->dwell[1]);
    cli_json_real(json, "force_table_error", d->force_error);
    cli_json_end(json);
}

static void json_dwell(cli_json* json, const char* name, const scree_dwell* dwell)
{
    cli_json_object(json, name);
    cli_json_integer(json, "jumps", dwell->n);
    cli_json_real(json, "mean_s", dwell->mean);
    cli_json_real(json, "error_s", dwell->error);
    cli_json_end(json);
}

static void json_simulated(const job* j, cli_json* json)
{
    const scree_ensemble* s = &j->simulated;
    cli_json_object(json, "simulated");
    cli_json_integer(json, "cylinders", j->ensemble.cylinders);
    cli_json_integer(json, "steps", s->steps);
    cli_json_real(json, "step_s", s->step);
    cli_json_integer(json, "seed", (int64_t)j->ensemble.seed);
    cli_json_integer(json, "samples", s->n_samples);
    cli_json_real(json, "mean", s->mean);
    cli_json_real(json, "mean_error", s->mean_error);
    cli_json_real(json, "variance", s->variance);
    cli_json_real(json, "kolmogorov_smirnov", s->distance);
    cli_json_integer(json, "jumps", s->n_jumps);
    json_dwell(json, "dwell_low", &s->dwell[0]);
    json_dwell(json, "dwell_high", &s->dwell[1]);
    cli_json_boolean(json, "interrupted", j->interrupted);
    cli_json_end(json);
    cli_json_integer(json, "workers", j->options->workers);
    cli_json_real(json, "steps_per_second", j->rate);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    scree_foundation_def def = j->def;
    cli_json_object(&json, NULL);
    cli_foundation_parameters(&json, &(cli_foundation_set){.def = &def});
    cli_foundation_json_rest(&json, j->density.rest, j->density.n_rest);
    json_exact(j, &json);
    json_simulated(j, &json);
    cli_json_object(&json, "distribution");
    cli_json_reals(&json, "v", j->v, j->n_bins);
    cli_json_reals(&json, "p_exact", j->exact, j->n_bins);
    cli_json_reals(&json, "p_simulated", j->counted, j->n_bins);
    cli_json_end(&json);
    cli_json_object(&json, "trace");
    cli_json_reals(&json, "time_s", j->time, j->n_trace);
    cli_json_reals(&json, "v", j->trace, j->n_trace);
    cli_json_end(&json);
    cli_json_object(&json, "mean_by_noise");
    cli_json_reals(&json, "sigma2", levels, LEVELS);
    cli_json_reals(&json, "mean_exact", j->mean, LEVELS);
    cli_json_end(&json);
    cli_json_end(&json);
}

static void print_dwell(const job* j, int k, const char* label)
{
    const scree_dwell* dwell = &j->simulated.dwell[k];
    if (isnan(dwell->mean)) {
        cli_row(label, "%-10.4g s, simulated: no jump", j->density.dwell[k]);
    } else {
        cli_row(label, "%-10.4g s, simulated %.4g +- %.2g s from %" PRId64 " jumps",
                j->density.dwell[k], dwell->mean, dwell->error, dwell->n);
    }
}

static void print_table(const job* j)
{
    const scree_foundation_density* d = &j->density;
    const scree_ensemble* s = &j->simulated;
    cli_row("model", "%s", scree_foundation_model_name((int)j->def.model));
    cli_row("slope, noise", "%.6g degrees, sigma2 = %g kg^2/s^3", cli_degrees(j->def.slope),
            j->def.noise);
    cli_foundation_print_rest(d->rest, d->n_rest);
    cli_row("simulated", "%d cylinders, %" PRId64 " steps of %.4g s%s", (int)j->ensemble.cylinders,
            s->steps, s->step, j->interrupted ? ": interrupted" : "");
    cli_row("mean speed", "%-10.6g m/s, simulated %.6g +- %.2g", d->mean, s->mean, s->mean_error);
    cli_row("variance", "%-10.6g m^2/s^2, simulated %.6g", d->variance, s->variance);
    cli_row("distance", "%-10.2g Kolmogorov-Smirnov, of %" PRId64 " samples to the density",
            s->distance, s->n_samples);
    if (d->n_rest == 3) {
        cli_row("low speeds", "%-10.4g of the probability", d->low_share);
        print_dwell(j, 0, "stay at low speed");
        print_dwell(j, 1, "stay at high one");
    }
    cli_row("rate", "%.3g steps per second, %" PRId64 " workers", j->rate, j->options->workers);
    printf("\n%12s %12s\n%12s %12s\n", "sigma2", "mean speed", "kg^2/s^3", "m/s");
    for (int i = 0; i < LEVELS; ++i) printf("%12g %12.6f\n", levels[i], j->mean[i]);
}

int cli_foundation_noise(int argc, char** argv)
{
    noise_options o = {.workers = 1};
    job j = {.options = &o,
             .def = scree_noisy_foundation_def(),
             .ensemble = scree_default_ensemble_def()};
    cli_foundation_set set = {.def = &j.def, .ensemble = &j.ensemble};
    const cli_syntax syntax = {
        .verb = "foundation noise",
        .purpose = purpose,
        .n_options = CLI_COUNT(options),
        .options = options,
        .example = "  scree foundation noise --svg speeds.svg --workers 2\n"
                   "  scree foundation noise --set alpha=4.93 --set steps=1e6 --json",
    };
    int code;
    if (!cli_foundation_begin(&syntax, argc, argv, &o, &set, &j.host, &code)) return code;
    code = cli_check_outputs(syntax.verb, o.jumps, NULL);
    if (code == CLI_DONE) code = compute(&j);
    if (code == CLI_DONE) code = write_bins(&j);
    if (code == CLI_DONE) code = write_jumps(&j);
    if (code == CLI_DONE) code = draw(&j);
    if (code == CLI_DONE) (o.common.json ? print_json : print_table)(&j);
    scree_ensemble_release(&j.simulated);
    scree_foundation_density_release(&j.density);
    return code == CLI_DONE && j.interrupted ? CLI_FAILED : code;
}
