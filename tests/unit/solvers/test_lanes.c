/* Contacts in double precision, one at a time and in lanes: the same bits. */
#include "cones/norm_kernel.h"
#include "math/small_kernel.h"
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
    for (int k = 0; k < 3; ++k) c->inv_w[k] = fabs(c->inv_w[k]);
    if (i % 3 == 0) c->arm_b = -c->arm_a; /* spheres of one size, if their inertias are one */
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
        body->inv_inertia = moves ? 0.25 * (1.0 + floor(draw_between(random, 0.0, 4.0))) : 0.0;
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

/* ---- bodies of any inertia ------------------------------------------------------------------- */

typedef struct solid_case {
    scri_round_solid contacts[CONTACTS];
    scri_round_body bodies[BODIES];
    double change[CONTACTS], impulse[CONTACTS];
} solid_case;

static void take_apart(const double* m, double* out)
{
    for (int i = 0, k = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) out[k++] = m[3 * i + j];
    }
}

/* b b^T with a little more on the diagonal. */
static void draw_definite(scri_random* random, double* out)
{
    double b[9];
    for (int i = 0; i < 9; ++i) b[i] = draw_between(random, -1.0, 1.0);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = i == j ? 0.05 : 0.0;
            for (int k = 0; k < 3; ++k) out[3 * i + j] += b[3 * i + k] * b[3 * j + k];
        }
    }
}

/* A block that is not made of the arms will do, as it is solved alone; `turn` has another order. */
static void draw_solid(scri_random* random, int32_t i, solid_case* out)
{
    scri_round_solid* c = &out->contacts[i];
    double *numbers = &c->n.x, w[9], inverse[9];
    c->a[0] = (2 * i + 6) % BODIES;
    c->b[0] = (2 * i + 7) % BODIES;
    for (int k = 0; k < SCRI_SOLID_REALS; ++k) numbers[k] = draw_between(random, -1.0, 1.0);
    draw_definite(random, w);
    for (int k = 0; k < 3; ++k) { /* columns of the inverse */
        double m[9], x[3] = {k == 0, k == 1, k == 2};
        memcpy(m, w, sizeof m);
        assert_true(scri_gauss_solve(3, 3, m, x));
        for (int j = 0; j < 3; ++j) inverse[3 * j + k] = x[j];
    }
    take_apart(w, c->w);
    take_apart(inverse, c->stick);
    c->mu = draw_between(random, 0.01, 1.5);
    c->p[0] = fabs(c->p[0]);
    c->lambda = scri_random_uniform(random) < 0.5 ? 0.0 : fabs(c->lambda);
}

static void draw_solids(scri_random* random, solid_case* out)
{
    lanes_case with;
    draw_case(random, &with);
    memset(out, 0, sizeof *out);
    memcpy(out->bodies, with.bodies, sizeof out->bodies);
    for (int32_t i = 0; i < CONTACTS; ++i) draw_solid(random, i, out);
}

static void update_solids(int lanes, const int32_t* which, int32_t n, solid_case* on)
{
    scri_solid_list list = {on->contacts, on->bodies, which, n, 1e-10};
    scri_solid_lanes_of(lanes)(&list, on->change, on->impulse);
}

static void lanes_of_solids_have_the_same_bits(void** state)
{
    (void)state;
    scri_random random = test_seed("solid lanes", 73);
    for (int k = 0; k < test_cases(CASES, 20 * CASES); ++k) {
        static solid_case start, one, many;
        int32_t which[CONTACTS], n = draw_list(&random, which);
        draw_solids(&random, &start);
        one = start;
        update_solids(1, which, n, &one);
        for (int lanes = 2; lanes <= 8; lanes *= 2) {
            if (!scri_solid_lanes_of(lanes)) continue;
            many = start;
            update_solids(lanes, which, n, &many);
            require(memcmp(&one, &many, sizeof one) == 0, "case %d: %d of %d contacts in %d lanes",
                    k, (int)n, CONTACTS, lanes);
        }
    }
}

/* What is left of Coulomb's law at p and y, relative. */
static double error_of(double mu, const double* p, const double* y)
{
    double slide = hypot(p[1], p[2]), slip = hypot(y[1], y[2]), size = scri_norm(3, p);
    double worst = fmax(-y[0], slide - mu * p[0]);
    if (p[0] > 0.0) worst = fmax(worst, fabs(y[0]));
    if (slide < (1.0 - 1e-8) * mu * p[0]) worst = fmax(worst, slip);
    /* opposed to the slip */
    if (p[0] > 0.0)
        worst = fmax(worst, hypot(y[1] * slide + slip * p[1], y[2] * slide + slip * p[2]));
    return isnan(worst) ? worst : worst / fmax(1.0, size);
}

/* Every impulse that is found obeys the law: the velocity under it is w p + q, with q what the
 * bodies and the impulse before it leave. Of a definite block one is found nearly always. */
static void solids_obey_the_law(void** state)
{
    (void)state;
    scri_random random = test_seed("solid law", 74);
    const int32_t which[1] = {4};
    int missed = 0, seen[3] = {0, 0, 0}, n = test_cases(CASES, 20 * CASES);
    for (int k = 0; k < n; ++k) {
        static solid_case before, after;
        draw_solids(&random, &before);
        scri_round_solid* c = &before.contacts[4];
        for (int side = 0; side < 2; ++side) { /* at rest: y is q */
            memset(before.bodies[side ? c->b[0] : c->a[0]].velocity, 0, 6 * sizeof(double));
        }
        after = before;
        update_solids(1, which, 1, &after);
        const scri_round_solid* found = &after.contacts[4];
        double y[3], change[3];
        for (int i = 0; i < 3; ++i) change[i] = found->p[i] - c->p[i];
        scri_round_multiply(c->w, change, y);
        for (int i = 0; i < 3; ++i) y[i] += c->q[i];
        missed += after.change[0] < 0.0;
        seen[found->p[0] == 0.0 ? 0 : hypot(y[1], y[2]) > 1e-6 ? 1 : 2]++;
        if (after.change[0] < 0.0) continue;
        double error = error_of(c->mu, found->p, y);
        require(error <= 1e-8, "case %d: %g", k, error);
    }
    for (int i = 0; i < 3; ++i) require(seen[i] > n / 20, "state %d: %d times", i, seen[i]);
    require(missed <= n / 100, "%d of %d were not solved", missed, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_same_bits),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(lanes_of_solids_have_the_same_bits),
        cmocka_unit_test(solids_obey_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
