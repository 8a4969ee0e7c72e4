/* What the scene does to its bodies: motion of kinematic ones, forces on dynamic ones. */
#include "base/random.h"
#include "math/vec.h"
#include "scene/simulation.h"

#include <math.h>
#include <stdbool.h>

static scri_course course_of(const scree_drive* d)
{
    return (scri_course){d->begin, d->end, d->frequency, d->phase, d->n_table, d->table};
}

/* The share of its value that a drive has in the step that begins now: of a rate that of the
 * middle, so that the way is that of the drive to second order; of a way the mean rate, so that the
 * body is where the drive says when the step ends. */
static double share_of(const scree_drive* drive, double time, double step)
{
    scri_course course = course_of(drive);
    if (!drive->is_way) return scri_course_at(&course, time + 0.5 * step);
    return scri_course_between(&course, time, time + step) / step;
}

scree_status scri_simulation_drive(scree_simulation* s)
{
    const scree_scene* scene = s->scene;
    double time = scree_world_time(s->world), step = scene->world.step;
    scree_status status = SCREE_OK;
    for (int32_t i = 0; !status && i < scene->n_drives; ++i) {
        const scree_drive* first = &scene->drives[i];
        double linear[3] = {0.0, 0.0, 0.0}, angular[3] = {0.0, 0.0, 0.0};
        scree_body_id id = {first->body + 1, 0};
        if (first->is_force || !scree_world_body_is_valid(s->world, id)) continue;
        for (int32_t k = 0; k < scene->n_drives; ++k) { /* several drives of a body add up */
            const scree_drive* drive = &scene->drives[k];
            if (drive->is_force || drive->body != first->body) continue;
            double share = share_of(drive, time, step);
            for (int j = 0; j < 3; ++j) {
                linear[j] += share * drive->linear[j];
                angular[j] += share * drive->angular[j];
            }
        }
        status = scree_world_set_velocity(s->world, id, linear, angular);
    }
    return status;
}

/* Of the velocity at the beginning of the step. */
static void add_drag(const scree_drive* drive, const scree_world_view* view, double time,
                     double* force)
{
    const double* v = view->velocity + 3 * (size_t)drive->body;
    if (!(time >= drive->begin && time < drive->end)) return;
    double factor = drive->drag[0] + drive->drag[1] * scri_vec_length(scri_vec_load(v));
    for (size_t j = 0; j < 3; ++j) force[3 * (size_t)drive->body + j] -= factor * v[j];
}

/* Two normal numbers, by Box and Muller. */
static void draw_normals(scri_random* random, double out[2])
{
    double u = 1.0 - scri_random_uniform(random),
           angle = 2.0 * SCREE_PI * scri_random_uniform(random);
    double length = sqrt(-2.0 * log(u));
    out[0] = length * cos(angle);
    out[1] = length * sin(angle);
}

/* Gaussian and white: the impulse of a step has the variance intensity times step. A function of
 * the seed, the place in the scene and the step alone, so that a resumed run feels the same. */
static void add_noise(const scree_drive* drive, int32_t number, const scree_world_view* view,
                      double step, double* force)
{
    enum { DRAWS = 4 };
    scri_random random = {drive->seed, (uint64_t)number, DRAWS * (uint64_t)view->steps};
    double z[4], time = view->time + 0.5 * step;
    const double* s = drive->noise;
    if (!(time >= drive->begin && time < drive->end) || s[0] + s[1] + s[2] == 0.0) return;
    draw_normals(&random, z);
    draw_normals(&random, z + 2);
    for (size_t j = 0; j < 3; ++j) force[3 * (size_t)drive->body + j] += sqrt(s[j] / step) * z[j];
}

void scri_simulation_force(void* user, const scree_world_view* view, double* force, double* torque)
{
    const scree_simulation* s = user;
    const scree_world_def* def = &s->scene->world;
    if (def->force) def->force(def->force_user, view, force, torque);
    double time = view->time + 0.5 * s->scene->world.step;
    for (int32_t i = 0; i < s->scene->n_drives; ++i) {
        const scree_drive* drive = &s->scene->drives[i];
        bool is_gone = view->kind[drive->body] == SCREE_BODY_NONE || view->generation[drive->body];
        if (!drive->is_force || is_gone) continue;
        double share = share_of(drive, view->time, s->scene->world.step);
        add_drag(drive, view, time, force);
        add_noise(drive, i, view, s->scene->world.step, force);
        for (size_t j = 0; j < 3; ++j) {
            force[3 * (size_t)drive->body + j] += share * drive->linear[j];
            torque[3 * (size_t)drive->body + j] += share * drive->angular[j];
        }
    }
}
