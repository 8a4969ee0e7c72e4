#include "problem/operator.h"

#include "cones/layout_kernel.h"
#include "math/bsr_kernel.h"
#include "problem/bodies_kernel.h"

#include <string.h>

scri_operator scri_operator_create(const scree_problem* problem, scri_bump* bump)
{
    scri_operator op = {.problem = problem};
    if (problem->form == SCREE_FORM_BODIES) {
        size_t n = (size_t)problem->bodies.n_bodies;
        op.velocity = scri_bump_take_lines(bump, SCRI_BODY_STRIDE * n * sizeof(double));
        op.own = scri_shares_create(problem->n_contacts, bump);
    }
    return op;
}

void scri_operator_share(scri_operator* op, scri_team* team)
{
    const scree_problem* problem = op->problem;
    const scree_bodies* b = &problem->bodies;
    if (op->own) {
        scri_shares_find(op->own, problem->n_contacts, b->pair, b->n_bodies, b->inv_mass, team);
    }
    scri_operator_share_as(op, op->own);
}

void scri_operator_share_as(scri_operator* op, const scri_shares* shares)
{
    op->team = shares ? shares->team : NULL;
    op->shares = op->team ? shares : NULL;
}

void scri_operator_share_some(scri_operator* op, const scri_shares* shares, const uint8_t* counts)
{
    if (shares && shares->team && op->own) {
        scri_shares_some(op->own, shares, counts);
        shares = op->own;
    }
    scri_operator_share_as(op, shares);
}

static int width_of(const scree_problem* problem, int32_t c)
{
    return problem->first_row[c + 1] - problem->first_row[c];
}

static void begin_body(scri_operator* op, size_t i)
{
    const scree_bodies* b = &op->problem->bodies;
    double* line = op->velocity + SCRI_BODY_STRIDE * i;
    memset(line, 0, 6 * sizeof *line);
    line[6] = b->inv_mass[i];
    line[7] = b->inv_inertia[6 * i];
}

/* The operator at impulses, for a team. */
typedef struct at_impulses {
    scri_operator* op;
    const double* p;
    double* y;
} at_impulses;

/* What contacts do to the bodies of blocks: each gets the same sums as from one contact after the
 * other. */
static void add_blocks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const at_impulses* at = context;
    const scri_operator* op = at->op;
    const scri_shares* shares = op->shares;
    const scree_problem* problem = op->problem;
    (void)worker;
    for (int32_t k = shares->start[begin]; k < shares->start[end]; ++k) {
        int32_t c = shares->ends[k] / 2;
        int first = shares->ends[k] % 2, both = !first && scri_shares_both(shares, c);
        scri_bodies_push_sides(&problem->bodies, c, first, first + both, width_of(problem, c),
                               at->p + problem->first_row[c], op->velocity);
    }
}

static void gather_blocks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const at_impulses* at = context;
    const int32_t* first = at->op->shares->first;
    for (int32_t i = first[begin]; i < first[end]; ++i) begin_body(at->op, (size_t)i);
    add_blocks(context, begin, end, worker);
}

void scri_operator_reset(scri_operator* op, const double* p)
{
    if (!op->velocity) return;
    const scree_problem* problem = op->problem;
    if (op->team) {
        at_impulses at = {.op = op, .p = p};
        scri_team_for(op->team, op->shares->n_blocks, 1, gather_blocks, &at);
        return;
    }
    for (size_t i = 0; i < (size_t)problem->bodies.n_bodies; ++i) begin_body(op, i);
    scri_operator_add(op, p);
}

void scri_operator_add(scri_operator* op, const double* p)
{
    const scree_problem* problem = op->problem;
    if (!op->velocity) return;
    if (op->team) {
        at_impulses at = {.op = op, .p = p};
        scri_team_for(op->team, op->shares->n_blocks, 1, add_blocks, &at);
        return;
    }
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_operator_change(op, c, p + problem->first_row[c]);
    }
}

/* y += (W p)_c. All blocks of a row have the height `width`; most have it as width too. */
static void multiply_row(const scree_problem* problem, const double* p, int32_t c, int width,
                         double* y)
{
    const scree_bsr* w = &problem->w;
    for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
        int32_t column = w->column[k];
        const double* block = w->value + w->offset[k];
        const double* x = p + problem->first_row[column];
        int columns = width_of(problem, column);
        if (columns != width) {
            scri_block_multiply_add(width, columns, block, x, y);
        } else if (width == 3) {
            scri_block_multiply_add(3, 3, block, x, y);
        } else if (width == 5) {
            scri_block_multiply_add(5, 5, block, x, y);
        } else if (width == 6) {
            scri_block_multiply_add(6, 6, block, x, y);
        } else {
            scri_block_multiply_add(width, width, block, x, y);
        }
    }
}

void scri_operator_velocity(const scri_operator* op, const double* p, int32_t c, double* y)
{
    const scree_problem* problem = op->problem;
    int width = width_of(problem, c);
    int32_t row = problem->first_row[c];
    for (int i = 0; i < width; ++i) y[i] = problem->q[row + i];
    if (op->velocity) {
        scri_bodies_add_relative(&problem->bodies, op->velocity, c, width, y);
    } else {
        multiply_row(problem, p, c, width, y);
    }
    if (!problem->compliance) return;
    for (int i = 0; i < width; ++i) y[i] += problem->compliance[row + i] * p[row + i];
}

void scri_operator_change(scri_operator* op, int32_t c, const double* change)
{
    if (!op->velocity) return;
    int width = width_of(op->problem, c);
    scri_bodies_add_impulse(&op->problem->bodies, c, width, change, op->velocity);
}

static void copy_diagonal_block(const scree_problem* problem, int32_t c, int width, double* block)
{
    const scree_bsr* w = &problem->w;
    for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
        if (w->column[k] != c) continue;
        memcpy(block, w->value + w->offset[k], (size_t)(width * width) * sizeof *block);
        return;
    }
    memset(block, 0, (size_t)(width * width) * sizeof *block);
}

void scri_operator_block(const scri_operator* op, int32_t c, double* block)
{
    const scree_problem* problem = op->problem;
    int width = width_of(problem, c);
    if (problem->form == SCREE_FORM_BODIES) {
        scri_bodies_block(&problem->bodies, c, width, block);
    } else {
        copy_diagonal_block(problem, c, width, block);
    }
    if (!problem->compliance) return;
    for (int i = 0; i < width; ++i) {
        block[i * width + i] += problem->compliance[problem->first_row[c] + i];
    }
}

void scri_operator_diagonal(const scri_operator* op, int32_t c, double* diagonal)
{
    const scree_problem* problem = op->problem;
    const scree_bodies* b = &problem->bodies;
    int width = width_of(problem, c);
    if (problem->form == SCREE_FORM_BODIES &&
        b->pair[2 * (size_t)c] != b->pair[2 * (size_t)c + 1]) {
        scri_bodies_diagonal(b, c, width, diagonal);
        for (int i = 0; i < width && problem->compliance; ++i) {
            diagonal[i] += problem->compliance[problem->first_row[c] + i];
        }
        return;
    }
    double block[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
    scri_operator_block(op, c, block);
    for (int i = 0; i < width; ++i) diagonal[i] = block[i * width + i];
}

static void write_velocities(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const at_impulses* at = context;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        scri_operator_velocity(at->op, at->p, c, at->y + at->op->problem->first_row[c]);
    }
}

void scri_operator_apply(scri_operator* op, const double* p, double* y)
{
    at_impulses at = {.op = op, .p = p};
    at.y = y;
    scri_operator_reset(op, p);
    scri_team_for(op->team, op->problem->n_contacts, SCRI_CONTACTS_GRAIN, write_velocities, &at);
}
