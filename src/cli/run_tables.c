/* Tables that a run writes besides its recording: the course of the scene's measures, and the
 * passages of its probes. */
#include "cli/run.h"

#include <inttypes.h>
#include <math.h>

enum { NAME_SIZE = 96 };

static int open_one(cli_run* run, const char* path, FILE** out)
{
    if (!path) return CLI_DONE;
    *out = fopen(path, "w");
    if (*out) return CLI_DONE;
    cli_say(run->host.verb, "%s: cannot be written", path);
    return CLI_BAD_INPUT;
}

int cli_run_open_tables(cli_run* run)
{
    const scree_scene* scene = run->scene;
    int code = open_one(run, run->options->series, &run->series);
    if (code == CLI_DONE) code = open_one(run, run->options->passages, &run->passages);
    if (code != CLI_DONE) return code;
    if (run->series) {
        fputs("time", run->series);
        for (int32_t k = 0; k < scene->n_measures; ++k) {
            fprintf(run->series, ",%s", scene->measures[k].name);
        }
        fputc('\n', run->series);
    }
    if (run->passages) fputs("time,probe,body,direction,mass,speed\n", run->passages);
    return CLI_DONE;
}

/* A line where a frame of a recording would be due. */
static void write_series(cli_run* run)
{
    scree_world_view view = scree_simulation_view(run->simulation);
    double step = run->scene->world.step, interval = run->scene->interval;
    int64_t now = (int64_t)floor(view.time / interval + 1e-9);
    int64_t before = (int64_t)floor((view.time - step) / interval + 1e-9);
    if (now == before) return;
    fprintf(run->series, "%.17g", view.time);
    for (int32_t k = 0; k < run->scene->n_measures; ++k) {
        double value = scree_simulation_measure(run->simulation, k);
        if (isnan(value)) {
            fputc(',', run->series); /* nothing yet */
        } else {
            fprintf(run->series, ",%.17g", value);
        }
    }
    fputc('\n', run->series);
}

static void write_passages(cli_run* run)
{
    int32_t n;
    const scree_passage* list = scree_simulation_passages(run->simulation, &n);
    for (int32_t i = 0; i < n; ++i) {
        char name[NAME_SIZE];
        scree_simulation_body_name(run->simulation, list[i].body, name, sizeof name);
        fprintf(run->passages, "%.17g,%s,%s,%d,%.17g,%.17g\n", list[i].time,
                run->scene->probes[list[i].probe].name, name, list[i].direction, list[i].mass,
                list[i].speed);
    }
}

void cli_run_write_tables(cli_run* run)
{
    if (run->series) write_series(run);
    if (run->passages) write_passages(run);
}

static int close_one(cli_run* run, const char* path, FILE** file)
{
    if (!*file) return CLI_DONE;
    int failed = ferror(*file);
    failed |= fclose(*file);
    *file = NULL;
    if (failed) cli_say(run->host.verb, "%s: could not be written to its end", path);
    return failed ? CLI_FAILED : CLI_DONE;
}

int cli_run_close_tables(cli_run* run)
{
    int series = close_one(run, run->options->series, &run->series);
    int passages = close_one(run, run->options->passages, &run->passages);
    return series != CLI_DONE ? series : passages;
}
