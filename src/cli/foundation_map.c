#include "cli/foundation.h"
#include "cli/plot.h"
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct map_options {
    cli_foundation_options common;
    const char *over, *against;
    double from, to; /* NaN: not given */
    int64_t points;
} map_options;

static const cli_option options[] = {
    CLI_FOUNDATION_SETTINGS,
    {.name = "over",
     .kind = CLI_TEXT,
     .offset = offsetof(map_options, over),
     .value = "NAME",
     .text = "the parameter that varies"},
    {.name = "from",
     .kind = CLI_REAL,
     .offset = offsetof(map_options, from),
     .value = "X",
     .text = "its least value, in its unit",
     .usual = "a tenth of its value",
     .least = 1e-300,
     .most = 1e300},
    {.name = "to",
     .kind = CLI_REAL,
     .offset = offsetof(map_options, to),
     .value = "X",
     .text = "its largest value",
     .usual = "ten times its value",
     .least = 1e-300,
     .most = 1e300},
    {.name = "against",
     .kind = CLI_TEXT,
     .offset = offsetof(map_options, against),
     .value = "NAME",
     .text = "a second parameter: the values of it at which the region ends",
     .usual = "none"},
    {.name = "points",
     .kind = CLI_INTEGER,
     .offset = offsetof(map_options, points),
     .value = "N",
     .text = "values in equal ratios",
     .least = 2,
     .most = 1e4},
    CLI_FOUNDATION_FILE(csv, "write a table with a line for every value"),
    CLI_FOUNDATION_FILE(svg, "draw the region"),
    CLI_JSON_OPTION(cli_foundation_options),
};

static const char purpose[] = "Finds where the cylinder has two stable speeds: the slopes of both "
                              "folds over a parameter, and\n"
                              "the cusps at which they meet. With --against it finds for every "
                              "value the cusps over a second\n"
                              "parameter: the border of the region in the plane of both.";

enum { CUSPS = SCREE_FOUNDATION_MOST };

typedef struct job {
    const map_options* options;
    cli_host host;
    scree_foundation_def def;
    double range[2];
    int32_t n, n_cusps;
    double *x, *low, *high; /* [n] degrees; without folds NaN */
    scree_foundation_cusp cusp[CUSPS];
    double* border; /* [n CUSPS] of the second parameter, NaN where there are fewer */
} job;

/* The value of a parameter in its unit. */
static int value_of(const job* j, const char* symbol, double* out)
{
#define SCREE_X(name_, member, value, si, unit, meaning) \
    if (strcmp(symbol, #name_) == 0) {                   \
        *out = j->def.member / (si);                     \
        return CLI_DONE;                                 \
    }
    SCREE_FOUNDATION_FIELDS(SCREE_X)
#undef SCREE_X
    return cli_usage_error(j->host.verb, "there is no parameter '%s'; --help lists them", symbol);
}

static int allocate(job* j)
{
    size_t n = (size_t)j->options->points;
    j->n = (int32_t)n;
    j->x = calloc((3 + CUSPS) * n, sizeof *j->x);
    if (!j->x) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    j->low = j->x + n;
    j->high = j->low + n;
    j->border = j->high + n;
    for (size_t i = 0; i < n; ++i) {
        double share = (double)i / (double)(n - 1);
        j->x[i] = j->range[0] * pow(j->range[1] / j->range[0], share);
    }
    return CLI_DONE;
}

static scree_status find_border(job* j, const scree_env* env, double around)
{
    const double range[2] = {1e-2 * around, 1e2 * around};
    scree_status status = SCREE_OK;
    for (int32_t i = 0; i < j->n && status == SCREE_OK; ++i) {
        scree_foundation_def def = j->def;
        scree_foundation_cusp cusp[CUSPS];
        int32_t n = 0;
        status = scree_foundation_set(env, &def, j->options->over, j->x[i]);
        /* values that the model does not cover have no border; others fail with their message */
        if (status == SCREE_OK && scree_foundation_validate(NULL, &def) == SCREE_OK) {
            status = scree_foundation_cusps(env, &def, j->options->against, range, cusp, &n);
        }
        for (int32_t k = 0; k < CUSPS; ++k) {
            j->border[i * CUSPS + k] = k < n ? cusp[k].value : (double)NAN;
        }
    }
    return status;
}

static int compute(job* j)
{
    const map_options* o = j->options;
    scree_env env = cli_env(&j->host);
    double value = 0.0, second = 0.0;
    int code = value_of(j, o->over, &value);
    if (code == CLI_DONE && o->against) code = value_of(j, o->against, &second);
    if (code != CLI_DONE) return code;
    j->range[0] = isnan(o->from) ? 0.1 * value : o->from;
    j->range[1] = isnan(o->to) ? 10.0 * value : o->to;
    scree_status status =
        scree_foundation_cusps(&env, &j->def, o->over, j->range, j->cusp, &j->n_cusps);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    code = allocate(j);
    if (code != CLI_DONE) return code;
    status = scree_foundation_map(&env, &j->def, o->over, j->n, j->x, j->low, j->high);
    for (int32_t i = 0; i < j->n; ++i) {
        j->low[i] = cli_degrees(j->low[i]);
        j->high[i] = cli_degrees(j->high[i]);
    }
    if (status == SCREE_OK && o->against) status = find_border(j, &env, second);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* ---- output ---- */

static int write_table(const job* j)
{
    FILE* file;
    int code = cli_open_table(j->host.verb, j->options->common.csv, &file);
    if (code != CLI_DONE || !file) return code;
    fprintf(file, "%s,low_deg,high_deg%s%s\n", j->options->over, j->options->against ? "," : "",
            j->options->against ? j->options->against : "");
    for (int32_t i = 0; i < j->n; ++i) {
        fprintf(file, "%.17g,%.17g,%.17g", j->x[i], j->low[i], j->high[i]);
        if (j->options->against) fprintf(file, ",%.17g", j->border[i * CUSPS]);
        fputc('\n', file);
    }
    return cli_close_table(j->host.verb, j->options->common.csv, file, code);
}

static int draw_slopes(const job* j)
{
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Two stable speeds between the folds",
                                                    .x_label = j->options->over,
                                                    .y_label = "slope, degrees",
                                                    .log_x = 1});
    cli_plot_add(plot, CLI_PLOT_LINE, "lower fold", (size_t)j->n, j->x, j->low);
    cli_plot_add(plot, CLI_PLOT_LINE, "upper fold", (size_t)j->n, j->x, j->high);
    for (int32_t i = 0; i < j->n_cusps; ++i) {
        double slope = cli_degrees(j->cusp[i].slope);
        cli_plot_add(plot, CLI_PLOT_POINTS, "cusp", 1, &j->cusp[i].value, &slope);
    }
    return cli_plot_end(plot, j->options->common.svg);
}

static int draw_border(const job* j)
{
    cli_plot* plot =
        cli_plot_begin(&(cli_plot_def){.title = "Border of the region with two stable speeds",
                                       .x_label = j->options->over,
                                       .y_label = j->options->against,
                                       .log_x = 1,
                                       .log_y = 1});
    double* y = calloc((size_t)j->n, sizeof *y);
    for (int32_t k = 0; k < CUSPS && y; ++k) {
        int32_t some = 0;
        for (int32_t i = 0; i < j->n; ++i) {
            y[i] = j->border[i * CUSPS + k];
            some += !isnan(y[i]);
        }
        if (some > 0) cli_plot_add(plot, CLI_PLOT_LINE, "cusps", (size_t)j->n, j->x, y);
    }
    free(y);
    return cli_plot_end(plot, j->options->common.svg);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    scree_foundation_def def = j->def;
    cli_json_object(&json, NULL);
    cli_foundation_parameters(&json, &(cli_foundation_set){.def = &def});
    cli_json_text(&json, "over", j->options->over);
    cli_json_reals(&json, "value", j->x, j->n);
    cli_json_reals(&json, "low_deg", j->low, j->n);
    cli_json_reals(&json, "high_deg", j->high, j->n);
    cli_json_array(&json, "cusps");
    for (int32_t i = 0; i < j->n_cusps; ++i) {
        cli_json_object(&json, NULL);
        cli_json_real(&json, "value", j->cusp[i].value);
        cli_json_real(&json, "alpha_deg", cli_degrees(j->cusp[i].slope));
        cli_json_real(&json, "v", j->cusp[i].speed);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    if (j->options->against) {
        cli_json_text(&json, "against", j->options->against);
        cli_json_array(&json, "border");
        for (int32_t i = 0; i < j->n; ++i) {
            cli_json_reals(&json, NULL, j->border + i * CUSPS, CUSPS);
        }
        cli_json_end(&json);
    }
    cli_json_end(&json);
}

static void print_table(const job* j)
{
    enum { LINES = 20 };
    cli_row("model", "%s", scree_foundation_model_name((int)j->def.model));
    for (int32_t i = 0; i < j->n_cusps; ++i) {
        cli_row(i == 0 ? "cusp" : "", "%s = %.9g at %.9f degrees, %.6g m/s", j->options->over,
                j->cusp[i].value, cli_degrees(j->cusp[i].slope), j->cusp[i].speed);
    }
    if (j->n_cusps == 0) cli_row("cusp", "none between %g and %g", j->range[0], j->range[1]);
    printf("\n%13s %13s %13s %12s", j->options->over, "low fold", "high fold", "difference");
    printf(j->options->against ? " %13s\n" : "\n", j->options->against);
    int32_t lines = j->n < LINES + 1 ? j->n : LINES + 1;
    for (int32_t k = 0; k < lines; ++k) {
        int32_t i = k * (j->n - 1) / (lines - 1);
        if (isnan(j->low[i])) {
            printf("%13.6g %13s %13s %12s", j->x[i], "-", "-", "-");
        } else {
            printf("%13.6g %13.6f %13.6f %12.6f", j->x[i], j->low[i], j->high[i],
                   j->high[i] - j->low[i]);
        }
        if (j->options->against) printf(" %13.6g", j->border[i * CUSPS]);
        putchar('\n');
    }
}

int cli_foundation_map(int argc, char** argv)
{
    map_options o = {.over = "gamma", .from = (double)NAN, .to = (double)NAN, .points = 61};
    job j = {.options = &o, .def = scree_default_foundation_def()};
    cli_foundation_set set = {.def = &j.def};
    const cli_syntax syntax = {
        .verb = "foundation map",
        .purpose = purpose,
        .n_options = CLI_COUNT(options),
        .options = options,
        .example = "  scree foundation map --over k --svg region.svg\n"
                   "  scree foundation map --over k --against gamma --svg border.svg",
    };
    int code;
    if (!cli_foundation_begin(&syntax, argc, argv, &o, &set, &j.host, &code)) return code;
    code = compute(&j);
    if (code == CLI_DONE) code = write_table(&j);
    if (code == CLI_DONE && o.common.svg) code = (o.against ? draw_border : draw_slopes)(&j);
    if (code == CLI_DONE) (o.common.json ? print_json : print_table)(&j);
    free(j.x);
    return code;
}
