/* Boxes and prisms fall on each other, each as it was drawn, at the default tolerance: the heap
 * comes to rest, every velocity exactly zero, in both schemes. Nothing that acts in points resists
 * the turning of a body that is held at two of them, as a cube at opposite corners, or lets a
 * swing die out: heaps with such a one must be still but for that. SCREE_TEST_ALL: all heaps. */
#include "support/draw.h"
#include "support/worlds.h"

enum { BODIES = 36, IN_A_LAYER = 9, ALL_HEAPS = 96, USUAL_HEAPS = 6, FEW_HEAPS = 1 };

static const double duration = 10.0; /* s */
#define STEP 5e-3

/* m/s, of all bodies where one turns */
#define STILL 1e-3

static scree_hull* prism;

static int make_prism(void** state)
{
    static const double points[] = {0.1, 0.0, -0.06, -0.08, 0.07, -0.06, -0.05, -0.09, -0.06,
                                    0.1, 0.0, 0.06,  -0.08, 0.07, 0.06,  -0.05, -0.09, 0.06};
    (void)state;
    return (int)scree_hull_create(NULL, 6, points, &prism);
}

static int free_prism(void** state)
{
    (void)state;
    scree_hull_destroy(prism);
    return 0;
}

/* Heap k: cubes, bricks or prisms. */
static scree_shape form_of(int k)
{
    scree_shape shape = k % 3 == 1 ? box_of(0.1, 0.07, 0.04) : box_of(0.1, 0.1, 0.1);
    if (k % 3 < 2) return shape;
    shape.kind = SCREE_SHAPE_HULL;
    set3(shape.half_size, 1.0, 0.0, 0.0);
    shape.hull = prism;
    return shape;
}

static void draw_turn(scri_random* random, double rotation[4])
{
    double square = 0.0;
    for (int j = 0; j < 4; ++j) rotation[j] = draw_between(random, -1.0, 1.0);
    for (int j = 0; j < 4; ++j) square += rotation[j] * rotation[j];
    for (int j = 0; j < 4; ++j) rotation[j] /= sqrt(square);
}

static scree_world* drop(int k, scri_random* random)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = k / 3 % 2 ? SCREE_SCHEME_IMPULSE : SCREE_SCHEME_GAP;
    def.theta = k / 6 % 2 ? 0.5 : 1.0;
    def.step = STEP;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_shape shape = form_of(k);
    add_floor(world, 0.0);
    for (int i = 0; i < BODIES; ++i) {
        scree_body_def body = body_of(&shape, 1000.0);
        double at[3] = {0.4 * (i % 3), 0.4 * (i % IN_A_LAYER / 3), 0.3 + 0.4 * (i / IN_A_LAYER)};
        for (int j = 0; j < 3; ++j) body.position[j] = at[j] + draw_between(random, -0.03, 0.03);
        draw_turn(random, body.rotation);
        add_body(world, &body, &shape);
    }
    return world;
}

/* Whether a body turns about a line that passes its centre by less than a centimetre. */
static int turns(const scree_world_view* view, int32_t body)
{
    const double *v = view->velocity + 3 * body, *w = view->angular_velocity + 3 * body;
    return dot3(v, v) < STILL * STILL && dot3(w, w) > 1e4 * dot3(v, v);
}

static void heaps_come_to_rest(void** state)
{
    int n = test_all() ? ALL_HEAPS : test_few(USUAL_HEAPS, FEW_HEAPS), n_turning = 0;
    (void)state;
    scri_random random = test_seed("heaps", 77);
    for (int k = 0; k < n; ++k) {
        random.stream = (uint64_t)k;
        random.counter = 0;
        scree_world* world = drop(k, &random);
        int n_steps = (int)(duration / STEP), has_turning = 0;
        for (int i = 0; i < n_steps; ++i) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        for (int32_t b = 0; b < view.n_bodies; ++b) has_turning |= turns(&view, b);
        for (int32_t b = 0; b < view.n_bodies; ++b) {
            const double* v = view.velocity + 3 * b;
            int is_still = has_turning && dot3(v, v) < STILL * STILL;
            require(is_still || is_at_rest(&view, b), "heap %d: body %d moves at %g m/s", k, (int)b,
                    sqrt(dot3(v, v)));
        }
        n_turning += has_turning;
        scree_world_destroy(world);
    }
    require(10 * n_turning <= 10 + n, "%d of %d heaps have a body that turns", n_turning, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_come_to_rest),
    };
    return cmocka_run_group_tests(tests, make_prism, free_prism);
}
