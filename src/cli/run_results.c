/* What a scene has measured, and what it makes of that beside what is expected. */
#include "cli/report.h"
#include "cli/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Values of the scene's results, to be given to free(); NULL where there are none. */
static double* find_results(const cli_run* run)
{
    int32_t n = run->scene->source->n_results;
    double* value = n > 0 ? malloc((size_t)n * sizeof *value) : NULL;
    if (value && scree_scene_results(NULL, run->scene, run->simulation, value)) {
        free(value);
        return NULL;
    }
    return value;
}

void cli_run_write_results(cli_json* json, const cli_run* run)
{
    const scree_scene_source* from = run->scene->source;
    double* value = find_results(run);
    cli_json_object(json, "results");
    for (int32_t k = 0; value && k < from->n_results; ++k) {
        cli_json_object(json, from->results[k].name);
        cli_json_real(json, "value", value[k]);
        cli_json_real(json, "expected", from->results[k].expected);
        cli_json_text(json, "meaning", from->results[k].meaning);
        cli_json_end(json);
    }
    cli_json_end(json);
    free(value);
}

static void print_measures(const cli_run* run)
{
    const scree_scene* scene = run->scene;
    if (scene->n_measures > 0) cli_heading("measures");
    for (int32_t k = 0; k < scene->n_measures; ++k) {
        char label[80];
        snprintf(label, sizeof label, "  %s", scene->measures[k].name);
        cli_row(label, "%-10.6g", scree_simulation_measure(run->simulation, k));
    }
}

void cli_run_print_results(const cli_run* run)
{
    const scree_scene_source* from = run->scene->source;
    print_measures(run);
    double* value = find_results(run);
    if (value) cli_heading("results");
    for (int32_t k = 0; value && k < from->n_results; ++k) {
        const scree_result* result = &from->results[k];
        char label[80], beside[48] = "";
        snprintf(label, sizeof label, "  %s", result->name);
        if (!isnan(result->expected)) {
            snprintf(beside, sizeof beside, "expected %-10.6g ", result->expected);
        }
        cli_row(label, "%-10.6g %s%s", value[k], beside, result->meaning);
    }
    free(value);
}
