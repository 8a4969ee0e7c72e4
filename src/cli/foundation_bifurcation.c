#include "cli/foundation.h"
#include "cli/plot.h"
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

typedef struct bifurcation_options {
    cli_foundation_options common;
    double from, to; /* degrees; NaN: not given */
    int64_t points;
    double ramp;
} bifurcation_options;

static const cli_option options[] = {
    CLI_FOUNDATION_SETTINGS,
    {.name = "from",
     .kind = CLI_REAL,
     .offset = offsetof(bifurcation_options, from),
     .value = "A",
     .text = "lowest slope of curve and sweep, in degrees",
     .usual = "somewhat below the folds",
     .most = 90.0},
    {.name = "to",
     .kind = CLI_REAL,
     .offset = offsetof(bifurcation_options, to),
     .value = "A",
     .text = "highest slope, in degrees",
     .usual = "somewhat above the folds",
     .most = 90.0},
    {.name = "points",
     .kind = CLI_INTEGER,
     .offset = offsetof(bifurcation_options, points),
     .value = "N",
     .text = "of the curve, and of the sweep each way",
     .least = 2,
     .most = 1e6},
    {.name = "ramp",
     .kind = CLI_REAL,
     .offset = offsetof(bifurcation_options, ramp),
     .value = "S",
     .text = "seconds in which the slope rises, and falls again; 0: no sweep",
     .most = 1e9},
    CLI_FOUNDATION_FILE(csv, "write a table of the curve, folds and the sweep"),
    CLI_FOUNDATION_FILE(svg, "draw the diagram, figure 4 of the paper"),
    CLI_JSON_OPTION(cli_foundation_options),
};

static const char purpose[] =
    "Finds the speeds at which a cylinder can roll on down a slope, which of them are stable, and\n"
    "the slopes (folds) at which a stable and an unstable one meet and vanish. A simulation in\n"
    "which the slope slowly rises and falls again shows the hysteresis between the folds.";

/* The curve of all stationary states. */
typedef struct curve {
    double *alpha, *v; /* degrees, m/s */
    uint8_t* stable;   /* also unstable ones are part of the curve */
    int32_t n_folds;
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
} curve;

typedef struct job {
    const bifurcation_options* options;
    cli_host host;
    scree_foundation_def def;
    int32_t n;        /* points */
    double window[2]; /* rad */
    curve exact;      /* of the model asked for */
    curve approximate;
    int32_t n_rest;
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST]; /* at the slope of the def */
    double* sweep; /* [4 n] alpha (degrees) and v, on the way up and down */
    scree_foundation_loop loop;
    double* numbers;  /* [n] scratch */
    double* friction; /* [n] that rolling without sliding needs, along the curve */
    double* columns;
    uint8_t* flags;
} job;

static int allocate(job* j)
{
    size_t n = (size_t)j->n;
    j->columns = calloc(10 * n, sizeof(double));
    j->flags = calloc(2 * n, 1);
    if (!j->columns || !j->flags) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    j->exact = (curve){.alpha = j->columns, .v = j->columns + n, .stable = j->flags};
    j->approximate =
        (curve){.alpha = j->columns + 2 * n, .v = j->columns + 3 * n, .stable = j->flags + n};
    j->sweep = j->columns + 4 * n;
    j->numbers = j->sweep + 4 * n;
    j->friction = j->numbers + n;
    return CLI_DONE;
}

static scree_status choose_window(job* j, const scree_env* env)
{
    const bifurcation_options* o = j->options;
    scree_status status = scree_foundation_window(env, &j->def, j->window);
    if (!isnan(o->from)) j->window[0] = o->from / cli_degrees(1.0);
    if (!isnan(o->to)) j->window[1] = o->to / cli_degrees(1.0);
    return status;
}

static scree_status find_curve(const job* j, const scree_env* env, scree_foundation_model model,
                               curve* out)
{
    scree_foundation_def def = j->def;
    def.model = model;
    scree_status status = scree_foundation_folds(env, &def, out->fold, &out->n_folds);
    if (status != SCREE_OK) return status;
    status = scree_foundation_curve(env, &def, j->window, j->n, out->alpha, out->v, out->stable);
    for (int32_t i = 0; i < j->n; ++i) out->alpha[i] = cli_degrees(out->alpha[i]);
    return status;
}

static scree_status find_friction(job* j, const scree_env* env)
{
    scree_status status = SCREE_OK;
    for (int32_t i = 0; i < j->n && status == SCREE_OK; ++i) {
        scree_foundation_def def = j->def;
        j->friction[i] = (double)NAN;
        def.slope = j->exact.alpha[i] / cli_degrees(1.0);
        if (isnan(def.slope)) continue;
        status = scree_foundation_friction(env, &def, j->exact.v[i], &j->friction[i]);
    }
    return status;
}

static scree_status sweep(job* j, const scree_env* env)
{
    j->loop = (scree_foundation_loop){(double)NAN, (double)NAN, (double)NAN};
    if (!(j->options->ramp > 0.0)) return SCREE_OK;
    scree_status status =
        scree_foundation_sweep(env, &j->def, j->window, j->options->ramp, j->n, j->sweep, &j->loop);
    for (int32_t i = 0; i < 2 * j->n; ++i) j->sweep[2 * i] = cli_degrees(j->sweep[2 * i]);
    return status;
}

static int compute(job* j)
{
    scree_env env = cli_env(&j->host);
    j->n = (int32_t)j->options->points;
    scree_status status = choose_window(j, &env);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    int code = allocate(j);
    if (code != CLI_DONE) return code;
    status = scree_foundation_stationary(&env, &j->def, j->rest, &j->n_rest);
    if (status == SCREE_OK) status = find_curve(j, &env, j->def.model, &j->exact);
    if (status == SCREE_OK) {
        status = find_curve(j, &env, SCREE_FOUNDATION_APPROXIMATE, &j->approximate);
    }
    if (status == SCREE_OK) status = find_friction(j, &env);
    if (status == SCREE_OK) status = sweep(j, &env);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* ---- output ---- */

static int write_table(const job* j)
{
    FILE* file;
    int code = cli_open_table(j->host.verb, j->options->common.csv, &file);
    if (code != CLI_DONE || !file) return code;
    fprintf(file, "kind,alpha_deg,v,mu_needed\n");
    for (int32_t i = 0; i < j->n; ++i) {
        fprintf(file, "%s,%.17g,%.17g,%.17g\n", j->exact.stable[i] ? "stable" : "unstable",
                j->exact.alpha[i], j->exact.v[i], j->friction[i]);
    }
    for (int32_t i = 0; i < j->exact.n_folds; ++i) {
        fprintf(file, "fold,%.17g,%.17g,\n", cli_degrees(j->exact.fold[i].slope),
                j->exact.fold[i].speed);
    }
    for (int32_t i = 0; i < 2 * j->n && j->options->ramp > 0.0; ++i) {
        fprintf(file, "%s,%.17g,%.17g,\n", i < j->n ? "up" : "down", j->sweep[2 * i],
                j->sweep[2 * i + 1]);
    }
    return cli_close_table(j->host.verb, j->options->common.csv, file, code);
}

/* Points of one kind: others break the line, but for the first of them, which closes the gap. */
static void keep(const job* j, const curve* c, int stable, double* v)
{
    for (int32_t i = 0; i < j->n; ++i) {
        int here = c->stable[i] == stable;
        int next_to = (i > 0 && c->stable[i - 1] == stable) ||
                      (i + 1 < j->n && c->stable[i + 1] == stable && stable == 0);
        v[i] = here || next_to ? c->v[i] : (double)NAN;
    }
}

/* Both ways of the sweep, each with an arrow where it jumps. */
static void draw_loop(const job* j, cli_plot* plot, double* x, double* y)
{
    static const char* const label[] = {"simulated, slope rising", "simulated, slope falling"};
    double jump[] = {cli_degrees(j->loop.jump_up), cli_degrees(j->loop.jump_down)};
    for (int way = 0; way < 2 && j->options->ramp > 0.0; ++way) {
        const double* points = j->sweep + (way == 0 ? 0 : 2 * (size_t)j->n);
        for (int32_t i = 0; i < j->n; ++i) x[i] = points[2 * i], y[i] = points[2 * i + 1];
        cli_plot_add(plot, CLI_PLOT_LINE, label[way], (size_t)j->n, x, y);
        if (isnan(jump[way]) || j->exact.n_folds != 2) continue;
        double middle = 0.5 * (j->exact.fold[0].speed + j->exact.fold[1].speed);
        double rise = (way == 0 ? 0.25 : -0.25) * middle, from = middle - 0.5 * rise, none = 0.0;
        cli_plot_arrows(plot, 1, &jump[way], &from, &none, &rise);
    }
}

static void draw_curve(const job* j, cli_plot* plot, const char* label, const curve* c, double* y)
{
    keep(j, c, 1, y);
    cli_plot_add(plot, CLI_PLOT_LINE, label, (size_t)j->n, c->alpha, y);
    keep(j, c, 0, y);
    cli_plot_again(plot, CLI_PLOT_DASHED, (size_t)j->n, c->alpha, y);
}

static int draw(const job* j)
{
    size_t n = (size_t)j->n;
    double *x = calloc(2 * n, sizeof *x), *y = x + n;
    if (!x) return cli_refuse(&(cli_host){.verb = j->host.verb}, SCREE_ERROR_MEMORY);
    cli_plot* plot = cli_plot_begin(
        &(cli_plot_def){.title = "Stationary speeds over the slope (dashed: unstable)",
                        .x_label = "slope, degrees",
                        .y_label = "speed v, m/s"});
    draw_loop(j, plot, x, y);
    if (j->def.model != SCREE_FOUNDATION_APPROXIMATE) {
        draw_curve(j, plot, "large damping, eqs. 11, 12", &j->approximate, y);
    }
    draw_curve(j, plot, "numerical", &j->exact, y);
    for (int32_t i = 0; i < j->exact.n_folds && i < j->n; ++i) {
        x[i] = cli_degrees(j->exact.fold[i].slope), y[i] = j->exact.fold[i].speed;
    }
    int32_t n_folds = j->exact.n_folds < j->n ? j->exact.n_folds : j->n;
    cli_plot_add(plot, CLI_PLOT_POINTS, "folds", (size_t)n_folds, x, y);
    free(x);
    return cli_plot_end(plot, j->options->common.svg);
}

static void json_folds(cli_json* json, const char* slopes, const char* speeds, const curve* c)
{
    double alpha[SCREE_FOUNDATION_MOST], v[SCREE_FOUNDATION_MOST];
    for (int32_t i = 0; i < c->n_folds; ++i) {
        alpha[i] = cli_degrees(c->fold[i].slope);
        v[i] = c->fold[i].speed;
    }
    cli_json_reals(json, slopes, alpha, c->n_folds);
    cli_json_reals(json, speeds, v, c->n_folds);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    scree_foundation_def def = j->def;
    cli_json_object(&json, NULL);
    cli_foundation_parameters(&json, &(cli_foundation_set){.def = &def});
    json_folds(&json, "folds_deg", "folds_v", &j->exact);
    json_folds(&json, "approximate_folds_deg", "approximate_folds_v", &j->approximate);
    cli_foundation_json_rest(&json, j->rest, j->n_rest);
    cli_json_object(&json, "hysteresis");
    cli_json_real(&json, "ramp_s", j->options->ramp);
    cli_json_real(&json, "step_s", j->loop.step);
    cli_json_real(&json, "up_deg", cli_degrees(j->loop.jump_up));
    cli_json_real(&json, "down_deg", cli_degrees(j->loop.jump_down));
    cli_json_end(&json);
    cli_json_object(&json, "curve");
    cli_json_reals(&json, "alpha_deg", j->exact.alpha, j->n);
    cli_json_reals(&json, "v", j->exact.v, j->n);
    for (int32_t i = 0; i < j->n; ++i) j->numbers[i] = j->exact.stable[i];
    cli_json_reals(&json, "stable", j->numbers, j->n); /* 1 or 0 */
    cli_json_reals(&json, "mu_needed", j->friction, j->n);
    cli_json_end(&json);
    cli_json_end(&json);
}

static void print_folds(const char* label, const curve* c)
{
    if (c->n_folds == 0) cli_row(label, "none: every slope has at most one speed");
    for (int32_t i = 0; i < c->n_folds; ++i) {
        cli_row(i == 0 ? label : "", "%.9f degrees at %.6g m/s", cli_degrees(c->fold[i].slope),
                c->fold[i].speed);
    }
}

/* The largest along each branch: the curve between two folds, or beyond one. */
static void print_friction(const job* j)
{
    for (int32_t i = 0, first = 0; i < j->n; ++i) {
        int last = i + 1 == j->n || j->exact.stable[i + 1] != j->exact.stable[i];
        if (!last) continue;
        int32_t most = first;
        for (int32_t k = first; k <= i; ++k) {
            if (j->friction[k] > j->friction[most]) most = k;
        }
        cli_row(first == 0 ? "friction needed" : "",
                "%.6f at most, at %.4g m/s (%s, %.4g to %.4g m/s)", j->friction[most],
                j->exact.v[most], j->exact.stable[i] ? "stable" : "unstable", j->exact.v[first],
                j->exact.v[i]);
        first = i + 1;
    }
}

static void print_table(const job* j)
{
    cli_row("model", "%s", scree_foundation_model_name((int)j->def.model));
    print_folds("folds", &j->exact);
    if (j->def.model != SCREE_FOUNDATION_APPROXIMATE) print_folds("approximate", &j->approximate);
    cli_row("slope", "%.6g degrees", cli_degrees(j->def.slope));
    cli_foundation_print_rest(j->rest, j->n_rest);
    print_friction(j);
    if (isnan(j->loop.jump_up) && isnan(j->loop.jump_down)) return;
    cli_row("jump up", "%.6f degrees, slope rising for %g s", cli_degrees(j->loop.jump_up),
            j->options->ramp);
    cli_row("jump down", "%.6f degrees, falling", cli_degrees(j->loop.jump_down));
}

int cli_foundation_bifurcation(int argc, char** argv)
{
    bifurcation_options o = {
        .from = (double)NAN, .to = (double)NAN, .points = 400, .ramp = 100000.0};
    job j = {.options = &o, .def = scree_default_foundation_def()};
    cli_foundation_set set = {.def = &j.def};
    const cli_syntax syntax = {
        .verb = "foundation bifurcation",
        .purpose = purpose,
        .n_options = CLI_COUNT(options),
        .options = options,
        .example = "  scree foundation bifurcation --svg bifurcation.svg\n"
                   "  scree foundation bifurcation --set k=1e6 --set gamma=8e4 --set B=0.65 --json",
    };
    int code;
    if (!cli_foundation_begin(&syntax, argc, argv, &o, &set, &j.host, &code)) return code;
    code = compute(&j);
    if (code == CLI_DONE) code = write_table(&j);
    if (code == CLI_DONE && o.common.svg) code = draw(&j);
    if (code == CLI_DONE) (o.common.json ? print_json : print_table)(&j);
    free(j.columns);
    free(j.flags);
    return code;
}
