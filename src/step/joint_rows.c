/* The rows of joints in the problem of a step, and what comes of them.
 *
 * Constraints are equations, y = 0; so are springs and what turns with a motor, as rows that yield:
 * with k, c, a their stiffness, damping and inertia, x the coordinate in the middle of the step and
 * y-, y+ its rate before and after the impulses,
 *
 *     spring                  p = -h k (x - rest + h (y+ - y-) / 4) - h c y+
 *     compliant constraint    p = -h k (x + h y+) - h c y+
 *     armature                p = -a (y+ - y+ of the last step)
 *
 * The first neither damps nor drives by itself, the second is rigid where k grows.
 *
 * Motors and dry friction hold y+ at its target with a bounded impulse, limits close as contacts
 * do: the coordinate may reach them by the middle of the next step, but not pass. */
#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define EPSILON 2.220446049250313e-16

/* Ways up to this many roundings of where they lead are none. */
#define ROUNDINGS 16.0

/* Limits within this many times the way of a step are looked at. */
#define REACH 4.0

/* Directions of the kinds of rows in `feature`; the last is that of backlash. */
enum { PER_KIND = 4, OF_BACKLASH = 3 };

/* ---- what there may be ----------------------------------------------------------------------- */

static int has_motor(const scree_freedom* f)
{
    return f->motor == SCREE_MOTOR_VELOCITY || f->motor == SCREE_MOTOR_POSITION;
}

static int has_friction(const scree_freedom* f)
{
    return f->friction > 0.0 || f->friction_arm > 0.0;
}

/* The farthest that a coordinate may go. */
static double upper_of(const scri_joint* joint, int i)
{
    double upper = joint->def.freedom[i].upper;
    if (joint->def.kind == SCREE_JOINT_ROPE) return fmin(upper, joint->def.length);
    int ends = joint->def.kind == SCREE_JOINT_CURVE && !joint->def.closed;
    return ends ? fmin(upper, joint->curve.length) : upper;
}

static double lower_of(const scri_joint* joint, int i)
{
    double lower = joint->def.freedom[i].lower;
    return joint->def.kind == SCREE_JOINT_CURVE && !joint->def.closed ? fmax(lower, 0.0) : lower;
}

static int has_backlash(const scri_joint* joint)
{
    int n[3];
    scri_joint_counts(joint->def.kind, n);
    return n[2] > 0 && joint->def.freedom[0].backlash > 0.0;
}

/* Where a coordinate is stopped, or how far the play of a backlash goes. */
static double end_of(const scri_joint* joint, int kind, int direction)
{
    if (direction == OF_BACKLASH) return 0.5 * joint->def.freedom[0].backlash;
    return kind == SCRI_ROW_LOWER ? lower_of(joint, direction) : upper_of(joint, direction);
}

static int32_t count_of(const scri_joint* joint)
{
    int32_t n = 3 + 2 * has_backlash(joint);
    for (int i = 0; i < scri_joint_directions(joint->def.kind); ++i) {
        const scree_freedom* f = scri_joint_freedom_of(joint, i);
        n += (f->stiffness > 0.0 || f->damping > 0.0) + (f->armature > 0.0) + has_motor(f);
        n += has_friction(f) + 2;
    }
    return n;
}

int32_t scri_joints_most_contacts(const scree_world* world)
{
    int32_t n = 0;
    for (int32_t i = 0; i < world->joints.n; ++i) {
        if (world->joints.joint[i].is_used) n += count_of(&world->joints.joint[i]);
    }
    return n;
}

scree_status scri_joints_reserve_rows(scree_world* world)
{
    int32_t n = world->n_joints > 0 ? world->joint_system.n_rows : 0;
    world->joint_rows.n = 0;
    if (world->n_joints == 0) return SCREE_OK;
    if (!scri_joint_rows_table_reserve(&world->env, &world->joint_rows,
                                       n + scri_joints_most_contacts(world))) {
        return scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for joints");
    }
    memcpy(world->joint_rows.jacobian, world->joint_system.row, 12 * (size_t)n * sizeof(double));
    world->joint_rows.n = n;
    return SCREE_OK;
}

/* ---- writing them ---------------------------------------------------------------------------- */

typedef struct entry {
    int32_t joint;
    scri_row_kind kind;
    int direction, law, width;
    int32_t general;
} entry;

static void append(scree_world* world, entry e)
{
    static const double upright[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    scri_contacts_table* t = &world->contacts;
    const scri_joint* joint = &world->joints.joint[e.joint];
    size_t c = (size_t)t->n;
    t->shape[2 * c] = SCRI_JOINT_SHAPE;
    t->shape[2 * c + 1] = e.joint;
    t->feature[c] = (uint32_t)(PER_KIND * (int)e.kind + e.direction);
    t->gap[c] = t->room[c] = 0.0;
    memset(t->slip + 3 * c, 0, 3 * sizeof *t->slip);
    memset(t->point + 3 * c, 0, 3 * sizeof *t->point);
    memcpy(t->pair + 2 * c, joint->body, 2 * sizeof *t->pair);
    memcpy(t->frame + 9 * c, upright, sizeof upright);
    memset(t->arm + 6 * c, 0, 6 * sizeof *t->arm);
    memset(t->coef + 3 * c, 0, 3 * sizeof *t->coef);
    t->general[c] = e.general;
    t->law[c] = (uint8_t)e.law;
    t->rows[c] = (uint8_t)e.width; /* widths 1 to 3 are rows of the same number */
    t->first_row[c + 1] = t->first_row[c] + e.width;
    if (world->contact_sets.n > 0) {
        for (size_t k = 0; k < 4; ++k) world->contact_sets.set[4 * c + k] = -1;
    }
    t->n++;
}

/* One more row beside those of the system. */
static int32_t add_row(scree_world* world, double sign, const double* row)
{
    double* to = world->joint_rows.jacobian + 12 * (size_t)world->joint_rows.n;
    for (int i = 0; i < 12; ++i) to[i] = sign * row[i];
    return world->joint_rows.n++;
}

/* Whether what is `room` away may be reached in the step. A centre of mass that constraints keep
 * from moving freely turns its body about the joint instead. */
static int is_near(const scree_world* world, const scri_joint* joint, const double* row,
                   double room)
{
    const scri_bodies_table* b = &world->bodies;
    scri_joint_side s[2];
    double rate = 0.0;
    scri_joint_sides(world, joint, s);
    for (size_t k = 0; k < 2; ++k) {
        if (joint->body[k] < 0) continue;
        size_t i = (size_t)joint->body[k];
        const double* free = b->free + SCRI_BODY_STRIDE * i;
        double line = scri_vec_length(scri_vec_load(row + 6 * k));
        double turn = scri_vec_length(scri_vec_load(row + 6 * k + 3));
        double arm = scri_vec_length(scri_vec_sub(s[k].point, s[k].centre));
        double speed = scri_vec_length(scri_vec_load(b->velocity + 3 * i)) +
                       scri_vec_length(scri_vec_load(free));
        double omega = scri_vec_length(scri_vec_load(b->omega + 3 * i)) +
                       scri_vec_length(scri_vec_load(free + 3));
        rate += line * speed + turn * (omega + (arm > 0.0 ? speed / arm : 0.0));
    }
    return room <= REACH * world->def.step * rate;
}

/* A limit on x, which has the row `row`: lower or upper end. */
static void write_limit(scree_world* world, entry e, const double* row, double room)
{
    const scri_joint* joint = &world->joints.joint[e.joint];
    if (!is_near(world, joint, row, room)) return;
    e.law = SCRI_LAW_THAT_STOPS;
    e.width = 1;
    e.general = add_row(world, e.kind == SCRI_ROW_LOWER ? 1.0 : -1.0, row);
    append(world, e);
    world->contacts.room[world->contacts.n - 1] = room;
}

static void write_inequalities(scree_world* world, int32_t index, const scri_joint_side s[2])
{
    const scri_joint* joint = &world->joints.joint[index];
    int n = scri_joint_directions(joint->def.kind);
    double row[SCREE_FREEDOMS_MAX][12], x[SCREE_FREEDOMS_MAX] = {0.0};
    for (int i = 0; i < n; ++i) x[i] = scri_joint_coordinate(joint, i, s, row[i]);
    for (int kind = SCRI_ROW_MOTOR; kind <= SCRI_ROW_FRICTION; ++kind) {
        for (int i = 0; i < n; ++i) {
            const scree_freedom* f = scri_joint_freedom_of(joint, i);
            if (!(kind == SCRI_ROW_MOTOR ? has_motor(f) : has_friction(f))) continue;
            entry e = {index, (scri_row_kind)kind,        i, SCRI_LAW_THAT_BOUNDS,
                       1,     add_row(world, 1.0, row[i])};
            append(world, e);
            world->contacts.room[world->contacts.n - 1] = x[i];
        }
    }
    scri_joint_terms terms = scri_joint_terms_of(world, joint, s);
    scri_joint_rows rows;
    scri_joint_constraints(joint->def.kind, s, &terms, &rows);
    int last = rows.n[0] + rows.n[1];
    double half = 0.5 * joint->def.freedom[0].backlash;
    for (int kind = SCRI_ROW_LOWER; kind <= SCRI_ROW_UPPER; ++kind) {
        for (int i = 0; i < scri_joint_freedoms(joint->def.kind); ++i) {
            entry e = {.joint = index, .kind = (scri_row_kind)kind, .direction = i};
            double room =
                kind == SCRI_ROW_LOWER ? x[i] - lower_of(joint, i) : upper_of(joint, i) - x[i];
            if (!isinf(room)) write_limit(world, e, row[i], room);
        }
        entry e = {.joint = index, .kind = (scri_row_kind)kind, .direction = OF_BACKLASH};
        double off = has_backlash(joint) ? rows.error[last] : 0.0;
        if (!has_backlash(joint)) continue;
        write_limit(world, e, rows.row + 12 * (size_t)last,
                    kind == SCRI_ROW_LOWER ? off + half : half - off);
    }
}

/* The equations of a node: constraints by kind, others one by one. */
static void write_equations(scree_world* world, int32_t node)
{
    const scri_joint_system* s = &world->joint_system;
    int32_t r = s->first[node], end = s->first[node + 1];
    /* springs come before armatures in the order of contacts, side by side in the system */
    for (int kind = SCRI_ROW_LINE; kind <= SCRI_ROW_ARMATURE; ++kind) {
        for (int32_t i = r; i < end; ++i) {
            if (s->kind[i] != kind) continue;
            int width = 1;
            while (kind <= SCRI_ROW_COUPLED && i + width < end && s->kind[i + width] == kind) {
                ++width;
            }
            entry e = {
                s->joint[node], (scri_row_kind)kind, s->freedom[i], SCRI_LAW_THAT_HOLDS, width, i};
            append(world, e);
            i += width - 1;
        }
    }
}

/* Turning counts by the radius of gyration, that of a ball with the same trace of its inverse. */
static double fastest_of(const scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    const scri_bodies_table* b = &world->bodies;
    double most = 0.0;
    for (int32_t k = 0; k < s->n_bodies && world->n_joints > 0; ++k) {
        size_t i = (size_t)s->body[k];
        const double *v = b->free + SCRI_BODY_STRIDE * i, *inverse = b->inv_inertia_world + 6 * i;
        double trace = inverse[0] + inverse[1] + inverse[2];
        double arm = trace > 0.0 ? sqrt(3.0 * b->inv_mass[i] / trace) : 0.0;
        most = fmax(most, scri_vec_length(scri_vec_load(v)) +
                              arm * scri_vec_length(scri_vec_load(v + 3)));
    }
    return most;
}

void scri_joints_write(scree_world* world)
{
    const scri_joint_system* s = &world->joint_system;
    world->joint_system.fastest = fastest_of(world);
    world->has_compliance = world->n_joints > 0 && s->has_soft;
    for (int32_t i = 0; i < world->joints.n && world->n_joints > 0; ++i) {
        scri_joint_side sides[2];
        if (!world->joints.joint[i].is_used) continue;
        scri_joint_sides(world, &world->joints.joint[i], sides);
        if (s->node[i] >= 0) write_equations(world, s->node[i]);
        write_inequalities(world, i, sides);
    }
}

/* ---- their free velocities ------------------------------------------------------------------- */

/* What is added to y of an equation, and how much it yields. */
static void write_soft(const scree_world* world, int32_t c, int32_t i, double before, double* bias,
                       double* yields)
{
    const scri_joint_system* s = &world->joint_system;
    const scri_contacts_table* t = &world->contacts;
    const scri_joint* joint = &world->joints.joint[t->shape[2 * (size_t)c + 1]];
    int32_t r = t->general[c] + i;
    double h = world->def.step, row[12];
    *bias = *yields = 0.0;
    if (s->is_rigid[r]) return;
    if (s->kind[r] <= SCRI_ROW_COUPLED) {
        int k = s->kind[r] - SCRI_ROW_LINE;
        double stiffness = 1.0 / joint->def.compliance[k];
        *yields = 1.0 / (h * h * stiffness + h * joint->def.damping[k]);
        *bias = *yields * h * stiffness * s->error[r];
        return;
    }
    const scree_freedom* f = scri_joint_freedom_of(joint, s->freedom[r]);
    if (s->kind[r] == SCRI_ROW_ARMATURE) {
        int known = t->was[c] >= 0 && !world->is_steered;
        *yields = 1.0 / f->armature;
        *bias = known ? -joint->memory.rate[s->freedom[r]] : -before;
        return;
    }
    scri_joint_side sides[2];
    scri_joint_sides(world, joint, sides);
    double x = scri_joint_coordinate(joint, s->freedom[r], sides, row);
    double quarter = 0.25 * h * h * f->stiffness;
    *yields = 1.0 / (quarter + h * f->damping);
    *bias = *yields * (h * f->stiffness * (x - f->rest) - quarter * before);
}

/* The rate at which a position motor goes: one that its effort can brake, with most of it left for
 * what hangs on the joint. */
static double rate_to(const scree_world* world, int32_t c, const scree_freedom* f)
{
    enum { SPARE = 8 };
    double way = f->target - world->contacts.room[c], yields[1];
    double rate = way / fmax(f->time, world->def.step);
    if (fabs(way) <= ROUNDINGS * EPSILON * fabs(f->target)) return 0.0;
    scri_bodies_diagonal(&world->problem.bodies, c, 1, yields);
    double most = sqrt(f->max_effort * yields[0] * fabs(way) / SPARE);
    return fabs(rate) <= most ? rate : copysign(most, way);
}

static void write_motor(const scree_world* world, int32_t c, const scree_freedom* f, double* q)
{
    double h = world->def.step, *coef = world->contacts.coef + 3 * (size_t)c;
    coef[0] = -h * f->max_effort;
    coef[1] = h * f->max_effort;
    *q -= f->motor == SCREE_MOTOR_VELOCITY ? f->target : rate_to(world, c, f);
}

/* A free velocity that is only rounding of how fast its bodies move is none: across the motion of a
 * planar loop there is nothing else, and redundant rows contradict each other in it. */
static double without_rounding(const scree_world* world, const scri_joint* joint, const double* row,
                               double q)
{
    double size = 0.0;
    for (size_t k = 0; k < 2; ++k) {
        if (joint->body[k] < 0) continue;
        const double* v = world->bodies.free + SCRI_BODY_STRIDE * (size_t)joint->body[k];
        for (size_t j = 0; j < 6; j += 3) {
            size += scri_vec_length(scri_vec_load(row + 6 * k + j)) *
                    scri_vec_length(scri_vec_load(v + j));
        }
    }
    return fabs(q) <= ROUNDINGS * EPSILON * size ? 0.0 : q;
}

void scri_joints_write_free(scree_world* world, int32_t c)
{
    scri_contacts_table* t = &world->contacts;
    scri_joint_system* s = &world->joint_system;
    const scri_joint* joint = &world->joints.joint[t->shape[2 * (size_t)c + 1]];
    int width = t->first_row[c + 1] - t->first_row[c], kind = (int)t->feature[c] / PER_KIND;
    double *q = t->q + t->first_row[c], *yields = t->compliance + t->first_row[c], bias;
    const double* before = t->before + 6 * (size_t)c;
    memset(q, 0, (size_t)width * sizeof *q);
    scri_bodies_add_relative(&world->problem.bodies, world->bodies.free, c, width, q);
    for (int i = 0; i < width; ++i) {
        yields[i] = 0.0;
        if (kind > SCRI_ROW_ARMATURE) continue;
        q[i] = without_rounding(world, joint, s->row + 12 * (size_t)(t->general[c] + i), q[i]);
        write_soft(world, c, i, before[i], &bias, &yields[i]);
        s->compliance[t->general[c] + i] = yields[i];
        q[i] += bias;
    }
    if (kind <= SCRI_ROW_ARMATURE) return;
    int direction = (int)t->feature[c] % PER_KIND;
    const scree_freedom* f = scri_joint_freedom_of(joint, direction % 3);
    if (kind == SCRI_ROW_MOTOR) {
        write_motor(world, c, f, q);
    } else if (kind == SCRI_ROW_FRICTION) {
        double most = world->def.step * (f->friction + f->friction_arm * joint->memory.press);
        t->coef[3 * (size_t)c] = -most;
        t->coef[3 * (size_t)c + 1] = most;
    } else {
        double room = t->room[c], size = fabs(room) + fabs(end_of(joint, kind, direction));
        int counts = fabs(room) > ROUNDINGS * EPSILON * size;
        q[0] += counts ? scri_overlap_rate(room / world->def.step, q[0]) : 0.0;
    }
}

/* ---- before and after ------------------------------------------------------------------------ */

void scri_joints_begin(scree_world* world)
{
    world->joint_system.work = 0.0;
    for (int32_t i = 0; i < world->joints.n; ++i) {
        scri_joint_memory* m = &world->joints.joint[i].memory;
        memset(m->impulse, 0, sizeof m->impulse);
        memset(m->hold, 0, sizeof m->hold);
        memset(m->effort, 0, sizeof m->effort);
    }
}

void scri_joints_forces(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    for (int32_t k = 0; k < world->joints.n; ++k) {
        scri_joint* joint = &world->joints.joint[k];
        scri_joint_side s[2];
        for (int i = 0; joint->is_used && i < scri_joint_freedoms(joint->def.kind); ++i) {
            double row[12], effort = joint->def.freedom[i].target;
            if (joint->def.freedom[i].motor != SCREE_MOTOR_EFFORT) continue;
            scri_joint_sides(world, joint, s);
            scri_joint_coordinate(joint, i, s, row);
            joint->memory.effort[i] += world->def.step * effort;
            for (size_t side = 0; side < 2; ++side) {
                if (joint->body[side] < 0) continue;
                size_t body = (size_t)joint->body[side];
                for (size_t j = 0; j < 3; ++j) {
                    b->force[3 * body + j] += effort * row[6 * side + j];
                    b->torque[3 * body + j] += effort * row[6 * side + 3 + j];
                }
            }
            world->has_joint_forces = 1;
        }
    }
}

void scri_joints_take(scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    for (int32_t c = world->n_touching; c < t->n; ++c) {
        scri_joint* joint = &world->joints.joint[t->shape[2 * (size_t)c + 1]];
        int kind = (int)t->feature[c] / PER_KIND, i = (int)t->feature[c] % PER_KIND;
        scri_joint_side s[2];
        double arm[3];
        scri_joint_sides(world, joint, s);
        scri_vec_store(scri_vec_sub(s[0].centre, s[1].point), arm);
        for (int32_t r = t->first_row[c]; r < t->first_row[c + 1]; ++r) {
            const double* row =
                world->joint_rows.jacobian + 12 * (size_t)(t->general[c] + r - t->first_row[c]);
            if (kind != SCRI_ROW_ARMATURE) {
                scri_joint_note(joint, kind <= SCRI_ROW_COUPLED, row, arm, t->p[r]);
            }
        }
        if (kind == SCRI_ROW_ARMATURE) joint->memory.rate[i] = t->after[6 * (size_t)c];
        if (kind <= SCRI_ROW_COUPLED || kind == SCRI_ROW_ARMATURE || i == OF_BACKLASH) continue;
        joint->memory.effort[i] += (kind == SCRI_ROW_UPPER ? -1.0 : 1.0) * t->p[t->first_row[c]];
    }
}

/* Whether a joint has carried more than it can. */
static int breaks(const scree_world* world, const scri_joint* joint)
{
    const double* p = joint->memory.impulse;
    double h = world->def.step;
    return sqrt(scri_dot3(p, p)) > h * joint->def.break_force ||
           sqrt(scri_dot3(p + 3, p + 3)) > h * joint->def.break_torque;
}

void scri_joints_end(scree_world* world, scree_step_report* report)
{
    world->is_steered = 0;
    report->contact_work += world->joint_system.work;
    report->n_joints = world->n_joints;
    if (world->n_joints > 0) {
        report->n_in_trees = world->joint_system.n_nodes - world->joint_system.blocks.n;
    }
    for (int32_t k = 0; k < world->joints.n; ++k) {
        scri_joint* joint = &world->joints.joint[k];
        scri_joint_side s[2];
        double row[12];
        if (!joint->is_used) continue;
        scri_joint_sides(world, joint, s);
        for (int i = 0; i < scri_joint_freedoms(joint->def.kind); ++i) {
            joint->memory.coordinate[i] = scri_joint_coordinate(joint, i, s, row);
        }
        scri_joint_terms terms = scri_joint_terms_of(world, joint, s);
        memcpy(joint->memory.turn, terms.turn, sizeof terms.turn);
        const double* hold = joint->memory.hold;
        joint->memory.press = sqrt(scri_dot3(hold, hold)) / world->def.step;
        if (!breaks(world, joint)) continue;
        scri_world_drop_joint(world, k);
        report->n_broken++;
    }
    const scri_joint_system* system = &world->joint_system;
    for (int32_t r = 0; world->n_joints > 0 && system->is_made && r < system->n_rows; ++r) {
        double* worst = system->kind[r] == SCRI_ROW_TURN ? &report->joint_turn : &report->joint_gap;
        if (system->is_rigid[r]) *worst = fmax(*worst, fabs(system->error[r]));
    }
}
