#include "problem/promised_rows.h"

#include "base/groups.h"
#include "laws/law.h"

#include <string.h>

/* Contacts that are worth handing to another worker. */
enum { GRAIN = 512 };

static int width_of(const scree_problem* problem, int32_t c)
{
    return problem->first_row[c + 1] - problem->first_row[c];
}

static int is_normal_alone(const scree_problem* problem, int32_t c)
{
    return scri_law_of(problem, c)->recede == scri_law_recede_normal;
}

/* Groups of contacts: how many rows each has, then the number of its first. */
typedef struct counting {
    const scree_problem* full;
    int32_t* first_row;
    uint8_t* rows;
    scri_groups groups;
    int32_t first[SCRI_MOST_GROUPS + 1];
    uint8_t others[SCRI_MOST_GROUPS]; /* a contact of the group is no normal alone */
} counting;

static void count_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    counting* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&all->groups, g + 1), n = 0;
        int others = 0;
        for (int32_t c = scri_groups_begin(&all->groups, g); c < last; ++c) {
            int alone = is_normal_alone(all->full, c);
            n += alone ? 1 : width_of(all->full, c);
            others |= !alone;
        }
        all->first[g + 1] = n;
        all->others[g] = (uint8_t)others;
    }
}

static void number_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const counting* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&all->groups, g + 1), row = all->first[g];
        for (int32_t c = scri_groups_begin(&all->groups, g); c < last; ++c) {
            int alone = is_normal_alone(all->full, c);
            all->first_row[c] = row;
            all->rows[c] = alone ? SCREE_ROWS_N : all->full->rows[c];
            row += alone ? 1 : width_of(all->full, c);
        }
    }
}

/* Writes the arrays of a counting; returns how many rows there are. */
static int32_t list_rows(counting* all, scri_team* team)
{
    int32_t n = all->full->n_contacts;
    all->groups = scri_groups_of(n);
    int32_t grain = scri_groups_grain(&all->groups, GRAIN);
    scri_team_for(team, all->groups.count, grain, count_rows, all);
    all->first_row[n] = scri_groups_add_up(&all->groups, all->first);
    scri_team_for(team, all->groups.count, grain, number_rows, all);
    return all->first_row[n];
}

typedef struct copying {
    const scri_promised_rows* rows;
    const double* from;
    double* to;
} copying;

static void take_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const copying* all = context;
    const scree_problem *few = &all->rows->problem, *full = all->rows->full;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        memcpy(all->to + few->first_row[c], all->from + full->first_row[c],
               (size_t)width_of(few, c) * sizeof *all->to);
    }
}

static void put_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const copying* all = context;
    const scree_problem *few = &all->rows->problem, *full = all->rows->full;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        double* to = all->to + full->first_row[c];
        int width = width_of(few, c);
        for (int i = 0; i < width_of(full, c); ++i) {
            to[i] = i < width ? all->from[few->first_row[c] + i] : 0.0;
        }
    }
}

void scri_promised_rows_take(const scri_promised_rows* rows, scri_team* team, const double* all,
                             double* of)
{
    copying work = {.rows = rows, .from = all};
    work.to = of;
    scri_team_for(team, rows->full->n_contacts, GRAIN, take_some, &work);
}

void scri_promised_rows_put(const scri_promised_rows* rows, scri_team* team, const double* of,
                            double* all)
{
    copying work = {.rows = rows, .from = of};
    work.to = all;
    scri_team_for(team, rows->full->n_contacts, GRAIN, put_some, &work);
}

/* Arrays of so many rows in place of those of the whole problem. */
static scree_status copy_rows(scri_arena* arena, scri_team* team, size_t n_rows,
                              scri_promised_rows* out)
{
    const scree_problem* full = out->full;
    const double* scale = out->scaling.scale;
    double* own_scale = scri_arena_take_raw(arena, n_rows, sizeof(double));
    double* none = scri_arena_take_raw(arena, n_rows, sizeof(double));
    double* soft = full->compliance ? scri_arena_take_raw(arena, n_rows, sizeof(double)) : NULL;
    if (!own_scale || !none || (full->compliance && !soft)) return SCREE_ERROR_MEMORY;
    scri_team_clear(team, none, n_rows * sizeof *none);
    scri_promised_rows_take(out, team, scale, own_scale);
    if (soft) scri_promised_rows_take(out, team, full->compliance, soft);
    out->scaling.scale = own_scale;
    out->problem.q = none;
    out->problem.compliance = soft;
    return SCREE_OK;
}

scree_status scri_promised_rows_create(scri_arena* arena, const scree_problem* problem,
                                       const scri_scaling* scaling, scri_team* team,
                                       scri_promised_rows* out)
{
    size_t n = (size_t)problem->n_contacts;
    *out = (scri_promised_rows){.full = problem, .problem = *problem, .scaling = *scaling};
    int32_t n_rows = scree_problem_n_rows(problem);
    if (problem->form == SCREE_FORM_BODIES) {
        counting all;
        all.full = problem;
        all.first_row = scri_arena_take_raw(arena, n + 1, sizeof *all.first_row);
        all.rows = scri_arena_take_raw(arena, n, sizeof *all.rows);
        if (!all.first_row || !all.rows) return SCREE_ERROR_MEMORY;
        n_rows = list_rows(&all, team);
        out->are_normals = 1;
        for (int32_t g = 0; g < all.groups.count; ++g) out->are_normals &= !all.others[g];
        out->problem.first_row = all.first_row;
        out->problem.rows = all.rows;
    }
    return copy_rows(arena, team, (size_t)n_rows, out);
}
