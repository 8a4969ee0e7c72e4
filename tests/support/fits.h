/* Which problems each method is for, told a second time and from the public interface alone: tests
 * of "every method" pass over the rest, and see that the rest is refused. */
#ifndef SUPPORT_FITS_H
#define SUPPORT_FITS_H

#include "support/solving.h"

static inline int has_sets(const scree_problem* problem, int32_t c)
{
    const int32_t* set = problem->set ? problem->set + 4 * (size_t)c : NULL;
    return set && (set[0] >= 0 || set[1] >= 0 || set[2] >= 0 || set[3] >= 0);
}

/* The law by number; with discs the extended law is the exact one. */
static inline int plain_law(const scree_problem* problem, int32_t c)
{
    int law = problem->law[c];
    return law == SCREE_LAW_EXTENDED && !has_sets(problem, c) ? SCREE_LAW_EXACT : law;
}

/* Whether the laws of all contacts are among those in `laws`, a bit each. */
static inline int laws_are_among(const scree_problem* problem, unsigned laws)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!(laws >> plain_law(problem, c) & 1u)) return 0;
    }
    return 1;
}

/* Whether one side of contact c is a ball about its centre, or held fast. */
static inline int is_ball(const scree_problem* problem, int32_t c, int side)
{
    const scree_bodies* b = &problem->bodies;
    int32_t body = b->pair[2 * c + side];
    if (body < 0) return 0;
    const double *j = b->inv_inertia + 6 * (size_t)body, *n = b->frame + 9 * (size_t)c;
    const double* arm = b->arm + 6 * (size_t)c + 3 * (size_t)side;
    if (j[0] != j[1] || j[1] != j[2] || j[3] != 0.0 || j[4] != 0.0 || j[5] != 0.0) return 0;
    if (b->inv_mass[body] == 0.0) return 1;
    double along = arm[0] * n[0] + arm[1] * n[1] + arm[2] * n[2], aside = 0.0;
    for (int k = 0; k < 3; ++k) aside = fmax(aside, fabs(arm[k] - along * n[k]));
    return j[0] > 0.0 && aside <= 1e-13 * fabs(along);
}

/* Whether contact c is one of balls that do not yield, with friction by channels. */
static inline int is_of_balls(const scree_problem* problem, int32_t c)
{
    const int32_t* pair = problem->bodies.pair + 2 * (size_t)c;
    int law = plain_law(problem, c);
    for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
        if (problem->compliance && problem->compliance[i] != 0.0) return 0;
    }
    if (law != SCREE_LAW_EXACT && law != SCREE_LAW_EXTENDED && law != SCREE_LAW_CONVEX) return 0;
    return is_ball(problem, c, 0) && is_ball(problem, c, 1) && pair[0] != pair[1];
}

/* Contacts of balls, all of them lifting off or none, with a few others among them. */
static inline int is_heap_of_balls(const scree_problem* problem, double tol)
{
    if (problem->form != SCREE_FORM_BODIES) return 0;
    for (int32_t i = 0; i < problem->bodies.n_bodies; ++i) {
        double mass = problem->bodies.inv_mass[i], j = problem->bodies.inv_inertia[6 * (size_t)i];
        if ((mass != 0.0 && (mass < 1e-12 || mass > 1e12)) ||
            (j != 0.0 && (j < 1e-12 || j > 1e12))) {
            return 0;
        }
    }
    int32_t n = problem->n_contacts, lifting = 0, others = 0;
    for (int32_t c = 0; c < n; ++c) {
        int law = problem->law[c], is_round = is_of_balls(problem, c);
        others += !is_round;
        lifting += is_round && law == SCREE_LAW_CONVEX;
        if (!is_round && (law == SCREE_LAW_BILATERAL || law == SCREE_LAW_INTERVAL ||
                          law == SCREE_LAW_HALF_LINE)) {
            return 0;
        }
    }
    return others <= n / (tol >= 1e-3 ? 2 : 4) && (lifting == 0 || lifting == n - others);
}

static inline int is_declared(const scree_problem* problem, const scree_solver_def* def)
{
    enum {
        EXACT = 1 << SCREE_LAW_EXACT,
        CONVEX = 1 << SCREE_LAW_CONVEX,
        COUPLED = 1 << SCREE_LAW_COUPLED,
        EXTENDED = 1 << SCREE_LAW_EXTENDED,
        ALL = (1 << SCREE_LAW_COUNT) - 1
    };
    const char* name = def->solver;
    int has_bodies = problem->form == SCREE_FORM_BODIES, sets = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) sets |= has_sets(problem, c);
    if (problem->form == SCREE_FORM_FACTORED) return 0;
    if (!strcmp(name, "auto") || !strcmp(name, "nsgs")) return 1;
    if (!strcmp(name, "nsgs-aa")) return has_bodies || def->sweep != SCREE_SWEEP_SHUFFLED;
    if (!strcmp(name, "nsgs-bodies")) return has_bodies;
    if (!strncmp(name, "nsgs-wide", 9)) {
        return def->tol >= 1e-5 && is_heap_of_balls(problem, def->tol);
    }
    if (!strcmp(name, "newton-dense")) {
        return scree_problem_n_rows(problem) <= 120 &&
               laws_are_among(problem, ALL & ~(CONVEX | COUPLED));
    }
    if (!strcmp(name, "channels") || !strcmp(name, "proximal")) {
        return laws_are_among(problem, ALL & ~(CONVEX | COUPLED));
    }
    if (!strcmp(name, "newton-prox")) return laws_are_among(problem, ALL & ~COUPLED);
    if (!strncmp(name, "interior", 8)) return laws_are_among(problem, EXACT | CONVEX) && !sets;
    return laws_are_among(problem, ALL & ~EXTENDED); /* those that project */
}

/* Whether the method fits. The library says the same; where it does not fit, it says why, asks for
 * no memory, and solves nothing. Only of nsgs-wide with sets other than ellipses, which are not
 * told apart here, the library's word is taken. */
static inline int fits(const scree_problem* problem, const scree_solver_def* asked)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_solver_def def = *asked;
    const char* why = scree_solver_unfit(sparse_env(), problem, &def);
    int is_open = !strncmp(def.solver, "nsgs-wide", 9) && problem->set;
    require(is_open || is_declared(problem, &def) == !why, "%s: %s", def.solver,
            why ? why : "fits, although it is not declared");
    if (!why) return 1;
    require(scree_solve_work_size(sparse_env(), problem, &def) == 0, "%s: wants memory",
            def.solver);
    double* p = zeros_of(problem);
    scree_report report;
    double work[2];
    assert_int_equal(scree_solve(&env, problem, &def, work, p, &report), SCREE_ERROR_UNSUPPORTED);
    require(host.n_logged == 1 && strstr(host.text, why) && strstr(host.text, def.solver),
            "%s: logs \"%s\"", def.solver, host.text);
    free(p);
    return 0;
}

#endif
