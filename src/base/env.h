/* The host's environment as the library uses it: memory and one-line messages. */
#ifndef SCRI_ENV_H
#define SCRI_ENV_H

#include "base/compiler.h"
#include "scree/base.h"

/* Longest message, including the terminating zero; what does not fit is cut. */
enum { SCRI_LOG_SIZE = 1024 };

/* `env` may be NULL in all of these, which means the default environment. */
SCRI_SISTERS void* scri_alloc(const scree_env* env, size_t size);
SCRI_SISTERS void scri_release(const scree_env* env, void* memory);

/* Logs an error and returns `status`, so that a failing function can end with it. */
SCRI_SISTERS scree_status scri_fail(const scree_env* env, scree_status status, const char* format,
                                    ...) SCRI_PRINTF(3, 4);

/* SCREE_ERROR_ARGUMENT where a definition has another struct_size than it has here: one that the
 * function `begin` did not make, or one of another version. */
SCRI_SISTERS scree_status scri_check_size(const scree_env* env, uint32_t size, size_t expected,
                                          const char* begin);

/* Logs a warning. */
SCRI_SISTERS void scri_warn(const scree_env* env, const char* format, ...) SCRI_PRINTF(2, 3);

#endif
