/* Contacts of round bodies in double precision, one at a time and in lanes: the same bits. */
#include "solvers/round_lanes.h"
#include "support/solving.h"

/* Kinds of contacts: 1 rolls, 2 has ellipses, 4 is under the convex law, which has none. */
enum { CASES = 3000, KINDS = 6, CONTACTS = 21, BODIES = 2 * CONTACTS };

typedef struct lanes_case {
    scri_round_contact contacts[CONTACTS];
    scri_round_ellipses sets[2 * CONTACTS];
    scri_round_body bodies[BODIES];
    double change[CONTACTS], impulse[CONTACTS];
} lanes_case;

/* Contacts that share no body, some of them immovable, with coefficients of any size: all cases of
 * sticking and slipping come. */
static void draw_contact(scri_random* random, int32_t i, lanes_case* out)
{
    scri_round_contact* c = &out->contacts[i];
    double* numbers = &c->n.x;
    c->a[0] = (2 * i + 6) % BODIES;
    c->b[0] = (2 * i + 7) % BODIES;
    for (int k = 0; k < SCRI_ROUND_REALS; ++k) numbers[k] = draw_between(random, -1.0, 1.0);
    for (int k = 0; k < 3; ++k) c->mu[k] = fabs(c->mu[k]);
    for (int k = 0; k < 4; ++k) {
        c->inv_w[k] = fabs(c->inv_w[k]);
        c->w[k] = 1.0 / c->inv_w[k];
    }
    if (i % 3 == 0) c->w_tr = 0.0; /* spheres of one size */
    c->p[0] = 2.0 * fabs(c->p[0]);
    for (int k = 0; k < 2; ++k) {
        double angle = draw_between(random, 0.0, 3.0), x = cos(angle), y = sin(angle);
        for (int part = 0; part < 2; ++part) { /* ellipses of the same axes */
            double* e = part ? out->sets[2 * i + k].d : out->sets[2 * i + k].c;
            double first = draw_between(random, 0.2, 3.0), second = draw_between(random, 0.2, 3.0);
            e[0] = first * x * x + second * y * y;
            e[1] = (first - second) * x * y;
            e[2] = first * y * y + second * x * x;
        }
    }
}

static void draw_case(scri_random* random, lanes_case* out)
{
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < CONTACTS; ++i) draw_contact(random, i, out);
    for (int32_t i = 0; i < BODIES; ++i) {
        scri_round_body* body = &out->bodies[i];
        int moves = scri_random_uniform(random) > 0.2;
        for (int k = 0; k < 3; ++k) {
            body->velocity[k] = draw_between(random, -1.0, 1.0);
            body->omega[k] = draw_between(random, -1.0, 1.0);
        }
        body->inv_mass = moves ? draw_between(random, 0.1, 1.0) : 0.0;
        body->inv_inertia = moves ? draw_between(random, 0.1, 1.0) : 0.0;
    }
}

/* As many of the contacts as chance will have, in their order. */
static int32_t draw_list(scri_random* random, int32_t* which)
{
    int32_t n = 0;
    double share = scri_random_uniform(random);
    for (int32_t i = 0; i < CONTACTS; ++i) {
        if (scri_random_uniform(random) < share) which[n++] = i;
    }
    return n;
}

static void update(int lanes, int kind, const int32_t* which, int32_t n, lanes_case* on)
{
    scri_round_list list = {
        on->contacts, kind & 2 ? on->sets : NULL, on->bodies, which, n, kind & 1, kind & 4};
    scri_round_lanes_of(lanes)(&list, on->change, on->impulse);
}

static void lanes_have_the_same_bits(void** state)
{
    (void)state;
    scri_random random = test_seed("lanes", 71);
    assert_true(scri_round_lanes_of(scri_round_lanes_best()) != NULL);
    for (int k = 0; k < test_cases(CASES, 20 * CASES); ++k) {
        static lanes_case start, one, many;
        int32_t which[CONTACTS], n = draw_list(&random, which);
        draw_case(&random, &start);
        one = start;
        update(1, k % KINDS, which, n, &one);
        for (int lanes = 2; lanes <= 8; lanes *= 2) {
            if (!scri_round_lanes_of(lanes)) continue;
            many = start;
            update(lanes, k % KINDS, which, n, &many);
            require(memcmp(&one, &many, sizeof one) == 0, "case %d: %d of %d contacts in %d lanes",
                    k, (int)n, CONTACTS, lanes);
        }
    }
}

/* The list is what changes, and nothing else: contacts that are left out keep their impulses. */
static void others_stay(void** state)
{
    (void)state;
    scri_random random = test_seed("lanes left out", 72);
    const int32_t which[3] = {2, 5, 11};
    static lanes_case start, end;
    draw_case(&random, &start);
    end = start;
    update(scri_round_lanes_best(), 1, which, 3, &end);
    for (int32_t i = 0, k = 0; i < CONTACTS; ++i) {
        int is_listed = k < 3 && which[k] == i;
        int is_same = memcmp(&start.contacts[i], &end.contacts[i], sizeof end.contacts[i]) == 0;
        require(is_same == !is_listed, "contact %d", (int)i);
        k += is_listed;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_same_bits),
        cmocka_unit_test(others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
