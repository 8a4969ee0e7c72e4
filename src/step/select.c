/* Which of the touches near enough become contacts of the step.
 *
 * Impulse scheme: those whose gap is closed half way through the step, and of the contacts of
 * the last step also those that the free velocities would close again: a contact that
 * rolls or turns opens by what the step neglects, and must not let go for that. Gap scheme: all
 * that can close within the step. To hand every touch within reach of the fastest body to the
 * solver would more than double its work, so a bound on the approach decides: that of the free
 * velocities, some stir, and what bodies may be given by others that hit them. After the solve the
 * touches left out are looked at again, and the step is solved once more with those that its
 * velocities do close.
 */
#include "problem/bodies_kernel.h"
#include "step/overlap.h"
#include "step/step.h"
#include "step/touch.h"

#include <math.h>
#include <string.h>

/* Times that a push is handed on from body to body, and the share that goes on. */
enum { PUSH_ROUNDS = 2 };
#define PUSH_SHARE 0.5

/* Velocity that any body may get from its neighbours, in units of what gravity adds in a step: with
 * less, many steps of a heap have to be solved twice. */
#define STIR 3.0

/* Overlap that a touch left out may reach: gap scheme, as a share of the distance from point to
 * centre; impulse scheme, of the size. There a body that is stopped stops the next one, which is
 * nearly above it, in the same step: one after the other, a step each, those of a stack would fall
 * on for as many steps. In parts of more than FEW_CONTACTS, where every round costs, and where
 * materials bounce, so that the order of impacts matters, more is left to the next step. */
#define MISSED_OVERLAP 1e-3
#define MISSED_SHARE 1e-2
#define FEW_MISSED_SHARE 1e-4
enum { FEW_CONTACTS = 400 };

/* Rounds of a step, and of one whose parts have few contacts. */
enum { ROUNDS = 4, FEW_ROUNDS = 24 };

/* Contacts part with more than this, in units of what gravity gives in a step. */
#define PARTED 1e-3

/* Reach of a body at rest that something faster may hit, as a share of its size. */
#define STRUCK_SHARE 0.25

/* m; a body that moves farther in one step has gone wild. */
#define MOST_WAY 1e12

/* Normal velocity at a touch, from velocities laid out as the kernels want them. */
static double stepped_velocity(const scree_world* world, const double* lines,
                               const scri_touch* touch)
{
    return scri_touch_normal(world, touch, scri_motion_of(lines, SCRI_BODY_STRIDE));
}

/* What the gap of a resting contact may be off by: rounding, and bodies come to rest only to the
 * tolerance of the solver. Such a contact must not open for one step: the
 * body would fall by g h^2 and stay there. */
static double slack(const scree_world* world, const scri_touch* touch)
{
    const scri_bodies_table* b = &world->bodies;
    double speed = 0.0;
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)world->shapes.body[side ? touch->b : touch->a];
        for (size_t j = 0; j < 3; ++j) speed += fabs(b->free[SCRI_BODY_STRIDE * i + j]);
    }
    return scri_touch_rounding(world, touch) + world->def.solver.tol * world->def.step * speed;
}

/* Whether bodies fly past each other in the rest of the step. */
static int is_fast(const scree_world* world, const scri_touch* touch)
{
    scri_motion free = scri_motion_of(world->bodies.free, SCRI_BODY_STRIDE);
    return scri_touch_is_fast(world, touch, world->def.theta * world->def.step, free);
}

static double approach_of(const scree_world* world, const scri_touch* touch)
{
    const scri_bodies_table* b = &world->bodies;
    return scri_touch_normal(world, touch, (scri_motion){b->velocity, b->spin, 3});
}

/* Impulse scheme: whether a touch is closed half way through the step. */
static int is_closed_halfway(const scree_world* world, const scri_touch* touch)
{
    double ahead = (world->def.theta - 0.5) * world->def.step;
    return touch->gap + ahead * approach_of(world, touch) <= slack(world, touch);
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

/* Whether a touch that was a contact in the last step, or was none, is one now. Bodies that fly
 * past each other must touch already: the sweep brings them there if they do meet. What has
 * pressed while it was open, and has not parted, has its gap to close. */
static uint8_t choose_closed(const scree_world* world, const scri_touch* touch, int was,
                             int lasting)
{
    if (is_fast(world, touch) && !(was && touch->gap <= slack(world, touch))) {
        double near = SCRI_TOUCHING * scri_pair_size(world, touch->a, touch->b);
        int meets = approach_of(world, touch) < 0.0 && touch->gap <= near;
        return meets ? SCRI_CHOSEN : SCRI_LEFT_OUT;
    }
    if (is_closed_halfway(world, touch)) return SCRI_CHOSEN;
    double ahead = world->def.step * stepped_velocity(world, world->bodies.free, touch);
    double parted = PARTED * scri_step_gravity_speed(world);
    if (lasting && approach_of(world, touch) <= parted) {
        int is_open = touch->gap > scri_overlap_tolerance(world, touch);
        return is_open ? SCRI_CHOSEN_OPEN : SCRI_CHOSEN;
    }
    return was && touch->gap + ahead <= 0.0 ? SCRI_CHOSEN_OPEN : SCRI_LEFT_OUT;
}

/* Every shape reaches as far as its own motion may take its surface; twice that in the gap scheme,
 * where others may make it faster. What may be hit by something faster needs more, so that its
 * neighbours are known: half of what the fastest moves, but no more than a share of its size. A
 * margin that the user has set stands instead of all that. */
scree_status scri_select_reach(scree_world* world, double* margin)
{
    const scri_bodies_table* b = &world->bodies;
    scri_shapes_table* s = &world->shapes;
    int gap_scheme = world->def.scheme == SCREE_SCHEME_GAP;
    int is_given = gap_scheme && world->def.margin > 0.0;
    double h = (gap_scheme ? 2.0 : 1.0) * world->def.step, fastest = 0.0;
    *margin = is_given ? world->def.margin : 0.0;
    for (int32_t k = 0; k < s->n; ++k) {
        size_t i = (size_t)s->body[k];
        double now[6];
        memcpy(now, b->velocity + 3 * i, 3 * sizeof *now);
        memcpy(now + 3, b->spin + 3 * i, 3 * sizeof *now);
        double way = h * fmax(scri_sweep_way(world, k, now),
                              scri_sweep_way(world, k, b->free + SCRI_BODY_STRIDE * i));
        if (!(way < MOST_WAY)) {
            return scri_fail(&world->def.env, SCREE_ERROR_INPUT,
                             "body %d moves by %g m in a step of %g s", (int)i, way, h);
        }
        fastest = fmax(fastest, way);
        s->reach[k] = is_given ? 0.0 : way;
    }
    for (int32_t k = 0; k < s->n && !is_given; ++k) {
        double size = scri_shape_radius(s->kind[k], s->size + 3 * (size_t)k);
        s->reach[k] = fmax(s->reach[k], fmin(0.5 * fastest, STRUCK_SHARE * size));
    }
    return SCREE_OK;
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
    const uint8_t* responds = world->shapes.responds;
    int chosen = 0;
    for (int32_t i = 0; i < n; ++i) {
        const scri_touch* t = &touches[i];
        if (world->touch_state.chosen[i]) continue;
        double *a = push + body[t->a], *b = push + body[t->b];
        double closing = world->touch_state.closing[i] + *a + *b;
        if (!(closing + stir >= 0.0)) continue;
        world->touch_state.chosen[i] = SCRI_CHOSEN;
        chosen = 1;
        /* what cannot be pushed pushes nothing on */
        if (responds[t->a]) *a = fmax(*a, PUSH_SHARE * closing);
        if (responds[t->b]) *b = fmax(*b, PUSH_SHARE * closing);
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
    const scri_contacts_table* last = &world->last;
    int impulse = world->def.scheme == SCREE_SCHEME_IMPULSE, all = world->def.margin > 0.0;
    for (int32_t i = 0, j = 0; i < n; ++i) {
        int was = was_contact(last, &j, &touches[i]);
        state->lasting[i] = (uint8_t)(was && last->p[last->row[j]] > 0.0);
        state->chosen[i] = all ? SCRI_CHOSEN : SCRI_LEFT_OUT;
        if (impulse) {
            state->chosen[i] = choose_closed(world, &touches[i], was, state->lasting[i]);
        }
    }
    if (!impulse && !all) choose_closing(world, touches, n);
    return SCREE_OK;
}

/* Whether a touch is found out late, however little it closes: its parts have few contacts, and its
 * materials do not bounce. */
static int is_among_few(const scree_world* world, const scri_touch* touch)
{
    const scri_parts_table* parts = &world->parts;
    const int32_t* material = world->shapes.material;
    int32_t n = 0;
    for (int side = 0; side < 2; ++side) {
        int32_t part = world->bodies.part[scri_touch_body(world, touch, side)];
        if (part >= 0) n += parts->contact[part + 1] - parts->contact[part];
    }
    const scri_pair* pair = scri_world_pair(world, material[touch->a], material[touch->b]);
    return n <= FEW_CONTACTS && pair->material.restitution == 0.0;
}

/* Impulse scheme: the overlap that a touch left out may reach. Where forces alone would close it,
 * nothing but the time of its impact within the step is off. */
static double missed_share(const scree_world* world, const scri_touch* touch, int round)
{
    double size = scri_pair_size(world, touch->a, touch->b);
    double ahead = world->def.theta * world->def.step;
    double free = stepped_velocity(world, world->bodies.free, touch);
    if (is_among_few(world, touch) && touch->gap + ahead * free > 0.0) {
        return FEW_MISSED_SHARE * size;
    }
    return round < ROUNDS ? MISSED_SHARE * size : SCREE_INFINITY;
}

/* Impulse scheme: whether the velocities found close a touch that was left out before the end of
 * the step, because others have pushed its bodies; and not where they fly past each other. */
static int is_closed_late(const scree_world* world, const scri_touch* touch, int round)
{
    double ahead = world->def.theta * world->def.step;
    double next = stepped_velocity(world, world->bodies.next, touch);
    return touch->gap + ahead * next < -missed_share(world, touch, round) &&
           touch->gap + ahead * approach_of(world, touch) > 0.0 && !is_fast(world, touch);
}

static int is_same_pair(const scri_touch* one, const scri_touch* two)
{
    return one->a == two->a && one->b == two->b;
}

/* Two faces meet with all their corners, or a few of them would set the bodies turning: takes in
 * what was left out of the pairs that a touch was taken in of, if it closes at all. Touches of a
 * pair follow each other. Returns how many. */
static int32_t choose_beside(scree_world* world, const scri_touch* touches)
{
    scri_touch_table* s = &world->touch_state;
    int32_t missed = 0, end;
    for (int32_t i = 0; i < s->n; i = end) {
        int is_late = 0;
        for (end = i; end < s->n && is_same_pair(&touches[i], &touches[end]); ++end) {
            is_late |= s->chosen[end] == SCRI_CHOSEN_LATE;
        }
        for (int32_t j = i; j < end && is_late; ++j) {
            if (s->chosen[j] != SCRI_LEFT_OUT) continue;
            if (!(scri_overlap_end_gap(world, &touches[j]) < 0.0)) continue;
            s->chosen[j] = SCRI_CHOSEN_LATE;
            missed++;
        }
    }
    return missed;
}

/* Those bodies are not where their velocities lead them where overlap is undone, or the impulse
 * comes when they meet: what stops in the air goes on until then, and so do those behind it. */
static int32_t choose_late(scree_world* world, const scri_touch* touches, int round)
{
    scri_touch_table* s = &world->touch_state;
    int32_t missed = 0;
    for (int32_t i = 0; i < s->n; ++i) {
        if (s->chosen[i] == SCRI_LEFT_OUT) missed += is_closed_late(world, &touches[i], round);
    }
    if (missed == 0) return 0;
    scri_overlap_find(world, touches);
    missed = 0;
    for (int32_t i = 0; i < s->n; ++i) {
        if (s->chosen[i] != SCRI_LEFT_OUT || !is_closed_late(world, &touches[i], round)) continue;
        double share = missed_share(world, &touches[i], round);
        if (!(scri_overlap_end_gap(world, &touches[i]) < -share)) continue;
        s->chosen[i] = SCRI_CHOSEN_LATE;
        missed++;
    }
    return missed > 0 ? missed + choose_beside(world, touches) : 0;
}

/* Gap scheme: whether the velocities found close a touch that was left out, before the middle of
 * the next step. */
static int is_closed(const scree_world* world, const scri_touch* touch)
{
    double next = stepped_velocity(world, world->bodies.next, touch);
    scri_vec arm = scri_vec_sub(scri_vec_load(touch->point),
                                scri_vec_load(world->shapes.position + 3 * (size_t)touch->a));
    return touch->gap + world->def.step * next < -MISSED_OVERLAP * scri_vec_length(arm);
}

int32_t scri_select_missed(scree_world* world, const scri_touch* touches, int round)
{
    uint8_t* chosen = world->touch_state.chosen;
    int32_t missed = 0, n = world->touch_state.n;
    if (world->def.scheme == SCREE_SCHEME_IMPULSE) {
        return round < FEW_ROUNDS ? choose_late(world, touches, round) : 0;
    }
    if (world->def.margin > 0.0 || round >= ROUNDS) return 0;
    for (int32_t i = 0; i < n; ++i) {
        if (chosen[i] || !is_closed(world, &touches[i])) continue;
        chosen[i] = SCRI_CHOSEN;
        missed++;
    }
    if (missed == 0 || round + 1 < ROUNDS) return missed;
    for (int32_t i = 0; i < n;
         ++i) { /* what is chosen here must be written: only with the others */
        missed += !chosen[i];
        if (!chosen[i]) chosen[i] = SCRI_CHOSEN;
    }
    return missed;
}
