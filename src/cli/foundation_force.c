#include "cli/foundation.h"
#include "cli/plot.h"
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

typedef struct force_options {
    cli_foundation_options common;
    double to;
    int64_t points;
    int figure;
} force_options;

enum { FIGURE_RESISTANCE, FIGURE_TOTAL };
static const char* const figure_choices[] = {"resistance", "total", NULL};

static const cli_option options[] = {
    CLI_FOUNDATION_SETTINGS,
    {.name = "to",
     .kind = CLI_REAL,
     .offset = offsetof(force_options, to),
     .value = "V",
     .text = "highest speed, in m/s",
     .least = 1e-6,
     .most = 1e9},
    {.name = "points",
     .kind = CLI_INTEGER,
     .offset = offsetof(force_options, points),
     .value = "N",
     .text = "speeds in equal distances",
     .least = 2,
     .most = 1e6},
    CLI_FOUNDATION_FILE(csv, "write a table with a line for every speed"),
    CLI_FOUNDATION_FILE(svg, "draw a figure"),
    {.name = "figure",
     .kind = CLI_CHOICE,
     .offset = offsetof(force_options, figure),
     .value = "NAME",
     .text = "which one, figure 2 or 3 of the paper",
     .choices = figure_choices},
    CLI_JSON_OPTION(cli_foundation_options),
};

static const char purpose[] =
    "Finds the contact of a cylinder that rolls on damped springs, and the force that resists it,\n"
    "over the speed: ends xi_- and xi_+ and depth h of the contact from the balance of the load,\n"
    "resistance F_R, beside it the approximation for large damping, and the total force on the\n"
    "slope. Forces and the cylinder's properties are per length.";

enum { ALPHAS = 3 };

/* One line for every speed. */
typedef struct table {
    size_t n;
    double *v, *h, *xi_minus, *xi_plus, *f, *h_approximate, *f_approximate, *error, *total;
    double* total_at[ALPHAS]; /* at the slopes of the figure */
    double* total_approximate[ALPHAS];
} table;

typedef struct job {
    const force_options* options;
    cli_host host;
    scree_foundation_def def;
    table t;
    double* memory;
    double peak_speed;
    scree_foundation_contact rest, peak;
    double lift_speed;
    double alpha[ALPHAS]; /* slopes of the figure, rad */
} job;

static int allocate(job* j)
{
    table* t = &j->t;
    double** column[] = {
        &t->v,     &t->h,    &t->xi_minus, &t->xi_plus, &t->f, &t->h_approximate, &t->f_approximate,
        &t->error, &t->total};
    t->n = (size_t)j->options->points;
    j->memory = calloc((CLI_COUNT(column) + 2 * ALPHAS) * t->n, sizeof(double));
    if (!j->memory) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    double* at = j->memory;
    for (int i = 0; i < CLI_COUNT(column); ++i, at += t->n) *column[i] = at;
    for (int i = 0; i < ALPHAS; ++i, at += t->n) t->total_at[i] = at;
    for (int i = 0; i < ALPHAS; ++i, at += t->n) t->total_approximate[i] = at;
    return CLI_DONE;
}

/* Beyond the lift speed of a slope a curve ends. */
static double total_force(scree_foundation_def def, const scree_env* env, double slope,
                          double speed)
{
    double force, by_speed;
    def.slope = slope;
    if (!(speed < scree_foundation_lift_speed(&def))) return (double)NAN;
    scree_status status = scree_foundation_drive(env, &def, speed, &force, &by_speed);
    return status == SCREE_OK ? force : (double)NAN;
}

static scree_status fill_line(job* j, const scree_env* env, size_t i)
{
    table* t = &j->t;
    scree_foundation_contact contact, approximate;
    scree_foundation_def def = j->def;
    double v = t->v[i] = j->options->to * (double)i / (double)(t->n - 1);
    scree_status status = scree_foundation_resist(env, &def, v, &contact);
    def.model = SCREE_FOUNDATION_APPROXIMATE;
    if (status == SCREE_OK) status = scree_foundation_resist(env, &def, v, &approximate);
    if (status != SCREE_OK) return status;
    t->h[i] = contact.depth;
    t->xi_minus[i] = contact.xi_minus;
    t->xi_plus[i] = contact.xi_plus;
    t->f[i] = contact.resistance;
    t->h_approximate[i] = approximate.depth;
    t->f_approximate[i] = approximate.resistance;
    t->error[i] = v > 0.0 ? approximate.resistance / contact.resistance - 1.0 : (double)NAN;
    t->total[i] = total_force(j->def, env, j->def.slope, v);
    for (int k = 0; k < ALPHAS; ++k) {
        t->total_at[k][i] = total_force(j->def, env, j->alpha[k], v);
        t->total_approximate[k][i] = total_force(def, env, j->alpha[k], v);
    }
    return SCREE_OK;
}

static int compute(job* j)
{
    scree_env env = cli_env(&j->host);
    scree_status status = scree_foundation_validate(&env, &j->def);
    if (status == SCREE_OK) status = scree_foundation_resist(&env, &j->def, 0.0, &j->rest);
    if (status == SCREE_OK) status = scree_foundation_peak(&env, &j->def, &j->peak_speed);
    if (status == SCREE_OK && !isnan(j->peak_speed)) {
        status = scree_foundation_resist(&env, &j->def, j->peak_speed, &j->peak);
    }
    j->lift_speed = scree_foundation_lift_speed(&j->def);
    for (int k = 0; k < ALPHAS; ++k) j->alpha[k] = j->def.slope * (0.75 + 0.25 * k);
    if (status == SCREE_OK) {
        int code = allocate(j);
        if (code != CLI_DONE) return code;
    }
    for (size_t i = 0; i < j->t.n && status == SCREE_OK; ++i) status = fill_line(j, &env, i);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* ---- output ---- */

static int write_table(const job* j)
{
    FILE* file;
    const table* t = &j->t;
    int code = cli_open_table(j->host.verb, j->options->common.csv, &file);
    if (code != CLI_DONE || !file) return code;
    fprintf(file, "v,h,xi_minus,xi_plus,F_R,h_approximate,F_R_approximate,error,F\n");
    for (size_t i = 0; i < t->n; ++i) {
        fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t->v[i], t->h[i],
                t->xi_minus[i], t->xi_plus[i], t->f[i], t->h_approximate[i], t->f_approximate[i],
                t->error[i], t->total[i]);
    }
    return cli_close_table(j->host.verb, j->options->common.csv, file, code);
}

static int draw_resistance(const job* j)
{
    const table* t = &j->t;
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Rolling resistance",
                                                    .x_label = "speed v, m/s",
                                                    .y_label = "resistance F_R, N/m"});
    cli_plot_add(plot, CLI_PLOT_LINE, "numerical", t->n, t->v, t->f);
    cli_plot_add(plot, CLI_PLOT_DASHED, "large damping, eqs. 11, 12", t->n, t->v, t->f_approximate);
    return cli_plot_end(plot, j->options->common.svg);
}

static int draw_total(const job* j)
{
    const table* t = &j->t;
    cli_plot* plot =
        cli_plot_begin(&(cli_plot_def){.title = "Total force on the slope (dashed: large damping)",
                                       .x_label = "speed v, m/s",
                                       .y_label = "force F, N/m"});
    for (int k = ALPHAS - 1; k >= 0; --k) {
        char label[32];
        snprintf(label, sizeof label, "%.4g degrees", cli_degrees(j->alpha[k]));
        cli_plot_add(plot, CLI_PLOT_LINE, label, t->n, t->v, t->total_at[k]);
        cli_plot_again(plot, CLI_PLOT_DASHED, t->n, t->v, t->total_approximate[k]);
    }
    return cli_plot_end(plot, j->options->common.svg);
}

static void print_json(const job* j)
{
    const table* t = &j->t;
    cli_json json = {.out = stdout};
    int n = (int)t->n;
    scree_foundation_def def = j->def;
    cli_json_object(&json, NULL);
    cli_foundation_parameters(&json, &(cli_foundation_set){.def = &def});
    cli_json_real(&json, "load", def.mass * def.gravity * cos(def.slope));
    cli_json_real(&json, "h_rest", j->rest.depth);
    cli_json_real(&json, "peak_v", j->peak_speed);
    cli_json_real(&json, "peak_F_R", isnan(j->peak_speed) ? (double)NAN : j->peak.resistance);
    cli_json_real(&json, "lift_v", j->lift_speed);
    cli_json_reals(&json, "v", t->v, n);
    cli_json_reals(&json, "h", t->h, n);
    cli_json_reals(&json, "xi_minus", t->xi_minus, n);
    cli_json_reals(&json, "xi_plus", t->xi_plus, n);
    cli_json_reals(&json, "F_R", t->f, n);
    cli_json_reals(&json, "h_approximate", t->h_approximate, n);
    cli_json_reals(&json, "F_R_approximate", t->f_approximate, n);
    cli_json_reals(&json, "error", t->error, n);
    cli_json_reals(&json, "F", t->total, n);
    cli_json_end(&json);
}

static void print_summary(const job* j)
{
    const scree_foundation_def* def = &j->def;
    cli_row("model", "%s", scree_foundation_model_name((int)def->model));
    cli_row("load", "%-10.6g N/m", def->mass * def->gravity * cos(def->slope));
    cli_row("depth at rest", "%-10.4g m, contact from %.4g to %.4g m", j->rest.depth,
            j->rest.xi_minus, j->rest.xi_plus);
    if (isnan(j->peak_speed)) {
        cli_row("largest F_R", "none: it only rises");
    } else {
        cli_row("largest F_R", "%-10.6g N/m at %.6g m/s", j->peak.resistance, j->peak_speed);
    }
    cli_row("leaves the ground", "%-10.4g m/s", j->lift_speed);
    cli_row("m below", "%-10.4g kg/m^2, gamma^2 / (4 k): the contact is continuous",
            0.25 * def->damping * def->damping / def->stiffness);
}

static void print_table(const job* j)
{
    enum { LINES = 15 };
    const table* t = &j->t;
    print_summary(j);
    printf("\n%10s %11s %11s %11s %12s %12s %9s %12s\n", "v", "h", "xi_-", "xi_+", "F_R",
           "F_R approx.", "error", "F");
    printf("%10s %11s %11s %11s %12s %12s %9s %12s\n", "m/s", "m", "m", "m", "N/m", "N/m", "",
           "N/m");
    size_t lines = t->n < LINES + 1 ? t->n : LINES + 1;
    for (size_t k = 0; k < lines; ++k) {
        size_t i = k * (t->n - 1) / (lines - 1);
        char error[16] = "-";
        if (!isnan(t->error[i])) snprintf(error, sizeof error, "%+.2f %%", 100.0 * t->error[i]);
        printf("%10.4g %11.4e %11.3e %11.3e %12.6g %12.6g %9s %12.6g\n", t->v[i], t->h[i],
               t->xi_minus[i], t->xi_plus[i], t->f[i], t->f_approximate[i], error, t->total[i]);
    }
}

int cli_foundation_force(int argc, char** argv)
{
    force_options o = {.to = 15.0, .points = 151};
    job j = {.options = &o, .def = scree_default_foundation_def()};
    cli_foundation_set set = {.def = &j.def};
    const cli_syntax syntax = {
        .verb = "foundation force",
        .purpose = purpose,
        .n_options = CLI_COUNT(options),
        .options = options,
        .example = "  scree foundation force --svg resistance.svg\n"
                   "  scree foundation force --set gamma=4e5 --set M=150 --csv force.csv",
    };
    int code;
    if (!cli_foundation_begin(&syntax, argc, argv, &o, &set, &j.host, &code)) return code;
    code = compute(&j);
    if (code == CLI_DONE) code = write_table(&j);
    if (code == CLI_DONE && o.common.svg) {
        code = (o.figure == FIGURE_TOTAL ? draw_total : draw_resistance)(&j);
    }
    if (code == CLI_DONE) (o.common.json ? print_json : print_table)(&j);
    free(j.memory);
    return code;
}
