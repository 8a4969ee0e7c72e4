/* The search over whole scenes: against all pairs, order, filters, memory, bad input. */
#include "unit/collide/scene.h"

typedef struct touch_list {
    scri_touch* touches;
    int32_t n, capacity;
} touch_list;

/* The scene whose touches are compared. */
static const scene* compared;

static int32_t rank_of(int32_t i)
{
    return compared->ranking ? compared->rank[i] : i;
}

static int compare(const void* p, const void* q)
{
    const scri_touch *a = p, *b = q;
    if (a->a != b->a) return rank_of(a->a) < rank_of(b->a) ? -1 : 1;
    if (a->b != b->b) return rank_of(a->b) < rank_of(b->b) ? -1 : 1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

/* What the collider must find: every pair, by the rules as they are written. */
static touch_list brute_force(const scene* s, double margin)
{
    scri_placed placed = scene_placed(s);
    touch_list list = {test_take(64, sizeof(scri_touch)), 0, 64};
    for (int32_t i = 0; i < s->n; ++i) {
        for (int32_t j = i + 1; j < s->n; ++j) {
            if (s->body[i] == s->body[j] || (!s->responds[i] && !s->responds[j])) continue;
            if (!(s->category[i] & s->collides[j]) || !(s->category[j] & s->collides[i])) continue;
            if (list.n + SCRI_MAX_TOUCHES > list.capacity) {
                list.capacity *= 2;
                list.touches = realloc(list.touches, (size_t)list.capacity * sizeof *list.touches);
                assert_non_null(list.touches);
            }
            list.n += scri_collide_pair(&placed, i, j, margin, list.touches + list.n);
        }
    }
    compared = s;
    qsort(list.touches, (size_t)list.n, sizeof *list.touches, compare);
    return list;
}

static int equal(const scri_touch* a, const scri_touch* b)
{
    return a->a == b->a && a->b == b->b && a->feature == b->feature && a->gap == b->gap &&
           !memcmp(a->point, b->point, sizeof a->point) &&
           !memcmp(a->normal, b->normal, sizeof a->normal);
}

/* Who helps the colliders of a test. */
static scri_team* helpers;

/* Bit for bit what all pairs give; returns the number of points. */
static int32_t check_scene(scri_collider* collider, const scene* s, double margin)
{
    scri_placed placed = scene_placed(s);
    const scri_touch* touches;
    int32_t n;
    assert_int_equal(scri_collider_run(collider, &placed, margin, &touches, &n), SCREE_OK);
    touch_list list = brute_force(s, margin);
    require(n == list.n, "%d points, not %d", (int)n, (int)list.n);
    for (int32_t i = 0; i < n; ++i) {
        require(equal(touches + i, list.touches + i), "point %d: shapes %d %d, not %d %d", (int)i,
                (int)touches[i].a, (int)touches[i].b, (int)list.touches[i].a,
                (int)list.touches[i].b);
    }
    free(list.touches);
    return n;
}

static scri_collider* make_collider(const scree_env* env)
{
    scri_collider* collider = NULL;
    assert_int_equal(scri_collider_create(env, &collider), SCREE_OK);
    scri_collider_share(collider, helpers);
    return collider;
}

/* Random shapes in a cube of this side; sizes 10^[low, high]. */
static void draw_scene(scri_random* random, scene* s, int32_t n, double side, double low,
                       double high)
{
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_CAPSULE,
                                             SCREE_SHAPE_CYLINDER, SCREE_SHAPE_ELLIPSOID,
                                             SCREE_SHAPE_CONE};
    int mixed = draw_chance(random, 50.0), planes = draw_below(random, 4);
    s->n = 0;
    for (int32_t i = 0; i < n; ++i) {
        int solid = mixed && draw_chance(random, 40.0);
        double scale = draw_power(random, low, high);
        scri_vec size = {scale, solid ? scale * draw_between(random, 0.2, 2.0) : 0.0,
                         solid ? scale * draw_between(random, 0.2, 2.0) : 0.0};
        scene_add(s, solid ? kinds[draw_below(random, 5)] : SCREE_SHAPE_SPHERE, size,
                  draw_vec(random, 0.0, side));
        if (i < planes) {
            s->kind[i] = SCREE_SHAPE_HALF_SPACE;
            for (int k = 0; k < 3; ++k) s->position[3 * i + k] = side * (0.2 + 0.1 * k);
        }
        scene_turn(s, i, draw_rotation(random));
        s->responds[i] = !draw_chance(random, 20.0);
        s->body[i] = draw_chance(random, 20.0) ? i / 4 : i;
        s->category[i] = draw_chance(random, 20.0) ? 2u : 1u;
        s->collides[i] = draw_chance(random, 20.0) ? 1u : UINT32_MAX;
    }
    /* half-spaces anywhere in the numbering */
    for (int i = 0; i < planes && n > 1; ++i) {
        int j = draw_below(random, (int)n);
        scree_shape_kind kind = s->kind[i];
        s->kind[i] = s->kind[j];
        s->kind[j] = kind;
        for (int k = 0; k < 3; ++k) {
            double size = s->size[3 * i + k];
            s->size[3 * i + k] = s->size[3 * j + k];
            s->size[3 * j + k] = size;
        }
    }
}

static void random_scenes(void** state)
{
    (void)state;
    scri_random random = test_seed("random_scenes", 41);
    scene s = scene_make(1200);
    scri_collider* collider = make_collider(NULL);
    long total = 0;
    for (int i = 0; i < test_cases(40, 300); ++i) {
        int32_t n = draw_below(&random, i % 3 ? 200 : 1200);
        int spread = draw_below(&random, 4); /* decades of sizes: none to three */
        double side = 3.0 * cbrt(n + 1.0) * draw_power(&random, -0.5, 0.5);
        if (spread > 1) side *= 0.3;
        draw_scene(&random, &s, n, side, -spread, spread ? 0.3 : 0.0);
        s.ranking = 0;
        if (i % 2) scene_draw_ranks(&random, &s);
        total += check_scene(collider, &s, draw_chance(&random, 20.0) ? 0.0 : 0.1);
    }
    require(total > 10000, "%ld points only", total);
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* Equal spheres on a lattice that just touch, or are just within the margin: cells and radii are
 * at their limits. */
static void lattices(void** state)
{
    (void)state;
    scene s = scene_make(1000);
    scri_collider* collider = make_collider(NULL);
    static const double pitches[] = {1.0, 1.125, 0.999999999999, 1.1249999999999};
    static const double starts[] = {0.0, -3.7, 1e6, 1e9};
    for (int p = 0; p < 16; ++p) {
        s.n = 0;
        for (int i = 0; i < 512; ++i) {
            double pitch = pitches[p % 4], x = starts[p / 4];
            scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){0.5, 0.0, 0.0},
                      (scri_vec){x + pitch * (i % 8), x + pitch * (i / 8 % 8), pitch * (i / 64)});
        }
        int32_t n = check_scene(collider, &s, 0.125);
        if (p < 8) assert_int_equal(n, 3 * 7 * 64);
    }
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* A large floor and walls of boxes, many small spheres: long lists of partners. */
static void large_and_small(void** state)
{
    (void)state;
    scri_random random = test_seed("large_and_small", 42);
    scene s = scene_make(4000);
    scri_collider* collider = make_collider(NULL);
    int32_t floor =
        scene_add(&s, SCREE_SHAPE_BOX, (scri_vec){20.0, 20.0, 0.5}, (scri_vec){0.0, 0.0, -0.5});
    s.responds[floor] = 0;
    for (int i = 0; i < 2000; ++i) {
        scri_vec x = draw_vec(&random, -18.0, 18.0);
        x.z = draw_between(&random, 0.05, 0.3);
        scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){draw_between(&random, 0.08, 0.1), 0, 0}, x);
    }
    scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){3.0, 0.0, 0.0}, (scri_vec){1.0, 2.0, 3.0});
    scene_add(&s, SCREE_SHAPE_CYLINDER, (scri_vec){0.4, 9.0, 0.0}, (scri_vec){-5.0, 2.0, 3.0});
    int32_t n = check_scene(collider, &s, 0.02);
    require(n > 400, "%d points", (int)n);
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* Few shapes over a huge space, clusters far apart, all in one place. */
static void wide_scenes(void** state)
{
    (void)state;
    scri_random random = test_seed("wide_scenes", 43);
    scene s = scene_make(500);
    test_host host;
    scree_env env = test_env(&host);
    scri_collider* collider = make_collider(&env);
    for (int i = 0; i < 60; ++i) {
        double spread = draw_power(&random, 3.0, i % 10 == 9 ? 300.0 : 12.0);
        s.n = 0;
        for (int k = 0; k < 300; ++k) {
            double at = draw_below(&random, 3) - 1.0;
            scri_vec x = scri_vec_scale(i % 3 == 2 ? 1e-3 : 1.0, draw_vec(&random, -4.0, 4.0));
            if (i % 3) x = scri_vec_add(x, (scri_vec){spread * at, -spread * at, spread * at});
            if (k % 50 == 0) x = draw_vec(&random, -spread, spread);
            scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){draw_between(&random, 0.4, 0.5), 0, 0}, x);
        }
        check_scene(collider, &s, 0.01);
    }
    scri_collider_destroy(collider);
    assert_int_equal(host.n_held, 0);
    scene_free(&s);
}

/* Memory goes with the number of shapes and of points, not with the space between them. */
static size_t largest_request;

static void* watch_alloc(void* user, size_t size)
{
    (void)user;
    if (size > largest_request) largest_request = size;
    return malloc(size);
}

static void watch_release(void* user, void* memory)
{
    (void)user;
    free(memory);
}

static void memory_is_bounded(void** state)
{
    (void)state;
    scri_random random = test_seed("memory_is_bounded", 44);
    scree_env env = {.alloc = watch_alloc, .release = watch_release};
    scene s = scene_make(1000);
    scri_collider* collider = make_collider(&env);
    largest_request = 0;
    for (int i = 0; i < 1000; ++i) {
        scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){1e-3, 0.0, 0.0}, draw_vec(&random, 0.0, 1e6));
    }
    check_scene(collider, &s, 0.0);
    require(largest_request < 100 * 1000, "%zu bytes at once", largest_request);
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* Points of shapes that stay are copied from call to call: whatever moves, grows, is seen from
 * farther, comes and goes or has other ranks, they are those of a search without memory. */
static void what_stays_is_found_again(void** state)
{
    (void)state;
    scri_random random = test_seed("what_stays_is_found_again", 49);
    scene s = scene_make(300);
    scri_collider* collider = make_collider(NULL);
    draw_scene(&random, &s, 300, 5.0, -1.0, 0.0);
    int32_t n = check_scene(collider, &s, 0.05);
    require(n > 200, "%d points", (int)n);
    for (int i = 0; i < test_size(30, 60); ++i) {
        int32_t k = (int32_t)scri_random_below(&random, (uint32_t)s.n);
        double margin = i / 10 % 2 ? 0.05 : 0.04;
        if (i % 3 == 0) s.position[3 * k + i % 2] += draw_between(&random, -0.3, 0.3);
        if (i % 3 == 1) s.size[3 * k] *= 1.1;
        s.n = i % 7 == 6 ? 250 : 300;
        if (i % 7 == 6 || i % 13 == 12) scene_draw_ranks(&random, &s);
        if (i % 7 == 0) s.ranking = 0;
        check_scene(collider, &s, margin);
    }
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* ---- memory ---- */

static void no_allocation_once_warm(void** state)
{
    (void)state;
    scri_random random = test_seed("no_allocation_once_warm", 45);
    test_host host;
    scree_env env = test_env(&host);
    scene s = scene_make(1200);
    scri_collider* collider = make_collider(&env);
    draw_scene(&random, &s, 1200, 12.0, -1.0, 0.0);
    int32_t n = check_scene(collider, &s, 0.1);
    require(n > 1000, "%d points", (int)n);
    long asked = host.n_asked;
    for (int i = 0; i < test_size(8, 20); ++i) {
        for (int32_t k = 0; k < 3 * s.n; ++k) s.position[k] += draw_between(&random, -1e-4, 1e-4);
        s.n = i % 3 ? 1200 : 700;
        check_scene(collider, &s, i % 2 ? 0.0999 : 0.0);
    }
    assert_int_equal(host.n_asked, asked);
    scri_collider_destroy(collider);
    assert_int_equal(host.n_held, 0);
    scene_free(&s);
}

static void growth_is_geometric(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    const int32_t most = test_size(1500, 3000);
    scene s = scene_make(most);
    scri_collider* collider = make_collider(&env);
    while (s.n < most) {
        const scri_touch* touches;
        int32_t n;
        scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){0.5, 0, 0}, (scri_vec){0.9 * s.n, 0.0, 0.0});
        scri_placed placed = scene_placed(&s);
        assert_int_equal(scri_collider_run(collider, &placed, 0.0, &touches, &n), SCREE_OK);
        assert_int_equal(n, s.n - 1);
    }
    require(host.n_asked < 400, "%ld allocations", host.n_asked);
    scri_collider_destroy(collider);
    assert_int_equal(host.n_held, 0);
    scene_free(&s);
}

/* Every allocation fails once: the error is reported, nothing leaks, and the next call works. */
static void failing_allocations(void** state)
{
    (void)state;
    scri_random random = test_seed("failing_allocations", 46);
    scene s = scene_make(400);
    draw_scene(&random, &s, 300, 3.0, -1.0, 0.0);
    scri_placed placed = scene_placed(&s);
    for (long k = 0;; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scri_collider* collider = NULL;
        const scri_touch* touches;
        int32_t n;
        host.fail_at = k;
        scree_status status = scri_collider_create(&env, &collider);
        if (!status) status = scri_collider_run(collider, &placed, 0.05, &touches, &n);
        int failed = host.n_asked > k;
        assert_int_equal(status, failed ? SCREE_ERROR_MEMORY : SCREE_OK);
        assert_int_equal(host.n_logged, failed);
        if (failed && collider) {
            assert_true(touches == NULL && n == 0);
            check_scene(collider, &s, 0.05);
        }
        scri_collider_destroy(collider);
        assert_int_equal(host.n_held, 0);
        if (!failed) {
            require(k > 15, "%ld allocations only", k);
            break;
        }
    }
    scene_free(&s);
}

/* ---- input ---- */

static void expect_error(scri_collider* collider, test_host* host, const scene* s, double margin,
                         const char* text)
{
    scri_placed placed = scene_placed(s);
    const scri_touch* touches;
    int32_t n = 7;
    host->n_logged = 0;
    assert_int_equal(scri_collider_run(collider, &placed, margin, &touches, &n), SCREE_ERROR_INPUT);
    assert_int_equal(n, 0);
    assert_int_equal(host->n_logged, 1);
    require(strstr(host->text, text), "\"%s\" does not say \"%s\"", host->text, text);
}

static void bad_input(void** state)
{
    (void)state;
    scri_random random = test_seed("bad_input", 47);
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    test_host host;
    scree_env env = test_env(&host);
    scene s = scene_make(100);
    scri_collider* collider = make_collider(&env);
    draw_scene(&random, &s, 100, 5.0, -1.0, 0.0);
    for (int i = 0; i < 100; ++i) {
        char text[32];
        int k = draw_below(&random, 3);
        double kept = s.position[3 * i + k];
        snprintf(text, sizeof text, "shape %d (%s)", i, scree_shape_name((int)s.kind[i]));
        s.position[3 * i + k] = bad[draw_below(&random, 3)];
        expect_error(collider, &host, &s, 0.1, text);
        s.position[3 * i + k] = kept;
        if (s.kind[i] == SCREE_SHAPE_SPHERE) continue;
        kept = s.rotation[4 * i];
        s.rotation[4 * i] = bad[draw_below(&random, 3)];
        expect_error(collider, &host, &s, 0.1, text);
        s.rotation[4 * i] = kept;
    }
    expect_error(collider, &host, &s, (double)NAN, "margin");
    expect_error(collider, &host, &s, -1.0, "margin");
    s.kind[3] = SCREE_SHAPE_SPHERE;
    s.size[9] = 0.0;
    expect_error(collider, &host, &s, 0.1, "shape 3 (sphere): size[0] = 0");
    s.kind[3] = (scree_shape_kind)77;
    expect_error(collider, &host, &s, 0.1, "shape 3: unknown kind 77");
    s.kind[3] = SCREE_SHAPE_SPHERE;
    s.size[9] = 0.1;
    check_scene(collider, &s, 0.1); /* and it works again */
    s.n = 0;
    assert_int_equal(check_scene(collider, &s, 0.1), 0);
    scri_collider_destroy(collider);
    scri_collider_destroy(NULL);
    assert_int_equal(scri_collider_create(&env, NULL), SCREE_ERROR_ARGUMENT);
    scene_free(&s);
}

/* Two overlapping shapes under each rule by itself. */
static void filters(void** state)
{
    (void)state;
    scene s = scene_make(2);
    scri_collider* collider = make_collider(NULL);
    for (int plane = 0; plane < 2; ++plane) {
        s.n = 0;
        scene_add(&s, plane ? SCREE_SHAPE_HALF_SPACE : SCREE_SHAPE_SPHERE, (scri_vec){1, 0, 0},
                  (scri_vec){0.0, 0.0, 0.0});
        scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){1.0, 0.0, 0.0}, (scri_vec){0.1, 0.0, 0.0});
        assert_int_equal(check_scene(collider, &s, 0.0), 1);
        s.body[1] = 0;
        assert_int_equal(check_scene(collider, &s, 0.0), 0);
        s.body[1] = 1;
        s.responds[0] = 0;
        assert_int_equal(check_scene(collider, &s, 0.0), 1);
        s.responds[1] = 0;
        assert_int_equal(check_scene(collider, &s, 0.0), 0);
        s.responds[1] = 2;
        s.category[0] = 4;
        s.collides[1] = 3;
        assert_int_equal(check_scene(collider, &s, 0.0), 0);
        s.collides[1] = 4;
        assert_int_equal(check_scene(collider, &s, 0.0), 1);
        s.collides[0] = 2;
        assert_int_equal(check_scene(collider, &s, 0.0), 0);
        s.category[1] = 6;
        assert_int_equal(check_scene(collider, &s, 0.0), 1);
    }
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* Hundreds in one cell, more than the search takes at once. */
static void crowded_cells(void** state)
{
    (void)state;
    scri_random random = test_seed("crowded_cells", 48);
    scene s = scene_make(601);
    scri_collider* collider = make_collider(NULL);
    for (int i = 0; i < 600; ++i) {
        scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){0.05, 0, 0}, draw_vec(&random, 0.0, 0.3));
    }
    scene_add(&s, SCREE_SHAPE_SPHERE, (scri_vec){0.06, 0, 0}, draw_vec(&random, 0.0, 0.3));
    int32_t n = check_scene(collider, &s, 0.0);
    require(n > 5000, "%d points", (int)n);
    scri_collider_destroy(collider);
    scene_free(&s);
}

/* The same with a team: pieces are searched side by side, and what they find is joined. */
static void teams_find_the_same(void** state)
{
    assert_int_equal(scri_team_create(NULL, 3, &helpers), SCREE_OK);
    scri_team_spread(helpers, 3);
    lattices(state);
    large_and_small(state);
    what_stays_is_found_again(state);
    no_allocation_once_warm(state);
    scri_team_destroy(helpers);
    helpers = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes),
        cmocka_unit_test(lattices),
        cmocka_unit_test(large_and_small),
        cmocka_unit_test(wide_scenes),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(what_stays_is_found_again),
        cmocka_unit_test(no_allocation_once_warm),
        cmocka_unit_test(growth_is_geometric),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(filters),
        cmocka_unit_test(crowded_cells),
        cmocka_unit_test(teams_find_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
