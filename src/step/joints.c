/* The equations of the joints as one sparse system, J M^-1 J^T x = b. */
#include "step/joints.h"

#include "problem/bodies_kernel.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define EPSILON 2.220446049250313e-16

/* Errors up to this many roundings of what they are differences of are left alone: rest is rest. */
#define ROUNDINGS 8.0

/* ---- which rows there are -------------------------------------------------------------------- */

typedef struct row_of_joint {
    scri_row_kind kind;
    int freedom, is_rigid;
} row_of_joint;

/* The equations of a joint; returns how many. */
static int list_rows(const scri_joint* joint, row_of_joint* out)
{
    int n[3], count = 0;
    scri_joint_counts(joint->def.kind, n);
    for (int k = 0; k < 3; ++k) {
        if (scri_joint_is_freed(joint) || (k == 2 && !scri_joint_is_rigid(joint, 2))) n[k] = 0;
        for (int i = 0; i < n[k]; ++i) {
            out[count++] = (row_of_joint){(scri_row_kind)(SCRI_ROW_LINE + k), 0,
                                          scri_joint_is_rigid(joint, k)};
        }
    }
    for (int i = 0; i < scri_joint_directions(joint->def.kind); ++i) {
        const scree_freedom* f = scri_joint_freedom_of(joint, i);
        if (f->stiffness > 0.0 || f->damping > 0.0) {
            out[count++] = (row_of_joint){SCRI_ROW_SPRING, i, 0};
        }
        if (f->armature > 0.0) out[count++] = (row_of_joint){SCRI_ROW_ARMATURE, i, 0};
    }
    return count;
}

enum { MOST_ROWS = 12 };

static int32_t count_nodes(const scree_world* world, int32_t* n_rows)
{
    row_of_joint rows[MOST_ROWS];
    int32_t n = 0;
    *n_rows = 0;
    for (int32_t i = 0; i < world->joints.n; ++i) {
        if (!world->joints.joint[i].is_used) continue;
        int count = list_rows(&world->joints.joint[i], rows);
        n += count > 0;
        *n_rows += count;
    }
    return n;
}

/* The joints with equations, in the order of slots. */
static void list_nodes(const scree_world* world, scri_joint_system* s)
{
    row_of_joint rows[MOST_ROWS];
    int32_t node = 0;
    for (int32_t i = 0; i < world->joints.n; ++i) {
        const scri_joint* joint = &world->joints.joint[i];
        s->node[i] = -1;
        if (joint->is_used && list_rows(joint, rows) > 0) s->joint[node++] = i;
    }
}

/* Those in trees go behind the others; returns how many these are. */
static int32_t part_nodes(scri_joint_system* s, const uint8_t* in_tree, int32_t* work)
{
    int32_t n = 0, before = 0;
    memcpy(work, s->joint, (size_t)s->n_nodes * sizeof *work);
    for (int wanted = 0; wanted < 2; ++wanted) {
        for (int32_t k = 0; k < s->n_nodes; ++k) {
            if (in_tree[k] != wanted) continue;
            s->node[work[k]] = n;
            s->joint[n++] = work[k];
        }
        if (!wanted) before = n;
    }
    return before;
}

static void write_nodes(const scree_world* world, scri_joint_system* s, int32_t* width)
{
    row_of_joint rows[MOST_ROWS];
    int32_t row = 0;
    s->has_soft = s->has_carried = 0;
    for (int32_t node = 0; node < s->n_nodes; ++node) {
        int count = list_rows(&world->joints.joint[s->joint[node]], rows);
        s->first[node] = row;
        for (int k = 0; k < count; ++k, ++row) {
            s->kind[row] = (uint8_t)rows[k].kind;
            s->freedom[row] = (uint8_t)rows[k].freedom;
            s->is_rigid[row] = (uint8_t)rows[k].is_rigid;
            s->node_of[row] = node;
            s->has_soft |= !rows[k].is_rigid;
        }
        s->has_carried |= world->joints.joint[s->joint[node]].carrier >= 0;
        width[node] = count;
    }
    s->first[s->n_nodes] = row;
}

/* ---- who shares bodies with whom ------------------------------------------------------------- */

/* Lists the nodes from `begin` up to `end`. */
static int list_by_body(const scree_world* world, const scri_joint_system* s, int32_t begin,
                        int32_t end, scri_body_lists* out)
{
    size_t n = (size_t)world->bodies.n;
    out->first = scri_arena_take(s->arena, n + 2, sizeof(int32_t));
    out->item = scri_arena_take(s->arena, 2 * (size_t)(end - begin) + 1, sizeof(int32_t));
    if (!out->first || !out->item) return 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t k = 2 * begin; k < 2 * end; ++k) {
            int32_t body = world->joints.joint[s->joint[k / 2]].body[k % 2];
            if (!scri_joints_move(world, body)) continue;
            if (pass == 0) {
                out->first[body + 2]++;
            } else {
                out->item[out->first[body + 1]++] = k;
            }
        }
        for (size_t i = 0; pass == 0 && i < n; ++i) out->first[i + 2] += out->first[i + 1];
    }
    return 1;
}

/* Pairs of items of one body, each once, an item with itself included. */
static int32_t count_pairs(const scree_world* world, const scri_body_lists* lists)
{
    int32_t n = 0;
    for (int32_t i = 0; i < world->bodies.n; ++i) {
        int32_t k = lists->first[i + 1] - lists->first[i];
        n += k * (k + 1) / 2;
    }
    return n;
}

/* The blocks of the first n nodes. */
static scree_status couple(const scree_world* world, scri_joint_system* s, int32_t n_nodes,
                           const int32_t* width)
{
    scri_body_lists lists;
    if (!list_by_body(world, s, 0, n_nodes, &lists)) return SCREE_ERROR_MEMORY;
    s->n_couplings = count_pairs(world, &lists);
    size_t n = (size_t)s->n_couplings + 1;
    int32_t* pair = scri_arena_take(s->arena, 2 * n, sizeof *pair);
    s->coupling = scri_arena_take(s->arena, 4 * n, sizeof *s->coupling);
    s->block = scri_arena_take(s->arena, n, sizeof *s->block);
    if (!pair || !s->coupling || !s->block) return SCREE_ERROR_MEMORY;
    int32_t at = 0;
    for (int32_t i = 0; i < world->bodies.n; ++i) {
        for (int32_t k = lists.first[i]; k < lists.first[i + 1]; ++k) {
            for (int32_t m = lists.first[i]; m <= k; ++m, ++at) {
                int32_t* c = s->coupling + 4 * (size_t)at;
                c[0] = pair[2 * (size_t)at] = lists.item[k] / 2;
                c[1] = pair[2 * (size_t)at + 1] = lists.item[m] / 2;
                c[2] = lists.item[k] % 2;
                c[3] = lists.item[m] % 2;
            }
        }
    }
    scree_status status =
        scri_blocks_create(s->arena, n_nodes, width, s->n_couplings, pair, &s->blocks);
    for (int32_t k = 0; k < s->n_couplings && !status; ++k) {
        int32_t* c = s->coupling + 4 * (size_t)k;
        s->block[k] = scri_blocks_find(&s->blocks, c[0], c[1]);
        if (s->blocks.place[c[0]] >= s->blocks.place[c[1]]) continue;
        int32_t node = c[0], side = c[2];
        c[0] = c[1], c[2] = c[3];
        c[1] = node, c[3] = side;
    }
    return status;
}

/* ---- making it ------------------------------------------------------------------------------- */

static int list_bodies(const scree_world* world, scri_joint_system* s)
{
    s->n_bodies = 0;
    s->body = scri_arena_take(s->arena, (size_t)world->bodies.n + 1, sizeof *s->body);
    if (!s->body) return 0;
    for (int32_t i = 0; i < world->bodies.n; ++i) {
        if (world->bodies.n_joints[i] > 0 && scri_joints_move(world, i)) s->body[s->n_bodies++] = i;
    }
    size_t n = 13 * (size_t)s->n_bodies;
    s->from = scri_arena_take(s->arena, n + 1, sizeof *s->from);
    s->begin = scri_arena_take(s->arena, n + 12 * (size_t)s->n_nodes + 1, sizeof *s->begin);
    return s->from && s->begin;
}

static int take_rows(scri_joint_system* s)
{
    size_t n = (size_t)s->n_rows + 1;
    double** vectors[] = {&s->error,  &s->limit, &s->compliance, &s->x,
                          &s->lambda, &s->left,  &s->diagonal};
    int fails = 0;
    s->kind = scri_arena_take(s->arena, n, 1);
    s->freedom = scri_arena_take(s->arena, n, 1);
    s->is_rigid = scri_arena_take(s->arena, n, 1);
    s->node_of = scri_arena_take(s->arena, n, sizeof *s->node_of);
    s->row = scri_arena_take(s->arena, 12 * n, sizeof *s->row);
    s->answer = scri_arena_take(s->arena, 12 * n, sizeof *s->answer);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = scri_arena_take(s->arena, n, sizeof(double));
        fails |= !*vectors[i];
    }
    return !fails && s->kind && s->freedom && s->is_rigid && s->node_of && s->row && s->answer;
}

/* Which nodes are solved in blocks and which in trees, and both. */
static scree_status share_out(const scree_world* world, scree_joints how, scri_joint_system* s)
{
    size_t n = (size_t)s->n_nodes + 1;
    int32_t* width = scri_arena_take(s->arena, n, sizeof *width);
    uint8_t* in_tree = scri_arena_take(s->arena, n, sizeof *in_tree);
    scri_body_lists lists;
    if (!width || !in_tree) return SCREE_ERROR_MEMORY;
    list_nodes(world, s);
    if (!scri_trees_choose(world, how, s, in_tree)) return SCREE_ERROR_MEMORY;
    int32_t n_blocks = part_nodes(s, in_tree, width);
    write_nodes(world, s, width);
    scree_status status = couple(world, s, n_blocks, width);
    if (status || n_blocks == s->n_nodes) return status;
    if (!list_by_body(world, s, n_blocks, s->n_nodes, &lists)) return SCREE_ERROR_MEMORY;
    return scri_trees_make(world, s, &lists);
}

scree_status scri_joints_make_system(const scree_world* world, scree_joints how,
                                     scri_joint_system* s)
{
    const scree_env* env = &world->env;
    *s = (scri_joint_system){.arena = scri_arena_create(env)};
    if (!s->arena) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for joints");
    s->n_nodes = count_nodes(world, &s->n_rows);
    size_t n = (size_t)s->n_nodes + 1;
    s->joint = scri_arena_take(s->arena, n, sizeof *s->joint);
    s->node = scri_arena_take(s->arena, (size_t)world->joints.n + 1, sizeof *s->node);
    s->first = scri_arena_take(s->arena, n, sizeof *s->first);
    s->arm = scri_arena_take(s->arena, 3 * n, sizeof *s->arm);
    scree_status status = SCREE_ERROR_MEMORY;
    if (s->joint && s->node && s->first && s->arm && take_rows(s) && list_bodies(world, s)) {
        status = share_out(world, how, s);
    }
    return status ? scri_fail(env, status, "out of memory for joints") : SCREE_OK;
}

scree_status scri_joints_make(scree_world* world)
{
    scri_joint_system* s = &world->joint_system;
    if (s->is_made || world->n_joints == 0) return SCREE_OK;
    scri_arena_destroy(s->arena);
    scree_status status = scri_joints_make_system(world, world->def.joints, s);
    s->is_made = !status;
    return status;
}

/* ---- where bodies are ------------------------------------------------------------------------ */

static double largest(scri_vec v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

/* Rounding of the distance of the points. */
static double rounding_of(const scri_joint_side s[2])
{
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        sum += largest(s[k].point) + largest(s[k].centre);
        sum += largest(scri_vec_sub(s[k].point, s[k].centre));
    }
    return ROUNDINGS * EPSILON * sum;
}

/* The same of a coupling: turns are counted on, and lose digits. */
static double rounding_of_turns(const scri_joint* joint, const scri_joint_terms* terms, double line)
{
    double turns = 1.0 + fabs(terms->turn[0]) + fabs(terms->turn[1]), ratio = fabs(terms->ratio);
    int is_gear = joint->def.kind == SCREE_JOINT_GEAR;
    return ROUNDINGS * EPSILON * turns * (is_gear ? 1.0 + ratio : ratio) + (is_gear ? 0.0 : line);
}

/* The response of both bodies to a row. */
static void write_answer(const scree_world* world, const scri_joint* joint, const double* row,
                         double* answer)
{
    const scri_bodies_table* b = &world->bodies;
    memset(answer, 0, 12 * sizeof *answer);
    for (size_t k = 0; k < 2; ++k) {
        if (!scri_joints_move(world, joint->body[k])) continue;
        size_t i = (size_t)joint->body[k];
        for (size_t j = 0; j < 3; ++j) answer[6 * k + j] = b->inv_mass[i] * row[6 * k + j];
        scri_inertia_multiply(b->inv_inertia_world + 6 * i, row + 6 * k + 3, answer + 6 * k + 3);
    }
}

static void place_node(const scree_world* world, scri_joint_system* s, int32_t node)
{
    const scri_joint* joint = &world->joints.joint[s->joint[node]];
    int32_t first = s->first[node], end = s->first[node + 1];
    scri_joint_side sides[2];
    scri_joint_rows rows;
    scri_joint_sides(world, joint, sides);
    scri_joint_terms terms = scri_joint_terms_of(world, joint, sides);
    scri_joint_constraints(joint->def.kind, sides, &terms, &rows);
    scri_vec_store(scri_vec_sub(sides[0].centre, sides[1].point), s->arm + 3 * (size_t)node);
    double line = rounding_of(sides), turn = ROUNDINGS * EPSILON;
    int constraint = 0;
    for (int32_t r = first; r < end; ++r) {
        double* row = s->row + 12 * (size_t)r;
        if (s->kind[r] <= SCRI_ROW_COUPLED) {
            memcpy(row, rows.row + 12 * (size_t)constraint, 12 * sizeof *row);
            s->error[r] = rows.error[constraint++];
            s->limit[r] = s->kind[r] == SCRI_ROW_TURN   ? turn
                          : s->kind[r] == SCRI_ROW_LINE ? line
                                                        : rounding_of_turns(joint, &terms, line);
        } else {
            scri_joint_coordinate(joint, s->freedom[r], sides, row);
            s->error[r] = s->limit[r] = 0.0;
        }
        write_answer(world, joint, row, s->answer + 12 * (size_t)r);
    }
    if (node >= s->blocks.n) scri_trees_place_joint(s, joint, node, sides, &terms);
}

/* Wheels at the origin have no rounding of their own to be judged by, but move with the others:
 * none is held to more than a thousandth of theirs. */
static void share_rounding(scri_joint_system* s)
{
    double most = 0.0;
    for (int32_t r = 0; r < s->n_rows; ++r) {
        if (s->kind[r] == SCRI_ROW_LINE) most = fmax(most, s->limit[r]);
    }
    for (int32_t r = 0; r < s->n_rows; ++r) {
        if (s->kind[r] == SCRI_ROW_LINE) s->limit[r] = fmax(s->limit[r], most / 1024.0);
    }
}

void scri_joints_place(scree_world* world)
{
    scri_joint_system* s = &world->joint_system;
    if (s->is_placed || world->n_joints == 0) return;
    for (int32_t k = 0; k < s->n_bodies; ++k) {
        if (!world->bodies.is_round[s->body[k]]) scri_world_turn_inertia(world, s->body[k]);
    }
    for (int32_t node = 0; node < s->n_nodes; ++node) place_node(world, s, node);
    share_rounding(s);
    scri_trees_place(world, s);
    s->is_placed = 1;
    s->is_factored = 0;
}

/* ---- factors --------------------------------------------------------------------------------- */

/* block[i][j] += row i of one node times the answer of row j of the other, over a body of both. */
static void add_coupling(scri_joint_system* s, const int32_t* c, double* block)
{
    int32_t a = s->first[c[0]], b = s->first[c[1]];
    int32_t height = s->first[c[0] + 1] - a, width = s->first[c[1] + 1] - b;
    for (int32_t i = 0; i < height; ++i) {
        const double* row = s->row + 12 * (size_t)(a + i) + 6 * (size_t)c[2];
        for (int32_t j = 0; j < width; ++j) {
            const double* answer = s->answer + 12 * (size_t)(b + j) + 6 * (size_t)c[3];
            block[i * width + j] += scri_dot3(row, answer) + scri_dot3(row + 3, answer + 3);
        }
    }
}

/* Rows that do not count become those of the identity, and their x zero. */
static void leave_out(scri_joint_system* s, int all)
{
    scri_blocks* b = &s->blocks;
    for (int32_t k = 0; k < b->n; ++k) {
        for (int32_t at = b->start[k]; at < b->start[k + 1]; ++at) {
            int32_t row = b->first[b->node[b->row[at]]], column = b->first[b->node[k]];
            int32_t height = b->width[b->row[at]], width = b->width[k];
            double* block = b->value + b->offset[at];
            for (int32_t i = 0; i < height; ++i) {
                for (int32_t j = 0; j < width; ++j) {
                    int counts = all || (s->is_rigid[row + i] && s->is_rigid[column + j]);
                    if (!counts) block[i * width + j] = row + i == column + j ? 1.0 : 0.0;
                    if (all && row + i == column + j) {
                        block[i * width + j] += s->compliance[row + i];
                    }
                }
            }
        }
    }
}

void scri_joints_factor(scree_world* world, int all)
{
    scri_joint_system* s = &world->joint_system;
    int wanted = all && s->has_soft ? 2 : 1;
    if (s->is_factored == wanted) return;
    scri_blocks_clear(&s->blocks);
    for (int32_t k = 0; k < s->n_couplings; ++k) {
        add_coupling(s, s->coupling + 4 * (size_t)k, s->blocks.value + s->block[k]);
    }
    if (s->has_soft) leave_out(s, all);
    scri_blocks_factor(&s->blocks);
    memcpy(s->diagonal, s->blocks.diagonal,
           (size_t)s->blocks.first[s->blocks.n] * sizeof *s->diagonal);
    scri_trees_factor(s, all);
    s->is_factored = wanted;
}

void scri_joint_note(scri_joint* joint, int is_constraint, const double* row, const double* arm,
                     double x)
{
    scri_joint_memory* m = &joint->memory;
    double swept[3];
    scri_cross(arm, row, swept);
    for (size_t j = 0; j < 3; ++j) {
        m->impulse[j] += x * row[j];
        m->impulse[3 + j] += x * (row[3 + j] + swept[j]);
        if (!is_constraint) continue;
        m->hold[j] += x * row[j];
        m->hold[3 + j] += x * (row[3 + j] + swept[j]);
    }
}

void scri_joints_note(scree_world* world, int32_t first, int32_t end, const double* x)
{
    const scri_joint_system* s = &world->joint_system;
    for (int32_t r = first; r < end; ++r) {
        int32_t node = s->node_of[r];
        scri_joint* joint = &world->joints.joint[s->joint[node]];
        if (x[r] == 0.0) continue;
        scri_joint_note(joint, 1, s->row + 12 * (size_t)r, s->arm + 3 * (size_t)node, x[r]);
    }
}

void scri_joints_push(scree_world* world, const double* x)
{
    const scri_joint_system* s = &world->joint_system;
    scri_bodies_table* b = &world->bodies;
    for (int32_t r = 0; r < s->first[s->blocks.n]; ++r) {
        const scri_joint* joint = &world->joints.joint[s->joint[s->node_of[r]]];
        const double* answer = s->answer + 12 * (size_t)r;
        for (size_t k = 0; k < 2 && x[r] != 0.0; ++k) {
            if (!scri_joints_move(world, joint->body[k])) continue;
            size_t i = (size_t)joint->body[k];
            for (size_t j = 0; j < 3; ++j) {
                b->velocity[3 * i + j] += x[r] * answer[6 * k + j];
                b->omega[3 * i + j] += x[r] * answer[6 * k + 3 + j];
            }
        }
    }
}
