/* scree run sliding-disc: where a disc comes to rest under four laws of friction. */
#include "cli/host.h"
#include "cli/report.h"
#include "cli/study.h"
#include "cli/table_file.h"
#include "cli/watch.h"

#include <inttypes.h>
#include <string.h>

#define AT(field) offsetof(cli_disc, def.field)

static const char* const laws[] = {"ellipse", "superellipse", "collinear", "extended", NULL};

static const cli_parameter items[] = {
    {.name = "law",
     .meaning = "ellipse or superellipse (associated), collinear, or extended",
     .offset = offsetof(cli_disc, law),
     .kind = CLI_PARAMETER_CHOICE,
     .choices = laws},
    {.name = "v", .meaning = "speed at the beginning, m/s", .offset = AT(speed)},
    {.name = "phi",
     .meaning = "direction of motion, degrees from the grooves",
     .offset = AT(phi),
     .unit = SCREE_DEGREE},
    {.name = "g", .meaning = "gravity, m/s^2", .offset = AT(gravity)},
    {.name = "load", .meaning = "normal force of the measured forces, N", .offset = AT(load)},
    {.name = "a", .meaning = "force set: semi-axis across the grooves, N", .offset = AT(forces[0])},
    {.name = "b", .meaning = "force set: semi-axis along the grooves, N", .offset = AT(forces[1])},
    {.name = "s", .meaning = "force set: roundness, 2 is an ellipse", .offset = AT(forces[2])},
    {.name = "d_a",
     .meaning = "direction set: semi-axis across (its shape counts, not its size)",
     .offset = AT(flow[0])},
    {.name = "d_b", .meaning = "direction set: semi-axis along the grooves", .offset = AT(flow[1])},
    {.name = "d_s", .meaning = "direction set: roundness", .offset = AT(flow[2])},
    {.name = "step", .meaning = "time step, s", .offset = AT(step)},
    {.name = "every",
     .meaning = "steps between two lines of the table that -o names",
     .offset = offsetof(cli_disc, every),
     .kind = CLI_PARAMETER_WHOLE},
};

const cli_parameters cli_disc_parameters = {"sliding-disc", CLI_COUNT(items), items};

static const char columns[] = "time,across,along,u_across,u_along";

/* The law comes first, wherever it stands: it decides what the sets are. */
int cli_read_disc(const char* verb, const cli_list* settings, cli_disc* out)
{
    *out = (cli_disc){.law = SCREE_DISC_EXTENDED, .every = 50};
    cli_list first = {0};
    for (int i = 0; i < settings->n; ++i) {
        bool is_law = strncmp(settings->item[i], "law=", strlen("law=")) == 0;
        if (is_law) first.item[first.n++] = settings->item[i];
    }
    int code = cli_set_parameters(verb, &cli_disc_parameters, &first, out);
    if (code != CLI_DONE) return code;
    out->def = scree_default_disc_def((scree_disc_law)out->law);
    return cli_set_parameters(verb, &cli_disc_parameters, settings, out);
}

typedef struct job {
    cli_disc disc;
    cli_table_file table;
    int64_t step;
} job;

static int look(void* user, const scree_disc_sample* s)
{
    job* j = user;
    const double line[] = {s->time, s->position[0], s->position[1], s->velocity[0], s->velocity[1]};
    bool rests = s->velocity[0] == 0.0 && s->velocity[1] == 0.0;
    if (++j->step % j->disc.every == 0 || rests) {
        cli_table_line(&j->table, line, CLI_COUNT(line));
    }
    return cli_watch_interrupted();
}

static void print_table(const cli_disc* disc, const scree_disc_path* p)
{
    cli_row("law", "%s", laws[disc->law]);
    cli_row("stops at", "%.6g m across, %.6g m along the grooves", p->stop[0], p->stop[1]);
    cli_row("after", "%.6g s, %.6g m", p->time, p->length);
    cli_row("deflection", "%.4g degrees",
            cli_without_rounding(p->deflection / SCREE_DEGREE, 360.0));
    cli_row("steps", "%" PRId64 ", %" PRId64 " missed the tolerance", p->steps, p->not_converged);
    cli_row("worst residual", "%.2g", p->residual);
}

static void print_json(const cli_disc* disc, const scree_disc_path* p)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "study", "sliding-disc");
    cli_json_parameters(&json, &cli_disc_parameters, disc);
    cli_json_boolean(&json, "stopped", p->has_stopped != 0);
    cli_json_reals(&json, "stop", p->stop, 2);
    cli_json_real(&json, "stop_time", p->time);
    cli_json_real(&json, "path_length", p->length);
    cli_json_real(&json, "deflection_deg", p->deflection / SCREE_DEGREE);
    cli_json_real(&json, "heading_deg", p->heading / SCREE_DEGREE);
    cli_json_real(&json, "residual_max", p->residual);
    cli_json_integer(&json, "steps", p->steps);
    cli_json_integer(&json, "steps_not_converged", p->not_converged);
    cli_json_end(&json);
}

static int simulate(job* j, const cli_study_run* run)
{
    cli_host host = {.verb = run->verb};
    scree_env env = cli_env(&host);
    scree_disc_path path;
    cli_host_turn_to(&host, run->name);
    j->disc.def.law = (scree_disc_law)j->disc.law;
    scree_status status = scree_disc_simulate(&env, &j->disc.def, look, j, &path);
    if (status) return cli_refuse(&host, status);
    if (run->json) {
        print_json(&j->disc, &path);
    } else if (!run->quiet) {
        print_table(&j->disc, &path);
    }
    if (!path.has_stopped) cli_say(run->verb, "interrupted: the disc still moves");
    if (path.not_converged > 0) {
        cli_say(run->verb, "%" PRId64 " steps missed the tolerance", path.not_converged);
    }
    return path.has_stopped && path.not_converged == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_run_disc(const cli_study_run* run)
{
    job j = {.step = 0};
    cli_watch watch;
    int code = cli_read_disc(run->verb, run->settings, &j.disc);
    if (code != CLI_DONE) return code;
    if (j.disc.every < 1) return cli_usage_error(run->verb, "--set every: must be at least 1");
    code = cli_table_begin(&j.table, run->verb, run->output, columns);
    if (code != CLI_DONE) return code;
    cli_watch_begin(&watch, run->verb);
    code = simulate(&j, run);
    cli_watch_end(&watch);
    return cli_table_end(&j.table, code);
}
