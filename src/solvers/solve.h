/* scree_solve() as the rest of the library calls it. */
#ifndef SCRI_SOLVE_H
#define SCRI_SOLVE_H

#include "base/team.h"
#include "scree/solver.h"

/* As scree_solve(), with threads for the sweeps that can use them; NULL: the caller's alone. */
SCREE_MUST_USE scree_status scri_solve(const scree_env* env, const scree_problem* problem,
                                       const scree_solver_def* def, scri_team* team, void* work,
                                       double* p, scree_report* report);

/* As scree_solve_work_size(), with threads. */
size_t scri_solve_work_size(const scree_env* env, const scree_problem* problem,
                            const scree_solver_def* def, scri_team* team);

/* Another method for a def: options that only some methods take go back to their defaults. */
void scri_solver_def_turn_to(scree_solver_def* def, const char* solver);

#endif
