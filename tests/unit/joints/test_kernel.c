/* Rows of joints against finite differences of what they measure, where their constraints hold. */
#include "joints/joint_kernel.h"
#include "support/draw.h"
#include "support/test.h"

/* A body with a frame on it. */
typedef struct held {
    double position[3], rotation[4], frame_position[3], frame_rotation[4];
} held;

static scri_quat draw_turn(scri_random* random)
{
    double frame[4];
    for (int i = 0; i < 4; ++i) frame[i] = draw_between(random, -1.0, 1.0);
    return scri_quat_normalize(scri_quat_load(frame));
}

static scri_quat back(scri_quat q)
{
    return (scri_quat){q.w, -q.x, -q.y, -q.z};
}

static scri_joint_side side_of(const held* h)
{
    return scri_joint_place_side(h->position, h->rotation, h->frame_position, h->frame_rotation);
}

/* Puts A where its frame is that of B, moved by coordinates x as the kind allows it. */
static void put(scree_joint_kind kind, const double x[3], const held* b, held* a)
{
    scri_joint_side s = side_of(b);
    scri_vec slide = {0.0, 0.0, 0.0};
    scri_vec turn = {0.0, 0.0, 0.0};
    scri_quat q = s.turn, about;
    if (kind == SCREE_JOINT_SLIDER || kind == SCREE_JOINT_CYLINDRICAL) slide.x = x[0];
    if (kind == SCREE_JOINT_SCREW) slide.x = 0.3 * x[0];
    if (kind == SCREE_JOINT_PLANAR) slide.y = x[0], slide.z = x[1];
    if (kind == SCREE_JOINT_DISTANCE || kind == SCREE_JOINT_ROPE) slide.y = 0.7;
    if (kind == SCREE_JOINT_HINGE || kind == SCREE_JOINT_SCREW) turn.x = x[0];
    if (kind == SCREE_JOINT_CYLINDRICAL) turn.x = x[1];
    if (kind == SCREE_JOINT_PLANAR) turn.x = x[2];
    if (kind == SCREE_JOINT_BALL || kind == SCREE_JOINT_DISTANCE) turn = (scri_vec){0.3, -0.5, 0.2};
    if (kind == SCREE_JOINT_UNIVERSAL) {
        about = scri_quat_exp((scri_vec){0.0, x[1], 0.0});
        q = scri_quat_multiply(q, about);
        turn.x = x[0];
    }
    q = scri_quat_multiply(q, scri_quat_exp(turn));
    scri_vec point = scri_vec_add(s.point, scri_quat_rotate(s.turn, slide));
    scri_quat rotation = scri_quat_multiply(q, back(scri_quat_load(a->frame_rotation)));
    scri_vec arm = scri_quat_rotate(rotation, scri_vec_load(a->frame_position));
    scri_quat_store(scri_quat_normalize(rotation), a->rotation);
    scri_vec_store(scri_vec_sub(point, arm), a->position);
}

static void move(held* h, const double* v, double t)
{
    scri_quat turn = scri_quat_exp(scri_vec_scale(t, scri_vec_load(v + 3)));
    scri_quat q = scri_quat_multiply(turn, scri_quat_load(h->rotation));
    scri_quat_store(scri_quat_normalize(q), h->rotation);
    for (int i = 0; i < 3; ++i) h->position[i] += t * v[i];
}

/* Errors [6] and coordinates [3] of two bodies. */
static int evaluate(scree_joint_kind kind, const held* a, const held* b, const held* a0,
                    const held* b0, scri_joint_rows* rows, double* x, double row[3][12])
{
    scri_joint_side s[2] = {side_of(a), side_of(b)}, s0[2] = {side_of(a0), side_of(b0)};
    scri_joint_terms terms = {.length = 0.7, .ratio = 0.3};
    for (int k = 0; k < 2; ++k) {
        double start[4];
        scri_quat_store(s0[k].turn, start);
        terms.turn[k] = scri_joint_own_turn(&s[k], start);
    }
    if (kind == SCREE_JOINT_SCREW) terms.turn[0] = scri_joint_angle(s);
    terms.slide = scri_vec_dot(s[0].axis[0], scri_vec_sub(s[0].point, s0[0].point));
    scri_joint_constraints(kind, s, &terms, rows);
    int n = scri_joint_freedoms(kind);
    for (int i = 0; i < n; ++i) x[i] = scri_joint_freedom(kind, i, s, row[i]);
    return n;
}

static double product(const double* row, const double* v)
{
    double sum = 0.0;
    for (int i = 0; i < 12; ++i) sum += row[i] * v[i];
    return sum;
}

static void one_case(scri_random* random, scree_joint_kind kind)
{
    held a = {{0.0}, {0.0}, {0.0}, {0.0}}, b = a;
    double x[3], v[12], at[3][3], row[3][12], unused[3][12], step = 1e-5;
    scri_joint_rows rows, moved[2];
    for (int i = 0; i < 3; ++i) {
        x[i] = draw_between(random, -1.2, 1.2);
        b.position[i] = draw_between(random, -2.0, 2.0);
        a.frame_position[i] = draw_between(random, -0.5, 0.5);
        b.frame_position[i] = draw_between(random, -0.5, 0.5);
    }
    for (int i = 0; i < 12; ++i) v[i] = draw_between(random, -1.0, 1.0);
    scri_quat_store(draw_turn(random), b.rotation);
    scri_quat_store(draw_turn(random), a.frame_rotation);
    scri_quat_store(draw_turn(random), b.frame_rotation);
    put(kind, x, &b, &a);
    int n = evaluate(kind, &a, &b, &a, &b, &rows, at[2], row), counts[3];
    scri_joint_counts(kind, counts);
    for (int k = 0; k < 3; ++k) assert_int_equal(rows.n[k], counts[k]);
    for (int k = 0; k < 2; ++k) {
        held c = a, d = b;
        move(&c, v, k ? step : -step);
        move(&d, v + 6, k ? step : -step);
        evaluate(kind, &c, &d, &a, &b, &moved[k], at[k], unused);
    }
    int total = rows.n[0] + rows.n[1] + rows.n[2];
    for (int i = 0; i < total; ++i) {
        double rate = (moved[1].error[i] - moved[0].error[i]) / (2.0 * step);
        require(fabs(rows.error[i]) <= 1e-14, "kind %d: row %d is off by %g", (int)kind, i,
                rows.error[i]);
        require(fabs(rate - product(rows.row + 12 * (size_t)i, v)) <= 1e-8,
                "kind %d: row %d gives %g, not %g", (int)kind, i,
                product(rows.row + 12 * (size_t)i, v), rate);
    }
    /* coordinates change as their rows say where motion keeps the constraints: along freedoms */
    for (int i = 0; i < n; ++i) {
        double free = kind == SCREE_JOINT_DISTANCE || kind == SCREE_JOINT_ROPE ? 0.7 : x[i];
        require(fabs(at[2][i] - free) <= 1e-13, "kind %d: coordinate %d is %g, not %g", (int)kind,
                i, at[2][i], free);
    }
}

static void rows_are_derivatives(void** state)
{
    (void)state;
    scri_random random = test_seed("joint_kernel", 1);
    for (int k = 0; k < test_cases(200, 20000); ++k) {
        for (int kind = 0; kind < SCREE_JOINT_CURVE; ++kind) {
            one_case(&random, (scree_joint_kind)kind);
        }
    }
}

static void turns_are_counted(void** state)
{
    (void)state;
    double near = 0.0;
    for (int k = 0; k <= 1000; ++k) {
        double angle = 0.05 * k, wrapped = atan2(sin(angle), cos(angle));
        near = scri_joint_unwind(wrapped, near);
        require(fabs(near - angle) <= 1e-12, "%g is taken for %g", angle, near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_derivatives),
        cmocka_unit_test(turns_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
