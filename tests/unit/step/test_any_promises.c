/* Worlds that chance puts together, a few steps each, in odd numbers and in round ones, for which
 * much is exactly equal or zero. Numbers stand for all that a step says, does and knows afterwards:
 * they show that something has changed, not what is right. What is right for all of them is asked
 * beside that: energy is accounted for. */
#include "support/any_worlds.h"

static void some_keep_their_motion(void** state)
{
    (void)state;
    test_needs_glibc();
    const motion_promise promises[] = {
        {"any", mix_some(1000, 12, 0, 0), 0x6f192355fb80e3ef},
        {"any, round", mix_some(2000, 12, 1, 0), 0xeed0e4e30aea02e7},
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
        {"more", mix_some(1100, 40, 0, 0), 0x0ce57e4c193981ed},
        {"more, round", mix_some(2100, 40, 1, 0), 0xad84b51161e1c337},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* Energies, and the work that the report has of contacts and forces, add up in every step of the
 * midpoint rule, whether it is solved or not. What a body is carried by on its way, which costs
 * nothing, is left out. */
static void energy_is_accounted_for(void** state)
{
    (void)state;
    int n_checked = 0;
    for (uint64_t seed = 6000; seed < 6000 + (uint64_t)test_cases(90, 900); ++seed) {
        any_world w = make_any(seed, seed % 4 == 3, 0, 0);
        scree_step_report r;
        double before = 0.0;
        for (int s = 0; s < 8 && w.theta == 0.5; ++s) {
            if (scree_world_step(w.world, &r)) break;
            double now = r.kinetic + r.potential, work = r.contact_work + r.force_work;
            double size = r.kinetic + fabs(r.potential) + fabs(r.contact_work) + fabs(r.force_work);
            if (s > 0) {
                require_near(now - before, work, 1e-9 * size, "energy");
                ++n_checked;
            }
            before = now;
        }
        end_any(&w);
    }
    require(n_checked > 60, "%d steps only", n_checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_keep_their_motion),
        cmocka_unit_test(more_keep_theirs),
        cmocka_unit_test(energy_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
