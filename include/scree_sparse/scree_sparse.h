/* Sparse factorisation for the engine, by MUMPS.
 *
 *     scree_world_def def = scree_default_world_def();
 *     def.env.sparse = scree_sparse_mumps();
 *
 * MUMPS keeps state of its own, so that its calls wait for each other: worlds of different threads
 * factor one after the other. Its memory comes from malloc, not from scree_env.
 */
#ifndef SCREE_SPARSE_SCREE_SPARSE_H
#define SCREE_SPARSE_SCREE_SPARSE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Never NULL; lasts as long as the program. */
SCREE_API const scree_sparse* scree_sparse_mumps(void);

#ifdef __cplusplus
}
#endif

#endif
