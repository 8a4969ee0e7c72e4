/* Rays and overlaps in worlds: the search against a look at every shape. */
#include "collide/query.h"
#include "shapes/bounds.h"
#include "support/draw.h"
#include "support/worlds.h"
#include "world/world.h"

enum { MOST = 4000 };

static scree_shape draw_shape(scri_random* random, int kind, double scale)
{
    scree_shape shape = scree_default_shape();
    double axis[3];
    shape.kind = (scree_shape_kind)kind;
    for (int k = 0; k < 3; ++k) shape.half_size[k] = scale * draw_between(random, 0.5, 1.5);
    draw_direction(random, axis);
    scri_quat_store(scri_quat_exp(scri_vec_load(axis)), shape.rotation);
    shape.category = 1u << draw_below(random, 3);
    return shape;
}

/* Shapes of all kinds and of sizes a hundredfold apart on static bodies, some with two shapes, in a
 * cube of side `side` whose size is not that of any cell. */
static scree_world* crowd(scri_random* random, int n, double side)
{
    scree_world* world = world_new(scree_default_world_def(), (scree_material){.mu = 0.5});
    for (int i = 0; i < n; ++i) {
        static const int curved[] = {SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE};
        int kind = i < 2 ? SCREE_SHAPE_HALF_SPACE : draw_below(random, SCREE_SHAPE_HULL);
        if (i >= 2 && i % 3 == 0) kind = curved[i % 2];
        if (i >= 2 && kind == SCREE_SHAPE_HALF_SPACE) kind = SCREE_SHAPE_SPHERE;
        double scale = draw_chance(random, 5.0) ? 0.5 : draw_chance(random, 20.0) ? 0.05 : 0.005;
        scree_shape two[2] = {draw_shape(random, kind, scale), draw_shape(random, 0, scale)};
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.kind = SCREE_BODY_STATIC;
        for (int k = 0; k < 3; ++k) body.position[k] = draw_between(random, 0.0, side);
        if (i < 2) body.position[i] = -2.0 * side;
        two[1].position[0] = 2.0 * scale;
        assert_int_equal(scree_world_add_body(world, &body, 1 + (i > 2 && i % 7 == 0), two, &id),
                         SCREE_OK);
    }
    return world;
}

typedef struct found {
    int n, stop_after, count[2 * MOST];
    double share[2 * MOST];
} found;

static int note_hit(void* user, const scree_ray_hit* hit)
{
    found* f = user;
    f->count[hit->shape]++;
    f->share[hit->shape] = hit->share;
    return ++f->n == f->stop_after;
}

static int note_shape(void* user, scree_body_id body, int32_t shape)
{
    found* f = user;
    assert_true(body.index1 > 0);
    f->count[shape]++;
    return ++f->n == f->stop_after;
}

/* Every answer of the search, one for each shape that has one. */
static void compare_ray(scree_world* world, const double o[3], const double d[3], uint32_t bits)
{
    static found f;
    scree_ray_hit hit;
    memset(&f, 0, sizeof f);
    assert_int_equal(scree_world_cast_ray(world, o, d, bits, &hit), SCREE_OK);
    assert_int_equal(scree_world_cast_ray_all(world, o, d, bits, note_hit, &f), SCREE_OK);
    scri_placed placed = scri_world_placed(world);
    scri_ray ray = {scri_vec_load(o), scri_vec_load(d)};
    double best = 2.0;
    int32_t first = -1;
    for (int32_t i = 0; i < placed.n; ++i) {
        double share;
        scri_vec normal;
        int meets =
            (placed.category[i] & bits) && scri_ray_meets(&placed, i, &ray, &share, &normal);
        require(f.count[i] == meets, "shape %d is found %d times, not %d", (int)i, f.count[i],
                meets);
        if (meets) assert_true(f.share[i] == share);
        if (meets && share < best) {
            best = share;
            first = i;
        }
    }
    assert_int_equal(hit.shape, first);
    if (first < 0) {
        assert_int_equal(hit.body.index1, 0);
        return;
    }
    assert_true(hit.share == best);
    assert_int_equal(hit.body.index1 - 1, placed.body[first]);
    for (int k = 0; k < 3; ++k) require_near(hit.point[k], o[k] + best * d[k], 1e-12, "point");
}

static void rays_find_what_there_is(void** state)
{
    (void)state;
    scri_random random = test_seed("rays_find_what_there_is", 5);
    static const struct {
        int n;
        double side;
    } crowds[] = {{3, 1.0}, {60, 1.0}, {3000, 3.0}, {1500, 300.0}};
    long met = 0;
    for (size_t w = 0; w < sizeof crowds / sizeof *crowds; ++w) {
        double side = crowds[w].side;
        scree_world* world = crowd(&random, crowds[w].n, side);
        for (int k = 0; k < 300; ++k) {
            double o[3], d[3];
            scree_ray_hit hit;
            double length = k % 3 ? 3.0 * side : 0.1 * side;
            for (int j = 0; j < 3; ++j) {
                o[j] = draw_between(&random, -0.5 * side, 1.5 * side);
                d[j] = draw_between(&random, -length, length);
            }
            if (k % 11 == 0) d[k % 3] = d[(k + 1) % 3] = 0.0; /* along an axis */
            if (k % 13 == 0) o[k % 3] = 1e4 * side;           /* from far off, mostly past */
            compare_ray(world, o, d, k % 5 ? UINT32_MAX : 1u << (k % 3));
            assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
            met += hit.shape >= 0;
        }
        scree_world_destroy(world);
    }
    print_message("%ld rays met something\n", met);
    assert_true(met > 300 && met < 1150);
}

/* ---- overlaps -------------------------------------------------------------------------------- */

static void boxes_find_what_there_is(void** state)
{
    (void)state;
    scri_random random = test_seed("boxes_find_what_there_is", 6);
    static found f;
    scree_world* world = crowd(&random, 3000, 3.0);
    long all = 0;
    for (int k = 0; k < 300; ++k) {
        double lower[3], upper[3], a[3], b[3];
        for (int j = 0; j < 3; ++j) {
            lower[j] = draw_between(&random, -7.0, 3.5);
            upper[j] = lower[j] + draw_power(&random, -3.0, k % 2 ? 0.5 : -1.0);
        }
        memset(&f, 0, sizeof f);
        assert_int_equal(scree_world_overlap_box(world, lower, upper, 3u, note_shape, &f),
                         SCREE_OK);
        const scri_shapes_table* t = &world->shapes;
        for (int32_t i = 0; i < t->n; ++i) {
            size_t s = (size_t)i;
            int in = (t->category[i] & 3u) != 0;
            if (scri_shape_bounds(t->kind[i], t->size + 3 * s, t->position + 3 * s,
                                  t->rotation + 4 * s, a, b)) {
                for (int j = 0; j < 3; ++j) in &= a[j] <= upper[j] && b[j] >= lower[j];
            } else { /* a half-space: is any corner below? */
                scri_mat r = scri_mat_from_quat(scri_quat_load(t->rotation + 4 * s));
                int below = 0;
                for (int corner = 0; corner < 8; ++corner) {
                    double height = 0.0;
                    for (int j = 0; j < 3; ++j) {
                        double x = corner >> j & 1 ? upper[j] : lower[j];
                        height += r.m[3 * j + 2] * (x - t->position[3 * s + (size_t)j]);
                    }
                    below |= height <= 0.0;
                }
                in &= below;
            }
            require(f.count[i] == in, "shape %d is found %d times, not %d", (int)i, f.count[i], in);
        }
        all += f.n;
    }
    print_message("%ld shapes in 300 boxes\n", all);
    assert_true(all > 300);
    scree_world_destroy(world);
}

static void shapes_find_what_they_touch(void** state)
{
    (void)state;
    scri_random random = test_seed("shapes_find_what_they_touch", 7);
    static found f;
    scree_world* world = crowd(&random, 2000, 2.0);
    long all = 0, refused = 0;
    for (int k = 0; k < 400; ++k) {
        scree_shape shape = draw_shape(&random, k % SCREE_SHAPE_HULL, k % 2 ? 0.02 : 0.2);
        shape.collides = k % 3 ? UINT32_MAX : 5u;
        for (int j = 0; j < 3; ++j) shape.position[j] = draw_between(&random, 0.0, 2.0);
        memset(&f, 0, sizeof f);
        scree_status status = scree_world_overlap_shape(world, &shape, note_shape, &f);
        refused += status == SCREE_ERROR_UNSUPPORTED;
        if (status == SCREE_ERROR_UNSUPPORTED) continue;
        assert_int_equal(status, SCREE_OK);
        const scri_shapes_table* t = &world->shapes;
        for (int32_t i = 0; i < t->n; ++i) {
            size_t s = (size_t)i;
            scree_shape_kind kind[2] = {t->kind[i], shape.kind};
            double size[6], x[6], q[8];
            scri_touch points[SCRI_MAX_TOUCHES];
            memcpy(size, t->size + 3 * s, sizeof shape.half_size);
            memcpy(x, t->position + 3 * s, sizeof shape.position);
            memcpy(q, t->rotation + 4 * s, sizeof shape.rotation);
            memcpy(size + 3, shape.half_size, sizeof shape.half_size);
            memcpy(x + 3, shape.position, sizeof shape.position);
            memcpy(q + 4, shape.rotation, sizeof shape.rotation);
            scri_placed two = {.n = 2, .kind = kind, .size = size, .position = x, .rotation = q};
            int in = scri_collide_pair(&two, 0, 1, 0.0, points) > 0;
            in &= (t->category[i] & shape.collides) && (shape.category & t->collides[i]);
            require(f.count[i] == in, "shape %d is found %d times, not %d", (int)i, f.count[i], in);
        }
        all += f.n;
    }
    print_message("%ld shapes touched, %ld questions refused\n", all, refused);
    assert_true(all > 400 && refused < 300);
    scree_world_destroy(world);
}

/* ---- in the course of time ------------------------------------------------------------------- */

/* Answers follow what moves, comes, goes and is put elsewhere. */
static void answers_are_of_now(void** state)
{
    (void)state;
    scree_world* world = world_new(world_def(1e-2, 1e-6), (scree_material){.mu = 0.5});
    scree_shape shape = sphere_of(0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    scree_body_id ball, other;
    const double o[3] = {-5.0, 0.0, 0.0}, d[3] = {10.0, 0.0, 0.0}, turn[4] = {1.0, 0.0, 0.0, 0.0};
    scree_ray_hit hit;
    set3(body.velocity, 0.0, 30.0, 0.0);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.shape, -1); /* an empty world */
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &ball), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    require_near(hit.share, 0.49, 1e-15, "share");
    require_near(hit.normal[0], -1.0, 1e-14, "normal");
    void* saved = malloc(scree_world_state_size(world));
    size_t size = scree_world_state_size(world);
    scree_world_save(world, saved);
    step_world(world);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.shape, -1); /* it has flown off */
    assert_int_equal(scree_world_load(world, saved, size), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.shape, 0);
    const double far[3] = {3.0, 0.0, 0.0}, beside[3] = {0.0, 3.0, 0.0};
    assert_int_equal(scree_world_set_pose(world, ball, far, turn), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    require_near(hit.share, 0.79, 1e-15, "share");
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &other), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.body.index1, other.index1);
    assert_int_equal(scree_world_remove_body(world, other), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.body.index1, ball.index1);
    assert_int_equal(scree_world_set_pose(world, ball, beside, turn), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.shape, -1);
    free(saved);
    scree_world_destroy(world);
}

/* A function that is called ends the search when it has enough. */
static void searches_can_be_ended(void** state)
{
    (void)state;
    scri_random random = test_seed("searches_can_be_ended", 8);
    scree_world* world = crowd(&random, 2000, 1.0);
    static found f;
    const double o[3] = {-1.0, 0.5, 0.5}, d[3] = {3.0, 0.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    const double one[3] = {1.0, 1.0, 1.0};
    scree_shape ball = sphere_of(0.5);
    for (int how = 0; how < 3; ++how) {
        memset(&f, 0, sizeof f);
        f.stop_after = 3;
        scree_status status =
            how == 0   ? scree_world_cast_ray_all(world, o, d, UINT32_MAX, note_hit, &f)
            : how == 1 ? scree_world_overlap_box(world, zero, one, UINT32_MAX, note_shape, &f)
                       : scree_world_overlap_shape(world, &ball, note_shape, &f);
        assert_int_equal(status, SCREE_OK);
        assert_int_equal(f.n, 3);
    }
    scree_world_destroy(world);
}

static void faults_are_refused(void** state)
{
    (void)state;
    scree_world* world = world_new(scree_default_world_def(), (scree_material){.mu = 0.5});
    const double o[3] = {0.0, 0.0, 0.0}, d[3] = {1.0, 0.0, 0.0}, bad[3] = {0.0, NAN, 0.0};
    scree_shape shape = sphere_of(1.0);
    scree_ray_hit hit;
    static found f;
    const scree_status argument = SCREE_ERROR_ARGUMENT, input = SCREE_ERROR_INPUT;
    assert_int_equal(scree_world_cast_ray(NULL, o, d, 1, &hit), argument);
    assert_int_equal(scree_world_cast_ray(world, NULL, d, 1, &hit), argument);
    assert_int_equal(scree_world_cast_ray(world, o, NULL, 1, &hit), argument);
    assert_int_equal(scree_world_cast_ray(world, o, d, 1, NULL), argument);
    assert_int_equal(scree_world_cast_ray(world, bad, d, 1, &hit), input);
    assert_int_equal(scree_world_cast_ray(world, o, bad, 1, &hit), input);
    assert_int_equal(scree_world_cast_ray(world, o, o, 1, &hit), input); /* no length */
    assert_int_equal(scree_world_cast_ray_all(world, o, d, 1, NULL, NULL), argument);
    assert_int_equal(scree_world_cast_ray_all(NULL, o, d, 1, note_hit, &f), argument);
    assert_int_equal(scree_world_overlap_box(NULL, o, d, 1, note_shape, &f), argument);
    assert_int_equal(scree_world_overlap_box(world, o, d, 1, NULL, &f), argument);
    assert_int_equal(scree_world_overlap_box(world, d, o, 1, note_shape, &f), input);
    assert_int_equal(scree_world_overlap_box(world, o, bad, 1, note_shape, &f), input);
    assert_int_equal(scree_world_overlap_shape(NULL, &shape, note_shape, &f), argument);
    assert_int_equal(scree_world_overlap_shape(world, NULL, note_shape, &f), argument);
    assert_int_equal(scree_world_overlap_shape(world, &shape, NULL, &f), argument);
    shape.half_size[0] = -1.0;
    assert_int_equal(scree_world_overlap_shape(world, &shape, note_shape, &f), input);
    shape.half_size[0] = 1.0;
    shape.rotation[0] = 2.0;
    assert_int_equal(scree_world_overlap_shape(world, &shape, note_shape, &f), input);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_find_what_there_is),     cmocka_unit_test(boxes_find_what_there_is),
        cmocka_unit_test(shapes_find_what_they_touch), cmocka_unit_test(answers_are_of_now),
        cmocka_unit_test(searches_can_be_ended),       cmocka_unit_test(faults_are_refused),
    };
    return test_group(tests);
}
