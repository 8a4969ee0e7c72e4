/* A team of threads that work on one thing together, and wait for each other. */
#ifndef SCRI_TEAM_H
#define SCRI_TEAM_H

#include "base/compiler.h"
#include "scree/base.h"

typedef struct scri_team scri_team;

/* `workers` includes the caller: workers - 1 threads are started. SCREE_ERROR_MEMORY when memory or
 * threads are short. Where the host has a parallel_for, the team is lent: it has no threads, and
 * its workers need not run at the same time. */
SCRI_SISTERS scree_status scri_team_create(const scree_env* env, int32_t workers, scri_team** out);
SCRI_SISTERS void scri_team_destroy(scri_team* team); /* NULL is allowed */

/* 1 for NULL. */
SCRI_SISTERS int32_t scri_team_size(const scri_team* team);

/* Calls work(context, worker) on every worker 0 .. size - 1 at once, 0 being the caller, and
 * returns when all are done. With a NULL team the caller does it alone. */
SCRI_SISTERS void scri_team_run(scri_team* team, void (*work)(void* context, int32_t worker),
                                void* context);

/* Whether the workers are the host's. These must not meet: work that has several stages is begun
 * anew for each of them. */
SCRI_SISTERS int scri_team_is_lent(const scri_team* team);

/* Calls range(context, begin, end, worker) until the numbers 0 .. n - 1 are done, each once. */
SCRI_SISTERS void scri_team_for(scri_team* team, int32_t n, scree_range* range, void* context);

/* Within scri_team_run(): goes on when every worker has come here. */
SCRI_SISTERS void scri_team_meet(scri_team* team);

#endif
