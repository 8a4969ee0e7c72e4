#include "joints/motions.h"

/* Axes that are closer to each other's plane than this do not tell two turns apart. */
#define LEAST_SINE 1e-12

typedef struct motions {
    scri_vec arm;  /* from the point of A, about which it turns, to the centre of the body */
    scri_vec axis; /* of a screw */
    double pitch;  /* m/rad; 0: turns and slides are apart */
    double* out;   /* the next of six */
} motions;

static void add_slide(motions* m, double size, scri_vec e)
{
    scri_vec_store(scri_vec_scale(size, e), m->out);
    scri_vec_store(SCRI_OF(scri_vec, 0.0, 0.0, 0.0), m->out + 3);
    m->out += 6;
}

static void add_turn(motions* m, double size, scri_vec e)
{
    scri_vec w = scri_vec_scale(size, e), v = scri_vec_cross(w, m->arm);
    v = scri_vec_add_scaled(v, m->pitch * scri_vec_dot(w, m->axis), m->axis);
    scri_vec_store(v, m->out);
    scri_vec_store(w, m->out + 3);
    m->out += 6;
}

/* Directions of which the first `held` are held. */
typedef struct directions {
    int held;
    scri_vec e[3];
} directions;

static directions lines_of(scree_joint_kind kind, const scri_joint_side s[2],
                           const scri_joint_terms* terms, int rigid)
{
    const scri_vec* axis = s[1].axis;
    directions d = {0, {axis[0], axis[1], axis[2]}};
    int n[3];
    double length;
    scri_joint_counts(kind, n);
    if (!rigid) return d;
    d.held = n[0];
    if (kind == SCREE_JOINT_DISTANCE) {
        d.e[0] = scri_joint_direction(s, &length);
        scri_vec_tangents(d.e[0], &d.e[1], &d.e[2]);
    } else if (kind == SCREE_JOINT_CURVE) {
        d.e[2] = terms->along;
        scri_vec_tangents(terms->along, &d.e[0], &d.e[1]);
    } else if (n[0] == 2) {
        d.e[0] = axis[1], d.e[1] = axis[2], d.e[2] = axis[0];
    }
    return d;
}

/* Turns whose rates in the rows x_A . e = 0 of two axes e of B are 1 and 0, and one that is free. A
 * row has the moment x_A x e. */
static directions two_axes(const scri_joint_side s[2])
{
    directions d = {2, {s[1].axis[1], s[1].axis[2], s[0].axis[0]}};
    scri_vec a = scri_vec_cross(s[0].axis[0], s[1].axis[1]);
    scri_vec b = scri_vec_cross(s[0].axis[0], s[1].axis[2]);
    double aa = scri_vec_dot(a, a), ab = scri_vec_dot(a, b), bb = scri_vec_dot(b, b);
    double square = aa * bb - ab * ab;
    if (!(square > LEAST_SINE)) return d;
    d.e[0] = scri_vec_scale(1.0 / square, scri_vec_add_scaled(scri_vec_scale(bb, a), -ab, b));
    d.e[1] = scri_vec_scale(1.0 / square, scri_vec_add_scaled(scri_vec_scale(aa, b), -ab, a));
    return d;
}

/* The same of one such row. */
static directions one_axis(const scri_joint_side s[2])
{
    directions d = {1, {s[1].axis[2], s[0].axis[0], s[1].axis[1]}};
    scri_vec a = scri_vec_cross(s[0].axis[0], s[1].axis[1]);
    double square = scri_vec_dot(a, a);
    if (square > LEAST_SINE) d.e[0] = scri_vec_scale(1.0 / square, a);
    return d;
}

static directions turns_of(scree_joint_kind kind, const scri_joint_side s[2], int rigid)
{
    directions d = {0, {s[1].axis[0], s[1].axis[1], s[1].axis[2]}};
    int n[3];
    scri_joint_counts(kind, n);
    if (!rigid || n[1] == 0) return d;
    if (n[1] == 1) return one_axis(s);
    if (n[1] == 2) return two_axes(s);
    d.held = 3;
    return d;
}

int scri_joint_motions(scree_joint_kind kind, const scri_joint_side s[2],
                       const scri_joint_terms* terms, const int rigid[3], int side,
                       double basis[36])
{
    int n[3];
    scri_joint_counts(kind, n);
    int is_screw = n[2] > 0 && rigid[2];
    directions lines = lines_of(kind, s, terms, rigid[0]), turns = turns_of(kind, s, rigid[1]);
    double sign = side == 0 ? 1.0 : -1.0; /* rows are the rates of A against B */
    motions m = {.arm = scri_vec_sub(s[side].centre, s[0].point),
                 .axis = s[1].axis[0],
                 .pitch = is_screw ? terms->ratio : 0.0};
    m.out = basis;
    for (int i = 0; i < lines.held; ++i) add_slide(&m, sign, lines.e[i]);
    for (int i = 0; i < turns.held; ++i) add_turn(&m, sign, turns.e[i]);
    if (is_screw) add_slide(&m, sign, m.axis);
    for (int i = lines.held; i < 3; ++i) {
        /* the last is held along the axis of a screw, or it is all axes of B, x first */
        int is_axis = lines.held == 2 ? i == 2 : i == 0;
        if (!(is_screw && is_axis)) add_slide(&m, sign, lines.e[i]);
    }
    for (int i = turns.held; i < 3; ++i) add_turn(&m, sign, turns.e[i]);
    return lines.held + turns.held + is_screw;
}

/* An axis that turns with a body. */
typedef struct turning {
    scri_vec e, change;
} turning;

static turning turning_with(scri_vec e, const double* v)
{
    return (turning){e, scri_vec_cross(scri_vec_load(v + 3), e)};
}

/* Free slides lie in B, turns about x of A do in A. */
void scri_joint_motions_change(scree_joint_kind kind, const scri_joint_side s[2],
                               const scri_joint_terms* terms, int side, const double* u,
                               const double v[12], double out[6])
{
    int n[3];
    scri_joint_counts(kind, n);
    directions lines = lines_of(kind, s, terms, 1), turns = turns_of(kind, s, 1);
    scri_vec arm = scri_vec_sub(s[side].centre, s[0].point), point_v = scri_vec_load(v);
    scri_vec reach = scri_vec_sub(s[0].point, s[0].centre);
    point_v = scri_vec_add(point_v, scri_vec_cross(scri_vec_load(v + 3), reach));
    scri_vec arm_v = scri_vec_sub(scri_vec_load(v + 6 * (size_t)side), point_v);
    scri_vec line = {0.0, 0.0, 0.0}, turn = {0.0, 0.0, 0.0};
    double sign = side == 0 ? 1.0 : -1.0;
    for (int i = lines.held; i < 3 && n[2] == 0; ++i) {
        turning t = turning_with(lines.e[i], v + 6);
        line = scri_vec_add_scaled(line, sign * *u++, t.change);
    }
    for (int i = turns.held; i < 3; ++i) {
        int in_a = n[1] == 2 || (n[1] == 1 && i == 1);
        turning t = turning_with(turns.e[i], in_a ? v : v + 6);
        double rate = sign * *u++;
        turn = scri_vec_add_scaled(turn, rate, t.change);
        line = scri_vec_add_scaled(line, rate, scri_vec_cross(t.change, arm));
        line = scri_vec_add_scaled(line, rate, scri_vec_cross(t.e, arm_v));
        if (n[2] == 0) continue; /* a screw slides along the same axis */
        line = scri_vec_add_scaled(line, rate * terms->ratio, t.change);
    }
    scri_vec_store(line, out);
    scri_vec_store(turn, out + 3);
}
