/* Contacts of the same two bodies, which are coloured as one: each is taken once, those that are
 * taken at a time share no movable body, and nothing depends on the number of workers. */
#include "solvers/bundles.h"
#include "support/draw.h"
#include "support/test.h"

enum { MOST = 12000, MOST_BODIES = 4000, GROUPS = SCRI_COLOURS + 1 };

/* Contacts by runs of the same pair; some bodies do not move, some are none. */
typedef struct fixture {
    scree_problem problem;
    int32_t pair[2 * MOST];
    double inv_mass[MOST_BODIES];
    unsigned char* memory;
    scri_bundles bundles;
    int32_t taken[MOST];           /* of each contact: when */
    int32_t last_use[MOST_BODIES]; /* of each body: the layer that had it last */
} fixture;

static void draw_problem(fixture* f, int32_t n, int32_t n_bodies, int32_t longest,
                         scri_random* random)
{
    for (int32_t i = 0; i < n_bodies; ++i) f->inv_mass[i] = draw_chance(random, 90.0) ? 1.0 : 0.0;
    for (int32_t c = 0, left = 0; c < n; ++c, --left) {
        int32_t* own = f->pair + 2 * (size_t)c;
        if (left > 0) {
            memcpy(own, own - 2, 2 * sizeof *own);
            continue;
        }
        left = 1 + draw_below(random, longest);
        own[0] = draw_below(random, n_bodies);
        own[1] = draw_chance(random, 5.0) ? -1 : draw_below(random, n_bodies);
    }
    f->problem =
        (scree_problem){.n_contacts = n,
                        .bodies = {.n_bodies = n_bodies, .inv_mass = f->inv_mass, .pair = f->pair}};
}

static void lay_out(fixture* f, scri_team* team)
{
    scri_bump bump = {NULL, 0};
    scri_bundles_create(&f->problem, &bump);
    f->memory = test_take(bump.used, 1);
    memset(f->memory, 0xff, bump.used);
    bump = (scri_bump){f->memory, 0};
    f->bundles = scri_bundles_create(&f->problem, &bump);
    scri_bundles_compute(&f->problem, &f->bundles, team);
}

static int is_movable(const fixture* f, int32_t body)
{
    return body >= 0 && f->inv_mass[body] > 0.0;
}

/* Runs of one pair, cut where they are too long. */
static void check_heads(const fixture* f)
{
    const scri_bundles* k = &f->bundles;
    const int32_t* pair = f->pair;
    int32_t n = 0;
    for (int32_t c = 0; c < f->problem.n_contacts; ++n) {
        int32_t end = c + 1;
        while (end < f->problem.n_contacts && end < c + SCRI_MOST_BUNDLED &&
               !memcmp(pair + 2 * (size_t)end, pair + 2 * (size_t)c, 2 * sizeof *pair)) {
            ++end;
        }
        assert_int_equal(k->head[n], c);
        c = end;
    }
    assert_int_equal(k->n, n);
    assert_int_equal(k->head[n], f->problem.n_contacts);
}

static int32_t size_of(const scri_bundles* k, int32_t bundle)
{
    return k->head[bundle + 1] - k->head[bundle];
}

/* A chunk of bundles: those at one place in theirs follow each other, and share no movable body,
 * nor do they with other chunks of the colour. */
static void check_chunk(fixture* f, int colour, int32_t begin, int32_t end)
{
    const scri_bundles* k = &f->bundles;
    int32_t at = k->first[begin];
    for (int32_t i = begin; i < end; ++i) {
        int32_t bundle = k->colouring.contact[i];
        assert_int_equal(k->first[i + 1] - k->first[i], size_of(k, bundle));
        for (int side = 0; side < 2; ++side) {
            int32_t body = k->pair[2 * bundle + side];
            if (colour == SCRI_COLOURS || !is_movable(f, body)) continue;
            int32_t other = k->pair[2 * bundle + !side];
            require(f->last_use[body] < colour || (side && other == body),
                    "body %d twice in colour %d", (int)body, colour);
            f->last_use[body] = colour;
        }
    }
    for (int32_t place = 0; at < k->first[end]; ++place) {
        for (int32_t i = begin; i < end; ++i) {
            int32_t bundle = k->colouring.contact[i];
            if (size_of(k, bundle) <= place) continue;
            assert_int_equal(k->contact[at], k->head[bundle] + place);
            assert_int_equal(k->place[at], place);
            f->taken[k->contact[at++]]++;
        }
    }
}

/* Of each so many bundles of a colour those of more contacts come first; else they keep their
 * order. */
static void check_order(const scri_bundles* k, int32_t begin, int32_t end)
{
    enum { ORDERED = 8 * SCRI_CHUNK };
    for (int32_t i = begin + 1; i < end; ++i) {
        const int32_t* own = k->colouring.contact + i;
        int32_t more = size_of(k, own[-1]) - size_of(k, own[0]);
        int is_first = (i - begin) % ORDERED == 0;
        assert_true(is_first || more > 0 || (more == 0 && own[-1] < own[0]));
    }
    for (int32_t i = begin; i + ORDERED < end; i += ORDERED) {
        int32_t last = 0, least = INT32_MAX;
        for (int32_t j = i; j < i + ORDERED; ++j) {
            if (k->colouring.contact[j] > last) last = k->colouring.contact[j];
        }
        for (int32_t j = i + ORDERED; j < end; ++j) {
            if (k->colouring.contact[j] < least) least = k->colouring.contact[j];
        }
        assert_true(last < least);
    }
}

static void check_all(fixture* f)
{
    const scri_bundles* k = &f->bundles;
    const int32_t* start = k->colouring.start;
    check_heads(f);
    for (int32_t i = 0; i < f->problem.bodies.n_bodies; ++i) f->last_use[i] = -1;
    assert_int_equal(start[0], 0);
    for (int colour = 0; colour < GROUPS; ++colour) {
        for (int32_t i = start[colour]; i < start[colour + 1]; i += SCRI_CHUNK) {
            int32_t end = i + SCRI_CHUNK < start[colour + 1] ? i + SCRI_CHUNK : start[colour + 1];
            check_chunk(f, colour, i, end);
        }
        check_order(k, start[colour], start[colour + 1]);
    }
    assert_int_equal(start[GROUPS], k->n);
    assert_int_equal(k->first[k->n], f->problem.n_contacts);
    for (int32_t c = 0; c < f->problem.n_contacts; ++c) assert_int_equal(f->taken[c], 1);
}

static void contacts_of_two_bodies_are_one(void** state)
{
    (void)state;
    scri_random random = test_seed("bundles", 93);
    for (int k = 0; k < 60; ++k) {
        static const int longest[] = {1, 4, 8, 30};
        scri_team* team = NULL;
        int32_t n = k < 4 ? k : 1 + draw_below(&random, k % 2 ? MOST : 300);
        int32_t n_bodies = k % 5 ? 1 + n / 3 : 3; /* with few of them colours run out */
        fixture* f = test_take(1, sizeof *f);
        if (k % 3) assert_int_equal(scri_team_create(NULL, 1 + k % 3, &team), SCREE_OK);
        if (team) scri_team_spread(team, 1 + k % 3);
        draw_problem(f, n, n_bodies < MOST_BODIES ? n_bodies : MOST_BODIES, longest[k % 4],
                     &random);
        lay_out(f, team);
        check_all(f);
        free(f->memory);
        free(f);
        scri_team_destroy(team);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_two_bodies_are_one),
    };
    return cmocka_run_group_tests_name("bundles", tests, NULL, NULL);
}
