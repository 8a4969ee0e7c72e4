/* scree run stribeck, ...: how fast a small displacement grows at the values given, and what the
 * motion becomes. */
#include "cli/host.h"
#include "cli/report.h"
#include "cli/study.h"
#include "cli/table_file.h"
#include "cli/watch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int cli_find_mechanism(const char* name)
{
    for (int i = 0; i < scree_mechanism_count(); ++i) {
        if (strcmp(scree_mechanism_get(i).name, name) == 0) return i;
    }
    return -1;
}

void cli_describe_mechanism(int index, cli_mechanism* out)
{
    *out = (cli_mechanism){.info = scree_mechanism_get(index)};
    for (int32_t i = 0; i < out->info.n_parameters; ++i) {
        const scree_mechanism_parameter* p = &out->info.parameter[i];
        out->value[i] = p->usual;
        out->item[i] =
            (cli_parameter){.name = p->name,
                            .meaning = p->meaning,
                            .offset = offsetof(cli_mechanism, value) + (size_t)i * sizeof(double)};
    }
    out->parameters = (cli_parameters){out->info.name, out->info.n_parameters, out->item};
}

#define AT(field) offsetof(cli_mechanism, motion.field)

void cli_describe_motion(cli_mechanism* out)
{
    static const cli_parameter items[] = {
        {.name = "start",
         .meaning = "displacement of the first coordinate to begin with",
         .offset = AT(start)},
        {.name = "duration",
         .meaning = "of the motion, s; 0: until it has grown, and some more",
         .offset = AT(duration)},
        {.name = "step",
         .meaning = "time step, s; 0: a five-hundredth of the mode's period",
         .offset = AT(step)},
        {.name = "every",
         .meaning = "steps between two lines of the table that -o names",
         .offset = offsetof(cli_mechanism, every),
         .kind = CLI_PARAMETER_WHOLE},
    };
    memcpy(out->item + out->info.n_parameters, items, sizeof items);
    out->parameters.n += CLI_COUNT(items);
    out->motion = scree_default_mechanism_motion_def();
    out->every = 5;
}

typedef struct job {
    cli_mechanism mechanism;
    scree_mode mode;
    scree_mechanism_run small; /* while it is small */
    scree_mechanism_motion motion;
    cli_table_file table;
    int64_t step;
} job;

static int look(void* user, const scree_mechanism_sample* s)
{
    job* j = user;
    double line[5 + 2 * SCREE_MECHANISM_COORDINATES] = {s->time};
    int n = 1, coordinates = j->mechanism.info.n_coordinates;
    for (int i = 0; i < coordinates; ++i) line[n++] = s->position[i];
    for (int i = 0; i < coordinates; ++i) line[n++] = s->velocity[i];
    line[n++] = s->normal;
    line[n++] = s->friction;
    line[n++] = s->slip;
    line[n++] = s->sticks;
    if (++j->step % j->mechanism.every == 0) cli_table_line(&j->table, line, n);
    return cli_watch_interrupted();
}

static int begin_table(job* j, const cli_study_run* run)
{
    char columns[128];
    const scree_mechanism_info* info = &j->mechanism.info;
    int n = snprintf(columns, sizeof columns, "time");
    for (int k = 0; k < 2 * info->n_coordinates; ++k) {
        n += snprintf(columns + n, sizeof columns - (size_t)n,
                      k < info->n_coordinates ? ",%s" : ",u_%s",
                      info->coordinate[k % info->n_coordinates]);
    }
    snprintf(columns + n, sizeof columns - (size_t)n, ",normal,friction,slip,sticks");
    return cli_table_begin(&j->table, run->verb, run->output, columns);
}

static void print_table(const job* j)
{
    const scree_mechanism_motion* m = &j->motion;
    cli_row("growth", "%.6g /s by eigenvalue, %.6g rad/s",
            cli_without_rounding(j->mode.growth, j->mode.frequency), j->mode.frequency);
    cli_row("", "%.6g /s in the simulation", j->small.growth);
    cli_row("motion", "%s from %.6g to %.6g in the last quarter of %.4g s",
            j->mechanism.info.coordinate[0], m->least, m->most, m->time);
    if (m->period == m->period) cli_row("period", "%.6g s", m->period);
    cli_row("sticks", "%.4g of the time", m->stick_fraction);
    cli_row("is open", "%.4g of the time", m->open_fraction);
    cli_row("steps", "%" PRId64 ", %" PRId64 " missed the tolerance", j->small.steps + m->steps,
            j->small.not_converged + m->not_converged);
    cli_row("worst residual", "%.2g", fmax(j->small.residual, m->residual));
}

static void print_json(const job* j)
{
    const scree_mechanism_motion* m = &j->motion;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "study", j->mechanism.info.name);
    cli_json_parameters(&json, &j->mechanism.parameters, &j->mechanism);
    cli_json_real(&json, "growth", j->mode.growth);
    cli_json_real(&json, "frequency", j->mode.frequency);
    cli_json_real(&json, "growth_simulated", j->small.growth);
    cli_json_text(&json, "coordinate", j->mechanism.info.coordinate[0]);
    cli_json_reals(&json, "range", (double[]){m->least, m->most}, 2);
    cli_json_real(&json, "period", m->period);
    cli_json_real(&json, "stick_fraction", m->stick_fraction);
    cli_json_real(&json, "open_fraction", m->open_fraction);
    cli_json_real(&json, "time", m->time);
    cli_json_real(&json, "residual_max", fmax(j->small.residual, m->residual));
    cli_json_integer(&json, "steps", j->small.steps + m->steps);
    cli_json_integer(&json, "steps_not_converged", j->small.not_converged + m->not_converged);
    cli_json_end(&json);
}

static int simulate(job* j, int index, const cli_study_run* run)
{
    cli_host host = {.verb = run->verb};
    scree_env env = cli_env(&host);
    scree_mechanism_motion_def def = j->mechanism.motion;
    const double* value = j->mechanism.value;
    cli_host_turn_to(&host, run->name);
    def.watch = look;
    def.user = j;
    scree_status status = scree_mechanism_mode(&env, index, value, &j->mode);
    if (!status) status = scree_mechanism_simulate(&env, index, value, 0.0, &j->small);
    if (!status) status = scree_mechanism_follow(&env, index, value, &def, &j->motion);
    if (status) return cli_refuse(&host, status);
    if (run->json) {
        print_json(j);
    } else if (!run->quiet) {
        print_table(j);
    }
    int64_t missed = j->small.not_converged + j->motion.not_converged;
    if (missed == 0) return CLI_DONE;
    cli_say(run->verb, "%" PRId64 " steps missed the tolerance", missed);
    return CLI_FAILED;
}

int cli_run_mechanism(const cli_study_run* run)
{
    int index = cli_find_mechanism(run->name);
    job j = {.step = 0};
    cli_watch watch;
    cli_describe_mechanism(index, &j.mechanism);
    cli_describe_motion(&j.mechanism);
    int code = cli_set_parameters(run->verb, &j.mechanism.parameters, run->settings, &j.mechanism);
    if (code != CLI_DONE) return code;
    if (j.mechanism.every < 1) return cli_usage_error(run->verb, "--set every: must be at least 1");
    code = begin_table(&j, run);
    if (code != CLI_DONE) return code;
    cli_watch_begin(&watch, run->verb);
    code = simulate(&j, index, run);
    cli_watch_end(&watch);
    return cli_table_end(&j.table, code);
}
