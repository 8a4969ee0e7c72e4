/* Bodies, contacts, joints and shapes as the records of a page. */
#include "io/page.h"
#include "math/vec.h"

#include <string.h>

static void put16(uint8_t* out, uint32_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t* out, uint32_t value)
{
    put16(out, value);
    put16(out + 2, value >> 16);
}

static void put_float(uint8_t* out, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put32(out, bits);
}

/* `part` of `most`, rounded; what is not a number becomes 0. */
static uint32_t level(double part, uint32_t most)
{
    if (!(part > 0.0)) return 0;
    return part < 1.0 ? (uint32_t)(part * most + 0.5) : most;
}

static uint32_t root_level(double value, double largest, uint32_t most)
{
    return largest > 0.0 ? level(sqrt(value / largest), most) : 0;
}

static void put_place(const scri_page_range* range, scri_vec p, uint8_t* out)
{
    const double x[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; ++i) {
        double size = range->high[i] - range->low[i];
        put16(out + 2 * i, size > 0.0 ? level((x[i] - range->low[i]) / size, 65535) : 0);
    }
}

/* False where a coordinate is not a number, too. */
static bool is_inside(const scri_page_range* range, scri_vec p)
{
    return p.x >= range->low[0] && p.x <= range->high[0] && p.y >= range->low[1] &&
           p.y <= range->high[1] && p.z >= range->low[2] && p.z <= range->high[2];
}

/* Components other than the largest lie between -sqrt(1/2) and sqrt(1/2). */
static uint32_t pack_rotation(const double q[4])
{
    uint32_t largest = 0, bits = 0, shift = 0;
    for (uint32_t i = 1; i < 4; ++i) {
        if (fabs(q[i]) > fabs(q[largest])) largest = i;
    }
    double scale = q[largest] < 0.0 ? -sqrt(0.5) : sqrt(0.5);
    for (uint32_t i = 0; i < 4; ++i) {
        if (i == largest) continue;
        bits |= level(0.5 + scale * q[i], 1023) << shift;
        shift += 10;
    }
    return bits | largest << 30;
}

void scri_page_pose(const scri_page_plan* plan, const scree_frame* frame, int32_t body,
                    uint8_t out[SCRI_PAGE_POSE])
{
    size_t b = (size_t)body;
    double speed = scri_vec_length(scri_vec_load(frame->velocity + 3 * b));
    double omega = scri_vec_length(scri_vec_load(frame->angular_velocity + 3 * b));
    scri_vec place = scri_vec_load(frame->position + 3 * b);
    put_place(&plan->range, place, out);
    out[6] = (uint8_t)root_level(speed, plan->speed_max, 255);
    out[7] = (uint8_t)root_level(omega, plan->spin_max, 255);
    bool shown = is_inside(&plan->range, place);
    put32(out + 8, shown ? pack_rotation(frame->rotation + 4 * b) : SCRI_PAGE_HIDDEN);
}

static scri_vec load_floats(const float* p)
{
    return (scri_vec){(double)p[0], (double)p[1], (double)p[2]};
}

/* A unit vector by two numbers from 0 to 255: the octahedron |x| + |y| + |z| = 1, whose lower half
 * is folded over the edges of the upper one. */
static void put_direction(scri_vec d, uint8_t out[2])
{
    double sum = fabs(d.x) + fabs(d.y) + fabs(d.z), a = d.x / sum, b = d.y / sum;
    if (d.z < 0.0) {
        double folded = copysign(1.0 - fabs(b), a);
        b = copysign(1.0 - fabs(a), b);
        a = folded;
    }
    out[0] = (uint8_t)level(0.5 + 0.5 * a, 255);
    out[1] = (uint8_t)level(0.5 + 0.5 * b, 255);
}

/* What of a force lies across the normal; `sign` -1: as it acts on the other body. */
static void put_friction(scri_vec force, scri_vec normal, double sign, uint8_t out[4])
{
    scri_vec along = scri_vec_scale(scri_vec_dot(force, normal), normal);
    scri_vec across = scri_vec_scale(sign, scri_vec_sub(force, along));
    double size = scri_vec_length(force), share = scri_vec_length(across);
    memset(out, 0, 4);
    if (!(share > 0.0)) return;
    out[0] = (uint8_t)level(share / size, 255);
    put_direction(across, out + 1);
}

bool scri_page_contact(const scri_page_plan* plan, const scree_frame* frame, int32_t contact,
                       uint8_t out[SCRI_PAGE_CONTACT])
{
    size_t c = (size_t)contact;
    uint32_t ends[2];
    for (int k = 0; k < 2; ++k) {
        int32_t body = frame->pair[2 * c + (size_t)k];
        bool dynamic = plan->info.kind[body] == SCREE_BODY_DYNAMIC;
        ends[k] = dynamic ? (uint32_t)plan->moving_before[body] : SCRI_PAGE_NO_BODY;
    }
    int first = ends[0] == SCRI_PAGE_NO_BODY;
    if (ends[first] == SCRI_PAGE_NO_BODY) return false;
    scri_vec force = load_floats(frame->force + 3 * c);
    put16(out, ends[first]);
    put16(out + 2, ends[!first]);
    put_place(&plan->range, load_floats(frame->point + 3 * c), out + 4);
    uint32_t mode = frame->mode ? frame->mode[c] : SCREE_MODE_NONE;
    put16(out + 10, mode | root_level(scri_vec_length(force), plan->force_scale, 4095) << 4);
    put_friction(force, load_floats(frame->normal + 3 * c), first ? -1.0 : 1.0, out + 12);
    return true;
}

/* The frame of a joint on one of its bodies in the world: a point and a rotation. */
static void find_side(const scree_frame* frame, const scree_recorded_joint* joint, int side,
                      scri_vec* point, scri_quat* turn)
{
    int32_t body = joint->body[side];
    *point = scri_vec_load(joint->position[side]);
    *turn = scri_quat_load(joint->rotation[side]);
    if (body < 0) return;
    scri_quat q = scri_quat_load(frame->rotation + 4 * (size_t)body);
    scri_vec centre = scri_vec_load(frame->position + 3 * (size_t)body);
    *point = scri_vec_add(centre, scri_quat_rotate(q, *point));
    *turn = scri_quat_multiply(q, *turn);
}

void scri_page_joint(const scri_page_plan* plan, const scree_frame* frame, int32_t joint,
                     uint8_t out[SCRI_PAGE_JOINT])
{
    size_t j = (size_t)joint;
    scri_vec point[2];
    scri_quat turn[2];
    for (int k = 0; k < 2; ++k) {
        find_side(frame, &plan->info.joints[j], k, &point[k], &turn[k]);
    }
    scri_vec force = scri_quat_rotate(turn[1], scri_vec_load(frame->joint_force + 3 * j));
    scri_vec torque = scri_quat_rotate(turn[1], scri_vec_load(frame->joint_torque + 3 * j));
    const double numbers[20] = {point[0].x, point[0].y, point[0].z, turn[0].w,  turn[0].x,
                                turn[0].y,  turn[0].z,  point[1].x, point[1].y, point[1].z,
                                turn[1].w,  turn[1].x,  turn[1].y,  turn[1].z,  force.x,
                                force.y,    force.z,    torque.x,   torque.y,   torque.z};
    for (int k = 0; k < 20; ++k) put_float(out + 4 * k, numbers[k]);
}

scree_shape scri_page_form(const scree_shape* shape)
{
    scree_shape form = *shape;
    for (int k = 0; k < 3; ++k) form.half_size[k] /= shape->rounding;
    form.rounding = 1.0;
    return form;
}

/* The number of the form of a rounded shape, n_rounded for a new one. */
static int32_t find_rounded(const scri_page_plan* plan, const scree_shape* s)
{
    const double same = 1e-6; /* as near as a picture shows */
    int32_t i = 0;
    for (; i < plan->n_rounded; ++i) {
        const scree_shape* other = &plan->info.shapes[plan->rounded[i]];
        bool fits = other->kind == s->kind && other->hull == s->hull;
        for (int k = 0; k < 3; ++k) {
            double one = s->half_size[k] / s->rounding, two = other->half_size[k] / other->rounding;
            fits = fits && fabs(one - two) <= same * fabs(two);
        }
        if (fits) break;
    }
    return i;
}

scree_status scri_page_find_rounded(scri_arena* arena, scri_page_plan* plan)
{
    int32_t n = plan->info.n_shapes;
    plan->rounded = scri_arena_take(arena, (size_t)n, sizeof *plan->rounded);
    if (!plan->rounded) return SCREE_ERROR_MEMORY;
    for (int32_t s = 0; s < n; ++s) {
        const scree_shape* shape = &plan->info.shapes[s];
        if (shape->rounding > 0.0 && find_rounded(plan, shape) == plan->n_rounded) {
            plan->rounded[plan->n_rounded++] = s;
        }
    }
    return SCREE_OK;
}

/* Sizes of a shape; of hulls and meshes scale, reach and the number of the form. */
static void sizes_of(const scri_page_plan* plan, const scree_shape* s, double size[3])
{
    for (int k = 0; k < 3; ++k) size[k] = s->half_size[k];
    if (s->rounding > 0.0) {
        size[0] = s->rounding;
        size[1] = scri_page_reach(s);
        size[2] = plan->info.n_hulls + find_rounded(plan, s);
        return;
    }
    for (int32_t k = 0; k < plan->info.n_hulls; ++k) {
        if (plan->info.hulls[k] == s->hull) size[2] = k;
    }
    if (s->kind != SCREE_SHAPE_MESH) return;
    size[1] = sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    size[0] = 1.0;
    for (int32_t k = 0; k < plan->info.n_meshes; ++k) {
        if (plan->info.meshes[k] == s->mesh) size[2] = k;
    }
}

void scri_page_shape(const scri_page_plan* plan, const scree_frame* frame, int32_t shape,
                     uint8_t out[SCRI_PAGE_SHAPE])
{
    const scree_shape* s = &plan->info.shapes[shape];
    int32_t body = plan->info.shape_body[shape];
    bool moves = plan->moves[body];
    scri_vec place = scri_vec_load(s->position);
    scri_quat turn = scri_quat_load(s->rotation);
    if (!moves) {
        scri_quat q = scri_quat_load(frame->rotation + 4 * (size_t)body);
        scri_vec x = scri_vec_load(frame->position + 3 * (size_t)body);
        place = scri_vec_add(x, scri_quat_rotate(q, place));
        turn = scri_quat_multiply(q, turn);
    }
    uint32_t kind = s->rounding > 0.0 ? SCREE_SHAPE_HULL : (uint32_t)s->kind;
    put32(out, kind | (uint32_t)plan->info.kind[body] << 8);
    put32(out + 4, moves ? (uint32_t)plan->moving_before[body] : UINT32_MAX);
    put32(out + 8, (uint32_t)s->material);
    double size[3];
    sizes_of(plan, s, size);
    const double numbers[10] = {size[0], size[1], size[2], place.x, place.y,
                                place.z, turn.w,  turn.x,  turn.y,  turn.z};
    for (int k = 0; k < 10; ++k) put_float(out + 12 + 4 * k, numbers[k]);
}
