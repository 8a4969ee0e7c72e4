/* Overlaps of all convex kinds against libccd, where it is installed. */
#include "unit/collide/poses.h"

#if SCREE_TEST_CCD

#include <ccd/ccd.h>

/* After so many questions every point is the origin, which ends any search of libccd: some of its
 * polytopes grow without end. */
enum { MOST_QUESTIONS = 600 };

typedef struct ccd_shape {
    const scene* s;
    int i, questions;
} ccd_shape;

static ccd_vec3_t ccd_point(const ccd_shape* o, const ccd_vec3_t* direction)
{
    const double *h = o->s->size + 3 * o->i, *x = o->s->position + 3 * o->i;
    scri_quat q = scri_quat_load(o->s->rotation + 4 * o->i), back = {q.w, -q.x, -q.y, -q.z};
    scri_vec d = scri_quat_rotate(back, scri_vec_load(direction->v)), p = zero;
    double length = scri_vec_length(d), across = hypot(d.x, d.y);
    double up = d.z < 0.0 ? -1.0 : 1.0;
    switch (o->s->kind[o->i]) {
    case SCREE_SHAPE_HULL:
        p = hull_support(o->s, o->i, d);
        break;
    case SCREE_SHAPE_BOX:
        p = (scri_vec){d.x < 0.0 ? -h[0] : h[0], d.y < 0.0 ? -h[1] : h[1], up * h[2]};
        break;
    case SCREE_SHAPE_CYLINDER:
        if (across > 0.0) p = scri_vec_scale(h[0] / across, (scri_vec){d.x, d.y, 0.0});
        p.z = up * h[1];
        break;
    case SCREE_SHAPE_CAPSULE:
        p = scri_vec_scale(h[0] / length, d);
        p.z += up * h[1];
        break;
    case SCREE_SHAPE_ELLIPSOID:
        p = (scri_vec){h[0] * h[0] * d.x, h[1] * h[1] * d.y, h[2] * h[2] * d.z};
        p = scri_vec_scale(1.0 / hypot(h[0] * d.x, hypot(h[1] * d.y, h[2] * d.z)), p);
        break;
    case SCREE_SHAPE_CONE:
        p.z = 1.5 * h[1];
        if (1.5 * h[1] * d.z >= h[0] * across - 0.5 * h[1] * d.z) break;
        p = scri_vec_scale(h[0] / across, (scri_vec){d.x, d.y, 0.0});
        p.z = -0.5 * h[1];
        break;
    default:
        p = scri_vec_scale(h[0] / length, d);
    }
    p = scri_vec_add(scri_quat_rotate(q, p), scri_vec_load(x));
    return (ccd_vec3_t){{p.x, p.y, p.z}};
}

static void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out)
{
    ccd_shape* o = (ccd_shape*)(uintptr_t)object; /* libccd does not write to it; this does */
    ccdVec3Set(out, 0.0, 0.0, 0.0);
    if (o->questions++ < MOST_QUESTIONS) *out = ccd_point(o, direction);
}

/* The most that a plane between the shapes keeps them apart, by chance. */
static double most_apart(scri_random* random, const scene* s)
{
    enum { ANYWHERE = 2000, NEARBY = 8000 };
    double most = -SCREE_INFINITY, width = 1.0;
    scri_vec best = zero;
    for (int k = 0; k < ANYWHERE + NEARBY; ++k) {
        double direction[3];
        draw_direction(random, direction);
        scri_vec n = scri_vec_load(direction);
        if (k >= ANYWHERE) {
            n = scri_vec_add_scaled(best, width *= 0.998, n);
            n = scri_vec_scale(1.0 / scri_vec_length(n), n);
        }
        double along = apart_along(s, n);
        if (!(along > most)) continue;
        most = along;
        best = n;
    }
    return most;
}

/* Two shapes and what libccd is asked with. */
typedef struct ccd_case {
    scene* s;
    ccd_shape one, two;
    ccd_t ccd;
    scri_convex a, b;
    scri_gap gap;
    scri_nearest nearest;
    double size, inner;
} ccd_case;

typedef struct ccd_tally {
    long n_cases, n_differ, n_overlaps, n_shallow, n_as_deep, n_disproved, n_endless;
} ccd_tally;

/* Half of what is apart is moved a little into each other. */
static ccd_case ccd_draw(scri_random* random, scene* s, int pair)
{
    draw_poses(random, s, pair);
    ccd_case c = {.s = s, .one = {.s = s, .i = 0}, .two = {.s = s, .i = 1}};
    CCD_INIT(&c.ccd);
    c.ccd.support1 = c.ccd.support2 = ccd_support;
    c.ccd.max_iterations = MOST_QUESTIONS / 2;
    c.ccd.epa_tolerance = 1e-9;
    c.a = load(s, 0);
    c.b = load(s, 1);
    c.size = size_of(s);
    c.inner = fmin(fmin(c.a.inner, c.b.inner), c.size);
    c.gap = scri_nearest_of(&c.a, &c.b, SCREE_INFINITY, &c.nearest);
    if (c.gap == SCRI_APART && draw_chance(random, 50.0)) {
        double into[3], way = c.nearest.distance - c.a.radius - c.b.radius;
        scri_vec_store(c.nearest.normal, into);
        scene_shift(s, 0, -way - draw_between(random, 1e-4, 0.01) * c.inner, into);
        c.a = load(s, 0);
        c.gap = scri_nearest_of(&c.a, &c.b, SCREE_INFINITY, &c.nearest);
    }
    return c;
}

/* Whether libccd says that they overlap; where it is wrong, planes between the shapes tell. */
static int ccd_verdict(scri_random* random, ccd_case* c, int i, ccd_tally* count)
{
    double distance = c->nearest.distance - c->a.radius - c->b.radius;
    if (c->gap == SCRI_OVERLAP) distance = 0.0;
    int overlap = ccdGJKIntersect(&c->one, &c->two, &c->ccd);
    int differs = overlap ? distance > 1e-6 * c->size : !(distance >= -1e-6 * c->size);
    differs |= !overlap && c->gap == SCRI_OVERLAP;
    ++count->n_cases;
    count->n_differ += differs;
    if (differs) { /* planes between shapes have been proved; there must be none here */
        double most = overlap ? -apart_along(c->s, c->nearest.normal) : most_apart(random, c->s);
        require(most <= 1e-9 * c->size, "case %d: distance %g, planes %g", i, distance, most);
    }
    return overlap;
}

/* No direction leads out of each other in less than libccd says. Ours is a direction that leads
 * out. */
static void ccd_depth(ccd_case* c, int i, ccd_tally* count)
{
    scri_touch out[SCRI_MAX_TOUCHES];
    ccd_vec3_t direction, position;
    double depth, least = SCREE_INFINITY;
    c->one.questions = c->two.questions = 0;
    if (ccdGJKPenetration(&c->one, &c->two, &c->ccd, &depth, &direction, &position)) return;
    if (c->one.questions > MOST_QUESTIONS) {
        ++count->n_endless;
        return;
    }
    double along = apart_along(c->s, scri_vec_load(direction.v));
    double against = apart_along(c->s, scri_vec_scale(-1.0, scri_vec_load(direction.v)));
    if (!(fabs(depth + fmax(along, against)) <= 1e-6 * c->size)) return;
    ++count->n_overlaps;
    int n = scri_convex_touch(&c->a, &c->b, zero, 0.1 * c->size, out);
    require(n > 0, "case %d: no point for an overlap of %g", i, depth);
    for (int k = 0; k < n; ++k) least = fmin(least, out[k].gap);
    /* no direction has less than the least depth: libccd then stopped too early */
    double apart = apart_along(c->s, scri_vec_load(out->normal));
    count->n_disproved += !(-apart >= depth - 1e-5 * c->size);
    if (!(depth < 0.01 * c->inner)) return;
    ++count->n_shallow;
    count->n_as_deep += -least <= 1.2 * depth + 0.04 * c->inner;
}

/* libccd says whether two shapes overlap, and by how much at least. Some of its answers are wrong,
 * down to depths of 0 for balls inside each other; its own direction tells these. It also misses
 * shallow overlaps of small shapes, and some searches have no end. */
static void overlaps_against_libccd(void** state)
{
    (void)state;
    uint64_t seed = test_seed("overlaps_against_libccd", 44).key;
    test_range cases = test_range_of(4900, 490000); /* a million: 0:1000000 */
    scene s = scene_make(2);
    ccd_tally n = {0};
    for (int i = cases.from; i < cases.to; ++i) {
        scri_random random = {.key = seed, .stream = (uint64_t)i};
        ccd_case c = ccd_draw(&random, &s, i % N_PAIRS);
        if (ccd_verdict(&random, &c, i, &n)) ccd_depth(&c, i, &n);
    }
    print_message("%ld of %ld verdicts differ; %ld depths, %ld of them disproved; %ld shallow, "
                  "%ld of them as deep; %ld searches without end\n",
                  n.n_differ, n.n_cases, n.n_overlaps, n.n_disproved, n.n_shallow, n.n_as_deep,
                  n.n_endless);
    require(n.n_overlaps > n.n_cases / 50 && n.n_shallow > n.n_cases / 500,
            "%ld overlaps, %ld shallow", n.n_overlaps, n.n_shallow);
    require(n.n_as_deep >= n.n_shallow - n.n_shallow / 50,
            "%ld of %ld shallow overlaps are as deep as libccd says", n.n_as_deep, n.n_shallow);
    require(n.n_disproved <= 2 + n.n_overlaps / 500,
            "%ld of %ld depths of libccd are not the least", n.n_disproved, n.n_overlaps);
    require(n.n_differ <= n.n_cases / 40, "%ld of %ld differ", n.n_differ, n.n_cases);
    scene_free(&s);
}

#else

static void overlaps_against_libccd(void** state)
{
    (void)state;
    print_message("libccd is not installed: no comparison with it\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_against_libccd),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
