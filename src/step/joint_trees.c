/* Mechanisms without loops: the trees among the joints of a world, and their factors. */
#include "joints/motions.h"
#include "step/joints.h"
#include "step/step.h"

#include <string.h>

/* ---- which joints there are ------------------------------------------------------------------ */

/* What is known of the mechanisms, by their first bodies once all are joined. */
typedef struct mechanisms {
    int32_t* parent;   /* [bodies] in a forest of joined ones */
    int32_t* anchors;  /* [bodies] joints to what does not respond */
    uint8_t* has_loop; /* [bodies] or a joint that is no branch */
} mechanisms;

/* The root of body i; shortens the way there. */
static int32_t root_of(int32_t* parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Whether the rows of a joint push both bodies with the same force: they say how one moves against
 * the other, whatever else does. */
static int is_branch(scree_joint_kind kind)
{
    return kind != SCREE_JOINT_GEAR && kind != SCREE_JOINT_RACK;
}

static void join_bodies(const scree_world* world, const scri_joint* joint, mechanisms* m)
{
    int32_t a = joint->body[0], b = joint->body[1], any = scri_joints_move(world, a) ? a : b;
    if (!is_branch(joint->def.kind)) m->has_loop[any] = 1;
    if (!scri_joints_move(world, a) || !scri_joints_move(world, b)) {
        m->anchors[any]++;
        return;
    }
    int32_t one = root_of(m->parent, a), other = root_of(m->parent, b);
    if (one == other) m->has_loop[any] = 1;
    m->parent[one > other ? one : other] = one > other ? other : one; /* the first body */
}

int scri_trees_choose(const scree_world* world, scree_joints how, scri_joint_system* s,
                      uint8_t* in_tree)
{
    size_t n = (size_t)world->bodies.n + 1;
    mechanisms m = {scri_arena_take(s->arena, n, sizeof *m.parent),
                    scri_arena_take(s->arena, n, sizeof *m.anchors),
                    scri_arena_take(s->arena, n, sizeof *m.has_loop)};
    if (!m.parent || !m.anchors || !m.has_loop) return 0;
    memset(in_tree, 0, (size_t)s->n_nodes);
    if (how == SCREE_JOINTS_ROWS) return 1;
    for (int32_t i = 0; i < world->bodies.n; ++i) m.parent[i] = i;
    for (int32_t k = 0; k < s->n_nodes; ++k) {
        join_bodies(world, &world->joints.joint[s->joint[k]], &m);
    }
    for (int32_t i = 0; i < world->bodies.n; ++i) {
        int32_t root = root_of(m.parent, i);
        if (root == i) continue;
        m.anchors[root] += m.anchors[i];
        m.has_loop[root] |= m.has_loop[i];
    }
    for (int32_t k = 0; k < s->n_nodes; ++k) {
        const int32_t* body = world->joints.joint[s->joint[k]].body;
        int32_t root = root_of(m.parent, scri_joints_move(world, body[0]) ? body[0] : body[1]);
        in_tree[k] = !m.has_loop[root] && m.anchors[root] <= 1;
    }
    return 1;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* A new link that hangs on `parent` by the node of a joint, or is free. */
static void add_link(scri_trees* f, int32_t parent, int32_t body, int32_t node, int32_t side)
{
    int32_t k = f->tree.n++;
    f->tree.link[k].parent = parent;
    f->body[k] = body;
    f->node[k] = node;
    f->side[k] = side;
    f->tree_of[k] = f->n;
    f->link[body] = k;
    if (node >= 0) f->link_at[node] = k;
}

/* Everything that hangs on the body of a new tree's first link. */
static void grow(const scree_world* world, const scri_joint_system* s, scri_trees* f,
                 const scri_body_lists* lists)
{
    for (int32_t k = f->first[f->n]; k < f->tree.n; ++k) {
        int32_t body = f->body[k];
        for (int32_t i = lists->first[body]; i < lists->first[body + 1]; ++i) {
            int32_t node = lists->item[i] / 2, side = 1 - lists->item[i] % 2;
            int32_t other = world->joints.joint[s->joint[node]].body[side];
            if (f->link_at[node] >= 0 || !scri_joints_move(world, other)) continue;
            add_link(f, k, other, node, side);
        }
    }
    f->first[++f->n] = f->tree.n;
}

static int take_trees(const scree_world* world, scri_joint_system* s, int32_t n)
{
    scri_trees* f = &s->trees;
    size_t links = (size_t)n + 1, bodies = (size_t)world->bodies.n + 1;
    f->first = scri_arena_take(s->arena, links, sizeof *f->first);
    f->body = scri_arena_take(s->arena, links, sizeof *f->body);
    f->node = scri_arena_take(s->arena, links, sizeof *f->node);
    f->side = scri_arena_take(s->arena, links, sizeof *f->side);
    f->tree_of = scri_arena_take(s->arena, links, sizeof *f->tree_of);
    f->member = scri_arena_take(s->arena, links, sizeof *f->member);
    f->link = scri_arena_take(s->arena, bodies, sizeof *f->link);
    f->link_at = scri_arena_take(s->arena, (size_t)s->n_nodes + 1, sizeof *f->link_at);
    if (!f->first || !f->body || !f->node || !f->side || !f->tree_of || !f->member || !f->link ||
        !f->link_at) {
        return 0;
    }
    memset(f->link, 0xff, bodies * sizeof *f->link); /* -1 */
    memset(f->link_at, 0xff, (size_t)s->n_nodes * sizeof *f->link_at);
    return 1;
}

scree_status scri_trees_make(const scree_world* world, scri_joint_system* s,
                             const scri_body_lists* lists)
{
    scri_trees* f = &s->trees;
    int32_t n = world->bodies.n;
    if (!take_trees(world, s, n) || scri_tree_create(s->arena, n, &f->tree)) {
        return SCREE_ERROR_MEMORY;
    }
    f->tree.n = 0;
    for (int32_t node = s->blocks.n; node < s->n_nodes; ++node) { /* those that are anchored */
        const int32_t* body = world->joints.joint[s->joint[node]].body;
        int side = scri_joints_move(world, body[0]) ? 0 : 1;
        if (scri_joints_move(world, body[1 - side])) continue;
        add_link(f, -1, body[side], node, side);
        grow(world, s, f, lists);
    }
    for (int32_t i = 0; i < n; ++i) { /* and others, from their first body on */
        if (f->link[i] >= 0 || lists->first[i] == lists->first[i + 1]) continue;
        add_link(f, -1, i, -1, 0);
        grow(world, s, f, lists);
    }
    for (int32_t k = 0; k < f->tree.n; ++k) {
        scri_link* link = &f->tree.link[k];
        int32_t node = f->node[k];
        for (int i = 0; i < 6 && node < 0; ++i) link->basis[7 * i] = 1.0;
        if (node < 0) continue;
        link->row = s->first[node];
        link->n_rows = s->first[node + 1] - s->first[node];
        memcpy(link->is_rigid, s->is_rigid + link->row, (size_t)link->n_rows);
    }
    return SCREE_OK;
}

/* ---- where bodies are ------------------------------------------------------------------------ */

void scri_trees_place_joint(scri_joint_system* s, const scri_joint* joint, int32_t node,
                            const scri_joint_side sides[2], const scri_joint_terms* terms)
{
    scri_trees* f = &s->trees;
    int32_t k = f->link_at[node];
    const int rigid[3] = {!scri_joint_is_freed(joint) && scri_joint_is_rigid(joint, 0),
                          scri_joint_is_rigid(joint, 1), scri_joint_is_rigid(joint, 2)};
    scri_link* link = &f->tree.link[k];
    link->n_held =
        scri_joint_motions(joint->def.kind, sides, terms, rigid, f->side[k], link->basis);
}

void scri_trees_place(const scree_world* world, scri_joint_system* s)
{
    scri_trees* f = &s->trees;
    const scri_bodies_table* b = &world->bodies;
    for (int32_t k = 0; k < f->tree.n; ++k) {
        scri_link* link = &f->tree.link[k];
        double inertia[6];
        scri_world_inertia(world, f->body[k], inertia);
        scri_link_set_mass(link, b->mass[f->body[k]], inertia);
        if (link->parent < 0) continue;
        const double* from = b->position + 3 * (size_t)f->body[link->parent];
        const double* to = b->position + 3 * (size_t)f->body[k];
        for (int i = 0; i < 3; ++i) link->arm[i] = to[i] - from[i];
    }
}

void scri_trees_push(scree_world* world, const double* b)
{
    scri_trees* f = &world->joint_system.trees;
    scri_bodies_table* bodies = &world->bodies;
    scri_tree_follow(&f->tree, 0, f->tree.n, b);
    for (int32_t k = 0; k < f->tree.n; ++k) {
        const double* v = f->tree.motion + 6 * (size_t)k;
        size_t i = (size_t)f->body[k];
        for (size_t j = 0; j < 3; ++j) {
            bodies->velocity[3 * i + j] += v[j];
            bodies->omega[3 * i + j] += v[3 + j];
        }
    }
}

/* ---- factors --------------------------------------------------------------------------------- */

/* The rates of the motions of a link in its row that yields. */
static void write_soft(const scri_joint_system* s, scri_link* link, int32_t side, int row)
{
    const double* half = s->row + 12 * (size_t)(link->row + row) + 6 * (size_t)side;
    for (int i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (int j = 0; j < 6; ++j) sum += half[j] * link->basis[6 * i + j];
        link->soft[6 * row + i] = sum;
    }
}

void scri_trees_factor(scri_joint_system* s, int all)
{
    scri_trees* f = &s->trees;
    for (int32_t k = 0; k < f->tree.n && s->has_soft; ++k) {
        scri_link* link = &f->tree.link[k];
        for (int row = 0; row < link->n_rows; ++row) {
            link->firm[row] = 0.0;
            if (link->is_rigid[row] || !all) continue;
            link->firm[row] = 1.0 / s->compliance[link->row + row];
            write_soft(s, link, f->side[k], row);
        }
    }
    for (int32_t r = s->first[s->blocks.n]; r < s->n_rows; ++r) {
        const double *row = s->row + 12 * (size_t)r, *answer = s->answer + 12 * (size_t)r;
        s->diagonal[r] = 0.0;
        for (int i = 0; i < 12; ++i) s->diagonal[r] += row[i] * answer[i];
    }
    scri_tree_factor(&f->tree, 0, f->tree.n);
}
