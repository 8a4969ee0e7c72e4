/* Stacks of three and ten boxes, turned against each other about the vertical, that touch from the
 * beginning or settle: they stand, at every tolerance and step, in both schemes, and after the
 * first second not one bit changes. SCREE_TEST_ALL: all cases, for an hour each. */
#include "base/bits.h"
#include "support/worlds.h"

enum { MOST_BOXES = 10, CASES = 144 };

/* m; boxes that land one after the other go nowhere, but a step knows the time of an impact only to
 * its length. */
#define SIDEWAYS 5e-4

typedef struct stack {
    int boxes, settles;
    double tol, step;
    scree_scheme scheme;
} stack;

/* The number of a case in mixed radix, spread so that the first few are of all kinds. */
static stack stack_of(int number)
{
    static const double tols[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, steps[] = {1e-3, 4e-3, 1e-2};
    int k = number * 59 % CASES;
    stack s = {.boxes = k % 2 ? 3 : 10, .settles = k / 2 % 2};
    s.scheme = k / 4 % 2 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
    s.step = steps[k / 8 % 3];
    s.tol = tols[k / 24];
    return s;
}

static scree_world* build(const stack* s)
{
    scree_world_def def = world_def(s->step, s->tol);
    scree_shape shape = box_of(0.1, 0.1, 0.1);
    def.scheme = s->scheme;
    def.theta = s->scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    add_floor(world, 0.0);
    for (int i = 0; i < s->boxes; ++i) {
        scree_body_def body = body_of(&shape, 1000.0);
        double above = s->settles ? 5e-4 + 1e-4 * i : 0.0;
        set3(body.position, i % 2 ? -0.003 : 0.003, 0.0, 0.1 + 0.2 * i + above);
        body.rotation[0] = cos(0.05 * i);
        body.rotation[3] = sin(0.05 * i);
        add_body(world, &body, &shape);
    }
    return world;
}

typedef struct places {
    double position[3 * (MOST_BOXES + 1)], rotation[4 * (MOST_BOXES + 1)];
} places;

static places places_of(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    places out = {.position = {0.0}};
    memcpy(out.position, view.position, 3 * (size_t)view.n_bodies * sizeof(double));
    memcpy(out.rotation, view.rotation, 4 * (size_t)view.n_bodies * sizeof(double));
    return out;
}

static int are_same(const places* a, const places* b)
{
    return scri_same_bits(a->position, b->position, sizeof a->position) &&
           scri_same_bits(a->rotation, b->rotation, sizeof a->rotation);
}

/* How far a box has come to the side. */
static double sideways(const places* from, const places* to)
{
    double most = 0.0;
    for (int i = 0; i <= MOST_BOXES; ++i) {
        double d = hypot(to->position[3 * i] - from->position[3 * i],
                         to->position[3 * i + 1] - from->position[3 * i + 1]);
        most = isnan(d) ? SCREE_INFINITY : fmax(most, d);
    }
    return most;
}

static void stacks_stand(void** state)
{
    (void)state;
    test_range cases = test_range_of(12, CASES);
    double seconds = test_cases(3, 3600), worst = 0.0;
    int wrong = 0;
    for (int c = cases.from; c < cases.to; ++c) {
        stack s = stack_of(c);
        scree_world* world = build(&s);
        places from = places_of(world), then = from;
        long steps = lround(seconds / s.step), second = lround(1.0 / s.step), moved = 0, missed = 0;
        for (long n = 0; n < steps; ++n) {
            missed += step_any(world).solve.outcome != SCREE_OUTCOME_CONVERGED;
            places now = places_of(world);
            if (!are_same(&now, &then)) moved = n + 1;
            then = now;
        }
        double off = sideways(&from, &then);
        worst = fmax(worst, off);
        if (moved > second || missed || off > SIDEWAYS) {
            ++wrong;
            print_message("case %d: %d boxes, %s, scheme %d, step %g s, tolerance %.0e: %g m to "
                          "the side, moves until %g s, %ld steps missed\n",
                          c, s.boxes, s.settles ? "settling" : "touching", (int)s.scheme, s.step,
                          s.tol, off, (double)moved * s.step, missed);
        }
        scree_world_destroy(world);
    }
    print_message("%d cases, %g s each: at most %g m to the side, %d wrong\n",
                  cases.to - cases.from, seconds, worst, wrong);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stacks_stand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
