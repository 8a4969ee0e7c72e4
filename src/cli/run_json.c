#include "cli/json.h"
#include "cli/recorded.h"
#include "cli/run.h"
#include "cli/run_measure.h"

/* Bodies beyond these are left out of the object, and counted; a recording has them all. */
enum { MOST_BODIES = 1000, NAME_SIZE = 256 };

static void write_scene(cli_json* json, const cli_run* run)
{
    const scree_scene_source* from = run->scene->source;
    cli_json_text(json, "scene", from->path);
    cli_json_text(json, "title", run->scene->title);
    cli_json_array(json, "settings");
    for (int i = 0; i < from->n_settings; ++i) cli_json_text(json, NULL, from->settings[i]);
    cli_json_end(json);
    cli_json_text(json, "status", cli_run_status(run));
}

static void write_body(cli_json* json, const cli_run* run, const scree_world_view* view, int32_t b)
{
    char name[NAME_SIZE];
    size_t i = (size_t)b;
    scree_simulation_body_name(run->simulation, b, name, sizeof name);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    cli_json_reals(json, "position", view->position + 3 * i, 3);
    cli_json_reals(json, "rotation", view->rotation + 4 * i, 4);
    cli_json_reals(json, "velocity", view->velocity + 3 * i, 3);
    cli_json_reals(json, "angular_velocity", view->angular_velocity + 3 * i, 3);
    cli_json_end(json);
}

static void write_final(cli_json* json, const cli_run* run, const scree_world_view* view)
{
    int64_t n = 0, left_out = 0;
    cli_json_object(json, "final");
    cli_json_real(json, "time", view->time);
    cli_json_integer(json, "n_bodies", view->n_bodies);
    cli_json_array(json, "bodies");
    for (int32_t b = 0; b < view->n_bodies; ++b) {
        if (view->kind[b] == SCREE_BODY_STATIC || view->kind[b] == SCREE_BODY_NONE) continue;
        if (n < MOST_BODIES) write_body(json, run, view, b);
        left_out += n++ >= MOST_BODIES;
    }
    cli_json_end(json);
    cli_json_integer(json, "bodies_left_out", left_out);
    cli_json_end(json);
}

static void write_energy(cli_json* json, const scree_totals* totals, const cli_run_measure* m)
{
    cli_json_real(json, "energy", m->energy);
    cli_json_object(json, "energy_budget");
    cli_json_real(json, "begin", totals->energy_begin);
    cli_json_real(json, "added", totals->energy_added);
    cli_json_real(json, "force_work", totals->force_work);
    cli_json_real(json, "contact_work", totals->contact_work);
    cli_json_real(json, "kinetic", totals->kinetic);
    cli_json_real(json, "potential", totals->potential);
    cli_json_real(json, "defect", m->defect);
    cli_json_end(json);
    cli_json_object(json, "dissipation");
    cli_json_real(json, "slide", totals->dissipation[0]);
    cli_json_real(json, "roll", totals->dissipation[1]);
    cli_json_real(json, "spin", totals->dissipation[2]);
    cli_json_real(json, "rest", m->impacts);
    cli_json_end(json);
}

static void write_times(cli_json* json, const cli_run* run, const cli_run_measure* m)
{
    cli_json_real(json, "wall_s", run->wall);
    cli_json_real(json, "cpu_s", run->cpu);
    cli_json_object(json, "time_s");
    cli_json_real(json, "contacts", m->time_contacts);
    cli_json_real(json, "solve", m->time_solve);
    cli_json_real(json, "certify", m->time_certify);
    cli_json_real(json, "move", m->time_move);
    cli_json_real(json, "record", run->record);
    cli_json_real(json, "other", m->time_other);
    cli_json_end(json);
    cli_json_real(json, "speed", m->speed);
    cli_json_real(json, "updates_per_s", m->updates);
    cli_json_real(json, "peak_memory_bytes", cli_peak_memory());
}

static void write_conflicts(cli_json* json, const cli_run* run)
{
    int32_t n;
    const scree_conflict* list = scree_simulation_conflicts(run->simulation, &n);
    cli_json_array(json, "no_solution");
    for (int32_t i = 0; i < n; ++i) {
        char name[NAME_SIZE];
        cli_json_object(json, NULL);
        cli_json_array(json, "bodies");
        for (int k = 0; k < 2; ++k) {
            scree_simulation_body_name(run->simulation, list[i].body[k], name, sizeof name);
            cli_json_text(json, NULL, name);
        }
        cli_json_end(json);
        cli_json_real(json, "time", list[i].time);
        cli_json_real(json, "approach", list[i].approach);
        cli_json_integer(json, "steps", list[i].steps);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_measure(cli_json* json, const cli_run* run)
{
    scree_totals totals = scree_simulation_totals(run->simulation);
    cli_run_measure m = cli_run_measured(run, &totals);
    cli_json_object(json, "measure");
    cli_json_real(json, "top", m.top);
    cli_json_real(json, "center_of_mass", m.centre[2]);
    cli_json_reals(json, "center_of_mass_xyz", m.centre, 3);
    cli_json_real(json, "penetration_max", totals.penetration_max);
    cli_json_real(json, "penetration_max_time", totals.penetration_max_time);
    cli_json_real(json, "overlap_share_max", totals.overlap_share_max);
    cli_json_real(json, "overlap_share_max_time", totals.overlap_share_max_time);
    cli_json_real(json, "residual_max", totals.residual_max);
    cli_json_real(json, "residual_max_time", totals.residual_max_time);
    cli_json_integer(json, "steps", totals.steps);
    cli_json_integer(json, "steps_not_converged", totals.not_converged);
    cli_json_integer(json, "steps_no_solution", totals.no_solution);
    cli_json_real(json, "approach_max", totals.approach_max);
    cli_json_real(json, "approach_max_time", totals.approach_max_time);
    cli_json_integer(json, "bodies_awaited", scree_simulation_awaited(run->simulation));
    cli_json_integer(json, "contacts_max", totals.contacts_max);
    cli_json_integer(json, "sweeps", totals.sweeps);
    cli_json_integer(json, "contact_updates", totals.contact_updates);
    cli_json_integer(json, "fail_safe", totals.fail_safe);
    write_energy(json, &totals, &m);
    write_times(json, run, &m);
    cli_json_end(json);
}

static void write_recording(cli_json* json, const cli_run* run)
{
    const char* path = run->options->output;
    if (!path) {
        cli_json_null(json, "recording");
        return;
    }
    cli_json_object(json, "recording");
    cli_json_text(json, "path", path);
    cli_json_integer(json, "frames", run->n_frames);
    cli_json_integer(json, "bytes", cli_file_size(path));
    cli_json_end(json);
}

void cli_run_print_json(const cli_run* run)
{
    cli_json json = {.out = stdout};
    scree_world_view view = scree_simulation_view(run->simulation);
    cli_json_object(&json, NULL);
    write_scene(&json, run);
    write_measure(&json, run);
    write_conflicts(&json, run);
    write_recording(&json, run);
    write_final(&json, run, &view);
    cli_json_end(&json);
}
