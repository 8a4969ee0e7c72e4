/* As test_any_promises.c, with joints; and momentum stays, whatever holds bodies together. */
#include "support/any_worlds.h"

static void some_keep_their_motion(void** state)
{
    (void)state;
    test_needs_glibc();
    const motion_promise promises[] = {
        {"any, joints", mix_some(3000, 12, 0, 1), 0x7921c28d7821d75b},
        {"any, round, joints", mix_some(4000, 12, 1, 1), 0x59935cfdfa1f28de},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* Not under sanitizers. */
static void more_keep_theirs(void** state)
{
    (void)state;
    test_needs_glibc();
    if (test_sanitized()) skip();
    const motion_promise promises[] = {
        {"more, joints", mix_some(3102, 40, 0, 1), 0xc24e5742c7b67bc6},
        {"more, round, joints", mix_some(4100, 40, 1, 1), 0x35a4cc19be44ec92},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* Sum of m v, and the size of its terms. */
static double momentum_of(const scree_world* world, double sum[3])
{
    scree_world_view v = scree_world_get_view(world);
    double size = 0.0;
    set3(sum, 0.0, 0.0, 0.0);
    for (int32_t i = 0; i < v.n_bodies; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum[j] += v.mass[i] * v.velocity[3 * i + j];
            size += v.mass[i] * fabs(v.velocity[3 * i + j]);
        }
    }
    return size;
}

/* Bodies among themselves, whatever holds them together and however they meet, as long as steps are
 * solved. What is stopped in the air has less time to be pulled by motors: that may not add up. */
static void momentum_stays(void** state)
{
    (void)state;
    for (uint64_t seed = 5000; seed < 5000 + (uint64_t)test_cases(60, 600); ++seed) {
        any_world w = make_any(seed, seed % 4 == 3, seed % 2, 1);
        double before[3], after[3], size = momentum_of(w.world, before);
        for (int s = 0; s < 8; ++s) {
            scree_step_report r = step_any(w.world);
            if (r.solve.outcome != SCREE_OUTCOME_CONVERGED || (w.has_joints && r.n_stopped)) break;
            momentum_of(w.world, after);
            for (int j = 0; j < 3; ++j) {
                require(fabs(after[j] - before[j]) <= 1e-10 * size, "seed %d, step %d: off by %g",
                        (int)seed, s, (after[j] - before[j]) / size);
            }
        }
        end_any(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_keep_their_motion),
        cmocka_unit_test(more_keep_theirs),
        cmocka_unit_test(momentum_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
