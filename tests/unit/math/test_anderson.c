/* Anderson mixing: exact for linear maps of few unknowns, honest about its direction, finite where
 * the history says nothing. */
#include "math/anderson.h"
#include "support/draw.h"
#include "support/test.h"

enum { MOST = SCRI_ANDERSON_WINDOW };

/* x <- a x + b with a fixed point that is known. */
typedef struct linear {
    int n;
    double a[MOST * MOST], fixed[MOST], scale[MOST];
} linear;

static linear draw_linear(scri_random* random, int n, double size)
{
    linear map = {.n = n};
    for (int i = 0; i < n * n; ++i) map.a[i] = size * draw_between(random, -1.0, 1.0);
    for (int i = 0; i < n; ++i) {
        map.fixed[i] = draw_between(random, -1.0, 1.0);
        map.scale[i] = draw_power(random, -1.0, 1.0);
    }
    return map;
}

static void apply(const linear* map, const double* x, double* image)
{
    for (int i = 0; i < map->n; ++i) {
        image[i] = map->fixed[i];
        for (int j = 0; j < map->n; ++j) {
            image[i] += map->a[i * map->n + j] * (x[j] - map->fixed[j]);
        }
    }
}

typedef struct fixture {
    scri_anderson a;
    unsigned char* memory;
} fixture;

static fixture begin(const linear* map)
{
    scri_bump bump = {NULL, 0};
    scri_anderson_create(NULL, map->n, map->scale, &bump);
    size_t size = bump.used;
    fixture f = {.memory = test_take(size, 1)};
    memset(f.memory, 0xff, size); /* NaN */
    bump = (scri_bump){f.memory, 0};
    f.a = scri_anderson_create(NULL, map->n, map->scale, &bump);
    assert_int_equal(bump.used, size);
    return f;
}

/* With as many differences as unknowns the combination is the fixed point, contraction or not. */
static void linear_maps_are_solved(void** state)
{
    (void)state;
    scri_random random = test_seed("linear maps", 31);
    for (int c = 0; c < 500; ++c) {
        linear map = draw_linear(&random, 1 + draw_below(&random, MOST), c % 2 ? 0.5 : 2.0);
        fixture f = begin(&map);
        double x[MOST], image[MOST];
        for (int i = 0; i < map.n; ++i) x[i] = draw_between(&random, -1.0, 1.0);
        for (int k = 0; k <= map.n; ++k) {
            apply(&map, x, image);
            scri_anderson_take(&f.a, x, image);
            for (int i = 0; i < map.n; ++i) x[i] = draw_between(&random, -1.0, 1.0);
        }
        scri_anderson_mix(&f.a, x);
        for (int i = 0; i < map.n; ++i) {
            require(fabs(x[i] - map.fixed[i]) <= 1e-5, "case %d: x[%d] is %.12g, not %.12g", c, i,
                    x[i], map.fixed[i]);
        }
        free(f.memory);
    }
}

/* The mixture goes on where steps get smaller, and back where they grow. */
static void cosine_tells_the_direction(void** state)
{
    (void)state;
    for (int grows = 0; grows < 2; ++grows) {
        linear map = {.n = 2, .a = {grows ? 1.1 : 0.9, 0.0, 0.0, grows ? 1.1 : 0.9}};
        map.scale[0] = map.scale[1] = map.fixed[0] = 1.0;
        fixture f = begin(&map);
        double x[2] = {2.0, 3.0}, image[2];
        for (int k = 0; k < 3; ++k) {
            apply(&map, x, image);
            scri_anderson_take(&f.a, x, image);
            memcpy(x, image, sizeof x);
        }
        double cosine = scri_anderson_mix(&f.a, x);
        require(fabs(cosine - (grows ? -1.0 : 1.0)) <= 1e-9, "cosine %g", cosine);
        require(fabs(x[0] - 1.0) <= 1e-9 && fabs(x[1]) <= 1e-9, "(%g, %g)", x[0], x[1]);
        free(f.memory);
    }
}

/* No history, a forgotten one, steps that repeat, steps that change nothing: the last image. */
static void without_differences_nothing_is_mixed(void** state)
{
    (void)state;
    scri_random random = test_seed("no differences", 32);
    linear map = draw_linear(&random, 3, 0.5);
    fixture f = begin(&map);
    const double start[3] = {1.0, 2.0, 3.0}, image[3] = {1.5, -2.0, 4.0};
    double x[3];
    for (int k = 0; k < 4; ++k) {
        const double* from = k == 2 ? image : start;
        scri_anderson_take(&f.a, from, image);
        if (k >= 2) {
            scri_anderson_forget(&f.a.products);
            scri_anderson_take(&f.a, from, image);
        }
        double cosine = scri_anderson_mix(&f.a, x);
        assert_memory_equal(x, image, sizeof x);
        require(fabs(cosine - 1.0) <= 1e-12, "step %d: cosine %g", k, cosine);
    }
    free(f.memory);
}

/* 5,000 unknowns that shrink by four factors: four differences hold the fixed point. */
enum { MANY = 5000, FACTORS = 4 };

static void shrink(const double* fixed, const double* x, double* image)
{
    static const double factor[FACTORS] = {0.9, 0.5, -0.3, 0.1};
    for (int i = 0; i < MANY; ++i) image[i] = fixed[i] + factor[i % FACTORS] * (x[i] - fixed[i]);
}

/* The combination that `workers` find from the same start, and its cosine. */
static double mix_many(int32_t workers, const double* scale, const double* fixed, double* x)
{
    scri_team* team = NULL;
    scri_bump bump = {NULL, 0};
    double* image = test_take(MANY, sizeof *image);
    assert_int_equal(scri_team_create(NULL, workers, &team), SCREE_OK);
    scri_team_spread(team, workers);
    scri_anderson_create(team, MANY, scale, &bump);
    unsigned char* memory = test_take(bump.used, 1);
    bump = (scri_bump){memory, 0};
    scri_anderson a = scri_anderson_create(team, MANY, scale, &bump);
    for (int i = 0; i < MANY; ++i) x[i] = fixed[i] + 1.0 + 1e-4 * i;
    for (int k = 0; k <= FACTORS; ++k) {
        shrink(fixed, x, image);
        scri_anderson_take(&a, x, image);
        memcpy(x, image, MANY * sizeof *x);
    }
    double cosine = scri_anderson_mix(&a, x);
    scri_team_destroy(team);
    free(memory);
    free(image);
    return cosine;
}

static void workers_find_the_same_combination(void** state)
{
    (void)state;
    scri_random random = test_seed("many unknowns", 33);
    double *scale = test_take(MANY, sizeof *scale), *fixed = test_take(MANY, sizeof *fixed);
    double *alone = test_take(MANY, sizeof *alone), *shared = test_take(MANY, sizeof *shared);
    for (int i = 0; i < MANY; ++i) {
        scale[i] = draw_power(&random, -1.0, 1.0);
        fixed[i] = draw_between(&random, -1.0, 1.0);
    }
    double cosine = mix_many(1, scale, fixed, alone);
    for (int i = 0; i < MANY; ++i) {
        require(fabs(alone[i] - fixed[i]) <= 1e-7, "x[%d] is %.12g, not %.12g", i, alone[i],
                fixed[i]);
    }
    for (int32_t workers = 2; workers <= 4; ++workers) {
        double other = mix_many(workers, scale, fixed, shared);
        assert_memory_equal(&other, &cosine, sizeof cosine);
        assert_memory_equal(shared, alone, MANY * sizeof *alone);
    }
    free(scale);
    free(fixed);
    free(alone);
    free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_maps_are_solved),
        cmocka_unit_test(cosine_tells_the_direction),
        cmocka_unit_test(without_differences_nothing_is_mixed),
        cmocka_unit_test(workers_find_the_same_combination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
