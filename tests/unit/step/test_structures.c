/* Random stacks, walls, frames, arcades and corbelled arches of boxes and heaps of balls, with
 * random yaw and masses up to eight decades apart, stand or fall as statics says
 * (support/statics.h): at the default tolerance, in both schemes. */
#include "support/statics.h"
#include "support/worlds.h"

typedef struct structure {
    const char* kind;
    statics_body body[STATICS_BODIES];
    int n;
    double mu, gravity[3];
} structure;

/* Draws are made one by one, never two among the arguments of one call: their order there is the
 * compiler's, and case 1000 of one machine would not be that of another. */
static double between(scri_random* random, double low, double high)
{
    return low + (high - low) * scri_random_uniform(random);
}

static void add(structure* s, double x, double y, double bottom, double yaw, const double* half,
                double mass)
{
    statics_body* b = &s->body[s->n++];
    *b = (statics_body){.centre = {x, y, bottom + half[2]}, .yaw = yaw, .mass = mass};
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
        double mass = draw_mass(random, decades), yaw = between(random, 0.0, 3.0);
        add(s, x, y, bottom, yaw, half, mass);
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
            double mass = draw_mass(random, decades), yaw = between(random, -0.02, 0.02);
            add(s, x, between(random, -0.01, 0.01), 2.0 * row * half[2], yaw, half, mass);
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
    double mass = draw_mass(random, decades), yaw = between(random, -0.3, 0.3);
    add(s, -0.3, 0.0, 0.0, yaw, pillar, mass);
    mass = draw_mass(random, decades), yaw = between(random, -0.3, 0.3);
    add(s, 0.3, between(random, -0.05, 0.05), 0.0, yaw, pillar, mass);
    mass = draw_mass(random, decades), yaw = between(random, -0.05, 0.05);
    add(s, between(random, -0.05, 0.05), 0.0, 0.5, yaw, lintel, mass);
    mass = draw_mass(random, decades), yaw = between(random, 0.0, 3.0);
    add(s, between(random, -0.5, 0.5), 0.0, 0.5 + 2.0 * lintel[2], yaw, load, mass);
}

/* A row of pillars, lintels from each to the next, and something on every lintel. */
static void draw_arcade(scri_random* random, structure* s, double decades)
{
    int spans = 2 + (int)scri_random_below(random, 2);
    double pillar[3] = {between(random, 0.06, 0.1), between(random, 0.05, 0.1), 0.25};
    double lintel[3] = {0.28, between(random, 0.05, 0.1), thickness(random)};
    double load[3] = {0.08, 0.08, thickness(random)};
    s->kind = "arcade";
    for (int i = 0; i <= spans; ++i) {
        double mass = draw_mass(random, decades), yaw = between(random, -0.3, 0.3);
        add(s, 0.6 * i, between(random, -0.03, 0.03), 0.0, yaw, pillar, mass);
    }
    for (int i = 0; i < spans; ++i) {
        double mass = draw_mass(random, decades), yaw = between(random, -0.05, 0.05);
        add(s, 0.6 * i + between(random, 0.29, 0.31), 0.0, 0.5, yaw, lintel, mass);
    }
    for (int i = 0; i < spans; ++i) {
        double mass = draw_mass(random, decades), yaw = between(random, 0.0, 3.0);
        double x = 0.6 * i + between(random, 0.1, 0.5);
        add(s, x, 0.0, 0.5 + 2.0 * lintel[2], yaw, load, mass);
    }
}

/* Two stacks whose layers step towards each other, and a slab that closes them. */
static void draw_corbels(scri_random* random, structure* s, double decades)
{
    int layers = 2 + (int)scri_random_below(random, 3);
    double half[3] = {0.15, between(random, 0.06, 0.12), thickness(random)}, x = 0.5;
    s->kind = "corbelled arch";
    for (int i = 0; i < layers; ++i) {
        for (int side = -1; side <= 1; side += 2) {
            double mass = draw_mass(random, decades), yaw = between(random, -0.05, 0.05);
            add(s, side * x, between(random, -0.01, 0.01), 2.0 * i * half[2], yaw, half, mass);
        }
        if (i + 1 < layers) x -= between(random, 0.01, 0.09);
    }
    double slab[3] = {x - 0.15 + between(random, 0.02, 0.15), half[1], thickness(random)};
    double mass = draw_mass(random, decades), yaw = between(random, -0.05, 0.05);
    add(s, between(random, -0.01, 0.01), 0.0, 2.0 * layers * half[2], yaw, slab, mass);
}

static void add_ball(structure* s, double x, double y, double z, double radius, double mass)
{
    s->body[s->n++] = (statics_body){
        .half = {radius, radius, radius}, .centre = {x, y, z}, .mass = mass, .is_ball = 1};
}

/* Layers of balls of one size, each in the pockets of the one below, on a floor or on a column of
 * boxes; the topmost ball has a size of its own. Corners of the layers lie at `turn` apart. */
static void draw_heap(scri_random* random, structure* s, double decades)
{
    int square = (int)scri_random_below(random, 2), boxes = (int)scri_random_below(random, 3);
    int layers = square ? 2 : 2 + (int)scri_random_below(random, 2);
    double r = between(random, 0.03, 0.05), bottom = 0.0, turn = between(random, 0.0, 3.0);
    double cosine = square ? 0.0 : 0.5, sine = square ? 1.0 : sqrt(0.75);
    double off[2] = {square ? r : r, square ? r : r / sqrt(3.0)};        /* of the next layer */
    double rise = sqrt(4.0 * r * r - off[0] * off[0] - off[1] * off[1]); /* likewise */
    s->kind = "heap of balls";
    for (int i = 0; i < boxes; ++i) {
        double half[3] = {0.25, 0.25, thickness(random)}, mass = draw_mass(random, decades);
        add(s, 0.0, 0.0, bottom, between(random, 0.0, 3.0), half, mass);
        bottom += 2.0 * half[2];
    }
    for (int layer = 0; layer < layers; ++layer) {
        int wide = layers - layer;
        double size = wide > 1 ? r : between(random, 0.8, 2.0) * r;
        double z = bottom + r + layer * rise;
        if (wide == 1) z += sqrt((size + r) * (size + r) - 4.0 * r * r + rise * rise) - rise;
        for (int i = 0; i < wide; ++i) {
            for (int j = 0; j < (square ? wide : wide - i); ++j) {
                double x = layer * off[0] + 2.0 * r * (i + cosine * j) - r * (layers - 1);
                double y = layer * off[1] + 2.0 * r * sine * j - 0.6 * r * (layers - 1);
                add_ball(s, cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y, z, size,
                         draw_mass(random, decades));
            }
        }
    }
}

typedef void draw_function(scri_random* random, structure* s, double decades);

/* The floor's slope is a gravity that leans. */
static structure draw_structure(scri_random* random)
{
    static draw_function* const kinds[] = {draw_stack,  draw_wall,    draw_frame,
                                           draw_arcade, draw_corbels, draw_heap};
    structure s = {.n = 0, .mu = between(random, 0.2, 0.8)};
    double decades = scri_random_below(random, 2) ? 8.0 : 0.0;
    double lean = scri_random_below(random, 2) ? between(random, 0.0, 1.3 * s.mu) : 0.0;
    double angle = between(random, 0.0, 6.0);
    kinds[scri_random_below(random, 6)](random, &s, decades);
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
        const statics_body* b = &s->body[i];
        double r = b->half[0], volume = 8.0 * r * b->half[1] * b->half[2];
        scree_shape shape = b->is_ball ? sphere_of(r) : box_of(r, b->half[1], b->half[2]);
        if (b->is_ball) volume = 4.0 / 3.0 * SCREE_PI * r * r * r;
        scree_body_def body = body_of(&shape, b->mass / volume);
        for (int k = 0; k < 3; ++k) body.position[k] = b->centre[k];
        body.rotation[0] = cos(0.5 * b->yaw);
        body.rotation[3] = sin(0.5 * b->yaw);
        add_body(world, &body, &shape);
    }
    return world;
}

/* The farthest that any body has come after `steps` steps, whether all rest then, how many steps
 * missed, and by the worst of them what was left. */
static double run(const structure* s, scree_scheme scheme, int steps, int* rests, int* missed,
                  double* worst)
{
    scree_world* world = build(s, scheme);
    double moved = 0.0;
    *worst = 0.0;
    *missed = 0;
    *rests = 1;
    for (int k = 0; k < steps; ++k) {
        scree_step_report report = step_any(world);
        if (report.solve.outcome == SCREE_OUTCOME_CONVERGED) continue;
        ++*missed;
        *worst = fmax(*worst, report.solve.residual);
    }
    scree_world_view view = scree_world_get_view(world);
    for (int i = 0; i < s->n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            double d = view.position[3 * (i + 1) + k] - s->body[i].centre[k];
            sum += d * d;
        }
        moved = fmax(moved, sqrt(sum));
        *rests &= is_at_rest(&view, i + 1);
        if (isnan(sum)) moved = sum;
    }
    scree_world_destroy(world);
    return moved;
}

static void structures_obey_statics(void** state)
{
    (void)state;
    scri_random random = test_seed("structures_obey_statics", 7);
    test_range cases = test_range_of(test_few(5, 2), 1000); /* more: 0:2000 */
    int judged[3] = {0, 0, 0}, wrong = 0, missed_steps = 0;
    for (int i = 0; i < cases.to; ++i) {
        structure s = draw_structure(&random);
        if (i < cases.from) continue;
        statics_verdict verdict = statics_judge(s.body, s.n, s.gravity, s.mu);
        ++judged[verdict];
        if (verdict == STATICS_NEAR) continue;
        for (int scheme = 0; scheme < 2; ++scheme) {
            int rests, missed, stands = verdict == STATICS_STANDS;
            double worst,
                moved = run(&s, (scree_scheme)scheme, stands ? 100 : 150, &rests, &missed, &worst);
            missed_steps += missed;
            if (missed > 0) {
                print_message("case %d, %s of %d, scheme %d, %s: %d missed, worst %g\n", i, s.kind,
                              s.n, scheme, stands ? "stands" : "falls", missed, worst);
            }
            /* a light ball may push heavy ones apart as slowly as it likes, but they never rest */
            if (stands ? moved <= 1e-5 : moved >= 1e-4 || !rests) continue;
            ++wrong;
            print_message("case %d, %s of %d, scheme %d, mu %.3f, %s: moved %g m, %d missed\n", i,
                          s.kind, s.n, scheme, s.mu, stands ? "stands" : "falls", moved, missed);
        }
    }
    print_message("%d stand, %d fall, %d too near; %d wrong, %d steps missed\n",
                  judged[STATICS_STANDS], judged[STATICS_FALLS], judged[STATICS_NEAR], wrong,
                  missed_steps);
    /* One of 2,000, a heap on a plate 5e6 times lighter than the ball on top, creeps (decision
     * 110). */
    require(wrong <= (cases.to - cases.from) / 1000, "%d are wrong", wrong);
    if (cases.from > 0) return;
    assert_true(judged[STATICS_STANDS] >= cases.to / 5 && judged[STATICS_FALLS] > 0);
}

/* The judge itself, where the answer is known by hand. */
static void judge_knows_closed_forms(void** state)
{
    (void)state;
    statics_body tower[2] = {
        {.half = {0.1, 0.1, 0.1}, .centre = {0.0, 0.0, 0.1}, .mass = 1.0},
        {.half = {0.1, 0.1, 0.1}, .centre = {0.08, 0.0, 0.3}, .yaw = 0.7, .mass = 1e6}};
    double down[3] = {0.0, 0.0, -9.81}, lean[3] = {9.81 * 0.4, 0.0, -9.81};
    assert_int_equal(statics_judge(tower, 2, down, 0.5), STATICS_STANDS);
    assert_int_equal(statics_judge(tower, 1, lean, 0.5), STATICS_STANDS);
    assert_int_equal(statics_judge(tower, 1, lean, 0.3), STATICS_FALLS);
    tower[1].centre[0] = 0.15; /* its centre is beyond the edge */
    assert_int_equal(statics_judge(tower, 2, down, 0.5), STATICS_FALLS);
    tower[1].centre[0] = 0.1;
    assert_int_equal(statics_judge(tower, 2, down, 0.5), STATICS_NEAR);
    /* Four equal balls: the upper one presses at 35.26 degrees from the vertical, and the lower
     * ones do not turn if friction is the same at both of their points: mu = tan(35.26 / 2) =
     * 0.3178. */
    structure heap = {.n = 0};
    double side = 0.5 / sqrt(3.0), rise = sqrt(2.0 / 3.0);
    add_ball(&heap, 0.0, 2.0 * side, 0.5, 0.5, 1.0);
    add_ball(&heap, 0.5, -side, 0.5, 0.5, 1.0);
    add_ball(&heap, -0.5, -side, 0.5, 0.5, 1.0);
    add_ball(&heap, 0.0, 0.0, 0.5 + rise, 0.5, 1.0);
    assert_int_equal(statics_judge(heap.body, 4, down, 0.42), STATICS_STANDS);
    assert_int_equal(statics_judge(heap.body, 4, down, 0.32), STATICS_NEAR);
    assert_int_equal(statics_judge(heap.body, 4, down, 0.27), STATICS_FALLS);
    /* a ball on a floor that leans rolls; on a level one the least lean would do */
    assert_int_equal(statics_judge(heap.body, 1, lean, 0.9), STATICS_FALLS);
    assert_int_equal(statics_judge(heap.body, 1, down, 0.9), STATICS_NEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_knows_closed_forms),
        cmocka_unit_test(structures_obey_statics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
