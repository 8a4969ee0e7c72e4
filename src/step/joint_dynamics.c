/* Mechanisms without loops as controllers see them: scree/joint.h. */
#include "base/arena.h"
#include "joints/motions.h"
#include "joints/six_kernel.h"
#include "math/small_kernel.h"
#include "problem/bodies_kernel.h"
#include "scree/joint.h"
#include "step/joints.h"
#include "step/step.h"

#include <string.h>

struct scree_tree {
    scree_env env;
    scri_arena* arena;
    scri_tree tree;
    scree_body_id* body;   /* [links] */
    scree_joint_id* joint; /* [links] that it hangs on; {0}: it is free */
    int32_t* side;         /* [links] of that joint */
    int32_t* rate;         /* [links + 1] its first */
    int32_t* owner;        /* [rates] link */
    double* centre;        /* [3 links] */
    double* velocity;      /* [6 links] */
    double* u;             /* [6 links] by freedom of each */
    double* change;        /* [6 links] acceleration where neither parents nor freedoms have any */
    double* bias;          /* [6 links] gyroscopic loads, and minus those of gravity */
    double* effort;        /* [6 links] */
    int is_factored;
};

/* ---- making it ------------------------------------------------------------------------------- */

static int is_of_axes(scree_joint_kind kind)
{
    return kind != SCREE_JOINT_DISTANCE && kind != SCREE_JOINT_ROPE && kind != SCREE_JOINT_GEAR &&
           kind != SCREE_JOINT_RACK && kind != SCREE_JOINT_CURVE;
}

static scree_status take(scree_tree* tree, int32_t n)
{
    size_t count = (size_t)n + 1;
    double** vectors[] = {&tree->centre, &tree->velocity, &tree->u,
                          &tree->change, &tree->bias,     &tree->effort};
    scree_status status = scri_tree_create(tree->arena, n, &tree->tree);
    tree->body = scri_arena_take(tree->arena, count, sizeof *tree->body);
    tree->joint = scri_arena_take(tree->arena, count, sizeof *tree->joint);
    tree->side = scri_arena_take(tree->arena, count, sizeof *tree->side);
    tree->rate = scri_arena_take(tree->arena, count, sizeof *tree->rate);
    tree->owner = scri_arena_take(tree->arena, 6 * count, sizeof *tree->owner);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = scri_arena_take(tree->arena, 6 * count, sizeof(double));
        if (!*vectors[i]) status = SCREE_ERROR_MEMORY;
    }
    int fails = !tree->body || !tree->joint || !tree->side || !tree->rate || !tree->owner;
    return fails ? SCREE_ERROR_MEMORY : status;
}

/* The links from `first` on of a system, whose body may be alone. */
static scree_status copy_links(const scree_world* world, const scri_joint_system* s, int32_t first,
                               scree_tree* tree)
{
    const scri_trees* f = &s->trees;
    for (int32_t k = 0; k < tree->tree.n; ++k) {
        scri_link* link = &tree->tree.link[k];
        int32_t node = f->node[first + k], parent = f->tree.link[first + k].parent;
        tree->body[k] = scree_world_body_at(world, f->body[first + k]);
        tree->side[k] = f->side[first + k];
        link->parent = parent < 0 ? -1 : parent - first;
        for (int i = 0; i < 6; ++i) link->basis[7 * i] = 1.0;
        if (node < 0) continue;
        const scri_joint* joint = &world->joints.joint[s->joint[node]];
        if (!is_of_axes(joint->def.kind)) {
            return scri_fail(&world->env, SCREE_ERROR_UNSUPPORTED,
                             "joint %d is a %s, which has no rates of its own", (int)s->joint[node],
                             scree_joint_kind_name(joint->def.kind));
        }
        tree->joint[k] = (scree_joint_id){s->joint[node] + 1, joint->generation};
    }
    return SCREE_OK;
}

/* Whether equations of joints hold a body: not those of a rope alone. */
static int is_held(const scree_world* world, const scri_joint_system* s, int32_t slot)
{
    for (int32_t node = 0; node < s->n_nodes; ++node) {
        const int32_t* body = world->joints.joint[s->joint[node]].body;
        if (body[0] == slot || body[1] == slot) return 1;
    }
    return 0;
}

static scree_status gather_links(const scree_world* world, int32_t slot, scree_tree* tree)
{
    const scree_env* env = &world->env;
    scri_joint_system s = {.arena = NULL};
    scree_status status = SCREE_OK;
    int32_t n = 1, first = 0, at = -1;
    int is_joined = world->bodies.n_joints[slot] > 0;
    if (is_joined) status = scri_joints_make_system(world, SCREE_JOINTS_TREES, &s);
    if (!status && is_joined) {
        at = s.trees.link ? s.trees.link[slot] : -1;
        if (at < 0 && is_held(world, &s, slot)) {
            status = scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                               "the mechanism of body %d has a loop, a gear or a rack", (int)slot);
        }
    }
    if (at >= 0) {
        first = s.trees.first[s.trees.tree_of[at]];
        n = s.trees.first[s.trees.tree_of[at] + 1] - first;
    }
    if (!status) status = take(tree, n);
    if (!status && at >= 0) status = copy_links(world, &s, first, tree);
    if (!status && at < 0) {
        tree->body[0] = scree_world_body_at(world, slot);
        tree->tree.link[0].parent = -1;
        for (int i = 0; i < 6; ++i) tree->tree.link[0].basis[7 * i] = 1.0;
    }
    scri_arena_destroy(s.arena);
    return status;
}

scree_status scree_tree_create(const scree_world* world, scree_body_id body, scree_tree** out)
{
    int32_t slot;
    if (!world || !out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    const scree_env* env = &world->env;
    scree_status status = scri_world_find(world, body, "scree_tree_create", &slot);
    if (status) return status;
    if (!(world->bodies.inv_mass[slot] > 0.0)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "body %d does not respond", (int)slot);
    }
    scree_tree* tree = scri_alloc(env, sizeof *tree);
    if (!tree) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a tree");
    *tree = (scree_tree){.env = *env, .arena = scri_arena_create(env)};
    status = tree->arena ? gather_links(world, slot, tree) : SCREE_ERROR_MEMORY;
    if (!status) status = scree_tree_update(tree, world);
    if (status) {
        scree_tree_destroy(tree);
        return status == SCREE_ERROR_MEMORY ? scri_fail(env, status, "out of memory for a tree")
                                            : status;
    }
    *out = tree;
    return SCREE_OK;
}

void scree_tree_destroy(scree_tree* tree)
{
    if (!tree) return;
    scree_env env = tree->env;
    scri_arena_destroy(tree->arena);
    scri_release(&env, tree);
}

/* ---- where it is ----------------------------------------------------------------------------- */

/* The motion [6] of a body of the world. */
static void load_motion(const scree_world* world, int32_t body, double* out)
{
    memset(out, 0, 6 * sizeof *out);
    if (body < 0) return;
    memcpy(out, world->bodies.velocity + 3 * (size_t)body, 3 * sizeof *out);
    memcpy(out + 3, world->bodies.omega + 3 * (size_t)body, 3 * sizeof *out);
}

static void place_joint(const scree_world* world, scree_tree* tree, int32_t k)
{
    static const int rigid[3] = {1, 1, 1};
    const scri_joint* joint = &world->joints.joint[tree->joint[k].index1 - 1];
    int side = tree->side[k], other = 1 - side;
    scri_link* link = &tree->tree.link[k];
    scri_joint_side s[2];
    scri_joint_sides(world, joint, s);
    scri_joint_terms terms = scri_joint_terms_of(world, joint, s);
    link->n_held = scri_joint_motions(joint->def.kind, s, &terms, rigid, side, link->basis);
    double arm[3], v[12], against[6], a[36], swing[3], *change = tree->change + 6 * (size_t)k;
    scri_vec_store(scri_vec_sub(s[side].centre, s[other].centre), arm);
    for (int i = 0; i < 2; ++i) load_motion(world, joint->body[i], v + 6 * (size_t)i);
    /* u from what the link does against its parent: H b + S u */
    memcpy(against, v + 6 * (size_t)other, sizeof against);
    scri_carry_motion(arm, against);
    for (int i = 0; i < 6; ++i) against[i] = v[6 * side + i] - against[i];
    for (int i = 0; i < 36; ++i) a[i] = link->basis[6 * (i % 6) + i / 6];
    double* u = tree->u + 6 * (size_t)k;
    if (scri_gauss_solve(6, 6, a, against)) {
        memcpy(u, against + link->n_held, (size_t)(6 - link->n_held) * sizeof *u);
    }
    scri_joint_motions_change(joint->def.kind, s, &terms, side, u, v, change);
    for (int i = 0; i < 3; ++i) against[i] = v[6 * side + i] - v[6 * other + i];
    scri_cross(v + 6 * (size_t)other + 3, against, swing);
    for (int i = 0; i < 3; ++i) change[i] += swing[i];
    if (link->parent >= 0) memcpy(link->arm, arm, sizeof arm);
}

static void place_link(const scree_world* world, scree_tree* tree, int32_t k)
{
    const scri_bodies_table* b = &world->bodies;
    scri_link* link = &tree->tree.link[k];
    int32_t slot = tree->body[k].index1 - 1;
    double inertia[6], spin[3], *v = tree->velocity + 6 * (size_t)k;
    double* bias = tree->bias + 6 * (size_t)k;
    scri_world_inertia(world, slot, inertia);
    scri_link_set_mass(link, b->mass[slot], inertia);
    load_motion(world, slot, v);
    memcpy(tree->centre + 3 * (size_t)k, b->position + 3 * (size_t)slot, 3 * sizeof *v);
    scri_inertia_multiply(inertia, v + 3, spin);
    scri_cross(v + 3, spin, bias + 3);
    for (int i = 0; i < 3; ++i) bias[i] = -b->mass[slot] * world->def.gravity[i];
    if (tree->joint[k].index1 > 0) {
        place_joint(world, tree, k);
    } else {
        memcpy(tree->u + 6 * (size_t)k, v, 6 * sizeof *v);
    }
    int n = 6 - link->n_held;
    tree->rate[k + 1] = tree->rate[k] + n;
    for (int j = 0; j < n; ++j) tree->owner[tree->rate[k] + j] = k;
}

scree_status scree_tree_update(scree_tree* tree, const scree_world* world)
{
    if (!tree || !world) return SCREE_ERROR_ARGUMENT;
    for (int32_t k = 0; k < tree->tree.n; ++k) {
        int32_t unused;
        scree_joint_id joint = tree->joint[k];
        scree_status status = scri_world_find(world, tree->body[k], "scree_tree_update", &unused);
        if (!status && joint.index1 > 0) {
            status = scri_world_find_joint(world, joint, "scree_tree_update", &unused);
        }
        if (status) return status;
    }
    for (int32_t k = 0; k < tree->tree.n; ++k) place_link(world, tree, k);
    tree->is_factored = 0;
    return SCREE_OK;
}

/* ---- what it has ----------------------------------------------------------------------------- */

int32_t scree_tree_n_bodies(const scree_tree* tree)
{
    return tree ? tree->tree.n : 0;
}

scree_body_id scree_tree_body(const scree_tree* tree, int32_t number)
{
    int is_there = tree && number >= 0 && number < tree->tree.n;
    return is_there ? tree->body[number] : (scree_body_id){0, 0};
}

int32_t scree_tree_n_rates(const scree_tree* tree)
{
    return tree ? tree->rate[tree->tree.n] : 0;
}

scree_status scree_tree_rate_of(const scree_tree* tree, int32_t k, scree_joint_id* joint,
                                int32_t* freedom)
{
    if (!tree || !joint || !freedom || k < 0 || k >= scree_tree_n_rates(tree)) {
        return SCREE_ERROR_ARGUMENT;
    }
    *joint = tree->joint[tree->owner[k]];
    *freedom = k - tree->rate[tree->owner[k]];
    return SCREE_OK;
}

/* Between numbers by freedom of each link, six apart, and those by rate. */
static void pack(const scree_tree* tree, const double* from, double* out)
{
    for (int32_t k = 0; k < tree->rate[tree->tree.n]; ++k) {
        int32_t link = tree->owner[k];
        out[k] = from[6 * link + k - tree->rate[link]];
    }
}

static void unpack(const scree_tree* tree, const double* from, double* out)
{
    for (int32_t k = 0; k < tree->rate[tree->tree.n]; ++k) {
        int32_t link = tree->owner[k];
        out[6 * link + k - tree->rate[link]] = from ? from[k] : 0.0;
    }
}

scree_status scree_tree_rates(const scree_tree* tree, double* u)
{
    if (!tree || !u) return SCREE_ERROR_ARGUMENT;
    pack(tree, tree->u, u);
    return SCREE_OK;
}

/* ---- dynamics -------------------------------------------------------------------------------- */

static void factor(scree_tree* tree)
{
    if (!tree->is_factored) scri_tree_factor(&tree->tree, 0, tree->tree.n);
    tree->is_factored = 1;
}

scree_status scree_tree_mass_matrix(scree_tree* tree, double* m)
{
    if (!tree || !m) return SCREE_ERROR_ARGUMENT;
    scri_tree_mass_matrix(&tree->tree, tree->rate, m);
    tree->is_factored = 0;
    return SCREE_OK;
}

scree_status scree_tree_efforts(scree_tree* tree, const double* acceleration, double* effort)
{
    if (!tree || !effort) return SCREE_ERROR_ARGUMENT;
    scri_tree* t = &tree->tree;
    memcpy(t->load, tree->bias, 6 * (size_t)t->n * sizeof *t->load);
    memcpy(t->motion, tree->change, 6 * (size_t)t->n * sizeof *t->motion);
    unpack(tree, acceleration, tree->effort);
    for (int32_t k = 0; k < t->n; ++k) {
        const scri_link* link = &t->link[k];
        double *a = t->motion + 6 * (size_t)k, carried[6];
        for (int j = 0; j < 6 - link->n_held; ++j) {
            scri_six_add(a, tree->effort[6 * k + j], scri_link_free(link, j));
        }
        if (link->parent < 0) continue;
        memcpy(carried, t->motion + 6 * (size_t)link->parent, sizeof carried);
        scri_carry_motion(link->arm, carried);
        scri_six_add(a, 1.0, carried);
    }
    scri_tree_need(t, tree->effort);
    pack(tree, tree->effort, effort);
    return SCREE_OK;
}

scree_status scree_tree_accelerations(scree_tree* tree, const double* effort, double* acceleration)
{
    if (!tree || !acceleration) return SCREE_ERROR_ARGUMENT;
    scri_tree* t = &tree->tree;
    factor(tree);
    memcpy(t->load, tree->bias, 6 * (size_t)t->n * sizeof *t->load);
    memcpy(t->motion, tree->change, 6 * (size_t)t->n * sizeof *t->motion);
    unpack(tree, effort, tree->effort);
    scri_tree_accelerate(t, tree->effort);
    pack(tree, tree->effort, acceleration);
    return SCREE_OK;
}

scree_status scree_tree_response(scree_tree* tree, scree_body_id body, const double point[3],
                                 double out[9])
{
    if (!tree || !point || !out) return SCREE_ERROR_ARGUMENT;
    scri_tree* t = &tree->tree;
    int32_t at[2] = {0, -1};
    while (at[0] < t->n && (tree->body[at[0]].index1 != body.index1 ||
                            tree->body[at[0]].generation != body.generation)) {
        ++at[0];
    }
    if (at[0] == t->n) {
        return scri_fail(&tree->env, SCREE_ERROR_ARGUMENT, "body %d is not in this tree",
                         (int)body.index1 - 1);
    }
    double arm[3];
    for (int i = 0; i < 3; ++i) arm[i] = point[i] - tree->centre[3 * at[0] + i];
    factor(tree);
    for (int k = 0; k < 3; ++k) {
        double load[12] = {0.0}, v[6];
        load[k] = 1.0;
        scri_carry_load(arm, load);
        scri_tree_respond(t, 0, t->n, at, load);
        memcpy(v, t->motion + 6 * (size_t)at[0], sizeof v);
        scri_carry_motion(arm, v);
        for (int i = 0; i < 3; ++i) out[3 * i + k] = v[i];
    }
    return SCREE_OK;
}
