#include "problem/parting.h"

#include "base/groups.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"

#include <math.h>
#include <string.h>

/* Contacts that are worth handing to another worker. */
enum { GRAIN = 512 };

/* Least cosines between a normal and the way its bodies go: far above rounding, and so that L is no
 * more than some hundred times the size of the whole. */
#define LEAST_SLOPE 1e-3
#define LEAST_RISE 1e-2

/* Bodies so many times as heavy as the lightest one count as ground: what they are pressed by
 * hardly moves them, and a proof may say that it does not (SCRI_PROOF). */
#define HEAVY 1e6

typedef struct opening {
    const scree_problem* problem;
    double least; /* inverse mass of bodies that are no ground */
    scri_groups groups;
    double up[3];                       /* g */
    double sums[SCRI_MOST_GROUPS][3];   /* of normals of the ground in each group */
    uint8_t is_stuck[SCRI_MOST_GROUPS]; /* a contact of the group does not open */
} opening;

static double most_inverse(const void* context, int32_t begin, int32_t end)
{
    const double* inv_mass = context;
    double most = 0.0;
    for (int32_t i = begin; i < end; ++i) most = fmax(most, inv_mass[i]);
    return most;
}

static int is_movable(const opening* all, int32_t body)
{
    double inverse = body >= 0 ? all->problem->bodies.inv_mass[body] : 0.0;
    return inverse > 0.0 && inverse >= all->least;
}

/* Contact c opens where its movable body goes along this times the normal: 1 if that is A, -1 if it
 * is B, 0 if both are movable or none is. */
static double sign_of(const opening* all, int32_t c)
{
    const int32_t* pair = all->problem->bodies.pair + 2 * (size_t)c;
    return (double)(is_movable(all, pair[0]) - is_movable(all, pair[1]));
}

/* Whether both bodies of contact c are movable and part as x does. */
static int parts(const opening* all, int32_t c)
{
    const scree_bodies* b = &all->problem->bodies;
    const int32_t* pair = b->pair + 2 * (size_t)c;
    const double* centre = all->problem->centre;
    double way[3];
    if (!is_movable(all, pair[0]) || !is_movable(all, pair[1])) return 0;
    for (size_t i = 0; i < 3; ++i) {
        way[i] = centre[3 * (size_t)pair[0] + i] - centre[3 * (size_t)pair[1] + i];
    }
    return scri_dot3(b->frame + 9 * (size_t)c, way) > LEAST_SLOPE * sqrt(scri_dot3(way, way));
}

static void part_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    opening* all = context;
    const scree_problem* problem = all->problem;
    const scree_bodies* b = &problem->bodies;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t c = scri_groups_begin(&all->groups, g);
        int32_t last = scri_groups_begin(&all->groups, g + 1);
        double sum[3] = {0.0, 0.0, 0.0};
        for (; c < last; ++c) {
            if (scri_law_of(problem, c)->recede != scri_law_recede_normal) break;
            if (scri_bodies_general(b, c)) break;
            double sign = sign_of(all, c);
            if (sign == 0.0 && !parts(all, c)) break;
            for (size_t i = 0; i < 3; ++i) sum[i] += sign * b->frame[9 * (size_t)c + i];
        }
        memcpy(all->sums[g], sum, sizeof sum);
        all->is_stuck[g] = c < last;
    }
}

static void rise_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    opening* all = context;
    const scree_bodies* b = &all->problem->bodies;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t c = scri_groups_begin(&all->groups, g);
        int32_t last = scri_groups_begin(&all->groups, g + 1);
        for (; c < last; ++c) {
            double sign = sign_of(all, c);
            if (sign == 0.0) continue;
            if (!(sign * scri_dot3(b->frame + 9 * (size_t)c, all->up) > LEAST_RISE)) break;
        }
        all->is_stuck[g] = c < last;
    }
}

static int any_is_stuck(const opening* all)
{
    for (int32_t g = 0; g < all->groups.count; ++g) {
        if (all->is_stuck[g]) return 1;
    }
    return 0;
}

int scri_parting_opens(const scree_problem* problem, scri_team* team)
{
    opening all;
    if (problem->form != SCREE_FORM_BODIES || !problem->centre) return 0;
    all.problem = problem;
    all.least = scri_groups_most(team, problem->bodies.n_bodies, GRAIN, most_inverse,
                                 problem->bodies.inv_mass) /
                HEAVY;
    all.groups = scri_groups_of(problem->n_contacts);
    int32_t grain = scri_groups_grain(&all.groups, GRAIN);
    scri_team_for(team, all.groups.count, grain, part_groups, &all);
    if (any_is_stuck(&all)) return 0;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t g = 0; g < all.groups.count; ++g) {
        for (size_t i = 0; i < 3; ++i) sum[i] += all.sums[g][i];
    }
    double size = sqrt(scri_dot3(sum, sum));
    for (size_t i = 0; i < 3; ++i) all.up[i] = size > 0.0 ? sum[i] / size : 0.0;
    scri_team_for(team, all.groups.count, grain, rise_groups, &all);
    return !any_is_stuck(&all);
}
