/* What two boxes touch with depends on their pose in proportion: a box on a box, moved by 1e-12 to
 * 1e-4, keeps its patch, its normal, its gaps and the names of its points; edges and corners that
 * meet get the normal in the middle. */
#include "unit/collide/scene.h"

enum { N_DIRECTIONS = 48 };

/* How many times the motion anything may change. */
#define FACTOR 12.0

typedef struct resting {
    double size;     /* largest half length */
    scri_vec up, u;  /* of the lower box: normal of the face, a direction in it */
    scri_vec middle; /* of its face */
    double gap;
    double stretch; /* edges that cross at a small angle do so elsewhere by this times a motion */
} resting;

/* The upper box, shape 0, lies on the lower one with enough of its face: its centre is not farther
 * beside the middle than both allow, less a twentieth. */
static resting draw_resting(scri_random* random, scene* s)
{
    double gaps[] = {0.0, 1e-9, -1e-9, 1e-4, -1e-4}, yaws[] = {0.0, 1e-9, 1e-5, 1e-3};
    s->n = 0;
    scri_vec a = {draw_power(random, -1.0, 0.0), draw_power(random, -1.0, 0.0),
                  draw_power(random, -1.0, 0.0)};
    scri_vec b = {draw_power(random, -1.0, 0.0), draw_power(random, -1.0, 0.0),
                  draw_power(random, -1.0, 0.0)};
    if (draw_chance(random, 20.0)) b.x = a.x, b.y = a.y;
    double reach = 0.95 * (fmin(a.x, a.y) + fmin(b.x, b.y)),
           angle = draw_between(random, -3.1, 3.1);
    if (draw_chance(random, 20.0)) reach = 0.0;
    double away = reach * scri_random_uniform(random);
    double thinnest = fmin(fmin(a.x, fmin(a.y, a.z)), fmin(b.x, fmin(b.y, b.z)));
    double yaw =
        draw_chance(random, 40.0) ? yaws[draw_below(random, 4)] : draw_between(random, -1.6, 1.6);
    resting r = {.gap = thinnest * gaps[draw_below(random, 5)], .stretch = 1.0};
    double sine = 0.5 * fabs(sin(2.0 * yaw));
    if (sine > 2e-3) r.stretch = fmax(0.2 / sine, 1.0); /* below they count as parallel */
    r.size = fmax(fmax(a.x, fmax(a.y, a.z)), fmax(b.x, fmax(b.y, b.z)));
    scene_add(s, SCREE_SHAPE_BOX, a,
              (scri_vec){away * cos(angle), away * sin(angle), a.z + b.z + r.gap});
    scene_add(s, SCREE_SHAPE_BOX, b, (scri_vec){0.0, 0.0, 0.0});
    scene_turn(s, 0, scri_quat_exp((scri_vec){0.0, 0.0, yaw}));
    scri_quat turn = draw_rotation(random);
    scri_vec shift = draw_vec(random, -1.0, 1.0);
    scene_move(s, turn, shift);
    r.up = scri_quat_rotate(turn, (scri_vec){0.0, 0.0, 1.0});
    r.u = scri_quat_rotate(turn, (scri_vec){1.0, 0.0, 0.0});
    r.middle = scri_vec_add_scaled(shift, b.z, r.up);
    return r;
}

static scri_vec direction_of(const resting* r, int k)
{
    double angle = 2.0 * SCREE_PI * k / N_DIRECTIONS;
    scri_vec v = scri_vec_cross(r->up, r->u);
    return scri_vec_add_scaled(scri_vec_scale(cos(angle), r->u), sin(angle), v);
}

/* How far the points reach in a direction of the face. */
static double support_of(const resting* r, const scri_touch* t, int n, int k)
{
    double most = -1e300;
    for (int i = 0; i < n; ++i) {
        scri_vec x = scri_vec_sub(scri_vec_load(t[i].point), r->middle);
        most = fmax(most, scri_vec_dot(x, direction_of(r, k)));
    }
    return most;
}

static int is_in_face(const scene* s, int i, scri_vec x, double slack)
{
    scri_mat m = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * i));
    scri_vec y =
        scri_mat_multiply_transposed(m, scri_vec_sub(x, scri_vec_load(s->position + 3 * i)));
    return fabs(y.x) <= s->size[3 * i] + slack && fabs(y.y) <= s->size[3 * i + 1] + slack;
}

/* The points are in both faces, and what is in both faces is between the points. */
static void check_against_faces(const scene* s, const resting* r, const scri_touch* t, int n,
                                scri_random* random)
{
    double slack = 1e-11 * r->size, support[N_DIRECTIONS];
    for (int k = 0; k < N_DIRECTIONS; ++k) support[k] = support_of(r, t, n, k);
    for (int i = 0; i < n; ++i) {
        scri_vec x = scri_vec_load(t[i].point);
        require(is_in_face(s, 0, x, slack) && is_in_face(s, 1, x, slack), "point beside a face");
    }
    for (int trial = 0; trial < 40; ++trial) {
        /* corners of both, then points of the upper face, some on its edges */
        int of = trial < 4 ? 1 : 0;
        const double* half = s->size + 3 * of;
        double x = trial & 1 ? 1.0 : -1.0, y = trial & 2 ? 1.0 : -1.0;
        if (trial >= 8) x = draw_between(random, -1.0, 1.0);
        if (trial >= 24) y = draw_between(random, -1.0, 1.0);
        scri_mat m = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * of));
        scri_vec local = {x * half[0], y * half[1], of ? half[2] : -half[2]};
        scri_vec p = scri_vec_add(scri_vec_load(s->position + 3 * of), scri_mat_multiply(m, local));
        if (!is_in_face(s, 1 - of, p, 0.0)) continue;
        for (int k = 0; k < N_DIRECTIONS; ++k) {
            double along = scri_vec_dot(scri_vec_sub(p, r->middle), direction_of(r, k));
            require(along <= support[k] + slack, "the patch lacks %g", along - support[k]);
        }
    }
}

/* Moves the upper box by `motion`, in radians and in units of the size, any way. */
static void disturb(scene* s, const resting* r, double motion, scri_random* random)
{
    double axis[3], shift[3];
    draw_direction(random, axis);
    draw_direction(random, shift);
    scri_quat turn = scri_quat_exp(scri_vec_scale(motion, scri_vec_load(axis)));
    scri_quat q = scri_quat_multiply(turn, scri_quat_load(s->rotation));
    scene_turn(s, 0, scri_quat_normalize(q));
    scene_shift(s, 0, motion * r->size, shift);
}

/* Whether rounding or the motion may pass a border between two parts of a box. */
static int is_near_border(const scene* s, scri_vec x, double slack)
{
    for (int i = 0; i < 2; ++i) {
        scri_mat m = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * i));
        double y[3];
        scri_vec d = scri_vec_sub(x, scri_vec_load(s->position + 3 * i));
        scri_vec_store(scri_mat_multiply_transposed(m, d), y);
        for (int k = 0; k < 3; ++k) {
            double half = s->size[3 * i + k];
            if (fabs(fabs(y[k]) - (1.0 - 1e-3) * half) < slack) return 1;
        }
    }
    return 0;
}

/* Points that have one counterpart nearby keep their parts. Returns how many were looked at. */
static int check_features(const scene* s, const scri_touch* t, int n, const scri_touch* moved,
                          int m, double near)
{
    int looked = 0;
    for (int i = 0; i < n; ++i) {
        scri_vec x = scri_vec_load(t[i].point);
        int found = -1, count = 0;
        for (int k = 0; k < m; ++k) {
            scri_vec d = scri_vec_sub(scri_vec_load(moved[k].point), x);
            if (scri_vec_length(d) > near) continue;
            found = k;
            ++count;
        }
        if (count != 1 || is_near_border(s, x, 2.0 * near)) continue;
        require(t[i].feature % 729 == moved[found].feature % 729, "feature %u became %u",
                (unsigned)t[i].feature, (unsigned)moved[found].feature);
        ++looked;
    }
    return looked;
}

static void a_patch_moves_with_the_pose(void** state)
{
    (void)state;
    scri_random random = test_seed("a_patch_moves_with_the_pose", 41);
    scene s = scene_make(2);
    long n_features = 0;
    double worst_patch = 0.0, worst_gap = 0.0, worst_normal = 0.0;
    for (int i = 0; i < test_cases(2000, 20000); ++i) {
        scri_touch out[SCRI_MAX_TOUCHES], moved[SCRI_MAX_TOUCHES];
        resting r = draw_resting(&random, &s);
        double motion = draw_power(&random, -12.0, -4.0), margin = 0.05 * r.size;
        double unit = motion * r.size + 1e-12 * r.size;
        int n = scene_pair(&s, margin, out);
        require(n >= 3 && n <= 8, "case %d: %d points", i, n);
        check_against_faces(&s, &r, out, n, &random);
        disturb(&s, &r, motion, &random);
        int m = scene_pair(&s, margin, moved);
        require(m >= 3 && m <= 8, "case %d, motion %g: %d points became %d", i, motion, n, m);
        for (int k = 0; k < N_DIRECTIONS; ++k) {
            double change = support_of(&r, moved, m, k) - support_of(&r, out, n, k);
            worst_patch = fmax(worst_patch, fabs(change) / unit);
            require(fabs(change) <= FACTOR * r.stretch * unit,
                    "case %d, motion %g: patch moves by %g", i, motion, change);
        }
        for (int k = 0; k < m; ++k) {
            scri_vec turn = scri_vec_sub(scri_vec_load(moved[k].normal), r.up);
            double off = moved[k].gap - r.gap;
            worst_normal = fmax(worst_normal, scri_vec_length(turn) / (motion + 1e-12));
            worst_gap = fmax(worst_gap, fabs(off) / unit);
            require(scri_vec_length(turn) <= 1.01 * motion + 1e-12, "case %d: normal turns", i);
            require(fabs(off) <= FACTOR * unit, "case %d, motion %g: gap %g for %g", i, motion,
                    moved[k].gap, r.gap);
        }
        n_features += check_features(&s, out, n, moved, m, FACTOR * unit);
    }
    print_message("in units of the motion: patch %.2f, gaps %.2f, normals %.2f; %ld features\n",
                  worst_patch, worst_gap, worst_normal, n_features);
    require(n_features > 1000, "too few features looked at");
    scene_free(&s);
}

/* ---- edges and corners ---- */

/* Box 1 with an edge along y at the origin, its outer bisector turned from z by `lean`; box 0 above
 * it, upside down, likewise. */
static void put_edge_on_edge(scene* s, scri_vec a, scri_vec b, const double lean[2])
{
    const double quarter = 0.25 * SCREE_PI;
    s->n = 0;
    for (int i = 0; i < 2; ++i) {
        scri_vec half = i ? b : a;
        scri_quat turn = scri_quat_exp((scri_vec){0.0, lean[i] - quarter, 0.0});
        double side = i ? -1.0 : 1.0; /* the corner is at -x, -z of box 0, at +x, +z of box 1 */
        scri_vec corner = {side * half.x, 0.0, side * half.z};
        scene_add(s, SCREE_SHAPE_BOX, half, scri_quat_rotate(turn, corner));
        scene_turn(s, i, turn);
    }
}

/* The normals of an edge lie within 45 degrees of its bisector: what two bisectors that lean by
 * less than 90 degrees from each other have in common has its middle between them. */
static void edges_meet_with_the_middle_normal(void** state)
{
    (void)state;
    scri_random random = test_seed("edges_meet_with_the_middle_normal", 42);
    scene s = scene_make(2);
    for (int i = 0; i < test_cases(500, 5000); ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        double lean[2] = {draw_between(&random, -0.6, 0.6), draw_between(&random, -0.6, 0.6)};
        scri_vec a = draw_vec(&random, 0.2, 1.0), b = draw_vec(&random, 0.2, 1.0);
        if (fabs(lean[0] - lean[1]) > 1.4 || fabs(lean[0] - lean[1]) < 0.05) continue;
        put_edge_on_edge(&s, a, b, lean);
        double middle = 0.5 * (lean[0] + lean[1]);
        scri_vec normal = {sin(middle), 0.0, cos(middle)};
        double shift = draw_between(&random, -0.5, 0.5) * (a.y + b.y), motion = 0.0;
        s.position[1] += shift;
        double ends[2] = {fmax(shift - a.y, -b.y), fmin(shift + a.y, b.y)};
        if (i % 2) {
            motion = draw_power(&random, -12.0, -6.0);
            resting r = {.size = 1.0};
            disturb(&s, &r, motion, &random);
        }
        double slack = 2e3 * motion + 1e-11; /* edges are round to 1e-2 of a half length */
        int n = scene_pair(&s, 0.01, out);
        require(n == 2, "case %d, motion %g: %d points", i, motion, n);
        double lower = fmin(out[0].point[1], out[1].point[1]);
        double upper = fmax(out[0].point[1], out[1].point[1]);
        require(fabs(lower - ends[0]) <= slack && fabs(upper - ends[1]) <= slack,
                "case %d: from %g to %g, not %g to %g", i, lower, upper, ends[0], ends[1]);
        for (int k = 0; k < 2; ++k) {
            double off = scri_vec_length(scri_vec_sub(scri_vec_load(out[k].normal), normal));
            require(off <= slack, "case %d, motion %g: normal off by %g", i, motion, off);
            require(fabs(out[k].gap) <= 4.0 * motion + 1e-14, "case %d: gap %g", i, out[k].gap);
        }
    }
    scene_free(&s);
}

/* Two equal boxes, one the mirror image of the other in the plane z = 0, corner on corner. */
static void corners_meet_with_the_middle_normal(void** state)
{
    (void)state;
    scri_random random = test_seed("corners_meet_with_the_middle_normal", 43);
    scene s = scene_make(2);
    for (int i = 0; i < 2000; ++i) {
        scri_touch out[SCRI_MAX_TOUCHES];
        scri_vec half = draw_vec(&random, 0.2, 1.0);
        scri_quat turn = draw_rotation(&random);
        scri_mat m = scri_mat_from_quat(turn);
        if (fmin(fabs(m.m[6]), fmin(fabs(m.m[7]), fabs(m.m[8]))) < 0.15) continue;
        scri_vec corner = {copysign(half.x, m.m[6]), copysign(half.y, m.m[7]),
                           copysign(half.z, m.m[8])};
        scri_vec x = scri_quat_rotate(turn, corner);
        s.n = 0;
        scene_add(&s, SCREE_SHAPE_BOX, half, x);
        scene_add(&s, SCREE_SHAPE_BOX, half, (scri_vec){x.x, x.y, -x.z});
        scene_turn(&s, 0, turn);
        /* a mirrored box is the box turned by the mirrored rotation */
        scene_turn(&s, 1, (scri_quat){turn.w, -turn.x, -turn.y, turn.z});
        assert_int_equal(scene_pair(&s, 0.01, out), 1);
        require(fabs(out->normal[2] - 1.0) < 1e-9, "case %d: normal %g %g %g", i, out->normal[0],
                out->normal[1], out->normal[2]);
        require(fabs(out->gap) < 1e-14, "case %d: gap %g", i, out->gap);
        require(hypot(out->point[0], out->point[1]) < 1e-14, "case %d: point", i);
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_patch_moves_with_the_pose),
        cmocka_unit_test(edges_meet_with_the_middle_normal),
        cmocka_unit_test(corners_meet_with_the_middle_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
