#include "cli/foundation.h"
#include "cli/plot.h"
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

typedef struct potential_options {
    cli_foundation_options common;
    double from, to; /* NaN: not given */
    int64_t points;
} potential_options;

static const cli_option options[] = {
    CLI_FOUNDATION_SETTINGS,
    {.name = "from",
     .kind = CLI_REAL,
     .offset = offsetof(potential_options, from),
     .value = "V",
     .text = "lowest speed, in m/s",
     .usual = "0.6 of the lowest stationary one",
     .most = 1e9},
    {.name = "to",
     .kind = CLI_REAL,
     .offset = offsetof(potential_options, to),
     .value = "V",
     .text = "highest speed, in m/s",
     .usual = "1.4 of the highest stationary one",
     .least = 1e-6,
     .most = 1e9},
    {.name = "points",
     .kind = CLI_INTEGER,
     .offset = offsetof(potential_options, points),
     .value = "N",
     .text = "speeds in equal distances",
     .least = 2,
     .most = 1e5},
    CLI_FOUNDATION_FILE(csv, "write a table with a line for every speed"),
    CLI_FOUNDATION_FILE(svg, "draw the potential"),
    CLI_JSON_OPTION(cli_foundation_options),
};

static const char purpose[] =
    "Finds the potential U(v) of the speed on a slope, F = -dU/dv: its wells are the stable "
    "speeds.\n"
    "U''' tells which way weak noise moves the mean speed: up where U is steeper towards lower\n"
    "speeds. Beside it the friction that rolling without sliding needs.";

typedef struct job {
    const potential_options* options;
    cli_host host;
    scree_foundation_def def;
    int32_t n, n_wells;
    double *v, *u, *parabola; /* [n] */
    scree_foundation_well well[SCREE_FOUNDATION_MOST];
} job;

static int choose_range(job* j, double range[2])
{
    const potential_options* o = j->options;
    double most = scree_foundation_lift_speed(&j->def) * (1.0 - 1e-9);
    double usual = j->n_wells > 0 ? 1.4 * j->well[j->n_wells - 1].speed : 15.0;
    range[0] = !isnan(o->from) ? o->from : j->n_wells > 0 ? 0.6 * j->well[0].speed : 0.0;
    range[1] = isnan(o->to) ? fmin(usual, most) : o->to;
    if (range[0] < range[1]) return CLI_DONE;
    return cli_usage_error(j->host.verb, "from %g to %g m/s: the speed must rise", range[0],
                           range[1]);
}

static int compute(job* j)
{
    scree_env env = cli_env(&j->host);
    scree_status status = scree_foundation_wells(&env, &j->def, j->well, &j->n_wells);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    double range[2];
    int code = choose_range(j, range);
    if (code != CLI_DONE) return code;
    j->n = (int32_t)j->options->points;
    j->v = calloc(3 * (size_t)j->n, sizeof *j->v);
    if (!j->v) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    j->u = j->v + j->n;
    j->parabola = j->u + j->n;
    for (int32_t i = 0; i < j->n; ++i) {
        j->v[i] = range[0] + (range[1] - range[0]) * i / (j->n - 1);
    }
    status = scree_foundation_potential(&env, &j->def, j->n, j->v, j->u);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* ---- output ---- */

static int write_table(const job* j)
{
    FILE* file;
    int code = cli_open_table(j->host.verb, j->options->common.csv, &file);
    if (code != CLI_DONE || !file) return code;
    fprintf(file, "v,U\n");
    for (int32_t i = 0; i < j->n; ++i) fprintf(file, "%.17g,%.17g\n", j->v[i], j->u[i]);
    return cli_close_table(j->host.verb, j->options->common.csv, file, code);
}

/* The symmetric well with the same curvature, as far as the potential itself reaches. */
static void draw_parabola(const job* j, cli_plot* plot, const scree_foundation_well* w)
{
    double most = 0.0;
    for (int32_t i = 0; i < j->n; ++i) most = fmax(most, j->u[i] - w->potential);
    for (int32_t i = 0; i < j->n; ++i) {
        double off = j->v[i] - w->speed, rise = 0.5 * w->curvature * off * off;
        j->parabola[i] = rise <= 0.7 * most ? w->potential + rise : (double)NAN;
    }
    cli_plot_add(plot, CLI_PLOT_DASHED, "symmetric well of the same U''", (size_t)j->n, j->v,
                 j->parabola);
}

static int draw(const job* j)
{
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Potential of the speed, F = -dU/dv",
                                                    .x_label = "speed v, m/s",
                                                    .y_label = "potential U, N/s for each m"});
    cli_plot_add(plot, CLI_PLOT_LINE, "U(v)", (size_t)j->n, j->v, j->u);
    for (int32_t i = 0; i < j->n_wells; ++i) {
        if (j->well[i].stable) draw_parabola(j, plot, &j->well[i]);
    }
    for (int32_t i = 0; i < j->n_wells; ++i) {
        const scree_foundation_well* w = &j->well[i];
        cli_plot_add(plot, CLI_PLOT_POINTS, w->stable ? "stable speed" : "unstable speed", 1,
                     &w->speed, &w->potential);
    }
    return cli_plot_end(plot, j->options->common.svg);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    scree_foundation_def def = j->def;
    cli_json_object(&json, NULL);
    cli_foundation_parameters(&json, &(cli_foundation_set){.def = &def});
    cli_json_array(&json, "stationary");
    for (int32_t i = 0; i < j->n_wells; ++i) {
        const scree_foundation_well* w = &j->well[i];
        cli_json_object(&json, NULL);
        cli_json_real(&json, "v", w->speed);
        cli_json_boolean(&json, "stable", w->stable);
        cli_json_real(&json, "U", w->potential);
        cli_json_real(&json, "U2", w->curvature);
        cli_json_real(&json, "U3", w->bend);
        cli_json_real(&json, "drift", w->drift);
        cli_json_real(&json, "mu_needed", w->friction);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_reals(&json, "v", j->v, j->n);
    cli_json_reals(&json, "U", j->u, j->n);
    cli_json_end(&json);
}

static void print_table(const job* j)
{
    cli_row("model", "%s", scree_foundation_model_name((int)j->def.model));
    cli_row("slope", "%.6g degrees", cli_degrees(j->def.slope));
    printf("\n%12s %9s %13s %13s %13s %22s %11s\n", "v", "", "U", "U''", "U'''",
           "drift per sigma^2", "mu needed");
    printf("%12s %9s %13s %13s %13s %22s %11s\n", "m/s", "", "N/s", "N s/m^2", "N s^2/m^3",
           "m/s per kg^2/s^3", "");
    for (int32_t i = 0; i < j->n_wells; ++i) {
        const scree_foundation_well* w = &j->well[i];
        char drift[48] = "-";
        if (w->stable) {
            snprintf(drift, sizeof drift, "%+.4e, %s", w->drift,
                     w->drift > 0.0 ? "faster" : "slower");
        }
        printf("%12.6f %9s %13.6g %13.6g %13.6g %22s %11.6f\n", w->speed,
               w->stable ? "stable" : "unstable", w->potential, w->curvature, w->bend, drift,
               w->friction);
    }
    if (j->n_wells == 0) printf("none: nothing holds the cylinder\n");
}

int cli_foundation_potential(int argc, char** argv)
{
    potential_options o = {.from = (double)NAN, .to = (double)NAN, .points = 401};
    job j = {.options = &o, .def = scree_noisy_foundation_def()};
    cli_foundation_set set = {.def = &j.def};
    const cli_syntax syntax = {
        .verb = "foundation potential",
        .purpose = purpose,
        .n_options = CLI_COUNT(options),
        .options = options,
        .example = "  scree foundation potential --svg potential.svg\n"
                   "  scree foundation potential --set alpha=4.87 --json",
    };
    int code;
    if (!cli_foundation_begin(&syntax, argc, argv, &o, &set, &j.host, &code)) return code;
    code = compute(&j);
    if (code == CLI_DONE) code = write_table(&j);
    if (code == CLI_DONE && o.common.svg) code = draw(&j);
    if (code == CLI_DONE) (o.common.json ? print_json : print_table)(&j);
    free(j.v);
    return code;
}
