/* Pairs of boxes in very many poses: touching, in the same place, flat, needles, up to a million
 * times smaller than the other; against the general narrow phase, whose distances are proved, and
 * against all axes that can separate boxes. */
#include "collide/box.h"
#include "collide/convex.h"
#include "unit/collide/scene.h"

static const scri_vec zero = {0.0, 0.0, 0.0};

/* ---- poses ---- */

/* Stout, flat and needle-like, or with equal sides. */
static scri_vec draw_size(scri_random* random, double scale)
{
    int how = draw_below(random, 4);
    if (how < 2) return scri_vec_scale(scale, draw_vec(random, 0.2, 1.0));
    if (how == 2) return (scri_vec){scale, scale, scale};
    double x = draw_power(random, -3.0, 0.0), y = draw_power(random, -3.0, 0.0);
    return scri_vec_scale(scale, (scri_vec){x, y, draw_power(random, -3.0, 0.0)});
}

/* The second box against the first: any, nearly or exactly parallel, or about one axis. */
static scri_quat draw_turn(scri_random* random)
{
    int how = draw_below(random, 6);
    double angle = draw_power(random, -9.0, -1.0);
    if (how == 0) return (scri_quat){1.0, 0.0, 0.0, 0.0};
    if (how == 1) return scri_quat_exp(draw_vec(random, -angle, angle));
    if (how == 2) return scri_quat_exp((scri_vec){0.0, draw_between(random, -2.0, 2.0), 0.0});
    return draw_rotation(random);
}

static scri_box load_box(const scene* s, int i)
{
    scri_mat r = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * i));
    scri_box box = {.centre = scri_vec_load(s->position + 3 * i)};
    for (int k = 0; k < 3; ++k) {
        box.axis[k] = scri_mat_column(r, k);
        box.half[k] = s->size[3 * i + k];
    }
    return box;
}

/* Half the extent of box i along n, by the lengths of its sides. */
static double half_extent(const scene* s, int i, scri_vec n)
{
    scri_quat q = scri_quat_load(s->rotation + 4 * i), back = {q.w, -q.x, -q.y, -q.z};
    scri_vec d = scri_quat_rotate(back, n);
    const double* h = s->size + 3 * i;
    return h[0] * fabs(d.x) + h[1] * fabs(d.y) + h[2] * fabs(d.z);
}

/* How far the plane across n, which points from box 1 to box 0, keeps the two apart. */
static double apart_along(const scene* s, scri_vec n)
{
    scri_vec d = scri_vec_sub(scri_vec_load(s->position), scri_vec_load(s->position + 3));
    return scri_vec_dot(d, n) - half_extent(s, 0, n) - half_extent(s, 1, n);
}

/* From deep in each other to as far apart as they are long; a fifth touch along what is drawn,
 * often a face, and some are in the same place, or the same in all. */
static void draw_boxes(scri_random* random, scene* s)
{
    double direction[3], scale = draw_chance(random, 20.0) ? draw_power(random, -6.0, 0.0) : 1.0;
    s->n = 0;
    scene_add(s, SCREE_SHAPE_BOX, draw_size(random, scale), zero);
    scene_add(s, SCREE_SHAPE_BOX, draw_size(random, 1.0), zero);
    scri_quat turn = draw_rotation(random);
    scene_turn(s, 1, turn);
    scene_turn(s, 0, scri_quat_normalize(scri_quat_multiply(turn, draw_turn(random))));
    draw_direction(random, direction);
    scri_vec d = scri_vec_load(direction);
    if (draw_chance(random, 30.0)) d = load_box(s, 1).axis[draw_below(random, 3)];
    double touching = half_extent(s, 0, d) + half_extent(s, 1, d);
    double way = draw_chance(random, 20.0) ? 1.0 : draw_between(random, 0.0, 2.0);
    if (draw_chance(random, 2.0)) {
        way = 0.0;
        if (draw_chance(random, 50.0)) memcpy(s->size, s->size + 3, 3 * sizeof(double));
    }
    scri_vec aside = scri_vec_scale(touching, draw_vec(random, -1.0, 1.0)), at;
    aside = scri_vec_add_scaled(aside, -scri_vec_dot(aside, d), d);
    at = scri_vec_scale(way * touching, d);
    if (way > 0.0 && draw_chance(random, 50.0)) at = scri_vec_add(at, aside);
    scri_vec_store(at, s->position);
}

static double size_of(const scene* s)
{
    double size = 0.0;
    for (int i = 0; i < 6; ++i) size = fmax(size, s->size[i]);
    return size;
}

static double least_half(const scene* s)
{
    double least = SCREE_INFINITY;
    for (int i = 0; i < 6; ++i) least = fmin(least, s->size[i]);
    return least;
}

static scri_convex load_convex(const scene* s, int i)
{
    scri_placed placed = scene_placed(s);
    scri_solid solid = scri_solid_load(&placed, i);
    return scri_convex_load(s->kind[i], &solid, zero);
}

/* ---- distances ---- */

/* The distance of two boxes by their corners and edges is that of the general search; so is the
 * direction, which always is unique, as far as the distance has digits: directions that differ by
 * the root of rounding over the distance have the same one. A plane across that of the general
 * search keeps them as far apart. */
static int compare_nearest(const scene* s, int i)
{
    scri_convex a = load_convex(s, 0), b = load_convex(s, 1);
    scri_box p = load_box(s, 0), q = load_box(s, 1);
    scri_nearest x;
    double size = size_of(s);
    if (scri_nearest_of(&a, &b, SCREE_INFINITY, &x) != SCRI_APART) return 0;
    double apart = apart_along(s, x.normal), turn = size / x.distance;
    require(fabs(x.distance - apart) <= 1e-10 * size + 1e-15 * size * turn,
            "case %d: distance %g, plane %+g", i, x.distance, apart - x.distance);
    scri_facing found = scri_box_nearest(&p, &q);
    scri_vec n = scri_vec_scale(1.0 / found.distance, scri_vec_sub(found.on_a, found.on_b));
    double off = scri_vec_length(scri_vec_sub(n, x.normal));
    require(fabs(found.distance - x.distance) <= 1e-10 * size, "case %d: distance %g %+g", i,
            x.distance, found.distance - x.distance);
    require(off <= 1e-6 + 3e-8 * sqrt(turn) + 1e-14 * turn, "case %d: normal off by %g at %g", i,
            off, x.distance);
    return 1;
}

static void nearest_points_against_the_general(void** state)
{
    (void)state;
    uint64_t seed = test_seed("nearest_points_against_the_general", 35).key;
    test_range cases = test_range_of(5000, 1000000);
    long n_apart = 0;
    scene s = scene_make(2);
    for (int i = cases.from; i < cases.to; ++i) {
        scri_random random = {.key = seed, .stream = (uint64_t)i};
        draw_boxes(&random, &s);
        n_apart += compare_nearest(&s, i);
    }
    scri_random missed = {.key = 35,
                          .stream = 403222}; /* faces parallel to 1e-8, corner to corner */
    draw_boxes(&missed, &s);
    assert_true(compare_nearest(&s, 403222));
    require(n_apart >= (cases.to - cases.from) / 3, "%ld apart only", n_apart);
    scene_free(&s);
}

/* ---- contacts ---- */

/* Of all axes that can separate boxes, the one along which they are farthest apart, and how far
 * they are along the best of the others. */
typedef struct axes {
    scri_vec best;
    double most, second;
} axes;

static void try_axis(const scene* s, axes* found, scri_vec n)
{
    double length = scri_vec_length(n);
    if (!(length > 1e-5)) return;
    for (int side = -1; side <= 1; side += 2) {
        scri_vec axis = scri_vec_scale(side / length, n);
        double apart = apart_along(s, axis);
        int is_same = scri_vec_length(scri_vec_sub(axis, found->best)) < 1e-6;
        if (apart > found->most) {
            if (!is_same) found->second = found->most;
            found->most = apart;
            found->best = axis;
        } else if (!is_same) {
            found->second = fmax(found->second, apart);
        }
    }
}

static axes try_axes(const scene* s)
{
    scri_box a = load_box(s, 0), b = load_box(s, 1);
    axes found = {.most = -SCREE_INFINITY, .second = -SCREE_INFINITY};
    for (int k = 0; k < 3; ++k) {
        try_axis(s, &found, a.axis[k]);
        try_axis(s, &found, b.axis[k]);
        for (int m = 0; m < 3; ++m) try_axis(s, &found, scri_vec_cross(a.axis[k], b.axis[m]));
    }
    return found;
}

typedef struct tally {
    long n_apart, n_deep, n_deeper, n_unique;
} tally;

/* The least gap is the distance, but for the tilt of the normal; less by no more than corners stick
 * out of round ones, and what the general narrow phase finds. */
static void check_apart(const scene* s, double least, double distance, int i)
{
    scri_touch out[SCRI_MAX_TOUCHES];
    scri_convex a = load_convex(s, 0), b = load_convex(s, 1);
    double size = size_of(s), layer = 0.01 * least_half(s), other = SCREE_INFINITY;
    require(least <= 1.01 * distance + 0.1 * layer + 1e-10 * size &&
                least >= distance - 1.8 * layer - 1e-10 * size,
            "case %d: gap %g, distance %g", i, least, distance);
    int n = scri_convex_touch(&a, &b, zero, SCREE_INFINITY, out);
    for (int k = 0; k < n; ++k) other = fmin(other, out[k].gap);
    require(fabs(least - other) <= 0.3 * layer + 0.01 * distance + 1e-10 * size,
            "case %d: gap %g, %g as any two shapes", i, least, other);
}

/* Whether faces of the two nearly look at each other: these keep their normals. */
static int is_flat(const scene* s)
{
    scri_box a = load_box(s, 0), b = load_box(s, 1);
    double least = 1.0;
    for (int k = 0; k < 9; ++k) {
        scri_vec across = scri_vec_cross(a.axis[k / 3], b.axis[k % 3]);
        least = fmin(least, scri_vec_length(across));
    }
    return least < 0.06;
}

/* The depth is the least along any axis, and the normal is that axis where there is one; but for
 * overlaps no deeper than the layers that round edges stand for, and for nearly parallel faces. */
static void check_deep(const scene* s, const scri_touch* deepest, const axes* known, int i,
                       tally* count)
{
    double size = size_of(s), depth = -deepest->gap, least = -known->most;
    double off = scri_vec_length(scri_vec_sub(known->best, scri_vec_load(deepest->normal)));
    require(depth >= least - 1e-9 * size && depth <= least / 0.99 + 0.02 * size,
            "case %d: depth %g, along axes %g", i, depth, least);
    int is_deeper = depth > least / 0.99 + 2e-9 * size;
    ++count->n_deep;
    count->n_deeper += is_deeper;
    if (is_flat(s) || !(least > 0.035 * least_half(s))) return;
    require(!is_deeper, "case %d: depth %g, along axes %g", i, depth, least);
    if (!(-known->second > 1.02 * least)) return;
    ++count->n_unique;
    require(off <= 1e-6, "case %d: normal off by %g", i, off);
}

static void check_contacts(const scene* s, int i, tally* count)
{
    scri_touch out[SCRI_MAX_TOUCHES];
    scri_convex a = load_convex(s, 0), b = load_convex(s, 1);
    scri_nearest x;
    double size = size_of(s);
    int n = scene_pair(s, SCREE_INFINITY, out), deepest = 0;
    require(n >= 1 && n <= SCRI_MAX_TOUCHES, "case %d: %d points", i, n);
    for (int k = 0; k < n; ++k) {
        scri_vec normal = scri_vec_load(out[k].normal);
        require(fabs(scri_vec_length(normal) - 1.0) <= 1e-14, "case %d: length 1 %+g", i,
                scri_vec_length(normal) - 1.0);
        require(out[k].gap >= apart_along(s, normal) - 1e-10 * size, "case %d: gap %g, planes %g",
                i, out[k].gap, apart_along(s, normal));
        deepest = out[k].gap < out[deepest].gap ? k : deepest;
    }
    if (scri_nearest_of(&a, &b, SCREE_INFINITY, &x) == SCRI_APART) {
        ++count->n_apart;
        check_apart(s, out[deepest].gap, x.distance, i);
    } else {
        axes known = try_axes(s);
        require(known.most <= 1e-12 * size, "case %d: overlap, %g apart", i, known.most);
        if (known.most < -1e-9 * size) check_deep(s, &out[deepest], &known, i, count);
    }
}

static void contacts_against_the_general(void** state)
{
    (void)state;
    uint64_t seed = test_seed("contacts_against_the_general", 36).key;
    test_range cases = test_range_of(5000, 1000000);
    tally count = {0};
    scene s = scene_make(2);
    for (int i = cases.from; i < cases.to; ++i) {
        scri_random random = {.key = seed, .stream = (uint64_t)i};
        draw_boxes(&random, &s);
        check_contacts(&s, i, &count);
    }
    print_message("%ld apart; %ld overlap, %ld by more than the least; %ld normals unique\n",
                  count.n_apart, count.n_deep, count.n_deeper, count.n_unique);
    require(count.n_deeper <= 2 + count.n_deep / 5000, "%ld are deeper", count.n_deeper);
    require(count.n_apart >= (cases.to - cases.from) / 3 &&
                count.n_unique >= (cases.to - cases.from) / 20,
            "%ld apart, %ld unique", count.n_apart, count.n_unique);
    scene_free(&s);
}

/* Corners beside what two tilted faces have in common that were missed: the gap was up to a tenth
 * more than the distance. */
static void poses_once_missed(void** state)
{
    (void)state;
    static const uint64_t missed[] = {1002, 51749, 64790, 183942};
    tally count = {0};
    scene s = scene_make(2);
    for (size_t k = 0; k < sizeof missed / sizeof *missed; ++k) {
        scri_random random = {.key = 36, .stream = missed[k]};
        draw_boxes(&random, &s);
        check_contacts(&s, (int)missed[k], &count);
    }
    assert_int_equal(count.n_apart, 4);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points_against_the_general),
        cmocka_unit_test(contacts_against_the_general),
        cmocka_unit_test(poses_once_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
