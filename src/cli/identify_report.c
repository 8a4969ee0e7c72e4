#include "cli/identify.h"
#include "cli/plot.h"
#include "cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- table ---- */

static void print_estimate(const char* name, const scree_estimate* e, double unit,
                           const char* unit_name)
{
    printf("  %-8s %10.5g", name, e->value * unit);
    if (isinf(e->error)) {
        printf("   not determined");
    } else if (e->error > 0.0) {
        printf("   +- %-8.2g  %.5g to %.5g", e->error * unit, e->low * unit, e->high * unit);
    } else {
        printf("   given");
    }
    printf("%s%s\n", *unit_name ? " " : "", unit_name);
}

static void print_fit(const char* heading, const scree_fitted* f, bool round)
{
    char text[96];
    snprintf(text, sizeof text, "%s, residual %.2g (rms)%s", heading, f->rms,
             f->converged ? "" : ", not converged");
    cli_heading(text);
    print_estimate("a", &f->a, 1.0, "");
    print_estimate("b", &f->b, 1.0, "");
    if (round) print_estimate("s", &f->s, 1.0, "");
    if (f->angle.error != 0.0) print_estimate("angle", &f->angle, 1.0 / SCREE_DEGREE, "degrees");
}

static void print_fits(const scree_identification* f)
{
    print_fit("force set C, ellipse", &f->sliding[SCREE_FIT_ELLIPSE], false);
    print_fit("force set C, superellipse", &f->sliding[SCREE_FIT_SUPERELLIPSE], true);
    print_fit("direction set D, ellipse", &f->directing[SCREE_FIT_ELLIPSE], false);
    print_fit("direction set D, superellipse", &f->directing[SCREE_FIT_SUPERELLIPSE], true);
}

void cli_identified_print(const cli_identified* it)
{
    const scree_identification* f = it->found;
    bool known = f->normal_force > 0.0;
    const char* unit = known ? "of the normal force" : "N";
    cli_row("measurement", "%s", it->path);
    cli_row("samples", "%" PRId64 ", %.4g turns", it->n_samples, f->turns);
    if (known) {
        cli_row("normal force", "%.5g N on average", f->normal_force);
    } else {
        cli_row("normal force", "unknown: sets are in newtons, and no material can be written");
    }
    cli_row("noise", "%.2g %s about the filtered curve", f->noise, unit);
    if (f->n_outliers > 0) {
        cli_row("outliers", "%" PRId64 " sample%s, used all the same", f->n_outliers,
                f->n_outliers == 1 ? "" : "s");
    }
    cli_row("filter", "%g cycles per turn", it->cutoff);
    cli_row("C", "%s, deepest dent %.2g %%", f->force_dent > 0.01 ? "not convex" : "convex",
            100.0 * f->force_dent);
    cli_row("D", "closure error %.2g, %d dent%s, deepest %.2g %%", f->closure, (int)f->n_dents,
            f->n_dents == 1 ? "" : "s", 100.0 * f->dent);
    print_fits(f);
    printf("\nSemi-axes are %s. D has no scale: it is the largest that fits into C, and the error\n"
           "of b is that at the given a.\n",
           known ? "over the normal force" : "in newtons");
    cli_heading("chosen");
    cli_row("  C", "%s", scree_fit_name((int)f->sliding_form));
    cli_row("  D", "%s", scree_fit_name((int)f->direction_form));
    if (it->material) cli_row("  material", "%s", it->material);
}

/* ---- JSON ---- */

static void json_estimate(cli_json* json, const char* key, const scree_estimate* e, double unit)
{
    double interval[2] = {e->low * unit, e->high * unit};
    cli_json_object(json, key);
    cli_json_real(json, "value", e->value * unit);
    cli_json_real(json, "error", e->error * unit);
    cli_json_reals(json, "interval", interval, 2);
    cli_json_end(json);
}

static void json_fit(cli_json* json, const char* key, const scree_fitted* f)
{
    cli_json_object(json, key);
    json_estimate(json, "a", &f->a, 1.0);
    json_estimate(json, "b", &f->b, 1.0);
    json_estimate(json, "s", &f->s, 1.0);
    json_estimate(json, "angle_degrees", &f->angle, 1.0 / SCREE_DEGREE);
    cli_json_real(json, "rms", f->rms);
    cli_json_boolean(json, "converged", f->converged);
    cli_json_end(json);
}

static void json_set(cli_json* json, const char* key, const scree_fitted* fits, scree_fit_form form,
                     const scree_set_def* set)
{
    double scale = set->scale > 0.0 ? set->scale : 1.0;
    bool polar = set->kind == SCREE_SET_POLAR;
    cli_json_object(json, key);
    cli_json_text(json, "form", scree_fit_name((int)form));
    json_fit(json, "ellipse", &fits[SCREE_FIT_ELLIPSE]);
    json_fit(json, "superellipse", &fits[SCREE_FIT_SUPERELLIPSE]);
    if (set->points) {
        cli_json_array(json, polar ? "polar" : "polygon"); /* degrees and radius, or x and y */
        for (int k = 0; k < set->n; ++k) {
            const double* p = set->points + 2 * (size_t)k;
            double values[2] = {polar ? p[0] / SCREE_DEGREE : scale * p[0], scale * p[1]};
            cli_json_reals(json, NULL, values, 2);
        }
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_identified_json(const cli_identified* it)
{
    const scree_identification* f = it->found;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "measurement", it->path);
    cli_json_text(&json, "name", it->name);
    cli_json_integer(&json, "samples", it->n_samples);
    cli_json_real(&json, "turns", f->turns);
    if (f->normal_force > 0.0) {
        cli_json_real(&json, "normal_force", f->normal_force);
    } else {
        cli_json_null(&json, "normal_force");
    }
    cli_json_real(&json, "noise", f->noise);
    cli_json_integer(&json, "outliers", f->n_outliers);
    cli_json_real(&json, "cutoff", it->cutoff);
    cli_json_real(&json, "closure", f->closure);
    cli_json_integer(&json, "dents", f->n_dents);
    cli_json_real(&json, "dent", f->dent);
    cli_json_real(&json, "dent_degrees", f->dent_angle / SCREE_DEGREE);
    cli_json_real(&json, "force_dent", f->force_dent);
    json_set(&json, "sliding", f->sliding, f->sliding_form, &f->sliding_set);
    json_set(&json, "direction", f->directing, f->direction_form, &f->direction_set);
    cli_json_text(&json, "material", it->material);
    cli_json_end(&json);
}

/* ---- figure ---- */

enum { N_CURVE = 361, EVERY_POINT = 16, MOST_POINTS = 90, N_ARROWS = 32 };

typedef struct curve {
    double x[N_CURVE], y[N_CURVE];
} curve;

/* The boundary of the set that the material gets; false when memory is short. */
static bool trace(const scree_set_def* def, curve* out)
{
    scree_set* set;
    if (scree_set_create(NULL, def, &set) != SCREE_OK) return false;
    for (int k = 0; k < N_CURVE; ++k) {
        double theta = k * SCREE_DEGREE, r = scree_set_radius(set, theta);
        out->x[k] = r * cos(theta);
        out->y[k] = r * sin(theta);
    }
    scree_set_destroy(set);
    return true;
}

static void draw_points(cli_plot* plot, const scree_identification* f, const double* point,
                        const char* label)
{
    double x[MOST_POINTS], y[MOST_POINTS];
    size_t n = 0;
    for (int j = 0; j < f->n && n < MOST_POINTS; j += EVERY_POINT, ++n) {
        x[n] = point[2 * j];
        y[n] = point[2 * j + 1];
    }
    cli_plot_again(plot, CLI_PLOT_POINTS, n, x, y);
    cli_plot_label(plot, label);
}

/* At points of a set, the directions in which the contact slides under that force. */
static void draw_arrows(cli_plot* plot, const scree_identification* f, const double* point,
                        double length)
{
    double x[N_ARROWS], y[N_ARROWS], dx[N_ARROWS], dy[N_ARROWS];
    for (int k = 0; k < N_ARROWS; ++k) {
        int j = (int)((double)f->n * k / N_ARROWS);
        double phi = 360.0 * SCREE_DEGREE * j / f->n;
        x[k] = point[2 * j];
        y[k] = point[2 * j + 1];
        dx[k] = length * cos(phi);
        dy[k] = length * sin(phi);
    }
    cli_plot_arrows(plot, N_ARROWS, x, y, dx, dy);
}

int cli_identified_draw(const cli_identified* it, const char* path)
{
    const scree_identification* f = it->found;
    bool known = f->normal_force > 0.0;
    char title[160], label[2][64];
    curve c, d;
    snprintf(title, sizeof title, "Friction of %.120s", it->name);
    snprintf(label[0], sizeof label[0], "force set C, %s", scree_fit_name((int)f->sliding_form));
    snprintf(label[1], sizeof label[1], "direction set D, %s",
             scree_fit_name((int)f->direction_form));
    if (!trace(&f->sliding_set, &c) || !trace(&f->direction_set, &d)) {
        return cli_plot_end(NULL, path);
    }
    double length = 0.0;
    for (int k = 0; k < N_CURVE; ++k) length = fmax(length, 0.16 * hypot(c.x[k], c.y[k]));
    cli_plot* plot = cli_plot_begin(
        &(cli_plot_def){.title = title,
                        .x_label = known ? "force along t1 / normal force" : "force along t1 (N)",
                        .y_label = known ? "force along t2 / normal force" : "force along t2 (N)",
                        .equal = 1,
                        .width = 900,
                        .height = 600});
    cli_plot_add(plot, CLI_PLOT_FILLED, label[0], N_CURVE, c.x, c.y);
    draw_points(plot, f, f->force, "C, measured");
    draw_arrows(plot, f, f->force, length);
    cli_plot_label(plot, "direction of sliding");
    cli_plot_add(plot, CLI_PLOT_FILLED, label[1], N_CURVE, d.x, d.y);
    draw_points(plot, f, f->direction, "D, measured");
    draw_arrows(plot, f, f->direction, length);
    cli_plot_label(plot, "direction of sliding, normal to D");
    return cli_plot_end(plot, path);
}

/* ---- forces over the angle ------------------------------------------------------------------- */

/* Of the law with the sets found: z is the point of D with the normal u, the force z / k_C(z). */
typedef struct forces {
    double angle[N_CURVE], along[N_CURVE], across[N_CURVE];
} forces;

static bool trace_forces(const scree_identification* f, forces* out)
{
    scree_set *c = NULL, *d = NULL;
    bool good = scree_set_create(NULL, &f->sliding_set, &c) == SCREE_OK &&
                scree_set_create(NULL, &f->direction_set, &d) == SCREE_OK;
    for (int k = 0; k < N_CURVE && good; ++k) {
        double turn = (double)k / (N_CURVE - 1), phi = 2.0 * acos(-1.0) * turn, z[2];
        const double u[2] = {cos(phi), sin(phi)};
        scree_set_support(d, u, z);
        double gauge = scree_set_gauge(c, z);
        out->angle[k] = 360.0 * turn;
        out->along[k] = (z[0] * u[0] + z[1] * u[1]) / gauge;
        out->across[k] = (z[1] * u[0] - z[0] * u[1]) / gauge;
    }
    scree_set_destroy(c);
    scree_set_destroy(d);
    return good;
}

/* As draw_points(): no more than fit beside each other. */
static void draw_measured(cli_plot* plot, const scree_identification* f, const double* force)
{
    double x[N_CURVE], y[N_CURVE];
    int32_t stride = (f->n + N_CURVE - 1) / N_CURVE;
    size_t n = 0;
    for (int32_t i = 0; i < f->n && n < N_CURVE; i += stride, ++n) {
        x[n] = 360.0 * i / f->n;
        y[n] = force[i];
    }
    cli_plot_again(plot, CLI_PLOT_POINTS, n, x, y);
}

int cli_identified_draw_forces(const cli_identified* it, const char* path)
{
    const scree_identification* f = it->found;
    char title[160];
    forces law;
    snprintf(title, sizeof title, "Forces on a pin over %.100s (points: measured)", it->name);
    if (!trace_forces(f, &law)) return cli_plot_end(NULL, path);
    cli_plot* plot = cli_plot_begin(
        &(cli_plot_def){.title = title,
                        .x_label = "direction of sliding (degrees)",
                        .y_label = f->normal_force > 0.0 ? "force / normal force" : "force (N)"});
    cli_plot_add(plot, CLI_PLOT_LINE, "tangential, by the sets", N_CURVE, law.angle, law.along);
    draw_measured(plot, f, f->tangential);
    cli_plot_add(plot, CLI_PLOT_LINE, "radial, by the sets", N_CURVE, law.angle, law.across);
    draw_measured(plot, f, f->radial);
    return cli_plot_end(plot, path);
}
