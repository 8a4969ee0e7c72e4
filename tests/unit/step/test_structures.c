/* Random stacks, walls and frames of boxes, with random yaw and masses up to eight decades apart,
 * stand or fall as statics says (support/statics.h): at the default tolerance, in both schemes. */
#include "support/statics.h"
#include "support/worlds.h"

typedef struct structure {
    const char* kind;
    statics_box box[STATICS_BOXES];
    int n;
    double mu, gravity[3];
} structure;

static double between(scri_random* random, double low, double high)
{
    return low + (high - low) * scri_random_uniform(random);
}

static void add(structure* s, double x, double y, double bottom, double yaw, const double* half,
                double mass)
{
    statics_box* b = &s->box[s->n++];
    *b = (statics_box){.centre = {x, y, bottom + half[2]}, .yaw = yaw, .mass = mass};
    for (int k = 0; k < 3; ++k) b->half[k] = half[k];
}

/* Powers of two apart, so that heights add up exactly. */
static double thickness(scri_random* random)
{
    return ldexp(1.0, -4 - (int)scri_random_below(random, 2));
}

static double draw_mass(scri_random* random, double decades)
{
    return pow(10.0, between(random, -0.5 * decades, 0.5 * decades));
}

/* Boxes one upon the other, each a little off the one below. */
static void draw_stack(scri_random* random, structure* s, double decades)
{
    int n = 2 + (int)scri_random_below(random, 6);
    double x = 0.0, y = 0.0, bottom = 0.0, off = between(random, 0.0, 0.6);
    s->kind = "stack";
    for (int i = 0; i < n; ++i) {
        double half[3] = {between(random, 0.1, 0.2), between(random, 0.1, 0.2), thickness(random)};
        add(s, x, y, bottom, between(random, 0.0, 3.0), half, draw_mass(random, decades));
        bottom += 2.0 * half[2];
        x += off * between(random, -0.15, 0.15);
        y += off * between(random, -0.15, 0.15);
    }
}

/* Rows of bricks, each row half a brick off the last. */
static void draw_wall(scri_random* random, structure* s, double decades)
{
    int rows = 2 + (int)scri_random_below(random, 3), wide = 2 + (int)scri_random_below(random, 2);
    double half[3] = {0.2, between(random, 0.06, 0.12), thickness(random)};
    s->kind = "wall";
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < wide; ++i) {
            double x = 0.44 * i + 0.22 * (row % 2) + between(random, -0.015, 0.015);
            add(s, x, between(random, -0.01, 0.01), 2.0 * row * half[2],
                between(random, -0.02, 0.02), half, draw_mass(random, decades));
        }
    }
}

/* Two pillars, a lintel, and something on it. */
static void draw_frame(scri_random* random, structure* s, double decades)
{
    double pillar[3] = {between(random, 0.05, 0.1), between(random, 0.05, 0.1), 0.25};
    double lintel[3] = {between(random, 0.3, 0.5), between(random, 0.05, 0.1), thickness(random)};
    double load[3] = {0.08, 0.08, thickness(random)};
    s->kind = "frame";
    add(s, -0.3, 0.0, 0.0, between(random, -0.3, 0.3), pillar, draw_mass(random, decades));
    add(s, 0.3, between(random, -0.05, 0.05), 0.0, between(random, -0.3, 0.3), pillar,
        draw_mass(random, decades));
    add(s, between(random, -0.05, 0.05), 0.0, 0.5, between(random, -0.05, 0.05), lintel,
        draw_mass(random, decades));
    add(s, between(random, -0.5, 0.5), 0.0, 0.5 + 2.0 * lintel[2], between(random, 0.0, 3.0), load,
        draw_mass(random, decades));
}

/* The floor's slope is a gravity that leans. */
static structure draw_structure(scri_random* random)
{
    structure s = {.n = 0, .mu = between(random, 0.2, 0.8)};
    double decades = scri_random_below(random, 2) ? 8.0 : 0.0;
    double lean = scri_random_below(random, 2) ? between(random, 0.0, 1.3 * s.mu) : 0.0;
    double angle = between(random, 0.0, 6.0);
    switch (scri_random_below(random, 3)) {
    case 0:
        draw_stack(random, &s, decades);
        break;
    case 1:
        draw_wall(random, &s, decades);
        break;
    default:
        draw_frame(random, &s, decades);
        break;
    }
    set3(s.gravity, 9.81 * lean * cos(angle), 9.81 * lean * sin(angle), -9.81);
    return s;
}

static scree_world* build(const structure* s, scree_scheme scheme)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    for (int k = 0; k < 3; ++k) def.gravity[k] = s->gravity[k];
    scree_world* world = world_new(def, (scree_material){.mu = s->mu});
    add_floor(world, 0.0);
    for (int i = 0; i < s->n; ++i) {
        const statics_box* b = &s->box[i];
        scree_shape shape = box_of(b->half[0], b->half[1], b->half[2]);
        scree_body_def body =
            body_of(&shape, b->mass / (8.0 * b->half[0] * b->half[1] * b->half[2]));
        for (int k = 0; k < 3; ++k) body.position[k] = b->centre[k];
        body.rotation[0] = cos(0.5 * b->yaw);
        body.rotation[3] = sin(0.5 * b->yaw);
        add_body(world, &body, &shape);
    }
    return world;
}

/* The farthest that any box has come after `steps` steps, and how many of them missed. */
static double run(const structure* s, scree_scheme scheme, int steps, int* missed)
{
    scree_world* world = build(s, scheme);
    double moved = 0.0;
    *missed = 0;
    for (int k = 0; k < steps; ++k) {
        scree_step_report report = step_any(world);
        *missed += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
    }
    scree_world_view view = scree_world_get_view(world);
    for (int i = 0; i < s->n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            double d = view.position[3 * (i + 1) + k] - s->box[i].centre[k];
            sum += d * d;
        }
        moved = fmax(moved, sqrt(sum));
        if (isnan(sum)) moved = sum;
    }
    scree_world_destroy(world);
    return moved;
}

static void structures_obey_statics(void** state)
{
    (void)state;
    scri_random random = test_seed("structures_obey_statics", 7);
    int cases = test_cases(5, 2000), judged[3] = {0, 0, 0}, wrong = 0, missed_steps = 0;
    for (int i = 0; i < cases; ++i) {
        structure s = draw_structure(&random);
        statics_verdict verdict = statics_judge(s.box, s.n, s.gravity, s.mu);
        ++judged[verdict];
        if (verdict == STATICS_NEAR) continue;
        for (int scheme = 0; scheme < 2; ++scheme) {
            int missed, stands = verdict == STATICS_STANDS;
            double moved = run(&s, (scree_scheme)scheme, stands ? 100 : 150, &missed);
            missed_steps += missed;
            if (stands ? moved <= 1e-5 : moved >= 1e-4) continue;
            ++wrong;
            print_message("case %d, %s of %d, scheme %d, mu %.3f, %s: moved %g m, %d missed\n", i,
                          s.kind, s.n, scheme, s.mu, stands ? "stands" : "falls", moved, missed);
        }
    }
    print_message("%d stand, %d fall, %d too near; %d wrong, %d steps missed\n",
                  judged[STATICS_STANDS], judged[STATICS_FALLS], judged[STATICS_NEAR], wrong,
                  missed_steps);
    assert_int_equal(wrong, 0);
    assert_true(judged[STATICS_STANDS] >= cases / 5 && judged[STATICS_FALLS] > 0);
}

/* The judge itself, where the answer is known by hand. */
static void judge_knows_closed_forms(void** state)
{
    (void)state;
    statics_box tower[2] = {{{0.1, 0.1, 0.1}, {0.0, 0.0, 0.1}, 0.0, 1.0},
                            {{0.1, 0.1, 0.1}, {0.08, 0.0, 0.3}, 0.7, 1e6}};
    double down[3] = {0.0, 0.0, -9.81}, lean[3] = {9.81 * 0.4, 0.0, -9.81};
    assert_int_equal(statics_judge(tower, 2, down, 0.5), STATICS_STANDS);
    assert_int_equal(statics_judge(tower, 1, lean, 0.5), STATICS_STANDS);
    assert_int_equal(statics_judge(tower, 1, lean, 0.3), STATICS_FALLS);
    tower[1].centre[0] = 0.15; /* its centre is beyond the edge */
    assert_int_equal(statics_judge(tower, 2, down, 0.5), STATICS_FALLS);
    tower[1].centre[0] = 0.1;
    assert_int_equal(statics_judge(tower, 2, down, 0.5), STATICS_NEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_knows_closed_forms),
        cmocka_unit_test(structures_obey_statics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
