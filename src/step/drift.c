/* Bodies on their own: the parts of a step before and after its impulses.
 *
 * Nothing acts there, so velocities stay, and a body turns as Euler found: with J its inertia and
 * W its angular velocity in body axes, J W' + W x J W = 0 and R' = R [W]. Over a time t
 *
 *     J (W+ - W) + s t U x J U = 0,    R+ = R cay(s t U),    U = (W + W+) / 2
 *
 * keeps the angular momentum R J W and the energy W . J W / 2 whatever s is: with z = s t U the
 * first line says J W+ = cay(-z) J W, and its product with U is the change of the energy. The
 * factor s = tan(x) / x, x = t |U| / 2, makes cay(s t U) the rotation by t U, hence exact where the
 * axis stays; the rule is symmetric in time, of second order, and needs no trigonometry. */
#include "math/small_kernel.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "step/joints.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define EPSILON 2.220446049250313e-16

/* Half angles beyond this are cut to it where the axis moves too: the tangent has a pole. */
#define LARGEST_HALF_ANGLE 1.2

/* rad; a body whose axis moves turns by no more than this at once: Newton's method ends, and with
 * it the energy stays. Where even MOST_PIECES are not enough the rest is one. */
#define LONGEST_TURN 1.0
enum { MOST_PIECES = 1000 };

/* tan(x) / x from x^2, to rounding for x up to 1.2 and the same on every machine: by its series for
 * the small angles of most steps, else by the continued fraction 1 / (1 - x^2 / (3 - x^2 / (5 -
 * ...))). */
static double tangent_ratio(double square)
{
    enum { LAST = 23 };
    static const double series[] = {
        929569.0 / 638512875.0, 21844.0 / 6081075.0, 1382.0 / 155925.0, 62.0 / 2835.0,
        17.0 / 315.0,           2.0 / 15.0,          1.0 / 3.0,         1.0};
    double d = LAST, sum = 0.0;
    if (square <= 0.02) {
        for (int k = 0; k < 8; ++k) sum = sum * square + series[k];
        return sum;
    }
    for (int k = LAST - 2; k >= 1; k -= 2) d = k - square / d;
    return 1.0 / d;
}

/* The quaternion of cay(z). */
static scri_quat cayley(scri_vec z)
{
    return scri_quat_normalize((scri_quat){1.0, 0.5 * z.x, 0.5 * z.y, 0.5 * z.z});
}

/* The rotation by the vector `turn`, of any length: that by a part of it, squared again. */
scri_quat scri_step_rotation(scri_vec turn)
{
    int halvings = 0;
    double square = 0.25 * scri_vec_dot(turn, turn);
    for (; square > 1.0 && halvings < 64; ++halvings) {
        turn = scri_vec_scale(0.5, turn);
        square *= 0.25;
    }
    scri_quat q = cayley(scri_vec_scale(tangent_ratio(square), turn));
    for (; halvings > 0; --halvings) q = scri_quat_normalize(scri_quat_multiply(q, q));
    return q;
}

static scri_vec inertia_times(const double* inertia, scri_vec w)
{
    double in[3], out[3];
    scri_vec_store(w, in);
    scri_inertia_multiply(inertia, in, out);
    return scri_vec_load(out);
}

/* Row-major derivative of u -> u x (J u): the cross matrix of u times J, minus that of J u. */
static void gyro_derivative(const double full[9], scri_vec u, scri_vec m, double* out)
{
    double cross_m[9] = {0.0, -m.z, m.y, m.z, 0.0, -m.x, -m.y, m.x, 0.0};
    for (int c = 0; c < 3; ++c) {
        scri_vec column = {full[c], full[3 + c], full[6 + c]};
        scri_vec product = scri_vec_cross(u, column);
        out[c] = product.x - cross_m[c];
        out[3 + c] = product.y - cross_m[3 + c];
        out[6 + c] = product.z - cross_m[6 + c];
    }
}

/* s t U of the rule above in body axes, by Newton's method for W+ with s of the first iterates.
 * Where steps are so long that it does not end, what it has still keeps the momentum. */
static scri_vec turn_of(const double* j, double t, scri_vec w)
{
    enum { NEWTON_STEPS = 20, STRETCHES = 2 };
    const double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
    const double most = LARGEST_HALF_ANGLE * LARGEST_HALF_ANGLE;
    scri_vec next = w;
    double stretched = t;
    for (int k = 0; k < NEWTON_STEPS; ++k) {
        scri_vec u = scri_vec_scale(0.5, scri_vec_add(w, next));
        if (k < STRETCHES) {
            stretched = t * tangent_ratio(fmin(0.25 * t * t * scri_vec_dot(u, u), most));
        }
        scri_vec m = inertia_times(j, u), change = inertia_times(j, scri_vec_sub(next, w));
        scri_vec f = scri_vec_add_scaled(change, stretched, scri_vec_cross(u, m));
        double a[9], x[3] = {-f.x, -f.y, -f.z};
        gyro_derivative(full, u, m, a);
        for (int i = 0; i < 9; ++i) a[i] = full[i] + 0.5 * stretched * a[i];
        if (!scri_gauss_solve(3, 3, a, x)) break;
        next = scri_vec_add(next, scri_vec_load(x));
        double size = scri_vec_length(next);
        if (scri_vec_length(scri_vec_load(x)) <= 4.0 * EPSILON * size) break;
    }
    return scri_vec_scale(stretched, scri_vec_scale(0.5, scri_vec_add(w, next)));
}

/* The rotation of q / |q|. That of q itself would stretch by the rounding of its length, always to
 * the same side: over many steps momentum would drift. */
static scri_mat rotation_matrix(scri_quat q)
{
    double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z, xy = s * q.x * q.y;
    double xz = s * q.x * q.z, yz = s * q.y * q.z, wx = s * q.w * q.x, wy = s * q.w * q.y;
    double wz = s * q.w * q.z;
    return (scri_mat){{1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx,
                       xz - wy, yz + wx, 1.0 - (xx + yy)}};
}

/* R j R^T x */
static scri_vec turned_times(scri_mat r, const double* j, scri_vec x)
{
    return scri_mat_multiply(r, inertia_times(j, scri_mat_multiply_transposed(r, x)));
}

/* A body whose axes carry its inertia with them. */
static void turn_freely(scri_bodies_table* b, size_t i, double t)
{
    const double *inertia = b->inertia + 6 * i, *inverse = b->inv_inertia + 6 * i;
    scri_quat rotation = scri_quat_load(b->rotation + 4 * i);
    scri_mat r = rotation_matrix(rotation);
    scri_vec w = scri_vec_load(b->omega + 3 * i), momentum = turned_times(r, inertia, w);
    scri_vec turn = turn_of(inertia, t, scri_mat_multiply_transposed(r, w));
    rotation = scri_quat_normalize(scri_quat_multiply(rotation, cayley(turn)));
    r = rotation_matrix(rotation);
    /* Inertia times inverse is off 1 by rounding, always to the same side, hence the repetitions.
     */
    w = turned_times(r, inverse, momentum);
    for (int k = 0; k < 2; ++k) {
        scri_vec left = scri_vec_sub(momentum, turned_times(r, inertia, w));
        w = scri_vec_add(w, turned_times(r, inverse, left));
    }
    scri_vec_store(w, b->omega + 3 * i);
    scri_quat_store(rotation, b->rotation + 4 * i);
}

static void turn_in_pieces(scri_bodies_table* b, size_t i, double t)
{
    for (int made = 1; t != 0.0; ++made) {
        scri_vec omega = scri_vec_load(b->omega + 3 * i);
        double pieces = ceil(fabs(t) * scri_vec_length(omega) / LONGEST_TURN);
        double piece = pieces > 1.0 && made < MOST_PIECES ? t / pieces : t;
        turn_freely(b, i, piece);
        t = piece == t ? 0.0 : t - piece;
    }
}

static void turn_steadily(scri_bodies_table* b, size_t i, double t)
{
    scri_vec turn = scri_vec_scale(t, scri_vec_load(b->omega + 3 * i));
    scri_quat q = scri_quat_multiply(scri_step_rotation(turn), scri_quat_load(b->rotation + 4 * i));
    scri_quat_store(scri_quat_normalize(q), b->rotation + 4 * i);
}

void scri_step_drift_body(scree_world* world, size_t i, double t)
{
    scri_bodies_table* b = &world->bodies;
    const double* omega = b->omega + 3 * i;
    for (size_t j = 0; j < 3; ++j) b->position[3 * i + j] += t * b->velocity[3 * i + j];
    if (omega[0] == 0.0 && omega[1] == 0.0 && omega[2] == 0.0) return;
    if (b->inv_mass[i] == 0.0 || b->is_round[i]) {
        turn_steadily(b, i, t);
    } else {
        turn_in_pieces(b, i, t);
    }
}

typedef struct drifting {
    scree_world* world;
    double time;
} drifting;

static void drift(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const drifting* all = context;
    const scri_bodies_table* b = &all->world->bodies;
    (void)worker;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        if (b->kind[i] == SCREE_BODY_STATIC || scri_step_is_joined(all->world, i)) continue;
        double stop = all->world->is_stopped ? b->stop[i] : 1.0;
        scri_step_drift_body(all->world, i, stop * all->time);
        for (size_t j = 3 * i; all->world->is_stopped && j < 3 * i + 3; ++j) {
            b->position[j] += stop * b->slide[j] + b->carry[j];
        }
    }
}

void scri_step_drift(scree_world* world, double time, int shifted)
{
    enum { GRAIN = 16 };      /* bodies that are worth handing to another worker */
    scri_joints_place(world); /* before walls move; of a new world also where nothing does */
    scri_team_for(world->team, time != 0.0 ? world->bodies.n : 0, GRAIN, drift,
                  &(drifting){world, time});
    scri_joints_drift(world, time, shifted);
}

void scri_step_save_body(const scri_bodies_table* b, size_t i, double* out)
{
    memcpy(out, b->position + 3 * i, 3 * sizeof *out);
    memcpy(out + 3, b->rotation + 4 * i, 4 * sizeof *out);
    memcpy(out + 7, b->omega + 3 * i, 3 * sizeof *out);
    memcpy(out + 10, b->velocity + 3 * i, 3 * sizeof *out);
}

void scri_step_restore_body(scri_bodies_table* b, size_t i, const double* from)
{
    memcpy(b->position + 3 * i, from, 3 * sizeof *from);
    memcpy(b->rotation + 4 * i, from + 3, 4 * sizeof *from);
    memcpy(b->omega + 3 * i, from + 7, 3 * sizeof *from);
    memcpy(b->velocity + 3 * i, from + 10, 3 * sizeof *from);
}

static void save_body(scree_world* world, int32_t i)
{
    scri_step_save_body(&world->bodies, (size_t)i, world->bodies.begin + 13 * (size_t)i);
}

static void turn_inertia(scree_world* world, int32_t i)
{
    const scri_bodies_table* b = &world->bodies;
    if (b->inv_mass[i] > 0.0 && !b->is_round[i]) scri_world_turn_inertia(world, i);
}

scree_status scri_step_begin(scree_world* world, scree_step_report* report)
{
    enum { COPIES_GRAIN = 512, TURNS_GRAIN = 64 }; /* bodies worth handing to another worker */
    int32_t n = world->bodies.n;
    scri_step_each(world, n, COPIES_GRAIN, save_body);
    scree_status status = scri_sweep_first(world, report);
    if (!status) status = scri_joints_make(world);
    if (status) return status;
    scri_joints_begin(world);
    scri_step_drift(world, (1.0 - world->def.theta) * world->def.step, 0);
    scri_step_each(world, n, TURNS_GRAIN, turn_inertia);
    return SCREE_OK;
}

void scri_step_undo(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    for (size_t i = 0; i < (size_t)b->n; ++i) scri_step_restore_body(b, i, b->begin + 13 * i);
    world->joint_system.is_placed = 0;
}
