/* Which frames of a recording a page shows, and the ranges in which it rounds their numbers. */
#include "base/compiler.h"
#include "io/page.h"
#include "io/recording_layout.h"

#include <math.h>
#include <stdlib.h>

/* ---- the range ---- */

void scri_page_range_begin(const scree_recording_info* info, scri_page_range* out)
{
    bool environment = false, half_space = false;
    for (int32_t s = 0; s < info->n_shapes; ++s) {
        if (info->kind[info->shape_body[s]] != SCREE_BODY_DYNAMIC) environment = true;
        if (info->shapes[s].kind == SCREE_SHAPE_HALF_SPACE) half_space = true;
    }
    *out = (scri_page_range){.endless = !environment || half_space};
    for (int i = 0; i < 3; ++i) {
        out->home_low[i] = out->low[i] = SCREE_INFINITY;
        out->home_high[i] = out->high[i] = -SCREE_INFINITY;
    }
}

static void widen(double low[3], double high[3], const double x[3], double reach)
{
    for (int i = 0; i < 3; ++i) {
        if (x[i] - reach < low[i]) low[i] = x[i] - reach;
        if (x[i] + reach > high[i]) high[i] = x[i] + reach;
    }
}

static double norm(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

double scri_page_reach(const scree_shape* s)
{
    const double* a = s->half_size;
    double reach = 0.0;
    switch (s->kind) {
    case SCREE_SHAPE_SPHERE:
        reach = a[0];
        break;
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_MESH:
        reach = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        break;
    case SCREE_SHAPE_CAPSULE:
        reach = a[0] + a[1];
        break;
    case SCREE_SHAPE_CYLINDER:
    case SCREE_SHAPE_TUBE:
        reach = sqrt(a[0] * a[0] + a[1] * a[1]);
        break;
    case SCREE_SHAPE_HULL:
        reach = a[1];
        break;
    case SCREE_SHAPE_ELLIPSOID:
        reach = fmax(a[0], fmax(a[1], a[2]));
        break;
    case SCREE_SHAPE_CONE:
        reach = fmax(1.5 * a[1], sqrt(a[0] * a[0] + 0.25 * a[1] * a[1]));
        break;
    case SCREE_SHAPE_HALF_SPACE:
    case SCREE_SHAPE_COUNT:
        break;
    }
    return reach + s->rounding;
}

static void widen_home(const scree_recording_info* info, const scree_frame* f,
                       scri_page_range* range)
{
    for (int32_t s = 0; s < info->n_shapes && info->shape_body[s] < f->n_bodies; ++s) {
        int32_t b = info->shape_body[s];
        if (info->kind[b] == SCREE_BODY_DYNAMIC) continue;
        widen(range->home_low, range->home_high, f->position + 3 * (size_t)b,
              scri_page_reach(&info->shapes[s]) + norm(info->shapes[s].position));
    }
    for (; range->n_released < f->n_bodies; ++range->n_released) {
        widen(range->home_low, range->home_high, f->position + 3 * (size_t)range->n_released, 0.0);
    }
}

bool scri_page_range_lost(const scri_page_range* range, const double x[3])
{
    double width2 = 0.0, away2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        if (!isfinite(x[i])) return true;
        double width = range->home_high[i] - range->home_low[i];
        double away = fmax(0.0, fmax(range->home_low[i] - x[i], x[i] - range->home_high[i]));
        width2 += width * width;
        away2 += away * away;
    }
    return !range->endless && !(away2 <= width2);
}

void scri_page_range_add(const scree_recording_info* info, const bool* moves, const scree_frame* f,
                         scri_page_range* range)
{
    widen_home(info, f, range);
    for (int32_t b = 0; b < f->n_bodies; ++b) {
        const double* x = f->position + 3 * (size_t)b;
        if (!moves[b] || scri_page_range_lost(range, x)) continue;
        widen(range->low, range->high, x, 0.0);
    }
    for (int32_t c = 0; c < f->n_contacts; ++c) {
        const float* p = f->point + 3 * (size_t)c;
        const double x[3] = {(double)p[0], (double)p[1], (double)p[2]};
        if (!scri_page_range_lost(range, x)) widen(range->low, range->high, x, 0.0);
    }
}

/* ---- the plan ---- */

/* Frames of every `stride`-th index, and the last one. */
static int64_t count_frames(int64_t n, int64_t stride)
{
    return (n - 1 + stride - 1) / stride + 1;
}

/* Static bodies stand where they are in the last frame, unless they are gone by then. */
static scree_status count_moving(scri_arena* arena, scree_recording* recording,
                                 scri_page_plan* plan)
{
    int32_t n = plan->info.n_bodies;
    scree_frame last;
    scree_status status = scree_recording_read(recording, plan->info.n_frames - 1, &last);
    if (status) return status;
    plan->moves = scri_arena_take(arena, (size_t)n, sizeof *plan->moves);
    plan->moving_before = scri_arena_take(arena, (size_t)n + 1, sizeof *plan->moving_before);
    if (!plan->moves || !plan->moving_before) return SCREE_ERROR_MEMORY;
    for (int32_t b = 0; b < n; ++b) {
        plan->moves[b] = plan->info.kind[b] != SCREE_BODY_STATIC || !scree_frame_holds(&last, b);
        plan->moving_before[b + 1] = plan->moving_before[b] + plan->moves[b];
    }
    plan->n_moving = plan->moving_before[n];
    return SCREE_OK;
}

static void raise_to(double* most, double value)
{
    if (isfinite(value) && value > *most) *most = value;
}

static void measure(const scree_frame* f, scri_page_plan* plan)
{
    for (int32_t b = 0; b < f->n_bodies; ++b) {
        bool lost = scri_page_range_lost(&plan->range, f->position + 3 * (size_t)b);
        if (lost || plan->info.kind[b] != SCREE_BODY_DYNAMIC) continue;
        raise_to(&plan->speed_max, norm(f->velocity + 3 * (size_t)b));
        raise_to(&plan->spin_max, norm(f->angular_velocity + 3 * (size_t)b));
    }
}

static double largest_force(const scree_frame* f)
{
    double most = 0.0;
    for (int32_t c = 0; c < f->n_contacts; ++c) {
        const float* r = f->force + 3 * (size_t)c;
        const double force[3] = {(double)r[0], (double)r[1], (double)r[2]};
        raise_to(&most, norm(force));
    }
    return most;
}

static double largest_of(const double* vectors, int32_t n)
{
    double most = 0.0;
    for (size_t k = 0; k < (size_t)n; ++k) raise_to(&most, norm(vectors + 3 * k));
    return most;
}

static scri_page_frame note(const scri_page_plan* plan, const scree_frame* f, int64_t index)
{
    return (scri_page_frame){.index = index,
                             .time = f->time,
                             .bodies = f->n_bodies,
                             .moving = plan->moving_before[f->n_bodies],
                             .contacts = f->n_contacts,
                             .joints = f->n_joints,
                             .force = largest_force(f),
                             .reaction = largest_of(f->joint_force, f->n_joints),
                             .torque = largest_of(f->joint_torque, f->n_joints),
                             .kinetic = f->kinetic,
                             .residual = f->residual_max,
                             .penetration = f->penetration_max};
}

/* Number k of the frames 0, stride, 2 stride, ... of n, of which the last one ends the list. */
static int64_t nth_frame(int64_t n, int64_t stride, int64_t k)
{
    return k * stride < n ? k * stride : n - 1;
}

static void count_bytes(const scri_page_plan* plan, int64_t stride, int64_t* poses,
                        int64_t* contacts, int64_t* joints)
{
    *poses = *contacts = *joints = 0;
    for (int64_t k = 0; k < count_frames(plan->n_frames, stride); ++k) {
        const scri_page_frame* f = &plan->frames[nth_frame(plan->n_frames, stride, k)];
        *poses += SCRI_PAGE_POSE * (int64_t)f->moving;
        *contacts += SCRI_PAGE_CONTACT * (int64_t)f->contacts;
        *joints += SCRI_PAGE_JOINT * (int64_t)f->joints;
    }
}

/* Leaves out frames until the poses fit, then decides on contacts and joints. */
static void thin_out(int64_t limit, scri_page_plan* plan)
{
    int64_t stride = 1, poses, contacts, joints;
    count_bytes(plan, stride, &poses, &contacts, &joints);
    while (poses > limit && stride < plan->n_frames) {
        count_bytes(plan, ++stride, &poses, &contacts, &joints);
    }
    plan->has_contacts = poses + contacts <= limit && plan->n_moving <= SCRI_PAGE_NO_BODY;
    plan->has_modes = plan->has_contacts && scri_column_is_in(SCRI_COLUMN_MODE, plan->info.schema);
    if (plan->has_contacts) poses += contacts;
    plan->has_joints = joints > 0 && poses + joints <= limit;
    int64_t n = count_frames(plan->n_frames, stride);
    for (int64_t k = 0; k < n; ++k) {
        plan->frames[k] = plan->frames[nth_frame(plan->n_frames, stride, k)];
    }
    plan->n_frames = n;
}

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* The median over the frames in which it is positive: an impact exceeds the forces at rest a
 * hundred times, and must not make them invisible. Reorders the values. */
static double median_of(double* value, int64_t n_values)
{
    size_t n = 0;
    for (int64_t k = 0; k < n_values; ++k) {
        if (value[k] > 0.0) value[n++] = value[k];
    }
    qsort(value, n, sizeof *value, compare_numbers);
    return n > 0 ? value[n / 2] : 0.0;
}

/* Of a reaction beside other forces; torques are those over the size of what is seen. */
static const double ROUNDING = 1e-9;

static double width_of(const scri_page_range* range)
{
    const double size[3] = {range->high[0] - range->low[0], range->high[1] - range->low[1],
                            range->high[2] - range->low[2]};
    double width = norm(size);
    return isfinite(width) ? width : 0.0;
}

static scree_status find_scales(scri_arena* arena, scri_page_plan* plan)
{
    int64_t n = plan->n_frames;
    double* value = scri_arena_take(arena, (size_t)n, sizeof *value);
    if (!value) return SCREE_ERROR_MEMORY;
    for (int64_t k = 0; k < n; ++k) value[k] = plan->frames[k].force;
    plan->force_scale = median_of(value, n);
    for (int64_t k = 0; k < n; ++k) value[k] = plan->frames[k].reaction;
    plan->reaction_scale = median_of(value, n);
    for (int64_t k = 0; k < n; ++k) value[k] = plan->frames[k].torque;
    plan->torque_scale = median_of(value, n);
    double size = width_of(&plan->range), most = fmax(plan->force_scale, plan->reaction_scale);
    if (plan->torque_scale <= ROUNDING * size * most) plan->torque_scale = 0.0;
    if (size > 0.0) most = fmax(most, plan->torque_scale / size);
    if (plan->reaction_scale <= ROUNDING * most) plan->reaction_scale = 0.0;
    return SCREE_OK;
}

/* Every frame that may be shown, at most SCRI_PAGE_FRAMES and one. */
static scree_status read_frames(scree_recording* recording, scri_page_plan* plan)
{
    int64_t n = plan->info.n_frames, stride = (n + SCRI_PAGE_FRAMES - 1) / SCRI_PAGE_FRAMES;
    for (; plan->n_frames < count_frames(n, stride); ++plan->n_frames) {
        int64_t index = nth_frame(n, stride, plan->n_frames);
        scree_frame frame;
        scree_status status = scree_recording_read(recording, index, &frame);
        if (status) return status;
        plan->frames[plan->n_frames] = note(plan, &frame, index);
        scri_page_range_add(&plan->info, plan->moves, &frame, &plan->range);
        measure(&frame, plan);
    }
    return SCREE_OK;
}

scree_status scri_page_plan_make(scri_arena* arena, scree_recording* recording, int64_t limit,
                                 scri_page_plan* out)
{
    *out = (scri_page_plan){.info = scree_recording_get_info(recording)};
    out->frames = scri_arena_take(arena, SCRI_PAGE_FRAMES + 1, sizeof *out->frames);
    if (!out->frames) return SCREE_ERROR_MEMORY;
    scri_page_range_begin(&out->info, &out->range);
    scree_status status = count_moving(arena, recording, out);
    if (!status) status = scri_page_find_rounded(arena, out);
    if (!status) status = read_frames(recording, out);
    if (!status) status = find_scales(arena, out);
    if (!status) thin_out(limit, out);
    return status;
}
