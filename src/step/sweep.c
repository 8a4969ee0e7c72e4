/* Nothing passes through anything: bodies stop where their way through the step first meets
 * another.
 *
 * A contact problem sees a touch as a plane. For bodies that pass each other by more than their
 * size that plane is not where they meet, and a thin wall may lie behind it. So the ways of such
 * pairs, straight lines with a steady turn, are followed by conservative advancement: surfaces that
 * are d apart and approach by at most L on the whole way cannot meet within the share d / L of it.
 * A step has two ways, to its middle and from there to its end. On either a body that meets a wall
 * goes on along it, touching, with the velocity it has; the next middle finds the contact and gives
 * the impact. Two that both give way do so where they graze each other, and where they meet head on
 * or cannot go along each other both stop. A body whose motion is given does not: what it meets
 * goes before it from there on.
 *
 * Pairs that touch in the middle are held apart by their contact, and so are all pairs of the gap
 * scheme: to stop them short would only bring those behind them into overlap. Their turning, or a
 * push from others, may still defeat it, so the balls inside them are followed instead: while these
 * are on the right side, so is the normal of whatever overlap there is, and it is undone in the
 * right direction. Pairs that touch at the beginning of a step and still approach have no contact
 * yet: they go along each other, or stay where they are.
 *
 * Forces have worked along the whole way; what a body has not fallen is taken from its speed. */
#include "base/groups.h"
#include "problem/bodies_kernel.h"
#include "step/course.h"

#include <math.h>
#include <string.h>

/* Stopping one body may let a third run into it: ways are followed again until none changes, and
 * only shortened after so many times that some went along others. */
enum { PASSES = 32, SLIDES = 8, MOST_PIECES = 64 };

/* Bodies in touch go along each other by pieces of this share of the ball inside. */
#define PIECE 0.25

/* Two that both give way go along each other where they approach by no more than this share of
 * their way. */
#define GRAZING 0.6

double scri_sweep_radius(const scri_shapes_table* s, int32_t i)
{
    return scri_shapes_radius(s, i) + scri_vec_length(scri_vec_load(s->offset + 3 * (size_t)i));
}

double scri_sweep_way(const scree_world* world, int32_t shape, const double* motion)
{
    double turn = scri_vec_length(scri_vec_load(motion + 3));
    double way = scri_vec_length(scri_vec_load(motion));
    if (turn == 0.0 || world->shapes.kind[shape] == SCREE_SHAPE_HALF_SPACE) return way;
    return way + turn * scri_sweep_radius(&world->shapes, shape);
}

/* What body i, to which `normal` points, is taken along by body k from the share s on: it stays as
 * far before the plane of their meeting, which moves and turns with k. */
static scri_vec taken_along(const scri_bodies_table* b, size_t i, size_t k, double s,
                            scri_vec normal)
{
    scri_vec none = {0.0, 0.0, 0.0};
    if (b->kind[k] != SCREE_BODY_KINEMATIC) return none;
    scri_vec of_i = scri_vec_load(b->path + 6 * i), of_k = scri_vec_load(b->path + 6 * k);
    scri_vec arm =
        scri_vec_sub(scri_vec_load(b->position + 3 * i), scri_vec_load(b->position + 3 * k));
    arm = scri_vec_add_scaled(arm, s, scri_vec_sub(of_i, of_k));
    scri_quat turn =
        scri_step_rotation(scri_vec_scale(1.0 - s, scri_vec_load(b->path + 6 * k + 3)));
    scri_vec way = scri_vec_sub(scri_quat_rotate(turn, arm), arm);
    way = scri_vec_add_scaled(way, 1.0 - s, of_k);
    normal = scri_quat_rotate(turn, normal);
    double ahead = scri_vec_dot(normal, way);
    return ahead > 0.0 ? scri_vec_scale(ahead, normal) : none;
}

/* Two bodies go the share s of their ways at most, where they meet with a normal from the second to
 * the first; whether one stops earlier than before. */
static int stop_both(scree_world* world, const scri_touch* pair, double s, scri_vec normal)
{
    scri_bodies_table* b = &world->bodies;
    int stops = 0;
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)scri_touch_body(world, pair, side);
        size_t other = (size_t)scri_touch_body(world, pair, !side);
        if (b->inv_mass[i] == 0.0 || scri_step_is_joined(world, i) || !(s < b->stop[i])) continue;
        scri_vec to = scri_vec_scale(side ? -1.0 : 1.0, normal);
        scri_vec_store(taken_along(b, i, other, s, to), b->carry + 3 * i);
        b->stop[i] = s;
        stops = 1;
    }
    return stops;
}

/* ---- along the surface ----------------------------------------------------------------------- */

/* By what share of the way that parts two surfaces either body is moved: the lighter one by more,
 * so that their centre of mass stays. Whether both go on at all. */
static int shares_of(const scree_world* world, const scri_touch* pair, double share[2])
{
    const scri_bodies_table* b = &world->bodies;
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)scri_touch_body(world, pair, side);
        share[side] = scri_step_is_joined(world, i) ? 0.0 : b->inv_mass[i];
        if (b->stop[i] < 1.0) return 0;
    }
    double sum = share[0] + share[1];
    if (!(sum > 0.0)) return 0;
    share[0] /= sum;
    share[1] /= sum;
    return 1;
}

/* How far two bodies in touch may go at once, to be brought apart again the way they came. */
static double piece_of(const scree_world* world, const scri_touch* pair)
{
    const scri_shapes_table* t = &world->shapes;
    double least = SCREE_INFINITY;
    for (int side = 0; side < 2; ++side) {
        int32_t i = side ? pair->b : pair->a;
        double inner = scri_course_inner(t, i);
        if (world->bodies.inv_mass[t->body[i]] > 0.0 && inner > 0.0) least = fmin(least, inner);
    }
    return PIECE * least;
}

/* Adds to `away`, which two bodies are moved by at the share s of their ways, what lacks to a gap
 * of `least`; whether that can be had. */
static int bring_apart(const scree_world* world, const scri_touch* pair, double s, double least,
                       double near, const double share[2], scri_vec away[2])
{
    enum { PUSHES = 16 };
    scri_two begin, shapes;
    scri_touch nearest = *pair;
    scri_two_place(world, pair->a, 0.0, s, 0, &begin);
    scri_two_place(world, pair->b, 0.0, s, 1, &begin);
    for (int k = 0; k < PUSHES; ++k) {
        shapes = begin;
        for (int side = 0; side < 2; ++side) {
            scri_vec x = scri_vec_load(begin.position + 3 * side);
            scri_vec_store(scri_vec_add(x, away[side]), shapes.position + 3 * side);
        }
        double d = scri_two_distance(&shapes, near, &nearest);
        if (!(d < least)) return 1;
        for (int side = 0; side < 2; ++side) {
            double by = (side ? -1.0 : 1.0) * share[side] * (least + 0.5 * near - d);
            away[side] = scri_vec_add_scaled(away[side], by, scri_vec_load(nearest.normal));
        }
    }
    return 0;
}

/* Two bodies that touch at the share s of their ways, with this gap, go the rest of them along each
 * other's surface: in pieces, after each of which they are brought apart. Whether their ways change
 * by that; -1, and nothing is done, where it cannot be. */
static int go_along(scree_world* world, const scri_touch* pair, double s, double gap, double length)
{
    scri_bodies_table* b = &world->bodies;
    double share[2], size = scri_pair_size(world, pair->a, pair->b);
    double near = 0.5 * SCRI_TOUCHING * size, piece = piece_of(world, pair);
    scri_vec away[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double n = ceil((1.0 - s) * length / piece);
    if (!shares_of(world, pair, share) || !(n >= 1.0 && n <= MOST_PIECES)) return -1;
    for (int k = 1; k <= (int)n; ++k) {
        double at = s + (1.0 - s) * k / n;
        if (!bring_apart(world, pair, at, fmin(gap, 0.0), near, share, away)) return -1;
    }
    double apart = scri_vec_length(scri_vec_sub(away[0], away[1]));
    if (apart == 0.0) return 0;
    if (share[0] > 0.0 && share[1] > 0.0 && !(apart <= GRAZING * (1.0 - s) * length)) return -1;
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)scri_touch_body(world, pair, side);
        double *slide = b->slide + 3 * i, *path = b->path + 6 * i;
        scri_vec_store(scri_vec_add(scri_vec_load(slide), away[side]), slide);
        scri_vec_store(scri_vec_add(scri_vec_load(path), away[side]), path);
    }
    return 1;
}

/* ---- both bodies ----------------------------------------------------------------------------- */

/* The least of the gaps of touches [n] when either body has gone as far as it goes. */
static double gap_behind(const scree_world* world, const scri_touch* touches, int32_t n)
{
    const scri_bodies_table* b = &world->bodies;
    double least = SCREE_INFINITY, way[12];
    size_t of[2];
    for (int side = 0; side < 2; ++side) {
        of[side] = (size_t)scri_touch_body(world, touches, side);
        for (size_t j = 0; j < 6; ++j) {
            way[6 * side + (int)j] = b->stop[of[side]] * b->path[6 * of[side] + j];
        }
    }
    for (int32_t i = 0; i < n; ++i) {
        scri_vec apart = {0.0, 0.0, 0.0};
        for (int side = 0; side < 2; ++side) {
            scri_vec turn = scri_vec_load(way + 6 * side + 3);
            scri_vec arm = scri_touch_arm(world, &touches[i], side);
            scri_vec at = scri_vec_add(scri_vec_load(way + 6 * side), scri_vec_cross(turn, arm));
            apart = scri_vec_add_scaled(apart, side ? -1.0 : 1.0, at);
        }
        double gap = touches[i].gap + scri_vec_dot(apart, scri_vec_load(touches[i].normal));
        least = fmin(least, gap);
    }
    return least;
}

static int slides(const scri_bodies_table* b, size_t i)
{
    return b->slide[3 * i] != 0.0 || b->slide[3 * i + 1] != 0.0 || b->slide[3 * i + 2] != 0.0;
}

/* A contact holds bodies apart that go all of their way. Where one of them stops, the other stops
 * with it if it would run into it; where one goes along a third, both stop where they would be in
 * each other. */
static int stop_together(scree_world* world, const scri_touch* touches, int32_t n, double gap)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)scri_touch_body(world, touches, 0);
    size_t k = (size_t)scri_touch_body(world, touches, 1);
    double size = scri_pair_size(world, touches->a, touches->b);
    double least = fmin(gap, 0.0) - SCRI_SPARED * size, stop = fmin(b->stop[i], b->stop[k]);
    int is_even = b->stop[i] == b->stop[k];
    if (is_even && !slides(b, i) && !slides(b, k)) return 0;
    double behind = gap_behind(world, touches, n);
    if (!(behind < least)) return 0;
    if (is_even) stop *= (gap - least) / (gap - behind);
    return stop_both(world, touches, stop, scri_vec_load(touches->normal));
}

/* Keeps where two bodies met after the share s of their ways, for their contact in the middle of
 * the step: the first that either meets. */
static void remember(scree_world* world, const scri_touch* pair, double s, const scri_touch* where)
{
    scri_bodies_table* b = &world->bodies;
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)scri_touch_body(world, pair, side);
        if (b->inv_mass[i] == 0.0 || b->met[i].share < 1.0) continue;
        b->met[i] =
            (scri_meeting){.share = s, .shape = {pair->a, pair->b}, .feature = where->feature};
        memcpy(b->met[i].normal, where->normal, sizeof b->met[i].normal);
        world->has_met = 1;
    }
}

/* The least gap of touches [n] at the end of the way, if all of it is gone. */
static double gap_at_end(const scree_world* world, const scri_touch* touches, int32_t n)
{
    scri_motion path = scri_motion_of(world->bodies.path, 6);
    double least = SCREE_INFINITY;
    for (int32_t i = 0; i < n; ++i) {
        least = fmin(least, touches[i].gap + scri_touch_normal(world, &touches[i], path));
    }
    return least;
}

/* Follows the pair of the touches [n]; whether it stops a body earlier than before. */
static int follow(scree_world* world, const scri_touch* touches, int32_t n, int is_first,
                  int may_slide)
{
    int impulse = world->def.scheme == SCREE_SCHEME_IMPULSE;
    const scri_touch* pair = touches;
    scri_course c;
    int is_far = scri_course_begin(world, touches, n, &c);
    int stopped = impulse && stop_together(world, touches, n, c.gap);
    if (!is_far) return stopped;
    double near = SCRI_TOUCHING * c.size, s = -1.0;
    if (impulse && is_first && c.gap <= near) {
        double end = gap_at_end(world, touches, n);
        remember(world, pair, 0.0, &c.where);
        if (end < -near && end < c.gap) {
            int goes = may_slide ? go_along(world, pair, 0.0, c.gap, c.length) : -1;
            return goes >= 0 ? goes : stop_both(world, pair, 0.0, scri_vec_load(c.where.normal));
        }
    }
    if (impulse && c.gap > near) s = scri_course_meeting(world, pair, 0.0, c.length, &c.where);
    if (s < 0.0) s = scri_course_cores(world, pair, c.length, &c.where);
    if (!(s >= 0.0 && s < 1.0)) return stopped;
    double from = c.gap > near ? s : 0.0;
    int goes = impulse && may_slide ? go_along(world, pair, from, c.gap, c.length) : -1;
    if (goes > 0 && is_first && c.gap > near) remember(world, pair, s, &c.where);
    if (goes >= 0) return goes || stopped;
    return stop_both(world, pair, s, scri_vec_load(c.where.normal)) || stopped;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* How far shapes go, measured by themselves and by the smallest that they may meet: not far, far,
 * or farther than shapes.reach says, which is raised to it. */
enum { NOT_FAR, FAR, BEYOND };

typedef struct ways {
    const scree_world* world;
    double smallest;
} ways;

/* The largest curvature: one over the smallest radius. */
static double find_curvature(const void* context, int32_t begin, int32_t end)
{
    const scri_shapes_table* t = &((const ways*)context)->world->shapes;
    double most = 0.0;
    for (int32_t k = begin; k < end; ++k) {
        most = fmax(most, 1.0 / scri_shapes_radius(t, k));
    }
    return most;
}

/* How far a shape may go beyond its reach before it stops at what nobody has seen: in the gap
 * scheme the ball inside is followed, and the surface is ahead of that. */
static double unseen(const scree_world* world, int32_t k)
{
    const scri_shapes_table* t = &world->shapes;
    if (world->def.scheme == SCREE_SCHEME_IMPULSE || !scri_course_has_core(world, k)) return 0.0;
    return (1.0 - SCRI_CORE) * scri_course_inner(t, k);
}

static double measure_range(const void* context, int32_t begin, int32_t end)
{
    const ways* all = context;
    const scri_bodies_table* b = &all->world->bodies;
    const scri_shapes_table* t = &all->world->shapes;
    double most = NOT_FAR;
    for (int32_t k = begin; k < end; ++k) {
        size_t body = (size_t)t->body[k];
        if (b->kind[body] == SCREE_BODY_STATIC || t->kind[k] == SCREE_SHAPE_HALF_SPACE) continue;
        double way = scri_sweep_way(all->world, k, b->path + 6 * body);
        double least = fmin(SCRI_CORE * scri_course_inner(t, k), SCRI_FAST * all->smallest);
        if (!(way > 0.5 * least)) continue; /* two such ways are that of a pair */
        most = fmax(most, way > t->reach[k] + unseen(all->world, k) ? BEYOND : FAR);
        t->reach[k] = fmax(t->reach[k], way);
    }
    return most;
}

static int measure_ways(scree_world* world)
{
    enum { GRAIN = 128 }; /* shapes that are worth handing to another worker */
    ways all = {world, 0.0};
    int32_t n = world->shapes.n;
    all.smallest = 1.0 / scri_groups_most(world->team, n, GRAIN, find_curvature, &all);
    return (int)scri_groups_most(world->team, n, GRAIN, measure_range, &all);
}

static scree_status find_touches(scree_world* world, const scri_touch** touches, int32_t* n)
{
    scri_placed placed = scri_world_place_shapes(world);
    placed.reach = world->shapes.reach;
    return scri_collider_run(world->collider, &placed, 0.0, touches, n);
}

/* The touches of a step, in groups of them: whether a pair that begins in one would stop a body if
 * none had stopped yet. */
typedef struct all_pairs {
    scree_world* world;
    const scri_touch* touches;
    int32_t n;
    scri_groups groups;
    uint8_t stops[SCRI_MOST_GROUPS];
} all_pairs;

/* The touch behind those of the pair of touch i. */
static int32_t end_of_pair(const all_pairs* all, int32_t i)
{
    const scri_touch* t = all->touches + i;
    int32_t end = i + 1;
    while (end < all->n && all->touches[end].a == t->a && all->touches[end].b == t->b) ++end;
    return end;
}

/* The first touch of the first pair that begins in group g, or behind it. */
static int32_t first_of_group(const all_pairs* all, int32_t g)
{
    int32_t i = scri_groups_begin(&all->groups, g);
    return i > 0 && i < all->n ? end_of_pair(all, i - 1) : i;
}

static int ends_at_plane(const all_pairs* all, int32_t i)
{
    return all->world->shapes.kind[all->touches[i].b] == SCREE_SHAPE_HALF_SPACE;
}

static void look_ahead(void* context, int32_t begin, int32_t end, int32_t worker)
{
    all_pairs* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        all->stops[g] = 0;
        int32_t last = first_of_group(all, g + 1), next;
        for (int32_t i = first_of_group(all, g); i < last && !all->stops[g]; i = next) {
            next = end_of_pair(all, i);
            if (ends_at_plane(all, i)) continue;
            all->stops[g] = !scri_course_is_free(all->world, all->touches + i, next - i);
        }
    }
}

static int is_stopped(const all_pairs* all, int32_t i)
{
    const double* stop = all->world->bodies.stop;
    return stop[scri_touch_body(all->world, &all->touches[i], 0)] < 1.0 ||
           stop[scri_touch_body(all->world, &all->touches[i], 1)] < 1.0;
}

/* Follows the pairs of group g: all of them where one stops a body that none has stopped, else
 * those of which a body has been stopped. */
static int follow_group(const all_pairs* all, int32_t g, int is_first, int may_slide)
{
    int32_t last = first_of_group(all, g + 1), next;
    int stops = 0;
    for (int32_t i = first_of_group(all, g); i < last; i = next) {
        next = end_of_pair(all, i);
        if (ends_at_plane(all, i) || (!all->stops[g] && !is_stopped(all, i))) continue;
        stops |= follow(all->world, all->touches + i, next - i, is_first, may_slide);
    }
    return stops;
}

/* Where bodies go along each other their ways change, and nothing can be said ahead. */
static void follow_all(scree_world* world, const scri_touch* touches, int32_t n, int is_first,
                       scree_step_report* report)
{
    enum { GRAIN = 64 }; /* touches that are worth handing to another worker */
    scri_bodies_table* b = &world->bodies;
    all_pairs all = {.world = world, .touches = touches, .n = n, .groups = scri_groups_of(n)};
    for (int32_t i = 0; i < b->n; ++i) b->stop[i] = b->met[i].share = 1.0;
    memset(b->carry, 0, 3 * (size_t)b->n * sizeof *b->carry);
    memset(b->slide, 0, 3 * (size_t)b->n * sizeof *b->slide);
    if (world->def.scheme == SCREE_SCHEME_IMPULSE) {
        memset(all.stops, 1, sizeof all.stops);
    } else {
        scri_team_for(world->team, all.groups.count, scri_groups_grain(&all.groups, GRAIN),
                      look_ahead, &all);
    }
    for (int pass = 0, stops = 1; pass < PASSES && stops; ++pass) {
        stops = 0;
        for (int32_t g = 0; g < all.groups.count; ++g) {
            if (!all.stops[g] && !world->is_stopped) continue;
            int more = follow_group(&all, g, is_first, pass < SLIDES);
            world->is_stopped |= more;
            stops |= more;
        }
    }
    for (int32_t i = 0; i < b->n; ++i) report->n_stopped += b->stop[i] < 1.0;
}

scree_status scri_sweep_first(scree_world* world, scree_step_report* report)
{
    scri_bodies_table* b = &world->bodies;
    double time = (1.0 - world->def.theta) * world->def.step;
    const scri_touch* touches;
    int32_t n;
    world->is_stopped = world->has_met = 0;
    if (time == 0.0) return SCREE_OK;
    for (size_t i = 0; i < (size_t)b->n; ++i) {
        for (size_t j = 0; j < 3; ++j) {
            b->path[6 * i + j] = time * b->velocity[3 * i + j];
            b->path[6 * i + 3 + j] = time * b->omega[3 * i + j];
        }
    }
    for (int32_t k = 0; k < world->shapes.n; ++k) world->shapes.reach[k] = 0.0;
    if (measure_ways(world) == NOT_FAR) return SCREE_OK;
    scree_status status = find_touches(world, &touches, &n);
    if (!status) follow_all(world, touches, n, 1, report);
    return status;
}

scree_status scri_sweep_second(scree_world* world, const scri_touch* touches,
                               scree_step_report* report)
{
    scri_bodies_table* b = &world->bodies;
    scree_status status = SCREE_OK;
    int32_t n = world->touch_state.n;
    world->is_stopped = 0;
    for (size_t i = 0; world->is_shifted && i < 6 * (size_t)b->n; ++i) b->path[i] += b->shift[i];
    int far = measure_ways(world);
    if (far == NOT_FAR) return SCREE_OK;
    if (far == BEYOND) status = find_touches(world, &touches, &n);
    if (!status) follow_all(world, touches, n, 0, report);
    return status;
}

/* With K the kinetic energy, D what forces would have done on the way that a body has not gone and
 * B what they have yet to do with the velocity at hand, c of that velocity is left: (1 - c^2) K +
 * (1 - c) B = D. Where that is not enough, the one that has moved the body along itself does the
 * rest. What a body would have risen by is lost instead. What takes a body along does the work of
 * that way against the forces. */
void scri_sweep_slow(scree_world* world, double ahead, scree_step_report* report)
{
    scri_bodies_table* b = &world->bodies;
    const double* gravity = world->def.gravity;
    for (size_t i = 0; world->is_stopped && i < (size_t)b->n; ++i) {
        if (b->stop[i] == 1.0 && !slides(b, i)) continue;
        double *v = b->velocity + 3 * i, *w = b->omega + 3 * i, rest = 1.0 - b->stop[i];
        const double *force = b->force + 3 * i, *torque = b->torque + 3 * i, *way = b->path + 6 * i;
        double line[6] = {v[0], v[1], v[2], w[0], w[1], w[2]}, lost[3];
        for (size_t j = 0; j < 3; ++j) lost[j] = rest * way[j] - b->slide[3 * i + j];
        double fall = scri_dot3(force, lost) + rest * scri_dot3(torque, way + 3);
        double yet = ahead * (scri_dot3(force, v) + scri_dot3(torque, w)), scale = 1.0;
        double of_gravity = ahead * b->mass[i] * scri_dot3(gravity, v);
        double kinetic = scri_step_kinetic(world, (int32_t)i, line);
        if (fall > 0.0) {
            double square = yet * yet + 4.0 * kinetic * (kinetic + yet - fall);
            double root = square > 0.0 ? sqrt(square) - yet : 0.0;
            scale = root > 0.0 ? root / (2.0 * kinetic) : 0.0;
            if (scale == 0.0) report->contact_work += fall - kinetic - yet;
        } else {
            report->contact_work += fall;
        }
        const double* carry = b->carry + 3 * i;
        report->contact_work -= scri_dot3(force, carry);
        report->force_work += scri_dot3(force, carry) - b->mass[i] * scri_dot3(gravity, carry);
        report->force_work += (1.0 - scale) * (yet - of_gravity);
        report->force_work -= fall - b->mass[i] * scri_dot3(gravity, lost);
        for (size_t j = 0; j < 3; ++j) {
            v[j] *= scale;
            w[j] *= scale;
        }
    }
}
