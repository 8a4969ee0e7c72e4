/* Saving and loading what determines the future of a world. */
#include "cones/layout_kernel.h"
#include "world/world.h"

#include <string.h>

enum { STATE_COOKIE = 0x5C4EE514 };

typedef struct state_head {
    uint32_t cookie;
    int32_t n_bodies, n_shapes, n_contacts, n_rows;
    int32_t n_loads; /* bodies, where the host has applied forces; else 0 */
    int32_t n_slips; /* contacts, where friction depends on their slip; else 0 */
    int32_t n_joints;
    int32_t n_ranks; /* bodies, where they are ranked; else 0 */
    int32_t unused;  /* 0: states are compared byte by byte */
    int64_t steps;
    double gravity[3];
} state_head;

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are whole expressions. */

/* X(array, bytes): everything behind the head, in this order; first what must agree. */
#define SAME_ARRAYS(X)                         \
    X(world->bodies.kind, (size_t)h->n_bodies) \
    X(world->bodies.generation, 4 * (size_t)h->n_bodies)

/* Offsets of rows follow from `rows`. */
#define STATE_ARRAYS(X)                                   \
    X(world->bodies.load, 48 * (size_t)h->n_loads)        \
    X(world->bodies.rank, 4 * (size_t)h->n_ranks)         \
    X(world->bodies.position, 24 * (size_t)h->n_bodies)   \
    X(world->bodies.rotation, 32 * (size_t)h->n_bodies)   \
    X(world->bodies.velocity, 24 * (size_t)h->n_bodies)   \
    X(world->bodies.omega, 24 * (size_t)h->n_bodies)      \
    X(world->bodies.still_steps, (size_t)h->n_bodies)     \
    X(world->bodies.is_unshifted, (size_t)h->n_bodies)    \
    X(world->contacts.shape, 8 * (size_t)h->n_contacts)   \
    X(world->contacts.feature, 4 * (size_t)h->n_contacts) \
    X(world->contacts.rows, (size_t)h->n_contacts)        \
    X(world->contacts.frame, 72 * (size_t)h->n_contacts)  \
    X(world->contacts.arm, 48 * (size_t)h->n_contacts)    \
    X(world->contacts.p, 8 * (size_t)h->n_rows)           \
    X(world->contacts.slip, 24 * (size_t)h->n_slips)

static state_head make_head(const scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    const double* g = world->def.gravity;
    return (state_head){
        .cookie = STATE_COOKIE,
        .n_bodies = world->bodies.n,
        .n_shapes = world->shapes.n,
        .n_contacts = t->n,
        .n_rows = t->n ? t->first_row[t->n] : 0,
        .n_loads = world->has_loads ? world->bodies.n : 0,
        .n_slips = world->has_slip ? t->n : 0,
        .n_joints = world->joints.n,
        .n_ranks = world->is_ranked ? world->bodies.n : 0,
        .steps = world->steps,
        .gravity = {g[0], g[1], g[2]},
    };
}

/* What is saved of a joint. */
typedef struct joint_state {
    uint32_t generation;
    int32_t flags; /* whether it is used, and steered */
    scri_joint_memory memory;
} joint_state;

static size_t state_size(const state_head* h)
{
    size_t size = sizeof *h + (size_t)h->n_joints * sizeof(joint_state);
#define SCREE_X(array, bytes) size += bytes;
    SAME_ARRAYS(SCREE_X)
    STATE_ARRAYS(SCREE_X)
#undef SCREE_X
    return size;
}

size_t scree_world_state_size(const scree_world* world)
{
    if (!world) return 0;
    state_head h = make_head(world);
    return state_size(&h);
}

void scree_world_save(const scree_world* world, void* state)
{
    if (!world || !state) return;
    unsigned char* at = state;
    state_head head = make_head(world);
    const state_head* h = &head;
    memcpy(at, h, sizeof *h);
    at += sizeof *h;
#define SCREE_X(array, bytes)                  \
    if ((bytes) > 0) memcpy(at, array, bytes); \
    at += bytes;
    SAME_ARRAYS(SCREE_X)
    STATE_ARRAYS(SCREE_X)
#undef SCREE_X
    for (int32_t i = 0; i < h->n_joints; ++i, at += sizeof(joint_state)) {
        const scri_joint* joint = &world->joints.joint[i];
        joint_state one = {joint->generation, joint->is_used + 2 * world->is_steered,
                           joint->memory};
        memcpy(at, &one, sizeof one);
    }
}

/* Whether a head fits this world and the number of bytes that came with it. */
static int head_fits(const scree_world* world, const state_head* h, size_t size)
{
    return h->cookie == STATE_COOKIE && h->n_bodies == world->bodies.n &&
           h->n_shapes == world->shapes.n && h->n_contacts >= 0 && h->n_rows >= 0 &&
           h->n_rows / SCRI_MAX_WIDTH <= h->n_contacts && h->steps >= 0 &&
           h->n_joints == world->joints.n && (h->n_loads == 0 || h->n_loads == h->n_bodies) &&
           (h->n_ranks == 0 || h->n_ranks == h->n_bodies) &&
           h->n_slips == (world->has_slip ? h->n_contacts : 0) && scri_are_finite(h->gravity, 3) &&
           size == state_size(h);
}

/* Goes past what must agree; 0 where it does not. */
static int bodies_fit(const scree_world* world, const state_head* h, const unsigned char** at)
{
    int fit = 1;
#define SCREE_X(array, bytes)                               \
    if ((bytes) > 0) fit &= memcmp(array, *at, bytes) == 0; \
    *at += bytes;
    SAME_ARRAYS(SCREE_X)
#undef SCREE_X
    return fit;
}

/* Whether a joint has been given up since: it broke. */
static int is_gone(const scri_joint* joint, const joint_state* saved)
{
    return joint->is_used && !(saved->flags & 1) && saved->generation == joint->generation + 1;
}

/* Whether the joints behind everything else are those of the world, some of them broken. */
static int joints_fit(const scree_world* world, const unsigned char* at)
{
    int fit = 1;
    for (int32_t i = 0; i < world->joints.n; ++i, at += sizeof(joint_state)) {
        const scri_joint* joint = &world->joints.joint[i];
        joint_state one;
        memcpy(&one, at, sizeof one);
        int same = one.generation == joint->generation && (one.flags & 1) == joint->is_used;
        fit &= same || is_gone(joint, &one);
    }
    return fit;
}

/* Gives joints up that broke, and takes what the others remember. */
static void take_joints(scree_world* world, const unsigned char* at)
{
    for (int32_t i = 0; i < world->joints.n; ++i, at += sizeof(joint_state)) {
        joint_state one;
        memcpy(&one, at, sizeof one);
        world->is_steered = one.flags / 2;
        if (is_gone(&world->joints.joint[i], &one)) {
            scri_world_drop_joint(world, i);
        } else {
            world->joints.joint[i].memory = one.memory;
        }
    }
}

/* Row offsets of the contacts, and whether what they name exists. */
static int contacts_fit(scree_world* world, int32_t n_rows)
{
    scri_contacts_table* t = &world->contacts;
    t->first_row[0] = world->n_touching = 0;
    for (int32_t c = 0; c < t->n; ++c) {
        const int32_t* shape = t->shape + 2 * (size_t)c;
        int width = scree_rows_width(t->rows[c]);
        int is_joint = shape[0] == SCRI_JOINT_SHAPE;
        int32_t most = is_joint ? world->joints.n : world->shapes.n;
        if (width < 1 || shape[0] < 0 || shape[1] < 0 || shape[1] >= most ||
            (!is_joint && shape[0] >= most)) {
            return 0;
        }
        world->n_touching += !is_joint;
        t->first_row[c + 1] = t->first_row[c] + width;
    }
    return t->first_row[t->n] == n_rows;
}

/* Whether every slot has a rank of its own; those that do not are given their numbers. */
static int ranks_fit(scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    int fit = 1;
    for (int32_t i = 0; i < b->n; ++i) b->by_rank[i] = -1;
    for (int32_t i = 0; i < b->n && fit; ++i) {
        int32_t rank = b->rank[i];
        fit = rank >= 0 && rank < b->n && b->by_rank[rank] < 0;
        if (fit) b->by_rank[rank] = i;
    }
    for (int32_t i = 0; i < b->n && !fit; ++i) b->rank[i] = i;
    return fit;
}

scree_status scree_world_load(scree_world* world, const void* state, size_t size)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    if (!state) return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_world_load: no state");
    const unsigned char* at = state;
    state_head head = {.cookie = 0};
    if (size >= sizeof head) memcpy(&head, at, sizeof head);
    const state_head* h = &head;
    at += sizeof *h;
    int fits = head_fits(world, h, size) && bodies_fit(world, h, &at);
    const unsigned char* joints = state; /* behind everything else */
    if (fits) joints += size - (size_t)h->n_joints * sizeof(joint_state);
    if (!fits || !joints_fit(world, joints)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the saved state belongs to another world");
    }
    if (!scri_world_reserve_contacts(world, h->n_contacts)) {
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a saved state");
    }
    take_joints(world, joints);
    world->problem_is_current = world->contacts_are_known = world->is_placed = 0;
    world->parts.n = 0; /* nothing is known of what has been solved */
    world->joint_system.is_placed = 0;
    world->contacts.n = h->n_contacts;
    memcpy(world->def.gravity, h->gravity, sizeof h->gravity);
    for (size_t i = 0; i < 6 * (size_t)h->n_bodies; ++i) world->bodies.load[i] = 0.0;
    world->has_loads = h->n_loads > 0;
    world->is_ranked = h->n_ranks > 0;
    world->has_new_shapes = 1; /* than those that were ranked */
    /* n_rows was checked against n_contacts, for which there is room in p. */
#define SCREE_X(array, bytes)                  \
    if ((bytes) > 0) memcpy(array, at, bytes); \
    at += bytes;
    STATE_ARRAYS(SCREE_X)
#undef SCREE_X
    world->steps = h->steps;
    world->time = (double)h->steps * world->def.step;
    int fit = ranks_fit(world); /* these even where the state has none */
    if (!contacts_fit(world, h->n_rows) || !fit) {
        world->contacts.n = 0;
        return scri_fail(env, SCREE_ERROR_INPUT, "the saved contacts are damaged");
    }
    for (int32_t i = 0; i < world->bodies.n; ++i) scri_world_turn_inertia(world, i);
    return SCREE_OK;
}

/* NOLINTEND(bugprone-macro-parentheses) */
