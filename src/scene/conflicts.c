/* Bodies that contradict each other: who, since when, how fast they approach. */
#include "scene/simulation.h"

#include <math.h>
#include <stdio.h>

enum { NAME_SIZE = 96, TEXT_SIZE = 512, MOST_NAMED = 3 };

/* How fast contact c still approaches because it has given way, m/s; 0: it has not. Rolling and
 * spinning have other units and never give way alone. */
static double given_at(const scree_world_view* view, int32_t c)
{
    const scree_problem* problem = view->problem;
    double most = 0.0;
    for (int32_t i = problem->first_row[c];
         i < problem->first_row[c + 1] && i < problem->first_row[c] + 3; ++i) {
        most = fmax(most, fabs(view->give[i]));
    }
    return most;
}

/* The entry of a pair of bodies; a new one if there is room, else NULL. */
static scree_conflict* entry_of(scree_simulation* s, const int32_t pair[2], int* is_new)
{
    int32_t a = pair[0] < pair[1] ? pair[0] : pair[1], b = pair[0] < pair[1] ? pair[1] : pair[0];
    for (int32_t i = 0; i < s->n_conflicts; ++i) {
        if (s->conflicts[i].body[0] == a && s->conflicts[i].body[1] == b) return &s->conflicts[i];
    }
    if (s->n_conflicts == SCREE_CONFLICTS_MAX) return NULL;
    *is_new = 1;
    s->conflicts[s->n_conflicts] = (scree_conflict){.body = {a, b}, .last = -1};
    return &s->conflicts[s->n_conflicts++];
}

static void warn(const scree_simulation* s, int32_t first, double time)
{
    char text[TEXT_SIZE] = "";
    int at = 0;
    for (int32_t i = first; i < s->n_conflicts && i < first + MOST_NAMED; ++i) {
        char a[NAME_SIZE], b[NAME_SIZE];
        scree_simulation_body_name(s, s->conflicts[i].body[0], a, sizeof a);
        scree_simulation_body_name(s, s->conflicts[i].body[1], b, sizeof b);
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%s and %s (%.2g m/s)",
                       i > first ? ", " : "", a, b, s->conflicts[i].approach);
        if (at >= TEXT_SIZE) break;
    }
    int32_t more = s->n_conflicts - first - MOST_NAMED;
    char rest[NAME_SIZE] = "";
    if (more > 0) snprintf(rest, sizeof rest, " and %d more pairs", (int)more);
    scri_warn(&s->env, "no solution at %g s: nothing can stop the approach of %s%s", time, text,
              rest);
}

void scri_simulation_note_conflicts(scree_simulation* s, const scree_step_report* report)
{
    if (report->solve.infeasible.n_contacts == 0) return;
    scree_world_view view = scree_world_get_view(s->world);
    double worst = report->solve.infeasible.approach;
    int32_t first = s->n_conflicts;
    for (int32_t c = 0; c < view.n_contacts; ++c) {
        double given = given_at(&view, c);
        int is_new = 0;
        if (!(given > SCRI_CONFLICT_SHARE * worst)) continue;
        scree_conflict* e = entry_of(s, view.problem->bodies.pair + 2 * (size_t)c, &is_new);
        if (!e) continue;
        if (is_new) e->time = view.time;
        e->steps += e->last != view.steps;
        e->last = view.steps;
        e->approach = fmax(e->approach, given);
    }
    if (s->n_conflicts > first) warn(s, first, view.time);
}

const scree_conflict* scree_simulation_conflicts(const scree_simulation* s, int32_t* n)
{
    if (n) *n = s ? s->n_conflicts : 0;
    return s ? s->conflicts : NULL;
}
