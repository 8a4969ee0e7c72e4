/* Overlap is taken out where it arises: at position level, in the step of the impact.
 *
 * The velocities of a step say that contacts do not close any more after its middle; they say
 * nothing of how far they have closed until then. An impulse p_N moves the bodies by theta h M^-1 H
 * p, since it comes theta h before the end of the step. This file lets it come when the surfaces
 * meet: the displacement gets the addition
 *
 *     shift = M^-1 H_N nu,   0 <= gap at the end  _|_  theta h p_N + nu >= 0,
 *
 * the displacement nearest to that of the scheme, in the metric of the masses, that leaves no
 * overlap. nu is positive where the impulse came too late, negative where it came too early and the
 * body hangs in the air. Contacts that part again (restitution) are only pushed, never pulled, and
 * so are those without an impulse, those of the gap scheme, whose impulses know the gap, and those
 * of a law that floats. Contacts that last are taken as the middle of the step finds them: where
 * they roll, the plane of the middle is off by more than the step is; in the gap scheme their law
 * does all there is to do. Velocities are not touched.
 *
 * Moving bodies out against the forces costs -f . shift. The impacts of the same step have lost
 * -p . (y- + y+) / 2, and among bodies that press on each other no more is spent than that: what
 * cannot be paid stays. At rest no gap is off by more than TRIGGER, and nothing is done at all. */
#include "step/overlap.h"

#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "step/islands.h"
#include "step/step.h"
#include "step/touch.h"

#include <math.h>
#include <string.h>

/* Contacts that leave with less than this share of the velocity that forces alone would bring are
 * taken to stay closed. */
#define STAYS 1e-3

/* Share of what was lost that may be spent: with all of it, a body that rocks on its corners by
 * less than it can see would do so for ever. */
#define SPENT 0.9

/* Overlap from before the step goes by at most this share of the size. */
#define AT_ONCE 0.05

/* Overlap of bodies that part or have just met is left to the next step up to this share. */
#define PASSING 0.03

/* What is lost counts only beyond this share of the energy that contacts handle; the residual of
 * their part may be larger. */
#define NOISE 1e-9

/* Bodies, and contacts, that are worth handing to another worker. */
enum { BODIES_GRAIN = 256, CONTACTS_GRAIN = 64 };

/* ---- what the step would do ------------------------------------------------------------------ */

/* The displacement of a body from the middle of the step to its end. */
static void write_path(scree_world* world, int32_t i)
{
    scri_bodies_table* b = &world->bodies;
    double time = world->def.theta * world->def.step;
    for (size_t j = 0; j < 6; ++j) {
        b->path[6 * (size_t)i + j] = time * b->next[SCRI_BODY_STRIDE * (size_t)i + j];
    }
}

static double velocity_before(const scree_world* world, const scri_touch* touch)
{
    const scri_bodies_table* b = &world->bodies;
    return scri_touch_normal(world, touch, (scri_motion){b->velocity, b->omega, 3});
}

/* Whether a contact parts and leaves no overlap behind before forces like those of this step could
 * turn it back. To push it would change the angular momentum of bodies that fly on, for nothing. */
static int clears(const scree_world* world, const scri_touch* touch, double gap)
{
    const scri_bodies_table* b = &world->bodies;
    double next = scri_touch_normal(world, touch, scri_motion_of(b->next, SCRI_BODY_STRIDE));
    double free = scri_touch_normal(world, touch, scri_motion_of(b->free, SCRI_BODY_STRIDE));
    double size = scri_pair_size(world, touch->a, touch->b);
    if (!(next > STAYS * fabs(free) && gap > -PASSING * size)) return 0;
    double pressed = (velocity_before(world, touch) - free) / world->def.step;
    return !(pressed > 0.0) || gap + 0.5 * next * next / pressed > 0.0;
}

/* Least nu of a contact with the normal impulse p: how far it may be pulled back. It must have
 * closed by its own velocity, or be one that closes late in the step, and stay closed: bodies that
 * fell together before have no velocity of their own to compare with but that of the fall. */
static double least_push(const scree_world* world, const scri_touch* touch, double p, int is_late)
{
    const scri_bodies_table* b = &world->bodies;
    double time = world->def.theta * world->def.step;
    int lifts_off = scri_law_is(scri_law_get((int)world->def.law), SCREE_LAW_IS_ASSOCIATED);
    if (!(p > 0.0) || world->def.scheme == SCREE_SCHEME_GAP || lifts_off) return 0.0;
    double now = velocity_before(world, touch);
    double next = scri_touch_normal(world, touch, scri_motion_of(b->next, SCRI_BODY_STRIDE));
    double unit = is_late ? fmax(fabs(now), scri_step_gravity_speed(world)) : fabs(now);
    if (!is_late && touch->gap + time * now > scri_overlap_tolerance(world, touch)) return 0.0;
    if (next > STAYS * unit) return 0.0;
    return -time * p;
}

/* The gap that touch i would have at the end of the step. Overlap too deep to be undone in one step
 * counts in part: what has closed since the last middle, and a share of the rest. Overlap that goes
 * by itself does not count at all. So does that of bodies which meet without an impulse, because
 * others have pushed them: they have not lost what could pay for it yet. Bodies that fly past each
 * other are left to the sweep. */
static double end_gap_of(const scree_world* world, const scri_touch* touch, double p, int32_t i)
{
    const scri_touch_table* s = &world->touch_state;
    scri_motion path = scri_motion_of(world->bodies.path, 6);
    double opens = scri_touch_normal(world, touch, path);
    int lasts = s->lasting[i] && p > 0.0;
    if (lasts && world->def.scheme == SCREE_SCHEME_GAP) return 0.0;
    double gap = touch->gap + (lasts ? 0.0 : opens);
    double size = scri_pair_size(world, touch->a, touch->b);
    if (gap >= 0.0) return gap;
    if (!s->chosen[i] && scri_touch_is_fast(world, touch, 1.0, path)) return SCREE_INFINITY;
    if (clears(world, touch, gap)) return SCREE_INFINITY;
    if (!s->chosen[i] && gap > -PASSING * size) return 0.0;
    double closed = world->def.step * velocity_before(world, touch);
    return fmax(gap, -(AT_ONCE * size + fabs(opens) + fabs(closed)));
}

/* A body that has stood still for two steps, the second of which has left it where it was: what
 * overlap it has cannot be paid for, and there is no need to find out once more. All that this
 * depends on is part of a saved state. */
enum { LONG_ENOUGH = 2 };

/* Steps in which a body has stood still, with this one. */
static int still_steps(const scree_world* world, int32_t i)
{
    const scri_bodies_table* b = &world->bodies;
    const double *next = b->next + SCRI_BODY_STRIDE * (size_t)i, *v = b->velocity + 3 * (size_t)i;
    const double* w = b->omega + 3 * (size_t)i;
    int stands = 1;
    for (int j = 0; j < 6; ++j) stands &= next[j] == 0.0 && (j < 3 ? v[j] : w[j - 3]) == 0.0;
    int before = b->still_steps[i];
    return !stands ? 0 : before < LONG_ENOUGH ? before + 1 : before;
}

static void find_idle(scree_world* world, int32_t i)
{
    scri_bodies_table* b = &world->bodies;
    int still = still_steps(world, i), is_long = still == LONG_ENOUGH && b->is_unshifted[i];
    b->idle[i] = (uint8_t)(still > 0 && (b->inv_mass[i] == 0.0 || is_long));
}

static int is_idle(const scree_world* world, const scri_touch* touch)
{
    const uint8_t* idle = world->bodies.idle;
    return idle[scri_touch_body(world, touch, 0)] && idle[scri_touch_body(world, touch, 1)];
}

static void note_shift(scree_world* world, int32_t i)
{
    scri_bodies_table* b = &world->bodies;
    const double* x = b->shift + 6 * (size_t)i;
    b->still_steps[i] = (uint8_t)still_steps(world, i);
    b->is_unshifted[i] = 1;
    for (int j = 0; world->is_shifted && j < 6; ++j) b->is_unshifted[i] &= x[j] == 0.0;
}

static int is_soft(const scree_world* world, const scri_touch* touch)
{
    return world->is_soft && scri_touch_pair(world, touch)->is_soft;
}

/* The normal impulse of touch i; and whether it is part of a contradiction, so that nothing can
 * push it apart. */
static double impulse_of(const scree_world* world, int32_t i)
{
    int32_t c = world->touch_state.contact[i];
    return c >= 0 ? world->contacts.p[world->contacts.first_row[c]] : 0.0;
}

static int has_given_way(const scree_world* world, int32_t i)
{
    int32_t c = world->touch_state.contact[i];
    return c >= 0 && world->contacts.give[world->contacts.first_row[c]] != 0.0;
}

/* End gap and bound of a touch, and whether it is due. */
static void forecast(scree_world* world, const scri_touch* touch, int32_t i)
{
    scri_touch_table* s = &world->touch_state;
    double p = impulse_of(world, i);
    s->least_push[i] = 0.0;
    s->listed[i] = SCRI_NOT_LISTED;
    s->end_gap[i] = touch->gap;
    if (is_idle(world, touch)) return;
    if (is_soft(world, touch)) { /* its overlap is what carries */
        s->end_gap[i] = SCREE_INFINITY;
        return;
    }
    s->end_gap[i] = has_given_way(world, i) ? 0.0 : end_gap_of(world, touch, p, i);
    int is_open =
        s->end_gap[i] > scri_overlap_tolerance(world, touch) && s->end_gap[i] < SCREE_INFINITY;
    if (!s->lasting[i] && is_open) {
        s->least_push[i] = least_push(world, touch, p, s->chosen[i] == SCRI_CHOSEN_LATE);
    }
    if (scri_overlap_is_off(world, touch, s->end_gap[i], i)) s->listed[i] = SCRI_DUE;
}

/* ---- who pays -------------------------------------------------------------------------------- */

static void join_pressed(scree_world* world, const scri_touch* touch, int32_t i)
{
    if (impulse_of(world, i) != 0.0) scri_overlap_join(world, touch);
}

/* The touches that a world has listed. */
typedef struct pushed_touches {
    scree_world* world;
    const scri_touch* touches;
} pushed_touches;

static void join_pushed(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushed_touches* all = context;
    const scri_pushes_table* s = &all->world->pushes;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        if (s->push[k].push == 0.0) continue;
        scri_overlap_join(all->world, &all->touches[s->touch[k]]);
    }
}

/* Joins dynamic bodies that press on each other, by impulse or by push. */
static void join_islands(scree_world* world, const scri_touch* touches)
{
    pushed_touches pushed = {world, touches};
    scri_overlap_forget(world);
    scri_overlap_each(world, touches, join_pressed);
    scri_team_for(world->team, world->pushes.n, BODIES_GRAIN, join_pushed, &pushed);
    scri_overlap_find_roots(world);
    scri_overlap_find_contact_roots(world);
}

/* -p . (y- + y+) / 2 of contact c, less what may be noise: a share of p_N times the velocity that
 * it works against. */
static void write_loss(scree_world* world, int32_t c)
{
    double noise = fmax(NOISE, world->parts.report[world->contacts.part[c]].residual);
    const scri_contacts_table* t = &world->contacts;
    int width = t->first_row[c + 1] - t->first_row[c];
    double y[SCRI_MAX_WIDTH] = {0.0}, work = 0.0;
    scri_bodies_add_relative(&world->problem.bodies, world->bodies.next, c, width, y);
    for (int i = 0; i < width; ++i) {
        work += 0.5 * t->p[t->first_row[c] + i] * (y[i] + t->before[6 * (size_t)c + (size_t)i]);
    }
    double p = t->p[t->first_row[c]];
    t->loss[c] = -work - noise * fabs(p * t->q[t->first_row[c]]);
}

/* What a body adds to the loss of its island, and to what the shift costs, in `size`. Beside its
 * contacts an island loses (theta - 1/2) h f . (v+ - v): that part of the work of forces does not
 * become motion. */
static void weigh_body(scree_world* world, int32_t body)
{
    scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    double surplus = (world->def.theta - 0.5) * world->def.step, change[6];
    const double *next = b->next + SCRI_BODY_STRIDE * i, *v = b->velocity + 3 * i;
    const double* w = b->omega + 3 * i;
    for (size_t j = 0; j < 3; ++j) change[j] = next[j] - v[j];
    for (size_t j = 0; j < 3; ++j) change[3 + j] = next[3 + j] - w[j];
    b->size[2 * i] = surplus * scri_overlap_force_times(b, i, change);
    b->size[2 * i + 1] = scri_overlap_force_times(b, i, b->shift + 6 * i);
    b->lost[i] = b->cost[i] = 0.0;
}

/* Adds what contacts lose to `lost` of their islands, at the roots, in their order. Those of an
 * island mostly follow each other. */
static void add_losses(scree_world* world)
{
    const int32_t* root = world->contacts.root;
    double* lost = world->bodies.lost;
    int32_t n = world->n_touching, end;
    for (int32_t c = 0; c < n; c = end) {
        double sum = lost[root[c]];
        for (end = c; end < n && root[end] == root[c]; ++end) sum += world->contacts.loss[end];
        lost[root[c]] = sum;
    }
}

/* What each island has lost in the step and what its shift costs, at its root: sums in the order of
 * contacts and bodies, by one worker. */
static void weigh(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    int32_t n = b->n, end;
    scri_step_each(world, n, BODIES_GRAIN, weigh_body);
    add_losses(world);
    for (int32_t i = 0; i < n; i = end) {
        int32_t root = b->island[i];
        double lost = b->lost[root], cost = b->cost[root];
        for (end = i; end < n && b->island[end] == root; ++end) {
            if (b->inv_mass[end] == 0.0) continue;
            lost += b->size[2 * (size_t)end];
            cost -= b->size[2 * (size_t)end + 1];
        }
        b->lost[root] = lost;
        b->cost[root] = cost;
    }
}

void scri_overlap_find_losses(scree_world* world)
{
    double* lost = world->bodies.lost;
    scri_overlap_find_contact_roots(world);
    scri_team_clear(world->team, lost, (size_t)world->bodies.n * sizeof *lost);
    add_losses(world);
}

double scri_overlap_paid(const scree_world* world, int32_t root)
{
    return SPENT * fmax(world->bodies.lost[root], 0.0);
}

static void shorten_shift(scree_world* world, int32_t i)
{
    scri_bodies_table* b = &world->bodies;
    int32_t root = b->island[i];
    double lost = scri_overlap_paid(world, root), cost = b->cost[root];
    if (!(cost > lost)) return;
    for (size_t j = 0; j < 6; ++j) b->shift[6 * (size_t)i + j] *= lost / cost;
}

/* Shortens shifts to what can be paid. */
static void pay(scree_world* world, const scri_touch* touches)
{
    join_islands(world, touches);
    weigh(world);
    scri_step_each(world, world->bodies.n, BODIES_GRAIN, shorten_shift);
}

/* The work that contacts do by the shift, and the part of it that goes into the callback's forces.
 */
static void add_work(const scree_world* world, scree_step_report* report)
{
    const scri_bodies_table* b = &world->bodies;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        const double* shift = b->shift + 6 * i;
        double work = scri_overlap_force_times(b, i, shift);
        report->overlap_work -= work;
        if (!world->def.force) continue;
        report->force_work += work - b->mass[i] * scri_dot3(world->def.gravity, shift);
    }
}

static int any_is_due(const scri_touch_table* s)
{
    return s->n > 0 && memchr(s->listed, SCRI_DUE, (size_t)s->n) != NULL;
}

double scri_overlap_end_gap(const scree_world* world, const scri_touch* touch)
{
    double gap = touch->gap;
    gap += scri_touch_normal(world, touch, scri_motion_of(world->bodies.path, 6));
    if (!world->is_shifted) return gap;
    return gap + scri_touch_normal(world, touch, scri_motion_of(world->bodies.shift, 6));
}

scree_status scri_overlap_find(scree_world* world, const scri_touch* touches)
{
    int32_t n_bodies = world->bodies.n;
    scri_step_each(world, n_bodies, BODIES_GRAIN, write_path);
    scri_step_each(world, n_bodies, BODIES_GRAIN, find_idle);
    scri_overlap_each(world, touches, forecast);
    world->is_shifted = any_is_due(&world->touch_state);
    if (!world->is_shifted) return SCREE_OK;
    scri_step_each(world, world->n_touching, CONTACTS_GRAIN, write_loss);
    scree_status status = scri_overlap_push(world, touches);
    if (!status) pay(world, touches);
    return status;
}

void scri_overlap_account(scree_world* world, const scri_touch* touches, scree_step_report* report)
{
    if (world->is_shifted) add_work(world, report);
    report->contact_work += report->overlap_work;
    scri_step_each(world, world->bodies.n, BODIES_GRAIN, note_shift);
    scri_overlap_judge(world, touches, report);
}

/* A body that is turned keeps its angular velocity in its own axes, and with it its energy. */
void scri_overlap_shift_body(scree_world* world, size_t i)
{
    scri_bodies_table* b = &world->bodies;
    if (!world->is_shifted) return;
    double share = world->is_stopped ? b->stop[i] : 1.0;
    const double* x = b->shift + 6 * i;
    scri_vec turn = scri_vec_scale(share, scri_vec_load(x + 3));
    for (size_t j = 0; j < 3; ++j) b->position[3 * i + j] += share * x[j];
    if (turn.x == 0.0 && turn.y == 0.0 && turn.z == 0.0) return;
    scri_quat by = scri_step_rotation(turn);
    scri_quat turned = scri_quat_multiply(by, scri_quat_load(b->rotation + 4 * i));
    scri_quat_store(scri_quat_normalize(turned), b->rotation + 4 * i);
    if (b->is_round[i]) return;
    scri_vec_store(scri_quat_rotate(by, scri_vec_load(b->omega + 3 * i)), b->omega + 3 * i);
}

static void undo_body(scree_world* world, int32_t i)
{
    if (!scri_step_is_joined(world, (size_t)i)) scri_overlap_shift_body(world, (size_t)i);
}

void scri_overlap_undo(scree_world* world)
{
    if (world->is_shifted) scri_step_each(world, world->bodies.n, BODIES_GRAIN, undo_body);
}
