/* Capsules against capsules and boxes: the distance against a search that knows no cases, and poses
 * in which a capsule must lie on two points. */
#include "unit/collide/scene.h"

/* Distance of a point from the core of shape i: the segment of a capsule, or the box. */
static double core_distance(const scene* s, int i, scri_vec x)
{
    scri_mat m = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * i));
    scri_vec y =
        scri_mat_multiply_transposed(m, scri_vec_sub(x, scri_vec_load(s->position + 3 * i)));
    const double* h = s->size + 3 * i;
    int box = s->kind[i] == SCREE_SHAPE_BOX;
    double a = fmax(fabs(y.x) - (box ? h[0] : 0.0), 0.0);
    double b = fmax(fabs(y.y) - (box ? h[1] : 0.0), 0.0);
    double c = fmax(fabs(y.z) - (box ? h[2] : h[1]), 0.0);
    return sqrt(a * a + b * b + c * c);
}

/* Of the segment of shape 0 from the core of shape 1: convex in the parameter, so golden sections
 * find the least. */
static double search_distance(const scene* s)
{
    scri_quat turn = scri_quat_load(s->rotation);
    scri_vec axis = scri_quat_rotate(turn, (scri_vec){0.0, 0.0, 1.0});
    scri_vec centre = scri_vec_load(s->position);
    double lower = -s->size[1], upper = s->size[1];
    for (int i = 0; i < 120; ++i) {
        double a = lower + 0.382 * (upper - lower), b = lower + 0.618 * (upper - lower);
        double at_a = core_distance(s, 1, scri_vec_add_scaled(centre, a, axis));
        double at_b = core_distance(s, 1, scri_vec_add_scaled(centre, b, axis));
        if (at_a < at_b) {
            upper = b;
        } else {
            lower = a;
        }
    }
    return core_distance(s, 1, scri_vec_add_scaled(centre, 0.5 * (lower + upper), axis));
}

/* Not turned, turned a little, or any way. */
static scri_quat draw_turn(scri_random* random)
{
    double small = draw_power(random, -10.0, -1.0);
    int how = draw_below(random, 3);
    return how == 0   ? (scri_quat){1.0, 0.0, 0.0, 0.0}
           : how == 1 ? scri_quat_exp(draw_vec(random, -small, small))
                      : draw_rotation(random);
}

static void distances(void** state)
{
    (void)state;
    scri_random random = test_seed("distances", 51);
    scene s = scene_make(2);
    long n_apart = 0;
    for (int i = 0; i < test_cases(2000, 20000); ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        scree_shape_kind kind = i % 2 ? SCREE_SHAPE_BOX : SCREE_SHAPE_CAPSULE;
        s.n = 0;
        scene_add(&s, SCREE_SHAPE_CAPSULE, draw_vec(&random, 0.1, 1.0),
                  draw_vec(&random, -1.5, 1.5));
        scene_add(&s, kind, draw_vec(&random, 0.1, 1.0), (scri_vec){0.0, 0.0, 0.0});
        scene_turn(&s, 0, draw_turn(&random));
        scene_move(&s, draw_rotation(&random), draw_vec(&random, -1.0, 1.0));
        double distance = search_distance(&s);
        double gap = distance - s.size[0] - (i % 2 ? 0.0 : s.size[3]), least = 1e300;
        int n = scene_pair(&s, 10.0, out);
        require(n >= 1 && n <= 3, "case %d: %d points", i, n);
        for (int k = 0; k < n; ++k) least = fmin(least, out[k].gap);
        if (distance < 1e-4) { /* it pierces the other one */
            require(least <= gap + 1e-4, "case %d: gap %g, at most %g expected", i, least, gap);
            continue;
        }
        ++n_apart;
        require(fabs(least - gap) <= 1.1e-6 * s.size[0] + 1e-9, "case %d: gap %.12g, not %.12g", i,
                least, gap);
    }
    require(n_apart > 300, "%ld apart", n_apart);
    scene_free(&s);
}

/* Expects two points this far apart in x with this gap and the normal z, to `slack`. */
static void expect_two(const scene* s, double from, double to, double gap, double slack)
{
    scri_touch out[SCRI_MAX_TOUCHES];
    int n = scene_pair(s, 0.01, out);
    require(n >= 2, "%d points", n);
    double lower = 1e300, upper = -1e300;
    for (int k = 0; k < n; ++k) {
        lower = fmin(lower, out[k].point[0]);
        upper = fmax(upper, out[k].point[0]);
        require(fabs(out[k].gap - gap) <= slack, "gap %g, not %g", out[k].gap, gap);
        require(fabs(out[k].normal[2] - 1.0) <= slack, "normal %g", out[k].normal[2]);
    }
    require(fabs(lower - from) <= slack && fabs(upper - to) <= slack, "%g to %g, not %g to %g",
            lower, upper, from, to);
}

/* A capsule along x on another, and on a box that it overhangs, moved a little each time. */
static void lying_capsules(void** state)
{
    (void)state;
    scri_random random = test_seed("lying_capsules", 52);
    scene s = scene_make(2);
    scri_quat along_x = scri_quat_exp((scri_vec){0.0, 0.5 * SCREE_PI, 0.0});
    for (int i = 0; i < 4000; ++i) {
        int box = i % 2;
        double motion = i < 4 ? 0.0 : draw_power(&random, -12.0, -4.0);
        double gap = draw_between(&random, -1e-3, 1e-3);
        double height = (box ? 0.3 : 0.2) + 0.1 + gap;
        s.n = 0;
        scene_add(&s, SCREE_SHAPE_CAPSULE, (scri_vec){0.1, 0.5, 0.0},
                  scri_vec_add((scri_vec){0.3, 0.0, height}, draw_vec(&random, -motion, motion)));
        scene_add(&s, box ? SCREE_SHAPE_BOX : SCREE_SHAPE_CAPSULE,
                  box ? (scri_vec){0.4, 0.2, 0.3} : (scri_vec){0.2, 0.4, 0.0},
                  (scri_vec){0.0, 0.0, 0.0});
        scri_quat turn = scri_quat_exp(draw_vec(&random, -motion, motion));
        scene_turn(&s, 0, scri_quat_multiply(turn, along_x));
        if (!box) scene_turn(&s, 1, along_x);
        expect_two(&s, -0.2, 0.4, gap, 20.0 * motion + 1e-12);
    }
    scene_free(&s);
}

/* Deep ones leave by the nearest way. */
static void pierced_boxes(void** state)
{
    (void)state;
    scene s = scene_make(2);
    scri_touch out[SCRI_MAX_TOUCHES];
    scene_add(&s, SCREE_SHAPE_CAPSULE, (scri_vec){0.1, 0.2, 0.0}, (scri_vec){0.0, 0.1, 0.35});
    scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){1.0, 1.0, 0.5}, (scri_vec){0.0, 0.0, 0.0});
    scene_turn(&s, 0, scri_quat_exp((scri_vec){0.0, 0.5 * SCREE_PI, 0.0}));
    assert_int_equal(scene_pair(&s, 0.0, out), 2);
    for (int k = 0; k < 2; ++k) {
        require(fabs(out[k].gap + 0.25) < 1e-14 && fabs(out[k].normal[2] - 1.0) < 1e-14,
                "gap %g, normal %g", out[k].gap, out[k].normal[2]);
    }
    /* across an edge: the axis passes 0.01 below the edge along y at x = 1, z = 0.5 */
    scri_vec out_of_edge = {sqrt(0.5), 0.0, sqrt(0.5)};
    scri_vec_store(scri_vec_add_scaled((scri_vec){1.0, 0.0, 0.5}, -0.01, out_of_edge), s.position);
    scene_turn(&s, 0, scri_quat_exp((scri_vec){0.0, 0.75 * SCREE_PI, 0.0}));
    assert_int_equal(scene_pair(&s, 0.0, out), 1);
    require(fabs(out->gap + 0.11) < 1e-12 && fabs(out->normal[0] - sqrt(0.5)) < 1e-12,
            "edge: gap %g, normal %g %g %g", out->gap, out->normal[0], out->normal[1],
            out->normal[2]);
    /* two capsules with one axis */
    s.n = 0;
    scene_add(&s, SCREE_SHAPE_CAPSULE, (scri_vec){0.1, 0.2, 0.0}, (scri_vec){0.0, 0.0, 0.0});
    scene_add(&s, SCREE_SHAPE_CAPSULE, (scri_vec){0.1, 0.2, 0.0}, (scri_vec){0.0, 0.0, 0.0});
    int n = scene_pair(&s, 0.0, out);
    require(n >= 1 && fabs(out->gap + 0.2) < 1e-14 && fabs(out->normal[2]) < 1e-14, "%d", n);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(lying_capsules),
        cmocka_unit_test(pierced_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
