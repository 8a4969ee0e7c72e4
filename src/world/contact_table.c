#include "world/world.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of types and members. */
#define SHOW(type, name, width) view->name = table->name;

static void show_lasting(const scri_lasting_table* table, scri_contacts_table* view)
{
    SCRI_LASTING_CONTACT_FIELDS(SHOW)
}

static void show_passing(const scri_passing_table* table, scri_contacts_table* view)
{
    SCRI_PASSING_CONTACT_FIELDS(SHOW)
    view->relaxed = table->after;
}

static void show_part(const scri_part_contacts_table* table, scri_contacts_table* view)
{
    SCRI_PART_CONTACT_FIELDS(SHOW)
}

#undef SHOW
/* NOLINTEND(bugprone-macro-parentheses) */

int scri_world_reserve_contacts(scree_world* world, int32_t n)
{
    int done = scri_lasting_table_reserve(&world->env, &world->lasting, n + 1) &&
               scri_passing_table_reserve(&world->env, &world->passing, n);
    show_lasting(&world->lasting, &world->contacts);
    show_passing(&world->passing, &world->contacts);
    return done;
}

int scri_world_renew_contacts(scree_world* world, int32_t n)
{
    int done = scri_lasting_table_renew(&world->env, &world->lasting, n + 1) &&
               scri_passing_table_renew(&world->env, &world->passing, n);
    world->contacts.n = 0;
    show_lasting(&world->lasting, &world->contacts);
    show_passing(&world->passing, &world->contacts);
    if (!done) world->problem_is_current = 0; /* whose gaps and points are gone */
    return done;
}

int scri_world_renew_last(scree_world* world, int32_t n)
{
    int done = scri_lasting_table_renew(&world->env, &world->lasting_last, n + 1);
    world->last.n = 0;
    show_lasting(&world->lasting_last, &world->last);
    return done;
}

void scri_world_swap_contacts(scree_world* world)
{
    const scri_passing_table none = {.n = 0};
    scri_contacts_table list = world->last;
    scri_lasting_table table = world->lasting_last;
    world->last = world->contacts;
    world->lasting_last = world->lasting;
    world->contacts = list;
    world->lasting = table;
    show_passing(&none, &world->last);
    show_passing(&world->passing, &world->contacts);
}

void scri_world_release_contacts(scree_world* world)
{
    scri_lasting_table_release(&world->env, &world->lasting);
    scri_lasting_table_release(&world->env, &world->lasting_last);
    scri_passing_table_release(&world->env, &world->passing);
}

int scri_desk_reserve_pairs(scri_desk* desk, int32_t n)
{
    int done = scri_part_pairs_table_renew(desk->env, &desk->pairs, n);
    desk->contacts.pair = desk->pairs.pair;
    return done;
}

int scri_desk_reserve_contacts(scri_desk* desk, int32_t n)
{
    int done = scri_desk_reserve_pairs(desk, n) &&
               scri_part_contacts_table_renew(desk->env, &desk->copies, n + 1);
    show_part(&desk->copies, &desk->contacts);
    return done;
}

void scri_desk_release_contacts(scri_desk* desk)
{
    scri_part_pairs_table_release(desk->env, &desk->pairs);
    scri_part_contacts_table_release(desk->env, &desk->copies);
}
