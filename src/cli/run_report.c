/* What scree run tells about its end: a summary for people, an object for programs. */
#include "cli/json.h"
#include "cli/recorded.h"
#include "cli/report.h"
#include "cli/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what both tell ---- */

typedef struct cli_run_measure {
    double top;       /* m, highest point of any dynamic body; NaN without one */
    double centre[3]; /* m, centre of mass of all dynamic bodies; NaN without one */
    double energy;    /* J, kinetic and potential */
    double impacts;   /* J, what contacts took out besides sliding, rolling and spinning */
    double defect;    /* J, energy that the budget does not explain */
    double speed;     /* simulated seconds per second */
    double updates;   /* contact updates per second of solving */
    /* Of this run alone, s. */
    double time_contacts, time_solve, time_certify, time_move, time_other;
} cli_run_measure;

/* The third row of the rotation matrix of a quaternion: heights of the turned axes. */
static void heights_of_axes(const double q[4], double out[3])
{
    out[0] = 2.0 * (q[1] * q[3] - q[0] * q[2]);
    out[1] = 2.0 * (q[2] * q[3] + q[0] * q[1]);
    out[2] = 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* How far a shape reaches above its centre; `axis` holds the heights of its axes. */
static double reach_up(scree_shape_kind kind, const double size[3], const double axis[3],
                       const scree_hull* hull)
{
    double most = 0.0;
    scree_hull_view view;
    switch (kind) {
    case SCREE_SHAPE_HULL:
        view = scree_hull_get_view(hull);
        for (int32_t i = 0; i < view.n_corners; ++i) {
            const double* x = view.corners + 3 * (size_t)i;
            most = fmax(most, size[0] * (axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2]));
        }
        return most;
    case SCREE_SHAPE_SPHERE:
        return size[0];
    case SCREE_SHAPE_BOX:
        return fabs(axis[0]) * size[0] + fabs(axis[1]) * size[1] + fabs(axis[2]) * size[2];
    case SCREE_SHAPE_CAPSULE:
        return size[0] + fabs(axis[2]) * size[1];
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_TUBE:
        return size[0] * sqrt(fmax(0.0, 1.0 - axis[2] * axis[2])) + fabs(axis[2]) * size[1];
    case SCREE_SHAPE_ELLIPSOID:
        return hypot(axis[0] * size[0], hypot(axis[1] * size[1], axis[2] * size[2]));
    case SCREE_SHAPE_CONE:
        most = size[0] * sqrt(fmax(0.0, 1.0 - axis[2] * axis[2])) - 0.5 * size[1] * axis[2];
        return fmax(1.5 * size[1] * axis[2], most);
    default:
        return (double)NAN;
    }
}

static double top_of_shape(const scree_world_view* view, int32_t shape)
{
    size_t s = (size_t)shape, b = (size_t)view->shape_body[shape];
    const double* offset = view->shape_offset + 3 * s;
    double of_body[3], turn[4], of_shape[3];
    heights_of_axes(view->rotation + 4 * b, of_body);
    multiply(view->rotation + 4 * b, view->shape_turn + 4 * s, turn);
    heights_of_axes(turn, of_shape);
    double centre = view->position[3 * b + 2] + of_body[0] * offset[0] + of_body[1] * offset[1] +
                    of_body[2] * offset[2];
    return centre + view->shape_rounding[s] +
           reach_up(view->shape_kind[shape], view->shape_half_size + 3 * s, of_shape,
                    view->shape_hull[s]);
}

static double find_top(const scree_world_view* view)
{
    double top = (double)NAN;
    for (int32_t s = 0; s < view->n_shapes; ++s) {
        if (view->kind[view->shape_body[s]] != SCREE_BODY_DYNAMIC) continue;
        top = fmax(top, top_of_shape(view, s));
    }
    return top;
}

static void find_centre(const scree_world_view* view, double centre[3])
{
    double mass = 0.0, sum[3] = {0.0, 0.0, 0.0};
    for (int32_t b = 0; b < view->n_bodies; ++b) {
        if (view->kind[b] != SCREE_BODY_DYNAMIC) continue;
        mass += view->mass[b];
        for (size_t i = 0; i < 3; ++i) sum[i] += view->mass[b] * view->position[3 * (size_t)b + i];
    }
    for (int i = 0; i < 3; ++i) centre[i] = mass > 0.0 ? sum[i] / mass : (double)NAN;
}

static void find_energy(const scree_totals* totals, cli_run_measure* m)
{
    const double* friction = totals->dissipation;
    double put_in =
        totals->energy_begin + totals->energy_added - totals->energy_removed + totals->force_work;
    m->energy = totals->kinetic + totals->potential;
    m->impacts = -totals->contact_work - (friction[0] + friction[1] + friction[2]);
    m->defect = m->energy - (put_in + totals->contact_work);
}

static void find_times(const cli_run* run, const scree_totals* totals, cli_run_measure* m)
{
    const scree_totals* before = &run->before;
    m->time_contacts = totals->time_contacts - before->time_contacts;
    m->time_solve = totals->time_solve - before->time_solve;
    m->time_certify = totals->time_certify - before->time_certify;
    m->time_move = totals->time_move - before->time_move;
    double known = m->time_contacts + m->time_solve + m->time_certify + m->time_move + run->record;
    m->time_other = fmax(0.0, run->wall - known);
    double updates = (double)(totals->contact_updates - before->contact_updates);
    m->updates = m->time_solve > 0.0 ? updates / m->time_solve : 0.0;
}

static cli_run_measure measure_run(const cli_run* run, const scree_totals* totals)
{
    scree_world_view view = scree_simulation_view(run->simulation);
    cli_run_measure m = {.top = find_top(&view)};
    find_centre(&view, m.centre);
    find_energy(totals, &m);
    find_times(run, totals, &m);
    m.speed = run->wall > 0.0 ? (view.time - run->time_before) / run->wall : 0.0;
    return m;
}

/* ---- the object ---- */

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
    cli_json_real(json, "removed", totals->energy_removed);
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
    cli_run_measure m = measure_run(run, &totals);
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
    if (run->scene->n_joints > 0) {
        cli_json_real(json, "joint_gap_max", totals.joint_gap_max);
        cli_json_real(json, "joint_gap_max_time", totals.joint_gap_max_time);
        cli_json_real(json, "joint_turn_max", totals.joint_turn_max);
        cli_json_real(json, "joint_turn_max_time", totals.joint_turn_max_time);
        cli_json_integer(json, "joints_broken", totals.joints_broken);
    }
    cli_json_integer(json, "sweeps", totals.sweeps);
    cli_json_integer(json, "contact_updates", totals.contact_updates);
    cli_json_integer(json, "fail_safe", totals.fail_safe);
    const scree_scene* scene = run->scene;
    for (int32_t k = 0; k < scene->n_measures; ++k) {
        cli_json_real(json, scene->measures[k].name, scree_simulation_measure(run->simulation, k));
    }
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
    cli_run_write_results(&json, run);
    cli_run_write_counts(&json, run);
    write_conflicts(&json, run);
    write_recording(&json, run);
    write_final(&json, run, &view);
    cli_json_end(&json);
}

/* ---- the summary ---- */

static void print_status(const cli_run* run)
{
    const char* status = cli_run_status(run);
    bool interrupted = strcmp(status, "interrupted") == 0;
    const char* words = interrupted                   ? "interrupted"
                        : strcmp(status, "rest") == 0 ? "done: all bodies are at rest"
                                                      : "done: the time is over";
    cli_row("status", "%s%s%s", cli_paint(interrupted ? CLI_BAD : CLI_GOOD), words,
            cli_paint(CLI_PLAIN));
}

static void print_scene(const cli_run* run)
{
    const scree_scene_source* from = run->scene->source;
    scree_world_view view = scree_simulation_view(run->simulation);
    cli_row("scene", "%s", from->path);
    if (run->scene->title) cli_row("title", "%s", run->scene->title);
    for (int i = 0; i < from->n_settings; ++i) {
        cli_row(i == 0 ? "settings" : "", "%s", from->settings[i]);
    }
    print_status(run);
    cli_row("time", "%g s in %" PRId64 " steps of %g s", view.time, view.steps,
            run->scene->world.step);
    if (run->resumed) cli_row("", "resumed at %g s", run->time_before);
    int64_t awaited = scree_simulation_awaited(run->simulation);
    cli_row("bodies", "%d", (int)view.n_bodies);
    if (awaited > 0) {
        cli_row("", "%s%" PRId64 " more of the rain were not released%s", cli_paint(CLI_BAD),
                awaited, cli_paint(CLI_PLAIN));
    }
}

/* Pairs of bodies that contradict each other, the worst known of each. */
static void print_conflicts(const cli_run* run, const scree_totals* totals)
{
    enum { MOST = 8 };
    if (totals->no_solution == 0) return;
    cli_row("no solution", "%s%" PRId64 " of %" PRId64 " steps: contacts contradict each other%s",
            cli_paint(CLI_BAD), totals->no_solution, totals->steps, cli_paint(CLI_PLAIN));
    int32_t n;
    const scree_conflict* list = scree_simulation_conflicts(run->simulation, &n);
    for (int32_t i = 0; i < n && i < MOST; ++i) {
        char a[NAME_SIZE], b[NAME_SIZE];
        scree_simulation_body_name(run->simulation, list[i].body[0], a, sizeof a);
        scree_simulation_body_name(run->simulation, list[i].body[1], b, sizeof b);
        cli_row("", "%s and %s, %.3g m/s, %" PRId64 " steps from %g s", a, b, list[i].approach,
                list[i].steps, list[i].time);
    }
    if (n > MOST) cli_row("", "and %d more pairs", (int)(n - MOST));
}

static void print_contacts(const cli_run* run, const scree_totals* totals)
{
    bool missed = totals->not_converged > 0;
    cli_row("contacts", "%d at most", (int)totals->contacts_max);
    if (missed) {
        cli_row("not converged", "%s%" PRId64 " of %" PRId64 " steps missed the tolerance%s",
                cli_paint(CLI_BAD), totals->not_converged, totals->steps, cli_paint(CLI_PLAIN));
    } else {
        cli_row("not converged", "none");
    }
    print_conflicts(run, totals);
    cli_row("worst residual", "%-10.3g at %g s", totals->residual_max, totals->residual_max_time);
    cli_row("worst penetration", "%-10.3g m at %g s", totals->penetration_max,
            totals->penetration_max_time);
    double step = run->scene->world.step;
    cli_row("worst approach", "%-10.3g m/s at %g s, overlap %.3g m in a step", totals->approach_max,
            totals->approach_max_time, totals->approach_max * step);
    bool deep = totals->overlap_share_max > 1e-2;
    cli_row("worst overlap", "%s%-10.3g of the radius%s at %g s", deep ? cli_paint(CLI_BAD) : "",
            totals->overlap_share_max, deep ? cli_paint(CLI_PLAIN) : "",
            totals->overlap_share_max_time);
    if (run->scene->n_joints > 0) {
        cli_row("worst joint", "%-10.3g m at %g s, %.3g rad at %g s", totals->joint_gap_max,
                totals->joint_gap_max_time, totals->joint_turn_max, totals->joint_turn_max_time);
    }
    if (totals->joints_broken > 0) cli_row("broken joints", "%" PRId64, totals->joints_broken);
    if (totals->fail_safe > 0) {
        cli_row("bisections", "%" PRId64 " of %" PRId64 " contact updates, where Newton gave way",
                totals->fail_safe, totals->contact_updates);
    }
}

/* Where energy goes that no entry of the budget holds. */
static const char* why_unexplained(const scree_totals* totals, const cli_run_measure* m,
                                   double theta)
{
    bool rounding = fabs(m->defect) <= 1e-9 * (fabs(totals->energy_begin) + fabs(m->energy));
    if (rounding) return "";
    if (theta > 0.5) return " (of the time step itself: theta is above 0.5)";
    return totals->stops > 0 ? " (bodies that were stopped on their way fell less far)" : "";
}

static void print_energy(const scree_totals* totals, const cli_run_measure* m, double theta)
{
    cli_heading("energy");
    cli_row("  at the beginning", "%-10.4g J", totals->energy_begin);
    cli_row("  released bodies", "%-+10.4g J", totals->energy_added);
    if (totals->energy_removed != 0.0) {
        cli_row("  bodies in sinks", "%-+10.4g J", 0.0 - totals->energy_removed);
    }
    cli_row("  forces", "%-+10.4g J", totals->force_work);
    cli_row("  contacts", "%-+10.4g J, of which", totals->contact_work);
    cli_row("    sliding", "%-+10.4g J", 0.0 - totals->dissipation[0]);
    cli_row("    rolling", "%-+10.4g J", 0.0 - totals->dissipation[1]);
    cli_row("    spinning", "%-+10.4g J", 0.0 - totals->dissipation[2]);
    cli_row("    the rest", "%-+10.4g J (impacts, moving walls, numerical loss)", 0.0 - m->impacts);
    cli_row("  at the end", "%-10.4g J (kinetic %.3g, potential %.4g)", m->energy, totals->kinetic,
            totals->potential);
    cli_row("  unexplained", "%-+10.2g J%s", m->defect, why_unexplained(totals, m, theta));
}

static void print_share(const cli_run* run, const char* label, double seconds)
{
    double percent = run->wall > 0.0 ? 100.0 * seconds / run->wall : 0.0;
    cli_row(label, "%-10.3g s %3.0f %%", seconds, percent);
}

static void print_times(const cli_run* run, const cli_run_measure* m)
{
    cli_heading("where the time went");
    print_share(run, "  finding contacts", m->time_contacts);
    print_share(run, "  solving", m->time_solve);
    print_share(run, "  certifying", m->time_certify);
    print_share(run, "  moving", m->time_move);
    print_share(run, "  recording", run->record);
    print_share(run, "  anything else", m->time_other);
    cli_row("  wall clock", "%-10.3g s, %.3gx real time", run->wall, m->speed);
    cli_row("  processors", "%-10.3g s", run->cpu);
    cli_row("  contact updates", "%-10.3g per second of solving", m->updates);
    cli_row("  peak memory", "%-10.3g MB", 1e-6 * cli_peak_memory());
}

static void print_recording(const cli_run* run)
{
    const char* path = run->options->output;
    if (!path) {
        printf("\nnothing was recorded (-o RUN.h5 keeps the motion)\n");
        return;
    }
    cli_heading("recording");
    cli_row("  file", "%s", path);
    cli_row("  frames", "%" PRId64, run->n_frames);
    cli_row("  size", "%-10.3g MB", 1e-6 * (double)cli_file_size(path));
}

void cli_run_print_summary(const cli_run* run)
{
    scree_totals totals = scree_simulation_totals(run->simulation);
    cli_run_measure m = measure_run(run, &totals);
    print_scene(run);
    print_contacts(run, &totals);
    cli_run_print_results(run);
    print_energy(&totals, &m, run->scene->world.theta);
    print_times(run, &m);
    print_recording(run);
}
