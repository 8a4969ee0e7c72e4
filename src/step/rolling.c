/* Rolling friction that depends on the speed: a cylinder that lies on ground of damped springs.
 *
 * The coefficient is that of the state at the beginning of the step, so that each step stays a
 * problem with given coefficients. Its speed is R times the rate of turning about the axis, which
 * is the speed of the axis where the cylinder rolls without slip: then the power of the moment mu_r
 * N is that of the resistance, F_R v. */
#include "laws/foundation.h"
#include "math/vec.h"
#include "step/step.h"

#include <math.h>

/* Between the axis of a cylinder that lies and the plane there are at most 45 degrees. */
#define LYING_SINE 0.70710678118654752

static scri_vec axis_of(const scree_world* world, int32_t cylinder)
{
    scri_quat q = scri_quat_load(world->shapes.rotation + 4 * (size_t)cylinder);
    return scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0});
}

/* The normal force between the shapes of a touch in the last step, N; where there was none, the
 * weight with which the body of the cylinder presses on the plane. */
static double force_of(const scree_world* world, const scri_touch* touch)
{
    const scri_contacts_table* last = &world->last;
    double impulse = 0.0;
    const int32_t own[2] = {touch->a, touch->b};
    for (int32_t c = scri_step_search(world, own, 0); c < last->n; ++c) {
        const int32_t* shape = last->shape + 2 * (size_t)c;
        if (shape[0] != touch->a || shape[1] != touch->b) break;
        impulse += last->p[last->first_row[c]];
    }
    if (impulse > 0.0) return impulse / world->def.step;
    scri_vec gravity = scri_vec_load(world->def.gravity);
    double mass = world->bodies.mass[world->shapes.body[touch->a]];
    return -mass * scri_vec_dot(gravity, scri_vec_load(touch->normal));
}

double scri_step_rolling(const scree_world* world, const scri_pair* pair, const scri_touch* touch)
{
    const scri_shapes_table* s = &world->shapes;
    if (!pair->has_ground || s->kind[touch->a] != SCREE_SHAPE_CYLINDER ||
        s->kind[touch->b] != SCREE_SHAPE_HALF_SPACE) {
        return pair->material.mu_r;
    }
    scri_vec axis = axis_of(world, touch->a);
    if (fabs(scri_vec_dot(axis, scri_vec_load(touch->normal))) > LYING_SINE) {
        return pair->material.mu_r;
    }
    const double *size = s->size + 3 * (size_t)touch->a, *omega = world->bodies.omega;
    double radius = size[0] + s->rounding[touch->a];
    scri_vec turning = scri_vec_sub(scri_vec_load(omega + 3 * (size_t)s->body[touch->a]),
                                    scri_vec_load(omega + 3 * (size_t)s->body[touch->b]));
    scri_ground ground = {.k = pair->ground.stiffness,
                          .gamma = pair->ground.damping,
                          .m = pair->ground.mass,
                          .radius = radius,
                          .model = SCRI_GROUND_CONSISTENT};
    double load = fmin(force_of(world, touch) / (2.0 * size[1]), scri_ground_most_load(&ground));
    double speed = radius * scri_vec_dot(turning, axis);
    return fmax(pair->material.mu_r, scri_ground_rolling(&ground, load, speed));
}
