/* The impulses of a part with joints.
 *
 * Equations (constraints, springs) make a sparse system that is solved directly: where nothing else
 * acts in a part, that is all. Inequalities (contacts, limits, motors, dry friction) are solved as
 * a problem of their own, with the bodies as the equations let them respond,
 *
 *     W = H (M^-1 - M^-1 J^T (J M^-1 J^T + C)^-1 J M^-1) H^T,
 *
 * whose size is that of the inequalities alone, and whose answer does not depend on how long the
 * chains are that hang on them. Where they are too many for a full matrix, the part is solved like
 * any other, row by row. */
#include "base/arena.h"
#include "laws/law.h"
#include "math/power_of_two.h"
#include "problem/bodies_kernel.h"
#include "problem/operator.h"
#include "solvers/solve.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Inequalities that are solved with a full matrix, scalar rows. */
enum { MOST_ROWS = 600, DENSE_ROWS = 120, DENSE_STEPS = 30 };

/* Solves of the equations at most: those of trees are right to rounding at once, but for what the
 * impulses of long chains lose on the way to velocities. */
enum { REFINEMENTS = 5, TREE_REFINEMENTS = 2 };

/* Solved to this; the rest of the step takes it for exact. */
#define ENOUGH 1e-13

/* The same where all equations are those of trees: what is between costs a third of the steps of
 * Newton's method, and is rounding. */
#define ENOUGH_IN_TREES 3e-13

typedef struct reduced {
    scree_world* world;
    const scri_part* part;
    scri_operator op;
    int32_t n_places, n_trees; /* of the system's blocks and trees in this part */
    int32_t *places, *trees;   /* [contacts of the part] those, in order */
    int32_t n, n_rows;         /* inequalities: contacts, scalar rows */
    int32_t* contact;          /* [n] their numbers in the part */
    double* y;                 /* [rows of the part] */
    scree_problem problem;
    double *w, *q, *p, *give; /* [n_rows n_rows], [n_rows] */
    double* length; /* [n_rows] what a unit of the row is in the problem, see lengths_of */
} reduced;

static int is_equation(const scri_contacts_table* t, int32_t c)
{
    return t->general[c] >= 0 && scri_law_is_equation(scri_law_get(t->law[c]));
}

int scri_joints_are_in(const scri_part* part)
{
    const scri_contacts_table* t = &part->contacts;
    return t->n > 0 && t->general[t->n - 1] >= 0;
}

/* ---- equations ------------------------------------------------------------------------------- */

static int compare(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

/* Sorts numbers and takes out what is there twice; returns how many are left. */
static int32_t sort_once(int32_t* number, int32_t n)
{
    int32_t kept = 0;
    if (n > 1) qsort(number, (size_t)n, sizeof *number, compare);
    for (int32_t k = 0; k < n; ++k) {
        if (k == 0 || number[k] != number[k - 1]) number[kept++] = number[k];
    }
    return kept;
}

/* The part's nodes: places of blocks, and trees. A part that has a node has all that share its
 * bodies. */
static void list_nodes(reduced* r)
{
    const scri_joint_system* s = &r->world->joint_system;
    const scri_contacts_table* t = &r->part->contacts;
    for (int32_t c = 0; c < t->n; ++c) {
        if (!is_equation(t, c)) continue;
        int32_t node = s->node_of[t->general[c]];
        if (node < s->blocks.n) {
            r->places[r->n_places++] = s->blocks.place[node];
        } else {
            r->trees[r->n_trees++] = s->trees.tree_of[s->trees.link_at[node]];
        }
    }
    r->n_places = sort_once(r->places, r->n_places);
    r->n_trees = sort_once(r->trees, r->n_trees);
}

/* y of the equations at hand into x of the system; returns the square of the worst in units of its
 * row. */
static double measure(const reduced* r, const double* p)
{
    scri_joint_system* s = &r->world->joint_system;
    const scri_contacts_table* t = &r->part->contacts;
    double worst = 0.0;
    for (int32_t c = 0; c < t->n; ++c) {
        if (!is_equation(t, c)) continue;
        double y[SCRI_MAX_WIDTH];
        scri_operator_velocity(&r->op, p, c, y);
        for (int32_t i = 0; i < t->first_row[c + 1] - t->first_row[c]; ++i) {
            int32_t row = t->general[c] + i;
            s->x[row] = y[i];
            worst = fmax(worst, y[i] * y[i] / s->diagonal[row]);
        }
    }
    return worst;
}

/* p of the equations += what takes away the y that was measured. */
static void correct(reduced* r, double* p)
{
    scri_joint_system* s = &r->world->joint_system;
    scri_trees* f = &s->trees;
    const scri_contacts_table* t = &r->part->contacts;
    scri_blocks_solve(&s->blocks, r->n_places, r->places, s->x);
    for (int32_t k = 0; k < r->n_trees; ++k) {
        int32_t tree = r->trees[k];
        scri_tree_solve(&f->tree, f->first[tree], f->first[tree + 1], s->x);
    }
    for (int32_t c = 0; c < t->n; ++c) {
        if (!is_equation(t, c)) continue;
        double change[SCRI_MAX_WIDTH];
        for (int32_t i = 0; i < t->first_row[c + 1] - t->first_row[c]; ++i) {
            change[i] = -s->x[t->general[c] + i];
            p[t->first_row[c] + i] += change[i];
        }
        scri_operator_change(&r->op, c, change);
    }
}

/* The equations given the inequalities: of all answers the least, whatever there was before. */
static void solve_equations(reduced* r, double* p)
{
    const scri_contacts_table* t = &r->part->contacts;
    double before = SCREE_INFINITY;
    for (int32_t c = 0; c < t->n; ++c) {
        for (int32_t i = t->first_row[c]; is_equation(t, c) && i < t->first_row[c + 1]; ++i) {
            p[i] = 0.0;
        }
    }
    scri_operator_reset(&r->op, p);
    int rounds = r->n_places > 0 ? REFINEMENTS : TREE_REFINEMENTS;
    for (int k = 0; k < rounds; ++k) {
        double worst = measure(r, p);
        if (!(worst > 0.0) || !(worst < 0.25 * before)) break;
        before = worst;
        correct(r, p);
    }
}

/* ---- inequalities ---------------------------------------------------------------------------- */

/* Velocities of the inequalities without q, into column j of W. */
static void write_column(reduced* r, int32_t j)
{
    const scri_contacts_table* t = &r->part->contacts;
    int32_t row = 0;
    for (int32_t k = 0; k < r->n; ++k) {
        int32_t c = r->contact[k], width = t->first_row[c + 1] - t->first_row[c];
        double y[SCRI_MAX_WIDTH] = {0.0};
        scri_bodies_add_relative(&r->part->problem.bodies, r->op.velocity, c, width, y);
        for (int32_t i = 0; i < width; ++i, ++row) {
            r->w[(size_t)row * (size_t)r->n_rows + (size_t)j] = y[i];
        }
    }
}

/* Velocities of the members under a unit impulse in row i of contact c, where all equations are
 * those of trees. */
static void respond(reduced* r, int32_t c, int32_t i)
{
    scri_trees* f = &r->world->joint_system.trees;
    const scree_bodies* bodies = &r->part->problem.bodies;
    const scri_contacts_table* t = &r->part->contacts;
    int32_t width = t->first_row[c + 1] - t->first_row[c], at[2] = {-1, -1};
    double load[12], *velocity = r->op.velocity;
    memset(velocity, 0, SCRI_BODY_STRIDE * (size_t)r->part->members.n * sizeof *velocity);
    for (int side = 0; side < 2; ++side) {
        int32_t member = t->pair[2 * (size_t)c + (size_t)side];
        if (member < 0 || bodies->inv_mass[member] == 0.0) continue;
        at[side] = f->link[r->part->members.body[member]];
        if (at[side] < 0) {
            scri_bodies_unit_response(bodies, c, side, width, i,
                                      velocity + SCRI_BODY_STRIDE * (size_t)member);
        } else {
            scri_bodies_unit_row(bodies, c, side, width, i, load + 6 * side);
        }
    }
    for (int side = 0; side < 2; ++side) {
        if (at[side] < 0) continue;
        int32_t tree = f->tree_of[at[side]], first = f->first[tree], end = f->first[tree + 1];
        int is_both = at[1 - side] >= 0 && f->tree_of[at[1 - side]] == tree;
        const int32_t one[2] = {side == 0 ? at[0] : -1, side == 1 ? at[1] : -1};
        scri_tree_respond(&f->tree, first, end, is_both ? at : one, load);
        for (int32_t k = first; k < end; ++k) {
            memcpy(velocity + SCRI_BODY_STRIDE * (size_t)f->member[k],
                   f->tree.motion + 6 * (size_t)k, 6 * sizeof *velocity);
        }
        if (is_both) break;
    }
}

/* The members of the part that are links. */
static void list_links(const reduced* r)
{
    scri_trees* f = &r->world->joint_system.trees;
    const scri_members_table* m = &r->part->members;
    for (int32_t i = 0; i < m->n; ++i) {
        int32_t link = r->n_trees > 0 ? f->link[m->body[i]] : -1;
        if (link >= 0) f->member[link] = i;
    }
}

/* W of the inequalities, column by column. */
static void assemble(reduced* r, double* p)
{
    const scri_contacts_table* t = &r->part->contacts;
    scree_problem still = r->part->problem;
    double* zero = r->y; /* q of a problem in which nothing moves by itself */
    int32_t column = 0;
    size_t n = (size_t)r->n_rows, n_all = (size_t)t->first_row[t->n];
    int in_trees = r->n_trees > 0 && r->n_places == 0;
    memset(zero, 0, n_all * sizeof *zero);
    still.q = zero;
    r->op.problem = &still;
    memset(p, 0, n_all * sizeof *p);
    list_links(r);
    for (int32_t k = 0; k < r->n; ++k) {
        int32_t c = r->contact[k];
        for (int32_t i = t->first_row[c]; i < t->first_row[c + 1]; ++i, ++column) {
            p[i] = 1.0;
            if (in_trees) {
                respond(r, c, i - t->first_row[c]);
            } else {
                solve_equations(r, p);
            }
            write_column(r, column);
            p[i] = 0.0;
        }
    }
    r->op.problem = &r->part->problem;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < i; ++j) {
            double mean = 0.5 * (r->w[i * n + j] + r->w[j * n + i]);
            r->w[i * n + j] = r->w[j * n + i] = mean;
        }
    }
}

/* Rows of joints may turn, and metres and radians have no common measure: in the problem a radian
 * is as many metres as make it as heavy to turn as the centres are to move. Powers of two, so that
 * no digit changes. */
static void lengths_of(const reduced* r, int32_t c, int32_t first, int32_t end)
{
    const scree_bodies* bodies = &r->part->problem.bodies;
    double mobility = 0.0;
    for (size_t side = 0; side < 2; ++side) {
        int32_t member = bodies->pair[2 * (size_t)c + side];
        if (member >= 0) mobility += bodies->inv_mass[member];
    }
    for (int32_t i = first; i < end; ++i) {
        double own = r->w[(size_t)i * (size_t)r->n_rows + (size_t)i];
        int turns = scri_bodies_general(bodies, c) && mobility > 0.0 && own > 0.0;
        r->length[i] = turns ? scri_root_of_power(mobility / own) : 1.0;
    }
}

/* The inequalities as an assembled problem with full rows. */
static int make_problem(reduced* r, scri_arena* arena, const double* p)
{
    const scri_contacts_table* t = &r->part->contacts;
    const scree_problem* whole = &r->part->problem;
    size_t n = (size_t)r->n, n_rows = (size_t)r->n_rows, blocks = n * n;
    int32_t *row = scri_arena_take(arena, n + 1, sizeof *row), *set = NULL;
    int32_t* start = scri_arena_take(arena, n + 1, sizeof *start);
    int32_t* column = scri_arena_take(arena, blocks + 1, sizeof *column);
    int64_t* offset = scri_arena_take(arena, blocks + 1, sizeof *offset);
    double* value = scri_arena_take(arena, n_rows * n_rows + 1, sizeof *value);
    double* coef = scri_arena_take(arena, 3 * n + 1, sizeof *coef);
    double* yields = scri_arena_take(arena, n_rows + 1, sizeof *yields);
    uint8_t* rows = scri_arena_take(arena, n + 1, 1);
    uint8_t* law = scri_arena_take(arena, n + 1, 1);
    if (whole->set) set = scri_arena_take(arena, 4 * n + 1, sizeof *set);
    if (!row || !start || !column || !offset || !value || !coef || !yields || !rows || !law ||
        (whole->set && !set)) {
        return 0;
    }
    for (size_t k = 0; k < n; ++k) {
        size_t c = (size_t)r->contact[k];
        row[k + 1] = row[k] + t->first_row[c + 1] - t->first_row[c];
        rows[k] = t->rows[c];
        law[k] = t->law[c];
        if (set) memcpy(set + 4 * k, whole->set + 4 * c, 4 * sizeof *set);
        lengths_of(r, (int32_t)c, row[k], row[k + 1]);
        double press[SCRI_MAX_WIDTH];
        for (int32_t i = row[k]; i < row[k + 1]; ++i) {
            int32_t from = t->first_row[c] + i - row[k];
            double length = r->length[i];
            if (whole->compliance) yields[i] = length * whole->compliance[from] * length;
            press[i - row[k]] = 1.0 / length;
            r->p[i] = p[from] / length;
            r->q[i] = length * r->y[from];
        }
        scri_law_of(whole, (int32_t)c)
            ->scale(scri_terms_of(whole, (int32_t)c, whole->coef), press, coef + 3 * k);
    }
    for (size_t b = 0; b < blocks; ++b) {
        size_t i = b / n, j = b % n;
        int32_t height = row[i + 1] - row[i], width = row[j + 1] - row[j];
        start[i + 1] = (int32_t)(b + 1);
        column[b] = (int32_t)j;
        offset[b + 1] = offset[b] + (int64_t)height * width;
        for (int32_t k = 0; k < height * width; ++k) {
            int32_t a = row[i] + k / width, e = row[j] + k % width;
            value[offset[b] + k] =
                r->length[a] * r->w[(size_t)a * n_rows + (size_t)e] * r->length[e];
        }
    }
    r->problem = (scree_problem){.n_contacts = r->n,
                                 .form = SCREE_FORM_ASSEMBLED,
                                 .first_row = row,
                                 .rows = rows,
                                 .law = law,
                                 .coef = coef,
                                 .set = set,
                                 .sets = whole->sets,
                                 .q = r->q,
                                 .compliance = whole->compliance ? yields : NULL,
                                 .w = {start, column, offset, value}};
    return 1;
}

/* One method on the inequalities from the impulses at hand. */
static scree_status run(reduced* r, scri_arena* arena, const char* solver, double tol,
                        int64_t iterations, scree_report* report)
{
    const scree_env* env = scri_pool_env(r->world->pool);
    scree_solver_def def = scri_step_solver(r->world);
    scree_report before = *report;
    scri_solver_def_turn_to(&def, solver);
    def.tol = tol;
    if (iterations > 0) def.max_iter = iterations;
    def.give = r->give;
    if (scree_solver_unfit(env, &r->problem, &def)) return SCREE_OK;
    void* work = scri_arena_take(arena, scree_solve_work_size(env, &r->problem, &def), 1);
    if (!work) return SCREE_ERROR_MEMORY;
    scree_status status = scri_solve(env, &r->problem, &def, NULL, work, r->p, report);
    report->iterations += before.iterations;
    report->time_s += before.time_s;
    report->updates += before.updates;
    report->fail_safe += before.fail_safe;
    return status;
}

static scree_status solve_inequalities(reduced* r, scri_arena* arena, scree_report* report)
{
    int few = r->n_rows <= DENSE_ROWS;
    double enough = r->n_places > 0 ? ENOUGH : ENOUGH_IN_TREES;
    scree_status status = SCREE_OK;
    report->residual = SCREE_INFINITY;
    if (few) status = run(r, arena, "newton-dense", enough, DENSE_STEPS, report);
    if (status || report->residual <= 10.0 * ENOUGH) return status;
    status = run(r, arena, "auto", r->world->def.solver.tol, 0, report);
    if (status || report->outcome == SCREE_OUTCOME_INFEASIBLE) return status;
    if (few) status = run(r, arena, "newton-dense", enough, DENSE_STEPS, report);
    return status;
}

static void list_inequalities(reduced* r)
{
    const scri_contacts_table* t = &r->part->contacts;
    for (int32_t c = 0; c < t->n; ++c) {
        if (is_equation(t, c)) continue;
        r->contact[r->n++] = c;
        r->n_rows += t->first_row[c + 1] - t->first_row[c];
    }
}

/* Impulses and what has given way back to the part. */
static void hand_back(const reduced* r)
{
    const scri_contacts_table* t = &r->part->contacts;
    for (int32_t k = 0; k < r->n; ++k) {
        int32_t c = r->contact[k], from = r->problem.first_row[k];
        for (int32_t i = t->first_row[c]; i < t->first_row[c + 1]; ++i, ++from) {
            t->p[i] = r->p[from] * r->length[from];
            t->give[i] = r->give[from] / r->length[from];
        }
    }
}

static scree_status solve_all(reduced* r, scri_arena* arena, scree_report* report)
{
    const scri_contacts_table* t = &r->part->contacts;
    size_t n = (size_t)r->n_rows, n_all = (size_t)t->first_row[t->n];
    double* p = scri_arena_take(arena, n_all + 1, sizeof *p);
    r->w = scri_arena_take(arena, n * n + 1, sizeof *r->w);
    r->q = scri_arena_take(arena, n + 1, sizeof *r->q);
    r->p = scri_arena_take(arena, n + 1, sizeof *r->p);
    r->give = scri_arena_take(arena, n + 1, sizeof *r->give);
    r->length = scri_arena_take(arena, n + 1, sizeof *r->length);
    if (!p || !r->w || !r->q || !r->p || !r->give || !r->length) return SCREE_ERROR_MEMORY;
    assemble(r, p);
    solve_equations(r, p); /* p is zero: free velocities of the inequalities */
    for (int32_t c = 0; c < t->n; ++c) scri_operator_velocity(&r->op, p, c, r->y + t->first_row[c]);
    if (!make_problem(r, arena, t->p)) return SCREE_ERROR_MEMORY;
    scree_status status = solve_inequalities(r, arena, report);
    if (status) return status;
    hand_back(r);
    solve_equations(r, t->p);
    return SCREE_OK;
}

scree_status scri_joints_solve(scree_world* world, const scri_part* part, int equations,
                               scree_report* report)
{
    const scree_env* env = scri_pool_env(world->pool);
    const scri_contacts_table* t = &part->contacts;
    scri_arena* arena = scri_arena_create(env);
    reduced r = {.world = world, .part = part};
    scri_bump count = {NULL, 0}, bump = {NULL, 0};
    if (arena) {
        scri_operator_create(&part->problem, &count);
        bump.memory = scri_arena_take(arena, count.used + 1, 1);
        r.y = scri_arena_take(arena, (size_t)t->first_row[t->n] + 1, sizeof *r.y);
        r.contact = scri_arena_take(arena, (size_t)t->n + 1, sizeof *r.contact);
        r.places = scri_arena_take(arena, (size_t)t->n + 1, sizeof *r.places);
        r.trees = scri_arena_take(arena, (size_t)t->n + 1, sizeof *r.trees);
    }
    scree_status status = SCREE_ERROR_MEMORY;
    if (bump.memory && r.y && r.contact && r.places && r.trees) {
        r.op = scri_operator_create(&part->problem, &bump);
        scri_joints_factor(world, 1);
        list_nodes(&r);
        list_inequalities(&r);
        status = SCREE_OK;
        if (equations || r.n == 0 || r.n_rows > MOST_ROWS) {
            solve_equations(&r, t->p);
        } else {
            status = solve_all(&r, arena, report);
        }
    }
    scri_arena_destroy(arena);
    return status == SCREE_ERROR_MEMORY ? scri_fail(env, status, "out of memory for joints")
                                        : status;
}

int scri_joints_are_few(const scri_part* part)
{
    const scri_contacts_table* t = &part->contacts;
    int32_t n_rows = 0;
    for (int32_t c = 0; c < t->n; ++c) {
        if (!is_equation(t, c)) n_rows += t->first_row[c + 1] - t->first_row[c];
    }
    return n_rows <= MOST_ROWS;
}
