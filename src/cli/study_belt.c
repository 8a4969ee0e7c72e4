/* scree run belt: the limit cycle of the mass on the belt. */
#include "cli/host.h"
#include "cli/report.h"
#include "cli/study.h"
#include "cli/table_file.h"
#include "cli/watch.h"

#include <inttypes.h>

#define AT(field) offsetof(cli_belt, def.field)

static const cli_parameter items[] = {
    {.name = "m", .meaning = "mass, kg", .offset = AT(mass)},
    {.name = "k",
     .meaning = "stiffness of the springs along x and y, N/m",
     .offset = AT(stiffness)},
    {.name = "g", .meaning = "gravity, m/s^2; forces do not depend on it", .offset = AT(gravity)},
    {.name = "v", .meaning = "speed of the belt, m/s", .offset = AT(speed)},
    {.name = "phi",
     .meaning = "direction that the belt moves in, degrees from x",
     .offset = AT(phi),
     .unit = SCREE_DEGREE},
    {.name = "a", .meaning = "first semi-axis of the force set, N", .offset = AT(semi_axis[0])},
    {.name = "b", .meaning = "second semi-axis of the force set, N", .offset = AT(semi_axis[1])},
    {.name = "zeta",
     .meaning = "rotation of the force set, degrees",
     .offset = AT(zeta),
     .unit = SCREE_DEGREE},
    {.name = "ratio", .meaning = "of the direction set's semi-axes, x to y", .offset = AT(ratio)},
    {.name = "x0", .meaning = "start beside the equilibrium, m", .offset = AT(start[0])},
    {.name = "y0", .meaning = "the same along y, m", .offset = AT(start[1])},
    {.name = "step", .meaning = "time step, s", .offset = AT(step)},
    {.name = "end", .meaning = "time after which no cycle is expected, s", .offset = AT(end)},
    {.name = "discard",
     .meaning = "cycles to wait once they return",
     .offset = AT(discard),
     .kind = CLI_PARAMETER_WHOLE},
    {.name = "measure",
     .meaning = "cycles to measure",
     .offset = AT(measure),
     .kind = CLI_PARAMETER_WHOLE},
    {.name = "every",
     .meaning = "steps between two lines of the table that -o names",
     .offset = offsetof(cli_belt, every),
     .kind = CLI_PARAMETER_WHOLE},
};

const cli_parameters cli_belt_parameters = {"belt", CLI_COUNT(items), items};

static const char columns[] = "time,x,y,u_x,u_y,force_x,force_y,slip_x,slip_y,sticks,measured";

cli_belt cli_default_belt(void)
{
    return (cli_belt){.def = scree_default_belt_def(), .every = 20};
}

typedef struct job {
    cli_belt belt;
    cli_watch watch;
    cli_table_file table;
    int64_t step;
} job;

static int look(void* user, const scree_belt_sample* s)
{
    job* j = user;
    const double line[] = {s->time,        s->position[0], s->position[1],        s->velocity[0],
                           s->velocity[1], s->force[0],    s->force[1],           s->slip[0],
                           s->slip[1],     s->sticks,      (double)s->is_measured};
    if (++j->step % j->belt.every == 0) cli_table_line(&j->table, line, CLI_COUNT(line));
    if (cli_watch_due(&j->watch)) {
        cli_watch_show(&j->watch, "%.1f s simulated, x = %.3f m, y = %.3f m", s->time,
                       s->position[0], s->position[1]);
    }
    return cli_watch_interrupted();
}

const char* cli_belt_outcome(scree_belt_outcome outcome)
{
    switch (outcome) {
    case SCREE_BELT_CYCLE:
        return "limit cycle";
    case SCREE_BELT_STEADY:
        return "steady";
    case SCREE_BELT_UNDECIDED:
        return "undecided";
    case SCREE_BELT_INTERRUPTED:
        break;
    }
    return "interrupted";
}

static void print_table(const scree_belt_cycle* c)
{
    cli_row("outcome", "%s", cli_belt_outcome(c->outcome));
    if (c->outcome == SCREE_BELT_CYCLE) {
        cli_row("period", "%.6g s, %d %s%s", c->period, (int)c->rounds,
                c->stick_fraction > 0.0 ? "slip" : "turn", c->rounds == 1 ? "" : "s");
    }
    cli_row("x", "%.6g to %.6g m", c->least[0], c->most[0]);
    cli_row("y", "%.6g to %.6g m", c->least[1], c->most[1]);
    cli_row("sticks", "%.5g of the time", c->stick_fraction);
    cli_row("slides", "at up to %.5g m/s", c->slip_speed);
    cli_row("steps", "%" PRId64 ", %" PRId64 " missed the tolerance", c->steps, c->not_converged);
    cli_row("worst residual", "%.2g", c->residual);
}

static void print_json(const cli_belt* belt, const scree_belt_equilibrium* e,
                       const scree_belt_cycle* c)
{
    const double x[2] = {c->least[0], c->most[0]}, y[2] = {c->least[1], c->most[1]};
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "study", "belt");
    cli_json_parameters(&json, &cli_belt_parameters, belt);
    cli_json_text(&json, "outcome", cli_belt_outcome(c->outcome));
    cli_json_real(&json, "period", c->period);
    cli_json_integer(&json, "rounds", c->rounds);
    cli_json_reals(&json, "x", x, 2);
    cli_json_reals(&json, "y", y, 2);
    cli_json_real(&json, "stick_fraction", c->stick_fraction);
    cli_json_real(&json, "slip_speed_max", c->slip_speed);
    cli_json_reals(&json, "equilibrium", e->position, 2);
    cli_json_boolean(&json, "equilibrium_unstable", e->is_unstable != 0);
    cli_json_real(&json, "residual_max", c->residual);
    cli_json_integer(&json, "steps", c->steps);
    cli_json_integer(&json, "steps_not_converged", c->not_converged);
    cli_json_real(&json, "time", c->time);
    cli_json_end(&json);
}

static int simulate(job* j, const cli_study_run* run)
{
    cli_host host = {.verb = run->verb};
    scree_env env = cli_env(&host);
    scree_belt_equilibrium rest;
    scree_belt_cycle cycle;
    cli_host_turn_to(&host, run->name);
    scree_status status = scree_belt_analyse(&env, &j->belt.def, &rest);
    if (!status) status = scree_belt_simulate(&env, &j->belt.def, look, j, &cycle);
    cli_watch_end(&j->watch);
    if (status) return cli_refuse(&host, status);
    if (run->json) {
        print_json(&j->belt, &rest, &cycle);
    } else if (!run->quiet) {
        print_table(&cycle);
    }
    if (cycle.not_converged > 0) {
        cli_say(run->verb, "%" PRId64 " steps missed the tolerance", cycle.not_converged);
    }
    bool good = cycle.outcome == SCREE_BELT_CYCLE || cycle.outcome == SCREE_BELT_STEADY;
    if (!good) cli_say(run->verb, "%s: no cycle was measured", cli_belt_outcome(cycle.outcome));
    return good && cycle.not_converged == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_run_belt(const cli_study_run* run)
{
    job j = {.belt = cli_default_belt()};
    int code = cli_set_parameters(run->verb, &cli_belt_parameters, run->settings, &j.belt);
    if (code != CLI_DONE) return code;
    if (j.belt.every < 1) return cli_usage_error(run->verb, "--set every: must be at least 1");
    code = cli_table_begin(&j.table, run->verb, run->output, columns);
    if (code != CLI_DONE) return code;
    cli_watch_begin(&j.watch, run->verb);
    code = simulate(&j, run);
    return cli_table_end(&j.table, code);
}
