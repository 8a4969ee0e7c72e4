/* What a lasting contact that turns adds to its relative velocity.
 *
 * Impulses act in the middle of a step, with H of the poses there, and the law holds for the
 * velocity y+ = H v+ after them. In a smooth motion the velocity of the bodies passes the middle
 * half way between v- and v+, so it is H (v- + v+) / 2 that vanishes where a contact rolls or
 * sticks: y+ must be -y-, and y+ = 0 would take the energy of the difference in every step. Between
 * two steps H changes with the arms and the frame, v with the free rotation, hence
 *
 *     lag = (1 - theta) (H v-  -  H_last v+_last),    law on y+ + lag.
 *
 * New contacts have none: what they do is an impact. So that no jump of a contact point can drive
 * the bodies, they are pushed apart by no more than they approached, and of each channel only a
 * share of y-, from 0 to 1, is taken. Friction with sets belongs to the axes of a surface, which
 * turn with it: there each axis has its share. */
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "step/step.h"
#include "step/touch.h"

#include <math.h>

/* Bodies with more contacts than this have no lag: they do not roll but are held, and lags that
 * disagree by a rounding of the step would only prestress them. On a kinematic body that turns they
 * have one: what stands on a turntable would go along the tangent in each step, and outward. */
#define MOST_CONTACTS 2

/* (1 - theta) v+_last of a body: the velocity is the same, the angular velocity has drifted since,
 * and the drift of the first part of this step goes on from it. */
static void earlier_velocity(const scree_world* world, int32_t body, scri_vec* v, scri_vec* w)
{
    const scri_bodies_table* b = &world->bodies;
    double theta = world->def.theta;
    *v = scri_vec_scale(1.0 - theta, scri_vec_load(b->velocity + 3 * (size_t)body));
    *w = scri_vec_add_scaled(scri_vec_load(b->begin + 13 * (size_t)body + 7), -theta,
                             scri_vec_load(b->omega + 3 * (size_t)body));
}

/* (1 - theta) H_last v+_last in the rows of contact c: the part along the last normal for that
 * along the present one, and the part in the plane, which has components in the present tangents
 * or, where these are axes of a surface, in the last ones. */
static void earlier_motion(const scree_world* world, int32_t j, int32_t c, int axes, double* y)
{
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    const double* f = last->frame + 9 * (size_t)j;
    const double* g = axes ? f : t->frame + 9 * (size_t)c;
    int width = t->first_row[c + 1] - t->first_row[c];
    scri_vec point = {0.0, 0.0, 0.0}, omega = point, v, w;
    for (int side = 0; side < 2; ++side) {
        int32_t body = t->pair[2 * (size_t)c + (size_t)side];
        double sign = side ? -1.0 : 1.0;
        earlier_velocity(world, body, &v, &w);
        scri_vec arm = scri_vec_load(last->arm + 6 * (size_t)j + 3 * (size_t)side);
        point = scri_vec_add_scaled(point, sign, scri_vec_add(v, scri_vec_cross(w, arm)));
        omega = scri_vec_add_scaled(omega, sign, w);
    }
    scri_vec n = scri_vec_load(f), flat, twist;
    double rise = scri_vec_dot(n, point), turn = scri_vec_dot(n, omega);
    flat = scri_vec_add_scaled(point, -rise, n);
    twist = scri_vec_add_scaled(omega, -turn, n);
    y[0] = rise;
    for (int i = 1; i < width && i < 3; ++i) y[i] = scri_vec_dot(flat, scri_vec_load(g + 3 * i));
    for (int i = 3; i < width; ++i) {
        int axis = scri_bodies_twist_axis(width, i);
        y[i] = axis == 0 ? turn : scri_vec_dot(twist, scri_vec_load(g + 3 * axis));
    }
}

/* lag = the share of y-, from 0 to 1, that is nearest to it, in `dim` rows. */
static void take_share(int dim, const double* before, double* lag)
{
    double along = 0.0, square = 0.0;
    for (int i = 0; i < dim; ++i) {
        along += lag[i] * before[i];
        square += before[i] * before[i];
    }
    double share = along > 0.0 ? fmin(along / square, 1.0) : 0.0;
    for (int i = 0; i < dim; ++i) lag[i] = share * before[i];
}

static int is_led_round(const scri_bodies_table* b, int32_t body)
{
    const double* w = b->omega + 3 * (size_t)body;
    return b->kind[body] == SCREE_BODY_KINEMATIC && scri_dot3(w, w) > 0.0;
}

static int is_held(const scree_world* world, int32_t c)
{
    const scri_bodies_table* b = &world->bodies;
    const int32_t* pair = world->contacts.pair + 2 * (size_t)c;
    if (is_led_round(b, pair[0]) || is_led_round(b, pair[1])) return 0;
    for (int side = 0; side < 2; ++side) {
        int32_t body = pair[side];
        if (b->inv_mass[body] > 0.0 && b->n_contacts[body] > MOST_CONTACTS) return 1;
    }
    return 0;
}

/* A body that has met a round wall in this step and gone along it since comes to the middle with a
 * velocity that the wall has not turned yet. That is no impact: what the approach has grown by
 * since they met, it would grow by again until the end of the step. */
void scri_step_met_lag(const scree_world* world, int32_t c, double lag[6])
{
    const scri_contacts_table* t = &world->contacts;
    const int32_t* shape = t->shape + 2 * (size_t)c;
    const scri_meeting* m = scri_meeting_of(world, shape[0], shape[1]);
    double theta = world->def.theta, before = t->before[6 * (size_t)c];
    if (!m || m->feature != t->feature[c] || is_held(world, c)) return;
    scri_vec apart = {0.0, 0.0, 0.0};
    for (size_t side = 0; side < 2; ++side) {
        size_t body = (size_t)t->pair[2 * (size_t)c + side];
        scri_vec v = scri_vec_load(world->bodies.velocity + 3 * body);
        scri_vec w = scri_vec_load(world->bodies.omega + 3 * body);
        v = scri_vec_add(v, scri_vec_cross(w, scri_vec_load(t->arm + 6 * (size_t)c + 3 * side)));
        apart = scri_vec_add_scaled(apart, side ? -1.0 : 1.0, v);
    }
    double since = before - scri_vec_dot(scri_vec_load(m->normal), apart);
    double grows = since * theta / ((1.0 - theta) * (1.0 - m->share));
    lag[0] = fmin(fmax(grows, before), 0.0);
}

void scri_step_lag(const scree_world* world, int32_t j, int32_t c, double lag[6])
{
    const scri_contacts_table* t = &world->contacts;
    const double* before = t->before + 6 * (size_t)c;
    scri_layout layout = scri_layout_of(t->rows[c]);
    int axes = scri_contact_pair(world, c)->has_sets;
    int width = t->first_row[c + 1] - t->first_row[c];
    if (world->def.theta == 1.0 || is_held(world, c)) return;
    earlier_motion(world, j, c, axes, lag);
    for (int i = 0; i < width; ++i) lag[i] = (1.0 - world->def.theta) * before[i] - lag[i];
    lag[0] = fmax(lag[0], fmin(before[0], 0.0));
    for (int i = 1; i < width && axes; ++i) take_share(1, before + i, lag + i);
    for (int k = 0; k < SCRI_CHANNELS && !axes; ++k) {
        take_share(layout.dim[k], before + layout.first[k], lag + layout.first[k]);
    }
}
