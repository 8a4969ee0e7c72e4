/* One part of a step: how right its impulses are, and how to make them right. */
#ifndef SCRI_STEP_PART_H
#define SCRI_STEP_PART_H

#include "step/islands.h"

/* Speeds of bodies at rest but for rounding, in units of what gravity gives in a step. */
#define SCRI_AT_REST 1e-6

/* Where every velocity vanishes but for the rounding of what cancels in it, no residual up to this
 * can be made smaller: a body between others a million times as heavy feels their last digits. */
#define SCRI_REST_TOL 1e-6

/* `problem`, whose contacts these are, with what has given way: q + give, in contacts->relaxed. */
scree_problem scri_part_relaxed(scri_team* team, const scree_problem* problem,
                                const scri_contacts_table* contacts);

/* Finds part->known: before anything else is done with a part. */
scree_status scri_part_get_to_know(const scree_world* world, scri_part* part);

/* The local residual of the impulses at hand; `problem` may be one that has given way. */
double scri_part_look(const scree_world* world, const scri_part* part,
                      const scree_problem* problem);

/* Whether the first guess may be right: not where many contacts have bodies that move. */
int scri_part_may_be_right(const scree_world* world, const scri_part* part);

/* Whether impulses that leave this residual cannot be made better: right to rounding, or at rest to
 * rounding. The world must have them. */
int scri_part_is_settled(scree_world* world, const scri_part* part, double residual);

/* Solves a part as `def` says; iterations and time are added to those of the report. */
scree_status scri_part_sweep(scree_world* world, const scri_part* part, scree_solver_def def,
                             scree_report* report);

/* A part whose first guess is not right. One that hardly moves may rest, which sweeps find last:
 * that comes first. */
scree_status scri_part_solve(scree_world* world, const scri_part* part, scree_report* report);

#endif
