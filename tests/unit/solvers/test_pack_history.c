/* The history of packs against math/anderson.h in double precision, and what it promises of bodies:
 * velocities that are linear in impulses stay so in every combination. */
#include "base/team.h"
#include "math/anderson.h"
#include "solvers/pack_history.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

enum { PACKS = 40, BODIES = 9, ROWS = 6, N = PACKS * ROWS * SCRI_LANES };

/* Packs and bodies of a method that has not been begun, with a history of their own. */
typedef struct fixture {
    scri_nsgs_wide of;
    scri_pack_history history;
    _Alignas(64) scri_pack_block blocks[PACKS / SCRI_BLOCK];
    scri_pack_body bodies[BODIES + 1];
    scri_pack_past past[PACKS];
    scri_body_past body_past[BODIES];
    scri_pack_sums sums[PACKS];
    float mobility[6 * BODIES][8]; /* of each velocity, over a few of the impulses */
} fixture;

static float* impulse_of(fixture* f, int i)
{
    int row = i / SCRI_LANES % ROWS;
    return scri_pack_vector(f->blocks, i / (ROWS * SCRI_LANES), SCRI_ROUND_P + row) +
           i % SCRI_LANES;
}

static float weight_of(fixture* f, int i)
{
    static const int kind[ROWS] = {0, 1, 1, 2, 2, 2};
    int k = SCRI_PACK_INV_W + kind[i / SCRI_LANES % ROWS];
    return 1.0f / scri_pack_vector(f->blocks, i / (ROWS * SCRI_LANES), k)[i % SCRI_LANES];
}

/* Where in the impulses velocity k looks for its j-th one. */
static int place(int k, int j)
{
    return (37 * k + 101 * j) % N;
}

static float velocity_of(fixture* f, int k)
{
    float sum = 0.0f;
    for (int j = 0; j < 8; ++j) sum += f->mobility[k][j] * *impulse_of(f, place(k, j));
    return sum;
}

static void move_bodies(fixture* f)
{
    for (int k = 0; k < 6 * BODIES; ++k) f->bodies[k / 6].line[k % 6] = velocity_of(f, k);
}

static fixture* begin(scri_random* random, scri_team* team)
{
    fixture* f = test_take(1, sizeof *f);
    f->of = (scri_nsgs_wide){.kind = SCRI_ROUND_ROLLS, .blocks = f->blocks, .bodies = f->bodies};
    f->of.start[SCRI_COLOURS + 1] = PACKS;
    f->history = (scri_pack_history){.of = &f->of,
                                     .team = team,
                                     .n_bodies = BODIES,
                                     .pack = f->past,
                                     .body = f->body_past,
                                     .sums = f->sums};
    for (int i = 0; i < PACKS; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int lane = 0; lane < SCRI_LANES; ++lane) {
                scri_pack_vector(f->blocks, i, SCRI_PACK_INV_W + j)[lane] =
                    (float)draw_between(random, 0.2, 3.0);
            }
        }
    }
    for (int k = 0; k < 6 * BODIES; ++k) {
        for (int j = 0; j < 8; ++j) f->mobility[k][j] = (float)draw_between(random, -1.0, 1.0);
    }
    for (int i = 0; i < N; ++i) *impulse_of(f, i) = (float)draw_between(random, -1.0, 1.0);
    memset(f->past, 0xff, sizeof f->past); /* NaN: what is not written is not read */
    memset(f->body_past, 0xff, sizeof f->body_past);
    scri_pack_history_begin(&f->history);
    f->history.steps = SCRI_MOMENTUM_END; /* combinations alone */
    return f;
}

/* A step of an iteration that goes to `goal` at a different pace in every component, and past it by
 * a little: nothing that a window of five solves at once. */
static void step(fixture* f, const double* goal)
{
    for (int i = 0; i < N; ++i) {
        float* p = impulse_of(f, i);
        double left = goal[i] - (double)*p, pace = 0.1 + 0.8 * (double)(i % 97) / 97.0;
        *p = (float)((double)*p + pace * left + 0.05 * left * left);
    }
    move_bodies(f);
}

typedef struct mirror {
    scri_anderson a;
    double scale[N], start[N], image[N], mixed[N];
    void* memory;
} mirror;

static mirror* begin_mirror(fixture* f)
{
    mirror* m = test_take(1, sizeof *m);
    for (int i = 0; i < N; ++i) m->scale[i] = sqrt((double)weight_of(f, i));
    scri_bump bump = {NULL, 0};
    scri_anderson_create(NULL, N, m->scale, &bump);
    m->memory = test_take(bump.used, 1);
    bump = (scri_bump){m->memory, 0};
    m->a = scri_anderson_create(NULL, N, m->scale, &bump);
    return m;
}

static void read_impulses(fixture* f, double* p)
{
    for (int i = 0; i < N; ++i) p[i] = (double)*impulse_of(f, i);
}

/* One step of both, the combination of both, and on from there. */
static void compare_step(fixture* f, mirror* m, const double* goal, int k)
{
    read_impulses(f, m->start);
    if (f->history.products.used == 0) scri_pack_history_start(&f->history);
    step(f, goal);
    read_impulses(f, m->image);
    scri_pack_history_take(&f->history);
    scri_anderson_take(&m->a, m->start, m->image);
    double cosine = scri_pack_history_mix(&f->history);
    double expected = scri_anderson_mix(&m->a, m->mixed);
    if (f->history.products.used == 0) return;
    require(fabs(cosine - expected) <= 1e-4, "step %d: cosine %g, not %g", k, cosine, expected);
    scri_pack_history_go_on(&f->history);
    double most = 0.0, worst = 0.0;
    for (int i = 0; i < N; ++i) {
        most = fmax(most, fabs(m->mixed[i] - m->image[i]));
        worst = fmax(worst, fabs((double)*impulse_of(f, i) - m->mixed[i]));
    }
    require(most > 0.0 && worst <= 1e-3 * most + 1e-6, "step %d: off by %g of %g", k, worst, most);
    for (int j = 0; j < 6 * BODIES; ++j) {
        double found = (double)f->bodies[j / 6].line[j % 6], wanted = (double)velocity_of(f, j);
        require(fabs(found - wanted) <= 1e-5, "step %d: velocity %g, not %g", k, found, wanted);
    }
}

static void it_combines_as_in_double_precision(void** state)
{
    (void)state;
    scri_random random = test_seed("combination of packs", 61);
    double goal[N];
    for (int i = 0; i < N; ++i) goal[i] = draw_between(&random, -1.0, 1.0);
    fixture* f = begin(&random, NULL);
    mirror* m = begin_mirror(f);
    for (int k = 0; k < 9; ++k) compare_step(f, m, goal, k);
    free(m->memory);
    free(m);
    free(f);
}

/* Back to where the last step ended, to the bit, and the same bits for any number of workers. */
static void it_goes_back_and_does_not_know_workers(void** state)
{
    (void)state;
    float end[2][N];
    for (int workers = 1; workers <= 3; workers += 2) {
        scri_random random = test_seed("workers and packs", 62);
        scri_team* team = NULL;
        double goal[N];
        assert_int_equal(scri_team_create(NULL, workers, &team), SCREE_OK);
        scri_team_spread(team, workers);
        for (int i = 0; i < N; ++i) goal[i] = draw_between(&random, -1.0, 1.0);
        fixture* f = begin(&random, team);
        for (int k = 0; k < 7; ++k) {
            scri_pack_history_start(&f->history);
            step(f, goal);
            scri_pack_history_take(&f->history);
            float before[N];
            scri_pack_body bodies[BODIES];
            for (int i = 0; i < N; ++i) before[i] = *impulse_of(f, i);
            memcpy(bodies, f->bodies, sizeof bodies);
            if (f->history.products.used == 0) continue;
            scri_pack_history_mix(&f->history);
            scri_pack_history_go_on(&f->history);
            for (int i = 0; i < N; ++i) end[workers > 1][i] = *impulse_of(f, i);
            require(memcmp(before, end[workers > 1], sizeof before) != 0, "step %d: no move", k);
            f->history.since = 3;
            scri_pack_history_go_back(&f->history);
            assert_int_equal(f->history.since, 0); /* momentum begins anew */
            for (int i = 0; i < N; ++i) assert_true(*impulse_of(f, i) == before[i]);
            assert_memory_equal(bodies, f->bodies, sizeof bodies);
        }
        free(f);
        scri_team_destroy(team);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

/* The n-th step with momentum since it began goes on by n / (n + 3) of the way from the end of the
 * step before to its own, by four fifths at most; it begins anew where that way points against the
 * change of the step, and then goes without. */
static void momentum_takes_the_last_way_again(void** state)
{
    (void)state;
    scri_random random = test_seed("momentum of packs", 63);
    static double goal[N], start[N], image[N], before[N];
    fixture* f = begin(&random, NULL);
    f->history.steps = SCRI_MOMENTUM_FROM;
    int since = 0, anew = 0, capped = 0;
    for (int i = 0; i < N; ++i) goal[i] = draw_between(&random, -1.0, 1.0);
    for (int k = 0; k < 60; ++k) {
        if (k == 30) { /* another goal: the old way leads away from it */
            for (int i = 0; i < N; ++i) goal[i] = -goal[i];
        }
        read_impulses(f, start);
        scri_pack_history_start(&f->history);
        step(f, goal);
        read_impulses(f, image);
        scri_pack_history_take(&f->history);
        double share = fmin(since / (since + 3.0), 0.8), along = 0.0;
        for (int i = 0; i < N; ++i) {
            along += (double)weight_of(f, i) * (image[i] - before[i]) * (image[i] - start[i]);
        }
        if (k > 0) {
            int goes = scri_pack_history_mix(&f->history) > 0.0;
            require(goes == (share == 0.0 || along >= 0.0), "step %d: goes on %d", k, goes);
            since = goes ? since + 1 : 0;
            anew += !goes;
            capped += goes && share == 0.8;
            if (goes) scri_pack_history_go_on(&f->history);
            for (int i = 0; i < N; ++i) {
                double wanted = image[i] + (goes ? share * (image[i] - before[i]) : 0.0);
                double found = (double)*impulse_of(f, i);
                require(fabs(found - wanted) <= 1e-5, "step %d: %g, not %g", k, found, wanted);
            }
            for (int j = 0; j < 6 * BODIES; ++j) {
                double found = (double)f->bodies[j / 6].line[j % 6];
                double wanted = (double)velocity_of(f, j);
                require(fabs(found - wanted) <= 1e-4, "step %d: velocity %g, not %g", k, found,
                        wanted);
            }
        }
        memcpy(before, image, sizeof before);
    }
    assert_true(anew > 0 && capped > 0);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_combines_as_in_double_precision),
        cmocka_unit_test(it_goes_back_and_does_not_know_workers),
        cmocka_unit_test(momentum_takes_the_last_way_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
