/* What a scene wants to know of its joints, bodies, probes, sinks and generators, now and over the
 * course of time. */
#include "math/vec.h"
#include "scene/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

/* What has a quantity. */
typedef enum subject { JOINT, BODY, PROBE, SINK, GENERATOR } subject;

static subject subject_of(scree_measure_kind kind)
{
    return kind <= SCREE_MEASURE_TORQUE           ? JOINT
           : kind <= SCREE_MEASURE_CONTACT_TORQUE ? BODY
           : kind <= SCREE_MEASURE_PASSED_MASS    ? PROBE
           : kind <= SCREE_MEASURE_TAKEN_MASS     ? SINK
                                                  : GENERATOR;
}

/* ---- what may be said ------------------------------------------------------------------------ */

static const char* fault_of_course(const scree_scene_measure* m)
{
    if ((int)m->over < 0 || m->over >= SCREE_OVER_COUNT) return "what is told of it is unknown";
    if (!(m->begin >= 0.0) || !(m->end == 0.0 || m->end >= m->begin)) {
        return "its end is before its beginning";
    }
    return m->over == SCREE_OVER_REACHED && !isfinite(m->level) ? "its level is not finite" : NULL;
}

/* Values that `which` may have from 0 on. */
static int32_t count_choices(const scree_scene* scene, const scree_scene_measure* m)
{
    if (m->kind <= SCREE_MEASURE_EFFORT) {
        return scri_joint_n_freedoms(scene->joints[m->joint].def.kind);
    }
    return subject_of(m->kind) == PROBE ? 2 : 3;
}

static const char* fault_of_measure(const scree_scene* scene, const scree_scene_measure* m)
{
    if ((int)m->kind < 0 || m->kind >= SCREE_MEASURE_KIND_COUNT) return "its kind is unknown";
    const struct {
        int32_t index, n;
        const char* fault;
    } known[] = {[JOINT] = {m->joint, scene->n_joints, "there is no such joint"},
                 [BODY] = {m->of, scene->n_bodies, "there is no such body"},
                 [PROBE] = {m->of, scene->n_probes, "there is no such probe"},
                 [SINK] = {m->of, scene->n_sinks, "there is no such sink"},
                 [GENERATOR] = {m->of, scene->n_generators, "there is no such generator"}};
    subject s = subject_of(m->kind);
    if (known[s].index < 0 || known[s].index >= known[s].n) return known[s].fault;
    if (!(m->which >= 0 && m->which < count_choices(scene, m))) {
        return "there is no such freedom, axis or direction";
    }
    const char* fault = s == GENERATOR ? scri_grains_fault(scene, m) : NULL;
    return fault ? fault : fault_of_course(m);
}

scree_status scri_scene_check_measures(const scree_env* env, const scree_scene* scene)
{
    for (int32_t i = 0; i < scene->n_measures; ++i) {
        const char* fault = fault_of_measure(scene, &scene->measures[i]);
        if (!fault) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "measure %" PRId32 " of the scene: %s", i, fault);
    }
    return SCREE_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double value_of_joint(const scree_simulation* s, const scree_scene_measure* m)
{
    scree_joint_state state;
    scree_joint_id id = {m->joint + 1, 0};
    if (scree_world_get_joint(s->world, id, &state)) return (double)NAN;
    const double* values[] = {state.coordinate, state.rate, state.effort, state.force,
                              state.torque};
    return values[m->kind][m->which];
}

static double value_of_body(const scree_simulation* s, const scree_scene_measure* m)
{
    scree_body_id id = {m->of + 1, 0};
    if (!scree_world_body_is_valid(s->world, id)) return (double)NAN;
    scree_world_view view = scree_world_get_view(s->world);
    size_t i = (size_t)m->of, at = 3 * i + (size_t)m->which;
    double force[3], torque[3], axis[3];
    scri_quat q = scri_quat_load(view.rotation + 4 * i);
    switch (m->kind) {
    case SCREE_MEASURE_POSITION:
        return view.position[at];
    case SCREE_MEASURE_VELOCITY:
        return view.velocity[at];
    case SCREE_MEASURE_ANGULAR_VELOCITY:
        return view.angular_velocity[at];
    case SCREE_MEASURE_AXIS:
        scri_vec_store(scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0}), axis);
        return axis[m->which];
    default:
        if (scree_world_get_contact_force(s->world, id, force, torque)) return (double)NAN;
        return (m->kind == SCREE_MEASURE_CONTACT_FORCE ? force : torque)[m->which];
    }
}

static double value_of(const scree_simulation* s, const scree_scene_measure* m)
{
    size_t way = (size_t)m->which;
    switch (m->kind) {
    case SCREE_MEASURE_PASSED:
        return (double)s->probes[m->of].bodies[way];
    case SCREE_MEASURE_PASSED_MASS:
        return s->probes[m->of].mass[way];
    case SCREE_MEASURE_TAKEN:
        return (double)s->sinks[m->of].bodies;
    case SCREE_MEASURE_TAKEN_MASS:
        return s->sinks[m->of].mass;
    default:
        return subject_of(m->kind) == JOINT  ? value_of_joint(s, m)
               : subject_of(m->kind) == BODY ? value_of_body(s, m)
                                             : scri_grains_value(s, m);
    }
}

/* ---- their course ---------------------------------------------------------------------------- */

void scri_simulation_begin_measures(scree_simulation* s)
{
    for (int32_t i = 0; i < s->scene->n_measures; ++i) {
        const scree_scene_measure* m = &s->scene->measures[i];
        double now = m->over == SCREE_OVER_REACHED ? value_of(s, m) : (double)NAN;
        s->tallies[i] = (scri_tally){.before = now, .value = (double)NAN};
    }
}

/* The time at which a value that was `before` and is `now` passed a level, straight in between;
 * NaN: it did not. */
static double time_of_passage(const scree_simulation* s, double before, double now, double level)
{
    double time = scree_world_time(s->world);
    if (now == level) return time;
    if (!((before < level && now > level) || (before > level && now < level))) return (double)NAN;
    return time - s->scene->world.step * ((now - level) / (now - before));
}

static void take(const scree_simulation* s, const scree_scene_measure* m, scri_tally* t)
{
    double now = value_of(s, m);
    switch (m->over) {
    case SCREE_OVER_LAST:
        t->value = now;
        break;
    case SCREE_OVER_LEAST:
        t->value = t->n == 0 || now < t->value ? now : t->value;
        break;
    case SCREE_OVER_MOST:
        t->value = t->n == 0 || now > t->value ? now : t->value;
        break;
    case SCREE_OVER_REACHED:
        if (isnan(t->value)) t->value = time_of_passage(s, t->before, now, m->level);
        t->before = now;
        break;
    default:
        t->value = t->n == 0 ? now : t->value + now;
        break;
    }
    ++t->n;
}

/* What is told of now, before the first step too. */
static bool is_of_now(const scree_scene_measure* m)
{
    return m->over == SCREE_OVER_LAST && m->begin == 0.0 && m->end == 0.0;
}

void scri_simulation_take_measures(scree_simulation* s)
{
    double slack =
        1e-9 * s->scene->world.step; /* a time that is a step's but for rounding counts */
    double time = scree_world_time(s->world);
    for (int32_t i = 0; i < s->scene->n_measures; ++i) {
        const scree_scene_measure* m = &s->scene->measures[i];
        if (is_of_now(m)) continue;
        bool is_on = time >= m->begin - slack && (m->end == 0.0 || time <= m->end + slack);
        if (is_on) take(s, m, &s->tallies[i]);
    }
}

double scree_simulation_measure(const scree_simulation* s, int32_t measure)
{
    if (!s) return SCREE_NAN;
    if (measure < 0 || measure >= s->scene->n_measures) return (double)NAN;
    const scree_scene_measure* m = &s->scene->measures[measure];
    const scri_tally* t = &s->tallies[measure];
    if (is_of_now(m)) return value_of(s, m);
    return m->over == SCREE_OVER_MEAN ? t->value / (double)t->n : t->value;
}
