/* scree_solve() as the rest of the library calls it. */
#ifndef SCRI_SOLVE_H
#define SCRI_SOLVE_H

#include "scree/solver.h"
#include "solvers/known.h"

/* As scree_solve(), with threads for the sweeps that can use them; NULL: the caller's alone. */
SCREE_MUST_USE scree_status scri_solve(const scree_env* env, const scree_problem* problem,
                                       const scree_solver_def* def, scri_team* team, void* work,
                                       double* p, scree_report* report);

/* As scree_solve_work_size(), with threads. */
size_t scri_solve_work_size(const scree_env* env, const scree_problem* problem,
                            const scree_solver_def* def, scri_team* team);

/* A problem of which something is known, with work[] of its own: scri_solve_known_size(), 0 where
 * the method does not fit. Afterwards the impulses are what was judged last, or nothing is. */
SCREE_MUST_USE scree_status scri_solve_known(const scree_env* env, scri_known* known,
                                             const scree_solver_def* def, void* work, double* p,
                                             scree_report* report);
size_t scri_solve_known_size(const scree_env* env, const scri_known* known,
                             const scree_solver_def* def);

/* Another method for a def: options that only some methods take go back to their defaults. */
void scri_solver_def_turn_to(scree_solver_def* def, const char* solver);

#endif
