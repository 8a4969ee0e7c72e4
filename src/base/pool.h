/* Memory that is asked for and given back again and again: what comes back is kept for the next.
 *
 * Solvers take memory for one solve and return all of it. Through a pool the host sees the first
 * solves only: from then on they live on what is there. Several threads may use a pool: it asks the
 * host one at a time. */
#ifndef SCRI_POOL_H
#define SCRI_POOL_H

#include "scree/base.h"

typedef struct scri_pool scri_pool;

/* Takes its memory from `host`, which is copied; NULL means the default environment. */
scree_status scri_pool_create(const scree_env* host, scri_pool** out);

/* Gives everything back to the host; nothing may be in use any more. NULL is allowed. */
void scri_pool_destroy(scri_pool* pool);

/* The environment that serves from the pool, with the log and the clock of the host, but without
 * its threads. Factors of its sparse matrices may be used by several threads as they are. */
const scree_env* scri_pool_env(const scri_pool* pool);

#endif
