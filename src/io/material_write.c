/* An identified material as a file that a scene can name. */
#include "base/env.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "scree_io/measurement.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* More digits than a measurement has. */
static void write_numbers(FILE* out, int n, const double* values)
{
    char text[SCRI_NUMBER_SIZE];
    for (int k = 0; k < n; ++k) {
        fprintf(out, "%s%s", k ? ", " : "", scri_number_shorten(values[k], 6, text));
    }
}

static void write_points(FILE* out, const scree_set_def* set, double scale)
{
    bool polar = set->kind == SCREE_SET_POLAR;
    for (int k = 0; k < set->n; ++k) {
        const double* p = set->points + 2 * (size_t)k;
        double values[2] = {polar ? p[0] / SCREE_DEGREE : scale * p[0], scale * p[1]};
        fputs(k == 0 ? "[" : k % 5 ? ", [" : ",\n  [", out);
        write_numbers(out, 2, values);
        fputc(']', out);
    }
}

static void write_set(FILE* out, const char* key, const scree_set_def* set)
{
    double scale = set->scale > 0.0 ? set->scale : 1.0, angle = set->angle / SCREE_DEGREE;
    double sizes[3] = {scale * set->a, scale * set->b, set->s};
    fprintf(out, "%s {%s: [", key, scree_set_kind_name((int)set->kind));
    if (set->points) {
        write_points(out, set, scale);
    } else {
        write_numbers(out, set->kind == SCREE_SET_SUPERELLIPSE ? 3 : 2, sizes);
    }
    fputs("], degrees: ", out);
    write_numbers(out, 1, &angle);
    fputs("}\n", out);
}

static void write_error(FILE* out, const char* name, const scree_estimate* e)
{
    if (e->error > 0.0) {
        fprintf(out, "%s %.2g", name, e->error);
    } else {
        fprintf(out, "%s (given)", name);
    }
}

static void write_errors(FILE* out, const char* what, const scree_fitted* f, scree_fit_form form)
{
    if (form == SCREE_FIT_TABLE) {
        fprintf(out, "# %s: the measured curve itself\n", what);
        return;
    }
    fprintf(out, "# %s: standard errors", what);
    write_error(out, " a", &f[form].a);
    write_error(out, ", b", &f[form].b);
    if (form == SCREE_FIT_SUPERELLIPSE) write_error(out, ", s", &f[form].s);
    fprintf(out, "; residuals %.2g (root mean square)\n", f[form].rms);
}

/* A comment ends at the end of its line, whatever the text holds. */
static void write_comment(FILE* out, const char* text)
{
    for (const char* c = text; *c; ++c) {
        fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, out);
    }
}

static void write_material(FILE* out, const scree_identification* found, const char* title,
                           const char* name)
{
    fputs("# Friction of ", out);
    write_comment(out, title);
    fputs(", from a measurement (scree identify).\n", out);
    fprintf(out, "# Forces over the normal force, mean %.6g N; t1 is the direction of angle 0.\n",
            found->normal_force);
    write_errors(out, "sliding", found->sliding, found->sliding_form);
    write_errors(out, "direction", found->directing, found->direction_form);
    fputs("# A scene names this file:  materials: {plate: {file: ", out);
    write_comment(out, name);
    fputs(", lay: [1, 0, 0]}}\nmu: 1\n", out);
    write_set(out, "sliding:", &found->sliding_set);
    write_set(out, "direction:", &found->direction_set);
}

scree_status scree_material_write(const scree_env* env, const char* path,
                                  const scree_identification* identification, const char* title)
{
    if (!path || !identification) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or nothing to write");
    }
    scri_output out;
    scri_file_env file_env;
    scri_file_env_begin(env, path, &file_env);
    if (!(identification->normal_force > 0.0)) {
        return scri_fail(&file_env.env, SCREE_ERROR_INPUT,
                         "a material needs the normal force, which is not known");
    }
    scree_status status = scri_output_begin(&file_env.env, path, &out);
    if (!status) {
        const char* slash = strrchr(path, '/');
        write_material(out.stream, identification, title, slash ? slash + 1 : path);
        status = scri_output_end(&out, SCREE_OK);
    }
    return scri_file_env_end(&file_env, status);
}
