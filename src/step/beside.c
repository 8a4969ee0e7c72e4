/* Which parts of a step are solved side by side.
 *
 * One after the other, the whole team sweeps through each part: n contacts take as long as n / W of
 * them take one worker, and what a sweep through few contacts costs that nobody can share. Side by
 * side each part has one worker, and the longest decides. Parts are put in bins by their size, and
 * those of the smallest bins are solved side by side: as many bins as make the sum of both least.
 * The results are the same either way. */
#include "step/beside.h"

#include "step/joints.h"

#include <stdatomic.h>
#include <string.h>

/* What the team cannot share in a part, in contacts: gravel of 4,152 contacts is solved 1.8 times
 * as fast by 4 workers as by one, and 2.7 times by 16. */
enum { UNSHARED = 1300 };

/* Contacts in all that are worth waking the team for. */
enum { WORTH_WAKING = 64 };

/* Bin b has parts of 2^b contacts up to 2^(b + 1) - 1. */
enum { BINS = 31 };

typedef struct bins {
    int32_t n[BINS], largest[BINS];
    int64_t contacts[BINS], all;
} bins;

static int32_t contacts_of(const scree_world* world, int32_t part)
{
    return world->parts.contact[part + 1] - world->parts.contact[part];
}

static int32_t bodies_of(const scree_world* world, int32_t part)
{
    return world->parts.body[part + 1] - world->parts.body[part];
}

static int bin_of(const scree_world* world, int32_t part)
{
    int bin = 0;
    for (int32_t n = contacts_of(world, part); n > 1; n /= 2) ++bin;
    return bin;
}

static bins fill_bins(const scree_world* world, int32_t n)
{
    bins sizes = {.all = 0};
    for (int32_t i = 0; i < n; ++i) {
        int32_t part = world->parts.due[i], contacts = contacts_of(world, part);
        int bin = bin_of(world, part);
        sizes.n[bin]++;
        sizes.contacts[bin] += contacts;
        sizes.all += contacts;
        if (contacts > sizes.largest[bin]) sizes.largest[bin] = contacts;
    }
    return sizes;
}

/* The number of bins, from the smallest on, whose parts are solved side by side. */
static int choose_bins(const bins* sizes, int32_t workers)
{
    double together = 0.0,
           beside = (double)sizes->all / workers; /* times, as one worker's contacts */
    double least = SCREE_INFINITY;
    int chosen = 0;
    for (int b = BINS; b >= 0; --b) { /* side by side: those below b */
        if (b > 0 && sizes->n[b - 1] == 0) continue;
        double longest = b > 0 ? sizes->largest[b - 1] : 0.0;
        double time = together + (longest > beside ? longest : beside);
        if (time < least) {
            least = time;
            chosen = b;
        }
        if (b == 0) break;
        double shared = (double)sizes->contacts[b - 1] / workers;
        together += shared + (double)UNSHARED * sizes->n[b - 1];
        beside -= shared;
    }
    return chosen;
}

/* Lists the parts of the bins below `end` first, the largest bins before the others, and then the
 * rest; returns how many those are. */
static int32_t sort_due(scree_world* world, int32_t n, const bins* sizes, int end)
{
    int32_t *due = world->parts.due, *sorted = world->parts.sorted, at[BINS], n_beside = 0;
    for (int b = end; b-- > 0; n_beside += sizes->n[b]) at[b] = n_beside;
    int32_t behind = n_beside;
    for (int32_t i = 0; i < n; ++i) {
        int bin = bin_of(world, due[i]);
        sorted[bin < end ? at[bin]++ : behind++] = due[i];
    }
    memcpy(due, sorted, (size_t)n * sizeof *due);
    return n_beside;
}

/* Orders what is due so that the first of it are solved side by side; returns how many. */
static int32_t choose(scree_world* world, int32_t n)
{
    int32_t workers = scri_team_size(world->team);
    const scree_solver_def* def = &world->def.solver;
    if (workers == 1 || def->progress || def->watch) return 0; /* workers tell the host nothing */
    bins sizes = fill_bins(world, n);
    if (sizes.all < WORTH_WAKING) return 0;
    int32_t n_beside = sort_due(world, n, &sizes, choose_bins(&sizes, workers));
    return n_beside > 1 ? n_beside : 0;
}

/* Room for the largest of these parts at every desk; each contact may bring a body that does not
 * respond. */
static scree_status reserve_desks(scree_world* world, int32_t n_beside)
{
    int32_t n_contacts = 0, n_bodies = 0;
    for (int32_t i = 0; i < n_beside; ++i) {
        int32_t part = world->parts.due[i], contacts = contacts_of(world, part);
        int32_t bodies = contacts + bodies_of(world, part);
        if (contacts > n_contacts) n_contacts = contacts;
        if (bodies > n_bodies) n_bodies = bodies;
    }
    return scri_world_reserve_desks(world, n_contacts, n_bodies);
}

/* Parts from `next` up to n are free; whoever is done takes the next. */
typedef struct queue {
    scree_world* world;
    scri_solve_part* solve;
    int32_t n;
    _Atomic int32_t next;
} queue;

static void serve(void* context, int32_t begin, int32_t end, int32_t worker)
{
    queue* q = context;
    const scri_parts_table* parts = &q->world->parts;
    scri_desk* desk = &q->world->side_desks[worker];
    (void)begin, (void)end;
    for (;;) {
        int32_t i = atomic_fetch_add_explicit(&q->next, 1, memory_order_relaxed);
        if (i >= q->n) return;
        parts->status[i] = q->solve(q->world, desk, parts->due[i]);
    }
}

/* Every worker is called to serve; those who are late find nothing left. */
static scree_status solve_beside(scree_world* world, int32_t n, scri_solve_part* solve)
{
    enum { CALLS_EACH = 2 }; /* a team takes one worker for two calls */
    queue q = {.world = world, .solve = solve, .n = n};
    scree_status status = reserve_desks(world, n);
    if (status) return status;
    if (world->joint_system.n_nodes > 0) scri_joints_factor(world, 1); /* once, for all of them */
    scri_team_rouse(world->team);
    scri_team_for(world->team, CALLS_EACH * scri_team_size(world->team), 1, serve, &q);
    for (int32_t i = 0; i < n && !status; ++i) status = world->parts.status[i];
    return status;
}

scree_status scri_beside_solve(scree_world* world, int32_t n, scri_solve_part* solve)
{
    int32_t n_beside = choose(world, n);
    scree_status status = n_beside > 0 ? solve_beside(world, n_beside, solve) : SCREE_OK;
    for (int32_t i = n_beside; i < n && !status; ++i) {
        status = solve(world, &world->desk, world->parts.due[i]);
    }
    return status;
}
