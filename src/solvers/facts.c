#include "solvers/facts.h"

#include "base/groups.h"
#include "base/larger.h"
#include "math/power_of_two.h"
#include "problem/bodies_kernel.h"
#include "problem/scaling.h"
#include "solvers/pack_guests.h"
#include "solvers/round_contacts.h"

#include <math.h>

/* Inverse masses and inertias outside this range, in the units of the packs, could overflow or
 * vanish in single precision. */
#define LEAST_INVERSE 1e-12
#define MOST_INVERSE 1e12

/* Contacts and bodies that are worth handing to another worker. */
enum { GRAIN = 512 };

/* Of the contacts of a group. */
typedef struct counts {
    int32_t odd, strangers, lifting, rolling;
    double mobility, length; /* largest; of the arms, its square */
} counts;

typedef struct survey {
    const scree_problem* problem;
    scri_groups groups;
    counts of[SCRI_MOST_GROUPS];
} survey;

/* Sides that do not respond have no say. */
static void measure(const scree_bodies* b, size_t c, counts* out)
{
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = b->pair[2 * c + side];
        const double* arm = b->arm + 6 * c + 3 * side;
        if (body < 0 || !(b->inv_mass[body] > 0.0)) continue;
        out->mobility = scri_larger(out->mobility, b->inv_mass[body]);
        out->length = scri_larger(out->length, scri_dot3(arm, arm));
    }
}

static void count(const scree_problem* problem, int32_t c, counts* out)
{
    scri_layout layout = scri_layout_of(problem->rows[c]);
    int is_round = scri_round_fits(problem, c);
    out->odd += !is_round;
    out->strangers += !is_round && !scri_pack_guests_fit(problem, c);
    out->lifting += is_round && scri_round_lifts(problem, c);
    out->rolling += layout.dim[1] + layout.dim[2] > 0;
    measure(&problem->bodies, (size_t)c, out);
}

static void look_at_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    survey* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&all->groups, g + 1);
        counts one = {0};
        for (int32_t c = scri_groups_begin(&all->groups, g); c < last; ++c) {
            count(all->problem, c, &one);
        }
        all->of[g] = one;
    }
}

/* Bodies and the units that they are measured in. */
typedef struct measured_bodies {
    const scree_bodies* bodies;
    scri_pack_units units;
} measured_bodies;

static int in_range(double inverse)
{
    return inverse == 0.0 || (inverse >= LEAST_INVERSE && inverse <= MOST_INVERSE);
}

/* 1 where one of a range is out of range. */
static double are_extreme(const void* context, int32_t begin, int32_t end)
{
    const scree_bodies* b = ((const measured_bodies*)context)->bodies;
    scri_pack_units u = ((const measured_bodies*)context)->units;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        double turns = b->inv_inertia[6 * i] * (u.length * u.length);
        if (!in_range(b->inv_mass[i] / u.mobility) || !in_range(turns / u.mobility)) return 1.0;
    }
    return 0.0;
}

scri_facts scri_facts_find(const scree_problem* problem, scri_team* team)
{
    scri_facts facts = {.n_crowded = problem->n_contacts};
    double mobility = 0.0, length = 0.0;
    survey all;
    if (problem->form != SCREE_FORM_BODIES) return facts;
    all.problem = problem;
    all.groups = scri_groups_of(problem->n_contacts);
    scri_team_for(team, all.groups.count, scri_groups_grain(&all.groups, GRAIN), look_at_groups,
                  &all);
    for (int32_t g = 0; g < all.groups.count; ++g) {
        facts.n_odd += all.of[g].odd;
        facts.n_strangers += all.of[g].strangers;
        facts.n_lifting += all.of[g].lifting;
        facts.n_rolling += all.of[g].rolling;
        mobility = scri_larger(mobility, all.of[g].mobility);
        length = scri_larger(length, all.of[g].length);
    }
    facts.units =
        (scri_pack_units){scri_power_of_two(mobility), scri_power_of_two(sqrt(length)),
                          scri_power_of_two(scri_scaling_most_speed(problem, NULL, team))};
    measured_bodies bodies = {&problem->bodies, facts.units};
    facts.is_extreme =
        scri_groups_most(team, problem->bodies.n_bodies, GRAIN, are_extreme, &bodies) > 0.0;
    return facts;
}
