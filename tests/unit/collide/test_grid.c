/* Shapes sorted by cells, and the cells that are not empty: as plain loops find them, for any
 * number of workers. */
#include "collide/grid.h"
#include "unit/collide/scene.h"

#include <math.h>

enum { MOST = 40000, TEAMS = 4 };
#define RADIUS 0.01

typedef struct fixture {
    scri_key keys[MOST], spare[MOST], cells[MOST + SCRI_SPARE_KEYS];
    scri_ball balls[MOST];
    scri_tag tags[MOST];
} fixture;

static scri_grid build(fixture* f, const scene* s, scri_team* team)
{
    scri_placed placed = scene_placed(s);
    scri_grid grid = {.n = s->n, .extent = RADIUS, .keys = f->keys};
    grid.balls = f->balls;
    grid.tags = f->tags;
    for (int32_t i = 0; i < s->n; ++i) f->keys[i] = (scri_key){0, i};
    scri_grid_build(&grid, &placed, f->spare, team);
    scri_grid_list_cells(&grid, f->cells, team);
    return grid;
}

/* In the order of their cells, and in a cell by number; so every shape is there once. */
static void require_sorted(const scri_grid* grid, const scene* s)
{
    for (int32_t i = 0; i < grid->n; ++i) {
        const scri_key* key = grid->keys + i;
        const double* x = s->position + 3 * key->item;
        int is_sorted = i == 0 || key[-1].key < key->key ||
                        (key[-1].key == key->key && key[-1].item < key->item);
        require(is_sorted, "%d of %d is out of order", (int)i, (int)grid->n);
        uint64_t cell = 0;
        for (int k = 0; k < 3; ++k) {
            double t = (x[k] - grid->origin[k]) * grid->per_metre;
            cell += grid->stride[k] * (uint64_t)fmin(t, (double)(grid->cells[k] - 1));
        }
        require(key->key == cell, "%d is in another cell", (int)i);
        require(grid->balls[i].x == x[0] && grid->tags[i].shape == key->item, "ball %d", (int)i);
    }
}

static void require_cells(const scri_grid* grid)
{
    int32_t n = 0;
    for (int32_t i = 0; i < grid->n; ++i) {
        if (i > 0 && grid->keys[i - 1].key == grid->keys[i].key) continue;
        require(n < grid->n_filled && grid->filled[n].key == grid->keys[i].key &&
                    grid->filled[n].item == i,
                "cell %d of %d", (int)n, (int)grid->n_filled);
        n++;
    }
    assert_int_equal(n, grid->n_filled);
    for (int k = 0; k < SCRI_SPARE_KEYS; ++k) {
        assert_true(grid->filled[n + k].key == UINT64_MAX && grid->filled[n + k].item == grid->n);
    }
}

static void require_box(const scri_grid* grid, const scene* s)
{
    for (int k = 0; k < 3; ++k) {
        double lower = SCREE_INFINITY, upper = -SCREE_INFINITY;
        for (int32_t i = 0; i < s->n; ++i) {
            lower = fmin(lower, s->position[3 * i + k]);
            upper = fmax(upper, s->position[3 * i + k]);
        }
        assert_true(grid->lower[k] == lower && grid->upper[k] == upper);
    }
}

/* Most shapes in one corner, so that most keys have the same high digits. */
static void workers_build_the_same_grid(void** state)
{
    static const int32_t sizes[] = {1, 63, 64, 5000, 32767, 32768, MOST};
    static fixture f;
    (void)state;
    scri_random random = test_seed("grids", 17);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        scene s = scene_make(sizes[k]);
        for (int32_t i = 0; i < sizes[k]; ++i) {
            double wide = i % 5 ? 0.4 : 4.0;
            scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){RADIUS, 0.0, 0.0},
                      draw_vec(&random, 0.0, wide));
        }
        for (int32_t workers = 1; workers <= TEAMS; ++workers) {
            scri_team* team = NULL;
            if (workers > 1) assert_int_equal(scri_team_create(NULL, workers, &team), SCREE_OK);
            if (team) scri_team_spread(team, workers);
            scri_grid grid = build(&f, &s, team);
            require_sorted(&grid, &s);
            require_cells(&grid);
            require_box(&grid, &s);
            scri_team_destroy(team);
        }
        scene_free(&s);
    }
}

/* Touches of a whole scene, by number of the first shape; returns how many. */
static int32_t count_touches(const scene* s, int32_t workers, int32_t* first)
{
    scri_placed placed = scene_placed(s);
    scri_collider* collider = NULL;
    scri_team* team = NULL;
    const scri_touch* touches = NULL;
    int32_t n = 0;
    assert_int_equal(scri_collider_create(NULL, &collider), SCREE_OK);
    if (workers > 1) assert_int_equal(scri_team_create(NULL, workers, &team), SCREE_OK);
    if (team) scri_team_spread(team, workers);
    scri_collider_share(collider, team);
    assert_int_equal(scri_collider_run(collider, &placed, 0.0, &touches, &n), SCREE_OK);
    memset(first, 0, (size_t)s->n * sizeof *first);
    for (int32_t i = 0; i < n; ++i) first[touches[i].a] += 1 + touches[i].b;
    scri_collider_destroy(collider);
    scri_team_destroy(team);
    return n;
}

/* Shapes of one class of sizes, and of several. */
static void workers_find_the_same_touches(void** state)
{
    enum { SHAPES = 6000 };
    static int32_t one[SHAPES], many[SHAPES];
    (void)state;
    scri_random random = test_seed("touches in grids", 18);
    for (int classes = 1; classes <= 3; ++classes) {
        scene s = scene_make(SHAPES);
        for (int32_t i = 0; i < SHAPES; ++i) {
            double radius = RADIUS / (1 + 3 * (i * classes / SHAPES));
            scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){radius, 0.0, 0.0},
                      draw_vec(&random, 0.0, 0.4));
        }
        int32_t n = count_touches(&s, 1, one);
        assert_true(n > SHAPES / 10);
        for (int32_t workers = 2; workers <= TEAMS; ++workers) {
            assert_int_equal(count_touches(&s, workers, many), n);
            assert_memory_equal(one, many, sizeof one);
        }
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_build_the_same_grid),
        cmocka_unit_test(workers_find_the_same_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
