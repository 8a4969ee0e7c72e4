#include "step/course.h"

#include <math.h>
#include <string.h>

/* Places on the way that are looked at; balls inside that are tried, each half as large. */
enum { ADVANCES = 200, CORES = 9 };

/* A way that ends so close to the end of the step is not cut; nor by less than SCRI_SPARED of the
 * size. */
#define WHOLE 0.999

double scri_course_inner(const scri_shapes_table* s, int32_t i)
{
    return scri_shape_inner(s->kind[i], s->size + 3 * (size_t)i) + s->rounding[i];
}

int scri_course_has_core(const scree_world* world, int32_t shape)
{
    const scri_shapes_table* t = &world->shapes;
    return world->bodies.inv_mass[t->body[shape]] > 0.0 && t->kind[shape] != SCREE_SHAPE_TUBE;
}

void scri_two_place(const scree_world* world, int32_t shape, double core, double s, int k,
                    scri_two* out)
{
    const scri_shapes_table* t = &world->shapes;
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)t->body[shape];
    const double* way = b->path + 6 * i;
    double stop = b->stop[i], carried = s > stop ? (s - stop) / (1.0 - stop) : 0.0;
    s = fmin(s, stop);
    scri_quat turn = scri_step_rotation(scri_vec_scale(s, scri_vec_load(way + 3)));
    scri_quat pose = scri_quat_multiply(turn, scri_quat_load(b->rotation + 4 * i));
    scri_vec x = scri_vec_add_scaled(scri_vec_load(b->position + 3 * i), s, scri_vec_load(way));
    x = scri_vec_add_scaled(x, carried, scri_vec_load(b->carry + 3 * i));
    scri_vec offset = scri_quat_rotate(pose, scri_vec_load(t->offset + 3 * (size_t)shape));
    scri_quat turned = scri_quat_multiply(pose, scri_quat_load(t->turn + 4 * (size_t)shape));
    scri_vec_store(scri_vec_add(x, offset), out->position + 3 * k);
    scri_quat_store(scri_quat_normalize(turned), out->rotation + 4 * k);
    memcpy(out->size + 3 * k, t->size + 3 * (size_t)shape, 3 * sizeof(double));
    out->rounding[k] = t->rounding[shape];
    out->kind[k] = t->kind[shape];
    out->hull[k] = t->hull[shape];
    out->mesh[k] = t->mesh[shape];
    if (core == 0.0 || !scri_course_has_core(world, shape)) return;
    out->kind[k] = SCREE_SHAPE_SPHERE;
    out->rounding[k] = 0.0;
    out->size[3 * k] = core * scri_course_inner(t, shape);
}

double scri_two_distance(const scri_two* shapes, double most, scri_touch* nearest)
{
    scri_touch points[SCRI_MAX_TOUCHES];
    scri_placed placed = {.n = 2,
                          .kind = shapes->kind,
                          .size = shapes->size,
                          .rounding = shapes->rounding,
                          .hull = shapes->hull,
                          .mesh = shapes->mesh,
                          .position = shapes->position,
                          .rotation = shapes->rotation};
    int n = scri_collide_pair(&placed, 0, 1, most, points);
    for (int i = 0; i < n; ++i) {
        if (!(points[i].gap < most)) continue;
        most = points[i].gap;
        *nearest = points[i];
    }
    return most;
}

/* The same at the share s of their ways. */
static double distance_at(const scree_world* world, const scri_touch* pair, double core, double s,
                          double most, scri_touch* nearest)
{
    scri_two shapes;
    scri_two_place(world, pair->a, core, s, 0, &shapes);
    scri_two_place(world, pair->b, core, s, 1, &shapes);
    return scri_two_distance(&shapes, most, nearest);
}

/* From the place of body k to the centre of a shape, where both begin. */
static scri_vec centre_from(const scree_world* world, int32_t shape, size_t k)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)world->shapes.body[shape];
    scri_vec offset = scri_quat_rotate(scri_quat_load(b->rotation + 4 * i),
                                       scri_vec_load(world->shapes.offset + 3 * (size_t)shape));
    scri_vec apart =
        scri_vec_sub(scri_vec_load(b->position + 3 * i), scri_vec_load(b->position + 3 * k));
    return scri_vec_add(apart, offset);
}

/* How far a point of a shape goes at most as body k sees it that turns: the way of its centre, with
 * what directions change by meanwhile, and of its own turning the difference. */
static double way_seen_from(const scree_world* world, int32_t shape, size_t k)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)world->shapes.body[shape];
    scri_vec turn_i = scri_vec_load(b->path + 6 * i + 3),
             turn_k = scri_vec_load(b->path + 6 * k + 3);
    scri_vec own = centre_from(world, shape, i), arm = centre_from(world, shape, k);
    scri_vec line = scri_vec_sub(scri_vec_load(b->path + 6 * i), scri_vec_load(b->path + 6 * k));
    scri_vec way = scri_vec_add(line, scri_vec_cross(turn_i, own));
    double about = scri_vec_length(turn_i) * scri_vec_length(own);
    double bends =
        scri_vec_length(turn_i) * about + scri_vec_length(turn_k) * (about + scri_vec_length(line));
    way = scri_vec_sub(way, scri_vec_cross(turn_k, arm));
    return scri_vec_length(way) + bends +
           scri_vec_length(scri_vec_sub(turn_i, turn_k)) *
               scri_shapes_radius(&world->shapes, shape);
}

/* The most by which the two can approach, whose ways add up to `length`: less where they go or turn
 * together and nothing has stopped them, as what rides on a fast body does. */
static double most_approach(const scree_world* world, const scri_touch* pair, double length)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)scri_touch_body(world, pair, 0), k = (size_t)scri_touch_body(world, pair, 1);
    scri_vec of_i = scri_vec_load(b->path + 6 * i), of_k = scri_vec_load(b->path + 6 * k);
    if (b->stop[i] < 1.0 || b->stop[k] < 1.0) return length;
    double apart = scri_vec_length(of_i) + scri_vec_length(of_k);
    double together = fmax(0.0, length - apart) + scri_vec_length(scri_vec_sub(of_i, of_k));
    return fmin(together, fmin(way_seen_from(world, pair->a, k), way_seen_from(world, pair->b, i)));
}

double scri_course_meeting(const scree_world* world, const scri_touch* pair, double core,
                           double length, scri_touch* where)
{
    double size = scri_pair_size(world, pair->a, pair->b), enough = 0.5 * SCRI_TOUCHING * size;
    double s = 0.0, whole = fmax(WHOLE, 1.0 - SCRI_SPARED * size / length);
    for (int k = 0; k < ADVANCES && s < whole; ++k) {
        double d = distance_at(world, pair, core, s, length, where);
        if (!(d > enough)) return k > 0 ? s : -1.0;
        if (d - 0.5 * enough >= length) return 1.0;
        s += (d - 0.5 * enough) / length;
    }
    return s < whole ? s : 1.0;
}

double scri_course_cores(const scree_world* world, const scri_touch* pair, double length,
                         scri_touch* where)
{
    double s = -1.0, core = SCRI_CORE;
    for (int k = 0; k < CORES && s < 0.0; ++k) {
        s = scri_course_meeting(world, pair, core, length, where);
        core *= 0.5;
    }
    return s;
}

int scri_course_begin(const scree_world* world, const scri_touch* touches, int32_t n,
                      scri_course* course)
{
    const scri_shapes_table* t = &world->shapes;
    double inner = scri_course_inner(t, touches->a) + scri_course_inner(t, touches->b);
    double size = scri_pair_size(world, touches->a, touches->b), length = 0.0;
    double least = fmin(SCRI_CORE * inner, SCRI_FAST * size);
    for (int side = 0; side < 2; ++side) {
        size_t body = (size_t)scri_touch_body(world, touches, side);
        int32_t shape = side ? touches->b : touches->a;
        length += scri_sweep_way(world, shape, world->bodies.path + 6 * body);
    }
    int is_far = length > least; /* soon said of most pairs of a heap */
    if (!is_far && world->def.scheme != SCREE_SCHEME_IMPULSE) return 0;
    length = most_approach(world, touches, length);
    *course = (scri_course){size, length, SCREE_INFINITY, *touches};
    for (int32_t i = 0; i < n; ++i) {
        if (touches[i].gap < course->gap) course->where = touches[i];
        course->gap = fmin(course->gap, touches[i].gap);
    }
    return length > least && !(course->gap > length);
}

int scri_course_is_free(const scree_world* world, const scri_touch* touches, int32_t n)
{
    scri_course course;
    if (!scri_course_begin(world, touches, n, &course)) return 1;
    double s = scri_course_cores(world, touches, course.length, &course.where);
    return !(s >= 0.0 && s < 1.0);
}
