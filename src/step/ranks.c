/* Ranks bodies along a space-filling curve (Morton's) once those that touch have come to be far
 * from each other in the order of ranks: docs/decisions/0550-ranks.md. */
#include "world/ranks.h"

#include "base/groups.h"
#include "base/keys.h"
#include "math/vec.h"
#include "step/step.h"

#include <string.h>

/* Steps between two looks, and contacts for which a look is worth while. */
enum { INTERVAL = 16, WORTH_IT = 4096 };

/* In a cube of n bodies neighbours are n^(2/3) ranks apart where it is numbered row by row, 0.4 of
 * that along the curve, and n / 3 where ranks are left to chance: ranked is what is farther apart
 * than this many times the first. */
#define FAR 4.0

/* ---- whether ----------------------------------------------------------------------------------
 */

/* How many ranks the bodies of contacts are apart that both respond. */
static double sum_apart(const void* context, int32_t begin, int32_t end)
{
    const scree_world* world = context;
    const scri_bodies_table* b = &world->bodies;
    double sum = 0.0;
    for (int32_t k = begin; k < end; ++k) {
        const int32_t* shape = world->contacts.shape + 2 * (size_t)k;
        int32_t x = world->shapes.body[shape[0]], y = world->shapes.body[shape[1]];
        if (b->inv_mass[x] == 0.0 || b->inv_mass[y] == 0.0) continue;
        sum += fabs((double)scri_body_rank(world, x) - (double)scri_body_rank(world, y));
    }
    return sum;
}

static int is_due(const scree_world* world)
{
    enum { GRAIN = 2048 };
    int32_t n = world->n_touching;
    if (n < WORTH_IT || world->steps % INTERVAL != 0) return 0;
    double row = cbrt((double)world->bodies.n);
    return scri_groups_sum(world->team, n, GRAIN, sum_apart, world) > FAR * row * row * n;
}

/* ---- the curve --------------------------------------------------------------------------------
 */

/* Bits of a coordinate, and what keys of three have. */
enum { BITS = 21 };
#define LARGEST_KEY (((uint64_t)1 << (3 * BITS)) - 1)

/* The cube that is cut: where most bodies are. */
typedef struct curve {
    double lower[3], per_metre;
} curve;

/* Bit k of x becomes bit 3 k. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

static uint64_t key_of(const curve* along, const double x[3])
{
    const double most = (double)((1 << BITS) - 1);
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
        double t = (x[k] - along->lower[k]) * along->per_metre;
        uint64_t bits = !(t > 0.0) ? 0 : t < most ? (uint64_t)t : (uint64_t)most;
        key |= spread(bits) << k;
    }
    return key;
}

/* What nine tenths of a sample of the bodies lie within along axis k: far outliers must not count.
 */
static void find_range(const scri_bodies_table* b, size_t k, double range[2])
{
    enum { SAMPLES = 101, TAIL = 20 };
    double sorted[SAMPLES];
    int n = 0;
    range[0] = range[1] = 0.0;
    for (int64_t i = 0; i < SAMPLES; ++i) {
        size_t body = (size_t)(b->n * i / SAMPLES);
        if (b->inv_mass[body] == 0.0) continue;
        double x = b->position[3 * body + k];
        int at = n++;
        for (; at > 0 && sorted[at - 1] > x; --at) sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    if (n == 0) return;
    range[0] = sorted[n / TAIL];
    range[1] = sorted[n - 1 - n / TAIL];
}

/* Three times as wide as the widest range. */
static curve find_curve(const scri_bodies_table* b)
{
    curve found = {.per_metre = 0.0};
    double width = 0.0, range[3][2];
    for (size_t k = 0; k < 3; ++k) {
        find_range(b, k, range[k]);
        width = fmax(width, range[k][1] - range[k][0]);
    }
    for (int k = 0; k < 3; ++k) found.lower[k] = range[k][0] - width;
    if (width > 0.0) found.per_metre = (double)(1 << BITS) / (3.0 * width);
    return found;
}

/* ---- ranks ------------------------------------------------------------------------------------
 */

static void rank_bodies(scree_world* world, scri_key* keys, scri_key* spare)
{
    const scri_bodies_table* b = &world->bodies;
    curve along = find_curve(b);
    for (int32_t i = 0; i < b->n; ++i) {
        keys[i] = (scri_key){key_of(&along, b->position + 3 * (size_t)i), i};
    }
    scri_keys_sort(keys, spare, b->n, LARGEST_KEY, NULL, NULL);
    for (int32_t r = 0; r < b->n; ++r) b->rank[keys[r].item] = r;
    world->is_ranked = 1;
    scri_world_rank_shapes(world, 1);
}

/* Contacts that move to another table, in the order of keys. */
typedef struct move {
    const scri_contacts_table *from, *to;
    const scri_key* keys;
} move;

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of types and members. */

static void move_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const move* all = context;
    const scri_contacts_table *from = all->from, *to = all->to;
    (void)worker;
    for (size_t k = (size_t)begin; k < (size_t)end; ++k) {
        size_t c = (size_t)all->keys[k].item;
        size_t row = (size_t)from->first_row[c], at = (size_t)to->first_row[k];
        size_t width = (size_t)from->first_row[c + 1] - row;
#define SCREE_X(type, name, n) memcpy(to->name + k * (n), from->name + c * (n), (n) * sizeof(type));
        SCRI_LASTING_BY_CONTACT_FIELDS(SCREE_X)
#undef SCREE_X
#define SCREE_X(type, name, n) memcpy(to->name + at, from->name + row, width * sizeof(type));
        SCRI_LASTING_BY_ROW_FIELDS(SCREE_X)
#undef SCREE_X
    }
}

/* NOLINTEND(bugprone-macro-parentheses) */

/* What the next step takes over of the contacts of the last one, in the order of ranks; points of a
 * pair stay in theirs. */
static void sort_contacts(scree_world* world, scri_key* keys, scri_key* spare)
{
    enum { GRAIN = 64 };
    const scri_contacts_table* from = &world->contacts;
    scri_contacts_table* to = &world->last;
    const int32_t* rank = world->shapes.rank;
    for (int32_t c = 0; c < from->n; ++c) {
        const int32_t* shape = from->shape + 2 * (size_t)c;
        int is_joint = shape[0] == SCRI_JOINT_SHAPE; /* comes last, in the order that it has */
        uint64_t first = (uint64_t)(is_joint ? INT32_MAX : rank[shape[0]]);
        keys[c] = (scri_key){first << 32 | (uint64_t)(is_joint ? 0 : rank[shape[1]]), c};
    }
    scri_keys_sort(keys, spare, from->n, UINT64_MAX, NULL, NULL);
    to->n = from->n;
    to->first_row[0] = 0;
    for (int32_t k = 0; k < to->n; ++k) {
        int32_t c = keys[k].item;
        to->first_row[k + 1] = to->first_row[k] + from->first_row[c + 1] - from->first_row[c];
    }
    scri_team_for(world->team, to->n, GRAIN, move_some, &(move){from, to, keys});
    scri_world_swap_contacts(world);
}

scree_status scri_step_rank(scree_world* world)
{
    int32_t n = world->contacts.n, most = n > world->bodies.n ? n : world->bodies.n;
    if (!is_due(world)) {
        scri_world_rank_shapes(world, 0);
        return SCREE_OK;
    }
    scree_status status = scri_desk_reserve(&world->desk, 2 * (size_t)most * sizeof(scri_key));
    if (status || !scri_world_renew_last(world, n)) {
        return scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for %d ranks", (int)most);
    }
    scri_key *keys = world->desk.work, *spare = keys + most;
    rank_bodies(world, keys, spare);
    sort_contacts(world, keys, spare);
    world->parts.n = 0; /* what was solved has another order, and gaps have the old one */
    world->problem_is_current = 0;
    return SCREE_OK;
}
