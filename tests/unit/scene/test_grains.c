/* What is measured of all bodies of a generator: the packing of lattices, wherever the box lies,
 * and where a layer of spheres ends. */
#include "scree/scene.h"
#include "support/test.h"

#include <math.h>

static const double pi = SCREE_PI, radius = 0.05;
enum { MOST = 4000 };

typedef struct heap {
    scree_shape ball;
    scree_material material;
    scree_generator grains;
    scree_scene_measure measure;
    scree_scene scene;
    int n;
    double place[3 * MOST];
} heap;

/* Spheres that do not move, at places to be added. */
static void begin(heap* h)
{
    *h = (heap){.ball = scree_default_shape(), .material = {.mu = 0.0}};
    h->ball.half_size[0] = radius;
    h->grains = (scree_generator){
        .kind = SCREE_GENERATOR_LIST,
        .model = {
            .name = "grain", .def = scree_default_body_def(), .n_shapes = 1, .shapes = &h->ball}};
    h->grains.model.def.kind = SCREE_BODY_STATIC;
    h->measure.name = "measured";
    h->scene = scree_default_scene();
    h->scene.n_materials = 1;
    h->scene.materials = &h->material;
    h->scene.n_generators = 1;
    h->scene.generators = &h->grains;
    h->scene.n_measures = 1;
    h->scene.measures = &h->measure;
}

static void put(heap* h, double x, double y, double z)
{
    assert_true(h->n < MOST);
    double* at = h->place + 3 * h->n++;
    at[0] = x;
    at[1] = y;
    at[2] = z;
}

static double measure(heap* h)
{
    scree_simulation* simulation = NULL;
    h->grains.count = h->n;
    h->grains.place = h->place;
    assert_int_equal(scree_simulation_create(NULL, &h->scene, &simulation), SCREE_OK);
    double value = scree_simulation_measure(simulation, 0);
    scree_simulation_destroy(simulation);
    return value;
}

/* A box of whole cells of a lattice holds the same volume wherever it lies: pi/6 of spheres that
 * touch in a cubic lattice, and as many times more as spheres are put into the middle of faces. */
static void lattices_are_packed(void** state)
{
    (void)state;
    scri_random random = test_seed("lattices", 4);
    for (int faces = 0; faces < 2; ++faces) {
        heap h;
        begin(&h);
        double cell = faces ? 2.0 * sqrt(2.0) * radius : 2.0 * radius;
        for (int i = 0; i < 8 * 8 * 8; ++i) {
            double x = (i % 8) * cell, y = (i / 8 % 8) * cell, z = (i / 64) * cell;
            put(&h, x, y, z);
            if (!faces) continue;
            put(&h, x + cell / 2.0, y + cell / 2.0, z);
            put(&h, x, y + cell / 2.0, z + cell / 2.0);
            put(&h, x + cell / 2.0, y, z + cell / 2.0);
        }
        h.measure.kind = SCREE_MEASURE_PACKING;
        for (int k = 0; k < 5; ++k) {
            for (int i = 0; i < 3; ++i) {
                h.measure.low[i] = (1.5 + 2.0 * scri_random_uniform(&random)) * cell;
                h.measure.high[i] = h.measure.low[i] + (1 + i) * cell;
            }
            double wanted = faces ? pi / sqrt(18.0) : pi / 6.0, found = measure(&h);
            require(fabs(found - wanted) <= 1e-12, "%.15g, not %.15g", found, wanted);
        }
    }
}

/* A closed ring is an edge, and a few spheres farther out are none. */
static void strays_are_no_edge(void** state)
{
    (void)state;
    heap h;
    begin(&h);
    h.measure.kind = SCREE_MEASURE_EDGE;
    h.measure.level = 0.5;
    int n = (int)floor(pi / asin(radius));
    for (int k = 0; k < n; ++k) put(&h, cos(2.0 * pi * k / n), sin(2.0 * pi * k / n), radius);
    for (int k = 0; k < 5; ++k) put(&h, 2.0 + 0.2 * k, 0.3, radius);
    double found = measure(&h);
    require(fabs(found - 1.0) <= 1e-12, "%.15g", found);
    h.measure.level =
        0.01; /* of 2 pi 2.6 m: the last two of them, 0.2 m, are more, the last is less */
    double last = hypot(2.6, 0.3);
    found = measure(&h);
    require(fabs(found - last) <= 1e-12, "%.15g, not %.15g", found, last);
}

/* One layer on a square lattice: spheres beyond r are pi (R^2 - r^2)/d^2, and as long as the share
 * s of the ring where r = sqrt(R^2 + s^2 d^2) - s d. */
static void a_layer_ends(void** state)
{
    (void)state;
    heap h;
    begin(&h);
    double d = 2.0 * radius, far = 33.3 * d;
    for (int i = -33; i <= 33; ++i) {
        for (int j = -33; j <= 33; ++j) {
            if (hypot(i * d, j * d) <= far) put(&h, i * d, j * d, radius);
        }
    }
    h.measure.kind = SCREE_MEASURE_EDGE;
    for (double s = 0.25; s <= 1.0; s += 0.25) {
        h.measure.level = s;
        double wanted = sqrt(far * far + s * s * d * d) - s * d, found = measure(&h);
        require(fabs(found - wanted) <= 0.5 * d, "share %g: %g, not %g", s, found, wanted);
    }
}

/* A flat cone on the same lattice: the wedge beyond r has as many spheres as the square of its
 * length, so that of two rings is twice as long as that of half a ring, and both give its tip. */
static void a_slope_meets_the_ground(void** state)
{
    (void)state;
    heap h;
    begin(&h);
    double d = 2.0 * radius, far = 33.3 * d, slope = 0.3;
    for (int i = -33; i <= 33; ++i) {
        for (int j = -33; j <= 33; ++j) {
            double high = slope * (far - hypot(i * d, j * d));
            /* the last part of a layer by chance, the same every time */
            double part = fmod(0.61803 * (i + 40) + 0.41421 * (j + 40), 1.0);
            if (high > 3.0 * d) continue; /* farther in than two rings reach */
            for (int k = 0; (k + part) * d < high; ++k) put(&h, i * d, j * d, radius + k * d);
        }
    }
    h.measure.kind = SCREE_MEASURE_EDGE;
    h.measure.level = 0.5;
    double half = measure(&h);
    h.measure.level = 2.0;
    double tip = 2.0 * half - measure(&h);
    require(fabs(tip - far) <= 0.5 * d, "%g, not %g", tip, far);
    require(half <= far - d, "half a ring at %g, the tip at %g", half, far);
}

static void what_has_no_meaning_is_refused(void** state)
{
    (void)state;
    static const scree_scene_measure bad[] = {
        {.kind = SCREE_MEASURE_EDGE, .level = -0.1},
        {.kind = SCREE_MEASURE_EDGE, .level = INFINITY},
        {.kind = SCREE_MEASURE_REACH, .level = 1.1},
        {.kind = SCREE_MEASURE_EDGE, .level = NAN},
        {.kind = SCREE_MEASURE_EDGE, .level = 0.5, .over = SCREE_OVER_REACHED},
        {.kind = SCREE_MEASURE_REACH, .level = -0.1},
        {.kind = SCREE_MEASURE_PACKING, .high = {1.0, 1.0, 0.0}},
        {.kind = SCREE_MEASURE_PACKING, .high = {1.0, NAN, 1.0}},
        {.kind = SCREE_MEASURE_PACKING, .high = {1.0, 1.0, INFINITY}},
        {.kind = SCREE_MEASURE_PACKING, .high = {1.0, 1.0, 1.0}, .of = 1},
    };
    for (size_t k = 0; k <= sizeof bad / sizeof bad[0]; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_simulation* simulation = NULL;
        heap h;
        begin(&h);
        put(&h, 0.0, 0.0, 0.0);
        h.grains.count = 1;
        h.grains.place = h.place;
        h.measure = k > 0 ? bad[k - 1] : (scree_scene_measure){.kind = SCREE_MEASURE_EDGE};
        if (k == 0) h.ball.kind = SCREE_SHAPE_BOX;
        if (k == 0) h.ball.half_size[1] = h.ball.half_size[2] = radius;
        assert_int_equal(scree_simulation_create(&env, &h.scene, &simulation), SCREE_ERROR_INPUT);
        require(strstr(host.text, "measure 0 of the scene"), "case %zu: %s", k, host.text);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_are_packed),
        cmocka_unit_test(strays_are_no_edge),
        cmocka_unit_test(a_layer_ends),
        cmocka_unit_test(a_slope_meets_the_ground),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
