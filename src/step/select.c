/* Which of the touches near enough become contacts of the step.
 *
 * Impulse scheme: those whose gap is closed half way through the step, and of the contacts of
 * the last step also those that the free velocities would close again: a contact that rolls or
 * turns opens by what the step neglects, and must not let go for that. Gap scheme: all
 * that can close within the step. To hand every touch within reach of the fastest body to the
 * solver would more than double its work, so a bound on the approach decides: that of the free
 * velocities, some stir, and what bodies may be given by others that hit them. After the solve the
 * touches left out are looked at again, and the step is solved once more with those that its
 * velocities do close.
 */
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "step/step.h"

#include <math.h>

/* Times that a push is handed on from body to body, and the share that goes on. */
enum { PUSH_ROUNDS = 2 };
#define PUSH_SHARE 0.5

/* Velocity that any body may get from its neighbours, in units of what gravity adds in a step: with
 * less, many steps of a heap have to be solved twice. */
#define STIR 3.0

/* Overlap that a touch left out may reach, as a share of the distance from point to centre. */
#define MISSED_OVERLAP 1e-3

static scri_vec point_velocity(const scree_world* world, const double* velocity, const double* spin,
                               size_t stride, const scri_touch* touch, int side)
{
    size_t i = (size_t)world->shapes.body[side ? touch->b : touch->a];
    scri_vec point = scri_vec_load(touch->point);
    scri_vec arm = scri_vec_sub(point, scri_vec_load(world->bodies.position + 3 * i));
    return scri_vec_add(scri_vec_load(velocity + stride * i),
                        scri_vec_cross(scri_vec_load(spin + stride * i), arm));
}

/* Normal velocity at a touch, from arrays with `stride` numbers per body. */
static double normal_velocity(const scree_world* world, const double* velocity, const double* spin,
                              size_t stride, const scri_touch* touch)
{
    scri_vec a = point_velocity(world, velocity, spin, stride, touch, 0);
    scri_vec b = point_velocity(world, velocity, spin, stride, touch, 1);
    return scri_vec_dot(scri_vec_sub(a, b), scri_vec_load(touch->normal));
}

/* From arrays laid out as the kernels want them. */
static double stepped_velocity(const scree_world* world, const double* lines,
                               const scri_touch* touch)
{
    return normal_velocity(world, lines, lines + 3, SCRI_BODY_STRIDE, touch);
}

/* What the gap of a resting contact may be off by: it is a difference of coordinates, and bodies
 * come to rest only to the tolerance of the solver. Such a contact must not open for one step: the
 * body would fall by g h^2 and stay there. */
static double slack(const scree_world* world, const scri_touch* touch)
{
    const scri_bodies_table* b = &world->bodies;
    const double *a = world->shapes.position + 3 * (size_t)touch->a, *p = touch->point;
    double size = 0.0, speed = 0.0;
    for (int i = 0; i < 3; ++i) size += fabs(p[i]) + fabs(p[i] - a[i]);
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)world->shapes.body[side ? touch->b : touch->a];
        for (size_t j = 0; j < 3; ++j) speed += fabs(b->free[SCRI_BODY_STRIDE * i + j]);
    }
    return 64.0 * 2.220446049250313e-16 * size + world->def.tol * world->def.step * speed;
}

static int is_forecast(const scree_world* world, const scri_touch* touch)
{
    const scri_bodies_table* b = &world->bodies;
    double approach = normal_velocity(world, b->velocity, b->spin, 3, touch);
    double ahead = (world->def.theta - 0.5) * world->def.step; /* to half of the step */
    return touch->gap + ahead * approach <= slack(world, touch);
}

/* Whether contact j of the last step, or a later one to which j moves on, is this touch: they have
 * the same order. */
static int was_contact(const scri_contacts_table* last, int32_t* j, const scri_touch* touch)
{
    for (; *j < last->n; ++*j) {
        const int32_t* shape = last->shape + 2 * (size_t)*j;
        uint32_t feature = last->feature[*j];
        if (shape[0] != touch->a) {
            if (shape[0] > touch->a) return 0;
        } else if (shape[1] != touch->b) {
            if (shape[1] > touch->b) return 0;
        } else if (feature >= touch->feature) {
            return feature == touch->feature;
        }
    }
    return 0;
}

static void choose_closed(scree_world* world, const scri_touch* touches, int32_t n)
{
    uint8_t* chosen = world->touch_state.chosen;
    for (int32_t i = 0, j = 0; i < n; ++i) {
        const scri_touch* t = &touches[i];
        chosen[i] = (uint8_t)(is_forecast(world, t) ? SCRI_CHOSEN : SCRI_LEFT_OUT);
        if (!was_contact(&world->last, &j, t) || chosen[i]) continue;
        double ahead = world->def.step * stepped_velocity(world, world->bodies.free, t);
        if (t->gap + ahead <= 0.0) chosen[i] = SCRI_CHOSEN_OPEN;
    }
}

double scri_select_reach(const scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    int gap_scheme = world->def.scheme == SCREE_SCHEME_GAP;
    if (world->def.margin > 0.0 && gap_scheme) return world->def.margin;
    double fastest = 0.0;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        scri_vec v = scri_vec_load(b->velocity + 3 * i);
        scri_vec f = scri_vec_load(b->free + SCRI_BODY_STRIDE * i);
        fastest = fmax(fastest, fmax(scri_vec_dot(v, v), scri_vec_dot(f, f)));
    }
    return (gap_scheme ? 2.0 : 1.0) * world->def.step * sqrt(fastest);
}

static double stir_of(const scree_world* world)
{
    return STIR * world->def.step * scri_vec_length(scri_vec_load(world->def.gravity));
}

/* Chooses touches whose gap the free velocities and the pushes known so far can close, and notes
 * what their bodies may be pushed by. Returns whether any was chosen. */
static int choose_round(scree_world* world, const scri_touch* touches, int32_t n)
{
    double *push = world->bodies.push, stir = stir_of(world);
    const int32_t* body = world->shapes.body;
    int chosen = 0;
    for (int32_t i = 0; i < n; ++i) {
        const scri_touch* t = &touches[i];
        if (world->touch_state.chosen[i]) continue;
        double *a = push + body[t->a], *b = push + body[t->b];
        double closing = world->touch_state.closing[i] + *a + *b;
        if (!(closing + stir >= 0.0)) continue;
        world->touch_state.chosen[i] = SCRI_CHOSEN;
        chosen = 1;
        *a = fmax(*a, PUSH_SHARE * closing);
        *b = fmax(*b, PUSH_SHARE * closing);
    }
    return chosen;
}

static void choose_closing(scree_world* world, const scri_touch* touches, int32_t n)
{
    const scri_bodies_table* b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i) b->push[i] = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        double approach = -stepped_velocity(world, b->free, &touches[i]);
        world->touch_state.closing[i] = approach - touches[i].gap / world->def.step;
    }
    for (int round = 0; round < PUSH_ROUNDS; ++round) {
        if (!choose_round(world, touches, n)) break;
    }
}

scree_status scri_select(scree_world* world, const scri_touch* touches, int32_t n)
{
    scri_touch_table* state = &world->touch_state;
    state->n = 0;
    if (!scri_touch_table_reserve(&world->def.env, state, n)) {
        return scri_fail(&world->def.env, SCREE_ERROR_MEMORY, "out of memory for %d touches",
                         (int)n);
    }
    state->n = n;
    if (world->def.scheme == SCREE_SCHEME_IMPULSE) {
        choose_closed(world, touches, n);
        return SCREE_OK;
    }
    int all = world->def.margin > 0.0;
    for (int32_t i = 0; i < n; ++i) state->chosen[i] = all ? SCRI_CHOSEN : SCRI_LEFT_OUT;
    if (!all) choose_closing(world, touches, n);
    return SCREE_OK;
}

int32_t scri_select_missed(scree_world* world, const scri_touch* touches, int all)
{
    int32_t missed = 0, closed = 0;
    if (world->def.scheme != SCREE_SCHEME_GAP || world->def.margin > 0.0) return 0;
    for (int32_t i = 0; i < world->touch_state.n; ++i) {
        const scri_touch* t = &touches[i];
        if (world->touch_state.chosen[i]) continue;
        double gap = t->gap + world->def.step * stepped_velocity(world, world->bodies.next, t);
        scri_vec arm = scri_vec_sub(scri_vec_load(t->point),
                                    scri_vec_load(world->shapes.position + 3 * (size_t)t->a));
        int closes = gap < -MISSED_OVERLAP * scri_vec_length(arm);
        closed += closes;
        if (!closes && !all) continue;
        world->touch_state.chosen[i] = SCRI_CHOSEN;
        missed++;
    }
    return closed > 0 ? missed : 0;
}
