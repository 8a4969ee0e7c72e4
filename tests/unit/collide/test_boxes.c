/* Pairs of boxes against a reference that knows no axes and no clipping, and known stacks. */
#include "unit/collide/scene.h"

static scri_vec clamp_to_box(const scene* s, int i, scri_vec x)
{
    scri_mat r = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * i));
    scri_vec centre = scri_vec_load(s->position + 3 * i);
    scri_vec y = scri_mat_multiply_transposed(r, scri_vec_sub(x, centre));
    const double* h = s->size + 3 * i;
    y.x = fmax(-h[0], fmin(h[0], y.x));
    y.y = fmax(-h[1], fmin(h[1], y.y));
    y.z = fmax(-h[2], fmin(h[2], y.z));
    return scri_vec_add(centre, scri_mat_multiply(r, y));
}

static scri_vec corner_along(const scene* s, int i, scri_vec direction)
{
    scri_mat r = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * i));
    scri_vec d = scri_mat_multiply_transposed(r, direction);
    const double* h = s->size + 3 * i;
    scri_vec y = {copysign(h[0], d.x), copysign(h[1], d.y), copysign(h[2], d.z)};
    return scri_vec_add(scri_vec_load(s->position + 3 * i), scri_mat_multiply(r, y));
}

/* Bounds on the distance by alternating projection: any two points give an upper one, and the plane
 * between them a lower one. Both are 0 for boxes that overlap or nearly touch. Returns 0 where it
 * comes to no end: nearly parallel faces that are nearly touching. */
static int reference_distance(const scene* s, double* lower, double* upper)
{
    scri_vec q = scri_vec_load(s->position + 3);
    *lower = *upper = 0.0;
    for (int i = 0; i < 50000; ++i) {
        scri_vec p = clamp_to_box(s, 0, q);
        q = clamp_to_box(s, 1, p);
        if (i % 8) continue;
        scri_vec d = scri_vec_sub(p, q);
        double length = scri_vec_length(d);
        if (length < 1e-6) {
            if (*lower == 0.0) *upper = 0.0;
            return 1;
        }
        scri_vec n = scri_vec_scale(1.0 / length, d);
        scri_vec least_a = corner_along(s, 0, scri_vec_scale(-1.0, n));
        *lower = fmax(*lower, scri_vec_dot(n, scri_vec_sub(least_a, corner_along(s, 1, n))));
        *upper = length;
        if (*upper - *lower < 1e-10) return 1;
    }
    return *lower > 0.0;
}

/* Overlap of the extents along a direction. */
static double overlap_along(const scene* s, scri_vec n)
{
    double a = scri_vec_dot(n, corner_along(s, 0, scri_vec_scale(-1.0, n)));
    return scri_vec_dot(n, corner_along(s, 1, n)) - a;
}

static void draw_boxes(scri_random* random, scene* s)
{
    double direction[3];
    s->n = 0;
    draw_direction(random, direction);
    scene_add(s, SCREE_SHAPE_BOX, draw_vec(random, 0.2, 1.0),
              scri_vec_scale(draw_between(random, 0.1, 3.0), scri_vec_load(direction)));
    scene_add(s, SCREE_SHAPE_BOX, draw_vec(random, 0.2, 1.0), (scri_vec){0.0, 0.0, 0.0});
    scri_quat turn = draw_rotation(random);
    scene_turn(s, 1, turn);
    /* some nearly parallel, some exactly, some about one axis only */
    int how = draw_below(random, 5);
    double angle = draw_power(random, -9.0, -1.0);
    scri_quat other = how == 0   ? draw_rotation(random)
                      : how == 1 ? scri_quat_exp(draw_vec(random, -angle, angle))
                      : how == 2 ? scri_quat_exp((scri_vec){0.0, draw_between(random, -2, 2), 0.0})
                      : how == 3 ? (scri_quat){1.0, 0.0, 0.0, 0.0}
                                 : draw_rotation(random);
    scene_turn(s, 0, scri_quat_normalize(scri_quat_multiply(turn, other)));
}

static double least_gap(const scri_touch* touches, int n)
{
    double least = 1e300;
    for (int k = 0; k < n; ++k) least = fmin(least, touches[k].gap);
    return least;
}

static double least_half(const scene* s)
{
    double least = s->size[0];
    for (int k = 1; k < 6; ++k) least = fmin(least, s->size[k]);
    return least;
}

static void separate_boxes(void** state)
{
    (void)state;
    scri_random random = test_seed("separate_boxes", 31);
    scene s = scene_make(2);
    long n_apart = 0, n_loose = 0;
    for (int i = 0; i < test_size(2000, 20000); ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        double lower, upper, margin = 0.5;
        draw_boxes(&random, &s);
        int n = scene_pair(&s, margin, out);
        require(n <= SCRI_MAX_TOUCHES, "%d points", n);
        if (!reference_distance(&s, &lower, &upper)) continue;
        if (upper == 0.0) {
            require(n > 0 && least_gap(out, n) < 1e-3, "case %d: gap %g, none expected", i,
                    n ? least_gap(out, n) : margin);
            continue;
        }
        ++n_apart;
        n_loose += upper - lower > 1e-8;
        double radius = 0.01 * least_half(&s);
        if (lower > margin + radius) require(n == 0, "case %d: %d points at %g", i, n, lower);
        if (upper > margin / 1.02) continue;
        require(n > 0, "case %d: no point at a distance of %g", i, upper);
        double gap = least_gap(out, n);
        /* the normal is that of boxes with round edges, and gaps are measured along it */
        require(gap > lower - radius - 5e-9 && gap < 1.01 * upper + 0.1 * radius + 5e-9,
                "case %d: gap %.12g, distance %.12g", i, gap, upper);
    }
    print_message("%ld apart, %ld with loose bounds\n", n_apart, n_loose);
    require(n_apart > 500 && n_loose < n_apart / 5, "the reference does not converge");
    scene_free(&s);
}

/* The depth is the least overlap over all directions (up to the preference for faces), and moving
 * out by it ends the overlap. */
static void overlapping_boxes(void** state)
{
    (void)state;
    scri_random random = test_seed("overlapping_boxes", 32);
    scene s = scene_make(2);
    long n_overlap = 0;
    for (int i = 0; i < test_size(500, 5000); ++i) {
        scri_touch out[SCRI_MAX_TOUCHES], moved[SCRI_MAX_TOUCHES];
        draw_boxes(&random, &s);
        int n = scene_pair(&s, 0.0, out);
        if (n == 0 || least_gap(out, n) > -1e-6) continue;
        ++n_overlap;
        double depth = -least_gap(out, n), lower, upper;
        int is_known = reference_distance(&s, &lower, &upper);
        require(!is_known || upper == 0.0, "case %d: depth %g, distance %g", i, depth, lower);
        require(depth <= 1.0101 * overlap_along(&s, scri_vec_load(out[0].normal)) + 1e-9,
                "case %d: deeper than the overlap", i);
        for (int k = 0; k < 2000; ++k) {
            double direction[3];
            draw_direction(&random, direction);
            double overlap = overlap_along(&s, scri_vec_load(direction));
            require(depth <= 1.0101 * overlap + 2e-4 * least_half(&s),
                    "case %d: depth %g, overlap %g", i, depth, overlap);
        }
        int deepest = 0;
        for (int k = 1; k < n; ++k) deepest = out[k].gap < out[deepest].gap ? k : deepest;
        scene_shift(&s, 0, 1.0102 * depth + 1e-8, out[deepest].normal);
        n = scene_pair(&s, 0.0, moved);
        require(n == 0, "case %d: still deep by %g after moving out by %g", i, -least_gap(moved, n),
                depth);
    }
    require(n_overlap > 100, "%ld overlap", n_overlap);
    scene_free(&s);
}

/* ---- stacks ---- */

/* Boxes one on the other, turned about the vertical, the whole turned in space. */
static void flat_stacks(void** state)
{
    (void)state;
    scri_random random = test_seed("flat_stacks", 33);
    scene s = scene_make(2);
    for (int i = 0; i < 2000; ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        double gap = draw_between(&random, -0.01, 0.01);
        int same = i % 2, aligned = i % 4 < 2;
        s.n = 0;
        scene_add(&s, SCREE_SHAPE_BOX, same ? (scri_vec){1, 1, 0.5} : (scri_vec){0.5, 0.4, 0.3},
                  (scri_vec){0.0, 0.0, (same ? 0.5 : 0.3) + gap});
        scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){1.0, 1.0, 0.5}, (scri_vec){0.0, 0.0, -0.5});
        double angle = aligned ? 0.0 : draw_between(&random, 0.05, 1.5);
        scene_turn(&s, 0, scri_quat_exp((scri_vec){0.0, 0.0, angle}));
        scene_move(&s, draw_rotation(&random), draw_vec(&random, -1.0, 1.0));
        if (draw_chance(&random, 50.0)) scene_swap(&s);
        int n = scene_pair(&s, 0.02, out);
        require(n == (same && !aligned ? 8 : 4), "case %d: %d points", i, n);
        for (int k = 0; k < n; ++k) {
            require(fabs(out[k].gap - gap) < 4e-15, "case %d: gap off by %g", i, out[k].gap - gap);
        }
        assert_int_equal(scene_pair(&s, fmax(gap - 1e-6, 0.0), out), gap <= 1e-6 ? n : 0);
    }
    scene_free(&s);
}

/* A cube that rocks by tiny angles on an equal one keeps the features of four corners, whichever of
 * the two gives the clipping face; points of crossing edges come and go beside them. */
static void rocking_stack(void** state)
{
    (void)state;
    scri_random random = test_seed("rocking_stack", 34);
    scene s = scene_make(2);
    uint32_t features[4];
    for (int i = 0; i < 2000; ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        double turn = i ? 1e-6 : 0.0, shift = i ? 1e-5 : 0.0;
        s.n = 0;
        scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){1.0, 1.0, 1.0},
                  scri_vec_add((scri_vec){0.0, 0.0, 2.0}, draw_vec(&random, -shift, shift)));
        scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){1.0, 1.0, 1.0}, (scri_vec){0.0, 0.0, 0.0});
        for (int k = 0; k < 2; ++k) {
            scene_turn(&s, k, scri_quat_exp(draw_vec(&random, -turn, turn)));
        }
        int n = scene_pair(&s, 0.01, out), found = 0;
        require(i ? n >= 4 && n <= 8 : n == 4, "case %d: %d points", i, n);
        for (int k = 0; k < n; ++k) {
            if (i == 0) features[k] = out[k].feature;
            for (int f = 0; f < 4; ++f) found += out[k].feature == features[f];
        }
        require(found == 4, "case %d: %d of 4 corners", i, found);
    }
    scene_free(&s);
}

static void known_contacts(void** state)
{
    (void)state;
    const double quarter = 0.25 * SCREE_PI;
    scri_touch out[SCRI_MAX_TOUCHES];
    scene s = scene_make(2);
    /* crossed edges: two square bars turned by 45 degrees about their axes, x and y */
    scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){2.0, 0.5, 0.5},
              (scri_vec){0.3, 0.2, sqrt(2.0) - 0.01});
    scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){0.5, 2.0, 0.5}, (scri_vec){0.0, 0.0, 0.0});
    scene_turn(&s, 0, scri_quat_exp((scri_vec){quarter, 0.0, 0.0}));
    scene_turn(&s, 1, scri_quat_exp((scri_vec){0.0, quarter, 0.0}));
    for (int apart = 0; apart < 2; ++apart) {
        if (apart) s.position[2] += 0.02;
        double gap = apart ? 0.01 : -0.01;
        assert_int_equal(scene_pair(&s, 0.1, out), 1);
        require(fabs(out->gap - gap) < 1e-14, "edges: gap %g", out->gap);
        require(fabs(out->normal[2] - 1.0) < 1e-14, "edges: normal");
        require(fabs(out->point[0]) < 1e-14 && fabs(out->point[1] - 0.2) < 1e-14 &&
                    fabs(out->point[2] - sqrt(0.5) - 0.5 * gap) < 1e-14,
                "edges: point %g %g %g", out->point[0], out->point[1], out->point[2]);
    }
    /* corner to corner along the diagonal */
    s.n = 0;
    scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){0.5, 0.5, 0.5}, (scri_vec){1.01, 1.01, 1.01});
    scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){0.5, 0.5, 0.5}, (scri_vec){0.0, 0.0, 0.0});
    assert_int_equal(scene_pair(&s, 0.1, out), 1);
    require(fabs(out->gap - 0.01 * sqrt(3.0)) < 1e-14, "corners: gap %g", out->gap);
    require(fabs(out->normal[0] - sqrt(1.0 / 3.0)) < 1e-12, "corners: normal");
    assert_int_equal(scene_pair(&s, 0.015, out), 0);
    /* a small box inside a large one leaves by the nearest face */
    s.size[3] = 5.0, s.size[4] = 6.0, s.size[5] = 7.0;
    s.position[0] = -4.0, s.position[1] = 0.5, s.position[2] = 0.5;
    assert_int_equal(scene_pair(&s, 0.0, out), 4);
    require(fabs(least_gap(out, 4) + 1.5) < 1e-14 && out->normal[0] == -1.0, "inside");
    /* the same place and size */
    for (int k = 0; k < 3; ++k) s.position[k] = 0.0, s.size[3 + k] = 0.5;
    int n = scene_pair(&s, 0.0, out);
    require(n == 4 && fabs(least_gap(out, n) + 1.0) < 1e-14, "coincident: %d points", n);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_boxes), cmocka_unit_test(overlapping_boxes),
        cmocka_unit_test(flat_stacks),    cmocka_unit_test(rocking_stack),
        cmocka_unit_test(known_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
