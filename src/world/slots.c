/* Handles of bodies, bodies that go, and bodies that pass through each other.
 *
 * Shapes lie side by side, those of one body together and bodies in the order of their slots; the
 * contacts of the last step are ordered by shapes, or by their ranks. Both orders outlast removal
 * and addition, so that what a step makes of a world does not depend on what it once held. */
#include "world/slots.h"

#include <string.h>

/* ---- handles --------------------------------------------------------------------------------- */

int scree_world_body_is_valid(const scree_world* world, scree_body_id id)
{
    if (!world || id.index1 < 1 || id.index1 > world->bodies.n) return 0;
    size_t i = (size_t)id.index1 - 1;
    return world->bodies.kind[i] != SCREE_BODY_NONE && world->bodies.generation[i] == id.generation;
}

scree_body_id scree_world_body_at(const scree_world* world, int32_t index)
{
    if (!world || index < 0 || index >= world->bodies.n) return (scree_body_id){0, 0};
    if (world->bodies.kind[index] == SCREE_BODY_NONE) return (scree_body_id){0, 0};
    return (scree_body_id){index + 1, world->bodies.generation[index]};
}

scree_status scri_world_find(const scree_world* world, scree_body_id id, const char* call,
                             int32_t* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    *out = id.index1 - 1;
    if (scree_world_body_is_valid(world, id)) return SCREE_OK;
    const scree_env* env = &world->env;
    if (id.index1 < 1 || id.index1 > world->bodies.n) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "%s: there is no body %d", call,
                         (int)id.index1 - 1);
    }
    return scri_fail(env, SCREE_ERROR_ARGUMENT, "%s: body %d of generation %u has been removed",
                     call, (int)id.index1 - 1, (unsigned)id.generation);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of types and members. */

static void move_contact(scri_contacts_table* t, size_t from, size_t to, size_t width)
{
    size_t row_from = (size_t)t->first_row[from], row_to = (size_t)t->first_row[to];
#define SCREE_X(type, name, n) \
    memmove(t->name + to * (n), t->name + from * (n), (n) * sizeof(type));
    SCRI_LASTING_BY_CONTACT_FIELDS(SCREE_X)
    SCRI_PASSING_BY_CONTACT_FIELDS(SCREE_X)
#undef SCREE_X
#define SCREE_X(type, name, n) memmove(t->name + row_to, t->name + row_from, width * sizeof(type));
    SCRI_LASTING_BY_ROW_FIELDS(SCREE_X)
    SCRI_PASSING_BY_ROW_FIELDS(SCREE_X)
#undef SCREE_X
    t->first_row[to + 1] = t->first_row[to] + (int32_t)width;
}

/* NOLINTEND(bugprone-macro-parentheses) */

/* Whether contact c is one of a body, or a row of a joint; the other of the two is -1. */
static int is_of(const scree_world* world, size_t c, int32_t body, int32_t joint)
{
    const int32_t *shape = world->contacts.shape + 2 * c, *body_of = world->shapes.body;
    if (shape[0] == SCRI_JOINT_SHAPE) return shape[1] == joint;
    return body_of[shape[0]] == body || body_of[shape[1]] == body;
}

static void drop(scree_world* world, int32_t body, int32_t joint)
{
    scri_contacts_table* t = &world->contacts;
    size_t kept = 0, n = (size_t)t->n;
    int32_t begin = 0, end = 0;
    for (size_t c = 0; c < n; ++c, begin = end) {
        end = t->first_row[c + 1]; /* read before a contact is moved over it */
        if (is_of(world, c, body, joint)) {
            world->n_touching -= joint < 0;
            continue;
        }
        t->first_row[c] = begin;
        move_contact(t, c, kept++, (size_t)(end - begin));
    }
    t->n = (int32_t)kept;
    world->parts.n = 0; /* bodies that have lost a contact are not what they were */
    world->problem_is_current = world->is_placed = world->joint_system.is_placed = 0;
}

void scri_world_drop_contacts(scree_world* world, int32_t body)
{
    drop(world, body, -1);
}

void scri_world_drop_joint_contacts(scree_world* world, int32_t joint)
{
    drop(world, -1, joint);
}

void scri_world_renumber_shapes(scree_world* world, int32_t first, int32_t by)
{
    scri_contacts_table* t = &world->contacts;
    for (size_t i = 0; by != 0 && i < 2 * (size_t)world->n_touching; ++i) {
        if (t->shape[i] >= first) t->shape[i] += by;
    }
}

/* ---- pairs that are ignored ------------------------------------------------------------------ */

/* The place of a pair in the order, or where it would be. */
static int32_t place_of(const scri_apart_table* t, const int32_t pair[2])
{
    int32_t low = 0, high = t->n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const int32_t* other = t->body + 2 * (size_t)middle;
        int is_less = other[0] != pair[0] ? other[0] < pair[0] : other[1] < pair[1];
        if (is_less) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

scree_status scree_world_ignore_pair(scree_world* world, scree_body_id a, scree_body_id b, int on)
{
    int32_t i, j;
    scree_status status = scri_world_find(world, a, "scree_world_ignore_pair", &i);
    if (!status) status = scri_world_find(world, b, "scree_world_ignore_pair", &j);
    if (status) return status;
    const int32_t pair[2] = {i < j ? i : j, i < j ? j : i};
    scri_apart_table* t = &world->apart;
    int32_t at = place_of(t, pair);
    int is_there = at < t->n && memcmp(t->body + 2 * (size_t)at, pair, sizeof pair) == 0;
    if (i == j || is_there == (on != 0)) return SCREE_OK;
    if (on) {
        if (!scri_apart_table_reserve(&world->env, t, t->n + 1)) {
            return scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for a pair");
        }
        scri_apart_table_move(t, at, at + 1, t->n - at);
        memcpy(t->body + 2 * (size_t)at, pair, sizeof pair);
        t->n++;
    } else {
        scri_apart_table_move(t, at + 1, at, t->n - at - 1);
        t->n--;
    }
    return SCREE_OK;
}

static void forget_pairs(scri_apart_table* t, int32_t body)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < t->n; ++k) {
        const int32_t* pair = t->body + 2 * (size_t)k;
        if (pair[0] != body && pair[1] != body) scri_apart_table_move(t, k, kept++, 1);
    }
    t->n = kept;
}

/* ---- removal --------------------------------------------------------------------------------- */

static void remove_shapes(scree_world* world, int32_t body)
{
    scri_shapes_table* t = &world->shapes;
    int32_t first = 0, high = t->n, n = 0;
    while (first < high) {
        int32_t middle = first + (high - first) / 2;
        if (t->body[middle] < body) {
            first = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; first + n < t->n && t->body[first + n] == body; ++n) {
    }
    scri_shapes_table_move(t, first + n, first, t->n - first - n);
    scri_world_renumber_shapes(world, first + n, -n);
    t->n -= n;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of types and members. */

static void clear_slot(scri_bodies_table* t, size_t i)
{
    uint32_t generation = t->generation[i];
    int32_t rank = t->rank[i]; /* that of the slot */
#define SCREE_X(type, name, n) memset(t->name + i * (n), 0, (n) * sizeof(type));
    SCRI_BODY_FIELDS(SCREE_X)
#undef SCREE_X
    t->kind[i] = SCREE_BODY_NONE;
    t->generation[i] = generation + 1;
    t->rank[i] = rank;
    t->rotation[4 * i] = 1.0;
    t->is_round[i] = 1;
}

/* NOLINTEND(bugprone-macro-parentheses) */

scree_status scree_world_remove_body(scree_world* world, scree_body_id id)
{
    int32_t i;
    scree_status status = scri_world_find(world, id, "scree_world_remove_body", &i);
    if (status) return status;
    scri_world_drop_joints(world, i);
    scri_world_drop_contacts(world, i);
    remove_shapes(world, i);
    forget_pairs(&world->apart, i);
    clear_slot(&world->bodies, (size_t)i);
    world->has_new_shapes = 1;
    if (i < world->first_free) world->first_free = i;
    return SCREE_OK;
}
