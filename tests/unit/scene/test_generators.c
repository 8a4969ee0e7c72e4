/* What generators draw: sizes by their distributions, models by their weights, all orientations
 * alike, packings whose neighbours touch. */
#include "scene/scene.h"
#include "support/test.h"

#include <math.h>

typedef struct stock {
    scree_shape shape[3];
    scree_scene_body others[2];
    scree_generator generator;
} stock;

/* Spheres of radius 1 m and mass 2 kg. */
static void fill(stock* s, scree_generator_kind kind)
{
    *s = (stock){.generator = {.kind = kind, .seed = 5, .count = 1, .grid = {1, 1, 1}}};
    for (int k = 0; k < 3; ++k) {
        s->shape[k] = scree_default_shape();
        s->shape[k].half_size[0] = 1.0 + k;
        scree_scene_body* b = k == 0 ? &s->generator.model : &s->others[k - 1];
        *b = (scree_scene_body){
            .def = scree_default_body_def(), .n_shapes = 1, .shapes = &s->shape[k]};
        b->def.mass = 2.0;
        for (int j = 0; j < 3; ++j) b->def.inertia[j] = 0.8;
    }
    for (int j = 0; j < 3; ++j) s->generator.spacing[j] = 2.0;
    s->generator.rate = 1.0;
}

static double make(const stock* s, int64_t number, scree_body_def* def)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    scree_shape shape;
    assert_int_equal(scri_generator_make(&s->generator, number, origin, def, &shape), 1);
    double reach = scri_generator_reach(&s->generator, number);
    require(fabs(reach - shape.half_size[0]) <= 1e-14 * reach, "reach %g", reach);
    require(scri_generator_least_reach(&s->generator) <= reach * (1.0 + 1e-12) &&
                reach <= scri_generator_most_reach(&s->generator) * (1.0 + 1e-12),
            "reach %g is out of bounds", reach);
    return shape.half_size[0];
}

/* The share of numbers whose size is below a bound, and that of their mass. */
static void shares_below(const stock* s, int n, double bound, double share[2])
{
    double mass = 0.0, below = 0.0, count = 0.0;
    for (int k = 0; k < n; ++k) {
        scree_body_def def;
        double r = make(s, k, &def);
        require(fabs(def.mass - 2.0 * r * r * r) <= 1e-12 * def.mass, "mass %g", def.mass);
        require(fabs(def.inertia[1] - 0.8 * pow(r, 5.0)) <= 1e-12 * def.inertia[1], "inertia");
        mass += def.mass;
        if (!(r < bound)) continue;
        below += def.mass;
        count += 1.0;
    }
    share[0] = count / n;
    share[1] = below / mass;
}

/* Four deviations of a share of n. */
static double margin(double share, int n)
{
    return 4.0 * sqrt(share * (1.0 - share) / n) + 1e-9;
}

static void sizes_are_distributed_as_asked(void** state)
{
    (void)state;
    enum { N = 4000 };
    stock s;
    double share[2];
    fill(&s, SCREE_GENERATOR_RAIN);
    s.generator.size_kind = SCREE_SIZE_UNIFORM;
    s.generator.size[0] = 0.5;
    s.generator.size[1] = 2.5;
    shares_below(&s, N, 1.0, share);
    require(fabs(share[0] - 0.25) <= margin(0.25, N), "uniform: %g below 1", share[0]);
    s.generator.size_kind = SCREE_SIZE_LOG_NORMAL;
    s.generator.size[0] = 2.0;
    s.generator.size[1] = 0.5;
    shares_below(&s, N, 2.0, share);
    require(fabs(share[0] - 0.5) <= margin(0.5, N), "log-normal: %g below the median", share[0]);
    shares_below(&s, N, 2.0 * exp(0.5),
                 share); /* 0.8413 of all, those beyond 3 deviations left out */
    double one = (0.8413447 - 0.0013499) / (1.0 - 2.0 * 0.0013499);
    require(fabs(share[0] - one) <= margin(one, N), "log-normal: %g below one deviation", share[0]);
}

/* Mass, not number, follows the curve; within a class evenly over the sizes. */
static void a_sieve_curve_is_of_mass(void** state)
{
    (void)state;
    static const double curve[] = {1.0, 0.0, 2.0, 0.3, 3.0, 0.3, 4.0, 1.0};
    enum { N = 20000 };
    stock s;
    fill(&s, SCREE_GENERATOR_RAIN);
    s.generator.size_kind = SCREE_SIZE_SIEVE;
    s.generator.n_sieve = 4;
    s.generator.sieve = curve;
    static const double at[][2] = {{1.0, 0.0}, {1.5, 0.15}, {2.0, 0.3}, {3.0, 0.3}, {3.5, 0.65}};
    for (int k = 0; k < 5; ++k) {
        double share[2];
        shares_below(&s, N, at[k][0], share);
        print_message("%g passes %g of the mass, %g asked\n", at[k][0], share[1], at[k][1]);
        require(fabs(share[1] - at[k][1]) <= 0.02, "%g", share[1]);
    }
}

static void models_are_drawn_by_weight(void** state)
{
    (void)state;
    static const double weight[] = {1.0, 0.0, 3.0};
    enum { N = 4000 };
    stock s;
    int n[4] = {0};
    fill(&s, SCREE_GENERATOR_RAIN);
    s.generator.n_others = 2;
    s.generator.others = s.others;
    s.generator.weight = weight;
    scree_body_def def;
    for (int k = 0; k < N; ++k) ++n[(int)make(&s, k, &def)];
    assert_int_equal(n[2], 0);
    require(fabs((double)n[3] / N - 0.75) <= margin(0.75, N), "%d of the third", n[3]);
    s.generator.weight = NULL;
    memset(n, 0, sizeof n);
    for (int k = 0; k < N; ++k) ++n[(int)make(&s, k, &def)];
    require(fabs((double)n[2] / N - 1.0 / 3.0) <= margin(1.0 / 3.0, N), "%d of the second", n[2]);
}

/* Each axis of a body is even on the sphere: mean 0, mean of squares 1/3, and the angle of turn has
 * the density (1 - cos a)/pi. */
static void all_orientations_are_alike(void** state)
{
    (void)state;
    enum { N = 4000 };
    stock s;
    fill(&s, SCREE_GENERATOR_RAIN);
    s.generator.is_turned = 1;
    double mean[3] = {0.0}, square[3] = {0.0}, below = 0.0;
    for (int k = 0; k < N; ++k) {
        scree_body_def def;
        make(&s, k, &def);
        const double* q = def.rotation;
        double axis[3] = {2.0 * (q[1] * q[3] + q[0] * q[2]), 2.0 * (q[2] * q[3] - q[0] * q[1]),
                          1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
        for (int j = 0; j < 3; ++j) {
            mean[j] += axis[j] / N;
            square[j] += axis[j] * axis[j] / N;
        }
        below += 2.0 * acos(fmin(fabs(q[0]), 1.0)) < SCREE_PI / 2.0;
    }
    for (int j = 0; j < 3; ++j) {
        require(fabs(mean[j]) <= 4.0 * sqrt(1.0 / 3.0 / N), "mean %g", mean[j]);
        require(fabs(square[j] - 1.0 / 3.0) <= 4.0 * sqrt(4.0 / 45.0 / N), "square %g", square[j]);
    }
    double quarter = 0.5 - 1.0 / SCREE_PI;
    require(fabs(below / N - quarter) <= margin(quarter, N), "%g turned by less than 90 degrees",
            below / N);
}

/* No two closer than the spacing, and the twelve neighbours of one in the middle at that distance.
 */
static void packings_are_close(void** state)
{
    (void)state;
    static const int neighbours[] = {6, 12, 12};
    for (int packing = 0; packing < SCREE_GRID_COUNT; ++packing) {
        stock s;
        double place[7 * 7 * 7][3], highest = 0.0;
        int n = 7 * 7 * 7, middle = 3 + 7 * (3 + 7 * 3), touching = 0;
        fill(&s, SCREE_GENERATOR_GRID);
        s.generator.packing = (scree_grid_kind)packing;
        for (int j = 0; j < 3; ++j) s.generator.grid[j] = 7;
        for (int k = 0; k < n; ++k) {
            scri_generator_place(&s.generator, k, place[k]);
            highest = fmax(highest, place[k][2]);
        }
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < i; ++k) {
                double d =
                    sqrt(pow(place[i][0] - place[k][0], 2) + pow(place[i][1] - place[k][1], 2) +
                         pow(place[i][2] - place[k][2], 2));
                require(d >= 2.0 - 1e-12, "packing %d: %g m apart", packing, d);
                touching += (i == middle || k == middle) && d <= 2.0 + 1e-12;
            }
        }
        assert_int_equal(touching, neighbours[packing]);
        require(fabs(highest - 12.0 * (packing ? sqrt(2.0 / 3.0) : 1.0)) <= 1e-12, "%g m high",
                highest);
    }
}

static void what_cannot_be_is_refused(void** state)
{
    (void)state;
    static const double back[] = {1.0, 0.0, 2.0, 0.5, 1.5, 1.0}, short_of[] = {1.0, 0.0, 2.0, 0.5};
    static const double none[] = {0.0}, zero[] = {0.0, 0.0, 0.0};
    static const int32_t third[] = {2};
    stock s[11];
    for (int k = 0; k < 11; ++k) fill(&s[k], k < 8 ? SCREE_GENERATOR_RAIN : SCREE_GENERATOR_LIST);
    s[0].generator.size_kind = SCREE_SIZE_UNIFORM; /* of no size */
    s[1].generator.size_kind = SCREE_SIZE_LOG_NORMAL;
    s[2].generator.size_kind = SCREE_SIZE_KIND_COUNT;
    s[3].generator.size_kind = SCREE_SIZE_SIEVE;
    s[4].generator = (scree_generator){.size_kind = SCREE_SIZE_SIEVE, .n_sieve = 3, .sieve = back};
    s[5].generator =
        (scree_generator){.size_kind = SCREE_SIZE_SIEVE, .n_sieve = 2, .sieve = short_of};
    s[6].generator.n_others = 1;
    s[7].generator.weight = none;
    s[8].generator.place = NULL;
    s[9].generator.place = zero;
    s[9].generator.listed.scale = none;
    s[10].generator.place = zero;
    s[10].generator.listed.material = third;
    for (int k = 0; k < 11; ++k) assert_non_null(scri_generator_fault(&s[k].generator, 2));
    assert_null(scri_generator_fault(&s[10].generator, 3));
    fill(&s[0], SCREE_GENERATOR_RAIN);
    s[0].generator.size_spread = NAN;
    assert_non_null(scri_generator_fault(&s[0].generator, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_distributed_as_asked),
        cmocka_unit_test(a_sieve_curve_is_of_mass),
        cmocka_unit_test(models_are_drawn_by_weight),
        cmocka_unit_test(all_orientations_are_alike),
        cmocka_unit_test(packings_are_close),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
