/* A scene in the course of time. */
#include "scene/simulation.h"

#include "base/fill.h"

#include <math.h>

static scree_status fail_memory(const scree_env* env)
{
    return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a simulation");
}

static scree_status make_world(scree_simulation* s)
{
    scree_world_def def = s->scene->world;
    for (int32_t i = 0; i < s->scene->n_drives; ++i) {
        if (!s->scene->drives[i].is_force) continue;
        def.force = scri_simulation_force;
        def.force_user = s;
    }
    return scri_scene_build(&s->env, s->scene, &def, &s->world);
}

/* Arrays whose sizes the scene fixes. */
static scree_status make_arrays(scree_simulation* s)
{
    size_t n = (size_t)s->scene->n_generators, most = (size_t)scri_scene_most_shapes(s->scene);
    s->released = scri_alloc(&s->env, n * sizeof *s->released);
    s->scaled = scri_alloc(&s->env, most * sizeof *s->scaled);
    s->tallies = scri_alloc(&s->env, ((size_t)s->scene->n_measures + 1) * sizeof *s->tallies);
    size_t n_sinks = (size_t)s->scene->n_sinks, n_probes = (size_t)s->scene->n_probes;
    s->sinks = scri_alloc(&s->env, (n_sinks + 1) * sizeof *s->sinks);
    s->probes = scri_alloc(&s->env, (n_probes + 1) * sizeof *s->probes);
    if (!s->released || !s->scaled || !s->tallies || !s->sinks || !s->probes) {
        return fail_memory(&s->env);
    }
    for (size_t i = 0; i < n_sinks; ++i) s->sinks[i] = (scree_sink_tally){0, 0.0};
    for (size_t i = 0; i < n_probes; ++i) {
        s->probes[i] = (scree_probe_tally){.first = (double)NAN, .last = (double)NAN};
    }
    for (size_t i = 0; i < n; ++i) s->released[i] = 0;
    return SCREE_OK;
}

static void note_energy(scree_simulation* s)
{
    scree_totals* t = &s->totals;
    scri_step_energy(s->world, &t->kinetic, &t->potential);
    t->energy_begin = t->kinetic + t->potential;
    t->energy_added = t->energy_removed = 0.0;
}

scree_status scree_simulation_create(const scree_env* env, const scree_scene* scene,
                                     scree_simulation** out)
{
    if (out) *out = NULL;
    if (!scene || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_simulation_create: an argument is NULL");
    }
    scree_status status = scri_scene_check(env, scene);
    if (status) return status;
    scree_simulation* s = scri_alloc(env, sizeof *s);
    if (!s) return fail_memory(env);
    *s = (scree_simulation){.scene = scene, .end = scene->duration};
    if (env) s->env = *env;
    status = make_world(s);
    if (!status) status = make_arrays(s);
    if (!status) status = scri_simulation_note_start(s);
    if (!status) status = scri_simulation_check_joints(s);
    if (!status) status = scri_simulation_check_start(s);
    if (status) {
        scree_simulation_destroy(s);
        return status;
    }
    note_energy(s);
    scri_simulation_begin_measures(s);
    *out = s;
    return SCREE_OK;
}

void scree_simulation_destroy(scree_simulation* s)
{
    if (!s) return;
    scree_env env = s->env;
    scree_world_destroy(s->world);
    scri_origins_table_release(&env, &s->origins);
    scri_release(&env, s->released);
    scri_release(&env, s->near);
    scri_release(&env, s->scaled);
    scri_release(&env, s->tallies);
    scri_release(&env, s->sinks);
    scri_release(&env, s->probes);
    scri_release(&env, s->heights);
    scri_release(&env, s->passages);
    scri_event_table_release(&env, &s->events);
    scri_release(&env, s);
}

/* ---- one step -------------------------------------------------------------------------------- */

static void add_report(scree_simulation* s, const scree_step_report* r)
{
    scree_totals* t = &s->totals;
    double time = scree_world_time(s->world);
    t->steps++;
    int impossible = r->solve.outcome == SCREE_OUTCOME_INFEASIBLE;
    t->no_solution += impossible;
    t->not_converged += impossible ? !(r->solve.residual <= s->scene->world.solver.tol)
                                   : r->solve.outcome != SCREE_OUTCOME_CONVERGED;
    t->sweeps += r->solve.iterations;
    t->contact_updates += r->solve.updates;
    t->fail_safe += r->solve.fail_safe;
    if (r->n_contacts > t->contacts_max) t->contacts_max = r->n_contacts;
    if (!(r->certificate.local <= t->residual_max)) { /* a NaN stays to be seen */
        t->residual_max = r->certificate.local;
        t->residual_max_time = time;
    }
    if (r->penetration > t->penetration_max) {
        t->penetration_max = r->penetration;
        t->penetration_max_time = time;
    }
    if (r->approach > t->approach_max) {
        t->approach_max = r->approach;
        t->approach_max_time = time;
    }
    if (!(r->joint_gap <= t->joint_gap_max)) {
        t->joint_gap_max = r->joint_gap;
        t->joint_gap_max_time = time;
    }
    if (!(r->joint_turn <= t->joint_turn_max)) {
        t->joint_turn_max = r->joint_turn;
        t->joint_turn_max_time = time;
    }
    t->joints_broken += r->n_broken;
    scri_simulation_judge_overlap(s, r);
    t->stops += r->n_stopped;
    t->overlap_work += r->overlap_work;
    t->force_work += r->force_work;
    t->contact_work += r->contact_work;
    for (int k = 0; k < 3; ++k) t->dissipation[k] += r->certificate.dissipation[k];
    t->kinetic = r->kinetic;
    t->potential = r->potential;
    t->time_contacts += r->time_contacts;
    t->time_solve += r->time_solve;
    t->time_certify += r->time_certify;
    t->time_move += r->time_move;
}

/* Whether nothing that obeys forces moves faster than the scene calls rest. */
static int is_at_rest(const scree_simulation* s)
{
    scree_world_view view = scree_world_get_view(s->world);
    double limit = s->scene->rest_speed;
    for (size_t i = 0; i < (size_t)view.n_bodies; ++i) {
        if (view.kind[i] != SCREE_BODY_DYNAMIC) continue;
        const double *v = view.velocity + 3 * i, *w = view.angular_velocity + 3 * i;
        double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        double turning = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * s->origins.radius[i];
        if (!(speed <= limit && turning <= limit)) return 0;
    }
    return 1;
}

scree_status scree_simulation_step(scree_simulation* s, scree_step_report* report)
{
    if (!s || !report) return SCREE_ERROR_ARGUMENT;
    scree_status status = scri_simulation_note_strangers(s);
    if (!status) status = scri_simulation_rain(s);
    if (!status) status = scri_simulation_drive(s);
    if (!status) status = scri_simulation_drive_joints(s);
    if (!status) status = scri_simulation_watch(s);
    if (!status) status = scree_world_step(s->world, report);
    if (status) return status;
    add_report(s, report);
    scri_simulation_note_conflicts(s, report);
    scri_simulation_count(s);
    scri_simulation_take_measures(s);
    status = scri_simulation_drain(s);
    if (status) return status;
    if (isfinite(s->scene->rest_time)) s->rest_steps = is_at_rest(s) ? s->rest_steps + 1 : 0;
    return SCREE_OK;
}

/* Steps that fill a time; what is a whole number but for rounding counts as one. */
static double steps_in(const scree_simulation* s, double time)
{
    return ceil(time / s->scene->world.step * (1.0 - 1e-12) - 1e-9);
}

scree_done scree_simulation_done(const scree_simulation* s)
{
    if (!s) return SCREE_DONE_TIME;
    if ((double)scree_world_get_view(s->world).steps >= steps_in(s, s->end)) {
        return SCREE_DONE_TIME;
    }
    if (isfinite(s->scene->rest_time) && scree_simulation_awaited(s) == 0 && s->rest_steps > 0 &&
        (double)s->rest_steps >= steps_in(s, s->scene->rest_time)) {
        return SCREE_DONE_REST;
    }
    return SCREE_RUNNING;
}

/* ---- what it is now -------------------------------------------------------------------------- */

void scree_simulation_set_end(scree_simulation* s, double time)
{
    if (!s) return;
    s->end = time;
}

double scree_simulation_end(const scree_simulation* s)
{
    if (!s) return SCREE_NAN;
    return s->end;
}

const scree_scene* scree_simulation_scene(const scree_simulation* s)
{
    if (!s) return NULL;
    return s->scene;
}

scree_world* scree_simulation_world(scree_simulation* s)
{
    if (!s) return NULL;
    return s->world;
}

void scree_simulation_fill_view(const scree_simulation* s, scree_world_view* view)
{
    scree_world_fill_view(s ? s->world : NULL, view);
}

void scree_simulation_fill_totals(const scree_simulation* s, scree_totals* totals)
{
    if (!totals) return;
    static const scree_totals none;
    scri_fill(totals, totals->struct_size, s ? &s->totals : &none, sizeof none);
}
