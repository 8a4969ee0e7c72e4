/* What a scene has counted and measured, and what it makes of that beside what is expected. */
#include "cli/report.h"
#include "cli/run.h"

#include <inttypes.h>
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

static void write_way(cli_json* json, const char* key, const scree_probe_tally* t, int way)
{
    cli_json_object(json, key);
    cli_json_integer(json, "bodies", t->bodies[way]);
    cli_json_real(json, "mass", t->mass[way]);
    cli_json_real(json, "mean_speed", t->speed[way] / (double)t->bodies[way]);
    cli_json_end(json);
}

void cli_run_write_counts(cli_json* json, const cli_run* run)
{
    const scree_scene* scene = run->scene;
    cli_json_object(json, "probes");
    for (int32_t k = 0; k < scene->n_probes; ++k) {
        scree_probe_tally t = scree_simulation_probe(run->simulation, k);
        cli_json_object(json, scene->probes[k].name);
        write_way(json, "forward", &t, 0);
        write_way(json, "backward", &t, 1);
        cli_json_real(json, "first", t.first);
        cli_json_real(json, "last", t.last);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_object(json, "sinks");
    for (int32_t k = 0; k < scene->n_sinks; ++k) {
        scree_sink_tally t = scree_simulation_sink(run->simulation, k);
        cli_json_object(json, scene->sinks[k].name);
        cli_json_integer(json, "bodies", t.bodies);
        cli_json_real(json, "mass", t.mass);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_counts(const cli_run* run)
{
    const scree_scene* scene = run->scene;
    for (int32_t k = 0; k < scene->n_probes; ++k) {
        scree_probe_tally t = scree_simulation_probe(run->simulation, k);
        cli_row(k == 0 ? "probes" : "",
                "%s: %" PRId64 " bodies, %.6g kg forward, %" PRId64 " bodies, %.6g kg backward",
                scene->probes[k].name, t.bodies[0], t.mass[0], t.bodies[1], t.mass[1]);
    }
    for (int32_t k = 0; k < scene->n_sinks; ++k) {
        scree_sink_tally t = scree_simulation_sink(run->simulation, k);
        cli_row(k == 0 ? "sinks" : "", "%s: %" PRId64 " bodies, %.6g kg", scene->sinks[k].name,
                t.bodies, t.mass);
    }
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
    print_counts(run);
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
