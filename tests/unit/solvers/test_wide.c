/* nsgs-wide against nsgs-bodies: the same sweeps, four contacts at a time in single
 * precision, need about as many iterations. A wrong row or a wrong sign needs many more or never
 * ends, since the residual is taken in double precision by other code. */
#include "solvers/pack_groups.h"
#include "solvers/pack_kernel.h"
#include "support/friction_sets.h"
#include "support/one_contact_judge.h"
#include "support/solving.h"

static const int all_rows[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                               SCREE_ROWS_NTTRRS};

static sample pile_of(int law, int rows, double mu, scri_random* random)
{
    sphere_pile pile = pyramid_of(3, 2, law, rows, mu);
    return sample_pile(&pile, random);
}

/* Adds the iterations of both methods from a guess at random. */
static void solve_both(const sample* s, uint64_t stream, int64_t sum[2])
{
    for (int wide = 0; wide < 2; ++wide) {
        scri_random random = {.key = 11, .stream = stream};
        scree_solver_def def = solver_def(wide ? "nsgs-wide" : "nsgs-bodies", 1e-4, 5000);
        double* p = zeros_of(&s->view);
        for (int32_t c = 0; c < s->view.n_contacts; ++c) {
            p[s->row[c]] = 1.0;
            for (int32_t i = s->row[c] + 1; i < s->row[c + 1]; ++i) {
                double size = s->coef[3 * c + (i - s->row[c] > 2)];
                p[i] = 0.3 * size * draw_between(&random, -1.0, 1.0);
            }
        }
        scree_report report = solved(&s->view, &def, p);
        require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s, %s rows: %s at %g", def.solver,
                row_names[s->rows[0]], scree_outcome_text((int)report.outcome), report.residual);
        sum[wide] += report.iterations;
        free(p);
    }
}

static void require_alike(const char* what, const int64_t sum[2], int64_t percent)
{
    print_message("%s: %lld iterations, otherwise %lld\n", what, (long long)sum[1],
                  (long long)sum[0]);
    require(100 * sum[1] <= (100 + percent) * sum[0], "%s: too many", what);
}

static void require_discs_alike(int law, uint64_t stream)
{
    scri_random random = test_seed("wide and not wide", stream);
    for (size_t r = 0; r < sizeof all_rows / sizeof all_rows[0]; ++r) {
        int64_t sum[2] = {0, 0};
        for (int k = 0; k < 8; ++k) {
            sample s = pile_of(law, all_rows[r], 0.02 * (1 << k), &random);
            solve_both(&s, (uint64_t)k, sum);
            sample_end(&s);
        }
        require_alike(row_names[all_rows[r]], sum, 40);
    }
}

static void discs_take_no_longer(void** state)
{
    (void)state;
    require_discs_alike(SCREE_LAW_EXACT, 51);
}

static void nor_does_the_convex_law(void** state)
{
    (void)state;
    require_discs_alike(SCREE_LAW_CONVEX, 54);
}

/* Ellipses across the axes, the same or others for the direction. The wide method goes one Newton
 * step per sweep where the other goes all the way: both end alike, about as soon. */
static void ellipses_take_no_longer(void** state)
{
    (void)state;
    scri_random random = test_seed("wide with ellipses", 52);
    int64_t sum[2] = {0, 0};
    for (int k = 0; k < 12; ++k) {
        int rows = k % 2 ? SCREE_ROWS_NTTRRS : SCREE_ROWS_NTT;
        sample s = pile_of(SCREE_LAW_EXACT, rows, 0.3, &random);
        size_t n = (size_t)s.view.n_contacts;
        const scree_set** set = sample_take(&s, 4 * n, sizeof *set);
        scree_set* sliding = make_set(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 30.0 + 20.0 * k);
        scree_set* rolling = make_set(SCREE_SET_ELLIPSE, 0.7, 1.2, 0.0, 15.0 * k);
        scree_set* direction = make_set(SCREE_SET_ELLIPSE, 1.0, 0.7, 0.0, 30.0 + 20.0 * k);
        for (size_t c = 0; c < n; ++c) {
            set[4 * c] = sliding;
            set[4 * c + 2] = rolling;
            if (k % 3 == 0) {
                set[4 * c + 1] = direction;
                s.law[c] = SCREE_LAW_EXTENDED;
            }
        }
        sample_add_sets(&s, set);
        solve_both(&s, (uint64_t)k, sum);
        scree_set_destroy(sliding);
        scree_set_destroy(rolling);
        scree_set_destroy(direction);
        sample_end(&s);
    }
    require_alike("ellipses", sum, 25);
}

/* `count` numbers and `more` of another place behind them. */
static double* extend(sample* s, const double* numbers, size_t count, const double* others,
                      size_t more)
{
    double* all = sample_take(s, count + more, sizeof *all);
    memcpy(all, numbers, count * sizeof *all);
    memcpy(all + count, others, more * sizeof *all);
    return all;
}

/* The pile, and beside it a sphere like its first one that hits the ground with `speed`. */
static scree_problem with_stranger(sample* s, double speed)
{
    scree_problem all = s->view;
    size_t n = (size_t)all.n_contacts, b = (size_t)all.bodies.n_bodies, first = 0;
    while (s->pair[2 * first + 1] != (int32_t)b - 1) ++first; /* the ground is the last body */
    size_t own = (size_t)s->pair[2 * first], width = (size_t)(s->row[1] - s->row[0]);
    double* q = extend(s, s->q, (size_t)s->row[n], s->q, width);
    int32_t* row = sample_take(s, n + 2, sizeof *row);
    int32_t* pair = sample_take(s, 2 * n + 2, sizeof *pair);
    uint8_t *rows = sample_take(s, n + 1, 1), *law = sample_take(s, n + 1, 1);
    memcpy(row, s->row, (n + 1) * sizeof *row);
    memcpy(pair, s->pair, 2 * n * sizeof *pair);
    memcpy(rows, s->rows, n);
    memcpy(law, s->law, n);
    row[n + 1] = row[n] + (int32_t)width;
    pair[2 * n] = (int32_t)b;
    pair[2 * n + 1] = (int32_t)b - 1;
    rows[n] = rows[0];
    law[n] = law[0];
    for (size_t i = 0; i < width; ++i) q[(size_t)row[n] + i] = i == 0 ? -speed : 0.0;
    all.n_contacts++;
    all.first_row = row;
    all.rows = rows;
    all.law = law;
    all.q = q;
    all.coef = extend(s, s->coef, 3 * n, s->coef, 3);
    all.bodies.n_bodies++;
    all.bodies.pair = pair;
    all.bodies.inv_mass = extend(s, s->inv_mass, b, s->inv_mass + own, 1);
    all.bodies.inv_inertia = extend(s, s->inv_inertia, 6 * b, s->inv_inertia + 6 * own, 6);
    all.bodies.frame = extend(s, s->frame, 9 * n, s->frame + 9 * first, 9);
    all.bodies.arm = extend(s, s->arm, 6 * n, s->arm + 6 * first, 6);
    return all;
}

/* Contacts judged by themselves are swept by themselves: what happens beside them, however
 * violent, makes no more sweeps. */
static void strangers_cost_nothing(void** state)
{
    (void)state;
    enum { PILES = 8 };
    static const char* const solvers[] = {"nsgs-bodies", "nsgs-wide", "nsgs-wide-aa"};
    scri_random random = test_seed("strangers", 54);
    for (size_t m = 0; m < sizeof solvers / sizeof *solvers; ++m) {
        int64_t sum[2] = {0, 0};
        for (int k = 0; k < PILES; ++k) {
            sample s = pile_of(SCREE_LAW_EXACT, SCREE_ROWS_NTTRRS, 0.3, &random);
            for (int fast = 0; fast < 2; ++fast) {
                scree_problem all = with_stranger(&s, fast ? 300.0 : 1.0);
                scree_solver_def def = solver_def(solvers[m], 1e-3, 5000);
                double* p = zeros_of(&all);
                def.measure = SCREE_MEASURE_LOCAL;
                scree_report report = solved(&all, &def, p);
                require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s: %s at %g", def.solver,
                        scree_outcome_text((int)report.outcome), report.residual);
                sum[fast] += report.iterations;
                free(p);
            }
            sample_end(&s);
        }
        require_alike(solvers[m], sum, 10);
        require(sum[0] <= 20 * PILES, "%s: %lld sweeps for %d piles", solvers[m], (long long)sum[0],
                PILES);
    }
}

enum { GROUPS = 2000, PACKS = 12, BODIES = 2 * SCRI_LANES * PACKS + 1 };

/* Where the velocities of a contact begin: behind what is no less than zero. */
enum { FIRST_Q = SCRI_ROUND_P - 6 };

/* n packs: side by side in a block, or anywhere. */
static void draw_group(scri_random* random, int n, int32_t* pack)
{
    int is_block = scri_random_uniform(random) < 0.5;
    int32_t at = n * (int32_t)draw_between(random, 0.0, (double)PACKS / n);
    for (int i = 0; i < n; ++i) {
        pack[i] = is_block || i == 0 ? at + i : pack[i - 1] + 1;
        if (!is_block) pack[i] += (int32_t)draw_between(random, 0.0, (double)PACKS / n);
        pack[i] %= PACKS;
    }
}

/* A pack of numbers at random, whose contacts share no body; some lanes have no contact. */
static void draw_pack(scri_random* random, int32_t pack, scri_pack_block* blocks)
{
    for (int lane = 0; lane < SCRI_LANES; ++lane) {
        int is_empty = scri_random_uniform(random) < 0.1;
        int32_t a = is_empty ? BODIES - 1 : 2 * (SCRI_LANES * pack + lane);
        scri_pack_set_bodies(blocks, pack, lane, a, is_empty ? a : a + 1);
        for (int k = 0; k < SCRI_ROUND_REALS; ++k) {
            int is_size = (k >= SCRI_PACK_INV_W && k < FIRST_Q) || k == SCRI_ROUND_P;
            float x = is_empty ? 0.0f : (float)draw_between(random, -1.0, 1.0);
            scri_pack_vector(blocks, pack, k)[lane] = is_size ? fabsf(x) : x;
        }
    }
}

static void draw_lines(scri_random* random, scri_pack_body* bodies)
{
    for (int i = 0; i < BODIES; ++i) {
        for (int j = 0; j < 8; ++j) {
            double x = draw_between(random, -1.0, 1.0);
            int is_zero = i == BODIES - 1 || (j >= 6 && i % 5 == 0);
            bodies[i].line[j] = is_zero ? 0.0f : (float)(j >= 6 ? fabs(x) : x);
        }
    }
}

/* Two or four packs at once and one after the other: the same bits. */
static void groups_are_packs(void** state)
{
    (void)state;
    scri_random random = test_seed("groups of packs", 53);
    int compared = 0;
    for (int k = 0; k < 2 * GROUPS; ++k) {
        int n = k % 2 ? 4 : 2, kind = SCRI_ROUND_KIND(k % 8 > 3, k % 4 > 1);
        _Alignas(64) static scri_pack_block one[PACKS / SCRI_BLOCK], many[PACKS / SCRI_BLOCK];
        scri_pack_body bodies[2][BODIES];
        float change[4 * SCRI_LANES], impulse[4 * SCRI_LANES];
        int32_t pack[4];
        for (int i = 0; i < PACKS; ++i) draw_pack(&random, i, one);
        memcpy(many, one, sizeof many);
        draw_lines(&random, bodies[0]);
        memcpy(bodies[1], bodies[0], sizeof bodies[0]);
        draw_group(&random, n, pack);
        if (!scri_pack_groups_of(n)) continue;
        compared++;
        scri_pack_groups_of(n)(many, pack, kind, bodies[1], change, impulse);
        for (int i = 0; i < n; ++i) {
            float changed[SCRI_LANES], pressed[SCRI_LANES];
            scri_pack_update_group(one, pack + i, kind, bodies[0], changed, pressed);
            assert_memory_equal(changed, change + SCRI_LANES * i, sizeof changed);
            assert_memory_equal(pressed, impulse + SCRI_LANES * i, sizeof pressed);
        }
        assert_memory_equal(one, many, sizeof one);
        assert_memory_equal(bodies[0], bodies[1], sizeof bodies[0]);
    }
    print_message("%d groups compared\n", compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_take_no_longer),    cmocka_unit_test(nor_does_the_convex_law),
        cmocka_unit_test(ellipses_take_no_longer), cmocka_unit_test(strangers_cost_nothing),
        cmocka_unit_test(groups_are_packs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
