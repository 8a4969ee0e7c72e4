/* Worlds whose bodies come in no order: ranked along a curve, with the contacts that they have
 * anyway, the same for any number of workers and taken up again, whoever comes and goes. */
#include "base/keys.h"
#include "support/draw.h"
#include "support/worlds.h"
#include "world/ranks.h"

#include <math.h>

enum { SIDE = 12, LAYERS = 14, GRAINS = SIDE * SIDE * LAYERS, FIRST = 17, LATER = 33 };

/* m: grains nearly touch their neighbours from the beginning. */
#define RADIUS 0.01
#define SPACING 0.02001

/* Spheres, with some boxes, in the places of a lattice, in random order if they are `mixed`; two
 * of them hang together. */
static scree_world* lattice_of(int32_t workers, int mixed)
{
    scree_world_def def = world_def(2e-3, 1e-2);
    scri_random random = {.key = 551};
    static int32_t place[GRAINS];
    static scree_body_id id[GRAINS];
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    def.solver.max_iter = 20;
    def.workers = workers;
    scree_material grain = {.mu = 0.5, .mu_r = 1e-3, .mu_s = 1e-3};
    scree_world* world = world_new_in((scree_env){0}, def, grain); /* sweeps alone */
    for (int32_t i = 0; i < GRAINS; ++i) {
        int32_t at = mixed ? draw_below(&random, i + 1) : i;
        place[i] = place[at];
        place[at] = i;
    }
    add_floor(world, 0.0);
    for (int32_t i = 0; i < GRAINS; ++i) {
        int32_t k = place[i];
        scree_shape shape = k % 50 == 7 ? box_of(0.007, 0.007, 0.007) : sphere_of(RADIUS);
        scree_body_def body = body_of(&shape, 2500.0);
        set3(body.position, SPACING * (k % SIDE), SPACING * (k / SIDE % SIDE),
             RADIUS + SPACING * (k / SIDE / SIDE));
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id[k]), SCREE_OK);
    }
    scree_joint_def joint = scree_default_joint_def();
    scree_joint_id unused;
    joint.kind = SCREE_JOINT_BALL;
    joint.body[0] = id[0];
    joint.body[1] = id[1];
    assert_int_equal(scree_world_add_joint(world, &joint, &unused), SCREE_OK);
    return world;
}

static void step_until(scree_world* world, int64_t steps)
{
    while (world->steps < steps) step_any(world);
}

/* ---- what holds of ranks ----------------------------------------------------------------------
 */

/* How many ranks the bodies of contacts are apart on average that both respond. */
static double mean_apart(const scree_world* world)
{
    double sum = 0.0, n = 0.0;
    for (int32_t c = 0; c < world->n_touching; ++c) {
        const int32_t* pair = world->contacts.pair + 2 * c;
        if (world->bodies.inv_mass[pair[0]] * world->bodies.inv_mass[pair[1]] == 0.0) continue;
        sum += abs(scri_body_rank(world, pair[0]) - scri_body_rank(world, pair[1]));
        n += 1.0;
    }
    return sum / n;
}

/* Ranks are an order of the slots, those of shapes follow from them, and contacts come by these;
 * each pair once, and the rows of joints last. */
static void require_order(const scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    const scri_shapes_table* s = &world->shapes;
    const scri_contacts_table* t = &world->contacts;
    assert_true(world->is_ranked);
    for (int32_t i = 0; i < b->n; ++i) assert_int_equal(b->by_rank[b->rank[i]], i);
    for (int32_t k = 0; k < s->n; ++k) {
        assert_int_equal(s->by_rank[s->rank[k]], k);
        if (k == 0) continue;
        int32_t x = s->by_rank[k - 1], y = s->by_rank[k], rank = b->rank[s->body[x]];
        require(rank < b->rank[s->body[y]] || (s->body[x] == s->body[y] && x < y), "shape %d", y);
    }
    for (int32_t c = 1; c < t->n; ++c) {
        const int32_t *x = t->shape + 2 * (c - 1), *y = t->shape + 2 * c;
        int order = scri_ranks_compare(world, x, y);
        require(order < 0 || (order == 0 && t->feature[c - 1] < t->feature[c]) ||
                    x[0] == SCRI_JOINT_SHAPE,
                "contact %d of %d is out of order", c, t->n);
        require((y[0] == SCRI_JOINT_SHAPE) == (c >= world->n_touching), "contact %d", c);
    }
}

static uint64_t hash_state(const scree_world* world)
{
    size_t size = scree_world_state_size(world);
    unsigned char* saved = test_take(size, 1);
    uint64_t hash = 1469598103934665603u;
    scree_world_save(world, saved);
    for (size_t i = 0; i < size; ++i) hash = (hash ^ saved[i]) * 1099511628211u;
    free(saved);
    return hash;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void what_is_in_order_keeps_its_slots(void** state)
{
    (void)state;
    scree_world* world = lattice_of(1, 0);
    step_until(world, FIRST);
    require(world->n_touching > 4096, "%d contacts", world->n_touching);
    assert_int_equal(world->is_ranked, 0);
    scree_world_destroy(world);
}

static void neighbours_come_together(void** state)
{
    (void)state;
    scree_world* world = lattice_of(1, 1);
    step_until(world, FIRST - 1);
    assert_int_equal(world->is_ranked, 0);
    double row = cbrt(GRAINS), before = mean_apart(world);
    int32_t n = world->n_touching, known = 0;
    step_any(world);
    require_order(world);
    double after = mean_apart(world);
    print_message("%d contacts: %g ranks apart before, %g now, %g in rows\n", (int)n, before, after,
                  row * row);
    require(before > 0.3 * GRAINS && after < row * row, "%g ranks apart, %g before", after, before);
    for (int32_t c = 0; c < world->n_touching; ++c) known += world->contacts.was[c] >= 0;
    require(known >= n - n / 100, "%d of %d contacts are known", (int)known, (int)n);
    for (int32_t c = 0; c < world->n_touching; ++c) {
        int32_t j = world->contacts.was[c];
        if (j < 0) continue;
        assert_memory_equal(world->contacts.shape + 2 * c, world->last.shape + 2 * j, 8);
    }
    uint32_t ranking = world->ranking;
    step_until(world, LATER); /* looked at once more, and left as it is */
    assert_int_equal(world->ranking, ranking);
    scree_world_destroy(world);
}

/* Ranked or not, a world finds the same pairs: of two alike, one forgets its ranks, and both what
 * they know of contacts. */
static void the_same_contacts_are_found(void** state)
{
    (void)state;
    test_of_numbers();
    scree_world *ranked = lattice_of(1, 1), *plain = lattice_of(1, 1);
    step_until(ranked, FIRST);
    step_until(plain, FIRST);
    plain->is_ranked = 0;
    plain->contacts.n = plain->n_touching = 0;
    ranked->contacts.n = ranked->n_touching = 0;
    plain->parts.n = ranked->parts.n = 0;
    step_any(ranked);
    step_any(plain);
    assert_int_equal(plain->is_ranked, 0);
    assert_int_equal(ranked->n_touching, plain->n_touching);
    int32_t n = plain->n_touching;
    scri_key *one = test_take((size_t)n, sizeof *one), *other = test_take((size_t)n, sizeof *other),
             *spare = test_take((size_t)n, sizeof *spare);
    for (int32_t c = 0; c < n; ++c) {
        const int32_t *x = ranked->contacts.shape + 2 * c, *y = plain->contacts.shape + 2 * c;
        one[c] = (scri_key){(uint64_t)x[0] << 32 | (uint64_t)x[1], 0};
        other[c] = (scri_key){(uint64_t)y[0] << 32 | (uint64_t)y[1], 0};
    }
    scri_keys_sort(one, spare, n, UINT64_MAX, NULL, NULL);
    scri_keys_sort(other, spare, n, UINT64_MAX, NULL, NULL);
    for (int32_t c = 0; c < n; ++c) assert_true(one[c].key == other[c].key);
    free(one);
    free(other);
    free(spare);
    scree_world_destroy(ranked);
    scree_world_destroy(plain);
}

static void workers_rank_alike(void** state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t workers = 1; workers <= test_few(4, 2); ++workers) {
        scree_world* world = lattice_of(workers, 1);
        step_until(world, FIRST + 3);
        require_order(world);
        uint64_t hash = hash_state(world);
        if (workers == 1) first = hash;
        require(hash == first, "%d workers: other bits", workers);
        scree_world_destroy(world);
    }
}

static void ranks_are_taken_up_again(void** state)
{
    (void)state;
    const int64_t at[] = {FIRST + 2, FIRST - 1};
    for (size_t k = 0; k < (size_t)test_few(2, 1); ++k) {
        scree_world *whole = lattice_of(1, 1), *again = lattice_of(1, 1);
        step_until(whole, at[k]);
        size_t size = scree_world_state_size(whole);
        void* saved = test_take(size, 1);
        scree_world_save(whole, saved);
        step_until(whole, FIRST + 5);
        if (k == 1) step_until(again, FIRST + 1); /* it has ranks, and the state has none */
        assert_int_equal(scree_world_load(again, saved, size), SCREE_OK);
        assert_int_equal(again->is_ranked, k == 0);
        step_until(again, FIRST + 5);
        require(hash_state(again) == hash_state(whole), "from step %d: other bits", (int)at[k]);
        free(saved);
        scree_world_destroy(whole);
        scree_world_destroy(again);
    }
}

static void damaged_ranks_are_refused(void** state)
{
    (void)state;
    scree_world* world = lattice_of(1, 1);
    step_until(world, FIRST);
    size_t size = scree_world_state_size(world);
    void* saved = test_take(size, 1);
    const int32_t wrong[] = {-1, world->bodies.n, world->bodies.rank[5], INT32_MAX};
    for (int k = 0; k < test_few(4, 1); ++k) {
        int32_t kept = world->bodies.rank[3];
        world->bodies.rank[3] = wrong[k];
        scree_world_save(world, saved);
        world->bodies.rank[3] = kept;
        assert_int_equal(scree_world_load(world, saved, size), SCREE_ERROR_INPUT);
        step_any(world); /* it can be gone on with */
        for (int32_t r = 0; r < world->bodies.n; ++r) {
            require(world->bodies.rank[r] == r, "rank %d", (int)r);
        }
        scree_world_destroy(world);
        world = lattice_of(1, 1);
        step_until(world, FIRST);
    }
    free(saved);
    scree_world_destroy(world);
}

/* Slots that are filled again keep their ranks, new ones are the last. */
static void bodies_come_and_go(void** state)
{
    (void)state;
    scree_world* world = lattice_of(1, 1);
    step_until(world, FIRST);
    for (int32_t k = 0; k < 4; ++k) {
        for (int32_t i = 10 + k; i < GRAINS; i += 400) {
            scree_body_id id = scree_world_body_at(world, i);
            assert_int_equal(scree_world_remove_body(world, id), SCREE_OK);
        }
        scree_shape shape = sphere_of(RADIUS);
        scree_body_def body = body_of(&shape, 2500.0);
        for (int i = 0; i < 1 + 4 * k; ++i) {
            set3(body.position, 0.05 * i, 0.1, RADIUS * (40.0 + 5.0 * k));
            add_body(world, &body, &shape);
        }
        int32_t kept = world->n_touching, known = 0;
        step_any(world);
        require_order(world);
        for (int32_t c = 0; c < world->n_touching; ++c) known += world->contacts.was[c] >= 0;
        require(known >= kept - kept / 100, "%d of %d contacts are known", (int)known, (int)kept);
    }
    scree_world_destroy(world);
}

/* One body beyond all others does not put these into one cell. */
static void far_bodies_do_not_count(void** state)
{
    (void)state;
    scree_world* world = lattice_of(1, 1);
    scree_shape shape = sphere_of(RADIUS);
    scree_body_def body = body_of(&shape, 2500.0);
    set3(body.position, 1e9, -1e12, 1e6);
    add_body(world, &body, &shape);
    step_until(world, FIRST);
    require_order(world);
    double row = cbrt(GRAINS), apart = mean_apart(world);
    require(apart < row * row, "%g ranks apart", apart);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_order_keeps_its_slots),
        cmocka_unit_test(neighbours_come_together),
        cmocka_unit_test(the_same_contacts_are_found),
        cmocka_unit_test(workers_rank_alike),
        cmocka_unit_test(ranks_are_taken_up_again),
        cmocka_unit_test(damaged_ranks_are_refused),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(far_bodies_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
