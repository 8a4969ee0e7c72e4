/* From contact points to the one-step problem. */
#include "base/bits.h"
#include "base/groups.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "solvers/colouring.h"
#include "step/joints.h"
#include "step/step.h"
#include "step/touch.h"
#include "world/ranks.h"

#include <math.h>
#include <string.h>

/* Gaps of the gap scheme that count as closed, as a share of the size. */
#define NOISE 1e-9

/* See driven(). */
#define DRIVEN 0.1
#define OVERLAP_LEFT 1e-5

/* The fewest rows that hold the channels of a contact: mu, mu_r, mu_s. */
static uint8_t rows_of(const double coef[3])
{
    if (coef[1] > 0.0) return coef[2] > 0.0 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTTRR;
    if (coef[2] > 0.0) return SCREE_ROWS_NTTS;
    return coef[0] > 0.0 ? SCREE_ROWS_NTT : SCREE_ROWS_N;
}

static int is_centred_sphere(const scri_shapes_table* s, int32_t shape)
{
    const double* offset = s->offset + 3 * (size_t)shape;
    return s->kind[shape] == SCREE_SHAPE_SPHERE && offset[0] == 0.0 && offset[1] == 0.0 &&
           offset[2] == 0.0;
}

/* Bodies and arms of contact c, shape[0] on side A. */
static void write_sides(scree_world* world, size_t c, const int32_t shape[2])
{
    scri_contacts_table* t = &world->contacts;
    const scri_shapes_table* s = &world->shapes;
    scri_vec point = scri_vec_load(t->point + 3 * c), n = scri_vec_load(t->frame + 9 * c);
    for (int side = 0; side < 2; ++side) {
        int32_t body = s->body[shape[side]];
        scri_vec centre = scri_vec_load(world->bodies.position + 3 * (size_t)body);
        scri_vec arm = scri_vec_sub(point, centre);
        /* Far from the origin rounding turns the arm of a sphere away from the normal. */
        if (is_centred_sphere(s, shape[side])) arm = scri_vec_scale(scri_vec_dot(arm, n), n);
        t->pair[2 * c + (size_t)side] = body;
        scri_vec_store(arm, t->arm + 6 * c + 3 * (size_t)side);
    }
}

/* What resists rolling and spinning in proportion to the radius of the smaller shape. */
static void add_shares(const scree_world* world, const scri_pair* pair, const scri_touch* touch,
                       double coef[3])
{
    double radius = scri_pair_size(world, touch->a, touch->b);
    coef[1] += pair->material.mu_r_share * radius;
    coef[2] += pair->material.mu_s_share * radius;
}

/* A lay that stands on the tangent plane has a contour of no length: a disc on its face. */
#define LEAST_SINE 1e-3

/* Where friction is that of the contour, it works with the rate omega_R . t / sin(angle) at which
 * the contact runs about the lay, t the lay's direction in the tangent plane. */
static double contour_share(const scree_world* world, const scri_pair* pair,
                            const scri_touch* touch)
{
    const int32_t shape[2] = {touch->a, touch->b};
    double sine = 1.0;
    for (int side = 0; side < 2; ++side) {
        if (!(pair->contour >> side & 1)) continue;
        size_t body = (size_t)world->shapes.body[shape[side]];
        scri_vec lay = scri_quat_rotate(scri_quat_load(world->bodies.rotation + 4 * body),
                                        scri_vec_load(pair->lay[side]));
        scri_vec across = scri_vec_cross(lay, scri_vec_load(touch->normal));
        sine = fmin(sine, scri_vec_length(across));
    }
    return 1.0 / fmax(sine, LEAST_SINE);
}

/* Gaps that would keep bodies in motion that changes no position: rounding, and in the gap scheme
 * what a solver leaves of the gaps of bodies about to rest, NOISE of the size, where no residual
 * tells rest from motion. */
static double noise_of(const scree_world* world, const scri_touch* touch)
{
    double rounding = scri_touch_rounding(world, touch);
    if (world->def.scheme != SCREE_SCHEME_GAP) return rounding;
    return fmax(rounding, NOISE * scri_pair_size(world, touch->a, touch->b));
}

/* Geometry and law of contact c. Its shapes stay in the order of the touch, by which it is known
 * from step to step; a surface with a lay is side B of what the solver sees. */
static void write_contact(scree_world* world, const scri_touch* touch, int32_t i, int32_t number)
{
    scri_contacts_table* t = &world->contacts;
    size_t c = (size_t)number;
    const scri_pair* pair = scri_touch_pair(world, touch);
    int swap = pair->laid == 0;
    int32_t side[2] = {swap ? touch->b : touch->a, swap ? touch->a : touch->b};
    scri_vec n = scri_vec_scale(swap ? -1.0 : 1.0, scri_vec_load(touch->normal));
    t->shape[2 * c] = touch->a;
    t->shape[2 * c + 1] = touch->b;
    t->feature[c] = touch->feature;
    t->zone[c] = touch->zone;
    t->gap[c] = touch->gap;
    t->general[c] = -1;
    t->lasting[c] = world->touch_state.lasting[i];
    int is_open = world->touch_state.chosen[i] == SCRI_CHOSEN_OPEN;
    int counts = world->def.scheme == SCREE_SCHEME_GAP || is_open;
    counts &= !(fabs(touch->gap) <= noise_of(world, touch));
    t->room[c] = counts ? touch->gap : 0.0;
    memcpy(t->point + 3 * c, touch->point, sizeof touch->point);
    scri_axes_write(world, pair, side, number, n);
    write_sides(world, c, side);
    t->coef[3 * c] = pair->material.mu;
    t->coef[3 * c + 1] = scri_step_rolling(world, pair, touch);
    t->coef[3 * c + 2] = pair->material.mu_s;
    if (pair->has_share) add_shares(world, pair, touch, t->coef + 3 * c);
    if (pair->contour) t->coef[3 * c + 1] *= contour_share(world, pair, touch);
    t->law[c] = pair->law;
    t->rows[c] = rows_of(pair->has_slip && !pair->has_ground ? pair->most : t->coef + 3 * c);
}

/* Contacts are numbered in the order of the touches, and their rows in that of the contacts: groups
 * of either are counted before any is written. */
typedef struct numbering {
    scree_world* world;
    const scri_touch* touches;
    scri_groups groups;
    int32_t first[SCRI_MOST_GROUPS + 1];
} numbering;

static void count_chosen(void* context, int32_t begin, int32_t end, int32_t worker)
{
    numbering* all = context;
    const uint8_t* chosen = all->world->touch_state.chosen;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t count = 0, last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t i = scri_groups_begin(&all->groups, g); i < last; ++i) count += chosen[i] != 0;
        all->first[g + 1] = count;
    }
}

static void write_chosen(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const numbering* all = context;
    const scri_touch_table* s = &all->world->touch_state;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t c = all->first[g], last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t i = scri_groups_begin(&all->groups, g); i < last; ++i) {
            s->contact[i] = s->chosen[i] ? c : -1;
            if (!s->chosen[i]) continue;
            write_contact(all->world, &all->touches[i], i, c++);
        }
    }
}

static void count_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    numbering* all = context;
    const uint8_t* rows = all->world->contacts.rows;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t count = 0, last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t c = scri_groups_begin(&all->groups, g); c < last; ++c) {
            count += scree_rows_width(rows[c]);
        }
        all->first[g + 1] = count;
    }
}

static void number_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const numbering* all = context;
    const scri_contacts_table* t = &all->world->contacts;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t row = all->first[g], last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t c = scri_groups_begin(&all->groups, g); c < last; ++c) {
            t->first_row[c + 1] = row += scree_rows_width(t->rows[c]);
        }
    }
}

enum { COUNT_GRAIN = 2048 }; /* numbers that are worth counting by another worker */

/* How many touches are chosen; `all` is ready to write them. */
static int32_t number_all(scree_world* world, const scri_touch* touches, numbering* all)
{
    all->world = world;
    all->touches = touches;
    all->groups = scri_groups_of(world->touch_state.n);
    scri_team_for(world->team, all->groups.count, scri_groups_grain(&all->groups, COUNT_GRAIN),
                  count_chosen, all);
    return scri_groups_add_up(&all->groups, all->first);
}

/* The ellipses of turned surfaces are made one after the other, in the order of the contacts. */
static void write_all(scree_world* world, numbering* all)
{
    scri_contacts_table* t = &world->contacts;
    scri_team* team = world->team;
    scri_team* writers = world->contact_sets.n > 0 ? NULL : team;
    scri_team_for(writers, all->groups.count, 1, write_chosen, all);
    all->groups = scri_groups_of(t->n);
    int32_t grain = scri_groups_grain(&all->groups, COUNT_GRAIN);
    scri_team_for(team, all->groups.count, grain, count_rows, all);
    scri_groups_add_up(&all->groups, all->first);
    t->first_row[0] = 0;
    scri_team_for(team, all->groups.count, grain, number_rows, all);
}

/* Velocity [6] of a body before the impulses, in the layout of the kernels. */
static void gather_velocity(scree_world* world, int32_t body)
{
    scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    double* line = b->next + SCRI_BODY_STRIDE * i;
    memcpy(line, b->velocity + 3 * i, 3 * sizeof *line);
    memcpy(line + 3, b->omega + 3 * i, 3 * sizeof *line);
}

/* Contacts and bodies that are worth handing to another worker. */
enum { GRAIN = 128, BODIES_GRAIN = 512 };

static void write_before(scree_world* world, int32_t c)
{
    scri_contacts_table* t = &world->contacts;
    double* before = t->before + 6 * (size_t)c;
    int width = t->first_row[c + 1] - t->first_row[c];
    memset(before, 0, 6 * sizeof *before);
    scri_bodies_add_relative(&world->problem.bodies, world->bodies.next, c, width, before);
}

/* How much the velocity of the surfaces at a contact changes in the step because bodies turn that
 * nothing can stop. */
static double turning(const scree_world* world, int32_t c)
{
    const scri_bodies_table* b = &world->bodies;
    double sum = 0.0;
    for (size_t side = 0; side < 2; ++side) {
        size_t body = (size_t)world->contacts.pair[2 * (size_t)c + side];
        if (b->kind[body] != SCREE_BODY_KINEMATIC) continue;
        scri_vec omega = scri_vec_load(b->omega + 3 * body),
                 arm = scri_vec_load(world->contacts.arm + 6 * (size_t)c + 3 * side),
                 speed = scri_vec_add(scri_vec_load(b->velocity + 3 * body),
                                      scri_vec_cross(omega, arm));
        sum += scri_vec_length(scri_vec_cross(omega, speed));
    }
    return sum * world->def.step;
}

/* The free normal velocity at which overlap may be driven out, see scri_overlap_rate(): what has
 * met already and still approaches is driven, unless its surface turns towards the other. Forces do
 * not press bodies of a heap together that they move alike, and what the tolerance lets in would
 * add up from step to step: there overlap goes slowly, at DRIVEN of what gravity gives in a step,
 * down to OVERLAP_LEFT of the size. */
static double driven(const scree_world* world, int32_t c, double free, double before)
{
    const scri_contacts_table* t = &world->contacts;
    const int32_t* shape = t->shape + 2 * (size_t)c;
    if (!t->lasting[c]) return free;
    double most = fmax(free, free - before);
    most = fmin(most, fmax(free, -turning(world, c)));
    if (-t->room[c] <= OVERLAP_LEFT * scri_pair_size(world, shape[0], shape[1])) return most;
    return fmin(most, -DRIVEN * scri_step_gravity_speed(world));
}

/* q: free relative velocity with its lag, and restitution or the gap in the normal row. */
static void write_free_velocity(scree_world* world, int32_t c, const scri_pair* pair)
{
    scri_contacts_table* t = &world->contacts;
    int width = t->first_row[c + 1] - t->first_row[c];
    double *q = t->q + t->first_row[c], *lag = t->lag + 6 * (size_t)c,
           before = t->before[6 * (size_t)c];
    memset(q, 0, (size_t)width * sizeof *q);
    scri_bodies_add_relative(&world->problem.bodies, world->bodies.free, c, width, q);
    if (world->def.scheme == SCREE_SCHEME_IMPULSE && before < 0.0 && !pair->is_soft) {
        /* A rebound that forces would take back within the step is none: it would never end. */
        double rebound = pair->material.restitution * before, taken = before - q[0];
        if (!(-rebound > taken)) rebound = 0.0;
        if (rebound < lag[0]) lag[0] = rebound; /* fmin() of zeros may have either sign */
        t->rebound[c] = lag[0] == rebound ? rebound : 0.0;
    }
    double most = driven(world, c, q[0], before);
    for (int i = 0; i < width; ++i) q[i] += lag[i];
    if (!pair->is_soft) q[0] += scri_overlap_rate(t->room[c] / world->def.step, most);
}

/* How a contact of these shapes and this feature compares with contact j of the last list. */
static int order(const scree_world* world, const int32_t shape[2], uint32_t feature, int32_t j)
{
    const scri_contacts_table* last = &world->last;
    int differ = scri_ranks_compare(world, shape, last->shape + 2 * (size_t)j);
    if (differ || feature == last->feature[j]) return differ;
    return feature < last->feature[j] ? -1 : 1;
}

int32_t scri_step_search(const scree_world* world, const int32_t shape[2], uint32_t feature)
{
    int32_t low = 0, high = world->last.n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (order(world, shape, feature, middle) > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The impulse of last contact j in the frame of contact c; rows that have no counterpart are 0. */
static void carry_impulse(const scri_contacts_table* last, int32_t j, scri_contacts_table* t,
                          int32_t c)
{
    scri_layout from = scri_layout_of(last->rows[j]), to = scri_layout_of(t->rows[c]);
    const double *old = last->p + last->first_row[j], *f = last->frame + 9 * (size_t)j;
    const double* g = t->frame + 9 * (size_t)c;
    double* p = t->p + t->first_row[c];
    if (last->rows[j] == t->rows[c] && scri_same_bits(f, g, 9 * sizeof *f)) {
        memcpy(p, old, (size_t)to.width * sizeof *p); /* to the last digit */
        return;
    }
    double sign = scri_dot3(f, g) < 0.0 ? -1.0 : 1.0; /* the sides have changed places */
    p[0] = old[0];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (from.dim[k] != to.dim[k]) continue;
        if (k == SCRI_SPIN) {
            if (to.dim[k]) p[to.first[k]] = old[from.first[k]];
            continue;
        }
        for (int i = 0; i < to.dim[k]; ++i) { /* through world axes */
            double sum = 0.0;
            for (int m = 0; m < from.dim[k]; ++m) {
                sum += old[from.first[k] + m] * scri_dot3(f + 3 + 3 * m, g + 3 + 3 * i);
            }
            p[to.first[k] + i] = sign * sum;
        }
    }
}

/* Whether two contacts have the same identity. */
static int is_alike(const scri_contacts_table* t, int32_t c, int32_t d)
{
    const int32_t *x = t->shape + 2 * (size_t)c, *y = t->shape + 2 * (size_t)d;
    return x[0] == y[0] && x[1] == y[1] && t->feature[c] == t->feature[d];
}

/* Where the search for contact c in the last list begins when it does not come from the one before:
 * behind what contacts of the same identity, if there are such, have taken. */
int32_t scri_step_search_last(const scree_world* world, int32_t c)
{
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    const int32_t* shape = t->shape + 2 * (size_t)c;
    uint32_t feature = t->feature[c];
    int32_t j = scri_step_search(world, shape, feature);
    for (; c > 0 && is_alike(t, c, c - 1); --c) {
        j += j < last->n && order(world, shape, feature, j) == 0;
    }
    return j;
}

/* The number of every contact in the last list. Both are ordered by identity: one pass finds all
 * that persist. */
static void find_last(const scree_world* world, int32_t begin, int32_t end)
{
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    int32_t j = scri_step_search_last(world, begin);
    for (int32_t c = begin; c < end; ++c) {
        const int32_t* shape = t->shape + 2 * (size_t)c;
        while (j < last->n && order(world, shape, t->feature[c], j) > 0) ++j;
        t->was[c] = j < last->n && order(world, shape, t->feature[c], j) == 0 ? j++ : -1;
    }
}

/* Impulse of contact c from the last list, zeros where it was not there. */
static void begin_impulse(scree_world* world, int32_t c)
{
    scri_contacts_table* t = &world->contacts;
    size_t rows = (size_t)(t->first_row[c + 1] - t->first_row[c]);
    memset(t->p + t->first_row[c], 0, rows * sizeof *t->p);
    memset(t->lag + 6 * (size_t)c, 0, 6 * sizeof *t->lag);
    t->rebound[c] = 0.0;
    memset(t->give + t->first_row[c], 0, rows * sizeof *t->give);
    if (t->was[c] >= 0) carry_impulse(&world->last, t->was[c], t, c);
}

static void find_lag(scree_world* world, int32_t c)
{
    const scri_contacts_table* t = &world->contacts;
    double* lag = t->lag + 6 * (size_t)c;
    if (t->general[c] >= 0) return;
    if (t->was[c] < 0) scri_step_met_lag(world, c, lag);
    if (t->was[c] >= 0 && t->lasting[c]) scri_step_lag(world, t->was[c], c, lag);
}

/* Where a step is solved again, its lags are known, and what has given way. */
static void keep_lag(scree_world* world, int32_t c)
{
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    int32_t j = t->was[c];
    if (j < 0) return;
    size_t rows = (size_t)(t->first_row[c + 1] - t->first_row[c]);
    memcpy(t->lag + 6 * (size_t)c, last->lag + 6 * (size_t)j, 6 * sizeof *t->lag);
    memcpy(t->give + t->first_row[c], last->give + last->first_row[j], rows * sizeof *t->give);
}

/* What a contact begins with, in one go, for its numbers come from memory once then. That of a
 * joint has its rows from joints.c. */
static void begin_contact(scree_world* world, int32_t c, int again)
{
    scri_contacts_table* t = &world->contacts;
    write_before(world, c);
    begin_impulse(world, c);
    if (again) {
        keep_lag(world, c);
    } else {
        find_lag(world, c);
    }
    if (c >= world->n_touching) return;
    const scri_pair* pair = scri_contact_pair(world, c);
    size_t rows = (size_t)(t->first_row[c + 1] - t->first_row[c]);
    if (world->has_slip) scri_step_slip(world, c, again);
    if (world->has_compliance) memset(t->compliance + t->first_row[c], 0, rows * sizeof(double));
    if (pair->is_soft) scri_step_soften(world, c, pair, again && t->was[c] >= 0);
    write_free_velocity(world, c, pair);
}

typedef struct beginning {
    scree_world* world;
    int again; /* the step is solved again */
} beginning;

static void begin_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const beginning* all = context;
    (void)worker;
    find_last(all->world, begin, end);
    for (int32_t c = begin; c < end; ++c) begin_contact(all->world, c, all->again);
}

/* The same with GRAIN more in front, which stand for colours: one worker finds them meanwhile. */
static void colour_and_begin(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const beginning* all = context;
    const scree_world* world = all->world;
    int32_t first = begin > GRAIN ? begin - GRAIN : 0;
    if (begin == 0) {
        scri_colouring_assign(&world->problem, world->bodies.colours, world->contacts.colour);
    }
    if (first < end - GRAIN) begin_some(context, first, end - GRAIN, worker);
}

/* Colours are asked for where there is one part; where there was one, there mostly is. */
static void begin_all(scree_world* world, int again)
{
    enum { WORTH_COLOURING = 512 }; /* contacts */
    const scri_bodies_table* b = &world->bodies;
    int32_t n = world->contacts.n;
    beginning all = {world, again};
    world->is_coloured =
        scri_team_size(world->team) > 1 && world->parts.n == 1 && n >= WORTH_COLOURING;
    if (!world->is_coloured) {
        scri_team_for(world->team, n, GRAIN, begin_some, &all);
        return;
    }
    scri_team_clear(world->team, b->colours, (size_t)b->n * sizeof *b->colours);
    scri_team_for(world->team, n + GRAIN, GRAIN, colour_and_begin, &all);
}

scree_problem scri_step_problem(const scri_contacts_table* t, int32_t n_bodies,
                                const double* inv_mass, const double* inv_inertia)
{
    return (scree_problem){
        .n_contacts = t->n,
        .form = SCREE_FORM_BODIES,
        .first_row = t->first_row,
        .rows = t->rows,
        .law = t->law,
        .coef = t->coef,
        .q = t->q,
        .bodies = {n_bodies, inv_mass, inv_inertia, t->pair, t->frame, t->arm, NULL, NULL},
    };
}

void scri_step_add_joints(const scree_world* world, const scri_contacts_table* t,
                          scree_problem* problem)
{
    problem->compliance = world->has_compliance ? t->compliance : NULL;
    if (world->contacts.n == world->n_touching) return;
    problem->bodies.general = t->general;
    problem->bodies.jacobian = world->joint_rows.jacobian;
}

static void make_view(scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    world->problem = scri_step_problem(t, b->n, b->inv_mass, b->inv_inertia_world);
    world->problem.set = world->contact_sets.n > 0 ? world->contact_sets.set : NULL;
    world->problem.sets = scri_set_pool_view(&world->sets);
    scri_step_add_joints(world, t, &world->problem);
    world->problem_is_current = 1;
}

void scri_step_swap_contacts(scree_world* world)
{
    scri_world_swap_contacts(world);
    scri_joint_rows_table rows = world->joint_rows_last;
    world->joint_rows_last = world->joint_rows;
    world->joint_rows = rows;
}

/* The chosen touches as a problem, with what the last step knows of their impulses. */
scree_status scri_step_write_contacts(scree_world* world, const scri_touch* touches, int again)
{
    numbering all;
    int32_t n = number_all(world, touches, &all), more = scri_joints_most_contacts(world);
    if (!scri_world_renew_contacts(world, n + more) ||
        !scri_axes_reserve(world, world->touch_state.n + more)) {
        return scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for %d contacts",
                         (int)(n + more));
    }
    scree_status status = scri_joints_reserve_rows(world);
    if (status) return status;
    world->contacts.n = world->n_touching = n;
    write_all(world, &all);
    scri_joints_write(world);
    world->has_compliance |= world->is_soft;
    make_view(world);
    scri_step_each(world, world->bodies.n, BODIES_GRAIN, gather_velocity);
    scri_step_share_contacts(world);
    begin_all(world, again);
    for (int32_t c = world->n_touching; c < world->contacts.n; ++c) {
        scri_joints_write_free(world, c);
    }
    return SCREE_OK;
}

scree_status scri_step_find_contacts(scree_world* world, const scri_touch** touches)
{
    int32_t n_touches;
    double margin;
    scree_status status = scri_step_rank(world);
    scri_step_swap_contacts(world);
    if (!status) status = scri_select_reach(world, &margin);
    if (status) return status;
    scri_placed placed = scri_world_place_shapes(world);
    placed.reach = world->shapes.reach;
    placed.centre = world->bodies.position;
    placed.force = world->bodies.force;
    placed.torque = world->bodies.torque;
    if (world->is_ranked) {
        placed.rank = world->shapes.rank;
        placed.by_rank = world->shapes.by_rank;
        placed.ranking = world->ranking;
    }
    status = scri_collider_run(world->collider, &placed, margin, touches, &n_touches);
    if (!status) status = scri_select(world, *touches, n_touches);
    if (!status) status = scri_step_write_contacts(world, *touches, 0);
    return status;
}
