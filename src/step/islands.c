#include "step/islands.h"

#include "base/bits.h"
#include "base/groups.h"
#include "base/owner_lists.h"
#include "step/step.h"

#include <string.h>

/* A body of contact c that responds. */
static int32_t mover_of(const scree_world* world, int32_t c)
{
    const int32_t* pair = world->contacts.pair + 2 * (size_t)c;
    return pair[0] >= 0 && world->bodies.inv_mass[pair[0]] > 0.0 ? pair[0] : pair[1];
}

/* ---- a forest that several workers join ------------------------------------------------------ */

static void plant(scree_world* world, int32_t i)
{
    atomic_store_explicit(&world->bodies.tree[i], i, memory_order_relaxed);
    world->bodies.place[i] = -1;
}

static void join_contact(scree_world* world, int32_t c)
{
    const double* inv_mass = world->bodies.inv_mass;
    const int32_t* pair = world->contacts.pair + 2 * (size_t)c;
    if (pair[0] < 0 || pair[1] < 0) return;
    if (inv_mass[pair[0]] == 0.0 || inv_mass[pair[1]] == 0.0) return;
    scri_tree_join(world->bodies.tree, pair[0], pair[1]);
}

static void find_island(scree_world* world, int32_t i)
{
    world->bodies.island[i] = scri_tree_root(world->bodies.tree, i);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Bodies and contacts that are worth handing to another worker; contacts to join, and to copy. */
enum { BODIES_GRAIN = 512, CONTACTS_GRAIN = 512, JOIN_GRAIN = 128, COPY_GRAIN = 64 };

static void take_root(scree_world* world, int32_t c)
{
    world->contacts.part[c] = world->bodies.island[mover_of(world, c)];
}

static void take_number(scree_world* world, int32_t c)
{
    world->contacts.part[c] = world->bodies.place[world->contacts.part[c]];
}

/* Joins bodies in `island`, and numbers the trees with contacts, at their roots, in `place`;
 * returns how many. */
static int32_t join(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    const scri_contacts_table* t = &world->contacts;
    int32_t n = 0;
    scri_step_each(world, b->n, BODIES_GRAIN, plant);
    scri_step_each(world, t->n, JOIN_GRAIN, join_contact);
    scri_step_each(world, b->n, BODIES_GRAIN, find_island);
    scri_step_each(world, t->n, CONTACTS_GRAIN, take_root);
    for (int32_t c = 0; c < t->n; ++c) {
        if (b->place[t->part[c]] < 0) b->place[t->part[c]] = n++;
    }
    scri_step_each(world, t->n, CONTACTS_GRAIN, take_number);
    return n;
}

/* The part of a body: that of its root, whose number nobody changes meanwhile. */
static void take_part(scree_world* world, int32_t i)
{
    world->bodies.part[i] = world->bodies.place[world->bodies.island[i]];
}

/* The same of the body of rank r, in `place`, and back from ranks to slots in the list. */
static void take_part_of_rank(scree_world* world, int32_t r)
{
    world->bodies.place[r] = world->bodies.part[world->bodies.by_rank[r]];
}

static void name_slot(scree_world* world, int32_t k)
{
    world->bodies.by_part[k] = world->bodies.by_rank[world->bodies.by_part[k]];
}

static void forget_place(scree_world* world, int32_t i)
{
    world->bodies.place[i] = -1;
}

/* Lists contacts and bodies by part, the latter by rank. */
static void list_parts(scree_world* world)
{
    const scri_parts_table* parts = &world->parts;
    const scri_contacts_table* t = &world->contacts;
    scri_bodies_table* b = &world->bodies;
    scri_owner_lists contacts = {t->n, parts->n, t->part, parts->contact, t->by_part, t->root};
    scri_owner_lists bodies = {b->n, parts->n, b->part, parts->body, b->by_part, b->first_pushed};
    scri_owner_lists_fill(world->team, &contacts);
    scri_step_each(world, b->n, BODIES_GRAIN, take_part);
    if (world->is_ranked) {
        scri_step_each(world, b->n, BODIES_GRAIN, take_part_of_rank);
        bodies.owner = b->place;
    }
    scri_owner_lists_fill(world->team, &bodies);
    if (world->is_ranked) scri_step_each(world, parts->body[parts->n], BODIES_GRAIN, name_slot);
    scri_step_each(world, b->n, BODIES_GRAIN, forget_place);
}

/* Contacts of the largest part. */
static int32_t largest_part(const scri_parts_table* parts)
{
    int32_t most = 0;
    for (int32_t k = 0; k < parts->n; ++k) {
        int32_t n = parts->contact[k + 1] - parts->contact[k];
        if (n > most) most = n;
    }
    return most;
}

/* Where all contacts are of one part, those of the world serve, but for the numbers of bodies. */
static int reserve_desk(scree_world* world)
{
    scri_desk* desk = &world->desk;
    int32_t n = largest_part(&world->parts);
    desk->members.n = 0; /* none is kept */
    desk->place = world->bodies.place;
    if (!scri_members_table_reserve(desk->env, &desk->members, world->bodies.n)) return 0;
    return world->parts.n > 1 ? scri_desk_reserve_contacts(desk, n)
                              : scri_desk_reserve_pairs(desk, n);
}

/* Lists n parts, and makes room for each of them. */
static scree_status make_parts(scree_world* world, int32_t n)
{
    const scree_env* env = &world->env;
    world->parts.n = 0; /* none is kept */
    int done = scri_parts_table_reserve(env, &world->parts, n + 1);
    if (done) {
        world->parts.n = n;
        list_parts(world);
        done = reserve_desk(world);
    }
    if (done) return SCREE_OK;
    world->parts.n = 0;
    return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for %d parts", (int)n);
}

/* ---- what has not changed -------------------------------------------------------------------- */

/* The same of what joints have beside contacts. */
static int is_same_joint(const scree_world* world, int32_t c, int32_t j)
{
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    size_t width = (size_t)(t->first_row[c + 1] - t->first_row[c]);
    if (t->general[c] < 0) return 1;
    const double* now = world->joint_rows.jacobian + 12 * (size_t)t->general[c];
    const double* then = world->joint_rows_last.jacobian + 12 * (size_t)last->general[j];
    return scri_same_bits(now, then, 12 * width * sizeof *now) &&
           scri_same_bits(t->compliance + t->first_row[c], last->compliance + last->first_row[j],
                          width * sizeof *now);
}

/* Whether contact c poses the same question as contact j of the last list. Its impulses are the
 * same then, too. */
static int is_same(const scree_world* world, int32_t c, int32_t j)
{
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    size_t x = (size_t)c, y = (size_t)j, width = (size_t)(t->first_row[x + 1] - t->first_row[x]);
    return t->rows[x] == last->rows[y] && t->law[x] == last->law[y] &&
           scri_same_bits(t->pair + 2 * x, last->pair + 2 * y, 2 * sizeof *t->pair) &&
           scri_same_bits(t->q + t->first_row[x], last->q + last->first_row[y],
                          width * sizeof *t->q) &&
           scri_same_bits(t->frame + 9 * x, last->frame + 9 * y, 9 * sizeof *t->frame) &&
           scri_same_bits(t->arm + 6 * x, last->arm + 6 * y, 6 * sizeof *t->arm) &&
           scri_same_bits(t->coef + 3 * x, last->coef + 3 * y, 3 * sizeof *t->coef) &&
           is_same_joint(world, c, j);
}

/* Marks a part; several workers may do so at a time, and seldom have to. */
static void mark_part(scree_world* world, int32_t part)
{
    _Atomic uint8_t* changed = &world->parts.changed[part];
    if (atomic_load_explicit(changed, memory_order_relaxed)) return;
    atomic_store_explicit(changed, 1, memory_order_relaxed);
}

/* Marks the part of a body whose inertia is not that of the last list, and notes it. */
static void note_inertia(scree_world* world, int32_t body)
{
    scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)body;
    const double* now = b->inv_inertia_world + 6 * i;
    double* then = b->inv_inertia_last + 6 * i;
    b->changed[i] =
        b->inv_mass[i] != b->inv_mass_last[i] || !scri_same_bits(now, then, 6 * sizeof *now);
    if (!b->changed[i]) return;
    b->inv_mass_last[i] = b->inv_mass[i];
    memcpy(then, now, 6 * sizeof *now);
    if (b->part[i] >= 0) mark_part(world, b->part[i]);
}

/* Marks the parts that the bodies of a contact are in now. */
static void mark(scree_world* world, const scri_contacts_table* t, int32_t c)
{
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = t->pair[2 * (size_t)c + side];
        int32_t part = body < 0 ? -1 : world->bodies.part[body];
        if (part >= 0) mark_part(world, part);
    }
}

/* Which contacts count as known: all that were there, or those that ask the same. */
typedef struct marking {
    scree_world* world;
    int again, all;
} marking;

static void mark_contacts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const marking* m = context;
    scree_world* world = m->world;
    const scri_contacts_table* t = &world->contacts;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        int32_t j = t->was[c];
        if (atomic_load_explicit(&world->parts.changed[t->part[c]], memory_order_relaxed)) continue;
        if (!(j >= 0 && (m->again || m->all || is_same(world, c, j)))) mark(world, t, c);
    }
}

/* Contacts of the last list that are not there any more. Both lists have the same order: those
 * between what the contacts of a range were, and before what the next one was. */
static void mark_lost(void* context, int32_t begin, int32_t end, int32_t worker)
{
    scree_world* world = ((const marking*)context)->world;
    const scri_contacts_table *t = &world->contacts, *last = &world->last;
    int32_t next = begin > 0 ? scri_step_search_last(world, begin) : 0;
    int32_t stop = end < t->n ? scri_step_search_last(world, end) : last->n;
    (void)worker;
    for (int32_t c = begin; c <= end; ++c) {
        int32_t j = c < end ? t->was[c] : stop;
        for (; next < j; ++next) mark(world, last, next);
        if (j >= 0) next = j + 1;
    }
}

/* Marks the parts whose bodies or contacts are not those of the last list, and of contacts only new
 * ones where the step is solved again: there others make no difference. What is marked is not
 * looked at any more. */
static void mark_changes(scree_world* world, int again)
{
    enum { GRAIN = 128, LOST_GRAIN = 512 };
    int32_t n = world->contacts.n;
    marking m = {world, again, world->parts_before.n == 0 || world->problem.set};
    for (int32_t k = 0; k < world->parts.n; ++k) {
        atomic_init(&world->parts.changed[k], (uint8_t)(m.all && !again));
    }
    scri_step_each(world, world->bodies.n, GRAIN, note_inertia);
    scri_team_for(world->team, n, GRAIN, mark_contacts, &m);
    if (!m.all) scri_team_for(world->team, n, LOST_GRAIN, mark_lost, &m);
}

scree_status scri_islands_find(scree_world* world, int again)
{
    scri_bodies_table* b = &world->bodies;
    scri_parts_table before = world->parts_before, *parts = &world->parts;
    world->parts_before = world->parts;
    world->parts = before;
    scri_team_copy(world->team, b->part_before, b->part, (size_t)b->n * sizeof *b->part);
    scree_status status = make_parts(world, join(world));
    if (status) return status;
    mark_changes(world, again);
    memset(parts->kept, 0, (size_t)parts->n);
    memset(parts->settled, 0, (size_t)parts->n);
    memset(parts->held, 0, (size_t)parts->n);
    return SCREE_OK;
}

int32_t scri_islands_body(const scree_world* world, int32_t part)
{
    return world->bodies.by_part[world->parts.body[part]];
}

int scri_islands_is_kept(scree_world* world, int again, int32_t part)
{
    scri_parts_table* parts = &world->parts;
    const scri_parts_table* last = &world->parts_before;
    if (parts->changed[part]) return 0;
    int32_t was = world->bodies.part_before[scri_islands_body(world, part)];
    if (!again && !last->settled[was]) return 0;
    parts->kept[part] = again ? last->kept[was] : 1;
    parts->settled[part] = last->settled[was];
    parts->held[part] = last->held[was];
    parts->held_speed[part] = last->held_speed[was];
    parts->held_work[part] = again ? last->held_work[was] : 0.0;
    parts->report[part] = (scree_report){.outcome = last->report[was].outcome,
                                         .solver = "none",
                                         .residual = last->report[was].residual,
                                         .infeasible = last->report[was].infeasible};
    return 1;
}

/* ---- one part -------------------------------------------------------------------------------- */

/* Body `body` becomes member `place` of the part. */
static void make_member(const scree_world* world, const scri_desk* desk, int32_t body,
                        int32_t place)
{
    const scri_bodies_table* b = &world->bodies;
    const scri_members_table* m = &desk->members;
    desk->place[body] = place;
    m->body[place] = body;
    m->inv_mass[place] = b->inv_mass[body];
    memcpy(m->inv_inertia + 6 * (size_t)place, b->inv_inertia_world + 6 * (size_t)body,
           6 * sizeof *m->inv_inertia);
    memcpy(m->centre + 3 * (size_t)place, b->position + 3 * (size_t)body, 3 * sizeof *m->centre);
}

/* The number of a body among the members, of which it becomes one if it is none yet. */
static int32_t member_of(const scree_world* world, scri_desk* desk, int32_t body)
{
    if (desk->place[body] < 0) make_member(world, desk, body, desk->members.n++);
    return desk->place[body];
}

/* The bodies and contacts of a part, from these entries of by_part on. */
typedef struct part_lists {
    const scree_world* world;
    scri_desk* desk;
    int32_t body, contact;
} part_lists;

/* The same with groups of the contacts, and how many bodies of each are no members yet. */
typedef struct named_groups {
    part_lists lists;
    scri_groups groups;
    int32_t awaited[SCRI_MOST_GROUPS];
} named_groups;

static void make_members(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const part_lists* lists = context;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        int32_t body = lists->world->bodies.by_part[lists->body + k];
        make_member(lists->world, lists->desk, body, k);
    }
}

/* A body that is no member yet, in the place of its number. */
static int32_t awaited(int32_t body)
{
    return -2 - body;
}

/* Of the contacts from `begin` on, before `end`; returns how many are awaited. */
static int32_t name_some(const part_lists* lists, int32_t begin, int32_t end)
{
    const scri_contacts_table* t = &lists->world->contacts;
    int32_t *pair = lists->desk->contacts.pair, n = 0;
    for (int32_t k = begin; k < end; ++k) {
        size_t c = (size_t)t->by_part[lists->contact + k];
        for (size_t side = 0; side < 2; ++side) {
            int32_t body = t->pair[2 * c + side];
            int32_t place = body < 0 ? -1 : lists->desk->place[body];
            int is_awaited = body >= 0 && place < 0;
            pair[2 * (size_t)k + side] = is_awaited ? awaited(body) : place;
            n += is_awaited;
        }
    }
    return n;
}

static void name_members(void* context, int32_t begin, int32_t end, int32_t worker)
{
    named_groups* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        all->awaited[g] = name_some(&all->lists, scri_groups_begin(&all->groups, g),
                                    scri_groups_begin(&all->groups, g + 1));
    }
}

/* Those that are awaited become members, contact after contact. */
static void admit(const named_groups* all, int32_t g)
{
    scri_desk* desk = all->lists.desk;
    int32_t left = all->awaited[g], *pair = desk->contacts.pair;
    for (size_t k = 2 * (size_t)scri_groups_begin(&all->groups, g); left > 0; ++k) {
        if (pair[k] >= -1) continue;
        pair[k] = member_of(all->lists.world, desk, awaited(pair[k])); /* its own inverse */
        left--;
    }
}

static void forget_members(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_desk* desk = ((const part_lists*)context)->desk;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) desk->place[desk->members.body[k]] = -1;
}

/* Members in the order of the world, then bodies that do not respond as contacts name them. */
static void list_members(const scree_world* world, scri_desk* desk, int32_t number)
{
    const scri_parts_table* parts = &world->parts;
    scri_members_table* m = &desk->members;
    scri_contacts_table* t = &desk->contacts;
    part_lists lists = {world, desk, parts->body[number], parts->contact[number]};
    named_groups all;
    m->n = parts->body[number + 1] - lists.body;
    t->n = parts->contact[number + 1] - lists.contact;
    scri_team_for(desk->team, m->n, BODIES_GRAIN, make_members, &lists);
    all.lists = lists;
    all.groups = scri_groups_of(t->n);
    scri_team_for(desk->team, all.groups.count, scri_groups_grain(&all.groups, CONTACTS_GRAIN),
                  name_members, &all);
    for (int32_t g = 0; g < all.groups.count; ++g) admit(&all, g);
    scri_team_for(desk->team, m->n, BODIES_GRAIN, forget_members, &lists);
}

static void copy_rows(double* to, const double* from, size_t width)
{
    memcpy(to, from, width * sizeof *to);
}

/* Rows and all else of contacts, whose first rows are known. */
static void copy_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const part_lists* lists = context;
    const scree_world* world = lists->world;
    const scri_contacts_table *t = &world->contacts, *out = &lists->desk->contacts;
    (void)worker;
    for (size_t k = (size_t)begin; k < (size_t)end; ++k) {
        size_t c = (size_t)t->by_part[(size_t)lists->contact + k];
        size_t row = (size_t)t->first_row[c], to = (size_t)out->first_row[k];
        size_t width = (size_t)t->first_row[c + 1] - row;
        out->rows[k] = t->rows[c];
        out->law[k] = t->law[c];
        out->general[k] = t->general[c];
        memcpy(out->frame + 9 * k, t->frame + 9 * c, 9 * sizeof *out->frame);
        memcpy(out->arm + 6 * k, t->arm + 6 * c, 6 * sizeof *out->arm);
        memcpy(out->coef + 3 * k, t->coef + 3 * c, 3 * sizeof *out->coef);
        copy_rows(out->q + to, t->q + row, width);
        copy_rows(out->give + to, t->give + row, width);
        copy_rows(out->p + to, t->p + row, width);
        if (world->has_compliance) copy_rows(out->compliance + to, t->compliance + row, width);
        if (world->problem.set) {
            memcpy(out->set + 4 * k, world->problem.set + 4 * c, 4 * sizeof *out->set);
        }
    }
}

/* Numbers the rows of the contacts from `begin` on, before `end`, whose first is known; returns
 * where they end. */
static int32_t number_some(const part_lists* lists, int32_t begin, int32_t end, int32_t row)
{
    const scri_contacts_table* t = &lists->world->contacts;
    int32_t* first_row = lists->desk->contacts.first_row;
    for (int32_t k = begin; k < end; ++k) {
        int32_t c = t->by_part[lists->contact + k];
        first_row[k + 1] = row += t->first_row[c + 1] - t->first_row[c];
    }
    return row;
}

/* Groups of the contacts of a part: numbered from 0 on in each, then from where the one before
 * ends. */
typedef struct row_groups {
    part_lists lists;
    scri_groups groups;
    int32_t first[SCRI_MOST_GROUPS + 1];
} row_groups;

static void number_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    row_groups* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        all->first[g + 1] = number_some(&all->lists, scri_groups_begin(&all->groups, g),
                                        scri_groups_begin(&all->groups, g + 1), 0);
    }
}

static void shift_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const row_groups* all = context;
    int32_t* first_row = all->lists.desk->contacts.first_row;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t k = scri_groups_begin(&all->groups, g); k < last; ++k) {
            first_row[k + 1] += all->first[g];
        }
    }
}

static void number_rows(const part_lists* lists)
{
    scri_desk* desk = lists->desk;
    row_groups all;
    desk->contacts.first_row[0] = 0;
    if (!desk->team) {
        number_some(lists, 0, desk->contacts.n, 0);
        return;
    }
    all.lists = *lists;
    all.groups = scri_groups_of(desk->contacts.n);
    int32_t grain = scri_groups_grain(&all.groups, CONTACTS_GRAIN);
    scri_team_for(desk->team, all.groups.count, grain, number_groups, &all);
    scri_groups_add_up(&all.groups, all.first);
    scri_team_for(desk->team, all.groups.count, grain, shift_groups, &all);
}

static void copy_contacts(const scree_world* world, scri_desk* desk, int32_t number)
{
    part_lists lists = {.world = world, .desk = desk, .contact = world->parts.contact[number]};
    const scri_contacts_table* out = &desk->contacts;
    number_rows(&lists);
    scri_team_for(desk->team, out->n, COPY_GRAIN, copy_some, &lists);
}

scri_part scri_islands_part(scree_world* world, scri_desk* desk, int32_t number)
{
    scri_part part = {.number = number, .desk = desk};
    const int32_t* sets = world->problem.set;
    list_members(world, desk, number);
    if (world->parts.n == 1) {
        part.contacts = world->contacts;
        part.contacts.pair = desk->contacts.pair;
    } else {
        copy_contacts(world, desk, number);
        part.contacts = desk->contacts;
        if (sets) sets = desk->contacts.set;
    }
    part.members = desk->members;
    const scri_members_table* m = &part.members;
    part.problem = scri_step_problem(&part.contacts, m->n, m->inv_mass, m->inv_inertia);
    part.problem.centre = m->centre;
    part.problem.set = sets;
    part.problem.sets = world->problem.sets;
    scri_step_add_joints(world, &part.contacts, &part.problem);
    return part;
}

void scri_islands_apply(scree_world* world, int32_t part)
{
    const scri_parts_table* parts = &world->parts;
    const int32_t *body = world->bodies.by_part, *contact = world->contacts.by_part;
    for (int32_t k = parts->body[part]; k < parts->body[part + 1]; ++k) {
        scri_step_begin_apply(world, body[k]);
    }
    for (int32_t k = parts->contact[part]; k < parts->contact[part + 1]; ++k) {
        scri_step_apply_contact(world, contact[k]);
    }
    for (int32_t k = parts->body[part]; k < parts->body[part + 1]; ++k) {
        scri_step_end_apply(world, body[k]);
    }
}

typedef struct returning {
    const scri_contacts_table *part, *world;
    const int32_t* by_part; /* the part's contacts in the world */
} returning;

static void return_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const returning* all = context;
    const scri_contacts_table *t = all->part, *to = all->world;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        int32_t row = to->first_row[all->by_part[k]];
        size_t width = (size_t)(t->first_row[k + 1] - t->first_row[k]);
        copy_rows(to->p + row, t->p + t->first_row[k], width);
        copy_rows(to->give + row, t->give + t->first_row[k], width);
    }
}

void scri_islands_hand_back(scree_world* world, const scri_part* part)
{
    const scri_contacts_table* to = &world->contacts;
    const int32_t* by_part = to->by_part + world->parts.contact[part->number];
    if (world->parts.n == 1) return;
    scri_team_for(part->desk->team, part->contacts.n, COPY_GRAIN, return_some,
                  &(returning){&part->contacts, to, by_part});
}
