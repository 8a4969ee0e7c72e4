/* Stacks of three and ten boxes, turned against each other about the vertical, that touch from the
 * beginning or settle: they stand, at every tolerance and step, in both schemes, and after the
 * first second not one bit changes. What is saved of a world determines its future, but for the
 * number of the step, which decides in turns of some dozen steps what is tried; so a state that
 * has come back from each of many steps in a row comes back from all that follow: these stacks
 * stand for ever. SCREE_TEST_ALL: all cases. */
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

/* Steps in a row that leave the state as it is: several times as many as one turn takes. */
enum { UNCHANGED_STEPS = 500, ROWS_PER_STEP = 20, IN_A_ROW = 3 };

typedef struct snapshot {
    size_t size;
    unsigned char state[1 << 17];
} snapshot;

static void take(const scree_world* world, snapshot* out)
{
    out->size = scree_world_state_size(world);
    assert_true(out->size <= sizeof out->state);
    memset(out->state, 0, sizeof out->state);
    scree_world_save(world, out->state);
}

/* Whether a step has changed nothing but the number of steps. */
static int are_same(const scree_world* world, const snapshot* before, const snapshot* after)
{
    int64_t steps = scree_world_get_view(world).steps, found = 0;
    size_t at = 0, word = sizeof steps;
    if (before->size != after->size) return 0;
    while (at < after->size && before->state[at] == after->state[at]) ++at;
    at = at / word * word;
    memcpy(&found, after->state + at, word);
    return found == steps && scri_same_bits(before->state + at + word, after->state + at + word,
                                            sizeof after->state - at - word);
}

typedef struct places {
    double position[3 * (MOST_BOXES + 1)];
} places;

static places places_of(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    places out = {.position = {0.0}};
    memcpy(out.position, view.position, 3 * (size_t)view.n_bodies * sizeof(double));
    return out;
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

typedef struct fate {
    long changed,
        missed; /* the last step that changed the state; steps that missed the tolerance */
    double sideways;
} fate;

/* A second, and as many steps more. */
static fate fate_of(const stack* s)
{
    static snapshot states[2];
    fate f = {.changed = 0};
    scree_world* world = build(s);
    places from = places_of(world);
    long steps = lround(1.0 / s->step) + UNCHANGED_STEPS;
    take(world, &states[0]);
    for (long n = 1; n <= steps; ++n) {
        f.missed += step_any(world).solve.outcome != SCREE_OUTCOME_CONVERGED;
        take(world, &states[n % 2]);
        if (!are_same(world, &states[(n + 1) % 2], &states[n % 2])) f.changed = n;
    }
    int32_t n_rows = scree_problem_n_rows(scree_world_get_view(world).problem);
    assert_true(3 * IN_A_ROW * (1 + n_rows / ROWS_PER_STEP) < UNCHANGED_STEPS);
    places to = places_of(world);
    f.sideways = sideways(&from, &to);
    scree_world_destroy(world);
    return f;
}

static void stacks_stand(void** state)
{
    (void)state;
    test_range cases = test_range_of(12, CASES);
    double worst = 0.0;
    int wrong = 0;
    for (int c = cases.from; c < cases.to; ++c) {
        stack s = stack_of(c);
        fate f = fate_of(&s);
        worst = fmax(worst, f.sideways);
        if (f.changed <= lround(1.0 / s.step) && !f.missed && f.sideways <= SIDEWAYS) continue;
        ++wrong;
        print_message("case %d: %d boxes, %s, scheme %d, step %g s, tolerance %.0e: %g m to the "
                      "side, changes until %g s, %ld steps missed\n",
                      c, s.boxes, s.settles ? "settling" : "touching", (int)s.scheme, s.step, s.tol,
                      f.sideways, (double)f.changed * s.step, f.missed);
    }
    print_message("%d cases: at most %g m to the side, %d wrong\n", cases.to - cases.from, worst,
                  wrong);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stacks_stand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
