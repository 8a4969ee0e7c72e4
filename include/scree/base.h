/* Scree: conventions, status codes, environment, version.
 *
 * Conventions, stated once and used everywhere:
 *  - SI units. mu is a number; mu_r and mu_s (rolling, spinning) are lengths in metres.
 *  - A contact frame (n, t1, t2) is right-handed and orthonormal, n points from body B to body A.
 *  - y is the velocity of A relative to B, p the impulse on A. Rows of a contact stand in the order
 *    N, T1, T2, R1, R2, S: normal, sliding, rolling (angular, tangent plane), spinning (about n).
 *  - Precision is double in every build. Arrays are documented with their length in brackets.
 *
 * The library never prints, never ends the process, reads no environment variable and keeps no
 * global state but one lock around the sparse factorisation library, which has some. What can fail
 * returns a scree_status; the detail, one line of text that names the place, goes to scree_env.log.
 */
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#define SCREE_MUST_USE __attribute__((warn_unused_result))
#else
#define SCREE_API
#define SCREE_MUST_USE
#endif

/* What a call came to. "Not converged" is no error: a solver reports it as an outcome. */
typedef enum scree_status {
    SCREE_OK = 0,
    SCREE_ERROR_MEMORY,      /* the allocator returned NULL */
    SCREE_ERROR_ARGUMENT,    /* a call was made wrongly: NULL pointer, unknown name, stale def */
    SCREE_ERROR_INPUT,       /* the data are well formed but not a valid problem */
    SCREE_ERROR_FILE,        /* a file cannot be opened, read or written */
    SCREE_ERROR_FORMAT,      /* a file was read but does not follow its format */
    SCREE_ERROR_UNSUPPORTED, /* valid, but this build or this format cannot represent it */
    SCREE_STATUS_COUNT
} scree_status;

/* A short English text for a status, never NULL. */
SCREE_API const char* scree_status_text(scree_status status);

typedef enum scree_log_level { SCREE_LOG_ERROR, SCREE_LOG_WARNING, SCREE_LOG_INFO } scree_log_level;

/* A part of some work: the numbers begin .. end - 1 of it. `worker` tells parts apart that run at
 * the same time: no two of these have the same. */
typedef void scree_range(void* context, int32_t begin, int32_t end, int32_t worker);

/* What the host lends to the library. All zero means: malloc and free, silent.
 * `alloc` returns memory aligned for any type (as malloc does) or NULL; `release` takes it back.
 * `text` handed to `log` is one line without a newline and lives only during the call. `clock`
 * gives seconds that never go back, for time limits and the times in reports; NULL: the system's.
 *
 * `parallel_for` lends threads to what has several workers, such as a world: it calls
 * range(context, begin, end, worker) so that the ranges together are 0 .. n - 1, each number once,
 * and returns when all calls have. It may call from any thread, in any order, at once or one after
 * the other, with as many numbers at a time as it likes; `worker` is from 0 to the number of
 * workers asked for minus 1. Results do not depend on any of this. A call is some microseconds of
 * work per number, and n may be below the number of workers. NULL: the library starts threads of
 * its own where more than one worker is asked for.
 */
typedef struct scree_env {
    void* (*alloc)(void* user, size_t size);
    void (*release)(void* user, void* memory);
    void (*log)(void* user, scree_log_level level, const char* text);
    void* user;
    double (*clock)(void* user);
    void (*parallel_for)(void* user, int32_t n, scree_range* range, void* context);
} scree_env;

/* The version of the library that is running, and the one these headers belong to. */
typedef struct scree_version {
    int major, minor, patch;
} scree_version;
SCREE_API scree_version scree_get_version(void);

#ifdef __cplusplus
}
#endif

#endif
