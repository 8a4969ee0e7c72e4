/* Who solves parts of a step side by side shares the world with the others, and has a desk to
 * itself. */
#include "world/world.h"

#include <string.h>

static scree_status reserve(const scri_desk* desk, size_t size, void** memory, size_t* reserved)
{
    if (size <= *reserved) return SCREE_OK;
    size += size / 4;
    scri_release(desk->env, *memory);
    *memory = scri_alloc(desk->env, size);
    *reserved = *memory ? size : 0;
    return *memory ? SCREE_OK
                   : scri_fail(desk->env, SCREE_ERROR_MEMORY, "out of memory for a step");
}

scree_status scri_desk_reserve(scri_desk* desk, size_t size)
{
    return reserve(desk, size, &desk->work, &desk->work_size);
}

scree_status scri_desk_reserve_known(scri_desk* desk, size_t size)
{
    return reserve(desk, size, &desk->known, &desk->known_size);
}

static int reserve_places(scri_desk* desk, int32_t n)
{
    if (n <= desk->n_places) return 1;
    scri_release(desk->env, desk->place);
    desk->place = scri_alloc(desk->env, (size_t)n * sizeof *desk->place);
    desk->n_places = desk->place ? n : 0;
    if (desk->place) memset(desk->place, 0xff, (size_t)n * sizeof *desk->place); /* -1 */
    return desk->place != NULL;
}

/* Their memory comes from the pool, which several may ask at the same time. */
static int make_desks(scree_world* world, int32_t n)
{
    if (world->side_desks) return 1;
    world->side_desks = scri_alloc(&world->env, (size_t)n * sizeof *world->side_desks);
    for (int32_t i = 0; i < n && world->side_desks; ++i) {
        world->side_desks[i] = (scri_desk){.env = scri_pool_env(world->pool)};
    }
    return world->side_desks != NULL;
}

scree_status scri_world_reserve_desks(scree_world* world, int32_t n_contacts, int32_t n_bodies)
{
    int32_t n = scri_team_size(world->team);
    int done = make_desks(world, n);
    for (int32_t i = 0; i < n && done; ++i) {
        scri_desk* desk = &world->side_desks[i];
        done = reserve_places(desk, world->bodies.capacity) &&
               scri_desk_reserve_contacts(desk, n_contacts) &&
               scri_members_table_reserve(desk->env, &desk->members, n_bodies);
    }
    return done
               ? SCREE_OK
               : scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for %d workers", (int)n);
}

static void clear(scri_desk* desk)
{
    scri_desk_release_contacts(desk);
    scri_members_table_release(desk->env, &desk->members);
    scri_release(desk->env, desk->work);
    scri_release(desk->env, desk->known);
}

void scri_world_release_desks(scree_world* world)
{
    int32_t n = world->side_desks ? scri_team_size(world->team) : 0;
    for (int32_t i = 0; i < n; ++i) {
        clear(&world->side_desks[i]);
        scri_release(world->side_desks[i].env, world->side_desks[i].place);
    }
    scri_release(&world->env, world->side_desks);
    clear(&world->desk);
}
