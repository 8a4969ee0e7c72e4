/* scree identify --path: friction from where a disc was while it slid to rest. */
#include "cli/host.h"
#include "cli/identify.h"
#include "cli/json.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/study.h"
#include "cli/table_file.h"
#include "scree_io/table_file.h"
#include "scree_study/sliding_path.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN = SCREE_PATH_COUNT - SCREE_PATH_OWN };

typedef struct job {
    const cli_path_options* options;
    cli_host host;
    scree_path_def def;
    scree_table table;
    double *time, *position; /* [n], [2 n] of the table */
    int32_t n_paths;
    scree_path path[SCREE_PATHS_MOST];
    scree_path_found found;
} job;

/* ---- what is asked for ---- */

/* The parameters that --fit names, as bits. */
static int read_free(job* j)
{
    const char* text = j->options->fit;
    uint32_t all = j->def.free, asked = 0;
    if (!text) return CLI_DONE;
    while (*text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int p = 0; p < SCREE_PATH_COUNT; ++p) {
            const char* name = scree_path_parameter_name(p);
            if (strlen(name) == length && strncmp(name, text, length) == 0) found = p;
        }
        if (found < 0 || !(all >> found & 1)) {
            return cli_usage_error(j->options->verb,
                                   "--fit %.*s: this law has a, b%s and v, phi, x, y", (int)length,
                                   text,
                                   all >> SCREE_PATH_D_S & 1 ? ", s, d_ratio, d_s"
                                   : all >> SCREE_PATH_S & 1 ? ", s"
                                                             : "");
        }
        asked |= 1u << found;
        text += length + (text[length] == ',');
    }
    j->def.free = asked;
    return CLI_DONE;
}

static int read_options(job* j)
{
    cli_disc disc;
    int code = cli_read_disc(j->options->verb, &j->options->settings, &disc);
    if (code != CLI_DONE) return code;
    j->def = scree_default_path_def((scree_disc_law)disc.law);
    double step = j->def.disc.step, usual = scree_default_disc_def((scree_disc_law)disc.law).step;
    j->def.disc = disc.def;
    j->def.disc.law = (scree_disc_law)disc.law;
    if (disc.def.step == usual) j->def.disc.step = step;
    return read_free(j);
}

/* ---- the file ---- */

/* Rows of one path stand together. */
static int split(job* j)
{
    const scree_table* t = &j->table;
    double last = (double)NAN;
    int is_timed = t->n > 0 && !isnan(t->values[2]);
    for (int64_t i = 0; i < t->n; ++i) {
        const double* row = t->values + i * t->n_columns;
        double number = isnan(row[3]) ? 1.0 : row[3];
        j->position[2 * i] = row[0];
        j->position[2 * i + 1] = row[1];
        j->time[i] = row[2];
        if (i == 0 || number != last) {
            if (j->n_paths == SCREE_PATHS_MOST) {
                return cli_usage_error(j->options->verb, "%s:%" PRId64 ": more than %d paths",
                                       j->options->file, t->line[i], SCREE_PATHS_MOST);
            }
            j->path[j->n_paths++] = (scree_path){.time = is_timed ? j->time + i : NULL,
                                                 .position = j->position + 2 * i};
        }
        j->path[j->n_paths - 1].n++;
        last = number;
    }
    return CLI_DONE;
}

static int read_file(job* j)
{
    static const char* const columns[] = {"x", "y", "time", "path"};
    scree_env env = cli_env(&j->host);
    scree_table_def def = {.n_columns = 4, .columns = columns, .n_needed = 2};
    cli_host_turn_to(&j->host, j->options->file);
    scree_status status = scree_table_read(&env, j->options->file, &def, &j->table);
    if (status) return cli_refuse(&j->host, status);
    size_t n = (size_t)j->table.n + 1;
    j->time = calloc(n, sizeof *j->time);
    j->position = calloc(2 * n, sizeof *j->position);
    if (!j->time || !j->position) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    return split(j);
}

/* ---- what came out ---- */

static double shown_unit(int p)
{
    return p == SCREE_PATH_PHI ? SCREE_DEGREE : 1.0;
}

static int is_free(const job* j, int p, int32_t k)
{
    return (j->def.free >> p & 1) && !(p == SCREE_PATH_SPEED && !j->path[k].time);
}

static void print_one(const job* j, int p, int32_t k, const scree_estimate* e)
{
    double unit = shown_unit(p);
    if (!is_free(j, p, k)) {
        cli_row(scree_path_parameter_name(p), "%.6g (given)", e->value / unit);
    } else if (!isfinite(e->error)) {
        cli_row(scree_path_parameter_name(p), "%.6g, which the samples do not determine",
                e->value / unit);
    } else {
        cli_row(scree_path_parameter_name(p), "%.6g +- %.2g, %.6g to %.6g", e->value / unit,
                e->error / unit, e->low / unit, e->high / unit);
    }
}

static void print_table(const job* j)
{
    const scree_path_found* f = &j->found;
    int n_surface = f->disc.law == SCREE_DISC_EXTENDED ? SCREE_PATH_OWN : SCREE_PATH_S + 1;
    cli_row("law", "%s", scree_disc_law_name((int)f->disc.law));
    cli_row("samples", "%" PRId64 " of %d path%s", f->n_samples, (int)j->n_paths,
            j->n_paths == 1 ? "" : "s");
    cli_row("distance", "%.4g mm rms, %.4g mm before the fit", 1e3 * f->rms, 1e3 * f->rms_first);
    if (!f->converged) cli_row("", "the fit has not converged");
    cli_heading("surface, with 95 % intervals");
    for (int p = 0; p < n_surface; ++p) print_one(j, p, 0, &f->value[p]);
    for (int32_t k = 0; k < j->n_paths; ++k) {
        cli_heading("path");
        for (int p = SCREE_PATH_OWN; p < SCREE_PATH_COUNT; ++p) {
            print_one(j, p, k, &f->own[k][p - SCREE_PATH_OWN]);
        }
    }
    printf("\n  scree run sliding-disc --set law=%s --set a=%.6g --set b=%.6g --set s=%.6g",
           scree_disc_law_name((int)f->disc.law), f->disc.forces[0], f->disc.forces[1],
           f->disc.forces[2]);
    if (f->disc.law == SCREE_DISC_EXTENDED) {
        printf(" --set d_a=%.6g --set d_b=%.6g --set d_s=%.6g", f->disc.flow[0], f->disc.flow[1],
               f->disc.flow[2]);
    }
    printf(" --set load=%.6g --set v=%.6g --set phi=%.6g\n", f->disc.load, f->disc.speed,
           f->disc.phi / SCREE_DEGREE);
}

static void json_one(const job* j, cli_json* json, int p, int32_t k, const scree_estimate* e)
{
    double unit = shown_unit(p);
    const double interval[2] = {e->low / unit, e->high / unit};
    cli_json_object(json, scree_path_parameter_name(p));
    cli_json_real(json, "value", e->value / unit);
    cli_json_boolean(json, "fitted", is_free(j, p, k));
    cli_json_real(json, "error", e->error / unit);
    cli_json_reals(json, "interval", interval, 2);
    cli_json_end(json);
}

static void print_json(const job* j)
{
    const scree_path_found* f = &j->found;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "path", j->options->file);
    cli_json_text(&json, "law", scree_disc_law_name((int)f->disc.law));
    cli_json_integer(&json, "samples", f->n_samples);
    cli_json_real(&json, "rms_first", f->rms_first);
    cli_json_real(&json, "rms", f->rms);
    cli_json_boolean(&json, "converged", f->converged != 0);
    cli_json_object(&json, "surface");
    for (int p = 0; p < SCREE_PATH_OWN; ++p) json_one(j, &json, p, 0, &f->value[p]);
    cli_json_end(&json);
    cli_json_array(&json, "paths");
    for (int32_t k = 0; k < j->n_paths; ++k) {
        cli_json_object(&json, NULL);
        for (int p = SCREE_PATH_OWN; p < SCREE_PATH_COUNT; ++p) {
            json_one(j, &json, p, k, &f->own[k][p - SCREE_PATH_OWN]);
        }
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

/* ---- the figure ---- */

/* A path as a line in the figure, millimetres. */
typedef struct line {
    double *x, *y;
    size_t n, room;
} line;

static int add_point(void* user, const scree_disc_sample* s)
{
    line* l = user;
    if (l->n == l->room) return 1;
    l->x[l->n] += s->position[0];
    l->y[l->n] += s->position[1];
    l->n++;
    return 0;
}

/* The path of a disc that begins at `begin`. */
static void draw_course(cli_plot* plot, cli_plot_style style, const char* label,
                        scree_disc_def disc, const double begin[2])
{
    enum { ROOM = 4096 };
    double* memory = calloc(2 * (size_t)ROOM, sizeof *memory);
    scree_disc_path result;
    if (!memory) return;
    line l = {memory, memory + ROOM, 0, ROOM};
    disc.step = 1e-3;
    for (size_t i = 0; i < ROOM; ++i) l.x[i] = begin[0], l.y[i] = begin[1];
    l.n = 1;
    if (scree_disc_simulate(NULL, &disc, add_point, &l, &result) == SCREE_OK) {
        cli_plot_add(plot, style, label, l.n, l.x, l.y);
    }
    free(memory);
}

static int draw(const job* j)
{
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Path of a disc that slides to rest",
                                                    .x_label = "across the grooves (m)",
                                                    .y_label = "along the grooves (m)",
                                                    .equal = 1,
                                                    .width = 720,
                                                    .height = 600});
    size_t n = (size_t)j->table.n;
    double* x = calloc(2 * n + 1, sizeof *x);
    for (size_t i = 0; x && i < n; ++i) {
        x[i] = j->position[2 * i];
        x[n + i] = j->position[2 * i + 1];
    }
    if (x) cli_plot_add(plot, CLI_PLOT_POINTS, "measured", n, x, x + n);
    free(x);
    for (int32_t k = 0; k < j->n_paths; ++k) {
        const scree_estimate* own = j->found.own[k];
        const double begin[2] = {own[2].value, own[3].value};
        scree_disc_def fitted = j->found.disc, before = j->def.disc;
        fitted.speed = before.speed = own[0].value;
        fitted.phi = before.phi = own[1].value;
        draw_course(plot, CLI_PLOT_LINE, k ? NULL : "fitted", fitted, begin);
        draw_course(plot, CLI_PLOT_DASHED, k ? NULL : "before the fit", before, begin);
    }
    return cli_plot_end(plot, j->options->svg);
}

int cli_identify_path(const cli_path_options* options)
{
    job j = {.options = options, .host = {.verb = options->verb}};
    scree_env env = cli_env(&j.host);
    int code = read_options(&j);
    if (code == CLI_DONE) code = read_file(&j);
    if (code == CLI_DONE) {
        scree_status status = scree_path_fit(&env, j.path, j.n_paths, &j.def, &j.found);
        if (status) code = cli_refuse(&j.host, status);
    }
    if (code == CLI_DONE && options->svg) code = draw(&j);
    if (code == CLI_DONE && options->json) print_json(&j);
    if (code == CLI_DONE && !options->json) print_table(&j);
    if (code == CLI_DONE && !j.found.converged) code = CLI_FAILED;
    scree_table_release(&j.table);
    free(j.time);
    free(j.position);
    return code;
}

/* ---- an example ---- */

typedef struct made {
    cli_table_file table;
    int64_t step;
    int path;
    uint64_t random;
} made;

/* A number from the normal distribution, nearly: twelve uniform ones. */
static double noise(made* m)
{
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) {
        m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(m->random >> 11) / 9007199254740992.0;
    }
    return sum;
}

static int write_sample(void* user, const scree_disc_sample* s)
{
    enum { EVERY = 100 };
    made* m = user;
    if (m->step++ % EVERY) return 0;
    const double row[] = {m->path, s->time, s->position[0] + 2e-4 * noise(m),
                          s->position[1] + 2e-4 * noise(m)};
    cli_table_line(&m->table, row, CLI_COUNT(row));
    return 0;
}

int cli_identify_path_example(const cli_path_options* options)
{
    static const double directions[] = {58.0, 25.0, 80.0};
    made m = {.random = 27};
    cli_host host = {.verb = options->verb};
    scree_env env = cli_env(&host);
    int code = cli_table_begin(&m.table, options->verb, options->example, "path,time,x,y");
    for (int k = 0; k < CLI_COUNT(directions) && code == CLI_DONE; ++k) {
        scree_disc_def disc = scree_default_disc_def(SCREE_DISC_EXTENDED);
        scree_disc_path result;
        disc.phi = directions[k] * SCREE_DEGREE;
        m.path = k + 1;
        m.step = 0;
        scree_status status = scree_disc_simulate(&env, &disc, write_sample, &m, &result);
        if (status) code = cli_refuse(&host, status);
    }
    code = cli_table_end(&m.table, code);
    if (code == CLI_DONE && options->json) {
        cli_json json = {.out = stdout};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "example", options->example);
        cli_json_end(&json);
    } else if (code == CLI_DONE) {
        printf("%s: three paths of a PVC disc on ground steel, with noise; now try\n"
               "  scree identify --path %s\n",
               options->example, options->example);
    }
    return code;
}
