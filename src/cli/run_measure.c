#include "cli/run_measure.h"

#include <math.h>

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
static double reach_up(scree_shape_kind kind, const double size[3], const double axis[3])
{
    switch (kind) {
    case SCREE_SHAPE_SPHERE:
        return size[0];
    case SCREE_SHAPE_BOX:
        return fabs(axis[0]) * size[0] + fabs(axis[1]) * size[1] + fabs(axis[2]) * size[2];
    case SCREE_SHAPE_CAPSULE:
        return size[0] + fabs(axis[2]) * size[1];
    case SCREE_SHAPE_CYLINDER:
        return size[0] * sqrt(fmax(0.0, 1.0 - axis[2] * axis[2])) + fabs(axis[2]) * size[1];
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
    return centre + reach_up(view->shape_kind[shape], view->shape_half_size + 3 * s, of_shape);
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
    double put_in = totals->energy_begin + totals->energy_added + totals->force_work;
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

cli_run_measure cli_run_measured(const cli_run* run, const scree_totals* totals)
{
    scree_world_view view = scree_simulation_view(run->simulation);
    cli_run_measure m = {.top = find_top(&view)};
    find_centre(&view, m.centre);
    find_energy(totals, &m);
    find_times(run, totals, &m);
    m.speed = run->wall > 0.0 ? (view.time - run->time_before) / run->wall : 0.0;
    return m;
}
