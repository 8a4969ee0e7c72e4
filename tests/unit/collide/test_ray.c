/* Rays against single shapes: closed forms against sphere tracing with distances, which knows
 * nothing of them. */
#include "collide/query.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

typedef struct one {
    scree_shape_kind kind;
    double size[3], position[3], rotation[4];
} one;

static scri_placed placed_of(const one* s)
{
    return (scri_placed){.n = 1,
                         .kind = &s->kind,
                         .size = s->size,
                         .position = s->position,
                         .rotation = s->rotation};
}

/* Of a point in the frame of the ellipsoid: the nearest point of the surface is a_i^2 x_i / (t +
 * a_i^2), with t found by Newton's method from the side where that is monotonic. */
static double ellipsoid_distance(const double a[3], const double x[3])
{
    int least = a[0] < a[1] ? 0 : 1;
    if (a[2] < a[least]) least = 2;
    double t = a[least] * (fabs(x[least]) - a[least]);
    for (int step = 0; step < 100; ++step) {
        double sum = -1.0, slope = 0.0;
        for (int k = 0; k < 3; ++k) {
            double share = a[k] * x[k] / (t + a[k] * a[k]);
            sum += share * share;
            slope -= 2.0 * share * share / (t + a[k] * a[k]);
        }
        if (!(sum > 1e-15)) break;
        t -= sum / slope;
    }
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double off = x[k] * t / (t + a[k] * a[k]);
        square += off * off;
    }
    return copysign(sqrt(square), t);
}

/* In the plane of the axis: distances from the base and from the line to the apex. */
static double cone_distance(double radius, double half, double rho, double z)
{
    double slant = hypot(radius, 2.0 * half), below = -0.5 * half - z;
    double along = ((radius - rho) * radius + (z + 0.5 * half) * 2.0 * half) / slant;
    double beside = ((rho - radius) * 2.0 * half + (z + 0.5 * half) * radius) / slant;
    if (beside <= 0.0 && below <= 0.0) return fmax(beside, below);
    double to_side = hypot(beside, along - fmin(fmax(along, 0.0), slant));
    return fmin(to_side, hypot(below, fmax(rho - radius, 0.0)));
}

/* Signed distance of a point of the world from the surface, negative inside. */
static double distance(const one* s, scri_vec x)
{
    scri_vec away = scri_vec_sub(x, scri_vec_load(s->position));
    scri_quat turn = scri_quat_load(s->rotation);
    scri_quat back = {turn.w, -turn.x, -turn.y, -turn.z};
    scri_vec p = scri_quat_rotate(back, away);
    double a, b, c, own[3];
    switch (s->kind) {
    case SCREE_SHAPE_ELLIPSOID:
        scri_vec_store(p, own);
        return ellipsoid_distance(s->size, own);
    case SCREE_SHAPE_CONE:
        return cone_distance(s->size[0], s->size[1], hypot(p.x, p.y), p.z);
    case SCREE_SHAPE_SPHERE:
        return scri_vec_length(p) - s->size[0];
    case SCREE_SHAPE_HALF_SPACE:
        return p.z;
    case SCREE_SHAPE_CAPSULE:
        p.z -= fmin(fmax(p.z, -s->size[1]), s->size[1]);
        return scri_vec_length(p) - s->size[0];
    case SCREE_SHAPE_CYLINDER:
        a = sqrt(p.x * p.x + p.y * p.y) - s->size[0];
        b = fabs(p.z) - s->size[1];
        c = -1e300;
        break;
    default:
        a = fabs(p.x) - s->size[0];
        b = fabs(p.y) - s->size[1];
        c = fabs(p.z) - s->size[2];
    }
    double inside = fmin(fmax(a, fmax(b, c)), 0.0);
    a = fmax(a, 0.0);
    b = fmax(b, 0.0);
    c = fmax(c, 0.0);
    return inside + sqrt(a * a + b * b + c * c);
}

static double distance_at(const one* s, const scri_ray* ray, double share)
{
    return distance(s, scri_vec_add_scaled(ray->origin, share, ray->way));
}

/* The least distance on the way: distances from a convex shape are convex along a line. */
static double least_distance(const one* s, const scri_ray* ray)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 120; ++k) {
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (distance_at(s, ray, a) < distance_at(s, ray, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return distance_at(s, ray, low);
}

/* The share at which the distance vanishes first; 2: never. */
static double trace(const one* s, const scri_ray* ray)
{
    double share = 0.0, length = scri_vec_length(ray->way);
    for (int k = 0; k < 20000 && share <= 1.0; ++k) {
        double d = distance_at(s, ray, share);
        if (d <= 1e-13) return share;
        share += d / length;
    }
    return share <= 1.0 ? share : 2.0;
}

static one draw_shape(scri_random* random, int kind)
{
    one s = {.kind = (scree_shape_kind)kind};
    for (int k = 0; k < 3; ++k) {
        s.size[k] = exp(2.0 * scri_random_uniform(random) - 1.5);
        s.position[k] = 2.0 * scri_random_uniform(random) - 1.0;
    }
    double axis[3];
    draw_direction(random, axis);
    scri_vec turn = scri_vec_scale(draw_between(random, 0.0, 3.0), scri_vec_load(axis));
    scri_quat_store(scri_quat_exp(turn), s.rotation);
    return s;
}

static void rays_meet_as_distances_say(void** state)
{
    (void)state;
    scri_random random = test_seed("rays_meet_as_distances_say", 11);
    static const scree_shape_kind kinds[] = {
        SCREE_SHAPE_SPHERE,   SCREE_SHAPE_HALF_SPACE, SCREE_SHAPE_BOX, SCREE_SHAPE_CAPSULE,
        SCREE_SHAPE_CYLINDER, SCREE_SHAPE_ELLIPSOID,  SCREE_SHAPE_CONE};
    enum { N_KINDS = sizeof kinds / sizeof *kinds };
    int met[SCREE_SHAPE_COUNT] = {0}, missed[SCREE_SHAPE_COUNT] = {0};
    for (int k = 0; k < test_cases(20000, 400000); ++k) {
        one s = draw_shape(&random, (int)kinds[k % N_KINDS]);
        scri_placed placed = placed_of(&s);
        double x[6], share = -1.0;
        for (int j = 0; j < 6; ++j) x[j] = draw_between(&random, -2.0, 2.0);
        scri_ray ray = {scri_vec_load(x), {0.0, 0.0, 0.0}};
        scri_vec target = scri_vec_add(scri_vec_load(s.position), scri_vec_load(x + 3));
        ray.way = scri_vec_scale(draw_between(&random, 0.2, 2.0), scri_vec_sub(target, ray.origin));
        scri_vec normal = {0.0, 0.0, 0.0};
        int meets = scri_ray_meets(&placed, 0, &ray, &share, &normal);
        double expected = trace(&s, &ray), least = least_distance(&s, &ray);
        if (fabs(least) < 1e-6) continue;       /* grazes: both answers are right */
        int ends = fabs(expected - 1.0) < 1e-9; /* so are they at the very end */
        require(ends || meets == (expected <= 1.0), "case %d, %s: met %d, expected %g (%g)", k,
                scree_shape_name((int)s.kind), meets, expected, least);
        if (!meets) {
            ++missed[s.kind];
            continue;
        }
        ++met[s.kind];
        require(fabs(share - expected) <= 1e-8, "case %d, %s: %g is not %g", k,
                scree_shape_name((int)s.kind), share, expected);
        require(fabs(scri_vec_length(normal) - 1.0) <= 1e-9, "normal of length %g",
                scri_vec_length(normal));
        require(scri_vec_dot(normal, ray.way) <= 1e-9, "the normal points along the ray");
        scri_vec at = scri_vec_add_scaled(ray.origin, share, ray.way);
        if (share == 0.0) continue;
        require(fabs(distance(&s, at)) <= 1e-9, "off the surface by %g", distance(&s, at));
        double out = distance(&s, scri_vec_add_scaled(at, 1e-4, normal));
        require(fabs(out - 1e-4) <= 1e-9, "case %d, %s: the normal leads %g away", k,
                scree_shape_name((int)s.kind), out);
    }
    for (int i = 0; i < N_KINDS; ++i) {
        int kind = (int)kinds[i];
        print_message("%s: %d met, %d missed\n", scree_shape_name(kind), met[kind], missed[kind]);
        assert_true(met[kind] > 100 && missed[kind] > 100);
    }
}

/* By hand: along an axis, beside a face, in a face, from inside, away, far off. */
static void rays_by_hand(void** state)
{
    (void)state;
    static const struct {
        scree_shape_kind kind;
        double origin[3], way[3];
        int meets;
        double share, normal[3];
    } cases[] = {
        {SCREE_SHAPE_SPHERE, {0, 0, 5}, {0, 0, -8}, 1, 0.5, {0, 0, 1}},
        {SCREE_SHAPE_SPHERE, {0, 0, 5}, {0, 0, 8}, 0, 0, {0}},
        {SCREE_SHAPE_SPHERE, {0, 0, 0.5}, {0, 0, 8}, 1, 0, {0, 0, -1}},
        {SCREE_SHAPE_SPHERE, {1.0000001, 0, 5}, {0, 0, -8}, 0, 0, {0}},
        {SCREE_SHAPE_SPHERE, {0, 0, 1e9}, {0, 0, -2e9}, 1, 0.4999999995, {0, 0, 1}},
        {SCREE_SHAPE_BOX, {-3, 0, 0}, {4, 0, 0}, 1, 0.5, {-1, 0, 0}},
        {SCREE_SHAPE_BOX, {-3, 2, 3}, {4, 0, 0}, 1, 0.5, {-1, 0, 0}}, /* in an edge */
        {SCREE_SHAPE_BOX, {-3, 2.1, 0}, {4, 0, 0}, 0, 0, {0}},
        {SCREE_SHAPE_BOX, {-3, 0, 0}, {1.9, 0, 0}, 0, 0, {0}}, /* too short */
        {SCREE_SHAPE_CAPSULE, {0, 0, 8}, {0, 0, -10}, 1, 0.5, {0, 0, 1}},
        {SCREE_SHAPE_CAPSULE, {4, 0, 0}, {-6, 0, 0}, 1, 0.5, {1, 0, 0}},
        {SCREE_SHAPE_CAPSULE, {0, 0, 2.5}, {0, 0, 1}, 1, 0, {0, 0, -1}},
        {SCREE_SHAPE_CYLINDER, {0.5, 0, 5}, {0, 0, -6}, 1, 0.5, {0, 0, 1}},
        {SCREE_SHAPE_CYLINDER, {4, 0, 1.9}, {-6, 0, 0}, 1, 0.5, {1, 0, 0}},
        {SCREE_SHAPE_CYLINDER, {4, 0, 2.1}, {-6, 0, 0}, 0, 0, {0}},
        {SCREE_SHAPE_HALF_SPACE, {7, 7, 2}, {0, 0, -4}, 1, 0.5, {0, 0, 1}},
        {SCREE_SHAPE_HALF_SPACE, {7, 7, 2}, {1, 0, 0}, 0, 0, {0}},
        {SCREE_SHAPE_HALF_SPACE, {7, 7, -2}, {0, 2, 0}, 1, 0, {0, -1, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        one s = {cases[k].kind, {1.0, 2.0, 3.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
        scri_placed placed = placed_of(&s);
        scri_ray ray = {scri_vec_load(cases[k].origin), scri_vec_load(cases[k].way)};
        double share = -1.0, normal[3];
        scri_vec n = {0.0, 0.0, 0.0};
        assert_int_equal(scri_ray_meets(&placed, 0, &ray, &share, &n), cases[k].meets);
        if (!cases[k].meets) continue;
        scri_vec_store(n, normal);
        require(fabs(share - cases[k].share) <= 1e-15, "case %zu: share %.17g", k, share);
        for (int j = 0; j < 3; ++j) {
            require(fabs(normal[j] - cases[k].normal[j]) <= 1e-15, "case %zu: normal %g", k,
                    normal[j]);
        }
    }
}

/* A hull with the corners of a box is met where the box is. */
static void hulls_as_boxes(void** state)
{
    (void)state;
    scri_random random = test_seed("hulls_as_boxes", 13);
    const double half[3] = {0.3, 0.5, 0.7}, position[6] = {0.0}, turn[8] = {1, 0, 0, 0, 1, 0, 0, 0};
    const double size[6] = {0.3, 0.5, 0.7, 1.0, 1.0, 0.3};
    const scree_shape_kind kind[2] = {SCREE_SHAPE_BOX, SCREE_SHAPE_HULL};
    double corners[24];
    scree_hull* hull;
    for (int i = 0; i < 24; ++i) corners[i] = i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3];
    assert_int_equal(scree_hull_create(NULL, 8, corners, &hull), SCREE_OK);
    const scree_hull* hulls[2] = {NULL, hull};
    scri_placed placed = {
        .n = 2, .kind = kind, .size = size, .hull = hulls, .position = position, .rotation = turn};
    int n_met = 0, cases = test_size(5000, 100000);
    for (int k = 0; k < cases; ++k) {
        double x[6], share[2] = {-1.0, -1.0};
        for (int j = 0; j < 6; ++j) x[j] = draw_between(&random, -1.5, 1.5);
        scri_ray ray = {scri_vec_load(x), scri_vec_load(x + 3)};
        scri_vec normal[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        int box = scri_ray_meets(&placed, 0, &ray, &share[0], &normal[0]);
        int other = scri_ray_meets(&placed, 1, &ray, &share[1], &normal[1]);
        require(box == other, "case %d: met %d, not %d", k, other, box);
        n_met += box;
        require(fabs(share[0] - share[1]) <= 1e-12, "case %d: %g, not %g", k, share[1], share[0]);
        double off = scri_vec_length(scri_vec_sub(normal[0], normal[1]));
        require(off <= 1e-12, "case %d: normal off by %g", k, off);
    }
    require(n_met > cases / 13, "%d met only", n_met); /* a tenth is met in the mean */
    scree_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_as_boxes),
        cmocka_unit_test(rays_by_hand),
        cmocka_unit_test(rays_meet_as_distances_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
