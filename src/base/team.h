/* A team of threads that share work: one says what there is to do, and all take pieces of it until
 * none is left. Who takes which piece is left to chance, so that nobody waits for a worker that is
 * late; what must not depend on chance is written so that it does not. */
#ifndef SCRI_TEAM_H
#define SCRI_TEAM_H

#include "base/compiler.h"
#include "scree/base.h"

typedef struct scri_team scri_team;

/* The processors that this program may run on; 1 where that is not known. */
SCRI_SISTERS int32_t scri_cores(void);

/* `workers` includes the caller: workers - 1 threads are started. SCREE_ERROR_MEMORY when memory or
 * threads are short. Where the host has a parallel_for, the team is lent: it has no threads, and
 * its workers need not run at the same time. */
SCRI_SISTERS scree_status scri_team_create(const scree_env* env, int32_t workers, scri_team** out);
SCRI_SISTERS void scri_team_destroy(scri_team* team); /* NULL is allowed */

/* 1 for NULL. */
SCRI_SISTERS int32_t scri_team_size(const scri_team* team);

/* Workers that take part at the same time: no more than there are processors, unless a test of the
 * team itself says how many. */
SCRI_SISTERS void scri_team_spread(scri_team* team, int32_t workers);

/* Calls range(context, begin, end, worker) until the numbers 0 .. n - 1 are done, each once.
 * Ranges begin at multiples of `grain`, which is as many numbers as are worth handing over: some
 * two microseconds of work. Work that is not worth it, or a NULL team, is done by the caller alone,
 * in one call. Not to be called from within a range. */
SCRI_SISTERS void scri_team_for(scri_team* team, int32_t n, int32_t grain, scree_range* range,
                                void* context);

/* memcpy() and memset() to 0 of what may be much. */
void scri_team_copy(scri_team* team, void* to, const void* from, size_t bytes);
void scri_team_clear(scri_team* team, void* to, size_t bytes);

/* Much work is coming in pieces too small to wake anyone for: wakes all who sleep. They go back to
 * sleep a tenth of a millisecond after the last of it. */
SCRI_SISTERS void scri_team_rouse(scri_team* team);

#endif
